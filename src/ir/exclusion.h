/* exclusion.h -- regions of mutual exclusion: the functions and labels that the option mutex-region
 * names. No two threads may be in regions at once.
 *
 * A thread is in a function if its stack has a frame of the function. It is at a label if it is
 * about to execute the labelled statement. Entering or leaving a region is not visible to other
 * threads, so by itself it is no scheduling point. But the search must reach a state in which both
 * threads are in their regions (docs/directed.md). So pv_exclusion_mark inserts an empty atomic
 * section, whose beginning is a visible operation, before each return of such a function and before
 * each such label. Then a thread that enters a region is parked in it at least once. */
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

/* Finds the regions, which are comma-separated lists of names. PV_E_INPUT: a name is neither a
 * function nor a label of the program; *err says so, and *out needs no clearing. Labels are known
 * only if the option was set when the program was loaded. The caller clears *out. */
enum pv_status pv_exclusion_find(const struct pv_program *p, const struct pv_texts *regions,
                                 struct pv_exclusion *out, struct pv_str *err);
/* The same for one name. With a * at its end it stands for all labels that begin like that, of
 * which there may be none. false: there is no such region. The caller clears *out in any case. */
bool pv_exclusion_find_one(const struct pv_program *p, const char *name, struct pv_exclusion *out);
void pv_exclusion_clear(struct pv_exclusion *x);
/* Inserts the visible operations (see above) into these regions. */
void pv_exclusion_mark_found(struct pv_program *p, const struct pv_exclusion *x);
/* The same for the option. Call it once for each program. */
enum pv_status pv_exclusion_mark(struct pv_program *p, const struct pv_texts *regions,
                                 struct pv_str *err);

#endif
