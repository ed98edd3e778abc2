/* fairthreads.c -- the cooperative plug-in for FairThreads 1.1 (Boussinot, `scheduler.c`): one
 * scheduler, threads that are linked to it, and main beside it. The model fthread.c makes the C API
 * of these primitives.
 *
 * Time is a sequence of instants. In an instant every thread that can run runs until it cooperates,
 * waits or ends. An event that is generated is present until the end of the instant, and every
 * thread that waits for it goes on in this instant. When no thread can go on, the instant ends.
 * Orders (stop, suspend, resume, broadcast) and new threads take effect at the start of the next
 * one.
 *
 * The library runs through its threads in the order of linking, again and again, until a pass finds
 * none that can go on. A thread that is woken later in the list runs in this pass, otherwise in the
 * next one. So the next thread is the first one that can go on after the one that ran last, and
 * after the last place comes the first one: the plug-in keeps the place of the thread that ran last
 * (`at`), and no passes.
 *
 * State: a header, one record for each thread, the numbers of values of present events. Deadlines
 * are relative to the present instant. The number of the instant is not kept: else an endless
 * program would have endlessly many states. When a thread stops running and no other one can go on,
 * the same call ends the instant, and as many further ones as it takes until a thread can run. */
#include "sched/cooperative.h"

#include <string.h>

enum { FT_EVENTS = 64, FT_MAIN = 0 };
/* Result codes of FairThreads 1.1. */
enum { FT_OK, FT_EBADMEM, FT_ETIMEOUT, FT_ENEXT, FT_EBADLINK };

enum ft_status {
  FT_FREE,
  FT_CAN,      /* goes on in this instant */
  FT_NEXT,     /* goes on in the next one: new, or has cooperated */
  FT_EVENT,    /* waits for one of the events `set` */
  FT_TIME,     /* waits for its deadline only */
  FT_JOIN,     /* waits for the end of thread `set` */
  FT_VALUE,    /* waits for the next value of an event, or the end of the instant */
  FT_CLEANING, /* was stopped, and runs before all others */
  FT_ENDED
};
enum {
  FT_SUSPENDED = 1,
  FT_STOP = 2, /* this one and the following ones are ordered */
  FT_SUSPEND = 4,
  FT_RESUME = 8,
  FT_CLEANS = 16 /* with FT_STOP: the thread begins anew, to clean up */
};

struct ft_thread {
  uint8_t status, flags;
  uint8_t waits; /* it is inside a primitive that waits or has waited */
  uint8_t code;  /* FT_CAN and `waits`: the result of the primitive */
  uint8_t place; /* in the order of threads; 0: not yet decided */
  uint8_t index; /* FT_VALUE: the number of values that it has seen */
  uint8_t zero[2];
  uint32_t deadline; /* instants from now; 0: none */
  uint32_t zero_tail;
  uint64_t set;
};
_Static_assert(sizeof(struct ft_thread) == 24, "no hidden padding");

struct ft_header {
  uint8_t threads, order;
  uint8_t running;  /* thread + 1; 0: none */
  uint8_t launched; /* the scheduler was started */
  uint8_t at;       /* the place of the thread that ran last in this instant */
  uint8_t placed;   /* threads that have a place, while the first instant decides about the order */
  uint8_t counts;   /* the number of counts that follow the threads */
  uint8_t zero;
  uint64_t present;   /* events generated in this instant */
  uint64_t broadcast; /* events for the start of the next one */
};
_Static_assert(sizeof(struct ft_header) == 24, "no hidden padding");

/* The state, unpacked. */
struct ft {
  struct ft_header h;
  struct ft_thread t[PV_MAX_THREADS];
  uint8_t count[FT_EVENTS]; /* values of events in this instant */
};

static void unpack(const struct pv_sched_state *s, struct ft *f) {
  memset(f, 0, sizeof *f);
  memcpy(&f->h, s->data, sizeof f->h);
  memcpy(f->t, s->data + sizeof f->h, f->h.threads * sizeof f->t[0]);
  memcpy(f->count, s->data + sizeof f->h + f->h.threads * sizeof f->t[0], f->h.counts);
}

static void pack(struct pv_sched_state *s, struct ft *f) {
  uint8_t bytes[sizeof *f];
  unsigned counts = FT_EVENTS;
  while (counts && !f->count[counts - 1]) counts--;
  f->h.counts = (uint8_t)counts;
  size_t threads = f->h.threads * sizeof f->t[0];
  memcpy(bytes, &f->h, sizeof f->h);
  memcpy(bytes + sizeof f->h, f->t, threads);
  memcpy(bytes + sizeof f->h + threads, f->count, counts);
  pv_cooperative_set(s, bytes, sizeof f->h + threads + counts);
}

