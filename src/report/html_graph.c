/* html_graph.c -- control-flow graphs, laid out by Graphviz. `dot` sees only numbers and sizes, no
 * text of the program; the page draws the blocks and edges where it puts them. */
#include "report/html_internal.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
  MOST_FUNCTIONS = 200,
  MOST_BLOCKS = 400, /* of a function that is drawn */
  MOST_LINES = 12,   /* of a block that are drawn */
  MOST_COLUMNS = 44, /* of a line */
  LABEL = 28         /* longest label of an edge */
};
static const double column = 7.3, row = 19, margin = 18; /* in points: 1/72 inch */

struct block {
  PV_VEC(uint32_t) lines;
  uint32_t columns; /* of the longest line */
  bool is_end;
};
struct arrow {
  uint32_t from, to;
  char *label; /* or NULL */
};
struct graph {
  const struct pv_program *program;
  const struct pv_function *f;
  uint32_t file;
  uint32_t *block; /* of a location where one begins: 1 + its number */
  PV_VEC(struct block) blocks;
  PV_VEC(struct arrow) arrows;
};

/* ---- blocks -----------------------------------------------------------------------------------
 */
static uint32_t columns_of(const struct pv_program *p, uint32_t span) {
  struct pv_str text = {0}, clean = {0};
  pv_span_text(p, span, &text);
  uint32_t n = pv_report_clean(pv_str_cstr(&text), MOST_COLUMNS, true, &clean);
  pv_str_free(&text);
  pv_str_free(&clean);
  return n;
}

static void add_line(struct graph *g, struct block *b, uint32_t span) {
  const struct pv_span *s = pv_span_of(g->program, span);
  if (!s->line || s->file != g->file) return;
  for (uint32_t i = 0; i < b->lines.n; i++)
    if (b->lines.at[i] == s->line) return;
  uint32_t n = columns_of(g->program, span);
  if (n > b->columns) b->columns = n;
  pv_vec_push(&b->lines, s->line);
}

/* Does a block begin at the location? */
static bool begins(const struct graph *g, pv_loc l, const bool *behind_branch) {
  return l == g->f->entry || g->f->locs.at[l].n_in != 1 || behind_branch[l];
}

/* The only edge that leads to the location; NULL: there are none, or several. */
static const struct pv_edge *edge_before(const struct graph *g, pv_loc l) {
  const struct pv_edge *only = NULL;
  if (g->f->locs.at[l].n_in != 1) return NULL;
  for (uint32_t i = 0; i < g->f->edges.n && !only; i++)
    if (g->f->edges.at[i].to == l) only = &g->f->edges.at[i];
  return only;
}

/* What was stored in the temporary variable shortly before the edge; NULL: not known. */
static char *stored(const struct graph *g, const struct pv_edge *at, uint32_t var) {
  enum { FAR = 8 };
  const struct pv_edge *e = edge_before(g, at->from);
  for (int i = 0; i < FAR && e; i++) {
    if ((e->op == PV_OP_LOAD || e->op == PV_OP_ASSIGN) && e->dst == var) break;
    e = edge_before(g, e->from);
  }
  if (!e || (e->op != PV_OP_LOAD && e->op != PV_OP_ASSIGN) || e->dst != var) return NULL;
  struct pv_str text = {0};
  pv_edge_print(g->program, g->f, e, &text);
  char *value = strstr(pv_str_cstr(&text), " = ");
  char *order = value ? strrchr(value, '(') : NULL; /* "x (seq_cst)" */
  if (order && order[-1] == ' ' &&
      order[1 + strspn(order + 1, "abcdefghijklmnopqrstuvwxyz_")] == ')')
    order[-1] = 0;
  char *out = value && value[3] ? pv_strdup(value + 3) : NULL;
  pv_str_free(&text);
  return out;
}

static size_t word_at(const char *c) {
  size_t n = 0;
  while (c[n] == '_' || (c[n] >= '0' && c[n] <= '9') || ((c[n] | 32) >= 'a' && (c[n] | 32) <= 'z'))
    n++;
  return n;
}

/* The temporary variable with this name; UINT32_MAX: there is none. */
static uint32_t temporary(const struct graph *g, const char *name, size_t n) {
  for (uint32_t i = 0; i < g->f->vars.n && n; i++) {
    const struct pv_variable *v = &g->f->vars.at[i];
    if (v->is_temp && v->name && strlen(v->name) == n && !memcmp(v->name, name, n)) return i;
  }
  return UINT32_MAX;
}

/* The condition as in the source: what was read instead of temporary variables, and no signs for
 * unsigned comparisons. Nothing if it cannot be said like this. */
