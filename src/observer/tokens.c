#include "observer/tokens.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_TOKENS = 500, MOST_WILDCARDS = 20 }; /* of a pattern */

/* ---- the lexer ------------------------------------------------------------------------------- */

static bool in_name(char c) {
  return isalnum((unsigned char)c) || c == '_' || c == '$' || (unsigned char)c >= 128;
}

static size_t skip_line(const char *text, size_t at, size_t to) {
  for (; at < to && text[at] != '\n'; at++)
    if (text[at] == '\\' && at + 1 < to) at++;
  return at;
}

static size_t skip_quoted(const char *text, size_t at, size_t to) {
  char quote = text[at++];
  for (; at < to && text[at] != quote && text[at] != '\n'; at++)
    if (text[at] == '\\' && at + 1 < to) at++;
  return at < to ? at + 1 : to;
}

/* Skips blanks, comments and directives. */
static size_t skip_blanks(const char *text, size_t at, size_t to, bool *line_start) {
  while (at < to) {
    if (text[at] == '\n') *line_start = true;
    if (isspace((unsigned char)text[at])) {
      at++;
    } else if (text[at] == '/' && at + 1 < to && text[at + 1] == '/') {
      at = skip_line(text, at, to);
    } else if (text[at] == '/' && at + 1 < to && text[at + 1] == '*') {
      for (at += 2; at < to && !(text[at] == '/' && text[at - 1] == '*'); at++) continue;
      at += at < to;
    } else if (text[at] == '#' && *line_start) {
      at = skip_line(text, at, to);
    } else {
      break;
    }
  }
  return at;
}

/* A preprocessing number. */
static size_t number_end(const char *text, size_t at, size_t to) {
  for (; at < to; at++) {
    bool sign = (text[at] == '+' || text[at] == '-') && strchr("eEpP", text[at - 1]);
    if (!in_name(text[at]) && text[at] != '.' && !sign) break;
  }
  return at;
}

static size_t sign_end(const char *text, size_t at, size_t to) {
  static const char *const signs[] = {"<<=", ">>=", "...", "->", "++", "--", "<<", ">>",
                                      "<=",  ">=",  "==",  "!=", "&&", "||", "+=", "-=",
                                      "*=",  "/=",  "%=",  "&=", "|=", "^=", "::", "$?"};
  for (size_t i = 0; i < sizeof signs / sizeof *signs; i++) {
    size_t n = strlen(signs[i]);
    if (to - at >= n && !memcmp(text + at, signs[i], n)) return at + n;
  }
  return at + 1;
}

void pv_tokenise(const char *text, size_t from, size_t to, pv_token_list *out) {
  bool line_start = true;
  for (size_t at = from; (at = skip_blanks(text, at, to, &line_start)) < to;) {
    size_t end;
    char c = text[at];
    line_start = false;
    if (c == '"' || c == '\'')
      end = skip_quoted(text, at, to);
    else if (isdigit((unsigned char)c))
      end = number_end(text, at + 1, to);
    else if (in_name(c) && !(c == '$' && at + 1 < to && text[at + 1] == '?'))
      for (end = at + 1; end < to && in_name(text[end]); end++) continue;
    else
      end = sign_end(text, at, to);
    pv_vec_push(out, ((struct pv_token){(uint32_t)at, (uint32_t)(end - at)}));
    at = end;
  }
}

/* ---- tokens ---------------------------------------------------------------------------------- */

bool pv_token_is(const struct pv_tokens *t, uint32_t i, const char *word) {
  return i < t->n && t->at[i].n == strlen(word) && !memcmp(t->text + t->at[i].at, word, t->at[i].n);
}

bool pv_token_is_name(const struct pv_tokens *t, uint32_t i) {
  return i < t->n && in_name(t->text[t->at[i].at]) &&
         !isdigit((unsigned char)t->text[t->at[i].at]) && !pv_token_is(t, i, "$?");
}

static int depth_change(const struct pv_tokens *t, uint32_t i) {
  if (t->at[i].n != 1) return 0;
  char c = t->text[t->at[i].at];
  return c == '(' || c == '[' || c == '{' ? 1 : c == ')' || c == ']' || c == '}' ? -1 : 0;
}

