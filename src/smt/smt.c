/* smt.c -- the solver context: limits, the watchdog of queries, failures of the solver. */
#include "smt/smt_internal.h"

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <time.h>

/* ---- the watchdog -----------------------------------------------------------------------------
 * A thread that checks the current query every 20 ms, and interrupts it if its time is over, its
 * memory is used up or the run is interrupted (Z3 counts memory for the whole process). It holds
 * the lock while it does so: the query cannot end, and another one cannot begin, meanwhile. */

/* Z3's memory, and what the process has got since the watchdog saw CaDiCaL at work. */
static uint64_t memory_held(struct pv_smt *s) {
  struct pv_smt_watch *w = &s->watch;
  uint64_t z3 = Z3_get_estimated_alloc_size();
  if (!w->in_sat) return z3;
  uint64_t now = pv_resident_memory();
  if (!w->resident) w->resident = now;
  return z3 + (now > w->resident ? now - w->resident : 0);
}

static void *watch(void *user) {
  struct pv_smt *s = user;
  struct pv_smt_watch *w = &s->watch;
  pthread_mutex_lock(&w->lock);
  while (!w->quit) {
    struct timespec at;
    clock_gettime(CLOCK_MONOTONIC, &at);
    at.tv_nsec += 20000000;
    if (at.tv_nsec >= 1000000000) at.tv_nsec -= 1000000000, at.tv_sec++;
    pthread_cond_timedwait(&w->wake, &w->lock, &at);
    if (!w->active) continue;
    if (w->fired == PV_SMT_FINE) {
      if (s->run && pv_limits_interrupted())
        w->fired = PV_SMT_RUN;
      else if (w->deadline > 0 && pv_clock() >= w->deadline)
        w->fired = PV_SMT_STEPS;
      else if (w->cpu_deadline > 0 && pv_cpu_clock() >= w->cpu_deadline)
        w->fired = PV_SMT_STEPS;
      else if (s->limits.memory && memory_held(s) > s->limits.memory)
        w->fired = PV_SMT_MEMORY;
      else if (s->bound_memory && memory_held(s) > s->bound_memory)
        w->fired = PV_SMT_MEMORY, s->bound_hit = true;
    }
    /* Repeated, because it has no effect while Z3 is not inside of a check. */
    if (w->fired != PV_SMT_FINE) Z3_interrupt(s->z3);
  }
  pthread_mutex_unlock(&w->lock);
  return NULL;
}

static void watch_start(struct pv_smt *s) {
  struct pv_smt_watch *w = &s->watch;
  pthread_condattr_t attributes;
  pthread_mutex_init(&w->lock, NULL);
  pthread_condattr_init(&attributes);
  pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
  pthread_cond_init(&w->wake, &attributes);
  pthread_condattr_destroy(&attributes);
  if (!s->limits.ms && !s->limits.memory && !s->run) return;
  sigset_t all, old; /* signals are for the other threads */
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &old);
  w->started = !pthread_create(&w->thread, NULL, watch, s);
  pthread_sigmask(SIG_SETMASK, &old, NULL);
}

static void watch_stop(struct pv_smt *s) {
  struct pv_smt_watch *w = &s->watch;
  if (w->started) {
    pthread_mutex_lock(&w->lock);
    w->quit = true;
    pthread_cond_signal(&w->wake);
    pthread_mutex_unlock(&w->lock);
    pthread_join(w->thread, NULL);
  }
  pthread_cond_destroy(&w->wake);
  pthread_mutex_destroy(&w->lock);
}

/* ---- context --------------------------------------------------------------------------------- */
static void ignore_error(Z3_context c, Z3_error_code e) {
  /* Errors are queried after the call; the default handler would end the process. */
  (void)c, (void)e;
}

static _Thread_local struct pv_smt_faults *faults;

void pv_smt_inject_faults(struct pv_smt_faults *t) {
  faults = t;
}

