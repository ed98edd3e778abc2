#include "explore/store_internal.h"

#include <stdlib.h>
#include <string.h>

#include "base/pages.h"

/* ---- pairs ----------------------------------------------------------------------------------- */
static uint32_t tagged(const struct pairs *p, uint64_t hash, uint32_t number) {
  return ((uint32_t)hash & ~p->number_mask) | number;
}

/* The slot where the search for a pair begins: the upper half of its hash, scaled to the number of
 * slots. */
static uint32_t first_slot(const struct pairs *p, uint64_t hash) {
  return (uint32_t)((hash >> 32) * p->slots >> 32);
}

static uint32_t next_slot(const struct pairs *p, uint32_t i) {
  return i + 1 == p->slots ? 0 : i + 1;
}

static bool pairs_full(const struct pairs *p) {
  uint32_t n = atomic_load_explicit(&p->n, memory_order_relaxed);
  return n + MARGIN > p->cap || !has_room(p->slots, n);
}

void pv_pairs_resize(struct pairs *p, uint32_t slots) {
  pv_pages_free(p->slot, (size_t)p->slots * sizeof *p->slot);
  p->slots = slots;
  p->slot = pv_pages_new((size_t)p->slots * sizeof *p->slot);
  p->number_mask = 1;
  while (p->number_mask < p->slots) p->number_mask = p->number_mask * 2 + 1;
}

/* To look for the place of one pair after the other would wait for memory each time; so the slots
 * of the next ones are fetched in advance. */
bool pv_pairs_enter(struct pairs *p, uint32_t n) {
  enum { AHEAD = 32 };
  uint32_t *slot = (uint32_t *)p->slot; /* no other thread is active */
  uint64_t hash[AHEAD];
  for (uint32_t id = 1; id <= n + AHEAD; id++) {
    if (id > AHEAD) {
      uint32_t number = id - AHEAD;
      uint32_t tag = tagged(p, hash[number % AHEAD], 0), i = first_slot(p, hash[number % AHEAD]);
      for (; slot[i]; i = next_slot(p, i))
        if ((slot[i] & ~p->number_mask) == tag && p->at[slot[i] & p->number_mask] == p->at[number])
          return false;
      slot[i] = tag | number;
    }
    if (id > n) continue;
    hash[id % AHEAD] = pv_hash_word(p->at[id]);
    __builtin_prefetch(&slot[first_slot(p, hash[id % AHEAD])], 1);
  }
  return true;
}

/* Enlarges the index by half until it has room for n pairs: it is at most three quarters full
 * before, and half full after. */
static void pairs_index(struct pairs *p, uint32_t n) {
  uint32_t slots = p->slots;
  while (!has_room(slots, n)) slots = slots ? slots + slots / 2 : 1024;
  if (slots == p->slots) return;
  pv_pairs_resize(p, slots);
  bool different = pv_pairs_enter(p, p->n);
  PV_REQUIRE(different, "pairs are different");
}

void pv_pairs_extend(struct pairs *p, uint32_t n) {
  uint32_t cap = p->cap;
  while (cap < n + MARGIN) cap = cap ? cap + cap / 8 : 1024;
  if (cap == p->cap) return;
  p->at = pv_pages_grow(p->at, p->cap * sizeof *p->at, cap * sizeof *p->at);
  p->cap = cap;
}

static void pairs_grow(struct pairs *p) {
  uint32_t n = p->n;
  PV_REQUIRE(n < PV_LEAF_TAG - 2 - MARGIN, "state store full");
  pv_pairs_extend(p, n);
  pairs_index(p, n);
}

/* The content of a slot; waits until a thread that is filling it has finished. */
static uint32_t slot_value(const struct pairs *p, uint32_t i) {
  uint32_t x;
  do x = atomic_load_explicit(&p->slot[i], memory_order_acquire);
  while (x == p->number_mask);
  return x;
}

