#include "cpa/assumption_internal.h"

#include "cpa/monitor.h"
#include "cpa/given_inputs.h"
#include "condition/frontier.h"
#include "vm/branches.h"

#include <stdlib.h>
#include <string.h>

enum {
  /* States of an automaton; if it needs more, it is folded. A graph that is complete, but for what
   * was given up, shows which paths matter. One that a limit ended, mostly within a loop, shows how
   * far it came. */
  MOST_STATES = 20000,
  MOST_IF_ENDED = 200,
  MOST_NODES = 64 /* of one state */
};

/* ---- out ------------------------------------------------------------------------------------- */
uint32_t pv_assumption_node(const struct pv_cpa *cpa, uint32_t node) {
  while (pv_cpa_node(cpa, node)->covered_by != PV_NO_NODE)
    node = pv_cpa_node(cpa, node)->covered_by;
  return node;
}

/* Is the move given up, everywhere or at this node? */
bool pv_assumption_gives_up(const struct pv_automaton_builder *b, uint32_t node,
                            const struct pv_move *m) {
  const uint32_t key[2] = {m->frame, m->edge}, at[3] = {node, m->frame, m->edge};
  return pv_map_get(&b->given_up, key, sizeof key) || pv_map_get(&b->later, at, sizeof at) ||
         pv_monitor_left_out(b->g->monitor, node, m->frame, m->edge);
}

bool pv_assumption_may_give_up(const struct pv_automaton_builder *b, uint32_t node) {
  return b->given_up.n || b->later.n || pv_monitor_left_out(b->g->monitor, node, UINT32_MAX, 0);
}

/* Does the node itself wait, or have an event that was given up? */
static bool is_open(const struct pv_automaton_builder *b, uint32_t node, pv_moves *moves) {
  const struct pv_node *n = pv_cpa_node(b->cpa, node);
  if (n->removed) return false;
  if (n->waiting || (!n->expanded && n->covered_by == PV_NO_NODE)) return true;
  if (n->covered_by != PV_NO_NODE || !pv_assumption_may_give_up(b, node)) return false;
  moves->n = 0;
  pv_control_moves(b->g->control, n->state.at, moves);
  for (uint32_t i = 0; i < moves->n; i++)
    if (pv_assumption_gives_up(b, node, &moves->at[i])) return true;
  return false;
}

/* Marks predecessors of open nodes, through parents and through nodes that are covered. */
static void spread(struct pv_automaton_builder *b) {
  PV_VEC(uint32_t) todo = {0};
  pv_moves moves = {0};
  uint32_t n = pv_cpa_nodes(b->cpa);
  b->open = pv_alloc(n + 1);
  for (uint32_t i = 0; i < n; i++)
    if (is_open(b, i, &moves)) {
      b->open[i] = 1;
      pv_vec_push(&todo, i);
    }
  while (todo.n) {
    const struct pv_node *x = pv_cpa_node(b->cpa, pv_vec_pop(&todo));
    for (uint32_t i = 0; i < x->parents.n + x->covered.n; i++) {
      uint32_t node = i < x->parents.n ? x->parents.at[i].node : x->covered.at[i - x->parents.n];
      if (b->open[node]) continue;
      b->open[node] = 1;
      pv_vec_push(&todo, node);
    }
  }
  pv_vec_free(&todo);
  pv_vec_free(&moves);
}

static int by_number(const void *a, const void *b) {
  uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return x < y ? -1 : x > y;
}

/* Makes classes of the nodes at equal points. A class is open if one of its nodes is. */
static void fold(struct pv_automaton_builder *b) {
  struct pv_map points = {0};
  uint32_t n = pv_cpa_nodes(b->cpa);
  b->fold = pv_alloc((n + 1) * sizeof *b->fold);
  b->next = pv_alloc((n + 1) * sizeof *b->next);
  for (uint32_t i = n; i-- > 0;) {
    const struct pv_node *x = pv_cpa_node(b->cpa, i);
    b->fold[i] = i;
    b->next[i] = PV_NO_NODE;
    if (x->removed || x->covered_by != PV_NO_NODE) continue;
    bool is_new;
    uint32_t *latest = pv_map_put(&points, &x->state.at, sizeof x->state.at, i, &is_new);
    if (!is_new) b->next[i] = *latest;
    *latest = i;
  }
  for (uint32_t i = 0; i < n; i++) /* the first one of each list stands for all */
    for (uint32_t k = b->next[i]; k != PV_NO_NODE && b->fold[i] == i; k = b->next[k]) {
      b->fold[k] = i;
      b->open[i] |= b->open[k];
    }
  pv_map_free(&points);
}

