#include "abstraction/abstraction.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/call_graph.h"
#include "smt/encode.h"

enum {
  LITERALS = 3,   /* in a cube */
  CANDIDATES = 8, /* literals that a decision may use */
  MOST_PREDICATES = 60,
  NO_CELL = UINT32_MAX
};

struct cell {
  uint32_t global;
  uint64_t offset;
  pv_type type;
  pv_term term; /* its value now */
};
struct predicate {
  pv_term term; /* over the cells */
  const char *name;
  uint32_t global;
  uint64_t cells; /* bit i: it is about cell i */
};
/* A copy of a predicate at the time when variable `var` was read from the cell: about the variable
 * instead of the cell. */
struct copy {
  uint32_t predicate, var, holder; /* holder: the variable that has its value */
  uint32_t def;                    /* the edge of the read, among the original ones */
  uint64_t others;                 /* the other cells that it is about */
  pv_term term;
};
struct abstractor {
  struct pv_program *p;
  const struct pv_abstract_options *options;
  struct pv_abstracted *out;
  struct pv_str *err;
  struct pv_smt *smt;
  struct pv_encoder encoder;
  struct pv_points_to *pt;
  struct pv_call_graph *calls;
  PV_VEC(struct cell) cells;
  PV_VEC(struct predicate) predicates;
  uint64_t *writes;   /* by function: the cells that it or its callees write */
  bool unbalanced;    /* some function ends an atomic section that it did not begin */
  uint64_t single;    /* kinds of threads of which there is one thread at most */
  struct pv_map told; /* provisos */
  /* the function that is transformed */
  uint32_t function;
  struct pv_function *f;
  PV_VEC(struct pv_edge) old;
  uint32_t old_vars;
  uint8_t *abstract;    /* by variable: it may come from a cell */
  uint32_t *defs, *def; /* by variable: the number of its definitions, and the last one */
  int *depth;           /* by location: open atomic sections, at least */
  pv_term *value;       /* by variable */
  PV_VEC(struct copy) copies;
  uint64_t foreign; /* cells that other threads may write while this one runs */
};

/* ---- small helpers --------------------------------------------------------------------------- */
static pv_term mk2(struct abstractor *x, enum pv_smt_op op, pv_term a, pv_term b) {
  return pv_smt_mk2(x->smt, op, a, b);
}

static pv_term not(struct abstractor * x, pv_term a) {
  return pv_smt_mk1(x->smt, PV_SMT_NOT, a);
}

static pv_type pointer(const struct abstractor *x) {
  return PV_TYPE(PV_T_PTR, x->p->pointer_bits);
}

static enum pv_status refuse(struct abstractor *x, uint32_t span, const char *what) {
  if (span && pv_span_of(x->p, span)->line)
    pv_str_addf(x->err, "%s:%u: ", pv_span_file(x->p, span), pv_span_of(x->p, span)->line);
  pv_str_add(x->err, what);
  return PV_E_INPUT;
}

/* Is it the address of a global variable plus a constant? */
static bool is_place(const struct pv_program *p, pv_expr e, uint32_t *global, uint64_t *offset) {
  const struct pv_expr_node *n = pv_node(p, e);
  *offset = 0;
  if (n->op == PV_X_PTRADD && pv_node(p, n->b)->op == PV_X_CONST) {
    *offset = pv_node(p, n->b)->lo;
    n = pv_node(p, n->a);
    uint64_t inner = 0;
    if (n->op == PV_X_PTRADD && pv_node(p, n->b)->op == PV_X_CONST) {
      inner = pv_node(p, n->b)->lo;
      n = pv_node(p, n->a);
    }
    *offset += inner;
  }
  *global = (uint32_t)n->lo;
  return n->op == PV_X_GLOBAL;
}

static uint32_t cell_at(const struct abstractor *x, pv_expr address, pv_type type) {
  uint32_t global;
  uint64_t offset;
  if (!is_place(x->p, address, &global, &offset)) return NO_CELL;
  for (uint32_t i = 0; i < x->cells.n; i++)
    if (x->cells.at[i].global == global && x->cells.at[i].offset == offset &&
        x->cells.at[i].type == type)
      return i;
  return NO_CELL;
}

static pv_term range_of(struct abstractor *x, pv_type type, bool is_signed, pv_term t) {
  return pv_encode_range(&x->encoder, type, is_signed, t);
}

/* ---- leaves ---------------------------------------------------------------------------------- */
static pv_term leaf(void *user, const struct pv_expr_node *n) {
  struct abstractor *x = user;
  char *name;
  if (n->op == PV_X_VAR && x->value && n->lo < x->old_vars) {
    pv_term *t = &x->value[n->lo];
    if (!*t) {
      name = pv_format("v%u.%llu", x->function, (unsigned long long)n->lo);
      *t = pv_smt_const(x->smt, name, pv_encode_sort(&x->encoder, n->type));
      free(name);
    }
    return *t;
  }
  name = pv_format("leaf%u.%llu.%llu", n->op, (unsigned long long)n->lo, (unsigned long long)n->hi);
  pv_term t = pv_smt_const(x->smt, name, pv_encode_sort(&x->encoder, n->type));
  free(name);
  return t;
}

/* Everything that was assumed so far about the evaluation. Notes a proviso for each place where
 * integers could overflow. */
static pv_term take_notes(struct abstractor *x, uint32_t span) {
  pv_term all = pv_smt_bool(x->smt, true);
  for (uint32_t i = 0; i < x->encoder.side.n; i++)
    all = mk2(x, PV_SMT_AND, all, x->encoder.side.at[i]);
  for (uint32_t i = 0; i < x->encoder.events.n; i++) {
    const struct pv_encoded_event *e = &x->encoder.events.at[i];
    char *text = pv_format("%s at %s:%u",
                           e->kind == PV_EVENT_OVERFLOW ? "no signed integer overflows"
                                                        : "nothing undefined happens",
                           pv_span_file(x->p, span), pv_span_of(x->p, span)->line);
    bool is_new;
    pv_map_put_str(&x->told, text, 0, &is_new);
    if (is_new)
      pv_vec_push(&x->out->provisos, text);
    else
      free(text);
    all = mk2(x, PV_SMT_AND, all, not(x, e->when));
  }
  x->encoder.side.n = x->encoder.events.n = x->encoder.fresh.n = 0;
  return all;
}

/* ---- predicates ------------------------------------------------------------------------------ */
/* The value of a function without parameters, loops and effects, from a location on. */
static pv_term evaluate(struct abstractor *x, const struct pv_function *f, pv_loc at,
                        unsigned deep) {
  const struct pv_location *l = &f->locs.at[at];
  if (deep > 200 || !l->n_out) return NULL;
  const struct pv_edge *e = &f->edges.at[l->first_out];
  if (e->op == PV_OP_ASSUME) {
    pv_term result = NULL;
    for (uint32_t k = l->n_out; k-- > 0;) {
      pv_term branch = evaluate(x, f, e[k].to, deep + 1);
      if (!branch) return NULL;
      pv_encoder_forget(&x->encoder);
      pv_term when = pv_encode_condition(&x->encoder, e[k].e[0]);
      result = result ? pv_smt_mk3(x->smt, PV_SMT_ITE, when, branch, result) : branch;
    }
    return result;
  }
  pv_term before = NULL;
  bool assigns = e->op == PV_OP_ASSIGN || e->op == PV_OP_LOAD;
  if (assigns && e->dst != PV_NO_VAR) before = x->value[e->dst];
  if (e->op == PV_OP_RETURN && e->args.n == 1) {
    pv_encoder_forget(&x->encoder);
    return pv_encode_condition(&x->encoder, pv_arg(x->p, e->args, 0));
  }
  if (e->op == PV_OP_ASSIGN) {
    pv_encoder_forget(&x->encoder);
    pv_type type = f->vars.at[e->dst].type;
    x->value[e->dst] = type == PV_INT(1) ? pv_encode_condition(&x->encoder, e->e[0])
                                         : pv_encode(&x->encoder, e->e[0],
                                                     pv_encode_is_signed(&x->encoder, f, e->dst));
  } else if (e->op == PV_OP_LOAD) {
    uint32_t i = cell_at(x, e->e[0], e->type);
    struct cell c = {.type = e->type};
    bool is_int =
        pv_type_kind(e->type) == PV_T_INT && e->type != PV_INT(1) && pv_type_bits(e->type) <= 64;
    if (i == NO_CELL) {
      if (!is_int || !is_place(x->p, e->e[0], &c.global, &c.offset) || x->cells.n == 64)
        return NULL;
      const struct pv_global *g = &x->p->globals.at[c.global];
      if (g->is_thread_local || g->is_external || g->relocs.n) return NULL;
      if (c.offset + pv_type_bytes(e->type) > g->size) return NULL;
      char *name = pv_format("cell%u", x->cells.n);
      c.term = pv_smt_const(x->smt, name, pv_encode_sort(&x->encoder, e->type));
      free(name);
      i = x->cells.n;
      pv_vec_push(&x->cells, c);
    }
    x->value[e->dst] = pv_encode_convert(&x->encoder, e->type, x->cells.at[i].term, true,
                                         pv_encode_is_signed(&x->encoder, f, e->dst));
  } else if (e->op != PV_OP_SKIP && e->op != PV_OP_LIVE && e->op != PV_OP_DEAD) {
    return NULL;
  }
  pv_term result = evaluate(x, f, e->to, deep + 1);
  if (assigns && e->dst != PV_NO_VAR) x->value[e->dst] = before;
  return result;
}

