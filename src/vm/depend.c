#include "vm/depend.h"

static bool is_exit(const struct pv_prim_call *c) {
  return c->prim->role == PV_ROLE_EXITS;
}

/* Does the primitive affect the object at the address? One of class THREAD reads no memory: the
 * argument of a new thread is a number. */
static bool prim_touches(const struct pv_vm *vm, const struct pv_sched *sched,
                         const struct pv_prim_call *c, uint64_t address) {
  uint32_t object = pv_vm_object(vm, address);
  if (object == UINT32_MAX) return false;
  if (c->prim->class == PV_PRIM_THREAD) {
    uint64_t written = sched->writes(c);
    return (written && pv_vm_object(vm, written) == object) ||
           (is_exit(c) &&
            pv_vm_object_thread(vm, object) == c->thread); /* it ends with its thread */
  }
  for (unsigned i = 0; i < c->prim->n_args && i < 6; i++)
    if (pv_vm_object(vm, c->args[i]) == object) return true;
  return false;
}

/* Do the bytes of an access overlap with those that the primitive reads, writes, or whose
 * synchronisation object it uses? A mutex is often in one object with the data it protects. The
 * last access of a copy reinitialises all synchronisation objects that it overwrote. */
static bool prim_meets_access(const struct pv_vm *vm, const struct pv_sched *sched,
                              const struct pv_prim_call *c, const struct pv_pending *access) {
  if (!prim_touches(vm, sched, c, access->address)) return false;
  bool anew = access->edge->op == PV_OP_COPY || access->edge->op == PV_OP_FILL;
  if (c->prim->class != PV_PRIM_OBJECT || anew) return true;
  unsigned objects = c->prim->two_objects ? 2 : 1;
  for (unsigned i = 0; i < c->prim->n_args && i < 6; i++) {
    bool same = pv_vm_object(vm, c->args[i]) == pv_vm_object(vm, access->address);
    uint64_t end = c->args[i] + PV_SYNC_BYTES;
    if (same &&
        (i >= objects || (access->address < end && c->args[i] < access->address + access->bytes)))
      return true;
  }
  return false;
}

/* Does the object that the call uses or writes end with the thread that the other call ends? */
static bool goes_with(const struct pv_vm *vm, const struct pv_sched *sched,
                      const struct pv_prim_call *c, const struct pv_prim_call *exit) {
  if (!is_exit(exit)) return false;
  uint64_t at[2] = {c->args[0], c->args[1]};
  unsigned n = c->prim->two_objects ? 2 : 1;
  if (c->prim->class != PV_PRIM_OBJECT) at[0] = sched->writes(c);
  for (unsigned i = 0; i < n; i++) {
    uint32_t object = at[i] ? pv_vm_object(vm, at[i]) : UINT32_MAX;
    if (object != UINT32_MAX && pv_vm_object_thread(vm, object) == exit->thread) return true;
  }
  return false;
}

bool pv_goes_with_thread(const struct pv_vm *vm, const struct pv_sched *sched,
                         const struct pv_prim_call *a, const struct pv_prim_call *b) {
  return goes_with(vm, sched, a, b) || goes_with(vm, sched, b, a);
}

static bool ranges_meet(const struct pv_pending *a, const struct pv_pending *b) {
  return a->address < b->address + b->bytes && b->address < a->address + a->bytes;
}

static bool stores(const struct pv_pending *p) {
  return p->write && !p->stays;
}

static bool accesses_independent(const struct pv_pending *a, const struct pv_pending *b) {
  if (!stores(a) && !stores(b)) return true;
  if (!ranges_meet(a, b)) return true;
  return pv_only_adds(a->edge) && pv_only_adds(b->edge) && a->address == b->address &&
         a->bytes == b->bytes;
}

/* Does the operation leave a single thread? Operations of a single thread are invisible, so it ends
 * the other thread's steps. */
static bool leaves_one(const struct pv_vm *vm, const struct pv_pending *p) {
  return p->kind == PV_PEND_PRIM && pv_vm_alive(vm) == 2 && !pv_vm_is_observed(vm) &&
         is_exit(&p->call);
}

/* Does the object at the address end with `end`? */
static bool ends(const struct pv_vm *vm, const struct pv_pending *end, uint64_t address) {
  uint32_t object = pv_vm_object(vm, address);
  if (object == UINT32_MAX) return false;
  return end->bytes ? object == pv_vm_object(vm, end->address)
                    : pv_vm_object_thread(vm, object) == end->thread;
}

static bool prim_meets_end(const struct pv_vm *vm, const struct pv_prim_call *c,
                           const struct pv_pending *end) {
  for (unsigned i = 0; i < c->prim->n_args && i < 6; i++)
    if (ends(vm, end, c->args[i])) return true;
  return false;
}

/* Independence of a SCOPE from an operation whose kind comes before it in the enumeration. */
static bool scope_independent(const struct pv_vm *vm, const struct pv_pending *a,
                              const struct pv_pending *end) {
  switch (a->kind) {
  case PV_PEND_LOCAL:
  case PV_PEND_INPUT:
  case PV_PEND_SCOPE: return true; /* each ends its own objects */
  case PV_PEND_ACCESS:
  case PV_PEND_FREE: return !ends(vm, end, a->address);
  case PV_PEND_PRIM: return !prim_meets_end(vm, &a->call, end);
  default: return false;
  }
}

bool pv_independent(const struct pv_vm *vm, const struct pv_sched *sched,
                    const struct pv_pending *a, const struct pv_pending *b) {
  if (a->kind > b->kind) { /* a is the one whose kind comes first */
    const struct pv_pending *c = a;
    a = b;
    b = c;
  }
  if (leaves_one(vm, a) || leaves_one(vm, b)) return false;
  /* Kinds that depend on everything come last in the enumeration, except ALLOC. */
  switch (b->kind) {
  case PV_PEND_NONE:
  case PV_PEND_ALLOC: /* which addresses are reused depends on all existing pointers */
  case PV_PEND_ATOMIC:
  case PV_PEND_END: return false;
  case PV_PEND_SCOPE: return a->kind != PV_PEND_ALLOC && scope_independent(vm, a, b);
  default: break;
  }
  switch (a->kind) {
  case PV_PEND_LOCAL:
  case PV_PEND_INPUT: return true;
  case PV_PEND_ACCESS:
    if (b->kind == PV_PEND_INPUT) return true;
    if (b->kind == PV_PEND_ACCESS) return accesses_independent(a, b);
    if (b->kind == PV_PEND_FREE)
      return pv_vm_object(vm, a->address) != pv_vm_object(vm, b->address);
    return b->kind == PV_PEND_PRIM && !prim_meets_access(vm, sched, &b->call, a);
  case PV_PEND_PRIM:
    if (b->kind == PV_PEND_INPUT) return true;
    if (b->kind == PV_PEND_PRIM)
      return !pv_goes_with_thread(vm, sched, &a->call, &b->call) &&
             sched->independent(&a->call, &b->call);
    return b->kind == PV_PEND_FREE && !prim_touches(vm, sched, &a->call, b->address);
  case PV_PEND_FREE:
    return b->kind == PV_PEND_FREE && pv_vm_object(vm, a->address) != pv_vm_object(vm, b->address);
  default: return false;
  }
}
