#include "cpa/proof_check.h"

#include "cpa/loops.h"

#include <stdlib.h>
#include <string.h>

/* An abstract state: the position of a path since the cut point where it began; interned. */
struct segment {
  const struct pv_sym *sym;
  uint64_t passed; /* number of cut points passed */
};

struct check {
  struct pv_analysis_context *context;
  const struct pv_cuts *cuts;
  const struct pv_map *granted;
  struct pv_cpa *cpa;
  struct pv_loops *loops; /* or NULL; which paths are merged when loops are unwound */
  uint32_t part;          /* the position of the segments in the composition */
  struct pv_analysis segments;
  struct pv_pool pool;
  struct pv_map index; /* struct segment -> place in `kept` */
  PV_VEC(const struct segment *) kept;
  PV_VEC(struct pv_point) met; /* cut points that runs reach */
  struct pv_map known;
  /* what is being shown */
  bool base; /* about the first segments of a run; otherwise about the segment after k others */
  struct pv_point from;
  const struct pv_sym *begin;
  pv_term assumed;        /* the assumption about the start */
  bool goes_on;           /* runs have more than k + 1 segments */
  bool again;             /* the finding depends on values that are unconstrained only here */
  bool apart;             /* paths on which cells have different numbers are not merged */
  uint64_t steps;         /* steps made that way, or unwinding */
  struct pv_map feasible; /* conditions that have been found to be satisfiable */
  enum pv_proof_state state;
  struct pv_str why;
};

/* A bound on the steps in one segment: there may be very many paths if they are not merged. */
enum { MOST_STEPS = 100000 };

/* ---- findings ----------------------------------------------------------------------------------
 */

static void print_point(struct check *c, struct pv_point at) {
  const struct pv_program *p = c->context->task->program;
  const struct pv_function *f = pv_control_function(c->context->control, at.frame);
  uint32_t span = pv_control_span(c->context->control, at);
  pv_str_addf(&c->why, "%s:%u in %s", pv_span_file(p, span), pv_span_of(p, span)->line, f->name);
}

/* Records the first finding of the worst kind. Values of nonlinear operations are unconstrained
 * here. An engine that did not merge paths may know more about them. Such a finding refutes
 * nothing; the check is repeated without merging paths. */
static void find(struct check *c, enum pv_smt_answer a, struct pv_point at, const char *what,
                 const char *message) {
  bool sure = a == PV_SMT_SAT && !pv_symbolic_met(c->context->symbolic).imprecise;
  c->again |= a == PV_SMT_SAT && !sure;
  enum pv_proof_state state = sure ? PV_PROOF_REFUTED : PV_PROOF_UNCONFIRMED;
  if (c->state == PV_PROOF_REFUTED || c->state == state) return;
  c->state = state;
  pv_str_clear(&c->why);
  pv_str_addf(&c->why, "%s, from ", what);
  print_point(c, c->from);
  pv_str_add(&c->why, message ? ": " : " to ");
  if (message)
    pv_str_add(&c->why, message);
  else
    print_point(c, at);
  if (a == PV_SMT_UNKNOWN)
    pv_str_addf(&c->why, " (%s)", pv_smt_reason_text(pv_smt_reason(c->context->smt)));
  else if (!sure)
    pv_str_add(&c->why, " (values that are not linear are arbitrary here)");
}

/* Is the condition satisfiable from the start of the current segments? */
static enum pv_smt_answer ask(struct check *c, pv_term condition) {
  struct pv_smt *smt = c->context->smt;
  pv_term all = pv_smt_mk2(smt, PV_SMT_AND, c->assumed, condition);
  if (pv_smt_is_false(smt, all)) return PV_SMT_UNSAT;
  pv_term question[] = {pv_symbolic_ranges(c->context->symbolic, all), all};
  return pv_smt_check(smt, 2, question);
}

/* ---- invariants --------------------------------------------------------------------------------
 */

static const struct pv_cut *cut_at(const struct check *c, struct pv_point at) {
  const uint32_t *i = pv_map_get(&c->cuts->index, &at, sizeof at);
  return i ? &c->cuts->at.at[*i] : NULL;
}

