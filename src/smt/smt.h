/* smt.h -- terms, satisfiability, models and unsatisfiable cores. Only src/smt includes Z3's
 * header. All other modules see terms as handles.
 *
 * Ownership. A context owns its terms. They live as long as the context and are borrowed
 * everywhere. Two handles are equal if and only if the terms have the same structure. A context
 * belongs to one thread.
 *
 * Errors. Nothing here ends the process. If the solver hits a limit or fails, the answer is
 * PV_SMT_UNKNOWN, and pv_smt_reason tells why. After a failure, as opposed to a limit, the context
 * is *broken*: it answers every further query with PV_SMT_UNKNOWN.
 *
 * Limits. The first bound is a number of solver steps (Z3's rlimit), because equal runs must give
 * equal answers. Time is the outer bound. */
#ifndef PV_SMT_H
#define PV_SMT_H

#include "base/limits.h"

struct pv_smt;                             /* a context */
typedef const struct pv_term_tag *pv_term; /* NULL: none */

/* ---- sorts ----------------------------------------------------------------------------------- */
enum pv_sort_kind { PV_SORT_BOOL, PV_SORT_INT, PV_SORT_BV, PV_SORT_FLOAT, PV_SORT_ARRAY };
struct pv_sort {
  uint8_t kind;
  uint8_t bits;                     /* BV: 1..128; FLOAT: 32, 64, 80 */
  uint8_t index, element;           /* ARRAY: kinds (INT or BV; BOOL, INT, BV or FLOAT) ... */
  uint8_t index_bits, element_bits; /* ... and their widths */
};

/* ---- context --------------------------------------------------------------------------------- */
struct pv_smt_limits {
  uint64_t steps;  /* of the solver for each query; 0: none */
  uint32_t ms;     /* of the process's CPU time for each query; 0: none */
  uint64_t memory; /* bytes that the solver may hold in all; 0: none */
};
/* Makes a context. `run`: the limits of the whole run. They are checked between queries, and no
 * query gets more time than the run has left. Borrowed; NULL: none. */
struct pv_smt *pv_smt_new(struct pv_smt_limits limits, struct pv_limits *run);
void pv_smt_free(struct pv_smt *smt); /* NULL is fine */
/* Replaces the run's limits, for a part of the run that has less time. Returns the previous ones.
 */
struct pv_limits *pv_smt_within(struct pv_smt *smt, struct pv_limits *run);
/* For one operation of the caller, until pv_smt_unbound: no query goes on for longer than `seconds`
 * from now, and none while the solver holds more than `memory` bytes in addition; 0: no bound. */
void pv_smt_bound(struct pv_smt *smt, double seconds, uint64_t memory);
/* Returns true if a query had no answer because of that memory. */
bool pv_smt_unbound(struct pv_smt *smt);
uint64_t pv_smt_memory(void); /* bytes that the solver holds, all contexts together */
struct pv_smt_stats {
  uint64_t checks, sat, unsat, unknown, models, cores, substitutions, interpolations;
  double seconds; /* inside the solver */
};
const struct pv_smt_stats *pv_smt_stats(const struct pv_smt *smt);

/* Who decides questions about bit-vectors, and arrays of them. All others go to Z3. */
enum pv_smt_bit_solver {
  PV_BITS_Z3,
  PV_BITS_CADICAL /* after bit-blasting; Z3 if a question contains a term that is not blasted */
};
/* Chooses one of them; the default is CaDiCaL. */
void pv_smt_use(struct pv_smt *s, enum pv_smt_bit_solver solver);
/* Writes every question of solvers to a file of its own in this folder (borrowed; NULL: no longer)
 * as SMT-LIB text, with the answer and the CPU seconds as a comment. A file that cannot be written
 * is left out. */
void pv_smt_record(struct pv_smt *s, const char *folder);

/* ---- terms ----------------------------------------------------------------------------------- */
pv_term pv_smt_bool(struct pv_smt *s, bool value);
/* lo, hi: the value's bits, two's complement at 128 bits for INT, zero-extended for BV. */
pv_term pv_smt_number(struct pv_smt *s, struct pv_sort sort, uint64_t lo, uint64_t hi);
pv_term pv_smt_int(struct pv_smt *s, int64_t value);
/* The constant with this name and sort. Equal names give the same constant. */
pv_term pv_smt_const(struct pv_smt *s, const char *name, struct pv_sort sort);
/* A new constant that occurs in no other term: `name!7`. */
pv_term pv_smt_fresh(struct pv_smt *s, const char *name, struct pv_sort sort);
struct pv_sort pv_smt_sort(struct pv_smt *s, pv_term t);

