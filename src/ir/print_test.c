/* print_test.c -- the printers on programs built by hand: texts are compared, printed C is compiled
 * and run. Every C test is one program whose exit status is the number of the first failed check.
 */
#include "ir/ir.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#define I1  PV_INT(1)
#define I8  PV_INT(8)
#define I16 PV_INT(16)
#define I32 PV_INT(32)
#define I64 PV_INT(64)
#define PTR PV_TYPE(PV_T_PTR, 64)

/* ---- building -------------------------------------------------------------------------------- */
struct build {
  struct pv_program *p;
  uint32_t function;
  pv_loc at;
};

static struct pv_function *function_of(struct build *b) {
  return &b->p->functions.at[b->function];
}

static struct build begin(struct pv_program *p, const char *name) {
  struct build b = {.p = p, .function = pv_function_add(p, name)};
  struct pv_function *f = function_of(&b);
  f->defined = true;
  b.at = f->entry = pv_loc_add(f);
  f->exit = pv_loc_add(f);
  return b;
}

static uint32_t add_var(struct build *b, const char *name, pv_type type) {
  struct pv_variable v = {.name = name, .type = type};
  pv_vec_push(&function_of(b)->vars, v);
  return function_of(b)->vars.n - 1;
}

static uint32_t add_slot(struct build *b, const char *name, uint64_t size, uint32_t align) {
  struct pv_slot s = {.name = name, .size = size, .align = align};
  pv_vec_push(&function_of(b)->slots, s);
  return function_of(b)->slots.n - 1;
}

static uint32_t add_global(struct pv_program *p, const char *name, uint64_t size) {
  struct pv_global g = {.name = name, .size = size, .align = 16};
  pv_vec_push(&p->globals, g);
  return p->globals.n - 1;
}

/* Appends an edge at the end of the straight line built so far. */
static void edge(struct build *b, struct pv_edge e) {
  struct pv_function *f = function_of(b);
  bool last = e.op == PV_OP_RETURN || e.op == PV_OP_STOP;
  e.from = b->at;
  e.to = last ? f->exit : pv_loc_add(f);
  b->at = e.to;
  pv_vec_push(&f->edges, e);
}

static struct pv_edge op(enum pv_op o) {
  return pv_edge_of(o, 0, 0);
}

static pv_expr leaf(struct build *b, enum pv_expr_op o, pv_type type, uint64_t lo) {
  return pv_mk(b->p, (struct pv_expr_node){.op = (uint8_t)o, .type = type, .lo = lo});
}
static pv_expr var(struct build *b, uint32_t v) {
  return pv_mk_var(b->p, function_of(b)->vars.at[v].type, v);
}
static pv_expr num(struct build *b, pv_type type, uint64_t v) {
  return pv_mk_const(b->p, type, v);
}

static void assign(struct build *b, uint32_t dst, pv_expr e) {
  struct pv_edge x = op(PV_OP_ASSIGN);
  x.dst = dst;
  x.e[0] = e;
  edge(b, x);
}

static void stop(struct build *b, pv_expr code) {
  struct pv_edge e = op(PV_OP_STOP);
  e.aux = PV_STOP_EXIT;
  e.e[0] = code;
  edge(b, e);
}

/* Continues only if `condition` holds; otherwise the program exits with `status`. */
static void require(struct build *b, pv_expr condition, unsigned status) {
  struct pv_function *f = function_of(b);
  pv_loc good = pv_loc_add(f), bad = pv_loc_add(f);
  struct pv_edge yes = pv_edge_of(PV_OP_ASSUME, b->at, good),
                 no = pv_edge_of(PV_OP_ASSUME, b->at, bad),
                 end = pv_edge_of(PV_OP_STOP, bad, f->exit);
  yes.e[0] = condition;
  no.e[0] = pv_mk_not(b->p, condition);
  end.aux = PV_STOP_EXIT;
  end.e[0] = num(b, I32, status);
  pv_vec_push(&f->edges, yes);
  pv_vec_push(&f->edges, no);
  pv_vec_push(&f->edges, end);
  b->at = good;
}

static void finish(struct build *b) {
  pv_function_finish(b->p, function_of(b));
}

/* A value that is unknown to compilers and not folded by pv_mk: it is read from volatile memory. */
static pv_expr opaque(struct build *b, pv_type type, pv_expr value) {
  uint32_t slot = add_slot(b, "box", 16, 16), v = add_var(b, "value", type);
  struct pv_edge store = op(PV_OP_STORE), load = op(PV_OP_LOAD);
  store.flags = load.flags = PV_EF_VOLATILE;
  store.type = load.type = type;
  store.e[0] = load.e[0] = leaf(b, PV_X_SLOT, PTR, slot);
  store.e[1] = value;
  load.dst = v;
  edge(b, store);
  edge(b, load);
  return var(b, v);
}
static pv_expr hidden(struct build *b, pv_type type, uint64_t v) {
  return opaque(b, type, num(b, type, v));
}

/* ---- running the printed C ------------------------------------------------------------------- */
static void write_text(const char *path, const char *text) {
  FILE *f = fopen(path, "w");
  assert_non_null(f);
  fputs(text, f);
  fclose(f);
}

