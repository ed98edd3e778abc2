/* Steps, merges and path formulas against the VM. If a path formula is satisfiable, a run with the
 * inputs of its model shows the error, however the path is divided into blocks. If it is
 * unsatisfiable, it is so for every division. A merged state has, for every input, the values of
 * the state that the input reaches. */
#include "cpa/cpa_test.h"

static unsigned seed = 1;
static unsigned below(unsigned n) {
  return (seed = seed * 1103515245 + 12345) / 65536 % n;
}

/* Two errors at least, and one that is impossible. */
static const char *const programs[] = {
    "extern int __VERIFIER_nondet_int(void); extern void reach_error(void);\n"
    "static int g = 4; static unsigned char c = 250;\n"
    "struct pair { int a; struct pair *next; };\n"
    "static int twice(int *p, int k) { *p += k; return *p * 2; }\n"
    "int main(void) {\n"
    "  int n = __VERIFIER_nondet_int(), m = 3, t[4] = {1, 2, 3, 4}, *p = n > 7 ? &m : &g;\n"
    "  struct pair x = {5, 0}, y = {6, &x};\n"
    "  if (n < 0 || n > 50) return 0;\n"
    "  *p = n + 1;\n"
    "  c += n;\n"
    "  y.next->a = n;\n"
    "  t[n & 3] = n;\n"
    "  if (g == 4 && m != n + 1) reach_error();\n" /* never */
    "  if (twice(&m, 2) == 2 * 9 + 4 && n == 8) reach_error();\n"
    "  if (c == 3) reach_error();\n"
    "  if (x.a == 6 && g == 7 && t[2] == 6) reach_error();\n"
    "  if (x.a != n) reach_error();\n" /* never */
    "}\n",
    "extern int __VERIFIER_nondet_int(void); extern void reach_error(void);\n"
    "static unsigned low(unsigned x) { return x % 16; }\n"
    "int main(void) {\n"
    "  unsigned s = 0, k = 0;\n"
    "  for (int i = 0; i < 4; i++) {\n"
    "    int n = __VERIFIER_nondet_int();\n"
    "    if (n < 0) s -= 7; else if (n == 3) continue; else s += low(n);\n"
    "    k++;\n"
    "    if (s == 4294967289u && k == 3) reach_error();\n"
    "    if (s == 21 && k == 2) reach_error();\n"
    "    if (k > (unsigned)i + 1) reach_error();\n" /* never */
    "  }\n"
    "  if (s == 60) reach_error();\n"
    "  if (s > 60 && s < 4294967268u) reach_error();\n" /* never */
    "}\n",
    "#include <stdlib.h>\n"
    "extern int __VERIFIER_nondet_int(void); extern void reach_error(void);\n"
    "struct node { int v; struct node *next; };\n"
    "int main(void) {\n"
    "  struct node *list = 0;\n"
    "  for (int i = 0; i < 3; i++) {\n"
    "    struct node *n = malloc(sizeof *n);\n"
    "    n->v = __VERIFIER_nondet_int(); n->next = list;\n"
    "    if (n->v > 10) list = n; else free(n);\n"
    "  }\n"
    "  if (list && list->next && list->v == list->next->v + 5) reach_error();\n"
    "  if (list && list->v < 11) reach_error();\n" /* never */
    "}\n"};
enum { PROGRAMS = sizeof programs / sizeof *programs };

static struct pv_checked c;
static struct pv_analysis_context g;

static void begin(int program, int integers) {
  struct pv_result r = {0};
  pv_checked_load(&c, programs[program], "unreach-call");
  c.options.integers = integers;
  assert_true(pv_context_new(&g, &c.task, &r));
}

static void end(void) {
  pv_context_free(&g);
  pv_checked_free(&c);
}

/* ---- paths ----------------------------------------------------------------------------------- */

/* Makes a random path to an error; returns false if it ends before. The last move is that of the
 * event. Moves that are obviously impossible (a loop counter is a number) are rarely made. */
static bool random_path(pv_moves *path) {
  enum { LONG = 2000 };
  struct pv_point at = pv_control_start(g.control);
  const struct pv_sym *sym = pv_symbolic_start(g.symbolic);
  path->n = 0;
  while (path->n < LONG) {
    pv_moves next = {0};
    pv_control_moves(g.control, at, &next);
    if (!next.n) {
      pv_vec_free(&next);
      return false;
    }
    struct pv_move m = next.at[below(next.n)];
    const struct pv_sym *to = sym ? pv_symbolic_step(g.symbolic, sym, &m)->next : NULL;
    if (!to && sym && next.n > 1 && below(50)) {
      pv_vec_free(&next);
      continue;
    }
    sym = to;
    pv_vec_free(&next);
    pv_vec_push(path, m);
    if (pv_move_edge(g.control, &m)->op == PV_OP_ERROR) return true;
    if (m.kind > PV_MOVE_RETURN) return false;
    at = m.to;
  }
  return false;
}

