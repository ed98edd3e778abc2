#include "explore/search.h"

#include <stdlib.h>
#include <string.h>

#include "vm/depend.h"
#include "vm/events.h"
#include "explore/replay.h"
#include "explore/symmetry.h"

/* ---- errors ---------------------------------------------------------------------------------- */
static bool is_reported(struct pv_search *s, const struct pv_event *e) {
  struct pv_str key = {0};
  bool is_new;
  pv_event_identity(s->task->program, e, &key);
  pv_map_put_str(&s->reported, pv_str_cstr(&key), 0, &is_new);
  pv_str_free(&key);
  return !is_new;
}

void pv_search_report(struct pv_search *s, const struct pv_event *e, const struct pv_choice *last) {
  struct pv_error_key wanted = pv_event_key(e);
  bool enough = s->result->violations.n && !s->task->options->keep_going;
  if (enough || is_reported(s, e)) return;
  s->trace(s->order);
  if (last) pv_vec_push(&s->path, *last);
  struct pv_violation v = {0};
  pv_replay(s->task, s->path.at, s->path.n, &wanted, &v);
  struct pv_error_key got = {v.property, v.span, v.message ? v.message : ""};
  /* The error was not confirmed; plan/ adds a proviso. */
  if (!v.replayed || !pv_error_is(&got, &wanted)) {
    pv_violation_clear(&v);
    v = (struct pv_violation){.property = e->property,
                              .span = e->span,
                              .message = pv_strdup(e->message),
                              .file = pv_strdup(pv_span_file(s->task->program, e->span)),
                              .function = pv_strdup(e->function ? e->function->name : "?"),
                              .line = pv_span_of(s->task->program, e->span)->line};
  }
  pv_vec_push(&s->result->violations, v);
  if (!s->task->options->keep_going) s->stop = true;
}

static void report(struct pv_search *s, const struct pv_event *e, const struct pv_choice *last) {
  struct pv_stats *stats = &s->result->stats;
  if (!stats->first_error) stats->first_error = stats->generated;
  pv_tell_error(&s->listeners, s->task->program, e);
  if (s->found)
    s->found(s->order, e, last);
  else
    pv_search_report(s, e, last);
}

/* ---- limits ---------------------------------------------------------------------------------- */
void pv_search_count(struct pv_search *s) {
  struct pv_stats *t = &s->result->stats;
  const struct pv_space *space = &s->space;
  t->states = pv_space_states(space);
  t->store_bytes = pv_space_bytes(space);
  struct pv_store_sizes z = pv_store_sizes(space->store);
  t->components = z.leaves;
  t->component_bytes = z.leaf_bytes;
  t->nodes = z.nodes;
  t->node_bytes = z.node_bytes;
  t->root_bytes = z.root_bytes;
  t->sched_bytes = space->component_bytes[PV_COMP_SCHED];
  t->machine_bytes = space->component_bytes[PV_COMP_MACHINE];
  t->frame_bytes = space->component_bytes[PV_COMP_FRAME];
  t->memory_bytes = space->component_bytes[PV_COMP_MEMORY] + space->component_bytes[PV_COMP_UNSET];
  t->visited_bytes = space->visited ? pv_visited_bytes(space->visited) : 0;
  t->mask_bytes = (uint64_t)s->left_out.cap * s->left_out.width;
  t->instructions = pv_vm_instructions(s->vm) + s->space.instructions;
  t->choices = pv_vm_inputs(s->vm) + s->space.inputs;
  t->sampled = 0;
  for (uint32_t i = 0; i < s->result->condition.provisos.n; i++)
    t->sampled += s->result->condition.provisos.at[i].kind == PV_PROVISO_INPUT;
}

uint64_t pv_search_reserve(void *search) {
  /* Memory for a replay: it needs a VM and steps of its own, and the choices of the path twice. */
  enum { REPLAY = 8 << 20, CHOICE = 2 * sizeof(struct pv_choice) };
  const struct pv_search *s = search;
  /* The state of the search, if it is to be written. */
  uint64_t state = s->registry && s->task->wants_state
                       ? 24 * pv_space_states(&s->space) + s->result->stats.depth * 64
                       : 0;
  return REPLAY + s->result->stats.depth * CHOICE + pv_space_growth(&s->space) +
         pv_moves_growth(s->cache) + state;
}

