/* verify.c -- checks the invariants of ir.h on a finished program: the last step of the frontend
 * and of every transformation. It does not check that variables are assigned before they are read
 * (the frontend's dataflow analysis guarantees that). */
#include "ir/ir_internal.h"

#include <stdlib.h>
#include <string.h>

struct check {
  const struct pv_program *p;
  const struct pv_function *f;
  uint32_t function;
  struct pv_str why;
};

static bool bad(struct check *c, const char *fmt, ...) PV_PRINTF(2, 3);
static bool bad(struct check *c, const char *fmt, ...) {
  if (c->why.n) return false;
  if (c->f) pv_str_addf(&c->why, "function %s: ", c->f->name);
  va_list ap;
  va_start(ap, fmt);
  pv_str_vaddf(&c->why, fmt, ap);
  va_end(ap);
  return false;
}

static pv_type type_of(const struct pv_program *p, pv_expr e) {
  return e && e < p->exprs.n ? pv_node(p, e)->type : PV_VOID;
}

static bool is_kind(pv_type t, enum pv_type_kind k) {
  return pv_type_kind(t) == k;
}

static bool valid_type(const struct pv_program *p, pv_type t) {
  unsigned bits = pv_type_bits(t);
  switch (pv_type_kind(t)) {
  case PV_T_VOID: return bits == 0;
  case PV_T_INT: return bits >= 1 && bits <= 128;
  case PV_T_FLOAT: return bits == 32 || bits == 64 || bits == 80;
  case PV_T_PTR: return bits == p->pointer_bits;
  }
  return false;
}

/* ---- expressions ----------------------------------------------------------------------------- */

static bool check_leaf(const struct pv_program *p, const struct pv_expr_node *n) {
  switch (n->op) {
  case PV_X_GLOBAL: return is_kind(n->type, PV_T_PTR) && n->lo < p->globals.n;
  case PV_X_FUNC: return is_kind(n->type, PV_T_PTR) && n->lo < p->functions.n;
  case PV_X_LABEL:
    return is_kind(n->type, PV_T_PTR) && n->lo < p->functions.n &&
           n->hi < p->functions.at[n->lo].labels.n;
  case PV_X_SLOT: return is_kind(n->type, PV_T_PTR);
  default: return n->type != PV_VOID;
  }
}

static bool check_cast(const struct pv_expr_node *n, pv_type a) {
  unsigned from = pv_type_bits(a), to = pv_type_bits(n->type);
  bool ints = is_kind(a, PV_T_INT) && is_kind(n->type, PV_T_INT);
  switch (n->op) {
  case PV_X_ZEXT:
  case PV_X_SEXT: return ints && from < to;
  case PV_X_TRUNC: return ints && from > to;
  case PV_X_BITCAST: return from == to;
  case PV_X_FPCONV: return is_kind(a, PV_T_FLOAT) && is_kind(n->type, PV_T_FLOAT);
  case PV_X_FPTOSI:
  case PV_X_FPTOUI: return is_kind(a, PV_T_FLOAT) && is_kind(n->type, PV_T_INT);
  default: return is_kind(a, PV_T_INT) && is_kind(n->type, PV_T_FLOAT);
  }
}

static bool check_node(const struct pv_program *p, const struct pv_expr_node *n) {
  pv_type a = type_of(p, n->a), b = type_of(p, n->b), c = type_of(p, n->c);
  unsigned arity = pv_expr_ops[n->op].arity;
  if (!valid_type(p, n->type)) return false;
  if (arity >= 1 && a == PV_VOID) return false;
  switch ((enum pv_expr_op)n->op) {
  case PV_X_CONST:
  case PV_X_VAR:
  case PV_X_GLOBAL:
  case PV_X_FUNC:
  case PV_X_LABEL:
  case PV_X_SLOT:
  case PV_X_UNDEF: return check_leaf(p, n);
  case PV_X_EQ:
  case PV_X_NE:
  case PV_X_ULT:
  case PV_X_ULE:
  case PV_X_SLT:
  case PV_X_SLE: return n->type == PV_INT(1) && a == b && !is_kind(a, PV_T_FLOAT);
  case PV_X_FCMP: return n->type == PV_INT(1) && a == b && is_kind(a, PV_T_FLOAT);
  case PV_X_ZEXT:
  case PV_X_SEXT:
  case PV_X_TRUNC:
  case PV_X_BITCAST:
  case PV_X_FPCONV:
  case PV_X_FPTOSI:
  case PV_X_FPTOUI:
  case PV_X_SITOFP:
  case PV_X_UITOFP: return check_cast(n, a);
  case PV_X_PTRADD:
    return is_kind(n->type, PV_T_PTR) && a == n->type && b == PV_INT(p->pointer_bits);
  case PV_X_FADD:
  case PV_X_FSUB:
  case PV_X_FMUL:
  case PV_X_FDIV:
  case PV_X_FREM: return is_kind(n->type, PV_T_FLOAT) && a == n->type && b == n->type;
  case PV_X_FNEG: return is_kind(n->type, PV_T_FLOAT) && a == n->type;
  case PV_X_SELECT: return a == PV_INT(1) && b == n->type && c == n->type;
  case PV_X_MATH: return is_kind(n->type, PV_T_FLOAT) && a == n->type && n->aux < PV_MATH_COUNT;
  case PV_X_INTOP: return is_kind(n->type, PV_T_INT) && a == n->type && n->aux < PV_INTOP_COUNT;
  case PV_X_OVERFLOWS: return n->type == PV_INT(1) && a == b && is_kind(a, PV_T_INT);
  case PV_X_COUNT: return false;
  default: return is_kind(n->type, PV_T_INT) && a == n->type && b == n->type;
  }
}

