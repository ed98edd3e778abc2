/* intrinsics.h -- the functions that a model of the C library may use beside plain C. The frontend
 * lowers each call of one to a single ir operation; none of them has a body.
 *
 * Models are freestanding C11 (without system headers, because they are compiled for 32 and 64
 * bits). There is one file for each header of the C library. A model is linked only if the program
 * has no definition of its own. Plain loads and stores of a model are treated like those of the
 * program: they can race, and they are scheduling points. */
#ifndef PV_MODEL_INTRINSICS_H
#define PV_MODEL_INTRINSICS_H

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

/* memory */
void *__proviso_alloc(size_t size); /* a new heap object, never null, uninitialised */
/* The same with an alignment: a constant power of two, at most 4096. */
void *__proviso_alloc_aligned(size_t size, size_t alignment);
/* A new zeroed object, aligned to 4096 bytes, for mmap. It lives until it is unmapped as a whole:
 * to unmap anything but the start of such an object is a valid-free violation. */
void *__proviso_map(size_t size);
void __proviso_unmap(void *object);
/* Null is allowed; anything but the start of a live heap object is a valid-free violation. */
void __proviso_free(void *object);
/* Bytes from p to the end of its live object, 0 if there is none. */
size_t __proviso_object_size(const void *p);
/* The address of `to` minus that of `from`, modulo the address space. To be used only to test
 * whether ranges overlap, because the order of objects in memory must not matter. */
size_t __proviso_distance(const void *from, const void *to);
/* The same, if p is not used otherwise: adds a proviso if other threads could end the object. */
size_t __proviso_usable_size(const void *p);
_Bool __proviso_is_heap_start(const void *p);
_Bool __proviso_malloc_may_fail(
    void); /* a nondeterministic choice if --malloc-may-fail is on, else false */
/* A nondeterministic choice with this literal as its name if --calls-may-fail is on, else false. */
_Bool __proviso_call_may_fail(const char *what);
/* A new uninitialised object that belongs to the library (a stream, the content of a file), and its
 * end. To end anything but the start of such a live object is a valid-free violation. */
void *__proviso_open_stream(size_t size);
void __proviso_close_stream(void *stream);
void __proviso_copy(void *to, const void *from,
                    size_t n); /* memmove that also copies indeterminate bytes */
void __proviso_copy_disjoint(void *to, const void *from,
                             size_t n); /* memcpy: overlap is a def-behavior violation */
void __proviso_fill(void *to, int byte, size_t n);
/* An atomic read-modify-write that leaves a byte as it is, even if it is indeterminate. `order` is
 * one of the constants __ATOMIC_RELAXED ... */
void __proviso_order(void *byte, int order);
/* x without its fraction. The caller has seen that it is in range. */
unsigned long long __proviso_whole(double x);
/* Returns *at. If it is indeterminate, the result is zero, and a proviso says so. */
unsigned char __proviso_any_byte(const void *at);

/* control */
_Noreturn void __proviso_exit(int code); /* the program ends normally; leaks are checked here */
_Noreturn void __proviso_abort(void);    /* the path ends without an error */
_Noreturn void __proviso_unsupported(
    const char *what); /* string literal; the path is cut with a proviso that names it */
_Noreturn void __proviso_assert_fail(const char *expression, const char *file, unsigned line,
                                     const char *function);
void __proviso_assume(_Bool condition);
/* String literal: the violated precondition of the C library, an error of def-behavior. */
void __proviso_check(_Bool holds, const char *what);
/* Ends all frames above that of the marker (a stack slot that setjmp.c was given), and continues
 * there. */
_Noreturn void __proviso_longjmp(void *marker, int value);
void __proviso_atomic_begin(void);
void __proviso_atomic_end(void);

/* input and output */
int __proviso_nondet_int(
    const char *what); /* any value of the type; the string literal is used in provisos */
unsigned __proviso_nondet_uint(const char *what);
long __proviso_nondet_long(const char *what);
unsigned long __proviso_nondet_ulong(const char *what);
int __proviso_choose(int low, int high); /* each value of low..high */
/* The same; the string literal is the input's name. */
int __proviso_pick(int low, int high, const char *what);
/* Texts of the program's environment; `kind` is an enum pv_text_kind of ir.h. The VM tries
 * __proviso_texts texts of a kind. A result of __proviso_any_text that is less than that number
 * selects one of them. A result equal to it means any other text: __proviso_tried cuts the path
 * with a proviso. A larger result means any text, whose bytes are inputs. The VM uses the first two
 * cases, symbolic engines the last one. */
