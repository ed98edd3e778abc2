/* heap.h -- can an allocation return the address of an object that was freed before? As long as it
 * cannot, the order of allocations does not matter, and allocations are not events. The argument is
 * in docs/dpor.md, section "Allocations". */
#ifndef PV_DPOR_HEAP_H
#define PV_DPOR_HEAP_H

#include "vm/vm.h"

/* An allocation or a free in the current execution. */
struct pv_heap_note {
  uint64_t size, held; /* as in struct pv_heap_event */
  uint32_t thread, span;
  uint32_t after; /* allocations: the number of earlier events of the thread */
  bool mapping, frees;
  bool behind_end; /* frees: a thread's end that is not an event may drop the last pointer */
  bool unseen;     /* frees: matters only because of pointer operations outside of the slice */
};
struct pv_heap_notes {
  PV_VEC(struct pv_heap_note) at;   /* in order of execution */
  PV_VEC(struct pv_heap_note) back; /* allocations that may reuse an address */
  bool behind_end;                  /* ... because of a thread's end that is not an event */
  bool unseen;                      /* pointer operations outside of the slice may matter */
  PV_VEC(uint32_t) kept;            /* stack objects whose address is not reused */
};
void pv_heap_notes_free(struct pv_heap_notes *h);

#endif
