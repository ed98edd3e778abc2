#include "observer/automaton.h"

#include "observer/scan.h"
#include "observer/tokens.h"

#include <ctype.h>
#include <regex.h>
#include <stdlib.h>
#include <string.h>

enum {
  LONGEST_FILE = 16 << 20,
  LONGEST_REGEX = 1000,
  LONGEST_TEXT = 100000, /* bytes of a pattern or an assumption */
  MOST_LINES = 1000,     /* of COVERS_LINES */
  DEEPEST = 200,         /* nesting of a trigger's operators */
  MOST_STATES = 100000
};

struct parser {
  struct pv_scanner scan;
  struct pv_automaton *a;
  struct pv_map states, variables; /* name -> index */
  uint32_t depth, anonymous;
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

/* Appends one character of a regular expression of Java, with what escapes it, as POSIX writes it.
 * Returns its end. *bracket: is it in a bracket expression? */
static const char *translate(struct parser *p, const char *c, bool *bracket, struct pv_str *out,
                             struct pv_text_place at) {
  bool escapes = *c == '\\' && c[1], letter = escapes && isalnum((unsigned char)c[1]);
  if (escapes && c[1] >= '1' && c[1] <= '9') {
    pv_scan_wrong(&p->scan, at, "references like `\\1` are not read here");
  } else if (letter && (*bracket || !strchr("dDsSwWbB", c[1]))) {
    pv_scan_wrong(&p->scan, at, "`\\%c` is not read here", c[1]);
  } else if (escapes && *bracket && strchr("]^-", c[1])) {
    pv_scan_wrong(&p->scan, at, "`\\%c` between brackets is not read here", c[1]);
  } else if (letter && strchr("dD", c[1])) {
    pv_str_add(out, c[1] == 'd' ? "[0-9]" : "[^0-9]");
  } else if (escapes) {
    if (!*bracket) pv_str_addc(out, *c);
    pv_str_addc(out, c[1]);
  } else if (*bracket && !strncmp(c, "&&", 2)) {
    pv_scan_wrong(&p->scan, at, "`&&` between brackets is not read here");
  } else {
    if (!*bracket && *c == '{')
      pv_scan_wrong(&p->scan, at, "counted repetition `{...}` is not read here");
    pv_str_addc(out, *c);
    if (!*bracket && *c == '[') { /* where `]` is a character */
      if (c[1] == '^') pv_str_addc(out, *++c);
      if (c[1] == ']') pv_str_addc(out, *++c);
      *bracket = true;
    } else if (*c == ']') {
      *bracket = false;
    }
  }
  return c + 1 + escapes;
}

/* The regular expression as POSIX writes it. Takes over the text. */
static char *regex_of(struct parser *p, char *text, struct pv_text_place at) {
  char why[200];
  regex_t compiled;
  bool bracket = false;
  struct pv_str out = {0};
  if (strlen(text) > LONGEST_REGEX)
    pv_scan_wrong(&p->scan, at, "the regular expression is too long");
  for (const char *c = text; *c && !failed(p);) c = translate(p, c, &bracket, &out, at);
  free(text);
  if (failed(p)) return out.at;
  int wrong = regcomp(&compiled, pv_str_cstr(&out), REG_EXTENDED | REG_NOSUB);
  if (!wrong) {
    regfree(&compiled);
  } else {
    regerror(wrong, NULL, why, sizeof why);
    pv_scan_wrong(&p->scan, at, "the regular expression is wrong: %s", why);
  }
  return out.at ? out.at : pv_strdup("");
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
  if (word == PV_WORD_SQUARE) t.text = regex_of(p, t.text, t.at);
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
  if (accept(p, "ASSERT"))
    return add(p, (struct pv_trigger){
                      .kind = PV_TRIGGER_ASSERT, .text = pv_strdup("MATCH ASSERT"), .at = at});
  unexpected(p, "a statement, pattern, LABEL, ENTRY, EXIT, FUNCTIONCALL or ASSERT");
  return 0;
}

static uint32_t expression(struct parser *p);

static uint32_t variable(struct parser *p) {
  struct pv_text_place at = p->scan.word.at;
  char *text = name(p, "a condition");
  if (text && text[0] == '$' && text[1] >= '1' && text[1] <= '9' && !text[2]) {
    struct pv_trigger t = {.kind = PV_TRIGGER_WILDCARD, .value = text[1] - '0', .at = at};
    free(text);
    return add(p, t);
  }
  if (text && !strcmp(text, "$line")) {
    free(text);
    return add(p, (struct pv_trigger){.kind = PV_TRIGGER_LINE, .at = at});
  }
  const uint32_t *known = text ? pv_map_get_str(&p->variables, text) : NULL;
  if (text && !known) pv_scan_wrong(&p->scan, at, "the automaton has no variable `%.40s`", text);
  free(text);
  return known ? add(p, (struct pv_trigger){.kind = PV_TRIGGER_VARIABLE, .a = *known, .at = at})
               : 0;
}

/* `analysis, "question"`, and as it was written once, `analysis("question")`. */
static void question(struct parser *p, char **analysis, char **text) {
  *analysis = name(p, "the name of an analysis");
  bool nested = accept(p, "(");
  if (!nested) expect(p, ",");
  *text = word_of(p, PV_WORD_STRING, "a text in quotes");
  if (nested) expect(p, ")");
}

static uint32_t check(struct parser *p, struct pv_text_place at) {
  struct pv_trigger t = {.kind = PV_TRIGGER_CHECK, .at = at};
  expect(p, "(");
  if (p->scan.word.kind == PV_WORD_STRING)
    t.text = word_of(p, PV_WORD_STRING, "a text in quotes");
  else if (accept(p, "IS_TARGET_STATE"))
    t.kind = PV_TRIGGER_CHECK_TARGET;
  else
    question(p, &t.analysis, &t.text);
  expect(p, ")");
  return add(p, t);
}

static uint32_t eval(struct parser *p, struct pv_text_place at) {
  struct pv_trigger t = {.kind = PV_TRIGGER_EVAL, .at = at};
  expect(p, "(");
  question(p, &t.analysis, &t.text);
  expect(p, ")");
  return add(p, t);
}

static uint32_t lines(struct parser *p, struct pv_text_place at) {
  struct pv_trigger t = {.kind = PV_TRIGGER_LINES, .at = at};
  struct pv_str text = {0};
  uint32_t n = 0;
  expect(p, "(");
  pv_str_add(&text, "COVERS_LINES(");
  for (; !failed(p) && p->scan.word.kind == PV_WORD_NUMBER; n++) {
    if (n == MOST_LINES) pv_scan_wrong(&p->scan, p->scan.word.at, "there are too many lines");
    pv_str_addf(&text, n ? " %d" : "%d", number(p));
  }
  pv_str_add(&text, ")");
  expect(p, ")");
  t.text = text.at;
  return add(p, t);
}

static uint32_t operand(struct parser *p) {
  struct pv_text_place at = p->scan.word.at;
  uint32_t t = 0;
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
  } else if (accept(p, "CHECK")) {
    t = check(p, at);
  } else if (accept(p, "EVAL")) {
    t = eval(p, at);
  } else if (accept(p, "COVERS_LINES")) {
    t = lines(p, at);
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
  bool told = false;
  while (!failed(p) && (o = operator_at(p, level))) {
    struct pv_text_place at = p->scan.word.at;
    if (level == 0 && first && first != o && !told) {
      told = true;
      pv_vec_push(&p->a->notes,
                  pv_format("%s:%u:%u: `&&` and `||` bind equally in automata: from the left",
                            p->scan.path, at.line, at.column));
    }
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

/* `set[element] = TRUE`. The name of the set was read. */
static void set_action(struct parser *p, struct pv_automaton_action *act) {
  act->element = word_of(p, PV_WORD_SQUARE, "an element");
  expect(p, "=");
  act->value = pv_word_is(&p->scan, "TRUE") || pv_word_is(&p->scan, "true");
  if (!act->value && !pv_word_is(&p->scan, "FALSE") && !pv_word_is(&p->scan, "false"))
    unexpected(p, "TRUE or FALSE");
  else
    pv_scan(&p->scan);
}

static void action(struct parser *p, struct pv_automaton_transition *t) {
  struct pv_text_place at = p->scan.word.at;
  struct pv_automaton_action act = {0};
  char *text = name(p, "a variable of the automaton");
  if (!text) return;
  const uint32_t *known = pv_map_get_str(&p->variables, text);
  bool is_set = p->scan.word.kind == PV_WORD_SQUARE;
  if (!known)
    pv_scan_wrong(&p->scan, at, "the automaton has no variable `%.40s`", text);
  else if (p->a->variables.at[act.variable = *known].is_set != is_set)
    pv_scan_wrong(&p->scan, at, is_set ? "`%.40s` is no set" : "`%.40s` is a set", text);
  free(text);
  if (failed(p)) return;
  if (is_set) {
    set_action(p, &act);
  } else {
    expect(p, "=");
    struct pv_text_place value = p->scan.word.at;
    if (!failed(p)) act.value = binary(p, 2);
    if (!failed(p) && !is_number(p, act.value))
      pv_scan_wrong(&p->scan, value, "a number is expected, not a condition");
  }
  pv_vec_push(&t->actions, act);
}

static bool ends_actions(const struct parser *p) {
  static const char *const words[] = {"DO",   "PRINT", "PRINTONCE", "MODIFY",
                                      "GOTO", "ERROR", "STOP",      "BREAK"};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (pv_word_is(&p->scan, words[i])) return true;
  return p->scan.word.kind == PV_WORD_END;
}

/* Parses what PRINT prints, and forgets it. */
static void print(struct parser *p) {
  uint32_t before = p->a->triggers.n;
  while (!failed(p) && !ends_actions(p)) {
    if (p->scan.word.kind == PV_WORD_STRING)
      pv_scan(&p->scan);
    else
      expression(p);
    while (p->a->triggers.n > before) {
      struct pv_trigger t = pv_vec_pop(&p->a->triggers);
      free(t.text);
      free(t.analysis);
    }
  }
}

static void modify(struct parser *p, struct pv_automaton_transition *t) {
  struct pv_text_place at = p->scan.word.at;
  char *analysis = NULL, *text = NULL;
  expect(p, "(");
  question(p, &analysis, &text);
  expect(p, ")");
  if (!p->a->control) pv_scan_wrong(&p->scan, at, "MODIFY needs a CONTROL AUTOMATON");
  if (!failed(p) && !t->modify) t->modify = pv_format("MODIFY(%s, \"%s\")", analysis, text);
  free(analysis);
  free(text);
}

static void actions(struct parser *p, struct pv_automaton_transition *t) {
  while (!failed(p)) {
    if (accept(p, "MODIFY"))
      modify(p, t);
    else if (accept(p, "DO"))
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
  } else if (accept(p, "BREAK")) {
    t->target = PV_AUTOMATON_BREAK;
  } else {
    unexpected(p, "GOTO, ERROR, STOP or BREAK");
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

/* Is it that word, in capital or small letters? */
static bool is_word(const char *text, const char *word) {
  size_t i = 0;
  while (text[i] && tolower((unsigned char)text[i]) == word[i]) i++;
  return !text[i] && !word[i];
}

/* `<string>`: what a set has as elements. */
static bool element_type(struct parser *p) {
  expect(p, "<");
  struct pv_text_place at = p->scan.word.at;
  char *type = name(p, "`int` or `string`");
  bool is_int = type && is_word(type, "int");
  if (type && !is_int && !is_word(type, "string"))
    pv_scan_wrong(&p->scan, at, "elements are of type `int` or `string`, not `%.40s`", type);
  free(type);
  expect(p, ">");
  return is_int;
}

/* `[a, b]`: the elements at the beginning. */
static void elements(struct parser *p, struct pv_automaton_variable *v, bool is_int) {
  struct pv_text_place at = p->scan.word.inside;
  char *text = word_of(p, PV_WORD_SQUARE, "elements in square brackets");
  bool any = text && text[strspn(text, " \t\r")];
  for (char *from = any ? text : NULL; from && !failed(p);) {
    char *comma = strchr(from, ','), *end = comma ? comma : from + strlen(from);
    from += strspn(from, " \t\r");
    while (end > from && strchr(" \t\r", end[-1])) end--;
    char *element = pv_format("%.*s", end > from ? (int)(end - from) : 0, from);
    size_t sign = element[0] == '-' || element[0] == '+';
    if (is_int && (!element[sign] || element[sign + strspn(element + sign, "0123456789")]))
      pv_scan_wrong(&p->scan, at, "`%.40s` is no number", element);
    pv_vec_push(&v->elements, element);
    from = comma ? comma + 1 : NULL;
  }
  free(text);
}

static void local(struct parser *p) {
  struct pv_text_place at = p->scan.word.at;
  struct pv_automaton_variable v = {0};
  char *type = name(p, "a type");
  bool is_int = false;
  v.is_set = type && is_word(type, "set");
  if (type && !v.is_set && !is_word(type, "int"))
    pv_scan_wrong(&p->scan, at, "variables are of type `int` or `set`, not `%.40s`", type);
  free(type);
  if (v.is_set) is_int = element_type(p);
  at = p->scan.word.at;
  v.name = name(p, "a variable");
  if (accept(p, "=")) {
    if (v.is_set) {
      elements(p, &v, is_int);
    } else {
      bool negative = accept(p, "-");
      v.initial = number(p);
      if (negative) v.initial = -v.initial;
    }
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
  if (!failed(p) && pv_word_is(&p->scan, "AUTOMATON")) check_states(p);
  p->scan.inside = false; /* the next word may be in another file */
  expect(p, "AUTOMATON");
}

/* `ASSERT condition;` without an automaton around it: it always holds. */
static void assertion(struct parser *p) {
  struct pv_text_place at = p->scan.word.at;
  struct pv_automaton_transition t = {.at = at, .otherwise = PV_NO_STATE};
  p->a->name = pv_format("AnonymousAutomaton%u", ++p->anonymous);
  p->a->control = true;
  p->a->initial = state_number(p, "OK", at);
  struct pv_automaton_state *s = &p->a->states.at[p->a->initial];
  s->defined = true;
  t.trigger = add(p, (struct pv_trigger){.kind = PV_TRIGGER_BOOL, .value = 1, .at = at});
  expect(p, "ASSERT");
  t.assertion = condition(p);
  p->scan.inside = false;
  expect(p, ";");
  pv_vec_push(&s->transitions, t);
}

static void automaton_free(struct pv_automaton *a) {
  for (uint32_t i = 0; i < a->triggers.n; i++) {
    free(a->triggers.at[i].text);
    free(a->triggers.at[i].analysis);
  }
  for (uint32_t i = 0; i < a->variables.n; i++) {
    struct pv_automaton_variable *v = &a->variables.at[i];
    for (uint32_t k = 0; k < v->elements.n; k++) free(v->elements.at[k]);
    pv_vec_free(&v->elements);
    free(v->name);
  }
  for (uint32_t i = 0; i < a->states.n; i++) {
    struct pv_automaton_state *s = &a->states.at[i];
    for (uint32_t k = 0; k < s->transitions.n; k++) {
      struct pv_automaton_transition *t = &s->transitions.at[k];
      for (uint32_t j = 0; j < t->actions.n; j++) free(t->actions.at[j].element);
      free(t->assume);
      free(t->message);
      free(t->modify);
      pv_vec_free(&t->actions);
    }
    pv_vec_free(&s->transitions);
    free(s->name);
  }
  pv_vec_free(&a->triggers);
  pv_vec_free(&a->variables);
  pv_vec_free(&a->states);
  for (uint32_t i = 0; i < a->notes.n; i++) free(a->notes.at[i]);
  pv_vec_free(&a->notes);
  free(a->name);
  free(a->path);
  free(a);
}

void pv_automata_free(pv_automata *a) {
  for (uint32_t i = 0; i < a->n; i++) automaton_free(a->at[i]);
  pv_vec_free(a);
}

static enum pv_status parse(const char *path, const char *text, size_t n,
                            struct pv_includes *includes, pv_automata *out, struct pv_str *err) {
  struct pv_str wrong = {0};
  uint32_t before = out->n;
  struct parser p = {.scan = {.path = path, .text = text, .n = n, .at = {1, 1}, .err = &wrong}};
  p.scan.includes = includes;
  pv_scan(&p.scan);
  if (!wrong.n && p.scan.word.kind == PV_WORD_END)
    pv_scan_wrong(&p.scan, p.scan.at, "there is no automaton");
  while (!failed(&p) && p.scan.word.kind != PV_WORD_END) {
    p.a = pv_alloc(sizeof *p.a);
    p.a->path = pv_strdup(p.scan.path);
    pv_vec_push(out, p.a);
    p.scan.inside = true;
    if (pv_word_is(&p.scan, "ASSERT"))
      assertion(&p);
    else
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

enum pv_status pv_automata_parse(const char *path, const char *text, size_t n, pv_automata *out,
                                 struct pv_str *err) {
  return parse(path, text, n, NULL, out, err);
}

enum pv_status pv_automata_read(const char *path, pv_automata *out, struct pv_str *err) {
  char *text;
  size_t n;
  PV_TRY(pv_read_file(path, LONGEST_FILE, &text, &n, err));
  struct pv_includes *includes = pv_includes_new(path);
  enum pv_status status = parse(path, text, n, includes, out, err);
  pv_includes_free(includes);
  free(text);
  return status;
}
