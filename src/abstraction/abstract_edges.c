/* abstract_edges.c -- new edges: loads and stores of predicates, decisions and branches on them. */
#include "abstraction/abstract_internal.h"

#include <stdlib.h>

struct pv_edge *pv_abs_put_edge(struct abstractor *x, enum pv_op op, pv_loc from, pv_loc to,
                                uint32_t span) {
  struct pv_edge e = pv_edge_of(op, from, to);
  e.span = span;
  pv_vec_push(&x->f->edges, e);
  return &pv_vec_last(&x->f->edges);
}

pv_loc pv_abs_append(struct abstractor *x, struct pv_edge e) {
  e.to = pv_loc_add(x->f);
  pv_vec_push(&x->f->edges, e);
  return e.to;
}

struct pv_edge pv_abs_edge_at(enum pv_op op, pv_loc from, uint32_t span) {
  struct pv_edge e = pv_edge_of(op, from, 0);
  e.span = span;
  return e;
}

uint32_t pv_abs_new_var(struct abstractor *x, pv_type type, const char *name) {
  struct pv_variable v = {.name = pv_program_string(x->p, name), .type = type, .is_temp = true};
  pv_vec_push(&x->f->vars, v);
  return x->f->vars.n - 1;
}

/* An access to the global that holds the predicate. */
static struct pv_edge access_to(struct abstractor *x, enum pv_op op, pv_loc at, uint32_t predicate,
                                uint32_t span) {
  struct pv_edge e = pv_abs_edge_at(op, at, span);
  e.e[0] = pv_mk(x->p, (struct pv_expr_node){.op = PV_X_GLOBAL,
                                             .type = pv_abs_pointer_type(x),
                                             .lo = x->predicates.at[predicate].global});
  e.type = PV_INT(8);
  e.align = 1;
  e.order = PV_ORDER_SEQ_CST;
  return e;
}

pv_loc pv_abs_load_predicate(struct abstractor *x, pv_loc at, uint32_t predicate, uint32_t var,
                             uint32_t span) {
  struct pv_edge e = access_to(x, PV_OP_LOAD, at, predicate, span);
  e.dst = var;
  return pv_abs_append(x, e);
}

pv_loc pv_abs_store_predicate(struct abstractor *x, pv_loc at, uint32_t predicate, pv_expr value,
                              uint32_t span) {
  struct pv_edge e = access_to(x, PV_OP_STORE, at, predicate, span);
  e.e[1] = value;
  return pv_abs_append(x, e);
}

pv_loc pv_abs_section(struct abstractor *x, pv_loc at, bool begins, uint32_t span) {
  return pv_abs_append(x, pv_abs_edge_at(begins ? PV_OP_ATOMIC_BEGIN : PV_OP_ATOMIC_END, at, span));
}

/* Loads what the candidates need; those of equal predicates once. */
static pv_loc load_candidates(struct abstractor *x, pv_loc at, struct decision *d, uint32_t span) {
  for (uint32_t i = 0; i < d->n; i++) {
    if (d->at[i].var != PV_NO_VAR || !d->at[i].used) continue;
    char *name = pv_format("b_%s", x->predicates.at[d->at[i].predicate].name);
    d->at[i].var = pv_abs_new_var(x, PV_INT(8), name);
    free(name);
    at = pv_abs_load_predicate(x, at, d->at[i].predicate, d->at[i].var, span);
  }
  return at;
}

