#include "observer/source.h"

#include <stdlib.h>
#include <string.h>

struct outer {
  uint32_t first, depth, braces;
  bool value;
};

struct reader {
  struct pv_source_file *s;
  const struct pv_tokens *t;
  uint32_t i, first;    /* first: the first token of the statement */
  uint32_t depth;       /* depth of parentheses and brackets in the statement */
  uint32_t braces;      /* number of open blocks */
  bool at_start, value; /* value: an initialiser or a result may follow at depth 0 */
  /* Statements that are interrupted by a statement expression. */
  PV_VEC(struct outer) outer;
};

static bool is(const struct reader *r, uint32_t i, const char *word) {
  return pv_token_is(r->t, i, word);
}

static bool is_one_of(const struct pv_tokens *t, uint32_t i, const char *const *words) {
  for (; *words; words++)
    if (pv_token_is(t, i, *words)) return true;
  return false;
}

/* ---- pieces ---------------------------------------------------------------------------------- */

static void add(struct reader *r, enum pv_piece_kind kind, uint32_t from, uint32_t to,
                uint32_t keyword) {
  if (from < to) pv_vec_push(&r->s->pieces, ((struct pv_piece){kind, from, to, keyword, false}));
}

static void add_statement(struct reader *r, uint32_t from, uint32_t to) {
  uint32_t first = from;
  bool splits = !is(r, from, "return") && !is(r, from, "typedef");
  for (uint32_t i = from; i < to; i++) {
    if (is(r, i, "(") || is(r, i, "[") || is(r, i, "{")) {
      uint32_t close = pv_tokens_close(r->t, i);
      i = close < to ? close : to;
    } else if (splits && is(r, i, ",")) {
      add(r, PV_PIECE_STATEMENT, first, i, 0);
      first = i + 1;
    }
  }
  add(r, PV_PIECE_STATEMENT, first, to, 0);
}

/* `for (a; b; c)`; open is its opening parenthesis. */
static void for_header(struct reader *r, uint32_t keyword, uint32_t open, uint32_t close) {
  uint32_t part = 0, from = open + 1;
  for (uint32_t i = open + 1; i <= close && i < r->t->n; i++) {
    if (i < close && (is(r, i, "(") || is(r, i, "[") || is(r, i, "{"))) {
      i = pv_tokens_close(r->t, i);
      continue;
    }
    if (i < close && !is(r, i, ";")) continue;
    if (part == 1)
      add(r, PV_PIECE_CONDITION, from, i, keyword);
    else
      add_statement(r, from, i);
    part++;
    from = i + 1;
  }
}

/* A keyword with a header in parentheses. Returns false if there is none. */
static bool header(struct reader *r) {
  static const char *const words[] = {"if", "while", "for", "switch", NULL};
  if (!is_one_of(r->t, r->i, words)) return false;
  uint32_t open = r->i + 1;
  if (is(r, open, "constexpr")) open++;
  if (!is(r, open, "(")) return false;
  uint32_t close = pv_tokens_close(r->t, open);
  if (close == r->t->n) return false;
  if (is(r, r->i, "for"))
    for_header(r, r->i, open, close);
  else
    add(r, is(r, r->i, "switch") ? PV_PIECE_SWITCH : PV_PIECE_CONDITION, open + 1, close, r->i);
  r->i = close + 1;
  return true;
}

/* `case x:`, `default:`, `label:`. Returns false if there is none. */
static bool label(struct reader *r) {
  uint32_t i = r->i;
  if (is(r, i, "case")) {
    unsigned questions = 0;
    for (i++; i < r->t->n && !(is(r, i, ":") && !questions); i++) {
      if (is(r, i, ";") || is(r, i, "{")) return false;
      if (is(r, i, "(")) i = pv_tokens_close(r->t, i);
      questions += is(r, i, "?");
      questions -= is(r, i, ":");
    }
  } else if (pv_token_is_name(r->t, i) && is(r, i + 1, ":")) {
    i++;
  } else {
    return false;
  }
  r->i = i + 1;
  return true;
}

static void close_block(struct reader *r) {
  if (r->outer.n && pv_vec_last(&r->outer).braces == r->braces) {
    struct outer o = pv_vec_pop(&r->outer);
    r->first = o.first;
    r->depth = o.depth;
    r->value = o.value;
    r->at_start = false;
  }
  if (r->braces) r->braces--;
  r->i++;
}

