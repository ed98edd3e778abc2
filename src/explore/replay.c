#include "explore/replay.h"

#include <stdlib.h>
#include <string.h>

#include "vm/vm.h"

struct teller {
  const struct pv_program *program;
  struct pv_vm *vm;
  struct pv_violation *out;
  uint32_t last_stmt, last_thread;
  const struct pv_function *last_function;
  struct pv_str printed;
};

static struct pv_step *current(struct teller *t) {
  return t->out->path.steps.n ? &pv_vec_last(&t->out->path.steps) : NULL;
}

static void flush_output(struct teller *t) {
  struct pv_step *s = current(t);
  if (!s || !t->printed.n) return;
  if (s->output) pv_str_add(&t->printed, "");
  char *old = s->output;
  s->output =
      old ? pv_format("%s%s", old, pv_str_cstr(&t->printed)) : pv_strdup(pv_str_cstr(&t->printed));
  free(old);
  pv_str_clear(&t->printed);
}

static void note(struct pv_step *s, const char *text) {
  if (s->note && strstr(s->note, text)) return;
  char *old = s->note;
  s->note = old ? pv_format("%s; %s", old, text) : pv_strdup(text);
  free(old);
}

/* A step is what one thread does on one source line; code of models belongs to the line that called
 * it. */
static void on_edge(void *user, unsigned thread, const struct pv_function *f,
                    const struct pv_edge *e) {
  struct teller *t = user;
  const struct pv_span *span = pv_span_of(t->program, e->span);
  if (f->is_model || !span->line) return;
  const struct pv_step *s = current(t);
  if (s && s->thread == thread && t->last_function == f && s->line == span->line &&
      e->op != PV_OP_LIVE)
    return;
  flush_output(t);
  struct pv_str text = {0};
  pv_span_text(t->program, e->span, &text);
  struct pv_step step = {.thread = thread,
                         .function = pv_strdup(f->name),
                         .file = pv_strdup(pv_span_file(t->program, e->span)),
                         .text = pv_strdup(pv_str_cstr(&text)),
                         .line = span->line,
                         .column = span->column};
  pv_str_free(&text);
  pv_vec_push(&t->out->path.steps, step);
  t->last_function = f;
}

static void change(struct teller *t, const char *name, const char *value) {
  struct pv_step *s = current(t);
  if (!s) return;
  for (uint32_t i = 0; i < s->changes.n; i++) {
    if (strcmp(s->changes.at[i].name, name) != 0) continue;
    free(s->changes.at[i].value);
    s->changes.at[i].value = pv_strdup(value);
    return;
  }
  struct pv_change c = {pv_strdup(name), pv_strdup(value)};
  pv_vec_push(&s->changes, c);
}

static void on_assigned(void *user, unsigned thread, const struct pv_function *f, uint32_t var) {
  struct teller *t = user;
  if (f->is_model || f->vars.at[var].is_temp) return;
  struct pv_str value = {0};
  if (pv_vm_show_variable(t->vm, thread, f, var, &value))
    change(t, f->vars.at[var].name, pv_str_cstr(&value));
  pv_str_free(&value);
}

static void on_stored(void *user, unsigned thread, uint64_t address, uint32_t bytes) {
  struct teller *t = user;
  (void)thread;
  struct pv_str name = {0}, value = {0};
  uint32_t object = pv_vm_object(t->vm, address);
  uint32_t global = object == UINT32_MAX ? UINT32_MAX : pv_vm_object_global(t->vm, object);
  bool model = global != UINT32_MAX && t->program->globals.at[global].is_model;
  if (!model && pv_vm_show_memory(t->vm, address, bytes, &name, &value))
    change(t, pv_str_cstr(&name), pv_str_cstr(&value));
  pv_str_free(&name);
  pv_str_free(&value);
}

static void on_printed(void *user, unsigned thread, const char *text, size_t n) {
  struct teller *t = user;
  (void)thread;
  pv_str_addn(&t->printed, text, n);
}

