/* ir_test.c -- hash consing, folding, construction and verification of functions. */
#include "ir/ir.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define I1  PV_INT(1)
#define I8  PV_INT(8)
#define I32 PV_INT(32)
#define I64 PV_INT(64)
#define PTR PV_TYPE(PV_T_PTR, 64)

static struct pv_program *p;

static int set_up(void **state) {
  (void)state;
  p = pv_program_new(64);
  return 0;
}

static int tear_down(void **state) {
  (void)state;
  pv_program_free(p);
  return 0;
}

static pv_expr k32(uint64_t v) {
  return pv_mk_const(p, I32, v);
}

static pv_expr op(enum pv_expr_op o, unsigned flags, pv_type t, pv_expr a, pv_expr b) {
  return pv_mk_binary(p, o, flags, t, a, b);
}

static void equal_expressions_are_one(void **state) {
  (void)state;
  pv_expr x = pv_mk_var(p, I32, 0), y = pv_mk_var(p, I32, 1);
  assert_int_equal(op(PV_X_ADD, 0, I32, x, y), op(PV_X_ADD, 0, I32, x, y));
  assert_int_not_equal(op(PV_X_ADD, 0, I32, x, y), op(PV_X_ADD, PV_XF_NSW, I32, x, y));
  assert_int_not_equal(op(PV_X_ADD, 0, I32, x, y), op(PV_X_ADD, 0, I32, y, x));
  assert_int_equal(k32(UINT64_MAX), k32(0xffffffff)); /* one representation of -1 */
  assert_int_not_equal(k32(1), pv_mk_const(p, I64, 1));
  assert_ptr_equal(pv_program_string(p, "name"), pv_program_string(p, "name"));
}

static void constants_fold(void **state) {
  (void)state;
  assert_int_equal(op(PV_X_ADD, 0, I32, k32(0xffffffff), k32(2)), k32(1));
  assert_int_equal(op(PV_X_SDIV, 0, I32, k32((uint64_t)-7), k32(2)), k32((uint64_t)-3));
  assert_int_equal(op(PV_X_SREM, 0, I32, k32((uint64_t)-7), k32(2)), k32((uint64_t)-1));
  assert_int_equal(op(PV_X_ASHR, 0, I32, k32(0x80000000), k32(31)), k32(0xffffffff));
  assert_int_equal(op(PV_X_SLT, 0, I1, k32((uint64_t)-1), k32(0)), pv_mk_const(p, I1, 1));
  assert_int_equal(op(PV_X_ULT, 0, I1, k32((uint64_t)-1), k32(0)), pv_mk_const(p, I1, 0));
  assert_int_equal(pv_mk_unary(p, PV_X_SEXT, I64, pv_mk_const(p, I8, 0x80)),
                   pv_mk_const(p, I64, (uint64_t)-128));
}

static void assert_stays(enum pv_expr_op o, unsigned flags, pv_expr a, pv_expr b) {
  pv_expr e = op(o, flags, pv_node(p, a)->type, a, b);
  assert_int_equal(pv_node(p, e)->op, o);
}

static void undefined_results_do_not_fold(void **state) {
  (void)state;
  assert_stays(PV_X_SDIV, 0, k32(1), k32(0));
  assert_stays(PV_X_UREM, 0, k32(1), k32(0));
  assert_stays(PV_X_SDIV, 0, k32(0x80000000), k32((uint64_t)-1));
  assert_stays(PV_X_SREM, 0, k32(0x80000000), k32((uint64_t)-1));
  assert_stays(PV_X_SHL, 0, k32(1), k32(32));
  assert_stays(PV_X_ADD, PV_XF_NSW, k32(0x7fffffff), k32(1));
  assert_stays(PV_X_MUL, PV_XF_NSW, k32(0x10000), k32(0x10000));
}

/* The value of an operation on two integers of `bits` bits; false: it is undefined. */
static bool computes(enum pv_expr_op o, unsigned bits, uint64_t a, uint64_t b, uint64_t *low) {
  bool is_condition = o >= PV_X_EQ && o <= PV_X_SLE;
  struct pv_expr_node n = {.op = (uint8_t)o, .flags = PV_XF_NSW, .type = PV_INT(bits)};
  if (is_condition) n.type = I1;
  pv_u128 r = 0;
  bool is = pv_compute(&n, bits, a, b, &r);
  *low = (uint64_t)r;
  assert_true(r >> 64 == 0);
  return is;
}

