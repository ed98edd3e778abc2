#include "explore/store.h"

#include <stdlib.h>
#include <string.h>

#include "base/pages.h"

/* A set of 64-bit pairs, numbered from 1 in order of insertion. The index is an open-addressing
 * table over the numbers; what a number leaves of the 32 bits of a slot holds a tag of the pair's
 * hash, so that a look at the pair itself, which is a cache miss, nearly always finds it. */
struct pairs {
  uint64_t *at; /* at[0] unused */
  uint32_t n, cap;
  uint32_t *slot; /* tag, number; 0 = free */
  uint32_t slots, number_mask;
};

struct leaf {
  uint64_t offset;
  uint32_t n, hash;
};

#define CHUNK_BITS                                                                                 \
  22 /* component bytes live in chunks of 4 MiB that do not move; only what is                     \
        used of the last one counts, the rest was never touched */

struct pv_store {
  PV_VEC(struct leaf) leaves; /* leaf id & ~tag = index + 1 */
  uint32_t *leaf_slot, leaf_mask;
  PV_VEC(uint8_t *) chunks;
  uint64_t chunk_used; /* bytes used in all chunks, as an address over them */
  struct pairs nodes, roots;
  PV_VEC(uint32_t) touched; /* scratch for pv_store_put */
};

/* ---- pairs ----------------------------------------------------------------------------------- */
static uint64_t mix(uint64_t pair) { /* finaliser of MurmurHash3 (Appleby, public domain) */
  pair ^= pair >> 33;
  pair *= 0xff51afd7ed558ccdu;
  pair ^= pair >> 33;
  pair *= 0xc4ceb9fe1a85ec53u;
  pair ^= pair >> 33;
  return pair;
}

static uint32_t tagged(const struct pairs *p, uint64_t hash, uint32_t number) {
  return ((uint32_t)hash & ~p->number_mask) | number;
}

/* Where the search for a pair begins: the hash's upper half, scaled to the slots there are. */
static uint32_t first_slot(const struct pairs *p, uint64_t hash) {
  return (uint32_t)((hash >> 32) * p->slots >> 32);
}

static uint32_t next_slot(const struct pairs *p, uint32_t i) {
  return i + 1 == p->slots ? 0 : i + 1;
}

/* Makes the index anew, by half larger: it is three quarters full at most and half full after. */
static void pairs_index(struct pairs *p) {
  pv_pages_free(p->slot, (size_t)p->slots * sizeof *p->slot);
  p->slots = p->slots ? p->slots + p->slots / 2 : 1024;
  p->slot = pv_pages_new((size_t)p->slots * sizeof *p->slot);
  p->number_mask = 1;
  while (p->number_mask < p->slots) p->number_mask = p->number_mask * 2 + 1;
  for (uint32_t id = 1; id <= p->n; id++) {
    uint64_t hash = mix(p->at[id]);
    uint32_t i = first_slot(p, hash);
    while (p->slot[i]) i = next_slot(p, i);
    p->slot[i] = tagged(p, hash, id);
  }
}

static uint32_t pairs_add(struct pairs *p, uint64_t pair, uint64_t hash, uint32_t slot) {
  if (p->n + 2 > p->cap) { /* by an eighth: these arrays are the bulk of the memory */
    uint32_t before = p->cap;
    p->cap = before ? before + before / 8 : 1024;
    p->at = pv_pages_grow(p->at, before * sizeof *p->at, p->cap * sizeof *p->at);
  }
  PV_REQUIRE(p->n < PV_LEAF_TAG - 2, "state store full");
  p->at[++p->n] = pair;
  p->slot[slot] = tagged(p, hash, p->n);
  return p->n;
}

