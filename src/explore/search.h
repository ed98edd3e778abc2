/* search.h -- stateful search: one expansion step, several search orders.
 *
 * A transition is a choice (thread, alternative) from a stored state. The first visit of a state
 * checks what the state shows (races, deadlocks, invariants) and computes the threads that have to
 * move. Threads in the sleep set are skipped (Godefroid, LNCS 1032, ch. 5): their transitions were
 * or will be explored from an earlier state, and nothing since then depends on them. A state may be
 * reached again with a smaller sleep set; then the skipped transitions outside of the new set are
 * explored. Each state stores the threads that are still skipped.
 *
 * Why no error is lost. Let w be the rest of an error path from an explored state s. Call an
 * enabled transition c suitable if it can be moved to the front of w, or if it is independent of
 * all of w and neither goes back (pv_space_step) nor ends the path. Invariant: no suitable
 * transition is in the sleep set. Take the suitable transition that was explored first at s; visits
 * with smaller sleep sets, which pass on less, count as earlier. One exists: if all threads move at
 * s, the first step of w. Otherwise either a member of the persistent set occurs in w and can be
 * moved to its front; or none does, and all members are independent of w and neither go back nor
 * end the path (reduce.h). A transition that is suitable and in the sleep set after c was suitable
 * at s. So either it was in the sleep set at s, which contradicts the invariant, or it was explored
 * before c, which contradicts the choice of c. Each step makes w shorter or advances a thread in
 * the order of places, which is possible only finitely often. The same argument shows that sleep
 * sets alone find every state, and in breadth-first search at its depth. For a race, whose error is
 * a state, "independent of all of w" also means: not a step of one of the two racing threads; a
 * persistent set without a step of w has none (reduce.h).
 *
 * With --keep-going this holds for every error (property, location, message) that some path meets
 * before another error ends it. A path ends at an error of a transition: after c, w is still there.
 * Errors of states, and races inside of sections, do not end paths (pv_vm_passed). Otherwise c,
 * executed early, could reveal another error and cut off w.
 *
 * "Every state" is meant up to names of objects. The occurrence number of a new object depends on
 * whether a pointer to an ended object is left (vm/vm.h). So the allocation and the step that drops
 * the last such pointer commute only up to that name. States that differ in a name have equal
 * futures up to the name; where a program can distinguish names, both are alternatives of the
 * allocation. */
#ifndef PV_SEARCH_H
#define PV_SEARCH_H

#include "vm/coverage.h"
#include "explore/moves.h"
#include "explore/reduce.h"
#include "explore/space.h"

struct pv_bytes;

/* A set of threads for each state. */
struct pv_masks {
  uint8_t *at;
  uint32_t n, cap;          /* states */
  unsigned width;           /* bytes per set: 1, 2, 4, 8 */
  uint32_t kept;            /* changes of the sets of states before that one are noted: */
  PV_VEC(uint32_t) changed; /* these states, perhaps some of them several times */
};
pv_threads pv_masks_get(const struct pv_masks *m, uint32_t state); /* empty if never set */
void pv_masks_set(struct pv_masks *m, uint32_t state, pv_threads set);
void pv_masks_free(struct pv_masks *m);

struct pv_guide; /* guide.h */

/* What is written while the search goes on (checkpoint.c). The whole state is written rarely,
 * because that takes longer the more states there are. In between, what was added since is appended
 * to another file. */
struct pv_increments {
  int fd;                    /* of that file, at its end; 0: none is written, or it `begins` */
  bool begins;               /* it is opened with the next increment */
  uint64_t state;            /* hash of the state that it continues */
  struct pv_space_mark mark; /* what is written already */
  struct pv_checkpoint_timer timer;
};

enum { PV_SEARCH_THREADS = 64 }; /* maximum number of search threads */

