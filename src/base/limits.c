#include "base/limits.h"

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

static volatile sig_atomic_t interrupted; /* an enum pv_limit */

static const struct pv_supervision *pauses;

void pv_clock_pauses(const struct pv_supervision *s) {
  pauses = s;
}

double pv_clock(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  double now = (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
  return pauses ? now - (double)pauses->paused * 1e-9 : now;
}

double pv_cpu_clock(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static bool read_memory(const char *path, uint64_t *size, uint64_t *resident) {
  unsigned long long pages[2];
  FILE *f = fopen(path, "re");
  if (!f) return false;
  int n = fscanf(f, "%llu %llu", &pages[0], &pages[1]);
  fclose(f);
  *size = n == 2 ? (uint64_t)pages[0] * (uint64_t)sysconf(_SC_PAGESIZE) : 0;
  *resident = n == 2 ? (uint64_t)pages[1] * (uint64_t)sysconf(_SC_PAGESIZE) : 0;
  return n == 2;
}

uint64_t pv_resident_memory(void) {
  uint64_t size, resident;
  return read_memory("/proc/self/statm", &size, &resident) ? resident : 0;
}

bool pv_process_memory(pid_t process, uint64_t *size, uint64_t *resident) {
  char path[64];
  snprintf(path, sizeof path, "/proc/%ld/statm", (long)process);
  return read_memory(path, size, resident);
}

/* ---- the machine's memory -------------------------------------------------------------------- */

/* Reads the number in a cgroup's limit file. "max" and unreadable files set no limit. */
static void lower_to_file(const char *path, uint64_t *limit) {
  unsigned long long value;
  FILE *f = fopen(path, "re");
  if (!f) return;
  if (fscanf(f, "%llu", &value) == 1 && value > 0 && value < *limit) *limit = value;
  fclose(f);
}

/* Applies the limit of a cgroup and of all enclosing cgroups. */
static void lower_to_cgroup(const char *root, const char *group, const char *file,
                            uint64_t *limit) {
  char *path = pv_strdup(group);
  for (;;) {
    char *full = pv_format("%s%s/%s", root, path, file);
    lower_to_file(full, limit);
    free(full);
    char *slash = strrchr(path, '/');
    if (!slash || !*path) break;
    *slash = '\0';
  }
  free(path);
}

static void lower_to_cgroups(uint64_t *limit) {
  char *line = NULL;
  size_t cap = 0;
  FILE *f = fopen("/proc/self/cgroup", "re");
  if (!f) return;
  while (getline(&line, &cap, f) > 0) { /* "id:controllers:path" */
    line[strcspn(line, "\n")] = '\0';
    char *names = strchr(line, ':');
    char *group = names ? strchr(names + 1, ':') : NULL;
    if (!group) continue;
    *group++ = '\0';
    if (!strcmp(names, ":"))
      lower_to_cgroup("/sys/fs/cgroup", group, "memory.max", limit);
    else if (strstr(names, "memory"))
      lower_to_cgroup("/sys/fs/cgroup/memory", group, "memory.limit_in_bytes", limit);
  }
  free(line);
  fclose(f);
}

uint64_t pv_limits_default_memory(void) {
  long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
  uint64_t limit = pages > 0 && page > 0 ? (uint64_t)pages * (uint64_t)page : UINT64_MAX;
  struct rlimit r;
  if (getrlimit(RLIMIT_AS, &r) == 0 && r.rlim_cur != RLIM_INFINITY && r.rlim_cur < limit)
    limit = r.rlim_cur;
  lower_to_cgroups(&limit);
  return limit == UINT64_MAX ? 0 : limit / 10 * 8;
}

/* ---- parsing --------------------------------------------------------------------------------- */
struct unit {
  const char *name;
  double factor;
};
static const struct unit time_units[] = {{"", 1},     {"s", 1},    {"ms", 1e-3}, {"m", 60},
                                         {"min", 60}, {"h", 3600}, {"d", 86400}, {NULL, 0}};
static const struct unit memory_units[] = {
    {"", 1},      {"B", 1},        {"kB", 1e3},      {"KB", 1e3},         {"MB", 1e6}, {"GB", 1e9},
    {"TB", 1e12}, {"KiB", 1024.0}, {"MiB", 1048576}, {"GiB", 1073741824}, {NULL, 0}};
static const struct unit count_units[] = {{"", 1}, {"k", 1e3}, {"M", 1e6}, {"G", 1e9}, {NULL, 0}};

/* Digits with at most one point: strtod alone would also take "inf", "nan" and "0x1p3". */
static bool parse_quantity(const char *text, size_t n, const struct unit *units, double *out) {
  char word[64];
  if (n == 0 || n >= sizeof word) return false;
  memcpy(word, text, n);
  word[n] = '\0';
  size_t digits = strspn(word, "0123456789.");
  if (!digits || word[digits - 1] == '.' || word[0] == '.') return false;
  if (memchr(word, '.', digits) != memrchr(word, '.', digits)) return false;
  for (const struct unit *u = units; u->name; u++) {
    if (strcmp(u->name, word + digits) != 0) continue;
    word[digits] = '\0';
    *out = strtod(word, NULL) * u->factor;
    return isfinite(*out) && *out <= 9e18;
  }
  return false;
}

bool pv_limits_quantity(const char *text, size_t n, enum pv_unit unit, double *out) {
  const struct unit *const units[] = {time_units, memory_units, count_units};
  return parse_quantity(text, n, units[unit], out);
}

/* One KEY=VALUE of `n` bytes. */
static enum pv_status parse_limit(const char *text, size_t n, struct pv_limits *limits,
                                  struct pv_str *err) {
  static const struct {
    const char *key, *example;
    const struct unit *units;
  } keys[] = {{"time", "60s", time_units},
              {"memory", "2GB", memory_units},
              {"states", "1000000", count_units},
              {"depth", "5000", count_units}};
  uint64_t *const counts[] = {NULL, &limits->memory, &limits->states, &limits->depth};
  const char *equals = memchr(text, '=', n);
  size_t key_length = equals ? (size_t)(equals - text) : n;
  for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
    double value;
    if (strlen(keys[i].key) != key_length || memcmp(keys[i].key, text, key_length) != 0) continue;
    if (!equals || !parse_quantity(equals + 1, n - key_length - 1, keys[i].units, &value)) {
      if (err)
        pv_str_addf(err, "limit `%.*s`: the value is not of the form %s=%s", (int)n, text,
                    keys[i].key, keys[i].example);
      return PV_E_INPUT;
    }
    if (counts[i])
      *counts[i] = (uint64_t)ceil(value);
    else
      limits->seconds = value;
    limits->memory_asked |= counts[i] == &limits->memory;
    return PV_OK;
  }
  if (err)
    pv_str_addf(err, "limit `%.*s`: no such limit; there are time, memory, states and depth",
                (int)n, text);
  return PV_E_INPUT;
}

enum pv_status pv_limits_parse(const char *text, struct pv_limits *limits, struct pv_str *err) {
  struct pv_limits fresh = *limits; /* changes *limits only if the whole text is right */
  for (;;) {
    size_t n = strcspn(text, ",");
    PV_TRY(parse_limit(text, n, &fresh, err));
    if (!text[n]) break;
    text += n + 1;
  }
  *limits = fresh;
  return PV_OK;
}

/* ---- running --------------------------------------------------------------------------------- */
static void ask_for_memory(struct pv_limits *limits, double now) {
  limits->resident = pv_resident_memory();
  limits->memory_looked = now;
  limits->allocated = pv_allocated();
  if (limits->resident > limits->peak) limits->peak = limits->resident;
}

static uint64_t memory_allowed(const struct pv_limits *limits) {
  uint64_t now = limits->supervision ? limits->supervision->memory : 0;
  return now && (!limits->memory || now < limits->memory) ? now : limits->memory;
}

/* An upper bound of the resident memory: allocated pages may be untouched, or freed again. */
static uint64_t memory_now(struct pv_limits *limits, double now) {
  enum { MUCH = 8 << 20 }; /* bytes */
  uint64_t fresh = pv_allocated() - limits->allocated;
  uint64_t all = limits->resident + fresh;
  uint64_t allowed = memory_allowed(limits);
  bool near_limit = allowed && all >= allowed;
  if (now - limits->memory_looked >= 0.1 || fresh >= MUCH || near_limit) {
    ask_for_memory(limits, now);
    return limits->resident;
  }
  return all;
}

void pv_limits_start(struct pv_limits *limits) {
  limits->started = limits->looked = pv_clock();
  limits->countdown = 0; /* the first check looks */
  limits->period = 1;
  limits->hit = PV_LIMIT_NONE;
  limits->peak = limits->asked = 0;
  ask_for_memory(limits, limits->started);
  limits->children = 0;
}

double pv_limits_elapsed(const struct pv_limits *limits) {
  return pv_clock() - limits->started;
}

/* Reads clock and memory. Adapts the period so that this happens about every 10 ms: a step of the
 * engine may take microseconds or, with a solver, seconds. */
static void look(struct pv_limits *limits) {
  double now = pv_clock(), since = now - limits->looked;
  limits->looked = now;
  if (since > 0.02 && limits->period > 1)
    limits->period /= 2;
  else if (since < 0.005 && limits->period < 65536)
    limits->period *= 2;
  limits->countdown = limits->period;
  uint64_t memory = memory_now(limits, now), allowed = memory_allowed(limits);
  if (limits->reserve) memory += limits->reserve(limits->reserve_user);
  if (limits->seconds > 0 && now - limits->started >= limits->seconds)
    limits->hit = PV_LIMIT_TIME;
  else if (allowed && memory >= allowed)
    limits->hit = PV_LIMIT_MEMORY;
}

/* Pauses if the supervisor asks for it. The run may have hit a limit when it continues. */
static void stop_if_asked(struct pv_limits *limits, uint64_t states) {
  uint64_t most = limits->supervision->states;
  if (most && states >= most && limits->stop) limits->stop(limits->stop_user);
}

enum pv_limit pv_limits_check(struct pv_limits *limits, uint64_t states) {
  if (limits->hit != PV_LIMIT_NONE) return limits->hit;
  if (limits->supervision) stop_if_asked(limits, states);
  if (interrupted)
    limits->hit = (enum pv_limit)interrupted;
  else if (limits->states && states >= limits->states)
    limits->hit = PV_LIMIT_STATES;
  else if (limits->countdown)
    limits->countdown--;
  else
    look(limits);
  return limits->hit;
}

enum pv_limit pv_limits_check_question(struct pv_limits *limits) {
  if (limits->questions && ++limits->asked > limits->questions && limits->hit == PV_LIMIT_NONE)
    limits->hit = PV_LIMIT_STATES;
  return pv_limits_check(limits, 0);
}

enum pv_limit pv_limits_check_now(struct pv_limits *limits) {
  if (limits->hit != PV_LIMIT_NONE) return limits->hit;
  if (interrupted)
    limits->hit = (enum pv_limit)interrupted;
  else
    look(limits);
  return limits->hit;
}

const char *pv_limit_name(enum pv_limit l) {
  static const char *const names[] = {"none", "time", "memory", "states", "depth", "interrupt"};
  return names[l];
}

/* ---- signals --------------------------------------------------------------------------------- */
void pv_limits_interrupt(void) {
  interrupted = PV_LIMIT_INTERRUPT;
}

bool pv_limits_interrupted(void) {
  return interrupted;
}

void pv_limits_clear_interrupt(void) {
  interrupted = 0;
}

/* A second signal ends the process at once, unless it belongs to the first one: `timeout` sends a
 * signal to the process and to its group, and the kernel repeats SIGXCPU. */
static void on_signal(int signal) {
  static const double ONE_REQUEST = 1; /* seconds */
  static volatile double first;        /* written before `interrupted` is set */
  double now = pv_clock();
  if (!interrupted) {
    first = now;
    pv_limits_interrupt();
  } else if (signal != SIGXCPU && now - first > ONE_REQUEST) {
    _exit(128 + signal);
  }
}

/* Libraries abort if they get no memory. */
static void on_abort(int signal) {
  enum { INTERNAL_ERROR = 70 };
  static const char words[] = "proviso: aborted: out of memory, or an internal error\n";
  (void)signal;
  if (write(STDERR_FILENO, words, sizeof words - 1) < 0) _exit(INTERNAL_ERROR);
  _exit(INTERNAL_ERROR);
}

void pv_limits_catch_signals(void) {
  struct sigaction aborts = {.sa_handler = on_abort};
  sigemptyset(&aborts.sa_mask);
  sigaction(SIGABRT, &aborts, NULL);
  struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART};
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, NULL);
  sigaction(SIGTERM, &action, NULL);
  sigaction(SIGXCPU, &action, NULL); /* ulimit -t: the soft limit warns, the hard one kills */
  struct sigaction was;
  if (sigaction(SIGHUP, NULL, &was) == 0 && was.sa_handler != SIG_IGN) /* nohup ignores it */
    sigaction(SIGHUP, &action, NULL);
  /* Writing fails, and that is told. */
  signal(SIGPIPE, SIG_IGN);
  signal(SIGXFSZ, SIG_IGN);
}

