/* abstract_predicates.c -- the cells, the predicates over them, and what cannot be abstracted. */
#include "abstraction/abstract_internal.h"

#include <stdlib.h>

pv_type pv_abs_pointer_type(const struct abstractor *x) {
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

uint32_t pv_abs_cell_at(const struct abstractor *x, pv_expr address, pv_type type) {
  uint32_t global;
  uint64_t offset;
  if (!is_place(x->p, address, &global, &offset)) return NO_CELL;
  for (uint32_t i = 0; i < x->cells.n; i++)
    if (x->cells.at[i].global == global && x->cells.at[i].offset == offset &&
        x->cells.at[i].type == type)
      return i;
  return NO_CELL;
}

pv_term pv_abs_range_of(struct abstractor *x, pv_type type, bool is_signed, pv_term t) {
  return pv_encode_range(&x->encoder, type, is_signed, t);
}

pv_term pv_abs_encode_leaf(void *user, const struct pv_expr_node *n) {
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

pv_term pv_abs_take_assumptions(struct abstractor *x, uint32_t span) {
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
    uint32_t i = pv_abs_cell_at(x, e->e[0], e->type);
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

bool pv_abs_is_known(const struct abstractor *x, pv_term t) {
  for (uint32_t i = 0; i < x->predicates.n; i++)
    if (x->predicates.at[i].term == t) return true;
  return false;
}

enum pv_status pv_abs_read_predicates(struct abstractor *x) {
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
    pv_abs_take_assumptions(x, f->span);
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
    if (t && !pv_abs_is_known(x, t) && x->predicates.n < MOST_PREDICATES) add_predicate(x, t, name);
    free(name);
  }
  pv_vec_free(&cells);
  return status;
}

bool pv_abs_mentions_global(const struct abstractor *x, pv_expr e) {
  if (!e) return false;
  const struct pv_expr_node *n = pv_node(x->p, e);
  if (n->op == PV_X_GLOBAL)
    for (uint32_t i = 0; i < x->cells.n; i++)
      if (x->cells.at[i].global == n->lo) return true;
  return pv_abs_mentions_global(x, n->a) || pv_abs_mentions_global(x, n->b) ||
         pv_abs_mentions_global(x, n->c);
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
    if (!pv_abs_mentions_global(x, e->e[i])) continue;
    uint32_t global;
    uint64_t offset;
    if (i || !accesses || !is_place(x->p, e->e[0], &global, &offset))
      bad = true;
    else if (pv_abs_cell_at(x, e->e[0], e->type) == NO_CELL)
      bad |= overlaps_cell(x, global, offset, pv_type_bytes(e->type));
    else
      bad |= e->op == PV_OP_STORE && e->e[2];
  }
  if (e->op == PV_OP_CALL || e->op == PV_OP_RETURN || e->op == PV_OP_PRIM || e->op == PV_OP_QUERY)
    for (uint32_t i = 0; i < e->args.n; i++)
      bad |= pv_abs_mentions_global(x, pv_arg(x->p, e->args, i));
  return bad ? refuse(x, e->span, taken) : PV_OK;
}

static bool is_invariant(const struct abstractor *x, uint32_t function) {
  for (uint32_t i = 0; i < x->p->invariants.n; i++)
    if (x->p->invariants.at[i] == function) return true;
  return false;
}

enum pv_status pv_abs_check_program(struct abstractor *x) {
  for (uint32_t f = 0; f < x->p->functions.n; f++) {
    const struct pv_function *g = &x->p->functions.at[f];
    if (is_invariant(x, f)) continue;
    for (uint32_t i = 0; i < g->edges.n; i++) PV_TRY(check_edge(x, &g->edges.at[i]));
  }
  for (uint32_t i = 0; i < x->p->globals.n; i++)
    for (uint32_t k = 0; k < x->p->globals.at[i].relocs.n; k++)
      if (pv_abs_mentions_global(x, x->p->globals.at[i].relocs.at[k].value))
        return refuse(x, x->p->globals.at[i].span,
                      "the address of a variable of a predicate is taken");
  return PV_OK;
}