bool pv_search_limit(struct pv_search *s, uint64_t waiting) {
  uint64_t states = pv_space_states(&s->space);
  s->waiting = waiting;
  if (s->budget && s->result->stats.transitions >= s->budget) return s->spent = s->stop = true;
  enum pv_limit l = pv_limits_check(s->task->limits, states);
  if (l == PV_LIMIT_NONE) return false;
  s->stop = true;
  if (s->limited || s->found) return true;
  s->limited = true;
  pv_condition_add(&s->result->condition, pv_proviso_of_limit(l), NULL, 0,
                   "no error lies beyond the %llu state%s explored (%s; %llu state%s left waiting)",
                   (unsigned long long)states, states == 1 ? "" : "s",
                   pv_proviso_kind_reasons[pv_proviso_of_limit(l)], (unsigned long long)waiting,
                   waiting == 1 ? " was" : "s were");
  return true;
}

/* ---- sets by state --------------------------------------------------------------------------- */
static void masks_widen(struct pv_masks *m, unsigned width) {
  uint8_t *wider = pv_alloc((size_t)(m->cap ? m->cap : 1) * width);
  for (uint32_t i = 0; i < m->n; i++)
    memcpy(wider + (size_t)i * width, m->at + (size_t)i * m->width, m->width);
  free(m->at);
  m->at = wider;
  m->width = width;
}

pv_threads pv_masks_get(const struct pv_masks *m, uint32_t state) {
  pv_threads set = 0; /* little-endian, like everything in the store */
  if (state < m->n) memcpy(&set, m->at + (size_t)state * m->width, m->width);
  return set;
}

void pv_masks_set(struct pv_masks *m, uint32_t state, pv_threads set) {
  unsigned width = m->width ? m->width : 1;
  if (!set && state >= m->n) return;
  if (state < m->kept) pv_vec_push(&m->changed, state);
  while (width < 8 && set >> 8 * width) width *= 2;
  if (width != m->width) masks_widen(m, width);
  if (state >= m->cap) {
    uint32_t cap = m->cap + m->cap / 2 > state ? m->cap + m->cap / 2 : state + 64;
    m->at = pv_realloc(m->at, (size_t)cap * m->width);
    m->cap = cap;
  }
  if (state >= m->n) {
    memset(m->at + (size_t)m->n * m->width, 0, (size_t)(state + 1 - m->n) * m->width);
    m->n = state + 1;
  }
  memcpy(m->at + (size_t)state * m->width, &set, m->width);
}

void pv_masks_free(struct pv_masks *m) {
  free(m->at);
  pv_vec_free(&m->changed);
  *m = (struct pv_masks){0};
}

/* The same sets for the state stored last. They are kept under the threads' numbers in its key. */
static pv_threads get_left_out(const struct pv_search *s, uint32_t state) {
  return pv_symmetry_from_key(s->space.symmetry, pv_masks_get(&s->left_out, state));
}

static void set_left_out(struct pv_search *s, uint32_t state, pv_threads set) {
  pv_masks_set(&s->left_out, state, pv_symmetry_to_key(s->space.symmetry, set));
}

/* ---- one state ------------------------------------------------------------------------------- */
/* Reports the errors that a state shows. The search continues from the state: if the error ended
 * the path, the order of independent transitions would decide which other errors are found. A
 * spurious wake-up may lead out of a deadlock, but programs cannot rely on it. */
static void state_error(void *user, const struct pv_event *e) {
  report(user, e, NULL);
}

/* Is there a transition of one of these threads after which all threads must be explored? The
 * transitions are only tried here; they are explored, and counted, later. */
static bool set_goes_back(struct pv_search *s, const struct pv_visit *v, pv_threads set) {
  const struct pv_moves *m = &s->moves;
  bool back = false;
  PV_FOR_THREADS(t, set)
  for (unsigned alternative = 0; alternative < m->alternatives[t] && !back; alternative++) {
    pv_space_back(&s->space, v->state, &v->mark);
    enum pv_outcome outcome = pv_space_step(&s->space, t, alternative, &back);
    if (outcome != PV_RAN) back = true;
  }
  pv_space_back(&s->space, v->state, &v->mark);
  return back;
}

enum { WINDOW = 1 << 12, REST = 1 << 17, WORTH = 32 }; /* one state in WORTH must be reduced */

/* Are persistent sets suspended? Counts the states that ask. */
static bool rests(struct pv_search *s) {
  if (!s->rest.on) return false;
  if (s->rest.left) return s->rest.left--;
  if (++s->rest.asked < WINDOW) return false;
  uint64_t reduced = s->result->stats.reduced;
  if (reduced < s->rest.before + WINDOW / WORTH) s->rest.left = REST;
  s->rest.before = reduced;
  s->rest.asked = 0;
  return false;
}

