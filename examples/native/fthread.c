/* fthread.c -- FairThreads on one thread of the operating system, to run the cooperative examples:
 *
 *     cc -I models/include examples/NAME.c examples/native/fthread.c -o NAME && ./NAME
 *
 * Every FairThread has a stack of its own (ucontext). Threads run in the order in which they were
 * created, again and again, until none can go on: then the instant ends. The program ends when main
 * and all threads have ended, or by exit; if threads wait for ever, with a message and status 2.
 *
 * Not here: several schedulers, link and unlink, locks, and what main does beside the threads: it
 * runs first. */
#define _GNU_SOURCE
#include "fthread.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

enum { STACK = 256 * 1024 };
enum status { CAN, NEXT, WAITS, ENDED };

struct ft_event_t {
  int present;
  int n; /* values of this instant */
  void **value;
  int broadcast; /* at the start of the next instant */
  int n_later;
  void **later;
  ft_event_t next;
};
struct ft_thread_t {
  ucontext_t context;
  void *stack;
  ft_executable_t run, cleanup;
  void *argument;
  enum status status;
  int suspended, order_stop, order_suspend, order_resume;
  /* WAITS: for one of these, until the deadline (0: none). */
  ft_event_t *events;
  int n_events, value; /* value: index + 1 of a value of events[0] */
  ft_thread_t joined;
  int deadline, code;
  ft_automaton_t automaton;
  void *local;
  int state, has_waited, automaton_code, wants, instants;
  ft_event_t one;
  ft_thread_t next;
};
struct ft_scheduler_t {
  int started;
};

static struct ft_scheduler_t scheduler;
static ft_thread_t first, self;
static ft_event_t all_events;
static ucontext_t dispatcher;
static int now;

static void *get(size_t n) {
  void *p = calloc(1, n);
  if (!p) abort();
  return p;
}
static void back(void) { /* to the dispatcher, until the thread is chosen again */
  swapcontext(&self->context, &dispatcher);
}
static void end(ft_thread_t t) {
  t->status = ENDED;
  for (ft_thread_t u = first; u; u = u->next)
    if (u->status == WAITS && u->joined == t) u->status = CAN, u->code = OK;
}
static void bottom(void) {
  self->run(self->argument);
  end(self);
  back();
}

