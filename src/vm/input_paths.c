/* input_paths.c -- finds the values of an input that can make a difference, by following the tests
 * directly after it.
 *
 * Programs bound their inputs by assumptions or early returns: `n = nondet(); assume(0 <= n && n <
 * 10);`. From the input on, paths are followed through tests of the variable against constants,
 * copies of their results, and jumps; each path has the interval of values that takes it. A path
 * ends where an assumption fails (its values need not be tried), where the variable is dead (one
 * value stands for all of them), or at the first other use (every value counts). If few values
 * remain, trying all of them is exact. */
#include "analysis/liveness.h"
#include "vm/inputs_internal.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_STEPS = 64, MAX_PATHS = 4096 };

struct range {
  int64_t low, high;
};
struct known {
  uint32_t var;
  uint64_t value;
}; /* temporaries whose values the path determines */
struct path {
  pv_loc at;
  struct range r;
  unsigned steps;
  struct known known[8];
  unsigned n_known;
};
struct walker {
  const struct pv_program *p;
  const struct pv_function *f;
  uint32_t var;
  unsigned w;
  const uint64_t *live;
  uint32_t words, paths;
  pv_ranges *uses;   /* every value counts */
  pv_values *single; /* one value stands for each path */
};

/* ---- tests ----------------------------------------------------------------------------------- */
/* The values for which `v op c` holds, as at most two signed intervals. */
static unsigned true_set(unsigned op, bool swapped, int64_t c, int64_t min, int64_t max,
                         struct range *out) {
  unsigned n = 0;
  bool strict = op == PV_X_ULT || op == PV_X_SLT;
#define ADD(L, H)                                                                                  \
  if ((L) <= (H)) out[n++] = (struct range) {                                                      \
      (L), (H)                                                                                     \
    }
  switch (op) {
  case PV_X_EQ: ADD(c, c); break;
  case PV_X_NE:
    if (c > min) ADD(min, c - 1);
    if (c < max) ADD(c + 1, max);
    break;
  case PV_X_SLT:
  case PV_X_SLE:
    if (swapped && !(strict && c == max)) ADD(strict ? c + 1 : c, max);
    if (!swapped && !(strict && c == min)) ADD(min, strict ? c - 1 : c);
    break;
  default: /* unsigned: 0 .. max, then min .. -1 */
    if (!swapped && c >= 0) {
      ADD(0, strict ? c - 1 : c);
    } else if (!swapped) {
      ADD(0, max);
      if (!(strict && c == min)) ADD(min, strict ? c - 1 : c);
    } else if (c >= 0) {
      if (!(strict && c == max)) ADD(strict ? c + 1 : c, max);
      ADD(min, -1);
    } else {
      ADD(strict ? c + 1 : c, -1);
    }
  }
#undef ADD
  return n;
}

static unsigned negated(unsigned op, bool *swapped) {
  switch (op) {
  case PV_X_EQ: return PV_X_NE;
  case PV_X_NE: return PV_X_EQ;
  case PV_X_ULT: *swapped = !*swapped; return PV_X_ULE;
  case PV_X_ULE: *swapped = !*swapped; return PV_X_ULT;
  case PV_X_SLT: *swapped = !*swapped; return PV_X_SLE;
  default: *swapped = !*swapped; return PV_X_SLT;
  }
}

static int64_t sign_extend(uint64_t v, unsigned w) {
  return (int64_t)(v << (64 - w)) >> (64 - w);
}

/* Is e a comparison of the variable with a constant? */
static bool is_test(const struct walker *k, pv_expr e, unsigned *op, bool *swapped, int64_t *c) {
  const struct pv_expr_node *n = pv_node(k->p, e);
  if (n->op < PV_X_EQ || n->op > PV_X_SLE) return false;
  const struct pv_expr_node *a = pv_node(k->p, n->a), *b = pv_node(k->p, n->b);
  *op = n->op;
  *swapped = b->op == PV_X_VAR && b->lo == k->var;
  const struct pv_expr_node *v = *swapped ? b : a, *constant = *swapped ? a : b;
  *c = sign_extend(constant->lo, k->w);
  return v->op == PV_X_VAR && v->lo == k->var && constant->op == PV_X_CONST;
}

static bool mentions(const struct walker *k, pv_expr e) {
  const struct pv_expr_node *n = pv_node(k->p, e);
  if (n->op == PV_X_VAR) return n->lo == k->var;
  if (!pv_expr_ops[n->op].arity) return false;
  return mentions(k, n->a) || (n->b && mentions(k, n->b)) || (n->c && mentions(k, n->c));
}

/* The value of e if it is determined on the path. */
static bool decided(const struct walker *k, const struct path *p, pv_expr e, uint64_t *v) {
  const struct pv_expr_node *n = pv_node(k->p, e);
  uint64_t a, b;
  switch (n->op) {
  case PV_X_CONST: *v = n->lo; return true;
  case PV_X_VAR:
    for (unsigned i = 0; i < p->n_known; i++)
      if (p->known[i].var == n->lo) {
        *v = p->known[i].value;
        return true;
      }
    return false;
  case PV_X_ZEXT: return decided(k, p, n->a, v);
  case PV_X_EQ:
  case PV_X_NE:
  case PV_X_XOR:
    if (!decided(k, p, n->a, &a) || !decided(k, p, n->b, &b)) return false;
    *v = n->op == PV_X_EQ ? a == b : n->op == PV_X_NE ? a != b : a ^ b;
    return true;
  default: return false;
  }
}

