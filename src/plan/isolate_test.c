/* Engines that fail in different ways: every run ends with a condition that says so. */
#include "plan/isolate.h"

#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <cmocka.h>

#include "frontend/frontend.h"
#include "plan/plan.h"
#include "result/serialize.h"
#include "sched/sched.h"

extern const struct pv_engine pv_engine_explicit;

/* ---- a task ---------------------------------------------------------------------------------- */
static struct pv_options o;
static struct pv_program *p;
static struct pv_task task;

static int set_up(void **state) {
  (void)state;
  char path[] = "/tmp/proviso-isolate-XXXXXX.c";
  struct pv_str message = {0};
  int file = mkstemps(path, 2);
  FILE *f = fdopen(file, "w");
  if (!f) return -1;
  fputs("#include <assert.h>\n#include <pthread.h>\nextern int __VERIFIER_nondet_int(void);\n"
        "_Atomic int a;\nvoid *set(void *u) { a = 1; return u; }\n"
        "int main(void) {\n  pthread_t t;\n  int n = __VERIFIER_nondet_int();\n"
        "  pthread_create(&t, 0, set, 0);\n  assert(a == 0 || n != 5);\n}\n",
        f);
  fclose(f);
  pv_options_init(&o);
  o.limits.memory = 0;
  pv_options_set(&o, "property", "unreach-call", NULL);
  pv_vec_push(&o.files, pv_strdup(path));
  enum pv_status status = pv_load(&o, &pv_sched_pthread, &p, &message);
  unlink(path);
  pv_str_free(&message);
  pv_limits_start(&o.limits);
  task = (struct pv_task){
      .program = p, .options = &o, .limits = &o.limits, .properties = o.properties};
  return status == PV_OK ? 0 : -1;
}

static int tear_down(void **state) {
  (void)state;
  pv_program_free(p);
  pv_options_free(&o);
  pv_limits_clear_interrupt();
  return 0;
}

typedef enum pv_status (*body)(const struct pv_task *task, struct pv_result *result);

static struct pv_result run(body f) {
  const struct pv_engine engine = {.name = "fake", .help = "for tests", .run = f, .isolated = true};
  struct pv_result r = {0};
  assert_int_equal(pv_isolate(&engine, &task, &r), PV_OK);
  assert_int_equal(waitpid(-1, NULL, WNOHANG), -1); /* no child is left */
  return r;
}

/* The result has this verdict and, in its last proviso, this kind and text. */
static void ends(struct pv_result r, enum pv_verdict verdict, enum pv_proviso_kind kind,
                 const char *text) {
  assert_int_equal(r.verdict, verdict);
  assert_true(r.condition.provisos.n > 0);
  const struct pv_proviso *last = &pv_vec_last(&r.condition.provisos);
  if (last->kind != kind || !strstr(last->sentence, text) || !strstr(last->sentence, "`fake`"))
    fail_msg("%s: %s", pv_proviso_kind_names[last->kind], last->sentence);
  if (verdict == PV_UNKNOWN) assert_non_null(r.reason);
  assert_true(r.stats.seconds >= 0 && r.stats.peak_memory > 0);
  pv_result_clear(&r);
}

/* ---- engines that end ------------------------------------------------------------------------ */
static enum pv_status finishes(const struct pv_task *t, struct pv_result *r) {
  r->verdict = PV_CONDITIONAL;
  r->checked = t->properties;
  r->stats.states = 42;
  pv_condition_add(&r->condition, PV_PROVISO_INPUT, "x.c", 7, "the input is small");
  pv_vec_push(&r->notes, pv_strdup("a note"));
  printf("this is not for the user\n");
  fflush(stdout);
  return PV_OK;
}

static void what_is_found_comes_back(void **state) {
  (void)state;
  struct pv_result r = run(finishes), direct = {0};
  assert_int_equal(finishes(&task, &direct), PV_OK);
  r.stats = direct.stats;
  struct pv_str a = {0}, b = {0};
  pv_result_write(&r, &a);
  pv_result_write(&direct, &b);
  assert_int_equal(a.n, b.n);
  assert_memory_equal(a.at, b.at, a.n);
  assert_int_equal(o.limits.hit, PV_LIMIT_NONE);
  pv_str_free(&a);
  pv_str_free(&b);
  pv_result_clear(&r);
  pv_result_clear(&direct);
}