uint32_t pv_tokens_close(const struct pv_tokens *t, uint32_t i) {
  int depth = 0;
  for (; i < t->n; i++) {
    depth += depth_change(t, i);
    if (depth <= 0) return i;
  }
  return t->n;
}

bool pv_tokens_same(const struct pv_tokens *a, const struct pv_tokens *b) {
  if (a->n != b->n) return false;
  for (uint32_t i = 0; i < a->n; i++)
    if (a->at[i].n != b->at[i].n ||
        memcmp(a->text + a->at[i].at, b->text + b->at[i].at, a->at[i].n) != 0)
      return false;
  return true;
}

struct pv_tokens pv_tokens_part(const struct pv_tokens *t, uint32_t from, uint32_t to) {
  return (struct pv_tokens){t->text, t->at + from, to > from ? to - from : 0};
}

struct pv_tokens pv_tokens_bare(struct pv_tokens t) {
  while (t.n && pv_token_is(&t, t.n - 1, ";")) t.n--;
  return t;
}

struct pv_tokens pv_tokens_inner(struct pv_tokens t) {
  while (t.n >= 2 && pv_token_is(&t, 0, "(") && pv_tokens_close(&t, 0) == t.n - 1)
    t = pv_tokens_part(&t, 1, t.n - 1);
  return t;
}

void pv_tokens_text(const struct pv_tokens *t, struct pv_str *out) {
  for (uint32_t i = 0; i < t->n; i++) {
    if (i && t->at[i - 1].at + t->at[i - 1].n != t->at[i].at) pv_str_addc(out, ' ');
    pv_str_addn(out, t->text + t->at[i].at, t->at[i].n);
  }
}

/* ---- patterns ---------------------------------------------------------------------------------
 */

static struct pv_tokens tokens_of(const struct pv_pattern *p) {
  return (struct pv_tokens){p->text, p->tokens.at, p->tokens.n};
}

/* 0: no wildcard; 1 to 9: $1 to $9; 10: $? */
static unsigned wildcard(const struct pv_tokens *t, uint32_t i) {
  const char *at = t->text + t->at[i].at;
  if (t->at[i].n != 2 || *at != '$') return 0;
  return at[1] == '?'                   ? PV_WILDCARDS + 1
         : at[1] >= '1' && at[1] <= '9' ? (unsigned)(at[1] - '0')
                                        : 0;
}

static bool is_keyword(const struct pv_tokens *t, uint32_t i) {
  static const char *const words[] = {"if", "while", "for", "switch", "return", "sizeof"};
  for (size_t k = 0; k < sizeof words / sizeof *words; k++)
    if (pv_token_is(t, i, words[k])) return true;
  return false;
}

static const char *check(const struct pv_tokens *t) {
  unsigned seen = 0, wildcards = 0;
  int depth = 0;
  if (!t->n) return "the pattern is empty";
  if (t->n > MOST_TOKENS) return "the pattern is too long";
  for (uint32_t i = 0; i < t->n; i++) {
    unsigned j = wildcard(t, i);
    depth += depth_change(t, i);
    if (depth < 0) break;
    wildcards += j > 0;
    if (wildcards > MOST_WILDCARDS) return "there are too many wildcards in the pattern";
    if (j && j <= PV_WILDCARDS && seen >> j & 1) return "a wildcard stands twice in the pattern";
    if (!j && t->text[t->at[i].at] == '$') return "wildcards are `$?` and `$1` to `$9`";
    if (j) seen |= 1u << j;
  }
  return depth ? "brackets do not fit" : NULL;
}

const char *pv_pattern_read(const char *text, struct pv_pattern *out) {
  *out = (struct pv_pattern){.text = pv_strdup(text)};
  pv_tokenise(out->text, 0, strlen(text), &out->tokens);
  struct pv_tokens t = tokens_of(out);
  t = pv_tokens_bare(t);
  out->tokens.n = t.n;
  out->is_call = t.n >= 3 && pv_token_is_name(&t, 0) && !wildcard(&t, 0) && !is_keyword(&t, 0) &&
                 pv_token_is(&t, 1, "(") && pv_tokens_close(&t, 1) == t.n - 1;
  return check(&t);
}

