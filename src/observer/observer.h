/* observer.h -- observer automata as part of the program: every move of the program that a trigger
 * may match is followed (a call: preceded) by edges that move the automaton. What the automaton
 * does is then what the program does: no engine, proof check or replay has to know of it, and all
 * agree.
 *
 * An automaton's state is a global variable of its own, tested and set by constants, of which the
 * symbolic engines keep account beside program points (cpa/observer.h). Nothing else of the program
 * can reach it.
 *
 * Moves, in functions that are not models:
 *  - a statement, when it has been done (`return`: before); it has one or more edges. Statements
 *    that are no edges (`;`, `goto`, an expression without effect) are no moves;
 *  - a branch of a condition, for each operand of && and ||: "[x < 0]" or "[!(x < 0)]";
 *  - a call, before it, by the name of the function; through a pointer, too;
 *  - a label, when it is passed;
 *  - the program's start and its end (exit, abort), wherever they are.
 * In one move an automaton makes one transition. USEFIRST: the first one whose trigger holds; else
 * any one of those that hold, by a choice that all engines make in every way. An assumption that
 * does not hold, where no other transition is possible, and STOP cut the path: an edge
 * PV_STOP_OBSERVER, a proviso. ERROR, a TARGET state and an ASSERT that fails are
 * PV_ERROR_OBSERVER.
 *
 * Reference: the weaving of specifications into programs: Beyer, Chlipala, Henzinger, Jhala,
 * Majumdar, "The BLAST query language for software verification", SAS 2004. The meaning of
 * transitions is that of CPAchecker's automata, but for the moment of moves, and that pruning is
 * told. */
#ifndef PV_OBSERVER_H
#define PV_OBSERVER_H

#include "ir/ir.h"
#include "observer/automaton.h"

/* Weaves the automata into a program that was lowered with marks (option `observer`). The marks go.
 * PV_E_INPUT: *err says which trigger or assumption cannot be used, and where. Triggers that match
 * nothing are told in program->notes. The program is not to be used after an error. */
enum pv_status pv_observer_weave(struct pv_program *p, const pv_automata *automata,
                                 struct pv_str *err);

/* May the text of this input be matched? PV_E_INPUT: it has line markers (a preprocessed file), so
 * that places in it are those of other texts. Bitcode and the like are passed over. */
enum pv_status pv_observer_input(const char *path, struct pv_str *err);

#endif