struct pv_search {
  const struct pv_task *task;
  const struct pv_sched *sched;
  struct pv_result *result;
  struct pv_vm *vm;
  struct pv_space space;
  struct pv_moves_cache *cache;
  struct pv_moves moves;    /* of the state whose first visit was the latest */
  struct pv_reduce *reduce; /* NULL: every able thread moves */
  bool sleep;               /* use sleep sets */
  pv_threads outside;       /* threads that the task's focus kept from moving */
  /* If persistent sets reduce nothing for a while, they are not computed for a while. Any mixture
   * of states with and without them is sound (reduce.h). */
  struct {
    bool on;         /* is this enabled? */
    uint64_t before; /* result->stats.reduced before the current window of states */
    uint32_t asked;  /* states in the window so far */
    uint32_t left;   /* remaining states without persistent sets */
  } rest;
  struct pv_coverage_recorder *coverage; /* NULL: not asked for */
  struct pv_listeners listeners;         /* those of the task, and the coverage */
  uint32_t told;                         /* the state in which listeners know the search to be */
  struct pv_masks left_out; /* by state: threads in its sleep set that were not explored later */
  PV_VEC(struct pv_choice) path; /* computed by `trace` before a report */
  void (*trace)(void *order);
  void *order;
  struct pv_map reported; /* errors already reported, by property, place and message */
  /* For one of several workers: receives errors instead of pv_search_report; limits are noted when
   * the workers are joined. NULL: a single search. `last` as in pv_search_report. */
  void (*found)(void *order, const struct pv_event *e, const struct pv_choice *last);
  /* For orders whose search can be continued in another run: appends the order's own state, and the
   * states that are not completely explored. NULL: cannot be continued. */
  void (*write)(void *order, bool more, struct pv_str *out); /* more: what changed since then */
  void (*open)(void *order, struct pv_open_part *out);
  /* The same at the end of a search that a limit ended, more closely. Returns false, and has
   * appended nothing, if that would take too long. Afterwards the search cannot go on. NULL: the
   * order has no such function. */
  bool (*settle)(void *order, struct pv_open_part *out);
  struct pv_registry *registry; /* owned; NULL: the search cannot be continued */
  struct pv_checkpoint_timer timer;
  struct pv_increments increments;
  bool keeps_visits;       /* which states were visited is kept: the store has others, too */
  PV_VEC(uint8_t) visited; /* by state */
  bool visits_all;         /* a state without a visit counts as new */
  uint64_t lot;            /* state of the random generator (base/random.h) */
  bool lots;               /* ties between states are broken at random */
  uint64_t budget;         /* stop after so many transitions, without a proviso; 0: no budget */
  bool spent;              /* the budget is used up */
  bool limited;            /* a limit was hit and its proviso noted */
  uint64_t waiting;        /* states not completely explored before this transition */
  uint64_t next_progress;  /* the number of transitions at which progress is told next */
  bool stop;               /* the first error was found, or a limit was hit */
};

/* Each of these runs a search to its end and adds violations and provisos to the result. */
void pv_search_dfs(struct pv_search *s);
void pv_search_bfs(struct pv_search *s);
/* Best-first orders best, astar and beam: best.c. */
void pv_search_best(struct pv_search *s, enum pv_search_kind kind, struct pv_guide *guide);
/* Walks, guided or random: walk.c. */
void pv_search_greedy(struct pv_search *s, struct pv_guide *guide);
void pv_search_walk(struct pv_search *s);
/* Several orders in turn: portfolio.c. */
void pv_search_portfolio(const struct pv_task *task, struct pv_result *result);
/* One search from set-up to verdict, in the order that the options select. false: its budget was
 * spent; then only the errors in the result are meaningful. turn: NULL for a single search. */
struct pv_search_turn {
  uint64_t lot, budget;
  struct pv_guide *guide; /* borrowed */
};
bool pv_search_run(const struct pv_task *task, const struct pv_search_turn *turn,
                   struct pv_result *result);
/* Parallel breadth-first search without sleep sets: parallel.c. `make` creates a worker for the
 * same task with its own machine in the initial state; `end` frees it. */
void pv_search_parallel(struct pv_search *s, unsigned threads,
                        struct pv_search *(*make)(void *user),
                        void (*end)(struct pv_search *worker), void *user);

/* ---- checkpoint.c: conditions in and out -----------------------------------------------------
 */
/* Makes s->registry if the task's search can be continued in another run. */
void pv_search_prepare(struct pv_search *s);
/* Between two transitions: writes an interim result if one is due. */
void pv_search_checkpoint(struct pv_search *s);
/* After the search: adds to the condition what a limit left open, as data. */
void pv_search_leave_open(struct pv_search *s);
/* Can the search use what the given condition of the task leaves open, or an own state? */
bool pv_search_takes(const struct pv_task *task);
/* Appends the state of the search, or what was added after the mark. */
void pv_search_put(struct pv_search *s, const struct pv_space_mark *from, struct pv_str *out);
/* The state of an earlier run of the same search, if the given condition has it. Its store becomes
 * this one's. Calls `read` for what s->write appended: first the whole, then what changed. Such a
 * function returns false if that is wrong. */
