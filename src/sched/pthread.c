/* pthread.c -- the preemptive scheduler plug-in for POSIX threads (and, through the models, C11's):
 * the table of primitives, what they have in common, and the plug-in's other queries.
 *
 * The semantics are those of POSIX.1-2017 with Linux's error numbers. Where POSIX allows several
 * outcomes, all are possible (which thread a signal wakes, which one is a barrier's serial thread,
 * spurious wake-ups), or glibc's choice is made (EDEADLK for a writer that locks again). What POSIX
 * calls undefined is PV_PRIM_MISUSE, except that locking a normal mutex or spin lock twice simply
 * blocks. Destroyed objects are remembered until they are initialised again or their memory is
 * freed. */
#include "sched/pthread_internal.h"

#include <assert.h>
#include <stdlib.h>

/* ---- shared by the primitives ---------------------------------------------------------------- */
enum problem {
  UNINITIALISED,
  DESTROYED,
  COPIED,
  OTHER_TYPE,
  TWICE,
  INIT_IN_USE,
  DESTROY_IN_USE,
  NO_MEMORY
};

static const struct type_info {
  const char *name;
  bool has_static_initialiser;
  const char *messages[NO_MEMORY + 1];
} types[PT_TYPE_COUNT] = {
#define X(T, N, S)                                                                                 \
  {N,                                                                                              \
   S,                                                                                              \
   {"use of a " N " that was never initialised", "use of a " N " after its destruction",           \
    "use of the copy of a " N " that was in use when it was copied",                               \
    "use as a " N " of an object that is something else",                                          \
    "initialisation of a " N " that is initialised already", "initialisation of a " N " in use",   \
    "destruction of a " N " in use", "initialisation of a " N " where no memory is"}},
    PT_TYPES(X)
#undef X
};

unsigned pt_alternatives_one(const struct pv_sched_state *s, const struct pv_prim_call *call,
                             enum pv_alternative_kind *kinds) {
  (void)s, (void)call;
  return pt_alternative(kinds, PV_ALTERNATIVE_NORMAL);
}

enum pv_prim_outcome pt_done(struct pt_op *o, uint64_t result) {
  o->result = result;
  return o->message ? PV_PRIM_MISUSE : PV_PRIM_DONE;
}

enum pv_prim_outcome pt_misuse(struct pt_op *o, uint64_t result, const char *message) {
  o->message = message;
  return pt_done(o, result);
}

static void complain(struct pt_op *o, enum pt_type type, enum problem problem) {
  if (!o->message) o->message = types[type].messages[problem];
}

/* Reads the kind of a statically initialised mutex from the place where glibc stores it. */
static bool read_static(struct pt_op *o, struct pt_object *out) {
  uint64_t kind, address = out->address;
  if (out->type == PT_MUTEX) address += o->env->pointer_bits == 64 ? 16 : 12;
  if (!o->env->load(o->env->self, address, 4, &kind)) return false;
  if (out->type == PT_MUTEX) {
    kind &= 3;
    out->sub = kind <= PT_ERRORCHECK ? (uint8_t)kind : PT_NORMAL;
  }
  return true;
}

bool pt_open(struct pt_op *o, uint64_t address, enum pt_type type, struct pt_object *out) {
  *out = (struct pt_object){.address = address, .type = (uint8_t)type};
  for (unsigned i = pt_first_at(o->s, address); i < pt_objects(o->s); i++) {
    struct pt_object there = pt_object_at(o->s, i);
    if (there.address != address) break;
    bool hold = there.type == PT_RWHOLD && type == PT_RWLOCK;
    if ((there.type != type && !hold) || there.flags & (PT_DESTROYED | PT_COPY_OF_USED)) {
      complain(o, type,
               there.flags & PT_DESTROYED      ? DESTROYED
               : there.flags & PT_COPY_OF_USED ? COPIED
                                               : OTHER_TYPE);
      return false;
    }
    if (!hold) {
      *out = there;
      return true;
    }
  }
  bool initialised = types[type].has_static_initialiser && read_static(o, out);
  if (!initialised) complain(o, type, UNINITIALISED);
  return true;
}

static bool in_range(uint64_t address, uint64_t from, uint64_t bytes) {
  return address - from < bytes;
}

/* Is a thread inside a wait that still needs memory in the range? Waiters that were woken do not
 * need a condition variable or barrier that was destroyed since. */
