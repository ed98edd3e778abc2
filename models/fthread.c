/* fthread.c -- FairThreads 1.0 and 1.1 over the primitives of sched/fairthreads.c.
 *
 * Handles are addresses in tables: the plug-in knows threads and events by their numbers. The
 * values of events are kept here; the plug-in counts them, so it decides which are valid. */
#include "model.h"

enum { OK, EBADMEM, ETIMEOUT, ENEXT, EBADLINK, EBADCREATE };
enum { MAX_FT_THREADS = 64, MAX_EVENTS = 64, MAX_VALUES = 8, MAX_SCHEDULERS = 4 };
enum { STOP = 2, SUSPEND = 4, RESUME = 8, CLEANS = 16 };
typedef void (*executable)(void *);
/* What an automaton waits for. */
enum wait { NOTHING, STAY, AWAIT, JOIN, VALUE };
struct thread {
  executable cleanup;
  void *argument;
  /* Of an automaton. */
  void (*automaton)(struct thread *);
  void *local;
  int state; /* -1: it has ended */
  int code;  /* of its latest wait */
  bool has_waited;
  enum wait wait;
  int timed, instants, i; /* i: the number of the value */
  uint64_t events;        /* a set */
  struct thread *other;
};
struct event {
  void *value[MAX_VALUES];
};
/* Values of broadcasts: two lists of each event, which change places. */
static void *broadcast_values[MAX_EVENTS][2][MAX_VALUES];
static bool broadcasts_values;
static char schedulers[MAX_SCHEDULERS];
static struct thread threads[MAX_FT_THREADS];
static struct event events[MAX_EVENTS];
static int n_schedulers, n_events;

static bool is_scheduler(const void *s) {
  return s != NULL;
}
static int number_of_scheduler(const char *s) {
  return (int)(s - schedulers);
}
static int number_of(const struct event *e) {
  return (int)(e - events);
}

void *ft_scheduler_create(void) {
  if (n_schedulers == MAX_SCHEDULERS)
    __proviso_unsupported("more than 4 schedulers of FairThreads");
  if (n_schedulers) PV_PROVIDED_NOT("instants of a scheduler of FairThreads that are not in turn");
  __proviso_ft_scheduler(__proviso_setting(PV_SETTING_FAIRTHREADS) == 0);
  return &schedulers[n_schedulers++];
}
int ft_scheduler_start(void *scheduler) {
  if (!is_scheduler(scheduler)) return EBADCREATE;
  return __proviso_ft_launch(number_of_scheduler(scheduler));
}

static void clean_up(void) {
  struct thread *t = &threads[__proviso_ft_self()];
  if (t->cleanup) t->cleanup(t->argument);
}
/* The bottom frame of every thread but main. A thread that was stopped begins anew without a
 * function, and runs its cleanup function. */
_Noreturn void __proviso_ft_thread_main(executable run, void *argument);
_Noreturn void __proviso_ft_thread_main(executable run, void *argument) {
  if (run)
    run(argument);
  else
    clean_up();
  __proviso_ft_finish();
}
/* No later thread takes the place of a thread that was an automaton. */
static struct thread *ft_create(void *scheduler, executable run, executable cleanup, void *argument,
                                void *is_automaton) {
  if (!is_scheduler(scheduler)) return NULL;
  int number = __proviso_ft_create(is_automaton, run, argument, number_of_scheduler(scheduler));
  threads[number].cleanup = cleanup;
  threads[number].argument = argument;
  return &threads[number];
}
void *ft_thread_create(void *scheduler, executable run, executable cleanup, void *argument) {
  return ft_create(scheduler, run, cleanup, argument, NULL);
}
void ft_exit(void) {
  int self = __proviso_ft_self();
  if (self && threads[self].automaton) return; /* as the library does */
  __proviso_ft_finish();
}
void *ft_thread_self(void) {
  int self = __proviso_ft_self();
  return self ? &threads[self] : NULL;
}
void *ft_thread_scheduler(void) {
  int scheduler = __proviso_ft_linked();
  return scheduler < 0 ? NULL : &schedulers[scheduler];
}

