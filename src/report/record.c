#include "report/record.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const cJSON *get(const cJSON *object, const char *name) {
  return cJSON_GetObjectItemCaseSensitive(object, name);
}

/* The string of that name, or NULL if there is none. */
static const char *text_of(const cJSON *object, const char *name) {
  return cJSON_GetStringValue(get(object, name));
}

static bool count_of(const cJSON *item, uint32_t *out) {
  if (!cJSON_IsNumber(item)) return false;
  double value = item->valuedouble;
  if (!(value >= 0) || value > (double)UINT32_MAX || value != floor(value)) return false;
  *out = (uint32_t)value;
  return true;
}

static enum pv_status set_texts(struct pv_options *o, const char *name, const cJSON *list,
                                struct pv_str *err) {
  const cJSON *item;
  cJSON_ArrayForEach(item, list) {
    const char *value = cJSON_GetStringValue(item);
    if (!value) {
      pv_str_addf(err, "option `%s`: not a list of strings", name);
      return PV_E_INPUT;
    }
    /* a property file may have been moved since: the properties themselves are recorded */
    if (!strcmp(name, "spec") || !strcmp(name, "json") || !strcmp(name, "harness") ||
        !strcmp(name, "coverage") || !strcmp(name, "work") || !strcmp(name, "report") ||
        !strcmp(name, "sarif") || !strcmp(name, "junit") || !strcmp(name, "project") ||
        !strcmp(name, "witness"))
      continue;
    PV_TRY(pv_options_set(o, name, value, err));
  }
  return PV_OK;
}

static enum pv_status set_options(struct pv_options *o, const cJSON *options, struct pv_str *err) {
  const cJSON *item;
  cJSON_ArrayForEach(item, options) {
    const char *name = item->string;
    if (cJSON_IsArray(item)) {
      PV_TRY(set_texts(o, name, item, err));
    } else if (cJSON_IsBool(item)) {
      PV_TRY(pv_options_set(o, name, cJSON_IsTrue(item) ? "1" : "0", err));
    } else if (cJSON_IsNumber(item)) {
      char *value = pv_format("%.0f", item->valuedouble);
      enum pv_status status = pv_options_set(o, name, value, err);
      free(value);
      PV_TRY(status);
    } else {
      PV_TRY(pv_options_set(o, name, cJSON_GetStringValue(item), err));
    }
  }
  return PV_OK;
}

static enum pv_status read_properties(struct pv_record *r, const cJSON *list, struct pv_str *err) {
  const cJSON *item;
  r->options.properties = 0;
  cJSON_ArrayForEach(item, list) {
    const char *name = cJSON_GetStringValue(item);
    PV_TRY(pv_properties_parse(name ? name : "", &r->options.properties, err));
  }
  return PV_OK;
}

static enum pv_status read_files(struct pv_record *r, const cJSON *root, struct pv_str *err) {
  const cJSON *item;
  cJSON_ArrayForEach(item, get(root, "files")) {
    const char *path = text_of(item, "path"), *hash = text_of(item, "xxh3");
    if (!path) {
      pv_str_add(err, "a file without a path");
      return PV_E_INPUT;
    }
    const char *flags = text_of(item, "clang_flags");
    pv_vec_push(&r->options.files, pv_strdup(path));
    pv_vec_push(&r->options.file_flags, pv_strdup(flags ? flags : ""));
    pv_vec_push(&r->hashes, pv_strdup(hash ? hash : ""));
  }
  cJSON_ArrayForEach(item, get(root, "clang_arguments")) {
    const char *argument = cJSON_GetStringValue(item);
    if (argument) pv_vec_push(&r->options.clang_args, pv_strdup(argument));
  }
  return PV_OK;
}

/* The index of `name` in a table, or n. */
static uint32_t index_of(const char *name, const char *const *table, uint32_t n) {
  for (uint32_t i = 0; name && i < n; i++)
    if (!strcmp(table[i], name)) return i;
  return n;
}

static bool read_source(const cJSON *from, struct pv_source *out) {
  uint32_t origin = index_of(text_of(from, "origin"), pv_source_origin_names, PV_ORIGIN_COUNT);
  uint32_t type = index_of(text_of(from, "type"), pv_source_type_names, PV_SOURCE_COUNT);
  const char *name = text_of(from, "name"), *file = text_of(from, "file");
  const char *function = text_of(from, "function");
  if (origin == PV_ORIGIN_COUNT || type == PV_SOURCE_COUNT) return false;
  if (!count_of(get(from, "bits"), &out->bits) || out->bits > 128) return false;
  out->origin = (enum pv_source_origin)origin;
  out->type = (enum pv_source_type)type;
  out->name = name ? pv_strdup(name) : NULL;
  out->file = file ? pv_strdup(file) : NULL;
  out->function = function ? pv_strdup(function) : NULL;
  if (!count_of(get(from, "line"), &out->line)) out->line = 0;
  return true;
}

/* "0x" and 1 to 32 hexadecimal digits. */
static bool read_bits(const char *text, uint64_t value[2]) {
  static const char digits[] = "0123456789abcdef";
  size_t n = text ? strlen(text) : 0;
  if (n < 3 || n > 34 || text[0] != '0' || text[1] != 'x') return false;
  value[0] = value[1] = 0;
  for (const char *c = text + 2; *c; c++) {
    const char *digit = strchr(digits, *c);
    if (!digit) return false;
    value[1] = value[1] << 4 | value[0] >> 60;
    value[0] = value[0] << 4 | (uint64_t)(digit - digits);
  }
  return true;
}

