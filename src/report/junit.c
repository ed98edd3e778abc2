#include "report/junit.h"

#include <stdlib.h>
#include <string.h>

/* Appends text for an attribute or the content of an element. What XML 1.0 cannot express is
 * written as an escape sequence of C; newlines stay if `lines`. */
static void add_text(const char *text, bool lines, struct pv_str *out) {
  for (;;) {
    size_t n = strcspn(text, "\n");
    char *line = pv_format("%.*s", (int)n, text);
    struct pv_str clean = {0};
    pv_report_clean(line, 0, true, &clean);
    for (const char *c = pv_str_cstr(&clean); *c; c++) {
      bool none = !strncmp(c, "\xef\xbf\xbe", 3) || !strncmp(c, "\xef\xbf\xbf", 3);
      switch (*c) {
      case '&': pv_str_add(out, "&amp;"); break;
      case '<': pv_str_add(out, "&lt;"); break;
      case '>': pv_str_add(out, "&gt;"); break;
      case '"': pv_str_add(out, "&quot;"); break;
      default:
        if (none) {
          pv_str_add(out, "\xef\xbf\xbd");
          c += 2;
        } else {
          pv_str_addc(out, *c);
        }
      }
    }
    pv_str_free(&clean);
    free(line);
    text += n;
    if (!*text++) return;
    pv_str_add(out, lines ? "\n" : " ");
  }
}

static void add_failure(const struct pv_violation *v, struct pv_str *out) {
  struct pv_str path = {0};
  struct pv_path_style style = {0};
  pv_str_addf(out, "      <failure type=\"%s\" message=\"", pv_property_table[v->property].name);
  add_text(v->message ? v->message : "error", false, out);
  pv_str_add(out, "\">");
  if (v->file) {
    pv_str_add(out, "at ");
    add_text(v->file, false, out);
    pv_str_addf(out, ":%u\n", v->line);
  }
  pv_report_path(&v->path, &style, &path);
  add_text(pv_str_cstr(&path), true, out);
  pv_str_add(out, "</failure>\n");
  pv_str_free(&path);
}

/* Why the property is not decided, as one sentence. */
static void add_skipped(const struct pv_report *r, enum pv_property property, struct pv_str *out) {
  const struct pv_condition *c = &r->result->condition;
  const char *before = "provided that ";
  pv_str_add(out, "      <skipped message=\"");
  if (r->result->verdict != PV_CONDITIONAL) {
    pv_str_add(out, "not decided, because another property is violated\"/>\n");
    return;
  }
  for (uint32_t i = 0; i < c->provisos.n; i++) {
    const struct pv_proviso *p = &c->provisos.at[i];
    if (p->about && !(p->about & PV_PROP_BIT(property))) continue;
    pv_str_add(out, before);
    add_text(p->sentence, false, out);
    before = ", and ";
  }
  pv_str_add(out, "\"/>\n");
}

enum outcome { PASSED, FAILED, SKIPPED, NOTHING, OUTCOMES };

static enum outcome outcome_of(const struct pv_report *r, enum pv_property property) {
  const struct pv_result *result = r->result;
  for (uint32_t i = 0; i < result->violations.n; i++)
    if (result->violations.at[i].property == property) return FAILED;
  switch (result->verdict) {
  case PV_TRUE: return PASSED;
  case PV_FALSE: return SKIPPED;
  case PV_UNKNOWN: return NOTHING;
  case PV_CONDITIONAL: break;
  }
  pv_properties holds = pv_condition_unconditional(&result->condition, result->checked);
  return holds & PV_PROP_BIT(property) ? PASSED : SKIPPED;
}

static void add_case(const struct pv_report *r, enum pv_property property, enum outcome outcome,
                     struct pv_str *out) {
  const struct pv_result *result = r->result;
  pv_str_add(out, "    <testcase classname=\"");
  for (uint32_t i = 0; i < r->options->files.n; i++) {
    if (i) pv_str_add(out, ", ");
    add_text(r->options->files.at[i], false, out);
  }
  pv_str_addf(out, "\" name=\"%s\" time=\"%.3f\">\n", pv_property_table[property].name,
              result->stats.seconds);
  if (outcome == FAILED)
    for (uint32_t i = 0; i < result->violations.n; i++)
      if (result->violations.at[i].property == property) {
        add_failure(&result->violations.at[i], out);
        break; /* a case has one failure */
      }
  if (outcome == SKIPPED) add_skipped(r, property, out);
  if (outcome == NOTHING) {
    pv_str_add(out, "      <error type=\"unknown\" message=\"");
    add_text(result->reason ? result->reason : "nothing is proven", false, out);
    pv_str_add(out, "\"/>\n");
  }
  pv_str_add(out, "    </testcase>\n");
}

void pv_report_junit(const struct pv_report *r, struct pv_str *out) {
  struct pv_str cases = {0}, line = {0};
  pv_properties set = r->result->checked ? r->result->checked : r->options->properties;
  unsigned n[OUTCOMES] = {0}, all = 0;
  for (unsigned i = 0; i < PV_PROP_COUNT; i++) {
    if (!(set & PV_PROP_BIT(i))) continue;
    enum outcome outcome = outcome_of(r, (enum pv_property)i);
    add_case(r, (enum pv_property)i, outcome, &cases);
    n[outcome]++;
    all++;
  }
  pv_result_line(r->result, &line);
  char *counts =
      pv_format("tests=\"%u\" failures=\"%u\" skipped=\"%u\" errors=\"%u\" time=\"%.3f\"", all,
                n[FAILED], n[SKIPPED], n[NOTHING], r->result->stats.seconds);
  pv_str_addf(out,
              "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"proviso\" %s>\n"
              "  <testsuite name=\"proviso: %s\" %s>\n",
              counts, pv_str_cstr(&line), counts);
  pv_str_add(out, pv_str_cstr(&cases));
  pv_str_add(out, "  </testsuite>\n</testsuites>\n");
  free(counts);
  pv_str_free(&cases);
  pv_str_free(&line);
}