static bool is_cut(const struct check *c, struct pv_point at) {
  return pv_control_is_head(c->context->control, at) || cut_at(c, at);
}

static pv_term invariant_at(const struct check *c, struct pv_point at) {
  const struct pv_cut *cut = cut_at(c, at);
  return cut ? cut->invariant : pv_smt_bool(c->context->smt, c->cuts->otherwise);
}

/* Is there a disjunct that contains only numbers, which are those of the state? Then no query is
 * needed. */
static bool plainly_holds(struct check *c, const struct pv_cut *cut, const struct pv_sym *sym) {
  for (uint32_t i = 0; cut && i < cut->parts.n; i++) {
    const struct pv_cut_part *p = &cut->parts.at[i];
    bool same = pv_smt_is_true(c->context->smt, p->formula);
    for (uint32_t k = 0; k < p->cells.n && same; k++)
      same = pv_symbolic_value(c->context->symbolic, sym, p->cells.at[k]) == p->values.at[k];
    if (same) return true;
  }
  return false;
}

/* Checks that the invariant holds at the end of the segment. */
static void must_hold(struct check *c, const struct pv_sym *sym, struct pv_point at) {
  struct pv_smt *smt = c->context->smt;
  if (plainly_holds(c, cut_at(c, at), sym)) return;
  pv_term holds = pv_symbolic_apply(c->context->symbolic, sym, invariant_at(c, at));
  pv_term fails = pv_smt_mk2(smt, PV_SMT_AND, pv_symbolic_condition(c->context->symbolic, sym),
                             pv_smt_mk1(smt, PV_SMT_NOT, holds));
  enum pv_smt_answer a = ask(c, fails);
  if (a != PV_SMT_UNSAT) find(c, a, at, "a segment leads out of the invariant", NULL);
}

static void note(struct check *c, struct pv_point at) {
  bool is_new;
  if (pv_smt_is_false(c->context->smt, invariant_at(c, at))) return;
  pv_map_put(&c->known, &at, sizeof at, 1, &is_new);
  if (is_new) pv_vec_push(&c->met, at);
}

/* ---- segments ----------------------------------------------------------------------------------
 */

static const struct segment *keep(struct check *c, const struct pv_sym *sym, uint64_t passed) {
  struct segment key = {sym, passed};
  bool is_new;
  uint32_t at = *pv_map_put(&c->index, &key, sizeof key, c->kept.n, &is_new);
  if (!is_new) return c->kept.at[at];
  struct segment *s = pv_pool_alloc(&c->pool, sizeof *s);
  *s = key;
  pv_vec_push(&c->kept, s);
  return s;
}

static const void *initial(void *self) {
  struct check *c = self;
  return keep(c, c->begin, 0);
}

static void transfer(void *self, const void *state, const struct pv_move *move,
                     struct pv_post *out) {
  struct check *c = self;
  const struct segment *from = state;
  const struct pv_sym_step *step = pv_symbolic_step(c->context->symbolic, from->sym, move);
  out->events = step->events;
  out->n_events = step->n_events;
  if (c->apart && ++c->steps > MOST_STEPS) {
    find(c, PV_SMT_UNKNOWN, move->to, "there are too many paths to keep them apart", NULL);
    return;
  }
  if (c->cuts->unwound && !c->apart && ++c->steps > c->cuts->most) {
    find(c, PV_SMT_UNKNOWN, move->to, "loops go on for longer than expected", NULL);
    return;
  }
  if (step->next) out->state = keep(c, step->next, from->passed);
}

/* A head of a loop that is unwound: does a path lead to it? */
static const void *unwind(struct check *c, const struct segment *s, struct pv_point at) {
  pv_term condition = pv_symbolic_condition(c->context->symbolic, s->sym);
  if (!pv_loops_counts(c->context->control, at) || pv_smt_is_true(c->context->smt, condition))
    return s;
  if (pv_map_get(&c->feasible, &condition, sizeof condition)) return s;
  if (ask(c, condition) == PV_SMT_UNSAT) return NULL;
  pv_map_put(&c->feasible, &condition, sizeof condition, 1, NULL);
  return s;
}