enum { PV_TEXT_ARGUMENTS, PV_TEXT_VARIABLE, PV_TEXT_STDIN, PV_TEXT_FILE };
int __proviso_texts(int kind); /* a constant */
int __proviso_any_text(int kind);
/* A byte of a text that the VM tries; -1 beyond its end. */
int __proviso_text(int kind, int number, int at);
_Noreturn void __proviso_tried(int kind);
_Noreturn void __proviso_signals_end(void); /* likewise for more signals than the bound allows */
_Noreturn void __proviso_bound(int kind);   /* cuts the path, with a proviso that names the bound */
/* A constant: does the program use two inputs in any other way than to compare the second one with
 * constants? If not, their order with respect to earlier ones is irrelevant. */
_Bool __proviso_order_matters(int major, int minor);
/* PV_SETTING_DEFINED: is def-behavior asked for? */
enum {
  PV_SETTING_ARGS,
  PV_SETTING_LENGTH,
  PV_SETTING_FILE,
  PV_SETTING_FAIRTHREADS,
  PV_SETTING_DEFINED
};
int __proviso_setting(int which); /* a constant: the value of an option */
/* A new zeroed object that the program's caller owns; it is never freed. */
void *__proviso_given(size_t size);
void __proviso_print(int fd, const char *text, size_t n);

/* Scheduler primitives (sched/pthread.c) on the program's own pthread objects. Unless said
 * otherwise, results are the errno values of POSIX. Kinds of mutex are glibc's numbers: 0 normal, 1
 * recursive, 2 errorcheck. The scheduler reports undefined uses. */
enum { PV_NO_THREAD = 0xffff };
/* Returns the thread's number, or PV_NO_THREAD. *id is set before the thread runs; `id` may be
 * null. */
uintptr_t __proviso_thread_create(uintptr_t *id, void *(*start)(void *), void *argument,
                                  int detached);
int __proviso_thread_join(uintptr_t id, void **result); /* result may be null */
int __proviso_thread_detach(uintptr_t id);
_Noreturn void __proviso_thread_exit(void *result);
/* Asks the thread to end. The request stays until it has ended. */
int __proviso_thread_cancel(uintptr_t id);
int __proviso_thread_is_cancelled(void); /* is the calling thread asked to end? */
/* The calls that end in `_cancel` are for a thread that may be cancelled: ECANCELED if it is to act
 * upon a request. Then nothing was joined or taken; cond_wait has its mutex again. */
int __proviso_thread_join_cancel(uintptr_t id, void **result);
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
int __proviso_cond_wait_cancel(void *cond, void *mutex);
int __proviso_cond_timedwait_cancel(void *cond, void *mutex);
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
int __proviso_sem_wait_cancel(void *sem);
int __proviso_sem_trywait(void *sem);   /* EAGAIN */
int __proviso_sem_timedwait(void *sem); /* ETIMEDOUT */
int __proviso_sem_post(void *sem);
int __proviso_sem_getvalue(void *sem); /* the value itself */
int __proviso_barrier_init(void *barrier, unsigned count);
int __proviso_barrier_destroy(void *barrier);
int __proviso_barrier_wait(
    void *barrier); /* PTHREAD_BARRIER_SERIAL_THREAD (-1) for one, 0 for the others */
/* 1: the caller runs the initialiser, then calls once_leave; 0: it has been run (waits while it
 * is running). */
int __proviso_once_enter(void *once);
int __proviso_once_leave(void *once);

/* Scheduler primitives of FairThreads (sched/fairthreads.c). Results are its codes, unless said
 * otherwise. Events are numbers below 64, and threads are numbers; main is 0. */
int __proviso_ft_create(void *unused, void (*run)(void *), void *argument,
                        int scheduler);           /* its number */
_Noreturn void __proviso_ft_finish(void);         /* ends the calling thread */
int __proviso_ft_scheduler(int old);              /* a new one: its number; old: version 1.0 */
int __proviso_ft_event(int event, int scheduler); /* to which it belongs; else 0 */
int __proviso_ft_launch(int scheduler);
int __proviso_ft_linked(void); /* the scheduler of the caller; -1: none */
int __proviso_ft_self(void);
int __proviso_ft_cooperate(int instants);
int __proviso_ft_await(uint64_t events, int timed, int instants); /* a set, as bits */
int __proviso_ft_join(int thread, int timed, int instants);
int __proviso_ft_generate(int event, int valued); /* valued: returns how many values it had; 256 +
                                                     EBADLINK: it belongs to another scheduler */
int __proviso_ft_value(int event, int i);         /* waits for the i-th value, from 0 */
uint64_t __proviso_ft_present(void);              /* the events that are present, as bits */
int __proviso_ft_order(
    int thread,
    int what); /* 2: stop, 4: suspend, 8: resume, 2 + 16: stop, and begin anew to clean up */
/* valued: returns 256 + the place of its value, as `where`. */
int __proviso_ft_broadcast(int unused, int event, int valued);
/* Which is the i-th value: a number below 16 of one by a thread, 16 or 32 + one by a broadcast. */
int __proviso_ft_where(int event, int i);
int __proviso_ft_link(int scheduler);
int __proviso_ft_unlink(void);
int __proviso_ft_lock(int lock); /* from 1 */
int __proviso_ft_unlock(int lock);
int __proviso_ft_await_end(int thread); /* pthread_join */

