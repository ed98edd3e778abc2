/* Minimised paths, and those of breadth-first search, against all paths of small programs; each
 * path is executed from the initial state, without a store, reduction or matching of states. */
#include "explore/minimise.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "explore/moves.h"
#include "frontend/frontend.h"

extern const struct pv_engine pv_engine_explicit;

/* An error, and its cheapest paths among all. */
struct best {
  enum pv_property property;
  uint32_t span, shortest; /* fewest transitions */
  char *message;
  struct pv_path_cost cost;
};
struct brute {
  const struct pv_task *task;
  struct pv_vm *vm;
  PV_VEC(struct pv_choice) path;
  PV_VEC(struct best) best;
  uint64_t paths;
};

static void found(void *user, const struct pv_event *e) {
  struct brute *b = user;
  struct pv_error_key key = pv_event_key(e);
  struct pv_path_cost cost = pv_path_cost(b->path.at, b->path.n);
  for (uint32_t i = 0; i < b->best.n; i++) {
    struct best *known = &b->best.at[i];
    struct pv_error_key other = {known->property, known->span, known->message};
    if (!pv_error_is(&key, &other)) continue;
    if (pv_path_less(cost, known->cost)) known->cost = cost;
    if (cost.transitions < known->shortest) known->shortest = cost.transitions;
    return;
  }
  struct best fresh = {e->property, e->span, cost.transitions, pv_strdup(e->message), cost};
  pv_vec_push(&b->best, fresh);
}

static void to_end_of_path(struct brute *b) {
  pv_vm_start(b->vm);
  for (uint32_t i = 0; i + 1 < b->path.n; i++)
    assert_int_equal(pv_vm_step(b->vm, b->path.at[i].thread, b->path.at[i].alternative), PV_RAN);
}

/* All paths that begin with b->path, which the machine has just run. */
static void explore(struct brute *b) {
  struct pv_pending next[PV_MAX_THREADS];
  struct pv_moves m;
  assert_true(b->path.n < 60);
  pv_moves_peek(b->vm, next, &m);
  pv_state_errors(b->vm, b->task, &m, found, b);
  if (!m.able) b->paths++;
  PV_FOR_THREADS(t, m.able)
  for (unsigned alternative = 0; alternative < m.alternatives[t]; alternative++) {
    struct pv_choice c = {t, alternative};
    pv_vec_push(&b->path, c);
    to_end_of_path(b);
    enum pv_outcome outcome = pv_vm_step(b->vm, t, alternative);
    if (outcome == PV_VIOLATED) found(b, pv_vm_event(b->vm));
    if (outcome == PV_RAN) explore(b);
    b->paths += outcome != PV_RAN;
    b->path.n--;
  }
}

static const struct pv_violation *violation_of(const struct pv_result *r, const struct best *b) {
  struct pv_error_key key = {b->property, b->span, b->message};
  for (uint32_t i = 0; i < r->violations.n; i++) {
    const struct pv_violation *v = &r->violations.at[i];
    struct pv_error_key other = {v->property, v->span, v->message};
    if (pv_error_is(&key, &other)) return v;
  }
  return NULL;
}

static void set(struct pv_options *o, const char *name, const char *value) {
  assert_int_equal(pv_options_set(o, name, value, NULL), PV_OK);
}

static struct pv_result check(const struct pv_program *p, struct pv_options *o) {
  struct pv_result r = {0};
  struct pv_task task = {
      .program = p, .options = o, .limits = &o->limits, .properties = o->properties};
  pv_limits_start(&o->limits);
  assert_int_equal(pv_engine_explicit.run(&task, &r), PV_OK);
  return r;
}

/* Every search, minimised, ends in the cheapest path of every error. */
static void compare_minimised(const struct pv_program *p, struct pv_options *o,
                              const struct brute *b) {
  static const char *const orders[] = {"dfs", "bfs"}, *const reductions[] = {"none", "both"};
  set(o, "minimise", "1");
  for (int i = 0; i < 4; i++) {
    set(o, "search", orders[i % 2]);
    set(o, "por", reductions[i / 2]);
    struct pv_result r = check(p, o);
    assert_int_equal(r.violations.n, b->best.n);
    for (uint32_t k = 0; k < b->best.n; k++) {
      const struct pv_violation *v = violation_of(&r, &b->best.at[k]);
      assert_non_null(v);
      assert_true(v->replayed && v->minimised && v->shortest);
      struct pv_path_cost cost = pv_path_cost(v->path.choices.at, v->path.choices.n);
      assert_int_equal(cost.switches, b->best.at[k].cost.switches);
      assert_int_equal(cost.transitions, b->best.at[k].cost.transitions);
      assert_false(pv_path_less(v->found, cost));
    }
    pv_result_clear(&r);
  }
  set(o, "minimise", "0");
}

