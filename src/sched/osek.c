/* osek.c -- the cooperative plug-in for OSEK/VDX OS 2.2.3: tasks with static priorities, events,
 * resources with priority ceiling, counters and alarms. The model osek.c makes the C API of these
 * primitives; docs/schedulers.md explains this file step by step.
 *
 * A task of higher priority preempts the running one only inside of a system service: that is the
 * one place where it can become ready, since interrupts are not followed. So accesses to memory are
 * no scheduling points, and the plug-in is cooperative. Ticks of a hardware counter come only while
 * no task can run; the model adds the proviso for that. Ticks of other counters are counted by the
 * program (IncrementCounter), and are followed exactly.
 *
 * A task is a thread, numbered from 1 in the order of configuration; main is thread 0, and ends in
 * StartOS. A suspended task is no live thread. When it is activated its thread begins anew.
 *
 * State: a header, one record for each task, resource, counter, alarm, and the queue of ready tasks
 * by falling priority, in each priority by age. */
#include "sched/cooperative.h"

#include <string.h>

enum { OK_MAIN = 0, OK_RESOURCES = 32, OK_ALARMS = 32, OK_COUNTERS = 8, OK_READY = 128 };
/* OSEK/VDX OS 2.2.3, section 13.1 */
enum {
  E_OK,
  E_OS_ACCESS,
  E_OS_CALLEVEL,
  E_OS_ID,
  E_OS_LIMIT,
  E_OS_NOFUNC,
  E_OS_RESOURCE,
  E_OS_STATE,
  E_OS_VALUE
};
enum ok_status { OK_SUSPENDED, OK_IS_READY, OK_WAITING, OK_RUNNING };
enum { OK_AUTOSTART = 1, OK_NON_PREEMPTIVE = 2, OK_EXTENDED = 4 };
enum { OK_HARDWARE = 1, OK_ABSOLUTE = 2 }; /* of counters */

struct ok_task {
  uint8_t status, flags;
  uint8_t base, now;     /* priority; with the ceilings of its resources */
  uint8_t pending, most; /* activations beside the present one; the most, with it */
  uint8_t waits;         /* it is inside a service: preempted or waiting; its result: E_OK */
  uint8_t top;           /* the resource that it took last, + 1; 0: none */
  uint8_t id;            /* its number for the program */
  uint8_t zero[7];
  uint64_t events; /* set */
  uint64_t waited; /* WAITING: for one of these */
};
struct ok_resource {
  uint8_t ceiling;
  uint8_t taken;
  uint8_t before; /* taken: the task's priority before */
  uint8_t below;  /* taken: the resource that the task took before, + 1 */
  uint8_t id;
  uint8_t zero[3];
  uint64_t users; /* bit t: thread t may take it */
};
struct ok_counter {
  uint32_t value, max; /* value: only if it is ABSOLUTE */
  uint8_t flags, id;
  uint8_t zero[2];
};
struct ok_alarm {
  uint8_t counter, task, active, id;
  uint32_t left, cycle; /* active: ticks until it expires, and then again; 0: once */
  uint32_t zero_tail;
  uint64_t events; /* what it sets; 0: it activates the task */
};
struct ok_ready {
  uint8_t task, priority;
  uint8_t group; /* 0, or those of one priority and group became ready at one time */
};
enum {
  OK_HOOK = 1,       /* the program wants to know of errors in alarms, which is not followed */
  OK_TIME_PASSED = 2 /* and no task ran since then */
};
struct ok_header {
  uint8_t tasks, resources, counters, alarms, ready; /* how many; main is one of the tasks */
  uint8_t order;
  uint8_t running; /* thread + 1; 0: none */
  uint8_t flags;   /* OK_HOOK, OK_TIME_PASSED */
};
_Static_assert(sizeof(struct ok_task) == 32 && sizeof(struct ok_resource) == 16 &&
                   sizeof(struct ok_alarm) == 24 && sizeof(struct ok_header) == 8,
               "no hidden padding");