static bool check_expressions(struct check *c) {
  for (pv_expr e = 1; e < c->p->exprs.n; e++) {
    const struct pv_expr_node *n = pv_node(c->p, e);
    if (n->op >= PV_X_COUNT) return bad(c, "expression %u has no operation", e);
    if (n->a >= e || n->b >= e || n->c >= e)
      return bad(c, "expression %u is not built bottom up", e);
    if (!check_node(c->p, n))
      return bad(c, "expression %u (%s) has operands of wrong types", e, pv_expr_ops[n->op].name);
  }
  return true;
}

/* Do variables and slots of an expression belong to the function? `seen` has 1 + the last function
 * for which an expression was checked. */
static bool check_leaves(struct check *c, uint32_t *seen, pv_expr e) {
  PV_VEC(pv_expr) todo = {0};
  bool ok = true;
  pv_vec_push(&todo, e);
  while (todo.n && ok) {
    e = pv_vec_pop(&todo);
    if (!e || seen[e] == c->function + 1) continue;
    seen[e] = c->function + 1;
    const struct pv_expr_node *n = pv_node(c->p, e);
    if (n->op == PV_X_VAR && (n->lo >= c->f->vars.n || c->f->vars.at[n->lo].type != n->type))
      ok = bad(c, "no variable %u of that type", (unsigned)n->lo);
    if (n->op == PV_X_SLOT && n->lo >= c->f->slots.n) ok = bad(c, "no slot %u", (unsigned)n->lo);
    pv_vec_push(&todo, n->a);
    pv_vec_push(&todo, n->b);
    pv_vec_push(&todo, n->c);
  }
  pv_vec_free(&todo);
  return ok;
}

/* ---- edges ----------------------------------------------------------------------------------- */

static pv_type var_type(const struct pv_function *f, uint32_t var) {
  return var < f->vars.n ? f->vars.at[var].type : PV_VOID;
}

static bool check_call(struct check *c, const struct pv_edge *e) {
  for (uint32_t i = 0; i < e->dsts.n; i++) {
    uint32_t dst = c->p->arg_pool.at[e->dsts.at + i];
    if (dst != PV_NO_VAR && dst >= c->f->vars.n) return bad(c, "call into no variable");
  }
  if (e->callee == PV_NO_FUNC)
    return is_kind(type_of(c->p, e->e[0]), PV_T_PTR) || bad(c, "indirect call without an address");
  if (e->callee >= c->p->functions.n) return bad(c, "call of no function");
  const struct pv_function *g = &c->p->functions.at[e->callee];
  if (!g->defined) return bad(c, "call of `%s`, which has no body", g->name);
  if (e->args.n != g->n_params) return bad(c, "call of `%s` with wrong arguments", g->name);
  if (g->variadic && !is_kind(type_of(c->p, e->e[1]), PV_T_PTR))
    return bad(c, "call of `%s` without a variadic area", g->name);
  for (uint32_t i = 0; i < e->args.n; i++)
    if (type_of(c->p, pv_arg(c->p, e->args, i)) != g->vars.at[i].type)
      return bad(c, "argument %u of `%s` has the wrong type", i + 1, g->name);
  for (uint32_t i = 0; i < e->dsts.n && i < g->n_results; i++) {
    uint32_t dst = c->p->arg_pool.at[e->dsts.at + i];
    if (dst != PV_NO_VAR && var_type(c->f, dst) != g->result[i])
      return bad(c, "result of `%s` has the wrong type", g->name);
  }
  return true;
}

