/* observe.c -- `proviso observe`: runtime analyses of one execution, and a check of what they warn
 * of. */
#include "cli/cli.h"
#include "monitor/observe.h"
#include "proviso_internal.h"

struct verification {
  const struct pv_observation *observed;
  const struct pv_result *result;
};

static bool is_confirmed(const struct verification *v, const struct pv_warning *w) {
  bool order = w->kind == PV_WARNING_LOCK_ORDER;
  enum pv_property property = order ? PV_PROP_NO_DEADLOCK : PV_PROP_NO_DATA_RACE;
  for (uint32_t i = 0; i < v->result->violations.n; i++) {
    const struct pv_violation *error = &v->result->violations.at[i];
    if (error->property != property || !error->replayed) continue;
    if (order) return true;
    for (uint32_t k = 0; k < w->n; k++)
      if (error->line == v->observed->lines.at[w->side[k].place]) return true;
  }
  return false;
}

/* What the check says of a warning. Refuted: all executions were examined. */
static const char *outcome(void *user, uint32_t i) {
  const struct verification *v = user;
  if (is_confirmed(v, &v->observed->warnings.list.at[i])) return "confirmed";
  bool all = !v->result->condition.provisos.n && v->result->verdict != PV_UNKNOWN;
  return all ? "refuted" : "open";
}

/* 10: some warning is confirmed; 20: some is open; 0: there is none, or all are refuted. */
static int status_of(const struct verification *v) {
  int status = 0;
  for (uint32_t i = 0; i < v->observed->warnings.list.n; i++) {
    const char *said = v->result ? outcome((void *)v, i) : "open";
    if (said[0] == 'c') return 10;
    if (said[0] == 'o') status = 20;
  }
  return status;
}

static int failed(const proviso *p) {
  return pv_cli_complain(pv_str_cstr(&p->error), PV_EXIT_INPUT);
}

/* Looks for data races and deadlocks in all executions. */
static bool verify(proviso *p, struct verification *v) {
  p->options.properties = PV_PROP_BIT(PV_PROP_NO_DATA_RACE) | PV_PROP_BIT(PV_PROP_NO_DEADLOCK);
  p->options.keep_going = true;
  if (proviso_check(p) != PROVISO_OK) return false;
  v->result = &p->result;
  return true;
}

static int observe(proviso *p) {
  struct pv_observation o = {0};
  struct verification v = {.observed = &o};
  struct pv_str text = {0};
  if (!proviso_observe(p, &o)) return failed(p);
  int status = p->options.confirm && o.warnings.list.n && !verify(p, &v) ? failed(p) : 0;
  if (!status) {
    status = status_of(&v);
    pv_observation_print(&o, v.result ? outcome : NULL, &v, &text);
    pv_str_addf(&text, "%u warning%s after %llu steps\n", o.warnings.list.n,
                o.warnings.list.n == 1 ? "" : "s", (unsigned long long)o.steps);
    status = pv_cli_print(pv_str_cstr(&text), status);
  }
  pv_str_free(&text);
  pv_observation_clear(&o);
  return status;
}

int pv_cli_observe(const struct pv_command *self, int argc, char **argv) {
  proviso *p = proviso_new();
  int status = pv_cli_parse(self, &p->options, argc, argv);
  if (!status) status = pv_cli_load(p, &p->options.load);
  if (!status) status = observe(p);
  proviso_free(p);
  return status;
}
