/* Paused runs: a search that is paused many times has the same result as one that is not, with
 * equal counts. Its clock does not count pauses. A run that is asked to end says what it has
 * covered. */
#include "plan/isolate.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <cmocka.h>

#include "frontend/from_text_test.h"
#include "plan/plan.h"
#include "result/serialize.h"
#include "sched/sched.h"
#include "vm/random_program_test.h"

extern const struct pv_engine pv_engine_explicit, pv_engine_dpor;

static struct pv_options o;
static struct pv_program *p;
static struct pv_task task;

static void load(const char *text) {
  pv_test_load(text, "unreach-call,no-deadlock,no-data-race", NULL, &o, &p);
  pv_limits_start(&o.limits);
  task = (struct pv_task){.program = p,
                          .options = &o,
                          .limits = &o.limits,
                          .properties = o.properties,
                          .replay = pv_plan_replay_inputs,
                          .replay_choices = pv_plan_replay_choices};
}

static void unload(void) {
  pv_program_free(p);
  pv_options_free(&o);
}

static void set(const char *name, const char *value) {
  assert_int_equal(pv_options_set(&o, name, value, NULL), PV_OK);
}

/* ---- the same result ------------------------------------------------------------------------- */
static struct pv_str bytes_of(struct pv_result *r) {
  struct pv_str bytes = {0};
  r->stats.seconds = r->stats.cpu_seconds = r->stats.distance_seconds = 0;
  r->stats.peak_memory = 0;
  pv_result_write(r, &bytes);
  pv_result_clear(r);
  return bytes;
}

/* Pauses after every `step` states, or after short times. */
static unsigned run_paused(const struct pv_engine *engine, uint64_t step, struct pv_result *r) {
  struct pv_run *run = pv_run_open(engine, &task);
  struct pv_run_slice slice = {.states = step, .seconds = step ? 0 : 0.0005};
  unsigned pauses = 0;
  for (; !pv_run_continue(run, &slice); pauses++) slice.states += step;
  pv_run_result(run, r);
  pv_run_close(run);
  return pauses;
}

static unsigned compare(const struct pv_engine *engine, uint64_t step) {
  struct pv_result whole = {0}, paused = {0};
  assert_int_equal(engine->run(&task, &whole), PV_OK);
  uint64_t states = whole.stats.states;
  struct pv_str first = bytes_of(&whole);
  unsigned pauses = run_paused(engine, step, &paused);
  assert_int_equal(paused.stats.states, states);
  struct pv_str second = bytes_of(&paused);
  assert_int_equal(first.n, second.n);
  assert_memory_equal(first.at, second.at, first.n);
  pv_str_free(&first);
  pv_str_free(&second);
  assert_int_equal(waitpid(-1, NULL, WNOHANG), -1); /* no child is left */
  return pauses;
}

static void nothing_is_lost(void **state) {
  (void)state;
  static const char *const orders[] = {"dfs", "bfs", "best"};
  unsigned pauses = 0;
  for (uint64_t seed = 1; seed <= 4; seed++) {
    char *text = pv_test_program(seed, PV_TEST_ALL);
    load(text);
    pauses += compare(&pv_engine_dpor, 5);
    pauses += compare(&pv_engine_dpor, 0);
    for (size_t i = 0; i < sizeof orders / sizeof *orders; i++) {
      set("search", orders[i]);
      pauses += compare(&pv_engine_explicit, 7);
      pauses += compare(&pv_engine_explicit, 0);
    }
    unload();
    free(text);
  }
  assert_true(pauses > 50);
}

/* ---- time and ends --------------------------------------------------------------------------- */
static const char *const endless = "int main(void) { for (unsigned i = 0;; i++) continue; }";

static void rest_a_while(void) {
  const struct timespec t = {.tv_nsec = 300000000};
  nanosleep(&t, NULL);
}

/* Says how long it took by its own clock, in milliseconds. */
static enum pv_status measures(const struct pv_task *t, struct pv_result *r) {
  double began = pv_clock();
  for (uint64_t i = 1; i <= 3; i++) pv_limits_check(t->limits, i);
  r->verdict = PV_TRUE;
  r->checked = t->properties;
  r->stats.states = (uint64_t)((pv_clock() - began) * 1000);
  return PV_OK;
}

static void pauses_do_not_count(void **state) {
  (void)state;
  const struct pv_engine engine = {.name = "fake", .help = "for tests", .run = measures};
  struct pv_result r = {0};
  load(endless);
  struct pv_run *run = pv_run_open(&engine, &task);
  for (uint64_t i = 1; i <= 3; i++) {
    assert_false(pv_run_continue(run, &(struct pv_run_slice){.states = i}));
    rest_a_while();
  }
  assert_true(pv_run_continue(run, NULL));
  pv_run_result(run, &r);
  pv_run_close(run);
  assert_int_equal(r.verdict, PV_TRUE);
  assert_true(r.stats.states < 600); /* of 900 */
  pv_result_clear(&r);
  unload();
}

static void a_paused_run_ends_when_told(void **state) {
  (void)state;
  struct pv_result r = {0};
  load(endless);
  struct pv_run *run = pv_run_open(&pv_engine_explicit, &task);
  assert_false(pv_run_continue(run, &(struct pv_run_slice){.states = 20, .seconds = 5}));
  assert_true(pv_run_memory(run) > 0);
  pv_run_request_end(run, PV_LIMIT_TIME);
  assert_true(pv_run_continue(run, NULL));
  pv_run_result(run, &r);
  pv_run_close(run);
  assert_int_equal(r.verdict, PV_CONDITIONAL);
  assert_int_equal(pv_vec_last(&r.condition.provisos).kind, PV_PROVISO_TIME);
  pv_result_clear(&r);
  unload();
}

static void a_slice_is_no_longer_than_it_is(void **state) {
  (void)state;
  load(endless);
  struct pv_run *run = pv_run_open(&pv_engine_explicit, &task);
  assert_false(pv_run_continue(run, &(struct pv_run_slice){.seconds = 0.2}));
  assert_in_range((int)(pv_run_seconds(run) * 1000), 10, 400);
  pv_run_close(run); /* it is paused: it goes all the same */
  assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
  unload();
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(nothing_is_lost),
                                     cmocka_unit_test(pauses_do_not_count),
                                     cmocka_unit_test(a_paused_run_ends_when_told),
                                     cmocka_unit_test(a_slice_is_no_longer_than_it_is)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
