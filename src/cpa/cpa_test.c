/* The reached-set algorithm with toy analyses: what it reaches, merges, covers, removes and reaches
 * again. */
#include "cpa/cpa_test.h"

static const char *const text = "extern int __VERIFIER_nondet_int(void);\n"
                                "static int f(int x) { return x > 3 ? 1 : 2; }\n"
                                "int main(void) {\n"
                                "  int n = __VERIFIER_nondet_int(), s = 0;\n"
                                "  for (int i = 0; i < n; i++) {\n"
                                "    if (i & 1) s += f(i); else s++;\n"
                                "  }\n"
                                "  return f(s);\n"
                                "}\n";

/* A toy state is the number of moves so far, at most `most`, as a pointer; [k] represents the runs
 * of at most k moves, and of any number if it is `most`. */
struct toy {
  struct pv_analysis analysis;
  uintptr_t most;
  bool merges, classes;
  uint32_t bottom_at; /* no successor from this number on; 0: never. Not monotone */
  uint32_t blocked;   /* 1 + the edge that leads nowhere; 0: none */
  struct pv_sym_event event;
  uint32_t event_at; /* at moves from this number, 0: none */
};

static uintptr_t number(const void *state) {
  return (uintptr_t)state - 1;
}
static const void *state_of(uintptr_t n) {
  return (const void *)(n + 1);
}
static const void *initial(void *self) {
  (void)self;
  return state_of(0);
}
static void transfer(void *self, const void *state, const struct pv_move *move,
                     struct pv_post *out) {
  struct toy *t = self;
  uintptr_t n = number(state);
  if (t->blocked == 1 + move->edge) return;
  if (t->event_at && n == t->event_at) {
    out->events = &t->event;
    out->n_events = 1;
  }
  if (t->bottom_at && n >= t->bottom_at) return;
  out->state = state_of(n < t->most ? n + 1 : n);
}
static const void *merge(void *self, const void *fresh, const void *reached, struct pv_point at) {
  (void)self;
  (void)at;
  return number(fresh) > number(reached) ? fresh : reached;
}
static bool covers(void *self, const void *fresh, const void *reached) {
  (void)self;
  return number(fresh) <= number(reached);
}
static uint64_t class_of(void *self, const void *state, struct pv_point at) {
  (void)at;
  (void)self;
  return number(state) % 2;
}

static void toy_init(struct toy *t, uintptr_t most, bool merges, bool classes) {
  *t = (struct toy){.most = most};
  t->analysis = (struct pv_analysis){.name = "toy",
                                     .self = t,
                                     .initial = initial,
                                     .transfer = transfer,
                                     .merge = merges ? merge : NULL,
                                     .covers = covers,
                                     .class_of = classes ? class_of : NULL};
}

struct run {
  struct pv_checked c;
  struct pv_points_to *pt;
  struct pv_control *control;
  struct pv_cpa *cpa;
  uint32_t n;
};

static void begin(struct run *r, uint32_t n, struct toy *toys) {
  const struct pv_analysis *parts[PV_CPA_PARTS];
  pv_checked_load(&r->c, text, "unreach-call");
  r->pt = pv_points_to_new(r->c.program, NULL);
  r->control = pv_control_new(r->c.program, r->pt, 4);
  for (uint32_t i = 0; i < n; i++) parts[i] = &toys[i].analysis;
  r->cpa = pv_cpa_new(r->control, parts, n, &r->c.options.limits);
  r->n = n;
}
static void end(struct run *r) {
  pv_cpa_free(r->cpa);
  pv_control_free(r->control);
  pv_points_to_free(r->pt);
  pv_checked_free(&r->c);
}
static bool go_on(void *user, uint32_t node, const struct pv_move *move,
                  const struct pv_sym_event *event) {
  (void)node;
  (void)move;
  (void)event;
  ++*(uint32_t *)user;
  return true;
}
static bool stop(void *user, uint32_t node, const struct pv_move *move,
                 const struct pv_sym_event *event) {
  go_on(user, node, move, event);
  return false;
}
static void finish(struct run *r) {
  uint32_t events = 0;
  assert_int_equal(pv_cpa_run(r->cpa, go_on, &events), PV_CPA_FIXPOINT);
}

static bool contains(const struct run *r, const struct pv_composite *fresh,
                     const struct pv_composite *reached, struct toy *toys) {
  if (!pv_point_eq(fresh->at, reached->at)) return false;
  for (uint32_t i = 0; i < r->n; i++)
    if (!covers(&toys[i], fresh->part[i], reached->part[i])) return false;
  return true;
}

