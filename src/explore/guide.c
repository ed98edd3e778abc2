#include "explore/guide.h"

#include <stdlib.h>

#include "distance/efsm.h"
#include "distance/fca.h"
#include "distance/fsm.h"
#include "distance/program.h"
#include "distance/targets.h"
#include "explore/moves.h"

/* The distances to one set of targets, by one of the measures. */
struct measure {
  struct pv_fca *fca;
  struct pv_efsm *efsm;
  struct pv_fsm *fsm;
};
/* How the goal's distance results from those of the threads. */
enum kind { NEAREST, REGION, ALL, RACE };
struct goal {
  enum kind kind;
  struct measure a, b; /* b: RACE */
};
/* The result of following a thread along branches that values decide. */
struct ahead {
  struct pv_estimate before;
  bool there; /* the path passes a target, at distance `error` */
  uint32_t error, create;
};
struct pv_guide {
  const struct pv_task *task;
  struct pv_space *space;
  struct pv_stacks *stacks;
  struct pv_moves_cache *cache; /* borrowed from the space */
  enum pv_heuristic heuristic;
  bool lower;
  const char *lacks;
  struct pv_points_to *pt; /* kept until the distances are computed */
  struct pv_call_graph *calls;
  struct pv_targets *targets;
  struct pv_dgraph *graph;
  PV_VEC(struct goal) goals;
  /* The distance that counts for a thread that cannot reach a place to wait at. */
  uint32_t absent;
  PV_VEC(struct pv_place_of) at; /* a thread's stack, top frame first */
  PV_VEC(uint32_t) nodes;        /* the same */
  struct pv_estimate *estimates; /* by goal, side and thread */
  struct ahead *ahead;           /* by goal and side; scratch */
  struct pv_result *result;      /* kept until the distances are computed, too */
};

static struct pv_estimate *of_threads(const struct pv_guide *g, uint32_t goal, bool second) {
  return g->estimates + ((size_t)goal * 2 + second) * PV_MAX_THREADS;
}

/* ---- goals ----------------------------------------------------------------------------------- */
static bool has_targets(const struct pv_targets *t) {
  return t->location.n || t->region.n || t->waits.n || t->races.n;
}

/* ---- focus ----------------------------------------------------------------------------------- */
static bool is_in_focus(const struct pv_guide *g, struct pv_place_of place) {
  const struct pv_program *p = g->task->program;
  const struct pv_function *f = &p->functions.at[place.function];
  const struct pv_location *l = &f->locs.at[place.loc];
  const struct pv_focus *focus = g->task->focus;
  for (uint32_t i = 0; l->n_out && i < focus->spans.n; i++) {
    const struct pv_span *here = pv_span_of(p, f->edges.at[l->first_out].span),
                         *there = pv_span_of(p, focus->spans.at[i]);
    if (here->file == there->file && here->line == there->line) return true;
  }
  return false;
}

static bool is_any_in_focus(const struct pv_guide *g, const pv_place_list *places) {
  for (uint32_t i = 0; i < places->n; i++)
    if (is_in_focus(g, places->at[i])) return true;
  return false;
}

static void keep_in_focus(const struct pv_guide *g, pv_place_list *places) {
  uint32_t kept = 0;
  if (!is_any_in_focus(g, places)) return;
  for (uint32_t i = 0; i < places->n; i++)
    if (is_in_focus(g, places->at[i])) places->at[kept++] = places->at[i];
  places->n = kept;
}

/* Races at the places of the focus, if there are any; and of their places only those. */
static void focus(struct pv_guide *g) {
  struct pv_targets *t = g->targets;
  bool any = false;
  if (!g->task->focus || g->lower) return;
  for (uint32_t i = 0; i < t->races.n; i++) any |= is_any_in_focus(g, &t->races.at[i].accesses);
  for (uint32_t i = 0; i < t->races.n && any; i++) {
    struct pv_race_targets *r = &t->races.at[i];
    if (is_any_in_focus(g, &r->accesses)) {
      keep_in_focus(g, &r->accesses);
      keep_in_focus(g, &r->writes);
    } else {
      r->accesses.n = r->writes.n = 0;
    }
  }
}

