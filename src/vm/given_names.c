/* given_names.c -- names of the objects that hold the program's arguments and the values of its
 * environment: "argv[1]", "the value of HOME". */
#include "vm/vm_internal.h"

enum { MOST = 1000, LONGEST_NAME = 64 }; /* of entries that are looked at */

/* The address of a variable of models/start.c, or 0. */
static uint64_t address_of(const struct pv_vm *vm, const char *name) {
  for (uint32_t i = 0; i < vm->objects.n; i++) {
    const struct pv_object *o = &vm->objects.at[i];
    if (o->kind != PV_OBJ_GLOBAL) continue;
    const struct pv_global *g = &vm->program->globals.at[o->site];
    if (g->is_model && !strcmp(g->name, name)) return o->base;
  }
  return 0;
}

static uint64_t pointer_at(struct pv_vm *vm, uint64_t address, uint64_t index) {
  unsigned bytes = vm->program->pointer_bits / 8;
  uint64_t value;
  return address && pv_vm_read(vm, address + index * bytes, bytes, &value) ? value : 0;
}

static bool is_argument(struct pv_vm *vm, uint64_t base, struct pv_str *out) {
  uint64_t argv = pointer_at(vm, address_of(vm, "__proviso_argv"), 0);
  if (argv == base) pv_str_add(out, "argv");
  for (uint64_t i = 0, at; argv && argv != base && i < MOST && (at = pointer_at(vm, argv, i)); i++)
    if (at == base) {
      pv_str_addf(out, "argv[%u]", (unsigned)i);
      return true;
    }
  return argv == base;
}

static void add_text(struct pv_vm *vm, uint64_t address, struct pv_str *out) {
  uint64_t c;
  for (unsigned i = 0; i < LONGEST_NAME; i++, pv_str_addc(out, (char)c))
    if (!pv_vm_read(vm, address + i, 1, &c) || c < ' ' || c > '~') return;
}

static bool is_value(struct pv_vm *vm, uint64_t base, struct pv_str *out) {
  uint64_t variables = address_of(vm, "variables"), name;
  for (uint64_t i = 0; i < MOST && (name = pointer_at(vm, variables, 2 * i)); i++)
    if (pointer_at(vm, variables, 2 * i + 1) == base) {
      pv_str_add(out, "the value of ");
      add_text(vm, name, out);
      return true;
    }
  return false;
}

bool pv_given_name(struct pv_vm *vm, const struct pv_object *o, struct pv_str *out) {
  return pv_vm_object_giver(vm, (uint32_t)(o - vm->objects.at)) &&
         (is_argument(vm, o->base, out) || is_value(vm, o->base, out));
}
