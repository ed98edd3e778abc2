/* Frames, moves, loops and the order of points, on programs whose points are all visited. */
#include "cpa/walk_test.h"

static struct pv_point from_of(const struct walked *w, const struct pv_move *m) {
  return (struct pv_point){m->frame, pv_move_edge(w->control, m)->from, 0};
}

static uint32_t frames_of(const struct walked *w, const char *function, uint32_t instance) {
  struct pv_map seen = {0};
  for (uint32_t i = 0; i < w->points.n; i++) {
    uint32_t f = w->points.at[i].frame;
    if (strcmp(pv_control_function(w->control, f)->name, function) != 0) continue;
    if (pv_control_frame(w->control, f)->instance == instance)
      pv_map_put(&seen, &f, sizeof f, 0, NULL);
  }
  uint32_t n = seen.n;
  pv_map_free(&seen);
  return n;
}

/* Of the program's own code; models and what calls main come with it. */
static bool is_own(const struct walked *w, uint32_t frame) {
  const struct pv_function *f = pv_control_function(w->control, frame);
  return !f->is_model && pv_control_frame(w->control, frame)->parent != PV_NO_FRAME;
}

static uint32_t count(const struct walked *w, enum pv_move_kind kind) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < w->moves.n; i++)
    n += w->moves.at[i].kind == kind && is_own(w, w->moves.at[i].frame);
  return n;
}

/* ---- moves ----------------------------------------------------------------------------------- */

static void assert_move(const struct walked *w, const struct pv_move *m) {
  const struct pv_edge *e = pv_move_edge(w->control, m);
  const struct pv_frame *f = pv_control_frame(w->control, m->frame);
  const struct pv_frame *to = pv_control_frame(w->control, m->to.frame);
  switch (m->kind) {
  case PV_MOVE_STEP:
    assert_int_equal(m->to.frame, m->frame);
    assert_int_equal(m->to.loc, e->to);
    break;
  case PV_MOVE_CALL:
    assert_int_equal(e->op, PV_OP_CALL);
    assert_true(pv_control_is_entry(w->control, m->to));
    assert_int_equal(pv_control_replaces(w->control, m), to->parent != m->frame);
    assert_int_equal(to->parent, pv_control_replaces(w->control, m) ? f->parent : m->frame);
    assert_int_equal(to->call, pv_control_replaces(w->control, m) ? f->call : m->edge);
    assert_int_equal(to->depth, f->depth + !pv_control_replaces(w->control, m));
    if (e->callee != PV_NO_FUNC) assert_int_equal(to->function, e->callee);
    assert_int_equal(pv_control_instance(w->control, m->to.frame, to->function, to->instance),
                     m->to.frame);
    break;
  case PV_MOVE_RETURN:
    assert_int_equal(e->op, PV_OP_RETURN);
    assert_true(pv_control_is_exit(w->control, from_of(w, m)));
    assert_int_equal(m->to.frame, f->parent);
    assert_int_equal(m->to.loc, pv_control_function(w->control, f->parent)->edges.at[f->call].to);
    break;
  case PV_MOVE_END:
    assert_true(e->op == PV_OP_STOP || (e->op == PV_OP_RETURN && f->parent == PV_NO_FRAME));
    break;
  case PV_MOVE_CUT:
  case PV_MOVE_NOWHERE: assert_int_equal(e->op, PV_OP_CALL); break;
  }
}

/* Every move goes forward in the order, except those back to a loop head; a return comes from its
 * call. */
static void assert_order(struct walked *w, const struct pv_move *m) {
  struct pv_point from = from_of(w, m), site = from;
  if (m->kind > PV_MOVE_RETURN) return;
  if (m->kind == PV_MOVE_RETURN) {
    const struct pv_frame *f = pv_control_frame(w->control, m->frame);
    const struct pv_function *caller = pv_control_function(w->control, f->parent);
    site = (struct pv_point){f->parent, caller->edges.at[f->call].from, 0};
  }
  uint32_t function = pv_control_frame(w->control, m->to.frame)->function;
  bool head = pv_control_function(w->control, m->to.frame)->locs.at[m->to.loc].loop_head;
  bool back = head && m->kind != PV_MOVE_CALL &&
              pv_control_in_loop(w->control, function, m->to.loc, site.loc);
  int order = pv_control_order(w->control, from, m->to);
  if (back ? order < 0 : order >= 0)
    fail_msg("%s, %u to %u: %d", pv_control_function(w->control, m->frame)->name, from.loc,
             m->to.loc, order);
  assert_int_equal(pv_control_order(w->control, m->to, from), -order);
}