static uint64_t cells_of(struct abstractor *x, pv_term t) {
  pv_terms constants = {0};
  uint64_t set = 0;
  pv_smt_constants(x->smt, t, &constants);
  for (uint32_t i = 0; i < constants.n; i++)
    for (uint32_t k = 0; k < x->cells.n; k++)
      if (constants.at[i] == x->cells.at[k].term) set |= UINT64_C(1) << k;
  pv_vec_free(&constants);
  return set;
}

/* Is it true of the initial values of the cells? */
static bool holds_at_start(struct abstractor *x, pv_term t) {
  pv_terms from = {0}, to = {0};
  for (uint32_t i = 0; i < x->cells.n; i++) {
    const struct cell *c = &x->cells.at[i];
    const struct pv_global *g = &x->p->globals.at[c->global];
    unsigned bytes = pv_type_bytes(c->type);
    uint64_t value = 0;
    for (unsigned k = 0; g->init && k < bytes; k++)
      value |= (uint64_t)g->init[c->offset + k] << 8 * k;
    unsigned unused = 64 - pv_type_bits(c->type);
    int64_t number = (int64_t)(value << unused) >> unused;
    pv_vec_push(&from, c->term);
    pv_vec_push(&to, pv_smt_int(x->smt, number));
  }
  pv_term at = pv_smt_simplify(x->smt, pv_smt_substitute(x->smt, t, from.n, from.at, to.at));
  pv_vec_free(&from);
  pv_vec_free(&to);
  return pv_smt_is_true(x->smt, at);
}

static void add_predicate(struct abstractor *x, pv_term term, const char *name) {
  struct predicate b = {.term = term, .name = pv_program_string(x->p, name)};
  b.cells = cells_of(x, term);
  b.global = x->p->globals.n;
  struct pv_global g = {.name = b.name, .size = 1, .align = 1, .init = pv_alloc(1)};
  g.init[0] = holds_at_start(x, term);
  pv_vec_push(&x->p->globals, g);
  pv_vec_push(&x->predicates, b);
}

static bool is_known(const struct abstractor *x, pv_term t) {
  for (uint32_t i = 0; i < x->predicates.n; i++)
    if (x->predicates.at[i].term == t) return true;
  return false;
}

static enum pv_status read_predicates(struct abstractor *x) {
  const pv_named_predicates *named = x->options->named;
  PV_VEC(pv_term) terms = {0};
  enum pv_status status = PV_OK;
  for (uint32_t i = 0; i < named->n && status == PV_OK; i++) {
    uint32_t function = x->p->invariants.at[x->options->first + i];
    const struct pv_function *f = &x->p->functions.at[function];
    x->function = function;
    x->encoder.function = f;
    x->old_vars = f->vars.n;
    x->value = pv_alloc((f->vars.n + 1) * sizeof *x->value);
    pv_term t = evaluate(x, f, f->entry, 0);
    free(x->value);
    x->value = NULL;
    bool exact = !x->encoder.imprecise && !x->encoder.fresh.n;
    take_notes(x, f->span);
    if (!t || !exact || named->n > MOST_PREDICATES) {
      pv_str_addf(x->err, "predicate `%s`: ", named->at[i].name);
      status = refuse(x, 0,
                      "only integer variables at constant places, and operations on them, can "
                      "be abstracted");
    }
    pv_vec_push(&terms, t);
  }
  for (uint32_t i = 0; i < terms.n && status == PV_OK; i++)
    add_predicate(x, terms.at[i], named->at[i].name);
  pv_vec_free(&terms);
  pv_terms cells = {0};
  for (uint32_t i = 0; i < x->cells.n; i++) pv_vec_push(&cells, x->cells.at[i].term);
  for (uint32_t i = 0; i < x->options->n_found && status == PV_OK; i++) {
    pv_term t = pv_smt_read(x->smt, x->options->found[i].text, cells.n, cells.at);
    char *name = pv_format("found%u", i + 1);
    if (t && !is_known(x, t) && x->predicates.n < MOST_PREDICATES) add_predicate(x, t, name);
    free(name);
  }
  pv_vec_free(&cells);
  return status;
}

/* ---- what is refused ------------------------------------------------------------------------- */
static bool mentions_global(const struct abstractor *x, pv_expr e) {
  if (!e) return false;
  const struct pv_expr_node *n = pv_node(x->p, e);
  if (n->op == PV_X_GLOBAL)
    for (uint32_t i = 0; i < x->cells.n; i++)
      if (x->cells.at[i].global == n->lo) return true;
  return mentions_global(x, n->a) || mentions_global(x, n->b) || mentions_global(x, n->c);
}

static bool overlaps_cell(const struct abstractor *x, uint32_t global, uint64_t from, uint64_t n) {
  for (uint32_t i = 0; i < x->cells.n; i++) {
    const struct cell *c = &x->cells.at[i];
    if (c->global == global && from < c->offset + pv_type_bytes(c->type) && c->offset < from + n)
      return true;
  }
  return false;
}

static enum pv_status check_edge(struct abstractor *x, const struct pv_edge *e) {
  static const char taken[] = "a variable of a predicate is used here in a way that cannot be "
                              "abstracted (its address, a part of it, or an unknown index)";
  bool accesses = e->op == PV_OP_LOAD || e->op == PV_OP_STORE || e->op == PV_OP_RMW;
  bool bad = false;
  for (unsigned i = 0; i < 3; i++) {
    if (!mentions_global(x, e->e[i])) continue;
    uint32_t global;
    uint64_t offset;
    if (i || !accesses || !is_place(x->p, e->e[0], &global, &offset))
      bad = true;
    else if (cell_at(x, e->e[0], e->type) == NO_CELL)
      bad |= overlaps_cell(x, global, offset, pv_type_bytes(e->type));
    else
      bad |= e->op == PV_OP_STORE && e->e[2];
  }
  if (e->op == PV_OP_CALL || e->op == PV_OP_RETURN || e->op == PV_OP_PRIM || e->op == PV_OP_QUERY)
    for (uint32_t i = 0; i < e->args.n; i++) bad |= mentions_global(x, pv_arg(x->p, e->args, i));
  return bad ? refuse(x, e->span, taken) : PV_OK;
}

static bool is_invariant(const struct abstractor *x, uint32_t function) {
  for (uint32_t i = 0; i < x->p->invariants.n; i++)
    if (x->p->invariants.at[i] == function) return true;
  return false;
}

static enum pv_status check_program(struct abstractor *x) {
  for (uint32_t f = 0; f < x->p->functions.n; f++) {
    const struct pv_function *g = &x->p->functions.at[f];
    if (is_invariant(x, f)) continue;
    for (uint32_t i = 0; i < g->edges.n; i++) PV_TRY(check_edge(x, &g->edges.at[i]));
  }
  for (uint32_t i = 0; i < x->p->globals.n; i++)
    for (uint32_t k = 0; k < x->p->globals.at[i].relocs.n; k++)
      if (mentions_global(x, x->p->globals.at[i].relocs.at[k].value))
        return refuse(x, x->p->globals.at[i].span,
                      "the address of a variable of a predicate is taken");
  return PV_OK;
}

/* ---- who writes what ------------------------------------------------------------------------- */
static uint64_t cells_written(const struct abstractor *x, const struct pv_edge *e) {
  uint32_t c = e->op == PV_OP_STORE || e->op == PV_OP_RMW ? cell_at(x, e->e[0], e->type) : NO_CELL;
  return c == NO_CELL ? 0 : UINT64_C(1) << c;
}

static uint64_t written_by(const struct abstractor *x, uint32_t function, uint32_t edge,
                           const struct pv_edge *e) {
  uint64_t set = cells_written(x, e);
  uint32_t n;
  if (e->op != PV_OP_CALL) return set;
  const uint32_t *callees = pv_call_graph_callees(x->calls, function, edge, &n);
  for (uint32_t i = 0; i < n; i++) set |= x->writes[callees[i]];
  return set;
}

static void find_writers(struct abstractor *x) {
  bool changed = true;
  x->writes = pv_alloc((x->p->functions.n + 1) * sizeof *x->writes);
  while (changed) {
    changed = false;
    for (uint32_t f = 0; f < x->p->functions.n; f++) {
      const struct pv_function *g = &x->p->functions.at[f];
      for (uint32_t i = 0; i < g->edges.n; i++) {
        uint64_t set = x->writes[f] | written_by(x, f, i, &g->edges.at[i]);
        changed |= set != x->writes[f];
        x->writes[f] = set;
      }
    }
  }
}

