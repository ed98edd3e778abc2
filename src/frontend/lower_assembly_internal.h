/* lower_assembly_internal.h -- declarations that lower_assembly.c (operands, registers, memory) and
 * lower_assembly_inst.c (instructions) share. */
#ifndef PV_LOWER_ASSEMBLY_INTERNAL_H
#define PV_LOWER_ASSEMBLY_INTERNAL_H

#include "frontend/assembly.h"
#include "frontend/frontend_internal.h"

enum { PV_ASM_OPERANDS = 30 };

struct pv_asm_cell { /* a register: its low `known` bits; a pointer, or an int of that width */
  pv_expr e;
  unsigned known, unset; /* known 0: the value is unknown value number `unset` */
};
struct pv_asm_flags { /* 0: not known; lt: SF != OF */
  pv_expr zf, sf, cf, of, lt;
};
struct pv_assembly { /* the state of lowering one template */
  struct pv_fn *fn;
  struct pv_program *p;
  struct pv_asm_template text;
  struct pv_asm_constraints c;
  struct pv_asm_cell named[PV_ASM_REGISTERS];
  struct pv_asm_cell own[PV_ASM_OPERANDS]; /* operands whose register the compiler chooses */
  pv_expr input[PV_ASM_OPERANDS];          /* the value, or the address if it is memory; 0: none */
  pv_type output_type[PV_ASM_OPERANDS];
  bool written[PV_ASM_OPERANDS];
  bool shared;              /* an output whose register is not known was set */
  bool section, flags_used; /* section: the next instruction is one locked operation */
  uint32_t shared_named;    /* the known registers of outputs that were set, as a set */
  struct pv_asm_flags flags;
  const char *bad; /* why the template is rejected */
};

/* lower_assembly.c. If an expression is 0, the template was rejected. */
void pv_asm_refuse(struct pv_assembly *s, const char *why);
/* Returns the expression, or a temporary for it if it is large or may be undefined behaviour; this
 * is evaluated here then. */
pv_expr pv_asm_keep(struct pv_assembly *s, pv_expr e);
struct pv_asm_cell *pv_asm_cell_of(struct pv_assembly *s, const struct pv_asm_register *r);
/* The low bits of a register (or bits 8 to 15 if `high`); a pointer if it is known to be one. */
pv_expr pv_asm_read_cell(struct pv_assembly *s, const struct pv_asm_cell *c, unsigned bits,
                         bool high);
void pv_asm_write_cell(struct pv_assembly *s, struct pv_asm_cell *c, unsigned bits, bool high,
                       pv_expr e);
/* Checks that the template may change a register or the memory of a place. */
void pv_asm_declare_write(struct pv_assembly *s, const struct pv_asm_register *r);
void pv_asm_check_store(struct pv_assembly *s, const struct pv_asm_place *at);
bool pv_asm_in_memory(const struct pv_assembly *s, const struct pv_asm_place *at);
bool pv_asm_is_constant(const struct pv_assembly *s, const struct pv_asm_place *at);
/* The operand that a register of the template stands for, after ties are resolved. */
unsigned pv_asm_operand_of(const struct pv_assembly *s, unsigned number);
/* The width of the register at a place in bits; 0: the place is no register. */
unsigned pv_asm_register_bits(const struct pv_assembly *s, const struct pv_asm_place *at);
/* The width of an instruction, from its suffix and its registers; 0: rejected. */
unsigned pv_asm_bits(struct pv_assembly *s, const struct pv_asm_instruction *i);
pv_expr pv_asm_address(struct pv_assembly *s, const struct pv_asm_place *at);
/* The value of a place: a pointer if it is known to be one; the second function always returns an
 * int. */
pv_expr pv_asm_value(struct pv_assembly *s, const struct pv_asm_place *at, unsigned bits);
pv_expr pv_asm_int_value(struct pv_assembly *s, const struct pv_asm_place *at, unsigned bits);
/* `where`: the address if the place is memory. */
void pv_asm_write(struct pv_assembly *s, const struct pv_asm_place *at, pv_expr where,
                  unsigned bits, pv_expr e);
pv_expr pv_asm_load(struct pv_assembly *s, pv_expr at, pv_type type);
/* One atomic read-modify-write. Has no result if the old value is not used. */
pv_expr pv_asm_modify(struct pv_assembly *s, enum pv_rmw how, pv_expr at, pv_expr with,
                      bool wanted);
struct pv_edge pv_asm_access(enum pv_op op, pv_expr at, pv_type type, enum pv_order order);

/* lower_assembly_inst.c; last: it is the last instruction of the template */
void pv_asm_instruction(struct pv_assembly *s, const struct pv_asm_instruction *i, bool last);
pv_expr pv_asm_condition(struct pv_assembly *s, enum pv_asm_condition c);

/* Small expressions. */
static inline unsigned pv_asm_width(const struct pv_assembly *s, pv_expr e) {
  return pv_type_bits(pv_node(s->p, e)->type);
}
static inline pv_expr pv_asm_const(struct pv_assembly *s, unsigned bits, uint64_t value) {
  return pv_mk_const(s->p, PV_INT(bits), value);
}
static inline pv_expr pv_asm_binary(struct pv_assembly *s, enum pv_expr_op op, pv_expr a,
                                    pv_expr b) {
  return pv_mk_binary(s->p, op, 0, pv_node(s->p, a)->type, a, b);
}
static inline pv_expr pv_asm_as(struct pv_assembly *s, pv_expr e, pv_type t) {
  return pv_node(s->p, e)->type == t ? e : pv_mk_unary(s->p, PV_X_BITCAST, t, e);
}
static inline pv_expr pv_asm_int(struct pv_assembly *s, pv_expr e) {
  return pv_asm_as(s, e, PV_INT(pv_asm_width(s, e)));
}

#endif
