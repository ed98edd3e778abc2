#include "report/coverage.h"
#include "report/given.h"
#include "report/json_internal.h"
#include "report/report.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Increased with every change that could break a reader; new fields do not. */
enum { SCHEMA_VERSION = 1 };

/* The text with everything that is not UTF-8 replaced by U+FFFD. */
static void to_utf8(const char *text, struct pv_str *out) {
  const unsigned char *s = (const unsigned char *)text;
  while (*s) {
    unsigned n = *s < 0x80                  ? 1
                 : *s >= 0xc2 && *s <= 0xdf ? 2
                 : (*s & 0xf0) == 0xe0      ? 3
                 : *s >= 0xf0 && *s <= 0xf4 ? 4
                                            : 0;
    for (unsigned i = 1; i < n; i++)
      if ((s[i] & 0xc0) != 0x80) n = 0;
    if ((n == 3 && ((*s == 0xe0 && s[1] < 0xa0) || (*s == 0xed && s[1] > 0x9f))) ||
        (n == 4 && ((*s == 0xf0 && s[1] < 0x90) || (*s == 0xf4 && s[1] > 0x8f))))
      n = 0;
    if (n)
      pv_str_addn(out, (const char *)s, n);
    else
      pv_str_add(out, "\xef\xbf\xbd");
    s += n ? n : 1;
  }
}

cJSON *pv_json_string(const char *text) {
  struct pv_str clean = {0};
  if (!text) return cJSON_CreateNull();
  to_utf8(text, &clean);
  cJSON *item = cJSON_CreateString(pv_str_cstr(&clean));
  pv_str_free(&clean);
  return item;
}

static void add_string(cJSON *to, const char *name, const char *text) {
  cJSON_AddItemToObject(to, name, pv_json_string(text));
}

/* cJSON's own numbers are doubles, which would change counts above 2^53. */
static void add_count(cJSON *to, const char *name, uint64_t value) {
  char text[24];
  snprintf(text, sizeof text, "%" PRIu64, value);
  cJSON_AddRawToObject(to, name, text);
}

static void add_texts(cJSON *to, const char *name, const struct pv_texts *texts) {
  cJSON *list = cJSON_AddArrayToObject(to, name);
  for (uint32_t i = 0; i < texts->n; i++) cJSON_AddItemToArray(list, pv_json_string(texts->at[i]));
}

static void add_files(cJSON *to, const struct pv_options *o) {
  cJSON *list = cJSON_AddArrayToObject(to, "files");
  for (uint32_t i = 0; i < o->files.n; i++) {
    cJSON *file = cJSON_CreateObject();
    char *text, hash[20];
    size_t n;
    cJSON_AddItemToArray(list, file);
    add_string(file, "path", o->files.at[i]);
    const char *flags = pv_options_file_flags(o, i);
    if (*flags) add_string(file, "clang_flags", flags);
    if (pv_read_file(o->files.at[i], SIZE_MAX, &text, &n, NULL) != PV_OK) continue;
    snprintf(hash, sizeof hash, "%016" PRIx64, pv_hash(text, n));
    add_string(file, "xxh3", hash);
    free(text);
  }
}

static void add_options(cJSON *to, const struct pv_options *o) {
  cJSON *object = cJSON_AddObjectToObject(to, "options");
  for (size_t i = 0; i < pv_option_count; i++) {
    const struct pv_option_info *info = &pv_option_table[i];
    const void *at = (const char *)o + info->offset;
    if (!(info->commands & PV_FOR_CHECK)) continue;
    switch (info->kind) {
    case PV_OPTION_CHOICE:
      add_string(object, info->name, pv_options_choice_name(info->name, *(const int *)at));
      break;
    case PV_OPTION_NUMBER: add_count(object, info->name, (uint64_t) * (const long *)at); break;
    case PV_OPTION_SWITCH: cJSON_AddBoolToObject(object, info->name, *(const bool *)at); break;
    case PV_OPTION_TEXT: add_texts(object, info->name, at); break;
    }
  }
}

static void add_property_names(cJSON *to, const char *name, pv_properties set) {
  cJSON *list = cJSON_AddArrayToObject(to, name);
  for (unsigned i = 0; i < PV_PROP_COUNT; i++)
    if (set & PV_PROP_BIT(i)) cJSON_AddItemToArray(list, pv_json_string(pv_property_table[i].name));
}

