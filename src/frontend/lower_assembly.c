/* lower_assembly.c -- lowers inline assembly to edges: executes the instructions that assembly.h
 * parsed one after the other, on registers that are expressions.
 *
 * Memory accesses are atomic, like aligned ones of the machine. A locked one is sequentially
 * consistent. A plain load or store has the order that x86 gives it (acquire, release); this is
 * weaker, so the VM adds its proviso. Without a lock, a read-modify-write is a load and a store.
 *
 * A template must respect its declaration, because otherwise its effect depends on the compiler. It
 * is rejected if it changes a register that it does not declare, or memory without an operand or a
 * clobber for it; if it reads a register or flag that was not set; or if it reads an input after it
 * set an output that may be in the same register (no "&"). */
#include "frontend/lower_assembly_internal.h"

#include <stdlib.h>

enum { LARGE = 8 };

void pv_asm_refuse(struct pv_assembly *s, const char *why) {
  if (!s->bad) s->bad = why;
}

/* Returns the expression, or a temporary for it if it is large or may be undefined behaviour, which
 * is evaluated here then. */
pv_expr pv_asm_keep(struct pv_assembly *s, pv_expr e) {
  const struct pv_expr_info *info = pv_fe_info(s->fn->fe, e);
  if (!info->ub && info->size <= LARGE) return e;
  uint32_t t = pv_fn_temp(s->fn, pv_node(s->p, e)->type);
  pv_fn_assign(s->fn, t, e);
  return pv_fn_var(s->fn, t);
}

/* ---- registers ------------------------------------------------------------------------------- */

/* The operand that a register of the template stands for, after ties are resolved. */
unsigned pv_asm_operand_of(const struct pv_assembly *s, unsigned number) {
  int tied = s->c.operands.at[number].tied;
  return tied >= 0 ? (unsigned)tied : number;
}

struct pv_asm_cell *pv_asm_cell_of(struct pv_assembly *s, const struct pv_asm_register *r) {
  if (!r->is_operand) return &s->named[r->number];
  unsigned k = pv_asm_operand_of(s, r->number);
  uint8_t reg = s->c.operands.at[k].reg;
  return reg == PV_ASM_ANY ? &s->own[k] : &s->named[reg];
}

static bool is_tied(const struct pv_assembly *s, unsigned output) {
  for (uint32_t i = 0; i < s->c.operands.n; i++) {
    const struct pv_asm_operand *o = &s->c.operands.at[i];
    bool same = o->reg != PV_ASM_ANY && o->reg == s->c.operands.at[output].reg;
    if (!o->output && !o->indirect && (o->tied == (int)output || same)) return true;
  }
  return false;
}

/* May input k have been overwritten by an output that shares its register? */
static void check_input(struct pv_assembly *s, unsigned k) {
  const struct pv_asm_operand *o = &s->c.operands.at[k];
  if (o->tied >= 0 || (o->output && !o->indirect)) return;
  bool fixed = o->reg != PV_ASM_ANY && !o->indirect;
  bool lost = s->shared || (!fixed && s->shared_named);
  /* Two inputs with the same value may share a register. */
  for (uint32_t i = 0; i < s->c.operands.n; i++) {
    const struct pv_asm_operand *other = &s->c.operands.at[i];
    if (other->tied < 0 || !s->written[other->tied] || s->c.operands.at[other->tied].early)
      continue;
    lost |= s->input[i] == s->input[k];
  }
  if (lost) pv_asm_refuse(s, "an operand is read after an output without & was set");
}

