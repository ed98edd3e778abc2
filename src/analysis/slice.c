#include "analysis/slice.h"

#include "analysis/dependence_internal.h"

/* BELOW: reached by descending into a call, so it must not be left upwards. ABOVE: in any call. */
enum { ABOVE = 1, BELOW = 2 };

struct pv_slice *pv_slice_new(const struct pv_dependence *graph) {
  struct pv_slice *s = pv_alloc(sizeof *s);
  s->graph = graph;
  s->edges_at = graph->edges_at;
  s->edges = pv_alloc(((size_t)graph->n_edges / 64 + 1) * sizeof *s->edges);
  s->marks = pv_alloc((size_t)graph->kind.n + 1);
  return s;
}

void pv_slice_free(struct pv_slice *s) {
  if (!s) return;
  free(s->edges);
  free(s->marks);
  pv_vec_free(&s->todo);
  free(s);
}

/* ---- edges ----------------------------------------------------------------------------------- */
static void add_edge(struct pv_slice *s, uint32_t at) {
  uint64_t bit = UINT64_C(1) << at % 64;
  s->n += !(s->edges[at / 64] & bit);
  s->edges[at / 64] |= bit;
}

static void add_statement(struct pv_slice *s, uint32_t function, pv_loc l) {
  const struct pv_location *at = &s->graph->p->functions.at[function].locs.at[l];
  for (uint32_t i = 0; i < at->n_out; i++) add_edge(s, s->edges_at[function] + at->first_out + i);
}

/* ---- the walk -------------------------------------------------------------------------------- */
static void reach(struct pv_slice *s, uint32_t node, unsigned mark) {
  if (node < s->graph->n_wide) mark = ABOVE;
  if (s->marks[node] & (ABOVE | mark)) return; /* a node marked ABOVE needs nothing more */
  s->marks[node] |= (uint8_t)mark;
  pv_vec_push(&s->todo, node);
}

/* Continues from the inputs of a procedure, or from its entry, to all its callers. */
static void go_up(struct pv_slice *s, uint32_t node) {
  const struct pv_dependence *d = s->graph;
  uint32_t procedure = d->owner.at[node], number = d->number.at[node];
  bool entry = d->kind.at[node] == PV_DEP_ENTRY;
  for (uint32_t i = d->callers.first[procedure]; i < d->callers.first[procedure + 1]; i++) {
    const struct pv_dep_site *site = &d->sites.at[d->callers.to[i]];
    const struct pv_dep_procedure *caller = &d->procedures.at[site->function];
    pv_loc at = d->p->functions.at[site->function].edges.at[site->edge].from;
    uint32_t to = entry ? caller->first + at : pv_dep_sent(d, site, number);
    if (to != PV_NO_GRAPH_NODE) reach(s, to, ABOVE);
  }
  for (uint32_t i = d->dispatchers.first[procedure]; i < d->dispatchers.first[procedure + 1]; i++) {
    const struct pv_dep_procedure *by = &d->procedures.at[d->dispatchers.to[i]];
    uint32_t in = entry ? 0 : pv_dep_in_of_dispatcher(d, d->dispatchers.to[i], procedure, number);
    if (in != PV_NO_GRAPH_NODE) reach(s, entry ? by->entry : by->in_at + in, ABOVE);
  }
}

/* Continues from a result of a call to that of the callee, and across the call to what it depends
 * on. */
static void go_down(struct pv_slice *s, uint32_t node, unsigned mark) {
  const struct pv_dependence *d = s->graph;
  const struct pv_dep_site *site = &d->sites.at[d->owner.at[node]];
  const struct pv_dep_procedure *q = &d->procedures.at[site->procedure];
  uint32_t number = pv_dep_number_of_got(d, site, node);
  const uint64_t *needs = q->summary + (size_t)number * pv_dep_words(q);
  for (uint32_t w = 0; w < pv_dep_words(q); w++)
    for (uint64_t rest = needs[w]; rest; rest &= rest - 1) {
      uint32_t sent = pv_dep_sent(d, site, 64 * w + (uint32_t)__builtin_ctzll(rest));
      if (sent != PV_NO_GRAPH_NODE) reach(s, sent, mark);
    }
  reach(s, q->out_at + number, BELOW);
}

static void go_to_callees(struct pv_slice *s, uint32_t node) {
  const struct pv_dependence *d = s->graph;
  uint32_t dispatcher = d->owner.at[node];
  const struct pv_dep_procedure *q = &d->procedures.at[dispatcher];
  for (uint32_t i = 0; i < q->n_callees; i++) {
    uint32_t callee = d->callees.at[q->callees + i];
    uint32_t out = pv_dep_out_of_callee(d, dispatcher, callee, d->number.at[node]);
    if (out != PV_NO_GRAPH_NODE) reach(s, d->procedures.at[callee].out_at + out, BELOW);
  }
}

static void visit(struct pv_slice *s, uint32_t node) {
  const struct pv_dependence *d = s->graph;
  unsigned mark = s->marks[node] & ABOVE ? ABOVE : BELOW;
  for (uint32_t i = d->first.at[node]; i < d->first.at[node + 1]; i++) reach(s, d->to.at[i], mark);
  switch ((enum pv_dep_kind)d->kind.at[node]) {
  case PV_DEP_WIDE:
    for (uint32_t i = d->wide.first[node]; i < d->wide.first[node + 1]; i++)
      reach(s, d->wide.to[i], ABOVE);
    break;
  case PV_DEP_STATEMENT: add_statement(s, d->owner.at[node], d->number.at[node]); break;
  case PV_DEP_ENTRY:
  case PV_DEP_IN:
    if (mark == ABOVE) go_up(s, node);
    break;
  case PV_DEP_GOT: go_down(s, node, mark); break;
  case PV_DEP_OUT: go_to_callees(s, node); break;
  case PV_DEP_SENT:
  case PV_DEP_RESULT:
  case PV_DEP_PASS:
  case PV_DEP_BRANCHES:
  case PV_DEP_PLACE:
  case PV_DEP_VERSION:
  case PV_DEP_MERGE: break;
  }
}