static struct ft_header header(const struct pv_sched_state *s) {
  struct ft_header h;
  memcpy(&h, s->data, sizeof h);
  return h;
}

static struct ft_thread thread_at(const struct pv_sched_state *s, unsigned thread) {
  struct ft_thread t = {0};
  if (thread < header(s).threads)
    memcpy(&t, s->data + sizeof(struct ft_header) + thread * sizeof t, sizeof t);
  return t;
}

static void init(struct pv_sched_state *s, enum pv_sched_order order) {
  struct ft f;
  memset(&f, 0, sizeof f);
  f.h.threads = 1;
  f.h.order = (uint8_t)(order == PV_ORDER_ACCELLERA ? PV_ORDER_CREATION : order);
  f.h.running = FT_MAIN + 1;
  f.t[FT_MAIN].status = FT_CAN;
  pack(s, &f);
}

/* ---- who runs -------------------------------------------------------------------------------- */
static bool is_live(const struct ft_thread *t) {
  return t->status != FT_FREE && t->status != FT_ENDED;
}

static bool can_run(const struct ft *f, unsigned thread) {
  const struct ft_thread *t = &f->t[thread];
  return thread != FT_MAIN && t->status == FT_CAN && !(t->flags & FT_SUSPENDED);
}

static uint64_t candidates(const struct ft *f) {
  uint64_t all = 0;
  if (!f->h.launched) return 0;
  for (unsigned t = 1; t < f->h.threads; t++)
    if (f->t[t].status == FT_CLEANING) return UINT64_C(1) << t;
  unsigned next = 0, first = 0; /* thread numbers; main is never one */
  for (unsigned t = 1; t < f->h.threads; t++) {
    if (!can_run(f, t)) continue;
    unsigned place = f->t[t].place;
    all |= UINT64_C(1) << t;
    if (!first || place < f->t[first].place) first = t;
    if (place > f->h.at && (!next || place < f->t[next].place)) next = t;
  }
  if (f->h.order == PV_ORDER_ANY) return all;
  uint64_t open = 0; /* the order is not decided yet: the first pass of the first instant */
  for (unsigned t = 1; t < f->h.threads; t++)
    if (!f->t[t].place && (all >> t & 1)) open |= UINT64_C(1) << t;
  if (open) return open;
  return !all ? 0 : UINT64_C(1) << (next ? next : first);
}

static uint64_t may_run(const struct pv_sched_state *s) {
  struct ft f;
  unpack(s, &f);
  return f.h.running ? UINT64_C(1) << (f.h.running - 1) : candidates(&f);
}

static void dispatch(struct pv_sched_state *s, unsigned thread) {
  struct ft f;
  if (header(s).running == thread + 1) return;
  unpack(s, &f);
  struct ft_thread *t = &f.t[thread];
  f.h.running = (uint8_t)(thread + 1);
  if (t->status == FT_CLEANING) {
    pack(s, &f);
    return;
  }
  if (!t->place && f.h.order == PV_ORDER_ALL) {
    t->place = ++f.h.placed;
    bool all = true; /* then the number of places says nothing more */
    for (unsigned u = 1; u < f.h.threads; u++) all &= f.t[u].place || !is_live(&f.t[u]);
    if (all) f.h.placed = 0;
  }
  f.h.at = t->place;
  pack(s, &f);
}

static bool beside(const struct pv_sched_state *s, unsigned thread) {
  return thread == FT_MAIN && header(s).launched;
}

/* ---- instants -------------------------------------------------------------------------------- */
static void wake(struct ft_thread *t, unsigned code) {
  t->status = FT_CAN;
  t->code = (uint8_t)code;
  t->deadline = 0;
  t->set = 0;
  t->index = 0;
}

/* A suspended thread sees no events; its deadline counts on. */
static void generate(struct ft *f, unsigned event) {
  f->h.present |= UINT64_C(1) << event;
  for (unsigned t = 1; t < f->h.threads; t++) {
    bool waits = f->t[t].status == FT_EVENT && (f->t[t].set >> event & 1);
    if (waits && !(f->t[t].flags & FT_SUSPENDED)) wake(&f->t[t], FT_OK);
  }
}

