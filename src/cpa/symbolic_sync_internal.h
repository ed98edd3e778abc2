/* symbolic_sync_internal.h -- shared by symbolic_sync.c (calls of the scheduler as formulas) and
 * symbolic_executed.c (calls that the plug-in has executed). */
#ifndef PV_SYMBOLIC_SYNC_INTERNAL_H
#define PV_SYMBOLIC_SYNC_INTERNAL_H

#include "cpa/symbolic_internal.h"

/* An object that an operand may refer to. */
struct pv_sync_object {
  uint32_t sync, instance, cell; /* sync: of sync.h; cell: that of its state */
  pv_term here;                  /* the condition that it is this one */
};
typedef PV_VEC(struct pv_sync_object) pv_sync_candidates;

/* A number as the states of objects are. */
pv_term pv_sync_number(struct pv_symbolic *s, uint64_t value);
/* Under the condition the path is not followed; the sentence completes "provided that". */
void pv_sync_cut(struct pv_symbolic *s, pv_term when, const char *what);
/* As in the VM, misuse is an error of def-behavior. */
void pv_sync_misuse(struct pv_symbolic *s, pv_term when, const char *what);
/* The thread that moves. */
uint32_t pv_sync_self(const struct pv_symbolic *s);
/* The objects that the operand may denote; others are cut. The caller frees the list. */
void pv_sync_find_objects(struct pv_symbolic *s, const struct pv_edge *e, unsigned operand,
                          pv_sync_candidates *out);
/* Sets the state of the one that it is. */
void pv_sync_put(struct pv_symbolic *s, const pv_sync_candidates *o, pv_term value);
/* The condition that an argument has this value. */
pv_term pv_sync_argument_is(struct pv_symbolic *s, const struct pv_edge *e, uint32_t i,
                            uint64_t value);
/* A variable of a new frame gets the value of an argument. */
void pv_sync_set_parameter(struct pv_symbolic *s, const struct pv_edge *e, uint32_t i,
                           uint32_t frame, uint32_t var);

#endif
