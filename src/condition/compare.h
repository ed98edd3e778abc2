/* compare.h -- compares two conditions of one program by what they leave open and what they assume.
 *
 * A condition is *weaker* than another one if it leaves no more open and assumes no more: its
 * result says more. Compared are sets of paths of the program, whether they are feasible or not.
 * Open parts of different forms cannot be compared. */
#ifndef PV_CONDITION_COMPARE_H
#define PV_CONDITION_COMPARE_H

#include "condition/condition.h"

enum pv_relation { PV_WEAKER, PV_STRONGER, PV_EQUAL, PV_INCOMPARABLE, PV_UNDECIDED };
/* How `a` relates to `b`, both about these properties: each property is compared by itself.
 * UNDECIDED: nothing can be said. */
enum pv_relation pv_condition_compare(const struct pv_condition *a, const struct pv_condition *b,
                                      pv_properties all);

#endif
