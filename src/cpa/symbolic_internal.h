/* symbolic_internal.h -- shared by symbolic.c (steps), symbolic_state.c (cells, states, merges),
 * symbolic_memory.c (loads, stores, allocation), symbolic_lifetime.c (lifetimes of slots),
 * symbolic_untried.c (inputs not tried), symbolic_initial.c (initial values), symbolic_objects.c
 * (objects and their bytes), symbolic_bytes.c (values as bytes), symbolic_range.c (blocks),
 * symbolic_unset.c (indeterminate values), symbolic_sync.c (the scheduler), symbolic_executed.c
 * (one that is executed), symbolic_steering.c (what decides between its alternatives),
 * symbolic_alike.c (threads that a state treats alike) and symbolic_path.c (path formulas). */
#ifndef PV_SYMBOLIC_INTERNAL_H
#define PV_SYMBOLIC_INTERNAL_H

#include "cpa/symbolic.h"
#include "cpa/sync.h"
#include "cpa/unset.h"

/* A conjunction as a linked list towards its first literal; paths with a common prefix share it. */
struct pv_sym_cond {
  const struct pv_sym_cond *parent; /* NULL: true */
  pv_term literal, all;             /* all: the whole conjunction */
  uint32_t depth;
};
struct pv_sym {
  const struct pv_sym_cond *path; /* NULL: true */
  struct pv_values values;        /* cell -> term */
  bool start; /* the block begins at the program's start: initial values instead of entry constants
               */
};

struct pv_sym_part { /* bytes from .. from + n - 1 of the `of` bytes of a value */
  pv_term whole;
  unsigned of, from, n;
};

struct pv_symbolic {
  struct pv_smt *smt;
  const struct pv_program *program;
  const struct pv_points_to *pt;
  struct pv_layout *layout;
  struct pv_sync *sync;
  struct pv_unset *unset; /* NULL: indeterminate values are not followed */
  /* If they are not: what may be indeterminate is an arbitrary value there; computed lazily. */
  struct pv_unset *arbitrary;
  struct pv_control *control;
  struct pv_symbolic_options options;
  struct pv_encoder encoder;
  struct pv_pool pool;
  PV_VEC(struct pv_cell *) cells; /* in the pool: pointers to them stay valid */
  struct pv_map cell_index, constant_index, steps, merges, ranges, wraps, addresses, states,
      variants;
  PV_VEC(const void *) kept; /* the values of the maps: steps, merges, terms */
  const struct pv_sym *entry, *begin;
  uint64_t next_address;    /* of a slot */
  bool objects;             /* each allocation is an object of its own (layout.h) */
  uint64_t next_heap;       /* objects: of a heap object */
  struct pv_map heap_index; /* struct address_key -> place in heap_addresses */
  PV_VEC(uint64_t) heap_addresses;
  struct pv_map parts; /* term -> place in `part` */
  PV_VEC(struct pv_sym_part) part;
  struct live {
    uint64_t *sets;
    uint32_t words;
  } * live;               /* by function; computed lazily */
  struct pv_map steering; /* struct steering_key; computed lazily */
  bool knows_steering;
  /* the current step */
  struct pv_sym w;
  uint32_t frame, edge;
  uint32_t beside, waiting; /* as in the move */
  bool restricts;           /* only executions with a new value of an input are open */
  unsigned operand;         /* of the edge: the address of the access */
  PV_VEC(struct pv_sym_event) events;
  pv_term input, loaded;
  PV_VEC(uint32_t) reads;
  bool is_address; /* the expression being encoded is the address of an access */
  struct pv_symbolic_met met;
};

/* ---- constructors of terms --------------------------------------------------------------------
 */
static inline pv_term pv_sym_not(struct pv_symbolic *s, pv_term a) {
  return pv_smt_mk1(s->smt, PV_SMT_NOT, a);
}
static inline pv_term pv_sym_and(struct pv_symbolic *s, pv_term a, pv_term b) {
  return pv_smt_mk2(s->smt, PV_SMT_AND, a, b);
}
static inline pv_term pv_sym_or(struct pv_symbolic *s, pv_term a, pv_term b) {
  return pv_smt_mk2(s->smt, PV_SMT_OR, a, b);
}
static inline pv_term pv_sym_eq(struct pv_symbolic *s, pv_term a, pv_term b) {
  return pv_smt_mk2(s->smt, PV_SMT_EQ, a, b);
}
static inline pv_term pv_sym_ite(struct pv_symbolic *s, pv_term c, pv_term a, pv_term b) {
  return pv_smt_mk3(s->smt, PV_SMT_ITE, c, a, b);
}

