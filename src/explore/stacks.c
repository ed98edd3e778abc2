#include "explore/stacks.h"

#include <stdlib.h>

struct pv_stacks {
  struct pv_space *space;
  uint32_t *first; /* by function: its first node; an extra entry at the end */
  uint32_t functions;
  PV_VEC(uint32_t)
  at[2]; /* by leaf without tag: 1 + node of the frame as a calling frame, and as the top frame */
};

struct pv_stacks *pv_stacks_new(const struct pv_program *p, struct pv_space *space) {
  struct pv_stacks *s = pv_alloc(sizeof *s);
  s->space = space;
  s->functions = p->functions.n;
  s->first = pv_alloc(((size_t)s->functions + 1) * sizeof *s->first);
  for (uint32_t f = 0; f < s->functions; f++) {
    const struct pv_function *fn = &p->functions.at[f];
    s->first[f + 1] = s->first[f] + (fn->defined ? fn->locs.n : 0);
  }
  return s;
}

void pv_stacks_free(struct pv_stacks *s) {
  if (!s) return;
  pv_vec_free(&s->at[0]);
  pv_vec_free(&s->at[1]);
  free(s->first);
  free(s);
}

static uint32_t look(struct pv_stacks *s, uint32_t leaf, bool top) {
  uint32_t n, function;
  pv_loc loc;
  const uint8_t *content = pv_store_leaf_bytes(s->space->store, leaf, &n);
  pv_vm_frame_in(s->space->vm, content, top, &function, &loc);
  while (s->at[top].n <= (leaf & ~PV_LEAF_TAG)) pv_vec_push(&s->at[top], 0);
  return s->at[top].at[leaf & ~PV_LEAF_TAG] = 1 + s->first[function] + loc;
}

uint32_t pv_stacks_node(struct pv_stacks *s, unsigned thread, uint32_t frame) {
  const struct pv_space *space = s->space;
  bool top = frame + 1 == space->depth[thread];
  uint32_t leaf = top ? space->top_leaf[thread]
                      : pv_space_leaf(space, pv_vm_frame_component(space->vm, thread, frame));
  uint32_t i = leaf & ~PV_LEAF_TAG, known = i < s->at[top].n ? s->at[top].at[i] : 0;
  return (known ? known : look(s, leaf, top)) - 1;
}

struct pv_place_of pv_stacks_place(const struct pv_stacks *s, uint32_t node) {
  uint32_t low = 0, high = s->functions; /* first[low] <= node < first[high] */
  while (high - low > 1) {
    uint32_t middle = low + (high - low) / 2;
    if (s->first[middle] <= node)
      low = middle;
    else
      high = middle;
  }
  return (struct pv_place_of){low, node - s->first[low]};
}

uint32_t pv_stacks_nodes(const struct pv_stacks *s) {
  return s->first[s->functions];
}
