/* run.c -- the interpreter's loop: one function over the table of instructions. Operations of more
 * than a few lines are in edge.c, lifetime.c and rare.c. */
#include "vm/edge_internal.h"

#include <stdio.h>

/* ---- events ---------------------------------------------------------------------------------- */
static void fill_event(struct pv_vm *vm, enum pv_property property, const char *fmt, va_list ap) {
  const struct pv_code_edge *ce = pv_shown_edge_of(vm, vm->thread);
  vm->event.property = property;
  vm->event.thread = vm->thread;
  vm->event.span = ce->edge ? ce->edge->span : 0;
  vm->event.function = &vm->program->functions.at[ce->function];
  vsnprintf(vm->event.message, sizeof vm->event.message, fmt, ap);
}

static struct pv_object *thread_local_of(struct pv_vm *vm, const struct pv_object_key *key);

static uint32_t word_at(struct pv_vm *vm, struct pv_object *o) {
  uint32_t value = 0;
  if (o) pv_memory_read(vm, o, 0, &value, sizeof value, NULL);
  return value;
}

/* Is the thread the one that the goal means? */
static bool is_meant(struct pv_vm *vm, uint32_t place, uint32_t thread) {
  const struct pv_goal *g = &vm->program->goal;
  const struct pv_global *own = &vm->program->globals.at[g->own];
  struct pv_object_key key = {
      .kind = PV_OBJ_TLS, .site = g->own, .thread = thread, .align = own->align, .size = own->size};
  if (!g->at[place].thread) return true;
  return thread < PV_MAX_THREADS && word_at(vm, thread_local_of(vm, &key)) == g->at[place].thread;
}

static bool is_at(struct pv_vm *vm, uint32_t place, uint32_t span, uint32_t thread) {
  const struct pv_goal *g = &vm->program->goal;
  uint32_t line = pv_span_of(vm->program, span)->line;
  return line >= g->at[place].from && line <= g->at[place].to && g->at[place].file &&
         !strcmp(pv_span_file(vm->program, span), g->at[place].file) && is_meant(vm, place, thread);
}

static bool has_value(struct pv_vm *vm) {
  const struct pv_goal *g = &vm->program->goal;
  struct pv_object *o = pv_object_at(vm, vm->global_address[g->global]);
  uint32_t value = 0;
  if (!o) return false;
  pv_memory_read(vm, o, vm->global_address[g->global] - o->base, &value, sizeof value, NULL);
  return value == g->value;
}

/* A deadlock in which no thread waits for an object has no place of its own; it is shown at the
 * last step, where who validates looks. */
static bool is_anywhere(struct pv_vm *vm) {
  bool meant = false;
  for (unsigned t = 0, n = pv_vm_threads(vm); t < n && !meant; t++) meant = is_meant(vm, 0, t);
  return meant && vm->program->goal.n == 1 && has_value(vm);
}

bool pv_vm_at_goal(struct pv_vm *vm, const struct pv_event *e) {
  const struct pv_goal *g = &vm->program->goal;
  bool here = false;
  if (g->set && e->thread == UINT32_MAX) return is_anywhere(vm);
  for (uint32_t i = 0; i < g->n; i++)
    here |= is_at(vm, i, e->span, e->thread) &&
            (g->n == 1 || is_at(vm, 1 - i, e->other_span, e->other));
  return !g->set || (here && has_value(vm));
}

bool pv_vm_counts(struct pv_vm *vm) {
  const struct pv_goal *g = &vm->program->goal;
  if (!g->set) return true;
  const struct pv_code_edge *ce = pv_shown_edge_of(vm, vm->thread);
  struct pv_event e = {.thread = vm->thread, .span = ce->edge ? ce->edge->span : 0};
  /* Who validates looks at the place where it is shown (explore/replay.c, take_event). */
  bool elsewhere =
      vm->program->functions.at[ce->function].is_library || !pv_span_of(vm->program, e.span)->line;
  if (!elsewhere || g->n != 1) return pv_vm_at_goal(vm, &e);
  return is_meant(vm, 0, vm->thread) && has_value(vm);
}

enum pv_flow pv_fault(struct pv_vm *vm, enum pv_property property, const char *fmt, ...) {
  bool asked = vm->properties & PV_PROP_BIT(property);
  va_list ap;
  /* possibly of an object that could not be allocated: its address is 0 */
  if (vm->full && property == PV_PROP_VALID_DEREF) return pv_leave(vm, PV_CUT);
  const struct pv_global *undefined = property == PV_PROP_VALID_DEREF ? vm->sizeless : NULL;
  vm->sizeless = NULL;
  if (undefined) return pv_undefined_leave(vm, undefined);
  if ((!asked || vm->options->keep_going) && pv_stands_at_end(vm)) return PV_FLOW_LEAVE;
  if (!pv_vm_counts(vm)) return pv_leave(vm, PV_PRUNED);
  va_start(ap, fmt);
  fill_event(vm, property, fmt, ap);
  va_end(ap);
  if (asked) return pv_leave(vm, PV_VIOLATED);
  const struct pv_span *s = pv_span_of(vm->program, vm->event.span);
  pv_condition_add(vm->condition, PV_PROVISO_ENGINE, pv_span_file(vm->program, vm->event.span),
                   s->line, "this does not happen at %s:%u: %s (%s was not asked for)",
                   pv_span_file(vm->program, vm->event.span), s->line, vm->event.message,
                   pv_property_table[property].name);
  return pv_leave(vm, PV_CUT);
}

