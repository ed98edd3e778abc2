#include "dpor/marks.h"

enum { INPUTS, THREADS, FIRST }; /* marks that belong to no object */
static const uint64_t all = ~(uint64_t)0;

static uint64_t bit(uint64_t number, unsigned from) {
  uint64_t hash = number * UINT64_C(0x9e3779b97f4a7c15) >> 32;
  return (uint64_t)1 << (from + hash % (64 - from));
}

/* The object at the address. If there is none, it is unknown which one is meant. */
static uint64_t object_at(const struct pv_vm *vm, uint64_t address) {
  uint32_t object = pv_vm_object(vm, address);
  return object == UINT32_MAX ? all : bit(object, FIRST);
}

static uint64_t places_of(const struct pv_pending *p) {
  uint64_t set = 0, first = p->address / 8;
  if (!p->bytes || p->bytes > 128) return all;
  for (uint64_t i = first; i <= (p->address + p->bytes - 1) / 8; i++) set |= bit(i, 0);
  return set;
}

/* As in vm/depend.c: the objects that end with a thread belong to its last operation. All other
 * effects of threads on each other are in their numbers, and in one place of memory. */
static uint64_t objects_of_thread_primitive(struct pv_vm *vm, const struct pv_sched *sched,
                                            const struct pv_prim_call *c) {
  uint64_t written = sched->writes(c);
  if (c->prim->role == PV_ROLE_EXITS && pv_vm_is_end_met(vm, c->thread)) return all;
  return (uint64_t)1 << THREADS | (written ? object_at(vm, written) : 0);
}

static uint64_t objects_of_primitive(struct pv_vm *vm, const struct pv_sched *sched,
                                     const struct pv_prim_call *c) {
  uint64_t set = c->prim->may_be_cancelled ? (uint64_t)1 << THREADS : 0;
  if (c->prim->class == PV_PRIM_THREAD) return objects_of_thread_primitive(vm, sched, c);
  unsigned first = c->prim->two_objects ? 2 : 1; /* the other arguments need not be addresses */
  for (unsigned i = 0; i < c->prim->n_args && i < 6; i++) {
    uint32_t object = pv_vm_object(vm, c->args[i]);
    if (object != UINT32_MAX)
      set |= bit(object, FIRST);
    else if (i < first)
      return all;
  }
  return set;
}

struct pv_marks pv_marks_of(struct pv_vm *vm, const struct pv_sched *sched,
                            const struct pv_pending *p) {
  switch (p->kind) {
  case PV_PEND_LOCAL:
  case PV_PEND_INPUT: return (struct pv_marks){(uint64_t)1 << INPUTS, all, false};
  case PV_PEND_ACCESS: return (struct pv_marks){object_at(vm, p->address), places_of(p), !p->write};
  case PV_PEND_FREE: return (struct pv_marks){object_at(vm, p->address), all, false};
  case PV_PEND_PRIM:
    return (struct pv_marks){objects_of_primitive(vm, sched, &p->call), all, false};
  default: return (struct pv_marks){all, all, false};
  }
}
