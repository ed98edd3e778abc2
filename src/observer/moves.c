/* moves.c -- finds the moves of a function: their edges, and their source text. */
#include "observer/weave.h"

#include <stdlib.h>
#include <string.h>

struct finder {
  struct pv_weave *w;
  const struct pv_function *f;
  uint64_t *piece; /* by edge: the statement that it belongs to, as file and piece, or NONE */
  bool *entered;   /* by location: can it be reached from outside of the next statement? */
  pv_observer_moves *out;
};
#define NONE UINT64_MAX

/* ---- statements ------------------------------------------------------------------------------ */

/* Does the edge perform an operation of a statement? */
static bool is_plain(const struct pv_edge *e) {
  return e->op != PV_OP_LIVE && e->op != PV_OP_DEAD && e->op != PV_OP_SKIP;
}

static uint64_t piece_of(struct finder *x, const struct pv_edge *e) {
  uint32_t span = e->op == PV_OP_ASSUME && e->where ? e->where : e->span;
  uint32_t file = pv_span_of(x->w->p, span)->file;
  uint32_t token = pv_weave_token(x->w, span);
  if (!is_plain(e) || token == UINT32_MAX) return NONE;
  const struct pv_source_file *s = pv_weave_source(x->w, file);
  uint32_t piece = pv_source_piece(s, token);
  if (piece == PV_NO_PIECE) return NONE;
  x->w->sources[file].pieces.at[piece].runs = true;
  if (s->pieces.at[piece].kind != PV_PIECE_STATEMENT) return NONE;
  return (uint64_t)file << 32 | piece;
}

/* Does the statement continue from a location? Edges without a statement are skipped. */
static bool goes_on(const struct finder *x, pv_loc at, uint64_t piece) {
  for (uint32_t steps = 0; steps <= x->f->locs.n; steps++) {
    const struct pv_location *l = &x->f->locs.at[at];
    for (uint32_t i = 0; i < l->n_out; i++)
      if (x->piece[l->first_out + i] == piece) return true;
    if (l->n_out != 1 || is_plain(&x->f->edges.at[l->first_out])) return false;
    at = x->f->edges.at[l->first_out].to;
  }
  return false;
}

/* Finds the locations where a statement begins: reached from outside of it, or the function's
 * start. */
static void find_entries(struct finder *x) {
  x->entered[x->f->entry] = true;
  /* Edges without statement and effect pass on how they were reached. */
  for (bool more = true; more;) {
    more = false;
    for (uint32_t i = 0; i < x->f->edges.n; i++) {
      const struct pv_edge *e = &x->f->edges.at[i];
      bool outside = x->piece[i] == NONE && (is_plain(e) || x->entered[e->from]);
      if (outside && !x->entered[e->to]) more = x->entered[e->to] = true;
    }
  }
  for (uint32_t i = 0; i < x->f->edges.n; i++) {
    const struct pv_edge *e = &x->f->edges.at[i];
    if (x->piece[i] == NONE) continue;
    for (uint32_t k = 0; k < x->f->locs.at[e->to].n_out; k++) {
      uint32_t next = x->f->locs.at[e->to].first_out + k;
      if (x->piece[next] != NONE && x->piece[next] != x->piece[i]) x->entered[e->to] = true;
    }
  }
}

static bool is_last(const struct finder *x, uint32_t edge) {
  const struct pv_edge *e = &x->f->edges.at[edge];
  if (e->op == PV_OP_RETURN || e->op == PV_OP_STOP) return true;
  if (!goes_on(x, e->to, x->piece[edge])) return true;
  return x->entered[e->to]; /* it begins again */
}

static struct pv_observer_move *add(struct finder *x, enum pv_observer_move_kind kind,
                                    uint32_t edge, bool before, uint32_t span) {
  struct pv_observer_move m = {.kind = kind, .edge = edge, .before = before, .span = span};
  uint32_t token = pv_weave_token(x->w, span);
  m.file = pv_span_of(x->w->p, span)->file;
  if (token != UINT32_MAX) m.offset = pv_weave_source(x->w, m.file)->tokens.at[token].at;
  pv_vec_push(x->out, m);
  return &pv_vec_last(x->out);
}

static void add_statement(struct finder *x, uint32_t edge, bool before) {
  const struct pv_edge *e = &x->f->edges.at[edge];
  if (x->piece[edge] == NONE || !is_last(x, edge)) return;
  bool ends = e->op == PV_OP_RETURN || e->op == PV_OP_STOP;
  if (ends != before) return;
  const struct pv_source_file *s = pv_weave_source(x->w, (uint32_t)(x->piece[edge] >> 32));
  struct pv_observer_move *m = add(x, PV_OBSERVER_MOVE_STATEMENT, edge, before, e->span);
  m->text = pv_tokens_bare(pv_source_text(s, (uint32_t)x->piece[edge]));
  /* Variables declared by the statement are in scope after it. */
  m->offset = m->text.n ? m->text.at[m->text.n - 1].at : m->offset;
  m->has_text = true;
  m->ends = e->op == PV_OP_STOP;
}