static void add_condition(const struct graph *g, const struct pv_edge *e, struct pv_str *out) {
  struct pv_str text = {0};
  pv_expr_print(g->program, g->f, e->e[0], &text);
  for (const char *c = pv_str_cstr(&text); *c;) {
    size_t n = word_at(c);
    uint32_t var = temporary(g, c, n);
    char *value = var == UINT32_MAX ? NULL : stored(g, e, var);
    bool sign = *c == 'u' && n == 1 && out->n && strchr("<=>", out->at[out->n - 1]);
    if (value)
      pv_str_add(out, value);
    else if (!sign)
      pv_str_addn(out, c, n ? n : 1);
    free(value);
    c += n ? n : 1;
  }
  pv_str_free(&text);
  bool unclear = false;
  for (const char *c = pv_str_cstr(out); *c && !unclear; c += word_at(c) ? word_at(c) : 1)
    unclear = temporary(g, c, word_at(c)) != UINT32_MAX;
  if (unclear) pv_str_clear(out);
}

static void add_arrow(struct graph *g, uint32_t from, const struct pv_edge *e) {
  struct arrow a = {from, g->block[e->to] - 1, NULL};
  struct pv_str text = {0};
  if (e->op == PV_OP_ASSUME) {
    add_condition(g, e, &text);
    struct pv_str clean = {0};
    if (text.n) pv_report_clean(pv_str_cstr(&text), LABEL, true, &clean);
    a.label = clean.at;
  }
  pv_str_free(&text);
  pv_vec_push(&g->arrows, a);
}

/* Lines are shown in the order of the source. */
static void sort_lines(struct block *b) {
  for (uint32_t i = 1; i < b->lines.n; i++)
    for (uint32_t k = i; k && b->lines.at[k - 1] > b->lines.at[k]; k--) {
      uint32_t line = b->lines.at[k];
      b->lines.at[k] = b->lines.at[k - 1];
      b->lines.at[k - 1] = line;
    }
}

/* Follows the only edges from the beginning of the block. */
static void fill_block(struct graph *g, pv_loc l) {
  uint32_t number = g->block[l] - 1;
  for (;;) {
    const struct pv_location *at = &g->f->locs.at[l];
    for (uint32_t i = 0; i < at->n_out; i++) {
      const struct pv_edge *e = &g->f->edges.at[at->first_out + i];
      add_line(g, &g->blocks.at[number], e->span);
      if (at->n_out > 1 || g->block[e->to]) add_arrow(g, number, e);
    }
    if (!at->n_out) g->blocks.at[number].is_end = true;
    if (at->n_out != 1) return;
    l = g->f->edges.at[at->first_out].to;
    if (g->block[l]) return;
  }
}

static void make_graph(struct graph *g) {
  const struct pv_function *f = g->f;
  bool *behind_branch = pv_alloc(f->locs.n + 1);
  g->block = pv_alloc((f->locs.n + 1) * sizeof *g->block);
  g->file = pv_span_of(g->program, f->span)->file;
  for (uint32_t i = 0; i < f->edges.n; i++)
    if (f->locs.at[f->edges.at[i].from].n_out > 1) behind_branch[f->edges.at[i].to] = true;
  for (uint32_t l = 0; l < f->locs.n; l++) {
    bool used = l == f->entry || f->locs.at[l].n_in;
    if (!used || !begins(g, l, behind_branch)) continue;
    struct block b = {0};
    pv_vec_push(&g->blocks, b);
    g->block[l] = g->blocks.n;
  }
  for (uint32_t l = 0; l < f->locs.n; l++)
    if (g->block[l]) fill_block(g, l);
  for (uint32_t i = 0; i < g->blocks.n; i++) sort_lines(&g->blocks.at[i]);
  free(behind_branch);
}

static void free_graph(struct graph *g) {
  for (uint32_t i = 0; i < g->blocks.n; i++) pv_vec_free(&g->blocks.at[i].lines);
  for (uint32_t i = 0; i < g->arrows.n; i++) free(g->arrows.at[i].label);
  pv_vec_free(&g->blocks);
  pv_vec_free(&g->arrows);
  free(g->block);
}

/* ---- for Graphviz -----------------------------------------------------------------------------
 */
