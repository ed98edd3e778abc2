#include "ltl/formula.h"

#include <stdlib.h>
#include <string.h>

/* ---- nodes ----------------------------------------------------------------------------------- */
static void classify(const struct pv_ltl *l, struct pv_ltl_node *x) {
  const pv_formula *kid = l->kids.at + x->first;
  bool both = x->op == PV_LTL_FALSE || x->op == PV_LTL_TRUE;
  x->eventual = x->universal = both;
  x->temporal = x->op >= PV_LTL_NEXT;
  x->next = x->op == PV_LTL_NEXT;
  x->height = 1;
  if (x->op < PV_LTL_AND) return;
  bool eventual = true, universal = true;
  for (uint32_t i = 0; i < x->n; i++) {
    const struct pv_ltl_node *k = pv_ltl_at(l, kid[i]);
    eventual &= k->eventual;
    universal &= k->universal;
    x->temporal |= k->temporal;
    x->next |= k->next;
    if (k->height >= x->height) x->height = k->height + 1;
  }
  if (x->op == PV_LTL_UNTIL && kid[0] == PV_LTL_TOP) eventual = true;
  if (x->op == PV_LTL_RELEASE && kid[0] == PV_LTL_BOTTOM) universal = true;
  x->eventual = eventual;
  x->universal = universal;
}

static pv_formula intern(struct pv_ltl *l, enum pv_ltl_op op, const pv_formula *kid, uint32_t n) {
  PV_VEC(uint32_t) key = {0};
  pv_vec_push(&key, (uint32_t)op);
  for (uint32_t i = 0; i < n; i++) pv_vec_push(&key, kid[i]);
  bool is_new;
  uint32_t f = *pv_map_put(&l->known, key.at, (size_t)key.n * sizeof *key.at, l->node.n, &is_new);
  if (is_new) {
    struct pv_ltl_node x = {.op = op, .first = l->kids.n, .n = n};
    for (uint32_t i = 1; i < key.n; i++) pv_vec_push(&l->kids, key.at[i]);
    if (op == PV_LTL_IS || op == PV_LTL_NOT) {
      x.first = key.at[1];
      x.n = 0;
    }
    classify(l, &x);
    pv_vec_push(&l->node, x);
    pv_ltl_spend(&l->budget, PV_LTL_ENTRY * (uint64_t)(1 + n));
  }
  pv_vec_free(&key);
  return f;
}

void pv_ltl_init(struct pv_ltl *l) {
  *l = (struct pv_ltl){0};
  intern(l, PV_LTL_FALSE, NULL, 0);
  intern(l, PV_LTL_TRUE, NULL, 0);
}

void pv_ltl_free(struct pv_ltl *l) {
  for (uint32_t i = 0; i < l->names.n; i++) free(l->names.at[i]);
  pv_vec_free(&l->names);
  pv_vec_free(&l->node);
  pv_vec_free(&l->kids);
  pv_map_free(&l->known);
  pv_map_free(&l->implied);
  pv_map_free(&l->negated);
}

uint32_t pv_ltl_name(struct pv_ltl *l, const char *name, size_t n) {
  for (uint32_t i = 0; i < l->names.n; i++)
    if (strlen(l->names.at[i]) == n && !memcmp(l->names.at[i], name, n)) return i;
  pv_vec_push(&l->names, pv_format("%.*s", (int)n, name));
  return l->names.n - 1;
}

pv_formula pv_ltl_prop(struct pv_ltl *l, uint32_t number, bool positive) {
  return intern(l, positive ? PV_LTL_IS : PV_LTL_NOT, &number, 1);
}

static enum pv_ltl_op op_of(const struct pv_ltl *l, pv_formula f) {
  return pv_ltl_at(l, f)->op;
}

static bool is_eventual(const struct pv_ltl *l, pv_formula f) {
  return pv_ltl_at(l, f)->eventual;
}

static bool is_universal(const struct pv_ltl *l, pv_formula f) {
  return pv_ltl_at(l, f)->universal;
}

/* It holds of one suffix if and only if it holds of all. */
static bool is_both(const struct pv_ltl *l, pv_formula f) {
  return is_eventual(l, f) && is_universal(l, f);
}

