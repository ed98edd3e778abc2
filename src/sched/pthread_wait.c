/* pthread_wait.c -- condition variables, semaphores, barriers, once controls.
 *
 * A wait has stages, kept in the waiting thread's record. A signalled thread needs its mutex:
 * waking up and locking it are one step, enabled when the mutex is free. For spurious wake-ups this
 * loses nothing (if the thread is the only waiter when a signal comes, it is woken by the signal
 * instead). But a time-out while the mutex is held must be a step of its own: a later signal then
 * wakes another waiter, or none, and the thread still returns ETIMEDOUT.
 *
 * The calls that end in `_cancel` are for threads that may be cancelled (POSIX.1-2017, 2.9.5.2). A
 * thread that is cancelled while it waits locks its mutex and gets the result ECANCELED. If a
 * signal or a post came as well, either is possible; a signal that a cancelled thread does not use
 * wakes another waiter. A thread that is cancelled before it waits unlocks its mutex, as in glibc,
 * and is cancelled in any case. */
#include "sched/pthread_internal.h"

/* ---- condition variable ---------------------------------------------------------------------- */
static unsigned wait_alternatives(const struct pv_sched_state *s, const struct pv_prim_call *call,
                                  bool timed, enum pv_alternative_kind *kinds) {
  struct pt_thread t = pt_thread(s, call->thread);
  if (t.stage == PT_NOT_WAITING) return pt_alternative(kinds, PV_ALTERNATIVE_NORMAL);
  bool mutex_free = pt_mutex_free(s, t.mutex);
  if (t.stage != PT_WAITING) return mutex_free ? pt_alternative(kinds, PV_ALTERNATIVE_NORMAL) : 0;
  unsigned n = 0;
  if (timed) kinds[n++] = PV_ALTERNATIVE_TIMEOUT;
  if (mutex_free) kinds[n++] = PV_ALTERNATIVE_SPURIOUS;
  return n;
}

unsigned pt_alternatives_cond_wait(const struct pv_sched_state *s, const struct pv_prim_call *call,
                                   enum pv_alternative_kind *kinds) {
  return wait_alternatives(s, call, false, kinds);
}

unsigned pt_alternatives_cond_timedwait(const struct pv_sched_state *s,
                                        const struct pv_prim_call *call,
                                        enum pv_alternative_kind *kinds) {
  return wait_alternatives(s, call, true, kinds);
}

/* First stage: unlocks the mutex and enqueues the thread. Any misuse leaves everything
 * unchanged. */
static enum pv_prim_outcome wait_begin(struct pt_op *o, struct pt_thread *t) {
  uint64_t cond = o->call->args[0], mutex = o->call->args[1];
  struct pt_object c, m;
  if (!pt_open(o, cond, PT_COND, &c) || !pt_open(o, mutex, PT_MUTEX, &m) || o->message) {
    return pt_done(o, PT_EINVAL);
  }
  if (m.owner != o->self) {
    if (m.sub == PT_ERRORCHECK) return pt_done(o, PT_EPERM);
    return pt_misuse(o, PT_EPERM, "wait with a mutex that the thread does not hold");
  }
  if (m.count > 1) {
    return pt_misuse(o, PT_EINVAL, "wait with a recursive mutex that is locked more than once");
  }
  uint8_t waiters[PV_MAX_THREADS];
  unsigned n = pt_waiters(o->s, cond, waiters);
  if (n > 0 && pt_thread(o->s, waiters[0]).mutex != mutex) {
    return pt_misuse(o, PT_EINVAL, "threads wait at one condition variable with different mutexes");
  }
  m.owner = PT_NOBODY;
  m.count = 0;
  pt_put(o->s, &m);
  t->stage = PT_WAITING;
  t->object = cond;
  t->mutex = mutex;
  pt_set_thread(o->s, o->call->thread, t);
  return PV_PRIM_AGAIN;
}

