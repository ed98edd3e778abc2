/* Stateless search against the enumeration of all interleavings: random programs, whose executions
 * are counted up to the order of commuting events; and against the stateful search.
 *
 * PROVISO_SEEDS=FROM-TO in the environment: these programs instead of the short sample.
 * PROVISO_TEST=PATTERN: only tests with such names. PROVISO_SHOW=1: prints the programs before they
 * are run. */
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "base/fewer_test.h"
#include "base/random.h"
#include "condition/frontier.h"
#include "dpor/search.h"
#include "frontend/from_text_test.h"
#include "plan/plan.h"
#include "vm/random_program_test.h"

/* ---- one program ----------------------------------------------------------------------------- */
struct subject {
  struct pv_options options;
  struct pv_program *program;
  struct pv_task task;
};

static void go_on(struct pv_options *o) {
  o->keep_going = o->no_spurious = true;
  o->peek = o->prune = 0;
}

static void load(struct subject *s, const char *text, const char *properties) {
  *s = (struct subject){0};
  pv_test_load(text, properties, go_on, &s->options, &s->program);
  pv_limits_start(&s->options.limits);
  s->task = (struct pv_task){.program = s->program,
                             .options = &s->options,
                             .limits = &s->options.limits,
                             .replay_choices = pv_plan_replay_choices,
                             .properties = s->options.properties};
}

static void unload(struct subject *s) {
  pv_program_free(s->program);
  pv_options_free(&s->options);
}

static void run(struct subject *s, const char *engine, const char *dpor, const char *dependence,
                bool peek, struct pv_result *r) {
  const char *name;
  *r = (struct pv_result){0};
  assert_int_equal(pv_options_set(&s->options, "engine", engine, NULL), PV_OK);
  if (dpor) {
    assert_int_equal(pv_options_set(&s->options, "dpor", dpor, NULL), PV_OK);
    assert_int_equal(pv_options_set(&s->options, "dependence", dependence, NULL), PV_OK);
    s->options.peek = s->options.prune = peek;
  }
  assert_int_equal(pv_plan_run(&s->task, r, &name), PV_OK);
}

/* ---- all interleavings ----------------------------------------------------------------------- */
enum { MOST = 50000 }; /* transitions */
struct enumeration {
  struct pv_trace trace;
  struct pv_map classes; /* of executions: their events with their clocks, in a canonical order */
  uint64_t transitions;
};

static void step(struct pv_trace *t, unsigned thread, unsigned alternative) {
  struct pv_transition transition = pv_trace_next(t, t->events.n, thread);
  transition.alternative = alternative;
  pv_trace_do(t, &transition);
}

/* The class of an execution: by thread and number of the event, its alternative and clock. */
static void note_class(struct enumeration *e) {
  const struct pv_trace *t = &e->trace;
  struct pv_str key = {0};
  for (unsigned i = 0; i < PV_MAX_THREADS; i++)
    for (uint32_t k = 0; k < t->of[i].n; k++) {
      const struct pv_dpor_event *x = &t->events.at[t->of[i].at[k].event];
      pv_str_addf(&key, "%u.%u/%u:", i, k, x->transition.alternative);
      for (unsigned q = 0; q < 8; q++) pv_str_addf(&key, "%u,", q < t->slots ? x->clock.at[q] : 0);
    }
  pv_map_put_str(&e->classes, pv_str_cstr(&key), 0, NULL);
  pv_str_free(&key);
}

static void enumerate(struct enumeration *e) {
  pv_threads able = pv_enabled_threads(pv_trace_enabled_set(&e->trace));
  if (!able) note_class(e);
  PV_FOR_THREADS(t, able)
  for (unsigned alternative = 0; alternative < pv_trace_enabled_set(&e->trace)->at[t].alternatives;
       alternative++) {
    if (++e->transitions > MOST) return;
    step(&e->trace, t, alternative);
    enumerate(e);
    pv_trace_undo(&e->trace);
  }
}

/* How many classes there are; 0: too many interleavings. */
static uint32_t count_classes(struct subject *s) {
  struct enumeration e = {.transitions = 0};
  struct pv_condition none = {0};
  struct pv_vm *vm = pv_vm_new(&s->task, &pv_sched_pthread, &none);
  pv_vm_start(vm);
  pv_trace_begin(&e.trace, &s->task, &pv_sched_pthread, vm, NULL);
  pv_trace_set_eager(&e.trace, false); /* all interleavings, indeed */
  enumerate(&e);
  uint32_t n = e.transitions > MOST ? 0 : e.classes.n;
  pv_trace_free(&e.trace);
  pv_map_free(&e.classes);
  pv_vm_free(vm);
  pv_condition_clear(&none);
  return n;
}

