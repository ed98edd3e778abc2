/* engine.h -- the interface of engines: a name and one function. Engines do not know each other;
 * plan/ registers them and chooses among them. */
#ifndef PV_ENGINE_H
#define PV_ENGINE_H

#include "base/events.h"
#include "base/limits.h"
#include "base/options.h"
#include "ir/ir.h"
#include "result/result.h"

/* Reports progress to a terminal; called a few times a second. */
typedef void (*pv_progress)(void *user, const struct pv_stats *stats);

/* Takes an interim result: what *result would be if the engine ended now. It is copied. */
typedef void (*pv_take_checkpoint)(void *user, const struct pv_result *result);

/* A schedule that an engine found: the edges that each thread takes, in program order, and the
 * order between visible operations of different threads. */
struct pv_turn {
  uint32_t thread, function, edge;
  uint32_t alternative; /* which one, if the edge has several */
};
/* What a load gave, where that may be memory that was never set. */
struct pv_loaded {
  uint32_t thread, function, edge;
  uint32_t before; /* loads that the thread did at this edge before */
  uint64_t value[2];
};
struct pv_schedule {
  const struct pv_turn *at;
  uint32_t n; /* 0: no schedule */
  const struct pv_loaded *loaded;
  uint32_t n_loaded;
};

/* What a runtime analysis found worth looking at (monitor/observe.h): a search moves only these
 * threads, with a proviso if that leaves something out, and is directed to these places. */
struct pv_focus {
  uint64_t threads;       /* bit t: thread t; 0: all */
  PV_VEC(uint32_t) spans; /* of edges; none: everything that an error of the property may be at */
};

/* How an engine gives away a part of what it still has to examine, while it runs. */
struct pv_sharing {
  bool (*asked)(void *user); /* shall it? It is asked often */
  /* Takes what the result would be if the engine ended now and kept the rest to itself, and the
   * condition whose open part it gives away. Each has an assumption about the other (condition/
   * split.h). false: the part is not given away. */
  bool (*take)(void *user, const struct pv_result *kept, const struct pv_result *away);
  void *user;
};

struct pv_task {
  const struct pv_program *program;
  const struct pv_options *options;
  struct pv_limits *limits; /* started by the caller */
  pv_properties properties;
  /* The condition of an earlier run of this program for these properties: its open parts are to be
   * examined, the rest is covered. An engine may examine more than is open, never less. NULL:
   * everything is open. */
  const struct pv_condition *given;
  bool wants_parts;    /* open parts are wanted as data, and not only as provisos */
  bool wants_state;    /* so is the state of the engine */
  bool wants_interim;  /* interim results are of use, with parts */
  bool process_ends;   /* right after the run; at a limit, memory need not be given back */
  bool wants_coverage; /* the result is to tell which edges are verified; this takes time */
  /* Runs the program with these inputs in the VM, for engines that find errors without executing
   * the program. As pv_replay_inputs (explore/replay.h). NULL: not available. */
  enum pv_status (*replay)(const struct pv_task *task, const struct pv_input *inputs, uint32_t n,
                           const struct pv_schedule *schedule, const struct pv_error_key *wanted,
                           struct pv_violation *out);
  /* Replays a path of the VM: as pv_replay (explore/replay.h). */
  enum pv_status (*replay_choices)(const struct pv_task *task, const struct pv_choice *choices,
                                   uint32_t n, const struct pv_error_key *wanted,
                                   struct pv_violation *out);
  /* Minimises the error paths, for engines whose paths are paths of the VM: as pv_minimise
   * (explore/minimise.h). */
  void (*minimise)(const struct pv_task *task, struct pv_result *result);
  const struct pv_focus *focus;         /* engine explicit; NULL: none */
  const struct pv_listeners *listeners; /* NULL: nobody listens to events */
  pv_progress progress;
  void *progress_user;
  pv_take_checkpoint checkpoint; /* NULL: interim results are not wanted */
  void *checkpoint_user;
  /* Searches the executions of the program in the VM, as engine explicit does: for engines that
   * leave a candidate to it. NULL: not available. */
  enum pv_status (*search)(const struct pv_task *task, struct pv_result *result);
  /* A file for what is added to the state of the engine between two interim results, and that file
   * of the run that is continued. NULL: there is none. */
  const char *increments, *given_increments;
  const struct pv_sharing *sharing; /* NULL: nothing is given away */
  /* Seconds between two interim results, at least; 0: PV_CHECKPOINT_SECONDS; below 0: none, for
   * tests
   */
  double pause;
};