static void add_limits(cJSON *to, const struct pv_limits *l) {
  cJSON *object = cJSON_AddObjectToObject(to, "limits");
  cJSON_AddNumberToObject(object, "time", l->seconds);
  add_count(object, "memory", l->memory);
  add_count(object, "states", l->states);
  add_count(object, "depth", l->depth);
}

static cJSON *proviso_of(const struct pv_proviso *p, pv_properties all) {
  cJSON *object = cJSON_CreateObject();
  add_string(object, "kind", pv_proviso_kind_names[p->kind]);
  add_string(object, "reason", pv_proviso_kind_reasons[p->kind]);
  add_string(object, "sentence", p->sentence);
  add_string(object, "file", p->file);
  add_count(object, "line", p->line);
  add_count(object, "times", p->times);
  add_property_names(object, "properties", p->about ? p->about : all);
  return object;
}

static cJSON *step_of(const struct pv_step *s) {
  cJSON *object = cJSON_CreateObject(), *changes;
  add_count(object, "thread", s->thread);
  add_string(object, "function", s->function);
  add_string(object, "file", s->file);
  add_count(object, "line", s->line);
  add_count(object, "column", s->column);
  add_string(object, "text", s->text);
  if (s->note) add_string(object, "note", s->note);
  if (s->output) add_string(object, "output", s->output);
  changes = cJSON_AddArrayToObject(object, "changes");
  for (uint32_t i = 0; i < s->changes.n; i++) {
    cJSON *change = cJSON_CreateObject();
    add_string(change, "name", s->changes.at[i].name);
    add_string(change, "value", s->changes.at[i].value);
    cJSON_AddItemToArray(changes, change);
  }
  return object;
}

/* "[[0, 0], [1, 0]]": a choice is a pair, so that a long path stays short. */
static void add_choices(cJSON *to, const struct pv_error_path *path) {
  struct pv_str text = {0};
  pv_str_addc(&text, '[');
  for (uint32_t i = 0; i < path->choices.n; i++)
    pv_str_addf(&text, "%s[%" PRIu32 ", %" PRIu32 "]", i ? ", " : "", path->choices.at[i].thread,
                path->choices.at[i].alternative);
  pv_str_addc(&text, ']');
  cJSON_AddRawToObject(to, "choices", pv_str_cstr(&text));
  pv_str_free(&text);
}

static cJSON *source_of(const struct pv_source *s) {
  cJSON *object = cJSON_CreateObject();
  add_string(object, "origin", pv_source_origin_names[s->origin]);
  add_string(object, "name", s->name);
  add_string(object, "type", pv_source_type_names[s->type]);
  add_count(object, "bits", s->bits);
  add_string(object, "file", s->file);
  add_string(object, "function", s->function);
  add_count(object, "line", s->line);
  return object;
}

/* "[[0, 0, "0x2a"], ...]": index of the source, thread, the value's bits. */
static void add_inputs(cJSON *to, const struct pv_error_path *path) {
  struct pv_str text = {0};
  cJSON *sources = cJSON_AddArrayToObject(to, "input_sources");
  for (uint32_t i = 0; i < path->sources.n; i++)
    cJSON_AddItemToArray(sources, source_of(&path->sources.at[i]));
  pv_str_addc(&text, '[');
  for (uint32_t i = 0; i < path->inputs.n; i++) {
    const struct pv_input *in = &path->inputs.at[i];
    pv_str_addf(&text, "%s[%" PRIu32 ", %" PRIu32 ", \"0x", i ? ", " : "", in->source - 1,
                in->thread);
    if (in->value[1])
      pv_str_addf(&text, "%" PRIx64 "%016" PRIx64 "\"]", in->value[1], in->value[0]);
    else
      pv_str_addf(&text, "%" PRIx64 "\"]", in->value[0]);
  }
  pv_str_addc(&text, ']');
  cJSON_AddRawToObject(to, "inputs", pv_str_cstr(&text));
  if (path->inputs_left_out) add_count(to, "inputs_left_out", path->inputs_left_out);
  pv_str_free(&text);
}

static void add_cost(cJSON *to, struct pv_path_cost cost) {
  add_count(to, "context_switches", cost.switches);
  add_count(to, "transitions", cost.transitions);
}

