/* edge.c -- operations of edges: inputs, atomics, primitives, ends of paths. Calls are in call.c,
 * copies of blocks in block.c, begin and end of lifetimes in lifetime.c. */
#include "vm/edge_internal.h"

#include <stdio.h>

static uint64_t argument(struct pv_vm *vm, const struct pv_code_edge *ce, uint32_t i) {
  return *pv_cell(vm, vm->code->cells.at[ce->args + i]);
}

/* ---- inputs ---------------------------------------------------------------------------------- */
static int by_value(const void *a, const void *b) {
  uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return x < y ? -1 : x > y;
}

/* Executions in which the input gives a value that is not tried are open. */
static void leave_open(struct pv_vm *vm, const struct pv_code_edge *ce, struct pv_proviso *p,
                       const struct pv_inputs *in) {
  const struct pv_function *f = &vm->program->functions.at[ce->function];
  struct pv_open_part part = {.kind = PV_OPEN_INPUTS,
                              .function = 1 + ce->function,
                              .place = (uint32_t)(ce->edge - f->edges.at)};
  /* The values of a LOAD are tried only where it is the first read. */
  if (pv_type_bits(ce->edge->type) > 64 || ce->edge->op == PV_OP_LOAD) {
    p->part = 0;
    return;
  }
  uint64_t *values = pv_alloc(in->n * sizeof *values);
  memcpy(values, in->value, in->n * sizeof *values);
  qsort(values, in->n, sizeof *values, by_value);
  for (uint32_t i = 0; i < in->n; i++) {
    if (part.tried.n && pv_vec_last(&part.tried).high + 1 >= values[i])
      pv_vec_last(&part.tried).high = values[i];
    else
      pv_vec_push(&part.tried, ((struct pv_value_range){values[i], values[i]}));
  }
  free(values);
  pv_condition_open_inputs(vm->condition, p, part);
}

void pv_note_cut(struct pv_vm *vm, const struct pv_code_edge *ce, const struct pv_inputs *in) {
  const struct pv_edge *e = ce->edge;
  struct pv_str list = {0};
  unsigned bits = pv_type_bits(e->type);
  for (uint32_t i = 0; i < in->n && i < 20; i++) {
    pv_str_addf(&list, "%s", i ? ", " : "");
    if (pv_type_kind(e->type) == PV_T_INT && bits <= 64)
      pv_str_addf(&list, "%lld", (long long)pv_signed(in->value[i], bits));
    else
      pv_str_addf(&list, "0x%llx", (unsigned long long)in->value[i]);
  }
  if (in->n > 20) pv_str_add(&list, ", ...");
  bool indeterminate = e->op != PV_OP_HAVOC;
  struct pv_proviso *p =
      pv_condition_add(vm->condition, indeterminate ? PV_PROVISO_INDETERMINATE : PV_PROVISO_INPUT,
                       pv_user_file(vm), pv_user_line(vm), "%s at %s:%u is one of %s",
                       indeterminate ? "the indeterminate value read"
                       : e->text     ? e->text
                                     : "the input",
                       pv_user_file(vm), pv_user_line(vm), pv_str_cstr(&list));
  leave_open(vm, ce, p, in);
  pv_str_free(&list);
}

/* Assigns `value` to the input, or the value given by a script. */
static enum pv_flow give(struct pv_vm *vm, const struct pv_code_edge *ce, uint64_t low,
                         const struct pv_input_bounds *bounds) {
  const struct pv_edge *e = ce->edge;
  uint64_t value[2] = {low, 0};
  if (vm->script && !vm->silent && !pv_script_next(vm, ce, bounds, value))
    return pv_leave(vm, PV_CUT);
  vm->inputs++;
  if (vm->recorder && vm->recorder->input)
    vm->recorder->input(vm->recorder->user, vm->thread, &vm->program->functions.at[ce->function], e,
                        value);
  if (ce->d >= 0 && pv_type_bits(e->type) > 64) vm->regs[ce->d + 1] = value[1];
  pv_set_var(vm, ce, ce->d, e->dst, value[0]);
  return PV_FLOW_NEXT;
}

/* A HAVOC whose bounds are known only at run time. */
static enum pv_flow choose(struct pv_vm *vm, const struct pv_code_edge *ce) {
  const struct pv_edge *e = ce->edge;
  unsigned w = pv_type_bits(e->type);
  bool is_signed = e->aux != PV_HAVOC_UNSIGNED;
  uint64_t low = pv_operand(vm, ce, 0), high = pv_operand(vm, ce, 1);
  bool empty = is_signed ? pv_signed(low, w) > pv_signed(high, w) : low > high;
  if (empty) return pv_stands_at_end(vm) ? PV_FLOW_LEAVE : pv_leave(vm, PV_PRUNED);
  uint64_t n =
      (is_signed ? (uint64_t)pv_signed(high, w) - (uint64_t)pv_signed(low, w) : high - low) + 1;
  unsigned bound = PV_CHOICES;
  if (e->aux == PV_HAVOC_TEXT) n--; /* the last one stands for texts that are not tried */
  bool cut = n == 0 || n > bound;
  unsigned alternatives = cut ? bound : (unsigned)n;
  if (alternatives > 1 && pv_park(vm, PV_PEND_INPUT, alternatives)) return PV_FLOW_LEAVE;
  if (vm->peek) return PV_FLOW_LEAVE;
  if (cut)
    pv_condition_add(vm->condition, PV_PROVISO_INPUT, pv_user_file(vm), pv_user_line(vm),
                     "the choice at %s:%u is one of its first %u values", pv_user_file(vm),
                     pv_user_line(vm), bound);
  const struct pv_input_bounds bounds = {low, high, is_signed};
  return give(vm, ce, (low + (alternatives > 1 ? vm->alternative : 0)) & pv_mask(w), &bounds);
}

