/* jump.c -- setjmp and longjmp.
 *
 * A SETJMP records in its marker, a slot of its frame, what a LONGJMP to it restores: which slots
 * of the frame are alive, and how many objects the frame owns. Slots that are copies of others
 * store their values. So everything that a jump needs is in components of the state. The jump
 * buffer contains only the marker's address; it is valid exactly as long as the frame. */
#include "vm/edge_internal.h"

/* The marker's content: the number of owned objects, then one bit for each slot. */
static uint32_t word_of(const struct pv_object *o) {
  return (uint32_t)(o->size / 8);
}

static uint64_t *slot_register(struct pv_vm *vm, uint32_t function, uint32_t slot) {
  return &vm->regs[vm->code->functions[function].slot_reg + slot];
}

/* Calls `each` for the pieces, of at most 8 bytes, of a slot and of its copy for this marker. */
static void for_copies(struct pv_vm *vm, uint32_t function, uint32_t marker,
                       void (*each)(struct pv_vm *, struct pv_object *, struct pv_object *,
                                    uint64_t at, uint32_t n)) {
  const struct pv_function *f = &vm->program->functions.at[function];
  for (uint32_t i = 0; i < f->slots.n; i++) {
    if (f->slots.at[i].marker != marker + 1) continue;
    struct pv_object *copy = pv_object_at(vm, *slot_register(vm, function, i));
    struct pv_object *of =
        pv_object_at(vm, *slot_register(vm, function, f->slots.at[i].copy_of - 1));
    if (!copy || !of) continue;
    for (uint64_t at = 0; at < of->size; at += 8)
      each(vm, of, copy, at, of->size - at < 8 ? (uint32_t)(of->size - at) : 8);
  }
}

static void keep(struct pv_vm *vm, struct pv_object *of, struct pv_object *copy, uint64_t at,
                 uint32_t n) {
  uint64_t value = 0, set = pv_memory_set_bits(vm, of, at, n);
  pv_memory_read(vm, of, at, &value, n, NULL);
  pv_memory_write_set(vm, copy, at, &value, n, &set);
}

/* Bytes that have changed since become indeterminate (C11, 7.13.2.1, 3). */
static void forget(struct pv_vm *vm, struct pv_object *of, struct pv_object *copy, uint64_t at,
                   uint32_t n) {
  uint64_t now = 0, was = 0, set = pv_memory_set_bits(vm, of, at, n);
  uint64_t was_set = pv_memory_set_bits(vm, copy, at, n);
  pv_memory_read(vm, of, at, &now, n, NULL);
  pv_memory_read(vm, copy, at, &was, n, NULL);
  uint64_t changed = (now ^ was) | (set & ~was_set);
  for (uint32_t i = 0; i < n; i++)
    if (changed >> 8 * i & 0xff) set &= ~(UINT64_C(0xff) << 8 * i);
  if (changed) pv_memory_write_set(vm, of, at, &now, n, &set);
}

enum pv_flow pv_run_setjmp(struct pv_vm *vm, const struct pv_code_edge *ce) {
  const struct pv_edge *e = ce->edge;
  const struct pv_function *f = &vm->program->functions.at[ce->function];
  if (vm->peek) return pv_leave(vm, PV_RAN);
  vm->saw_all = true;
  struct pv_object *o = pv_object_at(vm, *slot_register(vm, ce->function, e->aux));
  uint64_t *words = pv_alloc((word_of(o) + 1) * sizeof *words);
  words[0] = vm->frame->n_owned;
  for (uint32_t i = 0; i < f->slots.n; i++)
    if (*slot_register(vm, ce->function, i)) words[1 + i / 64] |= UINT64_C(1) << i % 64;
  for (uint32_t i = 0; i < word_of(o); i++) pv_memory_write(vm, o, 8 * (uint64_t)i, &words[i], 8);
  free(words);
  for_copies(vm, ce->function, e->aux, keep);
  pv_set_var(vm, ce, ce->d, e->dst, 0);
  pv_set_var(vm, ce, ce->d2, e->dst2, 0);
  return PV_FLOW_NEXT;
}

/* The SETJMP edge of that marker. */
static const struct pv_code_edge *edge_of(const struct pv_vm *vm, uint32_t function,
                                          uint32_t marker) {
  for (uint32_t i = 1; i < vm->code->edges.n; i++) {
    const struct pv_code_edge *ce = &vm->code->edges.at[i];
    if (ce->function == function && ce->edge->op == PV_OP_SETJMP && ce->edge->aux == marker)
      return ce;
  }
  return NULL;
}

