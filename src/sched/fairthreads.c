/* fairthreads.c -- the cooperative plug-in for FairThreads 1.0 and 1.1 (Boussinot, `scheduler.c`):
 * schedulers, threads that are linked to one, and threads beside them. The model fthread.c makes
 * the C API of these primitives.
 *
 * Time is a sequence of instants. In an instant every thread that can run runs until it cooperates,
 * waits or ends. An event that is generated is present until the end of the instant, and every
 * thread that waits for it goes on in this instant. When no thread can go on, the instant ends.
 * Orders (stop, suspend, resume, broadcast, unlink) and new threads take effect at the start of the
 * next one.
 *
 * The library runs through its threads in the order of linking, again and again, until a pass finds
 * none that can go on. A thread that is woken later in the list runs in this pass, otherwise in the
 * next one. So the next thread is the first one that can go on after the one that ran last, and
 * after the last place comes the first one: the plug-in keeps the place of the thread that ran last
 * (`at`), and no passes.
 *
 * Main and unlinked threads run beside the schedulers: as soon as they can, before all others.
 * Several schedulers have instants in turn. Engines and the model add provisos for both.
 *
 * State: a header, one record for each scheduler and thread, the values of events, the owners of
 * locks. Deadlines are relative to the present instant. The number of the instant is not kept: else
 * an endless program would have endlessly many states. When a thread stops running and no other one
 * can go on, the same call ends the instant, and as many further ones as it takes until a thread
 * can run. */
#include "sched/fairthreads_internal.h"

#include <string.h>

static size_t transfer(struct ft *f, uint8_t *bytes, bool packs) {
  struct {
    void *at;
    size_t n;
  } parts[] = {{f->s, f->h.schedulers * sizeof f->s[0]},
               {f->t, f->h.threads * sizeof f->t[0]},
               {f->v, f->h.values * sizeof f->v[0]},
               {f->owner, f->h.locks},
               {f->event, f->h.events}};
  size_t at = sizeof f->h;
  for (size_t i = 0; i < sizeof parts / sizeof parts[0]; at += parts[i++].n)
    memcpy(packs ? bytes + at : parts[i].at, packs ? parts[i].at : bytes + at, parts[i].n);
  return at;
}

static void unpack(const struct pv_sched_state *s, struct ft *f) {
  memset(f, 0, sizeof *f);
  memcpy(&f->h, s->data, sizeof f->h);
  transfer(f, s->data, false);
}

static void pack(struct pv_sched_state *s, struct ft *f) {
  static const struct ft_values none;
  uint8_t bytes[sizeof *f];
  unsigned values = FT_EVENTS, locks = FT_LOCKS, events = FT_EVENTS;
  while (values && !memcmp(&f->v[values - 1], &none, sizeof none)) values--;
  while (locks && !f->owner[locks - 1]) locks--;
  while (events && !f->event[events - 1]) events--;
  f->h.values = (uint8_t)values;
  f->h.locks = (uint8_t)locks;
  f->h.events = (uint8_t)events;
  memcpy(bytes, &f->h, sizeof f->h);
  pv_cooperative_set(s, bytes, transfer(f, bytes, true));
}

static struct ft_header header(const struct pv_sched_state *s) {
  struct ft_header h;
  memcpy(&h, s->data, sizeof h);
  return h;
}

static struct ft_thread thread_at(const struct pv_sched_state *s, unsigned thread) {
  struct ft_thread t = {0};
  struct ft_header h = header(s);
  size_t at = sizeof h + h.schedulers * sizeof(struct ft_scheduler) + thread * sizeof t;
  if (thread < h.threads) memcpy(&t, s->data + at, sizeof t);
  return t;
}

