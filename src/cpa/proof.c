/* proof.c -- proofs as plain data: cells by their meaning, frames by the calls that create them,
 * formulas as text; and their translation into a new symbolic context. */
#include "cpa/proof.h"

#include "cpa/invariants.h"
#include "cpa/proof_check.h"

#include <stdlib.h>
#include <string.h>

struct number { /* the number that a cell has */
  uint32_t cell;
  uint64_t lo, hi; /* as in pv_smt_number */
};
struct wrapped { /* an operation that wraps around */
  uint32_t function, edge;
};
struct part { /* a disjunct of an invariant: numbers, and a formula */
  uint32_t frame;
  pv_loc loc;
  PV_VEC(struct number) numbers;
  char *text; /* as written by pv_smt_write, over `cells`; NULL: true */
  pv_cells cells;
};
struct pv_proof {
  uint32_t k;
  bool induction, unwound;
  bool *arrays;    /* unwound: for the new context */
  uint64_t states; /* unwound: what the engine explored */
  /* A formula contains something other than cells, so the proof cannot be translated. */
  bool foreign;
  PV_VEC(struct pv_sym_object) objects;
  PV_VEC(struct wrapped) wraps;
  PV_VEC(char *) granted;         /* events that the engine gave up, by pv_context_sentence */
  PV_VEC(struct pv_cell) cells;   /* kind, a, b, instance; without terms */
  PV_VEC(struct pv_frame) frames; /* parent, function, call; callers first */
  PV_VEC(struct part) parts;
  struct pv_map cell_index, frame_index; /* number in the context -> number here */
};

/* ---- out of the engine's context ---------------------------------------------------------------
 */

struct pv_proof *pv_proof_new(const struct pv_analysis_context *g) {
  const struct pv_condition *given = g->task->given;
  bool partial = given && pv_condition_openness(given) == PV_OPEN_PARTS; /* or more than that */
  if (!g->task->options->check_proof || pv_control_has_threads(g->control) || partial) return NULL;
  struct pv_proof *p = pv_alloc(sizeof *p);
  struct wrapped w;
  for (uint32_t i = 0; i < pv_symbolic_objects(g->symbolic); i++)
    pv_vec_push(&p->objects, pv_symbolic_object(g->symbolic, i));
  for (uint32_t i = 0; pv_symbolic_wrapped(g->symbolic, i, &w.function, &w.edge); i++)
    pv_vec_push(&p->wraps, w);
  for (uint32_t i = 0; i < g->granted.n; i++)
    pv_vec_push(&p->granted, pv_format("%.*s", (int)g->granted.entry[i].key_len,
                                       (const char *)g->granted.entry[i].key));
  return p;
}

void pv_proof_free(struct pv_proof *p) {
  if (!p) return;
  for (uint32_t i = 0; i < p->parts.n; i++) {
    pv_vec_free(&p->parts.at[i].numbers);
    pv_vec_free(&p->parts.at[i].cells);
    free(p->parts.at[i].text);
  }
  for (uint32_t i = 0; i < p->granted.n; i++) free(p->granted.at[i]);
  pv_vec_free(&p->granted);
  pv_vec_free(&p->objects);
  pv_vec_free(&p->wraps);
  pv_vec_free(&p->cells);
  pv_vec_free(&p->frames);
  pv_vec_free(&p->parts);
  pv_map_free(&p->cell_index);
  pv_map_free(&p->frame_index);
  free(p->arrays);
  free(p);
}

void pv_proof_by_unwinding(struct pv_proof *p, const bool *arrays, uint32_t places,
                           uint64_t states) {
  p->unwound = true;
  p->states = states;
  p->arrays = pv_alloc((places + 1) * sizeof *arrays);
  memcpy(p->arrays, arrays, places * sizeof *arrays);
}

void pv_proof_by_induction(struct pv_proof *p, uint32_t k) {
  p->k = k;
  p->induction = true;
}

static uint32_t own_cell(struct pv_proof *p, const struct pv_analysis_context *g, uint32_t cell) {
  bool is_new;
  uint32_t at = *pv_map_put(&p->cell_index, &cell, sizeof cell, p->cells.n, &is_new);
  const struct pv_cell *c = pv_symbolic_cell(g->symbolic, cell);
  struct pv_cell own = {.kind = c->kind, .a = c->a, .b = c->b, .instance = c->instance};
  if (is_new) pv_vec_push(&p->cells, own);
  return at;
}