void pv_asm_declare_write(struct pv_assembly *s, const struct pv_asm_register *r) {
  unsigned output = UINT32_MAX;
  if (r->is_operand) {
    output = pv_asm_operand_of(s, r->number);
    const struct pv_asm_operand *o = &s->c.operands.at[output];
    if (!o->output || o->condition != PV_ASM_CC_NONE || o->pair) {
      pv_asm_refuse(s, "an input is changed");
      return;
    }
  } else {
    bool known = s->c.clobbered >> r->number & 1;
    for (uint32_t i = 0; i < s->c.operands.n; i++) {
      const struct pv_asm_operand *o = &s->c.operands.at[i];
      bool pair = o->pair && (r->number == PV_ASM_AX || r->number == PV_ASM_DX);
      if (!o->output || o->indirect || (o->reg != r->number && !pair)) continue;
      known = true;
      output = i;
    }
    if (!known) pv_asm_refuse(s, "a register is changed that is not declared");
  }
  if (output == UINT32_MAX) return;
  const struct pv_asm_operand *o = &s->c.operands.at[output];
  s->written[output] = true;
  if (o->early || is_tied(s, output)) return;
  if (o->pair)
    s->shared_named |= 1u << PV_ASM_AX | 1u << PV_ASM_DX;
  else if (o->reg == PV_ASM_ANY)
    s->shared = true;
  else
    s->shared_named |= UINT32_C(1) << o->reg;
}

/* The low bits of a register, as a pointer if it is known to be one. 0: rejected. */
pv_expr pv_asm_read_cell(struct pv_assembly *s, const struct pv_asm_cell *c, unsigned bits,
                         bool high) {
  if (bits > c->known || (high && c->known < 16)) {
    pv_asm_refuse(s, "a register is read that was not set");
    return 0;
  }
  if (bits == c->known && !high) return c->e;
  pv_expr e = pv_asm_int(s, c->e);
  const struct pv_expr_node *n = pv_node(s->p, e);
  if (n->op == PV_X_ZEXT && !high && pv_asm_width(s, n->a) == bits) return n->a;
  if (high) e = pv_asm_binary(s, PV_X_LSHR, e, pv_asm_const(s, c->known, 8));
  return pv_mk_unary(s->p, PV_X_TRUNC, PV_INT(bits), e);
}

void pv_asm_write_cell(struct pv_assembly *s, struct pv_asm_cell *c, unsigned bits, bool high,
                       pv_expr e) {
  e = pv_asm_keep(s, e);
  if (bits == 32 && s->p->pointer_bits == 64) {
    c->e = pv_mk_unary(s->p, PV_X_ZEXT, PV_INT(64), pv_asm_int(s, e));
    c->known = 64;
    return;
  }
  if (c->known <= bits && !high) {
    c->e = e;
    c->known = bits;
    return;
  }
  if (high && c->known < 16) {
    pv_asm_refuse(s, "a register is read that was not set");
    return;
  }
  pv_type t = PV_INT(c->known);
  uint64_t mask = ((UINT64_C(1) << bits) - 1) << (high ? 8 : 0);
  pv_expr part = pv_mk_unary(s->p, PV_X_ZEXT, t, pv_asm_int(s, e));
  if (high) part = pv_asm_binary(s, PV_X_SHL, part, pv_mk_const(s->p, t, 8));
  pv_expr rest = pv_asm_binary(s, PV_X_AND, pv_asm_int(s, c->e), pv_mk_const(s->p, t, ~mask));
  c->e = pv_asm_keep(s, pv_asm_binary(s, PV_X_OR, rest, part));
}

/* ---- places ---------------------------------------------------------------------------------- */

static const struct pv_asm_operand *operand(const struct pv_assembly *s,
                                            const struct pv_asm_place *at) {
  bool is = (at->kind == PV_ASM_REGISTER && at->reg.is_operand) || at->whole;
  return is ? &s->c.operands.at[at->reg.number] : NULL;
}

bool pv_asm_in_memory(const struct pv_assembly *s, const struct pv_asm_place *at) {
  const struct pv_asm_operand *o = operand(s, at);
  return at->kind == PV_ASM_MEMORY || (o && o->indirect);
}

bool pv_asm_is_constant(const struct pv_assembly *s, const struct pv_asm_place *at) {
  const struct pv_asm_operand *o = operand(s, at);
  return at->kind == PV_ASM_CONSTANT || (o && o->constant && !o->output && o->tied < 0 &&
                                         pv_node(s->p, s->input[at->reg.number])->op == PV_X_CONST);
}

