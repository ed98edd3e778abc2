/* bmc.c -- engine `bmc`: bounded model checking. The program is unwound, each loop up to a bound,
 * into one guarded transformer. An error is a satisfiable condition in it. The bound doubles until
 * an error is found or no path needs more iterations; then the result is a proof. A loop that needs
 * no more iterations than its bound is *closed*: its bound stays while that of the others grows, as
 * long as that remains true.
 *
 * If a condition with a bound is given, the search begins with the next bound, and does not ask
 * again about errors before some loop exceeds the given one (given_bound.h). A given automaton is
 * followed, and a path ends where it says `verified` (assumption.h); paths at different states of
 * it are not merged. With option `condition`, what exceeds a bound of monitor.h is left out; a
 * refinement is then the query about one event.
 *
 * References: Biere, Cimatti, Clarke, Zhu, TACAS 1999; Clarke, Kroening, Lerda, TACAS 2004
 * (unwinding assertions; states merged by case distinction). */
#include "cpa/assumption.h"
#include "cpa/given_bound.h"
#include "cpa/context.h"
#include "cpa/loops.h"
#include "cpa/monitor.h"
#include "cpa/predicate.h"
#include "cpa/proof.h"
#include "cpa/witness.h"

#include <stdlib.h>
#include <string.h>

enum {
  FIRST_BOUND = 1,
  TOGETHER = 16, /* violations that are checked by one question, if none of them can happen */
  EXPLORED_FIRST = 5000 /* states that are explored before any question is asked */
};

struct candidate {
  uint32_t node;
  struct pv_move move;
  const struct pv_sym_event *event;
};
struct bmc {
  struct pv_analysis_context context;
  struct pv_loops *loops;
  struct pv_predicates *predicates;
  struct pv_cpa *cpa;
  struct pv_result *result;
  struct pv_given_bound *beyond;     /* or NULL */
  struct pv_assumption_guide *guide; /* or NULL */
  struct pv_monitor *monitor;        /* or NULL */
  PV_VEC(struct candidate) later;    /* candidate errors other than violations */
  PV_VEC(struct candidate) waiting;  /* violations, to be checked together */
  struct pv_map excluded;            /* the conditions of violations that cannot happen */
  struct pv_map said;                /* loops for which there is a proviso about the bound */
  /* The latest bound up to which all executions were examined, here or by the earlier run; 0: none.
   */
  uint32_t examined;
  const char *exceeded;  /* which bound of the monitor the last query exceeded, or NULL */
  uint32_t closed, idle; /* closed loops; rounds since their number grew */
  uint64_t expanded;     /* states, before the round */
  bool error, over;
  bool *arrays; /* by place: it is not divided into cells (pv_layout_new_objects) */
  bool refined; /* another place is not, from now on */
  bool ended;   /* no path exceeds a bound */
  struct pv_proof *proof;
};

/* Parts of the composition. Those of the given bound or automaton and of the monitor follow. */
enum { LOOPS, SYMBOLIC, BEYOND, PARTS = 4 };

static const struct pv_sym *sym_at(const struct bmc *b, uint32_t node) {
  return ((const struct pv_pred *)pv_cpa_node(b->cpa, node)->state.part[SYMBOLIC])->sym;
}

/* The condition under which a candidate error occurs. */
static pv_term condition(struct bmc *b, const struct candidate *s) {
  if (s->event->when) return s->event->when;
  const struct pv_sym_step *step =
      pv_symbolic_step(b->context.symbolic, sym_at(b, s->node), &s->move);
  return step->next ? pv_symbolic_condition(b->context.symbolic, step->next)
                    : pv_smt_bool(b->context.smt, false);
}

static enum pv_smt_answer check(struct bmc *b, const struct candidate *s) {
  enum pv_smt_answer a = PV_SMT_UNKNOWN;
  pv_monitor_begin_refinement(b->monitor);
  pv_term t = condition(b, s);
  if (pv_monitor_admits_formula(b->monitor, 1, &t))
    a = pv_predicates_check(b->predicates, pv_cpa_node(b->cpa, s->node)->state.part[SYMBOLIC], t);
  b->exceeded = pv_monitor_end_refinement(b->monitor);
  return a;
}

/* Does the event end an execution that is covered by the given condition? */
static bool is_covered(const struct bmc *b, const struct candidate *s) {
  return b->beyond && s->event->kind != PV_SYM_WRAP &&
         pv_given_bound_is_within(b->beyond, pv_cpa_node(b->cpa, s->node)->state.part[BEYOND]);
}

