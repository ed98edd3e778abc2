/* ir.h -- the representation of programs that the whole verifier works on: each function is a
 * control-flow automaton, and all of them share one DAG of hash-consed, typed expressions.
 *
 * A control-flow automaton has locations (`pv_loc`, numbered per function) and edges between them
 * (Henzinger, Jhala, Majumdar, Sutre, POPL 2002). Each edge carries one operation. Locals whose
 * address is never taken are variables with their source names. Everything else lives in memory
 * objects (globals, stack slots, heap), which only LOAD, STORE, RMW, CMPXCHG, COPY and FILL access.
 * Right-hand sides are expressions without side effects; an expression never reads memory. An
 * expression may have undefined behaviour (signed overflow under PV_XF_NSW, division by zero, a
 * shift by more than the width). Its evaluation is then an event of property `no-overflow` or
 * `def-behavior`.
 *
 * Invariants (checked by pv_program_verify):
 *  - A location has exactly one edge out; or several ASSUME edges whose conditions exclude each
 *    other and cover everything; or none (after RETURN and STOP).
 *  - The type of each operand fits its operation. Pointers are PV_T_PTR, conditions are i1.
 *  - Expressions are identified by their number: within a program, equal numbers mean equal
 *    structure and the other way round.
 *  - Variables are read only after they were assigned. The frontend adds an INDET edge (see below)
 *    before every other read, so engines need no notion of an uninitialised variable.
 *
 * Ownership: everything is owned by the program, and strings are interned. Sizes are in bytes and
 * offsets in bytes or, where a name says so, in bits. */
#ifndef PV_IR_H
#define PV_IR_H

#include "base/base.h"
#include "base/wide.h"

/* ---- types -----------------------------------------------------------------------------------
 * A value type is encoded in the number itself. Aggregates exist only as layouts in memory. */
typedef uint32_t pv_type;
enum pv_type_kind { PV_T_VOID, PV_T_INT, PV_T_FLOAT, PV_T_PTR };
#define PV_TYPE(KIND, BITS) ((pv_type)(KIND) << 16 | (pv_type)(BITS))
#define PV_VOID             PV_TYPE(PV_T_VOID, 0)
#define PV_INT(BITS)        PV_TYPE(PV_T_INT, BITS)   /* 1..128 */
#define PV_FLOAT(BITS)      PV_TYPE(PV_T_FLOAT, BITS) /* 32 float, 64 double, 80 x87 long double */
static inline enum pv_type_kind pv_type_kind(pv_type t) {
  return (enum pv_type_kind)(t >> 16);
}
static inline unsigned pv_type_bits(pv_type t) {
  return t & 0xffff; /* PTR: 32 or 64 */
}
/* The number of bytes of a value of this type in memory, without padding (i1: 1, fp80: 10). */
static inline unsigned pv_type_bytes(pv_type t) {
  return (pv_type_bits(t) + 7) / 8;
}
/* A value of `bits` bits as a signed number. For i1, `true` gives -1. */
static inline int64_t pv_sign_extend(uint64_t value, unsigned bits) {
  if (bits == 0 || bits >= 64) return (int64_t)value;
  uint64_t sign = UINT64_C(1) << (bits - 1);
  value &= (sign << 1) - 1;
  return (int64_t)((value ^ sign) - sign);
}
/* Does a value keep its meaning where one of another type is expected, in a call through a pointer
 * of another type than the function's? Integers and pointers may be cut, as in registers; what they
 * are extended with is not known. */
static inline bool pv_type_stays(pv_type given, pv_type wanted) {
  bool is_float = pv_type_kind(given) == PV_T_FLOAT || pv_type_kind(wanted) == PV_T_FLOAT;
  return is_float ? given == wanted : pv_type_bits(given) >= pv_type_bits(wanted);
}

/* ---- source types, for showing values in source terms ---------------------------------------- */
typedef uint32_t pv_srctype; /* index into program->srctypes; 0 = unknown */
enum pv_srctype_kind {
  PV_S_UNKNOWN,
  PV_S_BOOL,
  PV_S_CHAR,
  PV_S_SIGNED,
  PV_S_UNSIGNED,
  PV_S_FLOAT,
  PV_S_ENUM,
  PV_S_POINTER,
  PV_S_ARRAY,
  PV_S_STRUCT,
  PV_S_UNION,
  PV_S_FUNCTION
};
struct pv_srcfield {
  const char *name; /* "" for anonymous members and base classes */
  pv_srctype type;
  uint64_t bit_offset, bit_size;
};
struct pv_srctype_info {
  enum pv_srctype_kind kind;
  const char *name; /* "int", "struct node"; typedef names are kept: "pthread_mutex_t" */
  uint64_t bits;
  pv_srctype element;                /* POINTER, ARRAY, ENUM (underlying) */
  uint64_t count;                    /* ARRAY: elements, 0 = unknown */
  bool unlisted;                     /* STRUCT: has members that `fields` does not list */
  PV_VEC(struct pv_srcfield) fields; /* STRUCT, UNION; ENUM: enumerators (bit_offset = the value) */
};

