#include "observer/automaton.h"

#include "observer/scan.h"
#include "observer/tokens.h"

#include <regex.h>
#include <stdlib.h>
#include <string.h>

enum {
  LONGEST_FILE = 16 << 20,
  LONGEST_REGEX = 1000,
  LONGEST_TEXT = 100000, /* bytes of a pattern or an assumption */
  DEEPEST = 200,         /* nesting of a trigger's operators */
  MOST_STATES = 100000
};

struct parser {
  struct pv_scanner scan;
  struct pv_automaton *a;
  struct pv_map states, variables; /* name -> index */
  uint32_t depth;
};

static bool failed(const struct parser *p) {
  return pv_scan_failed(&p->scan);
}

/* ---- words ----------------------------------------------------------------------------------- */

static void unexpected(struct parser *p, const char *wanted) {
  const struct pv_word *w = &p->scan.word;
  if (w->kind == PV_WORD_END)
    pv_scan_wrong(&p->scan, w->at, "%s is expected, not the end", wanted);
  else
    pv_scan_wrong(&p->scan, w->at, "%s is expected, not `%.40s`", wanted, pv_str_cstr(&w->text));
}

static bool accept(struct parser *p, const char *word) {
  if (failed(p) || !pv_word_is(&p->scan, word)) return false;
  pv_scan(&p->scan);
  return true;
}

static void expect(struct parser *p, const char *word) {
  char *quoted = pv_format("`%s`", word);
  if (!accept(p, word)) unexpected(p, quoted);
  free(quoted);
}

/* The text of the next word if it has that kind, else NULL. The caller frees it. */
static char *word_of(struct parser *p, enum pv_word_kind kind, const char *what) {
  const struct pv_word *w = &p->scan.word;
  if (failed(p)) return NULL;
  if (w->kind != kind) {
    unexpected(p, what);
    return NULL;
  }
  if (w->text.n > LONGEST_TEXT) {
    pv_scan_wrong(&p->scan, w->at, "%s is too long", what);
    return NULL;
  }
  char *text = pv_strdup(pv_str_cstr(&w->text));
  pv_scan(&p->scan);
  return text;
}

static bool is_keyword(const char *name) {
  static const char *const words[] = {
      "AUTOMATON", "END",          "OBSERVER",       "CONTROL",  "LOCAL",
      "INITIAL",   "STATE",        "ERROR",          "STOP",     "BREAK",
      "EXIT",      "ENTRY",        "FUNCTIONCALL",   "ASSUME",   "ASSERT",
      "MATCH",     "LABEL",        "EVAL",           "CHECK",    "MODIFY",
      "DO",        "GOTO",         "true",           "false",    "TRUE",
      "FALSE",     "PRINT",        "PRINTONCE",      "USEFIRST", "USEALL",
      "TARGET",    "COVERS_LINES", "IS_TARGET_STATE"};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (!strcmp(words[i], name)) return true;
  return false;
}

static char *name(struct parser *p, const char *what) {
  struct pv_text_place at = p->scan.word.at;
  char *text = word_of(p, PV_WORD_NAME, what);
  if (text && is_keyword(text)) {
    pv_scan_wrong(&p->scan, at, "%s is expected, not `%s`", what, text);
    free(text);
    return NULL;
  }
  return text;
}

static int32_t number(struct parser *p) {
  struct pv_text_place at = p->scan.word.at;
  char *text = word_of(p, PV_WORD_NUMBER, "a number");
  long long v = 0;
  if (!text) return 0;
  if (strspn(text, "0123456789") != strlen(text) || (text[0] == '0' && text[1]))
    pv_scan_wrong(&p->scan, at, "`%.40s` is no number", text);
  else if (strlen(text) > 10 || (v = strtoll(text, NULL, 10)) > INT32_MAX)
    pv_scan_wrong(&p->scan, at, "the number `%.40s` is too large", text);
  free(text);
  return failed(p) ? 0 : (int32_t)v;
}

/* ---- triggers -------------------------------------------------------------------------------- */

static uint32_t add(struct parser *p, struct pv_trigger t) {
  pv_vec_push(&p->a->triggers, t);
  return p->a->triggers.n - 1;
}

static bool is_number(const struct parser *p, uint32_t t) {
  return pv_trigger_is_number(&p->a->triggers.at[t]);
}

