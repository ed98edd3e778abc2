#include "analysis/intervals.h"

#include <stdlib.h>
#include <string.h>

#include "sched/sched.h"

enum {
  CELLS = 1 << 21, /* a bound on intervals: locations times variables, over all functions */
  STEPS = 1 << 24, /* a bound on processed edges and variables */
  NODES = 256,     /* a bound on the nodes of one expression */
  ROUNDS = 3,      /* iterations of a loop before it is widened, */
  LONG = 40,       /* and before everything is taken as unknown */
  MEMORY = 1 << 16 /* a bound on the bytes of an initial value that are read */
};

typedef struct pv_interval interval;
typedef PV_VEC(int64_t) numbers; /* sorted, each once */

/* A fact for all calls, threads or stores, and how often it grew. */
struct summary {
  interval value;
  unsigned grew;
};

struct function {
  bool reached, returns, waits;
  struct summary *params, *results;
  interval *at;             /* by location and variable */
  uint8_t *known;           /* by location: is it reachable? */
  numbers compared;         /* constants in branch conditions, and their neighbours */
  PV_VEC(uint32_t) callers; /* functions; duplicates are possible */
};

struct global {
  bool spoiled;   /* nothing is known about its content */
  uint32_t bytes; /* size of each store; 0: there was none */
  struct summary stored;
};

struct pv_intervals {
  const struct pv_program *p;
  const struct pv_points_to *pt;
  const struct pv_call_graph *calls;
  struct function *functions;
  struct global *globals;
  uint64_t *set; /* of objects */
  numbers compared;
  uint64_t steps;
  bool changed;
};

/* ---- expressions ----------------------------------------------------------------------------- */
static unsigned alignment(uint32_t bytes) {
  unsigned bits = bytes ? (unsigned)__builtin_ctz(bytes) : 0;
  return bits < 4 ? bits : 4;
}

static interval address_of(const struct pv_program *p, const struct pv_function *f,
                           const struct pv_expr_node *n) {
  interval r = pv_interval_any(n->type);
  if (n->op == PV_X_GLOBAL) r.zero_bits = alignment(p->globals.at[n->lo].align);
  if (n->op == PV_X_SLOT) r.zero_bits = alignment(f->slots.at[n->lo].align);
  return r;
}

/* The value of the expression for these values of the variables; any value if the expression is too
 * large. */
static interval value_of(const struct pv_program *p, const struct pv_function *f,
                         const interval *vars, pv_expr e, unsigned *left) {
  const struct pv_expr_node *n = pv_node(p, e);
  if (!*left) return pv_interval_any(n->type);
  --*left;
  switch (n->op) {
  case PV_X_CONST: return pv_interval_constant(n->type, n->lo);
  case PV_X_VAR: return vars[n->lo];
  case PV_X_GLOBAL:
  case PV_X_SLOT: return address_of(p, f, n);
  case PV_X_SELECT:
    return pv_interval_join(value_of(p, f, vars, n->b, left), value_of(p, f, vars, n->c, left));
  default: break;
  }
  if (!pv_expr_ops[n->op].arity || pv_expr_ops[n->op].arity > 2) return pv_interval_any(n->type);
  interval a = value_of(p, f, vars, n->a, left);
  interval b = n->b ? value_of(p, f, vars, n->b, left) : a;
  return pv_interval_compute(n, pv_node(p, n->a)->type, a, b);
}

static interval evaluate(const struct pv_program *p, const struct pv_function *f,
                         const interval *vars, pv_expr e) {
  unsigned left = NODES;
  return value_of(p, f, vars, e, &left);
}

/* ---- constants in comparisons ---------------------------------------------------------------- */
static int compare(const void *a, const void *b) {
  int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
  return x < y ? -1 : x > y;
}

static void sort(numbers *all) {
  uint32_t n = 0;
  if (all->n) qsort(all->at, all->n, sizeof *all->at, compare);
  for (uint32_t i = 0; i < all->n; i++)
    if (!n || all->at[i] != all->at[n - 1]) all->at[n++] = all->at[i];
  all->n = n;
}