static pv_formula negation(struct pv_ltl *l, pv_formula f) {
  struct pv_ltl_node x = *pv_ltl_at(l, f);
  pv_formula sum;
  switch (x.op) {
  case PV_LTL_FALSE: return PV_LTL_TOP;
  case PV_LTL_TRUE: return PV_LTL_BOTTOM;
  case PV_LTL_IS:
  case PV_LTL_NOT: return pv_ltl_prop(l, x.first, x.op == PV_LTL_NOT);
  case PV_LTL_NEXT: return pv_ltl_next(l, pv_ltl_not(l, pv_ltl_kid(l, f, 0)));
  case PV_LTL_UNTIL:
    sum = pv_ltl_not(l, pv_ltl_kid(l, f, 0));
    return pv_ltl_release(l, sum, pv_ltl_not(l, pv_ltl_kid(l, f, 1)));
  case PV_LTL_RELEASE:
    sum = pv_ltl_not(l, pv_ltl_kid(l, f, 0));
    return pv_ltl_until(l, sum, pv_ltl_not(l, pv_ltl_kid(l, f, 1)));
  case PV_LTL_AND:
  case PV_LTL_OR: break;
  }
  bool and = x.op == PV_LTL_AND;
  sum = and? PV_LTL_BOTTOM : PV_LTL_TOP;
  for (uint32_t i = 0; i < x.n; i++) {
    pv_formula k = pv_ltl_not(l, pv_ltl_kid(l, f, i));
    sum = and? pv_ltl_or(l, sum, k) : pv_ltl_and(l, sum, k);
  }
  return sum;
}

/* Formulas share parts, so what was negated is kept. */
pv_formula pv_ltl_not(struct pv_ltl *l, pv_formula f) {
  if (pv_ltl_at(l, f)->op <= PV_LTL_NOT) return negation(l, f);
  const uint32_t *known = pv_map_get(&l->negated, &f, sizeof f);
  if (known) return *known;
  if (pv_ltl_spend(&l->budget, PV_LTL_ENTRY)) return f;
  pv_formula g = negation(l, f);
  pv_map_put(&l->negated, &f, sizeof f, g, NULL);
  return g;
}

/* ---- implication ------------------------------------------------------------------------------
 */
static bool all_kids(struct pv_ltl *l, pv_formula a, pv_formula b, bool of_a) {
  pv_formula f = of_a ? a : b;
  for (uint32_t i = 0; i < pv_ltl_at(l, f)->n; i++) {
    pv_formula k = pv_ltl_kid(l, f, i);
    if (!(of_a ? pv_ltl_implies(l, k, b) : pv_ltl_implies(l, a, k))) return false;
  }
  return true;
}

static bool any_kid(struct pv_ltl *l, pv_formula a, pv_formula b, bool of_a) {
  pv_formula f = of_a ? a : b;
  for (uint32_t i = 0; i < pv_ltl_at(l, f)->n; i++) {
    pv_formula k = pv_ltl_kid(l, f, i);
    if (of_a ? pv_ltl_implies(l, k, b) : pv_ltl_implies(l, a, k)) return true;
  }
  return false;
}

/* a implies b because of what a is. */
static bool implies_by_left(struct pv_ltl *l, pv_formula a, pv_formula b) {
  enum pv_ltl_op op = op_of(l, a);
  pv_formula k0 = op >= PV_LTL_NEXT ? pv_ltl_kid(l, a, 0) : 0;
  pv_formula k1 = op >= PV_LTL_UNTIL ? pv_ltl_kid(l, a, 1) : 0;
  switch (op) {
  case PV_LTL_AND: return any_kid(l, a, b, true);
  case PV_LTL_OR: return all_kids(l, a, b, true);
  case PV_LTL_NEXT: return is_eventual(l, b) && pv_ltl_implies(l, k0, b);
  case PV_LTL_UNTIL:
    return pv_ltl_implies(l, k1, b) && (is_eventual(l, b) || pv_ltl_implies(l, k0, b));
  case PV_LTL_RELEASE: return pv_ltl_implies(l, k1, b);
  default: return false;
  }
}

