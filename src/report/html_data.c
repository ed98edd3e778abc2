/* html_data.c -- the data of the page: files, coverage, graphs, and error paths. Steps are arrays,
 * and their texts are numbers of a common table, so that long paths stay small. */
#include "report/html_internal.h"

#include "report/coverage.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct data {
  const struct pv_report *report;
  struct pv_map paths; /* of the files that are shown, to their numbers */
  struct pv_map texts; /* 1 + number in the table of texts */
  struct pv_str *out;
};

/* ---- files ------------------------------------------------------------------------------------
 */
static bool is_own(const struct pv_function *f) {
  return f->defined && !f->is_library && !f->is_model;
}

/* Which files of the program are shown: those with its own functions, and those of error paths. */
static void choose_files(const struct data *d, uint8_t *chosen) {
  const struct pv_program *p = d->report->program;
  const struct pv_result *r = d->report->result;
  for (uint32_t i = 0; i < p->functions.n; i++) {
    const struct pv_function *f = &p->functions.at[i];
    if (is_own(f)) chosen[pv_span_of(p, f->span)->file] = 1;
  }
  for (uint32_t v = 0; v < r->violations.n; v++)
    for (uint32_t i = 0; i < r->violations.at[v].path.steps.n; i++) {
      const char *path = r->violations.at[v].path.steps.at[i].file;
      for (uint32_t k = 1; path && i < 1000 && k < p->files.n; k++)
        if (!strcmp(p->files.at[k].path, path)) chosen[k] = 1;
    }
}

/* Appends a line with tabs as blanks. */
static void add_line(const char *text, size_t n, struct pv_str *out) {
  enum { TAB = 8 };
  struct pv_str line = {0};
  while (n && (text[n - 1] == '\n' || text[n - 1] == '\r')) n--;
  for (size_t i = 0; i < n; i++) {
    if (text[i] != '\t') {
      pv_str_addc(&line, text[i] ? text[i] : ' ');
      continue;
    }
    do pv_str_addc(&line, ' ');
    while (line.n % TAB);
  }
  pv_html_json(pv_str_cstr(&line), out);
  pv_str_free(&line);
}

static void add_lines(const struct pv_file *f, struct pv_str *out) {
  pv_str_addc(out, '[');
  for (uint32_t i = 0; f->text && i < f->line_start.n; i++) {
    size_t from = f->line_start.at[i];
    size_t to = i + 1 < f->line_start.n ? f->line_start.at[i + 1] : f->length;
    if (i + 1 == f->line_start.n && from == to) break; /* behind the last newline */
    if (i) pv_str_addc(out, ',');
    add_line(f->text + from, to - from, out);
  }
  pv_str_addc(out, ']');
}

/* Fills numbers[i]: the number of the program's file i in the data, or UINT32_MAX. */
static void add_files(struct data *d, uint32_t *numbers) {
  const struct pv_program *p = d->report->program;
  uint8_t *chosen = pv_alloc(p->files.n + 1);
  uint32_t n = 0;
  choose_files(d, chosen);
  pv_str_add(d->out, "\"files\":[");
  for (uint32_t i = 0; i < p->files.n; i++) {
    numbers[i] = UINT32_MAX;
    if (!i || !chosen[i]) continue;
    bool is_new;
    uint32_t *number = pv_map_put_str(&d->paths, p->files.at[i].path, n, &is_new);
    numbers[i] = *number;
    if (!is_new) continue;
    pv_str_add(d->out, n++ ? ",\n{\"path\":" : "\n{\"path\":");
    pv_html_json(p->files.at[i].path, d->out);
    pv_str_add(d->out, ",\"lines\":");
    add_lines(&p->files.at[i], d->out);
    pv_str_addc(d->out, '}');
  }
  pv_str_add(d->out, "],\n");
  free(chosen);
}

/* [[file, line, state]]; state 0: open, not reached; 1: open, reached; 2: verified. */
static void add_coverage(struct data *d) {
  const struct pv_report *r = d->report;
  struct pv_coverage_table t;
  const char *before = "";
  if (!pv_coverage_is_known(r->program, &r->result->coverage) || r->result->violations.n) return;
  pv_coverage_table_fill(r->program, &r->result->coverage, &t);
  pv_str_add(d->out, "\"coverage\":[");
  for (uint32_t i = 0; i < t.line.n; i++) {
    const struct pv_line_coverage *l = &t.line.at[i];
    const uint32_t *file = pv_map_get_str(&d->paths, l->file);
    if (!file) continue;
    pv_str_addf(d->out, "%s[%" PRIu32 ",%" PRIu32 ",%d]", before, *file, l->line,
                l->verified ? 2 : l->reached);
    before = ",";
  }
  pv_str_add(d->out, "],\n");
  pv_coverage_table_clear(&t);
}

/* ---- paths ------------------------------------------------------------------------------------
 */
/* The number of the text in the table; 0: NULL. */
static uint32_t number_of(struct data *d, const char *text) {
  if (!text) return 0;
  return *pv_map_put_str(&d->texts, text, d->texts.n + 1, NULL);
}

