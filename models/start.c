/* start.c -- begin and end of a program: its arguments, exit and its handlers.
 *
 * The frontend calls one of the first functions, depending on how main uses its arguments, unless
 * they are given (then it sets the variables). exit runs the handlers in reverse order of their
 * registration; a handler may register more. */
#include "model.h"

int __proviso_argc = 1;
static char program_name[] = "program";
static char *arguments[] = {program_name, NULL};
char **__proviso_argv = arguments;
char *program_invocation_name = program_name;
char *program_invocation_short_name = program_name;

/* Only the number of arguments is used. */
void __proviso_any_count(void) {
  if (__proviso_choose(0, 1)) __proviso_bound(PV_TEXT_ARGUMENTS);
  __proviso_argc = __proviso_pick(1, 1 + __proviso_setting(PV_SETTING_ARGS), "argc");
}

/* An argv for that many arguments and the name; the arguments are still missing. */
static char **new_arguments(int n) {
  char **argv = __proviso_given(((size_t)n + 2) * sizeof *argv);
  argv[0] = program_name;
  argv[n + 1] = NULL;
  __proviso_argc = n + 1;
  __proviso_argv = argv;
  return argv;
}

/* The text is a sequence of strings. */
static void tried_arguments(int how) {
  int n = 0, c, at = 0;
  for (int i = 0; (c = __proviso_text(PV_TEXT_ARGUMENTS, how, i)) != EOF; i++) n += c == 0;
  char **argv = new_arguments(n);
  for (int i = 0; i < n; i++) {
    int length = 0;
    while (__proviso_text(PV_TEXT_ARGUMENTS, how, at + length) > 0) length++;
    argv[i + 1] = __proviso_given((size_t)length + 1);
    for (int k = 0; k <= length; k++)
      argv[i + 1][k] = (char)__proviso_text(PV_TEXT_ARGUMENTS, how, at + k);
    at += length + 1;
  }
}

/* Arbitrary text. Without a loop up to the usual bound, which is easier to analyse. */
#define NEXT(WHAT)                                                                                 \
  if (i < length) text[i++] = (char)__proviso_pick(1, 255, "byte of " WHAT)
#define NEXT_4(WHAT)                                                                               \
  NEXT(WHAT);                                                                                      \
  NEXT(WHAT);                                                                                      \
  NEXT(WHAT);                                                                                      \
  NEXT(WHAT)
#define ANY_TEXT(NAME, WHAT)                                                                       \
  static char *NAME(void) {                                                                        \
    int i = 0,                                                                                     \
        length = __proviso_pick(0, __proviso_setting(PV_SETTING_LENGTH), "length of " WHAT);       \
    char *text = __proviso_given((size_t)length + 1);                                              \
    NEXT_4(WHAT);                                                                                  \
    NEXT_4(WHAT);                                                                                  \
    NEXT_4(WHAT);                                                                                  \
    NEXT_4(WHAT);                                                                                  \
    while (i < length) NEXT(WHAT);                                                                 \
    text[length] = 0;                                                                              \
    return text;                                                                                   \
  }
ANY_TEXT(any_argument, "an argument")
ANY_TEXT(any_variable, "a value")

static void all_arguments(void) {
  int n = __proviso_pick(0, __proviso_setting(PV_SETTING_ARGS), "number of arguments");
  char **argv = new_arguments(n);
  for (int i = 1; i <= n; i++) argv[i] = any_argument();
}

void __proviso_any_arguments(void) {
  if (__proviso_choose(0, 1)) __proviso_bound(PV_TEXT_ARGUMENTS);
  int how = __proviso_any_text(PV_TEXT_ARGUMENTS), n = __proviso_texts(PV_TEXT_ARGUMENTS);
  if (how < n)
    tried_arguments(how);
  else if (how == n)
    __proviso_tried(PV_TEXT_ARGUMENTS);
  else
    all_arguments();
}

/* ---- the environment --------------------------------------------------------------------------
 *
 * Unless it is given, each variable that the program reads is unset or has any value. */
static char *no_environment[] = {NULL};
char **environ = no_environment;
char **__environ = no_environment;
_Bool __proviso_environment_given;

struct variable {
  char *name, *value; /* value NULL: unset */
};
enum { MOST_VARIABLES = 16 };
static struct variable variables[MOST_VARIABLES];
static int n_variables;

static bool same_name(const char *a, const char *b) {
  while (*a && *a == *b) a++, b++;
  return *a == *b;
}
/* The value in an entry NAME=VALUE, or NULL. */
static char *value_in(char *entry, const char *name) {
  while (*name && *entry == *name) entry++, name++;
  return !*name && *entry == '=' ? entry + 1 : NULL;
}