static void give_up(struct bmc *b, const struct pv_sym_event *e, enum pv_smt_answer a) {
  const char *reason = e->kind == PV_SYM_VIOLATION ? pv_context_not_shown(&b->context) : NULL;
  if (a == PV_SMT_UNKNOWN && b->exceeded) {
    pv_context_exclude(&b->context, b->result, e, b->exceeded);
    return;
  }
  if (a == PV_SMT_UNKNOWN) reason = pv_context_undecided(&b->context, NULL);
  pv_context_give_up(&b->context, b->result, e, reason);
}

static bool report(struct bmc *b, const struct candidate *s) {
  struct pv_sym_path path = {.n = 1, .blocks = NULL, .last = s->event->when};
  struct pv_sym_formula formula;
  const struct pv_sym *none = NULL;
  path.blocks = &none;
  pv_symbolic_path(b->context.symbolic, &path, &formula);
  struct pv_witness_path w = {
      .cpa = b->cpa, .node = s->node, .part = SYMBOLIC, .n = 1, .blocks = &none};
  bool found = pv_witness(&b->context, b->result, &w, &formula, s->event, NULL);
  pv_sym_formula_free(&formula);
  return found;
}

/* Checks one violation. Returns false if it is an error. */
static bool check_violation(struct bmc *b, const struct candidate *s) {
  if (pv_context_is_given_up(&b->context, s->event)) return true;
  enum pv_smt_answer a = check(b, s);
  if (a == PV_SMT_UNSAT) return true;
  if (a == PV_SMT_SAT && report(b, s)) {
    b->error = true;
    return false;
  }
  give_up(b, s->event, a);
  return true;
}

/* Checks `n` of the violations that wait: first whether any of them can happen, and then first the
 * one that the answer shows. Returns false at an error. */
static bool check_together(struct bmc *b, const struct candidate *at, uint32_t n) {
  bool none = false, fine = true;
  uint32_t first = 0;
  if (n > 1) {
    pv_terms when = {0};
    for (uint32_t i = 0; i < n; i++) pv_vec_push(&when, at[i].event->when);
    pv_term any = pv_smt_mk(b->context.smt, PV_SMT_OR, when.n, when.at);
    const void *state = pv_cpa_node(b->cpa, at[0].node)->state.part[SYMBOLIC];
    any = pv_predicates_formula(b->predicates, state, any);
    none = pv_smt_check_which(b->context.smt, any, when.n, when.at, &first) == PV_SMT_UNSAT;
    for (uint32_t i = 0; i < when.n && none; i++)
      pv_map_put(&b->excluded, &when.at[i], sizeof when.at[i], 1, NULL);
    pv_vec_free(&when);
  }
  if (!none && first < n) fine = check_violation(b, &at[first]);
  for (uint32_t i = 0; i < n && fine && !none; i++)
    if (i != first) fine = check_violation(b, &at[i]);
  return fine;
}

static bool check_waiting(struct bmc *b) {
  bool fine = true;
  for (uint32_t i = 0; i < b->waiting.n && fine; i += TOGETHER) {
    uint32_t n = b->waiting.n - i < TOGETHER ? b->waiting.n - i : TOGETHER;
    fine = check_together(b, b->waiting.at + i, n);
  }
  b->waiting.n = 0;
  return fine;
}

/* Can the questions wait until all was explored? Then it is known by then whether this round is the
 * last. An exploration that takes long may find an error on its way. */
static bool may_wait(const struct bmc *b) {
  if (b->monitor) return false; /* it bounds the question about each one */
  if (b->waiting.n < TOGETHER) return true;
  return pv_cpa_stats(b->cpa)->expanded - b->expanded < EXPLORED_FIRST;
}

static bool on_event(void *user, uint32_t node, const struct pv_move *move,
                     const struct pv_sym_event *event) {
  struct bmc *b = user;
  struct candidate s = {node, *move, event};
  if (event->kind != PV_SYM_VIOLATION) {
    pv_vec_push(&b->later, s);
    return true;
  }
  if (is_covered(b, &s) || pv_context_is_given_up(&b->context, event)) return true;
  if (pv_map_get(&b->excluded, &event->when, sizeof event->when)) return true;
  pv_vec_push(&b->waiting, s);
  return may_wait(b) || check_waiting(b);
}

