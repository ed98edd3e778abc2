#include "cli/outputs.h"

#include "cli/cli.h"
#include "proviso_internal.h"
#include "report/coverage.h"
#include "report/html.h"
#include "report/junit.h"
#include "report/output.h"
#include "report/sarif.h"
#include "report/state_graph.h"
#include "sched/sched.h"
#include "witness/write.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

/* ---- what is written, in this order -----------------------------------------------------------
 */
/* Appends the text of the file; NULL, or why there is none. */
typedef const char *make_fn(proviso *p, struct pv_str *out);

static const char *make_harness(proviso *p, struct pv_str *out) {
  const char *harness = proviso_harness(p);
  if (!harness) return proviso_error(p);
  pv_str_add(out, harness);
  return NULL;
}

static const char *make_coverage(proviso *p, struct pv_str *out) {
  const struct pv_coverage *c = &p->result.coverage;
  if (pv_coverage_is_known(p->program, c)) {
    pv_coverage_lcov(p->program, c, out);
    return NULL;
  }
  return p->result.violations.n ? "with an error nothing counts as verified"
                                : "this engine does not tell what is verified";
}

static const char *make_json(proviso *p, struct pv_str *out) {
  pv_str_add(out, proviso_json(p));
  return NULL;
}

static const char *make_report(proviso *p, struct pv_str *out) {
  struct pv_report report = proviso_report(p, false);
  struct pv_state_graph states = {0};
  if (proviso_states(p, &states)) report.states = &states;
  pv_report_html(&report, out);
  pv_state_graph_clear(&states);
  return NULL;
}

static const char *make_sarif(proviso *p, struct pv_str *out) {
  struct pv_report report = proviso_report(p, false);
  pv_report_sarif(&report, out);
  return NULL;
}

static const char *make_junit(proviso *p, struct pv_str *out) {
  struct pv_report report = proviso_report(p, false);
  pv_report_junit(&report, out);
  return NULL;
}

static const char *make_witness(proviso *p, struct pv_str *out) {
  const char *version = pv_options_choice_name("witness-version", p->options.witness_version);
  bool preemptive = p->program && pv_sched_of(p->program->sched)->preemptive;
  return pv_witness_write(&p->options, &p->result, version, preemptive, out);
}

static const struct output {
  const char *name;
  size_t option; /* offset of the option */
  make_fn *make;
} outputs[] = {
    {"harness", offsetof(struct pv_options, harness), make_harness},
    {"coverage", offsetof(struct pv_options, coverage), make_coverage},
    {"json", offsetof(struct pv_options, json), make_json},
    {"report", offsetof(struct pv_options, report), make_report},
    {"sarif", offsetof(struct pv_options, sarif), make_sarif},
    {"junit", offsetof(struct pv_options, junit), make_junit},
    {"witness", offsetof(struct pv_options, witness), make_witness},
};
enum { OUTPUTS = sizeof outputs / sizeof *outputs };

static const struct pv_texts *path_of(const struct pv_options *o, unsigned i) {
  return (const struct pv_texts *)(const void *)((const char *)o + outputs[i].option);
}

/* ---- writing ----------------------------------------------------------------------------------
 */
static bool is_standard_output(const struct pv_texts *path) {
  return path->n && strcmp(path->at[0], "-") == 0;
}

bool pv_outputs_take_standard_output(const struct pv_options *o) {
  for (unsigned i = 0; i < OUTPUTS; i++)
    if (is_standard_output(path_of(o, i))) return true;
  return false;
}

int pv_outputs_write(const struct pv_texts *path, const char *text) {
  if (is_standard_output(path)) return pv_cli_print(text, 0);
  struct pv_str err = {0};
  enum pv_status status = pv_output_write(path->at[0], text, strlen(text), &err);
  int exit_status = status == PV_OK ? 0 : pv_cli_complain(pv_str_cstr(&err), PV_EXIT_INTERNAL);
  pv_str_free(&err);
  return exit_status;
}

int pv_outputs_probe(const struct pv_options *o) {
  struct pv_str err = {0};
  enum pv_status status = PV_OK;
  const char *other = NULL;
  for (unsigned i = 0; i < OUTPUTS && status == PV_OK; i++) {
    const struct pv_texts *path = path_of(o, i);
    if (is_standard_output(path) && other) {
      pv_str_addf(&err, "`--%s -` and `--%s -` exclude each other", other, outputs[i].name);
      status = PV_E_INPUT;
    } else if (is_standard_output(path)) {
      other = outputs[i].name;
    } else if (path->n) {
      status = pv_output_probe(path->at[0], &err);
    }
  }
  if (status == PV_OK && o->proviso.n) status = pv_output_probe(o->proviso.at[0], &err);
  int exit_status = status == PV_OK ? 0 : pv_cli_complain(pv_str_cstr(&err), PV_EXIT_INPUT);
  pv_str_free(&err);
  return exit_status;
}

int pv_outputs_write_all(proviso *p) {
  int exit_status = 0;
  for (unsigned i = 0; i < OUTPUTS; i++) {
    struct pv_str text = {0};
    const struct pv_texts *path = path_of(&p->options, i);
    if (!path->n) continue;
    const char *why = outputs[i].make(p, &text);
    if (why) pv_vec_push(&p->result.notes, pv_format("no %s is written: %s", outputs[i].name, why));
    int status = why ? 0 : pv_outputs_write(path, pv_str_cstr(&text));
    if (!exit_status) exit_status = status;
    pv_str_free(&text);
  }
  return exit_status;
}

unsigned pv_outputs_count(void) {
  return OUTPUTS;
}

struct pv_texts *pv_outputs_path(struct pv_options *o, unsigned i) {
  return (struct pv_texts *)(void *)((char *)o + outputs[i].option);
}

void pv_outputs_take_over(struct pv_options *to, const struct pv_options *from) {
  for (unsigned i = 0; i < OUTPUTS; i++) {
    const struct pv_texts *path = path_of(from, i);
    struct pv_texts *own = (struct pv_texts *)(void *)((char *)to + outputs[i].option);
    if (path->n) pv_vec_push(own, pv_strdup(path->at[path->n - 1]));
  }
}