/* ---- the current state ------------------------------------------------------------------------
 */
void pv_sym_assume(struct pv_symbolic *s, pv_term literal);
/* Adds an event with condition `when`. `assumed_away`: assumes its negation afterwards. */
void pv_sym_event(struct pv_symbolic *s, enum pv_sym_event_kind kind, enum pv_property property,
                  pv_term when, bool assumed_away, const char *fmt, ...) PV_PRINTF(6, 7);
/* Adds the event of an undefined behaviour, whether or not its property was asked for. */
void pv_sym_fault(struct pv_symbolic *s, enum pv_property property, pv_term when, const char *fmt,
                  ...) PV_PRINTF(4, 5);
/* Takes over the encoder's events and side conditions; call it after every use of it. */
void pv_sym_encoded(struct pv_symbolic *s);
pv_term pv_sym_encode(struct pv_symbolic *s, pv_expr e, bool as_signed);
pv_term pv_sym_encode_address(struct pv_symbolic *s, pv_expr e); /* that is accessed */
pv_term pv_sym_condition(struct pv_symbolic *s, pv_expr e);
pv_term pv_sym_fresh(struct pv_symbolic *s, const char *name, pv_type type, bool is_signed);

/* ---- symbolic_state.c ------------------------------------------------------------------------ */
const struct pv_sym *pv_sym_keep(struct pv_symbolic *s, const struct pv_sym *state); /* a copy */
uint32_t pv_sym_cell(struct pv_symbolic *s, enum pv_cell_kind kind, uint32_t a, uint32_t b,
                     uint32_t instance);
pv_term pv_sym_get(struct pv_symbolic *s, uint32_t cell);
void pv_sym_set(struct pv_symbolic *s, uint32_t cell, pv_term value);
/* The value of the cell, if it exists, is not needed any more. */
void pv_sym_forget(struct pv_symbolic *s, enum pv_cell_kind kind, uint32_t a, uint32_t b,
                   uint32_t instance);
uint32_t pv_sym_variable(struct pv_symbolic *s, uint32_t frame, uint32_t var);
void pv_sym_assign(struct pv_symbolic *s, uint32_t frame, uint32_t var, pv_term value);
/* Ends the frame: its objects' lifetimes end, and its variables are dead. */
void pv_sym_frame_ends(struct pv_symbolic *s, uint32_t frame);
const struct pv_edge *pv_sym_edge(const struct pv_symbolic *s);
const char *pv_sym_where(struct pv_symbolic *s); /* "x.c:12"; owned by the pool */

/* ---- symbolic_memory.c ------------------------------------------------------------------------
 */
uint64_t pv_sym_address(struct pv_symbolic *s, uint32_t place, uint32_t instance);
uint64_t pv_sym_function_address(const struct pv_symbolic *s, uint32_t function);
static inline bool pv_sym_is_heap(const struct pv_place *p) {
  return p->kind == PV_PLACE_HEAP || p->kind == PV_PLACE_ALLOCA;
}
/* At an allocation on the heap: an event where the address of a freed object may come back. */
void pv_sym_address_returns(struct pv_symbolic *s);
/* Without `objects`: is an access of this many bytes (at least one) at e, whose value is `address`,
 * inside of an object of the heap of r's class? It is not said so of all accesses that are. */
pv_term pv_sym_in_heap(struct pv_symbolic *s, const struct pv_reach *r, pv_expr e, pv_term address,
                       pv_term bytes);
/* Do the two pointers lie in no common object that is alive? */
pv_term pv_sym_are_apart(struct pv_symbolic *s, pv_expr a, pv_expr b);
/* Is the place a thread-local variable? */
bool pv_sym_is_thread_local(const struct pv_symbolic *s, const struct pv_place *p);
/* Sets which bits of a memory cell are unset where `here` holds; NULL: none. */
void pv_sym_mark_cell(struct pv_symbolic *s, uint32_t cell, pv_term here, pv_term unset);
/* Makes the arrays of a class unconstrained. */
void pv_sym_forget_class(struct pv_symbolic *s, uint32_t class);
/* In an array, elements of the type begin at multiples of this in their objects: its size, or, for
 * a long double, a divisor of it. */
