#include "cpa/ranking.h"

#include "analysis/graph.h"
#include "analysis/intervals.h"
#include "analysis/slice.h"
#include "sched/sched.h"
#include "smt/encode.h"

#include <stdlib.h>
#include <string.h>

enum { STEPS = 1000000, MS = 1000, SECONDS = 20, SHARE = 3, MOST_PAIRED = 6, MOST_EDGES = 4000 };

/* ---- data ------------------------------------------------------------------------------------ */
struct cell { /* an object that is a variable: a global, or a slot of the function */
  bool is_global;
  uint32_t index;
  pv_type type;
};

struct candidate {
  pv_term before, after; /* a signed number of both rounds, wide enough */
  char *name;            /* owned */
};
typedef PV_VEC(struct candidate) candidates;

struct loop {
  pv_loc head;
  uint8_t *body; /* by location */
  uint32_t size;
  uint8_t *sets;  /* by variable and cell: does a round set it? */
  uint8_t *falls; /* by variable and cell: bits FALLS_*: what never grows in a round */
};
enum { SIGNED_FALLS = 1, SIGNED_GROWS = 2, UNSIGNED_FALLS = 4, UNSIGNED_GROWS = 8 };

struct state {
  pv_term guard;  /* NULL: not reached */
  pv_term *value; /* by variable and cell */
};

struct prover {
  const struct pv_task *task;
  const struct pv_program *p;
  struct pv_points_to *pt;
  struct pv_call_graph *calls;
  struct pv_intervals *intervals;
  struct pv_ranking *out;
  struct pv_map var_expr;    /* (type, variable) -> expression */
  bool *writes, *comes_back; /* by function: may a call of it store to memory, lead to own code? */

  const struct pv_function *f; /* the current one */
  uint32_t function, n;        /* n: variables and cells */
  PV_VEC(struct cell) cells;
  PV_VEC(struct loop) loops; /* inner ones first */
  uint32_t *rank;            /* by location: its place in a topological order without back edges */
  pv_loc *order;
  uint32_t n_order;
  uint32_t *times; /* of the dominator tree */

  struct pv_smt *smt;
  struct pv_encoder encoder;
  const struct state *now; /* for the encoder */
  pv_terms facts;          /* hold always */
  pv_term *head;           /* by variable and cell: the value at the beginning of a round */
  candidates list;
};

static void give_up(struct prover *r, uint32_t span, const char *what) {
  if (r->out->why) return;
  const struct pv_span *at = pv_span_of(r->p, span);
  r->out->why =
      at->line ? pv_format("%s:%u: %s", pv_span_file(r->p, span), at->line, what) : pv_strdup(what);
}

static pv_type type_of(const struct prover *r, uint32_t v) {
  return v < r->f->vars.n ? r->f->vars.at[v].type : r->cells.at[v - r->f->vars.n].type;
}

static const char *name_of(const struct prover *r, uint32_t v) {
  if (v < r->f->vars.n) return r->f->vars.at[v].name;
  const struct cell *c = &r->cells.at[v - r->f->vars.n];
  return c->is_global ? r->p->globals.at[c->index].name : r->f->slots.at[c->index].name;
}

/* Values that have terms: integers of at most 64 bits and pointers. */
static bool is_plain_type(pv_type t) {
  return (pv_type_kind(t) == PV_T_INT && pv_type_bits(t) <= 64) || pv_type_kind(t) == PV_T_PTR;
}

static bool is_plain(const struct prover *r, pv_expr e) {
  const struct pv_expr_node *n = pv_node(r->p, e);
  if (!is_plain_type(n->type) || n->op == PV_X_MATH) return false;
  if (pv_expr_ops[n->op].arity == 0) return true;
  return is_plain(r, n->a) && (!n->b || is_plain(r, n->b)) && (!n->c || is_plain(r, n->c));
}

/* ---- the program as a whole ------------------------------------------------------------------ */
static bool reached(const struct prover *r, uint32_t function, pv_loc l) {
  return !r->intervals || pv_intervals_reach(r->intervals, function, l);
}

/* May an execution stay at the edge, or do something that is not modelled? */
static const char *obstacle(const struct prover *r, uint32_t function, uint32_t edge) {
  const struct pv_edge *e = &r->p->functions.at[function].edges.at[edge];
  uint32_t n;
  switch (e->op) {
  case PV_OP_PRIM: return r->p->prims.at[e->aux].prim->may_block ? "an operation may wait" : NULL;
  case PV_OP_STOP: return e->text ? "something is not modelled" : NULL;
  case PV_OP_SETJMP:
  case PV_OP_LONGJMP: return "the program jumps";
  case PV_OP_CALL:
    if (e->callee != PV_NO_FUNC && !r->p->functions.at[e->callee].defined)
      return "a function is not defined";
    pv_call_graph_callees(r->calls, function, edge, &n);
    return n || e->callee != PV_NO_FUNC ? NULL : "a call leads nowhere";
  default: return NULL;
  }
}

static bool stores(const struct pv_edge *e) {
  return e->op == PV_OP_STORE || e->op == PV_OP_COPY || e->op == PV_OP_FILL || e->op == PV_OP_RMW ||
         e->op == PV_OP_CMPXCHG || e->op == PV_OP_PRIM;
}

/* What calls may lead to. */
static void look_at_functions(struct prover *r) {
  r->writes = pv_alloc((r->p->functions.n + 1) * sizeof *r->writes);
  r->comes_back = pv_alloc((r->p->functions.n + 1) * sizeof *r->comes_back);
  for (bool again = true; again;) {
    again = false;
    for (uint32_t f = 0; f < r->p->functions.n; f++) {
      bool writes = r->writes[f], back = r->comes_back[f];
      for (uint32_t i = 0; i < r->p->functions.at[f].edges.n; i++) {
        uint32_t n;
        const uint32_t *callees = pv_call_graph_callees(r->calls, f, i, &n);
        writes |= stores(&r->p->functions.at[f].edges.at[i]);
        for (uint32_t k = 0; k < n; k++) {
          writes |= r->writes[callees[k]];
          back |= r->comes_back[callees[k]] || !r->p->functions.at[callees[k]].is_model;
        }
      }
      again |= writes != r->writes[f] || back != r->comes_back[f];
      r->writes[f] = writes;
      r->comes_back[f] = back;
    }
  }
}