/* ---- comparisons ----------------------------------------------------------------------------- */
/* The errors, each by property, place and message, sorted. */
static int by_text(const void *a, const void *b) {
  return strcmp(*(char *const *)a, *(char *const *)b);
}

static char *errors_of(const struct pv_result *r) {
  PV_VEC(char *) all = {0};
  struct pv_str s = {0};
  for (uint32_t i = 0; i < r->violations.n; i++) {
    const struct pv_violation *v = &r->violations.at[i];
    if (v->property == PV_PROP_NO_DEADLOCK)
      pv_vec_push(&all, pv_strdup("deadlock")); /* which threads wait for what: any */
    else
      pv_vec_push(&all, pv_format("%d:%u", (int)v->property, v->line));
  }
  if (all.n) qsort(all.at, all.n, sizeof *all.at, by_text);
  for (uint32_t i = 0; i < all.n; i++)
    if (!i || strcmp(all.at[i], all.at[i - 1]) != 0) pv_str_addf(&s, "%s ", all.at[i]);
  for (uint32_t i = 0; i < all.n; i++) free(all.at[i]);
  pv_vec_free(&all);
  return s.at ? s.at : pv_strdup("");
}

static const char *const kinds_of_dpor[] = {"optimal", "source", "classic"};

struct wanted {
  uint64_t seed;
  const char *text, *errors;
  enum pv_verdict verdict;
  bool exact;       /* nothing is given up, and the number of classes is known ... */
  uint32_t classes; /* if it is not 0 */
  bool ends;        /* paths end under a proviso where nothing that matters is (dpor.md) */
  uint64_t most;    /* executions, if the number of classes is known and it is not 0 */
  bool same;        /* source sets have as many as wakeup trees, which number is not known */
};

/* The answer of the stateful search if condition variables may wake up spuriously. */
static enum pv_verdict spurious_verdict(struct subject *s) {
  struct pv_result r;
  s->options.no_spurious = false;
  run(s, "explicit", NULL, NULL, false, &r);
  s->options.no_spurious = true;
  enum pv_verdict verdict = r.verdict;
  pv_result_clear(&r);
  return verdict;
}

/* Returns how many executions it took. */
static uint64_t compare_dpor(struct subject *s, const struct wanted *w, unsigned kind,
                             const char *dependence, bool peek) {
  struct pv_result r;
  run(s, "dpor", kinds_of_dpor[kind], dependence, peek, &r);
  char *got = errors_of(&r);
  uint64_t n = r.stats.executions;
  bool conflict = !peek && !strcmp(dependence, "conflict"), exact = w->classes && kind < 2;
  bool fine = !strcmp(got, w->errors);
  bool truly = r.verdict != PV_TRUE || w->verdict == PV_TRUE;
  truly |= w->ends && w->verdict == PV_CONDITIONAL;
  fine &= truly || spurious_verdict(s) == PV_TRUE; /* who waits does not matter (dpor.md) */
  if (conflict) fine &= (!exact || n == w->classes) && (!w->exact || kind || !r.stats.blocked);
  if (!conflict && exact) fine &= n <= w->most;
  if (conflict && w->same && kind == 1) fine &= n == w->most;
  if (!fine) {
    fprintf(stderr, "%s", w->text);
    fail_msg("seed %" PRIu64 ", %s, %s, peek %d: verdict %d (%d), errors %s instead of %s, %" PRIu64
             " executions instead of %u (%" PRIu64 "), %" PRIu64 " given up",
             w->seed, kinds_of_dpor[kind], dependence, peek, (int)r.verdict, (int)w->verdict, got,
             w->errors, n, w->classes, w->most, r.stats.blocked);
  }
  free(got);
  pv_result_clear(&r);
  return n;
}

