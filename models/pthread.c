/* pthread.c -- pthread.h over the scheduler's primitives (intrinsics.h).
 *
 * The functions that are a primitive under another name are mapped by the frontend; they stand here
 * for programs that take their address. Objects have glibc's sizes in both data models; what a
 * program may only fill by an init function (attributes) has a layout of ours inside them.
 * Cancellation is in cancel.c. */
#include "model.h"

typedef void *(*start_routine)(void *);

/* sys/single_threaded.h: whether the process is known to have one thread. glibc may leave it false
 * at any time; libstdc++'s std::shared_ptr then counts with atomic operations. */
const char __libc_single_threaded = 0;

/* ---- attributes ---- */

struct pthread_attr { /* 56 and 36 bytes */
  int detached, scope, inherit, policy, priority, unused;
  size_t stack_size, guard_size;
};
struct mutex_attr { /* 4 bytes */
  uint8_t kind, shared, protocol, ceiling;
};
struct cond_attr { /* 4 bytes */
  uint16_t clock, shared;
};
struct rwlock_attr { /* 8 bytes */
  int shared, kind;
};
_Static_assert(sizeof(struct pthread_attr) <= (sizeof(void *) == 8 ? 56 : 36), "pthread_attr_t");

enum { MIN_STACK = 16384 };

int pthread_attr_init(struct pthread_attr *a) {
  *a = (struct pthread_attr){.stack_size = 8u << 20, .guard_size = 4096};
  return 0;
}
int pthread_attr_destroy(struct pthread_attr *a) {
  (void)a;
  return 0;
}
#define NUMBER_ATTRIBUTE(TYPE, PREFIX, NAME, FIELD, MAX)                                           \
  int PREFIX##_set##NAME(struct TYPE *a, int value) {                                              \
    if (value < 0 || value > (MAX)) return EINVAL;                                                 \
    a->FIELD = (__typeof__(a->FIELD))value;                                                        \
    return 0;                                                                                      \
  }                                                                                                \
  int PREFIX##_get##NAME(const struct TYPE *restrict a, int *restrict value) {                     \
    *value = (int)a->FIELD;                                                                        \
    return 0;                                                                                      \
  }
NUMBER_ATTRIBUTE(pthread_attr, pthread_attr, detachstate, detached, 1)
NUMBER_ATTRIBUTE(pthread_attr, pthread_attr, inheritsched, inherit, 1)
NUMBER_ATTRIBUTE(pthread_attr, pthread_attr, schedpolicy, policy, 2)
NUMBER_ATTRIBUTE(mutex_attr, pthread_mutexattr, type, kind, 3)
NUMBER_ATTRIBUTE(mutex_attr, pthread_mutexattr, pshared, shared, 1)
NUMBER_ATTRIBUTE(mutex_attr, pthread_mutexattr, protocol, protocol, 2)
NUMBER_ATTRIBUTE(mutex_attr, pthread_mutexattr, prioceiling, ceiling, 99)
NUMBER_ATTRIBUTE(cond_attr, pthread_condattr, clock, clock, 1)
NUMBER_ATTRIBUTE(cond_attr, pthread_condattr, pshared, shared, 1)
NUMBER_ATTRIBUTE(rwlock_attr, pthread_rwlockattr, pshared, shared, 1)
NUMBER_ATTRIBUTE(rwlock_attr, pthread_barrierattr, pshared, shared, 1)

