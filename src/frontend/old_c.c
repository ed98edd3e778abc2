#include "frontend/old_c.h"

#include <stdlib.h>
#include <string.h>

/* The text between the first two quotes after `from`, or NULL. The caller frees it. */
static char *quoted(const char *from) {
  const char *begin = from ? strchr(from, '\'') : NULL;
  const char *end = begin ? strchr(begin + 1, '\'') : NULL;
  return end ? pv_format("%.*s", (int)(end - begin - 1), begin + 1) : NULL;
}

static bool has_word(const struct pv_str *list, const char *word, const char *separator) {
  size_t n = strlen(word), k = strlen(separator);
  for (const char *at = pv_str_cstr(list); *at;) {
    const char *end = strstr(at, separator);
    if ((end ? (size_t)(end - at) : strlen(at)) == n && strncmp(at, word, n) == 0) return true;
    if (!end) return false;
    at = end + k;
  }
  return false;
}

/* ---- notes ----------------------------------------------------------------------------------- */
static const struct {
  const char *option; /* clang's option, which is at the end of its messages */
  enum pv_old_kind kind;
} options[] = {{"[-Wimplicit-int]", PV_OLD_INT},
               {"[-Wint-conversion]", PV_OLD_CONVERTED},
               {"[-Wpointer-integer-compare]", PV_OLD_CONVERTED},
               {"[-Wincompatible-pointer-types]", PV_OLD_POINTERS},
               {"[-Wincompatible-function-pointer-types]", PV_OLD_POINTERS},
               {"[-Wreturn-mismatch]", PV_OLD_RETURN},
               {"[-Wmain]", PV_OLD_MAIN},
               {"[-Wmain-return-type]", PV_OLD_MAIN}};

static void add_name(struct pv_old_c *old, enum pv_old_kind kind, const char *line) {
  char *name = quoted(strstr(line, "function '"));
  struct pv_str *names = &old->group[kind].what;
  if (name && !has_word(names, name, ", ")) {
    if (old->group[kind].n++) pv_str_add(names, ", ");
    pv_str_add(names, name);
  }
  free(name);
}

/* Counts the message, and records the first position: "file:line" of "file:line:column: warning:
 * ...". */
static void add_place(struct pv_old_c *old, enum pv_old_kind kind, const char *line) {
  const char *end = strstr(line, ": warning:");
  if (!end) end = strstr(line, ": error:");
  while (end > line && end[-1] != ':') end--;
  if (!old->group[kind].n++ && end > line)
    pv_str_addn(&old->group[kind].what, line, (size_t)(end - line - 1));
}

static void read_names(struct pv_old_c *old, const char *line) {
  if (strstr(line, "call to undeclared library function '")) add_name(old, PV_OLD_LIBRARY, line);
  if (strstr(line, "call to undeclared function '")) add_name(old, PV_OLD_FUNCTION, line);
}

static void read_failed(struct pv_old_c *old, const char *line) {
  if (strstr(line, ": warning: ")) read_names(old, line);
  if (strstr(line, ": error: ") && strstr(line, "'main'")) add_place(old, PV_OLD_MAIN, line);
}

static void read_line(struct pv_old_c *old, const char *line) {
  size_t n = strlen(line);
  if (!strstr(line, ": warning: ")) return;
  read_names(old, line);
  for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
    size_t k = strlen(options[i].option);
    if (n > k && strcmp(line + n - k, options[i].option) == 0)
      add_place(old, options[i].kind, line);
  }
}

static void each_line(struct pv_old_c *old, const char *log,
                      void (*read)(struct pv_old_c *, const char *)) {
  char *copy = pv_strdup(log), *rest = copy;
  for (char *line = strtok_r(copy, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest))
    read(old, line);
  free(copy);
}

void pv_old_c_read(struct pv_old_c *old, const char *log) {
  each_line(old, log, read_line);
}

void pv_old_c_read_failed(struct pv_old_c *old, const char *log) {
  each_line(old, log, read_failed);
}

