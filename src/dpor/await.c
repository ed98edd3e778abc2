#include "dpor/await.h"

#include <stdlib.h>
#include <string.h>

enum { ROUND = 64 /* events */, TIMES = 4 /* that a round may come past where it began */ };

struct frames {
  struct pv_vm *vm;
  unsigned thread;
  struct pv_predicate *predicate;
  PV_VEC(uint32_t) components;
  PV_VEC(bool) same; /* the component is what it was at the oldest change seen */
};

static bool is_frame(void *user, uint32_t component, const uint8_t *was, uint32_t n) {
  const struct frames *f = user;
  const struct pv_comp *c = pv_vm_component(f->vm, component);
  (void)was, (void)n;
  return c->kind == PV_COMP_FRAME && c->owner >> 24 == f->thread;
}

bool pv_await_quiet(const struct pv_trace *t, const struct pv_dpor_event *e) {
  struct frames f = {.vm = t->vm, .thread = e->deed.thread};
  return pv_journal_visit(&t->journal, e->before, pv_journal_at(&t->journal), is_frame, &f);
}

static bool matters(void *predicate, uint32_t function, uint32_t var) {
  return !predicate || pv_predicate_reads(predicate, function, var);
}

static bool compare(void *user, uint32_t component, const uint8_t *was, uint32_t n) {
  struct frames *f = user;
  if (!is_frame(user, component, was, n)) return true;
  uint32_t i = 0;
  while (i < f->components.n && f->components.at[i] != component) i++;
  if (i == f->components.n) {
    pv_vec_push(&f->components, component);
    pv_vec_push(&f->same, true);
  }
  f->same.at[i] = pv_vm_frame_is_as(f->vm, component, was, n, matters, f->predicate);
  return true;
}

/* Are the thread's frames what they were at the mark, as far as that matters? */
static bool are_as_at(const struct pv_trace *t, unsigned thread, pv_journal_mark mark) {
  struct frames f = {.vm = t->vm, .thread = thread, .predicate = t->predicate};
  bool same = true;
  pv_journal_visit(&t->journal, mark, pv_journal_at(&t->journal), compare, &f);
  for (uint32_t i = 0; i < f.same.n; i++) same = same && f.same.at[i];
  pv_vec_free(&f.components);
  pv_vec_free(&f.same);
  return same;
}

bool pv_await_returned(const struct pv_trace *t, unsigned thread) {
  struct pv_pending now;
  pv_vm_pending(t->vm, thread, &now);
  if (now.kind != PV_PEND_ACCESS) return false;
  unsigned times = 0;
  for (uint32_t i = t->of[thread].n, k = 0; i-- && k < ROUND && times < TIMES; k++) {
    const struct pv_dpor_event *e = &t->events.at[t->of[thread].at[i].event];
    if (!e->quiet) return false;
    if (e->deed.what.edge != now.edge || e->deed.what.address != now.address) continue;
    if (are_as_at(t, thread, e->before)) return true;
    times++;
  }
  return false;
}