/* A mask of bits: an integer constant, or nothing. */
static bool is_bits(const struct pv_program *p, pv_expr e, pv_type t) {
  if (!e) return true;
  return pv_node(p, e)->op == PV_X_CONST && pv_node(p, e)->type == t && is_kind(t, PV_T_INT);
}

/* Checks the operands of an operation. */
static bool check_operands(struct check *c, const struct pv_edge *e) {
  pv_type t0 = type_of(c->p, e->e[0]), t1 = type_of(c->p, e->e[1]), t2 = type_of(c->p, e->e[2]);
  pv_type dst = var_type(c->f, e->dst), size = PV_INT(c->p->pointer_bits);
  bool at = is_kind(t0, PV_T_PTR);
  switch ((enum pv_op)e->op) {
  case PV_OP_ASSUME:
  case PV_OP_CHECK: return t0 == PV_INT(1);
  case PV_OP_ASSIGN: return dst != PV_VOID && t0 == dst;
  case PV_OP_HAVOC:
    return dst != PV_VOID && dst == e->type && (!e->e[0] || (t0 == dst && t1 == dst)) &&
           (!e->e[0] || (is_kind(dst, PV_T_INT) && pv_type_bits(dst) <= 64));
  case PV_OP_INDET: return dst != PV_VOID && dst == e->type;
  case PV_OP_LOAD: return at && dst != PV_VOID && dst == e->type && is_bits(c->p, e->e[1], dst);
  case PV_OP_STORE: return at && t1 != PV_VOID && t1 == e->type && is_bits(c->p, e->e[2], t1);
  case PV_OP_COPY: return at && is_kind(t1, PV_T_PTR) && t2 == size;
  case PV_OP_FILL: return at && is_kind(t1, PV_T_INT) && t2 == size;
  case PV_OP_ALLOC: return t0 == size && is_kind(dst, PV_T_PTR);
  case PV_OP_FREE: return at;
  case PV_OP_LIVE:
  case PV_OP_DEAD:
    return e->aux < c->f->slots.n &&
           (c->f->slots.at[e->aux].scoped || (e->flags & PV_EF_HELD) != 0);
  case PV_OP_SETJMP:
    return at && e->aux < c->f->slots.n && is_kind(dst, PV_T_INT) &&
           var_type(c->f, e->dst2) == PV_INT(1);
  case PV_OP_LONGJMP: return at && is_kind(t1, PV_T_INT);
  case PV_OP_CALL: return check_call(c, e);
  case PV_OP_RETURN: return e->args.n == c->f->n_results;
  case PV_OP_RMW: return at && t1 == e->type && (e->dst == PV_NO_VAR || dst == e->type);
  case PV_OP_CMPXCHG:
    return at && t1 == e->type && t2 == e->type && (e->dst == PV_NO_VAR || dst == e->type) &&
           (e->dst2 == PV_NO_VAR || var_type(c->f, e->dst2) == PV_INT(1));
  case PV_OP_PRIM: return e->aux < c->p->prims.n;
  case PV_OP_PRINT: return at && t1 == size;
  case PV_OP_QUERY: return dst != PV_VOID;
  default: return true;
  }
}

static bool check_edge(struct check *c, uint32_t *seen, const struct pv_edge *e) {
  const struct pv_function *f = c->f;
  if (e->op >= PV_OP_COUNT) return bad(c, "edge without operation");
  const char *name = pv_op_names[e->op];
  if (e->from >= f->locs.n || e->to >= f->locs.n)
    return bad(c, "%s edge leaves the function", name);
  bool ends = e->op == PV_OP_RETURN || e->op == PV_OP_STOP;
  if (ends && e->to != f->exit) return bad(c, "%s edge does not end at the exit", name);
  if (e->args.at + (uint64_t)e->args.n > c->p->arg_pool.n ||
      e->dsts.at + (uint64_t)e->dsts.n > c->p->arg_pool.n)
    return bad(c, "%s edge has arguments from nowhere", name);
  for (int i = 0; i < 3; i++)
    if (e->e[i] >= c->p->exprs.n || !check_leaves(c, seen, e->e[i]))
      return bad(c, "%s edge has a bad operand", name);
  for (uint32_t i = 0; i < e->args.n; i++)
    if (!pv_arg(c->p, e->args, i) || !check_leaves(c, seen, pv_arg(c->p, e->args, i)))
      return bad(c, "%s edge has a bad argument", name);
  if (!check_operands(c, e)) return bad(c, "%s edge has operands of wrong types", name);
  if (e->op == PV_OP_RETURN)
    for (uint32_t i = 0; i < f->n_results; i++)
      if (type_of(c->p, pv_arg(c->p, e->args, i)) != f->result[i])
        return bad(c, "RETURN edge has a result of the wrong type");
  return true;
}

