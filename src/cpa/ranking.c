#include "cpa/ranking_internal.h"

#include "analysis/slice.h"

#include <stdlib.h>

/* Is `round`, with what is known and with `more` (or NULL), possible? If it is, *solver (or NULL)
 * is one with a model, for the caller to free. */
static enum pv_smt_answer ask(struct prover *r, pv_term round, pv_term more,
                              struct pv_solver **solver) {
  struct pv_solver *s = pv_solver_new(r->smt);
  for (uint32_t i = 0; i < r->facts.n; i++) pv_solver_assert(s, r->facts.at[i]);
  pv_solver_assert(s, round);
  if (more) pv_solver_assert(s, more);
  enum pv_smt_answer a = pv_solver_check(s, 0, NULL);
  if (solver && a == PV_SMT_SAT)
    *solver = s;
  else
    pv_solver_free(s);
  return a;
}

/* Candidates that grow in the model are out. */
static void drop_growing(struct prover *r, struct pv_solver *s, bool *out) {
  struct pv_model *m = pv_solver_model(s);
  for (uint32_t i = 0; i < r->list.n; i++)
    out[i] |= pv_model_holds(
        m, pv_smt_mk2(r->smt, PV_SMT_BVSLT, r->list.at[i].before, r->list.at[i].after));
  pv_model_free(m);
  pv_solver_free(s);
}

/* Finds a candidate that never grows in the rounds that are left, and falls in one of them. *none:
 * no round is left. */
static const struct candidate *find(struct prover *r, pv_term left, bool *none) {
  const struct candidate *found = NULL;
  bool *out = pv_alloc(r->list.n + 1);
  struct pv_solver *s = NULL;
  *none = ask(r, left, NULL, &s) == PV_SMT_UNSAT;
  if (s) drop_growing(r, s, out);
  for (uint32_t i = 0; i < r->list.n && !found && !*none; i++) {
    const struct candidate *c = &r->list.at[i];
    if (out[i] || pv_limits_check(r->task->limits, 0)) continue;
    s = NULL;
    pv_term falls = pv_smt_mk2(r->smt, PV_SMT_BVSLT, c->after, c->before);
    pv_term grows = pv_smt_mk2(r->smt, PV_SMT_BVSLT, c->before, c->after);
    enum pv_smt_answer a = ask(r, left, grows, &s);
    if (s) drop_growing(r, s, out);
    if (a == PV_SMT_UNSAT && ask(r, left, falls, NULL) == PV_SMT_SAT) found = c;
  }
  free(out);
  return found;
}

static void note_falls(struct prover *r, struct loop *l, const struct state *end) {
  for (uint32_t v = 0; v < r->n; v++) {
    if (!l->sets[v] || !pv_rank_is_number(r, v) || !end->value[v] || !r->head[v]) continue;
    for (int k = 0; k < 4; k++) {
      bool is_signed = k < 2;
      pv_term a = k % 2 ? r->head[v] : end->value[v], b = k % 2 ? end->value[v] : r->head[v];
      pv_term not = pv_smt_mk1(r->smt, PV_SMT_NOT, pv_rank_at_most(r, is_signed, a, b));
      if (ask(r, end->guard, not, NULL) == PV_SMT_UNSAT) l->falls[v] |= (uint8_t)(1 << k);
    }
  }
}

static bool is_inner(const struct prover *r, const struct loop *l) {
  for (uint32_t i = 0; i < r->loops.n; i++)
    if (r->loops.at[i].head != l->head && r->loops.at[i].body[l->head]) return true;
  return false;
}

static uint32_t span_of(const struct prover *r, const struct loop *l) {
  for (uint32_t i = 0; i < r->f->edges.n; i++)
    if (r->f->edges.at[i].from == l->head && r->f->edges.at[i].span) return r->f->edges.at[i].span;
  return r->f->span;
}