/* Inserts a pair; there must be room. */
static uint32_t pairs_put(struct pairs *p, uint64_t pair, bool *is_new) {
  uint64_t hash = pv_hash_word(pair);
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
/* Enlarges the tables. No other thread is active, or none of the others uses a table. */
static void make_room(struct pv_store *s) {
  uint32_t roots = s->roots.cap;
  if (leaves_full(s)) leaves_grow(s);
  if (pairs_full(&s->nodes)) pairs_grow(&s->nodes);
  if (pairs_full(&s->roots)) pairs_grow(&s->roots);
  if (s->keeps_notes && s->roots.cap != roots)
    s->note = pv_pages_grow(s->note, roots * sizeof *s->note, s->roots.cap * sizeof *s->note);
}

static void open_gate(struct pv_store *s) { /* the lock is held */
  make_room(s);
  s->gate.waiting = 0;
  s->gate.opened++;
  atomic_store(&s->gate.closed, false);
  pthread_cond_broadcast(&s->gate.open);
}

/* Waits until all threads wait here. The last one enlarges the tables. */
static void wait_at_gate(struct pv_store *s) {
  struct gate *g = &s->gate;
  pthread_mutex_lock(&g->lock);
  atomic_store(&g->closed, true);
  uint64_t opened = g->opened;
  if (++g->waiting == g->threads) open_gate(s);
  while (g->opened == opened) pthread_cond_wait(&g->open, &g->lock);
  pthread_mutex_unlock(&g->lock);
}

/* Call it before each insertion. */
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

static uint32_t put(struct pv_store *s, struct pairs *p, uint64_t pair, bool *is_new) {
  for (bool full; (full = pairs_full(p)) || (s->shared && s->gate.closed);) pass_gate(s, full);
  return pairs_put(p, pair, is_new);
}

/* The node with these two children. */
static uint32_t put_pair(struct pv_store *s, uint32_t left, uint32_t right) {
  bool ignored;
  return put(s, &s->nodes, (uint64_t)left << 32 | right, &ignored);
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

/* ---- the working state ----------------------------------------------------------------------- */
enum {
  JOURNAL_MAX = 1 << 20, /* entries; when it is full, the journal is cleared */
  UNDO_MAX = 256,        /* entries; with more, rebuilding from the store is faster */
  MADE = 1 << 15         /* entries of the cache, a power of two */
};

static void journal_drop(struct pv_half *h) {
  h->journal.n = 0;
  h->epoch++;
}

bool pv_half_can_undo(const struct pv_half *h, const struct pv_half_mark *mark) {
  return mark->epoch == h->epoch && mark->n <= h->journal.n && h->journal.n - mark->n <= UNDO_MAX;
}

void pv_tuple_undo(struct pv_tuple *tuple, unsigned half, const struct pv_half_mark *mark,
                   pv_leaf_changed *changed, void *user) {
  struct pv_half *h = &tuple->half[half];
  PV_REQUIRE(h->changed.n == 0, "the working state was not stored");
  while (h->journal.n > mark->n) {
    struct pv_leaf_set old = pv_vec_pop(&h->journal);
    h->leaf[old.at] = old.leaf;
    changed(user, half, old.at, old.leaf);
  }
  h->top = mark->top;
}

static void half_reserve(struct pv_half *h, uint32_t n) {
  uint32_t cap = h->cap ? h->cap : 8;
  while (cap < n) cap *= 2;
  h->leaf = pv_realloc(h->leaf, cap * sizeof *h->leaf);
  memset(h->leaf + h->cap, 0, (cap - h->cap) * sizeof *h->leaf);
  h->cap = cap;
}

void pv_tuple_set(struct pv_tuple *t, unsigned half, uint32_t position, uint32_t leaf) {
  struct pv_half *h = &t->half[half];
  if (pv_half_get(h, position) == leaf) return;
  if (position >= h->cap) half_reserve(h, position + 1);
  if (h->journal.n >= JOURNAL_MAX) journal_drop(h);
  struct pv_leaf_set old = {position, h->leaf[position]};
  pv_vec_push(&h->journal, old);
  pv_vec_push(&h->changed, position);
  h->leaf[position] = leaf;
}

void pv_half_unchanged(struct pv_half *h, const struct pv_half_mark *then) {
  h->changed.n = 0;
  if (h->epoch == then->epoch) h->journal.n = then->n;
}

void pv_tuple_free(struct pv_tuple *t) {
  for (unsigned i = 0; i < 2; i++) {
    struct pv_half *h = &t->half[i];
    free(h->leaf);
    pv_vec_free(&h->changed);
    pv_vec_free(&h->journal);
  }
  pv_vec_free(&t->deltas);
  pv_vec_free(&t->sets);
  pv_vec_free(&t->scratch);
  free(t->delta_slot);
  free(t->made);
  *t = (struct pv_tuple){0};
}

/* ---- trees ----------------------------------------------------------------------------------- */
/* A subtree. Possibly only a node on its left edge exists; then everything else is absent, and the
 * nodes above it are not stored. */
struct part {
  uint32_t id;
  unsigned height; /* levels above the leaves */
};

static uint64_t pair_of(const struct pv_store *s, uint32_t id) {
  return id ? s->nodes.at[id] : 0;
}

/* The height of the tree with this root. */
static unsigned height_of(const struct pv_store *s, uint32_t top) {
  unsigned height = 0;
  for (uint32_t x = top; x && !(x & PV_LEAF_TAG); height++) x = (uint32_t)(s->nodes.at[x] >> 32);
  return height;
}

/* The two halves of a part, seen as a subtree of this height. */
static void split(const struct pv_store *s, struct part p, unsigned height, struct part *left,
                  struct part *right) {
  *left = p;
  *right = (struct part){0, height - 1};
  if (p.height < height) return;
  uint64_t pair = pair_of(s, p.id);
  *left = (struct part){(uint32_t)(pair >> 32), height - 1};
  right->id = (uint32_t)pair;
}

/* The number of changes that are in the left half of a subtree of this height. */
static uint32_t in_left(const struct pv_leaf_set *sets, uint32_t n, unsigned height) {
  uint32_t k = 0, middle = (uint32_t)1 << (height - 1);
  while (k < n && !(sets[k].at & middle)) k++;
  return k;
}

/* The node for the part, seen as a subtree of this height, after these changes. */
static uint32_t fold(struct pv_store *s, struct part p, unsigned height,
                     const struct pv_leaf_set *sets, uint32_t n) {
  if (!n && (p.height == height || !p.id)) return p.id;
  if (!height) return sets[0].leaf;
  struct part left, right;
  split(s, p, height, &left, &right);
  uint32_t k = in_left(sets, n, height), l = fold(s, left, height - 1, sets, k),
           r = fold(s, right, height - 1, sets + k, n - k);
  return l || r ? put_pair(s, l, r) : 0;
}

/* The root of the tree after these changes, sorted by position: that of the smallest tree that
 * contains all present leaves (at least two leaves). */
static uint32_t fold_top(struct pv_store *s, uint32_t top, const struct pv_leaf_set *sets,
                         uint32_t n) {
  if (!n) return top;
  unsigned height = height_of(s, top), wanted = 1;
  while (sets[n - 1].at >> wanted) wanted++;
  struct part p = {top, height}, left, right;
  for (height = wanted > height ? wanted : height;; height--) {
    split(s, p, height, &left, &right);
    uint32_t k = in_left(sets, n, height), r = fold(s, right, height - 1, sets + k, n - k);
    if (r || height == 1) {
      uint32_t l = fold(s, left, height - 1, sets, k);
      PV_REQUIRE(l, "position 0 is set");
      return put_pair(s, l, r);
    }
    p = left;
    n = k;
  }
}

static int by_position(const void *a, const void *b) {
  const struct pv_leaf_set *x = a, *y = b;
  return x->at < y->at ? -1 : x->at > y->at;
}

static void sort_sets(struct pv_leaf_set *at, uint32_t n) {
  enum { FEW = 32 };
  if (n > FEW) {
    qsort(at, n, sizeof *at, by_position);
    return;
  }
  for (uint32_t i = 1; i < n; i++) {
    struct pv_leaf_set x = at[i];
    uint32_t k = i;
    for (; k && at[k - 1].at > x.at; k--) at[k] = at[k - 1];
    at[k] = x;
  }
}

/* The positions that were set in the half since, each once. */
static uint32_t changes_of(struct pv_tuple *t, struct pv_half *h) {
  uint32_t n = 0;
  t->scratch.n = 0;
  for (uint32_t i = 0; i < h->changed.n; i++) {
    struct pv_leaf_set set = {h->changed.at[i], h->leaf[h->changed.at[i]]};
    pv_vec_push(&t->scratch, set);
  }
  h->changed.n = 0;
  sort_sets(t->scratch.at, t->scratch.n);
  for (uint32_t i = 0; i < t->scratch.n; i++)
    if (!n || t->scratch.at[n - 1].at != t->scratch.at[i].at) t->scratch.at[n++] = t->scratch.at[i];
  return n;
}

static uint64_t root_of(struct pv_store *s, const struct pv_next *of) {
  uint64_t head = of->head & ~PV_LEAF_TAG;
  if (head >> HEAD_BITS || (of->top[0] | of->top[1]) >> TOP_BITS) {
    uint64_t left = put_pair(s, of->head, of->top[0]);
    return INDIRECT | left << 32 | of->top[1];
  }
  return head << 2 * TOP_BITS | (uint64_t)of->top[0] << TOP_BITS | of->top[1];
}

uint32_t pv_store_put(struct pv_store *s, struct pv_tuple *t, bool *is_new) {
  for (unsigned i = 0; i < 2; i++) {
    uint32_t n = t->half[i].changed.n ? changes_of(t, &t->half[i]) : 0;
    t->half[i].top = fold_top(s, t->half[i].top, t->scratch.at, n);
  }
  struct pv_next here = {t->head, {t->half[0].top, t->half[1].top}};
  return pv_store_put_next(s, &here, is_new);
}

struct walk {
  const struct pv_store *s;
  struct pv_half *h;
  unsigned half;
  pv_leaf_changed *changed;
  void *user;
};

static void load_leaf(struct walk *w, uint32_t position, uint32_t leaf) {
  if (position >= w->h->cap) half_reserve(w->h, position + 1);
  w->h->leaf[position] = leaf;
  w->changed(w->user, w->half, position, leaf);
}

/* Sets the leaves from `at` on of a subtree of this height from their values in `from` to those in
 * `to`. */
static void load(struct walk *w, struct part from, struct part to, unsigned height, uint32_t at) {
  if (from.id == to.id && (from.height == to.height || !to.id)) return;
  if (!height) {
    load_leaf(w, at, to.id);
    return;
  }
  struct part from_left, from_right, to_left, to_right;
  split(w->s, from, height, &from_left, &from_right);
  split(w->s, to, height, &to_left, &to_right);
  load(w, from_left, to_left, height - 1, at);
  load(w, from_right, to_right, height - 1, at + ((uint32_t)1 << (height - 1)));
}

static void load_half(struct walk *w, uint32_t id) {
  struct pv_half *h = w->h;
  PV_REQUIRE(h->changed.n == 0, "the working state was not stored");
  if (h->top == id) return;
  journal_drop(h);
  struct part from = {h->top, height_of(w->s, h->top)}, to = {id, height_of(w->s, id)};
  load(w, from, to, from.height > to.height ? from.height : to.height, 0);
  h->top = id;
}

void pv_store_get(const struct pv_store *s, uint32_t state, struct pv_tuple *t,
                  pv_leaf_changed *changed, void *user) {
  struct pv_next to = root_parts(s, s->roots.at[state + 1]);
  if (t->head != to.head) changed(user, 2, 0, to.head);
  t->head = to.head;
  for (unsigned half = 0; half < 2; half++) {
    struct walk w = {s, &t->half[half], half, changed, user};
    load_half(&w, to.top[half]);
  }
}

/* ---- moves ----------------------------------------------------------------------------------- */
static bool delta_is(const struct pv_tuple *t, uint32_t delta, const struct pv_leaf_set *sets,
                     uint32_t n) {
  struct pv_delta d = t->deltas.at[delta];
  return d.n == n && memcmp(t->sets.at + d.at, sets, n * sizeof *sets) == 0;
}

static uint32_t delta_hash(const struct pv_leaf_set *sets, uint32_t n) {
  return (uint32_t)pv_hash(sets, n * sizeof *sets);
}

static void deltas_grow(struct pv_tuple *t) {
  uint32_t slots = t->delta_slots ? t->delta_slots * 2 : 256;
  free(t->delta_slot);
  t->delta_slot = pv_alloc(slots * sizeof *t->delta_slot);
  t->delta_slots = slots;
  for (uint32_t id = 1; id < t->deltas.n; id++) {
    struct pv_delta d = t->deltas.at[id];
    uint32_t i = delta_hash(t->sets.at + d.at, d.n) & (slots - 1);
    while (t->delta_slot[i]) i = (i + 1) & (slots - 1);
    t->delta_slot[i] = id;
  }
}

uint32_t pv_tuple_delta(struct pv_tuple *t, struct pv_leaf_set *sets, uint32_t n) {
  if (!n) return 0;
  if (!t->deltas.n) pv_vec_push(&t->deltas, (struct pv_delta){0});
  if (t->deltas.n * 2 >= t->delta_slots) deltas_grow(t);
  sort_sets(sets, n);
  uint32_t i = delta_hash(sets, n) & (t->delta_slots - 1);
  for (; t->delta_slot[i]; i = (i + 1) & (t->delta_slots - 1))
    if (delta_is(t, t->delta_slot[i], sets, n)) return t->delta_slot[i];
  struct pv_delta d = {t->sets.n, n};
  for (uint32_t k = 0; k < n; k++) pv_vec_push(&t->sets, sets[k]);
  t->delta_slot[i] = t->deltas.n;
  pv_vec_push(&t->deltas, d);
  return t->deltas.n - 1;
}

void pv_tuple_forget_deltas(struct pv_tuple *t) {
  t->deltas.n = t->sets.n = 0;
  if (t->delta_slots) memset(t->delta_slot, 0, t->delta_slots * sizeof *t->delta_slot);
  if (t->made) memset(t->made, 0, MADE * sizeof *t->made);
}

/* The root that results from applying a delta to that of the working state. */
static uint32_t make(struct pv_store *s, struct pv_tuple *t, uint32_t top, uint32_t delta) {
  if (!delta) return top;
  struct pv_made *m = &t->made[pv_hash_word((uint64_t)top << 32 | delta) & (MADE - 1)];
  if (m->from == top && m->delta == delta) return m->top;
  struct pv_delta d = t->deltas.at[delta];
  *m = (struct pv_made){top, delta, fold_top(s, top, t->sets.at + d.at, d.n)};
  return m->top;
}

struct pv_next pv_store_next(struct pv_store *s, struct pv_tuple *t,
                             const struct pv_tuple_change *move) {
  if (!t->made) t->made = pv_alloc(MADE * sizeof *t->made);
  struct pv_next next = {.head = move->head};
  for (unsigned h = 0; h < 2; h++) next.top[h] = make(s, t, t->half[h].top, move->delta[h]);
  return next;
}

uint32_t pv_store_put_next(struct pv_store *s, const struct pv_next *next, bool *is_new) {
  return put(s, &s->roots, root_of(s, next), is_new) - 1;
}

void pv_tuple_enter(struct pv_tuple *t, const struct pv_next *next) {
  PV_REQUIRE(t->head == next->head, "the head was set");
  for (unsigned h = 0; h < 2; h++) {
    t->half[h].changed.n = 0;
    t->half[h].top = next->top[h];
  }
}

/* ---- rearranging ------------------------------------------------------------------------------
 */
struct rearrange {
  struct pv_tuple tuple;
  uint32_t *const *to;
  const uint32_t *n;
};

static void leaf_elsewhere(void *user, unsigned half, uint32_t position, uint32_t leaf) {
  struct rearrange *r = user;
  if (half == 2) {
    r->tuple.head = leaf;
    return;
  }
  PV_REQUIRE(position < r->n[half], "every leaf has a new place");
  uint32_t to = r->to[half][position];
  pv_tuple_set(&r->tuple, to & 1, to >> 1, leaf);
}

static void nothing(void *user, unsigned half, uint32_t position, uint32_t leaf) {
  (void)user, (void)half, (void)position, (void)leaf;
}

void pv_store_rearrange(struct pv_store *s, struct pv_tuple *t, uint32_t state,
                        uint32_t *const to[2], const uint32_t n[2]) {
  PV_REQUIRE(!s->shared && !s->keeps_notes, "one thread uses the store");
  struct pv_store old = {.nodes = s->nodes, .roots = s->roots};
  struct pv_tuple from = {0};
  struct rearrange r = {.to = to, .n = n};
  uint32_t states = old.roots.n;
  s->nodes = s->roots = (struct pairs){0};
  for (uint32_t id = 0; id < states; id++) {
    bool is_new;
    pv_store_get(&old, id, &from, leaf_elsewhere, &r);
    uint32_t same = pv_store_put(s, &r.tuple, &is_new);
    PV_REQUIRE(is_new && same == id, "states keep their ids");
  }
  pairs_free(&old.nodes);
  pairs_free(&old.roots);
  pv_tuple_free(&from);
  uint32_t epoch[2] = {t->half[0].epoch, t->half[1].epoch};
  pv_tuple_free(t);
  pv_store_get(s, state, &r.tuple, nothing, NULL);
  *t = r.tuple;
  for (unsigned h = 0; h < 2; h++) {
    journal_drop(&t->half[h]);
    t->half[h].epoch += epoch[h] + 1; /* larger than all before */
  }
}

/* ---- statistics ------------------------------------------------------------------------------ */
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

/* Will a table with that number of slots, which may be three quarters full, grow soon? */
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