/* Texts of the program's environment are bytes: those above 127 are encoded as in Latin-1. */
static cJSON *bytes_of(const struct pv_str *bytes) {
  struct pv_str text = {0};
  for (size_t i = 0; i < bytes->n; i++) {
    unsigned char c = (unsigned char)bytes->at[i];
    if (c >= 0x80) pv_str_addc(&text, (char)(0xc0 | c >> 6));
    pv_str_addc(&text, c >= 0x80 ? (char)(0x80 | (c & 0x3f)) : (char)c);
  }
  cJSON *string = pv_json_string(pv_str_cstr(&text));
  pv_str_free(&text);
  return string;
}

/* Each has the place where the program asks for it; the value is null if it does not exist. */
static void add_places(cJSON *given, const char *name, const pv_given_texts *texts) {
  cJSON *list = texts->n ? cJSON_AddArrayToObject(given, name) : NULL;
  for (uint32_t i = 0; i < texts->n; i++) {
    const struct pv_given_text *t = &texts->at[i];
    cJSON *entry = cJSON_CreateObject();
    if (t->name) add_string(entry, "name", t->name);
    add_string(entry, "place", t->place);
    if (t->refuses) cJSON_AddBoolToObject(entry, "refuses", true);
    cJSON_AddItemToObject(entry, "value", t->missing ? cJSON_CreateNull() : bytes_of(&t->bytes));
    cJSON_AddItemToArray(list, entry);
  }
}

/* "given": {"arguments": [...], "stdin": ..., "variables": [{"name": ..., "place": ..., "value":
 * ...}], "files": [the same; "refuses": true if it cannot be written, made or removed]} */
static void add_given(cJSON *to, const struct pv_program *p, const struct pv_error_path *path) {
  struct pv_given g;
  if (!p) return;
  pv_given_find(p, path, &g);
  if (g.has_arguments || g.has_stdin || g.variables.n || g.files.n) {
    cJSON *given = cJSON_AddObjectToObject(to, "given");
    cJSON *arguments = g.has_arguments ? cJSON_AddArrayToObject(given, "arguments") : NULL;
    for (uint32_t i = 0; arguments && i < g.arguments.n; i++)
      cJSON_AddItemToArray(arguments, bytes_of(&g.arguments.at[i].bytes));
    if (g.has_stdin) cJSON_AddItemToObject(given, "stdin", bytes_of(&g.standard_input));
    add_places(given, "variables", &g.variables);
    add_places(given, "files", &g.files);
  }
  pv_given_clear(&g);
}

static cJSON *violation_of(const struct pv_violation *v, const struct pv_program *p) {
  cJSON *object = cJSON_CreateObject(), *steps;
  add_string(object, "property", pv_property_table[v->property].name);
  add_string(object, "message", v->message);
  add_string(object, "file", v->file);
  add_string(object, "function", v->function);
  add_count(object, "line", v->line);
  add_count(object, "column", v->column);
  cJSON_AddBoolToObject(object, "replayed", v->replayed);
  add_cost(object, pv_path_cost(v->path.choices.at, v->path.choices.n));
  if (v->minimised) {
    cJSON *minimised = cJSON_AddObjectToObject(object, "minimised");
    cJSON_AddBoolToObject(minimised, "shortest", v->shortest);
    add_cost(cJSON_AddObjectToObject(minimised, "found"), v->found);
  }
  add_choices(object, &v->path);
  add_inputs(object, &v->path);
  add_given(object, p, &v->path);
  steps = cJSON_AddArrayToObject(object, "steps");
  for (uint32_t i = 0; i < v->path.steps.n; i++)
    cJSON_AddItemToArray(steps, step_of(&v->path.steps.at[i]));
  if (v->path.is_lasso) { /* the choices and steps from here on repeat for ever */
    cJSON *loop = cJSON_AddObjectToObject(object, "loop");
    add_count(loop, "choice", v->path.loop);
    add_count(loop, "step", v->path.loop_step);
  }
  if (v->path.left_out) { /* that many, and more, before steps[steps_gap] */
    add_count(object, "steps_left_out", v->path.left_out);
    add_count(object, "steps_gap", v->path.gap);
  }
  return object;
}

