/* pthread_test.c -- each primitive's normal, blocking and misuse cases; canonical bytes; and, over
 * random states, that calls said to be independent commute. */
#include "sched/pthread_test.h"

/* ---- threads --------------------------------------------------------------------------------- */
static void test_threads(void **unused) {
  (void)unused;
  struct machine m;
  machine_init(&m, 3);
  uint64_t id = 0;
  assert_true(load(&m, BASE + 0x2f8, 8, &id));
  assert_int_equal(id, 3);
  assert_int_equal(pv_sched_pthread.n_threads(&m.s), 3);
  assert_int_equal(done(&m, 2, "thread_self", 0, 0), 3);
  assert_int_equal(alternatives(&m, 0, "thread_join", 2, BASE + 0x100), 0);
  assert_int_equal(go(&m, 1, "thread_exit", 42, 0), PV_PRIM_EXITED);
  assert_false(pv_sched_pthread.alive(&m.s, 1));
  assert_int_equal(done(&m, 0, "thread_join", 2, BASE + 0x100), 0);
  uint64_t result;
  assert_true(load(&m, BASE + 0x100, 8, &result));
  assert_int_equal(result, 42);
  misuse(&m, 0, "thread_join", 2, 0, "does not exist");
  assert_int_equal(done(&m, 0, "thread_join", 1, 0), 35); /* itself */
  assert_int_equal(done(&m, 0, "thread_create", BASE + 0x2f8, 0), 2);
  assert_int_equal(m.spawned, 1); /* the lowest free slot */
  assert_int_equal(done(&m, 0, "thread_detach", 3, 0), 0);
  misuse(&m, 0, "thread_detach", 3, 0, "detached");
  misuse(&m, 0, "thread_join", 3, 0, "detached");
  assert_int_equal(go(&m, 2, "thread_exit", 0, 0), PV_PRIM_EXITED);
  assert_int_equal(pv_sched_pthread.n_threads(&m.s), 2);
  assert_int_equal(go(&m, 0, "thread_exit", 7, 0), PV_PRIM_EXITED); /* main: others go on */
  assert_int_equal(done(&m, 1, "thread_join", 1, 0), 0);
  assert_int_equal(done(&m, 1, "thread_create", 0, 0), 3); /* its id is stored nowhere */
  assert_int_equal(m.spawned, 2);                          /* slot 0 is main's for ever */
  misuse(&m, 1, "thread_join", 3000, 0, "does not exist");
  misuse(&m, 1, "thread_create", 8, 0, "no memory");
  free(m.s.data);
}

static void test_thread_bound(void **unused) {
  (void)unused;
  struct machine m;
  machine_init(&m, PV_MAX_THREADS);
  assert_int_equal(go(&m, 0, "thread_create", BASE + 0x2f8, 0), PV_PRIM_LIMIT);
  assert_non_null(m.message);
  free(m.s.data);
}

/* ---- mutexes --------------------------------------------------------------------------------- */
static void test_mutex(void **unused) {
  (void)unused;
  struct machine m, before = {0};
  machine_init(&m, 2);
  copy(&before, &m);
  assert_int_equal(done(&m, 0, "mutex_lock", M, 0), 0);
  assert_int_equal(alternatives(&m, 1, "mutex_lock", M, 0), 0);
  assert_int_equal(alternatives(&m, 0, "mutex_lock", M, 0), 0); /* again: blocks for ever */
  assert_int_equal(done(&m, 1, "mutex_trylock", M, 0), 16);
  assert_int_equal(kind(&m, 1, "mutex_timedlock", M, 0), PV_ALTERNATIVE_TIMEOUT);
  assert_int_equal(done(&m, 1, "mutex_timedlock", M, 0), 110);
  misuse(&m, 1, "mutex_destroy", M, 0, "in use");
  assert_int_equal(done(&m, 0, "mutex_unlock", M, 0), 0);
  assert_true(same(&m, &before));
  assert_int_equal(done(&m, 1, "mutex_timedlock", M, 0), 0);
  misuse(&m, 0, "mutex_unlock", M, 0, "another thread");
  misuse(&m, 0, "mutex_unlock", M, 0, "not locked");
  misuse(&m, 0, "mutex_lock", RAW, 0, "never initialised");
  misuse(&m, 0, "mutex_lock", 0, 0, "never initialised");
  misuse(&m, 0, "mutex_init", 8, 0, "no memory");
  free(before.s.data);
  free(m.s.data);
}

