#include "report/html_internal.h"

#include "report/coverage.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void pv_html_escape(const char *text, struct pv_str *out) {
  struct pv_str clean = {0};
  pv_report_clean(text, 0, true, &clean);
  for (const char *c = pv_str_cstr(&clean); *c; c++) {
    switch (*c) {
    case '&': pv_str_add(out, "&amp;"); break;
    case '<': pv_str_add(out, "&lt;"); break;
    case '>': pv_str_add(out, "&gt;"); break;
    case '"': pv_str_add(out, "&quot;"); break;
    case '\'': pv_str_add(out, "&#39;"); break;
    default: pv_str_addc(out, *c);
    }
  }
  pv_str_free(&clean);
}

void pv_html_json(const char *text, struct pv_str *out) {
  struct pv_str clean = {0};
  if (!text) {
    pv_str_add(out, "null");
    return;
  }
  pv_report_clean(text, 0, true, &clean);
  pv_str_addc(out, '"');
  for (const char *c = pv_str_cstr(&clean); *c; c++) {
    if (*c == '"' || *c == '\\')
      pv_str_addf(out, "\\%c", *c);
    else if (*c == '<' || *c == '>' || *c == '&')
      pv_str_addf(out, "\\u%04x", *c);
    else
      pv_str_addc(out, *c);
  }
  pv_str_addc(out, '"');
  pv_str_free(&clean);
}

/* ---- the head of the page ---------------------------------------------------------------------
 */
/* "for unreach-call, no-data-race" */
static void add_properties(const struct pv_report *r, struct pv_str *out) {
  struct pv_str names = {0};
  pv_properties set = r->result->checked ? r->result->checked : r->options->properties;
  pv_properties_print(set, &names);
  for (const char *c = pv_str_cstr(&names); *c; c++) {
    pv_str_addc(out, *c);
    if (*c == ',') pv_str_addc(out, ' ');
  }
  pv_str_free(&names);
}

static void add_files(const struct pv_report *r, struct pv_str *out) {
  for (uint32_t i = 0; i < r->options->files.n; i++) {
    if (i) pv_str_add(out, ", ");
    pv_html_escape(r->options->files.at[i], out);
  }
}

/* A sentence in which code stands between backquotes. */
static void add_sentence(const char *tag, const char *text, struct pv_str *out) {
  struct pv_str plain = {0};
  bool code = false;
  pv_html_escape(text, &plain);
  pv_str_addf(out, "<%s>", tag);
  for (const char *c = pv_str_cstr(&plain); *c; c++) {
    if (*c == '`') {
      pv_str_add(out, code ? "</code>" : "<code>");
      code = !code;
    } else {
      pv_str_addc(out, *c);
    }
  }
  pv_str_addf(out, "%s</%s>\n", code ? "</code>" : "", tag);
  pv_str_free(&plain);
}

/* The verdict as a sentence. */
/* The sentence with "FILE:LINE" instead of "FOLDER/FILE:LINE". The caller frees it. */
static char *without_folders(const char *sentence) {
  struct pv_str out = {0};
  for (const char *c = sentence; *c;) {
    size_t n = strcspn(c, " "), file = strcspn(c, ": ");
    const char *name = c;
    bool place = c[file] == ':' && c[file + 1] >= '0' && c[file + 1] <= '9';
    for (const char *s = c; place && s < c + file; s++)
      if (*s == '/') name = s + 1;
    pv_str_addn(&out, name, n - (size_t)(name - c));
    for (c += n; *c == ' '; c++) pv_str_addc(&out, ' ');
  }
  return out.at ? out.at : pv_strdup("");
}

static void add_verdict(const struct pv_report *r, struct pv_str *out) {
  static const char *const meaning[] = {
      [PV_UNKNOWN] = "Nothing is proven.",
      [PV_TRUE] = "No error is possible: every schedule and every input was covered.",
      [PV_CONDITIONAL] = "No error was found, and none is possible under the conditions below."};
  const struct pv_result *result = r->result;
  const char *name = pv_verdict_name(result->verdict);
  pv_str_addf(out,
              "<p class=\"verdict %s\"><span class=\"mark\" aria-hidden=\"true\"></span>%s</p>\n",
              name, name);
  if (result->verdict != PV_FALSE || !result->violations.n) {
    add_sentence("h1", meaning[result->verdict == PV_FALSE ? PV_UNKNOWN : result->verdict], out);
    if (result->verdict == PV_UNKNOWN && result->reason) add_sentence("p", result->reason, out);
    return;
  }
  const struct pv_violation *v = &result->violations.at[0];
  char *short_one = without_folders(v->message ? v->message : "error");
  add_sentence("h1", short_one, out);
  free(short_one);
  pv_str_add(out, "<p class=\"place\">");
  if (v->file) {
    pv_str_add(out, "at <code>");
    pv_html_escape(v->file, out);
    pv_str_addf(out, ":%" PRIu32 "</code>", v->line);
    if (v->function) {
      pv_str_add(out, " in <code>");
      pv_html_escape(v->function, out);
      pv_str_add(out, "</code>");
    }
    pv_str_add(out, ", ");
  }
  pv_str_addf(out, "property <code>%s</code>%s</p>\n", pv_property_table[v->property].name,
              v->replayed ? "; the path was run again before it was shown" : "");
}

