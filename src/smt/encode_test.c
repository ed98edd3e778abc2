/* Random expressions on interesting and random values: the VM's result must equal that of the
 * terms, in both encodings. If a term is imprecise, the VM's value must be among those allowed. */
#include "smt/encode.h"
#include "vm/vm_internal.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { EXPRESSIONS = 40, TUPLES = 6 };

/* ---- random ---------------------------------------------------------------------------------- */
static uint64_t seed;
static uint64_t random_word(void) { /* xorshift64 */
  seed ^= seed << 13;
  seed ^= seed >> 7;
  seed ^= seed << 17;
  return seed;
}
static unsigned below(unsigned n) {
  return (unsigned)((random_word() >> 11) % n);
}

/* ---- a program ------------------------------------------------------------------------------- */
static struct pv_program *p;
static struct pv_function *f;
static uint32_t out_global;

struct wide {
  uint64_t lo, hi;
};
static pv_u128 value_of(struct wide v) {
  return (pv_u128)v.hi << 64 | v.lo;
}

static uint32_t variable(const char *name, pv_type t, pv_srctype source) {
  struct pv_variable v = {.name = pv_program_string(p, name), .type = t, .srctype = source};
  pv_vec_push(&f->vars, v);
  return f->vars.n - 1;
}

static struct pv_edge *edge(enum pv_op op, pv_loc from, pv_loc to) {
  struct pv_edge e = pv_edge_of(op, from, to);
  pv_vec_push(&f->edges, e);
  return &pv_vec_last(&f->edges);
}

static pv_expr wide_const(pv_type t, struct wide v) {
  return pv_mk(p, (struct pv_expr_node){.op = PV_X_CONST, .type = t, .lo = v.lo, .hi = v.hi});
}

static const pv_type int_types[] = {PV_INT(1),  PV_INT(8),  PV_INT(13), PV_INT(16),
                                    PV_INT(32), PV_INT(64), PV_INT(128)};
static const pv_type float_types[] = {PV_FLOAT(32), PV_FLOAT(64), PV_FLOAT(80)};
#define POINTER PV_TYPE(PV_T_PTR, 64)
enum { INTS = 7, FLOATS = 3 };

static void begin_program(void) {
  p = pv_program_new(64);
  struct pv_srctype_info none = {0}, sign = {.kind = PV_S_SIGNED, .name = "int"},
                         plain = {.kind = PV_S_UNSIGNED, .name = "unsigned"};
  if (!p->srctypes.n) pv_vec_push(&p->srctypes, none);
  pv_vec_push(&p->srctypes, sign);
  pv_vec_push(&p->srctypes, plain);
  struct pv_global g = {.name = pv_program_string(p, "out"), .size = 16, .align = 16};
  pv_vec_push(&p->globals, g);
  out_global = p->globals.n - 1;
  p->start = pv_function_add(p, "__proviso_entry");
  f = &p->functions.at[p->start];
  f->defined = true;
  for (int i = 0; i < INTS; i++)
    for (int k = 0; k < 3; k++) /* signed, unsigned, unknown */
      variable("v", int_types[i], k == 2 ? 0 : p->srctypes.n - 2 + k);
  variable("q", POINTER, 0);
  for (int i = 0; i < FLOATS; i++)
    variable("x", float_types[i], 0), variable("y", float_types[i], 0);
}

/* ---- values ---------------------------------------------------------------------------------- */
static struct wide random_float(unsigned bits) {
  static const float plain[] = {0,     -0.0f,  1,      -1.5f,  2,   0.1f,
                                1e10f, -3e38f, 1e-40f, 127.5f, 255, 65536};
  float x = plain[below(sizeof plain / sizeof *plain)];
  double d = x;
  long double l = x;
  struct wide r = {0, 0};
  unsigned special = below(12);
  if (special == 0) l = d = x = 1.0f / 0.0f;
  if (special == 1) l = d = x = 0.0f / 0.0f;
  if (special == 2) l = d = below(1000) / 7.0, x = (float)d;
  if (special == 3) l = d = 9223372036854775807.0, x = (float)d;
  if (special == 4) l = d = -9223372036854775808.0, x = (float)d;
  memcpy(&r, bits == 32 ? (void *)&x : bits == 64 ? (void *)&d : (void *)&l, bits / 8);
  if (special == 5 && bits < 80) r.lo = random_word() >> (64 - bits);
  return r;
}