/* Locations that are reachable from `at` without one edge. */
static void reach(const struct pv_function *f, const struct pv_edge *edges, uint32_t n, pv_loc at,
                  uint32_t without, uint8_t *seen) {
  if (seen[at]) return;
  seen[at] = 1;
  for (bool more = true; more;) {
    more = false;
    for (uint32_t i = 0; i < n; i++)
      if (i != without && seen[edges[i].from] && !seen[edges[i].to]) {
        seen[edges[i].to] = 1;
        more = true;
      }
  }
  (void)f;
}

static bool mentions_function(const struct pv_program *p, pv_expr e, uint32_t function) {
  if (!e) return false;
  const struct pv_expr_node *n = pv_node(p, e);
  if (n->op == PV_X_FUNC && n->lo == function) return true;
  return mentions_function(p, n->a, function) || mentions_function(p, n->b, function) ||
         mentions_function(p, n->c, function);
}

/* Is the function named once, outside of loops, by code that main runs once? Then at most one
 * thread begins in it. */
static bool begins_once(struct abstractor *x, uint32_t function) {
  const struct pv_program *p = x->p;
  uint32_t named = 0;
  for (uint32_t f = 0; f < p->functions.n; f++) {
    const struct pv_function *g = &p->functions.at[f];
    for (uint32_t i = 0; i < g->edges.n; i++) {
      const struct pv_edge *e = &g->edges.at[i];
      bool here = e->op == PV_OP_CALL && e->callee == function;
      for (unsigned k = 0; k < 3; k++) here |= mentions_function(p, e->e[k], function);
      if (e->op == PV_OP_CALL || e->op == PV_OP_RETURN || e->op == PV_OP_PRIM)
        for (uint32_t k = 0; k < e->args.n; k++)
          here |= mentions_function(p, pv_arg(p, e->args, k), function);
      if (!here) continue;
      uint8_t *seen = pv_alloc(g->locs.n + 1);
      reach(g, g->edges.at, g->edges.n, e->to, UINT32_MAX, seen);
      bool loops = seen[e->from];
      free(seen);
      if (loops || strcmp(g->name, "main") != 0 || named++) return false;
    }
  }
  for (uint32_t i = 0; i < p->globals.n; i++)
    for (uint32_t k = 0; k < p->globals.at[i].relocs.n; k++)
      if (mentions_function(p, p->globals.at[i].relocs.at[k].value, function)) return false;
  return named == 1;
}

static void find_single_threads(struct abstractor *x) {
  x->single = 1;
  for (uint32_t f = 0; f < x->p->functions.n; f++) {
    uint64_t kinds = pv_call_graph_threads(x->calls, f);
    bool one = kinds && !(kinds & (kinds - 1)) && kinds != 1 && !(kinds >> 63);
    if (one && !x->p->functions.at[f].is_model && begins_once(x, f)) x->single |= kinds;
  }
}

static uint64_t foreign_to(const struct abstractor *x, uint32_t function) {
  uint64_t set = 0, own = pv_call_graph_threads(x->calls, function);
  if (!pv_call_graph_has_threads(x->calls)) return 0;
  for (uint32_t g = 0; g < x->p->functions.n; g++) {
    uint64_t kinds = pv_call_graph_threads(x->calls, g), direct = 0;
    const struct pv_function *other = &x->p->functions.at[g];
    for (uint32_t i = 0; i < other->edges.n; i++) direct |= cells_written(x, &other->edges.at[i]);
    for (unsigned i = 0; i < 64; i++)
      for (unsigned k = 0; k < 64 && direct; k++) {
        bool both = own >> i & 1 && kinds >> k & 1;
        if (both && (i != k || !(x->single >> i & 1))) set |= direct;
      }
  }
  return set;
}

/* ---- facts ----------------------------------------------------------------------------------- */
static bool is_mentioned(const struct abstractor *x, pv_expr e) {
  if (!e) return false;
  const struct pv_expr_node *n = pv_node(x->p, e);
  if (n->op == PV_X_VAR) return n->lo < x->old_vars && x->abstract[n->lo];
  return is_mentioned(x, n->a) || is_mentioned(x, n->b) || is_mentioned(x, n->c);
}

/* Can one of the cells be written between edge `def` and location `at`, if `def` is not taken
 * again? */
static bool is_disturbed(struct abstractor *x, uint32_t def, pv_loc at, uint64_t cells) {
  const struct pv_edge *edges = x->old.at;
  uint32_t n = x->old.n, locs = x->f->locs.n;
  uint8_t *first = pv_alloc(locs), *second = pv_alloc(locs);
  bool is_disturbed = false;
  reach(x->f, edges, n, edges[def].to, def, first);
  /* Another thread comes in between where this one is not in an atomic section. */
  if (cells & x->foreign) is_disturbed = !x->depth[at] || !x->depth[edges[def].to];
  for (uint32_t i = 0; i < n && !is_disturbed; i++) {
    if (i == def || !first[edges[i].from]) continue;
    bool writes = written_by(x, x->function, i, &edges[i]) & cells;
    bool open = (cells & x->foreign) && (!x->depth[edges[i].from] || !x->depth[edges[i].to]);
    if (!writes && !open) continue;
    memset(second, 0, locs);
    reach(x->f, edges, n, edges[i].to, def, second);
    is_disturbed = second[at];
  }
  free(first);
  free(second);
  return is_disturbed;
}

/* Is there a path from a definition of the variable to the location that does not pass edge `def`
 * after it? */
static bool is_stale(const struct abstractor *x, uint32_t var, uint32_t def, pv_loc at) {
  for (uint32_t i = 0; i < x->old.n; i++) {
    const struct pv_edge *e = &x->old.at[i];
    bool defines = e->dst == var || e->dst2 == var;
    if (e->op == PV_OP_CALL)
      for (uint32_t k = 0; k < e->dsts.n; k++) defines |= pv_arg(x->p, e->dsts, k) == var;
    if (!defines) continue;
    uint8_t *seen = pv_alloc(x->f->locs.n);
    reach(x->f, x->old.at, x->old.n, e->to, def, seen);
    bool is_stale = seen[at];
    free(seen);
    if (is_stale) return true;
  }
  return false;
}

static bool is_any_stale(const struct abstractor *x, pv_expr e, uint32_t def, pv_loc at) {
  if (!e) return false;
  const struct pv_expr_node *n = pv_node(x->p, e);
  if (n->op == PV_X_VAR) return is_stale(x, (uint32_t)n->lo, def, at);
  return is_any_stale(x, n->a, def, at) || is_any_stale(x, n->b, def, at) ||
         is_any_stale(x, n->c, def, at);
}

static pv_term value_of(struct abstractor *x, uint32_t var) {
  struct pv_expr_node n = {.op = PV_X_VAR, .type = x->f->vars.at[var].type, .lo = var};
  return leaf(x, &n);
}

/* Does every path to the location take the edge? */
static bool dominates(const struct abstractor *x, uint32_t edge, pv_loc at) {
  uint8_t *seen = pv_alloc(x->f->locs.n);
  reach(x->f, x->old.at, x->old.n, x->f->entry, edge, seen);
  bool dominates = !seen[at];
  free(seen);
  return dominates;
}

/* What is known of variables at an original location. */
static pv_term facts_at(struct abstractor *x, pv_loc at) {
  pv_term all = pv_smt_bool(x->smt, true);
  for (uint32_t v = 0; v < x->old_vars; v++) {
    pv_type type = x->f->vars.at[v].type;
    if (pv_type_kind(type) != PV_T_INT || type == PV_INT(1)) continue;
    bool is_signed = pv_encode_is_signed(&x->encoder, x->f, v);
    all = mk2(x, PV_SMT_AND, all, range_of(x, type, is_signed, value_of(x, v)));
    if (!x->abstract[v] || x->defs[v] != 1) continue;
    const struct pv_edge *e = &x->old.at[x->def[v]];
    pv_term is = NULL;
    if (e->op == PV_OP_LOAD) {
      uint32_t c = cell_at(x, e->e[0], e->type);
      if (c != NO_CELL && !is_disturbed(x, x->def[v], at, UINT64_C(1) << c))
        is = pv_encode_convert(&x->encoder, type, x->cells.at[c].term, true, is_signed);
    } else if (e->op == PV_OP_ASSIGN && !is_any_stale(x, e->e[0], x->def[v], at)) {
      is = pv_encode(&x->encoder, e->e[0], is_signed);
      all = mk2(x, PV_SMT_AND, all, take_notes(x, e->span));
    }
    if (is) all = mk2(x, PV_SMT_AND, all, mk2(x, PV_SMT_EQ, value_of(x, v), is));
  }
  for (uint32_t i = 0; i < x->cells.n; i++)
    all = mk2(x, PV_SMT_AND, all, range_of(x, x->cells.at[i].type, true, x->cells.at[i].term));
  return all;
}

