/* yaml.h -- reads YAML files into trees, with limits for files from strangers. libyaml splits the
 * text into events; anchors, aliases, tags, keys that are no scalars and several documents are
 * refused, as are files that are too deep, too large or not UTF-8. */
#ifndef PV_YAML_H
#define PV_YAML_H

#include "base/base.h"

enum pv_yaml_kind { PV_YAML_SCALAR, PV_YAML_LIST, PV_YAML_MAP };
struct pv_yaml {
  enum pv_yaml_kind kind;
  char *text;          /* SCALAR: without quotes; always NUL-terminated */
  bool quoted;         /* SCALAR: was it written in quotes or as a block? */
  uint32_t line;       /* 1-based */
  PV_VEC(char *) keys; /* MAP: parallel to items; no key twice */
  PV_VEC(struct pv_yaml *) items;
};

/* Reads a text, or a file. PV_E_INPUT: *err says "path:line: why". The caller frees *out. */
enum pv_status pv_yaml_parse(const char *path, const char *text, size_t n, struct pv_yaml **out,
                             struct pv_str *err);
enum pv_status pv_yaml_read(const char *path, struct pv_yaml **out, struct pv_str *err);
void pv_yaml_free(struct pv_yaml *y);

/* The value of a key of a map; NULL: there is none, or `y` is NULL or no map. */
const struct pv_yaml *pv_yaml_get(const struct pv_yaml *y, const char *key);
/* The text of a scalar; NULL if it is none. */
const char *pv_yaml_text(const struct pv_yaml *y);
/* A whole number from 0 to 2^31 - 1. */
bool pv_yaml_count(const struct pv_yaml *y, uint32_t *out);

#endif
