/* best.c -- the smallest automaton of several that we can make for a formula. */
#include "ltl/automaton.h"

enum { MOST_STATES = 20000 };

static uint64_t cost(const struct pv_automaton *a) {
  return (uint64_t)a->state.n << 32 | pv_automaton_transitions(a);
}

/* Takes the candidate if it is smaller. */
static void offer(struct pv_automaton *best, bool *any, struct pv_automaton *candidate) {
  if (*any && cost(candidate) >= cost(best)) {
    pv_automaton_clear(candidate);
    return;
  }
  if (*any) pv_automaton_clear(best);
  *any = true;
  *best = *candidate;
}

/* The reduced generalised automaton, by the better variant. */
static enum pv_status general(struct pv_ltl *l, struct pv_labels *labels, pv_formula f,
                              struct pv_automaton *out) {
  bool any = false;
  for (unsigned variant = 0; variant < 2; variant++) {
    struct pv_automaton a;
    enum pv_status status = pv_ltl_translate(l, labels, f, variant, MOST_STATES, &a);
    if (status != PV_OK && !any) return status;
    if (status != PV_OK) break;
    pv_automaton_reduce(&a);
    offer(out, &any, &a);
  }
  return PV_OK;
}

enum pv_status pv_ltl_buchi(struct pv_ltl *l, struct pv_labels *labels, pv_formula f, bool by_state,
                            struct pv_automaton *out) {
  struct pv_automaton a, complement, weak;
  bool any = false;
  if (l->budget.over) return PV_E_LIMIT; /* `f` has no meaning */
  pv_ltl_begin(&l->budget);
  PV_TRY(general(l, labels, f, &a));
  bool has_complement = general(l, labels, pv_ltl_not(l, f), &complement) == PV_OK;
  struct pv_automaton b = pv_automaton_buchi(&a);
  pv_automaton_reduce(&b);
  if (has_complement) {
    pv_automaton_merge(&b, &complement);
    if (!by_state) pv_automaton_merge(&a, &complement);
    if (pv_automaton_weak(&a, &complement, l->names.n, &weak)) {
      pv_automaton_merge(&weak, &complement);
      offer(out, &any, &weak);
    }
    pv_automaton_clear(&complement);
  }
  offer(out, &any, &b);
  if (by_state)
    pv_automaton_clear(&a);
  else
    offer(out, &any, &a);
  uint32_t least;
  if (out->by_state) pv_automaton_minimise(out, &least);
  if (!l->budget.over) return PV_OK;
  pv_automaton_clear(out);
  return PV_E_LIMIT;
}