static void add_dot(const struct graph *g, struct pv_str *out) {
  pv_str_add(out, "digraph {\nnode [shape=box, fixedsize=true];\n"
                  "edge [fontname=Courier, fontsize=12];\nranksep=0.4; nodesep=0.35;\n");
  for (uint32_t i = 0; i < g->blocks.n; i++) {
    const struct block *b = &g->blocks.at[i];
    uint32_t lines = b->lines.n < MOST_LINES ? b->lines.n : MOST_LINES + 1;
    double width = lines ? (b->columns + 6) * column + margin : 40;
    double height = lines ? lines * row + margin / 2 : 22;
    pv_str_addf(out, "b%" PRIu32 " [width=%.3f, height=%.3f];\n", i, width / 72, height / 72);
  }
  for (uint32_t i = 0; i < g->arrows.n; i++) {
    const struct arrow *a = &g->arrows.at[i];
    pv_str_addf(out, "b%" PRIu32 " -> b%" PRIu32, a->from, a->to);
    pv_layout_label(i, a->label ? (uint32_t)strlen(a->label) : 0, out);
    pv_str_add(out, ";\n");
  }
  pv_str_add(out, "}\n");
}

/* ---- the layout as JSON -----------------------------------------------------------------------
 */
static void add_block(const struct graph *g, uint32_t i, const struct pv_layout_node *n,
                      const char *before, struct pv_str *out) {
  pv_str_addf(out, "%s[%" PRIu32 ",%.1f,%.1f,%.1f,%.1f,[", before, i, n->x, n->y, n->width,
              n->height);
  const struct block *b = &g->blocks.at[i];
  for (uint32_t k = 0; k < b->lines.n; k++)
    pv_str_addf(out, "%s%" PRIu32, k ? "," : "", b->lines.at[k]);
  pv_str_addf(out, "],%d]", b->is_end);
}

static void add_edge(const struct graph *g, uint32_t i, const struct pv_layout_edge *e,
                     const char *before, struct pv_str *out) {
  pv_str_add(out, before);
  pv_str_addc(out, '[');
  pv_layout_points(e, out);
  pv_str_addc(out, ',');
  pv_html_json(g->arrows.at[i].label, out);
  pv_str_addf(out, ",%.1f,%.1f]", e->x, e->y);
}

/* Reads one graph of the output, up to its line "stop". */
static char *add_graph(const struct graph *g, char *text, struct pv_str *out) {
  struct pv_str blocks = {0}, edges = {0};
  struct pv_graph_layout l = {0};
  text = pv_graph_layout_read(text, g->blocks.n, g->arrows.n, &l);
  for (uint32_t i = 0; i < l.nodes.n; i++)
    if (l.nodes.at[i].known) add_block(g, i, &l.nodes.at[i], blocks.n ? "," : "", &blocks);
  for (uint32_t i = 0; i < l.edges.n; i++)
    if (l.edges.at[i].points.n) add_edge(g, i, &l.edges.at[i], edges.n ? "," : "", &edges);
  pv_str_addf(out, "\"width\":%.1f,\"height\":%.1f,\"blocks\":[%s],\"edges\":[%s]}", l.width,
              l.height, pv_str_cstr(&blocks), pv_str_cstr(&edges));
  pv_graph_layout_clear(&l);
  pv_str_free(&blocks);
  pv_str_free(&edges);
  return text;
}

typedef PV_VEC(struct graph) graphs;

static void make_graphs(const struct pv_program *p, const uint32_t *file, graphs *list,
                        struct pv_str *dot) {
  for (uint32_t i = 0; i < p->functions.n && list->n < MOST_FUNCTIONS; i++) {
    const struct pv_function *f = &p->functions.at[i];
    bool is_own = f->defined && !f->is_library && !f->is_model;
    if (!is_own || !pv_span_of(p, f->span)->line) continue;
    if (file[pv_span_of(p, f->span)->file] == UINT32_MAX) continue;
    struct graph g = {.program = p, .f = f};
    make_graph(&g);
    if (g.blocks.n > MOST_BLOCKS) {
      free_graph(&g);
      continue;
    }
    add_dot(&g, dot);
    pv_vec_push(list, g);
  }
}

void pv_html_graphs(const struct pv_program *p, const uint32_t *file, struct pv_str *out) {
  struct pv_str dot = {0}, layout = {0};
  graphs list = {0};
  make_graphs(p, file, &list, &dot);
  bool right = pv_layout_run(&dot, &layout);
  right &= layout.n || !list.n;
  char *text = layout.at;
  pv_str_add(out, right ? "[" : "null");
  for (uint32_t i = 0; i < list.n; i++) {
    const struct graph *g = &list.at[i];
    if (right) {
      pv_str_add(out, i ? ",\n{\"name\":" : "\n{\"name\":");
      pv_html_json(g->f->name, out);
      pv_str_addf(out, ",\"file\":%" PRIu32 ",\"line\":%" PRIu32 ",", file[g->file],
                  pv_span_of(p, g->f->span)->line);
      text = add_graph(g, text, out);
    }
    free_graph(&list.at[i]);
  }
  if (right) pv_str_addc(out, ']');
  pv_vec_free(&list);
  pv_str_free(&dot);
  pv_str_free(&layout);
}