static struct wide random_value(pv_type t) {
  unsigned bits = pv_type_bits(t);
  if (pv_type_kind(t) == PV_T_FLOAT) return random_float(bits);
  pv_u128 v, top = (pv_u128)1 << (bits - 1);
  switch (below(8)) {
  case 0: v = top; break;
  case 1: v = top - 1; break;
  case 2: v = ~(pv_u128)0 - below(3); break;
  case 3: v = top + below(3); break;
  case 4: v = (pv_u128)random_word() << 64 | random_word(); break;
  case 5: v = (pv_u128)1 << below(bits); break;
  default: v = below(12); break;
  }
  if (pv_type_kind(t) == PV_T_PTR) v = below(4) ? 0x10000 + 8 * below(100) : v;
  if (bits < 128) v &= ((pv_u128)1 << bits) - 1;
  return (struct wide){(uint64_t)v, (uint64_t)(v >> 64)};
}

/* ---- expressions ----------------------------------------------------------------------------- */
static bool with_floats;
static pv_expr random_expr(pv_type t, int depth);

static pv_expr random_leaf(pv_type t) {
  uint32_t fitting[64], n = 0;
  for (uint32_t i = 0; i < f->vars.n; i++)
    if (f->vars.at[i].type == t) fitting[n++] = i;
  if (below(100) == 0 && !with_floats)
    return pv_mk(p, (struct pv_expr_node){.op = PV_X_UNDEF, .type = t});
  if (n && below(3)) return pv_mk_var(p, t, fitting[below(n)]);
  return wide_const(t, random_value(t));
}

static pv_expr random_condition(int depth) {
  pv_type t = int_types[below(INTS)];
  enum pv_expr_op op = (enum pv_expr_op)(PV_X_EQ + below(6));
  struct pv_expr_node n = {.type = PV_INT(1)};
  if (with_floats && below(3) == 0) {
    t = float_types[below(FLOATS)];
    n.op = PV_X_FCMP;
    n.aux = (uint16_t)below(PV_FCMP_UNO + 1);
  } else if (below(8) == 0) {
    n.op = PV_X_OVERFLOWS;
    n.aux = (uint16_t)below(6);
  } else if (below(6) == 0) {
    n.op = PV_X_AND + below(3);
    t = PV_INT(1);
  } else {
    n.op = op;
    if (below(10) == 0) t = POINTER;
  }
  n.a = random_expr(t, depth - 1);
  n.b = random_expr(t, depth - 1);
  if (n.op == PV_X_EQ && t != POINTER && below(3) == 0) { /* x % k == 0, x & k == 0 */
    n.a =
        pv_mk_binary(p, below(2) ? PV_X_SREM : PV_X_AND, 0, t, n.a, wide_const(t, random_value(t)));
    n.b = pv_mk_const(p, t, 0);
  }
  return pv_mk(p, n);
}

static pv_expr random_float_expr(pv_type t, int depth) {
  static const uint8_t functions[] = {PV_MATH_fabs,  PV_MATH_sqrt,     PV_MATH_floor,
                                      PV_MATH_ceil,  PV_MATH_trunc,    PV_MATH_rint,
                                      PV_MATH_round, PV_MATH_fmin,     PV_MATH_fmax,
                                      PV_MATH_fdim,  PV_MATH_copysign, PV_MATH_nearbyint};
  struct pv_expr_node n = {.type = t};
  pv_type from;
  switch (below(9)) {
  case 0: return pv_mk_unary(p, PV_X_FNEG, t, random_expr(t, depth - 1));
  case 1:
    from = float_types[below(FLOATS)];
    return pv_mk_unary(p, PV_X_FPCONV, t, random_expr(from, depth - 1));
  case 2:
  case 3:
    from = int_types[below(INTS - 1)];
    return pv_mk_unary(p, below(2) ? PV_X_SITOFP : PV_X_UITOFP, t, random_expr(from, depth - 1));
  case 4:
    n.op = PV_X_MATH;
    n.aux = functions[below(sizeof functions)];
    n.a = random_expr(t, depth - 1);
    if (n.aux >= PV_MATH_pow) n.b = random_expr(t, depth - 1);
    return pv_mk(p, n);
  case 5:
    if (t == PV_FLOAT(80)) break;
    return pv_mk_unary(p, PV_X_BITCAST, t, random_expr(PV_INT(pv_type_bits(t)), depth - 1));
  default: break;
  }
  unsigned op = PV_X_FADD + below(4);
  pv_expr a = random_expr(t, depth - 1), b = random_expr(t, depth - 1);
  return pv_mk_binary(p, (enum pv_expr_op)op, 0, t, a, b);
}