static void find_compared(struct pv_intervals *x, uint32_t function) {
  const struct pv_function *f = &x->p->functions.at[function];
  numbers *all = &x->functions[function].compared;
  for (uint32_t i = 0; i < f->edges.n; i++) {
    if (f->edges.at[i].op != PV_OP_ASSUME) continue;
    const struct pv_expr_node *n = pv_node(x->p, f->edges.at[i].e[0]);
    const pv_expr sides[] = {n->a, n->b};
    for (int s = 0; s < 2 && pv_expr_ops[n->op].arity == 2; s++) {
      const struct pv_expr_node *c = pv_node(x->p, sides[s]);
      if (c->op != PV_X_CONST || pv_type_kind(c->type) != PV_T_INT) continue;
      int64_t value = pv_interval_constant(c->type, c->lo).lo;
      pv_vec_push(all, value);
      if (value > INT64_MIN) pv_vec_push(all, value - 1);
      if (value < INT64_MAX) pv_vec_push(all, value + 1);
    }
  }
  sort(all);
  for (uint32_t i = 0; i < all->n; i++) pv_vec_push(&x->compared, all->at[i]);
}

static int64_t next_below(const numbers *all, int64_t value, int64_t least) {
  int64_t found = least;
  for (uint32_t i = 0; i < all->n && all->at[i] <= value; i++)
    if (all->at[i] > found) found = all->at[i];
  return found;
}

static int64_t next_above(const numbers *all, int64_t value, int64_t most) {
  for (uint32_t i = 0; i < all->n; i++)
    if (all->at[i] >= value) return all->at[i] < most ? all->at[i] : most;
  return most;
}

/* Widening: `now` is larger than `was`, so it is extended to the next constant. */
static interval widen(const numbers *all, pv_type t, interval was, interval now, bool at_once) {
  static const numbers none = {0};
  interval any = pv_interval_any(t);
  if (at_once) all = &none;
  if (pv_interval_is_empty(was)) return now;
  if (now.lo < was.lo) now.lo = next_below(all, now.lo, any.lo);
  if (now.hi > was.hi) now.hi = next_above(all, now.hi, any.hi);
  return now;
}

/* ---- summaries ------------------------------------------------------------------------------- */
static bool grow(struct pv_intervals *x, struct summary *s, pv_type t, interval more) {
  interval now = pv_interval_join(s->value, more);
  if (pv_interval_equal(now, s->value)) return false;
  s->grew++;
  if (s->grew > ROUNDS) now = widen(&x->compared, t, s->value, now, s->grew > 4 * ROUNDS);
  s->value = now;
  return true;
}

static void look_again(struct pv_intervals *x, uint32_t function) {
  if (!x->functions[function].reached) return;
  x->functions[function].waits = x->changed = true;
}

static void look_at_callers(struct pv_intervals *x, uint32_t function) {
  const struct function *f = &x->functions[function];
  for (uint32_t i = 0; i < f->callers.n; i++) look_again(x, f->callers.at[i]);
}

static void look_at_all(struct pv_intervals *x) {
  for (uint32_t f = 0; f < x->p->functions.n; f++) look_again(x, f);
}

/* ---- memory ---------------------------------------------------------------------------------- */
/* The objects that the address may refer to. */
static void find_objects(struct pv_intervals *x, uint32_t function, pv_expr address) {
  uint32_t words = pv_points_to_words(x->pt);
  memset(x->set, 0, words * sizeof *x->set);
  pv_points_to_address(x->pt, function, address, x->set);
  x->steps += words;
}

#define FOR_OBJECTS(X, O)                                                                          \
  for (uint32_t w_ = 0; w_ < pv_points_to_words((X)->pt); w_++)                                    \
    for (uint64_t rest_ = (X)->set[w_], o_;                                                        \
         rest_ && (o_ = 64 * w_ + (uint64_t)__builtin_ctzll(rest_), (O) = (uint32_t)o_, true);     \
         rest_ &= rest_ - 1)

