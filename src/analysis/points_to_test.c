/* points_to_test.c -- points-to sets of small C programs, as printed by pv_points_to_print.
 * vm/analyses_soundness_test.c checks that the sets cover real executions. */
#include "analysis/analysis_test.h"

static struct pv_program *p;
static struct pv_points_to *pt;
static struct pv_str dump;

static int tear_down(void **state) {
  (void)state;
  pv_points_to_free(pt);
  pv_program_free(p);
  pv_str_free(&dump);
  pt = NULL;
  p = NULL;
  return 0;
}

static void load(const char *text) {
  p = pv_test_load(text);
}

static void analyse(const struct pv_points_to_options *options) {
  pv_points_to_free(pt);
  pv_str_clear(&dump);
  pt = pv_points_to_new(p, options);
  pv_points_to_print(pt, &dump);
}

/* Freed addresses are not reused, so that sets only show copies. */
static void load_and_analyse(const char *text) {
  load(text);
  struct pv_points_to_options o = pv_points_to_defaults(p);
  o.reuse = false;
  analyse(&o);
  assert_true(pv_points_to_complete(pt));
}

/* Is that one of the lines? */
static void expect(const char *line) {
  size_t n = strlen(line);
  for (const char *at = pv_str_cstr(&dump); (at = strstr(at, line)); at += n)
    if ((at == dump.at || at[-1] == '\n') && at[n] == '\n') return;
  fail_msg("no line `%s` in\n%s", line, pv_str_cstr(&dump));
}

static uint32_t function(const char *name) {
  for (uint32_t i = 0; i < p->functions.n; i++)
    if (strcmp(p->functions.at[i].name, name) == 0) return i;
  fail_msg("no function %s", name);
  return 0;
}

static uint32_t global(const char *name) {
  for (uint32_t i = 0; i < p->globals.n; i++)
    if (strcmp(p->globals.at[i].name, name) == 0) return i;
  fail_msg("no global %s", name);
  return 0;
}

static uint32_t edge(uint32_t f, enum pv_op op, unsigned which) {
  for (uint32_t i = 0; i < p->functions.at[f].edges.n; i++)
    if (p->functions.at[f].edges.at[i].op == op && !which--) return i;
  fail_msg("no such edge");
  return 0;
}

static void heap_objects_are_told_apart_by_the_caller(void **state) {
  (void)state;
  load_and_analyse("#include <stdlib.h>\n"
                   "#include <string.h>\n"
                   "static void *mine(size_t n) {\n"
                   "  return malloc(n); }\n"
                   "int main(void) {\n"
                   "  char *a = malloc(4);\n"
                   "  char *b = calloc(1, 4);\n"
                   "  char *c = realloc(malloc(1),\n"
                   "                    9);\n"
                   "  char *d = strdup(a), *e = mine(1), *f = mine(2);\n"
                   "  *a = 1, *b = 2, *c = 3, *d = 4, *e = 5, *f = 6;\n"
                   "}\n");
  expect("main: *a = 1: {heap@main:6}");
  expect("main: *b = 2: {heap@main:7}");
  expect("main: *c = 3: {heap@main:8}");
  expect("main: *d = 4: {heap@main:10}");
  expect("main: *e = 5: {heap@mine:4}");
  expect("main: *f = 6: {heap@mine:4}");
  uint32_t main_ = function("main"), n;
  const uint32_t *objects = pv_points_to_heap(pt, main_, edge(main_, PV_OP_CALL, 0), &n);
  assert_int_equal(n, 1);
  assert_int_equal(pv_points_to_object(pt, objects[0])->kind, PV_PT_HEAP);
  assert_int_equal(pv_points_to_object(pt, objects[0])->function, main_);
  pv_points_to_heap(pt, main_, edge(main_, PV_OP_STORE, 0), &n);
  assert_int_equal(n, 0);
}