static void check_regex(struct parser *p, const char *text, struct pv_text_place at) {
  char why[200];
  regex_t compiled;
  if (strlen(text) > LONGEST_REGEX) {
    pv_scan_wrong(&p->scan, at, "the regular expression is too long");
    return;
  }
  for (const char *c = text; *c; c++) {
    if (*c == '{') pv_scan_wrong(&p->scan, at, "counted repetition `{...}` is not read here");
    if (*c == '\\' && c[1] >= '1' && c[1] <= '9')
      pv_scan_wrong(&p->scan, at, "references like `\\1` are not read here");
    if (*c == '\\' && c[1]) c++;
  }
  if (failed(p)) return;
  int wrong = regcomp(&compiled, text, REG_EXTENDED | REG_NOSUB);
  if (!wrong) {
    regfree(&compiled);
    return;
  }
  regerror(wrong, NULL, why, sizeof why);
  pv_scan_wrong(&p->scan, at, "the regular expression is wrong: %s", why);
}

static void check_pattern(struct parser *p, const char *text, struct pv_text_place at) {
  struct pv_pattern pattern;
  const char *why = pv_pattern_read(text, &pattern);
  if (why) pv_scan_wrong(&p->scan, at, "%s", why);
  pv_pattern_free(&pattern);
}

static uint32_t text_trigger(struct parser *p, enum pv_trigger_kind kind, enum pv_word_kind word,
                             const char *what) {
  struct pv_trigger t = {.kind = kind, .at = p->scan.word.inside};
  t.text = word_of(p, word, what);
  if (!t.text) return 0;
  if (word == PV_WORD_SQUARE) check_regex(p, t.text, t.at);
  if (kind == PV_TRIGGER_PATTERN) check_pattern(p, t.text, t.at);
  return add(p, t);
}

static uint32_t match(struct parser *p) {
  const struct pv_word *w = &p->scan.word;
  struct pv_text_place at = w->at;
  if (w->kind == PV_WORD_STRING)
    return text_trigger(p, PV_TRIGGER_STATEMENT, PV_WORD_STRING, "a statement");
  if (w->kind == PV_WORD_CURLY)
    return text_trigger(p, PV_TRIGGER_PATTERN, PV_WORD_CURLY, "a pattern");
  if (w->kind == PV_WORD_SQUARE)
    return text_trigger(p, PV_TRIGGER_REGEX, PV_WORD_SQUARE, "a regular expression");
  if (accept(p, "ENTRY")) return add(p, (struct pv_trigger){.kind = PV_TRIGGER_ENTRY, .at = at});
  if (accept(p, "EXIT")) return add(p, (struct pv_trigger){.kind = PV_TRIGGER_EXIT, .at = at});
  if (accept(p, "FUNCTIONCALL"))
    return text_trigger(p, PV_TRIGGER_CALL, PV_WORD_STRING, "the name of a function in quotes");
  if (accept(p, "LABEL")) {
    if (w->kind == PV_WORD_SQUARE)
      return text_trigger(p, PV_TRIGGER_LABEL_REGEX, PV_WORD_SQUARE, "a regular expression");
    return text_trigger(p, PV_TRIGGER_LABEL, PV_WORD_STRING, "a label in quotes");
  }
  if (pv_word_is(&p->scan, "ASSERT"))
    pv_scan_wrong(&p->scan, at, "`MATCH ASSERT` is not supported");
  unexpected(p, "a statement, pattern, LABEL, ENTRY, EXIT or FUNCTIONCALL");
  return 0;
}

static uint32_t expression(struct parser *p);

static uint32_t variable(struct parser *p) {
  struct pv_text_place at = p->scan.word.at;
  char *text = name(p, "a condition");
  const uint32_t *known = text ? pv_map_get_str(&p->variables, text) : NULL;
  if (text && !known) pv_scan_wrong(&p->scan, at, "the automaton has no variable `%.40s`", text);
  free(text);
  return known ? add(p, (struct pv_trigger){.kind = PV_TRIGGER_VARIABLE, .a = *known, .at = at})
               : 0;
}

