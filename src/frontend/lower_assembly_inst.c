/* lower_assembly_inst.c -- the semantics of the instructions of inline assembly. */
#include "frontend/lower_assembly_internal.h"

static pv_expr compare(struct pv_assembly *s, enum pv_expr_op op, pv_expr a, pv_expr b) {
  return pv_mk_binary(s->p, op, 0, PV_INT(1), a, b);
}

static void fence(struct pv_assembly *s, enum pv_order order) {
  struct pv_edge e = pv_edge_of(PV_OP_FENCE, 0, 0);
  e.order = (uint8_t)order;
  pv_fn_emit(s->fn, e);
}

static bool is_pointer(struct pv_assembly *s, pv_expr e) {
  return pv_type_kind(pv_node(s->p, e)->type) == PV_T_PTR;
}

/* ---- flags ----------------------------------------------------------------------------------- */

static pv_expr overflows(struct pv_assembly *s, enum pv_overflow kind, pv_expr a, pv_expr b) {
  return pv_mk(s->p,
               (struct pv_expr_node){
                   .op = PV_X_OVERFLOWS, .aux = (uint16_t)kind, .type = PV_INT(1), .a = a, .b = b});
}

static void set_flags(struct pv_assembly *s, enum pv_asm_op op, pv_expr a, pv_expr b, pv_expr r) {
  pv_expr zero = pv_asm_const(s, pv_asm_width(s, r), 0), no = pv_asm_const(s, 1, 0);
  struct pv_asm_flags f = {.zf = compare(s, PV_X_EQ, r, zero), .sf = compare(s, PV_X_SLT, r, zero)};
  switch (op) {
  case PV_ASM_ADD:
    f.cf = overflows(s, PV_OVF_UADD, a, b);
    f.of = overflows(s, PV_OVF_SADD, a, b);
    f.lt = compare(s, PV_X_NE, f.sf, f.of);
    break;
  case PV_ASM_SUB:
    f.zf = compare(s, PV_X_EQ, a, b);
    f.cf = compare(s, PV_X_ULT, a, b);
    f.of = overflows(s, PV_OVF_SSUB, a, b);
    f.lt = compare(s, PV_X_SLT, a, b);
    break;
  default: f.cf = f.of = no; f.lt = f.sf;
  }
  s->flags = f;
}

/* The value of a condition; 0: rejected. */
pv_expr pv_asm_condition(struct pv_assembly *s, enum pv_asm_condition c) {
  const struct pv_asm_flags *f = &s->flags;
  pv_expr e = 0;
  switch ((unsigned)c / 2) {
  case PV_ASM_CC_O / 2: e = f->of; break;
  case PV_ASM_CC_B / 2: e = f->cf; break;
  case PV_ASM_CC_E / 2: e = f->zf; break;
  case PV_ASM_CC_BE / 2: e = f->cf && f->zf ? pv_asm_binary(s, PV_X_OR, f->cf, f->zf) : 0; break;
  case PV_ASM_CC_S / 2: e = f->sf; break;
  case PV_ASM_CC_L / 2: e = f->lt; break;
  case PV_ASM_CC_LE / 2: e = f->lt && f->zf ? pv_asm_binary(s, PV_X_OR, f->lt, f->zf) : 0; break;
  default: break;
  }
  if (!e) pv_asm_refuse(s, "a flag is read that is not known");
  return e && c % 2 ? pv_mk_not(s->p, e) : e;
}

/* ---- instructions ---------------------------------------------------------------------------- */

/* Does the instruction copy a whole register that was not set? */
static bool copy_unset(struct pv_assembly *s, const struct pv_asm_instruction *i, unsigned bits) {
  const struct pv_asm_place *from = &i->at[0], *to = &i->at[1];
  if (!pv_asm_register_bits(s, from) || pv_asm_is_constant(s, from) ||
      !pv_asm_register_bits(s, to) || bits != s->p->pointer_bits || from->reg.high || to->reg.high)
    return false;
  const struct pv_asm_cell *c = pv_asm_cell_of(s, &from->reg);
  if (c->known || (!from->reg.is_operand && from->reg.number == PV_ASM_SP)) return false;
  pv_asm_declare_write(s, &to->reg);
  *pv_asm_cell_of(s, &to->reg) = *c;
  return true;
}

