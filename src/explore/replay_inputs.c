/* replay_inputs.c -- searches for the path that a program takes with given inputs, and
 * replays it. */
#include <stdlib.h>
#include <string.h>

#include "explore/moves.h"
#include "explore/replay.h"

enum {
  SLICE = 1000, /* transitions of one thread while others could move */
  MAX_INSTRUCTIONS_BEHIND_INPUTS = 100000000, /* instructions after the last given input */
  MORE_INPUTS = 1000000                       /* inputs after it */
};

struct run {
  const struct pv_task *task;
  const struct pv_error_key *wanted; /* NULL: any error */
  struct pv_vm *vm;
  struct pv_script script;
  struct pv_error_path path; /* choices, and later also inputs */
  struct pv_moves moves;
  unsigned turn;             /* the thread that moved last ... */
  uint32_t moved;            /* ... and its number of transitions in a row */
  uint64_t last_instruction; /* the search gives up at this number of instructions */
  bool found;
  struct pv_event event;
  const char *why;                    /* why nothing was found */
  const struct pv_schedule *schedule; /* the order of threads to follow; NULL: none */
  struct stand {
    uint32_t at;                          /* the last turn that the thread began, or NOWHERE ... */
    bool parked;                          /* ... and has not finished */
    PV_VEC(const struct pv_edge *) calls; /* that have not returned */
    const struct pv_edge *returned;       /* the call that has returned just now; or NULL */
  } stand[PV_MAX_THREADS];
  bool lost; /* a thread does not do what the schedule says */
};
#define NOWHERE UINT32_MAX

/* ---- schedules ---------------------------------------------------------------------------------
 */

/* Operations that turns are identified by. For others the VM does not report all that is needed: a
 * branch, for example. */
static bool is_told(const struct pv_edge *e) {
  switch (e->op) {
  case PV_OP_LOAD:
  case PV_OP_STORE:
  case PV_OP_COPY:
  case PV_OP_FILL:
  case PV_OP_HAVOC:
  case PV_OP_ALLOC:
  case PV_OP_FREE:
  case PV_OP_LIVE:
  case PV_OP_DEAD:
  case PV_OP_CALL:
  case PV_OP_RETURN:
  case PV_OP_RMW:
  case PV_OP_CMPXCHG:
  case PV_OP_PRIM:
  case PV_OP_ATOMIC_BEGIN:
  case PV_OP_STOP: return true;
  default: return false;
  }
}

static const struct pv_edge *edge_of(const struct run *r, uint32_t turn) {
  const struct pv_turn *t = &r->schedule->at[turn];
  return &r->task->program->functions.at[t->function].edges.at[t->edge];
}

/* The thread's first turn after `at` (NOWHERE: its first one at all), or `n` if there is none. */
static uint32_t next_turn(const struct run *r, unsigned thread, uint32_t at) {
  uint32_t i = at == NOWHERE ? 0 : at + 1;
  while (i < r->schedule->n && (r->schedule->at[i].thread != thread || !is_told(edge_of(r, i))))
    i++;
  return i;
}

/* Is it the rest of a call, behind the return? The machine reports its edge once more if it has
 * something to do there. */
static bool is_rest(struct stand *s, const struct pv_edge *e) {
  const struct pv_edge *returned = s->returned;
  s->returned = NULL;
  if (e == returned) return true;
  bool again = s->parked && s->calls.n && pv_vec_last(&s->calls) == e; /* it was parked there */
  if (e->op == PV_OP_CALL && !again) pv_vec_push(&s->calls, e);
  if (e->op == PV_OP_RETURN && s->calls.n) s->returned = pv_vec_pop(&s->calls);
  return false;
}

static void on_edge(void *user, unsigned thread, const struct pv_function *f,
                    const struct pv_edge *e) {
  struct run *r = user;
  struct stand *s = &r->stand[thread];
  (void)f;
  if (is_rest(s, e)) return;
  if (!is_told(e) || s->at == r->schedule->n) return;
  if (s->parked && s->at != NOWHERE && edge_of(r, s->at) == e) {
    s->parked = false; /* it continues */
    return;
  }
  s->parked = false;
  s->at = next_turn(r, thread, s->at);
  if (s->at < r->schedule->n) r->lost |= edge_of(r, s->at) != e;
}

static void on_parked(void *user, unsigned thread) {
  struct run *r = user;
  r->stand[thread].parked = true;
}

