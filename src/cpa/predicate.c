#include "cpa/predicate.h"

#include "smt/related.h"

#include <stdlib.h>
#include <string.h>

/* A predicate of a precision, and where it is used. */
struct entry {
  uint32_t number;
  uint32_t frame; /* where the thread of this frame stands there; ANYWHERE: no matter where */
  pv_loc loc;
};
#define ANYWHERE UINT32_MAX
struct numbers { /* of predicates */
  uint32_t *at, n, cap;
};

struct pv_predicates {
  struct pv_symbolic *symbolic;
  struct pv_smt *smt;
  struct pv_control *control;
  struct pv_predicate_options options;
  struct pv_regions *regions;
  struct pv_pool pool;
  struct pv_analysis analysis;
  pv_terms predicates;   /* by number */
  struct pv_map numbers; /* term -> number */
  /* (point, predicate) -> does the predicate contain dead variables there? */
  struct pv_map dead;
  struct pv_map precisions; /* struct scope -> precision */
  PV_VEC(struct precision { PV_VEC(struct entry) at; }) precision;
  struct pv_map states;  /* struct state_key -> states */
  struct pv_map results; /* UINT32_MAX: none */
  struct pv_map checks;  /* struct check_key -> answer */
  struct pv_map heads;   /* struct pv_passed_head -> place in `kept` */
  struct pv_related *related;
  struct pv_map terms; /* region -> place in `kept` */
  PV_VEC(const void *) kept;
  uint64_t blocks;
  pv_block_entry entry;  /* NULL: none */
  struct pv_point begin; /* pv_predicates_begin */
  pv_term begin_formula; /* NULL: the program's start */
  struct pv_predicates_stats stats;
  uint32_t skipped, skips; /* is_unreachable: since the last query; before the next one */
};

/* ---- precisions --------------------------------------------------------------------------------
 */

struct scope {
  uint32_t function, loc;
  uint32_t frame; /* UINT32_MAX: any */
};

static uint32_t add_atoms(struct pv_predicates *p, struct precision *here,
                          const struct pv_point *at, pv_term formula);

/* A new precision starts with the initial predicates of its scope. */
static void begin_precision(struct pv_predicates *p, struct scope scope, struct precision *here) {
  for (uint32_t i = 0; p->options.initial && i < p->options.initial->n; i++) {
    const struct pv_initial_predicate *t = &p->options.initial->at[i];
    bool elsewhere =
        scope.function != UINT32_MAX && t->function != UINT32_MAX && t->function != scope.function;
    elsewhere |= scope.loc != UINT32_MAX && t->loc != UINT32_MAX && t->loc != scope.loc;
    if (!elsewhere) add_atoms(p, here, NULL, t->formula);
  }
}

/* Cooperative threads meet in the library's functions. So with an executed scheduler a location is
 * one with its thread and its call stack. */
static struct precision *precision_at(struct pv_predicates *p, struct pv_point at) {
  struct scope key = {UINT32_MAX, UINT32_MAX, UINT32_MAX};
  if (p->options.scope != PV_SCOPE_GLOBAL && p->options.scope != PV_SCOPE_THREAD)
    key.function = pv_control_frame(p->control, at.frame)->function;
  if (p->options.scope == PV_SCOPE_LOCATION) {
    key.loc = at.loc;
    if (pv_control_executes_scheduler(p->control)) key.frame = at.frame;
  }
  bool is_new;
  uint32_t i = *pv_map_put(&p->precisions, &key, sizeof key, p->precision.n, &is_new);
  if (is_new) {
    pv_vec_push(&p->precision, (struct precision){0});
    begin_precision(p, key, &p->precision.at[i]);
  }
  return &p->precision.at[i];
}

static uint32_t number_of(struct pv_predicates *p, pv_term predicate) {
  bool is_new;
  uint32_t n = *pv_map_put(&p->numbers, &predicate, sizeof predicate, p->predicates.n, &is_new);
  if (is_new) {
    pv_vec_push(&p->predicates, predicate);
    p->stats.predicates++;
  }
  return n;
}

