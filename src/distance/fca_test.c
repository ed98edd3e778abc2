/* fca_test.c -- the paper's worked examples, and FCA against brute force. */
#include "distance/distance_test.h"

static void same(const struct pv_fca *f, uint32_t function, uint32_t loc, uint32_t end,
                 uint32_t error) {
  assert_int_equal(pv_fca_at(f, function, loc).end, end);
  assert_int_equal(pv_fca_at(f, function, loc).error, error);
}

/* Figure 3 (b) and (d). */
static void figure_3(void **state) {
  (void)state;
  uint32_t error;
  struct pv_dgraph *g = pv_test_figure_3(&error);
  struct pv_fca *f = pv_fca_new(g, &error, 1);
  same(f, SUB, 0, 3, 1);
  same(f, SUB, 1, 2, 0);
  same(f, SUB, 2, 1, NONE);
  same(f, SUB, 3, 0, NONE);
  same(f, MAIN, 0, 2, 3);
  same(f, MAIN, 1, 6, 2);
  same(f, MAIN, 2, 1, NONE);
  same(f, MAIN, 3, 0, NONE);
  assert_false(f->creates);
  pv_fca_free(f);
  pv_dgraph_free(g);
}

/* Figure 5, and the stack of section IV: path is 4, then 5, then 5 + 7. */
static void figure_5(void **state) {
  (void)state;
  uint32_t error;
  struct pv_dgraph *g = pv_test_figure_1(&error);
  struct pv_fca *f = pv_fca_new(g, &error, 1);
  same(f, M, 0, 14, 14);
  same(f, M, 1, 7, 7);
  same(f, M, 2, 0, 0);
  same(f, X, 0, 5, NONE);
  same(f, Y, 0, 5, NONE);
  same(f, X, 1, 0, NONE);
  same(f, F, 0, 3, NONE);
  same(f, F, 1, 0, NONE);
  same(f, G, 0, 1, NONE);
  same(f, G, 1, 0, NONE);
  const struct pv_place_of stack[] = {{F, 0}, {X, 1}, {M, 1}};
  assert_int_equal(pv_distance_add(pv_fca_at(f, F, 0).end, g->leave), 4);
  assert_int_equal(4 + pv_fca_at(f, X, 1).end + g->leave, 5);
  assert_int_equal(pv_fca_stack(f, stack, 3).error, 12);
  assert_int_equal(pv_fca_stack(f, stack, 2).error, NONE);
  assert_int_equal(pv_fca_stack(f, stack, 3).create, NONE);
  struct pv_fca *again = pv_fca_new(g, NULL, 0);
  same(again, M, 0, 14, NONE);
  pv_fca_free(again);
  pv_fca_free(f);
  pv_dgraph_free(g);
}

/* even(n): if n, odd(n - 1); odd similarly. Only odd has a path without a call: the least fixed
 * point. A third function calls itself and never ends. */
static void recursion(void **state) {
  (void)state;
  enum { EVEN, ODD, NEVER, START };
  struct pv_dgraph *g = pv_dgraph_new(1);
  const uint32_t even = EVEN, odd = ODD, never = NEVER;
  pv_dgraph_function(g, 2, 0, 1);
  pv_dgraph_function(g, 3, 0, 2);
  pv_dgraph_function(g, 2, 0, 1);
  g->root = pv_dgraph_function(g, 4, 0, 3);
  pv_dgraph_call(g, EVEN, 0, 1, 1, &odd, 1);
  pv_dgraph_call(g, ODD, 0, 2, 1, &even, 1);
  pv_dgraph_edge(g, ODD, 0, 1, 1);
  pv_dgraph_edge(g, ODD, 1, 2, 1);
  pv_dgraph_call(g, NEVER, 0, 1, 1, &never, 1);
  pv_dgraph_call(g, START, 0, 1, 1, &even, 1);
  pv_dgraph_call(g, START, 1, 2, 1, &never, 1);
  pv_dgraph_edge(g, START, 2, 3, 1);
  pv_dgraph_finish(g);
  uint32_t errors[] = {pv_dgraph_node(g, NEVER, 0), pv_dgraph_node(g, START, 3)};
  struct pv_fca *f = pv_fca_new(g, errors, 2);
  same(f, ODD, 0, 2, NONE);
  same(f, EVEN, 0, 4, NONE);
  same(f, NEVER, 0, NONE, 0);
  same(f, START, 0, NONE, 4 + 2 + 1);
  same(f, START, 1, NONE, 1);
  same(f, START, 2, 1, 1);
  pv_fca_free(f);
  pv_dgraph_free(g);
}