/* Loops of models end, unless they call code of the program: handlers may add handlers. */
static bool may_go_on(const struct prover *r, uint32_t function) {
  const struct pv_function *f = &r->p->functions.at[function];
  bool any = false;
  for (pv_loc l = 0; l < f->locs.n && f->is_model && r->comes_back[function]; l++)
    any |= f->locs.at[l].loop_head && reached(r, function, l);
  return any;
}

static bool look_at_program(struct prover *r) {
  if (pv_call_graph_has_threads(r->calls)) give_up(r, 0, "the program has threads");
  if (r->p->has_jumps || !pv_points_to_complete(r->pt)) give_up(r, 0, "the program is too complex");
  for (uint32_t f = 0; f < r->p->functions.n && !r->out->why; f++) {
    const struct pv_function *x = &r->p->functions.at[f];
    if (!pv_call_graph_runs(r->calls, f)) continue;
    if (pv_call_graph_recurs(r->calls, f)) give_up(r, x->span, "a function is recursive");
    if (may_go_on(r, f)) give_up(r, x->span, "a loop of the library calls the program");
    for (uint32_t i = 0; i < x->edges.n && !r->out->why; i++) {
      const char *what = reached(r, f, x->edges.at[i].from) ? obstacle(r, f, i) : NULL;
      if (what) give_up(r, x->edges.at[i].span, what);
    }
  }
  return !r->out->why;
}

static void index_variables(struct prover *r) {
  for (pv_expr e = 1; e < r->p->exprs.n; e++) {
    const struct pv_expr_node *n = pv_node(r->p, e);
    uint64_t key[2] = {n->type, n->lo};
    if (n->op == PV_X_VAR) pv_map_put(&r->var_expr, key, sizeof key, e, NULL);
  }
}

/* ---- objects that are variables -------------------------------------------------------------- */
static const struct pv_expr_node *object_of(const struct prover *r, pv_expr address) {
  const struct pv_expr_node *n = pv_node(r->p, address);
  return address && (n->op == PV_X_GLOBAL || n->op == PV_X_SLOT) ? n : NULL;
}

struct use {
  pv_type type; /* 0: none yet */
  bool other;   /* it is used in another way */
};

static void use_other(const struct prover *r, pv_expr e, struct use *globals, struct use *slots) {
  const struct pv_expr_node *n = pv_node(r->p, e);
  if (!e) return;
  if (n->op == PV_X_GLOBAL) globals[n->lo].other = true;
  if (n->op == PV_X_SLOT && slots) slots[n->lo].other = true;
  if (pv_expr_ops[n->op].arity == 0) return;
  use_other(r, n->a, globals, slots);
  use_other(r, n->b, globals, slots);
  use_other(r, n->c, globals, slots);
}

static void use_edge(const struct prover *r, const struct pv_edge *e, struct use *globals,
                     struct use *slots) {
  bool access = e->op == PV_OP_LOAD || e->op == PV_OP_STORE;
  const struct pv_expr_node *n = access ? object_of(r, e->e[0]) : NULL;
  if (n && n->op == PV_X_SLOT && !slots) n = NULL;
  if (n) {
    struct use *u = n->op == PV_X_GLOBAL ? &globals[n->lo] : &slots[n->lo];
    uint64_t size =
        n->op == PV_X_GLOBAL ? r->p->globals.at[n->lo].size : r->f->slots.at[n->lo].size;
    u->other |= (u->type && u->type != e->type) || pv_type_bytes(e->type) > size ||
                !is_plain_type(e->type) || pv_type_bits(e->type) % 8;
    u->type = e->type;
  }
  for (int i = n != NULL; i < 3; i++) use_other(r, e->e[i], globals, slots);
  for (uint32_t i = 0; i < e->args.n; i++) use_other(r, pv_arg(r->p, e->args, i), globals, slots);
}

static void find_cells(struct prover *r) {
  const struct pv_program *p = r->p;
  struct use *globals = pv_alloc((p->globals.n + 1) * sizeof *globals);
  struct use *slots = pv_alloc((r->f->slots.n + 1) * sizeof *slots);
  for (uint32_t f = 0; f < p->functions.n; f++)
    for (uint32_t i = 0; i < p->functions.at[f].edges.n; i++)
      use_edge(r, &p->functions.at[f].edges.at[i], globals, f == r->function ? slots : NULL);
  for (uint32_t g = 0; g < p->globals.n; g++)
    for (uint32_t i = 0; i < p->globals.at[g].relocs.n; i++)
      use_other(r, p->globals.at[g].relocs.at[i].value, globals, NULL);
  r->cells.n = 0;
  for (uint32_t g = 0; g < p->globals.n; g++)
    if (globals[g].type && !globals[g].other)
      pv_vec_push(&r->cells, ((struct cell){true, g, globals[g].type}));
  for (uint32_t s = 0; s < r->f->slots.n; s++)
    if (slots[s].type && !slots[s].other)
      pv_vec_push(&r->cells, ((struct cell){false, s, slots[s].type}));
  r->n = r->f->vars.n + r->cells.n;
  free(globals);
  free(slots);
}

static uint32_t cell_at(const struct prover *r, pv_expr address) {
  const struct pv_expr_node *n = object_of(r, address);
  for (uint32_t i = 0; n && i < r->cells.n; i++)
    if (r->cells.at[i].is_global == (n->op == PV_X_GLOBAL) && r->cells.at[i].index == n->lo)
      return r->f->vars.n + i;
  return PV_NO_VAR;
}

/* ---- loops ----------------------------------------------------------------------------------- */
static bool is_back(const struct prover *r, const struct pv_edge *e) {
  return e->op != PV_OP_STOP && pv_dominates(r->times, e->to, e->from);
}