/* ---- expressions ----------------------------------------------------------------------------- */
typedef uint32_t pv_expr; /* index into program->exprs; 0 = none */

/* Columns: name, C spelling, number of operands, semantics. Integers are modulo 2^width unless a
 * flag says otherwise. `lo` and `hi` are members of struct pv_expr_node; a, b and c are the
 * operands. */
#define PV_EXPR_OPS(X)                                                                             \
  X(CONST, "", 0, "lo, hi: the value's bits, zero-extended")                                       \
  X(VAR, "", 0, "lo: variable of the enclosing function")                                          \
  X(GLOBAL, "", 0, "lo: address of that global (of this thread's copy if thread-local)")           \
  X(FUNC, "", 0, "lo: address of that function")                                                   \
  X(LABEL, "", 0, "lo: function, hi: its n-th address-taken label; the value of &&label")          \
  X(SLOT, "", 0, "lo: address of the enclosing function's n-th stack slot")                        \
  X(UNDEF, "", 0, "an arbitrary value; only where clang emits undef or poison")                    \
  X(ADD, "+", 2, "NSW: signed overflow is undefined")                                              \
  X(SUB, "-", 2, "NSW likewise")                                                                   \
  X(MUL, "*", 2, "NSW likewise")                                                                   \
  X(SDIV, "/", 2, "undefined for b = 0 and for MIN / -1")                                          \
  X(UDIV, "/", 2, "undefined for b = 0")                                                           \
  X(SREM, "%", 2, "undefined for b = 0 and for MIN % -1")                                          \
  X(UREM, "%", 2, "undefined for b = 0")                                                           \
  X(SHL, "<<", 2, "undefined for b >= width")                                                      \
  X(LSHR, ">>", 2, "undefined for b >= width")                                                     \
  X(ASHR, ">>", 2, "undefined for b >= width")                                                     \
  X(AND, "&", 2, "")                                                                               \
  X(OR, "|", 2, "")                                                                                \
  X(XOR, "^", 2, "")                                                                               \
  X(EQ, "==", 2, "i1; PTRCMP marks a comparison of two pointers, neither of them a null constant") \
  X(NE, "!=", 2, "i1; PTRCMP likewise")                                                            \
  X(ULT, "<", 2, "i1; PTRCMP likewise (depends on the order of addresses)")                        \
  X(ULE, "<=", 2, "i1; PTRCMP likewise")                                                           \
  X(SLT, "<", 2, "i1")                                                                             \
  X(SLE, "<=", 2, "i1")                                                                            \
  X(FCMP, "", 2, "i1; aux: enum pv_fcmp")                                                          \
  X(ZEXT, "", 1, "")                                                                               \
  X(SEXT, "", 1, "")                                                                               \
  X(TRUNC, "", 1, "")                                                                              \
  X(BITCAST, "", 1, "same bits, other type: int, float, pointer of one width")                     \
  X(FPCONV, "", 1, "float to float of another width, to nearest even")                             \
  X(FPTOSI, "", 1, "undefined if out of range")                                                    \
  X(FPTOUI, "", 1, "undefined if out of range")                                                    \
  X(SITOFP, "", 1, "")                                                                             \
  X(UITOFP, "", 1, "")                                                                             \
  X(PTRADD, "+", 2, "pointer + byte offset (int of pointer width); INBOUNDS: same object")         \
  X(FADD, "+", 2, "")                                                                              \
  X(FSUB, "-", 2, "")                                                                              \
  X(FMUL, "*", 2, "")                                                                              \
  X(FDIV, "/", 2, "")                                                                              \
  X(FREM, "fmod", 2, "C's fmod")                                                                   \
  X(FNEG, "-", 1, "")                                                                              \
  X(SELECT, "?:", 3, "a: i1; lazy: only the chosen operand is evaluated")                          \
  X(MATH, "", 2, "aux: enum pv_math; float functions of the C library, b unused for most")         \
  X(INTOP, "", 3, "aux: enum pv_intop; bit counting, min, max, funnel shifts, saturation")         \
  X(OVERFLOWS, "", 2, "i1: does a op b overflow? aux: enum pv_overflow")

enum pv_expr_op {
#define X(N, C, A, S) PV_X_##N,
  PV_EXPR_OPS(X)
#undef X
      PV_X_COUNT
};
enum {
  PV_XF_NSW = 1,
  PV_XF_NUW = 2,
  PV_XF_INBOUNDS = 4,
  PV_XF_PTRCMP = 8,
  PV_XF_MEASURED = 16, /* BITCAST of a pointer: used only to test whether two ranges overlap */
  PV_XF_IN_RANGE = 32  /* FPTOSI, FPTOUI: the operand is in the range of the type; lo and hi, if
                          they are not both 0, are bounds of the result */
};

