#include "ltl/label.h"

#include <stdlib.h>
#include <string.h>

void pv_labels_init(struct pv_labels *s) {
  *s = (struct pv_labels){0};
  struct pv_label_node leaf = {UINT32_MAX, 0, 0};
  pv_vec_push(&s->node, leaf);
  pv_vec_push(&s->node, leaf);
}

void pv_labels_free(struct pv_labels *s) {
  pv_vec_free(&s->node);
  pv_map_free(&s->known);
  pv_map_free(&s->conjunctions);
}

static bool spent(const struct pv_labels *s, uint64_t steps) {
  return s->budget && pv_ltl_spend(s->budget, steps);
}

static pv_label node(struct pv_labels *s, uint32_t var, pv_label low, pv_label high) {
  if (low == high) return low;
  struct pv_label_node x = {var, low, high};
  bool is_new;
  uint32_t at = *pv_map_put(&s->known, &x, sizeof x, s->node.n, &is_new);
  if (is_new) pv_vec_push(&s->node, x);
  if (is_new) spent(s, PV_LTL_ENTRY);
  return at;
}

pv_label pv_label_prop(struct pv_labels *s, uint32_t var, bool positive) {
  return node(s, var, positive ? PV_LABEL_NONE : PV_LABEL_ANY,
              positive ? PV_LABEL_ANY : PV_LABEL_NONE);
}

/* kind: conjunction; or, with b == UINT32_MAX, negation */
static const uint32_t *find(const struct pv_labels *s, pv_label a, pv_label b) {
  const uint32_t key[2] = {a, b};
  return pv_map_get(&s->conjunctions, key, sizeof key);
}

static pv_label keep(struct pv_labels *s, pv_label a, pv_label b, pv_label out) {
  const uint32_t key[2] = {a, b};
  pv_map_put(&s->conjunctions, key, sizeof key, out, NULL);
  return out;
}

pv_label pv_label_and(struct pv_labels *s, pv_label a, pv_label b) {
  if (a > b) {
    pv_label swap = a;
    a = b;
    b = swap;
  }
  if (a == PV_LABEL_NONE || a == b) return a;
  if (a == PV_LABEL_ANY) return b;
  const uint32_t *known = find(s, a, b);
  if (known) return *known;
  if (spent(s, PV_LTL_ENTRY)) return PV_LABEL_NONE;
  struct pv_label_node x = s->node.at[a], y = s->node.at[b];
  uint32_t var = x.var < y.var ? x.var : y.var;
  pv_label low = pv_label_and(s, x.var == var ? x.low : a, y.var == var ? y.low : b);
  pv_label high = pv_label_and(s, x.var == var ? x.high : a, y.var == var ? y.high : b);
  return keep(s, a, b, node(s, var, low, high));
}

pv_label pv_label_not(struct pv_labels *s, pv_label a) {
  if (a <= PV_LABEL_ANY) return !a;
  const uint32_t *known = find(s, a, UINT32_MAX);
  if (known) return *known;
  if (spent(s, PV_LTL_ENTRY)) return PV_LABEL_NONE;
  struct pv_label_node x = s->node.at[a];
  pv_label low = pv_label_not(s, x.low), high = pv_label_not(s, x.high);
  return keep(s, a, UINT32_MAX, node(s, x.var, low, high));
}

static void cubes(const struct pv_labels *s, pv_label a, uint8_t *value,
                  void (*cube)(void *user, const uint8_t *value), void *user) {
  if (a == PV_LABEL_NONE || spent(s, 1)) return;
  if (a == PV_LABEL_ANY) {
    spent(s, PV_LTL_CUBE);
    cube(user, value);
    return;
  }
  struct pv_label_node x = s->node.at[a];
  for (uint8_t v = 0; v < 2; v++) {
    value[x.var] = v;
    cubes(s, v ? x.high : x.low, value, cube, user);
  }
  value[x.var] = 2;
}

void pv_label_cubes(const struct pv_labels *s, pv_label a, uint32_t vars,
                    void (*cube)(void *user, const uint8_t *value), void *user) {
  uint8_t *value = pv_alloc(vars + 1);
  memset(value, 2, vars);
  cubes(s, a, value, cube, user);
  free(value);
}
