/* proviso_internal.h -- the parts of a handle that the command line uses beyond the public API. */
#ifndef PROVISO_INTERNAL_H
#define PROVISO_INTERNAL_H

#include "condition/file.h"
#include "engine.h"
#include "proviso.h"
#include "report/report.h"
#include "witness/witness.h"

struct pv_cli_task;
struct proviso {
  struct pv_options options;
  struct pv_program *program; /* NULL until loaded */
  struct pv_result result;
  /* Bitcode that several checks share (frontend/compiled.h); NULL: each check has its own.
   * Borrowed. */
  struct pv_compiled *compiled;
  const char *engine;  /* the one that ran; NULL before */
  const char *command; /* for reports */
  struct pv_listeners listeners;
  struct pv_stats now;              /* while it runs: what was told last */
  PV_VEC(struct pv_sample) samples; /* of this run, for --report */
  void (*log)(const char *what);    /* reports the phase that begins; or NULL */
  struct pv_condition_file given;   /* option given; engine == NULL: not read */
  const struct pv_witness *witness; /* borrowed: is woven into the program; NULL: none */
  unsigned weaving;                 /* PV_WEAVE_* (witness/weave.h): how */
  const struct pv_cli_task *task;   /* borrowed: what is expected (cli/task.h); NULL: nothing */
  bool checked;                     /* `result` holds a result */
  struct pv_str error, text, json, harness, ir, line, distances;
  /* Files for what is added to the state of an engine between two interim conditions: of this run,
   * and of the one it continues. NULL: none. */
  char *increments, *given_increments;
  struct pv_sharing sharing; /* of the task, if a condition is written */
  /* For tests: the process ends with the status at the n-th moment at which an interim condition
   * may be written, and then it is. 0: it does not. */
  unsigned most_interim, interims;
  int interim_status;
  PV_VEC(char *) sentences; /* of provisos and violations, as returned to the caller */
};

/* The distance of each line of p's files from the end of its function and from errors, as text
 * (borrowed; NULL on error). The same is appended to *json, unless NULL, as an object. */
const char *proviso_distances(proviso *p, struct pv_str *json);

/* After a check: the graph of its reachable states if there are few (plan/states.h). The caller
 * clears *out. */
struct pv_state_graph;
bool proviso_states(proviso *p, struct pv_state_graph *out);

/* Executes p's program once (monitor/observe.h). false: p->error says why not. */
struct pv_observation;
bool proviso_observe(proviso *p, struct pv_observation *out);
/* Looks for each warning in other executions (plan/confirm.h). p->result becomes the result. */
struct pv_verdict_on_warning;
proviso_status proviso_confirm(proviso *p, const struct pv_observation *o,
                               struct pv_verdict_on_warning **out);

/* After a replay: shows the error in the real program (native/replay.h). */
struct pv_native_asked;
struct pv_native_outcome;
proviso_status proviso_replay_native(proviso *p, const struct pv_native_asked *asked,
                                     struct pv_native_outcome *out);

/* After proviso_observe: imposes the schedule and the inputs of the last execution on the real
 * program, and analyses the trace of that. The caller clears *out and *traced, which are zero at
 * first. */
proviso_status proviso_observe_native(proviso *p, const struct pv_observation *seen,
                                      struct pv_observation *traced, struct pv_native_outcome *out);

/* The report of the last check. `colour`: for a terminal. */
struct pv_report proviso_report(const proviso *p, bool colour);

/* After a check: writes the condition of the result to the file that option `proviso` names. */
proviso_status proviso_write_condition(proviso *p);

struct pv_record;
/* Replays a recorded violation (number `violation`, from 0): loads p's files and executes the
 * recorded choices. Then p->result is `false` with the violation, or `unknown` with the reason. */
proviso_status proviso_replay(proviso *p, const struct pv_record *record, uint32_t violation);

/* ---- between the files of the handle --------------------------------------------------------- */
/* The status for the caller; p->error gets a message if it has none. */
proviso_status pv_handle_outcome(proviso *p, enum pv_status status);

/* Is the condition that option `given` names an automaton of CPAchecker? It is woven into the
 * program then. */
bool pv_handle_has_automaton(const proviso *p);
/* Reads the condition that option `given` names into p->given, unless that is done. The program is
 * loaded. PV_E_INPUT: p->error says what is wrong with it. */
enum pv_status pv_handle_read_given(proviso *p);
/* The condition that this run continues (borrowed); NULL: there is none, or it is about other
 * properties. */
const struct pv_condition *pv_handle_given(const proviso *p);
/* For pv_task.checkpoint: writes an interim condition. `user` is the handle. That it cannot be
 * written is told at the end. */
void pv_handle_checkpoint(void *user, const struct pv_result *r);
/* For pv_task.sharing (borrowed); NULL: no condition is written. */
const struct pv_sharing *pv_handle_sharing(proviso *p);
/* Sets p->increments and p->given_increments. */
void pv_handle_find_increments(proviso *p);

#endif