static void pointers_travel_through_memory_of_any_type(void **state) {
  (void)state;
  load_and_analyse("#include <string.h>\n"
                   "#include <stdint.h>\n"
                   "int x, y, z, v, *table[4], *other;\n"
                   "union { int *p; uintptr_t n; char bytes[8]; } u;\n"
                   "int main(void) {\n"
                   "  int *p = &x, *q, *r, *s, *t;\n"
                   "  table[1] = &x; table[2] = &y;\n"
                   "  for (unsigned i = 0; i < sizeof p; i++) ((char *)&q)[i] = ((char *)&p)[i];\n"
                   "  *q = 1;\n"
                   "  memcpy(&r, &table[1], sizeof r);\n"
                   "  *r = 2;\n"
                   "  u.n = (uintptr_t)&z;\n"
                   "  *u.p = 3;\n"
                   "  uintptr_t low = (uintptr_t)&v & 0xffff, high = (uintptr_t)&v >> 16;\n"
                   "  s = (int *)(high << 16 | low);\n"
                   "  *s = 4;\n"
                   "  t = (int *)((uintptr_t)&x ^ (uintptr_t)&y);\n"
                   "  t = (int *)((uintptr_t)t ^ (uintptr_t)&y);\n"
                   "  *t = 5;\n"
                   "  *other = 6;\n"
                   "}\n");
  expect("main: *(i32 *)t2 = 1: {x}");
  expect("main: *(i32 *)t3 = 2: {x, y}");
  expect("main: *(i32 *)t4 = 3: {z}");
  expect("main: *s = 4: {v}");
  expect("main: *t = 5: {x, y}");
  expect("table (escapes): {x, y}");
  expect("u (escapes): {z}");
  expect("main: *(i32 *)t5 = 6: {}");
}

static void arithmetic_keeps_to_its_objects(void **state) {
  (void)state;
  load_and_analyse("#include <stddef.h>\n"
                   "struct queue { int *item[4]; size_t head; } q;\n"
                   "int x, a[4];\n"
                   "long y;\n"
                   "char from[9], to[9];\n"
                   "int main(void) {\n"
                   "  char *p = from + 2;\n"
                   "  q.item[q.head] = &x;\n"
                   "  a[q.head] = 1;\n"
                   "  p += to - from;\n"
                   "  *p = 2;\n"
                   "}\n");
  expect("main: a[t2] = 1: {a}");
  expect("main: *p = 2: {from, to}");
}

static void arbitrary_pointers_are_unknown(void **state) {
  (void)state;
  load_and_analyse("extern void *__VERIFIER_nondet_pointer(void);\n"
                   "extern long __VERIFIER_nondet_long(void);\n"
                   "int seen, hidden, *keep, *end;\n"
                   "struct node { long data; struct node *next; } n, *list;\n"
                   "int main(void) {\n"
                   "  keep = &seen;\n"
                   "  hidden = 1;\n"
                   "  n.data = __VERIFIER_nondet_long();\n"
                   "  n.next = list;\n"
                   "  list = &n;\n"
                   "  list->next->data = 2;\n"
                   "  end = (int *)-1;\n"
                   "  *end = 3;\n"
                   "}\n");
  assert_false(pv_points_to_stats(pt).unknown_used);
  expect("n (escapes): {n}");
  pv_program_free(p);
  load_and_analyse("extern void *__VERIFIER_nondet_pointer(void);\n"
                   "extern long __VERIFIER_nondet_long(void);\n"
                   "int seen, hidden, *keep;\n"
                   "int main(void) {\n"
                   "  keep = &seen;\n"
                   "  hidden = 1;\n"
                   "  int *p = __VERIFIER_nondet_pointer(), *q = (int *)__VERIFIER_nondet_long();\n"
                   "  *p = 1;\n"
                   "  *q = 2;\n"
                   "  p = (int *)0x20000000;\n"
                   "  *keep = *p;\n"
                   "}\n");
  assert_true(pv_points_to_stats(pt).unknown_used);
  for (int which = 0; which < 2; which++) {
    uint64_t *set = pv_alloc(pv_points_to_words(pt) * sizeof *set);
    uint32_t main_ = function("main"), n;
    pv_expr e = p->functions.at[main_].edges.at[edge(main_, PV_OP_STORE, 2 + which)].e[0];
    assert_true(pv_points_to_address(pt, main_, e, set));
    uint32_t seen = pv_points_to_global(pt, global("seen"), &n)[0];
    uint32_t hidden = pv_points_to_global(pt, global("hidden"), &n)[0];
    assert_true(set[seen / 64] >> seen % 64 & 1);
    assert_false(set[hidden / 64] >> hidden % 64 & 1);
    assert_true(pv_points_to_taken(pt, seen));
    assert_false(pv_points_to_taken(pt, hidden));
    free(set);
  }
}

static void calls_follow_tables(void **state) {
  (void)state;
  load_and_analyse("static int one(int *p) { return *p; }\n"
                   "static int two(int *p) { return *p + 1; }\n"
                   "static int never(int *p) { return *p + 2; }\n"
                   "static int (*const table[])(int *) = {one, two};\n"
                   "int (*unused)(int *) = never;\n"
                   "int x;\n"
                   "int main(int argc, char **argv) { return table[argc & 1](&x); }\n");
  uint32_t *callees = pv_alloc(p->functions.n * sizeof *callees), main_ = function("main");
  uint32_t call = edge(main_, PV_OP_CALL, 0);
  assert_int_equal(pv_points_to_callees(pt, main_, call, callees), 2);
  assert_int_equal(callees[0] + callees[1], function("one") + function("two"));
  free(callees);
  const uint32_t *instances;
  assert_int_equal(pv_points_to_instances(pt, function("one"), &instances), 1);
  assert_int_equal(pv_points_to_instances(pt, main_, &instances), 1);
  uint32_t n;
  pv_points_to_calls(pt, instances[0], call, &n);
  assert_int_equal(n, 2);
  expect("one: t1 = *p: {x}");
}

