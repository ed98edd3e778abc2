#include "witness/yaml.h"

#include <stdlib.h>
#include <string.h>
#include <yaml.h>

enum { DEEPEST = 40, MOST_NODES = 2000000, LONGEST = 1 << 28 };

struct reader {
  yaml_parser_t parser;
  const char *path;
  struct pv_str *err;
  uint32_t nodes;
};

static bool wrong(struct reader *r, size_t line, const char *why) {
  if (!r->err->n) pv_str_addf(r->err, "%s:%zu: %s", r->path, line + 1, why);
  return false;
}

static bool next(struct reader *r, yaml_event_t *e) {
  if (yaml_parser_parse(&r->parser, e)) return true;
  const char *problem = r->parser.problem ? r->parser.problem : "it is no YAML";
  wrong(r, r->parser.problem_mark.line, problem);
  return false;
}

static bool is_plain(struct reader *r, const yaml_event_t *e) {
  bool anchor = false, tag = false;
  switch (e->type) {
  case YAML_SCALAR_EVENT:
    anchor = e->data.scalar.anchor;
    tag = e->data.scalar.tag;
    break;
  case YAML_SEQUENCE_START_EVENT:
    anchor = e->data.sequence_start.anchor;
    tag = e->data.sequence_start.tag;
    break;
  case YAML_MAPPING_START_EVENT:
    anchor = e->data.mapping_start.anchor;
    tag = e->data.mapping_start.tag;
    break;
  default: return wrong(r, e->start_mark.line, "an anchor is used, or something is missing");
  }
  return !anchor && !tag ? true : wrong(r, e->start_mark.line, "anchors and tags are not read");
}

static struct pv_yaml *node_of(struct reader *r, yaml_event_t *e, unsigned depth);

/* Reads the key of a map. NULL: the map ends, or *failed. */
static char *read_key(struct reader *r, bool *failed) {
  yaml_event_t e;
  char *key = NULL;
  *failed = !next(r, &e);
  if (*failed) return NULL;
  if (e.type == YAML_MAPPING_END_EVENT) {
    yaml_event_delete(&e);
    return NULL;
  }
  *failed = !is_plain(r, &e) ||
            (e.type != YAML_SCALAR_EVENT && !wrong(r, e.start_mark.line, "a key is no word"));
  if (!*failed) key = pv_strdup((const char *)e.data.scalar.value);
  yaml_event_delete(&e);
  return key;
}

static bool read_map(struct reader *r, struct pv_yaml *y, unsigned depth) {
  bool failed;
  char *key;
  while ((key = read_key(r, &failed))) {
    yaml_event_t e;
    if (pv_yaml_get(y, key)) {
      wrong(r, r->parser.mark.line, "a key occurs twice");
      free(key);
      return false;
    }
    struct pv_yaml *item = next(r, &e) ? node_of(r, &e, depth) : NULL;
    if (!item) {
      free(key);
      return false;
    }
    pv_vec_push(&y->keys, key);
    pv_vec_push(&y->items, item);
  }
  return !failed;
}

static bool read_list(struct reader *r, struct pv_yaml *y, unsigned depth) {
  for (;;) {
    yaml_event_t e;
    if (!next(r, &e)) return false;
    if (e.type == YAML_SEQUENCE_END_EVENT) {
      yaml_event_delete(&e);
      return true;
    }
    struct pv_yaml *item = node_of(r, &e, depth);
    if (!item) return false;
    pv_vec_push(&y->items, item);
  }
}

