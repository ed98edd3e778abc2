#include "analysis/specialise.h"

#include "analysis/points_to.h"

#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 8, TABLE = 1 << 24 };
#define ANY UINT32_MAX /* the value is no constant; 0: none yet */

struct specialiser {
  struct pv_program *p;
  bool *written;               /* by global: may anything write it? */
  bool *taken;                 /* by function: may it be called through its address? */
  uint32_t *param_at;          /* by function: the first one in the next two */
  pv_expr *param, *next;       /* by parameter: its value in every call, in this round */
  const struct pv_function *f; /* the current one */
  pv_expr *value;              /* by location and variable */
  struct pv_specialised done;
};

/* ---- expressions ----------------------------------------------------------------------------- */
static bool is_constant(const struct pv_program *p, pv_expr e) {
  const struct pv_expr_node *n = pv_node(p, e);
  if (!e || e == ANY) return false;
  if (n->op == PV_X_PTRADD) return is_constant(p, n->a) && pv_node(p, n->b)->op == PV_X_CONST;
  if (n->op == PV_X_GLOBAL) return !p->globals.at[n->lo].is_thread_local;
  return n->op == PV_X_CONST || n->op == PV_X_FUNC;
}

/* The expression with the constants of these variables. */
static pv_expr put_in(struct pv_program *p, const pv_expr *value, pv_expr e) {
  if (!e) return e;
  struct pv_expr_node n = *pv_node(p, e);
  if (n.op == PV_X_VAR) {
    pv_expr v = value[n.lo];
    return is_constant(p, v) && pv_node(p, v)->type == n.type ? v : e;
  }
  if (pv_expr_ops[n.op].arity == 0) return e;
  pv_expr a = put_in(p, value, n.a), b = put_in(p, value, n.b), c = put_in(p, value, n.c);
  if (a == n.a && b == n.b && c == n.c) return e;
  n.a = a;
  n.b = b;
  n.c = c;
  return pv_mk(p, n);
}

/* ---- memory ---------------------------------------------------------------------------------- */
struct writes {
  struct specialiser *s;
  const struct pv_points_to *pt;
  uint64_t *set;
};

static void write_through(struct writes *w, uint32_t function, pv_expr address) {
  uint32_t words = pv_points_to_words(w->pt);
  if (!address || pv_type_kind(pv_node(w->s->p, address)->type) == PV_T_FLOAT) return;
  memset(w->set, 0, words * sizeof *w->set);
  pv_points_to_address(w->pt, function, address, w->set);
  for (uint32_t i = 0; i < words; i++)
    for (uint64_t rest = w->set[i]; rest; rest &= rest - 1) {
      const struct pv_pt_object *o =
          pv_points_to_object(w->pt, 64 * i + (uint32_t)__builtin_ctzll(rest));
      if (o->kind == PV_PT_GLOBAL) w->s->written[o->index] = true;
    }
}

static void find_writes(struct writes *w, uint32_t function, const struct pv_edge *e) {
  switch (e->op) {
  case PV_OP_STORE:
  case PV_OP_COPY:
  case PV_OP_FILL:
  case PV_OP_FREE:
  case PV_OP_RMW:
  case PV_OP_CMPXCHG: write_through(w, function, e->e[0]); return;
  case PV_OP_PRIM:
    for (uint32_t i = 0; i < e->args.n; i++)
      write_through(w, function, pv_arg(w->s->p, e->args, i));
    return;
  default: return;
  }
}

/* If the points-to sets are not complete, anything may write everything. */
static void find_written(struct specialiser *s) {
  struct pv_points_to *pt = pv_points_to_new(s->p, NULL);
  struct writes w = {.s = s, .pt = pt};
  bool complete = pv_points_to_complete(pt);
  s->written = pv_alloc((s->p->globals.n + 1) * sizeof *s->written);
  for (uint32_t g = 0; g < s->p->globals.n; g++)
    s->written[g] = !complete || s->p->globals.at[g].is_external;
  for (uint32_t i = 0; i < s->p->observers.n; i++) s->written[s->p->observers.at[i]] = true;
  w.set = pv_alloc((pv_points_to_words(pt) + 1) * sizeof *w.set);
  for (uint32_t f = 0; f < s->p->functions.n && complete; f++)
    for (uint32_t i = 0; i < s->p->functions.at[f].edges.n; i++)
      find_writes(&w, f, &s->p->functions.at[f].edges.at[i]);
  free(w.set);
  pv_points_to_free(pt);
}