static bool is_waiting(const struct pv_automaton_builder *b, uint32_t node) {
  for (; node != PV_NO_NODE; node = b->fold ? b->next[node] : PV_NO_NODE) {
    const struct pv_node *x = pv_cpa_node(b->cpa, node);
    if (x->waiting || !x->expanded) return true;
  }
  return false;
}

/* The automaton's state for a set of nodes, which is sorted here. */
static uint32_t state_of(struct pv_automaton_builder *b, uint32_t *nodes, uint32_t n,
                         bool is_open) {
  if (is_open) return PV_AUTOMATON_OPEN;
  uint32_t kept = 0;
  for (uint32_t i = 0; b->fold && i < n; i++) nodes[i] = b->fold[nodes[i]];
  qsort(nodes, n, sizeof *nodes, by_number);
  for (uint32_t i = 0; i < n; i++) {
    if (!b->open[nodes[i]] || (kept && nodes[kept - 1] == nodes[i])) continue;
    nodes[kept++] = nodes[i];
  }
  if (!kept) return PV_AUTOMATON_VERIFIED;
  for (uint32_t i = 0; i < kept; i++)
    if (is_waiting(b, nodes[i])) return PV_AUTOMATON_OPEN;
  if (kept > MOST_NODES) return PV_AUTOMATON_OPEN;
  const uint32_t *known = pv_map_get(&b->sets, nodes, kept * sizeof *nodes);
  if (known) return *known;
  if (b->sets.n >= b->most && !b->fold) {
    b->overflows = true;
    return PV_AUTOMATON_OPEN;
  }
  uint32_t state = PV_AUTOMATON_FIRST + b->sets.n;
  pv_map_put(&b->sets, nodes, kept * sizeof *nodes, state, NULL);
  return state;
}

/* The thread, function and edge of a move. */
struct pv_automaton_move pv_assumption_letter(const struct pv_automaton_builder *b,
                                              const struct pv_move *m) {
  const struct pv_frame *f = pv_control_frame(b->g->control, m->frame);
  return (struct pv_automaton_move){.thread = f->thread, .function = f->function, .edge = m->edge};
}

struct step {
  struct pv_automaton_move letter;
  uint32_t node; /* PV_NO_NODE: an event that was given up */
};

typedef PV_VEC(struct step) steps_list;

/* Adds what leads away from a node. Of a class, steps to one place count once. */
static void add_steps(struct pv_automaton_builder *b, uint32_t node, pv_moves *moves,
                      steps_list *steps) {
  const struct pv_node *x = pv_cpa_node(b->cpa, node);
  for (uint32_t k = 0; k < x->children.n; k++) {
    uint32_t child = pv_assumption_node(b->cpa, x->children.at[k].node);
    struct step s = {pv_assumption_letter(b, &x->children.at[k].move),
                     b->fold ? b->fold[child] : child};
    bool known = false;
    for (uint32_t i = 0; b->fold && i < steps->n && !known; i++)
      known = steps->at[i].node == s.node && pv_same_letter(&steps->at[i].letter, &s.letter);
    if (!known) pv_vec_push(steps, s);
  }
  moves->n = 0;
  if (pv_assumption_may_give_up(b, node)) pv_control_moves(b->g->control, x->state.at, moves);
  for (uint32_t k = 0; k < moves->n; k++) {
    struct step s = {pv_assumption_letter(b, &moves->at[k]), PV_NO_NODE};
    if (pv_assumption_gives_up(b, node, &moves->at[k])) pv_vec_push(steps, s);
  }
}

