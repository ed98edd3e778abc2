/* ranking_loops.c -- the variables and the loops of a function. */
#include "cpa/ranking_internal.h"

#include "analysis/graph.h"

#include <stdlib.h>

static const struct pv_expr_node *object_of(const struct prover *r, pv_expr address) {
  const struct pv_expr_node *n = pv_node(r->p, address);
  return address && (n->op == PV_X_GLOBAL || n->op == PV_X_SLOT) ? n : NULL;
}

struct use {
  pv_type type; /* 0: none yet */
  bool other;   /* it is used in another way */
};

static void use_other(const struct prover *r, pv_expr e, struct use *globals, struct use *slots) {
  const struct pv_expr_node *n = pv_node(r->p, e);
  if (!e) return;
  if (n->op == PV_X_GLOBAL) globals[n->lo].other = true;
  if (n->op == PV_X_SLOT && slots) slots[n->lo].other = true;
  if (pv_expr_ops[n->op].arity == 0) return;
  use_other(r, n->a, globals, slots);
  use_other(r, n->b, globals, slots);
  use_other(r, n->c, globals, slots);
}

static void use_edge(const struct prover *r, const struct pv_edge *e, struct use *globals,
                     struct use *slots) {
  bool access = e->op == PV_OP_LOAD || e->op == PV_OP_STORE;
  const struct pv_expr_node *n = access ? object_of(r, e->e[0]) : NULL;
  if (n && n->op == PV_X_SLOT && !slots) n = NULL;
  if (n) {
    struct use *u = n->op == PV_X_GLOBAL ? &globals[n->lo] : &slots[n->lo];
    uint64_t size =
        n->op == PV_X_GLOBAL ? r->p->globals.at[n->lo].size : r->f->slots.at[n->lo].size;
    u->other |= (u->type && u->type != e->type) || pv_type_bytes(e->type) > size ||
                !pv_rank_is_plain_type(e->type) || pv_type_bits(e->type) % 8;
    u->type = e->type;
  }
  for (int i = n != NULL; i < 3; i++) use_other(r, e->e[i], globals, slots);
  for (uint32_t i = 0; i < e->args.n; i++) use_other(r, pv_arg(r->p, e->args, i), globals, slots);
}

void pv_rank_find_cells(struct prover *r) {
  const struct pv_program *p = r->p;
  struct use *globals = pv_alloc((p->globals.n + 1) * sizeof *globals);
  struct use *slots = pv_alloc((r->f->slots.n + 1) * sizeof *slots);
  for (uint32_t f = 0; f < p->functions.n; f++)
    for (uint32_t i = 0; i < p->functions.at[f].edges.n; i++)
      use_edge(r, &p->functions.at[f].edges.at[i], globals, f == r->function ? slots : NULL);
  for (uint32_t g = 0; g < p->globals.n; g++)
    for (uint32_t i = 0; i < p->globals.at[g].relocs.n; i++)
      use_other(r, p->globals.at[g].relocs.at[i].value, globals, NULL);
  r->cells.n = 0;
  for (uint32_t g = 0; g < p->globals.n; g++)
    if (globals[g].type && !globals[g].other)
      pv_vec_push(&r->cells, ((struct cell){true, g, globals[g].type}));
  for (uint32_t s = 0; s < r->f->slots.n; s++)
    if (slots[s].type && !slots[s].other)
      pv_vec_push(&r->cells, ((struct cell){false, s, slots[s].type}));
  r->n = r->f->vars.n + r->cells.n;
  free(globals);
  free(slots);
}

uint32_t pv_rank_cell_at(const struct prover *r, pv_expr address) {
  const struct pv_expr_node *n = object_of(r, address);
  for (uint32_t i = 0; n && i < r->cells.n; i++)
    if (r->cells.at[i].is_global == (n->op == PV_X_GLOBAL) && r->cells.at[i].index == n->lo)
      return r->f->vars.n + i;
  return PV_NO_VAR;
}

bool pv_rank_is_back_edge(const struct prover *r, const struct pv_edge *e) {
  return e->op != PV_OP_STOP && pv_dominates(r->times, e->to, e->from);
}

/* Orders the locations without back edges. Returns false if a cycle is left: a loop with several
 * entries. */
