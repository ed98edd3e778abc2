/* shown.c -- the errors that a state shows: data races, threads in regions, deadlock, violated
 * invariants. */
#include "vm/vm_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool stores(const struct pv_pending *p) {
  return p->write && !p->stays;
}

static bool touches(const struct pv_pending *p) {
  return p->kind == PV_PEND_ACCESS || p->kind == PV_PEND_FREE ||
         (p->kind == PV_PEND_PRIM && p->write);
}

bool pv_pending_conflict(const struct pv_pending *a, const struct pv_pending *b) {
  return touches(a) && touches(b) && (stores(a) || stores(b)) && !(a->atomic && b->atomic) &&
         a->address < b->address + b->bytes && b->address < a->address + a->bytes;
}

static const char *access_name(const struct pv_pending *p) {
  return p->kind == PV_PEND_FREE ? "free" : p->write ? "write" : "read";
}

/* Begins an error of two threads, without its message. Returns where the other one is. */
static uint32_t begin_event(struct pv_vm *vm, enum pv_property property, unsigned thread,
                            unsigned other) {
  const struct pv_code_edge *at = pv_shown_edge_of(vm, thread);
  vm->event = (struct pv_event){.property = property,
                                .other = other,
                                .thread = thread,
                                .span = at->edge->span,
                                .function = &vm->program->functions.at[at->function]};
  vm->event.other_span = pv_shown_edge_of(vm, other)->edge->span;
  return vm->event.other_span;
}

void pv_event_identity(const struct pv_program *p, const struct pv_event *e, struct pv_str *out) {
  if (e->property != PV_PROP_NO_DATA_RACE) {
    pv_str_addf(out, "%d %u %s", (int)e->property, e->span, e->message);
    return;
  }
  bool swap = e->other_span < e->span;
  uint32_t span[2] = {swap ? e->other_span : e->span, swap ? e->span : e->other_span};
  for (int i = 0; i < 2; i++)
    pv_str_addf(out, "%s:%u ", pv_span_file(p, span[i]), pv_span_of(p, span[i])->line);
  const char *end = strstr(e->message, ": "); /* "data race on NAME: ..." */
  pv_str_addn(out, e->message, end ? (size_t)(end - e->message) : strlen(e->message));
}

/* The pending operation of the thread; for a compare-and-exchange also whether it would store. */
static void look_at(struct pv_vm *vm, unsigned thread, struct pv_pending *p) {
  uint64_t there, expected;
  pv_vm_pending(vm, thread, p);
  if (p->kind != PV_PEND_ACCESS || p->edge->op != PV_OP_CMPXCHG) return;
  p->stays = p->bytes <= 8 && pv_vm_read(vm, p->address, p->bytes, &there) &&
             pv_vm_exchange(vm, thread, &expected) && there != expected;
}

static bool waits(const struct pv_pending *p) {
  return p->kind == PV_PEND_PRIM && !p->alternatives;
}

/* Is the other thread parked at an access that conflicts with `a`? Fills the event. */
static bool race_with(struct pv_vm *vm, unsigned thread, const struct pv_pending *a,
                      unsigned other) {
  struct pv_pending b;
  if (other == thread) return false;
  look_at(vm, other, &b);
  if (!pv_pending_conflict(a, &b) || waits(a) || waits(&b)) return false;
  struct pv_str name = {0};
  pv_vm_name_place(vm, a->address > b.address ? a->address : b.address, &name);
  uint32_t span = begin_event(vm, PV_PROP_NO_DATA_RACE, thread, other);
  snprintf(vm->event.message, sizeof vm->event.message,
           "data race on %s: %s by thread %u and %s by thread %u at %s:%u",
           name.n ? name.at : "memory", access_name(a), thread, access_name(&b), other,
           pv_span_file(vm->program, span), pv_span_of(vm->program, span)->line);
  pv_str_free(&name);
  return true;
}

bool pv_vm_race(struct pv_vm *vm, unsigned thread, unsigned other) {
  struct pv_pending a;
  look_at(vm, thread, &a);
  return race_with(vm, thread, &a, other);
}

enum pv_flow pv_section_race(struct pv_vm *vm, uint64_t address, uint32_t bytes, bool write,
                             bool atomic) {
  const struct pv_code_edge *ce = &vm->code->edges.at[vm->code->where.at[vm->frame->pc]];
  struct pv_pending a = {.kind = PV_PEND_ACCESS,
                         .write = write,
                         .atomic = atomic,
                         .address = address,
                         .bytes = bytes,
                         .edge = ce->edge,
                         .function = &vm->program->functions.at[ce->function]};
  vm->saw_all = true;
  /* Peeks at other threads overwrite the cached registers and scratch cells of this thread. */
  unsigned thread = vm->thread, n = vm->code->n_scratch - vm->code->constants.n;
  uint64_t *cells = vm->scratch + vm->code->constants.n, *saved = pv_alloc(n * sizeof *saved);
  memcpy(saved, cells, n * sizeof *saved);
  enum pv_go go = vm->go;
  enum pv_flow flow = PV_FLOW_NEXT;
  for (unsigned t = 0; t < pv_vm_threads(vm) && flow == PV_FLOW_NEXT; t++)
    if (race_with(vm, thread, &a, t)) flow = pv_pass(vm);
  memcpy(cells, saved, n * sizeof *saved);
  free(saved);
  vm->go = go;
  pv_resume(vm, thread);
  return flow;
}

