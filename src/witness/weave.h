/* weave.h -- weaves a witness into a program, so that engines validate it.
 *
 * Of a violation witness, a global of the program counts the segments whose waypoint was passed.
 * Code at the places of waypoints tests it, tests the constraint, and moves it. Errors count only
 * in the last segment, at the target (pv_goal): an engine that finds an error has found an
 * execution that the witness describes, because the machine replays every error in the woven
 * program. What cannot be followed (a place that does not exist, an expression that is not
 * understood) is an error and never a confirmation.
 *
 * A follow waypoint that is visited but not passed leaves the execution in its segment. With
 * PV_WEAVE_STRICT it ends the execution instead, and inputs that a waypoint names get their value:
 * this examines fewer executions, so it finds less, but sooner.
 *
 * Threads (version 2.2): a thread-local variable holds the number that the witness gives to the
 * thread. It is set at the first step of the thread that is created next after the waypoint of its
 * creation was passed. In programs with threads the code runs without interruption and accesses
 * atomically, so it is no part of a race.
 *
 * Of a correctness witness, each invariant becomes an assertion of property `observer`. So its
 * proof uses the invariants, as every proof uses what it has to prove, and never assumes one.
 *
 * Reference: as in witness.h. Deviations: a branching waypoint needs a condition without `!` in
 * front; switch labels are not read. */
#ifndef PV_WITNESS_WEAVE_H
#define PV_WITNESS_WEAVE_H

#include "ir/ir.h"
#include "witness/witness.h"

enum {
  PV_WEAVE_STRICT = 1, /* executions end where a follow waypoint is visited but not passed */
  PV_WEAVE_CUT = 2,    /* they also end at the target, if they come to it before the last segment */
  PV_WEAVE_FIRST = 4,  /* and after the target, if they came to it in the last segment */
  /* And where a thread comes to its next waypoint before its turn, or has none left and still does
   * something. */
  PV_WEAVE_TURNS = 8
};

/* Weaves the witness into the program, which was lowered with marks (pv_options.marks). `how`:
 * PV_WEAVE_*. PV_E_INPUT: *err says which part of the witness cannot be used; the program must not
 * be used any more. */
enum pv_status pv_witness_weave(struct pv_program *p, const struct pv_witness *w, unsigned how,
                                struct pv_str *err);

#endif