static pv_expr random_cast(pv_type t, int depth) {
  unsigned bits = pv_type_bits(t);
  pv_type from = int_types[below(INTS)];
  if (with_floats && below(4) == 0) {
    pv_type x = float_types[below(FLOATS)];
    if (below(4) == 0 && (bits == 32 || bits == 64))
      return pv_mk_unary(p, PV_X_BITCAST, t, random_expr(PV_FLOAT(bits), depth - 1));
    if (bits <= 64)
      return pv_mk_unary(p, below(2) ? PV_X_FPTOSI : PV_X_FPTOUI, t, random_expr(x, depth - 1));
  }
  if (pv_type_bits(from) < bits)
    return pv_mk_unary(p, below(2) ? PV_X_ZEXT : PV_X_SEXT, t, random_expr(from, depth - 1));
  if (pv_type_bits(from) > bits) return pv_mk_unary(p, PV_X_TRUNC, t, random_expr(from, depth - 1));
  if (bits == 64 && below(2))
    return pv_mk_unary(p, PV_X_BITCAST, t, random_expr(POINTER, depth - 1));
  return random_expr(t, depth - 1);
}

static pv_expr random_expr(pv_type t, int depth) {
  if (depth <= 0 || below(6) == 0) return random_leaf(t);
  struct pv_expr_node n = {.type = t};
  if (below(10) == 0) {
    n.op = PV_X_SELECT;
    n.a = random_condition(depth - 1);
    n.b = random_expr(t, depth - 1);
    n.c = random_expr(t, depth - 1);
    return pv_mk(p, n);
  }
  if (pv_type_kind(t) == PV_T_FLOAT) return random_float_expr(t, depth);
  if (pv_type_kind(t) == PV_T_PTR) {
    pv_expr base = random_expr(t, depth - 1);
    pv_expr offset = random_expr(PV_INT(64), depth - 1);
    return pv_mk_binary(p, PV_X_PTRADD, below(2) ? PV_XF_INBOUNDS : 0, t, base, offset);
  }
  if (t == PV_INT(1) && below(5)) return random_condition(depth);
  if (below(4) == 0) return random_cast(t, depth);
  if (below(10) == 0) {
    do n.aux = (uint16_t)below(PV_INTOP_COUNT);
    while (n.aux == PV_INTOP_BSWAP && pv_type_bits(t) % 16);
    n.op = PV_X_INTOP;
    n.a = random_expr(t, depth - 1);
    if (n.aux > PV_INTOP_ABS) n.b = random_expr(t, depth - 1);
    if (n.aux == PV_INTOP_FSHL || n.aux == PV_INTOP_FSHR) n.c = random_expr(t, depth - 1);
    return pv_mk(p, n);
  }
  n.op = PV_X_ADD + below(13);
  if (n.op <= PV_X_MUL && below(2)) n.flags = PV_XF_NSW;
  n.a = random_expr(t, depth - 1);
  n.b = below(3) == 0 ? wide_const(t, random_value(t)) : random_expr(t, depth - 1);
  if (n.op >= PV_X_SHL && n.op <= PV_X_ASHR && below(4))
    n.b = below(2) ? pv_mk_const(p, t, below(pv_type_bits(t)))
                   : pv_mk_binary(p, PV_X_AND, 0, t, n.b, pv_mk_const(p, t, 7));
  return pv_mk(p, n);
}

/* ---- the machine's answers ------------------------------------------------------------------- */
static struct wide tuples[TUPLES][64];
static pv_expr exprs[EXPRESSIONS];
static uint32_t inputs; /* variables 0 .. are given values */

static pv_loc choose(pv_loc from, uint32_t v, unsigned count) {
  pv_loc to = pv_loc_add(f);
  struct pv_edge *e = edge(PV_OP_HAVOC, from, to);
  e->dst = v;
  e->type = PV_INT(32);
  e->e[0] = pv_mk_const(p, PV_INT(32), 0);
  e->e[1] = pv_mk_const(p, PV_INT(32), count - 1);
  return to;
}

/* One branch for each value of v; all but the last lead on from the location that is returned. */
static void branch(pv_loc from, uint32_t v, unsigned count, pv_loc *out) {
  for (unsigned i = 0; i < count; i++) {
    pv_loc then = pv_loc_add(f), other = pv_loc_add(f);
    pv_expr is = pv_mk_binary(p, PV_X_EQ, 0, PV_INT(1), pv_mk_var(p, PV_INT(32), v),
                              pv_mk_const(p, PV_INT(32), i));
    edge(PV_OP_ASSUME, from, then)->e[0] = is;
    edge(PV_OP_ASSUME, from, other)->e[0] = pv_mk_not(p, is);
    out[i] = then;
    from = other;
  }
  struct pv_edge *stop = edge(PV_OP_STOP, from, f->exit);
  stop->aux = PV_STOP_ABORT;
}

