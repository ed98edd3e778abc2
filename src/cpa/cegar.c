/* cegar.c -- engine `predicate`: lazy abstraction with counterexample-guided refinement. An event that
 * the abstraction cannot exclude is followed back along the ends of blocks; if the path formula is
 * unsatisfiable, interpolants give predicates for the points it passes, and only the part of the
 * graph from the first new one on is removed.
 *
 * References: Clarke, Grumberg, Jha, Lu, Veith, CAV 2000; Henzinger et al., POPL 2002 and 2004.
 * Deviation: events other than violations (an overflow that was assumed away, something that is not
 * modelled) are looked at after the graph is complete, in the same way. */
#include "cpa/ground.h"
#include "cpa/predicate.h"
#include "cpa/witness.h"

#include <stdlib.h>
#include <string.h>

enum { CUBES = 2000, MOST_TRIES = 40 };

struct suspect { /* an event at a node of the graph */
  uint32_t node;
  struct pv_move move;
  const struct pv_sym_event *event;
};

struct cegar {
  struct pv_ground ground;
  struct pv_predicates *predicates;
  struct pv_cpa *cpa;
  struct pv_result *result;
  struct suspect found;          /* the one that stopped the run */
  PV_VEC(struct suspect) later;  /* to be looked at when the graph is complete */
  struct pv_map given_up;        /* struct place: events that are provisos now */
  struct pv_map tries;           /* struct place -> refinements spent on it */
  uint64_t refinements;
  bool error;
};

struct place {
  uint32_t frame, edge;
  uint64_t message;
};

static struct place place_of(const struct cegar *c, const struct pv_sym_event *e) {
  (void)c;
  return (struct place){e->frame, e->edge, pv_hash(e->message, strlen(e->message))};
}

static bool is_given_up(const struct cegar *c, const struct pv_sym_event *e) {
  struct place key = place_of(c, e);
  return pv_map_get(&c->given_up, &key, sizeof key) != NULL;
}

static void give_up(struct cegar *c, const struct pv_sym_event *e) {
  struct place key = place_of(c, e);
  bool is_new;
  pv_map_put(&c->given_up, &key, sizeof key, 1, &is_new);
  if (is_new) pv_ground_proviso(&c->ground, c->result, e);
}

static const struct pv_pred *pred_at(const struct cegar *c, uint32_t node) {
  return pv_cpa_node(c->cpa, node)->state.part[0];
}

static bool on_event(void *user, uint32_t node, const struct pv_move *move,
                     const struct pv_sym_event *event) {
  struct cegar *c = user;
  struct suspect s = {node, *move, event};
  if (is_given_up(c, event)) return true;
  if (event->kind != PV_SYM_VIOLATION) {
    pv_vec_push(&c->later, s);
    return true;
  }
  if (pv_predicates_check(c->predicates, pred_at(c, node), event->when) == PV_SMT_UNSAT)
    return true;
  c->found = s;
  return false;
}

/* ---- paths ------------------------------------------------------------------------------------- */

struct path {
  PV_VEC(const struct pv_pred *) states; /* the abstraction states, from the program's start on */
  PV_VEC(const struct pv_sym *) blocks;  /* between them; the last one is that of the event */
  struct pv_sym_formula formula;
};

static void find_path(struct cegar *c, const struct suspect *s, struct path *out) {
  *out = (struct path){0};
  for (const struct pv_pred *a = pred_at(c, s->node)->start; a; a = a->before)
    pv_vec_push(&out->states, a);
  for (uint32_t i = 0, j = out->states.n - 1; i < j; i++, j--) {
    const struct pv_pred *t = out->states.at[i];
    out->states.at[i] = out->states.at[j];
    out->states.at[j] = t;
  }
  for (uint32_t i = 1; i < out->states.n; i++) pv_vec_push(&out->blocks, out->states.at[i]->end);
  pv_vec_push(&out->blocks, NULL);
  struct pv_sym_path path = {out->blocks.n, out->blocks.at, s->event->when};
  pv_symbolic_path(c->ground.symbolic, &path, &out->formula);
}

static void path_free(struct path *p) {
  pv_vec_free(&p->states);
  pv_vec_free(&p->blocks);
  pv_sym_formula_free(&p->formula);
}

/* The graph's node of an abstraction state on the way to `node`. */
static uint32_t node_of(const struct cegar *c, uint32_t node, const struct pv_pred *state) {
  while (node != PV_NO_NODE) {
    const struct pv_node *n = pv_cpa_node(c->cpa, node);
    if (n->state.part[0] == state) return node;
    node = n->parents.n ? n->parents.at[0].node : PV_NO_NODE;
  }
  return PV_NO_NODE;
}

/* ---- errors -------------------------------------------------------------------------------------- */

static const struct pv_sym *symbolic_of(const void *state) {
  return ((const struct pv_pred *)state)->sym;
}

/* Adds the violation if the machine shows it. */
static bool report(struct cegar *c, const struct suspect *s, const struct path *path) {
  struct pv_witness_path w = {.cpa = c->cpa,
                              .node = s->node,
                              .n = path->blocks.n,
                              .blocks = path->blocks.at,
                              .ends = (const void *const *)(path->states.at + 1),
                              .symbolic = symbolic_of};
  return pv_witness(&c->ground, c->result, &w, &path->formula, s->event, NULL);
}