enum pv_flow pv_remark(struct pv_vm *vm, enum pv_property property, const char *fmt, ...) {
  if (!(vm->properties & PV_PROP_BIT(property)) || !pv_vm_counts(vm)) return PV_FLOW_NEXT;
  if (vm->options->keep_going && pv_stands_at_end(vm)) return PV_FLOW_LEAVE;
  va_list ap;
  va_start(ap, fmt);
  fill_event(vm, property, fmt, ap);
  va_end(ap);
  return pv_leave(vm, PV_VIOLATED);
}

enum pv_flow pv_pass(struct pv_vm *vm) {
  struct pv_error_key key = pv_event_key(&vm->event);
  bool race = vm->event.property == PV_PROP_NO_DATA_RACE;
  if (race && !pv_vm_at_goal(vm, &vm->event)) return PV_FLOW_NEXT;
  bool wanted = vm->stop_at && pv_error_is(vm->stop_at, &key);
  if (wanted || !vm->options->keep_going) return pv_leave(vm, PV_VIOLATED);
  pv_vec_push(&vm->passed, vm->event);
  return PV_FLOW_NEXT;
}

/* ---- parking --------------------------------------------------------------------------------- */
void pv_run_stand(struct pv_vm *vm, enum pv_stand as) {
  const struct pv_code_edge *ce = &vm->code->edges.at[vm->code->where.at[vm->frame->pc]];
  const uint32_t *kill = vm->code->kills.at + ce->kill;
  for (uint32_t i = 0; i < ce->n_kill; i++) {
    vm->regs[kill[i]] = 0;
    if (vm->tainted) pv_taint_put(vm, (int32_t)kill[i], 0);
  }
  vm->frame->pc = ce->pc;
  vm->frame->local = (uint16_t)as;
}

void pv_run_park(struct pv_vm *vm, enum pv_stand as) {
  vm->outcome = PV_RAN;
  if (vm->defer_park) {
    vm->deferred = as;
    return;
  }
  pv_run_stand(vm, as);
  if (vm->recorder && vm->recorder->parked) vm->recorder->parked(vm->recorder->user, vm->thread);
}

bool pv_stands_at_end(struct pv_vm *vm) {
  if (vm->peek || vm->ending || vm->go == PV_GOES) return false;
  if (!pv_seen(vm) || vm->silent || vm->atomic) return false;
  if (pv_statement_goes_on(vm, PV_PEND_LOCAL)) return false;
  pv_run_park(vm, PV_STAND_END);
  return true;
}

bool pv_park(struct pv_vm *vm, enum pv_pend_kind kind, unsigned alternatives) {
  if (vm->peek) {
    const struct pv_code_edge *ce = &vm->code->edges.at[vm->code->where.at[vm->frame->pc]];
    vm->peek->kind = kind;
    vm->peek->alternatives = vm->peek->progress = alternatives;
    vm->peek->edge = ce->edge;
    vm->peek->function = &vm->program->functions.at[ce->function];
    return true;
  }
  if (vm->go == PV_GO) {
    vm->go = PV_GOES;
    pv_statement_begin(vm);
    return false;
  }
  if (alternatives == 1 && pv_statement_goes_on(vm, kind)) return false;
  pv_run_park(vm, PV_STAND_VISIBLE);
  return true;
}

bool pv_is_seen(struct pv_vm *vm, uint64_t address) {
  if (!pv_seen(vm) || vm->silent || vm->whole || vm->atomic) return false;
  bool hides = pv_hides(vm);
  if (hides && vm->hid >> vm->thread & 1) return false;
  const struct pv_object *o = pv_object_at(vm, address);
  bool met = o && o->kind != PV_OBJ_CONST && pv_object_met(vm, o);
  if (hides && met && !vm->peek) pv_note_hid(vm);
  if (vm->beside && met && !vm->peek)
    pv_condition_add(vm->condition, PV_PROVISO_ENGINE, pv_user_file(vm), pv_user_line(vm),
                     "no other thread uses what is accessed at %s:%u, after the scheduler was "
                     "started",
                     pv_user_file(vm), pv_user_line(vm));
  if (vm->beside && !(vm->properties & PV_PROP_WATCHING)) return false;
  return met && !hides;
}

bool pv_visible_access(struct pv_vm *vm, uint64_t address, uint32_t bytes, bool write,
                       bool atomic) {
  bool seen = (!vm->peek || vm->probe) && pv_is_seen(vm, address);
  if (!vm->peek && !seen) return false;
  if (vm->peek) {
    vm->peek->address = address;
    vm->peek->bytes = bytes;
    vm->peek->write = write;
    vm->peek->atomic = atomic;
  }
  return pv_park(vm, pv_peeked_kind(vm, seen, PV_PEND_ACCESS), 1);
}

