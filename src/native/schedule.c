#include "native/schedule.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "vm/moves.h"

struct follower {
  const struct pv_task *task;
  const struct pv_program *program;
  struct pv_vm *vm;
  struct pv_native_schedule *out;
  struct pv_map keys;              /* file, line, column, kind -> key */
  struct pv_map times;             /* thread, key -> how often the thread came there */
  uint32_t number[PV_MAX_THREADS]; /* by slot of the machine: in the order of creation */
  uint32_t created;
  uint64_t known;                               /* slots with numbers */
  const struct pv_edge *last[PV_MAX_THREADS];   /* that the thread came to, in the program's code */
  struct pv_native_turn before[PV_MAX_THREADS]; /* by slot: its last turn */
  struct calls {
    PV_VEC(const struct pv_edge *) open;
    const struct pv_edge *returned; /* the call from which the thread has just returned */
  } calls[PV_MAX_THREADS];
};

/* ---- places ------------------------------------------------------------------------------------
 */
static char kind_of(const struct pv_edge *e) {
  switch (e->op) {
  case PV_OP_LOAD: return 'r';
  case PV_OP_STORE: return 'w';
  case PV_OP_RMW:
  case PV_OP_CMPXCHG: return 'u';
  case PV_OP_COPY:
  case PV_OP_FILL: return 'm';
  case PV_OP_CALL:
  case PV_OP_PRIM:
  case PV_OP_HAVOC:
  case PV_OP_ALLOC:
  case PV_OP_FREE:
  case PV_OP_ERROR:
  case PV_OP_STOP:
  case PV_OP_ATOMIC_BEGIN:
  case PV_OP_ATOMIC_END: return 'c';
  default: return 0;
  }
}

static uint32_t key_of(struct follower *f, uint32_t span, char kind) {
  const struct pv_span *s = pv_span_of(f->program, span);
  struct {
    uint32_t file, line, column, kind;
  } key = {kind == 'e' ? 0 : s->file, kind == 'e' ? 0 : s->line, kind == 'e' ? 0 : s->column,
           (uint32_t)kind};
  bool is_new;
  uint32_t i = *pv_map_put(&f->keys, &key, sizeof key, f->out->keys.n, &is_new);
  if (is_new)
    pv_vec_push(&f->out->keys, ((struct pv_native_key){
                                   pv_strdup(kind == 'e' ? "" : pv_span_file(f->program, span)),
                                   key.line, key.column, kind}));
  return i;
}

static uint32_t *times_of(struct follower *f, unsigned slot, uint32_t key) {
  struct {
    uint32_t thread, key;
  } at = {f->number[slot], key};
  return pv_map_put(&f->times, &at, sizeof at, 0, NULL);
}

/* An edge with a call is told again when the call returns. */
static bool is_return(struct calls *c, const struct pv_edge *e) {
  const struct pv_edge *returned = c->returned;
  c->returned = NULL;
  if (e->op == PV_OP_RETURN && c->open.n) c->returned = pv_vec_pop(&c->open);
  if (e->op != PV_OP_CALL) return false;
  if (e == returned) return true;
  pv_vec_push(&c->open, e);
  return false;
}

static void on_edge(void *user, unsigned thread, const struct pv_function *function,
                    const struct pv_edge *e) {
  struct follower *f = user;
  if (is_return(&f->calls[thread], e)) return;
  if (function->is_library || !pv_span_of(f->program, e->span)->line) return;
  char kind = kind_of(e);
  bool own = e->op == PV_OP_CALL && e->callee != PV_NO_FUNC &&
             !f->program->functions.at[e->callee].is_library;
  if (!kind || own) return;
  f->last[thread] = e;
  ++*times_of(f, thread, key_of(f, e->span, kind));
}

/* The thread is parked now: did it only come to its pending operation? */
static void take_back(struct follower *f, unsigned slot) {
  struct pv_pending p;
  pv_vm_pending(f->vm, slot, &p);
  if (p.kind == PV_PEND_NONE || p.kind == PV_PEND_END || !f->last[slot] || p.edge != f->last[slot])
    return;
  --*times_of(f, slot, key_of(f, p.edge->span, kind_of(p.edge)));
  f->last[slot] = NULL;
}

