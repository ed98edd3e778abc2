/* weave_places.c -- where the waypoints and invariants of a witness are in the program. */
#include "witness/weave_internal.h"

#include <stdlib.h>
#include <string.h>

/* ---- places -----------------------------------------------------------------------------------
 */

static uint32_t span_of(const struct pv_edge *e) {
  return e->op == PV_OP_ASSUME && e->where ? e->where : e->span;
}

/* Does the witness mean this file, and this function? */
static bool is_here(const struct weaver *x, const struct pv_witness_place *place, uint32_t span) {
  if (place->function && strcmp(place->function, x->w.was->name) != 0) return false;
  return pv_witness_same_file(pv_span_file(x->p, span), place->file);
}

static void position_of(const struct pv_source_file *s, const struct pv_file *f, uint32_t token,
                        uint32_t *line, uint32_t *column) {
  uint32_t at = s->tokens.at[token].at, low = 0, high = f->line_start.n;
  while (high - low > 1) {
    uint32_t middle = low + (high - low) / 2;
    if (f->line_start.at[middle] <= at)
      low = middle;
    else
      high = middle;
  }
  *line = low + 1;
  *column = at - f->line_start.at[low] + 1;
}

/* Is the place that of a token? Without a column, a token on the line. */
static bool is_token(struct weaver *x, const struct pv_witness_place *place, uint32_t file,
                     uint32_t token) {
  uint32_t line, column;
  const struct pv_source_file *s = pv_weave_source(&x->w, file);
  if (!s || token >= s->tokens.n) return false;
  position_of(s, &x->p->files.at[file], token, &line, &column);
  return line == place->line && (!place->column || column == place->column);
}

/* The statement or condition that an edge belongs to. */
static uint32_t piece_of(struct weaver *x, const struct pv_edge *e) {
  uint32_t span = span_of(e), token = pv_weave_token(&x->w, span);
  if (e->op == PV_OP_LIVE || e->op == PV_OP_DEAD || (e->op == PV_OP_SKIP && !e->text))
    return PV_NO_PIECE;
  const struct pv_source_file *s = pv_weave_source(&x->w, pv_span_of(x->p, span)->file);
  return s && token != NO ? pv_source_piece(s, token) : PV_NO_PIECE;
}

static uint32_t first_token(const struct pv_source_file *s, uint32_t piece) {
  const struct pv_piece *p = &s->pieces.at[piece];
  return p->kind == PV_PIECE_STATEMENT ? p->from : p->keyword;
}

/* Does the piece of the edge begin at the place? */
static bool begins_at(struct weaver *x, const struct pv_witness_place *place,
                      const struct pv_edge *e) {
  uint32_t piece = piece_of(x, e), file = pv_span_of(x->p, span_of(e))->file;
  if (piece == PV_NO_PIECE || !is_here(x, place, span_of(e))) return false;
  return is_token(x, place, file, first_token(pv_weave_source(&x->w, file), piece));
}

/* Can the edge be the first of its piece that is executed? */
static bool is_entry(struct weaver *x, uint32_t edge) {
  const struct pv_function *f = x->w.was;
  const struct pv_edge *e = &f->edges.at[edge];
  uint32_t piece = piece_of(x, e);
  if (e->from == f->entry || f->locs.at[e->from].loop_head) return true;
  for (uint32_t i = 0; i < f->edges.n; i++)
    if (f->edges.at[i].to == e->from && piece_of(x, &f->edges.at[i]) != piece) return true;
  return false;
}

static void add_site(struct weaver *x, uint32_t edge, uint32_t item, bool after) {
  const struct pv_edge *e = &x->w.was->edges.at[edge];
  struct site s = {.edge = edge, .item = item, .after = after};
  uint32_t token = pv_weave_token(&x->w, span_of(e));
  s.at = (struct pv_observer_move){.edge = edge, .before = !after, .span = span_of(e)};
  s.at.file = pv_span_of(x->p, s.at.span)->file;
  if (token != NO) s.at.offset = pv_weave_source(&x->w, s.at.file)->tokens.at[token].at;
  x->used[item] = true;
  pv_vec_push(&x->sites, s);
}

/* All branches at a location get the same code. */
static void add_entries(struct weaver *x, const struct pv_witness_place *place, uint32_t item) {
  const struct pv_function *f = x->w.was;
  for (uint32_t i = 0; i < f->edges.n; i++) {
    bool again = i && f->edges.at[i - 1].from == f->edges.at[i].from;
    if (!again && begins_at(x, place, &f->edges.at[i]) && is_entry(x, i))
      add_site(x, i, item, false);
  }
}