/* ---- decisions ------------------------------------------------------------------------------- */
/* A literal that a decision may use: a formula, and the variable of the new program that has its
 * value; `var`: PV_NO_VAR: it is loaded from the predicate's global when it is used. */
struct candidate {
  pv_term term;
  uint32_t predicate, var;
  bool used; /* in some cube */
};
struct decision {
  struct candidate at[CANDIDATES];
  uint32_t n;
  pv_expr yes, no;              /* i1 over the variables; 0: never */
  bool always, never, complete; /* complete: either yes or no, no choice */
};

static bool shares(struct abstractor *x, pv_term a, pv_terms *with) {
  pv_terms own = {0};
  bool any = false;
  pv_smt_constants(x->smt, a, &own);
  for (uint32_t i = 0; i < own.n; i++)
    for (uint32_t k = 0; k < with->n; k++) any |= own.at[i] == with->at[k];
  pv_vec_free(&own);
  return any;
}

/* The constants that the goal depends on, through facts that are equations. */
static void cone(struct abstractor *x, pv_term goal, pv_term facts, pv_terms *out) {
  pv_terms atoms = {0};
  pv_smt_constants(x->smt, goal, out);
  pv_smt_atoms(x->smt, facts, &atoms);
  for (bool more = true; more;) {
    more = false;
    for (uint32_t i = 0; i < atoms.n; i++) {
      struct pv_smt_shape shape;
      if (!pv_smt_shape(x->smt, atoms.at[i], &shape) || shape.kind != PV_SHAPE_OP ||
          shape.op != PV_SMT_EQ || !shares(x, atoms.at[i], out))
        continue;
      pv_terms own = {0};
      pv_smt_constants(x->smt, atoms.at[i], &own);
      for (uint32_t k = 0; k < own.n; k++) {
        bool known = false;
        for (uint32_t m = 0; m < out->n; m++) known |= out->at[m] == own.at[k];
        if (!known) pv_vec_push(out, own.at[k]);
        more |= !known;
      }
      pv_vec_free(&own);
    }
  }
  pv_vec_free(&atoms);
}

/* with_copies: the predicates at the time of reads as well. Returns false if there are none. */
static bool choose_candidates(struct abstractor *x, pv_term goal, pv_term facts, pv_loc at,
                              bool with_copies, struct decision *d) {
  pv_terms near = {0};
  cone(x, goal, facts, &near);
  for (uint32_t i = 0; i < x->predicates.n && d->n < CANDIDATES; i++)
    if (shares(x, x->predicates.at[i].term, &near))
      d->at[d->n++] = (struct candidate){x->predicates.at[i].term, i, PV_NO_VAR, false};
  uint32_t before = d->n;
  for (uint32_t i = 0; i < x->copies.n && d->n < CANDIDATES && with_copies; i++) {
    const struct copy *c = &x->copies.at[i];
    if (!shares(x, c->term, &near) || !dominates(x, c->def, at)) continue;
    if (c->others && is_disturbed(x, c->def, at, c->others)) continue;
    d->at[d->n++] = (struct candidate){c->term, c->predicate, c->holder, false};
  }
  pv_vec_free(&near);
  return d->n > before;
}

static bool is_unsat(struct abstractor *x, struct pv_solver *s) {
  x->out->queries++;
  return pv_solver_check(s, 0, NULL) == PV_SMT_UNSAT;
}

/* A cube: for each candidate +1, -1 or 0. */
typedef int8_t cube[CANDIDATES];

static bool contains(const int8_t *larger, const int8_t *smaller, uint32_t n) {
  for (uint32_t i = 0; i < n; i++)
    if (smaller[i] && smaller[i] != larger[i]) return false;
  return true;
}

struct cover {
  struct abstractor *x;
  const struct decision *d;
  struct pv_solver *facts, *goal; /* goal: the facts and its negation */
  PV_VEC(cube) cubes;             /* minimal ones that imply the goal */
  PV_VEC(cube) dead;              /* that are impossible */
};

static void try_cube(struct cover *c, cube q) {
  for (uint32_t i = 0; i < c->cubes.n; i++)
    if (contains(q, c->cubes.at[i], c->d->n)) return;
  for (uint32_t i = 0; i < c->dead.n; i++)
    if (contains(q, c->dead.at[i], c->d->n)) return;
  for (int which = 0; which < 2; which++) {
    struct pv_solver *s = which ? c->facts : c->goal;
    pv_solver_push(s);
    for (uint32_t i = 0; i < c->d->n; i++)
      if (q[i]) pv_solver_assert(s, q[i] > 0 ? c->d->at[i].term : not(c->x, c->d->at[i].term));
    bool unsat = is_unsat(c->x, s);
    pv_solver_pop(s, 1);
    if (!which && !unsat) return;
    if (!which) continue;
    uint32_t size = unsat ? c->dead.n : c->cubes.n;
    if (unsat) {
      pv_vec_reserve(&c->dead, size + 1);
      memcpy(c->dead.at[c->dead.n++], q, sizeof(cube));
    } else {
      pv_vec_reserve(&c->cubes, size + 1);
      memcpy(c->cubes.at[c->cubes.n++], q, sizeof(cube));
    }
  }
}

static void try_cubes(struct cover *c, cube q, uint32_t from, uint32_t literals) {
  if (!literals) {
    try_cube(c, q);
    return;
  }
  for (uint32_t i = from; i + literals <= c->d->n; i++)
    for (int sign = 1; sign >= -1; sign -= 2) {
      q[i] = (int8_t)sign;
      try_cubes(c, q, i + 1, literals - 1);
      q[i] = 0;
    }
}

static void drop_unused(struct decision *d, const struct cover *yes, const struct cover *no) {
  for (uint32_t k = 0; k < d->n; k++) {
    for (uint32_t i = 0; i < yes->cubes.n; i++) d->at[k].used |= yes->cubes.at[i][k] != 0;
    for (uint32_t i = 0; i < no->cubes.n && !d->complete; i++)
      d->at[k].used |= no->cubes.at[i][k] != 0;
  }
}

static pv_expr literal(struct abstractor *x, const struct candidate *c, bool holds) {
  pv_expr v = pv_mk_var(x->p, PV_INT(8), c->var), zero = pv_mk_const(x->p, PV_INT(8), 0);
  return pv_mk_binary(x->p, holds ? PV_X_NE : PV_X_EQ, 0, PV_INT(1), v, zero);
}

/* The cubes that imply the goal. *always: it is true whatever the predicates are. */
static void find_cubes(struct abstractor *x, const struct decision *d, pv_term goal, pv_term facts,
                       struct cover *c) {
  c->x = x;
  c->d = d;
  c->facts = pv_solver_new(x->smt);
  c->goal = pv_solver_new(x->smt);
  pv_solver_assert(c->facts, facts);
  pv_solver_assert(c->goal, facts);
  pv_solver_assert(c->goal, not(x, goal));
  cube q = {0};
  for (uint32_t n = 0; n <= LITERALS && n <= d->n; n++) try_cubes(c, q, 0, n);
  pv_solver_free(c->facts);
  pv_solver_free(c->goal);
}

static pv_expr formula(struct abstractor *x, const struct decision *d, const struct cover *c) {
  pv_expr any = 0;
  for (uint32_t i = 0; i < c->cubes.n; i++) {
    pv_expr all = 0;
    for (uint32_t k = 0; k < d->n; k++) {
      if (!c->cubes.at[i][k]) continue;
      pv_expr l = literal(x, &d->at[k], c->cubes.at[i][k] > 0);
      all = all ? pv_mk_binary(x->p, PV_X_AND, 0, PV_INT(1), all, l) : l;
    }
    if (!all) return pv_mk_const(x->p, PV_INT(1), 1);
    any = any ? pv_mk_binary(x->p, PV_X_OR, 0, PV_INT(1), any, all) : all;
  }
  return any;
}

static bool is_always(const struct pv_program *p, pv_expr e) {
  return e && pv_node(p, e)->op == PV_X_CONST && pv_node(p, e)->lo;
}

/* ---- new edges ------------------------------------------------------------------------------- */
static struct pv_edge *put(struct abstractor *x, enum pv_op op, pv_loc from, pv_loc to,
                           uint32_t span) {
  struct pv_edge e = pv_edge_of(op, from, to);
  e.span = span;
  pv_vec_push(&x->f->edges, e);
  return &pv_vec_last(&x->f->edges);
}

/* Appends the edge; returns where it leads. */
static pv_loc then(struct abstractor *x, struct pv_edge e) {
  e.to = pv_loc_add(x->f);
  pv_vec_push(&x->f->edges, e);
  return e.to;
}

static struct pv_edge edge_at(enum pv_op op, pv_loc from, uint32_t span) {
  struct pv_edge e = pv_edge_of(op, from, 0);
  e.span = span;
  return e;
}

