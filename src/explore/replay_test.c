/* Paths with given input values: found from the values, replayed with them, and described by them.
 * Programs of the end-to-end tests are replayed from the inputs of their own error paths. */
#include "explore/replay.h"

#include <glob.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "frontend/frontend.h"
#include "vm/vm.h"

extern const struct pv_engine pv_engine_explicit;

/* ---- a program at hand ----------------------------------------------------------------------- */
static struct pv_options o;
static struct pv_program *p;
static struct pv_task task;

static void load_file(const char *path, const char *properties) {
  struct pv_str message = {0};
  if (properties) assert_int_equal(pv_options_set(&o, "property", properties, NULL), PV_OK);
  pv_vec_push(&o.files, pv_strdup(path));
  if (pv_load(&o, &pv_sched_pthread, &p, &message) != PV_OK) fail_msg("%s", message.at);
  pv_str_free(&message);
  pv_limits_start(&o.limits);
  task = (struct pv_task){
      .program = p, .options = &o, .limits = &o.limits, .properties = o.properties};
}

static void load(const char *text, const char *properties) {
  char path[] = "/tmp/proviso-replay-XXXXXX.c";
  int file = mkstemps(path, 2);
  assert_true(file >= 0);
  FILE *f = fdopen(file, "w");
  fputs("#include <assert.h>\n#include <limits.h>\n#include <pthread.h>\n#include <stdlib.h>\n"
        "extern int __VERIFIER_nondet_int(void);\nextern unsigned __VERIFIER_nondet_uint(void);\n"
        "extern _Bool __VERIFIER_nondet_bool(void);\nextern float __VERIFIER_nondet_float(void);\n"
        "extern unsigned char __VERIFIER_nondet_uchar(void);\n"
        "extern unsigned long long __VERIFIER_nondet_ulonglong(void);\n"
        "extern double __VERIFIER_nondet_double(void);\n"
        "extern __int128 __VERIFIER_nondet_int128(void);\n"
        "extern int proviso_choose(int, int);\nextern void reach_error(void);\n",
        f);
  fputs(text, f);
  fclose(f);
  load_file(path, properties);
  unlink(path);
}

static void begin(void) {
  pv_options_init(&o);
}

static void end(void) {
  pv_program_free(p);
  pv_options_free(&o);
  p = NULL;
}

static struct pv_violation with(const uint64_t *values, uint32_t n,
                                const struct pv_error_key *wanted) {
  struct pv_violation v = {0};
  PV_VEC(struct pv_input) inputs = {0};
  for (uint32_t i = 0; i < n; i++) pv_vec_push(&inputs, ((struct pv_input){.value = {values[i]}}));
  assert_int_equal(pv_replay_inputs(&task, inputs.at, n, NULL, wanted, &v), PV_OK);
  pv_vec_free(&inputs);
  return v;
}
#define WITH(...)                                                                                  \
  with((const uint64_t[]){__VA_ARGS__},                                                            \
       (uint32_t)(sizeof(const uint64_t[]){__VA_ARGS__} / sizeof(uint64_t)), NULL)

/* The same violation again from what a record keeps of its path. */
static void replays(const struct pv_violation *v) {
  struct pv_violation again = {0};
  struct pv_error_key key = {v->property, v->span, v->message};
  assert_int_equal(pv_replay_path(&task, &v->path, &key, &again), PV_OK);
  assert_true(again.replayed);
  assert_int_equal(again.property, v->property);
  assert_string_equal(again.message, v->message);
  assert_int_equal(again.line, v->line);
  assert_int_equal(again.path.steps.n, v->path.steps.n);
  assert_int_equal(again.path.inputs.n, v->path.inputs.n);
  for (uint32_t i = 0; i < v->path.inputs.n; i++) {
    assert_true(again.path.inputs.at[i].value[0] == v->path.inputs.at[i].value[0]);
    assert_true(again.path.inputs.at[i].value[1] == v->path.inputs.at[i].value[1]);
    assert_int_equal(again.path.inputs.at[i].source, v->path.inputs.at[i].source);
  }
  pv_violation_clear(&again);
}