static uint32_t operand(struct parser *p) {
  static const char *const refused[] = {"CHECK", "EVAL", "COVERS_LINES"};
  struct pv_text_place at = p->scan.word.at;
  uint32_t t = 0;
  for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
    if (pv_word_is(&p->scan, refused[i]))
      pv_scan_wrong(&p->scan, at, "`%s` is not supported", refused[i]);
  if (failed(p)) return 0;
  if (++p->depth > DEEPEST) {
    pv_scan_wrong(&p->scan, at, "the condition is nested too deeply");
  } else if (accept(p, "!")) {
    t = operand(p);
    if (!failed(p) && is_number(p, t))
      pv_scan_wrong(&p->scan, at, "`!` needs a condition, not a number");
    if (!failed(p)) t = add(p, (struct pv_trigger){.kind = PV_TRIGGER_NOT, .a = t, .at = at});
  } else if (accept(p, "(")) {
    t = expression(p);
    expect(p, ")");
  } else if (accept(p, "TRUE") || accept(p, "true")) {
    t = add(p, (struct pv_trigger){.kind = PV_TRIGGER_BOOL, .value = 1, .at = at});
  } else if (accept(p, "FALSE") || accept(p, "false")) {
    t = add(p, (struct pv_trigger){.kind = PV_TRIGGER_BOOL, .at = at});
  } else if (accept(p, "MATCH")) {
    t = match(p);
  } else if (p->scan.word.kind == PV_WORD_NUMBER) {
    t = add(p, (struct pv_trigger){.kind = PV_TRIGGER_NUMBER, .value = number(p), .at = at});
  } else {
    t = variable(p);
  }
  p->depth--;
  return t;
}

static const struct operator_info {
  const char *sign;
  int level;
  enum pv_trigger_kind kind;
} operators[] = {{"&&", 0, PV_TRIGGER_AND},  {"||", 0, PV_TRIGGER_OR},
                 {"==", 1, PV_TRIGGER_SAME}, {"!=", 1, PV_TRIGGER_DIFFER},
                 {"+", 2, PV_TRIGGER_PLUS},  {"-", 2, PV_TRIGGER_MINUS}};

static const struct operator_info *operator_at(const struct parser *p, int level) {
  for (size_t i = 0; i < sizeof operators / sizeof *operators; i++)
    if (operators[i].level == level && pv_word_is(&p->scan, operators[i].sign))
      return &operators[i];
  return NULL;
}

static void check_operands(struct parser *p, const struct operator_info *o, struct pv_text_place at,
                           uint32_t a, uint32_t b) {
  bool x = is_number(p, a), y = is_number(p, b);
  if (o->level == 0 && (x || y))
    pv_scan_wrong(&p->scan, at, "`%s` needs conditions, not numbers", o->sign);
  else if (o->level == 2 && !(x && y))
    pv_scan_wrong(&p->scan, at, "`%s` needs numbers, not conditions", o->sign);
  else if (x != y)
    pv_scan_wrong(&p->scan, at, "`%s` compares a number with a condition", o->sign);
}

static uint32_t binary(struct parser *p, int level) {
  if (level == 3) return operand(p);
  uint32_t a = binary(p, level + 1);
  const struct operator_info *o, *first = NULL;
  while (!failed(p) && (o = operator_at(p, level))) {
    struct pv_text_place at = p->scan.word.at;
    if (level == 0 && first && first != o)
      pv_scan_wrong(&p->scan, at, "`&&` and `||` bind equally: parentheses are needed");
    first = o;
    pv_scan(&p->scan);
    uint32_t b = binary(p, level + 1);
    if (!failed(p)) check_operands(p, o, at, a, b);
    if (!failed(p)) a = add(p, (struct pv_trigger){.kind = o->kind, .a = a, .b = b, .at = at});
  }
  return a;
}

static uint32_t expression(struct parser *p) {
  return binary(p, 0);
}

static uint32_t condition(struct parser *p) {
  struct pv_text_place at = p->scan.word.at;
  uint32_t t = expression(p);
  if (!failed(p) && is_number(p, t))
    pv_scan_wrong(&p->scan, at, "a condition is expected, not a number");
  return t;
}

/* ---- transitions ----------------------------------------------------------------------------- */

static uint32_t state_number(struct parser *p, const char *text, struct pv_text_place at) {
  bool is_new;
  uint32_t n = *pv_map_put_str(&p->states, text, p->a->states.n, &is_new);
  if (is_new) {
    struct pv_automaton_state s = {.name = pv_strdup(text), .at = at};
    pv_vec_push(&p->a->states, s);
  }
  if (p->a->states.n > MOST_STATES) pv_scan_wrong(&p->scan, at, "there are too many states");
  return n;
}

static void action(struct parser *p, struct pv_automaton_transition *t) {
  struct pv_text_place at = p->scan.word.at;
  struct pv_automaton_action act = {0};
  char *text = name(p, "a variable of the automaton");
  if (!text) return;
  const uint32_t *known = pv_map_get_str(&p->variables, text);
  if (p->scan.word.kind == PV_WORD_SQUARE)
    pv_scan_wrong(&p->scan, p->scan.word.at, "sets are not supported");
  else if (!known)
    pv_scan_wrong(&p->scan, at, "the automaton has no variable `%.40s`", text);
  else
    act.variable = *known;
  free(text);
  expect(p, "=");
  struct pv_text_place value = p->scan.word.at;
  if (!failed(p)) act.value = binary(p, 2);
  if (!failed(p) && !is_number(p, act.value))
    pv_scan_wrong(&p->scan, value, "a number is expected, not a condition");
  if (!failed(p)) pv_vec_push(&t->actions, act);
}

