/* pthread_lock.c -- mutexes, spin locks, read-write locks.
 *
 * If the owner locks a normal mutex or spin lock again, it blocks forever; a deadlock is reported.
 * A read-write lock admits readers whenever no writer holds it, even if writers wait: every order
 * of service is explored. A writer that calls rwlock_wrlock_first and must wait enters a queue in a
 * step of its own. From then on it blocks readers, including those that already hold the lock.
 * Because this step may come late, it only adds deadlocks. */
#include "sched/pthread_internal.h"

enum lock_mode { BLOCKING, TRY, TIMED };

/* ---- mutex ----------------------------------------------------------------------------------- */
bool pt_mutex_free(const struct pv_sched_state *s, uint64_t mutex) {
  struct pt_object m;
  return !pt_find(s, mutex, PT_MUTEX, 0, &m) || m.owner == PT_NOBODY;
}

static bool mutex_waits(const struct pv_sched_state *s, const struct pv_prim_call *call) {
  struct pt_object m;
  if (!pt_find(s, call->args[0], PT_MUTEX, 0, &m) || m.owner == PT_NOBODY) return false;
  return m.owner != call->thread + 1 || m.sub == PT_NORMAL;
}

unsigned pt_alternatives_mutex_lock(const struct pv_sched_state *s, const struct pv_prim_call *call,
                                    enum pv_alternative_kind *kinds) {
  return mutex_waits(s, call) ? 0 : pt_alternative(kinds, PV_ALTERNATIVE_NORMAL);
}

unsigned pt_alternatives_mutex_timedlock(const struct pv_sched_state *s,
                                         const struct pv_prim_call *call,
                                         enum pv_alternative_kind *kinds) {
  return pt_alternative(kinds,
                        mutex_waits(s, call) ? PV_ALTERNATIVE_TIMEOUT : PV_ALTERNATIVE_NORMAL);
}

static enum pv_prim_outcome lock_mutex(struct pt_op *o, enum lock_mode mode) {
  struct pt_object m;
  if (!pt_open(o, o->call->args[0], PT_MUTEX, &m)) return pt_done(o, PT_EINVAL);
  if (m.owner == o->self && m.sub == PT_RECURSIVE) {
    if (m.count == UINT32_MAX) return pt_done(o, PT_EAGAIN);
    m.count++;
  } else if (m.owner != PT_NOBODY) {
    if (mode == TRY) return pt_done(o, PT_EBUSY);
    if (m.owner == o->self && m.sub == PT_ERRORCHECK) return pt_done(o, PT_EDEADLK);
    return pt_done(o, PT_ETIMEDOUT);
  } else {
    m.owner = (uint8_t)o->self;
    m.count = 1;
  }
  pt_put(o->s, &m);
  return pt_done(o, 0);
}

enum pv_prim_outcome pt_mutex_lock(struct pt_op *o) {
  return lock_mutex(o, BLOCKING);
}
enum pv_prim_outcome pt_mutex_trylock(struct pt_op *o) {
  return lock_mutex(o, TRY);
}
enum pv_prim_outcome pt_mutex_timedlock(struct pt_op *o) {
  return lock_mutex(o, TIMED);
}

enum pv_prim_outcome pt_mutex_unlock(struct pt_op *o) {
  struct pt_object m;
  if (!pt_open(o, o->call->args[0], PT_MUTEX, &m)) return pt_done(o, PT_EINVAL);
  if (m.owner != o->self) {
    if (m.sub != PT_NORMAL) return pt_done(o, PT_EPERM);
    o->message = m.owner == PT_NOBODY ? "unlock of a mutex that is not locked"
                                      : "unlock of a mutex that another thread holds";
  }
  if (m.count > 0) m.count--; /* if misuse is not checked, this unlocks the mutex, as glibc does */
  if (m.count == 0) m.owner = PT_NOBODY;
  pt_put(o->s, &m);
  return pt_done(o, 0);
}

enum pv_prim_outcome pt_mutex_init(struct pt_op *o) {
  struct pt_object m;
  pt_open_init(o, PT_MUTEX, &m);
  m.sub = o->call->args[1] & 3;
  if (m.sub > PT_ERRORCHECK) m.sub = PT_NORMAL; /* for glibc's adaptive mutex */
  pt_put(o->s, &m);
  return pt_done(o, 0);
}

enum pv_prim_outcome pt_mutex_destroy(struct pt_op *o) {
  uint64_t mutex = o->call->args[0];
  bool in_use = !pt_mutex_free(o->s, mutex);
  for (unsigned i = 0; i < pt_threads(o->s); i++) {
    struct pt_thread t = pt_thread(o->s, i);
    if (t.stage != PT_NOT_WAITING && t.mutex == mutex) in_use = true;
  }
  return pt_destroy(o, PT_MUTEX, in_use);
}

