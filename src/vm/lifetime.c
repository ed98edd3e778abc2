/* lifetime.c -- begin and end of lifetimes: allocation, free, ends of blocks and functions, ends of
 * threads. */
#include "vm/edge_internal.h"

/* ---- stack objects --------------------------------------------------------------------------- */
static bool others_reach(struct pv_vm *vm, struct pv_object *o) {
  return o && (pv_object_state(vm, o) & PV_MEM_LIVE) && pv_object_shared(vm, o);
}

static bool others_reach_frame(struct pv_vm *vm, uint32_t function) {
  uint32_t slot = vm->code->functions[function].slot_reg;
  for (uint32_t i = 0; i < vm->program->functions.at[function].slots.n; i++)
    if (others_reach(vm, pv_object_at(vm, vm->regs[slot + i]))) return true;
  const uint32_t *owned = pv_frame_owned(vm);
  for (uint32_t i = 0; i < vm->frame->n_owned; i++)
    if (others_reach(vm, &vm->objects.at[owned[i]])) return true;
  return false;
}

bool pv_frame_is_reached(struct pv_vm *vm, uint32_t function) {
  return others_reach_frame(vm, function);
}

bool pv_stack_ends(struct pv_vm *vm, const struct pv_code_edge *ce, struct pv_object *o) {
  bool watched = pv_watched(vm);
  if (!watched && !vm->peek) return false;
  bool seen = watched && (o ? others_reach(vm, o) : others_reach_frame(vm, ce->function));
  if (!vm->peek && pv_hides(vm)) pv_note_hid(vm);
  if (vm->peek && o) {
    vm->peek->address = o->base;
    vm->peek->bytes = o->size < UINT32_MAX ? (uint32_t)o->size : UINT32_MAX;
  }
  if (vm->peek) vm->peek->write = true;
  return (seen || vm->peek) && pv_park(vm, pv_peeked_kind(vm, seen, PV_PEND_SCOPE), 1);
}

/* Adds a proviso if some pointer still refers to the object: its lifetime should end here, and the
 * pointer might be used afterwards. */
static void note_held(struct pv_vm *vm, const struct pv_code_edge *ce, uint32_t reg) {
  struct pv_object *o = pv_object_at(vm, vm->regs[reg]);
  const pv_properties about = PV_PROP_BIT(PV_PROP_VALID_DEREF) | PV_PROP_BIT(PV_PROP_DEF_BEHAVIOR);
  if (!o || !(vm->properties & about)) return;
  vm->regs[reg] = 0; /* in the frame itself */
  bool held = pv_object_referenced(vm, o);
  vm->regs[reg] = o->base;
  if (!held) return;
  pv_condition_add(vm->condition, PV_PROVISO_UNSUPPORTED, NULL, 0, "%s" PV_UNENDED, ce->edge->text);
}

enum pv_flow pv_run_slot(struct pv_vm *vm, const struct pv_code_edge *ce, bool begins) {
  uint32_t slot = ce->edge->aux;
  uint32_t reg = vm->code->functions[ce->function].slot_reg + slot;
  struct pv_object *o = pv_object_at(vm, vm->regs[reg]);
  if ((o || vm->peek) && pv_stack_ends(vm, ce, o)) return PV_FLOW_LEAVE;
  if (o && (ce->edge->flags & PV_EF_AGAIN)) {
    pv_object_forget(vm, o);
    return PV_FLOW_NEXT;
  }
  if (ce->edge->flags & PV_EF_HELD) {
    note_held(vm, ce, reg);
    return PV_FLOW_NEXT;
  }
  vm->regs[reg] = 0;
  if (o) pv_stack_object_end(vm, o);
  if (begins)
    vm->regs[reg] =
        pv_slot_address(vm, ce->function, slot, vm->thread, vm->threads[vm->thread].depth);
  return PV_FLOW_NEXT;
}

/* ---- allocation and free --------------------------------------------------------------------- */
void pv_vm_refuse_reuse(struct pv_vm *vm, uint32_t span) {
  const char *file = pv_span_file(vm->program, span);
  unsigned line = pv_span_of(vm->program, span)->line;
  pv_condition_add(vm->condition, PV_PROVISO_ADDRESS_REUSE, file, line,
                   "the allocation at %s:%u does not get the address of a freed object", file,
                   line);
}

enum pv_flow pv_run_alloc(struct pv_vm *vm, const struct pv_code_edge *ce) {
  const struct pv_edge *e = ce->edge;
  uint64_t size = pv_operand(vm, ce, 0);
  bool heap = pv_storage_on_heap(e->aux);
  unsigned alternative = 0;
  if (size > (uint64_t)1 << 28) {
    if (pv_stands_at_end(vm)) return PV_FLOW_LEAVE;
    pv_condition_add(vm->condition, PV_PROVISO_ENGINE, pv_user_file(vm), pv_user_line(vm),
                     "no object of more than 256 MiB is allocated at %s:%u", pv_user_file(vm),
                     pv_user_line(vm));
    return pv_leave(vm, PV_CUT);
  }
  bool fresh = heap && pv_fresh_allocates(vm, ce, size);
  if (heap && !fresh && vm->compares_pointers && !vm->silent) {
    unsigned freed = pv_heap_reusable(vm, e->aux, size);
    if (freed && vm->options->no_reuse) {
      pv_vm_refuse_reuse(vm, pv_user_edge(vm)->edge->span);
      freed = 0;
    }
    bool seen = freed || pv_watched(vm);
    if (vm->peek) {
      vm->peek->bytes = (uint32_t)size;
      vm->peek->write = e->aux == PV_STORAGE_MAPPING;
    }
    if (vm->peek || seen) {
      if (pv_park(vm, pv_peeked_kind(vm, seen, PV_PEND_ALLOC), freed + 1)) return PV_FLOW_LEAVE;
      alternative = vm->alternative;
    }
  } else if (vm->peek)
    return pv_leave(vm, PV_RAN);
  /* Its name is that of the program's call of the model. */
  bool calls = heap && e->aux != PV_STORAGE_GIVEN;
  uint32_t site = calls ? (uint32_t)(pv_user_edge(vm) - vm->code->edges.at)
                        : (uint32_t)(ce - vm->code->edges.at);
  struct pv_object *o = pv_heap_new(vm, e->aux, site, size, e->align ? e->align : 16, alternative);
  if (!o) return pv_leave(vm, PV_CUT);
  if (!heap) pv_frame_own(vm, (uint32_t)(o - vm->objects.at));
  pv_set_var(vm, ce, ce->d, e->dst, o->base);
  return PV_FLOW_NEXT;
}