/* Breadth first, with all states, ends in a path of the fewest transitions of every error. */
static void compare_breadth_first(const struct pv_program *p, struct pv_options *o,
                                  const struct brute *b) {
  static const char *const reductions[] = {"none", "sleep"};
  set(o, "search", "bfs");
  for (int i = 0; i < 2; i++) {
    set(o, "por", reductions[i]);
    struct pv_result r = check(p, o);
    assert_int_equal(r.violations.n, b->best.n);
    for (uint32_t k = 0; k < b->best.n; k++) {
      const struct pv_violation *v = violation_of(&r, &b->best.at[k]);
      assert_non_null(v);
      assert_int_equal(v->path.choices.n, b->best.at[k].shortest);
    }
    pv_result_clear(&r);
  }
}

/* The number of distinct errors of the program in the file. */
static uint32_t check_file(const char *path, const char *level, uint64_t *paths) {
  struct pv_options o;
  struct pv_program *p = NULL;
  struct pv_str message = {0};
  struct pv_condition ignored = {0};
  pv_options_init(&o);
  pv_vec_push(&o.files, pv_strdup(path));
  set(&o, "property", "unreach-call,no-data-race,no-deadlock");
  set(&o, "keep-going", "1");
  set(&o, "atomic", level);
  assert_int_equal(pv_load(&o, &pv_sched_pthread, &p, &message), PV_OK);
  struct pv_task task = {
      .program = p, .options = &o, .limits = &o.limits, .properties = o.properties};
  struct brute b = {.task = &task};
  pv_limits_start(&o.limits);
  b.vm = pv_vm_new(&task, &pv_sched_pthread, &ignored);
  pv_vm_start(b.vm);
  explore(&b);
  pv_vm_free(b.vm);
  compare_minimised(p, &o, &b);
  compare_breadth_first(p, &o, &b);
  uint32_t errors = b.best.n;
  *paths += b.paths;
  for (uint32_t i = 0; i < errors; i++) free(b.best.at[i].message);
  pv_vec_free(&b.best);
  pv_vec_free(&b.path);
  pv_condition_clear(&ignored);
  pv_program_free(p);
  pv_str_free(&message);
  pv_options_free(&o);
  return errors;
}

/* One of few statements of a thread, over two atomics, a plain global and two mutexes. */
static const char *statement(uint32_t *random) {
  static const char *const choices[] = {"a = b + 1;",
                                        "l = a;",
                                        "l = b;",
                                        "b = l + 1;",
                                        "a = l;",
                                        "x = l;",
                                        "assert(a != 2);",
                                        "assert(a != 1);",
                                        "assert(l < 2);",
                                        "if (b) a = 3;",
                                        "b = 1;",
                                        "pthread_mutex_lock(&m);",
                                        "pthread_mutex_lock(&n);",
                                        "pthread_mutex_unlock(&m);"};
  *random = *random * 1103515245 + 12345;
  return choices[(*random >> 16) % (sizeof choices / sizeof *choices)];
}

static void write_program(const char *path, uint32_t seed) {
  FILE *f = fopen(path, "w");
  assert_non_null(f);
  fputs("#include <assert.h>\n#include <pthread.h>\n#include <stdatomic.h>\n"
        "atomic_int a, b;\nint x;\n"
        "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;\n",
        f);
  for (int t = 0; t < 2; t++) {
    fprintf(f, "void *t%d(void *u) {\n  int l = 0;\n", t);
    for (int i = 0; i < 4; i++) fprintf(f, "  %s\n", statement(&seed));
    fputs("  (void)l;\n  return u;\n}\n", f);
  }
  fputs("int main(void) {\n  pthread_t s, t;\n"
        "  pthread_create(&s, 0, t0, 0);\n  pthread_create(&t, 0, t1, 0);\n"
        "  pthread_join(s, 0);\n  pthread_join(t, 0);\n  assert(a == b);\n}\n",
        f);
  fclose(f);
}

static void paths_are_the_shortest(void **state) {
  (void)state;
  char path[] = "/tmp/proviso-minimise-XXXXXX.c";
  int file = mkstemps(path, 2);
  uint32_t errors = 0;
  uint64_t paths = 0;
  assert_true(file >= 0);
  close(file);
  for (uint32_t seed = 1; seed <= 30; seed++) {
    write_program(path, seed * 2654435761u);
    errors += check_file(path, seed % 4 ? "visible" : "statement", &paths);
  }
  unlink(path);
  assert_true(errors > 24); /* there was something to compare */
  assert_true(paths > 10000);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(paths_are_the_shortest)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
