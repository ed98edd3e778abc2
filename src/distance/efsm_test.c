/* efsm_test.c -- the bounded graph of Figure 1, and the relation of FSM, EFSM and e-FCA. */
#include "distance/distance_test.h"
#include "distance/efsm.h"
#include "distance/fsm.h"

/* Figure 1: with k = 1 the graph has the nodes q0 .. q12, and from q0, the start of main, the
 * distance is 7, since g's end leads to both activations of f; from q3, in g, the stack makes it
 * right. */
static void figure_1(void **state) {
  (void)state;
  uint32_t error;
  struct pv_dgraph *g = pv_test_figure_1(&error);
  const struct pv_place_of q0[] = {{M, 0}}, q3[] = {{G, 0}, {F, 1}, {X, 1}, {M, 1}};
  static const uint32_t nodes[] = {11, 13, 15, 15}, from_start[] = {7, 7, 14, 14};
  struct pv_fca *fca = pv_fca_new(g, &error, 1);
  for (unsigned k = 0; k < 4; k++) {
    struct pv_efsm *e;
    assert_int_equal(pv_efsm_new(g, &error, 1, k, PV_EFSM_NODES, NULL, &e), PV_OK);
    assert_int_equal(pv_efsm_complete(e, NULL), PV_LIMIT_NONE);
    assert_int_equal(pv_efsm_stack(e, q0, 1).error, from_start[k]);
    assert_int_equal(pv_efsm_nodes(e), nodes[k]);
    /* g1, g2, f2, x2, m2: four steps, then 7 to the error */
    assert_int_equal(pv_efsm_stack(e, q3, 4).error, 4 + 7);
    assert_int_equal(pv_efsm_at(e, q3, 4, 0).error, NONE);
    assert_int_equal(pv_efsm_at(e, q3, 4, 0).end, 1);
    pv_efsm_free(e);
  }
  assert_int_equal(pv_fca_stack(fca, q0, 1).error, 14);
  assert_int_equal(pv_fca_stack(fca, q3, 4).error, 11);
  struct pv_fsm *fsm = pv_fsm_new(g, &error, 1);
  assert_int_equal(pv_fsm_at(fsm, M, 0).error, 7);
  assert_int_equal(pv_fsm_at(fsm, G, 0).error, 4);
  pv_fsm_free(fsm);
  pv_fca_free(fca);
  pv_dgraph_free(g);
}

/* A tower of functions, each calling the next one twice: contexts double with each level of k. */
static void too_large(void **state) {
  (void)state;
  struct pv_dgraph *g = pv_dgraph_new(1);
  for (uint32_t f = 0; f < 16; f++) pv_dgraph_function(g, 3, 0, 2);
  g->root = 0;
  for (uint32_t f = 0; f < 16; f++)
    for (uint32_t i = 0; i < 2; i++) {
      uint32_t next = f + 1;
      pv_dgraph_call(g, f, i, i + 1, 1, &next, f < 15);
    }
  pv_dgraph_finish(g);
  uint32_t error = g->n - 1, before = 0;
  for (unsigned k = 0; k < 12; k++) {
    struct pv_efsm *e;
    enum pv_status status = pv_efsm_new(g, &error, 1, k, 10000, NULL, &e);
    if (k < 8) {
      assert_int_equal(status, PV_OK);
      assert_true(pv_efsm_nodes(e) > before + before / 2);
      before = pv_efsm_nodes(e);
    } else if (k > 9) {
      assert_int_equal(status, PV_E_LIMIT);
      assert_null(e);
    }
    pv_efsm_free(e);
  }
  struct pv_fca *f = pv_fca_new(g, &error, 1);
  assert_int_equal(pv_fca_at(f, 15, 0).end, 2);
  assert_int_equal(pv_fca_at(f, 14, 0).end, 2 * (2 + 2));
  pv_fca_free(f);
  pv_dgraph_free(g);
}

/* Shortest paths on the supergraph, edge by edge until nothing changes. */
static void relax(const struct pv_dgraph *g, uint32_t *d, bool *changed, uint32_t from, uint32_t to,
                  uint32_t cost) {
  (void)g;
  uint32_t by = pv_distance_add(d[to], cost);
  if (by >= d[from]) return;
  d[from] = by;
  *changed = true;
}