/* An engine run in isolation gives the same result and path, except for times. */
static void an_engine_does_the_same_there(void **state) {
  (void)state;
  struct pv_result here = {0}, there = {0};
  assert_int_equal(pv_engine_explicit.run(&task, &here), PV_OK);
  assert_int_equal(pv_isolate(&pv_engine_explicit, &task, &there), PV_OK);
  assert_int_equal(here.verdict, PV_FALSE);
  assert_int_equal(here.stats.instructions, there.stats.instructions);
  assert_true(there.stats.cpu_seconds > 0 && there.stats.peak_memory > 1000000);
  assert_true(o.limits.children == there.stats.cpu_seconds);
  assert_true(o.limits.peak >= there.stats.peak_memory);
  there.stats = here.stats;
  struct pv_str a = {0}, b = {0};
  pv_result_write(&here, &a);
  pv_result_write(&there, &b);
  assert_int_equal(a.n, b.n);
  assert_memory_equal(a.at, b.at, a.n);
  pv_str_free(&a);
  pv_str_free(&b);
  pv_result_clear(&here);
  pv_result_clear(&there);
}

static enum pv_status finds_much(const struct pv_task *t, struct pv_result *r) {
  enum { NOTES = 200000 };
  (void)t;
  r->verdict = PV_TRUE;
  for (uint32_t i = 0; i < NOTES; i++) pv_vec_push(&r->notes, pv_format("note %u of very many", i));
  return PV_OK;
}

static void much_comes_back(void **state) {
  (void)state;
  struct pv_result r = run(finds_much);
  assert_int_equal(r.verdict, PV_TRUE);
  assert_int_equal(r.notes.n, 200000);
  assert_string_equal(r.notes.at[199999], "note 199999 of very many");
  pv_result_clear(&r);
}

static void on_progress(void *user, const struct pv_stats *stats) {
  *(uint64_t *)user += stats->states;
}

static enum pv_status reports(const struct pv_task *t, struct pv_result *r) {
  r->verdict = PV_TRUE;
  for (r->stats.states = 1; r->stats.states < 4; r->stats.states++)
    t->progress(t->progress_user, &r->stats);
  return PV_OK;
}

static void progress_comes_back(void **state) {
  (void)state;
  uint64_t sum = 0;
  task.progress = on_progress;
  task.progress_user = &sum;
  struct pv_result r = run(reports);
  assert_int_equal(sum, 6);
  assert_int_equal(r.verdict, PV_TRUE);
  pv_result_clear(&r);
}

/* ---- engines that fail ----------------------------------------------------------------------- */
static _Noreturn void wait_for_ever(void) {
  for (;;) pause();
}

static enum pv_status crashes(const struct pv_task *t, struct pv_result *r) {
  (void)t;
  r->verdict = PV_TRUE;
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  raise(SIGSEGV); /* a real access would be theirs */
#else
  static int *volatile nowhere;
  *nowhere = 1;
#endif
  return PV_OK;
}

static enum pv_status aborts(const struct pv_task *t, struct pv_result *r) {
  (void)t, (void)r;
  abort();
}

static enum pv_status exits(const struct pv_task *t, struct pv_result *r) {
  (void)t, (void)r;
  _exit(3);
}

static enum pv_status exits_well(const struct pv_task *t, struct pv_result *r) {
  (void)t;
  r->verdict = PV_TRUE;
  _exit(0);
}

static enum pv_status fails(const struct pv_task *t, struct pv_result *r) {
  (void)t;
  r->verdict = PV_TRUE;
  return PV_E_INTERNAL;
}

static enum pv_status is_killed(const struct pv_task *t, struct pv_result *r) {
  (void)t, (void)r;
  kill(getpid(), SIGKILL);
  wait_for_ever();
}

static void failures_are_named(void **state) {
  (void)state;
  ends(run(crashes), PV_UNKNOWN, PV_PROVISO_CRASH, "(signal 11, Segmentation fault)");
  ends(run(aborts), PV_UNKNOWN, PV_PROVISO_CRASH, "(signal 6, Aborted)");
  ends(run(is_killed), PV_UNKNOWN, PV_PROVISO_CRASH, "(signal 9, Killed)");
  ends(run(exits), PV_UNKNOWN, PV_PROVISO_CRASH, "(exit status 3)");
  ends(run(exits_well), PV_UNKNOWN, PV_PROVISO_CRASH, "(it ended without an answer)");
  ends(run(fails), PV_UNKNOWN, PV_PROVISO_CRASH, "(an internal error)");
}

