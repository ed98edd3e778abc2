/* pthread_test.c -- each primitive's normal, blocking and misuse cases; canonical bytes; and, over
 * random states, that calls said to be independent commute. */
#include "sched/sched.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* ---- a little machine ------------------------------------------------------------------------ */
enum { BASE = 0x1000, SIZE = 0x400, STATIC_END = 0x300 };
/* Memory before STATIC_END is static (zero), the rest is uninitialised. */
struct machine {
  struct pv_sched_state s;
  uint8_t bytes[SIZE];
  bool known[SIZE];
  unsigned spawned;
  uint64_t result;
  const char *message;
};

static bool in_memory(uint64_t address, unsigned bytes) {
  return address >= BASE && address + bytes <= BASE + SIZE;
}

static bool load(void *self, uint64_t address, unsigned bytes, uint64_t *value) {
  struct machine *m = self;
  if (!in_memory(address, bytes)) return false;
  *value = 0;
  for (unsigned i = 0; i < bytes; i++) {
    if (!m->known[address - BASE + i]) return false;
    *value |= (uint64_t)m->bytes[address - BASE + i] << 8 * i;
  }
  return true;
}

static bool store(void *self, uint64_t address, unsigned bytes, uint64_t value) {
  struct machine *m = self;
  if (!in_memory(address, bytes)) return false;
  for (unsigned i = 0; i < bytes; i++) {
    m->bytes[address - BASE + i] = (uint8_t)(value >> 8 * i);
    m->known[address - BASE + i] = true;
  }
  return true;
}

static void spawn(void *self, unsigned thread, uint64_t start, uint64_t argument) {
  (void)start, (void)argument;
  ((struct machine *)self)->spawned = thread;
}

static struct pv_sched_env env_of(struct machine *m) {
  return (struct pv_sched_env){m, 64, load, store, spawn};
}

static const struct pv_prim *prim(const char *name) {
  char full[64];
  snprintf(full, sizeof full, "__proviso_%s", name);
  const struct pv_prim *p = pv_sched_find(&pv_sched_pthread, full);
  if (!p) fail_msg("no primitive %s", full);
  return p;
}

static struct pv_prim_call call(unsigned thread, const char *name, uint64_t a, uint64_t b) {
  return (struct pv_prim_call){.thread = thread, .prim = prim(name), .args = {a, b}};
}

static unsigned ways_of(struct machine *m, const struct pv_prim_call *c, enum pv_way_kind *kinds) {
  enum pv_way_kind room[PV_MAX_THREADS + 2];
  return pv_sched_pthread.ways(&m->s, c, kinds ? kinds : room);
}

static enum pv_prim_outcome exec(struct machine *m, const struct pv_prim_call *c, unsigned way) {
  struct pv_sched_env env = env_of(m);
  return pv_sched_pthread.exec(&m->s, &env, c, way, &m->result, &m->message);
}

static unsigned ways(struct machine *m, unsigned t, const char *name, uint64_t a, uint64_t b) {
  struct pv_prim_call c = call(t, name, a, b);
  return ways_of(m, &c, NULL);
}

static enum pv_way_kind kind(struct machine *m, unsigned t, const char *name, uint64_t a,
                             uint64_t b) {
  enum pv_way_kind kinds[PV_MAX_THREADS + 2];
  struct pv_prim_call c = call(t, name, a, b);
  assert_true(ways_of(m, &c, kinds) > 0);
  return kinds[0];
}

static enum pv_prim_outcome go_way(struct machine *m, unsigned t, const char *name, uint64_t a,
                                   uint64_t b, unsigned way) {
  struct pv_prim_call c = call(t, name, a, b);
  assert_true(way < ways_of(m, &c, NULL));
  return exec(m, &c, way);
}

static enum pv_prim_outcome go(struct machine *m, unsigned t, const char *name, uint64_t a,
                               uint64_t b) {
  return go_way(m, t, name, a, b, 0);
}

/* Runs a call that finishes, and gives its result. */
static uint64_t done(struct machine *m, unsigned t, const char *name, uint64_t a, uint64_t b) {
  enum pv_prim_outcome o = go(m, t, name, a, b);
  if (o == PV_PRIM_MISUSE) fail_msg("%s: %s", name, m->message);
  assert_int_equal(o, PV_PRIM_DONE);
  return m->result;
}