/* Ordered (O): false if an operand is NaN; unordered (U): true if one is. */
enum pv_fcmp {
  PV_FCMP_OEQ,
  PV_FCMP_OGT,
  PV_FCMP_OGE,
  PV_FCMP_OLT,
  PV_FCMP_OLE,
  PV_FCMP_ONE,
  PV_FCMP_ORD,
  PV_FCMP_UEQ,
  PV_FCMP_UGT,
  PV_FCMP_UGE,
  PV_FCMP_ULT,
  PV_FCMP_ULE,
  PV_FCMP_UNE,
  PV_FCMP_UNO
};
/* clang-format off */
#define PV_MATH_FUNCTIONS(X)                                                                       \
  X(fabs, 1) X(sqrt, 1) X(floor, 1) X(ceil, 1) X(trunc, 1) X(rint, 1) X(nearbyint, 1) X(round, 1)   \
  X(sin, 1) X(cos, 1) X(tan, 1) X(asin, 1) X(acos, 1) X(atan, 1) X(sinh, 1) X(cosh, 1) X(tanh, 1)   \
  X(exp, 1) X(exp2, 1) X(expm1, 1) X(log, 1) X(log2, 1) X(log10, 1) X(log1p, 1) X(cbrt, 1)          \
  X(pow, 2) X(atan2, 2) X(fmod, 2) X(remainder, 2) X(hypot, 2) X(fmin, 2) X(fmax, 2) X(copysign, 2) \
  X(fdim, 2) X(ldexp, 2)
/* clang-format on */
enum pv_math {
#define X(N, A) PV_MATH_##N,
  PV_MATH_FUNCTIONS(X)
#undef X
      PV_MATH_COUNT
};
enum pv_intop {
  PV_INTOP_CTPOP,
  PV_INTOP_CTLZ,
  PV_INTOP_CTTZ,
  PV_INTOP_BSWAP,
  PV_INTOP_BITREVERSE,
  PV_INTOP_ABS,
  PV_INTOP_SMIN,
  PV_INTOP_SMAX,
  PV_INTOP_UMIN,
  PV_INTOP_UMAX,
  PV_INTOP_FSHL,
  PV_INTOP_FSHR,
  PV_INTOP_SADD_SAT,
  PV_INTOP_UADD_SAT,
  PV_INTOP_SSUB_SAT,
  PV_INTOP_USUB_SAT,
  PV_INTOP_COUNT
};
enum pv_overflow { PV_OVF_SADD, PV_OVF_UADD, PV_OVF_SSUB, PV_OVF_USUB, PV_OVF_SMUL, PV_OVF_UMUL };

struct pv_expr_node {
  uint8_t op, flags; /* enum pv_expr_op, PV_XF_* */
  uint16_t aux;
  pv_type type;
  pv_expr a, b, c;
  uint64_t lo, hi;
};

/* ---- edges ----------------------------------------------------------------------------------- */
typedef uint32_t pv_loc; /* index into function->locs */

enum pv_order {
  PV_ORDER_NONE,
  PV_ORDER_RELAXED,
  PV_ORDER_ACQUIRE,
  PV_ORDER_RELEASE,
  PV_ORDER_ACQ_REL,
  PV_ORDER_SEQ_CST
};
enum {
  PV_EF_VOLATILE = 1,
  PV_EF_AGAIN = 2, /* LIVE: if the object is alive, it stays, but its bytes become indeterminate */
  /* DEAD: the object, which `text` names, does not end. If some pointer still refers to it, a
   * proviso with PV_UNENDED is added. */
  PV_EF_HELD = 4,
  /* LOAD of a word of a structure that is passed or returned. Where indeterminate values are
   * followed (vm/taint.c), bytes in the upper half of `unset` stay indeterminate in the value. */
  PV_EF_MOVES = 8
};
#define PV_UNENDED " is not used after the end of its block, nor read before it is set anew"

/* Columns: name, operands and semantics. e0, e1, e2 are the expressions in e[]; dst and dst2 are
 * variables (PV_NO_VAR: none). */