static bool implies_by_right(struct pv_ltl *l, pv_formula a, pv_formula b) {
  enum pv_ltl_op op = op_of(l, b);
  pv_formula k0 = op >= PV_LTL_NEXT ? pv_ltl_kid(l, b, 0) : 0;
  pv_formula k1 = op >= PV_LTL_UNTIL ? pv_ltl_kid(l, b, 1) : 0;
  switch (op) {
  case PV_LTL_AND: return all_kids(l, a, b, false);
  case PV_LTL_OR: return any_kid(l, a, b, false);
  case PV_LTL_NEXT: return is_universal(l, a) && pv_ltl_implies(l, a, k0);
  case PV_LTL_UNTIL: return pv_ltl_implies(l, a, k1);
  case PV_LTL_RELEASE:
    return pv_ltl_implies(l, a, k1) && (is_universal(l, a) || pv_ltl_implies(l, a, k0));
  default: return false;
  }
}

static bool implies(struct pv_ltl *l, pv_formula a, pv_formula b) {
  enum pv_ltl_op op = op_of(l, a);
  bool same = op == op_of(l, b) && op >= PV_LTL_NEXT;
  for (uint32_t i = 0; same && i < pv_ltl_at(l, a)->n; i++)
    same = pv_ltl_implies(l, pv_ltl_kid(l, a, i), pv_ltl_kid(l, b, i));
  return same || implies_by_left(l, a, b) || implies_by_right(l, a, b);
}

bool pv_ltl_implies(struct pv_ltl *l, pv_formula a, pv_formula b) {
  if (a == b || a == PV_LTL_BOTTOM || b == PV_LTL_TOP) return true;
  if (a == PV_LTL_TOP || b == PV_LTL_BOTTOM) return false;
  if (op_of(l, a) <= PV_LTL_NOT && op_of(l, b) <= PV_LTL_NOT) return false;
  const pv_formula key[2] = {a, b};
  const uint32_t *known = pv_map_get(&l->implied, key, sizeof key);
  if (known) return *known;
  if (pv_ltl_spend(&l->budget, PV_LTL_ENTRY)) return false;
  bool yes = implies(l, a, b);
  pv_map_put(&l->implied, key, sizeof key, yes, NULL);
  return yes;
}

/* ---- conjunction and disjunction --------------------------------------------------------------
 */
struct operands {
  PV_VEC(pv_formula) at;
};

static void flatten(const struct pv_ltl *l, enum pv_ltl_op op, pv_formula f, struct operands *out) {
  if (op_of(l, f) != op) {
    pv_vec_push(&out->at, f);
    return;
  }
  for (uint32_t i = 0; i < pv_ltl_at(l, f)->n; i++) pv_vec_push(&out->at, pv_ltl_kid(l, f, i));
}

static void drop(struct operands *o, uint32_t i) {
  for (uint32_t k = i; k + 1 < o->at.n; k++) o->at.at[k] = o->at.at[k + 1];
  o->at.n--;
}

/* Of two operands one of which implies the other, one is enough. */
static void absorb(struct pv_ltl *l, enum pv_ltl_op op, struct operands *o) {
  for (uint32_t i = 0; i < o->at.n; i++)
    for (uint32_t k = 0; k < o->at.n; k++) {
      if (i == k) continue;
      pv_formula a = o->at.at[i], b = o->at.at[k];
      bool implied = l->plain           ? a == b
                     : op == PV_LTL_AND ? pv_ltl_implies(l, a, b)
                                        : pv_ltl_implies(l, b, a);
      if (!implied) continue; /* a makes b needless */
      drop(o, k);
      if (k < i) i--;
      k--;
    }
}

static bool is_constant(struct pv_ltl *l, enum pv_ltl_op op, const struct operands *o,
                        pv_formula *out) {
  pv_formula zero = op == PV_LTL_AND ? PV_LTL_BOTTOM : PV_LTL_TOP;
  *out = zero;
  for (uint32_t i = 0; i < o->at.n; i++) {
    if (o->at.at[i] == zero) return true;
    pv_formula negated =
        l->plain && op_of(l, o->at.at[i]) > PV_LTL_NOT ? o->at.at[i] : pv_ltl_not(l, o->at.at[i]);
    for (uint32_t k = 0; k < o->at.n; k++) {
      pv_formula b = o->at.at[k];
      if (l->plain ? b == negated && b != o->at.at[i]
                   : k != i && (op == PV_LTL_AND ? pv_ltl_implies(l, b, negated)
                                                 : pv_ltl_implies(l, negated, b)))
        return true;
    }
  }
  return false;
}