static void spoil(struct pv_intervals *x, uint32_t function, pv_expr address) {
  uint32_t o;
  find_objects(x, function, address);
  FOR_OBJECTS(x, o) {
    const struct pv_pt_object *is = pv_points_to_object(x->pt, o);
    if (is->kind != PV_PT_GLOBAL || x->globals[is->index].spoiled) continue;
    x->globals[is->index].spoiled = true;
    look_at_all(x);
  }
}

/* Are all accesses at the address aligned to the size of the type? */
static bool is_even(pv_type t, interval address) {
  unsigned bits = pv_type_bits(t);
  bool whole = bits == 8 || bits == 16 || bits == 32 || bits == 64;
  return whole && pv_type_kind(t) != PV_T_FLOAT && address.zero_bits >= alignment(bits / 8);
}

static void store_to(struct pv_intervals *x, uint32_t global, pv_type t, interval value) {
  struct global *g = &x->globals[global];
  uint32_t bytes = pv_type_bytes(t);
  if (g->spoiled) return;
  if (g->bytes && g->bytes != bytes) {
    g->spoiled = true;
    look_at_all(x);
    return;
  }
  g->bytes = bytes;
  if (grow(x, &g->stored, t, value)) look_at_all(x);
}

static void store(struct pv_intervals *x, uint32_t function, const struct pv_edge *e,
                  interval address, interval value) {
  uint32_t o;
  if (pv_interval_is_empty(value)) return;
  if (!is_even(e->type, address) || (e->op == PV_OP_STORE && e->e[2])) {
    spoil(x, function, e->e[0]);
    return;
  }
  find_objects(x, function, e->e[0]);
  FOR_OBJECTS(x, o) {
    const struct pv_pt_object *is = pv_points_to_object(x->pt, o);
    if (is->kind == PV_PT_GLOBAL) store_to(x, is->index, e->type, value);
  }
}

/* The interval of the initial numbers of that type. */
static interval initial(const struct pv_global *g, pv_type t) {
  uint32_t bytes = pv_type_bytes(t);
  if (g->relocs.n || (g->init && g->size > MEMORY)) return pv_interval_any(t);
  if (!g->init) return pv_interval_constant(t, 0);
  interval r = pv_interval_none();
  for (uint64_t i = 0; i + bytes <= g->size; i += bytes) {
    uint64_t value = 0;
    for (uint32_t b = bytes; b--;) value = value << 8 | g->init[i + b];
    r = pv_interval_join(r, pv_interval_constant(t, value));
  }
  return r;
}

static interval load(struct pv_intervals *x, uint32_t function, const struct pv_edge *e,
                     interval address) {
  interval r = pv_interval_none(), any = pv_interval_any(e->type);
  uint32_t o;
  if (!is_even(e->type, address) || e->e[1] || e->aux) return any;
  find_objects(x, function, e->e[0]);
  FOR_OBJECTS(x, o) {
    const struct pv_pt_object *is = pv_points_to_object(x->pt, o);
    if (is->kind != PV_PT_GLOBAL) return any;
    const struct global *g = &x->globals[is->index];
    if (g->spoiled || (g->bytes && g->bytes != pv_type_bytes(e->type))) return any;
    r = pv_interval_join(r, g->stored.value);
    r = pv_interval_join(r, initial(&x->p->globals.at[is->index], e->type));
    x->steps += x->p->globals.at[is->index].init ? x->p->globals.at[is->index].size / 8 : 0;
  }
  return pv_interval_is_empty(r) ? any : r; /* in no object: the access fails */
}