static void misuse(struct machine *m, unsigned t, const char *name, uint64_t a, uint64_t b,
                   const char *part) {
  assert_int_equal(go(m, t, name, a, b), PV_PRIM_MISUSE);
  assert_non_null(m->message);
  if (!strstr(m->message, part)) fail_msg("\"%s\" lacks \"%s\"", m->message, part);
}

static void machine_init(struct machine *m, unsigned threads) {
  memset(m, 0, sizeof *m);
  memset(m->known, 1, STATIC_END);
  pv_sched_pthread.init(&m->s);
  for (unsigned i = 1; i < threads; i++) {
    assert_int_equal(done(m, 0, "thread_create", BASE + 0x2f8, 0), 0);
    assert_int_equal(m->spawned, i);
  }
}

static void copy(struct machine *to, const struct machine *from) {
  uint8_t *data = to->s.data;
  uint32_t cap = to->s.cap;
  *to = *from;
  if (cap < from->s.n) data = pv_realloc(data, cap = from->s.n);
  memcpy(data, from->s.data, from->s.n);
  to->s.data = data;
  to->s.cap = cap;
}

static bool same(const struct machine *a, const struct machine *b) {
  return a->s.n == b->s.n && memcmp(a->s.data, b->s.data, a->s.n) == 0 &&
         memcmp(a->bytes, b->bytes, SIZE) == 0 && memcmp(a->known, b->known, SIZE) == 0;
}