static bool sort_locations(struct prover *r) {
  const struct pv_function *f = r->f;
  uint32_t *in = pv_alloc((f->locs.n + 1) * sizeof *in);
  r->order = pv_alloc((f->locs.n + 1) * sizeof *r->order);
  r->rank = pv_alloc((f->locs.n + 1) * sizeof *r->rank);
  r->n_order = 0;
  for (uint32_t i = 0; i < f->edges.n; i++)
    if (f->edges.at[i].op != PV_OP_STOP && !pv_rank_is_back_edge(r, &f->edges.at[i]))
      in[f->edges.at[i].to]++;
  for (pv_loc l = 0; l < f->locs.n; l++)
    if (!in[l]) r->order[r->n_order++] = l;
  for (uint32_t at = 0; at < r->n_order; at++) {
    pv_loc l = r->order[at];
    r->rank[l] = at;
    for (uint32_t i = f->locs.at[l].first_out; i < f->locs.at[l].first_out + f->locs.at[l].n_out;
         i++) {
      const struct pv_edge *e = &f->edges.at[i];
      if (e->op != PV_OP_STOP && !pv_rank_is_back_edge(r, e) && !--in[e->to])
        r->order[r->n_order++] = e->to;
    }
  }
  free(in);
  return r->n_order == f->locs.n;
}

static void note_sets(const struct prover *r, struct loop *l, const struct pv_edge *e) {
  if (e->dst != PV_NO_VAR) l->sets[e->dst] = 1;
  if (e->dst2 != PV_NO_VAR) l->sets[e->dst2] = 1;
  for (uint32_t i = 0; i < e->dsts.n; i++)
    if (pv_arg(r->p, e->dsts, i) != PV_NO_VAR) l->sets[pv_arg(r->p, e->dsts, i)] = 1;
  uint32_t cell = e->op == PV_OP_STORE ? pv_rank_cell_at(r, e->e[0]) : PV_NO_VAR;
  if (cell != PV_NO_VAR) l->sets[cell] = 1;
  for (uint32_t i = 0; i < r->cells.n; i++) {
    const struct cell *c = &r->cells.at[i];
    bool ends = (e->op == PV_OP_LIVE || e->op == PV_OP_DEAD) && !c->is_global && c->index == e->aux;
    if (ends || (e->op == PV_OP_CALL && c->is_global)) l->sets[r->f->vars.n + i] = 1;
  }
}

static void add_loop(struct prover *r, pv_loc head) {
  const struct pv_function *f = r->f;
  struct loop l = {.head = head, .body = pv_alloc(f->locs.n + 1)};
  PV_VEC(pv_loc) todo = {0};
  l.sets = pv_alloc(r->n + 1);
  l.falls = pv_alloc(r->n + 1);
  l.body[head] = 1;
  for (uint32_t i = 0; i < f->edges.n; i++)
    if (f->edges.at[i].to == head && pv_rank_is_back_edge(r, &f->edges.at[i]) &&
        !l.body[f->edges.at[i].from]) {
      l.body[f->edges.at[i].from] = 1;
      pv_vec_push(&todo, f->edges.at[i].from);
    }
  while (todo.n) {
    pv_loc at = pv_vec_pop(&todo);
    for (uint32_t i = 0; i < f->edges.n; i++) {
      const struct pv_edge *e = &f->edges.at[i];
      if (e->to != at || e->op == PV_OP_STOP || l.body[e->from]) continue;
      l.body[e->from] = 1;
      pv_vec_push(&todo, e->from);
    }
  }
  for (pv_loc at = 0; at < f->locs.n; at++) l.size += l.body[at];
  for (uint32_t i = 0; i < f->edges.n; i++)
    if (l.body[f->edges.at[i].from]) note_sets(r, &l, &f->edges.at[i]);
  pv_vec_free(&todo);
  uint32_t at = r->loops.n; /* smaller loops first */
  pv_vec_push(&r->loops, l);
  for (; at > 0 && r->loops.at[at - 1].size > l.size; at--) r->loops.at[at] = r->loops.at[at - 1];
  r->loops.at[at] = l;
}

bool pv_rank_find_loops(struct prover *r) {
  const struct pv_function *f = r->f;
  pv_arcs arcs = {0};
  for (uint32_t i = 0; i < f->edges.n; i++)
    if (f->edges.at[i].op != PV_OP_STOP)
      pv_vec_push(&arcs, ((struct pv_arc){f->edges.at[i].from, f->edges.at[i].to}));
  struct pv_graph flow = pv_graph_new(f->locs.n, &arcs), back = pv_graph_reverse(&flow);
  uint32_t *idom = pv_dominators(&flow, &back, f->entry);
  r->times = pv_dominator_times(idom, f->locs.n);
  bool fine = sort_locations(r);
  for (pv_loc l = 0; l < f->locs.n && fine; l++)
    for (uint32_t i = 0; i < f->edges.n; i++)
      if (f->edges.at[i].to == l && pv_rank_is_back_edge(r, &f->edges.at[i])) {
        add_loop(r, l);
        break;
      }
  free(idom);
  pv_graph_free(&flow);
  pv_graph_free(&back);
  pv_vec_free(&arcs);
  return fine;
}
