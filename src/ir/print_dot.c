/* print_dot.c -- prints the ir as a graph for graphviz: one cluster for each function; nodes are
 * locations, edges have the text of pv_edge_print. Calls are not drawn, because a graph of all
 * calls is not readable. */
#include "ir/print_internal.h"

/* In a double-quoted string of the DOT language only `"` and `\` are special. But labels give the
 * backslash a meaning of their own, so it is doubled. Bytes that are not UTF-8 would make graphviz
 * reject the file. */
static void escape(const char *text, struct pv_str *out) {
  for (const unsigned char *s = (const unsigned char *)text; *s; s++) {
    if (*s == '"' || *s == '\\')
      pv_str_addf(out, "\\%c", *s);
    else if (*s == '\n')
      pv_str_add(out, "\\l");
    else if (*s < 32 || *s >= 127)
      pv_str_addf(out, "\\\\%03o", *s);
    else
      pv_str_addc(out, (char)*s);
  }
}

static void node(const struct pv_function *f, uint32_t index, uint32_t loc, struct pv_str *out) {
  const char *shape = loc == f->entry ? "box" : loc == f->exit ? "doublecircle" : "circle";
  pv_str_addf(out, "    f%u_L%u [label=\"L%u\", shape=%s", index, loc, loc, shape);
  if (f->locs.at[loc].loop_head) pv_str_add(out, ", style=bold");
  pv_str_add(out, "];\n");
}

static void edge(const struct pv_program *p, uint32_t index, const struct pv_edge *e,
                 struct pv_str *text, struct pv_str *out) {
  pv_str_clear(text);
  pv_edge_print(p, &p->functions.at[index], e, text);
  pv_str_addf(out, "    f%u_L%u -> f%u_L%u [label=\"", index, e->from, index, e->to);
  escape(pv_str_cstr(text), out);
  pv_str_clear(text);
  pv_print_place(p, e->span, false, text);
  if (text->n) {
    pv_str_add(out, "\", tooltip=\"");
    escape(pv_str_cstr(text), out);
  }
  pv_str_add(out, e->op == PV_OP_ERROR ? "\", color=red];\n" : "\"];\n");
}

void pv_print_dot(const struct pv_program *p, struct pv_str *out) {
  struct pv_str text = {0};
  pv_str_add(out, "digraph program {\n"
                  "  node [fontname=\"monospace\", fontsize=10];\n"
                  "  edge [fontname=\"monospace\", fontsize=10];\n");
  for (uint32_t i = 0; i < p->functions.n; i++) {
    const struct pv_function *f = &p->functions.at[i];
    if (!f->defined) continue;
    pv_str_addf(out, "  subgraph cluster_%u {\n    label=\"", i);
    escape(f->name, out);
    pv_str_add(out, "\";\n");
    for (uint32_t l = 0; l < f->locs.n; l++)
      if (f->locs.at[l].n_out || f->locs.at[l].n_in || l == f->entry || l == f->exit)
        node(f, i, l, out);
    for (uint32_t k = 0; k < f->edges.n; k++) edge(p, i, &f->edges.at[k], &text, out);
    pv_str_add(out, "  }\n");
  }
  pv_str_add(out, "}\n");
  pv_str_free(&text);
}
