#include "analysis/control_dependence.h"

#include "analysis/graph.h"

#include <stdlib.h>
#include <string.h>

enum { PAIRS_PER_BLOCK = 16, PAIRS_MORE = 1000000 };

/* Locations in straight-line code have the same control dependence, so they are treated as one
 * block. */
struct pv_control_dependence {
  uint8_t *may_stay;
  uint32_t *block; /* by location */
  uint32_t n_blocks;
  uint32_t *first; /* by block: index in `list` */
  PV_VEC(pv_loc) list;
  bool coarse;
};

struct build {
  const struct pv_function *f;
  struct pv_control_dependence *c;
  PV_VEC(pv_loc) last; /* by block: where it ends */
  pv_arcs pairs;       /* a block, and the block on whose end it depends */
  uint32_t entry, end; /* numbers after those of the blocks */
  bool never_returns;  /* is the exit unreachable? */
};

/* ---- locations where runs may stay ----------------------------------------------------------- */
static bool stops(const struct pv_function *f, pv_loc l) {
  const struct pv_location *at = &f->locs.at[l];
  return at->n_out && f->edges.at[at->first_out].op == PV_OP_STOP;
}

/* The locations from which the end is reachable; to stay forever somewhere also counts as reaching
 * it. */
static uint8_t *reaching_end(const struct pv_function *f, const uint8_t *may_stay) {
  uint8_t *reaches = pv_alloc(f->locs.n + 1);
  PV_VEC(pv_loc) todo = {0};
  pv_arcs arcs = {0};
  for (uint32_t i = 0; i < f->edges.n; i++) {
    struct pv_arc arc = {f->edges.at[i].to, f->edges.at[i].from};
    if (f->edges.at[i].op != PV_OP_STOP) pv_vec_push(&arcs, arc);
  }
  struct pv_graph back = pv_graph_new(f->locs.n, &arcs);
  for (pv_loc l = 0; l < f->locs.n; l++)
    if (l == f->exit || may_stay[l] || stops(f, l)) {
      reaches[l] = 1;
      pv_vec_push(&todo, l);
    }
  while (todo.n) {
    pv_loc l = pv_vec_pop(&todo);
    for (uint32_t i = back.first[l]; i < back.first[l + 1]; i++) {
      if (reaches[back.to[i]]) continue;
      reaches[back.to[i]] = 1;
      pv_vec_push(&todo, back.to[i]);
    }
  }
  pv_graph_free(&back);
  pv_vec_free(&arcs);
  pv_vec_free(&todo);
  return reaches;
}

/* A location that cannot reach the end leads to a loop; the heads of such loops are marked. */
static void mark_endless(const struct pv_function *f, uint8_t *may_stay) {
  uint8_t *reaches = reaching_end(f, may_stay);
  for (pv_loc l = 0; l < f->locs.n; l++)
    if (!reaches[l] && f->locs.at[l].loop_head) may_stay[l] = 1;
  free(reaches);
}

/* ---- blocks ---------------------------------------------------------------------------------- */
static bool goes_on(const struct build *b, pv_loc l) {
  return b->f->locs.at[l].n_out == 1 && !b->c->may_stay[l] && !stops(b->f, l);
}

static void find_blocks(struct build *b) {
  const struct pv_function *f = b->f;
  uint8_t *leads = pv_alloc(f->locs.n + 1);
  leads[f->entry] = leads[f->exit] = 1;
  for (pv_loc l = 0; l < f->locs.n; l++) {
    const struct pv_location *at = &f->locs.at[l];
    if (at->n_in != 1) leads[l] = 1;
    for (uint32_t i = 0; !goes_on(b, l) && i < at->n_out; i++)
      leads[f->edges.at[at->first_out + i].to] = 1;
  }
  for (pv_loc l = 0; l < f->locs.n; l++) {
    if (!leads[l]) continue;
    pv_loc at = l;
    for (;;) {
      b->c->block[at] = b->last.n;
      if (!goes_on(b, at)) break;
      pv_loc to = f->edges.at[f->locs.at[at].first_out].to;
      if (leads[to]) break;
      at = to;
    }
    pv_vec_push(&b->last, at);
  }
  free(leads);
  b->c->n_blocks = b->last.n;
  b->entry = b->last.n;
  b->end = b->last.n + 1;
}

static bool never_returns(const struct pv_function *f) {
  uint8_t *seen = pv_alloc(f->locs.n + 1);
  PV_VEC(pv_loc) todo = {0};
  seen[f->entry] = 1;
  pv_vec_push(&todo, f->entry);
  while (todo.n) {
    const struct pv_location *at = &f->locs.at[pv_vec_pop(&todo)];
    for (uint32_t i = at->first_out; i < at->first_out + at->n_out; i++) {
      const struct pv_edge *e = &f->edges.at[i];
      if (e->op == PV_OP_STOP || seen[e->to]) continue;
      seen[e->to] = 1;
      pv_vec_push(&todo, e->to);
    }
  }
  bool never = !seen[f->exit];
  pv_vec_free(&todo);
  free(seen);
  return never;
}

static void add_arc(pv_arcs *arcs, uint32_t from, uint32_t to) {
  struct pv_arc arc = {from, to};
  pv_vec_push(arcs, arc);
}