static void add_statistics(cJSON *to, const struct pv_stats *s) {
  cJSON *object = cJSON_AddObjectToObject(to, "stats");
#define X(N, T) add_count(object, #N, s->N);
  PV_STATS(X)
#undef X
  cJSON_AddNumberToObject(object, "seconds", s->seconds);
  cJSON_AddNumberToObject(object, "cpu_seconds", s->cpu_seconds);
  cJSON_AddNumberToObject(object, "distance_seconds", s->distance_seconds);
  add_count(object, "peak_memory", s->peak_memory);
}

static void add_store(cJSON *to, const struct pv_report *r) {
  struct pv_table_bytes table[PV_TABLES];
  uint64_t sum = pv_report_tables(r, table), states = r->result->stats.states;
  cJSON *object = cJSON_AddObjectToObject(to, "store"), *shares;
  add_string(object, "kind", pv_options_choice_name("store", r->options->store));
  cJSON_AddNumberToObject(object, "bytes_per_state", states ? (double)sum / (double)states : 0);
  shares = cJSON_AddObjectToObject(object, "shares");
  for (int i = 0; i < PV_TABLES; i++)
    cJSON_AddNumberToObject(shares, table[i].name, sum ? (double)table[i].bytes / (double)sum : 0);
  cJSON_AddNumberToObject(object, "omission_bound", r->result->loss.bound);
  cJSON_AddNumberToObject(object, "expected_omissions", r->result->loss.expected);
}

static void add_proof(cJSON *to, const struct pv_proof_result *p) {
  cJSON *object = cJSON_AddObjectToObject(to, "proof"), *list;
  add_string(object, "state", pv_proof_state_names[p->state]);
  add_count(object, "induction", p->induction);
  list = cJSON_AddArrayToObject(object, "invariants");
  for (uint32_t i = 0; i < p->invariants.n; i++) {
    const struct pv_invariant *v = &p->invariants.at[i];
    cJSON *invariant = cJSON_CreateObject();
    add_string(invariant, "file", v->file);
    add_count(invariant, "line", v->line);
    add_string(invariant, "function", v->function);
    add_string(invariant, "calls", v->calls);
    add_string(invariant, "formula", v->formula);
    add_count(invariant, "left_out", v->larger);
    cJSON_AddItemToArray(list, invariant);
  }
}

/* [{"name": "ALLOCATION", "holds": "allocation never fails", "option": "--malloc-may-fail"}] */
static void add_assumed(cJSON *to, uint32_t assumed) {
  cJSON *list = cJSON_AddArrayToObject(to, "assumed");
  for (unsigned i = 0; i < PV_ASSUMES_COUNT; i++) {
    if (!(assumed >> i & 1)) continue;
    cJSON *item = cJSON_CreateObject();
    add_string(item, "name", pv_assumption_table[i].name);
    add_string(item, "holds", pv_assumption_table[i].holds);
    add_string(item, "option", pv_assumption_table[i].option);
    cJSON_AddItemToArray(list, item);
  }
}

/* [{"engine": "value", "outcome": "conditional", "why": ..., "states": 12, "cpu_seconds": 0.2}] */
static void add_tried(cJSON *to, const struct pv_result *r) {
  cJSON *list = cJSON_AddArrayToObject(to, "tried");
  for (uint32_t i = 0; i < r->tried.n; i++) {
    const struct pv_tried *t = &r->tried.at[i];
    cJSON *item = cJSON_CreateObject();
    add_string(item, "engine", t->engine);
    add_string(item, "outcome", t->outcome);
    add_string(item, "why", t->why);
    add_count(item, "states", t->states);
    cJSON_AddNumberToObject(item, "cpu_seconds", t->cpu_seconds);
    cJSON_AddItemToArray(list, item);
  }
}

