/* fresh.c -- allocations that are invisible to other threads: pv_vm_fresh. */
#include "vm/edge_internal.h"

#include <stdlib.h>

#include "base/bytes.h"

void pv_vm_fresh(struct pv_vm *vm) {
  vm->fresh.on = true;
}

bool pv_vm_may_come_back(const struct pv_vm *vm, bool mapping, uint64_t size) {
  if (!vm->fresh.on) return vm->compares_pointers;
  for (uint32_t i = 0; i < vm->fresh.back.n; i++)
    if (vm->fresh.back.at[i].size == size && vm->fresh.back.at[i].mapping == mapping) return true;
  return false;
}

void pv_vm_comes_back(struct pv_vm *vm, bool mapping, uint64_t size) {
  struct pv_heap_size back = {size, mapping};
  if (!pv_vm_may_come_back(vm, mapping, size)) pv_vec_push(&vm->fresh.back, back);
}

const struct pv_heap_event *pv_vm_heap_events(const struct pv_vm *vm, uint32_t *n) {
  *n = vm->fresh.transitions.n;
  return vm->fresh.transitions.at;
}

static bool is_kept(const struct pv_vm *vm, const struct pv_object *o) {
  for (uint32_t i = 0; i < vm->fresh.kept.n; i++) {
    const struct pv_kept_object *k = &vm->fresh.kept.at[i];
    if (k->kind == o->kind && k->site == o->site && k->slot == o->slot) return true;
  }
  return false;
}

void pv_vm_keep(struct pv_vm *vm, uint32_t object) {
  const struct pv_object *o = &vm->objects.at[object];
  struct pv_kept_object k = {o->kind, o->site, o->slot};
  if (!is_kept(vm, o)) pv_vec_push(&vm->fresh.kept, k);
}

bool pv_fresh_keeps(struct pv_vm *vm, const struct pv_object *o) {
  if (o->kind == PV_OBJ_HEAP) return true;
  if (is_kept(vm, o)) return true;
  bool pointed_to = pv_object_referenced(vm, o);
  struct pv_heap_event d = {.thread = vm->thread,
                            .object = (uint32_t)(o - vm->objects.at),
                            .again = true,
                            .pointed_to = pointed_to,
                            .used = vm->sched->used_set(pv_sched_seen(vm))};
  if (pv_is_observed(vm) && !vm->silent) pv_vec_push(&vm->fresh.transitions, d);
  return pointed_to;
}

/* Are allocations reported instead of being visible? Not while there is a single thread. */
static bool tells(const struct pv_vm *vm) {
  return vm->fresh.on && vm->compares_pointers && pv_is_observed(vm) && !vm->silent;
}

static void tell_free(struct pv_vm *vm, const struct pv_object *o, unsigned thread, bool shared) {
  struct pv_heap_event d = {.size = o->size,
                            .thread = thread,
                            .object = (uint32_t)(o - vm->objects.at),
                            .mapping = pv_object_is_mapping(o),
                            .frees = true,
                            .shared = shared,
                            .used = vm->sched->used_set(pv_sched_seen(vm))};
  if (!pv_vm_may_come_back(vm, d.mapping, d.size)) pv_vec_push(&vm->fresh.transitions, d);
}

/* The objects to which the thread holds pointers, computed as if it parked here. */
static uint64_t held_here(struct pv_vm *vm, const struct pv_code_edge *ce) {
  const uint32_t *kill = vm->code->kills.at + ce->kill;
  for (uint32_t i = 0; i < ce->n_kill; i++) vm->regs[kill[i]] = 0;
  return pv_objects_held(vm, vm->thread);
}

void pv_fresh_eager(struct pv_vm *vm, const struct pv_code_edge *ce) {
  if (!tells(vm)) return;
  vm->held_eagerly |= held_here(vm, ce);
  vm->eager_threads |= UINT64_C(1) << vm->thread;
}

bool pv_fresh_allocates(struct pv_vm *vm, const struct pv_code_edge *ce, uint64_t size) {
  bool mapping = pv_heap_kind(ce->edge->aux) != PV_HEAP_MALLOC;
  if (!tells(vm) || pv_vm_may_come_back(vm, mapping, size)) return false;
  if (vm->peek || pv_hides(vm)) return true;
  uint64_t held = held_here(vm, ce); /* first, because dead registers point nowhere */
  const struct pv_edge *user = pv_user_edge(vm)->edge;
  struct pv_heap_event d = {.size = size,
                            .thread = vm->thread,
                            .mapping = mapping,
                            .comes_back = pv_heap_reusable(vm, ce->edge->aux, size),
                            .held = held,
                            .span = user ? user->span : 0};
  pv_vec_push(&vm->fresh.transitions, d);
  return true;
}

void pv_fresh_frees(struct pv_vm *vm, const struct pv_object *o, bool shared) {
  if (tells(vm) && !pv_hides(vm)) tell_free(vm, o, vm->thread, shared);
}

void pv_fresh_begin(struct pv_vm *vm) {
  vm->fresh.transitions.n = 0;
}

void pv_fresh_end(struct pv_vm *vm) {
  for (uint32_t i = 0; i < vm->fresh.transitions.n; i++) {
    struct pv_heap_event *d = &vm->fresh.transitions.at[i];
    if (d->again) continue;
    const struct pv_object *o = &vm->objects.at[d->object];
    bool ended = d->frees && (pv_object_state(vm, o) & PV_MEM_ENDED);
    d->pointed_to = ended && pv_object_referenced(vm, o);
  }
}

void pv_vm_tell_freed(struct pv_vm *vm) {
  pv_fresh_begin(vm);
  for (uint32_t i = 0; tells(vm) && i < vm->objects.n; i++) {
    const struct pv_object *o = &vm->objects.at[i];
    bool ended = o->kind == PV_OBJ_HEAP && (pv_object_state(vm, o) & PV_MEM_ENDED);
    if (ended) tell_free(vm, o, 0, false);
  }
  pv_fresh_end(vm);
}

/* ---- as bytes -------------------------------------------------------------------------------- */
void pv_vm_fresh_write(const struct pv_vm *vm, struct pv_str *out) {
  pv_put_number(out, vm->renumbers);
  pv_put_number(out, vm->fresh.back.n);
  for (uint32_t i = 0; i < vm->fresh.back.n; i++) {
    pv_put_number(out, vm->fresh.back.at[i].size);
    pv_put_number(out, vm->fresh.back.at[i].mapping);
  }
  pv_put_number(out, vm->fresh.kept.n);
  for (uint32_t i = 0; i < vm->fresh.kept.n; i++) {
    pv_put_number(out, vm->fresh.kept.at[i].kind);
    pv_put_number(out, vm->fresh.kept.at[i].site);
    pv_put_number(out, vm->fresh.kept.at[i].slot);
  }
}

bool pv_vm_fresh_read(struct pv_vm *vm, struct pv_bytes *in) {
  vm->renumbers = pv_take_up_to(in, 1);
  for (uint32_t n = pv_take_count(in); n && !in->wrong; n--) {
    uint64_t size = pv_take_number(in);
    pv_vm_comes_back(vm, pv_take_up_to(in, 1), size);
  }
  for (uint32_t n = pv_take_count(in); n && !in->wrong; n--) {
    struct pv_kept_object k = {.kind = (uint32_t)pv_take_up_to(in, UINT32_MAX)};
    k.site = (uint32_t)pv_take_up_to(in, UINT32_MAX);
    k.slot = (uint32_t)pv_take_up_to(in, UINT32_MAX);
    pv_vec_push(&vm->fresh.kept, k);
  }
  return !in->wrong;
}
