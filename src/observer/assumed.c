/* assumed.c -- reads assumption automata: gives their transitions the meaning of assumed.h. */
#include "observer/assumed.h"

#include <stdlib.h>
#include <string.h>

#include "observer/tokens.h"

bool pv_automata_are_in(const char *path) {
  enum { LONGEST = 1 << 30 };
  static const char own[] = "proviso condition ";
  char *text;
  size_t n;
  if (pv_read_file(path, LONGEST, &text, &n, NULL) != PV_OK) return false;
  bool is_own = n >= sizeof own - 1 && !memcmp(text, own, sizeof own - 1);
  bool is = !is_own && strstr(text, "AUTOMATON");
  free(text);
  return is;
}

struct assumed {
  struct pv_automaton *a;
  uint32_t open;           /* a state that nothing leaves; PV_NO_STATE: not made yet */
  bool *used;              /* by trigger */
  uint32_t n_states;       /* without those made here */
  PV_VEC(uint8_t) entered; /* by state: in the current walk */
};
typedef __typeof__(((struct pv_automaton_state *)0)->transitions) transitions;

static bool is_named(const struct pv_automaton *a, uint32_t state, const char *name) {
  return !strcmp(a->states.at[state].name, name);
}

/* ---- texts ----------------------------------------------------------------------------------- */
static bool is_branch(const char *text) {
  return text[0] == '[';
}

/* Is the text of an edge that is no move here: a declaration without a value, the head of a
 * function, a label, an empty text? */
static bool is_silent(const char *text) {
  if (is_branch(text)) return false;
  pv_token_list list = {0};
  size_t n = strlen(text);
  pv_tokenise(text, 0, n, &list);
  struct pv_tokens t = {text, list.at, list.n};
  bool ends = t.n && pv_token_is(&t, t.n - 1, ";"), sets = false;
  for (uint32_t i = 0; i < t.n; i++) sets |= pv_token_is(&t, i, "=");
  bool jumps = pv_token_is(&t, 0, "goto") || pv_token_is(&t, 0, "break") ||
               pv_token_is(&t, 0, "continue") || pv_token_is(&t, 0, "typedef");
  bool declares = !sets && t.n > 2 && pv_token_is_name(&t, 0) && !pv_token_is(&t, 0, "return") &&
                  (pv_token_is_name(&t, 1) || pv_token_is(&t, 1, "*"));
  pv_vec_free(&list);
  return !ends || jumps || declares;
}

/* "[x]" and "[!(x)]" become each other. */
static char *opposite(const char *text) {
  size_t n = strlen(text);
  if (n > 5 && !strncmp(text, "[!(", 3) && !strcmp(text + n - 2, ")]")) {
    pv_token_list list = {0};
    pv_tokenise(text, 2, n - 1, &list);
    struct pv_tokens t = {text, list.at, list.n};
    bool whole = pv_tokens_close(&t, 0) == t.n - 1;
    pv_vec_free(&list);
    if (whole) return pv_format("[%.*s]", (int)(n - 5), text + 3);
  }
  return n > 2 ? pv_format("[!(%.*s)]", (int)(n - 2), text + 1) : NULL;
}

/* ---- transitions ----------------------------------------------------------------------------- */
static const struct pv_trigger *trigger_of(const struct assumed *x,
                                           const struct pv_automaton_transition *t) {
  return &x->a->triggers.at[t->trigger];
}

static bool is_always(const struct assumed *x, const struct pv_automaton_transition *t) {
  return trigger_of(x, t)->kind == PV_TRIGGER_BOOL && trigger_of(x, t)->value;
}

static uint32_t open_state(struct assumed *x, struct pv_text_place at) {
  if (x->open == PV_NO_STATE) {
    struct pv_automaton_state s = {.name = pv_strdup("__OPEN"), .at = at, .defined = true};
    x->open = x->a->states.n;
    pv_vec_push(&x->a->states, s);
  }
  return x->open;
}

/* What is restricted by an assumption is covered where it holds, and open where it does not. Where
 * all transitions that match are taken (`first` is false), everything is open. */
static void restrict_to_assumption(struct assumed *x, struct pv_automaton_transition *t,
                                   bool first) {
  bool goes = t->target == PV_AUTOMATON_GOTO && !x->a->states.at[t->state].target;
  bool opens = !goes || t->assertion != PV_NO_TRIGGER || (t->assume && !first);
  if (t->assume && !opens && !is_named(x->a, t->state, "__FALSE")) {
    t->otherwise = open_state(x, t->at);
    return;
  }
  free(t->assume);
  t->assume = NULL;
  t->assertion = PV_NO_TRIGGER;
  if (!opens) return;
  t->state = open_state(x, t->at);
  t->target = PV_AUTOMATON_GOTO;
}