static int compile_and_run(const struct pv_program *p, const char *extra_source) {
  const char *tmp = getenv("TMPDIR");
  struct pv_str c = {0};
  char *folder = pv_format("%s/pv_print_XXXXXX", tmp ? tmp : "/tmp");
  assert_non_null(mkdtemp(folder));
  char *program = pv_format("%s/p.c", folder), *extra = pv_format("%s/x.c", folder);
  pv_program_print(p, PV_IR_C, &c);
  write_text(program, c.at);
  write_text(extra, extra_source);
  char *command = pv_format("cc -std=gnu11 -O2 -fno-strict-aliasing -fwrapv -w -pthread %s %s -o "
                            "%s/p -lm && %s/p",
                            program, extra, folder, folder);
  int status = system(command);
  if (status != 0 && getenv("PV_KEEP")) write_text("print_test_failed.c", c.at);
  char *clean = pv_format("rm -r %s", folder);
  assert_int_equal(system(clean), 0);
  free(clean);
  free(command);
  free(program);
  free(extra);
  free(folder);
  pv_str_free(&c);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + status;
}

static void verified(const struct pv_program *p) {
  char *message = pv_program_verify(p);
  if (message) fail_msg("%s", message);
}

/* ---- text ------------------------------------------------------------------------------------ */
static void assert_expr(struct build *b, pv_expr e, const char *wanted) {
  struct pv_str s = {0};
  pv_expr_print(b->p, function_of(b), e, &s);
  assert_string_equal(pv_str_cstr(&s), wanted);
  pv_str_free(&s);
}

static pv_expr bin(struct build *b, enum pv_expr_op o, pv_type t, pv_expr x, pv_expr y) {
  return pv_mk_binary(b->p, o, 0, t, x, y);
}

static void test_expressions(void **state) {
  (void)state;
  struct pv_program *p = pv_program_new(64);
  struct build b = begin(p, "f");
  pv_expr x = var(&b, add_var(&b, "x", I32)), y = var(&b, add_var(&b, "y", I32));
  pv_expr again = var(&b, add_var(&b, "x", I32)), q = var(&b, add_var(&b, "p", PTR));
  pv_expr one = num(&b, I32, 1), minus = num(&b, I32, 0xffffffff);
  pv_expr sum = bin(&b, PV_X_ADD, I32, x, y);
  assert_expr(&b, sum, "x + y");
  assert_expr(&b, again, "x@2");
  assert_expr(&b, bin(&b, PV_X_ADD, I32, x, minus), "x - 1");
  assert_expr(&b, bin(&b, PV_X_MUL, I32, sum, y), "(x + y) * y");
  assert_expr(&b, bin(&b, PV_X_SUB, I32, x, bin(&b, PV_X_SUB, I32, y, x)), "x - (y - x)");
  assert_expr(&b, bin(&b, PV_X_SUB, I32, bin(&b, PV_X_SUB, I32, x, y), x), "x - y - x");
  assert_expr(&b, bin(&b, PV_X_UDIV, I32, x, y), "x /u y");
  assert_expr(&b, bin(&b, PV_X_SDIV, I32, x, y), "x / y");
  assert_expr(&b, bin(&b, PV_X_ULT, I1, x, minus), "x <u 4294967295");
  assert_expr(&b, bin(&b, PV_X_SLT, I1, x, minus), "x < -1");
  assert_expr(&b, bin(&b, PV_X_EQ, I1, x, minus), "x == -1");
  assert_expr(&b, bin(&b, PV_X_AND, I32, x, bin(&b, PV_X_SHL, I32, one, y)), "x & (1 << y)");
  assert_expr(&b, pv_mk_unary(p, PV_X_SEXT, I64, x), "(i64)x");
  assert_expr(&b, pv_mk_unary(p, PV_X_ZEXT, I64, sum), "(u64)(x + y)");
  assert_expr(&b, pv_mk_unary(p, PV_X_UITOFP, PV_FLOAT(64), x), "(double)(u32)x");
  assert_expr(&b, bin(&b, PV_X_EQ, I1, q, num(&b, PTR, 0)), "p == NULL");
  assert_expr(&b, bin(&b, PV_X_PTRADD, PTR, q, num(&b, I64, 8)), "p + 8");
  uint64_t tenth;
  double d = 0.1;
  memcpy(&tenth, &d, 8);
  assert_expr(&b, num(&b, PV_FLOAT(64), tenth), "0.1");
  pv_program_free(p);
}

static pv_srctype add_srctype(struct pv_program *p, struct pv_srctype_info t) {
  if (p->srctypes.n == 0) pv_vec_push(&p->srctypes, (struct pv_srctype_info){0});
  pv_vec_push(&p->srctypes, t);
  return p->srctypes.n - 1;
}

