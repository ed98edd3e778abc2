/* formula.h -- formulas of linear temporal logic, in negation normal form, each stored once.
 *
 * Operators: propositions and their negations, conjunction, disjunction, next, until, release. All
 * others are abbreviations: F a is true U a, G a is false R a, a W b is b R (a | b), a M b is
 * b U (a & b).
 *
 * The constructors simplify, by the rules of Somenzi and Bloem ("Efficient Buechi automata from LTL
 * formulae", CAV 2000) and Etessami and Holzmann ("Optimizing Buechi automata", CONCUR 2000): a
 * formula is *eventual* if it holds wherever one of its suffixes satisfies it (F-like), *universal*
 * if it holds of all suffixes wherever it holds (G-like). Implications are found by the syntax
 * (pv_ltl_implies), which misses some. */
#ifndef PV_LTL_FORMULA_H
#define PV_LTL_FORMULA_H

#include "base/base.h"
#include "ltl/budget.h"

typedef uint32_t pv_formula; /* an index; equal formulas have equal indices */
enum pv_ltl_op {
  PV_LTL_FALSE,
  PV_LTL_TRUE,
  PV_LTL_IS,  /* a proposition */
  PV_LTL_NOT, /* its negation */
  PV_LTL_AND, /* of two or more, sorted by index */
  PV_LTL_OR,
  PV_LTL_NEXT,
  PV_LTL_UNTIL,
  PV_LTL_RELEASE
};
#define PV_LTL_BOTTOM ((pv_formula)0)
#define PV_LTL_TOP    ((pv_formula)1)

struct pv_ltl_node {
  enum pv_ltl_op op;
  uint32_t first, n;        /* the operands, in `kids`; a proposition: `first` is its number */
  bool eventual, universal; /* see above */
  bool temporal;            /* it contains a temporal operator */
  bool next;                /* it contains `next` */
  uint32_t height;          /* of the formula as a tree */
};
/* A set of formulas. Initialise it with pv_ltl_init. */
struct pv_ltl {
  PV_VEC(struct pv_ltl_node) node;
  PV_VEC(pv_formula) kids;
  PV_VEC(char *) names; /* of propositions; owned */
  struct pv_map known;  /* nodes by content */
  struct pv_map implied, negated;
  struct pv_ltl_budget budget; /* `limits` may be set by the owner */
  bool plain;                  /* for tests: do not simplify beyond constants */
};
void pv_ltl_init(struct pv_ltl *l);
void pv_ltl_free(struct pv_ltl *l);

static inline const struct pv_ltl_node *pv_ltl_at(const struct pv_ltl *l, pv_formula f) {
  return &l->node.at[f];
}
static inline pv_formula pv_ltl_kid(const struct pv_ltl *l, pv_formula f, uint32_t i) {
  return l->kids.at[l->node.at[f].first + i];
}

/* The number of the proposition with this name, which is added if it is new. */
uint32_t pv_ltl_name(struct pv_ltl *l, const char *name, size_t n);

pv_formula pv_ltl_prop(struct pv_ltl *l, uint32_t number, bool positive);
pv_formula pv_ltl_not(struct pv_ltl *l, pv_formula f);
pv_formula pv_ltl_and(struct pv_ltl *l, pv_formula a, pv_formula b);
pv_formula pv_ltl_or(struct pv_ltl *l, pv_formula a, pv_formula b);
pv_formula pv_ltl_next(struct pv_ltl *l, pv_formula a);
pv_formula pv_ltl_until(struct pv_ltl *l, pv_formula a, pv_formula b);
pv_formula pv_ltl_release(struct pv_ltl *l, pv_formula a, pv_formula b);
static inline pv_formula pv_ltl_finally(struct pv_ltl *l, pv_formula a) {
  return pv_ltl_until(l, PV_LTL_TOP, a);
}
static inline pv_formula pv_ltl_globally(struct pv_ltl *l, pv_formula a) {
  return pv_ltl_release(l, PV_LTL_BOTTOM, a);
}

/* Does a imply b, as far as the syntax tells? */
bool pv_ltl_implies(struct pv_ltl *l, pv_formula a, pv_formula b);
/* Does the formula contain `next`? Without it, it is invariant under stuttering. */
bool pv_ltl_has_next(const struct pv_ltl *l, pv_formula f);
/* Appends the formula in SPIN's syntax, with V for release. Parts that are shared are written each
 * time, so the text may be exponentially longer than what was read. */
void pv_ltl_print(const struct pv_ltl *l, pv_formula f, struct pv_str *out);

/* Reads a formula: [] G, <> F, X, U, R V, W, M, ! ~, && & /\, || | \/, -> => ==>, <-> <=> <==>,
 * true false 1 0, parentheses; names; and C expressions as propositions, between quotes or in
 * AP(...). Precedence, weakest first: <->, -> (to the right), ||, &&, the binary temporal operators
 * (to the right), unary ones. PV_E_INPUT: *err says why; that it is too large, for example. */
enum pv_status pv_ltl_parse(struct pv_ltl *l, const char *text, pv_formula *out,
                            struct pv_str *err);

/* The truth of a formula on an ultimately periodic word: n letters, each a set of propositions
 * (bit i: number i), the last n - loop of which repeat for ever; loop < n. At most 64
 * propositions. Computed from the semantics alone, for tests and for the replay of errors. */
bool pv_ltl_holds(const struct pv_ltl *l, pv_formula f, const uint64_t *letter, uint32_t n,
                  uint32_t loop);

#endif
