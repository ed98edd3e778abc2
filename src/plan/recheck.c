/* recheck.c -- removes provisos that a further search can decide.
 *
 * A failed attempt (trylock, trywait) gives information about another thread, but does not
 * synchronise with it (C11, 7.26.4.5). So two accesses separated only by such a failure race,
 * although they are adjacent in no execution; and engines search for races between adjacent
 * accesses. Hence the proviso. The second search lets attempts fail at any time, even if no thread
 * holds the lock. Then a failure gives no information, and orders nothing. All executions of the
 * program are included; and if two accesses race, there is an execution in which nothing separates
 * them. So if this search finds no race, there is none. It examines the whole program: what a given
 * condition covers was not examined with attempts that fail at any time. If it finds one, the race
 * may be due to a failure without a cause, and the proviso stays.
 *
 * Engines execute atomic operations as if they were sequentially consistent; hence a proviso for
 * each one with a weaker order. A stateless search looks at one execution of each class for what
 * the memory orders allow beyond (dpor/robustness.h). If there is nothing, and data races were
 * looked for, the provisos go. */
#include <stdlib.h>
#include <string.h>

#include "plan/plan_internal.h"
#include "vm/vm.h"

enum { STATES = 100000 }; /* a bound that is independent of time, so that runs are reproducible */

static bool is_about_attempts(const struct pv_proviso *p) {
  return p->kind == PV_PROVISO_ORDERING &&
         !strncmp(p->sentence, PV_UNORDERED, strlen(PV_UNORDERED));
}

/* May two searches with this proviso have left out different things? */
static bool cuts_off(enum pv_proviso_kind k) {
  switch (k) {
  case PV_PROVISO_TIME:
  case PV_PROVISO_MEMORY:
  case PV_PROVISO_STATES:
  case PV_PROVISO_DEPTH:
  case PV_PROVISO_INTERRUPT:
  case PV_PROVISO_QUEUE:
  case PV_PROVISO_SAMPLING:
  case PV_PROVISO_LOSSY:
  case PV_PROVISO_CRASH: return true;
  default: return false;
  }
}

static bool has(const struct pv_condition *c, const struct pv_proviso *p) {
  for (uint32_t i = 0; i < c->provisos.n; i++)
    if (c->provisos.at[i].kind == p->kind && !strcmp(c->provisos.at[i].sentence, p->sentence) &&
        pv_proviso_concerns(&c->provisos.at[i], PV_PROP_BIT(PV_PROP_NO_DATA_RACE)))
      return true;
  return false;
}

/* Does the search find no error, with no other provisos than those of the result? */
static bool confirms(const struct pv_result *look, const struct pv_result *r) {
  bool fine = look->verdict == PV_TRUE || look->verdict == PV_CONDITIONAL;
  for (uint32_t i = 0; i < look->condition.provisos.n && fine; i++) {
    const struct pv_proviso *p = &look->condition.provisos.at[i];
    fine = !cuts_off(p->kind) && has(&r->condition, p);
  }
  return fine;
}

static bool is_about_orders(const struct pv_proviso *p) {
  return p->kind == PV_PROVISO_ORDERING && !is_about_attempts(p);
}

static struct pv_limits limits_left(const struct pv_limits *all) {
  struct pv_limits own = {.memory = all->memory, .states = STATES};
  if (all->states && all->states < STATES) own.states = all->states;
  if (all->seconds > 0) {
    own.seconds = all->seconds - pv_limits_elapsed(all);
    if (own.seconds < 0.01) own.seconds = 0.01;
  }
  pv_limits_start(&own);
  return own;
}

/* Is there no race even if attempts may fail at any time? */
static bool no_attempt_orders(const struct pv_task *task, const struct pv_result *r) {
  struct pv_options options = *task->options; /* the texts are borrowed */
  struct pv_limits limits = limits_left(task->limits);
  struct pv_task own = {.program = task->program,
                        .options = &options,
                        .limits = &limits,
                        .properties = PV_PROP_BIT(PV_PROP_NO_DATA_RACE)};
  struct pv_result look = {0};
  options.weak_attempts = true;
  options.keep_going = options.minimise = false;
  options.atomic = PV_ATOMIC_VISIBLE;
  bool fine = pv_plan_engine("explicit")->run(&own, &look) == PV_OK &&
              (look.checked & own.properties) && confirms(&look, r);
  pv_result_clear(&look);
  return fine;
}

static bool any(const struct pv_condition *c, bool (*is)(const struct pv_proviso *)) {
  for (uint32_t i = 0; i < c->provisos.n; i++)
    if (is(&c->provisos.at[i])) return true;
  return false;
}

/* Do the memory orders allow only executions that are sequentially consistent? If not, the result
 * receives notes that say why. */
static bool is_robust(const struct pv_task *task, struct pv_result *r) {
  pv_properties races = PV_PROP_BIT(PV_PROP_NO_DATA_RACE);
  if (!(task->properties & r->checked & races)) return false;
  struct pv_options options = *task->options; /* the texts are borrowed */
  struct pv_limits limits = limits_left(task->limits);
  struct pv_task own = {
      .program = task->program, .options = &options, .limits = &limits, .properties = races};
  struct pv_result look = {0};
  options.robustness = true;
  options.keep_going = options.minimise = false;
  options.dependence = PV_DEPENDENCE_CONFLICT;
  options.dpor = PV_DPOR_OPTIMAL;
  options.preemptions = PV_ANY_PREEMPTIONS; /* every execution is examined, whatever was searched */
  options.unwind = 0;
  options.peek = options.prune = 0;
  options.exec = 0; /* machine code does not tell what it publishes */
  options.atomic = PV_ATOMIC_VISIBLE;
  bool fine = pv_plan_engine("dpor")->run(&own, &look) == PV_OK && (look.checked & races) &&
              confirms(&look, r) && !any(&look.condition, is_about_orders);
  for (uint32_t i = 0; i < look.notes.n && any(&look.condition, is_about_orders); i++)
    pv_vec_push(&r->notes, pv_strdup(look.notes.at[i]));
  pv_result_clear(&look);
  return fine;
}

static void drop(struct pv_condition *c, bool (*is)(const struct pv_proviso *)) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < c->provisos.n; i++) {
    struct pv_proviso p = c->provisos.at[i];
    if (!is(&p)) {
      c->provisos.at[kept++] = p;
      continue;
    }
    free(p.sentence);
    free(p.file);
  }
  c->provisos.n = kept;
}

void pv_plan_recheck(const struct pv_task *task, struct pv_result *r) {
  if (r->verdict != PV_CONDITIONAL || task->limits->hit) return;
  if (any(&r->condition, is_about_attempts) && no_attempt_orders(task, r))
    drop(&r->condition, is_about_attempts);
  if (any(&r->condition, is_about_orders) && is_robust(task, r))
    drop(&r->condition, is_about_orders);
  if (!r->condition.provisos.n) r->verdict = PV_TRUE;
}
