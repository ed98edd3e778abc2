/* weave_code.c -- adds the effect of a move on an automaton, as edges. */
#include "observer/weave.h"

#include <stdlib.h>
#include <string.h>

/* A transition that may be taken, with what is known about it. */
struct candidate {
  const struct pv_automaton_transition *t;
  enum pv_holds holds; /* does its trigger hold? */
  struct pv_bindings bindings;
  pv_expr trigger, possible; /* possible: for USEALL, together with the assumption */
};
typedef PV_VEC(struct candidate) candidates;

struct code {
  struct pv_weave *w;
  struct pv_woven_automaton *a;
  const struct pv_observer_move *m;
  uint32_t state; /* the automaton's state at this place */
  pv_loc join;    /* the location after all transitions */
};

/* ---- edges ----------------------------------------------------------------------------------- */

void pv_weave_emit(struct pv_weave *w, struct pv_edge e) {
  e.from = w->at;
  e.span = w->span;
  e.to = e.op == PV_OP_STOP ? w->f.exit : pv_loc_add(&w->f);
  pv_vec_push(&w->f.edges, e);
  w->at = e.to;
  if (e.op != PV_OP_LOAD) w->loads.n = 0;
}

void pv_weave_goto(struct pv_weave *w, pv_loc to) {
  struct pv_edge e = pv_edge_of(PV_OP_SKIP, w->at, to);
  e.span = w->span;
  pv_vec_push(&w->f.edges, e);
}

pv_expr pv_weave_global(struct pv_weave *w, uint32_t global) {
  return pv_mk(w->p, (struct pv_expr_node){.op = PV_X_GLOBAL,
                                           .type = PV_TYPE(PV_T_PTR, w->p->pointer_bits),
                                           .lo = global});
}

static uint32_t temporary(struct pv_weave *w, pv_type type) {
  char *name = pv_format("o%u", w->f.vars.n);
  struct pv_variable v = {.name = pv_program_string(w->p, name), .type = type, .is_temp = true};
  free(name);
  pv_vec_push(&w->f.vars, v);
  return w->f.vars.n - 1;
}

pv_expr pv_weave_load(struct pv_weave *w, pv_expr address, pv_type type) {
  for (uint32_t i = 0; i < w->loads.n; i++)
    if (w->loads.at[i].address == address && pv_node(w->p, w->loads.at[i].value)->type == type)
      return w->loads.at[i].value;
  struct pv_edge e = pv_edge_of(PV_OP_LOAD, 0, 0);
  e.e[0] = address;
  e.type = type;
  e.align = 1;
  e.dst = temporary(w, type);
  pv_weave_emit(w, e);
  pv_expr value = pv_mk_var(w->p, type, e.dst);
  pv_vec_push(&w->loads, ((struct pv_weave_load){address, value}));
  return value;
}

void pv_weave_store(struct pv_weave *w, uint32_t global, pv_expr value) {
  struct pv_edge e = pv_edge_of(PV_OP_STORE, 0, 0);
  e.e[0] = pv_weave_global(w, global);
  e.e[1] = value;
  e.type = PV_INT(32);
  e.align = 4;
  pv_weave_emit(w, e);
}

pv_loc pv_weave_branch(struct pv_weave *w, pv_expr condition, uint32_t aux) {
  pv_loc from = w->at;
  struct pv_edge yes = pv_edge_of(PV_OP_ASSUME, 0, 0), no = yes;
  yes.aux = no.aux = aux;
  yes.e[0] = condition;
  no.e[0] = pv_mk_not(w->p, condition);
  pv_weave_emit(w, yes);
  pv_loc then = w->at;
  w->at = from;
  pv_weave_emit(w, no);
  pv_loc otherwise = w->at;
  w->at = then;
  return otherwise;
}

/* A branch whose result may be known. Returns true if code must be added for the case that the
 * condition holds; *otherwise is then the location for the other case, or PV_NO_LOC. */
#define PV_NO_LOC UINT32_MAX
static bool when(struct pv_weave *w, pv_expr condition, pv_loc *otherwise) {
  const struct pv_expr_node *n = pv_node(w->p, condition);
  *otherwise = PV_NO_LOC;
  if (n->op == PV_X_CONST) return n->lo & 1;
  *otherwise = pv_weave_branch(w, condition, 0);
  return true;
}

/* ---- ends ------------------------------------------------------------------------------------ */

static const char *interned(struct pv_weave *w, char *text) {
  const char *kept = pv_program_string(w->p, text);
  free(text);
  return kept;
}

