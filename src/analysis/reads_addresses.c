/* reads_addresses.c -- are pointers read as values of other types (points_to.h)?
 *
 * Points-to sets do not distinguish fields. To exclude an integer beside a pointer, this analysis
 * uses offsets, for objects to whose start all existing pointers refer. */
#include "analysis/points_to.h"
#include "sched/sched.h"

#include <stdlib.h>
#include <string.h>

enum { ANYWHERE = -1, MOST = 1 << 24 };

struct store { /* a store of a pointer */
  uint64_t *set;
  int64_t offset;
};
struct search {
  const struct pv_program *p;
  struct pv_points_to *pt;
  uint32_t words;
  uint64_t *freed; /* objects that are freed */
  uint64_t *loose; /* objects with pointers to their middle, or that are copied to */
  PV_VEC(struct store) stores;
  uint64_t looked_at;
};

static uint64_t *new_set(const struct search *s) {
  return pv_alloc((s->words + 1) * sizeof(uint64_t));
}

static bool has(const uint64_t *set, uint32_t object) {
  return set[object / 64] >> object % 64 & 1;
}

/* The offset of the address in the object to whose start its pointer refers. */
static int64_t offset_of(const struct search *s, pv_expr address) {
  const struct pv_expr_node *n = pv_node(s->p, address);
  if (!n->a) return 0; /* a variable, a global, a slot */
  if (n->op != PV_X_PTRADD) return ANYWHERE;
  const struct pv_expr_node *base = pv_node(s->p, n->a), *by = pv_node(s->p, n->b);
  bool known = !base->a && by->op == PV_X_CONST && by->lo <= INT32_MAX;
  return known ? (int64_t)by->lo : ANYWHERE;
}

/* Notes objects with computed pointers that are stored. Subexpressions are shared, so there is a
 * bound. */
static void note_loose(struct search *s, uint32_t function, pv_expr e) {
  if (!e || ++s->looked_at > MOST) return;
  const struct pv_expr_node *n = pv_node(s->p, e);
  if (n->op == PV_X_PTRADD) pv_points_to_address(s->pt, function, e, s->loose);
  note_loose(s, function, n->a);
  note_loose(s, function, n->b);
  note_loose(s, function, n->c);
}

static bool is_access(const struct pv_edge *e) {
  return e->op == PV_OP_LOAD || e->op == PV_OP_STORE || e->op == PV_OP_RMW ||
         e->op == PV_OP_CMPXCHG;
}

static void note(struct search *s, uint32_t function, const struct pv_edge *e) {
  for (int i = 0; i < 3; i++)
    if (i || !is_access(e)) note_loose(s, function, e->e[i]);
  for (uint32_t i = 0; i < e->args.n; i++) note_loose(s, function, pv_arg(s->p, e->args, i));
  if (e->op == PV_OP_FREE) pv_points_to_address(s->pt, function, e->e[0], s->freed);
  if (e->op == PV_OP_COPY) pv_points_to_address(s->pt, function, e->e[0], s->loose);
  bool joins = e->op == PV_OP_PRIM && s->p->prims.at[e->aux].prim->role == PV_ROLE_JOINS;
  for (uint32_t i = 1; i < e->args.n && joins; i++) /* where the result is written */
    pv_points_to_address(s->pt, function, pv_arg(s->p, e->args, i), s->loose);
  if (e->op == PV_OP_LOAD || !is_access(e) || pv_type_kind(e->type) != PV_T_PTR) return;
  struct store store = {new_set(s), offset_of(s, e->e[0])};
  pv_points_to_address(s->pt, function, e->e[0], store.set);
  pv_vec_push(&s->stores, store);
}

/* Does the object contain pointers to freed objects? */
static bool holds_freed(const struct search *s, uint32_t object, uint64_t *held) {
  memset(held, 0, s->words * sizeof *held);
  if (pv_points_to_contents(s->pt, object, held)) return true;
  for (uint32_t w = 0; w < s->words; w++)
    if (held[w] & s->freed[w]) return true;
  return false;
}

static bool meets_store(const struct search *s, uint32_t object, int64_t offset, int64_t bytes) {
  if (offset == ANYWHERE || has(s->loose, object)) return true;
  for (uint32_t i = 0; i < s->stores.n; i++) {
    const struct store *t = &s->stores.at[i];
    bool apart = t->offset != ANYWHERE &&
                 (t->offset + s->p->pointer_bits / 8 <= offset || offset + bytes <= t->offset);
    if (has(t->set, object) && !apart) return true;
  }
  return false;
}

static bool reads(const struct search *s, uint32_t function, const struct pv_edge *e, uint64_t *set,
                  uint64_t *held) {
  bool number = e->op == PV_OP_LOAD || e->op == PV_OP_RMW;
  if (!number || pv_type_kind(e->type) == PV_T_PTR) return false;
  memset(set, 0, s->words * sizeof *set);
  if (pv_points_to_address(s->pt, function, e->e[0], set)) return true;
  int64_t offset = offset_of(s, e->e[0]), bytes = (pv_type_bits(e->type) + 7) / 8;
  for (uint32_t w = 0; w < s->words; w++)
    for (uint64_t rest = set[w]; rest; rest &= rest - 1) {
      uint32_t object = 64 * w + (uint32_t)__builtin_ctzll(rest);
      if (meets_store(s, object, offset, bytes) && holds_freed(s, object, held)) return true;
    }
  return false;
}

static bool search(struct search *s) {
  uint64_t *set = new_set(s), *held = new_set(s);
  const uint32_t *instances;
  bool found = false;
  for (uint32_t g = 0; g < s->p->globals.n; g++)
    for (uint32_t i = 0; i < s->p->globals.at[g].relocs.n; i++)
      note_loose(s, s->p->start, s->p->globals.at[g].relocs.at[i].value);
  for (int round = 0; round < 2; round++)
    for (uint32_t f = 0; f < s->p->functions.n && !found; f++) {
      const struct pv_function *g = &s->p->functions.at[f];
      if (!pv_points_to_instances(s->pt, f, &instances)) continue;
      for (uint32_t i = 0; i < g->edges.n && !found; i++)
        if (round)
          found = reads(s, f, &g->edges.at[i], set, held);
        else
          note(s, f, &g->edges.at[i]);
    }
  free(set);
  free(held);
  return found || s->looked_at > MOST;
}

static bool frees(const struct pv_program *p) {
  for (uint32_t f = 0; f < p->functions.n; f++)
    for (uint32_t i = 0; i < p->functions.at[f].edges.n; i++)
      if (p->functions.at[f].edges.at[i].op == PV_OP_FREE) return true;
  return false;
}

bool pv_points_to_reads_addresses(const struct pv_program *p) {
  struct pv_points_to_options options = pv_points_to_defaults(p);
  options.steps = 50 * 1000 * 1000; /* a fraction of a second */
  if (options.reuse || !frees(p)) return false;
  struct search s = {.p = p, .pt = pv_points_to_new(p, &options)};
  s.words = pv_points_to_words(s.pt);
  s.freed = new_set(&s);
  s.loose = new_set(&s);
  bool found = !pv_points_to_complete(s.pt) || search(&s);
  for (uint32_t i = 0; i < s.stores.n; i++) free(s.stores.at[i].set);
  pv_vec_free(&s.stores);
  free(s.freed);
  free(s.loose);
  pv_points_to_free(s.pt);
  return found;
}
