/* fthread.c -- FairThreads 1.1 over the primitives of sched/fairthreads.c.
 *
 * Handles are addresses in tables: the plug-in knows threads and events by their numbers. The
 * values of events are kept here; the plug-in counts them, so it decides which are valid. */
#include "model.h"

enum { OK, EBADMEM_FT, ETIMEOUT_FT, ENEXT_FT, EBADLINK_FT };
enum { MAX_FT_THREADS = 64, MAX_EVENTS = 64, MAX_VALUES = 8 };
enum { STOP = 2, SUSPEND = 4, RESUME = 8 };
typedef void (*executable)(void *);
struct thread {
  executable cleanup;
  void *argument;
};
struct event {
  void *value[MAX_VALUES];
};
static char schedulers[1];
static struct thread threads[MAX_FT_THREADS];
static struct event events[MAX_EVENTS];
static int n_schedulers, n_events;

static bool is_scheduler(const void *s) {
  return s == schedulers;
}
static int number_of(const struct event *e) {
  return (int)(e - events);
}

void *ft_scheduler_create(void) {
  if (n_schedulers++) __proviso_unsupported("a second scheduler of FairThreads");
  return schedulers;
}
int ft_scheduler_start(void *scheduler) {
  if (!is_scheduler(scheduler)) return EBADMEM_FT;
  return __proviso_ft_launch();
}

/* The bottom frame of every thread but main. */
_Noreturn void __proviso_ft_thread_main(executable run, void *argument);
_Noreturn void __proviso_ft_thread_main(executable run, void *argument) {
  run(argument);
  __proviso_ft_finish();
}
void *ft_thread_create(void *scheduler, executable run, executable cleanup, void *argument) {
  if (!is_scheduler(scheduler)) return NULL;
  int number = __proviso_ft_create(NULL, run, argument, 0);
  threads[number].cleanup = cleanup;
  threads[number].argument = argument;
  return &threads[number];
}
void ft_exit(void) {
  __proviso_ft_finish();
}
void *ft_thread_self(void) {
  int self = __proviso_ft_self();
  return self ? &threads[self] : NULL;
}
void *ft_thread_scheduler(void) {
  return __proviso_ft_self() ? schedulers : NULL;
}

static int order(struct thread *t, int what) {
  if (!t) return EBADMEM_FT;
  return __proviso_ft_order((int)(t - threads), what);
}
int ft_scheduler_stop(struct thread *t) {
  if (t && t->cleanup) __proviso_unsupported("the cleanup function of a stopped FairThread");
  return order(t, STOP);
}
int ft_scheduler_suspend(struct thread *t) {
  return order(t, SUSPEND);
}
int ft_scheduler_resume(struct thread *t) {
  return order(t, RESUME);
}

void *ft_event_create(void *scheduler) {
  if (!is_scheduler(scheduler)) return NULL;
  if (n_events == MAX_EVENTS) __proviso_unsupported("more than 64 events of FairThreads");
  return &events[n_events++];
}
int ft_scheduler_broadcast(struct event *e) {
  return e ? __proviso_ft_broadcast(number_of(e)) : EBADMEM_FT;
}
int ft_scheduler_broadcast_value(struct event *e, void *value) {
  (void)e, (void)value;
  __proviso_unsupported("ft_scheduler_broadcast_value");
}
int ft_thread_generate(struct event *e) {
  return e ? __proviso_ft_generate(number_of(e), 0) : EBADMEM_FT;
}
/* The first value forgets those of earlier instants, so that they do not tell states apart. */
int ft_thread_generate_value(struct event *e, void *value) {
  if (!e) return EBADMEM_FT;
  if (!__proviso_ft_self()) return EBADLINK_FT;
  int had = __proviso_ft_generate(number_of(e), 1);
  if (had >= MAX_VALUES) __proviso_unsupported("more than 8 values of an event in one instant");
  for (int i = 1; had == 0 && i < MAX_VALUES; i++) e->value[i] = NULL;
  e->value[had] = value;
  return OK;
}
int ft_thread_get_value(struct event *e, int i, void **value) {
  if (!e || i < 0) return EBADMEM_FT;
  int code = __proviso_ft_value(number_of(e), i);
  if (code == OK) *value = e->value[i];
  return code;
}
int ft_thread_cooperate(void) {
  return __proviso_ft_cooperate(1);
}
int ft_thread_cooperate_n(int instants) {
  return __proviso_ft_cooperate(instants);
}
int ft_thread_await(struct event *e) {
  return e ? __proviso_ft_await((uint64_t)1 << number_of(e), 0, 0) : EBADMEM_FT;
}
int ft_thread_await_n(struct event *e, int instants) {
  return e ? __proviso_ft_await((uint64_t)1 << number_of(e), 1, instants) : EBADMEM_FT;
}

/* Null events are allowed, and never present. */
static int selects(int n, struct event **list, int *mask, int timed, int instants) {
  uint64_t set = 0;
  if (n < 0 || !list) return EBADMEM_FT;
  for (int i = 0; i < n; i++)
    if (list[i]) set |= (uint64_t)1 << number_of(list[i]);
  int code = __proviso_ft_await(set, timed, instants);
  if (code == EBADLINK_FT || !mask) return code;
  uint64_t present = __proviso_ft_present();
  for (int i = 0; i < n; i++) mask[i] = list[i] && (present >> number_of(list[i]) & 1);
  return code;
}
int ft_thread_select(int n, struct event **list, int *mask) {
  return selects(n, list, mask, 0, 0);
}
int ft_thread_select_n(int n, struct event **list, int *mask, int instants) {
  return selects(n, list, mask, 1, instants);
}
int ft_thread_join(struct thread *t) {
  return t ? __proviso_ft_join((int)(t - threads), 0, 0) : EBADMEM_FT;
}
int ft_thread_join_n(struct thread *t, int instants) {
  return t ? __proviso_ft_join((int)(t - threads), 1, instants) : EBADMEM_FT;
}

int ft_thread_link(void *scheduler) {
  (void)scheduler;
  __proviso_unsupported("ft_thread_link");
}
int ft_thread_unlink(void) {
  __proviso_unsupported("ft_thread_unlink");
}
int ft_thread_mutex_lock(void *mutex) {
  (void)mutex;
  __proviso_unsupported("ft_thread_mutex_lock");
}
int ft_thread_mutex_unlock(void *mutex) {
  (void)mutex;
  __proviso_unsupported("ft_thread_mutex_unlock");
}
uintptr_t ft_pthread(void *t) {
  (void)t;
  __proviso_unsupported("ft_pthread");
}
void *ft_automaton_create(void *scheduler, void (*automaton)(void *), executable cleanup,
                          void *argument) {
  (void)scheduler, (void)automaton, (void)cleanup, (void)argument;
  __proviso_unsupported("ft_automaton_create");
}
