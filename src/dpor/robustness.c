#include "dpor/robustness.h"

#include <stdlib.h>
#include <string.h>

/* ---- operations ------------------------------------------------------------------------------ */
static bool is_access(const struct pv_dpor_event *e) {
  return e->transition.what.kind == PV_PEND_ACCESS && !e->undone;
}

static bool writes(const struct pv_pending *p) {
  return p->write && !p->stays;
}

static bool reads(const struct pv_pending *p) {
  return !p->write || p->edge->op == PV_OP_RMW || p->edge->op == PV_OP_CMPXCHG;
}

static enum pv_order memory_order(const struct pv_pending *p) {
  return p->stays ? p->edge->order2 : p->edge->order;
}

static bool releases(enum pv_order o) {
  return o == PV_ORDER_RELEASE || o == PV_ORDER_ACQ_REL || o == PV_ORDER_SEQ_CST;
}

static bool acquires(enum pv_order o) {
  return o == PV_ORDER_ACQUIRE || o == PV_ORDER_ACQ_REL || o == PV_ORDER_SEQ_CST;
}

static bool is_release(const struct pv_pending *p) {
  return releases(memory_order(p));
}

static bool is_acquire(const struct pv_pending *p) {
  return acquires(memory_order(p));
}

static bool are_strong(const struct pv_pending *a, const struct pv_pending *b) {
  return a->atomic && b->atomic && memory_order(a) == PV_ORDER_SEQ_CST &&
         memory_order(b) == PV_ORDER_SEQ_CST;
}

static bool meet(const struct pv_pending *a, const struct pv_pending *b) {
  return a->address < b->address + b->bytes && b->address < a->address + a->bytes;
}

static bool conflict(const struct pv_pending *a, const struct pv_pending *b) {
  return meet(a, b) && (writes(a) || writes(b));
}

/* ---- clocks ---------------------------------------------------------------------------------- */
static bool has(const struct pv_clock *c, const struct pv_transition *d) {
  return c->at[d->thread] >= d->index;
}

static void join_order(const struct pv_trace *t, struct pv_event_order *o,
                       const struct pv_event_order *with) {
  pv_clock_join(t, &o->hb, &with->hb);
  pv_clock_join(t, &o->porf, &with->porf);
  pv_clock_join(t, &o->strong, &with->strong);
}

/* Adds what precedes an event: its thread's last event, its creation, and the threads joined since.
 * base: as in pv_trace_base. */
static void add_base(const struct pv_robustness *r, const struct pv_trace *t, uint32_t base,
                     struct pv_event_order *o) {
  if (!base) return;
  if (base & 1) {
    const struct pv_joined_clock *j = &t->joins.at[base >> 1];
    add_base(r, t, j->of[0], o);
    add_base(r, t, j->of[1], o);
  } else {
    join_order(t, o, &r->at.at[(base >> 1) - 1]);
  }
}

/* The last event of the thread before event i. UINT32_MAX: there is none. */
static uint32_t last_of_thread(const struct pv_trace *t, uint32_t i) {
  for (uint32_t k = i; k-- > 0;)
    if (t->events.at[k].transition.thread == t->events.at[i].transition.thread) return k;
  return UINT32_MAX;
}

/* Adds what the fences between the thread's last event and event i order. Fences before its first
 * event are left out: they have nothing to order but its creation. */
static void add_fences(const struct pv_robustness *r, const struct pv_trace *t, uint32_t i,
                       struct pv_event_order *o) {
  uint32_t last = last_of_thread(t, i), n = t->fences.n;
  if (last == UINT32_MAX) return;
  struct pv_clock hb = r->at.at[last].hb;
  o->read = r->at.at[last].read;
  o->fenced = r->at.at[last].fenced;
  while (n && t->fences.at[n - 1].event >= last) n--;
  for (; n < t->fences.n && t->fences.at[n].event < i; n++) {
    const struct pv_fence *f = &t->fences.at[n].fence;
    if (f->thread != t->events.at[i].transition.thread) continue;
    if (acquires(f->order)) pv_clock_join(t, &hb, &o->read);
    if (releases(f->order)) o->fenced = hb;
  }
  pv_clock_join(t, &o->hb, &hb);
}