static void make_program(unsigned depth) {
  begin_program();
  inputs = f->vars.n;
  for (int i = 0; i < EXPRESSIONS; i++) {
    pv_type t = with_floats && below(3) == 0 ? float_types[below(FLOATS)]
                : below(12) == 0             ? POINTER
                                             : int_types[below(INTS)];
    exprs[i] = random_expr(t, (int)depth);
  }
  for (int k = 0; k < TUPLES; k++)
    for (uint32_t v = 0; v < inputs; v++) tuples[k][v] = random_value(f->vars.at[v].type);
  uint32_t which = variable("which", PV_INT(32), 0), tuple = variable("tuple", PV_INT(32), 0);
  pv_loc at = f->entry = pv_loc_add(f), alternatives[EXPRESSIONS], joint = pv_loc_add(f);
  f->exit = pv_loc_add(f);
  at = choose(at, which, EXPRESSIONS);
  at = choose(at, tuple, TUPLES);
  branch(at, tuple, TUPLES, alternatives);
  for (int k = 0; k < TUPLES; k++) {
    pv_loc from = alternatives[k];
    for (uint32_t v = 0; v < inputs; v++) {
      pv_loc to = v + 1 == inputs ? joint : pv_loc_add(f);
      struct pv_edge *e = edge(PV_OP_ASSIGN, from, to);
      e->dst = v;
      e->e[0] = wide_const(f->vars.at[v].type, tuples[k][v]);
      from = to;
    }
  }
  branch(joint, which, EXPRESSIONS, alternatives);
  pv_loc last = pv_loc_add(f);
  for (int i = 0; i < EXPRESSIONS; i++) {
    pv_type t = pv_node(p, exprs[i])->type;
    uint32_t r = variable("r", t, 0);
    pv_loc mid = pv_loc_add(f);
    struct pv_edge *e = edge(PV_OP_ASSIGN, alternatives[i], mid);
    e->dst = r;
    e->e[0] = exprs[i];
    e = edge(PV_OP_STORE, mid, last);
    e->type = t;
    e->e[0] = pv_mk(p, (struct pv_expr_node){.op = PV_X_GLOBAL, .type = POINTER, .lo = out_global});
    e->e[1] = pv_mk_var(p, t, r);
  }
  struct pv_edge *stop = edge(PV_OP_STOP, last, f->exit);
  stop->aux = PV_STOP_EXIT;
  stop->e[0] = pv_mk_const(p, PV_INT(32), 0);
  pv_function_finish(p, f);
  char *bad = pv_program_verify(p);
  if (bad) fail_msg("%s", bad);
}

/* false: the machine met an event. */
static bool run(struct pv_vm *vm, int expr, int tuple, struct wide *out) {
  pv_vm_start(vm);
  assert_int_equal(pv_vm_step(vm, 0, 0), PV_RAN);
  assert_int_equal(pv_vm_step(vm, 0, (unsigned)expr), PV_RAN);
  enum pv_outcome o = pv_vm_step(vm, 0, (unsigned)tuple);
  if (o == PV_VIOLATED || o == PV_CUT) return false;
  assert_int_equal(o, PV_ENDED);
  struct pv_object *object = pv_object_at(vm, vm->global_address[out_global]);
  uint64_t words[2] = {0, 0};
  uint32_t init;
  pv_memory_read(vm, object, 0, words, pv_type_bytes(pv_node(p, exprs[expr])->type), &init);
  *out = (struct wide){words[0], words[1]};
  return true;
}

/* ---- the terms' answers ---------------------------------------------------------------------- */
struct sides {
  struct pv_smt *s;
  struct pv_encoder e;
  pv_terms leaves; /* of the variables */
};

static pv_term leaf(void *user, const struct pv_expr_node *n) {
  struct sides *x = user;
  assert_int_equal(n->op, PV_X_VAR);
  return x->leaves.at[n->lo];
}

static void sides_begin(struct sides *x, enum pv_encoding encoding, bool assume) {
  *x = (struct sides){.s = pv_smt_new((struct pv_smt_limits){.ms = 3000}, NULL)};
  x->e = (struct pv_encoder){.smt = x->s,
                             .program = p,
                             .encoding = encoding,
                             .assume_no_overflow = assume,
                             .leaf = leaf,
                             .user = x,
                             .function = f};
  for (uint32_t v = 0; v < f->vars.n; v++)
    pv_vec_push(&x->leaves,
                pv_smt_fresh(x->s, f->vars.at[v].name, pv_encode_sort(&x->e, f->vars.at[v].type)));
}

static void sides_end(struct sides *x) {
  pv_vec_free(&x->leaves);
  pv_encoder_free(&x->e);
  assert_string_equal(pv_smt_error(x->s), "");
  pv_smt_free(x->s);
}

