/* search.h -- stateful search over stored states: one expansion step, several orders.
 *
 * A *transition* is a choice (thread, way) from a stored state. Expanding a state checks what the
 * state shows (races, deadlock, invariants), asks the reduction which threads have to move, and
 * runs their transitions. The order decides which state is expanded next; see frontier in search.c.
 */
#ifndef PV_SEARCH_H
#define PV_SEARCH_H

#include "explore/reduce.h"
#include "explore/space.h"

struct pv_search {
  const struct pv_task *task;
  struct pv_result *result;
  struct pv_vm *vm;
  struct pv_space space;
  struct pv_reduce *reduce;      /* NULL: every enabled thread moves */
  PV_VEC(struct pv_choice) path; /* to the state at hand; kept by DFS, found by `trace` */
  void (*trace)(void *order);    /* fills `path` before a report; NULL if it is always filled */
  void *order;
  struct pv_map reported; /* errors already reported, by property, place and message */
  bool limited;           /* a limit was hit and its proviso noted */
  bool stop;              /* the first error was found, or a limit was hit */
};

/* Runs the search to its end; adds violations and provisos to the result. */
void pv_search_dfs(struct pv_search *s);
void pv_search_bfs(struct pv_search *s);

/* ---- shared by the orders ---------------------------------------------------------------------
 */
struct pv_expansion {
  unsigned n; /* thread slots */
  struct pv_pending pending[PV_MAX_THREADS];
  unsigned exclusive; /* the only thread that may move, or UINT32_MAX */
  int single;         /* a thread that suffices by the reduction, or -1 */
};
/* Looks at the state at hand; false: it needs no successors (an error was reported, or all is
 * over). */
bool pv_search_expand(struct pv_search *s, struct pv_expansion *e);
/* Reports what the machine's event says happened at the end of the path (plus `last`, if not NULL).
 */
void pv_search_report(struct pv_search *s, const struct pv_choice *last);
/* true: a limit was hit; its proviso is noted and s->stop set. */
bool pv_search_limit(struct pv_search *s, uint64_t waiting);
/* Runs one transition from the state at hand and counts it. */
enum pv_outcome pv_search_step(struct pv_search *s, struct pv_choice c);

#endif