static uint32_t own_frame(struct pv_proof *p, const struct pv_analysis_context *g, uint32_t frame) {
  const uint32_t *known = pv_map_get(&p->frame_index, &frame, sizeof frame);
  if (known) return *known;
  struct pv_frame own = *pv_control_frame(g->control, frame);
  if (own.parent != PV_NO_FRAME) own.parent = own_frame(p, g, own.parent);
  pv_map_put(&p->frame_index, &frame, sizeof frame, p->frames.n, NULL);
  pv_vec_push(&p->frames, own);
  return p->frames.n - 1;
}

static void add_formula(struct pv_proof *p, const struct pv_analysis_context *g, pv_term formula,
                        struct part *out) {
  struct pv_str text = {0};
  pv_terms constants = {0};
  pv_smt_constants(g->smt, formula, &constants);
  for (uint32_t i = 0; i < constants.n; i++) {
    uint32_t cell = pv_symbolic_cell_of(g->symbolic, constants.at[i]);
    if (cell == UINT32_MAX)
      p->foreign = true;
    else
      pv_vec_push(&out->cells, own_cell(p, g, cell));
  }
  pv_smt_write(g->smt, formula, constants.n, constants.at, &text);
  out->text = text.at;
  pv_vec_free(&constants);
}

static void add_numbers(struct pv_proof *p, const struct pv_analysis_context *g,
                        const struct pv_sym *values, struct part *out) {
  pv_cells changed = {0};
  pv_symbolic_changed(values, &changed);
  for (uint32_t i = 0; i < changed.n; i++) {
    struct pv_smt_shape shape;
    pv_term t = pv_symbolic_value(g->symbolic, values, changed.at[i]);
    if (!pv_smt_shape(g->smt, t, &shape) || shape.kind != PV_SHAPE_NUMBER) continue;
    struct number n = {own_cell(p, g, changed.at[i]), shape.lo, shape.hi};
    pv_vec_push(&out->numbers, n);
  }
  pv_vec_free(&changed);
}

void pv_proof_add(struct pv_proof *p, const struct pv_analysis_context *g, struct pv_point at,
                  const struct pv_sym *values, pv_term formula) {
  struct part part = {.frame = own_frame(p, g, at.frame), .loc = at.loc};
  if (values) add_numbers(p, g, values, &part);
  if (formula) add_formula(p, g, formula, &part);
  pv_vec_push(&p->parts, part);
}

/* ---- into a new one ----------------------------------------------------------------------------
 */

struct reader {
  const struct pv_proof *proof;
  struct pv_analysis_context *context;
  pv_cells cells, frames; /* the context's numbers of the proof's cells and frames */
};

/* Translates addresses and operations that wrap around first, because terms depend on them. */
static bool begin(struct reader *r) {
  const struct pv_proof *p = r->proof;
  struct pv_analysis_context *g = r->context;
  /* Nothing of a proof by unwinding speaks of addresses. */
  for (uint32_t i = 0; i < p->objects.n && !p->unwound; i++)
    pv_symbolic_address(g->symbolic, p->objects.at[i]);
  for (uint32_t i = 0; i < p->wraps.n; i++)
    pv_symbolic_wrap(g->symbolic, p->wraps.at[i].function, p->wraps.at[i].edge);
  for (uint32_t i = 0; i < p->cells.n; i++)
    pv_vec_push(&r->cells, pv_symbolic_cell_like(g->symbolic, &p->cells.at[i]));
  for (uint32_t i = 0; i < p->frames.n; i++) {
    const struct pv_frame *f = &p->frames.at[i];
    if (f->parent == PV_NO_FRAME) {
      pv_vec_push(&r->frames, pv_control_start(g->control).frame);
      continue;
    }
    uint32_t parent = r->frames.at[f->parent];
    const struct pv_function *caller = pv_control_function(g->control, parent);
    if (f->call >= caller->edges.n || caller->edges.at[f->call].op != PV_OP_CALL) return false;
    pv_vec_push(&r->frames, pv_control_enter(g->control, parent, f->function, f->call));
  }
  return true;
}

