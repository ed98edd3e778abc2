#include "cpa/express.h"

#include "cpa/names.h"

#include <stdlib.h>
#include <string.h>

enum { DEEPEST = 100 }; /* nesting depth of the operations that are written */

/* Precedence of C's operators; larger numbers bind more tightly. */
enum {
  P_LOWEST,
  P_CHOICE,
  P_OR,
  P_AND,
  P_BITOR,
  P_BITXOR,
  P_BITAND,
  P_EQUAL,
  P_ORDER,
  P_SHIFT,
  P_SUM,
  P_PRODUCT,
  P_UNARY,
  P_POSTFIX
};

struct express {
  const struct pv_analysis_context *g;
  struct pv_smt *smt;
  uint32_t function;
  size_t start, room;
  unsigned depth;
  uint64_t left_out;
  struct pv_str *out;
  pv_cells *unnamed;
};

static void print(struct express *e, pv_term t, int around);

static bool is_full(struct express *e) {
  return e->out->n - e->start > e->room || e->depth > DEEPEST;
}

static void open_bracket(struct express *e, int around, int own) {
  if (own < around) pv_str_addc(e->out, '(');
}
static void close_bracket(struct express *e, int around, int own) {
  if (own < around) pv_str_addc(e->out, ')');
}

/* ---- leaves ------------------------------------------------------------------------------------
 */

static const char *type_name(bool is_signed, unsigned bits) {
  switch (bits) {
  case 8: return is_signed ? "signed char" : "unsigned char";
  case 16: return is_signed ? "short" : "unsigned short";
  case 32: return is_signed ? "int" : "unsigned";
  case 64: return is_signed ? "long long" : "unsigned long long";
  case 128: return is_signed ? "__int128" : "unsigned __int128";
  default: return is_signed ? "signed" : "unsigned";
  }
}

static uint32_t cell_of(const struct express *e, pv_term t) {
  return pv_symbolic_cell_of(e->g->symbolic, t);
}

/* Does the encoding represent the cell with another signedness than its source type? */
static bool is_cast(const struct express *e, uint32_t cell) {
  const struct pv_cell *c = pv_symbolic_cell(e->g->symbolic, cell);
  struct pv_str ignored = {0};
  bool is_signed, named = pv_name_is_source(e->g, cell, &ignored);
  pv_str_free(&ignored);
  if (!named || c->sort.kind != PV_SORT_INT || pv_type_kind(c->type) != PV_T_INT) return false;
  return !pv_name_is_signed(e->g, cell, &is_signed) || is_signed != c->is_signed;
}

static void print_constant(struct express *e, pv_term t, int around) {
  uint32_t cell = cell_of(e, t);
  struct pv_str what = {0};
  if (cell == UINT32_MAX) {
    pv_str_add(e->out, pv_smt_name(e->smt, t));
    return;
  }
  const struct pv_cell *c = pv_symbolic_cell(e->g->symbolic, cell);
  bool cast = is_cast(e, cell), known = false;
  if (cast) {
    open_bracket(e, around, P_UNARY);
    pv_str_addf(e->out, "(%s)", type_name(c->is_signed, pv_type_bits(c->type)));
  }
  pv_name_cell(e->g, e->function, cell, e->out);
  if (cast) close_bracket(e, around, P_UNARY);
  if (!pv_name_is_source(e->g, cell, &what)) {
    for (uint32_t i = 0; i < e->unnamed->n; i++) known |= e->unnamed->at[i] == cell;
    if (!known) pv_vec_push(e->unnamed, cell);
  }
  pv_str_free(&what);
}

static void print_wide(pv_u128 v, struct pv_str *out) {
  char text[48], *at = text + sizeof text;
  *--at = '\0';
  do {
    *--at = (char)('0' + (unsigned)(v % 10));
    v /= 10;
  } while (v);
  pv_str_add(out, at);
}

static void print_int(pv_i128 v, struct pv_str *out) {
  if (v < 0) pv_str_addc(out, '-');
  print_wide(v < 0 ? -(pv_u128)v : (pv_u128)v, out);
}