/* ---- paths ----------------------------------------------------------------------------------- */
static void follow(struct walker *k, struct path p);

static void use(struct walker *k, struct range r) {
  pv_vec_push(k->uses, ((struct pv_range){r.low, r.high}));
}

/* Continues with those of the path's values for which the test has the result `holds`. */
static void follow_test(struct walker *k, const struct path *p, pv_expr e, bool holds, pv_loc to,
                        uint32_t record) {
  unsigned op;
  bool swapped;
  int64_t c, max = (int64_t)(((uint64_t)1 << (k->w - 1)) - 1), min = -max - 1;
  struct range set[2];
  is_test(k, e, &op, &swapped, &c);
  if (!holds) op = negated(op, &swapped);
  unsigned n = true_set(op, swapped, c, min, max, set);
  for (unsigned i = 0; i < n; i++) {
    struct path q = *p;
    if (set[i].low > q.r.low) q.r.low = set[i].low;
    if (set[i].high < q.r.high) q.r.high = set[i].high;
    if (q.r.low > q.r.high) continue;
    q.at = to;
    if (record != PV_NO_VAR) q.known[q.n_known++] = (struct known){record, holds};
    follow(k, q);
  }
}

static void forget(struct path *p, uint32_t var) {
  for (unsigned i = 0; i < p->n_known; i++)
    if (p->known[i].var == var) p->known[i--] = p->known[--p->n_known];
}

static bool follow_assign(struct walker *k, struct path *p, const struct pv_edge *e) {
  unsigned op;
  bool swapped;
  int64_t c;
  uint64_t v;
  forget(p, e->dst);
  if (e->dst == k->var) return false; /* impossible: it would not be live */
  bool room = p->n_known < sizeof p->known / sizeof *p->known;
  if (is_test(k, e->e[0], &op, &swapped, &c) && room) {
    follow_test(k, p, e->e[0], true, e->to, e->dst);
    follow_test(k, p, e->e[0], false, e->to, e->dst);
    return true;
  }
  if (mentions(k, e->e[0])) return false;
  if (room && decided(k, p, e->e[0], &v)) p->known[p->n_known++] = (struct known){e->dst, v};
  p->at = e->to;
  follow(k, *p);
  return true;
}

/* Skips an operation that does not use the variable, whatever else it does. */
static bool follow_other(struct walker *k, struct path *p, const struct pv_edge *e) {
  if (e->dst == k->var || e->dst2 == k->var) return false;
  for (int i = 0; i < 3; i++)
    if (e->e[i] && mentions(k, e->e[i])) return false;
  for (uint32_t i = 0; i < e->args.n; i++)
    if (mentions(k, pv_arg(k->p, e->args, i))) return false;
  forget(p, e->dst);
  forget(p, e->dst2);
  for (uint32_t i = 0; i < e->dsts.n; i++) forget(p, pv_arg(k->p, e->dsts, i));
  p->at = e->to;
  follow(k, *p);
  return true;
}

static bool follow_branches(struct walker *k, const struct path *p, const struct pv_location *loc) {
  unsigned op;
  bool swapped;
  int64_t c;
  for (uint32_t i = 0; i < loc->n_out; i++) {
    pv_expr cond = k->f->edges.at[loc->first_out + i].e[0];
    if (!is_test(k, cond, &op, &swapped, &c) && mentions(k, cond)) return false;
  }
  for (uint32_t i = 0; i < loc->n_out; i++) {
    const struct pv_edge *e = &k->f->edges.at[loc->first_out + i];
    struct path q = *p;
    uint64_t v;
    q.at = e->to;
    if (is_test(k, e->e[0], &op, &swapped, &c))
      follow_test(k, p, e->e[0], true, e->to, PV_NO_VAR);
    else if (!decided(k, p, e->e[0], &v) || v)
      follow(k, q);
  }
  return true;
}

static void follow(struct walker *k, struct path p) {
  const struct pv_location *loc = &k->f->locs.at[p.at];
  if (!(k->live[(size_t)p.at * k->words + k->var / 64] >> (k->var % 64) & 1)) {
    const struct pv_edge *only = loc->n_out == 1 ? &k->f->edges.at[loc->first_out] : NULL;
    bool fails = only && only->op == PV_OP_STOP && only->aux == PV_STOP_ASSUME;
    if (!fails) pv_vec_push(k->single, (uint64_t)p.r.low);
    return;
  }
  if (++p.steps > MAX_STEPS || ++k->paths > MAX_PATHS || !loc->n_out) {
    use(k, p.r);
    return;
  }
  const struct pv_edge *e = &k->f->edges.at[loc->first_out];
  bool followed = false;
  if (e->op == PV_OP_ASSUME)
    followed = follow_branches(k, &p, loc);
  else if (e->op == PV_OP_ASSIGN)
    followed = follow_assign(k, &p, e);
  else
    followed = follow_other(k, &p, e);
  if (!followed) use(k, p.r);
}

void pv_input_paths(const struct pv_program *p, const struct pv_function *f,
                    const struct pv_edge *e, pv_ranges *uses, pv_values *single) {
  struct walker k = {
      .p = p, .f = f, .var = e->dst, .w = pv_type_bits(e->type), .uses = uses, .single = single};
  uint64_t *live = pv_liveness(p, f, &k.words);
  k.live = live;
  int64_t max = (int64_t)(((uint64_t)1 << (k.w - 1)) - 1);
  struct path start = {.at = e->to, .r = {-max - 1, max}};
  follow(&k, start);
  free(live);
}
