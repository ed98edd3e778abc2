#include "condition/regression.h"

#include <stdlib.h>
#include <string.h>

#include "condition/outline.h"

struct regression {
  const struct pv_program *p;
  uint8_t *differs; /* by function: is it new or different in some way? */
  uint32_t n;       /* of them */
  uint8_t *changed; /* by function: it cannot be compared with an earlier version */
  uint8_t **same;   /* by function: by edge, was it there (outline.h)? NULL: all were, or it counts
                       as changed */
  uint8_t *taken;   /* by function: is its address taken? Then a pointer may lead to it. */
  bool to_changed;  /* may a pointer lead to a changed function, */
  bool to_leading;  /* or to one that calls some? */
  uint32_t *first;  /* by function: the number of its first location, over all functions */
  uint8_t *leads;   /* by location: may a changed function be called from there on? */
  uint8_t *returns; /* by function: ... after it has returned? */
};

static const struct pv_outline *outline_named(const pv_outlines *o, uint64_t name) {
  for (uint32_t i = 0; i < o->n; i++)
    if (o->at[i].name == name) return &o->at[i];
  return NULL;
}

/* Compares functions that differ statement by statement. */
static void compare(struct regression *r, const struct pv_str *before, const struct pv_str *after) {
  pv_outlines was = {0}, now = {0};
  bool right = pv_outlines_read(before->at, before->n, &was);
  right = pv_outlines_read(after->at, after->n, &now) && right;
  for (uint32_t i = 0; right && i < now.n; i++) {
    const struct pv_outline *o = &now.at[i], *other = outline_named(&was, o->name);
    if (!r->differs[o->function] || !other) continue;
    uint8_t *same = pv_alloc(o->edges.n + 1);
    r->changed[o->function] = !pv_outline_compare(other, o, same);
    if (r->changed[o->function])
      free(same);
    else
      r->same[o->function] = same;
  }
  pv_outlines_free(&was);
  pv_outlines_free(&now);
}

static void find_changed(struct regression *r, const struct pv_fingerprints *was) {
  struct pv_fingerprints now = pv_fingerprints_of(r->p);
  pv_outlines_put(r->p, &now.outlines);
  struct pv_map known = {0};
  for (uint32_t i = 0; i < was->n; i++)
    pv_map_put(&known, &was->function[i], sizeof *was->function, 0, NULL);
  for (uint32_t i = 0; i < now.n; i++) {
    r->differs[i] = r->changed[i] = !pv_map_get(&known, &now.function[i], sizeof *now.function);
    r->n += r->differs[i];
  }
  compare(r, &was->outlines, &now.outlines);
  pv_map_free(&known);
  pv_fingerprints_free(&now);
}

/* Is the edge itself new, or may it call a changed function? */
static bool is_changed(const struct regression *r, uint32_t function, const struct pv_edge *e) {
  const uint8_t *same = r->same[function];
  if (same && !same[e - r->p->functions.at[function].edges.at]) return true;
  if (e->op != PV_OP_CALL) return false;
  return e->callee == PV_NO_FUNC ? r->to_changed : r->changed[e->callee];
}

static uint8_t *leads_at(const struct regression *r, uint32_t function, pv_loc loc) {
  return &r->leads[r->first[function] + loc];
}

static bool function_leads(const struct regression *r, uint32_t function) {
  if (function == PV_NO_FUNC) return r->to_leading;
  const struct pv_function *f = &r->p->functions.at[function];
  return f->defined && *leads_at(r, function, f->entry);
}

/* May a change be come to by the edge, or behind it? */
static bool edge_leads(const struct regression *r, uint32_t function, const struct pv_edge *e) {
  if (is_changed(r, function, e)) return true;
  if (e->op == PV_OP_RETURN) return r->returns[function];
  if (e->op == PV_OP_STOP) return false;
  if (e->op == PV_OP_CALL && function_leads(r, e->callee)) return true;
  return *leads_at(r, function, e->to);
}

static void find_taken(struct regression *r) {
  for (uint32_t i = 1; i < r->p->exprs.n; i++)
    if (r->p->exprs.at[i].op == PV_X_FUNC) r->taken[r->p->exprs.at[i].lo] = 1;
  for (uint32_t f = 0; f < r->p->functions.n; f++) r->to_changed |= r->taken[f] && r->changed[f];
}

/* The functions that the call may lead to return to where `leads` holds. True: that is news. */
static bool set_returns(struct regression *r, uint32_t callee) {
  bool any = false;
  for (uint32_t f = 0; f < r->p->functions.n; f++) {
    bool may_be_called = callee == PV_NO_FUNC ? r->taken[f] : f == callee;
    if (may_be_called && !r->returns[f]) r->returns[f] = any = true;
  }
  return any;
}