static void add_provisos(const struct pv_report *r, struct pv_str *out) {
  const struct pv_condition *c = &r->result->condition;
  bool is_false = r->result->verdict == PV_FALSE;
  if (!c->provisos.n || (is_false && !r->options->keep_going)) return;
  pv_str_addf(out, "<section class=\"provisos\" aria-label=\"provisos\"><h2>%s</h2><ul>\n",
              is_false ? "There are no further errors, provided that" : "Provided that");
  for (uint32_t i = 0; i < c->provisos.n; i++) {
    struct pv_str about = {0};
    pv_report_about(&c->provisos.at[i], r->result->checked, &about);
    pv_str_add(out, "<li>");
    pv_html_escape(c->provisos.at[i].sentence, out);
    if (about.n) {
      pv_str_add(out, " <span class=\"about\">(");
      about.at[strcspn(about.at, "\n")] = '\0';
      size_t n = strlen(about.at);
      if (n > 2) about.at[n - 2] = '\0'; /* the comma at its end */
      pv_html_escape(about.at, out);
      pv_str_add(out, ")</span>");
    }
    pv_str_add(out, "</li>\n");
    pv_str_free(&about);
  }
  pv_str_add(out, "</ul></section>\n");
}

/* The commands that would help, as --explain tells them: a sentence, and below it what to paste. */
static void add_advice(const struct pv_report *r, struct pv_str *out) {
  static const char title[] = "\nWhat would help:\n", command[] = "    ";
  struct pv_str text = {0};
  pv_report_explain(r, &text);
  const char *line = strstr(pv_str_cstr(&text), title);
  bool open = r->result->verdict == PV_CONDITIONAL || r->result->verdict == PV_UNKNOWN;
  if (line && open) {
    pv_str_add(
        out, "<section class=\"advice\" aria-label=\"what would help\"><h2>What would help</h2>\n");
    for (line += sizeof title - 1; *line && *line != '\n'; line += strcspn(line, "\n") + 1) {
      bool pasted = !strncmp(line, command, sizeof command - 1);
      line += strspn(line, " ");
      char *part = pv_format("%.*s", (int)strcspn(line, "\n"), line);
      pv_str_add(out, pasted ? "<pre><code>" : "<p>");
      pv_html_escape(part, out);
      pv_str_add(out, pasted ? "</code></pre>\n" : "</p>\n");
      free(part);
    }
    pv_str_add(out, "</section>\n");
  }
  pv_str_free(&text);
}

/* Assumptions and remarks that a reader of the verdict should know. */
static void add_remarks(const struct pv_report *r, struct pv_str *out) {
  bool holds = r->result->verdict == PV_TRUE || r->result->verdict == PV_CONDITIONAL;
  uint32_t assumed = holds ? r->result->assumed : 0;
  if (!assumed && !r->result->notes.n) return;
  pv_str_add(out, "<details class=\"remarks\" open><summary>Remarks</summary><ul>\n");
  for (unsigned i = 0; i < PV_ASSUMES_COUNT; i++)
    if (assumed >> i & 1)
      pv_str_addf(out, "<li>Taken for granted: %s (<code>%s</code>).</li>\n",
                  pv_assumption_table[i].holds, pv_assumption_table[i].option);
  for (uint32_t i = 0; i < r->result->notes.n; i++) add_sentence("li", r->result->notes.at[i], out);
  pv_str_add(out, "</ul></details>\n");
}

static void add_invariants(const struct pv_report *r, struct pv_str *out) {
  const struct pv_proof_result *proof = &r->result->proof;
  if (proof->state == PV_PROOF_NONE || !proof->invariants.n) return;
  pv_str_addf(out,
              "<section class=\"proof\" aria-label=\"proof\"><h2>Proof <span>%s</span></h2>"
              "<table><thead><tr><th>place</th><th>invariant</th></tr></thead><tbody>\n",
              pv_proof_state_names[proof->state]);
  for (uint32_t i = 0; i < proof->invariants.n; i++) {
    const struct pv_invariant *v = &proof->invariants.at[i];
    const char *slash = v->file ? strrchr(v->file, '/') : NULL;
    pv_str_add(out, "<tr><td>");
    pv_html_escape(slash ? slash + 1 : v->file ? v->file : "?", out);
    pv_str_addf(out, ":%" PRIu32 " ", v->line);
    if (v->calls) pv_html_escape(v->calls, out);
    pv_str_add(out, "</td><td><code>");
    pv_html_escape(v->formula, out);
    pv_str_add(out, "</code></td></tr>\n");
  }
  pv_str_add(out, "</tbody></table></section>\n");
}