static void move(struct pv_assembly *s, const struct pv_asm_instruction *i, unsigned bits) {
  if (copy_unset(s, i, bits)) return;
  const struct pv_asm_place *from = &i->at[0], *to = &i->at[1];
  bool memory = pv_asm_in_memory(s, from) && !pv_asm_in_memory(s, to) && to->reg.is_operand;
  pv_expr where = pv_asm_in_memory(s, to) ? pv_asm_address(s, to) : 0, e;
  pv_type want = PV_VOID;
  if (memory) want = s->output_type[pv_asm_operand_of(s, to->reg.number)];
  if (memory && pv_type_kind(want) == PV_T_PTR && pv_type_bits(want) == bits) {
    pv_expr at = pv_asm_address(s, from);
    e = at ? pv_asm_load(s, at, want) : 0;
  } else {
    e = pv_asm_value(s, from, bits);
  }
  if (e) pv_asm_write(s, to, where, bits, e);
}

static void extend(struct pv_assembly *s, const struct pv_asm_instruction *i) {
  unsigned from = pv_asm_register_bits(s, &i->at[0]), to = pv_asm_register_bits(s, &i->at[1]);
  if ((from && from != i->from) || to != i->bits) {
    pv_asm_refuse(s, "the width of an instruction is not that of its registers");
    return;
  }
  pv_expr e = pv_asm_int_value(s, &i->at[0], i->from);
  enum pv_expr_op op = i->op == PV_ASM_MOVZ ? PV_X_ZEXT : PV_X_SEXT;
  if (e) pv_asm_write(s, &i->at[1], 0, i->bits, pv_mk_unary(s->p, op, PV_INT(i->bits), e));
}

static void exchange(struct pv_assembly *s, const struct pv_asm_instruction *i, unsigned bits) {
  const struct pv_asm_place *a = &i->at[0], *b = &i->at[1];
  if (pv_asm_in_memory(s, a)) {
    a = &i->at[1];
    b = &i->at[0];
  }
  pv_expr x = pv_asm_value(s, a, bits), y;
  if (!x || pv_asm_in_memory(s, a)) {
    pv_asm_refuse(s, "two places in memory");
    return;
  }
  if (pv_asm_in_memory(s, b)) {
    pv_expr where = pv_asm_address(s, b);
    pv_asm_check_store(s, b);
    y = s->bad ? 0 : pv_asm_modify(s, PV_RMW_XCHG, where, x, true);
  } else {
    y = pv_asm_value(s, b, bits);
    if (y) pv_asm_write(s, b, 0, bits, x);
  }
  if (y) pv_asm_write(s, a, 0, bits, y);
}

static pv_expr choose(struct pv_assembly *s, pv_expr c, pv_expr a, pv_expr b) {
  return pv_mk(s->p,
               (struct pv_expr_node){
                   .op = PV_X_SELECT, .type = pv_node(s->p, a)->type, .a = c, .b = a, .c = b});
}

/* Compares the value at `where` with `expected`, and stores `desired` if they are equal; *old
 * receives the former value. Returns whether they were equal. */
static pv_expr swap_if(struct pv_assembly *s, pv_expr where, pv_expr expected, pv_expr desired,
                       pv_expr *old) {
  pv_type type = is_pointer(s, expected) || is_pointer(s, desired) ? s->fn->fe->ptr
                                                                   : pv_node(s->p, expected)->type;
  struct pv_edge e = pv_asm_access(PV_OP_CMPXCHG, where, type, PV_ORDER_SEQ_CST);
  e.order2 = PV_ORDER_SEQ_CST;
  e.e[1] = pv_asm_as(s, expected, type);
  e.e[2] = pv_asm_as(s, desired, type);
  if (e.e[1] == e.e[2]) { /* the value at `where` stays */
    *old = pv_asm_modify(s, PV_RMW_OR, where, pv_asm_const(s, pv_type_bits(type), 0), true);
    return 0;
  }
  e.dst = pv_fn_temp(s->fn, type);
  e.dst2 = pv_fn_temp(s->fn, PV_INT(1));
  pv_fn_emit(s->fn, e);
  *old = pv_fn_var(s->fn, e.dst);
  return pv_fn_var(s->fn, e.dst2);
}

