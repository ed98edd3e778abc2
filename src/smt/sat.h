/* sat.h -- a SAT solver (CaDiCaL) and the circuits that it knows. Equal gates are one literal;
 * constants and plain cases are simplified at once. The solver learns the clauses of a gate only
 * when a question depends on it. For src/smt and src/ltl.
 *
 * References: Tseitin, "On the complexity of derivation in propositional calculus", 1968; Eén,
 * Sörensson, "An extensible SAT-solver", SAT 2003 (questions under assumptions). */
#ifndef PV_SMT_SAT_H
#define PV_SMT_SAT_H

#include "base/base.h"

/* A literal: a variable, or its negative, which is its negation. 1 is true, -1 false. */
enum { PV_SAT_TRUE = 1, PV_SAT_FALSE = -1 };

struct pv_sat;
/* `stop` is asked now and then while a question is decided, also within pv_sat_solve. When it
 * returns true, the answer is PV_SAT_OPEN. */
struct pv_sat *pv_sat_new(bool (*stop)(void *user), void *user);
void pv_sat_free(struct pv_sat *sat); /* NULL is fine */

int pv_sat_input(struct pv_sat *sat); /* a new variable */
int pv_sat_and(struct pv_sat *sat, int a, int b);
int pv_sat_or(struct pv_sat *sat, int a, int b);
int pv_sat_xor(struct pv_sat *sat, int a, int b);
int pv_sat_ite(struct pv_sat *sat, int c, int a, int b);
int pv_sat_most(struct pv_sat *sat, int a, int b, int c); /* at least two of them */
int pv_sat_all(struct pv_sat *sat, uint32_t n, const int *a);
/* A clause that always holds. */
void pv_sat_clause(struct pv_sat *sat, uint32_t n, const int *literals);

enum pv_sat_answer { PV_SAT_OPEN, PV_SAT_YES, PV_SAT_NO };
/* Can all these literals be true? `conflicts`: the most of the search; 0: no bound. */
enum pv_sat_answer pv_sat_solve(struct pv_sat *sat, uint32_t n, const int *literals,
                                uint32_t conflicts);
/* After PV_SAT_YES, until anything else is done. */
bool pv_sat_value(struct pv_sat *sat, int literal);
/* After PV_SAT_NO: is the literal, one of the question, part of a core? */
bool pv_sat_failed(struct pv_sat *sat, int literal);
/* How many variables would a question about these literals depend on, and how many would the solver
 * know then? The difference is ballast. */
uint32_t pv_sat_relevant(struct pv_sat *sat, uint32_t n, const int *literals, uint32_t *known);

#endif