void pv_pattern_free(struct pv_pattern *p) {
  free(p->text);
  pv_vec_free(&p->tokens);
}

struct matcher {
  const struct pv_tokens *pattern, *subject;
  struct pv_bindings *out;
  uint8_t *failed; /* by position in the pattern and in the subject */
};

static bool match(struct matcher *m, uint32_t p, uint32_t s);

/* May the wildcard match any number of tokens, including commas? */
static bool takes_all(const struct pv_tokens *p, uint32_t i) {
  if (wildcard(p, i) <= PV_WILDCARDS) return false;
  bool opened = !i || pv_token_is(p, i - 1, "("), closed = i + 1 == p->n;
  return opened && (closed ? !i : pv_token_is(p, i + 1, ")"));
}

static bool match_wildcard(struct matcher *m, uint32_t p, uint32_t s) {
  unsigned j = wildcard(m->pattern, p);
  bool all = takes_all(m->pattern, p);
  int depth = 0;
  if (all && match(m, p + 1, s)) return true;
  for (uint32_t end = s; end < m->subject->n; end++) {
    depth += depth_change(m->subject, end);
    if (depth < 0 || (!all && !depth && pv_token_is(m->subject, end, ","))) return false;
    if (depth || !match(m, p + 1, end + 1)) continue;
    if (j <= PV_WILDCARDS) m->out->wildcard[j - 1] = pv_tokens_part(m->subject, s, end + 1);
    return true;
  }
  return false;
}

static bool match(struct matcher *m, uint32_t p, uint32_t s) {
  if (p == m->pattern->n) return s == m->subject->n;
  size_t place = (size_t)p * (m->subject->n + 1) + s;
  if (m->failed[place]) return false;
  bool found;
  if (wildcard(m->pattern, p)) {
    found = match_wildcard(m, p, s);
  } else {
    struct pv_tokens a = pv_tokens_part(m->pattern, p, p + 1);
    struct pv_tokens b = pv_tokens_part(m->subject, s, s + 1 > m->subject->n ? s : s + 1);
    found = pv_tokens_same(&a, &b) && match(m, p + 1, s + 1);
  }
  m->failed[place] = !found;
  return found;
}

static bool match_all(const struct pv_tokens *pattern, const struct pv_tokens *subject,
                      struct pv_bindings *out) {
  struct matcher m = {.pattern = pattern, .subject = subject, .out = out};
  if (!pattern->n) return !subject->n;
  m.failed = pv_alloc((size_t)(pattern->n + 1) * (subject->n + 1));
  bool found = match(&m, 0, 0);
  free(m.failed);
  return found;
}

/* The assignment in a declaration: `x = 3` for `int *x = 3`; empty if there is none. */
static struct pv_tokens assigned(const struct pv_tokens *t) {
  uint32_t i = 0;
  while (i < t->n && (pv_token_is_name(t, i) || (i && pv_token_is(t, i, "*")))) i++;
  bool declares = i >= 2 && pv_token_is(t, i, "=") && pv_token_is_name(t, i - 1);
  return pv_tokens_part(t, declares ? i - 1 : t->n, t->n);
}

bool pv_pattern_match(const struct pv_pattern *p, const struct pv_tokens *statement,
                      struct pv_bindings *out) {
  struct pv_tokens pattern = tokens_of(p), inner = assigned(statement);
  if (inner.n && match_all(&pattern, &inner, out)) return true;
  return match_all(&pattern, statement, out);
}

bool pv_pattern_any_arguments(const struct pv_pattern *p) {
  struct pv_tokens t = tokens_of(p);
  return p->is_call && t.n == 4 && wildcard(&t, 2) > PV_WILDCARDS;
}

bool pv_pattern_match_arguments(const struct pv_pattern *p, const struct pv_tokens *arguments,
                                struct pv_bindings *out) {
  struct pv_tokens t = tokens_of(p), inner = pv_tokens_part(&t, 2, t.n - 1);
  return match_all(&inner, arguments, out);
}
