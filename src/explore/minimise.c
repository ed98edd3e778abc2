#include "explore/minimise.h"

#include <stdlib.h>

#include "explore/moves.h"
#include "explore/replay.h"

/* A node of the search: the last choice of a path. */
struct node {
  uint32_t state, parent; /* parent: a node; the initial one is its own parent */
  uint32_t transitions;
  uint32_t error; /* 1 + the violation in which the transition ended; 0: it led to `state` */
  uint16_t thread, alternative;
};
/* The cost at which a state was expanded first, and the threads that were the last to move when it
 * was expanded. */
struct turn {
  struct pv_path_cost cost;
  pv_threads threads; /* empty: not expanded yet */
};
struct queue {
  PV_VEC(uint32_t) nodes; /* sorted by number of transitions */
  uint32_t next;
};
struct minimiser {
  const struct pv_task *task;
  struct pv_result *result;
  struct pv_limits limits; /* the limits of the run, which are not hit yet */
  struct pv_condition ignored;
  struct pv_vm *vm;
  struct pv_space space;
  struct pv_moves_cache *cache;
  struct pv_moves moves;
  PV_VEC(struct node) nodes;
  PV_VEC(struct turn) turns; /* by state */
  /* Nodes of the current level: inherited from the one before, its own, and those for the next
   * one. */
  struct queue inherited, own, handed_on;
  uint32_t switches;         /* the current level: number of context switches */
  PV_VEC(uint32_t) found;    /* by violation: 1 + its node; 0: not yet */
  uint32_t missing;          /* violations not yet found */
  struct pv_path_cost bound; /* the cost of the most expensive of their known paths */
  uint32_t node;             /* the node being expanded */
  bool stopped;              /* a limit ended the search */
  bool too_deep;             /* the depth limit left something out */
};

/* ---- missing errors -------------------------------------------------------------------------- */
static struct pv_error_key key_of(const struct pv_violation *v) {
  return (struct pv_error_key){v->property, v->span, v->message};
}

static struct pv_path_cost known_cost(const struct pv_violation *v) {
  return pv_path_cost(v->path.choices.at, v->path.choices.n);
}

static bool is_missing(const struct minimiser *m, uint32_t violation) {
  return m->result->violations.at[violation].replayed && !m->found.at[violation];
}

/* Call it after a violation was found. */
static void set_bound(struct minimiser *m) {
  m->missing = 0;
  m->bound = (struct pv_path_cost){0, 0};
  for (uint32_t i = 0; i < m->result->violations.n; i++) {
    struct pv_path_cost cost = known_cost(&m->result->violations.at[i]);
    if (!is_missing(m, i)) continue;
    m->missing++;
    if (pv_path_less(m->bound, cost)) m->bound = cost;
  }
}

/* 1 + the missing violation that matches the event; 0: none. */
static uint32_t missing_error(const struct minimiser *m, const struct pv_event *e) {
  struct pv_error_key got = pv_event_key(e);
  for (uint32_t i = 0; i < m->result->violations.n; i++) {
    struct pv_error_key wanted = key_of(&m->result->violations.at[i]);
    if (is_missing(m, i) && pv_error_is(&wanted, &got)) return i + 1;
  }
  return 0;
}

static void take(struct minimiser *m, uint32_t error, uint32_t node) {
  m->found.at[error - 1] = node + 1;
  set_bound(m);
}

static void on_state_error(void *user, const struct pv_event *e) {
  struct minimiser *m = user;
  uint32_t error = missing_error(m, e);
  if (error) take(m, error, m->node);
}

/* ---- the queue ------------------------------------------------------------------------------- */
/* Is every continuation from this state and thread as cheap from an earlier expansion? */
static bool is_useless(struct minimiser *m, uint32_t state, unsigned thread,
                       struct pv_path_cost cost) {
  while (m->turns.n <= state) pv_vec_push(&m->turns, (struct turn){0});
  const struct turn *t = &m->turns.at[state];
  if (!t->threads) return false;
  if (t->threads & PV_THREAD_BIT(thread)) return true;
  if (cost.switches == t->cost.switches) return false;
  return cost.switches > t->cost.switches + 1 || cost.transitions >= t->cost.transitions;
}

