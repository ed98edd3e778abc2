#include "project/toml.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct reader {
  const char *at;
  uint32_t line;
  struct pv_toml *out;
  struct pv_str *err;
};

static enum pv_status wrong(const struct reader *r, const char *what) {
  pv_str_addf(r->err, "%u: %s", r->line, what);
  return PV_E_INPUT;
}

static void skip_blanks(struct reader *r) {
  r->at += strspn(r->at, " \t");
}

/* Blanks, comments and ends of lines. */
static void skip_space(struct reader *r) {
  for (;;) {
    r->at += strspn(r->at, " \t\r");
    if (*r->at == '#') r->at += strcspn(r->at, "\n");
    if (*r->at != '\n') return;
    r->at++;
    r->line++;
  }
}

/* Nothing but a comment may follow on the line. */
static enum pv_status end_line(struct reader *r) {
  skip_blanks(r);
  if (*r->at == '#') r->at += strcspn(r->at, "\n");
  if (*r->at == '\r') r->at++;
  return *r->at && *r->at != '\n' ? wrong(r, "something follows on the line") : PV_OK;
}

static bool is_bare(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '-';
}

/* ---- values ---------------------------------------------------------------------------------- */
static void add_utf8(uint32_t c, struct pv_str *out) {
  if (c < 0x80) {
    pv_str_addc(out, (char)c);
  } else if (c < 0x800) {
    pv_str_addc(out, (char)(0xc0 | c >> 6));
    pv_str_addc(out, (char)(0x80 | (c & 0x3f)));
  } else {
    pv_str_addc(out, (char)(0xe0 | c >> 12));
    pv_str_addc(out, (char)(0x80 | (c >> 6 & 0x3f)));
    pv_str_addc(out, (char)(0x80 | (c & 0x3f)));
  }
}

static bool read_escape(struct reader *r, struct pv_str *out) {
  static const char letters[] = "b\bt\tn\nf\fr\r\"\"\\\\";
  const char *letter = *r->at ? strchr(letters, *r->at) : NULL;
  if (letter && (letter - letters) % 2 == 0) {
    pv_str_addc(out, letter[1]);
    r->at++;
    return true;
  }
  if (*r->at != 'u') return false;
  uint32_t c = 0;
  for (int i = 1; i <= 4; i++) {
    static const char digits[] = "0123456789abcdef";
    char low = r->at[i] >= 'A' && r->at[i] <= 'F' ? (char)(r->at[i] + 32) : r->at[i];
    const char *digit = low ? strchr(digits, low) : NULL;
    if (!digit) return false;
    c = c << 4 | (uint32_t)(digit - digits);
  }
  if (!c || (c >= 0xd800 && c < 0xe000)) return false;
  add_utf8(c, out);
  r->at += 5;
  return true;
}

/* "basic" or 'literal' */
static enum pv_status read_string(struct reader *r, char **out) {
  struct pv_str text = {0};
  char quote = *r->at++;
  if (r->at[0] == quote && r->at[1] == quote) return wrong(r, "strings end on their line");
  while (*r->at != quote) {
    bool is_control = (unsigned char)*r->at < 0x20 && *r->at != '\t';
    bool is_wrong = is_control || *r->at == 0x7f;
    if (!is_wrong && *r->at == '\\' && quote == '"')
      r->at++, is_wrong = !read_escape(r, &text);
    else if (!is_wrong)
      pv_str_addc(&text, *r->at++);
    if (!is_wrong) continue;
    pv_str_free(&text);
    return wrong(r, is_control ? "a string does not end" : "a wrong escape sequence in a string");
  }
  r->at++;
  *out = pv_strdup(pv_str_cstr(&text));
  pv_str_free(&text);
  return PV_OK;
}

static enum pv_status read_array(struct reader *r, struct pv_toml_value *v) {
  v->kind = PV_TOML_STRINGS;
  r->at++;
  for (;;) {
    char *text;
    skip_space(r);
    if (*r->at == ']') break;
    if (*r->at != '"' && *r->at != '\'') return wrong(r, "only arrays of strings are known");
    PV_TRY(read_string(r, &text));
    pv_vec_push(&v->texts, text);
    skip_space(r);
    if (*r->at == ',')
      r->at++;
    else if (*r->at != ']')
      return wrong(r, "a comma or `]` is missing in an array");
  }
  r->at++;
  return PV_OK;
}

static enum pv_status read_number(struct reader *r, struct pv_toml_value *v) {
  char *end;
  const char *digits = r->at + (*r->at == '-' || *r->at == '+');
  size_t n = strspn(digits, "0123456789");
  errno = 0;
  v->kind = PV_TOML_INTEGER;
  v->number = strtoll(r->at, &end, 10);
  if (!n || (n > 1 && *digits == '0') || errno || is_bare(*end) || *end == '.' || *end == ':')
    return wrong(r, "a value that is no string, integer, boolean or array of strings");
  r->at = end;
  return PV_OK;
}

