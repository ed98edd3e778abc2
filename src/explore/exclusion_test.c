/* Mutual exclusion on random programs: with switches only at visible operations, the verdict is the
 * same as with switches before every operation, in every search order, with and without reduction.
 *
 * PROVISO_SEEDS=FROM-TO in the environment: these programs instead of the short sample. */
#include "engine.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "base/fewer_test.h"
#include "frontend/from_text_test.h"
#include "ir/exclusion.h"
#include "vm/random_program_test.h"

extern const struct pv_engine pv_engine_explicit;

/* Two functions and labels as regions; each thread passes one of them, under a lock or not. */
static char *random_program(uint64_t seed) {
  enum { KINDS = 9 }; /* of statements: those that do not wait */
  struct pv_str s = {0};
  pv_test_roll_state = seed * UINT64_C(0x9e3779b97f4a7c15);
  pv_str_add(&s, "#include <pthread.h>\n#include <stdatomic.h>\nint x, y, z; atomic_int a;\n"
                 "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;\n");
  for (unsigned f = 0; f < 2; f++) {
    pv_str_addf(&s, "static void %s(void) {\n  int l = 0;\n", f ? "two" : "one");
    for (unsigned i = pv_test_roll(3); i--;) pv_test_statement(&s, 1, KINDS);
    if (f && pv_test_roll(2)) pv_str_add(&s, "  one();\n");
    pv_str_add(&s, "}\n");
  }
  for (unsigned t = 0; t < 2; t++) {
    pv_str_addf(&s, "static void *t%u(void *arg) {\n  int l = 0;\n", t);
    if (pv_test_roll(3) == 0) pv_str_addf(&s, "  while (x != %u) {}\n", pv_test_roll(3));
    if (pv_test_roll(3)) pv_test_statement(&s, 1, KINDS);
    bool locks = pv_test_roll(2);
    if (locks) pv_str_add(&s, "  pthread_mutex_lock(&m);\n");
    switch (pv_test_roll(3)) {
    case 0: pv_str_add(&s, "  one();\n"); break;
    case 1: pv_str_add(&s, "  two();\n"); break;
    default: break;
    }
    pv_str_add(&s, "here:\n  l++;\n");
    if (locks) pv_str_add(&s, "  pthread_mutex_unlock(&m);\n");
    if (pv_test_roll(2)) pv_test_statement(&s, 1, KINDS);
    pv_str_add(&s, "  return l ? arg : 0;\n}\n");
  }
  pv_str_add(&s, "int main(void) {\n  pthread_t t[2];\n  one();\n  two();\n"
                 "  pthread_create(&t[0], 0, t0, 0);\n");
  if (pv_test_roll(3) == 0) pv_str_add(&s, "  one();\n");
  pv_str_add(&s, "  pthread_create(&t[1], 0, t1, 0);\n  pthread_join(t[0], 0);\n"
                 "  pthread_join(t[1], 0);\n  return 0;\n}\n");
  return s.at;
}

static struct pv_options options;
static struct pv_program *program;

static const char *regions; /* of the next program */

/* Before it is loaded: labels that no one names are gone afterwards. */
static void name_regions(struct pv_options *o) {
  assert_int_equal(pv_options_set(o, "mutex-region", regions, NULL), PV_OK);
}

static void load(const char *text) {
  struct pv_str message = {0};
  pv_test_load(text, "mutual-exclusion", name_regions, &options, &program);
  if (pv_exclusion_mark(program, &options.mutex_region, &message) != PV_OK)
    fail_msg("%s", pv_str_cstr(&message));
  assert_null(pv_program_verify(program));
  pv_str_free(&message);
}

static enum pv_verdict search(const char *order, const char *por, const char *atomic) {
  struct pv_result r = {0};
  struct pv_task task = {.program = program,
                         .options = &options,
                         .limits = &options.limits,
                         .properties = options.properties};
  assert_int_equal(pv_options_set(&options, "search", order, NULL), PV_OK);
  assert_int_equal(pv_options_set(&options, "por", por, NULL), PV_OK);
  assert_int_equal(pv_options_set(&options, "atomic", atomic, NULL), PV_OK);
  options.limits.hit = PV_LIMIT_NONE;
  pv_limits_start(&options.limits);
  assert_int_equal(pv_engine_explicit.run(&task, &r), PV_OK);
  enum pv_verdict verdict = r.verdict;
  for (uint32_t i = 0; i < r.violations.n; i++) assert_true(r.violations.at[i].replayed);
  pv_result_clear(&r);
  return verdict;
}

static void visible_switches_are_enough(void **state) {
  (void)state;
  static const char *const of[] = {"one,two,here", "one,two", "here", "two"};
  uint64_t from = 0, to = 60;
  pv_test_share(3, 20, &from, &to);
  unsigned n[4] = {0}; /* by verdict */
  const char *range = getenv("PROVISO_SEEDS");
  if (range && sscanf(range, "%" SCNu64 "-%" SCNu64, &from, &to) != 2) fail_msg("FROM-TO");
  for (uint64_t seed = from; seed < to; seed++) {
    char *text = random_program(seed);
    regions = of[seed % 4];
    load(text);
    enum pv_verdict wanted = search("bfs", "none", "instruction");
    n[wanted]++;
    static const char *const alternatives[][3] = {
        {"bfs", "none", "visible"},  {"dfs", "both", "visible"},   {"dfs", "both", "instruction"},
        {"best", "both", "visible"}, {"astar", "both", "visible"}, {"greedy", "both", "visible"}};
    for (size_t i = 0; i < sizeof alternatives / sizeof *alternatives; i++)
      if (search(alternatives[i][0], alternatives[i][1], alternatives[i][2]) != wanted)
        fail_msg("program %" PRIu64 ", --search %s --por %s --atomic %s:\n%s", seed,
                 alternatives[i][0], alternatives[i][1], alternatives[i][2], text);
    pv_program_free(program);
    pv_options_free(&options);
    free(text);
  }
  /* A part of the programs may show few of one kind. */
  assert_true(range || (n[PV_TRUE] && n[PV_FALSE]));
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(visible_switches_are_enough)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
