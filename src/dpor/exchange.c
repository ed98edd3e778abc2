/* exchange.c -- a compare-and-exchange that finds something else than it expects is a read: it
 * commutes with others of its like, and with loads (trace.h).
 *
 * Which of the two it is depends on what came before. Where it comes before something that it came
 * after, it may become the other; so the beginnings of executions that reverse.c makes have to tell
 * what it will be there. (Nidhugg's trace builders do that, too.) */
#include "dpor/trace.h"

bool pv_exchanges(const struct pv_program *p) {
  for (uint32_t f = 0; f < p->functions.n; f++)
    for (uint32_t i = 0; i < p->functions.at[f].edges.n; i++)
      if (p->functions.at[f].edges.at[i].op == PV_OP_CMPXCHG) return true;
  return false;
}

struct pv_exchange pv_exchange_of(const struct pv_trace *t, const struct pv_deed *d) {
  struct pv_exchange x = {0};
  const struct pv_pending *p = &d->what;
  if (p->kind != PV_PEND_ACCESS || !p->write || p->bytes > 8) return x;
  x.known = pv_vm_read(t->vm, p->address, p->bytes, &x.there);
  if (p->edge->op == PV_OP_CMPXCHG) x.expects = pv_vm_exchange(t->vm, d->thread, &x.expected);
  return x;
}

static bool may_store(const struct pv_deed *d, const struct pv_pending *place) {
  const struct pv_pending *p = &d->what;
  if (p->kind != PV_PEND_ACCESS || d->inner) return true;
  return p->write && !p->stays && p->address < place->address + place->bytes &&
         place->address < p->address + p->bytes;
}

/* Of what can change the place between `race` and the event nothing is in `rest`, but for additions
 * that commute; so it finds what was there before `race`, or, if that only read, what it found. */
bool pv_exchange_stays(const struct pv_trace *t, uint32_t at, uint32_t race, const uint32_t *rest,
                       uint32_t n) {
  const struct pv_dpor_event *e = &t->events.at[at], *r = &t->events.at[race];
  const struct pv_pending *place = &e->deed.what;
  if (!e->exchange.expects) return false;
  if (r->deed.what.kind != PV_PEND_ACCESS || r->deed.inner) return false;
  for (uint32_t i = 0; i < n && rest[i] < at; i++) {
    const struct pv_deed *d = &t->events.at[rest[i]].deed;
    if (pv_marks_meet(d->marks, e->deed.marks) && may_store(d, place)) return false;
  }
  if (!may_store(&r->deed, place)) return place->stays;
  bool same = r->deed.what.address == place->address && r->deed.what.bytes == place->bytes;
  return same && r->exchange.known && r->exchange.there != e->exchange.expected;
}