#define PV_OPS(X)                                                                                  \
  X(SKIP, "nothing; text: what it marks, for observer automata (observer/observer.h)")             \
  X(ASSUME,                                                                                        \
    "[e0]: the edge can be taken iff the i1 e0 is true; one of a complete family; aux n + 1: "     \
    "dispatch on the state of the n-th observer, e0 compares it with a constant")                  \
  X(ASSIGN, "dst = e0")                                                                            \
  X(HAVOC,                                                                                         \
    "dst = an input; e0..e1: bounds, both included, signed if `aux` is 1 (none: the type's; ints " \
    "of at most 64 bits have them); aux 2, signed bounds: how free text is chosen: the machine "   \
    "tries e0 .. e1 - 1, and e1 stands for all text, so that the symbolic engines take e1 alone")  \
  X(INDET,                                                                                         \
    "dst is indeterminate here and about to be read: an error under def-behavior, else any value") \
  X(LOAD, "dst = *(type *)e0; e1: a constant, the bits that matter (none: all)")                   \
  X(STORE,                                                                                         \
    "*(type *)e0 = e1; e2: a constant, the bits that it sets (none: all; a bit-field): the "       \
    "others are what they were, set or unset")                                                     \
  X(COPY, "memmove(e0, e1, e2); aux 1: memcpy, overlap is undefined")                              \
  X(FILL, "memset(e0, e1, e2)")                                                                    \
  X(ALLOC, "dst = new object of e0 bytes, alignment `align`, lifetime aux: enum pv_storage")       \
  X(FREE, "end of the object that e0 points to the start of; aux: enum pv_storage; null is fine")  \
  X(LIVE, "stack slot aux starts a new, uninitialised life; AGAIN: goes on, uninitialised")        \
  X(DEAD, "stack slot aux ends its life")                                                          \
  X(CALL,                                                                                          \
    "dsts = callee(args); `callee` or, if PV_NO_FUNC, the address e0; e1: the variadic area")      \
  X(RETURN, "results: args; the stack slots and ALLOCA objects of the frame end their lives")      \
  X(RMW, "dst = *e0; *e0 = dst `aux`: enum pv_rmw e1; one atomic step of type `type`")             \
  X(CMPXCHG, "dst = *e0; dst2 = (dst == e1); if dst2 then *e0 = e2; one atomic step")              \
  X(FENCE, "a fence of order `order`")                                                             \
  X(PRIM, "dst = scheduler primitive aux (index into program->prims) of args; may block")          \
  X(ATOMIC_BEGIN, "what follows runs without interruption; nests")                                 \
  X(ATOMIC_END, "ends the section")                                                                \
  X(CHECK, "a violation of `aux`: enum pv_check unless the i1 e0 holds")                           \
  X(ERROR,                                                                                         \
    "a violation of unreach-call (OBSERVER: of observer); aux: enum pv_error_kind; text: what "    \
    "failed; goes on at to")                                                                       \
  X(STOP,                                                                                          \
    "the path ends; aux: enum pv_stop; e0: exit code; text: the unmodelled function or construct") \
  X(SETJMP, "dst = 0, dst2 = 0; e0: the address of stack slot aux, which marks this edge: a "      \
            "LONGJMP to it "                                                                       \
            "goes on behind the edge. Whoever leaves locations of the function by a call also "    \
            "has a branch "                                                                        \
            "on dst2 to there, which is never taken: what a LONGJMP does shows in the graph")      \
  X(LONGJMP,                                                                                       \
    "the thread goes on behind the SETJMP whose marker is at e0, with dst = e1: frames above it "  \
    "end; what changed in its slots since, if a slot is a copy of them, is indeterminate")         \
  X(PRINT,                                                                                         \
    "output: e1 bytes at e0 to file descriptor aux; with a text, the double at e0 as printf "      \
    "writes it for this conversion")                                                               \
  X(QUERY, "dst = aux: enum pv_query about args")

