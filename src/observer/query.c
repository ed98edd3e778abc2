/* query.c -- the questions of automata to other analyses, CHECK and EVAL. In CPAchecker an analysis
 * that runs beside the automaton answers them, after the move. Here the move itself answers those
 * about the location, the other automata those about their states, and the values of the program's
 * variables those about values: an analysis that is as exact as possible. A question that asks
 * whether a value *may* be something is not answered, because it is true of an inexact analysis.
 * Nor are those about what only engines know; properties look for that. */
#include "observer/weave.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static const char prefix[] = "AutomatonAnalysis_";

/* ---- texts ----------------------------------------------------------------------------------- */

enum { MOST_PARTS = 3 };
struct parts {
  char *at[MOST_PARTS]; /* without blanks around them */
  uint32_t n;           /* may be larger */
};

static char *trimmed(const char *text, size_t n) {
  while (n && isspace((unsigned char)*text)) text++, n--;
  while (n && isspace((unsigned char)text[n - 1])) n--;
  return pv_format("%.*s", (int)n, text);
}

static void split(const char *text, const char *sign, struct parts *out) {
  out->n = 0;
  for (const char *end; text; text = end) {
    end = strstr(text, sign);
    if (out->n < MOST_PARTS)
      out->at[out->n] = trimmed(text, end ? (size_t)(end - text) : strlen(text));
    out->n++;
    if (end) end += strlen(sign);
  }
}

static void free_parts(struct parts *p) {
  for (uint32_t i = 0; i < p->n && i < MOST_PARTS; i++) free(p->at[i]);
}

static bool is_word(const char *text, const char *word) {
  size_t i = 0;
  while (text[i] && tolower((unsigned char)text[i]) == word[i]) i++;
  return !text[i] && !word[i];
}

static bool is_integer(const char *text) {
  size_t sign = *text == '-', digits = strspn(text + sign, "0123456789");
  return digits && digits <= 18 && !text[sign + digits];
}

/* A number, or a variable of the automaton. */
static bool is_number(const char *text) {
  return is_integer(text) || !strncmp(text, "$$", 2);
}

/* ---- locations ------------------------------------------------------------------------------- */

static enum pv_holds from_bool(bool b) {
  return b ? PV_HOLDS : PV_HOLDS_NOT;
}

/* The function that the move is in. The program begins in `main`, or what is executed instead.
 * NULL: it is in a model. */
static const char *function_of(struct pv_weave *w, const struct pv_observer_move *m) {
  const struct pv_function *f = w->was;
  for (uint32_t i = 0; m->kind == PV_OBSERVER_MOVE_ENTRY && i < w->was->edges.n; i++) {
    const struct pv_edge *e = &w->was->edges.at[i];
    if (e->op == PV_OP_CALL && e->callee != PV_NO_FUNC && !w->p->functions.at[e->callee].is_model)
      f = &w->p->functions.at[e->callee];
  }
  return f->is_model ? NULL : pv_weave_source_name(w, f->name);
}

/* In CPAchecker a call is two moves: MATCH FUNCTIONCALL sees the one that ends in the function. */
static bool sees_calls(const struct pv_woven_automaton *a) {
  for (uint32_t i = 0; i < a->a->triggers.n; i++)
    if (a->a->triggers.at[i].kind == PV_TRIGGER_CALL) return true;
  return false;
}

static enum pv_holds in_function(struct pv_weave *w, const struct pv_woven_automaton *a,
                                 const struct pv_observer_move *m, const char *name) {
  const char *function = function_of(w, m);
  if (!function) return PV_HOLDS_UNANSWERED;
  bool here = !strcmp(function, name);
  bool there = m->kind == PV_OBSERVER_MOVE_CALL ? !strcmp(m->name, name) : here;
  if (here != there && sees_calls(a)) return PV_HOLDS_UNANSWERED;
  return from_bool(here);
}

static bool is_location(const char *key) {
  return is_word(key, "functionname") || is_word(key, "line") || is_word(key, "label") ||
         is_word(key, "mainentry");
}