static void find_targets(struct pv_guide *g, pv_properties properties) {
  struct pv_str err = {0};
  pv_targets_free(g->targets);
  g->targets = NULL;
  enum pv_status status = pv_targets_new(g->task->program, g->pt, g->calls, properties,
                                         &g->task->options->mutex_region, &g->targets, &err);
  PV_REQUIRE(status == PV_OK, "regions were looked for before");
  focus(g);
  pv_str_free(&err);
}

/* Properties for which distances are no lower bounds, because the error may occur anywhere. */
static pv_properties without_bound(void) {
  return PV_PROP_BIT(PV_PROP_DEF_BEHAVIOR) | PV_PROP_BIT(PV_PROP_VALID_MEMTRACK) |
         PV_PROP_BIT(PV_PROP_VALID_MEMCLEANUP);
}

static void choose_targets(struct pv_guide *g) {
  const struct pv_options *o = g->task->options;
  pv_properties asked = g->task->properties;
  const pv_properties stages[] = {
      asked & (PV_PROP_BIT(PV_PROP_UNREACH_CALL) | PV_PROP_BIT(PV_PROP_INVARIANT) |
               PV_PROP_BIT(PV_PROP_OBSERVER)),
      asked & PV_PROP_BIT(PV_PROP_NO_DEADLOCK), asked & PV_PROP_BIT(PV_PROP_NO_DATA_RACE)};
  /* If regions are named, only they are goals: a nearer assertion would attract the search. */
  pv_properties named = asked & PV_PROP_BIT(PV_PROP_MUTUAL_EXCLUSION);
  if (!g->lower && named) {
    find_targets(g, named);
    return;
  }
  if (!g->lower && !o->property.n && !o->spec.n)
    for (size_t i = 0; i < sizeof stages / sizeof *stages; i++) {
      find_targets(g, stages[i]);
      if (has_targets(g->targets)) return;
    }
  find_targets(g, asked);
}

/* ---- measuring ------------------------------------------------------------------------------- */
/* EFSM distances with the largest context, up to the requested one, whose graph can be built with a
 * part of the remaining limits; NULL: not even without context. */
static struct pv_efsm *bounded(struct pv_guide *g, const uint32_t *nodes, uint32_t n) {
  struct pv_efsm *e = NULL, *next;
  struct pv_limits own = *g->task->limits;
  unsigned asked = (unsigned)g->task->options->context, k = 0;
  if (own.seconds > 0) own.seconds -= (own.seconds - pv_limits_elapsed(&own)) * 3 / 4;
  while (k <= asked && pv_efsm_new(g->graph, nodes, n, k, PV_EFSM_NODES, &own, &next) == PV_OK) {
    pv_efsm_free(e);
    e = next;
    k++;
  }
  if (k <= asked) {
    struct pv_str taken = {0};
    pv_str_addf(&taken, k ? "--context %u" : "--heuristic fca", k - 1);
    pv_vec_push(&g->result->notes,
                pv_format("distances are those of %s: the %u-bounded graph of the program has more "
                          "than %u nodes, or takes more than a quarter of what the limits leave",
                          pv_str_cstr(&taken), k, PV_EFSM_NODES));
    pv_str_free(&taken);
  }
  if (e && pv_efsm_nodes(e) > g->result->stats.distance_nodes)
    g->result->stats.distance_nodes = pv_efsm_nodes(e);
  return e;
}

static struct measure measure(struct pv_guide *g, const pv_place_list *places) {
  struct measure m = {0};
  uint32_t *nodes = pv_targets_nodes(g->graph, places);
  if (g->heuristic == PV_HEURISTIC_EFSM) m.efsm = bounded(g, nodes, places->n);
  if (g->heuristic == PV_HEURISTIC_FSM) m.fsm = pv_fsm_new(g->graph, nodes, places->n);
  if (!m.efsm && !m.fsm) m.fca = pv_fca_new(g->graph, nodes, places->n);
  free(nodes);
  return m;
}