/* ---- completion ------------------------------------------------------------------------------ */
static void finish(struct pv_slice *s) {
  while (s->todo.n) visit(s, pv_vec_pop(&s->todo));
}

/* The inputs of the site's procedure that matter anywhere matter here. */
static void complete_site(struct pv_slice *s, const struct pv_dep_site *site) {
  const struct pv_dependence *d = s->graph;
  const struct pv_dep_procedure *q = &d->procedures.at[site->procedure];
  pv_loc at = d->p->functions.at[site->function].edges.at[site->edge].from;
  unsigned mark = s->marks[d->procedures.at[site->function].first + at] & ABOVE ? ABOVE : BELOW;
  if (!pv_slice_has(s, site->function, site->edge)) return;
  for (uint32_t i = 0; i < pv_dep_n_in(q); i++) {
    uint32_t sent = s->marks[q->in_at + i] ? pv_dep_sent(d, site, i) : PV_NO_GRAPH_NODE;
    if (sent != PV_NO_GRAPH_NODE) reach(s, sent, mark);
  }
}

/* The inputs of the functions behind a pointer are inputs of the dispatcher. */
static void complete_dispatcher(struct pv_slice *s, uint32_t dispatcher) {
  const struct pv_dependence *d = s->graph;
  const struct pv_dep_procedure *by = &d->procedures.at[dispatcher];
  for (uint32_t k = 0; k < by->n_callees; k++) {
    uint32_t callee = d->callees.at[by->callees + k];
    const struct pv_dep_procedure *q = &d->procedures.at[callee];
    for (uint32_t i = 0; i < pv_dep_n_in(q); i++) {
      uint32_t in = s->marks[q->in_at + i] ? pv_dep_in_of_dispatcher(d, dispatcher, callee, i)
                                           : PV_NO_GRAPH_NODE;
      if (in != PV_NO_GRAPH_NODE) reach(s, by->in_at + in, BELOW);
    }
  }
}

void pv_slice_complete(struct pv_slice *s) {
  const struct pv_dependence *d = s->graph;
  for (bool again = true; again;) {
    again = false;
    for (uint32_t q = d->p->functions.n; q < d->procedures.n; q++) complete_dispatcher(s, q);
    again |= s->todo.n > 0;
    finish(s);
    for (uint32_t i = 0; i < d->sites.n; i++) complete_site(s, &d->sites.at[i]);
    again |= s->todo.n > 0;
    finish(s);
  }
}

void pv_slice_add(struct pv_slice *s, uint32_t function, uint32_t edge) {
  const struct pv_dependence *d = s->graph;
  const struct pv_function *f = &d->p->functions.at[function];
  const struct pv_dep_procedure *q = &d->procedures.at[function];
  PV_REQUIRE(edge < f->edges.n, "no such edge");
  pv_loc at = f->edges.at[edge].from;
  add_statement(s, function, at);
  if (!q->runs) return;
  reach(s, q->first + at, ABOVE);
  for (uint32_t i = f->locs.at[at].first_out; i < f->locs.at[at].first_out + f->locs.at[at].n_out;
       i++) {
    uint32_t n, first = pv_dep_arguments(d, function, i, &n);
    for (uint32_t k = 0; k < n; k++) reach(s, first + k, ABOVE);
  }
  finish(s);
}

void pv_slice_add_place(struct pv_slice *s, uint32_t function, uint32_t edge) {
  pv_loc at = s->graph->p->functions.at[function].edges.at[edge].from;
  uint32_t node = pv_dep_place(s->graph, function, at);
  if (!s->graph->procedures.at[function].runs) return;
  if (node == PV_NO_GRAPH_NODE) {
    pv_slice_add(s, function, edge);
    return;
  }
  reach(s, node, ABOVE);
  finish(s);
}

bool pv_slice_matters_always(const struct pv_slice *s, uint32_t function, uint32_t edge) {
  const struct pv_dep_procedure *q = &s->graph->procedures.at[function];
  pv_loc at = s->graph->p->functions.at[function].edges.at[edge].from;
  return q->runs && s->marks[q->first + at] & ABOVE;
}

bool pv_slice_has_argument(const struct pv_slice *s, uint32_t function, uint32_t edge, uint32_t i) {
  const struct pv_edge *e = &s->graph->p->functions.at[function].edges.at[edge];
  uint32_t n, first = pv_dep_arguments(s->graph, function, edge, &n);
  /* The second and third argument are passed to the thread. */
  if (pv_creates_thread(s->graph->p, e) && n) {
    if (i < 1 || i > 2) return pv_slice_has(s, function, edge);
    i--;
  } else if (!n && e->op != PV_OP_RETURN) {
    return pv_slice_has(s, function, edge);
  }
  return i < n && s->marks[first + i] != 0;
}

void pv_slice_add_all(struct pv_slice *s) {
  for (uint32_t i = 0; i < s->graph->n_edges; i++) add_edge(s, i);
  memset(s->marks, ABOVE, s->graph->kind.n);
}