static uint32_t pairs_put(struct pairs *p, uint32_t left, uint32_t right, bool *is_new) {
  uint64_t pair = (uint64_t)left << 32 | right, hash = mix(pair);
  if ((uint64_t)(p->n + 1) * 4 > (uint64_t)p->slots * 3) pairs_index(p);
  uint32_t i = first_slot(p, hash), tag = tagged(p, hash, 0);
  for (; p->slot[i]; i = next_slot(p, i)) {
    uint32_t number = p->slot[i] & p->number_mask;
    if ((p->slot[i] & ~p->number_mask) == tag && p->at[number] == pair) {
      if (is_new) *is_new = false;
      return number;
    }
  }
  if (is_new) *is_new = true;
  return pairs_add(p, pair, hash, i);
}

static void pairs_free(struct pairs *p) {
  pv_pages_free(p->at, p->cap * sizeof *p->at);
  pv_pages_free(p->slot, p->slots * sizeof *p->slot);
}

static uint64_t pairs_bytes(const struct pairs *p) {
  return (uint64_t)p->cap * 8 + (uint64_t)p->slots * 4;
}

/* ---- leaves ---------------------------------------------------------------------------------- */
struct pv_store *pv_store_new(void) {
  return pv_alloc(sizeof(struct pv_store));
}

void pv_store_free(struct pv_store *s) {
  if (!s) return;
  for (uint32_t i = 0; i < s->chunks.n; i++) free(s->chunks.at[i]);
  pv_vec_free(&s->chunks);
  pv_vec_free(&s->leaves);
  pv_vec_free(&s->touched);
  free(s->leaf_slot);
  pairs_free(&s->nodes);
  pairs_free(&s->roots);
  free(s);
}

static uint8_t *bytes_at(const struct pv_store *s, uint64_t offset) {
  return s->chunks.at[offset >> CHUNK_BITS] + (offset & (((uint64_t)1 << CHUNK_BITS) - 1));
}

static uint64_t bytes_add(struct pv_store *s, const void *bytes, uint32_t n) {
  uint64_t size = (uint64_t)1 << CHUNK_BITS;
  PV_REQUIRE(n <= size, "component too large");
  uint64_t room = s->chunks.n * size - s->chunk_used;
  if (room < n) {
    pv_vec_push(&s->chunks, pv_alloc(size));
    s->chunk_used = (s->chunks.n - 1) * size;
  }
  uint64_t offset = s->chunk_used;
  memcpy(bytes_at(s, offset), bytes, n);
  s->chunk_used += n;
  return offset;
}

static void leaves_grow_index(struct pv_store *s) {
  uint32_t slots = s->leaf_slot ? (s->leaf_mask + 1) * 2 : 1024;
  free(s->leaf_slot);
  s->leaf_slot = pv_alloc((size_t)slots * sizeof *s->leaf_slot);
  s->leaf_mask = slots - 1;
  for (uint32_t k = 0; k < s->leaves.n; k++) {
    uint32_t i = s->leaves.at[k].hash & s->leaf_mask;
    while (s->leaf_slot[i]) i = (i + 1) & s->leaf_mask;
    s->leaf_slot[i] = k + 1;
  }
}

uint32_t pv_store_leaf(struct pv_store *s, const void *bytes, uint32_t n) {
  if (!s->leaf_slot || (uint64_t)(s->leaves.n + 1) * 4 > (uint64_t)(s->leaf_mask + 1) * 3)
    leaves_grow_index(s);
  uint32_t hash = (uint32_t)pv_hash(bytes, n);
  uint32_t i = hash & s->leaf_mask;
  for (; s->leaf_slot[i]; i = (i + 1) & s->leaf_mask) {
    const struct leaf *l = &s->leaves.at[s->leaf_slot[i] - 1];
    if (l->hash == hash && l->n == n && memcmp(bytes_at(s, l->offset), bytes, n) == 0)
      return s->leaf_slot[i] | PV_LEAF_TAG;
  }
  struct leaf fresh = {bytes_add(s, bytes, n), n, hash};
  pv_vec_push(&s->leaves, fresh);
  s->leaf_slot[i] = s->leaves.n;
  return s->leaves.n | PV_LEAF_TAG;
}

const uint8_t *pv_store_leaf_bytes(const struct pv_store *s, uint32_t leaf, uint32_t *n) {
  const struct leaf *l = &s->leaves.at[(leaf & ~PV_LEAF_TAG) - 1];
  *n = l->n;
  return bytes_at(s, l->offset);
}

