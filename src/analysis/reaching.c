#include "analysis/reaching.h"

#include <stdlib.h>
#include <string.h>

/* FRONTIER_PER_BLOCK, PHIS_PER_EVENT: beyond these bounds there is one node for each thing. */
enum { FRONTIER_PER_BLOCK = 16, PHIS_PER_EVENT = 8, MORE = 1000000 };

struct phi {
  uint32_t thing, node, next; /* next in the same block, + 1 */
};
struct undo {
  uint32_t thing, node;
};

struct ssa {
  const struct pv_reaching *r;
  uint32_t *block; /* by location */
  PV_VEC(pv_loc) begin;
  struct pv_graph flow, back, frontier, tree;
  uint32_t *idom;
  uint8_t *exposed; /* by thing: used in some block before it is set there */
  PV_VEC(struct phi) phis;
  uint32_t *phi_of; /* by block: the first one, + 1 */
  uint32_t *now;    /* by thing: the node that set it last */
  PV_VEC(struct undo) undo;
};

static uint32_t *words(size_t n) {
  return pv_alloc((n + 1) * sizeof(uint32_t));
}

/* ---- blocks ---------------------------------------------------------------------------------- */
static const struct pv_edge *only_edge(const struct pv_function *f, pv_loc l) {
  const struct pv_location *at = &f->locs.at[l];
  const struct pv_edge *e = at->n_out == 1 ? &f->edges.at[at->first_out] : NULL;
  return e && e->op != PV_OP_STOP ? e : NULL;
}

static void find_blocks(struct ssa *s) {
  const struct pv_function *f = s->r->f;
  uint8_t *leads = pv_alloc(f->locs.n + 1);
  leads[f->entry] = leads[f->exit] = 1;
  for (uint32_t i = 0; i < f->edges.n; i++)
    if (!only_edge(f, f->edges.at[i].from)) leads[f->edges.at[i].to] = 1;
  for (pv_loc l = 0; l < f->locs.n; l++) leads[l] |= f->locs.at[l].n_in != 1;
  for (pv_loc l = 0; l < f->locs.n; l++) {
    if (!leads[l]) continue;
    for (pv_loc at = l;;) {
      s->block[at] = s->begin.n;
      const struct pv_edge *e = only_edge(f, at);
      if (!e || leads[e->to]) break;
      at = e->to;
    }
    pv_vec_push(&s->begin, l);
  }
  free(leads);
}

static void find_flow(struct ssa *s) {
  const struct pv_function *f = s->r->f;
  pv_arcs arcs = {0};
  for (uint32_t i = 0; i < f->edges.n; i++) {
    const struct pv_edge *e = &f->edges.at[i];
    struct pv_arc arc = {s->block[e->from], s->block[e->to]};
    bool inside = arc.from == arc.to && s->begin.at[arc.to] != e->to;
    if (e->op != PV_OP_STOP && !inside) pv_vec_push(&arcs, arc);
  }
  s->flow = pv_graph_new(s->begin.n, &arcs);
  s->back = pv_graph_reverse(&s->flow);
  s->idom = pv_dominators(&s->flow, &s->back, s->block[f->entry]);
  arcs.n = 0;
  for (uint32_t b = 0; b < s->begin.n; b++) {
    struct pv_arc arc = {s->idom[b], b};
    if (s->idom[b] != PV_NO_GRAPH_NODE && s->idom[b] != b) pv_vec_push(&arcs, arc);
  }
  s->tree = pv_graph_new(s->begin.n, &arcs);
  pv_vec_free(&arcs);
}

/* Computes dominance frontiers. Returns false if they are too large. */
static bool find_frontier(struct ssa *s) {
  pv_arcs arcs = {0};
  uint32_t *stamp = words(s->begin.n);
  uint64_t bound = (uint64_t)FRONTIER_PER_BLOCK * s->begin.n + MORE;
  uint32_t entry = s->block[s->r->f->entry];
  for (uint32_t b = 0; b < s->begin.n && arcs.n <= bound; b++) {
    uint32_t preds = s->back.first[b + 1] - s->back.first[b];
    if (s->idom[b] == PV_NO_GRAPH_NODE || (preds < 2 && b != entry)) continue;
    /* Of the entry: the parent of the root itself. */
    uint32_t stop = b == entry ? PV_NO_GRAPH_NODE : s->idom[b];
    for (uint32_t i = s->back.first[b]; i < s->back.first[b + 1]; i++) {
      uint32_t at = s->back.to[i];
      if (s->idom[at] == PV_NO_GRAPH_NODE) continue;
      while (at != stop && stamp[at] != b + 1) {
        struct pv_arc arc = {at, b};
        stamp[at] = b + 1;
        pv_vec_push(&arcs, arc);
        at = at == entry ? PV_NO_GRAPH_NODE : s->idom[at];
        if (at == PV_NO_GRAPH_NODE) break;
      }
    }
  }
  bool done = arcs.n <= bound;
  if (done) s->frontier = pv_graph_new(s->begin.n, &arcs);
  pv_vec_free(&arcs);
  free(stamp);
  return done;
}