static void print_float(uint64_t lo, unsigned bits, struct pv_str *out) {
  uint32_t word = (uint32_t)lo;
  float single;
  double d;
  memcpy(&single, &word, sizeof single);
  memcpy(&d, &lo, sizeof d);
  if (bits == 32)
    pv_str_addf(out, "%.9gf", (double)single);
  else if (bits == 64)
    pv_str_addf(out, "%.17g", d);
  else
    pv_str_addf(out, "float_of_bits(0x%llx)", (unsigned long long)lo);
}

/* BV: printed as a signed number if that is a small negative one. */
static void print_number(struct express *e, pv_term t, const struct pv_smt_shape *shape) {
  struct pv_sort sort = pv_smt_sort(e->smt, t);
  pv_u128 v = (pv_u128)shape->hi << 64 | shape->lo;
  switch ((enum pv_sort_kind)sort.kind) {
  case PV_SORT_BOOL: pv_str_add(e->out, shape->lo ? "true" : "false"); return;
  case PV_SORT_INT: print_int((pv_i128)v, e->out); return;
  case PV_SORT_FLOAT: print_float(shape->lo, sort.bits, e->out); return;
  case PV_SORT_BV:
    if (sort.bits > 1 && sort.bits < 128 && v >> (sort.bits - 1) & 1) v |= ~(pv_u128)0 << sort.bits;
    print_int((pv_i128)v, e->out);
    return;
  case PV_SORT_ARRAY: return;
  }
}

/* Prints a term that has no other representation. */
static void print_text(struct express *e, pv_term t) {
  struct pv_str text = {0};
  pv_smt_print(e->smt, t, &text);
  pv_str_addc(e->out, '`');
  for (size_t i = 0; i < text.n && e->out->n - e->start <= e->room; i++) {
    bool blank = text.at[i] == ' ' || text.at[i] == '\n';
    if (blank && i && (text.at[i - 1] == ' ' || text.at[i - 1] == '\n')) continue;
    pv_str_addc(e->out, blank ? ' ' : text.at[i]);
  }
  pv_str_addc(e->out, '`');
  pv_str_free(&text);
}

/* ---- sums --------------------------------------------------------------------------------------
 */

struct summand {
  pv_term t;
  pv_i128 times;
};
struct sum {
  PV_VEC(struct summand) at;
  pv_i128 constant;
  bool fits; /* no number in it is too large */
};

static void add_times(struct sum *s, pv_term t, pv_i128 times) {
  for (uint32_t i = 0; i < s->at.n; i++) {
    if (s->at.at[i].t != t) continue;
    s->fits &= !__builtin_add_overflow(s->at.at[i].times, times, &s->at.at[i].times);
    return;
  }
  struct summand new = {t, times};
  pv_vec_push(&s->at, new);
}

static bool number_of(struct express *e, pv_term t, pv_i128 *out) {
  struct pv_smt_shape shape;
  if (!pv_smt_shape(e->smt, t, &shape) || shape.kind != PV_SHAPE_NUMBER) return false;
  *out = (pv_i128)((pv_u128)shape.hi << 64 | shape.lo);
  return true;
}

/* Adds times * t, of sort INT. */
static void add_to_sum(struct express *e, struct sum *s, pv_term t, pv_i128 times) {
  struct pv_smt_shape shape;
  pv_i128 v = 0, by;
  if (!pv_smt_shape(e->smt, t, &shape) || ++e->depth > DEEPEST) {
    add_times(s, t, times);
    return;
  }
  bool op = shape.kind == PV_SHAPE_OP;
  if (shape.kind == PV_SHAPE_NUMBER) {
    number_of(e, t, &v);
    s->fits &= !__builtin_mul_overflow(v, times, &v);
    s->fits &= !__builtin_add_overflow(s->constant, v, &s->constant);
  } else if (op && (shape.op == PV_SMT_ADD || shape.op == PV_SMT_SUB)) {
    for (uint32_t i = 0; i < shape.n; i++)
      add_to_sum(e, s, pv_smt_operand(e->smt, t, i), i && shape.op == PV_SMT_SUB ? -times : times);
  } else if (op && shape.op == PV_SMT_NEG) {
    add_to_sum(e, s, pv_smt_operand(e->smt, t, 0), -times);
  } else if (op && shape.op == PV_SMT_MUL && shape.n == 2 &&
             number_of(e, pv_smt_operand(e->smt, t, 0), &v)) {
    s->fits &= !__builtin_mul_overflow(v, times, &by);
    add_to_sum(e, s, pv_smt_operand(e->smt, t, 1), by);
  } else {
    add_times(s, t, times);
  }
  e->depth--;
}