static enum pv_holds location(struct pv_weave *w, const struct pv_woven_automaton *a,
                              const struct pv_observer_move *m, const char *text) {
  struct parts p;
  enum pv_holds holds = PV_HOLDS_UNANSWERED;
  split(text, "==", &p);
  if (p.n == 2 && is_word(p.at[0], "functionname"))
    holds = in_function(w, a, m, p.at[1]);
  else if (p.n == 2 && is_word(p.at[0], "line") && is_integer(p.at[1]))
    holds = from_bool(strtoll(p.at[1], NULL, 10) == pv_weave_line(w, m));
  else if (p.n == 2 && is_word(p.at[0], "label"))
    holds = from_bool(m->kind == PV_OBSERVER_MOVE_LABEL && !strcmp(m->name, p.at[1]));
  else if (p.n == 2 && is_word(p.at[0], "mainentry"))
    holds = m->kind == PV_OBSERVER_MOVE_ENTRY ? in_function(w, a, m, p.at[1]) : PV_HOLDS_NOT;
  free_parts(&p);
  return holds;
}

/* ---- values ---------------------------------------------------------------------------------- */

/* `f::x` is a local variable of f, `x` a global one. False: it is not of this function. */
static bool variable(struct pv_weave *w, const char *name, char **plain,
                     enum pv_weave_scope *scope) {
  const char *colons = strstr(name, "::"), *here = pv_weave_source_name(w, w->was->name);
  size_t n = colons ? (size_t)(colons - name) : 0;
  *scope = colons ? PV_SCOPE_LOCAL : PV_SCOPE_GLOBAL;
  const char *rest = colons ? colons + 2 : name;
  size_t length = strlen(rest), i = 0;
  while (i < length && (isalnum((unsigned char)rest[i]) || rest[i] == '_')) i++;
  bool ok = length && i == length && !isdigit((unsigned char)*rest) &&
            (!colons || (strlen(here) == n && !memcmp(here, name, n) && !w->was->is_model));
  *plain = ok ? pv_strdup(rest) : NULL;
  return ok;
}

/* The C expression of `x==3`, `0<=x`, `x<=3`, `0<=x<=3` or `x<=PLUS0`; NULL: it is none of them. */
static char *condition(struct pv_weave *w, const char *analysis, const char *text,
                       enum pv_weave_scope *scope) {
  static const struct {
    const char *name, *c;
  } signs[] = {{"PLUS", "> 0"},   {"MINUS", "< 0"},   {"ZERO", "== 0"},
               {"PLUS0", ">= 0"}, {"MINUS0", "<= 0"}, {"PLUSMINUS", "!= 0"}};
  struct parts p;
  char *name = NULL, *c = NULL;
  bool value = !strcmp(analysis, "ValueAnalysis"), sign = !strcmp(analysis, "SignAnalysis");
  split(text, value ? "==" : "<=", &p);
  uint32_t at = !sign && !value && p.n >= 2 && is_number(p.at[0]); /* the variable */
  bool fits = p.n == 2 || (p.n == 3 && at && is_number(p.at[2]));
  if (!fits || !variable(w, p.at[at], &name, scope)) {
    free_parts(&p);
    return NULL;
  }
  const char *long_ = "L";
#define SUFFIX(T) (strchr((T), '$') ? "" : long_)
  if (value && is_number(p.at[1])) c = pv_format("%s == %s%s", name, p.at[1], SUFFIX(p.at[1]));
  for (size_t i = 0; sign && i < sizeof signs / sizeof *signs; i++)
    if (!strcmp(signs[i].name, p.at[1])) c = pv_format("%s %s", name, signs[i].c);
  if (!value && !sign && p.n == 3)
    c = pv_format("%s%s <= %s && %s <= %s%s", p.at[0], SUFFIX(p.at[0]), name, name, p.at[2],
                  SUFFIX(p.at[2]));
  else if (!value && !sign && at)
    c = pv_format("%s%s <= %s", p.at[0], SUFFIX(p.at[0]), name);
  else if (!value && !sign && is_number(p.at[1]))
    c = pv_format("%s <= %s%s", name, p.at[1], SUFFIX(p.at[1]));
  free(name);
  free_parts(&p);
  return c;
}