static void test_mutex_life(void **unused) {
  (void)unused;
  struct machine m;
  machine_init(&m, 2);
  assert_int_equal(done(&m, 0, "mutex_init", RAW, 0), 0);
  assert_int_equal(done(&m, 0, "mutex_lock", RAW, 0), 0);
  assert_int_equal(done(&m, 0, "mutex_unlock", RAW, 0), 0);
  misuse(&m, 0, "mutex_init", RAW, 0, "initialised already");
  misuse(&m, 0, "cond_signal", RAW, 0, "something else");
  assert_int_equal(done(&m, 0, "mutex_destroy", RAW, 0), 0);
  misuse(&m, 0, "mutex_lock", RAW, 0, "after its destruction");
  misuse(&m, 0, "mutex_destroy", RAW, 0, "after its destruction");
  assert_int_equal(done(&m, 0, "mutex_init", RAW, 0), 0);
  assert_int_equal(done(&m, 0, "mutex_lock", RAW, 0), 0);
  misuse(&m, 0, "mutex_init", RAW, 0, "in use");
  assert_int_equal(done(&m, 0, "mutex_lock", RAW, 0), 0);
  assert_int_equal(go(&m, 0, "thread_exit", 0, 0), PV_PRIM_EXITED); /* holding it: no error */
  assert_int_equal(alternatives(&m, 1, "mutex_lock", RAW, 0), 0);
  misuse(&m, 1, "mutex_unlock", RAW, 0, "another thread");
  free(m.s.data);
}

static void test_mutex_kinds(void **unused) {
  (void)unused;
  struct machine m, before = {0};
  machine_init(&m, 2);
  assert_int_equal(done(&m, 0, "mutex_init", M2, 2), 0);
  assert_int_equal(done(&m, 0, "mutex_unlock", M2, 0), 1);
  assert_int_equal(done(&m, 0, "mutex_lock", M2, 0), 0);
  assert_int_equal(done(&m, 0, "mutex_lock", M2, 0), 35);
  assert_int_equal(done(&m, 0, "mutex_trylock", M2, 0), 16);
  assert_int_equal(done(&m, 1, "mutex_unlock", M2, 0), 1);
  assert_true(store(&m, M + 16, 4, 1)); /* PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP */
  copy(&before, &m);
  assert_int_equal(done(&m, 0, "mutex_lock", M, 0), 0);
  assert_int_equal(done(&m, 0, "mutex_lock", M, 0), 0);
  assert_int_equal(done(&m, 0, "mutex_trylock", M, 0), 0);
  assert_int_equal(done(&m, 1, "mutex_trylock", M, 0), 16);
  assert_int_equal(done(&m, 1, "mutex_unlock", M, 0), 1);
  for (int i = 0; i < 3; i++) {
    assert_int_equal(alternatives(&m, 1, "mutex_lock", M, 0), 0);
    assert_int_equal(done(&m, 0, "mutex_unlock", M, 0), 0);
  }
  assert_true(same(&m, &before));
  free(before.s.data);
  free(m.s.data);
}

static void test_spin(void **unused) {
  (void)unused;
  struct machine m;
  machine_init(&m, 2);
  misuse(&m, 0, "spin_trylock", M2, 0, "never initialised");
  assert_int_equal(done(&m, 0, "spin_init", M, 0), 0);
  assert_int_equal(done(&m, 0, "spin_lock", M, 0), 0);
  assert_int_equal(alternatives(&m, 0, "spin_lock", M, 0), 0);
  assert_int_equal(alternatives(&m, 1, "spin_lock", M, 0), 0);
  assert_int_equal(done(&m, 1, "spin_trylock", M, 0), 16);
  misuse(&m, 0, "spin_destroy", M, 0, "in use");
  assert_int_equal(done(&m, 0, "spin_unlock", M, 0), 0);
  misuse(&m, 0, "spin_unlock", M, 0, "not locked");
  assert_int_equal(done(&m, 1, "spin_trylock", M, 0), 0);
  misuse(&m, 0, "spin_unlock", M, 0, "another thread");
  assert_int_equal(done(&m, 0, "spin_destroy", M, 0), 0);
  misuse(&m, 0, "spin_lock", M, 0, "after its destruction");
  free(m.s.data);
}

static void test_rwlock(void **unused) {
  (void)unused;
  struct machine m, before = {0};
  machine_init(&m, 3);
  copy(&before, &m);
  assert_int_equal(done(&m, 0, "rwlock_rdlock", M, 0), 0);
  assert_int_equal(done(&m, 0, "rwlock_rdlock", M, 0), 0);
  assert_int_equal(done(&m, 1, "rwlock_tryrdlock", M, 0), 0);
  assert_int_equal(alternatives(&m, 2, "rwlock_wrlock", M, 0), 0);
  assert_int_equal(alternatives(&m, 0, "rwlock_wrlock", M, 0), 0);
  assert_int_equal(done(&m, 2, "rwlock_trywrlock", M, 0), 16);
  assert_int_equal(kind(&m, 2, "rwlock_timedwrlock", M, 0), PV_ALTERNATIVE_TIMEOUT);
  assert_int_equal(done(&m, 2, "rwlock_timedwrlock", M, 0), 110);
  misuse(&m, 2, "rwlock_unlock", M, 0, "does not hold");
  misuse(&m, 2, "rwlock_destroy", M, 0, "in use");
  for (int i = 0; i < 2; i++) assert_int_equal(done(&m, 0, "rwlock_unlock", M, 0), 0);
  assert_int_equal(done(&m, 1, "rwlock_unlock", M, 0), 0);
  assert_true(same(&m, &before));
  assert_int_equal(done(&m, 0, "rwlock_wrlock", M, 0), 0);
  assert_int_equal(done(&m, 0, "rwlock_wrlock", M, 0), 35);
  assert_int_equal(done(&m, 0, "rwlock_rdlock", M, 0), 35);
  assert_int_equal(done(&m, 0, "rwlock_tryrdlock", M, 0), 16);
  assert_int_equal(alternatives(&m, 1, "rwlock_rdlock", M, 0), 0);
  assert_int_equal(done(&m, 1, "rwlock_timedrdlock", M, 0), 110);
  assert_int_equal(done(&m, 0, "rwlock_unlock", M, 0), 0);
  assert_true(same(&m, &before));
  assert_int_equal(done(&m, 1, "rwlock_rdlock", M, 0), 0);
  assert_int_equal(go(&m, 1, "thread_exit", 0, 0), PV_PRIM_EXITED);
  assert_int_equal(alternatives(&m, 2, "rwlock_wrlock", M, 0), 0); /* held for ever */
  assert_int_equal(done(&m, 2, "rwlock_rdlock", M, 0), 0);
  misuse(&m, 0, "rwlock_rdlock", RAW, 0, "never initialised");
  free(before.s.data);
  free(m.s.data);
}