static enum pv_flow free_fault(struct pv_vm *vm, uint64_t address, bool stream, const char *why) {
  struct pv_str name = {0};
  pv_vm_name_address(vm, address, &name);
  enum pv_flow flow = pv_fault(vm, PV_PROP_VALID_FREE, "%s of %s%s%s%s", stream ? "fclose" : "free",
                               why, name.n ? " (" : "", pv_str_cstr(&name), name.n ? ")" : "");
  pv_str_free(&name);
  return flow;
}

/* Why it is an error to end the object, or NULL. */
static const char *ends_badly(struct pv_vm *vm, const struct pv_object *o) {
  if (!(vm->properties & PV_PROP_BIT(PV_PROP_DEF_BEHAVIOR))) return NULL;
  const struct pv_sched_state *s = pv_sched_seen(vm);
  struct pv_sched_state then = {.n = s->n, .cap = s->n};
  then.data = memcpy(pv_alloc(s->n + 1), s->data, s->n);
  const char *misuse = vm->sched->forget(&then, o->base, o->size);
  free(then.data);
  return misuse;
}

enum pv_flow pv_run_free(struct pv_vm *vm, const struct pv_code_edge *ce) {
  static const char *const gives[] = {[PV_HEAP_MALLOC] = "an object that malloc did not give",
                                      [PV_HEAP_MAPPING] = "an object that mmap did not give",
                                      [PV_HEAP_STREAM] = "what is no open stream"};
  const struct pv_edge *e = ce->edge;
  uint64_t address = pv_operand(vm, ce, 0);
  bool heap = pv_storage_on_heap(e->aux), stream = e->aux == PV_STORAGE_STREAM;
  if (!address && !vm->peek) return PV_FLOW_NEXT;
  struct pv_object *o = pv_object_at(vm, address);
  if (vm->peek) vm->peek->address = address, vm->peek->write = true;
  if (vm->peek) vm->peek->bytes = o && o->size < UINT32_MAX ? (uint32_t)o->size : 1;
  bool visible = pv_watched(vm) && o && pv_object_met(vm, o);
  if (!vm->peek && !visible && pv_hides(vm) && o && pv_object_met(vm, o)) pv_note_hid(vm);
  enum pv_pend_kind kind = heap ? PV_PEND_FREE : PV_PEND_SCOPE;
  if ((vm->peek || visible) && pv_park(vm, pv_peeked_kind(vm, visible, kind), 1))
    return PV_FLOW_LEAVE;
  if (!o) return free_fault(vm, address, stream, "a pointer to no object");
  uint32_t state = pv_object_state(vm, o);
  if (heap && (o->kind != PV_OBJ_HEAP || o->slot != pv_heap_kind(e->aux)))
    return free_fault(vm, address, stream, gives[pv_heap_kind(e->aux)]);
  if (heap && (state & PV_MEM_ENDED))
    return free_fault(vm, address, stream,
                      stream ? "a stream that is already closed"
                             : "an object that is already freed");
  if (!(state & PV_MEM_LIVE)) return free_fault(vm, address, stream, "a pointer to no live object");
  if (address != o->base)
    return free_fault(vm, address, stream, "a pointer into the middle of an object");
  enum pv_flow flow = pv_foreign(vm, o);
  if (flow != PV_FLOW_NEXT) return flow;
  const char *misuse = ends_badly(vm, o);
  if (misuse) {
    flow = pv_remark(vm, PV_PROP_DEF_BEHAVIOR, "memory is freed: %s", misuse);
    if (flow != PV_FLOW_NEXT) return flow;
  }
  bool shared = pv_object_shared(vm, o);
  if (o->kind == PV_OBJ_ALLOCA)
    pv_stack_object_end(vm, o);
  else
    pv_object_end(vm, o, heap);
  if (heap) pv_fresh_frees(vm, o, shared);
  return PV_FLOW_NEXT;
}

/* ---- the end of a thread --------------------------------------------------------------------- */
void pv_thread_gone(struct pv_vm *vm, unsigned thread) {
  while (vm->threads[thread].depth) pv_frame_pop(vm, thread);
  pv_objects_note(vm);
  for (uint32_t i = 0; i < vm->objects.n; i++) {
    struct pv_object *o = &vm->objects.at[i];
    if (o->kind == PV_OBJ_TLS && o->thread == thread && (pv_object_state(vm, o) & PV_MEM_LIVE))
      pv_object_end(vm, o, true);
  }
}

bool pv_vm_is_end_met(struct pv_vm *vm, unsigned thread) {
  pv_objects_note(vm);
  for (uint32_t i = 0; i < vm->objects.n; i++)
    if (pv_vm_object_thread(vm, i) == thread && others_reach(vm, &vm->objects.at[i])) return true;
  return false;
}