/* Where the thread is parked. false: at nothing that it comes to natively. */
static bool find_place(struct follower *f, unsigned slot, const struct pv_pending *p,
                       struct pv_native_turn *out) {
  bool exits = p->kind == PV_PEND_PRIM && p->call.prim->role == PV_ROLE_EXITS;
  *out = (struct pv_native_turn){.thread = f->number[slot], .times = 1};
  for (uint32_t depth = pv_vm_depth(f->vm, slot); depth-- > 0;) {
    uint32_t function;
    pv_loc loc;
    pv_vm_frame(f->vm, slot, depth, &function, &loc);
    const struct pv_edge *call = pv_vm_frame_call(f->vm, slot, depth), *e = call ? call : p->edge;
    if (f->program->functions.at[function].is_library || !pv_span_of(f->program, e->span)->line)
      continue;
    char kind = call ? 'c' : kind_of(e);
    if (!kind) return false;
    out->key = key_of(f, e->span, kind);
    out->times = *times_of(f, slot, out->key) + (call == NULL);
    return true;
  }
  if (!exits && p->kind != PV_PEND_END) return false;
  out->key = key_of(f, 0, 'e');
  return true;
}

/* Is the operation in two parts natively, too, with a turn for each? */
static bool has_parts(const struct pv_pending *p) {
  const char *name = p->kind == PV_PEND_PRIM ? p->call.prim->name : "";
  return strstr(name, "cond_") || strstr(name, "barrier") || strstr(name, "once");
}

static void doubt(struct follower *f, char *sentence) {
  for (uint32_t i = 0; i < f->out->doubts.n; i++)
    if (!strcmp(f->out->doubts.at[i], sentence)) {
      free(sentence);
      return;
    }
  pv_vec_push(&f->out->doubts, sentence);
}

static void add_turn(struct follower *f, unsigned slot, const struct pv_pending *p, uint32_t step,
                     uint32_t flags) {
  struct pv_native_turn turn;
  if (p->kind == PV_PEND_NONE || p->kind == PV_PEND_LOCAL || !find_place(f, slot, p, &turn)) return;
  const struct pv_native_turn *before = &f->before[slot];
  bool again = before->times && before->key == turn.key && before->times == turn.times;
  if (again && !has_parts(p)) return;
  turn.step = step;
  turn.flags = flags | (again ? PV_NATIVE_AGAIN : 0);
  f->before[slot] = turn;
  pv_vec_push(&f->out->turns, turn);
}

/* Does the wait end because its time is over? */
static uint32_t timeout_of(const struct follower *f, const struct pv_pending *p,
                           unsigned alternative) {
  enum pv_alternative_kind kinds[PV_MAX_THREADS + 2];
  if (p->kind != PV_PEND_PRIM) return 0;
  const struct pv_sched *sched = pv_sched_of(f->program->sched);
  unsigned n = sched->alternatives(pv_vm_sched_state(f->vm), &p->call, kinds);
  return alternative < n && kinds[alternative] == PV_ALTERNATIVE_TIMEOUT ? PV_NATIVE_TIMES_OUT : 0;
}

/* What the choice takes that the C library does not do when asked. */
static void look_for_doubts(struct follower *f, const struct pv_pending *p, unsigned alternative) {
  const struct pv_span *s = pv_span_of(f->program, p->edge->span);
  const char *file = pv_span_file(f->program, p->edge->span);
  if (p->kind == PV_PEND_ALLOC && alternative)
    doubt(f, pv_format("an allocation gets the address of a block that was freed"));
  if (p->kind == PV_PEND_INPUT && p->edge->op != PV_OP_HAVOC)
    doubt(f, pv_format("a value that was never set is chosen (%s:%" PRIu32 ")", file, s->line));
}

/* ---- the path ----------------------------------------------------------------------------------
 */
/* Threads that were created get their numbers, in the order of creation. */
static void number_new(struct follower *f) {
  uint64_t alive = pv_vm_alive_set(f->vm);
  PV_FOR_THREADS(t, alive & ~f->known) {
    f->number[t] = f->created++;
    f->before[t] = (struct pv_native_turn){0};
    f->last[t] = NULL;
    f->calls[t].open.n = 0;
    f->calls[t].returned = NULL;
  }
  f->known = alive;
}

/* A new thread runs at once, to its first visible operation: it needs its number before that, also
 * if several are created in one step. */
static void on_called(void *user, unsigned thread, const struct pv_called *called) {
  (void)thread;
  if (called->call->prim->class == PV_PRIM_THREAD) number_new(user);
}

static void on_edge_of_new(struct follower *f, uint64_t before) {
  PV_FOR_THREADS(t, pv_vm_alive_set(f->vm) & ~before) take_back(f, t);
}

static void add_last(struct follower *f, uint32_t step, uint64_t but) {
  struct pv_pending p;
  PV_FOR_THREADS(t, pv_vm_alive_set(f->vm) & ~but) {
    pv_vm_pending(f->vm, t, &p);
    add_turn(f, t, &p, step, PV_NATIVE_LAST);
  }
}