/* Checks the fixed point: it contains the initial state, and every successor of an active node is
 * covered by an active node; covered nodes are within those that cover them. */
static void assert_fixpoint(struct run *r, struct toy *toys) {
  struct pv_composite first = {.at = pv_control_start(r->control)};
  bool found = false;
  for (uint32_t i = 0; i < r->n; i++) first.part[i] = initial(NULL);
  for (uint32_t i = 0; i < pv_cpa_nodes(r->cpa); i++) {
    const struct pv_node *n = pv_cpa_node(r->cpa, i);
    if (n->removed) continue;
    assert_false(n->waiting);
    assert_true(n->expanded || n->covered_by != PV_NO_NODE);
    found |= contains(r, &first, &n->state, toys);
    if (n->covered_by != PV_NO_NODE) {
      const struct pv_node *by = pv_cpa_node(r->cpa, n->covered_by);
      assert_false(by->removed);
      assert_true(contains(r, &n->state, &by->state, toys));
      bool listed = false;
      for (uint32_t k = 0; k < by->covered.n; k++) listed |= by->covered.at[k] == i;
      assert_true(listed);
      continue;
    }
    pv_moves moves = {0};
    pv_control_moves(r->control, n->state.at, &moves);
    for (uint32_t m = 0; m < moves.n; m++) {
      if (moves.at[m].kind > PV_MOVE_RETURN) continue;
      struct pv_composite next = {.at = moves.at[m].to};
      bool bottom = false, in = false;
      for (uint32_t p = 0; p < r->n; p++) {
        struct pv_post post = {0};
        transfer(&toys[p], n->state.part[p], &moves.at[m], &post);
        next.part[p] = post.state;
        bottom |= !post.state;
      }
      for (uint32_t k = 0; !bottom && k < n->children.n; k++) {
        const struct pv_arg_edge *e = &n->children.at[k];
        if (e->move.edge != moves.at[m].edge) continue;
        const struct pv_node *child = pv_cpa_node(r->cpa, e->node);
        assert_false(child->removed);
        in |= contains(r, &next, &child->state, toys);
        bool up = false;
        for (uint32_t u = 0; u < child->parents.n; u++) up |= child->parents.at[u].node == i;
        assert_true(up);
      }
      assert_true(bottom || in);
    }
    pv_vec_free(&moves);
  }
  assert_true(found);
}

static uint32_t alive(const struct run *r) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < pv_cpa_nodes(r->cpa); i++) n += !pv_cpa_node(r->cpa, i)->removed;
  return n;
}

static void fixpoints_are_closed(void **state) {
  (void)state;
  for (int how = 0; how < 16; how++) {
    struct run r;
    struct toy toys[2];
    toy_init(&toys[0], 7, how & 1, how & 2);
    toy_init(&toys[1], 30, how & 4, false);
    begin(&r, how & 8 ? 2 : 1, toys);
    finish(&r);
    assert_fixpoint(&r, toys);
    /* Parts merge together, or where the others are equal: the first one soon is. */
    assert_int_equal(pv_cpa_stats(r.cpa)->merged > 0, (how & 8 ? how & 4 : how & 1) != 0);
    end(&r);
  }
}

/* Merged states leave one node a point; covering alone leaves several. */
static void merging_leaves_one_node(void **state) {
  struct run r;
  struct toy toy;
  (void)state;
  toy_init(&toy, 1000, true, false);
  begin(&r, 1, &toy);
  finish(&r);
  struct pv_map points = {0};
  for (uint32_t i = 0; i < pv_cpa_nodes(r.cpa); i++) {
    bool is_new = true;
    const struct pv_node *n = pv_cpa_node(r.cpa, i);
    if (!n->removed) pv_map_put(&points, &n->state.at, sizeof n->state.at, 0, &is_new);
    assert_true(is_new);
  }
  assert_int_equal(alive(&r), points.n);
  uint32_t merged = points.n;
  pv_map_free(&points);
  end(&r);
  toy_init(&toy, 60, false, false);
  begin(&r, 1, &toy);
  finish(&r);
  assert_fixpoint(&r, &toy);
  assert_true(alive(&r) > merged && pv_cpa_stats(r.cpa)->covered > 0);
  end(&r);
}