static void values_are_computed(void **state) {
  (void)state;
  static const struct {
    enum pv_expr_op op;
    unsigned bits;
    uint64_t a, b, value;
  } table[] = {{PV_X_ADD, 8, 0x7f, 1, 0x80}, /* wraps, whatever the flags say */
               {PV_X_ADD, 64, UINT64_MAX, 2, 1},
               {PV_X_SUB, 8, 0, 1, 0xff},
               {PV_X_MUL, 32, 0x10001, 0x10001, 0x20001},
               {PV_X_UDIV, 8, 0xf9, 2, 0x7c},
               {PV_X_SDIV, 8, 0xf9, 2, 0xfd},
               {PV_X_UREM, 8, 0xf9, 4, 1},
               {PV_X_SREM, 8, 0xf9, 4, 0xfd},
               {PV_X_SHL, 8, 0x81, 1, 2},
               {PV_X_LSHR, 8, 0x81, 7, 1},
               {PV_X_ASHR, 8, 0x81, 7, 0xff},
               {PV_X_ASHR, 64, UINT64_C(1) << 63, 63, UINT64_MAX},
               {PV_X_XOR, 8, 0xf0, 0xff, 0x0f},
               {PV_X_ULT, 8, 0x7f, 0x80, 1},
               {PV_X_SLT, 8, 0x7f, 0x80, 0},
               {PV_X_SLE, 64, UINT64_MAX, UINT64_MAX, 1},
               {PV_X_NE, 8, 1, 1, 0}};
  uint64_t value;
  for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
    assert_true(computes(table[i].op, table[i].bits, table[i].a, table[i].b, &value));
    assert_int_equal(value, table[i].value);
  }
  static const enum pv_expr_op divisions[] = {PV_X_SDIV, PV_X_UDIV, PV_X_SREM, PV_X_UREM};
  static const enum pv_expr_op shifts[] = {PV_X_SHL, PV_X_LSHR, PV_X_ASHR};
  for (int i = 0; i < 4; i++) {
    bool is_signed = divisions[i] == PV_X_SDIV || divisions[i] == PV_X_SREM;
    assert_false(computes(divisions[i], 8, 1, 0, &value));
    assert_true(computes(divisions[i], 8, 0x80, 0xff, &value) != is_signed);
  }
  for (int i = 0; i < 3; i++) assert_false(computes(shifts[i], 8, 1, 8, &value));
  assert_false(computes(PV_X_FADD, 64, 0, 0, &value));
}

static void widths_are_changed(void **state) {
  (void)state;
  pv_u128 r = 0;
  struct pv_expr_node n = {.op = PV_X_SEXT, .type = PV_INT(128)};
  assert_true(pv_compute(&n, 8, 0x80, 0, &r));
  assert_true((uint64_t)(r >> 64) == UINT64_MAX && (uint64_t)r == (uint64_t)-128);
  n.op = PV_X_ZEXT;
  assert_true(pv_compute(&n, 8, 0x80, 0, &r) && r == 0x80);
  n = (struct pv_expr_node){.op = PV_X_TRUNC, .type = I8};
  assert_true(pv_compute(&n, 32, 0x1234, 0, &r) && r == 0x34);
}

static void conditions_simplify(void **state) {
  (void)state;
  pv_expr x = pv_mk_var(p, I32, 0), y = pv_mk_var(p, I32, 1);
  pv_expr less = op(PV_X_SLT, 0, I1, x, y), wide = pv_mk_unary(p, PV_X_ZEXT, I32, less);
  assert_int_equal(op(PV_X_NE, 0, I1, wide, k32(0)), less);
  assert_int_equal(op(PV_X_EQ, 0, I1, wide, k32(0)), op(PV_X_SLE, 0, I1, y, x));
  assert_int_equal(pv_mk_not(p, pv_mk_not(p, less)), less);
  pv_expr flag = pv_mk_var(p, I1, 2);
  assert_int_equal(pv_mk_not(p, pv_mk_not(p, flag)), flag);
  pv_expr one = pv_mk_const(p, I1, 1), zero = pv_mk_const(p, I1, 0);
  assert_int_equal(op(PV_X_AND, 0, I1, flag, one), flag);
  assert_int_equal(op(PV_X_OR, 0, I1, zero, flag), flag);
  /* the operand must stay: evaluating it may be undefined */
  assert_int_not_equal(op(PV_X_AND, 0, I1, flag, zero), zero);
}