static bool has_note(const struct pv_violation *v, const char *text) {
  for (uint32_t i = 0; i < v->path.steps.n; i++)
    if (v->path.steps.at[i].note && strstr(v->path.steps.at[i].note, text)) return true;
  return false;
}

static void is_error(struct pv_violation v, enum pv_property property, const char *note) {
  if (!v.replayed) fail_msg("not replayed: %s", v.message);
  assert_int_equal(v.property, property);
  assert_true(v.path.steps.n > 0);
  if (note && !has_note(&v, note)) fail_msg("no note `%s`", note);
  replays(&v);
  pv_violation_clear(&v);
}

static void is_none(struct pv_violation v, const char *why) {
  assert_false(v.replayed);
  assert_int_equal(v.path.choices.n, 0);
  if (!v.message || !strstr(v.message, why)) fail_msg("`%s`, not `%s`", v.message, why);
  pv_violation_clear(&v);
}

/* ---- values ---------------------------------------------------------------------------------- */
static void values_that_nobody_would_guess(void **state) {
  (void)state;
  struct pv_result r = {0};
  begin();
  load("int main(void) {\n  int x = __VERIFIER_nondet_int();\n"
       "  if (x > 0 && x < 40000 && x * x == 1522756) reach_error();\n}\n",
       "unreach-call");
  assert_int_equal(pv_engine_explicit.run(&task, &r), PV_OK);
  assert_int_equal(r.verdict, PV_CONDITIONAL);
  pv_result_clear(&r);
  struct pv_violation v = WITH(1234);
  assert_int_equal(v.path.inputs.n, 1);
  assert_int_equal(v.path.sources.n, 1);
  const struct pv_source *s = &v.path.sources.at[0];
  assert_string_equal(s->name, "__VERIFIER_nondet_int");
  assert_int_equal(s->origin, PV_ORIGIN_FUNCTION);
  assert_int_equal(s->type, PV_SOURCE_SIGNED);
  assert_int_equal(s->bits, 32);
  assert_string_equal(s->function, "main");
  assert_int_equal(s->line, v.path.steps.at[1].line);
  is_error(v, PV_PROP_UNREACH_CALL, "__VERIFIER_nondet_int = 1234");
  is_none(WITH(1235), "the program ends");
  is_none(with(NULL, 0, NULL), "the program ends");
  is_none(WITH(UINT64_C(1) << 32 | 1234), "input 1 does not fit into its type");
  end();
}

static void scripts_that_end_early(void **state) {
  (void)state;
  begin();
  load("int main(void) {\n  int x = __VERIFIER_nondet_int(), y = proviso_choose(3, 9);\n"
       "  int z = proviso_choose(-9, -2);\n"
       "  if (x == 77777 && y == 3 && z == -2 && !__VERIFIER_nondet_int()) reach_error();\n}\n",
       "unreach-call");
  struct pv_violation v = WITH(77777);
  assert_int_equal(v.path.inputs.n, 4);
  assert_int_equal(v.path.inputs.at[2].value[0], 0xfffffffe);
  is_error(v, PV_PROP_UNREACH_CALL, "proviso_choose = -2");
  is_error(WITH(77777, 3, 0xfffffffe, 0, 5, 6), PV_PROP_UNREACH_CALL, NULL); /* too long */
  is_none(WITH(77777, 4), "the program ends");
  is_none(WITH(77777, 2), "input 2 is out of its bounds");
  is_none(WITH(77777, 3, 3), "input 3 is out of its bounds");
  is_none(WITH(77777, 3, 0xfffffff6), "input 3 is out of its bounds");
  end();
}

