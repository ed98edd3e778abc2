/* A search that ended at any moment continues from the state that was written last and from what
 * was added since: all counts are those of a search that was never stopped. */
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "engine.h"
#include "frontend/frontend.h"
#include "sched/sched.h"

extern const struct pv_engine pv_engine_explicit;

static struct pv_options o;
static struct pv_program *p;
static char increments[] = "/tmp/proviso-increments-XXXXXX";

static int set_up(void **state) {
  (void)state;
  char path[] = "/tmp/proviso-increments-XXXXXX.c";
  struct pv_str message = {0};
  FILE *f = fdopen(mkstemps(path, 2), "w");
  if (!f) return -1;
  fputs("#include <pthread.h>\n#include <stdlib.h>\n"
        "static _Atomic int a, b, turn;\nstatic int *last[3];\n"
        "static void *work(void *arg) {\n  int self = *(int *)arg;\n"
        "  for (int i = 0; i < 3; i++) {\n    a += self;\n    if (turn == self) turn = i % 3;\n"
        "    b ^= a & 3;\n    if (i == self) *(last[self] = malloc(sizeof(int))) = i;\n  }\n"
        "  free(last[self]);\n  return arg;\n}\n"
        "int main(void) {\n  static int self[3] = {0, 1, 2};\n  pthread_t t[3];\n"
        "  for (int i = 0; i < 3; i++) pthread_create(&t[i], 0, work, &self[i]);\n"
        "  for (int i = 0; i < 3; i++) pthread_join(t[i], 0);\n}\n",
        f);
  fclose(f);
  close(mkstemp(increments));
  pv_options_init(&o);
  pv_options_set(&o, "property", "unreach-call", NULL);
  pv_vec_push(&o.files, pv_strdup(path));
  enum pv_status status = pv_load(&o, &pv_sched_pthread, &p, &message);
  unlink(path);
  pv_str_free(&message);
  return status == PV_OK ? 0 : -1;
}

static int tear_down(void **state) {
  (void)state;
  unlink(increments);
  pv_program_free(p);
  pv_options_free(&o);
  return 0;
}

/* The first condition, and what was added until the next one. */
struct kept {
  struct pv_condition condition;
  bool any;
  char *added;
  size_t n;
};

static void save(struct kept *k) {
  if (!k->added)
    assert_int_equal(pv_read_file(increments, SIZE_MAX, &k->added, &k->n, NULL), PV_OK);
}

static void keep(void *user, const struct pv_result *r) {
  struct kept *k = user;
  if (k->any) {
    save(k);
    return;
  }
  k->any = true;
  pv_condition_copy(&k->condition, &r->condition);
  for (uint32_t i = 0; i < r->condition.states.n; i++) {
    struct pv_str bytes = {0};
    const struct pv_engine_state *s = &r->condition.states.at[i];
    pv_str_addn(&bytes, (const char *)s->bytes.at, s->bytes.n);
    pv_condition_add_state(&k->condition, s->engine, &bytes);
  }
}

static struct pv_result run(struct kept *k, const struct pv_condition *given, double pause) {
  struct pv_result r = {0};
  struct pv_task task = {.program = p,
                         .options = &o,
                         .limits = &o.limits,
                         .properties = o.properties,
                         .given = given,
                         .wants_parts = true,
                         .wants_state = true,
                         .wants_interim = k != NULL,
                         .checkpoint = k ? keep : NULL,
                         .checkpoint_user = k,
                         .increments = increments,
                         .given_increments = increments,
                         .pause = pause};
  pv_limits_start(&o.limits);
  assert_int_equal(pv_engine_explicit.run(&task, &r), PV_OK);
  return r;
}

static void equal(const struct pv_result *a, const struct pv_result *b) {
  assert_int_equal(a->verdict, b->verdict);
  assert_int_equal(a->stats.states, b->stats.states);
  assert_int_equal(a->stats.transitions, b->stats.transitions);
  assert_int_equal(a->stats.matched, b->stats.matched);
  assert_int_equal(a->stats.reduced, b->stats.reduced);
  assert_int_equal(a->condition.provisos.n, b->condition.provisos.n);
}

static void write_increments(const struct kept *k, size_t n) {
  FILE *f = fopen(increments, "wb");
  assert_non_null(f);
  assert_int_equal(fwrite(k->added, 1, n, f), n);
  fclose(f);
}

/* The last increments are lost, perhaps in the middle of one. */
static void continues(const char *order) {
  enum { HEAD = 29, CUTS = 5 };
  pv_options_set(&o, "search", order, NULL);
  struct pv_result whole = run(NULL, NULL, 0);
  assert_int_equal(whole.verdict, PV_TRUE);
  assert_true(whole.stats.states > 1000);
  struct kept k = {0}, none = {0};
  struct pv_result first = run(&k, NULL, 0.005);
  equal(&whole, &first);
  assert_true(k.any);
  save(&k);
  assert_true(k.n > HEAD);
  for (size_t cut = 0; cut < CUTS; cut++) {
    write_increments(&k, k.n - k.n * cut / CUTS);
    struct pv_result rest = run(&none, &k.condition, 1000);
    equal(&whole, &rest);
    assert_false(none.any);
    pv_result_clear(&rest);
  }
  pv_condition_clear(&k.condition);
  free(k.added);
  pv_result_clear(&whole);
  pv_result_clear(&first);
}

static void depth_first(void **state) {
  (void)state;
  continues("dfs");
}

static void breadth_first(void **state) {
  (void)state;
  continues("bfs");
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(depth_first),
                                     cmocka_unit_test(breadth_first)};
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
