#include "native/replay.h"

#include "frontend/native.h"
#include "monitor/trace.h"
#include "native/instrument.h"
#include "native/schedule.h"
#include "report/given.h"
#include "report/harness.h"
#include "report/output.h"
#include "sched/sched.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* Tenths of a second without progress until the path is given up, and seconds for a whole run. */
enum { PATIENCE = 50, LONGEST = 60, LONGEST_BUILD = 300 };

struct replay {
  const struct pv_task *task;
  struct pv_result *result;
  const struct pv_violation *v;
  const struct pv_native_asked *asked;
  struct pv_native_outcome *out;
  struct pv_native_schedule schedule;
  const char *folder;
  const char *wrong;      /* why there is no harness */
  enum pv_status written; /* the harness, if asked for */
  struct pv_str *err;
};

/* ---- what the real program cannot follow -----------------------------------------------------
 */
static const char *refusal(const struct replay *r) {
  const struct pv_program *p = r->task->program;
  const struct pv_violation *v = r->v;
  if (!pv_sched_of(p->sched)->preemptive)
    return "its threads are cooperative, and their scheduler is a library that is not linked here";
  if (v->path.is_lasso) return "the error is an execution that goes on for ever";
  if (v->path.left_out || v->path.inputs_left_out) return "the path is too long";
  if (r->task->options->entry.n) return "the check began in a function of its own choice (--entry)";
  if (r->task->options->ilp32 && sizeof(void *) == 8 && r->task->options->files.n == 0)
    return "it is a 32-bit program";
  switch (v->property) {
  case PV_PROP_INVARIANT:
  case PV_PROP_OBSERVER:
  case PV_PROP_MUTUAL_EXCLUSION:
    return "a native run does not look at invariants, automata and regions";
  default: return NULL;
  }
}

/* ---- building ----------------------------------------------------------------------------------
 */
static void add(void *user, const struct pv_native_site *sites, uint32_t n, struct pv_str *text) {
  struct replay *r = user;
  uint32_t notes = r->result->notes.n;
  r->wrong = pv_report_harness(r->task->program, r->task->options, r->result, text);
  while (r->result->notes.n > notes) free(pv_vec_pop(&r->result->notes)); /* on other commands */
  if (r->asked->sanitizer && r->schedule.error != 'd')
    r->schedule.error = 0; /* the sanitizer is to show it */
  if (r->asked->traced) r->schedule.error = PV_NATIVE_TRACED;
  r->out->left_out = pv_native_schedule_fit(&r->schedule, sites, n);
  pv_native_schedule_print(&r->schedule, PATIENCE, text);
  const struct pv_texts *harness = &r->task->options->harness;
  if (harness->n && !r->wrong)
    r->written = pv_output_write(harness->at[0], text->at, text->n, r->err);
  for (uint32_t i = 0; i < r->schedule.turns.n; i++)
    r->out->turns += !(r->schedule.turns.at[i].flags & PV_NATIVE_LAST);
}

/* ---- running ------------------------------------------------------------------------------------
 */
static char *command_of(const struct replay *r, const char *program) {
  struct pv_str text = {0};
  struct pv_given given;
  pv_given_find(r->task->program, &r->v->path, &given);
  if (!pv_given_command(&given, program, true, &text)) pv_str_addf(&text, "exec '%s'", program);
  pv_given_clear(&given);
  return text.at;
}