static void add_number(const char *name, uint64_t value, struct pv_str *out) {
  if (value) pv_str_addf(out, "<div><dt>%s</dt><dd>%" PRIu64 "</dd></div>\n", name, value);
}

/* How the verdict came about. */
static void add_run(const struct pv_report *r, struct pv_str *out) {
  const struct pv_stats *s = &r->result->stats;
  pv_str_add(out, "<section class=\"run\" aria-label=\"run\"><h2>Run</h2><dl>\n");
  pv_str_add(out, "<div><dt>checked for</dt><dd>");
  add_properties(r, out);
  pv_str_add(out, "</dd></div>\n");
  if (r->engine) pv_str_addf(out, "<div><dt>engine</dt><dd>%s</dd></div>\n", r->engine);
  pv_str_addf(out, "<div><dt>data model</dt><dd>%s-bit</dd></div>\n",
              r->options->ilp32 ? "32" : "64");
  bool symbolic = !s->threads && !s->component_bytes;
  add_number(symbolic ? "abstract states" : "states", s->states, out);
  add_number("executions", s->executions, out);
  add_number("transitions", s->transitions, out);
  add_number("longest path", s->depth, out);
  add_number("threads at once", s->threads, out);
  add_number("refinements", s->refinements, out);
  add_number("predicates", s->predicates, out);
  if (s->cpu_seconds > 0)
    pv_str_addf(out, "<div><dt>CPU time</dt><dd>%.2f s</dd></div>\n", s->cpu_seconds);
  pv_str_addf(out, "<div><dt>proviso</dt><dd>%s</dd></div>\n</dl></section>\n", PROVISO_VERSION);
}

/* ---- the page ---------------------------------------------------------------------------------
 */
static bool ends_in(const char *name, const char *ending) {
  size_t n = strlen(name), m = strlen(ending);
  return n >= m && !strcmp(name + n - m, ending);
}

static void add_assets(const char *ending, struct pv_str *out) {
  for (const struct pv_html_asset *a = pv_html_assets; a->name; a++)
    if (ends_in(a->name, ending)) pv_str_add(out, a->text);
}

static void add_head(const struct pv_report *r, const char *nonce, struct pv_str *out) {
  struct pv_str line = {0};
  pv_result_line(r->result, &line);
  pv_str_addf(
      out,
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
      "script-src 'nonce-%s'; style-src 'nonce-%s'; base-uri 'none'; form-action 'none'\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta name=\"color-scheme\" content=\"light dark\">\n<title>%s: ",
      nonce, nonce, pv_str_cstr(&line));
  add_files(r, out);
  pv_str_addf(out, "</title>\n<style nonce=\"%s\">\n", nonce);
  add_assets(".css", out);
  pv_str_add(out, "</style>\n</head>\n");
  pv_str_free(&line);
}

void pv_report_html(const struct pv_report *r, struct pv_str *out) {
  struct pv_str data = {0};
  char nonce[17];
  pv_html_data(r, &data);
  snprintf(nonce, sizeof nonce, "%016" PRIx64, pv_hash(data.at, data.n));
  add_head(r, nonce, out);
  pv_str_add(out, "<body>\n<a class=\"skip\" href=\"#path\">Skip to the error path</a>\n"
                  "<header>\n<div class=\"top\"><span class=\"name\">proviso</span> <code>");
  add_files(r, out);
  pv_str_add(out, "</code><span class=\"tools\" id=\"tools\"></span></div>\n");
  add_verdict(r, out);
  pv_str_add(out, "</header>\n<main>\n");
  add_provisos(r, out);
  add_advice(r, out);
  add_assets(".html", out);
  add_invariants(r, out);
  add_run(r, out);
  pv_html_tried(r, out);
  pv_html_plots(r, out);
  add_remarks(r, out);
  pv_str_add(out, "</main>\n<script type=\"application/json\" id=\"data\">");
  pv_str_addn(out, data.at, data.n);
  pv_str_addf(out, "</script>\n<script nonce=\"%s\">\n(() => {\n\"use strict\";\n", nonce);
  add_assets(".js", out);
  pv_str_add(out, "})();\n</script>\n</body>\n</html>\n");
  pv_str_free(&data);
}
