/* systemc.c -- the cooperative plug-in for SystemC (IEEE 1666, section 4.2): processes, events, and
 * a simulation in phases. The models systemc.c and include/systemc make the interfaces in C and C++
 * of these primitives.
 *
 * Thread 0 is sc_main. It elaborates, and waits in `run` while the simulation runs. The simulation
 * evaluates (processes run until they wait), updates channels, triggers the events with a delta
 * notification, and evaluates again; when no process can run, time advances to the next
 * notification. Channels are updated by thread 0: `run` returns with the number of a channel, and
 * thread 0 calls `run` again when the channel is updated. When the simulation stops or pauses,
 * `run` returns 0.
 *
 * Orders. The standard lets the scheduler choose any process that can run: this is order `any`.
 * `creation`: the one with the least number. `all`: every fixed order of processes, decided lazily:
 * when a process runs before others that could run as well, it is before them from then on.
 * `accellera`: the queues of the reference implementation (Accellera SystemC 3.0,
 * sc_simcontext.cpp, sc_event.cpp).
 *
 * State: a header, one record and two sets of events for each process, pending notifications, and
 * sets of events and channels. Times are relative to the present time. The present time is kept
 * only if the program reads it: else an endless simulation would have endlessly many states. The
 * same holds for the number of delta cycles, and the events that were triggered in the present one.
 * Everything that happens between two runs of processes happens in the call after which no thread
 * is running. */
#include "sched/cooperative.h"
#include "sched/systemc_internal.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* ---- the state as bytes ---------------------------------------------------------------------- */
struct bytes {
  uint8_t *at;
};
static void put(struct bytes *b, const void *from, size_t n) {
  memcpy(b->at, from, n);
  b->at += n;
}
static void get(struct bytes *b, void *to, size_t n) {
  memcpy(to, b->at, n);
  b->at += n;
}
/* Only the words of events and channels that exist. */
static size_t bytes_for(unsigned n) {
  return (n + 63u) / 64 * 8;
}
static void put_set(struct bytes *b, const struct sc_header *h, const struct sc_set *set) {
  put(b, set->w, bytes_for(h->events));
  put(b, set->w + SC_HALF, bytes_for(h->channels));
}
static void get_set(struct bytes *b, const struct sc_header *h, struct sc_set *set) {
  get(b, set->w, bytes_for(h->events));
  get(b, set->w + SC_HALF, bytes_for(h->channels));
}

static void unpack(const struct pv_sched_state *s, struct sc *m) {
  struct bytes b = {s->data};
  memset(m, 0, offsetof(struct sc, heap));
  get(&b, &m->h, sizeof m->h);
  get(&b, m->p, m->h.threads * sizeof m->p[0]);
  for (unsigned t = 0; t < m->h.threads; t++) {
    get_set(&b, &m->h, &m->sensitive[t]);
    get_set(&b, &m->h, &m->dynamic[t]);
  }
  get(&b, m->pending, m->h.pending * sizeof m->pending[0]);
  get(&b, m->requests, m->h.requests);
  get(&b, m->updates, m->h.updates);
  get_set(&b, &m->h, &m->free);
  if (m->h.keep & SC_KEEP_TRIGGERED) get_set(&b, &m->h, &m->triggered);
  get(&b, m->heap, m->h.heap * sizeof m->heap[0]);
}

