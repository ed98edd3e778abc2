/* value_refine.c -- which cells must be tracked so that values exclude a path, and where. */
#include "cpa/scheduler.h"
#include "cpa/value_internal.h"

#include <stdlib.h>
#include <string.h>

static void need(struct pv_value_analysis *v, pv_term t, pv_cells *needed) {
  pv_terms constants = {0};
  pv_smt_constants(v->smt, t, &constants);
  for (uint32_t i = 0; i < constants.n; i++) {
    uint32_t cell = pv_symbolic_cell_of(v->symbolic, constants.at[i]);
    if (cell != UINT32_MAX) pv_cells_add(needed, cell);
  }
  pv_vec_free(&constants);
}

/* A value without a term depends on everything that the step read. */
static void need_reads(const struct pv_sym_step *step, pv_cells *needed) {
  for (uint32_t i = 0; i < step->n_reads; i++) pv_cells_add(needed, step->reads[i]);
}

/* Adds what must be known before the move so that the needed cells are known after it. */
static void need_before(struct pv_value_analysis *v, const struct pv_move *move, pv_cells *needed) {
  const struct pv_sym *entry = pv_symbolic_entry(v->symbolic);
  const struct pv_sym_step *step = pv_symbolic_step(v->symbolic, entry, move);
  if (!step->next) return;
  pv_cells before = {0};
  for (uint32_t i = 0; i < needed->n; i++) {
    pv_term value = pv_symbolic_value(v->symbolic, step->next, needed->at[i]);
    need(v, value, &before);
    if (value != pv_symbolic_cell(v->symbolic, needed->at[i])->entry) need_reads(step, &before);
  }
  pv_vec_free(needed);
  *needed = before;
}

/* Is the cell's value after the move the one before it, or a part of that? */
static bool comes_through(struct pv_value_analysis *v, const struct pv_move *move, uint32_t cell) {
  const struct pv_cell *c = pv_symbolic_cell(v->symbolic, cell);
  if (c->kind == PV_CELL_VARIABLE &&
      pv_control_instance(v->control, move->frame, c->a, c->instance) == PV_NO_FRAME)
    return false;
  const struct pv_sym *entry = pv_symbolic_entry(v->symbolic);
  const struct pv_sym *next = pv_symbolic_step(v->symbolic, entry, move)->next;
  if (!next) return false;
  pv_term value = pv_symbolic_value(v->symbolic, next, cell);
  pv_term before = pv_symbolic_cell(v->symbolic, cell)->entry;
  pv_terms constants = {0};
  bool found = value == before;
  if (!found) pv_smt_constants(v->smt, value, &constants);
  for (uint32_t i = 0; i < constants.n; i++) found |= constants.at[i] == before;
  pv_vec_free(&constants);
  return found;
}

/* Adds a needed cell at all points from which its value may come, on any path: other paths to the
 * same point will need it, too. */
static void spread(struct pv_value_analysis *v, struct pv_point at, uint32_t cell) {
  PV_VEC(struct pv_point) todo = {0};
  pv_moves moves = {0};
  if (v->shares && !pv_value_is_given_up(v, cell)) pv_cells_add(&v->shared, cell);
  if (v->shares) return;
  if (!pv_value_is_given_up(v, cell) && pv_cells_add(pv_value_precision_at(v, at), cell))
    pv_vec_push(&todo, at);
  while (todo.n) {
    moves.n = 0;
    pv_control_moves_to(v->control, pv_vec_pop(&todo), &moves);
    for (uint32_t i = 0; i < moves.n; i++) {
      if (!comes_through(v, &moves.at[i], cell)) continue;
      pv_loc from = pv_move_edge(v->control, &moves.at[i])->from;
      struct pv_point before = {moves.at[i].frame, from, 0};
      if (pv_cells_add(pv_value_precision_at(v, before), cell)) pv_vec_push(&todo, before);
    }
  }
  pv_vec_free(&todo);
  pv_vec_free(&moves);
}