static pv_expr register_word(struct pv_assembly *s, const struct pv_asm_register *r) {
  if (r->bits && r->bits != s->p->pointer_bits)
    pv_asm_refuse(s, "an address is not as wide as a pointer");
  if (!r->is_operand && r->number == PV_ASM_SP) pv_asm_refuse(s, "the stack is accessed");
  if (r->is_operand) {
    const struct pv_asm_operand *o = &s->c.operands.at[r->number];
    if (o->indirect) pv_asm_refuse(s, "an address lies in memory");
    check_input(s, r->number);
  }
  pv_expr e = s->bad ? 0 : pv_asm_read_cell(s, pv_asm_cell_of(s, r), s->p->pointer_bits, false);
  return e ? e : pv_fn_size(s->fn, 0);
}

/* The address of a place in memory; 0: rejected. */
pv_expr pv_asm_address(struct pv_assembly *s, const struct pv_asm_place *at) {
  const struct pv_asm_operand *o = operand(s, at);
  pv_expr base, offset = pv_fn_size(s->fn, (uint64_t)at->value);
  if (o) {
    if (!o->indirect || at->reg.bits) {
      pv_asm_refuse(s, "an operand is not in memory");
      return 0;
    }
    check_input(s, at->reg.number);
    base = s->input[at->reg.number];
  } else {
    base = at->has_base ? register_word(s, &at->reg) : pv_fn_size(s->fn, 0);
    if (at->scale) {
      pv_expr index = pv_asm_int(s, register_word(s, &at->index));
      index = pv_asm_binary(s, PV_X_MUL, index, pv_fn_size(s->fn, at->scale));
      offset = pv_asm_binary(s, PV_X_ADD, index, offset);
    }
  }
  if (s->bad) return 0;
  base = pv_asm_as(s, base, s->fn->fe->ptr);
  const struct pv_expr_node *n = pv_node(s->p, offset);
  if (n->op == PV_X_CONST && n->lo == 0) return base;
  return pv_asm_keep(s, pv_mk_binary(s->p, PV_X_PTRADD, 0, s->fn->fe->ptr, base, offset));
}

/* Checks that memory at the place may be changed. */
void pv_asm_check_store(struct pv_assembly *s, const struct pv_asm_place *at) {
  const struct pv_asm_operand *o = operand(s, at);
  if (!(o && o->output) && !s->c.memory) pv_asm_refuse(s, "memory is changed that is not declared");
}

struct pv_edge pv_asm_access(enum pv_op op, pv_expr at, pv_type type, enum pv_order order) {
  struct pv_edge e = pv_edge_of(op, 0, 0);
  e.e[0] = at;
  e.type = type;
  e.order = (uint8_t)order;
  e.flags = PV_EF_VOLATILE;
  e.align = pv_type_bytes(type);
  return e;
}

pv_expr pv_asm_load(struct pv_assembly *s, pv_expr at, pv_type type) {
  struct pv_edge e =
      pv_asm_access(PV_OP_LOAD, at, type, s->section ? PV_ORDER_SEQ_CST : PV_ORDER_ACQUIRE);
  e.dst = pv_fn_temp(s->fn, type);
  pv_fn_emit(s->fn, e);
  return pv_fn_var(s->fn, e.dst);
}

static void store(struct pv_assembly *s, pv_expr at, pv_expr value) {
  struct pv_edge e = pv_asm_access(PV_OP_STORE, at, pv_node(s->p, value)->type,
                                   s->section ? PV_ORDER_SEQ_CST : PV_ORDER_RELEASE);
  e.e[1] = value;
  pv_fn_emit(s->fn, e);
}

/* One atomic read-modify-write; 0 if the old value is not used. */
pv_expr pv_asm_modify(struct pv_assembly *s, enum pv_rmw how, pv_expr at, pv_expr with,
                      bool wanted) {
  struct pv_edge e = pv_asm_access(PV_OP_RMW, at, pv_node(s->p, with)->type, PV_ORDER_SEQ_CST);
  e.e[1] = with;
  e.aux = how;
  if (wanted) e.dst = pv_fn_temp(s->fn, e.type);
  pv_fn_emit(s->fn, e);
  return wanted ? pv_fn_var(s->fn, e.dst) : 0;
}