static enum pv_flow input(struct pv_vm *vm, const struct pv_code_edge *ce) {
  const struct pv_edge *e = ce->edge;
  if (e->op == PV_OP_INDET && ce->d >= 0 && pv_taint_follows(vm)) return pv_taint_unset(vm, ce);
  if (e->op == PV_OP_INDET && (vm->properties & PV_PROP_BIT(PV_PROP_DEF_BEHAVIOR))) {
    const struct pv_function *f = &vm->program->functions.at[ce->function];
    return pv_fault(vm, PV_PROP_DEF_BEHAVIOR, "`%s` is read before it has a value",
                    f->vars.at[e->dst].name);
  }
  const struct pv_inputs *in = &vm->code->inputs[ce - vm->code->edges.at];
  bool bounded = e->op == PV_OP_HAVOC && e->e[0];
  if (bounded && !in->n) return choose(vm, ce);
  if (in->n > 1 && pv_park(vm, PV_PEND_INPUT, in->n)) return PV_FLOW_LEAVE;
  if (vm->peek) return PV_FLOW_LEAVE;
  if (!in->exact) pv_note_cut(vm, ce, in);
  struct pv_input_bounds bounds = {.is_signed = true};
  if (bounded) bounds.low = pv_operand(vm, ce, 0), bounds.high = pv_operand(vm, ce, 1);
  return give(vm, ce, in->value[in->n > 1 ? vm->alternative : 0], bounded ? &bounds : NULL);
}

/* ---- atomics --------------------------------------------------------------------------------- */
static pv_u128 combine_floats(const struct pv_edge *e, pv_u128 old, pv_u128 v) {
  double x, y;
  float f, g;
  uint64_t r = 0;
  if (pv_type_bits(e->type) == 32) {
    memcpy(&f, &old, 4), memcpy(&g, &v, 4);
    f = e->aux == PV_RMW_FADD ? f + g : f - g;
    memcpy(&r, &f, 4);
  } else {
    memcpy(&x, &old, 8), memcpy(&y, &v, 8);
    x = e->aux == PV_RMW_FADD ? x + y : x - y;
    memcpy(&r, &x, 8);
  }
  return r;
}

/* The value to store. Bits above the type's width are arbitrary. */
static pv_u128 combine(const struct pv_edge *e, pv_u128 old, pv_u128 v) {
  pv_u128 sign = (pv_u128)1 << (pv_type_bits(e->type) - 1);
  bool less = (old ^ sign) < (v ^ sign);
  switch ((enum pv_rmw)e->aux) {
  case PV_RMW_XCHG: return v;
  case PV_RMW_ADD: return old + v;
  case PV_RMW_SUB: return old - v;
  case PV_RMW_AND: return old & v;
  case PV_RMW_NAND: return ~(old & v);
  case PV_RMW_OR: return old | v;
  case PV_RMW_XOR: return old ^ v;
  case PV_RMW_SMAX: return less ? v : old;
  case PV_RMW_SMIN: return less ? old : v;
  case PV_RMW_UMAX: return old < v ? v : old;
  case PV_RMW_UMIN: return old < v ? old : v;
  case PV_RMW_FADD:
  case PV_RMW_FSUB: return combine_floats(e, old, v);
  }
  return v;
}

/* A value of `w` bits from one or two registers. */
static pv_u128 whole(const uint64_t *cell, unsigned w) {
  return w > 64 ? (pv_u128)cell[1] << 64 | cell[0] : cell[0];
}

bool pv_edge_is_idle(const struct pv_program *p, const struct pv_edge *e) {
  if (e->op != PV_OP_RMW || e->aux != PV_RMW_OR || e->dst != PV_NO_VAR) return false;
  if (pv_type_bits(e->type) > 64) return false;
  const struct pv_expr_node *with = pv_node(p, e->e[1]);
  return with->op == PV_X_CONST && !with->lo && !with->hi;
}

