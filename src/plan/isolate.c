#include "plan/isolate.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "plan/plan.h"
#include "result/serialize.h"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#  define SANITIZED 1
#elif defined(__has_feature)
#  if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#    define SANITIZED 1
#  endif
#endif
#ifndef SANITIZED
#  define SANITIZED 0
#endif

enum {
  NO_MEMORY = 71,          /* exit status of a child that could allocate no more */
  LOOK = 50,               /* milliseconds between two looks at a child that says nothing */
  LONGEST = 1 << 30,       /* bytes of a message */
  SPARE = 64 * 1024 * 1024 /* bytes of address space beyond what the limit on memory asks for */
};

/* ---- messages ----------------------------------------------------------------------------------
 */
enum message { CHECKPOINT, PROGRESS, FINAL };
enum { MAGIC = 0x50564d31 };
struct head {
  uint32_t magic, kind; /* enum message */
  uint64_t n, hash;     /* of the bytes that follow */
};
struct final { /* in front of the result */
  uint32_t status, hit;
  uint64_t peak;
};

/* ---- the child ---------------------------------------------------------------------------------
 */
struct child {
  int fd;
};

static void write_all(int fd, const void *bytes, size_t n) {
  for (size_t done = 0; done < n;) {
    ssize_t k = write(fd, (const char *)bytes + done, n - done);
    if (k < 0 && errno != EINTR) _exit(1); /* nobody listens */
    if (k > 0) done += (size_t)k;
  }
}

static void send(const struct child *c, enum message kind, const struct pv_str *bytes) {
  struct head head = {MAGIC, kind, bytes->n, pv_hash(pv_str_cstr(bytes), bytes->n)};
  write_all(c->fd, &head, sizeof head);
  write_all(c->fd, bytes->at, bytes->n);
}

static void send_checkpoint(void *user, const struct pv_result *result) {
  struct pv_str bytes = {0};
  pv_result_write(result, &bytes);
  send(user, CHECKPOINT, &bytes);
  pv_str_free(&bytes);
}

static void send_progress(void *user, const struct pv_stats *stats) {
  struct pv_str bytes = {0};
  pv_str_addn(&bytes, (const char *)stats, sizeof *stats);
  send(user, PROGRESS, &bytes);
  pv_str_free(&bytes);
}

static void no_memory(void) {
  _exit(NO_MEMORY);
}

static void lower(int resource, uint64_t bytes) {
  struct rlimit r;
  if (getrlimit(resource, &r) != 0 || (r.rlim_cur != RLIM_INFINITY && r.rlim_cur <= bytes)) return;
  r.rlim_cur = bytes;
  setrlimit(resource, &r);
}

/* What is mapped but not resident stays so: it does not count. */
static void bound_memory(uint64_t limit) {
  uint64_t size, resident;
  if (!limit || SANITIZED || !pv_process_memory(getpid(), &size, &resident)) return;
  uint64_t more = limit > resident ? limit - resident : 0;
  lower(RLIMIT_AS, size + more + more / 10 + SPARE);
}

static void take_place(pid_t parent, int words) {
  static const int deadly[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGPIPE};
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(1); /* it ended before that */
  for (size_t i = 0; i < sizeof deadly / sizeof *deadly; i++) signal(deadly[i], SIG_DFL);
  pv_limits_obey();
  lower(RLIMIT_CORE, 0);
  pv_on_out_of_memory(no_memory);
  int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
  if (nowhere >= 0) dup2(nowhere, STDOUT_FILENO);
  if (words < 0) return;
  dup2(words, STDERR_FILENO);
  close(words);
}

static _Noreturn void work(const struct pv_engine *engine, const struct pv_task *task, int fd) {
  struct child child = {fd};
  struct pv_task own = *task;
  struct pv_limits limits = *task->limits;
  struct pv_result result = {0};
  struct pv_str bytes = {0};
  bound_memory(limits.memory);
  own.limits = &limits;
  own.checkpoint = send_checkpoint;
  own.checkpoint_user = &child;
  own.progress = task->progress ? send_progress : NULL;
  own.progress_user = &child;
  enum pv_status status = engine->run(&own, &result);
  struct final final = {status, limits.hit, limits.peak};
  pv_str_addn(&bytes, (const char *)&final, sizeof final);
  pv_result_write(&result, &bytes);
  send(&child, FINAL, &bytes);
  _exit(0);
}

