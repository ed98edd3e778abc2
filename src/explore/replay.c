#include "explore/replay.h"

#include <stdlib.h>
#include <string.h>

#include "explore/lasso.h"
#include "explore/moves.h"

/* Of a path of millions of steps only the two ends are described: so many steps, and the steps of
 * so many choices, at each end. */
enum { END_STEPS = 5000, END_CHOICES = 10000 };
/* What was printed by the steps that are not described is told at the last one before them: so many
 * bytes. */
enum { MIDDLE_TEXT = 1 << 20 };

/* The current place of a thread in the program's own code: the last line that it was seen on. */
struct place {
  const struct pv_function *function;
  uint32_t span;
};
struct teller {
  const struct pv_program *program;
  struct pv_vm *vm;
  struct pv_violation *out;
  struct place at[PV_MAX_THREADS];
  const struct pv_function *function[PV_MAX_THREADS]; /* of its last edge, also if it is a model */
  bool taken_back[PV_MAX_THREADS]; /* the thread's last step is shown when it moves again */
  bool resuming; /* the next edge is the visible operation at which the thread was parked */
  bool solid;    /* the last step did something that other threads can observe */
  bool deaf;     /* nothing is described now */
  struct pv_str printed;
  struct pv_str middle;            /* printed by steps that are left out, and not yet told */
  struct pv_recorder unheard;      /* of these steps */
  uint64_t alive;                  /* the threads, as bits */
  char *waits_for[PV_MAX_THREADS]; /* NULL: the thread does not wait */
  struct pv_interaction access;    /* of the visible operation that comes next; object: or NULL */
  struct pv_map changed; /* changes in a step: name -> number of the change; a copy makes many */
  uint32_t changed_in;   /* the number of steps when it was filled */
  struct pv_script script;
  struct pv_lasso *lasso; /* the path is one; or NULL */
};

static struct pv_step *current(struct teller *t) {
  return t->out->path.steps.n ? &pv_vec_last(&t->out->path.steps) : NULL;
}

static void flush_output(struct teller *t) {
  struct pv_step *s = current(t);
  if (!s || !t->printed.n) return;
  char *old = s->output;
  s->output = pv_format("%s%s", old ? old : "", pv_str_cstr(&t->printed));
  free(old);
  pv_str_clear(&t->printed);
}

static void note(struct pv_step *s, const char *text) {
  if (s->note && strstr(s->note, text)) return;
  char *old = s->note;
  s->note = old ? pv_format("%s; %s", old, text) : pv_strdup(text);
  free(old);
}

/* The step is left out. */
static void leave_out(struct teller *t, struct pv_step *s) {
  if (s->output) pv_str_add(&t->middle, s->output);
  pv_step_clear(s);
  t->out->path.left_out++;
}

/* The step before the gap takes what the steps printed that are left out. */
static void tell_middle(struct teller *t) {
  struct pv_error_path *path = &t->out->path;
  if (!t->middle.n || !path->gap || path->gap > path->steps.n) return;
  struct pv_step *s = &path->steps.at[path->gap - 1];
  char *old = s->output;
  size_t had = old ? strlen(old) : 0;
  if (had + t->middle.n <= 2 * MIDDLE_TEXT) {
    s->output = pv_format("%s%s", old ? old : "", pv_str_cstr(&t->middle));
    free(old);
  }
  pv_str_clear(&t->middle);
}

/* Removes steps from the middle. Steps that print something are removed only if there are too
 * many. */
static void shorten(struct teller *t) {
  struct pv_error_path *path = &t->out->path;
  uint32_t n = path->steps.n, kept = path->left_out ? path->gap : END_STEPS, prints = 0;
  if (!path->left_out) path->gap = END_STEPS;
  for (uint32_t i = kept; i < n - END_STEPS; i++) prints += path->steps.at[i].output != NULL;
  uint32_t loop = path->loop_step;
  for (uint32_t i = kept; i < n; i++) {
    struct pv_step *s = &path->steps.at[i];
    if (i == path->loop_step) loop = kept;
    bool keep = i >= n - END_STEPS || (s->output && prints <= END_STEPS);
    if (keep) {
      path->steps.at[kept++] = *s;
    } else {
      leave_out(t, s);
    }
  }
  path->steps.n = kept;
  path->loop_step = loop < kept ? loop : kept;
  tell_middle(t);
}

