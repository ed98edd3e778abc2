#include "explore/search.h"

#include <stdlib.h>
#include <string.h>

#include "explore/replay.h"

/* ---- errors ---------------------------------------------------------------------------------- */
void pv_search_report(struct pv_search *s, const struct pv_choice *last) {
  const struct pv_event *e = pv_vm_event(s->vm);
  struct pv_str key = {0};
  bool is_new;
  pv_str_addf(&key, "%d %u %s", (int)e->property, e->span,
              e->property == PV_PROP_NO_DEADLOCK ? "" : e->message);
  pv_map_put_str(&s->reported, pv_str_cstr(&key), 0, &is_new);
  pv_str_free(&key);
  if (!is_new) return;
  if (s->trace) s->trace(s->order);
  if (last) pv_vec_push(&s->path, *last);
  struct pv_violation v = {0};
  pv_replay(s->task, s->path.at, s->path.n, &v);
  if (last) s->path.n--;
  if (!v.replayed || v.property != e->property) { /* the plan turns it into a proviso */
    pv_violation_clear(&v);
    v = (struct pv_violation){.property = e->property,
                              .message = pv_strdup(e->message),
                              .file = pv_strdup(pv_span_file(s->task->program, e->span)),
                              .function = pv_strdup(e->function ? e->function->name : "?"),
                              .line = pv_span_of(s->task->program, e->span)->line};
  }
  pv_vec_push(&s->result->violations, v);
  if (!s->task->options->keep_going) s->stop = true;
}

/* ---- limits ---------------------------------------------------------------------------------- */
static void count(struct pv_search *s) {
  struct pv_stats *t = &s->result->stats;
  t->states = pv_store_states(s->space.store);
  t->store_bytes = pv_store_bytes(s->space.store);
  t->instructions = pv_vm_instructions(s->vm);
  t->choices = pv_vm_inputs(s->vm);
}

bool pv_search_limit(struct pv_search *s, uint64_t waiting) {
  static const enum pv_proviso_kind kinds[] = {[PV_LIMIT_TIME] = PV_PROVISO_TIME,
                                               [PV_LIMIT_MEMORY] = PV_PROVISO_MEMORY,
                                               [PV_LIMIT_STATES] = PV_PROVISO_STATES,
                                               [PV_LIMIT_DEPTH] = PV_PROVISO_DEPTH,
                                               [PV_LIMIT_INTERRUPT] = PV_PROVISO_INTERRUPT};
  uint64_t states = pv_store_states(s->space.store);
  enum pv_limit l = pv_limits_check(s->task->limits, states);
  if (l == PV_LIMIT_NONE) return false;
  s->stop = true;
  if (s->limited) return true;
  s->limited = true;
  pv_condition_add(&s->result->condition, kinds[l], NULL, 0,
                   "no error lies beyond the %llu state%s explored (%s; %llu state%s left waiting)",
                   (unsigned long long)states, states == 1 ? "" : "s",
                   pv_proviso_kind_reasons[kinds[l]], (unsigned long long)waiting,
                   waiting == 1 ? " was" : "s were");
  return true;
}

/* ---- one state ------------------------------------------------------------------------------- */
static bool state_error(struct pv_search *s, const struct pv_expansion *e) {
  pv_properties asked = s->task->properties;
  if ((asked & PV_PROP_BIT(PV_PROP_INVARIANT)) && !pv_vm_invariants(s->vm)) {
    pv_search_report(s, NULL);
    return true;
  }
  if (!(asked & PV_PROP_BIT(PV_PROP_NO_DATA_RACE)) || e->exclusive != UINT32_MAX) return false;
  for (unsigned i = 0; i < e->n; i++)
    for (unsigned k = i + 1; k < e->n; k++)
      if (pv_pending_conflict(&e->pending[i], &e->pending[k]) && pv_vm_race(s->vm, i)) {
        pv_search_report(s, NULL);
        return !s->task->options->keep_going;
      }
  return false;
}

bool pv_search_expand(struct pv_search *s, struct pv_expansion *e) {
  unsigned progress = 0, alive = pv_vm_alive(s->vm);
  e->n = pv_vm_threads(s->vm);
  e->exclusive = pv_vm_exclusive(s->vm);
  e->single = -1;
  if (alive > s->result->stats.threads) s->result->stats.threads = alive;
  for (unsigned t = 0; t < e->n; t++) {
    pv_vm_pending(s->vm, t, &e->pending[t]);
    if (e->exclusive == UINT32_MAX || e->exclusive == t) progress += e->pending[t].progress;
  }
  if (state_error(s, e)) return false;
  if (!progress && e->exclusive == UINT32_MAX && alive &&
      (s->task->properties & PV_PROP_BIT(PV_PROP_NO_DEADLOCK))) {
    pv_vm_explain_deadlock(s->vm);
    pv_search_report(s, NULL);
    return false; /* spurious wake-ups lead on, but nobody can count on them */
  }
  if (s->reduce && e->exclusive == UINT32_MAX && alive > 1)
    e->single = pv_reduce_single(s->reduce, s->vm, e->pending, e->n);
  return true;
}

