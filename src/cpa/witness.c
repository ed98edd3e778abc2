#include "cpa/witness.h"

#include "cpa/monitor.h"
#include "cpa/scheduler.h"

#include <stdlib.h>
#include <string.h>

struct walk {
  struct pv_analysis_context *g;
  const struct pv_witness_path *path;
  const struct pv_sym_formula *formula;
  struct pv_model *model;
  struct pv_map *values; /* by block: entry constant or input -> index in `kept` */
  pv_terms kept;
  PV_VEC(struct pv_input) inputs;
  PV_VEC(struct pv_turn) turns; /* for programs with threads */
  PV_VEC(struct pv_loaded) loaded;
  struct pv_map loads; /* thread, function, edge -> loads so far */
};

/* ---- evaluation
 * ---------------------------------------------------------------------------------- */

static pv_term evaluate(struct walk *w, uint32_t block, pv_term t);

/* What the model says of a term that is no array; NULL: it cannot tell. */
static pv_term in_model(struct walk *w, pv_term t) {
  struct pv_sort sort = pv_smt_sort(w->g->smt, t);
  uint64_t lo = 0, hi = 0;
  if (sort.kind == PV_SORT_ARRAY || !pv_model_value(w->model, t, &lo, &hi)) return NULL;
  return sort.kind == PV_SORT_BOOL ? pv_smt_bool(w->g->smt, lo)
                                   : pv_smt_number(w->g->smt, sort, lo, hi);
}

/* The value of an input in a block: that of the model, or any value if the path does not depend on
 * it. Of an array, the constant of the formula. */
static pv_term input_value(struct walk *w, uint32_t block, pv_term input) {
  const struct pv_sym_names *names = &w->formula->names.at[block];
  pv_term versioned = input;
  for (uint32_t i = 0; i < names->from.n; i++)
    if (names->from.at[i] == input) versioned = names->to.at[i];
  if (pv_smt_sort(w->g->smt, input).kind == PV_SORT_ARRAY) return versioned;
  return in_model(w, versioned);
}

static pv_term value_of(struct walk *w, uint32_t block, pv_term constant) {
  const uint32_t *known = pv_map_get(&w->values[block], &constant, sizeof constant);
  if (known) return w->kept.at[*known];
  uint32_t cell = pv_symbolic_cell_of(w->g->symbolic, constant);
  pv_term v = NULL;
  if (cell == UINT32_MAX)
    v = input_value(w, block, constant);
  else if (block)
    v = evaluate(w, block - 1, pv_symbolic_value(w->g->symbolic, w->path->blocks[block - 1], cell));
  else /* what the program begins with: indeterminate memory */
    v = input_value(w, block, constant);
  if (!v) v = constant; /* any */
  pv_map_put(&w->values[block], &constant, sizeof constant, w->kept.n, NULL);
  pv_vec_push(&w->kept, v);
  return v;
}

/* The value of a term over the block's entry constants and inputs in this run. */
static pv_term evaluate(struct walk *w, uint32_t block, pv_term t) {
  pv_terms constants = {0}, values = {0};
  pv_smt_constants(w->g->smt, t, &constants);
  for (uint32_t i = 0; i < constants.n; i++)
    pv_vec_push(&values, value_of(w, block, constants.at[i]));
  if (constants.n) t = pv_smt_substitute(w->g->smt, t, constants.n, constants.at, values.at);
  pv_vec_free(&constants);
  pv_vec_free(&values);
  t = pv_smt_simplify(w->g->smt, t);
  struct pv_smt_shape shape;
  bool is_number = pv_smt_shape(w->g->smt, t, &shape) && shape.kind == PV_SHAPE_NUMBER;
  if (is_number || pv_smt_sort(w->g->smt, t).kind == PV_SORT_ARRAY) return t;
  pv_term v = in_model(w, t); /* it depends on arrays that are inputs */
  return v ? v : t;
}

/* ---- the way
 * ------------------------------------------------------------------------------------- */

static void take_bits(struct walk *w, pv_term value, pv_type type, uint64_t to[2]) {
  struct pv_smt_shape shape;
  unsigned bits = pv_type_bits(type);
  if (!pv_smt_shape(w->g->smt, value, &shape) || shape.kind != PV_SHAPE_NUMBER) return;
  to[0] = bits < 64 ? shape.lo & ((UINT64_C(1) << bits) - 1) : shape.lo;
  to[1] = bits <= 64 ? 0 : bits < 128 ? shape.hi & ((UINT64_C(1) << (bits - 64)) - 1) : shape.hi;
}

static void add_input(struct walk *w, uint32_t block, const struct pv_move *move,
                      const struct pv_sym_step *step) {
  const struct pv_edge *e = pv_move_edge(w->g->control, move);
  /* Where the machine follows an indeterminate value, it is no choice: step->input is NULL. */
  if (!step->input || (e->op != PV_OP_HAVOC && e->op != PV_OP_INDET)) return;
  struct pv_input in = {.site = e->op == PV_OP_HAVOC ? e->site + 1 : 0};
  take_bits(w, value_of(w, block, step->input), e->type, in.value);
  pv_vec_push(&w->inputs, in);
}

