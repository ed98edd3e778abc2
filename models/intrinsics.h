/* intrinsics.h -- what a model of the C library may use beside plain C. The frontend lowers each of
 * these calls to one ir operation; they have no body anywhere.
 *
 * Models are freestanding C11 (no system headers: they are compiled for 32 and 64 bits), one file a
 * header of the C library, and are linked only where the program has no definition of its own. A
 * model's plain loads and stores are the program's: they race, and they are scheduling points. */
#ifndef PV_MODEL_INTRINSICS_H
#define PV_MODEL_INTRINSICS_H

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

/* memory */
void *__proviso_alloc(size_t size); /* fresh heap object, never null, uninitialised */
/* The same with an alignment: a constant power of two up to 4096. */
void *__proviso_alloc_aligned(size_t size, size_t alignment);
/* A fresh object, zero, aligned to 4096 bytes, that lives until it is unmapped; as a whole.
 * Anything but the start of such an object is a valid-free violation. */
void *__proviso_map(size_t size);
void __proviso_unmap(void *object);
void __proviso_free(void *object); /* null is fine; anything but the start of a live heap object is
                                      a valid-free violation */
size_t
__proviso_object_size(const void *p); /* bytes from p to the end of its live object; 0 if none */
/* Address of `to` less that of `from`, modulo the address space; only to ask whether ranges overlap
 * (the order of objects in memory must not matter). */
size_t __proviso_distance(const void *from, const void *to);
size_t __proviso_usable_size(const void *p); /* the same, and nothing else is done with p: where
                                                others could end the object, a proviso is noted */
_Bool __proviso_is_heap_start(const void *p);
_Bool __proviso_malloc_may_fail(
    void); /* --malloc-may-fail is on and this call is to fail: a choice */
/* --calls-may-fail is on and this call is to fail: a choice, with a literal for its name. */
_Bool __proviso_call_may_fail(const char *what);
/* A fresh object of the library's own (a stream, what a file holds), not set; and its end: anything
 * but the start of such an object that lives is a valid-free violation. */
void *__proviso_open_stream(size_t size);
void __proviso_close_stream(void *stream);
void __proviso_copy(void *to, const void *from,
                    size_t n); /* memmove that also copies indeterminate bytes */
void __proviso_copy_disjoint(void *to, const void *from,
                             size_t n); /* memcpy: overlap is a def-behavior violation */
void __proviso_fill(void *to, int byte, size_t n);
/* An atomic read-modify-write of a byte that leaves it as it is, indeterminate or not. `order`: a
 * constant, one of __ATOMIC_RELAXED ... */
void __proviso_order(void *byte, int order);
/* *at; if it is indeterminate, a proviso says that it is zero. */
unsigned char __proviso_any_byte(const void *at);

/* control */
_Noreturn void __proviso_exit(int code); /* the program ends normally; leaks are checked here */
_Noreturn void __proviso_abort(void);    /* the path ends without an error */
_Noreturn void __proviso_unsupported(
    const char *what); /* string literal: the path is cut with a proviso naming it */
_Noreturn void __proviso_assert_fail(const char *expression, const char *file, unsigned line,
                                     const char *function);
void __proviso_assume(_Bool condition);
void __proviso_check(
    _Bool holds,
    const char *what); /* string literal; a precondition of the C library: def-behavior */
/* The frames up to that of the marker (a stack slot that setjmp.c was given) end. */
_Noreturn void __proviso_longjmp(void *marker, int value);
void __proviso_atomic_begin(void);
void __proviso_atomic_end(void);

/* input and output */
int __proviso_nondet_int(
    const char *what); /* string literal: named in provisos; any value of the type */
unsigned __proviso_nondet_uint(const char *what);
long __proviso_nondet_long(const char *what);
unsigned long __proviso_nondet_ulong(const char *what);
int __proviso_choose(int low, int high);                 /* each value of low..high */
int __proviso_pick(int low, int high, const char *what); /* the same; literal: the input's name */
/* Text that the caller gives: `kind` is an enum pv_text_kind of ir.h. There are __proviso_texts
 * texts that the machine tries. The result of __proviso_any_text is: less than that, one of them;
 * as many, none of them (__proviso_tried cuts the path, with a proviso); more, any text at all,
 * which is made of inputs then. The machine takes the first two, symbolic engines the last. */