enum pv_op {
#define X(N, S) PV_OP_##N,
  PV_OPS(X)
#undef X
      PV_OP_COUNT
};
enum pv_storage {
  PV_STORAGE_HEAP,
  PV_STORAGE_ALLOCA,
  PV_STORAGE_TEMP,    /* ended by FREE or by the end of the frame */
  PV_STORAGE_MAPPING, /* like HEAP, but zeroed, and only munmap ends it (mmap) */
  PV_STORAGE_GIVEN,   /* never freed: owned by the caller of the program (arguments, ...) */
  PV_STORAGE_STREAM   /* owned by the C library, and ended only by it (a stream: fopen, fclose) */
};
enum pv_rmw {
  PV_RMW_XCHG,
  PV_RMW_ADD,
  PV_RMW_SUB,
  PV_RMW_AND,
  PV_RMW_NAND,
  PV_RMW_OR,
  PV_RMW_XOR,
  PV_RMW_SMAX,
  PV_RMW_SMIN,
  PV_RMW_UMAX,
  PV_RMW_UMIN,
  PV_RMW_FADD,
  PV_RMW_FSUB
};
/* The comments say to which property each check belongs. */
enum pv_check {
  PV_CHECK_SHIFT_EXPONENT, /* def-behavior: shift amount negative or too large */
  PV_CHECK_SHIFT_BASE,     /* no-overflow: bits of a signed value shifted out */
  PV_CHECK_SHIFT_AMOUNT,   /* no-overflow: amount of a signed left shift negative or too large;
                              only where def-behavior is not asked for */
  PV_CHECK_OVERFLOW,       /* no-overflow: an operation on constants that overflows */
  PV_CHECK_ARRAY_BOUNDS,   /* def-behavior: index outside a declared array */
  PV_CHECK_FLOAT_CAST,     /* def-behavior: float to int out of range */
  PV_CHECK_VLA_BOUND,      /* def-behavior: array of negative or zero length */
  PV_CHECK_UNREACHABLE,    /* def-behavior: __builtin_unreachable, missing return value used */
  PV_CHECK_ARGUMENT,       /* def-behavior: a library function's precondition (models/) */
  PV_CHECK_COUNT
};
enum pv_error_kind {
  PV_ERROR_CALL /* reach_error */,
  PV_ERROR_ASSERT,
  PV_ERROR_LABEL,
  PV_ERROR_OBSERVER /* an observer automaton reaches an error state */
};
enum pv_stop {
  PV_STOP_EXIT,        /* the program ends normally, with all its threads */
  PV_STOP_ABORT,       /* abort(): the path ends without an error */
  PV_STOP_ASSUME,      /* a false assumption: the path does not exist */
  PV_STOP_UNSUPPORTED, /* `text` is not modelled: the path is cut, with a proviso naming it */
  PV_STOP_UNREACHABLE, /* clang's unreachable after a call that does not return */
  PV_STOP_OBSERVER,    /* a control automaton prunes the path; `text` completes "provided that" */
  PV_STOP_BOUND, /* beyond a bound on the program's inputs; `text` completes "provided that" */
  PV_STOP_TRIED  /* a text other than those that the machine tries; `text` likewise */
};
/* Which text of the program's environment is read (HAVOC with aux 2, QUERY_TEXT). */
enum pv_text_kind {
  PV_TEXT_ARGUMENTS,
  PV_TEXT_VARIABLE,
  PV_TEXT_STDIN,
  PV_TEXT_FILE,
  PV_TEXT_COUNT
};
extern const char *const pv_text_names[PV_TEXT_COUNT]; /* "standard input": the text of its HAVOC */
enum { PV_HAVOC_UNSIGNED, PV_HAVOC_SIGNED, PV_HAVOC_TEXT }; /* aux */
enum pv_query {
  PV_QUERY_OBJECT_SIZE,     /* bytes from args[0] to the end of its live object, 0 if none */
  PV_QUERY_USABLE_SIZE,     /* the same, for malloc_usable_size in the program */
  PV_QUERY_IS_HEAP_START,   /* i1: args[0] is the start of a live heap object */
  PV_QUERY_MALLOC_MAY_FAIL, /* i1: is --malloc-may-fail on? If so, a HAVOC that follows decides */
  PV_QUERY_ORDER, /* i1: does the order between the inputs e0 and e1 and those of earlier calls
                     matter? Decided when a program is loaded: analysis/input_classes.h */
  PV_QUERY_CALLS_MAY_FAIL, /* i1: is --calls-may-fail on? likewise */
  PV_QUERY_TEXT /* byte e2 of text number e1 of kind e0 (program->texts), -1 beyond its end;
                   executed by the VM only */
};

#define PV_NO_VAR  UINT32_MAX
#define PV_NO_FUNC UINT32_MAX

struct pv_args {
  uint32_t at, n;
}; /* a slice of program->arg_pool (expressions) */

struct pv_edge {
  pv_loc from, to;                  /* to = from's function->exit for RETURN and STOP */
  uint8_t op, order, order2, flags; /* order2: CMPXCHG's order on failure */
  uint32_t aux;
  pv_type type;   /* LOAD, STORE, RMW, CMPXCHG, HAVOC, INDET: of the value */
  uint32_t align; /* LOAD.. : promised alignment in bytes; ALLOC: wanted */
  uint32_t unset; /* LOAD, RMW, CMPXCHG: low half: mask of the bytes that are read as 0 if they are
                     unset (padding); high half: those of them for which a proviso is added then */
  uint32_t dst, dst2;
  pv_expr e[3];
  uint32_t callee;     /* CALL: function index or PV_NO_FUNC */
  struct pv_args args; /* CALL, RETURN, PRIM, QUERY */
  struct pv_args dsts; /* CALL: one variable (not expression) in arg_pool for each result */
  uint32_t site;       /* ALLOC, HAVOC: number unique in the program, stable in one run */
  uint32_t span;       /* index into program->spans; 0 = unknown */
  uint32_t stmt;  /* number of the C statement, equal for all its edges, unique in the program; 0 =
                     none */
  uint32_t where; /* ASSUME: the span of the condition if it is not that of the edge; else 0 */
  const char *text; /* ERROR, STOP, HAVOC (name of the nondet function), CHECK: or NULL */
};

/* Does an object of this storage live until it is freed explicitly? */
static inline bool pv_storage_on_heap(unsigned storage) {
  return storage != PV_STORAGE_ALLOCA && storage != PV_STORAGE_TEMP;
}

/* Is it an atomic addition or subtraction whose result is not used? Two of these commute. */
static inline bool pv_only_adds(const struct pv_edge *e) {
  return e->op == PV_OP_RMW && e->dst == PV_NO_VAR &&
         (e->aux == PV_RMW_ADD || e->aux == PV_RMW_SUB);
}