/* Adds the transitions of one state. */
static void add_moves(struct pv_automaton_builder *b, uint32_t state, const uint32_t *nodes,
                      uint32_t n) {
  steps_list steps = {0};
  PV_VEC(uint32_t) next = {0};
  pv_moves moves = {0};
  for (uint32_t i = 0; i < n; i++)
    for (uint32_t k = nodes[i]; k != PV_NO_NODE; k = b->fold ? b->next[k] : PV_NO_NODE)
      add_steps(b, k, &moves, &steps);
  for (uint32_t i = 0; i < steps.n; i++) {
    bool is_first = true, opens = false;
    for (uint32_t k = 0; k < i && is_first; k++)
      is_first = !pv_same_letter(&steps.at[k].letter, &steps.at[i].letter);
    if (!is_first) continue;
    next.n = 0;
    for (uint32_t k = i; k < steps.n; k++) {
      if (!pv_same_letter(&steps.at[k].letter, &steps.at[i].letter)) continue;
      opens |= steps.at[k].node == PV_NO_NODE;
      if (steps.at[k].node != PV_NO_NODE) pv_vec_push(&next, steps.at[k].node);
    }
    struct pv_automaton_move m = steps.at[i].letter;
    m.from = state;
    m.to = state_of(b, next.at, next.n, opens);
    if (m.to != b->part->otherwise) pv_vec_push(&b->part->moves, m);
  }
  pv_vec_free(&steps);
  pv_vec_free(&next);
  pv_vec_free(&moves);
}

/* Is all that follows some abstract state verified? */
static bool verifies_some(const struct pv_automaton_builder *b) {
  for (uint32_t i = 0; i < pv_cpa_nodes(b->cpa); i++) {
    const struct pv_node *n = pv_cpa_node(b->cpa, i);
    if (!b->open[i] && !n->removed && n->expanded) return true;
  }
  return false;
}

static void add_states(struct pv_automaton_builder *b) {
  uint32_t root = pv_assumption_node(b->cpa, 0), one = root;
  uint32_t first = state_of(b, &one, 1, false);
  /* The set that contains only the root must be the first state. */
  if (first != PV_AUTOMATON_FIRST)
    pv_map_put(&b->sets, &root, sizeof root, PV_AUTOMATON_FIRST, NULL);
  if (first == PV_AUTOMATON_OPEN) { /* the root was not expanded: every edge leads to `open` */
    b->part->otherwise = PV_AUTOMATON_OPEN;
    return;
  }
  for (uint32_t i = 0; i < b->sets.n && !b->overflows; i++) {
    uint32_t n = b->sets.entry[i].key_len / (uint32_t)sizeof(uint32_t);
    uint32_t *nodes = pv_alloc(n * sizeof *nodes);
    memcpy(nodes, b->sets.entry[i].key, n * sizeof *nodes);
    add_moves(b, PV_AUTOMATON_FIRST + i, nodes, n);
    free(nodes);
  }
}

/* Returns whether anything is verified. */
static bool build(struct pv_automaton_builder *b) {
  spread(b);
  b->most = MOST_STATES;
  for (uint32_t i = 0; i < pv_cpa_nodes(b->cpa); i++) {
    const struct pv_node *n = pv_cpa_node(b->cpa, i);
    if (n->waiting && !n->removed) b->most = MOST_IF_ENDED;
  }
  b->part->kind = PV_OPEN_AUTOMATON;
  add_states(b);
  bool some = verifies_some(b);
  if (b->overflows) {
    b->overflows = false;
    pv_map_free(&b->sets);
    b->sets = (struct pv_map){0};
    b->part->moves.n = 0;
    fold(b);
    add_states(b);
  }
  b->part->states = PV_AUTOMATON_FIRST + b->sets.n;
  free(b->open);
  free(b->fold);
  free(b->next);
  pv_map_free(&b->sets);
  return some;
}

static bool build_scheduled(struct pv_automaton_builder *b) {
  spread(b);
  bool some = pv_assumption_build_scheduled(b);
  free(b->open);
  return some;
}

/* Is it a proviso that the reached set describes? */
static bool is_explained(const struct pv_proviso *p) {
  return !p->part && !pv_proviso_is_assumption(p->kind) && p->kind != PV_PROVISO_CRASH;
}

static void give_up(struct pv_automaton_builder *b, uint32_t frame, uint32_t edge) {
  const uint32_t key[2] = {frame, edge};
  pv_map_put(&b->given_up, key, sizeof key, 0, NULL);
}

/* Collects the events that were given up, and those that were not examined yet. */
static void find_given_up(struct pv_automaton_builder *b, const struct pv_cegar *run) {
  for (uint32_t i = 0; i < b->g->given_up.n; i++) {
    struct pv_event_place place;
    memcpy(&place, b->g->given_up.entry[i].key, sizeof place);
    give_up(b, place.frame, place.edge);
  }
  for (uint32_t i = 0; i < run->later.n; i++) {
    const struct pv_candidate_error *s = &run->later.at[i];
    const uint32_t key[3] = {s->node, s->move.frame, s->move.edge};
    if (!pv_cpa_node(b->cpa, s->node)->removed) pv_map_put(&b->later, key, sizeof key, 0, NULL);
  }
}

