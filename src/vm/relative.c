/* relative.c -- the contents of a thread's components with its number abstracted away, for symmetry
 * reduction (vm.h, pv_vm_role, pv_vm_relative). */
#include "vm/vm_internal.h"

/* ---- roles ----------------------------------------------------------------------------------- */
static bool has_maker(const struct pv_object *o) {
  return o->kind >= PV_OBJ_TLS && o->kind <= PV_OBJ_HEAP;
}

static struct pv_role object_role(const struct pv_object *o) {
  return (struct pv_role){.kind = o->kind,
                          .site = o->site,
                          .slot = o->slot,
                          .depth = o->depth,
                          .occurrence = o->occurrence,
                          .align = o->align,
                          .size = o->size};
}

void pv_vm_role(const struct pv_vm *vm, uint32_t i, struct pv_role *role) {
  const struct pv_comp *c = &vm->comps.at[i];
  *role = (struct pv_role){.kind = UINT32_MAX, .slot = c->owner & 0xffffff};
  if (c->kind != PV_COMP_MEMORY) return;
  const struct pv_object *o = &vm->objects.at[c->owner];
  *role = object_role(o);
  role->page = i - o->comp;
}

static const struct pv_object *object_at(const struct pv_vm *vm, uint64_t address) {
  uint64_t s = address >> vm->shift;
  uint32_t o = s < vm->owner.n ? vm->owner.at[s] : 0;
  return o ? &vm->objects.at[o - 1] : NULL;
}

/* Like pv_object_meant, for objects that a thread created. */
static const struct pv_object *made_at(const struct pv_vm *vm, uint64_t address) {
  const struct pv_object *o = object_at(vm, address);
  if (!o || address - o->base > o->size + PV_BEHIND) {
    const struct pv_object *above = object_at(vm, address + vm->below);
    if (above && above != o && above->base - address <= vm->below) o = above;
  }
  return o && has_maker(o) ? o : NULL;
}

uint32_t pv_vm_maker(const struct pv_vm *vm, uint64_t address) {
  const struct pv_object *o = made_at(vm, address);
  return o ? o->thread : UINT32_MAX;
}

/* The creator as a bit. Frames of invariants create no lasting objects. */
static uint64_t maker_bit(const struct pv_object *o) {
  return o->thread < PV_MAX_THREADS ? UINT64_C(1) << o->thread : 0;
}

bool pv_vm_is_remnant(const struct pv_vm *vm, uint32_t i, const void *content, uint32_t n) {
  uint32_t flags;
  if (vm->comps.at[i].kind != PV_COMP_MEMORY || n != sizeof flags) return false;
  memcpy(&flags, content, sizeof flags);
  return flags == PV_MEM_ENDED && has_maker(&vm->objects.at[vm->comps.at[i].owner]);
}

/* ---- frames ---------------------------------------------------------------------------------- */
/* Is the register always a pointer or 0, and never another number? */
static bool is_pointer(const struct pv_vm *vm, uint32_t function, uint32_t reg) {
  const struct pv_code_function *cf = &vm->code->functions[function];
  const struct pv_function *f = &vm->program->functions.at[function];
  if (reg >= cf->slot_reg && reg < cf->slot_reg + f->slots.n) return true;
  for (uint32_t v = 0; v < f->vars.n; v++)
    if (cf->reg[v] == reg) return pv_type_kind(f->vars.at[v].type) == PV_T_PTR;
  return false;
}

static void add_pointer(uint32_t reg, uint64_t offset, const struct pv_object *o,
                        struct pv_str *out) {
  struct pv_role role = object_role(o);
  pv_str_addn(out, (const char *)&reg, sizeof reg);
  pv_str_addn(out, (const char *)&offset, sizeof offset);
  pv_str_addn(out, (const char *)&role, sizeof role);
}

/* Objects that the frame itself owns (alloca) are listed by number after its registers. This is not
 * relative. */
static uint64_t relative_frame(const struct pv_vm *vm, uint32_t i, const uint8_t *content,
                               uint32_t n, struct pv_str *out) {
  struct pv_frame_head frame;
  uint32_t thread = vm->comps.at[i].owner >> 24;
  memcpy(&frame, content, sizeof frame);
  uint32_t function = vm->code->edges.at[vm->code->where.at[frame.pc]].function;
  uint64_t named = frame.n_owned && thread < PV_MAX_THREADS ? UINT64_C(1) << thread : 0;
  size_t at = out->n + sizeof frame;
  pv_str_addn(out, (const char *)content, n);
  for (uint32_t reg = 0; reg < vm->code->functions[function].n_regs; reg++) {
    uint64_t value;
    memcpy(&value, content + sizeof frame + reg * sizeof value, sizeof value);
    const struct pv_object *o = made_at(vm, value);
    if (!o) continue;
    if (o->thread == thread && is_pointer(vm, function, reg)) {
      memset(out->at + at + reg * sizeof value, 0, sizeof value);
      add_pointer(reg, value - o->base, o, out);
    } else {
      named |= maker_bit(o);
    }
  }
  return named;
}

/* ---- memory ---------------------------------------------------------------------------------- */
/* An address may be at any position in memory, aligned or not. Numbers that only look like
 * addresses count, too. */
static uint64_t named_in(const struct pv_vm *vm, const uint8_t *content, uint32_t n) {
  uint32_t word = vm->program->pointer_bits / 8;
  uint64_t named = 0;
  for (uint32_t at = 0; at + word <= n; at++) {
    uint64_t value = 0;
    memcpy(&value, content + at, word);
    const struct pv_object *o = made_at(vm, value);
    if (o) named |= maker_bit(o);
  }
  return named;
}

uint64_t pv_vm_relative(const struct pv_vm *vm, uint32_t i, const void *content, uint32_t n,
                        bool in_memory, struct pv_str *out) {
  if (vm->comps.at[i].kind == PV_COMP_FRAME) return relative_frame(vm, i, content, n, out);
  pv_str_addn(out, content, n);
  return in_memory && vm->comps.at[i].kind == PV_COMP_MEMORY ? named_in(vm, content, n) : 0;
}
