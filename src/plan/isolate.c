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
#include <time.h>
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
  NO_MEMORY = 71,          /* exit status of a child that could not allocate memory */
  LOOK = 50,               /* milliseconds between two checks of a child that sends nothing */
  SPARE = 64 * 1024 * 1024 /* bytes of address space in addition to the memory limit */
};

/* ---- messages ----------------------------------------------------------------------------------
 */
enum message { CHECKPOINT, PROGRESS, STOPS, FINAL };
enum { MAGIC = 0x50564d31 };
static const uint64_t LONGEST = UINT32_MAX; /* a bound on the bytes of a message */
struct head {
  uint32_t magic, kind; /* kind: enum message */
  uint64_t n, hash;     /* number and hash of the bytes that follow */
};
struct final { /* comes before the result */
  uint32_t status, hit;
  uint64_t peak;
};

/* ---- the child ---------------------------------------------------------------------------------
 */
struct child {
  int fd;
  struct pv_supervision *supervision; /* shared with the parent */
  bool rare;                          /* progress is only for the parent, so it is sent rarely */
  double told;                        /* when it was sent last */
};

static void write_all(int fd, const void *bytes, size_t n) {
  for (size_t done = 0; done < n;) {
    ssize_t k = write(fd, (const char *)bytes + done, n - done);
    if (k < 0 && errno != EINTR) _exit(1); /* the parent is gone */
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
  struct child *c = user;
  struct pv_str bytes = {0};
  double now = pv_clock();
  if (c->rare && now - c->told < 0.05) return;
  c->told = now;
  pv_str_addn(&bytes, (const char *)stats, sizeof *stats);
  send(user, PROGRESS, &bytes);
  pv_str_free(&bytes);
}

/* Stops this process until the parent lets it continue. */
static void stop_here(void *user) {
  struct child *c = user;
  struct pv_str nothing = {0};
  c->supervision->states = 0;
  send(c, STOPS, &nothing);
  raise(SIGSTOP);
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

/* Bounds the address space. Memory that is mapped but not resident does not count as used, so it is
 * added. */
static void bound_memory(uint64_t limit) {
  uint64_t size, resident;
  if (!limit || SANITIZED || !pv_process_memory(getpid(), &size, &resident)) return;
  uint64_t more = limit > resident ? limit - resident : 0;
  lower(RLIMIT_AS, size + more + more / 10 + SPARE);
}

static void take_place(pid_t parent, int words) {
  static const int deadly[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGPIPE};
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  setpgid(0, 0); /* so that signals of a terminal, SIGCONT included, reach only the parent */
  if (getppid() != parent) _exit(1); /* the parent ended before that */
  for (size_t i = 0; i < sizeof deadly / sizeof *deadly; i++) signal(deadly[i], SIG_DFL);
  pv_limits_accept_stop_requests();
  lower(RLIMIT_CORE, 0);
  pv_on_out_of_memory(no_memory);
  int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
  if (nowhere >= 0) dup2(nowhere, STDOUT_FILENO);
  if (words < 0) return;
  dup2(words, STDERR_FILENO);
  close(words);
}

static _Noreturn void work(const struct pv_engine *engine, const struct pv_task *task, int fd,
                           struct pv_supervision *supervision) {
  struct child child = {.fd = fd, .supervision = supervision, .rare = !task->progress};
  struct pv_task own = *task;
  own.process_ends = true;
  struct pv_limits limits = *task->limits;
  struct pv_result result = {0};
  struct pv_str bytes = {0};
  if (engine->isolated) bound_memory(limits.memory);
  pv_clock_pauses(supervision);
  limits.supervision = supervision;
  limits.stop = stop_here;
  limits.stop_user = &child;
  own.limits = &limits;
  own.checkpoint = send_checkpoint;
  own.checkpoint_user = &child;
  own.sharing = NULL;
  own.progress = send_progress;
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
struct pv_run {
  const struct pv_engine *engine;
  struct pv_task task;
  struct pv_supervision *supervision; /* shared with the child */
  pid_t pid;                          /* 0: not started */
  int fd;                             /* -1: nothing is read from it any more */
  int words;           /* a memory file that receives the child's standard error; -1: none */
  struct pv_str inbox; /* the bytes of an incomplete message */
  bool broken;         /* the child sent something that is no message */
  bool taken;          /* `result` is valid, the last one that came */
  bool final;          /* ... and it is the engine's final one */
  struct final end;
  struct pv_result result;
  struct pv_stats stats; /* the last ones that were sent */
  enum pv_limit told;    /* why the child was asked to end ... */
  double since;          /* ... and when */
  double cpu_when_told;  /* its CPU time then */
  bool killed;
  bool stopped, ended;
  int start_error;      /* errno if the process could not be started */
  double stopped_since; /* a time of pv_clock */
  double seconds;       /* time for which it ran */
  int status;           /* as returned by wait4 */
  struct rusage usage;
};

static void take_result(struct pv_run *w, const char *bytes, size_t n) {
  struct pv_result r = {0};
  if (!pv_result_read(bytes, n, &r)) {
    w->broken = true;
    return;
  }
  pv_result_clear(&w->result);
  w->result = r;
  w->taken = true;
}

static uint64_t memory_of(const struct pv_run *w) {
  uint64_t size, resident;
  return pv_process_memory(w->pid, &size, &resident) ? resident : 0;
}

static void take_message(struct pv_run *w, enum message kind, const char *bytes, size_t n) {
  if (w->final) { /* nothing follows */
    w->broken = true;
    return;
  }
  switch (kind) {
  case CHECKPOINT:
    take_result(w, bytes, n);
    if (!w->broken && w->task.checkpoint) w->task.checkpoint(w->task.checkpoint_user, &w->result);
    return;
  case PROGRESS:
    w->broken = n != sizeof w->stats;
    if (w->broken) return;
    memcpy(&w->stats, bytes, sizeof w->stats);
    w->stats.engine = w->engine->name;
    w->stats.peak_memory = memory_of(w); /* so far */
    if (w->task.progress) w->task.progress(w->task.progress_user, &w->stats);
    return;
  case STOPS: w->broken = n != 0; return;
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

/* Handles the complete messages in the inbox. */
static void take_messages(struct pv_run *w) {
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

/* Reads what is available, without waiting. */
static void receive(struct pv_run *w) {
  char bytes[65536];
  while (w->fd >= 0 && !w->broken) {
    ssize_t n = read(w->fd, bytes, sizeof bytes);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0 && errno == EAGAIN) return;
    if (n <= 0) { /* end of file */
      close(w->fd);
      w->fd = -1;
      return;
    }
    pv_str_addn(&w->inbox, bytes, (size_t)n);
    take_messages(w);
  }
}

/* CPU seconds of the child so far, without those of its own children. */
static double cpu_of(const struct pv_run *w) {
  struct timespec t;
  clockid_t clock;
  if (clock_getcpuclockid(w->pid, &clock) != 0 || clock_gettime(clock, &t) != 0) return 0;
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void tell(struct pv_run *w, enum pv_limit why) {
  pv_limits_request_stop(w->pid, why);
  w->told = why;
  w->since = pv_clock();
  w->cpu_when_told = cpu_of(w);
}

static void stop(struct pv_run *w) {
  if (!w->killed) kill(w->pid, SIGKILL);
  w->killed = true;
}

/* Has the child had enough time to end, since it was told to? In CPU time, because others may be
 * told at the same moment, or the machine may be busy; but bounded. */
static bool is_late(const struct pv_run *w) {
  enum { LONGER = 4 };
  const double seconds = w->task.limits->seconds;
  const double grace = 1 + (seconds < 200 ? seconds : 200) / 100;
  return cpu_of(w) - w->cpu_when_told > grace || pv_clock() - w->since > LONGER * grace;
}

/* Asks the child to end if it exceeds its limits by a margin. An engine that checks its limits ends
 * before that. */
static void watch_limits(struct pv_run *w) {
  const struct pv_limits *l = w->task.limits;
  uint64_t memory = l->memory ? memory_of(w) : 0;
  if (w->broken) stop(w);
  if (w->told == PV_LIMIT_NONE) {
    if (pv_limits_interrupted())
      tell(w, PV_LIMIT_INTERRUPT);
    else if (l->seconds > 0 && pv_limits_elapsed(l) > l->seconds + 0.1)
      tell(w, PV_LIMIT_TIME);
    else if (l->memory && memory > l->memory + l->memory / 20)
      tell(w, PV_LIMIT_MEMORY);
  } else if (is_late(w)) {
    stop(w);
  }
  if (l->memory && memory > l->memory + l->memory / 4) {
    w->told = PV_LIMIT_MEMORY;
    stop(w);
  }
}

/* Updates the state of the child process. */
static void ask_kernel(struct pv_run *w, int flags) {
  int status;
  pid_t pid;
  do pid = wait4(w->pid, &status, flags | WUNTRACED, &w->usage);
  while (pid < 0 && errno == EINTR);
  if (!pid) return;
  w->stopped = pid == w->pid && WIFSTOPPED(status);
  w->ended = !w->stopped;
  w->status = status;
}

/* Seconds left in a slice. On a busy machine it is longer, but bounded. */
static double left_of(const struct pv_run *w, const struct pv_run_slice *slice, double cpu,
                      double began) {
  enum { LONGER = 4 };
  double by_cpu = slice->seconds - (cpu_of(w) - cpu);
  double by_wall = LONGER * slice->seconds - (pv_clock() - began);
  return by_cpu < by_wall ? by_cpu : by_wall;
}

static int milliseconds(const struct pv_run *w, double left) {
  int most = w->fd < 0 || w->broken ? 1 : LOOK;
  return left * 1000 + 1 < most ? (int)(left * 1000) + 1 : most;
}

/* Waits until the child ends, its slice is over, or it stops itself. */
static void observe(struct pv_run *w, const struct pv_run_slice *slice) {
  double began = pv_clock(), cpu = slice ? cpu_of(w) : 0, left = LOOK;
  for (ask_kernel(w, WNOHANG); !w->ended; ask_kernel(w, WNOHANG)) {
    bool asked = w->told != PV_LIMIT_NONE;
    if (slice && !asked && w->stopped) break;
    if (slice && slice->seconds > 0 && !asked) left = left_of(w, slice, cpu, began);
    if (left <= 0) {
      kill(w->pid, SIGSTOP);
      ask_kernel(w, 0);
      break;
    }
    struct pollfd p = {w->fd, POLLIN, 0};
    poll(&p, 1, milliseconds(w, left));
    receive(w);
    watch_limits(w);
    if (w->told != PV_LIMIT_NONE) left = LOOK;
  }
  receive(w);
  w->seconds += pv_clock() - began;
  if (w->stopped) w->stopped_since = pv_clock();
}

/* ---- what is made of it ------------------------------------------------------------------------
 */
static bool is_right(const struct pv_run *w) {
  bool orderly = WIFEXITED(w->status) && WEXITSTATUS(w->status) == 0;
  return w->final && w->end.status == PV_OK && w->taken && !w->broken && !w->inbox.n && orderly;
}

/* The first line that the child wrote to standard error, or NULL. */
static char *last_words(const struct pv_run *w) {
  enum { MOST = 120 };
  char text[MOST + 1];
  ssize_t n = w->words >= 0 ? pread(w->words, text, MOST, 0) : 0;
  text[n > 0 ? n : 0] = 0;
  text[strcspn(text, "\n")] = 0;
  return *text ? pv_strdup(text) : NULL;
}

/* How the process ended, if abnormally; else NULL. */
static char *explain_end(const struct pv_run *w) {
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

/* Why the engine ended abnormally: "signal 6, Aborted; it said: ASSERTION VIOLATION". */
static char *explain(const struct pv_run *w) {
  char *end = explain_end(w), *words = w->killed ? NULL : last_words(w);
  if (!words) return end;
  char *both = pv_format("%s; it said: %s", end, words);
  free(end);
  free(words);
  return both;
}

static enum pv_proviso_kind kind_of(const struct pv_run *w) {
  uint64_t limit = w->task.limits->memory, peak = (uint64_t)w->usage.ru_maxrss * 1024;
  if (w->told != PV_LIMIT_NONE) return pv_proviso_of_limit(w->told);
  if (WIFEXITED(w->status) && WEXITSTATUS(w->status) == NO_MEMORY) return PV_PROVISO_MEMORY;
  /* libraries abort or crash if malloc fails */
  if (limit && !w->broken && peak > limit - limit / 10) return PV_PROVISO_MEMORY;
  return PV_PROVISO_CRASH;
}

/* Replays the error of an engine that failed: it counts only if it can be reproduced here. It gets
 * a little time even after the limit. */
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

static void conclude_failure(struct pv_run *w, const char *why, enum pv_proviso_kind kind,
                             struct pv_result *r) {
  uint32_t confirmed = 0;
  *r = w->result;
  for (uint32_t i = 0; i < r->violations.n; i++) {
    confirm(&w->task, &r->violations.at[i]);
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
  if (!w->taken) r->checked = w->task.properties;
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

static void measure(const struct pv_run *w, struct pv_result *r) {
  struct pv_limits *l = w->task.limits;
  uint64_t peak = (uint64_t)w->usage.ru_maxrss * 1024;
  double cpu = seconds_of(w->usage.ru_utime) + seconds_of(w->usage.ru_stime);
  if (peak > l->peak) l->peak = peak;
  if (w->final && l->hit == PV_LIMIT_NONE && !w->broken) l->hit = (enum pv_limit)w->end.hit;
  if (l->hit == PV_LIMIT_NONE) l->hit = w->told;
  r->stats.seconds = w->seconds;
  r->stats.cpu_seconds = cpu;
  if (peak > r->stats.peak_memory) r->stats.peak_memory = peak;
}

/* Starts the child process. Returns false with errno set if this is impossible. */
static bool start(struct pv_run *w) {
  int fds[2];
  pid_t parent = getpid();
  if (pipe2(fds, O_CLOEXEC) != 0) return false;
  fflush(NULL); /* so that the child does not write it again */
  /* Output of libraries is not shown to the user; reports of sanitizers are. */
  w->words = SANITIZED ? -1 : memfd_create("words", MFD_CLOEXEC);
  w->pid = fork();
  if (w->pid == 0) {
    close(fds[0]);
    take_place(parent, w->words);
    work(w->engine, &w->task, fds[1], w->supervision);
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

/* ---- a run -------------------------------------------------------------------------------------
 */
struct pv_run *pv_run_open(const struct pv_engine *engine, const struct pv_task *task) {
  struct pv_run *w = pv_alloc(sizeof *w);
  *w = (struct pv_run){.engine = engine, .task = *task, .fd = -1, .words = -1};
  void *page =
      mmap(NULL, sizeof *w->supervision, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (page == MAP_FAILED) pv_out_of_memory();
  w->supervision = page;
  return w;
}

static void go_on(struct pv_run *w) {
  if (!w->stopped) return;
  w->supervision->paused += (uint64_t)((pv_clock() - w->stopped_since) * 1e9);
  w->stopped = false;
  kill(w->pid, SIGCONT);
}

bool pv_run_continue(struct pv_run *w, const struct pv_run_slice *slice) {
  if (w->ended) return true;
  w->supervision->states = slice ? slice->states : 0;
  w->supervision->memory = slice ? slice->memory : 0;
  if (w->pid)
    go_on(w);
  else if (!start(w)) {
    w->start_error = errno;
    w->ended = true;
    return true;
  }
  observe(w, slice);
  return w->ended;
}

bool pv_run_poll(struct pv_run *w) {
  if (w->ended) return true;
  ask_kernel(w, WNOHANG);
  receive(w);
  if (!w->ended) watch_limits(w);
  return w->ended;
}

void pv_run_request_end(struct pv_run *w, enum pv_limit why) {
  if (w->ended || !w->pid) return;
  w->supervision->states = w->supervision->memory = 0;
  if (w->told == PV_LIMIT_NONE) tell(w, why);
  go_on(w);
}

static void reap(struct pv_run *w) {
  if (!w->pid || w->ended || w->start_error) return;
  kill(w->pid, SIGKILL);
  w->killed = true;
  while (!w->ended) ask_kernel(w, 0);
}

void pv_run_result(struct pv_run *w, struct pv_result *result) {
  PV_REQUIRE(w->ended, "a run that goes on has no result");
  if (w->start_error || !is_right(w)) {
    char *why = w->start_error
                    ? pv_format("no process could be started: %s", strerror(w->start_error))
                    : explain(w);
    conclude_failure(w, why, w->start_error ? PV_PROVISO_CRASH : kind_of(w), result);
    free(why);
  } else {
    *result = w->result;
  }
  w->result = (struct pv_result){0};
  if (!w->start_error) measure(w, result);
}

const struct pv_result *pv_run_interim(const struct pv_run *run) {
  return run->taken ? &run->result : NULL;
}

const struct pv_stats *pv_run_stats(const struct pv_run *w) {
  return &w->stats;
}

uint64_t pv_run_memory(const struct pv_run *w) {
  return w->pid && !w->ended ? memory_of(w) : 0;
}

double pv_run_seconds(const struct pv_run *w) {
  return w->pid > 0 && !w->ended ? cpu_of(w) : 0;
}

void pv_run_close(struct pv_run *w) {
  if (!w) return;
  reap(w);
  w->task.limits->children += seconds_of(w->usage.ru_utime) + seconds_of(w->usage.ru_stime);
  if (w->fd >= 0) close(w->fd);
  if (w->words >= 0) close(w->words);
  munmap(w->supervision, sizeof *w->supervision);
  pv_result_clear(&w->result);
  pv_str_free(&w->inbox);
  free(w);
}

enum pv_status pv_isolate(const struct pv_engine *engine, const struct pv_task *task,
                          struct pv_result *result) {
  struct pv_run *w = pv_run_open(engine, task);
  while (!pv_run_continue(w, NULL)) continue;
  pv_run_result(w, result);
  pv_run_close(w);
  return PV_OK;
}