struct pv_limits *pv_smt_within(struct pv_smt *s, struct pv_limits *run) {
  struct pv_limits *before = s->run;
  s->run = run;
  return before;
}

void pv_smt_use(struct pv_smt *s, enum pv_smt_bit_solver solver) {
  s->bit_solver = solver;
}

void pv_smt_bound(struct pv_smt *s, double seconds, uint64_t memory) {
  s->bound_end = seconds > 0 ? pv_clock() + seconds : 0;
  s->bound_memory = memory ? Z3_get_estimated_alloc_size() + memory : 0;
  s->bound_hit = false;
}

bool pv_smt_unbound(struct pv_smt *s) {
  s->bound_end = 0;
  s->bound_memory = 0;
  return s->bound_hit;
}

uint64_t pv_smt_memory(void) {
  return Z3_get_estimated_alloc_size();
}

struct pv_smt *pv_smt_new(struct pv_smt_limits limits, struct pv_limits *run) {
  struct pv_smt *s = pv_alloc(sizeof *s);
  s->faults = faults;
  if (faults && faults->limits.steps) limits.steps = faults->limits.steps;
  if (faults && faults->limits.ms) limits.ms = faults->limits.ms;
  if (faults && faults->limits.memory) limits.memory = faults->limits.memory;
  s->limits = limits;
  s->run = s->whole = run;
  s->bit_solver = PV_BITS_CADICAL;
  Z3_toggle_warning_messages(false);
  Z3_config config = Z3_mk_config();
  if (limits.steps) {
    char steps[32];
    uint64_t most = limits.steps < UINT32_MAX ? limits.steps : UINT32_MAX;
    snprintf(steps, sizeof steps, "%llu", (unsigned long long)most);
    Z3_set_param_value(config, "rlimit", steps);
  }
  s->z3 = Z3_mk_context_rc(config);
  Z3_del_config(config);
  Z3_set_error_handler(s->z3, ignore_error);
  Z3_set_ast_print_mode(s->z3, Z3_PRINT_SMTLIB2_COMPLIANT);
  s->bool_sort = Z3_mk_bool_sort(s->z3);
  s->int_sort = Z3_mk_int_sort(s->z3);
  Z3_inc_ref(s->z3, Z3_sort_to_ast(s->z3, s->bool_sort));
  Z3_inc_ref(s->z3, Z3_sort_to_ast(s->z3, s->int_sort));
  s->yes = Z3_mk_true(s->z3);
  pv_smt_keep(s, s->yes);
  s->no = Z3_mk_false(s->z3);
  pv_smt_keep(s, s->no);
  s->calm = Z3_mk_simple_solver(s->z3);
  Z3_solver_inc_ref(s->z3, s->calm);
  pv_smt_leave_signals(s, s->calm);
  watch_start(s);
  return s;
}

bool pv_smt_ends(const struct pv_smt *s) {
  return s->whole && s->whole->supervision && s->whole->hit != PV_LIMIT_NONE;
}

void pv_smt_free(struct pv_smt *s) {
  if (!s) return;
  watch_stop(s);
  if (pv_smt_ends(s)) return;
  for (int i = 0; i < 4; i++) pv_solver_free(s->scratch[i]);
  for (uint32_t i = 0; i < s->held.n; i++) /* Z3 alone would need quadratic time for deep terms */
    if (s->held.at[i]) Z3_dec_ref(s->z3, s->held.at[i]);
  Z3_solver_dec_ref(s->z3, s->calm);
  Z3_del_context(s->z3);
  pv_vec_free(&s->held);
  pv_vec_free(&s->has);
  pv_vec_free(&s->stamp);
  pv_vec_free(&s->bounds_of);
  pv_vec_free(&s->bounds);
  pv_vec_free(&s->bounds_stack);
  pv_vec_free(&s->stack);
  pv_map_free(&s->names);
  free(s->error);
  free(s);
}

const struct pv_smt_stats *pv_smt_stats(const struct pv_smt *s) {
  return &s->stats;
}