/* ---- memory access --------------------------------------------------------------------------- */
static enum pv_flow access_fault(struct pv_vm *vm, uint64_t address, unsigned bytes, bool write) {
  enum pv_property property;
  const char *why = pv_access_fault(vm, address, bytes, write, &property);
  struct pv_str name = {0};
  bool named = pv_vm_name_place(vm, address, &name);
  enum pv_flow flow =
      pv_fault(vm, property, "%s of %u byte%s %s%s%s%s", write ? "write" : "read", bytes,
               bytes == 1 ? "" : "s", why, named ? " (" : "", pv_str_cstr(&name), named ? ")" : "");
  pv_str_free(&name);
  return flow;
}

/* Does the private object belong to another thread, which may have ended meanwhile? Then a pointer
 * to it was passed undetected, and no thread was parked before accesses to it. */
static bool is_foreign(struct pv_vm *vm, const struct pv_object *o) {
  return pv_is_observed(vm) && o->kind >= PV_OBJ_TLS && o->kind <= PV_OBJ_HEAP &&
         o->thread != vm->thread && !vm->silent && !pv_object_shared(vm, o);
}

enum pv_flow pv_foreign(struct pv_vm *vm, const struct pv_object *o) {
  if (!is_foreign(vm, o)) return PV_FLOW_NEXT;
  if (pv_stands_at_end(vm)) return PV_FLOW_LEAVE;
  pv_condition_add(
      vm->condition, PV_PROVISO_ENGINE, NULL, 0,
      "no thread reaches another's memory through a pointer that is built from pieces");
  return pv_leave(vm, PV_CUT);
}

enum { TOLD = 1, INSIDE = 2, OUTSIDE = 4 }; /* vm->noted */

/* Is the edge in a header or in a model? There the same line has many uses. */
static bool is_inside(struct pv_vm *vm, const struct pv_code_edge *ce) {
  uint8_t *known = &vm->noted[ce - vm->code->edges.at];
  if (!(*known & (INSIDE | OUTSIDE))) {
    const char *file = pv_span_file(vm->program, ce->edge->span);
    const char *name = strrchr(file, '/'), *end = strrchr(name ? name : file, '.');
    bool header = !end || !strncmp(end, ".h", 2) || !strcmp(end, ".inl") || !strcmp(end, ".inc");
    *known |= header || vm->program->functions.at[ce->function].is_model ? INSIDE : OUTSIDE;
  }
  return *known & INSIDE;
}

/* The current edge; for one in a header, the call that led there. */
static const struct pv_code_edge *use_of(struct pv_vm *vm, const struct pv_code_edge *at) {
  const struct pv_code_edge *use = at;
  for (uint32_t depth = vm->threads[vm->thread].depth; is_inside(vm, use) && depth > 1;)
    use = pv_edge_at(vm, vm->thread, --depth);
  return is_inside(vm, use) ? at : use;
}

/* Adds a proviso: memory orders weaker than sequential consistency allow more executions than are
 * explored. */
static void note_order(struct pv_vm *vm) {
  const struct pv_code_edge *ce = &vm->code->edges.at[vm->code->where.at[vm->frame->pc]];
  const struct pv_edge *e = ce->edge;
  if (vm->options->robustness) return;
  bool weak = e->order != PV_ORDER_NONE && e->order != PV_ORDER_SEQ_CST;
  if (e->op == PV_OP_CMPXCHG) weak |= e->order2 != PV_ORDER_SEQ_CST;
  if (vm->ahead || !weak) return;
  ce = use_of(vm, ce);
  if (vm->noted[ce - vm->code->edges.at] & TOLD) return;
  vm->noted[ce - vm->code->edges.at] |= TOLD;
  e = ce->edge;
  const char *file = pv_span_file(vm->program, e->span);
  uint32_t line = pv_span_of(vm->program, e->span)->line;
  pv_condition_add(vm->condition, PV_PROVISO_ORDERING, file, line,
                   "the atomic operation at %s:%u behaves as if it were sequentially consistent",
                   file, line);
}

enum pv_flow pv_shared_access(struct pv_vm *vm, struct pv_object *o, uint64_t address,
                              unsigned bytes, bool write, bool atomic) {
  enum pv_flow flow = pv_foreign(vm, o);
  if (flow != PV_FLOW_NEXT) return flow;
  if (vm->alive < 2 || vm->silent || !vm->sched->preemptive) return PV_FLOW_NEXT;
  if (atomic) note_order(vm);
  bool parked_at = !vm->atomic && !vm->merged;
  if (parked_at || !(vm->properties & PV_PROP_BIT(PV_PROP_NO_DATA_RACE))) return PV_FLOW_NEXT;
  if (!pv_object_shared(vm, o)) return PV_FLOW_NEXT;
  return pv_section_race(vm, address, bytes, write, vm->atomic || atomic);
}

