/* automaton.h -- Buechi automata over sets of propositions, with marks on transitions: a run is
 * accepted if it passes each of the `marks` marks infinitely often (transition-based generalised
 * acceptance). In an automaton with marks on states (by_state) all transitions of a state have the
 * same marks.
 *
 * From a formula to an automaton: pv_ltl_translate builds a very weak alternating automaton and
 * from it a generalised one (Gastin and Oddoux, "Fast LTL to Buechi automata translation", CAV
 * 2001, with the simplifications on the fly, and those of Babiak, Kretinsky, Rehak, Strejcek, "LTL
 * to Buechi automata translation: fast and more deterministic", TACAS 2012, that split labels).
 * pv_buchi_reduce merges and drops states by direct simulation, pv_buchi_by_state makes marks
 * of states with one mark. pv_buchi_merge merges states as long as the automaton has no word in
 * common with that of the negated formula, which is exact and goes beyond simulation.
 * pv_buchi_weak makes a minimal deterministic weak automaton where the formula is an obligation
 * (Loeding, "Efficient minimization of deterministic weak omega-automata", IPL 79, 2001).
 * pv_buchi_minimise asks a SAT solver whether fewer states are enough. pv_ltl_buchi does all
 * this and takes the smallest. */
#ifndef PV_BUCHI_H
#define PV_BUCHI_H

#include "ltl/formula.h"
#include "ltl/label.h"

enum { PV_MOST_MARKS = 64 };

struct pv_buchi_transition {
  uint32_t to;
  pv_label label;
  uint64_t marks;
};
struct pv_buchi_state {
  PV_VEC(struct pv_buchi_transition) out;
};
struct pv_buchi {
  struct pv_labels *labels; /* borrowed */
  PV_VEC(struct pv_buchi_state) state;
  uint32_t initial;
  uint32_t marks; /* their number */
  bool by_state;
};
void pv_buchi_clear(struct pv_buchi *a);
struct pv_buchi pv_buchi_copy(const struct pv_buchi *a);
uint32_t pv_buchi_add(struct pv_buchi *a); /* a state */
static inline uint64_t pv_buchi_all(const struct pv_buchi *a) {
  return a->marks == 64 ? UINT64_MAX : (UINT64_C(1) << a->marks) - 1;
}

/* Translates the formula. PV_E_LIMIT: it has more than 64 untils, needs more than `most` states, or
 * the budget of the set of formulas is exceeded, which from now on is also that of the labels.
 * variant: 0 or 1, two ways to treat disjunctions of successors, of which now the one, now the
 * other gives fewer states. */
enum pv_status pv_ltl_translate(struct pv_ltl *l, struct pv_labels *labels, pv_formula f,
                                unsigned variant, uint32_t most, struct pv_buchi *out);

/* Removes states that are not reachable or from which nothing is accepted (but keeps the initial
 * one), and marks that do not matter. */
void pv_buchi_trim(struct pv_buchi *a);
/* The same, and quotient and pruning by direct simulation. */
void pv_buchi_reduce(struct pv_buchi *a);
/* One mark, on states. */
struct pv_buchi pv_buchi_by_state(const struct pv_buchi *a);
/* Merges states of an automaton that has marks on states (or none) while it accepts no word that
 * `complement` accepts; so its language stays. */
void pv_buchi_merge(struct pv_buchi *a, const struct pv_buchi *complement);
/* A minimal deterministic weak automaton with the language of `a`, whose complement is given.
 * false: there is none, or it is too large. */
bool pv_buchi_weak(const struct pv_buchi *a, const struct pv_buchi *complement, uint32_t props,
                   struct pv_buchi *out);
/* Looks for an automaton with marks on states that has the same language and fewer states, if this
 * one has marks on states and few of them. *least: every such automaton has as many states. Returns
 * true if the automaton now has so few. */
bool pv_buchi_minimise(struct pv_buchi *a, uint32_t *least);
/* Is there a word that both accept? */
bool pv_buchi_meet(const struct pv_buchi *a, const struct pv_buchi *b);
/* Does the automaton accept the ultimately periodic word (as pv_ltl_holds)? */
bool pv_buchi_accepts(const struct pv_buchi *a, const uint64_t *letter, uint32_t n, uint32_t loop);
/* Strongly connected components, numbered such that transitions lead to equal or smaller numbers.
 * Returns their number; scc[] is by state. accepting (or NULL): the component has an accepting
 * cycle; it has room for as many entries as there are states. */
uint32_t pv_buchi_components(const struct pv_buchi *a, uint32_t *scc, bool *accepting);

/* The automaton to search with: as small as we can make it. by_state: marks on states, at most one
 * of them. PV_E_LIMIT as above. The whole of it is one piece of work of the budget. */
enum pv_status pv_ltl_buchi(struct pv_ltl *l, struct pv_labels *labels, pv_formula f, bool by_state,
                            struct pv_buchi *out);

uint64_t pv_buchi_transitions(const struct pv_buchi *a);
/* Appends the automaton as text, as DOT, in the Hanoi omega-automata format, or as a never claim.
 * The budget of its labels bounds the length: if it is over, the text is not complete. */
enum pv_buchi_format { PV_BUCHI_TEXT, PV_BUCHI_DOT, PV_BUCHI_HOA, PV_BUCHI_SPIN };
void pv_buchi_print(const struct pv_buchi *a, const struct pv_ltl *l, const char *name,
                    enum pv_buchi_format format, struct pv_str *out);

#endif