/* Operations. Their operands have the sorts that SMT-LIB and Z3 require. N-ary operations take any
 * number of operands, none included. */
/* clang-format off */
#define PV_SMT_OPS(X)                                                                              \
  X(NOT) X(AND) X(OR) X(IMPLIES) X(ITE) X(EQ) X(DISTINCT)                                          \
  X(ADD) X(SUB) X(MUL) X(NEG) X(DIV) X(MOD) X(LT) X(LE) X(GT) X(GE)                                \
  X(BVADD) X(BVSUB) X(BVMUL) X(BVNEG) X(BVSDIV) X(BVUDIV) X(BVSREM) X(BVUREM) X(BVSHL) X(BVLSHR)   \
  X(BVASHR) X(BVAND) X(BVOR) X(BVXOR) X(BVNOT) X(BVULT) X(BVULE) X(BVSLT) X(BVSLE) X(BVCONCAT)     \
  X(SELECT) X(STORE)
/* clang-format on */
enum pv_smt_op {
#define X(N) PV_SMT_##N,
  PV_SMT_OPS(X)
#undef X
      PV_SMT_OP_COUNT
};
pv_term pv_smt_mk(struct pv_smt *s, enum pv_smt_op op, uint32_t n, const pv_term *args);
pv_term pv_smt_mk1(struct pv_smt *s, enum pv_smt_op op, pv_term a);
pv_term pv_smt_mk2(struct pv_smt *s, enum pv_smt_op op, pv_term a, pv_term b);
pv_term pv_smt_mk3(struct pv_smt *s, enum pv_smt_op op, pv_term a, pv_term b, pv_term c);
/* The array of the given sort whose elements all are `value`. */
pv_term pv_smt_constant_array(struct pv_smt *s, struct pv_sort sort, pv_term value);
pv_term pv_smt_extract(struct pv_smt *s, unsigned high, unsigned low, pv_term bv);
pv_term pv_smt_extend(struct pv_smt *s, bool is_signed, unsigned bits, pv_term bv); /* to `bits` */

/* Replaces the constants from[i] by to[i], simultaneously. */
pv_term pv_smt_substitute(struct pv_smt *s, pv_term t, uint32_t n, const pv_term *from,
                          const pv_term *to);
pv_term pv_smt_simplify(struct pv_smt *s, pv_term t);
bool pv_smt_is_true(struct pv_smt *s, pv_term t);
bool pv_smt_is_false(struct pv_smt *s, pv_term t);
/* Appends the uninterpreted constants of t, each once, in the order of their first occurrence. */
typedef PV_VEC(pv_term) pv_terms;
void pv_smt_constants(struct pv_smt *s, pv_term t, pv_terms *out);
/* Appends the atoms of a formula, each once: its maximal subformulas without Boolean connectives.
 * Negations are stripped. An ite within an atom stays. */
void pv_smt_atoms(struct pv_smt *s, pv_term t, pv_terms *out);
/* The number of different subterms of all these terms. */
uint64_t pv_smt_size(struct pv_smt *s, uint32_t n, const pv_term *terms);
const char *pv_smt_name(struct pv_smt *s, pv_term constant); /* borrowed until the next call */
bool pv_smt_is_number(struct pv_smt *s, pv_term t);          /* a literal of any sort */
/* Appends the term as SMT-LIB text, for people and for tests. */
void pv_smt_print(struct pv_smt *s, pv_term t, struct pv_str *out);
/* Appends SMT-LIB text from which pv_smt_read makes an equal formula, in this context or another.
 * constants[i] here corresponds to constants[i] there, which must have the same sort. Returns false
 * if the formula has a constant that is not among them. */
bool pv_smt_write(struct pv_smt *s, pv_term formula, uint32_t n, const pv_term *constants,
                  struct pv_str *out);
/* Returns NULL if pv_smt_write cannot have written the text. */
pv_term pv_smt_read(struct pv_smt *s, const char *text, uint32_t n, const pv_term *constants);
/* The top of a term, for printing it in source terms. pv_smt_shape returns false for terms that
 * have no such shape (operations on floats, quantifiers). */
struct pv_smt_shape {
  enum {
    PV_SHAPE_NUMBER,
    PV_SHAPE_CONSTANT,
    PV_SHAPE_OP,
    PV_SHAPE_EXTRACT, /* bits hi .. lo of the operand */
    PV_SHAPE_ZERO_EXTEND,
    PV_SHAPE_SIGN_EXTEND /* by lo bits */
  } kind;
  enum pv_smt_op op;
  uint32_t n;      /* operands */
  uint64_t lo, hi; /* NUMBER, as in pv_smt_number; Booleans 0 and 1 */
};
bool pv_smt_shape(struct pv_smt *s, pv_term t, struct pv_smt_shape *out);
pv_term pv_smt_operand(struct pv_smt *s, pv_term t, uint32_t i);

