/* proof_test.c -- proofs made by hand: correct ones are confirmed, and each kind of wrong one is
 * detected. */
#include "cpa/proof.h"

#include "cpa/cpa_test.h"
static struct pv_checked c;
static struct pv_analysis_context g;
static struct pv_result result, aside;

/* Two counters that stay equal, and no more than 10. */
static const char counters[] =
    "extern int __VERIFIER_nondet_int(void);\nextern void reach_error(void);\n"
    "int main(void) {\n  unsigned x = 0, y = 0;\n"
    "  while (__VERIFIER_nondet_int()) {\n    if (x < 10) x++, y++;\n  }\n"
    "  if (x != y) reach_error();\n}\n";

static void load_for(const char *text, const char *properties) {
  pv_checked_load(&c, text, properties);
  c.options.check_proof = true;
  assert_true(pv_context_new(&g, &c.task, &aside));
}

static void load(const char *text) {
  load_for(text, "unreach-call");
}

static int tear_down(void **state) {
  (void)state;
  pv_context_free(&g);
  pv_checked_free(&c);
  pv_result_clear(&result);
  pv_result_clear(&aside);
  return 0;
}

/* ---- what proofs are made of ------------------------------------------------------------------
 */

/* A variable of main, as it is at a cut point. */
static uint32_t cell(const char *name) {
  uint32_t f = pv_checked_function(&c, "main");
  for (uint32_t v = 0; v < c.program->functions.at[f].vars.n; v++) {
    struct pv_cell like = {.kind = PV_CELL_VARIABLE, .a = f, .b = v};
    if (!strcmp(c.program->functions.at[f].vars.at[v].name, name))
      return pv_symbolic_cell_like(g.symbolic, &like);
  }
  fail_msg("no variable %s", name);
  return 0;
}
static pv_term var(const char *name) {
  return pv_symbolic_cell(g.symbolic, cell(name))->entry;
}
static pv_term op(enum pv_smt_op o2, pv_term a, pv_term b) {
  return pv_smt_mk2(g.smt, o2, a, b);
}
static pv_term number(int64_t n) {
  return pv_smt_int(g.smt, n);
}

/* The n-th head of a loop in main, in the order in which moves lead there. */
static struct pv_point head(uint32_t n) {
  PV_VEC(struct pv_point) all = {0};
  struct pv_map seen = {0};
  pv_moves moves = {0};
  struct pv_point found = {PV_NO_FRAME, 0, 0};
  pv_vec_push(&all, pv_control_start(g.control));
  for (uint32_t i = 0; i < all.n; i++) {
    struct pv_point at = all.at[i];
    bool is_new;
    if (pv_control_is_head(g.control, at) &&
        pv_control_frame(g.control, at.frame)->function == pv_checked_function(&c, "main") &&
        !n--) {
      found = at;
      break;
    }
    moves.n = 0;
    pv_control_moves(g.control, at, &moves);
    for (uint32_t m = 0; m < moves.n; m++) {
      if (moves.at[m].kind > PV_MOVE_RETURN) continue;
      pv_map_put(&seen, &moves.at[m].to, sizeof moves.at[m].to, 1, &is_new);
      if (is_new) pv_vec_push(&all, moves.at[m].to);
    }
  }
  assert_int_not_equal(found.frame, PV_NO_FRAME);
  pv_vec_free(&all);
  pv_vec_free(&moves);
  pv_map_free(&seen);
  return found;
}

/* What becomes of a verdict `true` with this proof. */
static void settle(struct pv_proof *proof) {
  pv_condition_clear(&result.condition);
  pv_proof_result_clear(&result.proof);
  free(result.reason);
  result.reason = NULL;
  result.verdict = PV_TRUE;
  result.checked = c.options.properties;
  pv_proof_finish(proof, &c.task, &result);
}

static void settle_formula(pv_term formula) {
  struct pv_proof *proof = pv_proof_new(&g);
  pv_proof_add(proof, &g, head(0), NULL, formula);
  settle(proof);
}

static void is_confirmed(void) {
  if (result.proof.state != PV_PROOF_CHECKED)
    fail_msg("%s", result.condition.provisos.at[0].sentence);
  assert_int_equal(result.verdict, PV_TRUE);
  assert_int_equal(result.condition.provisos.n, 0);
}