/* The state, unpacked. */
struct ok {
  struct ok_header h;
  struct ok_task t[PV_MAX_THREADS];
  struct ok_resource r[OK_RESOURCES];
  struct ok_counter c[OK_COUNTERS];
  struct ok_alarm a[OK_ALARMS];
  struct ok_ready q[OK_READY];
};

/* ---- the state as bytes ---------------------------------------------------------------------- */
static size_t transfer(struct ok *o, uint8_t *bytes, bool packs) {
  struct {
    void *at;
    size_t n;
  } parts[] = {{o->t, o->h.tasks * sizeof o->t[0]},
               {o->r, o->h.resources * sizeof o->r[0]},
               {o->c, o->h.counters * sizeof o->c[0]},
               {o->a, o->h.alarms * sizeof o->a[0]},
               {o->q, o->h.ready * sizeof o->q[0]}};
  size_t at = sizeof o->h;
  for (size_t i = 0; i < sizeof parts / sizeof parts[0]; at += parts[i++].n)
    memcpy(packs ? bytes + at : parts[i].at, packs ? parts[i].at : bytes + at, parts[i].n);
  return at;
}

static void unpack(const struct pv_sched_state *s, struct ok *o) {
  memset(o, 0, sizeof *o);
  memcpy(&o->h, s->data, sizeof o->h);
  transfer(o, s->data, false);
}

static void pack(struct pv_sched_state *s, struct ok *o) {
  uint8_t bytes[sizeof *o];
  memcpy(bytes, &o->h, sizeof o->h);
  pv_cooperative_set(s, bytes, transfer(o, bytes, true));
}

static void init(struct pv_sched_state *s, enum pv_sched_order order) {
  struct ok o;
  memset(&o, 0, sizeof o);
  o.h.tasks = 1;
  o.h.order = (uint8_t)(order == PV_ORDER_ACCELLERA ? PV_ORDER_CREATION : order);
  o.h.running = OK_MAIN + 1;
  o.t[OK_MAIN].status = OK_RUNNING;
  pack(s, &o);
}

/* ---- the queue of ready tasks ---------------------------------------------------------------- */
/* Groups are numbered from 1 as they appear, and a group has at least two members: equal queues
 * have equal bytes. */
static void number_groups(struct ok *o) {
  uint8_t seen = 0;
  for (unsigned i = 0; i < o->h.ready; i++) {
    struct ok_ready *e = &o->q[i];
    bool same = e->group && i && e->priority == e[-1].priority && e->group == e[-1].group;
    bool next =
        e->group && i + 1 < o->h.ready && e->priority == e[1].priority && e->group == e[1].group;
    if (!same && !next) e->group = 0;
  }
  for (unsigned i = 0; i < o->h.ready; i++) {
    uint8_t was = o->q[i].group, priority = o->q[i].priority;
    if (!was) continue;
    seen++;
    for (; i < o->h.ready && o->q[i].group == was && o->q[i].priority == priority; i++)
      o->q[i].group = seen;
    i--;
  }
}

static void insert(struct ok *o, unsigned task, unsigned priority, bool first, unsigned group) {
  unsigned at = 0;
  while (at < o->h.ready &&
         (o->q[at].priority > priority || (!first && o->q[at].priority == priority)))
    at++;
  memmove(&o->q[at + 1], &o->q[at], (o->h.ready - at) * sizeof o->q[0]);
  o->q[at] = (struct ok_ready){(uint8_t)task, (uint8_t)priority, (uint8_t)group};
  o->h.ready++;
}

static void take(struct ok *o, unsigned task) {
  unsigned at = 0;
  while (at < o->h.ready && o->q[at].task != task) at++;
  if (at == o->h.ready) return;
  o->h.ready--;
  memmove(&o->q[at], &o->q[at + 1], (o->h.ready - at) * sizeof o->q[0]);
  o->q[o->h.ready] = (struct ok_ready){0};
  number_groups(o);
}

/* The oldest of the highest priority. Order `all`: what became ready at one time has no order.
 * Order `any`: tasks of one priority have none. */