/* Bytes that bit-fields have partly initialised: are bits that the reader needs uninitialised? A
 * reader without a mask may read padding. */
static uint32_t partly_set(struct pv_vm *vm, const struct pv_edge *reader,
                           const struct pv_object *o, uint64_t address, uint32_t unset,
                           uint32_t *may, uint32_t *proviso) {
  const struct pv_expr_node *mask =
      reader->op == PV_OP_LOAD && reader->e[1] ? pv_node(vm->program, reader->e[1]) : NULL;
  for (uint32_t i = 0; i < 16; i++) {
    uint32_t byte = UINT32_C(1) << i;
    if (!(unset & byte)) continue;
    uint8_t set = (uint8_t)pv_memory_set_bits(vm, o, address - o->base + i, 1);
    uint8_t matter = mask ? (uint8_t)((i < 8 ? mask->lo : mask->hi) >> 8 * (i % 8)) : 0xff;
    if (!(matter & ~set))
      unset &= ~byte;
    else if (set && !mask && !(*may & byte))
      *may |= byte, *proviso |= byte;
  }
  return unset;
}

/* Handles a read of a value with these uninitialised bytes. The edge names those that may be
 * uninitialised (padding, neighbouring bit-fields). */
static enum pv_flow unset_bytes(struct pv_vm *vm, const struct pv_edge *reader,
                                const struct pv_object *o, uint64_t address, uint32_t unset,
                                bool *carried) {
  uint32_t may = reader->unset & 0xffff, told = reader->unset >> 16;
  bool plain = reader->op == PV_OP_LOAD && reader->order == PV_ORDER_NONE;
  if (plain && pv_taint_follows(vm)) {
    if (reader->flags & PV_EF_MOVES) may &= ~told;
    *carried = unset & ~may;
    unset &= may;
  }
  unset = partly_set(vm, reader, o, address, unset, &may, &told);
  if (!unset) return PV_FLOW_NEXT;
  const char *file = pv_span_file(vm->program, reader->span);
  uint32_t line = pv_span_of(vm->program, reader->span)->line;
  if (unset & ~may) {
    if (vm->properties & PV_PROP_BIT(PV_PROP_DEF_BEHAVIOR)) {
      struct pv_str name = {0};
      pv_vm_name_place(vm, address, &name);
      pv_fault(vm, PV_PROP_DEF_BEHAVIOR, "read of an indeterminate value%s%s%s", name.n ? " (" : "",
               pv_str_cstr(&name), name.n ? ")" : "");
      pv_str_free(&name);
      return PV_FLOW_LEAVE;
    }
    pv_condition_add(vm->condition, PV_PROVISO_INDETERMINATE, file, line,
                     "the indeterminate value read at %s:%u is zero", file, line);
  } else if (unset & told) {
    file = pv_user_file(vm), line = pv_user_line(vm);
    pv_condition_add(
        vm->condition, PV_PROVISO_INDETERMINATE, file, line,
        "the unset members of the structure that is passed, changed or compared at %s:%u are zero",
        file, line);
  }
  return PV_FLOW_NEXT;
}

/* Marks the uninitialised bits that the load's result needs in its register. */
static void carry(struct pv_vm *vm, const struct pv_object *o, uint64_t address) {
  const struct pv_code_edge *ce = &vm->code->edges.at[vm->code->where.at[vm->frame->pc]];
  const struct pv_edge *e = ce->edge;
  const struct pv_expr_node *mask = e->e[1] ? pv_node(vm->program, e->e[1]) : NULL;
  unsigned bytes = pv_type_bytes(e->type), bits = pv_type_bits(e->type);
  uint32_t may = e->flags & PV_EF_MOVES ? e->unset & ~(e->unset >> 16) : e->unset;
  if (ce->d < 0) return;
  for (unsigned i = 0; i < bytes; i += 8) {
    uint64_t set = pv_memory_set_bits(vm, o, address - o->base + i, bytes - i < 8 ? bytes - i : 8);
    for (unsigned k = i; k < bytes && k < i + 8; k++)
      if (may >> k & 1) set |= UINT64_C(0xff) << 8 * (k - i);
    uint64_t matter = !mask ? UINT64_MAX : i ? mask->hi : mask->lo;
    pv_taint_put(vm, ce->d + (int32_t)(i / 8), ~set & matter & pv_mask(bits - 8 * i));
  }
}

