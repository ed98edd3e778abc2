/* print_c_targets.c -- to which functions that yield a call may lead (print_c_threads.h).
 *
 * A call through a pointer may lead to functions whose address the program uses, and whose type
 * fits. Of functions of C++ that stand in vtables alone, to those at the offset that the call
 * reads. Nothing rests on this: a copy compares the pointer, and one that is equal to no candidate
 * leads to a function that says so when it runs (pvc_threads_stub). */
#include "ir/print_c_threads.h"

#include <stdlib.h>
#include <string.h>

static const struct pv_expr_node *node(const struct pvc *c, pv_expr e) {
  return pv_node(c->p, e);
}

/* ---- vtables --------------------------------------------------------------------------------- */
static bool is_vtable(const struct pv_global *g) {
  return !strncmp(g->name, "_ZTV", 4) || !strncmp(g->name, "_ZTC", 4);
}

/* Functions of a vtable have the offset from where objects point to: behind the address of the
 * type's description, or, without these (-fno-rtti), the first one of those that stand together. */
static void read_vtable(struct pvc *c, const struct pv_global *g) {
  uint64_t size = c->p->pointer_bits / 8, first = 0, next = 0;
  bool described = false;
  for (uint32_t i = 0; i < g->relocs.n; i++) {
    const struct pv_expr_node *n = node(c, g->relocs.at[i].value);
    uint64_t at = g->relocs.at[i].offset;
    if (n->op == PV_X_GLOBAL) {
      described = true;
      first = at + size;
    }
    if (n->op != PV_X_FUNC) continue;
    if (!described && (!i || at != next)) first = at;
    next = at + size;
    struct pvc_virtual v = {(uint32_t)n->lo, at - first};
    pv_vec_push(&c->threads->virtuals, v);
  }
}

/* ---- addresses that are used ----------------------------------------------------------------- */
struct walk {
  struct pvc *c;
  bool *seen; /* expressions */
};

static void use(struct walk *w, pv_expr e) {
  if (!e || w->seen[e]) return;
  w->seen[e] = true;
  const struct pv_expr_node *n = node(w->c, e);
  if (n->op == PV_X_FUNC) w->c->threads->escapes[n->lo] = true;
  use(w, n->a);
  use(w, n->b);
  use(w, n->c);
}

static bool mentions(const struct pvc *c, pv_expr e, uint32_t var) {
  if (!e) return false;
  const struct pv_expr_node *n = node(c, e);
  return (n->op == PV_X_VAR && n->lo == var) || mentions(c, n->a, var) || mentions(c, n->b, var) ||
         mentions(c, n->c, var);
}

/* Is the variable read as the target of calls only? */
static bool only_called(const struct pvc *c, const struct pv_function *f, uint32_t var) {
  for (uint32_t i = 0; i < f->edges.n; i++) {
    const struct pv_edge *e = &f->edges.at[i];
    bool called = e->op == PV_OP_CALL && e->callee == PV_NO_FUNC;
    for (unsigned k = called; k < 3; k++)
      if (mentions(c, e->e[k], var)) return false;
    for (uint32_t k = 0; k < e->args.n; k++)
      if (mentions(c, pv_arg(c->p, e->args, k), var)) return false;
  }
  return true;
}

static void use_edge(struct walk *w, const struct pv_function *f, const struct pv_edge *e) {
  struct pvc *c = w->c;
  uint32_t created = PV_NO_FUNC;
  bool replaced = pvc_threads_reach(c, e, &created), called = e->op == PV_OP_CALL;
  if (e->op == PV_OP_ASSIGN && node(c, e->e[0])->op == PV_X_FUNC && only_called(c, f, e->dst))
    return;
  for (unsigned i = 0; i < 3 && !replaced; i++)
    if (!called || i || node(c, e->e[0])->op != PV_X_FUNC) use(w, e->e[i]);
  for (uint32_t i = 0; i < e->args.n; i++) {
    const struct pv_expr_node *n = node(c, pv_arg(c->p, e->args, i));
    if (!replaced || n->op != PV_X_FUNC || n->lo != created) use(w, pv_arg(c->p, e->args, i));
  }
}

