/* reaching_test.c -- definitions that reach uses on random control flow, against a search for
 * paths. */
#include "analysis/analysis_test.h"
#include "analysis/reaching.h"

enum { FLOWS = 3000, LOCATIONS = 14, THINGS = 3, EVENTS = 60, NODES = 4000 };

struct net {
  struct pv_program *p;
  const struct pv_function *f;
  pv_reaching_events events;
  uint32_t first[LOCATIONS + 3], at_entry[THINGS], n_nodes, known; /* known: all but new ones */
  pv_arcs arcs;
};

static uint32_t new_node(void *user) {
  return ((struct net *)user)->n_nodes++;
}

static void arc(void *user, uint32_t from, uint32_t to) {
  struct pv_arc a = {from, to};
  pv_vec_push(&((struct net *)user)->arcs, a);
}

static void add_event(struct net *x, uint64_t *random) {
  struct pv_reaching_event e = {pv_test_random(random, THINGS), x->n_nodes++,
                                (enum pv_event_kind)pv_test_random(random, 3)};
  pv_vec_push(&x->events, e);
}

static void make(struct net *x, uint64_t *random) {
  *x = (struct net){.p = pv_test_random_flow(random, 2 + pv_test_random(random, LOCATIONS - 1))};
  x->f = &x->p->functions.at[0];
  for (pv_loc l = 0; l < x->f->locs.n; l++) {
    x->first[l] = x->events.n;
    for (uint32_t n = pv_test_random(random, 3); n; n--) add_event(x, random);
  }
  x->first[x->f->locs.n] = x->events.n;
  for (uint32_t t = 0; t < THINGS; t++)
    x->at_entry[t] = pv_test_random(random, 2) ? x->n_nodes++ : PV_NO_GRAPH_NODE;
  x->known = x->n_nodes;
  struct pv_reaching r = {.f = x->f,
                          .n_things = THINGS,
                          .events = &x->events,
                          .first = x->first,
                          .at_entry = x->at_entry,
                          .new_node = new_node,
                          .arc = arc,
                          .user = x};
  pv_reach(&r);
}

static void drop(struct net *x) {
  pv_vec_free(&x->events);
  pv_vec_free(&x->arcs);
  pv_program_free(x->p);
}

/* ---- what arcs say ----------------------------------------------------------------------------
 */
/* The definitions that the use of an event leads to, through new nodes and partial definitions. */
static void follow(const struct net *x, uint32_t node, uint8_t *found) {
  PV_VEC(uint32_t) todo = {0};
  pv_vec_push(&todo, node);
  while (todo.n) {
    uint32_t at = pv_vec_pop(&todo);
    for (uint32_t i = 0; i < x->arcs.n; i++) {
      if (x->arcs.at[i].from != at || found[x->arcs.at[i].to]) continue;
      found[x->arcs.at[i].to] = 1;
      pv_vec_push(&todo, x->arcs.at[i].to);
    }
  }
  pv_vec_free(&todo);
}

/* ---- what ways say ----------------------------------------------------------------------------
 */
/* Searches backwards from event `at` of the location for definitions of the thing. Returns true if
 * it was defined. */
static bool back(const struct net *x, pv_loc l, uint32_t at, uint32_t thing, uint8_t *found) {
  while (at-- > x->first[l]) {
    const struct pv_reaching_event *e = &x->events.at[at];
    if (e->thing != thing || e->kind == PV_EVENT_USE) continue;
    found[e->node] = 1;
    if (e->kind == PV_EVENT_SET) return true;
  }
  return false;
}

static void search(const struct net *x, pv_loc l, uint32_t at, uint32_t thing, uint8_t *found) {
  uint8_t seen[LOCATIONS + 2] = {0};
  PV_VEC(pv_loc) todo = {0};
  if (!back(x, l, at, thing, found)) pv_vec_push(&todo, l);
  while (todo.n) {
    pv_loc to = pv_vec_pop(&todo);
    if (to == x->f->entry && x->at_entry[thing] != PV_NO_GRAPH_NODE) found[x->at_entry[thing]] = 1;
    for (uint32_t i = 0; i < x->f->edges.n; i++) {
      const struct pv_edge *e = &x->f->edges.at[i];
      if (e->to != to || e->op == PV_OP_STOP || seen[e->from]) continue;
      seen[e->from] = 1;
      if (!back(x, e->from, x->first[e->from + 1], thing, found)) pv_vec_push(&todo, e->from);
    }
  }
  pv_vec_free(&todo);
}