/* ---- waiting --------------------------------------------------------------------------------- */
static void start_wait(struct machine *m, unsigned t, const char *name) {
  assert_int_equal(done(m, t, "mutex_lock", M, 0), 0);
  assert_int_equal(go(m, t, name, C, M), PV_PRIM_AGAIN);
}

static void test_cond(void **unused) {
  (void)unused;
  struct machine m, before = {0};
  machine_init(&m, 3);
  copy(&before, &m);
  misuse(&m, 0, "cond_wait", C, M, "does not hold");
  assert_int_equal(done(&m, 0, "cond_signal", C, 0), 0); /* lost */
  start_wait(&m, 0, "cond_wait");
  start_wait(&m, 1, "cond_wait");
  assert_int_equal(alternatives(&m, 0, "cond_wait", C, M), 1);
  assert_int_equal(kind(&m, 0, "cond_wait", C, M), PV_ALTERNATIVE_SPURIOUS);
  misuse(&m, 2, "cond_destroy", C, 0, "in use");
  misuse(&m, 2, "mutex_destroy", M, 0, "in use");
  assert_non_null(pv_sched_pthread.forget(&m.s, C, 48));
  assert_int_equal(done(&m, 2, "mutex_lock", M, 0), 0);
  assert_int_equal(alternatives(&m, 0, "cond_wait", C, M), 0);
  assert_int_equal(alternatives(&m, 2, "cond_signal", C, 0), 2);
  assert_int_equal(take_alternative(&m, 2, "cond_signal", C, 0, 1), PV_PRIM_DONE);
  assert_int_equal(alternatives(&m, 1, "cond_wait", C, M), 0); /* needs the mutex */
  assert_int_equal(done(&m, 2, "mutex_unlock", M, 0), 0);
  assert_int_equal(kind(&m, 1, "cond_wait", C, M), PV_ALTERNATIVE_NORMAL);
  assert_int_equal(kind(&m, 0, "cond_wait", C, M), PV_ALTERNATIVE_SPURIOUS);
  assert_int_equal(done(&m, 1, "cond_wait", C, M), 0);
  assert_int_equal(alternatives(&m, 0, "cond_wait", C, M), 0);
  assert_int_equal(done(&m, 2, "cond_broadcast", C, 0), 0);
  assert_int_equal(done(&m, 1, "mutex_unlock", M, 0), 0);
  assert_int_equal(done(&m, 0, "cond_wait", C, M), 0);
  assert_int_equal(done(&m, 0, "mutex_unlock", M, 0), 0);
  assert_true(same(&m, &before));
  free(before.s.data);
  free(m.s.data);
}

static void test_cond_timed(void **unused) {
  (void)unused;
  struct machine m, before = {0};
  machine_init(&m, 2);
  copy(&before, &m);
  start_wait(&m, 0, "cond_timedwait");
  assert_int_equal(alternatives(&m, 0, "cond_timedwait", C, M), 2);
  assert_int_equal(kind(&m, 0, "cond_timedwait", C, M), PV_ALTERNATIVE_TIMEOUT);
  assert_int_equal(done(&m, 0, "cond_timedwait", C, M), 110);
  assert_int_equal(done(&m, 0, "mutex_unlock", M, 0), 0);
  assert_true(same(&m, &before));
  /* The time-out comes first, then the signal, which is lost. */
  start_wait(&m, 0, "cond_timedwait");
  assert_int_equal(done(&m, 1, "mutex_lock", M, 0), 0);
  assert_int_equal(alternatives(&m, 0, "cond_timedwait", C, M), 1);
  assert_int_equal(go(&m, 0, "cond_timedwait", C, M), PV_PRIM_AGAIN);
  assert_int_equal(alternatives(&m, 0, "cond_timedwait", C, M), 0);
  assert_int_equal(done(&m, 1, "cond_signal", C, 0), 0);
  assert_int_equal(done(&m, 1, "mutex_unlock", M, 0), 0);
  assert_int_equal(done(&m, 0, "cond_timedwait", C, M), 110);
  assert_int_equal(done(&m, 0, "mutex_unlock", M, 0), 0);
  assert_true(same(&m, &before));
  /* Once signalled, no time-out any more. */
  start_wait(&m, 0, "cond_timedwait");
  assert_int_equal(done(&m, 1, "cond_signal", C, 0), 0);
  assert_int_equal(alternatives(&m, 0, "cond_timedwait", C, M), 1);
  assert_int_equal(kind(&m, 0, "cond_timedwait", C, M), PV_ALTERNATIVE_NORMAL);
  /* Destroying the condition after waking everybody is fine; so is the end of its memory then. */
  assert_int_equal(done(&m, 1, "cond_destroy", C, 0), 0);
  struct machine freed = {0};
  copy(&freed, &m);
  assert_null(pv_sched_pthread.forget(&freed.s, C, 48));
  assert_int_equal(done(&m, 0, "cond_timedwait", C, M), 0);
  free(freed.s.data);
  free(before.s.data);
  free(m.s.data);
}