static struct pv_step *add_step(struct teller *t, unsigned thread, struct place at) {
  flush_output(t);
  if (t->out->path.steps.n >= 4 * END_STEPS) shorten(t);
  const struct pv_span *span = pv_span_of(t->program, at.span);
  struct pv_str text = {0};
  pv_span_text(t->program, at.span, &text);
  struct pv_step step = {.thread = thread,
                         .function = pv_strdup(at.function ? at.function->name : "?"),
                         .file = pv_strdup(pv_span_file(t->program, at.span)),
                         .text = pv_strdup(pv_str_cstr(&text)),
                         .line = span->line,
                         .column = span->column};
  pv_str_free(&text);
  pv_vec_push(&t->out->path.steps, step);
  return current(t);
}

/* The step to which the thread's current operation belongs. After a switch back to a thread in the
 * middle of a line, it is a new one for the same line. */
static struct pv_step *step_of(struct teller *t, unsigned thread) {
  struct pv_step *s = current(t);
  if (s && s->thread == thread) return s;
  return t->at[thread].function ? add_step(t, thread, t->at[thread]) : NULL;
}

static bool only_brace(struct teller *t, uint32_t span) {
  struct pv_str text = {0};
  pv_span_text(t->program, span, &text);
  bool only = !text.n || strspn(pv_str_cstr(&text), "{}; \t") == text.n;
  pv_str_free(&text);
  return only;
}

/* ---- interactions of threads ------------------------------------------------------------------
 */
/* Takes `object`. */
static void interact(struct pv_step *s, enum pv_interaction_kind kind, uint32_t thread,
                     char *object) {
  for (uint32_t i = 0; s && i < s->interactions.n; i++) {
    const struct pv_interaction *x = &s->interactions.at[i];
    bool same = x->object && object && !strcmp(x->object, object);
    if (kind < PV_INTERACTION_READS || x->kind != kind || !same) continue;
    free(object);
    return;
  }
  if (s)
    pv_vec_push(&s->interactions, ((struct pv_interaction){kind, thread, object}));
  else
    free(object);
}

static char *name_of_place(struct teller *t, uint64_t address) {
  struct pv_str name = {0};
  if (address && pv_vm_name_place(t->vm, address, &name)) return name.at;
  pv_str_free(&name);
  return NULL;
}

/* The pending operation will be executed next: what does it access? */
static void expect_access(struct teller *t, const struct pv_pending *p) {
  free(t->access.object);
  t->access.object = NULL;
  if (p->kind != PV_PEND_ACCESS && p->kind != PV_PEND_FREE) return;
  t->access.kind = p->kind == PV_PEND_FREE ? PV_INTERACTION_FREES
                   : p->write              ? PV_INTERACTION_WRITES
                                           : PV_INTERACTION_READS;
  t->access.thread = p->thread;
  t->access.object = name_of_place(t, p->address);
}

static void tell_access(struct teller *t, unsigned thread) {
  if (!t->access.object) return;
  interact(step_of(t, thread), t->access.kind, thread, t->access.object);
  t->access.object = NULL;
}

/* Call it when the set of live threads may have changed. */
static void tell_created(struct teller *t, unsigned thread) {
  uint64_t alive = pv_vm_alive_set(t->vm), created = alive & ~t->alive;
  for (unsigned i = 0; i < PV_MAX_THREADS && created; i++)
    if (created >> i & 1) interact(step_of(t, thread), PV_INTERACTION_CREATES, i, NULL);
  t->alive = alive;
}