static void is_refuted(const char *why) {
  assert_int_equal(result.proof.state, PV_PROOF_REFUTED);
  assert_int_equal(result.verdict, PV_UNKNOWN);
  assert_int_equal(result.condition.provisos.n, 1);
  if (!strstr(result.reason, why)) fail_msg("%s", result.reason);
}

/* ---- invariants ------------------------------------------------------------------------------ */

static void a_right_one_is_confirmed(void **state) {
  (void)state;
  load(counters);
  settle_formula(op(PV_SMT_EQ, var("x"), var("y")));
  is_confirmed();
  assert_int_equal(result.proof.invariants.n, 1);
  assert_string_equal(result.proof.invariants.at[0].formula, "x == y");
  assert_int_equal(result.proof.invariants.at[0].line, 5);
}

static void initiation_is_checked(void **state) {
  (void)state;
  load(counters);
  pv_term larger = op(PV_SMT_GE, var("x"), number(1));
  settle_formula(op(PV_SMT_AND, larger, op(PV_SMT_EQ, var("x"), var("y"))));
  is_refuted("a segment leads out of the invariant, from");
  assert_null(strstr(result.reason, "from /tmp")); /* the start, which is nowhere in the file */
}

static void consecution_is_checked(void **state) {
  (void)state;
  load(counters);
  pv_term least = op(PV_SMT_LE, var("x"), number(5));
  settle_formula(op(PV_SMT_AND, least, op(PV_SMT_EQ, var("x"), var("y"))));
  is_refuted("a segment leads out of the invariant, from ");
}

static void safety_is_checked(void **state) {
  (void)state;
  load(counters);
  settle_formula(op(PV_SMT_LE, var("x"), number(10)));
  is_refuted("an error is not excluded, from ");
}

static void no_invariant_is_none(void **state) {
  (void)state;
  load(counters);
  settle(pv_proof_new(&g));
  is_refuted("a segment leads out of the invariant");
}

/* An event is granted only if the engine gave it up and the result says so. */
static void what_is_a_proviso_is_granted(void **state) {
  (void)state;
  load(counters);
  settle_formula(op(PV_SMT_LE, var("x"), number(10)));
  char *sentence = pv_strdup(strstr(result.reason, "this does not happen"));
  for (int said = 0; said < 2; said++)
    for (int given_up = 0; given_up < 2; given_up++) {
      pv_map_free(&g.granted);
      if (given_up) pv_map_put_str(&g.granted, sentence, 1, NULL);
      struct pv_proof *proof = pv_proof_new(&g);
      pv_proof_add(proof, &g, head(0), NULL, op(PV_SMT_LE, var("x"), number(10)));
      pv_condition_clear(&result.condition);
      pv_proof_result_clear(&result.proof);
      if (said)
        pv_condition_add(&result.condition, PV_PROVISO_ENGINE, NULL, 0, "%s (why)", sentence);
      result.verdict = PV_CONDITIONAL;
      pv_proof_finish(proof, &c.task, &result);
      assert_int_equal(result.proof.state, said && given_up ? PV_PROOF_CHECKED : PV_PROOF_REFUTED);
      assert_int_equal(result.verdict, said && given_up ? PV_CONDITIONAL : PV_UNKNOWN);
    }
  free(sentence);
}

/* ---- numbers --------------------------------------------------------------------------------- */

static void add_numbers(struct pv_proof *proof, int64_t x, int64_t y, pv_term formula) {
  uint32_t cells[] = {cell("x"), cell("y")};
  pv_term values[] = {number(x), number(y)};
  if (cells[0] > cells[1]) {
    uint32_t c = cells[0];
    pv_term v = values[0];
    cells[0] = cells[1], cells[1] = c;
    values[0] = values[1], values[1] = v;
  }
  pv_proof_add(proof, &g, head(0), pv_symbolic_state(g.symbolic, false, 2, cells, values), formula);
}

static void numbers_have_to_be_all(void **state) {
  (void)state;
  load(counters);
  for (int64_t last = 9; last <= 10; last++) {
    struct pv_proof *proof = pv_proof_new(&g);
    for (int64_t i = 0; i <= last; i++) add_numbers(proof, i, i, NULL);
    settle(proof);
    if (last == 10)
      is_confirmed();
    else
      is_refuted("a segment leads out of the invariant, from ");
  }
}