/* ---- trees ----------------------------------------------------------------------------------- */
enum {
  JOURNAL_MAX = 1 << 20, /* entries; beyond it the journal begins anew */
  UNDO_MAX = 256         /* entries; more than that is faster rebuilt from the store */
};

static void journal_drop(struct pv_tree *t) {
  t->journal.n = 0;
  t->epoch++;
}

static void journal(struct pv_tree *t, uint32_t at) {
  if (t->journal.n >= JOURNAL_MAX) journal_drop(t);
  struct pv_tree_change c = {at, t->node[at]};
  pv_vec_push(&t->journal, c);
}

bool pv_tree_can_undo(const struct pv_tree *t, const struct pv_tree_mark *mark) {
  return mark->epoch == t->epoch && mark->n <= t->journal.n && t->journal.n - mark->n <= UNDO_MAX;
}

void pv_tuple_undo(struct pv_tuple *tuple, unsigned half, const struct pv_tree_mark *mark,
                   pv_leaf_changed *changed, void *user) {
  struct pv_tree *t = &tuple->half[half];
  PV_REQUIRE(t->changed.n == 0, "the working state was not stored");
  while (t->journal.n > mark->n) {
    struct pv_tree_change c = pv_vec_pop(&t->journal);
    t->node[c.at] = c.old;
    if (c.at >= t->m) changed(user, half, c.at - t->m, c.old);
  }
  t->used = mark->used;
  t->span = mark->span;
  t->top = mark->top;
}

static void tree_grow(struct pv_tree *t, uint32_t leaves) {
  uint32_t m = t->m ? t->m : 2;
  while (m < leaves) m *= 2;
  uint32_t *node = pv_alloc((size_t)2 * m * sizeof *node);
  /* A level of the old tree lands at the left end of the level as far above the leaves. */
  for (uint32_t old = t->m, new = m; old; old /= 2, new /= 2)
    memcpy(node + new, t->node + old, old * sizeof *node);
  free(t->node);
  t->node = node;
  t->m = m;
  journal_drop(t);
}

void pv_tree_set(struct pv_tree *t, uint32_t position, uint32_t leaf) {
  if (position >= t->m) {
    if (!leaf) return;
    tree_grow(t, position + 1);
  }
  if (t->node[t->m + position] == leaf) return;
  journal(t, t->m + position);
  t->node[t->m + position] = leaf;
  pv_vec_push(&t->changed, position);
  if (leaf && position >= t->used) t->used = position + 1;
  while (t->used && !t->node[t->m + t->used - 1]) t->used--;
}

void pv_tree_unchanged(struct pv_tree *t, const struct pv_tree_mark *then) {
  t->changed.n = 0;
  if (t->epoch == then->epoch) t->journal.n = then->n;
}

void pv_tree_free(struct pv_tree *t) {
  free(t->node);
  pv_vec_free(&t->changed);
  pv_vec_free(&t->journal);
  *t = (struct pv_tree){0};
}

/* Heap index of the smallest subtree at the left end that holds all present leaves (two at least).
 */
static uint32_t top_of(const struct pv_tree *t) {
  uint32_t top = t->m / 2;
  for (uint32_t span = 2; span < t->used; span *= 2) top /= 2;
  return top;
}

/* Recomputes one touched node; false if nothing above it has to be looked at again. */
static bool update_node(struct pv_store *s, struct pv_tree *t, uint32_t p) {
  uint32_t l = t->node[2 * p], r = t->node[2 * p + 1];
  uint32_t id = l || r ? pairs_put(&s->nodes, l, r, NULL) : 0;
  bool differs = t->node[p] != id;
  if (differs) journal(t, p);
  t->node[p] = id;
  return differs;
}

static int by_number(const void *a, const void *b) {
  uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return x < y ? -1 : x > y;
}

