/* ranking_internal.h -- what the files ranking*.c share: the prover, and the steps of a proof
 * (ranking.h). One module: ranking, ranking_program (what the program as a whole may do),
 * ranking_loops (variables and loops of a function), ranking_values (values as terms),
 * ranking_candidates (functions that may fall), ranking_round (one round as a formula). */
#ifndef PV_CPA_RANKING_INTERNAL_H
#define PV_CPA_RANKING_INTERNAL_H

#include "cpa/ranking.h"
#include "analysis/call_graph.h"
#include "analysis/intervals.h"
#include "smt/encode.h"

enum { STEPS = 1000000, MS = 1000, SECONDS = 20, SHARE = 3, MOST_PAIRED = 6, MOST_EDGES = 4000 };
struct cell { /* an object that is a variable: a global, or a slot of the function */
  bool is_global;
  uint32_t index;
  pv_type type;
};
struct candidate {
  pv_term before, after; /* a signed number of both rounds, wide enough */
  char *name;            /* owned */
};
typedef PV_VEC(struct candidate) candidates;
struct loop {
  pv_loc head;
  uint8_t *body; /* by location */
  uint32_t size;
  uint8_t *sets;  /* by variable and cell: does a round set it? */
  uint8_t *falls; /* by variable and cell: bits FALLS_*: what never grows in a round */
};
enum { SIGNED_FALLS = 1, SIGNED_GROWS = 2, UNSIGNED_FALLS = 4, UNSIGNED_GROWS = 8 };
struct state {
  pv_term guard;  /* NULL: not reached */
  pv_term *value; /* by variable and cell */
};
struct prover {
  const struct pv_task *task;
  const struct pv_program *p;
  struct pv_points_to *pt;
  struct pv_call_graph *calls;
  struct pv_intervals *intervals;
  struct pv_ranking *out;
  struct pv_map var_expr;    /* (type, variable) -> expression */
  bool *writes, *comes_back; /* by function: may a call of it store to memory, lead to own code? */

  const struct pv_function *f; /* the current one */
  uint32_t function, n;        /* n: variables and cells */
  PV_VEC(struct cell) cells;
  PV_VEC(struct loop) loops; /* inner ones first */
  uint32_t *rank;            /* by location: its place in a topological order without back edges */
  pv_loc *order;
  uint32_t n_order;
  uint32_t *times; /* of the dominator tree */

  struct pv_smt *smt;
  struct pv_encoder encoder;
  const struct state *now; /* for the encoder */
  pv_terms facts;          /* hold always */
  pv_term *head;           /* by variable and cell: the value at the beginning of a round */
  candidates list;
};
struct comparison {
  pv_term a, b;
  char *name_a, *name_b; /* owned */
};
typedef PV_VEC(struct comparison) comparisons;

/* ---- ranking_program.c ---- */
/* The proof fails: sets r->out->why to the place and `what`, unless it has a reason already. */
void pv_rank_give_up(struct prover *r, uint32_t span, const char *what);
/* May the location be reached? By the intervals. */
bool pv_rank_reached(const struct prover *r, uint32_t function, pv_loc l);
/* Computes r->writes and r->comes_back, a fixpoint over the call graph. */
void pv_rank_summarise_functions(struct prover *r);
/* Gives up if the program has something besides loops that may keep it from ending: threads,
 * recursion, jumps, operations that wait, what is not modelled. Returns false then. */
bool pv_rank_check_program(struct prover *r);
/* Fills r->var_expr. */
void pv_rank_index_variables(struct prover *r);

/* ---- ranking_loops.c ---- */
/* Fills r->cells: the globals, and the slots of the current function, that the whole program uses
 * only as one value of one type. */
void pv_rank_find_cells(struct prover *r);
/* The number of the cell at the address, after those of the variables; PV_NO_VAR: none. */
uint32_t pv_rank_cell_at(const struct prover *r, pv_expr address);
/* Does its target dominate its source? */
bool pv_rank_is_back_edge(const struct prover *r, const struct pv_edge *e);
/* Fills r->loops and r->order. false: a loop has several entries. */
bool pv_rank_find_loops(struct prover *r);

/* ---- ranking_values.c ---- */
/* The type of variable or cell v. */
pv_type pv_rank_type_of(const struct prover *r, uint32_t v);
/* Values that have terms: integers of at most 64 bits and pointers; expressions over such values.
 */
bool pv_rank_is_plain_type(pv_type t);
bool pv_rank_is_plain(const struct prover *r, pv_expr e);
/* The hook of the encoder (smt/encode.h): the term for a leaf of an expression in state r->now.
 * user: the prover. */
pv_term pv_rank_encode_leaf(void *user, const struct pv_expr_node *n);
/* A constant that may have any value; NULL: the type has no terms. */
pv_term pv_rank_fresh(struct prover *r, pv_type t);
/* Adds the formula to r->facts. */
void pv_rank_assume(struct prover *r, pv_term t);
/* The value of an expression in the state, and a condition as a formula. */
pv_term pv_rank_value_of(struct prover *r, const struct state *s, pv_expr e);
pv_term pv_rank_condition_of(struct prover *r, const struct state *s, pv_expr e);
/* a <= b, as numbers. */
pv_term pv_rank_at_most(struct prover *r, bool is_signed, pv_term a, pv_term b);
/* The value lies in its interval at the location, which is reached if `guard` holds. */
void pv_rank_assume_interval(struct prover *r, pv_loc l, uint32_t v, pv_term guard, pv_term value);
/* Is variable or cell v an integer of 2 to 64 bits? */
bool pv_rank_is_number(const struct prover *r, uint32_t v);

/* ---- ranking_candidates.c ---- */
/* Add candidates to r->list: the variables that a round changes, and the differences of the sides
 * of comparisons. */
void pv_rank_add_variables(struct prover *r, const struct loop *l, const struct state *end);
void pv_rank_add_comparisons(struct prover *r, const struct state *end, const comparisons *list);
/* Appends the comparisons in the condition whose sides are functions of the values at the head. The
 * caller frees their names. */
void pv_rank_note_comparison(struct prover *r, const struct state *s, pv_expr e, comparisons *out);

/* ---- ranking_round.c ---- */
/* A state that is not reached. The caller frees `value`. */
struct state pv_rank_state_new(const struct prover *r);
/* One round of the loop as a formula, from the head back to it: *end is the state there. Sets
 * r->head, and appends the comparisons on the way. */
void pv_rank_encode_round(struct prover *r, const struct loop *l, struct state *end,
                          comparisons *list);

static inline pv_term both_of(struct prover *r, pv_term a, pv_term b) {
  return pv_smt_mk2(r->smt, PV_SMT_AND, a, b);
}

#endif