static void on_called(void *user, unsigned thread, const struct pv_called *called) {
  struct teller *t = user;
  const struct pv_prim *prim = called->call->prim;
  const uint64_t *args = called->call->args;
  if (prim->class == PV_PRIM_THREAD) tell_created(t, thread);
  if (prim->role == PV_ROLE_EXITS) interact(step_of(t, thread), PV_INTERACTION_ENDS, thread, NULL);
  if (prim->role == PV_ROLE_JOINS && !called->again && called->awaited < PV_MAX_THREADS)
    interact(step_of(t, thread), PV_INTERACTION_JOINS, called->awaited, NULL);
  if (prim->class != PV_PRIM_OBJECT || !called->ordered) return;
  uint64_t object = args[prim->two_objects]; /* the mutex that a wait releases and acquires */
  bool releases = prim->release && (called->again || !prim->two_objects);
  if (releases)
    interact(step_of(t, thread), PV_INTERACTION_RELEASES, thread, name_of_place(t, object));
  if (prim->acquire && !called->again)
    interact(step_of(t, thread), PV_INTERACTION_ACQUIRES, thread, name_of_place(t, object));
}

/* What the thread waits for, NULL if it does not. The caller frees it. */
static char *wait_of(struct teller *t, unsigned thread) {
  struct pv_pending p;
  struct pv_str text = {0};
  uint64_t object = 0;
  pv_vm_pending(t->vm, thread, &p);
  if (p.kind != PV_PEND_PRIM || p.progress) return NULL;
  const struct pv_sched *sched = pv_sched_of(t->program->sched);
  sched->explain_block(pv_vm_sched_state(t->vm), &p.call, &text, &object);
  char *name = name_of_place(t, object);
  if (name) pv_str_addf(&text, " (%s)", name);
  free(name);
  return text.at;
}

/* After a transition: which threads begin to wait, wait for something else, or can continue? */
static void tell_waits(struct teller *t) {
  for (unsigned i = 0, n = pv_vm_threads(t->vm); i < n; i++) {
    char *now = wait_of(t, i), *before = t->waits_for[i];
    bool same = now && before ? !strcmp(now, before) : now == before;
    t->waits_for[i] = now;
    if (!same)
      interact(current(t), now ? PV_INTERACTION_WAITS : PV_INTERACTION_CONTINUES, i,
               now ? pv_strdup(now) : NULL);
    free(before);
  }
}

/* A step is what one thread does on one source line. Code of models belongs to the line with the
 * call. */
static void on_edge(void *user, unsigned thread, const struct pv_function *f,
                    const struct pv_edge *e) {
  struct teller *t = user;
  const struct pv_span *span = pv_span_of(t->program, e->span);
  bool visible = t->resuming;
  t->function[thread] = f;
  t->resuming = false;
  if (t->taken_back[thread]) { /* possibly inside a model that the line called */
    t->taken_back[thread] = false;
    add_step(t, thread, t->at[thread]);
    t->solid = false;
  }
  if (f->is_library || !span->line || e->op == PV_OP_LIVE || e->op == PV_OP_DEAD) {
    t->solid |= visible;
    if (visible) tell_access(t, thread);
    return;
  }
  const struct pv_step *s = current(t);
  bool same =
      t->at[thread].function == f && pv_span_of(t->program, t->at[thread].span)->line == span->line;
  t->at[thread] = (struct place){f, e->span};
  if (!(s && s->thread == thread && same) && !only_brace(t, e->span)) {
    add_step(t, thread, t->at[thread]);
    t->solid = false;
  }
  t->solid |= visible;
  if (visible) tell_access(t, thread);
}

/* If the thread only arrived at an operation, the step begins when the thread moves. */
static void on_parked(void *user, unsigned thread) {
  struct teller *t = user;
  struct pv_step *s = current(t);
  if (t->solid || !s || s->thread != thread || s->changes.n || s->output || s->note ||
      s->interactions.n)
    return;
  pv_step_clear(s);
  t->out->path.steps.n--;
  t->taken_back[thread] = true;
  t->solid = true;
}