/* Scheduler primitives of SystemC (sched/systemc.c). Events, channels and processes are numbers;
 * thread 0 is sc_main. Channel c has event 128 + c of its own; other events are below 128. */
int __proviso_sc_create(void *unused, void (*run)(void *), void *argument,
                        int flags);       /* 1: a method. The number */
_Noreturn void __proviso_sc_finish(void); /* ends the calling process */
int __proviso_sc_self(void);
int __proviso_sc_is_method(void);
int __proviso_sc_sorts_updates(void); /* 1: updates come by number, not as they were requested */
int __proviso_sc_running(void);       /* 0: elaboration, 1: begun, 2: stopped */
/* Waits until a channel is to be updated: its number + 1; or the run is over: 0. Flags: 1 for ever,
 * 2 one delta cycle, 4 goes on after an update, 8 time stands still when nothing will happen. */
int __proviso_sc_run(int flags, uint64_t time);
/* What the program reads: 1 the time, 2 the number of delta cycles, 4 which events are triggered.
 */
int __proviso_sc_keep(int flags);
int __proviso_sc_event(void);
int __proviso_sc_end_event(int event);
int __proviso_sc_channel(void);
int __proviso_sc_sensitive(int process, int event);
int __proviso_sc_wait_first(int process); /* its first run is after a trigger */
int __proviso_sc_notify(int event, uint64_t time);
int __proviso_sc_notify_now(int event); /* 0; 1: not allowed now */
int __proviso_sc_cancel(int event);
int __proviso_sc_collect(int event); /* for the next wait */
/* Kinds: 0 static sensitivity (`event`: how often), 1 time, 2 one of the events, 3 all of them.
 * They are those collected, and `event` unless it is -1. 1: the time came first. */
int __proviso_sc_wait(int kind, int event, int timed, uint64_t time);
int __proviso_sc_next(int kind, int event, int timed, uint64_t time); /* what a method waits for */
int __proviso_sc_end_of_method(void);                                 /* waits */
int __proviso_sc_request(int channel);
int __proviso_sc_stop(int how); /* 1: stop, 2: pause, 3: stop at once */
uint64_t __proviso_sc_now(void);
uint64_t __proviso_sc_deltas(void);
int __proviso_sc_triggered(int event);
int __proviso_sc_is_pending(void); /* activity: bits 1: at this time, 2: later */
uint64_t __proviso_sc_until_next(void);

/* Scheduler primitives of OSEK (sched/osek.c). Results are its codes, unless said otherwise.
 * Objects are the numbers of the configuration, from 1 to 254. Sets of events are bits. */
void __proviso_osek_task(unsigned task, void (*run)(void), void *argument, unsigned priority,
                         unsigned activations,
                         int flags); /* 1: autostart, 2: non-preemptive, 4: extended */
void __proviso_osek_resource(unsigned resource);
void __proviso_osek_user(unsigned resource, unsigned task);
void __proviso_osek_counter(unsigned counter, unsigned max, int flags); /* 1: hardware, 2: absolute
                                                                         */
/* events 0: it activates the task. start 0: it is not set. */
void __proviso_osek_alarm(unsigned alarm, unsigned counter, unsigned task, uint64_t events,
                          unsigned start, unsigned cycle);
_Noreturn void __proviso_osek_launch(int hook); /* main ends; is there an ErrorHook? */
unsigned __proviso_osek_self(void);             /* the calling task; main is 0 */
int __proviso_osek_activate(unsigned task);
int __proviso_osek_may_end(unsigned chained); /* may the caller end and activate it? 0: none */
_Noreturn void __proviso_osek_end(void);
_Noreturn void __proviso_osek_chain(unsigned task);
int __proviso_osek_schedule(void);
/* Its state: 0 suspended, 1 ready, 2 waiting, 3 running; -1: no such task. */
int __proviso_osek_state(unsigned task);
int __proviso_osek_get(unsigned resource);
int __proviso_osek_release(unsigned resource);
int __proviso_osek_set(unsigned task, uint64_t events);
int __proviso_osek_clear(uint64_t events);
int __proviso_osek_may_tell(unsigned task);
uint64_t __proviso_osek_events(unsigned task); /* the events that are set */
int __proviso_osek_wait(uint64_t events);
int __proviso_osek_start_alarm(unsigned alarm, unsigned ticks, unsigned cycle, int absolute);
int __proviso_osek_cancel_alarm(unsigned alarm);
unsigned __proviso_osek_left(unsigned alarm);     /* ticks; 0: it is not active */
unsigned __proviso_osek_greatest(unsigned alarm); /* value of its counter; 0: no such alarm */
int __proviso_osek_increment(unsigned counter);

#endif
