/* print_text.c -- prints the ir as text, and dispatches over the formats.
 *
 * One block for each function: its head, its variables and slots with their source types, then one
 * line for each edge in the order of locations. The text depends only on the program: numbers and
 * names, never addresses of the host. */
#include "ir/print_internal.h"

#include <ctype.h>
#include <string.h>

static void pad_to(struct pv_str *out, size_t line_start, size_t column) {
  do pv_str_addc(out, ' ');
  while (out->n - line_start < column);
}

static void comment_place(const struct pv_program *p, uint32_t span, bool column, size_t line_start,
                          struct pv_str *out) {
  struct pv_str place = {0};
  pv_print_place(p, span, column, &place);
  if (place.n) {
    pad_to(out, line_start, 56);
    pv_str_addf(out, "; %s", pv_str_cstr(&place));
  }
  pv_str_free(&place);
}

static void print_typed(const struct pv_program *p, pv_srctype srctype, struct pv_str *out) {
  struct pv_str name = {0};
  pv_print_srctype(p, srctype, &name);
  if (name.n) pv_str_addf(out, " (%s)", pv_str_cstr(&name));
  pv_str_free(&name);
}

/* Prints at most sixteen of the initial bytes; the C form prints all of them. */
static void print_bytes(const struct pv_global *g, struct pv_str *out) {
  enum { SHOWN = 16 };
  bool text = g->size > 1 && g->init[g->size - 1] == 0 && !g->relocs.n;
  for (uint64_t i = 0; text && i + 1 < g->size; i++)
    text = isprint(g->init[i]) || g->init[i] == '\n' || g->init[i] == '\t';
  if (text) {
    pv_str_add(out, " = \"");
    pv_print_escaped(g->init, g->size - 1 > 64 ? 64 : (size_t)g->size - 1, out);
    pv_str_add(out, g->size - 1 > 64 ? "\"..." : "\"");
    return;
  }
  pv_str_add(out, " = {");
  for (uint64_t i = 0; i < g->size && i < SHOWN; i++)
    pv_str_addf(out, "%s%02x", i ? " " : "", g->init[i]);
  pv_str_add(out, g->size > SHOWN ? " ...}" : "}");
}

static void print_relocs(const struct pv_program *p, const struct pv_global *g,
                         struct pv_str *out) {
  enum { SHOWN = 8 };
  for (uint32_t i = 0; i < g->relocs.n && i < SHOWN; i++) {
    pv_str_addf(out, "%s+%llu: ", i ? ", " : " ", (unsigned long long)g->relocs.at[i].offset);
    pv_expr_print(p, NULL, g->relocs.at[i].value, out);
  }
  if (g->relocs.n > SHOWN) pv_str_addf(out, " and %u more", g->relocs.n - SHOWN);
}

static void print_global(const struct pv_program *p, const struct pv_global *g,
                         struct pv_str *out) {
  size_t line = out->n;
  pv_str_addf(out, "%s%s%sglobal %s: %llu byte%s, align %u", g->is_external ? "external " : "",
              g->is_thread_local ? "thread_local " : "", g->is_const ? "const " : "", g->name,
              (unsigned long long)g->size, g->size == 1 ? "" : "s", g->align);
  print_typed(p, g->srctype, out);
  if (g->init) print_bytes(g, out);
  print_relocs(p, g, out);
  comment_place(p, g->span, false, line, out);
  pv_str_addc(out, '\n');
}

static void print_head(const struct pv_program *p, const struct pv_function *f, bool start,
                       struct pv_str *out) {
  size_t line = out->n;
  pv_str_addf(out, "%s%s%sfunction %s(", start ? "start " : "", f->is_model ? "model " : "",
              f->atomic ? "atomic " : "", f->name);
  for (uint32_t i = 0; i < f->n_params && i < f->vars.n; i++) {
    if (i) pv_str_add(out, ", ");
    pv_print_var(p, f, i, out);
    pv_str_add(out, ": ");
    pv_print_type(f->vars.at[i].type, out);
  }
  if (f->variadic) pv_str_add(out, f->n_params ? ", ..." : "...");
  pv_str_addc(out, ')');
  for (uint32_t i = 0; i < f->n_results; i++) {
    pv_str_add(out, i ? ", " : " -> ");
    pv_print_type(f->result[i], out);
  }
  if (!f->defined) pv_str_add(out, " undefined");
  comment_place(p, f->span, false, line, out);
  pv_str_addc(out, '\n');
}