int pthread_attr_setscope(struct pthread_attr *a, int scope) {
  if (scope == 1) return ENOTSUP; /* PTHREAD_SCOPE_PROCESS */
  if (scope != 0) return EINVAL;
  a->scope = scope;
  return 0;
}
int pthread_attr_getscope(const struct pthread_attr *restrict a, int *restrict scope) {
  *scope = a->scope;
  return 0;
}
int pthread_attr_setschedparam(struct pthread_attr *restrict a, const int *restrict priority) {
  a->priority = *priority;
  return 0;
}
int pthread_attr_getschedparam(const struct pthread_attr *restrict a, int *restrict priority) {
  *priority = a->priority;
  return 0;
}
int pthread_attr_setstacksize(struct pthread_attr *a, size_t size) {
  if (size < MIN_STACK) return EINVAL;
  a->stack_size = size;
  return 0;
}
int pthread_attr_getstacksize(const struct pthread_attr *restrict a, size_t *restrict size) {
  *size = a->stack_size;
  return 0;
}
int pthread_attr_setstack(struct pthread_attr *a, void *stack, size_t size) {
  (void)stack; /* stacks are not memory of the program here */
  if (size < MIN_STACK) return EINVAL;
  a->stack_size = size;
  return 0;
}
int pthread_attr_setguardsize(struct pthread_attr *a, size_t size) {
  a->guard_size = size;
  return 0;
}
int pthread_attr_getguardsize(const struct pthread_attr *restrict a, size_t *restrict size) {
  *size = a->guard_size;
  return 0;
}
int pthread_attr_setaffinity_np(struct pthread_attr *a, size_t size, const void *set) {
  (void)a, (void)size, (void)set;
  return 0;
}

int pthread_mutexattr_init(struct mutex_attr *a) {
  *a = (struct mutex_attr){0};
  return 0;
}
int pthread_mutexattr_destroy(struct mutex_attr *a) {
  (void)a;
  return 0;
}
int pthread_mutexattr_setkind_np(struct mutex_attr *a, int kind) {
  if (kind < 0 || kind > 3) return EINVAL;
  a->kind = (uint8_t)kind;
  return 0;
}
int pthread_mutexattr_setrobust(struct mutex_attr *a, int robust) {
  (void)a;
  if (robust == 1) __proviso_unsupported("robust mutexes");
  return robust == 0 ? 0 : EINVAL;
}
int pthread_mutexattr_getrobust(const struct mutex_attr *a, int *robust) {
  (void)a;
  *robust = 0;
  return 0;
}
int pthread_condattr_init(struct cond_attr *a) {
  *a = (struct cond_attr){0};
  return 0;
}
int pthread_condattr_destroy(struct cond_attr *a) {
  (void)a;
  return 0;
}
int pthread_rwlockattr_init(struct rwlock_attr *a) {
  *a = (struct rwlock_attr){0};
  return 0;
}
int pthread_rwlockattr_destroy(struct rwlock_attr *a) {
  (void)a;
  return 0;
}
int pthread_rwlockattr_setkind_np(struct rwlock_attr *a, int kind) {
  if (kind < 0 || kind > 2) return EINVAL;
  if (kind == 2) __proviso_unsupported("PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP");
  a->kind = kind;
  return 0;
}
int pthread_rwlockattr_getkind_np(const struct rwlock_attr *restrict a, int *restrict kind) {
  *kind = a->kind;
  return 0;
}
int pthread_barrierattr_init(int *a) {
  *a = 0;
  return 0;
}
int pthread_barrierattr_destroy(int *a) {
  (void)a;
  return 0;
}

/* ---- keys ---- */

/* glibc has 1024 keys. A number is never reused, so old values of a deleted key cannot appear under
 * a new key. */
enum { MAX_KEYS = 32, DESTRUCTOR_ROUNDS = 4 };
enum key_state { KEY_UNUSED, KEY_LIVE, KEY_DELETED };
static struct key {
  enum key_state state;
  void (*destructor)(void *);
} keys[MAX_KEYS];
static unsigned n_keys;
static _Thread_local void *key_values[MAX_KEYS];
static _Thread_local unsigned n_key_values; /* a bound on the keys whose value may be set */

/* Written inside of an atomic section but read outside: an atomic section depends on all operations
 * of others, a read only on writes of the same key. */
static void set_key(unsigned k, enum key_state state, void (*destructor)(void *)) {
  __atomic_store_n(&keys[k].state, state, __ATOMIC_SEQ_CST);
  __atomic_store_n(&keys[k].destructor, destructor, __ATOMIC_SEQ_CST);
}