/* ---- phi nodes ------------------------------------------------------------------------------- */
/* Calls a function for each event of the block, in order. */
static void for_events(const struct ssa *s, uint32_t block,
                       void (*visit)(struct ssa *s, uint32_t block,
                                     const struct pv_reaching_event *e)) {
  const struct pv_reaching *r = s->r;
  for (pv_loc at = s->begin.at[block];;) {
    for (uint32_t i = r->first[at]; i < r->first[at + 1]; i++)
      visit((struct ssa *)(uintptr_t)s, block, &r->events->at[i]);
    const struct pv_edge *e = only_edge(r->f, at);
    if (!e || s->block[e->to] != block || e->to == s->begin.at[block]) break;
    at = e->to;
  }
}

/* `now` temporarily contains 1 + the last block that sets a thing. */
static void note_exposed(struct ssa *s, uint32_t block, const struct pv_reaching_event *e) {
  if (e->kind != PV_EVENT_SET && s->now[e->thing] != block + 1) s->exposed[e->thing] = 1;
  if (e->kind != PV_EVENT_USE) s->now[e->thing] = block + 1;
}

static void find_exposed(struct ssa *s) {
  memset(s->now, 0, s->r->n_things * sizeof *s->now);
  for (uint32_t b = 0; b < s->begin.n; b++) for_events(s, b, note_exposed);
}

/* The blocks that set a thing, for things with an exposed use. */
static struct pv_graph setting_blocks(struct ssa *s) {
  pv_arcs arcs = {0};
  const struct pv_reaching *r = s->r;
  memset(s->now, 0, r->n_things * sizeof *s->now);
  for (pv_loc l = 0; l < r->f->locs.n; l++)
    for (uint32_t i = r->first[l]; i < r->first[l + 1]; i++) {
      const struct pv_reaching_event *e = &r->events->at[i];
      struct pv_arc arc = {e->thing, s->block[l]};
      if (e->kind == PV_EVENT_USE || !s->exposed[e->thing] || s->now[e->thing] == arc.to + 1)
        continue;
      s->now[e->thing] = arc.to + 1;
      pv_vec_push(&arcs, arc);
    }
  struct pv_graph g = pv_graph_new(r->n_things, &arcs);
  pv_vec_free(&arcs);
  return g;
}

static void add_phi(struct ssa *s, uint32_t thing, uint32_t block) {
  struct phi phi = {thing, PV_NO_GRAPH_NODE, s->phi_of[block]};
  pv_vec_push(&s->phis, phi);
  s->phi_of[block] = s->phis.n;
}

/* Returns false if there are too many phi nodes. */
static bool place_phis(struct ssa *s) {
  struct pv_graph settings = setting_blocks(s);
  uint32_t *has = words(s->begin.n), *listed = words(s->begin.n);
  uint64_t bound = (uint64_t)PHIS_PER_EVENT * s->r->events->n + MORE;
  PV_VEC(uint32_t) todo = {0};
  for (uint32_t t = 0; t < s->r->n_things && s->phis.n <= bound; t++) {
    for (uint32_t i = settings.first[t]; i < settings.first[t + 1]; i++) {
      listed[settings.to[i]] = t + 1;
      pv_vec_push(&todo, settings.to[i]);
    }
    while (todo.n) {
      uint32_t b = pv_vec_pop(&todo);
      for (uint32_t i = s->frontier.first[b]; i < s->frontier.first[b + 1]; i++) {
        uint32_t at = s->frontier.to[i];
        if (has[at] == t + 1) continue;
        has[at] = t + 1;
        add_phi(s, t, at);
        if (listed[at] == t + 1) continue;
        listed[at] = t + 1;
        pv_vec_push(&todo, at);
      }
    }
  }
  bool done = s->phis.n <= bound;
  for (uint32_t i = 0; done && i < s->phis.n; i++) s->phis.at[i].node = s->r->new_node(s->r->user);
  pv_vec_free(&todo);
  pv_graph_free(&settings);
  free(has);
  free(listed);
  return done;
}

