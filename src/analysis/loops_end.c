#include "analysis/loops_end.h"

#include "analysis/graph.h"

#include <stdlib.h>
#include <string.h>

/* A bound on the work, which excludes loops that are nested more deeply. */
enum { WORK_PER_EDGE = 64 };

struct loops {
  const struct pv_program *p;
  const struct pv_function *f;
  struct pv_graph flow, back;
  uint32_t *order;   /* by location: the order in which a depth-first search enters it, from 1 */
  uint8_t *finished; /* ... and whether the search has left it */
  uint32_t *times;   /* intervals of the dominator tree */
  /* By location: the head of the smallest loop that contains it, PV_NO_GRAPH_NODE: none. */
  uint32_t *innermost;
  uint32_t *in_body; /* by location: 1 + the head of the loop being examined */
  uint32_t *set_at;  /* by variable: the same if the loop sets it */
  /* By variable: the only edge in the loop that sets it, PV_NO_GRAPH_NODE: several. */
  uint32_t *setter;
  PV_VEC(pv_loc) body;
  PV_VEC(pv_loc) latches;
  pv_arcs retreating; /* edges back to heads: head, source */
  uint64_t work;
};

/* ---- the walk -------------------------------------------------------------------------------- */
static void find_retreating(struct loops *l) {
  uint32_t n = l->f->locs.n, depth = 0, clock = 0;
  uint32_t *next = pv_alloc((n + 1) * sizeof *next), *stack = pv_alloc((n + 1) * sizeof *stack);
  stack[depth++] = l->f->entry;
  l->order[l->f->entry] = ++clock;
  while (depth) {
    uint32_t v = stack[depth - 1], i = l->flow.first[v] + next[v]++;
    if (i == l->flow.first[v + 1]) {
      l->finished[v] = 1;
      depth--;
      continue;
    }
    uint32_t to = l->flow.to[i];
    struct pv_arc arc = {to, v};
    if (l->order[to] && !l->finished[to]) pv_vec_push(&l->retreating, arc);
    if (l->order[to]) continue;
    l->order[to] = ++clock;
    stack[depth++] = to;
  }
  free(next);
  free(stack);
}

static struct pv_graph flow_of(const struct pv_function *f) {
  pv_arcs arcs = {0};
  for (uint32_t i = 0; i < f->edges.n; i++) {
    struct pv_arc arc = {f->edges.at[i].from, f->edges.at[i].to};
    if (f->edges.at[i].op != PV_OP_STOP) pv_vec_push(&arcs, arc);
  }
  struct pv_graph g = pv_graph_new(f->locs.n, &arcs);
  pv_vec_free(&arcs);
  return g;
}

/* ---- one loop -------------------------------------------------------------------------------- */
static bool on_every_round(const struct loops *l, pv_loc loc) {
  for (uint32_t i = 0; i < l->latches.n; i++)
    if (!pv_dominates(l->times, loc, l->latches.at[i])) return false;
  return true;
}

/* Finds the locations that lead to a latch without passing the head. Returns false if it takes too
 * much work. */
static bool find_body(struct loops *l, pv_loc head) {
  if (l->work > (uint64_t)WORK_PER_EDGE * l->f->edges.n + 4096) return false;
  l->body.n = 0;
  pv_vec_push(&l->body, head);
  l->in_body[head] = head + 1;
  for (uint32_t i = 0; i < l->latches.n; i++) {
    pv_loc latch = l->latches.at[i];
    if (l->in_body[latch] == head + 1) continue;
    l->in_body[latch] = head + 1;
    pv_vec_push(&l->body, latch);
  }
  for (uint32_t i = 1; i < l->body.n; i++) {
    pv_loc at = l->body.at[i];
    for (uint32_t k = l->back.first[at]; k < l->back.first[at + 1]; k++) {
      if (l->in_body[l->back.to[k]] == head + 1) continue;
      l->in_body[l->back.to[k]] = head + 1;
      pv_vec_push(&l->body, l->back.to[k]);
    }
  }
  l->work += l->body.n;
  for (uint32_t i = 0; i < l->body.n; i++) /* inner loops come first */
    if (l->innermost[l->body.at[i]] == PV_NO_GRAPH_NODE) l->innermost[l->body.at[i]] = head;
  return true;
}

static void note_set(struct loops *l, uint32_t var, pv_loc head, uint32_t edge) {
  if (var == PV_NO_VAR) return;
  l->setter[var] = l->set_at[var] == head + 1 ? PV_NO_GRAPH_NODE : edge;
  l->set_at[var] = head + 1;
}

