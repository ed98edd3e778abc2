/* weave.h -- shared by the files that weave automata into a program.
 *
 * One module: observer, weave (observer.c offers what the files
 * that include this one do). */
#ifndef PV_WEAVE_H
#define PV_WEAVE_H

#include "observer/observer.h"
#include "observer/source.h"

enum pv_observed_kind {
  PV_OBSERVED_STATEMENT,
  PV_OBSERVED_BRANCH,
  PV_OBSERVED_CALL,
  PV_OBSERVED_LABEL,
  PV_OBSERVED_ENTRY,
  PV_OBSERVED_EXIT
};
struct pv_observed { /* a move */
  enum pv_observed_kind kind;
  uint32_t edge; /* of the function as it was lowered */
  bool before;   /* the edge; else behind it */
  uint32_t span;
  struct pv_tokens text;  /* STATEMENT: bare; BRANCH: what is tested; CALL: the arguments */
  bool negated, has_text; /* BRANCH: the other way; `text` is known */
  bool unsure;            /* BRANCH: `negated` is not known */
  const char *name;       /* CALL, LABEL */
  bool indirect;          /* CALL: through a pointer, if that is `callee` */
  uint32_t callee;
  bool ends;          /* the path ends here anyway */
  uint32_t file;      /* of the text */
  size_t offset;      /* of the move in it */
  char *owned;        /* text made for it (switch) */
  pv_token_list list; /* its tokens */
};

struct pv_woven { /* an automaton and what it became */
  const struct pv_automaton *a;
  uint32_t observer;           /* number in program->observers */
  uint32_t state;              /* global */
  uint32_t first;              /* global of its first variable */
  struct pv_pattern *patterns; /* by trigger */
  void **regexes;              /* by trigger */
  uint64_t *matches;           /* by trigger */
};

struct pv_weave_load {
  pv_expr address, value;
};

struct pv_weave {
  struct pv_program *p;
  struct pv_str *err; /* the first error ends it */
  PV_VEC(struct pv_woven) automata;
  struct pv_source *sources; /* by file */
  bool *is_read;
  struct pv_map called; /* names of functions, in calls that were found */
  /* the function at hand */
  uint32_t function;
  const struct pv_function *was; /* as it was lowered */
  struct pv_function f;          /* as it becomes */
  pv_loc at;                     /* where code is added */
  uint32_t span;
  PV_VEC(struct pv_weave_load) loads; /* what was read since the last branch or store */
};

static inline bool pv_weave_failed(const struct pv_weave *w) {
  return w->err->n > 0;
}
void pv_weave_wrong(struct pv_weave *w, const struct pv_woven *a, struct pv_text_place at,
                    const char *fmt, ...) PV_PRINTF(4, 5);
/* The file taken apart; NULL: it has no text. */
const struct pv_source *pv_weave_source(struct pv_weave *w, uint32_t file);
/* The token at a span, or UINT32_MAX. */
uint32_t pv_weave_token(struct pv_weave *w, uint32_t span);

/* ---- code ------------------------------------------------------------------------------------ */
/* Adds an edge from w->at, and goes on behind it. */
void pv_weave_emit(struct pv_weave *w, struct pv_edge e);
pv_expr pv_weave_load(struct pv_weave *w, pv_expr address, pv_type type);
pv_expr pv_weave_global(struct pv_weave *w, uint32_t global); /* its address */
/* Goes on where the condition holds; returns where it does not. `aux`: of the edges. */
pv_loc pv_weave_branch(struct pv_weave *w, pv_expr condition, uint32_t aux);
void pv_weave_goto(struct pv_weave *w, pv_loc to);
/* What one move does to one automaton (weave_code.c). */
void pv_weave_move(struct pv_weave *w, struct pv_woven *a, const struct pv_observed *m);
/* Would it do nothing, whatever the state? */
bool pv_weave_moves(struct pv_weave *w, struct pv_woven *a, const struct pv_observed *m);

/* ---- moves (moves.c) --------------------------------------------------------------------------
 */
typedef PV_VEC(struct pv_observed) pv_observed_list;
/* The moves of the function at hand, by edge, those before it first. */
void pv_weave_find(struct pv_weave *w, pv_observed_list *out);

/* ---- triggers (trigger.c) ---------------------------------------------------------------------
 */
enum pv_holds { PV_HOLDS_NOT, PV_HOLDS, PV_HOLDS_BY_VALUE };
/* Does the trigger hold in this move? BY_VALUE: it depends on the automaton's variables. */
enum pv_holds pv_weave_holds(struct pv_weave *w, struct pv_woven *a, uint32_t trigger,
                             const struct pv_observed *m, struct pv_bindings *out);
/* Counts which triggers match the move. */
void pv_weave_count(struct pv_weave *w, struct pv_woven *a, const struct pv_observed *m);
/* It as an expression (i1, or i32 of a number), with code that reads the variables. */
pv_expr pv_weave_trigger(struct pv_weave *w, struct pv_woven *a, uint32_t trigger,
                         const struct pv_observed *m);

/* ---- assumptions (guard.c) --------------------------------------------------------------------
 */
/* The conjunction of a transition's assumptions, as an i1, with code that reads variables. 0: an
 * error was said. */
pv_expr pv_weave_guard(struct pv_weave *w, const struct pv_woven *a, const struct pv_transition *t,
                       const struct pv_observed *m, const struct pv_bindings *bindings);

#endif
