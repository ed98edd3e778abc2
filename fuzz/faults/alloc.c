/* alloc.c -- a preloaded library that lets memory run out: the call of malloc, calloc, realloc or
 * posix_memalign number PROVISO_FAIL_AT of a process fails; with PROVISO_FAIL_ON=1 all later ones
 * do, too. Calls are counted once the program handles SIGABRT, because before that the loader and the
 * constructors of libraries are at work. Only processes whose name is PROVISO_FAIL_IN (default: proviso) are hurt. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

void *__libc_malloc(size_t n);
void *__libc_calloc(size_t n, size_t size);
void *__libc_realloc(void *at, size_t n);
void *__libc_memalign(size_t align, size_t n);

static atomic_long calls;
static long fail_at = -1, wanted = -1;
static int fail_on;

__attribute__((constructor)) static void begin(void) {
  const char *at = getenv("PROVISO_FAIL_AT"), *on = getenv("PROVISO_FAIL_ON");
  const char *in = getenv("PROVISO_FAIL_IN");
  if (!at || strcmp(program_invocation_short_name, in ? in : "proviso") != 0) return;
  calls = 0;
  fail_on = on && *on == '1';
  wanted = strtol(at, NULL, 10);
}

int sigaction(int number, const struct sigaction *new, struct sigaction *old) {
  static int (*real)(int, const struct sigaction *, struct sigaction *);
  if (!real) *(void **)&real = dlsym(RTLD_NEXT, "sigaction");
  if (number == SIGABRT && fail_at < 0) fail_at = wanted;
  return real(number, new, old);
}

static int fails(void) {
  if (fail_at < 0) return 0;
  long now = atomic_fetch_add(&calls, 1);
  if (now != fail_at && !(fail_on && now > fail_at)) return 0;
  errno = ENOMEM;
  return 1;
}

void *malloc(size_t n) {
  return fails() ? NULL : __libc_malloc(n);
}
void *calloc(size_t n, size_t size) {
  return fails() ? NULL : __libc_calloc(n, size);
}
void *realloc(void *at, size_t n) {
  return fails() ? NULL : __libc_realloc(at, n);
}
int posix_memalign(void **out, size_t align, size_t n) {
  void *at = fails() ? NULL : __libc_memalign(align, n);
  if (!at) return ENOMEM;
  *out = at;
  return 0;
}
