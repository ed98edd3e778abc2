#include "abstraction/abstract_internal.h"

#include <stdlib.h>
#include <string.h>

static pv_loc mark(struct abstractor *x, pv_loc at, uint32_t edge) {
  if (!x->options->marks) return at;
  struct pv_edge e = pv_abs_edge_at(PV_OP_SKIP, at, x->old.at[edge].span);
  char *text = pv_format("%u %u", x->function, edge);
  e.text = pv_program_string(x->p, text);
  free(text);
  return pv_abs_append(x, e);
}

/* Branches with the predicates as they are now. */
static void branch_now(struct abstractor *x, pv_loc at, pv_loc original, pv_term goal, pv_loc yes,
                       pv_loc no, uint32_t span) {
  struct decision d = {.n = 0};
  pv_term notes = pv_abs_take_assumptions(x, span);
  pv_term facts = mk2(x, PV_SMT_AND, pv_abs_facts_at(x, original), notes);
  at = pv_abs_decide(x, at, original, &d, goal, facts, x->depth[original] > 0, span);
  pv_abs_branch(x, at, &d, goal, yes, no, span);
}

/* The cell gets a new value: updates the predicates about it, all at the same time. */
static pv_loc update(struct abstractor *x, pv_loc at, pv_loc original, uint32_t cell, pv_term value,
                     pv_term notes, uint32_t span) {
  struct update {
    uint32_t predicate, var;
  };
  PV_VEC(struct update) all = {0};
  bool atomic = pv_call_graph_has_threads(x->calls) && !x->depth[original];
  pv_term facts = mk2(x, PV_SMT_AND, pv_abs_facts_at(x, original), notes);
  if (atomic) at = pv_abs_section(x, at, true, span);
  for (uint32_t i = 0; i < x->predicates.n; i++) {
    if (!(x->predicates.at[i].cells >> cell & 1)) continue;
    pv_term goal =
        pv_smt_substitute(x->smt, x->predicates.at[i].term, 1, &x->cells.at[cell].term, &value);
    struct decision d = {.n = 0};
    char *name = pv_format("new_%s", x->predicates.at[i].name);
    struct update u = {i, pv_abs_new_var(x, PV_INT(8), name)};
    free(name);
    at = pv_abs_decide(x, at, original, &d, goal, facts, true, span);
    pv_loc yes = pv_loc_add(x->f), no = pv_loc_add(x->f), end = pv_loc_add(x->f);
    pv_abs_branch(x, at, &d, goal, yes, no, span);
    for (int holds = 0; holds < 2; holds++) {
      struct pv_edge *set = pv_abs_put_edge(x, PV_OP_ASSIGN, holds ? yes : no, end, span);
      set->dst = u.var;
      set->e[0] = pv_mk_const(x->p, PV_INT(8), (uint64_t)holds);
    }
    pv_vec_push(&all, u);
    at = end;
  }
  for (uint32_t i = 0; i < all.n; i++)
    at = pv_abs_store_predicate(x, at, all.at[i].predicate,
                                pv_mk_var(x->p, PV_INT(8), all.at[i].var), span);
  pv_vec_free(&all);
  return atomic ? pv_abs_section(x, at, false, span) : at;
}

/* The variable was read from the cell: keeps what the predicates about the cell are now. */
static pv_loc keep_copies(struct abstractor *x, pv_loc at, uint32_t edge, uint32_t span) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < x->copies.n; i++) n += x->copies.at[i].def == edge;
  bool atomic = n > 1 && pv_call_graph_has_threads(x->calls) && !x->depth[x->old.at[edge].from];
  if (atomic) at = pv_abs_section(x, at, true, span);
  for (uint32_t i = 0; i < x->copies.n; i++)
    if (x->copies.at[i].def == edge)
      at = pv_abs_load_predicate(x, at, x->copies.at[i].predicate, x->copies.at[i].holder, span);
  return atomic ? pv_abs_section(x, at, false, span) : at;
}

static void plan_copies(struct abstractor *x) {
  x->copies.n = 0;
  for (uint32_t v = 0; v < x->old_vars; v++) {
    if (!x->abstract[v] || x->defs[v] != 1) continue;
    const struct pv_edge *e = &x->old.at[x->def[v]];
    bool reads = (e->op == PV_OP_LOAD || e->op == PV_OP_RMW) && e->dst == v;
    uint32_t c = reads ? pv_abs_cell_at(x, e->e[0], e->type) : NO_CELL;
    bool stays = c != NO_CELL && e->op == PV_OP_LOAD && !(x->foreign >> c & 1) &&
                 !(x->writes[x->function] >> c & 1);
    if (c == NO_CELL || stays) continue;
    for (uint32_t i = 0; i < x->predicates.n; i++) {
      const struct predicate *b = &x->predicates.at[i];
      if (!(b->cells >> c & 1)) continue;
      bool is_signed = pv_encode_is_signed(&x->encoder, x->f, v);
      pv_term t = pv_encode_convert(&x->encoder, e->type, pv_abs_value_of(x, v), is_signed, true);
      struct copy copy = {.predicate = i,
                          .var = v,
                          .def = x->def[v],
                          .others = b->cells & ~(UINT64_C(1) << c),
                          .term = pv_smt_substitute(x->smt, b->term, 1, &x->cells.at[c].term, &t)};
      char *name = pv_format("was_%s", b->name);
      copy.holder = pv_abs_new_var(x, PV_INT(8), name);
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
      bool reads = (e->op == PV_OP_LOAD || e->op == PV_OP_RMW) &&
                   pv_abs_cell_at(x, e->e[0], e->type) != NO_CELL;
      bool computes = e->op == PV_OP_ASSIGN && pv_abs_mentions_abstracted(x, e->e[0]) &&
                      !is_condition(x, e->e[0]);
      if (!reads && !computes) continue;
      x->abstract[e->dst] = 1;
      more = true;
    }
  }
}