static void clear(struct measure *m) {
  pv_fca_free(m->fca);
  pv_efsm_free(m->efsm);
  pv_fsm_free(m->fsm);
}

static void add_goal(struct pv_guide *g, enum kind kind, const pv_place_list *a,
                     const pv_place_list *b) {
  struct goal goal = {.kind = kind};
  if (!a->n) return;
  goal.a = measure(g, a);
  if (b) goal.b = measure(g, b);
  pv_vec_push(&g->goals, goal);
}

/* A number larger than the distance of every place from one where it may wait. */
static uint32_t farthest(struct pv_guide *g, const pv_place_list *places) {
  uint32_t most = 0, *nodes = pv_targets_nodes(g->graph, places);
  struct pv_fca *f = pv_fca_new(g->graph, nodes, places->n);
  for (uint32_t i = 0; i < g->graph->n; i++)
    if (f->at[i].error < PV_DISTANCE_MOST && f->at[i].error > most) most = f->at[i].error;
  pv_fca_free(f);
  free(nodes);
  return most + 1;
}

static enum pv_cost cost_of(const struct pv_guide *g) {
  if (!g->lower) return PV_COST_EDGES;
  return g->task->options->atomic == PV_ATOMIC_INSTRUCTION ? PV_COST_INSTRUCTION : PV_COST_VISIBLE;
}

static void find_distances(struct pv_guide *g) {
  const struct pv_program *p = g->task->program;
  g->pt = pv_points_to_new(p, NULL);
  g->calls = pv_call_graph_new(p, g->pt);
  choose_targets(g);
  g->graph = pv_dgraph_of_program(p, g->pt, g->calls, cost_of(g));
  PV_REQUIRE(g->graph->n == pv_stacks_nodes(g->stacks), "nodes are numbered alike");
  g->result->stats.distance_nodes = g->graph->n;
  const struct pv_targets *t = g->targets;
  add_goal(g, NEAREST, &t->location, NULL);
  add_goal(g, REGION, &t->region, NULL);
  add_goal(g, ALL, g->lower ? &t->stuck : &t->waits, NULL);
  g->absent = PV_DISTANCE_NONE;
  if (t->waits.n && !g->lower) g->absent = farthest(g, &t->waits);
  for (uint32_t i = 0; i < t->races.n; i++)
    add_goal(g, RACE, &t->races.at[i].writes, &t->races.at[i].accesses);
  if (!g->goals.n)
    pv_vec_push(
        &g->result->notes,
        pv_strdup("no place in the program is known for such errors, so that nothing guides "
                  "the search"));
  g->estimates = pv_alloc(((size_t)g->goals.n * 2 + 1) * PV_MAX_THREADS * sizeof *g->estimates);
  g->ahead = pv_alloc(((size_t)g->goals.n * 2 + 1) * sizeof *g->ahead);
  pv_call_graph_free(g->calls);
  pv_points_to_free(g->pt);
}

static const char *what_lacks(const struct pv_guide *g) {
  bool measured = g->heuristic >= PV_HEURISTIC_FSM;
  if (g->heuristic == PV_HEURISTIC_RANDOM) return "random estimates are no lower bounds";
  if (!measured) return NULL; /* all distances would be 0 */
  if (g->task->options->atomic == PV_ATOMIC_STATEMENT)
    return "at --atomic statement a transition may do any number of operations";
  if (g->task->properties & without_bound())
    return "there is none of def-behavior, valid-memtrack and valid-memcleanup";
  return NULL;
}

void pv_guide_follow(struct pv_guide *g, struct pv_space *space, struct pv_moves_cache *cache) {
  pv_stacks_free(g->stacks);
  g->space = space;
  g->cache = cache;
  g->stacks = pv_stacks_new(g->task->program, space);
}