static void find_setters(struct loops *l, pv_loc head) {
  for (uint32_t i = 0; i < l->body.n; i++) {
    const struct pv_location *at = &l->f->locs.at[l->body.at[i]];
    for (uint32_t k = at->first_out; k < at->first_out + at->n_out; k++) {
      const struct pv_edge *e = &l->f->edges.at[k];
      note_set(l, e->dst, head, k);
      note_set(l, e->dst2, head, k);
      for (uint32_t d = 0; d < e->dsts.n; d++) note_set(l, pv_arg(l->p, e->dsts, d), head, k);
    }
  }
}

/* Is the expression a variable plus a (small) constant? */
static bool is_sum(const struct loops *l, pv_expr e, uint32_t *var, int64_t *plus) {
  const struct pv_expr_node *n = pv_node(l->p, e), *a = n, *b = NULL;
  *plus = 0;
  if (n->op == PV_X_ADD || n->op == PV_X_SUB) {
    bool turned = n->op == PV_X_ADD && pv_node(l->p, n->a)->op == PV_X_CONST;
    a = pv_node(l->p, turned ? n->b : n->a);
    b = pv_node(l->p, turned ? n->a : n->b);
  }
  unsigned bits = pv_type_bits(n->type);
  if (a->op != PV_X_VAR || (b && b->op != PV_X_CONST) || bits > 64) return false;
  *var = (uint32_t)a->lo;
  if (!b) return true;
  *plus = pv_sign_extend(b->lo, bits);
  if (*plus > INT32_MAX || *plus < -INT32_MAX) return false;
  if (n->op == PV_X_SUB) *plus = -*plus;
  return true;
}

/* The constant by which a variable grows in each iteration; 0: it changes otherwise. */
static int64_t step_of(const struct loops *l, uint32_t var, pv_loc head) {
  uint32_t of;
  int64_t step;
  if (l->set_at[var] != head + 1 || l->setter[var] == PV_NO_GRAPH_NODE) return 0;
  const struct pv_edge *e = &l->f->edges.at[l->setter[var]];
  if (e->op != PV_OP_ASSIGN || l->innermost[e->from] != head || !on_every_round(l, e->from))
    return 0;
  return is_sum(l, e->e[0], &of, &step) && of == var ? step : 0;
}

/* The variable that a branch tests. The test may use the variable's earlier value, plus a constant,
 * from the same iteration: `while (n-- > 0)`. This grows by the same constant. */
static uint32_t tested(const struct loops *l, pv_loc branch, uint32_t var) {
  pv_loc at = branch;
  for (int steps = 0; steps < 8; steps++) {
    if (l->back.first[at + 1] - l->back.first[at] != 1) return var;
    at = l->back.to[l->back.first[at]];
    if (l->f->locs.at[at].n_out != 1) return var;
    const struct pv_edge *e = &l->f->edges.at[l->f->locs.at[at].first_out];
    uint32_t of;
    int64_t plus;
    if (e->dst == var && e->op == PV_OP_ASSIGN && is_sum(l, e->e[0], &of, &plus) && of != var)
      return of;
    if (e->dst == var || e->dst2 == var || e->dsts.n) return var;
  }
  return var;
}

/* Does the comparison that keeps the loop running fail eventually, when the variable on its left or
 * right side moves towards the other side? `room` is the number of values beyond a constant on the
 * other side. */
static bool fails_some_time(unsigned op, int64_t step, bool left, bool constant, uint64_t room) {
  uint64_t wide = step < 0 ? (uint64_t)-step : (uint64_t)step;
  if (op == PV_X_NE) return wide == 1;
  if (!step || left != (step > 0)) return false;
  if (op == PV_X_SLT || op == PV_X_ULT) return constant ? wide - 1 <= room : wide == 1;
  return (op == PV_X_SLE || op == PV_X_ULE) && constant && wide <= room;
}

/* The number of values beyond k, upwards or downwards. */
static uint64_t room_beyond(uint64_t k, unsigned bits, bool is_signed, bool up) {
  uint64_t max = bits == 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;
  uint64_t place = is_signed ? (k ^ UINT64_C(1) << (bits - 1)) & max : k & max;
  return up ? max - place : place;
}

static bool counts(const struct loops *l, pv_loc head, pv_loc branch, pv_expr condition) {
  const struct pv_expr_node *n = pv_node(l->p, condition);
  if (n->op != PV_X_NE && n->op != PV_X_SLT && n->op != PV_X_SLE && n->op != PV_X_ULT &&
      n->op != PV_X_ULE)
    return false;
  bool is_signed = n->op == PV_X_SLT || n->op == PV_X_SLE;
  for (int side = 0; side < 2; side++) {
    const struct pv_expr_node *var = pv_node(l->p, side ? n->b : n->a);
    const struct pv_expr_node *other = pv_node(l->p, side ? n->a : n->b);
    bool constant = other->op == PV_X_CONST;
    bool fixed = constant || (other->op == PV_X_VAR && l->set_at[other->lo] != head + 1);
    unsigned bits = pv_type_bits(var->type);
    if (var->op != PV_X_VAR || !fixed || pv_type_kind(var->type) != PV_T_INT || bits > 64) continue;
    int64_t step = step_of(l, (uint32_t)var->lo, head);
    if (!step) step = step_of(l, tested(l, branch, (uint32_t)var->lo), head);
    uint64_t room = room_beyond(other->lo, bits, is_signed, step > 0);
    if (fails_some_time(n->op, step, !side, constant, room)) return true;
  }
  return false;
}