static int order(struct thread *t, int what) {
  if (!t) return EBADCREATE;
  return __proviso_ft_order((int)(t - threads), what);
}
int ft_scheduler_stop(struct thread *t) {
  return order(t, t && t->cleanup ? STOP | CLEANS : STOP);
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
  if (scheduler != schedulers) __proviso_ft_event(n_events, number_of_scheduler(scheduler));
  return &events[n_events++];
}
int ft_scheduler_broadcast(struct event *e) {
  return e ? __proviso_ft_broadcast(0, number_of(e), 0) : EBADCREATE;
}
/* Where a value of a broadcast belongs, as the primitives tell it. */
static void **place_of(const struct event *e, int where) {
  return &broadcast_values[number_of(e)][where / 16 - 1][where % 16];
}
int ft_scheduler_broadcast_value(struct event *e, void *value) {
  if (!e) return EBADCREATE;
  int where = __proviso_ft_broadcast(0, number_of(e), 1) - 256;
  broadcasts_values = true;
  *place_of(e, where) = value;
  return OK;
}
int ft_thread_generate(struct event *e) {
  return e ? __proviso_ft_generate(number_of(e), 0) & 255 : EBADCREATE;
}
/* The first value forgets those of earlier instants, so that they do not tell states apart. */
int ft_thread_generate_value(struct event *e, void *value) {
  if (!e) return EBADCREATE;
  int had = __proviso_ft_generate(number_of(e), 1);
  if (had >= 256) return EBADLINK;
  if (had >= MAX_VALUES) __proviso_unsupported("more than 8 values of an event in one instant");
  for (int i = 1; had == 0 && i < MAX_VALUES; i++) e->value[i] = NULL;
  e->value[had] = value;
  return OK;
}
static void *value_of(const struct event *e, int i) {
  if (!broadcasts_values) return e->value[i];
  int where = __proviso_ft_where(number_of(e), i);
  return where < 16 ? e->value[where] : *place_of(e, where);
}
int ft_thread_get_value(struct event *e, int i, void **value) {
  if (!e || i < 0) return EBADCREATE;
  int code = __proviso_ft_value(number_of(e), i);
  if (code == OK) *value = value_of(e, i);
  return code;
}
int ft_thread_cooperate(void) {
  return __proviso_ft_cooperate(1);
}
int ft_thread_cooperate_n(int instants) {
  return __proviso_ft_cooperate(instants);
}
static int awaits(struct event *e, int timed, int instants) {
  return e ? __proviso_ft_await((uint64_t)1 << number_of(e), timed, instants) : EBADCREATE;
}
int ft_thread_await(struct event *e) {
  return awaits(e, 0, 0);
}
int ft_thread_await_n(struct event *e, int instants) {
  return awaits(e, 1, instants);
}

/* Null events are allowed, and never present. */
static uint64_t set_of(int n, struct event **list) {
  uint64_t set = 0;
  for (int i = 0; i < n; i++)
    if (list[i]) set |= (uint64_t)1 << number_of(list[i]);
  return set;
}
static void tell_present(int n, struct event **list, int *mask) {
  uint64_t present = __proviso_ft_present();
  for (int i = 0; mask && i < n; i++) mask[i] = list[i] && (present >> number_of(list[i]) & 1);
}
static int selects(int n, struct event **list, int *mask, int timed, int instants) {
  if (n < 0 || !list) return EBADCREATE;
  int code = __proviso_ft_await(set_of(n, list), timed, instants);
  if (code != EBADLINK) tell_present(n, list, mask);
  return code;
}
int ft_thread_select(int n, struct event **list, int *mask) {
  return selects(n, list, mask, 0, 0);
}
int ft_thread_select_n(int n, struct event **list, int *mask, int instants) {
  return selects(n, list, mask, 1, instants);
}
static int joins(struct thread *t, int timed, int instants) {
  return t ? __proviso_ft_join((int)(t - threads), timed, instants) : EBADCREATE;
}
int ft_thread_join(struct thread *t) {
  return joins(t, 0, 0);
}
int ft_thread_join_n(struct thread *t, int instants) {
  return joins(t, 1, instants);
}

int ft_thread_link(void *scheduler) {
  if (!is_scheduler(scheduler)) return EBADCREATE;
  if (!__proviso_ft_self()) return EBADCREATE;
  return __proviso_ft_link(number_of_scheduler(scheduler));
}
int ft_thread_unlink(void) {
  return __proviso_ft_self() ? __proviso_ft_unlink() : EBADCREATE;
}
/* A mutex of the program holds its number, from 1, in its first word. Threads here are cooperative,
 * so it is not read at the same time by two of them. */
static int number_of_lock(int *mutex) {
  static int locks;
  if (!*mutex) *mutex = ++locks;
  return *mutex;
}
int ft_thread_mutex_lock(int *mutex) {
  return __proviso_ft_lock(number_of_lock(mutex));
}
int ft_thread_mutex_unlock(int *mutex) {
  return __proviso_ft_unlock(number_of_lock(mutex));
}
uintptr_t ft_pthread(const struct thread *t) {
  return t ? (uintptr_t)(t - threads) + 1 : 0;
}
/* What fthread.h makes of functions of pthread.h. */
int __proviso_ft_pthread_join(uintptr_t thread, void **result);
int __proviso_ft_pthread_join(uintptr_t thread, void **result) {
  __proviso_ft_await_end((int)thread - 1);
  if (result) *result = NULL;
  return 0;
}
int __proviso_ft_pthread_detach(uintptr_t thread);
int __proviso_ft_pthread_detach(uintptr_t thread) {
  (void)thread;
  return 0;
}
int __proviso_ft_mutex_init(int *mutex, const void *attributes);
int __proviso_ft_mutex_init(int *mutex, const void *attributes) {
  if (attributes) __proviso_unsupported("attributes of a mutex of FairThreads");
  *mutex = 0;
  return 0;
}