/* When an engine writes interim results. Zero-initialised, the first one is due after a tenth of
 * the pause: it is small, and without one a run that is killed is lost. */
struct pv_checkpoint_timer {
  double next;  /* on pv_clock */
  double pause; /* seconds, at least */
};
enum { PV_CHECKPOINT_SECONDS = 1, PV_CHECKPOINT_SHARE = 30, PV_CHECKPOINT_FIRST = 10 };
/* Is it time? Checkpoints take at most one part in PV_CHECKPOINT_SHARE of the time. */
static inline bool pv_checkpoint_is_due(const struct pv_task *task, struct pv_checkpoint_timer *t) {
  if (!task->checkpoint || !task->wants_interim) return false;
  if (task->pause < 0) return true;
  double now = pv_clock();
  t->pause = task->pause > 0 ? task->pause : PV_CHECKPOINT_SECONDS;
  if (!t->next) t->next = now + t->pause / PV_CHECKPOINT_FIRST;
  return now >= t->next;
}
/* Call it after a checkpoint was written; `began`: when that began, on pv_clock. */
static inline void pv_checkpoint_done(struct pv_checkpoint_timer *t, double began) {
  double now = pv_clock(), pause = (now - began) * PV_CHECKPOINT_SHARE;
  t->next = now + (pause > t->pause ? pause : t->pause);
}

/* Engines that are `isolated` call this regularly, so that little is lost if they crash. The result
 * must satisfy all rules: provisos for everything that is not covered yet, replayed violations. */
static inline void pv_checkpoint(const struct pv_task *task, const struct pv_result *result) {
  if (task->checkpoint) task->checkpoint(task->checkpoint_user, result);
}

struct pv_engine {
  const char *name, *help;
  /* Fills *result, which the caller zero-initialises. Every run ends with a verdict and a
   * condition: limits, unsupported constructs and internal failures become provisos. Every
   * violation was replayed. Returns a status other than PV_OK only if one of our own invariants is
   * broken. */
  enum pv_status (*run)(const struct pv_task *task, struct pv_result *result);
  /* It uses libraries that may crash, exhaust memory or ignore limits, so it runs in a process of
   * its own (plan/isolate.h). */
  bool isolated;
  /* It can analyse programs whose threads are cooperative (sched.h: not preemptive). */
  bool cooperative;
  bool temporal;           /* it checks properties of whole executions */
  bool instants;           /* of these, it checks no-endless-instant */
  bool one_error;          /* it stops at the first error even with --keep-going */
  pv_properties unchecked; /* properties that it never checks; `auto` uses other engines for them */
  /* Can it use what the given condition of the task leaves open? If not, it examines all
   * executions, and plan/ tells the user. NULL: it uses no condition. The forms that each engine
   * uses (docs/conditions.md has the details):
   *
   *                               automaton      frontier  bound        inputs         own state
   *   explicit                    yes            yes       no           no             yes
   *   dpor                        as a frontier  yes       preemptions  no             yes
   *   value, predicate, composite yes            yes       no           one thread     no
   *   bmc                         small ones     no        loops        one thread     no
   *   kinduction                  small ones     no        loops        one thread     yes
   *   esst                        yes            no        no           no             no */
  bool (*takes)(const struct pv_task *task);
  /* Optional: checks the files that the options name for this engine, before it runs. PV_E_INPUT if
   * one of them is wrong; *message then says why. */
  enum pv_status (*check)(const struct pv_task *task, struct pv_str *message);
};

extern const struct pv_engine *const pv_engines[]; /* plan/registry.c; NULL-terminated */

#endif