/* Deletes the event. */
static struct pv_yaml *node_of(struct reader *r, yaml_event_t *e, unsigned depth) {
  bool ok = is_plain(r, e);
  if (ok && depth > DEEPEST) ok = wrong(r, e->start_mark.line, "it is nested too deeply");
  if (ok && ++r->nodes > MOST_NODES) ok = wrong(r, e->start_mark.line, "it is too large");
  struct pv_yaml *y = pv_alloc(sizeof *y);
  y->line = (uint32_t)e->start_mark.line + 1;
  yaml_event_type_t type = e->type;
  if (ok && type == YAML_SCALAR_EVENT) {
    y->text = pv_strdup((const char *)e->data.scalar.value);
    y->quoted = e->data.scalar.style != YAML_PLAIN_SCALAR_STYLE;
    if (strlen(y->text) != e->data.scalar.length)
      ok = wrong(r, e->start_mark.line, "a text has a zero byte");
  }
  yaml_event_delete(e);
  if (ok && type == YAML_MAPPING_START_EVENT) {
    y->kind = PV_YAML_MAP;
    ok = read_map(r, y, depth + 1);
  } else if (ok && type == YAML_SEQUENCE_START_EVENT) {
    y->kind = PV_YAML_LIST;
    ok = read_list(r, y, depth + 1);
  }
  if (ok) return y;
  pv_yaml_free(y);
  return NULL;
}

/* Reads an event that must have this type. */
static bool expect(struct reader *r, yaml_event_type_t type, const char *why) {
  yaml_event_t e;
  if (!next(r, &e)) return false;
  bool ok = e.type == type;
  if (!ok) wrong(r, e.start_mark.line, why);
  yaml_event_delete(&e);
  return ok;
}

enum pv_status pv_yaml_parse(const char *path, const char *text, size_t n, struct pv_yaml **out,
                             struct pv_str *err) {
  struct pv_str why = {0};
  struct reader r = {.path = path, .err = &why};
  yaml_event_t e;
  *out = NULL;
  PV_REQUIRE(yaml_parser_initialize(&r.parser), "out of memory");
  yaml_parser_set_input_string(&r.parser, (const unsigned char *)text, n);
  bool begun = expect(&r, YAML_STREAM_START_EVENT, "it is no YAML") &&
               expect(&r, YAML_DOCUMENT_START_EVENT, "it is empty");
  if (begun && next(&r, &e)) *out = node_of(&r, &e, 0);
  bool ended = *out && expect(&r, YAML_DOCUMENT_END_EVENT, "the document does not end") &&
               expect(&r, YAML_STREAM_END_EVENT, "there is a second document");
  yaml_parser_delete(&r.parser);
  if (!ended) {
    pv_yaml_free(*out);
    *out = NULL;
    if (err) pv_str_add(err, why.n ? why.at : "it is no YAML");
  }
  pv_str_free(&why);
  return ended ? PV_OK : PV_E_INPUT;
}

enum pv_status pv_yaml_read(const char *path, struct pv_yaml **out, struct pv_str *err) {
  char *text;
  size_t n;
  *out = NULL;
  PV_TRY(pv_read_file(path, LONGEST, &text, &n, err));
  enum pv_status status = pv_yaml_parse(path, text, n, out, err);
  free(text);
  return status;
}

void pv_yaml_free(struct pv_yaml *y) {
  if (!y) return;
  for (uint32_t i = 0; i < y->keys.n; i++) free(y->keys.at[i]);
  for (uint32_t i = 0; i < y->items.n; i++) pv_yaml_free(y->items.at[i]);
  pv_vec_free(&y->keys);
  pv_vec_free(&y->items);
  free(y->text);
  free(y);
}

const struct pv_yaml *pv_yaml_get(const struct pv_yaml *y, const char *key) {
  for (uint32_t i = 0; y && y->kind == PV_YAML_MAP && i < y->keys.n; i++)
    if (!strcmp(y->keys.at[i], key)) return y->items.at[i];
  return NULL;
}

const char *pv_yaml_text(const struct pv_yaml *y) {
  return y && y->kind == PV_YAML_SCALAR ? y->text : NULL;
}

bool pv_yaml_count(const struct pv_yaml *y, uint32_t *out) {
  const char *text = pv_yaml_text(y);
  if (!text || !*text || strlen(text) > 10 || strspn(text, "0123456789") != strlen(text))
    return false;
  unsigned long n = strtoul(text, NULL, 10);
  if (n > INT32_MAX) return false;
  *out = (uint32_t)n;
  return true;
}