static char *sentence(const struct code *c, const struct pv_automaton_transition *t,
                      bool assumption) {
  const struct pv_automaton *a = c->a->a;
  const char *file = pv_span_file(c->w->p, c->w->span);
  uint32_t line = pv_span_of(c->w->p, c->w->span)->line;
  if (t->target == PV_AUTOMATON_STOP && t->message) return pv_strdup(t->message);
  if (assumption)
    return pv_format("the assumption {%s} of automaton `%s` holds at %s:%u", t->assume, a->name,
                     file, line);
  return pv_format("automaton `%s` (%s:%u) %s no path at %s:%u", a->name, a->path, t->at.line,
                   t->target == PV_AUTOMATON_BREAK ? "breaks off" : "stops", file, line);
}

static void cut(struct code *c, const struct pv_automaton_transition *t, bool assumption) {
  struct pv_edge e = pv_edge_of(PV_OP_STOP, 0, 0);
  e.aux = PV_STOP_OBSERVER;
  e.text = interned(c->w, sentence(c, t, assumption));
  pv_weave_emit(c->w, e);
}

/* The text of ERROR, with $1, $rawstatement and $location expanded. */
static char *message(struct code *c, const struct pv_automaton_transition *t,
                     const struct pv_bindings *b) {
  static const char raw[] = "$rawstatement", location[] = "$location";
  struct pv_str out = {0};
  pv_str_addf(&out, "automaton `%s`: ", c->a->a->name);
  for (const char *at = t->message ? t->message : "an error is reached"; *at; at++) {
    if (!strncmp(at, raw, sizeof raw - 1)) {
      pv_span_text(c->w->p, c->m->span, &out);
      at += sizeof raw - 2;
    } else if (!strncmp(at, location, sizeof location - 1)) {
      pv_str_addf(&out, "%s:%u", pv_span_file(c->w->p, c->m->span),
                  pv_span_of(c->w->p, c->m->span)->line);
      at += sizeof location - 2;
    } else if (*at == '$' && at[1] >= '1' && at[1] <= '9' && b->wildcard[at[1] - '1'].n) {
      pv_tokens_text(&b->wildcard[*++at - '1'], &out);
    } else {
      pv_str_addc(&out, *at);
    }
  }
  return out.at;
}

static void error(struct code *c, char *text) {
  struct pv_edge e = pv_edge_of(PV_OP_ERROR, 0, 0);
  /* An extra state: the automaton has ended. */
  pv_weave_store(c->w, c->a->state, pv_mk_const(c->w->p, PV_INT(32), c->a->a->states.n));
  e.aux = PV_ERROR_OBSERVER;
  e.text = interned(c->w, text);
  pv_weave_emit(c->w, e);
  pv_weave_goto(c->w, c->join);
}

/* ---- transitions ----------------------------------------------------------------------------- */

static void act(struct code *c, const struct candidate *x) {
  const struct pv_automaton_transition *t = x->t;
  for (uint32_t i = 0; i < t->actions.n && !pv_weave_failed(c->w); i++) {
    const struct pv_automaton_action *action = &t->actions.at[i];
    if (action->element)
      pv_weave_set_act(c->w, c->a, t, action, &x->bindings);
    else
      pv_weave_store(c->w, c->a->first + action->variable,
                     pv_weave_trigger(c->w, c->a, action->value, c->m, &x->bindings));
  }
  if (t->modify)
    pv_weave_wrong(c->w, c->a, t->at, "no analysis here can be changed: `%s`", t->modify);
}

static void reach(struct code *c, const struct candidate *x) {
  const struct pv_automaton_transition *t = x->t;
  const struct pv_automaton_state *s = &c->a->a->states.at[t->state];
  if (t->target == PV_AUTOMATON_ERROR) {
    error(c, message(c, t, &x->bindings));
  } else if ((t->target == PV_AUTOMATON_STOP || t->target == PV_AUTOMATON_BREAK) && !c->m->ends) {
    cut(c, t, false);
  } else if (t->target == PV_AUTOMATON_GOTO && s->target) {
    error(c, pv_format("automaton `%s`: state `%s` is reached", c->a->a->name, s->name));
  } else {
    if (t->target == PV_AUTOMATON_GOTO && t->state != c->state)
      pv_weave_store(c->w, c->a->state, pv_mk_const(c->w->p, PV_INT(32), t->state));
    pv_weave_goto(c->w, c->join);
  }
}