/* ---- functions, globals, program ------------------------------------------------------------- */
struct pv_variable {
  const char *name; /* the source name; temporaries "t3" */
  pv_type type;
  pv_srctype srctype;
  uint32_t span;
  bool is_temp; /* made by the frontend; not shown to users */
};
struct pv_slot { /* a local that lives in memory: address taken, array, struct */
  const char *name;
  uint64_t size;
  uint32_t align;
  pv_srctype srctype;
  uint32_t span, site;
  bool scoped; /* LIVE/DEAD edges delimit its life; otherwise it lives as long as the frame */
  /* copy_of - 1 is the slot of which this one keeps a copy, made at the SETJMP with marker - 1; 0:
   * this is no copy. */
  uint32_t copy_of, marker;
};
struct pv_location {
  uint32_t first_out, n_out; /* slice of function->edges: edges are sorted by `from` */
  uint32_t n_in;
  bool loop_head; /* target of a back edge of a depth-first walk from entry */
};
struct pv_function {
  const char *name;
  bool defined, variadic, is_model; /* is_model: from models/ */
  bool is_library;   /* a model, or from the headers of the C++ library: not shown to users */
  bool atomic;       /* runs without interruption: named __VERIFIER_atomic_* */
  pv_type result[4]; /* n_results of them */
  uint32_t n_results, n_params; /* parameters are vars[0..n_params); variadic: vars[n_params] is the
                                   address of the variadic area */
  uint32_t span, end_span;
  pv_loc entry, exit;
  PV_VEC(struct pv_variable) vars;
  PV_VEC(struct pv_slot) slots;
  PV_VEC(struct pv_location) locs;
  PV_VEC(struct pv_edge) edges;
  PV_VEC(pv_loc) labels; /* address-taken labels, for PV_X_LABEL */
};
struct pv_reloc {
  uint64_t offset;
  pv_expr value;
}; /* pointer-sized constant expression over GLOBAL, FUNC, LABEL, PTRADD, CONST */
/* The names of globals that hold local variables (abstraction/abstract_locals.c) begin with this.
 * No file defines them. */
#define PV_LOCAL_GLOBAL "__proviso_local_"
struct pv_global {
  const char *name;
  uint64_t size;
  uint32_t align;
  bool is_const, is_thread_local, is_external; /* external: no definition anywhere */
  bool is_model;
  /* size bytes, NULL = all zero. External: the value is unknown, and 1 marks a byte of padding. */
  uint8_t *init;
  PV_VEC(struct pv_reloc) relocs; /* sorted by offset */
  pv_srctype srctype;
  uint32_t span;
};
struct pv_span {
  uint32_t file, line, column;
}; /* 1-based; 0 = unknown */
struct pv_file {
  const char *path; /* as given by the compiler, relative to `dir` if relative */
  char *text;       /* whole text, or NULL if it cannot be read; loaded by the frontend */
  size_t length;
  PV_VEC(uint32_t) line_start;
};
struct pv_prim_use {
  const char *name;
  const struct pv_prim *prim;
}; /* see sched/sched.h */

/* A function for verifiers (__VERIFIER_nondet_int, reach_error, ...) that the program declares but
 * does not define. */
struct pv_import {
  const char *name;
  pv_type result[4]; /* n_results of them */
  uint32_t n_results;
  bool zero_extended; /* a result of less than 32 bits is unsigned */
  pv_type param;      /* the type of the first parameter, or PV_VOID if there is none or it is not
                         declared */
};

struct pv_text {
  uint8_t *bytes;
  uint32_t n;
};

/* Where errors count: in the lines of these places, while the global has this value. An error
 * anywhere else does not end the path, or ends it as if it did not exist (witness/weave.h). */
struct pv_goal {
  bool set;
  uint32_t global, value; /* the global has four bytes */
  struct {
    const char *file;
    uint32_t from, to; /* lines */
    uint32_t thread;   /* what the thread's own copy of `own` has to be; 0: any thread will do */
  } at[2];
  uint32_t n;
  uint32_t own; /* a thread-local global of four bytes */
};

