/* layout.h -- how the symbolic analyses model memory (docs/memory.md). A *place* is a global, a
 * stack slot or an allocation site. It is either divided into *cells*, or belongs to a *class*.
 * Cells are scalars that do not overlap; together they are the whole object, and they are treated
 * like variables. The places of a class are accessed at too many offsets. The memory of a class is
 * one array from addresses to values for each type that it is accessed with, or one of bytes.
 *
 * Cells follow from the source type of the object and from accesses at constant offsets; where
 * these overlap, cells are their common parts, down to bytes. All objects that an address may point
 * to (analysis/points_to.h) are modelled in the same way. */
#ifndef PV_LAYOUT_H
#define PV_LAYOUT_H

#include "analysis/points_to.h"
#include "ir/ir.h"

enum pv_place_kind { PV_PLACE_GLOBAL, PV_PLACE_SLOT, PV_PLACE_HEAP, PV_PLACE_ALLOCA };
struct pv_place {
  enum pv_place_kind kind;
  uint32_t function; /* SLOT, HEAP, ALLOCA */
  uint32_t index;    /* of the global, the slot, the edge */
  uint64_t size;     /* 0: unknown (HEAP, ALLOCA); `bounded`: at most */
  bool bounded;      /* the size of the place's objects is found out when they are allocated */
  bool cut;          /* divided into cells; else it belongs to class `class` */
  bool stored;       /* some reachable edge may write to it */
  bool taken;        /* some pointer may point to it */
  bool outlived;     /* SLOT, ALLOCA: a pointer to it may exist after the function returns */
  bool kept;         /* SLOT: a variable or memory may hold a pointer to it */
  uint32_t class;
  uint32_t first_cell, n_cells; /* sorted by offset */
};
struct pv_place_cell {
  uint32_t place;
  uint64_t offset;
  pv_type type;
};

struct pv_layout;
/* Borrows p and pt. `choices`: the most cells that one access may reach. */
struct pv_layout *pv_layout_new(const struct pv_program *p, const struct pv_points_to *pt,
                                uint32_t choices);
/* Each allocation of a path is an object of its own, an instance of its place; so places of the
 * heap are divided, too. arrays[i]: place i is not; NULL: none. */
struct pv_layout *pv_layout_new_objects(const struct pv_program *p, const struct pv_points_to *pt,
                                        uint32_t choices, const bool *arrays);
void pv_layout_free(struct pv_layout *l);
/* Was it made by pv_layout_new_objects? */
bool pv_layout_has_objects(const struct pv_layout *l);

uint32_t pv_layout_places(const struct pv_layout *l);
const struct pv_place *pv_layout_place(const struct pv_layout *l, uint32_t place);
const struct pv_place_cell *pv_layout_cell(const struct pv_layout *l, uint32_t cell);
uint32_t pv_layout_classes(const struct pv_layout *l);
/* The types of the arrays of a class; sorted. One of bytes serves accesses of all widths. */
const pv_type *pv_layout_class_types(const struct pv_layout *l, uint32_t class, uint32_t *n);
uint32_t pv_layout_global(const struct pv_layout *l, uint32_t global); /* its place */
uint32_t pv_layout_slot(const struct pv_layout *l, uint32_t function, uint32_t slot);
uint32_t pv_layout_site(const struct pv_layout *l, uint32_t function, uint32_t edge);

/* Is the address the start of a place plus a constant? */
bool pv_layout_constant(const struct pv_layout *l, uint32_t function, pv_expr address,
                        uint32_t *place, uint64_t *offset);

/* Where an access may begin in a place, if that is known (analysis/offsets.h). */
struct pv_spot {
  uint32_t place;
  uint64_t offset;
};
/* What an access may reach: either cells, or the places of a class. Borrowed. */
struct pv_reach {
  bool in_class;
  bool unknown; /* the pointer is unknown: every place that pointers may reach is included */
  uint32_t class;
  PV_VEC(uint32_t) cells;  /* not in_class: those of the width of the access (for sync.h) */
  PV_VEC(uint32_t) places; /* all that the address may point to */
  /* Sorted. If there are some of a place, the access begins there at one of these. */
  PV_VEC(struct pv_spot) spots;
};
/* The spots of the place: returns the first one, or NULL if the access may begin anywhere. */
const struct pv_spot *pv_reach_spots(const struct pv_reach *r, uint32_t place, uint32_t *n);
/* operand: 0 for LOAD, STORE, RMW and CMPXCHG; 0 or 1 for the two sides of COPY and FILL, which
 * have no cells. */
const struct pv_reach *pv_layout_reach(struct pv_layout *l, uint32_t function, uint32_t edge,
                                       unsigned operand);
/* The places that the value of a pointer may lie in; only `places` and `unknown` are set. The
 * caller frees `places`. */
void pv_layout_reach_of(struct pv_layout *l, uint32_t function, pv_expr pointer,
                        struct pv_reach *out);
/* Finds the cell at exactly this offset and of this size; false if there is none. */
bool pv_layout_find(const struct pv_layout *l, uint32_t place, uint64_t offset, unsigned bytes,
                    uint32_t *cell);

#endif