/* ---- automata ---------------------------------------------------------------------------------
 * An automaton is a function that is called anew for each step. It says what it waits for, and
 * returns; then its thread waits, and calls it again in the same state. */
static int performs(struct thread *t) {
  switch (t->wait) {
  case STAY: return __proviso_ft_cooperate(t->instants);
  case AWAIT: return __proviso_ft_await(t->events, t->timed, t->instants);
  case JOIN: return joins(t->other, t->timed, t->instants);
  case VALUE: return __proviso_ft_value(__builtin_ctzll(t->events), t->i);
  case NOTHING: break;
  }
  return __proviso_ft_cooperate(1);
}
static void drive(void *unused) {
  (void)unused;
  struct thread *t = &threads[__proviso_ft_self()];
  for (;;) {
    t->automaton(t);
    if (t->state < 0) return;
    bool waits = t->wait != NOTHING;
    int code = performs(t);
    if (waits) t->code = code;
    t->has_waited = waits;
    t->wait = NOTHING;
    t->timed = t->instants = t->i = 0;
    t->events = 0;
    t->other = NULL;
  }
}
void *ft_automaton_create(void *scheduler, void (*automaton)(struct thread *), executable cleanup,
                          void *argument) {
  struct thread *t = ft_create(scheduler, drive, cleanup, argument, schedulers);
  if (t) t->automaton = automaton;
  return t;
}
int __proviso_automaton_state(struct thread *t);
int __proviso_automaton_state(struct thread *t) {
  return t->state;
}
void __proviso_automaton_enter(struct thread *t, int state);
void __proviso_automaton_enter(struct thread *t, int state) {
  t->state = state;
}
int __proviso_automaton_code(struct thread *t);
int __proviso_automaton_code(struct thread *t) {
  return t->code;
}
void *__proviso_automaton_argument(struct thread *t);
void *__proviso_automaton_argument(struct thread *t) {
  return t->argument;
}
void *__proviso_automaton_local(struct thread *t);
void *__proviso_automaton_local(struct thread *t) {
  return t->local;
}
void __proviso_automaton_set_local(struct thread *t, void *local);
void __proviso_automaton_set_local(struct thread *t, void *local) {
  t->local = local;
}
/* true: the automaton has to wait, and returns; false: it has waited. Its variables are gone while
 * it waits, so they are read before and written after it. */
static int waits_for(struct thread *t, enum wait wait, int timed, int instants) {
  if (t->has_waited) {
    t->i = 0;
    t->events = 0;
    t->other = NULL;
    return t->has_waited = false;
  }
  t->wait = wait;
  t->timed = timed;
  t->instants = instants;
  return 1;
}
/* The call is wrong, and does not wait. */
static int passes(struct thread *t, int code) {
  t->code = code;
  return 0;
}
int __proviso_automaton_stay(struct thread *t, int instants);
int __proviso_automaton_stay(struct thread *t, int instants) {
  return waits_for(t, STAY, 0, instants);
}
int __proviso_automaton_await(struct thread *t, struct event *e, int timed, int instants);
int __proviso_automaton_await(struct thread *t, struct event *e, int timed, int instants) {
  if (!e) return passes(t, EBADCREATE);
  t->events = (uint64_t)1 << number_of(e);
  return waits_for(t, AWAIT, timed, instants);
}
int __proviso_automaton_join(struct thread *t, struct thread *other, int timed, int instants);
int __proviso_automaton_join(struct thread *t, struct thread *other, int timed, int instants) {
  t->other = other;
  return waits_for(t, JOIN, timed, instants);
}
int __proviso_automaton_select(struct thread *t, int n, struct event **list, int *mask, int timed,
                               int instants);
int __proviso_automaton_select(struct thread *t, int n, struct event **list, int *mask, int timed,
                               int instants) {
  if (n < 0 || !list) return passes(t, EBADCREATE);
  bool after = t->has_waited;
  t->events = set_of(n, list);
  if (waits_for(t, AWAIT, timed, instants)) return 1;
  if (after) tell_present(n, list, mask);
  return 0;
}
int __proviso_automaton_value(struct thread *t, struct event *e, int i, void **value);
int __proviso_automaton_value(struct thread *t, struct event *e, int i, void **value) {
  if (!e || i < 0) return passes(t, EBADCREATE);
  t->i = i;
  t->events = (uint64_t)1 << number_of(e);
  if (waits_for(t, VALUE, 0, 0)) return 1;
  if (t->code == OK) *value = value_of(e, i);
  return 0;
}
