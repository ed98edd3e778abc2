/* slice_change_test.h -- for the tests of slices in the machine: programs that differ outside of a
 * slice, values at its statements. */
#ifndef PV_SLICE_CHANGE_TEST_H
#define PV_SLICE_CHANGE_TEST_H

#include "vm/vm_internal.h"

#include <glob.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>
#include <cmocka.h>

#include "analysis/slice.h"
#include "frontend/frontend.h"

/* ---- numbers ---- */
static inline uint64_t random_word(uint64_t *state) {
  *state ^= *state << 13;
  *state ^= *state >> 7;
  *state ^= *state << 17;
  return *state >> 20;
}

static inline bool chance(uint64_t *state, unsigned one_in) {
  return random_word(state) % one_in == 0;
}

/* ---- events ---- */
/* A statement that was done, with a hash of the values that it used. */
struct event {
  uint32_t function, edge;
  uint64_t values;
};

static inline void add_value(struct event *e, uint64_t value) {
  e->values = pv_hash_word(e->values ^ value) + 1;
}

static inline void add_variable(const struct pv_vm *vm, struct event *e, uint32_t function,
                                uint32_t var) {
  add_value(e, vm->regs[vm->code->functions[function].reg[var]]);
}

/* Values of the variables in an expression, but addresses. */
static inline void add_values(const struct pv_vm *vm, struct event *event, uint32_t function,
                              pv_expr e) {
  const struct pv_expr_node *n = pv_node(vm->program, e);
  if (!e) return;
  if (n->op == PV_X_VAR && pv_type_kind(n->type) != PV_T_PTR)
    add_variable(vm, event, function, (uint32_t)n->lo);
  if (!pv_expr_ops[n->op].arity) return;
  add_values(vm, event, function, n->a);
  add_values(vm, event, function, n->b);
  add_values(vm, event, function, n->c);
}

static inline void add_operands(const struct pv_vm *vm, struct event *event,
                                const struct pv_edge *e, bool arguments) {
  for (int i = 0; i < 3; i++) add_values(vm, event, event->function, e->e[i]);
  for (uint32_t i = 0; arguments && i < e->args.n; i++)
    add_values(vm, event, event->function, pv_arg(vm->program, e->args, i));
}

/* A call is told of once more when it returns. */
static inline bool is_begun(const struct pv_vm *vm) {
  uint32_t pc = vm->frame->pc;
  return pc == vm->code->edges.at[vm->code->where.at[pc]].pc;
}

/* ---- programs that differ outside of the slice ------------------------------------------------
 */
struct saved {
  struct pv_edge *at, was;
};
struct changed {
  struct pv_program *p;
  const struct pv_slice *slice;
  uint64_t *random;
  unsigned changes;
  PV_VEC(struct saved) saved;
};

static inline bool is_number(pv_type type) {
  return pv_type_kind(type) == PV_T_INT && pv_type_bits(type) <= 64;
}

static inline struct pv_edge *change(struct changed *c, struct pv_edge *e) {
  struct saved s = {e, *e};
  pv_vec_push(&c->saved, s);
  c->changes++;
  return e;
}

static inline pv_expr other(struct changed *c, pv_expr e) {
  pv_type type = pv_node(c->p, e)->type;
  uint64_t mask = pv_mask(pv_type_bits(type)), word = random_word(c->random);
  switch (random_word(c->random) % 3) {
  case 0: return pv_mk_const(c->p, type, word & mask);
  case 1: return pv_mk_const(c->p, type, word & mask & 3);
  default:
    return pv_mk_binary(c->p, PV_X_XOR, 0, type, e,
                        pv_mk_const(c->p, type, (word & 6) | (mask & 1)));
  }
}

static inline void change_argument(struct changed *c, struct pv_edge *e, uint32_t i) {
  pv_expr args[64];
  if (e->args.n > 64 || !is_number(pv_node(c->p, pv_arg(c->p, e->args, i))->type)) return;
  for (uint32_t k = 0; k < e->args.n; k++) args[k] = pv_arg(c->p, e->args, k);
  args[i] = other(c, args[i]);
  change(c, e)->args = pv_mk_args(c->p, args, e->args.n);
}

/* A branch goes the other way. */
static inline void turn(struct changed *c, const struct pv_function *f, struct pv_edge *e) {
  const struct pv_location *at = &f->locs.at[e->from];
  struct pv_edge *first = &f->edges.at[at->first_out];
  if (at->n_out != 2 || e != first) return;
  pv_expr condition = first[0].e[0];
  change(c, &first[0])->e[0] = first[1].e[0];
  change(c, &first[1])->e[0] = condition;
}

static inline void change_outside(struct changed *c, const struct pv_function *f,
                                  struct pv_edge *e) {
  switch (e->op) {
  case PV_OP_ASSIGN:
    if (is_number(pv_node(c->p, e->e[0])->type)) change(c, e)->e[0] = other(c, e->e[0]);
    break;
  case PV_OP_STORE:
    if (is_number(e->type)) change(c, e)->e[1] = other(c, e->e[1]);
    break;
  case PV_OP_LOAD:
    if (!is_number(e->type) || e->dst == PV_NO_VAR) break;
    change(c, e)->op = PV_OP_ASSIGN;
    e->e[0] =
        pv_mk_const(c->p, e->type, random_word(c->random) & 3 & pv_mask(pv_type_bits(e->type)));
    e->e[1] = 0;
    break;
  case PV_OP_ASSUME: turn(c, f, e); break;
  case PV_OP_CALL:
    if (e->dsts.n == 0) *change(c, e) = pv_edge_of(PV_OP_SKIP, e->from, e->to);
    break;
  default: break;
  }
}