static uint64_t candidates(const struct ok *o) {
  uint64_t all = 0;
  const struct ok_ready *first = &o->q[0];
  for (unsigned i = 0; i < o->h.ready && o->q[i].priority == first->priority; i++) {
    bool together = first->group && o->q[i].group == first->group;
    bool open = (o->h.order == PV_ORDER_ALL && together) || o->h.order == PV_ORDER_ANY;
    if (!i || open) all |= UINT64_C(1) << o->q[i].task;
  }
  return all;
}

static uint64_t may_run(const struct pv_sched_state *s) {
  struct ok o;
  unpack(s, &o);
  return o.h.running ? UINT64_C(1) << (o.h.running - 1) : candidates(&o);
}

/* An instant is the time between two moments at which the processor is idle. Main is before all. */
static bool inside(const struct pv_sched_state *s) {
  struct ok_header h;
  memcpy(&h, s->data, sizeof h);
  return h.running != OK_MAIN + 1 && !(h.flags & OK_TIME_PASSED);
}

static void dispatch(struct pv_sched_state *s, unsigned thread) {
  struct ok o;
  unpack(s, &o);
  if (o.h.running == thread + 1) return;
  take(&o, thread);
  o.t[thread].status = OK_RUNNING;
  o.h.running = (uint8_t)(thread + 1);
  o.h.flags &= (uint8_t)~OK_TIME_PASSED;
  pack(s, &o);
}

/* ---- tasks become ready ---------------------------------------------------------------------- */
static void begin(struct ok *o, const struct pv_sched_env *env, unsigned task) {
  struct ok_task *t = &o->t[task];
  t->status = OK_IS_READY;
  t->now = t->base;
  t->events = 0;
  env->restart(env->self, task, 0, 0);
}

static unsigned activate(struct ok *o, const struct pv_sched_env *env, unsigned task,
                         unsigned group) {
  struct ok_task *t = &o->t[task];
  if (t->status != OK_SUSPENDED && t->pending + 1u >= t->most) return E_OS_LIMIT;
  if (o->h.ready == OK_READY - 1) return E_OS_LIMIT;
  if (t->status == OK_SUSPENDED)
    begin(o, env, task);
  else
    t->pending++;
  insert(o, task, t->base, false, group);
  return E_OK;
}

static unsigned set_event(struct ok *o, unsigned task, uint64_t events, unsigned group) {
  struct ok_task *t = &o->t[task];
  if (!(t->flags & OK_EXTENDED)) return E_OS_ACCESS;
  if (t->status == OK_SUSPENDED) return E_OS_STATE;
  t->events |= events;
  if (t->status != OK_WAITING || !(t->events & t->waited)) return E_OK;
  t->status = OK_IS_READY;
  t->waited = 0;
  insert(o, task, t->base, false, group);
  return E_OK;
}

/* ---- time ------------------------------------------------------------------------------------ */
enum { GROUP = 255 }; /* of what becomes ready now; it is numbered afterwards */

/* Does it expire in vain? Else it changes something for good: only that can make further ticks
 * useful. Sets *failed if what the alarm does is an error. */
static bool expires(struct ok *o, const struct pv_sched_env *env, struct ok_alarm *a,
                    bool *failed) {
  struct ok_task before = o->t[a->task];
  a->left = a->cycle;
  a->active = a->cycle != 0;
  unsigned code =
      a->events ? set_event(o, a->task, a->events, GROUP) : activate(o, env, a->task, GROUP);
  *failed |= code != E_OK;
  return a->active && !memcmp(&before, &o->t[a->task], sizeof before);
}

/* Lets ticks of the counter pass, no more than to the next alarm. *vain: the alarms that have
 * expired in vain since something changed. */