static void pack(struct pv_sched_state *s, const struct sc *m) {
  size_t set = bytes_for(m->h.events) + bytes_for(m->h.channels), threads = m->h.threads;
  size_t n = sizeof m->h + threads * (sizeof m->p[0] + 2 * set) +
             m->h.pending * sizeof m->pending[0] + m->h.requests + m->h.updates + 2 * set +
             m->h.heap * sizeof m->heap[0];
  uint8_t *data = pv_alloc(n + 1);
  struct bytes b = {data};
  put(&b, &m->h, sizeof m->h);
  put(&b, m->p, threads * sizeof m->p[0]);
  for (unsigned t = 0; t < threads; t++) {
    put_set(&b, &m->h, &m->sensitive[t]);
    put_set(&b, &m->h, &m->dynamic[t]);
  }
  put(&b, m->pending, m->h.pending * sizeof m->pending[0]);
  put(&b, m->requests, m->h.requests);
  put(&b, m->updates, m->h.updates);
  put_set(&b, &m->h, &m->free);
  if (m->h.keep & SC_KEEP_TRIGGERED) put_set(&b, &m->h, &m->triggered);
  put(&b, m->heap, m->h.heap * sizeof m->heap[0]);
  n = (size_t)(b.at - data);
  if (s->n == n && !memcmp(s->data, data, n)) {
    free(data);
    return;
  }
  free(s->data);
  s->data = data;
  s->n = s->cap = (uint32_t)n;
  s->dirty = true;
}

static struct sc_header header(const struct pv_sched_state *s) {
  struct sc_header h;
  memcpy(&h, s->data, sizeof h);
  return h;
}

static struct sc_process process_at(const struct pv_sched_state *s, unsigned thread) {
  struct sc_process p = {0};
  if (thread < header(s).threads)
    memcpy(&p, s->data + sizeof(struct sc_header) + thread * sizeof p, sizeof p);
  return p;
}

static void init(struct pv_sched_state *s, enum pv_sched_order order) {
  struct sc m;
  memset(&m, 0, sizeof m);
  m.h.threads = 1;
  m.h.order = (uint8_t)order;
  m.h.running = SC_MAIN + 1;
  m.h.threads_in_turn = order == PV_ORDER_ACCELLERA;
  m.p[SC_MAIN].status = SC_CAN;
  pack(s, &m);
}

/* ---- who runs -------------------------------------------------------------------------------- */
static uint64_t may_run(const struct pv_sched_state *s) {
  struct sc m;
  struct sc_header h = header(s);
  if (h.running) return UINT64_C(1) << (h.running - 1);
  unpack(s, &m);
  return pv_sc_candidates(&m);
}

/* An instant is a point of simulated time. Main is outside of it, unless it updates a channel. */
static bool inside(const struct pv_sched_state *s) {
  struct sc m;
  unpack(s, &m);
  bool updates = m.h.phase == SC_UPDATE || m.h.phase == SC_INITIALIZE;
  bool between = m.p[SC_MAIN].status != SC_WAITS && !updates;
  return !between && !(m.h.fresh & SC_TIME_PASSED);
}

static void forget_clock(struct pv_sched_state *s) {
  struct sc m;
  enum { CLOCKS = SC_KEEP_TIME | SC_KEEP_DELTAS };
  if (!(header(s).keep & CLOCKS)) return;
  unpack(s, &m);
  m.h.keep &= (uint8_t)~CLOCKS;
  m.h.now = m.h.deltas = 0;
  pack(s, &m);
}

/* all: the process is before all others that could run, and before those that these are before. */
static void decide(struct sc *m, unsigned thread) {
  uint64_t after = pv_sc_runnable(m) & ~(UINT64_C(1) << thread);
  for (unsigned t = 1; t < m->h.threads; t++)
    if (after >> t & 1) after |= m->p[t].before;
  m->p[thread].before |= after;
  for (unsigned t = 1; t < m->h.threads; t++)
    if (m->p[t].before >> thread & 1) m->p[t].before |= m->p[thread].before;
}

static void dispatch(struct pv_sched_state *s, unsigned thread) {
  struct sc m;
  if (header(s).running == thread + 1) return;
  unpack(s, &m);
  if (m.h.order == PV_ORDER_ALL && thread != SC_MAIN) decide(&m, thread);
  m.h.running = (uint8_t)(thread + 1);
  m.p[thread].place = 0;
  m.p[thread].flags &= (uint8_t)~SC_IN_TURN;
  m.h.fresh &= (uint8_t)~SC_TIME_PASSED;
  if (thread != SC_MAIN && m.h.keep & SC_KEEP_DELTAS) m.h.fresh |= SC_EVALUATED;
  pack(s, &m);
}

