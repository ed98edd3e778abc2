/* reduce.h -- partial-order reduction: which threads have to move in a state.
 *
 * Persistent sets of one thread (Godefroid, "Partial-Order Methods for the Verification of
 * Concurrent Systems", LNCS 1032, ch. 4): thread t alone suffices if what it is parked at is
 * independent of everything any other live thread can do from now on (see analysis/future.h). The
 * caller keeps the cycle condition: if t's transitions lead to a known state, every thread moves.
 *
 * The end of the program disables everybody else, so a thread parked at it never suffices; that it
 * may come first in some other order loses no error, since what was done before it can be done
 * after t's operation too. Only leaks are judged at the end itself: the caller switches the
 * reduction off for them.
 *
 * Kept errors: deadlocks and all errors of single transitions (persistent sets plus cycle
 * condition), invariants over globals only if `visible` globals are told apart -- the caller
 * switches the reduction off when invariants are asked for -- and data races: if some sequence from
 * this state leads to two threads parked at conflicting accesses, then so does one that begins with
 * t. Take the shortest such sequence w. If w contains a step of t, its first one is independent of
 * what precedes it and can be moved to the front. If not, t's parked operation is not one of the
 * two (the other would be a future operation of another thread that conflicts with it), it is
 * independent of all of w and of both accesses, so t can go first and w still leads to the race. */
#ifndef PV_REDUCE_H
#define PV_REDUCE_H

#include "vm/vm.h"

struct pv_reduce;
struct pv_reduce *pv_reduce_new(const struct pv_program *p);
void pv_reduce_free(struct pv_reduce *r);
/* A thread that suffices, or -1. pending[0..n) as of the state at hand. */
int pv_reduce_single(struct pv_reduce *r, struct pv_vm *vm, const struct pv_pending *pending,
                     unsigned n);

#endif