static void models_do_not_mix_their_callers(void **state) {
  (void)state;
  load_and_analyse("#include <stdlib.h>\n"
                   "#include <string.h>\n"
                   "#include <stdarg.h>\n"
                   "int x, y, *from[2] = {&x, &x}, *to[2], *other[2] = {&y, &y}, *copy[2];\n"
                   "static int first(const void *a, const void *b) { return **(int **)a; }\n"
                   "static int second(const void *a, const void *b) { return **(int **)a; }\n"
                   "static int *pick(int n, ...) {\n"
                   "  va_list list;\n"
                   "  va_start(list, n);\n"
                   "  int *p = va_arg(list, int *);\n"
                   "  va_end(list);\n"
                   "  return p;\n"
                   "}\n"
                   "int main(void) {\n"
                   "  memcpy(to, from, sizeof to);\n"
                   "  memcpy(copy, other, sizeof copy);\n"
                   "  qsort(from, 2, sizeof *from, first);\n"
                   "  qsort(copy, 2, sizeof *copy, second);\n"
                   "  int *p = pick(1, &y);\n"
                   "  *p = 1;\n"
                   "}\n");
  expect("to (escapes): {x}");
  expect("copy (escapes): {y}");
  expect("first: t1 = *(ptr *)a: {from}");
  expect("second: t1 = *(ptr *)a: {copy}");
  expect("first: t2 = *(i32 *)t1: {x}");
  expect("main: *p = 1: {y}");
}

static const char threads[] = "#include <pthread.h>\n"
                              "#include <stdlib.h>\n"
                              "static pthread_key_t key;\n"
                              "static _Thread_local int mine, *own;\n"
                              "static void *one(void *a) { int kept = 0, *p = &kept; *p = *(int "
                              "*)a; own = &mine; *own = *p;\n"
                              "  return a; }\n"
                              "static void *two(void *a) { int *q = malloc(4); *q = *(int *)a;\n"
                              "  pthread_setspecific(key, q); free(q); return malloc(8); }\n"
                              "static void *three(void *a) { return 0; }\n"
                              "int main(void) {\n"
                              "  pthread_t s, t, u;\n"
                              "  int x = 0, y = 0;\n"
                              "  void *r;\n"
                              "  pthread_create(&s, 0, one, &x);\n"
                              "  pthread_create(&t, 0, two, &y);\n"
                              "  pthread_create(&u, 0, three, (void *)3);\n"
                              "  pthread_join(t, &r);\n"
                              "  return *(char *)r + y;\n"
                              "}\n";

static void threads_share_what_they_are_given(void **state) {
  (void)state;
  load_and_analyse(threads);
  expect("one: t1 = *(i32 *)a: {main.x}");
  expect("two: t2 = *(i32 *)a: {main.y}");
  expect("main.x (escapes): {}");
  expect("main.y (escapes): {}");
  expect("main.r: {main.x, heap@two:8}");
  expect("heap@two:8 (escapes): {}");
  expect("heap@two:7: {}");
  expect("one.kept: {}");
  expect("mine: {}");
  expect("own: {mine}");
  expect("key (escapes): {}");
}

static void atomics_move_pointers(void **state) {
  (void)state;
  load_and_analyse("#include <stdatomic.h>\n"
                   "#include <stdlib.h>\n"
                   "struct node { struct node *next; int value; };\n"
                   "_Atomic(struct node *) top;\n"
                   "_Atomic(char *) at;\n"
                   "char text[9];\n"
                   "int main(void) {\n"
                   "  struct node *n = malloc(sizeof *n), *old = atomic_load(&top);\n"
                   "  do n->next = old; while (!atomic_compare_exchange_weak(&top, &old, n));\n"
                   "  struct node *m = atomic_exchange(&top, 0);\n"
                   "  m->value = 1;\n"
                   "  at = text;\n"
                   "  char *c = atomic_fetch_add(&at, 2);\n"
                   "  *c = 2;\n"
                   "}\n");
  expect("main: m->value = 1: {heap@main:8}");
  expect("main: *c = 2: {text}");
  expect("heap@main:8 (escapes): {heap@main:8}");
}