pv_loc pv_abs_decide(struct abstractor *x, pv_loc at, pv_loc original, struct decision *d,
                     pv_term goal, pv_term facts, bool in_section, uint32_t span) {
  struct cover yes = {0}, no = {0};
  pv_abs_choose_candidates(x, goal, facts, original, false, d);
  pv_abs_find_covers(x, d, goal, facts, &yes, &no);
  struct decision more = {.n = 0};
  if (!d->complete && pv_abs_choose_candidates(x, goal, facts, original, true, &more)) {
    pv_vec_free(&yes.cubes);
    pv_vec_free(&yes.dead);
    pv_vec_free(&no.cubes);
    pv_vec_free(&no.dead);
    yes = no = (struct cover){0};
    *d = more;
    pv_abs_find_covers(x, d, goal, facts, &yes, &no);
  }
  pv_abs_drop_unused(d, &yes, &no);
  uint32_t loads = 0;
  for (uint32_t i = 0; i < d->n; i++) loads += d->at[i].used && d->at[i].var == PV_NO_VAR;
  bool atomic = loads > 1 && !in_section && pv_call_graph_has_threads(x->calls);
  if (atomic) at = pv_abs_section(x, at, true, span);
  at = load_candidates(x, at, d, span);
  if (atomic) at = pv_abs_section(x, at, false, span);
  d->yes = pv_abs_disjunction(x, d, &yes);
  d->no = pv_abs_disjunction(x, d, &no);
  d->always = pv_abs_is_true(x->p, d->yes);
  d->never = pv_abs_is_true(x->p, d->no);
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
      uint32_t c = e->op == PV_OP_LOAD ? pv_abs_cell_at(x, e->e[0], e->type) : NO_CELL;
      if (c == NO_CELL && e->op != PV_OP_ASSIGN) continue;
      pv_vec_push(&from, pv_abs_value_of(x, v));
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
    if (!pv_abs_is_known(x, atoms.at[i]) &&
        pv_smt_write(x->smt, atoms.at[i], cells.n, cells.at, &text))
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

void pv_abs_branch(struct abstractor *x, pv_loc at, const struct decision *d, pv_term goal,
                   pv_loc yes, pv_loc no, uint32_t span) {
  struct pv_program *p = x->p;
  if (d->always || d->never) {
    pv_abs_put_edge(x, PV_OP_SKIP, at, d->always ? yes : no, span);
    return;
  }
  if (d->complete) { /* no choice */
    pv_expr is = d->yes ? d->yes : pv_mk_const(p, PV_INT(1), 0);
    pv_abs_put_edge(x, PV_OP_ASSUME, at, yes, span)->e[0] = is;
    pv_abs_put_edge(x, PV_OP_ASSUME, at, no, span)->e[0] = pv_mk_not(p, is);
    return;
  }
  pv_expr undecided = pv_mk_const(p, PV_INT(1), 1);
  if (d->yes) {
    pv_abs_put_edge(x, PV_OP_ASSUME, at, yes, span)->e[0] = d->yes;
    undecided = pv_mk_not(p, d->yes);
  }
  if (d->no) {
    pv_expr not_yes = undecided;
    pv_abs_put_edge(x, PV_OP_ASSUME, at, no, span)->e[0] =
        d->yes ? pv_mk_binary(p, PV_X_AND, 0, PV_INT(1), not_yes, d->no) : d->no;
    undecided = pv_mk_binary(p, PV_X_AND, 0, PV_INT(1), not_yes, pv_mk_not(p, d->no));
  }
  pv_loc open = at;
  if (d->yes || d->no) {
    open = pv_loc_add(x->f);
    pv_abs_put_edge(x, PV_OP_ASSUME, at, open, span)->e[0] = undecided;
  }
  if (x->options->choose_free) {
    struct pv_edge *stop = pv_abs_put_edge(x, PV_OP_STOP, open, x->f->exit, span);
    stop->aux = PV_STOP_BOUND;
    stop->text = pv_program_string(p, "no error comes after a choice of the abstraction");
    return;
  }
  uint32_t b = pv_abs_new_var(x, PV_INT(1), "choose");
  struct pv_edge choice = pv_abs_edge_at(PV_OP_HAVOC, open, span);
  choice.dst = b;
  choice.type = PV_INT(1);
  choice.text = pv_program_string(p, "__VERIFIER_nondet_bool");
  choice.site = p->n_sites++;
  note_choice(x, choice.site, goal);
  pv_loc chosen = pv_abs_append(x, choice);
  pv_expr is = pv_mk_var(p, PV_INT(1), b);
  pv_abs_put_edge(x, PV_OP_ASSUME, chosen, yes, span)->e[0] = is;
  pv_abs_put_edge(x, PV_OP_ASSUME, chosen, no, span)->e[0] = pv_mk_not(p, is);
}
