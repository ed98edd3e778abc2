/* automaton.h -- reads specification automata in CPAchecker's automata language.
 *
 *     OBSERVER AUTOMATON locks
 *     LOCAL int held = 0;
 *     INITIAL STATE free;
 *     STATE USEFIRST free :
 *       MATCH {lock($?)} -> GOTO taken;
 *       MATCH {unlock($1)} -> ERROR("unlock($1) without lock");
 *     STATE USEFIRST taken :
 *       MATCH {lock($?)} -> ERROR("lock twice");
 *       MATCH {unlock($?)} -> GOTO free;
 *     END AUTOMATON
 *
 * The whole language is read: OBSERVER and CONTROL automata and `ASSERT condition;`, several in a
 * file, and those of files that it includes; LOCAL int and LOCAL set; STATE, TARGET STATE,
 * USEFIRST, USEALL; triggers TRUE, FALSE, !, &&, ||, ==, !=, + and -, MATCH "statement", {pattern},
 * [regular expression], LABEL, ENTRY, EXIT, FUNCTIONCALL, ASSERT; COVERS_LINES, CHECK, EVAL, $1 and
 * $line; ASSERT, ASSUME {expressions}, DO x = expression, DO set[element] = TRUE, MODIFY, PRINT
 * (ignored); GOTO, ERROR, STOP, BREAK. What the program or the analyses cannot answer is found when
 * the automaton is woven (observer.h).
 *
 * Reference: CPAchecker, doc/SpecificationAutomata.md and its grammar, parser.cup. Deviations:
 * regular expressions are extended ones of POSIX, without counted repetition; what they mean
 * differently in Java is an error. An #include stands between automata. Variables and states that
 * do not exist, and values of the wrong type, are errors here already. */
#ifndef PV_AUTOMATON_H
#define PV_AUTOMATON_H

#include "base/base.h"
#include "observer/scan.h"

/* A trigger: an expression over the current move and the automaton's variables. */
enum pv_trigger_kind {
  PV_TRIGGER_BOOL, /* value */
  PV_TRIGGER_NOT,  /* a */
  PV_TRIGGER_AND,
  PV_TRIGGER_OR, /* a, b */
  PV_TRIGGER_SAME,
  PV_TRIGGER_DIFFER, /* a, b: both conditions, or both numbers */
  PV_TRIGGER_STATEMENT,
  PV_TRIGGER_PATTERN,
  PV_TRIGGER_REGEX, /* text */
  PV_TRIGGER_LABEL,
  PV_TRIGGER_LABEL_REGEX,
  PV_TRIGGER_ASSERT, /* an assertion of a Java program fails */
  PV_TRIGGER_LINES,  /* text: "COVERS_LINES(1 2)" */
  PV_TRIGGER_CALL,   /* text: the function's name */
  PV_TRIGGER_ENTRY,
  PV_TRIGGER_EXIT,
  PV_TRIGGER_CHECK,        /* analysis, text: the question */
  PV_TRIGGER_CHECK_TARGET, /* is another automaton in an error state? */
  PV_TRIGGER_NUMBER,       /* value */
  PV_TRIGGER_VARIABLE,     /* a: index; of a set: 0 if it is empty, else 1 */
  PV_TRIGGER_WILDCARD,     /* value: 1 for $1, ... */
  PV_TRIGGER_LINE,         /* the line of the move */
  PV_TRIGGER_EVAL,         /* analysis, text: the question */
  PV_TRIGGER_PLUS,
  PV_TRIGGER_MINUS /* a, b */
};
struct pv_trigger {
  enum pv_trigger_kind kind;
  uint32_t a, b;
  int64_t value;
  char *text;
  char *analysis; /* CHECK, EVAL: its name; CHECK: NULL for all of them */
  struct pv_text_place at;
};
static inline bool pv_trigger_is_number(const struct pv_trigger *t) {
  return t->kind >= PV_TRIGGER_NUMBER;
}

/* BREAK: CPAchecker ends the analysis here, and has found no error. */
enum pv_automaton_target {
  PV_AUTOMATON_GOTO,
  PV_AUTOMATON_ERROR,
  PV_AUTOMATON_STOP,
  PV_AUTOMATON_BREAK
};
struct pv_automaton_action {
  uint32_t variable, value; /* value: a trigger, a number; of a set: 1 adds, 0 removes */
  char *element;            /* of a set, may name $1; else NULL */
};
struct pv_automaton_transition {
  struct pv_text_place at;
  uint32_t trigger, assertion;    /* assertion: PV_NO_TRIGGER if there is none */
  char *assume;                   /* the text between the braces, or NULL */
  struct pv_text_place assume_at; /* of its first character */
  /* The state where the assumption does not hold, or cannot be evaluated. PV_NO_STATE: the path is
   * cut, and an assumption that cannot be evaluated is an error. */
  uint32_t otherwise;
  PV_VEC(struct pv_automaton_action) actions;
  char *modify; /* what MODIFY names, or NULL */
  enum pv_automaton_target target;
  uint32_t state; /* GOTO */
  char *message;  /* ERROR: or NULL. STOP: the proviso's sentence, or NULL for the usual one */
};
#define PV_NO_TRIGGER UINT32_MAX
#define PV_NO_STATE   UINT32_MAX

struct pv_automaton_state {
  char *name;
  struct pv_text_place at;
  bool defined, use_all, target; /* target: reaching it is an error */
  PV_VEC(struct pv_automaton_transition) transitions;
};
struct pv_automaton_variable {
  char *name;
  int32_t initial;
  bool is_set;
  PV_VEC(char *) elements; /* the initial ones */
};
struct pv_automaton {
  char *name, *path; /* path: of its file */
  bool control;
  uint32_t initial;
  PV_VEC(struct pv_trigger) triggers; /* operands precede their operators */
  PV_VEC(struct pv_automaton_variable) variables;
  PV_VEC(struct pv_automaton_state) states;
  PV_VEC(char *) notes; /* for the user: "file:line:column: sentence" */
};
typedef PV_VEC(struct pv_automaton *) pv_automata;

/* Reads a text of n bytes, followed by a NUL, or a file, which may include others. Appends its
 * automata, at least one. PV_E_INPUT: *err is "file:line:column: message", and nothing is appended.
 */
enum pv_status pv_automata_parse(const char *path, const char *text, size_t n, pv_automata *out,
                                 struct pv_str *err);
enum pv_status pv_automata_read(const char *path, pv_automata *out, struct pv_str *err);
void pv_automata_free(pv_automata *a); /* with all that is in it */

#endif