/* ---- calls ----------------------------------------------------------------------------------- */
static bool fits(const struct pv_intervals *x, uint32_t callee, const pv_expr *args, uint32_t n) {
  const struct pv_function *f = &x->p->functions.at[callee];
  if (n != f->n_params + f->variadic && n != f->n_params) return false;
  for (uint32_t i = 0; i < f->n_params; i++)
    if (pv_node(x->p, args[i])->type != f->vars.at[i].type) return false;
  return true;
}

static void enter(struct pv_intervals *x, const struct pv_function *f, const interval *vars,
                  uint32_t callee, const pv_expr *args, uint32_t n) {
  const struct pv_function *to = &x->p->functions.at[callee];
  struct function *is = &x->functions[callee];
  bool more = !is->reached, known = fits(x, callee, args, n);
  for (uint32_t i = 0; i < to->n_params; i++) {
    pv_type t = to->vars.at[i].type;
    interval value = known ? evaluate(x->p, f, vars, args[i]) : pv_interval_any(t);
    more |= grow(x, &is->params[i], t, value);
  }
  is->reached = true;
  if (more) look_again(x, callee);
}

/* Returns false if the call does not return. */
static bool call(struct pv_intervals *x, uint32_t function, uint32_t edge, const interval *before,
                 interval *vars) {
  const struct pv_function *f = &x->p->functions.at[function];
  const struct pv_edge *e = &f->edges.at[edge];
  const pv_expr *args = x->p->arg_pool.at + e->args.at;
  uint32_t n, n_results = e->dsts.n;
  const uint32_t *callees = pv_call_graph_callees(x->calls, function, edge, &n);
  bool returns = !n;
  for (uint32_t r = 0; r < n_results; r++) {
    uint32_t var = pv_arg(x->p, e->dsts, r);
    if (var != PV_NO_VAR)
      vars[var] = n ? pv_interval_none() : pv_interval_any(f->vars.at[var].type);
  }
  for (uint32_t i = 0; i < n; i++) {
    const struct pv_function *to = &x->p->functions.at[callees[i]];
    const struct function *is = &x->functions[callees[i]];
    enter(x, f, before, callees[i], args, e->args.n);
    returns |= is->returns;
    for (uint32_t r = 0; r < n_results; r++) {
      uint32_t var = pv_arg(x->p, e->dsts, r);
      if (var == PV_NO_VAR) continue;
      pv_type t = f->vars.at[var].type;
      bool same = r < to->n_results && to->result[r] == t;
      interval value = same ? is->results[r].value : pv_interval_any(t);
      vars[var] = pv_interval_join(vars[var], value);
    }
  }
  return returns;
}

static void leave(struct pv_intervals *x, uint32_t function, const struct pv_edge *e,
                  const interval *vars) {
  const struct pv_function *f = &x->p->functions.at[function];
  struct function *is = &x->functions[function];
  bool more = !is->returns;
  for (uint32_t r = 0; r < f->n_results; r++) {
    interval value = pv_interval_any(f->result[r]);
    if (r < e->args.n && pv_node(x->p, pv_arg(x->p, e->args, r))->type == f->result[r])
      value = evaluate(x->p, f, vars, pv_arg(x->p, e->args, r));
    more |= grow(x, &is->results[r], f->result[r], value);
  }
  is->returns = true;
  if (more) look_at_callers(x, function);
}

/* Handles what a primitive writes, and the thread that it creates. */
static void primitive(struct pv_intervals *x, uint32_t function, uint32_t edge,
                      const interval *vars) {
  const struct pv_function *f = &x->p->functions.at[function];
  const struct pv_edge *e = &f->edges.at[edge];
  const struct pv_prim *prim = x->p->prims.at[e->aux].prim;
  unsigned objects = prim->class != PV_PRIM_OBJECT ? 0 : prim->two_objects ? 2 : 1;
  if (prim->role == PV_ROLE_CREATES) objects = 1;
  for (uint32_t i = 0; i < objects && i < e->args.n; i++)
    spoil(x, function, pv_arg(x->p, e->args, i));
  if (prim->role == PV_ROLE_JOINS && e->args.n > 1) spoil(x, function, pv_arg(x->p, e->args, 1));
  if (prim->role != PV_ROLE_CREATES) return;
  uint32_t n;
  const uint32_t *mains = pv_call_graph_callees(x->calls, function, edge, &n);
  const pv_expr *args = x->p->arg_pool.at + e->args.at;
  for (uint32_t i = 0; i < n; i++) enter(x, f, vars, mains[i], args + 1, e->args.n > 2 ? 2 : 0);
}