static bool ends_block(const struct pv_value_analysis *v, struct pv_point at) {
  return pv_control_is_switch(v->control, at) || pv_control_is_head(v->control, at);
}

/* Counts the cells that have another value. */
static void count_changes(const struct pv_sym *before, const struct pv_sym *after, pv_cells *out) {
  pv_cells cells = {0};
  pv_symbolic_differences(before, after, &cells);
  for (uint32_t i = 0; i < cells.n; i++) {
    while (out->n <= cells.at[i]) pv_vec_push(out, 0);
    out->at[cells.at[i]]++;
  }
  pv_vec_free(&cells);
}

/* A move of the path that the values exclude. */
struct excluded {
  uint32_t at;     /* the number of the move */
  pv_term failing; /* over the values before it */
  /* A call of the scheduler with unknown arguments. If they are known, it is executed with them. */
  bool calls;
};
typedef PV_VEC(struct excluded) excluded_moves;

/* COMPARED: how many of them are compared, the first ones and the last ones. LASTING: what
 * each value of a cell of memory costs, if it has several. Others cost 1: most variables are dead
 * at the ends of blocks. */
enum { COMPARED = 12, LASTING = 16 };

/* Is the move a call of an executed scheduler, with other arguments than those it was executed
 * with?
 */
static bool calls_unknown(const struct pv_value_analysis *v, const struct pv_move *move) {
  const struct pv_executed *x = pv_control_executed(v->control, move);
  return x && x->rest;
}

/* Finds what the values exclude, with everything known. The first one, or with `all` also those
 * after it, as if the assumptions excluded before were no part of the path: a sliced prefix (Beyer,
 * Loewe, Wendler, FORTE 2015). *changes: by cell, how often it has another value
 * at the ends of blocks; what it has in between matters less. */
static void find_excluded(struct pv_value_analysis *v, uint32_t n, const struct pv_move *moves,
                          const struct pv_sym_event *event, bool all, excluded_moves *out,
                          pv_cells *changes) {
  const struct pv_sym *state = pv_symbolic_start(v->symbolic), *last = state;
  const struct pv_sym *entry = pv_symbolic_entry(v->symbolic);
  for (uint32_t at = 0; at < n; at++) {
    const struct pv_sym_step *step = pv_symbolic_step(v->symbolic, state, &moves[at]);
    const struct pv_sym_step *plain = pv_symbolic_step(v->symbolic, entry, &moves[at]);
    pv_term failing = NULL;
    if (at == n - 1 && event) {
      /* The event is identified by place and message. */
      for (uint32_t i = 0; i < plain->n_events; i++)
        if (!strcmp(plain->events[i].message, event->message)) failing = plain->events[i].when;
      bool calls = calls_unknown(v, &moves[at]);
      for (uint32_t i = 0; i < step->n_events && !calls; i++)
        if (!strcmp(step->events[i].message, event->message)) failing = NULL;
      if (failing) pv_vec_push(out, ((struct excluded){at, failing, calls}));
      return;
    }
    if (step->next) {
      state = v->begins ? pv_value_keep_all(v, state, step->next, moves[at].to)
                        : pv_value_keep(v, state, step->next, NULL, moves[at].to);
      if (!all || !ends_block(v, moves[at].to)) continue;
      count_changes(last, state, changes);
      last = state;
      continue;
    }
    failing = plain->next ? pv_symbolic_condition(v->symbolic, plain->next) : NULL;
    if (!failing) return;
    pv_vec_push(out, ((struct excluded){at, failing, false}));
    if (!all || pv_move_edge(v->control, &moves[at])->op != PV_OP_ASSUME) return;
  }
}

/* The cells that must be known before each move so that this one is excluded: calls `each` for all
 * of them at all points, backwards. */