/* Parses PRINT, whose text is ignored. */
static void print(struct parser *p) {
  while (!failed(p) &&
         (p->scan.word.kind == PV_WORD_STRING || p->scan.word.kind == PV_WORD_NUMBER ||
          (p->scan.word.kind == PV_WORD_NAME && !is_keyword(pv_str_cstr(&p->scan.word.text)))))
    pv_scan(&p->scan);
}

static void actions(struct parser *p, struct pv_automaton_transition *t) {
  while (!failed(p)) {
    if (pv_word_is(&p->scan, "MODIFY"))
      pv_scan_wrong(&p->scan, p->scan.word.at, "`MODIFY` is not supported");
    if (accept(p, "DO"))
      action(p, t);
    else if (accept(p, "PRINT") || accept(p, "PRINTONCE"))
      print(p);
    else
      return;
  }
}

static void target(struct parser *p, struct pv_automaton_transition *t) {
  struct pv_text_place at = p->scan.word.at;
  if (accept(p, "GOTO")) {
    struct pv_text_place state = p->scan.word.at;
    char *text;
    if (accept(p, "ERROR")) {
      t->target = PV_AUTOMATON_ERROR;
    } else if ((text = name(p, "a state"))) {
      t->state = state_number(p, text, state);
      free(text);
    }
  } else if (accept(p, "ERROR")) {
    t->target = PV_AUTOMATON_ERROR;
    if (accept(p, "(")) {
      t->message = word_of(p, PV_WORD_STRING, "a text in quotes");
      expect(p, ")");
    }
  } else if (accept(p, "STOP")) {
    t->target = PV_AUTOMATON_STOP;
    if (!p->a->control) pv_scan_wrong(&p->scan, at, "STOP needs a CONTROL AUTOMATON");
  } else if (pv_word_is(&p->scan, "BREAK")) {
    pv_scan_wrong(&p->scan, at, "`BREAK` is not supported");
  } else {
    unexpected(p, "GOTO, ERROR or STOP");
  }
  expect(p, ";");
}

static void transition(struct parser *p, uint32_t state) {
  struct pv_automaton_transition t = {
      .at = p->scan.word.at, .assertion = PV_NO_TRIGGER, .otherwise = PV_NO_STATE};
  t.trigger = condition(p);
  expect(p, "->");
  while (accept(p, "ASSERT")) {
    struct pv_text_place at = p->scan.word.at;
    uint32_t c = condition(p);
    if (failed(p)) break;
    t.assertion =
        t.assertion == PV_NO_TRIGGER
            ? c
            : add(p,
                  (struct pv_trigger){.kind = PV_TRIGGER_AND, .a = t.assertion, .b = c, .at = at});
  }
  if (accept(p, "ASSUME")) {
    t.assume_at = p->scan.word.inside;
    t.assume = word_of(p, PV_WORD_CURLY, "an expression in braces");
  }
  actions(p, &t);
  if (!failed(p)) target(p, &t);
  pv_vec_push(&p->a->states.at[state].transitions, t);
}

/* ---- automata -------------------------------------------------------------------------------- */

static void local(struct parser *p) {
  struct pv_text_place at = p->scan.word.at;
  char *type = name(p, "a type");
  if (type && !strcmp(type, "set"))
    pv_scan_wrong(&p->scan, at, "sets are not supported");
  else if (type && strcmp(type, "int") != 0)
    pv_scan_wrong(&p->scan, at, "variables are of type `int`, not `%.40s`", type);
  free(type);
  at = p->scan.word.at;
  struct pv_automaton_variable v = {.name = name(p, "a variable")};
  if (accept(p, "=")) {
    bool negative = accept(p, "-");
    v.initial = number(p);
    if (negative) v.initial = -v.initial;
  }
  expect(p, ";");
  bool is_new = true;
  if (v.name) pv_map_put_str(&p->variables, v.name, p->a->variables.n, &is_new);
  if (!is_new) pv_scan_wrong(&p->scan, at, "there is a variable `%.40s` already", v.name);
  pv_vec_push(&p->a->variables, v);
}

static bool begins_state(const struct parser *p) {
  return pv_word_is(&p->scan, "STATE") || pv_word_is(&p->scan, "TARGET");
}