struct input { /* of a path */
  uint32_t block;
  pv_term term; /* over the block's entry */
  const struct pv_edge *edge;
};
struct cut_path {
  PV_VEC(const struct pv_sym *) blocks;
  PV_VEC(struct input) inputs;
  const struct pv_sym_event *event; /* at the end; NULL: the path is plainly impossible */
};

/* The path divided after every `every` moves (0: not; 1000: at random). */
static void follow(const pv_moves *path, unsigned every, struct cut_path *out) {
  const struct pv_sym *state = pv_symbolic_start(g.symbolic);
  *out = (struct cut_path){0};
  for (uint32_t i = 0; i < path->n && state; i++) {
    const struct pv_sym_step *step = pv_symbolic_step(g.symbolic, state, &path->at[i]);
    if (i + 1 == path->n) {
      for (uint32_t k = 0; k < step->n_events; k++)
        if (step->events[k].kind == PV_SYM_VIOLATION) out->event = &step->events[k];
      break;
    }
    const struct pv_edge *e = pv_move_edge(g.control, &path->at[i]);
    if (step->input && (e->op == PV_OP_HAVOC || e->op == PV_OP_INDET))
      pv_vec_push(&out->inputs, ((struct input){out->blocks.n, step->input, e}));
    state = step->next;
    bool cut = every == 1000 ? below(4) == 0 : every && i % every == every - 1;
    if (!state || !cut) continue;
    pv_vec_push(&out->blocks, state);
    state = pv_symbolic_entry(g.symbolic);
  }
  pv_vec_push(&out->blocks, NULL);
}

static void cut_path_free(struct cut_path *p) {
  pv_vec_free(&p->blocks);
  pv_vec_free(&p->inputs);
}

/* What the machine does with the inputs of a model: it shows the error. */
static void assert_shown(const struct cut_path *p, const struct pv_sym_formula *f,
                         struct pv_model *model) {
  PV_VEC(struct pv_input) inputs = {0};
  for (uint32_t i = 0; i < p->inputs.n; i++) {
    const struct input *in = &p->inputs.at[i];
    const struct pv_sym_names *names = &f->names.at[in->block];
    pv_term t = in->term;
    for (uint32_t k = 0; k < names->from.n; k++)
      if (names->from.at[k] == in->term) t = names->to.at[k];
    struct pv_input given = {.site = in->edge->op == PV_OP_HAVOC ? in->edge->site + 1 : 0};
    unsigned bits = pv_type_bits(in->edge->type);
    assert_true(pv_model_value(model, t, &given.value[0], &given.value[1]));
    if (bits < 64) given.value[0] &= (UINT64_C(1) << bits) - 1;
    given.value[1] = 0;
    pv_vec_push(&inputs, given);
  }
  uint32_t frame = p->event->frame, edge = p->event->edge;
  struct pv_error_key wanted = {.property = p->event->property,
                                .span = pv_control_function(g.control, frame)->edges.at[edge].span};
  struct pv_violation v = {0};
  assert_int_equal(pv_plan_replay_inputs(&c.task, inputs.at, inputs.n, NULL, &wanted, &v), PV_OK);
  struct pv_error_key got = {v.property, v.span, v.message};
  if (!v.replayed || !pv_error_is(&wanted, &got))
    fail_msg("not shown: %s", v.message ? v.message : "?");
  pv_violation_clear(&v);
  pv_vec_free(&inputs);
}

static enum pv_smt_answer decide(const pv_moves *path, unsigned every) {
  struct cut_path p;
  enum pv_smt_answer answer = PV_SMT_UNSAT;
  follow(path, every, &p);
  if (p.event) {
    struct pv_sym_path blocks = {.n = p.blocks.n, .blocks = p.blocks.at, .last = p.event->when};
    struct pv_sym_formula f;
    pv_symbolic_path(g.symbolic, &blocks, &f);
    assert_int_equal(f.parts.n, p.blocks.n);
    struct pv_solver *solver = pv_solver_new(g.smt);
    for (uint32_t i = 0; i < f.parts.n; i++) pv_solver_assert(solver, f.parts.at[i]);
    answer = pv_solver_check(solver, 0, NULL);
    assert_int_not_equal(answer, PV_SMT_UNKNOWN);
    if (answer == PV_SMT_SAT) {
      struct pv_model *model = pv_solver_model(solver);
      assert_shown(&p, &f, model);
      pv_model_free(model);
    }
    pv_solver_free(solver);
    pv_sym_formula_free(&f);
  }
  cut_path_free(&p);
  return answer;
}