/* As Z3 does where an invariant of its own is broken. */
static enum pv_status prints_and_exits(const struct pv_task *t, struct pv_result *r) {
  (void)t, (void)r;
  fputs("ASSERTION VIOLATION\nplease file an issue\n", stderr);
  exit(114);
}

static enum pv_status prints_and_finishes(const struct pv_task *t, struct pv_result *r) {
  fputs("WARNING: unknown parameter\n", stderr);
  return finishes(t, r);
}

/* The beginning of the output is in the proviso; nothing is on the terminal, except reports of
 * sanitizers. */
static void what_libraries_print_is_kept_back(void **state) {
  (void)state;
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
  int terminal = dup(STDERR_FILENO), file = memfd_create("terminal", MFD_CLOEXEC);
  char text[8];
  dup2(file, STDERR_FILENO);
  struct pv_result failed = run(prints_and_exits), fine = run(prints_and_finishes);
  dup2(terminal, STDERR_FILENO);
  assert_int_equal(pread(file, text, sizeof text, 0), 0);
  ends(failed, PV_UNKNOWN, PV_PROVISO_CRASH, "(exit status 114; it said: ASSERTION VIOLATION)");
  assert_int_equal(fine.verdict, PV_CONDITIONAL);
  pv_result_clear(&fine);
  close(terminal);
  close(file);
#else
  (void)prints_and_exits, (void)prints_and_finishes;
#endif
}

/* ---- bytes that are no answer ---------------------------------------------------------------- */
static void shout(const char *bytes, size_t n) {
  for (int fd = 3; fd < 64; fd++)
    if (write(fd, bytes, n) < 0) continue;
}

static enum pv_status writes_garbage(const struct pv_task *t, struct pv_result *r) {
  (void)t;
  r->verdict = PV_TRUE;
  shout("garbage from a library that takes the pipe for its own", 50);
  return PV_OK;
}

static enum pv_status writes_a_little(const struct pv_task *t, struct pv_result *r) {
  (void)t, (void)r;
  shout("1MVP", 4); /* how a message begins, perhaps */
  _exit(0);
}

/* The beginning of a message of 2^60 bytes. */
static enum pv_status lies(const struct pv_task *t, struct pv_result *r) {
  const uint64_t words[] = {UINT64_C(0x50564d31), UINT64_C(1) << 60, 0};
  (void)t, (void)r;
  shout((const char *)words, sizeof words);
  wait_for_ever();
}

/* A small message with a correct hash but wrong content: no result. */
static enum pv_status lies_well(const struct pv_task *t, struct pv_result *r) {
  const uint64_t words[] = {UINT64_C(0x50564d31), 8, pv_hash("no resul", 8)};
  (void)t, (void)r;
  shout((const char *)words, sizeof words);
  shout("no resul", 8);
  wait_for_ever();
}

static enum pv_status says_more(const struct pv_task *t, struct pv_result *r) {
  r->verdict = PV_TRUE;
  pv_checkpoint(t, r);
  shout("x", 1);
  _exit(0);
}

static void garbage_is_no_answer(void **state) {
  (void)state;
  ends(run(writes_garbage), PV_UNKNOWN, PV_PROVISO_CRASH, "(its answer could not be read)");
  ends(run(writes_a_little), PV_UNKNOWN, PV_PROVISO_CRASH, "(it ended without an answer)");
  ends(run(lies), PV_UNKNOWN, PV_PROVISO_CRASH, "(its answer could not be read)");
  ends(run(lies_well), PV_UNKNOWN, PV_PROVISO_CRASH, "(its answer could not be read)");
  ends(run(says_more), PV_CONDITIONAL, PV_PROVISO_CRASH, "(it ended without an answer)");
}

/* ---- checkpoints ----------------------------------------------------------------------------- */
static enum pv_status checkpoints_and_crashes(const struct pv_task *t, struct pv_result *r) {
  r->verdict = PV_CONDITIONAL;
  r->checked = t->properties;
  pv_condition_add(&r->condition, PV_PROVISO_ENGINE, NULL, 0, "the second half has no error");
  pv_checkpoint(t, r);
  pv_condition_clear(&r->condition);
  pv_condition_add(&r->condition, PV_PROVISO_ENGINE, NULL, 0, "the last quarter has no error");
  pv_checkpoint(t, r);
  r->verdict = PV_TRUE;
  return crashes(t, r);
}