static uint32_t new_var(struct abstractor *x, pv_type type, const char *name) {
  struct pv_variable v = {.name = pv_program_string(x->p, name), .type = type, .is_temp = true};
  pv_vec_push(&x->f->vars, v);
  return x->f->vars.n - 1;
}

static pv_loc load_predicate(struct abstractor *x, pv_loc at, uint32_t predicate, uint32_t var,
                             uint32_t span) {
  struct pv_edge e = edge_at(PV_OP_LOAD, at, span);
  e.e[0] = pv_mk(x->p, (struct pv_expr_node){.op = PV_X_GLOBAL,
                                             .type = pointer(x),
                                             .lo = x->predicates.at[predicate].global});
  e.type = PV_INT(8);
  e.align = 1;
  e.order = PV_ORDER_SEQ_CST;
  e.dst = var;
  return then(x, e);
}

static pv_loc store_predicate(struct abstractor *x, pv_loc at, uint32_t predicate, pv_expr value,
                              uint32_t span) {
  struct pv_edge e = edge_at(PV_OP_STORE, at, span);
  e.e[0] = pv_mk(x->p, (struct pv_expr_node){.op = PV_X_GLOBAL,
                                             .type = pointer(x),
                                             .lo = x->predicates.at[predicate].global});
  e.e[1] = value;
  e.type = PV_INT(8);
  e.align = 1;
  e.order = PV_ORDER_SEQ_CST;
  return then(x, e);
}

static pv_loc section(struct abstractor *x, pv_loc at, bool begins, uint32_t span) {
  return then(x, edge_at(begins ? PV_OP_ATOMIC_BEGIN : PV_OP_ATOMIC_END, at, span));
}

/* Loads what the candidates need; those of equal predicates once. */
static pv_loc load_candidates(struct abstractor *x, pv_loc at, struct decision *d, uint32_t span) {
  for (uint32_t i = 0; i < d->n; i++) {
    if (d->at[i].var != PV_NO_VAR || !d->at[i].used) continue;
    char *name = pv_format("b_%s", x->predicates.at[d->at[i].predicate].name);
    d->at[i].var = new_var(x, PV_INT(8), name);
    free(name);
    at = load_predicate(x, at, d->at[i].predicate, d->at[i].var, span);
  }
  return at;
}

/* The cubes as a formula. */
static pv_term cover_term(struct abstractor *x, const struct decision *d, const struct cover *c) {
  pv_term any = pv_smt_bool(x->smt, false);
  for (uint32_t i = 0; i < c->cubes.n; i++) {
    pv_term all = pv_smt_bool(x->smt, true);
    for (uint32_t k = 0; k < d->n; k++) {
      pv_term t = d->at[k].term;
      if (c->cubes.at[i][k]) all = mk2(x, PV_SMT_AND, all, c->cubes.at[i][k] > 0 ? t : not(x, t));
    }
    any = mk2(x, PV_SMT_OR, any, all);
  }
  return any;
}

static void find_covers(struct abstractor *x, struct decision *d, pv_term goal, pv_term facts,
                        struct cover *yes, struct cover *no) {
  find_cubes(x, d, goal, facts, yes);
  find_cubes(x, d, not(x, goal), facts, no);
  pv_term left[] = {facts, not(x, cover_term(x, d, yes)), not(x, cover_term(x, d, no))};
  x->out->queries++;
  d->complete = pv_smt_check(x->smt, 3, left) == PV_SMT_UNSAT;
}

/* Decides the goal as far as the predicates do; those at the time of reads are asked only if the
 * others leave a choice. Appends the loads that this needs. */
static pv_loc decide(struct abstractor *x, pv_loc at, pv_loc original, struct decision *d,
                     pv_term goal, pv_term facts, bool in_section, uint32_t span) {
  struct cover yes = {0}, no = {0};
  choose_candidates(x, goal, facts, original, false, d);
  find_covers(x, d, goal, facts, &yes, &no);
  struct decision more = {.n = 0};
  if (!d->complete && choose_candidates(x, goal, facts, original, true, &more)) {
    pv_vec_free(&yes.cubes);
    pv_vec_free(&yes.dead);
    pv_vec_free(&no.cubes);
    pv_vec_free(&no.dead);
    yes = no = (struct cover){0};
    *d = more;
    find_covers(x, d, goal, facts, &yes, &no);
  }
  drop_unused(d, &yes, &no);
  uint32_t loads = 0;
  for (uint32_t i = 0; i < d->n; i++) loads += d->at[i].used && d->at[i].var == PV_NO_VAR;
  bool atomic = loads > 1 && !in_section && pv_call_graph_has_threads(x->calls);
  if (atomic) at = section(x, at, true, span);
  at = load_candidates(x, at, d, span);
  if (atomic) at = section(x, at, false, span);
  d->yes = formula(x, d, &yes);
  d->no = formula(x, d, &no);
  d->always = is_always(x->p, d->yes);
  d->never = is_always(x->p, d->no);
  pv_vec_free(&yes.cubes);
  pv_vec_free(&yes.dead);
  pv_vec_free(&no.cubes);
  pv_vec_free(&no.dead);
  return at;
}

/* What would decide the goal: its atoms over cells, with the variables replaced that are known to
 * equal one. */
static void note_choice(struct abstractor *x, uint32_t site, pv_term goal) {
  struct pv_choice_place place = {.site = site};
  pv_terms atoms = {0}, cells = {0}, from = {0}, to = {0};
  for (uint32_t i = 0; i < x->cells.n; i++) pv_vec_push(&cells, x->cells.at[i].term);
  for (uint32_t round = 0; round < 4; round++) {
    from.n = to.n = 0;
    for (uint32_t v = 0; v < x->old_vars; v++) {
      if (!x->abstract[v] || x->defs[v] != 1) continue;
      const struct pv_edge *e = &x->old.at[x->def[v]];
      bool is_signed = pv_encode_is_signed(&x->encoder, x->f, v);
      uint32_t c = e->op == PV_OP_LOAD ? cell_at(x, e->e[0], e->type) : NO_CELL;
      if (c == NO_CELL && e->op != PV_OP_ASSIGN) continue;
      pv_vec_push(&from, value_of(x, v));
      pv_vec_push(&to, c != NO_CELL ? pv_encode_convert(&x->encoder, x->f->vars.at[v].type,
                                                        x->cells.at[c].term, true, is_signed)
                                    : pv_encode(&x->encoder, e->e[0], is_signed));
    }
    goal = pv_smt_substitute(x->smt, goal, from.n, from.at, to.at);
  }
  x->encoder.side.n = x->encoder.events.n = x->encoder.fresh.n = 0;
  pv_smt_atoms(x->smt, pv_smt_simplify(x->smt, goal), &atoms);
  for (uint32_t i = 0; i < atoms.n; i++) {
    struct pv_str text = {0};
    if (!is_known(x, atoms.at[i]) && pv_smt_write(x->smt, atoms.at[i], cells.n, cells.at, &text))
      pv_vec_push(&place.wanted, (struct pv_found_predicate){pv_strdup(pv_str_cstr(&text))});
    pv_str_free(&text);
  }
  pv_vec_free(&atoms);
  pv_vec_free(&cells);
  pv_vec_free(&from);
  pv_vec_free(&to);
  pv_vec_push(&x->out->places, place);
  x->out->choices++;
}

/* Branches on the decision: to `yes`, `no`, or to either by a choice. */
static void branch(struct abstractor *x, pv_loc at, const struct decision *d, pv_term goal,
                   pv_loc yes, pv_loc no, uint32_t span) {
  struct pv_program *p = x->p;
  if (d->always || d->never) {
    put(x, PV_OP_SKIP, at, d->always ? yes : no, span);
    return;
  }
  if (d->complete) { /* no choice */
    pv_expr is = d->yes ? d->yes : pv_mk_const(p, PV_INT(1), 0);
    put(x, PV_OP_ASSUME, at, yes, span)->e[0] = is;
    put(x, PV_OP_ASSUME, at, no, span)->e[0] = pv_mk_not(p, is);
    return;
  }
  pv_expr undecided = pv_mk_const(p, PV_INT(1), 1);
  if (d->yes) {
    put(x, PV_OP_ASSUME, at, yes, span)->e[0] = d->yes;
    undecided = pv_mk_not(p, d->yes);
  }
  if (d->no) {
    pv_expr not_yes = undecided;
    put(x, PV_OP_ASSUME, at, no, span)->e[0] =
        d->yes ? pv_mk_binary(p, PV_X_AND, 0, PV_INT(1), not_yes, d->no) : d->no;
    undecided = pv_mk_binary(p, PV_X_AND, 0, PV_INT(1), not_yes, pv_mk_not(p, d->no));
  }
  pv_loc open = at;
  if (d->yes || d->no) {
    open = pv_loc_add(x->f);
    put(x, PV_OP_ASSUME, at, open, span)->e[0] = undecided;
  }
  if (x->options->choose_free) {
    struct pv_edge *stop = put(x, PV_OP_STOP, open, x->f->exit, span);
    stop->aux = PV_STOP_BOUND;
    stop->text = pv_program_string(p, "no error comes after a choice of the abstraction");
    return;
  }
  uint32_t b = new_var(x, PV_INT(1), "choose");
  struct pv_edge choice = edge_at(PV_OP_HAVOC, open, span);
  choice.dst = b;
  choice.type = PV_INT(1);
  choice.text = pv_program_string(p, "__VERIFIER_nondet_bool");
  choice.site = p->n_sites++;
  note_choice(x, choice.site, goal);
  pv_loc chosen = then(x, choice);
  pv_expr is = pv_mk_var(p, PV_INT(1), b);
  put(x, PV_OP_ASSUME, chosen, yes, span)->e[0] = is;
  put(x, PV_OP_ASSUME, chosen, no, span)->e[0] = pv_mk_not(p, is);
}

