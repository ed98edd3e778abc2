/* vm.c -- the VM: threads, transitions, components. */
#include "analysis/points_to.h"
#include "vm/native.h"

/* Number of loop heads that a thread passes in one transition before it parks at one. SHORT: the
 * same in searches for temporal properties, so that endless loops are short. */
enum { FUEL = 10000, SHORT = 50 };

/* ---- the scheduler's view -------------------------------------------------------------------- */
static bool env_load(void *self, uint64_t address, unsigned bytes, uint64_t *value) {
  return pv_vm_read(self, address, bytes, value);
}

static bool env_store(void *self, uint64_t address, unsigned bytes, uint64_t value) {
  struct pv_vm *vm = self;
  enum pv_property property;
  if (pv_access_fault(vm, address, bytes, true, &property)) return false;
  struct pv_object *o = pv_object_at(vm, address);
  pv_memory_write(vm, o, address - o->base, &value, bytes);
  if (pv_object_shared(vm, o)) pv_publish(vm, value);
  if (vm->recorder && vm->recorder->stored)
    vm->recorder->stored(vm->recorder->user, vm->thread, address, bytes);
  return true;
}

static void env_spawn(void *self, unsigned thread, uint64_t start, uint64_t argument) {
  struct pv_vm *vm = self;
  PV_REQUIRE(vm->thread_main != PV_NO_FUNC, "the program has no __proviso_thread_main");
  pv_publish(vm, argument);
  if (vm->ahead) return;
  pv_frame_push(vm, thread, vm->thread_main);
  const struct pv_code_function *cf = &vm->code->functions[vm->thread_main];
  vm->regs[cf->reg[0]] = start;
  vm->regs[cf->reg[1]] = argument;
  vm->frame->local = PV_STAND_LOCAL;
  vm->spawned |= UINT64_C(1) << thread;
  pv_frame_enter(vm, vm->thread);
}

/* start is 0 where a thread stops itself. */
static void env_restart(void *self, unsigned thread, uint64_t start, uint64_t argument) {
  struct pv_vm *vm = self;
  if (thread == vm->thread) {
    vm->restarts = true; /* after the primitive that it is in */
    return;
  }
  vm->saw_all = true; /* the transition depends on the frames of that thread */
  pv_thread_gone(vm, thread);
  env_spawn(self, thread, start, argument);
}

static void env_provided(void *self, const char *sentence) {
  struct pv_vm *vm = self;
  if (!vm->ahead && !vm->peek) pv_note_provided(vm, sentence);
}

enum pv_outcome pv_stop_self(struct pv_vm *vm) {
  pv_thread_gone(vm, vm->thread);
  if (vm->restarts) env_spawn(vm, vm->thread, 0, 0);
  vm->restarts = false;
  return PV_RAN;
}

bool pv_vm_read(struct pv_vm *vm, uint64_t address, unsigned bytes, uint64_t *value) {
  enum pv_property property;
  uint32_t init;
  *value = 0;
  if (pv_access_fault(vm, address, bytes, false, &property)) return false;
  struct pv_object *o = pv_object_at(vm, address);
  pv_memory_read(vm, o, address - o->base, value, bytes, &init);
  return init == ((uint32_t)1 << bytes) - 1;
}

/* ---- creation and destruction ---------------------------------------------------------------- */
static void find_regions(struct pv_vm *vm) {
  struct pv_str err = {0};
  enum pv_status status =
      pv_exclusion_find(vm->program, &vm->options->mutex_region, &vm->exclusion, &err);
  PV_REQUIRE(status == PV_OK, "the program was marked");
  pv_str_free(&err);
}