static void the_last_checkpoint_counts(void **state) {
  (void)state;
  struct pv_result r = run(checkpoints_and_crashes);
  assert_int_equal(r.condition.provisos.n, 2);
  assert_string_equal(r.condition.provisos.at[0].sentence, "the last quarter has no error");
  assert_int_equal(r.checked, task.properties);
  ends(r, PV_CONDITIONAL, PV_PROVISO_CRASH,
       "no error lies beyond what the engine `fake` had verified when it failed (signal 11");
  pv_checkpoint(&task, &r); /* nobody wants it */
}

static enum pv_status finds_and_crashes(const struct pv_task *t, struct pv_result *r) {
  pv_engine_explicit.run(t, r);
  pv_checkpoint(t, r);
  return crashes(t, r);
}

static enum pv_status invents_and_crashes(const struct pv_task *t, struct pv_result *r) {
  pv_engine_explicit.run(t, r);
  r->violations.at[0].path.choices.n--;
  pv_checkpoint(t, r);
  return crashes(t, r);
}

static enum pv_status invents_a_place(const struct pv_task *t, struct pv_result *r) {
  pv_engine_explicit.run(t, r);
  r->violations.at[0].span++;
  pv_checkpoint(t, r);
  return crashes(t, r);
}

static void errors_of_checkpoints_are_seen_again(void **state) {
  (void)state;
  struct pv_result r = run(finds_and_crashes);
  assert_int_equal(r.violations.n, 1);
  assert_true(r.violations.at[0].replayed && r.violations.at[0].path.steps.n > 0);
  assert_int_equal(r.violations.at[0].path.inputs.n, 1);
  ends(r, PV_FALSE, PV_PROVISO_CRASH, "(signal 11");
  r = run(invents_and_crashes);
  assert_false(r.violations.at[0].replayed); /* the plan makes a proviso of it */
  ends(r, PV_UNKNOWN, PV_PROVISO_CRASH, "(signal 11");
  r = run(invents_a_place);
  assert_false(r.violations.at[0].replayed);
  ends(r, PV_UNKNOWN, PV_PROVISO_CRASH, "(signal 11");
}

/* ---- limits ---------------------------------------------------------------------------------- */
static void limit(const char *text) {
  assert_int_equal(pv_options_set(&o, "limit", text, NULL), PV_OK);
  pv_limits_start(&o.limits);
}

static enum pv_status heeds_limits(const struct pv_task *t, struct pv_result *r) {
  enum pv_limit l;
  while ((l = pv_limits_check(t->limits, 0)) == PV_LIMIT_NONE) usleep(100);
  r->verdict = PV_CONDITIONAL;
  pv_condition_add(&r->condition, pv_proviso_of_limit(l), NULL, 0, "`fake` would find nothing");
  return PV_OK;
}

/* Checks for a request to end, but reads no clock. */
static enum pv_status waits_to_be_told(const struct pv_task *t, struct pv_result *r) {
  t->limits->seconds = 0;
  t->limits->memory = 0;
  return heeds_limits(t, r);
}

static enum pv_status ignores_limits(const struct pv_task *t, struct pv_result *r) {
  r->verdict = PV_CONDITIONAL;
  pv_checkpoint(t, r);
  wait_for_ever();
}

/* On a busy machine an engine needs long to end, but little CPU time. */
static enum pv_status ends_slowly(const struct pv_task *t, struct pv_result *r) {
  const struct timespec two_seconds = {.tv_sec = 2};
  enum pv_status status = waits_to_be_told(t, r);
  nanosleep(&two_seconds, NULL);
  return status;
}

static enum pv_status loops(const struct pv_task *t, struct pv_result *r) {
  (void)r;
  sigset_t all;
  sigfillset(&all);
  sigprocmask(SIG_BLOCK, &all, NULL);
  for (volatile unsigned i = 0; t; i++) continue;
  return PV_OK;
}

/* Durations that load on the machine may stretch are not measured, only that the end comes. */
enum { LATE = 60 }; /* seconds */