static enum pv_holds is_valid(struct pv_weave *w, struct pv_woven_automaton *a,
                              const struct pv_observer_move *m, const char *text) {
  enum pv_weave_scope scope;
  char *name;
  if (m->kind == PV_OBSERVER_MOVE_ENTRY && strstr(text, "::")) return PV_HOLDS_NOT;
  if (!variable(w, text, &name, &scope)) return PV_HOLDS_UNANSWERED;
  bool is = pv_weave_has_variable(w, a, name, scope, m);
  free(name);
  return from_bool(is);
}

/* ---- other automata -------------------------------------------------------------------------- */

static bool asks_for_targets(const struct pv_automaton *a) {
  for (uint32_t i = 0; i < a->triggers.n; i++)
    if (a->triggers.at[i].kind == PV_TRIGGER_CHECK_TARGET) return true;
  return false;
}

static struct pv_woven_automaton *other(struct pv_weave *w, const char *analysis) {
  size_t n = sizeof prefix - 1;
  for (uint32_t i = 0; i < w->automata.n && !strncmp(analysis, prefix, n); i++)
    if (!strcmp(w->automata.at[i].a->name, analysis + n)) return &w->automata.at[i];
  return NULL;
}

/* The number of a state. An automaton that has reached an error is in none of its own. */
static uint32_t state_named(const struct pv_automaton *a, const char *name) {
  if (!strcmp(name, "_predefinedState_ERROR")) return a->states.n;
  for (uint32_t i = 0; i < a->states.n; i++)
    if (!strcmp(a->states.at[i].name, name)) return a->states.at[i].target ? a->states.n : i;
  return PV_NO_STATE;
}

static uint32_t variable_named(const struct pv_automaton *a, const char *name) {
  for (uint32_t i = 0; i < a->variables.n; i++)
    if (!strcmp(a->variables.at[i].name, name)) return i;
  return UINT32_MAX;
}

static bool asks_if_target(const char *text) {
  return is_word(text, "internalstateistarget");
}

static enum pv_holds of_automaton(const struct pv_woven_automaton *x, const char *text) {
  struct parts p;
  enum pv_holds holds = PV_HOLDS_UNANSWERED;
  if (asks_if_target(text)) return PV_HOLDS_BY_VALUE;
  split(text, "==", &p);
  if (p.n == 2 && is_word(p.at[0], "state"))
    holds = state_named(x->a, p.at[1]) == PV_NO_STATE ? PV_HOLDS_NOT : PV_HOLDS_BY_VALUE;
  else if (p.n == 2 && is_number(p.at[1]) && variable_named(x->a, p.at[0]) != UINT32_MAX)
    holds = PV_HOLDS_BY_VALUE;
  free_parts(&p);
  return holds;
}

static pv_expr is_equal(struct pv_weave *w, pv_expr x, pv_expr y) {
  return pv_mk_binary(w->p, PV_X_EQ, 0, PV_INT(1), x, y);
}

static pv_expr is_in(struct pv_weave *w, const struct pv_woven_automaton *x, uint32_t state) {
  pv_expr is = pv_weave_load(w, pv_weave_global(w, x->state), PV_INT(32));
  return is_equal(w, is, pv_mk_const(w->p, PV_INT(32), state));
}

static pv_expr ask_automaton(struct pv_weave *w, struct pv_woven_automaton *a,
                             const struct pv_woven_automaton *x, struct pv_text_place at,
                             const char *text, const struct pv_observer_move *m,
                             const struct pv_bindings *b) {
  struct parts p;
  pv_expr e;
  if (asks_if_target(text)) return is_in(w, x, x->a->states.n);
  split(text, "==", &p);
  if (is_word(p.at[0], "state")) {
    e = is_in(w, x, state_named(x->a, p.at[1]));
  } else {
    e = pv_weave_c(w, a, at, p.at[1], PV_SCOPE_GLOBAL, false, m, b);
    if (e) e = is_equal(w, pv_weave_variable(w, x, variable_named(x->a, p.at[0])), e);
  }
  free_parts(&p);
  return e;
}

static bool asks(const struct pv_automaton *a, const struct pv_automaton *x) {
  for (uint32_t i = 0; i < a->triggers.n; i++) {
    const struct pv_trigger *t = &a->triggers.at[i];
    if (t->analysis && !strncmp(t->analysis, prefix, sizeof prefix - 1) &&
        !strcmp(t->analysis + sizeof prefix - 1, x->name))
      return true;
  }
  return asks_for_targets(a) && !asks_for_targets(x);
}