const char *pv_vm_within(const struct pv_vm *vm, unsigned thread, const struct pv_exclusion *x) {
  for (uint32_t depth = vm->threads[thread].depth; depth-- > 0;) {
    uint32_t function;
    pv_loc loc;
    pv_vm_frame(vm, thread, depth, &function, &loc);
    if (x->functions[function]) return vm->program->functions.at[function].name;
    if (depth + 1 < vm->threads[thread].depth) continue; /* the frame has passed this location */
    for (uint32_t i = 0; i < x->labels.n; i++) {
      const struct pv_label_place *l = &x->labels.at[i];
      if (l->function == function && l->loc == loc) return l->name;
    }
  }
  return NULL;
}

const char *pv_vm_region(const struct pv_vm *vm, unsigned thread) {
  return pv_vm_within(vm, thread, &vm->exclusion);
}

void pv_vm_explain_exclusion(struct pv_vm *vm, unsigned thread, unsigned other) {
  uint32_t span = begin_event(vm, PV_PROP_MUTUAL_EXCLUSION, thread, other);
  snprintf(vm->event.message, sizeof vm->event.message,
           "no mutual exclusion: thread %u is in `%s` and thread %u in `%s`, at %s:%u", thread,
           pv_vm_region(vm, thread), other, pv_vm_region(vm, other),
           pv_span_file(vm->program, span), pv_span_of(vm->program, span)->line);
}

void pv_vm_explain_deadlock(struct pv_vm *vm) {
  struct pv_str text = {0};
  vm->event = (struct pv_event){.property = PV_PROP_NO_DEADLOCK, .thread = UINT32_MAX};
  for (unsigned t = 0, n = pv_vm_threads(vm); t < n; t++) {
    struct pv_pending p;
    pv_vm_pending(vm, t, &p);
    if (p.kind != PV_PEND_PRIM) continue;
    if (vm->event.thread == UINT32_MAX) {
      const struct pv_code_edge *at = pv_shown_edge_of(vm, t);
      vm->event.thread = t;
      vm->event.span = at->edge->span;
      vm->event.function = &vm->program->functions.at[at->function];
    }
    uint64_t object = 0;
    pv_str_addf(&text, "%sthread %u waits for ", text.n ? "; " : "deadlock: ", t);
    vm->sched->explain_block(&vm->sched_state, &p.call, &text, &object);
    struct pv_str name = {0};
    if (object && pv_vm_name_place(vm, object, &name)) pv_str_addf(&text, " (%s)", name.at);
    pv_str_free(&name);
  }
  snprintf(vm->event.message, sizeof vm->event.message, "%s", text.n ? text.at : "deadlock");
  pv_str_free(&text);
}

/* Evaluates an invariant. It is a function without parameters: it runs in a frame of its own,
 * in the stack position after the last thread, without observation, and leaves no trace in the
 * state. */
static enum pv_outcome evaluate(struct pv_vm *vm, uint32_t i, bool *holds) {
  uint32_t function = vm->program->invariants.at[i];
  unsigned spare = PV_MAX_THREADS;
  const struct pv_recorder *recorder = vm->recorder;
  vm->recorder = NULL;
  vm->silent = true;
  vm->thread = spare;
  pv_frame_push(vm, spare, function);
  uint64_t instructions = vm->instructions;
  enum pv_outcome outcome = pv_run(vm);
  vm->instructions = instructions;
  vm->silent = false;
  vm->recorder = recorder;
  *holds = outcome == PV_RAN && (vm->scratch[vm->code->n_scratch - 1] & 1);
  while (vm->threads[spare].depth) pv_frame_pop(vm, spare);
  return outcome;
}

bool pv_vm_proposition(struct pv_vm *vm, uint32_t i, bool *holds) {
  return evaluate(vm, vm->options->invariant.n + i, holds) == PV_RAN;
}

bool pv_vm_invariant(struct pv_vm *vm, uint32_t i) {
  const struct pv_program *p = vm->program;
  uint32_t function = p->invariants.at[i];
  bool holds;
  enum pv_outcome outcome = evaluate(vm, i, &holds);
  if (holds) return true;
  if (outcome == PV_RAN) {
    vm->event = (struct pv_event){.property = PV_PROP_INVARIANT,
                                  .thread = 0,
                                  .span = p->functions.at[function].span,
                                  .function = &p->functions.at[function]};
    snprintf(vm->event.message, sizeof vm->event.message, "invariant `%s` does not hold",
             i < vm->options->invariant.n ? vm->options->invariant.at[i] : "?");
  }
  return outcome != PV_RAN && outcome != PV_VIOLATED;
}