static void paths_are_those_of_the_machine(void **state) {
  static const unsigned cuts[] = {0, 1, 3, 1000};
  enum { WANTED = 5, TRIES = 6000 };
  (void)state;
  for (int program = 0; program < PROGRAMS; program++)
    for (int integers = 0; integers < 2; integers++) {
      pv_moves path = {0};
      unsigned possible = 0, impossible = 0;
      begin(program, integers);
      for (int i = 0; i < TRIES && (possible < WANTED || impossible < WANTED); i++) {
        if (!random_path(&path)) continue;
        enum pv_smt_answer first = decide(&path, cuts[0]);
        unsigned *seen = first == PV_SMT_SAT ? &possible : &impossible;
        if ((*seen)++ >= WANTED) continue;
        for (size_t k = 1; k < sizeof cuts / sizeof *cuts; k++)
          assert_int_equal(decide(&path, cuts[k]), first);
      }
      print_message("program %d: %u possible, %u not\n", program, possible, impossible);
      assert_true(possible > 0 && impossible > 0);
      assert_string_equal(pv_smt_error(g.smt), "");
      pv_vec_free(&path);
      end();
    }
}

/* ---- merges ---------------------------------------------------------------------------------- */

struct at { /* the state at a point */
  struct pv_point point;
  const struct pv_sym *sym;
  bool done;
};

/* All paths from the start to the points where they meet, merged there: for each input the merged
 * state has the condition and the values of the path that the input takes. */