/* A formula beside numbers is part of the same disjunct. */
static void numbers_and_formulas(void **state) {
  (void)state;
  load(counters);
  for (int64_t last = 9; last <= 10; last++) {
    struct pv_proof *proof = pv_proof_new(&g);
    for (int64_t i = 0; i <= last; i++) {
      pv_term same = op(PV_SMT_EQ, var("x"), var("y"));
      add_numbers(proof, i, i, op(PV_SMT_AND, same, op(PV_SMT_LE, var("x"), number(10))));
    }
    for (int64_t i = 0; i <= last; i++) /* no state at all */
      add_numbers(proof, i, i + 1, op(PV_SMT_EQ, var("x"), var("y")));
    settle(proof);
    if (last == 10)
      is_confirmed();
    else
      is_refuted("a segment leads out of the invariant, from ");
  }
}

/* ---- induction ------------------------------------------------------------------------------- */

/* From x == 1 in any state nothing follows for the round after: two rounds are needed. */
static const char turns[] =
    "extern int __VERIFIER_nondet_int(void);\nextern void reach_error(void);\n"
    "int main(void) {\n  int a = 1, b = 1, c = 1;\n"
    "  while (__VERIFIER_nondet_int()) {\n    if (a != 1) reach_error();\n"
    "    a = b;\n    b = c;\n    c = 1;\n  }\n}\n";

static void induction_needs_its_k(void **state) {
  (void)state;
  load(turns);
  for (uint32_t k = 0; k < 5; k++) {
    struct pv_proof *proof = pv_proof_new(&g);
    pv_proof_by_induction(proof, k);
    settle(proof);
    assert_int_equal(result.proof.induction, k);
    if (k >= 3)
      is_confirmed();
    else
      is_refuted("an error is not excluded, from ");
  }
}

static void invariants_help_induction(void **state) {
  (void)state;
  load(turns);
  for (int64_t value = 1; value <= 2; value++) {
    struct pv_proof *proof = pv_proof_new(&g);
    pv_proof_by_induction(proof, 1);
    pv_term both =
        op(PV_SMT_AND, op(PV_SMT_EQ, var("b"), number(value)), op(PV_SMT_EQ, var("c"), number(1)));
    pv_proof_add(proof, &g, head(0), NULL, both);
    settle(proof);
    if (value == 1)
      is_confirmed();
    else
      is_refuted("a segment leads out of the invariant");
  }
}

/* Segments of all loops count: an error after the first of two loops. */
static void bases_are_checked(void **state) {
  (void)state;
  load("extern int __VERIFIER_nondet_int(void);\nextern void reach_error(void);\n"
       "int main(void) {\n  int x = 0;\n  while (__VERIFIER_nondet_int()) x = 1;\n"
       "  while (__VERIFIER_nondet_int()) if (x) reach_error();\n}\n");
  struct pv_proof *proof = pv_proof_new(&g);
  pv_proof_by_induction(proof, 4);
  settle(proof);
  is_refuted("an error is not excluded");
  assert_null(strstr(result.reason, "from /tmp"));
}

/* ---- unwinding ------------------------------------------------------------------------------- */

static void settle_unwound(const char *text) {
  load(text);
  struct pv_proof *proof = pv_proof_new(&g);
  uint32_t places = pv_layout_places(g.layout);
  bool *arrays = pv_alloc((places + 1) * sizeof *arrays);
  pv_proof_by_unwinding(proof, arrays, places, 100);
  free(arrays);
  settle(proof);
}

/* The sum of 0 to 6, in loops whose bounds are an input, is at most 21. */
static void settle_sum(const char *error) {
  char *text = pv_format("extern unsigned char __VERIFIER_nondet_uchar(void);\n"
                         "extern void reach_error(void);\nint main(void) {\n"
                         "  unsigned n = __VERIFIER_nondet_uchar() & 7, s = 0;\n"
                         "  for (unsigned i = 0; i < n; i++)\n"
                         "    for (unsigned k = 0; k < i; k++) s++;\n"
                         "  if (%s) reach_error();\n}\n",
                         error);
  settle_unwound(text);
  free(text);
}

static void ends_of_loops_are_shown(void **state) {
  (void)state;
  settle_sum("s > 21");
  is_confirmed();
}