/* Removed parts are reached again: the points and states are the same as before. */
static void what_is_removed_is_reached_again(void **state) {
  (void)state;
  for (int merges = 0; merges < 2; merges++) {
    struct run r;
    struct toy toy;
    toy_init(&toy, 20, merges, false);
    begin(&r, 1, &toy);
    finish(&r);
    uint32_t n = pv_cpa_nodes(r.cpa), before = alive(&r);
    for (uint32_t i = 1; i < n; i += 3) {
      if (pv_cpa_node(r.cpa, i)->removed) continue;
      struct pv_composite was = pv_cpa_node(r.cpa, i)->state;
      pv_cpa_remove(r.cpa, i);
      assert_true(pv_cpa_node(r.cpa, i)->removed);
      for (uint32_t k = 0; k < pv_cpa_nodes(r.cpa); k++) { /* nothing leads to what is gone */
        const struct pv_node *x = pv_cpa_node(r.cpa, k);
        for (uint32_t e = 0; !x->removed && e < x->children.n; e++)
          assert_false(pv_cpa_node(r.cpa, x->children.at[e].node)->removed);
        assert_true(x->removed || x->covered_by == PV_NO_NODE ||
                    !pv_cpa_node(r.cpa, x->covered_by)->removed);
      }
      finish(&r);
      assert_fixpoint(&r, &toy);
      bool again = false;
      for (uint32_t k = 0; k < pv_cpa_nodes(r.cpa); k++)
        again |= !pv_cpa_node(r.cpa, k)->removed &&
                 contains(&r, &was, &pv_cpa_node(r.cpa, k)->state, &toy);
      assert_true(again);
    }
    if (merges) assert_int_equal(alive(&r), before);
    assert_true(pv_cpa_stats(r.cpa)->removed > 0);
    end(&r);
  }
}

static void an_empty_part_ends_the_path(void **state) {
  struct run r;
  struct toy toys[2];
  (void)state;
  toy_init(&toys[0], 1000, false, false);
  toy_init(&toys[1], 1000, false, false);
  toys[1].bottom_at = 12;
  begin(&r, 2, toys);
  finish(&r);
  assert_fixpoint(&r, toys);
  uintptr_t most = 0;
  for (uint32_t i = 0; i < pv_cpa_nodes(r.cpa); i++) {
    uintptr_t n = number(pv_cpa_node(r.cpa, i)->state.part[0]);
    most = n > most ? n : most;
  }
  assert_int_equal(most, 12);
  end(&r);
}

/* A handler that stops is called again; one that continues receives every event once for each
 * move. */
static void events_stop_the_run(void **state) {
  struct run r;
  struct toy toy;
  uint32_t events = 0;
  (void)state;
  toy_init(&toy, 1000, false, false);
  toy.bottom_at = 12;
  toy.event_at = 5;
  begin(&r, 1, &toy);
  for (int i = 0; i < 3; i++) assert_int_equal(pv_cpa_run(r.cpa, stop, &events), PV_CPA_EVENT);
  assert_int_equal(events, 3);
  events = 0;
  assert_int_equal(pv_cpa_run(r.cpa, go_on, &events), PV_CPA_FIXPOINT);
  assert_true(events > 0);
  assert_fixpoint(&r, &toy);
  uint32_t once = events;
  pv_cpa_restart(r.cpa);
  assert_int_equal(pv_cpa_nodes(r.cpa), 0);
  events = 0;
  assert_int_equal(pv_cpa_run(r.cpa, go_on, &events), PV_CPA_FIXPOINT);
  assert_int_equal(events, once);
  end(&r);
}

static void limits_stop_the_run(void **state) {
  struct run r;
  struct toy toy;
  uint32_t events = 0;
  (void)state;
  toy_init(&toy, 60, false, false);
  begin(&r, 1, &toy);
  r.c.options.limits.states = 7;
  assert_int_equal(pv_cpa_run(r.cpa, go_on, &events), PV_CPA_LIMIT);
  assert_int_equal(pv_cpa_stats(r.cpa)->expanded, 7);
  r.c.options.limits.states = 0;
  pv_limits_start(&r.c.options.limits);
  finish(&r);
  assert_fixpoint(&r, &toy);
  end(&r);
}

/* ---- states that are passed by -----------------------------------------------------------------
 */

static bool is_no_head(void *user, const struct pv_composite *s) {
  const struct run *r = user;
  return !pv_control_is_head(r->control, s->at);
}