/* Last stage: the thread locks its mutex. */
static enum pv_prim_outcome wait_end(struct pt_op *o, struct pt_thread *t, uint64_t result) {
  uint64_t mutex = t->mutex;
  struct pt_object m;
  t->stage = PT_NOT_WAITING;
  t->may_leave = 0;
  t->object = t->mutex = 0;
  pt_set_thread(o->s, o->call->thread, t);
  if (!pt_open(o, mutex, PT_MUTEX, &m)) return pt_done(o, PT_EINVAL);
  m.owner = (uint8_t)o->self;
  m.count = 1;
  pt_put(o->s, &m);
  return pt_done(o, result);
}

static bool is_timed(const struct pv_prim_call *call) {
  return call->prim->id == PT_P_cond_timedwait || call->prim->id == PT_P_cond_timedwait_cancel;
}

enum pv_prim_outcome pt_cond_wait(struct pt_op *o) {
  struct pt_thread t = pt_thread(o->s, o->call->thread);
  if (t.stage == PT_NOT_WAITING) return wait_begin(o, &t);
  enum pv_alternative_kind kinds[PV_MAX_THREADS + 2];
  wait_alternatives(o->s, o->call, is_timed(o->call), kinds);
  bool timed_out = t.stage == PT_TIMED_OUT;
  if (t.stage == PT_WAITING && kinds[o->alternative] == PV_ALTERNATIVE_TIMEOUT) {
    timed_out = true;
    if (!pt_mutex_free(o->s, t.mutex)) {
      t.stage = PT_TIMED_OUT;
      pt_set_thread(o->s, o->call->thread, &t);
      return PV_PRIM_AGAIN;
    }
  }
  return wait_end(o, &t, timed_out ? PT_ETIMEDOUT : 0);
}

static void wake(struct pv_sched_state *s, unsigned thread, enum pt_stage stage) {
  struct pt_thread t = pt_thread(s, thread);
  t.stage = (uint8_t)stage;
  pt_set_thread(s, thread, &t);
}

/* By a signal; others: do more threads wait, which are not woken? */
static void wake_by_signal(struct pv_sched_state *s, unsigned thread, bool others) {
  bool last = pt_thread(s, thread).may_leave && !others;
  wake(s, thread, last ? PT_WOKEN_LAST : PT_WOKEN);
}

/* The alternatives of a thread that is not cancelled come first. A thread that was signalled and is
 * cancelled passes the signal on, with one alternative for each other waiter. */
static unsigned wait_cancel_alternatives(const struct pv_sched_state *s,
                                         const struct pv_prim_call *call, bool timed,
                                         enum pv_alternative_kind *kinds) {
  struct pt_thread t = pt_thread(s, call->thread);
  unsigned n = wait_alternatives(s, call, timed, kinds), more = 0;
  bool may_end = t.cancelled && t.stage != PT_NOT_WAITING && pt_mutex_free(s, t.mutex);
  if (may_end && (t.stage == PT_WAITING || t.stage == PT_WOKEN_LAST)) more = 1;
  if (may_end && t.stage == PT_WOKEN) more = pt_waiters(s, t.object, NULL);
  if (may_end && t.stage == PT_WOKEN && !more) more = 1;
  for (; more; more--) kinds[n++] = PV_ALTERNATIVE_NORMAL;
  return n;
}

unsigned pt_alternatives_cond_wait_cancel(const struct pv_sched_state *s,
                                          const struct pv_prim_call *call,
                                          enum pv_alternative_kind *kinds) {
  return wait_cancel_alternatives(s, call, false, kinds);
}

unsigned pt_alternatives_cond_timedwait_cancel(const struct pv_sched_state *s,
                                               const struct pv_prim_call *call,
                                               enum pv_alternative_kind *kinds) {
  return wait_cancel_alternatives(s, call, true, kinds);
}

