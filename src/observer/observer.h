/* observer.h -- weaves observer automata into the program. After each *move* of the program that a
 * trigger may match (before it, if the move is a call), edges are inserted that move the automaton.
 * So the automaton is part of the program. Engines, proof checks and replays need no code for it,
 * and they all agree on its meaning.
 *
 * The state of an automaton is a global variable, which the rest of the program cannot reach. It is
 * only compared with constants and set to constants. The symbolic engines track it together with
 * program points (cpa/observer.h).
 *
 * Moves, in functions that are not models:
 *  - a statement of one or more edges, after its execution (`return`: before it). Statements
 *    without edges (`;`, `goto`, an expression without effect) are no moves;
 *  - a branch of a condition, for each operand of && and ||: "[x < 0]" or "[!(x < 0)]";
 *  - a call, before it, by the name of the function; also through a pointer;
 *  - a label, when control passes it;
 *  - the start of the program, and its end (exit, abort), wherever they are.
 *
 * An automaton makes one transition in each move. USEFIRST: the first one whose trigger holds. Else
 * it is any transition whose trigger holds; engines explore all of them. STOP cuts the path; so
 * does an assumption that does not hold, if no other transition is possible. The cut is an edge
 * PV_STOP_OBSERVER, which becomes a proviso; BREAK is such a cut, too. ERROR, a TARGET state and a
 * failing ASSERT are violations (PV_ERROR_OBSERVER).
 *
 * CHECK and EVAL ask the move, other automata, which move before, and the program's variables
 * (query.c). A question that these do not answer is an error where its transition could be taken.
 *
 * Reference: Beyer, Chlipala, Henzinger, Jhala, Majumdar, "The BLAST query language for software
 * verification", SAS 2004 (weaving of specifications). Transitions mean what they mean in
 * CPAchecker. Deviations: the moment of moves, and that cut paths become provisos. */
#ifndef PV_OBSERVER_H
#define PV_OBSERVER_H

#include "ir/ir.h"
#include "observer/automaton.h"

/* Weaves the automata into a program that was lowered with marks (option `observer`), and removes
 * the marks. Triggers that match nothing are listed in program->notes. PV_E_INPUT: *err says which
 * trigger or assumption cannot be used, and where; the program must not be used any more. */
enum pv_status pv_observer_weave(struct pv_program *p, const pv_automata *automata,
                                 struct pv_str *err);

/* Can patterns be matched against the text of this input file? PV_E_INPUT: it has line markers (it
 * is preprocessed), so its positions refer to other files. Files that are not C text are accepted.
 */
enum pv_status pv_observer_input(const char *path, struct pv_str *err);

#endif