/* Is every state at a head of a loop within one of the other graph? */
static bool heads_are_in(const struct run *r, const struct run *other, struct toy *toy) {
  for (uint32_t i = 0; i < pv_cpa_nodes(r->cpa); i++) {
    const struct pv_node *n = pv_cpa_node(r->cpa, i);
    bool found = n->removed || !pv_control_is_head(r->control, n->state.at);
    for (uint32_t k = 0; !found && k < pv_cpa_nodes(other->cpa); k++)
      found = !pv_cpa_node(other->cpa, k)->removed &&
              contains(r, &n->state, &pv_cpa_node(other->cpa, k)->state, toy);
    if (!found) return false;
  }
  return true;
}

/* The moves of an edge lead from one end to the other. */
static void assert_edges_lead(const struct run *r, struct toy *toy) {
  for (uint32_t i = 0; i < pv_cpa_nodes(r->cpa); i++) {
    const struct pv_node *n = pv_cpa_node(r->cpa, i);
    for (uint32_t k = 0; !n->removed && k < n->children.n; k++) {
      const struct pv_composite *to = &pv_cpa_node(r->cpa, n->children.at[k].node)->state;
      struct pv_composite at = n->state;
      pv_moves moves = {0};
      pv_cpa_moves(r->cpa, &n->children.at[k], &moves);
      for (uint32_t m = 0; m < moves.n; m++) {
        struct pv_post post = {0};
        transfer(toy, at.part[0], &moves.at[m], &post);
        at = (struct pv_composite){.at = moves.at[m].to};
        at.part[0] = post.state;
      }
      pv_vec_free(&moves);
      assert_true(pv_point_eq(at.at, to->at));
      assert_ptr_equal(at.part[0], to->part[0]);
    }
  }
}

/* With every edge blocked in turn: paths that end while they are passed by. */
static void passing_by_keeps_the_other_states(void **state) {
  uint64_t passed = 0, expanded[2] = {0};
  (void)state;
  for (uint32_t blocked = 0; blocked < 16; blocked++) {
    struct toy toy;
    struct run r[2];
    toy_init(&toy, 100, false, false);
    toy.blocked = blocked;
    for (int passes = 0; passes < 2; passes++) {
      begin(&r[passes], 1, &toy);
      if (passes) pv_cpa_pass_by(r[1].cpa, is_no_head, &r[1]);
      finish(&r[passes]);
      assert_edges_lead(&r[passes], &toy);
      expanded[passes] += pv_cpa_stats(r[passes].cpa)->expanded;
    }
    assert_true(heads_are_in(&r[0], &r[1], &toy));
    assert_true(heads_are_in(&r[1], &r[0], &toy));
    passed += pv_cpa_stats(r[1].cpa)->passed;
    for (int passes = 0; passes < 2; passes++) end(&r[passes]);
  }
  assert_true(passed > 0);
  assert_true(2 * expanded[1] < expanded[0]);
}

/* What waits when a bound is lowered gets it before it is expanded, as if it was there before. */
static void waiting_states_are_renewed(void **state) {
  struct toy toy;
  struct run r;
  uint32_t events = 0;
  (void)state;
  toy_init(&toy, 1000, false, false);
  toy.bottom_at = 40;
  toy.event_at = 20;
  begin(&r, 1, &toy);
  pv_cpa_pass_by(r.cpa, is_no_head, &r);
  pv_cpa_renew(r.cpa);
  assert_int_equal(pv_cpa_run(r.cpa, stop, &events), PV_CPA_EVENT);
  toy.most = 22;
  toy.bottom_at = toy.event_at = 0;
  for (uint32_t i = 1; i < pv_cpa_nodes(r.cpa); i++)
    if (!pv_cpa_node(r.cpa, i)->removed && pv_cpa_node(r.cpa, i)->parents.n) {
      pv_cpa_remove(r.cpa, i);
      break;
    }
  finish(&r);
  assert_edges_lead(&r, &toy);
  for (uint32_t i = 0; i < pv_cpa_nodes(r.cpa); i++)
    assert_true(pv_cpa_node(r.cpa, i)->removed ||
                number(pv_cpa_node(r.cpa, i)->state.part[0]) <= 22);
  end(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(fixpoints_are_closed),
      cmocka_unit_test(merging_leaves_one_node),
      cmocka_unit_test(what_is_removed_is_reached_again),
      cmocka_unit_test(an_empty_part_ends_the_path),
      cmocka_unit_test(events_stop_the_run),
      cmocka_unit_test(limits_stop_the_run),
      cmocka_unit_test(passing_by_keeps_the_other_states),
      cmocka_unit_test(waiting_states_are_renewed),
  };
  return cmocka_run_group_tests_name("cpa/cpa", tests, NULL, NULL);
}