static void a_float_comparison_is_negated_with_nan_in_mind(void **state) {
  (void)state;
  struct pv_expr_node n = {.op = PV_X_FCMP, .aux = PV_FCMP_OLT, .type = I1};
  n.a = pv_mk_var(p, PV_FLOAT(64), 0);
  n.b = pv_mk_var(p, PV_FLOAT(64), 1);
  pv_expr less = pv_mk(p, n), not_less = pv_mk_not(p, less);
  assert_int_equal(pv_node(p, not_less)->aux, PV_FCMP_UGE);
  assert_int_equal(pv_mk_not(p, not_less), less);
}

static void offsets_merge_in_one_direction_only(void **state) {
  (void)state;
  pv_expr base = pv_mk_var(p, PTR, 0), two = pv_mk_const(p, I64, 2);
  pv_expr back = pv_mk_const(p, I64, (uint64_t)-2), up;
  assert_int_equal(op(PV_X_PTRADD, PV_XF_INBOUNDS, PTR, base, pv_mk_const(p, I64, 0)), base);
  up = op(PV_X_PTRADD, PV_XF_INBOUNDS, PTR, base, two);
  assert_int_equal(op(PV_X_PTRADD, PV_XF_INBOUNDS, PTR, up, two),
                   op(PV_X_PTRADD, PV_XF_INBOUNDS, PTR, base, pv_mk_const(p, I64, 4)));
  pv_expr there = op(PV_X_PTRADD, PV_XF_INBOUNDS, PTR, up, back);
  assert_int_not_equal(there, base); /* p + 2 may have left the object */
  assert_int_equal(pv_node(p, there)->a, up);
}

/* ---- functions ------------------------------------------------------------------------------- */

static void push(struct pv_function *f, struct pv_edge e) {
  pv_vec_push(&f->edges, e);
}

static struct pv_function *function(void) {
  p->start = pv_function_add(p, "f");
  struct pv_function *f = &p->functions.at[p->start];
  f->defined = true;
  f->exit = pv_loc_add(f);
  f->entry = pv_loc_add(f);
  struct pv_variable x = {.name = pv_program_string(p, "x"), .type = I32};
  pv_vec_push(&f->vars, x);
  return f;
}

static struct pv_edge assume(pv_loc from, pv_loc to, pv_expr cond) {
  struct pv_edge e = pv_edge_of(PV_OP_ASSUME, from, to);
  e.e[0] = cond;
  return e;
}

static struct pv_edge assign(pv_loc from, pv_loc to, pv_expr e0) {
  struct pv_edge e = pv_edge_of(PV_OP_ASSIGN, from, to);
  e.dst = 0;
  e.e[0] = e0;
  return e;
}

/* x = 0; while (x < 3) x = x + 1; return -- with locations and edges in a muddle. */
static struct pv_function *loop(void) {
  struct pv_function *f = function();
  pv_loc lost = pv_loc_add(f), body = pv_loc_add(f), head = pv_loc_add(f), end = pv_loc_add(f);
  pv_expr x = pv_mk_var(p, I32, 0), less = op(PV_X_SLT, 0, I1, x, k32(3));
  push(f, pv_edge_of(PV_OP_RETURN, end, f->exit));
  push(f, assign(lost, end, k32(7)));
  push(f, assign(body, head, op(PV_X_ADD, PV_XF_NSW, I32, x, k32(1))));
  push(f, assume(head, body, less));
  push(f, assume(head, end, pv_mk_not(p, less)));
  push(f, assign(f->entry, head, k32(0)));
  return f;
}

static void assert_valid(void) {
  char *why = pv_program_verify(p);
  if (why) fail_msg("%s", why);
}

