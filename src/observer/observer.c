#include "observer/observer.h"

#include "observer/weave.h"

#include <regex.h>
#include <stdlib.h>
#include <string.h>

void pv_weave_wrong(struct pv_weave *w, const struct pv_woven_automaton *a, struct pv_text_place at,
                    const char *fmt, ...) {
  va_list ap;
  if (pv_weave_failed(w)) return;
  pv_str_addf(w->err, "%s:%u:%u: ", a->a->path, at.line, at.column);
  va_start(ap, fmt);
  pv_str_vaddf(w->err, fmt, ap);
  va_end(ap);
}

/* ---- the source ------------------------------------------------------------------------------ */

const struct pv_source_file *pv_weave_source(struct pv_weave *w, uint32_t file) {
  if (!file || file >= w->p->files.n || !w->p->files.at[file].text) return NULL;
  if (!w->is_read[file]) {
    w->is_read[file] = true;
    pv_source_read(w->p->files.at[file].text, w->p->files.at[file].length, &w->sources[file]);
  }
  return &w->sources[file];
}

uint32_t pv_weave_token(struct pv_weave *w, uint32_t span) {
  const struct pv_span *s = pv_span_of(w->p, span);
  const struct pv_source_file *source = pv_weave_source(w, s->file);
  if (!source || !s->line || !s->column || s->line > w->p->files.at[s->file].line_start.n)
    return UINT32_MAX;
  return pv_source_token(source, (size_t)w->p->files.at[s->file].line_start.at[s->line - 1] +
                                     s->column - 1);
}

/* Checks that the source text of all executed code is known; otherwise a statement could be
 * missed. */
static void check_sources(struct pv_weave *w) {
  for (uint32_t f = 0; f < w->p->functions.n && !pv_weave_failed(w); f++) {
    const struct pv_function *fn = &w->p->functions.at[f];
    bool any = false;
    if (!fn->defined || fn->is_model || !fn->edges.n) continue;
    for (uint32_t i = 0; i < fn->edges.n && !pv_weave_failed(w); i++) {
      uint32_t span = fn->edges.at[i].span, file = pv_span_of(w->p, span)->file;
      any |= file != 0;
      if (file && !w->p->files.at[file].text)
        pv_str_addf(w->err, "%s: cannot be read: an observer automaton needs the source",
                    pv_span_file(w->p, span));
    }
    if (!any && !pv_weave_failed(w))
      pv_str_addf(w->err, "function `%s` has no debug information: an observer automaton needs it",
                  fn->name);
  }
}

/* Is there a directive that gives another position for the following text? */
static bool has_markers(const char *text) {
  for (const char *at = text; at; at = strchr(at, '\n')) {
    at += *at == '\n';
    at += strspn(at, " \t");
    if (*at != '#') continue;
    at += 1 + strspn(at + 1, " \t");
    if (!strncmp(at, "line", 4)) at += 4 + strspn(at + 4, " \t");
    if (*at >= '0' && *at <= '9') return true;
  }
  return false;
}

enum pv_status pv_observer_input(const char *path, struct pv_str *err) {
  enum { LONGEST = 1 << 30 };
  const char *dot = strrchr(path, '.');
  char *text;
  size_t n;
  if (dot && (!strcmp(dot, ".bc") || !strcmp(dot, ".ll"))) return PV_OK;
  PV_TRY(pv_read_file(path, LONGEST, &text, &n, err));
  bool markers = has_markers(text);
  free(text);
  if (!markers) return PV_OK;
  pv_str_addf(err, "%s: it has line markers: an observer automaton needs the source itself", path);
  return PV_E_INPUT;
}

/* ---- automata -------------------------------------------------------------------------------- */

uint32_t pv_weave_add_global(struct pv_weave *w, const char *automaton, const char *what,
                             uint32_t value) {
  char *name = pv_format("__observer_%s_%s", automaton, what);
  struct pv_global g = {.name = pv_program_string(w->p, name), .size = 4, .align = 4};
  free(name);
  g.is_model = true;
  g.init = pv_alloc(4);
  for (unsigned i = 0; i < 4; i++) g.init[i] = (uint8_t)(value >> 8 * i);
  pv_vec_push(&w->p->globals, g);
  return w->p->globals.n - 1;
}

