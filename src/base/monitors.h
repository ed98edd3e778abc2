/* monitors.h -- the conditions that bound a part of a symbolic analysis (option `condition`): how
 * much it may spend on one location, one step, one path or one refinement. What exceeds a bound is
 * left out and stays open, and the analysis goes on with the rest.
 *
 * Reference: figure 7 of Beyer, Henzinger, Keremoglu, Wendler, "Conditional model checking", FSE
 * 2012. Its first two conditions, total time and total space, are option `limit`. */
#ifndef PV_MONITORS_H
#define PV_MONITORS_H

#include "base/limits.h"

/* Name, key in the option, unit, help. */
/* clang-format off */
#define PV_MONITORS(X)                                                                             \
  X(STATES, "states", COUNT,                                                                       \
    "abstract states that are reached")                                                            \
  X(LOCATION, "states-per-location", COUNT,                                                        \
    "abstract states at one location of the program")                                              \
  X(EDGE, "busy-edge", COUNT,                                                                      \
    "successors that are computed for one edge of the program")                                    \
  X(POST_TIME, "post-time", SECONDS,                                                               \
    "time that one successor takes")                                                               \
  X(POST_MEMORY, "post-memory", BYTES,                                                             \
    "memory that one successor takes")                                                             \
  X(STATE_SIZE, "state-size", COUNT,                                                               \
    "known values of an abstract state, plus disjuncts of its predicates")                         \
  X(PATH_LENGTH, "path-length", COUNT,                                                             \
    "abstract states on a path")                                                                   \
  X(PATH_TIME, "path-time", SECONDS,                                                               \
    "time that the successors on a path take")                                                     \
  X(PATH_REPETITIONS, "path-repetitions", COUNT,                                                   \
    "visits of one loop head or function on a path")                                               \
  X(PATH_ASSUMES, "path-assumes", COUNT,                                                           \
    "branches on a path")                                                                          \
  X(PATH_SWITCHES, "path-switches", COUNT,                                                         \
    "threads that a cooperative scheduler chooses on a path (engine esst)")                        \
  X(PATH_INSTANTS, "path-instants", COUNT,                                                         \
    "instants of a cooperative scheduler that end on a path (engine esst)")                        \
  X(REFINEMENT_TIME, "refinement-time", SECONDS,                                                   \
    "time that one refinement takes")                                                              \
  X(REFINEMENT_MEMORY, "refinement-memory", BYTES,                                                 \
    "memory that one refinement takes")                                                            \
  X(PATH_FORMULA, "path-formula", COUNT,                                                           \
    "operations in the formula of an error path")
/* clang-format on */
enum pv_monitor_kind {
#define X(N, K, U, H) PV_MONITOR_##N,
  PV_MONITORS(X)
#undef X
      PV_MONITOR_COUNT
};
struct pv_monitor_info {
  const char *key;
  enum pv_unit unit;
  const char *help;
};
extern const struct pv_monitor_info pv_monitor_table[PV_MONITOR_COUNT];

struct pv_monitors {
  double most[PV_MONITOR_COUNT]; /* number, seconds or bytes; 0: no bound */
};
/* Parses "busy-edge=20,post-time=2s" into *m, with the units of pv_limits_parse. An error is
 * PV_E_INPUT with a message in `err`, and *m is unchanged then. */
enum pv_status pv_monitors_parse(const char *text, struct pv_monitors *m, struct pv_str *err);
/* Does it have a bound? */
bool pv_monitors_any(const struct pv_monitors *m);
/* Appends one of them as it is written: "busy-edge=20". */
void pv_monitors_print(const struct pv_monitors *m, enum pv_monitor_kind kind, struct pv_str *out);

#endif
