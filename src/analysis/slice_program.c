#include "analysis/slice_program.h"

#include "analysis/call_graph.h"
#include "analysis/dependence_internal.h"
#include "sched/sched.h"

#include <stdlib.h>

/* Whether a slice pays. */
enum { FEWEST_EDGES = 300, MOST_EDGES = 50000, MOST_KEPT = 70 /* percent */ };

struct reduction {
  struct pv_program *p;
  const struct pv_slice *s;
  uint8_t *has_any; /* by function: is a statement of it in the slice? */
  uint8_t *used;    /* by slot of the current function: does a kept edge mention it? */
};

pv_properties pv_slice_properties(void) {
  return PV_PROP_BIT(PV_PROP_UNREACH_CALL) | PV_PROP_BIT(PV_PROP_OBSERVER) |
         PV_PROP_BIT(PV_PROP_NO_DEADLOCK) | PV_PROP_BIT(PV_PROP_NO_DATA_RACE) |
         PV_PROP_BIT(PV_PROP_NO_OVERFLOW) | PV_PROP_BIT(PV_PROP_VALID_DEREF) |
         PV_PROP_BIT(PV_PROP_VALID_FREE);
}

/* ---- the slice ------------------------------------------------------------------------------- */
/* Primitives and atomic sections order the threads. Ends under a proviso leave something open. */
static bool is_section(const struct pv_edge *e) {
  return e->op == PV_OP_ATOMIC_BEGIN || e->op == PV_OP_ATOMIC_END;
}

static bool is_kept_always(const struct pv_program *p, const struct pv_edge *e, bool threads,
                           bool reuse) {
  switch (e->op) {
  case PV_OP_PRIM: return p->prims.at[e->aux].prim->class != PV_PRIM_LOCAL;
  case PV_OP_ATOMIC_BEGIN:
  case PV_OP_ATOMIC_END: return threads;
  case PV_OP_FREE: return reuse; /* a later object may have the same address */
  case PV_OP_STOP: return e->text != NULL;
  default: return false;
  }
}

static bool creates_threads(const struct pv_program *p) {
  for (uint32_t f = 0; f < p->functions.n; f++)
    for (uint32_t i = 0; i < p->functions.at[f].edges.n; i++)
      if (pv_creates_thread(p, &p->functions.at[f].edges.at[i])) return true;
  return false;
}

static void add_kept(struct pv_slice *s, const struct pv_program *p) {
  bool threads = creates_threads(p), reuse = pv_points_to_sees_reuse(p);
  for (uint32_t f = 0; f < p->functions.n; f++)
    for (uint32_t i = 0; i < p->functions.at[f].edges.n; i++) {
      const struct pv_edge *e = &p->functions.at[f].edges.at[i];
      bool of_model = is_section(e) && p->functions.at[f].is_model; /* see below */
      if (!of_model && is_kept_always(p, e, threads, reuse)) pv_slice_add(s, f, i);
    }
}

static void add_sections(struct pv_slice *s, uint32_t function) {
  const struct pv_function *f = &s->graph->p->functions.at[function];
  for (uint32_t i = 0; i < f->edges.n; i++)
    if (is_section(&f->edges.at[i])) pv_slice_add(s, function, i);
}

/* Atomic sections of models begin and end in one function. They are kept if it has a statement of
 * the slice. */
static void add_sections_of_models(struct pv_slice *s) {
  const struct pv_program *p = s->graph->p;
  for (uint32_t before = UINT32_MAX; before != s->n;) {
    before = s->n;
    for (uint32_t f = 0; f < p->functions.n; f++) {
      bool any = false;
      for (uint32_t i = 0; i < p->functions.at[f].edges.n && p->functions.at[f].is_model; i++)
        any |= pv_slice_has(s, f, i);
      if (any) add_sections(s, f);
    }
    pv_slice_complete(s);
  }
}

