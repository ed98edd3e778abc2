/* statements.c -- finds the C statement that a source position belongs to.
 *
 * A small lexer over the file's text (it knows only strings, comments, directives and parentheses)
 * records where statements start: after `;`, `{`, `}`, the `:` of a label, `else`, `do`, and the
 * `)` that ends the header of if, while, for and switch. Braces of initialisers do not count. If
 * there is no text, each line counts as a statement. */
#include "frontend/frontend_internal.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

struct lexer {
  const char *text;
  size_t n, at;
  struct pv_stmt_table *table;
  bool at_start; /* the next token starts a statement */
  unsigned parens, questions, initialiser;
  bool control_next;        /* the last word was if, while, for or switch */
  PV_VEC(unsigned) headers; /* nesting depths of the open control headers */
  char last;                /* the last character of the last token */
};

static size_t skip_quoted(const struct lexer *x, size_t at) {
  char quote = x->text[at++];
  while (at < x->n && x->text[at] != quote && x->text[at] != '\n')
    at += x->text[at] == '\\' ? 2 : 1;
  return at + 1;
}

static size_t skip_line(const struct lexer *x, size_t at) {
  while (at < x->n && x->text[at] != '\n') at += x->text[at] == '\\' && at + 1 < x->n ? 2 : 1;
  return at;
}

/* Skips blanks, comments and directives. Returns whether anything was skipped. */
static bool skip_blank(struct lexer *x, bool *line_start) {
  const char *t = x->text + x->at;
  if (*t == '\n') *line_start = true;
  if (isspace((unsigned char)*t)) {
    x->at++;
    return true;
  }
  if (t[0] == '/' && t[1] == '/') {
    x->at = skip_line(x, x->at);
    return true;
  }
  if (t[0] == '/' && t[1] == '*') {
    const char *end = strstr(t + 2, "*/");
    x->at = end ? (size_t)(end + 2 - x->text) : x->n;
    return true;
  }
  if (*t == '#' && *line_start) {
    x->at = skip_line(x, x->at);
    return true;
  }
  *line_start = false;
  return false;
}

static bool is_word(const char *s, size_t n, const char *word) {
  return strlen(word) == n && memcmp(s, word, n) == 0;
}

static void word(struct lexer *x) {
  const char *s = x->text + x->at;
  size_t n = 0;
  while (x->at + n < x->n && (isalnum((unsigned char)s[n]) || s[n] == '_' || s[n] == '$')) n++;
  x->at += n;
  x->control_next = is_word(s, n, "if") || is_word(s, n, "while") || is_word(s, n, "for") ||
                    is_word(s, n, "switch");
  if (is_word(s, n, "else") || is_word(s, n, "do")) x->at_start = true;
  x->last = 'a';
}

static void open_paren(struct lexer *x) {
  x->parens++;
  if (x->control_next) pv_vec_push(&x->headers, x->parens);
}

static void close_paren(struct lexer *x) {
  if (x->headers.n && pv_vec_last(&x->headers) == x->parens) {
    x->headers.n--;
    x->at_start = true;
  }
  if (x->parens) x->parens--;
}

static void brace(struct lexer *x, char c) {
  if (c == '{' && (x->initialiser || x->last == '=')) {
    x->initialiser++;
  } else if (c == '}' && x->initialiser) {
    x->initialiser--;
  } else {
    x->at_start = true;
    x->questions = 0;
  }
}

static void punctuation(struct lexer *x, char c) {
  switch (c) {
  case ';':
    x->at_start = true;
    x->questions = 0;
    break;
  case '{':
  case '}': brace(x, c); break;
  case '(': open_paren(x); break;
  case ')': close_paren(x); break;
  case '?': x->questions++; break;
  case ':':
    if (x->questions)
      x->questions--;
    else if (!x->initialiser)
      x->at_start = true;
    break;
  default: break;
  }
  x->control_next = false;
  x->last = c;
  x->at++;
}

static void make_table(const struct pv_file *f, struct pv_stmt_table *table) {
  struct lexer x = {.text = f->text, .n = f->length, .table = table, .at_start = true};
  bool line_start = true;
  while (x.at < x.n) {
    if (skip_blank(&x, &line_start)) continue;
    char c = x.text[x.at];
    if (x.at_start && c != '{' && c != '}') {
      pv_vec_push(&table->start, (uint32_t)x.at);
      x.at_start = false;
    }
    if (c == '"' || c == '\'') {
      x.at = skip_quoted(&x, x.at);
      x.last = c;
    } else if (isalnum((unsigned char)c) || c == '_') {
      word(&x);
    } else {
      punctuation(&x, c);
    }
  }
  pv_vec_free(&x.headers);
}

/* The number of the statement in its file, or the line if there is no text. */
static uint32_t place(struct pv_fe *fe, const struct pv_span *s) {
  const struct pv_file *f = &fe->p->files.at[s->file];
  if (!f->text || s->line > f->line_start.n || !s->column) return s->line;
  while (fe->statements.n < fe->p->files.n) pv_vec_push(&fe->statements, (struct pv_stmt_table){0});
  struct pv_stmt_table *t = &fe->statements.at[s->file];
  if (!t->made) {
    t->made = true;
    make_table(f, t);
  }
  size_t offset = f->line_start.at[s->line - 1] + s->column - 1;
  uint32_t low = 0, high = t->start.n; /* finds the last start at or before the offset */
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (t->start.at[middle] <= offset)
      low = middle + 1;
    else
      high = middle;
  }
  return low | UINT32_C(1) << 31;
}

uint32_t pv_fe_statement(struct pv_fe *fe, uint32_t function, uint32_t span) {
  const struct pv_span *s = pv_span_of(fe->p, span);
  if (!s->file || !s->line) return 0;
  uint32_t key[3] = {function, s->file, place(fe, s)};
  bool is_new;
  uint32_t stmt = *pv_map_put(&fe->stmt_of, key, sizeof key, fe->p->n_stmts + 1, &is_new);
  if (is_new) fe->p->n_stmts++;
  return stmt;
}
