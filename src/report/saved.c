#include "report/saved.h"

#include <cjson/cJSON.h>
#include <stdlib.h>
#include <string.h>

static const cJSON *get(const cJSON *object, const char *name) {
  return cJSON_GetObjectItemCaseSensitive(object, name);
}

static const char *text_of(const cJSON *object, const char *name) {
  return cJSON_GetStringValue(get(object, name));
}

static char *copy_of(const cJSON *object, const char *name) {
  const char *text = text_of(object, name);
  return text ? pv_strdup(text) : NULL;
}

static uint64_t count_of(const cJSON *object, const char *name) {
  double n = cJSON_GetNumberValue(get(object, name));
  return n >= 0 && n < 1e18 ? (uint64_t)n : 0;
}

static pv_properties properties_of(const cJSON *object, const char *name) {
  pv_properties set = 0;
  const cJSON *item;
  cJSON_ArrayForEach(item, get(object, name)) for (unsigned i = 0; i < PV_PROP_COUNT; i++) {
    const char *text = cJSON_GetStringValue(item);
    if (text && !strcmp(text, pv_property_table[i].name)) set |= PV_PROP_BIT(i);
  }
  return set;
}

/* ---- error paths ----------------------------------------------------------------------------- */
static void read_step(const cJSON *from, struct pv_error_path *path) {
  const cJSON *item;
  struct pv_step s = {.thread = (uint32_t)count_of(from, "thread"),
                      .function = copy_of(from, "function"),
                      .file = copy_of(from, "file"),
                      .text = copy_of(from, "text"),
                      .line = (uint32_t)count_of(from, "line"),
                      .column = (uint32_t)count_of(from, "column"),
                      .note = copy_of(from, "note"),
                      .output = copy_of(from, "output")};
  cJSON_ArrayForEach(item, get(from, "changes")) {
    struct pv_change change = {.name = copy_of(item, "name"), .value = copy_of(item, "value")};
    if (!change.name) change.name = pv_strdup("?");
    if (!change.value) change.value = pv_strdup("?");
    pv_vec_push(&s.changes, change);
  }
  pv_vec_push(&path->steps, s);
}

static void read_violation(const cJSON *from, struct pv_violation *v) {
  const cJSON *item, *loop = get(from, "loop"), *minimised = get(from, "minimised");
  struct pv_error_path *path = &v->path;
  v->column = (uint32_t)count_of(from, "column");
  v->replayed = cJSON_IsTrue(get(from, "replayed"));
  v->minimised = minimised != NULL;
  v->shortest = cJSON_IsTrue(get(minimised, "shortest"));
  v->found.switches = (uint32_t)count_of(get(minimised, "found"), "context_switches");
  v->found.transitions = (uint32_t)count_of(get(minimised, "found"), "transitions");
  cJSON_ArrayForEach(item, get(from, "steps")) read_step(item, path);
  path->is_lasso = loop != NULL;
  path->loop_step = (uint32_t)count_of(loop, "step");
  path->left_out = count_of(from, "steps_left_out");
  path->gap = (uint32_t)count_of(from, "steps_gap");
}

/* ---- the result ------------------------------------------------------------------------------ */
static void read_proviso(const cJSON *from, pv_properties checked, struct pv_condition *out) {
  const char *kind = text_of(from, "kind"), *sentence = text_of(from, "sentence");
  unsigned k = 0;
  while (k < PV_PROVISO_COUNT && (!kind || strcmp(pv_proviso_kind_names[k], kind) != 0)) k++;
  if (k == PV_PROVISO_COUNT || !sentence) return;
  pv_condition_add(out, (enum pv_proviso_kind)k, text_of(from, "file"),
                   (uint32_t)count_of(from, "line"), "%s", sentence);
  pv_properties about = properties_of(from, "properties");
  if (out->provisos.n && about != checked) pv_vec_last(&out->provisos).about = about;
}

static void read_tried(const cJSON *from, struct pv_result *out) {
  struct pv_tried t = {.engine = copy_of(from, "engine"),
                       .outcome = copy_of(from, "outcome"),
                       .why = copy_of(from, "why"),
                       .cpu_seconds = cJSON_GetNumberValue(get(from, "cpu_seconds")),
                       .states = count_of(from, "states")};
  if (!t.engine) t.engine = pv_strdup("?");
  if (!t.outcome) t.outcome = pv_strdup("unknown");
  pv_vec_push(&out->tried, t);
}

