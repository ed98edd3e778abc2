/* frames.c -- the calls of threads: their frames, the objects in them, and the edges at which they
 * stand. */
#include "vm/vm_internal.h"

void pv_frame_make(struct pv_vm *vm, unsigned thread, uint32_t depth) {
  PV_REQUIRE(vm->threads[thread].frames.n == depth, "frames come up one after the other");
  uint32_t comp = pv_comp_new(vm, PV_COMP_FRAME, (uint32_t)thread << 24 | depth);
  pv_vec_push(&vm->threads[thread].frames, comp);
}

static uint32_t frame_comp(struct pv_vm *vm, unsigned thread, uint32_t depth) {
  if (vm->threads[thread].frames.n <= depth) pv_register_frame(vm, thread, depth);
  return vm->threads[thread].frames.at[depth];
}

void pv_frame_enter(struct pv_vm *vm, unsigned thread) {
  struct pv_thread *t = &vm->threads[thread];
  vm->frame_comp = t->frames.at[t->depth - 1];
  pv_comp_note(vm, vm->frame_comp);
  vm->frame = (struct pv_frame_head *)(void *)vm->comps.at[vm->frame_comp].data;
  vm->regs = (uint64_t *)(void *)(vm->frame + 1);
  if (!vm->peek) pv_comp_touch(vm, vm->frame_comp);
}

static uint32_t frame_function(const struct pv_vm *vm, const struct pv_frame_head *frame) {
  return vm->code->edges.at[vm->code->where.at[frame->pc]].function;
}

uint64_t pv_slot_address(struct pv_vm *vm, uint32_t function, uint32_t slot, unsigned thread,
                         uint32_t depth) {
  const struct pv_slot *s = &vm->program->functions.at[function].slots.at[slot];
  struct pv_object_key key = {.kind = PV_OBJ_SLOT,
                              .site = function,
                              .slot = slot,
                              .thread = thread,
                              .depth = depth,
                              .align = s->align,
                              .size = s->size};
  struct pv_object *o = pv_object_next(vm, &key, true);
  if (!o) return 0;
  pv_object_begin(vm, o, false);
  return o->base;
}

void pv_frame_push(struct pv_vm *vm, unsigned thread, uint32_t function) {
  const struct pv_code_function *cf = &vm->code->functions[function];
  const struct pv_function *f = &vm->program->functions.at[function];
  uint32_t comp = frame_comp(vm, thread, vm->threads[thread].depth);
  if (vm->comps.at[comp].n) pv_comp_resize(vm, comp, 0);
  pv_comp_resize(vm, comp, (uint32_t)sizeof(struct pv_frame_head) + cf->n_regs * 8);
  vm->threads[thread].depth++;
  pv_frame_enter(vm, thread);
  vm->frame->pc = cf->entry;
  for (uint32_t i = 0; i < f->slots.n; i++)
    if (!f->slots.at[i].scoped)
      vm->regs[cf->slot_reg + i] =
          pv_slot_address(vm, function, i, thread, vm->threads[thread].depth);
}

static uint32_t *owned_objects(const struct pv_vm *vm, const struct pv_frame_head *frame) {
  uint32_t n_regs = vm->code->functions[frame_function(vm, frame)].n_regs;
  return (uint32_t *)(void *)((uint8_t *)(uintptr_t)(frame + 1) + (size_t)n_regs * 8);
}

const uint32_t *pv_frame_owned(const struct pv_vm *vm) {
  return owned_objects(vm, vm->frame);
}

void pv_frame_own(struct pv_vm *vm, uint32_t object) {
  uint32_t *owned = owned_objects(vm, vm->frame);
  for (uint32_t i = 0; i < vm->frame->n_owned; i++)
    if (owned[i] == object) return;
  uint32_t n = vm->comps.at[vm->frame_comp].n;
  pv_comp_resize(vm, vm->frame_comp, n + 4);
  pv_frame_enter(vm, vm->thread);
  owned_objects(vm, vm->frame)[vm->frame->n_owned++] = object;
}

uint32_t pv_edge_number(const struct pv_vm *vm, unsigned thread, uint32_t depth) {
  const struct pv_thread *t = &vm->threads[thread];
  const struct pv_comp *c = &vm->comps.at[t->frames.at[depth - 1]];
  uint32_t pc = ((const struct pv_frame_head *)(const void *)c->data)->pc;
  return vm->code->where.at[depth == t->depth ? pc : pc - 1];
}

