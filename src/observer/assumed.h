/* assumed.h -- assumption automata of conditional model checking: conditions in CPAchecker's
 * automata language, in and out.
 *
 * In such an automaton the state `__TRUE` means that whatever follows was verified, and `__FALSE`
 * that it is open. CPAchecker's MATCH compares texts of statements: it names no line, no call stack
 * and no thread. So an automaton can be misunderstood by a tool that divides statements in another
 * way. Two rules make up for this.
 *
 * In: a path is cut only where the automaton *names* the move that leads to `__TRUE`, or names a
 * branch and the program takes the opposite one. Every other move that a state does not name leaves
 * it in that state. An edge that is no move of the program (a declaration, an empty text) is
 * skipped. An assumption (ASSUME) says what of the move is covered: where it does not hold after
 * the move, the path is open. So is it where the assumption cannot be evaluated, which a note
 * tells. A cut path has a proviso: that what the file calls verified has no error.
 *
 * Out: all moves of a state are written, those to `__TRUE` as well, and any other move stays in the
 * state. Where two moves with the same text lead to different states, what follows is open.
 *
 * Reference: Beyer, Henzinger, Keremoglu, Wendler, "Conditional model checking", FSE 2012, section
 * 4; the text is that of CPAchecker's AssumptionCollectorAlgorithm. */
#ifndef PV_ASSUMED_AUTOMATON_H
#define PV_ASSUMED_AUTOMATON_H

#include "condition/condition.h"
#include "ir/ir.h"
#include "observer/automaton.h"

/* Does the file contain automata rather than a condition of proviso? false: it cannot be read. */
bool pv_automata_are_in(const char *path);
/* Turns the automaton into one that cuts what it calls verified, to be woven (observer.h). */
void pv_automaton_assume(struct pv_automaton *a);
/* Appends the automaton of a condition of this program, lowered without marks. PV_E_INPUT: there is
 * none, or it cannot be expressed; *err says why. */
enum pv_status pv_assumed_print(struct pv_program *p, const struct pv_condition *c,
                                struct pv_str *out, struct pv_str *err);
/* Does an execution come to an input of the condition from a location on? */
typedef bool (*pv_inputs_come)(const void *user, uint32_t function, pv_loc loc);
/* The same for a condition that leaves open values of inputs only: the moves that read them have
 * the values that were tried as assumptions. The last one leads to `__TRUE`. PV_E_INPUT: an input
 * is not read by a statement `x = f();`. */
enum pv_status pv_assumed_print_inputs(struct pv_program *p, const struct pv_condition *c,
                                       pv_inputs_come comes, const void *user, struct pv_str *out,
                                       struct pv_str *err);

#endif
