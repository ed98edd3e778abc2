#include "analysis/liveness.h"

#include <stdlib.h>
#include <string.h>

static void use_expr(const struct pv_program *p, pv_expr e, uint64_t *set) {
  while (e) {
    const struct pv_expr_node *n = pv_node(p, e);
    if (n->op == PV_X_VAR) set[n->lo / 64] |= (uint64_t)1 << (n->lo % 64);
    if (pv_expr_ops[n->op].arity == 0) return;
    if (n->b) use_expr(p, n->b, set);
    if (n->c) use_expr(p, n->c, set);
    e = n->a;
  }
}

static void transfer(const struct pv_program *p, const struct pv_edge *e, uint64_t *set) {
  uint32_t defs[2] = {e->dst, e->dst2};
  for (int i = 0; i < 2; i++)
    if (defs[i] != PV_NO_VAR) set[defs[i] / 64] &= ~((uint64_t)1 << (defs[i] % 64));
  for (uint32_t i = 0; i < e->dsts.n; i++) {
    uint32_t v = pv_arg(p, e->dsts, i);
    if (v != PV_NO_VAR) set[v / 64] &= ~((uint64_t)1 << (v % 64));
  }
  for (int i = 0; i < 3; i++) use_expr(p, e->e[i], set);
  for (uint32_t i = 0; i < e->args.n; i++) use_expr(p, pv_arg(p, e->args, i), set);
}

uint64_t *pv_liveness(const struct pv_program *p, const struct pv_function *f, uint32_t *words) {
  uint32_t w = (f->vars.n + 63) / 64 + 1, n = f->locs.n;
  uint64_t *live = pv_alloc((size_t)(n + 1) * w * sizeof *live);
  uint64_t *set = pv_alloc((size_t)2 * w * sizeof *set), *one = set + w;
  *words = w;
  /* Round-robin from the last location down, because most edges lead to higher numbers. */
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t l = n; l-- > 0;) {
      const struct pv_location *loc = &f->locs.at[l];
      memset(set, 0, w * sizeof *set);
      for (uint32_t k = 0; k < loc->n_out; k++) {
        const struct pv_edge *e = &f->edges.at[loc->first_out + k];
        memcpy(one, live + (size_t)e->to * w, w * sizeof *one);
        transfer(p, e, one);
        for (uint32_t i = 0; i < w; i++) set[i] |= one[i];
      }
      if (memcmp(set, live + (size_t)l * w, w * sizeof *set) == 0) continue;
      memcpy(live + (size_t)l * w, set, w * sizeof *set);
      changed = true;
    }
  }
  free(set);
  return live;
}
