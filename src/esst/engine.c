/* engine.c -- engine `esst`: explicit scheduler, symbolic threads (Cimatti, Narasamdya, Roveri,
 * LMCS 2012), for programs with cooperative threads. The scheduler is executed, so its state is a
 * part of the location; the data of all threads are one region of values and predicates. Rules and
 * their soundness: docs/esst.md.
 *
 * Framework: the reached-set algorithm, refinement and counterexamples are those of cpa/. A node is
 * (locations of all threads, scheduler state, region). Deviation: one region over the variables of
 * all threads instead of one for each thread and a global one. Rule E2 is a part of the move of the
 * call after which no thread runs, so a connector is no edge of its own. */
#include "cpa/engine_predicate.h"
#include "engine.h"
#include "esst/arguments.h"

struct esst {
  struct pv_analysis_context *context;
  struct pv_esst_arguments arguments;
};

static void prepare(void *user, struct pv_analysis_context *context,
                    struct pv_predicates *predicates, uint32_t part) {
  struct esst *e = user;
  const struct pv_task *task = context->task;
  e->context = context;
  e->arguments = (struct pv_esst_arguments){context, predicates, part, 0};
  struct pv_argument_source source = pv_esst_argument_source(&e->arguments);
  pv_control_execute_scheduler(context->control, pv_sched_of(task->program->sched),
                               (enum pv_sched_order)task->options->order, &source);
}

static void finish(void *user, struct pv_result *result) {
  const struct esst *e = user;
  uint32_t states = pv_control_scheduler_states(e->context->control);
  if (states) pv_vec_push(&result->notes, pv_format("%u states of the scheduler were met", states));
}

static enum pv_status run(const struct pv_task *task, struct pv_result *result) {
  struct esst e = {0};
  struct pv_composite_setup setup = {&e, prepare, finish};
  if (pv_sched_of(task->program->sched)->preemptive) {
    pv_condition_add(&result->condition, PV_PROVISO_ENGINE, NULL, 0,
                     "the program has no error, which engine esst analyses only if its threads "
                     "are cooperative");
    result->verdict = PV_UNKNOWN;
    result->reason = pv_strdup("engine esst needs a program with a cooperative scheduler");
    return PV_OK;
  }
  return pv_composite_run(task, result, &setup);
}

const struct pv_engine pv_engine_esst = {
    .name = "esst",
    .isolated = true,
    .one_error = true,
    .cooperative = true,
    .help = "explicit scheduler, symbolic threads: for cooperative threads",
    .run = run};