/* Prints the summands of one sign, all as positive ones, and then the constant. */
static void print_side(struct express *e, const struct sum *s, bool positive, pv_i128 constant,
                       int around) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < s->at.n; i++)
    n += positive ? s->at.at[i].times > 0 : s->at.at[i].times < 0;
  bool several = n + (constant != 0) > 1;
  if (several) open_bracket(e, around, P_SUM);
  const char *before = "";
  for (uint32_t i = 0; i < s->at.n; i++) {
    pv_i128 times = positive ? s->at.at[i].times : -s->at.at[i].times;
    if (times <= 0) continue;
    pv_str_add(e->out, before);
    if (times != 1) {
      print_int(times, e->out);
      pv_str_add(e->out, " * ");
    }
    print(e, s->at.at[i].t, times != 1 ? P_UNARY : several ? P_PRODUCT : around);
    before = " + ";
  }
  if (constant || !n) {
    if (n) pv_str_add(e->out, constant < 0 ? " - " : " + ");
    print_int(n && constant < 0 ? -constant : constant, e->out);
  }
  if (several) close_bracket(e, around, P_SUM);
}

/* Prints a sum as a value, negative summands last. */
static void print_sum(struct express *e, pv_term t, int around) {
  struct sum s = {.fits = true};
  add_to_sum(e, &s, t, 1);
  bool negative = false;
  for (uint32_t i = 0; i < s.at.n; i++) negative |= s.at.at[i].times < 0;
  if (!s.fits || (s.at.n == 1 && s.at.at[0].t == t)) {
    print_text(e, t);
  } else if (!negative) {
    print_side(e, &s, true, s.constant, around);
  } else {
    open_bracket(e, around, P_SUM);
    print_side(e, &s, true, s.constant, P_SUM);
    pv_str_add(e->out, " - ");
    print_side(e, &s, false, 0, P_PRODUCT);
    close_bracket(e, around, P_SUM);
  }
  pv_vec_free(&s.at);
}

/* ---- comparisons -------------------------------------------------------------------------------
 */

enum relation { EQ, NE, LT, LE, GT, GE };
static const char *const relations[] = {" == ", " != ", " < ", " <= ", " > ", " >= "};
static const enum relation negated[] = {NE, EQ, GE, GT, LE, LT};
static const enum relation mirrored[] = {EQ, NE, GT, GE, LT, LE};

/* Is the term a single pointer? Then numbers beside it are addresses. */
static bool is_pointer(const struct express *e, pv_term t) {
  uint32_t cell = cell_of(e, t);
  return cell != UINT32_MAX &&
         pv_type_kind(pv_symbolic_cell(e->g->symbolic, cell)->type) == PV_T_PTR;
}

static bool print_address(struct express *e, pv_term pointer, pv_i128 address) {
  return is_pointer(e, pointer) && address >= 0 && address <= (pv_i128)UINT64_MAX &&
         pv_name_address(e->g, e->function, (uint64_t)address, e->out);
}