enum pv_outcome pv_search_step(struct pv_search *s, struct pv_choice c) {
  s->result->stats.transitions++;
  enum pv_outcome outcome = pv_vm_step(s->vm, c.thread, c.way);
  if (outcome == PV_VIOLATED) pv_search_report(s, &c);
  if (outcome == PV_PRUNED) s->result->stats.pruned++;
  if (outcome == PV_CUT && s->task->limits->hit != PV_LIMIT_NONE) pv_search_limit(s, 1);
  return outcome;
}

static void tell_progress(struct pv_search *s) {
  if (!s->task->progress || s->result->stats.transitions % 4096) return;
  count(s);
  s->task->progress(s->task->progress_user, &s->result->stats);
}

/* ---- depth first ----------------------------------------------------------------------------- */
struct frame {
  uint32_t state;
  uint32_t first, next, end; /* its transitions: a slice of the choices stack */
  bool reduced;              /* only one thread's transitions are there */
};
struct dfs {
  struct pv_search *s;
  PV_VEC(struct frame) stack;
  PV_VEC(struct pv_choice) choices;
  PV_VEC(uint8_t) on_stack; /* by state */
  PV_VEC(uint32_t) depth;   /* by state, under a depth limit: the least at which it was reached */
};

static void add_choices(struct dfs *d, const struct pv_expansion *e, unsigned t) {
  for (unsigned way = 0; way < e->pending[t].ways; way++) {
    struct pv_choice c = {t, way};
    pv_vec_push(&d->choices, c);
  }
}

/* Gives the frame its transitions; `all`: also those that the reduction left out. */
static void plan_frame(struct dfs *d, struct frame *f, const struct pv_expansion *e, bool all) {
  f->first = f->next = d->choices.n;
  f->reduced = !all && e->single >= 0;
  for (unsigned t = 0; t < e->n; t++) {
    if (e->exclusive != UINT32_MAX && e->exclusive != t) continue;
    if (f->reduced && e->single != (int)t) continue;
    add_choices(d, e, t);
  }
  f->end = d->choices.n;
  if (f->reduced) d->s->result->stats.reduced++;
}

static void push(struct dfs *d, uint32_t state) {
  struct pv_expansion e;
  struct frame f = {.state = state};
  while (d->on_stack.n <= state) pv_vec_push(&d->on_stack, 0);
  d->on_stack.at[state] = 1;
  if (pv_search_expand(d->s, &e))
    plan_frame(d, &f, &e, false);
  else
    f.first = f.next = f.end = d->choices.n;
  pv_vec_push(&d->stack, f);
  if (d->stack.n > d->s->result->stats.depth) d->s->result->stats.depth = d->stack.n;
}

/* The reduced transitions closed a cycle: the other threads must not be put off for ever. */
static void unreduce(struct dfs *d, struct frame *f) {
  struct pv_expansion e;
  pv_space_load(&d->s->space, f->state);
  f->reduced = false;
  bool lives = pv_search_expand(d->s, &e);
  if (!lives || e.single < 0) return;
  for (unsigned t = 0; t < e.n; t++)
    if ((int)t != e.single) add_choices(d, &e, t);
  f->end = d->choices.n;
  d->s->result->stats.reduced--;
}

/* Under a depth limit a known state counts as known only if it was reached no later than now: what
 * was cut behind it then may be within reach now. */
static bool reached_earlier(struct dfs *d, uint32_t state) {
  while (d->depth.n <= state) pv_vec_push(&d->depth, UINT32_MAX);
  bool earlier = d->depth.at[state] > d->stack.n;
  if (earlier) d->depth.at[state] = d->stack.n;
  return earlier;
}

static void depth_cut(struct pv_search *s) {
  pv_condition_add(&s->result->condition, PV_PROVISO_DEPTH, NULL, 0,
                   "no error lies deeper than %llu transitions",
                   (unsigned long long)s->task->limits->depth);
}