static void read_invariant(const cJSON *from, struct pv_result *out) {
  struct pv_invariant i = {.file = copy_of(from, "file"),
                           .function = copy_of(from, "function"),
                           .line = (uint32_t)count_of(from, "line"),
                           .calls = copy_of(from, "calls"),
                           .formula = copy_of(from, "formula"),
                           .larger = count_of(from, "left_out")};
  if (!i.formula) i.formula = pv_strdup("?");
  pv_vec_push(&out->proof.invariants, i);
}

static void read_result(const cJSON *root, struct pv_saved *out) {
  const cJSON *item;
  struct pv_result *r = &out->result;
  const char *verdict = text_of(root, "verdict"), *proof = text_of(get(root, "proof"), "state");
  for (int v = PV_UNKNOWN; v <= PV_FALSE; v++)
    if (verdict && !strcmp(verdict, pv_verdict_name((enum pv_verdict)v)))
      r->verdict = (enum pv_verdict)v;
  r->checked = properties_of(root, "properties");
  r->reason = copy_of(root, "reason");
  cJSON_ArrayForEach(item, get(root, "provisos")) read_proviso(item, r->checked, &r->condition);
  cJSON_ArrayForEach(item, get(root, "assumed")) for (unsigned i = 0; i < PV_ASSUMES_COUNT;
                                                      i++) if (text_of(item, "name") &&
                                                               !strcmp(text_of(item, "name"),
                                                                       pv_assumption_table[i].name))
      r->assumed |= 1u << i;
  cJSON_ArrayForEach(item, get(root, "notes")) {
    const char *note = cJSON_GetStringValue(item);
    if (note) pv_vec_push(&r->notes, pv_strdup(note));
  }
  cJSON_ArrayForEach(item, get(root, "tried")) read_tried(item, r);
  for (int i = 0; i < PV_PROOF_COUNT; i++)
    if (proof && !strcmp(proof, pv_proof_state_names[i])) r->proof.state = (enum pv_proof_state)i;
  r->proof.induction = count_of(get(root, "proof"), "induction");
  cJSON_ArrayForEach(item, get(get(root, "proof"), "invariants")) read_invariant(item, r);
#define X(N, T) r->stats.N = count_of(get(root, "stats"), #N);
  PV_STATS(X)
#undef X
  r->stats.seconds = cJSON_GetNumberValue(get(get(root, "stats"), "seconds"));
  r->stats.cpu_seconds = cJSON_GetNumberValue(get(get(root, "stats"), "cpu_seconds"));
  r->stats.peak_memory = count_of(get(root, "stats"), "peak_memory");
  uint32_t n = 0;
  cJSON_ArrayForEach(item, get(root, "violations")) if (n < out->record.violations.n) {
    struct pv_violation v = out->record.violations.at[n];
    out->record.violations.at[n++] = (struct pv_violation){0}; /* moved */
    read_violation(item, &v);
    pv_vec_push(&r->violations, v);
  }
}

enum pv_status pv_saved_read(const char *path, struct pv_saved *out, struct pv_str *err) {
  char *text;
  size_t n;
  cJSON_Hooks hooks = {pv_alloc, free};
  *out = (struct pv_saved){0};
  PV_TRY(pv_record_read(path, &out->record, err)); /* is it one of ours? */
  PV_TRY(pv_read_file(path, (size_t)1 << 31, &text, &n, err));
  cJSON_InitHooks(&hooks);
  cJSON *root = cJSON_ParseWithLength(text, n);
  free(text);
  out->command = copy_of(root, "command");
  out->engine = copy_of(root, "engine");
  read_result(root, out);
  cJSON_Delete(root);
  return PV_OK;
}

void pv_saved_free(struct pv_saved *s) {
  pv_record_free(&s->record);
  pv_result_clear(&s->result);
  free(s->command);
  free(s->engine);
  *s = (struct pv_saved){0};
}