enum pv_prim_outcome pt_cond_wait_cancel(struct pt_op *o) {
  struct pt_thread t = pt_thread(o->s, o->call->thread);
  if (t.stage == PT_NOT_WAITING) {
    enum pv_prim_outcome outcome = wait_begin(o, &t);
    if (outcome != PV_PRIM_AGAIN) return outcome;
    t.may_leave = 1;
    if (t.cancelled) t.stage = PT_LEAVING;
    pt_set_thread(o->s, o->call->thread, &t);
    return outcome;
  }
  if (t.stage == PT_LEAVING) return wait_end(o, &t, PT_ECANCELED);
  enum pv_alternative_kind kinds[PV_MAX_THREADS + 2];
  unsigned others = wait_alternatives(o->s, o->call, is_timed(o->call), kinds);
  if (o->alternative < others) return pt_cond_wait(o);
  uint8_t waiters[PV_MAX_THREADS];
  unsigned n = t.stage == PT_WOKEN ? pt_waiters(o->s, t.object, waiters) : 0;
  if (o->alternative - others < n) wake_by_signal(o->s, waiters[o->alternative - others], n > 1);
  return wait_end(o, &t, PT_ECANCELED);
}

unsigned pt_alternatives_cond_signal(const struct pv_sched_state *s,
                                     const struct pv_prim_call *call,
                                     enum pv_alternative_kind *kinds) {
  unsigned n = pt_waiters(s, call->args[0], NULL);
  if (n == 0) n = 1;
  for (unsigned i = 0; i < n; i++) kinds[i] = PV_ALTERNATIVE_NORMAL;
  return n;
}

enum pv_prim_outcome pt_cond_signal(struct pt_op *o) {
  struct pt_object c;
  if (!pt_open(o, o->call->args[0], PT_COND, &c)) return pt_done(o, PT_EINVAL);
  uint8_t waiters[PV_MAX_THREADS];
  unsigned n = pt_waiters(o->s, o->call->args[0], waiters);
  if (o->alternative < n) wake_by_signal(o->s, waiters[o->alternative], n > 1);
  return pt_done(o, 0);
}

enum pv_prim_outcome pt_cond_broadcast(struct pt_op *o) {
  struct pt_object c;
  if (!pt_open(o, o->call->args[0], PT_COND, &c)) return pt_done(o, PT_EINVAL);
  uint8_t waiters[PV_MAX_THREADS];
  unsigned n = pt_waiters(o->s, o->call->args[0], waiters);
  for (unsigned i = 0; i < n; i++) wake_by_signal(o->s, waiters[i], false);
  return pt_done(o, 0);
}

enum pv_prim_outcome pt_cond_init(struct pt_op *o) {
  struct pt_object c;
  pt_open_init(o, PT_COND, &c);
  pt_put(o->s, &c);
  return pt_done(o, 0);
}

enum pv_prim_outcome pt_cond_destroy(struct pt_op *o) {
  return pt_destroy(o, PT_COND, pt_waiters(o->s, o->call->args[0], NULL) > 0);
}

/* ---- semaphore ------------------------------------------------------------------------------- */
static bool sem_waits(const struct pv_sched_state *s, uint64_t sem) {
  struct pt_object v;
  return pt_find(s, sem, PT_SEM, 0, &v) && !(v.flags & PT_DESTROYED) && v.count == 0;
}

unsigned pt_alternatives_sem_wait(const struct pv_sched_state *s, const struct pv_prim_call *call,
                                  enum pv_alternative_kind *kinds) {
  return sem_waits(s, call->args[0]) ? 0 : pt_alternative(kinds, PV_ALTERNATIVE_NORMAL);
}

/* As for a join (pthread_thread.c). */
unsigned pt_alternatives_sem_wait_cancel(const struct pv_sched_state *s,
                                         const struct pv_prim_call *call,
                                         enum pv_alternative_kind *kinds) {
  unsigned n = pt_alternatives_sem_wait(s, call, kinds);
  if (pt_is_cancelled(s, call->thread)) kinds[n++] = PV_ALTERNATIVE_NORMAL;
  return n;
}

unsigned pt_alternatives_sem_timedwait(const struct pv_sched_state *s,
                                       const struct pv_prim_call *call,
                                       enum pv_alternative_kind *kinds) {
  return pt_alternative(kinds, sem_waits(s, call->args[0]) ? PV_ALTERNATIVE_TIMEOUT
                                                           : PV_ALTERNATIVE_NORMAL);
}

