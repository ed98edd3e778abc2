/* trigger.c -- decides which triggers hold at a move. What depends on the move is decided when the
 * automaton is woven. What depends on the automaton's variables becomes an expression. */
#include "observer/weave.h"

#include <regex.h>
#include <stdlib.h>
#include <string.h>

/* ---- matches --------------------------------------------------------------------------------- */

static bool fits(const regex_t *r, const char *text) {
  regmatch_t m;
  return !regexec(r, text, 1, &m, 0) && !m.rm_so && !text[m.rm_eo];
}

/* For a trigger "[a]" or "[!(a)]": the condition, and its polarity. */
static bool branch_of(const char *text, pv_token_list *list, struct pv_tokens *out, bool *negated) {
  pv_tokenise(text, 0, strlen(text), list);
  struct pv_tokens t = {text, list->at, list->n};
  *negated = false;
  if (t.n < 3 || !pv_token_is(&t, 0, "[") || pv_tokens_close(&t, 0) != t.n - 1) return false;
  t = pv_tokens_inner(pv_tokens_part(&t, 1, t.n - 1));
  while (pv_token_is(&t, 0, "!")) {
    bool primary =
        t.n == 2 || (pv_token_is(&t, 1, "(") && pv_tokens_close(&t, 1) == t.n - 1) ||
        pv_token_is(&t, 1, "!") ||
        (pv_token_is_name(&t, 1) && (pv_token_is(&t, 2, "(") || pv_token_is(&t, 2, "[")) &&
         pv_tokens_close(&t, 2) == t.n - 1);
    if (!primary) break;
    t = pv_tokens_inner(pv_tokens_part(&t, 1, t.n));
    *negated = !*negated;
  }
  *out = t;
  return t.n > 0;
}

static void unsure(struct pv_weave *w, const struct pv_woven_automaton *a,
                   const struct pv_trigger *t, const struct pv_observer_move *m) {
  pv_weave_wrong(w, a, t->at, "which way the branch at %s:%u goes is hidden in a macro",
                 pv_span_file(w->p, m->span), pv_span_of(w->p, m->span)->line);
}

static bool statement(struct pv_weave *w, const struct pv_woven_automaton *a,
                      const struct pv_trigger *t, const struct pv_observer_move *m) {
  pv_token_list list = {0};
  struct pv_tokens tested;
  bool negated, same = false;
  bool branch = branch_of(t->text, &list, &tested, &negated);
  if (branch && m->kind == PV_OBSERVER_MOVE_BRANCH && m->has_text) {
    same = pv_tokens_same(&tested, &m->text);
    if (same && m->unsure) unsure(w, a, t, m);
    same = same && negated == m->negated;
  } else if (m->kind == PV_OBSERVER_MOVE_STATEMENT) {
    struct pv_tokens all = pv_tokens_bare((struct pv_tokens){t->text, list.at, list.n});
    same = all.n && pv_tokens_same(&all, &m->text);
  }
  pv_vec_free(&list);
  return same;
}

static void text_of(const struct pv_observer_move *m, bool negated, struct pv_str *out) {
  bool branch = m->kind == PV_OBSERVER_MOVE_BRANCH;
  if (branch) pv_str_add(out, negated ? "[!(" : "[");
  pv_tokens_text(&m->text, out);
  pv_str_add(out, !branch ? ";" : negated ? ")]" : "]");
}

static bool expression(struct pv_weave *w, const struct pv_woven_automaton *a, uint32_t trigger,
                       const struct pv_observer_move *m) {
  if (m->kind != PV_OBSERVER_MOVE_STATEMENT && !(m->kind == PV_OBSERVER_MOVE_BRANCH && m->has_text))
    return false;
  struct pv_str text = {0};
  text_of(m, m->negated, &text);
  bool found = fits(a->regexes[trigger], pv_str_cstr(&text));
  if (m->unsure) {
    pv_str_clear(&text);
    text_of(m, !m->negated, &text);
    if (found != fits(a->regexes[trigger], pv_str_cstr(&text)))
      unsure(w, a, &a->a->triggers.at[trigger], m);
  }
  pv_str_free(&text);
  return found;
}

static bool pattern(struct pv_weave *w, const struct pv_woven_automaton *a, uint32_t trigger,
                    const struct pv_observer_move *m, struct pv_bindings *out) {
  const struct pv_pattern *p = &a->patterns[trigger];
  if (!p->is_call)
    return m->kind == PV_OBSERVER_MOVE_STATEMENT && pv_pattern_match(p, &m->text, out);
  size_t n = p->tokens.at[0].n;
  if (m->kind != PV_OBSERVER_MOVE_CALL || strlen(m->name) != n ||
      memcmp(m->name, p->text + p->tokens.at[0].at, n) != 0)
    return false;
  if (pv_pattern_any_arguments(p)) return true;
  if (!m->has_text)
    pv_weave_wrong(w, a, a->a->triggers.at[trigger].at,
                   "the arguments of the call of `%s` at %s:%u are not to be seen", m->name,
                   pv_span_file(w->p, m->span), pv_span_of(w->p, m->span)->line);
  return m->has_text && pv_pattern_match_arguments(p, &m->text, out);
}

