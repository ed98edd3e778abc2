/* store_bytes.c -- a store as bytes, and back. */
#include "explore/store_internal.h"

#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"

/* Pairs that were found one after the other are similar, part by part. A part is written as the
 * difference from the one of the pair before. */
struct parts {
  unsigned n, shift[3];
  uint64_t mask[3];
};
static const struct parts of_nodes = {2, {32, 0}, {UINT32_MAX, UINT32_MAX}};
static const struct parts of_roots = {3, {2 * TOP_BITS, TOP_BITS, 0}, {0xffff, 0xffffff, 0xffffff}};

static uint64_t part_of(const struct parts *k, unsigned i, uint64_t pair) {
  return pair >> k->shift[i] & k->mask[i];
}

/* The pairs from `first` on. */
static void write_pairs(const struct pairs *p, uint32_t first, const struct parts *k,
                        struct pv_str *out) {
  enum { LONGEST = 3 * 5, SIZE = 1 << 12 }; /* bytes of a pair, and of the buffer */
  uint8_t buffer[SIZE];
  size_t n = 0;
  uint64_t before = 0;
  pv_put_number(out, p->n + 1 - first);
  for (uint32_t id = first; id <= p->n; id++) {
    for (unsigned i = 0; i < k->n; i++) {
      uint64_t d = part_of(k, i, p->at[id]) - part_of(k, i, before);
      for (d = d >> 63 ? ~d << 1 | 1 : d << 1; d >= 0x80; d >>= 7)
        buffer[n++] = (uint8_t)(d | 0x80);
      buffer[n++] = (uint8_t)d;
    }
    before = p->at[id];
    if (n + LONGEST <= SIZE) continue;
    pv_str_addn(out, (const char *)buffer, n);
    n = 0;
  }
  if (n) pv_str_addn(out, (const char *)buffer, n);
}

/* Appends pairs. The index is not made yet. */
static bool read_pairs(struct pairs *p, const struct parts *k, struct pv_bytes *in) {
  uint64_t part[3] = {0};
  uint32_t n = pv_take_count(in);
  if ((uint64_t)p->n + n >= PV_LEAF_TAG - 2 - MARGIN) in->wrong = true;
  if (in->wrong) return false;
  pv_pairs_extend(p, p->n + n);
  for (; n && !in->wrong; n--) {
    uint64_t pair = 0;
    for (unsigned i = 0; i < k->n; i++) {
      part[i] = pv_take_difference(in, part[i]);
      if (part[i] > k->mask[i]) in->wrong = true;
      pair |= part[i] << k->shift[i];
    }
    p->at[++p->n] = pair;
  }
  return !in->wrong;
}

struct pv_store_mark pv_store_mark(const struct pv_store *s) {
  return (struct pv_store_mark){s->leaves.n, s->nodes.n, s->roots.n};
}

/* A component often differs little from the one of the same size before it. So for each leaf is
 * written how many bytes are as in that one (or 0, if there is none), how many are not, these
 * bytes, and so on. */
enum { SIZES = 64 };
struct latest {
  uint32_t leaf[SIZES]; /* 1 + the latest leaf, by size modulo SIZES */
};

static const uint8_t *similar(const struct pv_store *s, const struct latest *l, uint32_t n) {
  uint32_t leaf = l->leaf[n % SIZES];
  bool fits = leaf && s->leaves.at[leaf - 1].n == n;
  return fits ? bytes_at(s, s->leaves.at[leaf - 1].offset) : NULL;
}

static void write_leaf(const struct pv_store *s, uint32_t leaf, struct latest *l,
                       struct pv_str *out) {
  enum { WORTH = 3 }; /* so many equal bytes are worth two numbers */
  uint32_t n = s->leaves.at[leaf].n, at = 0;
  const uint8_t *bytes = bytes_at(s, s->leaves.at[leaf].offset), *like = similar(s, l, n);
  pv_put_number(out, n);
  while (at < n) {
    uint32_t first = at, equal = 0, end;
    while (at < n && bytes[at] == (like ? like[at] : 0)) at++;
    pv_put_number(out, at - first);
    for (end = at; end < n && equal < WORTH; end++)
      equal = bytes[end] == (like ? like[end] : 0) ? equal + 1 : 0;
    end -= equal;
    if (at < n) pv_put_bytes(out, bytes + at, end - at);
    at = end;
  }
  l->leaf[n % SIZES] = leaf + 1;
}