/* ---- primitives ------------------------------------------------------------------------------
 * name (without __proviso_sc_), arguments, may_block, class, role. Events, channels and processes
 * are numbers. */
#define SC_PRIMS(X)                                                                                \
  X(create, 4, 0, THREAD, CREATES) /* (unused, start, argument, flags): the number */              \
  X(finish, 0, 0, THREAD, EXITS)                                                                   \
  X(self, 0, 0, LOCAL, OTHER)                                                                      \
  X(is_method, 0, 0, LOCAL, OTHER)                                                                 \
  X(sorts_updates, 0, 0, LOCAL, OTHER)                                                             \
  X(running, 0, 0, THREAD, OTHER) /* 0: elaboration, 1: running, 2: stopped */                     \
  X(run, 2, 1, THREAD, OTHER)     /* (flags, time): channel + 1, or 0 */                           \
  X(keep, 1, 0, THREAD, OTHER)    /* (flags): what the program reads */                            \
  X(event, 0, 0, THREAD, OTHER)   /* a new event */                                                \
  X(end_event, 1, 0, THREAD, OTHER)                                                                \
  X(channel, 0, 0, THREAD, OTHER)    /* a new channel */                                           \
  X(sensitive, 2, 0, THREAD, OTHER)  /* (process, event) */                                        \
  X(wait_first, 1, 0, THREAD, OTHER) /* (process): its first run is after a trigger */             \
  X(notify, 2, 0, THREAD, OTHER)     /* (event, time): time 0 is a delta notification */           \
  X(notify_now, 1, 0, THREAD, OTHER) /* (event): 0; 1: not allowed now */                          \
  X(cancel, 1, 0, THREAD, OTHER)                                                                   \
  X(collect, 1, 0, THREAD, OTHER) /* (event): for the next wait */                                 \
  X(wait, 4, 1, THREAD, OTHER)    /* (kind, event or -1, has a time-out, time): 1: timed out */    \
  X(next, 4, 0, THREAD, OTHER)    /* the same for the method's next run */                         \
  X(end_of_method, 0, 1, THREAD, OTHER)                                                            \
  X(request, 1, 0, THREAD, OTHER) /* (channel) */                                                  \
  X(stop, 1, 0, THREAD, OTHER)    /* (1: stop, 2: pause, 3: stop at once) */                       \
  X(now, 0, 0, LOCAL, OTHER)                                                                       \
  X(deltas, 0, 0, LOCAL, OTHER)                                                                    \
  X(triggered, 1, 0, THREAD, OTHER)                                                                \
  X(is_pending, 0, 0, THREAD, OTHER) /* activity: bits 1: at this time, 2: later */                \
  X(until_next, 0, 0, THREAD, OTHER) /* the time until the next activity */

enum sc_prim {
#define X(N, A, B, C, R) SC_P_##N,
  SC_PRIMS(X)
#undef X
      SC_P_yield,
  SC_P_pthread_self,
  SC_PRIM_COUNT
};

