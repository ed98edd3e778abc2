#include "explore/memo.h"

#include <stdlib.h>
#include <string.h>

enum {
  NODES_MAX = 1 << 18, /* then the memo begins anew: some 25 MB */
  WINDOW = 1 << 15,    /* transitions after which it is asked whether it pays */
  REST = 1 << 20,      /* transitions that it rests if not */
};
#define RESULT    UINT32_MAX          /* as a node's component: the footprint ends here */
#define FROM_NODE (UINT64_C(1) << 63) /* in a branch's key: not from the start */

struct node {
  uint32_t component; /* looked at next, or RESULT */
  uint32_t result;    /* place in the arena */
};
struct branch { /* of a node and a leaf, or of the start: to a node; 0: free */
  uint64_t from, leaf;
  uint32_t to;
};
struct pv_memo {
  struct branch *branch;
  uint32_t mask;
  PV_VEC(struct node) nodes; /* from 1 */
  PV_VEC(uint32_t) arena;    /* results: n, instructions, inputs, back, changes */
  uint32_t asked, found;     /* in this window */
  uint32_t rest;             /* transitions left to rest */
};

struct pv_memo *pv_memo_new(void) {
  struct pv_memo *m = pv_alloc(sizeof *m);
  m->mask = 1023;
  m->branch = pv_alloc((m->mask + 1) * sizeof *m->branch);
  pv_vec_push(&m->nodes, (struct node){0});
  return m;
}

void pv_memo_free(struct pv_memo *m) {
  if (!m) return;
  free(m->branch);
  pv_vec_free(&m->nodes);
  pv_vec_free(&m->arena);
  free(m);
}

bool pv_memo_works(const struct pv_memo *m) {
  return !m->rest;
}

/* ---- branches -------------------------------------------------------------------------------- */
static uint32_t hash(uint64_t from, uint64_t leaf) {
  uint64_t h = (from * UINT64_C(0x9e3779b97f4a7c15)) ^ (leaf * UINT64_C(0xc2b2ae3d27d4eb4f));
  return (uint32_t)((h ^ h >> 29) * UINT64_C(0x9e3779b97f4a7c15) >> 32);
}

static struct branch *place(const struct pv_memo *m, uint64_t from, uint64_t leaf) {
  uint32_t i = hash(from, leaf) & m->mask;
  while (m->branch[i].to && (m->branch[i].from != from || m->branch[i].leaf != leaf))
    i = (i + 1) & m->mask;
  return &m->branch[i];
}

static void grow(struct pv_memo *m) {
  struct branch *old = m->branch;
  uint32_t n = m->mask + 1;
  m->mask = 2 * n - 1;
  m->branch = pv_alloc((size_t)2 * n * sizeof *m->branch);
  for (uint32_t i = 0; i < n; i++)
    if (old[i].to) *place(m, old[i].from, old[i].leaf) = old[i];
  free(old);
}

static void forget_all(struct pv_memo *m) {
  memset(m->branch, 0, ((size_t)m->mask + 1) * sizeof *m->branch);
  m->nodes.n = 1;
  m->arena.n = 0;
}

static uint64_t start_from(const struct pv_memo_start *s) {
  return (uint64_t)s->way << 32 | s->top;
}

static uint64_t start_leaf(const struct pv_memo_start *s) {
  return (uint64_t)s->top_leaf << 32 | s->sched_leaf;
}

static uint64_t node_from(uint32_t node) {
  return FROM_NODE | node;
}

/* ---- results --------------------------------------------------------------------------------- */
static void take_out(const struct pv_memo *m, uint32_t at, struct pv_memo_result *out) {
  const uint32_t *r = &m->arena.at[at];
  *out = (struct pv_memo_result){.n = r[0],
                                 .instructions = r[1],
                                 .inputs = r[2],
                                 .back = r[3],
                                 .changes = (const struct pv_memo_change *)(const void *)(r + 4)};
}

static uint32_t put_in(struct pv_memo *m, const struct pv_memo_result *r) {
  uint32_t at = m->arena.n, head[] = {r->n, r->instructions, r->inputs, r->back};
  for (uint32_t i = 0; i < 4; i++) pv_vec_push(&m->arena, head[i]);
  for (uint32_t i = 0; i < r->n; i++) {
    pv_vec_push(&m->arena, r->changes[i].component);
    pv_vec_push(&m->arena, r->changes[i].leaf);
  }
  return at;
}

/* Does it pay? Asked once a window. */
static void look_back(struct pv_memo *m) {
  if (m->asked < WINDOW) return;
  if (m->found < WINDOW / 4) {
    m->rest = REST;
    forget_all(m);
  }
  m->asked = m->found = 0;
}

bool pv_memo_find(struct pv_memo *m, const struct pv_memo_start *from, pv_memo_leaf *leaf,
                  const void *user, struct pv_memo_result *out) {
  if (m->rest) {
    m->rest--;
    return false;
  }
  look_back(m);
  m->asked++;
  uint32_t at = place(m, start_from(from), start_leaf(from))->to;
  while (at && m->nodes.at[at].component != RESULT)
    at = place(m, node_from(at), leaf(user, m->nodes.at[at].component))->to;
  if (!at) return false;
  m->found++;
  take_out(m, m->nodes.at[at].result, out);
  return true;
}

/* The branch's node, made if there is none; `component` is what it has to ask for, else 0. */
static uint32_t follow(struct pv_memo *m, uint64_t from, uint64_t leaf, uint32_t component) {
  struct branch *b = place(m, from, leaf);
  if (b->to) return m->nodes.at[b->to].component == component ? b->to : 0;
  *b = (struct branch){from, leaf, m->nodes.n};
  pv_vec_push(&m->nodes, ((struct node){component, 0}));
  if (m->nodes.n * 2 > m->mask) grow(m);
  return m->nodes.n - 1;
}

void pv_memo_keep(struct pv_memo *m, const struct pv_memo_start *from, pv_memo_leaf *leaf,
                  const void *user, const uint32_t *footprint, uint32_t n,
                  const struct pv_memo_result *result) {
  if (m->rest) return;
  if (m->nodes.n + n > NODES_MAX) forget_all(m);
  uint32_t at = follow(m, start_from(from), start_leaf(from), n ? footprint[0] : RESULT);
  for (uint32_t i = 0; i < n && at; i++)
    at = follow(m, node_from(at), leaf(user, footprint[i]), i + 1 < n ? footprint[i + 1] : RESULT);
  if (at) m->nodes.at[at].result = put_in(m, result);
}
