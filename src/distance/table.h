/* table.h -- the distances of a program, line by line: what `proviso distances` shows.
 *
 * A row is a line of source in one function of the program's own code that runs; its distances are
 * those of the line's first location, which is where a thread is that comes to the line. Rows are
 * in the order of files, functions and lines. */
#ifndef PV_DISTANCE_TABLE_H
#define PV_DISTANCE_TABLE_H

#include "base/limits.h"
#include "base/options.h"
#include "distance/estimate.h"
#include "distance/program.h"

struct pv_distance_row {
  uint32_t function, span; /* of the program: the first location's */
  pv_loc loc;
  /* FSM: `end` is EFSM's with k = 0. EFSM: the least over all contexts. */
  struct pv_distance distance;
  bool target; /* some location of the line is one */
};
struct pv_distance_table {
  PV_VEC(struct pv_distance_row) rows;
  pv_properties properties;     /* whose targets they are */
  uint32_t targets;             /* places */
  uint32_t nodes, edges, calls; /* of the graph */
  uint64_t bounded;             /* nodes of EFSM's graph, or 0 */
  bool creates;                 /* some row has a distance through a thread to be created */
  /* Processor time, seconds: points-to sets and calls; targets; the graph; the distances (EFSM: of
   * all contexts). */
  double analysis, finding, graph, search;
};

/* The properties that a table is about: those asked for by name, else unreach-call and whatever an
 * automaton or an invariant asks for; nothing else if there are regions of mutual exclusion. */
pv_properties pv_distance_properties(const struct pv_options *o);

/* FSM, EFSM or FCA: what option heuristic means for places, which have no stack. */
enum pv_heuristic pv_distance_heuristic(const struct pv_options *o);

/* Options mutex-region, heuristic, cost and context say what is measured. PV_E_INPUT: a region is
 * not there, or the graph of EFSM is too large; PV_E_LIMIT: not within `limits` (started; looked at
 * between EFSM's searches); `err` says so. To be cleared. */
enum pv_status pv_distance_table_make(const struct pv_program *p, const struct pv_options *o,
                                      struct pv_limits *limits, struct pv_distance_table *out,
                                      struct pv_str *err);
void pv_distance_table_clear(struct pv_distance_table *t);

#endif