struct pv_program {
  unsigned pointer_bits;             /* 32 or 64 */
  PV_VEC(struct pv_expr_node) exprs; /* [0] unused */
  PV_VEC(pv_expr) arg_pool;
  PV_VEC(struct pv_function) functions;
  PV_VEC(struct pv_global) globals;
  PV_VEC(struct pv_srctype_info) srctypes; /* [0] unknown */
  PV_VEC(struct pv_span) spans;            /* [0] unknown */
  PV_VEC(struct pv_file) files;            /* [0] unknown */
  PV_VEC(struct pv_prim_use) prims;
  /* Functions without parameters that return i1: the user's invariants, in the order of the
   * options, then the propositions of formulas that are expressions, in the order of their numbers.
   */
  PV_VEC(uint32_t) invariants;
  /* "file.c:12": positions of constant expressions whose signed overflow was folded by the
   * compiler. */
  PV_VEC(const char *) folded_overflows;
  PV_VEC(const char *) undefined; /* functions without a definition whose calls return */
  PV_VEC(const char *) unended;   /* stack objects for which the end of the lifetime is not known */
  PV_VEC(struct pv_import) imports; /* in the order of their names */
  PV_VEC(uint32_t) observers;       /* globals that hold the states of observer automata */
  PV_VEC(struct pv_text) texts[PV_TEXT_COUNT]; /* that the machine tries for free text, in order */
  PV_VEC(const char *) notes; /* sentences about the translation that the report prints */
  struct pv_goal goal;
  bool has_jumps;               /* is there a LONGJMP? Then a call may continue at another place */
  const struct pv_sched *sched; /* the plug-in of `prims`; NULL: pthread (pv_sched_of) */
  bool reads_thread_results;    /* may a thread that joins another one use its result? */
  bool reads_addresses;         /* are pointers read as numbers? See pv_points_to_reads_addresses */
  uint32_t start;               /* the function that execution begins in; calls main */
  uint32_t n_sites, n_stmts;
  struct pv_map strings; /* owner of all names and texts */
  struct pv_map expr_index;
};

struct pv_program *pv_program_new(unsigned pointer_bits);
void pv_program_free(struct pv_program *p);
const char *pv_program_string(struct pv_program *p, const char *s); /* interned, owned by p */

/* Returns the expression with this structure, and creates it if it is new. Constants are folded
 * only where the result is defined. */
pv_expr pv_mk(struct pv_program *p, struct pv_expr_node node);
pv_expr pv_mk_const(struct pv_program *p, pv_type type, uint64_t value);
pv_expr pv_mk_var(struct pv_program *p, pv_type type, uint32_t var);
pv_expr pv_mk_unary(struct pv_program *p, enum pv_expr_op op, pv_type type, pv_expr a);
pv_expr pv_mk_binary(struct pv_program *p, enum pv_expr_op op, unsigned flags, pv_type type,
                     pv_expr a, pv_expr b);
pv_expr pv_mk_not(struct pv_program *p, pv_expr cond); /* of a comparison: the opposite one */
struct pv_args pv_mk_args(struct pv_program *p, const pv_expr *e, uint32_t n);
/* Computes `n`, an operation from ADD to SLE or from ZEXT to BITCAST, for the operand values a and
 * b: integers or addresses of `bits` bits, with zeros above (b: 0 if there is no second operand).
 * Returns false and leaves *r unset if the result is undefined (division, shift) or if it is
 * another operation. Ignores the flags: signed overflow wraps around, and the caller checks whether
 * it is allowed. */
bool pv_compute(const struct pv_expr_node *n, unsigned bits, pv_u128 a, pv_u128 b, pv_u128 *r);
/* Does the check belong to property no-overflow? */
static inline bool pv_check_is_overflow(unsigned check) {
  return check == PV_CHECK_SHIFT_BASE || check == PV_CHECK_SHIFT_AMOUNT ||
         check == PV_CHECK_OVERFLOW;
}

static inline const struct pv_expr_node *pv_node(const struct pv_program *p, pv_expr e) {
  return &p->exprs.at[e];
}
static inline pv_expr pv_arg(const struct pv_program *p, struct pv_args a, uint32_t i) {
  return p->arg_pool.at[a.at + i];
}

/* Construction of a function: add locations and edges in any order, then call finish. It sorts the
 * edges by `from`, fills `locs`, removes unreachable locations and marks loop heads. */
uint32_t pv_function_add(struct pv_program *p, const char *name);
pv_loc pv_loc_add(struct pv_function *f);
struct pv_edge pv_edge_of(enum pv_op op, pv_loc from, pv_loc to); /* everything else empty */
/* What the operation does with a value that it reads, to follow "use of a value": "in a condition",
 * "as an address". */
const char *pv_edge_use(const struct pv_edge *e);
/* Removes SKIP edges without a mark: edges to their source lead to their target afterwards. To be
 * called before finish. */
void pv_function_shorten(struct pv_function *f);
void pv_function_finish(struct pv_program *p, struct pv_function *f);
/* Merges temporaries that are never live at the same time, unless they may carry addresses.
 * Variables and expressions get new numbers. Call it after finish. */
void pv_function_share(struct pv_program *p, struct pv_function *f);
/* Replaces reads of model variables that are zero and never written by constants (unwritten.c). */
void pv_program_fold_unwritten(struct pv_program *p);
/* Removes branches of models that these constants decide, and calls of models that have no effect
 * (idle.c). */
void pv_program_drop_idle(struct pv_program *p);

/* Checks the invariants above. Returns NULL if they hold, else a message, which the caller
 * frees. */
char *pv_program_verify(const struct pv_program *p);

/* Source positions. Strings are borrowed. */
const struct pv_span *pv_span_of(const struct pv_program *p, uint32_t span);
const char *pv_span_file(const struct pv_program *p, uint32_t span); /* "?" if unknown */
/* The source line of the span without indentation; false if unknown. */
bool pv_span_text(const struct pv_program *p, uint32_t span, struct pv_str *out);

