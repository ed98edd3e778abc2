/* first_read.c -- memory that was never set, where def-behavior is not asked for: an input.
 *
 * The first load of unset bits chooses their value and stores it, so every later load gives the
 * same one. If at most eight bits are unset, all values are tried; else those that inputs.c
 * proposes for the load, under a proviso. The choice is a transition of its own, as that of an
 * input.
 *
 * Three kinds of loads have zeros, under a proviso, unless a script gives values. All of them could
 * give one unset value two values, if each load chose: loads of bytes that were copied while they
 * were unset, or from which they were copied (the list of unset.c has these places, too); loads of
 * memory that other threads can reach; words of structures that are passed in registers. If very
 * many bytes are copied so, all loads of unset memory are such loads. */
#include "vm/edge_internal.h"
#include "vm/inputs_internal.h"

#define COPIED (UINT64_C(1) << 61) /* above all objects, below the registers of taint.c */
enum { EXACT_BITS = 8, MOST_COPIED = 8 * 512 /* bytes that are listed as copied */ };

static bool chooses(const struct pv_vm *vm) {
  return !(vm->properties & PV_PROP_BIT(PV_PROP_DEF_BEHAVIOR)) && !vm->silent;
}

static bool was_copied(struct pv_vm *vm, uint64_t address, uint32_t n) {
  return pv_unset_any(vm, COPIED | address, n);
}

void pv_first_read_copied(struct pv_vm *vm, uint64_t to, uint64_t from, uint32_t n) {
  if (!chooses(vm) || was_copied(vm, 0, 1)) return; /* no object is at address 0 */
  pv_unset_put(vm, COPIED | to, n, 0);
  pv_unset_put(vm, COPIED | from, n, 0);
  if (vm->comps.at[vm->unset_comp].n <= MOST_COPIED / 8 * sizeof(struct pv_unset_word)) return;
  for (uint64_t at; (at = pv_unset_first(vm, COPIED, COPIED));) pv_unset_put(vm, at, 8, UINT64_MAX);
  pv_unset_put(vm, COPIED, 1, 0);
}

struct read {
  const struct pv_code_edge *ce;
  struct pv_object *o;
  uint64_t address;
  unsigned bytes;
  uint64_t old[2], set[2]; /* what is in memory, and which bits of it are set */
  uint64_t need[2];        /* which bits are to be set */
  uint64_t free[2];        /* those of them that the loaded value shows */
  bool fixed;              /* zero, under a proviso */
  bool passed;             /* only because a structure is passed */
};

/* Bits beyond the width, or that the load masks out, do not matter. Padding is not set. */
static void find_needed(struct pv_vm *vm, struct read *r) {
  const struct pv_edge *e = r->ce->edge;
  const struct pv_expr_node *mask = e->e[1] ? pv_node(vm->program, e->e[1]) : NULL;
  unsigned bits = pv_type_bits(e->type);
  uint32_t may = e->unset & 0xffff, told = e->unset >> 16;
  bool moves = e->flags & PV_EF_MOVES, other = false;
  if (moves) may &= ~told;
  for (unsigned i = 0; i < r->bytes; i++) {
    uint64_t byte = UINT64_C(0xff) << 8 * (i % 8);
    uint64_t matter = !mask ? byte : byte & (i < 8 ? mask->lo : mask->hi);
    uint64_t need = may >> i & 1 ? 0 : matter & ~r->set[i / 8];
    r->need[i / 8] |= need;
    if (need && !(moves && told >> i & 1)) other = true;
  }
  r->passed = moves && !other;
  r->free[0] = r->need[0] & pv_mask(bits < 64 ? bits : 64);
  r->free[1] = bits > 64 ? r->need[1] & pv_mask(bits - 64) : 0;
}

uint64_t pv_vm_first_read(const struct pv_vm *vm) {
  return vm->first_read;
}

/* Is there anything to choose? *known: only values that make no difference. */
static bool find(struct pv_vm *vm, const struct pv_edge *e, uint64_t address, struct read *r,
                 bool *known) {
  uint32_t init;
  *r = (struct read){.ce = &vm->code->edges.at[vm->code->where.at[vm->frame->pc]],
                     .o = pv_object_at(vm, address),
                     .address = address,
                     .bytes = pv_type_bytes(e->type),
                     .set = {UINT64_MAX, UINT64_MAX}};
  if (r->ce->edge != e || r->ce->d < 0) return false;
  uint64_t offset = address - r->o->base;
  pv_memory_read(vm, r->o, offset, r->old, r->bytes, &init);
  if (!(~init & ((UINT32_C(1) << r->bytes) - 1))) return false;
  for (unsigned i = 0; i < r->bytes; i += 8)
    r->set[i / 8] = pv_memory_set_bits(vm, r->o, offset + i, r->bytes - i < 8 ? r->bytes - i : 8);
  find_needed(vm, r);
  if (!(r->free[0] | r->free[1]) || pv_undefined_global(vm, r->o)) return false;
  struct pv_inputs *in = &vm->code->inputs[r->ce - vm->code->edges.at];
  if (!in->n) {
    struct pv_input_classes *classes = NULL; /* of HAVOC edges only */
    pv_inputs_find(vm->program, &vm->program->functions.at[r->ce->function], e, vm->options->inputs,
                   &classes, in);
    /* Other loads read the value, too: it is not enough that the values suffice for this one. */
    in->exact = !pv_input_is_used(vm->program, r->ce->function, e->dst);
  }
  *known = in->exact; /* the value makes no difference */
  if (*known) return false;
  r->fixed = r->passed || (pv_seen(vm) && pv_object_met(vm, r->o)) ||
             was_copied(vm, address, r->bytes) || was_copied(vm, 0, 1);
  return true;
}