/* Says that a loop has at most so many iterations. */
static void say(struct bmc *b, enum pv_proviso_kind kind, const char *loop, uint32_t bound,
                const char *why) {
  bool is_new;
  pv_map_put_str(&b->said, loop, 1, &is_new);
  if (is_new)
    pv_condition_add(&b->result->condition, kind, NULL, 0, "%s has at most %u iteration%s%s%s%s",
                     loop, bound, bound == 1 ? "" : "s", why ? " (" : "", why ? why : "",
                     why ? ")" : "");
}

/* The share of the loops that are closed is an estimate of what is done, as long as loops close: it
 * is 0 if none did in the last rounds. Steps that the encoding leaves unconstrained are told, too:
 * another encoding may be better. */
static void tell_progress(struct bmc *b, uint32_t loops, uint32_t open, uint32_t bound) {
  enum { MOST_IDLE = 2 }; /* rounds */
  uint32_t closed = loops - open;
  b->idle = closed > b->closed ? 0 : b->idle + 1;
  b->closed = closed;
  struct pv_stats stats = b->result->stats;
  stats.part = b->idle < MOST_IDLE && loops ? (double)closed / loops : 0;
  stats.imprecise = pv_symbolic_met(b->context.symbolic).imprecise;
  stats.bound = bound;
  if (b->context.task->progress) b->context.task->progress(b->context.task->progress_user, &stats);
}

/* No loop exceeded its bound, for whatever values: only questions about errors are left. */
static void tell_last_round(struct bmc *b, uint32_t bound) {
  struct pv_stats stats = b->result->stats;
  for (uint32_t i = 0; i < b->later.n; i++)
    if (pv_loops_is_event(b->loops, b->later.at[i].event)) return;
  stats.part = 1;
  stats.imprecise = pv_symbolic_met(b->context.symbolic).imprecise;
  stats.bound = bound;
  if (b->context.task->progress) b->context.task->progress(b->context.task->progress_user, &stats);
}

/* Is there a path that needs more iterations of this loop? If the query exceeds a bound of the
 * monitor, what follows is left out. */
static bool needs_more(struct bmc *b, const struct candidate *s) {
  enum pv_smt_answer a = check(b, s);
  if (a == PV_SMT_UNSAT) return false;
  if (a == PV_SMT_SAT || !b->exceeded) return true;
  say(b, PV_PROVISO_EXCLUDED, s->event->message, pv_loops_bound_of(b->loops, s->move.to),
      b->exceeded);
  return false;
}

/* The state of the search after all was examined up to the bound. */
enum round { DONE, AGAIN, MORE }; /* AGAIN: a closed loop needs more iterations, up to the bound */

/* Which loops need more iterations than their bounds? */
static enum round look_at_loops(struct bmc *b, uint32_t bound) {
  struct pv_map heads = {0}; /* struct pv_point -> is there a path that needs more? */
  enum round r = DONE;
  for (uint32_t i = 0; i < b->later.n; i++) {
    const struct candidate *s = &b->later.at[i];
    if (!pv_loops_is_event(b->loops, s->event)) continue;
    uint32_t *is_open = pv_map_put(&heads, &s->move.to, sizeof s->move.to, 0, NULL);
    if (!*is_open) *is_open = needs_more(b, s);
  }
  uint32_t open = 0;
  for (uint32_t i = 0; i < heads.n; i++) {
    struct pv_point head;
    memcpy(&head, heads.entry[i].key, sizeof head);
    uint32_t own = pv_loops_bound_of(b->loops, head);
    pv_loops_set_bound_of(b->loops, head, heads.entry[i].value ? 0 : own);
    if (!heads.entry[i].value) continue;
    open++;
    if (own < bound)
      r = AGAIN;
    else if (r == DONE)
      r = MORE;
  }
  tell_progress(b, heads.n, open, bound);
  pv_map_free(&heads);
  return r;
}

/* Adds provisos for candidate errors within the bound. Returns true if an assumption must be given
 * up and the search repeated. */
static bool settle(struct bmc *b) {
  bool again = false;
  for (uint32_t i = 0; i < b->later.n; i++) {
    const struct candidate *s = &b->later.at[i];
    if (pv_loops_is_event(b->loops, s->event)) continue;
    if (is_covered(b, s) || pv_context_is_given_up(&b->context, s->event)) continue;
    enum pv_smt_answer a = check(b, s);
    if (a == PV_SMT_UNSAT) continue;
    const struct pv_sym_event *e = s->event;
    if (e->coarse && !b->arrays[e->coarse - 1]) {
      b->arrays[e->coarse - 1] = b->refined = true;
      continue;
    }
    if (e->kind == PV_SYM_WRAP &&
        pv_symbolic_wrap(b->context.symbolic,
                         pv_control_frame(b->context.control, e->frame)->function, e->edge))
      again = true;
    else if (e->kind != PV_SYM_WRAP)
      give_up(b, e, a);
  }
  return again;
}