/* a U b & c U b is (a & c) U b, a U b | a U c is a U (b | c), and so on. */
static bool joined(struct pv_ltl *l, enum pv_ltl_op op, pv_formula f, pv_formula g,
                   pv_formula *out) {
  enum pv_ltl_op of = op_of(l, f);
  if (of != op_of(l, g) || of < PV_LTL_NEXT) return false;
  pv_formula (*join)(struct pv_ltl *, pv_formula, pv_formula) =
      op == PV_LTL_AND ? pv_ltl_and : pv_ltl_or;
  pv_formula f0 = pv_ltl_kid(l, f, 0), g0 = pv_ltl_kid(l, g, 0);
  if (of == PV_LTL_NEXT) {
    *out = pv_ltl_next(l, join(l, f0, g0));
    return true;
  }
  pv_formula f1 = pv_ltl_kid(l, f, 1), g1 = pv_ltl_kid(l, g, 1);
  /* GF a | GF b is GF (a | b), FG a & FG b is FG (a & b) */
  bool opposite = (of == PV_LTL_UNTIL) == (op == PV_LTL_AND);
  if (opposite && is_both(l, f) && is_both(l, g) && f0 == g0 && f0 <= PV_LTL_TOP) {
    enum pv_ltl_op in = of == PV_LTL_UNTIL ? PV_LTL_RELEASE : PV_LTL_UNTIL;
    bool nested = op_of(l, f1) == in && op_of(l, g1) == in && pv_ltl_kid(l, f1, 0) <= PV_LTL_TOP &&
                  pv_ltl_kid(l, f1, 0) == pv_ltl_kid(l, g1, 0);
    if (!nested) return false;
    pv_formula inner = join(l, pv_ltl_kid(l, f1, 1), pv_ltl_kid(l, g1, 1));
    pv_formula outer = in == PV_LTL_UNTIL ? pv_ltl_finally(l, inner) : pv_ltl_globally(l, inner);
    *out = of == PV_LTL_UNTIL ? pv_ltl_finally(l, outer) : pv_ltl_globally(l, outer);
    return true;
  }
  bool until = of == PV_LTL_UNTIL;
  pv_formula (*make)(struct pv_ltl *, pv_formula, pv_formula) =
      until ? pv_ltl_until : pv_ltl_release;
  if (until == (op == PV_LTL_AND) && f1 == g1) {
    *out = make(l, join(l, f0, g0), f1);
    return true;
  }
  if (until != (op == PV_LTL_AND) && f0 == g0) {
    *out = make(l, f0, join(l, f1, g1));
    return true;
  }
  return false;
}

static bool join_two(struct pv_ltl *l, enum pv_ltl_op op, struct operands *o) {
  for (uint32_t i = 0; i < o->at.n; i++)
    for (uint32_t k = i + 1; k < o->at.n; k++) {
      pv_formula one;
      if (!joined(l, op, o->at.at[i], o->at.at[k], &one)) continue;
      drop(o, k);
      o->at.at[i] = one;
      return true;
    }
  return false;
}

static int by_index(const void *a, const void *b) {
  pv_formula x = *(const pv_formula *)a, y = *(const pv_formula *)b;
  return (x > y) - (x < y);
}