static void compare_exchange(struct pv_assembly *s, const struct pv_asm_instruction *i,
                             unsigned bits) {
  static const struct pv_asm_register ax = {.number = PV_ASM_AX};
  const struct pv_asm_place *from = &i->at[0], *to = &i->at[1];
  pv_expr desired = pv_asm_value(s, from, bits), old = 0, same = 0;
  pv_expr where = pv_asm_in_memory(s, to) ? pv_asm_address(s, to) : 0;
  pv_expr expected = s->bad ? 0 : pv_asm_read_cell(s, &s->named[PV_ASM_AX], bits, false);
  if (s->bad || pv_asm_in_memory(s, from)) {
    pv_asm_refuse(s, "two places in memory");
    return;
  }
  if (i->lock) {
    pv_asm_check_store(s, to);
    if (s->bad) return;
    same = swap_if(s, where, expected, desired, &old);
  } else {
    old = where ? pv_asm_load(s, where, PV_INT(bits)) : pv_asm_int_value(s, to, bits);
    if (!old) return;
    same = compare(s, PV_X_EQ, old, pv_asm_int(s, expected));
    pv_asm_write(s, to, where, bits, choose(s, same, pv_asm_int(s, desired), old));
  }
  if (same) {
    set_flags(s, PV_ASM_SUB, pv_asm_int(s, expected), pv_asm_int(s, old),
              pv_asm_binary(s, PV_X_SUB, pv_asm_int(s, expected), pv_asm_int(s, old)));
    s->flags.zf = same;
  } else {
    s->flags = (struct pv_asm_flags){0};
  }
  pv_asm_declare_write(s, &ax);
  if (s->bad) return;
  /* the upper bits stay or are cleared */
  s->named[PV_ASM_AX] = (struct pv_asm_cell){pv_asm_keep(s, old), bits, 0};
}

/* cmpxchg8b and cmpxchg16b: compare edx:eax with memory, and store ecx:ebx there. */
static void compare_exchange_pair(struct pv_assembly *s, const struct pv_asm_instruction *i) {
  static const struct pv_asm_register ax = {.number = PV_ASM_AX}, dx = {.number = PV_ASM_DX};
  unsigned half = i->bits / 2;
  pv_type type = PV_INT(i->bits);
  pv_expr where = pv_asm_in_memory(s, &i->at[0]) ? pv_asm_address(s, &i->at[0]) : 0;
  pv_expr shift = pv_mk_const(s->p, type, half), pair[2], old;
  static const uint8_t parts[2][2] = {{PV_ASM_AX, PV_ASM_DX}, {PV_ASM_BX, PV_ASM_CX}};
  bool any = true; /* edx:eax and ecx:ebx are equal, whatever their values are */
  for (int k = 0; k < 2; k++) {
    const struct pv_asm_cell *a = &s->named[parts[0][k]], *b = &s->named[parts[1][k]];
    any &= a->known == b->known && a->e == b->e && a->unset == b->unset;
  }
  for (int k = 0; k < 2 && where && !(any && !s->named[PV_ASM_AX].known); k++) {
    pv_expr low = pv_asm_read_cell(s, &s->named[parts[k][0]], half, false);
    pv_expr high = low ? pv_asm_read_cell(s, &s->named[parts[k][1]], half, false) : 0;
    if (!high) return;
    low = pv_mk_unary(s->p, PV_X_ZEXT, type, pv_asm_int(s, low));
    high = pv_mk_unary(s->p, PV_X_ZEXT, type, pv_asm_int(s, high));
    pair[k] =
        pv_asm_keep(s, pv_asm_binary(s, PV_X_OR, pv_asm_binary(s, PV_X_SHL, high, shift), low));
  }
  pv_asm_check_store(s, &i->at[0]);
  if (!where || !i->lock) pv_asm_refuse(s, "cmpxchg8b without lock or memory");
  if (s->bad) return;
  s->flags = (struct pv_asm_flags){0};
  if (any && !s->named[PV_ASM_AX].known)
    old = pv_asm_modify(s, PV_RMW_OR, where, pv_mk_const(s->p, type, 0), true);
  else
    s->flags.zf = swap_if(s, where, pair[0], pair[1], &old);
  pv_asm_declare_write(s, &ax);
  pv_asm_declare_write(s, &dx);
  pv_expr top = pv_asm_binary(s, PV_X_LSHR, old, shift);
  s->named[PV_ASM_AX] =
      (struct pv_asm_cell){pv_mk_unary(s->p, PV_X_TRUNC, PV_INT(half), old), half, 0};
  s->named[PV_ASM_DX] =
      (struct pv_asm_cell){pv_mk_unary(s->p, PV_X_TRUNC, PV_INT(half), top), half, 0};
}

