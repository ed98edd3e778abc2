/* Several workers visit the same states and transitions as one worker without sleep sets, for every
 * setting of the reduction and in every run. */
#include "engine.h"

#include <setjmp.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "frontend/frontend.h"

extern const struct pv_engine pv_engine_explicit;

/* Two threads whose steps never commute, for long enough that persistent sets would be suspended;
 * then two whose steps always do. */
static const char text[] =
    "#include <pthread.h>\n#include <stdatomic.h>\n"
    "void __VERIFIER_atomic_begin(void);\nvoid __VERIFIER_atomic_end(void);\n"
    "static unsigned met;\nstatic atomic_int own[2];\n"
    "static void *meets(void *arg) {\n"
    "  for (int k = 0; k < 10; k++) {\n"
    "    __VERIFIER_atomic_begin();\n"
    "    met = (met * 3 + (arg != NULL)) & 2047;\n"
    "    __VERIFIER_atomic_end();\n"
    "  }\n  return NULL;\n}\n"
    "static void *goes_alone(void *arg) {\n"
    "  atomic_int *mine = arg;\n  ++*mine;\n  ++*mine;\n  return NULL;\n}\n"
    "int main(void) {\n"
    "  pthread_t t[2];\n"
    "  pthread_create(&t[0], NULL, meets, NULL);\n"
    "  pthread_create(&t[1], NULL, meets, &met);\n"
    "  for (int i = 0; i < 2; i++) pthread_join(t[i], NULL);\n"
    "  for (int i = 0; i < 2; i++) pthread_create(&t[i], NULL, goes_alone, &own[i]);\n"
    "  for (int i = 0; i < 2; i++) pthread_join(t[i], NULL);\n"
    "}\n";

static struct pv_program *program;

static void set(struct pv_options *o, const char *name, const char *value) {
  assert_int_equal(pv_options_set(o, name, value, NULL), PV_OK);
}

static int load(void **state) {
  (void)state;
  char path[] = "/tmp/proviso-parallel-XXXXXX.c";
  int fd = mkstemps(path, 2);
  assert_true(fd >= 0);
  assert_int_equal(write(fd, text, strlen(text)), strlen(text));
  close(fd);
  struct pv_options o;
  struct pv_str err = {0};
  pv_options_init(&o);
  pv_vec_push(&o.files, pv_strdup(path));
  if (pv_load(&o, &pv_sched_pthread, &program, &err) != PV_OK) fail_msg("%s", pv_str_cstr(&err));
  pv_options_free(&o);
  pv_str_free(&err);
  unlink(path);
  return 0;
}

static int unload(void **state) {
  (void)state;
  pv_program_free(program);
  return 0;
}

static struct pv_stats search(const char *por, const char *threads) {
  struct pv_options o;
  struct pv_result r = {0};
  pv_options_init(&o);
  set(&o, "search", "bfs");
  set(&o, "por", por);
  set(&o, "threads", threads);
  set(&o, "property", "unreach-call,no-deadlock");
  struct pv_task task = {
      .program = program, .options = &o, .limits = &o.limits, .properties = o.properties};
  pv_limits_start(&o.limits);
  assert_int_equal(pv_engine_explicit.run(&task, &r), PV_OK);
  assert_int_equal(r.verdict, PV_TRUE);
  struct pv_stats stats = r.stats;
  pv_result_clear(&r);
  pv_options_free(&o);
  return stats;
}

static void assert_same(const struct pv_stats *a, const struct pv_stats *b) {
  assert_int_equal(a->states, b->states);
  assert_int_equal(a->transitions, b->transitions);
  assert_int_equal(a->matched, b->matched);
  assert_int_equal(a->depth, b->depth);
  assert_int_equal(a->reduced, b->reduced);
}

static void persistent_sets_do_not_rest(void **state) {
  (void)state;
  struct pv_stats one = search("persistent", "1"), rested = search("both", "1");
  struct pv_stats persistent = search("persistent", "2"), two = search("both", "2");
  struct pv_stats three = search("both", "3");
  assert_true(rested.reduced < one.reduced / 2); /* of one worker they do, in this program */
  assert_true(rested.states > one.states);
  assert_same(&persistent, &one);
  assert_same(&two, &one);
  assert_same(&three, &one);
}

static void sleep_sets_are_not_used(void **state) {
  (void)state;
  struct pv_stats one = search("none", "1"), slept = search("sleep", "1");
  struct pv_stats none = search("none", "2"), two = search("sleep", "2");
  assert_true(slept.transitions < one.transitions);
  assert_int_equal(slept.states, one.states);
  assert_same(&none, &one);
  assert_same(&two, &one);
  assert_int_equal(two.slept, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(persistent_sets_do_not_rest),
                                     cmocka_unit_test(sleep_sets_are_not_used)};
  return cmocka_run_group_tests(tests, load, unload);
}