/* ---- instants -------------------------------------------------------------------------------- */
static int waits_for(ft_thread_t t, ft_event_t e) {
  if (t->status != WAITS || t->suspended || t->value) return 0;
  for (int i = 0; i < t->n_events; i++)
    if (t->events[i] == e) return 1;
  return 0;
}
static void generate(ft_event_t e) {
  if (e->present) return;
  e->present = 1;
  for (ft_thread_t t = first; t; t = t->next)
    if (waits_for(t, e)) t->status = CAN, t->code = OK;
}
static void generate_value(ft_event_t e, void *value) {
  generate(e);
  e->value = realloc(e->value, (size_t)(e->n + 1) * sizeof *e->value);
  e->value[e->n++] = value;
  for (ft_thread_t t = first; t; t = t->next)
    if (t->status == WAITS && t->value && t->events[0] == e && t->value <= e->n)
      t->status = CAN, t->code = OK;
}
static int can_run(ft_thread_t t) {
  return t->status == CAN && !t->suspended;
}
static void run(ft_thread_t t) {
  self = t;
  swapcontext(&dispatcher, &t->context);
  self = NULL;
  if (t->status == ENDED) {
    free(t->stack);
    t->stack = NULL;
  }
}
static void stop(ft_thread_t t) {
  end(t);
  if (!t->cleanup) return;
  self = t;
  t->cleanup(t->argument);
  self = NULL;
}
static int something_to_do(void) {
  for (ft_event_t e = all_events; e; e = e->next)
    if (e->broadcast || e->n_later) return 1;
  for (ft_thread_t t = first; t; t = t->next) {
    int ordered = t->order_stop || t->order_suspend || t->order_resume;
    if (t->status == ENDED) continue;
    if (ordered || t->deadline || t->status == NEXT || (t->status == WAITS && t->value)) return 1;
    if (can_run(t)) return 1;
  }
  return 0;
}
static void next_instant(void) {
  now++;
  for (ft_event_t e = all_events; e; e = e->next) e->present = e->n = 0;
  for (ft_thread_t t = first; t; t = t->next)
    if (t->status == WAITS && t->value) t->status = CAN, t->code = ENEXT;
  for (ft_thread_t t = first; t; t = t->next) {
    if (!t->deadline || t->deadline > now) continue;
    t->deadline = 0;
    if (t->status == WAITS) t->code = t->n_events || t->joined ? ETIMEOUT : OK, t->status = CAN;
  }
  for (ft_thread_t t = first; t; t = t->next)
    if (t->order_stop && t->status != ENDED) stop(t);
  for (ft_thread_t t = first; t; t = t->next) {
    if (t->order_suspend) t->suspended = 1;
    if (t->order_resume) t->suspended = 0;
    t->order_suspend = t->order_resume = t->order_stop = 0;
  }
  for (ft_event_t e = all_events; e; e = e->next) {
    if (e->broadcast) generate(e);
    for (int i = 0; i < e->n_later; i++) generate_value(e, e->later[i]);
    e->broadcast = e->n_later = 0;
  }
  for (ft_thread_t t = first; t; t = t->next)
    if (t->status == NEXT) t->status = CAN, t->code = OK;
}
static void dispatch(void) {
  while (scheduler.started && something_to_do()) {
    for (int any = 1; any;) {
      any = 0;
      for (ft_thread_t t = first; t; t = t->next)
        if (can_run(t)) any = 1, run(t);
    }
    next_instant();
  }
  for (ft_thread_t t = first; t; t = t->next) {
    if (t->status == ENDED) continue;
    fputs("fthread: threads wait for ever\n", stderr);
    exit(2);
  }
  exit(0);
}

/* ---- the interface --------------------------------------------------------------------------- */
static int bad(void) { /* main, or nobody, calls */
  return !self;
}
static int wait(enum status status, int instants) {
  self->status = status;
  self->deadline = instants ? now + instants : 0;
  back();
  self->events = NULL;
  self->joined = NULL;
  self->n_events = self->value = self->deadline = 0;
  return self->code;
}

