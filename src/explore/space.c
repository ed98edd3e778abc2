#include "explore/space.h"

#include <stdlib.h>

#define NO_PLACE UINT32_MAX
enum { HEAD = 0 /* the component that changes most: the scheduler's state */ };

void pv_space_init(struct pv_space *s, struct pv_vm *vm) {
  *s = (struct pv_space){.vm = vm, .store = pv_store_new()};
}

void pv_space_free(struct pv_space *s) {
  pv_store_free(s->store);
  for (int h = 0; h < 2; h++) {
    pv_tree_free(&s->tuple.half[h]);
    pv_vec_free(&s->comp[h]);
  }
  pv_vec_free(&s->base);
  pv_vec_free(&s->place);
  pv_visited_free(s->visited);
  pv_trail_free(&s->trail);
}

void pv_space_may_lose(struct pv_space *s, struct pv_visited *visited) {
  PV_REQUIRE(!s->base.n && !s->visited, "nothing was saved yet");
  s->visited = visited;
}

/* The two halves of a state should vary about alike: threads and what belongs to them go by the
 * parity of their number, other memory alternates. */
static void give_place(struct pv_space *s, uint32_t component) {
  uint32_t thread = pv_vm_component_thread(s->vm, component);
  unsigned half = (thread == UINT32_MAX ? component : thread) & 1;
  s->place.at[component] = s->comp[half].n << 1 | half;
  pv_vec_push(&s->comp[half], component);
}

/* What stands at the component's place for this leaf (0: absent). The first place of a half always
 * has something. */
static uint32_t to_tuple(const struct pv_space *s, uint32_t component, uint32_t leaf) {
  bool first = s->place.at[component] < 2;
  if (leaf == s->base.at[component] && !first) return 0;
  return leaf ? leaf : PV_LEAF_ABSENT;
}

static uint32_t from_tuple(const struct pv_space *s, uint32_t component, uint32_t leaf) {
  return !leaf ? s->base.at[component] : leaf == PV_LEAF_ABSENT ? 0 : leaf;
}

uint32_t pv_space_leaf(const struct pv_space *s, uint32_t component) {
  if (component == HEAD) return s->tuple.head;
  if (s->visited) return pv_trail_get(&s->trail, component);
  uint32_t place = s->place.at[component];
  if (place == NO_PLACE) return s->base.at[component];
  return from_tuple(s, component, pv_tree_get(&s->tuple.half[place & 1], place >> 1));
}

static void set_leaf(struct pv_space *s, uint32_t component, uint32_t leaf) {
  if (component == HEAD) s->tuple.head = leaf;
  if (s->visited) pv_trail_set(&s->trail, component, leaf);
  if (component == HEAD || s->visited) return;
  if (s->place.at[component] == NO_PLACE) {
    if (leaf == s->base.at[component]) return;
    give_place(s, component);
  }
  uint32_t place = s->place.at[component];
  pv_tree_set(&s->tuple.half[place & 1], place >> 1, to_tuple(s, component, leaf));
}

static uint32_t leaf_of(struct pv_space *s, uint32_t component) {
  const struct pv_comp *c = pv_vm_component(s->vm, component);
  if (!c->n) return 0;
  uint32_t leaf = pv_store_leaf(s->store, c->data, c->n);
  if (leaf > s->last_leaf) { /* leaves are numbered in order of discovery */
    s->last_leaf = leaf;
    s->component_bytes[c->kind] += c->n;
  }
  return leaf;
}

/* Components that came up since the last save were absent in all states before; those of the first
 * save are what the others are compared with. */
static void know_components(struct pv_space *s) {
  bool initial = s->base.n == 0;
  for (uint32_t i = s->base.n; i < pv_vm_components(s->vm); i++) {
    pv_vec_push(&s->base, initial ? leaf_of(s, i) : 0);
    pv_vec_push(&s->place, NO_PLACE);
    if (s->visited) pv_trail_begin(&s->trail, i, s->base.at[i]);
  }
}