/* struct node { int value; char name[8]; struct node *next; } with its pointer type. */
static pv_srctype node_pointer(struct pv_program *p, pv_srctype *node) {
  pv_srctype i =
      add_srctype(p, (struct pv_srctype_info){.kind = PV_S_SIGNED, .bits = 32, .name = "int"});
  pv_srctype c =
      add_srctype(p, (struct pv_srctype_info){.kind = PV_S_CHAR, .bits = 8, .name = "char"});
  pv_srctype a = add_srctype(
      p, (struct pv_srctype_info){.kind = PV_S_ARRAY, .bits = 64, .element = c, .count = 8});
  struct pv_srctype_info s = {.kind = PV_S_STRUCT, .bits = 192, .name = "struct node"};
  *node = add_srctype(p, s);
  pv_srctype np =
      add_srctype(p, (struct pv_srctype_info){.kind = PV_S_POINTER, .bits = 64, .element = *node});
  struct pv_srctype_info *t = &p->srctypes.at[*node];
  struct pv_srcfield fields[] = {{"value", i, 0, 32}, {"name", a, 32, 64}, {"next", np, 128, 64}};
  for (unsigned k = 0; k < 3; k++) pv_vec_push(&t->fields, fields[k]);
  return np;
}

static void assert_load(struct build *b, pv_expr address, pv_type type, const char *wanted) {
  struct pv_edge e = op(PV_OP_LOAD);
  struct pv_str s = {0};
  e.dst = 0;
  e.type = type;
  e.e[0] = address;
  pv_edge_print(b->p, function_of(b), &e, &s);
  assert_string_equal(pv_str_cstr(&s), wanted);
  pv_str_free(&s);
}

static void test_places(void **state) {
  (void)state;
  struct pv_program *p = pv_program_new(64);
  struct build b = begin(p, "f");
  pv_srctype node, np = node_pointer(p, &node);
  pv_expr i = var(&b, add_var(&b, "i", I32));
  uint32_t n = add_var(&b, "n", PTR), g = add_global(p, "head", 24);
  function_of(&b)->vars.at[n].srctype = np;
  p->globals.at[g].srctype = node;
  pv_expr pn = var(&b, n), gh = leaf(&b, PV_X_GLOBAL, PTR, g), wide;
#define AT(P, N) bin(&b, PV_X_PTRADD, PTR, P, num(&b, I64, N))
  assert_load(&b, AT(pn, 16), PTR, "i = n->next");
  assert_load(&b, pn, I32, "i = n->value");
  assert_load(&b, gh, I32, "i = head.value");
  assert_load(&b, AT(gh, 6), I8, "i = head.name[2]");
  assert_load(&b, AT(pn, 24 + 16), PTR, "i = n[1].next");
  assert_load(&b, AT(pn, 2), I16, "i = *(i16 *)(n + 2)"); /* part of a member: not named */
  wide = pv_mk_unary(p, PV_X_SEXT, I64, i);
  assert_load(&b, bin(&b, PV_X_PTRADD, PTR, AT(gh, 4), wide), I8, "i = head.name[i]");
  assert_load(&b,
              AT(bin(&b, PV_X_PTRADD, PTR, pn, bin(&b, PV_X_MUL, I64, wide, num(&b, I64, 24))), 16),
              PTR, "i = n[i].next");
  assert_expr(&b, AT(pn, 16), "&n->next");
  assert_expr(&b, gh, "&head");
#undef AT
  pv_program_free(p);
}

static void test_edges(void **state) {
  (void)state;
  struct pv_program *p = pv_program_new(64);
  struct build b = begin(p, "f");
  uint32_t x = add_var(&b, "x", I32), callee = pv_function_add(p, "g");
  struct pv_str s = {0};
  pv_expr args[] = {var(&b, x), num(&b, I32, 3)};
  struct pv_edge call = op(PV_OP_CALL), havoc = op(PV_OP_HAVOC), error = op(PV_OP_ERROR);
  call.callee = callee;
  call.args = pv_mk_args(p, args, 2);
  pv_edge_print(p, function_of(&b), &call, &s);
  assert_string_equal(pv_str_cstr(&s), "call g(x, 3)");
  pv_str_clear(&s);
  pv_expr dst = x; /* a variable, not an expression */
  call.dsts = pv_mk_args(p, &dst, 1);
  pv_edge_print(p, function_of(&b), &call, &s);
  assert_string_equal(pv_str_cstr(&s), "x = g(x, 3)");
  pv_str_clear(&s);
  havoc.dst = x;
  havoc.text = "__VERIFIER_nondet_int";
  pv_edge_print(p, function_of(&b), &havoc, &s);
  assert_string_equal(pv_str_cstr(&s), "x = __VERIFIER_nondet_int()");
  pv_str_clear(&s);
  error.text = "assertion `x > 0` fails";
  pv_edge_print(p, function_of(&b), &error, &s);
  assert_string_equal(pv_str_cstr(&s), "error: assertion `x > 0` fails");
  pv_str_free(&s);
  pv_program_free(p);
}