/* ---- branches -------------------------------------------------------------------------------- */

static bool is_field(const struct pv_program *p, const char *name) {
  for (uint32_t i = 0; i < p->srctypes.n; i++)
    for (uint32_t k = 0; k < p->srctypes.at[i].fields.n; k++)
      if (!strcmp(p->srctypes.at[i].fields.at[k].name, name)) return true;
  return false;
}

/* Is the name defined in the program? If not, it may be a macro. */
static bool is_known(const struct finder *x, const char *name) {
  const struct pv_program *p = x->w->p;
  for (uint32_t i = 0; i < x->f->vars.n; i++)
    if (!strcmp(x->f->vars.at[i].name, name)) return true;
  for (uint32_t i = 0; i < x->f->slots.n; i++)
    if (!strcmp(x->f->slots.at[i].name, name)) return true;
  for (uint32_t i = 0; i < p->globals.n; i++)
    if (!strcmp(p->globals.at[i].name, name)) return true;
  for (uint32_t i = 0; i < p->functions.n; i++)
    if (!strcmp(p->functions.at[i].name, name)) return true;
  for (uint32_t i = 0; i < p->imports.n; i++)
    if (!strcmp(p->imports.at[i].name, name)) return true;
  return !strncmp(name, "__builtin_", 10) || !strcmp(name, "sizeof") || is_field(p, name);
}

/* May a macro before the token of the test contain a `!`? The position of an operator is that of
 * the outermost one. */
static bool hides(const struct finder *x, const struct pv_tokens *all, const struct pv_tokens *text,
                  uint32_t token) {
  bool hidden = false;
  if (!pv_token_is_name(all, token)) return false;
  for (uint32_t i = 0; i < text->n && !hidden && text->at[i].at <= all->at[token].at; i++) {
    if (!pv_token_is_name(text, i)) continue;
    char *name = pv_format("%.*s", (int)text->at[i].n, text->text + text->at[i].at);
    hidden = !is_known(x, name);
    free(name);
  }
  return hidden;
}

/* `[k == 2]` for `switch (k)`. Returns false if it is no switch. */
static bool switch_text(struct finder *x, const struct pv_source_file *s, uint32_t token,
                        const struct pv_edge *e, struct pv_observer_move *m) {
  uint32_t header = pv_source_header(s, token);
  const struct pv_expr_node *n = pv_node(x->w->p, e->e[0]);
  if (header == PV_NO_PIECE || s->pieces.at[header].kind != PV_PIECE_SWITCH) return false;
  if (n->op != PV_X_EQ && n->op != PV_X_NE) return false;
  const struct pv_expr_node *a = pv_node(x->w->p, n->a), *b = pv_node(x->w->p, n->b);
  const struct pv_expr_node *value = b->op == PV_X_CONST ? b : a;
  unsigned bits = pv_type_bits(value->type);
  if (value->op != PV_X_CONST || bits > 64) return false;
  int64_t v = (int64_t)(value->lo << (64 - bits)) >> (64 - bits);
  struct pv_tokens text = pv_source_text(s, header);
  struct pv_str out = {0};
  pv_tokens_text(&text, &out);
  pv_str_addf(&out, " == %lld", (long long)v);
  m->owned = out.at;
  pv_tokenise(out.at, 0, out.n, &m->list);
  m->text = (struct pv_tokens){m->owned, m->list.at, m->list.n};
  m->negated = n->op == PV_X_NE;
  m->has_text = true;
  return true;
}

static void add_branch(struct finder *x, uint32_t edge) {
  const struct pv_edge *e = &x->f->edges.at[edge];
  const struct pv_location *l = &x->f->locs.at[e->from];
  uint32_t span = e->where ? e->where : e->span, token = pv_weave_token(x->w, span);
  if (l->n_out != 2) return;
  struct pv_observer_move *m = add(x, PV_OBSERVER_MOVE_BRANCH, edge, false, span);
  bool first = edge == l->first_out, value = false;
  if (token == UINT32_MAX) return;
  const struct pv_source_file *s = pv_weave_source(x->w, m->file);
  if (!e->where && switch_text(x, s, token, e, m)) return;
  uint32_t header = e->where ? PV_NO_PIECE : pv_source_header(s, token);
  if (!e->where && header == PV_NO_PIECE) return;
  m->text = header != PV_NO_PIECE ? pv_tokens_inner(pv_source_text(s, header))
                                  : pv_source_tested(s, token, &value);
  m->has_text = m->text.n > 0;
  m->negated = first == value;
  m->unsure = header == PV_NO_PIECE && hides(x, &s->tokens, &m->text, token);
}

