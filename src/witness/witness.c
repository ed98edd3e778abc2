#include "witness/witness.h"

#include <stdlib.h>
#include <string.h>

#include "witness/yaml.h"

const char *const pv_witness_versions[] = {"2.0", "2.1", "2.2"};
enum { VERSIONS = sizeof pv_witness_versions / sizeof *pv_witness_versions };

struct reader {
  struct pv_witness *w;
  struct pv_str *err;
};

static bool wrong(struct reader *r, const struct pv_yaml *at, const char *fmt, ...) PV_PRINTF(3, 4);
static bool wrong(struct reader *r, const struct pv_yaml *at, const char *fmt, ...) {
  va_list ap;
  if (r->err->n) return false;
  pv_str_addf(r->err, "%s:%u: ", r->w->path, at ? at->line : 1);
  va_start(ap, fmt);
  pv_str_vaddf(r->err, fmt, ap);
  va_end(ap);
  return false;
}

/* ---- parts of an entry ----------------------------------------------------------------------- */

static char *copy_of(const struct pv_yaml *y) {
  const char *text = pv_yaml_text(y);
  return text ? pv_strdup(text) : NULL;
}

static bool read_place(struct reader *r, const struct pv_yaml *from, struct pv_witness_place *out) {
  const struct pv_yaml *y = pv_yaml_get(from, "location"), *column = pv_yaml_get(y, "column");
  if (!y) return wrong(r, from, "`location` is missing");
  out->at = y->line;
  out->file = copy_of(pv_yaml_get(y, "file_name"));
  out->function = copy_of(pv_yaml_get(y, "function"));
  if (!out->file) return wrong(r, y, "`file_name` is missing");
  if (!pv_yaml_count(pv_yaml_get(y, "line"), &out->line) || !out->line)
    return wrong(r, y, "`line` is missing, or no line");
  if (column && (!pv_yaml_count(column, &out->column) || !out->column))
    return wrong(r, column, "`column` is no column");
  return true;
}

/* The formats of an expression that a version allows. */
static bool reads_format(struct reader *r, const struct pv_yaml *constraint,
                         enum pv_waypoint_kind kind) {
  const struct pv_yaml *y = pv_yaml_get(constraint, "format");
  const char *format = pv_yaml_text(y);
  if (kind == PV_WAYPOINT_BRANCHING) return true; /* it has none */
  if (!format) return wrong(r, constraint, "`format` is missing");
  bool old = r->w->version == PV_WITNESS_2_0;
  bool ok = kind == PV_WAYPOINT_RETURN
                ? !strcmp(format, old ? "acsl_expression" : "ext_c_expression")
                : !strcmp(format, "c_expression") || (!old && !strcmp(format, "ext_c_expression"));
  return ok ? true
            : wrong(r, y, "format `%s` is not that of version %s", format,
                    pv_witness_versions[r->w->version]);
}

static bool read_constraint(struct reader *r, const struct pv_yaml *from, struct pv_waypoint *out) {
  const struct pv_yaml *y = pv_yaml_get(from, "constraint");
  bool needs = out->kind == PV_WAYPOINT_ASSUMPTION || out->kind == PV_WAYPOINT_BRANCHING ||
               out->kind == PV_WAYPOINT_RETURN;
  if (!y) return needs ? wrong(r, from, "`constraint` is missing") : true;
  if (!needs) return wrong(r, y, "this waypoint has no constraint");
  out->value = copy_of(pv_yaml_get(y, "value"));
  if (!out->value || !*out->value) return wrong(r, y, "`value` is missing");
  return reads_format(r, y, out->kind);
}

