/* dependence_summary.c -- computes summary arcs: which results of a procedure depend on which of
 * its inputs.
 *
 * Goes backwards through a function from 64 results at a time, with one bit for each. At a
 * call, the summary of the callee gives the arguments. Callees are processed first; procedures
 * that call each other, until no summary grows. The arcs are those of Reps, Horwitz, Sagiv,
 * Rosay, FSE 1994. */
#include "analysis/dependence_internal.h"

enum { BATCH = 64 };

struct summary {
  struct pv_dependence *d;
  uint64_t *mask; /* by node of the function, from its first node on */
  uint8_t *queued;
  PV_VEC(uint32_t) todo;
};

static uint64_t *row(const struct pv_dep_procedure *q, uint32_t out) {
  return q->summary + (size_t)out * pv_dep_words(q);
}

static bool add_bit(struct pv_dep_procedure *q, uint32_t out, uint32_t in) {
  uint64_t *word = row(q, out) + in / 64, bit = UINT64_C(1) << in % 64;
  bool is_new = !(*word & bit);
  *word |= bit;
  return is_new;
}

/* ---- functions ------------------------------------------------------------------------------- */
static void reach(struct summary *s, const struct pv_dep_procedure *q, uint32_t node,
                  uint64_t bits) {
  if (node < q->first || node >= q->end) return; /* a wide group */
  uint64_t *mask = &s->mask[node - q->first];
  if ((*mask | bits) == *mask) return;
  *mask |= bits;
  if (s->queued[node - q->first]) return;
  s->queued[node - q->first] = 1;
  pv_vec_push(&s->todo, node);
}

static void reach_sent(struct summary *s, const struct pv_dep_procedure *q, uint32_t node,
                       uint64_t bits) {
  struct pv_dependence *d = s->d;
  const struct pv_dep_site *site = &d->sites.at[d->owner.at[node]];
  const struct pv_dep_procedure *to = &d->procedures.at[site->procedure];
  if (!to->summary) return;
  const uint64_t *needs = row(to, pv_dep_number_of_got(d, site, node));
  for (uint32_t w = 0; w < pv_dep_words(to); w++)
    for (uint64_t rest = needs[w]; rest; rest &= rest - 1) {
      uint32_t sent = pv_dep_sent(d, site, 64 * w + (uint32_t)__builtin_ctzll(rest));
      if (sent != PV_NO_GRAPH_NODE) reach(s, q, sent, bits);
    }
}

static void walk_back(struct summary *s, const struct pv_dep_procedure *q) {
  struct pv_dependence *d = s->d;
  while (s->todo.n) {
    uint32_t node = pv_vec_pop(&s->todo);
    uint64_t bits = s->mask[node - q->first];
    s->queued[node - q->first] = 0;
    for (uint32_t i = d->first.at[node]; i < d->first.at[node + 1]; i++)
      reach(s, q, d->to.at[i], bits);
    if (d->kind.at[node] == PV_DEP_GOT) reach_sent(s, q, node, bits);
  }
}

static bool summarise_function(struct summary *s, struct pv_dep_procedure *q) {
  uint32_t n_out = pv_dep_n_out(q), n_in = pv_dep_n_in(q);
  bool grown = false;
  for (uint32_t from = 0; from < n_out; from += BATCH) {
    uint32_t n = n_out - from < BATCH ? n_out - from : BATCH;
    memset(s->mask, 0, (q->end - q->first) * sizeof *s->mask);
    for (uint32_t i = 0; i < n; i++) reach(s, q, q->out_at + from + i, UINT64_C(1) << i);
    walk_back(s, q);
    for (uint32_t in = 0; in < n_in; in++)
      for (uint64_t rest = s->mask[q->in_at + in - q->first]; rest; rest &= rest - 1)
        grown |= add_bit(q, from + (uint32_t)__builtin_ctzll(rest), in);
  }
  return grown;
}

/* ---- dispatchers ----------------------------------------------------------------------------- */
static bool add_callee(struct pv_dependence *d, uint32_t dispatcher, uint32_t callee,
                       uint32_t out) {
  struct pv_dep_procedure *q = &d->procedures.at[dispatcher];
  const struct pv_dep_procedure *c = &d->procedures.at[callee];
  uint32_t from = pv_dep_out_of_callee(d, dispatcher, callee, out);
  bool grown = false;
  if (from == PV_NO_GRAPH_NODE || !c->summary) return false;
  for (uint32_t w = 0; w < pv_dep_words(c); w++)
    for (uint64_t rest = row(c, from)[w]; rest; rest &= rest - 1) {
      uint32_t in =
          pv_dep_in_of_dispatcher(d, dispatcher, callee, 64 * w + (uint32_t)__builtin_ctzll(rest));
      if (in != PV_NO_GRAPH_NODE) grown |= add_bit(q, out, in);
    }
  return grown;
}