static enum pv_status read_value(struct reader *r, struct pv_toml_value *v) {
  if (*r->at == '"' || *r->at == '\'') {
    char *text;
    PV_TRY(read_string(r, &text));
    v->kind = PV_TOML_STRING;
    pv_vec_push(&v->texts, text);
    return PV_OK;
  }
  if (*r->at == '[') return read_array(r, v);
  size_t yes = !strncmp(r->at, "true", 4) ? 4 : !strncmp(r->at, "false", 5) ? 5 : 0;
  if (!yes || is_bare(r->at[yes])) return read_number(r, v);
  v->kind = PV_TOML_BOOLEAN;
  v->number = yes == 4;
  r->at += yes;
  return PV_OK;
}

/* ---- keys and tables ------------------------------------------------------------------------- */
static enum pv_status read_name(struct reader *r, struct pv_str *out) {
  if (*r->at == '"' || *r->at == '\'') {
    char *text;
    PV_TRY(read_string(r, &text));
    pv_str_add(out, text);
    free(text);
    return PV_OK;
  }
  if (!is_bare(*r->at)) return wrong(r, "a name is expected");
  while (is_bare(*r->at)) pv_str_addc(out, *r->at++);
  return PV_OK;
}

static enum pv_status read_table(struct reader *r) {
  struct pv_str name = {0};
  uint32_t line = r->line;
  bool is_array = r->at[1] == '[';
  enum pv_status status;
  r->at += 1 + is_array;
  for (;;) {
    skip_blanks(r);
    status = read_name(r, &name);
    skip_blanks(r);
    if (status != PV_OK || *r->at != '.') break;
    pv_str_addc(&name, *r->at++);
  }
  if (status == PV_OK && strncmp(r->at, is_array ? "]]" : "]", 1 + (size_t)is_array) != 0)
    status = wrong(r, "`]` is missing");
  for (uint32_t i = 0; i < r->out->tables.n && status == PV_OK; i++) {
    const struct pv_toml_table *t = &r->out->tables.at[i];
    if (!strcmp(t->name, pv_str_cstr(&name)) && !(t->is_array && is_array))
      status = wrong(r, "this table is there already");
  }
  if (status == PV_OK) {
    r->at += 1 + is_array;
    pv_vec_push(&r->out->tables,
                ((struct pv_toml_table){pv_strdup(pv_str_cstr(&name)), is_array, line, line + 1}));
  }
  pv_str_free(&name);
  return status == PV_OK ? end_line(r) : status;
}

static uint32_t instances_of(const struct pv_toml *t, const char *name) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < t->tables.n; i++) n += !strcmp(t->tables.at[i].name, name);
  return n;
}

static enum pv_status read_pair(struct reader *r) {
  struct pv_str key = {0};
  struct pv_toml *t = r->out;
  const char *table = t->tables.n ? pv_vec_last(&t->tables).name : "";
  uint32_t instances = instances_of(t, table);
  enum pv_status status = read_name(r, &key);
  struct pv_toml_value v = {.table = pv_strdup(table),
                            .instance = instances ? instances - 1 : 0,
                            .key = pv_strdup(pv_str_cstr(&key)),
                            .line = r->line};
  pv_str_free(&key);
  skip_blanks(r);
  if (status == PV_OK && *r->at != '=')
    status = wrong(r, "`=` is missing (dotted keys are not known)");
  if (status == PV_OK) r->at++;
  for (uint32_t i = 0; i < t->values.n && status == PV_OK; i++) {
    const struct pv_toml_value *x = &t->values.at[i];
    if (!strcmp(x->table, v.table) && x->instance == v.instance && !strcmp(x->key, v.key))
      status = wrong(r, "this key is there already");
  }
  skip_blanks(r);
  if (status == PV_OK) status = read_value(r, &v);
  if (status == PV_OK) status = end_line(r);
  pv_vec_push(&t->values, v);
  if (t->tables.n) pv_vec_last(&t->tables).end = r->line + 1;
  return status;
}

enum pv_status pv_toml_read(const char *text, struct pv_toml *out, struct pv_str *err) {
  struct reader r = {.at = text, .line = 1, .out = out, .err = err};
  *out = (struct pv_toml){0};
  if (!strncmp(text, "\xef\xbb\xbf", 3)) r.at += 3;
  for (skip_space(&r); *r.at; skip_space(&r)) {
    enum pv_status status = *r.at == '[' ? read_table(&r) : read_pair(&r);
    if (status == PV_OK) continue;
    pv_toml_free(out);
    return status;
  }
  return PV_OK;
}

void pv_toml_free(struct pv_toml *t) {
  for (uint32_t i = 0; i < t->values.n; i++) {
    struct pv_toml_value *v = &t->values.at[i];
    for (uint32_t k = 0; k < v->texts.n; k++) free(v->texts.at[k]);
    pv_vec_free(&v->texts);
    free(v->table);
    free(v->key);
  }
  for (uint32_t i = 0; i < t->tables.n; i++) free(t->tables.at[i].name);
  pv_vec_free(&t->values);
  pv_vec_free(&t->tables);
}

void pv_toml_quote(const char *text, struct pv_str *out) {
  pv_str_addc(out, '"');
  for (const unsigned char *c = (const unsigned char *)text; *c; c++) {
    if (*c == '"' || *c == '\\')
      pv_str_addf(out, "\\%c", *c);
    else if (*c < 0x20 || *c == 0x7f)
      pv_str_addf(out, "\\u%04x", *c);
    else
      pv_str_addc(out, (char)*c);
  }
  pv_str_addc(out, '"');
}
