/* tokens.h -- splits C source into tokens, and matches them with the patterns of triggers. White
 * space and comments between tokens are ignored. */
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

/* Appends the tokens of text[from..to). Preprocessor directives are skipped. */
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
/* Appends the text from the first token to the last, with one blank for each run of white space and
 * comments. */
void pv_tokens_text(const struct pv_tokens *t, struct pv_str *out);

/* ---- patterns ---------------------------------------------------------------------------------
 */
/* A statement with wildcards: `$?` matches anything; so do `$1` to `$9`, which also bind it.
 * Between commas or alone in brackets, a wildcard matches at most one operand. `f($?)` matches any
 * number of arguments, none included. */
struct pv_pattern {
  char *text;
  pv_token_list tokens; /* bare */
  bool is_call;         /* f(...): of calls of that function */
};
enum { PV_WILDCARDS = 9 };
struct pv_bindings {
  struct pv_tokens wildcard[PV_WILDCARDS]; /* n 0: not bound */
};
/* Returns NULL, or an error message (static). The caller frees *out with pv_pattern_free. */
const char *pv_pattern_read(const char *text, struct pv_pattern *out);
void pv_pattern_free(struct pv_pattern *p);
/* Does the bare statement match? A declaration with an initialiser also matches as an assignment.
 */
bool pv_pattern_match(const struct pv_pattern *p, const struct pv_tokens *statement,
                      struct pv_bindings *out);
/* Does a call's list of arguments match that of a call pattern? */
bool pv_pattern_match_arguments(const struct pv_pattern *p, const struct pv_tokens *arguments,
                                struct pv_bindings *out);
bool pv_pattern_any_arguments(const struct pv_pattern *p); /* f($?) */

#endif
