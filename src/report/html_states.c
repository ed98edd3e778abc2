/* html_states.c -- the graph of reachable states: laid out as it is, and with runs of one thread
 * folded. */
#include "report/html_internal.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { PLACE = 14 }; /* columns of a label */

/* A node: a state, or the end of an edge that leads to none. An edge stands for a run of them. */
struct drawing {
  const struct pv_state_graph *g;
  uint32_t *in, *out;           /* of each state: edges that lead to it, and from it */
  uint32_t *next;               /* the number of an edge from it */
  bool *is_folded;              /* it is inside of a run */
  PV_VEC(uint32_t) heads, ends; /* of what is drawn: the first edge and the last one of each run */
};

static bool is_same_thread(const struct pv_state_graph *g, uint32_t a, uint32_t b) {
  return g->edges.at[a].thread == g->edges.at[b].thread;
}

/* A state is inside of a run if one edge leads to it and one from it, both of the same thread. */
static void find_runs(struct drawing *d, bool folds) {
  const struct pv_state_graph *g = d->g;
  uint32_t *before = pv_alloc((g->states + 1) * sizeof *before);
  for (uint32_t i = 0; i < g->edges.n; i++) {
    const struct pv_state_edge *e = &g->edges.at[i];
    d->out[e->from]++;
    d->next[e->from] = i;
    if (e->end != PV_STATE_NONE) continue;
    d->in[e->to]++;
    before[e->to] = i;
  }
  for (uint32_t s = 1; s < g->states && folds; s++)
    d->is_folded[s] = d->in[s] == 1 && d->out[s] == 1 && !g->is_error[s] &&
                      is_same_thread(g, before[s], d->next[s]);
  for (uint32_t i = 0; i < g->edges.n; i++) {
    uint32_t end = i, steps = 0;
    if (d->is_folded[g->edges.at[i].from]) continue;
    while (g->edges.at[end].end == PV_STATE_NONE && d->is_folded[g->edges.at[end].to] &&
           steps++ < g->states)
      end = d->next[g->edges.at[end].to];
    pv_vec_push(&d->heads, i);
    pv_vec_push(&d->ends, end);
  }
  free(before);
}

static void free_drawing(struct drawing *d) {
  free(d->in), free(d->out), free(d->next), free(d->is_folded);
  pv_vec_free(&d->heads);
  pv_vec_free(&d->ends);
}

/* The number of the node at the end of a run; those of ends come behind the states. */
static uint32_t end_of(const struct drawing *d, uint32_t run) {
  const struct pv_state_edge *last = &d->g->edges.at[d->ends.at[run]];
  return last->end == PV_STATE_NONE ? last->to : d->g->states + run;
}

static void add_dot(const struct drawing *d, struct pv_str *out) {
  const struct pv_state_graph *g = d->g;
  pv_str_add(out, "digraph {\nnode [shape=circle, fixedsize=true, width=0.32];\n"
                  "edge [fontname=Courier, fontsize=12];\nranksep=0.35; nodesep=0.3;\n");
  for (uint32_t s = 0; s < g->states; s++)
    if (!d->is_folded[s]) pv_str_addf(out, "s%" PRIu32 ";\n", s);
  for (uint32_t r = 0; r < d->heads.n; r++) {
    const struct pv_state_edge *first = &g->edges.at[d->heads.at[r]];
    uint32_t to = end_of(d, r);
    if (to >= g->states) pv_str_addf(out, "s%" PRIu32 " [width=0.2];\n", to);
    pv_str_addf(out, "s%" PRIu32 " -> s%" PRIu32, first->from, to);
    pv_layout_label(r, PLACE, out);
    pv_str_add(out, ";\n");
  }
  pv_str_add(out, "}\n");
}

/* [state, x, y, kind]; kind 0: a state, 1: with an error, 2: the program ended, 3: cut off, 4: an
 * error of the step. */
