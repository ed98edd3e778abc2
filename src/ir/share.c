/* share.c -- merges temporaries that are never live at the same time.
 *
 * Every read of memory creates a temporary, and most are used at once. A function of some thousand
 * lines would have as many of them in each of its frames. This is local register allocation by
 * linear scan (Poletto, Sarkar, TOPLAS 21(5), 1999), over stretches of locations without branches
 * or joins. A temporary that may contain an address and pass it on is not merged: the points-to
 * analysis (analysis/points_to.h) does not distinguish where a variable is used, so it would become
 * imprecise. */
#include "ir/ir.h"

#include <stdlib.h>
#include <string.h>

/* A bound on shared variables of one function; beyond it nothing more is merged. */
enum { MOST = 256 };

struct temp {                   /* one for each variable */
  uint32_t stretch, start, end; /* the first and last position with a definition or use */
  uint32_t defs, uses, here;    /* numbers of edges that use it: all, and those of its stretch */
  uint32_t edge;                /* the last edge counted */
  bool passed_on;               /* used elsewhere than in conditions */
  uint32_t to;                  /* its new number */
};
struct shared {
  uint32_t var, stretch, end; /* in use there up to `end` */
};
struct sharing {
  struct pv_program *p;
  struct pv_function *f;
  struct temp *temps;
  uint32_t *in; /* by location: an edge that leads there */
  uint32_t stretch;
  PV_VEC(uint32_t) order; /* temporaries of the stretch, sorted by start */
  PV_VEC(struct shared) shared;
  __typeof__(((struct pv_function *)0)->vars) vars; /* the new variables */
  struct pv_map renamed;                            /* expression -> renamed expression */
};

/* The variable of a function's result has a name, so it is not merged. */
static bool may_share(const struct sharing *s, uint32_t v) {
  const struct pv_function *f = s->f;
  const struct pv_variable *var = &f->vars.at[v];
  enum pv_type_kind kind = pv_type_kind(var->type);
  bool address =
      kind == PV_T_PTR || (kind == PV_T_INT && pv_type_bits(var->type) >= s->p->pointer_bits);
  return v >= f->n_params + f->variadic && var->is_temp && strcmp(var->name, "retval") != 0 &&
         s->temps[v].defs == 1 && !(address && s->temps[v].passed_on);
}

/* ---- where temporaries are needed ------------------------------------------------------------ */
static void use(struct sharing *s, pv_expr e, uint32_t edge, uint32_t at) {
  for (; e; e = pv_node(s->p, e)->a) {
    const struct pv_expr_node *n = pv_node(s->p, e);
    if (n->op == PV_X_VAR && s->temps[n->lo].edge != edge) {
      struct temp *t = &s->temps[n->lo];
      t->edge = edge;
      t->passed_on |= s->f->edges.at[edge].op != PV_OP_ASSUME;
      if (at == UINT32_MAX)
        t->uses++;
      else if (t->stretch == s->stretch)
        t->here++, t->end = at;
    }
    if (pv_expr_ops[n->op].arity == 0) return;
    if (n->b) use(s, n->b, edge, at);
    if (n->c) use(s, n->c, edge, at);
  }
}

static void uses(struct sharing *s, uint32_t edge, uint32_t at) {
  const struct pv_edge *e = &s->f->edges.at[edge];
  for (int i = 0; i < 3; i++) use(s, e->e[i], edge, at);
  for (uint32_t i = 0; i < e->args.n; i++) use(s, pv_arg(s->p, e->args, i), edge, at);
}

static uint32_t n_results(const struct pv_edge *e) {
  return 2 + e->dsts.n;
}
static uint32_t result(const struct sharing *s, const struct pv_edge *e, uint32_t i) {
  return i == 0 ? e->dst : i == 1 ? e->dst2 : pv_arg(s->p, e->dsts, i - 2);
}

static void count(struct sharing *s) {
  for (uint32_t i = 0; i < s->f->edges.n; i++) {
    const struct pv_edge *e = &s->f->edges.at[i];
    s->in[e->to] = i;
    uses(s, i, UINT32_MAX);
    for (uint32_t k = 0; k < n_results(e); k++)
      if (result(s, e, k) != PV_NO_VAR) s->temps[result(s, e, k)].defs++;
  }
  for (uint32_t v = 0; v < s->f->vars.n; v++) s->temps[v].edge = UINT32_MAX;
}

/* ---- stretches of code ----------------------------------------------------------------------- */
/* Is it in the stretch of its only predecessor? */
static bool goes_on(const struct sharing *s, pv_loc l) {
  const struct pv_function *f = s->f;
  return l != f->entry && f->locs.at[l].n_in == 1 &&
         f->locs.at[f->edges.at[s->in[l]].from].n_out == 1;
}

static void follow(struct sharing *s, pv_loc l) {
  const struct pv_function *f = s->f;
  s->order.n = 0;
  s->stretch++;
  for (uint32_t at = 0;; at++) {
    const struct pv_location *loc = &f->locs.at[l];
    for (uint32_t k = 0; k < loc->n_out; k++) uses(s, loc->first_out + k, at);
    if (loc->n_out != 1) return;
    const struct pv_edge *e = &f->edges.at[loc->first_out];
    for (uint32_t k = 0; k < n_results(e); k++) {
      uint32_t v = result(s, e, k);
      if (v == PV_NO_VAR || !may_share(s, v)) continue;
      s->temps[v].stretch = s->stretch;
      s->temps[v].start = s->temps[v].end = at;
      pv_vec_push(&s->order, v);
    }
    if (!goes_on(s, e->to)) return;
    l = e->to;
  }
}

