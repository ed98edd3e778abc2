/* arrange.h -- which components belong side by side in the tree over a state.
 *
 * A tree over sequences of components (store.h) has as many nodes as its subtrees have contents.
 * The fewer values the components under one node take together, the fewer nodes there are, and this
 * depends on which components change together: two counters that always agree belong under one
 * node, two that are independent under different ones. What has been seen of the first states tells
 * how it will go on. From these states the columns (one a component) are divided into two sides so
 * that the numbers of distinct contents are small in sum, by moving single columns from side to
 * side as long as that helps, then each side again, down to single columns. */
#ifndef PV_ARRANGE_H
#define PV_ARRANGE_H

#include "base/base.h"

/* For each row and column a value, row by row. */
struct pv_table {
  const uint32_t *value; /* borrowed */
  uint32_t rows, columns;
};
/* Gives every column another place: its half, and its position << 1. Those at position
 * 0 stay there. false: no arrangement was found that is much better; the places are as before. */
bool pv_arrange(const struct pv_table *t, uint32_t *place);

#endif
