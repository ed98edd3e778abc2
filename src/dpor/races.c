/* races.c -- computes which events are ordered, and the races of an event (trace.h). */
#include "dpor/trace.h"

#include <string.h>

#include "vm/depend.h"

/* ---- order ----------------------------------------------------------------------------------- */
/* How does the order of two operations matter? The operation that a primitive waits for may depend
 * on anything before it. Memory accesses never wait. */
static enum pv_prim_order order_of_pending(const struct pv_trace *t, const struct pv_pending *a,
                                           const struct pv_pending *b) {
  if (a->kind == PV_PEND_END || b->kind == PV_PEND_END) return PV_PRIM_ORDER_FREE;
  bool prims = a->kind == PV_PEND_PRIM && b->kind == PV_PEND_PRIM;
  if (prims && !pv_goes_with_thread(t->vm, t->sched, &a->call, &b->call))
    return t->sched->order(&a->call, &b->call);
  if (!prims && pv_independent(t->vm, t->sched, a, b)) return PV_PRIM_ORDER_FREE;
  bool waits = b->kind == PV_PEND_PRIM && b->call.prim->may_block;
  return waits ? PV_PRIM_ORDER_MAY_GIVE : PV_PRIM_ORDER_MATTERS;
}

/* Do the accesses of a section commute with the other event, or with the accesses in it? */
static bool inner_commute(const struct pv_trace *t, uint32_t list,
                          const struct pv_transition *other) {
  uint32_t n, m = 1;
  const struct pv_pending *x = pv_section_accesses(&t->sections, list, &n), *y = &other->what;
  if (other->inner) y = pv_section_accesses(&t->sections, other->inner, &m);
  for (uint32_t i = 0; i < n; i++)
    for (uint32_t k = 0; k < m; k++)
      if (order_of_pending(t, &x[i], &y[k]) != PV_PRIM_ORDER_FREE) return false;
  return true;
}

static bool of_one_mutex(const struct pv_transition *a, const struct pv_transition *b) {
  return a->inner && b->inner && a->what.call.args[0] == b->what.call.args[0];
}

static enum pv_prim_order order_of(const struct pv_trace *t, const struct pv_transition *earlier,
                                   const struct pv_transition *later) {
  if (!pv_marks_meet(earlier->marks, later->marks)) return PV_PRIM_ORDER_FREE;
  if (!earlier->inner && !later->inner) return order_of_pending(t, &earlier->what, &later->what);
  bool commute = earlier->inner ? inner_commute(t, earlier->inner, later)
                                : inner_commute(t, later->inner, earlier);
  if (!commute) return PV_PRIM_ORDER_MATTERS;
  if (of_one_mutex(earlier, later)) return PV_PRIM_ORDER_FREE;
  return order_of_pending(t, &earlier->what, &later->what);
}

/* `a` races with `b`. A section can be one event only if it races only with sections, a chain only
 * if it races only with stores; otherwise it is split. */
static void come_apart_from(struct pv_trace *t, const struct pv_transition *a,
                            const struct pv_transition *b) {
  if (a->inner && !of_one_mutex(a, b)) pv_section_apart(&t->sections, a->what.call.args[0]);
  if (a->chain && (b->inner || !pv_chain_bears(&b->what)))
    pv_section_apart(&t->sections, a->what.address);
}

static void come_apart(struct pv_trace *t, const struct pv_transition *a,
                       const struct pv_transition *b) {
  come_apart_from(t, a, b);
  come_apart_from(t, b, a);
}

bool pv_trace_ordered(const struct pv_trace *t, const struct pv_transition *earlier,
                      const struct pv_transition *later) {
  return order_of(t, earlier, later) != PV_PRIM_ORDER_FREE;
}

const struct pv_clock *pv_trace_before(const struct pv_trace *t, uint32_t n, unsigned thread) {
  return pv_trace_base(t, t->enabled_sets.at[n].at[thread].base);
}

/* Goes through the events of thread q, from the last one down to those that are ordered anyway. For
 * events that come before `transition`, joins their clocks and adds those that may race with it. */
static void look_back(struct pv_trace *t, unsigned q, const struct pv_transition *transition,
                      uint32_t bound, struct pv_clock *clock) {
  for (uint32_t i = t->of[q].n; i > bound; i--) {
    const struct pv_own_event *own = &t->of[q].at[i - 1];
    if (!pv_marks_meet(own->marks, transition->marks)) continue;
    const struct pv_dpor_event *e = &t->events.at[own->event];
    enum pv_prim_order o = order_of(t, &e->transition, transition);
    if (o == PV_PRIM_ORDER_FREE) continue;
    come_apart(t, &e->transition, transition);
    pv_clock_join(t, clock, &e->clock);
    if (o == PV_PRIM_ORDER_GIVES) continue;
    pv_vec_push(&t->races, ((struct pv_race){own->event, false}));
    if (o == PV_PRIM_ORDER_MATTERS) break;
  }
}

static bool happens_before(const struct pv_trace *t, uint32_t a, uint32_t b) {
  const struct pv_transition *d = &t->events.at[a].transition;
  return a != b && t->events.at[b].clock.at[d->thread] >= d->index;
}

/* Does the event happen before another one of the added ones that may also have come before
 * `transition`? */
static bool is_covered(const struct pv_trace *t, uint32_t event, uint32_t from,
                       const struct pv_transition *transition) {
  for (uint32_t i = from; i < t->races.n; i++)
    if (happens_before(t, event, t->races.at[i].event) &&
        order_of(t, &t->events.at[t->races.at[i].event].transition, transition) ==
            PV_PRIM_ORDER_MATTERS)
      return true;
  return false;
}

uint32_t pv_trace_races(struct pv_trace *t, uint32_t n, const struct pv_transition *transition,
                        struct pv_clock *clock) {
  uint32_t from = t->races.n, kept = from, thread = transition->thread;
  const struct pv_clock *before = pv_trace_before(t, n, thread);
  static const struct pv_clock nothing;
  if (!before) before = &nothing;
  memcpy(clock->at, before->at, t->slots * sizeof clock->at[0]);
  for (unsigned q = 0; q < t->slots; q++)
    if (t->of[q].n > before->at[q] && q != thread)
      look_back(t, q, transition, before->at[q], clock);
  clock->at[thread] = transition->index;
  /* Events that cover others are kept, or are covered by such. */
  for (uint32_t i = from; i < t->races.n; i++)
    if (!is_covered(t, t->races.at[i].event, from, transition))
      t->races.at[kept++] = t->races.at[i];
  t->races.n = kept;
  return kept - from;
}
