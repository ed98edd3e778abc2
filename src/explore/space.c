#include "explore/space.h"

#include <stdlib.h>

void pv_space_init(struct pv_space *s, struct pv_vm *vm) {
  *s = (struct pv_space){.vm = vm, .store = pv_store_new()};
}

void pv_space_free(struct pv_space *s) {
  pv_store_free(s->store);
  for (int h = 0; h < 2; h++) {
    pv_tree_free(&s->tuple.half[h]);
    pv_vec_free(&s->comp[h]);
  }
  pv_vec_free(&s->place);
}

/* The two halves of a state should vary about alike: threads and what belongs to them go by the
 * parity of their number, globals alternate. The scheduler's state, which is always there, comes
 * first in one half and the machine's in the other. */
static void place_components(struct pv_space *s) {
  for (uint32_t i = s->place.n; i < pv_vm_components(s->vm); i++) {
    unsigned half = pv_vm_component_thread(s->vm, i) & 1;
    if (pv_vm_component_thread(s->vm, i) == UINT32_MAX) half = i & 1;
    pv_vec_push(&s->place, s->comp[half].n << 1 | half);
    pv_vec_push(&s->comp[half], i);
  }
}

uint32_t pv_space_leaf(const struct pv_space *s, uint32_t component) {
  uint32_t place = s->place.at[component];
  return pv_tree_get(&s->tuple.half[place & 1], place >> 1);
}

uint32_t pv_space_save(struct pv_space *s, bool *is_new) {
  const uint32_t *dirty;
  uint32_t n = pv_vm_dirty(s->vm, &dirty);
  if (s->place.n < pv_vm_components(s->vm)) place_components(s);
  for (uint32_t i = 0; i < n; i++) {
    const struct pv_comp *c = pv_vm_component(s->vm, dirty[i]);
    uint32_t place = s->place.at[dirty[i]];
    pv_tree_set(&s->tuple.half[place & 1], place >> 1,
                c->n ? pv_store_leaf(s->store, c->data, c->n) : 0);
  }
  pv_vm_clean(s->vm);
  return s->at = pv_store_put(s->store, &s->tuple, is_new);
}

static void put_back(struct pv_space *s, uint32_t component, uint32_t leaf) {
  uint32_t n = 0;
  const uint8_t *bytes = leaf ? pv_store_leaf_bytes(s->store, leaf, &n) : NULL;
  pv_vm_set_component(s->vm, component, bytes, n);
}

static void leaf_changed(void *user, unsigned half, uint32_t position, uint32_t leaf) {
  struct pv_space *s = user;
  if (position < s->comp[half].n) put_back(s, s->comp[half].at[position], leaf);
}

struct pv_mark pv_space_mark(const struct pv_space *s) {
  return (struct pv_mark){{pv_tree_mark(&s->tuple.half[0]), pv_tree_mark(&s->tuple.half[1])}};
}

static bool can_undo(const struct pv_space *s, const struct pv_mark *mark) {
  return mark && pv_tree_can_undo(&s->tuple.half[0], &mark->half[0]) &&
         pv_tree_can_undo(&s->tuple.half[1], &mark->half[1]);
}

void pv_space_back(struct pv_space *s, uint32_t state, const struct pv_mark *mark) {
  const uint32_t *dirty;
  uint32_t n = pv_vm_dirty(s->vm, &dirty);
  if (s->at == state && !n) return;
  for (uint32_t i = 0; i < n; i++)
    put_back(s, dirty[i], dirty[i] < s->place.n ? pv_space_leaf(s, dirty[i]) : 0);
  pv_vm_clean(s->vm);
  if (s->at != state && can_undo(s, mark)) {
    for (unsigned h = 0; h < 2; h++) pv_tuple_undo(&s->tuple, h, &mark->half[h], leaf_changed, s);
  } else if (s->at != state) {
    pv_store_get(s->store, state, &s->tuple, leaf_changed, s);
  }
  s->at = state;
  pv_vm_loaded(s->vm);
}
