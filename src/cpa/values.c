#include "cpa/values.h"

#include <stdlib.h>
#include <string.h>

/* A trie over the digits of the key, most significant first. A map of height h contains keys below
 * 16^h. */
enum { BITS = 4, WIDTH = 1 << BITS, BLOCK = 1 << 18 };

struct pv_value_node {
  const void *at[WIDTH]; /* values at the lowest level, nodes above */
};

void *pv_pool_alloc(struct pv_pool *pool, size_t bytes) {
  bytes = (bytes + 15) & ~(size_t)15;
  if (pool->used + bytes > pool->size) {
    pool->size = bytes > BLOCK ? bytes : BLOCK;
    pool->used = 0;
    pv_vec_push(&pool->blocks, pv_alloc(pool->size));
  }
  void *p = (char *)pv_vec_last(&pool->blocks) + pool->used;
  pool->used += bytes;
  return p;
}

void pv_pool_free(struct pv_pool *pool) {
  for (uint32_t i = 0; i < pool->blocks.n; i++) free(pool->blocks.at[i]);
  pv_vec_free(&pool->blocks);
  *pool = (struct pv_pool){0};
}

static bool fits(struct pv_values v, uint32_t key) {
  return v.height * BITS >= 32 || key >> v.height * BITS == 0;
}

const void *pv_values_get(struct pv_values v, uint32_t key) {
  if (!fits(v, key)) return NULL;
  const struct pv_value_node *n = v.root;
  for (uint32_t h = v.height; n && h-- > 1;) n = n->at[key >> h * BITS & (WIDTH - 1)];
  return n ? n->at[key & (WIDTH - 1)] : NULL;
}

static const struct pv_value_node *set(struct pv_pool *pool, const struct pv_value_node *n,
                                       uint32_t height, uint32_t key, const void *value) {
  uint32_t digit = key >> (height - 1) * BITS & (WIDTH - 1);
  const void *below =
      height == 1 ? value : set(pool, n ? n->at[digit] : NULL, height - 1, key, value);
  struct pv_value_node *copy = pv_pool_alloc(pool, sizeof *copy);
  if (n) *copy = *n;
  copy->at[digit] = below;
  return copy;
}

struct pv_values pv_values_set(struct pv_pool *pool, struct pv_values v, uint32_t key,
                               const void *value) {
  if (pv_values_get(v, key) == value) return v;
  while (v.height == 0 || !fits(v, key)) {
    if (v.root) {
      struct pv_value_node *up = pv_pool_alloc(pool, sizeof *up);
      up->at[0] = v.root;
      v.root = up;
    }
    v.height++;
  }
  v.root = set(pool, v.root, v.height, key, value);
  return v;
}

struct walk {
  void (*differs)(void *user, uint32_t key, const void *x, const void *y);
  void *user;
};

static void compare(const struct walk *w, const struct pv_value_node *a,
                    const struct pv_value_node *b, uint32_t height, uint32_t key) {
  for (uint32_t i = 0; i < WIDTH; i++) {
    const void *x = a ? a->at[i] : NULL, *y = b ? b->at[i] : NULL;
    if (x == y) continue;
    if (height > 1)
      compare(w, x, y, height - 1, (key | i) << BITS);
    else
      w->differs(w->user, key | i, x, y);
  }
}

/* The same map raised to a greater height. (A chain of nodes on the stack would suffice, but maps
 * of different heights are rare and small.) */
static struct pv_values raise(struct pv_values v, uint32_t height, struct pv_value_node *chain) {
  for (; v.height < height; v.height++, chain++) {
    memset(chain, 0, sizeof *chain);
    chain->at[0] = v.root;
    v.root = chain;
  }
  return v;
}

void pv_values_compare(struct pv_values a, struct pv_values b,
                       void (*differs)(void *user, uint32_t key, const void *x, const void *y),
                       void *user) {
  struct pv_value_node chain[32 / BITS];
  struct walk w = {differs, user};
  if (pv_values_same(a, b)) return;
  if (a.height < b.height)
    a = raise(a, b.height, chain);
  else
    b = raise(b, a.height, chain);
  if (a.height) compare(&w, a.root, b.root, a.height, 0);
}

struct each {
  void (*each)(void *user, uint32_t key, const void *value);
  void *user;
};

static void call_each(void *user, uint32_t key, const void *x, const void *y) {
  const struct each *e = user;
  (void)y;
  e->each(e->user, key, x);
}

void pv_values_each(struct pv_values v, void (*each)(void *user, uint32_t key, const void *value),
                    void *user) {
  struct each e = {each, user};
  pv_values_compare(v, (struct pv_values){0}, call_each, &e);
}