/* Are a and b syntactically each other's negation? */
static bool opposite(const struct pv_program *p, pv_expr a, pv_expr b) {
  struct pv_expr_node na = *pv_node(p, a), nb = *pv_node(p, b), turned;
  if (pv_negated(&na, &turned) && turned.op == nb.op && turned.a == nb.a && turned.b == nb.b &&
      turned.aux == nb.aux && turned.flags == nb.flags)
    return true;
  if (na.op == PV_X_CONST && nb.op == PV_X_CONST) return na.lo != nb.lo;
  if (nb.op == PV_X_XOR && nb.a == a && pv_node(p, nb.b)->op == PV_X_CONST) return true;
  return na.op == PV_X_XOR && na.a == b && pv_node(p, na.b)->op == PV_X_CONST;
}

static bool check_location(struct check *c, pv_loc l) {
  const struct pv_location *loc = &c->f->locs.at[l];
  if ((uint64_t)loc->first_out + loc->n_out > c->f->edges.n)
    return bad(c, "location %u has edges from nowhere", l);
  const struct pv_edge *e = &c->f->edges.at[loc->first_out];
  for (uint32_t i = 0; i < loc->n_out; i++)
    if (e[i].from != l) return bad(c, "edges are not sorted at location %u", l);
  if (loc->n_out == 0 && l != c->f->exit) return bad(c, "location %u is a dead end", l);
  if (loc->n_out <= 1) return true;
  for (uint32_t i = 0; i < loc->n_out; i++)
    if (e[i].op != PV_OP_ASSUME) return bad(c, "location %u branches without assumptions", l);
  if (loc->n_out == 2 && !opposite(c->p, e[0].e[0], e[1].e[0]))
    return bad(c, "the two assumptions at location %u are not each other's negation", l);
  return true;
}

static bool check_function(struct check *c, uint32_t *seen) {
  const struct pv_function *f = c->f;
  if (!f->defined) return true;
  if (f->entry >= f->locs.n || f->exit >= f->locs.n) return bad(c, "no entry or exit");
  if (f->n_params + f->variadic > f->vars.n) return bad(c, "more parameters than variables");
  if (f->n_results > sizeof f->result / sizeof f->result[0]) return bad(c, "too many results");
  for (uint32_t i = 0; i < f->vars.n; i++)
    if (f->vars.at[i].type == PV_VOID || !valid_type(c->p, f->vars.at[i].type) ||
        !f->vars.at[i].name)
      return bad(c, "variable %u has no type or name", i);
  for (uint32_t i = 0; i < f->edges.n; i++)
    if (!check_edge(c, seen, &f->edges.at[i])) return false;
  for (pv_loc l = 0; l < f->locs.n; l++)
    if (!check_location(c, l)) return false;
  return true;
}

static bool check_globals(struct check *c) {
  for (uint32_t i = 0; i < c->p->globals.n; i++) {
    const struct pv_global *g = &c->p->globals.at[i];
    uint64_t end = 0, step = c->p->pointer_bits / 8;
    for (uint32_t k = 0; k < g->relocs.n; k++) {
      const struct pv_reloc *r = &g->relocs.at[k];
      if (r->offset < end || r->offset + step > g->size)
        return bad(c, "global %s: relocation %u is out of order or bounds", g->name, k);
      if (!is_kind(type_of(c->p, r->value), PV_T_PTR) &&
          type_of(c->p, r->value) != PV_INT(c->p->pointer_bits))
        return bad(c, "global %s: relocation %u is no address", g->name, k);
      end = r->offset + step;
    }
  }
  return true;
}

char *pv_program_verify(const struct pv_program *p) {
  struct check c = {.p = p};
  uint32_t *seen = pv_alloc((p->exprs.n + 1) * sizeof *seen);
  bool ok = check_expressions(&c) && check_globals(&c);
  bool library = p->start == PV_NO_FUNC;
  if (ok && !library && (p->start >= p->functions.n || !p->functions.at[p->start].defined))
    ok = bad(&c, "no function to start in");
  for (uint32_t i = 0; ok && i < p->functions.n; i++) {
    c.f = &p->functions.at[i];
    c.function = i;
    ok = check_function(&c, seen);
  }
  free(seen);
  if (ok) return NULL;
  char *message = pv_strdup(pv_str_cstr(&c.why));
  pv_str_free(&c.why);
  return message;
}