struct pv_vm *pv_vm_new(const struct pv_task *task, const struct pv_sched *sched,
                        struct pv_condition *condition) {
  struct pv_vm *vm = pv_alloc(sizeof *vm);
  vm->program = task->program;
  vm->options = task->options;
  vm->notes_fences = task->options->robustness || task->listeners;
  vm->properties = task->properties;
  vm->sched = sched;
  vm->limits = task->limits;
  vm->condition = vm->lasting = condition;
  vm->env = (struct pv_sched_env){
      vm, task->program->pointer_bits, env_load, env_store, env_spawn, env_restart, env_provided};
  vm->compares_pointers = pv_points_to_sees_reuse(task->program);
  vm->thread_main = PV_NO_FUNC;
  for (uint32_t i = 0; i < vm->program->functions.n; i++)
    if (strcmp(vm->program->functions.at[i].name, "__proviso_thread_main") == 0)
      vm->thread_main = i;
  if (vm->properties & PV_PROP_BIT(PV_PROP_MUTUAL_EXCLUSION)) find_regions(vm);
  pv_comp_new(vm, PV_COMP_SCHED, 0);
  pv_comp_new(vm, PV_COMP_MACHINE, 0);
  pv_memory_init(vm);
  vm->code = pv_code_compile(vm->program, vm->global_address, vm->function_address,
                             vm->options->inputs, vm->options->atomic == PV_ATOMIC_INSTRUCTION);
  vm->watched = vm->options->atomic != PV_ATOMIC_VISIBLE;
  vm->scratch = pv_alloc(vm->code->n_scratch * sizeof(uint64_t));
  vm->taint = pv_alloc(vm->code->n_scratch * sizeof *vm->taint);
  vm->noted = pv_alloc(vm->code->edges.n);
  if (vm->code->constants.n)
    memcpy(vm->scratch, vm->code->constants.at, vm->code->constants.n * sizeof(uint64_t));
  return vm;
}

void pv_vm_hide(struct pv_vm *vm, bool (*hidden)(void *user, uint32_t function, uint32_t edge),
                void *user) {
  if (!vm->hidden) vm->hidden = pv_alloc(vm->code->edges.n);
  for (uint32_t i = 1; i < vm->code->edges.n; i++) {
    const struct pv_code_edge *ce = &vm->code->edges.at[i];
    const struct pv_function *f = &vm->program->functions.at[ce->function];
    vm->hidden[i] = hidden(user, ce->function, (uint32_t)(ce->edge - f->edges.at));
  }
}

const uint32_t *pv_vm_published(const struct pv_vm *vm, uint32_t *n) {
  *n = vm->published.n;
  return vm->published.at;
}

const struct pv_fence *pv_vm_fences(const struct pv_vm *vm, uint32_t *n) {
  *n = vm->fences.n;
  return vm->fences.at;
}

uint64_t pv_vm_hid(const struct pv_vm *vm) {
  return vm->hid;
}

uint64_t pv_vm_held_eagerly(const struct pv_vm *vm, uint64_t *threads) {
  *threads = vm->eager_threads;
  return vm->held_eagerly;
}

void pv_vm_free(struct pv_vm *vm) {
  if (!vm) return;
  vm->comps.at[0].data = NULL; /* it belongs to the scheduler state */
  free(vm->sched_state.data);
  pv_memory_free(vm);
  for (unsigned i = 0; i <= PV_MAX_THREADS; i++) pv_vec_free(&vm->threads[i].frames);
  pv_native_free(vm->native);
  pv_str_free(&vm->native_failure);
  free(vm->heat);
  pv_vec_free(&vm->passed);
  pv_vec_free(&vm->published);
  pv_vec_free(&vm->fences);
  pv_vec_free(&vm->fresh.transitions);
  pv_vec_free(&vm->fresh.back);
  pv_vec_free(&vm->fresh.kept);
  pv_code_free(vm->code);
  pv_vec_free(&vm->footprint);
  pv_vec_free(&vm->filled);
  pv_vec_free(&vm->arguments);
  pv_vec_free(&vm->ends);
  free(vm->scratch);
  free(vm->taint);
  pv_vec_free(&vm->taints);
  free(vm->noted);
  free(vm->hidden);
  pv_exclusion_clear(&vm->exclusion);
  pv_follow_free(vm->follow);
  free(vm);
}

void pv_sched_changed(struct pv_vm *vm) {
  struct pv_comp *c = &vm->comps.at[0];
  c->data = vm->sched_state.data;
  c->n = vm->sched_state.n;
  c->cap = vm->sched_state.cap;
  pv_comp_noted_size(vm, 0);
  if (!vm->sched_state.dirty) return;
  vm->sched_state.dirty = false;
  pv_comp_touch(vm, 0);
}

void pv_count_alive(struct pv_vm *vm) {
  if (vm->ahead) return;
  vm->alive_set = vm->sched->alive_set(&vm->sched_state);
  vm->alive = (unsigned)__builtin_popcountll(vm->alive_set);
}