static void print_locals(const struct pv_program *p, const struct pv_function *f,
                         struct pv_str *out) {
  for (uint32_t i = 0; i < f->vars.n; i++) {
    pv_str_add(out, i < f->n_params ? "  param " : f->vars.at[i].is_temp ? "  temp " : "  var ");
    pv_print_var(p, f, i, out);
    pv_str_add(out, ": ");
    pv_print_type(f->vars.at[i].type, out);
    print_typed(p, f->vars.at[i].srctype, out);
    pv_str_addc(out, '\n');
  }
  for (uint32_t i = 0; i < f->slots.n; i++) {
    const struct pv_slot *s = &f->slots.at[i];
    pv_str_add(out, "  slot ");
    pv_print_slot(p, f, i, out);
    pv_str_addf(out, ": %llu byte%s, align %u%s", (unsigned long long)s->size,
                s->size == 1 ? "" : "s", s->align, s->scoped ? ", scoped" : "");
    print_typed(p, s->srctype, out);
    pv_str_addc(out, '\n');
  }
}

static void print_function(const struct pv_program *p, uint32_t index,
                           const struct pv_ir_marks *marks, struct pv_str *out) {
  const struct pv_function *f = &p->functions.at[index];
  print_head(p, f, index == p->start, out);
  if (!f->defined) return;
  print_locals(p, f, out);
  pv_str_addf(out, "  entry L%u, exit L%u\n", f->entry, f->exit);
  for (uint32_t i = 0; i < f->edges.n; i++) {
    const struct pv_edge *e = &f->edges.at[i];
    size_t line = out->n;
    bool first = i == 0 || f->edges.at[i - 1].from != e->from;
    bool loop = first && e->from < f->locs.n && f->locs.at[e->from].loop_head;
    bool marked = marks && marks->has(marks->set, index, i);
    pv_str_addf(out, "%s %sL%u -> L%u", marked ? "+" : " ", loop ? "*" : " ", e->from, e->to);
    pad_to(out, line, 15);
    pv_str_addc(out, ' ');
    pv_edge_print(p, f, e, out);
    comment_place(p, e->span, true, line, out);
    pv_str_addc(out, '\n');
  }
}

static void print_text(const struct pv_program *p, const struct pv_ir_marks *marks,
                       struct pv_str *out) {
  pv_str_addf(out, "program: %u-bit pointers, %u functions, %u globals\n", p->pointer_bits,
              p->functions.n, p->globals.n);
  if (p->prims.n) pv_str_add(out, "\n");
  for (uint32_t i = 0; i < p->prims.n; i++) pv_str_addf(out, "primitive %s\n", p->prims.at[i].name);
  for (uint32_t i = 0; i < p->invariants.n; i++)
    pv_str_addf(out, "%sinvariant %s\n", i ? "" : "\n", p->functions.at[p->invariants.at[i]].name);
  if (p->globals.n) pv_str_add(out, "\n");
  for (unsigned model = 0; model < 2; model++) /* the program's own functions first */
    for (uint32_t i = 0; i < p->globals.n; i++)
      if (p->globals.at[i].is_model == model) print_global(p, &p->globals.at[i], out);
  for (unsigned model = 0; model < 2; model++)
    for (uint32_t i = 0; i < p->functions.n; i++) {
      if (p->functions.at[i].is_model != model) continue;
      pv_str_addc(out, '\n');
      print_function(p, i, marks, out);
    }
}

void pv_program_print(const struct pv_program *p, enum pv_ir_format format, struct pv_str *out) {
  switch (format) {
  case PV_IR_TEXT: print_text(p, NULL, out); return;
  case PV_IR_DOT: pv_print_dot(p, out); return;
  case PV_IR_C: pv_print_c(p, false, out); return;
  case PV_IR_C_SECTIONS: pv_print_c(p, true, out); return;
  }
}

void pv_program_print_marked(const struct pv_program *p, struct pv_ir_marks marks,
                             struct pv_str *out) {
  print_text(p, &marks, out);
}