static void test_dot(void **state) {
  (void)state;
  struct pv_program *p = pv_program_new(64);
  struct build b = begin(p, "quote\"d");
  struct pv_edge e = op(PV_OP_ERROR);
  struct pv_str s = {0};
  e.text = "a \"b\" \\ c\n";
  edge(&b, e);
  stop(&b, num(&b, I32, 0));
  finish(&b);
  pv_program_print(p, PV_IR_DOT, &s);
  assert_non_null(strstr(s.at, "label=\"quote\\\"d\""));
  assert_non_null(strstr(s.at, "error: a \\\"b\\\" \\\\ c\\l"));
  pv_str_clear(&s);
  pv_program_print(p, PV_IR_TEXT, &s);
  assert_non_null(strstr(s.at, "function quote\"d()"));
  assert_non_null(strstr(s.at, "exit(0)"));
  pv_str_free(&s);
  pv_program_free(p);
}

/* ---- C --------------------------------------------------------------------------------------- */
static void test_c_arithmetic(void **state) {
  (void)state;
  static const struct {
    enum pv_expr_op op;
    unsigned bits;
    uint64_t a, b, result;
  } cases[] = {
      {PV_X_ADD, 8, 200, 100, 44},
      {PV_X_ADD, 32, 0xffffffff, 2, 1},
      {PV_X_SUB, 16, 1, 2, 0xffff},
      {PV_X_MUL, 16, 0xffff, 0xffff, 1},
      {PV_X_MUL, 24, 0xffffff, 0xffffff, 1},
      {PV_X_MUL, 64, UINT64_MAX, 3, UINT64_MAX - 2},
      {PV_X_SDIV, 32, (uint32_t)-7, 2, (uint32_t)-3},
      {PV_X_SREM, 32, (uint32_t)-7, 2, (uint32_t)-1},
      {PV_X_UDIV, 32, (uint32_t)-7, 2, 0x7ffffffc},
      {PV_X_SDIV, 8, 0x80, 3, 0xd6},
      {PV_X_SDIV, 24, 0xffffff, 1, 0xffffff},
      {PV_X_SREM, 5, 0x1f, 3, 0x1f},
      {PV_X_UREM, 64, UINT64_MAX, 10, 5},
      {PV_X_SHL, 8, 0xff, 4, 0xf0},
      {PV_X_SHL, 33, 3, 32, 1ull << 32},
      {PV_X_LSHR, 16, 0x8000, 15, 1},
      {PV_X_ASHR, 16, 0x8000, 15, 0xffff},
      {PV_X_ASHR, 33, 1ull << 32, 31, (1ull << 33) - 2},
      {PV_X_AND, 8, 0xf3, 0x3f, 0x33},
      {PV_X_XOR, 32, 0xff00ff00, 0xffffffff, 0x00ff00ff},
      {PV_X_XOR, 7, 0x55, 0x7f, 0x2a},
  };
  struct pv_program *p = pv_program_new(64);
  struct build b = begin(p, "start");
  p->start = b.function;
  for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
    pv_type t = PV_INT(cases[i].bits);
    pv_expr x = hidden(&b, t, cases[i].a), y = hidden(&b, t, cases[i].b);
    pv_expr r = bin(&b, cases[i].op, t, x, y);
    require(&b, bin(&b, PV_X_EQ, I1, r, num(&b, t, cases[i].result)), i + 1);
    r = bin(&b, cases[i].op, t, x, num(&b, t, cases[i].b));
    require(&b, bin(&b, PV_X_EQ, I1, r, num(&b, t, cases[i].result)), i + 101);
  }
  stop(&b, num(&b, I32, 0));
  finish(&b);
  verified(p);
  assert_int_equal(compile_and_run(p, ""), 0);
  pv_program_free(p);
}

static pv_expr aux_op(struct build *b, enum pv_expr_op o, unsigned aux, pv_type t, pv_expr x,
                      pv_expr y, pv_expr z) {
  return pv_mk(b->p,
               (struct pv_expr_node){
                   .op = (uint8_t)o, .aux = (uint16_t)aux, .type = t, .a = x, .b = y, .c = z});
}

static void require_equal(struct build *b, pv_expr e, pv_type t, uint64_t v, unsigned status) {
  require(b, bin(b, PV_X_EQ, I1, e, num(b, t, v)), status);
}

