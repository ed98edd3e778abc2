#include "witness/statements.h"

#include <stdlib.h>
#include <string.h>

#include "observer/source.h"

struct pv_statement_file {
  char *text;
  size_t n;
  PV_VEC(uint32_t) lines; /* offsets */
  struct pv_source_file source;
};

static struct pv_statement_file *file_of(struct pv_statements *s, const char *path) {
  bool is_new;
  uint32_t at = *pv_map_put_str(&s->files, path, s->read.n, &is_new);
  if (!is_new) return s->read.at[at];
  struct pv_statement_file *f = pv_alloc(sizeof *f);
  if (pv_read_file(path, UINT32_MAX, &f->text, &f->n, NULL) != PV_OK) f->text = NULL;
  for (size_t i = 0; f->text && i < f->n; i++)
    if (!i || f->text[i - 1] == '\n') pv_vec_push(&f->lines, (uint32_t)i);
  if (f->text) pv_source_read(f->text, f->n, &f->source);
  pv_vec_push(&s->read, f);
  return f;
}

static uint32_t first_token(const struct pv_piece *p) {
  return p->kind == PV_PIECE_STATEMENT ? p->from : p->keyword;
}

static bool calls_any(const struct pv_source_file *s, const struct pv_piece *p,
                      const struct pv_map *names) {
  for (uint32_t i = p->from; i + 1 < p->to && i + 1 < s->tokens.n; i++) {
    if (!pv_token_is_name(&s->tokens, i) || !pv_token_is(&s->tokens, i + 1, "(")) continue;
    const struct pv_token *t = &s->tokens.at[i];
    if (pv_map_get(names, s->tokens.text + t->at, t->n)) return true;
  }
  return false;
}

/* The pieces are those of C. */
static bool is_c(const char *path) {
  const char *dot = strrchr(path, '.');
  return dot && (!strcmp(dot, ".c") || !strcmp(dot, ".h") || !strcmp(dot, ".i"));
}

bool pv_statements_begin(struct pv_statements *s, const char *path, uint32_t line, uint32_t column,
                         const struct pv_map *names) {
  if (!is_c(path)) return false;
  const struct pv_statement_file *f = file_of(s, path);
  if (!line || line > f->lines.n || !column) return false;
  uint32_t token = pv_source_token(&f->source, (size_t)f->lines.at[line - 1] + column - 1);
  uint32_t piece = token == UINT32_MAX ? PV_NO_PIECE : pv_source_piece(&f->source, token);
  if (piece == PV_NO_PIECE) return false;
  const struct pv_piece *p = &f->source.pieces.at[piece];
  uint32_t at = f->source.tokens.at[first_token(p)].at;
  bool here = at >= f->lines.at[line - 1] && (line == f->lines.n || at < f->lines.at[line]);
  return here && !calls_any(&f->source, p, names);
}

void pv_statements_clear(struct pv_statements *s) {
  for (uint32_t i = 0; i < s->read.n; i++) {
    struct pv_statement_file *f = s->read.at[i];
    if (f->text) pv_source_free(&f->source);
    pv_vec_free(&f->lines);
    free(f->text);
    free(f);
  }
  pv_vec_free(&s->read);
  pv_map_free(&s->files);
}