/* Orders the locations without back edges. Returns false if a cycle is left: a loop with several
 * entries. */
static bool sort_locations(struct prover *r) {
  const struct pv_function *f = r->f;
  uint32_t *in = pv_alloc((f->locs.n + 1) * sizeof *in);
  r->order = pv_alloc((f->locs.n + 1) * sizeof *r->order);
  r->rank = pv_alloc((f->locs.n + 1) * sizeof *r->rank);
  r->n_order = 0;
  for (uint32_t i = 0; i < f->edges.n; i++)
    if (f->edges.at[i].op != PV_OP_STOP && !is_back(r, &f->edges.at[i])) in[f->edges.at[i].to]++;
  for (pv_loc l = 0; l < f->locs.n; l++)
    if (!in[l]) r->order[r->n_order++] = l;
  for (uint32_t at = 0; at < r->n_order; at++) {
    pv_loc l = r->order[at];
    r->rank[l] = at;
    for (uint32_t i = f->locs.at[l].first_out; i < f->locs.at[l].first_out + f->locs.at[l].n_out;
         i++) {
      const struct pv_edge *e = &f->edges.at[i];
      if (e->op != PV_OP_STOP && !is_back(r, e) && !--in[e->to]) r->order[r->n_order++] = e->to;
    }
  }
  free(in);
  return r->n_order == f->locs.n;
}

static void note_sets(const struct prover *r, struct loop *l, const struct pv_edge *e) {
  if (e->dst != PV_NO_VAR) l->sets[e->dst] = 1;
  if (e->dst2 != PV_NO_VAR) l->sets[e->dst2] = 1;
  for (uint32_t i = 0; i < e->dsts.n; i++)
    if (pv_arg(r->p, e->dsts, i) != PV_NO_VAR) l->sets[pv_arg(r->p, e->dsts, i)] = 1;
  uint32_t cell = e->op == PV_OP_STORE ? cell_at(r, e->e[0]) : PV_NO_VAR;
  if (cell != PV_NO_VAR) l->sets[cell] = 1;
  for (uint32_t i = 0; i < r->cells.n; i++) {
    const struct cell *c = &r->cells.at[i];
    bool ends = (e->op == PV_OP_LIVE || e->op == PV_OP_DEAD) && !c->is_global && c->index == e->aux;
    if (ends || (e->op == PV_OP_CALL && c->is_global)) l->sets[r->f->vars.n + i] = 1;
  }
}

static void add_loop(struct prover *r, pv_loc head) {
  const struct pv_function *f = r->f;
  struct loop l = {.head = head, .body = pv_alloc(f->locs.n + 1)};
  PV_VEC(pv_loc) todo = {0};
  l.sets = pv_alloc(r->n + 1);
  l.falls = pv_alloc(r->n + 1);
  l.body[head] = 1;
  for (uint32_t i = 0; i < f->edges.n; i++)
    if (f->edges.at[i].to == head && is_back(r, &f->edges.at[i]) && !l.body[f->edges.at[i].from]) {
      l.body[f->edges.at[i].from] = 1;
      pv_vec_push(&todo, f->edges.at[i].from);
    }
  while (todo.n) {
    pv_loc at = pv_vec_pop(&todo);
    for (uint32_t i = 0; i < f->edges.n; i++) {
      const struct pv_edge *e = &f->edges.at[i];
      if (e->to != at || e->op == PV_OP_STOP || l.body[e->from]) continue;
      l.body[e->from] = 1;
      pv_vec_push(&todo, e->from);
    }
  }
  for (pv_loc at = 0; at < f->locs.n; at++) l.size += l.body[at];
  for (uint32_t i = 0; i < f->edges.n; i++)
    if (l.body[f->edges.at[i].from]) note_sets(r, &l, &f->edges.at[i]);
  pv_vec_free(&todo);
  uint32_t at = r->loops.n; /* smaller loops first */
  pv_vec_push(&r->loops, l);
  for (; at > 0 && r->loops.at[at - 1].size > l.size; at--) r->loops.at[at] = r->loops.at[at - 1];
  r->loops.at[at] = l;
}

static bool find_loops(struct prover *r) {
  const struct pv_function *f = r->f;
  pv_arcs arcs = {0};
  for (uint32_t i = 0; i < f->edges.n; i++)
    if (f->edges.at[i].op != PV_OP_STOP)
      pv_vec_push(&arcs, ((struct pv_arc){f->edges.at[i].from, f->edges.at[i].to}));
  struct pv_graph flow = pv_graph_new(f->locs.n, &arcs), back = pv_graph_reverse(&flow);
  uint32_t *idom = pv_dominators(&flow, &back, f->entry);
  r->times = pv_dominator_times(idom, f->locs.n);
  bool fine = sort_locations(r);
  for (pv_loc l = 0; l < f->locs.n && fine; l++)
    for (uint32_t i = 0; i < f->edges.n; i++)
      if (f->edges.at[i].to == l && is_back(r, &f->edges.at[i])) {
        add_loop(r, l);
        break;
      }
  free(idom);
  pv_graph_free(&flow);
  pv_graph_free(&back);
  pv_vec_free(&arcs);
  return fine;
}

/* ---- values ---------------------------------------------------------------------------------- */
static pv_term leaf(void *user, const struct pv_expr_node *n) {
  struct prover *r = user;
  struct pv_sort sort = pv_encode_sort(&r->encoder, n->type);
  if (n->op == PV_X_VAR && r->now->value[n->lo]) return r->now->value[n->lo];
  if (n->op == PV_X_VAR) return pv_smt_fresh(r->smt, "any", sort);
  char *name =
      pv_format("&%u.%llu.%llu", n->op, (unsigned long long)n->lo, (unsigned long long)n->hi);
  pv_term t = pv_smt_const(r->smt, name, sort);
  free(name);
  return t;
}