static void assert_refused(const char *part) {
  char *why = pv_program_verify(p);
  assert_non_null(why);
  if (!strstr(why, part)) fail_msg("`%s` does not say `%s`", why, part);
  free(why);
}

static void finishing_sorts_and_drops_what_is_lost(void **state) {
  (void)state;
  struct pv_function *f = loop();
  pv_function_finish(p, f);
  assert_valid();
  assert_int_equal(f->locs.n, 5);
  assert_int_equal(f->edges.n, 5);
  assert_int_equal(f->entry, 0);
  assert_int_equal(f->exit, 4);
  assert_true(f->locs.at[1].loop_head);
  assert_false(f->locs.at[0].loop_head || f->locs.at[2].loop_head || f->locs.at[3].loop_head);
  assert_int_equal(f->locs.at[1].n_out, 2);
  assert_int_equal(f->locs.at[1].n_in, 2);
  assert_int_equal(f->edges.at[f->locs.at[1].first_out].to, 2); /* the true branch comes first */
  pv_function_finish(p, f);                                     /* a second time changes nothing */
  assert_int_equal(f->locs.n, 5);
  assert_true(f->locs.at[1].loop_head);
}

/* ---- sharing --------------------------------------------------------------------------------- */

/* A chain: each step assigns `value` to variable `var`, or is a condition if that is PV_NO_VAR;
 * then there is a return. Variable 0 belongs to the program, the others are temporaries of that
 * type. */
struct step {
  uint32_t var;
  pv_expr value;
};

static struct pv_function *chain(pv_type type, uint32_t n_temps, const struct step *steps,
                                 uint32_t n) {
  p->start = pv_function_add(p, "chain");
  struct pv_function *f = &p->functions.at[p->start];
  f->defined = true;
  for (uint32_t v = 0; v <= n_temps; v++) {
    struct pv_variable var = {.name = "v", .type = type, .is_temp = v > 0};
    pv_vec_push(&f->vars, var);
  }
  f->entry = pv_loc_add(f);
  f->exit = pv_loc_add(f);
  pv_loc at = f->entry;
  for (uint32_t i = 0; i < n; i++) {
    pv_loc next = pv_loc_add(f);
    if (steps[i].var == PV_NO_VAR) {
      push(f, assume(at, next, steps[i].value));
      push(f, assume(at, next, pv_mk_not(p, steps[i].value)));
    } else {
      struct pv_edge e = assign(at, next, steps[i].value);
      e.dst = steps[i].var;
      push(f, e);
    }
    at = next;
  }
  push(f, pv_edge_of(PV_OP_RETURN, at, f->exit));
  pv_function_finish(p, f);
  pv_function_share(p, f);
  assert_valid();
  return f;
}

#define CHAIN(TYPE, TEMPS, ...)                                                                    \
  chain(TYPE, TEMPS, (const struct step[]){__VA_ARGS__},                                           \
        sizeof((struct step[]){__VA_ARGS__}) / sizeof(struct step))

static void temporaries_are_shared(void **state) {
  (void)state;
  pv_expr one = pv_mk_const(p, I8, 1), a = pv_mk_var(p, I8, 1), b = pv_mk_var(p, I8, 2);
  struct pv_function *f = CHAIN(I8, 2, {1, one}, {0, a}, {2, one}, {0, b});
  assert_int_equal(f->vars.n, 2);
  assert_int_equal(f->edges.at[2].dst, 1);  /* 2 has become 1, */
  assert_int_equal(f->edges.at[3].e[0], a); /* where it is read as well */
  /* an unused one does not prevent the sharing of later ones */
  assert_int_equal(CHAIN(I8, 2, {1, one}, {2, one}, {0, b})->vars.n, 2);
}