/* The turn whose operation the thread is parked at. */
static uint32_t turn_of(const struct run *r, unsigned thread) {
  const struct stand *s = &r->stand[thread];
  if (s->parked || s->at == r->schedule->n)
    return s->at == NOWHERE ? next_turn(r, thread, s->at) : s->at;
  return next_turn(r, thread, s->at);
}

/* A call that takes several turns (a wait) has finished one; the thread is still parked at it. It
 * stays there if the schedule has no further turn of it. */
static void second_turn(struct run *r, unsigned thread, uint32_t before) {
  struct stand *s = &r->stand[thread];
  if (!s->parked || s->at != before || before >= r->schedule->n) return;
  if (edge_of(r, before)->op != PV_OP_PRIM) return;
  uint32_t next = next_turn(r, thread, before);
  bool goes_on = next < r->schedule->n && edge_of(r, next) == edge_of(r, before);
  if (goes_on || next == r->schedule->n) s->at = next;
}

/* Chooses the thread with the earliest turn. */
static bool follow(struct run *r, struct pv_choice *out) {
  uint32_t first = r->schedule->n;
  pv_threads may_run = pv_vm_may_run(r->vm);
  for (unsigned t = 0; t < r->moves.n; t++) {
    if (!(r->moves.alive & may_run & PV_THREAD_BIT(t)) || turn_of(r, t) >= first) continue;
    first = turn_of(r, t);
    *out = (struct pv_choice){t, 0};
  }
  if (first == r->schedule->n) return false;
  uint32_t wanted = r->schedule->at[first].alternative,
           alternatives = r->moves.alternatives[out->thread];
  if (!alternatives) r->why = "a thread has to wait where it should go on";
  if (alternatives) out->alternative = wanted < alternatives ? wanted : alternatives - 1;
  return true;
}

static void consider(void *user, const struct pv_event *e) {
  struct run *r = user;
  struct pv_error_key key = pv_event_key(e);
  if (r->found || (r->wanted && !pv_error_is(r->wanted, &key))) return;
  r->found = true;
  r->event = *e;
}

static bool shows_error(struct run *r, struct pv_pending next[PV_MAX_THREADS]) {
  pv_moves_peek(r->vm, next, &r->moves);
  pv_state_errors(r->vm, r->task, &r->moves, consider, r);
  return r->found;
}

static bool gives_up(struct run *r) {
  const struct pv_limits *l = r->task->limits;
  if (pv_limits_check(r->task->limits, 0) != PV_LIMIT_NONE)
    r->why = "a limit of the run was reached";
  else if (l->depth && r->path.choices.n >= l->depth)
    r->why = "the limit on depth was reached";
  else if (pv_vm_instructions(r->vm) >= r->last_instruction ||
           r->script.n_asked > (uint64_t)r->script.n + MORE_INPUTS)
    r->why = "nothing happened for a long time";
  return r->why;
}

/* Chooses the thread to move: the last one, unless it cannot move or moved often in a row; then the
 * next one. */
static bool choose(struct run *r, struct pv_choice *out) {
  if (r->lost) r->why = "a thread does something else than it should";
  if (r->lost) return false;
  if (r->schedule && follow(r, out)) return !r->why;
  pv_threads able = r->moves.lively, others = able & ~PV_THREAD_BIT(r->turn);
  if (!able) {
    r->why = r->moves.alive ? "no thread can go on" : "the program ends";
    return false;
  }
  bool stays = (able & PV_THREAD_BIT(r->turn)) && (r->moved < SLICE || !others);
  if (!stays) {
    pv_threads later = others & ~(PV_THREAD_BIT(r->turn) - 1);
    r->turn = (unsigned)__builtin_ctzll(later ? later : others);
    r->moved = 0;
  }
  r->moved++;
  *out = (struct pv_choice){r->turn, 0};
  return true;
}

/* Executes a choice. Returns false if the path ended. */
static bool move(struct run *r, struct pv_choice choice) {
  uint64_t asked = r->script.n_asked;
  uint32_t n_passed;
  uint32_t turn = r->stand[choice.thread].at;
  enum pv_outcome outcome = pv_vm_step(r->vm, choice.thread, choice.alternative);
  if (r->schedule) second_turn(r, choice.thread, turn);
  pv_vec_push(&r->path.choices, choice);
  if (asked < r->script.n && r->script.n_asked > asked)
    r->last_instruction = pv_vm_instructions(r->vm) + MAX_INSTRUCTIONS_BEHIND_INPUTS;
  const struct pv_event *passed = pv_vm_passed(r->vm, &n_passed);
  for (uint32_t i = 0; i < n_passed; i++) consider(r, &passed[i]);
  if (r->found) return false;
  switch (outcome) {
  case PV_RAN: return true;
  case PV_VIOLATED:
    r->found = true; /* the path has no other error, whether it is the wanted one or not */
    r->event = *pv_vm_event(r->vm);
    break;
  case PV_ENDED: r->why = "the program ends"; break;
  case PV_PRUNED: r->why = "the path ends by abort or a false assumption"; break;
  case PV_CUT: r->why = "the path comes to something that is not modelled, or to a limit"; break;
  }
  return false;
}