/* Where the predicate is used if it is found at the point: with PV_SCOPE_THREAD, one about the own
 * variables of one thread only where this thread stands, whoever moves. Another one, everywhere. */
static struct entry placed(struct pv_predicates *p, uint32_t number, const struct pv_point *at) {
  struct entry e = {number, ANYWHERE, 0};
  if (p->options.scope != PV_SCOPE_THREAD || !at) return e;
  uint32_t owner = pv_symbolic_owner(p->symbolic, p->predicates.at[number]);
  if (owner != UINT32_MAX) pv_control_stand(p->control, *at, owner, &e.frame, &e.loc);
  return e;
}

static bool is_used(const struct pv_predicates *p, const struct entry *e, struct pv_point at) {
  uint32_t frame;
  pv_loc loc;
  if (e->frame == ANYWHERE) return true;
  uint32_t thread = pv_control_frame(p->control, e->frame)->thread;
  return pv_control_stand(p->control, at, thread, &frame, &loc) && frame == e->frame &&
         loc == e->loc;
}

/* at: NULL: they are used everywhere. */
static uint32_t add_atoms(struct pv_predicates *p, struct precision *here,
                          const struct pv_point *at, pv_term formula) {
  pv_terms atoms = {0};
  uint32_t added = 0;
  pv_smt_atoms(p->smt, formula, &atoms);
  for (uint32_t i = 0; i < atoms.n; i++) {
    if (pv_smt_is_true(p->smt, atoms.at[i]) || pv_smt_is_false(p->smt, atoms.at[i])) continue;
    struct entry e = placed(p, number_of(p, atoms.at[i]), at);
    bool known = false;
    for (uint32_t k = 0; k < here->at.n && !known; k++) {
      const struct entry *x = &here->at.at[k];
      known = x->number == e.number &&
              (x->frame == ANYWHERE || (x->frame == e.frame && x->loc == e.loc));
    }
    if (known) continue;
    pv_vec_push(&here->at, e);
    added++;
  }
  pv_vec_free(&atoms);
  return added;
}

uint32_t pv_predicates_add(struct pv_predicates *p, struct pv_point at, pv_term formula) {
  return add_atoms(p, precision_at(p, at), &at, formula);
}

uint32_t pv_predicates_add_everywhere(struct pv_predicates *p, struct pv_point at,
                                      pv_term formula) {
  return add_atoms(p, precision_at(p, at), NULL, formula);
}

bool pv_predicates_lacks(struct pv_predicates *p, const struct pv_pred *state, pv_term formula) {
  pv_terms atoms = {0};
  bool lacks = false;
  pv_smt_atoms(p->smt, formula, &atoms);
  const struct precision *here = precision_at(p, state->at);
  for (uint32_t i = 0; i < atoms.n && !lacks; i++) {
    const uint32_t *number = pv_map_get(&p->numbers, &atoms.at[i], sizeof atoms.at[i]);
    uint32_t k = 0;
    if (!number) continue;
    while (k < state->predicates &&
           (here->at.at[k].number != *number || !is_used(p, &here->at.at[k], state->at)))
      k++;
    lacks = k == state->predicates;
  }
  pv_vec_free(&atoms);
  return lacks;
}

void pv_predicates_at(struct pv_predicates *p, struct pv_point at, pv_terms *out) {
  const struct precision *here = precision_at(p, at);
  for (uint32_t i = 0; i < here->at.n; i++)
    pv_vec_push(out, p->predicates.at[here->at.at[i].number]);
}

pv_term pv_predicates_term(struct pv_predicates *p, pv_region region) {
  if (region == PV_REGION_FALSE || region == PV_REGION_TRUE)
    return pv_smt_bool(p->smt, region == PV_REGION_TRUE);
  const uint32_t *known = pv_map_get(&p->terms, &region, sizeof region);
  if (known) return p->kept.at[*known];
  struct pv_region_node n = pv_region_top(p->regions, region);
  pv_term high = pv_predicates_term(p, n.high), low = pv_predicates_term(p, n.low);
  pv_term t = p->predicates.at[n.predicate], no = pv_smt_mk1(p->smt, PV_SMT_NOT, t);
  pv_term yes = pv_smt_mk2(p->smt, PV_SMT_AND, t, high);
  t = pv_smt_mk2(p->smt, PV_SMT_OR, yes, pv_smt_mk2(p->smt, PV_SMT_AND, no, low));
  pv_map_put(&p->terms, &region, sizeof region, p->kept.n, NULL);
  pv_vec_push(&p->kept, t);
  return t;
}