/* The last write before event i to a location of it. UINT32_MAX: the value is initial. */
static uint32_t last_write(const struct pv_trace *t, uint32_t i) {
  const struct pv_pending *p = &t->events.at[i].transition.what;
  for (uint32_t k = i; k-- > 0;) {
    const struct pv_dpor_event *e = &t->events.at[k];
    if (is_access(e) && writes(&e->transition.what) && meet(&e->transition.what, p)) return k;
  }
  return UINT32_MAX;
}

/* What the access learns from the write that it reads, and what it hands on. */
static void synchronise_access(const struct pv_robustness *r, const struct pv_trace *t, uint32_t i,
                               struct pv_event_order *o) {
  const struct pv_pending *p = &t->events.at[i].transition.what;
  uint32_t w = reads(p) ? last_write(t, i) : UINT32_MAX;
  if (w != UINT32_MAX) {
    pv_clock_join(t, &o->porf, &r->at.at[w].porf);
    if (p->atomic) pv_clock_join(t, is_acquire(p) ? &o->hb : &o->read, &r->at.at[w].heads);
    if (p->atomic && writes(p)) pv_clock_join(t, &o->heads, &r->at.at[w].heads);
  }
  if (p->atomic && writes(p)) pv_clock_join(t, &o->heads, is_release(p) ? &o->hb : &o->fenced);
  for (uint32_t k = 0; k < i; k++) {
    const struct pv_dpor_event *e = &t->events.at[k];
    if (is_access(e) && are_strong(&e->transition.what, p) && conflict(&e->transition.what, p))
      pv_clock_join(t, &o->strong, &r->at.at[k].strong);
  }
}

static void synchronise_primitive(const struct pv_robustness *r, const struct pv_trace *t,
                                  uint32_t i, struct pv_event_order *o) {
  const struct pv_transition *d = &t->events.at[i].transition;
  if (!d->what.call.prim->acquire) return;
  for (uint32_t k = 0; k < i; k++) {
    const struct pv_dpor_event *e = &t->events.at[k];
    bool is_releasing = e->transition.what.kind == PV_PEND_PRIM && !e->undone &&
                        e->transition.what.call.prim->release;
    if (is_releasing && pv_trace_ordered(t, &e->transition, d)) join_order(t, o, &r->at.at[k]);
  }
}

/* ---- the three ways not to be robust --------------------------------------------------------- */
struct examined {
  const struct pv_robustness *r;
  const struct pv_trace *t;
  uint32_t event;
  struct pv_event_order before, after; /* the event's synchronisation */
};

/* Does coherence order the earlier access before the event, whatever the event reads? Both are
 * accesses to one location. */
static bool is_coherent(const struct examined *x, uint32_t earlier) {
  const struct pv_trace *t = x->t;
  const struct pv_pending *p = &t->events.at[x->event].transition.what;
  struct pv_clock known = x->before.hb;
  for (uint32_t k = x->event; k-- > earlier + 1;) {
    const struct pv_dpor_event *b = &t->events.at[k];
    if (!is_access(b) || !meet(&b->transition.what, p) || !has(&known, &b->transition)) continue;
    for (uint32_t j = k; j-- > earlier;) {
      const struct pv_dpor_event *a = &t->events.at[j];
      if (is_access(a) && conflict(&a->transition.what, &b->transition.what))
        pv_clock_join(t, &known, &x->r->at.at[j].hb);
    }
  }
  return has(&known, &t->events.at[earlier].transition);
}

/* May the access have seen something else than the earlier one, which it conflicts with, both being
 * atomic? */
static bool may_differ(const struct examined *x, uint32_t earlier) {
  const struct pv_transition *e = &x->t->events.at[x->event].transition,
                             *a = &x->t->events.at[earlier].transition;
  if (a->what.address != e->what.address || a->what.bytes != e->what.bytes) return true;
  const struct pv_clock *sc = pv_trace_before(x->t, x->event, e->thread);
  bool stale = writes(&a->what) && sc && has(sc, a);
  bool early = reads(&a->what) && writes(&e->what) && has(&x->before.porf, a);
  if (!stale && !early) return false;
  if (are_strong(&a->what, &e->what) && has(&x->before.strong, a)) return false;
  return !has(&x->before.hb, a) && !is_coherent(x, earlier);
}

