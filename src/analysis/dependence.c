#include "analysis/dependence_internal.h"

uint32_t pv_dep_node(struct pv_dependence *d, enum pv_dep_kind kind, uint32_t owner,
                     uint32_t number) {
  pv_vec_push(&d->kind, (uint8_t)kind);
  pv_vec_push(&d->owner, owner);
  pv_vec_push(&d->number, number);
  return d->kind.n - 1;
}

static void number_edges(struct pv_dependence *d) {
  d->edges_at = pv_alloc((d->p->functions.n + 1) * sizeof *d->edges_at);
  for (uint32_t f = 0; f < d->p->functions.n; f++) {
    d->edges_at[f] = d->n_edges;
    d->n_edges += d->p->functions.at[f].edges.n;
  }
}

static void add_dispatchers(struct pv_dependence *d) {
  for (uint32_t i = d->p->functions.n; i < d->procedures.n; i++) {
    struct pv_dep_procedure *q = &d->procedures.at[i];
    q->first = q->entry = pv_dep_node(d, PV_DEP_ENTRY, i, 0);
    q->in_at = d->kind.n;
    for (uint32_t k = 0; k < pv_dep_n_in(q); k++) pv_dep_node(d, PV_DEP_IN, i, k);
    q->out_at = d->kind.n;
    for (uint32_t k = 0; k < pv_dep_n_out(q); k++) pv_dep_node(d, PV_DEP_OUT, i, k);
    q->end = d->kind.n;
  }
}

/* Completes the index of arcs for nodes without arcs, up to the last node. */
static void close_arcs(struct pv_dependence *d) {
  while (d->first.n < d->kind.n + 1) pv_vec_push(&d->first, d->to.n);
}

static void build(struct pv_dep_build *b) {
  struct pv_dependence *d = b->d;
  uint32_t groups = pv_accesses_groups(b->accesses);
  b->seen = pv_alloc((b->p->exprs.n + 1) * sizeof *b->seen);
  b->thing = pv_alloc((groups + 1) * sizeof *b->thing);
  b->thing_at = pv_alloc((groups + 1) * sizeof *b->thing_at);
  pv_dep_find_calls(b);
  for (uint32_t i = 0; i < d->n_wide; i++) pv_vec_push(&d->first, 0);
  for (uint32_t f = 0; f < b->p->functions.n; f++) pv_dep_build_function(b, f);
  add_dispatchers(d);
  close_arcs(d);
  d->wide = pv_graph_new(d->n_wide, &b->wide_arcs);
  pv_vec_free(&b->arcs);
  pv_vec_free(&b->wide_arcs);
  free(b->seen);
  free(b->thing);
  free(b->thing_at);
  free(b->is_wide);
  free(b->wide_node);
}

struct pv_dependence *pv_dependence_new(const struct pv_program *p, const struct pv_points_to *pt,
                                        const struct pv_dependence_options *options) {
  struct pv_dependence *d = pv_alloc(sizeof *d);
  struct pv_dep_build b = {.d = d, .p = p, .pt = pt};
  d->p = p;
  if (options) d->options = *options;
  number_edges(d);
  b.calls = pv_call_graph_new(p, pt);
  b.termination = pv_termination_new(p, b.calls, d->options.all_loops);
  b.accesses = pv_accesses_new(p, pt, b.calls);
  build(&b);
  pv_accesses_free(b.accesses);
  pv_termination_free(b.termination);
  pv_call_graph_free(b.calls);
  pv_dep_summarise(d);
  return d;
}

void pv_dependence_free(struct pv_dependence *d) {
  if (!d) return;
  for (uint32_t q = 0; q < d->procedures.n; q++) free(d->procedures.at[q].summary);
  pv_vec_free(&d->groups);
  pv_vec_free(&d->callees);
  pv_vec_free(&d->procedures);
  pv_vec_free(&d->sites);
  pv_vec_free(&d->returns);
  pv_vec_free(&d->places);
  pv_vec_free(&d->kind);
  pv_vec_free(&d->owner);
  pv_vec_free(&d->number);
  pv_vec_free(&d->first);
  pv_vec_free(&d->to);
  pv_graph_free(&d->callers);
  pv_graph_free(&d->dispatchers);
  pv_graph_free(&d->wide);
  free(d->edges_at);
  free(d);
}

const struct pv_program *pv_dependence_program(const struct pv_dependence *d) {
  return d->p;
}

struct pv_dependence_stats pv_dependence_stats(const struct pv_dependence *d) {
  struct pv_dependence_stats s = d->stats;
  s.nodes = d->kind.n;
  s.arcs = d->to.n + (d->n_wide ? d->wide.first[d->n_wide] : 0);
  s.sites = d->sites.n;
  for (uint32_t i = 0; i < d->kind.n; i++) s.statements += d->kind.at[i] == PV_DEP_STATEMENT;
  s.bytes +=
      (uint64_t)s.nodes * 13 + (uint64_t)s.arcs * 4 + (uint64_t)s.sites * sizeof *d->sites.at;
  return s;
}
