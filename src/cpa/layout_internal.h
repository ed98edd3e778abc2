/* layout_internal.h -- shared by the files of the memory layout: layout.c (places, cells, classes),
 * layout_spots.c (where an access may begin) and layout_outlived.c (which objects a pointer may
 * outlive). */
#ifndef PV_CPA_LAYOUT_INTERNAL_H
#define PV_CPA_LAYOUT_INTERNAL_H

#include "analysis/offsets.h"
#include "cpa/layout.h"

struct access {
  uint32_t function, edge;
  unsigned operand;
  pv_type type; /* 0: a range (COPY, FILL) */
  bool writes;
  struct pv_reach reach;
};

struct pv_layout {
  const struct pv_program *program;
  const struct pv_points_to *pt;
  uint32_t choices;
  bool objects;
  const bool *arrays;         /* during construction */
  struct pv_offsets *offsets; /* during construction */
  PV_VEC(struct pv_place) places;
  PV_VEC(struct pv_place_cell) cells;
  struct pv_map index;        /* struct place_key -> place */
  PV_VEC(uint32_t) of_object; /* points-to object -> place or UINT32_MAX */
  PV_VEC(struct access) accesses;
  struct pv_map by_edge; /* struct access_key -> access */
  PV_VEC(struct types { PV_VEC(pv_type) at; }) class_types;
  /* used during construction */
  PV_VEC(uint32_t) parent; /* union-find over places */
  PV_VEC(struct seed {
    uint32_t place;
    uint64_t offset;
    pv_type type;
  })
  seeds;
};

static inline bool pv_layout_on_heap(const struct pv_place *p) {
  return p->kind == PV_PLACE_HEAP || p->kind == PV_PLACE_ALLOCA;
}

/* Leaves only the places that are targets of the address, and notes at which offsets the access may
 * begin there. type: 0: of a range. */
void pv_layout_find_spots(struct pv_layout *l, uint32_t function, pv_expr address, pv_type type,
                          struct pv_reach *r);
/* Finds out which objects of the stack a pointer may outlive (`outlived`, `kept`). */
void pv_layout_mark_outlived(struct pv_layout *l);

#endif