static pv_term fresh(struct prover *r, pv_type t) {
  return is_plain_type(t) ? pv_smt_fresh(r->smt, "any", pv_encode_sort(&r->encoder, t)) : NULL;
}

static void take_side(struct prover *r) {
  for (uint32_t i = 0; i < r->encoder.side.n; i++) pv_vec_push(&r->facts, r->encoder.side.at[i]);
  r->encoder.side.n = 0;
  r->encoder.events.n = 0;
}

static pv_term both_of(struct prover *r, pv_term a, pv_term b) {
  return pv_smt_mk2(r->smt, PV_SMT_AND, a, b);
}

static void assume(struct prover *r, pv_term t) {
  pv_vec_push(&r->facts, t);
}

/* What a solver finds out late: a rest is smaller than the divisor. */
static void assume_rests(struct prover *r, pv_expr e) {
  const struct pv_expr_node *n = pv_node(r->p, e);
  if (!e || pv_expr_ops[n->op].arity == 0) return;
  assume_rests(r, n->a);
  assume_rests(r, n->b);
  assume_rests(r, n->c);
  if (n->op != PV_X_UREM && n->op != PV_X_SREM) return;
  bool is_signed = n->op == PV_X_SREM;
  enum pv_smt_op less = is_signed ? PV_SMT_BVSLT : PV_SMT_BVULT;
  pv_term rest = pv_encode(&r->encoder, e, false), by = pv_encode(&r->encoder, n->b, false);
  pv_term zero = pv_smt_number(r->smt, pv_encode_sort(&r->encoder, n->type), 0, 0);
  pv_term when = pv_smt_mk2(r->smt, less, zero, by);
  assume(r, pv_smt_mk2(r->smt, PV_SMT_IMPLIES, when, pv_smt_mk2(r->smt, less, rest, by)));
  if (!is_signed) return;
  pv_term of = pv_encode(&r->encoder, n->a, false);
  when = both_of(r, when, pv_smt_mk2(r->smt, PV_SMT_BVSLE, zero, of));
  assume(r, pv_smt_mk2(r->smt, PV_SMT_IMPLIES, when, pv_smt_mk2(r->smt, PV_SMT_BVSLE, zero, rest)));
}

static pv_term value_of(struct prover *r, const struct state *s, pv_expr e) {
  if (!is_plain(r, e)) return fresh(r, pv_node(r->p, e)->type);
  r->now = s;
  pv_encoder_forget(&r->encoder);
  pv_term t = pv_encode(&r->encoder, e, false);
  assume_rests(r, e);
  take_side(r);
  return t;
}

static pv_term condition_of(struct prover *r, const struct state *s, pv_expr e) {
  if (!is_plain(r, e)) return pv_smt_fresh(r->smt, "any", (struct pv_sort){.kind = PV_SORT_BOOL});
  r->now = s;
  pv_encoder_forget(&r->encoder);
  pv_term t = pv_encode_condition(&r->encoder, e);
  assume_rests(r, e);
  take_side(r);
  return t;
}

/* a <= b, as numbers. */
static pv_term at_most(struct prover *r, bool is_signed, pv_term a, pv_term b) {
  return pv_smt_mk2(r->smt, is_signed ? PV_SMT_BVSLE : PV_SMT_BVULE, a, b);
}

/* The value lies in its interval at the location, which is reached if `guard` holds. */
static void assume_interval(struct prover *r, pv_loc l, uint32_t v, pv_term guard, pv_term value) {
  pv_type t = type_of(r, v);
  uint64_t key[2] = {t, v};
  unsigned bits = pv_type_bits(t);
  if (!r->intervals || !value || v >= r->f->vars.n || pv_type_kind(t) != PV_T_INT || bits < 2)
    return;
  const uint32_t *e = pv_map_get(&r->var_expr, key, sizeof key);
  if (!e) return;
  struct pv_interval x = pv_intervals_of(r->intervals, r->function, l, *e);
  uint64_t mask = bits == 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;
  struct pv_sort sort = pv_smt_sort(r->smt, value);
  if (pv_interval_is_empty(x)) return;
  pv_term lo = pv_smt_number(r->smt, sort, (uint64_t)x.lo & mask, 0);
  pv_term hi = pv_smt_number(r->smt, sort, (uint64_t)x.hi & mask, 0);
  pv_term within = both_of(r, at_most(r, true, lo, value), at_most(r, true, value, hi));
  assume(r, pv_smt_mk2(r->smt, PV_SMT_IMPLIES, guard, within));
}

/* ---- candidates ------------------------------------------------------------------------------ */
static bool is_number(const struct prover *r, uint32_t v) {
  pv_type t = type_of(r, v);
  return pv_type_kind(t) == PV_T_INT && pv_type_bits(t) >= 2 && pv_type_bits(t) <= 64;
}

static pv_term widen(struct prover *r, pv_term t, bool is_signed, unsigned bits) {
  return pv_smt_extend(r->smt, is_signed, bits, t);
}

static pv_term negative(struct prover *r, pv_term t) {
  return pv_smt_mk1(r->smt, PV_SMT_BVNEG, t);
}

/* The term in the next round. */
static pv_term next_of(struct prover *r, const struct state *end, pv_term t) {
  pv_terms from = {0}, to = {0};
  for (uint32_t v = 0; v < r->n; v++)
    if (r->head[v] && end->value[v] != r->head[v]) {
      pv_vec_push(&from, r->head[v]);
      pv_vec_push(&to, end->value[v]);
    }
  pv_term next = pv_smt_substitute(r->smt, t, from.n, from.at, to.at);
  pv_vec_free(&from);
  pv_vec_free(&to);
  return next;
}

/* Adds the term and its negation. */
static void add_candidate(struct prover *r, const struct state *end, pv_term t, const char *name) {
  for (uint32_t i = 0; i < r->list.n; i++)
    if (r->list.at[i].before == t) return;
  pv_term next = next_of(r, end, t);
  if (next == t) return;
  struct candidate c = {t, next, pv_strdup(name)};
  struct candidate n = {negative(r, t), negative(r, next), pv_format("-(%s)", name)};
  pv_vec_push(&r->list, c);
  pv_vec_push(&r->list, n);
}