/* ---- states
 * ---------------------------------------------------------------------------------------- */

/* Returns the same state for the same parts. */
static const struct pv_pred *keep(struct pv_predicates *p, const struct pv_pred *s) {
  struct {
    const void *sym, *start, *before, *end, *heads;
    struct pv_point at;
    uint32_t region, predicates, zero; /* without padding, because it is a key */
  } key = {s->sym, s->start, s->before, s->end, s->heads, s->at, s->region, s->predicates, 0};
  bool is_new;
  uint32_t at = *pv_map_put(&p->states, &key, sizeof key, p->kept.n, &is_new);
  if (!is_new) return p->kept.at[at];
  struct pv_pred *kept = pv_pool_alloc(&p->pool, sizeof *kept);
  *kept = *s;
  if (!kept->start) {
    kept->start = kept;
    kept->block = p->blocks++;
  }
  pv_vec_push(&p->kept, kept);
  return kept;
}

static const void *initial(void *self) {
  struct pv_predicates *p = self;
  struct pv_pred s = {.sym = pv_symbolic_start(p->symbolic),
                      .region = PV_REGION_TRUE,
                      .at = pv_control_start(p->control)};
  if (p->begin_formula) {
    s.sym = pv_symbolic_assuming(p->symbolic, pv_symbolic_entry(p->symbolic), p->begin_formula);
    s.at = p->begin;
  }
  return keep(p, &s);
}

void pv_predicates_begin(struct pv_predicates *p, struct pv_point at, pv_term formula) {
  p->begin = at;
  p->begin_formula = formula;
}

static void transfer(void *self, const void *state, const struct pv_move *move,
                     struct pv_post *out) {
  struct pv_predicates *p = self;
  const struct pv_pred *from = state;
  const struct pv_sym_step *step = pv_symbolic_step(p->symbolic, from->sym, move);
  out->events = step->events;
  out->n_events = step->n_events;
  if (!step->next) return;
  struct pv_pred next = {.sym = step->next, .start = from->start, .heads = from->heads};
  out->state = keep(p, &next);
}

static const void *merge(void *self, const void *fresh, const void *reached, struct pv_point at) {
  struct pv_predicates *p = self;
  const struct pv_pred *a = fresh, *b = reached;
  if (pv_control_has_threads(p->control)) return NULL; /* paths are distinguished by their moves */
  if (a->start != b->start || pv_pred_is_abstraction(a) || pv_pred_is_abstraction(b)) return NULL;
  struct pv_pred merged = {.sym = pv_symbolic_merge(p->symbolic, b->sym, a->sym, at),
                           .start = a->start};
  return keep(p, &merged);
}

static bool covers(void *self, const void *fresh, const void *reached) {
  struct pv_predicates *p = self;
  const struct pv_pred *a = fresh, *b = reached;
  if (!pv_pred_is_abstraction(a) || !pv_pred_is_abstraction(b)) return false;
  return pv_region_implies(p->regions, a->region, b->region);
}

static uint64_t class_of(void *self, const void *state, struct pv_point at) {
  const struct pv_pred *s = state;
  (void)self;
  (void)at;
  return pv_pred_is_abstraction(s) ? 0 : s->start->block + 1;
}

/* Explores block by block. */
static int order(void *self, const void *a, struct pv_point at_a, const void *b,
                 struct pv_point at_b) {
  const struct pv_predicates *p = self;
  uint64_t x = ((const struct pv_pred *)a)->start->block;
  uint64_t y = ((const struct pv_pred *)b)->start->block;
  (void)at_a;
  (void)at_b;
  if (x == y) return 0;
  return (x < y) == p->options.breadth_first ? -1 : 1;
}

/* That of the abstraction at the start of the block. */
static uint64_t size(void *self, const void *state) {
  const struct pv_predicates *p = self;
  return pv_region_cubes(p->regions, ((const struct pv_pred *)state)->start->region);
}

