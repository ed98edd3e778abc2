/* fthread.h -- the C interface of FairThreads 1.1, for programs that proviso analyses.
 *
 * The FairThreads library is described by F. Boussinot, "FairThreads: mixing cooperative and
 * preemptive threads in C" (2006). This header declares the same functions. */
#ifndef PV_FTHREAD_H
#define PV_FTHREAD_H

#include <pthread.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ft_event_t *ft_event_t;
typedef struct ft_thread_t *ft_thread_t;
typedef struct ft_scheduler_t *ft_scheduler_t;
typedef void (*ft_executable_t)(void *);
typedef void (*ft_automaton_t)(ft_thread_t);

#define OK         0
#define EBADMEM    1
#define ETIMEOUT   2
#define ENEXT      3
#define EBADLINK   4
#define EBADCREATE 5

/* A null pointer: it could not be made. */
ft_scheduler_t ft_scheduler_create(void);
ft_thread_t ft_thread_create(ft_scheduler_t, ft_executable_t run, ft_executable_t cleanup,
                             void *arg);
ft_thread_t ft_automaton_create(ft_scheduler_t, ft_automaton_t, ft_executable_t cleanup, void *arg);
ft_event_t ft_event_create(ft_scheduler_t);

int ft_scheduler_start(ft_scheduler_t);
/* Orders: they take effect at the start of the next instant. */
int ft_scheduler_stop(ft_thread_t);
int ft_scheduler_suspend(ft_thread_t);
int ft_scheduler_resume(ft_thread_t);
int ft_scheduler_broadcast(ft_event_t);
int ft_scheduler_broadcast_value(ft_event_t, void *value);

int ft_thread_generate(ft_event_t);
int ft_thread_generate_value(ft_event_t, void *value);
int ft_thread_cooperate(void);
int ft_thread_cooperate_n(int instants);
int ft_thread_join(ft_thread_t);
int ft_thread_join_n(ft_thread_t, int instants);
int ft_thread_await(ft_event_t);
int ft_thread_await_n(ft_event_t, int instants);
int ft_thread_select(int n, ft_event_t *events, int *mask);
int ft_thread_select_n(int n, ft_event_t *events, int *mask, int instants);
int ft_thread_get_value(ft_event_t, int i, void **value);
ft_thread_t ft_thread_self(void);
ft_scheduler_t ft_thread_scheduler(void);
/* Ends the calling thread; called by main, the others go on. */
void ft_exit(void);

int ft_thread_link(ft_scheduler_t);
int ft_thread_unlink(void);
int ft_thread_mutex_lock(pthread_mutex_t *);
int ft_thread_mutex_unlock(pthread_mutex_t *);
pthread_t ft_pthread(ft_thread_t);

#ifdef __PROVISO__
/* Functions of pthread.h that threads beside the schedulers use. */
int __proviso_ft_pthread_join(pthread_t, void **result);
int __proviso_ft_pthread_detach(pthread_t);
int __proviso_ft_mutex_init(pthread_mutex_t *, const pthread_mutexattr_t *);
#  define pthread_join       __proviso_ft_pthread_join
#  define pthread_detach     __proviso_ft_pthread_detach
#  define pthread_mutex_init __proviso_ft_mutex_init
#endif

/* ---- automata: threads without a stack. A step begins in the automaton's state; GOTO continues in
 * the next instant, IMMEDIATE at once. */
int __proviso_automaton_state(ft_thread_t);
void __proviso_automaton_enter(ft_thread_t, int state);
int __proviso_automaton_code(ft_thread_t);
void *__proviso_automaton_argument(ft_thread_t);
void *__proviso_automaton_local(ft_thread_t);
void __proviso_automaton_set_local(ft_thread_t, void *local);
int __proviso_automaton_stay(ft_thread_t, int instants);
int __proviso_automaton_await(ft_thread_t, ft_event_t, int timed, int instants);
int __proviso_automaton_join(ft_thread_t, ft_thread_t other, int timed, int instants);
int __proviso_automaton_select(ft_thread_t, int n, ft_event_t *, int *mask, int timed,
                               int instants);
int __proviso_automaton_value(ft_thread_t, ft_event_t, int i, void **value);

#define AUTOMATON(name)        void name(ft_thread_t)
#define DEFINE_AUTOMATON(name) void name(ft_thread_t ft_this)
#define BEGIN_AUTOMATON                                                                            \
  for (;;) {                                                                                       \
    int ft_state = __proviso_automaton_state(ft_this);                                             \
    switch (ft_state) {
#define END_AUTOMATON                                                                              \
default: RETURN                                                                                    \
  }                                                                                                \
  }

#define FT_ENTER(n) __proviso_automaton_enter(ft_this, n)
#define GOTO(n)                                                                                    \
  {                                                                                                \
    FT_ENTER(n);                                                                                   \
    return;                                                                                        \
  }
#define GOTO_NEXT GOTO(ft_state + 1)
#define IMMEDIATE(n)                                                                               \
  {                                                                                                \
    FT_ENTER(n);                                                                                   \
    break;                                                                                         \
  }
#define RETURN          GOTO(-1)
#define SELF            ft_this
#define ARGS            __proviso_automaton_argument(ft_this)
#define LOCAL           __proviso_automaton_local(ft_this)
#define SET_LOCAL(data) __proviso_automaton_set_local(ft_this, (void *)(data))
#define RETURN_CODE     __proviso_automaton_code(ft_this)

#define STATE(n)                                                                                   \
case n:                                                                                            \
  FT_ENTER(n);
#define FT_WAIT(n, call)                    STATE(n) if (__proviso_automaton_##call) return;
#define STATE_STAY(n, k)                    FT_WAIT(n, stay(ft_this, k))
#define STATE_AWAIT(n, event)               FT_WAIT(n, await(ft_this, event, 0, 0))
#define STATE_AWAIT_N(n, event, k)          FT_WAIT(n, await(ft_this, event, 1, k))
#define STATE_JOIN(n, thread)               FT_WAIT(n, join(ft_this, thread, 0, 0))
#define STATE_JOIN_N(n, thread, k)          FT_WAIT(n, join(ft_this, thread, 1, k))
#define STATE_GET_VALUE(n, event, i, r)     FT_WAIT(n, value(ft_this, event, i, r))
#define STATE_SELECT(n, length, list, mask) FT_WAIT(n, select(ft_this, length, list, mask, 0, 0))
#define STATE_SELECT_N(n, length, list, mask, k)                                                   \
  FT_WAIT(n, select(ft_this, length, list, mask, 1, k))

#ifdef __cplusplus
}
#endif
#endif