static void all_types(void **state) {
  (void)state;
  double d = 0.1;
  float f = -2.5f;
  uint64_t bits = 0, few = 0;
  memcpy(&bits, &d, sizeof d);
  memcpy(&few, &f, sizeof f);
  begin();
  load("int main(void) {\n  _Bool b = __VERIFIER_nondet_bool();\n"
       "  unsigned char c = __VERIFIER_nondet_uchar();\n"
       "  unsigned long long l = __VERIFIER_nondet_ulonglong();\n"
       "  double d = __VERIFIER_nondet_double();\n  float f = __VERIFIER_nondet_float();\n"
       "  if (b && c == 200 && l == 0xfedcba9876543210u && d == 0.1 && f == -2.5f) reach_error();\n"
       "}\n",
       "unreach-call");
  struct pv_violation v = WITH(1, 200, 0xfedcba9876543210u, bits, few);
  assert_int_equal(v.path.sources.n, 5);
  assert_int_equal(v.path.sources.at[0].type, PV_SOURCE_UNSIGNED);
  assert_int_equal(v.path.sources.at[1].type, PV_SOURCE_UNSIGNED);
  assert_int_equal(v.path.sources.at[3].type, PV_SOURCE_FLOAT);
  assert_int_equal(v.path.sources.at[3].bits, 64);
  assert_true(has_note(&v, "__VERIFIER_nondet_ulonglong = 18364758544493064720"));
  assert_true(has_note(&v, "__VERIFIER_nondet_float = -2.5"));
  is_error(v, PV_PROP_UNREACH_CALL, "__VERIFIER_nondet_double = 0.1");
  is_none(WITH(2), "input 1 does not fit into its type");
  is_none(WITH(1, 200, 0xfedcba9876543211u, bits, few), "the program ends");
  end();

  begin();
  load("int main(void) {\n  __int128 x = __VERIFIER_nondet_int128();\n"
       "  if (x == ((__int128)5 << 64) + 7) reach_error();\n}\n",
       "unreach-call");
  is_error(WITH(7, 5), PV_PROP_UNREACH_CALL, "part 2 of __VERIFIER_nondet_int128 = 5");
  end();
}

static void indeterminate_values_and_failing_malloc(void **state) {
  (void)state;
  begin();
  assert_int_equal(pv_options_set(&o, "malloc-may-fail", "1", NULL), PV_OK);
  load("int main(void) {\n  int u;\n  if (u == 4711) {\n    char *a = malloc(1), *b = malloc(1);\n"
       "    if (a && !b) reach_error();\n  }\n}\n",
       "unreach-call");
  is_error(WITH(4711, 0, 1), PV_PROP_UNREACH_CALL, "u = 4711 (was never set)");
  struct pv_violation v = WITH(4711, 0, 1);
  assert_int_equal(v.path.inputs.n, 3);
  assert_int_equal(v.path.sources.at[0].origin, PV_ORIGIN_INDETERMINATE);
  assert_int_equal(v.path.sources.at[1].origin, PV_ORIGIN_LIBRARY);
  assert_string_equal(v.path.sources.at[1].name, "malloc fails");
  assert_string_equal(v.path.sources.at[1].function, "main"); /* not the model */
  pv_violation_clear(&v);
  is_none(WITH(4711, 1, 1), "the program ends");
  is_none(WITH(4711, 0, 2), "input 3 does not fit");
  end();
}

static void inputs_know_their_place(void **state) {
  (void)state;
  uint32_t sites[2], n = 0;
  begin();
  load("int main(void) {\n  int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();\n"
       "  if (x == 5555 && y == 6666) reach_error();\n}\n",
       "unreach-call");
  for (uint32_t f = 0; f < p->functions.n; f++)
    for (uint32_t i = 0; i < p->functions.at[f].edges.n; i++) {
      const struct pv_edge *e = &p->functions.at[f].edges.at[i];
      if (e->op == PV_OP_HAVOC && !p->functions.at[f].is_model && n < 2) sites[n++] = e->site;
    }
  assert_int_equal(n, 2);
  for (int swapped = 0; swapped < 2; swapped++) {
    struct pv_input in[2] = {{.value = {5555}, .site = sites[swapped] + 1},
                             {.value = {6666}, .site = sites[!swapped] + 1}};
    struct pv_violation v = {0};
    assert_int_equal(pv_replay_inputs(&task, in, 2, NULL, NULL, &v), PV_OK);
    if (swapped)
      is_none(v, "input 1 is asked for at another place");
    else
      is_error(v, PV_PROP_UNREACH_CALL, NULL);
  }
  /* A record of another program does not fit. */
  struct pv_violation v = WITH(5555, 6666), other = {0};
  free(v.path.sources.at[1].name);
  v.path.sources.at[1].name = pv_strdup("__VERIFIER_nondet_uint");
  assert_int_equal(pv_replay_path(&task, &v.path, NULL, &other), PV_OK);
  assert_false(other.replayed);
  pv_violation_clear(&other);
  v.path.sources.at[1].bits = 16;
  assert_int_equal(pv_replay_path(&task, &v.path, NULL, &other), PV_OK);
  assert_false(other.replayed);
  pv_violation_clear(&other);
  pv_violation_clear(&v);
  end();
}