static void add_named(struct prover *r, const struct state *end, pv_term t, const char *a,
                      const char *op, const char *b) {
  char *name = pv_format("%s%s%s", a, op, b);
  add_candidate(r, end, t, name);
  free(name);
}

static unsigned width_of(struct prover *r, pv_term t) {
  return pv_smt_sort(r->smt, t).bits;
}

static void add_variables(struct prover *r, const struct loop *l, const struct state *end) {
  PV_VEC(uint32_t) changed = {0};
  for (uint32_t v = 0; v < r->n; v++)
    if (l->sets[v] && is_number(r, v) && r->head[v] && end->value[v]) pv_vec_push(&changed, v);
  for (uint32_t i = 0; i < changed.n; i++)
    for (int is_signed = 1; is_signed >= 0; is_signed--) {
      pv_term t = r->head[changed.at[i]];
      add_named(r, end, widen(r, t, is_signed, width_of(r, t) + 2), is_signed ? "" : "(unsigned)",
                "", name_of(r, changed.at[i]));
    }
  for (uint32_t i = 0; i < changed.n && changed.n <= MOST_PAIRED; i++)
    for (uint32_t k = 0; k < i; k++) {
      pv_term a = r->head[changed.at[i]], b = r->head[changed.at[k]];
      unsigned bits = (width_of(r, a) > width_of(r, b) ? width_of(r, a) : width_of(r, b)) + 2;
      pv_term x = widen(r, a, true, bits), y = widen(r, b, true, bits);
      const char *n = name_of(r, changed.at[i]), *m = name_of(r, changed.at[k]);
      add_named(r, end, pv_smt_mk2(r->smt, PV_SMT_BVADD, x, y), n, " + ", m);
      add_named(r, end, pv_smt_mk2(r->smt, PV_SMT_BVSUB, x, y), n, " - ", m);
    }
  pv_vec_free(&changed);
}

/* Does the term depend on nothing but values at the beginning of the round? */
static bool is_of_head(struct prover *r, pv_term t) {
  pv_terms all = {0};
  bool fine = true;
  pv_smt_constants(r->smt, t, &all);
  for (uint32_t i = 0; i < all.n && fine; i++) {
    fine = false;
    for (uint32_t v = 0; v < r->n && !fine; v++) fine = r->head[v] == all.at[i];
  }
  pv_vec_free(&all);
  return fine;
}

struct comparison {
  pv_term a, b;
  char *name_a, *name_b; /* owned */
};
typedef PV_VEC(struct comparison) comparisons;

static void note_comparison(struct prover *r, const struct state *s, pv_expr e, comparisons *out) {
  const struct pv_expr_node *n = pv_node(r->p, e);
  bool compares = n->op >= PV_X_EQ && n->op <= PV_X_SLE;
  if (!compares) {
    for (unsigned i = 0; i < pv_expr_ops[n->op].arity && pv_type_bits(n->type) == 1; i++)
      note_comparison(r, s, i == 0 ? n->a : i == 1 ? n->b : n->c, out);
    return;
  }
  pv_type t = pv_node(r->p, n->a)->type;
  if (pv_type_kind(t) != PV_T_INT || pv_type_bits(t) < 2 || !is_plain(r, e)) return;
  struct comparison c = {value_of(r, s, n->a), value_of(r, s, n->b), NULL, NULL};
  struct pv_str text = {0};
  if (!is_of_head(r, c.a) || !is_of_head(r, c.b)) return;
  pv_expr_print(r->p, r->f, n->a, &text);
  c.name_a = pv_strdup(pv_str_cstr(&text));
  pv_str_clear(&text);
  pv_expr_print(r->p, r->f, n->b, &text);
  c.name_b = pv_strdup(pv_str_cstr(&text));
  pv_str_free(&text);
  pv_vec_push(out, c);
}

static void add_comparisons(struct prover *r, const struct state *end, const comparisons *list) {
  for (uint32_t i = 0; i < list->n; i++)
    for (int is_signed = 1; is_signed >= 0; is_signed--) {
      const struct comparison *c = &list->at[i];
      unsigned bits = width_of(r, c->a) + 2;
      pv_term t = pv_smt_mk2(r->smt, PV_SMT_BVSUB, widen(r, c->a, is_signed, bits),
                             widen(r, c->b, is_signed, bits));
      add_named(r, end, t, c->name_a, is_signed ? " - " : " -u ", c->name_b);
    }
}

/* ---- one round ------------------------------------------------------------------------------- */
static struct state state_new(const struct prover *r) {
  return (struct state){.value = pv_alloc((r->n + 1) * sizeof(pv_term))};
}

static void state_copy(const struct prover *r, struct state *to, const struct state *from) {
  to->guard = from->guard;
  memcpy(to->value, from->value, r->n * sizeof *to->value);
}

static void merge(struct prover *r, struct state *to, const struct state *from) {
  if (!to->guard) {
    state_copy(r, to, from);
    return;
  }
  for (uint32_t v = 0; v < r->n; v++) {
    if (to->value[v] == from->value[v]) continue;
    bool both = to->value[v] && from->value[v];
    to->value[v] =
        both ? pv_smt_mk3(r->smt, PV_SMT_ITE, from->guard, from->value[v], to->value[v]) : NULL;
  }
  to->guard = pv_smt_mk2(r->smt, PV_SMT_OR, to->guard, from->guard);
}

