/* source.h -- the source text of moves: finds the statement, condition or call at a position of a
 * file.
 *
 * A *piece* is a statement including its `;`, a part of the header of `for`, or the condition of
 * if, while, do, for or switch. Each of several declarators is a piece of its own; so is each of
 * several expressions separated by commas. Pieces nest: a statement expression contains pieces. The
 * expansion of a macro belongs to the piece that the macro is in. */
#ifndef PV_SOURCE_H
#define PV_SOURCE_H

#include "ir/ir.h"
#include "observer/tokens.h"

enum pv_piece_kind { PV_PIECE_STATEMENT, PV_PIECE_CONDITION, PV_PIECE_SWITCH };
struct pv_piece {
  enum pv_piece_kind kind;
  uint32_t from, to; /* tokens */
  uint32_t keyword;  /* CONDITION, SWITCH: the token of `if`, ... */
  bool runs;         /* free for callers: it has edges */
};
struct pv_source_file {
  pv_token_list list;
  struct pv_tokens tokens;        /* of the whole file */
  PV_VEC(struct pv_piece) pieces; /* by their first tokens */
};
/* Finds the tokens and pieces of a file. The text is borrowed. */
void pv_source_read(const char *text, size_t n, struct pv_source_file *out);
void pv_source_free(struct pv_source_file *s);

#define PV_NO_PIECE UINT32_MAX
/* The token at an offset, or UINT32_MAX. */
uint32_t pv_source_token(const struct pv_source_file *s, size_t offset);
/* The innermost piece around a token, or PV_NO_PIECE. */
uint32_t pv_source_piece(const struct pv_source_file *s, uint32_t token);
/* The condition that begins with that keyword, or PV_NO_PIECE. */
uint32_t pv_source_header(const struct pv_source_file *s, uint32_t keyword);
static inline struct pv_tokens pv_source_text(const struct pv_source_file *s, uint32_t piece) {
  const struct pv_piece *p = &s->pieces.at[piece];
  return pv_tokens_part(&s->tokens, p->from, p->to);
}
/* Is the token, in this piece, a name that is declared there and followed by a parenthesis? */
bool pv_source_declares(const struct pv_source_file *s, uint32_t piece, uint32_t token);
/* The expression that is tested at a token: an operand of &&, || or ?:, or a whole condition,
 * without
 * `!` and parentheses around it. *negated: the token is itself a `!`, whose value is tested. */
struct pv_tokens pv_source_tested(const struct pv_source_file *s, uint32_t token, bool *negated);
/* Finds the arguments of the call that begins at the token. Returns false if it does not look like
 * a call. *name: the call names the function directly. */
bool pv_source_arguments(const struct pv_source_file *s, uint32_t token, struct pv_tokens *out,
                         bool *name);

#endif