static volatile sig_atomic_t share_asked;

static void on_share_request(int signal) {
  (void)signal;
  share_asked = 1;
}

void pv_limits_catch_share_requests(void) {
  struct sigaction action = {.sa_handler = on_share_request, .sa_flags = SA_RESTART};
  sigemptyset(&action.sa_mask);
  sigaction(SIGUSR1, &action, NULL);
}

bool pv_limits_share_asked(void) {
  return share_asked;
}

void pv_limits_share_given(void) {
  share_asked = 0;
}

static void on_stop_request(int signal, siginfo_t *info, void *context) {
  (void)signal, (void)context;
  int why = info->si_code == SI_QUEUE && info->si_pid == getppid() ? info->si_value.sival_int : 0;
  bool known = why > PV_LIMIT_NONE && why <= PV_LIMIT_INTERRUPT;
  if (!interrupted) interrupted = known ? why : PV_LIMIT_INTERRUPT;
}

void pv_limits_accept_stop_requests(void) {
  struct sigaction action = {.sa_sigaction = on_stop_request, .sa_flags = SA_RESTART | SA_SIGINFO};
  sigemptyset(&action.sa_mask);
  sigaction(SIGTERM, &action, NULL);
  signal(SIGINT, SIG_IGN);
}

void pv_limits_request_stop(pid_t child, enum pv_limit why) {
  sigqueue(child, SIGTERM, (union sigval){.sival_int = (int)why});
}