static void push(struct minimiser *m, struct node n, bool switches) {
  pv_vec_push(&m->nodes, n);
  pv_vec_push(switches ? &m->handed_on.nodes : &m->own.nodes, m->nodes.n - 1);
}

static bool is_empty(const struct queue *q) {
  return q->next == q->nodes.n;
}

static uint32_t head_cost(const struct minimiser *m, const struct queue *q) {
  return is_empty(q) ? UINT32_MAX : m->nodes.at[q->nodes.at[q->next]].transitions;
}

static void next_level(struct minimiser *m) {
  struct queue unused = m->inherited;
  m->inherited = m->handed_on;
  unused.nodes.n = unused.next = 0;
  m->handed_on = unused;
  m->own.nodes.n = m->own.next = 0;
  m->switches++;
}

/* Takes the cheapest node. Returns false if there is none. */
static bool pop(struct minimiser *m, uint32_t *node) {
  if (is_empty(&m->inherited) && is_empty(&m->own)) next_level(m);
  if (is_empty(&m->inherited)) {
    if (is_empty(&m->own)) return false;
    *node = m->own.nodes.at[m->own.next++];
    return true;
  }
  bool own = head_cost(m, &m->own) < head_cost(m, &m->inherited);
  struct queue *q = own ? &m->own : &m->inherited;
  *node = q->nodes.at[q->next++];
  return true;
}

/* ---- the search ------------------------------------------------------------------------------ */
/* A transition from the node being expanded was executed. */
static void arrive(struct minimiser *m, struct node n, bool switches, enum pv_outcome outcome) {
  uint32_t passed;
  const struct pv_event *e = pv_space_passed(&m->space, &passed);
  for (uint32_t i = 0; i <= passed; i++) {
    if (i == passed && outcome != PV_VIOLATED) break;
    n.error = missing_error(m, i < passed ? &e[i] : pv_vm_event(m->vm));
    if (n.error) push(m, n, switches);
  }
  if (outcome != PV_RAN) return;
  bool is_new;
  n.error = 0;
  n.state = pv_space_save(&m->space, &is_new);
  struct pv_path_cost cost = {m->switches + switches, n.transitions};
  if (!is_useless(m, n.state, n.thread, cost)) push(m, n, switches);
}

static void expand(struct minimiser *m, const struct pv_mark *mark) {
  const struct node from = m->nodes.at[m->node];
  struct node n = {.parent = m->node, .transitions = from.transitions + 1};
  uint64_t depth = m->task->limits->depth;
  PV_FOR_THREADS(t, m->moves.able) {
    bool switches = t != from.thread && from.transitions;
    struct pv_path_cost cost = {m->switches + switches, n.transitions};
    bool too_deep = depth && n.transitions > depth && pv_path_less(cost, m->bound);
    m->too_deep |= too_deep;
    for (unsigned alternative = 0; alternative < m->moves.alternatives[t] && m->missing;
         alternative++) {
      if (too_deep || !pv_path_less(cost, m->bound)) break;
      pv_space_back(&m->space, from.state, mark);
      n.thread = (uint16_t)t;
      n.alternative = (uint16_t)alternative;
      bool back;
      arrive(m, n, switches, pv_space_step(&m->space, t, alternative, &back));
    }
  }
}

static void take_turn(struct minimiser *m) {
  const struct node n = m->nodes.at[m->node];
  struct pv_path_cost cost = {m->switches, n.transitions};
  if (n.error && is_missing(m, n.error - 1)) take(m, n.error, m->node);
  if (n.error || is_useless(m, n.state, n.thread, cost)) return;
  struct turn *turn = &m->turns.at[n.state];
  bool first = !turn->threads;
  if (first) turn->cost = cost;
  turn->threads |= PV_THREAD_BIT(n.thread);
  pv_space_back(&m->space, n.state, NULL);
  struct pv_mark mark = pv_space_mark(&m->space);
  pv_moves_find(m->cache, &m->moves);
  if (first) pv_space_errors(&m->space, m->task, &m->moves, on_state_error, m);
  if (m->missing) expand(m, &mark);
}