static void compare(uint64_t seed, unsigned kinds) {
  static const char *const properties[] = {"unreach-call", "unreach-call,no-deadlock",
                                           "unreach-call,no-data-race,no-deadlock"};
  char *text = pv_test_program(seed, kinds);
  struct subject s;
  struct pv_result stateful;
  if (getenv("PROVISO_SHOW")) fprintf(stderr, "// seed %" PRIu64 "\n%s", seed, text);
  load(&s, text, properties[seed % 3]);
  run(&s, "explicit", NULL, NULL, false, &stateful);
  char *errors = errors_of(&stateful);
  bool exact = kinds == PV_TEST_PLAIN || kinds == PV_TEST_EXCHANGE || kinds == PV_TEST_PARTS ||
               kinds == PV_TEST_ADDS;
  struct wanted w = {.seed = seed, .text = text, .errors = errors, .exact = exact};
  w.verdict = stateful.verdict;
  w.ends = kinds == PV_TEST_ENDS;
  w.same = kinds == PV_TEST_SECTIONS;
  if (exact) w.classes = count_classes(&s);
  enum { MANY = 4000 }; /* of which backtrack sets make thousands of times as many, or more */
  for (unsigned i = 0; i < 3; i++) {
    if (i == 2 && w.most > MANY) break;
    uint64_t n = compare_dpor(&s, &w, i, "conflict", false);
    if (!i || !w.same) w.most = n;
    compare_dpor(&s, &w, i, "conflict", true);
    compare_dpor(&s, &w, i, "auto", false);
    compare_dpor(&s, &w, i, "auto", true);
    compare_dpor(&s, &w, i, "predicate", seed % 2);
  }
  free(errors);
  pv_result_clear(&stateful);
  unload(&s);
  free(text);
}

/* ---- parts that are given away --------------------------------------------------------------- */
struct parts {
  PV_VEC(struct pv_condition) at; /* those that were given away */
  uint64_t lot;
  unsigned rarely;
  uint32_t needed;
};

static bool is_asked(void *user) {
  struct parts *p = user;
  return pv_random(&p->lot) % p->rarely == 0;
}

static bool take_part(void *user, const struct pv_result *kept, const struct pv_result *away) {
  struct parts *p = user;
  struct pv_condition part = {0};
  (void)kept;
  if (pv_random(&p->lot) % 8 == 0) return false;
  pv_condition_copy(&part, &away->condition);
  pv_vec_push(&p->at, part);
  return true;
}

/* What the searches of all parts so far need is the next part. */
static void add_needed(struct parts *p, struct pv_open_part *needed) {
  struct pv_condition c = {0};
  if (!pv_frontier_size(needed)) return;
  pv_condition_add(&c, PV_PROVISO_INTERRUPT, NULL, 0, "no error lies beyond the prefixes");
  pv_condition_open(&c, *needed);
  pv_vec_push(&p->at, c);
  *needed = (struct pv_open_part){.kind = PV_OPEN_FRONTIER};
  p->needed++;
}

static void gather_needed(const struct pv_result *r, struct pv_open_part *needed) {
  for (uint32_t i = 0; i < r->condition.parts.n; i++)
    if (r->condition.parts.at[i].kind == PV_OPEN_FRONTIER)
      pv_frontier_unite(needed, &r->condition.parts.at[i]);
}

/* The parts together have the executions and the errors of the whole. */
static void compare_parts(uint64_t seed, unsigned kinds) {
  char *text = pv_test_program(seed, kinds);
  struct subject s;
  struct pv_result r, all = {0};
  struct parts parts = {.lot = seed, .rarely = 1 + (unsigned)(seed % 7) * 4};
  const struct pv_sharing sharing = {is_asked, take_part, &parts};
  load(&s, text, seed % 2 ? "unreach-call,no-deadlock" : "unreach-call");
  run(&s, "explicit", NULL, NULL, false, &r);
  char *errors = errors_of(&r);
  pv_result_clear(&r);
  uint32_t classes = kinds == PV_TEST_PLAIN ? count_classes(&s) : 0;
  uint64_t executions = 0;
  struct pv_open_part needed = {.kind = PV_OPEN_FRONTIER};
  s.task.sharing = &sharing;
  s.task.wants_parts = true;
  for (uint32_t i = 0; i <= parts.at.n; i++) {
    struct pv_condition given = {0};
    if (i) pv_condition_copy(&given, &parts.at.at[i - 1]);
    s.task.given = i ? &given : NULL;
    run(&s, "dpor", seed % 3 ? "optimal" : "source", "conflict", false, &r);
    executions += r.stats.executions;
    for (uint32_t k = 0; k < r.violations.n; k++) pv_vec_push(&all.violations, r.violations.at[k]);
    r.violations.n = 0;
    gather_needed(&r, &needed);
    pv_result_clear(&r);
    pv_condition_clear(&given);
    if (i == parts.at.n) add_needed(&parts, &needed);
  }
  pv_open_part_clear(&needed);
  if (getenv("PROVISO_VERBOSE"))
    fprintf(stderr, "seed %" PRIu64 ": %u parts, %u times needed, %" PRIu64 " executions\n", seed,
            parts.at.n, parts.needed, executions);
  char *got = errors_of(&all);
  if (strcmp(got, errors) != 0 || (classes && executions != classes)) {
    fprintf(stderr, "%s", text);
    fail_msg("seed %" PRIu64 ", %u parts: errors %s instead of %s, %" PRIu64
             " executions instead of %u",
             seed, parts.at.n + 1, got, errors, executions, classes);
  }
  for (uint32_t i = 0; i < parts.at.n; i++) pv_condition_clear(&parts.at.at[i]);
  pv_vec_free(&parts.at);
  free(errors);
  free(got);
  pv_result_clear(&all);
  unload(&s);
  free(text);
}