static bool rank(struct prover *r, const struct loop *l, pv_term round) {
  struct pv_str tuple = {0};
  uint32_t n = 0;
  bool none = false;
  const struct candidate *c;
  while ((c = find(r, round, &none)) != NULL) {
    round = both_of(r, round, pv_smt_mk2(r->smt, PV_SMT_EQ, c->before, c->after));
    pv_str_addf(&tuple, "%s%s", n++ ? ", " : "", c->name);
  }
  if (none) {
    const struct pv_span *at = pv_span_of(r->p, span_of(r, l));
    pv_str_addf(&r->out->functions, "%s%s:%u: %s", r->out->functions.n ? "; " : "",
                pv_span_file(r->p, span_of(r, l)), at->line, n ? pv_str_cstr(&tuple) : "0");
    r->out->lexicographic += n > 1;
  }
  pv_str_free(&tuple);
  return none;
}

static void forget_round(struct prover *r, comparisons *list) {
  for (uint32_t i = 0; i < r->list.n; i++) free(r->list.at[i].name);
  for (uint32_t i = 0; i < list->n; i++) {
    free(list->at[i].name_a);
    free(list->at[i].name_b);
  }
  pv_vec_free(list);
  r->list.n = 0;
  r->facts.n = 0;
}

/* Can the loop only be left by the end of the program? */
static bool has_exit(const struct prover *r, const struct loop *l) {
  const struct pv_location *head = &r->f->locs.at[l->head];
  unsigned op = head->n_out == 1 ? r->f->edges.at[head->first_out].op : PV_OP_COUNT;
  if (op != PV_OP_SKIP && op != PV_OP_ERROR) return true; /* it could not become an error */
  for (uint32_t i = 0; i < r->f->edges.n; i++) {
    const struct pv_edge *e = &r->f->edges.at[i];
    if (!l->body[e->from] || e->op == PV_OP_STOP) continue;
    if (e->op == PV_OP_CALL || !l->body[e->to]) return true;
  }
  return false;
}

static bool prove_loop(struct prover *r, struct loop *l) {
  struct state end = pv_rank_state_new(r);
  comparisons list = {0};
  bool ends = true;
  r->out->loops++;
  if (!has_exit(r, l)) {
    free(end.value);
    pv_vec_push(&r->out->endless, ((struct pv_endless){r->function, l->head}));
    return true;
  }
  pv_rank_encode_round(r, l, &end, &list);
  if (end.guard) { /* otherwise there is no second round */
    pv_rank_add_comparisons(r, &end, &list);
    pv_rank_add_variables(r, l, &end);
    ends = rank(r, l, end.guard);
    if (ends && is_inner(r, l)) note_falls(r, l, &end);
  }
  if (!ends) pv_rank_give_up(r, span_of(r, l), "no ranking function was found for the loop");
  forget_round(r, &list);
  free(end.value);
  return ends;
}

static void forget_function(struct prover *r) {
  for (uint32_t i = 0; i < r->loops.n; i++) {
    free(r->loops.at[i].body);
    free(r->loops.at[i].sets);
    free(r->loops.at[i].falls);
  }
  r->loops.n = 0;
  free(r->head);
  free(r->order);
  free(r->rank);
  free(r->times);
  r->head = NULL;
  r->order = NULL;
  r->rank = NULL;
  r->times = NULL;
}

static void prove_function(struct prover *r, uint32_t function) {
  bool any = false;
  r->f = &r->p->functions.at[function];
  r->function = function;
  r->encoder.function = r->f;
  for (pv_loc l = 0; l < r->f->locs.n; l++)
    any |= r->f->locs.at[l].loop_head && pv_rank_reached(r, function, l);
  if (!any) return;
  if (r->f->edges.n > MOST_EDGES) {
    pv_rank_give_up(r, r->f->span, "the function is too large");
    return;
  }
  pv_rank_find_cells(r);
  r->head = pv_alloc((r->n + 1) * sizeof *r->head);
  if (!pv_rank_find_loops(r)) pv_rank_give_up(r, r->f->span, "a loop has several entries");
  for (uint32_t i = 0; i < r->loops.n && !r->out->why; i++)
    if (pv_rank_reached(r, function, r->loops.at[i].head)) prove_loop(r, &r->loops.at[i]);
  forget_function(r);
}