void pvc_targets_begin(struct pvc *c) {
  const struct pv_program *p = c->p;
  struct walk w = {c, pv_alloc(p->exprs.n)};
  for (uint32_t i = 0; i < p->functions.n; i++) {
    const struct pv_function *f = &p->functions.at[i];
    for (uint32_t k = 0; c->function_used[i] && k < f->edges.n; k++)
      use_edge(&w, f, &f->edges.at[k]);
  }
  for (uint32_t i = 0; i < p->globals.n; i++) {
    const struct pv_global *g = &p->globals.at[i];
    if (!c->global_used[i]) continue;
    if (is_vtable(g)) read_vtable(c, g);
    for (uint32_t k = 0; !is_vtable(g) && k < g->relocs.n; k++) use(&w, g->relocs.at[k].value);
  }
  free(w.seen);
}

/* ---- calls ----------------------------------------------------------------------------------- */
static bool sets(const struct pvc *c, const struct pv_edge *e, uint32_t var) {
  bool set = e->dst == var || e->dst2 == var;
  for (uint32_t i = 0; i < e->dsts.n; i++) set |= pv_arg(c->p, e->dsts, i) == var;
  return set;
}

/* The edge that sets the variable before the call, if there is one way to the call. */
static const struct pv_edge *origin(const struct pvc *c, const struct pv_function *f,
                                    const struct pv_edge *call, uint32_t var) {
  pv_loc at = call->from;
  for (unsigned fuel = 50; fuel && f->locs.at[at].n_in == 1; fuel--) {
    uint32_t i = 0;
    while (i < f->edges.n && f->edges.at[i].to != at) i++;
    if (i == f->edges.n) return NULL;
    if (sets(c, &f->edges.at[i], var)) return &f->edges.at[i];
    at = f->edges.at[i].from;
  }
  return NULL;
}

/* Could the call be one of this function? With other types it is undefined. */
static bool fits(const struct pvc *c, const struct pv_edge *e, uint32_t function) {
  const struct pv_function *f = &c->p->functions.at[function];
  if (f->variadic || f->n_params != e->args.n || f->n_results != e->dsts.n) return false;
  for (uint32_t i = 0; i < f->n_params; i++)
    if (node(c, pv_arg(c->p, e->args, i))->type != f->vars.at[i].type) return false;
  return true;
}

enum { NOT_VIRTUAL = -1 };

/* The function that is called, if that is certain; else PV_NO_FUNC, and where in a vtable it stands
 * if it is read from one. */
static uint32_t called_by(const struct pvc *c, const struct pv_function *f,
                          const struct pv_edge *call, int64_t *at) {
  *at = NOT_VIRTUAL;
  if (call->callee != PV_NO_FUNC) return call->callee;
  const struct pv_expr_node *target = node(c, call->e[0]);
  if (target->op == PV_X_FUNC) return (uint32_t)target->lo;
  if (target->op != PV_X_VAR) return PV_NO_FUNC;
  const struct pv_edge *e = origin(c, f, call, (uint32_t)target->lo);
  if (!e || (e->op != PV_OP_ASSIGN && e->op != PV_OP_LOAD)) return PV_NO_FUNC;
  const struct pv_expr_node *from = node(c, e->e[0]);
  if (e->op == PV_OP_ASSIGN) return from->op == PV_X_FUNC ? (uint32_t)from->lo : PV_NO_FUNC;
  if (from->op == PV_X_VAR) *at = 0;
  if (from->op == PV_X_PTRADD && node(c, from->b)->op == PV_X_CONST)
    *at = (int64_t)node(c, from->b)->lo;
  return PV_NO_FUNC;
}

static bool stands_at(const struct pvc *c, uint32_t function, int64_t at) {
  for (uint32_t i = 0; at >= 0 && i < c->threads->virtuals.n; i++)
    if (c->threads->virtuals.at[i].function == function &&
        c->threads->virtuals.at[i].offset == (uint64_t)at)
      return true;
  return false;
}

uint32_t pvc_yielding(const struct pvc *c, uint32_t function, uint32_t edge) {
  const struct pv_function *f = &c->p->functions.at[function];
  const struct pv_edge *e = &f->edges.at[edge];
  struct pvc_threads *t = c->threads;
  if (e->op != PV_OP_CALL || pvc_ft_call(c, e)) return 0;
  int64_t at;
  uint32_t n = 0, certain = called_by(c, f, e, &at);
  if (certain != PV_NO_FUNC) {
    t->callees[0] = certain;
    return t->yields[certain];
  }
  for (uint32_t i = 0; i < c->p->functions.n; i++)
    if (t->yields[i] && fits(c, e, i) && (t->escapes[i] || stands_at(c, i, at)))
      t->callees[n++] = i;
  return n;
}
