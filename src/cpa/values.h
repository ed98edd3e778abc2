/* values.h -- a persistent map from small numbers to pointers. An update returns a new map that
 * shares all unchanged nodes with the old one. So comparing and merging related maps takes time
 * proportional to their difference. Maps are allocated in a pool and freed with it. */
#ifndef PV_VALUES_H
#define PV_VALUES_H

#include "base/base.h"

struct pv_value_node;
struct pv_values { /* zero-initialised: empty. Passed by value. */
  const struct pv_value_node *root;
  uint32_t height;
};
struct pv_pool { /* zero-initialised: empty */
  PV_VEC(void *) blocks;
  size_t used, size;
};
void *pv_pool_alloc(struct pv_pool *pool, size_t bytes); /* zeroed, aligned for any type */
void pv_pool_free(struct pv_pool *pool);

const void *pv_values_get(struct pv_values v, uint32_t key); /* NULL: absent */
struct pv_values pv_values_set(struct pv_pool *pool, struct pv_values v, uint32_t key,
                               const void *value);                          /* NULL: remove */
static inline bool pv_values_same(struct pv_values a, struct pv_values b) { /* identity */
  return a.root == b.root && a.height == b.height;
}
/* Calls `differs` for every key whose values differ, in rising order. */
void pv_values_compare(struct pv_values a, struct pv_values b,
                       void (*differs)(void *user, uint32_t key, const void *x, const void *y),
                       void *user);
/* Calls `each` for every key with a value, in rising order. */
void pv_values_each(struct pv_values v, void (*each)(void *user, uint32_t key, const void *value),
                    void *user);

#endif