/* The value as a term of the encoding. */
static pv_term term_of(struct sides *x, pv_type t, struct wide v, bool is_signed) {
  unsigned bits = pv_type_bits(t);
  struct pv_sort sort = pv_encode_sort(&x->e, t);
  if (sort.kind == PV_SORT_INT) {
    if (is_signed && pv_type_kind(t) == PV_T_INT && bits < 128) {
      pv_i128 s = (pv_i128)(value_of(v) << (128 - bits)) >> (128 - bits);
      v = (struct wide){(uint64_t)(pv_u128)s, (uint64_t)((pv_u128)s >> 64)};
    } else if (bits == 128 && !is_signed && v.hi >> 63) { /* over what a signed number says */
      pv_term half = pv_smt_number(x->s, sort, v.lo >> 1 | v.hi << 63, v.hi >> 1);
      pv_term even = pv_smt_mk2(x->s, PV_SMT_ADD, half, half);
      return pv_smt_mk2(x->s, PV_SMT_ADD, even, pv_smt_int(x->s, (int64_t)(v.lo & 1)));
    }
  }
  return pv_smt_number(x->s, sort, v.lo, v.hi);
}

static pv_term fixed(struct sides *x, pv_term t, const struct wide *values) {
  pv_terms to = {0};
  for (uint32_t v = 0; v < inputs; v++)
    pv_vec_push(&to, term_of(x, f->vars.at[v].type, values[v], pv_encode_is_signed(&x->e, f, v)));
  pv_term r = pv_smt_simplify(x->s, pv_smt_substitute(x->s, t, to.n, x->leaves.at, to.at));
  pv_vec_free(&to);
  return r;
}

struct tally {
  unsigned all, exact, events, imprecise, undecided;
};

static void complain(struct sides *x, int expr, int tuple, pv_term t, struct wide want,
                     const char *what) {
  struct pv_str text = {0};
  pv_expr_print(p, f, exprs[expr], &text);
  pv_str_add(&text, "\n  term: ");
  pv_smt_print(x->s, t, &text);
  pv_str_add(&text, "\n  encoded: ");
  pv_smt_print(x->s, pv_encode(&x->e, exprs[expr], tuple & 1), &text);
  fail_msg("%s (encoding %d): %s\n  machine: %llx %llx", what, x->e.encoding, pv_str_cstr(&text),
           (unsigned long long)want.hi, (unsigned long long)want.lo);
}

/* Questions that the solver cannot answer in a few seconds are counted. */
static bool excluded(struct pv_smt *s, uint32_t n, const pv_term *terms, struct tally *tally) {
  enum pv_smt_answer r = pv_smt_check(s, n, terms);
  tally->undecided += r == PV_SMT_UNKNOWN;
  return r == PV_SMT_UNSAT;
}

static void compare(struct sides *x, int expr, int tuple, bool fine, struct wide want,
                    struct tally *tally) {
  struct pv_encoder *e = &x->e;
  pv_type type = pv_node(p, exprs[expr])->type;
  bool as_signed = tuple & 1;
  e->events.n = e->side.n = e->fresh.n = 0;
  e->imprecise = false;
  pv_term value = pv_encode(e, exprs[expr], as_signed);
  pv_terms side = {0}, whens = {0};
  for (uint32_t i = 0; i < e->side.n; i++)
    pv_vec_push(&side, fixed(x, e->side.at[i], tuples[tuple]));
  for (uint32_t i = 0; i < e->events.n; i++)
    if (e->events.at[i].kind < PV_EVENT_ADDRESS_ORDER &&
        (e->assume_no_overflow || e->events.at[i].kind != PV_EVENT_OVERFLOW))
      pv_vec_push(&whens, fixed(x, e->events.at[i].when, tuples[tuple]));
  pv_term conditions = pv_smt_mk(x->s, PV_SMT_AND, side.n, side.at);
  if (side.n && excluded(x->s, 1, &conditions, tally))
    complain(x, expr, tuple, conditions, want, "side conditions exclude something");
  pv_term event = pv_smt_mk(x->s, PV_SMT_OR, whens.n, whens.at);
  tally->all++;
  tally->imprecise += e->imprecise;
  tally->events += !fine;
  /* An address that wraps: the value is the mathematical one. */
  bool wraps = false;
  for (uint32_t i = 0; i < e->events.n; i++)
    if (e->events.at[i].kind == PV_EVENT_ADDRESS_WRAP)
      wraps |= !pv_smt_is_false(x->s, fixed(x, e->events.at[i].when, tuples[tuple]));
  if (!wraps) {
    pv_term expected = pv_smt_mk1(x->s, fine ? PV_SMT_NOT : PV_SMT_AND, event);
    if (!fine) expected = event;
    if (!e->imprecise && !e->fresh.n && !pv_smt_is_true(x->s, pv_smt_simplify(x->s, expected)))
      complain(x, expr, tuple, event, want, fine ? "an event that is none" : "an event is missing");
    pv_term both[] = {conditions, expected};
    if ((e->imprecise || e->fresh.n) && excluded(x->s, 2, both, tally))
      complain(x, expr, tuple, event, want, fine ? "an event is certain" : "an event is excluded");
  }
  if (fine && !wraps) {
    pv_term t = fixed(x, value, tuples[tuple]), is = term_of(x, type, want, as_signed);
    pv_term same = pv_smt_mk2(x->s, PV_SMT_EQ, t, is);
    if (pv_type_kind(type) == PV_T_FLOAT) same = pv_smt_simplify(x->s, same);
    if (!e->imprecise && !e->fresh.n) {
      tally->exact++;
      if (!pv_smt_is_true(x->s, pv_smt_simplify(x->s, same)))
        complain(x, expr, tuple, t, want, "another value");
    }
    pv_term both[] = {conditions, same};
    if ((e->imprecise || e->fresh.n) && excluded(x->s, 2, both, tally))
      complain(x, expr, tuple, t, want, "the value is excluded");
  }
  pv_vec_free(&side);
  pv_vec_free(&whens);
}

