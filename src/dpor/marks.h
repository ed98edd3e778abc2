/* marks.h -- what an operation may have to do with, as sets that have no common member if the
 * operation and another one commute: a quick first look, for there are many pairs to look at.
 *
 * The sets are of small numbers that objects and places are mapped to; what the mapping joins is
 * only looked at for nothing. */
#ifndef PV_DPOR_MARKS_H
#define PV_DPOR_MARKS_H

#include "vm/vm.h"

struct pv_marks {
  uint64_t objects; /* of the program's memory, and the threads */
  uint64_t places;  /* words of memory; all of them for what is no plain access */
  bool reads;       /* ... and nothing else */
};

/* Of what a thread is parked at. */
struct pv_marks pv_marks_of(struct pv_vm *vm, const struct pv_sched *sched,
                            const struct pv_pending *p);

/* false: they commute, whichever comes first, and neither gives the other a way. */
static inline bool pv_marks_meet(struct pv_marks a, struct pv_marks b) {
  return (a.objects & b.objects) && (a.places & b.places) && !(a.reads && b.reads);
}
static inline struct pv_marks pv_marks_both(struct pv_marks a, struct pv_marks b) {
  return (struct pv_marks){a.objects | b.objects, a.places | b.places, a.reads && b.reads};
}

#endif