/* Is it the type of a synchronisation object? These are shown as a whole, because their members
 * belong to the C library. */
bool pv_srctype_is_opaque(const struct pv_srctype_info *i);
/* A scalar member of a source type, possibly nested in other members: no array, structure or
 * union. */
struct pv_member {
  pv_srctype type;
  uint64_t first, bits; /* offset and size in bits; a bit-field may have fewer bits than its type */
};
/* Finds the scalar member of type t that contains the bit, and appends the path to it (".field",
 * "[i]") to the string. Returns false if the bit is padding or of unknown type; *m is then the
 * innermost known member. */
bool pv_member_at(const struct pv_program *p, pv_srctype t, uint64_t bit, struct pv_member *m,
                  struct pv_str *out);
/* The same for the first bit of the byte at `offset`. Returns the member's type. */
pv_srctype pv_member_path(const struct pv_program *p, pv_srctype t, uint64_t offset,
                          struct pv_str *out);
/* Does the path lead to a member with a reserved name, of a type of the library (`._M_x`, `.__x`)?
 * Returns where that part begins, or NULL. */
const char *pv_member_is_reserved(const char *path);

extern const char *const pv_op_names[PV_OP_COUNT];
extern const struct pv_expr_op_info {
  const char *name, *spelling;
  unsigned arity;
} pv_expr_ops[PV_X_COUNT];

/* ---- printing (print_text.c, print_dot.c, print_c.c) ------------------------------------------
 */
enum pv_ir_format {
  PV_IR_TEXT,
  PV_IR_DOT,
  PV_IR_C,
  /* C for verifiers: atomic sections, inputs and errors are calls of the functions of SV-COMP,
   * which need not be linked. Only unreach-call is kept as a property. */
  PV_IR_C_SECTIONS
};
/* Appends the program in this format. */
void pv_program_print(const struct pv_program *p, enum pv_ir_format format, struct pv_str *out);
/* Appends the text that a HAVOC of free text (aux PV_HAVOC_TEXT) with this value stands for, as C
 * strings: `"a\n"`; the arguments as `"a" "b"`, without the program's name. Returns false, and
 * appends nothing, if it is another HAVOC or none of the texts. */
bool pv_print_tried_text(const struct pv_program *p, const struct pv_edge *e, uint64_t value,
                         struct pv_str *out);
/* Prints as text, with "+" in front of each edge that is in a set. */
struct pv_ir_marks {
  bool (*has)(const void *set, uint32_t function, uint32_t edge);
  const void *set;
};
void pv_program_print_marked(const struct pv_program *p, struct pv_ir_marks marks,
                             struct pv_str *out);
/* Prints a program as C for other verifiers, with code woven in. Checks of undefined behaviour are
 * left out, inputs and errors are calls of the functions of SV-COMP. Returns NULL, or why the
 * program cannot be printed like this; the caller frees it. */
struct pv_c_weave {
  const void *user;
  const char *top, *declarations; /* the first lines; declarations at file scope */
  /* Appends statements to be executed where control takes the edge, before its operation. NULL:
   * nothing is woven in. */
  void (*edge)(const void *user, uint32_t function, uint32_t edge, struct pv_str *out);
  bool threads;   /* the program may have threads: of POSIX, with the atomic sections of SV-COMP */
  bool lines;     /* `#line` before what comes from another line of the source */
  bool arguments; /* main gets its arguments from whoever executes the program, unless they are
                     fixed, instead of making them up */
  bool cuts; /* where a path is cut or something is not modelled, the program says so to proviso;
                else it cannot be printed */
};
char *pv_program_print_woven(const struct pv_program *p, const struct pv_c_weave *weave,
                             struct pv_str *out);
/* Prints a program with FairThreads or SystemC as a sequential C program that contains the
 * scheduler (print_c_threads.h), for any verifier; otherwise as pv_program_print_woven, whose
 * inputs and errors it has. Returns NULL, or why the program cannot be printed like this; the
 * caller frees it.
 */
struct pv_c_threads {
  unsigned order; /* enum pv_sched_order: creation, all, any */
  bool old;       /* version 1.0 of FairThreads */
  bool systemc;   /* SystemC, not FairThreads */
  /* pv_liveness (analysis/liveness.h). */
  uint64_t *(*liveness)(const struct pv_program *p, const struct pv_function *f, uint32_t *words);
};
char *pv_program_print_sequential(const struct pv_program *p, const struct pv_c_threads *how,
                                  struct pv_str *out);
/* Appends an expression of the function, in source terms. */
void pv_expr_print(const struct pv_program *p, const struct pv_function *f, pv_expr e,
                   struct pv_str *out);
/* "x = y + 1", "[x < 10]", "call f(x)": the label of an edge, in source terms. */
void pv_edge_print(const struct pv_program *p, const struct pv_function *f, const struct pv_edge *e,
                   struct pv_str *out);

#endif