static void test_c_conversions(void **state) {
  (void)state;
  struct pv_program *p = pv_program_new(64);
  struct build b = begin(p, "start");
  p->start = b.function;
  pv_expr i8 = hidden(&b, I8, 0x80), i1 = hidden(&b, I1, 1), i24 = hidden(&b, PV_INT(24), 0x800001);
  require_equal(&b, pv_mk_unary(p, PV_X_SEXT, I32, i8), I32, 0xffffff80, 1);
  require_equal(&b, pv_mk_unary(p, PV_X_ZEXT, I64, i8), I64, 0x80, 2);
  require_equal(&b, pv_mk_unary(p, PV_X_SEXT, I64, i1), I64, UINT64_MAX, 3);
  require_equal(&b, pv_mk_unary(p, PV_X_SEXT, PV_INT(40), i24), PV_INT(40), 0xffff800001, 4);
  require_equal(&b, pv_mk_unary(p, PV_X_TRUNC, PV_INT(9), i24), PV_INT(9), 1, 5);
  pv_type d = PV_FLOAT(64);
  pv_expr f = opaque(&b, d, pv_mk_unary(p, PV_X_SITOFP, d, hidden(&b, I32, (uint32_t)-3)));
  require_equal(&b, pv_mk_unary(p, PV_X_FPTOSI, I32, f), I32, (uint32_t)-3, 6);
  require_equal(&b, pv_mk_unary(p, PV_X_BITCAST, I64, f), I64, 0xc008000000000000, 7);
  pv_expr nan = pv_mk_unary(p, PV_X_BITCAST, d, hidden(&b, I64, 0x7ff8000000000000));
  nan = opaque(&b, d, nan);
  pv_expr ult = aux_op(&b, PV_X_FCMP, PV_FCMP_ULT, I1, nan, f, 0);
  require(&b, ult, 8);
  require(&b, pv_mk_not(p, aux_op(&b, PV_X_FCMP, PV_FCMP_OLT, I1, nan, f, 0)), 9);
  require(&b, aux_op(&b, PV_X_FCMP, PV_FCMP_UNO, I1, nan, f, 0), 10);
  require(&b, aux_op(&b, PV_X_FCMP, PV_FCMP_UNE, I1, nan, nan, 0), 11);
  pv_type w = PV_INT(128), x = PV_FLOAT(80);
  pv_expr wide = opaque(&b, w, pv_mk_unary(p, PV_X_SEXT, w, hidden(&b, I64, (uint64_t)-5)));
  wide = bin(&b, PV_X_MUL, w, wide, wide);
  require_equal(&b, pv_mk_unary(p, PV_X_TRUNC, I64, wide), I64, 25, 12);
  pv_expr ld = opaque(&b, x, pv_mk_unary(p, PV_X_FPCONV, x, f));
  ld = bin(&b, PV_X_FMUL, x, ld, ld);
  require_equal(&b, pv_mk_unary(p, PV_X_FPTOUI, I8, ld), I8, 9, 13);
  pv_expr a = hidden(&b, I32, 0x7fffffff), one = hidden(&b, I32, 1);
  require(&b, aux_op(&b, PV_X_OVERFLOWS, PV_OVF_SADD, I1, a, one, 0), 14);
  require(&b, pv_mk_not(p, aux_op(&b, PV_X_OVERFLOWS, PV_OVF_UADD, I1, a, one, 0)), 15);
  pv_expr n24 = hidden(&b, PV_INT(24), 1), top = hidden(&b, PV_INT(24), 0x7fffff);
  require(&b, aux_op(&b, PV_X_OVERFLOWS, PV_OVF_SADD, I1, top, n24, 0), 16);
  require(&b, pv_mk_not(p, aux_op(&b, PV_X_OVERFLOWS, PV_OVF_SSUB, I1, top, n24, 0)), 17);
  require(&b, aux_op(&b, PV_X_OVERFLOWS, PV_OVF_USUB, I1, n24, top, 0), 18);
  require(&b, aux_op(&b, PV_X_OVERFLOWS, PV_OVF_UMUL, I1, top, top, 0), 19);
  stop(&b, num(&b, I32, 0));
  finish(&b);
  verified(p);
  assert_int_equal(compile_and_run(p, ""), 0);
  pv_program_free(p);
}

static void test_c_intops(void **state) {
  (void)state;
  static const struct {
    enum pv_intop op;
    unsigned bits;
    uint64_t a, b, c, result;
  } cases[] = {
      {PV_INTOP_CTPOP, 32, 0xf0f0f0f0, 0, 0, 16},
      {PV_INTOP_CTLZ, 16, 1, 0, 0, 15},
      {PV_INTOP_CTLZ, 64, 0, 0, 0, 64},
      {PV_INTOP_CTTZ, 32, 8, 0, 0, 3},
      {PV_INTOP_CTTZ, 8, 0, 0, 0, 8},
      {PV_INTOP_BSWAP, 32, 0x11223344, 0, 0, 0x44332211},
      {PV_INTOP_BITREVERSE, 8, 0x13, 0, 0, 0xc8},
      {PV_INTOP_ABS, 16, 0xfffb, 0, 0, 5},
      {PV_INTOP_SMIN, 32, 0xffffffff, 1, 0, 0xffffffff},
      {PV_INTOP_UMIN, 32, 0xffffffff, 1, 0, 1},
      {PV_INTOP_SMAX, 8, 0x80, 0x7f, 0, 0x7f},
      {PV_INTOP_UMAX, 8, 0x80, 0x7f, 0, 0x80},
      {PV_INTOP_FSHL, 32, 0x80000001, 0x80000000, 1, 3},
      {PV_INTOP_FSHR, 32, 1, 2, 1, 0x80000001},
      {PV_INTOP_SADD_SAT, 8, 100, 100, 0, 127},
      {PV_INTOP_SADD_SAT, 8, 0x80, 0xff, 0, 0x80},
      {PV_INTOP_UADD_SAT, 16, 0xfff0, 0x20, 0, 0xffff},
      {PV_INTOP_USUB_SAT, 32, 1, 2, 0, 0},
      {PV_INTOP_SSUB_SAT, 64, 5, 7, 0, (uint64_t)-2},
  };
  struct pv_program *p = pv_program_new(64);
  struct build b = begin(p, "start");
  p->start = b.function;
  for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
    pv_type t = PV_INT(cases[i].bits);
    bool third = cases[i].op == PV_INTOP_FSHL || cases[i].op == PV_INTOP_FSHR;
    bool second = cases[i].op >= PV_INTOP_SMIN;
    pv_expr e =
        aux_op(&b, PV_X_INTOP, cases[i].op, t, hidden(&b, t, cases[i].a),
               second ? hidden(&b, t, cases[i].b) : 0, third ? hidden(&b, t, cases[i].c) : 0);
    require_equal(&b, e, t, cases[i].result, i + 1);
  }
  stop(&b, num(&b, I32, 0));
  finish(&b);
  assert_int_equal(compile_and_run(p, ""), 0);
  pv_program_free(p);
}

