/* systemc_kernel.c -- the kernel of a simulation: which processes may run, notifications of events,
 * and the phases between two runs of processes (IEEE 1666, section 4.2). */
#include "sched/systemc_internal.h"

#include <string.h>

/* ---- who runs -------------------------------------------------------------------------------- */
static bool can_run(const struct sc *m, unsigned t) {
  return t != SC_MAIN && m->p[t].status == SC_CAN;
}

static bool is_method(const struct sc *m, unsigned t) {
  return m->p[t].flags & SC_METHOD;
}

uint64_t pv_sc_runnable(const struct sc *m) {
  uint64_t all = 0;
  for (unsigned t = 1; t < m->h.threads; t++) all |= (uint64_t)can_run(m, t) << t;
  return all;
}

/* accellera: the first process of the kind in the queue that is being run (or in the other one). */
static unsigned first_of(const struct sc *m, bool methods, bool in_turn) {
  unsigned first = 0;
  for (unsigned t = 1; t < m->h.threads; t++) {
    bool fits =
        can_run(m, t) && is_method(m, t) == methods && !(m->p[t].flags & SC_IN_TURN) == !in_turn;
    if (fits && (!first || m->p[t].place < m->p[first].place)) first = t;
  }
  return first;
}

uint64_t pv_sc_candidates(const struct sc *m) {
  if (m->p[SC_MAIN].status == SC_CAN) return 1; /* an update, or the end of this run */
  if (m->h.phase != SC_EVALUATE) return 0;
  uint64_t all = pv_sc_runnable(m), later = 0;
  switch ((enum pv_sched_order)m->h.order) {
  case PV_ORDER_ANY: return all;
  case PV_ORDER_ALL:
    for (unsigned t = 1; t < m->h.threads; t++)
      if (all >> t & 1) later |= m->p[t].before;
    return all & ~later;
  case PV_ORDER_ACCELLERA: {
    unsigned first = first_of(m, !m->h.threads_in_turn, true);
    return first ? UINT64_C(1) << first : 0;
  }
  case PV_ORDER_CREATION: break;
  }
  return all & (~all + 1);
}

/* ---- notifications --------------------------------------------------------------------------- */
static unsigned find_pending(const struct sc *m, unsigned number) {
  unsigned i = 0;
  while (i < m->h.pending && m->pending[i].number < number) i++;
  return i;
}
static const struct sc_pending *pending_of(const struct sc *m, unsigned number) {
  unsigned i = find_pending(m, number);
  return i < m->h.pending && m->pending[i].number == number ? &m->pending[i] : NULL;
}

/* The heap of the reference implementation (sc_pq.cpp). */
static void heap_add(struct sc *m, unsigned number, uint64_t time) {
  unsigned i = m->h.heap++;
  for (; i && m->heap[(i - 1) / 2].time > time; i = (i - 1) / 2) m->heap[i] = m->heap[(i - 1) / 2];
  m->heap[i] = (struct sc_entry){.time = time, .number = number};
}
static struct sc_entry heap_take(struct sc *m) {
  struct sc_entry top = m->heap[0];
  m->heap[0] = m->heap[--m->h.heap];
  for (unsigned i = 0, l; l = 2 * i + 1, l < m->h.heap;) {
    unsigned least = m->heap[l].time < m->heap[i].time ? l : i;
    if (l + 1 < m->h.heap && m->heap[l + 1].time < m->heap[least].time) least = l + 1;
    if (least == i) break;
    struct sc_entry e = m->heap[i];
    m->heap[i] = m->heap[least];
    m->heap[least] = e;
    i = least;
  }
  return top;
}
static void heap_cancel(struct sc *m, unsigned number) {
  for (unsigned i = 0; i < m->h.heap; i++)
    if (m->heap[i].number == number) m->heap[i].number = SC_CANCELLED;
}

void pv_sc_cancel(struct sc *m, unsigned number) {
  unsigned i = find_pending(m, number);
  if (i == m->h.pending || m->pending[i].number != number) return;
  uint16_t place = m->pending[i].place;
  heap_cancel(m, number);
  m->h.pending--;
  memmove(&m->pending[i], &m->pending[i + 1], (m->h.pending - i) * sizeof m->pending[0]);
  for (unsigned k = 0; k < m->h.pending; k++)
    if (m->pending[k].place > place) m->pending[k].place--;
}

/* Time 0: a delta notification. Overrides are left to the caller. */
void pv_sc_set_pending(struct sc *m, unsigned number, uint64_t time) {
  pv_sc_cancel(m, number);
  unsigned i = find_pending(m, number);
  memmove(&m->pending[i + 1], &m->pending[i], (m->h.pending - i) * sizeof m->pending[0]);
  m->h.pending++;
  m->pending[i] = (struct sc_pending){
      .number = (uint16_t)number, .kind = time ? SC_TIMED : SC_DELTA, .time = time};
  if (m->h.order != PV_ORDER_ACCELLERA) return;
  m->pending[i].place = m->h.pending;
  if (time) heap_add(m, number, time);
}