static void pass(struct ok *o, const struct pv_sched_env *env, unsigned counter, uint32_t ticks,
                 uint64_t *vain, bool *failed) {
  struct ok_counter *c = &o->c[counter];
  if (c->flags & OK_ABSOLUTE)
    c->value = (uint32_t)((c->value + (uint64_t)ticks) % ((uint64_t)c->max + 1));
  for (unsigned i = 0; i < o->h.alarms; i++) {
    struct ok_alarm *a = &o->a[i];
    if (!a->active || a->counter != counter) continue;
    a->left -= ticks;
    if (!a->left) *vain = expires(o, env, a, failed) ? *vain | UINT64_C(1) << i : 0;
  }
  number_groups(o);
}

/* No task can run: time passes until one can, or nothing can ever happen. */
static bool idle(struct ok *o, const struct pv_sched_env *env) {
  bool failed = false;
  uint64_t vain = 0;
  o->h.running = 0;
  while (!o->h.ready) {
    uint32_t least = 0;
    unsigned counter = 0;
    uint64_t active = 0;
    for (unsigned i = 0; i < o->h.alarms; i++) {
      const struct ok_alarm *a = &o->a[i];
      if (!a->active || !(o->c[a->counter].flags & OK_HARDWARE)) continue;
      active |= UINT64_C(1) << i;
      counter = a->counter;
      if (!least || a->left < least) least = a->left;
    }
    if (!(active & ~vain)) break;
    pass(o, env, counter, least, &vain, &failed);
    o->h.flags |= OK_TIME_PASSED;
  }
  return !(failed && (o->h.flags & OK_HOOK));
}

/* ---- primitives ------------------------------------------------------------------------------
 * name (without __proviso_osek_), arguments, may_block, class, role. Objects are the numbers of the
 * configuration, from 1. Results are codes of OSEK, unless said otherwise. */
#define OK_PRIMS(X)                                                                                \
  X(task, 6, 0, THREAD, CREATES)   /* (task, start, argument, priority, activations, flags) */     \
  X(resource, 1, 0, THREAD, OTHER) /* (resource) */                                                \
  X(user, 2, 0, THREAD, OTHER)     /* (resource, task): the task uses it */                        \
  X(counter, 3, 0, THREAD, OTHER)  /* (counter, greatest value, flags) */                          \
  X(alarm, 6, 0, THREAD, OTHER)    /* (alarm, counter, task, events; 0: activates it; start; 0: it \
                                      is not set, cycle) */                                        \
  X(launch, 1, 0, THREAD, EXITS)   /* (hook): main ends, the tasks begin */                        \
  X(self, 0, 0, LOCAL, OTHER)      /* the calling task; main is 0 */                               \
  X(activate, 1, 1, THREAD, OTHER) /* (task) */                                                    \
  X(may_end, 1, 0, THREAD, OTHER)  /* (task, 0: none): may the caller end, and chain it? */        \
  X(end, 0, 0, THREAD, EXITS)                                                                      \
  X(chain, 1, 0, THREAD, EXITS) /* (task) */                                                       \
  X(schedule, 0, 1, THREAD, OTHER)                                                                 \
  X(state, 1, 0, THREAD, OTHER)       /* (task): its state, as enum ok_status; -1: no such task */ \
  X(get, 1, 0, THREAD, OTHER)         /* (resource) */                                             \
  X(release, 1, 1, THREAD, OTHER)     /* (resource) */                                             \
  X(set, 2, 1, THREAD, OTHER)         /* (task, events) */                                         \
  X(clear, 1, 0, THREAD, OTHER)       /* (events) */                                               \
  X(may_tell, 1, 0, THREAD, OTHER)    /* (task): can its events be asked for? */                   \
  X(events, 1, 0, THREAD, OTHER)      /* (task): the events that are set */                        \
  X(wait, 1, 1, THREAD, OTHER)        /* (events) */                                               \
  X(start_alarm, 4, 0, THREAD, OTHER) /* (alarm, ticks, cycle, is absolute) */                     \
  X(cancel_alarm, 1, 0, THREAD, OTHER) /* (alarm) */                                               \
  X(left, 1, 0, THREAD, OTHER)         /* (alarm): ticks; 0: it is not active */                   \
  X(greatest, 1, 0, THREAD, OTHER)     /* (alarm): value of its counter; 0: no such alarm */       \
  X(increment, 1, 1, THREAD, OTHER)    /* (counter) */