enum pv_smt_reason pv_smt_reason(const struct pv_smt *s) {
  return s->reason;
}

const char *pv_smt_reason_text(enum pv_smt_reason r) {
  switch (r) {
  case PV_SMT_FINE: return "nothing";
  case PV_SMT_STEPS: return "time limit of a query";
  case PV_SMT_MEMORY: return "memory limit of the solver";
  case PV_SMT_RUN: return "limit of the run";
  case PV_SMT_INCOMPLETE: return "incomplete theory";
  case PV_SMT_FAILURE: return "failure of the solver";
  }
  return "?";
}

const char *pv_smt_error(const struct pv_smt *s) {
  return s->error ? s->error : "";
}

bool pv_smt_broken(const struct pv_smt *s) {
  return s->broken;
}

void pv_smt_fail_at(struct pv_smt *s, uint64_t query) {
  s->fail_at = query ? s->queries + query : 0;
}

/* ---- failures -------------------------------------------------------------------------------- */
void pv_smt_break(struct pv_smt *s, enum pv_smt_reason why) {
  Z3_error_code e = Z3_get_error_code(s->z3);
  if (!s->error && e != Z3_OK) s->error = pv_strdup(Z3_get_error_msg(s->z3, e));
  s->reason = why;
  s->broken = true;
}

bool pv_smt_failed(struct pv_smt *s) {
  Z3_error_code e = Z3_get_error_code(s->z3);
  if (e == Z3_OK) return false;
  pv_smt_break(s, e == Z3_MEMOUT_FAIL ? PV_SMT_MEMORY : PV_SMT_FAILURE);
  return true;
}

pv_term pv_smt_keep(struct pv_smt *s, Z3_ast a) {
  if (!a) {
    pv_smt_break(s, Z3_get_error_code(s->z3) == Z3_MEMOUT_FAIL ? PV_SMT_MEMORY : PV_SMT_FAILURE);
    return pv_of(s->yes);
  }
  unsigned id = Z3_get_ast_id(s->z3, a);
  if (id >= s->held.n) {
    pv_vec_reserve(&s->held, id + 1);
    memset(s->held.at + s->held.n, 0, (id + 1 - s->held.n) * sizeof *s->held.at);
    s->held.n = id + 1;
  }
  if (!s->held.at[id]) {
    s->held.at[id] = a;
    Z3_inc_ref(s->z3, a);
  }
  return pv_of(a);
}

/* ---- queries --------------------------------------------------------------------------------- */
static bool refuse(struct pv_smt *s, enum pv_smt_reason why) {
  s->reason = why;
  s->stats.unknown++;
  return false;
}

bool pv_smt_begin(struct pv_smt *s) {
  s->stats.checks++;
  s->queries++;
  if (s->fail_at && s->queries >= s->fail_at) pv_smt_break(s, PV_SMT_FAILURE);
  if (s->faults && ++s->faults->queries == s->faults->fail_at) pv_smt_break(s, PV_SMT_FAILURE);
  if (s->faults && s->faults->queries == s->faults->silent_at) return refuse(s, PV_SMT_STEPS);
  if (s->broken) return refuse(s, s->reason == PV_SMT_MEMORY ? PV_SMT_MEMORY : PV_SMT_FAILURE);
  if (s->run && pv_limits_check_question(s->run) != PV_LIMIT_NONE) return refuse(s, PV_SMT_RUN);
  if (s->limits.memory && Z3_get_estimated_alloc_size() > s->limits.memory)
    return refuse(s, PV_SMT_MEMORY);
  s->began = pv_clock();
  if (s->bound_end > 0 && s->began >= s->bound_end) return refuse(s, PV_SMT_STEPS);
  if (s->bound_memory && Z3_get_estimated_alloc_size() > s->bound_memory) {
    s->bound_hit = true;
    return refuse(s, PV_SMT_MEMORY);
  }
  if (!s->watch.started) return true;
  double deadline = 0;
  if (s->run && s->run->seconds > 0) deadline = s->run->started + s->run->seconds;
  if (s->bound_end > 0 && (!(deadline > 0) || s->bound_end < deadline)) deadline = s->bound_end;
  struct pv_smt_watch *w = &s->watch;
  pthread_mutex_lock(&w->lock);
  w->active = true;
  w->in_sat = false;
  w->resident = 0;
  w->fired = PV_SMT_FINE;
  w->deadline = deadline;
  /* CPU time, because an answer must not depend on what else the machine does. */
  w->cpu_deadline = s->limits.ms ? pv_cpu_clock() + s->limits.ms / 1000.0 : 0;
  pthread_mutex_unlock(&w->lock);
  return true;
}