static void errors_in_loops_are_found(void **state) {
  (void)state;
  settle_sum("s > 20");
  is_refuted("an error is not excluded");
}

static void loops_without_end_are_not_confirmed(void **state) {
  (void)state;
  settle_unwound("extern int __VERIFIER_nondet_int(void);\nint main(void) {\n"
                 "  unsigned s = 0;\n  while (__VERIFIER_nondet_int()) s++;\n"
                 "  return s == 1;\n}\n");
  assert_int_equal(result.proof.state, PV_PROOF_UNCONFIRMED);
  assert_int_equal(result.verdict, PV_CONDITIONAL);
  assert_non_null(strstr(result.condition.provisos.at[0].sentence, "longer than expected"));
}

/* ---- the way into another context ------------------------------------------------------------ */

static void addresses_go_with_it(void **state) {
  (void)state;
  load("extern int __VERIFIER_nondet_int(void);\nextern void reach_error(void);\nint a, b;\n"
       "int main(void) {\n  int *p = &a;\n  while (__VERIFIER_nondet_int()) *p = 1;\n"
       "  if (p == &b) reach_error();\n}\n");
  uint32_t places[2];
  for (uint32_t i = 0; i < c.program->globals.n; i++)
    if (strlen(c.program->globals.at[i].name) == 1)
      places[c.program->globals.at[i].name[0] - 'a'] = pv_layout_global(g.layout, i);
  /* another order than that of the program */
  pv_symbolic_address(g.symbolic, (struct pv_sym_object){places[1], 0});
  uint64_t a = pv_symbolic_address(g.symbolic, (struct pv_sym_object){places[0], 0});
  settle_formula(op(PV_SMT_EQ, var("p"), number((int64_t)a)));
  is_confirmed();
  assert_string_equal(result.proof.invariants.at[0].formula, "p == &a");
}

static void what_is_no_cell_is_not_confirmed(void **state) {
  (void)state;
  load(counters);
  pv_term other = pv_smt_const(g.smt, "other", (struct pv_sort){.kind = PV_SORT_INT});
  settle_formula(op(PV_SMT_EQ, var("x"), other));
  assert_int_equal(result.proof.state, PV_PROOF_UNCONFIRMED);
  assert_int_equal(result.verdict, PV_CONDITIONAL);
  assert_int_equal(result.condition.provisos.n, 1);
}

static void a_limit_is_no_confirmation(void **state) {
  (void)state;
  load(counters);
  struct pv_proof *proof = pv_proof_new(&g);
  pv_proof_add(proof, &g, head(0), NULL, op(PV_SMT_EQ, var("x"), var("y")));
  c.options.limits.states = 1;
  settle(proof);
  assert_int_equal(result.proof.state, PV_PROOF_UNCONFIRMED);
  assert_int_equal(result.verdict, PV_CONDITIONAL);
}

static void properties_that_were_not_seen(void **state) {
  (void)state;
  load("#include <stdlib.h>\nint main(void) {\n  int *p = malloc(4);\n  free(p);\n}\n");
  c.task.properties |= PV_PROP_BIT(PV_PROP_VALID_MEMTRACK);
  c.options.properties = c.task.properties;
  settle(pv_proof_new(&g));
  assert_int_equal(result.proof.state, PV_PROOF_UNCONFIRMED);
  assert_non_null(strstr(result.condition.provisos.at[0].sentence, "valid-memtrack"));
}

/* ---- memory ---------------------------------------------------------------------------------- */

/* A cell of a global, or which bits of it are unset. */
static pv_term of_global(const char *name, uint32_t at, enum pv_cell_kind kind) {
  for (uint32_t i = 0; i < c.program->globals.n; i++) {
    if (strcmp(c.program->globals.at[i].name, name) != 0) continue;
    const struct pv_place *p = pv_layout_place(g.layout, pv_layout_global(g.layout, i));
    assert_true(p->cut && at < p->n_cells);
    struct pv_cell like = {.kind = kind, .a = p->first_cell + at};
    return pv_symbolic_cell(g.symbolic, pv_symbolic_cell_like(g.symbolic, &like))->entry;
  }
  fail_msg("no global %s", name);
  return NULL;
}