static void test_cond_misuse(void **unused) {
  (void)unused;
  struct machine m;
  machine_init(&m, 2);
  start_wait(&m, 0, "cond_wait");
  assert_int_equal(done(&m, 1, "mutex_lock", M2, 0), 0);
  misuse(&m, 1, "cond_wait", C, M2, "different mutexes");
  assert_int_equal(done(&m, 1, "mutex_unlock", M2, 0), 0);
  assert_int_equal(done(&m, 1, "mutex_init", M2, 1), 0);
  for (int i = 0; i < 2; i++) assert_int_equal(done(&m, 1, "mutex_lock", M2, 0), 0);
  misuse(&m, 1, "cond_wait", C + 0x40, M2, "recursive");
  assert_int_equal(done(&m, 1, "mutex_init", RAW, 2), 0);
  assert_int_equal(done(&m, 1, "cond_wait", C + 0x40, RAW), 1);
  misuse(&m, 1, "cond_wait", RAW + 0x40, RAW, "never initialised");
  misuse(&m, 1, "cond_init", C, 0, "in use");
  free(m.s.data);
}

static void test_sem(void **unused) {
  (void)unused;
  struct machine m;
  machine_init(&m, 2);
  misuse(&m, 0, "sem_wait", M, 0, "never initialised");
  assert_int_equal(done(&m, 0, "sem_init", M, 0x80000000u), 22);
  assert_int_equal(done(&m, 0, "sem_init", M, 1), 0);
  assert_int_equal(done(&m, 0, "sem_wait", M, 0), 0);
  assert_int_equal(alternatives(&m, 1, "sem_wait", M, 0), 0);
  assert_int_equal(done(&m, 1, "sem_trywait", M, 0), 11);
  assert_int_equal(kind(&m, 1, "sem_timedwait", M, 0), PV_ALTERNATIVE_TIMEOUT);
  assert_int_equal(done(&m, 1, "sem_timedwait", M, 0), 110);
  assert_int_equal(done(&m, 1, "sem_post", M, 0), 0);
  assert_int_equal(done(&m, 1, "sem_getvalue", M, 0), 1);
  assert_int_equal(done(&m, 1, "sem_timedwait", M, 0), 0);
  assert_int_equal(done(&m, 1, "sem_destroy", M, 0), 0);
  misuse(&m, 0, "sem_wait", M, 0, "after its destruction"); /* a waiter goes on into misuse */
  assert_int_equal(done(&m, 0, "sem_init", M, 0x7fffffff), 0);
  assert_int_equal(go(&m, 1, "sem_post", M, 0), PV_PRIM_LIMIT); /* main is there, too */
  free(m.s.data);
}

static void test_barrier(void **unused) {
  (void)unused;
  for (unsigned serial = 0; serial < 3; serial++) {
    struct machine m, before = {0};
    machine_init(&m, 3);
    assert_int_equal(done(&m, 0, "barrier_init", M, 0), 22);
    misuse(&m, 0, "barrier_wait", M2, 0, "never initialised");
    assert_int_equal(done(&m, 0, "barrier_init", M, 3), 0);
    copy(&before, &m);
    assert_int_equal(go(&m, 1, "barrier_wait", M, 0), PV_PRIM_AGAIN);
    assert_int_equal(alternatives(&m, 1, "barrier_wait", M, 0), 0);
    misuse(&m, 0, "barrier_destroy", M, 0, "in use");
    assert_int_equal(go(&m, 0, "barrier_wait", M, 0), PV_PRIM_AGAIN);
    assert_int_equal(alternatives(&m, 2, "barrier_wait", M, 0), 3);
    assert_int_equal(take_alternative(&m, 2, "barrier_wait", M, 0, serial), PV_PRIM_DONE);
    assert_int_equal(m.result, serial == 0 ? 0xffffffff : 0);
    assert_int_equal(done(&m, 0, "barrier_wait", M, 0), serial == 1 ? 0xffffffff : 0);
    assert_int_equal(go(&m, 0, "barrier_wait", M, 0), PV_PRIM_AGAIN); /* the next round */
    assert_int_equal(done(&m, 1, "barrier_wait", M, 0), serial == 2 ? 0xffffffff : 0);
    assert_int_equal(alternatives(&m, 0, "barrier_wait", M, 0), 0);
    assert_int_equal(go(&m, 1, "barrier_wait", M, 0), PV_PRIM_AGAIN);
    assert_int_equal(go(&m, 2, "barrier_wait", M, 0), PV_PRIM_DONE);
    assert_int_equal(done(&m, 0, "barrier_wait", M, 0), 0);
    assert_int_equal(done(&m, 1, "barrier_wait", M, 0), 0);
    assert_true(same(&m, &before));
    free(before.s.data);
    free(m.s.data);
  }
}