int __proviso_key_create(unsigned *key, void (*destructor)(void *)) {
  __proviso_atomic_begin();
  if (n_keys == MAX_KEYS) __proviso_unsupported("more than 32 thread-specific keys");
  unsigned k = n_keys++;
  set_key(k, KEY_LIVE, destructor);
  __proviso_atomic_end();
  *key = k;
  return 0;
}
int __proviso_key_delete(unsigned key) {
  __proviso_atomic_begin();
  bool live = key < MAX_KEYS && keys[key].state == KEY_LIVE;
  if (live) set_key(key, KEY_DELETED, NULL);
  __proviso_atomic_end();
  return live ? 0 : EINVAL;
}
static bool is_live(unsigned key) {
  return key < MAX_KEYS && __atomic_load_n(&keys[key].state, __ATOMIC_SEQ_CST) == KEY_LIVE;
}
void *__proviso_key_get(unsigned key) {
  bool valid = key < MAX_KEYS;
  __proviso_check(valid, "pthread_getspecific of a key that was not created");
  return valid ? key_values[key] : NULL;
}
int __proviso_key_set(unsigned key, const void *value) {
  if (!is_live(key)) return EINVAL;
  key_values[key] = (void *)value;
  if (key >= n_key_values) n_key_values = key + 1;
  return 0;
}

int pthread_key_create(unsigned *key, void (*destructor)(void *)) {
  return __proviso_key_create(key, destructor);
}
int pthread_key_delete(unsigned key) {
  return __proviso_key_delete(key);
}
void *pthread_getspecific(unsigned key) {
  return __proviso_key_get(key);
}
int pthread_setspecific(unsigned key, const void *value) {
  return __proviso_key_set(key, value);
}

typedef void (*destructor)(void *);

/* The n-th key that has a value and a destructor. */
static unsigned nth_key(const destructor *of, int n) {
  unsigned k = 0;
  while (!of[k] || !key_values[k] || n-- > 0) k++;
  return k;
}
/* In each round every value with a destructor is passed to it, in any order. */
static bool run_key_round(void) {
  destructor of[MAX_KEYS] = {NULL};
  int left = 0, ran = 0;
  for (unsigned k = 0; k < n_key_values; k++)
    if (key_values[k]) of[k] = __atomic_load_n(&keys[k].destructor, __ATOMIC_SEQ_CST);
  do {
    left = 0;
    for (unsigned k = 0; k < n_key_values; k++) left += of[k] && key_values[k];
    if (left == 0) break;
    unsigned k = nth_key(of, left > 1 ? __proviso_choose(0, left - 1) : 0);
    void *value = key_values[k];
    destructor run = of[k];
    of[k] = NULL;
    key_values[k] = NULL;
    run(value);
    ran++;
  } while (left > 1);
  return ran > 0;
}
static void run_key_destructors(void) {
  for (int round = 0; round < DESTRUCTOR_ROUNDS; round++)
    if (!run_key_round()) return;
}

void __proviso_run_key_destructors(void) {
  if (n_key_values > 0) run_key_destructors();
}

/* ---- threads ---- */