/* Memory that not all callees write may keep its content. */
static bool keep_memory(struct pv_dependence *d, uint32_t dispatcher, uint32_t out) {
  struct pv_dep_procedure *q = &d->procedures.at[dispatcher];
  bool all = true, grown = false;
  if (out <= q->n_results) return false;
  for (uint32_t i = 0; i < q->n_callees; i++)
    all &=
        pv_dep_out_of_callee(d, dispatcher, d->callees.at[q->callees + i], out) != PV_NO_GRAPH_NODE;
  uint32_t group = d->groups.at[q->out.first + out - q->n_results - 1];
  for (uint32_t i = 0; !all && i < q->in.n; i++)
    if (d->groups.at[q->in.first + i] == group) grown |= add_bit(q, out, q->n_params + q->area + i);
  return grown;
}

static bool summarise_dispatcher(struct pv_dependence *d, uint32_t dispatcher) {
  const struct pv_dep_procedure *q = &d->procedures.at[dispatcher];
  bool grown = false;
  for (uint32_t out = 0; out < pv_dep_n_out(q); out++) {
    for (uint32_t i = 0; i < q->n_callees; i++)
      grown |= add_callee(d, dispatcher, d->callees.at[q->callees + i], out);
    grown |= keep_memory(d, dispatcher, out);
  }
  return grown;
}

/* ---- all ------------------------------------------------------------------------------------- */
static struct pv_graph call_arcs(const struct pv_dependence *d) {
  pv_arcs arcs = {0};
  for (uint32_t i = 0; i < d->sites.n; i++) {
    struct pv_arc arc = {d->sites.at[i].function, d->sites.at[i].procedure};
    if (!d->sites.at[i].spawns) pv_vec_push(&arcs, arc);
  }
  for (uint32_t q = 0; q < d->procedures.n; q++)
    for (uint32_t i = 0; i < d->procedures.at[q].n_callees; i++) {
      struct pv_arc arc = {q, d->callees.at[d->procedures.at[q].callees + i]};
      pv_vec_push(&arcs, arc);
    }
  struct pv_graph g = pv_graph_new(d->procedures.n, &arcs);
  pv_vec_free(&arcs);
  return g;
}

static void allocate(struct pv_dependence *d) {
  for (uint32_t q = 0; q < d->procedures.n; q++) {
    struct pv_dep_procedure *procedure = &d->procedures.at[q];
    bool called = d->dispatchers.first[q] < d->dispatchers.first[q + 1];
    for (uint32_t i = d->callers.first[q]; i < d->callers.first[q + 1]; i++)
      called |= !d->sites.at[d->callers.to[i]].spawns;
    size_t words = (size_t)pv_dep_n_out(procedure) * pv_dep_words(procedure);
    if (called) procedure->summary = pv_alloc((words + 1) * sizeof *procedure->summary);
    if (called) d->stats.bytes += words * sizeof *procedure->summary;
  }
}

static bool summarise(struct summary *s, uint32_t procedure) {
  struct pv_dep_procedure *q = &s->d->procedures.at[procedure];
  if (!q->summary) return false;
  return q->n_callees ? summarise_dispatcher(s->d, procedure) : summarise_function(s, q);
}

/* A set of procedures that call each other, or a single procedure. */
static void summarise_component(struct summary *s, const struct pv_graph *calls,
                                const struct pv_graph *order, uint32_t component) {
  uint32_t first = order->first[component], end = order->first[component + 1];
  bool cyclic = end - first > 1, grown = true;
  for (uint32_t i = calls->first[order->to[first]]; i < calls->first[order->to[first] + 1]; i++)
    cyclic |= calls->to[i] == order->to[first];
  while (grown) {
    grown = false;
    for (uint32_t i = first; i < end; i++) grown |= summarise(s, order->to[i]);
    grown &= cyclic;
  }
}

static void count(struct pv_dependence *d) {
  for (uint32_t i = 0; i < d->procedures.n; i++) {
    const struct pv_dep_procedure *q = &d->procedures.at[i];
    size_t words = (size_t)pv_dep_n_out(q) * pv_dep_words(q);
    for (size_t w = 0; q->summary && w < words; w++)
      d->stats.summary_arcs += (unsigned)__builtin_popcountll(q->summary[w]);
  }
}

void pv_dep_summarise(struct pv_dependence *d) {
  struct summary s = {.d = d};
  uint32_t largest = 0, components;
  for (uint32_t q = 0; q < d->procedures.n; q++) {
    const struct pv_dep_procedure *procedure = &d->procedures.at[q];
    if (procedure->end - procedure->first > largest) largest = procedure->end - procedure->first;
  }
  s.mask = pv_alloc(((size_t)largest + 1) * sizeof *s.mask);
  s.queued = pv_alloc((size_t)largest + 1);
  allocate(d);
  struct pv_graph calls = call_arcs(d);
  uint32_t *component = pv_components(&calls, &components);
  pv_arcs arcs = {0};
  for (uint32_t q = 0; q < d->procedures.n; q++) {
    struct pv_arc arc = {component[q], q};
    pv_vec_push(&arcs, arc);
  }
  struct pv_graph order = pv_graph_new(components, &arcs);
  for (uint32_t c = 0; c < components; c++) summarise_component(&s, &calls, &order, c);
  count(d);
  pv_graph_free(&order);
  pv_graph_free(&calls);
  pv_vec_free(&arcs);
  pv_vec_free(&s.todo);
  free(component);
  free(s.mask);
  free(s.queued);
}