static void say_bound(struct bmc *b, uint32_t bound) {
  for (uint32_t i = 0; i < b->later.n; i++) {
    const struct pv_sym_event *e = b->later.at[i].event;
    if (!pv_loops_is_event(b->loops, e) || check(b, &b->later.at[i]) == PV_SMT_UNSAT) continue;
    say(b, PV_PROVISO_UNWINDING, e->message, bound, NULL);
  }
}

/* Explores with the bound, until no assumption is given up. Returns false if the search ends. */
static bool explore(struct bmc *b, uint32_t bound) {
  pv_loops_set_bound(b->loops, bound);
  do {
    b->later.n = b->waiting.n = 0;
    pv_cpa_restart(b->cpa);
    b->expanded = pv_cpa_stats(b->cpa)->expanded;
    enum pv_cpa_end end = pv_cpa_run(b->cpa, on_event, b);
    if (end == PV_CPA_FIXPOINT) tell_last_round(b, bound);
    if (end != PV_CPA_FIXPOINT || !check_waiting(b) || pv_context_lost(&b->context)) return false;
    /* within a question: the answer is missing */
    if (pv_limits_check_now(b->context.task->limits) != PV_LIMIT_NONE) return false;
  } while (settle(b));
  if (b->refined) return false;
  pv_monitor_report(b->monitor, b->result);
  return true;
}

static uint32_t next_bound(const struct bmc *b, uint32_t bound) {
  uint64_t most = (uint64_t)b->context.task->options->unwind, next = 2 * (uint64_t)bound;
  return (uint32_t)(most && next > most ? most : next < UINT32_MAX ? next : UINT32_MAX);
}

/* Returns true if the search is complete, up to the provisos. */
static bool search(struct bmc *b) {
  uint32_t most = (uint32_t)b->context.task->options->unwind, given = b->examined;
  uint32_t bound = given ? next_bound(b, given) : FIRST_BOUND;
  if (most && given >= most) { /* nothing is left to do */
    pv_condition_add(&b->result->condition, PV_PROVISO_UNWINDING, NULL, 0,
                     "no loop goes round more than %u time%s", given, given == 1 ? "" : "s");
    return true;
  }
  for (;;) {
    if (!explore(b, bound)) return b->error;
    enum round round = look_at_loops(b, bound);
    b->ended = round == DONE;
    if (b->ended) return true;
    if (round == AGAIN) {
      if (pv_limits_check(b->context.task->limits, 0) != PV_LIMIT_NONE) return false;
      continue;
    }
    b->examined = bound;
    if (most && bound >= most) {
      say_bound(b, bound);
      return true;
    }
    if (pv_limits_check(b->context.task->limits, 0) != PV_LIMIT_NONE) return false;
    bound = next_bound(b, bound);
  }
}

/* Executions in which some loop exceeds the bound are open. */
static void open_bound(const struct bmc *b, struct pv_condition *c) {
  const struct pv_open_part beyond = {
      .kind = PV_OPEN_BOUND, .bound = PV_BOUND_UNWINDING, .number = b->examined};
  pv_vec_push(&c->parts, beyond);
  for (uint32_t i = 0; i < c->provisos.n; i++)
    if (c->provisos.at[i].kind == PV_PROVISO_UNWINDING) c->provisos.at[i].part = c->parts.n;
}

static bool is_interruption(const struct pv_proviso *p, void *user) {
  (void)user;
  return pv_proviso_is_interruption(p->kind);
}

/* A limit ended the search with a bound, but smaller bounds were examined completely. */
static void fall_back(const struct bmc *b, struct pv_result *r) {
  enum pv_limit hit = b->context.task->limits->hit;
  pv_condition_filter(&r->condition, is_interruption, NULL);
  pv_condition_add(&r->condition, PV_PROVISO_UNWINDING, NULL, 0,
                   "no loop goes round more than %u time%s (limit: %s)", b->examined,
                   b->examined == 1 ? "" : "s", pv_limit_name(hit));
  r->verdict = PV_CONDITIONAL;
  free(r->reason);
  r->reason = NULL;
}

static void leave_open(const struct bmc *b, struct pv_result *r, bool complete) {
  bool limited = b->context.task->limits->hit != PV_LIMIT_NONE;
  if (!b->examined || r->violations.n || pv_context_lost(&b->context)) return;
  if (!complete && !limited) return;
  if (!complete) fall_back(b, r);
  open_bound(b, &r->condition);
}