static void add_result(cJSON *to, const struct pv_result *r, const struct pv_program *p) {
  struct pv_str line = {0};
  pv_result_line(r, &line);
  add_string(to, "verdict", pv_verdict_name(r->verdict));
  add_string(to, "result", pv_str_cstr(&line));
  pv_str_free(&line);
  add_count(to, "exit_status", (uint64_t)pv_result_exit_status(r));
  add_string(to, "reason", r->reason);
  cJSON *provisos = cJSON_AddArrayToObject(to, "provisos");
  for (uint32_t i = 0; i < r->condition.provisos.n; i++)
    cJSON_AddItemToArray(provisos, proviso_of(&r->condition.provisos.at[i], r->checked));
  add_property_names(to, "unconditional",
                     r->verdict == PV_TRUE || r->verdict == PV_CONDITIONAL
                         ? pv_condition_unconditional(&r->condition, r->checked)
                         : 0);
  add_assumed(to, r->assumed);
  cJSON *notes = cJSON_AddArrayToObject(to, "notes");
  for (uint32_t i = 0; i < r->notes.n; i++)
    cJSON_AddItemToArray(notes, pv_json_string(r->notes.at[i]));
  add_tried(to, r);
  add_proof(to, &r->proof);
  cJSON *violations = cJSON_AddArrayToObject(to, "violations");
  for (uint32_t i = 0; i < r->violations.n; i++)
    cJSON_AddItemToArray(violations, violation_of(&r->violations.at[i], p));
}

static void add_coverage_count(cJSON *to, const char *name, struct pv_coverage_count n) {
  cJSON *object = cJSON_AddObjectToObject(to, name);
  add_count(object, "all", n.all);
  add_count(object, "verified", n.verified);
}

/* null: not known. "open": [{"file": "a.c", "line": 5, "reached": true}] */
static void add_coverage(cJSON *to, const struct pv_report *r) {
  struct pv_coverage_table t;
  if (!pv_coverage_is_known(r->program, &r->result->coverage)) {
    cJSON_AddNullToObject(to, "coverage");
    return;
  }
  pv_coverage_table_fill(r->program, &r->result->coverage, &t);
  cJSON *object = cJSON_AddObjectToObject(to, "coverage");
  add_coverage_count(object, "lines", t.lines);
  add_coverage_count(object, "locations", t.locations);
  add_coverage_count(object, "edges", t.edges);
  /* null: not known; 1: all */
  double share = r->result->coverage.share;
  if (share > 0)
    cJSON_AddNumberToObject(object, "share_of_executions", share);
  else
    cJSON_AddNullToObject(object, "share_of_executions");
  cJSON *open = cJSON_AddArrayToObject(object, "open");
  for (uint32_t i = 0; i < t.line.n; i++) {
    if (t.line.at[i].verified) continue;
    cJSON *line = cJSON_CreateObject();
    add_string(line, "file", t.line.at[i].file);
    add_count(line, "line", t.line.at[i].line);
    cJSON_AddBoolToObject(line, "reached", t.line.at[i].reached);
    cJSON_AddItemToArray(open, line);
  }
  pv_coverage_table_clear(&t);
}

cJSON *pv_json_begin(void) {
  /* cJSON returns NULL if there is no memory; pv_alloc never does */
  cJSON_Hooks hooks = {pv_alloc, free};
  cJSON_InitHooks(&hooks);
  return cJSON_CreateObject();
}

void pv_json_end(cJSON *root, struct pv_str *out) {
  char *text = cJSON_Print(root);
  PV_REQUIRE(text, "JSON cannot be printed");
  pv_str_add(out, text);
  pv_str_addc(out, '\n');
  cJSON_free(text);
  cJSON_Delete(root);
}

void pv_report_json(const struct pv_report *r, struct pv_str *out) {
  cJSON *root = pv_json_begin();
  char *directory = getcwd(NULL, 0);
  add_count(root, "schema_version", SCHEMA_VERSION);
  add_string(root, "tool", "proviso");
  add_string(root, "version", PROVISO_VERSION);
  add_string(root, "command", r->command);
  add_string(root, "engine", r->engine);
  add_string(root, "directory", directory);
  add_files(root, r->options);
  add_texts(root, "clang_arguments", &r->options->clang_args);
  add_string(root, "data_model", r->options->ilp32 ? "ILP32" : "LP64");
  add_options(root, r->options);
  add_limits(root, &r->options->limits);
  add_property_names(root, "properties",
                     r->result->checked ? r->result->checked : r->options->properties);
  add_result(root, r->result, r->program);
  if (r->options->coverage.n) add_coverage(root, r);
  add_statistics(root, &r->result->stats);
  add_store(root, r);
  pv_json_end(root, out);
  free(directory);
}
