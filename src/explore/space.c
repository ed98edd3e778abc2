#include "explore/space.h"

void pv_space_init(struct pv_space *s, struct pv_vm *vm) {
  *s = (struct pv_space){.vm = vm, .store = pv_store_new()};
}

void pv_space_free(struct pv_space *s) {
  pv_store_free(s->store);
  pv_tree_free(&s->tree);
}

uint32_t pv_space_save(struct pv_space *s, bool *is_new) {
  const uint32_t *dirty;
  uint32_t n = pv_vm_dirty(s->vm, &dirty);
  for (uint32_t i = 0; i < n; i++) {
    const struct pv_comp *c = pv_vm_component(s->vm, dirty[i]);
    pv_tree_set(&s->tree, dirty[i], c->n ? pv_store_leaf(s->store, c->data, c->n) : 0);
  }
  pv_vm_clean(s->vm);
  return s->at = pv_store_put(s->store, &s->tree, is_new);
}

static void put_back(void *user, uint32_t position, uint32_t leaf) {
  struct pv_space *s = user;
  if (position >= pv_vm_components(s->vm)) return;
  uint32_t n = 0;
  const uint8_t *bytes = leaf ? pv_store_leaf_bytes(s->store, leaf, &n) : NULL;
  pv_vm_set_component(s->vm, position, bytes, n);
}

struct pv_mark pv_space_mark(const struct pv_space *s) {
  return (struct pv_mark){pv_tree_mark(&s->tree)};
}

void pv_space_back(struct pv_space *s, uint32_t state, const struct pv_mark *mark) {
  const uint32_t *dirty;
  uint32_t n = pv_vm_dirty(s->vm, &dirty);
  if (s->at == state && !n) return;
  for (uint32_t i = 0; i < n; i++) put_back(s, dirty[i], pv_tree_get(&s->tree, dirty[i]));
  pv_vm_clean(s->vm);
  if (s->at != state && !(mark && pv_tree_undo(&s->tree, &mark->tree, put_back, s)))
    pv_store_get(s->store, state, &s->tree, put_back, s);
  s->at = state;
  pv_vm_loaded(s->vm);
}