static inline uint64_t pv_sym_step(pv_type type) {
  uint64_t bytes = pv_type_bytes(type);
  return bytes & -bytes;
}
/* The initial value of a cell at the program's start; NULL: arbitrary (its entry constant). */
pv_term pv_sym_initial(struct pv_symbolic *s, uint32_t cell); /* symbolic_initial.c */
/* What a global holds at first, at an offset; NULL: no term expresses it. */
pv_term pv_sym_initial_scalar(struct pv_symbolic *s, uint32_t global, uint64_t at, pv_type type,
                              bool is_signed);
/* *unset: which bits of the value are indeterminate; NULL: none. */
pv_term pv_sym_load(struct pv_symbolic *s, pv_expr address, pv_type type, bool as_signed,
                    pv_term *unset);
void pv_sym_store(struct pv_symbolic *s, pv_expr address, pv_type type, pv_term value,
                  bool value_signed, pv_term unset);

/* ---- symbolic_objects.c ----------------------------------------------------------------------
 */
/* An object that an access may reach, and where it lies. */
struct pv_sym_extent {
  uint32_t place, instance;
  uint64_t base, size;         /* of `bounded` places: at most */
  pv_term bytes;               /* its size, if it is not constant; NULL otherwise */
  pv_term alive;               /* NULL: always */
  const struct pv_spot *spots; /* where the access may begin; NULL: anywhere */
  uint32_t n_spots;
};
typedef PV_VEC(struct pv_sym_extent) pv_sym_extents;
/* Bytes of memory as one number (symbolic_bytes.c), and which bits of it are unset; NULL: none. A
 * whole cell is a typed value; then `value` may be NULL (pv_sym_value_of). */
struct pv_sym_bytes {
  pv_term value, unset;
  pv_term typed; /* or NULL */
  pv_type type;
  bool is_signed;
};
pv_term pv_sym_value_of(struct pv_symbolic *s, const struct pv_sym_bytes *b);
const struct pv_reach *pv_sym_reach(struct pv_symbolic *s, unsigned operand);
/* All objects of the places. by_name: the address names the object. */
void pv_sym_extents_of(struct pv_symbolic *s, const struct pv_reach *r, bool by_name,
                       pv_sym_extents *out);
bool pv_sym_is_named(struct pv_symbolic *s, pv_expr address);
/* Are [address, address + n) in one of the objects, which is alive (and not constant, if it is
 * written)? n: a number of the size of pointers. */
pv_term pv_sym_is_inside(struct pv_symbolic *s, const pv_sym_extents *v, pv_term address, pv_term n,
                         bool writes);
/* Reads or writes `bytes` bytes (at most 16) at an offset in the object, inside of its size. */
struct pv_sym_bytes pv_sym_read_at(struct pv_symbolic *s, const struct pv_sym_extent *v,
                                   uint64_t offset, unsigned bytes);
/* where: only if it holds. */
void pv_sym_write_at(struct pv_symbolic *s, const struct pv_sym_extent *v, uint64_t offset,
                     unsigned bytes, struct pv_sym_bytes value, pv_term where);
/* What an address may designate: an offset in an extent, if `here`. */
struct pv_sym_target {
  uint32_t extent;
  uint64_t offset;
  pv_term here;
};
typedef PV_VEC(struct pv_sym_target) pv_sym_targets;
/* bytes: of an access that is aligned as the edge says; 0: a range of any length. Returns false if
 * there are more than `most`. */
bool pv_sym_targets_of(struct pv_symbolic *s, const pv_sym_extents *v, pv_term address,
                       unsigned bytes, uint32_t most, pv_sym_targets *out);
/* A number that the term does not exceed on the current path, at most `most`. With `objects` the
 * solver is asked. */
uint64_t pv_sym_bound(struct pv_symbolic *s, pv_term t, uint64_t most);

/* The same in an array of single bytes, at address + index; a write of one byte. */
struct pv_sym_bytes pv_sym_read_array(struct pv_symbolic *s, uint32_t class, pv_term address,
                                      uint64_t index, unsigned bytes);
void pv_sym_write_array(struct pv_symbolic *s, uint32_t class, pv_term address, uint64_t index,
                        struct pv_sym_bytes value, pv_term where);
/* Does an access of so many bytes at one of the targets hit its object? */
pv_term pv_sym_hits(struct pv_symbolic *s, const pv_sym_extents *extents, pv_term address,
                    const pv_sym_targets *targets, unsigned bytes, bool writes);
