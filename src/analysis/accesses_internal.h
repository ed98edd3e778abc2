/* accesses_internal.h -- shared by the files behind accesses.h.
 *
 * accesses_collect.c  what edges access, as sets of objects
 * accesses_groups.c   from sets of objects to groups, and to lists of them by edge
 * accesses.c          what functions access with all that they call; questions
 *
 * Objects here ("things") are those of the points-to analysis that the machine tells apart, by
 * numbers from 0: first their bytes, then, as many again, what the scheduler keeps of them, then
 * the three of enum pv_acc_thing. Sets are sorted lists, equal ones have one number. */
#ifndef PV_ACCESSES_INTERNAL_H
#define PV_ACCESSES_INTERNAL_H

#include "analysis/accesses.h"

#include <stdlib.h>
#include <string.h>

enum pv_acc_thing { PV_ACC_THREADS, PV_ACC_SECTIONS, PV_ACC_FREED, PV_ACC_THINGS };
enum pv_acc_flavour { PV_ACC_BYTES, PV_ACC_SYNC, PV_ACC_BOTH, PV_ACC_FLAVOURS };
enum { PV_ACC_READ = 1, PV_ACC_WRITE = 2 };
#define PV_NO_GROUP UINT32_MAX

struct pv_acc_record { /* an access */
  uint32_t instance, function, edge;
  uint8_t use, flavour;
  uint32_t set;
};
struct pv_acc_list { /* slice of a pool */
  uint32_t first, n;
};
struct pv_acc_edge {
  uint32_t read, written; /* numbers of lists of groups */
  uint32_t slot;          /* see pv_accesses_slot; + 1 */
  bool all;
};

struct pv_accesses {
  const struct pv_program *p;
  const struct pv_points_to *pt;
  const struct pv_call_graph *calls;
  PV_VEC(uint32_t) things; /* by object: its thing */
  PV_VEC(uint32_t) object; /* by thing of bytes: one of its objects */
  uint32_t n_objects;      /* things of bytes */
  uint8_t *is_sync;        /* by thing of bytes: a primitive is handed its address */

  /* while collecting */
  PV_VEC(struct pv_acc_record) records;
  PV_VEC(uint32_t) pool; /* of sets of things */
  PV_VEC(struct pv_acc_list) sets;
  struct pv_map set_keys, dense_keys, asked;
  uint64_t *dense;

  /* groups */
  uint32_t *group; /* by thing; PV_NO_GROUP */
  uint32_t n_groups;
  PV_VEC(uint32_t) members; /* things by group, members_first[g] .. */
  uint32_t *members_first;
  uint64_t *threads; /* by group */
  uint8_t *between, *wide;
  PV_VEC(uint32_t) group_pool;
  PV_VEC(struct pv_acc_list) lists; /* of groups; 0 is empty */
  struct pv_map list_keys;
  struct pv_acc_edge **edges; /* by function and edge; NULL: it does not run */

  uint32_t words, n_instances;
  uint64_t *mod, *use; /* by instance */
};

/* accesses_collect.c: fills things, records, sets, is_sync. */
void pv_acc_collect(struct pv_accesses *a);
/* The number of the sorted list; the empty one has 0. */
uint32_t pv_acc_set(struct pv_accesses *a, const uint32_t *things, uint32_t n);
/* accesses_groups.c: fills groups, lists, and what edges access. A record's `set` is afterwards the
 * number of its list of groups. */
void pv_acc_group(struct pv_accesses *a);

#endif