/* The width of the register at a place in bits; 0: the place is no register. */
unsigned pv_asm_register_bits(const struct pv_assembly *s, const struct pv_asm_place *at) {
  if (at->kind != PV_ASM_REGISTER || pv_asm_in_memory(s, at)) return 0;
  if (at->reg.bits || !at->reg.is_operand) return at->reg.bits;
  unsigned k = pv_asm_operand_of(s, at->reg.number);
  if (s->c.operands.at[k].output) return pv_type_bits(s->output_type[k]);
  return s->input[k] ? pv_asm_width(s, s->input[k]) : 0;
}

/* The width of an instruction: its suffix and its registers must agree. 0: rejected. */
unsigned pv_asm_bits(struct pv_assembly *s, const struct pv_asm_instruction *i) {
  unsigned bits = i->bits;
  for (unsigned k = 0; k < i->n; k++) {
    unsigned w = pv_asm_is_constant(s, &i->at[k]) ? 0 : pv_asm_register_bits(s, &i->at[k]);
    if (w && !bits) bits = w;
    if (w && w != bits) bits = 1;
  }
  if (bits == 8 || bits == 16 || bits == 32 || (bits == 64 && s->p->pointer_bits == 64))
    return bits;
  pv_asm_refuse(s, "the width of an instruction is not that of its registers");
  return 0;
}

/* The value of a place, which may be a pointer. 0: rejected. */
pv_expr pv_asm_value(struct pv_assembly *s, const struct pv_asm_place *at, unsigned bits) {
  if (at->kind == PV_ASM_CONSTANT) return pv_asm_const(s, bits, (uint64_t)at->value);
  if (pv_asm_in_memory(s, at)) {
    pv_expr where = pv_asm_address(s, at);
    return where ? pv_asm_load(s, where, PV_INT(bits)) : 0;
  }
  if (pv_asm_is_constant(s, at)) {
    pv_expr e = s->input[at->reg.number];
    unsigned w = pv_asm_width(s, e);
    if (w < bits) return pv_mk_unary(s->p, PV_X_SEXT, PV_INT(bits), pv_asm_int(s, e));
    return w == bits ? e : pv_mk_unary(s->p, PV_X_TRUNC, PV_INT(bits), pv_asm_int(s, e));
  }
  if (at->reg.is_operand) check_input(s, at->reg.number);
  if (!at->reg.is_operand && (at->reg.number == PV_ASM_SP || at->reg.number == PV_ASM_BP))
    pv_asm_refuse(s, "the stack is accessed");
  return s->bad ? 0 : pv_asm_read_cell(s, pv_asm_cell_of(s, &at->reg), bits, at->reg.high);
}

pv_expr pv_asm_int_value(struct pv_assembly *s, const struct pv_asm_place *at, unsigned bits) {
  pv_expr e = pv_asm_value(s, at, bits);
  return e ? pv_asm_int(s, e) : 0;
}

/* `where`: the address if the place is memory. */
void pv_asm_write(struct pv_assembly *s, const struct pv_asm_place *at, pv_expr where,
                  unsigned bits, pv_expr e) {
  if (s->bad) return;
  if (pv_asm_in_memory(s, at)) {
    pv_asm_check_store(s, at);
    if (!s->bad) store(s, where, e);
    return;
  }
  if (at->kind != PV_ASM_REGISTER) {
    pv_asm_refuse(s, "a constant is changed");
    return;
  }
  pv_asm_declare_write(s, &at->reg);
  if (!s->bad) pv_asm_write_cell(s, pv_asm_cell_of(s, &at->reg), bits, at->reg.high, e);
}

/* ---- templates ------------------------------------------------------------------------------- */

/* An int of a register's width, or a pointer; 0: rejected. */
static pv_expr register_value(struct pv_assembly *s, pv_expr e) {
  pv_type t = pv_node(s->p, e)->type;
  unsigned bits = pv_type_bits(t);
  bool fits = bits == 8 || bits == 16 || bits == 32 || bits == 64;
  if (!fits) pv_asm_refuse(s, "an operand does not fit a register");
  if (s->bad) return 0;
  return pv_type_kind(t) == PV_T_FLOAT ? pv_asm_int(s, e) : e;
}

