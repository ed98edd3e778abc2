/* smt_internal.h -- shared by the files of src/smt, which alone use Z3.
 *
 * Z3 counts references to terms. The context holds one reference to every term that it has
 * returned, until the context is freed; `held` records which. Z3 keeps the subterms of a term
 * alive. */
#ifndef PV_SMT_INTERNAL_H
#define PV_SMT_INTERNAL_H

#include "base/wide.h"
#include "smt/smt.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <z3.h>

/* What a term contains; decides which solver is used for it. Computed once for each term. */
enum {
  PV_HAS_INT = 1,
  PV_HAS_BV = 2,
  PV_HAS_ARRAY = 4,
  PV_HAS_FLOAT = 8,
  PV_HAS_QUANTIFIER = 16,
  PV_HAS_NONLINEAR = 32, /* a product, quotient or remainder of integers that are no constants */
  PV_HAS_OTHER = 64,
  PV_SEEN = 128 /* was computed */
};

/* A thread that interrupts queries at their deadline. Z3's own timer would cost a thread switch
 * for each query. */
struct pv_smt_watch {
  pthread_t thread;
  pthread_mutex_t lock;
  pthread_cond_t wake;
  bool started, quit;
  bool active;         /* a query is under way */
  double deadline;     /* when it has to end; 0: never */
  double cpu_deadline; /* the same in CPU seconds of the process */
  enum pv_smt_reason fired;
  _Atomic bool in_sat; /* CaDiCaL works on it */
  uint64_t resident;   /* bytes of the process when that was first noticed; 0: not yet */
};

/* Of a bit-vector term: of its unsigned and of its signed number. */
struct pv_bounds {
  pv_i128 ulo, uhi, slo, shi;
};

struct pv_smt {
  Z3_context z3;
  struct pv_smt_limits limits;
  struct pv_limits *run, *whole; /* `run` may be a part of it: pv_smt_within */
  struct pv_smt_stats stats;
  enum pv_smt_reason reason;
  bool broken;
  char *error; /* the solver's message at the failure */
  uint64_t queries, fail_at;
  struct pv_smt_faults *faults; /* for tests; NULL: none */
  PV_VEC(Z3_ast) held;          /* by ast id: the term if it is held */
  PV_VEC(uint8_t) has;          /* by ast id: PV_HAS_* once known */
  PV_VEC(uint32_t) stamp;       /* by ast id: the last traversal that visited it */
  uint32_t walk;
  PV_VEC(Z3_ast) stack;       /* of the current traversal */
  PV_VEC(uint32_t) bounds_of; /* by ast id: see bounds.c */
  PV_VEC(struct pv_bounds) bounds;
  PV_VEC(Z3_ast) bounds_stack;
  Z3_ast yes, no;
  Z3_sort bool_sort, int_sort, bv_sort[129];
  struct pv_map names;
  uint64_t n_fresh;
  struct pv_solver *scratch[4]; /* for single queries, by what the terms contain */
  Z3_solver calm;               /* empty: see forget_interrupt in smt.c */
  double began;                 /* start of the current query */
  double bound_end;             /* pv_smt_bound: when queries end; 0: none */
  uint64_t bound_memory;        /* bytes in all; 0: none */
  bool bound_hit;               /* by memory */
  struct pv_smt_watch watch;
  enum pv_smt_bit_solver bit_solver;
  const char *record; /* pv_smt_record; NULL: no */
};

static inline Z3_ast pv_ast(pv_term t) {
  return (Z3_ast)(uintptr_t)t;
}
static inline pv_term pv_of(Z3_ast a) {
  return (pv_term)a;
}
static inline Z3_ast const *pv_asts(const pv_term *t) {
  return (Z3_ast const *)t;
}
/* Adds a reference to a term that Z3 made. NULL, an error of Z3, breaks the context; the result is
 * then an arbitrary term. */
pv_term pv_smt_keep(struct pv_smt *s, Z3_ast a);
/* Did the last call of Z3 fail? If so, the context is broken from now on. */
bool pv_smt_failed(struct pv_smt *s);
void pv_smt_break(struct pv_smt *s, enum pv_smt_reason why);

