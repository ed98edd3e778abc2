/* scan.c -- predicates in the source text. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "abstraction/abstraction.h"

static const char word[] = "PROVISO_PREDICATE";

/* Behind a comment or a literal that begins here; else the next character. */
static const char *skip(const char *s) {
  if (s[0] == '/' && s[1] == '/') return s + strcspn(s, "\n");
  if (s[0] == '/' && s[1] == '*') {
    const char *end = strstr(s + 2, "*/");
    return end ? end + 2 : s + strlen(s);
  }
  if (*s == '"' || *s == '\'') {
    char quote = *s++;
    while (*s && *s != quote) s += s[0] == '\\' && s[1] ? 2 : 1;
    return *s ? s + 1 : s;
  }
  return s + 1;
}

static const char *spaces(const char *s) {
  while (isspace((unsigned char)*s)) s++;
  return s;
}

/* The end of an expression in parentheses that are open: the closing one. NULL: there is none. */
static const char *closing(const char *s) {
  for (int open = 1; *s;) {
    open += *s == '(';
    open -= *s == ')';
    if (!open) return s;
    s = skip(s);
  }
  return NULL;
}

/* Reads ("name", expression) at s. Returns what follows, or NULL. */
static const char *read_one(const char *s, pv_named_predicates *out) {
  s = spaces(s);
  if (*s++ != '(') return NULL;
  s = spaces(s);
  if (*s != '"') return NULL;
  const char *name = s + 1, *end = skip(s), *text = spaces(end), *close;
  if (*text++ != ',' || !(close = closing(text))) return NULL;
  text = spaces(text);
  struct pv_named_predicate x = {pv_format("%.*s", (int)(end - 1 - name), name),
                                 pv_format("%.*s", (int)(close - text), text)};
  pv_vec_push(out, x);
  return close;
}

void pv_predicates_scan(const char *text, pv_named_predicates *out) {
  bool starts_line = true, word_before = false;
  for (const char *s = text; *s;) {
    if (starts_line && *spaces(s) == '#' && *s != '\n') { /* a directive: to the end of its lines */
      while (*s && *s != '\n') s += s[0] == '\\' && s[1] ? 2 : 1;
      continue;
    }
    if (!word_before && !strncmp(s, word, sizeof word - 1)) {
      const char *after = read_one(s + sizeof word - 1, out);
      if (after) {
        s = after;
        continue;
      }
    }
    starts_line = *s == '\n';
    word_before = isalnum((unsigned char)*s) || *s == '_';
    s = skip(s);
  }
}

void pv_named_predicates_free(pv_named_predicates *all) {
  for (uint32_t i = 0; i < all->n; i++) {
    free(all->at[i].name);
    free(all->at[i].text);
  }
  pv_vec_free(all);
}
