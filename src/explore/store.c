#include "explore/store.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/pages.h"

/* A set of 64-bit pairs, numbered from 1 in order of insertion. The index is an open-addressing
 * table over the numbers; what a number leaves of the 32 bits of a slot holds a tag of the pair's
 * hash, so that a look at the pair itself, which is a cache miss, nearly always finds it. */
struct pairs {
  uint64_t *at; /* at[0] unused */
  _Atomic uint32_t n;
  uint32_t cap;
  _Atomic uint32_t *slot; /* tag, number; 0 = free; the number mask alone: being filled */
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
  uint32_t *leaf_slot, leaf_slots;
  PV_VEC(uint8_t *) chunks;
  uint64_t chunk_used; /* bytes used in all chunks, as an address over them */
  struct pairs nodes, roots;
  _Atomic uint64_t *note; /* by root, as many as roots.cap; NULL: none are kept */
  bool keeps_notes, shared;
  pthread_mutex_t leaf_lock;
  struct gate { /* where all threads wait while a table grows */
    pthread_mutex_t lock;
    pthread_cond_t open;
    unsigned threads, waiting;
    uint64_t opened;
    atomic_bool closed;
  } gate;
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

/* Room for this many more, however many threads come between. */
enum { MARGIN = 66 };

static bool pairs_full(const struct pairs *p) {
  uint32_t n = atomic_load_explicit(&p->n, memory_order_relaxed);
  return n + MARGIN > p->cap || (uint64_t)(n + MARGIN) * 4 > (uint64_t)p->slots * 3;
}

/* Makes the index anew, by half larger: it is three quarters full at most and half full after. */
static void pairs_index(struct pairs *p) {
  pv_pages_free(p->slot, (size_t)p->slots * sizeof *p->slot);
  p->slots = p->slots ? p->slots + p->slots / 2 : 1024;
  p->slot = pv_pages_new((size_t)p->slots * sizeof *p->slot);
  p->number_mask = 1;
  while (p->number_mask < p->slots) p->number_mask = p->number_mask * 2 + 1;
  uint32_t *slot = (uint32_t *)p->slot, n = p->n; /* nobody else is here */
  for (uint32_t id = 1; id <= n; id++) {
    uint64_t hash = mix(p->at[id]);
    uint32_t i = first_slot(p, hash);
    while (slot[i]) i = next_slot(p, i);
    slot[i] = tagged(p, hash, id);
  }
}

static void pairs_grow(struct pairs *p) {
  uint32_t n = p->n, before = p->cap;
  PV_REQUIRE(n < PV_LEAF_TAG - 2 - MARGIN, "state store full");
  if (n + MARGIN > before) { /* by an eighth: these arrays are the bulk of the memory */
    p->cap = before ? before + before / 8 : 1024;
    p->at = pv_pages_grow(p->at, before * sizeof *p->at, p->cap * sizeof *p->at);
  }
  while ((uint64_t)(n + MARGIN) * 4 > (uint64_t)p->slots * 3) pairs_index(p);
}

/* What stands in a slot, once whoever fills it is done. */
static uint32_t slot_value(const struct pairs *p, uint32_t i) {
  uint32_t x;
  do x = atomic_load_explicit(&p->slot[i], memory_order_acquire);
  while (x == p->number_mask);
  return x;
}

/* There is room. */
static uint32_t pairs_put(struct pairs *p, uint64_t pair, bool *is_new) {
  uint64_t hash = mix(pair);
  uint32_t i = first_slot(p, hash), tag = tagged(p, hash, 0);
  for (;; i = next_slot(p, i)) {
    uint32_t x = slot_value(p, i), none = 0;
    if (!x) {
      if (atomic_compare_exchange_strong_explicit(&p->slot[i], &none, p->number_mask,
                                                  memory_order_acq_rel, memory_order_acquire)) {
        uint32_t number = atomic_fetch_add_explicit(&p->n, 1, memory_order_relaxed) + 1;
        p->at[number] = pair;
        atomic_store_explicit(&p->slot[i], tagged(p, hash, number), memory_order_release);
        *is_new = true;
        return number;
      }
      x = slot_value(p, i);
    }
    uint32_t number = x & p->number_mask;
    if ((x & ~p->number_mask) == tag && p->at[number] == pair) {
      *is_new = false;
      return number;
    }
  }
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
  struct pv_store *s = pv_alloc(sizeof *s);
  pthread_mutex_init(&s->leaf_lock, NULL);
  pthread_mutex_init(&s->gate.lock, NULL);
  pthread_cond_init(&s->gate.open, NULL);
  return s;
}

void pv_store_free(struct pv_store *s) {
  if (!s) return;
  for (uint32_t i = 0; i < s->chunks.n; i++) free(s->chunks.at[i]);
  pv_vec_free(&s->chunks);
  pv_vec_free(&s->leaves);
  free(s->leaf_slot);
  pairs_free(&s->nodes);
  pv_pages_free(s->note, s->keeps_notes ? s->roots.cap * sizeof *s->note : 0);
  pairs_free(&s->roots);
  pthread_mutex_destroy(&s->leaf_lock);
  pthread_mutex_destroy(&s->gate.lock);
  pthread_cond_destroy(&s->gate.open);
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

static bool leaves_full(const struct pv_store *s) {
  return s->leaves.n + 1 > s->leaves.cap || s->chunks.n + 1 > s->chunks.cap ||
         (uint64_t)(s->leaves.n + 1) * 4 > (uint64_t)s->leaf_slots * 3;
}

static void leaves_grow(struct pv_store *s) {
  pv_vec_reserve(&s->leaves, s->leaves.n + 1);
  pv_vec_reserve(&s->chunks, s->chunks.n + 1);
  if ((uint64_t)(s->leaves.n + 1) * 4 <= (uint64_t)s->leaf_slots * 3) return;
  s->leaf_slots = s->leaf_slots ? s->leaf_slots * 2 : 1024;
  free(s->leaf_slot);
  s->leaf_slot = pv_alloc((size_t)s->leaf_slots * sizeof *s->leaf_slot);
  for (uint32_t k = 0; k < s->leaves.n; k++) {
    uint32_t i = s->leaves.at[k].hash & (s->leaf_slots - 1);
    while (s->leaf_slot[i]) i = (i + 1) & (s->leaf_slots - 1);
    s->leaf_slot[i] = k + 1;
  }
}

/* ---- growing --------------------------------------------------------------------------------- */
/* Only one thread is here, or none of the others uses a table. */
static void make_room(struct pv_store *s) {
  uint32_t roots = s->roots.cap;
  if (leaves_full(s)) leaves_grow(s);
  if (pairs_full(&s->nodes)) pairs_grow(&s->nodes);
  if (pairs_full(&s->roots)) pairs_grow(&s->roots);
  if (s->keeps_notes && s->roots.cap != roots)
    s->note = pv_pages_grow(s->note, roots * sizeof *s->note, s->roots.cap * sizeof *s->note);
}

static void open_gate(struct pv_store *s) { /* locked */
  make_room(s);
  s->gate.waiting = 0;
  s->gate.opened++;
  atomic_store(&s->gate.closed, false);
  pthread_cond_broadcast(&s->gate.open);
}

/* Waits until all threads wait; the last one makes room. */
static void wait_at_gate(struct pv_store *s) {
  struct gate *g = &s->gate;
  pthread_mutex_lock(&g->lock);
  atomic_store(&g->closed, true);
  uint64_t opened = g->opened;
  if (++g->waiting == g->threads) open_gate(s);
  while (g->opened == opened) pthread_cond_wait(&g->open, &g->lock);
  pthread_mutex_unlock(&g->lock);
}

/* To be called before anything is added to a table. */
static void pass_gate(struct pv_store *s, bool full) {
  if (!s->shared) {
    if (full) make_room(s);
    return;
  }
  if (full || atomic_load_explicit(&s->gate.closed, memory_order_relaxed)) wait_at_gate(s);
}

void pv_store_share(struct pv_store *s) {
  s->shared = true;
  pv_store_begin(s, 1);
}

void pv_store_begin(struct pv_store *s, unsigned threads) {
  s->gate.threads = threads;
}

void pv_store_end(struct pv_store *s) {
  pthread_mutex_lock(&s->gate.lock);
  s->gate.threads--;
  if (s->gate.waiting && s->gate.waiting == s->gate.threads) open_gate(s);
  pthread_mutex_unlock(&s->gate.lock);
}

void pv_store_keep_notes(struct pv_store *s) {
  s->keeps_notes = true;
}

_Atomic uint64_t *pv_store_note(const struct pv_store *s, uint32_t state) {
  return &s->note[state + 1];
}

static uint32_t put_pair(struct pv_store *s, struct pairs *p, uint32_t left, uint32_t right,
                         bool *is_new) {
  bool ignored;
  for (bool full; (full = pairs_full(p)) || (s->shared && s->gate.closed);) pass_gate(s, full);
  return pairs_put(p, (uint64_t)left << 32 | right, is_new ? is_new : &ignored);
}

static uint32_t put_leaf(struct pv_store *s, const void *bytes, uint32_t n) {
  uint32_t hash = (uint32_t)pv_hash(bytes, n), i = hash & (s->leaf_slots - 1);
  for (; s->leaf_slot[i]; i = (i + 1) & (s->leaf_slots - 1)) {
    const struct leaf *l = &s->leaves.at[s->leaf_slot[i] - 1];
    if (l->hash == hash && l->n == n && memcmp(bytes_at(s, l->offset), bytes, n) == 0)
      return s->leaf_slot[i] | PV_LEAF_TAG;
  }
  struct leaf fresh = {bytes_add(s, bytes, n), n, hash};
  pv_vec_push(&s->leaves, fresh);
  s->leaf_slot[i] = s->leaves.n;
  return s->leaves.n | PV_LEAF_TAG;
}

uint32_t pv_store_leaf(struct pv_store *s, const void *bytes, uint32_t n) {
  if (!s->shared) {
    if (leaves_full(s)) leaves_grow(s);
    return put_leaf(s, bytes, n);
  }
  for (;;) {
    pthread_mutex_lock(&s->leaf_lock);
    bool full = leaves_full(s);
    uint32_t leaf = full ? 0 : put_leaf(s, bytes, n);
    pthread_mutex_unlock(&s->leaf_lock);
    if (leaf) return leaf;
    wait_at_gate(s);
  }
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

void pv_tuple_free(struct pv_tuple *t) {
  for (unsigned h = 0; h < 2; h++) pv_tree_free(&t->half[h]);
  pv_vec_free(&t->touched);
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
  uint32_t id = l || r ? put_pair(s, &s->nodes, l, r, NULL) : 0;
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
static uint32_t changed_parents(struct pv_tuple *u, struct pv_tree *t) {
  uint32_t n = 0, *at = t->changed.at;
  sort_numbers(at, t->changed.n);
  pv_vec_reserve(&u->touched, t->changed.n + 2);
  for (uint32_t i = 0; i < t->changed.n; i++) {
    uint32_t p = (t->m + at[i]) / 2;
    if (!n || u->touched.at[n - 1] != p) u->touched.at[n++] = p;
  }
  t->changed.n = 0;
  return n;
}

static void touch_first(struct pv_tuple *u, uint32_t *n, uint32_t p) {
  if (*n && u->touched.at[0] == p) return;
  memmove(u->touched.at + 1, u->touched.at, *n * sizeof *u->touched.at);
  u->touched.at[0] = p;
  ++*n;
}

/* Interns one half; the id of its top node. */
static uint32_t fold(struct pv_store *s, struct pv_tuple *u, struct pv_tree *t) {
  if (!t->changed.n) return t->top; /* 0 as long as nothing was ever set */
  PV_REQUIRE(t->node[t->m], "position 0 is set");
  uint32_t top = top_of(t), old_top = t->span ? t->m / t->span : t->m;
  uint32_t n = changed_parents(u, t);
  /* Level by level upwards; `level` is also the heap index of the level's left end. At and above
   * `top` the left end is not interned here, the rest is absent. Left
   * ends between the last top and this one were not kept up to date and are touched in any case. */
  for (uint32_t level = t->m / 2; level && (n || level > top); level /= 2) {
    uint32_t above = 0;
    if (level <= old_top && level > top) touch_first(u, &n, level);
    for (uint32_t i = 0; i < n; i++) {
      uint32_t p = u->touched.at[i];
      if (p == level && level <= top) continue;
      bool differs = update_node(s, t, p);
      if (!differs && p != level) continue;
      if (!above || u->touched.at[above - 1] != p / 2) u->touched.at[above++] = p / 2;
    }
    n = above;
  }
  t->span = t->m / top;
  return t->top = put_pair(s, &s->nodes, t->node[2 * top], t->node[2 * top + 1], NULL);
}

uint32_t pv_store_put(struct pv_store *s, struct pv_tuple *t, bool *is_new) {
  uint32_t first = fold(s, t, &t->half[0]), second = fold(s, t, &t->half[1]);
  if (!t->left || t->left_head != t->head || t->left_top != first) {
    t->left = put_pair(s, &s->nodes, t->head, first, NULL);
    t->left_head = t->head;
    t->left_top = first;
  }
  return put_pair(s, &s->roots, t->left, second, is_new) - 1;
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
                    (uint64_t)s->leaf_slots * 4,
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

uint64_t pv_store_growth(struct pv_store *s) {
  pthread_mutex_lock(&s->leaf_lock);
  uint64_t leaves =
      grows_soon(s->leaves.n, s->leaf_slots) ? s->leaf_slots * sizeof *s->leaf_slot : 0;
  pthread_mutex_unlock(&s->leaf_lock);
  return pairs_growth(&s->nodes) + pairs_growth(&s->roots) + leaves;
}