static void add_automaton(struct pv_weave *w, const struct pv_automaton *a) {
  struct pv_woven_automaton x = {.a = a, .observer = w->p->observers.n};
  x.state = pv_weave_add_global(w, a->name, "state", a->initial);
  pv_vec_push(&w->p->observers, x.state);
  x.first = w->p->globals.n;
  for (uint32_t i = 0; i < a->variables.n; i++)
    pv_weave_add_global(w, a->name, a->variables.at[i].name, (uint32_t)a->variables.at[i].initial);
  x.patterns = pv_alloc((a->triggers.n + 1) * sizeof *x.patterns);
  x.regexes = pv_alloc((a->triggers.n + 1) * sizeof *x.regexes);
  x.matches = pv_alloc((a->triggers.n + 1) * sizeof *x.matches);
  for (uint32_t i = 0; i < a->triggers.n; i++) {
    const struct pv_trigger *t = &a->triggers.at[i];
    if (t->kind == PV_TRIGGER_PATTERN) {
      const char *wrong = pv_pattern_read(t->text, &x.patterns[i]);
      if (wrong) pv_weave_wrong(w, &x, t->at, "%s", wrong);
    }
    if (t->kind != PV_TRIGGER_REGEX && t->kind != PV_TRIGGER_LABEL_REGEX) continue;
    x.regexes[i] = pv_alloc(sizeof(regex_t));
    if (regcomp(x.regexes[i], t->text, REG_EXTENDED)) { /* the parser has checked it already */
      free(x.regexes[i]);
      x.regexes[i] = NULL;
      pv_weave_wrong(w, &x, t->at, "the regular expression is wrong");
    }
  }
  pv_weave_set_begin(w, &x);
  for (uint32_t i = 0; i < a->notes.n; i++)
    pv_vec_push(&w->p->notes, pv_program_string(w->p, a->notes.at[i]));
  pv_vec_push(&w->automata, x);
}

static void free_automaton(struct pv_woven_automaton *x) {
  for (uint32_t i = 0; i < x->a->triggers.n; i++) {
    pv_pattern_free(&x->patterns[i]);
    if (x->regexes[i]) regfree(x->regexes[i]);
    free(x->regexes[i]);
  }
  for (uint32_t i = 0; i < x->elements.n; i++) free(x->elements.at[i].text);
  pv_vec_free(&x->elements);
  free(x->patterns);
  free(x->regexes);
  free(x->matches);
}

/* ---- functions ------------------------------------------------------------------------------- */

static void run_all(struct pv_weave *w, const struct pv_observer_move *m) {
  w->span = m->span;
  for (uint32_t i = 0; i < w->automata.n && !pv_weave_failed(w); i++)
    if (pv_weave_moves(w, &w->automata.at[i], m)) pv_weave_move(w, &w->automata.at[i], m);
}

/* A call through a pointer is a call of this function if the pointer is its address. */
static void run_indirect(struct pv_weave *w, const struct pv_observer_move *m) {
  bool any = false;
  for (uint32_t i = 0; i < w->automata.n; i++) any |= pv_weave_moves(w, &w->automata.at[i], m);
  if (!any || pv_weave_failed(w)) return;
  struct pv_expr_node f = {.op = PV_X_FUNC, .type = PV_TYPE(PV_T_PTR, w->p->pointer_bits)};
  f.lo = m->callee;
  pv_expr pointer = w->was->edges.at[m->edge].e[0];
  w->span = m->span;
  pv_loc other =
      pv_weave_branch(w, pv_mk_binary(w->p, PV_X_EQ, 0, PV_INT(1), pointer, pv_mk(w->p, f)), 0);
  run_all(w, m);
  pv_weave_goto(w, other);
  w->at = other;
}