/* May it come next? */
static bool is_ready(const struct pv_weave *w, const bool *placed, uint32_t i) {
  for (uint32_t k = 0; k < w->automata.n; k++)
    if (!placed[k] && asks(w->automata.at[i].a, w->automata.at[k].a)) return false;
  return true;
}

void pv_weave_order(struct pv_weave *w) {
  uint32_t n = w->automata.n, next = 0, i;
  struct pv_woven_automaton *ordered = pv_alloc((n + 1) * sizeof *ordered);
  bool *placed = pv_alloc((n + 1) * sizeof *placed);
  while (next < n) {
    for (i = 0; i < n && (placed[i] || !is_ready(w, placed, i));) i++;
    if (i == n) break;
    placed[i] = true;
    ordered[next++] = w->automata.at[i];
  }
  for (i = 0; next < n && placed[i];) i++;
  if (next < n)
    pv_weave_wrong(w, &w->automata.at[i], w->automata.at[i].a->states.at[0].at,
                   "automaton `%s` asks itself, or automata ask each other",
                   w->automata.at[i].a->name);
  else
    memcpy(w->automata.at, ordered, n * sizeof *ordered);
  free(ordered);
  free(placed);
}

/* ---- questions ------------------------------------------------------------------------------- */

static enum pv_holds classify(struct pv_weave *w, struct pv_woven_automaton *a,
                              const struct pv_trigger *t, const struct pv_observer_move *m,
                              const char *text) {
  const struct pv_woven_automaton *x;
  enum pv_weave_scope scope;
  if (!t->analysis) {
    struct parts p;
    split(text, "==", &p);
    bool is = p.n == 2 && is_location(p.at[0]);
    free_parts(&p);
    return is ? location(w, a, m, text) : PV_HOLDS_UNANSWERED;
  }
  if (!strcmp(t->analysis, "location")) return location(w, a, m, text);
  if (!strcmp(t->analysis, "ValidVars")) return is_valid(w, a, m, text);
  if ((x = other(w, t->analysis))) return of_automaton(x, text);
  if (strcmp(t->analysis, "ValueAnalysis") != 0 && strcmp(t->analysis, "IntervalAnalysis") != 0 &&
      strcmp(t->analysis, "SignAnalysis") != 0)
    return PV_HOLDS_UNANSWERED;
  char *c = condition(w, t->analysis, text, &scope);
  free(c);
  return c ? PV_HOLDS_BY_VALUE : PV_HOLDS_UNANSWERED;
}

enum pv_holds pv_weave_query(struct pv_weave *w, struct pv_woven_automaton *a, uint32_t trigger,
                             const struct pv_observer_move *m, const struct pv_bindings *b) {
  const struct pv_trigger *t = &a->a->triggers.at[trigger];
  if (t->kind == PV_TRIGGER_CHECK_TARGET) {
    bool any = false;
    for (uint32_t i = 0; i < w->automata.n; i++) any |= !asks_for_targets(w->automata.at[i].a);
    return any ? PV_HOLDS_BY_VALUE : PV_HOLDS_UNANSWERED;
  }
  char missing, *text = pv_weave_substitute(t->text, b, false, &missing);
  enum pv_holds holds = text ? classify(w, a, t, m, text) : PV_HOLDS_UNANSWERED;
  free(text);
  return holds;
}

pv_expr pv_weave_answer(struct pv_weave *w, struct pv_woven_automaton *a, uint32_t trigger,
                        const struct pv_observer_move *m, const struct pv_bindings *b) {
  const struct pv_trigger *t = &a->a->triggers.at[trigger];
  pv_expr e = pv_mk_const(w->p, PV_INT(1), 0);
  if (t->kind == PV_TRIGGER_CHECK_TARGET) {
    for (uint32_t i = 0; i < w->automata.n; i++) {
      const struct pv_woven_automaton *x = &w->automata.at[i];
      if (asks_for_targets(x->a)) continue;
      e = pv_mk_binary(w->p, PV_X_OR, 0, PV_INT(1), e, is_in(w, x, x->a->states.n));
    }
    return e;
  }
  char missing, *text = pv_weave_substitute(t->text, b, false, &missing);
  const struct pv_woven_automaton *x = other(w, t->analysis);
  enum pv_weave_scope scope;
  char *c = x ? NULL : condition(w, t->analysis, text, &scope);
  pv_expr answer =
      x ? ask_automaton(w, a, x, t->at, text, m, b) : pv_weave_c(w, a, t->at, c, scope, true, m, b);
  free(c);
  free(text);
  return answer ? answer : e;
}