static const char *const nested = "extern int __VERIFIER_nondet_int(void);\n"
                                  "static int add(int a, int b) { return a + b; }\n"
                                  "static int sum(int n) {\n"
                                  "  int s = 0;\n"
                                  "  for (int i = 0; i < n; i++) {\n"
                                  "    for (int k = 0; k < i; k++) {\n"
                                  "      if (k == 7) break;\n"
                                  "      if (k == 5) goto out;\n"
                                  "      s = add(s, k);\n"
                                  "    }\n"
                                  "    s = add(s, 1);\n"
                                  "  }\n"
                                  "out:\n"
                                  "  return s;\n"
                                  "}\n"
                                  "int main(void) {\n"
                                  "  int n = __VERIFIER_nondet_int();\n"
                                  "  while (n > 3) n = sum(n);\n"
                                  "  return add(n, sum(4));\n"
                                  "}\n";

static void moves_and_order(void **state) {
  struct walked w;
  (void)state;
  walk(&w, nested, 4, false, false);
  for (uint32_t i = 0; i < w.moves.n; i++) {
    assert_move(&w, &w.moves.at[i]);
    assert_order(&w, &w.moves.at[i]);
  }
  assert_int_equal(frames_of(&w, "sum", 0), 2); /* called at two places */
  assert_int_equal(frames_of(&w, "add", 0), 5); /* twice in each of them, and in main */
  assert_int_equal(frames_of(&w, "add", 1), 0);
  assert_int_equal(count(&w, PV_MOVE_CUT), 0);
  walk_free(&w);
}

/* The code after a loop comes after the whole loop, however the loop is left. */
static void loops_come_before_what_is_behind(void **state) {
  struct walked w;
  uint32_t heads = 0;
  (void)state;
  walk(&w, nested, 4, false, false);
  for (uint32_t h = 0; h < w.points.n; h++) {
    struct pv_point head = w.points.at[h];
    uint32_t function = pv_control_frame(w.control, head.frame)->function;
    if (!pv_control_function(w.control, head.frame)->locs.at[head.loc].loop_head) continue;
    if (!is_own(&w, head.frame)) continue;
    heads++;
    assert_true(pv_control_is_head(w.control, head));
    assert_true(pv_control_in_loop(w.control, function, head.loc, head.loc));
    for (uint32_t i = 0; i < w.moves.n; i++) {
      const struct pv_move *m = &w.moves.at[i];
      struct pv_point from = from_of(&w, m);
      bool leaves = m->kind == PV_MOVE_STEP && m->frame == head.frame &&
                    pv_control_in_loop(w.control, function, head.loc, from.loc) &&
                    !pv_control_in_loop(w.control, function, head.loc, m->to.loc);
      for (uint32_t k = 0; leaves && k < w.points.n; k++) {
        struct pv_point in = w.points.at[k];
        if (in.frame == head.frame && pv_control_in_loop(w.control, function, head.loc, in.loc))
          assert_true(pv_control_order(w.control, in, m->to) < 0);
      }
    }
  }
  assert_int_equal(heads, 5); /* two in each frame of sum, one in main */
  walk_free(&w);
}

static void points_in_a_call_lie_between(void **state) {
  struct walked w;
  (void)state;
  walk(&w, nested, 4, false, false);
  for (uint32_t i = 0; i < w.points.n; i++) {
    const struct pv_frame *f = pv_control_frame(w.control, w.points.at[i].frame);
    if (f->parent == PV_NO_FRAME) continue;
    const struct pv_edge *call = &pv_control_function(w.control, f->parent)->edges.at[f->call];
    struct pv_point before = {f->parent, call->from, 0}, behind = {f->parent, call->to, 0};
    assert_true(pv_control_order(w.control, before, w.points.at[i]) < 0);
    bool round = pv_control_order(w.control, before, behind) >= 0; /* a loop that ends with it */
    assert_true(round || pv_control_order(w.control, w.points.at[i], behind) < 0);
  }
  walk_free(&w);
}

/* ---- recursion, pointers --------------------------------------------------------------------- */

