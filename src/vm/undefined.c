/* undefined.c -- variables that no file defines and that are no inputs (frontend/undefined.c). All
 * their bytes are listed as unset (unset.c) until the program writes them. A read of them says
 * nothing about the program, so it ends the path with a proviso. */
#include "vm/edge_internal.h"

const struct pv_global *pv_undefined_global(const struct pv_vm *vm, const struct pv_object *o) {
  if (!o || (o->kind != PV_OBJ_GLOBAL && o->kind != PV_OBJ_CONST && o->kind != PV_OBJ_TLS))
    return NULL;
  const struct pv_global *g = &vm->program->globals.at[o->site];
  return g->is_external && !g->is_model ? g : NULL;
}

void pv_undefined_begin(struct pv_vm *vm, const struct pv_object *o) {
  const struct pv_global *g = pv_undefined_global(vm, o);
  if (!g || !strncmp(g->name, "_ZT", 3)) return;
  for (uint64_t at = 0; at < o->size; at += 8) {
    uint32_t n = o->size - at < 8 ? (uint32_t)(o->size - at) : 8;
    uint64_t padding = 0;
    for (uint32_t i = 0; i < n && g->init; i++)
      if (g->init[at + i]) padding |= UINT64_C(0xff) << 8 * i;
    pv_unset_put(vm, o->base + at, n, padding);
  }
}

enum pv_flow pv_undefined_leave(struct pv_vm *vm, const struct pv_global *g) {
  if (pv_stands_at_end(vm)) return PV_FLOW_LEAVE;
  pv_condition_add(vm->condition, PV_PROVISO_UNSUPPORTED, pv_user_file(vm), pv_user_line(vm),
                   "the variable `%s`, which no file defines, is %s at %s:%u", g->name,
                   g->size ? "set by the program before it is read" : "not accessed",
                   pv_user_file(vm), pv_user_line(vm));
  return pv_leave(vm, PV_CUT);
}

enum pv_flow pv_undefined_read(struct pv_vm *vm, const struct pv_object *o, uint64_t address,
                               uint32_t n, uint64_t matter) {
  const struct pv_global *g = pv_undefined_global(vm, o);
  if (!g) return PV_FLOW_NEXT;
  for (uint32_t i = 0; i < n; i += 8) {
    uint64_t set = pv_unset_get(vm, address + i, n - i < 8 ? n - i : 8);
    if (~set & (i ? UINT64_MAX : matter)) return pv_undefined_leave(vm, g);
  }
  return PV_FLOW_NEXT;
}