static void end_thread(struct ft *f, unsigned thread) {
  f->t[thread] = (struct ft_thread){.status = FT_ENDED};
  for (unsigned t = 1; t < f->h.threads; t++)
    if (f->t[t].status == FT_JOIN && f->t[t].set == thread) wake(&f->t[t], FT_OK);
}

/* The instants until something happens; 0: nothing will ever happen. */
static uint32_t until_next(const struct ft *f) {
  uint32_t least = f->h.broadcast ? 1 : 0;
  for (unsigned i = 1; i < f->h.threads; i++) {
    const struct ft_thread *t = &f->t[i];
    bool soon = t->status == FT_NEXT || t->status == FT_VALUE || t->flags & ~FT_SUSPENDED;
    uint32_t own = soon ? 1 : t->deadline;
    if (is_live(t) && own && (!least || own < least)) least = own;
  }
  return least;
}

static void obey(struct ft_thread *t) {
  if (t->flags & FT_SUSPEND) t->flags |= FT_SUSPENDED;
  if (t->flags & FT_RESUME) t->flags &= (uint8_t)~FT_SUSPENDED;
  t->flags &= FT_SUSPENDED;
}

/* A thread that has to clean up is at its end for others. */
static void stop(struct ft *f, const struct pv_sched_env *env, unsigned thread) {
  bool cleans = f->t[thread].flags & FT_CLEANS;
  end_thread(f, thread);
  if (!cleans) return;
  f->t[thread].status = FT_CLEANING;
  env->restart(env->self, thread, 0, 0);
}

static void next_instant(struct ft *f, const struct pv_sched_env *env, uint32_t instants) {
  uint64_t broadcast = f->h.broadcast;
  f->h.present = f->h.broadcast = 0;
  f->h.at = 0;
  memset(f->count, 0, sizeof f->count);
  for (unsigned i = 1; i < f->h.threads; i++) { /* first the deadlines */
    struct ft_thread *t = &f->t[i];
    if (!t->deadline) continue;
    t->deadline -= instants;
    if (!t->deadline) wake(t, t->status == FT_TIME ? FT_OK : FT_ETIMEOUT);
  }
  for (unsigned i = 1; i < f->h.threads; i++)
    if (f->t[i].flags & FT_STOP) stop(f, env, i);
  for (unsigned i = 1; i < f->h.threads; i++) obey(&f->t[i]);
  for (unsigned e = 0; e < FT_EVENTS; e++)
    if (broadcast >> e & 1) generate(f, e);
  for (unsigned i = 1; i < f->h.threads; i++) {
    if (f->t[i].status == FT_NEXT) wake(&f->t[i], FT_OK);
    if (f->t[i].status == FT_VALUE) wake(&f->t[i], FT_ENEXT);
  }
}

/* Nobody is running any more: ends instants until a thread can run, or none ever can. */
static void settle(struct ft *f, const struct pv_sched_env *env) {
  f->h.running = 0;
  while (f->h.launched && !candidates(f)) {
    uint32_t instants = until_next(f);
    if (instants) next_instant(f, env, instants);
    if (instants) continue;
    f->h.present = 0;
    f->h.at = 0;
    memset(f->count, 0, sizeof f->count);
    return;
  }
}

/* ---- primitives ------------------------------------------------------------------------------
 * name (without __proviso_ft_), arguments, may_block, class, role. Events are numbers from 0,
 * threads are numbers. */
#define FT_PRIMS(X)                                                                                \
  X(create, 4, 0, THREAD,                                                                          \
    CREATES)                     /* (unused, start, argument, unused): the number; -1: refused */  \
  X(finish, 0, 0, THREAD, EXITS) /* the calling thread ends */                                     \
  X(launch, 0, 0, THREAD, OTHER) /* main: starts the scheduler; 0, or EBADLINK */                  \
  X(self, 0, 0, LOCAL, OTHER)    /* the calling thread's number; main is 0 */                      \
  X(cooperate, 1, 1, THREAD, OTHER) /* (instants) */                                               \
  X(await, 3, 1, THREAD, OTHER)     /* (set of events, has a deadline, instants) */                \
  X(join, 3, 1, THREAD, OTHER)      /* (thread, has a deadline, instants) */                       \
  X(generate, 2, 0, THREAD, OTHER)  /* (event, has a value): how many values it had */             \
  X(value, 2, 1, THREAD, OTHER)     /* (event, i): waits for its i-th value; OK, ENEXT */          \
  X(present, 0, 0, THREAD, OTHER)   /* the set of events that are present */                       \
  X(order, 2, 0, THREAD, OTHER)     /* (thread, flags: what is ordered) */                         \
  X(broadcast, 1, 0, THREAD, OTHER) /* (event) */