/* Which locations are reached other than by ends of runs? */
static void find_live(const struct net *x, uint8_t *live) {
  live[x->f->entry] = 1;
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t i = 0; i < x->f->edges.n; i++) {
      const struct pv_edge *e = &x->f->edges.at[i];
      if (!live[e->from] || e->op == PV_OP_STOP || live[e->to]) continue;
      live[e->to] = 1;
      changed = true;
    }
  }
}

static void uses_lead_to_what_reaches_them(void **state) {
  (void)state;
  uint64_t random = 5;
  uint32_t uses = 0, settings = 0;
  for (uint32_t round = 0; round < FLOWS; round++) {
    struct net x;
    make(&x, &random);
    uint8_t live[LOCATIONS + 2] = {0}, *expected = pv_alloc(NODES), *found = pv_alloc(NODES);
    find_live(&x, live);
    for (pv_loc l = 0; l < x.f->locs.n; l++)
      for (uint32_t i = x.first[l]; live[l] && i < x.first[l + 1]; i++) {
        if (x.events.at[i].kind != PV_EVENT_USE) continue;
        memset(expected, 0, NODES);
        memset(found, 0, NODES);
        search(&x, l, i, x.events.at[i].thing, expected);
        follow(&x, x.events.at[i].node, found);
        for (uint32_t k = 0; k < x.known; k++) {
          if (found[k] != expected[k]) fail_msg("round %u, node %u", round, k);
          settings += found[k];
        }
        uses++;
      }
    free(expected);
    free(found);
    drop(&x);
  }
  assert_true(uses > FLOWS && settings > uses);
}

/* The size for a long function with many things is linear: each thing is in a loop, defined in one
 * branch. */
static void size_stays_linear(void **state) {
  (void)state;
  enum { LONG = 20000 };
  struct net x = {.p = pv_program_new(64)};
  uint32_t index = pv_function_add(x.p, "f");
  struct pv_function *f = &x.p->functions.at[index];
  f->defined = true;
  for (uint32_t i = 0; i <= LONG; i++) pv_loc_add(f);
  f->exit = LONG;
  for (pv_loc l = 0; l + 2 < LONG; l++) {
    pv_vec_push(&f->edges, pv_edge_of(PV_OP_ASSUME, l, l + 1));
    pv_vec_push(&f->edges, pv_edge_of(PV_OP_ASSUME, l, l + 2));
  }
  pv_vec_push(&f->edges, pv_edge_of(PV_OP_SKIP, LONG - 2, 0));
  pv_vec_push(&f->edges, pv_edge_of(PV_OP_RETURN, LONG - 1, LONG));
  pv_function_finish(x.p, f);
  uint32_t *first = pv_alloc((f->locs.n + 2) * sizeof *first), *entry = pv_alloc(LONG * 4);
  memset(entry, 0xff, LONG * 4);
  for (pv_loc l = 0; l < f->locs.n; l++) {
    struct pv_reaching_event set = {l % LONG, x.n_nodes++, PV_EVENT_SET};
    struct pv_reaching_event use = {(l + 1) % LONG, x.n_nodes++, PV_EVENT_USE};
    first[l] = x.events.n;
    pv_vec_push(&x.events, use);
    pv_vec_push(&x.events, set);
  }
  first[f->locs.n] = x.events.n;
  struct pv_reaching r = {.f = f,
                          .n_things = LONG,
                          .events = &x.events,
                          .first = first,
                          .at_entry = entry,
                          .new_node = new_node,
                          .arc = arc,
                          .user = &x};
  pv_reach(&r);
  assert_true(x.n_nodes < 2000000 && x.arcs.n < 4000000);
  uint8_t *found = pv_alloc(x.n_nodes);
  follow(&x, x.events.at[0].node, found); /* the use of thing 1 at the first location */
  assert_true(found[x.events.at[3].node]);
  assert_false(found[x.events.at[1].node]);
  free(found);
  free(first);
  free(entry);
  drop(&x);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(uses_lead_to_what_reaches_them),
                                     cmocka_unit_test(size_stays_linear)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
