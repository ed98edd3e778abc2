/* smt.h -- terms, satisfiability, models, cores. The room smt/ is the only one that includes Z3's
 * header; everybody else sees terms as handles.
 *
 * A context owns its terms: they live as long as it does and are borrowed everywhere; equal handles
 * iff equal structure. One context is used by one thread. Nothing here ends the process: what the
 * solver cannot do in its limits, and any failure inside of it, is the answer PV_SMT_UNKNOWN with a
 * reason (pv_smt_reason); after a failure inside the solver (not a limit) the context is `broken`
 * and answers every further question with PV_SMT_UNKNOWN.
 *
 * Limits are counted in the solver's own steps (Z3's rlimit) before they are measured in time, so
 * that the same run gives the same answers; time is the outer bound. */
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
  uint32_t ms;     /* of wall time for each query; 0: none */
  uint64_t memory; /* bytes that the solver may hold in all; 0: none */
};
/* `run` is asked between queries whether to stop, and bounds a query's time by what is left of the
 * run's; NULL: no limits of a run. Borrowed. */
struct pv_smt *pv_smt_new(struct pv_smt_limits limits, struct pv_limits *run);
void pv_smt_free(struct pv_smt *smt); /* NULL is fine */
/* The run's limits are these from now on: for a part of the run that has less time. Gives back
 * those before. */
struct pv_limits *pv_smt_within(struct pv_smt *smt, struct pv_limits *run);
struct pv_smt_stats {
  uint64_t checks, sat, unsat, unknown, models, cores, substitutions, interpolations;
  double seconds; /* inside the solver */
};
const struct pv_smt_stats *pv_smt_stats(const struct pv_smt *smt);

/* ---- terms ----------------------------------------------------------------------------------- */
pv_term pv_smt_bool(struct pv_smt *s, bool value);
/* lo, hi: the value's bits, two's complement at 128 bits for INT, zero-extended for BV. */
pv_term pv_smt_number(struct pv_smt *s, struct pv_sort sort, uint64_t lo, uint64_t hi);
pv_term pv_smt_int(struct pv_smt *s, int64_t value);
/* The constant of that name and sort: the same one for the same name. */
pv_term pv_smt_const(struct pv_smt *s, const char *name, struct pv_sort sort);
/* A constant that is nowhere else yet: `name!7`. */
pv_term pv_smt_fresh(struct pv_smt *s, const char *name, struct pv_sort sort);
struct pv_sort pv_smt_sort(struct pv_smt *s, pv_term t);

/* Operations by table; which sorts they take is Z3's and SMT-LIB's. n-ary ones take any n >= 0. */
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
/* The array of that sort which has `value` everywhere. */
pv_term pv_smt_constant_array(struct pv_smt *s, struct pv_sort sort, pv_term value);
pv_term pv_smt_extract(struct pv_smt *s, unsigned high, unsigned low, pv_term bv);
pv_term pv_smt_extend(struct pv_smt *s, bool is_signed, unsigned bits, pv_term bv); /* to `bits` */

/* Replaces constants by terms, all at once. */
pv_term pv_smt_substitute(struct pv_smt *s, pv_term t, uint32_t n, const pv_term *from,
                          const pv_term *to);
pv_term pv_smt_simplify(struct pv_smt *s, pv_term t);
bool pv_smt_is_true(struct pv_smt *s, pv_term t);
bool pv_smt_is_false(struct pv_smt *s, pv_term t);
/* The uninterpreted constants of t, each once, in order of first occurrence: appended. */
typedef PV_VEC(pv_term) pv_terms;
void pv_smt_constants(struct pv_smt *s, pv_term t, pv_terms *out);
/* The atoms of a formula: its maximal subformulas without Boolean structure, without doubles;
 * negations are stripped; ites inside of atoms stay. Appended. */
void pv_smt_atoms(struct pv_smt *s, pv_term t, pv_terms *out);
const char *pv_smt_name(struct pv_smt *s, pv_term constant); /* borrowed until the next call */
bool pv_smt_is_number(struct pv_smt *s, pv_term t);          /* a literal, of whichever sort */
/* SMT-LIB text, for people and for tests; appended. */
void pv_smt_print(struct pv_smt *s, pv_term t, struct pv_str *out);
/* SMT-LIB text from which pv_smt_read makes an equal formula, in this context or another: in it
 * constants.at[i] stands for constants.at[i] there, of the same sort. All of the formula's
 * constants have to be among them: otherwise false. Appended. */
bool pv_smt_write(struct pv_smt *s, pv_term formula, uint32_t n, const pv_term *constants,
                  struct pv_str *out);
/* NULL: it is no such text. */
pv_term pv_smt_read(struct pv_smt *s, const char *text, uint32_t n, const pv_term *constants);
/* For printing in source terms: what the term is made of. Returns false for anything else
 * (operations on floats, quantifiers). */
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
enum pv_smt_reason pv_smt_reason(const struct pv_smt *s); /* of the last unknown */
const char *pv_smt_reason_text(enum pv_smt_reason r);     /* "time limit of a query" */
/* After a failure: the solver's own words, for developers; "" if there are none. */
const char *pv_smt_error(const struct pv_smt *s);
/* Has the context failed? Terms made since may be any terms: whoever built on them knows nothing.
 */
bool pv_smt_broken(const struct pv_smt *s);

struct pv_solver; /* a stack of assertions */
struct pv_solver *pv_solver_new(struct pv_smt *s);
void pv_solver_free(struct pv_solver *solver);
void pv_solver_push(struct pv_solver *solver);
void pv_solver_pop(struct pv_solver *solver, uint32_t levels);
void pv_solver_assert(struct pv_solver *solver, pv_term t);
/* Under assumptions: Boolean constants or their negations. */
enum pv_smt_answer pv_solver_check(struct pv_solver *solver, uint32_t n,
                                   const pv_term *assumptions);
/* After UNSAT under assumptions: those of a core, not minimised; appended. */
void pv_solver_core(struct pv_solver *solver, pv_terms *out);

/* After SAT; valid until the solver is changed or asked again. */
struct pv_model;
struct pv_model *pv_solver_model(struct pv_solver *solver); /* caller frees */
void pv_model_free(struct pv_model *m);
/* Value of a term (completed: constants the model does not mention are some number); false if it is
 * no number: of an array, say. INT: false also if it does not fit into 128 bits. FLOAT: the bits.
 */
bool pv_model_value(struct pv_model *m, pv_term t, uint64_t *lo, uint64_t *hi);
bool pv_model_holds(struct pv_model *m, pv_term formula); /* is it true in the model? */

/* One question on its own: is the conjunction satisfiable? */
enum pv_smt_answer pv_smt_check(struct pv_smt *s, uint32_t n, const pv_term *formulas);

/* ---- for tests ------------------------------------------------------------------------------- */
/* Makes the solver fail at its n-th query from now on as if it had an error inside. 0: never. */
void pv_smt_fail_at(struct pv_smt *s, uint64_t query);

/* For what makes contexts of its own: contexts made from now on by this thread have this trouble.
 * Borrowed; NULL: none any more. */
struct pv_smt_trouble {
  uint64_t fail_at;            /* as pv_smt_fail_at */
  uint64_t silent_at;          /* this query alone has no answer, as at its limit on steps */
  struct pv_smt_limits limits; /* those that are not 0 replace the context's */
  uint64_t queries;            /* counted here, of all these contexts together */
};
void pv_smt_make_trouble(struct pv_smt_trouble *trouble);

#endif