static void the_value_counts_not_the_way(void **state) {
  (void)state;
  struct pv_violation other = {0};
  begin();
  load("int main(void) {\n  int x = __VERIFIER_nondet_int();\n  assert(x * 3 + 1 != 301);\n}\n",
       "unreach-call");
  struct pv_violation v = WITH(100);
  is_error(WITH(100), PV_PROP_UNREACH_CALL, NULL);
  v.path.inputs.at[0].value[0] = 101;
  assert_int_equal(pv_replay_path(&task, &v.path, NULL, &other), PV_OK);
  assert_false(other.replayed);
  assert_true(other.path.steps.n > 0); /* how far it came */
  pv_violation_clear(&other);
  pv_violation_clear(&v);
  end();
}

/* ---- which error ----------------------------------------------------------------------------- */
static void the_wanted_error(void **state) {
  (void)state;
  struct pv_error_key reach = {PV_PROP_UNREACH_CALL, 0, NULL},
                      overflow = {PV_PROP_NO_OVERFLOW, 0, NULL},
                      other = {PV_PROP_UNREACH_CALL, 0, "assertion `0` fails"};
  uint64_t most = 0x7fffffff;
  begin();
  load("int main(void) {\n  int x = __VERIFIER_nondet_int();\n  int y = x + 1;\n"
       "  if (y < 0) reach_error();\n}\n",
       "unreach-call,no-overflow");
  is_error(with(&most, 1, &overflow), PV_PROP_NO_OVERFLOW, NULL);
  is_error(with(&most, 1, &reach), PV_PROP_NO_OVERFLOW, NULL); /* another one ended the path */
  end();
  begin();
  load("int main(void) {\n  int x = __VERIFIER_nondet_int();\n  int y = x + 1;\n"
       "  if (y < 0) reach_error();\n}\n",
       "unreach-call");
  is_error(with(&most, 1, &reach), PV_PROP_UNREACH_CALL, NULL);
  is_error(with(&most, 1, &other), PV_PROP_UNREACH_CALL, NULL);
  is_none(with(NULL, 0, &overflow), "the program ends");
  end();
}

static void errors_of_states(void **state) {
  (void)state;
  static const char text[] =
      "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\nint g;\nint main(void) {\n"
      "  int n = __VERIFIER_nondet_int();\n  g = n / 2;\n  g = 0;\n"
      "  pthread_mutex_lock(&m);\n  if (n == 246) pthread_mutex_lock(&m);\n"
      "  pthread_mutex_unlock(&m);\n}\n";
  struct pv_error_key race = {PV_PROP_NO_DATA_RACE, 0, NULL};
  uint64_t value = 246;
  begin();
  load(text, "no-deadlock,no-data-race");
  is_error(WITH(246), PV_PROP_NO_DEADLOCK, NULL);
  is_none(with(&value, 1, &race), "no thread can go on");
  is_none(WITH(244), "the program ends");
  end();
  begin();
  assert_int_equal(pv_options_set(&o, "invariant", "g != 123", NULL), PV_OK);
  load(text, NULL);
  is_error(WITH(246), PV_PROP_INVARIANT, NULL);
  is_error(WITH(247), PV_PROP_INVARIANT, NULL);
  is_none(WITH(244), "the program ends");
  end();
  begin();
  assert_int_equal(pv_options_set(&o, "keep-going", "1", NULL), PV_OK);
  load(
      "void *kept;\nint main(void) {\n  if (__VERIFIER_nondet_int() == 999) kept = malloc(3);\n}\n",
      "valid-memcleanup");
  is_error(WITH(999), PV_PROP_VALID_MEMCLEANUP, NULL); /* a path that such an error does not end */
  is_none(WITH(998), "the program ends");
  end();
}