/* ---- arcs ------------------------------------------------------------------------------------ */
static void arc_to(const struct ssa *s, uint32_t from, uint32_t to) {
  if (to != PV_NO_GRAPH_NODE && to != from) s->r->arc(s->r->user, from, to);
}

static void set(struct ssa *s, uint32_t thing, uint32_t node) {
  struct undo old = {thing, s->now[thing]};
  pv_vec_push(&s->undo, old);
  s->now[thing] = node;
}

static void happen(struct ssa *s, uint32_t block, const struct pv_reaching_event *e) {
  (void)block;
  if (e->kind != PV_EVENT_SET) arc_to(s, e->node, s->now[e->thing]);
  if (e->kind != PV_EVENT_USE) set(s, e->thing, e->node);
}

static void enter(struct ssa *s, uint32_t block) {
  for (uint32_t i = s->phi_of[block]; i; i = s->phis.at[i - 1].next)
    set(s, s->phis.at[i - 1].thing, s->phis.at[i - 1].node);
  for_events(s, block, happen);
  for (uint32_t k = s->flow.first[block]; k < s->flow.first[block + 1]; k++)
    for (uint32_t i = s->phi_of[s->flow.to[k]]; i; i = s->phis.at[i - 1].next)
      arc_to(s, s->phis.at[i - 1].node, s->now[s->phis.at[i - 1].thing]);
}

/* Traverses the dominator tree. */
static void connect(struct ssa *s) {
  uint32_t n = s->begin.n, depth = 0;
  uint32_t *stack = words(n), *next = words(n), *mark = words(n), entry = s->block[s->r->f->entry];
  memcpy(s->now, s->r->at_entry, s->r->n_things * sizeof *s->now);
  /* The entry may be a loop head: then the values before the function reach a phi node. */
  for (uint32_t i = s->phi_of[entry]; i; i = s->phis.at[i - 1].next)
    arc_to(s, s->phis.at[i - 1].node, s->now[s->phis.at[i - 1].thing]);
  stack[depth++] = entry;
  enter(s, entry);
  while (depth) {
    uint32_t b = stack[depth - 1], i = s->tree.first[b] + next[b]++;
    if (i < s->tree.first[b + 1]) {
      mark[depth] = s->undo.n;
      stack[depth++] = s->tree.to[i];
      enter(s, s->tree.to[i]);
      continue;
    }
    depth--;
    while (depth && s->undo.n > mark[depth]) {
      struct undo u = pv_vec_pop(&s->undo);
      s->now[u.thing] = u.node;
    }
  }
  free(stack);
  free(next);
  free(mark);
}

/* Adds one node for each thing that is used. */
static void connect_all(const struct ssa *s) {
  const struct pv_reaching *r = s->r;
  uint32_t *node = words(r->n_things); /* + 1 */
  for (uint32_t i = 0; i < r->events->n; i++) {
    uint32_t t = r->events->at[i].thing;
    if (node[t]) continue;
    node[t] = r->new_node(r->user) + 1;
    arc_to(s, node[t] - 1, r->at_entry[t]);
  }
  for (uint32_t i = 0; i < r->events->n; i++) {
    const struct pv_reaching_event *e = &r->events->at[i];
    if (e->kind == PV_EVENT_USE) arc_to(s, e->node, node[e->thing] - 1);
    if (e->kind != PV_EVENT_USE) arc_to(s, node[e->thing] - 1, e->node);
  }
  free(node);
}

void pv_reach(const struct pv_reaching *r) {
  struct ssa s = {.r = r, .block = words(r->f->locs.n), .now = words(r->n_things)};
  s.exposed = pv_alloc(r->n_things + 1);
  find_blocks(&s);
  find_flow(&s);
  s.phi_of = words(s.begin.n);
  find_exposed(&s);
  if (find_frontier(&s) && place_phis(&s))
    connect(&s);
  else
    connect_all(&s);
  pv_graph_free(&s.flow);
  pv_graph_free(&s.back);
  pv_graph_free(&s.frontier);
  pv_graph_free(&s.tree);
  pv_vec_free(&s.begin);
  pv_vec_free(&s.phis);
  pv_vec_free(&s.undo);
  free(s.block);
  free(s.idom);
  free(s.exposed);
  free(s.phi_of);
  free(s.now);
}