static inline void change_edges(struct changed *c, unsigned one_in) {
  for (uint32_t i = 0; i < c->p->functions.n; i++) {
    const struct pv_function *f = &c->p->functions.at[i];
    for (uint32_t k = 0; k < f->edges.n; k++) {
      struct pv_edge *e = &f->edges.at[k];
      if (!pv_slice_has(c->slice, i, k) && chance(c->random, one_in)) change_outside(c, f, e);
      if (e->op != PV_OP_CALL && e->op != PV_OP_RETURN) continue;
      for (uint32_t x = 0; x < e->args.n; x++)
        if (!pv_slice_has_argument(c->slice, i, k, x) && chance(c->random, one_in))
          change_argument(c, e, x);
    }
  }
}

/* Changes one assignment or store inside of the slice. */
static inline bool change_one_inside(struct changed *c, const struct pv_slice *but) {
  PV_VEC(struct pv_edge *) inside = {0};
  for (uint32_t i = 0; i < c->p->functions.n; i++)
    for (uint32_t k = 0; k < c->p->functions.at[i].edges.n; k++) {
      struct pv_edge *e = &c->p->functions.at[i].edges.at[k];
      bool sets = e->op == PV_OP_ASSIGN && is_number(pv_node(c->p, e->e[0])->type);
      sets |= e->op == PV_OP_STORE && is_number(e->type);
      if (sets && pv_slice_has(c->slice, i, k) && !pv_slice_has(but, i, k)) pv_vec_push(&inside, e);
    }
  bool found = inside.n > 0;
  if (found) {
    struct pv_edge *e = inside.at[random_word(c->random) % inside.n];
    unsigned operand = e->op == PV_OP_STORE;
    change(c, e)->e[operand] = other(c, e->e[operand]);
  }
  pv_vec_free(&inside);
  return found;
}

static inline void restore(struct changed *c) {
  while (c->saved.n) {
    struct saved s = pv_vec_pop(&c->saved);
    *s.at = s.was;
  }
  pv_vec_free(&c->saved);
}

/* Inputs get values that belong to the place, so that the machine does not choose them. */
static inline void fix_inputs(struct pv_program *p, uint64_t *random) {
  for (uint32_t i = 0; i < p->functions.n; i++)
    for (uint32_t k = 0; k < p->functions.at[i].edges.n; k++) {
      struct pv_edge *e = &p->functions.at[i].edges.at[k];
      if (e->op != PV_OP_HAVOC && e->op != PV_OP_INDET) continue;
      bool number = is_number(e->type) && e->dst != PV_NO_VAR;
      if (!number && pv_type_kind(e->type) == PV_T_INT) continue;
      bool bounded = e->e[0] && pv_node(p, e->e[0])->op == PV_X_CONST;
      uint64_t value = random_word(random) % 5 & pv_mask(pv_type_bits(e->type));
      if (bounded) value = pv_node(p, e->e[0])->lo;
      if (e->dst == PV_NO_VAR) continue;
      e->op = PV_OP_ASSIGN;
      e->e[0] = pv_mk_const(p, e->type, value);
      e->e[1] = 0;
    }
}

/* ---- slices ---- */
static inline struct pv_statement any_statement(const struct pv_program *p, uint64_t *random) {
  for (;;) {
    uint32_t f = (uint32_t)(random_word(random) % p->functions.n);
    if (p->functions.at[f].is_model || !p->functions.at[f].edges.n) continue;
    return (struct pv_statement){f, (uint32_t)(random_word(random) % p->functions.at[f].edges.n)};
  }
}

/* A slice that is no more than its criterion: nothing is closed. */
static inline struct pv_slice *bare(const struct pv_dependence *d, const pv_statements *list) {
  struct pv_slice *s = pv_slice_new(d);
  for (uint32_t i = 0; i < list->n; i++) {
    uint32_t at = s->edges_at[list->at[i].function] + list->at[i].edge;
    s->edges[at / 64] |= UINT64_C(1) << at % 64;
  }
  return s;
}

static inline bool has_primitive(const struct pv_program *p, const char *name) {
  for (uint32_t i = 0; i < p->prims.n; i++)
    if (strstr(p->prims.at[i].name, name)) return true;
  return false;
}

static inline void print_changes(const struct changed *c, struct pv_str *text) {
  const struct pv_program *p = c->p;
  pv_slice_print(c->slice, false, text);
  pv_str_add(text, "changed:\n");
  for (uint32_t i = 0; i < c->saved.n; i++)
    for (uint32_t f = 0; f < p->functions.n; f++) {
      const struct pv_function *g = &p->functions.at[f];
      if (c->saved.at[i].at < g->edges.at || c->saved.at[i].at >= g->edges.at + g->edges.n)
        continue;
      pv_str_addf(text, "  %s L%u: ", g->name, c->saved.at[i].was.from);
      pv_edge_print(p, g, &c->saved.at[i].was, text);
      pv_str_add(text, "  ->  ");
      pv_edge_print(p, g, c->saved.at[i].at, text);
      pv_str_addc(text, '\n');
    }
}

#endif