enum ok_prim {
#define X(N, A, B, C, R) OK_P_##N,
  OK_PRIMS(X)
#undef X
      OK_PRIM_COUNT
};

static const struct pv_prim prims[] = {
#define X(N, A, B, C, R)                                                                           \
  {.name = "__proviso_osek_" #N,                                                                   \
   .n_args = A,                                                                                    \
   .may_block = B,                                                                                 \
   .class = PV_PRIM_##C,                                                                           \
   .role = PV_ROLE_##R,                                                                            \
   .id = OK_P_##N},
    OK_PRIMS(X)
#undef X
};

PV_COOPERATIVE_OP(ok_op, struct ok, o, struct ok_task)

static const char alarm_fails[] =
    "no alarm has an action that fails, which ErrorHook would be told";

/* The service is done with E_OK; a ready task of higher priority goes first. */
static enum pv_prim_outcome gives_way(struct ok_op *p, bool in_any_case) {
  struct ok_task *t = p->self;
  bool stays = (t->flags & OK_NON_PREEMPTIVE) && !in_any_case;
  if (stays || !p->o.h.ready || p->o.q[0].priority <= t->now) return done(p, E_OK);
  t->status = OK_IS_READY;
  t->waits = 1;
  insert(&p->o, p->call->thread, t->now, true, 0);
  p->o.h.running = 0;
  return PV_PRIM_AGAIN;
}

/* The position of the object with a number; NONE: there is none. */
enum { NONE = 255, RES_SCHEDULER = 255 };
#define OK_FIND(LIST, N)                                                                           \
  static unsigned find_##N(const struct ok *o, uint64_t id) {                                      \
    for (unsigned i = 0; i < o->h.N; i++)                                                          \
      if (id && (LIST)[i].id == id) return i;                                                      \
    return NONE;                                                                                   \
  }
OK_FIND(o->t, tasks)
OK_FIND(o->r, resources)
OK_FIND(o->c, counters)
OK_FIND(o->a, alarms)

static const char order_of_objects[] = "what OSEK objects refer to is configured before them";

static enum pv_prim_outcome new_task(struct ok_op *p) {
  unsigned number = p->o.h.tasks;
  const uint64_t *args = p->call->args;
  bool once = !args[4] || (args[5] & OK_EXTENDED);
  p->o.h.tasks++;
  p->o.t[number] = (struct ok_task){.id = (uint8_t)args[0],
                                    .flags = (uint8_t)args[5],
                                    .base = (uint8_t)args[3],
                                    .most = once ? 1 : (uint8_t)args[4]};
  p->env->spawn(p->env->self, number, args[1], args[2]);
  return done(p, number);
}

static enum pv_prim_outcome uses(struct ok_op *p) {
  unsigned resource = find_resources(&p->o, p->call->args[0]);
  unsigned task = find_tasks(&p->o, p->call->args[1]);
  if (resource == NONE || task == NONE) return limit(p, order_of_objects);
  struct ok_resource *r = &p->o.r[resource];
  r->users |= UINT64_C(1) << task;
  if (r->ceiling < p->o.t[task].base) r->ceiling = p->o.t[task].base;
  return done(p, E_OK);
}

static enum pv_prim_outcome new_counter(struct ok_op *p) {
  uint8_t flags = (uint8_t)p->call->args[2];
  for (unsigned i = 0; i < p->o.h.counters; i++)
    if (p->o.c[i].flags & flags & OK_HARDWARE)
      return limit(p, "one counter at most is driven by hardware");
  p->o.c[p->o.h.counters++] = (struct ok_counter){
      .max = (uint32_t)p->call->args[1], .flags = flags, .id = (uint8_t)p->call->args[0]};
  return done(p, E_OK);
}

