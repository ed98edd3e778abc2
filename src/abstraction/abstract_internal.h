/* abstract_internal.h -- what the files abstract*.c share: the abstractor, and the parts of an
 * abstraction (abstraction.h). One module: abstract, abstract_predicates (the cells, and the
 * predicates over them), abstract_interference (who writes what, and when), abstract_facts (what is
 * known of variables), abstract_cubes (what predicates imply), abstract_edges (new edges,
 * branches), abstract_split (variables with one purpose), abstract_locals (local variables that
 * globals hold). */
#ifndef PV_ABSTRACTION_ABSTRACT_INTERNAL_H
#define PV_ABSTRACTION_ABSTRACT_INTERNAL_H

#include "abstraction/abstraction.h"
#include "analysis/call_graph.h"
#include "smt/encode.h"

enum {
  LITERALS = 3,   /* in a cube */
  CANDIDATES = 8, /* literals that a decision may use */
  MOST_PREDICATES = 60,
  NO_CELL = UINT32_MAX
};
struct cell {
  uint32_t global;
  uint64_t offset;
  pv_type type;
  pv_term term; /* its value now */
};
struct predicate {
  pv_term term; /* over the cells */
  const char *name;
  uint32_t global;
  uint64_t cells; /* bit i: it is about cell i */
};
/* A copy of a predicate at the time when variable `var` was read from the cell: about the variable
 * instead of the cell. */
struct copy {
  uint32_t predicate, var, holder; /* holder: the variable that has its value */
  uint32_t def;                    /* the edge of the read, among the original ones */
  uint64_t others;                 /* the other cells that it is about */
  pv_term term;
};
struct abstractor {
  struct pv_program *p;
  const struct pv_abstract_options *options;
  struct pv_abstracted *out;
  struct pv_str *err;
  struct pv_smt *smt;
  struct pv_encoder encoder;
  struct pv_points_to *pt;
  struct pv_call_graph *calls;
  PV_VEC(struct cell) cells;
  PV_VEC(struct predicate) predicates;
  uint64_t *writes;   /* by function: the cells that it or its callees write */
  bool unbalanced;    /* some function ends an atomic section that it did not begin */
  uint64_t single;    /* kinds of threads of which there is one thread at most */
  struct pv_map told; /* provisos */
  /* the function that is transformed */
  uint32_t function;
  struct pv_function *f;
  PV_VEC(struct pv_edge) old;
  uint32_t old_vars;
  uint8_t *abstract;    /* by variable: it may come from a cell */
  uint32_t *defs, *def; /* by variable: the number of its definitions, and the last one */
  int *depth;           /* by location: open atomic sections, at least */
  pv_term *value;       /* by variable */
  PV_VEC(struct copy) copies;
  uint64_t foreign; /* cells that other threads may write while this one runs */
};
/* A literal that a decision may use: a formula, and the variable of the new program that has its
 * value; `var`: PV_NO_VAR: it is loaded from the predicate's global when it is used. */
struct candidate {
  pv_term term;
  uint32_t predicate, var;
  bool used; /* in some cube */
};
struct decision {
  struct candidate at[CANDIDATES];
  uint32_t n;
  pv_expr yes, no;              /* i1 over the variables; 0: never */
  bool always, never, complete; /* complete: either yes or no, no choice */
};
/* A cube, a conjunction of literals: for each candidate +1, -1 (negated) or 0 (not in it). */
typedef int8_t cube[CANDIDATES];
/* A set of cubes that each imply a goal, as in the minimisation of boolean functions. */
struct cover {
  struct abstractor *x;
  const struct decision *d;
  struct pv_solver *facts, *goal; /* goal: the facts and its negation */
  PV_VEC(cube) cubes;             /* minimal ones that imply the goal */
  PV_VEC(cube) dead;              /* that are impossible */
};

/* ---- abstract_predicates.c ---- */
pv_type pv_abs_pointer_type(const struct abstractor *x);
/* The number of the cell at the address with the type, or NO_CELL. */
uint32_t pv_abs_cell_at(const struct abstractor *x, pv_expr address, pv_type type);
/* t lies between the least and the greatest value of the type. */
pv_term pv_abs_range_of(struct abstractor *x, pv_type type, bool is_signed, pv_term t);
/* The hook of the encoder (smt/encode.h): the term for a leaf of an expression. A variable has its
 * value; everything else is a constant without a known value. user: the abstractor. */
pv_term pv_abs_encode_leaf(void *user, const struct pv_expr_node *n);
/* What the encoder assumed since the last call, as one formula: the definitions of fresh constants,
 * and that nothing undefined happens. For the latter, adds a proviso with the span's place. */
pv_term pv_abs_take_assumptions(struct abstractor *x, uint32_t span);
/* Is the term a predicate already? */
bool pv_abs_is_known(const struct abstractor *x, pv_term t);
/* Fills x->cells and x->predicates from the options, and adds a global for each predicate.
 * PV_E_INPUT: one of them cannot be abstracted; x->err says why. */
enum pv_status pv_abs_read_predicates(struct abstractor *x);
/* Does the expression contain the address of a global with a cell? */
bool pv_abs_mentions_global(const struct abstractor *x, pv_expr e);
/* PV_E_INPUT: the program uses a cell in a way that cannot be abstracted; x->err says where. */
enum pv_status pv_abs_check_program(struct abstractor *x);