/* ---- edges of the original ------------------------------------------------------------------- */
static pv_loc mark(struct abstractor *x, pv_loc at, uint32_t edge) {
  if (!x->options->marks) return at;
  struct pv_edge e = edge_at(PV_OP_SKIP, at, x->old.at[edge].span);
  char *text = pv_format("%u %u", x->function, edge);
  e.text = pv_program_string(x->p, text);
  free(text);
  return then(x, e);
}

/* Branches with the predicates as they are now. */
static void branch_now(struct abstractor *x, pv_loc at, pv_loc original, pv_term goal, pv_loc yes,
                       pv_loc no, uint32_t span) {
  struct decision d = {.n = 0};
  pv_term notes = take_notes(x, span);
  pv_term facts = mk2(x, PV_SMT_AND, facts_at(x, original), notes);
  at = decide(x, at, original, &d, goal, facts, x->depth[original] > 0, span);
  branch(x, at, &d, goal, yes, no, span);
}

/* The cell gets a new value: updates the predicates about it, all at the same time. */
static pv_loc update(struct abstractor *x, pv_loc at, pv_loc original, uint32_t cell, pv_term value,
                     pv_term notes, uint32_t span) {
  struct update {
    uint32_t predicate, var;
  };
  PV_VEC(struct update) all = {0};
  bool atomic = pv_call_graph_has_threads(x->calls) && !x->depth[original];
  pv_term facts = mk2(x, PV_SMT_AND, facts_at(x, original), notes);
  if (atomic) at = section(x, at, true, span);
  for (uint32_t i = 0; i < x->predicates.n; i++) {
    if (!(x->predicates.at[i].cells >> cell & 1)) continue;
    pv_term goal =
        pv_smt_substitute(x->smt, x->predicates.at[i].term, 1, &x->cells.at[cell].term, &value);
    struct decision d = {.n = 0};
    char *name = pv_format("new_%s", x->predicates.at[i].name);
    struct update u = {i, new_var(x, PV_INT(8), name)};
    free(name);
    at = decide(x, at, original, &d, goal, facts, true, span);
    pv_loc yes = pv_loc_add(x->f), no = pv_loc_add(x->f), end = pv_loc_add(x->f);
    branch(x, at, &d, goal, yes, no, span);
    for (int holds = 0; holds < 2; holds++) {
      struct pv_edge *set = put(x, PV_OP_ASSIGN, holds ? yes : no, end, span);
      set->dst = u.var;
      set->e[0] = pv_mk_const(x->p, PV_INT(8), (uint64_t)holds);
    }
    pv_vec_push(&all, u);
    at = end;
  }
  for (uint32_t i = 0; i < all.n; i++)
    at = store_predicate(x, at, all.at[i].predicate, pv_mk_var(x->p, PV_INT(8), all.at[i].var),
                         span);
  pv_vec_free(&all);
  return atomic ? section(x, at, false, span) : at;
}

/* The variable was read from the cell: keeps what the predicates about the cell are now. */
static pv_loc keep_copies(struct abstractor *x, pv_loc at, uint32_t edge, uint32_t span) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < x->copies.n; i++) n += x->copies.at[i].def == edge;
  bool atomic = n > 1 && pv_call_graph_has_threads(x->calls) && !x->depth[x->old.at[edge].from];
  if (atomic) at = section(x, at, true, span);
  for (uint32_t i = 0; i < x->copies.n; i++)
    if (x->copies.at[i].def == edge)
      at = load_predicate(x, at, x->copies.at[i].predicate, x->copies.at[i].holder, span);
  return atomic ? section(x, at, false, span) : at;
}

static void plan_copies(struct abstractor *x) {
  x->copies.n = 0;
  for (uint32_t v = 0; v < x->old_vars; v++) {
    if (!x->abstract[v] || x->defs[v] != 1) continue;
    const struct pv_edge *e = &x->old.at[x->def[v]];
    bool reads = (e->op == PV_OP_LOAD || e->op == PV_OP_RMW) && e->dst == v;
    uint32_t c = reads ? cell_at(x, e->e[0], e->type) : NO_CELL;
    bool stays = c != NO_CELL && e->op == PV_OP_LOAD && !(x->foreign >> c & 1) &&
                 !(x->writes[x->function] >> c & 1);
    if (c == NO_CELL || stays) continue;
    for (uint32_t i = 0; i < x->predicates.n; i++) {
      const struct predicate *b = &x->predicates.at[i];
      if (!(b->cells >> c & 1)) continue;
      bool is_signed = pv_encode_is_signed(&x->encoder, x->f, v);
      pv_term t = pv_encode_convert(&x->encoder, e->type, value_of(x, v), is_signed, true);
      struct copy copy = {.predicate = i,
                          .var = v,
                          .def = x->def[v],
                          .others = b->cells & ~(UINT64_C(1) << c),
                          .term = pv_smt_substitute(x->smt, b->term, 1, &x->cells.at[c].term, &t)};
      char *name = pv_format("was_%s", b->name);
      copy.holder = new_var(x, PV_INT(8), name);
      free(name);
      pv_vec_push(&x->copies, copy);
    }
  }
}

/* Is it a condition, or one as a number? */
static bool is_condition(const struct abstractor *x, pv_expr e) {
  const struct pv_expr_node *n = pv_node(x->p, e);
  if (n->type == PV_INT(1)) return true;
  return n->op == PV_X_ZEXT && is_condition(x, n->a);
}

static pv_expr condition_in(const struct abstractor *x, pv_expr e) {
  const struct pv_expr_node *n = pv_node(x->p, e);
  return n->type == PV_INT(1) ? e : condition_in(x, n->a);
}

static void find_abstract_variables(struct abstractor *x) {
  for (uint32_t i = 0; i < x->old.n; i++) {
    const struct pv_edge *e = &x->old.at[i];
    if (e->dst != PV_NO_VAR) {
      x->defs[e->dst]++;
      x->def[e->dst] = i;
    }
    if (e->dst2 != PV_NO_VAR) x->defs[e->dst2] += 2;
    if (e->op == PV_OP_CALL)
      for (uint32_t k = 0; k < e->dsts.n; k++) x->defs[pv_arg(x->p, e->dsts, k)] += 2;
  }
  for (uint32_t v = 0; v < x->f->n_params; v++) x->defs[v] += 2;
  for (bool more = true; more;) {
    more = false;
    for (uint32_t i = 0; i < x->old.n; i++) {
      const struct pv_edge *e = &x->old.at[i];
      if (e->dst == PV_NO_VAR || x->abstract[e->dst]) continue;
      bool reads =
          (e->op == PV_OP_LOAD || e->op == PV_OP_RMW) && cell_at(x, e->e[0], e->type) != NO_CELL;
      bool computes =
          e->op == PV_OP_ASSIGN && is_mentioned(x, e->e[0]) && !is_condition(x, e->e[0]);
      if (!reads && !computes) continue;
      x->abstract[e->dst] = 1;
      more = true;
    }
  }
}

static void find_depths(struct abstractor *x) {
  if (x->unbalanced) return;
  for (uint32_t i = 0; i < x->f->locs.n; i++) x->depth[i] = -1;
  x->depth[x->f->entry] = x->f->atomic;
  for (bool more = true; more;) {
    more = false;
    for (uint32_t i = 0; i < x->old.n; i++) {
      const struct pv_edge *e = &x->old.at[i];
      int from = x->depth[e->from];
      if (from < 0) continue;
      int to = from + (e->op == PV_OP_ATOMIC_BEGIN) - (e->op == PV_OP_ATOMIC_END && from > 0);
      if (to > 3) to = 3;
      if (x->depth[e->to] >= 0 && x->depth[e->to] <= to) continue;
      x->depth[e->to] = to;
      more = true;
    }
  }
  for (uint32_t i = 0; i < x->f->locs.n; i++)
    if (x->depth[i] < 0) x->depth[i] = 0;
}