static const struct pv_prim prims[] = {
#define X(N, A, B, C, R)                                                                           \
  {.name = "__proviso_sc_" #N,                                                                     \
   .n_args = A,                                                                                    \
   .may_block = B,                                                                                 \
   .class = PV_PRIM_##C,                                                                           \
   .role = PV_ROLE_##R,                                                                            \
   .id = SC_P_##N},
    SC_PRIMS(X)
#undef X
        {.name = "__proviso_thread_yield", .class = PV_PRIM_LOCAL, .id = SC_P_yield},
    {.name = "__proviso_thread_self", .class = PV_PRIM_LOCAL, .id = SC_P_pthread_self},
};

PV_COOPERATIVE_OP(sc_op, struct sc, m, struct sc_process)

static enum pv_prim_outcome create(struct sc_op *o) {
  struct sc *m = &o->m;
  unsigned t = m->h.threads;
  if (t == PV_MAX_THREADS) return limit(o, "no more than 63 processes of SystemC are created");
  m->h.threads++;
  m->p[t].flags = o->call->args[3] & (SC_METHOD | SC_DONT_INITIALIZE);
  m->p[t].status = SC_WAITS;
  bool later = m->h.phase != SC_ELABORATE && m->h.phase != SC_INITIALIZE;
  if (later && !(m->p[t].flags & SC_DONT_INITIALIZE)) pv_sc_make_runnable(m, t);
  o->env->spawn(o->env->self, t, o->call->args[1], o->call->args[2]);
  return done(o, t);
}

static enum pv_prim_outcome finish(struct sc_op *o) {
  unsigned t = o->call->thread;
  *o->self = (struct sc_process){.status = SC_ENDED};
  memset(&o->m.sensitive[t], 0, sizeof o->m.sensitive[t]);
  memset(&o->m.dynamic[t], 0, sizeof o->m.dynamic[t]);
  for (unsigned i = 1; i < o->m.h.threads; i++) o->m.p[i].before &= ~(UINT64_C(1) << t);
  pv_sc_settle(&o->m);
  return PV_PRIM_EXITED;
}

static enum pv_prim_outcome waits(struct sc_op *o) {
  o->self->status = SC_WAITS;
  o->self->flags |= SC_INSIDE;
  pv_sc_settle(&o->m);
  return PV_PRIM_AGAIN;
}

static enum pv_prim_outcome run(struct sc_op *o) {
  struct sc_header *h = &o->m.h;
  unsigned flags = (unsigned)o->call->args[0];
  if (o->call->thread != SC_MAIN) return limit(o, "only sc_main calls sc_start");
  if (h->phase == SC_STOPPED) return done(o, 0);
  if (flags & SC_CONTINUE) return waits(o);
  if (h->phase == SC_ELABORATE) h->phase = SC_INITIALIZE;
  h->run = (uint8_t)flags;
  h->until = flags & (SC_FOR_EVER | SC_ONE_DELTA) ? 0 : o->call->args[1];
  if (h->stop == 2) h->stop = 0;
  return waits(o);
}

static enum pv_prim_outcome new_event(struct sc_op *o) {
  for (unsigned e = 0; e < o->m.h.events; e++) {
    if (!sc_has(&o->m.free, e)) continue;
    sc_drop(&o->m.free, e);
    return done(o, e);
  }
  if (o->m.h.events == SC_OF_CHANNEL) return limit(o, "no more than 128 events of SystemC exist");
  return done(o, o->m.h.events++);
}

static enum pv_prim_outcome end_event(struct sc_op *o, unsigned event) {
  pv_sc_cancel(&o->m, event);
  for (unsigned t = 1; t < o->m.h.threads; t++) {
    sc_drop(&o->m.sensitive[t], event);
    sc_drop(&o->m.dynamic[t], event);
  }
  sc_drop(&o->m.triggered, event);
  sc_add(&o->m.free, event);
  return done(o, 0);
}

static enum pv_prim_outcome new_channel(struct sc_op *o) {
  if (o->m.h.channels == SC_CHANNELS)
    return limit(o, "no more than 128 primitive channels of SystemC exist");
  return done(o, o->m.h.channels++);
}

static enum pv_prim_outcome request(struct sc_op *o) {
  struct sc *m = &o->m;
  uint8_t channel = (uint8_t)o->call->args[0];
  unsigned n = m->h.requests, at = n;
  for (unsigned i = 0; i < n; i++)
    if (m->requests[i] == channel) return done(o, 0);
  if (m->h.order != PV_ORDER_ACCELLERA) /* the least is the last one, and updated first */
    while (at && m->requests[at - 1] < channel) at--;
  memmove(&m->requests[at + 1], &m->requests[at], n - at);
  m->requests[at] = channel;
  m->h.requests++;
  return done(o, 0);
}

/* What the calling process waits for next, when it waits. */
static void prepare(struct sc_op *o) {
  struct sc *m = &o->m;
  unsigned t = o->call->thread, kind = (unsigned)o->call->args[0];
  int32_t event = (int32_t)o->call->args[1];
  bool timed = (uint32_t)o->call->args[2];
  bool collected = o->self->flags & SC_COLLECTS;
  pv_sc_cancel(m, SC_EVENTS + t);
  pv_sc_forget_since(m, t);
  o->self->flags &= (uint8_t) ~(SC_COLLECTS | SC_HAS_TIMEOUT | SC_TIMED_OUT);
  o->self->wait = (uint8_t)kind;
  o->self->count = kind == SC_STATIC && event > 1 ? (uint32_t)event - 1 : 0;
  if (!collected) memset(&m->dynamic[t], 0, sizeof m->dynamic[t]);
  bool dynamic = kind == SC_ANY || kind == SC_EVERY;
  if (dynamic && event >= 0) sc_add(&m->dynamic[t], (unsigned)event % SC_EVENTS);
  if (timed) pv_sc_set_pending(m, SC_EVENTS + t, o->call->args[3]);
  if (timed && dynamic) o->self->flags |= SC_HAS_TIMEOUT;
  if (m->h.order != PV_ORDER_ACCELLERA || !dynamic) return;
  uint8_t last = 0;
  for (unsigned i = 1; i < m->h.threads; i++)
    if (m->p[i].since > last) last = m->p[i].since;
  o->self->since = last + 1;
}

static enum pv_prim_outcome collect(struct sc_op *o) {
  struct sc_set *set = &o->m.dynamic[o->call->thread];
  if (!(o->self->flags & SC_COLLECTS)) memset(set, 0, sizeof *set);
  o->self->flags |= SC_COLLECTS;
  sc_add(set, (unsigned)o->call->args[0] % SC_EVENTS);
  return done(o, 0);
}

/* Bits: 1: at the present time, 2: later. */
static uint64_t activity(const struct sc *m) {
  uint64_t self = m->h.running ? UINT64_C(1) << (m->h.running - 1) : 0;
  uint64_t found = m->h.requests || pv_sc_runnable(m) & ~self;
  for (unsigned i = 0; i < m->h.pending; i++) found |= m->pending[i].kind == SC_DELTA ? 1 : 2;
  return found;
}

static uint64_t until_next(const struct sc *m) {
  if (activity(m) != 2) return activity(m) ? 0 : UINT64_MAX;
  uint64_t least = UINT64_MAX;
  for (unsigned i = 0; i < m->h.pending; i++)
    if (m->pending[i].time < least) least = m->pending[i].time;
  return least;
}

static bool is_event(const struct sc *m, unsigned number) {
  return number < SC_OF_CHANNEL ? number < m->h.events : number - SC_OF_CHANNEL < m->h.channels;
}

static bool names_event(enum sc_prim prim) {
  switch (prim) {
  case SC_P_end_event:
  case SC_P_notify:
  case SC_P_notify_now:
  case SC_P_cancel:
  case SC_P_collect:
  case SC_P_triggered: return true;
  default: return false;
  }
}

static enum pv_prim_outcome perform(struct sc_op *o) {
  enum sc_prim prim = (enum sc_prim)o->call->prim->id;
  struct sc *m = &o->m;
  unsigned first = (unsigned)o->call->args[0], event = first % SC_EVENTS;
  bool is_main = o->call->thread == SC_MAIN;
  if (o->self->flags & SC_INSIDE) {
    bool timed_out = o->self->flags & SC_TIMED_OUT;
    o->self->flags &= (uint8_t) ~(SC_INSIDE | SC_TIMED_OUT);
    if (!is_main) return done(o, timed_out);
    unsigned channel = m->h.channel;
    m->h.channel = 0;
    return done(o, channel);
  }
  if (m->h.heap > SC_HEAP - 4) return limit(o, "no more than 1000 timed notifications are kept");
  if (names_event(prim) && !is_event(m, first)) return limit(o, "only events are notified");
  switch (prim) {
  case SC_P_create: return create(o);
  case SC_P_finish: return finish(o);
  case SC_P_self: return done(o, o->call->thread);
  case SC_P_is_method: return done(o, o->self->flags & SC_METHOD);
  case SC_P_sorts_updates: return done(o, m->h.order != PV_ORDER_ACCELLERA);
  case SC_P_running:
    return done(o, m->h.phase == SC_ELABORATE ? 0 : m->h.phase == SC_STOPPED ? 2 : 1);
  case SC_P_run: return run(o);
  case SC_P_keep: m->h.keep = (uint8_t)first; return done(o, 0);
  case SC_P_event: return new_event(o);
  case SC_P_end_event: return end_event(o, event);
  case SC_P_channel: return new_channel(o);
  case SC_P_sensitive:
    sc_add(&m->sensitive[first % PV_MAX_THREADS], (unsigned)o->call->args[1] % SC_EVENTS);
    return done(o, 0);
  case SC_P_wait_first: m->p[first % PV_MAX_THREADS].flags |= SC_DONT_INITIALIZE; return done(o, 0);
  case SC_P_notify: pv_sc_notify(m, event, o->call->args[1]); return done(o, 0);
  case SC_P_notify_now:
    if (is_main && (m->h.phase == SC_UPDATE || m->h.phase <= SC_INITIALIZE)) return done(o, 1);
    pv_sc_trigger(m, event);
    return done(o, 0);
  case SC_P_cancel: pv_sc_cancel(m, event); return done(o, 0);
  case SC_P_collect: return collect(o);
  case SC_P_wait:
    if (is_main) return limit(o, "sc_main calls no wait");
    if (o->self->flags & SC_METHOD) return limit(o, "a method of SystemC calls no wait");
    prepare(o);
    return waits(o);
  case SC_P_next:
    if (!(o->self->flags & SC_METHOD)) return limit(o, "only methods call next_trigger");
    prepare(o);
    return done(o, 0);
  case SC_P_end_of_method: return waits(o);
  case SC_P_request: return request(o);
  case SC_P_stop:
    if (!(m->h.stop & 1)) m->h.stop = (uint8_t)first;
    if (is_main && (first & 1) && m->h.phase != SC_UPDATE && m->h.phase != SC_INITIALIZE)
      m->h.phase = SC_STOPPED;
    return done(o, 0);
  case SC_P_now: return done(o, m->h.now);
  case SC_P_deltas: return done(o, m->h.deltas);
  case SC_P_triggered: return done(o, sc_has(&m->triggered, event));
  case SC_P_is_pending: return done(o, activity(m));
  case SC_P_until_next: return done(o, until_next(m));
  case SC_P_pthread_self: return done(o, o->call->thread + 1);
  case SC_P_yield:
  case SC_PRIM_COUNT: break;
  }
  return done(o, 0);
}

PV_COOPERATIVE_EXEC(struct sc_op, m, p)

/* ---- queries --------------------------------------------------------------------------------- */
static unsigned n_threads(const struct pv_sched_state *s) {
  return header(s).threads;
}

static bool alive(const struct pv_sched_state *s, unsigned thread) {
  struct sc_process p = process_at(s, thread);
  return p.status != SC_FREE && p.status != SC_ENDED;
}

PV_COOPERATIVE_SETS

static void explain_block(const struct pv_sched_state *s, const struct pv_prim_call *call,
                          struct pv_str *out, uint64_t *object) {
  struct sc m;
  unpack(s, &m);
  const struct sc_process *p = &m.p[call->thread];
  *object = 0;
  const struct sc_set *set =
      p->wait == SC_STATIC ? &m.sensitive[call->thread] : &m.dynamic[call->thread];
  if (p->status != SC_WAITS || p->wait == SC_TIME || sc_is_empty(set)) {
    pv_str_add(out, "its turn");
    return;
  }
  pv_str_add(out, "event");
  for (unsigned e = 0, n = 0; e < SC_EVENTS; e++)
    if (sc_has(set, e))
      pv_str_addf(out, "%s %u", !n++ ? "" : p->wait == SC_EVERY ? " and" : " or", e);
}

static bool reads_clock(const struct pv_prim *prim) {
  return prim->id == SC_P_now || prim->id == SC_P_deltas;
}

/* Whether an event comes now or later makes no difference to a thread that waits for time alone. */
static bool waits_early(const struct pv_prim_call *call) {
  return call->prim->id == SC_P_wait && call->args[0] == SC_TIME;
}

/* May the process wait for the event after the call? */
static bool may_await(const struct pv_prim_call *call, unsigned event) {
  int32_t awaited = (int32_t)call->args[1];
  if (call->prim->id == SC_P_end_of_method) return true;
  if (call->prim->id != SC_P_wait || call->args[0] == SC_TIME) return false;
  return call->args[0] == SC_STATIC || awaited < 0 || (unsigned)awaited == event;
}

/* Does the call change nothing that another process can notice while it can run itself? */
static bool is_own(const struct pv_prim_call *call) {
  switch ((enum sc_prim)call->prim->id) {
  case SC_P_self:
  case SC_P_is_method:
  case SC_P_sorts_updates:
  case SC_P_now:
  case SC_P_deltas:
  case SC_P_yield:
  case SC_P_pthread_self:
  case SC_P_finish:
  case SC_P_wait:
  case SC_P_next:
  case SC_P_collect:
  case SC_P_end_of_method:
  case SC_P_request: return true;
  default: return false;
  }
}

/* In order `any` calls of two processes that can both run commute unless one of these says
 * otherwise. Each pair is asked about in both directions. Notifications of several events wake the
 * same processes in any order, and of the notifications of one event the soonest stays. */
static bool disturbs(const struct pv_prim_call *a, const struct pv_prim_call *b) {
  enum sc_prim other = (enum sc_prim)b->prim->id;
  bool same = a->args[0] == b->args[0];
  if (is_own(a)) return false;
  switch ((enum sc_prim)a->prim->id) {
  /* At once: nobody runs after it. Otherwise the first stop counts. */
  case SC_P_stop: return a->args[0] == 3 || (other == SC_P_stop && !same);
  case SC_P_notify: return same && (other == SC_P_notify_now || other == SC_P_cancel);
  case SC_P_notify_now: return may_await(b, (unsigned)a->args[0]) || (same && other == SC_P_notify);
  case SC_P_cancel: return same && other == SC_P_notify;
  default: return true;
  }
}
static bool independent(const struct pv_prim_call *a, const struct pv_prim_call *b) {
  return !disturbs(a, b) && !disturbs(b, a);
}

/* An evaluation ends when all that can run have run. Only an immediate notification lets others run
 * in it, and only a stop at once ends it before. */
static bool keeps_turns(const struct pv_prim_call *call) {
  return is_own(call) || call->prim->id == SC_P_notify || call->prim->id == SC_P_cancel;
}

const struct pv_sched pv_sched_systemc = {
    .name = "systemc",
    .prims = prims,
    .n_prims = SC_PRIM_COUNT,
    .bottom = "__proviso_sc_process_main",
    .init = init,
    .may_run = may_run,
    .inside = inside,
    .dispatch = dispatch,
    .waits_early = waits_early,
    .keeps_turns = keeps_turns,
    .forget_clock = forget_clock,
    .reads_clock = reads_clock,
    .exec = exec,
    .n_threads = n_threads,
    .alive = alive,
    .alive_set = alive_set,
    .independent = independent,
    .used_set = used_set,
    .explain_block = explain_block,
    PV_SCHED_COOPERATIVE,
};