/* ---- spin lock ------------------------------------------------------------------------------- */
static bool spin_taken(const struct pv_sched_state *s, uint64_t spin) {
  struct pt_object l;
  return pt_find(s, spin, PT_SPIN, 0, &l) && l.owner != PT_NOBODY;
}

unsigned pt_alternatives_spin_lock(const struct pv_sched_state *s, const struct pv_prim_call *call,
                                   enum pv_alternative_kind *kinds) {
  return spin_taken(s, call->args[0]) ? 0 : pt_alternative(kinds, PV_ALTERNATIVE_NORMAL);
}

enum pv_prim_outcome pt_spin_lock(struct pt_op *o) {
  struct pt_object l;
  if (!pt_open(o, o->call->args[0], PT_SPIN, &l)) return pt_done(o, PT_EINVAL);
  if (l.owner != PT_NOBODY) return pt_done(o, PT_EBUSY);
  l.owner = (uint8_t)o->self;
  pt_put(o->s, &l);
  return pt_done(o, 0);
}

enum pv_prim_outcome pt_spin_trylock(struct pt_op *o) {
  return pt_spin_lock(o);
}

enum pv_prim_outcome pt_spin_unlock(struct pt_op *o) {
  struct pt_object l;
  if (!pt_open(o, o->call->args[0], PT_SPIN, &l)) return pt_done(o, PT_EINVAL);
  if (l.owner != o->self) {
    o->message = l.owner == PT_NOBODY ? "unlock of a spin lock that is not locked"
                                      : "unlock of a spin lock that another thread holds";
  }
  l.owner = PT_NOBODY;
  pt_put(o->s, &l);
  return pt_done(o, 0);
}

enum pv_prim_outcome pt_spin_init(struct pt_op *o) {
  struct pt_object l;
  pt_open_init(o, PT_SPIN, &l);
  pt_put(o->s, &l);
  return pt_done(o, 0);
}

enum pv_prim_outcome pt_spin_destroy(struct pt_op *o) {
  return pt_destroy(o, PT_SPIN, spin_taken(o->s, o->call->args[0]));
}

/* ---- read-write lock ------------------------------------------------------------------------- */
static unsigned rwlock_writer(const struct pv_sched_state *s, uint64_t rwlock) {
  struct pt_object l;
  return pt_find(s, rwlock, PT_RWLOCK, 0, &l) ? l.owner : PT_NOBODY;
}

/* Does another thread write? A writer that locks again gets EDEADLK, as with glibc. */
static bool others_write(const struct pv_sched_state *s, uint64_t rwlock, unsigned self) {
  unsigned writer = rwlock_writer(s, rwlock);
  return writer != PT_NOBODY && writer != self;
}

static bool writers_wait(const struct pv_sched_state *s, uint64_t rwlock) {
  return pt_anything_but_status(s) && pt_waiters(s, rwlock, NULL) > 0;
}

bool pt_rwlock_blocks_reader(const struct pv_sched_state *s, uint64_t rwlock, unsigned self) {
  return others_write(s, rwlock, self) ||
         (rwlock_writer(s, rwlock) == PT_NOBODY && writers_wait(s, rwlock));
}

bool pt_rwlock_blocks_writer(const struct pv_sched_state *s, uint64_t rwlock, unsigned self) {
  return others_write(s, rwlock, self) || pt_readers(s, rwlock) > 0;
}

unsigned pt_alternatives_rdlock(const struct pv_sched_state *s, const struct pv_prim_call *call,
                                enum pv_alternative_kind *kinds) {
  bool waits = pt_rwlock_blocks_reader(s, call->args[0], call->thread + 1);
  return waits ? 0 : pt_alternative(kinds, PV_ALTERNATIVE_NORMAL);
}

unsigned pt_alternatives_timedrdlock(const struct pv_sched_state *s,
                                     const struct pv_prim_call *call,
                                     enum pv_alternative_kind *kinds) {
  bool waits = pt_rwlock_blocks_reader(s, call->args[0], call->thread + 1);
  return pt_alternative(kinds, waits ? PV_ALTERNATIVE_TIMEOUT : PV_ALTERNATIVE_NORMAL);
}

unsigned pt_alternatives_wrlock(const struct pv_sched_state *s, const struct pv_prim_call *call,
                                enum pv_alternative_kind *kinds) {
  bool waits = pt_rwlock_blocks_writer(s, call->args[0], call->thread + 1);
  return waits ? 0 : pt_alternative(kinds, PV_ALTERNATIVE_NORMAL);
}

/* A writer that must wait enters the queue first. */
unsigned pt_alternatives_wrlock_first(const struct pv_sched_state *s,
                                      const struct pv_prim_call *call,
                                      enum pv_alternative_kind *kinds) {
  if (pt_stage(s, call->thread) == PT_NOT_WAITING)
    return pt_alternative(kinds, PV_ALTERNATIVE_NORMAL);
  return pt_alternatives_wrlock(s, call, kinds);
}