struct pv_guide *pv_guide_new(const struct pv_task *task, struct pv_space *space,
                              struct pv_moves_cache *cache, bool lower, struct pv_result *result) {
  struct pv_guide *g = pv_alloc(sizeof *g);
  double before = pv_limits_elapsed(task->limits);
  g->task = task;
  pv_guide_follow(g, space, cache);
  g->lower = lower;
  g->result = result;
  g->heuristic = (enum pv_heuristic)task->options->heuristic;
  if (g->heuristic == PV_HEURISTIC_AUTO) g->heuristic = PV_HEURISTIC_EFCA;
  if (task->program->has_jumps) g->heuristic = PV_HEURISTIC_NONE; /* distances ignore longjmp */
  if (lower) g->lacks = what_lacks(g);
  if (g->heuristic >= PV_HEURISTIC_FSM) find_distances(g);
  result->stats.distance_seconds = pv_limits_elapsed(task->limits) - before;
  g->result = NULL;
  return g;
}

void pv_guide_free(struct pv_guide *g) {
  if (!g) return;
  for (uint32_t i = 0; i < g->goals.n; i++) {
    clear(&g->goals.at[i].a);
    clear(&g->goals.at[i].b);
  }
  pv_vec_free(&g->goals);
  pv_vec_free(&g->at);
  pv_vec_free(&g->nodes);
  pv_targets_free(g->targets);
  pv_dgraph_free(g->graph);
  pv_stacks_free(g->stacks);
  free(g->estimates);
  free(g->ahead);
  free(g);
}

const char *pv_guide_lacks(const struct pv_guide *g) {
  return g->lacks;
}

/* ---- the current state ----------------------------------------------------------------------- */
static void look_at_stack(struct pv_guide *g, unsigned thread) {
  g->at.n = g->nodes.n = 0;
  for (uint32_t i = g->space->depth[thread]; i-- > 0;) {
    uint32_t node = pv_stacks_node(g->stacks, thread, i);
    pv_vec_push(&g->nodes, node);
    if (g->heuristic == PV_HEURISTIC_EFSM) pv_vec_push(&g->at, pv_stacks_place(g->stacks, node));
  }
}

/* The estimate of one measure for the stack that look_at_stack read last. */
static struct pv_estimate of_stack(const struct pv_guide *g, const struct measure *m) {
  uint32_t n = g->nodes.n;
  if (m->efsm) return pv_efsm_stack(m->efsm, g->at.at, n);
  if (m->fsm) {
    uint32_t node = g->nodes.at[0];
    return (struct pv_estimate){m->fsm->error[node],
                                m->fsm->create ? m->fsm->create[node] : PV_DISTANCE_NONE};
  }
  struct pv_estimate below = PV_ESTIMATE_NONE;
  /* FCA does not know where execution continues after the function. */
  if (g->heuristic == PV_HEURISTIC_FCA) {
    if (n > 1) below.error = 0;
    if (n > 1 && m->fca->creates) below.create = 0;
    n = 1;
  }
  while (n--) below = pv_estimate_above(m->fca->at[g->nodes.at[n]], below, g->graph->leave);
  return below;
}

/* Is the thread inside a region? A region may be a whole function. */
static bool is_inside(const struct pv_guide *g) {
  for (uint32_t i = 0; i < g->nodes.n; i++)
    if (g->targets->in_region[pv_stacks_place(g->stacks, g->nodes.at[i]).function]) return true;
  return false;
}

/* Combines the distances of the n threads to the i-th goal. */
static uint32_t of_goal(const struct pv_guide *g, uint32_t i, uint32_t n) {
  const struct pv_estimate *a = of_threads(g, i, false);
  switch (g->goals.at[i].kind) {
  case NEAREST: return pv_threads_nearest(a, n);
  case REGION: return pv_threads_two(a, a, n);
  case RACE: return pv_threads_two(a, of_threads(g, i, true), n);
  case ALL: return pv_threads_all(a, n, g->absent);
  }
  return 0;
}

static void measure_thread(struct pv_guide *g, unsigned thread, uint32_t n) {
  look_at_stack(g, thread);
  for (uint32_t i = 0; i < g->goals.n; i++) {
    const struct goal *goal = &g->goals.at[i];
    struct pv_estimate *e = &of_threads(g, i, false)[n];
    *e = of_stack(g, &goal->a);
    if (goal->kind == REGION && is_inside(g)) e->error = 0;
    if (goal->kind == RACE) of_threads(g, i, true)[n] = of_stack(g, &goal->b);
  }
}