/* ---- bounds on preemptions ------------------------------------------------------------------- */
/* Lines at which something is asserted that does not hold. */
static void note_error(void *user, const struct pv_event *e) {
  pv_map_put(user, &e->span, sizeof e->span, 0, NULL);
}

/* Every interleaving with at most so many preemptions; false: too many. */
static bool enumerate_bounded(struct enumeration *e, unsigned preemptions) {
  const struct pv_trace *t = &e->trace;
  pv_threads able = pv_enabled_threads(pv_trace_enabled_set(t));
  unsigned last = t->events.n ? pv_vec_last(&t->events).transition.thread : 0;
  PV_FOR_THREADS(i, able) {
    unsigned cost = i != last && (able & PV_THREAD_BIT(last));
    for (unsigned alternative = 0;
         alternative < pv_trace_enabled_set(t)->at[i].alternatives && cost <= preemptions;
         alternative++) {
      if (++e->transitions > MOST) return false;
      step(&e->trace, i, alternative);
      bool all = enumerate_bounded(e, preemptions - cost);
      pv_trace_undo(&e->trace);
      if (!all) return false;
    }
  }
  return true;
}

static bool errors_with(struct subject *s, unsigned preemptions, struct pv_map *errors) {
  struct enumeration e = {.transitions = 0};
  struct pv_condition none = {0};
  struct pv_vm *vm = pv_vm_new(&s->task, &pv_sched_pthread, &none);
  pv_vm_start(vm);
  pv_trace_begin(&e.trace, &s->task, &pv_sched_pthread, vm, NULL);
  pv_trace_set_eager(&e.trace, false);
  e.trace.tell = note_error;
  e.trace.user = errors;
  bool all = enumerate_bounded(&e, preemptions);
  pv_trace_free(&e.trace);
  pv_vm_free(vm);
  pv_condition_clear(&none);
  return all;
}

/* What is found with a bound: all errors of the interleavings that it allows, and no others than
 * there are. */
static void compare_bounded(uint64_t seed, unsigned kinds) {
  char *text = pv_test_program(seed, kinds);
  struct subject s;
  struct pv_result all, some;
  load(&s, text, "unreach-call");
  run(&s, "explicit", NULL, NULL, false, &all);
  for (unsigned k = 0; k < 3; k++) {
    struct pv_map errors = {0};
    s.options.preemptions = k;
    run(&s, "dpor", "optimal", "auto", true, &some);
    bool fine = some.violations.n <= all.violations.n;
    if (errors_with(&s, k, &errors)) fine &= errors.n <= some.violations.n;
    if (!fine) {
      fprintf(stderr, "%s", text);
      fail_msg("seed %" PRIu64 ", %u preemptions: %u errors instead of %u to %u", seed, k,
               some.violations.n, errors.n, all.violations.n);
    }
    for (uint32_t i = 0; i < some.violations.n; i++) assert_true(some.violations.at[i].replayed);
    pv_map_free(&errors);
    pv_result_clear(&some);
  }
  pv_result_clear(&all);
  unload(&s);
  free(text);
}

/* Does it with a quarter of `n` programs from `first` on and with the one that once showed an
 * error, or with those that are asked for. */
static void for_seeds(void (*f)(uint64_t seed, unsigned kinds), unsigned kinds, uint64_t first,
                      unsigned n, uint64_t always) {
  const char *given = getenv("PROVISO_SEEDS");
  uint64_t from = first, to = first + n;
  pv_test_share(4, 1, &from, &to);
  if (given) sscanf(given, "%" SCNu64 "-%" SCNu64, &from, &to);
  if (!given && (always < from || always >= to)) f(always, kinds);
  for (uint64_t seed = from; seed < to; seed++) f(seed, kinds);
}

static void executions_are_the_classes_of_interleavings(void **state) {
  (void)state;
  for_seeds(compare, PV_TEST_PLAIN, 0, 20, 0);
}

static void errors_are_those_of_the_stateful_search(void **state) {
  (void)state;
  for_seeds(compare, PV_TEST_ALL, 0, 20, 0);
}

static void addresses_come_back_as_in_the_stateful_search(void **state) {
  (void)state;
  for_seeds(compare, PV_TEST_HEAP, 0, 20, 0);
}