/* What the load gives, if the machine may have to be told. */
static void add_loaded(struct walk *w, uint32_t block, const struct pv_move *move,
                       const struct pv_sym_step *step) {
  if (!step->loaded) return;
  const struct pv_frame *f = pv_control_frame(w->g->control, move->frame);
  struct pv_loaded l = {.thread = f->thread, .function = f->function, .edge = move->edge};
  uint32_t key[] = {l.thread, l.function, l.edge};
  uint32_t *before = pv_map_put(&w->loads, key, sizeof key, 0, NULL);
  l.before = (*before)++;
  take_bits(w, evaluate(w, block, step->loaded), pv_move_edge(w->g->control, move)->type, l.value);
  pv_vec_push(&w->loaded, l);
}

static const struct pv_pred *pred_at(const struct walk *w, uint32_t node) {
  return pv_cpa_node(w->path->cpa, node)->state.part[w->path->part];
}

static bool is_end(const struct walk *w, uint32_t block, uint32_t node) {
  return block + 1 < w->path->n && pred_at(w, node) == w->path->ends[block];
}

/* One move along the run. Returns false if no move fits. */
static bool next(struct walk *w, uint32_t *node, uint32_t *block) {
  const struct pv_node *n = pv_cpa_node(w->path->cpa, *node);
  const struct pv_sym *sym = pred_at(w, *node)->sym;
  for (uint32_t i = 0; i < n->children.n; i++) {
    const struct pv_arg_edge *e = &n->children.at[i];
    const struct pv_sym_step *step = pv_symbolic_step(w->g->symbolic, sym, &e->move);
    bool end = is_end(w, *block, e->node);
    if (!step->next || (!end && pv_pred_is_abstraction(pred_at(w, e->node)))) continue;
    pv_term taken = pv_symbolic_added(w->g->symbolic, sym, step->next);
    if (!pv_smt_is_true(w->g->smt, evaluate(w, *block, taken))) continue;
    add_input(w, *block, &e->move, step);
    add_loaded(w, *block, &e->move, step);
    *node = e->node;
    *block += end;
    return true;
  }
  return false;
}

static bool walk(struct walk *w) {
  uint32_t node = w->path->node, block = 0;
  while (pv_cpa_node(w->path->cpa, node)->parents.n)
    node = pv_cpa_node(w->path->cpa, node)->parents.at[0].node;
  while (node != w->path->node || block + 1 != w->path->n) {
    if (pv_limits_check(w->g->task->limits, 0) != PV_LIMIT_NONE) return false;
    if (!next(w, &node, &block)) return false;
  }
  return true;
}

/* Says why there is no run, for the caller and for the context's provisos. */
static void say(struct pv_analysis_context *g, char **why, const char *text) {
  pv_str_clear(&g->not_shown);
  pv_str_add(&g->not_shown, text);
  if (why) *why = pv_strdup(text);
}

/* ---- the run
 * --------------------------------------------------------------------------------------- */

static bool run(struct walk *w, struct pv_result *result, const struct pv_sym_event *event,
                char **why) {
  const struct pv_edge *e =
      &pv_control_function(w->g->control, event->frame)->edges.at[event->edge];
  struct pv_error_key wanted = {.property = event->property, .span = e->span};
  if (event->property == PV_PROP_NO_DEADLOCK) wanted.span = 0; /* of several threads */
  struct pv_violation v = {0};
  const struct pv_task *task = w->g->task;
  struct pv_schedule schedule = {w->turns.at, w->turns.n, w->loaded.at, w->loaded.n};
  if (!task->replay ||
      task->replay(task, w->inputs.at, w->inputs.n, w->turns.n || w->loaded.n ? &schedule : NULL,
                   event->kind == PV_SYM_VIOLATION ? &wanted : NULL, &v) != PV_OK ||
      !v.replayed) {
    char *text = pv_format("a run with the inputs found does not show it: %s",
                           v.message ? v.message : "it could not be made");
    say(w->g, why, text);
    free(text);
    pv_violation_clear(&v);
    return false;
  }
  pv_vec_push(&result->violations, v);
  return true;
}