/* ---- what a decision was about -----------------------------------------------------------------
 */
static void note_input(struct teller *t, const struct pv_pending *p, unsigned thread) {
  struct pv_step *s = current(t);
  struct pv_str text = {0}, value = {0};
  if (!s) return;
  if (p->edge->dst != PV_NO_VAR &&
      pv_vm_show_variable(t->vm, thread, p->function, p->edge->dst, &value)) {
    pv_str_addf(&text, "%s = %s", p->edge->text ? p->edge->text : "input", pv_str_cstr(&value));
    note(s, pv_str_cstr(&text));
  }
  pv_str_free(&text);
  pv_str_free(&value);
}

static void take_event(struct teller *t, struct pv_violation *out) {
  const struct pv_event *e = pv_vm_event(t->vm);
  out->property = e->property;
  out->message = pv_strdup(e->message);
  out->replayed = true;
  uint32_t span = e->span;
  const struct pv_function *f = e->function;
  const struct pv_step *last = current(t);
  bool elsewhere = (f && f->is_model) || !pv_span_of(t->program, span)->line;
  if (elsewhere && last) { /* an error inside a model is shown where the program called it */
    out->file = pv_strdup(last->file);
    out->function = pv_strdup(last->function);
    out->line = last->line;
    out->column = last->column;
    return;
  }
  out->file = pv_strdup(pv_span_file(t->program, span));
  out->function = pv_strdup(f ? f->name : "?");
  out->line = pv_span_of(t->program, span)->line;
  out->column = pv_span_of(t->program, span)->column;
}

/* Errors that a state shows without anybody moving. */
static bool state_shows_error(const struct pv_task *task, struct pv_vm *vm) {
  unsigned n = pv_vm_threads(vm), progress = 0;
  if ((task->properties & PV_PROP_BIT(PV_PROP_INVARIANT)) && !pv_vm_invariants(vm)) return true;
  for (unsigned t = 0; t < n; t++) {
    struct pv_pending p;
    pv_vm_pending(vm, t, &p);
    progress += p.progress;
    if ((task->properties & PV_PROP_BIT(PV_PROP_NO_DATA_RACE)) && pv_vm_race(vm, t)) return true;
  }
  if (progress || !pv_vm_alive(vm) || !(task->properties & PV_PROP_BIT(PV_PROP_NO_DEADLOCK)))
    return false;
  pv_vm_explain_deadlock(vm);
  return true;
}

static void run_choices(const struct pv_task *task, struct teller *t,
                        const struct pv_choice *choices, uint32_t n) {
  struct pv_violation *out = t->out;
  for (uint32_t i = 0; i < n; i++) {
    struct pv_pending p;
    pv_vm_pending(t->vm, choices[i].thread, &p);
    if (choices[i].way >= p.ways) return; /* these choices are not of this program */
    pv_vec_push(&out->path.choices, choices[i]);
    enum pv_outcome outcome = pv_vm_step(t->vm, choices[i].thread, choices[i].way);
    if (p.kind == PV_PEND_INPUT && outcome == PV_RAN) note_input(t, &p, choices[i].thread);
    if (outcome == PV_VIOLATED) take_event(t, out);
    if (outcome != PV_RAN) return;
  }
  if (state_shows_error(task, t->vm)) take_event(t, out);
}

enum pv_status pv_replay(const struct pv_task *task, const struct pv_choice *choices, uint32_t n,
                         struct pv_violation *out) {
  struct pv_condition ignored = {0};
  struct teller t = {.program = task->program, .out = out};
  struct pv_recorder recorder = {&t, on_edge, on_assigned, on_stored, on_printed};
  t.vm = pv_vm_new(task, &pv_sched_pthread, &ignored);
  pv_vm_start(t.vm);
  pv_vm_record(t.vm, &recorder);
  run_choices(task, &t, choices, n);
  flush_output(&t);
  pv_vm_free(t.vm);
  pv_str_free(&t.printed);
  pv_condition_clear(&ignored);
  return PV_OK;
}