/* ---- out, under a given frontier ------------------------------------------------------------- */

/* The frontier, if at most values of inputs are open besides and its prefixes can be followed. */
static const struct pv_open_part *frontier_of(const struct pv_task *task, bool *inputs) {
  bool preemptive = pv_sched_of(task->program->sched)->preemptive;
  *inputs = false;
  if (!task->given || !preemptive || task->program->has_jumps) return NULL;
  const struct pv_open_part *part =
      pv_condition_beside_inputs(task->given, PV_OPEN_FRONTIER, inputs);
  if (*inputs && !pv_given_inputs_is_usable(task->given, task->program, true)) return NULL;
  return part;
}

/* Is all that follows a node at a prefix explored, but for what follows longer prefixes? */
static bool is_done(const struct pv_automaton_builder *b, uint32_t node, pv_moves *moves) {
  const struct pv_node *n = pv_cpa_node(b->cpa, node);
  if (n->covered_by != PV_NO_NODE) return !b->open[node];
  if (n->waiting || !n->expanded) return false;
  if (!n->follows_prefixes && is_open(b, node, moves)) return false;
  for (uint32_t i = 0; i < n->children.n; i++) {
    uint32_t child = n->children.at[i].node;
    if (!pv_cpa_node(b->cpa, child)->prefix && b->open[child]) return false;
  }
  return true;
}

/* By node of the tree of prefixes: something at it or above it is still to be explored. Then what
 * follows it may be open. */
static uint8_t *find_undone(const struct pv_automaton_builder *b) {
  const struct pv_prefixes *p = pv_cpa_prefixes(b->cpa);
  uint8_t *undone = pv_alloc(p->nodes.n + 1);
  pv_moves moves = {0};
  for (uint32_t i = 0; i < pv_cpa_nodes(b->cpa); i++) {
    const struct pv_node *n = pv_cpa_node(b->cpa, i);
    if (n->prefix && !n->removed && !is_done(b, i, &moves)) undone[n->prefix - 1] = 1;
  }
  pv_vec_free(&moves);
  for (uint32_t i = 0; i < p->nodes.n; i++) /* children follow their parents */
    for (uint32_t k = p->nodes.at[i].child; k; k = p->nodes.at[k].next) undone[k] |= undone[i];
  return undone;
}

/* The frontier without the prefixes that are done with. An open execution continues one of them, up
 * to equivalence; if the graph has no open node behind this one, it was explored. Returns whether
 * there is such a prefix. */
static bool shorten(struct pv_automaton_builder *b, const struct pv_open_part *frontier) {
  const struct pv_prefixes *p = pv_cpa_prefixes(b->cpa);
  uint8_t *keep = pv_alloc(frontier->prefixes.n + 1);
  uint32_t open = 0, kept = 0;
  spread(b);
  uint8_t *undone = find_undone(b);
  for (uint32_t i = 0; i < frontier->prefixes.n; i++) {
    if (!frontier->prefixes.at[i].is_open) continue;
    open++;
    kept += keep[i] = undone[p->opens.at[i]];
  }
  bool shorter = kept && kept < open;
  if (shorter) pv_frontier_keep(frontier, keep, b->part);
  free(undone);
  free(keep);
  free(b->open);
  return shorter;
}