/* The expression with each abstract variable replaced by a new one of any value. */
static pv_expr freed(struct abstractor *x, pv_expr e, uint32_t *instead, pv_loc *at,
                     uint32_t span) {
  if (!e || !pv_abs_mentions_abstracted(x, e)) return e;
  struct pv_expr_node n = *pv_node(x->p, e);
  if (n.op == PV_X_VAR) {
    if (!instead[n.lo]) {
      uint32_t var = pv_abs_new_var(x, n.type, "any");
      struct pv_edge h = pv_abs_edge_at(PV_OP_HAVOC, *at, span);
      h.dst = var;
      h.type = n.type;
      h.site = x->p->n_sites++;
      *at = pv_abs_append(x, h);
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
  for (uint32_t k = 0; k < n; k++) any |= pv_abs_mentions_abstracted(x, x->old.at[first + k].e[0]);
  for (uint32_t k = 0; k < n; k++) {
    struct pv_edge e = x->old.at[first + k];
    pv_loc taken = pv_loc_add(x->f);
    pv_abs_put_edge(x, PV_OP_SKIP, mark(x, taken, first + k), e.to, e.span);
    if (!any) {
      e.to = taken;
      pv_vec_push(&x->f->edges, e);
    } else if (k + 1 == n) {
      pv_abs_put_edge(x, PV_OP_SKIP, at, taken, e.span);
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
    pv_abs_put_edge(x, PV_OP_SKIP, mark(x, after, i), e.to, e.span);
    e.to = after;
  }
  bool accesses = e.op == PV_OP_LOAD || e.op == PV_OP_STORE || e.op == PV_OP_RMW;
  uint32_t cell = accesses ? pv_abs_cell_at(x, e.e[0], e.type) : NO_CELL;
  pv_encoder_forget(&x->encoder);
  if (cell != NO_CELL) {
    const struct cell *c = &x->cells.at[cell];
    bool atomic = e.op == PV_OP_RMW && pv_call_graph_has_threads(x->calls);
    if (atomic) at = pv_abs_section(x, at, true, e.span);
    if (e.op != PV_OP_STORE) at = keep_copies(x, at, i, e.span);
    if (e.op != PV_OP_LOAD) {
      pv_term value = pv_encode(&x->encoder, e.e[1], true);
      if (e.op == PV_OP_RMW)
        value = pv_encode_rmw(&x->encoder, (enum pv_rmw)e.aux, e.type, c->term, value, true);
      pv_term notes = pv_abs_take_assumptions(x, e.span);
      at = update(x, at, e.from, cell, value, notes, e.span);
    }
    if (atomic) at = pv_abs_section(x, at, false, e.span);
    pv_abs_put_edge(x, PV_OP_SKIP, at, e.to, e.span);
  } else if (e.op == PV_OP_ASSIGN && x->abstract[e.dst]) {
    pv_abs_put_edge(x, PV_OP_SKIP, at, e.to, e.span);
  } else if (e.op == PV_OP_ASSIGN && pv_abs_mentions_abstracted(x, e.e[0])) {
    pv_loc yes = pv_loc_add(x->f), no = pv_loc_add(x->f);
    pv_term goal = pv_encode_condition(&x->encoder, condition_in(x, e.e[0]));
    branch_now(x, at, e.from, goal, yes, no, e.span);
    for (int holds = 0; holds < 2; holds++) {
      struct pv_edge *set = pv_abs_put_edge(x, PV_OP_ASSIGN, holds ? yes : no, e.to, e.span);
      set->dst = e.dst;
      set->e[0] = pv_mk_const(x->p, x->f->vars.at[e.dst].type, (uint64_t)holds);
    }
  } else {
    keep(x, at, e);
  }
}

static void transform(struct abstractor *x, uint32_t function) {
  struct pv_function *f = &x->p->functions.at[function];
  pv_abs_split_variables(x, f);
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
  x->foreign = pv_abs_interference(x, function);
  find_abstract_variables(x);
  pv_abs_count_sections(x);
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
      if (pv_abs_mentions_global(x, f->edges.at[i].e[k])) return true;
  return false;
}

static enum pv_status abstract(struct abstractor *x) {
  PV_TRY(pv_abs_read_predicates(x));
  PV_TRY(pv_abs_check_program(x));
  x->out->predicates = x->predicates.n;
  x->out->cells = x->cells.n;
  pv_abs_find_writes(x);
  pv_abs_find_single_threads(x);
  pv_abs_find_unbalanced(x);
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
                                  .leaf = pv_abs_encode_leaf,
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