/* Whoever waits behind an endless loop without a branch waits for ever. */
static void add_endless_loops(struct pv_slice *s) {
  const struct pv_dependence *d = s->graph;
  for (uint32_t before = UINT32_MAX; before != s->n;) {
    before = s->n;
    for (uint32_t i = 0; i < d->kind.n; i++) {
      if (d->kind.at[i] != PV_DEP_PASS || !s->marks[i]) continue;
      const struct pv_function *f = &d->p->functions.at[d->owner.at[i]];
      pv_slice_add(s, d->owner.at[i], f->locs.at[d->number.at[i]].first_out);
    }
    pv_slice_complete(s);
  }
}

static void add_all_of(struct pv_slice *s, const pv_statements *list) {
  for (uint32_t i = 0; i < list->n; i++) pv_slice_add(s, list->at[i].function, list->at[i].edge);
}

/* ---- what stays ------------------------------------------------------------------------------ */
static bool has(const struct reduction *r, uint32_t function, uint32_t edge) {
  return pv_slice_has(r->s, function, edge);
}

static void find_functions(struct reduction *r) {
  for (uint32_t f = 0; f < r->p->functions.n; f++)
    if (r->s->graph->procedures.at[f].runs)
      for (uint32_t i = 0; i < r->p->functions.at[f].edges.n; i++)
        if (has(r, f, i)) r->has_any[f] = 1;
}

static void mention(struct reduction *r, pv_expr e) {
  const struct pv_expr_node *n = pv_node(r->p, e);
  if (!e) return;
  if (n->op == PV_X_SLOT) r->used[n->lo] = 1;
  if (pv_expr_ops[n->op].arity == 0) return;
  mention(r, n->a);
  mention(r, n->b);
  mention(r, n->c);
}

static void find_slots(struct reduction *r, uint32_t function) {
  const struct pv_function *f = &r->p->functions.at[function];
  for (uint32_t i = 0; i < f->edges.n; i++) {
    const struct pv_edge *e = &f->edges.at[i];
    if (!has(r, function, i)) continue;
    for (int k = 0; k < 3; k++) mention(r, e->e[k]);
    for (uint32_t k = 0; k < e->args.n; k++)
      if (e->op != PV_OP_CALL || pv_slice_has_argument(r->s, function, i, k))
        mention(r, pv_arg(r->p, e->args, k));
  }
}

static bool is_anchor(const struct reduction *r, uint32_t function, uint32_t edge) {
  const struct pv_edge *e = &r->p->functions.at[function].edges.at[edge];
  return has(r, function, edge) || e->op == PV_OP_RETURN || e->op == PV_OP_STOP;
}

/* Objects that are used begin and end where they did. */
static bool lives(const struct reduction *r, const struct pv_edge *e) {
  return (e->op == PV_OP_LIVE || e->op == PV_OP_DEAD) && r->used[e->aux];
}

/* ---- new edges ------------------------------------------------------------------------------- */
static pv_expr nothing(struct pv_program *p, pv_expr e) {
  return pv_mk_const(p, pv_node(p, e)->type, 0);
}

/* Arguments and results that do not matter become 0. */
static void blank(struct reduction *r, uint32_t function, uint32_t edge, struct pv_edge *e) {
  struct pv_program *p = r->p;
  bool passes = e->op == PV_OP_CALL || e->op == PV_OP_RETURN || pv_creates_thread(p, e);
  PV_VEC(pv_expr) args = {0};
  if (!passes) return;
  for (uint32_t i = 0; i < e->args.n; i++) {
    pv_expr x = pv_arg(p, e->args, i);
    pv_vec_push(&args, pv_slice_has_argument(r->s, function, edge, i) ? x : nothing(p, x));
  }
  if (e->op == PV_OP_CALL && e->e[1] && e->callee != PV_NO_FUNC &&
      !pv_slice_has_argument(r->s, function, edge, p->functions.at[e->callee].n_params))
    e->e[1] = nothing(p, e->e[1]);
  e->args = pv_mk_args(p, args.at, args.n);
  pv_vec_free(&args);
}

static bool calls_nothing(const struct reduction *r, const struct pv_edge *e) {
  return e->op == PV_OP_CALL && e->callee != PV_NO_FUNC && r->p->functions.at[e->callee].defined &&
         !r->has_any[e->callee];
}

