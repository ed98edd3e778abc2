/* follow.c -- the edges that threads take: they are told to a recorder, and an assumption automaton
 * moves along them (condition/condition.h).
 *
 * Its state is a part of the machine's own component, so equal states of the machine agree on it. A
 * thread takes an edge when the next one of it begins. What a thread parks at is not taken yet, and
 * begins again when it is executed. A transition that takes no edge ends in the middle of one: the
 * first half of a wait, a part of a copy. Other threads move in between, and the automaton, which
 * has no letter for that, goes to `open`. With a cooperative scheduler, each execution of a call is
 * a letter, also one after which the thread waits (cpa/assumption_scheduled.c), and nothing else
 * ends in the middle. Of the branches at one location all begin, one after the
 * other, up to the one that is taken. */
#include "vm/vm_internal.h"

#include "condition/transitions.h"

struct pv_follow {
  bool has_automaton;
  struct pv_transitions moves;
  uint32_t
      begun; /* the edge that the running thread began, as an index into code->edges; 0: none */
  bool has_taken; /* since it was resumed, the running thread took an edge */
  bool waits;     /* it called a cooperative scheduler and waits */
};

static bool is_sink(uint32_t state) {
  return state < PV_AUTOMATON_FIRST;
}

/* A state that never leads to `verified` counts as `open`. */
static uint32_t simplest(const struct pv_follow *x, uint32_t state) {
  return x->moves.reaches[PV_AUTOMATON_VERIFIED].at[state] ? state : PV_AUTOMATON_OPEN;
}

static uint32_t get_state(const struct pv_vm *vm) {
  uint32_t state;
  memcpy(&state, vm->comps.at[1].data + sizeof(struct pv_machine), sizeof state);
  return state;
}

static void set_state(struct pv_vm *vm, uint32_t state) {
  memcpy(vm->comps.at[1].data + sizeof(struct pv_machine), &state, sizeof state);
  pv_comp_touch(vm, 1);
}

void pv_vm_follow(struct pv_vm *vm, const struct pv_open_part *automaton) {
  struct pv_follow *x = vm->follow = pv_alloc(sizeof *x);
  x->has_automaton = automaton;
  if (automaton) pv_transitions_read(&x->moves, automaton);
  pv_code_free(vm->code); /* every edge must begin, also those without effect */
  vm->code = pv_code_compile(vm->program, vm->global_address, vm->function_address,
                             vm->options->inputs, true);
  vm->watched = true;
}

void pv_follow_free(struct pv_follow *x) {
  if (!x) return;
  pv_transitions_free(&x->moves);
  free(x);
}

void pv_follow_start(struct pv_vm *vm) {
  vm->follow->begun = 0;
  if (!vm->follow->has_automaton) return;
  pv_comp_resize(vm, 1, sizeof(struct pv_machine) + sizeof(uint32_t));
  set_state(vm, simplest(vm->follow, PV_AUTOMATON_FIRST));
}

void pv_follow_resume(struct pv_vm *vm) {
  vm->follow->begun = 0;
  vm->follow->has_taken = vm->follow->waits = false;
}

void pv_follow_waits(struct pv_vm *vm) {
  vm->follow->waits = true;
}

uint32_t pv_vm_automaton_state(const struct pv_vm *vm) {
  return vm->follow && vm->follow->has_automaton ? get_state(vm) : PV_AUTOMATON_OPEN;
}

/* Is the edge the next branch at the location of an edge that begun, so that the latter was not
 * taken? */
static bool is_next_branch(const struct pv_code_edge *begun, const struct pv_code_edge *now) {
  return now->is_branch && now->edge == begun->edge + 1 && now->edge->from == begun->edge->from;
}

static uint32_t number_of(const struct pv_vm *vm, const struct pv_code_edge *e) {
  return (uint32_t)(e->edge - vm->program->functions.at[e->function].edges.at);
}

static void tell(struct pv_vm *vm, const struct pv_code_edge *taken) {
  if (!vm->recorder || !vm->recorder->taken) return;
  vm->recorder->taken(vm->recorder->user, vm->thread, taken->function, number_of(vm, taken));
}

/* An edge was taken. true: the automaton came to `verified`. */
static bool take(struct pv_vm *vm, const struct pv_code_edge *taken) {
  struct pv_follow *x = vm->follow;
  x->has_taken = true;
  tell(vm, taken);
  if (!x->has_automaton) return false;
  uint32_t state = get_state(vm);
  if (is_sink(state)) return false;
  const struct pv_automaton_move letter = {
      .thread = vm->thread, .function = taken->function, .edge = number_of(vm, taken)};
  uint32_t to = simplest(x, pv_transitions_next(&x->moves, state, &letter));
  if (to != state) set_state(vm, to);
  return to == PV_AUTOMATON_VERIFIED;
}

bool pv_follow_ended(struct pv_vm *vm) {
  uint32_t was = vm->follow->begun;
  vm->follow->begun = 0;
  return was && take(vm, &vm->code->edges.at[was]);
}

/* Has the parked thread not begun the call of a scheduler that it stands at? */
static bool stands_at_call(const struct pv_vm *vm) {
  const struct pv_code_edge *at = &vm->code->edges.at[vm->code->where.at[vm->frame->pc]];
  return at->edge && at->edge->op == PV_OP_PRIM;
}

bool pv_follow_parked(struct pv_vm *vm) {
  struct pv_follow *x = vm->follow;
  if (x->waits) return pv_follow_ended(vm);
  if (x->has_taken || !x->has_automaton || is_sink(get_state(vm))) return false;
  if (vm->sched->preemptive || !stands_at_call(vm)) set_state(vm, PV_AUTOMATON_OPEN);
  return false;
}

bool pv_follow_begin(struct pv_vm *vm, uint32_t pc) {
  struct pv_follow *x = vm->follow;
  uint32_t number = vm->code->where.at[pc], was = x->begun;
  const struct pv_code_edge *now = &vm->code->edges.at[number], *begun = &vm->code->edges.at[was];
  if (vm->silent || !now->edge || pc != now->pc) return false;
  x->begun = number;
  return was && !is_next_branch(begun, now) && take(vm, begun);
}