bool pv_witness(struct pv_analysis_context *g, struct pv_result *result,
                const struct pv_witness_path *path, const struct pv_sym_formula *formula,
                const struct pv_sym_event *event, char **why) {
  struct walk w = {.g = g, .path = path, .formula = formula};
  struct pv_solver *solver = pv_smt_take_solver(g->smt, formula->parts.n, formula->parts.at);
  bool found = false;
  if (why) *why = NULL;
  enum pv_smt_answer answer = pv_solver_check(solver, 0, NULL);
  if (answer == PV_SMT_UNKNOWN) say(g, why, pv_context_undecided(g, ""));
  if (answer == PV_SMT_SAT) {
    w.model = pv_solver_model(solver);
    w.values = pv_alloc(path->n * sizeof *w.values);
    uint64_t asked = pv_smt_stats(g->smt)->checks;
    bool is_there = walk(&w);
    PV_REQUIRE(asked == pv_smt_stats(g->smt)->checks, "a question while a model is in use");
    if (is_there)
      found = run(&w, result, event, why);
    else
      say(g, why, "the path was lost");
    for (uint32_t i = 0; i < path->n; i++) pv_map_free(&w.values[i]);
    free(w.values);
    pv_model_free(w.model);
  }
  pv_smt_give_back(g->smt, solver);
  pv_vec_free(&w.kept);
  pv_vec_free(&w.inputs);
  pv_vec_free(&w.turns);
  pv_vec_free(&w.loaded);
  pv_map_free(&w.loads);
  return found;
}

static void add_turn(struct walk *w, const struct pv_move *m) {
  if (pv_move_is_stuck(m)) return;
  const struct pv_executed *call = pv_control_executed(w->g->control, m);
  /* In the machine, a cooperative thread arrives at the call in the same transition as before. */
  bool waits = call && call->outcome == PV_PRIM_AGAIN;
  if (waits && !pv_control_preempts(w->g->control)) return;
  const struct pv_frame *f = pv_control_frame(w->g->control, m->frame);
  const struct pv_edge *e = pv_move_edge(w->g->control, m);
  struct pv_turn turn = {.thread = f->thread, .function = f->function, .edge = m->edge};
  /* If a wait may time out, that is its first alternative. */
  turn.alternative = e->op == PV_OP_PRIM && m->alternative == PV_ALTERNATIVE_GOES_ON;
  bool wakes = m->alternative >= PV_ALTERNATIVE_WAKES && m->alternative < PV_ALTERNATIVE_EXECUTED;
  if (e->op == PV_OP_PRIM && wakes) turn.alternative = m->alternative - PV_ALTERNATIVE_WAKES;
  if (call) turn.alternative = call->alternative;
  pv_vec_push(&w->turns, turn);
}

bool pv_witness_moves(struct pv_analysis_context *g, struct pv_result *result, uint32_t n,
                      const struct pv_move *moves, const struct pv_sym_event *event) {
  const struct pv_sym *state = pv_symbolic_start(g->symbolic), *none = NULL;
  struct walk w = {.g = g};
  struct pv_map values = {0};
  bool found = false;
  pv_term when = NULL;
  PV_VEC(const struct pv_sym_step *) steps = {0};
  for (uint32_t i = 0; i < n && state; i++) {
    const struct pv_sym_step *step = pv_symbolic_step(g->symbolic, state, &moves[i]);
    for (uint32_t k = 0; i == n - 1 && k < step->n_events; k++)
      if (!strcmp(step->events[k].message, event->message)) when = step->events[k].when;
    state = step->next;
    pv_vec_push(&steps, step);
  }
  struct pv_sym_path path = {.n = 1, .blocks = &none, .last = when};
  struct pv_sym_formula formula = {0};
  struct pv_solver *solver = pv_solver_new(g->smt);
  if (when) {
    pv_symbolic_path(g->symbolic, &path, &formula);
    pv_solver_assert(solver, formula.parts.at[0]);
  }
  bool admitted = !when || pv_monitor_admits_formula(g->monitor, 1, formula.parts.at);
  enum pv_smt_answer answer = !admitted ? PV_SMT_UNKNOWN
                              : when    ? pv_solver_check(solver, 0, NULL)
                                        : PV_SMT_UNSAT;
  if (answer == PV_SMT_UNKNOWN) say(g, NULL, pv_context_undecided(g, ""));
  if (answer == PV_SMT_UNSAT) say(g, NULL, "only relations between values exclude it");
  if (answer == PV_SMT_SAT) {
    w.formula = &formula;
    w.model = pv_solver_model(solver);
    w.values = &values;
    for (uint32_t i = 0; i + 1 < n; i++) {
      add_input(&w, 0, &moves[i], steps.at[i]);
      add_loaded(&w, 0, &moves[i], steps.at[i]);
    }
    for (uint32_t i = 0; pv_control_has_threads(g->control) && i < n; i++) add_turn(&w, &moves[i]);
    found = run(&w, result, event, NULL);
    pv_model_free(w.model);
  }
  pv_solver_free(solver);
  pv_sym_formula_free(&formula);
  pv_map_free(&values);
  pv_vec_free(&steps);
  pv_vec_free(&w.kept);
  pv_vec_free(&w.inputs);
  pv_vec_free(&w.turns);
  pv_vec_free(&w.loaded);
  pv_map_free(&w.loads);
  return found;
}
