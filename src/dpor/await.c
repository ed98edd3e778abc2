#include "dpor/await.h"

#include <stdlib.h>
#include <string.h>

enum {
  ROUND = 64 /* events */,
  TIMES = 4 /* TIMES: how often a round may pass its starting point */
};

struct frames {
  struct pv_vm *vm;
  unsigned thread;
  struct pv_predicate *predicate;
  PV_VEC(uint32_t) components;
  PV_VEC(bool) same; /* the component has the value that it had at the oldest change seen */
};

static bool is_frame(void *user, uint32_t component, const uint8_t *was, uint32_t n) {
  const struct frames *f = user;
  const struct pv_comp *c = pv_vm_component(f->vm, component);
  (void)was, (void)n;
  return c->kind == PV_COMP_FRAME && c->owner >> 24 == f->thread;
}

bool pv_await_quiet(const struct pv_trace *t, const struct pv_dpor_event *e) {
  struct frames f = {.vm = t->vm, .thread = e->transition.thread};
  return pv_journal_visit(&t->journal, e->before, pv_journal_at(&t->journal), is_frame, &f);
}

struct change {
  uint32_t component, n;
  const uint8_t *was; /* its value at the oldest change seen */
};
struct changes {
  struct frames frames;
  PV_VEC(struct change) list;
};

static bool note_change(void *user, uint32_t component, const uint8_t *was, uint32_t n) {
  struct changes *c = user;
  if (is_frame(&c->frames, component, was, n)) return true;
  uint32_t i = 0;
  while (i < c->list.n && c->list.at[i].component != component) i++;
  struct change oldest = {component, n, was};
  if (i < c->list.n)
    c->list.at[i] = oldest;
  else
    pv_vec_push(&c->list, oldest);
  return true;
}

/* Did only frames of the thread change since the mark? A component that changed and changed back
 * counts as unchanged. heap: the number of transitions at the mark (heap.h). */
static bool is_unchanged(const struct pv_trace *t, unsigned thread, pv_journal_mark mark,
                         uint32_t heap) {
  struct changes c = {.frames = {.vm = t->vm, .thread = thread}};
  bool same = t->heap.at.n == heap && pv_vm_exclusive(t->vm) == PV_NO_THREAD;
  if (same) pv_journal_visit(&t->journal, mark, pv_journal_at(&t->journal), note_change, &c);
  for (uint32_t i = 0; i < c.list.n && same; i++) {
    const struct change *was = &c.list.at[i];
    const struct pv_comp *is = pv_vm_component(t->vm, was->component);
    same = is->n == was->n && (!is->n || !memcmp(is->data, was->was, is->n));
  }
  pv_vec_free(&c.list);
  return same;
}

static bool is_where(const struct pv_pending *now, const struct pv_dpor_event *e) {
  const struct pv_pending *then = &e->transition.what;
  return then->kind == now->kind && then->edge == now->edge && then->address == now->address;
}

/* Has the thread executed the same operation before, not long ago? (Otherwise the question does not
 * arise.) */
static bool has_come_before(const struct pv_trace *t, const struct pv_dpor_event *e) {
  unsigned thread = e->transition.thread;
  for (uint32_t i = t->of[thread].n - 1, k = 0; i-- && k < ROUND; k++)
    if (is_where(&e->transition.what, &t->events.at[t->of[thread].at[i].event])) return true;
  return false;
}

bool pv_await_idle(const struct pv_trace *t, const struct pv_dpor_event *e) {
  switch (e->transition.what.kind) {
  case PV_PEND_ACCESS: return e->quiet;
  case PV_PEND_LOCAL:
  /* A loop that only depends on the thread itself. */
  case PV_PEND_INPUT: return pv_await_quiet(t, e);
  case PV_PEND_PRIM:
  case PV_PEND_ATOMIC:
    return has_come_before(t, e) && is_unchanged(t, e->transition.thread, e->before, e->heap);
  default: return false;
  }
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

/* Are the relevant parts of the thread's frames as they were at the mark? */
static bool are_as_at(const struct pv_trace *t, unsigned thread, pv_journal_mark mark) {
  struct frames f = {.vm = t->vm, .thread = thread, .predicate = t->predicate};
  bool same = true;
  pv_journal_visit(&t->journal, mark, pv_journal_at(&t->journal), compare, &f);
  for (uint32_t i = 0; i < f.same.n; i++) same = same && f.same.at[i];
  pv_vec_free(&f.components);
  pv_vec_free(&f.same);
  return same;
}

/* Is the thread parked at an operation with which a round may begin? */
static bool may_begin(const struct pv_pending *p) {
  return p->kind == PV_PEND_ACCESS || p->kind == PV_PEND_PRIM || p->kind == PV_PEND_ATOMIC ||
         p->kind == PV_PEND_LOCAL || p->kind == PV_PEND_INPUT;
}

bool pv_await_returned(const struct pv_trace *t, unsigned thread) {
  const struct pv_enabled_set *f = pv_trace_enabled_set(t);
  if (!(f->alive & ~f->stuck & PV_THREAD_BIT(thread))) return false;
  const struct pv_pending *now = &t->pendings.at[f->at[thread].next];
  if (!may_begin(now)) return false;
  unsigned times = 0;
  /* True for each event of the round; its events are the last ones of the thread. */
  bool idle = true, alone = true;
  for (uint32_t i = t->of[thread].n, k = 0; i-- && k < ROUND && times < TIMES; k++) {
    uint32_t event = t->of[thread].at[i].event;
    const struct pv_dpor_event *e = &t->events.at[event];
    idle = idle && e->idle;
    alone = alone && event + k + 1 == t->events.n;
    if (!idle && !alone) return false;
    if (!is_where(now, e)) continue;
    if (are_as_at(t, thread, e->before) && (idle || is_unchanged(t, thread, e->before, e->heap)))
      return true;
    times++;
  }
  return false;
}
