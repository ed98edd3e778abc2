/* toml.h -- a reader for a part of TOML 1.0: what proviso.toml needs.
 *
 * Tables and arrays of tables with plain or dotted names, keys with plain or quoted names; values:
 * basic and literal strings on one line, decimal integers, booleans, and arrays of strings over any
 * number of lines. Everything else of TOML (floats, dates, inline tables, strings over several
 * lines, other arrays) is an error with its line, never read as something else. Debian 12 has no
 * library for TOML with an interface for C. */
#ifndef PV_TOML_H
#define PV_TOML_H

#include "base/base.h"

enum pv_toml_kind { PV_TOML_STRING, PV_TOML_INTEGER, PV_TOML_BOOLEAN, PV_TOML_STRINGS };
struct pv_toml_value {
  char *table;       /* "" at the top, "check" in [check] and [[check]] */
  uint32_t instance; /* of an array of tables: which one, from 0 */
  char *key;
  enum pv_toml_kind kind;
  int64_t number;       /* INTEGER, BOOLEAN */
  PV_VEC(char *) texts; /* STRING: one */
  uint32_t line;
};
struct pv_toml_table {
  char *name;
  bool is_array;
  uint32_t line, end; /* of the header, and behind its last line that is not empty */
};
struct pv_toml {
  PV_VEC(struct pv_toml_value) values;
  PV_VEC(struct pv_toml_table) tables; /* in order */
};
/* Reads a text. PV_E_INPUT: "LINE: message" is in *err. Caller frees *out with pv_toml_free. */
enum pv_status pv_toml_read(const char *text, struct pv_toml *out, struct pv_str *err);
void pv_toml_free(struct pv_toml *t);
/* Appends the text as a basic string with quotes. */
void pv_toml_quote(const char *text, struct pv_str *out);

#endif