static pv_formula combine(struct pv_ltl *l, enum pv_ltl_op op, pv_formula a, pv_formula b) {
  pv_formula unit = op == PV_LTL_AND ? PV_LTL_TOP : PV_LTL_BOTTOM, out;
  if (a == unit || a == b) return b;
  if (b == unit) return a;
  struct operands o = {0};
  flatten(l, op, a, &o);
  flatten(l, op, b, &o);
  if (pv_ltl_spend(&l->budget, (uint64_t)o.at.n * o.at.n)) {
    pv_vec_free(&o.at);
    return a;
  }
  if (is_constant(l, op, &o, &out)) {
    pv_vec_free(&o.at);
    return out;
  }
  absorb(l, op, &o);
  bool again = !l->plain && join_two(l, op, &o);
  if (again) {
    out = unit;
    for (uint32_t i = 0; i < o.at.n; i++) out = combine(l, op, out, o.at.at[i]);
  } else {
    qsort(o.at.at, o.at.n, sizeof *o.at.at, by_index);
    out = o.at.n == 1 ? o.at.at[0] : intern(l, op, o.at.at, o.at.n);
  }
  pv_vec_free(&o.at);
  return out;
}

pv_formula pv_ltl_and(struct pv_ltl *l, pv_formula a, pv_formula b) {
  return combine(l, PV_LTL_AND, a, b);
}

pv_formula pv_ltl_or(struct pv_ltl *l, pv_formula a, pv_formula b) {
  return combine(l, PV_LTL_OR, a, b);
}

/* ---- temporal operators ------------------------------------------------------------------------
 */
/* Splits the operands of an AND or OR into those that are suspendable and the rest. */
static bool split(struct pv_ltl *l, pv_formula f, enum pv_ltl_op op,
                  bool (*apart)(const struct pv_ltl *, pv_formula), pv_formula *out,
                  pv_formula *rest) {
  pv_formula unit = op == PV_LTL_AND ? PV_LTL_TOP : PV_LTL_BOTTOM;
  *out = *rest = unit;
  if (op_of(l, f) != op) return false;
  uint32_t n = pv_ltl_at(l, f)->n, found = 0;
  for (uint32_t i = 0; i < n; i++) {
    pv_formula k = pv_ltl_kid(l, f, i);
    bool is = apart(l, k);
    found += is;
    *(is ? out : rest) = combine(l, op, *(is ? out : rest), k);
  }
  return found > 0 && found < n;
}

pv_formula pv_ltl_next(struct pv_ltl *l, pv_formula a) {
  pv_formula out, rest;
  if (a <= PV_LTL_TOP) return a;
  if (l->plain) return intern(l, PV_LTL_NEXT, &a, 1);
  if (is_both(l, a)) return a;
  if (split(l, a, PV_LTL_AND, is_both, &out, &rest))
    return pv_ltl_and(l, out, pv_ltl_next(l, rest));
  if (split(l, a, PV_LTL_OR, is_both, &out, &rest)) return pv_ltl_or(l, out, pv_ltl_next(l, rest));
  return intern(l, PV_LTL_NEXT, &a, 1);
}

/* Rules for an until whose operands are no constants, except that the left one may be true. */
static bool simpler_until(struct pv_ltl *l, pv_formula a, pv_formula b, pv_formula *out) {
  pv_formula x, rest;
  *out = b;
  if (is_eventual(l, b) || pv_ltl_implies(l, a, b)) return true;
  if (op_of(l, b) == PV_LTL_UNTIL && pv_ltl_implies(l, a, pv_ltl_kid(l, b, 0))) return true;
  if (a != PV_LTL_TOP && pv_ltl_implies(l, pv_ltl_not(l, a), b)) {
    *out = pv_ltl_finally(l, b);
    return true;
  }
  if (op_of(l, a) == PV_LTL_UNTIL && pv_ltl_kid(l, a, 1) == b) {
    *out = a;
    return true;
  }
  if (a == PV_LTL_TOP && op_of(l, b) == PV_LTL_UNTIL) { /* F (c U d) is F d */
    *out = pv_ltl_finally(l, pv_ltl_kid(l, b, 1));
    return true;
  }
  bool next_a = op_of(l, a) == PV_LTL_NEXT || a == PV_LTL_TOP;
  if (next_a && op_of(l, b) == PV_LTL_NEXT) {
    pv_formula under = a == PV_LTL_TOP ? a : pv_ltl_kid(l, a, 0);
    *out = pv_ltl_next(l, pv_ltl_until(l, under, pv_ltl_kid(l, b, 0)));
    return true;
  }
  if (split(l, b, PV_LTL_OR, is_eventual, &x, &rest)) {
    *out = pv_ltl_or(l, x, pv_ltl_until(l, a, rest));
    return true;
  }
  if (split(l, b, PV_LTL_AND, is_both, &x, &rest)) {
    *out = pv_ltl_and(l, x, pv_ltl_until(l, a, rest));
    return true;
  }
  return false;
}