/* ---- random expressions: the folding of constants is the oracle --------------------------------
 */
struct twin { /* the same expression over hidden values and over constants */
  pv_expr hidden, constant;
};

static uint64_t random_state;
static uint64_t next_random(void) { /* splitmix64 */
  uint64_t z = random_state += 0x9e3779b97f4a7c15;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
  z = (z ^ z >> 27) * 0x94d049bb133111eb;
  return z ^ z >> 31;
}
static unsigned pick(unsigned n) {
  return (unsigned)(next_random() % n);
}

static struct twin random_leaf(struct build *b, pv_type t) {
  static const uint64_t special[] = {0, 1, 2, 7, UINT64_MAX, UINT64_MAX - 1};
  bool small = pick(2);
  struct pv_expr_node n = {.op = PV_X_CONST, .type = t};
  n.lo = small ? special[pick(6)] : next_random();
  n.hi = small ? (n.lo > 9 ? UINT64_MAX : 0) : next_random();
  if (pick(6) == 0) { /* the least signed value */
    unsigned bits = pv_type_bits(t);
    n.lo = bits <= 64 ? 1ull << (bits - 1) : 0;
    n.hi = bits > 64 ? 1ull << (bits - 65) : 0;
  }
  pv_expr constant = pv_mk(b->p, n);
  return (struct twin){pick(4) ? opaque(b, t, constant) : constant, constant};
}

static struct twin random_expr(struct build *b, pv_type t, int depth);

static struct twin random_binary(struct build *b, enum pv_expr_op o, pv_type result, pv_type t,
                                 int depth) {
  struct twin x = random_expr(b, t, depth), y = random_expr(b, t, depth);
  return (struct twin){bin(b, o, result, x.hidden, y.hidden),
                       bin(b, o, result, x.constant, y.constant)};
}

static struct twin random_unary(struct build *b, enum pv_expr_op o, pv_type result, pv_type t,
                                int depth) {
  struct twin x = random_expr(b, t, depth);
  return (struct twin){pv_mk_unary(b->p, o, result, x.hidden),
                       pv_mk_unary(b->p, o, result, x.constant)};
}

static struct twin random_expr(struct build *b, pv_type t, int depth) {
  static const unsigned widths[] = {1, 5, 8, 13, 16, 24, 32, 33, 48, 64, 65, 100, 128};
  static const enum pv_expr_op shifts[] = {PV_X_SHL, PV_X_LSHR, PV_X_ASHR};
  unsigned bits = pv_type_bits(t), other = widths[pick(13)];
  if (depth == 0) return random_leaf(b, t);
  if (bits == 1 && pick(2)) /* comparisons */
    return random_binary(b, (enum pv_expr_op)(PV_X_EQ + pick(6)), I1, PV_INT(other), depth - 1);
  switch (pick(6)) {
  case 0:
    if (other < bits)
      return random_unary(b, pick(2) ? PV_X_ZEXT : PV_X_SEXT, t, PV_INT(other), depth - 1);
    if (other > bits) return random_unary(b, PV_X_TRUNC, t, PV_INT(other), depth - 1);
    return random_leaf(b, t);
  case 1: {
    enum pv_expr_op o = shifts[pick(3)];
    struct twin x = random_expr(b, t, depth - 1);
    pv_expr amount = num(b, t, pick(bits));
    pv_expr box = pick(2) ? opaque(b, t, amount) : amount;
    return (struct twin){bin(b, o, t, x.hidden, box), bin(b, o, t, x.constant, amount)};
  }
  case 2: {
    struct twin c = random_expr(b, I1, depth - 1), x = random_expr(b, t, depth - 1),
                y = random_expr(b, t, depth - 1);
    return (struct twin){aux_op(b, PV_X_SELECT, 0, t, c.hidden, x.hidden, y.hidden),
                         aux_op(b, PV_X_SELECT, 0, t, c.constant, x.constant, y.constant)};
  }
  default: {
    static const enum pv_expr_op ops[] = {PV_X_ADD, PV_X_SUB,  PV_X_MUL,  PV_X_AND,  PV_X_OR,
                                          PV_X_XOR, PV_X_SDIV, PV_X_UDIV, PV_X_SREM, PV_X_UREM};
    return random_binary(b, ops[pick(bits == 1 ? 6 : 10)], t, t, depth - 1);
  }
  }
}