enum ft_prim {
#define X(N, A, B, C, R) FT_P_##N,
  FT_PRIMS(X)
#undef X
  /* What the models of sleep and pthread_self call. A thread of the scheduler that sleeps keeps
     all others waiting. */
  FT_P_yield,
  FT_P_pthread_self,
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
};

/* One execution. */
struct ft_op {
  struct ft f;
  struct ft_thread *self;
  const struct pv_sched_env *env;
  const struct pv_prim_call *call;
  uint64_t result;
  const char *message;
};

static enum pv_prim_outcome done(struct ft_op *o, uint64_t result) {
  o->result = result;
  return PV_PRIM_DONE;
}

/* The running thread waits: the first stage of its primitive. */
static enum pv_prim_outcome waits(struct ft_op *o, enum ft_status status, uint64_t set,
                                  uint32_t deadline) {
  o->self->status = (uint8_t)status;
  o->self->waits = 1;
  o->self->set = set;
  o->self->deadline = deadline;
  settle(&o->f, o->env);
  return PV_PRIM_AGAIN;
}

static enum pv_prim_outcome create(struct ft_op *o) {
  struct ft *f = &o->f;
  unsigned slot = f->h.threads;
  if (slot == PV_MAX_THREADS) {
    o->message = "no more than 64 FairThreads are created";
    return PV_PRIM_LIMIT;
  }
  f->h.threads++;
  f->t[slot].status = FT_NEXT;
  bool later = f->h.launched; /* its place is behind all others */
  if (f->h.order == PV_ORDER_CREATION || (f->h.order == PV_ORDER_ALL && later))
    f->t[slot].place = (uint8_t)slot;
  o->env->spawn(o->env->self, slot, o->call->args[1], o->call->args[2]);
  return done(o, slot);
}

static enum pv_prim_outcome finish(struct ft_op *o) {
  end_thread(&o->f, o->call->thread);
  settle(&o->f, o->env);
  return PV_PRIM_EXITED;
}

static enum pv_prim_outcome launch(struct ft_op *o) {
  if (o->call->thread != FT_MAIN || o->f.h.launched) return done(o, FT_EBADLINK);
  o->f.h.launched = 1;
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
  if (o->f.h.present & set) return done(o, FT_OK);
  return waits(o, FT_EVENT, set, timed ? (uint32_t)n : 0);
}

static enum pv_prim_outcome join(struct ft_op *o) {
  uint64_t thread = (uint32_t)o->call->args[0];
  bool timed = (uint32_t)o->call->args[1];
  int32_t n = (int32_t)o->call->args[2];
  if (thread >= o->f.h.threads) return done(o, FT_EBADMEM);
  bool over = o->f.t[thread].status >= FT_CLEANING;
  if (over) return done(o, FT_OK);
  if (timed && n <= 0) return done(o, FT_ETIMEOUT);
  return waits(o, FT_JOIN, thread, timed ? (uint32_t)n : 0);
}

static enum pv_prim_outcome generates(struct ft_op *o) {
  unsigned event = (unsigned)o->call->args[0] % FT_EVENTS, had = o->f.count[event];
  if (!(uint32_t)o->call->args[1]) {
    if (!(o->f.h.present >> event & 1)) generate(&o->f, event);
    return done(o, FT_OK);
  }
  generate(&o->f, event);
  if (had < UINT8_MAX) o->f.count[event]++;
  for (unsigned t = 1; t < o->f.h.threads; t++) {
    struct ft_thread *w = &o->f.t[t];
    bool has = w->status == FT_VALUE && w->set == event && w->index < o->f.count[event];
    if (has) wake(w, FT_OK);
  }
  return done(o, had);
}

static enum pv_prim_outcome value(struct ft_op *o) {
  unsigned event = (unsigned)o->call->args[0] % FT_EVENTS;
  uint64_t i = (uint32_t)o->call->args[1];
  if (i < o->f.count[event]) return done(o, FT_OK);
  o->self->index = (uint8_t)(i < UINT8_MAX ? i : UINT8_MAX);
  return waits(o, FT_VALUE, event, 0);
}

