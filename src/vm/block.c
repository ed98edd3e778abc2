/* block.c -- copies and fills of memory blocks, piece by piece if other threads can observe
 * them. */
#include "vm/edge_internal.h"

#include <string.h>

enum pv_flow pv_block_fault(struct pv_vm *vm, const char *verb, uint64_t address, uint64_t n,
                            const char *why) {
  struct pv_str name = {0};
  pv_vm_name_address(vm, address, &name);
  enum pv_flow flow =
      pv_fault(vm, PV_PROP_VALID_DEREF, "%s of %llu bytes %s%s%s%s", verb, (unsigned long long)n,
               why, name.n ? " (" : "", pv_str_cstr(&name), name.n ? ")" : "");
  pv_str_free(&name);
  return flow;
}

/* Is the access as a whole invalid? If others can observe it, the thread parks before it first, as
 * before other accesses. */
static enum pv_flow whole_block(struct pv_vm *vm, const char *verb, uint64_t address, uint64_t n,
                                bool write) {
  enum pv_property property;
  const char *why = pv_access_fault(vm, address, n, write, &property);
  if (!why) return PV_FLOW_NEXT;
  if (pv_visible_access(vm, address, 1, write, false)) return PV_FLOW_LEAVE;
  return pv_block_fault(vm, verb, address, n, why);
}

/* Copies one chunk: a load and a store, each of them a visible operation if others can
 * observe it. */
static enum pv_flow copy_chunk(struct pv_vm *vm, uint64_t *regs, uint64_t to, uint64_t from,
                               uint32_t n) {
  if (!regs[PV_COPY_PHASE]) {
    if (pv_visible_access(vm, from, n, false, false)) return PV_FLOW_LEAVE;
    uint64_t value = 0;
    struct pv_object *o = pv_object_at(vm, from);
    enum pv_flow flow = pv_shared_access(vm, o, from, n, false, false);
    if (flow == PV_FLOW_NEXT) flow = pv_undefined_read(vm, o, from, n, UINT64_MAX);
    if (flow != PV_FLOW_NEXT) return flow;
    pv_memory_read(vm, o, from - o->base, &value, n, NULL);
    regs[PV_COPY_CHUNK] = value;
    regs[PV_COPY_SET] = pv_memory_set_bits(vm, o, from - o->base, n);
    if (regs[PV_COPY_SET] != UINT64_MAX) pv_first_read_copied(vm, to, from, n);
    regs[PV_COPY_PHASE] = 1;
  }
  if (pv_visible_access(vm, to, n, true, false)) return PV_FLOW_LEAVE;
  struct pv_object *o = pv_object_at(vm, to);
  enum pv_flow flow = pv_shared_access(vm, o, to, n, true, false);
  if (flow != PV_FLOW_NEXT) return flow;
  pv_memory_write_set(vm, o, to - o->base, &regs[PV_COPY_CHUNK], n, &regs[PV_COPY_SET]);
  if (pv_object_shared(vm, o)) {
    uint64_t v = regs[PV_COPY_CHUNK];
    if (v && n == vm->program->pointer_bits / 8)
      pv_publish(vm, v);
    else {
      uint64_t word = vm->program->pointer_bits / 8, at = (to - o->base) & ~(word - 1);
      if (at + word <= o->size) {
        v = 0;
        pv_memory_read(vm, o, at, &v, (uint32_t)word, NULL);
        if (v) pv_publish(vm, v);
      }
    }
  }
  if (vm->recorder && vm->recorder->stored)
    vm->recorder->stored(vm->recorder->user, vm->thread, to, n);
  regs[PV_COPY_PHASE] = 0;
  return PV_FLOW_NEXT;
}

static uint32_t chunk_of(const struct pv_vm *vm, const struct pv_edge *e, uint64_t to,
                         uint64_t from, bool all) {
  if (all) return 8;
  uint32_t word = vm->program->pointer_bits / 8, align = e->align ? e->align : 1;
  if (align > word) align = word;
  while (align > 1 && (to % align || from % align)) align /= 2;
  return align;
}

/* Checks an overwrite of memory: is a synchronisation object in it in use? */
static enum pv_flow overwrites(struct pv_vm *vm, uint64_t to, uint64_t n) {
  if (!vm->sched->in_use(pv_sched_seen(vm), to, n)) return PV_FLOW_NEXT;
  return pv_remark(vm, PV_PROP_DEF_BEHAVIOR,
                   "a synchronisation object is overwritten while in use");
}