/* ---- edges ----------------------------------------------------------------------------------- */
/* The variable, if the expression is one, or a widened one. */
static uint32_t variable_in(const struct pv_program *p, pv_expr e) {
  const struct pv_expr_node *n = pv_node(p, e);
  if (n->op == PV_X_SEXT || n->op == PV_X_ZEXT) n = pv_node(p, n->a);
  return n->op == PV_X_VAR && pv_type_kind(n->type) == PV_T_INT ? (uint32_t)n->lo : PV_NO_VAR;
}

/* The value of e is in an interval: narrows its variable if that has the same value. Returns false
 * if it is impossible. */
static bool narrow(const struct pv_program *p, const struct pv_function *f, interval *vars,
                   pv_expr e, interval value) {
  uint32_t var = variable_in(p, e);
  if (pv_interval_is_empty(value)) return false;
  if (var == PV_NO_VAR) return true;
  interval *is = &vars[var], any = pv_interval_any(f->vars.at[var].type);
  bool zero_extended = pv_node(p, e)->op == PV_X_ZEXT;
  if (zero_extended && is->lo < 0 && value.hi > any.hi) return true;
  if (value.lo > is->lo) is->lo = value.lo;
  if (value.hi < is->hi) is->hi = value.hi;
  return !pv_interval_is_empty(*is);
}

static bool assume(const struct pv_program *p, const struct pv_function *f, interval *vars,
                   pv_expr e) {
  const struct pv_expr_node *n = pv_node(p, e);
  if (n->op == PV_X_AND) return assume(p, f, vars, n->a) && assume(p, f, vars, n->b);
  if (n->op == PV_X_CONST) return n->lo & 1;
  if (pv_expr_ops[n->op].arity != 2 || pv_type_kind(pv_node(p, n->a)->type) != PV_T_INT)
    return true;
  interval a = evaluate(p, f, vars, n->a), b = evaluate(p, f, vars, n->b);
  pv_interval_assume(n->op, &a, &b);
  return narrow(p, f, vars, n->a, a) && narrow(p, f, vars, n->b, b);
}

static interval input(const struct pv_program *p, const struct pv_edge *e) {
  interval any = pv_interval_any(e->type);
  if (!e->e[0] || !e->e[1] || pv_type_kind(e->type) != PV_T_INT) return any;
  const struct pv_expr_node *lo = pv_node(p, e->e[0]), *hi = pv_node(p, e->e[1]);
  if (lo->op != PV_X_CONST || hi->op != PV_X_CONST) return any;
  interval a = pv_interval_constant(e->type, lo->lo), b = pv_interval_constant(e->type, hi->lo);
  if ((e->aux == PV_HAVOC_UNSIGNED && (a.lo < 0 || b.lo < 0)) || a.lo > b.lo) return any;
  return (interval){a.lo, b.lo, 0};
}

static void set(const struct pv_function *f, interval *vars, uint32_t var, pv_type t,
                interval value) {
  if (var == PV_NO_VAR) return;
  vars[var] = f->vars.at[var].type == t ? value : pv_interval_any(f->vars.at[var].type);
}

static void set_any(const struct pv_function *f, interval *vars, uint32_t var) {
  if (var != PV_NO_VAR) vars[var] = pv_interval_any(f->vars.at[var].type);
}

/* Changes `vars` from the state before the edge to that after it. Returns false if nothing follows
 * the edge. */