/* `assume`: overflow is checked, and ends the comparison; otherwise values wrap around. */
static void differ(struct tally *tally, bool assume) {
  struct pv_options options;
  struct pv_condition condition = {0};
  pv_options_init(&options);
  assert_int_equal(pv_options_set(&options, "property",
                                  assume ? "no-overflow,def-behavior" : "def-behavior", NULL),
                   PV_OK);
  struct pv_task task = {.program = p, .options = &options, .properties = options.properties};
  struct pv_vm *vm = pv_vm_new(&task, &pv_sched_pthread, &condition);
  struct sides x[2];
  sides_begin(&x[0], PV_ENCODE_LINEAR, assume);
  sides_begin(&x[1], PV_ENCODE_BITVECTOR, assume);
  for (int i = 0; i < EXPRESSIONS; i++)
    for (int k = 0; k < TUPLES; k++) {
      struct wide want = {0, 0};
      bool fine = run(vm, i, k, &want);
      for (int side = 0; side < 2; side++) compare(&x[side], i, k, fine, want, &tally[side]);
    }
  sides_end(&x[0]);
  sides_end(&x[1]);
  pv_vm_free(vm);
  pv_condition_clear(&condition);
  pv_options_free(&options);
}

static void random_programs(unsigned programs, unsigned depth, struct tally *tally) {
  for (unsigned i = 0; i < programs; i++) {
    make_program(depth);
    differ(tally, i % 2);
    pv_program_free(p);
  }
  for (int k = 0; k < 2; k++)
    print_message("%s: %u compared, %u exact, %u events, %u imprecise, %u undecided\n",
                  k ? "bit-vectors" : "linear", tally[k].all, tally[k].exact, tally[k].events,
                  tally[k].imprecise, tally[k].undecided);
  assert_true(tally[0].undecided + tally[1].undecided < tally[0].all / 100);
}

/* ---- what terms look like -------------------------------------------------------------------- */
static void assert_text(struct sides *x, pv_expr expr, bool as_signed, const char *want) {
  struct pv_str text = {0};
  x->e.events.n = x->e.side.n = x->e.fresh.n = 0;
  x->e.imprecise = false;
  pv_smt_print(x->s, pv_encode(&x->e, expr, as_signed), &text);
  for (uint32_t i = 0; i < x->e.events.n; i++) {
    pv_str_add(&text, " ; ");
    pv_smt_print(x->s, x->e.events.at[i].when, &text);
  }
  if (x->e.imprecise) pv_str_add(&text, " ; imprecise");
  assert_string_equal(pv_str_cstr(&text), want);
  pv_str_free(&text);
}

static pv_term named_leaf(void *user, const struct pv_expr_node *n) {
  struct sides *x = user;
  if (n->op == PV_X_GLOBAL) return pv_smt_int(x->s, 65536);
  return pv_smt_const(x->s, f->vars.at[n->lo].name, pv_encode_sort(&x->e, n->type));
}

