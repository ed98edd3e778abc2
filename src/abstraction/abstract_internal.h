/* abstract_internal.h -- what the files abstract*.c share: the abstractor, and the parts of an
 * abstraction (abstraction.h). One module: abstract, abstract_predicates (the cells, and the
 * predicates over them), abstract_interference (who writes what, and when), abstract_facts (what is
 * known of variables), abstract_cubes (what predicates imply), abstract_edges (new edges,
 * branches), abstract_split (variables with one purpose). */
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
/* A cube: for each candidate +1, -1 or 0. */
typedef int8_t cube[CANDIDATES];
struct cover {
  struct abstractor *x;
  const struct decision *d;
  struct pv_solver *facts, *goal; /* goal: the facts and its negation */
  PV_VEC(cube) cubes;             /* minimal ones that imply the goal */
  PV_VEC(cube) dead;              /* that are impossible */
};

/* ---- abstract_predicates.c ---- */
pv_type pv_abs_pointer(const struct abstractor *x);
uint32_t pv_abs_cell_at(const struct abstractor *x, pv_expr address, pv_type type);
pv_term pv_abs_range_of(struct abstractor *x, pv_type type, bool is_signed, pv_term t);
pv_term pv_abs_leaf(void *user, const struct pv_expr_node *n);
/* Everything that was assumed so far about the evaluation. Notes a proviso for each place where
 * integers could overflow. */
pv_term pv_abs_take_notes(struct abstractor *x, uint32_t span);
bool pv_abs_is_known(const struct abstractor *x, pv_term t);
enum pv_status pv_abs_read_predicates(struct abstractor *x);
bool pv_abs_mentions_global(const struct abstractor *x, pv_expr e);
enum pv_status pv_abs_check_program(struct abstractor *x);

/* ---- abstract_interference.c ---- */
uint64_t pv_abs_written_by(const struct abstractor *x, uint32_t function, uint32_t edge,
                           const struct pv_edge *e);
void pv_abs_find_writers(struct abstractor *x);
/* Locations that are reachable from `at` without one edge. */
void pv_abs_reach(const struct pv_function *f, const struct pv_edge *edges, uint32_t n, pv_loc at,
                  uint32_t without, uint8_t *seen);
void pv_abs_find_single_threads(struct abstractor *x);
uint64_t pv_abs_foreign_to(const struct abstractor *x, uint32_t function);
void pv_abs_find_depths(struct abstractor *x);
/* Sections of which the end is in another function than the begin: no section is relied on then. */
void pv_abs_look_for_unbalanced(struct abstractor *x);

/* ---- abstract_facts.c ---- */
bool pv_abs_is_mentioned(const struct abstractor *x, pv_expr e);
/* Can one of the cells be written between edge `def` and location `at`, if `def` is not taken
 * again? */
bool pv_abs_is_disturbed(struct abstractor *x, uint32_t def, pv_loc at, uint64_t cells);
pv_term pv_abs_value_of(struct abstractor *x, uint32_t var);
/* Does every path to the location take the edge? */
bool pv_abs_dominates(const struct abstractor *x, uint32_t edge, pv_loc at);
/* What is known of variables at an original location. */
pv_term pv_abs_facts_at(struct abstractor *x, pv_loc at);

/* ---- abstract_cubes.c ---- */
/* with_copies: the predicates at the time of reads as well. Returns false if there are none. */
bool pv_abs_choose_candidates(struct abstractor *x, pv_term goal, pv_term facts, pv_loc at,
                              bool with_copies, struct decision *d);
void pv_abs_drop_unused(struct decision *d, const struct cover *yes, const struct cover *no);
pv_expr pv_abs_formula(struct abstractor *x, const struct decision *d, const struct cover *c);
bool pv_abs_is_always(const struct pv_program *p, pv_expr e);
void pv_abs_find_covers(struct abstractor *x, struct decision *d, pv_term goal, pv_term facts,
                        struct cover *yes, struct cover *no);

/* ---- abstract_edges.c ---- */
struct pv_edge *pv_abs_put(struct abstractor *x, enum pv_op op, pv_loc from, pv_loc to,
                           uint32_t span);
/* Appends the edge; returns where it leads. */
pv_loc pv_abs_then(struct abstractor *x, struct pv_edge e);
struct pv_edge pv_abs_edge_at(enum pv_op op, pv_loc from, uint32_t span);
uint32_t pv_abs_new_var(struct abstractor *x, pv_type type, const char *name);
pv_loc pv_abs_load_predicate(struct abstractor *x, pv_loc at, uint32_t predicate, uint32_t var,
                             uint32_t span);
pv_loc pv_abs_store_predicate(struct abstractor *x, pv_loc at, uint32_t predicate, pv_expr value,
                              uint32_t span);
pv_loc pv_abs_section(struct abstractor *x, pv_loc at, bool begins, uint32_t span);
/* Decides the goal as far as the predicates do; those at the time of reads are asked only if the
 * others leave a choice. Appends the loads that this needs. */
pv_loc pv_abs_decide(struct abstractor *x, pv_loc at, pv_loc original, struct decision *d,
                     pv_term goal, pv_term facts, bool in_section, uint32_t span);
/* Branches on the decision: to `yes`, `no`, or to either by a choice. */
void pv_abs_branch(struct abstractor *x, pv_loc at, const struct decision *d, pv_term goal,
                   pv_loc yes, pv_loc no, uint32_t span);

/* ---- abstract_split.c ---- */
void pv_abs_split_variables(struct abstractor *x, struct pv_function *f);

static inline pv_term mk2(struct abstractor *x, enum pv_smt_op op, pv_term a, pv_term b) {
  return pv_smt_mk2(x->smt, op, a, b);
}

static inline pv_term not(struct abstractor * x, pv_term a) {
  return pv_smt_mk1(x->smt, PV_SMT_NOT, a);
}

#endif