void pv_search_dfs(struct pv_search *s) {
  struct dfs d = {.s = s};
  bool is_new;
  push(&d, pv_space_save(&s->space, &is_new));
  while (d.stack.n && !s->stop) {
    struct frame *f = &pv_vec_last(&d.stack);
    if (f->next == f->end) {
      d.on_stack.at[f->state] = 0;
      d.choices.n = f->first;
      d.stack.n--;
      if (s->path.n) s->path.n--;
      continue;
    }
    if (pv_search_limit(s, d.choices.n)) break;
    tell_progress(s);
    struct pv_choice c = d.choices.at[f->next++];
    pv_space_load(&s->space, f->state);
    if (pv_search_step(s, c) != PV_RAN) continue;
    uint32_t state = pv_space_save(&s->space, &is_new);
    bool again = s->task->limits->depth && reached_earlier(&d, state) && !is_new;
    if (!is_new && !again) {
      s->result->stats.matched++;
      if (f->reduced && d.on_stack.at[state]) unreduce(&d, f);
      continue;
    }
    if (s->task->limits->depth && d.stack.n >= s->task->limits->depth) {
      depth_cut(s);
      continue;
    }
    pv_vec_push(&s->path, c);
    push(&d, state);
  }
  count(s);
  pv_vec_free(&d.stack);
  pv_vec_free(&d.choices);
  pv_vec_free(&d.on_stack);
  pv_vec_free(&d.depth);
}

/* ---- breadth first --------------------------------------------------------------------------- */
struct parent {
  uint32_t state, depth;
  uint16_t thread, way;
};
struct bfs {
  struct pv_search *s;
  uint32_t state;                /* being expanded */
  PV_VEC(struct parent) parents; /* by state */
};

static void bfs_trace(void *order) {
  struct bfs *b = order;
  b->s->path.n = 0;
  for (uint32_t x = b->state; x; x = b->parents.at[x].state) {
    struct pv_choice c = {b->parents.at[x].thread, b->parents.at[x].way};
    pv_vec_push(&b->s->path, c);
  }
  for (uint32_t i = 0, k = b->s->path.n; i + 1 < k; i++, k--) {
    struct pv_choice c = b->s->path.at[i];
    b->s->path.at[i] = b->s->path.at[k - 1];
    b->s->path.at[k - 1] = c;
  }
}

/* Runs thread t's transitions from the state; true: each led to a state not known before. */
static bool bfs_thread(struct bfs *b, uint32_t state, unsigned t, unsigned ways) {
  bool all_new = true, is_new;
  for (unsigned way = 0; way < ways && !b->s->stop; way++) {
    struct pv_choice c = {t, way};
    pv_space_load(&b->s->space, state);
    if (pv_search_step(b->s, c) != PV_RAN) continue;
    pv_space_save(&b->s->space, &is_new);
    if (is_new) {
      struct parent p = {state, b->parents.at[state].depth + 1, (uint16_t)t, (uint16_t)way};
      pv_vec_push(&b->parents, p);
    } else {
      b->s->result->stats.matched++;
      all_new = false;
    }
  }
  return all_new;
}

static void bfs_expand(struct bfs *b, uint32_t state) {
  struct pv_search *s = b->s;
  struct pv_expansion e;
  pv_space_load(&s->space, state);
  b->state = state;
  if (!pv_search_expand(s, &e) || s->stop) return;
  if (e.single >= 0) {
    s->result->stats.reduced++;
    if (bfs_thread(b, state, (unsigned)e.single, e.pending[e.single].ways)) return;
    s->result->stats.reduced--;
  }
  for (unsigned t = 0; t < e.n && !s->stop; t++) {
    if ((e.exclusive != UINT32_MAX && e.exclusive != t) || e.single == (int)t) continue;
    bfs_thread(b, state, t, e.pending[t].ways);
  }
}

void pv_search_bfs(struct pv_search *s) {
  struct bfs b = {.s = s};
  bool is_new;
  struct parent none = {0, 0, 0, 0};
  s->trace = bfs_trace;
  s->order = &b;
  pv_space_save(&s->space, &is_new);
  pv_vec_push(&b.parents, none);
  for (uint32_t state = 0; state < b.parents.n && !s->stop; state++) {
    if (pv_search_limit(s, b.parents.n - state)) break;
    tell_progress(s);
    uint32_t depth = b.parents.at[state].depth;
    if (s->task->limits->depth && depth >= s->task->limits->depth) {
      depth_cut(s);
      break;
    }
    bfs_expand(&b, state);
    if (depth > s->result->stats.depth) s->result->stats.depth = depth;
  }
  count(s);
  s->trace = NULL;
  pv_vec_free(&b.parents);
}