uint32_t pv_space_save(struct pv_space *s, bool *is_new) {
  const uint32_t *dirty;
  uint32_t n = pv_vm_dirty(s->vm, &dirty);
  if (s->base.n < pv_vm_components(s->vm)) know_components(s);
  for (uint32_t i = 0; i < n; i++) set_leaf(s, dirty[i], leaf_of(s, dirty[i]));
  pv_vm_clean(s->vm);
  if (!s->visited) return s->at = pv_store_put(s->store, &s->tuple, is_new);
  *is_new = pv_visited_add(s->visited, &s->trail.fingerprint);
  return 0;
}

static void put_back(struct pv_space *s, uint32_t component, uint32_t leaf) {
  uint32_t n = 0;
  const uint8_t *bytes = leaf ? pv_store_leaf_bytes(s->store, leaf, &n) : NULL;
  pv_vm_set_component(s->vm, component, bytes, n);
}

static void leaf_changed(void *user, unsigned half, uint32_t position, uint32_t leaf) {
  struct pv_space *s = user;
  if (half == 2) {
    put_back(s, HEAD, leaf);
  } else if (position < s->comp[half].n) {
    uint32_t component = s->comp[half].at[position];
    put_back(s, component, from_tuple(s, component, leaf));
  }
}

static void component_changed(void *user, uint32_t component, uint32_t leaf) {
  struct pv_space *s = user;
  if (component == HEAD) s->tuple.head = leaf;
  put_back(s, component, leaf);
}

struct pv_mark pv_space_mark(const struct pv_space *s) {
  return (struct pv_mark){s->tuple.head,
                          {pv_tree_mark(&s->tuple.half[0]), pv_tree_mark(&s->tuple.half[1])},
                          pv_trail_mark(&s->trail)};
}

static bool can_undo(const struct pv_space *s, const struct pv_mark *mark) {
  return mark && pv_tree_can_undo(&s->tuple.half[0], &mark->half[0]) &&
         pv_tree_can_undo(&s->tuple.half[1], &mark->half[1]);
}

static void undo(struct pv_space *s, const struct pv_mark *mark) {
  if (s->tuple.head != mark->head) put_back(s, HEAD, mark->head);
  s->tuple.head = mark->head;
  for (unsigned h = 0; h < 2; h++) pv_tuple_undo(&s->tuple, h, &mark->half[h], leaf_changed, s);
}

/* Is the state gone back to the one at hand? On the path at hand there is one state a mark: without
 * a change since, nothing was overwritten. */
static bool is_at(const struct pv_space *s, uint32_t state, const struct pv_mark *mark) {
  return s->visited ? pv_trail_mark(&s->trail) == mark->trail : s->at == state;
}

void pv_space_back(struct pv_space *s, uint32_t state, const struct pv_mark *mark) {
  const uint32_t *dirty;
  uint32_t n = pv_vm_dirty(s->vm, &dirty);
  bool same = is_at(s, state, mark);
  if (same && !n) return;
  for (uint32_t i = 0; i < n; i++) /* a component that came up since is absent */
    put_back(s, dirty[i], dirty[i] < s->base.n ? pv_space_leaf(s, dirty[i]) : 0);
  pv_vm_clean(s->vm);
  if (!same && s->visited)
    pv_trail_undo(&s->trail, mark->trail, component_changed, s);
  else if (!same && can_undo(s, mark))
    undo(s, mark);
  else if (!same)
    pv_store_get(s->store, state, &s->tuple, leaf_changed, s);
  s->at = state;
  pv_vm_loaded(s->vm);
}

uint64_t pv_space_states(const struct pv_space *s) {
  return s->visited ? pv_visited_states(s->visited) : pv_store_states(s->store);
}

uint64_t pv_space_bytes(const struct pv_space *s) {
  return pv_store_bytes(s->store) + (s->visited ? pv_visited_bytes(s->visited) : 0);
}

uint64_t pv_space_growth(const struct pv_space *s) {
  return pv_store_growth(s->store) + (s->visited ? pv_visited_growth(s->visited) : 0);
}

uint64_t pv_space_path_bytes(const struct pv_space *s) {
  const struct pv_tree *half = s->tuple.half;
  uint64_t entries = (uint64_t)half[0].journal.cap + half[1].journal.cap;
  return entries * sizeof(struct pv_tree_change) + pv_pack_bytes(&s->trail.overwritten);
}