/* ---- the parent --------------------------------------------------------------------------------
 */
struct watch {
  const struct pv_engine *engine;
  const struct pv_task *task;
  pid_t pid;
  int fd;              /* nothing is read from it any more: -1 */
  int words;           /* a file in memory: what the child writes to standard error; -1: nowhere */
  struct pv_str inbox; /* the beginning of a message */
  bool broken;         /* what came is no message */
  bool taken;          /* `result` is the last one that came */
  bool final;          /* ... and the engine's own */
  struct final end;
  struct pv_result result;
  enum pv_limit told; /* why the child was asked to end ... */
  double since;       /* ... and when */
  bool killed;
  int status; /* as wait4 tells */
  struct rusage usage;
};

static void take_result(struct watch *w, const char *bytes, size_t n) {
  struct pv_result r = {0};
  if (!pv_result_read(bytes, n, &r)) {
    w->broken = true;
    return;
  }
  pv_result_clear(&w->result);
  w->result = r;
  w->taken = true;
}

static void take_message(struct watch *w, enum message kind, const char *bytes, size_t n) {
  struct pv_stats stats;
  if (w->final) { /* there is nothing behind it */
    w->broken = true;
    return;
  }
  switch (kind) {
  case CHECKPOINT: take_result(w, bytes, n); return;
  case PROGRESS:
    w->broken = n != sizeof stats;
    if (w->broken || !w->task->progress) return;
    memcpy(&stats, bytes, sizeof stats);
    w->task->progress(w->task->progress_user, &stats);
    return;
  case FINAL:
    w->broken = n < sizeof w->end;
    if (w->broken) return;
    memcpy(&w->end, bytes, sizeof w->end);
    w->final = true;
    if (w->end.status == PV_OK) take_result(w, bytes + sizeof w->end, n - sizeof w->end);
    w->broken |= w->end.hit > PV_LIMIT_INTERRUPT;
    return;
  }
  w->broken = true;
}

/* Takes the messages that are complete out of the inbox. */
static void take_messages(struct watch *w) {
  size_t at = 0;
  while (!w->broken && w->inbox.n - at >= sizeof(struct head)) {
    struct head head;
    memcpy(&head, w->inbox.at + at, sizeof head);
    if (head.magic != MAGIC || head.kind > FINAL || head.n > LONGEST) {
      w->broken = true;
      break;
    }
    if (w->inbox.n - at - sizeof head < head.n) break;
    const char *bytes = w->inbox.at + at + sizeof head;
    if (pv_hash(bytes, head.n) != head.hash)
      w->broken = true;
    else
      take_message(w, (enum message)head.kind, bytes, head.n);
    at += sizeof head + head.n;
  }
  if (w->broken || !at) return;
  memmove(w->inbox.at, w->inbox.at + at, w->inbox.n - at);
  w->inbox.n -= at;
}

/* Reads what there is without waiting. */
static void receive(struct watch *w) {
  char bytes[65536];
  while (w->fd >= 0 && !w->broken) {
    ssize_t n = read(w->fd, bytes, sizeof bytes);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0 && errno == EAGAIN) return;
    if (n <= 0) { /* its end */
      close(w->fd);
      w->fd = -1;
      return;
    }
    pv_str_addn(&w->inbox, bytes, (size_t)n);
    take_messages(w);
  }
}

static void tell(struct watch *w, enum pv_limit why) {
  pv_limits_tell(w->pid, why);
  w->told = why;
  w->since = pv_clock();
}

static void stop(struct watch *w) {
  if (!w->killed) kill(w->pid, SIGKILL);
  w->killed = true;
}

static uint64_t memory_of(const struct watch *w) {
  uint64_t size, resident;
  return pv_process_memory(w->pid, &size, &resident) ? resident : 0;
}

/* An engine that heeds its limits ends before the parent has to say anything. */
static void watch_limits(struct watch *w) {
  const struct pv_limits *l = w->task->limits;
  const double patience = 2 + (l->seconds < 200 ? l->seconds : 200) / 20;
  uint64_t memory = l->memory ? memory_of(w) : 0;
  if (w->broken) stop(w);
  if (w->told == PV_LIMIT_NONE) {
    if (pv_limits_interrupted())
      tell(w, PV_LIMIT_INTERRUPT);
    else if (l->seconds > 0 && pv_limits_elapsed(l) > l->seconds + 0.1)
      tell(w, PV_LIMIT_TIME);
    else if (l->memory && memory > l->memory + l->memory / 20)
      tell(w, PV_LIMIT_MEMORY);
  } else if (pv_clock() - w->since > patience) {
    stop(w);
  }
  if (l->memory && memory > l->memory + l->memory / 4) {
    w->told = PV_LIMIT_MEMORY;
    stop(w);
  }
}

