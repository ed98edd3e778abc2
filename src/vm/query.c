/* query.c -- queries of a program or a model of the C library to the VM: sizes of objects, options,
 * texts of the program's environment. */
#include "vm/edge_internal.h"

/* A size is read in one step that others cannot observe. If one of them could end the object, a
 * proviso is added. */
static void note_unseen_size(struct pv_vm *vm, const struct pv_object *o) {
  if (!o || o->kind <= PV_OBJ_CONST || !pv_watched(vm) || !pv_object_met(vm, o)) return;
  pv_condition_add(vm->condition, PV_PROVISO_ENGINE, pv_user_file(vm), pv_user_line(vm),
                   "no other thread ends the object whose size is asked for at %s:%u meanwhile",
                   pv_user_file(vm), pv_user_line(vm));
}

/* -1 beyond the end of the text, or if there is no such text. */
static uint64_t text_byte(struct pv_vm *vm, const struct pv_code_edge *ce) {
  uint64_t kind = pv_operand(vm, ce, 0), number = pv_operand(vm, ce, 1);
  uint64_t at = pv_operand(vm, ce, 2);
  if (kind >= PV_TEXT_COUNT || number >= vm->program->texts[kind].n) return UINT32_MAX;
  const struct pv_text *text = &vm->program->texts[kind].at[number];
  return at < text->n ? text->bytes[at] : UINT32_MAX;
}

enum pv_flow pv_run_query(struct pv_vm *vm, const struct pv_code_edge *ce) {
  const struct pv_edge *e = ce->edge;
  uint64_t address = e->args.n ? *pv_cell(vm, vm->code->cells.at[ce->args]) : 0, value = 0;
  struct pv_object *o = e->args.n ? pv_object_at(vm, address) : NULL;
  bool live = o && o->kind != PV_OBJ_FUNCTIONS && (pv_object_state(vm, o) & PV_MEM_LIVE);
  switch ((enum pv_query)e->aux) {
  case PV_QUERY_USABLE_SIZE: note_unseen_size(vm, o); /* fall through */
  case PV_QUERY_OBJECT_SIZE:
    value = live && address - o->base <= o->size ? o->size - (address - o->base) : 0;
    break;
  case PV_QUERY_IS_HEAP_START:
    value = live && o->kind == PV_OBJ_HEAP && !pv_object_is_mapping(o) && address == o->base;
    break;
  case PV_QUERY_MALLOC_MAY_FAIL: value = vm->options->malloc_may_fail; break;
  case PV_QUERY_ORDER: value = 1; break;
  case PV_QUERY_CALLS_MAY_FAIL: value = vm->options->calls_may_fail; break;
  case PV_QUERY_TEXT: value = text_byte(vm, ce); break;
  }
  pv_set_var(vm, ce, ce->d, e->dst, value);
  return PV_FLOW_NEXT;
}