/* ---- calls and labels ------------------------------------------------------------------------ */

const char *pv_weave_source_name(struct pv_weave *w, const char *name) {
  const char *dot = strrchr(name, '.');
  if (!dot || dot == name || !dot[1] || strspn(dot + 1, "0123456789") != strlen(dot + 1))
    return name;
  char *text = pv_format("%.*s", (int)(dot - name), name);
  name = pv_program_string(w->p, text);
  free(text);
  return name;
}

static struct pv_observer_move *add_call(struct finder *x, uint32_t edge, bool before,
                                         const char *callee) {
  const struct pv_edge *e = &x->f->edges.at[edge];
  struct pv_observer_move *m = add(x, PV_OBSERVER_MOVE_CALL, edge, before, e->span);
  uint32_t token = pv_weave_token(x->w, e->span);
  const struct pv_source_file *s = token == UINT32_MAX ? NULL : pv_weave_source(x->w, m->file);
  bool by_name;
  m->name = pv_weave_source_name(x->w, callee);
  if (!s || !pv_source_arguments(s, token, &m->text, &by_name)) return m;
  struct pv_tokens here = pv_tokens_part(&s->tokens, token, token + 1);
  m->has_text = !by_name || pv_token_is(&here, 0, m->name) || e->op == PV_OP_CALL;
  return m;
}

/* clang translates `memcpy(...)` to an intrinsic, but also assignments of structures. Returns the
 * name that the source calls (`labs` for the intrinsic `abs`), or NULL. */
static const char *written(struct finder *x, const struct pv_edge *e, const char *intrinsic) {
  struct pv_tokens unused;
  bool by_name = false;
  uint32_t token = pv_weave_token(x->w, e->span);
  if (token == UINT32_MAX) return NULL;
  const struct pv_source_file *s = pv_weave_source(x->w, pv_span_of(x->w->p, e->span)->file);
  if (!pv_source_arguments(s, token, &unused, &by_name) || !by_name) return NULL;
  char *text =
      pv_format("%.*s", (int)s->tokens.at[token].n, s->tokens.text + s->tokens.at[token].at);
  const char *name = strstr(text, intrinsic) ? pv_program_string(x->w->p, text) : intrinsic;
  free(text);
  return name;
}

static void add_mark(struct finder *x, uint32_t edge) {
  const struct pv_edge *e = &x->f->edges.at[edge];
  const char *name = strchr(e->text, ' ') + 1;
  const struct pv_location *to = &x->f->locs.at[e->to];
  struct pv_observer_move *m;
  if (*e->text == 'l') {
    m = add(x, PV_OBSERVER_MOVE_LABEL, edge, false, e->span);
    m->name = name;
    return;
  }
  if (*e->text == 'i' && !(name = written(x, e, name))) return;
  m = add_call(x, edge, false, name);
  m->ends = to->n_out && x->f->edges.at[to->first_out].op == PV_OP_STOP;
}

/* Through a pointer: adds one move for each possible callee. */
static void add_indirect(struct finder *x, uint32_t edge) {
  for (uint32_t i = 0; i < x->w->p->functions.n; i++)
    if (x->w->p->functions.at[i].defined) {
      struct pv_observer_move *m = add_call(x, edge, true, x->w->p->functions.at[i].name);
      m->callee = i;
      m->indirect = true;
    }
}

/* ---- all of them ----------------------------------------------------------------------------- */

static void add_edge(struct finder *x, uint32_t edge) {
  const struct pv_edge *e = &x->f->edges.at[edge];
  bool model = x->f->is_model;
  if (e->op == PV_OP_CALL && e->callee == PV_NO_FUNC && !model) add_indirect(x, edge);
  if (!model) add_statement(x, edge, true);
  if (e->op == PV_OP_STOP && (e->aux == PV_STOP_EXIT || e->aux == PV_STOP_ABORT))
    add(x, PV_OBSERVER_MOVE_EXIT, edge, true, e->span)->ends = true;
  if (model) return;
  if (e->op == PV_OP_SKIP && e->text) add_mark(x, edge);
  if (e->op == PV_OP_ASSUME) add_branch(x, edge);
  add_statement(x, edge, false);
}

void pv_weave_find(struct pv_weave *w, pv_observer_moves *out) {
  const struct pv_function *f = w->was;
  struct finder x = {.w = w, .f = f, .out = out};
  x.piece = pv_alloc((f->edges.n + 1) * sizeof *x.piece);
  x.entered = pv_alloc((f->locs.n + 1) * sizeof *x.entered);
  for (uint32_t i = 0; i < f->edges.n; i++)
    x.piece[i] = f->is_model ? NONE : piece_of(&x, &f->edges.at[i]);
  find_entries(&x);
  for (uint32_t i = 0; i < f->edges.n; i++) add_edge(&x, i);
  free(x.piece);
  free(x.entered);
}