static void change(struct teller *t, unsigned thread, const char *name, const char *value,
                   uint32_t owner) {
  struct pv_step *s = step_of(t, thread);
  if (!s) return;
  if (!s->changes.n || t->changed_in != t->out->path.steps.n) {
    pv_map_free(&t->changed);
    t->changed = (struct pv_map){0};
    t->changed_in = t->out->path.steps.n;
    for (uint32_t i = 0; i < s->changes.n; i++)
      pv_map_put_str(&t->changed, s->changes.at[i].name, i, NULL);
  }
  bool is_new;
  uint32_t i = *pv_map_put_str(&t->changed, name, s->changes.n, &is_new);
  if (!is_new) {
    free(s->changes.at[i].value);
    s->changes.at[i].value = pv_strdup(value);
    return;
  }
  struct pv_change c = {pv_strdup(name), pv_strdup(value), owner};
  pv_vec_push(&s->changes, c);
}

static void on_assigned(void *user, unsigned thread, const struct pv_function *f, uint32_t var) {
  struct teller *t = user;
  if (f->is_library || f->vars.at[var].is_temp) return;
  struct pv_str value = {0};
  if (pv_vm_show_variable(t->vm, thread, f, var, &value))
    change(t, thread, f->vars.at[var].name, pv_str_cstr(&value), thread + 1);
  pv_str_free(&value);
}

struct storing {
  struct teller *teller;
  unsigned thread;
  uint32_t owner; /* of the object */
};

static void on_member(void *user, const char *name, const char *value) {
  const struct storing *s = user;
  if (pv_member_is_reserved(name)) return;
  change(s->teller, s->thread, name, value, s->owner);
}

static void on_stored(void *user, unsigned thread, uint64_t address, uint32_t bytes) {
  struct storing s = {user, thread, 0};
  uint32_t object = pv_vm_object(s.teller->vm, address);
  if (object == UINT32_MAX || pv_vm_object_is_library(s.teller->vm, object)) return;
  const struct pv_function *giver = pv_vm_object_giver(s.teller->vm, object);
  if (giver && giver == s.teller->function[thread]) return; /* the model makes an input */
  s.owner = pv_vm_object_thread(s.teller->vm, object) + 1;  /* UINT32_MAX: none */
  if (!pv_vm_object_is_temporary(s.teller->vm, object))
    pv_vm_show_memory(s.teller->vm, address, bytes, on_member, &s);
}

static void on_printed(void *user, unsigned thread, const char *text, size_t n) {
  struct teller *t = user;
  step_of(t, thread);
  pv_str_addn(&t->printed, text, n);
}

static void on_printed_unheard(void *user, unsigned thread, const char *text, size_t n) {
  struct teller *t = user;
  (void)thread;
  if (t->middle.n < MIDDLE_TEXT) pv_str_addn(&t->middle, text, n);
}

/* ---- inputs ---------------------------------------------------------------------------------- */
static enum pv_source_origin origin_of(const struct pv_program *p, const struct pv_function *f,
                                       const struct pv_edge *e) {
  if (e->op != PV_OP_HAVOC) return PV_ORIGIN_INDETERMINATE;
  if (f == &p->functions.at[p->start]) return PV_ORIGIN_PARAMETER;
  return f->is_model ? PV_ORIGIN_LIBRARY : PV_ORIGIN_FUNCTION;
}

static bool has_source_type(const struct pv_program *p, const struct pv_function *f,
                            const struct pv_edge *e) {
  return e->dst != PV_NO_VAR && f->vars.at[e->dst].srctype < p->srctypes.n &&
         p->srctypes.at[f->vars.at[e->dst].srctype].kind != PV_S_UNKNOWN;
}

/* Is the input unsigned? Decided by the type of the variable that receives it, else by the name of
 * the function that returns it. */
static bool is_unsigned(const struct pv_program *p, const struct pv_function *f,
                        const struct pv_edge *e) {
  static const char *const others[] = {"size_t", "bool", "_Bool", "U8", "U16", "U32", "U64"};
  const char *type = e->text ? strstr(e->text, "nondet_") : NULL;
  if (pv_type_bits(e->type) == 1) return true;
  if (!type && has_source_type(p, f, e)) {
    enum pv_srctype_kind kind = p->srctypes.at[f->vars.at[e->dst].srctype].kind;
    return kind == PV_S_UNSIGNED || kind == PV_S_BOOL;
  }
  if (!type) return false;
  type += strlen("nondet_");
  for (size_t i = 0; i < sizeof others / sizeof *others; i++)
    if (!strcmp(type, others[i])) return true;
  return *type == 'u';
}