/* Sections of which the end is in another function than the begin: no section is relied on then. */
static void look_for_unbalanced(struct abstractor *x) {
  for (uint32_t f = 0; f < x->p->functions.n; f++) {
    struct pv_function *g = &x->p->functions.at[f];
    if (!g->defined || !g->locs.n) continue;
    x->f = g;
    x->old.n = 0;
    for (uint32_t i = 0; i < g->edges.n; i++) pv_vec_push(&x->old, g->edges.at[i]);
    x->depth = pv_alloc((g->locs.n + 1) * sizeof *x->depth);
    find_depths(x);
    for (uint32_t i = 0; i < x->old.n; i++) {
      const struct pv_edge *e = &x->old.at[i];
      x->unbalanced |= e->op == PV_OP_ATOMIC_END && !x->depth[e->from];
      x->unbalanced |= e->op == PV_OP_RETURN && x->depth[e->from] > g->atomic;
    }
    free(x->depth);
  }
}

/* The expression with each abstract variable replaced by a new one of any value. */
static pv_expr freed(struct abstractor *x, pv_expr e, uint32_t *instead, pv_loc *at,
                     uint32_t span) {
  if (!e || !is_mentioned(x, e)) return e;
  struct pv_expr_node n = *pv_node(x->p, e);
  if (n.op == PV_X_VAR) {
    if (!instead[n.lo]) {
      uint32_t var = new_var(x, n.type, "any");
      struct pv_edge h = edge_at(PV_OP_HAVOC, *at, span);
      h.dst = var;
      h.type = n.type;
      h.site = x->p->n_sites++;
      *at = then(x, h);
      instead[n.lo] = 1 + var;
    }
    return pv_mk_var(x->p, n.type, instead[n.lo] - 1);
  }
  n.a = freed(x, n.a, instead, at, span);
  n.b = freed(x, n.b, instead, at, span);
  n.c = freed(x, n.c, instead, at, span);
  return pv_mk(x->p, n);
}

/* An operation that is kept. */
static void keep(struct abstractor *x, pv_loc at, struct pv_edge e) {
  uint32_t *instead = pv_alloc((x->old_vars + 1) * sizeof *instead);
  for (unsigned i = 0; i < 3; i++) e.e[i] = freed(x, e.e[i], instead, &at, e.span);
  bool has_args =
      e.op == PV_OP_CALL || e.op == PV_OP_RETURN || e.op == PV_OP_PRIM || e.op == PV_OP_QUERY;
  PV_VEC(pv_expr) args = {0};
  bool changed = false;
  for (uint32_t i = 0; has_args && i < e.args.n; i++) {
    pv_expr a = pv_arg(x->p, e.args, i), b = freed(x, a, instead, &at, e.span);
    changed |= a != b;
    pv_vec_push(&args, b);
  }
  if (changed) e.args = pv_mk_args(x->p, args.at, args.n);
  pv_vec_free(&args);
  free(instead);
  e.from = at;
  pv_vec_push(&x->f->edges, e);
}

static void branches(struct abstractor *x, pv_loc original, uint32_t first, uint32_t n) {
  pv_loc at = original;
  bool any = false;
  for (uint32_t k = 0; k < n; k++) any |= is_mentioned(x, x->old.at[first + k].e[0]);
  for (uint32_t k = 0; k < n; k++) {
    struct pv_edge e = x->old.at[first + k];
    pv_loc taken = pv_loc_add(x->f);
    put(x, PV_OP_SKIP, mark(x, taken, first + k), e.to, e.span);
    if (!any) {
      e.to = taken;
      pv_vec_push(&x->f->edges, e);
    } else if (k + 1 == n) {
      put(x, PV_OP_SKIP, at, taken, e.span);
    } else {
      pv_loc next = pv_loc_add(x->f);
      pv_encoder_forget(&x->encoder);
      pv_term goal = pv_encode_condition(&x->encoder, e.e[0]);
      branch_now(x, at, original, goal, taken, next, e.span);
      at = next;
    }
  }
}

/* The mark of an operation comes when it has been done, as a thread may have to wait before it.
 * That of a call comes before what the callee does. */
static bool is_marked_before(const struct pv_edge *e) {
  return e->op == PV_OP_CALL || e->op == PV_OP_RETURN || e->op == PV_OP_STOP ||
         e->op == PV_OP_ERROR || e->op == PV_OP_LONGJMP;
}

static void transform_edge(struct abstractor *x, uint32_t i) {
  struct pv_edge e = x->old.at[i];
  pv_loc at = e.from;
  if (is_marked_before(&e)) {
    at = mark(x, at, i);
  } else if (x->options->marks) {
    pv_loc after = pv_loc_add(x->f);
    put(x, PV_OP_SKIP, mark(x, after, i), e.to, e.span);
    e.to = after;
  }
  bool accesses = e.op == PV_OP_LOAD || e.op == PV_OP_STORE || e.op == PV_OP_RMW;
  uint32_t cell = accesses ? cell_at(x, e.e[0], e.type) : NO_CELL;
  pv_encoder_forget(&x->encoder);
  if (cell != NO_CELL) {
    const struct cell *c = &x->cells.at[cell];
    bool atomic = e.op == PV_OP_RMW && pv_call_graph_has_threads(x->calls);
    if (atomic) at = section(x, at, true, e.span);
    if (e.op != PV_OP_STORE) at = keep_copies(x, at, i, e.span);
    if (e.op != PV_OP_LOAD) {
      pv_term value = pv_encode(&x->encoder, e.e[1], true);
      if (e.op == PV_OP_RMW)
        value = pv_encode_rmw(&x->encoder, (enum pv_rmw)e.aux, e.type, c->term, value, true);
      pv_term notes = take_notes(x, e.span);
      at = update(x, at, e.from, cell, value, notes, e.span);
    }
    if (atomic) at = section(x, at, false, e.span);
    put(x, PV_OP_SKIP, at, e.to, e.span);
  } else if (e.op == PV_OP_ASSIGN && x->abstract[e.dst]) {
    put(x, PV_OP_SKIP, at, e.to, e.span);
  } else if (e.op == PV_OP_ASSIGN && is_mentioned(x, e.e[0])) {
    pv_loc yes = pv_loc_add(x->f), no = pv_loc_add(x->f);
    pv_term goal = pv_encode_condition(&x->encoder, condition_in(x, e.e[0]));
    branch_now(x, at, e.from, goal, yes, no, e.span);
    for (int holds = 0; holds < 2; holds++) {
      struct pv_edge *set = put(x, PV_OP_ASSIGN, holds ? yes : no, e.to, e.span);
      set->dst = e.dst;
      set->e[0] = pv_mk_const(x->p, x->f->vars.at[e.dst].type, (uint64_t)holds);
    }
  } else {
    keep(x, at, e);
  }
}

/* ---- variables with one purpose -------------------------------------------------------------- */
/* Temporaries share variables (pv_function_share). Definitions of a variable that reach no common
 * use get variables of their own, so that most variables have one definition. */
struct split {
  struct abstractor *x;
  uint32_t var;
  PV_VEC(uint32_t) defs;  /* edges */
  uint8_t **reached;      /* by definition: the locations that it reaches */
  PV_VEC(uint32_t) group; /* by definition: the smallest one with a common use */
};

static bool defines(const struct pv_edge *e, uint32_t var) {
  return e->dst == var || e->dst2 == var;
}

static void reach_uses(const struct split *s, pv_loc at, uint8_t *seen) {
  const struct pv_function *f = s->x->f;
  PV_VEC(pv_loc) todo = {0};
  pv_vec_push(&todo, at);
  while (todo.n) {
    pv_loc l = pv_vec_pop(&todo);
    if (seen[l]) continue;
    seen[l] = 1;
    const struct pv_location *loc = &f->locs.at[l];
    for (uint32_t k = 0; k < loc->n_out; k++) {
      const struct pv_edge *e = &f->edges.at[loc->first_out + k];
      if (!defines(e, s->var)) pv_vec_push(&todo, e->to);
    }
  }
  pv_vec_free(&todo);
}

static bool mentions_var(const struct pv_program *p, pv_expr e, uint32_t var) {
  if (!e) return false;
  const struct pv_expr_node *n = pv_node(p, e);
  if (n->op == PV_X_VAR) return n->lo == var;
  return mentions_var(p, n->a, var) || mentions_var(p, n->b, var) || mentions_var(p, n->c, var);
}

static bool has_args(const struct pv_edge *e) {
  return e->op == PV_OP_CALL || e->op == PV_OP_RETURN || e->op == PV_OP_PRIM ||
         e->op == PV_OP_QUERY;
}

static bool uses(const struct pv_program *p, const struct pv_edge *e, uint32_t var) {
  bool any = false;
  for (unsigned i = 0; i < 3; i++) any |= mentions_var(p, e->e[i], var);
  for (uint32_t i = 0; has_args(e) && i < e->args.n; i++)
    any |= mentions_var(p, pv_arg(p, e->args, i), var);
  return any;
}