static enum pv_prim_outcome new_alarm(struct ok_op *p) {
  const uint64_t *args = p->call->args;
  unsigned counter = find_counters(&p->o, args[1]), task = find_tasks(&p->o, args[2]);
  if (counter == NONE || task == NONE) return limit(p, order_of_objects);
  p->o.a[p->o.h.alarms++] = (struct ok_alarm){.id = (uint8_t)args[0],
                                              .counter = (uint8_t)counter,
                                              .task = (uint8_t)task,
                                              .active = (uint32_t)args[4] != 0,
                                              .left = (uint32_t)args[4],
                                              .cycle = (uint32_t)args[5],
                                              .events = args[3]};
  return done(p, E_OK);
}

/* Adds an object of the configuration. */
static enum pv_prim_outcome configure(struct ok_op *p, enum ok_prim prim) {
  const struct ok_header *h = &p->o.h;
  if (p->call->args[0] >= RES_SCHEDULER) return limit(p, "no more than 254 objects are configured");
  if (h->tasks == PV_MAX_THREADS || h->resources == OK_RESOURCES - 1 ||
      h->counters == OK_COUNTERS || h->alarms == OK_ALARMS)
    return limit(p, "no more than 63 tasks, 31 resources, 8 counters, 32 alarms are configured");
  switch (prim) {
  case OK_P_task: return new_task(p);
  case OK_P_resource:
    p->o.r[p->o.h.resources++] = (struct ok_resource){.id = (uint8_t)p->call->args[0]};
    return done(p, E_OK);
  case OK_P_counter: return new_counter(p);
  case OK_P_alarm: return new_alarm(p);
  default: return uses(p);
  }
}

/* The caller has ended or waits. */
static enum pv_prim_outcome leaves(struct ok_op *p, enum pv_prim_outcome outcome) {
  return idle(&p->o, p->env) ? outcome : limit(p, alarm_fails);
}

static enum pv_prim_outcome launch(struct ok_op *p) {
  p->o.h.flags = p->call->args[0] ? OK_HOOK : 0;
  p->self->status = OK_SUSPENDED;
  struct ok_resource all = {.id = RES_SCHEDULER, .users = UINT64_MAX};
  for (unsigned t = 1; t < p->o.h.tasks; t++)
    if (all.ceiling < p->o.t[t].base) all.ceiling = p->o.t[t].base;
  p->o.r[p->o.h.resources++] = all;
  for (unsigned t = 1; t < p->o.h.tasks; t++)
    if (p->o.t[t].flags & OK_AUTOSTART) activate(&p->o, p->env, t, GROUP);
  number_groups(&p->o);
  return leaves(p, PV_PRIM_EXITED);
}

/* chained: a task that is activated then; 0: none. */
static enum pv_prim_outcome end(struct ok_op *p, unsigned chained) {
  struct ok_task *t = p->self;
  unsigned self = p->call->thread;
  t->status = OK_SUSPENDED;
  t->events = 0;
  if (t->pending) {
    t->pending--;
    begin(&p->o, p->env, self); /* it is in the queue already */
  }
  if (chained) activate(&p->o, p->env, chained, 0);
  return leaves(p, PV_PRIM_EXITED);
}

/* The activation of the caller itself is never one too many, since it ends. */
static enum pv_prim_outcome may_end(struct ok_op *p, unsigned chained) {
  if (p->self->top) return done(p, E_OS_RESOURCE);
  const struct ok_task *t = &p->o.t[chained];
  bool more = chained && chained != p->call->thread && t->status != OK_SUSPENDED;
  return done(p, more && t->pending + 1u >= t->most ? E_OS_LIMIT : E_OK);
}

static enum pv_prim_outcome get(struct ok_op *p, unsigned resource) {
  struct ok_resource *r = &p->o.r[resource];
  bool allowed = (r->users >> p->call->thread & 1) && p->self->base <= r->ceiling;
  if (r->taken || !allowed) return done(p, E_OS_ACCESS);
  r->taken = 1;
  r->before = p->self->now;
  r->below = p->self->top;
  p->self->top = (uint8_t)(resource + 1);
  if (p->self->now < r->ceiling) p->self->now = r->ceiling;
  return done(p, E_OK);
}