static bool pass(struct pv_intervals *x, uint32_t function, uint32_t edge, const interval *before,
                 interval *vars) {
  const struct pv_program *p = x->p;
  const struct pv_function *f = &p->functions.at[function];
  const struct pv_edge *e = &f->edges.at[edge];
  interval address = e->e[0] ? evaluate(p, f, before, e->e[0]) : pv_interval_none();
  switch ((enum pv_op)e->op) {
  case PV_OP_ASSUME: return e->aux || assume(p, f, vars, e->e[0]);
  case PV_OP_ASSIGN: set(f, vars, e->dst, pv_node(p, e->e[0])->type, address); return true;
  case PV_OP_HAVOC: set(f, vars, e->dst, e->type, input(p, e)); return true;
  case PV_OP_LOAD: set(f, vars, e->dst, e->type, load(x, function, e, address)); return true;
  case PV_OP_STORE: store(x, function, e, address, evaluate(p, f, before, e->e[1])); return true;
  case PV_OP_CMPXCHG:
    store(x, function, e, address, evaluate(p, f, before, e->e[2]));
    set_any(f, vars, e->dst2);
    set(f, vars, e->dst, e->type, load(x, function, e, address));
    return true;
  case PV_OP_RMW:
    store(x, function, e, address,
          e->aux == PV_RMW_XCHG ? evaluate(p, f, before, e->e[1]) : pv_interval_any(e->type));
    set(f, vars, e->dst, e->type, load(x, function, e, address));
    return true;
  case PV_OP_COPY:
  case PV_OP_FILL: spoil(x, function, e->e[0]); return true;
  case PV_OP_CALL: return call(x, function, edge, before, vars);
  case PV_OP_RETURN: leave(x, function, e, before); return false;
  case PV_OP_PRIM:
    primitive(x, function, edge, before);
    set_any(f, vars, e->dst);
    return true;
  case PV_OP_ALLOC:
    set_any(f, vars, e->dst);
    if (e->dst != PV_NO_VAR) vars[e->dst].zero_bits = alignment(e->align ? e->align : 16);
    return true;
  case PV_OP_LONGJMP:
  case PV_OP_STOP: return false;
  default: /* inputs of other kinds, and edges that set nothing */
    set_any(f, vars, e->dst);
    set_any(f, vars, e->dst2);
    return true;
  }
}

/* ---- functions ------------------------------------------------------------------------------- */
static interval *state_at(const struct pv_intervals *x, uint32_t function, pv_loc loc) {
  return x->functions[function].at + (size_t)loc * x->p->functions.at[function].vars.n;
}

/* Adds a state at the location. Returns true if it grew. */
static bool arrive(struct pv_intervals *x, uint32_t function, pv_loc loc, const interval *vars,
                   unsigned times) {
  const struct pv_function *f = &x->p->functions.at[function];
  struct function *is = &x->functions[function];
  interval *at = state_at(x, function, loc);
  bool widens = f->locs.at[loc].loop_head && times > ROUNDS, more = !is->known[loc];
  is->known[loc] = 1;
  for (uint32_t v = 0; v < f->vars.n; v++) {
    interval now = pv_interval_join(at[v], vars[v]);
    if (pv_interval_equal(now, at[v])) continue;
    if (widens) now = widen(&is->compared, f->vars.at[v].type, at[v], now, times > LONG);
    at[v] = now;
    more = true;
  }
  return more;
}

static void begin(struct pv_intervals *x, uint32_t function, interval *vars) {
  const struct pv_function *f = &x->p->functions.at[function];
  struct function *is = &x->functions[function];
  memset(is->known, 0, f->locs.n);
  for (size_t i = 0; i < (size_t)f->locs.n * f->vars.n; i++) is->at[i] = pv_interval_none();
  for (uint32_t v = 0; v < f->vars.n; v++)
    vars[v] = v < f->n_params ? is->params[v].value : pv_interval_any(f->vars.at[v].type);
  arrive(x, function, f->entry, vars, 0);
}