static void begin(struct reader *r) {
  if (is(r, r->i, "{")) {
    r->braces++;
    r->i++;
  } else if (is(r, r->i, "}")) {
    close_block(r);
  } else if (is(r, r->i, ";") || is(r, r->i, "else") || is(r, r->i, "do")) {
    r->i++;
  } else if (!header(r) && !label(r)) {
    r->first = r->i;
    r->depth = 0;
    r->at_start = r->value = false;
  }
}

static void enter_statement_expression(struct reader *r) {
  r->braces++;
  pv_vec_push(&r->outer, ((struct outer){r->first, r->depth + 1, r->braces, r->value}));
  r->at_start = true;
  r->i += 2;
}

/* A brace inside of a statement: that of a value, or of a body. */
static void brace(struct reader *r) {
  if (r->depth || r->value) {
    uint32_t close = pv_tokens_close(r->t, r->i);
    r->i = close < r->t->n ? close + 1 : r->t->n;
    return;
  }
  r->at_start = true; /* the body of a function, or fields */
}

static void go_on(struct reader *r) {
  if (is(r, r->i, "(") && is(r, r->i + 1, "{")) {
    enter_statement_expression(r);
    return;
  }
  if (is(r, r->i, "{")) {
    brace(r);
    return;
  }
  if (is(r, r->i, "}") || (is(r, r->i, ";") && !r->depth)) {
    bool semicolon = is(r, r->i, ";");
    add_statement(r, r->first, r->i + semicolon);
    r->at_start = true;
    r->i += semicolon;
    return;
  }
  if (is(r, r->i, "(") || is(r, r->i, "[")) r->depth++;
  if ((is(r, r->i, ")") || is(r, r->i, "]")) && r->depth) r->depth--;
  if (is(r, r->i, "=") || is(r, r->i, "return")) r->value = true;
  r->i++;
}

static int by_first(const void *a, const void *b) {
  const struct pv_piece *x = a, *y = b;
  if (x->from != y->from) return x->from < y->from ? -1 : 1;
  return x->to > y->to ? -1 : x->to < y->to;
}

void pv_source_read(const char *text, size_t n, struct pv_source_file *out) {
  *out = (struct pv_source_file){0};
  pv_tokenise(text, 0, n, &out->list);
  out->tokens = (struct pv_tokens){text, out->list.at, out->list.n};
  struct reader r = {.s = out, .t = &out->tokens, .at_start = true};
  while (r.i < r.t->n)
    if (r.at_start)
      begin(&r);
    else
      go_on(&r);
  pv_vec_free(&r.outer);
  if (out->pieces.n) qsort(out->pieces.at, out->pieces.n, sizeof *out->pieces.at, by_first);
}

void pv_source_free(struct pv_source_file *s) {
  pv_vec_free(&s->list);
  pv_vec_free(&s->pieces);
}

/* ---- places ---------------------------------------------------------------------------------- */

uint32_t pv_source_token(const struct pv_source_file *s, size_t offset) {
  uint32_t low = 0, high = s->tokens.n; /* finds the last one at or before the offset */
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (s->tokens.at[middle].at <= offset)
      low = middle + 1;
    else
      high = middle;
  }
  if (!low || s->tokens.at[low - 1].at + s->tokens.at[low - 1].n <= offset) return UINT32_MAX;
  return low - 1;
}

uint32_t pv_source_piece(const struct pv_source_file *s, uint32_t token) {
  enum { NESTED = 1000 }; /* pieces nested in each other */
  uint32_t low = 0, high = s->pieces.n;
  if (token == UINT32_MAX) return PV_NO_PIECE;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (s->pieces.at[middle].from <= token)
      low = middle + 1;
    else
      high = middle;
  }
  for (uint32_t i = low; i-- > 0 && low - i < NESTED;)
    if (s->pieces.at[i].to > token) return i;
  return PV_NO_PIECE;
}

uint32_t pv_source_header(const struct pv_source_file *s, uint32_t keyword) {
  for (uint32_t i = 0; i < s->pieces.n; i++)
    if (s->pieces.at[i].kind != PV_PIECE_STATEMENT && s->pieces.at[i].keyword == keyword) return i;
  return PV_NO_PIECE;
}