static uint32_t *supergraph(const struct pv_test_graph *t) {
  const struct pv_dgraph *g = t->g;
  uint32_t *d = pv_alloc((g->n + 1) * sizeof *d);
  memset(d, 0xff, (g->n + 1) * sizeof *d);
  for (uint32_t i = 0; i < t->n_errors; i++) d[t->errors[i]] = 0;
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t i = 0; i < g->edges.n; i++)
      if (g->edges.at[i].list == PV_DISTANCE_NONE)
        relax(g, d, &changed, g->edges.at[i].from, g->edges.at[i].to, g->edges.at[i].cost);
    for (uint32_t i = 0; i < g->calls.n; i++) {
      const struct pv_dgraph_edge *c = &g->calls.at[i];
      const struct pv_dgraph_list *l = &g->lists.at[c->list];
      for (uint32_t k = 0; k < l->n && !c->creates; k++) {
        const struct pv_dgraph_function *f = &g->functions.at[g->callees.at[l->first + k]];
        relax(g, d, &changed, c->from, f->start, c->cost);
        relax(g, d, &changed, f->end, c->to, g->leave);
      }
    }
  }
  return d;
}

static void fsm_is_shortest(void **state) {
  (void)state;
  uint64_t from, to;
  pv_test_seeds(&from, &to, 4000);
  for (uint64_t seed = from; seed <= to; seed++) {
    uint64_t random = seed * UINT64_C(0x9e3779b97f4a7c15) | 1;
    struct pv_test_graph t = pv_test_random_graph(&random, seed % 2, seed % 3 == 0);
    struct pv_fsm *f = pv_fsm_new(t.g, t.errors, t.n_errors);
    uint32_t *d = supergraph(&t);
    for (uint32_t i = 0; i < t.g->n; i++)
      if (f->error[i] != d[i])
        fail_msg("seed %lu, node %u: %u instead of %u", (unsigned long)seed, i, f->error[i], d[i]);
    free(d);
    pv_fsm_free(f);
    pv_dgraph_free(t.g);
  }
}

/* FSM <= EFSM(0) <= EFSM(1) <= ... <= e-FCA for each stack; with all return places known, and
 * without recursion, EFSM equals e-FCA. */
static void chain(void **state) {
  (void)state;
  enum { MOST = 6 };
  uint64_t from, to;
  uint32_t rises[MOST + 2] = {0};
  pv_test_seeds(&from, &to, 4000);
  for (uint64_t seed = from; seed <= to; seed++) {
    uint64_t random = seed * UINT64_C(0x9e3779b97f4a7c15) | 1;
    bool recurs = seed % 2;
    struct pv_test_graph t = pv_test_random_graph(&random, recurs, seed % 3 == 0);
    struct pv_fca *fca = pv_fca_new(t.g, t.errors, t.n_errors);
    struct pv_fsm *fsm = pv_fsm_new(t.g, t.errors, t.n_errors);
    struct pv_efsm *e[MOST + 1];
    for (unsigned k = 0; k <= MOST; k++)
      assert_int_equal(pv_efsm_new(t.g, t.errors, t.n_errors, k, PV_EFSM_NODES, NULL, &e[k]),
                       PV_OK);
    for (unsigned i = 0; i < 6; i++) {
      struct pv_place_of stack[8];
      uint32_t n = pv_test_random_stack(t.g, &random, stack, 8);
      struct pv_estimate chain[MOST + 3];
      chain[0] = pv_fsm_at(fsm, stack[0].function, stack[0].loc);
      for (unsigned k = 0; k <= MOST; k++) chain[k + 1] = pv_efsm_stack(e[k], stack, n);
      chain[MOST + 2] = pv_fca_stack(fca, stack, n);
      for (unsigned k = 0; k < MOST + 2; k++) {
        if (chain[k].error > chain[k + 1].error || chain[k].create > chain[k + 1].create)
          fail_msg("seed %lu: %u %u, then %u %u, at %u", (unsigned long)seed, chain[k].error,
                   chain[k].create, chain[k + 1].error, chain[k + 1].create, k);
        rises[k] += chain[k].error < chain[k + 1].error;
      }
      if (!recurs) assert_int_equal(chain[MOST + 1].error, chain[MOST + 2].error);
      if (!recurs) assert_int_equal(chain[MOST + 1].create, chain[MOST + 2].create);
    }
    for (unsigned k = 0; k <= MOST; k++) pv_efsm_free(e[k]);
    pv_fsm_free(fsm);
    pv_fca_free(fca);
    pv_dgraph_free(t.g);
  }
  if (to - from > 1000) assert_true(rises[0] > 20 && rises[1] > 20 && rises[2] > 20);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(figure_1),
      cmocka_unit_test(too_large),
      cmocka_unit_test(fsm_is_shortest),
      cmocka_unit_test(chain),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
