#include "project/manifest.h"

#include <stdlib.h>
#include <string.h>

static enum pv_status wrong(const char *path, const struct pv_toml_value *v, const char *what,
                            struct pv_str *err) {
  pv_str_addf(err, "%s:%u: `%s`: %s", path, v->line, v->key, what);
  return PV_E_INPUT;
}

static enum pv_status set_option(struct pv_options *o, const char *path,
                                 const struct pv_toml_value *v, struct pv_str *err) {
  struct pv_str why = {0};
  char *number =
      v->texts.n || v->kind == PV_TOML_STRINGS ? NULL : pv_format("%lld", (long long)v->number);
  enum pv_status status = number ? pv_options_set(o, v->key, number, &why) : PV_OK;
  for (uint32_t i = 0; i < v->texts.n && status == PV_OK; i++)
    status = pv_options_set(o, v->key, v->texts.at[i], &why);
  if (status != PV_OK) pv_str_addf(err, "%s:%u: %s", path, v->line, pv_str_cstr(&why));
  pv_str_free(&why);
  free(number);
  return status;
}

/* A key of [[check]] that is no option. Returns false if it is one. */
static bool take_own(struct pv_planned_check *c, const struct pv_toml_value *v, const char **what) {
  bool is_text = v->kind == PV_TOML_STRING;
  bool is_list = is_text || v->kind == PV_TOML_STRINGS;
  *what = NULL;
  if (!strcmp(v->key, "name") || !strcmp(v->key, "expect")) {
    char **to = *v->key == 'n' ? &c->name : &c->expected.line;
    if (!is_text) *what = "is a string";
    if (is_text) free(*to), *to = pv_strdup(v->texts.at[0]);
    return true;
  }
  bool files = !strcmp(v->key, "files"), clang = !strcmp(v->key, "clang");
  if (!files && !clang && strcmp(v->key, "provisos") != 0) return false;
  if (!is_list) *what = "is an array of strings";
  for (uint32_t i = 0; i < v->texts.n; i++) {
    if (files)
      pv_options_add_file(&c->options, v->texts.at[i]);
    else if (clang)
      pv_vec_push(&c->options.clang_args, pv_strdup(v->texts.at[i]));
    else
      pv_vec_push(&c->expected.provisos, pv_strdup(v->texts.at[i]));
  }
  return true;
}

static bool is_verdict(const char *line) {
  return !strcmp(line, "true") || !strcmp(line, "conditional") || !strcmp(line, "unknown") ||
         !strncmp(line, "false(", 6);
}

static enum pv_status read_check(const char *path, const struct pv_toml *toml, uint32_t number,
                                 struct pv_planned_check *c, struct pv_str *err) {
  const char *what;
  pv_options_init(&c->options);
  c->options.command = PV_FOR_CHECK;
  for (uint32_t i = 0; i < toml->values.n; i++) {
    const struct pv_toml_value *v = &toml->values.at[i];
    bool own = !strcmp(v->table, "check");
    if (*v->table && !own) return wrong(path, v, "is in an unknown table", err);
    if (own && v->instance != number) continue;
    if (own && take_own(c, v, &what)) {
      if (what) return wrong(path, v, what, err);
      if (!strcmp(v->key, "expect") && !is_verdict(c->expected.line))
        return wrong(path, v, "is `true`, `conditional`, `unknown` or `false(PROPERTY)`", err);
      continue;
    }
    PV_TRY(set_option(&c->options, path, v, err));
  }
  if (!c->name)
    c->name = c->options.entry.n   ? pv_strdup(c->options.entry.at[0])
              : c->options.files.n ? pv_strdup(c->options.files.at[0])
                                   : pv_format("check %u", number + 1);
  return PV_OK;
}

static enum pv_status read_checks(const char *path, const struct pv_toml *toml,
                                  struct pv_manifest *out, struct pv_str *err) {
  for (uint32_t i = 0; i < toml->tables.n; i++) {
    const struct pv_toml_table *t = &toml->tables.at[i];
    if (strcmp(t->name, "check") != 0 || !t->is_array) {
      pv_str_addf(err, "%s:%u: unknown table `%s`: checks are in [[check]]", path, t->line,
                  t->name);
      return PV_E_INPUT;
    }
    pv_vec_push(&out->checks, (struct pv_planned_check){0});
    PV_TRY(read_check(path, toml, i, &pv_vec_last(&out->checks), err));
  }
  if (out->checks.n) return PV_OK;
  pv_str_addf(err, "%s: has no [[check]]", path);
  return PV_E_INPUT;
}