/* Any number of rounds of an inner loop. */
static void skip_inner(struct prover *r, const struct loop *inner, struct state *s) {
  for (uint32_t v = 0; v < r->n; v++) {
    if (!inner->sets[v]) continue;
    pv_term before = s->value[v], after = fresh(r, type_of(r, v));
    s->value[v] = after;
    if (!after) continue;
    assume_interval(r, inner->head, v, s->guard, after);
    uint8_t falls = before && is_number(r, v) ? inner->falls[v] : 0;
    pv_term known = pv_smt_bool(r->smt, true);
    if (falls & SIGNED_FALLS) known = both_of(r, known, at_most(r, true, after, before));
    if (falls & SIGNED_GROWS) known = both_of(r, known, at_most(r, true, before, after));
    if (falls & UNSIGNED_FALLS) known = both_of(r, known, at_most(r, false, after, before));
    if (falls & UNSIGNED_GROWS) known = both_of(r, known, at_most(r, false, before, after));
    assume(r, pv_smt_mk2(r->smt, PV_SMT_IMPLIES, s->guard, known));
  }
}

static void set(struct prover *r, struct state *s, uint32_t var, pv_term t) {
  if (var == PV_NO_VAR) return;
  s->value[var] = is_plain_type(type_of(r, var)) ? t ? t : fresh(r, type_of(r, var)) : NULL;
}

static void call(struct prover *r, struct state *s, uint32_t edge) {
  uint32_t n;
  const uint32_t *callees = pv_call_graph_callees(r->calls, r->function, edge, &n);
  bool writes = n == 0;
  for (uint32_t i = 0; i < n; i++) writes |= r->writes[callees[i]];
  for (uint32_t i = 0; i < r->cells.n && writes; i++)
    if (r->cells.at[i].is_global) set(r, s, r->f->vars.n + i, NULL);
}

static void input(struct prover *r, struct state *s, const struct pv_edge *e) {
  set(r, s, e->dst, NULL);
  pv_term t = e->dst != PV_NO_VAR ? s->value[e->dst] : NULL;
  if (!t || !is_number(r, e->dst) || e->aux == PV_HAVOC_TEXT) return;
  for (int i = 0; i < 2; i++) {
    if (!e->e[i] || !is_plain(r, e->e[i])) continue;
    pv_term bound = value_of(r, s, e->e[i]);
    bool is_signed = e->aux == PV_HAVOC_SIGNED;
    assume(r, pv_smt_mk2(r->smt, PV_SMT_IMPLIES, s->guard,
                         i ? at_most(r, is_signed, t, bound) : at_most(r, is_signed, bound, t)));
  }
}

/* The state behind the edge, from that before it. */
static void pass(struct prover *r, uint32_t edge, struct state *s) {
  const struct pv_edge *e = &r->f->edges.at[edge];
  uint32_t cell = e->op == PV_OP_LOAD || e->op == PV_OP_STORE ? cell_at(r, e->e[0]) : PV_NO_VAR;
  pv_term t = NULL;
  switch (e->op) {
  case PV_OP_ASSUME: s->guard = both_of(r, s->guard, condition_of(r, s, e->e[0])); return;
  case PV_OP_ASSIGN: set(r, s, e->dst, value_of(r, s, e->e[0])); return;
  case PV_OP_HAVOC: input(r, s, e); return;
  case PV_OP_LOAD:
    if (cell != PV_NO_VAR) t = s->value[cell];
    set(r, s, e->dst, t);
    return;
  case PV_OP_STORE:
    if (cell != PV_NO_VAR) set(r, s, cell, e->e[2] ? NULL : value_of(r, s, e->e[1]));
    return;
  case PV_OP_LIVE:
  case PV_OP_DEAD:
    for (uint32_t i = 0; i < r->cells.n; i++)
      if (!r->cells.at[i].is_global && r->cells.at[i].index == e->aux)
        set(r, s, r->f->vars.n + i, NULL);
    return;
  case PV_OP_CALL: call(r, s, edge); break;
  default: break;
  }
  set(r, s, e->dst, NULL);
  set(r, s, e->dst2, NULL);
  for (uint32_t i = 0; i < e->dsts.n; i++) set(r, s, pv_arg(r->p, e->dsts, i), NULL);
}

static const struct loop *loop_at(const struct prover *r, pv_loc head) {
  for (uint32_t i = 0; i < r->loops.n; i++)
    if (r->loops.at[i].head == head) return &r->loops.at[i];
  return NULL;
}

/* One round from the head back to it: *end is the state there. */
static void execute(struct prover *r, const struct loop *l, struct state *end, comparisons *list) {
  const struct pv_function *f = r->f;
  struct state *at = pv_alloc((f->locs.n + 1) * sizeof *at), s = state_new(r);
  for (pv_loc i = 0; i < f->locs.n; i++)
    if (l->body[i]) at[i] = state_new(r);
  at[l->head].guard = pv_smt_bool(r->smt, true);
  for (uint32_t v = 0; v < r->n; v++) {
    r->head[v] = fresh(r, type_of(r, v));
    at[l->head].value[v] = r->head[v];
    assume_interval(r, l->head, v, at[l->head].guard, r->head[v]);
  }
  for (uint32_t o = r->rank[l->head]; o < r->n_order; o++) {
    pv_loc from = r->order[o];
    if (!l->body[from] || !at[from].guard) continue;
    const struct loop *inner = from == l->head ? NULL : loop_at(r, from);
    if (inner) skip_inner(r, inner, &at[from]);
    for (uint32_t i = f->locs.at[from].first_out;
         i < f->locs.at[from].first_out + f->locs.at[from].n_out; i++) {
      const struct pv_edge *e = &f->edges.at[i];
      if (e->op == PV_OP_ASSUME) note_comparison(r, &at[from], e->e[0], list);
      if (e->op == PV_OP_STOP || e->op == PV_OP_RETURN || !l->body[e->to]) continue;
      if (is_back(r, e) && e->to != l->head) continue;
      state_copy(r, &s, &at[from]);
      pass(r, i, &s);
      merge(r, e->to == l->head && is_back(r, e) ? end : &at[e->to], &s);
    }
  }
  for (pv_loc i = 0; i < f->locs.n; i++) free(at[i].value);
  free(at);
  free(s.value);
}

/* ---- the proof ------------------------------------------------------------------------------- */
/* Is `round`, with what is known and with `more` (or NULL), possible? If it is, *solver (or NULL)
 * is one with a model, for the caller to free. */
