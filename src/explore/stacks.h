/* stacks.h -- where the threads of the state at hand are, without loading the machine.
 *
 * A frame's content tells its function and location, and the store knows each distinct content by
 * a number: it is looked at once and remembered by that number. Places are told as *nodes*: the
 * locations of all functions, numbered through in the order of the functions, as in the graphs of
 * distance/program.h. */
#ifndef PV_STACKS_H
#define PV_STACKS_H

#include "distance/graph.h"
#include "explore/space.h"

struct pv_stacks;
struct pv_stacks *pv_stacks_new(const struct pv_program *p, struct pv_space *space); /* borrowed */
void pv_stacks_free(struct pv_stacks *s); /* NULL is fine */

/* The node that the thread's frame (0 = bottom) is at in the state at hand: the top one before its
 * next edge, the others behind their call. O(1) but for the first time. */
uint32_t pv_stacks_node(struct pv_stacks *s, unsigned thread, uint32_t frame);
/* Whose node it is. O(log functions). */
struct pv_place_of pv_stacks_place(const struct pv_stacks *s, uint32_t node);
uint32_t pv_stacks_nodes(const struct pv_stacks *s); /* how many there are */

#endif