/* The end of a segment. If it is the last one considered, it is the end of the path. */
static const void *arrive(void *self, const void *state, const struct pv_composite *all,
                          uint32_t node) {
  struct check *c = self;
  const struct segment *s = state;
  struct pv_point at = all->at;
  (void)node;
  if (c->cuts->unwound) return c->state == PV_PROOF_REFUTED ? NULL : unwind(c, s, at);
  if (!is_cut(c, at)) return s;
  if (c->state == PV_PROOF_REFUTED) return NULL;
  bool last = s->passed == c->cuts->k;
  if (c->base || last) must_hold(c, s->sym, at);
  note(c, at);
  c->goes_on |= last;
  if (last) return NULL;
  pv_term holds = pv_symbolic_apply(c->context->symbolic, s->sym, invariant_at(c, at));
  if (pv_smt_is_false(c->context->smt, holds)) return NULL;
  return keep(c, pv_symbolic_assuming(c->context->symbolic, s->sym, holds), s->passed + 1);
}

static const void *merge(void *self, const void *fresh, const void *reached, struct pv_point at) {
  struct check *c = self;
  const struct segment *a = fresh, *b = reached;
  if (a->passed != b->passed) return NULL;
  if (c->apart && pv_symbolic_differ(c->context->symbolic, a->sym, b->sym)) return NULL;
  return keep(c, pv_symbolic_merge(c->context->symbolic, b->sym, a->sym, at), a->passed);
}

static bool covers(void *self, const void *fresh, const void *reached) {
  (void)self;
  return fresh == reached;
}

static uint64_t passed(const void *state) {
  return ((const struct segment *)state)->passed;
}

static uint64_t class_of(void *self, const void *state, struct pv_point at) {
  (void)self;
  (void)at;
  return passed(state);
}

/* Explores one segment after the other. */
static int order(void *self, const void *a, struct pv_point at_a, const void *b,
                 struct pv_point at_b) {
  uint64_t x = passed(a), y = passed(b);
  (void)self;
  (void)at_a;
  (void)at_b;
  return x < y ? -1 : x > y;
}

/* ---- events ------------------------------------------------------------------------------------
 */

static bool on_event(void *user, uint32_t node, const struct pv_move *move,
                     const struct pv_sym_event *event) {
  struct check *c = user;
  const struct segment *s = pv_cpa_node(c->cpa, node)->state.part[c->part];
  if (c->loops && pv_loops_is_event(c->loops, event)) {
    find(c, PV_SMT_UNKNOWN, move->to, "a loop goes on", NULL);
    return true;
  }
  if (!c->base && s->passed < c->cuts->k) return true; /* it is known that no event occurs */
  struct pv_str sentence = {0};
  pv_context_sentence(c->context, event, &sentence);
  if (!pv_map_get_str(c->granted, pv_str_cstr(&sentence))) {
    enum pv_smt_answer a = ask(c, event->when);
    if (a != PV_SMT_UNSAT)
      find(c, a, c->from,
           event->kind == PV_SYM_VIOLATION ? "an error is not excluded"
                                           : "what was taken for granted is not shown",
           pv_str_cstr(&sentence));
  }
  pv_str_free(&sentence);
  return c->state != PV_PROOF_REFUTED;
}

/* ---- the pass ----------------------------------------------------------------------------------
 */

static void run(struct check *c) {
  pv_cpa_restart_at(c->cpa, c->from);
  if (pv_cpa_run(c->cpa, on_event, c) == PV_CPA_LIMIT && c->state != PV_PROOF_REFUTED) {
    c->state = PV_PROOF_UNCONFIRMED;
    pv_str_clear(&c->why);
    pv_str_addf(&c->why, "limit: %s", pv_limit_name(c->context->task->limits->hit));
  }
}