static void test_once(void **unused) {
  (void)unused;
  struct machine m;
  machine_init(&m, 2);
  assert_int_equal(done(&m, 0, "once_enter", M, 0), 1);
  assert_int_equal(alternatives(&m, 1, "once_enter", M, 0), 0);
  assert_int_equal(alternatives(&m, 0, "once_enter", M, 0), 0);
  assert_int_equal(done(&m, 0, "once_leave", M, 0), 0);
  assert_int_equal(done(&m, 1, "once_enter", M, 0), 0);
  misuse(&m, 1, "once_enter", RAW, 0, "never initialised");
  free(m.s.data);
}

static void test_forget(void **unused) {
  (void)unused;
  struct machine m, before = {0};
  machine_init(&m, 2);
  copy(&before, &m);
  assert_int_equal(done(&m, 0, "mutex_init", M, 0), 0);
  assert_null(pv_sched_pthread.forget(&m.s, M - 8, 8)); /* the byte before */
  assert_int_equal(done(&m, 0, "mutex_lock", M, 0), 0);
  assert_non_null(pv_sched_pthread.forget(&m.s, M - 8, 9));
  assert_true(same(&m, &before));
  assert_int_equal(done(&m, 0, "mutex_init", M, 0), 0);
  assert_null(pv_sched_pthread.forget(&m.s, M, 40));
  assert_true(same(&m, &before));
  assert_int_equal(done(&m, 0, "rwlock_rdlock", M, 0), 0);
  assert_non_null(pv_sched_pthread.forget(&m.s, M, UINT64_MAX - M));
  assert_true(same(&m, &before));
  free(before.s.data);
  free(m.s.data);
}

static void explained(struct machine *m, unsigned t, const char *name, uint64_t a, uint64_t b,
                      const char *text, uint64_t object) {
  struct pv_prim_call c = call(t, name, a, b);
  struct pv_str out = {0};
  uint64_t address = 1;
  pv_sched_pthread.explain_block(&m->s, &c, &out, &address);
  assert_string_equal(pv_str_cstr(&out), text);
  assert_int_equal(address, object);
  pv_str_free(&out);
}

static void test_explain(void **unused) {
  (void)unused;
  struct machine m;
  machine_init(&m, 3);
  explained(&m, 0, "thread_join", 2, 0, "the end of thread 1", 0);
  start_wait(&m, 1, "cond_wait");
  explained(&m, 1, "cond_wait", C, M, "a signal of a condition variable", C);
  assert_int_equal(done(&m, 0, "mutex_lock", M, 0), 0);
  explained(&m, 0, "mutex_lock", M, 0, "a mutex that it holds itself", M);
  explained(&m, 2, "mutex_lock", M, 0, "a mutex held by thread 0", M);
  assert_int_equal(done(&m, 0, "cond_signal", C, 0), 0);
  explained(&m, 1, "cond_wait", C, M, "a mutex held by thread 0", M);
  assert_int_equal(done(&m, 0, "barrier_init", M2, 2), 0);
  assert_int_equal(go(&m, 0, "barrier_wait", M2, 0), PV_PRIM_AGAIN);
  explained(&m, 0, "barrier_wait", M2, 0, "a barrier that 1 of 2 threads have reached", M2);
  assert_int_equal(done(&m, 2, "rwlock_rdlock", RAW - 0x40, 0), 0);
  explained(&m, 2, "rwlock_wrlock", RAW - 0x40, 0,
            "a read-write lock that it holds itself for reading", RAW - 0x40);
  free(m.s.data);
}

