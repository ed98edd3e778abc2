#include "result/result.h"

#include <stdlib.h>
#include <string.h>

const struct pv_assumption_info pv_assumption_table[PV_ASSUMES_COUNT] = {
#define X(N, W, O) {#N, W, O},
    PV_ASSUMPTIONS(X)
#undef X
};
const char *const pv_interaction_names[PV_INTERACTION_COUNT] = {
#define X(N, T) T,
    PV_INTERACTIONS(X)
#undef X
};
const char *const pv_source_origin_names[PV_ORIGIN_COUNT] = {
#define X(N, T) T,
    PV_SOURCE_ORIGINS(X)
#undef X
};
const char *const pv_source_type_names[PV_SOURCE_COUNT] = {
#define X(N, T) T,
    PV_SOURCE_TYPES(X)
#undef X
};

const char *const pv_proof_state_names[PV_PROOF_COUNT] = {
#define X(N, T) T,
    PV_PROOF_STATES(X)
#undef X
};

bool pv_error_is(const struct pv_error_key *a, const struct pv_error_key *b) {
  bool same_place = a->span == b->span || !a->span || !b->span;
  bool same_text = !a->message || !b->message || strcmp(a->message, b->message) == 0;
  return a->property == b->property && same_place && same_text;
}

struct pv_path_cost pv_path_cost(const struct pv_choice *choices, uint32_t n) {
  struct pv_path_cost cost = {0, n};
  for (uint32_t i = 1; i < n; i++) cost.switches += choices[i].thread != choices[i - 1].thread;
  return cost;
}

bool pv_path_less(struct pv_path_cost a, struct pv_path_cost b) {
  return a.switches < b.switches || (a.switches == b.switches && a.transitions < b.transitions);
}

void pv_step_clear(struct pv_step *s) {
  for (uint32_t i = 0; i < s->changes.n; i++) {
    free(s->changes.at[i].name);
    free(s->changes.at[i].value);
  }
  pv_vec_free(&s->changes);
  for (uint32_t i = 0; i < s->interactions.n; i++) free(s->interactions.at[i].object);
  pv_vec_free(&s->interactions);
  free(s->function);
  free(s->file);
  free(s->text);
  free(s->note);
  free(s->output);
}

void pv_path_clear(struct pv_error_path *p) {
  for (uint32_t i = 0; i < p->steps.n; i++) pv_step_clear(&p->steps.at[i]);
  for (uint32_t i = 0; i < p->sources.n; i++) {
    free(p->sources.at[i].name);
    free(p->sources.at[i].file);
    free(p->sources.at[i].function);
  }
  pv_vec_free(&p->steps);
  pv_vec_free(&p->sources);
  pv_vec_free(&p->inputs);
  pv_vec_free(&p->choices);
  *p = (struct pv_error_path){0};
}

void pv_violation_clear(struct pv_violation *v) {
  pv_path_clear(&v->path);
  free(v->message);
  free(v->file);
  free(v->function);
  *v = (struct pv_violation){0};
}

void pv_proof_result_clear(struct pv_proof_result *p) {
  for (uint32_t i = 0; i < p->invariants.n; i++) {
    free(p->invariants.at[i].file);
    free(p->invariants.at[i].function);
    free(p->invariants.at[i].calls);
    free(p->invariants.at[i].formula);
  }
  pv_vec_free(&p->invariants);
  *p = (struct pv_proof_result){0};
}

void pv_result_add_tried(struct pv_result *to, const char *engine, const struct pv_result *r,
                         bool told) {
  const struct pv_condition *c = &r->condition;
  bool is_open = r->verdict == PV_CONDITIONAL || r->verdict == PV_UNKNOWN;
  struct pv_tried t = {.engine = pv_strdup(engine),
                       .outcome = pv_strdup(told ? "stopped" : pv_verdict_name(r->verdict)),
                       .cpu_seconds = r->stats.cpu_seconds,
                       .states = r->stats.states};
  if (is_open && r->reason)
    t.why = pv_strdup(r->reason);
  else if (is_open && c->provisos.n == 1)
    t.why = pv_format("it holds provided that %s", c->provisos.at[0].sentence);
  else if (is_open && c->provisos.n)
    t.why = pv_format("it holds provided that %s (and %u more)", c->provisos.at[0].sentence,
                      c->provisos.n - 1);
  pv_vec_push(&to->tried, t);
}

void pv_result_clear(struct pv_result *r) {
  for (uint32_t i = 0; i < r->tried.n; i++) {
    free(r->tried.at[i].engine);
    free(r->tried.at[i].outcome);
    free(r->tried.at[i].why);
  }
  pv_vec_free(&r->tried);
  pv_vec_free(&r->samples);
  pv_proof_result_clear(&r->proof);
  pv_vec_free(&r->coverage.edges);
  pv_condition_clear(&r->condition);
  for (uint32_t i = 0; i < r->violations.n; i++) pv_violation_clear(&r->violations.at[i]);
  pv_vec_free(&r->violations);
  for (uint32_t i = 0; i < r->notes.n; i++) free(r->notes.at[i]);
  pv_vec_free(&r->notes);
  free(r->reason);
  *r = (struct pv_result){0};
}

const char *pv_verdict_name(enum pv_verdict v) {
  switch (v) {
  case PV_UNKNOWN: return "unknown";
  case PV_TRUE: return "true";
  case PV_CONDITIONAL: return "conditional";
  case PV_FALSE: return "false";
  }
  return "unknown";
}

void pv_result_line(const struct pv_result *r, struct pv_str *out) {
  pv_str_add(out, pv_verdict_name(r->verdict));
  if (r->verdict == PV_FALSE && r->violations.n)
    pv_str_addf(out, "(%s)", pv_property_table[r->violations.at[0].property].name);
}

int pv_result_exit_status(const struct pv_result *r) {
  return r->verdict == PV_TRUE ? 0 : r->verdict == PV_FALSE ? 10 : 20;
}