/* Of these threads, those of the task's focus. If they all wait, the others go on, in one order:
 * only when nothing can move it is a deadlock. */
static pv_threads in_focus(struct pv_search *s, const struct pv_moves *m, pv_threads set) {
  pv_threads window = s->task->focus ? s->task->focus->threads : 0;
  if (!window || !(m->able & ~window)) return set;
  s->outside |= m->able & ~window;
  if (set & window) return set & window;
  if (m->able & window) return m->able & window;
  return m->alive & window ? m->able & -m->able : 0;
}

/* The threads to explore. Sets v->rest if the decision about the others depends on the first one's
 * transition. */
static pv_threads movers(struct pv_search *s, struct pv_visit *v, pv_threads sleep_set) {
  const struct pv_moves *m = &s->moves;
  unsigned alone = s->space.symmetry ? pv_symmetry_alone(s->space.symmetry) : PV_NO_THREAD;
  if (alone != PV_NO_THREAD) return m->able & PV_THREAD_BIT(alone);
  if (!s->reduce || m->exclusive != PV_NO_THREAD || !(m->able & (m->able - 1))) return m->able;
  if (rests(s)) return m->able;
  pv_threads set = pv_reduce_set(s->reduce, m);
  if (set == m->able) return set;
  unsigned first = (unsigned)__builtin_ctzll(set);
  bool one = !(set & (set - 1)) && m->alternatives[first] == 1 && !(set & sleep_set);
  if (one)
    v->rest = m->able & ~set;
  else if (set_goes_back(s, v, set))
    return m->able;
  s->result->stats.reduced++;
  return set;
}

void pv_search_look(struct pv_search *s) {
  pv_moves_find(s->cache, &s->moves);
  pv_space_errors(&s->space, s->task, &s->moves, state_error, s);
}

bool pv_search_was_visited(const struct pv_search *s, uint32_t state) {
  return state < s->visited.n && s->visited.at[state];
}

struct pv_visit pv_search_first_visit(struct pv_search *s, pv_threads sleep_set) {
  struct pv_visit v = {.state = s->space.at, .mark = pv_space_mark(&s->space)};
  if (s->keeps_visits) {
    while (s->visited.n <= v.state) pv_vec_push(&s->visited, 0);
    s->visited.at[v.state] = 1;
  }
  unsigned alive = pv_vm_alive(s->vm);
  if (alive > s->result->stats.threads) s->result->stats.threads = alive;
  if (s->sleep) set_left_out(s, v.state, 0);
  pv_search_look(s);
  if (s->stop) return v;
  pv_threads set = in_focus(s, &s->moves, movers(s, &v, sleep_set));
  if (s->task->focus && s->task->focus->threads) v.rest &= s->task->focus->threads;
  v.sleep_set = sleep_set;
  v.todo = set & ~sleep_set;
  s->result->stats.expanded++;
  if (s->sleep) set_left_out(s, v.state, set & sleep_set);
  s->result->stats.slept += (unsigned)__builtin_popcountll(set & sleep_set);
  return v;
}

bool pv_search_visit_again(struct pv_search *s, uint32_t state, pv_threads sleep_set,
                           struct pv_visit *visit) {
  s->result->stats.matched++;
  if (!s->sleep) return false;
  pv_threads old = get_left_out(s, state), now = old & ~sleep_set;
  if (!now) return false;
  set_left_out(s, state, old & sleep_set);
  pv_space_enter(&s->space);
  *visit = (struct pv_visit){state, pv_space_mark(&s->space), now, old & sleep_set, 0};
  s->result->stats.slept -= (unsigned)__builtin_popcountll(now);
  return true;
}

pv_threads pv_search_pass(struct pv_search *s, struct pv_visit *visit, unsigned t) {
  pv_threads pass = 0;
  if (!s->sleep) return 0;
  PV_FOR_THREADS(u, visit->sleep_set)
  if (pv_independent(s->vm, s->sched, pv_moves_next(s->cache, t), pv_moves_next(s->cache, u)))
    pass |= PV_THREAD_BIT(u);
  visit->sleep_set |= PV_THREAD_BIT(t);
  return pass;
}

/* ---- events ---------------------------------------------------------------------------------- */
struct told_step {
  struct pv_search *s;
  bool back;
};
static enum pv_outcome execute_told(void *user, unsigned thread, unsigned alternative) {
  struct told_step *t = user;
  return pv_space_step(&t->s->space, thread, alternative, &t->back);
}