enum pv_flow pv_run_copy(struct pv_vm *vm, const struct pv_code_edge *ce) {
  const struct pv_edge *e = ce->edge;
  uint64_t to = pv_operand(vm, ce, 0), from = pv_operand(vm, ce, 1), n = pv_operand(vm, ce, 2);
  uint64_t *regs = vm->regs + vm->code->functions[ce->function].copy_reg;
  if (!n) return vm->peek ? pv_leave(vm, PV_RAN) : PV_FLOW_NEXT;
  if (!vm->peek) {
    enum pv_flow flow = whole_block(vm, "copy", from, n, false);
    if (flow == PV_FLOW_NEXT) flow = whole_block(vm, "copy", to, n, true);
    if (flow == PV_FLOW_NEXT && to != from && !regs[PV_COPY_INDEX]) flow = overwrites(vm, to, n);
    if (flow == PV_FLOW_NEXT && e->aux == 1 && to != from && to < from + n && from < to + n)
      flow = pv_remark(vm, PV_PROP_DEF_BEHAVIOR, "memcpy between overlapping ranges");
    if (flow != PV_FLOW_NEXT) return flow;
  }
  bool backward = to > from && to < from + n;
  bool all = !pv_is_seen(vm, to) && !pv_is_seen(vm, from) && !vm->peek;
  bool large = all && !(to < from + n && from < to + n);
  while (regs[PV_COPY_INDEX] < n) {
    uint64_t index = regs[PV_COPY_INDEX];
    if (!vm->peek && pv_out_of_time(vm)) return pv_leave(vm, PV_CUT);
    /* A store uses the same chunks as the load before it, even if no other thread can observe it
     * any more. */
    uint32_t chunk = chunk_of(vm, e, to, from, large && !regs[PV_COPY_PHASE]);
    uint32_t part = n - index < chunk ? (uint32_t)(n - index) : chunk;
    uint64_t at = backward ? n - index - part : index;
    enum pv_flow flow = copy_chunk(vm, regs, to + at, from + at, part);
    if (flow != PV_FLOW_NEXT) return flow;
    regs[PV_COPY_INDEX] += part;
  }
  memset(regs, 0, PV_COPY_REGS * sizeof *regs);
  vm->sched->copy(pv_sched_seen(vm), to, from, n);
  pv_sched_changed(vm); /* its size may have changed */
  return PV_FLOW_NEXT;
}

enum pv_flow pv_run_fill(struct pv_vm *vm, const struct pv_code_edge *ce) {
  const struct pv_edge *e = ce->edge;
  uint64_t to = pv_operand(vm, ce, 0), byte = pv_operand(vm, ce, 1) & 0xff,
           n = pv_operand(vm, ce, 2);
  uint64_t *regs = vm->regs + vm->code->functions[ce->function].copy_reg;
  uint64_t pattern = byte * UINT64_C(0x0101010101010101);
  if (!n) return vm->peek ? pv_leave(vm, PV_RAN) : PV_FLOW_NEXT;
  enum pv_flow whole = vm->peek ? PV_FLOW_NEXT : whole_block(vm, "fill", to, n, true);
  if (whole == PV_FLOW_NEXT && !vm->peek && !regs[PV_COPY_INDEX]) whole = overwrites(vm, to, n);
  if (whole != PV_FLOW_NEXT) return whole;
  uint32_t chunk = chunk_of(vm, e, to, to, !pv_is_seen(vm, to) && !vm->peek);
  while (regs[PV_COPY_INDEX] < n) {
    uint64_t index = regs[PV_COPY_INDEX];
    if (!vm->peek && pv_out_of_time(vm)) return pv_leave(vm, PV_CUT);
    uint32_t part = n - index < chunk ? (uint32_t)(n - index) : chunk;
    if (pv_visible_access(vm, to + index, part, true, false)) return PV_FLOW_LEAVE;
    struct pv_object *o = pv_object_at(vm, to);
    enum pv_flow flow = pv_shared_access(vm, o, to + index, part, true, false);
    if (flow != PV_FLOW_NEXT) return flow;
    pv_memory_write(vm, o, to + index - o->base, &pattern, part);
    regs[PV_COPY_INDEX] += part;
  }
  memset(regs, 0, PV_COPY_REGS * sizeof *regs);
  vm->sched->forget(pv_sched_seen(vm), to, n);
  if (vm->recorder && vm->recorder->stored)
    vm->recorder->stored(vm->recorder->user, vm->thread, to, (uint32_t)n);
  return PV_FLOW_NEXT;
}