static enum pv_source_type type_of(const struct pv_program *p, const struct pv_function *f,
                                   const struct pv_edge *e) {
  switch (pv_type_kind(e->type)) {
  case PV_T_FLOAT: return PV_SOURCE_FLOAT;
  case PV_T_PTR: return PV_SOURCE_POINTER;
  default: return is_unsigned(p, f, e) ? PV_SOURCE_UNSIGNED : PV_SOURCE_SIGNED;
  }
}

static const char *name_of(const struct pv_function *f, const struct pv_edge *e) {
  bool variable = e->op == PV_OP_INDET && e->dst != PV_NO_VAR;
  return variable ? f->vars.at[e->dst].name : e->text;
}

/* Choices within a model, and text that it makes a byte at a time, tell a user nothing. */
static bool is_told(const struct pv_function *f, const struct pv_edge *e) {
  static const char *const internal[] = {
      "proviso_choose",    "variable is set",     "number of arguments", "length of an argument",
      "length of a value", "byte of an argument", "byte of a value"};
  bool told = true;
  for (size_t i = 0; i < sizeof internal / sizeof *internal && e->text; i++)
    told &= !f->is_model || strcmp(e->text, internal[i]) != 0;
  return told;
}

static void show_input(struct teller *t, const struct pv_function *f, const struct pv_edge *e,
                       const uint64_t value[2], struct pv_str *out) {
  if (pv_print_tried_text(t->program, e, value[0], out)) return;
  if (has_source_type(t->program, f, e))
    pv_vm_show_value(t->vm, f->vars.at[e->dst].srctype, e->type, value, out);
  else if (type_of(t->program, f, e) == PV_SOURCE_UNSIGNED && !value[1])
    pv_str_addf(out, "%llu", (unsigned long long)value[0]);
  else
    pv_vm_show_value(t->vm, 0, e->type, value, out);
}

/* A member of what a load read, of which some bits were never set. */
static void add_part(void *user, const char *name, const char *value) {
  struct pv_str *text = user;
  pv_str_addf(text, "%s%s = %s", text->n && text->at[text->n - 1] != ' ' ? ", " : "", name, value);
}

static void on_input(void *user, unsigned thread, const struct pv_function *f,
                     const struct pv_edge *e, const uint64_t value[2]) {
  enum { LONGEST = 200 }; /* length of a note: a whole loop may be on one line */
  struct teller *t = user;
  struct pv_step *s = step_of(t, thread);
  const char *name = name_of(f, e), *more = "; ...";
  if (!s) return;
  s->inputs++;
  if (!is_told(f, e)) return;
  size_t n = s->note ? strlen(s->note) : 0;
  if (n > LONGEST && !strcmp(s->note + n - strlen(more), more)) return;
  struct pv_str text = {0}, place = {0};
  bool parts = e->op == PV_OP_LOAD && (e->e[1] || e->unset);
  if (e->op == PV_OP_LOAD && pv_vm_name_place(t->vm, pv_vm_first_read(t->vm), &place))
    name = pv_str_cstr(&place);
  if (n) pv_str_addf(&text, "%s; ", s->note);
  if (n > LONGEST) {
    pv_str_add(&text, "...");
  } else {
    size_t before = text.n;
    if (parts)
      pv_vm_show_memory(t->vm, pv_vm_first_read(t->vm), pv_type_bytes(e->type), add_part, &text);
    parts = text.n > before;
    if (!parts) pv_str_addf(&text, "%s = ", name ? name : "input");
    if (!parts) show_input(t, f, e, value, &text);
    if (e->op != PV_OP_HAVOC)
      pv_str_add(&text, parts ? " (not all of it was set)" : " (was never set)");
  }
  pv_str_free(&place);
  free(s->note);
  s->note = text.at;
}