static enum pv_flow read_modify_write(struct pv_vm *vm, const struct pv_code_edge *ce) {
  const struct pv_edge *e = ce->edge;
  unsigned bytes = pv_type_bytes(e->type), w = pv_type_bits(e->type);
  uint64_t address = pv_operand(vm, ce, 0), old[2] = {0, 0}, new[2] = {0, 0};
  if (vm->peek && e->op == PV_OP_CMPXCHG && w <= 64) {
    vm->expects = true;
    vm->expected = *pv_cell(vm, ce->e[1]);
  }
  if ((vm->peek || pv_seen(vm)) && pv_visible_access(vm, address, bytes, true, true))
    return PV_FLOW_LEAVE;
  vm->whole = true;
  enum pv_flow flow = pv_run_load(vm, e, address, old);
  bool stored = true;
  if (flow == PV_FLOW_NEXT && e->op == PV_OP_CMPXCHG) {
    const uint64_t *expected = pv_cell(vm, ce->e[1]), *desired = pv_cell(vm, ce->e[2]);
    stored = old[0] == expected[0] && (w <= 64 || old[1] == expected[1]);
    new[0] = desired[0];
    if (w > 64) new[1] = desired[1];
  } else if (flow == PV_FLOW_NEXT) {
    pv_u128 v = combine(e, whole(old, w), whole(pv_cell(vm, ce->e[1]), w));
    new[0] = (uint64_t)v &pv_mask(w);
    if (w > 64) new[1] = (uint64_t)(v >> 64);
  }
  if (flow == PV_FLOW_NEXT && stored) flow = pv_run_store(vm, e, address, new);
  vm->whole = false;
  if (flow != PV_FLOW_NEXT) return flow;
  if (ce->d >= 0 && w > 64) vm->regs[ce->d + 1] = old[1];
  pv_set_var(vm, ce, ce->d, e->dst, old[0]);
  if (e->op == PV_OP_CMPXCHG) pv_set_var(vm, ce, ce->d2, e->dst2, stored);
  return PV_FLOW_NEXT;
}

/* ---- primitives ------------------------------------------------------------------------------ */
static void fill_call(struct pv_vm *vm, const struct pv_code_edge *ce, struct pv_prim_call *c) {
  c->thread = vm->thread;
  c->prim = vm->program->prims.at[ce->edge->aux].prim;
  for (uint32_t i = 0; i < ce->edge->args.n && i < 6; i++) c->args[i] = argument(vm, ce, i);
}

static void no_spurious(struct pv_vm *vm) {
  pv_condition_add(vm->condition, PV_PROVISO_ENGINE, NULL, 0,
                   "condition variables do not wake up spuriously");
}

/* May the attempt fail also where it need not? */
static bool is_weak(const struct pv_vm *vm, const struct pv_prim_call *c) {
  return vm->options->weak_attempts && c->prim->fails;
}

static unsigned count_alternatives(struct pv_vm *vm, const struct pv_prim_call *c,
                                   enum pv_alternative_kind *kinds, unsigned *progress) {
  unsigned alternatives = vm->sched->alternatives(pv_sched_seen(vm), c, kinds), n = 0;
  *progress = 0;
  for (unsigned i = 0; i < alternatives; i++) {
    if (kinds[i] == PV_ALTERNATIVE_SPURIOUS && vm->options->no_spurious) {
      no_spurious(vm);
      continue;
    }
    kinds[n++] = kinds[i];
    *progress += kinds[i] != PV_ALTERNATIVE_SPURIOUS;
  }
  if (n && is_weak(vm, c)) {
    kinds[n++] = PV_ALTERNATIVE_NORMAL; /* the last one */
    ++*progress;
  }
  return n;
}

unsigned pv_prim_alternatives(struct pv_vm *vm, const struct pv_prim_call *call,
                              unsigned *progress) {
  enum pv_alternative_kind kinds[PV_MAX_THREADS + 2];
  return count_alternatives(vm, call, kinds, progress);
}

/* The scheduler's number of the n-th alternative that the options allow. */
static unsigned real_alternative(struct pv_vm *vm, const struct pv_prim_call *c,
                                 unsigned alternative) {
  enum pv_alternative_kind kinds[PV_MAX_THREADS + 2];
  if (!vm->options->no_spurious) return alternative;
  unsigned alternatives = vm->sched->alternatives(pv_sched_seen(vm), c, kinds);
  for (unsigned i = 0; i < alternatives; i++) {
    if (kinds[i] == PV_ALTERNATIVE_SPURIOUS && vm->options->no_spurious) {
      no_spurious(vm);
      continue;
    }
    if (!alternative--) return i;
  }
  return 0;
}

/* A failed trylock gives information about another thread without ordering memory (C11 7.26.4.5,
 * POSIX). Races that it hides are not found by looking at adjacent accesses, so a proviso is added.
 * The other thread may have ended. */