/* ---- where waypoints are ----------------------------------------------------------------------
 */

/* Is the place that of the call at a token: its name, or one of its parentheses? */
static bool is_call_at(struct weaver *x, const struct pv_witness_place *place, uint32_t span) {
  uint32_t token = pv_weave_token(&x->w, span), file = pv_span_of(x->p, span)->file;
  const struct pv_source_file *s = pv_weave_source(&x->w, file);
  if (!is_here(x, place, span)) return false;
  if (!place->column) return pv_span_of(x->p, span)->line == place->line;
  if (token == NO || !s) return false;
  uint32_t open = token;
  while (open < s->tokens.n && open < token + 100 && !pv_token_is(&s->tokens, open, "(")) open++;
  if (!pv_token_is(&s->tokens, open, "(")) return false;
  uint32_t close = pv_tokens_close(&s->tokens, open);
  return is_token(x, place, file, token) || is_token(x, place, file, open) ||
         is_token(x, place, file, close);
}

static bool creates(const char *name) {
  return !strcmp(name, "pthread_create") || !strcmp(name, "thrd_create") ||
         !strcmp(name, "ft_thread_create") || !strncmp(name, "_ZNSt6threadC", 13) ||
         !strncmp(name, "_ZNSt7jthreadC", 14); /* constructors of std::thread */
}

static void note_birth(struct weaver *x, uint32_t item, const char *callee) {
  bool follow = !x->witness->waypoints.at[item].avoid;
  if (!x->birth[item] && follow && creates(callee)) x->birth[item] = 1; /* numbered later */
}

static void find_enters(struct weaver *x, const pv_observer_moves *moves, uint32_t item) {
  const struct pv_waypoint *y = &x->witness->waypoints.at[item];
  for (uint32_t i = 0; i < moves->n; i++) {
    const struct pv_observer_move *m = &moves->at[i];
    if (m->kind != PV_OBSERVER_MOVE_CALL || !is_call_at(x, &y->place, m->span)) continue;
    bool again = i && moves->at[i - 1].edge == m->edge && moves->at[i - 1].kind == m->kind;
    if (!again) add_site(x, m->edge, item, !m->before);
    note_birth(x, item, m->name);
  }
}

static void find_returns(struct weaver *x, uint32_t item) {
  const struct pv_waypoint *y = &x->witness->waypoints.at[item];
  for (uint32_t i = 0; i < x->w.was->edges.n; i++) {
    const struct pv_edge *e = &x->w.was->edges.at[i];
    bool call = (e->op == PV_OP_CALL && e->dsts.n == 1) || (e->op == PV_OP_HAVOC && e->text);
    if (call && is_call_at(x, &y->place, e->span)) add_site(x, i, item, true);
  }
}

/* Is the keyword at the place that of the header in which the edge tests something? */
static bool tests_at(struct weaver *x, const struct pv_witness_place *place,
                     const struct pv_edge *e, uint32_t *piece) {
  uint32_t file = pv_span_of(x->p, span_of(e))->file;
  const struct pv_source_file *s = pv_weave_source(&x->w, file);
  *piece = piece_of(x, e);
  if (*piece == PV_NO_PIECE || s->pieces.at[*piece].kind == PV_PIECE_STATEMENT) return false;
  return is_here(x, place, span_of(e)) && is_token(x, place, file, s->pieces.at[*piece].keyword);
}

/* The branches that leave the condition at the place with this result. */
static void find_branches(struct weaver *x, const pv_observer_moves *moves, uint32_t item) {
  const struct pv_waypoint *y = &x->witness->waypoints.at[item];
  const struct pv_function *f = x->w.was;
  bool value = !strcmp(y->value, "true"), other;
  if (!value && strcmp(y->value, "false") != 0) {
    pv_witness_wrong(x, &y->place, "branches of `switch` cannot be followed");
    return;
  }
  for (uint32_t i = 0; i < moves->n && !pv_witness_failed(x); i++) {
    const struct pv_observer_move *m = &moves->at[i];
    const struct pv_edge *e = &f->edges.at[m->edge];
    uint32_t piece, next;
    if (m->kind != PV_OBSERVER_MOVE_BRANCH || !tests_at(x, &y->place, e, &piece)) continue;
    const struct pv_source_file *s = pv_weave_source(&x->w, m->file);
    struct pv_tokens text = pv_tokens_inner(pv_source_text(s, piece));
    other = m->unsure || s->pieces.at[piece].kind == PV_PIECE_SWITCH || pv_token_is(&text, 0, "!");
    for (uint32_t k = 0; k < text.n; k++) other |= pv_token_is(&text, k, "?");
    if (other) pv_witness_wrong(x, &y->place, "the value of this condition cannot be followed");
    bool leaves = true;
    for (uint32_t k = 0; k < f->locs.at[e->to].n_out; k++) {
      next = piece_of(x, &f->edges.at[f->locs.at[e->to].first_out + k]);
      if (next == piece && !f->locs.at[e->to].loop_head) leaves = false;
    }
    if (!leaves) continue;
    x->used[item] = true;
    if (m->negated != value) add_site(x, m->edge, item, true);
  }
}