static enum pv_prim_outcome release(struct ok_op *p, unsigned resource) {
  struct ok_resource *r = &p->o.r[resource];
  if (p->self->base > r->ceiling) return done(p, E_OS_ACCESS);
  if (p->self->top != resource + 1) return done(p, E_OS_NOFUNC);
  p->self->now = r->before;
  p->self->top = r->below;
  r->taken = r->before = r->below = 0;
  return gives_way(p, false);
}

static enum pv_prim_outcome wait(struct ok_op *p, uint64_t events) {
  if (!(p->self->flags & OK_EXTENDED)) return done(p, E_OS_ACCESS);
  if (p->self->top) return done(p, E_OS_RESOURCE);
  if (p->self->events & events) return done(p, E_OK);
  p->self->status = OK_WAITING;
  p->self->waits = 1;
  p->self->waited = events;
  return leaves(p, PV_PRIM_AGAIN);
}

static enum pv_prim_outcome start_alarm(struct ok_op *p, unsigned alarm) {
  struct ok_alarm *a = &p->o.a[alarm];
  const struct ok_counter *c = &p->o.c[a->counter];
  uint32_t ticks = (uint32_t)p->call->args[1], cycle = (uint32_t)p->call->args[2];
  bool absolute = (uint32_t)p->call->args[3] != 0;
  if (ticks > c->max || cycle > c->max || (!absolute && !ticks)) return done(p, E_OS_VALUE);
  if (a->active) return done(p, E_OS_STATE);
  if (absolute && !(c->flags & OK_ABSOLUTE))
    return limit(p, "the counter of an absolute alarm is configured as such");
  if (absolute && ticks <= c->value)
    ticks += c->max + 1 - c->value; /* the next time that it has this value */
  else if (absolute)
    ticks -= c->value;
  a->active = 1;
  a->left = ticks;
  a->cycle = cycle;
  return done(p, E_OK);
}

static enum pv_prim_outcome cancel_alarm(struct ok_op *p, unsigned alarm) {
  struct ok_alarm *a = &p->o.a[alarm];
  if (!a->active) return done(p, E_OS_NOFUNC);
  a->active = 0;
  a->left = a->cycle = 0;
  return done(p, E_OK);
}

static enum pv_prim_outcome increment(struct ok_op *p, unsigned counter) {
  bool failed = false;
  uint64_t vain = 0;
  if (p->o.c[counter].flags & OK_HARDWARE) return done(p, E_OS_ID);
  pass(&p->o, p->env, counter, 1, &vain, &failed);
  return failed && (p->o.h.flags & OK_HOOK) ? limit(p, alarm_fails) : gives_way(p, false);
}

/* A service about a task. */
static enum pv_prim_outcome about_task(struct ok_op *p, enum ok_prim prim, unsigned task) {
  unsigned code = E_OK;
  const struct ok_task *t = &p->o.t[task];
  if (task == NONE) return done(p, prim == OK_P_state ? UINT64_MAX : E_OS_ID);
  switch (prim) {
  case OK_P_state: return done(p, t->status);
  case OK_P_events: return done(p, t->events);
  case OK_P_may_end: return may_end(p, task);
  case OK_P_chain: return end(p, task);
  case OK_P_may_tell:
    if (!(t->flags & OK_EXTENDED)) return done(p, E_OS_ACCESS);
    return done(p, t->status == OK_SUSPENDED ? E_OS_STATE : E_OK);
  case OK_P_activate: code = activate(&p->o, p->env, task, 0); break;
  default: code = set_event(&p->o, task, p->call->args[1], 0); break;
  }
  return code ? done(p, code) : gives_way(p, false);
}