static enum pv_prim_outcome order(struct ft_op *o) {
  uint64_t thread = (uint32_t)o->call->args[0];
  uint8_t what = (uint8_t)o->call->args[1];
  if (thread >= o->f.h.threads) return done(o, FT_EBADMEM);
  struct ft_thread *t = &o->f.t[thread];
  if (!is_live(t) || t->status == FT_CLEANING) return done(o, FT_OK);
  if (what & (FT_SUSPEND | FT_RESUME)) t->flags &= (uint8_t) ~(FT_SUSPEND | FT_RESUME);
  t->flags |= what;
  return done(o, FT_OK);
}

static enum pv_prim_outcome perform(struct ft_op *o) {
  enum ft_prim prim = (enum ft_prim)o->call->prim->id;
  bool of_main = o->call->thread == FT_MAIN, blocks = o->call->prim->may_block;
  if (of_main && (blocks || prim == FT_P_generate)) return done(o, FT_EBADLINK);
  bool acts = prim == FT_P_create || prim == FT_P_order || prim == FT_P_broadcast;
  if (of_main && o->f.h.launched && (acts || prim == FT_P_present)) {
    o->message = "main calls only ft_exit after ft_scheduler_start";
    return PV_PRIM_LIMIT;
  }
  if (o->self->status == FT_CLEANING && (blocks || acts)) {
    o->message = "a cleanup function of FairThreads calls nothing that waits or gives orders";
    return PV_PRIM_LIMIT;
  }
  if (o->self->waits) {
    unsigned code = o->self->code;
    o->self->waits = o->self->code = 0;
    return done(o, code);
  }
  switch (prim) {
  case FT_P_create: return create(o);
  case FT_P_finish: return finish(o);
  case FT_P_launch: return launch(o);
  case FT_P_self: return done(o, o->call->thread);
  case FT_P_cooperate: return cooperate(o);
  case FT_P_await: return await(o);
  case FT_P_join: return join(o);
  case FT_P_generate: return generates(o);
  case FT_P_value: return value(o);
  case FT_P_present: return done(o, o->f.h.present);
  case FT_P_order: return order(o);
  case FT_P_broadcast:
    o->f.h.broadcast |= UINT64_C(1) << o->call->args[0] % FT_EVENTS;
    return done(o, FT_OK);
  case FT_P_pthread_self: return done(o, o->call->thread + 1);
  case FT_P_yield:
  case FT_PRIM_COUNT: break;
  }
  return done(o, FT_OK);
}

static enum pv_prim_outcome exec(struct pv_sched_state *s, const struct pv_sched_env *env,
                                 const struct pv_prim_call *call, unsigned alternative,
                                 uint64_t *result, const char **message) {
  struct ft_op o = {.env = env, .call = call};
  (void)alternative;
  unpack(s, &o.f);
  o.self = &o.f.t[call->thread];
  enum pv_prim_outcome outcome = perform(&o);
  pack(s, &o.f);
  *result = o.result;
  *message = o.message;
  return outcome;
}

/* ---- queries --------------------------------------------------------------------------------- */
static unsigned n_threads(const struct pv_sched_state *s) {
  return header(s).threads;
}

static bool alive(const struct pv_sched_state *s, unsigned thread) {
  struct ft_thread t = thread_at(s, thread);
  return is_live(&t);
}

static uint64_t alive_set(const struct pv_sched_state *s) {
  uint64_t set = 0;
  for (unsigned t = 0; t < n_threads(s); t++) set |= (uint64_t)alive(s, t) << t;
  return set;
}

static uint64_t used_set(const struct pv_sched_state *s) {
  unsigned n = n_threads(s);
  return n < 64 ? (UINT64_C(1) << n) - 1 : UINT64_MAX;
}

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
  case FT_P_broadcast: return false;
  case FT_P_generate:
    if (other == FT_P_await) return b->args[0] >> event & 1;
    if (other == FT_P_value) return b->args[0] % FT_EVENTS == event;
    if (other == FT_P_generate)
      return b->args[0] % FT_EVENTS == event && ((uint32_t)a->args[1] || (uint32_t)b->args[1]);
    return other == FT_P_present;
  case FT_P_finish:
    return (other == FT_P_join || other == FT_P_order) && (uint32_t)b->args[0] == a->thread;
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
    .dispatch = dispatch,
    .beside = beside,
    .waits_early = waits_early,
    .restarts = "__proviso_ft_order",
    .independent = independent,
    .exec = exec,
    .n_threads = n_threads,
    .alive = alive,
    .alive_set = alive_set,
    .used_set = used_set,
    .explain_block = explain_block,
    PV_SCHED_COOPERATIVE,
};
