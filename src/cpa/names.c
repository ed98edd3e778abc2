#include "cpa/names.h"

#include "cpa/symbolic_internal.h"

#include <string.h>

static void qualify(const struct pv_program *p, uint32_t function, uint32_t of,
                    struct pv_str *out) {
  if (of != function) pv_str_addf(out, "%s::", p->functions.at[of].name);
}

static void name_instance(uint32_t instance, struct pv_str *out) {
  if (instance) pv_str_addf(out, "#%u", instance);
}

/* ---- objects -----------------------------------------------------------------------------------
 */

void pv_name_place(const struct pv_analysis_context *g, uint32_t function,
                   struct pv_sym_object object, struct pv_str *out) {
  const struct pv_program *p = g->task->program;
  const struct pv_place *pl = pv_layout_place(g->layout, object.place);
  switch (pl->kind) {
  case PV_PLACE_GLOBAL: pv_str_add(out, p->globals.at[pl->index].name); break;
  case PV_PLACE_SLOT:
    qualify(p, function, pl->function, out);
    pv_str_add(out, p->functions.at[pl->function].slots.at[pl->index].name);
    break;
  case PV_PLACE_HEAP:
  case PV_PLACE_ALLOCA: {
    uint32_t span = p->functions.at[pl->function].edges.at[pl->index].span;
    pv_str_addf(out, "object_of_line_%u", pv_span_of(p, span)->line);
    break;
  }
  }
  name_instance(object.instance, out);
}

static pv_srctype source_type(const struct pv_analysis_context *g, uint32_t place) {
  const struct pv_program *p = g->task->program;
  const struct pv_place *pl = pv_layout_place(g->layout, place);
  if (pl->kind == PV_PLACE_GLOBAL) return p->globals.at[pl->index].srctype;
  if (pl->kind == PV_PLACE_SLOT) return p->functions.at[pl->function].slots.at[pl->index].srctype;
  return 0;
}

/* Appends the place in an object: ".x", "[2]"; "@8" if the source type does not tell. */
static pv_srctype name_member(const struct pv_analysis_context *g, uint32_t place, uint64_t offset,
                              struct pv_str *out) {
  const struct pv_program *p = g->task->program;
  pv_srctype t = source_type(g, place);
  if (t && p->srctypes.at[t].kind != PV_S_UNKNOWN) return pv_member_path(p, t, offset, out);
  if (offset) pv_str_addf(out, "@%llu", (unsigned long long)offset);
  return 0;
}

bool pv_name_object(const struct pv_analysis_context *g, uint64_t address,
                    struct pv_sym_object *object, uint64_t *offset) {
  for (uint32_t i = 0; i < pv_symbolic_objects(g->symbolic); i++) {
    struct pv_sym_object o = pv_symbolic_object(g->symbolic, i);
    uint64_t base = pv_symbolic_address(g->symbolic, o);
    uint64_t size = pv_layout_place(g->layout, o.place)->size;
    if (address < base || address - base > (size ? size - 1 : 0)) continue;
    *object = o;
    *offset = address - base;
    return true;
  }
  return false;
}

bool pv_name_address(const struct pv_analysis_context *g, uint32_t function, uint64_t address,
                     struct pv_str *out) {
  const struct pv_program *p = g->task->program;
  struct pv_sym_object object;
  uint64_t offset;
  if (!address) {
    pv_str_add(out, "NULL");
    return true;
  }
  for (uint32_t f = 0; f < p->functions.n; f++)
    if (address == pv_sym_function_address(g->symbolic, f)) {
      pv_str_add(out, p->functions.at[f].name);
      return true;
    }
  if (!pv_name_object(g, address, &object, &offset)) return false;
  pv_str_addc(out, '&');
  pv_name_place(g, function, object, out);
  if (offset) name_member(g, object.place, offset, out);
  return true;
}

/* ---- cells -------------------------------------------------------------------------------------
 */