static uint32_t choose(struct sharing *s, uint32_t v) {
  const struct temp *t = &s->temps[v];
  const struct pv_variable *var = &s->f->vars.at[v];
  struct shared taken = {.stretch = s->stretch, .end = t->end};
  for (uint32_t i = 0; i < s->shared.n; i++) {
    struct shared *c = &s->shared.at[i];
    const struct pv_variable *like = &s->vars.at[c->var];
    if (like->type != var->type || like->srctype != var->srctype) continue;
    if (c->stretch == s->stretch && c->end >= t->start) continue;
    taken.var = c->var;
    *c = taken;
    return c->var;
  }
  taken.var = s->vars.n;
  pv_vec_push(&s->vars, *var);
  if (s->shared.n < MOST) pv_vec_push(&s->shared, taken);
  return taken.var;
}

static void assign(struct sharing *s) {
  for (uint32_t i = 0; i < s->order.n; i++) {
    struct temp *t = &s->temps[s->order.at[i]];
    if (t->here == t->uses) t->to = choose(s, s->order.at[i]);
  }
}

/* ---- names ----------------------------------------------------------------------------------- */
static pv_expr rename_expr(struct sharing *s, pv_expr e) {
  if (!e || pv_node(s->p, e)->op == PV_X_CONST) return e;
  const uint32_t *known = pv_map_get(&s->renamed, &e, sizeof e);
  if (known) return *known;
  struct pv_expr_node n = *pv_node(s->p, e);
  pv_expr to = e;
  if (n.op == PV_X_VAR) {
    to = pv_mk_var(s->p, n.type, s->temps[n.lo].to);
  } else if (pv_expr_ops[n.op].arity > 0) {
    pv_expr a = rename_expr(s, n.a), b = rename_expr(s, n.b), c = rename_expr(s, n.c);
    bool other = a != n.a || b != n.b || c != n.c;
    n.a = a;
    n.b = b;
    n.c = c;
    if (other) to = pv_mk(s->p, n);
  }
  pv_map_put(&s->renamed, &e, sizeof e, to, NULL);
  return to;
}

static uint32_t rename_var(const struct sharing *s, uint32_t v) {
  return v == PV_NO_VAR ? v : s->temps[v].to;
}

static void rename_all(struct sharing *s) {
  PV_VEC(uint32_t) list = {0};
  for (uint32_t i = 0; i < s->f->edges.n; i++) {
    struct pv_edge *e = &s->f->edges.at[i];
    e->dst = rename_var(s, e->dst);
    e->dst2 = rename_var(s, e->dst2);
    for (int k = 0; k < 3; k++) e->e[k] = rename_expr(s, e->e[k]);
    list.n = 0; /* several edges may share one list */
    for (uint32_t k = 0; k < e->args.n; k++)
      pv_vec_push(&list, rename_expr(s, pv_arg(s->p, e->args, k)));
    if (list.n) e->args = pv_mk_args(s->p, list.at, list.n);
    list.n = 0;
    for (uint32_t k = 0; k < e->dsts.n; k++)
      pv_vec_push(&list, rename_var(s, pv_arg(s->p, e->dsts, k)));
    if (list.n) e->dsts = pv_mk_args(s->p, list.at, list.n);
  }
  pv_vec_free(&list);
}

void pv_function_share(struct pv_program *p, struct pv_function *f) {
  struct sharing s = {.p = p, .f = f};
  s.temps = pv_alloc((f->vars.n + 1) * sizeof *s.temps);
  s.in = pv_alloc((f->locs.n + 1) * sizeof *s.in);
  for (uint32_t v = 0; v < f->vars.n; v++) s.temps[v].edge = s.temps[v].to = UINT32_MAX;
  count(&s);
  for (pv_loc l = 0; l < f->locs.n; l++) {
    if (goes_on(&s, l)) continue;
    follow(&s, l);
    assign(&s);
  }
  uint32_t n_shared = s.vars.n, n_kept = 0; /* variables that stay come first, in their order */
  for (uint32_t v = 0; v < f->vars.n; v++)
    if (s.temps[v].to == UINT32_MAX) n_kept++;
  if (n_kept + n_shared < f->vars.n) {
    for (uint32_t v = 0, kept = 0; v < f->vars.n; v++) {
      if (s.temps[v].to != UINT32_MAX) {
        s.temps[v].to += n_kept;
      } else {
        f->vars.at[kept] = f->vars.at[v];
        s.temps[v].to = kept++;
      }
    }
    f->vars.n = n_kept;
    for (uint32_t i = 0; i < n_shared; i++) pv_vec_push(&f->vars, s.vars.at[i]);
    rename_all(&s);
  }
  free(s.temps);
  free(s.in);
  pv_vec_free(&s.order);
  pv_vec_free(&s.shared);
  pv_vec_free(&s.vars);
  pv_map_free(&s.renamed);
}