static void time_ends_all(void **state) {
  (void)state;
  limit("time=0.3s");
  ends(run(heeds_limits), PV_CONDITIONAL, PV_PROVISO_TIME, "would find nothing");
  assert_int_equal(o.limits.hit, PV_LIMIT_TIME);
  limit("time=0.3s");
  ends(run(waits_to_be_told), PV_CONDITIONAL, PV_PROVISO_TIME, "would find nothing");
  assert_int_equal(o.limits.hit, PV_LIMIT_TIME);
  assert_true(pv_limits_elapsed(&o.limits) < LATE);
  limit("time=0.3s");
  ends(run(ends_slowly), PV_CONDITIONAL, PV_PROVISO_TIME, "would find nothing");
  limit("time=0.3s");
  ends(run(ignores_limits), PV_CONDITIONAL, PV_PROVISO_TIME, "(it had to be killed)");
  assert_int_equal(o.limits.hit, PV_LIMIT_TIME);
  limit("time=0.3s");
  ends(run(loops), PV_UNKNOWN, PV_PROVISO_TIME, "(it had to be killed)");
  assert_true(pv_limits_elapsed(&o.limits) < LATE);
  assert_true(o.limits.children > 0);
}

/* ---- something happens while the engine runs ------------------------------------------------- */
/* The engine reports as progress that it has reached a point; the parent then acts. So the order
 * does not depend on durations. */
static void tell(const struct pv_task *t) {
  t->progress(t->progress_user, &(struct pv_stats){0});
}

static void on_told_limit(void *user, const struct pv_stats *stats) {
  (void)user, (void)stats;
  limit("time=0.3s");
}

static void on_told_interrupt(void *user, const struct pv_stats *stats) {
  (void)user, (void)stats;
  pv_limits_interrupt();
}

static enum pv_status finds_and_loops(const struct pv_task *t, struct pv_result *r) {
  struct pv_task own = *t;
  own.progress = NULL;
  pv_engine_explicit.run(&own, r);
  pv_checkpoint(t, r);
  tell(t);
  return loops(t, r);
}

static enum pv_status tells_and_heeds(const struct pv_task *t, struct pv_result *r) {
  tell(t);
  return heeds_limits(t, r);
}

static enum pv_status tells_and_loops(const struct pv_task *t, struct pv_result *r) {
  tell(t);
  return loops(t, r);
}

static void an_error_outlives_the_limit(void **state) {
  (void)state;
  task.progress = on_told_limit;
  ends(run(finds_and_loops), PV_FALSE, PV_PROVISO_TIME, "(it had to be killed)");
}

static void interrupts_are_handed_on(void **state) {
  (void)state;
  task.progress = on_told_interrupt;
  limit("time=0");
  ends(run(tells_and_heeds), PV_CONDITIONAL, PV_PROVISO_INTERRUPT, "would find nothing");
  assert_int_equal(o.limits.hit, PV_LIMIT_INTERRUPT);
  assert_true(pv_limits_interrupted());
  pv_limits_clear_interrupt();
  limit("time=0");
  ends(run(tells_and_loops), PV_UNKNOWN, PV_PROVISO_INTERRUPT, "(it had to be killed)");
  pv_limits_clear_interrupt();
  limit("time=0");
  ends(run(finds_and_loops), PV_FALSE, PV_PROVISO_INTERRUPT, "(it had to be killed)");
  assert_true(pv_limits_interrupted());
}

/* Signals that come from elsewhere, more than once: the engine ends in order. */
static enum pv_status is_interrupted_often(const struct pv_task *t, struct pv_result *r) {
  for (int i = 0; i < 5; i++) {
    raise(SIGINT); /* of the terminal: it is the parent's business */
    if (pv_limits_check(t->limits, 0) != PV_LIMIT_NONE) return PV_E_INTERNAL;
  }
  for (int i = 0; i < 5; i++) raise(SIGTERM);
  return heeds_limits(t, r);
}

static void signals_come_often(void **state) {
  (void)state;
  pv_limits_catch_signals();
  limit("time=0");
  ends(run(is_interrupted_often), PV_CONDITIONAL, PV_PROVISO_INTERRUPT, "would find nothing");
  assert_false(pv_limits_interrupted());
}

enum { PIECE = 1 << 20 };

/* The size of the pieces that it allocates: small enough that a late parent still finds less than
 * twice the limit. Then the engine waits for the parent. */
static uint64_t appetite(const struct pv_task *t) {
  uint64_t here = pv_resident_memory(), most = t->limits->memory + t->limits->memory / 2;
  return most > here ? (most - here) / PIECE : 0;
}