static void temporaries_needed_together_are_not(void **state) {
  (void)state;
  pv_expr one = pv_mk_const(p, I8, 1), a = pv_mk_var(p, I8, 1), b = pv_mk_var(p, I8, 2);
  struct pv_function *f = CHAIN(I8, 2, {1, one}, {2, one}, {0, op(PV_X_SUB, 0, I8, a, b)});
  assert_int_equal(f->vars.n, 3);
  assert_int_equal(f->edges.at[2].e[0], op(PV_X_SUB, 0, I8, a, b));
  assert_int_equal(CHAIN(I8, 2, {1, one}, {2, one}, {0, b}, {0, a})->vars.n, 3);
  assert_int_equal(CHAIN(I8, 2, {1, one}, {2, one}, {0, a}, {0, b})->vars.n, 3);
  /* those that are read in another stretch are not shared, */
  pv_expr zero = op(PV_X_EQ, 0, I1, pv_mk_var(p, I8, 0), one);
  assert_int_equal(CHAIN(I8, 2, {1, one}, {PV_NO_VAR, zero}, {0, a}, {2, one}, {0, b})->vars.n, 3);
  /* nor those that are read before they are written (around a loop, as far as is known here), */
  assert_int_equal(CHAIN(I8, 2, {0, a}, {1, one}, {2, one}, {0, b})->vars.n, 3);
  /* nor those that are written twice */
  assert_int_equal(CHAIN(I8, 2, {1, one}, {0, a}, {1, one}, {0, a}, {2, one}, {0, b})->vars.n, 3);
}

static void temporaries_with_addresses_are_not(void **state) {
  (void)state;
  pv_expr one = pv_mk_const(p, I64, 1), a = pv_mk_var(p, I64, 1), b = pv_mk_var(p, I64, 2);
  pv_expr first = op(PV_X_EQ, 0, I1, a, one), second = op(PV_X_EQ, 0, I1, b, one);
  assert_int_equal(CHAIN(I64, 2, {1, one}, {0, a}, {2, one}, {0, b})->vars.n, 3);
  assert_int_equal(
      CHAIN(I64, 2, {1, one}, {PV_NO_VAR, first}, {2, one}, {PV_NO_VAR, second})->vars.n, 2);
}

static void an_endless_loop_keeps_its_exit(void **state) {
  (void)state;
  struct pv_function *f = function();
  push(f, pv_edge_of(PV_OP_SKIP, f->entry, f->entry));
  pv_function_finish(p, f);
  assert_valid();
  assert_int_equal(f->locs.n, 2);
  assert_true(f->locs.at[f->entry].loop_head);
}

static void a_condition_must_have_its_negation(void **state) {
  (void)state;
  struct pv_function *f = loop();
  f->edges.at[4].e[0] = f->edges.at[3].e[0];
  pv_function_finish(p, f);
  assert_refused("negation");
}

static void a_dead_end_is_refused(void **state) {
  (void)state;
  struct pv_function *f = function();
  push(f, assign(f->entry, pv_loc_add(f), k32(1)));
  pv_function_finish(p, f);
  assert_refused("dead end");
}

static void types_are_checked(void **state) {
  (void)state;
  struct pv_function *f = loop();
  f->edges.at[2].e[0] = pv_mk_const(p, I8, 1);
  pv_function_finish(p, f);
  assert_refused("wrong types");
}

static void variables_must_exist(void **state) {
  (void)state;
  struct pv_function *f = loop();
  f->edges.at[2].e[0] = pv_mk_var(p, I32, 9);
  pv_function_finish(p, f);
  assert_refused("no variable 9");
}

static void source_lines_are_found(void **state) {
  (void)state;
  struct pv_file file = {.path = pv_program_string(p, "a.c"), .text = pv_strdup("int x;\n  y;\n")};
  struct pv_str text = {0};
  file.length = strlen(file.text);
  pv_vec_push(&file.line_start, 0);
  pv_vec_push(&file.line_start, 7);
  pv_vec_push(&p->files, file);
  pv_vec_push(&p->spans, ((struct pv_span){1, 2, 3}));
  pv_vec_push(&p->spans, ((struct pv_span){1, 9, 1}));
  assert_true(pv_span_text(p, 1, &text));
  assert_string_equal(text.at, "y;");
  assert_string_equal(pv_span_file(p, 1), "a.c");
  assert_false(pv_span_text(p, 2, &text)); /* past the end */
  assert_false(pv_span_text(p, 0, &text));
  assert_string_equal(pv_span_file(p, 77), "?");
  pv_str_free(&text);
}

static struct pv_function *function_at(uint32_t i) {
  return &p->functions.at[i];
}