static void freed_addresses_come_back(void **state) {
  (void)state;
  load("#include <stdlib.h>\n"
       "int main(void) {\n"
       "  char *a = malloc(4);\n"
       "  free(a);\n"
       "  char *b = malloc(4);\n"
       "  if (a == b) *b = 1;\n"
       "  static char c;\n"
       "  c = 2;\n"
       "}\n");
  analyse(NULL);
  expect("main: *b = 1: {heap@main:3, heap@main:5}");
  expect("main: c = 2: {c}");
  struct pv_points_to_options o = pv_points_to_defaults(p);
  assert_true(o.reuse);
  o.reuse = false;
  analyse(&o);
  expect("main: *b = 1: {heap@main:5}");
}

static void limits_give_the_trivial_answer(void **state) {
  (void)state;
  load(threads);
  struct pv_points_to_options o = pv_points_to_defaults(p);
  for (int which = 0; which < 2; which++) {
    o.bytes = which ? (uint64_t)64 << 20 : 1000;
    o.steps = which ? 10 : UINT64_C(1000000);
    analyse(&o);
    assert_false(pv_points_to_complete(pt));
    assert_int_equal(pv_points_to_objects(pt), 1);
    assert_true(pv_points_to_escapes(pt, 0));
    uint32_t n, main_ = function("main");
    const uint32_t *all, *instances;
    assert_int_equal(pv_points_to_slot(pt, main_, 0, &n)[0], 0);
    assert_int_equal(n, 1);
    assert_int_equal(pv_points_to_global(pt, global("key"), &n)[0], 0);
    assert_int_equal(pv_points_to_heap(pt, main_, 0, &n)[0], 0);
    assert_int_equal(pv_points_to_instances(pt, main_, &instances), 1);
    all = pv_points_to_calls(pt, instances[0], 0, &n);
    assert_int_equal(n, p->functions.n);
    assert_int_equal(pv_points_to_function_of(pt, all[n - 1]), n - 1);
    expect("one: t1 = *(i32 *)a: {unknown, anything}");
  }
}

/* Without copies all calls of models share one context. */
static void contexts_are_bounded(void **state) {
  (void)state;
  load(threads);
  struct pv_points_to_options o = pv_points_to_defaults(p);
  o.edges = 0;
  analyse(&o);
  assert_true(pv_points_to_complete(pt));
  expect("one: t1 = *(i32 *)a: {main.x, main.y}");
  uint32_t two = function("two"), n;
  const uint32_t *objects = pv_points_to_heap(pt, two, edge(two, PV_OP_CALL, 0), &n);
  assert_int_equal(n, 1);
  assert_true(pv_points_to_escapes(pt, objects[0]));
}

/* Initial values are not followed by recursion. */
static void long_chains_of_globals(void **state) {
  (void)state;
  enum { LENGTH = 20000 };
  struct pv_str text = {0};
  pv_str_add(&text, "struct node { struct node *next; } n0;\n");
  for (int i = 1; i < LENGTH; i++) pv_str_addf(&text, "struct node n%d = {&n%d};\n", i, i - 1);
  pv_str_addf(&text, "int main(void) { struct node *n = &n%d; while (n->next) n = n->next; }\n",
              LENGTH - 1);
  load(pv_str_cstr(&text));
  pv_str_free(&text);
  pt = pv_points_to_new(p, NULL);
  assert_true(pv_points_to_complete(pt));
  uint64_t *set = pv_alloc(pv_points_to_words(pt) * sizeof *set);
  uint32_t main_ = function("main"), n;
  pv_points_to_address(pt, main_, p->functions.at[main_].edges.at[edge(main_, PV_OP_LOAD, 0)].e[0],
                       set);
  uint32_t first = pv_points_to_global(pt, global("n0"), &n)[0];
  assert_true(set[first / 64] >> first % 64 & 1);
  free(set);
}

static void the_same_every_time(void **state) {
  (void)state;
  load(threads);
  analyse(NULL);
  char *first = pv_strdup(pv_str_cstr(&dump));
  analyse(NULL);
  assert_string_equal(first, pv_str_cstr(&dump));
  free(first);
}

#define TEST(F) cmocka_unit_test_teardown(F, tear_down)

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(heap_objects_are_told_apart_by_the_caller),
      TEST(pointers_travel_through_memory_of_any_type),
      TEST(arithmetic_keeps_to_its_objects),
      TEST(arbitrary_pointers_are_unknown),
      TEST(calls_follow_tables),
      TEST(models_do_not_mix_their_callers),
      TEST(threads_share_what_they_are_given),
      TEST(atomics_move_pointers),
      TEST(freed_addresses_come_back),
      TEST(limits_give_the_trivial_answer),
      TEST(contexts_are_bounded),
      TEST(long_chains_of_globals),
      TEST(the_same_every_time),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