static bool read_waypoint(struct reader *r, const struct pv_yaml *item, struct pv_waypoint *out) {
  static const char *const kinds[] = {"assumption", "branching", "function_enter",
                                      "function_return", "target"};
  const struct pv_yaml *y = pv_yaml_get(item, "waypoint"), *thread;
  const char *kind = pv_yaml_text(pv_yaml_get(y, "type"));
  const char *action = pv_yaml_text(pv_yaml_get(y, "action"));
  bool known = false;
  if (!y) return wrong(r, item, "`waypoint` is missing");
  for (unsigned i = 0; kind && i < sizeof kinds / sizeof *kinds; i++)
    if (!strcmp(kinds[i], kind)) out->kind = (enum pv_waypoint_kind)i, known = true;
  if (!known) return wrong(r, y, "waypoints of type `%s` are not known", kind ? kind : "");
  if (!action || (strcmp(action, "follow") != 0 && strcmp(action, "avoid") != 0))
    return wrong(r, y, "action `%s` is neither follow nor avoid", action ? action : "");
  out->avoid = *action == 'a';
  if (out->avoid && out->kind == PV_WAYPOINT_TARGET) return wrong(r, y, "a target is followed");
  thread = pv_yaml_get(y, "thread_id");
  out->names_thread = thread != NULL;
  if (thread && r->w->version < PV_WITNESS_2_2) return wrong(r, thread, "threads need version 2.2");
  if (thread && (!pv_yaml_count(thread, &out->thread) || out->thread > 1000))
    return wrong(r, thread, "`thread_id` is no thread");
  return read_place(r, y, &out->place) && read_constraint(r, y, out);
}

static void clear_waypoint(struct pv_waypoint *p) {
  free(p->place.file);
  free(p->place.function);
  free(p->value);
}

/* ---- violations ------------------------------------------------------------------------------ */

/* Exactly one waypoint is followed; two only if they are the targets of a race. */
static bool check_segment(struct reader *r, const struct pv_yaml *y, uint32_t from, bool last) {
  uint32_t follows = 0, targets = 0, n = r->w->waypoints.n;
  for (uint32_t i = from; i < n; i++) {
    follows += !r->w->waypoints.at[i].avoid;
    targets += r->w->waypoints.at[i].kind == PV_WAYPOINT_TARGET;
  }
  bool race = targets == 2 && r->w->version == PV_WITNESS_2_2;
  if (last && !targets) return wrong(r, y, "the last segment has no target");
  if (!last && targets) return wrong(r, y, "a target is not in the last segment");
  if (follows != (race ? 2 : 1)) return wrong(r, y, "a segment follows %u waypoints", follows);
  return r->w->waypoints.at[n - 1].avoid ? wrong(r, y, "the followed waypoint is not the last")
                                         : true;
}

static bool read_violation(struct reader *r, const struct pv_yaml *entry) {
  const struct pv_yaml *list = pv_yaml_get(entry, "content");
  if (!list || list->kind != PV_YAML_LIST || !list->items.n)
    return wrong(r, entry, "`content` has no segment");
  if (r->w->segments) return wrong(r, entry, "there is a second violation");
  for (uint32_t i = 0; i < list->items.n; i++) {
    const struct pv_yaml *s = pv_yaml_get(list->items.at[i], "segment");
    uint32_t from = r->w->waypoints.n;
    if (!s || s->kind != PV_YAML_LIST || !s->items.n)
      return wrong(r, list->items.at[i], "a `segment` is missing or empty");
    for (uint32_t k = 0; k < s->items.n; k++) {
      struct pv_waypoint p = {0};
      bool ok = read_waypoint(r, s->items.at[k], &p);
      pv_vec_push(&r->w->waypoints, p);
      pv_vec_push(&r->w->segment, i);
      if (!ok) return false;
    }
    if (!check_segment(r, s, from, i + 1 == list->items.n)) return false;
  }
  r->w->segments = list->items.n;
  r->w->violation = true;
  return true;
}

/* ---- invariants ------------------------------------------------------------------------------ */