/* The status of the command, as of waitpid; -1: it does not end. */
static int run(const char *command, const char *log, const char *trace) {
  static const char *const set[] = {
      "ASAN_OPTIONS=exitcode=107:detect_leaks=1:abort_on_error=0",
      "TSAN_OPTIONS=exitcode=107:halt_on_error=1:report_signal_unsafe=0",
      "UBSAN_OPTIONS=exitcode=107:print_stacktrace=0", "LSAN_OPTIONS=exitcode=107"};
  char *const argv[] = {"sh", "-c", (char *)(uintptr_t)command, NULL};
  PV_VEC(char *) env = {0};
  for (char **e = environ; *e; e++) pv_vec_push(&env, *e);
  for (size_t i = 0; i < sizeof set / sizeof *set; i++)
    pv_vec_push(&env, (char *)(uintptr_t)set[i]);
  char *traced = trace ? pv_format("PROVISO_TRACE=%s", trace) : NULL;
  if (traced) pv_vec_push(&env, traced);
  pv_vec_push(&env, NULL);
  posix_spawn_file_actions_t actions;
  pv_fe_log_child(&actions, log);
  pid_t child;
  /* Who writes the input ends with the program, which may not read all of it. */
  posix_spawnattr_t attributes;
  sigset_t pipe;
  sigemptyset(&pipe);
  sigaddset(&pipe, SIGPIPE);
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setsigdefault(&attributes, &pipe);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
  int failed = posix_spawn(&child, "/bin/sh", &actions, &attributes, argv, env.at), status = -1;
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  pv_vec_free(&env);
  free(traced);
  if (failed) return -1;
  double begin = pv_clock();
  for (useconds_t nap = 200;; nap = nap < 5000 ? nap * 2 : nap) {
    pid_t ended = waitpid(child, &status, WNOHANG);
    if (ended == child) return status;
    if (ended < 0 && errno != EINTR) return -1;
    if (pv_clock() - begin > LONGEST || pv_limits_interrupted()) break;
    usleep(nap);
  }
  kill(child, SIGKILL);
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return -1;
}

/* Does the run end as the error does? */
static bool shows(const struct pv_violation *v, int status) {
  if (status < 0) return false;
  int code = WIFEXITED(status) ? WEXITSTATUS(status) : 0;
  if (WIFEXITED(status) && code <= 128) return code == PV_HARNESS_ERROR;
  switch (WIFEXITED(status) ? code - 128 : WTERMSIG(status)) { /* as a shell tells it */
  case SIGABRT:
  case SIGSEGV:
  case SIGBUS:
  case SIGFPE:
  case SIGILL:
  case SIGTRAP: return v->property != PV_PROP_NO_DATA_RACE && v->property != PV_PROP_NO_DEADLOCK;
  default: return false;
  }
}

static char *end_of(int status) {
  if (status < 0) return pv_strdup("it does not end");
  if (WIFSIGNALED(status))
    return pv_format("signal %d (%s)", WTERMSIG(status), strsignal(WTERMSIG(status)));
  return pv_format("exit status %d", WEXITSTATUS(status));
}

static void run_all(struct replay *r, const char *program) {
  char *command = command_of(r, program), *log = pv_format("%s/output", r->folder);
  char *trace = r->asked->traced ? pv_format("%s/trace", r->folder) : NULL;
  for (uint32_t i = 0; i < r->asked->runs && !pv_limits_interrupted(); i++) {
    int status = run(command, log, trace);
    bool shown = shows(r->v, status);
    if (i == 0 || (shown && !r->out->shown)) {
      size_t n;
      free(r->out->output);
      free(r->out->end);
      r->out->output = NULL;
      r->out->end = end_of(status);
      pv_read_file(log, 1 << 20, &r->out->output, &n, NULL);
    }
    r->out->runs++;
    r->out->shown += shown;
    r->out->off += status >= 0 && WIFEXITED(status) && WEXITSTATUS(status) == PV_HARNESS_OFF;
  }
  free(command);
  free(log);
  free(trace);
}

/* ---- gdb ----------------------------------------------------------------------------------------
 */