static struct pv_automaton_transition copy_of(const struct pv_automaton_transition *from) {
  struct pv_automaton_transition t = *from;
  t.assume = from->assume ? pv_strdup(from->assume) : NULL;
  t.message = NULL;
  memset(&t.actions, 0, sizeof t.actions);
  for (uint32_t i = 0; i < from->actions.n; i++) pv_vec_push(&t.actions, from->actions.at[i]);
  return t;
}

/* Appends the transitions of a state, those behind silent edges instead of these. Returns false if
 * a silent edge leads to `__FALSE`. *verifies: any other move leads to `__TRUE`. */
static bool collect(struct assumed *x, uint32_t state, transitions *out, bool *verifies) {
  if (x->entered.at[state]) return true;
  x->entered.at[state] = 1;
  for (uint32_t i = 0; i < x->a->states.at[state].transitions.n; i++) {
    const struct pv_automaton_transition *t = &x->a->states.at[state].transitions.at[i];
    const struct pv_trigger *g = trigger_of(x, t);
    bool goes = t->target == PV_AUTOMATON_GOTO && !t->assume && !t->actions.n;
    if (goes && is_always(x, t)) {
      *verifies |= is_named(x->a, t->state, "__TRUE");
      if (t->state == state || is_named(x->a, t->state, "__TRUE")) continue;
    }
    if (goes && g->kind == PV_TRIGGER_STATEMENT && is_silent(g->text)) {
      if (is_named(x->a, t->state, "__FALSE")) return false;
      if (!is_named(x->a, t->state, "__TRUE") && !collect(x, t->state, out, verifies)) return false;
      continue;
    }
    pv_vec_push(out, copy_of(t));
  }
  return true;
}

/* A call and its return have the same text there, and are one move here. */
static void join_calls(struct assumed *x, struct pv_automaton_transition *t, bool first) {
  const struct pv_trigger *g = trigger_of(x, t);
  if (g->kind != PV_TRIGGER_STATEMENT || is_branch(g->text) || !strchr(g->text, '(')) return;
  if (t->target != PV_AUTOMATON_GOTO || t->state >= x->n_states) return;
  const struct pv_automaton_state *s = &x->a->states.at[t->state];
  const struct pv_automaton_transition *only = s->transitions.n ? &s->transitions.at[0] : NULL;
  if (!only || only->target != PV_AUTOMATON_GOTO || only->actions.n) return;
  if (only->assume && (t->assume || !first || only->assertion != PV_NO_TRIGGER)) return;
  for (uint32_t i = 1; i < s->transitions.n; i++)
    if (!is_always(x, &s->transitions.at[i])) return;
  const struct pv_trigger *next = trigger_of(x, only);
  if (next->kind != PV_TRIGGER_STATEMENT || strcmp(next->text, g->text) != 0) return;
  t->state = only->state;
  if (!only->assume) return;
  t->assume = pv_strdup(only->assume);
  t->assume_at = only->assume_at;
  restrict_to_assumption(x, t, true);
}

static bool has_text(const struct assumed *x, const transitions *all, const char *text) {
  for (uint32_t i = 0; i < all->n; i++) {
    const struct pv_trigger *g = trigger_of(x, &all->at[i]);
    if (g->kind == PV_TRIGGER_STATEMENT && !strcmp(g->text, text)) return true;
  }
  return false;
}

/* The branches opposite to those that are named lead to `__TRUE`. */
static void add_opposites(struct assumed *x, transitions *all, uint32_t verified) {
  uint32_t n = all->n;
  for (uint32_t i = 0; i < n; i++) {
    const struct pv_trigger *g = trigger_of(x, &all->at[i]);
    if (g->kind != PV_TRIGGER_STATEMENT || !is_branch(g->text)) continue;
    char *text = opposite(g->text);
    if (!text || has_text(x, all, text)) {
      free(text);
      continue;
    }
    struct pv_trigger trigger = {.kind = PV_TRIGGER_STATEMENT, .text = text, .at = g->at};
    struct pv_automaton_transition t = {.at = all->at[i].at,
                                        .trigger = x->a->triggers.n,
                                        .assertion = PV_NO_TRIGGER,
                                        .otherwise = PV_NO_STATE,
                                        .state = verified};
    pv_vec_push(&x->a->triggers, trigger);
    pv_vec_push(all, t);
  }
}

