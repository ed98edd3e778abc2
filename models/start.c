/* start.c -- how a program begins and ends: its arguments, exit and its handlers.
 *
 * A program gets no argument and an empty environment. exit runs the handlers in reverse order of
 * their registration; a handler may register more. */
#include "model.h"

int __proviso_argc = 1;
static char program_name[] = "program";
static char *arguments[] = {program_name, NULL};
static char *no_environment[] = {NULL};
char **__proviso_argv = arguments;
char **environ = no_environment;
char **__environ = no_environment;
char *program_invocation_name = program_name;
char *program_invocation_short_name = program_name;

enum handler_kind { HANDLER_PLAIN, HANDLER_STATUS, HANDLER_ARGUMENT };
struct handler {
  enum handler_kind kind;
  void (*function)(void);
  void *argument;
};
/* C promises 32; the C++ destructors of globals come on top. */
enum { MAX_HANDLERS = 64, MAX_THREAD_HANDLERS = 8 };
static struct handler at_exit[MAX_HANDLERS], at_quick_exit_[MAX_HANDLERS];
static unsigned n_at_exit, n_at_quick_exit;
static _Thread_local struct handler at_thread_exit[MAX_THREAD_HANDLERS];
static _Thread_local unsigned n_at_thread_exit;
/* Most programs register nothing: these are never written then, so that no analysis has to follow
 * the handlers. */
static bool any_at_exit;
static _Thread_local bool registered; /* the thread itself did, at exit */
static _Thread_local bool any_at_thread_exit;

/* The last thread that ends would run them. Those that others registered are not looked for, which
 * would be something for all threads to see. */
void __proviso_main_leaves(void) {
  if (registered)
    __proviso_unsupported("handlers of exit in a program whose first thread ended before it");
}

static int add(struct handler *list, unsigned *n, struct handler h) {
  __proviso_atomic_begin();
  any_at_exit = registered = true;
  if (*n == MAX_HANDLERS) __proviso_unsupported("atexit with more than 64 handlers");
  list[(*n)++] = h;
  __proviso_atomic_end();
  return 0;
}

/* Takes the latest handler off the list; false if there is none. */
static bool take(struct handler *list, unsigned *n, struct handler *h) {
  __proviso_atomic_begin();
  bool any = *n > 0;
  if (any) *h = list[--*n];
  __proviso_atomic_end();
  return any;
}

static void call(const struct handler *h, int status) {
  switch (h->kind) {
  case HANDLER_PLAIN: h->function(); break;
  case HANDLER_STATUS: ((void (*)(int, void *))h->function)(status, h->argument); break;
  case HANDLER_ARGUMENT: ((void (*)(void *))h->function)(h->argument); break;
  }
}

int atexit(void (*function)(void)) {
  return add(at_exit, &n_at_exit, (struct handler){HANDLER_PLAIN, function, NULL});
}
int on_exit(void (*function)(int, void *), void *argument) {
  struct handler h = {HANDLER_STATUS, (void (*)(void))function, argument};
  return add(at_exit, &n_at_exit, h);
}
int __cxa_atexit(void (*function)(void *), void *argument, void *dso) {
  (void)dso;
  struct handler h = {HANDLER_ARGUMENT, (void (*)(void))function, argument};
  return add(at_exit, &n_at_exit, h);
}
int at_quick_exit(void (*function)(void)) {
  struct handler h = {HANDLER_PLAIN, function, NULL};
  return add(at_quick_exit_, &n_at_quick_exit, h);
}
int __cxa_at_quick_exit(void (*function)(void *), void *dso) {
  (void)dso;
  struct handler h = {HANDLER_ARGUMENT, (void (*)(void))function, NULL};
  return add(at_quick_exit_, &n_at_quick_exit, h);
}
int __cxa_thread_atexit(void (*function)(void *), void *argument, void *dso) {
  (void)dso;
  if (n_at_thread_exit == MAX_THREAD_HANDLERS)
    __proviso_unsupported("more than 8 thread-local objects with destructors");
  any_at_thread_exit = true;
  at_thread_exit[n_at_thread_exit++] =
      (struct handler){HANDLER_ARGUMENT, (void (*)(void))function, argument};
  return 0;
}
int __cxa_thread_atexit_impl(void (*function)(void *), void *argument, void *dso) {
  return __cxa_thread_atexit(function, argument, dso);
}

/* In functions of their own: a frame without a handler costs less. */
static void run_thread_handlers(void) {
  while (n_at_thread_exit > 0) {
    struct handler h = at_thread_exit[--n_at_thread_exit];
    call(&h, 0);
  }
}
void __proviso_run_thread_exits(void) {
  if (any_at_thread_exit) run_thread_handlers();
}

static void run_handlers(struct handler *list, unsigned *n, int status) {
  struct handler h;
  while (take(list, n, &h)) call(&h, status);
}
static _Thread_local bool exiting; /* by this thread */
static void handle_exit(struct handler *list, unsigned *n, int status) {
  __proviso_check(!exiting, "exit is called while exit is under way");
  exiting = true;
  run_handlers(list, n, status);
}
_Noreturn void exit(int status) {
  __proviso_run_thread_exits();
  if (any_at_exit) handle_exit(at_exit, &n_at_exit, status);
  __proviso_exit(status);
}
_Noreturn void quick_exit(int status) {
  if (any_at_exit) handle_exit(at_quick_exit_, &n_at_quick_exit, status);
  __proviso_exit(status);
}
_Noreturn void _exit(int status) {
  __proviso_exit(status);
}
_Noreturn void _Exit(int status) {
  __proviso_exit(status);
}