/* pv_smt_begin and pv_smt_end enclose every call of Z3 that may take long. If pv_smt_begin returns
 * false, the query must not be made, and its answer is PV_SMT_UNKNOWN. */
bool pv_smt_begin(struct pv_smt *s);
/* Translates Z3's answer and records the reason if it is unknown. `why`: Z3's own reason, or NULL.
 * An error of the last call becomes part of the answer and is cleared. */
enum pv_smt_answer pv_smt_end(struct pv_smt *s, Z3_lbool r, const char *why);
/* Is Z3's error in the current query a limit rather than a failure? */
bool pv_smt_only_limit(struct pv_smt *s, const char *why);
/* Must the current query stop? For our own algorithms, which run between two calls of Z3. */
bool pv_smt_out(struct pv_smt *s);

/* Writes a question with its answer (pv_smt_record). `seconds`: CPU time. */
void pv_smt_write_question(struct pv_smt *s, uint32_t n, const pv_term *asserted, uint32_t assumed,
                           const pv_term *assumptions, enum pv_smt_answer answer, double seconds);

/* A solver for a single question without assumptions: Z3 simplifies first, which helps most with
 * arrays. */
struct pv_solver *pv_solver_new_one_shot(struct pv_smt *s);

/* Does the process end soon anyway, because a supervised run hit a limit? Then the kernel frees its
 * memory in less time than the solvers would need. */
bool pv_smt_ends(const struct pv_smt *s);
/* Keeps one of Z3's solvers from installing a handler for SIGINT. */
void pv_smt_leave_signals(struct pv_smt *s, Z3_solver z3);
Z3_sort pv_smt_z3_sort(struct pv_smt *s, struct pv_sort sort);
struct pv_sort pv_smt_sort_of(struct pv_smt *s, Z3_sort sort);
uint8_t pv_smt_has(struct pv_smt *s, pv_term t); /* PV_HAS_* */
/* An empty solver for terms that contain `has`. The caller leaves it empty. */
struct pv_solver *pv_smt_scratch(struct pv_smt *s, uint8_t has);
/* Appends the constants of all terms, each once. */
void pv_smt_all_constants(struct pv_smt *s, uint32_t n, const pv_term *terms, pv_terms *out);
/* Starts a traversal of terms. Within it, pv_smt_visit returns true at the first visit of a term.
 */
void pv_smt_walk(struct pv_smt *s);
bool pv_smt_visit(struct pv_smt *s, Z3_ast a);
/* The number that a value denotes (numeral, true, false, float). Returns false if the term is no
 * value, or one of more than 128 bits. */
bool pv_smt_numeral(struct pv_smt *s, Z3_ast a, struct pv_sort sort, uint64_t *lo, uint64_t *hi);
/* Between which numbers does a bit-vector of at most 64 bits lie? Returns false if it may have any
 * value. */
bool pv_smt_bounds(struct pv_smt *s, Z3_ast a, struct pv_bounds *out);
static inline bool pv_is_app(struct pv_smt *s, Z3_ast a, Z3_decl_kind kind) {
  return Z3_get_ast_kind(s->z3, a) == Z3_APP_AST && /* numerals are another kind */
         Z3_get_decl_kind(s->z3, Z3_get_app_decl(s->z3, Z3_to_app(s->z3, a))) == kind;
}
static inline uint32_t pv_arity(struct pv_smt *s, Z3_ast a) {
  Z3_ast_kind k = Z3_get_ast_kind(s->z3, a);
  return k == Z3_APP_AST || k == Z3_NUMERAL_AST ? Z3_get_app_num_args(s->z3, Z3_to_app(s->z3, a))
                                                : 0;
}
static inline Z3_ast pv_arg_at(struct pv_smt *s, Z3_ast a, uint32_t i) {
  return Z3_get_app_arg(s->z3, Z3_to_app(s->z3, a), i);
}
/* A constant without interpretation? */
static inline bool pv_is_constant(struct pv_smt *s, Z3_ast a) {
  return pv_is_app(s, a, Z3_OP_UNINTERPRETED) && pv_arity(s, a) == 0;
}

#endif
