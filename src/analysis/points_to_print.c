/* points_to_print.c -- prints the result of the analysis, for users and tests. */
#include "analysis/points_to_internal.h"

static void add_place(const struct pv_points_to *pt, uint32_t function, uint32_t edge,
                      struct pv_str *out) {
  const struct pv_function *f = &pt->p->functions.at[function];
  uint32_t line = pv_span_of(pt->p, f->edges.at[edge].span)->line;
  pv_str_addf(out, "%s:%u", f->name, line);
}

void pv_points_to_name(const struct pv_points_to *pt, uint32_t object, struct pv_str *out) {
  const struct pv_pt_object *o = pv_points_to_object(pt, object);
  const struct pv_program *p = pt->p;
  switch (o->kind) {
  case PV_PT_ANYTHING: pv_str_add(out, "anything"); break;
  case PV_PT_GLOBAL: pv_str_add(out, p->globals.at[o->index].name); break;
  case PV_PT_FUNCTION: pv_str_addf(out, "%s()", p->functions.at[o->index].name); break;
  case PV_PT_SLOT: {
    const struct pv_function *f = &p->functions.at[o->function];
    pv_str_addf(out, "%s.%s", f->name, f->slots.at[o->index].name);
    break;
  }
  case PV_PT_HEAP:
    pv_str_add(out, "heap@");
    add_place(pt, o->function, o->index, out);
    break;
  case PV_PT_ALLOCA:
    pv_str_add(out, "alloca@");
    add_place(pt, o->function, o->index, out);
    break;
  }
}

static void add_set(const struct pv_points_to *pt, const uint64_t *set, bool unknown,
                    struct pv_str *out) {
  pv_str_add(out, unknown ? "{unknown" : "{");
  bool first = !unknown;
  for (uint32_t o = 0; o < pt->objects.n; o++) {
    if (!(set[o / 64] >> o % 64 & 1)) continue;
    if (!first) pv_str_add(out, ", ");
    first = false;
    pv_points_to_name(pt, o, out);
  }
  pv_str_add(out, "}");
}

static void print_address(const struct pv_points_to *pt, uint32_t function, const struct pv_edge *e,
                          pv_expr address, struct pv_str *out) {
  const struct pv_function *f = &pt->p->functions.at[function];
  uint64_t *set = pv_alloc((pv_points_to_words(pt) + 1) * sizeof *set);
  bool unknown = pv_points_to_address(pt, function, address, set);
  pv_str_addf(out, "%s: ", f->name);
  pv_edge_print(pt->p, f, e, out);
  pv_str_add(out, ": ");
  add_set(pt, set, unknown, out);
  pv_str_addc(out, '\n');
  free(set);
}

static void print_edge(const struct pv_points_to *pt, uint32_t function, const struct pv_edge *e,
                       struct pv_str *out) {
  bool call = e->op == PV_OP_CALL && e->callee == PV_NO_FUNC;
  bool access = e->op == PV_OP_LOAD || e->op == PV_OP_STORE || e->op == PV_OP_RMW ||
                e->op == PV_OP_CMPXCHG || e->op == PV_OP_COPY || e->op == PV_OP_FILL ||
                e->op == PV_OP_FREE;
  if (call || access) print_address(pt, function, e, e->e[0], out);
  if (e->op == PV_OP_COPY) print_address(pt, function, e, e->e[1], out);
}

void pv_points_to_print(const struct pv_points_to *pt, struct pv_str *out) {
  for (uint32_t f = 0; f < pt->p->functions.n; f++) {
    const struct pv_function *function = &pt->p->functions.at[f];
    for (uint32_t i = 0; i < function->edges.n && !function->is_model; i++)
      print_edge(pt, f, &function->edges.at[i], out);
  }
  for (uint32_t o = 1; o < pt->objects.n; o++) {
    const struct pv_pt_object *is = pv_points_to_object(pt, o);
    uint64_t *set = pv_alloc((pv_points_to_words(pt) + 1) * sizeof *set);
    bool unknown = pv_points_to_contents(pt, o, set);
    if (is->kind != PV_PT_FUNCTION) {
      pv_points_to_name(pt, o, out);
      pv_str_add(out, pv_points_to_escapes(pt, o) ? " (escapes): " : ": ");
      add_set(pt, set, unknown, out);
      pv_str_addc(out, '\n');
    }
    free(set);
  }
}
