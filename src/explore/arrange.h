/* arrange.h -- chooses the order of components in the tree over a state.
 *
 * The tree over a sequence of components (store.h) has a node for each distinct content of each
 * subtree. The number of nodes is small if components that change together share a subtree: two
 * counters that always agree belong under one node, independent ones under different nodes. The
 * arrangement is learned from the first states of the search. Their components, the columns of a
 * table, are split into two halves such that the sum of the numbers of distinct contents is small.
 * A local search moves single columns between the halves while that helps. Each half is split
 * recursively. */
#ifndef PV_ARRANGE_H
#define PV_ARRANGE_H

#include "base/base.h"

/* Values in row-major order: rows are states, columns are components. */
struct pv_table {
  const uint32_t *value; /* borrowed */
  uint32_t rows, columns;
};
/* Computes a new place for every column: half | position << 1. Columns at position 0 stay. false:
 * no much better arrangement was found, and the places are unchanged. */
bool pv_arrange(const struct pv_table *t, uint32_t *place);

#endif