/* ---- abstraction
 * --------------------------------------------------------------------------------- */

static bool ends_block(const struct pv_predicates *p, struct pv_point at) {
  if (p->options.blocks == PV_BLOCKS_NEVER) return false;
  if (p->options.blocks == PV_BLOCKS_SINGLE || pv_control_is_head(p->control, at)) return true;
  if (pv_control_is_switch(p->control, at)) return true;
  if (p->options.blocks == PV_BLOCKS_LOOPS) return false;
  return pv_control_is_entry(p->control, at) || pv_control_is_exit(p->control, at);
}

/* A disjunction of cubes under way. Like is joined with like, as in a merge sort: each cube would
 * otherwise be joined with a large region. */
struct cubes {
  struct pv_predicates *p;
  const uint32_t *numbers;
  uint32_t n;
  uint32_t added;
  pv_region joined[32]; /* bit i of `added`: joined[i] is the disjunction of 2^i cubes */
};

static void add_cube(void *user, const int8_t *literals) {
  struct cubes *c = user;
  struct pv_regions *r = c->p->regions;
  pv_region region = pv_region_cube(r, c->n, c->numbers, literals);
  uint32_t i = 0;
  for (; c->added >> i & 1; i++) region = pv_region_or(r, c->joined[i], region);
  c->joined[i] = region;
  c->added++;
}

static pv_region all_cubes(const struct cubes *c) {
  pv_region region = PV_REGION_FALSE;
  for (uint32_t i = 0; c->added >> i; i++)
    if (c->added >> i & 1) region = pv_region_or(c->p->regions, region, c->joined[i]);
  return region;
}

static pv_term entry_formula(struct pv_predicates *p, const struct pv_pred *start,
                             pv_term condition) {
  pv_term region = pv_predicates_term(p, start->region);
  if (p->entry) region = pv_symbolic_apply(p->symbolic, start->sym, region);
  pv_term all = pv_smt_mk2(p->smt, PV_SMT_AND, region, condition);
  return pv_smt_mk2(p->smt, PV_SMT_AND, pv_symbolic_ranges(p->symbolic, all), all);
}

pv_term pv_predicates_formula(struct pv_predicates *p, const struct pv_pred *state,
                              pv_term condition) {
  return entry_formula(p, state->start, condition);
}

/* Selects the predicates of the precision that are meaningful at the point: not those over dead
 * variables, which the precision may have for other points. */
static void choose(struct pv_predicates *p, const struct precision *here, struct pv_point at,
                   struct numbers *out) {
  for (uint32_t i = 0; i < here->at.n; i++) {
    struct {
      struct pv_point at;
      uint32_t predicate;
    } key = {at, here->at.at[i].number};
    bool is_new, chosen = false;
    if (!is_used(p, &here->at.at[i], at)) continue;
    for (uint32_t k = 0; k < out->n && p->options.scope == PV_SCOPE_THREAD; k++)
      chosen |= out->at[k] == key.predicate;
    uint32_t *dead = pv_map_put(&p->dead, &key, sizeof key, 0, &is_new);
    if (is_new)
      *dead = pv_symbolic_speaks_of_dead(p->symbolic, p->predicates.at[key.predicate], at);
    if (!*dead && !chosen) pv_vec_push(out, key.predicate);
  }
}