enum pv_flow pv_run_load(struct pv_vm *vm, const struct pv_edge *e, uint64_t address,
                         uint64_t *to) {
  unsigned bytes = pv_type_bytes(e->type), bits = pv_type_bits(e->type);
  bool atomic = e->order != PV_ORDER_NONE;
  enum pv_property property;
  if (vm->peek && pv_first_read_parks(vm, e, address)) return PV_FLOW_LEAVE;
  if (vm->peek || pv_seen(vm))
    if (pv_visible_access(vm, address, bytes, false, atomic)) return PV_FLOW_LEAVE;
  if (pv_access_fault(vm, address, bytes, false, &property))
    return access_fault(vm, address, bytes, false);
  struct pv_object *o = pv_object_at(vm, address);
  enum pv_flow flow = pv_shared_access(vm, o, address, bytes, false, atomic);
  if (flow != PV_FLOW_NEXT) return flow;
  uint64_t value[2] = {0, 0};
  uint32_t init;
  pv_memory_read(vm, o, address - o->base, value, bytes, &init);
  uint32_t unset = ~init & (((uint32_t)1 << bytes) - 1);
  if (unset && !pv_edge_is_idle(vm->program, e)) {
    bool carried = false, masked = e->op == PV_OP_LOAD && e->e[1];
    uint64_t matter = masked ? pv_node(vm->program, e->e[1])->lo : UINT64_MAX;
    flow = pv_undefined_read(vm, o, address, bytes, matter);
    if (flow != PV_FLOW_NEXT) return flow;
    bool chosen = false;
    flow = pv_first_read(vm, e, address, value, &chosen);
    if (flow == PV_FLOW_NEXT && !chosen) flow = unset_bytes(vm, e, o, address, unset, &carried);
    if (flow != PV_FLOW_NEXT) return flow;
    if (carried && !vm->peek) carry(vm, o, address);
  }
  to[0] = value[0] & pv_mask(bits);
  if (bits > 64) to[1] = value[1] & pv_mask(bits - 64);
  if (vm->script && e->op == PV_OP_LOAD && !vm->peek) pv_script_loads(vm);
  return PV_FLOW_NEXT;
}

/* A pointer that is stored where others can read it makes its object reachable. The whole word
 * around the stored bytes is read, so that a pointer copied byte by byte is noticed, too. */
static void published(struct pv_vm *vm, struct pv_object *o, uint64_t offset, unsigned bytes) {
  unsigned word = vm->program->pointer_bits / 8;
  for (uint64_t at = offset & ~(uint64_t)(word - 1); at < offset + bytes; at += word) {
    uint64_t v = 0;
    if (at + word > o->size) break;
    pv_memory_read(vm, o, at, &v, word, NULL);
    if (v) pv_publish(vm, v);
  }
}

/* Updates which bits are initialised after a store; other bits stay as they were. */
static void what_is_set(struct pv_vm *vm, const struct pv_edge *e, const struct pv_object *o,
                        uint64_t address, uint64_t *set) {
  bool part = e->op == PV_OP_STORE && e->e[2];
  if (!part && !pv_edge_is_idle(vm->program, e)) return;
  unsigned bytes = pv_type_bytes(e->type);
  for (unsigned i = 0; i < bytes; i += 8) {
    const struct pv_expr_node *mask = part ? pv_node(vm->program, e->e[2]) : NULL;
    set[i / 8] = pv_memory_set_bits(vm, o, address - o->base + i, bytes - i < 8 ? bytes - i : 8) |
                 (!mask ? 0
                  : i   ? mask->hi
                        : mask->lo);
  }
}

enum pv_flow pv_run_store(struct pv_vm *vm, const struct pv_edge *e, uint64_t address,
                          const uint64_t *from) {
  unsigned bytes = pv_type_bytes(e->type);
  bool atomic = e->order != PV_ORDER_NONE;
  enum pv_property property;
  if (vm->peek || pv_seen(vm))
    if (pv_visible_access(vm, address, bytes, true, atomic)) return PV_FLOW_LEAVE;
  if (pv_access_fault(vm, address, bytes, true, &property))
    return access_fault(vm, address, bytes, true);
  struct pv_object *o = pv_object_at(vm, address);
  uint64_t value[2] = {from[0], bytes > 8 ? from[1] : 0}; /* `from` may be a scratch cell */
  enum pv_flow flow = pv_shared_access(vm, o, address, bytes, true, atomic);
  if (flow != PV_FLOW_NEXT) return flow;
  uint64_t set[2] = {UINT64_MAX, UINT64_MAX};
  what_is_set(vm, e, o, address, set);
  if (vm->tainted && e->op == PV_OP_STORE) {
    for (int i = 0; i < 2; i++) set[i] &= ~vm->stored_unset[i], vm->stored_unset[i] = 0;
  }
  pv_memory_write_set(vm, o, address - o->base, value, bytes, set);
  if (pv_object_shared(vm, o)) published(vm, o, address - o->base, bytes);
  if (vm->recorder && vm->recorder->stored)
    vm->recorder->stored(vm->recorder->user, vm->thread, address, bytes);
  return PV_FLOW_NEXT;
}

/* Has a limit been hit? A single transition may take long; it is abandoned then, and the limit's
 * own proviso is added. The number of instructions between two checks adapts to their duration, as
 * in base/limits.c. Single operations that take long are counted extra (pv_charge). */