static uint32_t state_named(const struct pv_automaton *a, const char *name) {
  for (uint32_t i = 0; i < a->states.n; i++)
    if (is_named(a, i, name)) return i;
  return PV_NO_STATE;
}

/* The transitions of a state as they are woven. */
static void assume_state(struct assumed *x, uint32_t state, transitions *out) {
  bool first = !x->a->states.at[state].use_all, verifies = false;
  uint32_t verified = state_named(x->a, "__TRUE");
  if (is_named(x->a, state, "__FALSE")) return;
  x->entered.n = 0;
  for (uint32_t i = 0; i < x->a->states.n; i++) pv_vec_push(&x->entered, 0);
  if (!first || is_named(x->a, state, "__TRUE")) {
    for (uint32_t i = 0; i < x->a->states.at[state].transitions.n; i++)
      pv_vec_push(out, copy_of(&x->a->states.at[state].transitions.at[i]));
  } else if (!collect(x, state, out, &verifies)) {
    /* Everything is open from here on: no move leads anywhere. */
    for (uint32_t i = 0; i < out->n; i++) {
      free(out->at[i].assume);
      pv_vec_free(&out->at[i].actions);
    }
    out->n = 0;
    return;
  }
  for (uint32_t i = 0; i < out->n; i++) {
    restrict_to_assumption(x, &out->at[i], first);
    join_calls(x, &out->at[i], first);
  }
  if (!verifies || verified == PV_NO_STATE) return;
  bool only = x->a->states.at[state].transitions.n == 1;
  if (!only) {
    add_opposites(x, out, verified);
    return;
  }
  for (uint32_t i = 0; i < out->n; i++) pv_vec_free(&out->at[i].actions);
  out->n = 0;
  pv_vec_push(out, copy_of(&x->a->states.at[state].transitions.at[0]));
}

static void use_trigger(struct assumed *x, uint32_t trigger) {
  const struct pv_trigger *t = &x->a->triggers.at[trigger];
  x->used[trigger] = true;
  bool two = (t->kind >= PV_TRIGGER_AND && t->kind <= PV_TRIGGER_DIFFER) ||
             t->kind == PV_TRIGGER_PLUS || t->kind == PV_TRIGGER_MINUS;
  if (t->kind == PV_TRIGGER_NOT || two) use_trigger(x, t->a);
  if (two) use_trigger(x, t->b);
}

/* Triggers that are not used any more match nothing, and nothing is told of them. */
static void forget_triggers(struct assumed *x) {
  struct pv_automaton *a = x->a;
  x->used = pv_alloc((a->triggers.n + 1) * sizeof *x->used);
  for (uint32_t i = 0; i < a->states.n; i++)
    for (uint32_t k = 0; k < a->states.at[i].transitions.n; k++) {
      const struct pv_automaton_transition *t = &a->states.at[i].transitions.at[k];
      use_trigger(x, t->trigger);
      for (uint32_t j = 0; j < t->actions.n; j++) use_trigger(x, t->actions.at[j].value);
    }
  for (uint32_t i = 0; i < a->triggers.n; i++)
    if (!x->used[i]) {
      a->triggers.at[i].kind = PV_TRIGGER_BOOL;
      a->triggers.at[i].value = 0;
    }
  free(x->used);
}

static void free_transitions(transitions *all) {
  for (uint32_t i = 0; i < all->n; i++) {
    free(all->at[i].assume);
    free(all->at[i].message);
    pv_vec_free(&all->at[i].actions);
  }
  pv_vec_free(all);
}

void pv_automaton_assume(struct pv_automaton *a) {
  struct assumed x = {.a = a, .open = PV_NO_STATE, .n_states = a->states.n};
  transitions *fresh = pv_alloc((a->states.n + 1) * sizeof *fresh);
  for (uint32_t i = 0; i < x.n_states; i++) assume_state(&x, i, &fresh[i]);
  for (uint32_t i = 0; i < x.n_states; i++) {
    free_transitions(&a->states.at[i].transitions);
    memcpy(&a->states.at[i].transitions, &fresh[i], sizeof fresh[i]);
    for (uint32_t k = 0; k < fresh[i].n; k++) {
      struct pv_automaton_transition *t = &fresh[i].at[k];
      if (t->target != PV_AUTOMATON_GOTO || !is_named(a, t->state, "__TRUE")) continue;
      t->target = PV_AUTOMATON_STOP;
      t->message = pv_format("what %s calls verified has no error", a->path);
    }
  }
  forget_triggers(&x);
  pv_vec_free(&x.entered);
  free(fresh);
}
