/* places_test.c -- the order of program points goes back once on each loop, at the lowest price,
 * and nowhere else. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "analysis/places.h"
#include "frontend/frontend.h"
#include "sched/sched.h"

static struct pv_program *load(const char *text) {
  char path[] = "/tmp/proviso-places-XXXXXX.c";
  struct pv_options o;
  struct pv_program *p = NULL;
  struct pv_str message = {0};
  int file = mkstemps(path, 2);
  assert_true(file >= 0);
  assert_int_equal(write(file, text, strlen(text)), (long)strlen(text));
  close(file);
  pv_options_init(&o);
  pv_vec_push(&o.files, pv_strdup(path));
  assert_int_equal(pv_load(&o, &pv_sched_pthread, &p, &message), PV_OK);
  pv_options_free(&o);
  pv_str_free(&message);
  unlink(path);
  return p;
}

static uint32_t function_named(const struct pv_program *p, const char *name) {
  uint32_t f = 0;
  while (strcmp(p->functions.at[f].name, name) != 0) f++;
  return f;
}

/* Lists the edges of the function that go back, by their call or operation, in the order of
 * edges. */
static void backward(const struct pv_program *p, const char *name, struct pv_str *out) {
  struct pv_places *places = pv_places_new(p);
  uint32_t index = function_named(p, name);
  const struct pv_function *f = &p->functions.at[index];
  out->n = 0;
  pv_str_add(out, "");
  for (uint32_t i = 0; i < f->edges.n; i++) {
    const struct pv_edge *e = &f->edges.at[i];
    if (pv_place(places, index, e->to) > pv_place(places, index, e->from)) continue;
    if (e->op == PV_OP_RETURN || e->op == PV_OP_STOP) continue; /* lead nowhere */
    pv_str_addf(out, "%s ",
                e->op == PV_OP_CALL   ? p->functions.at[e->callee].name
                : e->op == PV_OP_PRIM ? p->prims.at[e->aux].name
                                      : pv_op_names[e->op]);
  }
  pv_places_free(places);
}

static void expect(const char *text, const char *edges) {
  struct pv_program *p = load(text);
  struct pv_str got = {0};
  backward(p, "f", &got);
  assert_string_equal(pv_str_cstr(&got), edges);
  pv_str_free(&got);
  pv_program_free(p);
}

#define HEAD                                                                                       \
  "#include <pthread.h>\n#include <semaphore.h>\n#include <stdatomic.h>\n"                         \
  "pthread_mutex_t m; sem_t s, t; atomic_int a; int g;\n"

static void straight_code_goes_forward(void **state) {
  (void)state;
  expect(HEAD "void f(int n) { if (n) g = 1; else a = 2; g = 3; }\nint main(void) { f(1); }", "");
}

static void loops_go_back_where_threads_meet(void **state) {
  (void)state;
  expect(HEAD "void f(void) { for (;;) { pthread_mutex_lock(&m); g++; pthread_mutex_unlock(&m); } }"
              "\nint main(void) { f(); }",
         "pthread_mutex_lock ");
  expect(HEAD "void f(void) { for (;;) { sem_post(&s); sem_wait(&t); } }\nint main(void) { f(); }",
         "sem_wait ");
  expect(HEAD "void f(void) { for (;;) { sem_post(&s); a = 1; } }\nint main(void) { f(); }",
         "STORE ");
}

/* Every loop is cut, one after the other, and where it is cheapest. */
static void nested_loops(void **state) {
  (void)state;
  expect(HEAD "void f(void) { for (;;) { while (a) sem_post(&s); sem_post(&t); } }"
              "\nint main(void) { f(); }",
         "LOAD ");
  expect(HEAD "void f(void) { for (;;) { sem_wait(&s); while (a) sem_post(&s); } }"
              "\nint main(void) { f(); }",
         "sem_wait LOAD ");
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(straight_code_goes_forward),
                                     cmocka_unit_test(loops_go_back_where_threads_meet),
                                     cmocka_unit_test(nested_loops)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