bool pv_out_of_time(struct pv_vm *vm) {
  enum { LONGEST = 1 << 14 };
  if (vm->until_limit_check) {
    vm->until_limit_check--;
    return false;
  }
  vm->until_limit_check = LONGEST;
  if (!vm->limits) return false;
  double before = vm->limits->looked;
  bool over = pv_limits_check_now(vm->limits) != PV_LIMIT_NONE;
  double since = vm->limits->looked - before;
  if (since > 0.02 && vm->limit_check_period > 1)
    vm->limit_check_period /= 2;
  else if (since < 0.005 && vm->limit_check_period < LONGEST)
    vm->limit_check_period = 2 * vm->limit_check_period + 1;
  vm->until_limit_check = vm->limit_check_period;
  return over;
}

/* ---- the loop -------------------------------------------------------------------------------- */
static bool signed_overflow(unsigned op, int64_t a, int64_t b, unsigned w, uint64_t *out) {
  int64_t r;
  bool o = op == PV_I_ADD   ? __builtin_add_overflow(a, b, &r)
           : op == PV_I_SUB ? __builtin_sub_overflow(a, b, &r)
                            : __builtin_mul_overflow(a, b, &r);
  *out = (uint64_t)r & pv_mask(w);
  return o || pv_signed(*out, w) != r;
}

static enum pv_flow overflow(struct pv_vm *vm, const struct pv_insn *i, uint64_t a, uint64_t b) {
  static const char sign[] = {'+', '-', '*'};
  return pv_remark(
      vm, PV_PROP_NO_OVERFLOW, "signed overflow: %lld %c %lld does not fit into %u bits",
      (long long)pv_signed(a, i->w), sign[i->op - PV_I_ADD], (long long)pv_signed(b, i->w), i->w);
}

static enum pv_flow divide(struct pv_vm *vm, const struct pv_insn *i, uint64_t a, uint64_t b,
                           uint64_t *d) {
  unsigned w = i->w;
  bool rest = i->op == PV_I_UREM || i->op == PV_I_SREM;
  if (!b) return pv_fault(vm, PV_PROP_DEF_BEHAVIOR, "division by zero");
  if (i->op == PV_I_UDIV || i->op == PV_I_UREM) {
    *d = rest ? a % b : a / b;
    return PV_FLOW_NEXT;
  }
  int64_t x = pv_signed(a, w), y = pv_signed(b, w);
  if (y == -1 && a == (uint64_t)1 << (w - 1))
    return pv_fault(vm, PV_PROP_NO_OVERFLOW,
                    "signed overflow: %lld %c -1 does not fit into %u bits", (long long)x,
                    rest ? '%' : '/', w);
  *d = (uint64_t)(rest ? x % y : x / y) & pv_mask(w);
  return PV_FLOW_NEXT;
}

static enum pv_flow shift(struct pv_vm *vm, const struct pv_insn *i, uint64_t a, uint64_t b,
                          uint64_t *d) {
  if (b >= i->w)
    return pv_fault(vm, PV_PROP_DEF_BEHAVIOR, "shift of a %u-bit value by %llu", i->w,
                    (unsigned long long)b);
  *d = i->op == PV_I_SHL    ? (a << b) & pv_mask(i->w)
       : i->op == PV_I_LSHR ? a >> b
                            : (uint64_t)(pv_signed(a, i->w) >> b) & pv_mask(i->w);
  return PV_FLOW_NEXT;
}

/* Checks an offset that was added to a pointer into an object (or to its end) such that the result
 * is in another object. A pointer that is in no object, such as that to the container of a list's
 * head, may lead into any object; the access is checked later. */
static enum pv_flow provenance(struct pv_vm *vm, uint64_t address, uint64_t root) {
  const struct pv_object *o = pv_object_at(vm, root);
  if (!o || root - o->base > o->size || pv_object_at(vm, address) == o) return PV_FLOW_NEXT;
  struct pv_str name = {0};
  pv_vm_name_address(vm, root, &name);
  enum pv_flow flow =
      pv_fault(vm, PV_PROP_VALID_DEREF, "access %lld bytes from the start of %s, far outside it",
               (long long)(address - o->base), name.n ? name.at : "an object");
  pv_str_free(&name);
  return flow;
}

static void compare_order(struct pv_vm *vm, bool numbers, uint64_t a, uint64_t b) {
  const struct pv_object *x = pv_object_meant(vm, a), *y = pv_object_meant(vm, b);
  if (x == y || (numbers && (!x || !y))) return;
  const struct pv_code_edge *ce = &vm->code->edges.at[vm->code->where.at[vm->frame->pc]];
  const char *file = pv_span_file(vm->program, ce->edge->span);
  uint32_t line = pv_span_of(vm->program, ce->edge->span)->line;
  pv_condition_add(vm->condition, PV_PROVISO_ADDRESS_ORDER, file, line,
                   "the objects compared at %s:%u lie in memory in the order assumed here", file,
                   line);
}

/* Optimised code may compute the address of a variable that is not alive, and not use it. The
 * address is unknown then. */