/* A table of functions: the nearest of them, for each of the two distances by itself. */
static void several_callees(void **state) {
  (void)state;
  enum { START, SHORT, LONG };
  struct pv_dgraph *g = pv_dgraph_new(1);
  const uint32_t both[] = {SHORT, LONG};
  g->root = pv_dgraph_function(g, 3, 0, 2);
  pv_dgraph_function(g, 2, 0, 1);
  pv_dgraph_function(g, 4, 0, 3);
  pv_dgraph_call(g, START, 0, 1, 1, both, 2);
  pv_dgraph_call(g, START, 1, 2, 1, NULL, 0); /* leads nowhere that is known */
  pv_dgraph_edge(g, SHORT, 0, 1, 1);
  for (uint32_t i = 0; i < 3; i++) pv_dgraph_edge(g, LONG, i, i + 1, 1);
  pv_dgraph_finish(g);
  uint32_t error = pv_dgraph_node(g, LONG, 2);
  struct pv_fca *f = pv_fca_new(g, &error, 1);
  same(f, START, 0, 1 + 1 + 1 + 1, 1 + 2);
  same(f, START, 1, 1, NONE);
  pv_fca_free(f);
  pv_dgraph_free(g);
}

/* Edges that cost nothing, edges that cost much. */
static void costs(void **state) {
  (void)state;
  struct pv_dgraph *g = pv_dgraph_new(0);
  g->root = pv_dgraph_function(g, 5, 0, 4);
  pv_dgraph_edge(g, 0, 0, 1, 0);
  pv_dgraph_edge(g, 0, 1, 0, 0);
  pv_dgraph_edge(g, 0, 1, 2, 0);
  pv_dgraph_edge(g, 0, 2, 3, 7);
  pv_dgraph_edge(g, 0, 2, 4, PV_DISTANCE_MOST);
  pv_dgraph_edge(g, 0, 3, 4, PV_DISTANCE_MOST - 3);
  pv_dgraph_finish(g);
  uint32_t error = 3;
  struct pv_fca *f = pv_fca_new(g, &error, 1);
  same(f, 0, 0, PV_DISTANCE_MOST, 7);
  same(f, 0, 3, PV_DISTANCE_MOST - 3, 0);
  same(f, 0, 4, 0, NONE);
  pv_fca_free(f);
  pv_dgraph_free(g);
}

/* main: create(f); join. The error is in f, behind a call: nothing of main's own. */
static void creation(void **state) {
  (void)state;
  enum { START, RUN, INNER };
  struct pv_dgraph *g = pv_dgraph_new(1);
  const uint32_t run = RUN, inner = INNER;
  g->root = pv_dgraph_function(g, 3, 0, 2);
  pv_dgraph_function(g, 2, 0, 1);
  pv_dgraph_function(g, 3, 0, 2);
  pv_dgraph_edge(g, START, 0, 1, 1);
  pv_dgraph_create(g, START, 1, 2, 1, &run, 1);
  pv_dgraph_call(g, RUN, 0, 1, 1, &inner, 1);
  pv_dgraph_edge(g, INNER, 0, 1, 1);
  pv_dgraph_edge(g, INNER, 1, 2, 1);
  pv_dgraph_finish(g);
  uint32_t error = pv_dgraph_node(g, INNER, 1);
  struct pv_fca *f = pv_fca_new(g, &error, 1);
  same(f, START, 0, 2, NONE);
  same(f, START, 1, 1, NONE);
  same(f, RUN, 0, 4, 2);
  assert_int_equal(pv_fca_at(f, START, 0).create, 1 + 1 + 2);
  assert_int_equal(pv_fca_at(f, START, 1).create, 1 + 2);
  assert_int_equal(pv_fca_at(f, START, 2).create, NONE);
  assert_int_equal(pv_fca_at(f, RUN, 0).create, NONE);
  pv_fca_free(f);
  pv_dgraph_free(g);
}