enum { M = BASE, M2 = BASE + 0x40, C = BASE + 0x80, RAW = BASE + STATIC_END };

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
  assert_int_equal(ways(&m, 0, "thread_join", 2, BASE + 0x100), 0);
  assert_int_equal(go(&m, 1, "thread_exit", 42, 0), PV_PRIM_EXITED);
  assert_false(pv_sched_pthread.alive(&m.s, 1));
  assert_int_equal(done(&m, 0, "thread_join", 2, BASE + 0x100), 0);
  uint64_t result;
  assert_true(load(&m, BASE + 0x100, 8, &result));
  assert_int_equal(result, 42);
  misuse(&m, 0, "thread_join", 2, 0, "does not exist");
  assert_int_equal(done(&m, 0, "thread_join", 1, 0), 35); /* itself */
  assert_int_equal(done(&m, 0, "thread_create", BASE + 0x2f8, 0), 0);
  assert_int_equal(m.spawned, 1); /* the lowest free slot */
  assert_int_equal(done(&m, 0, "thread_detach", 3, 0), 0);
  misuse(&m, 0, "thread_detach", 3, 0, "detached");
  misuse(&m, 0, "thread_join", 3, 0, "detached");
  assert_int_equal(go(&m, 2, "thread_exit", 0, 0), PV_PRIM_EXITED);
  assert_int_equal(pv_sched_pthread.n_threads(&m.s), 2);
  assert_int_equal(go(&m, 0, "thread_exit", 7, 0), PV_PRIM_EXITED); /* main: others go on */
  assert_int_equal(done(&m, 1, "thread_join", 1, 0), 0);
  assert_int_equal(done(&m, 1, "thread_create", BASE + 0x2f8, 0), 0);
  assert_int_equal(m.spawned, 2); /* slot 0 is main's for ever */
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
  assert_int_equal(ways(&m, 1, "mutex_lock", M, 0), 0);
  assert_int_equal(ways(&m, 0, "mutex_lock", M, 0), 0); /* again: blocks for ever */
  assert_int_equal(done(&m, 1, "mutex_trylock", M, 0), 16);
  assert_int_equal(kind(&m, 1, "mutex_timedlock", M, 0), PV_WAY_TIMEOUT);
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
  assert_int_equal(ways(&m, 1, "mutex_lock", RAW, 0), 0);
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
    assert_int_equal(ways(&m, 1, "mutex_lock", M, 0), 0);
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
  assert_int_equal(ways(&m, 0, "spin_lock", M, 0), 0);
  assert_int_equal(ways(&m, 1, "spin_lock", M, 0), 0);
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
  assert_int_equal(ways(&m, 2, "rwlock_wrlock", M, 0), 0);
  assert_int_equal(ways(&m, 0, "rwlock_wrlock", M, 0), 0);
  assert_int_equal(done(&m, 2, "rwlock_trywrlock", M, 0), 16);
  assert_int_equal(kind(&m, 2, "rwlock_timedwrlock", M, 0), PV_WAY_TIMEOUT);
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
  assert_int_equal(ways(&m, 1, "rwlock_rdlock", M, 0), 0);
  assert_int_equal(done(&m, 1, "rwlock_timedrdlock", M, 0), 110);
  assert_int_equal(done(&m, 0, "rwlock_unlock", M, 0), 0);
  assert_true(same(&m, &before));
  assert_int_equal(done(&m, 1, "rwlock_rdlock", M, 0), 0);
  assert_int_equal(go(&m, 1, "thread_exit", 0, 0), PV_PRIM_EXITED);
  assert_int_equal(ways(&m, 2, "rwlock_wrlock", M, 0), 0); /* held for ever */
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
  assert_int_equal(ways(&m, 0, "cond_wait", C, M), 1);
  assert_int_equal(kind(&m, 0, "cond_wait", C, M), PV_WAY_SPURIOUS);
  misuse(&m, 2, "cond_destroy", C, 0, "in use");
  misuse(&m, 2, "mutex_destroy", M, 0, "in use");
  assert_non_null(pv_sched_pthread.forget(&m.s, C, 48));
  assert_int_equal(done(&m, 2, "mutex_lock", M, 0), 0);
  assert_int_equal(ways(&m, 0, "cond_wait", C, M), 0);
  assert_int_equal(ways(&m, 2, "cond_signal", C, 0), 2);
  assert_int_equal(go_way(&m, 2, "cond_signal", C, 0, 1), PV_PRIM_DONE);
  assert_int_equal(ways(&m, 1, "cond_wait", C, M), 0); /* needs the mutex */
  assert_int_equal(done(&m, 2, "mutex_unlock", M, 0), 0);
  assert_int_equal(kind(&m, 1, "cond_wait", C, M), PV_WAY_NORMAL);
  assert_int_equal(kind(&m, 0, "cond_wait", C, M), PV_WAY_SPURIOUS);
  assert_int_equal(done(&m, 1, "cond_wait", C, M), 0);
  assert_int_equal(ways(&m, 0, "cond_wait", C, M), 0);
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
  assert_int_equal(ways(&m, 0, "cond_timedwait", C, M), 2);
  assert_int_equal(kind(&m, 0, "cond_timedwait", C, M), PV_WAY_TIMEOUT);
  assert_int_equal(done(&m, 0, "cond_timedwait", C, M), 110);
  assert_int_equal(done(&m, 0, "mutex_unlock", M, 0), 0);
  assert_true(same(&m, &before));
  /* The time-out comes first, then the signal, which is lost. */
  start_wait(&m, 0, "cond_timedwait");
  assert_int_equal(done(&m, 1, "mutex_lock", M, 0), 0);
  assert_int_equal(ways(&m, 0, "cond_timedwait", C, M), 1);
  assert_int_equal(go(&m, 0, "cond_timedwait", C, M), PV_PRIM_AGAIN);
  assert_int_equal(ways(&m, 0, "cond_timedwait", C, M), 0);
  assert_int_equal(done(&m, 1, "cond_signal", C, 0), 0);
  assert_int_equal(done(&m, 1, "mutex_unlock", M, 0), 0);
  assert_int_equal(done(&m, 0, "cond_timedwait", C, M), 110);
  assert_int_equal(done(&m, 0, "mutex_unlock", M, 0), 0);
  assert_true(same(&m, &before));
  /* Once signalled, no time-out any more. */
  start_wait(&m, 0, "cond_timedwait");
  assert_int_equal(done(&m, 1, "cond_signal", C, 0), 0);
  assert_int_equal(ways(&m, 0, "cond_timedwait", C, M), 1);
  assert_int_equal(kind(&m, 0, "cond_timedwait", C, M), PV_WAY_NORMAL);
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
  assert_int_equal(ways(&m, 1, "sem_wait", M, 0), 0);
  assert_int_equal(done(&m, 1, "sem_trywait", M, 0), 11);
  assert_int_equal(kind(&m, 1, "sem_timedwait", M, 0), PV_WAY_TIMEOUT);
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
    assert_int_equal(ways(&m, 1, "barrier_wait", M, 0), 0);
    misuse(&m, 0, "barrier_destroy", M, 0, "in use");
    assert_int_equal(go(&m, 0, "barrier_wait", M, 0), PV_PRIM_AGAIN);
    assert_int_equal(ways(&m, 2, "barrier_wait", M, 0), 3);
    assert_int_equal(go_way(&m, 2, "barrier_wait", M, 0, serial), PV_PRIM_DONE);
    assert_int_equal(m.result, serial == 0 ? 0xffffffff : 0);
    assert_int_equal(done(&m, 0, "barrier_wait", M, 0), serial == 1 ? 0xffffffff : 0);
    assert_int_equal(go(&m, 0, "barrier_wait", M, 0), PV_PRIM_AGAIN); /* the next round */
    assert_int_equal(done(&m, 1, "barrier_wait", M, 0), serial == 2 ? 0xffffffff : 0);
    assert_int_equal(ways(&m, 0, "barrier_wait", M, 0), 0);
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
  assert_int_equal(ways(&m, 1, "once_enter", M, 0), 0);
  assert_int_equal(ways(&m, 0, "once_enter", M, 0), 0);
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
}

