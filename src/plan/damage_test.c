/* Conditions whose engine state was damaged on purpose, with a hash that is right: a run that takes
 * one ends with a result, never with a crash, and finds no error that the program does not have.
 * (What a state claims to have explored nobody can check: whoever changes it may well get `true`.)
 */
#include <setjmp.h>
#include <stdarg.h>
#include <fcntl.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "base/fewer_test.h"
#include "base/random.h"
#include "condition/condition.h"
#include "frontend/from_text_test.h"
#include "plan/plan.h"
#include "sched/sched.h"

enum { SEEDS = 500 };

static const char text[] = "#include <pthread.h>\n"
                           "#include <stdatomic.h>\n"
                           "extern int __VERIFIER_nondet_int(void);\n"
                           "extern void reach_error(void);\n"
                           "static atomic_int x, y;\n"
                           "static void *work(void *a) {\n"
                           "  for (int i = 0; i < 2; i++) { x++; y += i; }\n"
                           "  return a;\n"
                           "}\n"
                           "int main(void) {\n"
                           "  pthread_t t[2];\n"
                           "  int n = __VERIFIER_nondet_int();\n"
                           "  for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, work, 0);\n"
                           "  if (n == 3) y++;\n"
                           "  for (int i = 0; i < 2; i++) pthread_join(t[i], 0);\n"
                           "  if (x != 4 || y > 3) reach_error();\n"
                           "}\n";

static struct pv_options o;
static struct pv_program *p;

static void set(const char *name, const char *value) {
  assert_int_equal(pv_options_set(&o, name, value, NULL), PV_OK);
}

/* Reports of sanitizers about the process that takes the state are no failures. */
static int silence(void) {
  int terminal = dup(STDERR_FILENO), nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
  assert_true(terminal >= 0 && nowhere >= 0);
  dup2(nowhere, STDERR_FILENO);
  close(nowhere);
  return terminal;
}
static void speak(int terminal) {
  dup2(terminal, STDERR_FILENO);
  close(terminal);
}

static struct pv_result run(const struct pv_condition *given, const char *limit) {
  struct pv_result r = {0};
  const char *engine;
  struct pv_limits limits = {0};
  struct pv_task task = {.program = p,
                         .options = &o,
                         .limits = &limits,
                         .properties = o.properties,
                         .given = given,
                         .wants_parts = true,
                         .wants_state = true};
  assert_int_equal(pv_limits_parse(limit, &limits, NULL), PV_OK);
  pv_limits_start(&limits);
  assert_int_equal(pv_plan_run(&task, &r, &engine), PV_OK);
  return r;
}

/* Changes a few bytes of the states, as in a file whose hash was repaired. */
static void damage(struct pv_condition *c, uint64_t seed) {
  uint64_t lot = seed;
  for (uint32_t i = 0; i < c->states.n; i++) {
    struct pv_engine_state *s = &c->states.at[i];
    assert_true(s->bytes.n > 0);
    for (uint32_t n = 1 + pv_random_below(&lot, 4); n > 0; n--) {
      uint32_t at = pv_random_below(&lot, s->bytes.n);
      s->bytes.at[at] = (uint8_t)pv_random(&lot);
    }
    if (pv_random_below(&lot, 8) == 0) s->bytes.n = pv_random_below(&lot, s->bytes.n);
  }
}

static void check_engine(const char *engine, const char *search) {
  unsigned ends[PV_FALSE + 1] = {0}, died = 0;
  uint64_t from = 1, to = SEEDS + 1;
  pv_test_load(text, "unreach-call", NULL, &o, &p);
  set("engine", engine);
  set("search", search);
  struct pv_result first = run(NULL, "states=40");
  assert_int_equal(first.verdict, PV_CONDITIONAL);
  assert_int_equal(first.condition.states.n, 1);
  pv_test_share(2, 1, &from, &to);
  for (uint64_t seed = from; seed < to; seed++) {
    struct pv_condition given = {0};
    pv_condition_copy(&given, &first.condition);
    damage(&given, seed);
    int terminal = silence();
    struct pv_result r = run(&given, "time=5s,memory=2GB");
    speak(terminal);
    assert_int_not_equal(r.verdict, PV_FALSE);
    for (uint32_t i = 0; i < r.condition.provisos.n; i++)
      died += r.condition.provisos.at[i].kind == PV_PROVISO_CRASH;
    ends[r.verdict]++;
    pv_result_clear(&r);
    pv_condition_clear(&given);
  }
  print_message("%s, %s: %u true, %u conditional, %u unknown; %u ended early\n", engine, search,
                ends[PV_TRUE], ends[PV_CONDITIONAL], ends[PV_UNKNOWN], died);
  pv_result_clear(&first);
  pv_program_free(p);
  pv_options_free(&o);
}

static void explicit_depth_first(void **state) {
  (void)state;
  check_engine("explicit", "dfs");
}
static void explicit_breadth_first(void **state) {
  (void)state;
  check_engine("explicit", "bfs");
}
static void dpor(void **state) {
  (void)state;
  check_engine("dpor", "dfs");
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(explicit_depth_first),
                                     cmocka_unit_test(explicit_breadth_first),
                                     cmocka_unit_test(dpor)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