/* Analyses the function from its parameters, with the current summaries of the others. */
static void analyse(struct pv_intervals *x, uint32_t function) {
  const struct pv_function *f = &x->p->functions.at[function];
  interval *vars = pv_alloc((f->vars.n + 1) * sizeof *vars);
  unsigned *times = pv_alloc((f->locs.n + 1) * sizeof *times);
  uint8_t *waits = pv_alloc(f->locs.n + 1);
  pv_loc next = f->entry;
  begin(x, function, vars);
  waits[next] = 1;
  while (next < f->locs.n && x->steps < STEPS) { /* lowest location first */
    const struct pv_location *l = &f->locs.at[next];
    const interval *before = state_at(x, function, next);
    pv_loc earliest = f->locs.n;
    waits[next] = 0;
    for (uint32_t i = l->first_out; i < l->first_out + l->n_out; i++) {
      pv_loc to = f->edges.at[i].to;
      x->steps += f->vars.n + 1;
      if (f->vars.n) memcpy(vars, before, f->vars.n * sizeof *vars);
      if (!pass(x, function, i, before, vars)) continue;
      if (arrive(x, function, to, vars, times[to]++)) waits[to] = 1;
      if (waits[to] && to < earliest) earliest = to;
    }
    if (earliest > next)
      for (earliest = next; earliest < f->locs.n && !waits[earliest];) earliest++;
    next = earliest;
  }
  free(vars);
  free(times);
  free(waits);
}

/* ---- the program ----------------------------------------------------------------------------- */
static struct summary *no_summaries(uint32_t n) {
  struct summary *s = pv_alloc((n + 1) * sizeof *s);
  for (uint32_t i = 0; i < n; i++) s[i].value = pv_interval_none();
  return s;
}

static bool set_up_functions(struct pv_intervals *x) {
  uint64_t cells = 0;
  for (uint32_t i = 0; i < x->p->functions.n; i++) {
    const struct pv_function *f = &x->p->functions.at[i];
    if (pv_call_graph_runs(x->calls, i)) cells += (uint64_t)f->locs.n * f->vars.n;
  }
  for (uint32_t i = 0; i < x->p->functions.n && cells <= CELLS; i++) {
    const struct pv_function *f = &x->p->functions.at[i];
    struct function *is = &x->functions[i];
    is->params = no_summaries(f->n_params);
    is->results = no_summaries(f->n_results);
    if (!pv_call_graph_runs(x->calls, i)) continue;
    is->at = pv_alloc(((size_t)f->locs.n * f->vars.n + 1) * sizeof *is->at);
    is->known = pv_alloc(f->locs.n + 1);
    find_compared(x, i);
  }
  sort(&x->compared);
  return cells <= CELLS;
}

static void find_callers(struct pv_intervals *x) {
  for (uint32_t i = 0; i < x->p->functions.n; i++)
    for (uint32_t k = 0; k < x->p->functions.at[i].edges.n; k++) {
      uint32_t n = 0;
      if (x->p->functions.at[i].edges.at[k].op != PV_OP_CALL) continue;
      const uint32_t *callees = pv_call_graph_callees(x->calls, i, k, &n);
      for (uint32_t c = 0; c < n; c++) pv_vec_push(&x->functions[callees[c]].callers, i);
    }
}

static void set_up_globals(struct pv_intervals *x) {
  for (uint32_t i = 0; i < x->p->globals.n; i++) {
    const struct pv_global *g = &x->p->globals.at[i];
    x->globals[i].spoiled = g->is_external || g->is_thread_local;
    x->globals[i].stored.value = pv_interval_none();
  }
  for (uint32_t i = 0; i < x->p->observers.n; i++) x->globals[x->p->observers.at[i]].spoiled = true;
}