/* ---- refinement ---------------------------------------------------------------------------------- */

enum outcome { REFINED, REAL, STUCK };

static enum outcome refine(struct cegar *c, const struct suspect *s) {
  struct path path;
  find_path(c, s, &path);
  uint32_t n = path.formula.parts.n;
  pv_term *interpolants = pv_alloc((n + 1) * sizeof *interpolants);
  struct pv_itp_options options = {.methods = UINT32_MAX};
  struct pv_itp_result how = {0};
  enum outcome outcome = STUCK;
  enum pv_smt_answer a = pv_smt_interpolate(c->ground.smt, n, path.formula.parts.at, &options,
                                            interpolants, &how);
  c->refinements++;
  if (a == PV_SMT_SAT) {
    outcome = REAL;
    if (s->event->kind == PV_SYM_VIOLATION && report(c, s, &path)) c->error = true;
  } else if (a == PV_SMT_UNSAT) {
    uint32_t first = 0;
    for (uint32_t k = 1; k < n; k++) {
      pv_term t = pv_symbolic_at_cut(c->ground.symbolic, &path.formula, k, interpolants[k - 1]);
      uint32_t added = pv_predicates_add(c->predicates, path.states.at[k]->at, t);
      if (added && !first) first = k;
    }
    uint32_t node = first ? node_of(c, s->node, path.states.at[first]) : PV_NO_NODE;
    if (node != PV_NO_NODE) {
      pv_cpa_remove(c->cpa, node);
      outcome = REFINED;
    }
  }
  free(interpolants);
  path_free(&path);
  return outcome;
}

static bool may_try(struct cegar *c, const struct pv_sym_event *e) {
  struct place key = place_of(c, e);
  return e->kind == PV_SYM_VIOLATION ||
         (*pv_map_put(&c->tries, &key, sizeof key, 0, NULL))++ < MOST_TRIES;
}

/* False: the run is over. */
static bool follow(struct cegar *c, const struct suspect *s) {
  if (!may_try(c, s->event)) {
    give_up(c, s->event);
    return true;
  }
  switch (refine(c, s)) {
  case REFINED: return true;
  case REAL:
    if (c->error) return false;
    if (s->event->kind == PV_SYM_WRAP &&
        pv_symbolic_wrap(c->ground.symbolic,
                         pv_control_frame(c->ground.control, s->event->frame)->function,
                         s->event->edge)) {
      c->later.n = 0;
      pv_cpa_restart(c->cpa);
      return true;
    }
    give_up(c, s->event);
    return true;
  case STUCK: give_up(c, s->event); return true;
  }
  return true;
}

/* The events kept for later; true: something was removed from the graph. */
static bool look_later(struct cegar *c) {
  while (c->later.n) {
    struct suspect s = pv_vec_pop(&c->later);
    if (pv_limits_check(c->ground.task->limits, 0) != PV_LIMIT_NONE) return false;
    const struct pv_node *n = pv_cpa_node(c->cpa, s.node);
    if (n->removed || is_given_up(c, s.event)) continue;
    if (pv_predicates_check(c->predicates, pred_at(c, s.node), s.event->when) == PV_SMT_UNSAT)
      continue;
    uint64_t removed = pv_cpa_stats(c->cpa)->removed;
    follow(c, &s);
    if (pv_cpa_stats(c->cpa)->removed != removed || !pv_cpa_nodes(c->cpa)) {
      /* If it can still happen it is met again. */
      return true;
    }
  }
  return false;
}

static bool search(struct cegar *c) {
  for (;;) {
    switch (pv_cpa_run(c->cpa, on_event, c)) {
    case PV_CPA_LIMIT: return false;
    case PV_CPA_EVENT:
      if (!follow(c, &c->found)) return true;
      break;
    case PV_CPA_FIXPOINT:
      if (!look_later(c)) return c->ground.task->limits->hit == PV_LIMIT_NONE;
      break;
    }
  }
}

static enum pv_status run(const struct pv_task *task, struct pv_result *result) {
  struct cegar c = {.result = result};
  bool complete = false;
  if (pv_ground_new(&c.ground, task, result)) {
    struct pv_predicate_options options = {.cubes = CUBES};
    c.predicates =
        pv_predicates_new(c.ground.symbolic, c.ground.smt, c.ground.control, &options);
    const struct pv_analysis *part = pv_predicates_analysis(c.predicates);
    c.cpa = pv_cpa_new(c.ground.control, &part, 1, task->limits);
    complete = search(&c);
    result->stats.states = pv_cpa_stats(c.cpa)->expanded;
    pv_cpa_free(c.cpa);
    pv_predicates_free(c.predicates);
  }
  pv_ground_finish(&c.ground, result, complete);
  pv_ground_free(&c.ground);
  pv_vec_free(&c.later);
  pv_map_free(&c.given_up);
  pv_map_free(&c.tries);
  return PV_OK;
}

const struct pv_engine pv_engine_predicate = {
    .name = "predicate", .help = "predicate abstraction with refinement", .run = run};