/* The running thread returns into an older frame. */
static void course_falls(struct pv_vm *vm, unsigned thread) {
  uint32_t depth = vm->threads[thread].depth - 1;
  if (depth >= vm->low) return;
  if (depth) vm->low_edge = pv_edge_number(vm, thread, depth);
  vm->low = depth;
  vm->course.deeper = false;
}

void pv_frame_pop(struct pv_vm *vm, unsigned thread) {
  if (thread == vm->thread) course_falls(vm, thread);
  struct pv_thread *t = &vm->threads[thread];
  uint32_t comp = t->frames.at[t->depth - 1];
  pv_comp_note(vm, comp);
  const struct pv_frame_head *frame =
      (const struct pv_frame_head *)(const void *)vm->comps.at[comp].data;
  uint32_t function = frame_function(vm, frame);
  const struct pv_code_function *cf = &vm->code->functions[function];
  vm->ends.n = 0;
  const uint64_t *regs = (const uint64_t *)(const void *)(frame + 1);
  for (uint32_t i = 0; i < vm->program->functions.at[function].slots.n; i++) {
    struct pv_object *o = pv_object_at(vm, regs[cf->slot_reg + i]);
    if (o) pv_vec_push(&vm->ends, (uint32_t)(o - vm->objects.at));
  }
  const uint32_t *owned = owned_objects(vm, frame);
  for (uint32_t i = 0; i < frame->n_owned; i++) pv_vec_push(&vm->ends, owned[i]);
  pv_comp_resize(vm, comp, 0); /* first, because its own registers must not count as references */
  if (vm->tainted) pv_taint_drop_frame(vm, thread, t->depth);
  t->depth--;
  for (uint32_t i = 0; i < vm->ends.n; i++) {
    struct pv_object *o = &vm->objects.at[vm->ends.at[i]];
    if (pv_object_state(vm, o) & PV_MEM_LIVE) pv_stack_object_end(vm, o);
  }
}

const struct pv_code_edge *pv_edge_at(struct pv_vm *vm, unsigned thread, uint32_t depth) {
  pv_comp_note(vm, vm->threads[thread].frames.at[depth - 1]);
  return &vm->code->edges.at[pv_edge_number(vm, thread, depth)];
}

const struct pv_code_edge *pv_user_edge_of(struct pv_vm *vm, unsigned thread, uint32_t *depth) {
  const uint32_t top = vm->threads[thread].depth;
  for (*depth = top; *depth; --*depth) {
    const struct pv_code_edge *ce = pv_edge_at(vm, thread, *depth);
    if (!vm->program->functions.at[ce->function].is_model) return ce;
  }
  *depth = top;
  return pv_edge_at(vm, thread, top);
}

const struct pv_code_edge *pv_shown_edge_of(struct pv_vm *vm, unsigned thread) {
  uint32_t depth = vm->threads[thread].depth;
  for (; depth; depth--) {
    const struct pv_code_edge *ce = pv_edge_at(vm, thread, depth);
    if (!vm->program->functions.at[ce->function].is_library) return ce;
  }
  return pv_user_edge_of(vm, thread, &depth);
}

const struct pv_code_edge *pv_user_edge(struct pv_vm *vm) {
  uint32_t depth;
  return pv_user_edge_of(vm, vm->thread, &depth);
}

/* ---- frames as others see them --------------------------------------------------------------- */
uint32_t pv_vm_depth(const struct pv_vm *vm, unsigned thread) {
  return vm->threads[thread].depth;
}

uint32_t pv_vm_top_component(const struct pv_vm *vm, unsigned thread) {
  const struct pv_thread *t = &vm->threads[thread];
  return t->frames.at[t->depth - 1];
}

uint32_t pv_vm_frame_component(const struct pv_vm *vm, unsigned thread, uint32_t depth) {
  return vm->threads[thread].frames.at[depth];
}