static enum pv_outcome step_told(struct pv_search *s, const struct pv_visit *visit,
                                 struct pv_choice c, bool *back) {
  struct told_step step = {.s = s};
  struct pv_teller t = {s->task->program, s->sched, s->vm, &s->listeners, execute_told, &step};
  unsigned progress;
  if (s->told != visit->state)
    pv_tell(&s->listeners,
            &(proviso_event){.kind = PROVISO_EVENT_BACKTRACK, .state = visit->state});
  s->told = visit->state;
  struct pv_pending p = *pv_moves_next(s->cache, c.thread);
  unsigned alternatives = pv_moves_alternatives(s->cache, c.thread, &progress);
  pv_space_load(&s->space);
  enum pv_outcome outcome = pv_tell_step(&t, &p, c.alternative, alternatives);
  pv_tell_end(&s->listeners, c.thread, visit->state, outcome);
  *back = step.back;
  return outcome;
}

void pv_search_tell_state(struct pv_search *s, const struct pv_visit *visit, struct pv_choice c,
                          uint32_t state, bool is_new) {
  s->told = state;
  pv_tell(&s->listeners, &(proviso_event){.kind = PROVISO_EVENT_STATE,
                                          .thread = c.thread,
                                          .from = visit->state,
                                          .state = state,
                                          .is_new = is_new});
}

void pv_search_wake(struct pv_search *s, struct pv_visit *visit) {
  pv_threads sleep_set = visit->rest & visit->sleep_set;
  visit->todo |= visit->rest & ~sleep_set;
  if (s->sleep && sleep_set)
    set_left_out(s, visit->state, get_left_out(s, visit->state) | sleep_set);
  s->result->stats.slept += (unsigned)__builtin_popcountll(sleep_set);
  s->result->stats.reduced--;
}

enum pv_outcome pv_search_step(struct pv_search *s, struct pv_visit *visit, struct pv_choice c) {
  s->result->stats.transitions++;
  bool back;
  enum pv_outcome outcome = s->listeners.kinds
                                ? step_told(s, visit, c, &back)
                                : pv_space_step(&s->space, c.thread, c.alternative, &back);
  if (visit->rest && (outcome != PV_RAN || back)) pv_search_wake(s, visit);
  visit->rest = 0;
  uint32_t n;
  const struct pv_event *passed = pv_space_passed(&s->space, &n);
  for (uint32_t i = 0; i < n; i++) report(s, &passed[i], &c);
  if (outcome == PV_VIOLATED) report(s, pv_vm_event(s->vm), &c);
  if (outcome == PV_RAN) s->result->stats.generated++;
  if (outcome == PV_PRUNED) s->result->stats.pruned++;
  if (outcome == PV_CUT && s->task->limits->hit != PV_LIMIT_NONE) pv_search_limit(s, s->waiting);
  return outcome;
}

void pv_search_explore(struct pv_search *s, struct pv_visit *v, pv_search_arrive arrive) {
  bool is_new;
  while (v->todo && !s->stop) {
    unsigned t = (unsigned)__builtin_ctzll(v->todo);
    v->todo &= v->todo - 1;
    pv_space_back(&s->space, v->state, &v->mark);
    unsigned progress, alternatives = pv_moves_alternatives(s->cache, t, &progress);
    pv_threads pass = pv_search_pass(s, v, t);
    for (unsigned alternative = 0; alternative < alternatives && !s->stop; alternative++) {
      struct pv_choice c = {t, alternative};
      pv_space_back(&s->space, v->state, &v->mark);
      if (pv_search_step(s, v, c) != PV_RAN) continue;
      uint32_t state = pv_space_find(&s->space, &is_new);
      pv_search_arrived(s, v, c, state, is_new);
      arrive(s->order, c, state, is_new, pass);
    }
  }
}

void pv_search_progress(struct pv_search *s) {
  uint64_t n = s->result->stats.transitions;
  if (!s->task->progress || n < s->next_progress) return;
  s->next_progress = n + (n < 4096 ? 256 : 4096);
  pv_search_count(s);
  s->task->progress(s->task->progress_user, &s->result->stats);
}

void pv_search_depth_cut(struct pv_search *s) {
  pv_condition_add(&s->result->condition, PV_PROVISO_DEPTH, NULL, 0,
                   "no error lies deeper than %llu transitions",
                   (unsigned long long)s->task->limits->depth);
}
