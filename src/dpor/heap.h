/* heap.h -- may the address of a freed object come back to an allocation? While it may not, where
 * allocations are in the order does not matter, and they are no events: docs/dpor.md,
 * "Allocations". */
#ifndef PV_DPOR_HEAP_H
#define PV_DPOR_HEAP_H

#include "vm/vm.h"

/* An allocation, or a free, in the execution at hand. */
struct pv_heap_note {
  uint64_t size, held; /* as in struct pv_heap_event */
  uint32_t thread, span;
  uint32_t after; /* allocations: so many events of the thread came before */
  bool mapping, frees;
  bool behind_end; /* frees: ends of threads that are no events may drop the last pointer to it */
  bool unseen; /* frees: it matters only if what is done with pointers outside of the slice does */
};
struct pv_heap_notes {
  PV_VEC(struct pv_heap_note) at;   /* in the order in which they were done */
  PV_VEC(struct pv_heap_note) back; /* allocations to which an address may come back */
  bool behind_end;                  /* ... because of one whose end is no event */
  bool unseen;                      /* what is done with pointers outside of the slice may matter */
  PV_VEC(uint32_t) kept;            /* objects on the stack whose address is not to come back */
};
void pv_heap_notes_free(struct pv_heap_notes *h);

#endif