void pv_vm_start(struct pv_vm *vm) {
  for (uint32_t i = 1; i < vm->comps.n; i++)
    if (vm->comps.at[i].n) pv_comp_resize(vm, i, 0);
  for (unsigned t = 0; t <= PV_MAX_THREADS; t++) vm->threads[t].depth = 0;
  vm->sched_state.n = 0;
  vm->sched->init(&vm->sched_state, (enum pv_sched_order)vm->options->order);
  vm->sched_state.dirty = true;
  pv_sched_changed(vm);
  pv_comp_resize(vm, 1, sizeof(struct pv_machine));
  if (vm->follow) pv_follow_start(vm);
  pv_memory_start(vm);
  vm->thread = 0;
  pv_frame_push(vm, 0, vm->program->start);
  vm->frame->local = PV_STAND_LOCAL;
  pv_count_alive(vm);
}

uint64_t pv_vm_may_run(const struct pv_vm *vm) {
  return pv_sched_may_run(vm->sched, &vm->sched_state);
}

bool pv_vm_inside(const struct pv_vm *vm) {
  return vm->sched->inside && vm->sched->inside(&vm->sched_state);
}

unsigned pv_vm_threads(const struct pv_vm *vm) {
  return vm->sched->n_threads(&vm->sched_state);
}
unsigned pv_vm_alive(const struct pv_vm *vm) {
  return vm->alive;
}
uint64_t pv_vm_alive_set(const struct pv_vm *vm) {
  return vm->alive_set;
}
bool pv_vm_is_alive(const struct pv_vm *vm, unsigned thread) {
  return thread < PV_MAX_THREADS && (vm->alive_set >> thread & 1);
}

unsigned pv_vm_alternatives(struct pv_vm *vm, unsigned thread, const struct pv_pending *pending,
                            unsigned *progress) {
  struct pv_pending now;
  if (pending->kind == PV_PEND_PRIM) return pv_prim_alternatives(vm, &pending->call, progress);
  if (pending->kind == PV_PEND_ALLOC) { /* depends on all existing pointers */
    pv_vm_pending(vm, thread, &now);
    pending = &now;
  }
  *progress = pending->progress;
  return pending->alternatives;
}

uint64_t pv_vm_global_address(const struct pv_vm *vm, uint32_t global) {
  return vm->global_address[global];
}

uint64_t pv_vm_function_address(const struct pv_vm *vm, uint32_t function) {
  return vm->function_address[function];
}

uint32_t pv_vm_function_at(const struct pv_vm *vm, uint64_t address) {
  uint64_t n = address - vm->functions_base;
  return n % 16 || n / 16 >= vm->program->functions.n ? PV_NO_FUNC : (uint32_t)(n / 16);
}

unsigned pv_vm_exclusive(const struct pv_vm *vm) {
  return ((const struct pv_machine *)(const void *)vm->comps.at[1].data)->exclusive - 1;
}

void pv_vm_set_observed(struct pv_vm *vm, bool on) {
  vm->observed = on;
}
bool pv_vm_is_observed(const struct pv_vm *vm) {
  return vm->observed;
}

struct pv_course pv_vm_course(const struct pv_vm *vm) {
  return vm->course;
}

void pv_vm_set_eager(struct pv_vm *vm, bool eager) {
  vm->eager = eager;
}

bool pv_vm_renumbers(const struct pv_vm *vm) {
  return vm->renumbers;
}

uint64_t pv_vm_joined(const struct pv_vm *vm) {
  return vm->joined;
}

bool pv_vm_was_idle(const struct pv_vm *vm) {
  return vm->idle;
}

bool pv_vm_merged(const struct pv_vm *vm) {
  return vm->merged;
}

const struct pv_event *pv_vm_event(const struct pv_vm *vm) {
  return &vm->event;
}

const struct pv_event *pv_vm_passed(const struct pv_vm *vm, uint32_t *n) {
  *n = vm->passed.n;
  return vm->passed.at;
}

void pv_vm_stop_at(struct pv_vm *vm, const struct pv_error_key *key) {
  vm->stop_at = key;
}