static void exchange_add(struct pv_assembly *s, const struct pv_asm_instruction *i, unsigned bits) {
  const struct pv_asm_place *from = &i->at[0], *to = &i->at[1];
  pv_expr b = pv_asm_int_value(s, from, bits),
          where = pv_asm_in_memory(s, to) ? pv_asm_address(s, to) : 0, a;
  if (!b || pv_asm_in_memory(s, from)) {
    pv_asm_refuse(s, "two places in memory");
    return;
  }
  if (i->lock) {
    pv_asm_check_store(s, to);
    a = s->bad ? 0 : pv_asm_modify(s, PV_RMW_ADD, where, b, true);
  } else {
    a = where ? pv_asm_load(s, where, PV_INT(bits)) : pv_asm_int_value(s, to, bits);
  }
  if (!a) return;
  pv_expr sum = pv_asm_binary(s, PV_X_ADD, a, b);
  pv_asm_write(s, from, 0, bits, a);
  if (!i->lock) pv_asm_write(s, to, where, bits, sum);
  set_flags(s, PV_ASM_ADD, a, b, sum);
}

static const struct {
  enum pv_expr_op op;
  enum pv_rmw rmw;
} arithmetic_table[] = {
    [PV_ASM_ADD] = {PV_X_ADD, PV_RMW_ADD}, [PV_ASM_SUB] = {PV_X_SUB, PV_RMW_SUB},
    [PV_ASM_AND] = {PV_X_AND, PV_RMW_AND}, [PV_ASM_OR] = {PV_X_OR, PV_RMW_OR},
    [PV_ASM_XOR] = {PV_X_XOR, PV_RMW_XOR},
};

/* A locked operation that does not change the top of the stack: it is only a fence. */
static bool is_fence(struct pv_assembly *s, const struct pv_asm_instruction *i) {
  const struct pv_asm_place *to = &i->at[1];
  bool stack = to->kind == PV_ASM_MEMORY && to->has_base && !to->whole && !to->reg.is_operand &&
               to->reg.number == PV_ASM_SP && !to->scale;
  int64_t neutral = i->op == PV_ASM_AND ? -1 : 0;
  bool plain = i->at[0].kind == PV_ASM_CONSTANT && i->at[0].value == neutral;
  return stack && plain && i->lock && !s->flags_used;
}

static bool same_register(struct pv_assembly *s, const struct pv_asm_instruction *i) {
  const struct pv_asm_place *a = &i->at[0], *b = &i->at[1];
  return pv_asm_register_bits(s, a) && pv_asm_register_bits(s, b) && a->reg.high == b->reg.high &&
         pv_asm_cell_of(s, &a->reg) == pv_asm_cell_of(s, &b->reg);
}