static void endless_runs_are_given_up(void **state) {
  (void)state;
  begin();
  load("int main(void) {\n  while (__VERIFIER_nondet_int() != 31337)\n    ;\n  reach_error();\n}\n",
       "unreach-call");
  is_error(WITH(1, 2, 3, 31337), PV_PROP_UNREACH_CALL,
           "__VERIFIER_nondet_int = 1; __VERIFIER_nondet_int = 2; __VERIFIER_nondet_int = 3");
  assert_int_equal(pv_options_set(&o, "limit", "depth=1000", NULL), PV_OK);
  is_none(WITH(1, 2, 3), "the limit on depth");
  assert_int_equal(pv_options_set(&o, "limit", "depth=0", NULL), PV_OK);
  is_none(WITH(1, 2, 3), "nothing happened for a long time"); /* a million inputs */
  o.limits.hit = PV_LIMIT_TIME;
  is_none(WITH(1, 2, 3, 31337), "a limit of the run");
  end();
}

/* Long notes of loops on one line are cut; long scripts are kept whole. */
static void long_scripts(void **state) {
  (void)state;
  enum { N = 30000 };
  PV_VEC(uint64_t) values = {0};
  begin();
  load("int main(void) {\n  unsigned n = 0;\n"
       "  for (unsigned x; (x = __VERIFIER_nondet_uint()) == n * n;) n++;\n"
       "  assert(n != 30000);\n}\n",
       "unreach-call");
  for (uint32_t i = 0; i < N; i++) pv_vec_push(&values, (uint64_t)i * i & 0xffffffff);
  pv_vec_push(&values, 1);
  struct pv_violation v = with(values.at, N + 1, NULL);
  assert_true(v.replayed);
  assert_int_equal(v.path.inputs.n, N + 1);
  for (uint32_t i = 0; i < v.path.steps.n; i++)
    if (v.path.steps.at[i].note) assert_true(strlen(v.path.steps.at[i].note) < 300);
  replays(&v);
  pv_violation_clear(&v);
  pv_vec_free(&values);
  end();
}

/* ---- threads --------------------------------------------------------------------------------- */
static void threads_with_inputs(void **state) {
  (void)state;
  struct pv_result r = {0};
  begin();
  load("int g;\nvoid *add(void *u) {\n  int x = __VERIFIER_nondet_int();\n"
       "  __atomic_store_n(&g, __atomic_load_n(&g, 5) * 10 + (x & 7), 5);\n  return u;\n}\n"
       "int main(void) {\n  pthread_t s, t;\n  pthread_create(&s, 0, add, 0);\n"
       "  pthread_create(&t, 0, add, 0);\n  pthread_join(s, 0);\n  pthread_join(t, 0);\n"
       "  assert(g != 25);\n}\n",
       "unreach-call");
  assert_int_equal(pv_options_set(&o, "inputs", "64", NULL), PV_OK);
  assert_int_equal(pv_engine_explicit.run(&task, &r), PV_OK);
  assert_int_equal(r.verdict, PV_FALSE);
  struct pv_violation *v = &r.violations.at[0], other = {0};
  assert_int_equal(v->path.inputs.n, 2);
  assert_true(v->path.inputs.at[0].thread != v->path.inputs.at[1].thread);
  replays(v);
  /* other values that do the same, and one that does not */
  v->path.inputs.at[0].value[0] ^= 0x1234560;
  replays(v);
  v->path.inputs.at[0].value[0] ^= 1;
  assert_int_equal(pv_replay_path(&task, &v->path, NULL, &other), PV_OK);
  assert_false(other.replayed);
  pv_violation_clear(&other);
  pv_result_clear(&r);
  is_error(WITH(0x1232, 0x5435), PV_PROP_UNREACH_CALL, NULL);
  is_error(WITH(0x543a, 0x1235), PV_PROP_UNREACH_CALL, NULL);
  end();
}

