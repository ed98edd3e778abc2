#include "explore/live_graph.h"

#include <stdlib.h>

void pv_live_init(struct pv_live *g, struct pv_search *s, const struct pv_ltl_spec *spec) {
  *g = (struct pv_live){.s = s};
  pv_letters_init(&g->letters, s->task->program, spec);
  g->watched = pv_live_watched(s->task->program, s->task->options, spec);
  bool is_new;
  pv_space_start(&s->space);
  if (s->space.visited) return;
  struct pv_live_state first = {.store = pv_space_save(&s->space, &is_new)};
  pv_vec_push(&g->state, first);
  pv_vec_push(&g->of_store, 1);
}

void pv_live_free(struct pv_live *g) {
  pv_vec_free(&g->state);
  pv_vec_free(&g->edge);
  pv_vec_free(&g->of_store);
  pv_map_free(&g->ended);
  pv_letters_clear(&g->letters);
  free(g->watched);
}

uint64_t pv_live_letter(struct pv_live *g, bool rests) {
  struct pv_search *s = g->s;
  uint32_t wrong = UINT32_MAX;
  pv_space_load(&s->space);
  uint64_t letter = pv_letter(&g->letters, s->vm, rests, &wrong);
  if (g->letters.expressions) pv_space_asked(&s->space);
  if (wrong != UINT32_MAX)
    pv_condition_add(&s->result->condition, PV_PROVISO_ENGINE, NULL, 0,
                     "the proposition `%s` is false where its evaluation goes wrong",
                     g->letters.spec->proposition.at[wrong].text);
  return letter;
}

void pv_live_passed_error(struct pv_live *g) {
  pv_condition_add(&g->s->result->condition, PV_PROVISO_ENGINE, NULL, 0,
                   "no execution goes on after an error: %s", pv_vm_event(g->s->vm)->message);
}

static uint32_t number_of(struct pv_live *g, uint32_t store) {
  while (g->of_store.n <= store) pv_vec_push(&g->of_store, 0);
  if (!g->of_store.at[store]) {
    struct pv_live_state x = {.store = store};
    pv_vec_push(&g->state, x);
    g->of_store.at[store] = g->state.n;
  }
  return g->of_store.at[store] - 1;
}

/* The state in which the program has ended with the memory of this one. */
static uint32_t end_of(struct pv_live *g, uint64_t letter) {
  bool is_new;
  letter = pv_letter_of_end(&g->letters, letter);
  uint32_t state = *pv_map_put(&g->ended, &letter, sizeof letter, g->state.n, &is_new);
  if (is_new) {
    struct pv_live_edge stays = {state, 0, PV_LIVE_STAYS};
    struct pv_live_state x = {UINT32_MAX, g->edge.n, 1, true, letter, 0};
    pv_vec_push(&g->edge, stays);
    pv_vec_push(&g->state, x);
  }
  return state;
}

/* end: the state in which the program has ended after this one. Returns whether all threads have to
 * move from here. */
static bool add_choice(struct pv_live *g, struct pv_choice c, struct pv_visit *visit,
                       uint32_t end) {
  struct pv_search *s = g->s;
  bool is_new, back;
  pv_space_back(&s->space, visit->state, &visit->mark);
  s->result->stats.transitions++;
  enum pv_outcome outcome = pv_space_step(&s->space, c.thread, c.alternative, &back);
  struct pv_live_edge e = {0, (uint16_t)c.alternative, (uint16_t)c.thread};
  if (outcome == PV_RAN) {
    e.to = number_of(g, pv_space_find(&s->space, &is_new));
    if (!is_new) s->result->stats.matched++;
    pv_vec_push(&g->edge, e);
  } else if (outcome == PV_ENDED && !s->stop) {
    e.to = end;
    pv_vec_push(&g->edge, e);
  }
  if (outcome == PV_RAN) s->result->stats.generated++;
  if (outcome == PV_PRUNED) s->result->stats.pruned++;
  if (outcome == PV_VIOLATED) pv_live_passed_error(g);
  if (outcome == PV_CUT && s->task->limits->hit != PV_LIMIT_NONE) pv_search_limit(s, 0);
  return back || outcome != PV_RAN;
}

/* The transitions of these threads. Returns whether all have to move. */
static bool add_choices(struct pv_live *g, pv_threads set, struct pv_visit *visit, uint32_t end) {
  const struct pv_moves *m = &g->s->moves;
  bool all = false;
  PV_FOR_THREADS(t, set)
  for (unsigned i = 0; i < m->alternatives[t] && !g->s->stop; i++)
    all |= add_choice(g, (struct pv_choice){t, i}, visit, end);
  return all;
}

void pv_live_expand(struct pv_live *g, uint32_t state) {
  struct pv_search *s = g->s;
  struct pv_visit visit = {.state = g->state.at[state].store};
  pv_space_back(&s->space, visit.state, NULL);
  visit.mark = pv_space_mark(&s->space);
  struct pv_moves *m = &s->moves;
  pv_moves_find(s->cache, m);
  unsigned alive = pv_vm_alive(s->vm);
  if (alive > s->result->stats.threads) s->result->stats.threads = alive;
  bool stays = !m->alive || pv_moves_stuck(s->vm, m);
  pv_threads set = pv_live_movers(g);
  uint64_t letter = pv_live_letter(g, stays);
  uint32_t end = m->able ? end_of(g, letter) : 0; /* before the edges of this state */
  uint32_t before = g->edge.n;
  bool all = add_choices(g, set, &visit, end);
  if (all)
    add_choices(g, m->able & ~set, &visit, end);
  else if (set != m->able)
    s->result->stats.reduced++;
  if (stays) {
    struct pv_live_edge e = {state, 0, PV_LIVE_STAYS};
    pv_vec_push(&g->edge, e);
  }
  struct pv_live_state *x = &g->state.at[state];
  x->first = before;
  x->n = g->edge.n - before;
  x->letter = letter;
  x->able = m->lively;
  x->expanded = true;
  s->result->stats.expanded++;
}