/* Stores a op b at the place of a. */
static void arithmetic(struct pv_assembly *s, const struct pv_asm_instruction *i, unsigned bits) {
  const struct pv_asm_place *from = &i->at[0], *to = &i->at[1];
  enum pv_asm_op op = i->op == PV_ASM_CMP ? PV_ASM_SUB : i->op == PV_ASM_TEST ? PV_ASM_AND : i->op;
  bool stores = op == i->op;
  pv_expr a, b, where = pv_asm_in_memory(s, to) ? pv_asm_address(s, to) : 0;
  if (stores && (op == PV_ASM_XOR || op == PV_ASM_SUB) && same_register(s, i))
    a = b = pv_asm_const(s, bits, 0); /* x op x: independent of its value */
  else
    b = pv_asm_int_value(s, from, bits), a = 0;
  if (!b || (where && pv_asm_in_memory(s, from))) {
    pv_asm_refuse(s, "two places in memory");
    return;
  }
  if (i->lock) {
    pv_asm_check_store(s, to);
    if (s->bad) return;
    a = pv_asm_modify(s, arithmetic_table[op].rmw, where, b, s->flags_used);
    if (!a) return;
  } else if (!a) {
    a = where ? pv_asm_load(s, where, PV_INT(bits)) : pv_asm_int_value(s, to, bits);
    if (!a) return;
  }
  pv_expr r = pv_asm_binary(s, arithmetic_table[op].op, a, b);
  set_flags(s, op, a, b, r);
  if (stores && !i->lock) pv_asm_write(s, to, where, bits, r);
}

/* inc, dec, neg, not */
static void unary(struct pv_assembly *s, const struct pv_asm_instruction *i, unsigned bits) {
  const struct pv_asm_place *to = &i->at[0];
  pv_expr one = pv_asm_const(s, bits, 1), zero = pv_asm_const(s, bits, 0),
          ones = pv_asm_const(s, bits, UINT64_MAX);
  pv_expr where = pv_asm_in_memory(s, to) ? pv_asm_address(s, to) : 0, a, cf = s->flags.cf;
  enum pv_rmw rmw = i->op == PV_ASM_INC   ? PV_RMW_ADD
                    : i->op == PV_ASM_DEC ? PV_RMW_SUB
                                          : PV_RMW_XOR;
  bool negate = i->op == PV_ASM_NEG, section = negate && i->lock;
  if (where) pv_asm_check_store(s, to);
  if (s->bad) return;
  s->section = section;
  if (section) pv_fn_emit(s->fn, pv_edge_of(PV_OP_ATOMIC_BEGIN, 0, 0));
  if (i->lock && !negate)
    a = pv_asm_modify(s, rmw, where, rmw == PV_RMW_XOR ? ones : one, s->flags_used);
  else
    a = where ? pv_asm_load(s, where, PV_INT(bits)) : pv_asm_int_value(s, to, bits);
  pv_expr r = 0;
  if (a)
    r = negate                ? pv_asm_binary(s, PV_X_SUB, zero, a)
        : i->op == PV_ASM_NOT ? pv_asm_binary(s, PV_X_XOR, a, ones)
        : i->op == PV_ASM_INC ? pv_asm_binary(s, PV_X_ADD, a, one)
                              : pv_asm_binary(s, PV_X_SUB, a, one);
  if (a && (!i->lock || negate)) pv_asm_write(s, to, where, bits, r);
  if (section) pv_fn_emit(s->fn, pv_edge_of(PV_OP_ATOMIC_END, 0, 0));
  s->section = false;
  if (!a || i->op == PV_ASM_NOT) return;
  if (negate)
    set_flags(s, PV_ASM_SUB, zero, a, r);
  else
    set_flags(s, i->op == PV_ASM_INC ? PV_ASM_ADD : PV_ASM_SUB, a, one, r);
  if (!negate) s->flags.cf = cf;
}

/* bt, bts, btr, btc: for a place in memory, a register counts bits from it on, in both
 * directions. */
