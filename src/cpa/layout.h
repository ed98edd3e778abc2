/* layout.h -- how the symbolic analyses divide memory. Every object that has a name (a global, a
 * stack slot) or a place of allocation is a *place*. A place is either cut into *cells*, scalars
 * that never overlap and are treated like variables, or belongs to a *class*: places that some
 * access cannot tell apart, or that are accessed at too many offsets; the memory of a class is one
 * array from addresses to values for every type that it is accessed with.
 *
 * Cells come from the object's source type and from accesses at constant offsets. A place is cut if
 * all of these fit together and no access chooses between too many cells; whether an address is a
 * choice between cells or an index of a class is the same for all objects that it may lie in
 * (analysis/points_to.h). */
#ifndef PV_LAYOUT_H
#define PV_LAYOUT_H

#include "analysis/points_to.h"
#include "ir/ir.h"

enum pv_place_kind { PV_PLACE_GLOBAL, PV_PLACE_SLOT, PV_PLACE_HEAP, PV_PLACE_ALLOCA };
struct pv_place {
  enum pv_place_kind kind;
  uint32_t function; /* SLOT, HEAP, ALLOCA */
  uint32_t index;    /* of the global, the slot, the edge */
  uint64_t size;     /* 0: not known (HEAP, ALLOCA) */
  bool cut;          /* into cells; otherwise it belongs to class `class` */
  bool stored;       /* some reachable edge may write to it */
  bool taken;        /* its address may be in a pointer */
  bool outlived;     /* SLOT, ALLOCA: by a pointer, perhaps, when the function returns */
  bool kept;         /* SLOT: a pointer to it is in a variable or in memory at some time */
  uint32_t class;
  uint32_t first_cell, n_cells; /* sorted by offset */
};
struct pv_place_cell {
  uint32_t place;
  uint64_t offset;
  pv_type type;
};

struct pv_layout;
/* Borrows both. `choices`: most cells that one access may choose from. */
struct pv_layout *pv_layout_new(const struct pv_program *p, const struct pv_points_to *pt,
                                uint32_t choices);
void pv_layout_free(struct pv_layout *l);

uint32_t pv_layout_places(const struct pv_layout *l);
const struct pv_place *pv_layout_place(const struct pv_layout *l, uint32_t place);
const struct pv_place_cell *pv_layout_cell(const struct pv_layout *l, uint32_t cell);
uint32_t pv_layout_classes(const struct pv_layout *l);
/* The types that the arrays of a class have; sorted. */
const pv_type *pv_layout_class_types(const struct pv_layout *l, uint32_t class, uint32_t *n);
uint32_t pv_layout_global(const struct pv_layout *l, uint32_t global); /* its place */
uint32_t pv_layout_slot(const struct pv_layout *l, uint32_t function, uint32_t slot);
uint32_t pv_layout_site(const struct pv_layout *l, uint32_t function, uint32_t edge);

/* An address that is the start of a place plus a constant. */
bool pv_layout_constant(const struct pv_layout *l, uint32_t function, pv_expr address,
                        uint32_t *place, uint64_t *offset);

/* Where an address may lie. Either `cells` (candidates; of an access of `type`'s width) or a class;
 * a class's members are the places. Borrowed. */
struct pv_reach {
  bool in_class;
  bool unknown; /* the pointer may be anything: the candidates are all that pointers may reach */
  uint32_t class;
  PV_VEC(uint32_t) cells;  /* not in_class: those of the access's width */
  PV_VEC(uint32_t) places; /* all objects that the address may lie in */
};
/* For LOAD, STORE, RMW, CMPXCHG: operand 0; for COPY and FILL the two sides (then without cells).
 */
const struct pv_reach *pv_layout_reach(struct pv_layout *l, uint32_t function, uint32_t edge,
                                       unsigned operand);
/* The cell at exactly this offset with this many bytes; false if there is none. */
bool pv_layout_find(const struct pv_layout *l, uint32_t place, uint64_t offset, unsigned bytes,
                    uint32_t *cell);

#endif
