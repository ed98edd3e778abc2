/* observe.c -- `proviso observe`: runtime analyses of one execution, and a check of what they warn
 * of. */
#include "cli/cli.h"
#include "cli/outputs.h"
#include "monitor/trace.h"
#include "native/replay.h"
#include "plan/confirm.h"
#include "proviso_internal.h"

#include <stdio.h>
#include <stdlib.h>

static const char *outcome(void *user, uint32_t i) {
  static const char *const names[] = {
      [PV_LEFT_OPEN] = "open", [PV_CONFIRMED] = "confirmed", [PV_REFUTED] = "refuted"};
  const struct pv_verdict_on_warning *verdicts = user;
  return names[verdicts[i].what];
}

static bool any(const struct pv_verdict_on_warning *verdicts, uint32_t n,
                enum pv_confirmation what) {
  for (uint32_t i = 0; i < n; i++)
    if (verdicts[i].what == what) return true;
  return false;
}

/* 10: some warning is confirmed; 20: some is open; 0: there is none, or all are refuted. */
static int status_of(const struct pv_verdict_on_warning *verdicts, uint32_t n) {
  if (!n) return 0;
  if (!verdicts) return 20;
  return any(verdicts, n, PV_CONFIRMED) ? 10 : any(verdicts, n, PV_LEFT_OPEN) ? 20 : 0;
}

static int failed(const proviso *p) {
  return pv_cli_complain(pv_str_cstr(&p->error), PV_EXIT_INPUT);
}

/* How the errors were found, and under which condition what is open is none. */
static void print_verdicts(const proviso *p, const struct pv_verdict_on_warning *verdicts,
                           uint32_t n, struct pv_str *out) {
  for (uint32_t i = 0; i < n; i++)
    if (verdicts[i].what == PV_CONFIRMED) {
      const struct pv_violation *v = &p->result.violations.at[verdicts[i].violation];
      pv_str_addf(out, "Confirmed: warning %u by %s, error %u: %s\n", i + 1, verdicts[i].by,
                  verdicts[i].violation + 1, v->message);
    }
  if (any(verdicts, n, PV_LEFT_OPEN))
    pv_str_add(out,
               "Open: no execution that was examined shows the others. None does, provided that\n");
  else if (p->result.condition.provisos.n)
    pv_str_add(out, "Provided that\n");
  for (uint32_t i = 0; i < p->result.condition.provisos.n; i++)
    pv_str_addf(out, "  - %s\n", p->result.condition.provisos.at[i].sentence);
}

static bool look(proviso *p, struct pv_observation *o) {
  pv_str_clear(&p->error);
  if (!p->options.trace.n) return proviso_observe(p, o);
  return pv_trace_observe(pv_vec_last(&p->options.trace), o, &p->error) == PV_OK;
}

/* Executes the program once more, natively, with the same schedule. What the machine saw is
 * replaced by what the trace shows. */
static int observe_natively(proviso *p, struct pv_observation *o, struct pv_str *text) {
  struct pv_observation traced = {0};
  struct pv_native_outcome how = {0};
  proviso_status ran = proviso_observe_native(p, o, &traced, &how);
  int status = 0;
  if (ran != PROVISO_OK)
    status = pv_cli_complain(pv_str_cstr(&p->error),
                             ran == PROVISO_INTERNAL ? PV_EXIT_INTERNAL : PV_EXIT_INPUT);
  else if (how.off && how.output)
    pv_str_addf(text, "%s\n", how.output);
  pv_str_addf(text, "Schedule: %u turns", how.turns);
  if (how.left_out)
    pv_str_addf(text, "; %u places do not exist in the compiled program", how.left_out);
  pv_str_addf(text, "%s\n", how.off ? "; the program left it" : "");
  for (uint32_t i = 0; i < how.doubts.n; i++)
    pv_str_addf(text, "Not imposed natively: %s\n", how.doubts.at[i]);
  pv_native_outcome_clear(&how);
  pv_observation_clear(o);
  *o = traced;
  return status;
}

static int observe(proviso *p) {
  struct pv_observation o = {0};
  struct pv_verdict_on_warning *verdicts = NULL;
  struct pv_str text = {0};
  bool traced = p->options.trace.n;
  if (!look(p, &o)) {
    pv_observation_clear(&o);
    return failed(p);
  }
  int status = p->options.native && !traced ? observe_natively(p, &o, &text) : 0;
  traced |= p->options.native;
  uint32_t n = o.warnings.list.n;
  bool confirms = p->options.confirm && n && !traced;
  if (confirms && proviso_confirm(p, &o, &verdicts) != PROVISO_OK) status = failed(p);
  if (!status) {
    status = status_of(verdicts, n);
    pv_observation_print(&o, verdicts ? outcome : NULL, verdicts, &text);
    if (verdicts) print_verdicts(p, verdicts, n, &text);
    pv_str_addf(&text, "%u warning%s after %llu %s\n", n, n == 1 ? "" : "s",
                (unsigned long long)o.steps, traced ? "events" : "steps");
    int files = verdicts ? pv_outputs_write_all(p) : 0;
    if (files) status = files;
    bool taken = pv_outputs_take_standard_output(&p->options);
    if (taken) fputs(pv_str_cstr(&text), stderr);
    if (!taken) status = pv_cli_print(pv_str_cstr(&text), status);
  }
  pv_str_free(&text);
  free(verdicts);
  pv_observation_clear(&o);
  return status;
}

int pv_cli_observe(const struct pv_command *self, int argc, char **argv) {
  proviso *p = proviso_new();
  int status = pv_cli_parse(self, &p->options, argc, argv);
  if (!status) status = pv_outputs_probe(&p->options);
  if (!status) status = pv_cli_load(p, &p->options.load);
  if (!status) status = observe(p);
  proviso_free(p);
  return status;
}