/* ---- look-ahead ------------------------------------------------------------------------------ */
/* Does the thread have exactly one alternative, whose execution no other thread can observe? */
static bool is_decided(struct pv_guide *g, unsigned thread) {
  unsigned progress, exclusive = pv_vm_exclusive(g->space->vm);
  if (!g->space->depth[thread] || (exclusive != PV_NO_THREAD && exclusive != thread)) return false;
  const struct pv_pending *p = pv_moves_next(g->cache, thread);
  bool reads = p->kind == PV_PEND_ACCESS && !p->write;
  if (!reads && p->kind != PV_PEND_LOCAL) return false;
  return pv_moves_alternatives(g->cache, thread, &progress) == 1;
}

/* Updates one goal's result with the estimate after `step` steps. */
static void follow(struct ahead *a, struct pv_estimate now, uint32_t step) {
  if (a->there) return;
  a->there = now.error == 0;
  a->error = pv_distance_add(now.error, step);
  a->create = pv_distance_add(now.create, step);
}

static uint32_t larger(uint32_t a, uint32_t b) {
  return a > b ? a : b;
}

/* Look-ahead for the n-th measured thread: executed alone, it takes the branches that current
 * values decide. Its estimate becomes that along this path. */
static void look_ahead(struct pv_guide *g, unsigned thread, uint32_t n,
                       const struct pv_mark *mark) {
  struct pv_space *s = g->space;
  uint32_t most = (uint32_t)g->task->options->look_ahead, top = s->top_leaf[thread];
  uint32_t depth = s->depth[thread], state = s->at, sides = 2 * g->goals.n;
  if (!is_decided(g, thread)) return;
  for (uint32_t i = 0; i < sides; i++) {
    struct pv_estimate e = of_threads(g, i / 2, i % 2)[n];
    g->ahead[i] = (struct ahead){.before = e};
    follow(&g->ahead[i], e, 0);
  }
  for (uint32_t step = 1; step <= most && is_decided(g, thread); step++) {
    if (pv_space_try(s, thread, 0) != PV_RAN || !s->depth[thread]) break;
    measure_thread(g, thread, n);
    for (uint32_t i = 0; i < sides; i++) follow(&g->ahead[i], of_threads(g, i / 2, i % 2)[n], step);
    /* It is in a loop that waits for others. */
    if (s->top_leaf[thread] == top && s->depth[thread] == depth) break;
  }
  pv_space_back(s, state, mark);
  for (uint32_t i = 0; i < sides; i++) {
    const struct ahead *a = &g->ahead[i];
    of_threads(g, i / 2, i % 2)[n] = (struct pv_estimate){larger(a->error, a->before.error),
                                                          larger(a->create, a->before.create)};
  }
}

static uint32_t measure_threads(struct pv_guide *g) {
  pv_threads alive = pv_vm_alive_set(g->space->vm);
  struct pv_mark mark = pv_space_mark(g->space);
  uint32_t n = 0;
  PV_FOR_THREADS(t, alive) {
    if (!g->space->depth[t]) continue;
    measure_thread(g, t, n);
    if (!g->lower && g->task->options->look_ahead) look_ahead(g, t, n, &mark);
    n++;
  }
  return n;
}

uint32_t pv_guide_estimate(struct pv_guide *g) {
  if (g->lacks) return 0;
  if (g->heuristic == PV_HEURISTIC_NONE) return 0;
  if (g->heuristic == PV_HEURISTIC_RANDOM)
    return (uint32_t)pv_hash_word((uint64_t)g->task->options->seed << 32 | g->space->at) >> 8;
  uint32_t n = measure_threads(g), least = PV_DISTANCE_NONE;
  for (uint32_t i = 0; i < g->goals.n; i++) least = pv_distance_min(least, of_goal(g, i, n));
  return least;
}