/* Prints sum `r` 0, with positive summands on both sides. */
static void print_relation(struct express *e, struct sum *s, enum relation r, int around) {
  bool positive = false, negative = false;
  int own = r == EQ || r == NE ? P_EQUAL : P_ORDER;
  for (uint32_t i = 0; i < s->at.n; i++) {
    positive |= s->at.at[i].times > 0;
    negative |= s->at.at[i].times < 0;
  }
  if (!positive && negative) { /* -x <= 5: x >= -5 */
    for (uint32_t i = 0; i < s->at.n; i++) s->at.at[i].times = -s->at.at[i].times;
    s->constant = -s->constant;
    r = mirrored[r];
    negative = false;
  }
  if (negative && s->constant == 1 && (r == LE || r == GT)) { /* x + 1 <= y: x < y */
    s->constant = 0;
    r = r == LE ? LT : GE;
  }
  if (negative && s->constant == -1 && (r == GE || r == LT)) { /* x >= y + 1: x > y */
    s->constant = 0;
    r = r == GE ? GT : LE;
  }
  bool to_right = !negative || s->constant < 0;
  open_bracket(e, around, own);
  print_side(e, s, true, to_right ? 0 : s->constant, own + 1);
  pv_str_add(e->out, relations[r]);
  bool alone = !negative && s->at.n == 1 && s->at.at[0].times == 1;
  if (!alone || !print_address(e, s->at.at[0].t, -s->constant))
    print_side(e, s, false, to_right ? -s->constant : 0, own + 1);
  close_bracket(e, around, own);
}

static int kind_of(struct express *e, pv_term t) {
  return pv_smt_sort(e->smt, t).kind;
}

static void print_comparison(struct express *e, pv_term a, enum relation r, pv_term b, int around) {
  int own = r == EQ || r == NE ? P_EQUAL : P_ORDER;
  struct pv_smt_shape shape;
  if (kind_of(e, a) == PV_SORT_INT) {
    struct sum s = {.fits = true};
    add_to_sum(e, &s, a, 1);
    add_to_sum(e, &s, b, -1);
    /* The smallest number of 128 bits has no negation; other numbers are far from it. */
    bool fits = s.fits && s.constant != (pv_i128)((pv_u128)1 << 127);
    if (fits) print_relation(e, &s, r, around);
    pv_vec_free(&s.at);
    if (fits) return;
  }
  open_bracket(e, around, own);
  print(e, a, own + 1);
  pv_str_add(e->out, relations[r]);
  bool number = pv_smt_shape(e->smt, b, &shape) && shape.kind == PV_SHAPE_NUMBER;
  if (!number || !print_address(e, a, (pv_i128)shape.lo)) print(e, b, own + 1);
  close_bracket(e, around, own);
}

/* ---- bit-vectors -------------------------------------------------------------------------------
 */

/* 1: all variables are signed, 0: none is, -1: mixed or unknown, 2: only numbers. */
static int sign_of(struct express *e, pv_term t) {
  pv_terms constants = {0};
  int sign = 2;
  pv_smt_constants(e->smt, t, &constants);
  for (uint32_t i = 0; i < constants.n; i++) {
    uint32_t cell = cell_of(e, constants.at[i]);
    bool is_signed;
    int one = cell != UINT32_MAX && pv_name_is_signed(e->g, cell, &is_signed) ? is_signed : -1;
    sign = sign == 2 || sign == one ? one : -1;
  }
  pv_vec_free(&constants);
  return sign;
}

/* Prints the term as a number of that signedness. */
static void print_signed(struct express *e, pv_term t, bool is_signed, int around) {
  struct pv_smt_shape shape;
  struct pv_sort sort = pv_smt_sort(e->smt, t);
  int sign = sign_of(e, t);
  bool number = pv_smt_shape(e->smt, t, &shape) && shape.kind == PV_SHAPE_NUMBER;
  if (number && !is_signed) {
    print_wide((pv_u128)shape.hi << 64 | shape.lo, e->out);
  } else if (number || sign == is_signed) {
    print(e, t, around);
  } else {
    open_bracket(e, around, P_UNARY);
    pv_str_addf(e->out, "(%s)", type_name(is_signed, sort.bits));
    print(e, t, P_UNARY);
    close_bracket(e, around, P_UNARY);
  }
}

static void print_ordered(struct express *e, pv_term t, enum relation r, bool is_signed,
                          int around) {
  open_bracket(e, around, P_ORDER);
  print_signed(e, pv_smt_operand(e->smt, t, 0), is_signed, P_SHIFT);
  pv_str_add(e->out, relations[r]);
  print_signed(e, pv_smt_operand(e->smt, t, 1), is_signed, P_SHIFT);
  close_bracket(e, around, P_ORDER);
}