static struct pv_edge skip(const struct pv_edge *e, pv_loc to) {
  struct pv_edge s = pv_edge_of(PV_OP_SKIP, e->from, to);
  s.span = e->span;
  s.stmt = e->stmt;
  return s;
}

/* For every location that is no anchor: the next one on a shortest way to an anchor. All ways lead
 * to the same statement of the slice, or to none. */
static pv_loc *find_ways(const struct reduction *r, uint32_t function, const uint8_t *anchor) {
  const struct pv_function *f = &r->p->functions.at[function];
  pv_loc *next = pv_alloc((f->locs.n + 1) * sizeof *next);
  uint32_t *first = pv_alloc(((size_t)f->locs.n + 2) * sizeof *first);
  pv_loc *into = pv_alloc((f->edges.n + 1) * sizeof *into);
  PV_VEC(pv_loc) todo = {0};
  for (uint32_t i = 0; i < f->edges.n; i++) first[f->edges.at[i].to + 1]++;
  for (pv_loc l = 0; l < f->locs.n; l++) first[l + 1] += first[l];
  for (uint32_t i = 0; i < f->edges.n; i++) into[first[f->edges.at[i].to]++] = f->edges.at[i].from;
  for (pv_loc l = f->locs.n; l > 0; l--) first[l] = first[l - 1];
  first[0] = 0;
  for (pv_loc l = 0; l < f->locs.n; l++) {
    next[l] = PV_NO_FUNC;
    if (anchor[l]) pv_vec_push(&todo, l);
  }
  for (uint32_t at = 0; at < todo.n; at++) {
    pv_loc l = todo.at[at];
    for (uint32_t i = first[l]; i < first[l + 1]; i++) {
      pv_loc from = into[i];
      if (anchor[from] || next[from] != PV_NO_FUNC) continue;
      next[from] = l;
      pv_vec_push(&todo, from);
    }
  }
  pv_vec_free(&todo);
  free(first);
  free(into);
  return next;
}

/* A path that ends outside of the slice: nobody knows the status; and what was not reachable may be
 * reachable, because a call that did not return is gone. */
static void soften(struct pv_program *p, struct pv_edge *e) {
  if (e->aux == PV_STOP_UNREACHABLE) e->aux = PV_STOP_EXIT;
  if (e->aux == PV_STOP_EXIT) e->e[0] = pv_mk_const(p, PV_INT(32), 0);
}

/* The edge as it becomes, at a location that is an anchor or not. */
static struct pv_edge new_edge(struct reduction *r, uint32_t function, uint32_t edge, bool anchor,
                               pv_loc next) {
  const struct pv_function *f = &r->p->functions.at[function];
  struct pv_edge e = f->edges.at[edge];
  if (!anchor && next == PV_NO_FUNC) return skip(&e, e.from); /* nothing leads out of here */
  if (!anchor) return lives(r, &e) ? e : skip(&e, next);
  if (calls_nothing(r, &e)) return skip(&e, e.to);
  if (e.op == PV_OP_STOP && !has(r, function, edge)) soften(r->p, &e);
  blank(r, function, edge, &e);
  return e;
}

static void reduce(struct reduction *r, uint32_t function) {
  struct pv_function *f = &r->p->functions.at[function];
  if (!f->defined || !f->locs.n) return;
  uint8_t *anchor = pv_alloc(f->locs.n + 1);
  PV_VEC(struct pv_edge) edges = {0};
  r->used = pv_alloc(f->slots.n + 1);
  find_slots(r, function);
  for (uint32_t i = 0; i < f->edges.n; i++)
    if (is_anchor(r, function, i)) anchor[f->edges.at[i].from] = 1;
  pv_loc *next = find_ways(r, function, anchor);
  for (pv_loc l = 0; l < f->locs.n; l++) {
    const struct pv_location *at = &f->locs.at[l];
    uint32_t n = anchor[l] || at->n_out == 0 ? at->n_out : 1;
    for (uint32_t i = 0; i < n; i++)
      pv_vec_push(&edges, new_edge(r, function, at->first_out + i, anchor[l], next[l]));
  }
  f->edges.n = 0;
  for (uint32_t i = 0; i < edges.n; i++) pv_vec_push(&f->edges, edges.at[i]);
  pv_vec_free(&edges);
  free(next);
  free(anchor);
  free(r->used);
  pv_function_shorten(f);
  pv_function_finish(r->p, f);
}