/* A new thread executes its operations before the first visible one at once, up to the end of its
 * path: others may continue before that. */
static void inputs_of_a_thread_that_ends(void **state) {
  (void)state;
  begin();
  load("_Atomic int g;\nint zero;\nvoid *stop(void *u) {\n"
       "  int unused = __VERIFIER_nondet_int(), local = 0;\n  local = 1 / local;\n  return u;\n}\n"
       "int main(void) {\n  pthread_t t;\n  pthread_create(&t, 0, stop, 0);\n  g = 1;\n"
       "  if (__VERIFIER_nondet_int() == 424242) reach_error();\n}\n",
       "unreach-call");
  struct pv_violation v = WITH(7, 424242);
  assert_int_equal(v.path.inputs.n, 2);
  assert_int_equal(v.path.inputs.at[0].thread, 1);
  assert_int_equal(v.path.inputs.at[1].thread, 0);
  is_error(v, PV_PROP_UNREACH_CALL, "= 424242");
  end();
}

/* A thread that waits for another in a loop does not keep it from moving. */
static void waiting_in_a_loop(void **state) {
  (void)state;
  begin();
  load("_Atomic int g;\nvoid *set(void *u) {\n  g = __VERIFIER_nondet_int();\n  return u;\n}\n"
       "int main(void) {\n  pthread_t t;\n  pthread_create(&t, 0, set, 0);\n  while (!g)\n    ;\n"
       "  assert(g != 1000001);\n}\n",
       "unreach-call");
  is_error(WITH(1000001), PV_PROP_UNREACH_CALL, NULL);
  end();
}

/* ---- the programs of other tests ------------------------------------------------------------- */
/* Is what happens decided by the inputs alone? */
static bool is_sequential(void) {
  for (uint32_t f = 0; f < p->functions.n; f++)
    for (uint32_t i = 0; i < p->functions.at[f].edges.n; i++)
      if (p->functions.at[f].edges.at[i].op == PV_OP_PRIM) return false;
  return true;
}

/* How many of the inputs' values were given; UINT32_MAX: not a program for this. */
static uint32_t compare_file(const char *path) {
  struct pv_result r = {0};
  uint32_t n = UINT32_MAX;
  struct pv_str message = {0};
  begin();
  pv_vec_push(&o.files, pv_strdup(path));
  assert_int_equal(pv_options_set(&o, "limit", "states=20000", NULL), PV_OK);
  pv_limits_start(&o.limits);
  task = (struct pv_task){.options = &o, .limits = &o.limits, .properties = o.properties};
  bool loads = pv_load(&o, &pv_sched_pthread, &p, &message) == PV_OK;
  task.program = p;
  if (loads && is_sequential()) {
    assert_int_equal(pv_engine_explicit.run(&task, &r), PV_OK);
    o.limits.hit = PV_LIMIT_NONE;
  }
  if (r.violations.n) {
    struct pv_violation *v = &r.violations.at[0], got = {0};
    struct pv_error_key key = {v->property, v->span, v->message};
    n = v->path.inputs.n;
    assert_int_equal(pv_replay_inputs(&task, v->path.inputs.at, n, NULL, &key, &got), PV_OK);
    if (!got.replayed) fail_msg("%s: %s", path, got.message);
    assert_string_equal(got.message, v->message);
    assert_int_equal(got.path.choices.n, v->path.choices.n);
    assert_int_equal(got.path.steps.n, v->path.steps.n);
    replays(&got);
    pv_violation_clear(&got);
  }
  pv_result_clear(&r);
  pv_str_free(&message);
  end();
  return n;
}