static _Noreturn void finish(void *result) {
  if (__proviso_has_cancel) __proviso_ends();
  __proviso_run_thread_exits();
  __proviso_run_key_destructors();
  __proviso_thread_exit(result);
}
/* A new thread inherits the signal mask of its creator. */
enum { MAX_THREADS = 65 };
static uint64_t masks[MAX_THREADS];
static int create_with_mask(uintptr_t *thread, const struct pthread_attr *attr, start_routine start,
                            void *argument) {
  __proviso_atomic_begin();
  uintptr_t id = __proviso_thread_create(NULL, start, argument, attr ? attr->detached : 0);
  if (id < MAX_THREADS) __atomic_store_n(&masks[id], __proviso_signal_mask(), __ATOMIC_SEQ_CST);
  __proviso_atomic_end();
  if (id == PV_NO_THREAD) return EAGAIN;
  *thread = id;
  return 0;
}
/* The bottom frame of every thread but the first. */
_Noreturn void __proviso_thread_main(start_routine start, void *argument);
_Noreturn void __proviso_thread_main(start_routine start, void *argument) {
  if (__atomic_load_n(&__proviso_masks_change, __ATOMIC_SEQ_CST)) {
    uintptr_t self = __proviso_thread_self();
    if (self < MAX_THREADS)
      __proviso_set_signal_mask(__atomic_load_n(&masks[self], __ATOMIC_SEQ_CST));
  }
  finish(start(argument));
}
_Noreturn void __proviso_leave(void *result) {
  if (__proviso_thread_self() == PV_FIRST_THREAD) __proviso_main_leaves();
  finish(result);
}
_Noreturn void pthread_exit(void *result) {
  if (__proviso_has_destructors) __proviso_unsupported("pthread_exit in C++");
  if (__proviso_has_cancel) __proviso_unwind(result);
  if (__proviso_has_cleanup) __proviso_unwind(result);
  __proviso_leave(result);
}
int pthread_create(uintptr_t *restrict thread, const struct pthread_attr *restrict attr,
                   start_routine start, void *restrict argument) {
  if (__atomic_load_n(&__proviso_masks_change, __ATOMIC_SEQ_CST))
    return create_with_mask(thread, attr, start, argument);
  uintptr_t id = __proviso_thread_create(NULL, start, argument, attr ? attr->detached : 0);
  if (id == PV_NO_THREAD) return EAGAIN;
  *thread = id; /* POSIX does not guarantee that the new thread finds it there */
  return 0;
}
int pthread_join(uintptr_t thread, void **result) {
  if (__proviso_has_cancel) return __proviso_cancel_join(thread, result);
  return __proviso_thread_join(thread, result);
}
int pthread_detach(uintptr_t thread) {
  return __proviso_thread_detach(thread);
}
uintptr_t pthread_self(void) {
  return __proviso_thread_self();
}
int pthread_equal(uintptr_t a, uintptr_t b) {
  return a == b;
}
int pthread_yield(void) {
  __proviso_thread_yield();
  return 0;
}
int sched_yield(void) {
  __proviso_thread_yield();
  return 0;
}
int pthread_once(int *once, void (*initialise)(void)) {
  if (__proviso_once_enter(once)) {
    if (__proviso_has_cancel) __proviso_in_once(1);
    initialise();
    if (__proviso_has_cancel) __proviso_in_once(-1);
    __proviso_once_leave(once);
  }
  return 0;
}

int pthread_atfork(void (*prepare)(void), void (*parent)(void), void (*child)(void)) {
  (void)prepare, (void)parent, (void)child; /* fork is not modelled */
  return 0;
}

/* ---- scheduling parameters: hints without effect here ---- */

int pthread_setconcurrency(int level) {
  return level < 0 ? EINVAL : 0;
}
int pthread_setschedparam(uintptr_t thread, int policy, const int *priority) {
  (void)thread, (void)policy, (void)priority;
  return 0;
}
int pthread_getschedparam(uintptr_t thread, int *restrict policy, int *restrict priority) {
  (void)thread;
  *policy = *priority = 0;
  return 0;
}
int pthread_setschedprio(uintptr_t thread, int priority) {
  (void)thread, (void)priority;
  return 0;
}
int pthread_setname_np(uintptr_t thread, const char *name) {
  (void)thread;
  return pv_length(name) > 15 ? ERANGE : 0;
}
int pthread_setaffinity_np(uintptr_t thread, size_t size, const void *set) {
  (void)thread, (void)size, (void)set;
  return 0;
}
int sched_setaffinity(int process, size_t size, const void *set) {
  (void)process, (void)size, (void)set;
  return 0;
}
int sched_get_priority_min(int policy) {
  return policy == 1 || policy == 2;
}
int sched_get_priority_max(int policy) {
  return policy == 1 || policy == 2 ? 99 : 0;
}

/* ---- synchronisation objects ---- */

