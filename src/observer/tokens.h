/* tokens.h -- C source as tokens, and patterns over them: what a trigger's text is compared with.
 * White space and comments between tokens do not count. */
#ifndef PV_TOKENS_H
#define PV_TOKENS_H

#include "base/base.h"

struct pv_token {
  uint32_t at, n; /* in the text */
};
typedef PV_VEC(struct pv_token) pv_token_list;
struct pv_tokens { /* of a text that is borrowed */
  const char *text;
  const struct pv_token *at;
  uint32_t n;
};

/* Appends the tokens of text[from..to). Directives are passed over. */
void pv_tokenise(const char *text, size_t from, size_t to, pv_token_list *out);
bool pv_token_is(const struct pv_tokens *t, uint32_t i, const char *word);
bool pv_token_is_name(const struct pv_tokens *t, uint32_t i); /* an identifier or keyword */
/* The index of the bracket that closes the one at i, or t->n. */
uint32_t pv_tokens_close(const struct pv_tokens *t, uint32_t i);
bool pv_tokens_same(const struct pv_tokens *a, const struct pv_tokens *b);
struct pv_tokens pv_tokens_part(const struct pv_tokens *t, uint32_t from, uint32_t to);
/* Without a `;` at the end. */
struct pv_tokens pv_tokens_bare(struct pv_tokens t);
/* Without parentheses around all of it. */
struct pv_tokens pv_tokens_inner(struct pv_tokens t);
/* The text from the first token to the last, each run of white space and comments as one blank;
 * appended. */
void pv_tokens_text(const struct pv_tokens *t, struct pv_str *out);

/* ---- patterns ---------------------------------------------------------------------------------
 */
/* A statement with jokers: `$?` is anything, `$1` to `$9` too, and is remembered. Where a joker
 * stands between commas or alone in brackets it is no more than one operand; `f($?)` has any number
 * of arguments, none included. */
struct pv_pattern {
  char *text;
  pv_token_list tokens; /* bare */
  bool is_call;         /* f(...): of calls of that function */
};
enum { PV_JOKERS = 9 };
struct pv_bindings {
  struct pv_tokens joker[PV_JOKERS]; /* n 0: not bound */
};
/* NULL, or what is wrong with the text. */
const char *pv_pattern_read(const char *text, struct pv_pattern *out);
void pv_pattern_free(struct pv_pattern *p);
/* Does the bare statement match? A declaration matches as the assignment that it makes, too. */
bool pv_pattern_match(const struct pv_pattern *p, const struct pv_tokens *statement,
                      struct pv_bindings *out);
/* Does a call's list of arguments match that of a call pattern? */
bool pv_pattern_match_arguments(const struct pv_pattern *p, const struct pv_tokens *arguments,
                                struct pv_bindings *out);
bool pv_pattern_any_arguments(const struct pv_pattern *p); /* f($?) */

#endif