static bool is_awaited(const struct pv_sched_state *s, uint64_t from, uint64_t bytes) {
  if (!pt_anything_but_status(s)) return false;
  for (unsigned i = 0; i < pt_threads(s); i++) {
    if (pt_stage(s, i) == PT_NOT_WAITING) continue;
    struct pt_thread t = pt_thread(s, i);
    if (t.mutex && in_range(t.mutex, from, bytes)) return true;
    if (!in_range(t.object, from, bytes)) continue;
    struct pt_object o;
    bool destroyed = (pt_find(s, t.object, PT_COND, 0, &o) && o.flags & PT_DESTROYED) ||
                     (pt_find(s, t.object, PT_BARRIER, 0, &o) && o.flags & PT_DESTROYED);
    if (t.stage == PT_WAITING || !destroyed) return true;
  }
  return false;
}

void pt_open_init(struct pt_op *o, enum pt_type type, struct pt_object *out) {
  uint64_t address = o->call->args[0];
  for (unsigned i = pt_first_at(o->s, address); i < pt_objects(o->s); i++) {
    struct pt_object there = pt_object_at(o->s, i);
    if (there.address != address) break;
    if (there.flags & (PT_DESTROYED | PT_COPY_OF_USED | PT_COPY)) continue;
    bool used = there.owner != PT_NOBODY || there.type == PT_RWHOLD || there.type != type;
    complain(o, type, used ? INIT_IN_USE : TWICE);
  }
  if (is_awaited(o->s, address, 1)) complain(o, type, INIT_IN_USE);
  if (!o->env->store(o->env->self, address, 4, 0)) complain(o, type, NO_MEMORY);
  pt_remove_range(o->s, address, 1);
  *out = (struct pt_object){.address = address, .type = (uint8_t)type, .flags = PT_INITIALISED};
}

enum pv_prim_outcome pt_destroy(struct pt_op *o, enum pt_type type, bool in_use) {
  struct pt_object there;
  if (!pt_open(o, o->call->args[0], type, &there)) return pt_done(o, PT_EINVAL);
  if (in_use) {
    complain(o, type, DESTROY_IN_USE);
    return pt_done(o, PT_EBUSY);
  }
  pt_put(o->s, &(struct pt_object){
                   .address = there.address, .type = (uint8_t)type, .flags = PT_DESTROYED});
  return pt_done(o, 0);
}

/* ---- the table ------------------------------------------------------------------------------- */
#define ROLE(ID)                                                                                   \
  ((ID) == PT_P_thread_create                                    ? PV_ROLE_CREATES                 \
   : (ID) == PT_P_thread_join || (ID) == PT_P_thread_join_cancel ? PV_ROLE_JOINS                   \
   : (ID) == PT_P_thread_exit                                    ? PV_ROLE_EXITS                   \
                                                                 : PV_ROLE_OTHER)
#define CANCELLED(ID)                                                                              \
  ((ID) == PT_P_cond_wait_cancel || (ID) == PT_P_cond_timedwait_cancel ||                          \
   (ID) == PT_P_sem_wait_cancel)
#define EXHAUSTED(ID)                                                                              \
  ((ID) == PT_P_thread_create ? PT_NO_THREAD                                                       \
   : (ID) == PT_P_mutex_init || (ID) == PT_P_cond_init || (ID) == PT_P_rwlock_init ||              \
           (ID) == PT_P_spin_init || (ID) == PT_P_barrier_init                                     \
       ? PT_ENOMEM                                                                                 \
   : (ID) == PT_P_sem_init ? PT_ENOSPC                                                             \
                           : 0)
#define FAILS(ID)                                                                                  \
  ((ID) == PT_P_sem_trywait ? PT_EAGAIN                                                            \
   : (ID) == PT_P_mutex_trylock || (ID) == PT_P_spin_trylock || (ID) == PT_P_rwlock_tryrdlock ||   \
           (ID) == PT_P_rwlock_trywrlock                                                           \
       ? PT_EBUSY                                                                                  \
       : 0)
