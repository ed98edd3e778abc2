#include "report/sarif.h"

#include "report/json_internal.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void add_text(cJSON *to, const char *name, const char *text) {
  cJSON *message = cJSON_AddObjectToObject(to, name);
  cJSON_AddItemToObject(message, "text", pv_json_string(text));
}

/* A path as a URI reference: relative to where the run began, or absolute. */
static cJSON *uri_of(const char *path) {
  struct pv_str uri = {0};
  if (*path == '/') pv_str_add(&uri, "file://");
  for (const unsigned char *c = (const unsigned char *)path; *c; c++) {
    bool plain = (*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') || (*c >= '0' && *c <= '9') ||
                 strchr("/-._~", *c);
    pv_str_addf(&uri, plain ? "%c" : "%%%02X", *c);
  }
  cJSON *item = cJSON_CreateString(pv_str_cstr(&uri));
  pv_str_free(&uri);
  return item;
}

static void add_place(cJSON *location, const char *file, uint32_t line) {
  if (!file || !*file || !strcmp(file, "?")) return;
  cJSON *physical = cJSON_AddObjectToObject(location, "physicalLocation");
  cJSON *artifact = cJSON_AddObjectToObject(physical, "artifactLocation");
  cJSON_AddItemToObject(artifact, "uri", uri_of(file));
  if (!line) return;
  cJSON *region = cJSON_AddObjectToObject(physical, "region");
  cJSON_AddNumberToObject(region, "startLine", line);
}

static void add_function(cJSON *location, const char *function) {
  if (!function) return;
  cJSON *list = cJSON_AddArrayToObject(location, "logicalLocations"), *item = cJSON_CreateObject();
  cJSON_AddItemToObject(item, "name", pv_json_string(function));
  cJSON_AddStringToObject(item, "kind", "function");
  cJSON_AddItemToArray(list, item);
}

/* ---- code flows -------------------------------------------------------------------------------
 */
/* "thread 1: counter = 3; acquires m" */
static void tell_step(const struct pv_step *s, struct pv_str *out) {
  const char *before = ": ";
  pv_str_addf(out, "thread %" PRIu32, s->thread);
  for (uint32_t i = 0; i < s->changes.n; i++, before = ", ")
    pv_str_addf(out, "%s%s = %s", before, s->changes.at[i].name, s->changes.at[i].value);
  for (uint32_t i = 0; i < s->interactions.n; i++) {
    const struct pv_interaction *x = &s->interactions.at[i];
    if (x->kind != PV_INTERACTION_ACQUIRES && x->kind != PV_INTERACTION_RELEASES) continue;
    pv_str_addf(out, "%s%s %s", before, pv_interaction_names[x->kind], x->object ? x->object : "");
    before = ", ";
  }
  if (s->note) pv_str_addf(out, "%s%s", before, s->note), before = ", ";
  if (*before == ':' && s->text) pv_str_addf(out, ": %s", s->text);
}

static cJSON *step_of(const struct pv_step *s, uint32_t order, bool essential) {
  cJSON *item = cJSON_CreateObject();
  cJSON *location = cJSON_AddObjectToObject(item, "location");
  struct pv_str text = {0}, clean = {0};
  add_place(location, s->file, s->line);
  add_function(location, s->function);
  tell_step(s, &text);
  pv_report_clean(pv_str_cstr(&text), 0, true, &clean);
  add_text(location, "message", pv_str_cstr(&clean));
  cJSON_AddNumberToObject(item, "executionOrder", order + 1);
  cJSON_AddStringToObject(item, "importance", essential ? "essential" : "important");
  if (s->changes.n) {
    cJSON *state = cJSON_AddObjectToObject(item, "state");
    for (uint32_t i = 0; i < s->changes.n; i++) {
      cJSON *name = pv_json_string(s->changes.at[i].name);
      if (!cJSON_GetObjectItemCaseSensitive(state, name->valuestring))
        add_text(state, name->valuestring, s->changes.at[i].value);
      cJSON_Delete(name);
    }
  }
  pv_str_free(&text);
  pv_str_free(&clean);
  return item;
}

/* Of a long path the middle is left out. */
static bool is_shown(const struct pv_error_path *path, uint32_t i) {
  uint32_t n = path->steps.n, half = PV_SARIF_STEPS / 2;
  return n <= PV_SARIF_STEPS || i < half || i >= n - half;
}

/* thread: UINT32_MAX: all of them. */
static cJSON *thread_flow(const struct pv_error_path *path, uint32_t thread) {
  cJSON *flow = cJSON_CreateObject(), *locations;
  char *id =
      thread == UINT32_MAX ? pv_strdup("interleaving") : pv_format("thread %" PRIu32, thread);
  uint32_t n = path->steps.n;
  cJSON_AddStringToObject(flow, "id", id);
  locations = cJSON_AddArrayToObject(flow, "locations");
  for (uint32_t i = 0; i < n; i++) {
    const struct pv_step *s = &path->steps.at[i];
    bool essential = i + 1 == n || (i && s->thread != s[-1].thread) || s->note;
    if (is_shown(path, i) && (thread == UINT32_MAX || s->thread == thread))
      cJSON_AddItemToArray(locations, step_of(s, i, essential));
  }
  free(id);
  return flow;
}

static void add_code_flows(cJSON *to, const struct pv_error_path *path) {
  uint64_t threads = 0;
  if (!path->steps.n) return;
  cJSON *flows = cJSON_AddArrayToObject(to, "codeFlows"), *flow = cJSON_CreateObject();
  cJSON_AddItemToArray(flows, flow);
  add_text(flow, "message", "all threads, in the order of their steps");
  cJSON_AddItemToArray(cJSON_AddArrayToObject(flow, "threadFlows"), thread_flow(path, UINT32_MAX));
  for (uint32_t i = 0; i < path->steps.n; i++)
    if (is_shown(path, i) && path->steps.at[i].thread < 64)
      threads |= UINT64_C(1) << path->steps.at[i].thread;
  if (!(threads & (threads - 1))) return;
  flow = cJSON_CreateObject();
  cJSON_AddItemToArray(flows, flow);
  add_text(flow, "message", "each thread by itself");
  cJSON *list = cJSON_AddArrayToObject(flow, "threadFlows");
  for (uint32_t t = 0; t < 64; t++)
    if (threads >> t & 1) cJSON_AddItemToArray(list, thread_flow(path, t));
}

/* ---- results ----------------------------------------------------------------------------------
 */
/* Stays the same if lines move: property, function, message and text of the line. */
static void add_fingerprint(cJSON *to, const struct pv_violation *v) {
  struct pv_str key = {0};
  const struct pv_step *last = v->path.steps.n ? &pv_vec_last(&v->path.steps) : NULL;
  pv_str_addf(&key, "%s\n%s\n%s", pv_property_table[v->property].name,
              v->function ? v->function : "", last && last->text ? last->text : "");
  char hash[20];
  snprintf(hash, sizeof hash, "%016" PRIx64, pv_hash(key.at, key.n));
  cJSON *prints = cJSON_AddObjectToObject(to, "partialFingerprints");
  cJSON_AddStringToObject(prints, "proviso/v1", hash);
  pv_str_free(&key);
}

static cJSON *result_of(const struct pv_violation *v) {
  cJSON *item = cJSON_CreateObject(), *location = cJSON_CreateObject();
  struct pv_str text = {0}, clean = {0};
  uint32_t n = v->path.steps.n;
  pv_str_add(&text, v->message ? v->message : "error");
  if (n > PV_SARIF_STEPS || v->path.left_out)
    pv_str_add(&text, " (steps in the middle of the path are left out)");
  pv_report_clean(pv_str_cstr(&text), 0, true, &clean);
  cJSON_AddStringToObject(item, "ruleId", pv_property_table[v->property].name);
  cJSON_AddStringToObject(item, "kind", "fail");
  cJSON_AddStringToObject(item, "level", "error");
  add_text(item, "message", pv_str_cstr(&clean));
  add_place(location, v->file, v->line);
  add_function(location, v->function);
  cJSON_AddItemToArray(cJSON_AddArrayToObject(item, "locations"), location);
  add_fingerprint(item, v);
  add_code_flows(item, &v->path);
  pv_str_free(&text);
  pv_str_free(&clean);
  return item;
}

/* ---- the run ----------------------------------------------------------------------------------
 */
static void add_tool(cJSON *run, pv_properties set) {
  cJSON *driver = cJSON_AddObjectToObject(cJSON_AddObjectToObject(run, "tool"), "driver");
  cJSON_AddStringToObject(driver, "name", "proviso");
  cJSON_AddStringToObject(driver, "version", PROVISO_VERSION);
  cJSON *rules = cJSON_AddArrayToObject(driver, "rules");
  for (unsigned i = 0; i < PV_PROP_COUNT; i++) {
    if (!(set & PV_PROP_BIT(i))) continue;
    cJSON *rule = cJSON_CreateObject();
    cJSON_AddStringToObject(rule, "id", pv_property_table[i].name);
    add_text(rule, "shortDescription", pv_property_table[i].help);
    cJSON_AddItemToArray(rules, rule);
  }
}

static void add_notification(cJSON *list, const char *level, const char *text, const char *file,
                             uint32_t line) {
  cJSON *item = cJSON_CreateObject();
  cJSON_AddStringToObject(item, "level", level);
  add_text(item, "message", text);
  if (file) {
    cJSON *location = cJSON_CreateObject();
    add_place(location, file, line);
    cJSON_AddItemToArray(cJSON_AddArrayToObject(item, "locations"), location);
  }
  cJSON_AddItemToArray(list, item);
}

static void add_invocation(cJSON *run, const struct pv_result *r) {
  cJSON *item = cJSON_CreateObject();
  cJSON_AddItemToArray(cJSON_AddArrayToObject(run, "invocations"), item);
  cJSON_AddBoolToObject(item, "executionSuccessful", true);
  cJSON_AddNumberToObject(item, "exitCode", pv_result_exit_status(r));
  cJSON *list = cJSON_AddArrayToObject(item, "toolExecutionNotifications");
  for (uint32_t i = 0; i < r->condition.provisos.n; i++) {
    const struct pv_proviso *p = &r->condition.provisos.at[i];
    char *text =
        pv_format("%s, provided that %s",
                  r->verdict == PV_FALSE ? "there are no further errors" : "no error is possible",
                  p->sentence);
    if (r->verdict != PV_UNKNOWN) add_notification(list, "warning", text, p->file, p->line);
    free(text);
  }
  if (r->verdict == PV_UNKNOWN)
    add_notification(list, "warning", r->reason ? r->reason : "nothing is proven", NULL, 0);
  for (uint32_t i = 0; i < r->notes.n; i++) add_notification(list, "note", r->notes.at[i], NULL, 0);
}

void pv_report_sarif(const struct pv_report *r, struct pv_str *out) {
  cJSON *root = pv_json_begin(), *run = cJSON_CreateObject();
  const struct pv_result *result = r->result;
  struct pv_str line = {0};
  pv_properties set = result->checked ? result->checked : r->options->properties;
  for (uint32_t i = 0; i < result->violations.n; i++)
    set |= PV_PROP_BIT(result->violations.at[i].property);
  cJSON_AddStringToObject(root, "$schema", "https://json.schemastore.org/sarif-2.1.0.json");
  cJSON_AddStringToObject(root, "version", "2.1.0");
  cJSON_AddItemToArray(cJSON_AddArrayToObject(root, "runs"), run);
  add_tool(run, set);
  add_invocation(run, result);
  cJSON *results = cJSON_AddArrayToObject(run, "results");
  for (uint32_t i = 0; i < result->violations.n; i++)
    cJSON_AddItemToArray(results, result_of(&result->violations.at[i]));
  pv_result_line(result, &line);
  cJSON_AddStringToObject(cJSON_AddObjectToObject(run, "properties"), "verdict",
                          pv_str_cstr(&line));
  pv_str_free(&line);
  pv_json_end(root, out);
}