char *pv_old_c_note(const struct pv_old_c *old) {
  static const char *const means[PV_OLD_COUNT] = {
      [PV_OLD_LIBRARY] = "library functions that are not declared have their own types",
      [PV_OLD_FUNCTION] = "other functions that are not declared return int",
      [PV_OLD_INT] = "missing types are int",
      [PV_OLD_CONVERTED] = "pointers and integers are converted",
      [PV_OLD_POINTERS] = "pointers to different types are converted",
      [PV_OLD_RETURN] = "returns without and with a value are taken as they are",
      [PV_OLD_MAIN] = "main is taken as it is declared"};
  struct pv_str text = {0};
  for (int kind = 0; kind < PV_OLD_COUNT; kind++) {
    uint32_t n = old->group[kind].n;
    if (!n) continue;
    pv_str_add(&text, text.n ? "; " : "taken as GCC takes old C: ");
    const char *what = means[kind];
    if (kind == PV_OLD_FUNCTION && !old->group[PV_OLD_LIBRARY].n) what += strlen("other ");
    pv_str_addf(&text, "%s (%s", what, pv_str_cstr(&old->group[kind].what));
    if (kind > PV_OLD_FUNCTION && n > 1) pv_str_addf(&text, " and %u more", n - 1);
    pv_str_addc(&text, ')');
  }
  return text.at;
}

void pv_old_c_free(struct pv_old_c *old) {
  for (int kind = 0; kind < PV_OLD_COUNT; kind++) pv_str_free(&old->group[kind].what);
}

/* ---- another run ----------------------------------------------------------------------------- */

/* A name of the program for which clang has a builtin. */
static bool learn_name(struct pv_retry *r, const char *line) {
  char *name = NULL;
  if (strstr(line, "' as different kind of symbol"))
    name = quoted(strstr(line, "redefinition of '"));
  else
    name = quoted(strstr(line, "definition of builtin function '"));
  bool is_new = name && *name && !has_word(&r->forget, name, "\n");
  if (is_new) pv_str_addf(&r->forget, "%s%s", r->forget.n ? "\n" : "", name);
  free(name);
  return is_new;
}

static bool declare(struct pv_retry *r, const char *declaration) {
  bool is_new = !has_word(&r->declare, declaration, "\n");
  if (is_new) pv_str_addf(&r->declare, "%s\n", declaration);
  return is_new;
}

/* A function without a declaration that is defined later: GCC only warns if it returns nothing. */
static bool learn_late(struct pv_retry *r, const char *line, const char *next) {
  char *name = quoted(strstr(line, "error: conflicting types for '"));
  bool implicit = name && next && strstr(next, "previous implicit declaration is here");
  char *text = implicit ? pv_format("void %s();", name) : NULL;
  bool is_new = text && declare(r, text);
  free(text);
  free(name);
  return is_new;
}

/* The type that clang gives a library function; its next run does not have the builtin. */
static void learn_type(struct pv_retry *r, const char *line) {
  const char *at = strstr(line, "call to undeclared library function '");
  const char *with = at ? strstr(at, "' with type '") : NULL;
  char *name = quoted(at), *type = with ? quoted(with + strlen("' with type ")) : NULL;
  if (name && type && *type) {
    const char *attribute = strstr(type, " __attribute__");
    size_t n = attribute ? (size_t)(attribute - type) : strlen(type);
    char *text = pv_format("extern __typeof__(%.*s) %s%s;", (int)n, type, name, type + n);
    declare(r, text);
    free(text);
  }
  free(type);
  free(name);
}

/* The next message, after the source lines that belong to the first one. */
static const char *next_message(const char *line) {
  while (line && (line = strchr(line, '\n'))) {
    const char *end = strchr(++line, '\n');
    const char *note = strstr(line, ": note: "), *error = strstr(line, ": error: ");
    if ((note && (!end || note < end)) || (error && (!end || error < end))) return line;
  }
  return NULL;
}

bool pv_retry_learn(struct pv_retry *r, const char *log) {
  bool learnt = false;
  for (const char *at = log; *at;) {
    size_t n = strcspn(at, "\n");
    char *line = pv_format("%.*s", (int)n, at);
    const char *second = next_message(at);
    char *next = second ? pv_format("%.*s", (int)strcspn(second, "\n"), second) : NULL;
    learn_type(r, line);
    if (strstr(line, ": error: ")) {
      bool of_main = strstr(line, "'main'") != NULL && !r->any_main;
      r->any_main |= of_main;
      learnt |= learn_name(r, line) | learn_late(r, line, next) | of_main;
    }
    free(next);
    free(line);
    at += n + (at[n] == '\n');
  }
  return learnt;
}

void pv_retry_free(struct pv_retry *r) {
  pv_str_free(&r->forget);
  pv_str_free(&r->declare);
}