/* Nodes numbered against the edges, and a long chain of functions that call each other: too much
 * for sweeps, so the search by distance is used. Function n calls n - 1 or n + 1. */
static void against_the_order(void **state) {
  (void)state;
  enum { FUNCTIONS = 30, NODES = 30 };
  struct pv_dgraph *g = pv_dgraph_new(1);
  for (uint32_t f = 0; f < FUNCTIONS; f++) pv_dgraph_function(g, NODES, NODES - 1, 0);
  g->root = 0;
  for (uint32_t f = 0; f < FUNCTIONS; f++) {
    uint32_t both[] = {f ? f - 1 : 1, f + 1 < FUNCTIONS ? f + 1 : f - 1}, last = NODES - 1;
    if (f == FUNCTIONS / 2)
      pv_dgraph_edge(g, f, last, last - 1, 1);
    else
      pv_dgraph_call(g, f, last, last - 1, 1, both, 2);
    for (uint32_t i = last - 1; i; i--) pv_dgraph_edge(g, f, i, i - 1, 1);
  }
  pv_dgraph_finish(g);
  uint32_t error = pv_dgraph_node(g, FUNCTIONS / 2, 7);
  struct pv_fca *f = pv_fca_new(g, &error, 1);
  for (uint32_t i = 0; i < FUNCTIONS; i++) {
    uint32_t away = i < FUNCTIONS / 2 ? FUNCTIONS / 2 - i : i - FUNCTIONS / 2;
    same(f, i, NODES - 1, (away + 1) * (NODES - 2) + 2 * away + 1, away + NODES - 1 - 7);
    same(f, i, 3, 3, NONE);
  }
  pv_fca_free(f);
  pv_dgraph_free(g);
}

/* Every node, and random stacks, against runs with an explicit stack. */
static void brute_force(void **state) {
  (void)state;
  uint64_t from, to;
  uint32_t finite = 0, called = 0, created = 0;
  pv_test_seeds(&from, &to, 3000);
  for (uint64_t seed = from; seed <= to; seed++) {
    uint64_t random = seed * UINT64_C(0x9e3779b97f4a7c15) | 1;
    struct pv_test_graph t = pv_test_random_graph(&random, seed % 2, seed % 3 == 0);
    struct pv_fca *f = pv_fca_new(t.g, t.errors, t.n_errors);
    for (uint32_t node = 0; node < t.g->n; node++) {
      struct pv_place_of place = pv_test_place(t.g, node);
      struct pv_distance d = pv_test_brute(&t, &place, 1);
      struct pv_distance got = pv_fca_at(f, place.function, place.loc);
      if (got.end != d.end || got.error != d.error || got.create != d.create)
        fail_msg("seed %lu, node %u: %u %u %u instead of %u %u %u", (unsigned long)seed, node,
                 got.end, got.error, got.create, d.end, d.error, d.create);
      finite += d.end != NONE && d.error != NONE;
      created += d.create != NONE;
    }
    struct pv_place_of stack[8];
    uint32_t n = pv_test_random_stack(t.g, &random, stack, 8);
    struct pv_distance d = pv_test_brute(&t, stack, n);
    struct pv_estimate e = pv_fca_stack(f, stack, n);
    if (e.error != d.error || e.create != d.create)
      fail_msg("seed %lu, stack: %u %u instead of %u %u", (unsigned long)seed, e.error, e.create,
               d.error, d.create);
    called += n > 1 && d.error != NONE;
    pv_fca_free(f);
    pv_dgraph_free(t.g);
  }
  if (to - from > 1000) assert_true(finite > 1000 && called > 100 && created > 100);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(figure_3),
      cmocka_unit_test(figure_5),
      cmocka_unit_test(recursion),
      cmocka_unit_test(several_callees),
      cmocka_unit_test(costs),
      cmocka_unit_test(creation),
      cmocka_unit_test(against_the_order),
      cmocka_unit_test(brute_force),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