/* Computes the abstraction of the block's end under its precision. */
static pv_region abstract(struct pv_predicates *p, const struct pv_pred *s, struct pv_point at,
                          const struct precision *all) {
  pv_term formula = entry_formula(p, s->start, pv_symbolic_condition(p->symbolic, s->sym));
  pv_terms applied = {0};
  struct numbers here = {0};
  choose(p, all, at, &here);
  for (uint32_t i = 0; i < here.n; i++) {
    pv_term t = p->predicates.at[here.at[i]];
    pv_vec_push(&applied, pv_symbolic_apply(p->symbolic, s->sym, t));
    /* What a predicate implies may depend on the ranges of the cells in it. */
    formula =
        pv_smt_mk2(p->smt, PV_SMT_AND, pv_symbolic_ranges(p->symbolic, applied.at[i]), formula);
  }
  struct cubes c = {.p = p, .numbers = here.at, .n = here.n};
  struct pv_abstraction_options options = {p->options.cartesian ? 0 : p->options.cubes};
  bool exact = true;
  enum pv_smt_answer a = pv_related_reduce(p->related, &formula, applied.n, applied.at);
  bool others_undecided = a == PV_SMT_UNKNOWN;
  if (a != PV_SMT_UNSAT)
    a = pv_smt_abstract(p->smt, formula, applied.n, applied.at, &options, add_cube, &c, &exact);
  p->stats.abstractions++;
  p->stats.inexact += !exact || others_undecided;
  pv_vec_free(&applied);
  pv_vec_free(&here);
  return a == PV_SMT_UNKNOWN && !c.added ? PV_REGION_TRUE : all_cubes(&c);
}

/* Is it known that no execution reaches the head of a loop? The answer is sought less often while
 * it is no. */
static bool is_unreachable(struct pv_predicates *p, const struct pv_pred *s, struct pv_point at) {
  enum { MOST_SKIPPED = 32 };
  if (!p->options.prunes || !pv_control_is_head(p->control, at)) return false;
  pv_term condition = pv_symbolic_condition(p->symbolic, s->sym);
  if (pv_smt_is_true(p->smt, condition) || p->skipped++ < p->skips) return false;
  bool unreachable = pv_predicates_check(p, s, condition) == PV_SMT_UNSAT;
  p->skipped = 0;
  p->skips = unreachable ? 0 : p->skips < MOST_SKIPPED ? 2 * p->skips + 1 : MOST_SKIPPED;
  return unreachable;
}

/* ---- heads of loops inside blocks --------------------------------------------------------------
 * On a path without an end, a head comes again, so its blocks end. */

static bool is_same_place(struct pv_point a, struct pv_point b) {
  return a.frame == b.frame && a.loc == b.loc;
}

/* May the block go on, because it is at this head for the first time? */
static bool passes_head(struct pv_predicates *p, const struct pv_pred *s, struct pv_point at) {
  if (!p->options.unrolls || pv_control_is_switch(p->control, at)) return false;
  if (is_same_place(s->start->at, at)) return false;
  for (const struct pv_passed_head *h = s->heads; h; h = h->before)
    if (is_same_place(h->at, at)) return false;
  return true;
}

static const void *after_head(struct pv_predicates *p, const struct pv_pred *s,
                              struct pv_point at) {
  struct {
    struct pv_point at;
    uint32_t zero;
    const void *before;
  } key = {at, 0, s->heads};
  bool is_new;
  uint32_t i = *pv_map_put(&p->heads, &key, sizeof key, p->kept.n, &is_new);
  if (is_new) {
    struct pv_passed_head *head = pv_pool_alloc(&p->pool, sizeof *head);
    *head = (struct pv_passed_head){at, s->heads};
    pv_vec_push(&p->kept, head);
  }
  struct pv_pred next = *s;
  next.heads = p->kept.at[i];
  return keep(p, &next);
}

/* The abstraction of the state at the end of a block. */
static pv_region region_at(struct pv_predicates *p, const struct pv_pred *s, struct pv_point at,
                           const struct precision *here) {
  struct {
    const struct pv_sym *sym;
    uint32_t region, predicates;
    uint64_t precision;
    struct pv_point at;
    uint32_t zero; /* without padding, because it is a key */
  } key = {s->sym, s->start->region, here->at.n, (uint64_t)(here - p->precision.at), at, 0};
  bool is_new;
  uint32_t *known = pv_map_put(&p->results, &key, sizeof key, 0, &is_new);
  p->stats.cached += !is_new;
  if (is_new) *known = abstract(p, s, at, here);
  return *known;
}

