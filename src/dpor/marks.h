/* marks.h -- a fast, conservative test of independence.
 *
 * The marks of an operation are small sets that over-approximate what it accesses. Operations whose
 * marks have no common member commute. Objects and locations are hashed into 64 bits; a collision
 * only costs an exact test. */
#ifndef PV_DPOR_MARKS_H
#define PV_DPOR_MARKS_H

#include "vm/vm.h"

struct pv_marks {
  uint64_t objects; /* objects in memory, and threads */
  uint64_t places;  /* words of memory; all bits set if it is not a plain access */
  bool reads;       /* it only reads */
};

/* The marks of an operation at which a thread is parked. */
struct pv_marks pv_marks_of(struct pv_vm *vm, const struct pv_sched *sched,
                            const struct pv_pending *p);

/* false: the two operations commute, and neither enables the other. */
static inline bool pv_marks_meet(struct pv_marks a, struct pv_marks b) {
  return (a.objects & b.objects) && (a.places & b.places) && !(a.reads && b.reads);
}
static inline struct pv_marks pv_marks_both(struct pv_marks a, struct pv_marks b) {
  return (struct pv_marks){a.objects | b.objects, a.places | b.places, a.reads && b.reads};
}

#endif