static void bit(struct pv_assembly *s, const struct pv_asm_instruction *i, unsigned bits) {
  const struct pv_asm_place *from = &i->at[0], *to = &i->at[1];
  bool memory = pv_asm_in_memory(s, to), fixed = pv_asm_is_constant(s, from),
       stores = i->op != PV_ASM_BT;
  pv_expr index = pv_asm_int_value(s, from, bits), where = memory ? pv_asm_address(s, to) : 0, old;
  if (!index || bits == 8 || pv_asm_in_memory(s, from)) {
    pv_asm_refuse(s, "a bit is not told by a register");
    return;
  }
  pv_expr number = pv_asm_binary(s, PV_X_AND, index, pv_asm_const(s, bits, bits - 1));
  if (memory && !fixed) {
    unsigned log = bits == 64 ? 6 : bits == 32 ? 5 : 4;
    pv_expr unit = pv_asm_binary(s, PV_X_ASHR, index, pv_asm_const(s, bits, log));
    unit = pv_fn_convert(s->fn, unit, s->fn->fe->word);
    unit = pv_asm_binary(s, PV_X_MUL, unit, pv_fn_size(s->fn, bits / 8));
    where = pv_asm_keep(s, pv_mk_binary(s->p, PV_X_PTRADD, 0, s->fn->fe->ptr, where, unit));
  }
  if (memory && stores) pv_asm_check_store(s, to);
  if (s->bad) return;
  pv_expr mask = pv_asm_keep(s, pv_asm_binary(s, PV_X_SHL, pv_asm_const(s, bits, 1), number));
  pv_expr others = pv_asm_binary(s, PV_X_XOR, mask, pv_asm_const(s, bits, UINT64_MAX));
  enum pv_asm_op how = i->op == PV_ASM_BTS   ? PV_ASM_OR
                       : i->op == PV_ASM_BTR ? PV_ASM_AND
                                             : PV_ASM_XOR;
  pv_expr with = how == PV_ASM_AND ? others : mask;
  if (i->lock)
    old = pv_asm_modify(s, arithmetic_table[how].rmw, where, with, true);
  else
    old = where ? pv_asm_load(s, where, PV_INT(bits)) : pv_asm_int_value(s, to, bits);
  if (!old) return;
  if (stores && !i->lock)
    pv_asm_write(s, to, where, bits, pv_asm_binary(s, arithmetic_table[how].op, old, with));
  pv_expr set = pv_asm_binary(s, PV_X_AND, old, mask), zf = s->flags.zf;
  s->flags =
      (struct pv_asm_flags){.zf = zf, .cf = compare(s, PV_X_NE, set, pv_asm_const(s, bits, 0))};
}

static pv_expr integer(struct pv_assembly *s, enum pv_intop op, pv_expr a, pv_expr b, pv_expr c) {
  return pv_mk(s->p, (struct pv_expr_node){.op = PV_X_INTOP,
                                           .aux = (uint16_t)op,
                                           .type = pv_node(s->p, a)->type,
                                           .a = a,
                                           .b = b,
                                           .c = c});
}

/* bsf, bsr: the result for 0 is undefined. */
static void scan(struct pv_assembly *s, const struct pv_asm_instruction *i, unsigned bits) {
  pv_expr x = pv_asm_int_value(s, &i->at[0], bits);
  if (!x || bits == 8 || pv_asm_in_memory(s, &i->at[1])) {
    pv_asm_refuse(s, "a bit scan of a byte");
    return;
  }
  x = pv_asm_keep(s, x);
  pv_loc none = pv_fn_branch(s->fn, compare(s, PV_X_NE, x, pv_asm_const(s, bits, 0))),
         here = s->fn->cur;
  s->fn->cur = none;
  pv_fn_unsupported(s->fn, i->op == PV_ASM_BSF ? "bsf of 0" : "bsr of 0");
  s->fn->dead = false;
  s->fn->cur = here;
  pv_expr e = integer(s, i->op == PV_ASM_BSF ? PV_INTOP_CTTZ : PV_INTOP_CTLZ, x, 0, 0);
  if (i->op == PV_ASM_BSR) e = pv_asm_binary(s, PV_X_SUB, pv_asm_const(s, bits, bits - 1), e);
  s->flags = (struct pv_asm_flags){.zf = pv_asm_const(s, 1, 0)};
  pv_asm_write(s, &i->at[1], 0, bits, e);
}