struct shown {
  const struct pv_error_key *wanted;
  bool found;
  struct pv_event event;
};
static void on_state_error(void *user, const struct pv_event *e) {
  struct shown *s = user;
  struct pv_error_key key = pv_event_key(e);
  if (!pv_error_is(s->wanted, &key)) return;
  s->event = *e;
  s->found = true;
}

/* A thread that is about to access inside of a function of the C library, where it had its last
 * turn already, is held before the call. */
static void hold_before(struct follower *f, unsigned slot) {
  struct pv_pending p;
  struct pv_native_turn turn;
  uint32_t i = f->out->turns.n;
  pv_vm_pending(f->vm, slot, &p);
  if (p.kind == PV_PEND_NONE || p.kind == PV_PEND_LOCAL || !find_place(f, slot, &p, &turn)) return;
  while (i && f->out->turns.at[i - 1].thread != turn.thread) i--;
  if (!i) return;
  const struct pv_native_turn last = f->out->turns.at[i - 1];
  if (last.flags || last.key != turn.key || last.times != turn.times) return;
  for (; i < f->out->turns.n; i++) f->out->turns.at[i - 1] = f->out->turns.at[i];
  turn.step = last.step;
  turn.flags = PV_NATIVE_LAST;
  f->out->turns.at[f->out->turns.n - 1] = turn;
}

static void look_at_state(struct follower *f, const struct pv_error_key *wanted) {
  struct pv_pending next[PV_MAX_THREADS];
  struct pv_moves m;
  struct shown shown = {.wanted = wanted};
  pv_moves_peek(f->vm, next, &m);
  pv_state_errors(f->vm, f->task, &m, on_state_error, &shown);
  if (!shown.found || wanted->property != PV_PROP_NO_DATA_RACE) return;
  hold_before(f, shown.event.thread);
  hold_before(f, shown.event.other);
  f->out->error = 'r';
  f->out->one = f->number[shown.event.thread];
  f->out->other = f->number[shown.event.other];
}

static bool follow(struct follower *f, const struct pv_error_path *path,
                   const struct pv_error_key *wanted) {
  for (uint32_t i = 0; i < path->choices.n; i++) {
    const struct pv_choice *c = &path->choices.at[i];
    struct pv_pending p;
    pv_vm_pending(f->vm, c->thread, &p);
    if (c->alternative >= p.alternatives) return false;
    look_for_doubts(f, &p, c->alternative);
    add_turn(f, c->thread, &p, i + 1, timeout_of(f, &p, c->alternative));
    uint64_t before = pv_vm_alive_set(f->vm);
    f->known = before;
    enum pv_outcome outcome = pv_vm_step(f->vm, c->thread, c->alternative);
    if (outcome == PV_RAN) {
      number_new(f);
      take_back(f, c->thread);
      on_edge_of_new(f, before);
      continue;
    }
    add_last(f, i + 2, PV_THREAD_BIT(c->thread));
    return i + 1 == path->choices.n;
  }
  add_last(f, path->choices.n + 1, 0);
  look_at_state(f, wanted);
  return true;
}

/* Inputs that neither the harness nor the command gives (report/harness.h, report/given.h). */
static void doubt_inputs(struct follower *f, const struct pv_error_path *path) {
  for (uint32_t i = 0; i < path->sources.n; i++) {
    const struct pv_source *s = &path->sources.at[i];
    bool chosen = s->origin == PV_ORIGIN_LIBRARY && s->name && s->name[0] != '_' &&
                  strcmp(s->name, "proviso_choose") != 0 && strncmp(s->name, "file", 4) != 0 &&
                  !strchr(s->name, ' ');
    if (chosen) doubt(f, pv_format("what `%s` gives (%s:%" PRIu32 ")", s->name, s->file, s->line));
  }
}

static char error_of(const struct pv_violation *v) {
  if (v->property == PV_PROP_NO_DEADLOCK) return 'd';
  bool memory = v->property == PV_PROP_VALID_DEREF || v->property == PV_PROP_VALID_FREE;
  return memory && v->message && strstr(v->message, "free") ? 'f' : 0;
}

bool pv_native_schedule_of(const struct pv_task *task, const struct pv_violation *v,
                           struct pv_native_schedule *out) {
  struct pv_condition ignored = {0};
  struct pv_task own = *task;
  own.properties &= ~PV_PROP_TEMPORAL;
  struct pv_error_key wanted = {.property = v->property, .message = v->message};
  struct follower f = {.task = &own, .program = task->program, .out = out, .created = 1};
  const struct pv_error_path *path = &v->path;
  struct pv_script script = {.given = path->inputs.at,
                             .n = path->inputs.n,
                             .sources = path->sources.at,
                             .n_sources = path->sources.n};
  struct pv_recorder recorder = {.user = &f, .edge = on_edge, .called = on_called};
  out->error = error_of(v);
  f.vm = pv_vm_new(&own, pv_sched_of(task->program->sched), &ignored);
  pv_vm_record(f.vm, &recorder);
  pv_vm_start(f.vm);
  take_back(&f, 0);
  pv_vm_script(f.vm, &script);
  pv_vm_stop_at(f.vm, &wanted);
  doubt_inputs(&f, path);
  bool ran = follow(&f, path, &wanted);
  pv_script_clear(&script);
  pv_vm_free(f.vm);
  pv_map_free(&f.keys);
  pv_map_free(&f.times);
  for (unsigned t = 0; t < PV_MAX_THREADS; t++) pv_vec_free(&f.calls[t].open);
  pv_condition_clear(&ignored);
  return ran;
}

