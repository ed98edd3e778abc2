/* source.h -- the source text of moves: which statement, condition or call a place in a file
 * belongs to.
 *
 * A *piece* is a statement up to and with its `;` (of several declarators, or of expressions with
 * commas between them, each is a piece), a part of the header of `for`, or the condition of if,
 * while, do, for or switch. Statements in statement expressions are pieces inside a piece. What a
 * macro expands to belongs to the piece that it stands in. */
#ifndef PV_SOURCE_H
#define PV_SOURCE_H

#include "ir/ir.h"
#include "observer/tokens.h"

enum pv_piece_kind { PV_PIECE_STATEMENT, PV_PIECE_CONDITION, PV_PIECE_SWITCH };
struct pv_piece {
  enum pv_piece_kind kind;
  uint32_t from, to; /* tokens */
  uint32_t keyword;  /* CONDITION, SWITCH: the token of `if`, ... */
  bool runs;         /* for who looks at programs: it has edges */
};
struct pv_source {
  pv_token_list list;
  struct pv_tokens tokens;        /* of the whole file */
  PV_VEC(struct pv_piece) pieces; /* by their first tokens */
};
/* Takes a file apart. The text is borrowed. */
void pv_source_read(const char *text, size_t n, struct pv_source *out);
void pv_source_free(struct pv_source *s);

#define PV_NO_PIECE UINT32_MAX
/* The token at an offset, or UINT32_MAX. */
uint32_t pv_source_token(const struct pv_source *s, size_t offset);
/* The innermost piece around a token, or PV_NO_PIECE. */
uint32_t pv_source_piece(const struct pv_source *s, uint32_t token);
/* The condition that begins with that keyword, or PV_NO_PIECE. */
uint32_t pv_source_header(const struct pv_source *s, uint32_t keyword);
static inline struct pv_tokens pv_source_text(const struct pv_source *s, uint32_t piece) {
  const struct pv_piece *p = &s->pieces.at[piece];
  return pv_tokens_part(&s->tokens, p->from, p->to);
}
/* Is the name at a token, in a piece, one that is declared there, before a parenthesis? */
bool pv_source_declares(const struct pv_source *s, uint32_t piece, uint32_t token);
/* What is tested at a token: an operand of &&, ||, ?: or a whole condition, without `!` and
 * parentheses around it. *negated: the token is itself a `!`: what is tested is its value. */
struct pv_tokens pv_source_tested(const struct pv_source *s, uint32_t token, bool *negated);
/* The arguments of the call whose first token this is; false: it does not look like a call. *name:
 * it is by the name that stands there. */
bool pv_source_arguments(const struct pv_source *s, uint32_t token, struct pv_tokens *out,
                         bool *name);

#endif