uint64_t pv_vm_instructions(const struct pv_vm *vm) {
  return vm->instructions;
}
uint64_t pv_vm_inputs(const struct pv_vm *vm) {
  return vm->inputs;
}
void pv_vm_record(struct pv_vm *vm, const struct pv_recorder *recorder) {
  vm->recorder = recorder;
  vm->watched = recorder || vm->follow || vm->options->atomic != PV_ATOMIC_VISIBLE;
}

void pv_vm_script(struct pv_vm *vm, struct pv_script *script) {
  vm->script = script;
}

void pv_look_beside(struct pv_vm *vm) {
  bool beside = vm->sched->beside && vm->sched->beside(pv_sched_seen(vm), vm->thread);
  if (beside != vm->beside) pv_tlb_flush(vm);
  vm->beside = beside;
}

/* ---- transitions ----------------------------------------------------------------------------- */
void pv_resume(struct pv_vm *vm, unsigned thread) {
  vm->thread = thread;
  pv_frame_enter(vm, thread);
  vm->atomic = pv_vm_exclusive(vm) == thread;
  if (!vm->sched->preemptive) pv_look_beside(vm);
}

void pv_vm_pending(struct pv_vm *vm, unsigned thread, struct pv_pending *out) {
  memset(out, 0, sizeof *out);
  if (!pv_vm_is_alive(vm, thread) || !vm->threads[thread].depth) return;
  out->thread = thread;
  vm->peek = out;
  pv_resume(vm, thread);
  const struct pv_code_edge *ce = &vm->code->edges.at[vm->code->where.at[vm->frame->pc]];
  out->edge = ce->edge;
  out->function = &vm->program->functions.at[ce->function];
  if (vm->frame->local) {
    out->kind = vm->frame->local == PV_STAND_END ? PV_PEND_END : PV_PEND_LOCAL;
    out->alternatives = out->progress = 1;
  } else {
    uint32_t pc = vm->frame->pc;
    pv_run(vm);
    vm->frame->pc = pc;
  }
  vm->peek = NULL;
}

bool pv_vm_exchange(struct pv_vm *vm, unsigned thread, uint64_t *expected) {
  struct pv_pending p;
  vm->expects = false;
  pv_vm_pending(vm, thread, &p);
  *expected = vm->expected;
  return vm->expects;
}

void pv_vm_allow_native(struct pv_vm *vm) {
  if (vm->options->atomic != PV_ATOMIC_VISIBLE) return; /* machine code supports only this level */
  vm->heat = pv_alloc((vm->program->functions.n + 1) * sizeof *vm->heat);
}

const char *pv_vm_native_failure(const struct pv_vm *vm) {
  return vm->native_failure.n ? vm->native_failure.at : NULL;
}

static enum pv_outcome run_thread(struct pv_vm *vm, unsigned thread) {
  pv_resume(vm, thread);
  vm->go = vm->frame->local ? PV_GO_NOT : PV_GO;
  vm->ending = vm->frame->local == PV_STAND_END;
  vm->frame->local = 0;
  vm->fuel = vm->properties & PV_PROP_TEMPORAL ? SHORT : FUEL;
  if (vm->follow) pv_follow_resume(vm);
  pv_statement_end(vm);
  bool native = (vm->heat || vm->native) && !vm->recorder;
  enum pv_outcome outcome = native ? pv_native_run(vm) : pv_run(vm);
  if (!vm->follow || outcome != PV_RAN) return outcome;
  bool verified = pv_vm_is_alive(vm, thread) ? pv_follow_parked(vm) : pv_follow_ended(vm);
  return verified ? PV_PRUNED : outcome;
}

/* A copy of the bytes of all components, one after the other. The caller frees it. */
static uint8_t *copy_components(const struct pv_vm *vm) {
  size_t n = 1;
  for (uint32_t i = 0; i < vm->comps.n; i++) n += sizeof(uint32_t) + vm->comps.at[i].n;
  uint8_t *copy = pv_alloc(n), *to = copy;
  for (uint32_t i = 0; i < vm->comps.n; i++) {
    const struct pv_comp *c = &vm->comps.at[i];
    memcpy(to, &c->n, sizeof c->n);
    if (c->n) memcpy(to + sizeof c->n, c->data, c->n);
    to += sizeof c->n + c->n;
  }
  return copy;
}