static enum pv_status read_toml(const char *path, char **text, struct pv_toml *toml,
                                struct pv_str *err) {
  size_t n;
  struct pv_str why = {0};
  PV_TRY(pv_read_file(path, (size_t)1 << 24, text, &n, err));
  enum pv_status status = strlen(*text) == n ? pv_toml_read(*text, toml, &why) : PV_E_INPUT;
  if (status != PV_OK) {
    pv_str_addf(err, "%s:%s", path, why.n ? why.at : " has a zero byte");
    free(*text);
  }
  pv_str_free(&why);
  return status;
}

enum pv_status pv_manifest_read(const char *path, struct pv_manifest *out, struct pv_str *err) {
  struct pv_toml toml;
  char *text;
  *out = (struct pv_manifest){0};
  PV_TRY(read_toml(path, &text, &toml, err));
  enum pv_status status = read_checks(path, &toml, out, err);
  if (status != PV_OK) pv_manifest_free(out);
  pv_toml_free(&toml);
  free(text);
  return status;
}

void pv_manifest_free(struct pv_manifest *m) {
  for (uint32_t i = 0; i < m->checks.n; i++) {
    free(m->checks.at[i].name);
    pv_options_free(&m->checks.at[i].options);
    pv_outcome_clear(&m->checks.at[i].expected);
  }
  pv_vec_free(&m->checks);
}

/* ---- writing --------------------------------------------------------------------------------- */
static void add_outcome(const struct pv_outcome *o, struct pv_str *out) {
  pv_str_add(out, "expect = ");
  pv_toml_quote(o->line, out);
  pv_str_addc(out, '\n');
  if (!o->provisos.n) return;
  pv_str_add(out, "provisos = [\n");
  for (uint32_t i = 0; i < o->provisos.n; i++) {
    pv_str_add(out, "  ");
    pv_toml_quote(o->provisos.at[i], out);
    pv_str_add(out, ",\n");
  }
  pv_str_add(out, "]\n");
}

/* The last line of a value: the one before the next value or table that is not empty. */
static bool is_old_outcome(const struct pv_toml *toml, uint32_t check, uint32_t line,
                           const char *const *lines) {
  for (uint32_t i = 0; i < toml->values.n; i++) {
    const struct pv_toml_value *v = &toml->values.at[i];
    if (strcmp(v->table, "check") != 0 || v->instance != check || v->line > line) continue;
    if (strcmp(v->key, "expect") != 0 && strcmp(v->key, "provisos") != 0) continue;
    uint32_t last = v->line;
    if (v->kind == PV_TOML_STRINGS) /* strings in it end on their line */
      for (uint32_t depth = 0; !depth; last++) {
        const char *at = lines[last - 1], *end = strchr(at, '\n');
        char quote = '\0';
        for (; *at && at != end; at++) {
          if (quote && *at == '\\' && quote == '"' && at[1])
            at++;
          else if (quote)
            quote = *at == quote ? '\0' : quote;
          else if (*at == '"' || *at == '\'')
            quote = *at;
          else if (*at == '#')
            break;
          else if (*at == ']')
            depth = 1;
        }
        if (depth) break;
      }
    if (line <= last) return true;
  }
  return false;
}

enum pv_status pv_manifest_update(const char *path, const struct pv_outcome *outcomes,
                                  struct pv_str *out, struct pv_str *err) {
  struct pv_toml toml;
  char *text;
  PV_VEC(const char *) lines = {0};
  PV_TRY(read_toml(path, &text, &toml, err));
  for (const char *at = text; *at; at += strcspn(at, "\n"), at += *at == '\n')
    pv_vec_push(&lines, at);
  uint32_t next = 0; /* table */
  for (uint32_t line = 1; line <= lines.n + 1; line++) {
    for (uint32_t i = 0; i < toml.tables.n; i++)
      if (toml.tables.at[i].end == line && outcomes[i].line) add_outcome(&outcomes[i], out);
    if (line > lines.n) break;
    while (next < toml.tables.n && toml.tables.at[next].line <= line) next++;
    if (next && outcomes[next - 1].line && is_old_outcome(&toml, next - 1, line, lines.at))
      continue;
    const char *at = lines.at[line - 1];
    pv_str_addn(out, at, strcspn(at, "\n"));
    pv_str_addc(out, '\n');
  }
  pv_vec_free(&lines);
  pv_toml_free(&toml);
  free(text);
  return PV_OK;
}