static void test_c_random(void **state) {
  (void)state;
  static const unsigned widths[] = {1, 5, 8, 13, 16, 24, 32, 33, 48, 64, 65, 100, 128};
  random_state = 2024;
  for (unsigned program = 0; program < 4; program++) {
    struct pv_program *p = pv_program_new(64);
    struct build b = begin(p, "start");
    p->start = b.function;
    for (unsigned tests = 0; tests < 120;) {
      pv_type t = PV_INT(widths[pick(13)]);
      struct twin x = random_expr(&b, t, 1 + (int)pick(3));
      if (pv_node(p, x.constant)->op != PV_X_CONST) continue; /* undefined somewhere */
      require(&b, bin(&b, PV_X_EQ, I1, x.hidden, x.constant), 1 + tests++);
    }
    stop(&b, num(&b, I32, 0));
    finish(&b);
    verified(p);
    assert_int_equal(compile_and_run(p, ""), 0);
    pv_program_free(p);
  }
}

/* pair(x) = {x + 1, (double)x}, called directly and through a table of function addresses. */
static void test_c_calls(void **state) {
  (void)state;
  struct pv_program *p = pv_program_new(64);
  struct build g = begin(p, "pair.of");
  struct pv_function *f = function_of(&g);
  f->n_params = 1;
  f->n_results = 2;
  f->result[0] = I32;
  f->result[1] = PV_FLOAT(64);
  pv_expr x = var(&g, add_var(&g, "while", I32)); /* a keyword of C */
  pv_expr results[] = {bin(&g, PV_X_ADD, I32, x, num(&g, I32, 1)),
                       pv_mk_unary(p, PV_X_SITOFP, PV_FLOAT(64), x)};
  struct pv_edge ret = op(PV_OP_RETURN);
  ret.args = pv_mk_args(p, results, 2);
  edge(&g, ret);
  finish(&g);

  uint32_t table = add_global(p, ".table", 24);
  uint8_t *init = pv_alloc(24);
  init[0] = 7;
  p->globals.at[table].init = init;
  struct build b = begin(p, "main");
  p->start = b.function;
  struct pv_reloc r = {.offset = 8, .value = leaf(&b, PV_X_FUNC, PTR, g.function)};
  pv_vec_push(&p->globals.at[table].relocs, r);
  pv_expr t = leaf(&b, PV_X_GLOBAL, PTR, table);
  r = (struct pv_reloc){.offset = 16, .value = bin(&b, PV_X_PTRADD, PTR, t, num(&b, I64, 8))};
  pv_vec_push(&p->globals.at[table].relocs, r);

  uint32_t ints = add_var(&b, "n", I32), dbl = add_var(&b, "n", PV_FLOAT(64));
  uint32_t ptr = add_var(&b, "ptr", PTR), byte = add_var(&b, "byte", I8);
  for (unsigned indirect = 0; indirect < 2; indirect++) {
    struct pv_edge call = op(PV_OP_CALL), load = op(PV_OP_LOAD);
    pv_expr arg = num(&b, I32, 41), dsts[] = {ints, dbl};
    load.type = PTR;
    load.dst = ptr;
    load.e[0] = bin(&b, PV_X_PTRADD, PTR, t, num(&b, I64, 16));
    edge(&b, load); /* the address of the second word .. */
    load.e[0] = var(&b, ptr);
    edge(&b, load); /* .. and what is there: the function */
    call.callee = indirect ? PV_NO_FUNC : g.function;
    if (indirect) call.e[0] = var(&b, ptr);
    call.args = pv_mk_args(p, &arg, 1);
    call.dsts = pv_mk_args(p, dsts, 2);
    edge(&b, call);
    require_equal(&b, var(&b, ints), I32, 42, 1 + indirect);
    require_equal(&b, pv_mk_unary(p, PV_X_FPTOSI, I32, var(&b, dbl)), I32, 41, 3 + indirect);
  }
  struct pv_edge load = op(PV_OP_LOAD);
  load.type = I8;
  load.dst = byte;
  load.e[0] = t;
  edge(&b, load);
  require_equal(&b, var(&b, byte), I8, 7, 5);
  stop(&b, num(&b, I32, 0));
  finish(&b);
  verified(p);
  assert_int_equal(compile_and_run(p, ""), 0);
  pv_program_free(p);
}