/* Restores the components from a copy that was made when there were `count` of them. */
static void restore_components(struct pv_vm *vm, const uint8_t *copy, uint32_t count) {
  for (uint32_t i = 0; i < vm->comps.n; i++) {
    uint32_t n = 0;
    if (i < count) memcpy(&n, copy, sizeof n), copy += sizeof n;
    pv_vm_set_component(vm, i, copy, n);
    pv_comp_touch(vm, i);
    if (i < count) copy += n;
  }
  pv_vm_loaded(vm);
}

/* What a new thread does before its first visible operation is invisible to others, so it is
 * executed at once (not under --atomic instruction). But if its path ends there, this must not
 * prevent what other threads do before. Then the start is undone, and is a step of its own. */
static void start_thread(struct pv_vm *vm, unsigned thread) {
  uint32_t count = vm->comps.n;
  uint8_t *copy = copy_components(vm);
  uint64_t asked = vm->script ? vm->script->n_asked : 0;
  uint32_t transitions = vm->fresh.transitions.n;
  const struct pv_recorder *recorder = vm->recorder; /* not called for what may be undone */
  pv_vm_record(vm, NULL);
  bool ends = run_thread(vm, thread) != PV_RAN;
  pv_vm_record(vm, recorder);
  if (ends || recorder) {
    vm->fresh.transitions.n = transitions;
    restore_components(vm, copy, count);
    pv_script_back(vm, asked);
    vm->saw_all = true;
  }
  if (!ends && recorder) run_thread(vm, thread);
  free(copy);
}

void pv_vm_track(struct pv_vm *vm, bool on) {
  vm->tracks = on;
}

/* The VM's own state decides much that is not read component by component. */
static void footprint_begin(struct pv_vm *vm, unsigned thread) {
  for (uint32_t i = 0; i < vm->footprint.n; i++)
    if (vm->footprint.at[i] != PV_FOOT_OBJECTS) vm->comps.at[vm->footprint.at[i]].noted = false;
  vm->footprint.n = 0;
  vm->saw_all = vm->saw_objects = false;
  vm->objects_before = vm->objects.n;
  pv_comp_note(vm, 1);
  pv_comp_note(vm, pv_vm_top_component(vm, thread));
}

uint32_t pv_vm_footprint(const struct pv_vm *vm, const uint32_t **list) {
  *list = vm->footprint.at;
  bool too_much = vm->saw_all || (vm->saw_objects && vm->objects.n != vm->objects_before);
  return too_much ? UINT32_MAX : vm->footprint.n;
}

uint32_t pv_vm_objects(const struct pv_vm *vm) {
  return vm->objects.n;
}

static void course_begin(struct pv_vm *vm, unsigned thread) {
  vm->low = vm->threads[thread].depth;
  vm->low_edge = pv_edge_number(vm, thread, vm->low);
  vm->course = (struct pv_course){.deeper = true};
}

static void course_end(struct pv_vm *vm, unsigned thread) {
  struct pv_course *c = &vm->course;
  c->created = vm->spawned;
  c->ended = !vm->low || vm->threads[thread].depth < vm->low;
  if (c->ended) return;
  const struct pv_code_edge *from = &vm->code->edges.at[vm->low_edge];
  const struct pv_code_edge *to = &vm->code->edges.at[pv_edge_number(vm, thread, vm->low)];
  c->function = from->function;
  c->from = from->edge->from;
  c->to = to->edge->from;
  c->deeper &= vm->threads[thread].depth > vm->low;
}

/* The scheduler of a cooperative program has chosen the thread. */
static void dispatch(struct pv_vm *vm, unsigned thread) {
  if (!vm->sched->dispatch) return;
  vm->sched->dispatch(pv_sched_seen(vm), thread);
  pv_sched_changed(vm);
}

/* A thread beside a cooperative scheduler runs before all others. If it does not end at once, it
 * may never end. (With --atomic instruction it stops before every edge; then loops are noted.) */
static void note_delay(struct pv_vm *vm, unsigned thread, enum pv_outcome outcome) {
  bool goes_on = vm->beside && outcome == PV_RAN && pv_vm_is_alive(vm, thread);
  if (goes_on && vm->options->atomic != PV_ATOMIC_INSTRUCTION) pv_note_beside(vm);
}

