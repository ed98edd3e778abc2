/* symbolic_internal.h -- between symbolic.c (steps), symbolic_state.c (cells, states, merges),
 * symbolic_memory.c (loads, stores, lives of objects), symbolic_sync.c (the scheduler) and
 * symbolic_path.c (path formulas). */
#ifndef PV_SYMBOLIC_INTERNAL_H
#define PV_SYMBOLIC_INTERNAL_H

#include "cpa/symbolic.h"
#include "cpa/sync.h"

/* A conjunction, as a tree that grows from the root: paths that share a beginning share it here. */
struct pv_sym_cond {
  const struct pv_sym_cond *parent; /* NULL: true */
  pv_term literal, all;             /* all: the whole conjunction */
  uint32_t depth;
};
struct pv_sym {
  const struct pv_sym_cond *path; /* NULL: true */
  struct pv_values values;        /* cell -> term */
  bool start; /* the block is the program's first: initial values, not entry's */
};

struct pv_symbolic {
  struct pv_smt *smt;
  const struct pv_program *program;
  const struct pv_points_to *pt;
  struct pv_layout *layout;
  struct pv_sync *sync;
  struct pv_control *control;
  struct pv_symbolic_options options;
  struct pv_encoder encoder;
  struct pv_pool pool;
  PV_VEC(struct pv_cell *) cells; /* in the pool: they stay where they are */
  struct pv_map cell_index, constant_index, steps, merges, ranges, wraps, addresses, states;
  PV_VEC(const void *) kept; /* what the maps' numbers stand for: steps, merges, terms */
  const struct pv_sym *entry, *begin;
  uint64_t next_address; /* of a slot */
  struct live {
    uint64_t *sets;
    uint32_t words;
  } * live;               /* by function; lazily */
  struct pv_map steering; /* struct steering_key; lazily */
  bool knows_steering;
  /* the step that is being made */
  struct pv_sym w;
  uint32_t frame, edge;
  uint32_t beside;  /* as in the move */
  unsigned operand; /* of the edge: the address that is accessed */
  PV_VEC(struct pv_sym_event) events;
  pv_term input;
  PV_VEC(uint32_t) reads;
  bool is_address; /* the expression encoded is accessed */
  struct pv_symbolic_met met;
};

/* ---- terms in short -------------------------------------------------------------------------- */
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

/* ---- the state that is being made ------------------------------------------------------------ */
void pv_sym_assume(struct pv_symbolic *s, pv_term literal);
/* Something happens under `when`; `assumed_away`: what follows is under its negation. */
void pv_sym_event(struct pv_symbolic *s, enum pv_sym_event_kind kind, enum pv_property property,
                  pv_term when, bool assumed_away, const char *fmt, ...) PV_PRINTF(6, 7);
/* Undefined behaviour of a property, asked for or not. */
void pv_sym_fault(struct pv_symbolic *s, enum pv_property property, pv_term when, const char *fmt,
                  ...) PV_PRINTF(4, 5);
/* Events and side conditions that the encoder met; called after every use of it. */
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
/* What the cell, if there is one, holds matters to nobody any more. */
void pv_sym_forget(struct pv_symbolic *s, enum pv_cell_kind kind, uint32_t a, uint32_t b,
                   uint32_t instance);
uint32_t pv_sym_variable(struct pv_symbolic *s, uint32_t frame, uint32_t var);
void pv_sym_assign(struct pv_symbolic *s, uint32_t frame, uint32_t var, pv_term value);
/* Its objects end their lives, and its variables matter to nobody any more. */
void pv_sym_frame_ends(struct pv_symbolic *s, uint32_t frame);
const struct pv_edge *pv_sym_edge(const struct pv_symbolic *s);
const char *pv_sym_where(struct pv_symbolic *s); /* "x.c:12"; owned by the pool */

/* ---- symbolic_memory.c ------------------------------------------------------------------------
 */
uint64_t pv_sym_address(struct pv_symbolic *s, uint32_t place, uint32_t instance);
uint64_t pv_sym_function_address(const struct pv_symbolic *s, uint32_t function);
/* The value of a cell in the initial state, NULL: arbitrary (its entry constant). */
pv_term pv_sym_initial(struct pv_symbolic *s, uint32_t cell);
pv_term pv_sym_load(struct pv_symbolic *s, pv_expr address, pv_type type, bool as_signed);
void pv_sym_store(struct pv_symbolic *s, pv_expr address, pv_type type, pv_term value,
                  bool value_signed);
void pv_sym_copy(struct pv_symbolic *s, const struct pv_edge *e);
void pv_sym_fill(struct pv_symbolic *s, const struct pv_edge *e);
void pv_sym_alloc(struct pv_symbolic *s, const struct pv_edge *e);
void pv_sym_free_object(struct pv_symbolic *s, const struct pv_edge *e);
void pv_sym_slot_begins(struct pv_symbolic *s, uint32_t frame, uint32_t slot);
/* The slot lives on, but what is in it becomes arbitrary. */
void pv_sym_slot_forgets(struct pv_symbolic *s, uint32_t frame, uint32_t slot);
void pv_sym_slot_ends(struct pv_symbolic *s, uint32_t frame, uint32_t slot);
/* A pointer to an object of the place (SLOT, ALLOCA) may be used after the object's end. */
void pv_sym_used_again(struct pv_symbolic *s, uint32_t place, pv_term when);
void pv_sym_frame_begins(struct pv_symbolic *s, uint32_t frame);
uint64_t pv_sym_heap_begin(const struct pv_symbolic *s);
pv_term pv_sym_number(struct pv_symbolic *s, uint64_t value); /* an address */
/* The instances of a place's function (SLOT) or of threads (thread-local variables) that are there:
 * on the stack of the frame, and on those beside it. */
typedef PV_VEC(uint32_t) pv_instances;
void pv_sym_instances(const struct pv_symbolic *s, uint32_t place, pv_instances *out);
/* The instance of a place that its name stands for here. */
uint32_t pv_sym_instance_here(const struct pv_symbolic *s, uint32_t place);
void pv_sym_thread_begins(struct pv_symbolic *s, uint32_t thread); /* its own variables */

/* ---- symbolic_sync.c ------------------------------------------------------------------------- */
void pv_sym_prim(struct pv_symbolic *s, const struct pv_edge *e, const struct pv_move *m);
/* The objects of the scheduler in a stack slot begin and end with it. */
void pv_sym_sync_begins(struct pv_symbolic *s, uint32_t place, uint32_t instance);
void pv_sym_sync_ends(struct pv_symbolic *s, uint32_t place, uint32_t instance);
pv_term pv_sym_sync_initial(struct pv_symbolic *s, uint32_t cell);
/* A block is copied or filled over memory in which such objects may lie. */
void pv_sym_sync_overwritten(struct pv_symbolic *s, const struct pv_reach *r);

#endif
