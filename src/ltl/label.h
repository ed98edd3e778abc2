/* label.h -- labels of automata: Boolean functions of propositions as reduced ordered decision
 * diagrams (Bryant, "Graph-based algorithms for Boolean function manipulation", IEEE Trans. on
 * Computers 35, 1986), in the order of the propositions' numbers. Equal functions have equal
 * indices. Nodes are never freed before the whole set is. */
#ifndef PV_LTL_LABEL_H
#define PV_LTL_LABEL_H

#include "base/base.h"
#include "ltl/budget.h"

typedef uint32_t pv_label;
#define PV_LABEL_NONE ((pv_label)0) /* no letter */
#define PV_LABEL_ANY  ((pv_label)1) /* every letter */

struct pv_label_node {
  uint32_t var;
  pv_label low, high;
};
struct pv_labels {
  PV_VEC(struct pv_label_node) node;
  struct pv_map known, conjunctions;
  struct pv_ltl_budget *budget; /* borrowed; NULL: no bound */
};
void pv_labels_init(struct pv_labels *s);
void pv_labels_free(struct pv_labels *s);
pv_label pv_label_prop(struct pv_labels *s, uint32_t var, bool positive);
pv_label pv_label_and(struct pv_labels *s, pv_label a, pv_label b);
pv_label pv_label_not(struct pv_labels *s, pv_label a);
static inline pv_label pv_label_or(struct pv_labels *s, pv_label a, pv_label b) {
  return pv_label_not(s, pv_label_and(s, pv_label_not(s, a), pv_label_not(s, b)));
}
static inline bool pv_label_within(struct pv_labels *s, pv_label a, pv_label b) {
  return pv_label_and(s, a, pv_label_not(s, b)) == PV_LABEL_NONE;
}
/* Does the label contain the letter (bit i: proposition i)? */
static inline bool pv_label_has(const struct pv_labels *s, pv_label a, uint64_t letter) {
  while (a > PV_LABEL_ANY) {
    const struct pv_label_node *x = &s->node.at[a];
    a = letter >> x->var & 1 ? x->high : x->low;
  }
  return a == PV_LABEL_ANY;
}
/* Calls `cube` for disjoint cubes whose union is the label. value[var]: 0, 1, or 2 for any. */
void pv_label_cubes(const struct pv_labels *s, pv_label a, uint32_t vars,
                    void (*cube)(void *user, const uint8_t *value), void *user);

#endif