/* Is one of the loop's exits a test that fails eventually? */
static bool ends(const struct loops *l, pv_loc head) {
  for (uint32_t i = 0; i < l->body.n; i++) {
    const struct pv_location *at = &l->f->locs.at[l->body.at[i]];
    if (at->n_out != 2) continue;
    const struct pv_edge *e = &l->f->edges.at[at->first_out];
    bool stays[2] = {l->in_body[e[0].to] == head + 1, l->in_body[e[1].to] == head + 1};
    if (stays[0] == stays[1] || !on_every_round(l, l->body.at[i])) continue;
    if (counts(l, head, l->body.at[i], e[stays[0] ? 0 : 1].e[0])) return true;
  }
  return false;
}

/* Examines a loop. The retreating edges to `head` are arcs[from..to). */
static bool look_at(struct loops *l, pv_loc head, uint32_t from, uint32_t to) {
  l->latches.n = 0;
  for (uint32_t i = from; i < to; i++) pv_vec_push(&l->latches, l->retreating.at[i].to);
  if (!find_body(l, head)) return false;
  find_setters(l, head);
  return ends(l, head);
}

/* Is every loop entered only at its head? If not, an iteration of one loop may execute another's
 * increments more than once. */
static bool is_reducible(const struct loops *l) {
  for (uint32_t i = 0; i < l->retreating.n; i++)
    if (!pv_dominates(l->times, l->retreating.at[i].from, l->retreating.at[i].to)) return false;
  return true;
}

static uint32_t entered(const struct loops *l, uint32_t arc) {
  return l->order[l->retreating.at[arc].from];
}

/* Sorts arcs by falling order of their heads, so that inner loops come first. */
static void sort_retreating(struct loops *l) {
  pv_arcs by_order = {0};
  for (uint32_t i = 0; i < l->retreating.n; i++) {
    struct pv_arc arc = {l->f->locs.n - entered(l, i), i};
    pv_vec_push(&by_order, arc);
  }
  struct pv_graph g = pv_graph_new(l->f->locs.n, &by_order);
  pv_arcs sorted = {0};
  for (uint32_t i = 0; i < l->retreating.n; i++) pv_vec_push(&sorted, l->retreating.at[g.to[i]]);
  pv_graph_free(&g);
  pv_vec_free(&by_order);
  pv_vec_free(&l->retreating);
  l->retreating.at = sorted.at;
  l->retreating.n = sorted.n;
  l->retreating.cap = sorted.cap;
}

static void look_at_all(struct loops *l, uint8_t *endless) {
  bool reducible = is_reducible(l);
  for (uint32_t i = 0, k; i < l->retreating.n; i = k) {
    pv_loc head = l->retreating.at[i].from;
    for (k = i + 1; k < l->retreating.n && l->retreating.at[k].from == head;) k++;
    endless[head] = !reducible || !look_at(l, head, i, k);
  }
}

uint8_t *pv_endless_loops(const struct pv_program *p, const struct pv_function *f) {
  uint32_t n = f->locs.n;
  uint8_t *endless = pv_alloc(n + 1);
  struct loops l = {.p = p, .f = f, .flow = flow_of(f)};
  l.order = pv_alloc((n + 1) * sizeof *l.order);
  l.finished = pv_alloc(n + 1);
  find_retreating(&l);
  if (l.retreating.n) {
    l.back = pv_graph_reverse(&l.flow);
    uint32_t *idom = pv_dominators(&l.flow, &l.back, f->entry);
    l.times = pv_dominator_times(idom, n);
    l.innermost = pv_alloc((n + 1) * sizeof *l.innermost);
    memset(l.innermost, 0xff, n * sizeof *l.innermost);
    l.in_body = pv_alloc((n + 1) * sizeof *l.in_body);
    l.set_at = pv_alloc((f->vars.n + 1) * sizeof *l.set_at);
    l.setter = pv_alloc((f->vars.n + 1) * sizeof *l.setter);
    sort_retreating(&l);
    look_at_all(&l, endless);
    free(idom);
    free(l.times);
    free(l.innermost);
    free(l.in_body);
    free(l.set_at);
    free(l.setter);
  }
  free(l.order);
  free(l.finished);
  pv_vec_free(&l.body);
  pv_vec_free(&l.latches);
  pv_vec_free(&l.retreating);
  pv_graph_free(&l.flow);
  pv_graph_free(&l.back);
  return endless;
}