static enum pv_smt_answer ask(struct prover *r, pv_term round, pv_term more,
                              struct pv_solver **solver) {
  struct pv_solver *s = pv_solver_new(r->smt);
  for (uint32_t i = 0; i < r->facts.n; i++) pv_solver_assert(s, r->facts.at[i]);
  pv_solver_assert(s, round);
  if (more) pv_solver_assert(s, more);
  enum pv_smt_answer a = pv_solver_check(s, 0, NULL);
  if (solver && a == PV_SMT_SAT)
    *solver = s;
  else
    pv_solver_free(s);
  return a;
}

/* Candidates that grow in the model are out. */
static void drop_growing(struct prover *r, struct pv_solver *s, bool *out) {
  struct pv_model *m = pv_solver_model(s);
  for (uint32_t i = 0; i < r->list.n; i++)
    out[i] |= pv_model_holds(
        m, pv_smt_mk2(r->smt, PV_SMT_BVSLT, r->list.at[i].before, r->list.at[i].after));
  pv_model_free(m);
  pv_solver_free(s);
}

/* Finds a candidate that never grows in the rounds that are left, and falls in one of them. *none:
 * no round is left. */
static const struct candidate *find(struct prover *r, pv_term left, bool *none) {
  const struct candidate *found = NULL;
  bool *out = pv_alloc(r->list.n + 1);
  struct pv_solver *s = NULL;
  *none = ask(r, left, NULL, &s) == PV_SMT_UNSAT;
  if (s) drop_growing(r, s, out);
  for (uint32_t i = 0; i < r->list.n && !found && !*none; i++) {
    const struct candidate *c = &r->list.at[i];
    if (out[i] || pv_limits_check(r->task->limits, 0)) continue;
    s = NULL;
    pv_term falls = pv_smt_mk2(r->smt, PV_SMT_BVSLT, c->after, c->before);
    pv_term grows = pv_smt_mk2(r->smt, PV_SMT_BVSLT, c->before, c->after);
    enum pv_smt_answer a = ask(r, left, grows, &s);
    if (s) drop_growing(r, s, out);
    if (a == PV_SMT_UNSAT && ask(r, left, falls, NULL) == PV_SMT_SAT) found = c;
  }
  free(out);
  return found;
}

static void note_falls(struct prover *r, struct loop *l, const struct state *end) {
  for (uint32_t v = 0; v < r->n; v++) {
    if (!l->sets[v] || !is_number(r, v) || !end->value[v] || !r->head[v]) continue;
    for (int k = 0; k < 4; k++) {
      bool is_signed = k < 2;
      pv_term a = k % 2 ? r->head[v] : end->value[v], b = k % 2 ? end->value[v] : r->head[v];
      pv_term not = pv_smt_mk1(r->smt, PV_SMT_NOT, at_most(r, is_signed, a, b));
      if (ask(r, end->guard, not, NULL) == PV_SMT_UNSAT) l->falls[v] |= (uint8_t)(1 << k);
    }
  }
}

static bool is_inner(const struct prover *r, const struct loop *l) {
  for (uint32_t i = 0; i < r->loops.n; i++)
    if (r->loops.at[i].head != l->head && r->loops.at[i].body[l->head]) return true;
  return false;
}

static uint32_t span_of(const struct prover *r, const struct loop *l) {
  for (uint32_t i = 0; i < r->f->edges.n; i++)
    if (r->f->edges.at[i].from == l->head && r->f->edges.at[i].span) return r->f->edges.at[i].span;
  return r->f->span;
}

static bool rank(struct prover *r, const struct loop *l, pv_term round) {
  struct pv_str tuple = {0};
  uint32_t n = 0;
  bool none = false;
  const struct candidate *c;
  while ((c = find(r, round, &none)) != NULL) {
    round = both_of(r, round, pv_smt_mk2(r->smt, PV_SMT_EQ, c->before, c->after));
    pv_str_addf(&tuple, "%s%s", n++ ? ", " : "", c->name);
  }
  if (none) {
    const struct pv_span *at = pv_span_of(r->p, span_of(r, l));
    pv_str_addf(&r->out->functions, "%s%s:%u: %s", r->out->functions.n ? "; " : "",
                pv_span_file(r->p, span_of(r, l)), at->line, n ? pv_str_cstr(&tuple) : "0");
    r->out->lexicographic += n > 1;
  }
  pv_str_free(&tuple);
  return none;
}

static void forget_round(struct prover *r, comparisons *list) {
  for (uint32_t i = 0; i < r->list.n; i++) free(r->list.at[i].name);
  for (uint32_t i = 0; i < list->n; i++) {
    free(list->at[i].name_a);
    free(list->at[i].name_b);
  }
  pv_vec_free(list);
  r->list.n = 0;
  r->facts.n = 0;
}

/* Can the loop only be left by the end of the program? */
static bool has_exit(const struct prover *r, const struct loop *l) {
  const struct pv_location *head = &r->f->locs.at[l->head];
  unsigned op = head->n_out == 1 ? r->f->edges.at[head->first_out].op : PV_OP_COUNT;
  if (op != PV_OP_SKIP && op != PV_OP_ERROR) return true; /* it could not become an error */
  for (uint32_t i = 0; i < r->f->edges.n; i++) {
    const struct pv_edge *e = &r->f->edges.at[i];
    if (!l->body[e->from] || e->op == PV_OP_STOP) continue;
    if (e->op == PV_OP_CALL || !l->body[e->to]) return true;
  }
  return false;
}

static bool prove_loop(struct prover *r, struct loop *l) {
  struct state end = state_new(r);
  comparisons list = {0};
  bool ends = true;
  r->out->loops++;
  if (!has_exit(r, l)) {
    free(end.value);
    pv_vec_push(&r->out->endless, ((struct pv_endless){r->function, l->head}));
    return true;
  }
  execute(r, l, &end, &list);
  if (end.guard) { /* otherwise there is no second round */
    add_comparisons(r, &end, &list);
    add_variables(r, l, &end);
    ends = rank(r, l, end.guard);
    if (ends && is_inner(r, l)) note_falls(r, l, &end);
  }
  if (!ends) give_up(r, span_of(r, l), "no ranking function was found for the loop");
  forget_round(r, &list);
  free(end.value);
  return ends;
}