static void print_infix(struct express *e, pv_term t, uint32_t n, const char *op, int own,
                        int around) {
  open_bracket(e, around, own);
  for (uint32_t i = 0; i < n; i++) {
    if (i) pv_str_add(e->out, op);
    print(e, pv_smt_operand(e->smt, t, i), i ? own + 1 : own);
  }
  close_bracket(e, around, own);
}

static void print_function(struct express *e, const char *name, pv_term t, uint32_t n) {
  pv_str_add(e->out, name);
  for (uint32_t i = 0; i < n; i++) {
    pv_str_add(e->out, i ? ", " : "(");
    print(e, pv_smt_operand(e->smt, t, i), P_LOWEST);
  }
  pv_str_addc(e->out, ')');
}

static void print_bits(struct express *e, pv_term t, const struct pv_smt_shape *shape, int around) {
  pv_term a = pv_smt_operand(e->smt, t, 0);
  unsigned bits = pv_smt_sort(e->smt, t).bits;
  bool whole = bits == 8 || bits == 16 || bits == 32 || bits == 64 || bits == 128;
  if (shape->kind == PV_SHAPE_EXTRACT && !shape->lo && whole) {
    open_bracket(e, around, P_UNARY);
    pv_str_addf(e->out, "(%s)", type_name(sign_of(e, a) == 1, bits));
    print(e, a, P_UNARY);
    close_bracket(e, around, P_UNARY);
  } else if (shape->kind == PV_SHAPE_EXTRACT) {
    print_function(e, "bits", t, 1);
    e->out->n--; /* the opening bracket */
    pv_str_addf(e->out, ", %llu, %llu)", (unsigned long long)shape->hi,
                (unsigned long long)shape->lo);
  } else {
    print_signed(e, a, shape->kind == PV_SHAPE_SIGN_EXTEND, around);
  }
}

/* ---- memory ------------------------------------------------------------------------------------
 */

/* Prints an element of a class's array: of the object that the address names, or through a
 * pointer. */
static void print_element(struct express *e, pv_term index, pv_type type, bool is_signed) {
  struct sum s = {.fits = true};
  struct pv_sym_object object;
  uint64_t offset = 0;
  pv_i128 width = pv_type_bytes(type), constant;
  bool even = kind_of(e, index) == PV_SORT_INT, pointer = false;
  if (even) add_to_sum(e, &s, index, 1);
  constant = s.constant;
  for (uint32_t i = 0; i < s.at.n; i++) {
    pointer |= is_pointer(e, s.at.at[i].t);
    even &= s.at.at[i].times % width == 0;
  }
  if (s.fits && even && !pointer && constant > 0 &&
      pv_name_object(e->g, (uint64_t)constant, &object, &offset) && offset % (uint64_t)width == 0) {
    for (uint32_t i = 0; i < s.at.n; i++) s.at.at[i].times /= width;
    pv_name_place(e->g, e->function, object, e->out);
    pv_str_addc(e->out, '[');
    print_side(e, &s, true, (pv_i128)offset / width, P_LOWEST);
    bool negative = false;
    for (uint32_t i = 0; i < s.at.n; i++) negative |= s.at.at[i].times < 0;
    if (negative) {
      pv_str_add(e->out, " - ");
      print_side(e, &s, false, 0, P_PRODUCT);
    }
    pv_str_addc(e->out, ']');
  } else {
    const char *name = pv_type_kind(type) == PV_T_PTR ? "void *"
                       : pv_type_kind(type) == PV_T_FLOAT
                           ? "float"
                           : type_name(is_signed, pv_type_bits(type));
    pv_str_addf(e->out, "*(%s%s*)(", name, pv_type_kind(type) == PV_T_PTR ? "" : " ");
    print(e, index, P_LOWEST);
    pv_str_addc(e->out, ')');
  }
  pv_vec_free(&s.at);
}