/* [thread, function, file, line, text, note, output, changes, interactions]; the text is left out
 * (0) where the file has it. */
static void add_step(struct data *d, const struct pv_step *s) {
  const uint32_t *file = s->file ? pv_map_get_str(&d->paths, s->file) : NULL;
  pv_str_addf(d->out,
              "[%" PRIu32 ",%" PRIu32 ",%" PRId64 ",%" PRIu32 ",%" PRIu32 ",%" PRIu32 ",%" PRIu32
              ",[",
              s->thread, number_of(d, s->function), file ? (int64_t)*file : -1, s->line,
              file ? 0 : number_of(d, s->text), number_of(d, s->note), number_of(d, s->output));
  for (uint32_t i = 0; i < s->changes.n; i++)
    pv_str_addf(d->out, "%s%" PRIu32 ",%" PRIu32 ",%" PRIu32, i ? "," : "",
                number_of(d, s->changes.at[i].name), number_of(d, s->changes.at[i].value),
                s->changes.at[i].owner);
  pv_str_add(d->out, "],[");
  for (uint32_t i = 0; i < s->interactions.n; i++)
    pv_str_addf(d->out, "%s%d,%" PRIu32 ",%" PRIu32, i ? "," : "", (int)s->interactions.at[i].kind,
                s->interactions.at[i].thread, number_of(d, s->interactions.at[i].object));
  pv_str_add(d->out, "]]");
}

/* Thread and alternative of each transition, for the way through the graph of states. */
static void add_choices(struct data *d, const struct pv_error_path *path) {
  uint32_t most = 2 * PV_STATE_GRAPH_MOST;
  pv_str_add(d->out, "\"choices\":[");
  for (uint32_t i = 0; i < path->choices.n && i < most; i++)
    pv_str_addf(d->out, "%s%" PRIu32 ",%" PRIu32, i ? "," : "", path->choices.at[i].thread,
                path->choices.at[i].alternative);
  pv_str_add(d->out, "],");
}

static void add_violation(struct data *d, const struct pv_violation *v) {
  const uint32_t *file = v->file ? pv_map_get_str(&d->paths, v->file) : NULL;
  pv_str_add(d->out, "{\"message\":");
  pv_html_json(v->message ? v->message : "error", d->out);
  pv_str_addf(d->out,
              ",\"property\":\"%s\",\"file\":%" PRId64 ",\"line\":%" PRIu32 ",\"leftOut\":%" PRIu64
              ",\"gap\":%" PRIu32 ",",
              pv_property_table[v->property].name, file ? (int64_t)*file : -1, v->line,
              v->path.left_out, v->path.gap);
  if (v->path.is_lasso) pv_str_addf(d->out, "\"loop\":%" PRIu32 ",", v->path.loop_step);
  if (d->report->states) add_choices(d, &v->path);
  pv_str_add(d->out, "\"steps\":[");
  for (uint32_t i = 0; i < v->path.steps.n; i++) {
    if (i) pv_str_add(d->out, ",\n");
    add_step(d, &v->path.steps.at[i]);
  }
  pv_str_add(d->out, "]}");
}

static void add_texts(struct data *d) {
  pv_str_add(d->out, "\"texts\":[null");
  for (uint32_t i = 0; i < d->texts.n; i++) {
    const struct pv_map_entry *e = &d->texts.entry[i];
    char *text = pv_format("%.*s", (int)e->key_len, (const char *)e->key);
    pv_str_addc(d->out, ',');
    pv_html_json(text, d->out);
    free(text);
  }
  pv_str_add(d->out, "],\n");
}

static void add_names(struct pv_str *out) {
  pv_str_add(out, "\"interactions\":[");
  for (unsigned i = 0; i < PV_INTERACTION_COUNT; i++)
    pv_str_addf(out, "%s\"%s\"", i ? "," : "", pv_interaction_names[i]);
  pv_str_add(out, "],\n");
}

void pv_html_data(const struct pv_report *r, struct pv_str *out) {
  struct data d = {.report = r, .out = out};
  uint32_t *files = pv_alloc(((r->program ? r->program->files.n : 0) + 1) * sizeof *files);
  pv_str_addf(out, "{\"verdict\":\"%s\",\n", pv_verdict_name(r->result->verdict));
  if (r->program) {
    add_files(&d, files);
    add_coverage(&d);
    pv_str_add(out, "\"graphs\":");
    pv_html_graphs(r->program, files, out);
    pv_str_add(out, ",\n");
    if (r->states) {
      pv_str_add(out, "\"stateGraph\":");
      pv_html_states(r->states, &d.paths, out);
      pv_str_add(out, ",\n");
    }
  }
  add_names(out);
  pv_str_add(out, "\"errors\":[");
  for (uint32_t i = 0; i < r->result->violations.n; i++) {
    if (i) pv_str_add(out, ",\n");
    add_violation(&d, &r->result->violations.at[i]);
  }
  pv_str_add(out, "],\n");
  add_texts(&d);
  pv_str_add(out, "\"end\":0}");
  pv_map_free(&d.paths);
  pv_map_free(&d.texts);
  free(files);
}