static void find(struct run *r) {
  struct pv_pending next[PV_MAX_THREADS];
  struct pv_choice choice = {0, 0};
  while (!shows_error(r, next) && !gives_up(r) && choose(r, &choice) && move(r, choice)) {
  }
}

static enum pv_status tell(struct run *r, struct pv_violation *out) {
  struct pv_error_key key = pv_event_key(&r->event);
  for (uint32_t i = 0; i < r->script.asked.n; i++) {
    const struct pv_asked *a = &r->script.asked.at[i];
    struct pv_input in = {.value = {a->value[0], a->value[1]}};
    pv_vec_push(&r->path.inputs, in);
  }
  enum pv_status status = pv_replay_path(r->task, &r->path, &key, out);
  if (out->replayed) return status;
  pv_violation_clear(out);
  r->why = "a limit of the run was reached";
  return status;
}

static enum pv_status replay(const struct pv_task *task, const struct pv_input *inputs, uint32_t n,
                             const struct pv_schedule *schedule, const struct pv_error_key *wanted,
                             bool skips, struct pv_violation *out) {
  struct pv_condition ignored = {0};
  struct run r = {.task = task,
                  .wanted = wanted,
                  .last_instruction = MAX_INSTRUCTIONS_BEHIND_INPUTS,
                  .schedule = schedule};
  struct pv_recorder recorder = {.user = &r}; /* the script needs one */
  PV_VEC(struct pv_input) given = {0};
  for (uint32_t i = 0; i < n; i++) {
    struct pv_input in = {.value = {inputs[i].value[0], inputs[i].value[1]},
                          .site = inputs[i].site};
    pv_vec_push(&given, in);
  }
  r.script = (struct pv_script){.given = given.at,
                                .n = n,
                                .least = true,
                                .skips = skips,
                                .loaded = schedule ? schedule->loaded : NULL,
                                .n_loaded = schedule ? schedule->n_loaded : 0};
  if (schedule && !schedule->n) r.schedule = schedule = NULL;
  pv_script_index(&r.script);
  r.vm = pv_vm_new(task, pv_sched_of(task->program->sched), &ignored);
  pv_vm_start(r.vm);
  pv_vm_script(r.vm, &r.script);
  pv_vm_stop_at(r.vm, wanted);
  for (unsigned t = 0; t < PV_MAX_THREADS; t++) r.stand[t].at = NOWHERE;
  if (schedule) recorder.edge = on_edge, recorder.parked = on_parked;
  if (schedule || r.script.loaded) pv_vm_record(r.vm, &recorder);
  find(&r);
  pv_vm_free(r.vm);
  pv_condition_clear(&ignored);
  enum pv_status status = PV_OK;
  if (r.found) status = tell(&r, out);
  if (!out->replayed) out->message = r.script.wrong ? pv_strdup(r.script.wrong) : pv_strdup(r.why);
  for (unsigned t = 0; t < PV_MAX_THREADS; t++) pv_vec_free(&r.stand[t].calls);
  pv_path_clear(&r.path);
  pv_script_clear(&r.script);
  pv_vec_free(&given);
  return status;
}

enum pv_status pv_replay_inputs(const struct pv_task *task, const struct pv_input *inputs,
                                uint32_t n, const struct pv_schedule *schedule,
                                const struct pv_error_key *wanted, struct pv_violation *out) {
  return replay(task, inputs, n, schedule, wanted, false, out);
}

enum pv_status pv_replay_sliced(const struct pv_task *task, const struct pv_violation *of_slice,
                                struct pv_violation *out) {
  struct pv_error_key key = {
      .property = of_slice->property, .span = of_slice->span, .message = of_slice->message};
  return replay(task, of_slice->path.inputs.at, of_slice->path.inputs.n, NULL, &key, true, out);
}