static bool read_leaf(struct pv_store *s, uint32_t leaf, struct latest *l, struct pv_bytes *in) {
  uint32_t n = (uint32_t)pv_take_up_to(in, 1 << CHUNK_BITS);
  if (!n) return false;
  const uint8_t *like = similar(s, l, n);
  uint8_t *bytes = pv_alloc(n);
  if (like) memcpy(bytes, like, n);
  for (uint32_t at = 0; at < n && !in->wrong;) {
    size_t differ = 0;
    at += (uint32_t)pv_take_up_to(in, n - at);
    const uint8_t *other = at < n ? pv_take_bytes(in, &differ) : NULL;
    if (differ > n - at || (at < n && !differ)) in->wrong = true;
    if (other && !in->wrong) memcpy(bytes + at, other, differ);
    at += (uint32_t)differ;
  }
  bool right = !in->wrong && pv_store_leaf(s, bytes, n) == ((leaf + 1) | PV_LEAF_TAG);
  free(bytes);
  l->leaf[n % SIZES] = leaf + 1;
  return right;
}

void pv_store_write(const struct pv_store *s, struct pv_store_mark from, struct pv_str *out) {
  struct latest l = {0};
  pv_put_number(out, from.leaves);
  pv_put_number(out, s->leaves.n - from.leaves);
  for (uint32_t i = from.leaves; i < s->leaves.n; i++) write_leaf(s, i, &l, out);
  write_pairs(&s->nodes, from.nodes + 1, &of_nodes, out);
  write_pairs(&s->roots, from.roots + 1, &of_roots, out);
}

bool pv_store_read(struct pv_store *s, struct pv_bytes *in) {
  if (s->shared || s->keeps_notes) return false;
  struct latest l = {0};
  uint32_t i = (uint32_t)pv_take_up_to(in, s->leaves.n);
  for (uint32_t n = pv_take_count(in); n && !in->wrong; i++, n--)
    if (!read_leaf(s, i, &l, in)) in->wrong = true;
  return !in->wrong && read_pairs(&s->nodes, &of_nodes, in) && read_pairs(&s->roots, &of_roots, in);
}

/* Does a reference lead to something that is there? `node`: the first that is not. */
static bool refers_back(const struct pv_store *s, uint32_t id, uint32_t node) {
  if (!id || id == PV_LEAF_ABSENT) return true;
  return id & PV_LEAF_TAG ? (id & ~PV_LEAF_TAG) <= s->leaves.n : id < node;
}

static bool is_consistent(const struct pv_store *s) {
  uint32_t after = s->nodes.n + 1;
  for (uint32_t i = 1; i <= s->nodes.n; i++)
    if (!refers_back(s, (uint32_t)(s->nodes.at[i] >> 32), i) ||
        !refers_back(s, (uint32_t)s->nodes.at[i], i))
      return false;
  for (uint32_t i = 1; i <= s->roots.n; i++) {
    uint64_t root = s->roots.at[i];
    if (root & INDIRECT && (root & ~INDIRECT) >> 32 >= after) return false;
    struct pv_next of = root_parts(s, root);
    if (!(of.head & PV_LEAF_TAG) || !refers_back(s, of.head, after) ||
        !refers_back(s, of.top[0], after) || !refers_back(s, of.top[1], after))
      return false;
  }
  return true;
}

bool pv_store_index(struct pv_store *s) {
  struct pairs *const sets[] = {&s->nodes, &s->roots};
  if (!is_consistent(s)) return false;
  for (unsigned i = 0; i < 2; i++) {
    struct pairs *p = sets[i];
    uint32_t slots = p->slots ? p->slots : 1024;
    while (!has_room(slots, p->n)) slots += slots / 2;
    pv_pairs_extend(p, p->n);
    pv_pairs_resize(p, slots);
    if (!pv_pairs_enter(p, p->n)) return false;
  }
  return true;
}