enum pv_outcome pv_vm_step(struct pv_vm *vm, unsigned thread, unsigned alternative) {
  vm->alternative = alternative;
  course_begin(vm, thread);
  if (vm->tracks) footprint_begin(vm, thread);
  vm->merged = vm->idle = false;
  vm->held_eagerly = vm->hid = vm->eager_threads = 0;
  vm->published.n = vm->fences.n = 0;
  vm->joined = 0;
  vm->passed.n = 0;
  vm->spawned = 0;
  pv_fresh_begin(vm);
  dispatch(vm, thread);
  enum pv_outcome outcome = run_thread(vm, thread);
  note_delay(vm, thread, outcome);
  course_end(vm, thread);
  /* Otherwise it is parked at its first edge. */
  bool starts = vm->options->atomic != PV_ATOMIC_INSTRUCTION && vm->sched->preemptive;
  while (starts && vm->spawned && outcome == PV_RAN) {
    unsigned next = (unsigned)__builtin_ctzll(vm->spawned);
    vm->spawned &= vm->spawned - 1;
    if (pv_vm_is_alive(vm, next)) start_thread(vm, next);
  }
  pv_fresh_end(vm);
  pv_sched_changed(vm);
  return outcome;
}

enum pv_outcome pv_vm_ahead(struct pv_vm *vm, unsigned thread) {
  struct pv_condition none = {0};
  uint64_t instructions = vm->instructions, inputs = vm->inputs;
  uint64_t asked = vm->script ? vm->script->n_asked : 0;
  vm->ahead = true;
  vm->condition = &none;
  enum pv_outcome outcome = pv_vm_step(vm, thread, 0);
  vm->condition = vm->lasting;
  vm->ahead = false;
  vm->instructions = instructions;
  vm->inputs = inputs;
  pv_script_back(vm, asked);
  pv_condition_clear(&none);
  return outcome;
}

const struct pv_sched_state *pv_vm_sched_state(const struct pv_vm *vm) {
  return &vm->sched_state;
}

/* ---- components ------------------------------------------------------------------------------ */
uint32_t pv_vm_components(const struct pv_vm *vm) {
  return vm->comps.n;
}
struct pv_comp *pv_vm_component(struct pv_vm *vm, uint32_t i) {
  return &vm->comps.at[i];
}

uint32_t pv_vm_component_thread(const struct pv_vm *vm, uint32_t i) {
  const struct pv_comp *c = &vm->comps.at[i];
  if (c->kind == PV_COMP_FRAME) return c->owner >> 24;
  if (c->kind != PV_COMP_MEMORY) return UINT32_MAX;
  const struct pv_object *o = &vm->objects.at[c->owner];
  return o->kind >= PV_OBJ_TLS && o->kind <= PV_OBJ_HEAP ? o->thread : UINT32_MAX;
}

uint32_t pv_vm_dirty(struct pv_vm *vm, const uint32_t **list) {
  *list = vm->dirty.at;
  return vm->dirty.n;
}

void pv_vm_clean(struct pv_vm *vm) {
  for (uint32_t i = 0; i < vm->dirty.n; i++) vm->comps.at[vm->dirty.at[i]].dirty = false;
  vm->dirty.n = 0;
}

void pv_vm_set_component(struct pv_vm *vm, uint32_t i, const void *bytes, uint32_t n) {
  struct pv_comp *c = &vm->comps.at[i];
  if (n > c->cap) {
    uint32_t cap = c->cap ? c->cap : 32;
    while (cap < n) cap *= 2;
    c->data = pv_realloc(c->data, cap);
    c->cap = cap;
  }
  if (n) memcpy(c->data, bytes, n);
  c->n = n;
  pv_comp_noted_size(vm, i);
  if (i == 0) {
    vm->sched_state.data = c->data;
    vm->sched_state.n = n;
    vm->sched_state.cap = c->cap;
    vm->sched_state.dirty = true;
  } else if (c->kind == PV_COMP_FRAME) {
    uint32_t depth = (c->owner & 0xffffff) + 1;
    struct pv_thread *t = &vm->threads[c->owner >> 24];
    if (n && t->depth < depth) t->depth = depth;
    while (t->depth && !vm->comps.at[t->frames.at[t->depth - 1]].n) t->depth--;
  }
}

void pv_vm_loaded(struct pv_vm *vm) {
  if (vm->sched_state.dirty) pv_count_alive(vm);
  vm->sched_state.dirty = false;
}