/* The function is not called in the program, so it starts with arbitrary arguments. */
static void begin_at(struct pv_intervals *x, uint32_t function) {
  const struct pv_function *f = &x->p->functions.at[function];
  struct function *is = &x->functions[function];
  for (uint32_t i = 0; i < f->n_params; i++)
    is->params[i].value = pv_interval_any(f->vars.at[i].type);
  is->reached = true;
  look_again(x, function);
}

static bool solve(struct pv_intervals *x) {
  begin_at(x, x->p->start);
  for (uint32_t i = 0; i < x->p->invariants.n; i++) begin_at(x, x->p->invariants.at[i]);
  while (x->changed && x->steps < STEPS) {
    x->changed = false;
    for (uint32_t f = 0; f < x->p->functions.n; f++) {
      struct function *is = &x->functions[f];
      if (!is->waits) continue;
      is->waits = false;
      if (!is->at) return false; /* unreachable in the call graph */
      analyse(x, f);
    }
  }
  return x->steps < STEPS;
}

struct pv_intervals *pv_intervals_new(const struct pv_program *p, const struct pv_points_to *pt,
                                      const struct pv_call_graph *calls) {
  struct pv_intervals *x = pv_alloc(sizeof *x);
  x->p = p;
  x->pt = pt;
  x->calls = calls;
  x->functions = pv_alloc((p->functions.n + 1) * sizeof *x->functions);
  x->globals = pv_alloc((p->globals.n + 1) * sizeof *x->globals);
  x->set = pv_alloc((pv_points_to_words(pt) + 1) * sizeof *x->set);
  bool complete = pv_points_to_complete(pt) && set_up_functions(x);
  if (complete) {
    find_callers(x);
    set_up_globals(x);
    complete = solve(x);
  }
  free(x->set);
  x->set = NULL;
  if (complete) return x;
  pv_intervals_free(x);
  return NULL;
}

void pv_intervals_free(struct pv_intervals *x) {
  if (!x) return;
  for (uint32_t i = 0; i < x->p->functions.n; i++) {
    struct function *f = &x->functions[i];
    free(f->params);
    free(f->results);
    free(f->at);
    free(f->known);
    pv_vec_free(&f->compared);
    pv_vec_free(&f->callers);
  }
  pv_vec_free(&x->compared);
  free(x->functions);
  free(x->globals);
  free(x->set);
  free(x);
}

/* ---- queries --------------------------------------------------------------------------------- */
bool pv_intervals_reach(const struct pv_intervals *x, uint32_t function, pv_loc loc) {
  const struct function *f = &x->functions[function];
  return f->reached && f->known && f->known[loc];
}

struct pv_interval pv_intervals_of(const struct pv_intervals *x, uint32_t function, pv_loc loc,
                                   pv_expr e) {
  if (!pv_intervals_reach(x, function, loc)) return pv_interval_none();
  return evaluate(x->p, &x->p->functions.at[function], state_at(x, function, loc), e);
}

bool pv_intervals_inside(const struct pv_intervals *x, uint32_t function, pv_loc loc,
                         pv_expr address, uint64_t bytes) {
  const struct pv_function *f = &x->p->functions.at[function];
  const struct pv_expr_node *n = pv_node(x->p, address);
  int64_t lo = 0, hi = 0;
  if (!pv_intervals_reach(x, function, loc)) return true;
  for (; n->op == PV_X_PTRADD; n = pv_node(x->p, n->a)) {
    interval by = pv_intervals_of(x, function, loc, n->b);
    if (pv_interval_is_empty(by)) return true;
    if (__builtin_add_overflow(lo, by.lo, &lo) || __builtin_add_overflow(hi, by.hi, &hi))
      return false;
  }
  bool global = n->op == PV_X_GLOBAL && !x->p->globals.at[n->lo].is_external;
  bool slot = n->op == PV_X_SLOT && !f->slots.at[n->lo].scoped;
  if (!global && !slot) return false;
  uint64_t size = global ? x->p->globals.at[n->lo].size : f->slots.at[n->lo].size;
  return lo >= 0 && bytes <= size && (uint64_t)hi <= size - bytes;
}