static void sort_numbers(uint32_t *at, uint32_t n) {
  enum { FEW = 32 };
  if (n > FEW) {
    qsort(at, n, sizeof *at, by_number);
    return;
  }
  for (uint32_t i = 1; i < n; i++) {
    uint32_t x = at[i], k = i;
    for (; k && at[k - 1] > x; k--) at[k] = at[k - 1];
    at[k] = x;
  }
}

/* The parents of the changed leaves, rising, each once. */
static uint32_t changed_parents(struct pv_store *s, struct pv_tree *t) {
  uint32_t n = 0, *at = t->changed.at;
  sort_numbers(at, t->changed.n);
  pv_vec_reserve(&s->touched, t->changed.n + 2);
  for (uint32_t i = 0; i < t->changed.n; i++) {
    uint32_t p = (t->m + at[i]) / 2;
    if (!n || s->touched.at[n - 1] != p) s->touched.at[n++] = p;
  }
  t->changed.n = 0;
  return n;
}

static void touch_first(struct pv_store *s, uint32_t *n, uint32_t p) {
  if (*n && s->touched.at[0] == p) return;
  memmove(s->touched.at + 1, s->touched.at, *n * sizeof *s->touched.at);
  s->touched.at[0] = p;
  ++*n;
}

/* Interns one half; the id of its top node. */
static uint32_t fold(struct pv_store *s, struct pv_tree *t) {
  if (!t->changed.n) return t->top; /* 0 as long as nothing was ever set */
  PV_REQUIRE(t->node[t->m], "position 0 is set");
  uint32_t top = top_of(t), old_top = t->span ? t->m / t->span : t->m;
  uint32_t n = changed_parents(s, t);
  /* Level by level upwards; `level` is also the heap index of the level's left end. At and above
   * `top` the left end is not interned here, the rest is absent. Left
   * ends between the last top and this one were not kept up to date and are touched in any case. */
  for (uint32_t level = t->m / 2; level && (n || level > top); level /= 2) {
    uint32_t above = 0;
    if (level <= old_top && level > top) touch_first(s, &n, level);
    for (uint32_t i = 0; i < n; i++) {
      uint32_t p = s->touched.at[i];
      if (p == level && level <= top) continue;
      bool differs = update_node(s, t, p);
      if (!differs && p != level) continue;
      if (!above || s->touched.at[above - 1] != p / 2) s->touched.at[above++] = p / 2;
    }
    n = above;
  }
  t->span = t->m / top;
  return t->top = pairs_put(&s->nodes, t->node[2 * top], t->node[2 * top + 1], NULL);
}

uint32_t pv_store_put(struct pv_store *s, struct pv_tuple *t, bool *is_new) {
  uint32_t first = fold(s, &t->half[0]), second = fold(s, &t->half[1]);
  if (!t->left || t->left_head != t->head || t->left_top != first) {
    t->left = pairs_put(&s->nodes, t->head, first, NULL);
    t->left_head = t->head;
    t->left_top = first;
  }
  return pairs_put(&s->roots, t->left, second, is_new) - 1;
}

struct walk {
  const struct pv_store *s;
  struct pv_tree *t;
  unsigned half;
  pv_leaf_changed *changed;
  void *user;
};

/* Makes the subtree at heap index p that of `id`; p's level is `height` above the leaves. */
static void load_subtree(struct walk *w, uint32_t p, uint32_t id, unsigned height) {
  if (w->t->node[p] == id) return;
  w->t->node[p] = id;
  if (height == 0) {
    w->changed(w->user, w->half, p - w->t->m, id);
    return;
  }
  uint64_t pair = id ? w->s->nodes.at[id] : 0;
  load_subtree(w, 2 * p, (uint32_t)(pair >> 32), height - 1);
  load_subtree(w, 2 * p + 1, (uint32_t)pair, height - 1);
}