/* IEEE 1666, 5.10.7: a delta notification stays; an earlier timed one stays. */
void pv_sc_notify(struct sc *m, unsigned number, uint64_t time) {
  const struct sc_pending *p = pending_of(m, number);
  if (p && (p->kind == SC_DELTA || (time && p->time <= time))) return;
  pv_sc_set_pending(m, number, time);
}

/* Is no longer in the order of those that wait. */
void pv_sc_forget_since(struct sc *m, unsigned t) {
  uint8_t since = m->p[t].since;
  m->p[t].since = 0;
  for (unsigned i = 1; since && i < m->h.threads; i++)
    if (m->p[i].since > since) m->p[i].since--;
}

void pv_sc_make_runnable(struct sc *m, unsigned t) {
  struct sc_process *p = &m->p[t];
  p->status = SC_CAN;
  if (m->h.order != PV_ORDER_ACCELLERA) return;
  uint8_t last = 0;
  for (unsigned i = 1; i < m->h.threads; i++)
    if (can_run(m, i) && i != t && !(m->p[i].flags & SC_IN_TURN) && m->p[i].place > last)
      last = m->p[i].place;
  p->place = last + 1;
}

static void wake(struct sc *m, unsigned t, bool by_time) {
  struct sc_process *p = &m->p[t];
  if (by_time && p->flags & SC_HAS_TIMEOUT) p->flags |= SC_TIMED_OUT;
  p->flags &= (uint8_t)~SC_HAS_TIMEOUT;
  p->wait = SC_STATIC;
  p->count = 0;
  memset(&m->dynamic[t], 0, sizeof m->dynamic[t]);
  pv_sc_cancel(m, SC_EVENTS + t);
  pv_sc_forget_since(m, t);
  pv_sc_make_runnable(m, t);
}

static void trigger_static(struct sc *m, unsigned t, unsigned event) {
  struct sc_process *p = &m->p[t];
  if (p->status != SC_WAITS || p->wait != SC_STATIC || !sc_has(&m->sensitive[t], event)) return;
  if (p->count)
    p->count--;
  else
    wake(m, t, false);
}

static bool waits_for(const struct sc *m, unsigned t, unsigned event) {
  const struct sc_process *p = &m->p[t];
  bool dynamic = p->wait == SC_ANY || p->wait == SC_EVERY;
  return p->status == SC_WAITS && dynamic && sc_has(&m->dynamic[t], event);
}

static bool trigger_dynamic(struct sc *m, unsigned t, unsigned event) {
  if (m->p[t].wait == SC_EVERY) {
    sc_drop(&m->dynamic[t], event);
    if (!sc_is_empty(&m->dynamic[t])) return false;
  }
  wake(m, t, false);
  return true;
}

/* Those of one kind that wait for the event, since the earliest time first; as in the reference
 * implementation the last one takes the place of one that is triggered. */
static void trigger_waiting(struct sc *m, unsigned event, bool methods) {
  unsigned list[PV_MAX_THREADS], n = 0;
  for (unsigned t = 1; t < m->h.threads; t++) {
    if (!waits_for(m, t, event) || is_method(m, t) != methods) continue;
    unsigned at = n++;
    for (; at && m->p[list[at - 1]].since > m->p[t].since; at--) list[at] = list[at - 1];
    list[at] = t;
  }
  for (unsigned i = 0; i < n;) {
    if (trigger_dynamic(m, list[i], event))
      list[i] = list[--n];
    else
      i++;
  }
}

void pv_sc_trigger(struct sc *m, unsigned number) {
  pv_sc_cancel(m, number);
  if (number >= SC_EVENTS) {
    unsigned t = number - SC_EVENTS;
    if (m->p[t].status == SC_WAITS) wake(m, t, true);
    return;
  }
  if (m->h.keep & SC_KEEP_TRIGGERED) sc_add(&m->triggered, number);
  for (int methods = 1; methods >= 0; methods--) {
    for (unsigned t = m->h.threads; t-- > 1;)
      if (is_method(m, t) == (bool)methods) trigger_static(m, t, number);
    trigger_waiting(m, number, methods);
  }
}

/* The next notification of the kind and time: accellera triggers the latest delta notification
 * first. */
static int next_pending(const struct sc *m, enum sc_kind kind, uint64_t time) {
  int best = -1;
  for (unsigned i = 0; i < m->h.pending; i++) {
    const struct sc_pending *p = &m->pending[i];
    if (p->kind != kind || (kind == SC_TIMED && p->time != time)) continue;
    bool better = best < 0 || (kind == SC_DELTA ? p->place > m->pending[best].place
                                                : p->place < m->pending[best].place);
    if (better) best = (int)i;
  }
  return best;
}
/* What comes now; in order accellera as the heap has it. */
static void trigger_timed(struct sc *m) {
  while (m->h.heap && !m->heap[0].time) {
    struct sc_entry e = heap_take(m);
    if (e.number != SC_CANCELLED) pv_sc_trigger(m, e.number);
  }
  for (int i; (i = next_pending(m, SC_TIMED, 0)) >= 0;) pv_sc_trigger(m, m->pending[i].number);
}
static void trigger_delta(struct sc *m) {
  for (int i; (i = next_pending(m, SC_DELTA, 0)) >= 0;) pv_sc_trigger(m, m->pending[i].number);
}

