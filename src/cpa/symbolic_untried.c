/* symbolic_untried.c -- inputs with values that an earlier engine did not try.
 *
 * Under such a condition a cell (PV_CELL_NEW_INPUT) says whether an input of the execution had a
 * new value. Only executions with one are examined. */
#include <stdlib.h>

#include "cpa/given_inputs.h"
#include "cpa/symbolic_internal.h"

pv_term pv_sym_with_new_input(struct pv_symbolic *s, pv_term when) {
  if (!s->restricts) return when;
  return pv_sym_and(s, when, pv_sym_get(s, pv_sym_cell(s, PV_CELL_NEW_INPUT, 0, 0, 0)));
}

/* The condition that the latest input has one of the values; NULL: it cannot be expressed. */
static pv_term has_value(struct pv_symbolic *s, const struct pv_edge *e,
                         const struct pv_open_part *site) {
  pv_terms any = {0};
  if (!s->input || e->dst == PV_NO_VAR || pv_type_kind(e->type) != PV_T_INT) return NULL;
  const struct pv_cell *c = pv_symbolic_cell(s, pv_sym_variable(s, s->frame, e->dst));
  bool is_bits = c->sort.kind == PV_SORT_BV;
  if (c->type != e->type || pv_type_bits(c->type) > 64) return NULL;
  if (!is_bits && c->sort.kind != PV_SORT_INT) return NULL;
  pv_term t = pv_encode_convert(&s->encoder, c->type, s->input, c->is_signed, false);
  pv_sym_encoded(s);
  enum pv_smt_op le = is_bits ? PV_SMT_BVULE : PV_SMT_LE;
  struct pv_sort sort = pv_smt_sort(s->smt, t);
  for (uint32_t i = 0; i < site->tried.n; i++) {
    pv_term low = pv_smt_number(s->smt, sort, site->tried.at[i].low, 0);
    pv_term high = pv_smt_number(s->smt, sort, site->tried.at[i].high, 0);
    pv_vec_push(&any, pv_smt_mk2(s->smt, PV_SMT_AND, pv_smt_mk2(s->smt, le, low, t),
                                 pv_smt_mk2(s->smt, le, t, high)));
  }
  pv_term one = pv_smt_mk(s->smt, PV_SMT_OR, any.n, any.at);
  pv_vec_free(&any);
  return one;
}

void pv_sym_note_untried(struct pv_symbolic *s, const struct pv_edge *e) {
  const struct pv_frame *f = pv_control_frame(s->control, s->frame);
  const struct pv_open_part *site = pv_given_inputs_site(s->options.untried, f->function, s->edge);
  if (!site) return;
  uint32_t cell = pv_sym_cell(s, PV_CELL_NEW_INPUT, 0, 0, 0);
  pv_term tried = has_value(s, e, site), any = pv_smt_bool(s->smt, true);
  if (tried)
    any = pv_smt_mk2(s->smt, PV_SMT_OR, pv_sym_get(s, cell), pv_smt_mk1(s->smt, PV_SMT_NOT, tried));
  pv_sym_set(s, cell, any);
}

void pv_sym_leave_tried(struct pv_symbolic *s, const struct pv_move *m) {
  const struct pv_given_inputs *u = s->options.untried;
  uint32_t from = pv_control_frame(s->control, m->frame)->function;
  uint32_t to = pv_control_frame(s->control, m->to.frame)->function;
  bool might = m->outside == PV_OUTSIDE_LEAVES;
  if (!s->restricts || pv_given_inputs_comes(u, to, m->to.loc)) return;
  if (!might && !pv_given_inputs_comes(u, from, pv_sym_edge(s)->from)) return;
  pv_sym_assume(s, pv_sym_get(s, pv_sym_cell(s, PV_CELL_NEW_INPUT, 0, 0, 0)));
}