static void print_select(struct express *e, pv_term t, int around) {
  pv_term array = pv_smt_operand(e->smt, t, 0), index = pv_smt_operand(e->smt, t, 1);
  uint32_t cell = cell_of(e, array);
  const struct pv_cell *c = cell == UINT32_MAX ? NULL : pv_symbolic_cell(e->g->symbolic, cell);
  if (c && c->kind == PV_CELL_ARRAY) {
    open_bracket(e, around, P_UNARY);
    print_element(e, index, c->type, c->is_signed);
    close_bracket(e, around, P_UNARY);
    return;
  }
  print(e, array, P_POSTFIX);
  pv_str_addc(e->out, '(');
  print(e, index, P_LOWEST);
  pv_str_addc(e->out, ')');
}

/* ---- Boolean structure -------------------------------------------------------------------------
 */

static void print_junction(struct express *e, pv_term t, uint32_t n, const char *op, int own,
                           int around) {
  open_bracket(e, around, own);
  for (uint32_t i = 0; i < n; i++) {
    if (i) pv_str_add(e->out, op);
    if (is_full(e)) {
      pv_str_add(e->out, "...");
      e->left_out += n - i;
      break;
    }
    print(e, pv_smt_operand(e->smt, t, i), own + 1);
  }
  close_bracket(e, around, own);
}

static bool relation_of(enum pv_smt_op op, enum relation *out) {
  switch (op) {
  case PV_SMT_EQ: *out = EQ; return true;
  case PV_SMT_LT: *out = LT; return true;
  case PV_SMT_LE: *out = LE; return true;
  case PV_SMT_GT: *out = GT; return true;
  case PV_SMT_GE: *out = GE; return true;
  default: return false;
  }
}

static bool bit_relation_of(enum pv_smt_op op, enum relation *out, bool *is_signed) {
  *is_signed = op == PV_SMT_BVSLT || op == PV_SMT_BVSLE;
  *out = op == PV_SMT_BVULT || op == PV_SMT_BVSLT ? LT : LE;
  return *is_signed || op == PV_SMT_BVULT || op == PV_SMT_BVULE;
}

static void print_not(struct express *e, pv_term a, int around) {
  struct pv_smt_shape shape;
  enum relation r;
  bool is_signed;
  bool op = pv_smt_shape(e->smt, a, &shape) && shape.kind == PV_SHAPE_OP;
  if (op && shape.n == 2 && relation_of(shape.op, &r)) {
    print_comparison(e, pv_smt_operand(e->smt, a, 0), negated[r], pv_smt_operand(e->smt, a, 1),
                     around);
  } else if (op && bit_relation_of(shape.op, &r, &is_signed)) {
    print_ordered(e, a, negated[r], is_signed, around);
  } else {
    open_bracket(e, around, P_UNARY);
    pv_str_addc(e->out, '!');
    print(e, a, P_UNARY);
    close_bracket(e, around, P_UNARY);
  }
}

static void print_choice(struct express *e, pv_term t, int around) {
  open_bracket(e, around, P_CHOICE);
  print(e, pv_smt_operand(e->smt, t, 0), P_OR);
  pv_str_add(e->out, " ? ");
  print(e, pv_smt_operand(e->smt, t, 1), P_OR);
  pv_str_add(e->out, " : ");
  print(e, pv_smt_operand(e->smt, t, 2), P_CHOICE);
  close_bracket(e, around, P_CHOICE);
}

/* ---- all of them -------------------------------------------------------------------------------
 */

/* C's binary operators. */
static const struct infix {
  enum pv_smt_op op;
  const char *text;
  int own;
} infixes[] = {{PV_SMT_MUL, " * ", P_PRODUCT},  {PV_SMT_BVADD, " + ", P_SUM},
               {PV_SMT_BVSUB, " - ", P_SUM},    {PV_SMT_BVMUL, " * ", P_PRODUCT},
               {PV_SMT_BVSHL, " << ", P_SHIFT}, {PV_SMT_BVAND, " & ", P_BITAND},
               {PV_SMT_BVOR, " | ", P_BITOR},   {PV_SMT_BVXOR, " ^ ", P_BITXOR}};
