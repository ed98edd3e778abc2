#include "vm/coverage.h"

#include <stdlib.h>
#include <string.h>

enum { NO_STATE = UINT32_MAX };

struct transition {
  uint32_t from, to; /* NO_STATE: the execution is complete; `from`, too: it leads to no state */
  uint32_t set;
};
struct event {
  uint32_t first;            /* its edges begin there in `on_stack` */
  bool completes, is_marked; /* it ends the execution; it is on a complete one */
};
struct pv_coverage_recorder {
  const struct pv_program *p;
  struct pv_recorder recorder;
  struct pv_vm *vm;
  uint32_t *first;      /* by function: the number of its first edge */
  uint32_t edges;       /* of the program */
  PV_VEC(uint32_t) now; /* edges of the current transition, in order */
  struct pv_map sets;   /* sorted edges without duplicates -> number */
  uint32_t states;      /* 1 + the largest one */
  PV_VEC(struct transition) transitions;
  PV_VEC(struct event) events; /* of the current execution */
  PV_VEC(uint32_t) on_stack;   /* their edges */
  uint8_t *told;               /* by edge: what is known from executions that were told as stacks */
};

static const struct pv_edge *edge_of(const struct pv_coverage_recorder *c, uint32_t number,
                                     uint32_t *function) {
  uint32_t f = 0;
  while (f + 1 < c->p->functions.n && c->first[f + 1] <= number) f++;
  *function = f;
  return &c->p->functions.at[f].edges.at[number - c->first[f]];
}

/* The machine tells the branches of a location one after the other, until one is taken. */
static void on_edge(void *user, unsigned thread, const struct pv_function *f,
                    const struct pv_edge *e) {
  struct pv_coverage_recorder *c = user;
  (void)thread;
  uint32_t number = c->first[f - c->p->functions.at] + (uint32_t)(e - f->edges.at);
  bool first = number == c->first[f - c->p->functions.at];
  if (e->op == PV_OP_ASSUME && !first && c->now.n && pv_vec_last(&c->now) + 1 == number &&
      e[-1].from == e->from)
    c->now.n--;
  pv_vec_push(&c->now, number);
}

static void on_parked(void *user, unsigned thread) {
  struct pv_coverage_recorder *c = user;
  (void)thread;
  if (c->now.n) c->now.n--;
}

struct pv_coverage_recorder *pv_coverage_new(const struct pv_program *p, struct pv_vm *vm) {
  struct pv_coverage_recorder *c = pv_alloc(sizeof *c);
  c->p = p;
  c->vm = vm;
  c->first = pv_alloc((p->functions.n + 1) * sizeof *c->first);
  for (uint32_t f = 0; f < p->functions.n; f++) {
    c->first[f] = c->edges;
    c->edges += p->functions.at[f].edges.n;
  }
  c->told = pv_alloc(c->edges + 1);
  c->recorder = (struct pv_recorder){.user = c, .edge = on_edge, .parked = on_parked};
  pv_vm_record(vm, &c->recorder);
  return c;
}

void pv_coverage_free(struct pv_coverage_recorder *c) {
  if (!c) return;
  pv_vm_record(c->vm, NULL);
  free(c->first);
  pv_map_free(&c->sets);
  pv_vec_free(&c->now);
  pv_vec_free(&c->transitions);
  pv_vec_free(&c->events);
  pv_vec_free(&c->on_stack);
  free(c->told);
  free(c);
}

/* ---- during the search ----------------------------------------------------------------------- */
void pv_coverage_begin(struct pv_coverage_recorder *c) {
  c->now.n = 0;
}

static int by_number(const void *a, const void *b) {
  uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return x < y ? -1 : x > y;
}

static uint32_t set_of(struct pv_coverage_recorder *c) {
  uint32_t kept = 0;
  if (c->now.n) qsort(c->now.at, c->now.n, sizeof *c->now.at, by_number);
  for (uint32_t i = 0; i < c->now.n; i++)
    if (!kept || c->now.at[kept - 1] != c->now.at[i]) c->now.at[kept++] = c->now.at[i];
  c->now.n = kept;
  return *pv_map_put(&c->sets, c->now.at, kept * sizeof *c->now.at, c->sets.n, NULL);
}

static void add(struct pv_coverage_recorder *c, uint32_t from, uint32_t to) {
  struct transition t = {.from = from, .to = to, .set = set_of(c)};
  pv_vec_push(&c->transitions, t);
  if (from != NO_STATE && from >= c->states) c->states = from + 1;
  if (to != NO_STATE && to >= c->states) c->states = to + 1;
}

void pv_coverage_arrive(struct pv_coverage_recorder *c, uint32_t from, uint32_t to) {
  add(c, from, to);
}

/* A false assumption is no end of an execution, but abort is. */
static bool aborts(const struct pv_coverage_recorder *c) {
  uint32_t function;
  if (!c->now.n) return false;
  const struct pv_edge *e = edge_of(c, pv_vec_last(&c->now), &function);
  return e->op == PV_OP_STOP && (e->aux == PV_STOP_ABORT || e->aux == PV_STOP_EXIT);
}

void pv_coverage_end(struct pv_coverage_recorder *c, uint32_t from, enum pv_outcome outcome) {
  bool complete = outcome == PV_ENDED || (outcome == PV_PRUNED && aborts(c));
  add(c, complete ? from : NO_STATE, NO_STATE);
}