static void add_node(const struct drawing *d, uint32_t i, const struct pv_layout_node *n,
                     struct pv_str *out) {
  int kind = i < d->g->states ? d->g->is_error[i] : 0;
  if (i >= d->g->states) {
    enum pv_state_end end = d->g->edges.at[d->ends.at[i - d->g->states]].end;
    kind = end == PV_STATE_ENDED ? 2 : end == PV_STATE_CUT ? 3 : 4;
  }
  pv_str_addf(out, "%s[%" PRIu32 ",%.1f,%.1f,%d]", out->n ? "," : "", i, n->x, n->y, kind);
}

/* [from, to, points, label x, label y, thread, function, [[file, line, alternative]...]]. */
static void add_edge(const struct drawing *d, uint32_t run, const struct pv_layout_edge *l,
                     const struct pv_map *files, struct pv_str *out) {
  const struct pv_state_graph *g = d->g;
  const struct pv_state_edge *first = &g->edges.at[d->heads.at[run]];
  pv_str_addf(out, "%s[%" PRIu32 ",%" PRIu32 ",", out->n ? ",\n" : "", first->from, end_of(d, run));
  pv_layout_points(l, out);
  pv_str_addf(out, ",%.1f,%.1f,%" PRIu32 ",", l->x, l->y, first->thread);
  pv_html_json(first->function, out);
  pv_str_add(out, ",[");
  for (uint32_t i = d->heads.at[run];; i = d->next[g->edges.at[i].to]) {
    const struct pv_state_edge *e = &g->edges.at[i];
    const uint32_t *file = e->file ? pv_map_get_str(files, e->file) : NULL;
    pv_str_addf(out, "%s[%" PRId64 ",%" PRIu32 ",%" PRIu32 "]", e == first ? "" : ",",
                file ? (int64_t)*file : -1, e->line, e->alternative);
    if (i == d->ends.at[run]) break;
  }
  pv_str_add(out, "]]");
}

static char *add_drawing(const struct drawing *d, char *text, const struct pv_map *files,
                         struct pv_str *out) {
  struct pv_graph_layout l;
  struct pv_str nodes = {0}, edges = {0};
  text = pv_graph_layout_read(text, d->g->states + d->heads.n, d->heads.n, &l);
  for (uint32_t i = 0; i < l.nodes.n; i++)
    if (l.nodes.at[i].known) add_node(d, i, &l.nodes.at[i], &nodes);
  for (uint32_t i = 0; i < l.edges.n; i++)
    if (l.edges.at[i].points.n) add_edge(d, i, &l.edges.at[i], files, &edges);
  pv_str_addf(out, "{\"width\":%.1f,\"height\":%.1f,\"nodes\":[%s],\n\"edges\":[%s]}", l.width,
              l.height, pv_str_cstr(&nodes), pv_str_cstr(&edges));
  pv_graph_layout_clear(&l);
  pv_str_free(&nodes);
  pv_str_free(&edges);
  return text;
}

void pv_html_states(const struct pv_state_graph *g, const struct pv_map *files,
                    struct pv_str *out) {
  struct pv_str dot = {0}, layout = {0};
  struct drawing d[2];
  size_t room = (g->states + 1) * sizeof(uint32_t);
  for (int i = 0; i < 2; i++) {
    d[i] = (struct drawing){.g = g,
                            .in = pv_alloc(room),
                            .out = pv_alloc(room),
                            .next = pv_alloc(room),
                            .is_folded = pv_alloc(g->states + 1)};
    find_runs(&d[i], i == 1);
    add_dot(&d[i], &dot);
  }
  if (pv_layout_run(&dot, &layout)) {
    char *text = layout.at;
    bool threads = false;
    for (uint32_t i = 0; i < g->edges.n; i++) threads |= g->edges.at[i].thread > 0;
    pv_str_addf(out,
                "{\"states\":%" PRIu32 ",\"reduced\":%s,\"threads\":%s,\n\"whole\":", g->states,
                g->is_reduced ? "true" : "false", threads ? "true" : "false");
    text = add_drawing(&d[0], text, files, out);
    pv_str_add(out, ",\n\"folded\":");
    add_drawing(&d[1], text, files, out);
    pv_str_addc(out, '}');
  } else {
    pv_str_add(out, "null");
  }
  for (int i = 0; i < 2; i++) free_drawing(&d[i]);
  pv_str_free(&dot);
  pv_str_free(&layout);
}
