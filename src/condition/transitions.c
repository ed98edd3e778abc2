#include "condition/transitions.h"

#include <stdlib.h>

static void find_reaching(struct pv_transitions *x, uint32_t sink) {
  const struct pv_open_part *part = x->part;
  for (uint32_t i = 0; i < part->states; i++)
    pv_vec_push(&x->reaches[sink],
                i == sink || (i >= PV_AUTOMATON_FIRST && part->otherwise == sink));
  for (bool more = true; more;) {
    more = false;
    for (uint32_t i = part->moves.n; i-- > 0;) {
      const struct pv_automaton_move *m = &part->moves.at[i];
      if (m->from < PV_AUTOMATON_FIRST || x->reaches[sink].at[m->from] ||
          !x->reaches[sink].at[m->to])
        continue;
      x->reaches[sink].at[m->from] = 1;
      more = true;
    }
  }
}

void pv_transitions_read(struct pv_transitions *x, const struct pv_open_part *part) {
  x->part = part;
  for (uint32_t i = 0, k = 0; i <= part->states; i++) {
    while (k < part->moves.n && part->moves.at[k].from < i) k++;
    pv_vec_push(&x->first, k);
  }
  for (uint32_t i = 0; i < part->moves.n; i++) {
    const struct pv_automaton_move *m = &part->moves.at[i];
    const uint32_t key[4] = {m->from, m->thread, m->function, m->edge};
    pv_map_put(&x->moves, key, sizeof key, m->to, NULL);
  }
  find_reaching(x, PV_AUTOMATON_VERIFIED);
  find_reaching(x, PV_AUTOMATON_OPEN);
}

void pv_transitions_free(struct pv_transitions *x) {
  pv_map_free(&x->moves);
  pv_vec_free(&x->first);
  pv_vec_free(&x->reaches[0]);
  pv_vec_free(&x->reaches[1]);
}

const uint32_t *pv_transitions_find(const struct pv_transitions *x, uint32_t state,
                                    const struct pv_automaton_move *letter) {
  const uint32_t key[4] = {state, letter->thread, letter->function, letter->edge};
  return pv_map_get(&x->moves, key, sizeof key);
}

uint32_t pv_transitions_next(const struct pv_transitions *x, uint32_t state,
                             const struct pv_automaton_move *letter) {
  const uint32_t *to = pv_transitions_find(x, state, letter);
  return to ? *to : x->part->otherwise;
}
