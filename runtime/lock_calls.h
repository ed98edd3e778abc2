/* lock_calls.h -- locks, and what threads wait for. */

#define LOCKS(NAME, TYPE, OP)                                                                      \
  int proviso_##NAME(TYPE *m) {                                                                    \
    struct thread *t = me();                                                                       \
    enter(t, #NAME);                                                                               \
    int rc = NAME(m);                                                                              \
    leave(t);                                                                                      \
    if (!rc) put_ordered(t, OP, (uintptr_t)m);                                                     \
    return rc;                                                                                     \
  }
#define UNLOCKS(NAME, TYPE, OP)                                                                    \
  int proviso_##NAME(TYPE *m) {                                                                    \
    put_ordered(me(), OP, (uintptr_t)m);                                                           \
    return NAME(m);                                                                                \
  }
LOCKS(pthread_mutex_lock, pthread_mutex_t, PV_TRACE_LOCK)
LOCKS(pthread_mutex_trylock, pthread_mutex_t, PV_TRACE_LOCK)
UNLOCKS(pthread_mutex_unlock, pthread_mutex_t, PV_TRACE_UNLOCK)
LOCKS(pthread_spin_lock, pthread_spinlock_t, PV_TRACE_LOCK)
LOCKS(pthread_spin_trylock, pthread_spinlock_t, PV_TRACE_LOCK)
UNLOCKS(pthread_spin_unlock, pthread_spinlock_t, PV_TRACE_UNLOCK)
LOCKS(pthread_rwlock_rdlock, pthread_rwlock_t, PV_TRACE_LOCK_SHARED)
LOCKS(pthread_rwlock_tryrdlock, pthread_rwlock_t, PV_TRACE_LOCK_SHARED)
LOCKS(pthread_rwlock_wrlock, pthread_rwlock_t, PV_TRACE_LOCK)
LOCKS(pthread_rwlock_trywrlock, pthread_rwlock_t, PV_TRACE_LOCK)
UNLOCKS(pthread_rwlock_unlock, pthread_rwlock_t, PV_TRACE_UNLOCK)
LOCKS(sem_wait, sem_t, PV_TRACE_ACQUIRE)
LOCKS(sem_trywait, sem_t, PV_TRACE_ACQUIRE)
UNLOCKS(sem_post, sem_t, PV_TRACE_RELEASE)
UNLOCKS(pthread_cond_signal, pthread_cond_t, PV_TRACE_RELEASE)
UNLOCKS(pthread_cond_broadcast, pthread_cond_t, PV_TRACE_RELEASE)
LOCKS(mtx_lock, mtx_t, PV_TRACE_LOCK)
LOCKS(mtx_trylock, mtx_t, PV_TRACE_LOCK)
UNLOCKS(mtx_unlock, mtx_t, PV_TRACE_UNLOCK)
UNLOCKS(cnd_signal, cnd_t, PV_TRACE_RELEASE)
UNLOCKS(cnd_broadcast, cnd_t, PV_TRACE_RELEASE)

#define TIMED_LOCKS(NAME, TYPE, OP, TIMES_OUT)                                                     \
  int proviso_##NAME(TYPE *m, const struct timespec *until) {                                      \
    struct thread *t = me();                                                                       \
    if (imposed && t->times_out) return TIMES_OUT;                                                 \
    enter(t, #NAME);                                                                               \
    int rc = NAME(m, until);                                                                       \
    leave(t);                                                                                      \
    if (!rc) put_ordered(t, OP, (uintptr_t)m);                                                     \
    return rc;                                                                                     \
  }
TIMED_LOCKS(pthread_mutex_timedlock, pthread_mutex_t, PV_TRACE_LOCK, ETIMEDOUT)
TIMED_LOCKS(pthread_rwlock_timedrdlock, pthread_rwlock_t, PV_TRACE_LOCK_SHARED, ETIMEDOUT)
TIMED_LOCKS(pthread_rwlock_timedwrlock, pthread_rwlock_t, PV_TRACE_LOCK, ETIMEDOUT)
TIMED_LOCKS(mtx_timedlock, mtx_t, PV_TRACE_LOCK, thrd_timedout)