/* The pointer that is stored there, or 0; *overlaps: another one is in the way. */
static pv_expr stored_pointer(const struct pv_program *p, const struct pv_global *g, uint64_t at,
                              uint32_t bytes, bool *overlaps) {
  *overlaps = false;
  for (uint32_t i = 0; i < g->relocs.n; i++) {
    uint64_t there = g->relocs.at[i].offset;
    if (there == at && bytes == p->pointer_bits / 8) return g->relocs.at[i].value;
    if (there < at + bytes && at < there + p->pointer_bits / 8) *overlaps = true;
  }
  return 0;
}

/* What the edge loads from that address, if nothing writes there; else ANY. */
static pv_expr loaded(struct specialiser *s, const struct pv_edge *e, pv_expr address) {
  struct pv_program *p = s->p;
  uint64_t at = 0, bits = 0;
  uint32_t bytes = pv_type_bytes(e->type);
  enum pv_type_kind kind = pv_type_kind(e->type);
  bool overlaps, plain = e->order == PV_ORDER_NONE && !(e->flags & PV_EF_VOLATILE);
  if (!is_constant(p, address) || !plain || kind == PV_T_FLOAT || bytes > 8) return ANY;
  if (kind == PV_T_INT && pv_type_bits(e->type) % 8) return ANY;
  const struct pv_expr_node *n = pv_node(p, address);
  if (n->op == PV_X_PTRADD) {
    at = pv_node(p, n->b)->lo;
    n = pv_node(p, n->a);
  }
  if (n->op != PV_X_GLOBAL || s->written[n->lo]) return ANY;
  const struct pv_global *g = &p->globals.at[n->lo];
  if (bytes > g->size || at > g->size - bytes) return ANY;
  pv_expr pointer = stored_pointer(p, g, at, bytes, &overlaps);
  if (pointer) return kind == PV_T_PTR && is_constant(p, pointer) ? pointer : ANY;
  if (overlaps || (e->e[1] && kind != PV_T_INT)) return ANY;
  for (uint32_t i = 0; g->init && i < bytes; i++) bits |= (uint64_t)g->init[at + i] << 8 * i;
  return pv_mk_const(p, e->type, bits);
}

/* ---- one function ---------------------------------------------------------------------------- */
static pv_expr meet(pv_expr a, pv_expr b) {
  if (!a || a == b) return b;
  return b ? ANY : a;
}

static void set(pv_expr *value, uint32_t var, pv_expr to) {
  if (var != PV_NO_VAR) value[var] = to;
}

/* Is it a branch that constants may decide? */
static bool is_branch(const struct pv_edge *e) {
  return e->op == PV_OP_ASSUME && !e->aux;
}

static bool is_decided(const struct pv_program *p, pv_expr condition, bool holds) {
  const struct pv_expr_node *n = pv_node(p, condition);
  return n->op == PV_X_CONST && (n->lo != 0) == holds;
}

/* Values after the edge, from those before it. */
static void pass(struct specialiser *s, const struct pv_edge *e, const pv_expr *before,
                 pv_expr *after) {
  pv_expr to = ANY;
  memcpy(after, before, s->f->vars.n * sizeof *after);
  if (e->op == PV_OP_ASSIGN) to = put_in(s->p, before, e->e[0]);
  if (e->op == PV_OP_LOAD) to = loaded(s, e, put_in(s->p, before, e->e[0]));
  if (!is_constant(s->p, to)) to = ANY;
  set(after, e->dst, to);
  set(after, e->dst2, ANY);
  for (uint32_t i = 0; i < e->dsts.n; i++) set(after, pv_arg(s->p, e->dsts, i), ANY);
}

/* Joins the values into those at a location. Returns whether that changed any. */
static bool join(struct specialiser *s, pv_loc to, const pv_expr *from, uint8_t *reached) {
  pv_expr *at = s->value + (size_t)to * s->f->vars.n;
  bool changed = !reached[to];
  for (uint32_t v = 0; v < s->f->vars.n; v++) {
    pv_expr both = reached[to] ? meet(at[v], from[v]) : from[v];
    changed |= both != at[v];
    at[v] = both;
  }
  reached[to] = 1;
  return changed;
}