static void note_unordered(struct pv_vm *vm, const struct pv_prim_call *c, uint64_t result) {
  bool asked = vm->properties & PV_PROP_BIT(PV_PROP_NO_DATA_RACE);
  if (!asked || !result || !c->prim->fails || is_weak(vm, c)) return;
  bool alone = !(vm->sched->used_set(&vm->sched_state) & ~((uint64_t)1 << c->thread));
  /* All others were joined, which orders their accesses. */
  if (alone && !(vm->observed && vm->renumbers)) return;
  if (vm->sched->synchronises(c, result)) return;
  pv_condition_add(vm->condition, PV_PROVISO_ORDERING, pv_user_file(vm), pv_user_line(vm),
                   PV_UNORDERED " at %s:%u", pv_user_file(vm), pv_user_line(vm));
}

/* Why the object at the address cannot be used, or NULL. */
static const char *no_memory(struct pv_vm *vm, uint64_t address) {
  struct pv_object *o = pv_object_at(vm, address);
  if (!o) return address >> vm->shift ? "where no object is" : "at a null pointer";
  if (pv_object_state(vm, o) & PV_MEM_LIVE) return NULL;
  return o->kind == PV_OBJ_HEAP ? "in freed memory" : "in an object after the end of its life";
}

/* If misuse is not checked, the call is executed and the path continues. But reductions rely on
 * locks being released by their owners, so a proviso is added. */
/* The variable that no file defines in which an object of the call lies, and whose first bytes the
 * program did not write. */
static const struct pv_global *undefined_object(struct pv_vm *vm, const struct pv_prim_call *c) {
  unsigned n = c->prim->class != PV_PRIM_OBJECT ? 0 : c->prim->two_objects ? 2 : 1;
  for (unsigned i = 0; i < n; i++) {
    const struct pv_object *o = pv_object_at(vm, c->args[i]);
    const struct pv_global *g = pv_undefined_global(vm, o);
    if (g && (!g->size || ~pv_unset_get(vm, c->args[i], 4))) return g;
  }
  return NULL;
}

static enum pv_flow misuse(struct pv_vm *vm, const struct pv_prim_call *c, const char *message) {
  const struct pv_global *undefined = undefined_object(vm, c);
  if (undefined) {
    vm->go = PV_GOES; /* it is executed */
    return pv_undefined_leave(vm, undefined);
  }
  char text[sizeof vm->event.message];
  const char *why = c->prim->class == PV_PRIM_OBJECT ? no_memory(vm, c->args[0]) : NULL;
  if (why) {
    snprintf(text, sizeof text, "%s: it is %s", message, why);
    message = text;
  }
  if (!(vm->properties & PV_PROP_BIT(PV_PROP_DEF_BEHAVIOR)))
    pv_condition_add(vm->condition, PV_PROVISO_ENGINE, pv_user_file(vm), pv_user_line(vm),
                     "this does not happen at %s:%u: %s (def-behavior was not asked for)",
                     pv_user_file(vm), pv_user_line(vm), message);
  vm->go = PV_GOES; /* it is executed */
  return pv_remark(vm, PV_PROP_DEF_BEHAVIOR, "%s", message);
}

/* Does the path end with misuse while other threads continue? Then they continue as if the call had
 * not been executed, because its effect on the state is undefined. */
static bool undoes_misuse(const struct pv_vm *vm, const struct pv_prim_call *c) {
  bool ends = vm->options->keep_going && (vm->properties & PV_PROP_BIT(PV_PROP_DEF_BEHAVIOR));
  return ends && c->prim->role != PV_ROLE_CREATES; /* a created thread exists already */
}

static void copy_sched(struct pv_sched_state *to, const struct pv_sched_state *from) {
  if (to->cap < from->n || !to->data) {
    to->cap = from->n + 1;
    to->data = pv_realloc(to->data, to->cap);
  }
  memcpy(to->data, from->data, from->n);
  to->n = from->n;
  to->dirty = true;
}

static bool is_create(const struct pv_prim_call *c) {
  return c->prim->role == PV_ROLE_CREATES;
}

static enum pv_flow refuse_thread(struct pv_vm *vm) {
  pv_condition_add(vm->condition, PV_PROVISO_THREADS, NULL, 0,
                   "no more than %ld threads exist at one time", vm->options->max_threads);
  return pv_leave(vm, PV_CUT);
}

/* Will the thread, which arrives at a primitive that others can observe, park there whatever the
 * alternatives are? Then the scheduler is not asked for them. */
static bool parks_in_any_case(const struct pv_vm *vm, const struct pv_prim_call *c) {
  return !vm->peek && vm->go != PV_GO && !is_create(c) &&
         vm->options->atomic != PV_ATOMIC_STATEMENT;
}

bool pv_vm_is_eager(struct pv_vm *vm, const struct pv_prim_call *call) {
  const struct pv_sched_state *s = pv_sched_seen(vm);
  switch (call->prim->role) {
  case PV_ROLE_JOINS:
    return !call->thread && vm->sched->awaited(s, call) < PV_MAX_THREADS &&
           !vm->sched->writes(call);
  case PV_ROLE_EXITS: return !vm->sched->phase(s, call) && !pv_vm_is_end_met(vm, call->thread);
  default: return false;
  }
}