static bool has_ended(struct watch *w) {
  pid_t pid = wait4(w->pid, &w->status, WNOHANG, &w->usage);
  return pid == w->pid || (pid < 0 && errno != EINTR);
}

static void observe(struct watch *w) {
  while (!has_ended(w)) {
    struct pollfd p = {w->fd, POLLIN, 0};
    poll(&p, 1, w->fd < 0 || w->broken ? LOOK / 10 : LOOK);
    receive(w);
    watch_limits(w);
  }
  receive(w);
}

/* ---- what is made of it ------------------------------------------------------------------------
 */
static bool is_right(const struct watch *w) {
  bool orderly = WIFEXITED(w->status) && WEXITSTATUS(w->status) == 0;
  return w->final && w->end.status == PV_OK && w->taken && !w->broken && !w->inbox.n && orderly;
}

/* The first line that the child wrote to standard error, or NULL. */
static char *last_words(const struct watch *w) {
  enum { MOST = 120 };
  char text[MOST + 1];
  ssize_t n = w->words >= 0 ? pread(w->words, text, MOST, 0) : 0;
  text[n > 0 ? n : 0] = 0;
  text[strcspn(text, "\n")] = 0;
  return *text ? pv_strdup(text) : NULL;
}

/* How the process ended, where that was not in order. */
static char *explain_end(const struct watch *w) {
  if (w->killed && w->told != PV_LIMIT_NONE) return pv_strdup("it had to be killed");
  if (w->broken || (w->final && w->inbox.n)) return pv_strdup("its answer could not be read");
  if (WIFSIGNALED(w->status))
    return pv_format("signal %d, %s", WTERMSIG(w->status), strsignal(WTERMSIG(w->status)));
  if (WIFEXITED(w->status) && WEXITSTATUS(w->status) == NO_MEMORY)
    return pv_strdup("out of memory");
  if (WIFEXITED(w->status) && WEXITSTATUS(w->status))
    return pv_format("exit status %d", WEXITSTATUS(w->status));
  if (w->final) return pv_strdup("an internal error");
  return pv_strdup("it ended without an answer");
}

/* Why the engine did not end in order: "signal 6, Aborted; it said: ASSERTION VIOLATION". */
static char *explain(const struct watch *w) {
  char *end = explain_end(w), *words = w->killed ? NULL : last_words(w);
  if (!words) return end;
  char *both = pv_format("%s; it said: %s", end, words);
  free(end);
  free(words);
  return both;
}

static enum pv_proviso_kind kind_of(const struct watch *w) {
  static const enum pv_proviso_kind kinds[] = {
      [PV_LIMIT_TIME] = PV_PROVISO_TIME,           [PV_LIMIT_MEMORY] = PV_PROVISO_MEMORY,
      [PV_LIMIT_STATES] = PV_PROVISO_STATES,       [PV_LIMIT_DEPTH] = PV_PROVISO_DEPTH,
      [PV_LIMIT_INTERRUPT] = PV_PROVISO_INTERRUPT, [PV_LIMIT_NONE] = PV_PROVISO_CRASH};
  uint64_t limit = w->task->limits->memory, peak = (uint64_t)w->usage.ru_maxrss * 1024;
  if (w->told != PV_LIMIT_NONE) return kinds[w->told];
  if (WIFEXITED(w->status) && WEXITSTATUS(w->status) == NO_MEMORY) return PV_PROVISO_MEMORY;
  /* libraries abort or crash when malloc gives them nothing */
  if (limit && !w->broken && peak > limit - limit / 10) return PV_PROVISO_MEMORY;
  return PV_PROVISO_CRASH;
}

/* The errors of an engine that failed count if they can be seen here, for which there is a little
 * time even if the run was to end. */
