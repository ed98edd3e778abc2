#include "cli/task.h"

#include <stdlib.h>
#include <string.h>

#include "witness/yaml.h"

struct reader {
  struct pv_options *o;
  struct pv_cli_task *task;
  const char *path;
  struct pv_str *err;
};

static enum pv_status wrong(struct reader *r, const struct pv_yaml *at, const char *why) {
  pv_str_addf(r->err, "%s:%u: %s", r->path, at ? at->line : 1, why);
  return PV_E_INPUT;
}

/* The name of a file of the task, which is relative to the definition. */
static char *beside(const struct reader *r, const char *name) {
  const char *slash = strrchr(r->path, '/');
  if (*name == '/' || !slash) return pv_strdup(name);
  return pv_format("%.*s%s", (int)(slash - r->path + 1), r->path, name);
}

static enum pv_status read_files(struct reader *r, const struct pv_yaml *root) {
  const struct pv_yaml *files = pv_yaml_get(root, "input_files");
  uint32_t n = files && files->kind == PV_YAML_LIST ? files->items.n : 1;
  free(r->o->files.at[0]);
  r->o->files.n = 0;
  r->o->file_flags.n = 0;
  if (!files || !n) return wrong(r, root, "`input_files` is missing");
  for (uint32_t i = 0; i < n; i++) {
    const struct pv_yaml *one = files->kind == PV_YAML_LIST ? files->items.at[i] : files;
    const char *name = pv_yaml_text(one);
    if (!name || !*name) return wrong(r, files, "an input file has no name");
    pv_vec_push(&r->o->files, beside(r, name));
  }
  return PV_OK;
}

static enum pv_status read_expected(struct reader *r, const struct pv_yaml *item,
                                    struct pv_expectation *x) {
  const struct pv_yaml *verdict = pv_yaml_get(item, "expected_verdict");
  const char *part = pv_yaml_text(pv_yaml_get(item, "subproperty"));
  const char *text = pv_yaml_text(verdict);
  x->violated = x->properties;
  if (part) {
    pv_properties one = 0;
    if (pv_properties_parse(part, &one, NULL) != PV_OK || !(one & x->properties))
      return wrong(r, item, "`subproperty` is no part of the property");
    x->violated = one;
  }
  if (!verdict) return PV_OK;
  x->known = true;
  x->expected = text && !strcmp(text, "true");
  if (!text || (!x->expected && strcmp(text, "false") != 0))
    return wrong(r, verdict, "`expected_verdict` is neither true nor false");
  return PV_OK;
}

static enum pv_status read_property(struct reader *r, const struct pv_yaml *item, bool named) {
  const char *name = pv_yaml_text(pv_yaml_get(item, "property_file"));
  struct pv_expectation x = {0};
  if (!name) return wrong(r, item, "`property_file` is missing");
  char *path = beside(r, name);
  enum pv_status status = pv_properties_read_spec(path, &x.properties, named ? NULL : r->err);
  bool taken = status == PV_OK && (!named || (x.properties & r->o->properties));
  if (taken && !named) status = pv_options_set(r->o, "spec", path, r->err);
  free(path);
  if (status != PV_OK) return named ? PV_OK : status; /* one that was not asked for */
  if (!taken) return PV_OK;
  PV_TRY(read_expected(r, item, &x));
  pv_vec_push(&r->task->list, x);
  return PV_OK;
}

static enum pv_status read_root(struct reader *r, const struct pv_yaml *root) {
  const struct pv_yaml *list = pv_yaml_get(root, "properties");
  const struct pv_yaml *options = pv_yaml_get(root, "options");
  const char *version = pv_yaml_text(pv_yaml_get(root, "format_version"));
  const char *model = pv_yaml_text(pv_yaml_get(options, "data_model"));
  const char *language = pv_yaml_text(pv_yaml_get(options, "language"));
  bool named = r->o->property.n || r->o->spec.n;
  if (!version || (strncmp(version, "1.", 2) != 0 && strncmp(version, "2.", 2) != 0))
    return wrong(r, root, "it is no task definition of version 1 or 2");
  if (language && strcmp(language, "C") != 0) return wrong(r, options, "the task is not about C");
  if (model && strcmp(model, "ILP32") != 0 && strcmp(model, "LP64") != 0)
    return wrong(r, options, "`data_model` is neither ILP32 nor LP64");
  if (model && !strcmp(model, "ILP32") && !r->o->lp64) r->o->ilp32 = true;
  PV_TRY(read_files(r, root));
  if (list && list->kind != PV_YAML_LIST) return wrong(r, list, "`properties` is no list");
  for (uint32_t i = 0; list && i < list->items.n; i++)
    PV_TRY(read_property(r, list->items.at[i], named));
  return PV_OK;
}

static bool is_definition(const char *path) {
  const char *dot = strrchr(path, '.');
  return dot && (!strcmp(dot, ".yml") || !strcmp(dot, ".yaml"));
}

enum pv_status pv_cli_task_read(struct pv_options *o, struct pv_cli_task *task,
                                struct pv_str *err) {
  struct pv_yaml *root;
  if (o->files.n != 1 || !is_definition(o->files.at[0])) return PV_OK;
  char *path = pv_strdup(o->files.at[0]);
  struct reader r = {o, task, path, err};
  enum pv_status status = pv_yaml_read(path, &root, err);
  if (status == PV_OK) status = read_root(&r, root);
  if (status == PV_OK) status = pv_options_check(o, err);
  pv_yaml_free(root);
  free(path);
  return status;
}

/* "met", "not met", or "open". */
static const char *judgement(const struct pv_expectation *x, const struct pv_result *r) {
  bool violated = false;
  for (uint32_t i = 0; i < r->violations.n; i++) {
    pv_properties one = PV_PROP_BIT(r->violations.at[i].property);
    if (!x->expected && one & x->violated) return "met";
    violated |= (one & x->properties) != 0;
  }
  if (violated) return "not met";
  return r->verdict != PV_TRUE ? "open" : x->expected ? "met" : "not met";
}

void pv_cli_task_judge(const struct pv_cli_task *task, struct pv_result *r) {
  for (uint32_t i = 0; i < task->list.n; i++) {
    const struct pv_expectation *x = &task->list.at[i];
    struct pv_str names = {0};
    if (!x->known) continue;
    pv_properties_print(x->expected ? x->properties : x->violated, &names);
    pv_vec_push(&r->notes,
                pv_format("the task expects %s for %s: %s", x->expected ? "true" : "false",
                          pv_str_cstr(&names), judgement(x, r)));
    pv_str_free(&names);
  }
}

void pv_cli_task_clear(struct pv_cli_task *task) {
  pv_vec_free(&task->list);
}