static uint64_t seed;
static unsigned random_below(unsigned n) {
  seed = seed * 6364136223846793005u + 1442695040888963407u;
  return (unsigned)(seed >> 33) % n;
}

enum { CAST = 4 };

/* A call that the thread could be at; a thread inside a wait stays at its call. */
static struct pv_prim_call random_call(unsigned thread) {
  struct pv_prim_call c = {.thread = thread};
  c.prim = &pv_sched_pthread.prims[random_below(pv_sched_pthread.n_prims)];
  bool creates = c.prim == prim("thread_create");
  if (c.prim->class == PV_PRIM_THREAD && !creates) {
    c.args[0] = 1 + random_below(CAST);
    if (c.prim == prim("thread_join")) c.args[1] = random_below(2) ? BASE + 0x280 : 0;
  } else if (creates) {
    c.args[0] = BASE + 0x2c0 + 8 * random_below(3);
    c.args[3] = random_below(2);
  } else {
    c.args[0] = random_below(20) ? BASE + 0x40 * random_below(3) : RAW;
    c.args[1] = c.prim->two_objects ? BASE + 0x40 * random_below(3) : random_below(3);
  }
  return c;
}

struct walk {
  struct machine m;
  struct pv_prim_call at[PV_MAX_THREADS];
  bool inside[PV_MAX_THREADS]; /* after AGAIN */
};

static void step(struct walk *w, unsigned t) {
  if (!pv_sched_pthread.alive(&w->m.s, t)) return;
  if (!w->inside[t]) w->at[t] = random_call(t);
  unsigned n = ways_of(&w->m, &w->at[t], NULL);
  if (n == 0) {
    w->inside[t] = w->inside[t] || random_below(4) == 0; /* stay blocked, or try another call */
    return;
  }
  if (w->at[t].prim == prim("thread_exit") && random_below(4)) return;
  enum pv_prim_outcome o = exec(&w->m, &w->at[t], random_below(n));
  w->inside[t] = o == PV_PRIM_AGAIN;
  if (w->at[t].prim == prim("thread_create") && o != PV_PRIM_LIMIT) {
    w->inside[w->m.spawned] = false;
  }
}

/* Executes a then b in a copy; false if one of them is blocked at its turn. */
struct outcome {
  enum pv_prim_outcome outcome;
  uint64_t result;
  const char *message;
};

static struct outcome run(struct machine *m, const struct pv_prim_call *c, unsigned way) {
  struct outcome o = {.outcome = exec(m, c, way)};
  o.result = m->result;
  o.message = m->message;
  return o;
}

static bool same_outcome(struct outcome a, struct outcome b) {
  return a.outcome == b.outcome && a.result == b.result && a.message == b.message;
}

/* Executing a leaves b's ways as they were. */
static bool keeps_ways(const struct machine *m, const struct pv_prim_call *a, unsigned way,
                       const struct pv_prim_call *b, struct machine *room) {
  enum pv_way_kind before[PV_MAX_THREADS + 2], after[PV_MAX_THREADS + 2];
  copy(room, m);
  unsigned n = ways_of(room, b, before);
  run(room, a, way);
  return ways_of(room, b, after) == n && memcmp(before, after, n * sizeof *before) == 0;
}

