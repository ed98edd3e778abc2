/* layout_spots.c -- where an access may begin in its places, by the offsets of the pointer
 * (analysis/offsets.h). */
#include "cpa/layout_internal.h"

#include <stdlib.h>

enum { MOST_SPOTS = 64 }; /* elements of an array where an access may begin */

static int by_offset(const void *x, const void *y) {
  const struct pv_spot *a = x, *b = y;
  if (a->place != b->place) return a->place < b->place ? -1 : 1;
  return a->offset < b->offset ? -1 : a->offset > b->offset;
}

const struct pv_spot *pv_reach_spots(const struct pv_reach *r, uint32_t place, uint32_t *n) {
  uint32_t first = 0;
  while (first < r->spots.n && r->spots.at[first].place < place) first++;
  for (*n = 0; first + *n < r->spots.n && r->spots.at[first + *n].place == place;) ++*n;
  return *n ? &r->spots.at[first] : NULL;
}

/* On the heap only the places count, since one place has many objects. */
void pv_layout_find_spots(struct pv_layout *l, uint32_t function, pv_expr address, pv_type type,
                          struct pv_reach *r) {
  pv_targets targets = {0};
  bool *anywhere = pv_alloc((l->places.n ? l->places.n : 1) * sizeof *anywhere), *met;
  bool known = !r->unknown && pv_offsets_of(l->offsets, function, address, &targets);
  PV_VEC(struct pv_spot) spots = {0};
  met = pv_alloc((l->places.n ? l->places.n : 1) * sizeof *met);
  for (uint32_t i = 0; known && i < targets.n; i++) {
    struct pv_target t = targets.at[i];
    uint32_t place = l->of_object.at[t.object];
    if (place == UINT32_MAX) continue;
    const struct pv_place *p = &l->places.at[place];
    uint64_t offset = (uint64_t)t.offset, bytes = type ? pv_type_bytes(type) : 0;
    bool many = t.stride && (!type || t.stride <= bytes || p->size / t.stride > MOST_SPOTS);
    bool any = pv_layout_on_heap(p) || many;
    anywhere[place] |= any;
    met[place] |= any;
    for (; !any && offset <= p->size && bytes <= p->size - offset; offset += t.stride) {
      struct pv_spot spot = {place, offset};
      met[place] = true;
      pv_vec_push(&spots, spot);
      if (!t.stride) break;
    }
  }
  if (spots.n) qsort(spots.at, spots.n, sizeof *spots.at, by_offset);
  uint32_t n = 0;
  for (uint32_t i = 0; known && i < r->places.n; i++)
    if (met[r->places.at[i]]) r->places.at[n++] = r->places.at[i];
  if (known) r->places.n = n;
  for (uint32_t i = 0; i < spots.n; i++) {
    bool again = i && by_offset(&spots.at[i - 1], &spots.at[i]) == 0;
    if (!again && !anywhere[spots.at[i].place]) pv_vec_push(&r->spots, spots.at[i]);
  }
  pv_vec_free(&spots);
  pv_vec_free(&targets);
  free(anywhere);
  free(met);
}
