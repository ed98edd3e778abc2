/* search.h -- stateful search over stored states: one expansion step, several orders.
 *
 * A *transition* is a choice (thread, way) from a stored state. Visiting a state for the first time
 * checks what it shows (races, deadlock, invariants) and asks the reduction which threads have to
 * move. Of these, the ones in the *sleep set* are left out (Godefroid, LNCS 1032, ch. 5): their
 * transitions, done first, were or will be explored from an earlier state, and nothing since then
 * depends on them. A state may be reached again with a smaller sleep set: then the transitions that
 * were left out for the larger one are explored now. Each state keeps the set of threads that are
 * still left out.
 *
 * Why no error is lost. Let w be the rest of an error's path at an explored state s, and call a
 * transition c possible at s *suitable* if it can be moved to the front of w, or is independent of
 * all of w and neither goes back (pv_space_step) nor ends the path. Invariant of the walk: no
 * suitable transition is in the sleep set. Choose the suitable transition that was explored first
 * at s, visits with smaller sleep sets counting as earlier (they pass on less). There is one: if
 * all threads move at s, the first step of w; else either a member of the persistent set occurs in
 * w and can be moved to its front, or none does and all members are independent of w, and none goes
 * back or ends the path (reduce.h). What is in the sleep set after c and suitable there was
 * suitable at s, so that it was in the sleep set at s, against the invariant, or explored before c,
 * against the choice. Either w gets shorter, or a thread gets forward in the order of places, which
 * it can only finitely many times. With the same argument every state is found if only sleep sets
 * are used, and breadth first at its depth. For a race, whose error is a state, "independent of all
 * of w" also means: not by one of the two threads that race; a persistent set without a step of w
 * has neither (reduce.h).
 *
 * With --keep-going this holds of every error that some path meets before an error ended it, each
 * by property, place and message. A path ends at an error of a transition: after c, w is still
 * there. If a state that shows an error ended it, too, or a race inside a section, then c, done
 * early, could show another error there and cut w off: they end no path (pv_vm_passed).
 *
 * "Every state" is up to names of objects: which occurrence a new object gets depends on whether
 * somebody still points to an ended one (vm/vm.h), so that it and the step with which the last such
 * pointer goes commute up to that name only. States that differ in it have the same futures up to
 * it; where a program can tell names apart, both are alternatives of the allocation. */
#ifndef PV_SEARCH_H
#define PV_SEARCH_H

#include "explore/moves.h"
#include "explore/reduce.h"
#include "explore/space.h"

/* Sets of threads by state, in as few bytes as the threads in use allow. */
struct pv_masks {
  uint8_t *at;
  uint32_t n, cap; /* states */
  unsigned width;  /* bytes a set: 1, 2, 4, 8 */
};
pv_threads pv_masks_get(const struct pv_masks *m, uint32_t state); /* {} where never set */
void pv_masks_set(struct pv_masks *m, uint32_t state, pv_threads set);
void pv_masks_free(struct pv_masks *m);

struct pv_guide; /* guide.h */

enum { PV_SEARCH_THREADS = 64 }; /* of the search itself, at most */

struct pv_search {
  const struct pv_task *task;
  const struct pv_sched *sched;
  struct pv_result *result;
  struct pv_vm *vm;
  struct pv_space space;
  struct pv_moves_cache *cache;
  struct pv_moves moves;    /* of the state visited last for the first time */
  struct pv_reduce *reduce; /* NULL: every able thread moves */
  bool sleep;               /* use sleep sets */
  /* Persistent sets that find nothing for a while rest for a while; any mixture of states where
   * they are used and states where all threads move is right (reduce.h). */
  struct {
    bool on;         /* may they rest? */
    uint64_t before; /* result->stats.reduced before this window of states, */
    uint32_t asked;  /* those in it so far */
    uint32_t left;   /* states without */
  } rest;
  struct pv_masks
      left_out; /* by state: in the sleep set when it was visited, and not explored since */
  PV_VEC(struct pv_choice) path; /* filled by `trace` before a report */
  void (*trace)(void *order);
  void *order;
  struct pv_map reported; /* errors already reported, by property, place and message */
  /* One of several workers: what it finds is told to this instead of reported, and its limits are
   * noted by whoever joins the workers. NULL: the only one. `last` as in pv_search_report. */
  void (*found)(void *order, const struct pv_event *e, const struct pv_choice *last);
  uint64_t lot;     /* the state of what draws lots (base/random.h) */
  bool lots;        /* states that are equally near are taken by lot */
  uint64_t budget;  /* transitions after which it stops, without a proviso; 0: none */
  bool spent;       /* ... and it did */
  bool limited;     /* a limit was hit and its proviso noted */
  uint64_t waiting; /* states not explored to the end yet, before this transition */
  bool stop;        /* the first error was found, or a limit was hit */
};

