/* signal.c -- signal.h as far as it is honest: masks, and handlers run by raise. Signals from
 * outside do not come: where a handler is installed, the program is verified under that proviso. */
#include "model.h"

typedef void (*handler)(int);
#define SIG_DFL ((handler)0)
#define SIG_IGN ((handler)1)
#define SIG_ERR ((handler)-1)
enum {
  N_SIGNALS = 65,
  SIGABRT = 6,
  SIGKILL = 9,
  SIGCHLD = 17,
  SIGSTOP = 19,
  SIGURG = 23,
  SIGWINCH = 28,
  SA_SIGINFO = 4,
  SA_RESETHAND = INT_MIN
};
typedef struct { /* 128 bytes; only the first 64 bits are signals */
  uint64_t bits[16];
} sigset_t;
struct sigaction { /* as in glibc */
  handler function;
  sigset_t mask;
  int flags;
  void (*restorer)(void);
};

static struct {
  handler function;
  int flags;
} handlers[N_SIGNALS];

static bool is_signal(int s) {
  return s > 0 && s < N_SIGNALS;
}
static bool can_catch(int s) {
  return is_signal(s) && s != SIGKILL && s != SIGSTOP;
}

static handler install(int s, handler h, int flags, int *old_flags) {
  if (h != SIG_DFL && h != SIG_IGN) PV_PROVIDED_NOT("the arrival of a signal with a handler");
  __proviso_atomic_begin();
  handler old = handlers[s].function;
  *old_flags = handlers[s].flags;
  handlers[s].function = h;
  handlers[s].flags = flags;
  __proviso_atomic_end();
  return old;
}
static handler set_handler(int s, handler h) {
  int old;
  if (!can_catch(s)) {
    errno = EINVAL;
    return SIG_ERR;
  }
  return install(s, h, 0, &old);
}
handler signal(int s, handler h) {
  return set_handler(s, h);
}
handler __sysv_signal(int s, handler h) {
  return set_handler(s, h);
}
int sigaction(int s, const struct sigaction *restrict new, struct sigaction *restrict old) {
  struct sigaction before = {.function = SIG_DFL};
  if (!can_catch(s)) {
    errno = EINVAL;
    return -1;
  }
  if (new) {
    if (new->flags &(SA_SIGINFO | SA_RESETHAND)) /* their handlers cannot be run by raise */
      __proviso_unsupported("sigaction with SA_SIGINFO or SA_RESETHAND");
    before.function = install(s, new->function, new->flags, &before.flags);
  } else {
    __proviso_atomic_begin();
    before.function = handlers[s].function;
    before.flags = handlers[s].flags;
    __proviso_atomic_end();
  }
  if (old) *old = before;
  return 0;
}

static _Thread_local uint64_t blocked;

int raise(int s) {
  if (!is_signal(s)) {
    errno = EINVAL;
    return -1;
  }
  if (blocked >> (s - 1) & 1) __proviso_unsupported("raise of a blocked signal");
  __proviso_atomic_begin();
  handler h = handlers[s].function;
  __proviso_atomic_end();
  if (h == SIG_IGN) return 0;
  if (h != SIG_DFL) {
    h(s);
    return 0;
  }
  if (s == SIGCHLD || s == SIGURG || s == SIGWINCH || s == 18) return 0; /* ignored by default */
  __proviso_abort();
}

static uint64_t bit(int s) {
  return (uint64_t)1 << (s - 1);
}
int sigemptyset(sigset_t *set) {
  *set = (sigset_t){{0}};
  return 0;
}
int sigfillset(sigset_t *set) {
  *set = (sigset_t){{UINT64_MAX}};
  return 0;
}
static int bad_signal(void) {
  errno = EINVAL;
  return -1;
}
int sigaddset(sigset_t *set, int s) {
  if (!is_signal(s)) return bad_signal();
  set->bits[0] |= bit(s);
  return 0;
}
int sigdelset(sigset_t *set, int s) {
  if (!is_signal(s)) return bad_signal();
  set->bits[0] &= ~bit(s);
  return 0;
}
int sigismember(const sigset_t *set, int s) {
  return !is_signal(s) ? bad_signal() : (set->bits[0] & bit(s)) != 0;
}
uint64_t __proviso_signal_mask(void) {
  return blocked;
}
void __proviso_set_signal_mask(uint64_t mask) {
  blocked = mask;
}
static int change_mask(int how, const sigset_t *new, sigset_t *old) {
  uint64_t before = blocked;
  if (new) {
    switch (how) {
    case 0: blocked |= new->bits[0]; break;
    case 1: blocked &= ~new->bits[0]; break;
    case 2: blocked = new->bits[0]; break;
    default: return EINVAL;
    }
  }
  if (old) *old = (sigset_t){{before}};
  return 0;
}
int pthread_sigmask(int how, const sigset_t *restrict new, sigset_t *restrict old) {
  return change_mask(how, new, old);
}
int sigprocmask(int how, const sigset_t *restrict new, sigset_t *restrict old) {
  int error = change_mask(how, new, old);
  if (error) errno = error;
  return error ? -1 : 0;
}
