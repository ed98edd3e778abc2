#include "dpor/heap.h"

#include <stdlib.h>

static bool fit(const struct pv_heap_note *a, const struct pv_heap_note *b) {
  return a->size == b->size && a->mapping == b->mapping && a->frees != b->frees;
}

/* `free` was done later. Does the allocation come before it in every order? If what its thread did
 * next does: nobody sees an allocation, and all that is known is between which events it lies. */
static bool comes_before(const struct pv_heap_note *allocation, const struct pv_heap_note *free,
                         const uint32_t *past) {
  if (allocation->thread == free->thread) return true;
  return past && past[allocation->thread] > allocation->after;
}

static void compare(struct pv_heap_notes *h, const struct pv_heap_note *now, const uint32_t *past) {
  for (uint32_t i = 0; i < h->at.n; i++) {
    const struct pv_heap_note *x = &h->at.at[i];
    if (!fit(x, now)) continue;
    if (!now->frees)
      pv_vec_push(&h->back, *now);
    else if (!comes_before(x, now, past))
      pv_vec_push(&h->back, *x);
  }
}

void pv_heap_note(struct pv_heap_notes *h, const struct pv_heap_note *what, bool comes_back,
                  const uint32_t *past) {
  if (comes_back) pv_vec_push(&h->back, *what);
  compare(h, what, past);
  pv_vec_push(&h->at, *what);
}

void pv_heap_notes_free(struct pv_heap_notes *h) {
  pv_vec_free(&h->at);
  pv_vec_free(&h->back);
}
