/* input_classes.h -- for which inputs does one value stand for many? Some inputs are only moved
 * (through variables, the caller's stack slots, arguments and results), added to constants or
 * multiplied by them, and compared with constants. Then the program does the same for all values
 * that lie between the same two points. So one value from each such class is exact. For example,
 * the deadline of a timed wait, computed from the time of day, has two classes.
 *
 * A forward abstract interpretation (Cousot and Cousot, POPL 1977) of what each thread's bottom
 * function reaches, flow-sensitive, with calls analysed anew in each context (Sharir and Pnueli's
 * call strings, unbounded as there is no recursion). Its values are in input_values.h. A stack slot
 * is followed while its address lies in variables and slots that are followed themselves. Otherwise
 * it is *shared*, and an input that is stored there is open, as is one that reaches the heap, a
 * global, or an operation that is not listed above. The work is bounded; beyond, all inputs are
 * open. */
#ifndef PV_INPUT_CLASSES_H
#define PV_INPUT_CLASSES_H

#include "ir/ir.h"

struct pv_input_classes;
struct pv_input_classes *pv_input_classes_new(const struct pv_program *p); /* borrowed: the call */
void pv_input_classes_free(struct pv_input_classes *c);                    /* NULL is fine */
/* The least value of each class of the input at a HAVOC edge's site, as a signed number, rising;
 * *n is how many there are. NULL: the input is open, or no integer of at most 64 bits. Borrowed. */
const int64_t *pv_input_classes_get(const struct pv_input_classes *c, uint32_t site, uint32_t *n);

/* Decides the queries PV_QUERY_ORDER of a program that has some: replaces them by a constant. The
 * order does not matter if, assuming that, the first input has one class, and the second has
 * classes: then for every run in which the pairs are in any order there is one, the same but for
 * the first inputs, in which they rise. */
void pv_input_order_decide(struct pv_program *p);

#endif