/* ---- cancellation ---------------------------------------------------------------------------- */
enum { ECANCELED_HERE = 125 };
static void test_cancel(void **unused) {
  (void)unused;
  struct machine m, before = {0};
  machine_init(&m, 3);
  copy(&before, &m);
  assert_int_equal(done(&m, 1, "thread_is_cancelled", 0, 0), 0);
  assert_int_equal(done(&m, 0, "thread_cancel", 2, 0), 0);
  assert_int_equal(done(&m, 0, "thread_cancel", 2, 0), 0);
  assert_int_equal(done(&m, 1, "thread_is_cancelled", 0, 0), 1);
  assert_int_equal(done(&m, 2, "thread_is_cancelled", 0, 0), 0);
  assert_int_equal(alternatives(&m, 1, "thread_join", 3, 0), 0);
  assert_int_equal(alternatives(&m, 2, "thread_join_cancel", 2, 0), 0);
  assert_int_equal(done(&m, 1, "thread_join_cancel", 3, 0), ECANCELED_HERE);
  assert_int_equal(done(&m, 1, "thread_cancel", 2, 0), 0); /* itself */
  assert_int_equal(go(&m, 1, "thread_exit", 7, 0), PV_PRIM_EXITED);
  copy(&before, &m);
  assert_int_equal(done(&m, 0, "thread_cancel", 2, 0), 0); /* in vain */
  assert_true(same(&m, &before));
  assert_int_equal(done(&m, 0, "thread_cancel", 1, 0), 0);
  assert_int_equal(alternatives(&m, 0, "thread_join_cancel", 2, 0), 2);
  assert_int_equal(done(&m, 0, "thread_join_cancel", 2, 0), 0);
  misuse(&m, 0, "thread_cancel", 2, 0, "does not exist");
  misuse(&m, 0, "thread_cancel", 0, 0, "does not exist");
  assert_int_equal(done(&m, 0, "thread_create", 0, 0), 2);
  assert_int_equal(done(&m, 1, "thread_is_cancelled", 0, 0), 0); /* another thread */
  free(before.s.data);
  free(m.s.data);
}

/* Thread t is inside of a wait for C, with M. */
static void begin_cancel_wait(struct machine *m, unsigned t, const char *name) {
  assert_int_equal(done(m, t, "mutex_lock", M, 0), 0);
  assert_int_equal(go(m, t, name, C, M), PV_PRIM_AGAIN);
}

static void test_cancel_wait(void **unused) {
  (void)unused;
  struct machine m;
  machine_init(&m, 4);
  begin_cancel_wait(&m, 1, "cond_wait_cancel");
  assert_int_equal(alternatives(&m, 1, "cond_wait_cancel", C, M), 1); /* spurious */
  assert_int_equal(done(&m, 0, "thread_cancel", 2, 0), 0);
  assert_int_equal(alternatives(&m, 1, "cond_wait_cancel", C, M), 2);
  assert_int_equal(done(&m, 0, "mutex_lock", M, 0), 0);
  assert_int_equal(alternatives(&m, 1, "cond_wait_cancel", C, M), 0); /* it needs the mutex */
  assert_int_equal(done(&m, 0, "mutex_unlock", M, 0), 0);
  assert_int_equal(take_alternative(&m, 1, "cond_wait_cancel", C, M, 1), PV_PRIM_DONE);
  assert_int_equal(m.result, ECANCELED_HERE);
  assert_int_equal(alternatives(&m, 0, "mutex_lock", M, 0), 0); /* and has it */
  /* Once more, cancelled before it waits: no signal is for it. */
  assert_int_equal(go(&m, 1, "cond_wait_cancel", C, M), PV_PRIM_AGAIN);
  begin_cancel_wait(&m, 2, "cond_wait_cancel");
  assert_int_equal(alternatives(&m, 0, "cond_signal", C, 0), 1);
  assert_int_equal(alternatives(&m, 1, "cond_wait_cancel", C, M), 1);
  assert_int_equal(done(&m, 1, "cond_wait_cancel", C, M), ECANCELED_HERE);
  assert_int_equal(done(&m, 1, "mutex_unlock", M, 0), 0);
  /* Signalled and cancelled: it goes on, or somebody else has the signal. */
  begin_cancel_wait(&m, 3, "cond_timedwait_cancel");
  assert_int_equal(done(&m, 0, "cond_signal", C, 0), 0);
  assert_int_equal(alternatives(&m, 2, "cond_wait_cancel", C, M), 1);
  assert_int_equal(done(&m, 0, "thread_cancel", 3, 0), 0);
  assert_int_equal(alternatives(&m, 2, "cond_wait_cancel", C, M), 2);
  assert_int_equal(take_alternative(&m, 2, "cond_wait_cancel", C, M, 1), PV_PRIM_DONE);
  assert_int_equal(m.result, ECANCELED_HERE);
  assert_int_equal(done(&m, 2, "mutex_unlock", M, 0), 0);
  /* Nobody else waited when 3 was woken: who comes later has nothing of the signal. */
  assert_int_equal(done(&m, 0, "thread_cancel", 4, 0), 0);
  begin_cancel_wait(&m, 1, "cond_wait");
  assert_int_equal(alternatives(&m, 3, "cond_timedwait_cancel", C, M), 2);
  assert_int_equal(kind(&m, 3, "cond_timedwait_cancel", C, M), PV_ALTERNATIVE_NORMAL);
  assert_int_equal(done(&m, 3, "cond_timedwait_cancel", C, M), 0);
  free(m.s.data);
}