static enum pv_status eats(const struct pv_task *t, struct pv_result *r) {
  (void)r;
  for (uint64_t n = appetite(t); n; n--) memset(pv_alloc(PIECE), 1, PIECE);
  wait_for_ever();
}

/* As libraries do when there is no more. */
static enum pv_status eats_and_aborts(const struct pv_task *t, struct pv_result *r) {
  r->verdict = PV_CONDITIONAL;
  pv_checkpoint(t, r);
  for (uint64_t n = appetite(t); n; n--) {
    void *piece = mmap(NULL, PIECE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (piece == MAP_FAILED) abort();
    memset(piece, 1, PIECE);
  }
  wait_for_ever();
}

static enum pv_status eats_and_heeds(const struct pv_task *t, struct pv_result *r) {
  r->verdict = PV_CONDITIONAL;
  while (pv_limits_check_now(t->limits) == PV_LIMIT_NONE) memset(pv_alloc(PIECE), 1, PIECE);
  if (t->limits->hit != PV_LIMIT_MEMORY) return PV_E_INTERNAL;
  pv_condition_add(&r->condition, PV_PROVISO_MEMORY, NULL, 0, "`fake` would find nothing");
  return PV_OK;
}

static enum pv_status maps(const struct pv_task *t, struct pv_result *r) {
  void *much = mmap(NULL, 4 * t->limits->memory, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  r->verdict = much == MAP_FAILED ? PV_TRUE : PV_CONDITIONAL;
  return PV_OK;
}

static void more_cannot_even_be_asked_for(void **state) {
  (void)state;
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
  limit("memory=1GiB");
  struct pv_result r = run(maps);
  assert_int_equal(r.verdict, PV_TRUE);
  pv_result_clear(&r);
#else
  (void)maps;
#endif
}

static void memory_ends_all(void **state) {
  (void)state;
  const body eaters[] = {eats, eats_and_aborts, eats_and_heeds};
  const enum pv_verdict verdicts[] = {PV_UNKNOWN, PV_CONDITIONAL, PV_CONDITIONAL};
  const char *const texts[] = {"the whole program", "no error lies beyond", "would find nothing"};
  for (int i = 0; i < 3; i++) {
    uint64_t memory = pv_resident_memory() + 200000000;
    char text[64];
    snprintf(text, sizeof text, "memory=%llu", (unsigned long long)memory);
    limit(text);
    struct pv_result r = run(eaters[i]);
    assert_true(o.limits.peak > memory / 2);
    assert_true(o.limits.peak < memory * 2);
    assert_true(pv_resident_memory() < memory);
    ends(r, verdicts[i], PV_PROVISO_MEMORY, texts[i]);
  }
}

/* ---- combination ----------------------------------------------------------------------------- */
/* What the parent does to the child does not depend on when it looks. */
static void the_same_again(void **state) {
  (void)state;
  const body bodies[] = {finishes, crashes, checkpoints_and_crashes, finds_and_crashes, lies_well};
  for (size_t i = 0; i < sizeof bodies / sizeof *bodies; i++) {
    struct pv_str first = {0};
    for (int again = 0; again < 3; again++) {
      struct pv_result r = run(bodies[i]);
      struct pv_str bytes = {0};
      r.stats = (struct pv_stats){0};
      pv_result_write(&r, &bytes);
      if (again) {
        assert_int_equal(bytes.n, first.n);
        assert_memory_equal(bytes.at, first.at, bytes.n);
      } else {
        pv_str_addn(&first, bytes.at, bytes.n);
      }
      pv_str_free(&bytes);
      pv_result_clear(&r);
    }
    pv_str_free(&first);
  }
}

int main(void) {
#define T(F) cmocka_unit_test_setup_teardown(F, set_up, tear_down)
  const struct CMUnitTest tests[] = {T(what_is_found_comes_back),
                                     T(an_engine_does_the_same_there),
                                     T(much_comes_back),
                                     T(progress_comes_back),
                                     T(failures_are_named),
                                     T(what_libraries_print_is_kept_back),
                                     T(garbage_is_no_answer),
                                     T(the_last_checkpoint_counts),
                                     T(errors_of_checkpoints_are_seen_again),
                                     T(time_ends_all),
                                     T(an_error_outlives_the_limit),
                                     T(interrupts_are_handed_on),
                                     T(signals_come_often),
                                     T(memory_ends_all),
                                     T(more_cannot_even_be_asked_for),
                                     T(the_same_again)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