static void test_c_memory(void **state) {
  (void)state;
  struct pv_program *p = pv_program_new(64);
  struct build b = begin(p, "start");
  p->start = b.function;
  uint32_t heap = add_var(&b, "linux", PTR), old = add_var(&b, "old", I32);
  uint32_t ok = add_var(&b, "ok", I1), size = add_var(&b, "size", I64);
  struct pv_edge e = op(PV_OP_ALLOC);
  e.dst = heap;
  e.e[0] = hidden(&b, I64, 100);
  e.aux = PV_STORAGE_HEAP;
  edge(&b, e);
  e = op(PV_OP_FILL);
  e.e[0] = var(&b, heap);
  e.e[1] = num(&b, I8, 0);
  e.e[2] = num(&b, I64, 100);
  edge(&b, e);
  static const enum pv_rmw ops[] = {PV_RMW_ADD, PV_RMW_SMIN, PV_RMW_NAND, PV_RMW_UMAX};
  static const uint32_t operand[] = {12, (uint32_t)-4, 0xff, 7},
                        after[] = {12, (uint32_t)-4, (uint32_t)~0xfc, (uint32_t)~0xfc};
  for (unsigned i = 0; i < 4; i++) {
    e = op(PV_OP_RMW);
    e.aux = ops[i];
    e.order = PV_ORDER_SEQ_CST;
    e.type = I32;
    e.dst = old;
    e.e[0] = var(&b, heap);
    e.e[1] = hidden(&b, I32, operand[i]);
    edge(&b, e);
    require_equal(&b, var(&b, old), I32, i ? after[i - 1] : 0, 1 + i);
  }
  for (unsigned i = 0; i < 2; i++) { /* fails, then succeeds */
    e = op(PV_OP_CMPXCHG);
    e.order = e.order2 = PV_ORDER_SEQ_CST;
    e.type = I32;
    e.dst = old;
    e.dst2 = ok;
    e.e[0] = var(&b, heap);
    e.e[1] = i ? var(&b, old) : hidden(&b, I32, 1);
    e.e[2] = num(&b, I32, 99);
    edge(&b, e);
    require_equal(&b, pv_mk_unary(p, PV_X_ZEXT, I32, var(&b, ok)), I32, i, 5 + i);
  }
  e = op(PV_OP_QUERY);
  e.aux = PV_QUERY_OBJECT_SIZE;
  e.dst = size;
  pv_expr arg = var(&b, heap);
  e.args = pv_mk_args(p, &arg, 1);
  edge(&b, e);
  require_equal(&b, var(&b, size), I64, 100, 7);
  e = op(PV_OP_FREE);
  e.aux = PV_STORAGE_HEAP;
  e.e[0] = var(&b, heap);
  edge(&b, e);
  stop(&b, num(&b, I32, 0));
  finish(&b);
  verified(p);
  assert_int_equal(compile_and_run(p, ""), 0);
  pv_program_free(p);
}

static void test_c_inputs(void **state) {
  (void)state;
  struct pv_program *p = pv_program_new(64);
  struct build b = begin(p, "start");
  p->start = b.function;
  uint32_t x = add_var(&b, "x", I32), y = add_var(&b, "y", I32);
  struct pv_edge e = op(PV_OP_HAVOC);
  e.type = I32;
  e.dst = x;
  e.text = "__VERIFIER_nondet_int";
  edge(&b, e);
  e.dst = y;
  e.text = "time";
  e.aux = 1;
  e.e[0] = num(&b, I32, (uint32_t)-1);
  e.e[1] = num(&b, I32, 9);
  edge(&b, e);
  stop(&b, bin(&b, PV_X_ADD, I32, var(&b, x), var(&b, y)));
  finish(&b);
  assert_int_equal(compile_and_run(p, "int __VERIFIER_nondet_int(void) { return 40; }\n"
                                      "int proviso_choose(int l, int h) { return h + l; }\n"),
                   48);
  pv_program_free(p);
}

/* for (i = s = 0; i < 10; i++) s += i: a loop, with its labels. */
static void test_c_loop(void **state) {
  (void)state;
  struct pv_program *p = pv_program_new(64);
  struct build b = begin(p, "start");
  p->start = b.function;
  uint32_t i = add_var(&b, "i", I32), s = add_var(&b, "i", I32);
  assign(&b, i, num(&b, I32, 0));
  assign(&b, s, num(&b, I32, 0));
  pv_loc head = b.at, body = pv_loc_add(function_of(&b)), done = pv_loc_add(function_of(&b));
  pv_expr more = bin(&b, PV_X_SLT, I1, var(&b, i), num(&b, I32, 10));
  struct pv_edge in = pv_edge_of(PV_OP_ASSUME, head, body),
                 out = pv_edge_of(PV_OP_ASSUME, head, done);
  in.e[0] = more;
  out.e[0] = pv_mk_not(p, more);
  pv_vec_push(&function_of(&b)->edges, in);
  pv_vec_push(&function_of(&b)->edges, out);
  b.at = body;
  assign(&b, s, bin(&b, PV_X_ADD, I32, var(&b, s), var(&b, i)));
  struct pv_edge back = pv_edge_of(PV_OP_ASSIGN, b.at, head);
  back.dst = i;
  back.e[0] = bin(&b, PV_X_ADD, I32, var(&b, i), num(&b, I32, 1));
  pv_vec_push(&function_of(&b)->edges, back);
  b.at = done;
  stop(&b, var(&b, s));
  finish(&b);
  verified(p);
  assert_int_equal(compile_and_run(p, ""), 45);
  pv_program_free(p);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_expressions),  cmocka_unit_test(test_places),
      cmocka_unit_test(test_edges),        cmocka_unit_test(test_dot),
      cmocka_unit_test(test_c_arithmetic), cmocka_unit_test(test_c_conversions),
      cmocka_unit_test(test_c_intops),     cmocka_unit_test(test_c_calls),
      cmocka_unit_test(test_c_memory),     cmocka_unit_test(test_c_inputs),
      cmocka_unit_test(test_c_loop),       cmocka_unit_test(test_c_random),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