static enum pv_status read_inputs(struct pv_error_path *path, const cJSON *from,
                                  struct pv_str *err) {
  const cJSON *item;
  cJSON_ArrayForEach(item, get(from, "input_sources")) {
    struct pv_source source = {0};
    if (!read_source(item, &source)) {
      pv_str_add(err, "a source of inputs that is none");
      return PV_E_INPUT;
    }
    pv_vec_push(&path->sources, source);
  }
  cJSON_ArrayForEach(item, get(from, "inputs")) {
    struct pv_input in = {0};
    bool right = cJSON_GetArraySize(item) == 3 &&
                 count_of(cJSON_GetArrayItem(item, 0), &in.source) &&
                 count_of(cJSON_GetArrayItem(item, 1), &in.thread) &&
                 read_bits(cJSON_GetStringValue(cJSON_GetArrayItem(item, 2)), in.value);
    if (!right || in.source >= path->sources.n) {
      pv_str_add(err, "an input that is not a source, a thread and a value");
      return PV_E_INPUT;
    }
    in.source++;
    pv_vec_push(&path->inputs, in);
  }
  return PV_OK;
}

static enum pv_status read_violation(struct pv_record *r, const cJSON *from, struct pv_str *err) {
  struct pv_violation v = {0};
  pv_properties property = 0;
  const char *name = text_of(from, "property"), *message = text_of(from, "message");
  const char *file = text_of(from, "file"), *function = text_of(from, "function");
  const cJSON *choice;
  PV_TRY(pv_properties_parse(name ? name : "", &property, err));
  while (!(property & PV_PROP_BIT(v.property))) v.property++;
  if (message) v.message = pv_strdup(message);
  if (file) v.file = pv_strdup(file);
  if (function) v.function = pv_strdup(function);
  if (!count_of(get(from, "line"), &v.line)) v.line = 0;
  pv_vec_push(&r->violations, v);
  struct pv_error_path *path = &pv_vec_last(&r->violations).path;
  path->is_lasso = get(from, "loop") && count_of(get(get(from, "loop"), "choice"), &path->loop);
  cJSON_ArrayForEach(choice, get(from, "choices")) {
    struct pv_choice c;
    if (cJSON_GetArraySize(choice) != 2 || !count_of(cJSON_GetArrayItem(choice, 0), &c.thread) ||
        !count_of(cJSON_GetArrayItem(choice, 1), &c.alternative)) {
      pv_str_add(err, "a choice that is no pair of numbers");
      return PV_E_INPUT;
    }
    pv_vec_push(&pv_vec_last(&r->violations).path.choices, c);
  }
  return read_inputs(&pv_vec_last(&r->violations).path, from, err);
}

static enum pv_status read_root(struct pv_record *r, const cJSON *root, struct pv_str *err) {
  uint32_t schema;
  const cJSON *item;
  const char *tool = text_of(root, "tool"), *directory = text_of(root, "directory");
  if (!tool || strcmp(tool, "proviso") != 0) {
    pv_str_add(err, "not written by `proviso check --json`");
    return PV_E_INPUT;
  }
  if (!count_of(get(root, "schema_version"), &schema) || schema != 1) {
    pv_str_add(err, "written by another version of proviso");
    return PV_E_INPUT;
  }
  if (directory) r->directory = pv_strdup(directory);
  PV_TRY(read_files(r, root, err));
  PV_TRY(set_options(&r->options, get(root, "options"), err));
  PV_TRY(read_properties(r, get(root, "properties"), err));
  cJSON_ArrayForEach(item, get(root, "violations")) PV_TRY(read_violation(r, item, err));
  return PV_OK;
}

enum pv_status pv_record_read(const char *path, struct pv_record *out, struct pv_str *err) {
  char *text;
  size_t n;
  cJSON_Hooks hooks = {pv_alloc, free};
  *out = (struct pv_record){0};
  pv_options_init(&out->options);
  PV_TRY(pv_read_file(path, (size_t)1 << 31, &text, &n, err));
  cJSON_InitHooks(&hooks);
  cJSON *root = cJSON_ParseWithLength(text, n);
  free(text);
  struct pv_str why = {0};
  enum pv_status status = PV_OK;
  if (!cJSON_IsObject(root)) {
    pv_str_add(&why, "is not a JSON object");
    status = PV_E_INPUT;
  } else {
    status = read_root(out, root, &why);
  }
  if (status != PV_OK) pv_str_addf(err, "%s: %s", path, pv_str_cstr(&why));
  pv_str_free(&why);
  cJSON_Delete(root);
  return status;
}

void pv_record_free(struct pv_record *record) {
  pv_options_free(&record->options);
  for (uint32_t i = 0; i < record->hashes.n; i++) free(record->hashes.at[i]);
  pv_vec_free(&record->hashes);
  for (uint32_t i = 0; i < record->violations.n; i++) pv_violation_clear(&record->violations.at[i]);
  pv_vec_free(&record->violations);
  free(record->directory);
  *record = (struct pv_record){0};
}