static void errors_of_sequential_programs(void **state) {
  (void)state;
  uint32_t errors = 0, inputs = 0;
  glob_t files;
  char *full = pv_format("%s/tests/e2e/*/*_bug.c", PROVISO_SOURCE_DIR);
  assert_int_equal(glob(full, 0, NULL, &files), 0);
  for (size_t i = 0; i < files.gl_pathc; i++) {
    if (strstr(files.gl_pathv[i], "/limits/")) continue; /* long */
    uint32_t n = compare_file(files.gl_pathv[i]);
    if (n == UINT32_MAX) continue;
    errors++;
    inputs += n;
  }
  print_message("%u errors, %u inputs\n", errors, inputs);
  assert_true(errors > 40);
  assert_true(inputs >= 10);
  globfree(&files);
  free(full);
}

/* ---- what steps have to do with other threads --------------------------------------------------
 */
static uint32_t count_of(const struct pv_error_path *path, enum pv_interaction_kind kind,
                         const char *object) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < path->steps.n; i++)
    for (uint32_t k = 0; k < path->steps.at[i].interactions.n; k++) {
      const struct pv_interaction *x = &path->steps.at[i].interactions.at[k];
      bool same = !object || (x->object && !strcmp(x->object, object));
      n += x->kind == kind && same;
    }
  return n;
}

static void interactions_of_threads(void **state) {
  (void)state;
  struct pv_result result = {0};
  begin();
  load("pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\nint n;\n"
       "static void *work(void *a) {\n  pthread_mutex_lock(&m);\n  n = 1;\n"
       "  pthread_mutex_unlock(&m);\n  return a;\n}\n"
       "int main(void) {\n  pthread_t t;\n  pthread_create(&t, 0, work, 0);\n"
       "  pthread_mutex_lock(&m);\n  n = 2;\n  pthread_mutex_unlock(&m);\n"
       "  pthread_join(t, 0);\n  if (n == 1) reach_error();\n  return 0;\n}\n",
       "unreach-call");
  assert_int_equal(pv_engine_explicit.run(&task, &result), PV_OK);
  assert_int_equal(result.violations.n, 1);
  const struct pv_error_path *path = &result.violations.at[0].path;
  assert_int_equal(count_of(path, PV_INTERACTION_CREATES, NULL), 1);
  assert_int_equal(count_of(path, PV_INTERACTION_JOINS, NULL), 1);
  assert_int_equal(count_of(path, PV_INTERACTION_ENDS, NULL), 1);
  assert_int_equal(count_of(path, PV_INTERACTION_ACQUIRES, "m"), 2);
  assert_int_equal(count_of(path, PV_INTERACTION_RELEASES, "m"), 2);
  assert_int_equal(count_of(path, PV_INTERACTION_WRITES, "n"), 2);
  assert_int_equal(count_of(path, PV_INTERACTION_WAITS, NULL),
                   count_of(path, PV_INTERACTION_CONTINUES, NULL));
  pv_result_clear(&result);
  end();
  begin(); /* without threads there are none */
  load("int n;\nint main(void) {\n  n = 1;\n  if (n == 1) reach_error();\n  return 0;\n}\n",
       "unreach-call");
  assert_int_equal(pv_engine_explicit.run(&task, &result), PV_OK);
  assert_int_equal(result.violations.n, 1);
  for (unsigned kind = 0; kind < PV_INTERACTION_COUNT; kind++)
    assert_int_equal(count_of(&result.violations.at[0].path, (enum pv_interaction_kind)kind, NULL),
                     0);
  pv_result_clear(&result);
  end();
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(values_that_nobody_would_guess),
      cmocka_unit_test(scripts_that_end_early),
      cmocka_unit_test(all_types),
      cmocka_unit_test(indeterminate_values_and_failing_malloc),
      cmocka_unit_test(inputs_know_their_place),
      cmocka_unit_test(the_value_counts_not_the_way),
      cmocka_unit_test(the_wanted_error),
      cmocka_unit_test(errors_of_states),
      cmocka_unit_test(endless_runs_are_given_up),
      cmocka_unit_test(long_scripts),
      cmocka_unit_test(threads_with_inputs),
      cmocka_unit_test(inputs_of_a_thread_that_ends),
      cmocka_unit_test(waiting_in_a_loop),
      cmocka_unit_test(errors_of_sequential_programs),
      cmocka_unit_test(interactions_of_threads),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