/* Backwards, until nothing changes. */
static void spread(struct regression *r) {
  for (bool any = true; any;) {
    any = false;
    for (uint32_t f = r->p->functions.n; f-- > 0;) {
      const struct pv_function *function = &r->p->functions.at[f];
      for (uint32_t i = function->edges.n; i-- > 0;) {
        const struct pv_edge *e = &function->edges.at[i];
        uint8_t *at = leads_at(r, f, e->from);
        if (!*at && edge_leads(r, f, e)) *at = any = true;
        if (e->op == PV_OP_CALL && *leads_at(r, f, e->to)) any |= set_returns(r, e->callee);
      }
      if (!r->to_leading && r->taken[f] && function_leads(r, f)) r->to_leading = any = true;
    }
  }
}

/* One state, left for `open` at a change, and for `verified` where no change can come any more. */
static struct pv_open_part automaton(const struct regression *r) {
  struct pv_open_part part = {.kind = PV_OPEN_AUTOMATON,
                              .states = PV_AUTOMATON_FIRST + 1,
                              .otherwise = PV_AUTOMATON_VERIFIED};
  for (uint32_t f = 0; f < r->p->functions.n; f++)
    for (uint32_t i = 0; i < r->p->functions.at[f].edges.n; i++) {
      const struct pv_edge *e = &r->p->functions.at[f].edges.at[i];
      struct pv_automaton_move m = {
          .from = PV_AUTOMATON_FIRST, .to = PV_AUTOMATON_FIRST, .function = f, .edge = i};
      if (is_changed(r, f, e)) m.to = PV_AUTOMATON_OPEN;
      if (edge_leads(r, f, e)) pv_vec_push(&part.moves, m);
    }
  return part;
}

static bool has_threads(const struct pv_program *p) {
  for (uint32_t f = 0; f < p->functions.n; f++)
    for (uint32_t i = 0; i < p->functions.at[f].edges.n; i++)
      if (p->functions.at[f].edges.at[i].op == PV_OP_PRIM) return true;
  return false;
}

static void make_open(struct regression *r, struct pv_condition *c, bool precisely) {
  struct pv_str names = {0};
  uint32_t told = 0;
  for (uint32_t i = 0; i < r->p->functions.n && told < 4; i++)
    if (r->differs[i])
      pv_str_addf(&names, "%s`%s`", told++ ? ", " : "", r->p->functions.at[i].name);
  if (r->n > told) pv_str_addf(&names, " and %u more", r->n - told);
  pv_condition_add(c, PV_PROVISO_CHANGED, NULL, 0,
                   "no error lies in or behind what has changed: %s", pv_str_cstr(&names));
  if (precisely) pv_condition_open(c, automaton(r));
  pv_str_free(&names);
}

void pv_condition_translate(struct pv_condition *c, const struct pv_fingerprints *was,
                            const struct pv_program *p, uint32_t *changed) {
  struct regression r = {.p = p};
  uint32_t locations = 0;
  bool whole = pv_condition_openness(c) == PV_OPEN_NOTHING;
  r.changed = pv_alloc(p->functions.n + 1);
  r.differs = pv_alloc(p->functions.n + 1);
  r.same = pv_alloc((p->functions.n + 1) * sizeof *r.same);
  r.returns = pv_alloc(p->functions.n + 1);
  r.first = pv_alloc((p->functions.n + 1) * sizeof *r.first);
  for (uint32_t f = 0; f < p->functions.n; f++) {
    r.first[f] = locations;
    locations += p->functions.at[f].locs.n + 1;
  }
  r.leads = pv_alloc(locations + 1);
  r.taken = pv_alloc(p->functions.n + 1);
  find_changed(&r, was);
  find_taken(&r);
  spread(&r);
  /* What runs without being called by an edge: threads, invariants, what a jump goes back to. */
  bool beyond_calls = has_threads(p) || p->has_jumps || p->invariants.n || p->observers.n;
  bool reached = r.changed[p->start] || *leads_at(&r, p->start, p->functions.at[p->start].entry) ||
                 (r.n && beyond_calls);
  if (!whole || reached) make_open(&r, c, whole && !beyond_calls && !r.changed[p->start]);
  *changed = r.n;
  for (uint32_t f = 0; f < p->functions.n; f++) free(r.same[f]);
  free(r.same);
  free(r.differs);
  free(r.changed);
  free(r.taken);
  free(r.returns);
  free(r.first);
  free(r.leads);
}