static void init(struct pv_sched_state *s, enum pv_sched_order order) {
  struct ft f;
  memset(&f, 0, sizeof f);
  f.h.threads = 1;
  f.h.order = (uint8_t)(order == PV_ORDER_ACCELLERA ? PV_ORDER_CREATION : order);
  f.h.running = FT_MAIN + 1;
  f.t[FT_MAIN].status = FT_CAN;
  f.t[FT_MAIN].sched = FT_UNLINKED;
  pack(s, &f);
}

/* ---- who runs -------------------------------------------------------------------------------- */
static bool can_run(const struct ft *f, unsigned thread, unsigned sched) {
  const struct ft_thread *t = &f->t[thread];
  return t->sched == sched && t->status == FT_CAN && !(t->flags & FT_SUSPENDED);
}

uint64_t pv_ft_candidates(const struct ft *f, unsigned sched) {
  uint64_t all = 0;
  if (sched >= f->h.schedulers || !f->s[sched].launched) return 0;
  for (unsigned t = 1; t < f->h.threads; t++)
    if (f->t[t].status == FT_CLEANING && f->t[t].sched == sched) return UINT64_C(1) << t;
  unsigned next = 0, first = 0; /* thread numbers; main is never one */
  for (unsigned t = 1; t < f->h.threads; t++) {
    if (!can_run(f, t, sched)) continue;
    unsigned place = f->t[t].place;
    all |= UINT64_C(1) << t;
    if (!first || place < f->t[first].place) first = t;
    if (place > f->s[sched].at && (!next || place < f->t[next].place)) next = t;
  }
  if (f->h.order == PV_ORDER_ANY) return all;
  uint64_t open = 0; /* the order is not decided yet: the first pass of the first instant */
  for (unsigned t = 1; t < f->h.threads; t++)
    if (!f->t[t].place && (all >> t & 1)) open |= UINT64_C(1) << t;
  if (open) return open;
  return !all ? 0 : UINT64_C(1) << (next ? next : first);
}

uint64_t pv_ft_free_thread(const struct ft *f) {
  for (unsigned t = 0; t < f->h.threads; t++)
    if (can_run(f, t, FT_UNLINKED)) return UINT64_C(1) << t;
  return 0;
}

static uint64_t may_run(const struct pv_sched_state *s) {
  struct ft f;
  unpack(s, &f);
  if (f.h.running) return UINT64_C(1) << (f.h.running - 1);
  uint64_t free = pv_ft_free_thread(&f);
  return free ? free : pv_ft_candidates(&f, f.h.turn);
}

static bool inside(const struct pv_sched_state *s) {
  struct ft f;
  unpack(s, &f);
  if (f.h.running) return pv_ft_is_linked(&f.t[f.h.running - 1]);
  return !pv_ft_free_thread(&f) && pv_ft_candidates(&f, f.h.turn) && f.s[f.h.turn].at;
}

static void dispatch(struct pv_sched_state *s, unsigned thread) {
  struct ft f;
  if (header(s).running == thread + 1) return;
  unpack(s, &f);
  struct ft_thread *t = &f.t[thread];
  f.h.running = (uint8_t)(thread + 1);
  if (t->status == FT_CLEANING || !pv_ft_is_linked(t)) {
    pack(s, &f);
    return;
  }
  if (!t->place && f.h.order == PV_ORDER_ALL) {
    t->place = ++f.h.placed;
    bool all = true; /* then the number of places says nothing more */
    for (unsigned u = 1; u < f.h.threads; u++) all &= f.t[u].place || !pv_ft_is_live(&f.t[u]);
    if (all) f.h.placed = 0;
  }
  f.s[t->sched].at = f.h.order == PV_ORDER_ANY ? 1 : t->place;
  pack(s, &f);
}

static bool beside(const struct pv_sched_state *s, unsigned thread) {
  struct ft f;
  if (pv_ft_is_linked(&(struct ft_thread){.sched = thread_at(s, thread).sched})) return false;
  unpack(s, &f);
  bool launched = false;
  for (unsigned i = 0; i < f.h.schedulers; i++) launched |= f.s[i].launched;
  return launched;
}