static void load_half(struct walk *w, uint32_t id) {
  struct pv_tree *t = w->t;
  PV_REQUIRE(t->changed.n == 0, "the working state was not stored");
  if (t->top == id) return;
  journal_drop(t);
  if (!id) {
    uint32_t top = t->m / t->span; /* itself not kept: see fold */
    for (uint32_t p = 2 * top; p <= 2 * top + 1; p++)
      load_subtree(w, p, 0, (unsigned)__builtin_ctz(t->span) - 1);
    t->top = t->span = t->used = 0;
    return;
  }
  uint64_t pair = w->s->nodes.at[id];
  unsigned height = 1;
  for (uint32_t x = (uint32_t)(pair >> 32); !(x & PV_LEAF_TAG); height++)
    x = (uint32_t)(w->s->nodes.at[x] >> 32);
  if (t->m < (uint32_t)1 << height) tree_grow(t, (uint32_t)1 << height);
  uint32_t before = t->span ? t->m / t->span : t->m, top = t->m >> height;
  unsigned levels = (unsigned)__builtin_ctz(t->m);
  /* Narrower than before: what lies right of the new span becomes absent. Wider: the left ends
   * between the two tops hold old values that must not be mistaken for current ones. */
  for (uint32_t p = before; p < top; p *= 2)
    load_subtree(w, 2 * p + 1, 0, levels - 1 - (31 - (unsigned)__builtin_clz(p)));
  for (uint32_t p = before; p > top && p < t->m; p /= 2) t->node[p] = UINT32_MAX;
  load_subtree(w, 2 * top, (uint32_t)(pair >> 32), height - 1);
  load_subtree(w, 2 * top + 1, (uint32_t)pair, height - 1);
  t->span = (uint32_t)1 << height;
  t->top = id;
  t->used = t->span;
  while (t->used && !t->node[t->m + t->used - 1]) t->used--;
}

void pv_store_get(const struct pv_store *s, uint32_t state, struct pv_tuple *t,
                  pv_leaf_changed *changed, void *user) {
  uint64_t root = s->roots.at[state + 1];
  t->left = (uint32_t)(root >> 32);
  uint64_t left = s->nodes.at[t->left];
  t->left_head = (uint32_t)(left >> 32);
  t->left_top = (uint32_t)left;
  if (t->head != t->left_head) changed(user, 2, 0, t->left_head);
  t->head = t->left_head;
  for (unsigned half = 0; half < 2; half++) {
    struct walk w = {s, &t->half[half], half, changed, user};
    load_half(&w, half ? (uint32_t)root : t->left_top);
  }
}

/* ---- figures --------------------------------------------------------------------------------- */
uint32_t pv_store_states(const struct pv_store *s) {
  return s->roots.n;
}

struct pv_store_sizes pv_store_sizes(const struct pv_store *s) {
  return (struct pv_store_sizes){
      .leaves = s->leaves.n,
      .leaf_bytes = (uint64_t)s->leaves.cap * sizeof(struct leaf) + s->chunk_used +
                    (s->leaf_slot ? ((uint64_t)s->leaf_mask + 1) * 4 : 0),
      .nodes = s->nodes.n,
      .node_bytes = pairs_bytes(&s->nodes),
      .roots = s->roots.n,
      .root_bytes = pairs_bytes(&s->roots),
  };
}

uint64_t pv_store_bytes(const struct pv_store *s) {
  struct pv_store_sizes z = pv_store_sizes(s);
  return z.leaf_bytes + z.node_bytes + z.root_bytes;
}

/* Is a table of that many slots, which may be three quarters full, near to it? */
static bool grows_soon(uint64_t n, uint64_t slots) {
  return slots && (n + n / 32 + 64) * 4 > slots * 3;
}

static uint64_t pairs_growth(const struct pairs *p) {
  return grows_soon(p->n, p->slots) ? (uint64_t)p->slots / 2 * sizeof *p->slot : 0;
}

uint64_t pv_store_growth(const struct pv_store *s) {
  uint64_t slots = s->leaf_slot ? (uint64_t)s->leaf_mask + 1 : 0;
  uint64_t leaves = grows_soon(s->leaves.n, slots) ? slots * sizeof *s->leaf_slot : 0;
  return pairs_growth(&s->nodes) + pairs_growth(&s->roots) + leaves;
}