uint32_t pv_weave_line(struct pv_weave *w, const struct pv_observer_move *m) {
  const struct pv_file *f = &w->p->files.at[m->file];
  uint32_t line = pv_span_of(w->p, m->span)->line;
  if (m->kind != PV_OBSERVER_MOVE_STATEMENT || !m->text.n) return line;
  size_t begin = m->text.at[0].at;
  while (line > 1 && line <= f->line_start.n && f->line_start.at[line - 1] > begin) line--;
  return line;
}

/* Is the line in "COVERS_LINES(1 2)"? */
static bool covers(const char *text, uint32_t line) {
  for (const char *at = strchr(text, '(') + 1; *at && *at != ')';) {
    char *end;
    if (strtoul(at, &end, 10) == line) return true;
    at = end + (*end == ' ');
  }
  return false;
}

static bool matches(struct pv_weave *w, const struct pv_woven_automaton *a, uint32_t trigger,
                    const struct pv_observer_move *m, struct pv_bindings *out) {
  const struct pv_trigger *t = &a->a->triggers.at[trigger];
  switch (t->kind) {
  case PV_TRIGGER_STATEMENT: return statement(w, a, t, m);
  case PV_TRIGGER_PATTERN: return pattern(w, a, trigger, m, out);
  case PV_TRIGGER_REGEX: return expression(w, a, trigger, m);
  case PV_TRIGGER_LABEL: return m->kind == PV_OBSERVER_MOVE_LABEL && !strcmp(m->name, t->text);
  case PV_TRIGGER_LABEL_REGEX:
    return m->kind == PV_OBSERVER_MOVE_LABEL && fits(a->regexes[trigger], m->name);
  case PV_TRIGGER_ASSERT: return false;
  case PV_TRIGGER_LINES: return covers(t->text, pv_weave_line(w, m));
  case PV_TRIGGER_CALL: return m->kind == PV_OBSERVER_MOVE_CALL && !strcmp(m->name, t->text);
  case PV_TRIGGER_ENTRY: return m->kind == PV_OBSERVER_MOVE_ENTRY;
  case PV_TRIGGER_EXIT: return m->kind == PV_OBSERVER_MOVE_EXIT;
  default: return t->value != 0; /* BOOL */
  }
}

/* ---- conditions ------------------------------------------------------------------------------ */

static enum pv_holds from_bool(bool b) {
  return b ? PV_HOLDS : PV_HOLDS_NOT;
}

static bool is_constant(struct pv_weave *w, const struct pv_automaton *a, uint32_t n,
                        const struct pv_observer_move *m, int64_t *value) {
  const struct pv_trigger *t = &a->triggers.at[n];
  *value = t->kind == PV_TRIGGER_LINE ? pv_weave_line(w, m) : t->value;
  return t->kind == PV_TRIGGER_NUMBER || t->kind == PV_TRIGGER_LINE;
}

static enum pv_holds compare(struct pv_weave *w, struct pv_woven_automaton *a,
                             const struct pv_trigger *t, const struct pv_observer_move *m,
                             struct pv_bindings *out) {
  bool same = t->kind == PV_TRIGGER_SAME;
  int64_t x, y;
  if (pv_trigger_is_number(&a->a->triggers.at[t->a])) {
    if (!is_constant(w, a->a, t->a, m, &x) || !is_constant(w, a->a, t->b, m, &y))
      return PV_HOLDS_BY_VALUE;
    return from_bool((x == y) == same);
  }
  enum pv_holds l = pv_weave_holds(w, a, t->a, m, out), r = pv_weave_holds(w, a, t->b, m, out);
  if (l == PV_HOLDS_UNANSWERED || r == PV_HOLDS_UNANSWERED) return PV_HOLDS_UNANSWERED;
  if (l == PV_HOLDS_BY_VALUE || r == PV_HOLDS_BY_VALUE) return PV_HOLDS_BY_VALUE;
  return from_bool((l == r) == same);
}

enum pv_holds pv_weave_holds(struct pv_weave *w, struct pv_woven_automaton *a, uint32_t trigger,
                             const struct pv_observer_move *m, struct pv_bindings *out) {
  const struct pv_trigger *t = &a->a->triggers.at[trigger];
  enum pv_holds l, r, decides;
  switch (t->kind) {
  case PV_TRIGGER_NOT:
    l = pv_weave_holds(w, a, t->a, m, out);
    return l >= PV_HOLDS_BY_VALUE ? l : from_bool(l == PV_HOLDS_NOT);
  case PV_TRIGGER_AND:
  case PV_TRIGGER_OR:
    decides = from_bool(t->kind == PV_TRIGGER_OR);
    l = pv_weave_holds(w, a, t->a, m, out);
    if (l == decides) return l;
    r = pv_weave_holds(w, a, t->b, m, out);
    return r == decides || (l < PV_HOLDS_BY_VALUE || r > l) ? r : l;
  case PV_TRIGGER_SAME:
  case PV_TRIGGER_DIFFER: return compare(w, a, t, m, out);
  case PV_TRIGGER_CHECK:
  case PV_TRIGGER_CHECK_TARGET: return pv_weave_query(w, a, trigger, m, out);
  default: break;
  }
  return from_bool(matches(w, a, trigger, m, out));
}