void pv_name_cell(const struct pv_analysis_context *g, uint32_t function, uint32_t cell,
                  struct pv_str *out) {
  const struct pv_program *p = g->task->program;
  const struct pv_cell *c = pv_symbolic_cell(g->symbolic, cell);
  switch (c->kind) {
  case PV_CELL_VARIABLE:
    qualify(p, function, c->a, out);
    pv_str_add(out, p->functions.at[c->a].vars.at[c->b].name);
    name_instance(c->instance, out);
    break;
  case PV_CELL_MEMORY: {
    const struct pv_place_cell *pc = pv_layout_cell(g->layout, c->a);
    pv_name_place(g, function, (struct pv_sym_object){pc->place, c->instance}, out);
    name_member(g, pc->place, pc->offset, out);
    break;
  }
  case PV_CELL_ALIVE:
    pv_str_add(out, c->b == 2 ? "began(" : c->b ? "ended(" : "alive(");
    pv_name_place(g, function, (struct pv_sym_object){c->a, c->instance}, out);
    pv_str_addc(out, ')');
    break;
  case PV_CELL_ARRAY: pv_str_addf(out, "memory%u", c->a); break;
  case PV_CELL_EXTENT: pv_str_addf(out, "heap%u", c->a); break;
  case PV_CELL_TOP: pv_str_add(out, "heap_end"); break;
  case PV_CELL_SYNC: pv_str_addf(out, "lock%u", c->a); break;
  case PV_CELL_RESULT: pv_str_addf(out, "result%u", c->a); break;
  case PV_CELL_COUNT:
  case PV_CELL_SIZE:
  case PV_CELL_MOST:
  case PV_CELL_UNSET_VARIABLE:
  case PV_CELL_UNSET_MEMORY:
  case PV_CELL_UNSET_ARRAY: pv_symbolic_cell_print(g->symbolic, cell, out); break;
  case PV_CELL_FREED: pv_str_add(out, "freed"); break;
  case PV_CELL_NEW_INPUT: pv_str_add(out, "untried"); break;
  }
}

bool pv_name_is_source(const struct pv_analysis_context *g, uint32_t cell, struct pv_str *what) {
  const struct pv_program *p = g->task->program;
  const struct pv_cell *c = pv_symbolic_cell(g->symbolic, cell);
  switch (c->kind) {
  case PV_CELL_VARIABLE: {
    const struct pv_variable *v = &p->functions.at[c->a].vars.at[c->b];
    if (!v->is_temp) return true;
    pv_str_add(what, "a temporary value of ");
    if (pv_span_of(p, v->span)->line)
      pv_str_addf(what, "%s:%u", pv_span_file(p, v->span), pv_span_of(p, v->span)->line);
    else
      pv_str_add(what, p->functions.at[c->a].name);
    return false;
  }
  case PV_CELL_MEMORY:
  case PV_CELL_ALIVE: return true;
  case PV_CELL_ARRAY: pv_str_add(what, "memory, by address"); return false;
  case PV_CELL_EXTENT: pv_str_add(what, "the sizes of heap objects, by address"); return false;
  case PV_CELL_TOP: pv_str_add(what, "the address behind all heap objects"); return false;
  case PV_CELL_SYNC: pv_str_add(what, "the state of a lock or semaphore"); return false;
  case PV_CELL_RESULT: pv_str_add(what, "the result of a thread"); return false;
  case PV_CELL_COUNT: pv_str_add(what, "how many heap objects there are"); return false;
  case PV_CELL_MOST:
  case PV_CELL_SIZE: pv_str_add(what, "the size of a heap object"); return false;
  case PV_CELL_UNSET_VARIABLE:
  case PV_CELL_UNSET_MEMORY:
  case PV_CELL_UNSET_ARRAY: pv_str_add(what, "which bits are indeterminate"); return false;
  case PV_CELL_FREED: pv_str_add(what, "whether an object of the heap was freed"); return false;
  case PV_CELL_NEW_INPUT: pv_str_add(what, "whether an input has a new value"); return false;
  }
  return true;
}

bool pv_name_is_signed(const struct pv_analysis_context *g, uint32_t cell, bool *is_signed) {
  const struct pv_program *p = g->task->program;
  const struct pv_cell *c = pv_symbolic_cell(g->symbolic, cell);
  struct pv_str ignored = {0};
  pv_srctype t = 0;
  if (c->kind == PV_CELL_VARIABLE) t = p->functions.at[c->a].vars.at[c->b].srctype;
  if (c->kind == PV_CELL_MEMORY) {
    const struct pv_place_cell *pc = pv_layout_cell(g->layout, c->a);
    t = name_member(g, pc->place, pc->offset, &ignored);
    pv_str_free(&ignored);
  }
  if (p->srctypes.at[t].kind == PV_S_ENUM) t = p->srctypes.at[t].element;
  const struct pv_srctype_info *i = &p->srctypes.at[t];
  *is_signed = i->kind == PV_S_SIGNED;
  if (i->kind == PV_S_CHAR && i->name) { /* unless it is a typedef */
    *is_signed = !strcmp(i->name, "char") || !strcmp(i->name, "signed char");
    return *is_signed || !strcmp(i->name, "unsigned char");
  }
  return i->kind == PV_S_SIGNED || i->kind == PV_S_UNSIGNED || i->kind == PV_S_BOOL ||
         i->kind == PV_S_POINTER || i->kind == PV_S_FUNCTION;
}