/* Records the join of another thread, if the call is executed. */
static void note_join(struct pv_vm *vm, const struct pv_prim_call *c) {
  unsigned thread = vm->sched->awaited(pv_sched_seen(vm), c);
  if (thread < PV_MAX_THREADS) vm->joined |= (uint64_t)1 << thread;
}

/* For a recorder: the thread whose end the call, which is about to be executed, waited for. */
static unsigned awaited_by(const struct pv_vm *vm, const struct pv_prim_call *c) {
  bool told = vm->recorder && vm->recorder->called && c->prim->role == PV_ROLE_JOINS;
  return told ? vm->sched->awaited(&vm->sched_state, c) : PV_MAX_THREADS;
}

static void tell_called(struct pv_vm *vm, struct pv_called *called, enum pv_prim_outcome outcome,
                        uint64_t result) {
  if (!vm->recorder || !vm->recorder->called) return;
  called->again = outcome == PV_PRIM_AGAIN;
  called->ordered = called->again || outcome == PV_PRIM_EXITED ||
                    (outcome == PV_PRIM_DONE && vm->sched->synchronises(called->call, result));
  vm->recorder->called(vm->recorder->user, vm->thread, called);
}

static void note_numbers(struct pv_vm *vm, const struct pv_prim_call *c) {
  enum pv_prim_role role = c->prim->role;
  bool by_main = !c->thread && (role == PV_ROLE_CREATES || role == PV_ROLE_JOINS);
  if (vm->renumbers || c->prim->class != PV_PRIM_THREAD || by_main) return;
  vm->renumbers =
      role != PV_ROLE_EXITS || (vm->sched->phase(&vm->sched_state, c) & PV_PHASE_FREES) != 0;
}

/* A cooperative scheduler may have ended other threads than the running one. */
static void end_stopped(struct pv_vm *vm) {
  uint64_t before = vm->alive_set;
  pv_count_alive(vm);
  uint64_t stopped = before & ~vm->alive_set & ~(UINT64_C(1) << vm->thread);
  for (unsigned t = 0; stopped >> t; t++) {
    if (!(stopped >> t & 1)) continue;
    vm->saw_all = true; /* the transition depends on the frames of that thread */
    pv_thread_gone(vm, t);
    if (t == PV_MAX_THREADS - 1) break;
  }
  if (stopped && vm->threads[vm->thread].depth) pv_frame_enter(vm, vm->thread);
}

