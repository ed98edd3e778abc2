/* offsets_test.c -- where pointers point in objects, of small C programs. That the sets cover what
 * happens is tested in vm/analyses_soundness_test.c. */
#include "analysis/analysis_test.h"
#include "analysis/offsets.h"

static struct pv_program *p;
static struct pv_points_to *pt;
static struct pv_offsets *offsets;

static int tear_down(void **state) {
  (void)state;
  pv_offsets_free(offsets);
  pv_points_to_free(pt);
  pv_program_free(p);
  offsets = NULL;
  pt = NULL;
  p = NULL;
  return 0;
}

static void load(const char *text) {
  p = pv_test_load(text);
  struct pv_points_to_options o = pv_points_to_defaults(p);
  o.reuse = false;
  pt = pv_points_to_new(p, &o);
  offsets = pv_offsets_new(p, pt);
}

/* What the address of the store `line` in the function may be: "g+8", "g+0/16" with a stride. */
static void expect(const char *function, const char *store, const char *wanted) {
  uint32_t f = pv_test_function(p, function), edge = pv_test_edge(p, f, store);
  pv_targets targets = {0};
  struct pv_str found = {0};
  if (!pv_offsets_of(offsets, f, p->functions.at[f].edges.at[edge].e[0], &targets))
    pv_str_add(&found, "unknown");
  for (uint32_t i = 0; i < targets.n; i++) {
    if (found.n) pv_str_addc(&found, ' ');
    pv_points_to_name(pt, targets.at[i].object, &found);
    pv_str_addf(&found, "+%lld", (long long)targets.at[i].offset);
    if (targets.at[i].stride) pv_str_addf(&found, "/%u", targets.at[i].stride);
  }
  assert_string_equal(pv_str_cstr(&found), wanted);
  pv_str_free(&found);
  pv_vec_free(&targets);
}

static void fields_are_told_apart(void **state) {
  (void)state;
  load("struct part { long a, b; };\n"
       "struct whole { char name[16]; struct part x, y; int *at; } g;\n"
       "int n;\n"
       "static void set(struct part *q) { q->b = 1; }\n"
       "static void all(struct whole *w) { set(&w->x); set(&w->y); *w->at = 2; }\n"
       "int main(void) { g.at = &n; all(&g); return 0; }");
  expect("set", "q->b = 1", "g+24 g+40");
  expect("all", "*(i32 *)t1 = 2", "n+0");
}

static void an_index_leaves_a_stride(void **state) {
  (void)state;
  load("struct row { int *to; int *through; } table[8];\n"
       "int x, y;\n"
       "int main(int argc, char **argv) {\n"
       "  table[argc & 7].to = &x;\n"
       "  table[argc & 3].through = &y;\n"
       "  int *p = table[(argc + 1) & 7].through;\n"
       "  if (p) *p = 3;\n"
       "  return argv == 0; }");
  expect("main", "*p = 3", "y+0");
}

static void a_pointer_that_walks_has_a_stride(void **state) {
  (void)state;
  load("struct { int key, value; } a[200];\n"
       "int main(void) {\n"
       "  for (int *p = &a[0].value; p < &a[199].value; p += 2) *p = 4;\n"
       "  return 0; }");
  expect("main", "*p = 4", "a+4/8");
}

static void parts_of_addresses_lie_anywhere(void **state) {
  (void)state;
  load("#include <stdint.h>\n"
       "int a[4], b[4];\n"
       "int main(void) {\n"
       "  uintptr_t n = (uintptr_t)(a + 1);\n"
       "  int *p = (int *)(n ^ 4), *q = (int *)((uintptr_t)(b + 1) + 4);\n"
       "  *p = 5; *q = 6; return 0; }");
  expect("main", "*p = 5", "a+0/1");
  expect("main", "*q = 6", "b+8");
}

static void copies_keep_the_place(void **state) {
  (void)state;
  load("#include <string.h>\n"
       "struct pair { int *first, *second; } from, to;\n"
       "int x, y;\n"
       "int main(void) {\n"
       "  from.first = &x; from.second = &y;\n"
       "  memcpy(&to, &from, sizeof to);\n"
       "  *to.second = 7;\n"
       "  return 0; }");
  expect("main", "*(i32 *)t1 = 7", "y+0");
}

/* Two objects in g, each with a table of functions of its own. */
#define TWO_CLASSES                                                                                \
  "struct base; struct table { void (*set)(struct base *); };\n"                                   \
  "struct base { const struct table *table; int n; };\n"                                           \
  "static void one(struct base *b) { b->n = 1; }\n"                                                \
  "static void two(struct base *b) { b->n = 2; }\n"                                                \
  "static const struct table ones = {one}, twos = {two};\n"                                        \
  "struct { long before; struct base x, y; } g = {0, {&ones, 0}, {&twos, 0}};\n"

static void virtual_calls_get_their_own_objects(void **state) {
  (void)state;
  load(TWO_CLASSES "static void call(struct base *b) { b->table->set(b); }\n"
                   "int main(void) { call(&g.x); call(&g.y); return 0; }");
  expect("one", "b->n = 1", "g+16");
  expect("two", "b->n = 2", "g+32");
}

/* The function is of the first object's table, and is called with the second one, too. */
static void a_table_read_earlier_is_of_another_object(void **state) {
  (void)state;
  load(TWO_CLASSES "static struct base *next(int i) { return i ? &g.y : &g.x; }\n"
                   "int main(void) {\n"
                   "  void (*f)(struct base *);\n"
                   "  for (int i = 0; i < 2; i++) {\n"
                   "    struct base *b = next(i);\n"
                   "    if (i == 0) f = b->table->set;\n"
                   "    f(b);\n"
                   "  }\n"
                   "  return 0; }");
  expect("one", "b->n = 1", "g+32 g+16");
}

static void atomic_arithmetic_forgets_the_place(void **state) {
  (void)state;
  load("#include <stdatomic.h>\n"
       "int a[8]; _Atomic(int *) at = a, other;\n"
       "int main(void) {\n"
       "  atomic_fetch_add(&at, 2);\n"
       "  int *p = at; *p = 8;\n"
       "  int *q = atomic_exchange(&other, a + 3); if (q) *q = 9;\n"
       "  q = other; if (q) *q = 10;\n"
       "  return 0; }");
  expect("main", "*p = 8", "a+0/1");
  expect("main", "*q = 10", "a+12");
}

#define TEST(F) cmocka_unit_test_teardown(F, tear_down)

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(fields_are_told_apart),
      TEST(an_index_leaves_a_stride),
      TEST(a_pointer_that_walks_has_a_stride),
      TEST(parts_of_addresses_lie_anywhere),
      TEST(copies_keep_the_place),
      TEST(virtual_calls_get_their_own_objects),
      TEST(a_table_read_earlier_is_of_another_object),
      TEST(atomic_arithmetic_forgets_the_place),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
