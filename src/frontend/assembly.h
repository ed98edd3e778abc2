/* assembly.h -- a parser of inline assembly for x86. A template becomes a straight line of
 * instructions; the constraints become the places that its operands may be in.
 *
 * The text is LLVM's form of a GNU template (LangRef, "Inline Assembler Expressions"): `$0` and
 * `${0:w}` are operands, `$$` is a dollar, `$(a$|b$)` are dialects, of which the first, AT&T's, is
 * used. `pv_asm_ops` lists the known instructions: what programs need for atomic operations,
 * fences, bit scans, time stamps and the like. A template with anything else (jumps, labels,
 * directives, string and vector instructions, segments) is rejected as a whole, with the unknown
 * text. lower_assembly.c defines the semantics of the instructions.
 *
 * Reference: Intel 64 and IA-32 Architectures Software Developer's Manual, volume 2. */
#ifndef PV_ASSEMBLY_H
#define PV_ASSEMBLY_H

#include "base/base.h"

enum pv_asm_op {
  PV_ASM_NOP,   /* nop, pause, rep nop, prefetches */
  PV_ASM_FENCE, /* mfence */
  PV_ASM_LFENCE,
  PV_ASM_SFENCE,
  PV_ASM_MOV,
  PV_ASM_MOVZ, /* zero extension from `from` bits */
  PV_ASM_MOVS, /* sign extension */
  PV_ASM_LEA,
  PV_ASM_XCHG,
  PV_ASM_CMPXCHG,
  PV_ASM_CMPXCHG_PAIR, /* cmpxchg8b, cmpxchg16b; `bits`: the width of both halves together */
  PV_ASM_XADD,
  PV_ASM_ADD,
  PV_ASM_SUB,
  PV_ASM_AND,
  PV_ASM_OR,
  PV_ASM_XOR,
  PV_ASM_CMP,
  PV_ASM_TEST,
  PV_ASM_INC,
  PV_ASM_DEC,
  PV_ASM_NEG,
  PV_ASM_NOT,
  PV_ASM_BT,
  PV_ASM_BTS,
  PV_ASM_BTR,
  PV_ASM_BTC,
  PV_ASM_BSF,
  PV_ASM_BSR,
  PV_ASM_BSWAP,
  PV_ASM_ROL,
  PV_ASM_ROR,
  PV_ASM_SHL,
  PV_ASM_SHR,
  PV_ASM_SAR,
  PV_ASM_SET, /* setCC: sets a byte to a condition */
  PV_ASM_CMOV,
  PV_ASM_RDTSC,
  PV_ASM_CPUID
};

/* Conditions by their encoding: an odd one is the negation of the one before it. */
enum pv_asm_condition {
  PV_ASM_CC_O,
  PV_ASM_CC_NO,
  PV_ASM_CC_B,
  PV_ASM_CC_AE,
  PV_ASM_CC_E,
  PV_ASM_CC_NE,
  PV_ASM_CC_BE,
  PV_ASM_CC_A,
  PV_ASM_CC_S,
  PV_ASM_CC_NS,
  PV_ASM_CC_P,
  PV_ASM_CC_NP,
  PV_ASM_CC_L,
  PV_ASM_CC_GE,
  PV_ASM_CC_LE,
  PV_ASM_CC_G,
  PV_ASM_CC_NONE
};

/* Registers by their encoding. */
enum {
  PV_ASM_AX,
  PV_ASM_CX,
  PV_ASM_DX,
  PV_ASM_BX,
  PV_ASM_SP,
  PV_ASM_BP,
  PV_ASM_SI,
  PV_ASM_DI,
  PV_ASM_REGISTERS = 16,
  PV_ASM_ANY /* the compiler chooses */
};

/* A machine register, or the register of an operand. */
struct pv_asm_register {
  bool is_operand;
  uint8_t number; /* of the register or of the operand */
  uint8_t bits;   /* 0: as wide as the operand's type */
  bool high;      /* bits 8 to 15 */
};

enum pv_asm_place_kind {
  PV_ASM_REGISTER, /* `reg`; an operand may also be in memory or a constant */
  PV_ASM_CONSTANT, /* `value` */
  PV_ASM_MEMORY    /* at base + index * scale + value; or, if `whole`: operand `reg` + value */
};
struct pv_asm_place {
  enum pv_asm_place_kind kind;
  struct pv_asm_register reg, index; /* MEMORY: reg is the base */
  unsigned scale;                    /* 0: no index */
  bool has_base, whole;
  int64_t value;
};

enum { PV_ASM_PLACES = 3 };
struct pv_asm_instruction {
  enum pv_asm_op op;
  enum pv_asm_condition condition; /* SET, CMOV */
  unsigned bits, from;             /* given by the suffix; 0: those of the operands */
  bool lock;
  unsigned n;
  struct pv_asm_place at[PV_ASM_PLACES]; /* in AT&T's order: the destination last */
};

struct pv_asm_template {
  PV_VEC(struct pv_asm_instruction) lines;
};

/* Parses a template; `wide`: for x86-64. Returns false if it is rejected; *why then says what is
 * not known. The caller frees the lines in both cases. */
bool pv_asm_read(const char *text, size_t n, bool wide, struct pv_asm_template *out,
                 struct pv_str *why);

/* Does assembly at file scope contain only directives that do not matter without linking (.symver,
 * .ident, ...)? */
bool pv_asm_only_marks(const char *text, size_t n);

struct pv_asm_operand {
  bool output, early, pair;        /* pair: in edx:eax ("A") */
  bool indirect;                   /* memory; the argument is its address */
  bool constant;                   /* may be a constant */
  uint8_t reg;                     /* or PV_ASM_ANY */
  enum pv_asm_condition condition; /* output of a flag, else NONE */
  int tied;                        /* input: the output that it shares its place with, or -1 */
};
struct pv_asm_constraints {
  PV_VEC(struct pv_asm_operand) operands; /* in the order of their numbers */
  uint32_t clobbered;                     /* set of registers */
  bool memory;                            /* changes memory other than its operands */
};

/* Parses LLVM's constraint string. Returns false if it is rejected; *why then says what is not
 * known. The caller frees the operands in both cases. */
bool pv_asm_read_constraints(const char *text, size_t n, bool wide, struct pv_asm_constraints *out,
                             struct pv_str *why);

#endif