static void follow(struct check *c, struct pv_point from, const struct pv_sym *begin,
                   pv_term assumed) {
  enum pv_proof_state before = c->state;
  c->from = from;
  c->begin = begin;
  c->assumed = assumed;
  c->again = false;
  run(c);
  if (before != PV_PROOF_CHECKED || c->state != PV_PROOF_UNCONFIRMED || !c->again) return;
  c->state = before;
  c->apart = true;
  c->steps = 0;
  run(c);
  c->apart = false;
}

static bool is_over(const struct check *c) {
  return c->state == PV_PROOF_REFUTED || c->context->task->limits->hit != PV_LIMIT_NONE;
}

static void follow_cut(struct check *c, struct pv_point at) {
  struct pv_symbolic *s = c->context->symbolic;
  const struct pv_cut *cut = cut_at(c, at);
  if (!cut) follow(c, at, pv_symbolic_entry(s), pv_smt_bool(c->context->smt, true));
  for (uint32_t i = 0; cut && i < cut->parts.n && !is_over(c); i++) {
    const struct pv_cut_part *p = &cut->parts.at[i];
    const struct pv_sym *begin = pv_symbolic_state(s, false, p->cells.n, p->cells.at, p->values.at);
    follow(c, at, begin, pv_symbolic_apply(s, begin, p->formula));
  }
}

static void check_all(struct check *c) {
  struct pv_analysis_context *g = c->context;
  c->base = true;
  follow(c, pv_control_start(g->control), pv_symbolic_start(g->symbolic),
         pv_smt_bool(g->smt, true));
  c->base = false;
  if (!c->goes_on) return; /* nothing follows */
  for (uint32_t i = 0; i < c->met.n && !is_over(c); i++) follow_cut(c, c->met.at[i]);
}

enum pv_proof_state pv_proof_check(struct pv_analysis_context *g, const struct pv_cuts *cuts,
                                   const struct pv_map *granted, pv_properties checked,
                                   char **why) {
  struct check c = {.context = g, .cuts = cuts, .granted = granted, .state = PV_PROOF_CHECKED};
  c.segments = (struct pv_analysis){.name = "segments",
                                    .self = &c,
                                    .initial = initial,
                                    .transfer = transfer,
                                    .adjust = arrive,
                                    .merge = merge,
                                    .covers = covers,
                                    .class_of = class_of,
                                    .order = order};
  const struct pv_analysis *parts[2] = {&c.segments};
  if (cuts->unwound) {
    c.loops = pv_loops_new(g->task->program, g->control, UINT32_MAX);
    parts[0] = pv_loops_analysis(c.loops);
    parts[c.part = 1] = &c.segments;
  }
  c.cpa = pv_cpa_new(g->control, parts, c.part + 1, g->task->limits);
  check_all(&c);
  if (c.state == PV_PROOF_CHECKED && (checked & ~pv_context_checked(g))) {
    c.state = PV_PROOF_UNCONFIRMED;
    pv_str_add(&c.why, "not all properties were seen: ");
    pv_properties_print(checked & ~pv_context_checked(g), &c.why);
  }
  *why = c.state == PV_PROOF_CHECKED ? NULL : pv_strdup(pv_str_cstr(&c.why));
  pv_cpa_free(c.cpa);
  if (c.loops) pv_loops_free(c.loops);
  pv_map_free(&c.feasible);
  pv_pool_free(&c.pool);
  pv_map_free(&c.index);
  pv_map_free(&c.known);
  pv_vec_free(&c.kept);
  pv_vec_free(&c.met);
  pv_str_free(&c.why);
  return c.state;
}

void pv_cuts_free(struct pv_cuts *c) {
  for (uint32_t i = 0; i < c->at.n; i++) {
    struct pv_cut *cut = &c->at.at[i];
    for (uint32_t k = 0; k < cut->parts.n; k++) {
      pv_vec_free(&cut->parts.at[k].cells);
      pv_vec_free(&cut->parts.at[k].values);
    }
    pv_vec_free(&cut->parts);
  }
  pv_vec_free(&c->at);
  pv_map_free(&c->index);
}