static void who_exchanges_in_vain_only_reads(void **state) {
  (void)state;
  for_seeds(compare, PV_TEST_EXCHANGE, 0, 20, 0);
}

static void who_exchanges_parts_in_vain_only_reads(void **state) {
  (void)state;
  for_seeds(compare, PV_TEST_PARTS, 20, 20, 20); /* executions were given up for these once */
}

static void who_exchanges_behind_additions_only_reads(void **state) {
  (void)state;
  for_seeds(compare, PV_TEST_ADDS, 0, 20, 8); /* an execution was given up for seed 8 once */
}

static void paths_end_in_some_orders(void **state) {
  (void)state;
  for_seeds(compare, PV_TEST_ENDS, 180, 20, 195); /* the error of seed 195 was lost once */
}

static void inputs_have_all_their_values_in_all_orders(void **state) {
  (void)state;
  for_seeds(compare, PV_TEST_INPUTS, 10, 20, 20); /* the errors of seed 20 were lost once */
}

static void sections_may_store_what_is_compared(void **state) {
  (void)state;
  for_seeds(compare, PV_TEST_SECTIONS, 0, 20, 0);
}

static void copies_read_and_write_in_one_statement(void **state) {
  (void)state;
  for_seeds(compare, PV_TEST_COPIES, 0, 20, 0);
}

static void indices_may_be_inside_and_outside(void **state) {
  (void)state;
  for_seeds(compare, PV_TEST_INDEX, 0, 20, 0);
}

static void what_is_held_already_hides_nothing(void **state) {
  (void)state;
  for_seeds(compare, PV_TEST_HELD, 40, 20, 40);
}

static void posts_that_were_not_needed_order_nothing(void **state) {
  (void)state;
  for_seeds(compare, PV_TEST_POSTS, 740, 20, 744); /* 744 lost an error once */
}

static void who_waits_may_be_given_a_way_by_others(void **state) {
  (void)state;
  for_seeds(compare, PV_TEST_HANDED, 480, 40, 489); /* 489 lost an error once */
}

static void who_joins_need_not_wait_as_long(void **state) {
  (void)state;
  for_seeds(compare, PV_TEST_JOINS, 160, 20, 171); /* 171 lost an error once */
}

static void parts_are_given_away_at_any_time(void **state) {
  (void)state;
  for_seeds(compare_parts, PV_TEST_PLAIN, 0, 40, 1);
}

static void who_exchanges_gives_away_as_well(void **state) {
  (void)state;
  for_seeds(compare_parts, PV_TEST_EXCHANGE, 0, 20, 1);
  for_seeds(compare_parts, PV_TEST_ADDS, 0, 20, 1);
}

static void errors_are_in_some_part(void **state) {
  (void)state;
  for_seeds(compare_parts, PV_TEST_ALL, 0, 40, 1);
}

static void bounds_leave_out_only_what_needs_more_preemptions(void **state) {
  (void)state;
  for_seeds(compare_bounded, PV_TEST_PLAIN, 0, 20, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(executions_are_the_classes_of_interleavings),
      cmocka_unit_test(errors_are_those_of_the_stateful_search),
      cmocka_unit_test(addresses_come_back_as_in_the_stateful_search),
      cmocka_unit_test(who_exchanges_in_vain_only_reads),
      cmocka_unit_test(who_exchanges_parts_in_vain_only_reads),
      cmocka_unit_test(who_exchanges_behind_additions_only_reads),
      cmocka_unit_test(paths_end_in_some_orders),
      cmocka_unit_test(inputs_have_all_their_values_in_all_orders),
      cmocka_unit_test(sections_may_store_what_is_compared),
      cmocka_unit_test(copies_read_and_write_in_one_statement),
      cmocka_unit_test(indices_may_be_inside_and_outside),
      cmocka_unit_test(what_is_held_already_hides_nothing),
      cmocka_unit_test(posts_that_were_not_needed_order_nothing),
      cmocka_unit_test(who_waits_may_be_given_a_way_by_others),
      cmocka_unit_test(who_joins_need_not_wait_as_long),
      cmocka_unit_test(parts_are_given_away_at_any_time),
      cmocka_unit_test(who_exchanges_gives_away_as_well),
      cmocka_unit_test(errors_are_in_some_part),
      cmocka_unit_test(bounds_leave_out_only_what_needs_more_preemptions),
  };
  if (getenv("PROVISO_TEST")) cmocka_set_test_filter(getenv("PROVISO_TEST"));
  return cmocka_run_group_tests(tests, NULL, NULL);
}