/* ---- fitting and printing
 * ------------------------------------------------------------------------ */
static bool exists(const struct pv_native_key *k, const struct pv_native_site *sites, uint32_t n) {
  if (k->kind == 'e') return true;
  for (uint32_t i = 0; i < n; i++) {
    const struct pv_native_site *s = &sites[i];
    if (s->kind == k->kind && s->line == k->line && s->column == k->column &&
        !strcmp(s->file, k->file))
      return true;
  }
  return false;
}

uint32_t pv_native_schedule_fit(struct pv_native_schedule *s, const struct pv_native_site *sites,
                                uint32_t n) {
  bool *there = pv_alloc((s->keys.n + 1) * sizeof *there);
  uint32_t kept = 0, all = s->turns.n;
  for (uint32_t k = 0; k < s->keys.n; k++) there[k] = exists(&s->keys.at[k], sites, n);
  for (uint32_t i = 0; i < s->turns.n; i++)
    if (there[s->turns.at[i].key]) s->turns.at[kept++] = s->turns.at[i];
  s->turns.n = kept;
  free(there);
  return all - kept;
}

static void add_string(const char *text, struct pv_str *out) {
  pv_str_addc(out, '"');
  for (const unsigned char *c = (const unsigned char *)text; *c; c++)
    if (*c == '"' || *c == '\\' || *c < 0x20 || *c >= 0x7f)
      pv_str_addf(out, "\\%03o", *c);
    else
      pv_str_addc(out, (char)*c);
  pv_str_addc(out, '"');
}

void pv_native_schedule_print(const struct pv_native_schedule *s, uint32_t patience,
                              struct pv_str *out) {
  pv_str_add(out, "\n/* The schedule: turns of threads at places (proviso_runtime.c). */\n"
                  "struct proviso_turn {\n  unsigned thread, times, key, step, flags;\n};\n"
                  "struct proviso_key {\n  const char *file;\n  unsigned line, column;\n"
                  "  char kind;\n};\n"
                  "static const struct proviso_key proviso_keys[] = {\n");
  for (uint32_t i = 0; i < s->keys.n; i++) {
    const struct pv_native_key *k = &s->keys.at[i];
    pv_str_add(out, "    {");
    add_string(k->file, out);
    pv_str_addf(out, ", %" PRIu32 ", %" PRIu32 ", '%c'},\n", k->line, k->column, k->kind);
  }
  pv_str_add(out, "    {0}};\nstatic const struct proviso_turn proviso_turns[] = {\n");
  for (uint32_t i = 0; i < s->turns.n; i++) {
    const struct pv_native_turn *t = &s->turns.at[i];
    const struct pv_native_key *k = &s->keys.at[t->key];
    pv_str_addf(out, "    {%" PRIu32 ", %" PRIu32 ", %" PRIu32 ", %" PRIu32 ", %" PRIu32 "}, /*",
                t->thread, t->times, t->key, t->step, t->flags);
    pv_str_addf(out, " %c %" PRIu32 ":%" PRIu32 " */\n", k->kind, k->line, k->column);
  }
  pv_str_addf(out,
              "    {0}};\nconst struct {\n  const struct proviso_turn *turns;\n"
              "  unsigned n_turns, n_keys;\n  const struct proviso_key *keys;\n  char error;\n"
              "  unsigned one, other, patience;\n} proviso_schedule = {proviso_turns, %" PRIu32
              ", %" PRIu32 ", proviso_keys, %d, %" PRIu32 ", %" PRIu32 ", %" PRIu32 "};\n",
              s->turns.n, s->keys.n, s->error, s->one, s->other, patience);
}

void pv_native_schedule_clear(struct pv_native_schedule *s) {
  for (uint32_t i = 0; i < s->keys.n; i++) free(s->keys.at[i].file);
  for (uint32_t i = 0; i < s->doubts.n; i++) free(s->doubts.at[i]);
  pv_vec_free(&s->turns);
  pv_vec_free(&s->keys);
  pv_vec_free(&s->doubts);
}
