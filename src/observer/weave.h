/* weave.h -- shared by the files that weave automata into a program.
 *
 * One module: observer, weave (observer.h is its interface). */
#ifndef PV_WEAVE_H
#define PV_WEAVE_H

#include "observer/observer.h"
#include "observer/source.h"

enum pv_observer_move_kind {
  PV_OBSERVER_MOVE_STATEMENT,
  PV_OBSERVER_MOVE_BRANCH,
  PV_OBSERVER_MOVE_CALL,
  PV_OBSERVER_MOVE_LABEL,
  PV_OBSERVER_MOVE_ENTRY,
  PV_OBSERVER_MOVE_EXIT
};
struct pv_observer_move { /* a move */
  enum pv_observer_move_kind kind;
  uint32_t edge; /* of the function as it was lowered */
  bool before;   /* the move happens before the edge; else after it */
  uint32_t span;
  struct pv_tokens text;  /* STATEMENT: bare; BRANCH: what is tested; CALL: the arguments */
  bool negated, has_text; /* BRANCH: the test is false; `text` is known */
  bool unsure;            /* BRANCH: `negated` is not known */
  const char *name;       /* CALL, LABEL */
  bool indirect;          /* CALL: through a pointer, if that is `callee` */
  uint32_t callee;
  bool ends;          /* the path ends here anyway */
  uint32_t file;      /* of the text */
  size_t offset;      /* of the move in it */
  char *owned;        /* text that was generated for it (switch) */
  pv_token_list list; /* its tokens */
};

/* An element that a set may have, and the global that is 1 if it has it, else 0. */
struct pv_woven_element {
  char *text;
  uint32_t variable, global; /* variable: the set */
};

/* An automaton, and the globals that represent it in the program. */
struct pv_woven_automaton {
  const struct pv_automaton *a;
  uint32_t observer; /* number in program->observers */
  uint32_t state;    /* global */
  uint32_t first;    /* global of its first variable; of a set: how many elements it has */
  PV_VEC(struct pv_woven_element) elements;
  struct pv_pattern *patterns; /* by trigger */
  void **regexes;              /* by trigger */
  uint64_t *matches;           /* by trigger */
};

struct pv_weave_load {
  pv_expr address, value;
};

struct pv_weave {
  struct pv_program *p;
  struct pv_str *err; /* weaving ends at the first error */
  PV_VEC(struct pv_woven_automaton) automata;
  struct pv_source_file *sources; /* by file */
  bool *is_read;
  struct pv_map called; /* names of the functions that are called */
  /* the current function */
  uint32_t function;
  const struct pv_function *was; /* before weaving */
  struct pv_function f;          /* with the automata */
  pv_loc at;                     /* where edges are added */
  uint32_t span;
  PV_VEC(struct pv_weave_load) loads; /* loads since the last branch or store */
};

static inline bool pv_weave_failed(const struct pv_weave *w) {
  return w->err->n > 0;
}
void pv_weave_wrong(struct pv_weave *w, const struct pv_woven_automaton *a, struct pv_text_place at,
                    const char *fmt, ...) PV_PRINTF(4, 5);
/* The tokens and pieces of a file; NULL: it has no text. */
const struct pv_source_file *pv_weave_source(struct pv_weave *w, uint32_t file);
/* The token at a span, or UINT32_MAX. */
uint32_t pv_weave_token(struct pv_weave *w, uint32_t span);

/* ---- code ------------------------------------------------------------------------------------ */
/* Adds an edge from w->at; w->at becomes its target. */
void pv_weave_emit(struct pv_weave *w, struct pv_edge e);
pv_expr pv_weave_load(struct pv_weave *w, pv_expr address, pv_type type);
pv_expr pv_weave_global(struct pv_weave *w, uint32_t global);            /* its address */
void pv_weave_store(struct pv_weave *w, uint32_t global, pv_expr value); /* of 32 bits */
/* Adds a variable of an automaton. */
uint32_t pv_weave_add_global(struct pv_weave *w, const char *automaton, const char *what,
                             uint32_t value);
/* Adds a branch. w->at becomes the location where the condition holds; the result is the other one.
 * `aux`: that of both edges. */
pv_loc pv_weave_branch(struct pv_weave *w, pv_expr condition, uint32_t aux);
void pv_weave_goto(struct pv_weave *w, pv_loc to);
/* Adds the code that one move executes for one automaton (weave_code.c). */
void pv_weave_move(struct pv_weave *w, struct pv_woven_automaton *a,
                   const struct pv_observer_move *m);
/* Does the move do anything to the automaton in some state? */
bool pv_weave_moves(struct pv_weave *w, struct pv_woven_automaton *a,
                    const struct pv_observer_move *m);

/* ---- moves (moves.c) --------------------------------------------------------------------------
 */
typedef PV_VEC(struct pv_observer_move) pv_observer_moves;
/* Lists the moves of the current function in the order of its edges; those before an edge come
 * first. */
void pv_weave_find(struct pv_weave *w, pv_observer_moves *out);
/* The name of a function in the source; the linker may have renamed it to "f.3". */
const char *pv_weave_source_name(struct pv_weave *w, const char *name);