/* Heap objects, with `objects`: their addresses, how many of a place there are. */
uint64_t pv_sym_heap_address(struct pv_symbolic *s, uint32_t place, uint32_t instance);
uint32_t pv_sym_allocated(struct pv_symbolic *s, uint32_t place);
void pv_sym_alloc_object(struct pv_symbolic *s, const struct pv_edge *e, uint32_t place);
/* Is the address the start of a live object of such a place? ends: its life ends. */
pv_term pv_sym_is_start(struct pv_symbolic *s, pv_term address, enum pv_place_kind kind, bool ends);
/* Of symbolic_memory.c: cells of memory, and where it says which of their bits are unset. */
uint32_t pv_sym_alive_cell(struct pv_symbolic *s, uint32_t place, uint32_t instance);
uint32_t pv_sym_array_cell(struct pv_symbolic *s, uint32_t class, pv_type type);
uint32_t pv_sym_unset_cell(struct pv_symbolic *s, uint32_t cell);
uint32_t pv_sym_unset_array(struct pv_symbolic *s, uint32_t class, pv_type type);
pv_term pv_sym_retype(struct pv_symbolic *s, pv_term t, pv_type from, bool from_signed, pv_type to,
                      bool to_signed);

/* ---- symbolic_bytes.c ------------------------------------------------------------------------ */
pv_term pv_sym_bytes_number(struct pv_symbolic *s, unsigned bytes, uint64_t lo);
pv_term pv_sym_to_bytes(struct pv_symbolic *s, pv_term t, pv_type type, bool is_signed);
pv_term pv_sym_from_bytes(struct pv_symbolic *s, pv_term t, pv_type type, bool is_signed);
pv_term pv_sym_unset_to_bytes(struct pv_symbolic *s, pv_term unset, pv_type type);
pv_term pv_sym_unset_from_bytes(struct pv_symbolic *s, pv_term unset, pv_type type);
/* n of the value's bytes; two values put together. The bytes' order is that of memory. */
pv_term pv_sym_part(struct pv_symbolic *s, pv_term whole, unsigned of, unsigned from, unsigned n);
pv_term pv_sym_join(struct pv_symbolic *s, pv_term low, unsigned n, pv_term high, unsigned m);
pv_term pv_sym_unset_part(struct pv_symbolic *s, pv_term unset, unsigned of, unsigned from,
                          unsigned n);
pv_term pv_sym_unset_join(struct pv_symbolic *s, pv_term low, unsigned n, pv_term high, unsigned m);
/* The values that the address may have, if they are at most that many numbers; else false. */
typedef PV_VEC(uint64_t) pv_sym_numbers;
bool pv_sym_leaves(struct pv_symbolic *s, pv_term t, unsigned most, pv_sym_numbers *out);
pv_term pv_sym_is_value(struct pv_symbolic *s, pv_term t, uint64_t value);
/* Returns m such that t = *rest modulo m: a power of two, at most 64. */
uint64_t pv_sym_modulus(struct pv_symbolic *s, pv_term t, uint64_t *rest);

/* ---- symbolic_range.c ------------------------------------------------------------------------ */
void pv_sym_copy(struct pv_symbolic *s, const struct pv_edge *e);
void pv_sym_fill(struct pv_symbolic *s, const struct pv_edge *e);

/* ---- symbolic_memory.c: addresses, the heap ---------------------------------------------------
 */
/* a <= b, as addresses. */
pv_term pv_sym_at_most(struct pv_symbolic *s, pv_term a, pv_term b);
pv_term pv_sym_offset(struct pv_symbolic *s, pv_term address, uint64_t by);
void pv_sym_alloc(struct pv_symbolic *s, const struct pv_edge *e);
void pv_sym_free_object(struct pv_symbolic *s, const struct pv_edge *e);
/* Decides a QUERY about heap objects; false: it is another one. */
bool pv_sym_query_memory(struct pv_symbolic *s, const struct pv_edge *e);
uint64_t pv_sym_heap_begin(const struct pv_symbolic *s);
pv_term pv_sym_number(struct pv_symbolic *s, uint64_t value); /* an address */
pv_term pv_sym_zero(struct pv_symbolic *s, pv_type type);     /* all bits are zero */
/* Appends the instances of a place that exist: of its function (SLOT), on the stacks of all
 * threads, or of threads (thread-local variables). */
typedef PV_VEC(uint32_t) pv_instances;
void pv_sym_instances(struct pv_symbolic *s, uint32_t place, pv_instances *out);
/* The instance of a place that its name denotes in the current frame. */
uint32_t pv_sym_instance_here(const struct pv_symbolic *s, uint32_t place);

