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
                                 pv_format("%.*s", (int)(close - text), text), NULL};
  pv_vec_push(out, x);
  return close;
}

/* Where the text is: in which function. */
struct position {
  int braces, parentheses; /* that are open */
  const char *word;        /* the last one outside of functions */
  uint32_t length;
  const char *function; /* the first word with parentheses since the last declaration */
  uint32_t function_length;
};

static bool is_word(char c) {
  return isalnum((unsigned char)c) || c == '_';
}

static bool is_attribute(const struct position *p) {
  static const char *const words[] = {"__attribute__", "__attribute", "_Alignas", "__declspec",
                                      "__asm__",       "asm",         "_Noreturn"};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (p->length == strlen(words[i]) && !strncmp(p->word, words[i], p->length)) return true;
  return false;
}

static void move(struct position *p, const char *s, bool word_before) {
  bool outside = !p->braces && !p->parentheses;
  if (is_word(*s)) {
    if (outside && !word_before) p->word = s, p->length = 0;
    if (outside) p->length++;
  } else if (*s == '(') {
    if (outside && !p->function && p->word && !is_attribute(p))
      p->function = p->word, p->function_length = p->length;
    p->parentheses++;
  } else if (*s == ')') {
    p->parentheses -= p->parentheses > 0;
  } else if (*s == '{') {
    p->braces++;
  } else if (*s == '}' || *s == ';') {
    p->braces -= *s == '}' && p->braces > 0;
    if (!p->braces && !p->parentheses) p->function = p->word = NULL;
  }
}

void pv_predicates_scan(const char *text, pv_named_predicates *out) {
  bool starts_line = true, word_before = false;
  struct position at = {0};
  for (const char *s = text; *s;) {
    if (starts_line && *spaces(s) == '#' && *s != '\n') { /* a directive: to the end of its lines */
      while (*s && *s != '\n') s += s[0] == '\\' && s[1] ? 2 : 1;
      continue;
    }
    if (!word_before && !strncmp(s, word, sizeof word - 1)) {
      const char *after = read_one(s + sizeof word - 1, out);
      if (after) {
        if (at.braces && at.function)
          pv_vec_last(out).function = pv_format("%.*s", (int)at.function_length, at.function);
        if (!at.braces) at.word = NULL;
        s = after + 1;
        word_before = false;
        continue;
      }
    }
    starts_line = *s == '\n';
    move(&at, s, word_before);
    word_before = is_word(*s);
    s = skip(s);
  }
}

void pv_named_predicates_free(pv_named_predicates *all) {
  for (uint32_t i = 0; i < all->n; i++) {
    free(all->at[i].name);
    free(all->at[i].text);
    free(all->at[i].function);
  }
  pv_vec_free(all);
}