static enum pv_prim_outcome about_alarm(struct ok_op *p, enum ok_prim prim, unsigned alarm) {
  const struct ok_alarm *a = &p->o.a[alarm];
  bool asks = prim == OK_P_left || prim == OK_P_greatest;
  if (alarm == NONE) return done(p, asks ? 0 : E_OS_ID);
  switch (prim) {
  case OK_P_left: return done(p, a->active ? a->left : 0);
  case OK_P_greatest: return done(p, p->o.c[a->counter].max);
  case OK_P_cancel_alarm: return cancel_alarm(p, alarm);
  default: return start_alarm(p, alarm);
  }
}

static enum pv_prim_outcome perform(struct ok_op *p) {
  enum ok_prim prim = (enum ok_prim)p->call->prim->id;
  uint64_t first = p->call->args[0];
  bool of_main = p->call->thread == OK_MAIN;
  if (p->self->waits) {
    p->self->waits = 0;
    return done(p, E_OK);
  }
  switch (prim) {
  case OK_P_self: return done(p, p->self->id);
  case OK_P_launch: return of_main ? launch(p) : done(p, E_OS_CALLEVEL);
  case OK_P_task:
  case OK_P_resource:
  case OK_P_user:
  case OK_P_counter:
  case OK_P_alarm: return of_main ? configure(p, prim) : done(p, E_OS_CALLEVEL);
  default: break;
  }
  if (of_main) return done(p, E_OS_CALLEVEL);
  unsigned resource = find_resources(&p->o, first), counter = find_counters(&p->o, first);
  switch (prim) {
  case OK_P_end: return end(p, 0);
  case OK_P_schedule: return p->self->top ? done(p, E_OS_RESOURCE) : gives_way(p, true);
  case OK_P_get: return resource == NONE ? done(p, E_OS_ID) : get(p, resource);
  case OK_P_release: return resource == NONE ? done(p, E_OS_ID) : release(p, resource);
  case OK_P_clear:
    if (!(p->self->flags & OK_EXTENDED)) return done(p, E_OS_ACCESS);
    p->self->events &= ~first;
    return done(p, E_OK);
  case OK_P_wait: return wait(p, first);
  case OK_P_increment: return counter == NONE ? done(p, E_OS_ID) : increment(p, counter);
  case OK_P_start_alarm:
  case OK_P_cancel_alarm:
  case OK_P_left:
  case OK_P_greatest: return about_alarm(p, prim, find_alarms(&p->o, first));
  case OK_P_may_end:
    if (!first) return may_end(p, 0);
    return about_task(p, prim, find_tasks(&p->o, first));
  default: return about_task(p, prim, find_tasks(&p->o, first));
  }
}

PV_COOPERATIVE_EXEC(struct ok_op, o, t)

/* ---- queries --------------------------------------------------------------------------------- */
static unsigned n_threads(const struct pv_sched_state *s) {
  return s->data[offsetof(struct ok_header, tasks)];
}

static bool alive(const struct pv_sched_state *s, unsigned thread) {
  struct ok_task t = {0};
  size_t at = sizeof(struct ok_header) + thread * sizeof t;
  if (thread < n_threads(s)) memcpy(&t, s->data + at, sizeof t);
  return t.status != OK_SUSPENDED;
}

PV_COOPERATIVE_SETS

static void explain_block(const struct pv_sched_state *s, const struct pv_prim_call *call,
                          struct pv_str *out, uint64_t *object) {
  struct ok o;
  unpack(s, &o);
  *object = 0;
  const struct ok_task *t = &o.t[call->thread];
  if (t->status == OK_WAITING)
    pv_str_addf(out, "an event of the set 0x%llx", (unsigned long long)t->waited);
  else
    pv_str_add(out, "its turn");
}

const struct pv_sched pv_sched_osek = {
    .name = "osek",
    .prims = prims,
    .n_prims = OK_PRIM_COUNT,
    .bottom = "__proviso_osek_thread_main",
    .init = init,
    .may_run = may_run,
    .inside = inside,
    .dispatch = dispatch,
    .exec = exec,
    .n_threads = n_threads,
    .alive = alive,
    .alive_set = alive_set,
    .used_set = used_set,
    .explain_block = explain_block,
    .independent = pv_cooperative_independent,
    PV_SCHED_COOPERATIVE,
};