static void test_cancel_sem(void **unused) {
  (void)unused;
  struct machine m;
  machine_init(&m, 2);
  assert_int_equal(done(&m, 0, "sem_init", RAW, 0), 0);
  assert_int_equal(alternatives(&m, 1, "sem_wait_cancel", RAW, 0), 0);
  explained(&m, 1, "sem_wait_cancel", RAW, 0, "a semaphore that is 0", RAW);
  assert_int_equal(done(&m, 0, "thread_cancel", 2, 0), 0);
  assert_int_equal(alternatives(&m, 1, "sem_wait", RAW, 0), 0);
  assert_int_equal(done(&m, 1, "sem_wait_cancel", RAW, 0), ECANCELED_HERE);
  assert_int_equal(done(&m, 0, "sem_post", RAW, 0), 0);
  assert_int_equal(alternatives(&m, 1, "sem_wait_cancel", RAW, 0), 2);
  assert_int_equal(take_alternative(&m, 1, "sem_wait_cancel", RAW, 0, 1), PV_PRIM_DONE);
  assert_int_equal(m.result, ECANCELED_HERE);
  assert_int_equal(done(&m, 0, "sem_getvalue", RAW, 0), 1); /* nothing was taken */
  assert_int_equal(done(&m, 1, "sem_wait_cancel", RAW, 0), 0);
  assert_int_equal(done(&m, 0, "sem_getvalue", RAW, 0), 0);
  free(m.s.data);
}

static void test_synchronises(void **unused) {
  (void)unused;
  struct pv_prim_call try = call(0, "mutex_trylock", M, 0), unlock = call(0, "mutex_unlock", M, 0);
  struct pv_prim_call timed = call(0, "cond_timedwait", C, M);
  struct pv_prim_call barrier = call(0, "barrier_wait", M, 0), once = call(0, "once_enter", M, 0);
  assert_true(pv_sched_pthread.synchronises(&try, 0));
  assert_false(pv_sched_pthread.synchronises(&try, 16));
  assert_false(pv_sched_pthread.synchronises(&unlock, 1));
  assert_true(pv_sched_pthread.synchronises(&timed, 110));
  assert_true(pv_sched_pthread.synchronises(&barrier, 0xffffffff));
  assert_true(pv_sched_pthread.synchronises(&once, 1));
  struct pv_prim_call wait = call(0, "cond_wait_cancel", C, M);
  struct pv_prim_call join = call(0, "thread_join_cancel", 2, 0);
  assert_true(pv_sched_pthread.synchronises(&wait, 125)); /* it has its mutex */
  assert_false(pv_sched_pthread.synchronises(&join, 125));
}

static void test_holds(void **unused) {
  (void)unused;
  struct machine m;
  machine_init(&m, 2);
  struct pv_prim_call mine = call(0, "mutex_unlock", M, 0), other = call(1, "mutex_unlock", M, 0);
  struct pv_prim_call post = call(1, "sem_post", M, 0);
  assert_false(pv_sched_pthread.holds(&m.s, &mine));
  assert_int_equal(done(&m, 0, "mutex_lock", M, 0), 0);
  assert_true(pv_sched_pthread.holds(&m.s, &mine));
  assert_false(pv_sched_pthread.holds(&m.s, &other));
  assert_true(pv_sched_pthread.holds(&m.s, &post));
  free(m.s.data);
}

/* ---- independence ---------------------------------------------------------------------------- */
static bool independent(const char *x, uint64_t a, uint64_t b, const char *y, uint64_t c,
                        uint64_t d) {
  struct pv_prim_call first = call(1, x, a, b), second = call(2, y, c, d);
  return pv_sched_pthread.independent(&first, &second);
}

/* What a reduction lives on, and what it must not take. */
static void test_precision(void **unused) {
  (void)unused;
  assert_true(independent("mutex_lock", M, 0, "mutex_lock", M2, 0));
  assert_true(independent("mutex_unlock", M, 0, "cond_wait", C, M2));
  assert_true(independent("rwlock_rdlock", M, 0, "rwlock_rdlock", M, 0));
  assert_true(independent("thread_exit", 0, 0, "thread_exit", 0, 0));
  assert_true(independent("thread_exit", 0, 0, "mutex_lock", M, 0));
  assert_true(independent("thread_join", 4, 0, "thread_exit", 0, 0));
  assert_true(independent("thread_create", BASE + 0x2f8, 0, "mutex_lock", M, 0));
  assert_true(independent("thread_yield", 0, 0, "thread_create", BASE, 0));
  assert_false(independent("mutex_lock", M, 0, "mutex_lock", M, 0));
  assert_false(independent("mutex_unlock", M2, 0, "cond_wait", C, M2));
  assert_false(independent("cond_signal", C, 0, "cond_wait", C, M2));
  assert_false(independent("rwlock_rdlock", M, 0, "rwlock_unlock", M, 0));
  assert_false(independent("thread_join", 3, 0, "thread_exit", 0, 0));
  assert_false(independent("thread_create", BASE, 0, "thread_create", BASE + 8, 0));
  assert_false(independent("thread_create", BASE, 0, "thread_exit", 0, 0));
  assert_false(independent("thread_create", M + 16, 0, "mutex_lock", M, 0));
  assert_true(independent("thread_cancel", 4, 0, "thread_is_cancelled", 0, 0));
  assert_true(independent("thread_cancel", 4, 0, "cond_wait_cancel", C, M));
  assert_true(independent("thread_cancel", 3, 0, "cond_wait", C, M));
  assert_true(independent("thread_is_cancelled", 0, 0, "thread_is_cancelled", 0, 0));
  assert_true(independent("thread_is_cancelled", 0, 0, "thread_create", BASE, 0));
  assert_false(independent("thread_cancel", 3, 0, "thread_is_cancelled", 0, 0));
  assert_false(independent("thread_cancel", 3, 0, "thread_join_cancel", 4, 0));
  assert_false(independent("thread_cancel", 3, 0, "cond_wait_cancel", C, M));
  assert_false(independent("thread_cancel", 3, 0, "sem_wait_cancel", M, 0));
  assert_false(independent("thread_cancel", 3, 0, "thread_exit", 0, 0));
  assert_false(independent("cond_signal", C, 0, "cond_wait_cancel", C, M));
}

