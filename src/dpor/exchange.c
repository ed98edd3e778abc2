/* exchange.c -- failed compare-and-exchange operations. One that does not find the expected value
 * is a read: it commutes with loads and with other failed ones (trace.h).
 *
 * Whether it fails depends on the events before it. If it is moved before one of these, this may
 * change. So the initial fragments that reverse.c generates must say whether it fails there. (The
 * trace builders of Nidhugg do the same.) */
#include "dpor/trace.h"

bool pv_exchanges(const struct pv_program *p) {
  for (uint32_t f = 0; f < p->functions.n; f++)
    for (uint32_t i = 0; i < p->functions.at[f].edges.n; i++)
      if (p->functions.at[f].edges.at[i].op == PV_OP_CMPXCHG) return true;
  return false;
}

struct pv_exchange pv_exchange_of(const struct pv_trace *t, const struct pv_transition *d) {
  struct pv_exchange x = {0};
  const struct pv_pending *p = &d->what;
  if (p->kind != PV_PEND_ACCESS || !p->write || p->bytes > 8) return x;
  x.known = pv_vm_read(t->vm, p->address, p->bytes, &x.there);
  if (p->edge->op == PV_OP_CMPXCHG) x.expects = pv_vm_exchange(t->vm, d->thread, &x.expected);
  return x;
}

static bool meets(const struct pv_pending *a, const struct pv_pending *b) {
  return a->address < b->address + b->bytes && b->address < a->address + a->bytes;
}

static bool is_access(const struct pv_transition *d) {
  return d->what.kind == PV_PEND_ACCESS && !d->inner;
}

/* May the operation change the place? `without`: the part of it whose value is restored. */
static bool spoils(const struct pv_transition *d, const struct pv_pending *place,
                   const struct pv_pending *without) {
  if (!is_access(d)) return true;
  bool stores = d->what.write && !d->what.stays;
  return stores && meets(&d->what, place) && meets(&d->what, without);
}

/* A mask of the bytes of a value of n bytes; the lowest one comes first in memory. */
static uint64_t bytes_of(unsigned n) {
  return n < 8 ? ((uint64_t)1 << 8 * n) - 1 : ~(uint64_t)0;
}

/* The value `there` of `place` after the bytes of `part` were restored to those before the store to
 * it. */
static uint64_t restore(const struct pv_pending *place, uint64_t there,
                        const struct pv_pending *part, uint64_t was) {
  uint64_t mask = bytes_of((unsigned)part->bytes);
  if (part->address >= place->address) {
    unsigned up = 8 * (unsigned)(part->address - place->address);
    return (there & ~(mask << up)) | was << up;
  }
  unsigned down = 8 * (unsigned)(place->address - part->address);
  return (there & ~(mask >> down)) | was >> down;
}

/* Does the operation only add to a part of the place? */
static bool adds_inside(const struct pv_pending *part, const struct pv_pending *place) {
  return pv_only_adds(part->edge) && part->address >= place->address &&
         part->address + part->bytes <= place->address + place->bytes;
}

/* The value `there` of `place` after the number added to `part` was subtracted again. */
static uint64_t take_off(const struct pv_pending *place, uint64_t there,
                         const struct pv_pending *part, uint64_t added) {
  unsigned up = 8 * (unsigned)(part->address - place->address);
  uint64_t mask = bytes_of((unsigned)part->bytes) << up;
  return (there & ~mask) | ((there - (added << up)) & mask);
}

void pv_exchange_was(const struct pv_trace *t, struct pv_dpor_event *e) {
  const struct pv_pending *p = &e->transition.what;
  uint64_t now = 0;
  if (!e->exchange.known || !pv_only_adds(p->edge)) return;
  e->exchange.known = pv_vm_read(t->vm, p->address, p->bytes, &now);
  e->exchange.added = now - e->exchange.there;
}

/* The same if `race` is not a simple access: the event finds the value from before `race`, unless
 * an operation in `rest` stores to the same place. */
static bool stays_without(const struct pv_trace *t, uint32_t at, uint32_t race,
                          const uint32_t *rest, uint32_t n) {
  const struct pv_dpor_event *e = &t->events.at[at];
  const struct pv_pending *place = &e->transition.what;
  uint64_t there;
  for (uint32_t i = 0; i < n && rest[i] < at; i++) {
    const struct pv_transition *d = &t->events.at[rest[i]].transition;
    if (pv_marks_meet(d->marks, e->transition.marks) && spoils(d, place, place)) return false;
  }
  return place->bytes <= 8 &&
         pv_journal_read(&t->journal, t->events.at[race].before, place->address,
                         (unsigned)place->bytes, &there) &&
         there != e->exchange.expected;
}

/* Does the exchange `at` still fail if `race` comes after it? Every operation that changes the
 * place between `race` and the event is in `rest` (otherwise it would be ordered between them, and
 * they would not race). So the event finds the same value, except for the bytes that `race` stored.
 * There it finds the value from before `race`, unless an operation in `rest` also stored there. If
 * `race` is an addition, only additions do so; then the number that it added is subtracted. */
bool pv_exchange_stays(const struct pv_trace *t, uint32_t at, uint32_t race, const uint32_t *rest,
                       uint32_t n) {
  const struct pv_dpor_event *e = &t->events.at[at], *r = &t->events.at[race];
  const struct pv_pending *place = &e->transition.what, *stored = &r->transition.what;
  if (!e->exchange.expects) return false;
  if (!is_access(&r->transition)) return stays_without(t, at, race, rest, n);
  if (!stored->write || stored->stays || !meets(stored, place)) return place->stays;
  if (!e->exchange.known || !r->exchange.known) return false;
  uint64_t there = adds_inside(stored, place)
                       ? take_off(place, e->exchange.there, stored, r->exchange.added)
                       : restore(place, e->exchange.there, stored, r->exchange.there);
  for (uint32_t i = 0; i < n && rest[i] < at && !adds_inside(stored, place); i++) {
    const struct pv_transition *d = &t->events.at[rest[i]].transition;
    if (pv_marks_meet(d->marks, e->transition.marks) && spoils(d, place, stored)) return false;
  }
  return (there & bytes_of((unsigned)place->bytes)) != e->exchange.expected;
}
