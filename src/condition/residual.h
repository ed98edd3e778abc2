/* residual.h -- residual programs: what a condition leaves open, as a C program for any verifier.
 *
 * The program is printed as C with the assumption automaton woven in: a variable holds its state,
 * and an execution ends as soon as the automaton says that it is verified. So every execution of
 * the residual program is one of the program, and every open one is there. A condition of another
 * form leaves the whole program open. Programs that cannot be expressed are refused (ir.h,
 * pv_program_print_woven).
 *
 * Reference: Beyer, Jakobs, Lemberger, Wehrheim, "Reducer-based construction of conditional
 * verifiers", ICSE 2018. Deviation: a state variable instead of the product of program and
 * automaton, so that the program does not grow with the number of states at each location. */
#ifndef PV_RESIDUAL_H
#define PV_RESIDUAL_H

#include "condition/file.h"

/* Appends the residual program of *file, a condition about p. `branches`: an automaton for what it
 * leaves open that moves only along edges of locations with several ones; NULL: there is none.
 * *whole: the whole program is open. PV_E_INPUT with a message in *err: nothing is open, or it
 * cannot be expressed. */
enum pv_status pv_residual_print(const struct pv_program *p, const struct pv_condition_file *file,
                                 const struct pv_open_part *branches, struct pv_str *out,
                                 bool *whole, struct pv_str *err);
/* Appends the program with the executions that a condition with one automaton verifies. They end
 * where the automaton says that they are open, and an error counts only where they are verified. So
 * the program has no error if the assumptions of the condition hold. PV_E_INPUT with a message in
 * *err: the condition has another form, or it cannot be expressed. */
enum pv_status pv_verified_print(const struct pv_program *p, const struct pv_condition_file *file,
                                 struct pv_str *out, struct pv_str *err);

#endif