static struct pv_cut *cut_at(struct pv_cuts *out, struct pv_point at) {
  bool is_new;
  uint32_t i = *pv_map_put(&out->index, &at, sizeof at, out->at.n, &is_new);
  if (is_new) pv_vec_push(&out->at, (struct pv_cut){.at = at});
  return &out->at.at[i];
}

static bool read_formula(struct reader *r, const struct part *p, pv_term *out) {
  pv_terms constants = {0};
  for (uint32_t i = 0; i < p->cells.n; i++) {
    uint32_t cell = r->cells.at[p->cells.at[i]];
    pv_vec_push(&constants, pv_symbolic_cell(r->context->symbolic, cell)->entry);
  }
  *out = pv_smt_read(r->context->smt, p->text, constants.n, constants.at);
  pv_vec_free(&constants);
  return *out != NULL;
}

static void read_numbers(struct reader *r, const struct part *p, struct pv_cut_part *out) {
  for (uint32_t i = 0; i < p->numbers.n; i++) {
    const struct number *n = &p->numbers.at[i];
    uint32_t cell = r->cells.at[n->cell], k = out->cells.n;
    struct pv_sort sort = pv_symbolic_cell(r->context->symbolic, cell)->sort;
    pv_vec_push(&out->cells, cell);
    pv_vec_push(&out->values, NULL);
    for (; k && out->cells.at[k - 1] > cell; k--) { /* keeps them sorted */
      out->cells.at[k] = out->cells.at[k - 1];
      out->values.at[k] = out->values.at[k - 1];
    }
    out->cells.at[k] = cell;
    out->values.at[k] = pv_smt_number(r->context->smt, sort, n->lo, n->hi);
  }
}

static pv_term formula_of(struct reader *r, const struct pv_cut_part *p) {
  struct pv_smt *smt = r->context->smt;
  pv_terms all = {0};
  pv_vec_push(&all, p->formula);
  for (uint32_t i = 0; i < p->cells.n; i++) {
    pv_term entry = pv_symbolic_cell(r->context->symbolic, p->cells.at[i])->entry;
    pv_vec_push(&all, pv_smt_mk2(smt, PV_SMT_EQ, entry, p->values.at[i]));
  }
  pv_term t = pv_smt_mk(smt, PV_SMT_AND, all.n, all.at);
  pv_vec_free(&all);
  return t;
}

/* Unites the parts without numbers into one. The invariant is the disjunction of all parts. */
static void complete(struct reader *r, struct pv_cut *cut) {
  pv_terms plain = {0}, all = {0};
  uint32_t kept = 0;
  for (uint32_t i = 0; i < cut->parts.n; i++) {
    struct pv_cut_part part = cut->parts.at[i];
    pv_vec_push(&all, formula_of(r, &part));
    if (part.cells.n)
      cut->parts.at[kept++] = part;
    else
      pv_vec_push(&plain, part.formula);
  }
  cut->parts.n = kept;
  struct pv_cut_part one = {.formula = pv_smt_mk(r->context->smt, PV_SMT_OR, plain.n, plain.at)};
  if (plain.n) pv_vec_push(&cut->parts, one);
  cut->invariant = pv_smt_mk(r->context->smt, PV_SMT_OR, all.n, all.at);
  pv_vec_free(&plain);
  pv_vec_free(&all);
}

/* A bound on the work of the check: it may need more steps than the engine, but not without end. */
enum { STEPS_PER_STATE = 2 };

/* Returns false if the proof refers to something that the program does not have. */
static bool read_proof(const struct pv_proof *p, struct pv_analysis_context *g,
                       struct pv_cuts *out) {
  struct reader r = {.proof = p, .context = g};
  bool right = !p->foreign && begin(&r);
  *out = (struct pv_cuts){.k = p->k,
                          .unwound = p->unwound,
                          .most = STEPS_PER_STATE * (p->states + 200),
                          .otherwise = p->induction};
  for (uint32_t i = 0; i < p->parts.n && right; i++) {
    const struct part *part = &p->parts.at[i];
    struct pv_point at = {r.frames.at[part->frame], part->loc, 0};
    struct pv_cut_part new = {.formula = pv_smt_bool(g->smt, true)};
    if (part->text) right = read_formula(&r, part, &new.formula);
    read_numbers(&r, part, &new);
    pv_vec_push(&cut_at(out, at)->parts, new);
  }
  for (uint32_t i = 0; i < out->at.n && right; i++) complete(&r, &out->at.at[i]);
  pv_vec_free(&r.cells);
  pv_vec_free(&r.frames);
  return right;
}

