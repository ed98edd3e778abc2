/* code.h -- the register bytecode that the ir is compiled to before it runs.
 *
 * A frame holds 64-bit registers: first the variables (values over 64 bits take two), then the
 * addresses of the stack slots, then PV_COPY_REGS registers for block copies. Operands are cells:
 * >= 0 a register of the frame, < 0 a scratch cell (~operand). The scratch area has constants
 * first, then intermediate values, which are valid within one edge only. Values of at most 64 bits
 * are zero-extended.
 *
 * Invariant: a thread parks only at the first instruction of an edge. All registers that are dead
 * there (the edge's `kill` list) are set to zero, so that states with equal futures have equal
 * frames. The progress of a block copy is in its own registers. */
#ifndef PV_CODE_H
#define PV_CODE_H

#include "ir/ir.h"

/* name, operands and semantics. d a b: cells; w: width in bits; x: as described */
/* clang-format off */
#define PV_INSNS(X)                                                                                \
  X(MOV, "d = a (w > 64: two cells)")                                                              \
  X(ADD, "d = a + b; flag NSW: overflow is an event")                                              \
  X(SUB, "d = a - b; NSW likewise")                                                                \
  X(MUL, "d = a * b; NSW likewise")                                                                \
  X(UDIV, "d = a / b; b = 0 is an event")                                                          \
  X(SDIV, "d = a / b; likewise, and MIN / -1")                                                     \
  X(UREM, "d = a % b")                                                                             \
  X(SREM, "d = a % b")                                                                             \
  X(SHL, "d = a << b; b >= w is an event")                                                         \
  X(LSHR, "d = a >> b")                                                                            \
  X(ASHR, "d = a >> b")                                                                            \
  X(AND, "d = a & b")                                                                              \
  X(OR, "d = a | b")                                                                               \
  X(XOR, "d = a ^ b")                                                                              \
  X(EQ, "d = a == b")                                                                              \
  X(NE, "d = a != b")                                                                              \
  X(ULT, "d = a < b")                                                                              \
  X(ULE, "d = a <= b")                                                                             \
  X(SLT, "d = a < b")                                                                              \
  X(SLE, "d = a <= b")                                                                             \
  X(SEXT, "d = a, sign-extended from w to x bits (both <= 64)")                                    \
  X(TRUNC, "d = the low w bits of a")                                                              \
  X(RARE, "d = expression x of its operands a, b, c: wide integers, floats, bit counting")         \
  X(ORDER, "an ordered comparison of two pointers: adds a proviso unless into one object")         \
  X(PROV, "event unless a lies in b's object (or b in none)")                                      \
  X(TLS, "d = address of thread-local global x for this thread")                                   \
  X(SLOT, "d = address of slot register a; event if its life ended")                               \
  X(JMP, "goto x")                                                                                 \
  X(JZ, "if !a goto x")                                                                            \
  X(LOOP, "loop head: a long local loop parks here")                                               \
  X(LOAD, "d = memory at a, x bytes, value of w bits")                                             \
  X(STORE, "memory at a, x bytes = b, w bits")                                                     \
  X(EDGE, "the operation of the edge (everything that is not an assignment or a jump)")
/* clang-format on */

enum pv_insn_op {
#define X(N, S) PV_I_##N,
  PV_INSNS(X)
#undef X
      PV_I_COUNT
};
struct pv_insn {
  uint16_t op;
  uint8_t w, flags; /* PV_XF_* */
  int32_t d, a, b, c;
  uint32_t x;
};

enum { PV_COPY_INDEX, PV_COPY_PHASE, PV_COPY_CHUNK, PV_COPY_SET, PV_COPY_REGS };

struct pv_code_edge { /* edges are numbered throughout the program */
  uint32_t function;
  const struct pv_edge *edge;
  uint32_t pc;                     /* first instruction */
  uint32_t kill, n_kill;           /* registers dead at `from`: slice of code->kills */
  uint32_t kill_call, n_kill_call; /* CALL: registers dead while the callee runs */
  int32_t e[3];                    /* cells of e[0..2] when EDGE is executed */
  uint32_t args;                   /* cells of the arguments: slice of code->cells */
  int32_t d, d2;                   /* registers of dst, dst2 or -1 */
  uint32_t resume;                 /* CALL: pc after it */
  bool is_branch; /* not the first edge out of its location: no thread parks there */
};
struct pv_code_function {
  uint32_t entry; /* pc */
  uint32_t n_regs, slot_reg, copy_reg;
  uint32_t *reg; /* variable -> register */
};
struct pv_inputs { /* values tried for one HAVOC or INDET edge */
  uint64_t *value;
  uint32_t n;
  bool exact; /* they represent all values of the input */
};
struct pv_code {
  const struct pv_program *program;
  PV_VEC(struct pv_insn) insns;
  PV_VEC(uint32_t) where;            /* pc -> index into edges */
  PV_VEC(struct pv_code_edge) edges; /* [0] unused */
  PV_VEC(uint32_t) kills;            /* registers */
  PV_VEC(int32_t) cells;
  struct pv_code_function *functions;
  PV_VEC(uint64_t) constants; /* front of the scratch area */
  uint32_t n_scratch;         /* constants and intermediate values */
  struct pv_inputs *inputs;   /* by edge index; n = 0 where there is none */
};

/* `global_address`, `function_address`: the addresses that the memory assigned. every_edge: also
 * emit an instruction for edges without effect. */
struct pv_code *pv_code_compile(const struct pv_program *p, const uint64_t *global_address,
                                const uint64_t *function_address, long max_inputs, bool every_edge);
void pv_code_free(struct pv_code *c);
/* The numeric value of &&label n of function f; unique, never dereferenced. */
uint64_t pv_label_address(const struct pv_program *p, uint64_t function, uint64_t label);

/* An input with at most so many values is tried with all of them. */
enum { PV_CHOICES = 4096 };
/* inputs.c: finds the values to try for the input of this edge; none if all are tried. *classes is
 * computed when it is first needed; the caller frees it. */
struct pv_input_classes;
void pv_inputs_find(const struct pv_program *p, const struct pv_function *f,
                    const struct pv_edge *e, long max, struct pv_input_classes **classes,
                    struct pv_inputs *out);

#endif