/* ---- primitives ------------------------------------------------------------------------------
 * name (without __proviso_ft_), arguments, may_block, class, role. Schedulers and events are
 * numbers from 0, threads are numbers, locks are numbers from 1. */
#define FT_PRIMS(X)                                                                                \
  X(create, 4, 0, THREAD, CREATES) /* (is an automaton, start, argument, scheduler): its number */ \
  X(finish, 0, 0, THREAD, EXITS)   /* the calling thread ends */                                   \
  X(scheduler, 1, 0, THREAD, OTHER) /* (is version 1.0): a new scheduler */                        \
  X(event, 2, 0, THREAD, OTHER)     /* (event, scheduler): to which it belongs; else 0 */          \
  X(launch, 1, 0, THREAD, OTHER)    /* (scheduler): starts it; 0, or EBADLINK */                   \
  X(self, 0, 0, LOCAL, OTHER)       /* the calling thread's number; main is 0 */                   \
  X(linked, 0, 0, LOCAL, OTHER)     /* the caller's scheduler; -1: none */                         \
  X(cooperate, 1, 1, THREAD, OTHER) /* (instants) */                                               \
  X(await, 3, 1, THREAD, OTHER)     /* (set of events, has a deadline, instants) */                \
  X(join, 3, 1, THREAD, OTHER)      /* (thread, has a deadline, instants) */                       \
  X(generate, 2, 0, THREAD, OTHER)  /* (event, has a value): how many values it had, or            \
                                       NOT_HERE */                                                 \
  X(value, 2, 1, THREAD, OTHER)     /* (event, i): waits for its i-th value; OK, ENEXT */          \
  X(where, 2, 0, THREAD, OTHER) /* (event, i): which value that is: i by a thread; 16 + i, 32 + i  \
                                   in a list of broadcasts */                                      \
  X(present, 0, 0, THREAD, OTHER)   /* the set of events that are present */                       \
  X(order, 2, 0, THREAD, OTHER)     /* (thread, flags: what is ordered) */                         \
  X(broadcast, 3, 0, THREAD, OTHER) /* (unused, event, has a value): where the value belongs,      \
                                       as `where`, + 256 */                                        \
  X(link, 1, 1, THREAD, OTHER)      /* (scheduler) */                                              \
  X(unlink, 0, 1, THREAD, OTHER)                                                                   \
  X(lock, 1, 1, THREAD, OTHER)      /* (lock) */                                                   \
  X(unlock, 1, 0, THREAD, OTHER)    /* (lock) */                                                   \
  X(await_end, 1, 1, THREAD, JOINS) /* (thread): pthread_join, by a thread beside */

enum { NOT_HERE = 256 + FT_EBADLINK }; /* result of `generate` */

enum ft_prim {
#define X(N, A, B, C, R) FT_P_##N,
  FT_PRIMS(X)
#undef X
  /* What the models of sleep and pthread_self call. A thread of the scheduler that sleeps keeps
     all others waiting. */
  FT_P_yield,
  FT_P_pthread_self,
  FT_P_pthread_exit,
  FT_PRIM_COUNT
};