static void confirm(const struct pv_task *task, struct pv_violation *v) {
  struct pv_violation again = {0};
  struct pv_error_key key = {v->property, v->span, v->message}, got;
  struct pv_limits limits = *task->limits;
  struct pv_task own = *task;
  bool interrupted = pv_limits_interrupted();
  limits.hit = PV_LIMIT_NONE;
  limits.started = pv_clock();
  limits.seconds = 2 + limits.seconds / 20;
  own.limits = &limits;
  pv_limits_clear_interrupt();
  bool seen = v->replayed && pv_plan_replay(&own, &v->path, &key, &again) == PV_OK;
  if (interrupted) pv_limits_interrupt();
  got = (struct pv_error_key){again.property, again.span, again.message};
  v->replayed = seen && again.replayed && pv_error_is(&key, &got);
  pv_violation_clear(&again);
}

static void conclude_failure(struct watch *w, const char *why, enum pv_proviso_kind kind,
                             struct pv_result *r) {
  uint32_t confirmed = 0;
  *r = w->result;
  for (uint32_t i = 0; i < r->violations.n; i++) {
    confirm(w->task, &r->violations.at[i]);
    confirmed += r->violations.at[i].replayed;
  }
  if (w->taken)
    pv_condition_add(&r->condition, kind, NULL, 0,
                     "no error lies beyond what the engine `%s` had verified when it failed (%s)",
                     w->engine->name, why);
  else
    pv_condition_add(&r->condition, kind, NULL, 0,
                     "the whole program has no error: the engine `%s` failed (%s)", w->engine->name,
                     why);
  if (!w->taken) r->checked = w->task->properties;
  if (confirmed)
    r->verdict = PV_FALSE;
  else if (r->verdict == PV_FALSE)
    r->verdict = PV_UNKNOWN;
  else if (r->verdict == PV_TRUE)
    r->verdict = PV_CONDITIONAL;
  if (r->verdict == PV_UNKNOWN && !r->reason)
    r->reason = pv_format("the engine `%s` failed: %s", w->engine->name, why);
}

static double seconds_of(struct timeval t) {
  return (double)t.tv_sec + (double)t.tv_usec * 1e-6;
}

static void measure(const struct watch *w, struct pv_result *r) {
  struct pv_limits *l = w->task->limits;
  uint64_t peak = (uint64_t)w->usage.ru_maxrss * 1024;
  double cpu = seconds_of(w->usage.ru_utime) + seconds_of(w->usage.ru_stime);
  l->children += cpu;
  if (peak > l->peak) l->peak = peak;
  if (w->final && l->hit == PV_LIMIT_NONE && !w->broken) l->hit = (enum pv_limit)w->end.hit;
  if (l->hit == PV_LIMIT_NONE) l->hit = w->told;
  r->stats.seconds = pv_limits_elapsed(l);
  r->stats.cpu_seconds = cpu;
  if (peak > r->stats.peak_memory) r->stats.peak_memory = peak;
}

/* false: no process could be started, errno says why. */
static bool start(struct watch *w) {
  int fds[2];
  pid_t parent = getpid();
  if (pipe2(fds, O_CLOEXEC) != 0) return false;
  fflush(NULL); /* so that nothing is written twice */
  /* What libraries print is not for the user's terminal; reports of sanitizers are. */
  w->words = SANITIZED ? -1 : memfd_create("words", MFD_CLOEXEC);
  w->pid = fork();
  if (w->pid == 0) {
    close(fds[0]);
    take_place(parent, w->words);
    work(w->engine, w->task, fds[1]);
  }
  int error = errno;
  close(fds[1]);
  if (w->pid < 0) close(fds[0]);
  errno = error;
  if (w->pid < 0) return false;
  w->fd = fds[0];
  fcntl(w->fd, F_SETFL, O_NONBLOCK);
  return true;
}

enum pv_status pv_isolate(const struct pv_engine *engine, const struct pv_task *task,
                          struct pv_result *result) {
  struct watch w = {.engine = engine, .task = task, .fd = -1, .words = -1};
  if (!start(&w)) {
    char *why = pv_format("no process could be started: %s", strerror(errno));
    conclude_failure(&w, why, PV_PROVISO_CRASH, result);
    free(why);
    return PV_OK;
  }
  observe(&w);
  if (is_right(&w)) {
    *result = w.result;
  } else {
    char *why = explain(&w);
    conclude_failure(&w, why, kind_of(&w), result);
    free(why);
  }
  measure(&w, result);
  if (w.fd >= 0) close(w.fd);
  if (w.words >= 0) close(w.words);
  pv_str_free(&w.inbox);
  return PV_OK;
}
