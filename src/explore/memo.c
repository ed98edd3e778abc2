#include "explore/memo.h"

#include <stdlib.h>
#include <string.h>

enum {
  ENTRIES_MAX = 1 << 18, /* when it has so many entries, about 25 MB, the memo is emptied */
  WINDOW = 1 << 15,      /* number of transitions after which its benefit is measured */
  REST = 1 << 20         /* number of transitions for which it is off if it had no benefit */
};
#define RESULT UINT32_MAX /* in place of a component: the footprint is complete */

/* The next step in the tree: the component to read, and the number of the node that asks for it; or
 * RESULT and the number of the result. */
struct step {
  uint32_t component, to;
};
struct start { /* to 0: free */
  struct pv_memo_start from;
  struct step next;
};
struct branch { /* the edge from a node for a leaf; to 0: free */
  uint32_t node, leaf;
  struct step next;
};
struct result {
  uint32_t n, instructions, inputs, back;
  uint32_t changes; /* place in the arena */
  uint32_t kept[3];
};
struct pv_memo {
  struct start *start;
  uint32_t starts, start_mask;
  struct branch *branch;
  uint32_t branches, mask;
  uint32_t nodes;
  PV_VEC(struct result) results; /* numbered from 1 */
  PV_VEC(struct pv_memo_change) arena;
  uint32_t asked, found; /* lookups and hits in this window */
  uint32_t rest;         /* transitions for which it stays off */
  uint32_t forgotten;
};

struct pv_memo *pv_memo_new(void) {
  struct pv_memo *m = pv_alloc(sizeof *m);
  m->mask = m->start_mask = 1023;
  m->branch = pv_alloc((m->mask + 1) * sizeof *m->branch);
  m->start = pv_alloc((m->start_mask + 1) * sizeof *m->start);
  pv_vec_push(&m->results, (struct result){0});
  return m;
}

void pv_memo_free(struct pv_memo *m) {
  if (!m) return;
  free(m->branch);
  free(m->start);
  pv_vec_free(&m->results);
  pv_vec_free(&m->arena);
  free(m);
}

bool pv_memo_works(const struct pv_memo *m) {
  return !m->rest;
}

/* ---- branches -------------------------------------------------------------------------------- */
static struct branch *branch_at(const struct pv_memo *m, uint32_t node, uint32_t leaf) {
  uint32_t i = pv_hash_pair(node, leaf) & m->mask;
  while (m->branch[i].next.to && (m->branch[i].node != node || m->branch[i].leaf != leaf))
    i = (i + 1) & m->mask;
  return &m->branch[i];
}

static bool is_start(const struct pv_memo_start *a, const struct pv_memo_start *b) {
  return a->top_leaf == b->top_leaf && a->top == b->top && a->alternative == b->alternative &&
         a->alive == b->alive;
}

static struct start *start_at(const struct pv_memo *m, const struct pv_memo_start *from) {
  uint64_t place = (uint64_t)from->alternative << 32 | from->top;
  uint32_t i = pv_hash_pair(place ^ from->alive << 20, from->top_leaf) & m->start_mask;
  while (m->start[i].next.to && !is_start(&m->start[i].from, from)) i = (i + 1) & m->start_mask;
  return &m->start[i];
}

static void branches_grow(struct pv_memo *m) {
  struct branch *old = m->branch;
  uint32_t n = m->mask + 1;
  m->mask = 2 * n - 1;
  m->branch = pv_alloc((size_t)2 * n * sizeof *m->branch);
  for (uint32_t i = 0; i < n; i++)
    if (old[i].next.to) *branch_at(m, old[i].node, old[i].leaf) = old[i];
  free(old);
}

static void starts_grow(struct pv_memo *m) {
  struct start *old = m->start;
  uint32_t n = m->start_mask + 1;
  m->start_mask = 2 * n - 1;
  m->start = pv_alloc((size_t)2 * n * sizeof *m->start);
  for (uint32_t i = 0; i < n; i++)
    if (old[i].next.to) *start_at(m, &old[i].from) = old[i];
  free(old);
}

void pv_memo_forget(struct pv_memo *m) {
  memset(m->branch, 0, ((size_t)m->mask + 1) * sizeof *m->branch);
  memset(m->start, 0, ((size_t)m->start_mask + 1) * sizeof *m->start);
  m->branches = m->starts = m->nodes = 0;
  m->results.n = 1;
  m->arena.n = 0;
  m->forgotten++;
}

uint32_t pv_memo_forgotten(const struct pv_memo *m) {
  return m->forgotten;
}

/* ---- results --------------------------------------------------------------------------------- */
static void take_out(const struct pv_memo *m, uint32_t result, struct pv_memo_result *out) {
  struct result *r = &m->results.at[result];
  *out = (struct pv_memo_result){.n = r->n,
                                 .instructions = r->instructions,
                                 .inputs = r->inputs,
                                 .back = r->back,
                                 .kept = r->kept,
                                 .changes = m->arena.at + r->changes};
}

static uint32_t put_in(struct pv_memo *m, const struct pv_memo_result *r) {
  struct result fresh = {r->n, r->instructions, r->inputs, r->back, m->arena.n, {0}};
  for (uint32_t i = 0; i < r->n; i++) pv_vec_push(&m->arena, r->changes[i]);
  pv_vec_push(&m->results, fresh);
  return m->results.n - 1;
}

/* Measures the benefit, once in each window. */
static void look_back(struct pv_memo *m) {
  if (m->asked < WINDOW) return;
  if (m->found < WINDOW / 4) {
    m->rest = REST;
    pv_memo_forget(m);
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
  struct step at = start_at(m, from)->next;
  while (at.to && at.component != RESULT) at = branch_at(m, at.to, leaf(user, at.component))->next;
  if (!at.to) return false;
  m->found++;
  take_out(m, at.to, out);
  return true;
}

/* Follows a step, and creates its target if there is none: `component` is the next one to read, or
 * RESULT. Returns false if the target reads something else. */
static bool lead_on(struct pv_memo *m, struct step *next, uint32_t component,
                    const struct pv_memo_result *result, uint32_t *entries) {
  if (next->to) return next->component == component && component != RESULT;
  *next = (struct step){component, component == RESULT ? put_in(m, result) : ++m->nodes};
  ++*entries;
  return true;
}

void pv_memo_keep(struct pv_memo *m, const struct pv_memo_start *from, pv_memo_leaf *leaf,
                  const void *user, const uint32_t *footprint, uint32_t n,
                  const struct pv_memo_result *result) {
  if (m->rest) return;
  if (m->branches + m->starts + n > ENTRIES_MAX) pv_memo_forget(m);
  if (m->starts * 2 > m->start_mask) starts_grow(m);
  struct start *start = start_at(m, from);
  start->from = *from;
  if (!lead_on(m, &start->next, n ? footprint[0] : RESULT, result, &m->starts)) return;
  struct step at = start->next;
  for (uint32_t i = 0; i < n; i++) {
    if (m->branches * 2 > m->mask) branches_grow(m);
    struct branch *b = branch_at(m, at.to, leaf(user, footprint[i]));
    b->node = at.to;
    b->leaf = leaf(user, footprint[i]);
    if (!lead_on(m, &b->next, i + 1 < n ? footprint[i + 1] : RESULT, result, &m->branches)) return;
    at = b->next;
  }
}
