/* parse.c -- the reader of formulas. */
#include "ltl/formula.h"

#include <ctype.h>
#include <string.h>

enum token {
  T_END,
  T_NAME, /* a name, or the text between quotes or in AP(...) */
  T_TRUE,
  T_FALSE,
  T_OPEN,
  T_CLOSE,
  T_NOT,
  T_ALWAYS,
  T_EVENTUALLY,
  T_NEXT,
  T_AND,
  T_OR,
  T_IMPLIES,
  T_IFF,
  T_UNTIL,
  T_RELEASE,
  T_WEAK,
  T_STRONG,
  T_WRONG
};

struct reader {
  struct pv_ltl *l;
  const char *text, *at; /* at: behind the current token */
  const char *begin;     /* of the current token */
  enum token token;
  const char *name; /* of T_NAME */
  size_t n;
  unsigned depth;
  const char *wrong; /* the first mistake; NULL: none */
  const char *wrong_at;
};
enum { DEEPEST = 500, LONGEST = 100000, HIGHEST = 5000 };

static const struct {
  const char *text;
  enum token token;
} marks[] = {{"<=>", T_IFF},    {"<->", T_IFF},       {"==>", T_IMPLIES}, {"=>", T_IMPLIES},
             {"->", T_IMPLIES}, {"<>", T_EVENTUALLY}, {"[]", T_ALWAYS},   {"&&", T_AND},
             {"/\\", T_AND},    {"||", T_OR},         {"\\/", T_OR},      {"&", T_AND},
             {"|", T_OR},       {"!", T_NOT},         {"~", T_NOT},       {"(", T_OPEN},
             {")", T_CLOSE}},
  words[] = {{"G", T_ALWAYS},  {"F", T_EVENTUALLY}, {"X", T_NEXT}, {"U", T_UNTIL},
             {"R", T_RELEASE}, {"V", T_RELEASE},    {"W", T_WEAK}, {"M", T_STRONG},
             {"true", T_TRUE}, {"false", T_FALSE},  {"1", T_TRUE}, {"0", T_FALSE}};

static bool in_name(char c) {
  return isalnum((unsigned char)c) || c == '_' || c == '@' || c == ':';
}

static void complain(struct reader *r, const char *what, const char *at) {
  if (r->wrong) return;
  r->wrong = what;
  r->wrong_at = at;
  r->token = T_WRONG;
}

/* The text between the quotes, or between the outer parentheses after AP. */
static void quoted(struct reader *r, const char *from, char close) {
  int depth = 1;
  const char *end = from;
  for (; *end; end++) {
    if (close == ')' && *end == '(') depth++;
    if (*end == close && !--depth) break;
  }
  while (end > from && isspace((unsigned char)*from)) from++;
  r->name = from;
  r->n = (size_t)(end - from);
  while (r->n && isspace((unsigned char)from[r->n - 1])) r->n--;
  r->token = T_NAME;
  if (!*end)
    complain(r, "the expression does not end", r->begin);
  else if (!r->n)
    complain(r, "the expression is empty", r->begin);
  r->at = *end ? end + 1 : end;
}

static void advance_word(struct reader *r) {
  size_t n = 0;
  while (in_name(r->begin[n])) n++;
  r->at = r->begin + n;
  if (n == 2 && !strncmp(r->begin, "AP", 2)) {
    const char *open = r->at + strspn(r->at, " \t\n");
    if (*open == '(') {
      quoted(r, open + 1, ')');
      return;
    }
  }
  r->token = T_NAME;
  r->name = r->begin;
  r->n = n;
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (strlen(words[i].text) == n && !strncmp(words[i].text, r->begin, n))
      r->token = words[i].token;
}

static void advance(struct reader *r) {
  if (r->wrong) return;
  r->at += strspn(r->at, " \t\n\r");
  r->begin = r->at;
  if (!*r->at) {
    r->token = T_END;
    return;
  }
  if (*r->at == '"' || *r->at == '`') {
    quoted(r, r->at + 1, *r->at);
    return;
  }
  for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
    size_t n = strlen(marks[i].text);
    if (strncmp(r->at, marks[i].text, n) != 0) continue;
    r->token = marks[i].token;
    r->at += n;
    return;
  }
  if (in_name(*r->at))
    advance_word(r);
  else
    complain(r, "this is no part of a formula", r->begin);
}

static pv_formula iff(struct reader *r);

/* A formula that was made: is it too large? */
static pv_formula made(struct reader *r, pv_formula f) {
  if (r->l->budget.over || pv_ltl_at(r->l, f)->height > HIGHEST)
    complain(r, "the formula is too large", r->at);
  return f;
}

