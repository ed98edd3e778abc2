/* points_to_set.c -- sparse sets: sorted blocks of 64 bits. */
#include "analysis/points_to_internal.h"

/* The first block with this number or a higher one. */
static uint32_t search(const struct pv_pts_set *s, uint32_t block) {
  uint32_t low = 0, high = s->n;
  if (s->n && s->at[s->n - 1].at < block) return s->n;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (s->at[middle].at < block)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

static void reserve(struct pv_pts_set *s, uint32_t n, uint64_t *bytes) {
  if (s->cap >= n) return;
  uint32_t cap = s->cap ? s->cap : 1;
  while (cap < n) cap += cap < 4 ? 1 : cap / 2;
  *bytes += (uint64_t)(cap - s->cap) * sizeof *s->at;
  s->at = pv_realloc(s->at, cap * sizeof *s->at);
  s->cap = cap;
}

bool pv_pts_set_add(struct pv_pts_set *s, uint32_t x, uint64_t *bytes) {
  uint32_t block = x / 64, i = search(s, block);
  uint64_t bit = UINT64_C(1) << x % 64;
  if (i == s->n || s->at[i].at != block) {
    reserve(s, s->n + 1, bytes);
    memmove(s->at + i + 1, s->at + i, (s->n - i) * sizeof *s->at);
    s->at[i] = (struct pv_pts_block){block, bit};
    s->n++;
    return true;
  }
  bool is_new = !(s->at[i].bits & bit);
  s->at[i].bits |= bit;
  return is_new;
}

bool pv_pts_set_has(const struct pv_pts_set *s, uint32_t x) {
  uint32_t i = search(s, x / 64);
  return i < s->n && s->at[i].at == x / 64 && (s->at[i].bits >> x % 64 & 1);
}

/* The number of blocks of `from` that are not in `to`. */
static uint32_t missing(const struct pv_pts_set *to, const struct pv_pts_set *from) {
  uint32_t n = 0;
  for (uint32_t i = 0, k = 0; k < from->n; k++) {
    while (i < to->n && to->at[i].at < from->at[k].at) i++;
    n += i == to->n || to->at[i].at != from->at[k].at;
  }
  return n;
}

/* Merges from the back, so that the blocks move in place. */
bool pv_pts_set_unite(struct pv_pts_set *to, const struct pv_pts_set *from, uint64_t *bytes) {
  uint32_t more = missing(to, from), i = to->n, k = from->n;
  bool grown = more > 0;
  if (more) reserve(to, to->n + more, bytes);
  to->n += more;
  for (uint32_t at = to->n; k > 0; at--) {
    if (i > 0 && to->at[i - 1].at > from->at[k - 1].at) {
      to->at[at - 1] = to->at[--i];
    } else if (i > 0 && to->at[i - 1].at == from->at[k - 1].at) {
      struct pv_pts_block b = to->at[--i];
      grown |= (from->at[--k].bits & ~b.bits) != 0;
      b.bits |= from->at[k].bits;
      to->at[at - 1] = b;
    } else {
      to->at[at - 1] = from->at[--k];
    }
  }
  return grown;
}

void pv_pts_set_minus(struct pv_pts_set *out, const struct pv_pts_set *a,
                      const struct pv_pts_set *b, uint64_t *bytes) {
  out->n = 0;
  reserve(out, a->n, bytes);
  for (uint32_t i = 0, k = 0; i < a->n; i++) {
    while (k < b->n && b->at[k].at < a->at[i].at) k++;
    uint64_t bits = a->at[i].bits;
    if (k < b->n && b->at[k].at == a->at[i].at) bits &= ~b->at[k].bits;
    if (bits) out->at[out->n++] = (struct pv_pts_block){a->at[i].at, bits};
  }
}

void pv_pts_set_keep(struct pv_pts_set *s, const struct pv_pts_set *other) {
  uint32_t n = 0;
  for (uint32_t i = 0, k = 0; i < s->n; i++) {
    while (k < other->n && other->at[k].at < s->at[i].at) k++;
    bool both = k < other->n && other->at[k].at == s->at[i].at;
    uint64_t bits = both ? s->at[i].bits & other->at[k].bits : 0;
    if (bits) s->at[n++] = (struct pv_pts_block){s->at[i].at, bits};
  }
  s->n = n;
}

void pv_pts_set_free(struct pv_pts_set *s, uint64_t *bytes) {
  *bytes -= (uint64_t)s->cap * sizeof *s->at;
  free(s->at);
  *s = (struct pv_pts_set){0};
}

bool pv_pts_set_next(const struct pv_pts_set *s, struct pv_pts_cursor *c, uint32_t *x) {
  while (!c->rest) { /* `block` counts the blocks started so far */
    if (c->block == s->n) return false;
    c->rest = s->at[c->block++].bits;
  }
  *x = s->at[c->block - 1].at * 64 + (uint32_t)__builtin_ctzll(c->rest);
  c->rest &= c->rest - 1;
  return true;
}
