/* exclusion.h -- regions of mutual exclusion: functions and labels that option mutex-region names,
 * in which no two threads should be at once.
 *
 * In a function is who has a frame of it on the stack. At a label is who stands before the labelled
 * statement. Nobody else can tell that a thread enters or leaves a region, so that it is no
 * scheduling point by itself; but a state that shows both threads in their regions has to exist
 * (docs/directed.md). Hence pv_exclusion_mark puts an empty atomic section, whose beginning is a
 * visible operation, before each return of such a function and before each such label: a thread
 * that is in a region at any time is parked in it next. */
#ifndef PV_EXCLUSION_H
#define PV_EXCLUSION_H

#include "base/options.h"
#include "ir/ir.h"

struct pv_exclusion {
  uint8_t *functions; /* by function: all of it is a region */
  PV_VEC(struct pv_label_place {
    uint32_t function;
    pv_loc loc;
    const char *name; /* borrowed from the program */
  })
  labels; /* by function and location, once the program is marked */
};

/* The regions are comma lists of names. PV_E_INPUT, with a message and nothing to free: a name is
 * neither a function nor a label of the program (labels have marks where the option was set when
 * the program was loaded). To be cleared. */
enum pv_status pv_exclusion_find(const struct pv_program *p, const struct pv_texts *regions,
                                 struct pv_exclusion *out, struct pv_str *err);
void pv_exclusion_clear(struct pv_exclusion *x);
/* Makes threads park in the regions; to be called once. */
enum pv_status pv_exclusion_mark(struct pv_program *p, const struct pv_texts *regions,
                                 struct pv_str *err);

#endif