static void state(struct parser *p) {
  bool is_target = accept(p, "TARGET"), first = false, all = false;
  expect(p, "STATE");
  if (!(first = accept(p, "USEFIRST"))) all = accept(p, "USEALL");
  (void)all;
  struct pv_text_place at = p->scan.word.at;
  char *text = name(p, "the name of a state");
  if (!text) return;
  uint32_t n = state_number(p, text, at);
  struct pv_automaton_state *s = &p->a->states.at[n];
  if (s->defined) pv_scan_wrong(&p->scan, at, "there is a state `%.40s` already", text);
  free(text);
  s->defined = true;
  s->target = is_target;
  s->use_all = !first; /* USEALL is the default */
  expect(p, ":");
  while (!failed(p) && !begins_state(p) && !pv_word_is(&p->scan, "END")) transition(p, n);
}

static void check_states(struct parser *p) {
  for (uint32_t i = 0; i < p->a->states.n; i++) {
    const struct pv_automaton_state *s = &p->a->states.at[i];
    if (!s->defined) pv_scan_wrong(&p->scan, s->at, "there is no state `%.40s`", s->name);
  }
  const struct pv_automaton_state *first = &p->a->states.at[p->a->initial];
  if (first->target) pv_scan_wrong(&p->scan, first->at, "the initial state is an error");
}

static void automaton(struct parser *p) {
  if (!accept(p, "OBSERVER")) {
    accept(p, "CONTROL");
    p->a->control = true;
  }
  expect(p, "AUTOMATON");
  p->a->name = name(p, "the name of the automaton");
  while (accept(p, "LOCAL")) local(p);
  expect(p, "INITIAL");
  expect(p, "STATE");
  struct pv_text_place at = p->scan.word.at;
  char *text = name(p, "the name of a state");
  if (text) {
    p->a->initial = state_number(p, text, at);
    expect(p, ";");
  }
  free(text);
  while (!failed(p) && begins_state(p)) state(p);
  expect(p, "END");
  expect(p, "AUTOMATON");
  if (!failed(p)) check_states(p);
}

static void automaton_free(struct pv_automaton *a) {
  for (uint32_t i = 0; i < a->triggers.n; i++) free(a->triggers.at[i].text);
  for (uint32_t i = 0; i < a->variables.n; i++) free(a->variables.at[i].name);
  for (uint32_t i = 0; i < a->states.n; i++) {
    struct pv_automaton_state *s = &a->states.at[i];
    for (uint32_t k = 0; k < s->transitions.n; k++) {
      free(s->transitions.at[k].assume);
      free(s->transitions.at[k].message);
      pv_vec_free(&s->transitions.at[k].actions);
    }
    pv_vec_free(&s->transitions);
    free(s->name);
  }
  pv_vec_free(&a->triggers);
  pv_vec_free(&a->variables);
  pv_vec_free(&a->states);
  free(a->name);
  free(a->path);
  free(a);
}

void pv_automata_free(pv_automata *a) {
  for (uint32_t i = 0; i < a->n; i++) automaton_free(a->at[i]);
  pv_vec_free(a);
}

enum pv_status pv_automata_parse(const char *path, const char *text, size_t n, pv_automata *out,
                                 struct pv_str *err) {
  struct pv_str wrong = {0};
  uint32_t before = out->n;
  struct parser p = {.scan = {.path = path, .text = text, .n = n, .at = {1, 1}, .err = &wrong}};
  pv_scan(&p.scan);
  if (!wrong.n && p.scan.word.kind == PV_WORD_END)
    pv_scan_wrong(&p.scan, p.scan.at, "there is no automaton");
  while (!failed(&p) && p.scan.word.kind != PV_WORD_END) {
    p.a = pv_alloc(sizeof *p.a);
    p.a->path = pv_strdup(path);
    pv_vec_push(out, p.a);
    automaton(&p);
    pv_map_free(&p.states);
    pv_map_free(&p.variables);
    p.states = p.variables = (struct pv_map){0};
  }
  pv_str_free(&p.scan.word.text);
  bool ok = !wrong.n;
  if (!ok) {
    pv_str_add(err, pv_str_cstr(&wrong));
    while (out->n > before) automaton_free(pv_vec_pop(out));
  }
  pv_str_free(&wrong);
  return ok ? PV_OK : PV_E_INPUT;
}

enum pv_status pv_automata_read(const char *path, pv_automata *out, struct pv_str *err) {
  char *text;
  size_t n;
  PV_TRY(pv_read_file(path, LONGEST_FILE, &text, &n, err));
  enum pv_status status = pv_automata_parse(path, text, n, out, err);
  free(text);
  return status;
}