static char *tried_value(int how) {
  int length = 0;
  while (__proviso_text(PV_TEXT_VARIABLE, how, length) != EOF) length++;
  char *value = __proviso_given((size_t)length + 1);
  for (int i = 0; i < length; i++) value[i] = (char)__proviso_text(PV_TEXT_VARIABLE, how, i);
  value[length] = 0;
  return value;
}

static char *any_value(void) {
  if (!__proviso_pick(0, 1, "variable is set")) return NULL;
  if (__proviso_choose(0, 1)) __proviso_bound(PV_TEXT_VARIABLE);
  int how = __proviso_any_text(PV_TEXT_VARIABLE), n = __proviso_texts(PV_TEXT_VARIABLE);
  if (how < n) return tried_value(how);
  if (how == n) __proviso_tried(PV_TEXT_VARIABLE);
  return any_variable();
}

static struct variable *find_variable(const char *name) {
  for (int i = 0; i < n_variables; i++)
    if (same_name(variables[i].name, name)) return &variables[i];
  if (n_variables == MOST_VARIABLES)
    __proviso_unsupported("more than 16 variables of the environment");
  struct variable *v = &variables[n_variables++];
  size_t n = pv_length(name);
  v->name = __proviso_given(n + 1);
  __proviso_copy(v->name, name, n + 1);
  v->value = __proviso_environment_given ? NULL : any_value();
  return v;
}

char *__proviso_get_variable(const char *name) {
  char *value = NULL;
  if (__proviso_environment_given && !n_variables) {
    for (char **e = environ; *e && !value; e++) value = value_in(*e, name);
    return value;
  }
  __proviso_atomic_begin();
  value = find_variable(name)->value;
  __proviso_atomic_end();
  return value;
}

enum handler_kind { HANDLER_PLAIN, HANDLER_STATUS, HANDLER_ARGUMENT };
struct handler {
  enum handler_kind kind;
  void (*function)(void);
  void *argument;
};
/* C guarantees 32; destructors of C++ globals are additional. */
enum { MAX_HANDLERS = 64, MAX_THREAD_HANDLERS = 8 };
static struct handler at_exit[MAX_HANDLERS], at_quick_exit_[MAX_HANDLERS];
static unsigned n_at_exit, n_at_quick_exit;
static _Thread_local struct handler at_thread_exit[MAX_THREAD_HANDLERS];
static _Thread_local unsigned n_at_thread_exit;
/* Most programs register nothing. Then these are never written, and no analysis has to follow the
 * handlers. */
static bool any_at_exit;
static _Thread_local bool registered; /* the thread itself registered at exit */
static _Thread_local bool any_at_thread_exit;

/* The last thread that ends would run the handlers. Handlers that other threads registered are not
 * considered, because that would be visible to all threads. */
void __proviso_main_leaves(void) {
  if (registered)
    __proviso_unsupported("handlers of exit in a program whose first thread ended before it");
}

static int add(struct handler *list, unsigned *n, const struct handler *h) {
  __proviso_atomic_begin();
  any_at_exit = registered = true;
  if (*n == MAX_HANDLERS) __proviso_unsupported("atexit with more than 64 handlers");
  list[(*n)++] = *h;
  __proviso_atomic_end();
  return 0;
}

/* Removes the latest handler from the list. Returns false if there is none. */
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
  return add(at_exit, &n_at_exit, &(struct handler){HANDLER_PLAIN, function, NULL});
}
int on_exit(void (*function)(int, void *), void *argument) {
  struct handler h = {HANDLER_STATUS, (void (*)(void))function, argument};
  return add(at_exit, &n_at_exit, &h);
}
int __cxa_atexit(void (*function)(void *), void *argument, void *dso) {
  (void)dso;
  struct handler h = {HANDLER_ARGUMENT, (void (*)(void))function, argument};
  return add(at_exit, &n_at_exit, &h);
}
int at_quick_exit(void (*function)(void)) {
  struct handler h = {HANDLER_PLAIN, function, NULL};
  return add(at_quick_exit_, &n_at_quick_exit, &h);
}
int __cxa_at_quick_exit(void (*function)(void *), void *dso) {
  (void)dso;
  struct handler h = {HANDLER_ARGUMENT, (void (*)(void))function, NULL};
  return add(at_quick_exit_, &n_at_quick_exit, &h);
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

/* Separate functions, because a frame without a handler is cheaper. */
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
/* A macro, so that each program does not pay for a call more at its end. */
#define END_PROGRAM(STATUS)                                                                        \
  do {                                                                                             \
    __proviso_run_thread_exits();                                                                  \
    if (any_at_exit) handle_exit(at_exit, &n_at_exit, STATUS);                                     \
    __proviso_exit(STATUS);                                                                        \
  } while (0)
_Noreturn void exit(int status) {
  END_PROGRAM(status);
}
_Noreturn void __proviso_end_program(int status) {
  END_PROGRAM(status);
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