static pv_formula unary(struct reader *r) {
  struct pv_ltl *l = r->l;
  pv_formula f = PV_LTL_TOP;
  enum token t = r->token;
  if (++r->depth > DEEPEST) complain(r, "the formula is nested too deeply", r->begin);
  switch (r->wrong ? T_WRONG : t) {
  case T_NOT:
    advance(r);
    f = pv_ltl_not(l, unary(r));
    break;
  case T_ALWAYS:
    advance(r);
    f = pv_ltl_globally(l, unary(r));
    break;
  case T_EVENTUALLY:
    advance(r);
    f = pv_ltl_finally(l, unary(r));
    break;
  case T_NEXT:
    advance(r);
    f = pv_ltl_next(l, unary(r));
    break;
  case T_TRUE:
  case T_FALSE:
    f = t == T_TRUE ? PV_LTL_TOP : PV_LTL_BOTTOM;
    advance(r);
    break;
  case T_NAME:
    f = pv_ltl_prop(l, pv_ltl_name(l, r->name, r->n), true);
    advance(r);
    break;
  case T_OPEN:
    advance(r);
    f = iff(r);
    if (r->token == T_CLOSE)
      advance(r);
    else
      complain(r, "a `)` is missing", r->begin);
    break;
  case T_END: complain(r, "something is missing at the end", r->begin); break;
  default: complain(r, "an operand is missing", r->begin); break;
  }
  r->depth--;
  return made(r, f);
}

static pv_formula binary(struct reader *r) {
  struct pv_ltl *l = r->l;
  pv_formula a = unary(r), b;
  enum token t = r->token;
  if (t < T_UNTIL || t > T_STRONG) return a;
  if (++r->depth > DEEPEST) complain(r, "the formula is nested too deeply", r->begin);
  advance(r);
  if (r->wrong) return a;
  b = binary(r);
  r->depth--;
  switch (t) {
  case T_UNTIL: return made(r, pv_ltl_until(l, a, b));
  case T_RELEASE: return made(r, pv_ltl_release(l, a, b));
  case T_WEAK: return made(r, pv_ltl_release(l, b, pv_ltl_or(l, a, b)));
  default: return made(r, pv_ltl_until(l, b, pv_ltl_and(l, a, b)));
  }
}

static pv_formula both(struct reader *r) {
  pv_formula f = binary(r);
  while (r->token == T_AND) {
    advance(r);
    pv_formula g = binary(r);
    f = made(r, pv_ltl_and(r->l, f, g));
  }
  return f;
}

static pv_formula either(struct reader *r) {
  pv_formula f = both(r);
  while (r->token == T_OR) {
    advance(r);
    pv_formula g = both(r);
    f = made(r, pv_ltl_or(r->l, f, g));
  }
  return f;
}

static pv_formula implication(struct reader *r) {
  pv_formula f = either(r);
  if (r->token != T_IMPLIES) return f;
  if (++r->depth > DEEPEST) complain(r, "the formula is nested too deeply", r->begin);
  advance(r);
  if (r->wrong) return f;
  pv_formula g = implication(r);
  r->depth--;
  return made(r, pv_ltl_or(r->l, pv_ltl_not(r->l, f), g));
}

static pv_formula iff(struct reader *r) {
  struct pv_ltl *l = r->l;
  pv_formula f = implication(r);
  while (r->token == T_IFF) {
    advance(r);
    pv_formula g = implication(r);
    pv_formula neither = pv_ltl_and(l, pv_ltl_not(l, f), pv_ltl_not(l, g));
    f = made(r, pv_ltl_or(l, pv_ltl_and(l, f, g), neither));
  }
  return f;
}

enum pv_status pv_ltl_parse(struct pv_ltl *l, const char *text, pv_formula *out,
                            struct pv_str *err) {
  struct reader r = {.l = l, .text = text, .at = text};
  if (strlen(text) > LONGEST) {
    pv_str_add(err, "the formula is too long");
    return PV_E_INPUT;
  }
  pv_ltl_begin(&l->budget);
  advance(&r);
  *out = iff(&r);
  if (r.token == T_CLOSE)
    complain(&r, "a `(` is missing", r.begin);
  else if (r.token != T_END)
    complain(&r, "an operator is missing", r.begin);
  pv_ltl_begin(&l->budget);
  if (!r.wrong) return PV_OK;
  pv_str_addf(err, "formula `%.200s%s`: %s", text, strlen(text) > 200 ? "..." : "", r.wrong);
  if (*r.wrong_at) pv_str_addf(err, ": `%.40s`", r.wrong_at);
  return PV_E_INPUT;
}