static bool read_invariant(struct reader *r, const struct pv_yaml *item,
                           struct pv_witness_invariant *out) {
  const struct pv_yaml *y = pv_yaml_get(item, "invariant");
  const char *type = pv_yaml_text(pv_yaml_get(y, "type"));
  if (!y) return wrong(r, item, "`invariant` is missing");
  out->loop = type && !strcmp(type, "loop_invariant");
  if (!type || (!out->loop && strcmp(type, "location_invariant") != 0))
    return wrong(r, y, "invariants of type `%s` are not checked", type ? type : "");
  out->value = copy_of(pv_yaml_get(y, "value"));
  if (!out->value || !*out->value) return wrong(r, y, "`value` is missing");
  return reads_format(r, y, PV_WAYPOINT_ASSUMPTION) && read_place(r, y, &out->place);
}

static bool read_invariants(struct reader *r, const struct pv_yaml *entry) {
  const struct pv_yaml *list = pv_yaml_get(entry, "content");
  if (!list || list->kind != PV_YAML_LIST) return wrong(r, entry, "`content` is no list");
  for (uint32_t i = 0; i < list->items.n; i++) {
    struct pv_witness_invariant v = {0};
    bool ok = read_invariant(r, list->items.at[i], &v);
    pv_vec_push(&r->w->invariants, v);
    if (!ok) return false;
  }
  return true;
}

/* ---- the file -------------------------------------------------------------------------------- */

static bool read_version(struct reader *r, const struct pv_yaml *meta, bool first) {
  const struct pv_yaml *y = pv_yaml_get(meta, "format_version");
  const char *text = pv_yaml_text(y);
  for (unsigned i = 0; text && i < VERSIONS; i++) {
    if (strcmp(text, pv_witness_versions[i]) != 0) continue;
    if (!first && r->w->version != i) return wrong(r, y, "entries have different versions");
    r->w->version = (enum pv_witness_version)i;
    return true;
  }
  return wrong(r, y ? y : meta, "format version `%s` is not known", text ? text : "");
}

static bool read_task(struct reader *r, const struct pv_yaml *meta) {
  const struct pv_yaml *task = pv_yaml_get(meta, "task"), *files, *hashes, *model;
  const char *name, *language = pv_yaml_text(pv_yaml_get(task, "language"));
  if (!task) return wrong(r, meta, "`task` is missing");
  if (language && strcmp(language, "C") != 0) return wrong(r, task, "it is not about a C program");
  files = pv_yaml_get(task, "input_files");
  hashes = pv_yaml_get(task, "input_file_hashes");
  if (!files || files->kind != PV_YAML_LIST || !files->items.n)
    return wrong(r, task, "`input_files` is missing");
  for (uint32_t i = 0; i < files->items.n; i++) {
    name = pv_yaml_text(files->items.at[i]);
    if (!name) return wrong(r, files, "an input file has no name");
    const char *hash = pv_yaml_text(pv_yaml_get(hashes, name));
    pv_vec_push(&r->w->files, pv_strdup(name));
    pv_vec_push(&r->w->hashes, pv_strdup(hash ? hash : ""));
  }
  r->w->specification = copy_of(pv_yaml_get(task, "specification"));
  if (!r->w->specification) return wrong(r, task, "`specification` is missing");
  model = pv_yaml_get(task, "data_model");
  const char *text = pv_yaml_text(model);
  r->w->says_model = text != NULL;
  r->w->ilp32 = text && !strcmp(text, "ILP32");
  if (text && !r->w->ilp32 && strcmp(text, "LP64") != 0)
    return wrong(r, model, "data model `%s` is neither ILP32 nor LP64", text);
  return true;
}

static bool read_entry(struct reader *r, const struct pv_yaml *entry, bool first) {
  const struct pv_yaml *meta = pv_yaml_get(entry, "metadata");
  const char *type = pv_yaml_text(pv_yaml_get(entry, "entry_type"));
  if (!type || !meta) return wrong(r, entry, "`entry_type` or `metadata` is missing");
  if (!read_version(r, meta, first)) return false;
  if (first && !read_task(r, meta)) return false;
  bool violation = !strcmp(type, "violation_sequence");
  if (!violation && strcmp(type, "invariant_set") != 0)
    return wrong(r, entry, "entries of type `%s` are not checked", type);
  if (!first && violation != r->w->violation)
    return wrong(r, entry, "it is about a violation and about correctness");
  return violation ? read_violation(r, entry) : read_invariants(r, entry);
}