static bool takes(const struct pv_task *task) {
  return pv_given_bound_takes(task) || pv_assumption_guide_is_worthwhile(task);
}

static void set_up(struct bmc *b, const struct pv_task *task) {
  struct pv_predicate_options options = {.blocks = PV_BLOCKS_NEVER, .prunes = true};
  bool all;
  uint32_t given = pv_given_bound_of(task, &all), n = 2;
  if (!all) b->examined = given;
  b->predicates =
      pv_predicates_new(b->context.symbolic, b->context.smt, b->context.control, &options);
  b->loops = pv_loops_new(task->program, b->context.control, FIRST_BOUND);
  b->beyond = pv_given_bound_new(&b->context, LOOPS);
  b->monitor = pv_monitor_new(&b->context);
  const struct pv_analysis *parts[PARTS] = {
      [LOOPS] = pv_loops_analysis(b->loops), [SYMBOLIC] = pv_predicates_analysis(b->predicates)};
  if (b->beyond) parts[n++] = pv_given_bound_analysis(b->beyond);
  if (pv_assumption_guide_is_worthwhile(task)) b->guide = pv_assumption_guide_new(&b->context);
  if (b->guide) parts[n++] = pv_assumption_guide_analysis(b->guide);
  if (b->monitor) parts[n++] = pv_monitor_analysis(b->monitor);
  b->cpa = pv_cpa_new(b->context.control, parts, n, task->limits);
  pv_cpa_set_listeners(b->cpa, task->listeners);
  pv_monitor_watch(b->monitor, b->cpa, n, parts, n - 1);
}

static bool is_any(const struct pv_proviso *p, void *user) {
  (void)p;
  (void)user;
  return true;
}

/* A place is to be modelled in another way: begins anew. */
static void begin_anew(struct bmc *b) {
  pv_context_free(&b->context);
  pv_condition_filter(&b->result->condition, is_any, NULL);
  pv_vec_free(&b->later);
  pv_vec_free(&b->waiting);
  pv_map_free(&b->excluded); /* its terms were freed with the context */
  pv_map_free(&b->said);
  b->examined = b->closed = b->idle = 0;
  b->refined = false;
}

/* The proof is about the whole program: not if a condition covers a part, or bounds leave one out.
 */
static struct pv_proof *prove(const struct bmc *b) {
  if (!b->ended || b->beyond || b->guide || b->monitor) return NULL;
  struct pv_proof *proof = pv_proof_new(&b->context);
  if (proof)
    pv_proof_by_unwinding(proof, b->arrays, pv_layout_places(b->context.layout),
                          pv_cpa_stats(b->cpa)->expanded);
  return proof;
}

/* Returns true if the search is complete, up to the provisos. */
static bool attempt(struct bmc *b, const struct pv_task *task, struct pv_result *result) {
  bool complete = false;
  if (pv_context_new_objects(&b->context, task, b->arrays, result)) {
    if (!b->arrays)
      b->arrays = pv_alloc((pv_layout_places(b->context.layout) + 1) * sizeof *b->arrays);
    set_up(b, task);
    complete = search(b);
    if (complete && !b->error && !b->refined) b->proof = prove(b);
    result->stats.states = pv_cpa_stats(b->cpa)->expanded;
    pv_cpa_free(b->cpa);
    pv_loops_free(b->loops);
    pv_given_bound_free(b->beyond);
    pv_assumption_guide_free(b->guide);
    pv_predicates_free(b->predicates);
    pv_monitor_free(b->monitor);
  }
  return complete;
}

static enum pv_status run(const struct pv_task *task, struct pv_result *result) {
  struct bmc b = {.result = result};
  bool complete;
  while (complete = attempt(&b, task, result), b.refined) begin_anew(&b);
  pv_context_finish(&b.context, result, complete);
  leave_open(&b, result, complete);
  pv_context_free(&b.context);
  pv_vec_free(&b.later);
  pv_vec_free(&b.waiting);
  pv_map_free(&b.excluded);
  pv_map_free(&b.said);
  free(b.arrays);
  pv_proof_finish(b.proof, task, result);
  return PV_OK;
}

const struct pv_engine pv_engine_bmc = {.name = "bmc",
                                        .isolated = true,
                                        .one_error = true,
                                        .help = "bounded model checking",
                                        .run = run,
                                        .takes = takes};
