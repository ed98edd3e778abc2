/* The analysis of observer automata: its states follow the woven stores, a branch on the
 * automaton's state has one successor, and different automaton states are kept apart. */
#include "cpa/cpa_test.h"
#include "cpa/observer.h"
#include "observer/observer.h"

static const char *const program = "extern int __VERIFIER_nondet_int(void);\n"
                                   "static void lock(void) {}\n"
                                   "static void unlock(void) {}\n"
                                   "int main(void) {\n"
                                   "  if (__VERIFIER_nondet_int()) lock();\n"
                                   "  unlock();\n"
                                   "}\n";
static const char *const automata =
    "AUTOMATON a INITIAL STATE free;\n"
    "STATE taken : MATCH {unlock()} -> GOTO free;\n"
    "STATE free : MATCH {lock()} -> GOTO taken; MATCH {unlock()} -> ERROR;\n"
    "END AUTOMATON\n"
    "AUTOMATON b INITIAL STATE one; STATE one : MATCH {unlock()} -> GOTO two; STATE two :\n"
    "END AUTOMATON\n";
enum { FREE = 0, TAKEN = 1, FAILED = 2 }; /* as they are met: `free` first */

static struct pv_checked c;
static struct pv_analysis_context g;

static int begin(void **state) {
  struct pv_result r = {0};
  struct pv_str err = {0};
  pv_automata a = {0};
  (void)state;
  pv_checked_init(&c);
  pv_checked_option(&c, "observer", "given");
  pv_checked_read(&c, program);
  if (pv_automata_parse("f.spc", automata, strlen(automata), &a, &err) != PV_OK ||
      pv_observer_weave(c.program, &a, &err) != PV_OK)
    fail_msg("%s", err.at);
  pv_automata_free(&a);
  pv_checked_begin(&c);
  assert_true(pv_context_new(&g, &c.task, &r));
  return 0;
}

static int end(void **state) {
  (void)state;
  pv_context_free(&g);
  pv_checked_free(&c);
  return 0;
}

/* All paths through the program, with the states of both automata. */
struct seen {
  struct pv_observers *o;
  const struct pv_analysis *a;
  bool pairs[4][2];         /* states that occur together */
  uint32_t dispatches, cut; /* ways of a dispatch: made, and not made */
  uint32_t ends;
  struct pv_map known; /* points with states: models have loops */
};

static void follow(struct seen *s, const void *state, struct pv_point at) {
  pv_moves moves = {0};
  bool is_new;
  struct {
    const void *state;
    struct pv_point at;
  } key = {state, at};
  pv_map_put(&s->known, &key, sizeof key, 1, &is_new);
  if (!is_new) return;
  s->pairs[pv_observers_state(s->o, state, 0)][pv_observers_state(s->o, state, 1)] = true;
  pv_control_moves(g.control, at, &moves);
  for (uint32_t i = 0; i < moves.n; i++) {
    struct pv_post post = {0};
    const struct pv_edge *e = pv_move_edge(g.control, &moves.at[i]);
    s->a->transfer(s->a->self, state, &moves.at[i], &post);
    assert_int_equal(post.n_events, 0);
    bool dispatch = e->op == PV_OP_ASSUME && e->aux;
    s->dispatches += dispatch;
    s->cut += dispatch && !post.state;
    enum pv_move_kind kind = moves.at[i].kind;
    bool goes_on = kind == PV_MOVE_STEP || kind == PV_MOVE_CALL || kind == PV_MOVE_RETURN;
    assert_true(dispatch || goes_on == (post.state != NULL));
    s->ends += kind == PV_MOVE_END;
    if (post.state) follow(s, post.state, moves.at[i].to);
  }
  pv_vec_free(&moves);
}

static void test_states(void **state) {
  struct seen s = {.o = pv_observers_new(c.program, g.control)};
  (void)state;
  s.a = pv_observers_analysis(s.o);
  const void *first = s.a->initial(s.a->self);
  assert_int_equal(pv_observers_state(s.o, first, 0), FREE);
  assert_int_equal(pv_observers_state(s.o, first, 1), 0);
  follow(&s, first, pv_control_start(g.control));
  assert_true(s.pairs[FREE][0] && s.pairs[TAKEN][0] && s.pairs[FREE][1]);
  assert_true(s.pairs[FAILED][0] && s.pairs[FAILED][1]);
  assert_false(s.pairs[TAKEN][1]); /* unlock moves both */
  assert_int_equal(s.cut * 2, s.dispatches);
  assert_true(s.cut > 0 && s.ends > 0);
  pv_map_free(&s.known);
  pv_observers_free(s.o);
}

static void test_classes(void **state) {
  struct pv_observers *o = pv_observers_new(c.program, g.control);
  const struct pv_analysis *a = pv_observers_analysis(o);
  const void *first = a->initial(a->self), *taken = NULL;
  struct pv_point start = pv_control_start(g.control);
  (void)state;
  assert_ptr_equal(first, a->initial(a->self));
  for (uint32_t i = 0; i < c.program->functions.n; i++)
    for (uint32_t k = 0; k < c.program->functions.at[i].edges.n && !taken; k++) {
      const struct pv_edge *e = &c.program->functions.at[i].edges.at[k];
      if (e->op != PV_OP_STORE || strcmp(c.program->functions.at[i].name, "main") != 0) continue;
      if (pv_node(c.program, e->e[1])->lo != TAKEN) continue;
      pv_moves moves = {0}; /* of main, called by the start function */
      pv_control_moves(g.control, start, &moves);
      while (moves.at[0].kind != PV_MOVE_CALL) {
        struct pv_point next = moves.at[0].to;
        moves.n = 0;
        pv_control_moves(g.control, next, &moves);
      }
      struct pv_move m = {.kind = PV_MOVE_STEP, .frame = moves.at[0].to.frame, .edge = k};
      struct pv_post post = {0};
      a->transfer(a->self, first, &m, &post);
      taken = post.state;
      pv_vec_free(&moves);
    }
  assert_non_null(taken);
  assert_true(a->covers(a->self, first, first));
  assert_false(a->covers(a->self, taken, first));
  assert_true(a->class_of(a->self, taken, start) != a->class_of(a->self, first, start));
  assert_null(a->merge);
  /* As a formula, the two exclude each other. */
  pv_term both = pv_smt_mk2(g.smt, PV_SMT_AND, pv_observers_term(o, &g, first, NULL),
                            pv_observers_term(o, &g, taken, NULL));
  struct pv_solver *solver = pv_solver_new(g.smt);
  pv_solver_assert(solver, both);
  assert_int_equal(pv_solver_check(solver, 0, NULL), PV_SMT_UNSAT);
  pv_solver_free(solver);
  pv_observers_free(o);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_states), cmocka_unit_test(test_classes)};
  return cmocka_run_group_tests(tests, begin, end);
}