int pthread_mutex_init(void *restrict m, const struct mutex_attr *restrict attr) {
  int kind = attr ? attr->kind : 0;
  return __proviso_mutex_init(m, kind == 3 ? 0 : kind); /* 3: adaptive, a normal one that spins */
}
int pthread_mutex_destroy(void *m) {
  return __proviso_mutex_destroy(m);
}
int pthread_mutex_lock(void *m) {
  return __proviso_mutex_lock(m);
}
int pthread_mutex_trylock(void *m) {
  return __proviso_mutex_trylock(m);
}
int pthread_mutex_unlock(void *m) {
  return __proviso_mutex_unlock(m);
}
int pthread_mutex_timedlock(void *restrict m, const struct timespec *restrict when) {
  return pv_lock_until(m, when);
}
int pthread_mutex_clocklock(void *m, int clock, const struct timespec *when) {
  (void)clock;
  return pv_lock_until(m, when);
}
int pthread_cond_init(void *restrict c, const struct cond_attr *restrict attr) {
  (void)attr;
  return __proviso_cond_init(c);
}
int pthread_cond_destroy(void *c) {
  return __proviso_cond_destroy(c);
}
int pthread_cond_wait(void *restrict c, void *restrict m) {
  if (__proviso_has_cancel) return __proviso_cancel_wait(c, m);
  return __proviso_cond_wait(c, m);
}
int pthread_cond_timedwait(void *c, void *m, const struct timespec *when) {
  if (!pv_is_time(when)) return EINVAL;
  if (__proviso_has_cancel) return __proviso_cancel_timedwait(c, m);
  return __proviso_cond_timedwait(c, m);
}
int pthread_cond_clockwait(void *c, void *m, int clock, const struct timespec *when) {
  (void)clock;
  return pthread_cond_timedwait(c, m, when);
}
int pthread_cond_signal(void *c) {
  return __proviso_cond_signal(c);
}
int pthread_cond_broadcast(void *c) {
  return __proviso_cond_broadcast(c);
}
int pthread_rwlock_init(void *restrict l, const struct rwlock_attr *restrict attr) {
  (void)attr;
  return __proviso_rwlock_init(l);
}
int pthread_rwlock_destroy(void *l) {
  return __proviso_rwlock_destroy(l);
}
int pthread_rwlock_rdlock(void *l) {
  return __proviso_rwlock_rdlock(l);
}
int pthread_rwlock_tryrdlock(void *l) {
  return __proviso_rwlock_tryrdlock(l);
}
int pthread_rwlock_wrlock(void *l) {
  return __proviso_rwlock_wrlock(l);
}
int pthread_rwlock_trywrlock(void *l) {
  return __proviso_rwlock_trywrlock(l);
}
int pthread_rwlock_unlock(void *l) {
  return __proviso_rwlock_unlock(l);
}
int pthread_rwlock_timedrdlock(void *restrict l, const struct timespec *restrict when) {
  return pv_is_time(when) ? __proviso_rwlock_timedrdlock(l) : EINVAL;
}
int pthread_rwlock_timedwrlock(void *restrict l, const struct timespec *restrict when) {
  return pv_is_time(when) ? __proviso_rwlock_timedwrlock(l) : EINVAL;
}
int pthread_rwlock_clockrdlock(void *l, int clock, const struct timespec *when) {
  (void)clock;
  return pthread_rwlock_timedrdlock(l, when);
}
int pthread_rwlock_clockwrlock(void *l, int clock, const struct timespec *when) {
  (void)clock;
  return pthread_rwlock_timedwrlock(l, when);
}
int pthread_spin_init(void *s, int shared) {
  (void)shared;
  return __proviso_spin_init(s);
}
int pthread_spin_destroy(void *s) {
  return __proviso_spin_destroy(s);
}
int pthread_spin_lock(void *s) {
  return __proviso_spin_lock(s);
}
int pthread_spin_trylock(void *s) {
  return __proviso_spin_trylock(s);
}
int pthread_spin_unlock(void *s) {
  return __proviso_spin_unlock(s);
}
int pthread_barrier_init(void *restrict b, const void *restrict attr, unsigned count) {
  (void)attr;
  return __proviso_barrier_init(b, count);
}
int pthread_barrier_destroy(void *b) {
  return __proviso_barrier_destroy(b);
}
int pthread_barrier_wait(void *b) {
  return __proviso_barrier_wait(b);
}