bool pv_source_declares(const struct pv_source_file *s, uint32_t piece, uint32_t token) {
  const struct pv_tokens *t = &s->tokens;
  uint32_t first = s->pieces.at[piece].from;
  static const char *const words[] = {"return", "else", "do", "case", NULL};
  if (token == first) return false;
  for (uint32_t i = first; i < token; i++)
    if ((!pv_token_is_name(t, i) && !pv_token_is(t, i, "*")) || is_one_of(t, i, words))
      return false;
  return true;
}

/* ---- conditions ------------------------------------------------------------------------------ */

static const char *const ends[] = {"&&", "||", "?",  ":",  ",",  ";",   "=",   "+=",     "-=", "*=",
                                   "/=", "%=", "&=", "|=", "^=", "<<=", ">>=", "return", NULL};
static const char *const opening[] = {"(", "[", "{", NULL};
static const char *const closing[] = {")", "]", "}", NULL};

static uint32_t scan_left(const struct pv_tokens *t, uint32_t from) {
  unsigned depth = 0;
  for (; from; from--) {
    if (is_one_of(t, from - 1, closing))
      depth++;
    else if (is_one_of(t, from - 1, opening) && !depth--)
      break;
    else if (!depth && is_one_of(t, from - 1, ends))
      break;
  }
  return from;
}

static uint32_t scan_right(const struct pv_tokens *t, uint32_t to) {
  unsigned depth = 0;
  for (; to < t->n; to++) {
    if (is_one_of(t, to, opening))
      depth++;
    else if (is_one_of(t, to, closing) && !depth--)
      break;
    else if (!depth && is_one_of(t, to, ends))
      break;
  }
  return to;
}

/* Can `!` be put before it without parentheses: a name, a call, something in parentheses? */
static bool is_primary(const struct pv_tokens *t) {
  static const char *const joins[] = {".", "->", NULL};
  uint32_t i = 0;
  while (pv_token_is(t, i, "*") || pv_token_is(t, i, "&") || pv_token_is(t, i, "!")) i++;
  bool name = pv_token_is_name(t, i) || !is_one_of(t, i, opening);
  i = name ? i + 1 : pv_tokens_close(t, i) + 1;
  while (i < t->n) {
    if (is_one_of(t, i, joins))
      i += 2;
    else if (is_one_of(t, i, opening))
      i = pv_tokens_close(t, i) + 1;
    else
      return false;
  }
  return true;
}

struct pv_tokens pv_source_tested(const struct pv_source_file *s, uint32_t token, bool *negated) {
  const struct pv_tokens *t = &s->tokens;
  *negated = pv_token_is(t, token, "!");
  uint32_t from = *negated ? token + 1 : scan_left(t, token), to = scan_right(t, token);
  struct pv_tokens tested = pv_tokens_part(t, from, to);
  while (pv_token_is(&tested, 0, "!")) {
    struct pv_tokens rest = pv_tokens_part(&tested, 1, tested.n);
    if (!is_primary(&rest)) break;
    /* For `!!x` with the position of the first `!`: the value of the second one. */
    if (*negated) *negated = false;
    tested = pv_tokens_inner(rest);
  }
  return pv_tokens_inner(tested);
}

/* ---- calls ----------------------------------------------------------------------------------- */

bool pv_source_arguments(const struct pv_source_file *s, uint32_t token, struct pv_tokens *out,
                         bool *name) {
  static const char *const joins[] = {".", "->", NULL};
  const struct pv_tokens *t = &s->tokens;
  uint32_t i = token;
  if (i >= t->n) return false;
  *name = pv_token_is_name(t, i) && pv_token_is(t, i + 1, "(");
  if (pv_token_is(t, i, "("))
    i = pv_tokens_close(t, i) + 1;
  else if (pv_token_is_name(t, i))
    i++;
  else
    return false;
  while (i < t->n && (is_one_of(t, i, joins) || pv_token_is(t, i, "[")))
    i = pv_token_is(t, i, "[") ? pv_tokens_close(t, i) + 1 : i + 2;
  if (!pv_token_is(t, i, "(")) return false;
  uint32_t close = pv_tokens_close(t, i);
  if (close >= t->n) return false;
  *out = pv_tokens_part(t, i + 1, close);
  return true;
}