static void terms_are_readable(void **state) {
  (void)state;
  begin_program();
  pv_srctype is_signed = p->srctypes.n - 2, is_unsigned = p->srctypes.n - 1;
  pv_type t = PV_INT(32), w = PV_INT(64), bit = PV_INT(1), byte = PV_INT(8);
  pv_expr i = pv_mk_var(p, t, variable("i", t, is_signed)),
          n = pv_mk_var(p, t, variable("n", t, is_signed)),
          u = pv_mk_var(p, t, variable("u", t, is_unsigned)),
          c = pv_mk_var(p, byte, variable("c", byte, is_signed)),
          q = pv_mk_var(p, POINTER, variable("q", POINTER, 0));
  pv_expr buf = pv_mk(p, (struct pv_expr_node){.op = PV_X_GLOBAL, .type = POINTER, .lo = 0});
#define K(V)              pv_mk_const(p, t, (uint64_t)(V))
#define B(OP, F, T, X, Y) pv_mk_binary(p, PV_X_##OP, F, T, X, Y)
#define U(OP, T, X)       pv_mk_unary(p, PV_X_##OP, T, X)
  struct sides x = {.s = pv_smt_new((struct pv_smt_limits){0}, NULL)};
  x.e = (struct pv_encoder){.smt = x.s,
                            .program = p,
                            .encoding = PV_ENCODE_LINEAR,
                            .assume_no_overflow = true,
                            .leaf = named_leaf,
                            .user = &x,
                            .function = f};
  pv_expr next = B(ADD, PV_XF_NSW, t, i, K(1));
  assert_text(&x, B(SLT, 0, bit, next, n), false, "(< (+ i 1) n) ; (> i 2147483646)");
  assert_text(&x, B(ADD, PV_XF_NSW, t, i, n), true,
              "(+ i n) ; (or (> (+ i n) 2147483647) (< (+ i n) (- 2147483648)))");
  assert_text(&x, B(EQ, 0, bit, B(SREM, 0, t, i, K(2)), K(0)), false, "(= (mod i 2) 0)");
  assert_text(&x, B(EQ, 0, bit, B(UREM, 0, t, u, K(2)), K(1)), false, "(= (mod u 2) 1)");
  assert_text(&x, B(EQ, 0, bit, B(AND, 0, t, i, K(1)), K(0)), false, "(= (mod i 2) 0)");
  assert_text(&x, B(EQ, 0, bit, B(AND, 0, t, u, K(4)), K(0)), false, "(= (mod (div u 4) 2) 0)");
  assert_text(&x, B(ADD, 0, t, u, K(-1)), false, "(ite (> u 0) (+ u (- 1)) (+ u 4294967295))");
  assert_text(&x, B(EQ, 0, bit, B(ADD, 0, t, u, K(1)), K(0)), false, "(= u 4294967295)");
  assert_text(&x, B(EQ, 0, bit, B(ADD, 0, t, u, K(1)), K(5)), false, "(= u 4)");
  assert_text(&x, U(ZEXT, t, B(ULT, 0, bit, u, K(7))), true, "(ite (< u 7) 1 0)");
  assert_text(&x, B(NE, 0, bit, B(AND, 0, t, U(ZEXT, t, B(ULT, 0, bit, u, K(7))), K(1)), K(0)),
              false, "(< u 7)");
  pv_expr at = B(MUL, 0, w, U(SEXT, w, i), pv_mk_const(p, w, 4));
  assert_text(&x, B(PTRADD, PV_XF_INBOUNDS, POINTER, buf, at), false,
              "(+ (* 4 i) 65536) ; (< (* 4 i) (- 65536))");
  pv_expr more = B(PTRADD, PV_XF_INBOUNDS, POINTER, q, pv_mk_const(p, w, 4));
  assert_text(&x, more, false, "(+ q 4) ; (> q 18446744073709551611)");
  assert_text(&x, U(TRUNC, byte, B(ADD, PV_XF_NSW, t, U(SEXT, t, c), K(1))), true,
              "(ite (> c 126) (+ c (- 255)) (+ c 1))");
  assert_text(&x, U(ZEXT, t, U(TRUNC, byte, u)), false, "(mod u 256)");
  assert_text(&x, B(SDIV, 0, t, B(AND, 0, t, i, K(255)), K(16)), true, "(div (mod i 256) 16)");
  assert_text(&x, B(XOR, 0, t, i, K(-1)), true, "(- (- 1) i)");
  assert_text(&x, B(MUL, PV_XF_NSW, t, i, n), true, "product!1 ; overflow!0 ; imprecise");
  pv_encoder_forget(&x.e);
  x.e.encoding = PV_ENCODE_BITVECTOR;
  pv_smt_free(x.s);
  x.s = x.e.smt = pv_smt_new((struct pv_smt_limits){0}, NULL);
  assert_text(&x, B(SLT, 0, bit, next, n), false,
              "(bvslt (bvadd i #x00000001) n) ; (bvslt #x7ffffffe i)");
  assert_text(&x, U(TRUNC, byte, B(ADD, PV_XF_NSW, t, U(SEXT, t, c), K(1))), true,
              "((_ extract 7 0) (bvadd ((_ sign_extend 24) c) #x00000001))");
  sides_end(&x);
  pv_program_free(p);
}