static void leave_open(const struct pv_cegar *run, struct pv_result *result) {
  bool inputs;
  if (!run->cpa) return;
  const struct pv_open_part *frontier =
      pv_cpa_prefixes(run->cpa) ? frontier_of(run->context->task, &inputs) : NULL;
  struct pv_condition *c = &result->condition;
  const struct pv_analysis_context *g = run->context;
  struct pv_open_part part = {0};
  struct pv_automaton_builder b = {.g = g, .cpa = run->cpa, .part = &part};
  bool any = false;
  if (!g->task->wants_parts || result->violations.n) return;
  if (!pv_cpa_nodes(b.cpa) || pv_context_lost(g)) return;
  for (uint32_t i = 0; i < c->provisos.n; i++) any |= is_explained(&c->provisos.at[i]);
  if (!any) return;
  find_given_up(&b, run);
  part.otherwise = pv_control_has_threads(g->control) ? PV_AUTOMATON_OPEN : PV_AUTOMATON_VERIFIED;
  bool executes = pv_control_executes_scheduler(g->control);
  bool some = frontier ? shorten(&b, frontier) : executes ? build_scheduled(&b) : build(&b);
  if (some && result->verdict == PV_UNKNOWN) { /* the condition is worth stating */
    result->verdict = PV_CONDITIONAL;
    free(result->reason);
    result->reason = NULL;
  }
  pv_map_free(&b.given_up);
  pv_map_free(&b.later);
  if ((frontier || executes) && !some) { /* what was given, or everything, stays open */
    pv_open_part_clear(&part);
    return;
  }
  pv_vec_push(&c->parts, part);
  for (uint32_t i = 0; i < c->provisos.n; i++)
    if (is_explained(&c->provisos.at[i])) c->provisos.at[i].part = c->parts.n;
}

void pv_assumption_leave_open(const struct pv_cegar *run) {
  leave_open(run, run->result);
}

static void pause(void *user) {
  struct pv_assumption_interim *x = user;
  const struct pv_analysis_context *g = x->run->context;
  if (!pv_checkpoint_is_due(g->task, &x->timer) || x->run->result->violations.n) return;
  if (pv_context_lost(g)) return;
  double began = pv_clock();
  struct pv_result interim = {.verdict = PV_UNKNOWN,
                              .reason = pv_strdup("the analysis did not come to an end")};
  interim.checked = g->task->properties & pv_context_checked(g);
  pv_condition_copy(&interim.condition, &x->run->result->condition);
  uint64_t states = pv_cpa_stats(x->run->cpa)->expanded;
  pv_condition_add(&interim.condition, PV_PROVISO_INTERRUPT, NULL, 0,
                   "no error lies beyond the %llu abstract states explored (interrupted)",
                   (unsigned long long)states);
  interim.stats.states = states;
  interim.stats.refinements = x->run->refinements;
  leave_open(x->run, &interim);
  pv_checkpoint(g->task, &interim);
  pv_result_clear(&interim);
  pv_checkpoint_done(&x->timer, began);
}

void pv_assumption_interim(const struct pv_cegar *run, struct pv_assumption_interim *out) {
  if (run->context->monitor) return; /* it tells what it left out only at the end */
  out->run = run;
  pv_cpa_set_pause(run->cpa, pause, out);
}

/* ---- in -------------------------------------------------------------------------------------- */
struct pv_assumption_guide {
  const struct pv_open_part *part;
  struct pv_open_part branches; /* what `part` refers to if a frontier was given */
  const struct pv_control *control;
  struct pv_analysis analysis;
  struct pv_map moves; /* from, thread, function, edge -> to */
  bool is_idle;        /* graphs begin with `open` */
  /* NULL: none; executions are open besides in which an input has a new value. */
  struct pv_given_inputs *untried;
  struct pv_symbolic *symbolic; /* which it restricts then */
};

/* A state of the automaton is its number + 1, so that none is NULL. */
static const void *state_at(uint32_t state) {
  return (const void *)(uintptr_t)(state + 1);
}

static const void *initial(void *self) {
  const struct pv_assumption_guide *guide = self;
  return state_at(guide->is_idle ? PV_AUTOMATON_OPEN : PV_AUTOMATON_FIRST);
}

/* An automaton over branches moves at these only. */
static bool is_branch(const struct pv_assumption_guide *guide, const struct pv_move *move) {
  const struct pv_function *f = pv_control_function(guide->control, move->frame);
  return f->locs.at[f->edges.at[move->edge].from].n_out > 1;
}

static uint32_t next_state(const struct pv_assumption_guide *guide, uint32_t now,
                           const struct pv_move *move) {
  if (now < PV_AUTOMATON_FIRST || pv_move_is_stuck(move)) return now;
  const struct pv_frame *f = pv_control_frame(guide->control, move->frame);
  const uint32_t key[4] = {now, f->thread, f->function, move->edge};
  const uint32_t *next = pv_map_get(&guide->moves, key, sizeof key);
  if (!next && guide->part == &guide->branches && !is_branch(guide, move)) return now;
  return next ? *next : guide->part->otherwise;
}