static const struct {
  enum pv_smt_op op;
  const char *name;
} functions[] = {
    {PV_SMT_DIV, "div"},         {PV_SMT_MOD, "mod"},         {PV_SMT_DISTINCT, "distinct"},
    {PV_SMT_IMPLIES, "implies"}, {PV_SMT_BVSDIV, "sdiv"},     {PV_SMT_BVUDIV, "udiv"},
    {PV_SMT_BVSREM, "srem"},     {PV_SMT_BVUREM, "urem"},     {PV_SMT_BVLSHR, "lshr"},
    {PV_SMT_BVASHR, "ashr"},     {PV_SMT_BVCONCAT, "concat"}, {PV_SMT_STORE, "changed"}};

static void print_operation(struct express *e, pv_term t, const struct pv_smt_shape *shape,
                            int around) {
  enum relation r;
  bool is_signed;
  if (shape->n == 2 && relation_of(shape->op, &r)) {
    print_comparison(e, pv_smt_operand(e->smt, t, 0), r, pv_smt_operand(e->smt, t, 1), around);
    return;
  }
  if (bit_relation_of(shape->op, &r, &is_signed)) {
    print_ordered(e, t, r, is_signed, around);
    return;
  }
  switch (shape->op) {
  case PV_SMT_AND: print_junction(e, t, shape->n, " && ", P_AND, around); return;
  case PV_SMT_OR: print_junction(e, t, shape->n, " || ", P_OR, around); return;
  case PV_SMT_NOT: print_not(e, pv_smt_operand(e->smt, t, 0), around); return;
  case PV_SMT_ITE: print_choice(e, t, around); return;
  case PV_SMT_SELECT: print_select(e, t, around); return;
  case PV_SMT_ADD:
  case PV_SMT_SUB:
  case PV_SMT_NEG: print_sum(e, t, around); return;
  case PV_SMT_MUL:
    if (shape->n == 2 && kind_of(e, t) == PV_SORT_INT) {
      pv_i128 ignored;
      if (number_of(e, pv_smt_operand(e->smt, t, 0), &ignored)) {
        print_sum(e, t, around);
        return;
      }
    }
    break;
  case PV_SMT_BVNEG:
  case PV_SMT_BVNOT:
    open_bracket(e, around, P_UNARY);
    pv_str_addc(e->out, shape->op == PV_SMT_BVNEG ? '-' : '~');
    print(e, pv_smt_operand(e->smt, t, 0), P_UNARY);
    close_bracket(e, around, P_UNARY);
    return;
  default: break;
  }
  for (size_t i = 0; i < sizeof infixes / sizeof *infixes; i++)
    if (infixes[i].op == shape->op) {
      print_infix(e, t, shape->n, infixes[i].text, infixes[i].own, around);
      return;
    }
  for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
    if (functions[i].op == shape->op) {
      print_function(e, functions[i].name, t, shape->n);
      return;
    }
  print_text(e, t);
}

static void print(struct express *e, pv_term t, int around) {
  struct pv_smt_shape shape;
  if (is_full(e)) {
    pv_str_add(e->out, "...");
    e->left_out++;
    return;
  }
  e->depth++;
  if (!pv_smt_shape(e->smt, t, &shape))
    print_text(e, t);
  else if (shape.kind == PV_SHAPE_NUMBER)
    print_number(e, t, &shape);
  else if (shape.kind == PV_SHAPE_CONSTANT)
    print_constant(e, t, around);
  else if (shape.kind == PV_SHAPE_OP)
    print_operation(e, t, &shape, around);
  else
    print_bits(e, t, &shape, around);
  e->depth--;
}

uint64_t pv_express(const struct pv_analysis_context *g, uint32_t function, pv_term formula,
                    size_t room, struct pv_str *out, pv_cells *unnamed) {
  struct express e = {.g = g,
                      .smt = g->smt,
                      .function = function,
                      .start = out->n,
                      .room = room,
                      .out = out,
                      .unnamed = unnamed};
  print(&e, formula, P_LOWEST);
  return e.left_out;
}