static enum pv_flow primitive(struct pv_vm *vm, const struct pv_code_edge *ce) {
  const struct pv_edge *e = ce->edge;
  struct pv_prim_call c = {0};
  fill_call(vm, ce, &c);
  bool local = c.prim->class == PV_PRIM_LOCAL, first = vm->go == PV_GO;
  bool seen = !local && pv_watched(vm), eager = seen && vm->eager && pv_vm_is_eager(vm, &c);
  bool unseen = !seen || eager;
  if (!unseen && parks_in_any_case(vm, &c)) {
    pv_run_park(vm, PV_STAND_VISIBLE);
    return PV_FLOW_LEAVE;
  }
  enum pv_alternative_kind kinds[PV_MAX_THREADS + 2];
  unsigned progress, alternatives = count_alternatives(vm, &c, kinds, &progress);
  bool at_once = alternatives == 1 && progress == 1 && unseen;
  if (vm->peek) {
    vm->peek->call = c;
    uint64_t written = c.prim->class == PV_PRIM_THREAD ? vm->sched->writes(&c) : 0;
    if (written) {
      vm->peek->address = written;
      vm->peek->bytes = vm->program->pointer_bits / 8;
      vm->peek->write = true;
    }
    pv_park(vm, pv_peeked_kind(vm, !at_once, PV_PEND_PRIM), alternatives);
    vm->peek->progress = progress;
    return PV_FLOW_LEAVE;
  }
  if (vm->atomic && alternatives != 1) {
    if (!alternatives) {
      pv_condition_add(vm->condition, PV_PROVISO_ATOMIC_BLOCKED, pv_user_file(vm), pv_user_line(vm),
                       "the atomic section does not have to wait at %s:%u", pv_user_file(vm),
                       pv_user_line(vm));
      return pv_leave(vm, PV_CUT);
    }
  }
  if (progress != 1) pv_statement_end(vm); /* a program cannot rely on a spurious wake-up */
  if (!at_once && pv_park(vm, PV_PEND_PRIM, alternatives)) return PV_FLOW_LEAVE;
  if (is_create(&c) && vm->alive >= (unsigned)vm->options->max_threads)
    return refuse_thread(vm); /* only after other threads had the chance to end */
  if (eager) pv_fresh_eager(vm, ce);
  bool noticed = c.prim->class == PV_PRIM_THREAD && c.prim->role != PV_ROLE_EXITS &&
                 c.prim->role != PV_ROLE_JOINS;
  if (vm->beside && noticed) pv_note_beside(vm);
  uint64_t result = 0;
  const char *message = NULL;
  unsigned alternative = real_alternative(vm, &c, at_once ? 0 : vm->alternative);
  note_numbers(vm, &c);
  if (c.prim->role == PV_ROLE_JOINS) note_join(vm, &c);
  struct pv_called called = {.call = &c, .awaited = awaited_by(vm, &c)};
  struct pv_sched_state before = {0};
  if (undoes_misuse(vm, &c)) copy_sched(&before, pv_sched_seen(vm));
  enum pv_prim_outcome outcome = PV_PRIM_DONE;
  if (is_weak(vm, &c) && alternative + 1 == alternatives)
    result = c.prim->fails;
  else
    outcome = vm->sched->exec(pv_sched_seen(vm), &vm->env, &c, alternative, &result, &message);
  if (before.data && outcome == PV_PRIM_MISUSE) copy_sched(&vm->sched_state, &before);
  free(before.data);
  if (first) vm->idle = !vm->sched_state.dirty;
  pv_sched_changed(vm);
  if (!vm->sched->preemptive) end_stopped(vm), pv_look_beside(vm);
  if (c.prim->class == PV_PRIM_THREAD && c.prim->role != PV_ROLE_JOINS) pv_count_alive(vm);
  tell_called(vm, &called, outcome, result);
  enum pv_flow flow = PV_FLOW_NEXT;
  switch (outcome) {
  case PV_PRIM_DONE: note_unordered(vm, &c, result); break;
  case PV_PRIM_AGAIN:
    if (vm->follow && !vm->sched->preemptive) pv_follow_waits(vm);
    if (vm->restarts || !pv_vm_is_alive(vm, vm->thread)) return pv_leave(vm, pv_stop_self(vm));
    pv_run_park(vm, PV_STAND_VISIBLE);
    return PV_FLOW_LEAVE;
  case PV_PRIM_MISUSE: flow = misuse(vm, &c, message); break;
  case PV_PRIM_EXITED:
    pv_publish(vm, c.args[0]); /* the result: the joining thread can reach it */
    return pv_leave(vm, pv_stop_self(vm));
  case PV_PRIM_LIMIT:
    pv_condition_add(vm->condition, PV_PROVISO_THREADS, pv_user_file(vm), pv_user_line(vm), "%s",
                     message);
    return pv_leave(vm, PV_CUT);
  }
  if (flow != PV_FLOW_NEXT) return flow;
  pv_frame_enter(vm, vm->thread); /* the creation of a thread may have moved frames */
  pv_set_var(vm, ce, ce->d, e->dst,
             ce->d >= 0
                 ? result & pv_mask(pv_type_bits(
                                vm->program->functions.at[ce->function].vars.at[e->dst].type))
                 : 0);
  return PV_FLOW_NEXT;
}

static enum pv_flow atomic_section(struct pv_vm *vm, bool begins) {
  struct pv_machine *m = (struct pv_machine *)(void *)vm->comps.at[1].data;
  if (begins) {
    bool visible = pv_seen(vm) && !vm->atomic && !vm->silent;
    if ((visible || vm->peek) && pv_park(vm, pv_peeked_kind(vm, visible, PV_PEND_ATOMIC), 1))
      return PV_FLOW_LEAVE;
    m->exclusive = vm->thread + 1;
    m->nesting++;
  } else if (m->nesting && m->exclusive == vm->thread + 1) {
    if (!--m->nesting) m->exclusive = 0;
  }
  vm->atomic = m->exclusive == vm->thread + 1;
  pv_comp_touch(vm, 1);
  return PV_FLOW_NEXT;
}

/* ---- checks and ends ------------------------------------------------------------------------- */
static const struct {
  enum pv_property property;
  const char *text;
} check_table[PV_CHECK_COUNT] = {
    [PV_CHECK_SHIFT_EXPONENT] = {PV_PROP_DEF_BEHAVIOR, "shift by a negative or too large amount"},
    [PV_CHECK_SHIFT_BASE] = {PV_PROP_NO_OVERFLOW,
                             "signed overflow: bits are shifted out of a signed value"},
    [PV_CHECK_SHIFT_AMOUNT] = {PV_PROP_NO_OVERFLOW,
                               "signed overflow: left shift by a negative or too large amount"},
    [PV_CHECK_OVERFLOW] = {PV_PROP_NO_OVERFLOW, "signed overflow"},
    [PV_CHECK_ARRAY_BOUNDS] = {PV_PROP_DEF_BEHAVIOR, "index outside the bounds of the array"},
    [PV_CHECK_FLOAT_CAST] = {PV_PROP_DEF_BEHAVIOR,
                             "conversion of a floating-point value that does not fit"},
    [PV_CHECK_VLA_BOUND] = {PV_PROP_DEF_BEHAVIOR,
                            "array of variable length with a length that is not positive"},
    [PV_CHECK_UNREACHABLE] = {PV_PROP_DEF_BEHAVIOR, "__builtin_unreachable is reached"},
    [PV_CHECK_ARGUMENT] = {PV_PROP_DEF_BEHAVIOR, "argument not allowed"},
};