static void put_input(struct pv_assembly *s, unsigned k, pv_expr e) {
  const struct pv_asm_operand *o = &s->c.operands.at[k];
  unsigned to = pv_asm_operand_of(s, k), bits = pv_asm_width(s, e);
  if (!s->c.operands.at[to].pair && bits > s->p->pointer_bits && !o->constant)
    pv_asm_refuse(s, "an operand does not fit a register");
  if (s->c.operands.at[to].pair) {
    e = pv_asm_int(s, e);
    pv_expr high = bits == 64 ? pv_asm_binary(s, PV_X_LSHR, e, pv_asm_const(s, 64, 32)) : 0;
    pv_expr low = bits == 64 ? pv_mk_unary(s->p, PV_X_TRUNC, PV_INT(32), e) : e;
    s->named[PV_ASM_AX] = (struct pv_asm_cell){low, pv_asm_width(s, low), 0};
    if (high)
      s->named[PV_ASM_DX] =
          (struct pv_asm_cell){pv_mk_unary(s->p, PV_X_TRUNC, PV_INT(32), high), 32, 0};
    return;
  }
  uint8_t reg = s->c.operands.at[to].reg;
  struct pv_asm_cell *c = reg == PV_ASM_ANY ? &s->own[to] : &s->named[reg];
  *c = (struct pv_asm_cell){e, bits, 0};
}

/* Reads the arguments of the call and the types of its results. */
static void take_operands(struct pv_assembly *s, LLVMValueRef call) {
  struct pv_part parts[PV_MAX_PARTS];
  unsigned n_parts = 0, arg = 0, n = s->c.operands.n, results = 0;
  const char *what;
  if (LLVMGetTypeKind(LLVMTypeOf(call)) != LLVMVoidTypeKind &&
      !pv_fe_flatten(s->fn->fe, LLVMTypeOf(call), parts, &n_parts, &what))
    pv_asm_refuse(s, what);
  for (unsigned k = 0; k < PV_ASM_REGISTERS; k++) s->named[k].unset = k + 1;
  for (unsigned k = 0; k < n; k++) s->own[k].unset = PV_ASM_REGISTERS + k + 1;
  for (unsigned k = 0; k < n && !s->bad; k++) {
    const struct pv_asm_operand *o = &s->c.operands.at[k];
    s->flags_used |= o->condition != PV_ASM_CC_NONE;
    if (o->output && !o->indirect) {
      if (results == n_parts) pv_asm_refuse(s, "the types of outputs");
      if (results < n_parts) s->output_type[k] = parts[results++].type;
      continue;
    }
    if (arg == LLVMGetNumArgOperands(call)) {
      pv_asm_refuse(s, "the number of operands");
      return;
    }
    pv_expr e = pv_fn_scalar(s->fn, LLVMGetOperand(call, arg++));
    if (s->fn->dead) return;
    s->input[k] = o->indirect ? pv_asm_keep(s, e) : register_value(s, pv_asm_keep(s, e));
    if (!s->bad && !o->indirect) put_input(s, k, s->input[k]);
  }
  if (results != n_parts) pv_asm_refuse(s, "the types of outputs");
}