static void merged_states_are_both(void **state) {
  static const char *const text =
      "extern int __VERIFIER_nondet_int(void); static int g = 9;\n"
      "int main(void) {\n"
      "  int n = __VERIFIER_nondet_int(), x, y = 1;\n"
      "  if (n < 0) { x = -n % 7; g = 3; } else if (n < 10) x = n + 2; else { x = 5; y = n / 3; }\n"
      "  return x + y + g;\n"
      "}\n";
  struct pv_result r = {0};
  (void)state;
  pv_checked_load(&c, text, "unreach-call");
  for (int integers = 0; integers < 2; integers++) {
    c.options.integers = integers;
    assert_true(pv_context_new(&g, &c.task, &r));
    /* Walks main's points in their order; a state for each, merged. */
    struct pv_map index = {0};
    PV_VEC(struct at) reached = {0};
    struct at first = {pv_control_start(g.control), pv_symbolic_start(g.symbolic), false};
    pv_map_put(&index, &first.point, sizeof first.point, 0, NULL);
    pv_vec_push(&reached, first);
    const struct pv_sym *last = NULL;
    uint32_t merges = 0;
    pv_term input = NULL;
    for (;;) {
      uint32_t best = UINT32_MAX;
      for (uint32_t i = 0; i < reached.n; i++)
        if (!reached.at[i].done &&
            (best == UINT32_MAX ||
             pv_control_order(g.control, reached.at[i].point, reached.at[best].point) < 0))
          best = i;
      if (best == UINT32_MAX) break;
      reached.at[best].done = true;
      struct at here = reached.at[best];
      const struct pv_frame *f = pv_control_frame(g.control, here.point.frame);
      if (pv_control_is_exit(g.control, here.point) && f->depth == 1) { /* of main */
        last = here.sym;
        break;
      }
      pv_moves moves = {0};
      pv_control_moves(g.control, here.point, &moves);
      for (uint32_t m = 0; m < moves.n; m++) {
        const struct pv_sym_step *step = pv_symbolic_step(g.symbolic, here.sym, &moves.at[m]);
        if (moves.at[m].kind > PV_MOVE_RETURN || !step->next) continue;
        if (step->input) input = step->input;
        bool is_new;
        struct at to = {moves.at[m].to, step->next, false};
        uint32_t at = *pv_map_put(&index, &to.point, sizeof to.point, reached.n, &is_new);
        if (is_new) {
          pv_vec_push(&reached, to);
          continue;
        }
        assert_false(reached.at[at].done);
        reached.at[at].sym = pv_symbolic_merge(g.symbolic, reached.at[at].sym, to.sym, to.point);
        merges++;
      }
      pv_vec_free(&moves);
    }
    assert_non_null(last);
    assert_non_null(input);
    assert_true(merges >= 2);
    struct pv_sort sort = pv_smt_sort(g.smt, input);
    const struct pv_function *main = NULL;
    for (uint32_t i = 0; i < c.program->functions.n; i++)
      if (!strcmp(c.program->functions.at[i].name, "main")) main = &c.program->functions.at[i];
    const struct pv_edge *ret = NULL;
    for (uint32_t i = 0; i < main->edges.n; i++)
      if (main->edges.at[i].op == PV_OP_RETURN) ret = &main->edges.at[i];
    assert_non_null(ret);
    for (int n = -30; n < 30; n++) {
      uint64_t lo = sort.kind == PV_SORT_INT ? (uint64_t)(int64_t)n : (uint32_t)n;
      uint64_t hi = sort.kind == PV_SORT_INT && n < 0 ? UINT64_MAX : 0;
      pv_term number = pv_smt_number(g.smt, sort, lo, hi);
      pv_term holds = pv_symbolic_condition(g.symbolic, last);
      holds = pv_smt_simplify(g.smt, pv_smt_substitute(g.smt, holds, 1, &input, &number));
      if (!pv_smt_is_true(g.smt, holds)) { /* quotients are constants of their own */
        pv_terms open = {0};
        pv_smt_constants(g.smt, holds, &open);
        assert_true(open.n > 0);
        pv_vec_free(&open);
        assert_int_equal(pv_smt_check(g.smt, 1, &holds), PV_SMT_SAT);
      }
      int x = n < 0 ? -n % 7 : n < 10 ? n + 2 : 5, y = n < 10 ? 1 : n / 3, global = n < 0 ? 3 : 9;
      const int expected[] = {x, y, global};
      static const char *const names[] = {"main::x", "main::y", "g"};
      for (uint32_t cell = 0; cell < pv_symbolic_cells(g.symbolic); cell++) {
        struct pv_str name = {0};
        pv_symbolic_cell_print(g.symbolic, cell, &name);
        for (int k = 0; k < 3; k++) {
          if (strcmp(names[k], pv_str_cstr(&name)) != 0) continue;
          pv_term value = pv_symbolic_value(g.symbolic, last, cell);
          struct pv_sort vs = pv_smt_sort(g.smt, value);
          bool whole = vs.kind == PV_SORT_INT;
          pv_term is = pv_smt_number(g.smt, vs,
                                     whole ? (uint64_t)(int64_t)expected[k] : (uint32_t)expected[k],
                                     whole && expected[k] < 0 ? UINT64_MAX : 0);
          pv_term differs = pv_smt_mk1(g.smt, PV_SMT_NOT, pv_smt_mk2(g.smt, PV_SMT_EQ, value, is));
          differs = pv_smt_substitute(g.smt, differs, 1, &input, &number);
          pv_term both[] = {holds, differs};
          if (pv_smt_check(g.smt, 2, both) != PV_SMT_UNSAT)
            fail_msg("n %d: %s is not %d", n, names[k], expected[k]);
        }
        pv_str_free(&name);
      }
    }
    pv_map_free(&index);
    pv_vec_free(&reached);
    pv_context_free(&g);
  }
  pv_checked_free(&c);
}

/* The same questions are the same objects: exploring again costs look-ups only. */
static void steps_and_merges_are_kept(void **state) {
  (void)state;
  begin(0, 0);
  pv_moves path = {0};
  while (!random_path(&path)) continue;
  const struct pv_sym *a = pv_symbolic_start(g.symbolic), *b = a;
  for (uint32_t i = 0; i + 1 < path.n && a; i++) {
    const struct pv_sym_step *x = pv_symbolic_step(g.symbolic, a, &path.at[i]);
    const struct pv_sym_step *y = pv_symbolic_step(g.symbolic, b, &path.at[i]);
    assert_ptr_equal(x, y);
    if (x->next)
      assert_ptr_equal(pv_symbolic_merge(g.symbolic, x->next, x->next, path.at[i].to), x->next);
    a = x->next;
    b = y->next;
  }
  pv_vec_free(&path);
  end();
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(paths_are_those_of_the_machine),
      cmocka_unit_test(merged_states_are_both),
      cmocka_unit_test(steps_and_merges_are_kept),
  };
  return cmocka_run_group_tests_name("cpa/symbolic", tests, NULL, NULL);
}
