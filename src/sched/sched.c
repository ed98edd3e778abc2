#include "sched/sched.h"

#include <string.h>

const struct pv_sched *const pv_scheds[] = {&pv_sched_pthread, &pv_sched_fairthreads,
                                            &pv_sched_systemc, &pv_sched_osek, NULL};

const struct pv_prim *pv_sched_find(const struct pv_sched *sched, const char *name) {
  for (unsigned i = 0; i < sched->n_prims; i++) {
    if (strcmp(sched->prims[i].name, name) == 0) return &sched->prims[i];
  }
  return NULL;
}
