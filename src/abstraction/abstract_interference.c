/* abstract_interference.c -- which functions and threads write which cells, and where a thread is
 * in an atomic section. */
#include "abstraction/abstract_internal.h"

#include <stdlib.h>
#include <string.h>

static uint64_t cells_written(const struct abstractor *x, const struct pv_edge *e) {
  uint32_t c =
      e->op == PV_OP_STORE || e->op == PV_OP_RMW ? pv_abs_cell_at(x, e->e[0], e->type) : NO_CELL;
  return c == NO_CELL ? 0 : UINT64_C(1) << c;
}

uint64_t pv_abs_written_by(const struct abstractor *x, uint32_t function, uint32_t edge,
                           const struct pv_edge *e) {
  uint64_t set = cells_written(x, e);
  uint32_t n;
  if (e->op != PV_OP_CALL) return set;
  const uint32_t *callees = pv_call_graph_callees(x->calls, function, edge, &n);
  for (uint32_t i = 0; i < n; i++) set |= x->writes[callees[i]];
  return set;
}

void pv_abs_find_writes(struct abstractor *x) {
  bool changed = true;
  x->writes = pv_alloc((x->p->functions.n + 1) * sizeof *x->writes);
  while (changed) {
    changed = false;
    for (uint32_t f = 0; f < x->p->functions.n; f++) {
      const struct pv_function *g = &x->p->functions.at[f];
      for (uint32_t i = 0; i < g->edges.n; i++) {
        uint64_t set = x->writes[f] | pv_abs_written_by(x, f, i, &g->edges.at[i]);
        changed |= set != x->writes[f];
        x->writes[f] = set;
      }
    }
  }
}

void pv_abs_reach(const struct pv_edge *edges, uint32_t n, pv_loc at, uint32_t without,
                  uint8_t *seen) {
  if (seen[at]) return;
  seen[at] = 1;
  for (bool more = true; more;) {
    more = false;
    for (uint32_t i = 0; i < n; i++)
      if (i != without && seen[edges[i].from] && !seen[edges[i].to]) {
        seen[edges[i].to] = 1;
        more = true;
      }
  }
}

static bool mentions_function(const struct pv_program *p, pv_expr e, uint32_t function) {
  if (!e) return false;
  const struct pv_expr_node *n = pv_node(p, e);
  if (n->op == PV_X_FUNC && n->lo == function) return true;
  return mentions_function(p, n->a, function) || mentions_function(p, n->b, function) ||
         mentions_function(p, n->c, function);
}

/* Is the function named once, outside of loops, by code that main runs once? Then at most one
 * thread begins in it. */
static bool begins_once(struct abstractor *x, uint32_t function) {
  const struct pv_program *p = x->p;
  uint32_t named = 0;
  for (uint32_t f = 0; f < p->functions.n; f++) {
    const struct pv_function *g = &p->functions.at[f];
    for (uint32_t i = 0; i < g->edges.n; i++) {
      const struct pv_edge *e = &g->edges.at[i];
      bool here = e->op == PV_OP_CALL && e->callee == function;
      for (unsigned k = 0; k < 3; k++) here |= mentions_function(p, e->e[k], function);
      if (e->op == PV_OP_CALL || e->op == PV_OP_RETURN || e->op == PV_OP_PRIM)
        for (uint32_t k = 0; k < e->args.n; k++)
          here |= mentions_function(p, pv_arg(p, e->args, k), function);
      if (!here) continue;
      uint8_t *seen = pv_alloc(g->locs.n + 1);
      pv_abs_reach(g->edges.at, g->edges.n, e->to, UINT32_MAX, seen);
      bool loops = seen[e->from];
      free(seen);
      if (loops || strcmp(g->name, "main") != 0 || named++) return false;
    }
  }
  for (uint32_t i = 0; i < p->globals.n; i++)
    for (uint32_t k = 0; k < p->globals.at[i].relocs.n; k++)
      if (mentions_function(p, p->globals.at[i].relocs.at[k].value, function)) return false;
  return named == 1;
}

void pv_abs_find_single_threads(struct abstractor *x) {
  x->single = 1;
  for (uint32_t f = 0; f < x->p->functions.n; f++) {
    uint64_t kinds = pv_call_graph_threads(x->calls, f);
    bool one = kinds && !(kinds & (kinds - 1)) && kinds != 1 && !(kinds >> 63);
    if (one && !x->p->functions.at[f].is_model && begins_once(x, f)) x->single |= kinds;
  }
}

uint64_t pv_abs_interference(const struct abstractor *x, uint32_t function) {
  uint64_t set = 0, own = pv_call_graph_threads(x->calls, function);
  if (!pv_call_graph_has_threads(x->calls)) return 0;
  for (uint32_t g = 0; g < x->p->functions.n; g++) {
    uint64_t kinds = pv_call_graph_threads(x->calls, g), direct = 0;
    const struct pv_function *other = &x->p->functions.at[g];
    for (uint32_t i = 0; i < other->edges.n; i++) direct |= cells_written(x, &other->edges.at[i]);
    for (unsigned i = 0; i < 64; i++)
      for (unsigned k = 0; k < 64 && direct; k++) {
        bool both = own >> i & 1 && kinds >> k & 1;
        if (both && (i != k || !(x->single >> i & 1))) set |= direct;
      }
  }
  return set;
}

void pv_abs_count_sections(struct abstractor *x) {
  if (x->unbalanced) return;
  for (uint32_t i = 0; i < x->f->locs.n; i++) x->depth[i] = -1;
  x->depth[x->f->entry] = x->f->atomic;
  for (bool more = true; more;) {
    more = false;
    for (uint32_t i = 0; i < x->old.n; i++) {
      const struct pv_edge *e = &x->old.at[i];
      int from = x->depth[e->from];
      if (from < 0) continue;
      int to = from + (e->op == PV_OP_ATOMIC_BEGIN) - (e->op == PV_OP_ATOMIC_END && from > 0);
      if (to > 3) to = 3;
      if (x->depth[e->to] >= 0 && x->depth[e->to] <= to) continue;
      x->depth[e->to] = to;
      more = true;
    }
  }
  for (uint32_t i = 0; i < x->f->locs.n; i++)
    if (x->depth[i] < 0) x->depth[i] = 0;
}

void pv_abs_find_unbalanced(struct abstractor *x) {
  for (uint32_t f = 0; f < x->p->functions.n; f++) {
    struct pv_function *g = &x->p->functions.at[f];
    if (!g->defined || !g->locs.n) continue;
    x->f = g;
    x->old.n = 0;
    for (uint32_t i = 0; i < g->edges.n; i++) pv_vec_push(&x->old, g->edges.at[i]);
    x->depth = pv_alloc((g->locs.n + 1) * sizeof *x->depth);
    pv_abs_count_sections(x);
    for (uint32_t i = 0; i < x->old.n; i++) {
      const struct pv_edge *e = &x->old.at[i];
      x->unbalanced |= e->op == PV_OP_ATOMIC_END && !x->depth[e->from];
      x->unbalanced |= e->op == PV_OP_RETURN && x->depth[e->from] > g->atomic;
    }
    free(x->depth);
  }
}