static void forget_function(struct prover *r) {
  for (uint32_t i = 0; i < r->loops.n; i++) {
    free(r->loops.at[i].body);
    free(r->loops.at[i].sets);
    free(r->loops.at[i].falls);
  }
  r->loops.n = 0;
  free(r->head);
  free(r->order);
  free(r->rank);
  free(r->times);
  r->head = NULL;
  r->order = NULL;
  r->rank = NULL;
  r->times = NULL;
}

static void prove_function(struct prover *r, uint32_t function) {
  bool any = false;
  r->f = &r->p->functions.at[function];
  r->function = function;
  r->encoder.function = r->f;
  for (pv_loc l = 0; l < r->f->locs.n; l++)
    any |= r->f->locs.at[l].loop_head && reached(r, function, l);
  if (!any) return;
  if (r->f->edges.n > MOST_EDGES) {
    give_up(r, r->f->span, "the function is too large");
    return;
  }
  find_cells(r);
  r->head = pv_alloc((r->n + 1) * sizeof *r->head);
  if (!find_loops(r)) give_up(r, r->f->span, "a loop has several entries");
  for (uint32_t i = 0; i < r->loops.n && !r->out->why; i++)
    if (reached(r, function, r->loops.at[i].head)) prove_loop(r, &r->loops.at[i]);
  forget_function(r);
}

/* Undefined behaviour is no end: what comes after it is not known. */
static void add_provisos(const struct prover *r, struct pv_result *result) {
  pv_statements list = {0};
  pv_undefined(r->p, r->pt, r->intervals, &list);
  for (uint32_t i = 0; i < list.n; i++) {
    const struct pv_function *f = &r->p->functions.at[list.at[i].function];
    const struct pv_edge *e = &f->edges.at[list.at[i].edge];
    const struct pv_span *at = pv_span_of(r->p, e->span);
    if (!pv_call_graph_runs(r->calls, list.at[i].function)) continue;
    if (!reached(r, list.at[i].function, e->from)) continue;
    pv_condition_add(&result->condition, PV_PROVISO_ENGINE, pv_span_file(r->p, e->span), at->line,
                     "nothing undefined happens at %s:%u", pv_span_file(r->p, e->span), at->line);
  }
  pv_vec_free(&list);
}

/* A part of the time that is left, so that the search for a lasso has some, too. */
static struct pv_limits part_of(const struct pv_limits *all) {
  struct pv_limits own = {.memory = all->memory, .seconds = SECONDS};
  double left = all->seconds > 0 ? all->seconds - pv_limits_elapsed(all) : 0;
  if (all->seconds > 0 && left / SHARE < SECONDS) own.seconds = left > 0 ? left / SHARE : 0.01;
  pv_limits_start(&own);
  return own;
}

void pv_ranking_prove(const struct pv_task *given, struct pv_result *result,
                      struct pv_ranking *out) {
  struct pv_limits limits = part_of(given->limits);
  struct pv_task own = *given, *task = &own;
  struct prover r = {.task = task, .p = task->program, .out = out};
  task->limits = &limits;
  *out = (struct pv_ranking){0};
  r.pt = pv_points_to_new(r.p, NULL);
  r.calls = pv_call_graph_new(r.p, r.pt);
  r.intervals = pv_intervals_new(r.p, r.pt, r.calls);
  r.smt = pv_smt_new((struct pv_smt_limits){.steps = STEPS, .ms = MS}, task->limits);
  r.encoder = (struct pv_encoder){
      .smt = r.smt, .program = r.p, .encoding = PV_ENCODE_BITVECTOR, .leaf = leaf, .user = &r};
  look_at_functions(&r);
  if (look_at_program(&r)) {
    index_variables(&r);
    for (uint32_t f = 0; f < r.p->functions.n && !out->why; f++)
      if (pv_call_graph_runs(r.calls, f) && !r.p->functions.at[f].is_model) prove_function(&r, f);
  }
  out->ends = !out->why && !pv_smt_broken(r.smt) && !task->limits->hit;
  if (out->ends) add_provisos(&r, result);
  pv_encoder_free(&r.encoder);
  pv_smt_free(r.smt);
  pv_intervals_free(r.intervals);
  pv_call_graph_free(r.calls);
  pv_points_to_free(r.pt);
  pv_map_free(&r.var_expr);
  pv_vec_free(&r.cells);
  pv_vec_free(&r.loops);
  pv_vec_free(&r.facts);
  pv_vec_free(&r.list);
  free(r.writes);
  free(r.comes_back);
}

/* ---- loops that must not be reached ---------------------------------------------------------- */
void pv_ranking_target(struct pv_program *p, const struct pv_ranking *r) {
  for (uint32_t i = 0; i < p->functions.n; i++)
    for (uint32_t k = 0; k < p->functions.at[i].edges.n; k++) {
      struct pv_edge *e = &p->functions.at[i].edges.at[k];
      if (e->op == PV_OP_ERROR) *e = pv_edge_of(PV_OP_SKIP, e->from, e->to);
    }
  for (uint32_t i = 0; i < r->endless.n; i++) {
    struct pv_function *f = &p->functions.at[r->endless.at[i].function];
    struct pv_edge *e = &f->edges.at[f->locs.at[r->endless.at[i].head].first_out];
    e->op = PV_OP_ERROR;
    e->aux = PV_ERROR_LABEL;
    e->text = pv_program_string(p, "an endless loop is reached");
  }
}

void pv_ranking_clear(struct pv_ranking *r) {
  pv_vec_free(&r->endless);
  pv_str_free(&r->functions);
  free(r->why);
  *r = (struct pv_ranking){0};
}