static void swap_bytes(struct pv_assembly *s, const struct pv_asm_instruction *i, unsigned bits) {
  pv_expr x = pv_asm_register_bits(s, &i->at[0]) >= 32 ? pv_asm_int_value(s, &i->at[0], bits) : 0;
  if (!x)
    pv_asm_refuse(s, "bswap of less than 32 bits");
  else
    pv_asm_write(s, &i->at[0], 0, bits, integer(s, PV_INTOP_BSWAP, x, 0, 0));
}

static void shift(struct pv_assembly *s, const struct pv_asm_instruction *i) {
  struct pv_asm_instruction alone = {.bits = i->bits, .n = 1, .at = {i->at[1]}};
  unsigned bits = pv_asm_bits(s, &alone);
  const struct pv_asm_place *to = &i->at[1];
  if (i->at[0].kind != PV_ASM_CONSTANT || !bits || i->at[0].value < 0 ||
      i->at[0].value >= (int64_t)bits) {
    pv_asm_refuse(s, "a shift by what is not a constant");
    return;
  }
  pv_expr n = pv_asm_const(s, bits, (uint64_t)i->at[0].value);
  pv_expr where = pv_asm_in_memory(s, to) ? pv_asm_address(s, to) : 0;
  pv_expr a = where ? pv_asm_load(s, where, PV_INT(bits)) : pv_asm_int_value(s, to, bits), r;
  if (!a) return;
  switch (i->op) {
  case PV_ASM_ROL: r = integer(s, PV_INTOP_FSHL, a, a, n); break;
  case PV_ASM_ROR: r = integer(s, PV_INTOP_FSHR, a, a, n); break;
  case PV_ASM_SHL: r = pv_asm_binary(s, PV_X_SHL, a, n); break;
  case PV_ASM_SHR: r = pv_asm_binary(s, PV_X_LSHR, a, n); break;
  default: r = pv_asm_binary(s, PV_X_ASHR, a, n);
  }
  s->flags = (struct pv_asm_flags){0};
  pv_asm_write(s, to, where, bits, r);
}

static void conditional(struct pv_assembly *s, const struct pv_asm_instruction *i, unsigned bits) {
  pv_expr c = pv_asm_condition(s, i->condition);
  const struct pv_asm_place *to = &i->at[i->n - 1];
  pv_expr where = pv_asm_in_memory(s, to) ? pv_asm_address(s, to) : 0;
  if (s->bad) return;
  if (i->op == PV_ASM_SET) {
    pv_asm_write(s, to, where, 8, pv_mk_unary(s->p, PV_X_ZEXT, PV_INT(8), c));
    return;
  }
  pv_expr a = pv_asm_int_value(s, &i->at[0], bits), b = a ? pv_asm_int_value(s, to, bits) : 0;
  if (b) pv_asm_write(s, to, where, bits, choose(s, c, a, b));
}

/* Sets a register to an unknown value. */
static void unknown(struct pv_assembly *s, uint8_t number, const char *name, bool last) {
  const struct pv_asm_register r = {.number = number};
  bool wanted = !last;
  for (uint32_t i = 0; i < s->c.operands.n; i++) {
    const struct pv_asm_operand *o = &s->c.operands.at[i];
    bool pair = o->pair && (number == PV_ASM_AX || number == PV_ASM_DX);
    wanted |= o->output && !o->indirect && (o->reg == number || pair);
  }
  pv_asm_declare_write(s, &r);
  if (s->bad || !wanted) return;
  struct pv_edge e = pv_edge_of(PV_OP_HAVOC, 0, 0);
  e.type = PV_INT(32);
  e.text = pv_program_string(s->p, name);
  e.site = s->p->n_sites++;
  e.aux = 1;
  e.dst = pv_fn_temp(s->fn, e.type);
  pv_fn_emit(s->fn, e);
  pv_asm_write_cell(s, &s->named[number], 32, false, pv_fn_var(s->fn, e.dst));
}