void pv_vm_frame_in(const struct pv_vm *vm, const void *content, bool top, uint32_t *function,
                    pv_loc *loc) {
  struct pv_frame_head frame;
  memcpy(&frame, content, sizeof frame);
  const struct pv_code_edge *ce = /* in a caller, pc is after its call */
      &vm->code->edges.at[vm->code->where.at[top ? frame.pc : frame.pc - 1]];
  *function = ce->function;
  *loc = top ? ce->edge->from : ce->edge->to;
}

void pv_vm_frame(const struct pv_vm *vm, unsigned thread, uint32_t depth, uint32_t *function,
                 pv_loc *loc) {
  const struct pv_thread *t = &vm->threads[thread];
  pv_vm_frame_in(vm, vm->comps.at[t->frames.at[depth]].data, depth + 1 == t->depth, function, loc);
}

static const struct pv_frame_head *frame_at(const struct pv_vm *vm, unsigned thread,
                                            uint32_t depth) {
  const struct pv_comp *c = &vm->comps.at[vm->threads[thread].frames.at[depth]];
  return (const struct pv_frame_head *)(const void *)c->data;
}

const struct pv_edge *pv_vm_at(const struct pv_vm *vm, unsigned thread, uint32_t *function) {
  uint32_t edge = pv_edge_number(vm, thread, vm->threads[thread].depth);
  *function = vm->code->edges.at[edge].function;
  return vm->code->edges.at[edge].edge;
}

const struct pv_edge *pv_vm_frame_call(const struct pv_vm *vm, unsigned thread, uint32_t depth) {
  if (depth + 1 == vm->threads[thread].depth) return NULL;
  return vm->code->edges.at[pv_edge_number(vm, thread, depth + 1)].edge;
}

static const struct pv_code_function *code_of(const struct pv_vm *vm, unsigned thread,
                                              uint32_t depth) {
  uint32_t edge = pv_edge_number(vm, thread, depth + 1);
  return &vm->code->functions[vm->code->edges.at[edge].function];
}

static uint64_t frame_register(const struct pv_vm *vm, unsigned thread, uint32_t depth,
                               uint32_t reg) {
  return ((const uint64_t *)(const void *)(frame_at(vm, thread, depth) + 1))[reg];
}

uint64_t pv_vm_frame_variable(const struct pv_vm *vm, unsigned thread, uint32_t depth,
                              uint32_t var) {
  return frame_register(vm, thread, depth, code_of(vm, thread, depth)->reg[var]);
}

/* Does the register hold a variable that matters, or something other than a variable? */
static bool register_matters(const struct pv_vm *vm, uint32_t function, uint32_t reg,
                             bool (*matters)(void *user, uint32_t function, uint32_t var),
                             void *user) {
  const struct pv_function *f = &vm->program->functions.at[function];
  const uint32_t *regs = vm->code->functions[function].reg;
  bool found = false;
  for (uint32_t v = 0; v < f->vars.n; v++) {
    bool wide = pv_type_bits(f->vars.at[v].type) > 64;
    if (regs[v] != reg && !(wide && regs[v] + 1 == reg)) continue;
    if (matters(user, function, v)) return true;
    found = true;
  }
  return !found;
}

bool pv_vm_frame_is_as(const struct pv_vm *vm, uint32_t component, const uint8_t *was, uint32_t n,
                       bool (*matters)(void *user, uint32_t function, uint32_t var), void *user) {
  const struct pv_comp *c = &vm->comps.at[component];
  if (c->n != n) return false;
  if (!n || !memcmp(c->data, was, n)) return true;
  if (memcmp(c->data, was, sizeof(struct pv_frame_head)) != 0) return false;
  uint32_t function = frame_function(vm, (const struct pv_frame_head *)(const void *)c->data);
  uint32_t n_regs = vm->code->functions[function].n_regs, at = sizeof(struct pv_frame_head);
  for (uint32_t r = 0; r < n_regs; r++, at += 8) {
    bool same = !memcmp(c->data + at, was + at, 8);
    if (!same && register_matters(vm, function, r, matters, user)) return false;
  }
  return !memcmp(c->data + at, was + at, n - at);
}

uint64_t pv_vm_frame_slot(const struct pv_vm *vm, unsigned thread, uint32_t depth, uint32_t slot) {
  return frame_register(vm, thread, depth, code_of(vm, thread, depth)->slot_reg + slot);
}