/* Events stand under the conditions of the `?:` around them, and every call reports them. */
static void events_know_their_guard(void **state) {
  (void)state;
  begin_program();
  pv_type t = PV_INT(32), bit = PV_INT(1);
  pv_expr a = pv_mk_var(p, t, variable("a", t, p->srctypes.n - 2)),
          b = pv_mk_var(p, t, variable("b", t, p->srctypes.n - 2));
  struct sides x;
  sides_begin(&x, PV_ENCODE_LINEAR, true);
  x.e.leaf = named_leaf;
  pv_expr quotient = B(SDIV, 0, t, a, b), test = B(NE, 0, bit, b, K(0));
  pv_expr guarded = pv_mk(
      p, (struct pv_expr_node){.op = PV_X_SELECT, .type = t, .a = test, .b = quotient, .c = a});
  for (int round = 0; round < 2; round++) {
    x.e.events.n = x.e.side.n = 0;
    x.e.imprecise = false;
    pv_encode(&x.e, guarded, true);
    assert_int_equal(x.e.events.n, 1); /* division by zero is excluded */
    assert_int_equal(x.e.events.at[0].kind, PV_EVENT_DIVISION_OVERFLOW);
    assert_int_equal(x.e.events.at[0].expr, quotient);
    assert_int_equal(pv_smt_check(x.s, 1, &x.e.events.at[0].when), PV_SMT_SAT);
    assert_true(x.e.imprecise);
    assert_int_equal(x.e.side.n, 3); /* two of the range, one of sign and size */
  }
  x.e.events.n = 0;
  pv_expr both = B(ADD, 0, t, guarded, quotient); /* once under the guard, once without */
  pv_encode(&x.e, both, true);
  bool bare = false;
  for (uint32_t i = 0; i < x.e.events.n; i++)
    bare |= pv_smt_check(x.s, 1, &x.e.events.at[i].when) == PV_SMT_SAT &&
            x.e.events.at[i].kind == PV_EVENT_DIVISION;
  assert_true(bare);
  sides_end(&x);
  pv_program_free(p);
}

static void what_is_not_exact_says_so(void **state) {
  (void)state;
  begin_program();
  pv_type d = PV_FLOAT(64), t = PV_INT(32);
  pv_expr a = pv_mk_var(p, d, variable("a", d, 0)), b = pv_mk_var(p, d, variable("b", d, 0)),
          i = pv_mk_var(p, t, variable("i", t, 0)), k = pv_mk_var(p, t, variable("k", t, 0));
  pv_expr sine =
      pv_mk(p, (struct pv_expr_node){.op = PV_X_MATH, .aux = PV_MATH_sin, .type = d, .a = a});
  struct {
    pv_expr e;
    bool bits, linear; /* imprecise? */
  } cases[] = {{B(FREM, 0, d, a, b), true, true},  {sine, true, true},
               {B(FADD, 0, d, a, b), false, true}, {B(XOR, 0, t, i, k), false, true},
               {B(SHL, 0, t, i, k), false, true},  {B(ADD, 0, t, i, k), false, false},
               {U(FNEG, d, a), false, false}};
  for (int side = 0; side < 2; side++) {
    struct sides x;
    sides_begin(&x, side ? PV_ENCODE_BITVECTOR : PV_ENCODE_LINEAR, true);
    x.e.leaf = named_leaf;
    for (size_t n = 0; n < sizeof cases / sizeof *cases; n++) {
      x.e.imprecise = false;
      pv_encode(&x.e, cases[n].e, true);
      assert_int_equal(x.e.imprecise, side ? cases[n].bits : cases[n].linear);
    }
    sides_end(&x);
  }
  pv_program_free(p);
}

static void single_operations(void **state) {
  (void)state;
  struct tally tally[2] = {{0}};
  seed = 88172645463325252u;
  with_floats = false;
  random_programs(16, 1, tally);
  assert_int_equal(tally[1].imprecise, 0);
  assert_true(tally[0].exact > tally[0].all / 2);
}

static void nested_expressions(void **state) {
  (void)state;
  struct tally tally[2] = {{0}};
  seed = 12345;
  with_floats = false;
  random_programs(10, 4, tally);
  assert_int_equal(tally[1].imprecise, 0);
  assert_true(tally[0].exact > tally[0].all / 10);
}

static void with_float_operations(void **state) {
  (void)state;
  struct tally tally[2] = {{0}};
  seed = 777;
  with_floats = true;
  random_programs(6, 2, tally);
  assert_true(tally[1].exact > tally[1].all / 3);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(terms_are_readable),        cmocka_unit_test(events_know_their_guard),
      cmocka_unit_test(what_is_not_exact_says_so), cmocka_unit_test(single_operations),
      cmocka_unit_test(nested_expressions),        cmocka_unit_test(with_float_operations),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