static enum pv_prim_outcome take_sem(struct pt_op *o, unsigned otherwise) {
  struct pt_object v;
  if (!pt_open(o, o->call->args[0], PT_SEM, &v)) return pt_done(o, PT_EINVAL);
  if (v.count == 0) return pt_done(o, otherwise);
  v.count--;
  pt_put(o->s, &v);
  return pt_done(o, 0);
}

static bool alone(const struct pv_sched_state *s) {
  unsigned alive = 0;
  for (unsigned t = 0; t < pt_threads(s); t++) alive += pt_status(s, t) == PT_ALIVE;
  return alive == 1;
}

/* Two posts, and a post and a wait, count as independent. Which one of them fails at the maximum is
 * covered by a proviso, unless no other thread exists: a wait of another thread may be what
 * prevents the failure of a post. */
static bool is_at_maximum(struct pt_op *o, const struct pt_object *v) {
  if (v->count < PT_SEM_MAX || alone(o->s)) return false;
  o->message = "no semaphore that threads share is posted or waited for at its maximum, "
               "SEM_VALUE_MAX";
  return true;
}

enum pv_prim_outcome pt_sem_wait(struct pt_op *o) {
  struct pt_object v;
  if (!pt_open(o, o->call->args[0], PT_SEM, &v)) return pt_done(o, PT_EINVAL);
  return is_at_maximum(o, &v) ? PV_PRIM_LIMIT : take_sem(o, PT_EINVAL);
}
enum pv_prim_outcome pt_sem_wait_cancel(struct pt_op *o) {
  enum pv_alternative_kind kinds[PV_MAX_THREADS + 2];
  if (o->alternative == pt_alternatives_sem_wait(o->s, o->call, kinds))
    return pt_done(o, PT_ECANCELED);
  return pt_sem_wait(o);
}
enum pv_prim_outcome pt_sem_trywait(struct pt_op *o) {
  return take_sem(o, PT_EAGAIN);
}
enum pv_prim_outcome pt_sem_timedwait(struct pt_op *o) {
  return take_sem(o, PT_ETIMEDOUT);
}

enum pv_prim_outcome pt_sem_post(struct pt_op *o) {
  struct pt_object v;
  if (!pt_open(o, o->call->args[0], PT_SEM, &v)) return pt_done(o, PT_EINVAL);
  if (is_at_maximum(o, &v)) return PV_PRIM_LIMIT;
  if (v.count == PT_SEM_MAX) return pt_done(o, PT_EOVERFLOW);
  v.count++;
  pt_put(o->s, &v);
  return pt_done(o, 0);
}

enum pv_prim_outcome pt_sem_getvalue(struct pt_op *o) {
  struct pt_object v;
  if (!pt_open(o, o->call->args[0], PT_SEM, &v)) return pt_done(o, 0);
  return pt_done(o, v.count);
}

enum pv_prim_outcome pt_sem_init(struct pt_op *o) {
  struct pt_object v;
  if ((uint32_t)o->call->args[1] > PT_SEM_MAX) return pt_done(o, PT_EINVAL);
  pt_open_init(o, PT_SEM, &v);
  v.count = (uint32_t)o->call->args[1];
  pt_put(o->s, &v);
  return pt_done(o, 0);
}

/* Threads blocked in sem_wait need no check: they continue, and then use a destroyed semaphore. */
enum pv_prim_outcome pt_sem_destroy(struct pt_op *o) {
  return pt_destroy(o, PT_SEM, false);
}

/* ---- barrier ---------------------------------------------------------------------------------
 * Which thread is the serial one is not specified; there is an alternative for each, chosen when
 * the last one arrives. */
static bool barrier_full(const struct pv_sched_state *s, uint64_t barrier, unsigned *waiting) {
  struct pt_object b;
  *waiting = pt_waiters(s, barrier, NULL);
  return pt_find(s, barrier, PT_BARRIER, 0, &b) && b.count > 0 && *waiting + 1 >= b.count;
}