/* ---- size ------------------------------------------------------------------------------------ */
static void measure(const struct pv_program *p, const struct reduction *r, bool after,
                    struct pv_slice_size *size) {
  for (uint32_t f = 0; f < p->functions.n; f++) {
    const struct pv_function *x = &p->functions.at[f];
    bool counts = after ? r->has_any[f] : r->s->graph->procedures.at[f].runs;
    uint32_t n = counts ? x->edges.n : 0;
    *(after ? &size->kept : &size->edges) += n;
    if (!x->is_library) *(after ? &size->own_kept : &size->own_edges) += n;
    *(after ? &size->functions_kept : &size->functions) += n > 0;
  }
}

static bool pays_to_look(const struct pv_program *p, const struct pv_call_graph *calls) {
  uint32_t n = 0;
  for (uint32_t f = 0; f < p->functions.n; f++)
    if (pv_call_graph_runs(calls, f)) n += p->functions.at[f].edges.n;
  return !creates_threads(p) && n >= FEWEST_EDGES && n <= MOST_EDGES;
}

/* Does it remove enough? */
static bool pays(const struct reduction *r) {
  uint64_t n = 0, kept = 0;
  for (uint32_t f = 0; f < r->p->functions.n; f++)
    for (uint32_t i = 0; i < r->p->functions.at[f].edges.n; i++) {
      n += r->s->graph->procedures.at[f].runs;
      kept += r->s->graph->procedures.at[f].runs && has(r, f, i);
    }
  return kept * 100 <= n * MOST_KEPT;
}

pv_properties pv_slice_program(struct pv_program *p, const struct pv_slice_request *request,
                               struct pv_slice_size *size) {
  struct pv_dependence_options options = {.between_threads = true};
  pv_statements list = {0};
  struct pv_points_to *pt = pv_points_to_new(p, NULL);
  struct pv_call_graph *calls = pv_call_graph_new(p, pt);
  if (request->if_it_pays && !pays_to_look(p, calls)) {
    pv_call_graph_free(calls);
    pv_points_to_free(pt);
    return request->properties;
  }
  struct pv_intervals *intervals = pv_intervals_new(p, pt, calls);
  pv_properties whole = request->properties & ~pv_slice_properties();
  if (p->has_jumps) whole |= request->properties | PV_PROP_BIT(PV_PROP_UNREACH_CALL);
  whole |= pv_essential(p, pt, intervals, request->properties, &list);
  if (!whole) {
    struct pv_dependence *graph = pv_dependence_new(p, pt, &options);
    struct pv_slice *slice = pv_slice_new(graph);
    struct reduction r = {.p = p, .s = slice, .has_any = pv_alloc(p->functions.n + 1)};
    if (request->defined) pv_undefined(p, pt, intervals, &list);
    add_all_of(slice, &list);
    add_all_of(slice, &request->statements);
    add_kept(slice, p);
    for (uint32_t before = UINT32_MAX; before != slice->n;) {
      before = slice->n;
      add_sections_of_models(slice);
      add_endless_loops(slice);
    }
    find_functions(&r);
    if (size) measure(p, &r, false, size);
    if (request->if_it_pays && !pays(&r)) whole = request->properties;
    for (uint32_t f = 0; f < p->functions.n && !whole; f++) reduce(&r, f);
    if (size) measure(p, &r, true, size);
    if (size) size->threads = creates_threads(p);
    free(r.has_any);
    pv_slice_free(slice);
    pv_dependence_free(graph);
  }
  pv_vec_free(&list);
  pv_intervals_free(intervals);
  pv_call_graph_free(calls);
  pv_points_to_free(pt);
  return whole;
}