/* Ends the objects of the frame that were not alive at the SETJMP. */
static void end_younger(struct pv_vm *vm, uint32_t function, struct pv_object *marker) {
  const struct pv_function *f = &vm->program->functions.at[function];
  uint32_t n = word_of(marker);
  uint64_t *words = pv_alloc((n + 1) * sizeof *words);
  for (uint32_t i = 0; i < n; i++) pv_memory_read(vm, marker, 8 * (uint64_t)i, &words[i], 8, NULL);
  while (vm->frame->n_owned > words[0]) {
    struct pv_object *o = &vm->objects.at[pv_frame_owned(vm)[vm->frame->n_owned - 1]];
    vm->frame->n_owned--;
    pv_comp_resize(vm, vm->frame_comp, vm->comps.at[vm->frame_comp].n - 4);
    pv_frame_enter(vm, vm->thread);
    if (pv_object_state(vm, o) & PV_MEM_LIVE) pv_stack_object_end(vm, o);
  }
  for (uint32_t i = 0; i < f->slots.n; i++) {
    uint64_t *reg = slot_register(vm, function, i);
    struct pv_object *o = pv_object_at(vm, *reg);
    if (!o || (words[1 + i / 64] >> i % 64 & 1)) continue;
    *reg = 0;
    pv_stack_object_end(vm, o);
  }
  free(words);
}

/* Would a jump to that depth end objects that other threads can reach? They could access them
 * before. */
static bool others_see(struct pv_vm *vm, uint32_t depth) {
  bool seen = false;
  uint32_t top = vm->threads[vm->thread].depth;
  if (!pv_is_observed(vm)) return false;
  for (uint32_t d = top; d > depth && !seen; d--) {
    vm->threads[vm->thread].depth = d;
    pv_frame_enter(vm, vm->thread);
    uint32_t pc = d == top ? vm->frame->pc : vm->frame->pc - 1;
    seen = pv_frame_is_reached(vm, vm->code->edges.at[vm->code->where.at[pc]].function);
  }
  vm->threads[vm->thread].depth = top;
  pv_frame_enter(vm, vm->thread);
  return seen;
}

/* Why the jump is impossible, or NULL. */
static const char *refusal(struct pv_vm *vm, uint32_t depth) {
  if (vm->atomic) return "longjmp out of an atomic section";
  return others_see(vm, depth) ? "longjmp over variables that other threads can reach" : NULL;
}

static enum pv_flow cannot(struct pv_vm *vm, const char *what) {
  if (pv_stands_at_end(vm)) return PV_FLOW_LEAVE;
  pv_condition_add(vm->condition, PV_PROVISO_UNSUPPORTED, pv_user_file(vm), pv_user_line(vm),
                   "%s, which is not modelled, is not reached at %s:%u", what, pv_user_file(vm),
                   pv_user_line(vm));
  return pv_leave(vm, PV_CUT);
}

enum pv_flow pv_run_longjmp(struct pv_vm *vm, const struct pv_code_edge *ce) {
  if (vm->peek) return pv_leave(vm, PV_RAN);
  vm->saw_all = true;
  uint64_t address = pv_operand(vm, ce, 0), value = pv_operand(vm, ce, 1);
  struct pv_object *o = pv_object_at(vm, address);
  bool is_slot = o && o->kind == PV_OBJ_SLOT && o->base == address;
  const struct pv_code_edge *to = is_slot ? edge_of(vm, o->site, o->slot) : NULL;
  if (!to) return pv_fault(vm, PV_PROP_DEF_BEHAVIOR, "longjmp with what setjmp has not set");
  const char *name = vm->program->functions.at[to->function].name;
  if (!(pv_object_state(vm, o) & PV_MEM_LIVE))
    return pv_fault(vm, PV_PROP_DEF_BEHAVIOR, "longjmp into %s, which has ended", name);
  if (o->thread != vm->thread)
    return pv_fault(vm, PV_PROP_DEF_BEHAVIOR, "longjmp into %s of another thread", name);
  const char *why = refusal(vm, o->depth);
  if (why) return cannot(vm, why);
  uint32_t depth = o->depth, marker = (uint32_t)(o - vm->objects.at);
  while (vm->threads[vm->thread].depth > depth) pv_frame_pop(vm, vm->thread);
  pv_frame_enter(vm, vm->thread);
  end_younger(vm, to->function, &vm->objects.at[marker]);
  for_copies(vm, to->function, to->edge->aux, forget);
  vm->frame->pc = to->resume;
  pv_set_var(vm, to, to->d, to->edge->dst, value & pv_mask(32));
  return PV_FLOW_JUMP;
}