/* Adds a STOP at the creation of a second thread, because an automaton follows one. */
static void refuse_threads(struct pv_weave *w, struct pv_edge *e) {
  static const char create[] = "thread_create";
  if (e->op != PV_OP_PRIM) return;
  const char *name = w->p->prims.at[e->aux].name;
  size_t n = strlen(name);
  if (n < sizeof create - 1 || strcmp(name + n - (sizeof create - 1), create) != 0) return;
  struct pv_edge stop = pv_edge_of(PV_OP_STOP, e->from, w->f.exit);
  stop.aux = PV_STOP_OBSERVER;
  stop.span = e->span;
  stop.text = pv_program_string(
      w->p, "no second thread is started: observer automata follow programs with one thread");
  *e = stop;
}

static void weave_edge(struct pv_weave *w, uint32_t edge, const struct pv_observer_move *m,
                       uint32_t n) {
  struct pv_edge e = w->was->edges.at[edge];
  w->at = e.from;
  for (; n && m->before && !pv_weave_failed(w); m++, n--)
    if (m->indirect)
      run_indirect(w, m);
    else
      run_all(w, m);
  e.from = w->at;
  if (e.op == PV_OP_SKIP) e.text = NULL;
  refuse_threads(w, &e);
  pv_loc to = e.to;
  if (n) { /* after it */
    e.to = w->at = pv_loc_add(&w->f);
    for (; n && !pv_weave_failed(w); m++, n--) run_all(w, m);
    pv_weave_goto(w, to);
  }
  pv_vec_push(&w->f.edges, e);
}

static void weave_entry(struct pv_weave *w) {
  if (w->function != w->p->start) return;
  pv_loc old = w->f.entry;
  struct pv_observer_move m = {
      .kind = PV_OBSERVER_MOVE_ENTRY, .before = true, .span = w->was->span};
  w->f.entry = w->at = pv_loc_add(&w->f);
  run_all(w, &m);
  pv_weave_goto(w, old);
}

static void weave_function(struct pv_weave *w, uint32_t function) {
  pv_observer_moves moves = {0};
  struct pv_function was = w->p->functions.at[function];
  if (!was.defined || !was.edges.n) return;
  w->function = function;
  w->was = &was;
  w->f = was;
  w->f.edges = (__typeof__(was.edges)){0};
  /* Adding edges must not move the ones being read. */
  w->f.locs = (__typeof__(was.locs)){0};
  w->f.vars = (__typeof__(was.vars)){0};
  for (uint32_t i = 0; i < was.locs.n; i++) pv_loc_add(&w->f);
  for (uint32_t i = 0; i < was.vars.n; i++) pv_vec_push(&w->f.vars, was.vars.at[i]);
  pv_weave_find(w, &moves);
  for (uint32_t i = 0; i < moves.n; i++)
    if (moves.at[i].kind == PV_OBSERVER_MOVE_CALL)
      pv_map_put_str(&w->called, moves.at[i].name, 1, NULL);
  for (uint32_t i = 0; i < moves.n; i++)
    for (uint32_t k = 0; k < w->automata.n; k++)
      pv_weave_count(w, &w->automata.at[k], &moves.at[i]);
  for (uint32_t i = 0, k = 0; i < was.edges.n && !pv_weave_failed(w); i++) {
    uint32_t first = k;
    while (k < moves.n && moves.at[k].edge == i) k++;
    weave_edge(w, i, moves.at + first, k - first);
  }
  if (!pv_weave_failed(w)) weave_entry(w);
  for (uint32_t i = 0; i < moves.n; i++) {
    free(moves.at[i].owned);
    pv_vec_free(&moves.at[i].list);
  }
  pv_vec_free(&moves);
  pv_function_shorten(&w->f);
  pv_function_finish(w->p, &w->f);
  w->p->functions.at[function] = w->f;
  pv_vec_free(&was.edges);
  pv_vec_free(&was.locs);
  pv_vec_free(&was.vars);
}

/* ---- checks after weaving -------------------------------------------------------------------- */

/* Does a statement contain a call of the function for which there is no mark? The compiler treats
 * some functions as operators. */