static enum pv_flow leak(struct pv_vm *vm, enum pv_property property, bool lost,
                         const struct pv_object *o) {
  struct pv_str name = {0};
  if (!pv_vm_counts(vm)) return PV_FLOW_NEXT;
  pv_vm_name_address(vm, o->base, &name);
  pv_remark(vm, property, "memory is %s: %s", lost ? "lost" : "never freed", pv_str_cstr(&name));
  pv_str_free(&name);
  return pv_pass(vm);
}

static enum pv_flow program_ends(struct pv_vm *vm) {
  static const struct {
    enum pv_property property;
    bool lost;
  } leaks[] = {{PV_PROP_VALID_MEMTRACK, true}, {PV_PROP_VALID_MEMCLEANUP, false}};
  for (int i = 0; i < 2; i++) {
    const struct pv_object *o = NULL;
    bool asked = vm->properties & PV_PROP_BIT(leaks[i].property);
    uint32_t from = 0;
    while (asked && (o = pv_heap_leak(vm, leaks[i].lost, from))) {
      from = (uint32_t)(o - vm->objects.at) + 1;
      if (leak(vm, leaks[i].property, leaks[i].lost, o) != PV_FLOW_NEXT) return PV_FLOW_LEAVE;
    }
  }
  return pv_leave(vm, PV_ENDED);
}

static const char *why_not_modelled(const char *name) {
  /* Mangled names in namespace std. */
  static const char *const library[] = {"_ZNSt", "_ZNKSt", "_ZSt"};
  for (size_t i = 0; name && i < sizeof library / sizeof *library; i++)
    if (strncmp(name, library[i], strlen(library[i])) == 0)
      return "a compiled part of the C++ standard library";
  return "which is not modelled";
}

/* What a thread does beside a cooperative scheduler is executed at once: before all others. */
void pv_note_beside(struct pv_vm *vm) {
  pv_condition_add(vm->condition, PV_PROVISO_ENGINE, pv_user_file(vm), pv_user_line(vm),
                   "a thread beside the scheduler comes to %s:%u before the others run",
                   pv_user_file(vm), pv_user_line(vm));
}

void pv_note_provided(struct pv_vm *vm, const char *sentence) {
  pv_condition_add(vm->condition, PV_PROVISO_ENGINE, pv_user_file(vm), pv_user_line(vm), "%s",
                   sentence);
}

static enum pv_flow stop(struct pv_vm *vm, const struct pv_edge *e) {
  /* The end of the path ends all threads. Others may do something before it. */
  bool seen = pv_seen(vm) && !vm->atomic && !vm->silent;
  if ((vm->peek || seen) && pv_park(vm, pv_peeked_kind(vm, seen, PV_PEND_END), 1))
    return PV_FLOW_LEAVE;
  switch ((enum pv_stop)e->aux) {
  case PV_STOP_EXIT:
    if (vm->beside) pv_note_beside(vm);
    return program_ends(vm);
  case PV_STOP_ABORT:
  case PV_STOP_ASSUME: return pv_leave(vm, PV_PRUNED);
  case PV_STOP_UNSUPPORTED:
    pv_condition_add(vm->condition, PV_PROVISO_UNMODELLED, pv_user_file(vm), pv_user_line(vm),
                     "`%s`, %s, is not reached at %s:%u", e->text ? e->text : "?",
                     why_not_modelled(e->text), pv_user_file(vm), pv_user_line(vm));
    return pv_leave(vm, PV_CUT);
  case PV_STOP_BOUND:
  case PV_STOP_TRIED:
    pv_condition_add(vm->condition, e->aux == PV_STOP_BOUND ? PV_PROVISO_BOUND : PV_PROVISO_INPUT,
                     NULL, 0, "%s", e->text);
    return pv_leave(vm, PV_CUT);
  case PV_STOP_OBSERVER:
    pv_condition_add(vm->condition, PV_PROVISO_OBSERVER, pv_user_file(vm), pv_user_line(vm), "%s",
                     e->text);
    return pv_leave(vm, PV_CUT);
  case PV_STOP_UNREACHABLE:
    return pv_fault(vm, PV_PROP_DEF_BEHAVIOR,
                    "code is reached that the compiler may take to be unreachable");
  }
  return pv_leave(vm, PV_PRUNED);
}

static void print_number(struct pv_vm *vm, struct pv_object *o, uint64_t offset,
                         const char *format) {
  enum { LONGEST = 2048 }; /* specialise_formats.c bounds width and precision */
  char text[LONGEST];
  double value;
  long long integer;
  pv_memory_read(vm, o, offset, (char *)&value, sizeof value, NULL);
  memcpy(&integer, &value, sizeof integer);
  bool whole = format[1] == 'l'; /* %lld and the like */
  int n = whole ? snprintf(text, sizeof text, format, integer)
                : snprintf(text, sizeof text, format, value);
  if (n > 0 && n < LONGEST) vm->recorder->printed(vm->recorder->user, vm->thread, text, (size_t)n);
}