/* ---- symbolic_untried.c -----------------------------------------------------------------------
 */
/* If only executions with a new value of an input are open: `when`, and that this is one. Else
 * `when`. */
pv_term pv_sym_with_new_input(struct pv_symbolic *s, pv_term when);
/* An input was read at the edge: does it have a value that was not tried? */
void pv_sym_note_untried(struct pv_symbolic *s, const struct pv_edge *e);
/* After a move to a point from which no such input can be read any more, outside of a frontier:
 * assumes that an input had a new value. */
void pv_sym_leave_tried(struct pv_symbolic *s, const struct pv_move *m);

/* ---- symbolic_lifetime.c ---------------------------------------------------------------------
 */
/* The block of unknown extent overwrites what the operand reaches: it may hold anything. */
void pv_sym_forget_reach(struct pv_symbolic *s, const struct pv_reach *r);
void pv_sym_slot_begins(struct pv_symbolic *s, uint32_t frame, uint32_t slot);
/* The slot stays alive, but its contents become arbitrary. */
void pv_sym_slot_forgets(struct pv_symbolic *s, uint32_t frame, uint32_t slot);
void pv_sym_slot_ends(struct pv_symbolic *s, uint32_t frame, uint32_t slot);
/* A pointer to an object of the place (SLOT, ALLOCA) may be used after its lifetime. */
void pv_sym_used_again(struct pv_symbolic *s, uint32_t place, pv_term when);
void pv_sym_frame_begins(struct pv_symbolic *s, uint32_t frame);
/* Initialises the thread's thread-local variables. */
void pv_sym_thread_begins(struct pv_symbolic *s, uint32_t thread);

/* ---- symbolic_unset.c ------------------------------------------------------------------------ */
/* Are indeterminate values followed? Then unset bits are zeros. */
bool pv_sym_follows(const struct pv_symbolic *s);
struct pv_sort pv_sym_unset_sort(const struct pv_symbolic *s, pv_type type);
pv_term pv_sym_all_unset(struct pv_symbolic *s, pv_type type, bool unset);
/* Is one of the bits unset? */
pv_term pv_sym_any_unset(struct pv_symbolic *s, pv_term unset);
/* Which bits of the expression's value are unset; NULL: none. Adds the events of uses inside of the
 * expression. */
pv_term pv_sym_unset(struct pv_symbolic *s, pv_expr e);
/* Adds the event of a use. */
void pv_sym_used(struct pv_symbolic *s, pv_term unset, const char *how);
/* Adds the events of all uses by the edge. Call it before its operands are encoded. */
void pv_sym_uses(struct pv_symbolic *s, const struct pv_edge *e);
/* Sets which bits of the variable are unset; NULL: none. */
void pv_sym_mark(struct pv_symbolic *s, uint32_t frame, uint32_t var, pv_term unset);
/* What the edge reads has these unset bits. Adds its events, and leaves those that are passed on.
 */
void pv_sym_read_unset(struct pv_symbolic *s, const struct pv_edge *e, pv_term *unset);

/* ---- symbolic_sync.c ------------------------------------------------------------------------- */
void pv_sym_prim(struct pv_symbolic *s, const struct pv_edge *e, const struct pv_move *m);
/* A call, or a CUT at a call, of an executed scheduler. */
void pv_sym_executed(struct pv_symbolic *s, const struct pv_edge *e, const struct pv_move *m);
pv_term pv_sym_argument(struct pv_symbolic *s, const struct pv_edge *e, uint32_t i);
/* The lifetimes of scheduler objects in a stack slot are those of the slot. */
void pv_sym_sync_begins(struct pv_symbolic *s, uint32_t place, uint32_t instance);
void pv_sym_sync_ends(struct pv_symbolic *s, uint32_t place, uint32_t instance);
pv_term pv_sym_sync_initial(struct pv_symbolic *s, uint32_t cell);
/* A COPY or FILL of n bytes overwrites memory in which such objects may lie; a COPY reads it. n: a
 * number of the size of pointers. */
void pv_sym_sync_overwritten(struct pv_symbolic *s, const struct pv_reach *r, pv_term address,
                             pv_term n);
void pv_sym_sync_copied(struct pv_symbolic *s, const struct pv_reach *r, pv_term address,
                        pv_term n);
/* No thread goes on. */
void pv_sym_stuck(struct pv_symbolic *s, const struct pv_move *m);

#endif
