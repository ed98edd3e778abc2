/* symmetry.h -- threads that run the same code are alike: states that differ only by a permutation
 * of them are stored once.
 *
 * References: Clarke, Enders, Filkorn, Jha, "Exploiting symmetry in temporal logic model checking",
 * FMSD 9, 1996; Ip, Dill, "Better verification through symmetry", ibid.; Bosnacki, Dams,
 * Holenderski, "Symmetric Spin", STTT 4, 2002; Emerson, Jha, Peled, "Combining partial order and
 * symmetry reductions", TACAS 1997. Deviations: nobody declares what is symmetric; it is found out
 * in each state, and the order of joins is abstracted from, too.
 *
 * The search goes on from the states that it reaches (trail.h), so that every path is a path of the
 * program; only what is looked up, the *key*, is a canonical form. The key of s is pi(s) for a
 * permutation pi of a set C of threads, which is chosen by sorting them by what each has, together
 * with C's places; so equal keys mean that one state is a permutation of the other. What is shown
 * below is that such states have the same errors before them, up to numbers of threads in messages.
 *
 * 1. What pi does to a state. A thread is a record and an owner's number in the scheduler's state,
 * frames, and the objects that it made, whose addresses contain its number in effect. pi renames
 * all of these, and addresses wherever they are. The key renames the thread's own registers of
 * pointer type; a thread of whose objects anything else in the state holds an address is not in C
 * (nothing is guessed: where a number looks like such an address the thread is not permuted).
 * Nothing else in a state is renamed, in particular no thread id in memory.
 *
 * 2. What is done from s can be done from pi(s), by the thread with the new number, and the results
 * differ by pi only. The machine treats threads alike except for (a) values of addresses, (b)
 * pthread_self, (c) the number that a new thread gets, the lowest free one, (d) the thread that a
 * number in memory names. Equality of pointers is preserved by a renaming; their order is, where it
 * matters, a proviso. For the rest:
 * (a) the program never makes a number of an address of a thread's object (pv_symmetry_facts, from
 * the points-to sets), else there is no symmetry at all;
 * (b) likewise, if the program asks for the result of pthread_self;
 * (c), (d) threads are permuted only where ids do not matter any more, or only in one way. Call
 * *managers* the live threads that may still (analysis/thread_effects.h; what they create counts)
 * create, join or detach:
 * -- no managers: C is all threads, and free numbers are alike, too;
 * -- managers that may create, but nobody ever joins or detaches, and there are no detached
 * threads: numbers in use stay in use, so that the next free one is the same in s and pi(s). C is
 * all threads;
 * -- one manager m, parked at the first of a *row*: creations (of threads that do not manage), then
 * joins, without another visible operation of m in between but reading globals that nobody else
 * writes, where ids may lie. What m does in a row does not depend on the others but for how long it
 * takes. C is those that the row joins. Their numbers are freed by m itself, after the last
 * creation, and at the end of the row all of C is gone: then s and pi(s) have become the same
 * state.
 *
 * 3. The order of joins. Behind the last creation of the row, all the joins still to come are one
 * wait for all of C. A join whose thread has ended, or a read, depends on nothing that others do
 * (they neither create nor join nor detach), is seen by nobody and does not fail: m moves alone
 * then, as with a persistent set {m}; it is done finitely often before the row ends. If m is
 * blocked the key has the components of m as they will be at the end of the row, and threads of the
 * row that have ended count as joined already: which ones m has joined so far does not matter. So
 * states with equal keys are no longer permutations of each other, but become so by joins of m
 * only, which must be done before m can do anything else. If m is not
 * blocked its own components stand in the key: it goes on from each such state. Leaks and
 * invariants are about whole states and could tell how far m is, and so could a depth limit: there
 * are no rows then.
 *
 * Sleep sets are stored by the number that a thread has in the key. They talk of operations that
 * are possible: a manager blocked in a row is never in one. Persistent sets are those of the state
 * at hand. Any set that is right for one of two permuted states is, permuted, right for the other,
 * so it does not matter from which the search goes on; a cycle of keys is part of a cycle of
 * states.
 */
#ifndef PV_SYMMETRY_H
#define PV_SYMMETRY_H

#include "engine.h"
#include "explore/space.h"

/* What the program's text says, for all of its states. */
struct pv_symmetry_facts {
  const char *obstacle; /* why no threads are permuted: completes "because the program ..."; NULL */
  bool in_memory;       /* addresses of objects that threads make may lie in memory */
  bool detaches;        /* threads may be detached */
  bool nested;          /* created threads may create, join or detach */
  uint8_t *written;     /* by global: created threads may write to it */
};
struct pv_symmetry_facts pv_symmetry_facts(const struct pv_program *p); /* to be cleared */
void pv_symmetry_facts_clear(struct pv_symmetry_facts *f);

struct pv_symmetry;
/* The space's states are found by keys from now on. All is borrowed. Before the space starts. */
struct pv_symmetry *pv_symmetry_new(const struct pv_task *task, const struct pv_sched *sched,
                                    struct pv_space *space);
void pv_symmetry_free(struct pv_symmetry *y);                  /* NULL is fine */
const char *pv_symmetry_obstacle(const struct pv_symmetry *y); /* as above */
/* The number of the state at hand among the keys. */
uint32_t pv_symmetry_save(struct pv_symmetry *y, bool *is_new);
/* For the state saved last: a set of its threads by their numbers in the key, and back. y may be
 * NULL: every thread keeps its number. */
uint64_t pv_symmetry_to_key(const struct pv_symmetry *y, uint64_t threads);
uint64_t pv_symmetry_from_key(const struct pv_symmetry *y, uint64_t threads);
/* The manager that moves alone in the state saved last, or UINT32_MAX. */
unsigned pv_symmetry_alone(const struct pv_symmetry *y);

#endif
