#include "plan/attempt.h"

#include "analysis/call_graph.h"
#include "analysis/points_to.h"
#include "analysis/slice.h"
#include "analysis/slice_program.h"
#include "analysis/specialise.h"
#include "cpa/ranking.h"
#include "plan/assumed.h"
#include "plan/plan.h"
#include "sched/sched.h"

#include <string.h>

/* Conditions, coverage and proofs are about places of the program, and listeners want to know of
 * all steps: then nothing but the program itself may be searched. */
static bool is_about_places(const struct pv_task *task) {
  const struct pv_options *o = task->options;
  return o->given.n || o->proviso.n || o->coverage.n || o->check_proof || o->load.n ||
         task->listeners;
}

static enum pv_status run(struct pv_attempt *a) {
  return pv_plan_run(&a->task, a->result, a->engine);
}

static bool is_decided(const struct pv_result *r) {
  return r->verdict == PV_TRUE || r->verdict == PV_FALSE;
}

static void tell_assumed(struct pv_attempt *a) {
  a->result->assumed = pv_assumed(a->program, a->task.options);
}

/* ---- slices ---------------------------------------------------------------------------------- */
/* May the search of a slice stand for one of the program? */
static bool may_slice(const struct pv_attempt *a) {
  const struct pv_options *o = a->task.options;
  return !o->no_slice && !is_about_places(&a->task) && o->window != PV_WINDOW_AUTO &&
         pv_sched_of(a->program->sched)->preemptive;
}

/* Without being asked to: where it is known to pay. Overflows are nearly everywhere. */
static bool slices_by_default(const struct pv_attempt *a) {
  const struct pv_options *o = a->task.options;
  return o->engine == PV_ENGINE_AUTO && !o->plan.n && !a->validates && !o->keep_going &&
         !o->minimise && o->properties == PV_PROP_BIT(PV_PROP_UNREACH_CALL);
}

/* Replays the error of the slice in the program, which was read anew. */
static bool show_in_program(struct pv_attempt *a, struct pv_result *of_slice) {
  struct pv_violation shown = {0};
  if (of_slice->violations.n != 1) return false;
  pv_plan_replay_sliced(&a->task, &of_slice->violations.at[0], &shown);
  if (!shown.replayed) {
    pv_violation_clear(&shown);
    return false;
  }
  pv_violation_clear(&of_slice->violations.at[0]);
  of_slice->violations.at[0] = shown;
  return true;
}

static void tell_slice(struct pv_result *r, const struct pv_slice_size *size) {
  pv_vec_push(&r->notes,
              pv_format("a slice of the program was searched: %u of %u edges are left, since the "
                        "others cannot influence the properties (--no-slice searches them, too)",
                        size->kept, size->edges));
}

bool pv_attempt_slice(struct pv_attempt *a, enum pv_status *status) {
  const struct pv_options *o = a->task.options;
  struct pv_slice_request request = {
      .properties = o->properties, .defined = true, .if_it_pays = !o->slice};
  struct pv_slice_size size = {0};
  if (!may_slice(a) || (!o->slice && !slices_by_default(a))) return false;
  if (o->properties & ~pv_slice_properties()) return false;
  if (o->slice) pv_specialise(a->program); /* handlers that nobody registered are out */
  if (pv_slice_program(a->program, &request, &size)) return false;
  a->say(a->user, "searching a slice");
  *status = run(a);
  tell_assumed(a);
  if (*status != PV_OK || a->result->verdict == PV_FALSE) {
    struct pv_result of_slice = *a->result;
    const char *engine = *a->engine;
    *a->result = (struct pv_result){0};
    *status = a->read_anew(a); /* the path of the error is to be one of the program */
    if (*status != PV_OK || size.threads || !show_in_program(a, &of_slice)) {
      pv_result_clear(&of_slice);
      return *status != PV_OK;
    }
    *a->result = of_slice;
    *a->engine = engine;
  }
  tell_slice(a->result, &size);
  return true;
}

/* ---- programs without errors ----------------------------------------------------------------- */
/* Only a function without a body can hold an error that is not in the program's text. The names of
 * such functions have no spaces; what the library says about its own limits has. */
static bool may_fail(const struct pv_program *p, uint32_t function) {
  const struct pv_function *f = &p->functions.at[function];
  for (uint32_t i = 0; i < f->edges.n; i++) {
    const struct pv_edge *e = &f->edges.at[i];
    bool of_library = f->is_model || (f->is_library && e->text && strchr(e->text, ' '));
    bool unknown = e->op == PV_OP_STOP && e->aux == PV_STOP_UNSUPPORTED && !of_library;
    if (e->op == PV_OP_ERROR || unknown) return true;
  }
  return false;
}

/* Does no function that may run call reach_error, or have an assertion? */
static bool cannot_fail(const struct pv_program *p) {
  struct pv_points_to *pt = pv_points_to_new(p, NULL);
  struct pv_call_graph *calls = pv_call_graph_new(p, pt);
  bool fails = false;
  for (uint32_t f = 0; f < p->functions.n && !fails; f++)
    fails = pv_call_graph_runs(calls, f) && may_fail(p, f);
  pv_call_graph_free(calls);
  pv_points_to_free(pt);
  return !fails;
}