static void give_arguments(struct specialiser *s, const struct pv_edge *e, const pv_expr *value) {
  if (e->op != PV_OP_CALL || e->callee == PV_NO_FUNC) return;
  const struct pv_function *callee = &s->p->functions.at[e->callee];
  pv_expr *next = s->next + s->param_at[e->callee];
  for (uint32_t i = 0; i < callee->n_params; i++) {
    pv_expr to = i < e->args.n ? put_in(s->p, value, pv_arg(s->p, e->args, i)) : ANY;
    bool fits = is_constant(s->p, to) && pv_node(s->p, to)->type == callee->vars.at[i].type;
    next[i] = meet(next[i], fits ? to : ANY);
  }
}

/* Fills s->value and `reached`. */
static void propagate(struct specialiser *s, uint32_t function, uint8_t *reached) {
  const struct pv_function *f = s->f;
  pv_expr *after = pv_alloc((f->vars.n + 1) * sizeof *after);
  PV_VEC(pv_loc) todo = {0};
  for (uint32_t v = 0; v < f->vars.n; v++)
    after[v] = v < f->n_params ? s->param[s->param_at[function] + v] : ANY;
  join(s, f->entry, after, reached);
  pv_vec_push(&todo, f->entry);
  while (todo.n) {
    pv_loc l = pv_vec_pop(&todo);
    const struct pv_location *at = &f->locs.at[l];
    for (uint32_t i = at->first_out; i < at->first_out + at->n_out; i++) {
      const struct pv_edge *e = &f->edges.at[i];
      const pv_expr *before = s->value + (size_t)l * f->vars.n;
      if (e->op == PV_OP_STOP) continue;
      if (is_branch(e) && is_decided(s->p, put_in(s->p, before, e->e[0]), false)) continue;
      pass(s, e, before, after);
      if (join(s, e->to, after, reached)) pv_vec_push(&todo, e->to);
    }
  }
  pv_vec_free(&todo);
  free(after);
}

static void rewrite_operands(struct specialiser *s, struct pv_edge *e, const pv_expr *value) {
  PV_VEC(pv_expr) args = {0};
  bool changed = false;
  for (int i = 0; i < 3; i++) e->e[i] = put_in(s->p, value, e->e[i]);
  for (uint32_t i = 0; i < e->args.n; i++) {
    pv_expr old = pv_arg(s->p, e->args, i);
    pv_vec_push(&args, put_in(s->p, value, old));
    changed |= pv_vec_last(&args) != old;
  }
  if (changed) e->args = pv_mk_args(s->p, args.at, args.n);
  pv_vec_free(&args);
}

static void become(struct pv_edge *e, enum pv_op op, pv_expr value) {
  struct pv_edge n = pv_edge_of(op, e->from, e->to);
  n.span = e->span;
  n.stmt = e->stmt;
  if (op == PV_OP_ASSIGN) n.dst = e->dst;
  if (op == PV_OP_ASSIGN) n.e[0] = value;
  *e = n;
}

/* Rewrites the edge. Returns whether it stays. */
static bool rewrite(struct specialiser *s, struct pv_edge *e, const pv_expr *value) {
  if (e->op == PV_OP_ASSUME && e->aux) return true; /* on an observer's state */
  rewrite_operands(s, e, value);
  if (e->op == PV_OP_LOAD && e->dst != PV_NO_VAR) {
    pv_expr to = loaded(s, e, e->e[0]);
    if (to == ANY) return true;
    s->done.loads++;
    become(e, PV_OP_ASSIGN, to);
  } else if (is_branch(e) && pv_node(s->p, e->e[0])->op == PV_X_CONST) {
    if (is_decided(s->p, e->e[0], false)) return false;
    s->done.branches++;
    become(e, PV_OP_SKIP, 0);
  } else if (e->op == PV_OP_CHECK && is_decided(s->p, e->e[0], true)) {
    become(e, PV_OP_SKIP, 0);
  }
  return true;
}

static bool is_suitable(const struct pv_program *p, const struct pv_function *f) {
  if (!f->defined || !f->locs.n || (uint64_t)f->locs.n * f->vars.n > TABLE) return false;
  for (uint32_t i = 0; i < f->edges.n; i++)
    if (f->edges.at[i].op == PV_OP_SETJMP) return false;
  return !p->has_jumps;
}