static void print(struct pv_vm *vm, const struct pv_code_edge *ce) {
  uint64_t address = pv_operand(vm, ce, 0), n = pv_operand(vm, ce, 1);
  struct pv_object *o = pv_object_at(vm, address);
  if (!vm->recorder || !vm->recorder->printed || !o) return;
  if (ce->edge->text) {
    print_number(vm, o, address - o->base, ce->edge->text);
    return;
  }
  for (uint64_t i = 0; i < n && address - o->base + i < o->size; i++) {
    char c;
    pv_memory_read(vm, o, address - o->base + i, &c, 1, NULL);
    vm->recorder->printed(vm->recorder->user, vm->thread, &c, 1);
  }
}

/* An output reads its bytes in one step that others cannot observe. If another thread could end the
 * object or race with the read, a proviso is added. */
static void note_unseen_read(struct pv_vm *vm, uint64_t address) {
  struct pv_object *o = pv_object_at(vm, address);
  if (!o || o->kind == PV_OBJ_CONST || !pv_watched(vm) || !pv_object_met(vm, o)) return;
  bool races = vm->properties & PV_PROP_BIT(PV_PROP_NO_DATA_RACE);
  if (o->kind == PV_OBJ_GLOBAL && !races) return;
  pv_condition_add(vm->condition, PV_PROVISO_ENGINE, pv_user_file(vm), pv_user_line(vm),
                   "no other thread changes or ends what is written out at %s:%u meanwhile",
                   pv_user_file(vm), pv_user_line(vm));
}

static enum pv_flow print_checked(struct pv_vm *vm, const struct pv_code_edge *ce) {
  uint64_t address = pv_operand(vm, ce, 0), n = pv_operand(vm, ce, 1);
  enum pv_property property;
  const char *why = n ? pv_access_fault(vm, address, n, false, &property) : NULL;
  if (why) return pv_block_fault(vm, "output", address, n, why);
  if (n) note_unseen_read(vm, address);
  print(vm, ce);
  return PV_FLOW_NEXT;
}

enum pv_flow pv_run_edge(struct pv_vm *vm, const struct pv_code_edge *ce) {
  const struct pv_edge *e = ce->edge;
  switch ((enum pv_op)e->op) {
  case PV_OP_HAVOC:
  case PV_OP_INDET: return input(vm, ce);
  case PV_OP_COPY: return pv_run_copy(vm, ce);
  case PV_OP_FILL: return pv_run_fill(vm, ce);
  case PV_OP_ALLOC: return pv_run_alloc(vm, ce);
  case PV_OP_FREE: return pv_run_free(vm, ce);
  case PV_OP_LIVE: return pv_run_slot(vm, ce, true);
  case PV_OP_DEAD: return pv_run_slot(vm, ce, false);
  case PV_OP_CALL: return pv_run_call(vm, ce);
  case PV_OP_RETURN: return pv_run_return(vm, ce);
  case PV_OP_RMW:
  case PV_OP_CMPXCHG: return read_modify_write(vm, ce);
  case PV_OP_PRIM: return primitive(vm, ce);
  case PV_OP_ATOMIC_BEGIN: return atomic_section(vm, true);
  case PV_OP_ATOMIC_END: return atomic_section(vm, false);
  case PV_OP_CHECK:
    if (pv_operand(vm, ce, 0)) return PV_FLOW_NEXT;
    return pv_remark(vm, check_table[e->aux].property, "%s",
                     e->text ? e->text : check_table[e->aux].text);
  case PV_OP_ERROR:
    return pv_remark(vm, e->aux == PV_ERROR_OBSERVER ? PV_PROP_OBSERVER : PV_PROP_UNREACH_CALL,
                     "%s",
                     e->text                    ? e->text
                     : e->aux == PV_ERROR_LABEL ? "label ERROR is reached"
                     : e->aux == PV_ERROR_CALL  ? "reach_error is called"
                                                : "an assertion fails");
  case PV_OP_SETJMP: return pv_run_setjmp(vm, ce);
  case PV_OP_LONGJMP: return pv_run_longjmp(vm, ce);
  case PV_OP_STOP: return stop(vm, e);
  case PV_OP_PRINT: return print_checked(vm, ce);
  case PV_OP_QUERY: return pv_run_query(vm, ce);
  case PV_OP_FENCE:
    if (vm->notes_fences && !vm->ahead)
      pv_vec_push(&vm->fences, ((struct pv_fence){vm->thread, e->order}));
    return PV_FLOW_NEXT;
  case PV_OP_SKIP:
  case PV_OP_ASSUME:
  case PV_OP_ASSIGN:
  case PV_OP_LOAD:
  case PV_OP_STORE:
  case PV_OP_COUNT: break;
  }
  PV_REQUIRE(false, "not an operation of an edge");
  return PV_FLOW_NEXT;
}