static bool is_memory(const struct pv_dpor_event *e) {
  enum pv_pend_kind k = e->transition.what.kind;
  return (k == PV_PEND_ACCESS || k == PV_PEND_FREE || k == PV_PEND_SCOPE) && !e->undone;
}

/* Does the event, with the earlier one, show that the program may not be robust? */
static bool shows(const struct examined *x, uint32_t earlier) {
  const struct pv_dpor_event *e = &x->t->events.at[x->event], *a = &x->t->events.at[earlier];
  if (a->transition.thread == e->transition.thread || !is_memory(a)) return false;
  if (!pv_trace_ordered(x->t, &a->transition, &e->transition)) return false;
  bool before = has(&x->after.hb, &a->transition);
  if (!(is_access(a) && is_access(e) && a->transition.what.atomic && e->transition.what.atomic))
    return !before;
  return may_differ(x, earlier);
}

/* Before other threads could reach the object, accesses to it were no events. Do they happen before
 * the event, which is another thread's? */
static bool is_published_before(const struct examined *x) {
  const struct pv_trace *t = x->t;
  const struct pv_transition *e = &t->events.at[x->event].transition;
  uint32_t object = pv_vm_object(t->vm, e->what.address), n = t->publications.n;
  if (object == UINT32_MAX) return false;
  while (n && (t->publications.at[n - 1].object != object ||
               t->publications.at[n - 1].event >= x->event))
    n--;
  if (!n) return true; /* it was when there was only one thread */
  const struct pv_transition *by = &t->events.at[t->publications.at[n - 1].event].transition;
  return by->thread == e->thread || has(&x->after.hb, by);
}

/* Is it something for which the conditions are not known? Sections of several accesses; wide
 * exchanges; threads whose numbers are used again; attempts, whose failure is information about
 * another thread without synchronising with it. */
static bool is_beyond(const struct pv_trace *t, const struct pv_dpor_event *e) {
  const struct pv_transition *d = &e->transition;
  bool exchanges = d->what.kind == PV_PEND_ACCESS && d->what.edge->op == PV_OP_CMPXCHG;
  return d->what.kind == PV_PEND_ATOMIC || d->inner || d->chain || pv_vm_renumbers(t->vm) ||
         (exchanges && !(e->exchange.known && e->exchange.expects)) ||
         (d->what.kind == PV_PEND_PRIM && d->what.call.prim->fails);
}

static bool examine(struct pv_robustness *r, const struct pv_trace *t, uint32_t i) {
  const struct pv_dpor_event *e = &t->events.at[i];
  struct examined x = {.r = r, .t = t, .event = i};
  add_base(r, t, t->enabled_sets.at[i].at[e->transition.thread].base, &x.before);
  add_fences(r, t, i, &x.before);
  x.after = x.before;
  uint32_t thread = e->transition.thread, index = e->transition.index;
  x.after.hb.at[thread] = x.after.porf.at[thread] = x.after.strong.at[thread] = index;
  if (is_access(e)) synchronise_access(r, t, i, &x.after);
  if (e->transition.what.kind == PV_PEND_PRIM) synchronise_primitive(r, t, i, &x.after);
  pv_vec_push(&r->at, x.after);
  if (is_beyond(t, e)) return false;
  if (is_memory(e) && !is_published_before(&x)) return false;
  for (uint32_t k = 0; is_memory(e) && k < i; k++) {
    if (!shows(&x, k)) continue;
    const struct pv_dpor_event *a = &t->events.at[k];
    bool race = is_access(a) && is_access(e) &&
                !(a->transition.what.atomic && e->transition.what.atomic) &&
                conflict(&a->transition.what, &e->transition.what);
    r->earlier = race ? &a->transition.what : NULL;
    return false;
  }
  return true;
}

const struct pv_pending *pv_robustness_examine(struct pv_robustness *r, const struct pv_trace *t) {
  for (uint32_t i = r->at.n; i < t->events.n; i++)
    if (!examine(r, t, i)) return &t->events.at[i].transition.what;
  return NULL;
}

void pv_robustness_free(struct pv_robustness *r) {
  pv_vec_free(&r->at);
}