/* ---- phases ---------------------------------------------------------------------------------- */
/* `run` returns; 0: this run is over. */
static void return_to_main(struct sc *m, unsigned channel) {
  m->h.channel = (uint8_t)channel;
  m->p[SC_MAIN].status = SC_CAN;
}

static void pass_time(struct sc *m, uint64_t time) {
  for (unsigned i = 0; i < m->h.pending; i++)
    if (m->pending[i].kind == SC_TIMED) m->pending[i].time -= time;
  for (unsigned i = 0; i < m->h.heap; i++)
    if (m->heap[i].time >= time)
      m->heap[i].time -= time;
    else
      m->heap[i].time = 0; /* cancelled */
  if (!(m->h.run & SC_FOR_EVER)) m->h.until -= time;
  if (m->h.keep & SC_KEEP_TIME) m->h.now += time;
  memset(&m->triggered, 0, sizeof m->triggered);
}

static void end_run(struct sc *m) {
  if (!(m->h.run & (SC_FOR_EVER | SC_ON_STARVATION)) && m->h.until) pass_time(m, m->h.until);
  m->h.until = 0;
  m->h.stop = 0;
  return_to_main(m, 0);
}

/* No process can run, and no update or delta notification is left. false: this run is over. */
static bool advance(struct sc *m) {
  do {
    while (m->h.heap && m->heap[0].number == SC_CANCELLED) heap_take(m);
    uint64_t least = 0;
    for (unsigned i = 0; i < m->h.pending; i++)
      if (!least || m->pending[i].time < least) least = m->pending[i].time;
    bool forever = m->h.run & SC_FOR_EVER;
    if (!least || (!forever && least > m->h.until)) return false;
    pass_time(m, least);
    trigger_timed(m);
  } while (!pv_sc_runnable(m));
  m->h.fresh |= SC_TIME_PASSED;
  return m->h.run & SC_FOR_EVER || m->h.until;
}

static void initialize(struct sc *m) {
  for (unsigned t = 1; t < m->h.threads; t++)
    if (m->p[t].status == SC_WAITS && !(m->p[t].flags & SC_DONT_INITIALIZE))
      pv_sc_make_runnable(m, t);
  trigger_delta(m);
  m->h.phase = SC_EVALUATE;
}

/* accellera: when all of one kind have run, the queue of the other kind is run. Threads are said to
 * have run before an evaluation begins. */
static void change_queues(struct sc *m) {
  if (m->h.order != PV_ORDER_ACCELLERA) return;
  for (unsigned i = 0; i < 2 && !first_of(m, !m->h.threads_in_turn, true); i++) {
    m->h.threads_in_turn = !m->h.threads_in_turn;
    for (unsigned t = 1; t < m->h.threads; t++)
      if (can_run(m, t) && is_method(m, t) == !m->h.threads_in_turn) m->p[t].flags |= SC_IN_TURN;
  }
  if (!first_of(m, !m->h.threads_in_turn, true)) m->h.threads_in_turn = 1;
}

static void stop(struct sc *m) {
  m->h.run |= SC_ON_STARVATION; /* time does not pass */
  end_run(m);
  m->h.phase = SC_STOPPED;
}

static void after_update(struct sc *m) {
  memset(&m->triggered, 0, sizeof m->triggered);
  if (m->h.phase == SC_INITIALIZE) {
    initialize(m);
    return;
  }
  m->h.phase = SC_EVALUATE;
  if (m->h.stop & 1) {
    stop(m);
    return;
  }
  trigger_delta(m);
  m->h.deltas += m->h.fresh & SC_EVALUATED;
  m->h.fresh &= (uint8_t)~SC_EVALUATED;
  if (m->h.run & SC_ONE_DELTA || m->h.stop == 2) {
    m->h.run |= SC_ON_STARVATION;
    end_run(m);
  } else if (!pv_sc_runnable(m) && !advance(m)) {
    end_run(m);
  }
}

/* Nobody is running any more: goes on until a process or main can run. */
void pv_sc_settle(struct sc *m) {
  m->h.running = 0;
  while (m->h.phase != SC_ELABORATE && m->p[SC_MAIN].status == SC_WAITS) {
    if (m->h.phase == SC_EVALUATE && m->h.stop == 3) {
      stop(m);
      break;
    }
    if (m->h.phase == SC_EVALUATE) {
      change_queues(m);
      if (pv_sc_candidates(m)) break;
      m->h.phase = SC_UPDATE;
    }
    if (!m->h.updates) {
      memcpy(m->updates, m->requests, m->h.requests);
      m->h.updates = m->h.requests;
      m->h.requests = 0;
      memset(m->requests, 0, sizeof m->requests);
    }
    if (m->h.updates) { /* the latest request first */
      unsigned channel = m->updates[--m->h.updates];
      m->updates[m->h.updates] = 0;
      return_to_main(m, channel + 1);
    } else {
      after_update(m);
    }
  }
}