static void add_edge(struct pv_function *f, enum pv_op op, pv_loc from, pv_loc to, pv_expr e,
                     uint32_t dst, uint32_t callee) {
  struct pv_edge x = pv_edge_of(op, from, to);
  x.e[0] = e;
  x.dst = dst;
  x.callee = callee;
  pv_vec_push(&f->edges, x);
}

/* t = value; if (t) call `then`; return */
static void guarded_call(uint32_t function, uint64_t value, uint32_t then) {
  struct pv_function *f = function_at(function);
  struct pv_variable t = {.name = "t", .type = I1, .is_temp = true};
  pv_vec_push(&f->vars, t);
  f->defined = f->is_model = true;
  for (int i = 0; i < 5; i++) pv_loc_add(f);
  f->entry = 0, f->exit = 4;
  pv_expr cond = pv_mk_var(p, I1, 0);
  add_edge(f, PV_OP_ASSIGN, 0, 1, pv_mk_const(p, I1, value), 0, PV_NO_FUNC);
  add_edge(f, PV_OP_ASSUME, 1, 2, cond, PV_NO_VAR, PV_NO_FUNC);
  add_edge(f, PV_OP_ASSUME, 1, 3, pv_mk_not(p, cond), PV_NO_VAR, PV_NO_FUNC);
  add_edge(f, PV_OP_CALL, 2, 3, 0, PV_NO_VAR, then);
  add_edge(f, PV_OP_RETURN, 3, 4, 0, PV_NO_VAR, PV_NO_FUNC);
  pv_function_finish(p, f);
}

/* call `callee`; return */
static void only_calls(uint32_t function, uint32_t callee, bool is_model) {
  struct pv_function *f = function_at(function);
  f->defined = true;
  f->is_model = is_model;
  for (int i = 0; i < 3; i++) pv_loc_add(f);
  f->entry = 0, f->exit = 2;
  add_edge(f, PV_OP_CALL, 0, 1, 0, PV_NO_VAR, callee);
  add_edge(f, PV_OP_RETURN, 1, 2, 0, PV_NO_VAR, PV_NO_FUNC);
  pv_function_finish(p, f);
}

static void models_do_nothing_for_nothing(void **state) {
  (void)state;
  uint32_t work = pv_function_add(p, "work"), idle = pv_function_add(p, "idle");
  uint32_t busy = pv_function_add(p, "busy"), caller = pv_function_add(p, "caller");
  uint32_t other = pv_function_add(p, "other"), user = pv_function_add(p, "user");
  guarded_call(idle, 0, work);
  guarded_call(busy, 1, work);
  only_calls(caller, idle, true);
  only_calls(other, busy, true);
  only_calls(user, caller, false);
  pv_program_drop_idle(p);
  assert_int_equal(function_at(idle)->edges.n, 1);
  assert_int_equal(function_at(idle)->edges.at[0].op, PV_OP_RETURN);
  assert_int_equal(function_at(busy)->edges.n, 2); /* its branch is decided; the call stays */
  assert_int_equal(function_at(busy)->edges.at[0].callee, work);
  assert_int_equal(function_at(caller)->edges.n, 1); /* has nothing left to do either */
  assert_int_equal(function_at(other)->edges.at[0].callee, busy);
  assert_int_equal(function_at(user)->edges.n, 2); /* the program's own code */
  assert_int_equal(function_at(user)->edges.at[0].callee, caller);
}

#define TEST(F) cmocka_unit_test_setup_teardown(F, set_up, tear_down)

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(models_do_nothing_for_nothing),
      TEST(equal_expressions_are_one),
      TEST(constants_fold),
      TEST(undefined_results_do_not_fold),
      TEST(values_are_computed),
      TEST(widths_are_changed),
      TEST(conditions_simplify),
      TEST(a_float_comparison_is_negated_with_nan_in_mind),
      TEST(offsets_merge_in_one_direction_only),
      TEST(finishing_sorts_and_drops_what_is_lost),
      TEST(temporaries_are_shared),
      TEST(temporaries_needed_together_are_not),
      TEST(temporaries_with_addresses_are_not),
      TEST(an_endless_loop_keeps_its_exit),
      TEST(a_condition_must_have_its_negation),
      TEST(a_dead_end_is_refused),
      TEST(types_are_checked),
      TEST(variables_must_exist),
      TEST(source_lines_are_found),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
