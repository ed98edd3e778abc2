/* graph_test.c -- dominators and components against their definitions. */
#include "analysis/analysis_test.h"
#include "analysis/graph.h"

enum { GRAPHS = 400, NODES = 24 };

static struct pv_graph random_graph(uint64_t *state, uint32_t n) {
  pv_arcs arcs = {0};
  uint32_t m = pv_test_random(state, 3 * n);
  for (uint32_t i = 0; i < m; i++) {
    struct pv_arc arc = {pv_test_random(state, n), pv_test_random(state, n)};
    pv_vec_push(&arcs, arc);
  }
  struct pv_graph g = pv_graph_new(n, &arcs);
  pv_vec_free(&arcs);
  return g;
}

/* What `from` reaches without passing `avoid`. */
static void reach(const struct pv_graph *g, uint32_t from, uint32_t avoid, uint8_t *seen) {
  PV_VEC(uint32_t) todo = {0};
  memset(seen, 0, g->n);
  if (from != avoid) pv_vec_push(&todo, from);
  seen[from] = from != avoid;
  while (todo.n) {
    uint32_t v = pv_vec_pop(&todo);
    for (uint32_t i = g->first[v]; i < g->first[v + 1]; i++) {
      if (seen[g->to[i]] || g->to[i] == avoid) continue;
      seen[g->to[i]] = 1;
      pv_vec_push(&todo, g->to[i]);
    }
  }
  pv_vec_free(&todo);
}

static void dominators(void **state) {
  (void)state;
  uint64_t random = 1;
  for (uint32_t round = 0; round < GRAPHS; round++) {
    uint32_t n = 1 + pv_test_random(&random, NODES);
    struct pv_graph g = random_graph(&random, n), back = pv_graph_reverse(&g);
    uint32_t *idom = pv_dominators(&g, &back, 0), *times = pv_dominator_times(idom, n);
    uint8_t reached[NODES], without[NODES];
    reach(&g, 0, PV_NO_GRAPH_NODE, reached);
    assert_int_equal(idom[0], 0);
    for (uint32_t a = 0; a < n; a++) {
      reach(&g, 0, a, without);
      assert_int_equal(idom[a] != PV_NO_GRAPH_NODE, reached[a]);
      for (uint32_t b = 0; b < n && reached[a]; b++)
        if (reached[b]) assert_int_equal(pv_dominates(times, a, b), !without[b]);
      for (uint32_t b = 0; b < n && reached[a] && a; b++) { /* there is none between them */
        bool between = reached[b] && b != a && pv_dominates(times, b, a);
        if (between) assert_true(pv_dominates(times, b, idom[a]));
      }
    }
    free(idom);
    free(times);
    pv_graph_free(&g);
    pv_graph_free(&back);
  }
}

static void components(void **state) {
  (void)state;
  uint64_t random = 2;
  for (uint32_t round = 0; round < GRAPHS; round++) {
    uint32_t n = 1 + pv_test_random(&random, NODES), count;
    struct pv_graph g = random_graph(&random, n);
    uint32_t *component = pv_components(&g, &count);
    uint8_t reached[NODES][NODES];
    for (uint32_t v = 0; v < n; v++) reach(&g, v, PV_NO_GRAPH_NODE, reached[v]);
    for (uint32_t a = 0; a < n; a++)
      for (uint32_t b = 0; b < n; b++) {
        assert_int_equal(component[a] == component[b], reached[a][b] && reached[b][a]);
        if (reached[a][b]) assert_true(component[b] <= component[a]);
        assert_true(component[a] < count);
      }
    free(component);
    pv_graph_free(&g);
  }
}

/* A path of a million nodes: no recursion, nothing quadratic. */
static void long_path(void **state) {
  (void)state;
  enum { LENGTH = 1000000 };
  pv_arcs arcs = {0};
  for (uint32_t v = 0; v + 1 < LENGTH; v++) {
    struct pv_arc on = {v, v + 1}, home = {v, LENGTH - 1};
    pv_vec_push(&arcs, on);
    if (v % 3 == 0) pv_vec_push(&arcs, home);
  }
  struct pv_graph g = pv_graph_new(LENGTH, &arcs), back = pv_graph_reverse(&g);
  uint32_t *idom = pv_dominators(&g, &back, 0), count, *component = pv_components(&g, &count);
  assert_int_equal(idom[LENGTH / 2], LENGTH / 2 - 1);
  assert_int_equal(idom[LENGTH - 1], 0);
  assert_int_equal(count, LENGTH);
  free(idom);
  free(component);
  pv_vec_free(&arcs);
  pv_graph_free(&g);
  pv_graph_free(&back);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(dominators), cmocka_unit_test(components),
                                     cmocka_unit_test(long_path)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
