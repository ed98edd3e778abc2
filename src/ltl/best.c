/* best.c -- the smallest automaton of several that we can make for a formula. */
#include "ltl/automaton.h"

enum { MOST_STATES = 20000 };

static uint64_t cost(const struct pv_buchi *a) {
  return (uint64_t)a->state.n << 32 | pv_buchi_transitions(a);
}

/* Takes the candidate if it is smaller. */
static void offer(struct pv_buchi *best, bool *any, struct pv_buchi *candidate) {
  if (*any && cost(candidate) >= cost(best)) {
    pv_buchi_clear(candidate);
    return;
  }
  if (*any) pv_buchi_clear(best);
  *any = true;
  *best = *candidate;
}

/* The reduced generalised automaton, by the better variant. */
static enum pv_status general(struct pv_ltl *l, struct pv_labels *labels, pv_formula f,
                              struct pv_buchi *out) {
  bool any = false;
  for (unsigned variant = 0; variant < 2; variant++) {
    struct pv_buchi a;
    enum pv_status status = pv_ltl_translate(l, labels, f, variant, MOST_STATES, &a);
    if (status != PV_OK && !any) return status;
    if (status != PV_OK) break;
    pv_buchi_reduce(&a);
    offer(out, &any, &a);
  }
  return PV_OK;
}

enum pv_status pv_ltl_buchi(struct pv_ltl *l, struct pv_labels *labels, pv_formula f, bool by_state,
                            struct pv_buchi *out) {
  struct pv_buchi a, complement, weak;
  bool any = false;
  if (l->budget.over) return PV_E_LIMIT; /* `f` has no meaning */
  pv_ltl_begin(&l->budget);
  PV_TRY(general(l, labels, f, &a));
  bool has_complement = general(l, labels, pv_ltl_not(l, f), &complement) == PV_OK;
  struct pv_buchi b = pv_buchi_by_state(&a);
  pv_buchi_reduce(&b);
  if (has_complement) {
    pv_buchi_merge(&b, &complement);
    if (!by_state) pv_buchi_merge(&a, &complement);
    if (pv_buchi_weak(&a, &complement, l->names.n, &weak)) {
      pv_buchi_merge(&weak, &complement);
      offer(out, &any, &weak);
    }
    pv_buchi_clear(&complement);
  }
  offer(out, &any, &b);
  if (by_state)
    pv_buchi_clear(&a);
  else
    offer(out, &any, &a);
  uint32_t least;
  if (out->by_state) pv_buchi_minimise(out, &least);
  if (!l->budget.over) return PV_OK;
  pv_buchi_clear(out);
  return PV_E_LIMIT;
}