static void check_unseen(struct pv_weave *w, const struct pv_woven_automaton *a,
                         const struct pv_trigger *t, const char *name, size_t length) {
  char *called = pv_format("%.*s", (int)length, name);
  bool known = pv_map_get_str(&w->called, called) != NULL;
  free(called);
  if (known) return;
  for (uint32_t file = 1; file < w->p->files.n && !pv_weave_failed(w); file++) {
    const struct pv_source_file *s = w->is_read[file] ? &w->sources[file] : NULL;
    for (uint32_t i = 0; s && i + 1 < s->tokens.n; i++) {
      if (s->tokens.at[i].n != length || memcmp(s->tokens.text + s->tokens.at[i].at, name, length))
        continue;
      uint32_t piece = pv_source_piece(s, i);
      if (piece == PV_NO_PIECE || !s->pieces.at[piece].runs ||
          !pv_token_is(&s->tokens, i + 1, "(") || pv_source_declares(s, piece, i))
        continue;
      pv_weave_wrong(w, a, t->at,
                     "no call of `%.*s` can be observed, though %s has one: the "
                     "compiler makes an operator of it",
                     (int)length, name, w->p->files.at[file].path);
      return;
    }
  }
}

static void look_back(struct pv_weave *w, const struct pv_woven_automaton *a) {
  for (uint32_t i = 0; i < a->a->triggers.n; i++) {
    const struct pv_trigger *t = &a->a->triggers.at[i];
    if (t->kind < PV_TRIGGER_STATEMENT || t->kind > PV_TRIGGER_CALL || a->matches[i]) continue;
    if (t->kind == PV_TRIGGER_CALL) check_unseen(w, a, t, t->text, strlen(t->text));
    if (t->kind == PV_TRIGGER_PATTERN && a->patterns[i].is_call)
      check_unseen(w, a, t, a->patterns[i].text + a->patterns[i].tokens.at[0].at,
                   a->patterns[i].tokens.at[0].n);
    char *note = pv_format("%s:%u:%u: nothing in the program matches `%s`%s", a->a->path,
                           t->at.line, t->at.column, t->text,
                           t->kind == PV_TRIGGER_ASSERT ? ", which is for programs in Java" : "");
    pv_vec_push(&w->p->notes, pv_program_string(w->p, note));
    free(note);
  }
}

enum pv_status pv_observer_weave(struct pv_program *p, const pv_automata *automata,
                                 struct pv_str *err) {
  struct pv_str wrong = {0};
  struct pv_weave w = {.p = p, .err = &wrong};
  uint32_t n_files = p->files.n, n_functions = p->functions.n;
  w.sources = pv_alloc(n_files * sizeof *w.sources);
  w.is_read = pv_alloc(n_files * sizeof *w.is_read);
  check_sources(&w);
  for (uint32_t i = 0; i < automata->n; i++) add_automaton(&w, automata->at[i]);
  if (!wrong.n) pv_weave_order(&w);
  for (uint32_t i = 0; i < n_functions && !wrong.n; i++) weave_function(&w, i);
  for (uint32_t i = 0; i < w.automata.n; i++) {
    if (!wrong.n) look_back(&w, &w.automata.at[i]);
    free_automaton(&w.automata.at[i]);
  }
  for (uint32_t i = 0; i < n_files; i++)
    if (w.is_read[i]) pv_source_free(&w.sources[i]);
  free(w.sources);
  free(w.is_read);
  pv_vec_free(&w.automata);
  pv_vec_free(&w.loads);
  pv_map_free(&w.called);
  char *broken = wrong.n ? NULL : pv_program_verify(p);
  if (broken) pv_str_addf(err, "internal error: the automaton was woven wrongly: %s", broken);
  if (wrong.n) pv_str_add(err, pv_str_cstr(&wrong));
  enum pv_status status = broken ? PV_E_INTERNAL : wrong.n ? PV_E_INPUT : PV_OK;
  free(broken);
  pv_str_free(&wrong);
  return status;
}