/* ---- satisfiability -------------------------------------------------------------------------- */
enum pv_smt_answer { PV_SMT_UNKNOWN, PV_SMT_SAT, PV_SMT_UNSAT };
enum pv_smt_reason {
  PV_SMT_FINE,
  PV_SMT_STEPS, /* limit on steps or time of one query */
  PV_SMT_MEMORY,
  PV_SMT_RUN,        /* the run's own limit or an interrupt */
  PV_SMT_INCOMPLETE, /* the solver gave up: non-linear arithmetic, quantifiers */
  PV_SMT_FAILURE     /* an error inside the solver */
};
enum pv_smt_reason pv_smt_reason(const struct pv_smt *s); /* of the last PV_SMT_UNKNOWN */
const char *pv_smt_reason_text(enum pv_smt_reason r);     /* "time limit of a query" */
/* After a failure: the solver's error message, for developers; "" if there is none. */
const char *pv_smt_error(const struct pv_smt *s);
/* Is the context broken? Terms that were made since the failure are arbitrary, so nothing may be
 * concluded from them. */
bool pv_smt_broken(const struct pv_smt *s);

struct pv_solver; /* a stack of assertions */
struct pv_solver *pv_solver_new(struct pv_smt *s);
void pv_solver_free(struct pv_solver *solver);
void pv_solver_push(struct pv_solver *solver);
void pv_solver_pop(struct pv_solver *solver, uint32_t levels);
void pv_solver_assert(struct pv_solver *solver, pv_term t);
/* Is the conjunction of all assertions and assumptions satisfiable? Each assumption is a Boolean
 * constant or the negation of one. */
enum pv_smt_answer pv_solver_check(struct pv_solver *solver, uint32_t n,
                                   const pv_term *assumptions);
/* After UNSAT under assumptions: appends the assumptions of an unsatisfiable core, which need not
 * be minimal. */
void pv_solver_core(struct pv_solver *solver, pv_terms *out);

/* After SAT. Valid until the solver is changed or queried again. */
struct pv_model;
struct pv_model *pv_solver_model(struct pv_solver *solver); /* caller frees */
void pv_model_free(struct pv_model *m);
/* The value of a term. Constants that the model does not mention get an arbitrary value. Returns
 * false if the value is not a number (that of an array, say), or an INT of more than 128 bits. A
 * FLOAT is returned as its bits. */
bool pv_model_value(struct pv_model *m, pv_term t, uint64_t *lo, uint64_t *hi);
bool pv_model_holds(struct pv_model *m, pv_term formula); /* is it true in the model? */

/* A single query: is the conjunction of the formulas satisfiable? */
enum pv_smt_answer pv_smt_check(struct pv_smt *s, uint32_t n, const pv_term *formulas);
/* A solver with the formulas, to be given back. If CaDiCaL decides about them, it is that of
 * pv_smt_check, which finds again at once what it has found just now; its model is valid until the
 * next question. Otherwise it is a new one. */
struct pv_solver *pv_smt_take_solver(struct pv_smt *s, uint32_t n, const pv_term *formulas);
void pv_smt_give_back(struct pv_smt *s, struct pv_solver *v);
/* A single query about a formula. If it is satisfiable, *which becomes the number of the first of n
 * others that is true in the model found; n: none is. */
enum pv_smt_answer pv_smt_check_which(struct pv_smt *s, pv_term formula, uint32_t n,
                                      const pv_term *others, uint32_t *which);

/* ---- for tests ------------------------------------------------------------------------------- */
/* Simulates an internal error of the solver at its n-th query from now on. 0: never. */
void pv_smt_fail_at(struct pv_smt *s, uint64_t query);

/* Fault injection for code that creates its own contexts: applies to all contexts that this thread
 * creates from now on. Borrowed; NULL ends it. */
struct pv_smt_faults {
  uint64_t fail_at;            /* as pv_smt_fail_at */
  uint64_t silent_at;          /* this query alone is unknown, as at its limit on steps */
  struct pv_smt_limits limits; /* members other than 0 replace the context's */
  uint64_t queries;            /* counter of the queries of all these contexts */
};
void pv_smt_inject_faults(struct pv_smt_faults *faults);

#endif