/* Maps Z3's explanation of "unknown" to a reason. */
static enum pv_smt_reason reason_of(const char *why) {
  static const struct {
    const char *part;
    enum pv_smt_reason reason;
  } words[] = {{"memout", PV_SMT_MEMORY},  {"memory", PV_SMT_MEMORY}, {"resource", PV_SMT_STEPS},
               {"rlimit", PV_SMT_STEPS},   {"timeout", PV_SMT_STEPS}, {"cancel", PV_SMT_STEPS},
               {"interrupt", PV_SMT_STEPS}};
  for (size_t i = 0; why && i < sizeof words / sizeof *words; i++)
    if (strstr(why, words[i].part)) return words[i].reason;
  return PV_SMT_INCOMPLETE;
}

/* Did the watchdog interrupt the current query? */
static bool interrupted(struct pv_smt *s) {
  if (!s->watch.started) return false;
  pthread_mutex_lock(&s->watch.lock);
  bool r = s->watch.fired != PV_SMT_FINE;
  pthread_mutex_unlock(&s->watch.lock);
  return r;
}

/* An interrupt outside of a check would cancel Z3's next operation. A check clears it, and an empty
 * check takes no time. */
static void forget_interrupt(struct pv_smt *s) {
  Z3_solver_check(s->z3, s->calm);
}

bool pv_smt_only_limit(struct pv_smt *s, const char *why) {
  return interrupted(s) || reason_of(why) != PV_SMT_INCOMPLETE;
}

enum pv_smt_answer pv_smt_end(struct pv_smt *s, Z3_lbool r, const char *why) {
  enum pv_smt_reason fired = PV_SMT_FINE;
  Z3_error_code e = Z3_get_error_code(s->z3);
  if (e != Z3_OK && r == Z3_L_UNDEF) why = Z3_get_error_msg(s->z3, e);
  if (s->watch.started) {
    pthread_mutex_lock(&s->watch.lock);
    s->watch.active = false;
    fired = s->watch.fired;
    pthread_mutex_unlock(&s->watch.lock);
  }
  s->stats.seconds += pv_clock() - s->began;
  if (r == Z3_L_UNDEF) s->reason = fired != PV_SMT_FINE ? fired : reason_of(why);
  if (fired != PV_SMT_FINE) forget_interrupt(s);
  if (e != Z3_OK) Z3_set_error(s->z3, Z3_OK); /* the answer tells it */
  if (r == Z3_L_TRUE) {
    s->stats.sat++;
    return PV_SMT_SAT;
  }
  if (r == Z3_L_FALSE) {
    s->stats.unsat++;
    return PV_SMT_UNSAT;
  }
  s->stats.unknown++;
  if (fired == PV_SMT_STEPS && s->run && s->run->seconds > 0 &&
      pv_limits_elapsed(s->run) >= s->run->seconds)
    s->reason = PV_SMT_RUN;
  return PV_SMT_UNKNOWN;
}

bool pv_smt_out(struct pv_smt *s) {
  if (s->bound_end > 0 && pv_clock() >= s->bound_end) return true;
  return s->broken || (s->run && pv_limits_check(s->run, 0) != PV_LIMIT_NONE);
}