static void find_needed(struct pv_value_analysis *v, const struct pv_move *moves,
                        const struct excluded *x,
                        void (*each)(struct pv_value_analysis *v, struct pv_point at, uint32_t cell,
                                     void *user),
                        void *user) {
  pv_cells needed = {0};
  const struct pv_sym *entry = pv_symbolic_entry(v->symbolic);
  const struct pv_edge *edge = pv_move_edge(v->control, &moves[x->at]);
  need(v, x->failing, &needed);
  for (uint32_t i = 0; x->calls && i < edge->args.n && i < PV_CALL_ARGUMENTS; i++)
    need(v, pv_symbolic_argument(v->symbolic, entry, &moves[x->at], i), &needed);
  need_reads(pv_symbolic_step(v->symbolic, entry, &moves[x->at]), &needed);
  for (uint32_t k = x->at; k-- > 0;) { /* the point after move k */
    for (uint32_t i = 0; i < needed.n; i++) each(v, moves[k].to, needed.at[i], user);
    need_before(v, &moves[k], &needed);
  }
  pv_vec_free(&needed);
}

static void track(struct pv_value_analysis *v, struct pv_point at, uint32_t cell, void *user) {
  (void)user;
  spread(v, at, cell);
}

static void collect(struct pv_value_analysis *v, struct pv_point at, uint32_t cell, void *user) {
  (void)v;
  (void)at;
  pv_cells_add(user, cell);
}

static uint64_t cost_of_cell(const struct pv_value_analysis *v, uint32_t cell, uint32_t changes) {
  bool is_variable = pv_symbolic_cell(v->symbolic, cell)->kind == PV_CELL_VARIABLE;
  return changes <= 1 || is_variable ? 1 : LASTING * changes;
}

/* What it costs to know the cells that exclude the move: the values that those which are not
 * tracked yet have on the path. UINT64_MAX: one of them was given up. */
static uint64_t cost_of(struct pv_value_analysis *v, const struct pv_move *moves,
                        const struct excluded *x, const pv_cells *changes) {
  pv_cells cells = {0};
  uint64_t cost = 0;
  find_needed(v, moves, x, collect, &cells);
  for (uint32_t i = 0; i < cells.n && cost < UINT64_MAX; i++) {
    uint32_t cell = cells.at[i];
    if (pv_value_is_given_up(v, cell))
      cost = UINT64_MAX;
    else if (!pv_cells_contain(&v->shared, cell))
      cost += cost_of_cell(v, cell, cell < changes->n ? changes->at[cell] : 0);
  }
  pv_vec_free(&cells);
  return cost;
}

/* Refinement selection (Beyer, Loewe, Wendler, SPIN 2015): where precisions are shared, each new
 * cell multiplies the states everywhere. So that move is excluded which needs the fewest. */
bool pv_value_refine(struct pv_value_analysis *v, uint32_t n, const struct pv_move *moves,
                     const struct pv_sym_event *event) {
  excluded_moves all = {0};
  pv_cells changes = {0};
  uint32_t best = 0;
  uint64_t least = UINT64_MAX;
  find_excluded(v, n, moves, event, v->shares, &all, &changes);
  for (uint32_t i = 0; i < all.n && all.n > 1; i++) {
    if (i >= COMPARED / 2 && i + COMPARED / 2 < all.n) continue;
    uint64_t cost = cost_of(v, moves, &all.at[i], &changes);
    if (cost < least) {
      least = cost;
      best = i;
    }
  }
  bool found = all.n > 0;
  if (found) find_needed(v, moves, &all.at[best], track, NULL);
  pv_vec_free(&all);
  pv_vec_free(&changes);
  return found;
}

uint32_t pv_value_outdated(struct pv_value_analysis *v, const struct pv_cpa *cpa, uint32_t part,
                           const pv_moves *moves, const pv_cells *nodes) {
  const void *state = pv_value_initial(v);
  for (uint32_t i = 0; i < nodes->n; i++) {
    struct pv_post post = {0};
    pv_value_transfer(v, state, &moves->at[i], &post);
    state = post.state;
    if (!state) return i;
    bool passed = i + 1 < nodes->n && nodes->at[i + 1] == nodes->at[i];
    if (!passed && state != pv_cpa_node(cpa, nodes->at[i])->state.part[part]) return i;
  }
  return nodes->n;
}