/* The value of output k; 0: rejected. */
static pv_expr output(struct pv_assembly *s, unsigned k) {
  const struct pv_asm_operand *o = &s->c.operands.at[k];
  pv_type type = s->output_type[k];
  unsigned bits = pv_type_bits(type);
  pv_expr e;
  if (o->condition != PV_ASM_CC_NONE) {
    e = pv_asm_condition(s, o->condition);
    if (e && bits > 1) e = pv_mk_unary(s->p, PV_X_ZEXT, PV_INT(bits), e);
  } else if (o->pair && bits == 64) {
    pv_expr low = pv_asm_read_cell(s, &s->named[PV_ASM_AX], 32, false);
    pv_expr high = low ? pv_asm_read_cell(s, &s->named[PV_ASM_DX], 32, false) : 0;
    if (!high) return 0;
    high = pv_mk_unary(s->p, PV_X_ZEXT, PV_INT(64), pv_asm_int(s, high));
    low = pv_mk_unary(s->p, PV_X_ZEXT, PV_INT(64), pv_asm_int(s, low));
    e = pv_asm_binary(s, PV_X_OR, pv_asm_binary(s, PV_X_SHL, high, pv_asm_const(s, 64, 32)), low);
  } else {
    uint8_t reg = o->pair ? PV_ASM_AX : o->reg;
    const struct pv_asm_cell *c = reg == PV_ASM_ANY ? &s->own[k] : &s->named[reg];
    e = pv_asm_read_cell(s, c, bits, false);
    if (!e) s->bad = "an output is not set";
  }
  if (!e || bits > 64) {
    pv_asm_refuse(s, "an output does not fit a register");
    return 0;
  }
  return pv_asm_as(s, e, type);
}

static void run(struct pv_assembly *s, LLVMValueRef call) {
  pv_expr results[PV_ASM_OPERANDS];
  unsigned n = 0;
  take_operands(s, call);
  for (uint32_t i = 0; i < s->text.lines.n; i++)
    s->flags_used |= s->text.lines.at[i].op == PV_ASM_SET || s->text.lines.at[i].op == PV_ASM_CMOV;
  for (uint32_t i = 0; i < s->text.lines.n && !s->bad && !s->fn->dead; i++)
    pv_asm_instruction(s, &s->text.lines.at[i], i + 1 == s->text.lines.n);
  for (uint32_t k = 0; k < s->c.operands.n && !s->bad && !s->fn->dead; k++) {
    const struct pv_asm_operand *o = &s->c.operands.at[k];
    if (o->output && !o->indirect) results[n++] = output(s, k);
  }
  if (n && !s->bad && !s->fn->dead) pv_fn_define(s->fn, call, results, n);
}

/* Do all operands exist that the template refers to? */
static bool names_exist(struct pv_assembly *s) {
  for (uint32_t i = 0; i < s->text.lines.n; i++) {
    const struct pv_asm_instruction *line = &s->text.lines.at[i];
    for (unsigned k = 0; k < line->n; k++) {
      const struct pv_asm_place *at = &line->at[k];
      if (at->reg.is_operand && at->reg.number >= s->c.operands.n) return false;
      if (at->index.is_operand && at->index.number >= s->c.operands.n) return false;
    }
  }
  return true;
}

void pv_fn_assembly(struct pv_fn *fn, LLVMValueRef call, LLVMValueRef assembly) {
  struct pv_assembly s = {.fn = fn, .p = fn->p};
  struct pv_str why = {0};
  bool wide = fn->p->pointer_bits == 64;
  size_t n_text, n_constraints;
  const char *text = LLVMGetInlineAsmAsmString(assembly, &n_text);
  const char *constraints = LLVMGetInlineAsmConstraintString(assembly, &n_constraints);
  bool ok = LLVMGetInlineAsmDialect(assembly) == LLVMInlineAsmDialectATT &&
            !LLVMGetInlineAsmNeedsAlignedStack(assembly);
  if (!ok) pv_str_add(&why, "inline assembly");
  ok = ok && pv_asm_read(text, n_text, wide, &s.text, &why) &&
       pv_asm_read_constraints(constraints, n_constraints, wide, &s.c, &why);
  if (ok && (s.c.operands.n > PV_ASM_OPERANDS || !names_exist(&s))) {
    pv_str_add(&why, "inline assembly");
    ok = false;
  }
  uint32_t edges = fn->f.edges.n;
  pv_loc here = fn->cur;
  if (ok) run(&s, call);
  if (s.bad && !fn->dead) { /* no part of it is executed */
    pv_str_addf(&why, "inline assembly: %s", s.bad);
    fn->f.edges.n = edges;
    fn->cur = here;
  }
  if (why.n && !fn->dead) pv_fn_unsupported(fn, pv_str_cstr(&why));
  pv_vec_free(&s.text.lines);
  pv_vec_free(&s.c.operands);
  pv_str_free(&why);
}
