#include "dpor/await.h"

enum { ROUND = 64 }; /* events */

static bool is_frame_of(const struct pv_vm *vm, uint32_t component, const void *thread) {
  const struct pv_comp *c = pv_vm_component((struct pv_vm *)(uintptr_t)vm, component);
  return c->kind == PV_COMP_FRAME && c->owner >> 24 == *(const unsigned *)thread;
}

bool pv_await_quiet(const struct pv_trace *t, unsigned thread) {
  const uint32_t *list;
  uint32_t n = pv_vm_dirty(t->vm, &list);
  for (uint32_t i = 0; i < n; i++)
    if (!is_frame_of(t->vm, list[i], &thread) && pv_journal_differs(&t->journal, list[i]))
      return false;
  return true;
}

bool pv_await_returned(const struct pv_trace *t, unsigned thread) {
  struct pv_pending now;
  pv_vm_pending(t->vm, thread, &now);
  if (now.kind != PV_PEND_ACCESS) return false;
  for (uint32_t i = t->of[thread].n, k = 0; i-- && k < ROUND; k++) {
    const struct pv_dpor_event *e = &t->events.at[t->of[thread].at[i]];
    if (!e->quiet) return false;
    if (e->deed.what.edge != now.edge || e->deed.what.address != now.address) continue;
    return pv_journal_unchanged(&t->journal, e->before, is_frame_of, &thread);
  }
  return false;
}