unsigned pt_alternatives_timedwrlock(const struct pv_sched_state *s,
                                     const struct pv_prim_call *call,
                                     enum pv_alternative_kind *kinds) {
  bool waits = pt_rwlock_blocks_writer(s, call->args[0], call->thread + 1);
  return pt_alternative(kinds, waits ? PV_ALTERNATIVE_TIMEOUT : PV_ALTERNATIVE_NORMAL);
}

static enum pv_prim_outcome lock_read(struct pt_op *o, enum lock_mode mode) {
  struct pt_object l, hold;
  uint64_t rwlock = o->call->args[0];
  if (!pt_open(o, rwlock, PT_RWLOCK, &l)) return pt_done(o, PT_EINVAL);
  if (l.owner != PT_NOBODY) {
    if (mode == TRY) return pt_done(o, PT_EBUSY);
    return pt_done(o, l.owner == o->self ? PT_EDEADLK : PT_ETIMEDOUT);
  }
  if (mode != BLOCKING && writers_wait(o->s, rwlock))
    return pt_done(o, mode == TRY ? PT_EBUSY : PT_ETIMEDOUT);
  hold = (struct pt_object){.address = rwlock, .type = PT_RWHOLD, .holder = (uint8_t)o->self};
  pt_find(o->s, rwlock, PT_RWHOLD, o->self, &hold);
  if (hold.count == UINT32_MAX) return pt_done(o, PT_EAGAIN);
  hold.count++;
  pt_put(o->s, &hold);
  return pt_done(o, 0);
}

static enum pv_prim_outcome lock_write(struct pt_op *o, enum lock_mode mode) {
  struct pt_object l;
  uint64_t rwlock = o->call->args[0];
  if (!pt_open(o, rwlock, PT_RWLOCK, &l)) return pt_done(o, PT_EINVAL);
  if (l.owner != PT_NOBODY || pt_readers(o->s, rwlock) > 0) {
    if (mode == TRY) return pt_done(o, PT_EBUSY);
    return pt_done(o, l.owner == o->self ? PT_EDEADLK : PT_ETIMEDOUT);
  }
  l.owner = (uint8_t)o->self;
  pt_put(o->s, &l);
  return pt_done(o, 0);
}

enum pv_prim_outcome pt_rdlock(struct pt_op *o) {
  return lock_read(o, BLOCKING);
}
enum pv_prim_outcome pt_tryrdlock(struct pt_op *o) {
  return lock_read(o, TRY);
}
enum pv_prim_outcome pt_timedrdlock(struct pt_op *o) {
  return lock_read(o, TIMED);
}
enum pv_prim_outcome pt_wrlock(struct pt_op *o) {
  return lock_write(o, BLOCKING);
}
enum pv_prim_outcome pt_trywrlock(struct pt_op *o) {
  return lock_write(o, TRY);
}
enum pv_prim_outcome pt_wrlock_first(struct pt_op *o) {
  struct pt_thread t = pt_thread(o->s, o->call->thread);
  uint64_t rwlock = o->call->args[0];
  bool waited = t.stage != PT_NOT_WAITING;
  bool waits = !waited && pt_rwlock_blocks_writer(o->s, rwlock, o->self);
  if (waits || waited) {
    t.stage = waits ? PT_WAITING : PT_NOT_WAITING;
    t.object = waits ? rwlock : 0;
    pt_set_thread(o->s, o->call->thread, &t);
  }
  return waits ? PV_PRIM_AGAIN : lock_write(o, BLOCKING);
}
enum pv_prim_outcome pt_timedwrlock(struct pt_op *o) {
  return lock_write(o, TIMED);
}

enum pv_prim_outcome pt_rwlock_unlock(struct pt_op *o) {
  struct pt_object l, hold;
  uint64_t rwlock = o->call->args[0];
  if (!pt_open(o, rwlock, PT_RWLOCK, &l)) return pt_done(o, PT_EINVAL);
  if (l.owner == o->self) {
    l.owner = PT_NOBODY;
    pt_put(o->s, &l);
  } else if (pt_find(o->s, rwlock, PT_RWHOLD, o->self, &hold)) {
    hold.count--;
    pt_put(o->s, &hold);
  } else {
    return pt_misuse(o, PT_EPERM, "unlock of a read-write lock that the thread does not hold");
  }
  return pt_done(o, 0);
}

enum pv_prim_outcome pt_rwlock_init(struct pt_op *o) {
  struct pt_object l;
  pt_open_init(o, PT_RWLOCK, &l);
  pt_put(o->s, &l);
  return pt_done(o, 0);
}

enum pv_prim_outcome pt_rwlock_destroy(struct pt_op *o) {
  uint64_t rwlock = o->call->args[0];
  bool in_use = rwlock_writer(o->s, rwlock) != PT_NOBODY || pt_readers(o->s, rwlock) > 0 ||
                writers_wait(o->s, rwlock);
  return pt_destroy(o, PT_RWLOCK, in_use);
}