static const void *adjust(void *self, const void *state, const struct pv_composite *all,
                          uint32_t node) {
  struct pv_predicates *p = self;
  const struct pv_pred *s = state;
  struct pv_point at = all->at;
  (void)node;
  if (is_unreachable(p, s, at)) return NULL;
  if (!ends_block(p, at)) return s;
  if (passes_head(p, s, at)) return after_head(p, s, at);
  const struct precision *here = precision_at(p, at);
  pv_region region = region_at(p, s, at, here);
  if (region == PV_REGION_FALSE) return NULL;
  struct pv_pred next = {.sym = p->entry ? p->entry(all) : pv_symbolic_entry(p->symbolic),
                         .region = region,
                         .before = s->start,
                         .end = s->sym,
                         .at = at,
                         .predicates = here->at.n};
  return keep(p, &next);
}

bool pv_predicates_would_gain(struct pv_predicates *p, const struct pv_pred *state) {
  if (!state->before || !pv_predicates_outdated(p, state)) return false;
  struct pv_pred end = {.sym = state->end, .start = state->before};
  pv_region region = region_at(p, &end, state->at, precision_at(p, state->at));
  if (region == state->region) return false;
  pv_term now = pv_predicates_term(p, region);
  if (p->entry) now = pv_symbolic_apply(p->symbolic, state->sym, now);
  return pv_predicates_check(p, state, pv_smt_mk1(p->smt, PV_SMT_NOT, now)) != PV_SMT_UNSAT;
}

bool pv_predicates_outdated(struct pv_predicates *p, const struct pv_pred *state) {
  return state->predicates < precision_at(p, state->at)->at.n;
}

enum pv_smt_answer pv_predicates_check(struct pv_predicates *p, const struct pv_pred *state,
                                       pv_term when) {
  struct {
    pv_term when;
    const struct pv_sym *start;
    uint64_t region;
  } key = {when, state->start->sym, state->start->region};
  bool is_new;
  uint32_t *known = pv_map_put(&p->checks, &key, sizeof key, PV_SMT_UNKNOWN, &is_new);
  if (is_new || *known == PV_SMT_UNKNOWN) {
    pv_term formula = entry_formula(p, state->start, when);
    enum pv_smt_answer answer = pv_related_reduce(p->related, &formula, 0, NULL);
    bool is_false = pv_smt_is_false(p->smt, pv_smt_simplify(p->smt, formula));
    *known = is_false ? PV_SMT_UNSAT : answer; /* without constants */
  }
  return *known;
}

/* ---- the whole
 * --------------------------------------------------------------------------------------- */

struct pv_predicates *pv_predicates_new(struct pv_symbolic *s, struct pv_smt *smt,
                                        struct pv_control *control,
                                        const struct pv_predicate_options *options) {
  struct pv_predicates *p = pv_alloc(sizeof *p);
  p->symbolic = s;
  p->smt = smt;
  p->related = pv_related_new(smt);
  p->control = control;
  p->options = *options;
  p->regions = pv_regions_new();
  p->analysis = (struct pv_analysis){.name = "predicate",
                                     .self = p,
                                     .initial = initial,
                                     .transfer = transfer,
                                     .adjust = adjust,
                                     .merge = merge,
                                     .covers = covers,
                                     .class_of = class_of,
                                     .order = order,
                                     .size = size};
  return p;
}

void pv_predicates_free(struct pv_predicates *p) {
  if (!p) return;
  pv_regions_free(p->regions);
  pv_related_free(p->related);
  pv_pool_free(&p->pool);
  for (uint32_t i = 0; i < p->precision.n; i++) pv_vec_free(&p->precision.at[i].at);
  pv_vec_free(&p->precision);
  pv_vec_free(&p->predicates);
  pv_vec_free(&p->kept);
  pv_map_free(&p->numbers);
  pv_map_free(&p->precisions);
  pv_map_free(&p->states);
  pv_map_free(&p->results);
  pv_map_free(&p->dead);
  pv_map_free(&p->checks);
  pv_map_free(&p->heads);
  pv_map_free(&p->terms);
  free(p);
}

void pv_predicates_enter(struct pv_predicates *p, pv_block_entry entry) {
  p->entry = entry;
}

const struct pv_analysis *pv_predicates_analysis(struct pv_predicates *p) {
  return &p->analysis;
}
const struct pv_predicates_stats *pv_predicates_stats(const struct pv_predicates *p) {
  return &p->stats;
}
