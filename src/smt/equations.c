#include "smt/equations.h"

enum {
  MOST_NODES = 200, /* of all formulas together */
  MOST_SOLVED = 16
};

struct equations {
  struct pv_smt *s;
  pv_terms conjuncts, from,
      to;             /* constants and what they are equal to; no `from` occurs in a `to` */
  struct pv_map seen; /* nodes that were counted */
};

/* Counts the nodes of the term. Returns false if there are too many. */
static bool is_small(struct equations *q, Z3_ast root) {
  pv_terms stack = {0};
  pv_vec_push(&stack, pv_of(root));
  while (stack.n && q->seen.n <= MOST_NODES) {
    Z3_ast a = pv_ast(stack.at[--stack.n]);
    unsigned id = Z3_get_ast_id(q->s->z3, a);
    bool is_new;
    pv_map_put(&q->seen, &id, sizeof id, 0, &is_new);
    for (uint32_t i = 0; i < pv_arity(q->s, a) && is_new; i++)
      pv_vec_push(&stack, pv_of(pv_arg_at(q->s, a, i)));
  }
  bool small = !stack.n;
  pv_vec_free(&stack);
  return small;
}

static void flatten(struct equations *q, pv_term t) {
  if (!pv_is_app(q->s, pv_ast(t), Z3_OP_AND)) {
    pv_vec_push(&q->conjuncts, t);
    return;
  }
  for (uint32_t i = 0; i < pv_arity(q->s, pv_ast(t)); i++)
    flatten(q, pv_of(pv_arg_at(q->s, pv_ast(t), i)));
}

static bool has(const pv_terms *list, pv_term t) {
  for (uint32_t i = 0; i < list->n; i++)
    if (list->at[i] == t) return true;
  return false;
}

static bool occurs(struct equations *q, pv_term c, pv_term in) {
  pv_terms constants = {0};
  pv_smt_constants(q->s, in, &constants);
  bool r = has(&constants, c);
  pv_vec_free(&constants);
  return r;
}

static pv_term replaced(struct equations *q, pv_term t) {
  return pv_smt_substitute(q->s, t, q->from.n, q->from.at, q->to.at);
}

/* Takes the equation c = t, if c is a constant and that is possible. */
static bool take(struct equations *q, Z3_ast c, Z3_ast t) {
  pv_term constant = pv_of(c);
  if (!pv_is_constant(q->s, c) || has(&q->from, constant)) return false;
  pv_term value = replaced(q, pv_smt_keep(q->s, t));
  if (occurs(q, constant, value)) return false;
  for (uint32_t i = 0; i < q->to.n; i++)
    q->to.at[i] = pv_smt_substitute(q->s, q->to.at[i], 1, &constant, &value);
  pv_vec_push(&q->from, pv_smt_keep(q->s, c));
  pv_vec_push(&q->to, value);
  return true;
}

static void solve(struct equations *q) {
  for (uint32_t i = 0; i < q->conjuncts.n && q->from.n < MOST_SOLVED; i++) {
    Z3_ast a = pv_ast(q->conjuncts.at[i]);
    if (!pv_is_app(q->s, a, Z3_OP_EQ)) continue;
    Z3_ast x = pv_arg_at(q->s, a, 0), y = pv_arg_at(q->s, a, 1);
    if (pv_smt_sort(q->s, pv_of(x)).kind != PV_SORT_BV) continue;
    if (!take(q, x, y)) take(q, y, x);
  }
}

bool pv_smt_use_equations(struct pv_smt *s, uint32_t n, const pv_term *asserted, pv_terms *out) {
  struct equations q = {.s = s};
  bool small = true, possible = true;
  for (uint32_t i = 0; i < n && small; i++) small = is_small(&q, pv_ast(asserted[i]));
  for (uint32_t i = 0; i < n && small; i++) flatten(&q, asserted[i]);
  if (small) solve(&q);
  for (uint32_t i = 0; i < q.conjuncts.n && q.from.n && possible; i++) {
    pv_term r = pv_smt_simplify(s, replaced(&q, q.conjuncts.at[i]));
    possible = !pv_smt_is_false(s, r);
    if (r != q.conjuncts.at[i] && !pv_smt_is_true(s, r)) pv_vec_push(out, r);
  }
  pv_vec_free(&q.conjuncts);
  pv_vec_free(&q.from);
  pv_vec_free(&q.to);
  pv_map_free(&q.seen);
  return possible;
}
