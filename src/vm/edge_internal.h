/* edge_internal.h -- shared by edge.c, call.c, block.c, lifetime.c and query.c: operands of edges,
 * and the operations that edge.c dispatches to the other files. */
#ifndef PV_EDGE_INTERNAL_H
#define PV_EDGE_INTERNAL_H

#include "vm/vm_internal.h"

/* The low word of the edge's i-th operand. */
static inline uint64_t pv_operand(struct pv_vm *vm, const struct pv_code_edge *ce, int i) {
  return *pv_cell(vm, ce->e[i]);
}

/* Assigns a result of at most 64 bits to the variable `var` of the edge's function, which is kept
 * in register `reg`. reg < 0: the edge has no such result. */
static inline void pv_set_var(struct pv_vm *vm, const struct pv_code_edge *ce, int32_t reg,
                              uint32_t var, uint64_t value) {
  if (reg < 0) return;
  vm->regs[reg] = value;
  if (vm->recorder && vm->recorder->assigned)
    vm->recorder->assigned(vm->recorder->user, vm->thread, &vm->program->functions.at[ce->function],
                           var);
}

/* The location of the current operation, for provisos. Within a model, that of the call. */
static inline const char *pv_user_file(struct pv_vm *vm) {
  return pv_span_file(vm->program, pv_shown_edge_of(vm, vm->thread)->edge->span);
}
static inline uint32_t pv_user_line(struct pv_vm *vm) {
  return pv_span_of(vm->program, pv_shown_edge_of(vm, vm->thread)->edge->span)->line;
}

/* Adds the proviso that the input gives one of the values that are tried. */
void pv_note_cut(struct pv_vm *vm, const struct pv_code_edge *ce, const struct pv_inputs *in);
/* taint.c: INDET of a variable whose value is tracked to its use */
enum pv_flow pv_taint_unset(struct pv_vm *vm, const struct pv_code_edge *ce);

/* ---- first_read.c ------------------------------------------------------------------------------
 */
/* While peeking: parks before a valid load that chooses a value for unset memory. */
bool pv_first_read_parks(struct pv_vm *vm, const struct pv_edge *e, uint64_t address);
/* A valid load of unset memory. *chosen: `loaded` is its value now, and the memory is set, or no
 * value makes a difference. */
enum pv_flow pv_first_read(struct pv_vm *vm, const struct pv_edge *e, uint64_t address,
                           uint64_t loaded[2], bool *chosen);
/* Unset bytes were copied. */
void pv_first_read_copied(struct pv_vm *vm, uint64_t to, uint64_t from, uint32_t n);

/* ---- lifetime.c: as pv_run_edge, each of one operation ----------------------------------------
 */
enum pv_flow pv_run_alloc(struct pv_vm *vm, const struct pv_code_edge *ce); /* ALLOC */
enum pv_flow pv_run_free(struct pv_vm *vm, const struct pv_code_edge *ce);  /* FREE */
/* LIVE, with a fresh object in the slot; or DEAD. */
enum pv_flow pv_run_slot(struct pv_vm *vm, const struct pv_code_edge *ce, bool begins);
/* Call it before the lifetime of the stack object `o` ends, or of all objects of the frame if
 * NULL. Accesses by others are valid before and errors after. true: the caller must leave. */
bool pv_stack_ends(struct pv_vm *vm, const struct pv_code_edge *ce, struct pv_object *o);
/* jump.c: SETJMP, LONGJMP */
enum pv_flow pv_run_setjmp(struct pv_vm *vm, const struct pv_code_edge *ce);
enum pv_flow pv_run_longjmp(struct pv_vm *vm, const struct pv_code_edge *ce);
/* Can others reach an object whose lifetime ends with the running thread's top frame? */
bool pv_frame_is_reached(struct pv_vm *vm, uint32_t function);
/* ---- block.c: likewise ------------------------------------------------------------------------
 */
enum pv_flow pv_run_copy(struct pv_vm *vm, const struct pv_code_edge *ce); /* COPY */
enum pv_flow pv_run_fill(struct pv_vm *vm, const struct pv_code_edge *ce); /* FILL */
/* Reports an access to `n` bytes that is an error; verb: "copy", "fill", ...; why: pv_access_fault.
 */
enum pv_flow pv_block_fault(struct pv_vm *vm, const char *verb, uint64_t address, uint64_t n,
                            const char *why);

/* call.c: CALL, RETURN */
enum pv_flow pv_run_call(struct pv_vm *vm, const struct pv_code_edge *ce);
enum pv_flow pv_run_return(struct pv_vm *vm, const struct pv_code_edge *ce);
/* query.c: QUERY */
enum pv_flow pv_run_query(struct pv_vm *vm, const struct pv_code_edge *ce);

#endif