static void machine(struct pv_assembly *s, const struct pv_asm_instruction *i, bool last) {
  const char *name = i->op == PV_ASM_RDTSC ? "rdtsc" : "cpuid";
  unknown(s, PV_ASM_AX, name, last);
  unknown(s, PV_ASM_DX, name, last);
  if (i->op == PV_ASM_RDTSC) return;
  unknown(s, PV_ASM_BX, name, last);
  unknown(s, PV_ASM_CX, name, last);
  fence(s, PV_ORDER_SEQ_CST);
}

void pv_asm_instruction(struct pv_assembly *s, const struct pv_asm_instruction *i, bool last) {
  bool no_width = i->op <= PV_ASM_SFENCE || i->op == PV_ASM_MOVZ || i->op == PV_ASM_MOVS ||
                  i->op == PV_ASM_CMPXCHG_PAIR || (i->op >= PV_ASM_ROL && i->op <= PV_ASM_SAR) ||
                  i->op >= PV_ASM_RDTSC;
  const struct pv_asm_place *to = i->n ? &i->at[i->n - 1] : NULL;
  if (i->lock && i->op != PV_ASM_XCHG && !pv_asm_in_memory(s, to))
    pv_asm_refuse(s, "lock without memory");
  if (i->lock && i->op == PV_ASM_XCHG && !pv_asm_in_memory(s, &i->at[0]) &&
      !pv_asm_in_memory(s, to))
    pv_asm_refuse(s, "lock without memory");
  if (i->op >= PV_ASM_ADD && i->op <= PV_ASM_XOR && is_fence(s, i)) {
    fence(s, PV_ORDER_SEQ_CST);
    return;
  }
  unsigned bits = no_width || s->bad ? 0 : pv_asm_bits(s, i);
  if (s->bad) return;
  switch (i->op) {
  case PV_ASM_NOP: break;
  case PV_ASM_FENCE: fence(s, PV_ORDER_SEQ_CST); break;
  case PV_ASM_LFENCE: fence(s, PV_ORDER_ACQUIRE); break;
  case PV_ASM_SFENCE: fence(s, PV_ORDER_RELEASE); break;
  case PV_ASM_MOV: move(s, i, bits); break;
  case PV_ASM_MOVZ:
  case PV_ASM_MOVS: extend(s, i); break;
  case PV_ASM_LEA:
    if (pv_asm_in_memory(s, &i->at[0]) && bits == s->p->pointer_bits) {
      pv_expr e = pv_asm_address(s, &i->at[0]);
      if (e) pv_asm_write(s, to, 0, bits, e);
    } else {
      pv_asm_refuse(s, "lea");
    }
    break;
  case PV_ASM_XCHG: exchange(s, i, bits); break;
  case PV_ASM_CMPXCHG: compare_exchange(s, i, bits); break;
  case PV_ASM_CMPXCHG_PAIR: compare_exchange_pair(s, i); break;
  case PV_ASM_XADD: exchange_add(s, i, bits); break;
  case PV_ASM_ADD:
  case PV_ASM_SUB:
  case PV_ASM_AND:
  case PV_ASM_OR:
  case PV_ASM_XOR:
  case PV_ASM_CMP:
  case PV_ASM_TEST: arithmetic(s, i, bits); break;
  case PV_ASM_INC:
  case PV_ASM_DEC:
  case PV_ASM_NEG:
  case PV_ASM_NOT: unary(s, i, bits); break;
  case PV_ASM_BT:
  case PV_ASM_BTS:
  case PV_ASM_BTR:
  case PV_ASM_BTC: bit(s, i, bits); break;
  case PV_ASM_BSF:
  case PV_ASM_BSR: scan(s, i, bits); break;
  case PV_ASM_BSWAP: swap_bytes(s, i, bits); break;
  case PV_ASM_ROL:
  case PV_ASM_ROR:
  case PV_ASM_SHL:
  case PV_ASM_SHR:
  case PV_ASM_SAR: shift(s, i); break;
  case PV_ASM_SET:
  case PV_ASM_CMOV: conditional(s, i, bits); break;
  case PV_ASM_RDTSC:
  case PV_ASM_CPUID: machine(s, i, last); break;
  }
}