enum pv_status pv_witness_parse(const char *path, const char *text, size_t n,
                                struct pv_witness *out, struct pv_str *err) {
  struct pv_yaml *root;
  struct pv_str why = {0};
  *out = (struct pv_witness){.path = pv_strdup(path)};
  struct reader r = {out, &why};
  if (pv_yaml_parse(path, text, n, &root, err) != PV_OK) return PV_E_INPUT;
  if (root->kind != PV_YAML_LIST || !root->items.n) wrong(&r, root, "it is no list of entries");
  for (uint32_t i = 0; !why.n && i < root->items.n; i++) read_entry(&r, root->items.at[i], !i);
  pv_yaml_free(root);
  if (why.n && err) pv_str_add(err, why.at);
  enum pv_status status = why.n ? PV_E_INPUT : PV_OK;
  pv_str_free(&why);
  return status;
}

enum pv_status pv_witness_read(const char *path, struct pv_witness *out, struct pv_str *err) {
  char *text;
  size_t n;
  *out = (struct pv_witness){0};
  PV_TRY(pv_read_file(path, (size_t)1 << 28, &text, &n, err));
  enum pv_status status = pv_witness_parse(path, text, n, out, err);
  free(text);
  return status;
}

void pv_witness_clear(struct pv_witness *w) {
  for (uint32_t i = 0; i < w->files.n; i++) free(w->files.at[i]);
  for (uint32_t i = 0; i < w->hashes.n; i++) free(w->hashes.at[i]);
  for (uint32_t i = 0; i < w->waypoints.n; i++) clear_waypoint(&w->waypoints.at[i]);
  for (uint32_t i = 0; i < w->invariants.n; i++) {
    free(w->invariants.at[i].place.file);
    free(w->invariants.at[i].place.function);
    free(w->invariants.at[i].value);
  }
  pv_vec_free(&w->files);
  pv_vec_free(&w->hashes);
  pv_vec_free(&w->waypoints);
  pv_vec_free(&w->segment);
  pv_vec_free(&w->invariants);
  free(w->specification);
  free(w->path);
  *w = (struct pv_witness){0};
}

/* ---- what it is about ------------------------------------------------------------------------ */

static void add_without_blanks(const char *text, struct pv_str *out) {
  for (; *text; text++)
    if (!strchr(" \t\r\n", *text)) pv_str_addc(out, *text);
}

pv_properties pv_witness_properties(const struct pv_witness *w) {
  pv_properties found = 0;
  struct pv_str all = {0};
  if (!w->specification) return 0;
  pv_str_add(&all, "LTL("); /* a bare formula is found as well */
  add_without_blanks(w->specification, &all);
  pv_str_add(&all, ")");
  for (unsigned i = 0; i < PV_PROP_COUNT; i++) {
    struct pv_str one = {0};
    if (!*pv_property_table[i].formula) continue;
    pv_str_add(&one, "LTL(");
    add_without_blanks(pv_property_table[i].formula, &one);
    pv_str_add(&one, ")");
    if (strstr(all.at, one.at)) found |= PV_PROP_BIT(i);
    pv_str_free(&one);
  }
  if (strstr(all.at, "valid-memsafety"))
    found |= PV_PROP_BIT(PV_PROP_VALID_DEREF) | PV_PROP_BIT(PV_PROP_VALID_FREE) |
             PV_PROP_BIT(PV_PROP_VALID_MEMTRACK);
  pv_str_free(&all);
  return found;
}

static const char *base_name(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

bool pv_witness_same_file(const char *a, const char *b) {
  return !strcmp(base_name(a), base_name(b));
}