static enum pv_flow slot_ended(struct pv_vm *vm) {
  if (vm->full) return pv_leave(vm, PV_CUT); /* it could not be allocated */
  if (pv_stands_at_end(vm)) return PV_FLOW_LEAVE;
  pv_condition_add(vm->condition, PV_PROVISO_ENGINE, pv_user_file(vm), pv_user_line(vm),
                   "no address of a local variable is taken outside its life at %s:%u",
                   pv_user_file(vm), pv_user_line(vm));
  return pv_leave(vm, PV_CUT);
}

enum pv_flow pv_run_event(struct pv_vm *vm, const struct pv_insn *i, uint64_t a, uint64_t b) {
  uint64_t value;
  switch ((enum pv_insn_op)i->op) {
  case PV_I_ADD:
  case PV_I_SUB:
  case PV_I_MUL: return overflow(vm, i, a, b);
  case PV_I_UDIV:
  case PV_I_SDIV:
  case PV_I_UREM:
  case PV_I_SREM: return divide(vm, i, a, b, &value);
  case PV_I_SHL:
  case PV_I_LSHR:
  case PV_I_ASHR: return shift(vm, i, a, b, &value);
  case PV_I_ORDER: compare_order(vm, i->flags, a, b); return PV_FLOW_NEXT;
  case PV_I_PROV: return provenance(vm, a, b);
  case PV_I_SLOT: return slot_ended(vm);
  default: PV_REQUIRE(false, "an instruction without events"); return PV_FLOW_LEAVE;
  }
}

/* The live one, if its current lifetime could be allocated, or NULL. */
static struct pv_object *thread_local_of(struct pv_vm *vm, const struct pv_object_key *key) {
  struct pv_object_key k = *key;
  for (;; k.occurrence++) {
    const uint32_t *number = pv_map_get(&vm->object_keys, &k, sizeof k);
    if (!number) break;
    struct pv_object *o = &vm->objects.at[*number];
    if (pv_object_state(vm, o) & PV_MEM_LIVE) return o;
  }
  pv_objects_note(vm);
  return NULL;
}

uint64_t pv_run_tls(struct pv_vm *vm, uint32_t global) {
  const struct pv_global *g = &vm->program->globals.at[global];
  struct pv_object_key key = {
      .kind = PV_OBJ_TLS, .site = global, .thread = vm->thread, .align = g->align, .size = g->size};
  struct pv_object *o = thread_local_of(vm, &key);
  if (!o) {
    o = pv_object_next(vm, &key, true);
    if (!o) return 0;
    pv_object_begin(vm, o, true);
    for (uint64_t at = 0; g->init && at < g->size; at += PV_PAGE)
      pv_memory_write(vm, o, at, g->init + at,
                      g->size - at < PV_PAGE ? (uint32_t)(g->size - at) : PV_PAGE);
    for (uint32_t i = 0; i < g->relocs.n; i++) {
      uint64_t v = pv_constant_value(vm, g->relocs.at[i].value);
      pv_memory_write(vm, o, g->relocs.at[i].offset, &v, vm->program->pointer_bits / 8);
    }
  }
  return o->base;
}

static void record_step(struct pv_vm *vm, uint32_t pc, uint32_t *last) {
  const struct pv_code_edge *ce = &vm->code->edges.at[vm->code->where.at[pc]];
  if (vm->code->where.at[pc] == *last && pc != ce->pc) return;
  *last = vm->code->where.at[pc];
  if (ce->edge && vm->recorder->edge)
    vm->recorder->edge(vm->recorder->user, vm->thread, &vm->program->functions.at[ce->function],
                       ce->edge);
}

/* Adds the instructions of the function at `pc` since its last update. */
static void add_heat(struct pv_vm *vm, uint32_t pc, uint64_t executed, uint64_t *told) {
  if (!vm->heat || vm->peek) return;
  vm->heat[vm->code->edges.at[vm->code->where.at[pc]].function] += executed - *told;
  *told = executed;
}