/* ---- executions as stacks ---------------------------------------------------------------------
 */
void pv_coverage_push(struct pv_coverage_recorder *c, enum pv_outcome outcome) {
  struct event e = {.first = c->on_stack.n};
  e.completes = outcome == PV_ENDED || (outcome == PV_PRUNED && aborts(c));
  for (uint32_t i = 0; i < c->now.n; i++) {
    pv_vec_push(&c->on_stack, c->now.at[i]);
    c->told[c->now.at[i]] |= PV_EDGE_REACHED;
  }
  pv_vec_push(&c->events, e);
}

void pv_coverage_pop(struct pv_coverage_recorder *c) {
  c->on_stack.n = pv_vec_pop(&c->events).first;
}

bool pv_coverage_is_complete(const struct pv_coverage_recorder *c) {
  return pv_vec_last(&c->events).completes;
}

bool pv_coverage_mark(struct pv_coverage_recorder *c, uint32_t event) {
  struct event *e = &c->events.at[event];
  uint32_t end = event + 1 < c->events.n ? c->events.at[event + 1].first : c->on_stack.n;
  if (e->is_marked) return false;
  e->is_marked = true;
  for (uint32_t i = e->first; i < end; i++) c->told[c->on_stack.at[i]] |= PV_EDGE_VERIFIED;
  return true;
}

/* ---- afterwards ------------------------------------------------------------------------------ */
/* Marks the states from which a path of transitions leads to an end. */
static uint8_t *find_completed(const struct pv_coverage_recorder *c) {
  uint32_t *start = pv_alloc((c->states + 2) * sizeof *start); /* in `into`, by target */
  uint32_t *into = pv_alloc((c->transitions.n + 1) * sizeof *into);
  uint8_t *completed = pv_alloc(c->states + 1);
  PV_VEC(uint32_t) todo = {0};
  for (uint32_t i = 0; i < c->transitions.n; i++)
    if (c->transitions.at[i].to != NO_STATE) start[c->transitions.at[i].to + 2]++;
  for (uint32_t s = 0; s + 1 < c->states + 2; s++) start[s + 1] += start[s];
  for (uint32_t i = 0; i < c->transitions.n; i++) {
    const struct transition *t = &c->transitions.at[i];
    if (t->to != NO_STATE) {
      into[start[t->to + 1]++] = t->from;
    } else if (t->from != NO_STATE && !completed[t->from]) {
      completed[t->from] = 1;
      pv_vec_push(&todo, t->from);
    }
  }
  while (todo.n) {
    uint32_t s = pv_vec_pop(&todo);
    for (uint32_t i = start[s]; i < start[s + 1]; i++) {
      if (completed[into[i]]) continue;
      completed[into[i]] = 1;
      pv_vec_push(&todo, into[i]);
    }
  }
  pv_vec_free(&todo);
  free(start);
  free(into);
  return completed;
}

void pv_coverage_find(const struct pv_coverage_recorder *c, struct pv_coverage *out) {
  uint8_t *completed = find_completed(c), *sets = pv_alloc(c->sets.n + 1);
  for (uint32_t i = 0; i < c->transitions.n; i++) {
    const struct transition *t = &c->transitions.at[i];
    bool ends = t->to == NO_STATE ? t->from != NO_STATE : completed[t->to];
    sets[t->set] |= ends ? PV_EDGE_REACHED | PV_EDGE_VERIFIED : PV_EDGE_REACHED;
  }
  for (uint32_t i = 0; i < c->edges; i++) pv_vec_push(&out->edges, c->told[i]);
  for (uint32_t i = 0; i < c->sets.n; i++) {
    const uint32_t *set = c->sets.entry[i].key;
    uint32_t n = c->sets.entry[i].key_len / (uint32_t)sizeof *set;
    for (uint32_t k = 0; k < n; k++) out->edges.at[set[k]] |= sets[i];
  }
  free(completed);
  free(sets);
}

/* ---- as a listener --------------------------------------------------------------------------- */
static void hear(void *user, const proviso_event *e) {
  static const enum pv_outcome outcomes[] = {[PROVISO_OUTCOME_ENDED] = PV_ENDED,
                                             [PROVISO_OUTCOME_PRUNED] = PV_PRUNED,
                                             [PROVISO_OUTCOME_CUT] = PV_CUT,
                                             [PROVISO_OUTCOME_ERROR] = PV_VIOLATED};
  struct pv_coverage_recorder *c = user;
  if (e->kind == PROVISO_EVENT_STEP)
    pv_coverage_begin(c);
  else if (e->kind == PROVISO_EVENT_STATE)
    pv_coverage_arrive(c, (uint32_t)e->from, (uint32_t)e->state);
  else
    pv_coverage_end(c, (uint32_t)e->from, outcomes[e->outcome]);
}

proviso_listener pv_coverage_listener(struct pv_coverage_recorder *c) {
  const uint64_t kinds = PROVISO_EVENT_BIT(PROVISO_EVENT_STEP) |
                         PROVISO_EVENT_BIT(PROVISO_EVENT_STATE) |
                         PROVISO_EVENT_BIT(PROVISO_EVENT_END);
  return (proviso_listener){.kinds = kinds, .tell = hear, .user = c};
}