/* The assumption of the transition does not hold. */
static void refuse(struct code *c, const struct pv_automaton_transition *t) {
  if (t->otherwise == PV_NO_STATE) {
    cut(c, t, true);
    return;
  }
  pv_weave_store(c->w, c->a->state, pv_mk_const(c->w->p, PV_INT(32), t->otherwise));
  pv_weave_goto(c->w, c->join);
}

/* Takes the transition; its trigger holds. `assumed`: its assumption holds, too. */
static void take(struct code *c, const struct candidate *x, bool assumed) {
  pv_loc otherwise;
  const struct pv_automaton_transition *t = x->t;
  if (t->assertion != PV_NO_TRIGGER) {
    pv_expr assertion = pv_weave_trigger(c->w, c->a, t->assertion, c->m, &x->bindings);
    bool holds = when(c->w, assertion, &otherwise);
    pv_loc on = c->w->at;
    if (!holds || otherwise != PV_NO_LOC) {
      if (holds) c->w->at = otherwise;
      error(c, pv_format("automaton `%s`: an assertion fails", c->a->a->name));
    }
    if (!holds) return;
    c->w->at = on;
  }
  act(c, x);
  if (t->assume && !assumed) {
    pv_expr guard = pv_weave_guard(c->w, c->a, t, c->m, &x->bindings);
    if (!guard) return;
    bool holds = when(c->w, guard, &otherwise);
    pv_loc on = c->w->at;
    if (!holds || otherwise != PV_NO_LOC) {
      if (holds) c->w->at = otherwise;
      refuse(c, t);
    }
    if (!holds) return;
    c->w->at = on;
  }
  reach(c, x);
}

static void take_first(struct code *c, const candidates *all) {
  for (uint32_t i = 0; i < all->n; i++) {
    const struct candidate *x = &all->at[i];
    pv_loc otherwise = PV_NO_LOC;
    if (x->holds == PV_HOLDS_BY_VALUE &&
        !when(c->w, pv_weave_trigger(c->w, c->a, x->t->trigger, c->m, &x->bindings), &otherwise))
      continue;
    take(c, x, false);
    if (otherwise == PV_NO_LOC) return;
    c->w->at = otherwise;
  }
  pv_weave_goto(c->w, c->join); /* none: the state is unchanged */
}

/* ---- choices --------------------------------------------------------------------------------- */

static pv_expr any_of(struct pv_weave *w, const candidates *all, uint32_t from, bool possible) {
  pv_expr any = pv_mk_const(w->p, PV_INT(1), 0);
  for (uint32_t i = from; i < all->n; i++) {
    pv_expr one = possible ? all->at[i].possible : all->at[i].trigger;
    if (any == pv_mk_not(w->p, one)) return pv_mk_const(w->p, PV_INT(1), 1);
    any = pv_mk_binary(w->p, PV_X_OR, 0, PV_INT(1), any, one);
  }
  return any;
}

/* Adds a nondeterministic choice, and continues where it is true. */
static pv_loc choose(struct code *c) {
  struct pv_edge e = pv_edge_of(PV_OP_HAVOC, 0, 0);
  e.type = PV_INT(1);
  e.dst = temporary(c->w, e.type);
  e.site = c->w->p->n_sites++;
  e.text = interned(c->w, pv_format("choice of automaton %s", c->a->a->name));
  pv_weave_emit(c->w, e);
  return pv_weave_branch(c->w, pv_mk_var(c->w->p, e.type, e.dst), 0);
}

/* Chooses among the candidates from `i` on, one of which is possible. */
static void choose_from(struct code *c, const candidates *all) {
  for (uint32_t i = 0; i < all->n; i++) {
    const struct candidate *x = &all->at[i];
    pv_expr others = any_of(c->w, all, i + 1, true);
    pv_loc otherwise, alone, next = PV_NO_LOC;
    if (i + 1 == all->n) {
      take(c, x, true);
      return;
    }
    if (!when(c->w, x->possible, &otherwise)) continue;
    bool exclusive = others == pv_mk_not(c->w->p, x->possible);
    if (!exclusive && when(c->w, others, &alone)) {
      next = choose(c);
      take(c, x, true);
      if (alone != PV_NO_LOC) {
        c->w->at = alone;
        take(c, x, true);
      }
    } else {
      take(c, x, true);
    }
    /* The others: if this one is not possible, and if it was not chosen. */
    if (otherwise == PV_NO_LOC && next == PV_NO_LOC) return;
    c->w->at = otherwise != PV_NO_LOC ? otherwise : next;
    if (otherwise != PV_NO_LOC && next != PV_NO_LOC) {
      c->w->at = next;
      pv_weave_goto(c->w, otherwise);
      c->w->at = otherwise;
    }
  }
}

