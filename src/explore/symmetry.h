/* symmetry.h -- symmetry reduction: states that differ only by a permutation of equal threads are
 * stored once.
 *
 * References: Clarke, Enders, Filkorn, Jha, "Exploiting symmetry in temporal logic model checking",
 * FMSD 9, 1996; Ip, Dill, "Better verification through symmetry", ibid.; Bosnacki, Dams,
 * Holenderski, "Symmetric Spin", STTT 4, 2002; Emerson, Jha, Peled, "Combining partial order and
 * symmetry reductions", TACAS 1997. Deviations: nobody declares what is symmetric; it is determined
 * in each state. The order of joins is abstracted from as well.
 *
 * The search continues from the states that it reaches (trail.h); so every path is a path of the
 * program. Only the key, which is looked up, is canonical. The key of s is pi(s) for a permutation
 * pi of a set C of threads. pi sorts the threads of C by their contents. The key includes C's
 * numbers; so equal keys imply that one state is a permutation of the other. Below it is shown that
 * such states lead to the same errors, up to thread numbers in messages.
 *
 * 1. The action of pi. A thread consists of a record and an owner number in the scheduler's state,
 *    its frames, and the objects it created, whose addresses depend on its number. pi renames all
 *    of these, and addresses wherever they occur. The key renames the thread's own registers of
 *    pointer type. If anything else in the state holds an address of an object of a thread, this
 *    thread is not in C. The test is conservative: a number that looks like such an address counts.
 *    Nothing else in a state is renamed; in particular no thread id in memory is.
 *
 * 2. Transitions commute with pi: a transition from s is possible from pi(s), by the renamed
 *    thread, and the results differ by pi. The machine treats all threads alike except for (a)
 *    values of addresses, (b) pthread_self, (c) the number of a new thread, which is the lowest
 *    free one, (d) the thread that a number in memory refers to. Renaming preserves equality of
 *    pointers. Where their order matters, there is a proviso. For the rest: (a) If the program ever
 *    converts an address of a thread's object to a number (pv_symmetry_facts, by points-to sets),
 *    there is no symmetry at all. (b) The same holds if the program uses the result of
 *    pthread_self. (c), (d) Threads are permuted only if ids do not matter any more, or matter in
 *    one way only. Call managers the live threads that may still create, join or detach threads
 *    (analysis/thread_effects.h; threads that they create count).
 * -- No managers: C is all threads, and free numbers are interchangeable as well.
 * -- Managers that may create, but no joins, no detaching, and no detached threads: numbers stay in
 *    use, so that the next free number is the same in s and pi(s). C is all threads.
 * -- One manager m, parked at the first operation of a row: creations (of threads that are no
 *    managers), then joins, with no other visible operation of m in between, except reads of
 *    globals that no other thread writes, where ids may be stored. What m does in a row depends on
 *    the other threads only in its duration. C is the set of threads that the row joins. m itself
 *    frees their numbers, after the last creation. At the end of the row all of C is gone, and s
 *    and pi(s) have become equal.
 *
 * 3. The order of joins. After the last creation of the row, the remaining joins are one wait for
 *    all of C. A join of an ended thread, or a read, is independent of all other threads (they
 *    neither create nor join nor detach), is invisible, and cannot fail. So m moves alone, as with
 *    the persistent set {m}, finitely often before the row ends. If m is blocked, the key contains
 *    m's components as they will be at the end of the row, and ended threads of the row count as
 *    joined: it does not matter which ones m has joined so far. So states with equal keys need not
 *    be permutations of each other, but become so by joins of m, which must happen before m can do
 *    anything else. If m is not blocked, the key contains m's own components, and the search
 *    continues from each such state. Leaks, invariants and depth limits could tell how far m is;
 *    with them there are no rows.
 *
 * Sleep sets are stored by the numbers of threads in the key. They contain enabled operations only;
 * a manager blocked in a row is never in one. Persistent sets are those of the current state. A set
 * that is persistent in one of two permuted states is, permuted, persistent in the other one. So it
 * does not matter from which of them the search continues; a cycle of keys is part of a cycle of
 * states. */
#ifndef PV_SYMMETRY_H
#define PV_SYMMETRY_H

#include "analysis/symmetry_facts.h"
#include "engine.h"
#include "explore/space.h"

struct pv_symmetry;
/* Call it before the space starts: its states are identified by keys. All arguments are
 * borrowed. */
struct pv_symmetry *pv_symmetry_new(const struct pv_task *task, const struct pv_sched *sched,
                                    struct pv_space *space);
void pv_symmetry_free(struct pv_symmetry *y);                  /* NULL is fine */
const char *pv_symmetry_obstacle(const struct pv_symmetry *y); /* as above */
/* Looks up the key of the current state and returns its number. */
uint32_t pv_symmetry_save(struct pv_symmetry *y, bool *is_new);
/* Translates a set of threads of the state saved last to the numbers in its key, and back. With y =
 * NULL every thread keeps its number. */
uint64_t pv_symmetry_to_key(const struct pv_symmetry *y, uint64_t threads);
uint64_t pv_symmetry_from_key(const struct pv_symmetry *y, uint64_t threads);
/* The manager that moves alone in the state saved last, or UINT32_MAX. */
unsigned pv_symmetry_alone(const struct pv_symmetry *y);

#endif