/* ---- triggers (trigger.c) ---------------------------------------------------------------------
 */
enum pv_holds { PV_HOLDS_NOT, PV_HOLDS, PV_HOLDS_BY_VALUE, PV_HOLDS_UNANSWERED };
/* Does the trigger hold in this move? BY_VALUE: that depends on variables of the automaton, of
 * others or of the program. UNANSWERED: that depends on a CHECK that nothing answers. */
enum pv_holds pv_weave_holds(struct pv_weave *w, struct pv_woven_automaton *a, uint32_t trigger,
                             const struct pv_observer_move *m, struct pv_bindings *out);
/* Counts which triggers match the move. */
void pv_weave_count(struct pv_weave *w, struct pv_woven_automaton *a,
                    const struct pv_observer_move *m);
/* Translates a trigger into an expression (i1; i32 for a number), and adds edges that read the
 * variables. `bindings`: what the transition's trigger has matched. */
pv_expr pv_weave_trigger(struct pv_weave *w, struct pv_woven_automaton *a, uint32_t trigger,
                         const struct pv_observer_move *m, const struct pv_bindings *bindings);
/* The value of a variable of the automaton, i32; of a set: has it elements? */
pv_expr pv_weave_variable(struct pv_weave *w, const struct pv_woven_automaton *a, uint32_t n);
/* The line of the move: where its text begins. */
uint32_t pv_weave_line(struct pv_weave *w, const struct pv_observer_move *m);

/* ---- questions (query.c) ----------------------------------------------------------------------
 * CHECK and EVAL ask other analyses. Here the move, the other automata and the program's variables
 * answer. */
enum pv_holds pv_weave_query(struct pv_weave *w, struct pv_woven_automaton *a, uint32_t trigger,
                             const struct pv_observer_move *m, const struct pv_bindings *b);
/* The answer BY_VALUE: an i1. */
pv_expr pv_weave_answer(struct pv_weave *w, struct pv_woven_automaton *a, uint32_t trigger,
                        const struct pv_observer_move *m, const struct pv_bindings *b);
/* EVAL: i32. */
pv_expr pv_weave_evaluate(struct pv_weave *w, struct pv_woven_automaton *a, uint32_t trigger,
                          const struct pv_observer_move *m, const struct pv_bindings *b);
/* Reports the question in the trigger that nothing answers. */
void pv_weave_unanswered(struct pv_weave *w, struct pv_woven_automaton *a, uint32_t trigger,
                         const struct pv_observer_move *m);
/* Puts automata after those that they ask. An error if they ask each other. */
void pv_weave_order(struct pv_weave *w);

/* ---- sets (sets.c) ----------------------------------------------------------------------------
 * An element is a text of the program, as in CPAchecker: `&m` and `p` differ, even if they point to
 * the same object. White space and parentheses around it do not count. */
/* The element that tokens name. The caller frees it. */
char *pv_weave_element(struct pv_tokens t);
/* The text with `$1` replaced by what it matched, in parentheses if `wraps`. NULL: it matched
 * nothing; *missing is then its digit. The caller frees it. */
char *pv_weave_substitute(const char *text, const struct pv_bindings *b, bool wraps, char *missing);
void pv_weave_set_begin(struct pv_weave *w, struct pv_woven_automaton *a);
/* Is it in the set? i32, 1 or 0. */
pv_expr pv_weave_set_has(struct pv_weave *w, struct pv_woven_automaton *a, uint32_t variable,
                         const char *element);
/* Adds edges that add the element or remove it. */
void pv_weave_set_act(struct pv_weave *w, struct pv_woven_automaton *a,
                      const struct pv_automaton_transition *t,
                      const struct pv_automaton_action *action, const struct pv_bindings *b);

/* ---- assumptions (guard.c) --------------------------------------------------------------------
 */
/* Translates the conjunction of a transition's assumptions into an i1, and adds edges that read
 * variables. Returns 0 after an error. If the transition says what happens otherwise, an assumption
 * that cannot be evaluated is false, and a note of the program says so. */
pv_expr pv_weave_guard(struct pv_weave *w, struct pv_woven_automaton *a,
                       const struct pv_automaton_transition *t, const struct pv_observer_move *m,
                       const struct pv_bindings *bindings);
enum pv_weave_scope { PV_SCOPE_ALL, PV_SCOPE_LOCAL, PV_SCOPE_GLOBAL };
/* The value of a C expression over variables of that scope: an i1 that it is not 0, or its 32 low
 * bits. Returns 0 after an error, which is reported at `at`. */
pv_expr pv_weave_c(struct pv_weave *w, struct pv_woven_automaton *a, struct pv_text_place at,
                   const char *text, enum pv_weave_scope scope, bool is_condition,
                   const struct pv_observer_move *m, const struct pv_bindings *bindings);
/* Is there such a variable at the move? */
bool pv_weave_has_variable(struct pv_weave *w, struct pv_woven_automaton *a, const char *name,
                           enum pv_weave_scope scope, const struct pv_observer_move *m);

#endif