pv_formula pv_ltl_until(struct pv_ltl *l, pv_formula a, pv_formula b) {
  pv_formula out;
  if (a == PV_LTL_BOTTOM || b <= PV_LTL_TOP) return b;
  if (!l->plain && simpler_until(l, a, b, &out)) return out;
  const pv_formula kid[2] = {a, b};
  return intern(l, PV_LTL_UNTIL, kid, 2);
}

static bool simpler_release(struct pv_ltl *l, pv_formula a, pv_formula b, pv_formula *out) {
  pv_formula x, rest;
  *out = b;
  if (is_universal(l, b) || pv_ltl_implies(l, b, a)) return true;
  if (op_of(l, b) == PV_LTL_RELEASE && pv_ltl_implies(l, pv_ltl_kid(l, b, 0), a)) return true;
  if (a != PV_LTL_BOTTOM && pv_ltl_implies(l, b, pv_ltl_not(l, a))) {
    *out = pv_ltl_globally(l, b);
    return true;
  }
  if (op_of(l, a) == PV_LTL_RELEASE && pv_ltl_kid(l, a, 1) == b) {
    *out = a;
    return true;
  }
  if (a == PV_LTL_BOTTOM && op_of(l, b) == PV_LTL_RELEASE) { /* G (c R d) is G d */
    *out = pv_ltl_globally(l, pv_ltl_kid(l, b, 1));
    return true;
  }
  bool next_a = op_of(l, a) == PV_LTL_NEXT || a == PV_LTL_BOTTOM;
  if (next_a && op_of(l, b) == PV_LTL_NEXT) {
    pv_formula under = a == PV_LTL_BOTTOM ? a : pv_ltl_kid(l, a, 0);
    *out = pv_ltl_next(l, pv_ltl_release(l, under, pv_ltl_kid(l, b, 0)));
    return true;
  }
  if (split(l, b, PV_LTL_AND, is_universal, &x, &rest)) {
    *out = pv_ltl_and(l, x, pv_ltl_release(l, a, rest));
    return true;
  }
  if (split(l, b, PV_LTL_OR, is_both, &x, &rest)) {
    *out = pv_ltl_or(l, x, pv_ltl_release(l, a, rest));
    return true;
  }
  return false;
}

pv_formula pv_ltl_release(struct pv_ltl *l, pv_formula a, pv_formula b) {
  pv_formula out;
  if (a == PV_LTL_TOP || b <= PV_LTL_TOP) return b;
  if (!l->plain && simpler_release(l, a, b, &out)) return out;
  const pv_formula kid[2] = {a, b};
  return intern(l, PV_LTL_RELEASE, kid, 2);
}

/* ---- questions --------------------------------------------------------------------------------
 */
bool pv_ltl_has_next(const struct pv_ltl *l, pv_formula f) {
  return pv_ltl_at(l, f)->next;
}

static void print_name(const char *name, struct pv_str *out) {
  bool word = strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789") ==
              strlen(name);
  pv_str_addf(out, word ? "%s" : "\"%s\"", name);
}

static void print_kid(const struct pv_ltl *l, pv_formula f, struct pv_str *out) {
  enum pv_ltl_op op = op_of(l, f);
  bool binary = op == PV_LTL_AND || op == PV_LTL_OR ||
                (op >= PV_LTL_UNTIL && pv_ltl_kid(l, f, 0) > PV_LTL_TOP);
  if (binary) pv_str_addc(out, '(');
  pv_ltl_print(l, f, out);
  if (binary) pv_str_addc(out, ')');
}