static unsigned check_pair(struct walk *w, const struct pv_prim_call *a,
                           const struct pv_prim_call *b, struct machine *x, struct machine *y) {
  bool independent = pv_sched_pthread.independent(a, b);
  assert_int_equal(independent, pv_sched_pthread.independent(b, a));
  if (!independent) return 0;
  unsigned n = ways_of(&w->m, a, NULL), k = ways_of(&w->m, b, NULL);
  if (n == 0 || k == 0) return 0;
  unsigned i = random_below(n), j = random_below(k);
  bool good = keeps_ways(&w->m, a, i, b, x) && keeps_ways(&w->m, b, j, a, x);
  if (good) {
    copy(x, &w->m);
    copy(y, &w->m);
    struct outcome a1 = run(x, a, i), b1 = run(x, b, j), b2 = run(y, b, j), a2 = run(y, a, i);
    good = same_outcome(a1, a2) && same_outcome(b1, b2) && same(x, y);
  }
  copy(x, &w->m);
  copy(y, &w->m);
  if (!good && (run(x, a, i).outcome == PV_PRIM_MISUSE || run(y, b, j).outcome == PV_PRIM_MISUSE))
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

/* ---- symmetry -------------------------------------------------------------------------------- */
static void test_awaits(void **unused) {
  (void)unused;
  struct machine m;
  unsigned thread;
  machine_init(&m, 4);
  done(&m, 0, "thread_detach", 2, 0);
  assert_int_equal(go(&m, 2, "thread_exit", 0, 0), PV_PRIM_EXITED);
  struct pv_prim_call alive = call(0, "thread_join", 4, 0), ended = call(0, "thread_join", 3, 0),
                      detached = call(0, "thread_join", 2, 0), self = call(0, "thread_join", 1, 0),
                      nobody = call(0, "thread_join", 5, 0), null = call(0, "thread_join", 0, 0),
                      wants = call(0, "thread_join", 4, BASE),
                      other = call(0, "thread_detach", 4, 0);
  assert_true(pv_sched_pthread.awaits(&m.s, &alive, &thread));
  assert_int_equal(thread, 3);
  assert_true(pv_sched_pthread.awaits(&m.s, &ended, &thread));
  assert_int_equal(thread, 2);
  const struct pv_prim_call *no[] = {&detached, &self, &nobody, &null, &wants, &other};
  for (unsigned i = 0; i < sizeof no / sizeof *no; i++)
    assert_false(pv_sched_pthread.awaits(&m.s, no[i], &thread));
  assert_int_equal(pv_sched_pthread.used_set(&m.s), 15);
  done(&m, 0, "thread_join", 3, 0);
  assert_int_equal(pv_sched_pthread.used_set(&m.s), 11);
  free(m.s.data);
}

/* A thread that was joined leaves nothing, and the last numbers fall away. */
static void test_permute_drops(void **unused) {
  (void)unused;
  struct machine m, n;
  struct pv_sched_state out = {0};
  machine_init(&m, 4);
  machine_init(&n, 4);
  assert_int_equal(go(&m, 3, "thread_exit", 7, 0), PV_PRIM_EXITED);
  assert_int_equal(go(&n, 1, "thread_exit", 9, 0), PV_PRIM_EXITED);
  done(&m, 2, "mutex_lock", M, 0);
  done(&n, 3, "mutex_lock", M, 0);
  const uint8_t to_m[] = {0, 1, 2, PV_SCHED_DROP}, to_n[] = {0, PV_SCHED_DROP, 1, 2};
  pv_sched_pthread.permute(&m.s, to_m, &out);
  done(&m, 0, "thread_join", 4, 0);
  assert_int_equal(out.n, m.s.n);
  assert_memory_equal(out.data, m.s.data, out.n);
  pv_sched_pthread.permute(&n.s, to_n, &out);
  assert_memory_equal(out.data, m.s.data, out.n);
  free(out.data);
  free(m.s.data);
  free(n.s.data);
}

static void shuffle(uint8_t *to) {
  for (unsigned t = 0; t < PV_MAX_THREADS; t++) to[t] = (uint8_t)t;
  for (unsigned t = CAST; t > 2; t--) { /* 0 stays */
    unsigned other = 1 + random_below(t - 1);
    uint8_t was = to[t - 1];
    to[t - 1] = to[other];
    to[other] = was;
  }
}

static struct pv_prim_call renamed(const struct pv_prim_call *c, const uint8_t *to) {
  struct pv_prim_call r = *c;
  r.thread = to[c->thread];
  if (c->prim->class == PV_PRIM_THREAD && c->prim != prim("thread_exit"))
    r.args[0] = to[c->args[0] - 1] + 1u;
  return r;
}

/* Is `renamed` after some way what `m`, permuted, was after the way? */
static bool has_image(const struct machine *before, const struct pv_prim_call *c,
                      const struct machine *after, struct outcome outcome, struct machine *room) {
  copy(room, before);
  unsigned n = ways_of(room, c, NULL);
  for (unsigned i = 0; i < n; i++) {
    copy(room, before);
    struct outcome o = run(room, c, i);
    if (same_outcome(o, outcome) && same(room, after)) return true;
  }
  return false;
}

/* What a thread does in a state, its image does in the permuted state, and the results are images.
 */
static unsigned check_image(struct walk *w, const struct pv_prim_call *c, struct machine *rooms) {
  struct machine *image = &rooms[0], *after = &rooms[1], *after_image = &rooms[2];
  uint8_t to[PV_MAX_THREADS];
  shuffle(to);
  struct pv_prim_call d = renamed(c, to);
  unsigned n = ways_of(&w->m, c, NULL), a, b;
  copy(image, &w->m);
  pv_sched_pthread.permute(&w->m.s, to, &image->s);
  assert_int_equal(ways_of(image, &d, NULL), n);
  bool awaits = pv_sched_pthread.awaits(&w->m.s, c, &a);
  assert_int_equal(pv_sched_pthread.awaits(&image->s, &d, &b), awaits);
  if (awaits) assert_int_equal(to[a], b);
  for (unsigned t = 0; t < CAST; t++)
    assert_true(pv_sched_pthread.part(&w->m.s, t) == pv_sched_pthread.part(&image->s, to[t]));
  for (unsigned way = 0; way < n; way++) {
    copy(after, &w->m);
    struct outcome o = run(after, c, way);
    copy(after_image, after);
    pv_sched_pthread.permute(&after->s, to, &after_image->s);
    if (!has_image(image, &d, after_image, o, &rooms[3])) fail_msg("%s", c->prim->name);
  }
  return n;
}

static void test_permutation(void **unused) {
  (void)unused;
  struct machine rooms[4];
  memset(rooms, 0, sizeof rooms);
  unsigned images = 0;
  for (unsigned round = 0; round < 1000; round++) {
    struct walk w = {0};
    seed = round + 1;
    machine_init(&w.m, CAST);
    for (unsigned i = 0; i < 60; i++) {
      step(&w, random_below(pv_sched_pthread.n_threads(&w.m.s)));
      unsigned a = random_below(pv_sched_pthread.n_threads(&w.m.s));
      if (!pv_sched_pthread.alive(&w.m.s, a) || pv_sched_pthread.n_threads(&w.m.s) > CAST) continue;
      struct pv_prim_call c = w.inside[a] ? w.at[a] : random_call(a);
      bool by_number = c.prim == prim("thread_create") || c.prim == prim("thread_self");
      if (!by_number) images += check_image(&w, &c, rooms);
    }
    free(w.m.s.data);
  }
  assert_true(images > 10000);
  for (unsigned i = 0; i < 4; i++) free(rooms[i].s.data);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_threads),       cmocka_unit_test(test_thread_bound),
      cmocka_unit_test(test_mutex),         cmocka_unit_test(test_mutex_life),
      cmocka_unit_test(test_mutex_kinds),   cmocka_unit_test(test_spin),
      cmocka_unit_test(test_rwlock),        cmocka_unit_test(test_cond),
      cmocka_unit_test(test_cond_timed),    cmocka_unit_test(test_cond_misuse),
      cmocka_unit_test(test_sem),           cmocka_unit_test(test_barrier),
      cmocka_unit_test(test_once),          cmocka_unit_test(test_forget),
      cmocka_unit_test(test_explain),       cmocka_unit_test(test_synchronises),
      cmocka_unit_test(test_holds),         cmocka_unit_test(test_precision),
      cmocka_unit_test(test_independence),  cmocka_unit_test(test_awaits),
      cmocka_unit_test(test_permute_drops), cmocka_unit_test(test_permutation),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