/* ---- abstract_interference.c ---- */
/* Sets of cells: bit i is cell i. */
/* The cells that the edge writes, with all that it calls. After pv_abs_find_writes. */
uint64_t pv_abs_written_by(const struct abstractor *x, uint32_t function, uint32_t edge,
                           const struct pv_edge *e);
/* Computes x->writes, a fixpoint over the call graph. */
void pv_abs_find_writes(struct abstractor *x);
/* Sets seen[l] for each location l that is reachable from `at` by the n edges without edge number
 * `without` (UINT32_MAX: by all). */
void pv_abs_reach(const struct pv_edge *edges, uint32_t n, pv_loc at, uint32_t without,
                  uint8_t *seen);
/* Computes x->single. */
void pv_abs_find_single_threads(struct abstractor *x);
/* The cells that other threads may write while a thread is in the function. */
uint64_t pv_abs_interference(const struct abstractor *x, uint32_t function);
/* Computes x->depth for x->f and its original edges x->old. */
void pv_abs_count_sections(struct abstractor *x);
/* Sets x->unbalanced if a section ends in another function than it began in: no section is relied
 * on then. */
void pv_abs_find_unbalanced(struct abstractor *x);

/* ---- abstract_facts.c ---- */
/* Does the expression contain a variable whose value may come from a cell? */
bool pv_abs_mentions_abstracted(const struct abstractor *x, pv_expr e);
/* Can one of the cells be written between edge `def` and location `at`, if `def` is not taken
 * again? */
bool pv_abs_may_change(struct abstractor *x, uint32_t def, pv_loc at, uint64_t cells);
/* The constant that stands for the variable in formulas. */
pv_term pv_abs_value_of(struct abstractor *x, uint32_t var);
/* Does every path to the location take the edge? */
bool pv_abs_dominates(const struct abstractor *x, uint32_t edge, pv_loc at);
/* What is known of variables at an original location. */
pv_term pv_abs_facts_at(struct abstractor *x, pv_loc at);

/* ---- abstract_cubes.c ---- */
/* Fills d->at with literals that the goal may depend on. with_copies: the predicates at the time of
 * reads as well. Returns false if there are none. */
bool pv_abs_choose_candidates(struct abstractor *x, pv_term goal, pv_term facts, pv_loc at,
                              bool with_copies, struct decision *d);
/* Computes the covers of the goal and of its negation: all minimal cubes of at most LITERALS
 * candidates that imply it, given the facts. Sets d->complete. */
void pv_abs_find_covers(struct abstractor *x, struct decision *d, pv_term goal, pv_term facts,
                        struct cover *yes, struct cover *no);
/* Marks the candidates that the covers contain; the others need no loads. */
void pv_abs_drop_unused(struct decision *d, const struct cover *yes, const struct cover *no);
/* The disjunction of the cubes, over the variables of the candidates; 0: there is no cube. */
pv_expr pv_abs_disjunction(struct abstractor *x, const struct decision *d, const struct cover *c);
/* Is it the constant 1? */
bool pv_abs_is_true(const struct pv_program *p, pv_expr e);

/* ---- abstract_edges.c ---- */
/* Appends an edge to x->f. The pointer is valid until the next one is appended. */
struct pv_edge *pv_abs_put_edge(struct abstractor *x, enum pv_op op, pv_loc from, pv_loc to,
                                uint32_t span);
/* Appends the edge, to a new location, which it returns. */
pv_loc pv_abs_append(struct abstractor *x, struct pv_edge e);
/* An edge that is not appended yet. */
struct pv_edge pv_abs_edge_at(enum pv_op op, pv_loc from, uint32_t span);
/* Adds a temporary to x->f. The name is copied. */
uint32_t pv_abs_new_var(struct abstractor *x, pv_type type, const char *name);
/* Append a load of a predicate's global to variable `var`, a store of `value`, the begin or end of
 * an atomic section. They return the location behind it. */
pv_loc pv_abs_load_predicate(struct abstractor *x, pv_loc at, uint32_t predicate, uint32_t var,
                             uint32_t span);
pv_loc pv_abs_store_predicate(struct abstractor *x, pv_loc at, uint32_t predicate, pv_expr value,
                              uint32_t span);
pv_loc pv_abs_section(struct abstractor *x, pv_loc at, bool begins, uint32_t span);
/* Decides the goal as far as the predicates do; those at the time of reads are asked only if the
 * others leave a choice. Appends the loads that this needs. */
pv_loc pv_abs_decide(struct abstractor *x, pv_loc at, pv_loc original, struct decision *d,
                     pv_term goal, pv_term facts, bool in_section, uint32_t span);
/* Appends branches on the decision: to `yes`, `no`, or to either by a choice. */
void pv_abs_branch(struct abstractor *x, pv_loc at, const struct decision *d, pv_term goal,
                   pv_loc yes, pv_loc no, uint32_t span);

/* ---- abstract_split.c ---- */
/* Gives each web of a variable, definitions with common uses, a variable of its own (Chaitin,
 * SIGPLAN 1982), so that most variables have one definition. */
void pv_abs_split_variables(struct abstractor *x, struct pv_function *f);

static inline pv_term mk2(struct abstractor *x, enum pv_smt_op op, pv_term a, pv_term b) {
  return pv_smt_mk2(x->smt, op, a, b);
}

static inline pv_term not(struct abstractor * x, pv_term a) {
  return pv_smt_mk1(x->smt, PV_SMT_NOT, a);
}

#endif