static void transfer(void *self, const void *state, const struct pv_move *move,
                     struct pv_post *out) {
  const struct pv_assumption_guide *guide = self;
  uint32_t to = next_state(guide, (uint32_t)(uintptr_t)state - 1, move);
  out->state = to == PV_AUTOMATON_VERIFIED && !guide->untried ? NULL : state_at(to);
}

/* If an execution is open because an input has a new value, too, it is not left at `verified`. The
 * symbolic states are restricted there (given_inputs.h). */
static void mark(void *self, const void *state, struct pv_move *move) {
  const struct pv_assumption_guide *guide = self;
  uint32_t now = (uint32_t)(uintptr_t)state - 1;
  move->outside = PV_OUTSIDE_NOT;
  if (guide->untried && next_state(guide, now, move) == PV_AUTOMATON_VERIFIED)
    move->outside = now == PV_AUTOMATON_VERIFIED ? PV_OUTSIDE_IS : PV_OUTSIDE_LEAVES;
}

void pv_assumption_begin(const struct pv_analysis_context *g, struct pv_cpa *cpa,
                         struct pv_prefixes *out) {
  bool inputs;
  const struct pv_open_part *frontier = frontier_of(g->task, &inputs);
  if (!frontier || !pv_control_has_threads(g->control)) return;
  if (pv_prefixes_find(g->task, frontier, out)) pv_cpa_set_prefixes(cpa, out);
}

bool pv_assumption_takes(const struct pv_task *task) {
  bool inputs;
  return pv_condition_only(task->given, PV_OPEN_AUTOMATON) || frontier_of(task, &inputs) ||
         pv_given_inputs_is_usable(task->given, task->program, false);
}

bool pv_assumption_guide_is_worthwhile(const struct pv_task *task) {
  enum { MOST = 200 }; /* states */
  const struct pv_open_part *part =
      task->given ? pv_condition_only(task->given, PV_OPEN_AUTOMATON) : NULL;
  return part && part->states <= MOST;
}

/* Values of inputs are open besides a frontier, which the guide knows. */
static void restrict_outside(struct pv_assumption_guide *guide,
                             const struct pv_analysis_context *g) {
  guide->untried = pv_given_inputs_new(g->task->given, g->task->program, g->pt, true);
  guide->symbolic = g->symbolic;
  guide->analysis.mark = mark;
  pv_symbolic_restrict_outside(g->symbolic, guide->untried);
}

struct pv_assumption_guide *pv_assumption_guide_new(const struct pv_analysis_context *g) {
  bool inputs;
  const struct pv_condition *given = g->task->given;
  const struct pv_open_part *part = given ? pv_condition_only(given, PV_OPEN_AUTOMATON) : NULL;
  const struct pv_open_part *frontier = frontier_of(g->task, &inputs);
  struct pv_open_part branches = {0};
  if (!part && frontier && pv_frontier_branches(g->task, frontier, &branches)) part = &branches;
  if (!part) return NULL;
  struct pv_assumption_guide *guide = pv_alloc(sizeof *guide);
  guide->branches = branches;
  guide->part = part == &branches ? &guide->branches : part;
  part = guide->part;
  guide->control = g->control;
  for (uint32_t i = 0; i < part->moves.n; i++) {
    const struct pv_automaton_move *m = &part->moves.at[i];
    const uint32_t key[4] = {m->from, m->thread, m->function, m->edge};
    pv_map_put(&guide->moves, key, sizeof key, m->to, NULL);
  }
  guide->analysis = (struct pv_analysis){.name = "assumptions",
                                         .self = guide,
                                         .initial = initial,
                                         .transfer = transfer,
                                         .covers = pv_same_covers,
                                         .class_of = pv_same_class,
                                         .excludes = true};
  if (part == &guide->branches && inputs) restrict_outside(guide, g);
  return guide;
}

void pv_assumption_guide_free(struct pv_assumption_guide *guide) {
  if (!guide) return;
  if (guide->untried) pv_symbolic_restrict_outside(guide->symbolic, NULL);
  pv_given_inputs_free(guide->untried);
  pv_map_free(&guide->moves);
  pv_open_part_clear(&guide->branches);
  free(guide);
}

void pv_assumption_guide_rest(struct pv_assumption_guide *guide, bool rests) {
  if (guide) guide->is_idle = rests;
}

const struct pv_analysis *pv_assumption_guide_analysis(struct pv_assumption_guide *guide) {
  return &guide->analysis;
}