typedef bool pv_search_read(void *order, bool whole, struct pv_bytes *in);
bool pv_search_continue(struct pv_search *s, pv_search_read *read);
/* The search is over: no increments are written any more. */
void pv_search_close(struct pv_search *s);
/* The automaton of the given condition that the machine is to follow; NULL: none. */
const struct pv_open_part *pv_search_automaton(const struct pv_task *task);
/* Values of inputs that the given condition leaves open besides are open after the search. */
void pv_search_leave_inputs(const struct pv_search *s);
/* The prefixes that the given condition leaves open; NULL: all executions are open. */
const struct pv_open_part *pv_search_given(const struct pv_search *s);

/* ---- shared by the orders ---------------------------------------------------------------------
 */
/* One visit of a state. */
struct pv_visit {
  uint32_t state;
  struct pv_mark mark;
  pv_threads todo;      /* threads still to move */
  pv_threads sleep_set; /* passed on to the successors: in the sleep set on arrival, or explored on
                           this visit */
  pv_threads rest; /* threads that have to move only if the one that does goes back, or its path
                      ends */
};
/* Reports the errors that the current state shows. */
void pv_search_look(struct pv_search *s);
/* First visit of the current state, which was reached with this sleep set. Reports its errors. */
struct pv_visit pv_search_first_visit(struct pv_search *s, pv_threads sleep_set);
/* Was there a first visit of the state? Only if s->keeps_visits. */
bool pv_search_was_visited(const struct pv_search *s, uint32_t state);
/* A known state was reached with this sleep set. Returns true if skipped transitions must be
 * explored now; updates the set of skipped threads. */
bool pv_search_visit_again(struct pv_search *s, uint32_t state, pv_threads sleep_set,
                           struct pv_visit *visit);
/* Computes the sleep set for successors by thread t. Adds t to the sleep set for the rest of the
 * visit. */
pv_threads pv_search_pass(struct pv_search *s, struct pv_visit *visit, unsigned t);
/* A transition of the visit went back, or its path ended: moves `rest` to `todo`. */
void pv_search_wake(struct pv_search *s, struct pv_visit *visit);
/* Executes one transition of the visit; moves `rest` to `todo` if that is necessary. */
enum pv_outcome pv_search_step(struct pv_search *s, struct pv_visit *visit, struct pv_choice c);
/* The latest step of the visit led to this state: for listeners. */
void pv_search_tell_state(struct pv_search *s, const struct pv_visit *visit, struct pv_choice c,
                          uint32_t state, bool is_new);
static inline void pv_search_arrived(struct pv_search *s, const struct pv_visit *visit,
                                     struct pv_choice c, uint32_t state, bool is_new) {
  if (s->listeners.kinds) pv_search_tell_state(s, visit, c, state, is_new);
}
/* Explores all transitions of a visit. Calls `arrive` for each transition that led to a state; the
 * state has been found (pv_space_find) but not entered. */
typedef void (*pv_search_arrive)(void *order, struct pv_choice c, uint32_t state, bool is_new,
                                 pv_threads pass);
void pv_search_explore(struct pv_search *s, struct pv_visit *visit, pv_search_arrive arrive);
/* Reports an error at the end of the current path (extended by `last`, if not NULL), unless the
 * same error was reported before. */
void pv_search_report(struct pv_search *s, const struct pv_event *e, const struct pv_choice *last);
/* true: a limit was hit; a proviso was added and s->stop is set. */
bool pv_search_limit(struct pv_search *s, uint64_t waiting);
/* Memory to keep in reserve: the next growth of the tables, and the replay of an error. For
 * pv_limits.reserve; the user is the struct pv_search. */
uint64_t pv_search_reserve(void *search);
/* Notes that a path was cut at the depth limit. */
void pv_search_depth_cut(struct pv_search *s);
/* Reports progress now and then. */
void pv_search_progress(struct pv_search *s);
/* Updates the statistics of the result. */
void pv_search_count(struct pv_search *s);

#endif