/* 1 + the index of the source of an input; all inputs that the same place asks for share one. */
static uint32_t source_of(struct teller *t, struct pv_map *known, const struct pv_asked *a) {
  const void *const key[] = {a->edge, a->user_edge};
  struct pv_error_path *path = &t->out->path;
  bool is_new;
  uint32_t at = *pv_map_put(known, key, sizeof key, path->sources.n, &is_new);
  if (!is_new) return at + 1;
  const char *name = name_of(a->function, a->edge);
  struct pv_source s = {.origin = origin_of(t->program, a->function, a->edge),
                        .type = type_of(t->program, a->function, a->edge),
                        .bits = pv_type_bits(a->edge->type),
                        .name = name ? pv_strdup(name) : NULL,
                        .file = pv_strdup(pv_span_file(t->program, a->user_edge->span)),
                        .function = pv_strdup(a->user_function->name),
                        .line = pv_span_of(t->program, a->user_edge->span)->line};
  pv_vec_push(&path->sources, s);
  return at + 1;
}

static void take_inputs(struct teller *t) {
  struct pv_map known = {0};
  if (t->script.n_asked != t->script.asked.n)
    t->out->path.inputs_left_out = t->script.n_asked;
  else
    for (uint32_t i = 0; i < t->script.asked.n; i++) {
      const struct pv_asked *a = &t->script.asked.at[i];
      struct pv_input in = {.value = {a->value[0], a->value[1]},
                            .source = source_of(t, &known, a),
                            .thread = a->thread,
                            .site = a->edge->op == PV_OP_HAVOC ? a->edge->site + 1 : 0};
      pv_vec_push(&t->out->path.inputs, in);
    }
  pv_map_free(&known);
}