/* One function in this round: what it passes to others; and in the last round, its new edges. */
static void look_at(struct specialiser *s, uint32_t function, bool last) {
  struct pv_function *f = &s->p->functions.at[function];
  s->f = f;
  if (!is_suitable(s->p, f)) {
    pv_expr *any = pv_alloc((f->vars.n + 1) * sizeof *any);
    for (uint32_t v = 0; v < f->vars.n; v++) any[v] = ANY;
    for (uint32_t i = 0; i < f->edges.n && !last; i++) give_arguments(s, &f->edges.at[i], any);
    free(any);
    return;
  }
  uint8_t *reached = pv_alloc(f->locs.n + 1);
  s->value = pv_alloc(((size_t)f->locs.n * f->vars.n + 1) * sizeof *s->value);
  propagate(s, function, reached);
  uint32_t kept = 0, before = f->edges.n;
  for (uint32_t i = 0; i < before; i++) {
    struct pv_edge e = f->edges.at[i];
    const pv_expr *value = s->value + (size_t)e.from * f->vars.n;
    if (!reached[e.from]) continue;
    if (!last) give_arguments(s, &e, value);
    if (last && rewrite(s, &e, value)) f->edges.at[kept++] = e;
  }
  if (last) {
    f->edges.n = kept;
    pv_function_shorten(f);
    pv_function_finish(s->p, f);
    s->done.edges += before - f->edges.n;
  }
  free(s->value);
  free(reached);
}

/* ---- all ------------------------------------------------------------------------------------- */
static void take(struct specialiser *s, pv_expr e) {
  const struct pv_expr_node *n = pv_node(s->p, e);
  if (!e) return;
  if (n->op == PV_X_FUNC) s->taken[n->lo] = true;
  if (pv_expr_ops[n->op].arity == 0) return;
  take(s, n->a);
  take(s, n->b);
  take(s, n->c);
}

/* Functions that are called by more than CALL edges with their name: through pointers, as threads,
 * by the machine. */
static void find_taken(struct specialiser *s) {
  const struct pv_program *p = s->p;
  s->taken = pv_alloc((p->functions.n + 1) * sizeof *s->taken);
  for (uint32_t e = 1; e < p->exprs.n; e++) take(s, e);
  for (uint32_t g = 0; g < p->globals.n; g++)
    for (uint32_t i = 0; i < p->globals.at[g].relocs.n; i++)
      take(s, p->globals.at[g].relocs.at[i].value);
  for (uint32_t i = 0; i < p->invariants.n; i++) s->taken[p->invariants.at[i]] = true;
  for (uint32_t f = 0; f < p->functions.n; f++)
    if (!strncmp(p->functions.at[f].name, "__proviso_", 10)) s->taken[f] = true;
}

/* From one round to the next, values of parameters only become constants. So they are right in
 * every round: in the first one, all are unknown. */
static void find_parameters(struct specialiser *s) {
  const struct pv_program *p = s->p;
  uint32_t n = 0;
  s->param_at = pv_alloc((p->functions.n + 1) * sizeof *s->param_at);
  for (uint32_t f = 0; f < p->functions.n; f++) {
    s->param_at[f] = n;
    n += p->functions.at[f].n_params;
  }
  s->param = pv_alloc((n + 1) * sizeof *s->param);
  s->next = pv_alloc((n + 1) * sizeof *s->next);
  for (uint32_t i = 0; i < n; i++) s->param[i] = ANY;
  for (int round = 0; round < ROUNDS; round++) {
    memset(s->next, 0, n * sizeof *s->next);
    for (uint32_t f = 0; f < p->functions.n; f++) look_at(s, f, false);
    bool changed = false;
    for (uint32_t f = 0; f < p->functions.n; f++)
      for (uint32_t i = s->param_at[f]; i < s->param_at[f] + p->functions.at[f].n_params; i++) {
        pv_expr to = s->taken[f] || f == p->start || !s->next[i] ? ANY : s->next[i];
        changed |= to != s->param[i];
        s->param[i] = to;
      }
    if (!changed) break;
  }
}

struct pv_specialised pv_specialise(struct pv_program *p) {
  struct specialiser s = {.p = p};
  if (p->start >= p->functions.n || p->has_jumps) return s.done;
  find_written(&s);
  find_taken(&s);
  find_parameters(&s);
  for (uint32_t f = 0; f < p->functions.n; f++) look_at(&s, f, true);
  free(s.written);
  free(s.taken);
  free(s.param_at);
  free(s.param);
  free(s.next);
  return s.done;
}
