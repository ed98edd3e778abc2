#include "cpa/given_inputs.h"

#include <stdlib.h>

enum { MOST_RANGES = 200 }; /* of tried values, of all sites together */

struct pv_given_inputs {
  const struct pv_condition *given;
  const struct pv_program *program;
  const struct pv_points_to *pt;
  uint8_t **comes;   /* by function and location */
  uint8_t *contains; /* by function: a site may be visited before it returns */
  uint8_t *returns;  /* by function: after it returns */
};

/* Is every open proviso about an input, or (if that is allowed) a frontier? */
static bool is_only_inputs(const struct pv_condition *c, bool frontier) {
  uint64_t ranges = 0;
  if (!c || pv_condition_openness(c) != PV_OPEN_PARTS) return false;
  for (uint32_t i = 0; i < c->provisos.n; i++) {
    if (!c->provisos.at[i].part) continue;
    const struct pv_open_part *p = &c->parts.at[c->provisos.at[i].part - 1];
    if (frontier && p->kind == PV_OPEN_FRONTIER) continue;
    if (p->kind != PV_OPEN_INPUTS) return false;
    ranges += p->tried.n;
  }
  return ranges <= MOST_RANGES;
}

static bool names_an_input(const struct pv_program *p, const struct pv_open_part *site) {
  if (site->kind != PV_OPEN_INPUTS) return true;
  if (site->function > p->functions.n) return false;
  const struct pv_function *f = &p->functions.at[site->function - 1];
  return site->place < f->edges.n && f->edges.at[site->place].op == PV_OP_HAVOC;
}

bool pv_given_inputs_is_usable(const struct pv_condition *given, const struct pv_program *p,
                               bool frontier) {
  if (!is_only_inputs(given, frontier) || p->has_jumps) return false;
  for (uint32_t i = 0; i < given->provisos.n; i++) {
    uint32_t part = given->provisos.at[i].part;
    if (part && !names_an_input(p, &given->parts.at[part - 1])) return false;
  }
  for (uint32_t f = 0; f < p->functions.n; f++)
    for (uint32_t e = 0; e < p->functions.at[f].edges.n; e++)
      if (p->functions.at[f].edges.at[e].op == PV_OP_PRIM) return false;
  return true;
}

const struct pv_open_part *pv_given_inputs_site(const struct pv_given_inputs *u, uint32_t function,
                                                uint32_t edge) {
  for (uint32_t i = 0; i < u->given->provisos.n; i++) {
    uint32_t part = u->given->provisos.at[i].part;
    const struct pv_open_part *p = part ? &u->given->parts.at[part - 1] : NULL;
    if (p && p->kind == PV_OPEN_INPUTS && p->function == function + 1 && p->place == edge) return p;
  }
  return NULL;
}

/* Does the call at the edge visit a site? *after: after the callees return, it may, too. */
static bool call_visits(struct pv_given_inputs *u, uint32_t function, uint32_t edge, bool after,
                        uint32_t *callees, bool *changed) {
  uint32_t n = pv_points_to_callees(u->pt, function, edge, callees);
  bool visits = false;
  for (uint32_t i = 0; i < n; i++) {
    visits |= u->contains[callees[i]];
    if (!after || u->returns[callees[i]]) continue;
    u->returns[callees[i]] = 1;
    *changed = true;
  }
  return visits;
}

static bool edge_comes(struct pv_given_inputs *u, uint32_t function, uint32_t edge,
                       uint32_t *callees, bool *changed) {
  const struct pv_edge *e = &u->program->functions.at[function].edges.at[edge];
  if (pv_given_inputs_site(u, function, edge)) return true;
  if (e->op == PV_OP_RETURN) return u->returns[function];
  bool after = u->comes[function][e->to];
  if (e->op != PV_OP_CALL) return after;
  return call_visits(u, function, edge, after, callees, changed) || after;
}

/* May a site be visited before the function returns? This does not count what callers do. */
static bool visits_one(struct pv_given_inputs *u, uint32_t function, uint32_t *callees) {
  bool unused;
  for (uint32_t e = 0; e < u->program->functions.at[function].edges.n; e++) {
    if (pv_given_inputs_site(u, function, e)) return true;
    if (u->program->functions.at[function].edges.at[e].op == PV_OP_CALL &&
        call_visits(u, function, e, false, callees, &unused))
      return true;
  }
  return false;
}

/* The least solution: from nothing, until nothing changes. */
static void solve(struct pv_given_inputs *u) {
  const struct pv_program *p = u->program;
  uint32_t *callees = pv_alloc((p->functions.n + 1) * sizeof *callees);
  bool changed;
  do {
    changed = false;
    for (uint32_t f = 0; f < p->functions.n; f++)
      if (!u->contains[f] && visits_one(u, f, callees)) u->contains[f] = changed = true;
  } while (changed);
  do {
    changed = false;
    for (uint32_t f = 0; f < p->functions.n; f++)
      for (uint32_t e = p->functions.at[f].edges.n; e-- > 0;) {
        uint8_t *from = &u->comes[f][p->functions.at[f].edges.at[e].from];
        if (edge_comes(u, f, e, callees, &changed) && !*from) *from = changed = true;
      }
  } while (changed);
  free(callees);
}

struct pv_given_inputs *pv_given_inputs_new(const struct pv_condition *given,
                                            const struct pv_program *p,
                                            const struct pv_points_to *pt, bool frontier) {
  if (!pv_given_inputs_is_usable(given, p, frontier)) return NULL;
  struct pv_given_inputs *u = pv_alloc(sizeof *u);
  u->given = given;
  u->program = p;
  u->pt = pt;
  u->comes = pv_alloc((p->functions.n + 1) * sizeof *u->comes);
  u->contains = pv_alloc(p->functions.n + 1);
  u->returns = pv_alloc(p->functions.n + 1);
  for (uint32_t f = 0; f < p->functions.n; f++)
    u->comes[f] = pv_alloc(p->functions.at[f].locs.n + 1);
  solve(u);
  return u;
}

void pv_given_inputs_free(struct pv_given_inputs *u) {
  if (!u) return;
  for (uint32_t f = 0; f < u->program->functions.n; f++) free(u->comes[f]);
  free(u->comes);
  free(u->contains);
  free(u->returns);
  free(u);
}

bool pv_given_inputs_comes(const struct pv_given_inputs *u, uint32_t function, pv_loc loc) {
  return u->comes[function][loc];
}