static const struct pv_prim prims[PT_PRIM_COUNT] = {
#define X(N, A, B, C, T, Q, R, W, E)                                                               \
  {"__proviso_" #N,                                                                                \
   A,                                                                                              \
   B,                                                                                              \
   PV_PRIM_##C,                                                                                    \
   T,                                                                                              \
   ROLE(PT_P_##N),                                                                                 \
   .may_be_cancelled = CANCELLED(PT_P_##N),                                                        \
   .release = R,                                                                                   \
   .acquire = Q,                                                                                   \
   .exhausted = EXHAUSTED(PT_P_##N),                                                               \
   .fails = FAILS(PT_P_##N),                                                                       \
   .id = PT_P_##N},
    PT_PRIMS(X)
#undef X
};
static pt_alternatives_fn *const alternatives_of[PT_PRIM_COUNT] = {
#define X(N, A, B, C, T, Q, R, W, E) W,
    PT_PRIMS(X)
#undef X
};
static pt_exec_fn *const exec_of[PT_PRIM_COUNT] = {
#define X(N, A, B, C, T, Q, R, W, E) E,
    PT_PRIMS(X)
#undef X
};

static unsigned alternatives(const struct pv_sched_state *s, const struct pv_prim_call *call,
                             enum pv_alternative_kind *kinds) {
  return alternatives_of[call->prim->id](s, call, kinds);
}

static enum pv_prim_outcome exec(struct pv_sched_state *s, const struct pv_sched_env *env,
                                 const struct pv_prim_call *call, unsigned alternative,
                                 uint64_t *result, const char **message) {
  assert(pt_status(s, call->thread) == PT_ALIVE);
  struct pt_op o = {
      .s = s, .env = env, .call = call, .alternative = alternative, .self = call->thread + 1};
  enum pv_prim_outcome outcome = exec_of[call->prim->id](&o);
  *result = o.result;
  *message = o.message;
  return outcome;
}

static bool names_threads(const struct pv_prim *prim) {
  switch (prim->id) {
  case PT_P_thread_join:
  case PT_P_thread_join_cancel:
  case PT_P_thread_detach:
  case PT_P_thread_cancel:
  case PT_P_thread_self: return true;
  default: return false;
  }
}

static bool alive(const struct pv_sched_state *s, unsigned thread) {
  return pt_status(s, thread) == PT_ALIVE;
}

static bool holds(const struct pv_sched_state *s, const struct pv_prim_call *call) {
  unsigned id = call->prim->id, self = call->thread + 1;
  struct pt_object o;
  if (id == PT_P_rwlock_unlock)
    return pt_find(s, call->args[0], PT_RWHOLD, self, &o) ||
           (pt_find(s, call->args[0], PT_RWLOCK, 0, &o) && o.owner == self);
  if (id != PT_P_mutex_unlock && id != PT_P_spin_unlock) return true;
  enum pt_type type = id == PT_P_mutex_unlock ? PT_MUTEX : PT_SPIN;
  return pt_find(s, call->args[0], type, 0, &o) && o.owner == self;
}

static bool closed(const struct pv_sched_state *s, const struct pv_prim_call *call) {
  enum pv_alternative_kind kinds[PV_MAX_THREADS + 2];
  struct pt_object o;
  switch (call->prim->id) {
  case PT_P_mutex_lock: /* with another kind of mutex the owner would not wait */
    return pt_find(s, call->args[0], PT_MUTEX, 0, &o) && o.owner != PT_NOBODY && o.sub == PT_NORMAL;
  case PT_P_spin_lock: return !pt_alternatives_spin_lock(s, call, kinds);
  case PT_P_sem_wait: return !pt_alternatives_sem_wait(s, call, kinds);
  default: return false;
  }
}

/* ---- the end of memory ----------------------------------------------------------------------- */
static const char *forget(struct pv_sched_state *s, uint64_t address, uint64_t bytes) {
  const char *message = NULL;
  for (unsigned i = pt_first_at(s, address); i < pt_objects(s) && !message; i++) {
    struct pt_object o = pt_object_at(s, i);
    if (!in_range(o.address, address, bytes)) break;
    if (o.owner == PT_NOBODY && o.type != PT_RWHOLD) continue;
    message = o.type == PT_ONCE ? "the memory of a once control ends while its initialiser runs"
                                : "the memory of a lock ends while the lock is held";
  }
  if (!message && is_awaited(s, address, bytes)) {
    message = "the memory of a synchronisation object ends while a thread waits for it";
  }
  pt_remove_range(s, address, bytes);
  return message;
}

/* Does the state say that a thread holds the object or is inside of an operation on it? */
static bool is_in_use(const struct pv_sched_state *s, const struct pt_object *o) {
  return o->owner != PT_NOBODY || (o->type == PT_RWLOCK && pt_readers(s, o->address)) ||
         is_awaited(s, o->address, 1);
}

/* The copy of an object's record; the address is unchanged. */
static struct pt_object copy_of(const struct pv_sched_state *s, const struct pt_object *o) {
  if (is_in_use(s, o) || o->flags & PT_COPY_OF_USED)
    return (struct pt_object){.address = o->address, .type = o->type, .flags = PT_COPY_OF_USED};
  struct pt_object copy = *o;
  if (copy.flags & PT_INITIALISED) copy.flags = PT_COPY;
  return copy;
}

static bool in_use(const struct pv_sched_state *s, uint64_t address, uint64_t bytes) {
  bool used = is_awaited(s, address, bytes);
  for (unsigned i = pt_first_at(s, address); i < pt_objects(s) && !used; i++) {
    struct pt_object o = pt_object_at(s, i);
    if (!in_range(o.address, address, bytes)) break;
    used = o.owner != PT_NOBODY || o.type == PT_RWHOLD;
  }
  return used;
}

static void copy(struct pv_sched_state *s, uint64_t to, uint64_t from, uint64_t bytes) {
  PV_VEC(struct pt_object) copies = {0};
  if (to == from) return;
  for (unsigned i = pt_first_at(s, from); i < pt_objects(s); i++) {
    struct pt_object o = pt_object_at(s, i);
    if (!in_range(o.address, from, bytes)) break;
    if (o.type == PT_RWHOLD) { /* the lock may have no other record */
      o.type = PT_RWLOCK;
      o.holder = 0;
      o.owner = PT_GONE;
    }
    struct pt_object c = copy_of(s, &o);
    c.address += to - from;
    pv_vec_push(&copies, c);
  }
  forget(s, to, bytes);
  for (uint32_t i = 0; i < copies.n; i++) pt_put(s, &copies.at[i]);
  pv_vec_free(&copies);
}

/* ---- independence ---------------------------------------------------------------------------- */
/* Does the thread primitive write program memory? If so, it writes a word at *at. */
static bool writes_memory(const struct pv_prim_call *c, uint64_t *at) {
  if (c->prim->id == PT_P_thread_create) {
    *at = c->args[0];
    return *at != 0;
  }
  *at = c->args[1];
  return c->prim->role == PV_ROLE_JOINS && c->args[1];
}

static uint64_t writes(const struct pv_prim_call *c) {
  uint64_t at;
  return c->prim->class == PV_PRIM_THREAD && writes_memory(c, &at) ? at : 0;
}

static bool near(uint64_t a, uint64_t b, uint64_t bytes) {
  return a - b < bytes || b - a < bytes;
}

static unsigned objects_of(const struct pv_prim_call *c, const uint64_t **objects) {
  *objects = c->args;
  return c->prim->two_objects ? 2 : 1;
}

static bool is_init(const struct pv_prim_call *c) {
  switch (c->prim->id) {
  case PT_P_mutex_init:
  case PT_P_cond_init:
  case PT_P_rwlock_init:
  case PT_P_spin_init:
  case PT_P_sem_init:
  case PT_P_barrier_init: return true;
  default: return false;
  }
}

static bool is_destroy(const struct pv_prim_call *c) {
  switch (c->prim->id) {
  case PT_P_mutex_destroy:
  case PT_P_cond_destroy:
  case PT_P_rwlock_destroy:
  case PT_P_spin_destroy:
  case PT_P_sem_destroy:
  case PT_P_barrier_destroy: return true;
  default: return false;
  }
}

/* Does the result of the call depend on whether its thread is cancelled? */
static bool minds_cancellation(const struct pv_prim_call *c) {
  switch (c->prim->id) {
  case PT_P_thread_is_cancelled:
  case PT_P_thread_join_cancel:
  case PT_P_thread_exit: return true; /* the request is in time, or without effect */
  default: return c->prim->may_be_cancelled;
  }
}

static bool cancels(const struct pv_prim_call *a, const struct pv_prim_call *b) {
  return a->prim->id == PT_P_thread_cancel && a->args[0] == b->thread + 1 && minds_cancellation(b);
}

static bool objects_independent(const struct pv_prim_call *a, const struct pv_prim_call *b) {
  const uint64_t *x, *y;
  unsigned n = objects_of(a, &x), m = objects_of(b, &y);
  /* An initialisation writes the memory from which the kind of a static mutex is read. */
  uint64_t distance = is_init(a) || is_init(b) ? 20 : 1;
  bool apart = true;
  for (unsigned i = 0; i < n; i++) {
    for (unsigned j = 0; j < m; j++) apart = apart && !near(x[i], y[j], distance);
  }
  if (apart) return true;
  if (a->prim->id == b->prim->id)
    return a->prim->id == PT_P_rwlock_rdlock || a->prim->id == PT_P_sem_getvalue ||
           a->prim->id == PT_P_sem_post;
  /* Both are enabled now: one acquires and the other releases (see pt_sem_post). */
  return (a->prim->id == PT_P_sem_post && b->prim->id == PT_P_sem_wait) ||
         (a->prim->id == PT_P_sem_wait && b->prim->id == PT_P_sem_post);
}

/* A thread primitive and an operation on objects can only conflict in memory. When a thread ends,
 * objects that it holds change their owner, but neither the old nor the new owner is the other
 * call's thread. */
static bool thread_object_independent(const struct pv_prim_call *t, const struct pv_prim_call *o) {
  uint64_t at;
  const uint64_t *x;
  if (cancels(t, o)) return false;
  if (!writes_memory(t, &at)) return true;
  unsigned n = objects_of(o, &x);
  bool apart = true;
  for (unsigned i = 0; i < n; i++) apart = apart && !near(at, x[i], 64);
  return apart;
}

static bool threads_independent(const struct pv_prim_call *a, const struct pv_prim_call *b) {
  if (cancels(a, b) || cancels(b, a)) return false;
  if (a->prim->id == PT_P_thread_is_cancelled || b->prim->id == PT_P_thread_is_cancelled)
    return true;
  /* A creation takes the lowest free number, so calls that free or take one determine the new
   * number. */
  if (a->prim->id == PT_P_thread_create || b->prim->id == PT_P_thread_create) return false;
  uint64_t x, y;
  if (writes_memory(a, &x) && writes_memory(b, &y) && near(x, y, 8)) return false;
  uint64_t a_touches = a->prim->id == PT_P_thread_exit ? a->thread + 1 : a->args[0];
  uint64_t b_touches = b->prim->id == PT_P_thread_exit ? b->thread + 1 : b->args[0];
  return a_touches != b_touches;
}

static bool independent(const struct pv_prim_call *a, const struct pv_prim_call *b) {
  enum pv_prim_class x = a->prim->class, y = b->prim->class;
  if (x == PV_PRIM_LOCAL || y == PV_PRIM_LOCAL) return true;
  if (x == PV_PRIM_OBJECT && y == PV_PRIM_OBJECT) return objects_independent(a, b);
  if (x == PV_PRIM_OBJECT) return thread_object_independent(b, a);
  if (y == PV_PRIM_OBJECT) return thread_object_independent(a, b);
  return threads_independent(a, b);
}

/* ---- order ----------------------------------------------------------------------------------- */
enum {
  UNDER_WAY = PV_PHASE_UNDER_WAY,
  FREES = PV_PHASE_FREES,
  HOLDS = PV_PHASE_OWN, /* the thread holds the mutex or spin lock that the call releases */
  /* The effect of the call is determined by what the thread holds already, and other threads
   * cannot observe it. */
  PRIVATE = PV_PHASE_OWN << 1
};

/* The phase of an operation on a mutex or spin lock. For a normal one nothing is private, because
 * others may unlock it (misuse). */
static unsigned phase_of_lock(const struct pv_sched_state *s, unsigned self, uint64_t address,
                              enum pt_type type, bool takes) {
  struct pt_object o;
  if (!pt_find(s, address, type, 0, &o)) return 0;
  bool own = o.owner == self, kind = type == PT_MUTEX && o.sub != PT_NORMAL;
  if (takes) return own && kind ? PRIVATE : 0; /* a further lock, or a failed attempt */
  if (own) return kind && o.count > 1 ? PRIVATE : HOLDS;
  return 0; /* fails; whether nobody has locked it yet is not known here, so it is not private */
}

/* A thread that holds a read-write lock gets a further hold, or is refused, whatever other readers
 * do. */
static unsigned phase_of_rwlock(const struct pv_sched_state *s, unsigned self, uint64_t address,
                                bool takes) {
  struct pt_object o;
  bool reads = pt_find(s, address, PT_RWHOLD, self, &o);
  unsigned count = reads ? o.count : 0;
  bool writes = pt_find(s, address, PT_RWLOCK, 0, &o) && o.owner == self;
  return (takes ? reads || writes : count > 1) ? PRIVATE : 0;
}

static unsigned phase_of_hold(const struct pv_sched_state *s, const struct pv_prim_call *c) {
  unsigned self = c->thread + 1;
  switch (c->prim->id) {
  case PT_P_mutex_lock:
  case PT_P_mutex_trylock:
  case PT_P_mutex_timedlock: return phase_of_lock(s, self, c->args[0], PT_MUTEX, true);
  case PT_P_mutex_unlock: return phase_of_lock(s, self, c->args[0], PT_MUTEX, false);
  case PT_P_spin_unlock: return phase_of_lock(s, self, c->args[0], PT_SPIN, false);
  case PT_P_cond_wait:
  case PT_P_cond_timedwait: { /* misuse has no effect, but is not private: see phase_of_lock */
    unsigned mutex = phase_of_lock(s, self, c->args[1], PT_MUTEX, false);
    return pt_stage(s, c->thread) == PT_NOT_WAITING && mutex == HOLDS ? HOLDS : 0;
  }
  case PT_P_rwlock_rdlock:
  case PT_P_rwlock_tryrdlock:
  case PT_P_rwlock_timedrdlock:
  case PT_P_rwlock_wrlock:
  case PT_P_rwlock_wrlock_first:
  case PT_P_rwlock_trywrlock:
  case PT_P_rwlock_timedwrlock: return phase_of_rwlock(s, self, c->args[0], true);
  case PT_P_rwlock_unlock: return phase_of_rwlock(s, self, c->args[0], false);
  default: return 0;
  }
}

static unsigned phase(const struct pv_sched_state *s, const struct pv_prim_call *call) {
  if (call->prim->id == PT_P_thread_exit) return pt_is_detached(s, call->thread) ? FREES : 0;
  unsigned phase = phase_of_hold(s, call);
  if (pt_stage(s, call->thread) != PT_NOT_WAITING) phase |= UNDER_WAY;
  switch (call->prim->id) {
  case PT_P_cond_timedwait:
  case PT_P_cond_signal:
  case PT_P_barrier_wait:
  case PT_P_thread_join_cancel: return phase | PV_PHASE_SEVERAL;
  default: return call->prim->may_be_cancelled ? phase | PV_PHASE_SEVERAL : phase;
  }
}

enum role { OTHER, TAKES, GIVES, GIVES_SOME }; /* of a call with respect to a lock */

/* GIVES: no other thread could acquire it before. GIVES_SOME: a read-write lock or a once control
 * may have been free before, and a semaphore was. */
static enum role role_of(const struct pv_prim_call *c) {
  switch (c->prim->id) {
  case PT_P_mutex_lock:
  case PT_P_spin_lock:
  case PT_P_rwlock_rdlock:
  case PT_P_rwlock_wrlock:
  case PT_P_once_enter:
  case PT_P_sem_wait: return TAKES;
  case PT_P_mutex_unlock: /* without owning it: an error, or misuse */
  case PT_P_spin_unlock: return c->phase & HOLDS ? GIVES : OTHER;
  case PT_P_rwlock_unlock:
  case PT_P_once_leave:
  case PT_P_sem_post: return GIVES_SOME;
  /* It enters the queue. */
  case PT_P_rwlock_wrlock_first: return c->phase & UNDER_WAY ? TAKES : OTHER;
  case PT_P_cond_wait: return c->phase & UNDER_WAY ? TAKES : c->phase & HOLDS ? GIVES : OTHER;
  default: return OTHER;
  }
}

static enum pv_prim_section section(const struct pv_prim_call *c) {
  switch (c->prim->id) {
  case PT_P_mutex_lock:
  case PT_P_spin_lock: return PV_SECTION_BEGINS;
  case PT_P_mutex_unlock:
  case PT_P_spin_unlock: return PV_SECTION_ENDS;
  case PT_P_mutex_init:
  case PT_P_mutex_destroy:
  case PT_P_spin_init:
  case PT_P_spin_destroy: return PV_SECTION_AROUND;
  default: return PV_SECTION_OTHER;
  }
}

static bool is_wait(const struct pv_prim_call *c) {
  return c->prim->id == PT_P_cond_wait || c->prim->id == PT_P_cond_timedwait ||
         c->prim->id == PT_P_barrier_wait;
}

/* A failed attempt to acquire what nobody else could acquire then. An attempt of a writer may fail
 * while readers succeed. */
static bool failed(const struct pv_prim_call *c) {
  if (!(c->phase & PV_PHASE_IDLE)) return false;
  switch (c->prim->id) {
  case PT_P_mutex_trylock:
  case PT_P_mutex_timedlock:
  case PT_P_spin_trylock:
  case PT_P_sem_trywait:
  case PT_P_sem_timedwait:
  case PT_P_rwlock_tryrdlock:
  case PT_P_rwlock_timedrdlock:
  case PT_P_rwlock_trywrlock:
  case PT_P_rwlock_timedwrlock: return true;
  default: return false;
  }
}

static bool is_private(const struct pv_prim_call *c, const struct pv_prim_call *other) {
  bool queues = other->prim->id == PT_P_rwlock_wrlock_first; /* it blocks readers */
  return (c->phase & PRIVATE) && !is_init(other) && !is_destroy(other) && !queues;
}

static enum pv_prim_order order_of_objects(const struct pv_prim_call *a,
                                           const struct pv_prim_call *b) {
  enum role x = role_of(a), y = role_of(b);
  const uint64_t *p, *q;
  unsigned n = objects_of(a, &p), m = objects_of(b, &q);
  bool same_first = n && m && p[0] == q[0];
  if (is_private(a, b) || is_private(b, a)) return PV_PRIM_ORDER_FREE;
  if (is_wait(b) && (b->phase & UNDER_WAY) && same_first)
    return PV_PRIM_ORDER_MAY_GIVE; /* the other call woke it */
  if (a->prim->id == PT_P_sem_wait && b->prim->id == PT_P_sem_post && same_first)
    return PV_PRIM_ORDER_FREE;
  bool meet = n && m && p[n - 1] == q[m - 1]; /* at the mutex, which is the last object of a wait */
  if (x == GIVES && y == TAKES && meet) return PV_PRIM_ORDER_GIVES;
  if (x == GIVES_SOME && y == TAKES && same_first) return PV_PRIM_ORDER_MAY_GIVE;
  if (failed(a) && y == TAKES && meet) /* it was held */
    return b->prim->id == PT_P_rwlock_rdlock ? PV_PRIM_ORDER_MAY_GIVE : PV_PRIM_ORDER_GIVES;
  if (objects_independent(a, b)) return PV_PRIM_ORDER_FREE;
  if (b->prim->may_be_cancelled) return PV_PRIM_ORDER_MAY_GIVE;
  if (b->prim->id == PT_P_rwlock_wrlock_first && !(b->phase & UNDER_WAY))
    return PV_PRIM_ORDER_MATTERS; /* it can always enter the queue */
  bool alike =
      x == TAKES || a->prim->id == b->prim->id || (a->prim->acquire && !a->prim->may_block);
  return b->prim->may_block && !alike ? PV_PRIM_ORDER_MAY_GIVE : PV_PRIM_ORDER_MATTERS;
}

static enum pv_prim_order order_of_threads(const struct pv_prim_call *a,
                                           const struct pv_prim_call *b) {
  unsigned x = a->prim->id, y = b->prim->id;
  bool end_and_creation = (x == PT_P_thread_exit && y == PT_P_thread_create) ||
                          (x == PT_P_thread_create && y == PT_P_thread_exit);
  if (end_and_creation && !((a->phase | b->phase) & (FREES | PV_PHASE_AT_BOUND)))
    return PV_PRIM_ORDER_FREE;
  if (x == PT_P_thread_exit && y == PT_P_thread_join && b->args[0] == a->thread + 1)
    return a->phase & FREES ? PV_PRIM_ORDER_MATTERS
                            : PV_PRIM_ORDER_GIVES; /* detached: the join fails */
  if (threads_independent(a, b)) return PV_PRIM_ORDER_FREE;
  return b->prim->may_block ? PV_PRIM_ORDER_MAY_GIVE : PV_PRIM_ORDER_MATTERS;
}

static enum pv_prim_order order(const struct pv_prim_call *a, const struct pv_prim_call *b) {
  enum pv_prim_class x = a->prim->class, y = b->prim->class;
  if (x == PV_PRIM_OBJECT && y == PV_PRIM_OBJECT) return order_of_objects(a, b);
  if (x == PV_PRIM_THREAD && y == PV_PRIM_THREAD) return order_of_threads(a, b);
  if (independent(a, b)) return PV_PRIM_ORDER_FREE;
  return b->prim->may_block ? PV_PRIM_ORDER_MAY_GIVE : PV_PRIM_ORDER_MATTERS;
}

static bool synchronises(const struct pv_prim_call *call, uint64_t result) {
  switch (call->prim->id) {
  case PT_P_thread_create: /* the result is a number */
  case PT_P_thread_exit:
  case PT_P_barrier_wait: /* 0, or -1 for the serial thread; EINVAL only for misuse */
  case PT_P_once_enter: return true;
  case PT_P_thread_is_cancelled: return false;
  case PT_P_cond_timedwait: return result == 0 || result == PT_ETIMEDOUT;
  case PT_P_cond_wait_cancel:
  case PT_P_cond_timedwait_cancel:
    return result == 0 || result == PT_ETIMEDOUT || result == PT_ECANCELED;
  default: return result == 0;
  }
}

/* ---- deadlock reports ------------------------------------------------------------------------ */
static void explain_owner(struct pv_str *out, const char *what, unsigned owner, unsigned self) {
  if (owner == self) {
    pv_str_addf(out, "%s that it holds itself", what);
  } else if (owner == PT_GONE) {
    pv_str_addf(out, "%s that is held by a thread that has ended", what);
  } else {
    pv_str_addf(out, "%s held by thread %u", what, owner - 1);
  }
}

static void explain_object(const struct pv_sched_state *s, unsigned self, uint64_t address,
                           enum pt_type type, bool reads, struct pv_str *out) {
  struct pt_object o = {0};
  pt_find(s, address, type, 0, &o);
  switch (type) {
  case PT_MUTEX: explain_owner(out, "a mutex", o.owner, self); break;
  case PT_SPIN: explain_owner(out, "a spin lock", o.owner, self); break;
  case PT_COND: pv_str_add(out, "a signal of a condition variable"); break;
  case PT_SEM: pv_str_add(out, "a semaphore that is 0"); break;
  case PT_BARRIER:
    pv_str_addf(out, "a barrier that %u of %u threads have reached", pt_waiters(s, address, NULL),
                o.count);
    break;
  case PT_ONCE: explain_owner(out, "a once control", o.owner, self); break;
  case PT_RWLOCK:
  case PT_RWHOLD:
    if (o.owner != PT_NOBODY) {
      explain_owner(out, "a read-write lock, for writing", o.owner, self);
    } else if (reads && pt_waiters(s, address, NULL)) {
      pv_str_add(out, "a read-write lock that a writer waits for");
    } else if (pt_find(s, address, PT_RWHOLD, self, &o)) {
      pv_str_add(out, "a read-write lock that it holds itself for reading");
    } else {
      pv_str_addf(out, "a read-write lock held by %u reader(s)", pt_readers(s, address));
    }
    break;
  case PT_TYPE_COUNT: break;
  }
}

static enum pt_type type_of(enum pt_prim prim) {
  switch (prim) {
  case PT_P_spin_lock: return PT_SPIN;
  case PT_P_rwlock_rdlock:
  case PT_P_rwlock_wrlock:
  case PT_P_rwlock_wrlock_first: return PT_RWLOCK;
  case PT_P_sem_wait:
  case PT_P_sem_wait_cancel: return PT_SEM;
  case PT_P_barrier_wait: return PT_BARRIER;
  case PT_P_once_enter: return PT_ONCE;
  case PT_P_cond_wait:
  case PT_P_cond_timedwait:
  case PT_P_cond_wait_cancel:
  case PT_P_cond_timedwait_cancel: return PT_COND;
  default: return PT_MUTEX;
  }
}

static void explain_block(const struct pv_sched_state *s, const struct pv_prim_call *call,
                          struct pv_str *out, uint64_t *object) {
  struct pt_thread t = pt_thread(s, call->thread);
  *object = 0;
  if (call->prim->class != PV_PRIM_OBJECT) {
    pv_str_addf(out, "the end of thread %llu", (unsigned long long)call->args[0] - 1);
    return;
  }
  enum pt_type type = type_of((enum pt_prim)call->prim->id);
  *object = call->args[0];
  if (type == PT_COND && t.stage != PT_WAITING) { /* woken: waits only for the mutex */
    type = PT_MUTEX;
    *object = call->args[1];
  }
  bool reads = call->prim->id == PT_P_rwlock_rdlock;
  explain_object(s, call->thread + 1, *object, type, reads, out);
}

const struct pv_sched pv_sched_pthread = {
    .name = "pthread",
    .prims = prims,
    .n_prims = PT_PRIM_COUNT,
    .preemptive = true,
    .bottom = "__proviso_thread_main",
    .init = pt_init,
    .alternatives = alternatives,
    .exec = exec,
    .n_threads = pt_threads,
    .alive = alive,
    .alive_set = pt_alive_set,
    .forget = forget,
    .in_use = in_use,
    .copy = copy,
    .independent = independent,
    .writes = writes,
    .phase = phase,
    .order = order,
    .section = section,
    .used_set = pt_used_set,
    .part = pt_part,
    .permute = pt_permute,
    .addresses = pt_addresses,
    .refers = pt_refers,
    .explain_block = explain_block,
    .holds = holds,
    .closed = closed,
    .awaited = pt_awaited,
    .alike = pt_alike,
    .names_threads = names_threads,
    .synchronises = synchronises,
};