/* No function that may run can fail, and a short search came to no verdict. */
static void end_search(struct pv_attempt *a) {
  struct pv_result proof = {.verdict = PV_CONDITIONAL, .checked = a->task.options->properties};
  pv_condition_add(&proof.condition, PV_PROVISO_ENGINE, NULL, 0, "nothing undefined happens");
  pv_vec_push(&proof.notes, pv_strdup("no function that may run calls reach_error or has an "
                                      "assertion, so the search was ended"));
  pv_result_clear(a->result);
  *a->result = proof;
  *a->engine = "call graph";
}

bool pv_attempt_absence(struct pv_attempt *a, enum pv_status *status) {
  const struct pv_options *o = a->task.options;
  struct pv_limits *limits = a->task.limits;
  const double enough = 10; /* seconds */
  double asked = limits->seconds;
  bool whole =
      !is_about_places(&a->task) && !a->validates && !o->plan.n && o->engine == PV_ENGINE_AUTO;
  if (!whole || o->properties != PV_PROP_BIT(PV_PROP_UNREACH_CALL)) return false;
  if (pv_sched_of(a->program->sched)->preemptive || !cannot_fail(a->program)) return false;
  if (asked <= 0 || asked > enough) limits->seconds = enough;
  a->say(a->user, "searching");
  *status = run(a);
  limits->seconds = asked;
  if (*status == PV_OK && !is_decided(a->result) && !pv_limits_interrupted()) end_search(a);
  tell_assumed(a);
  return true;
}

/* ---- termination ----------------------------------------------------------------------------- */
/* Ranking functions are looked for only if nothing else is asked. */
static bool may_rank(const struct pv_task *task) {
  const struct pv_options *o = task->options;
  return o->properties == PV_PROP_BIT(PV_PROP_TERMINATION) && o->engine == PV_ENGINE_AUTO &&
         !o->plan.n && !o->given.n && !o->proviso.n && !o->load.n && !o->coverage.n &&
         o->window != PV_WINDOW_AUTO;
}

/* Is none of these endless loops ever reached? Changes the program. */
static bool never_reached(struct pv_attempt *a, const struct pv_ranking *r) {
  const struct pv_limits *all = a->task.limits;
  struct pv_limits limits = {.memory = all->memory, .seconds = 60};
  if (all->seconds > 0) limits.seconds = (all->seconds - pv_limits_elapsed(all)) / 2;
  if (limits.seconds <= 0) return false;
  pv_limits_start(&limits);
  pv_ranking_target(a->program, r);
  struct pv_task task = a->task;
  struct pv_result look = {0};
  const char *engine;
  task.properties = PV_PROP_BIT(PV_PROP_UNREACH_CALL);
  task.limits = &limits;
  bool fine = pv_plan_run(&task, &look, &engine) == PV_OK && look.verdict == PV_TRUE;
  pv_result_clear(&look);
  return fine;
}

/* Proves that the program ends. The proof is about the program with its constants propagated, which
 * is read anew unless the proof has no provisos. */
static enum pv_status rank(struct pv_attempt *a, struct pv_result *proof, struct pv_ranking *r) {
  a->say(a->user, "looking for ranking functions");
  pv_specialise(a->program);
  pv_ranking_prove(&a->task, proof, r);
  if (r->ends && r->endless.n && !never_reached(a, r)) {
    r->ends = false;
    r->why = pv_strdup("a loop without an exit may be reached");
  }
  proof->checked = a->task.properties;
  proof->verdict = proof->condition.provisos.n ? PV_CONDITIONAL : PV_TRUE;
  if (r->ends)
    pv_vec_push(&proof->notes, r->functions.n
                                   ? pv_format("these functions fall in every round: %s",
                                               pv_str_cstr(&r->functions))
                                   : pv_strdup("no loop of the program has a second round"));
  return r->ends && proof->verdict == PV_TRUE ? PV_OK : a->read_anew(a);
}

bool pv_attempt_termination(struct pv_attempt *a, enum pv_status *status) {
  struct pv_ranking r = {0};
  struct pv_result proof = {0};
  if (!may_rank(&a->task)) return false;
  *status = rank(a, &proof, &r);
  bool proved = r.ends && proof.verdict == PV_TRUE;
  if (!proved && *status == PV_OK) {
    a->say(a->user, "searching");
    *status = run(a);
    bool decided = is_decided(a->result);
    if (!r.ends && !decided)
      pv_vec_push(&a->result->notes,
                  pv_format("it is not proved that the program ends: %s", r.why ? r.why : "limit"));
    proved = r.ends && !decided;
  }
  if (proved && *status == PV_OK) {
    pv_result_clear(a->result);
    *a->result = proof;
    *a->engine = "ranking";
  } else {
    pv_result_clear(&proof);
  }
  if (a->program) tell_assumed(a);
  pv_ranking_clear(&r);
  return true;
}