static pv_expr renamed(struct pv_program *p, pv_expr e, uint32_t from, uint32_t to) {
  if (!e || !mentions_var(p, e, from)) return e;
  struct pv_expr_node n = *pv_node(p, e);
  if (n.op == PV_X_VAR) return pv_mk_var(p, n.type, to);
  n.a = renamed(p, n.a, from, to);
  n.b = renamed(p, n.b, from, to);
  n.c = renamed(p, n.c, from, to);
  return pv_mk(p, n);
}

static void rename_uses(struct pv_program *p, struct pv_edge *e, uint32_t from, uint32_t to) {
  for (unsigned i = 0; i < 3; i++) e->e[i] = renamed(p, e->e[i], from, to);
  if (!has_args(e)) return;
  PV_VEC(pv_expr) args = {0};
  for (uint32_t i = 0; i < e->args.n; i++)
    pv_vec_push(&args, renamed(p, pv_arg(p, e->args, i), from, to));
  e->args = pv_mk_args(p, args.at, args.n);
  pv_vec_free(&args);
}

static void group_definitions(struct split *s) {
  const struct pv_function *f = s->x->f;
  for (uint32_t i = 0; i < s->defs.n; i++) pv_vec_push(&s->group, i);
  for (uint32_t i = 0; i < f->edges.n; i++) {
    const struct pv_edge *e = &f->edges.at[i];
    if (!uses(s->x->p, e, s->var)) continue;
    uint32_t one = UINT32_MAX;
    for (uint32_t d = 0; d < s->defs.n; d++) {
      if (!s->reached[d][e->from]) continue;
      uint32_t group = s->group.at[d];
      if (one == UINT32_MAX) one = group;
      uint32_t small = group < one ? group : one, large = group < one ? one : group;
      for (uint32_t k = 0; k < s->defs.n; k++)
        if (s->group.at[k] == large) s->group.at[k] = small;
      one = small;
    }
  }
}

static void split_one(struct split *s) {
  struct abstractor *x = s->x;
  struct pv_function *f = x->f;
  for (uint32_t i = 0; i < f->edges.n; i++) {
    const struct pv_edge *e = &f->edges.at[i];
    if (defines(e, s->var)) pv_vec_push(&s->defs, i);
    for (uint32_t k = 0; e->op == PV_OP_CALL && k < e->dsts.n; k++)
      if (pv_arg(x->p, e->dsts, k) == s->var) return;
  }
  if (s->defs.n < 2) return;
  s->reached = pv_alloc(s->defs.n * sizeof *s->reached);
  for (uint32_t d = 0; d < s->defs.n; d++) {
    s->reached[d] = pv_alloc(f->locs.n + 1);
    reach_uses(s, f->edges.at[s->defs.at[d]].to, s->reached[d]);
  }
  group_definitions(s);
  uint32_t *var = pv_alloc(s->defs.n * sizeof *var);
  for (uint32_t d = 0; d < s->defs.n; d++) {
    bool first = s->group.at[d] == d && d;
    if (first) {
      struct pv_variable copy = f->vars.at[s->var];
      pv_vec_push(&f->vars, copy);
    }
    var[d] = d == 0 ? s->var : first ? f->vars.n - 1 : var[s->group.at[d]];
  }
  for (uint32_t i = 0; i < f->edges.n; i++) {
    if (!uses(x->p, &f->edges.at[i], s->var)) continue;
    uint32_t d = 0;
    while (d < s->defs.n && !s->reached[d][f->edges.at[i].from]) d++;
    if (d < s->defs.n && var[d] != s->var) rename_uses(x->p, &f->edges.at[i], s->var, var[d]);
  }
  for (uint32_t d = 0; d < s->defs.n; d++) {
    struct pv_edge *e = &f->edges.at[s->defs.at[d]];
    if (e->dst == s->var) e->dst = var[d];
    if (e->dst2 == s->var) e->dst2 = var[d];
    free(s->reached[d]);
  }
  free(s->reached);
  free(var);
}

static void split_variables(struct abstractor *x, struct pv_function *f) {
  uint32_t first = f->n_params + (f->variadic ? 1 : 0), n = f->vars.n;
  x->f = f;
  for (uint32_t v = first; v < n; v++) {
    struct split s = {.x = x, .var = v};
    split_one(&s);
    pv_vec_free(&s.defs);
    pv_vec_free(&s.group);
  }
}

static void transform(struct abstractor *x, uint32_t function) {
  struct pv_function *f = &x->p->functions.at[function];
  split_variables(x, f);
  uint32_t locs = f->locs.n;
  x->function = function;
  x->f = f;
  x->encoder.function = f;
  x->old.n = 0;
  for (uint32_t i = 0; i < f->edges.n; i++) pv_vec_push(&x->old, f->edges.at[i]);
  x->old_vars = f->vars.n;
  x->abstract = pv_alloc(f->vars.n + 1);
  x->defs = pv_alloc((f->vars.n + 1) * sizeof *x->defs);
  x->def = pv_alloc((f->vars.n + 1) * sizeof *x->def);
  x->value = pv_alloc((f->vars.n + 1) * sizeof *x->value);
  x->depth = pv_alloc((f->locs.n + 1) * sizeof *x->depth);
  x->foreign = foreign_to(x, function);
  find_abstract_variables(x);
  find_depths(x);
  plan_copies(x);
  struct pv_location *at = pv_alloc((locs + 1) * sizeof *at);
  memcpy(at, f->locs.at, locs * sizeof *at);
  f->edges.n = 0;
  for (uint32_t l = 0; l < locs; l++) {
    if (!at[l].n_out) continue;
    if (x->old.at[at[l].first_out].op == PV_OP_ASSUME)
      branches(x, l, at[l].first_out, at[l].n_out);
    else
      transform_edge(x, at[l].first_out);
  }
  pv_function_finish(x->p, f);
  free(at);
  free(x->abstract);
  free(x->defs);
  free(x->def);
  free(x->value);
  free(x->depth);
  x->value = NULL;
}

/* Does the function have anything to do with cells? */
static bool concerns(const struct abstractor *x, const struct pv_function *f) {
  for (uint32_t i = 0; i < f->edges.n; i++)
    for (unsigned k = 0; k < 3; k++)
      if (mentions_global(x, f->edges.at[i].e[k])) return true;
  return false;
}

static enum pv_status abstract(struct abstractor *x) {
  PV_TRY(read_predicates(x));
  PV_TRY(check_program(x));
  x->out->predicates = x->predicates.n;
  x->out->cells = x->cells.n;
  find_writers(x);
  find_single_threads(x);
  look_for_unbalanced(x);
  x->p->invariants.n = x->options->first;
  for (uint32_t f = 0; f < x->p->functions.n; f++) {
    const struct pv_function *g = &x->p->functions.at[f];
    bool runs = g->defined && g->locs.n && pv_call_graph_runs(x->calls, f);
    if (runs && (x->options->marks || concerns(x, g))) transform(x, f);
  }
  char *wrong = pv_program_verify(x->p);
  if (!wrong) return PV_OK;
  pv_str_addf(x->err, "internal error in the abstract program: %s", wrong);
  free(wrong);
  return PV_E_INTERNAL;
}

enum pv_status pv_abstract(struct pv_program *p, const struct pv_abstract_options *options,
                           struct pv_abstracted *out, struct pv_str *err) {
  struct abstractor x = {.p = p, .options = options, .out = out, .err = err};
  x.smt = pv_smt_new((struct pv_smt_limits){.steps = 2000000}, options->limits);
  x.encoder = (struct pv_encoder){.smt = x.smt,
                                  .program = p,
                                  .encoding = PV_ENCODE_LINEAR,
                                  .assume_no_overflow = true,
                                  .leaf = leaf,
                                  .user = &x};
  x.pt = pv_points_to_new(p, NULL);
  x.calls = pv_call_graph_new(p, x.pt);
  enum pv_status status = abstract(&x);
  pv_call_graph_free(x.calls);
  pv_points_to_free(x.pt);
  pv_encoder_free(&x.encoder);
  pv_smt_free(x.smt);
  pv_vec_free(&x.cells);
  pv_vec_free(&x.predicates);
  pv_vec_free(&x.old);
  pv_vec_free(&x.copies);
  pv_map_free(&x.told);
  free(x.writes);
  return status;
}

void pv_abstracted_clear(struct pv_abstracted *a) {
  for (uint32_t i = 0; i < a->places.n; i++) {
    for (uint32_t k = 0; k < a->places.at[i].wanted.n; k++) free(a->places.at[i].wanted.at[k].text);
    pv_vec_free(&a->places.at[i].wanted);
  }
  for (uint32_t i = 0; i < a->provisos.n; i++) free(a->provisos.at[i]);
  pv_vec_free(&a->places);
  pv_vec_free(&a->provisos);
  *a = (struct pv_abstracted){0};
}
