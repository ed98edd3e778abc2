#include "dpor/predicate.h"

#include <stdlib.h>

static pv_properties undefined(void) {
  return PV_PROP_BIT(PV_PROP_VALID_DEREF) | PV_PROP_BIT(PV_PROP_VALID_FREE);
}

bool pv_predicate_assumes(const struct pv_predicate *p) {
  pv_statements all = {0};
  bool found = false;
  pv_essential(p->program, p->pt, undefined(), &all);
  for (uint32_t i = 0; i < all.n && !found; i++)
    found = !pv_slice_has(p->slice, all.at[i].function, all.at[i].edge);
  pv_vec_free(&all);
  return found;
}

struct pv_predicate *pv_predicate_new(const struct pv_task *task, bool defined) {
  const struct pv_dependence_options options = {.ends = true, .between_threads = true};
  pv_properties properties = task->properties | (defined ? undefined() : 0);
  struct pv_predicate *p = pv_alloc(sizeof *p);
  p->program = task->program;
  p->pt = pv_points_to_new(task->program, NULL);
  p->graph = pv_dependence_new(task->program, p->pt, &options);
  p->slice = pv_slice_new(p->graph);
  if (pv_slice_add_essential(p->slice, p->pt, properties)) {
    pv_predicate_free(p);
    return NULL;
  }
  pv_essential(task->program, p->pt, PV_PROP_BIT(PV_PROP_NO_DATA_RACE), &p->shared);
  return p;
}

void pv_predicate_free(struct pv_predicate *p) {
  if (!p) return;
  pv_slice_free(p->slice);
  pv_dependence_free(p->graph);
  pv_points_to_free(p->pt);
  pv_vec_free(&p->shared);
  pv_vec_free(&p->needed);
  free(p);
}

static bool is_outside(void *user, uint32_t function, uint32_t edge) {
  const struct pv_predicate *p = user;
  return !pv_slice_has(p->slice, function, edge);
}

void pv_predicate_hide(struct pv_predicate *p, struct pv_vm *vm) {
  pv_vm_hide(vm, is_outside, p);
}

static struct pv_statement statement(const struct pv_predicate *p, const struct pv_pending *what) {
  struct pv_statement s = {(uint32_t)(what->function - p->program->functions.at),
                           (uint32_t)(what->edge - what->function->edges.at)};
  return s;
}

bool pv_predicate_matters(const struct pv_predicate *p, const struct pv_pending *what) {
  if (!p || what->kind == PV_PEND_END || what->kind == PV_PEND_LOCAL) return true;
  struct pv_statement s = statement(p, what);
  return pv_slice_has(p->slice, s.function, s.edge);
}

void pv_predicate_need(struct pv_predicate *p, const struct pv_pending *what) {
  pv_vec_push(&p->needed, statement(p, what));
}

static bool reads(const struct pv_edge *e) {
  return e->op == PV_OP_LOAD || e->op == PV_OP_RMW || e->op == PV_OP_CMPXCHG;
}

void pv_predicate_need_loop(struct pv_predicate *p, const struct pv_vm *vm, unsigned thread) {
  for (uint32_t depth = pv_vm_depth(vm, thread); depth--;) {
    uint32_t function;
    pv_loc loc;
    pv_vm_frame(vm, thread, depth, &function, &loc);
    for (uint32_t i = 0; i < p->shared.n; i++) {
      struct pv_statement s = p->shared.at[i];
      if (s.function == function && reads(&p->program->functions.at[function].edges.at[s.edge]))
        pv_vec_push(&p->needed, s);
    }
  }
}

bool pv_predicate_enlarge(struct pv_predicate *p) {
  uint32_t before = p->slice->n;
  while (p->needed.n) {
    struct pv_statement s = pv_vec_pop(&p->needed);
    if (!pv_slice_has(p->slice, s.function, s.edge)) pv_slice_add(p->slice, s.function, s.edge);
  }
  return p->slice->n > before;
}