static void report(struct pv_weave *w, const struct pv_woven_automaton *a,
                   const struct pv_trigger *t, const struct pv_observer_move *m) {
  static const struct {
    const char *text, *property;
  } advice[] = {{"has-invalid-writes", "valid-deref"},
                {"has-invalid-reads", "valid-deref"},
                {"has-invalid-frees", "valid-free"},
                {"has-leaks", "valid-memtrack"},
                {"has-heap-objects", "valid-memcleanup"},
                {"overflow", "no-overflow"},
                {"data-race", "no-data-race"},
                {"deadlock", "no-deadlock"}};
  struct pv_str more = {0};
  const char *text = t->text ? t->text : "IS_TARGET_STATE";
  for (size_t i = 0; i < sizeof advice / sizeof *advice; i++)
    if (!strcmp(advice[i].text, text))
      pv_str_addf(&more, "; property `%s` looks for that", advice[i].property);
  uint32_t line = pv_span_of(w->p, m->span)->line;
  char *place = line ? pv_format(" at %s:%u", pv_span_file(w->p, m->span), line) : NULL;
  pv_weave_wrong(w, a, t->at, "nothing here answers `%s(%s%s%s)`%s%s",
                 t->kind == PV_TRIGGER_EVAL ? "EVAL" : "CHECK", t->analysis ? t->analysis : "",
                 t->analysis ? ", " : "", text, place ? place : "", pv_str_cstr(&more));
  free(place);
  pv_str_free(&more);
}

pv_expr pv_weave_evaluate(struct pv_weave *w, struct pv_woven_automaton *a, uint32_t trigger,
                          const struct pv_observer_move *m, const struct pv_bindings *b) {
  const struct pv_trigger *t = &a->a->triggers.at[trigger];
  char missing, *text = pv_weave_substitute(t->text, b, false, &missing), *name = NULL;
  enum pv_weave_scope scope;
  pv_expr e = 0;
  if (text && !strcmp(t->analysis, "location") && is_word(text, "lineno"))
    e = pv_mk_const(w->p, PV_INT(32), pv_weave_line(w, m));
  else if (text && !strcmp(t->analysis, "ValueAnalysis") && variable(w, text, &name, &scope))
    e = pv_weave_c(w, a, t->at, name, scope, false, m, b);
  else
    report(w, a, t, m);
  free(name);
  free(text);
  return e ? e : pv_mk_const(w->p, PV_INT(32), 0);
}

static bool find(struct pv_weave *w, struct pv_woven_automaton *a, uint32_t trigger,
                 const struct pv_observer_move *m) {
  const struct pv_trigger *t = &a->a->triggers.at[trigger];
  struct pv_bindings none = {0};
  switch (t->kind) {
  case PV_TRIGGER_NOT: return find(w, a, t->a, m);
  case PV_TRIGGER_AND:
  case PV_TRIGGER_OR:
  case PV_TRIGGER_SAME:
  case PV_TRIGGER_DIFFER: return find(w, a, t->a, m) || find(w, a, t->b, m);
  case PV_TRIGGER_CHECK:
  case PV_TRIGGER_CHECK_TARGET: break;
  default: return false;
  }
  if (pv_weave_query(w, a, trigger, m, &none) != PV_HOLDS_UNANSWERED) return false;
  report(w, a, t, m);
  return true;
}

void pv_weave_unanswered(struct pv_weave *w, struct pv_woven_automaton *a, uint32_t trigger,
                         const struct pv_observer_move *m) {
  if (!find(w, a, trigger, m))
    pv_weave_wrong(w, a, a->a->triggers.at[trigger].at, "nothing here answers this question");
}
