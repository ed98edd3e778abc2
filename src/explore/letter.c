#include "explore/letter.h"

#include <stdlib.h>

void pv_letters_init(struct pv_letters *x, const struct pv_program *p,
                     const struct pv_ltl_spec *spec) {
  *x = (struct pv_letters){.spec = spec};
  for (uint32_t i = 0; i < spec->proposition.n; i++) {
    struct pv_exclusion place = {0};
    const struct pv_proposition *q = &spec->proposition.at[i];
    if (q->kind == PV_IS_PLACE) pv_exclusion_find_one(p, q->text, &place);
    pv_vec_push(&x->place, place);
    x->expressions |= q->kind == PV_IS_EXPRESSION;
  }
}

void pv_letters_clear(struct pv_letters *x) {
  for (uint32_t i = 0; i < x->place.n; i++) pv_exclusion_clear(&x->place.at[i]);
  pv_vec_free(&x->place);
}

static bool is_at(const struct pv_letters *x, uint32_t i, struct pv_vm *vm) {
  uint32_t only = x->spec->proposition.at[i].thread;
  PV_FOR_THREADS(t, pv_vm_alive_set(vm))
  if ((only == PV_ANY_THREAD || only == t) && pv_vm_within(vm, t, &x->place.at[i])) return true;
  return false;
}

uint64_t pv_letter(const struct pv_letters *x, struct pv_vm *vm, bool rests, uint32_t *wrong) {
  uint64_t letter = 0;
  uint32_t expressions = 0;
  bool ended = !pv_vm_alive(vm);
  for (uint32_t i = 0; i < x->spec->proposition.n; i++) {
    bool holds = false;
    switch (x->spec->proposition.at[i].kind) {
    case PV_IS_EXPRESSION:
      if (!pv_vm_proposition(vm, expressions++, &holds)) *wrong = i;
      break;
    case PV_IS_END: holds = ended; break;
    case PV_IS_STUCK: holds = ended || rests; break;
    case PV_IS_INSIDE: holds = pv_vm_inside(vm); break;
    case PV_IS_PLACE: holds = is_at(x, i, vm); break;
    }
    letter |= (uint64_t)holds << i;
  }
  return letter;
}

uint64_t pv_letter_of_end(const struct pv_letters *x, uint64_t letter) {
  for (uint32_t i = 0; i < x->spec->proposition.n; i++) {
    enum pv_proposition_kind kind = x->spec->proposition.at[i].kind;
    if (kind == PV_IS_END || kind == PV_IS_STUCK) letter |= UINT64_C(1) << i;
    if (kind == PV_IS_PLACE || kind == PV_IS_INSIDE) letter &= ~(UINT64_C(1) << i);
  }
  return letter;
}