static struct pv_graph flow_of(const struct build *b) {
  const struct pv_function *f = b->f;
  pv_arcs arcs = {0};
  for (uint32_t k = 0; k < b->last.n; k++) {
    pv_loc l = b->last.at[k];
    const struct pv_location *at = &f->locs.at[l];
    for (uint32_t i = at->first_out; i < at->first_out + at->n_out; i++)
      add_arc(&arcs, k, f->edges.at[i].op == PV_OP_STOP ? b->end : b->c->block[f->edges.at[i].to]);
    if (l == f->exit || b->c->may_stay[l]) add_arc(&arcs, k, b->end);
    /* Without what keeps it from that, the function would return. */
    if (b->never_returns && (stops(f, l) || b->c->may_stay[l]))
      add_arc(&arcs, k, b->c->block[f->exit]);
  }
  add_arc(&arcs, b->entry, b->c->block[f->entry]);
  add_arc(&arcs, b->entry, b->end);
  struct pv_graph g = pv_graph_new(b->end + 1, &arcs);
  pv_vec_free(&arcs);
  return g;
}

/* ---- the relation ---------------------------------------------------------------------------- */
/* Blocks on all paths from one successor of `from`, but not on all from `from` itself, depend on
 * it. */
static void depend_on(struct build *b, const struct pv_graph *g, const uint32_t *up,
                      uint32_t *stamp, uint32_t from) {
  for (uint32_t i = g->first[from]; i < g->first[from + 1]; i++)
    for (uint32_t at = g->to[i]; at != up[from] && stamp[at] != from + 1; at = up[at]) {
      stamp[at] = from + 1;
      add_arc(&b->pairs, at, from);
    }
}

static void find_pairs(struct build *b) {
  struct pv_graph g = flow_of(b), back = pv_graph_reverse(&g);
  uint32_t *up = pv_dominators(&back, &g, b->end); /* postdominators */
  uint32_t *stamp = pv_alloc(((size_t)g.n + 1) * sizeof *stamp);
  uint64_t bound = (uint64_t)PAIRS_PER_BLOCK * g.n + PAIRS_MORE;
  for (uint32_t v = 0; v < g.n && !b->c->coarse; v++) {
    if (g.first[v + 1] - g.first[v] > 1) depend_on(b, &g, up, stamp, v);
    b->c->coarse = b->pairs.n > bound;
  }
  free(stamp);
  free(up);
  pv_graph_free(&back);
  pv_graph_free(&g);
}

static pv_loc place_of(const struct build *b, uint32_t block) {
  return block == b->entry ? PV_AT_ENTRY : b->last.at[block];
}

static void list_all(struct build *b) {
  struct pv_control_dependence *c = b->c;
  pv_vec_push(&c->list, PV_AT_ENTRY);
  for (uint32_t k = 0; k < c->n_blocks; k++)
    if (b->f->locs.at[b->last.at[k]].n_out > 1 || c->may_stay[b->last.at[k]] ||
        (b->never_returns && stops(b->f, b->last.at[k])))
      pv_vec_push(&c->list, b->last.at[k]);
}

static void list_pairs(struct build *b) {
  struct pv_control_dependence *c = b->c;
  struct pv_graph g = pv_graph_new(c->n_blocks, &b->pairs);
  pv_vec_reserve(&c->list, b->pairs.n + 1);
  for (uint32_t i = 0; i < b->pairs.n; i++) pv_vec_push(&c->list, place_of(b, g.to[i]));
  c->first = g.first;
  g.first = NULL;
  pv_graph_free(&g);
}

struct pv_control_dependence *pv_control_dependence_new(const struct pv_function *f,
                                                        const uint8_t *may_stay) {
  struct pv_control_dependence *c = pv_alloc(sizeof *c);
  struct build b = {.f = f, .c = c, .never_returns = never_returns(f)};
  c->may_stay = pv_alloc(f->locs.n + 1);
  memcpy(c->may_stay, may_stay, f->locs.n);
  c->may_stay[f->exit] = 0;
  c->block = pv_alloc((f->locs.n + 1) * sizeof *c->block);
  mark_endless(f, c->may_stay);
  find_blocks(&b);
  find_pairs(&b);
  if (c->coarse)
    list_all(&b);
  else
    list_pairs(&b);
  pv_vec_free(&b.last);
  pv_vec_free(&b.pairs);
  return c;
}

void pv_control_dependence_free(struct pv_control_dependence *c) {
  if (!c) return;
  free(c->may_stay);
  free(c->block);
  free(c->first);
  pv_vec_free(&c->list);
  free(c);
}

const pv_loc *pv_controlling(const struct pv_control_dependence *c, pv_loc loc, uint32_t *n) {
  uint32_t block = c->block[loc];
  *n = c->coarse ? c->list.n : c->first[block + 1] - c->first[block];
  return c->list.at + (c->coarse ? 0 : c->first[block]);
}

bool pv_control_may_stay(const struct pv_control_dependence *c, pv_loc loc) {
  return c->may_stay[loc];
}

bool pv_control_is_coarse(const struct pv_control_dependence *c) {
  return c->coarse;
}