/* ---- the error ------------------------------------------------------------------------------- */
static void take_event(struct teller *t, const struct pv_event *e) {
  struct pv_violation *out = t->out;
  out->property = e->property;
  out->span = e->span;
  out->message = pv_strdup(e->message);
  out->replayed = true;
  uint32_t span = e->span;
  const struct pv_function *f = e->function;
  const struct pv_step *last = current(t);
  bool elsewhere = (f && f->is_library) || !pv_span_of(t->program, span)->line;
  /* An error outside of the program's own code is shown at the thread's last line there. */
  if (elsewhere && last) {
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

/* Adds the pending operations of the threads, which explain a race or a deadlock. */
static void tell_waiting(struct teller *t, const struct pv_event *e) {
  for (unsigned i = 0, n = pv_vm_threads(t->vm); i < n; i++) {
    bool race = e->property == PV_PROP_NO_DATA_RACE;
    bool exclusion = e->property == PV_PROP_MUTUAL_EXCLUSION;
    struct pv_pending p;
    pv_vm_pending(t->vm, i, &p);
    bool of_two = race || exclusion;
    if (of_two ? i != e->thread && i != e->other : !p.kind || p.progress) continue;
    struct place at = {p.function, p.edge->span};
    if (p.function->is_library || !pv_span_of(t->program, at.span)->line) at = t->at[i];
    if (!at.function) continue;
    struct pv_step *s = add_step(t, i, at);
    expect_access(t, &p);
    if (race) tell_access(t, i);
    note(s, exclusion                ? "is in a region"
            : !race                  ? "waits for ever"
            : p.kind == PV_PEND_FREE ? "is about to free"
            : p.write                ? "is about to write"
                                     : "is about to read");
  }
}

/* The wanted error among those that the last state shows, or else the first. */
struct shown {
  const struct pv_error_key *wanted;
  bool any, right;
  struct pv_event event;
};

static void on_state_error(void *user, const struct pv_event *e) {
  struct shown *s = user;
  struct pv_error_key key = pv_event_key(e);
  bool right = s->wanted && pv_error_is(s->wanted, &key);
  if (!s->any || (right && !s->right)) s->event = *e;
  s->any = true;
  s->right |= right;
}

static void look_at_state(const struct pv_task *task, struct pv_vm *vm, struct shown *shown) {
  struct pv_pending next[PV_MAX_THREADS];
  struct pv_moves m;
  pv_moves_peek(vm, next, &m);
  pv_state_errors(vm, task, &m, on_state_error, shown);
}

/* Switches the description on or off: the middle of a long path is executed without it. */
static void listen(struct teller *t, const struct pv_recorder *recorder, uint32_t i, uint32_t n) {
  struct pv_error_path *path = &t->out->path;
  if (n <= 2 * END_CHOICES || (i != END_CHOICES && i != n - END_CHOICES)) return;
  flush_output(t);
  memset(t->at, 0, sizeof t->at);
  memset(t->taken_back, 0, sizeof t->taken_back);
  t->deaf = i == END_CHOICES;
  t->unheard = (struct pv_recorder){.user = t, .printed = on_printed_unheard};
  pv_vm_record(t->vm, t->deaf ? &t->unheard : recorder);
  t->alive = pv_vm_alive_set(t->vm);
  if (i != END_CHOICES) {
    tell_middle(t);
    return;
  }
  for (uint32_t k = END_STEPS; k < path->steps.n; k++) leave_out(t, &path->steps.at[k]);
  if (path->steps.n > END_STEPS) path->steps.n = END_STEPS;
  if (path->loop_step > path->steps.n) path->loop_step = path->steps.n;
  path->gap = path->steps.n;
  path->left_out += n - 2 * END_CHOICES;
}

/* The state before choice number i of a lasso. */
static void look_around(struct teller *t, uint32_t i) {
  pv_lasso_look(t->lasso, i);
  if (i != t->lasso->loop) return;
  flush_output(t); /* the loop begins with a new step */
  memset(t->at, 0, sizeof t->at);
  memset(t->taken_back, 0, sizeof t->taken_back);
  t->out->path.loop_step = t->out->path.steps.n;
}

/* The last state of a lasso. If the lasso is right, the error is where its loop begins. */
static void close_lasso(struct teller *t, const struct pv_error_path *path, bool ran,
                        const struct pv_error_key *wanted) {
  struct pv_violation *out = t->out;
  uint32_t n = path->choices.n;
  if (ran) look_around(t, n);
  if (!ran && !t->lasso->ended) return;
  if (t->lasso->ended) out->path.loop_step = out->path.steps.n;
  out->path.is_lasso = true;
  out->path.loop = path->loop;
  if (!pv_lasso_ends(t->lasso, n, wanted)) return;
  uint32_t at = out->path.loop_step;
  unsigned last = n ? path->choices.at[n - 1].thread : 0;
  if (at == out->path.steps.n && t->taken_back[last] && t->at[last].function)
    add_step(t, last, t->at[last]); /* one statement goes round, and only local operations */
  const struct pv_step *s = at < out->path.steps.n ? &out->path.steps.at[at] : current(t);
  out->property = wanted->property;
  out->message = pv_strdup(wanted->message ? wanted->message : "");
  out->replayed = true;
  if (s) {
    out->file = pv_strdup(s->file);
    out->function = pv_strdup(s->function);
    out->line = s->line;
    out->column = s->column;
    return;
  }
  /* Nothing was executed but a loop without statements. */
  uint32_t function;
  pv_vm_at(t->vm, last, &function);
  const struct pv_function *f = &t->program->functions.at[function];
  const struct pv_span *span = pv_span_of(t->program, f->span);
  out->file = pv_strdup(pv_span_file(t->program, f->span));
  out->function = pv_strdup(f->name);
  out->line = span->line;
  out->column = span->column;
}

/* Executes the choices. Returns false if the path ended before its last choice, or by it. */
static bool run_choices(const struct pv_task *task, struct teller *t,
                        const struct pv_recorder *recorder, const struct pv_choice *choices,
                        uint32_t n) {
  struct pv_violation *out = t->out;
  for (uint32_t i = 0; i < n; i++) {
    struct pv_pending p;
    if (t->lasso) look_around(t, i);
    if (pv_limits_check(task->limits, 0) != PV_LIMIT_NONE) return false;
    listen(t, recorder, i, n);
    pv_vm_pending(t->vm, choices[i].thread, &p);
    bool may_run = pv_vm_may_run(t->vm) >> choices[i].thread & 1;
    if (choices[i].alternative >= p.alternatives || !may_run)
      return false; /* these choices do not belong to this program */
    pv_vec_push(&out->path.choices, choices[i]);
    t->resuming = p.kind != PV_PEND_LOCAL;
    expect_access(t, &p);
    enum pv_outcome outcome = pv_vm_step(t->vm, choices[i].thread, choices[i].alternative);
    if (t->lasso) pv_lasso_moves(t->lasso, i, choices[i].thread);
    if (t->lasso) t->lasso->ended = outcome == PV_ENDED && i + 1 == n;
    if (outcome == PV_VIOLATED) take_event(t, pv_vm_event(t->vm));
    if (outcome != PV_RAN) return false;
    if (!t->deaf) tell_waits(t);
  }
  return true;
}

enum pv_status pv_replay_path(const struct pv_task *task, const struct pv_error_path *path,
                              const struct pv_error_key *wanted, struct pv_violation *out) {
  /* A path that was found is replayed even if the time limit was just hit; it gets a little more
   * time. */
  struct pv_limits limits = *task->limits;
  if (limits.seconds > 0) limits.seconds += 1 + limits.seconds / 20;
  limits.memory += limits.memory / 20;
  limits.hit = PV_LIMIT_NONE;
  limits.reserve = NULL; /* it was reserved for the replay */
  struct pv_limits *asked = task->limits;
  struct pv_task own = *task;
  own.limits = &limits;
  /* Temporal properties are searched for by themselves; with them threads park at other places. */
  own.properties &= path->is_lasso ? PV_PROP_TEMPORAL : ~PV_PROP_TEMPORAL;
  task = &own;
  struct pv_condition ignored = {0};
  struct teller t = {.program = task->program, .out = out};
  t.script = (struct pv_script){.given = path->inputs.at,
                                .n = path->inputs.n,
                                .sources = path->sources.at,
                                .n_sources = path->sources.n,
                                .keep = path->inputs.n ? 0 : PV_INPUTS_KEPT};
  struct pv_recorder recorder = {&t,         on_edge,  on_parked, on_assigned, on_stored,
                                 on_printed, on_input, on_called, NULL};
  t.vm = pv_vm_new(task, pv_sched_of(task->program->sched), &ignored);
  pv_vm_start(t.vm);
  t.alive = pv_vm_alive_set(t.vm);
  pv_vm_record(t.vm, &recorder);
  pv_vm_script(t.vm, &t.script);
  pv_vm_stop_at(t.vm, wanted);
  struct shown shown = {.wanted = wanted};
  struct pv_lasso lasso;
  if (path->is_lasso && wanted) {
    pv_lasso_begin(&lasso, task, t.vm, path->loop);
    t.lasso = &lasso;
  }
  bool ran = run_choices(task, &t, &recorder, path->choices.at, path->choices.n);
  if (t.lasso) {
    flush_output(&t);
    close_lasso(&t, path, ran, wanted);
    pv_lasso_clear(&lasso);
  } else if (ran) {
    look_at_state(task, t.vm, &shown);
  }
  if (shown.any) take_event(&t, &shown.event);
  if (shown.any && out->property != PV_PROP_INVARIANT) tell_waiting(&t, &shown.event);
  flush_output(&t);
  take_inputs(&t);
  if (out->path.steps.n > 2 * END_STEPS) shorten(&t);
  /* The limit is the reason. */
  if (!out->replayed && asked->hit == PV_LIMIT_NONE) asked->hit = limits.hit;
  pv_vm_free(t.vm);
  pv_str_free(&t.printed);
  pv_str_free(&t.middle);
  pv_map_free(&t.changed);
  for (unsigned i = 0; i < PV_MAX_THREADS; i++) free(t.waits_for[i]);
  free(t.access.object);
  pv_script_clear(&t.script);
  pv_condition_clear(&ignored);
  return PV_OK;
}

enum pv_status pv_replay(const struct pv_task *task, const struct pv_choice *choices, uint32_t n,
                         const struct pv_error_key *wanted, struct pv_violation *out) {
  struct pv_error_path path = {0};
  path.choices.at = (struct pv_choice *)(uintptr_t)choices; /* never written */
  path.choices.n = n;
  return pv_replay_path(task, &path, wanted, out);
}