ft_scheduler_t ft_scheduler_create(void) {
  return &scheduler;
}
int ft_scheduler_start(ft_scheduler_t s) {
  if (!s) return EBADCREATE;
  s->started = 1;
  return OK;
}
ft_thread_t ft_thread_create(ft_scheduler_t s, ft_executable_t runs, ft_executable_t cleanup,
                             void *argument) {
  if (!s) return NULL;
  ft_thread_t t = get(sizeof *t), *at = &first;
  *t = (struct ft_thread_t){.run = runs, .cleanup = cleanup, .argument = argument, .status = NEXT};
  t->stack = get(STACK);
  getcontext(&t->context);
  t->context.uc_stack.ss_sp = t->stack;
  t->context.uc_stack.ss_size = STACK;
  makecontext(&t->context, bottom, 0);
  while (*at) at = &(*at)->next;
  return *at = t;
}
ft_event_t ft_event_create(ft_scheduler_t s) {
  if (!s) return NULL;
  ft_event_t e = get(sizeof *e), *at = &all_events;
  while (*at) at = &(*at)->next;
  return *at = e;
}
int ft_scheduler_stop(ft_thread_t t) {
  if (!t) return EBADCREATE;
  t->order_stop = t->status != ENDED;
  return OK;
}
int ft_scheduler_suspend(ft_thread_t t) {
  if (!t) return EBADCREATE;
  t->order_suspend = 1, t->order_resume = 0;
  return OK;
}
int ft_scheduler_resume(ft_thread_t t) {
  if (!t) return EBADCREATE;
  t->order_resume = 1, t->order_suspend = 0;
  return OK;
}
int ft_scheduler_broadcast(ft_event_t e) {
  if (!e) return EBADCREATE;
  e->broadcast = 1;
  return OK;
}
int ft_scheduler_broadcast_value(ft_event_t e, void *value) {
  if (!e) return EBADCREATE;
  e->later = realloc(e->later, (size_t)(e->n_later + 1) * sizeof *e->later);
  e->later[e->n_later++] = value;
  return OK;
}
int ft_thread_generate(ft_event_t e) {
  if (!e) return EBADCREATE;
  if (bad()) return EBADLINK;
  generate(e);
  return OK;
}
int ft_thread_generate_value(ft_event_t e, void *value) {
  if (!e) return EBADCREATE;
  if (bad()) return EBADLINK;
  generate_value(e, value);
  return OK;
}
int ft_thread_cooperate(void) {
  return bad() ? EBADLINK : wait(NEXT, 0);
}
int ft_thread_cooperate_n(int instants) {
  if (bad()) return EBADLINK;
  return instants <= 0 ? OK : wait(WAITS, instants);
}
static int await(int n, ft_event_t *list, int timed, int instants) {
  if (bad()) return EBADLINK;
  if (timed && instants <= 0) return ETIMEOUT;
  for (int i = 0; i < n; i++)
    if (list[i] && list[i]->present) return OK;
  self->events = list;
  self->n_events = n;
  return wait(WAITS, timed ? instants : 0);
}
int ft_thread_await(ft_event_t e) {
  return e ? await(1, &e, 0, 0) : EBADCREATE;
}
int ft_thread_await_n(ft_event_t e, int instants) {
  return e ? await(1, &e, 1, instants) : EBADCREATE;
}
static void tell(int n, ft_event_t *list, int *mask) {
  for (int i = 0; mask && i < n; i++) mask[i] = list[i] && list[i]->present;
}
static int selects(int n, ft_event_t *list, int *mask, int timed, int instants) {
  if (n < 0 || !list) return EBADCREATE;
  int code = await(n, list, timed, instants);
  if (code != EBADLINK) tell(n, list, mask);
  return code;
}
int ft_thread_select(int n, ft_event_t *list, int *mask) {
  return selects(n, list, mask, 0, 0);
}
int ft_thread_select_n(int n, ft_event_t *list, int *mask, int instants) {
  return selects(n, list, mask, 1, instants);
}
static int join(ft_thread_t t, int timed, int instants) {
  if (!t) return EBADCREATE;
  if (bad()) return EBADLINK;
  if (t->status == ENDED) return OK;
  if (timed && instants <= 0) return ETIMEOUT;
  self->joined = t;
  return wait(WAITS, timed ? instants : 0);
}
int ft_thread_join(ft_thread_t t) {
  return join(t, 0, 0);
}
int ft_thread_join_n(ft_thread_t t, int instants) {
  return join(t, 1, instants);
}
int ft_thread_get_value(ft_event_t e, int i, void **value) {
  if (!e || i < 0) return EBADCREATE;
  if (bad()) return EBADLINK;
  int code = OK;
  if (i >= e->n) {
    self->events = &e;
    self->n_events = 1;
    self->value = i + 1;
    code = wait(WAITS, 0);
  }
  if (code == OK) *value = e->value[i];
  return code;
}
ft_thread_t ft_thread_self(void) {
  return self;
}
ft_scheduler_t ft_thread_scheduler(void) {
  return self ? &scheduler : NULL;
}
void ft_exit(void) {
  if (!self) dispatch();
  if (self->automaton) return;
  end(self);
  back();
}
static int missing(void) {
  fputs("fthread: link, unlink and locks are not here\n", stderr);
  exit(3);
}
int ft_thread_link(ft_scheduler_t s) {
  (void)s;
  return missing();
}
int ft_thread_unlink(void) {
  return missing();
}
int ft_thread_mutex_lock(pthread_mutex_t *m) {
  (void)m;
  return missing();
}
int ft_thread_mutex_unlock(pthread_mutex_t *m) {
  (void)m;
  return missing();
}
pthread_t ft_pthread(ft_thread_t t) {
  (void)t;
  return (pthread_t)missing();
}