enum { PV_TEXT_ARGUMENTS, PV_TEXT_VARIABLE, PV_TEXT_STDIN, PV_TEXT_FILE };
int __proviso_texts(int kind); /* a constant */
int __proviso_any_text(int kind);
int __proviso_text(int kind, int number, int at); /* a byte of a text to try; -1 behind its end */
_Noreturn void __proviso_tried(int kind);
_Noreturn void __proviso_signals_end(void); /* likewise: more signals arrive than are followed */
_Noreturn void __proviso_bound(int kind);   /* the path is beyond a bound, which is a proviso */
/* A constant. Two inputs: does the program look at the first, or at more of the second than how it
 * compares with constants? If not, their order with earlier ones makes no difference. */
_Bool __proviso_order_matters(int major, int minor);
enum { PV_SETTING_ARGS, PV_SETTING_LENGTH, PV_SETTING_FILE };
int __proviso_setting(int which);   /* a constant: an option */
void *__proviso_given(size_t size); /* fresh, zero, what the caller owns: never given back */
void __proviso_print(int fd, const char *text, size_t n);

/* Scheduler primitives (sched/pthread.c); pointers to the program's own pthread objects. Results
 * are errno values as POSIX has them unless said otherwise. The kinds of mutex are glibc's numbers:
 * 0 normal, 1 recursive, 2 errorcheck. Undefined uses are reported by the scheduler. */
enum { PV_NO_THREAD = 0xffff };
/* Returns the id, or PV_NO_THREAD. *id has it before the thread runs; it may be null. */
uintptr_t __proviso_thread_create(uintptr_t *id, void *(*start)(void *), void *argument,
                                  int detached);
int __proviso_thread_join(uintptr_t id, void **result); /* result may be null */
int __proviso_thread_detach(uintptr_t id);
_Noreturn void __proviso_thread_exit(void *result);
uintptr_t __proviso_thread_self(void);
void __proviso_thread_yield(void);
int __proviso_mutex_init(void *mutex, int kind);
int __proviso_mutex_destroy(void *mutex);
int __proviso_mutex_lock(void *mutex);
int __proviso_mutex_trylock(void *mutex);
int __proviso_mutex_timedlock(void *mutex);
int __proviso_mutex_unlock(void *mutex);
int __proviso_cond_init(void *cond);
int __proviso_cond_destroy(void *cond);
int __proviso_cond_wait(void *cond, void *mutex);
int __proviso_cond_timedwait(void *cond, void *mutex);
int __proviso_cond_signal(void *cond);
int __proviso_cond_broadcast(void *cond);
int __proviso_rwlock_init(void *rwlock);
int __proviso_rwlock_destroy(void *rwlock);
int __proviso_rwlock_rdlock(void *rwlock);
int __proviso_rwlock_tryrdlock(void *rwlock);
int __proviso_rwlock_timedrdlock(void *rwlock);
int __proviso_rwlock_wrlock(void *rwlock);
int __proviso_rwlock_trywrlock(void *rwlock);
int __proviso_rwlock_timedwrlock(void *rwlock);
int __proviso_rwlock_unlock(void *rwlock);
int __proviso_spin_init(void *spin);
int __proviso_spin_destroy(void *spin);
int __proviso_spin_lock(void *spin);
int __proviso_spin_trylock(void *spin);
int __proviso_spin_unlock(void *spin);
int __proviso_sem_init(void *sem, unsigned value); /* 0 or EINVAL; the sem_ models set errno */
int __proviso_sem_destroy(void *sem);
int __proviso_sem_wait(void *sem);
int __proviso_sem_trywait(void *sem);   /* EAGAIN */
int __proviso_sem_timedwait(void *sem); /* ETIMEDOUT */
int __proviso_sem_post(void *sem);
int __proviso_sem_getvalue(void *sem); /* the value itself */
int __proviso_barrier_init(void *barrier, unsigned count);
int __proviso_barrier_destroy(void *barrier);
int __proviso_barrier_wait(
    void *barrier); /* PTHREAD_BARRIER_SERIAL_THREAD (-1) for one, 0 for the others */
int __proviso_once_enter(void *once); /* 1: the caller runs the initialiser, then calls once_leave;
                                         0: already done (waits while it runs) */
int __proviso_once_leave(void *once);

#endif
