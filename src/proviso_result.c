/* proviso_result.c -- the result of a handle's last run, as the public API gives it. */
#include "proviso_internal.h"
#include "report/harness.h"

proviso_verdict proviso_get_verdict(const proviso *p) {
  switch (p->result.verdict) {
  case PV_TRUE: return PROVISO_TRUE;
  case PV_CONDITIONAL: return PROVISO_CONDITIONAL;
  case PV_FALSE: return PROVISO_FALSE;
  case PV_UNKNOWN: break;
  }
  return PROVISO_UNKNOWN;
}

const char *proviso_result_line(const proviso *p) {
  struct pv_str *line = &((proviso *)p)->line; /* a cache, not part of the handle's value */
  if (!line->n) pv_result_line(&p->result, line);
  return pv_str_cstr(line);
}

size_t proviso_count_provisos(const proviso *p) {
  return p->result.condition.provisos.n;
}

const char *proviso_get_proviso(const proviso *p, size_t i) {
  return i < p->result.condition.provisos.n ? p->result.condition.provisos.at[i].sentence : NULL;
}

size_t proviso_count_violations(const proviso *p) {
  return p->result.violations.n;
}

const char *proviso_get_violation(const proviso *p, size_t i) {
  proviso *cache = (proviso *)p;
  if (i >= p->result.violations.n) return NULL;
  while (cache->sentences.n <= i) {
    const struct pv_violation *v = &p->result.violations.at[cache->sentences.n];
    const char *message = v->message ? v->message : pv_property_table[v->property].name;
    pv_vec_push(&cache->sentences,
                v->file ? pv_format("%s:%u: %s", v->file, v->line, message) : pv_strdup(message));
  }
  return p->sentences.at[i];
}

uint64_t proviso_count_states(const proviso *p) {
  return p->result.stats.states;
}

struct pv_report proviso_report(const proviso *p, bool colour) {
  return (struct pv_report){.command = p->command,
                            .engine = p->engine,
                            .options = &p->options,
                            .result = &p->result,
                            .program = p->program,
                            .colour = colour};
}

const char *proviso_json(proviso *p) {
  struct pv_report report = proviso_report(p, false);
  if (!p->json.n) pv_report_json(&report, &p->json);
  return pv_str_cstr(&p->json);
}

const char *proviso_text(proviso *p) {
  struct pv_report report = proviso_report(p, false);
  if (!p->text.n) pv_report_text(&report, &p->text);
  return pv_str_cstr(&p->text);
}

const char *proviso_harness(proviso *p) {
  pv_str_clear(&p->error);
  if (p->harness.n) return p->harness.at;
  if (p->result.violations.n) {
    const char *why = pv_report_harness(p->program, &p->options, &p->result, &p->harness);
    if (!why) return p->harness.at;
    pv_str_add(&p->error, why);
  } else {
    pv_str_add(&p->error, "there is no error");
  }
  return NULL;
}