static enum pv_status write_gdb(const struct replay *r, struct pv_str *err) {
  struct pv_str text = {0};
  const struct pv_native_schedule *s = &r->schedule;
  pv_str_addf(&text,
              "# gdb -x %s %s\n# Stops where the schedule goes on with another thread; `continue` "
              "goes to the next switch.\nset pagination off\nset print thread-events off\n"
              "set environment PROVISO_GO_ON=1\nhandle SIGABRT stop print\n"
              "break proviso_switches\ncommands\nsilent\n",
              r->asked->gdb, r->asked->out ? r->asked->out : "PROGRAM");
  for (uint32_t i = 0; i < s->turns.n; i++) {
    const struct pv_native_turn *t = &s->turns.at[i];
    const struct pv_native_key *k = &s->keys.at[t->key];
    bool same = i && s->turns.at[i - 1].thread == t->thread;
    if (same || t->flags & PV_NATIVE_LAST) continue;
    pv_str_addf(&text, "if i == %" PRIu32 "\n  echo \\nStep %" PRIu32 ": thread %" PRIu32, i,
                t->step, t->thread);
    if (k->kind == 'e')
      pv_str_add(&text, " ends\\n\n");
    else
      pv_str_addf(&text, " goes on at %s:%" PRIu32 "\\n\n  list %s:%" PRIu32 ",%" PRIu32 "\n",
                  k->file, k->line, k->file, k->line, k->line);
    pv_str_add(&text, "end\n");
  }
  pv_str_add(&text, "end\nrun\n");
  enum pv_status st = pv_output_write(r->asked->gdb, text.at, text.n, err);
  pv_str_free(&text);
  return st;
}

/* ---- all of it ----------------------------------------------------------------------------------
 */
static enum pv_status replay(struct replay *r, struct pv_str *err) {
  char *program = r->asked->out ? pv_strdup(r->asked->out) : pv_format("%s/program", r->folder);
  /* The time limit was the check's. */
  struct pv_options options = *r->task->options;
  options.limits = (struct pv_limits){.seconds = LONGEST_BUILD};
  struct pv_native_request request = {.options = &options,
                                      .out = program,
                                      .places = true,
                                      .sanitizer = r->asked->sanitizer,
                                      .add = add,
                                      .user = r};
  enum pv_status st = pv_instrument(&request, err);
  if (st == PV_OK && r->wrong) {
    pv_str_addf(err, "the real program cannot follow the path: %s", r->wrong);
    st = PV_E_INPUT;
  }
  if (st == PV_OK) st = r->written;
  if (st == PV_OK && r->asked->gdb) st = write_gdb(r, err);
  if (st == PV_OK) {
    char *path = strchr(program, '/') ? pv_strdup(program) : pv_format("./%s", program);
    run_all(r, path);
    free(path);
  }
  if (st == PV_OK && r->asked->traced) {
    char *trace = pv_format("%s/trace", r->folder);
    st = pv_trace_observe(trace, r->asked->traced, err);
    free(trace);
  }
  free(program);
  return st;
}

enum pv_status pv_native_replay(const struct pv_task *task, struct pv_result *result,
                                const struct pv_native_asked *asked, struct pv_native_outcome *out,
                                struct pv_str *err) {
  struct replay r = {
      .task = task, .result = result, .v = &result->violations.at[0], .asked = asked, .out = out};
  const char *why = refusal(&r);
  if (!why && !pv_native_schedule_of(task, r.v, &r.schedule))
    why = "its schedule does not run again";
  if (why) {
    pv_str_addf(err, "the real program cannot follow the path: %s", why);
    pv_native_schedule_clear(&r.schedule);
    return PV_E_INPUT;
  }
  char *folder = pv_fe_private_folder(task->options, err);
  enum pv_status st = folder ? PV_OK : PV_E_INPUT;
  r.folder = folder;
  if (st == PV_OK) st = replay(&r, err);
  for (uint32_t i = 0; i < r.schedule.doubts.n; i++)
    pv_vec_push(&out->doubts, pv_strdup(r.schedule.doubts.at[i]));
  if (folder) pv_fe_remove_folder(folder);
  free(folder);
  pv_native_schedule_clear(&r.schedule);
  return st;
}

void pv_native_outcome_clear(struct pv_native_outcome *o) {
  for (uint32_t i = 0; i < o->doubts.n; i++) free(o->doubts.at[i]);
  pv_vec_free(&o->doubts);
  free(o->output);
  free(o->end);
}
