#include "vm/moves.h"

void pv_moves_peek(struct pv_vm *vm, struct pv_pending next[PV_MAX_THREADS], struct pv_moves *out) {
  *out = (struct pv_moves){.n = pv_vm_threads(vm), .exclusive = pv_vm_exclusive(vm)};
  pv_threads may_run = pv_vm_may_run(vm);
  for (unsigned t = 0; t < out->n; t++) {
    pv_vm_pending(vm, t, &next[t]);
    out->next[t] = &next[t];
    out->alternatives[t] = (uint16_t)next[t].alternatives;
    out->progress[t] = (uint16_t)next[t].progress;
    if (next[t].kind != PV_PEND_NONE) out->alive |= PV_THREAD_BIT(t);
    if (out->exclusive != PV_NO_THREAD && out->exclusive != t) continue;
    if (!(may_run & PV_THREAD_BIT(t))) continue;
    if (next[t].alternatives) out->able |= PV_THREAD_BIT(t);
    if (next[t].progress) out->lively |= PV_THREAD_BIT(t);
  }
}

/* ---- what a state shows ---------------------------------------------------------------------- */
bool pv_moves_conflict(const struct pv_moves *m, bool (*f)(void *user, unsigned a, unsigned b),
                       void *user) {
  PV_FOR_THREADS(i, m->alive)
  PV_FOR_THREADS(k, m->alive & ~(PV_THREAD_BIT(i) | (PV_THREAD_BIT(i) - 1)))
  if (pv_pending_conflict(m->next[i], m->next[k]) && f(user, i, k)) return true;
  return false;
}

struct races {
  struct pv_vm *vm;
  void (*found)(void *user, const struct pv_event *event);
  void *user;
};

static bool tell_race(void *user, unsigned a, unsigned b) {
  struct races *r = user;
  if (pv_vm_race(r->vm, a, b)) r->found(r->user, pv_vm_event(r->vm));
  return false;
}

bool pv_moves_stuck(const struct pv_vm *vm, const struct pv_moves *m) {
  return !m->lively && pv_vm_alive(vm);
}

static void tell_exclusion(struct pv_vm *vm, const struct pv_moves *m,
                           void (*found)(void *user, const struct pv_event *event), void *user) {
  pv_threads inside = 0;
  PV_FOR_THREADS(t, m->alive)
  if (pv_vm_region(vm, t)) inside |= PV_THREAD_BIT(t);
  PV_FOR_THREADS(i, inside)
  PV_FOR_THREADS(k, inside & ~(PV_THREAD_BIT(i) | (PV_THREAD_BIT(i) - 1))) {
    pv_vm_explain_exclusion(vm, i, k);
    found(user, pv_vm_event(vm));
  }
}

struct counted {
  struct pv_vm *vm;
  void (*found)(void *user, const struct pv_event *event);
  void *user;
};

/* Of a program with a goal only its errors count. */
static void tell_counted(void *user, const struct pv_event *event) {
  const struct counted *c = user;
  if (pv_vm_at_goal(c->vm, event)) c->found(c->user, event);
}

void pv_state_errors(struct pv_vm *vm, const struct pv_task *task, const struct pv_moves *m,
                     void (*found)(void *user, const struct pv_event *event), void *user) {
  struct counted counted = {vm, found, user};
  if (task->program->goal.set) {
    found = tell_counted;
    user = &counted;
  }
  pv_properties asked = task->properties;
  bool invariants = asked & PV_PROP_BIT(PV_PROP_INVARIANT);
  for (uint32_t i = 0; invariants && i < task->options->invariant.n; i++)
    if (!pv_vm_invariant(vm, i)) found(user, pv_vm_event(vm));
  if (asked & PV_PROP_BIT(PV_PROP_MUTUAL_EXCLUSION)) tell_exclusion(vm, m, found, user);
  if (m->exclusive != PV_NO_THREAD) return;
  struct races r = {vm, found, user};
  if (asked & PV_PROP_BIT(PV_PROP_NO_DATA_RACE)) pv_moves_conflict(m, tell_race, &r);
  if (!(asked & PV_PROP_BIT(PV_PROP_NO_DEADLOCK)) || !pv_moves_stuck(vm, m)) return;
  pv_vm_explain_deadlock(vm);
  found(user, pv_vm_event(vm));
}
