/* signal.c -- signal.h. Handlers are executed by raise and kill, and by signals from outside. These
 * may arrive after any operation that concerns the handlers: analysis/signals.h inserts calls of
 * __proviso_signal_arrives there.
 *
 * `interrupted` contains the access that the running handler interrupted. A program has handlers
 * for few signals, so they are kept in a list. */
#include "model.h"

typedef void (*handler)(int);
#define SIG_DFL ((handler)0)
#define SIG_IGN ((handler)1)
#define SIG_ERR ((handler)-1)
enum {
  N_SIGNALS = 65,
  MAX_CAUGHT = 16,
  SIGABRT = 6,
  SIGKILL = 9,
  SIGALRM = 14,
  SIGCHLD = 17,
  SIGCONT = 18,
  SIGSTOP = 19,
  SIGURG = 23,
  SIGWINCH = 28,
  SA_SIGINFO = 4,
  SA_RESTART = 0x10000000,
  SA_NODEFER = 0x40000000,
  SA_RESETHAND = INT_MIN,
  EINTR = 4
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
typedef union { /* 128 bytes */
  struct {
    int number, error, code;
  } what;
  uint64_t all[16];
} siginfo;

static struct {
  handler function;
  int flags;
  uint64_t mask;
} handlers[N_SIGNALS];
static int caught[MAX_CAUGHT]; /* signals that had a handler at some time */
static int n_caught;
bool __proviso_signals_caught;
static int came; /* number of signals from outside, if they are bounded */
static uint64_t pending;
bool __proviso_masks_change;
static _Thread_local uint64_t blocked;
static _Thread_local bool in_handler, unsafe, wrote;
static _Thread_local const char *interrupted;
static _Thread_local size_t interrupted_bytes;

/* Constants that are set when the program is known. */
int __proviso_signal_bound(void); /* the bound on arriving signals; -1: none */
int __proviso_signal_bound(void) {
  return __proviso_pick(-1, INT_MAX, "signals");
}
int __proviso_signal_posts(void); /* may handlers enable other threads? */
int __proviso_signal_posts(void) {
  return __proviso_pick(0, 1, "posts");
}

static uint64_t bit(int s) {
  return (uint64_t)1 << (s - 1);
}
static bool is_signal(int s) {
  return s > 0 && s < N_SIGNALS;
}
static bool can_catch(int s) {
  return is_signal(s) && s != SIGKILL && s != SIGSTOP;
}
static bool is_blocked(int s) {
  return blocked >> (s - 1) & 1;
}

/* ---- delivery ---- */

/* Executes the handler of the signal. */
void __proviso_signal_deliver(int s);
void __proviso_signal_deliver(int s) {
  __proviso_atomic_begin();
  handler h = handlers[s].function;
  int flags = handlers[s].flags;
  uint64_t mask = handlers[s].mask;
  if (flags & SA_RESETHAND && h != SIG_DFL && h != SIG_IGN) handlers[s].function = SIG_DFL;
  __proviso_atomic_end();
  if (h == SIG_IGN) return;
  if (h == SIG_DFL) {
    if (s == SIGCHLD || s == SIGURG || s == SIGWINCH || s == SIGCONT) return;
    __proviso_abort();
  }
  uint64_t before = blocked;
  if (!(flags & SA_NODEFER)) mask |= bit(s);
  blocked = before | mask;
  if (flags & SA_SIGINFO) {
    siginfo info = {.what = {s, 0, 0}};
    ((void (*)(int, siginfo *, void *))(uintptr_t)h)(s, &info, NULL);
  } else {
    h(s);
  }
  blocked = before;
}

/* A signal arrives after the access that the interrupted code has just made; 0 bytes: none. */
static void interrupt(int s, const void *at, size_t bytes, bool write, bool in_unsafe) {
  bool was_in = in_handler, was_unsafe = unsafe, was_write = wrote;
  const char *was_at = interrupted;
  size_t was_bytes = interrupted_bytes;
  in_handler = true;
  unsafe = was_unsafe || in_unsafe;
  interrupted = at;
  interrupted_bytes = bytes;
  wrote = write;
  __proviso_signal_deliver(s);
  in_handler = was_in;
  unsafe = was_unsafe;
  interrupted = was_at;
  interrupted_bytes = was_bytes;
  wrote = was_write;
}

/* Does the signal have a handler that may run now? */
static bool may_run(int s) {
  return handlers[s].function != SIG_DFL && handlers[s].function != SIG_IGN && !is_blocked(s);
}

static int count_one(int s, int bound) {
  if (bound >= 0) came++;
  return s;
}

/* The signal that arrives now; 0: none. */
static int next_arrival(int bound) {
  int s = 0;
  __proviso_atomic_begin();
  int n = n_caught;
  if (n > 0 && (bound < 0 || came < bound)) {
    int k = __proviso_pick(0, n, "a signal");
    if (k > 0 && may_run(caught[k - 1])) s = count_one(caught[k - 1], bound);
  }
  __proviso_atomic_end();
  return s;
}

/* The last signal within the bound has arrived. */
static void end_of_bound(int bound) {
  __proviso_atomic_begin();
  bool last = bound >= 0 && came >= bound && __proviso_pick(0, 1, "one more signal");
  __proviso_atomic_end();
  if (last) __proviso_signals_end();
}

static void arrive(const void *at, size_t bytes, bool write, bool in_unsafe) {
  int bound = __proviso_signal_bound();
  int most = bound < 0 ? __atomic_load_n(&n_caught, __ATOMIC_SEQ_CST) : bound;
  for (int i = 0; i < most; i++) {
    int s = next_arrival(bound);
    if (s == 0) return;
    interrupt(s, at, bytes, write, in_unsafe);
    end_of_bound(bound);
  }
}

void __proviso_signal_arrives(const void *at, size_t bytes, int write);
void __proviso_signal_arrives(const void *at, size_t bytes, int write) {
  if (__atomic_load_n(&n_caught, __ATOMIC_SEQ_CST)) arrive(at, bytes, write, false);
}
/* Inside of a library function that signals must not interrupt if their handlers call such
 * functions, too. */
void __proviso_signal_arrives_inside(void);
void __proviso_signal_arrives_inside(void) {
  if (__atomic_load_n(&n_caught, __ATOMIC_SEQ_CST)) arrive(NULL, 0, false, true);
}
/* Is it a handler that interrupted such a function? */
int __proviso_signal_is_inside(void);
int __proviso_signal_is_inside(void) {
  return unsafe;
}
/* Is it an access of a handler that directly follows a conflicting one of the same thread? */
int __proviso_signal_conflicts(const void *at, size_t bytes, int write);
int __proviso_signal_conflicts(const void *at, size_t bytes, int write) {
  if (interrupted_bytes == 0 || !(write || wrote)) return false;
  return __proviso_distance(interrupted, at) < interrupted_bytes ||
         __proviso_distance(at, interrupted) < bytes;
}
/* A handler was left by longjmp. */
void __proviso_signal_left(void) {
  in_handler = unsafe = wrote = false;
  interrupted_bytes = 0;
}

/* Delivers signals that were sent while they were blocked, in any order. */
static void deliver_pending(void) {
  for (;;) {
    __proviso_atomic_begin();
    uint64_t ready = pending & ~blocked;
    int s = 0;
    if (ready) {
      s = __builtin_ctzll(ready) + 1;
      if (ready & (ready - 1)) {
        s = __proviso_pick(1, N_SIGNALS - 1, "a pending signal");
        __proviso_assume(ready >> (s - 1) & 1);
      }
      pending &= ~bit(s);
    }
    __proviso_atomic_end();
    if (!s) return;
    __proviso_signal_deliver(s);
  }
}

/* The calling thread waits for a signal that has a handler. If none can come, only the environment
 * can end the program. Returns the flags of the signal. */
static int wait_for_one(void) {
  int bound = __proviso_signal_bound(), s;
  __proviso_atomic_begin();
  uint64_t ready = pending & ~blocked;
  int n = n_caught, flags;
  if (ready) {
    s = __proviso_pick(1, N_SIGNALS - 1, "a pending signal");
    __proviso_assume(ready >> (s - 1) & 1);
    pending &= ~bit(s);
  } else {
    __proviso_assume(n > 0);
    s = caught[n > 1 ? __proviso_pick(0, n - 1, "a signal") : 0];
    __proviso_assume(may_run(s));
    if (bound >= 0 && came >= bound) __proviso_signals_end();
    count_one(s, bound);
  }
  flags = handlers[s].flags;
  __proviso_atomic_end();
  interrupt(s, NULL, 0, false, false);
  end_of_bound(bound);
  return flags;
}

/* Replaces the primitive if handlers post: while the semaphore is 0, a signal may arrive first. */
int __proviso_signal_sem_wait(void *semaphore);
int __proviso_signal_sem_wait(void *semaphore) {
  while (__proviso_sem_trywait(semaphore) != 0) {
    if (__proviso_pick(0, 1, "a signal while waiting")) {
      if (!(wait_for_one() & SA_RESTART)) return EINTR;
    } else { /* a handler posts: no deadlock, because signals may always arrive */
      __proviso_assume(__proviso_sem_trywait(semaphore) == 0);
      break;
    }
  }
  return 0;
}

/* ---- handlers ---- */

static void note_caught(int s) {
  for (int i = 0; i < n_caught; i++)
    if (caught[i] == s) return;
  if (n_caught == MAX_CAUGHT) __proviso_unsupported("handlers of more than 16 signals");
  caught[n_caught] = s;
  __atomic_store_n(&__proviso_signals_caught, true, __ATOMIC_SEQ_CST);
  __atomic_store_n(&n_caught, n_caught + 1, __ATOMIC_SEQ_CST);
}

static void install(int s, handler h, int flags, uint64_t mask) {
  bool catches = h != SIG_DFL && h != SIG_IGN;
  if (catches && s == SIGABRT) PV_PROVIDED_NOT("a handler of SIGABRT that `abort` runs");
  __proviso_atomic_begin();
  handlers[s].function = h;
  handlers[s].flags = flags;
  handlers[s].mask = mask;
  if (catches) note_caught(s);
  if (h == SIG_IGN) pending &= ~bit(s);
  __proviso_atomic_end();
  if (!catches) return;
  __proviso_signal_arrives(NULL, 0, false);
  if (__proviso_signal_bound() == 0) end_of_bound(0);
  if (__proviso_signal_posts() > 1) { /* never true; it makes the function available to weaving */
    __proviso_signal_arrives_inside();
    __proviso_signal_conflicts(NULL, 0, __proviso_signal_is_inside());
    __proviso_signal_sem_wait(NULL);
  }
}
static handler set_handler(int s, handler h, int flags) {
  if (!can_catch(s)) {
    errno = EINVAL;
    return SIG_ERR;
  }
  __proviso_atomic_begin();
  handler old = handlers[s].function;
  __proviso_atomic_end();
  install(s, h, flags, 0);
  return old;
}
handler signal(int s, handler h) {
  return set_handler(s, h, SA_RESTART);
}
handler __sysv_signal(int s, handler h) {
  return set_handler(s, h, SA_RESETHAND | SA_NODEFER);
}
int sigaction(int s, const struct sigaction *restrict new, struct sigaction *restrict old) {
  if (!can_catch(s)) {
    errno = EINVAL;
    return -1;
  }
  __proviso_atomic_begin();
  handler function = handlers[s].function;
  int flags = handlers[s].flags;
  uint64_t mask = handlers[s].mask;
  __proviso_atomic_end();
  if (new) install(s, new->function, new->flags, new->mask.bits[0]);
  if (old) {
    *old = (struct sigaction){.function = function, .flags = flags};
    old->mask.bits[0] = mask;
  }
  return 0;
}

int raise(int s) {
  if (!is_signal(s)) {
    errno = EINVAL;
    return -1;
  }
  if (s == SIGKILL || s == SIGSTOP) __proviso_abort();
  if (!is_blocked(s)) {
    __proviso_signal_deliver(s);
    return 0;
  }
  __proviso_atomic_begin();
  if (handlers[s].function != SIG_IGN) pending |= bit(s);
  __proviso_atomic_end();
  return 0;
}
int kill(int process, int s) {
  if (process != 0 && process != __proviso_process())
    __proviso_unsupported("kill of another process");
  return s == 0 ? 0 : raise(s);
}
int pthread_kill(uintptr_t thread, int s) {
  if (s == 0) return 0;
  if (!is_signal(s)) return EINVAL;
  if (thread != __proviso_thread_self()) __proviso_unsupported("pthread_kill of another thread");
  return raise(s);
}

/* ---- waiting ---- */

/* What comes first, a signal or a request to cancel the thread? Where no signal can come it is the
 * request. */
static void wait_for_cancel(bool comes) {
  __proviso_test_cancel();
  if (!comes || __proviso_pick(0, 1, "cancelled while waiting")) __proviso_await_cancel();
}
int pause(void) {
  if (__proviso_has_cancel) wait_for_cancel(__atomic_load_n(&n_caught, __ATOMIC_SEQ_CST) > 0);
  wait_for_one();
  errno = EINTR;
  return -1;
}
int sigsuspend(const sigset_t *mask) {
  uint64_t before = blocked;
  blocked = mask->bits[0];
  if (__proviso_has_cancel) wait_for_cancel(__atomic_load_n(&n_caught, __ATOMIC_SEQ_CST) > 0);
  wait_for_one();
  blocked = before;
  errno = EINTR;
  return -1;
}
/* A signal that was sent, or any from outside. */
int sigwait(const sigset_t *restrict set, int *restrict result) {
  uint64_t wanted = set->bits[0];
  if (__proviso_has_cancel) wait_for_cancel(wanted != 0);
  if (!wanted) __proviso_assume(0); /* only the end of the program can end it */
  __proviso_atomic_begin();
  if (pending & wanted) wanted &= pending;
  int s = __builtin_ctzll(wanted) + 1;
  if (wanted & (wanted - 1)) {
    s = __proviso_pick(1, N_SIGNALS - 1, "the signal that comes");
    __proviso_assume(wanted >> (s - 1) & 1);
  }
  pending &= ~bit(s);
  __proviso_atomic_end();
  *result = s;
  return 0;
}
int sigpending(sigset_t *set) {
  __proviso_atomic_begin();
  *set = (sigset_t){{pending}};
  __proviso_atomic_end();
  return 0;
}
/* SIGALRM may arrive at any later time, like other signals; without a handler it ends the
 * program. */
static unsigned alarm_seconds;
unsigned alarm(unsigned seconds) {
  __proviso_atomic_begin();
  unsigned before = alarm_seconds;
  alarm_seconds = seconds;
  __proviso_atomic_end();
  if (before > INT_MAX) before = INT_MAX;
  return before ? (unsigned)__proviso_choose(0, (int)before) : 0;
}

/* ---- sets and masks ---- */

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
    __atomic_store_n(&__proviso_masks_change, true, __ATOMIC_SEQ_CST);
    uint64_t bits = new->bits[0] & ~(bit(SIGKILL) | bit(SIGSTOP));
    switch (how) {
    case 0: blocked |= bits; break;
    case 1: blocked &= ~bits; break;
    case 2: blocked = bits; break;
    default: return EINVAL;
    }
    if (before & ~blocked) {
      deliver_pending();
      __proviso_signal_arrives(NULL, 0, false);
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