static void recursion_is_bounded(void **state) {
  struct walked w;
  struct pv_str text = {0};
  (void)state;
  walk(&w,
       "static int odd(int n);\n"
       "static int even(int n) { return n ? 1 + odd(n - 1) : 1; }\n"
       "static int odd(int n) { return n ? 1 + even(n - 1) : 0; }\n"
       "static int plain(int n) { return n; }\n"
       "int main(void) { return plain(even(5)); }\n",
       3, false, false);
  for (uint32_t i = 0; i < w.moves.n; i++) assert_move(&w, &w.moves.at[i]);
  for (uint32_t k = 0; k < 3; k++) {
    assert_int_equal(frames_of(&w, "even", k), 1);
    assert_int_equal(frames_of(&w, "odd", k), 1);
  }
  assert_int_equal(frames_of(&w, "even", 3), 0);
  assert_int_equal(count(&w, PV_MOVE_CUT), 1);
  uint32_t deepest = 0;
  for (uint32_t i = 0; i < w.points.n; i++) {
    struct pv_point at = w.points.at[i];
    if (!is_own(&w, at.frame)) continue;
    const char *name = pv_control_function(w.control, at.frame)->name;
    bool recursive = !strcmp(name, "even") || !strcmp(name, "odd");
    uint32_t function = pv_control_frame(w.control, at.frame)->function;
    assert_int_equal(pv_control_recursive(w.control, function), recursive);
    assert_int_equal(pv_control_is_head(w.control, at),
                     recursive && pv_control_is_entry(w.control, at));
    if (pv_control_frame(w.control, at.frame)->depth > pv_control_frame(w.control, deepest)->depth)
      deepest = at.frame;
  }
  pv_control_print(w.control, deepest, &text);
  assert_non_null(strstr(text.at, "main > even > odd > even > odd > even > odd"));
  pv_str_free(&text);
  walk_free(&w);
}

/* Tail calls need no frames of their own; a call with an owner of memory does. Moves are found
 * backwards, too. */
static void tail_calls_take_the_place(void **state) {
  struct walked w;
  (void)state;
  walk(&w,
       "static int odd(int n);\n"
       "static int even(int n) { if (n == 3) { n--; } return n ? odd(n - 1) : 1; }\n"
       "static int odd(int n) { return n ? even(n - 1) : 0; }\n"
       "static int owns(const int *p) { int mine = *p - 1; return mine ? owns(&mine) : 0; }\n"
       "int main(void) { int n = 3; return even(5) + owns(&n); }\n",
       3, false, false);
  uint32_t replace = 0, backwards = 0;
  for (uint32_t i = 0; i < w.moves.n; i++) {
    const struct pv_move *m = &w.moves.at[i];
    assert_move(&w, m);
    replace += pv_control_replaces(w.control, m);
    if (m->kind > PV_MOVE_RETURN) continue;
    pv_moves back = {0};
    bool found = false;
    pv_control_moves_to(w.control, m->to, &back);
    for (uint32_t k = 0; k < back.n; k++)
      found |= back.at[k].kind == m->kind && back.at[k].frame == m->frame &&
               back.at[k].edge == m->edge && pv_point_eq(back.at[k].to, m->to);
    assert_true(found);
    backwards += back.n;
    pv_vec_free(&back);
  }
  assert_int_equal(replace, 2);
  assert_true(backwards > 0);
  assert_int_equal(frames_of(&w, "even", 0), 1);
  assert_int_equal(frames_of(&w, "odd", 0), 1);
  assert_int_equal(frames_of(&w, "even", 1) + frames_of(&w, "odd", 1), 0);
  assert_int_equal(frames_of(&w, "owns", 2), 1);
  assert_int_equal(count(&w, PV_MOVE_CUT), 1);
  uint32_t rounds = 0;
  for (uint32_t i = 0; i < w.points.n; i++)
    rounds += pv_control_is_round(w.control, w.points.at[i]);
  assert_int_equal(rounds, 2);
  walk_free(&w);
}

static void pointers_lead_to_functions(void **state) {
  struct walked w;
  (void)state;
  walk(&w,
       "extern int __VERIFIER_nondet_int(void);\n"
       "static int one(int x) { return x; }\n"
       "static int two(int x) { return x + 1; }\n"
       "static int other(int x) { return x + 2; }\n"
       "int (*keep)(int) = other;\n"
       "int main(void) { int (*f)(int) = __VERIFIER_nondet_int() ? one : two;\n"
       "  int (*none)(int) = 0; if (f(1) == 7) return none(2);\n"
       "  return other(3); }\n",
       4, false, false);
  for (uint32_t i = 0; i < w.moves.n; i++) assert_move(&w, &w.moves.at[i]);
  assert_int_equal(frames_of(&w, "one", 0), 1);
  assert_int_equal(frames_of(&w, "two", 0), 1);
  assert_int_equal(frames_of(&w, "other", 0), 1);
  assert_int_equal(count(&w, PV_MOVE_NOWHERE), 1);
  walk_free(&w);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(moves_and_order),
      cmocka_unit_test(loops_come_before_what_is_behind),
      cmocka_unit_test(points_in_a_call_lie_between),
      cmocka_unit_test(recursion_is_bounded),
      cmocka_unit_test(tail_calls_take_the_place),
      cmocka_unit_test(pointers_lead_to_functions),
  };
  return cmocka_run_group_tests_name("cpa/control", tests, NULL, NULL);
}