static void take_any(struct code *c, candidates *all) {
  pv_loc otherwise;
  if (all->n == 1) {
    take_first(c, all);
    return;
  }
  for (uint32_t i = 0; i < all->n; i++) {
    struct candidate *x = &all->at[i];
    pv_expr guard = pv_mk_const(c->w->p, PV_INT(1), 1);
    x->trigger = pv_weave_trigger(c->w, c->a, x->t->trigger, c->m, &x->bindings);
    if (x->t->assume) guard = pv_weave_guard(c->w, c->a, x->t, c->m, &x->bindings);
    if (!guard) return;
    x->possible = pv_mk_binary(c->w->p, PV_X_AND, 0, PV_INT(1), x->trigger, guard);
  }
  if (!when(c->w, any_of(c->w, all, 0, false), &otherwise)) {
    pv_weave_goto(c->w, c->join);
    return;
  }
  if (otherwise != PV_NO_LOC) {
    pv_loc on = c->w->at;
    c->w->at = otherwise;
    pv_weave_goto(c->w, c->join);
    c->w->at = on;
  }
  bool possible = when(c->w, any_of(c->w, all, 0, true), &otherwise);
  pv_loc on = c->w->at;
  uint32_t first = 0;
  while (!all->at[first].t->assume && first + 1 < all->n) first++;
  if (!possible || otherwise != PV_NO_LOC) {
    if (possible) c->w->at = otherwise;
    cut(c, all->at[first].t, true);
  }
  c->w->at = on;
  if (possible) choose_from(c, all);
}

/* ---- moves ----------------------------------------------------------------------------------- */

static bool stays(const struct candidate *x, uint32_t state) {
  const struct pv_automaton_transition *t = x->t;
  return t->target == PV_AUTOMATON_GOTO && t->state == state && !t->assume &&
         t->assertion == PV_NO_TRIGGER && !t->actions.n && !t->modify;
}

/* Finds the transitions that may be taken. None: the move has no effect in this state. */
static void find_candidates(struct pv_weave *w, struct pv_woven_automaton *a,
                            const struct pv_observer_move *m, uint32_t state, candidates *out) {
  const struct pv_automaton_state *s = &a->a->states.at[state];
  bool does = false;
  for (uint32_t i = 0; i < s->transitions.n; i++) {
    struct candidate x = {.t = &s->transitions.at[i]};
    x.holds = pv_weave_holds(w, a, x.t->trigger, m, &x.bindings);
    if (x.holds == PV_HOLDS_NOT) continue;
    if (x.holds == PV_HOLDS_UNANSWERED) pv_weave_unanswered(w, a, x.t->trigger, m);
    pv_vec_push(out, x);
    does |= !stays(&x, state);
    if (!s->use_all && x.holds == PV_HOLDS) break;
  }
  if (!does) out->n = 0;
}

bool pv_weave_moves(struct pv_weave *w, struct pv_woven_automaton *a,
                    const struct pv_observer_move *m) {
  bool any = false;
  candidates all = {0};
  for (uint32_t i = 0; i < a->a->states.n && !any; i++) {
    if (a->a->states.at[i].target) continue;
    all.n = 0;
    find_candidates(w, a, m, i, &all);
    any = all.n > 0;
  }
  pv_vec_free(&all);
  return any;
}

void pv_weave_move(struct pv_weave *w, struct pv_woven_automaton *a,
                   const struct pv_observer_move *m) {
  struct code c = {.w = w, .a = a, .m = m, .join = pv_loc_add(&w->f)};
  candidates all = {0};
  w->loads.n = 0;
  pv_expr state = pv_weave_load(w, pv_weave_global(w, a->state), PV_INT(32));
  for (uint32_t i = 0; i < a->a->states.n && !pv_weave_failed(w); i++) {
    if (a->a->states.at[i].target) continue;
    all.n = 0;
    find_candidates(w, a, m, i, &all);
    if (!all.n) continue;
    pv_expr here =
        pv_mk_binary(w->p, PV_X_EQ, 0, PV_INT(1), state, pv_mk_const(w->p, PV_INT(32), i));
    pv_loc otherwise = pv_weave_branch(w, here, a->observer + 1);
    c.state = i;
    if (a->a->states.at[i].use_all)
      take_any(&c, &all);
    else
      take_first(&c, &all);
    w->at = otherwise;
  }
  pv_vec_free(&all);
  pv_weave_goto(w, c.join);
  w->at = c.join;
}