/* Undefined behaviour is no end: what comes after it is not known. */
static void add_provisos(const struct prover *r, struct pv_result *result) {
  pv_statements list = {0};
  pv_undefined(r->p, r->pt, r->intervals, &list);
  for (uint32_t i = 0; i < list.n; i++) {
    const struct pv_function *f = &r->p->functions.at[list.at[i].function];
    const struct pv_edge *e = &f->edges.at[list.at[i].edge];
    const struct pv_span *at = pv_span_of(r->p, e->span);
    if (!pv_call_graph_runs(r->calls, list.at[i].function)) continue;
    if (!pv_rank_reached(r, list.at[i].function, e->from)) continue;
    pv_condition_add(&result->condition, PV_PROVISO_ENGINE, pv_span_file(r->p, e->span), at->line,
                     "nothing undefined happens at %s:%u", pv_span_file(r->p, e->span), at->line);
  }
  pv_vec_free(&list);
}

/* A part of the time that is left, so that the search for a lasso has some, too. */
static struct pv_limits part_of(const struct pv_limits *all) {
  struct pv_limits own = {.memory = all->memory, .seconds = SECONDS};
  double left = all->seconds > 0 ? all->seconds - pv_limits_elapsed(all) : 0;
  if (all->seconds > 0 && left / SHARE < SECONDS) own.seconds = left > 0 ? left / SHARE : 0.01;
  pv_limits_start(&own);
  return own;
}

void pv_ranking_prove(const struct pv_task *given, struct pv_result *result,
                      struct pv_ranking *out) {
  struct pv_limits limits = part_of(given->limits);
  struct pv_task own = *given, *task = &own;
  struct prover r = {.task = task, .p = task->program, .out = out};
  task->limits = &limits;
  *out = (struct pv_ranking){0};
  r.pt = pv_points_to_new(r.p, NULL);
  r.calls = pv_call_graph_new(r.p, r.pt);
  r.intervals = pv_intervals_new(r.p, r.pt, r.calls);
  r.smt = pv_smt_new((struct pv_smt_limits){.steps = STEPS, .ms = MS}, task->limits);
  r.encoder = (struct pv_encoder){.smt = r.smt,
                                  .program = r.p,
                                  .encoding = PV_ENCODE_BITVECTOR,
                                  .leaf = pv_rank_encode_leaf,
                                  .user = &r};
  pv_rank_summarise_functions(&r);
  if (pv_rank_check_program(&r)) {
    pv_rank_index_variables(&r);
    for (uint32_t f = 0; f < r.p->functions.n && !out->why; f++)
      if (pv_call_graph_runs(r.calls, f) && !r.p->functions.at[f].is_model) prove_function(&r, f);
  }
  out->ends = !out->why && !pv_smt_broken(r.smt) && !task->limits->hit;
  if (out->ends) add_provisos(&r, result);
  pv_encoder_free(&r.encoder);
  pv_smt_free(r.smt);
  pv_intervals_free(r.intervals);
  pv_call_graph_free(r.calls);
  pv_points_to_free(r.pt);
  pv_map_free(&r.var_expr);
  pv_vec_free(&r.cells);
  pv_vec_free(&r.loops);
  pv_vec_free(&r.facts);
  pv_vec_free(&r.list);
  free(r.writes);
  free(r.comes_back);
}

void pv_ranking_target(struct pv_program *p, const struct pv_ranking *r) {
  for (uint32_t i = 0; i < p->functions.n; i++)
    for (uint32_t k = 0; k < p->functions.at[i].edges.n; k++) {
      struct pv_edge *e = &p->functions.at[i].edges.at[k];
      if (e->op == PV_OP_ERROR) *e = pv_edge_of(PV_OP_SKIP, e->from, e->to);
    }
  for (uint32_t i = 0; i < r->endless.n; i++) {
    struct pv_function *f = &p->functions.at[r->endless.at[i].function];
    struct pv_edge *e = &f->edges.at[f->locs.at[r->endless.at[i].head].first_out];
    e->op = PV_OP_ERROR;
    e->aux = PV_ERROR_LABEL;
    e->text = pv_program_string(p, "an endless loop is reached");
  }
}

void pv_ranking_clear(struct pv_ranking *r) {
  pv_vec_free(&r->endless);
  pv_str_free(&r->functions);
  free(r->why);
  *r = (struct pv_ranking){0};
}
