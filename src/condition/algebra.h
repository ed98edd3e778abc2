/* algebra.h -- what conditions leave open as sets of executions, and operations on them.
 *
 * An assumption automaton has two sets: the executions that come to `open`, which are open, and
 * those that never come to `verified`, which an engine under this condition has to look at. The
 * first set is within the second; the difference ends, or goes on for ever, without coming to
 * either, and is covered. The operations are on the open sets:
 *
 *    product      open in both: what remains if two results stand together
 *    union        open in one of the two: what remains if each has examined a part
 *    complement   open is what comes to `verified`; to be looked at is what is covered
 *
 * An engine that takes an automaton may look at the edge that comes to `verified`. So under a
 * complement it may find an error at an edge that comes to `open` in the original.
 *
 * (Beyer, Henzinger, Keremoglu, Wendler, "Conditional model checking", FSE 2012, has the automata;
 * the operations are those of the theory of automata.) */
#ifndef PV_CONDITION_ALGEBRA_H
#define PV_CONDITION_ALGEBRA_H

#include "condition/condition.h"
#include "ir/ir.h"

/* Fills *out, which is zero, with the product or the union of two automata. Returns false if there
 * are too many states. If one of them says `open` and the other one `verified` of edges that they
 * do not mention, a union cannot be expressed (false), and a product may have more open than both
 * have, but nothing that the one which says `verified` does not have open. */
bool pv_open_part_product(const struct pv_open_part *a, const struct pv_open_part *b,
                          struct pv_open_part *out);
bool pv_open_part_union(const struct pv_open_part *a, const struct pv_open_part *b,
                        struct pv_open_part *out);
struct pv_open_part pv_open_part_complement(const struct pv_open_part *a);

/* ---- all forms ------------------------------------------------------------------------------- */
/* Is no execution in the part? Of an automaton: no path at all, whether the program has it or not.
 * `false` may also mean that it is not known. */
bool pv_open_part_is_empty(const struct pv_open_part *p);
/* A rough share of the executions that are open, from 0 (empty) to 1; negative: not known. A walk
 * by chance through an automaton, or down a tree of prefixes, comes to something open with this
 * probability, if all ways from a state are equally likely. It says little of how long it takes to
 * examine them. program: the one that an automaton is about; NULL: every state is taken to have one
 * way that it does not mention. */
double pv_open_part_measure(const struct pv_open_part *p, const struct pv_program *program);

/* ---- conditions ------------------------------------------------------------------------------ */
/* Two results about one program that know nothing of each other. Fills *out, which is zero, with
 * the condition of both, for each of the properties `all` by itself: open is what both leave open,
 * or the smaller of two descriptions that do not combine. */
void pv_condition_product(const struct pv_condition *a, const struct pv_condition *b,
                          pv_properties all, struct pv_condition *out);
/* Fills *out, which is zero: open is what `c` covers, under the assumption that what `c` leaves
 * open has no error. Returns false if what `c` leaves open is not one automaton, the same for all
 * properties. */
bool pv_condition_complement(const struct pv_condition *c, struct pv_condition *out);

#endif