/* ---- the result --------------------------------------------------------------------------------
 */

/* Only events that the condition of the result mentions. A proviso begins with the event's
 * sentence; a reason may follow. */
static void find_granted(const struct pv_proof *p, const struct pv_condition *condition,
                         struct pv_map *out) {
  for (uint32_t i = 0; i < p->granted.n; i++)
    for (uint32_t k = 0; k < condition->provisos.n; k++)
      if (!strncmp(condition->provisos.at[k].sentence, p->granted.at[i], strlen(p->granted.at[i])))
        pv_map_put_str(out, p->granted.at[i], 1, NULL);
}

static void say(const struct pv_proof *p, struct pv_result *result, const char *why) {
  const char *what = p->unwound ? "the loops end as the bounds say and no error is in them"
                                : "the invariants that were found prove it";
  switch (result->proof.state) {
  case PV_PROOF_NONE:
  case PV_PROOF_COUNT:
  case PV_PROOF_CHECKED: return;
  case PV_PROOF_UNCONFIRMED:
    pv_condition_add(&result->condition, PV_PROVISO_ENGINE, NULL, 0,
                     "%s, which was not confirmed: %s", what, why);
    if (result->verdict == PV_TRUE) result->verdict = PV_CONDITIONAL;
    return;
  case PV_PROOF_REFUTED:
    pv_condition_add(&result->condition, PV_PROVISO_CRASH, NULL, 0, "%s, which is refuted: %s",
                     what, why);
    result->verdict = PV_UNKNOWN;
    free(result->reason);
    result->reason = pv_format("an error of proviso's own: the proof that the engine found does "
                               "not hold: %s",
                               why);
    return;
  }
}

/* Stores a result for the case that the process is lost during the check: the proof is not
 * confirmed. */
static void expect_the_worst(const struct pv_proof *p, const struct pv_task *task,
                             struct pv_result *result) {
  enum pv_verdict verdict = result->verdict;
  uint32_t n = result->condition.provisos.n;
  result->proof.state = PV_PROOF_UNCONFIRMED;
  say(p, result, "the check did not come to its end");
  pv_checkpoint(task, result);
  struct pv_condition last = {0};
  while (result->condition.provisos.n > n)
    pv_vec_push(&last.provisos, pv_vec_pop(&result->condition.provisos));
  pv_condition_clear(&last);
  result->verdict = verdict;
}

void pv_proof_finish(struct pv_proof *p, const struct pv_task *task, struct pv_result *result) {
  if (!p || (result->verdict != PV_TRUE && result->verdict != PV_CONDITIONAL)) {
    pv_proof_free(p);
    return;
  }
  expect_the_worst(p, task, result);
  struct pv_analysis_context fresh;
  struct pv_cuts cuts = {0};
  struct pv_map granted = {0};
  struct pv_result aside = {0};
  char *why = NULL;
  bool ready = p->unwound ? pv_context_new_objects(&fresh, task, p->arrays, &aside)
                          : pv_context_new(&fresh, task, &aside);
  if (p->unwound && ready) pv_smt_use(fresh.smt, PV_BITS_Z3);
  if (!ready) {
    why = pv_strdup("the program could not be prepared again");
  } else if (!read_proof(p, &fresh, &cuts)) {
    why = pv_strdup("they contain more than the program's state");
  } else {
    find_granted(p, &result->condition, &granted);
    result->proof.state =
        pv_proof_check(&fresh, &cuts, &granted, task->properties & result->checked, &why);
    result->proof.induction = p->k;
    pv_invariants_list(&fresh, &cuts, &result->proof);
  }
  say(p, result, why);
  free(why);
  pv_cuts_free(&cuts);
  pv_map_free(&granted);
  pv_context_free(&fresh);
  pv_result_clear(&aside);
  pv_proof_free(p);
  result->stats.seconds = pv_limits_elapsed(task->limits);
  result->stats.cpu_seconds = pv_cpu_clock();
  result->stats.peak_memory = task->limits->peak;
}
