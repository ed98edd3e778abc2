#include "dpor/section.h"

#include <stdlib.h>
#include <string.h>

enum { ONE = 1, APART = 2 };

void pv_sections_free(struct pv_sections *s) {
  pv_vec_free(&s->accesses);
  pv_vec_free(&s->first);
  pv_vec_free(&s->now);
  pv_map_free(&s->lists);
  pv_map_free(&s->mutexes);
}

bool pv_section_is_one(const struct pv_sections *s, const struct pv_sched *sched,
                       const struct pv_pending *p) {
  if (!s->on || p->kind != PV_PEND_PRIM || sched->section(&p->call) != PV_SECTION_BEGINS)
    return false;
  const uint32_t *state = pv_map_get(&s->mutexes, &p->call.args[0], sizeof p->call.args[0]);
  return !state || !(*state & APART);
}

static void mark(struct pv_sections *s, uint64_t mutex, uint32_t bit) {
  uint32_t *state = pv_map_put(&s->mutexes, &mutex, sizeof mutex, 0, NULL);
  *state |= bit;
  s->grew |= bit == APART && (*state & ONE);
  if (bit == APART) *state &= ~(uint32_t)ONE;
}

void pv_section_apart(struct pv_sections *s, uint64_t mutex) {
  mark(s, mutex, APART);
}

void pv_section_was_one(struct pv_sections *s, uint64_t mutex) {
  mark(s, mutex, ONE);
}

void pv_section_look(struct pv_sections *s, const struct pv_sched *sched,
                     const struct pv_pending *p) {
  if (!s->on || p->kind != PV_PEND_PRIM || p->call.prim->class != PV_PRIM_OBJECT) return;
  if (sched->section(&p->call) != PV_SECTION_OTHER) return;
  pv_section_apart(s, p->call.args[0]);
  if (p->call.prim->two_objects) pv_section_apart(s, p->call.args[1]);
}

/* ---- chains ---------------------------------------------------------------------------------- */
bool pv_chain_bears(const struct pv_pending *p) {
  return p->kind == PV_PEND_ACCESS && p->write && p->edge->op == PV_OP_STORE;
}

bool pv_chain_may_be(const struct pv_sections *s, const struct pv_pending *p) {
  if (!s->chains || !pv_chain_bears(p)) return false;
  const uint32_t *state = pv_map_get(&s->mutexes, &p->address, sizeof p->address);
  return !state || !(*state & APART);
}

/* ---- lists ----------------------------------------------------------------------------------- */
static int compare(const void *a, const void *b) {
  const struct pv_pending *x = a, *y = b;
  if (x->address != y->address) return x->address < y->address ? -1 : 1;
  if (x->bytes != y->bytes) return x->bytes < y->bytes ? -1 : 1;
  if (x->write != y->write) return x->write ? 1 : -1;
  if (x->atomic != y->atomic) return x->atomic ? 1 : -1;
  if (x->function != y->function) return x->function < y->function ? -1 : 1;
  return x->edge < y->edge ? -1 : x->edge > y->edge;
}

static void sort(struct pv_sections *s) {
  uint32_t kept = 0;
  if (!s->now.n) return;
  qsort(s->now.at, s->now.n, sizeof *s->now.at, compare);
  for (uint32_t i = 0; i < s->now.n; i++)
    if (!kept || compare(&s->now.at[kept - 1], &s->now.at[i]) != 0)
      s->now.at[kept++] = s->now.at[i];
  s->now.n = kept;
}

uint32_t pv_section_list(struct pv_sections *s) {
  struct pv_str key = {0};
  bool is_new;
  sort(s);
  for (uint32_t i = 0; i < s->now.n; i++) {
    const struct pv_pending *p = &s->now.at[i];
    const struct {
      uint64_t address, bytes;
      const void *edge;
      uint32_t thread, how; /* an edge that copies both reads and writes */
    } part = {p->address, p->bytes, p->edge, p->thread, p->write + 2u * p->atomic};
    pv_str_addn(&key, (const char *)&part, sizeof part);
  }
  if (!s->first.n) pv_vec_push(&s->first, 0);
  uint32_t *number = pv_map_put(&s->lists, pv_str_cstr(&key), key.n, s->first.n, &is_new);
  if (is_new) {
    for (uint32_t i = 0; i < s->now.n; i++) pv_vec_push(&s->accesses, s->now.at[i]);
    pv_vec_push(&s->first, s->accesses.n);
  }
  pv_str_free(&key);
  return *number;
}