static void unset_bits_have_to_be_known(void **state) {
  (void)state;
  for (int wrong = 0; wrong < 3; wrong++) {
    load_for("extern int __VERIFIER_nondet_int(void);\nstatic int m, set;\n"
             "int main(void) {\n  int u;\n  m = u;\n"
             "  while (__VERIFIER_nondet_int()) {\n    m = 1;\n    set = 1;\n  }\n"
             "  return set && m;\n}\n",
             "def-behavior");
    pv_term unset = of_global("m", 0, PV_CELL_UNSET_MEMORY);
    pv_term known = pv_smt_mk1(g.smt, PV_SMT_NOT, unset);
    pv_term not_yet = op(PV_SMT_EQ, of_global("set", 0, PV_CELL_MEMORY), number(0));
    settle_formula(wrong == 1   ? known
                   : wrong == 2 ? pv_smt_bool(g.smt, true)
                                : op(PV_SMT_OR, not_yet, known));
    if (wrong == 1)
      is_refuted("a segment leads out of the invariant, from");
    else if (wrong == 2)
      is_refuted("an error is not excluded, from");
    else
      is_confirmed();
    tear_down(NULL);
  }
  load(counters);
}

static void bytes_of_a_block_have_to_be_known(void **state) {
  (void)state;
  uint32_t refuted = 0;
  for (uint32_t wrong = 0; wrong < 9; wrong++) {
    load("#include <string.h>\nextern int __VERIFIER_nondet_int(void);\n"
         "extern void reach_error(void);\nstatic unsigned char from[4], to[4];\n"
         "int main(void) {\n  unsigned n = __VERIFIER_nondet_int();\n  if (n > 4) return 0;\n"
         "  while (__VERIFIER_nondet_int()) {\n    memcpy(to, from, n);\n"
         "    if (to[1]) from[0] = 1;\n  }\n"
         "  if (to[0] | to[1] | to[2] | to[3]) reach_error();\n}\n");
    pv_term all = op(PV_SMT_LE, var("n"), number(4));
    if (wrong == 8) all = op(PV_SMT_LE, var("n"), number(3)); /* not all lengths */
    for (uint32_t i = 0; i < 4; i++) {
      pv_term a = op(PV_SMT_EQ, of_global("from", i, PV_CELL_MEMORY), number(0));
      pv_term b = op(PV_SMT_EQ, of_global("to", i, PV_CELL_MEMORY), number(0));
      if (wrong != i + 1) all = op(PV_SMT_AND, all, a); /* one byte of the source is forgotten */
      if (wrong != 5 || i != 3) all = op(PV_SMT_AND, all, b);
      if (wrong == 6 && i == 2) all = op(PV_SMT_AND, all, op(PV_SMT_EQ, var("n"), number(2)));
      if (wrong == 7 && !i) all = pv_smt_mk1(g.smt, PV_SMT_NOT, a);
    }
    settle_formula(all);
    if (!wrong) {
      is_confirmed();
    } else {
      assert_int_not_equal(result.proof.state, PV_PROOF_CHECKED);
      assert_int_not_equal(result.verdict, PV_TRUE);
      refuted += result.proof.state == PV_PROOF_REFUTED;
    }
    tear_down(NULL);
  }
  assert_int_equal(refuted, 7); /* the other one has an access that is not excluded */
  load(counters);
}

int main(void) {
#define T(F) cmocka_unit_test_teardown(F, tear_down)
  const struct CMUnitTest tests[] = {T(a_right_one_is_confirmed),
                                     T(initiation_is_checked),
                                     T(consecution_is_checked),
                                     T(safety_is_checked),
                                     T(no_invariant_is_none),
                                     T(what_is_a_proviso_is_granted),
                                     T(numbers_have_to_be_all),
                                     T(numbers_and_formulas),
                                     T(induction_needs_its_k),
                                     T(invariants_help_induction),
                                     T(bases_are_checked),
                                     T(addresses_go_with_it),
                                     T(ends_of_loops_are_shown),
                                     T(errors_in_loops_are_found),
                                     T(loops_without_end_are_not_confirmed),
                                     T(what_is_no_cell_is_not_confirmed),
                                     T(a_limit_is_no_confirmation),
                                     T(properties_that_were_not_seen),
                                     T(unset_bits_have_to_be_known),
                                     T(bytes_of_a_block_have_to_be_known)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