static void add_goal(struct weaver *x, uint32_t place, uint32_t span, uint32_t from, uint32_t to) {
  struct pv_goal *g = &x->p->goal;
  if (!g->at[place].file) {
    g->at[place].file = pv_span_file(x->p, span);
    g->at[place].from = from;
    g->at[place].to = to;
  }
  if (from < g->at[place].from) g->at[place].from = from;
  if (to > g->at[place].to) g->at[place].to = to;
}

/* Is this the last edge of the statement at the target, which executions may continue behind? */
static bool leaves_target(const struct weaver *x, uint32_t edge) {
  const struct pv_function *f = x->w.was;
  const struct pv_edge *e = &f->edges.at[edge];
  bool leaves = false;
  if (!x->is_target[edge] || e->op == PV_OP_RETURN || e->op == PV_OP_STOP || e->op == PV_OP_ERROR)
    return false;
  for (uint32_t i = 0; i < f->locs.at[e->to].n_out; i++)
    leaves |= !x->is_target[f->locs.at[e->to].first_out + i];
  return leaves;
}

/* The statement at the target; without a column also what is on its line only in parts. */
static void find_target(struct weaver *x, uint32_t item) {
  const struct pv_waypoint *y = &x->witness->waypoints.at[item];
  uint32_t place = 0, n = x->w.was->edges.n;
  for (uint32_t i = 0; i < item; i++)
    place += x->witness->waypoints.at[i].kind == PV_WAYPOINT_TARGET;
  for (uint32_t i = 0; i < n; i++) {
    const struct pv_edge *e = &x->w.was->edges.at[i];
    uint32_t span = span_of(e), line = pv_span_of(x->p, span)->line, to = line, column;
    if (!span || !is_here(x, &y->place, span)) continue;
    uint32_t file = pv_span_of(x->p, span)->file, token = pv_weave_token(&x->w, span);
    bool begins = begins_at(x, &y->place, e);
    bool exact = line == y->place.line &&
                 (!y->place.column || (token != NO && is_token(x, &y->place, file, token)));
    if (!begins && !exact) continue;
    if (begins) {
      const struct pv_source_file *s = pv_weave_source(&x->w, file);
      const struct pv_piece *piece = &s->pieces.at[piece_of(x, e)];
      if (piece->to > piece->from && piece->to <= s->tokens.n)
        position_of(s, &x->p->files.at[file], piece->to - 1, &to, &column);
    }
    add_goal(x, place, span, y->place.line < line ? y->place.line : line, to > line ? to : line);
    x->used[item] = true;
    x->is_target[i] = true;
    if (begins && is_entry(x, i)) add_site(x, i, item, false);
  }
  for (uint32_t i = 0; i < n && (x->how & PV_WEAVE_FIRST); i++)
    if (leaves_target(x, i)) add_site(x, i, item, true);
}

void pv_witness_find_sites(struct weaver *x) {
  pv_observer_moves moves = {0};
  const struct pv_witness *y = x->witness;
  pv_weave_find(&x->w, &moves);
  for (uint32_t i = 0; i < y->waypoints.n && !pv_witness_failed(x); i++)
    switch (y->waypoints.at[i].kind) {
    case PV_WAYPOINT_ASSUMPTION: add_entries(x, &y->waypoints.at[i].place, i); break;
    case PV_WAYPOINT_BRANCHING: find_branches(x, &moves, i); break;
    case PV_WAYPOINT_ENTER: find_enters(x, &moves, i); break;
    case PV_WAYPOINT_RETURN: find_returns(x, i); break;
    case PV_WAYPOINT_TARGET: find_target(x, i); break;
    }
  for (uint32_t i = 0; i < y->invariants.n && !pv_witness_failed(x); i++)
    add_entries(x, &y->invariants.at[i].place, i);
  for (uint32_t i = 0; i < moves.n; i++) {
    free(moves.at[i].owned);
    pv_vec_free(&moves.at[i].list);
  }
  pv_vec_free(&moves);
}