int proviso_sem_timedwait(sem_t *s, const struct timespec *until) {
  struct thread *t = me();
  if (imposed && t->times_out) {
    errno = ETIMEDOUT;
    return -1;
  }
  enter(t, "sem_timedwait");
  int rc = sem_timedwait(s, until);
  leave(t);
  if (!rc) put_ordered(t, PV_TRACE_ACQUIRE, (uintptr_t)s);
  return rc;
}

/* A wait of the schedule: the mutex is released, other threads have their turns, and it is acquired
 * again. If the path ends before, the thread waits as the program does. */
static int wait_on(pthread_cond_t *c, pthread_mutex_t *m, const struct timespec *until) {
  struct thread *t = me();
  bool for_ever, times_out = imposed && t->times_out;
  int rc = 0;
  put_ordered(t, PV_TRACE_UNLOCK, (uintptr_t)m);
  if (goes_on(t, &for_ever)) {
    pthread_mutex_unlock(m);
    bool last = false;
    while (!last && goes_on(t, &for_ever)) {
      last = for_ever;
      wait_for(t, t->next);
      times_out |= t->times_out;
    }
    enter(t, "pthread_cond_wait");
    pthread_mutex_lock(m);
    if (last) rc = until ? pthread_cond_timedwait(c, m, until) : pthread_cond_wait(c, m);
    leave(t);
    if (!last && times_out && until) rc = ETIMEDOUT;
  } else {
    enter(t, "pthread_cond_wait");
    rc = until ? pthread_cond_timedwait(c, m, until) : pthread_cond_wait(c, m);
    leave(t);
  }
  put_ordered(t, PV_TRACE_LOCK, (uintptr_t)m);
  put_ordered(t, PV_TRACE_ACQUIRE, (uintptr_t)c);
  return rc;
}
int proviso_pthread_cond_wait(pthread_cond_t *c, pthread_mutex_t *m) {
  return wait_on(c, m, NULL);
}
int proviso_pthread_cond_timedwait(pthread_cond_t *c, pthread_mutex_t *m,
                                   const struct timespec *until) {
  return wait_on(c, m, until);
}
int proviso_cnd_wait(cnd_t *c, mtx_t *m) {
  return wait_on((pthread_cond_t *)c, (pthread_mutex_t *)m, NULL) ? thrd_error : thrd_success;
}

int proviso_pthread_barrier_wait(pthread_barrier_t *b) {
  struct thread *t = me();
  bool for_ever, goes = goes_on(t, &for_ever);
  uint32_t again = t->next;
  put_ordered(t, PV_TRACE_RELEASE, (uintptr_t)b);
  if (goes) pass_on(t);
  enter(t, "pthread_barrier_wait");
  if (goes && for_ever) t->at_last = true;
  int rc = pthread_barrier_wait(b);
  leave(t);
  if (goes) wait_for(t, again);
  put_ordered(t, PV_TRACE_ACQUIRE, (uintptr_t)b);
  return rc;
}

static __thread void (*initialise)(void);
static __thread pthread_once_t *once_of;
static void run_once(void) {
  pthread_once_t *once = once_of;
  initialise();
  put_ordered(me(), PV_TRACE_RELEASE, (uintptr_t)once);
}
int proviso_pthread_once(pthread_once_t *once, void (*run)(void)) {
  struct thread *t = me();
  bool for_ever;
  initialise = run;
  once_of = once;
  int rc = pthread_once(once, run_once);
  if (goes_on(t, &for_ever)) wait_for(t, t->next);
  put_ordered(t, PV_TRACE_ACQUIRE, (uintptr_t)once);
  return rc;
}
