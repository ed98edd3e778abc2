#include "cpa/region.h"

#include <stdlib.h>
#include <string.h>

/* Numbers of entries in the cache of results, which grows with the nodes: a result that was
 * overwritten is computed again. */
enum { CACHE = 1 << 14, MOST_CACHE = 1 << 20 };

struct cached {
  pv_region a, b, result;
};
struct pv_regions {
  PV_VEC(struct pv_region_node) nodes;
  uint32_t *table; /* open addressing, node numbers; 0: empty */
  uint32_t slots;
  struct cached *cache;
  uint32_t entries; /* of the cache */
};

static uint32_t mix(uint32_t a, uint32_t b, uint32_t c) {
  uint64_t h = a * UINT64_C(0x9e3779b97f4a7c15) ^ b * UINT64_C(0xc2b2ae3d27d4eb4f) ^
               c * UINT64_C(0x165667b19e3779f9);
  h = (h ^ h >> 32) * UINT64_C(0xd6e8feb86659fd93);
  return (uint32_t)(h >> 32);
}

static void grow_cache(struct pv_regions *r) {
  if (r->entries >= MOST_CACHE || r->entries >= r->nodes.n) return;
  free(r->cache);
  r->entries *= 4;
  r->cache = pv_alloc(r->entries * sizeof *r->cache);
}

static void grow(struct pv_regions *r) {
  uint32_t slots = r->slots ? 2 * r->slots : 1 << 10;
  free(r->table);
  r->table = pv_alloc(slots * sizeof *r->table);
  r->slots = slots;
  for (uint32_t i = 2; i < r->nodes.n; i++) {
    const struct pv_region_node *n = &r->nodes.at[i];
    uint32_t at = mix(n->predicate, n->low, n->high) & (slots - 1);
    while (r->table[at]) at = (at + 1) & (slots - 1);
    r->table[at] = i;
  }
}

static pv_region make(struct pv_regions *r, uint32_t predicate, pv_region low, pv_region high) {
  if (low == high) return low;
  if (2 * r->nodes.n >= r->slots) grow(r);
  uint32_t at = mix(predicate, low, high) & (r->slots - 1);
  for (; r->table[at]; at = (at + 1) & (r->slots - 1)) {
    const struct pv_region_node *n = &r->nodes.at[r->table[at]];
    if (n->predicate == predicate && n->low == low && n->high == high) return r->table[at];
  }
  r->table[at] = r->nodes.n;
  struct pv_region_node node = {predicate, low, high};
  pv_vec_push(&r->nodes, node);
  return r->nodes.n - 1;
}

struct pv_regions *pv_regions_new(void) {
  struct pv_regions *r = pv_alloc(sizeof *r);
  struct pv_region_node leaf = {UINT32_MAX, 0, 0};
  pv_vec_push(&r->nodes, leaf);
  pv_vec_push(&r->nodes, leaf);
  r->entries = CACHE;
  r->cache = pv_alloc(r->entries * sizeof *r->cache);
  return r;
}

void pv_regions_free(struct pv_regions *r) {
  if (!r) return;
  pv_vec_free(&r->nodes);
  free(r->table);
  free(r->cache);
  free(r);
}

pv_region pv_region_literal(struct pv_regions *r, uint32_t predicate, bool positive) {
  return make(r, predicate, positive ? PV_REGION_FALSE : PV_REGION_TRUE,
              positive ? PV_REGION_TRUE : PV_REGION_FALSE);
}

struct literal {
  uint32_t predicate;
  bool positive;
};

static int last_first(const void *a, const void *b) {
  uint32_t x = ((const struct literal *)a)->predicate, y = ((const struct literal *)b)->predicate;
  return x > y ? -1 : x < y;
}

/* From the bottom of the diagram to its top. */
pv_region pv_region_cube(struct pv_regions *r, uint32_t n, const uint32_t *predicates,
                         const int8_t *literals) {
  PV_VEC(struct literal) all = {0};
  pv_region cube = PV_REGION_TRUE;
  for (uint32_t i = 0; i < n; i++)
    if (literals[i]) pv_vec_push(&all, ((struct literal){predicates[i], literals[i] > 0}));
  if (all.n) qsort(all.at, all.n, sizeof *all.at, last_first);
  for (uint32_t i = 0; i < all.n; i++)
    cube = all.at[i].positive ? make(r, all.at[i].predicate, PV_REGION_FALSE, cube)
                              : make(r, all.at[i].predicate, cube, PV_REGION_FALSE);
  pv_vec_free(&all);
  return cube;
}

/* not (a and b). All other operations are built from it. */
static pv_region nand(struct pv_regions *r, pv_region a, pv_region b) {
  if (a > b) {
    pv_region t = a;
    a = b;
    b = t;
  }
  if (a == PV_REGION_FALSE) return PV_REGION_TRUE;
  if (b == PV_REGION_TRUE) return PV_REGION_FALSE; /* both are true */
  uint32_t hash = mix(a, b, 1);
  const struct cached *c = &r->cache[hash & (r->entries - 1)];
  if (c->b == b && c->a == a && b) return c->result;
  struct pv_region_node x = r->nodes.at[a], y = r->nodes.at[b];
  uint32_t top = x.predicate < y.predicate ? x.predicate : y.predicate;
  pv_region xl = x.predicate == top ? x.low : a, xh = x.predicate == top ? x.high : a;
  pv_region yl = y.predicate == top ? y.low : b, yh = y.predicate == top ? y.high : b;
  pv_region low = nand(r, xl, yl), high = nand(r, xh, yh);
  pv_region result = make(r, top, low, high);
  grow_cache(r);
  r->cache[hash & (r->entries - 1)] = (struct cached){a, b, result};
  return result;
}

pv_region pv_region_not(struct pv_regions *r, pv_region a) {
  return nand(r, a, PV_REGION_TRUE);
}
pv_region pv_region_and(struct pv_regions *r, pv_region a, pv_region b) {
  return pv_region_not(r, nand(r, a, b));
}
pv_region pv_region_or(struct pv_regions *r, pv_region a, pv_region b) {
  return nand(r, pv_region_not(r, a), pv_region_not(r, b));
}
bool pv_region_implies(struct pv_regions *r, pv_region a, pv_region b) {
  return nand(r, a, pv_region_not(r, b)) == PV_REGION_TRUE;
}
struct pv_region_node pv_region_top(const struct pv_regions *r, pv_region a) {
  return r->nodes.at[a];
}

static uint64_t count_cubes(const struct pv_regions *r, pv_region a, struct pv_map *known) {
  if (a == PV_REGION_FALSE || a == PV_REGION_TRUE) return a == PV_REGION_TRUE;
  const uint32_t *k = pv_map_get(known, &a, sizeof a);
  if (k) return *k;
  const struct pv_region_node *n = &r->nodes.at[a];
  uint64_t cubes = count_cubes(r, n->low, known) + count_cubes(r, n->high, known);
  if (cubes > UINT32_MAX) cubes = UINT32_MAX;
  pv_map_put(known, &a, sizeof a, (uint32_t)cubes, NULL);
  return cubes;
}

uint64_t pv_region_cubes(const struct pv_regions *r, pv_region a) {
  struct pv_map known = {0};
  uint64_t cubes = count_cubes(r, a, &known);
  pv_map_free(&known);
  return cubes;
}

uint32_t pv_regions_nodes(const struct pv_regions *r) {
  return r->nodes.n;
}