enum pv_flow pv_interpret(struct pv_vm *vm, const uint32_t *entries, uint64_t instructions) {
  const struct pv_insn *insns = vm->code->insns.at;
  uint64_t executed = 0, told = 0;
  uint32_t pc = vm->frame->pc, last_edge = UINT32_MAX;
  enum pv_flow flow = PV_FLOW_NEXT;
  pv_taint_look(vm);
  for (;;) {
    const struct pv_insn *i = &insns[pc];
    vm->frame->pc = pc;
    if (vm->watched && !vm->peek) {
      if (vm->follow && pv_follow_begin(vm, pc)) {
        flow = pv_leave(vm, PV_PRUNED);
        break;
      }
      if (pv_edge_begins(vm, !executed)) {
        flow = pv_leave(vm, PV_RAN);
        break;
      }
      if (vm->recorder) record_step(vm, pc, &last_edge);
    }
    executed++;
    if (vm->tainted && !vm->peek) {
      flow = pv_taint_step(vm, i);
      if (flow != PV_FLOW_NEXT) break;
    }
    uint64_t a = *pv_cell(vm, i->a), b = *pv_cell(vm, i->b), *d = pv_cell(vm, i->d);
    pc++;
    switch ((enum pv_insn_op)i->op) {
    case PV_I_MOV:
      if (i->w > 64) d[1] = pv_cell(vm, i->a)[1];
      *d = a;
      break;
    case PV_I_ADD:
    case PV_I_SUB:
    case PV_I_MUL:
      if (i->flags & PV_XF_NSW) {
        uint64_t r; /* if it overflows, the instruction may have to be repeated */
        if (signed_overflow(i->op, pv_signed(a, i->w), pv_signed(b, i->w), i->w, &r))
          flow = overflow(vm, i, a, b);
        if (flow == PV_FLOW_NEXT) *d = r;
      } else {
        *d = (i->op == PV_I_ADD ? a + b : i->op == PV_I_SUB ? a - b : a * b) & pv_mask(i->w);
      }
      break;
    case PV_I_UDIV:
    case PV_I_SDIV:
    case PV_I_UREM:
    case PV_I_SREM: flow = divide(vm, i, a, b, d); break;
    case PV_I_SHL:
    case PV_I_LSHR:
    case PV_I_ASHR: flow = shift(vm, i, a, b, d); break;
    case PV_I_AND: *d = a & b; break;
    case PV_I_OR: *d = a | b; break;
    case PV_I_XOR: *d = a ^ b; break;
    case PV_I_EQ: *d = a == b; break;
    case PV_I_NE: *d = a != b; break;
    case PV_I_ULT: *d = a < b; break;
    case PV_I_ULE: *d = a <= b; break;
    case PV_I_SLT: *d = pv_signed(a, i->w) < pv_signed(b, i->w); break;
    case PV_I_SLE: *d = pv_signed(a, i->w) <= pv_signed(b, i->w); break;
    case PV_I_SEXT: *d = (uint64_t)pv_signed(a, i->w) & pv_mask(i->x); break;
    case PV_I_TRUNC: *d = a & pv_mask(i->w); break;
    case PV_I_RARE: flow = pv_rare(vm, i); break;
    case PV_I_ORDER:
      if (!vm->peek) compare_order(vm, i->flags, a, b);
      break;
    case PV_I_PROV: flow = provenance(vm, a, b); break;
    case PV_I_TLS: *d = pv_run_tls(vm, i->x); break;
    case PV_I_SLOT:
      *d = a;
      if (!a) flow = slot_ended(vm);
      break;
    case PV_I_JMP: pc = i->x; break;
    case PV_I_JZ:
      if (!a) pc = i->x;
      break;
    case PV_I_LOOP:
      if (vm->peek) break;
      if (entries && entries[pc - 1] && !vm->tainted) {
        executed--; /* machine code starts with it */
        flow = PV_FLOW_JUMP;
        break;
      }
      if (pv_out_of_time(vm)) {
        flow = pv_leave(vm, PV_CUT);
        break;
      }
      if (vm->beside && vm->options->atomic == PV_ATOMIC_INSTRUCTION) pv_note_beside(vm);
      if (vm->silent || --vm->fuel) break;
      pv_run_park(vm, PV_STAND_LOCAL);
      flow = PV_FLOW_LEAVE;
      break;
    case PV_I_LOAD:
      flow = pv_run_load(vm, vm->code->edges.at[vm->code->where.at[pc - 1]].edge, a, d);
      break;
    case PV_I_STORE:
      flow = pv_run_store(vm, vm->code->edges.at[vm->code->where.at[pc - 1]].edge, a,
                          pv_cell(vm, i->b));
      break;
    case PV_I_EDGE:
      flow = pv_run_edge(vm, &vm->code->edges.at[i->x]);
      if (flow == PV_FLOW_JUMP) {
        add_heat(vm, pc - 1, executed, &told);
        pc = vm->frame->pc;
        bool stays = vm->tainted || (!(entries && entries[pc]) && executed < instructions);
        if (stays) flow = PV_FLOW_NEXT;
      }
      break;
    case PV_I_COUNT: PV_REQUIRE(false, "bad instruction"); break;
    }
    /* The operation at which the thread was parked is executed, even if it is not visible any
     * more. */
    if (i->op >= PV_I_LOAD && !vm->peek && flow != PV_FLOW_LEAVE) vm->go = PV_GO_NOT;
    if (flow != PV_FLOW_NEXT) break;
    if (vm->recorder && !vm->peek && vm->recorder->assigned && i->d >= 0) {
      const struct pv_code_edge *ce = &vm->code->edges.at[vm->code->where.at[i - insns]];
      if (ce->edge && ce->d == i->d && i->d >= 0 && i->op != PV_I_EDGE)
        vm->recorder->assigned(vm->recorder->user, vm->thread,
                               &vm->program->functions.at[ce->function], ce->edge->dst);
    }
  }
  if (executed > told) add_heat(vm, pc - 1, executed, &told);
  vm->instructions += executed;
  return flow;
}

enum pv_outcome pv_run(struct pv_vm *vm) {
  pv_interpret(vm, NULL, UINT64_MAX);
  return vm->outcome;
}