/* Executing a leaves b's alternatives as they were. */
static bool keeps_alternatives(const struct machine *m, const struct pv_prim_call *a,
                               unsigned alternative, const struct pv_prim_call *b,
                               struct machine *room) {
  enum pv_alternative_kind before[PV_MAX_THREADS + 2], after[PV_MAX_THREADS + 2];
  copy(room, m);
  unsigned n = alternatives_of(room, b, before);
  run(room, a, alternative);
  return alternatives_of(room, b, after) == n && memcmp(before, after, n * sizeof *before) == 0;
}

static unsigned check_pair(struct walk *w, const struct pv_prim_call *a,
                           const struct pv_prim_call *b, struct machine *x, struct machine *y) {
  bool independent = pv_sched_pthread.independent(a, b);
  assert_int_equal(independent, pv_sched_pthread.independent(b, a));
  if (!independent) return 0;
  unsigned n = alternatives_of(&w->m, a, NULL), k = alternatives_of(&w->m, b, NULL);
  if (n == 0 || k == 0) return 0;
  unsigned i = random_below(n), j = random_below(k);
  bool good = keeps_alternatives(&w->m, a, i, b, x) && keeps_alternatives(&w->m, b, j, a, x);
  if (good) {
    copy(x, &w->m);
    copy(y, &w->m);
    struct outcome a1 = run(x, a, i), b1 = run(x, b, j), b2 = run(y, b, j), a2 = run(y, a, i);
    good = same_outcome(a1, a2) && same_outcome(b1, b2) && same(x, y);
  }
  copy(x, &w->m);
  copy(y, &w->m);
  if (!good && (run(x, a, i).outcome == PV_PRIM_MISUSE || run(x, b, j).outcome == PV_PRIM_MISUSE ||
                run(y, b, j).outcome == PV_PRIM_MISUSE || run(y, a, i).outcome == PV_PRIM_MISUSE))
    return 0; /* an error or a proviso, whatever the order */
  if (!good) fail_msg("%s and %s do not commute", a->prim->name, b->prim->name);
  return 1;
}

static void test_independence(void **unused) {
  (void)unused;
  struct machine x = {0}, y = {0};
  unsigned commuted = 0;
  for (unsigned round = 0; round < 3000; round++) {
    struct walk w = {0};
    seed = round + 1;
    machine_init(&w.m, CAST);
    for (unsigned i = 0; i < 60; i++) {
      step(&w, random_below(pv_sched_pthread.n_threads(&w.m.s)));
      unsigned n = pv_sched_pthread.n_threads(&w.m.s), a = random_below(n), b = random_below(n);
      if (a == b || !pv_sched_pthread.alive(&w.m.s, a) || !pv_sched_pthread.alive(&w.m.s, b)) {
        continue;
      }
      struct pv_prim_call p = w.inside[a] ? w.at[a] : random_call(a);
      struct pv_prim_call q = w.inside[b] ? w.at[b] : random_call(b);
      commuted += check_pair(&w, &p, &q, &x, &y);
    }
    free(w.m.s.data);
  }
  assert_true(commuted > 10000);
  free(x.s.data);
  free(y.s.data);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_threads),     cmocka_unit_test(test_thread_bound),
      cmocka_unit_test(test_mutex),       cmocka_unit_test(test_mutex_life),
      cmocka_unit_test(test_mutex_kinds), cmocka_unit_test(test_spin),
      cmocka_unit_test(test_rwlock),      cmocka_unit_test(test_cond),
      cmocka_unit_test(test_cond_timed),  cmocka_unit_test(test_cond_misuse),
      cmocka_unit_test(test_sem),         cmocka_unit_test(test_barrier),
      cmocka_unit_test(test_once),        cmocka_unit_test(test_forget),
      cmocka_unit_test(test_explain),     cmocka_unit_test(test_synchronises),
      cmocka_unit_test(test_holds),       cmocka_unit_test(test_precision),
      cmocka_unit_test(test_cancel),      cmocka_unit_test(test_cancel_wait),
      cmocka_unit_test(test_cancel_sem),  cmocka_unit_test(test_independence),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