void pv_weave_count(struct pv_weave *w, struct pv_woven_automaton *a,
                    const struct pv_observer_move *m) {
  struct pv_bindings unused = {0};
  for (uint32_t i = 0; i < a->a->triggers.n; i++) {
    enum pv_trigger_kind kind = a->a->triggers.at[i].kind;
    if (kind >= PV_TRIGGER_STATEMENT && kind <= PV_TRIGGER_CALL)
      a->matches[i] += matches(w, a, i, m, &unused);
  }
}

/* ---- as expressions -------------------------------------------------------------------------- */

/* `$1`, which has to be a number. */
static pv_expr wildcard(struct pv_weave *w, const struct pv_woven_automaton *a,
                        const struct pv_trigger *t, const struct pv_observer_move *m,
                        const struct pv_bindings *b) {
  struct pv_str text = {0};
  char *end = NULL;
  struct pv_tokens inner = pv_tokens_inner(b->wildcard[t->value - 1]);
  if (inner.n) pv_tokens_text(&inner, &text);
  const char *digits = pv_str_cstr(&text);
  long long value = strtoll(digits, &end, 0);
  if (!inner.n)
    pv_weave_wrong(w, a, t->at, "`$%d` is not matched by this trigger", (int)t->value);
  else if (*end || end == digits || value < INT32_MIN || value > INT32_MAX)
    pv_weave_wrong(w, a, t->at, "`$%d` is no number at %s:%u: `%.40s`", (int)t->value,
                   pv_span_file(w->p, m->span), pv_span_of(w->p, m->span)->line, digits);
  pv_str_free(&text);
  return pv_mk_const(w->p, PV_INT(32), (uint32_t)value);
}

pv_expr pv_weave_variable(struct pv_weave *w, const struct pv_woven_automaton *a, uint32_t n) {
  struct pv_program *p = w->p;
  pv_expr value = pv_weave_load(w, pv_weave_global(w, a->first + n), PV_INT(32));
  if (!a->a->variables.at[n].is_set) return value;
  value = pv_mk_binary(p, PV_X_NE, 0, PV_INT(1), value, pv_mk_const(p, PV_INT(32), 0));
  return pv_mk_unary(p, PV_X_ZEXT, PV_INT(32), value);
}

pv_expr pv_weave_trigger(struct pv_weave *w, struct pv_woven_automaton *a, uint32_t trigger,
                         const struct pv_observer_move *m, const struct pv_bindings *bindings) {
  const struct pv_trigger *t = &a->a->triggers.at[trigger];
  struct pv_bindings unused = *bindings;
  pv_type type = pv_trigger_is_number(t) ? PV_INT(32) : PV_INT(1);
  switch (t->kind) {
  case PV_TRIGGER_NUMBER: return pv_mk_const(w->p, type, (uint32_t)t->value);
  case PV_TRIGGER_LINE: return pv_mk_const(w->p, type, pv_weave_line(w, m));
  case PV_TRIGGER_WILDCARD: return wildcard(w, a, t, m, bindings);
  case PV_TRIGGER_VARIABLE: return pv_weave_variable(w, a, t->a);
  case PV_TRIGGER_EVAL: return pv_weave_evaluate(w, a, trigger, m, bindings);
  default: break;
  }
  if (!pv_trigger_is_number(t)) {
    enum pv_holds known = pv_weave_holds(w, a, trigger, m, &unused);
    if (known == PV_HOLDS_UNANSWERED) pv_weave_unanswered(w, a, trigger, m);
    if (known != PV_HOLDS_BY_VALUE) return pv_mk_const(w->p, type, known == PV_HOLDS);
  }
  if (t->kind == PV_TRIGGER_CHECK || t->kind == PV_TRIGGER_CHECK_TARGET)
    return pv_weave_answer(w, a, trigger, m, bindings);
  pv_expr x = pv_weave_trigger(w, a, t->a, m, bindings);
  if (t->kind == PV_TRIGGER_NOT) return pv_mk_not(w->p, x);
  pv_expr y = pv_weave_trigger(w, a, t->b, m, bindings);
  static const uint8_t ops[] = {
      [PV_TRIGGER_AND] = PV_X_AND,   [PV_TRIGGER_OR] = PV_X_OR,    [PV_TRIGGER_SAME] = PV_X_EQ,
      [PV_TRIGGER_DIFFER] = PV_X_NE, [PV_TRIGGER_PLUS] = PV_X_ADD, [PV_TRIGGER_MINUS] = PV_X_SUB};
  return pv_mk_binary(w->p, ops[t->kind], 0, type, x, y);
}