/* ---- automata: their function is called for each step, and says what to wait for ---------------
 */
enum { STAY = 1, AWAIT, JOIN, VALUE };
static void drive(void *unused) {
  (void)unused;
  ft_thread_t t = self;
  for (;;) {
    t->automaton(t);
    if (t->state < 0) return;
    int wants = t->wants, code = OK, timed = t->instants >= 0;
    t->wants = 0;
    switch (wants) {
    case 0: ft_thread_cooperate(); continue;
    case STAY: code = ft_thread_cooperate_n(t->instants); break;
    case AWAIT: code = await(t->n_events, t->events, timed, t->instants); break;
    case JOIN: code = join(t->joined, timed, t->instants); break;
    case VALUE:
      if (t->value > t->one->n) t->events = &t->one, t->n_events = 1, code = wait(WAITS, 0);
      break;
    }
    t->automaton_code = code;
    t->has_waited = 1;
  }
}
ft_thread_t ft_automaton_create(ft_scheduler_t s, ft_automaton_t automaton, ft_executable_t cleanup,
                                void *argument) {
  ft_thread_t t = ft_thread_create(s, drive, cleanup, argument);
  if (t) t->automaton = automaton;
  return t;
}
static int wants(ft_thread_t t, int what, int timed, int instants) {
  if (t->has_waited) return t->has_waited = 0;
  t->wants = what;
  t->instants = timed ? instants : -1;
  if (timed && instants < 0) t->instants = 0;
  return 1;
}
static int passes(ft_thread_t t) {
  t->automaton_code = EBADCREATE;
  return 0;
}
int __proviso_automaton_state(ft_thread_t t) {
  return t->state;
}
void __proviso_automaton_enter(ft_thread_t t, int state) {
  t->state = state;
}
int __proviso_automaton_code(ft_thread_t t) {
  return t->automaton_code;
}
void *__proviso_automaton_argument(ft_thread_t t) {
  return t->argument;
}
void *__proviso_automaton_local(ft_thread_t t) {
  return t->local;
}
void __proviso_automaton_set_local(ft_thread_t t, void *local) {
  t->local = local;
}
int __proviso_automaton_stay(ft_thread_t t, int instants) {
  return wants(t, STAY, 1, instants);
}
int __proviso_automaton_await(ft_thread_t t, ft_event_t e, int timed, int instants) {
  if (!e) return passes(t);
  t->one = e;
  t->events = &t->one;
  t->n_events = 1;
  return wants(t, AWAIT, timed, instants);
}
int __proviso_automaton_join(ft_thread_t t, ft_thread_t other, int timed, int instants) {
  if (!other) return passes(t);
  t->joined = other;
  return wants(t, JOIN, timed, instants);
}
int __proviso_automaton_select(ft_thread_t t, int n, ft_event_t *list, int *mask, int timed,
                               int instants) {
  if (n < 0 || !list) return passes(t);
  if (t->has_waited) tell(n, list, mask);
  if (t->has_waited) return t->has_waited = 0;
  t->events = get((size_t)n * sizeof *list + 1); /* the list's life may end when the step does */
  memcpy(t->events, list, (size_t)n * sizeof *list);
  t->n_events = n;
  return wants(t, AWAIT, timed, instants);
}
int __proviso_automaton_value(ft_thread_t t, ft_event_t e, int i, void **value) {
  if (!e || i < 0) return passes(t);
  if (t->has_waited && t->automaton_code == OK) *value = e->value[i];
  if (t->has_waited) return t->has_waited = 0;
  t->one = e;
  t->value = i + 1;
  return wants(t, VALUE, 0, 0);
}