void pv_ltl_print(const struct pv_ltl *l, pv_formula f, struct pv_str *out) {
  const struct pv_ltl_node *x = pv_ltl_at(l, f);
  switch (x->op) {
  case PV_LTL_FALSE: pv_str_add(out, "false"); return;
  case PV_LTL_TRUE: pv_str_add(out, "true"); return;
  case PV_LTL_NOT:
    pv_str_addc(out, '!');
    print_name(l->names.at[x->first], out);
    return;
  case PV_LTL_IS: print_name(l->names.at[x->first], out); return;
  case PV_LTL_AND:
  case PV_LTL_OR:
    for (uint32_t i = 0; i < x->n; i++) {
      if (i) pv_str_add(out, x->op == PV_LTL_AND ? " && " : " || ");
      print_kid(l, pv_ltl_kid(l, f, i), out);
    }
    return;
  case PV_LTL_NEXT:
    pv_str_add(out, "X ");
    print_kid(l, pv_ltl_kid(l, f, 0), out);
    return;
  case PV_LTL_UNTIL:
  case PV_LTL_RELEASE: break;
  }
  bool until = x->op == PV_LTL_UNTIL;
  pv_formula left = pv_ltl_kid(l, f, 0);
  if (left == (until ? PV_LTL_TOP : PV_LTL_BOTTOM)) {
    pv_str_add(out, until ? "<> " : "[] ");
  } else {
    print_kid(l, left, out);
    pv_str_add(out, until ? " U " : " V ");
  }
  print_kid(l, pv_ltl_kid(l, f, 1), out);
}

/* ---- words ------------------------------------------------------------------------------------
 */
/* The values of all subformulas at all positions, by fixpoints around the loop. */
struct word {
  const struct pv_ltl *l;
  const uint64_t *letter;
  uint32_t n, loop;
  uint8_t **value; /* by formula; NULL: not computed */
};

static uint8_t *values(struct word *w, pv_formula f);

static void temporal(struct word *w, pv_formula f, uint8_t *v) {
  bool until = op_of(w->l, f) == PV_LTL_UNTIL;
  const uint8_t *a = values(w, pv_ltl_kid(w->l, f, 0)), *b = values(w, pv_ltl_kid(w->l, f, 1));
  for (uint32_t i = 0; i < w->n; i++) v[i] = !until;
  for (int round = 0; round < 2; round++)
    for (uint32_t i = w->n; i-- > 0;) {
      uint8_t next = v[i + 1 < w->n ? i + 1 : w->loop];
      v[i] = until ? b[i] || (a[i] && next) : b[i] && (a[i] || next);
    }
}

static uint8_t *values(struct word *w, pv_formula f) {
  if (w->value[f]) return w->value[f];
  const struct pv_ltl_node *x = pv_ltl_at(w->l, f);
  uint8_t *v = w->value[f] = pv_alloc(w->n);
  if (x->op >= PV_LTL_UNTIL) {
    temporal(w, f, v);
    return v;
  }
  for (uint32_t k = 0; k < x->n; k++) values(w, pv_ltl_kid(w->l, f, k));
  for (uint32_t i = 0; i < w->n; i++) {
    uint32_t next = i + 1 < w->n ? i + 1 : w->loop;
    bool is = x->op <= PV_LTL_NOT && x->op >= PV_LTL_IS && (w->letter[i] >> x->first & 1);
    v[i] = x->op == PV_LTL_TRUE || x->op == PV_LTL_AND;
    if (x->op == PV_LTL_IS) v[i] = is;
    if (x->op == PV_LTL_NOT) v[i] = !is;
    if (x->op == PV_LTL_NEXT) v[i] = w->value[pv_ltl_kid(w->l, f, 0)][next];
    for (uint32_t k = 0; k < x->n && x->op != PV_LTL_NEXT; k++) {
      uint8_t of_kid = w->value[pv_ltl_kid(w->l, f, k)][i];
      v[i] = x->op == PV_LTL_AND ? v[i] && of_kid : v[i] || of_kid;
    }
  }
  return v;
}

bool pv_ltl_holds(const struct pv_ltl *l, pv_formula f, const uint64_t *letter, uint32_t n,
                  uint32_t loop) {
  PV_REQUIRE(loop < n, "a loop is not empty");
  struct word w = {l, letter, n, loop, pv_alloc(l->node.n * sizeof *w.value)};
  bool holds = values(&w, f)[0];
  for (uint32_t i = 0; i < l->node.n; i++) free(w.value[i]);
  free(w.value);
  return holds;
}