unsigned pt_alternatives_barrier_wait(const struct pv_sched_state *s,
                                      const struct pv_prim_call *call,
                                      enum pv_alternative_kind *kinds) {
  struct pt_thread t = pt_thread(s, call->thread);
  if (t.stage == PT_WAITING) return 0;
  unsigned n = 1, waiting;
  if (t.stage == PT_NOT_WAITING && barrier_full(s, call->args[0], &waiting)) n = waiting + 1;
  for (unsigned i = 0; i < n; i++) kinds[i] = PV_ALTERNATIVE_NORMAL;
  return n;
}

enum pv_prim_outcome pt_barrier_wait(struct pt_op *o) {
  const uint64_t serial = 0xffffffffu; /* PTHREAD_BARRIER_SERIAL_THREAD, an int of -1 */
  uint64_t barrier = o->call->args[0];
  struct pt_thread t = pt_thread(o->s, o->call->thread);
  struct pt_object b;
  if (t.stage != PT_NOT_WAITING) {
    bool is_serial = t.stage == PT_SERIAL;
    t.stage = PT_NOT_WAITING;
    t.object = 0;
    pt_set_thread(o->s, o->call->thread, &t);
    return pt_done(o, is_serial ? serial : 0);
  }
  if (!pt_open(o, barrier, PT_BARRIER, &b) || o->message) return pt_done(o, PT_EINVAL);
  uint8_t waiters[PV_MAX_THREADS];
  unsigned n = pt_waiters(o->s, barrier, waiters);
  if (!barrier_full(o->s, barrier, &n)) {
    t.stage = PT_WAITING;
    t.object = barrier;
    pt_set_thread(o->s, o->call->thread, &t);
    return PV_PRIM_AGAIN;
  }
  for (unsigned i = 0; i < n; i++) {
    wake(o->s, waiters[i], o->alternative == i + 1 ? PT_SERIAL : PT_WOKEN);
  }
  return pt_done(o, o->alternative == 0 ? serial : 0);
}

enum pv_prim_outcome pt_barrier_init(struct pt_op *o) {
  struct pt_object b;
  if ((uint32_t)o->call->args[1] == 0) return pt_done(o, PT_EINVAL);
  pt_open_init(o, PT_BARRIER, &b);
  b.count = (uint32_t)o->call->args[1];
  pt_put(o->s, &b);
  return pt_done(o, 0);
}

enum pv_prim_outcome pt_barrier_destroy(struct pt_op *o) {
  return pt_destroy(o, PT_BARRIER, pt_waiters(o->s, o->call->args[0], NULL) > 0);
}

/* ---- once control ---------------------------------------------------------------------------- */
unsigned pt_alternatives_once_enter(const struct pv_sched_state *s, const struct pv_prim_call *call,
                                    enum pv_alternative_kind *kinds) {
  struct pt_object c;
  bool waits = pt_find(s, call->args[0], PT_ONCE, 0, &c) && c.sub == PT_ONCE_RUNNING;
  return waits ? 0 : pt_alternative(kinds, PV_ALTERNATIVE_NORMAL);
}

enum pv_prim_outcome pt_once_enter(struct pt_op *o) {
  struct pt_object c;
  if (!pt_open(o, o->call->args[0], PT_ONCE, &c)) return pt_done(o, 0);
  if (c.sub == PT_ONCE_DONE) return pt_done(o, 0);
  c.sub = PT_ONCE_RUNNING;
  c.owner = (uint8_t)o->self;
  pt_put(o->s, &c);
  return pt_done(o, 1);
}

enum pv_prim_outcome pt_once_leave(struct pt_op *o) {
  struct pt_object c;
  if (!pt_open(o, o->call->args[0], PT_ONCE, &c)) return pt_done(o, PT_EINVAL);
  c.sub = PT_ONCE_DONE;
  c.owner = PT_NOBODY;
  pt_put(o->s, &c);
  return pt_done(o, 0);
}