static const struct pv_prim prims[] = {
#define X(N, A, B, C, R)                                                                           \
  {.name = "__proviso_ft_" #N,                                                                     \
   .n_args = A,                                                                                    \
   .may_block = B,                                                                                 \
   .class = PV_PRIM_##C,                                                                           \
   .role = PV_ROLE_##R,                                                                            \
   .id = FT_P_##N},
    FT_PRIMS(X)
#undef X
        {.name = "__proviso_thread_yield", .class = PV_PRIM_LOCAL, .id = FT_P_yield},
    {.name = "__proviso_thread_self", .class = PV_PRIM_LOCAL, .id = FT_P_pthread_self},
    {.name = "__proviso_thread_exit",
     .n_args = 1,
     .class = PV_PRIM_THREAD,
     .role = PV_ROLE_EXITS,
     .id = FT_P_pthread_exit},
};

static bool names_threads(const struct pv_prim *prim) {
  switch (prim->id) {
  case FT_P_self:
  case FT_P_pthread_self:
  case FT_P_join:
  case FT_P_order:
  case FT_P_await_end: return true;
  default: return false;
  }
}

/* Threads are numbered in the order of their creation, and no number is used again. With an order
 * that stays they differ in their places. */
static bool alike(const struct pv_sched_state *s, unsigned a, unsigned b) {
  struct ft f;
  unpack(s, &f);
  bool named = f.h.threads == PV_MAX_THREADS;
  for (unsigned t = 0; t < f.h.threads; t++)
    named |= f.t[t].status == FT_JOIN && (f.t[t].set == a || f.t[t].set == b);
  for (unsigned i = 0; i < FT_LOCKS; i++) named |= f.owner[i] == a + 1 || f.owner[i] == b + 1;
  return !named && !memcmp(&f.t[a], &f.t[b], sizeof f.t[a]);
}

PV_COOPERATIVE_OP(ft_op, struct ft, f, struct ft_thread)

/* The running thread waits: the first stage of its primitive. */
static enum pv_prim_outcome waits(struct ft_op *o, enum ft_status status, uint64_t set,
                                  uint32_t deadline) {
  o->self->status = (uint8_t)status;
  o->self->waits = 1;
  o->self->set = set;
  o->self->deadline = deadline;
  pv_ft_settle(&o->f, o->env);
  return PV_PRIM_AGAIN;
}

/* Gives the places anew, in the same order and without gaps. */
static void close_gaps(struct ft *f) {
  uint8_t to[UINT8_MAX + 1] = {0}, n = 0;
  for (unsigned t = 1; t < f->h.threads; t++) to[f->t[t].place] = 1;
  for (unsigned i = 0; i < f->h.schedulers; i++) to[f->s[i].at] = 1;
  to[0] = 0;
  for (unsigned place = 1; place <= UINT8_MAX; place++)
    if (to[place]) to[place] = ++n;
  for (unsigned t = 1; t < f->h.threads; t++) f->t[t].place = to[f->t[t].place];
  for (unsigned i = 0; i < f->h.schedulers; i++) f->s[i].at = to[f->s[i].at];
}

/* Behind all others. */
static uint8_t last_place(struct ft *f) {
  for (;; close_gaps(f)) {
    unsigned last = 0;
    for (unsigned t = 1; t < f->h.threads; t++)
      if (f->t[t].place > last) last = f->t[t].place;
    if (last < UINT8_MAX) return (uint8_t)(last + 1);
  }
}

/* A thread that is not in use: a new one, or if there are no more, the first one that has ended and
 * was no automaton; 0: none. */
static unsigned unused_thread(const struct ft *f) {
  if (f->h.threads < PV_MAX_THREADS) return f->h.threads;
  for (unsigned t = 1; t < f->h.threads; t++) {
    bool awaited = false;
    for (unsigned u = 0; u < f->h.threads; u++)
      awaited |= f->t[u].status == FT_JOIN && f->t[u].set == t;
    if (f->t[t].status == FT_ENDED && !f->t[t].automaton && !awaited) return t;
  }
  return 0;
}

static enum pv_prim_outcome create(struct ft_op *o) {
  struct ft *f = &o->f;
  unsigned slot = unused_thread(f), sched = (unsigned)o->call->args[3];
  if (!slot) return limit(o, "no more than 63 FairThreads exist at one time");
  if (slot == f->h.threads)
    f->h.threads++;
  else if (o->env->provided)
    o->env->provided(o->env->self,
                     "no FairThread that has ended is named after 63 others were created");
  f->t[slot] = (struct ft_thread){.status = FT_NEXT, .automaton = o->call->args[0] != 0};
  f->t[slot].sched = f->t[slot].made = (uint8_t)sched;
  bool later = f->s[sched].launched; /* its place is behind all others */
  uint8_t place = last_place(f);
  if (f->h.order == PV_ORDER_CREATION || (f->h.order == PV_ORDER_ALL && later))
    f->t[slot].place = place < f->h.threads ? (uint8_t)(f->h.threads - 1) : place;
  o->env->spawn(o->env->self, slot, o->call->args[1], o->call->args[2]);
  return done(o, slot);
}

static enum pv_prim_outcome finish(struct ft_op *o) {
  pv_ft_end_thread(&o->f, o->call->thread);
  pv_ft_settle(&o->f, o->env);
  return PV_PRIM_EXITED;
}

static enum pv_prim_outcome new_scheduler(struct ft_op *o) {
  if (o->f.h.schedulers == FT_SCHEDULERS)
    return limit(o, "no more than 4 schedulers of FairThreads are created");
  o->f.h.old |= (uint32_t)o->call->args[0] != 0;
  o->f.h.turn = o->f.h.schedulers; /* the first one comes next */
  return done(o, o->f.h.schedulers++);
}

static enum pv_prim_outcome launch(struct ft_op *o) {
  struct ft_scheduler *s = &o->f.s[o->call->args[0] % FT_SCHEDULERS];
  if (s->launched) return done(o, FT_EBADLINK);
  s->launched = 1;
  return done(o, FT_OK);
}

static enum pv_prim_outcome cooperate(struct ft_op *o) {
  int32_t n = (int32_t)o->call->args[0];
  if (n <= 0) return done(o, FT_OK);
  return n == 1 ? waits(o, FT_NEXT, 0, 0) : waits(o, FT_TIME, 0, (uint32_t)n);
}

static enum pv_prim_outcome await(struct ft_op *o) {
  uint64_t set = o->call->args[0];
  bool timed = (uint32_t)o->call->args[1];
  int32_t n = (int32_t)o->call->args[2];
  if (timed && n <= 0) return done(o, FT_ETIMEOUT);
  for (unsigned e = 0; e < FT_EVENTS; e++)
    if ((set >> e & 1) && o->f.event[e] != o->self->sched) return done(o, FT_EBADLINK);
  if (o->f.s[o->self->sched].present & set) return done(o, FT_OK);
  return waits(o, FT_EVENT, set, timed ? (uint32_t)n : 0);
}

static enum pv_prim_outcome join(struct ft_op *o) {
  uint64_t thread = (uint32_t)o->call->args[0];
  bool timed = (uint32_t)o->call->args[1];
  int32_t n = (int32_t)o->call->args[2];
  if (thread >= o->f.h.threads) return done(o, FT_EBADMEM);
  const struct ft_thread *t = &o->f.t[thread];
  if (!o->f.h.old && t->made != o->self->sched) return done(o, FT_EBADLINK);
  bool over = t->status >= FT_CLEANING;
  if (over) return done(o, FT_OK);
  if (timed && n <= 0) return done(o, FT_ETIMEOUT);
  return waits(o, FT_JOIN, thread, timed ? (uint32_t)n : 0);
}

static enum pv_prim_outcome generates(struct ft_op *o) {
  unsigned event = (unsigned)o->call->args[0] % FT_EVENTS, sched = o->self->sched;
  struct ft_values *v = &o->f.v[event];
  unsigned had = v->generated;
  if (!(uint32_t)o->call->args[1]) {
    if (!(o->f.s[sched].present >> event & 1)) pv_ft_generate(&o->f, sched, event);
    return done(o, FT_OK);
  }
  pv_ft_generate(&o->f, sched, event);
  if (had < UINT8_MAX) v->generated++;
  for (unsigned t = 1; t < o->f.h.threads; t++) {
    struct ft_thread *w = &o->f.t[t];
    bool has = w->status == FT_VALUE && w->set == event && w->index < v->broadcast + v->generated;
    if (has) pv_ft_wake(w, FT_OK);
  }
  return done(o, had);
}

static enum pv_prim_outcome value(struct ft_op *o) {
  unsigned event = (unsigned)o->call->args[0] % FT_EVENTS;
  uint64_t i = (uint32_t)o->call->args[1];
  const struct ft_values *v = &o->f.v[event];
  if (i < (uint64_t)v->broadcast + v->generated) return done(o, FT_OK);
  o->self->index = (uint8_t)(i < UINT8_MAX ? i : UINT8_MAX);
  return waits(o, FT_VALUE, event, 0);
}

/* Version 1.0 generates broadcasts in reverse order. */
static enum pv_prim_outcome where(struct ft_op *o) {
  const struct ft_values *v = &o->f.v[o->call->args[0] % FT_EVENTS];
  unsigned i = (unsigned)o->call->args[1];
  if (i >= v->broadcast) return done(o, i - v->broadcast);
  unsigned at = o->f.h.old ? v->broadcast - 1u - i : i;
  return done(o, 16 + 16u * v->list + at);
}

static enum pv_prim_outcome broadcast(struct ft_op *o) {
  unsigned event = (unsigned)o->call->args[1] % FT_EVENTS;
  struct ft_scheduler *s = &o->f.s[o->f.event[event]];
  struct ft_values *v = &o->f.v[event];
  s->broadcast |= UINT64_C(1) << event;
  if (!(uint32_t)o->call->args[2]) return done(o, FT_OK);
  if (v->ordered == 8) return limit(o, "no more than 8 values of an event are broadcast");
  unsigned list = !v->list;
  return done(o, 256 + 16 + 16 * list + v->ordered++);
}

static enum pv_prim_outcome order(struct ft_op *o) {
  uint64_t thread = (uint32_t)o->call->args[0];
  uint8_t what = (uint8_t)o->call->args[1];
  if (thread >= o->f.h.threads) return done(o, FT_EBADMEM);
  struct ft_thread *t = &o->f.t[thread];
  if (!pv_ft_is_live(t) || t->status == FT_CLEANING) return done(o, FT_OK);
  if (!pv_ft_is_linked(t)) return done(o, FT_EBADLINK);
  if (what & (FT_SUSPEND | FT_RESUME) && !o->f.h.old)
    t->flags &= (uint8_t) ~(FT_SUSPEND | FT_RESUME);
  t->flags |= what;
  return done(o, FT_OK);
}

static enum pv_prim_outcome link_to(struct ft_op *o) {
  unsigned sched = (unsigned)o->call->args[0] % FT_SCHEDULERS;
  if (pv_ft_is_linked(o->self)) return done(o, FT_EBADLINK);
  o->self->sched = (uint8_t)sched;
  o->self->place = last_place(&o->f);
  return waits(o, FT_NEXT, 0, 0);
}

static enum pv_prim_outcome unlink_it(struct ft_op *o) {
  o->self->flags |= FT_UNLINK;
  return waits(o, FT_NEXT, 0, 0);
}

static enum pv_prim_outcome lock(struct ft_op *o) {
  unsigned lock = (unsigned)o->call->args[0] - 1;
  if (lock >= FT_LOCKS) return limit(o, "no more than 32 locks of FairThreads are used");
  if (o->f.owner[lock]) return waits(o, FT_LOCK, lock, 0);
  o->f.owner[lock] = (uint8_t)(o->call->thread + 1);
  return done(o, FT_OK);
}

static enum pv_prim_outcome unlock(struct ft_op *o) {
  unsigned lock = (unsigned)o->call->args[0] - 1;
  if (lock >= FT_LOCKS || o->f.owner[lock] != o->call->thread + 1)
    return limit(o, "locks of FairThreads are released by the thread that has taken them");
  pv_ft_free_lock(&o->f, lock);
  return done(o, FT_OK);
}

static enum pv_prim_outcome await_end(struct ft_op *o) {
  uint64_t thread = (uint32_t)o->call->args[0];
  if (thread >= o->f.h.threads || pv_ft_is_linked(o->self))
    return limit(o, "pthread_join is called by threads that are not linked");
  if (o->f.t[thread].status >= FT_CLEANING) return done(o, FT_OK);
  return waits(o, FT_JOIN, thread, 0);
}

static enum pv_prim_outcome perform(struct ft_op *o) {
  enum ft_prim prim = (enum ft_prim)o->call->prim->id;
  bool waits = o->call->prim->may_block, linked = pv_ft_is_linked(o->self);
  bool needs_link = prim == FT_P_cooperate || prim == FT_P_await || prim == FT_P_join ||
                    prim == FT_P_generate || prim == FT_P_value || prim == FT_P_unlink;
  bool acts = prim == FT_P_create || prim == FT_P_order || prim == FT_P_broadcast;
  if (o->self->status == FT_CLEANING && (waits || acts))
    return limit(o, "a cleanup function of FairThreads calls nothing that waits or gives orders");
  if (o->self->waits) {
    unsigned code = o->self->code;
    o->self->waits = o->self->code = 0;
    return done(o, code);
  }
  if (!linked && needs_link) return done(o, prim == FT_P_generate ? NOT_HERE : FT_EBADLINK);
  bool of_event = prim == FT_P_generate || prim == FT_P_value;
  if (of_event && o->f.event[o->call->args[0] % FT_EVENTS] != o->self->sched)
    return done(o, prim == FT_P_generate ? NOT_HERE : FT_EBADLINK);
  switch (prim) {
  case FT_P_create: return create(o);
  case FT_P_finish:
  case FT_P_pthread_exit: return finish(o);
  case FT_P_scheduler: return new_scheduler(o);
  case FT_P_launch: return launch(o);
  case FT_P_event:
    o->f.event[o->call->args[0] % FT_EVENTS] = (uint8_t)(o->call->args[1] % FT_SCHEDULERS);
    return done(o, FT_OK);
  case FT_P_self: return done(o, o->call->thread);
  case FT_P_linked: return done(o, linked ? o->self->sched : UINT64_MAX);
  case FT_P_cooperate: return cooperate(o);
  case FT_P_await: return await(o);
  case FT_P_join: return join(o);
  case FT_P_generate: return generates(o);
  case FT_P_value: return value(o);
  case FT_P_where: return where(o);
  case FT_P_present: return done(o, linked ? o->f.s[o->self->sched].present : 0);
  case FT_P_order: return order(o);
  case FT_P_broadcast: return broadcast(o);
  case FT_P_link: return link_to(o);
  case FT_P_unlink: return unlink_it(o);
  case FT_P_lock: return lock(o);
  case FT_P_unlock: return unlock(o);
  case FT_P_await_end: return await_end(o);
  case FT_P_pthread_self: return done(o, o->call->thread + 1);
  case FT_P_yield:
  case FT_PRIM_COUNT: break;
  }
  return done(o, FT_OK);
}

PV_COOPERATIVE_EXEC(struct ft_op, f, t)

/* ---- queries --------------------------------------------------------------------------------- */
static unsigned n_threads(const struct pv_sched_state *s) {
  return header(s).threads;
}

static bool alive(const struct pv_sched_state *s, unsigned thread) {
  struct ft_thread t = thread_at(s, thread);
  return pv_ft_is_live(&t);
}

PV_COOPERATIVE_SETS

static void explain_block(const struct pv_sched_state *s, const struct pv_prim_call *call,
                          struct pv_str *out, uint64_t *object) {
  struct ft_thread t = thread_at(s, call->thread);
  *object = 0;
  const char *suspended = t.flags & FT_SUSPENDED ? ", suspended" : "";
  switch ((enum ft_status)t.status) {
  case FT_EVENT:
    pv_str_add(out, "event");
    for (unsigned e = 0, n = 0; e < FT_EVENTS; e++)
      if (t.set >> e & 1) pv_str_addf(out, "%s %u", n++ ? " or" : "", e);
    break;
  case FT_JOIN: pv_str_addf(out, "the end of thread %u", (unsigned)t.set); break;
  case FT_LOCK: pv_str_add(out, "a lock"); break;
  default: pv_str_add(out, "its turn"); break;
  }
  pv_str_add(out, suspended);
}

/* A present event stays present until the end of the instant, an ended thread stays ended, and
 * every thread that can run does so before the instant ends. */
static bool waits_early(const struct pv_prim_call *call) {
  switch ((enum ft_prim)call->prim->id) {
  case FT_P_join: /* at its deadline already, it looks only now */
    return !(uint32_t)call->args[1] || (int32_t)call->args[2] > 0;
  case FT_P_cooperate:
  case FT_P_await:
  case FT_P_value: return true;
  default: return false;
  }
}

/* Orders and broadcasts wait for the next instant. An event that is generated wakes threads in this
 * one, and so does the end of a thread. */
static bool keeps_turns(const struct pv_prim_call *call) {
  switch ((enum ft_prim)call->prim->id) {
  case FT_P_self:
  case FT_P_yield:
  case FT_P_pthread_self:
  case FT_P_cooperate:
  case FT_P_await:
  case FT_P_value:
  case FT_P_present:
  case FT_P_join: return true;
  default: return false;
  }
}

/* Threads keep no places here (order `any`), so the calls of two threads that can both run now
 * commute unless one of these says otherwise. Each pair is asked about in both directions. */
static bool disturbs(const struct pv_prim_call *a, const struct pv_prim_call *b) {
  enum ft_prim other = (enum ft_prim)b->prim->id;
  unsigned event = (unsigned)a->args[0] % FT_EVENTS;
  switch ((enum ft_prim)a->prim->id) {
  case FT_P_self:
  case FT_P_yield:
  case FT_P_pthread_self:
  case FT_P_cooperate:
  case FT_P_await:
  case FT_P_join:
  case FT_P_value:
  case FT_P_present:
  case FT_P_linked: return false;
  case FT_P_generate:
    if (other == FT_P_await) return b->args[0] >> event & 1;
    if (other == FT_P_value) return b->args[0] % FT_EVENTS == event;
    if (other == FT_P_generate)
      return b->args[0] % FT_EVENTS == event && ((uint32_t)a->args[1] || (uint32_t)b->args[1]);
    return other == FT_P_present;
  case FT_P_finish:
    return (other == FT_P_join || other == FT_P_order) && (uint32_t)b->args[0] == a->thread;
  case FT_P_broadcast: /* of one event: in order */
    return other == FT_P_broadcast && a->args[1] == b->args[1] && (uint32_t)a->args[2] &&
           (uint32_t)b->args[2];
  case FT_P_order: return other == FT_P_order && (uint32_t)a->args[0] == (uint32_t)b->args[0];
  default: return other != FT_P_self && other != FT_P_yield && other != FT_P_pthread_self;
  }
}
static bool independent(const struct pv_prim_call *a, const struct pv_prim_call *b) {
  return !disturbs(a, b) && !disturbs(b, a);
}

const struct pv_sched pv_sched_fairthreads = {
    .name = "fairthreads",
    .prims = prims,
    .n_prims = FT_PRIM_COUNT,
    .bottom = "__proviso_ft_thread_main",
    .init = init,
    .may_run = may_run,
    .inside = inside,
    .dispatch = dispatch,
    .beside = beside,
    .waits_early = waits_early,
    .keeps_turns = keeps_turns,
    .restarts = "__proviso_ft_order",
    .independent = independent,
    .exec = exec,
    .n_threads = n_threads,
    .alive = alive,
    .alive_set = alive_set,
    .used_set = used_set,
    .explain_block = explain_block,
    .alike = alike,
    .names_threads = names_threads,
    PV_SCHED_COOPERATIVE,
};