static void search(struct minimiser *m) {
  bool is_new;
  pv_vm_start(m->vm);
  pv_space_start(&m->space);
  push(m, (struct node){.state = pv_space_save(&m->space, &is_new)}, false);
  while (m->missing && pop(m, &m->node)) {
    if (pv_limits_check(&m->limits, pv_store_states(m->space.store)) != PV_LIMIT_NONE) {
      m->stopped = true;
      return;
    }
    take_turn(m);
  }
}

/* ---- results --------------------------------------------------------------------------------- */
/* Replaces the violation's path by that to the node, if it is shorter and its replay shows the
 * error. */
static void shorten(struct minimiser *m, struct pv_violation *v, uint32_t node) {
  PV_VEC(struct pv_choice) path = {0};
  struct pv_error_key key = key_of(v);
  for (; node; node = m->nodes.at[node].parent) {
    struct pv_choice c = {m->nodes.at[node].thread, m->nodes.at[node].alternative};
    pv_vec_push(&path, c);
  }
  for (uint32_t i = 0, k = path.n; i + 1 < k; i++, k--) {
    struct pv_choice c = path.at[i];
    path.at[i] = path.at[k - 1];
    path.at[k - 1] = c;
  }
  struct pv_violation shorter = {0};
  pv_replay(m->task, path.at, path.n, &key, &shorter);
  struct pv_error_key got = {shorter.property, shorter.span,
                             shorter.message ? shorter.message : ""};
  if (shorter.replayed && pv_error_is(&got, &key)) {
    shorter.found = v->found;
    struct pv_violation old = *v;
    *v = shorter;
    shorter = old;
  }
  pv_violation_clear(&shorter);
  pv_vec_free(&path);
}

/* A path that was known before is a shortest one if everything cheaper was explored. */
static void conclude(struct minimiser *m) {
  for (uint32_t i = 0; i < m->result->violations.n; i++) {
    struct pv_violation *v = &m->result->violations.at[i];
    if (!v->replayed) continue;
    uint32_t node = m->found.at[i];
    v->found = known_cost(v);
    if (node) shorten(m, v, node - 1);
    v->minimised = true;
    v->shortest = !m->too_deep && (node || !m->stopped);
    if (!v->shortest)
      pv_vec_push(
          &m->result->notes,
          pv_format("the path of error %u may not be the shortest: a limit ended the search "
                    "for shorter ones after %llu states",
                    i + 1, (unsigned long long)pv_store_states(m->space.store)));
  }
}

static void free_all(struct minimiser *m) {
  if (m->limits.peak > m->task->limits->peak) m->task->limits->peak = m->limits.peak;
  pv_moves_cache_free(m->cache);
  pv_space_free(&m->space);
  pv_vm_free(m->vm);
  pv_condition_clear(&m->ignored);
  pv_vec_free(&m->nodes);
  pv_vec_free(&m->turns);
  pv_vec_free(&m->inherited.nodes);
  pv_vec_free(&m->own.nodes);
  pv_vec_free(&m->handed_on.nodes);
  pv_vec_free(&m->found);
}

void pv_minimise(const struct pv_task *task, struct pv_result *result) {
  struct minimiser m = {.task = task, .result = result, .limits = *task->limits};
  struct pv_task own = *task;
  m.limits.hit = PV_LIMIT_NONE;
  own.limits = &m.limits;
  for (uint32_t i = 0; i < result->violations.n; i++) pv_vec_push(&m.found, 0);
  set_bound(&m);
  m.vm = pv_vm_new(&own, pv_sched_of(task->program->sched), &m.ignored);
  pv_space_init(&m.space, m.vm, task->options->exec);
  m.cache = pv_moves_cache_new(&m.space);
  if (task->options->exec) pv_vm_allow_native(m.vm);
  search(&m);
  conclude(&m);
  free_all(&m);
}