static unsigned free_bits(const struct read *r) {
  return (unsigned)(__builtin_popcountll(r->free[0]) + __builtin_popcountll(r->free[1]));
}

static unsigned alternatives(const struct pv_vm *vm, const struct read *r) {
  unsigned bits = free_bits(r);
  if (r->fixed) return 1;
  return bits <= EXACT_BITS ? 1u << bits : vm->code->inputs[r->ce - vm->code->edges.at].n;
}

/* Distributes the bits of k over the free ones. */
static void deposit(const struct read *r, uint64_t k, uint64_t value[2]) {
  for (unsigned i = 0; i < 128; i++) {
    if (!(r->free[i / 64] >> i % 64 & 1)) continue;
    value[i / 64] |= (k & 1) << i % 64;
    k >>= 1;
  }
}

static void take(struct pv_vm *vm, const struct read *r, uint64_t value[2]) {
  const struct pv_inputs *in = &vm->code->inputs[r->ce - vm->code->edges.at];
  unsigned k = alternatives(vm, r) > 1 ? vm->alternative : 0;
  value[0] = value[1] = 0;
  if (r->fixed) {
    const char *file = pv_user_file(vm);
    uint32_t line = pv_user_line(vm);
    pv_condition_add(vm->condition, PV_PROVISO_INDETERMINATE, file, line,
                     r->passed ? "the unset members of the structure that is passed, changed or "
                                 "compared at %s:%u are zero"
                               : "the indeterminate value read at %s:%u is zero",
                     file, line);
  } else if (free_bits(r) <= EXACT_BITS) {
    deposit(r, k, value);
  } else {
    pv_note_cut(vm, r->ce, in);
    value[0] = in->value[k];
  }
}

bool pv_first_read_parks(struct pv_vm *vm, const struct pv_edge *e, uint64_t address) {
  enum pv_property property;
  bool known = false;
  struct read r;
  if (!chooses(vm) || e->op != PV_OP_LOAD || e->order != PV_ORDER_NONE) return false;
  if (pv_access_fault(vm, address, pv_type_bytes(e->type), false, &property)) return false;
  if (!find(vm, e, address, &r, &known)) return false;
  unsigned n = alternatives(vm, &r);
  return n > 1 && pv_park(vm, PV_PEND_INPUT, n);
}

enum pv_flow pv_first_read(struct pv_vm *vm, const struct pv_edge *e, uint64_t address,
                           uint64_t loaded[2], bool *chosen) {
  struct read r;
  uint64_t value[2];
  if (!chooses(vm) || e->op != PV_OP_LOAD || e->order != PV_ORDER_NONE) return PV_FLOW_NEXT;
  if (!find(vm, e, address, &r, chosen)) return PV_FLOW_NEXT;
  unsigned n = alternatives(vm, &r);
  if (n > 1 && pv_park(vm, PV_PEND_INPUT, n)) return PV_FLOW_LEAVE;
  take(vm, &r, value);
  for (unsigned i = 0; i < 2; i++) value[i] = (r.old[i] & ~r.need[i]) | (value[i] & r.free[i]);
  uint64_t shown[2] = {value[0] & pv_mask(pv_type_bits(e->type)),
                       pv_type_bits(e->type) > 64 ? value[1] : 0};
  if (vm->script && !pv_script_next(vm, r.ce, NULL, shown)) return pv_leave(vm, PV_CUT);
  for (unsigned i = 0; i < 2; i++)
    value[i] = (value[i] & ~r.free[i]) | (shown[i] & r.free[i]), r.set[i] |= r.need[i];
  pv_memory_write_set(vm, r.o, address - r.o->base, value, r.bytes, r.set);
  loaded[0] = value[0], loaded[1] = value[1];
  *chosen = true;
  vm->inputs++;
  vm->first_read = address;
  if (vm->recorder && vm->recorder->input)
    vm->recorder->input(vm->recorder->user, vm->thread, &vm->program->functions.at[r.ce->function],
                        e, value);
  return PV_FLOW_NEXT;
}
