/* stacks.h -- the call stacks of the current state, without loading the machine.
 *
 * The content of a frame determines its function and location. The store numbers each distinct
 * content; so each is decoded once and cached. Program locations are identified by nodes: the
 * locations of all functions, numbered consecutively, as in the graphs of distance/program.h. */
#ifndef PV_STACKS_H
#define PV_STACKS_H

#include "distance/graph.h"
#include "explore/space.h"

struct pv_stacks;
struct pv_stacks *pv_stacks_new(const struct pv_program *p, struct pv_space *space); /* borrowed */
void pv_stacks_free(struct pv_stacks *s); /* NULL is fine */

/* The node of a frame (0 = bottom) in the current state: for the top frame the source of its next
 * edge, for the others the return location of their call. O(1), except for the first look-up. */
uint32_t pv_stacks_node(struct pv_stacks *s, unsigned thread, uint32_t frame);
/* The function and location of a node. O(log functions). */
struct pv_place_of pv_stacks_place(const struct pv_stacks *s, uint32_t node);
uint32_t pv_stacks_nodes(const struct pv_stacks *s); /* the number of nodes */

#endif