/* Runs the search to its end; adds violations and provisos to the result. */
void pv_search_dfs(struct pv_search *s);
void pv_search_bfs(struct pv_search *s);
/* By estimates, searches best, astar and beam: see best.c. */
void pv_search_best(struct pv_search *s, enum pv_search_kind kind, struct pv_guide *guide);
/* From state to state, by estimates or by lot: see walk.c. */
void pv_search_greedy(struct pv_search *s, struct pv_guide *guide);
void pv_search_walk(struct pv_search *s);
/* Some of them in turn: see portfolio.c. */
void pv_search_portfolio(const struct pv_task *task, struct pv_result *result);
/* One search from set-up to verdict, in the order that the options say; false: its budget was
 * spent, and the result says nothing but what was found. turn: NULL for the only one. */
struct pv_search_turn {
  uint64_t lot, budget;
  struct pv_guide *guide; /* borrowed */
};
bool pv_search_run(const struct pv_task *task, const struct pv_search_turn *turn,
                   struct pv_result *result);
/* Breadth first by several threads, without sleep sets; see parallel.c. `make` makes a worker that
 * searches the same task with a machine of its own, in its initial state; `end` frees it. */
void pv_search_parallel(struct pv_search *s, unsigned threads,
                        struct pv_search *(*make)(void *user),
                        void (*end)(struct pv_search *worker), void *user);

/* ---- shared by the orders ---------------------------------------------------------------------
 */
/* What is to be explored from a state on one visit. */
struct pv_visit {
  uint32_t state;
  struct pv_mark mark;
  pv_threads todo;      /* threads to move */
  pv_threads sleep_set; /* passed on to the successors: in the sleep set on arrival, or explored on
                           this visit */
  pv_threads rest; /* threads that have to move only if the one that does goes back, or its path
                      ends */
};
/* Reports the errors that the state at hand shows. */
void pv_search_look(struct pv_search *s);
/* Visits the state at hand for the first time, with that sleep set on arrival. An error it shows is
 * reported. */
struct pv_visit pv_search_first_visit(struct pv_search *s, pv_threads sleep_set);
/* A known state was reached with that sleep set: true if there is something to explore that was
 * left out so far; its set is brought up to date. */
bool pv_search_visit_again(struct pv_search *s, uint32_t state, pv_threads sleep_set,
                           struct pv_visit *visit);
/* The sleep set of thread t's successors from the state at hand, and t goes to sleep for the rest
 * of the visit. */
pv_threads pv_search_pass(struct pv_search *s, struct pv_visit *visit, unsigned t);
/* Runs one transition of the visit from its state, puts `rest` on the list if it has to be. */
enum pv_outcome pv_search_step(struct pv_search *s, struct pv_visit *visit, struct pv_choice c);
/* Explores all of a visit: `arrive` is called for every transition that led to a state, found but
 * not entered, with the sleep set of its successors. */
typedef void (*pv_search_arrive)(void *order, struct pv_choice c, uint32_t state, bool is_new,
                                 pv_threads pass);
void pv_search_explore(struct pv_search *s, struct pv_visit *visit, pv_search_arrive arrive);
/* Reports an error, unless it was before, at the end of the path (plus `last`, if not NULL). */
void pv_search_report(struct pv_search *s, const struct pv_event *e, const struct pv_choice *last);
/* true: a limit was hit; its proviso is noted and s->stop set. */
bool pv_search_limit(struct pv_search *s, uint64_t waiting);
/* Bytes that the search must not take: what its tables grow by at once, and what the replay of an
 * error needs. For pv_limits; the user is the struct pv_search. */
uint64_t pv_search_reserve(void *search);
/* A path was not followed because of the depth limit. */
void pv_search_depth_cut(struct pv_search *s);
/* Now and then tells whoever wants to know how far the search is. */
void pv_search_progress(struct pv_search *s);
/* Brings the result's figures up to date. */
void pv_search_count(struct pv_search *s);

#endif
