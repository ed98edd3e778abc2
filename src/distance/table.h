/* table.h -- the distances of a program line by line, as `proviso distances` shows them.
 *
 * A row is a source line in a reachable function of the program's own code. Its distances are those
 * of the line's first location, where a thread is when it reaches the line. Rows are sorted by
 * file, function and line. */
#ifndef PV_DISTANCE_TABLE_H
#define PV_DISTANCE_TABLE_H

#include "base/limits.h"
#include "base/options.h"
#include "distance/estimate.h"
#include "distance/program.h"

struct pv_distance_row {
  uint32_t function, span; /* of the program: those of the first location */
  pv_loc loc;
  /* FSM: `end` is that of EFSM with k = 0. EFSM: the minimum over all contexts. */
  struct pv_distance distance;
  bool target; /* the line contains a target */
};
struct pv_distance_table {
  PV_VEC(struct pv_distance_row) rows;
  pv_properties properties;     /* the properties whose errors are the targets */
  uint32_t targets;             /* number of targets */
  uint32_t nodes, edges, calls; /* of the graph */
  uint64_t bounded;             /* number of nodes of EFSM's graph, or 0 */
  bool creates;                 /* some row has a finite `create` */
  /* CPU time in seconds: points-to sets and calls; targets; the graph; the distances (EFSM: for all
   * contexts). */
  double analysis, finding, graph, search;
};

/* The properties whose errors are the targets: those given by name; else unreach-call and those of
 * automata and invariants, or none if there are regions of mutual exclusion. */
pv_properties pv_distance_properties(const struct pv_options *o);

/* FSM, EFSM or FCA: the meaning of option heuristic for locations, which have no stack. */
enum pv_heuristic pv_distance_heuristic(const struct pv_options *o);

/* Builds the table by the options mutex-region, heuristic, cost and context. PV_E_INPUT: a region
 * does not exist, or the graph of EFSM is too large; PV_E_LIMIT: a limit of `limits` (started by
 * the caller; checked between EFSM's searches) was hit; `err` has a message. *out must be cleared
 * by the caller. */
enum pv_status pv_distance_table_make(const struct pv_program *p, const struct pv_options *o,
                                      struct pv_limits *limits, struct pv_distance_table *out,
                                      struct pv_str *err);
void pv_distance_table_clear(struct pv_distance_table *t);

#endif
