/* threads_reduction.c -- which thread may move alone.
 *
 * A thread moves alone if its next operation conflicts with no future operation of the other
 * threads (future_effects.h), cannot block, and, until its next switch, does not go back in an
 * order of its program points (analysis/places.h). On every cycle of the graph, coverage included,
 * each thread that moves returns to its position. So it goes back somewhere in the lowest frame
 * that the cycle visits; there all threads move. */
#include "cpa/threads_internal.h"

#include <stdlib.h>

static bool goes_back_by(struct pv_control *c, const struct pv_move *m) {
  const struct pv_frame *from = &c->frames.at[m->frame], *to = &c->frames.at[m->to.frame];
  const struct pv_places *places = c->threads->places;
  pv_loc loc = pv_move_edge(c, m)->from;
  if (m->kind == PV_MOVE_CALL) return false; /* its return is considered instead */
  if (m->kind == PV_MOVE_RETURN)             /* the frame below continues after the call */
    loc = pv_control_function(c, m->to.frame)->edges.at[from->call].from;
  return pv_place(places, to->function, m->to.loc) <= pv_place(places, to->function, loc);
}

/* May the thread go back in this move or the following ones, until its next switch? */
static bool find_back(struct pv_control *c, uint32_t frame, pv_loc loc) {
  struct pv_map seen = {0};
  PV_VEC(struct pv_point) todo = {0};
  pv_moves moves = {0};
  struct pv_point start = {frame, loc, 0};
  bool found = false;
  pv_vec_push(&todo, start);
  while (todo.n && !found) {
    moves.n = 0;
    pv_control_own_moves(c, pv_vec_pop(&todo), &moves);
    for (uint32_t i = 0; i < moves.n; i++) {
      const struct pv_move *m = &moves.at[i];
      bool is_new;
      if (m->kind != PV_MOVE_STEP && m->kind != PV_MOVE_CALL && m->kind != PV_MOVE_RETURN) continue;
      found |= goes_back_by(c, m);
      pv_map_put(&seen, &m->to, sizeof m->to, 1, &is_new);
      uint32_t function = c->frames.at[m->to.frame].function;
      bool ends = pv_visible_switch(c->threads->visible, function, m->to.loc);
      if (is_new && !ends) pv_vec_push(&todo, m->to);
    }
  }
  pv_vec_free(&todo);
  pv_vec_free(&moves);
  pv_map_free(&seen);
  return found;
}

static bool goes_back(struct pv_control *c, uint32_t frame, pv_loc loc) {
  uint32_t key[2] = {frame, loc};
  const uint32_t *known = pv_map_get(&c->threads->back, key, sizeof key);
  if (known) return *known;
  bool found = find_back(c, frame, loc);
  pv_map_put(&c->threads->back, key, sizeof key, found, NULL);
  return found;
}

/* May a future operation of the thread conflict with these effects? */
static bool conflicts(const struct pv_control *c, struct pv_future_effects *future,
                      const struct member *m, pv_effect_table now) {
  pv_loc loc = m->loc;
  for (uint32_t frame = m->frame; frame != PV_NO_FRAME; frame = c->frames.at[frame].parent) {
    const struct pv_frame *f = &c->frames.at[frame];
    pv_effect_table later = pv_future_effects_from(future, f->function, loc);
    if (pv_future_effects_conflict(future, now, later)) return true;
    if (f->parent != PV_NO_FRAME) loc = pv_control_function(c, f->parent)->edges.at[f->call].to;
  }
  return false;
}

static bool moves_alone(struct pv_control *c, const struct crew *crew, uint32_t thread) {
  const struct member *m = &crew->at[thread];
  uint32_t function = c->frames.at[m->frame].function;
  const struct pv_location *l = &c->program->functions.at[function].locs.at[m->loc];
  struct pv_future_effects *future_effects = c->threads->future_effects;
  if (l->n_out != 1 || !pv_visible_edge(c->threads->visible, function, l->first_out))
    return false; /* the head of a loop that is invisible to others */
  if (!pv_future_effects_always_continues(future_effects, function, l->first_out) ||
      goes_back(c, m->frame, m->loc))
    return false;
  pv_effect_table now = pv_future_effects_of_edge(future_effects, function, l->first_out);
  for (uint32_t i = 0; i < MOST; i++)
    if (i != thread && crew->at[i].status == ALIVE &&
        conflicts(c, future_effects, &crew->at[i], now))
      return false;
  return true;
}

uint64_t pv_control_conflicting(struct pv_control *c, struct pv_future_effects *future,
                                struct pv_point at, const uint16_t *effects) {
  struct crew crew = pv_threads_crew_at(c, at);
  uint64_t found = 0;
  for (uint32_t i = 0; i < MOST; i++)
    if (crew.at[i].status == ALIVE && conflicts(c, future, &crew.at[i], effects))
      found |= UINT64_C(1) << i;
  return found;
}

bool pv_control_goes_back(struct pv_control *c, struct pv_point at, uint32_t thread) {
  struct crew crew = pv_threads_crew_at(c, at);
  return goes_back(c, crew.at[thread].frame, crew.at[thread].loc);
}

uint32_t pv_threads_alone(struct pv_control *c, const struct crew *crew) {
  for (uint32_t i = 0; c->threads->future_effects && i < MOST; i++)
    if (crew->at[i].status == ALIVE && moves_alone(c, crew, i)) return i;
  return MOST;
}

void pv_control_reduce(struct pv_control *c) {
  if (!c->threads || c->threads->future_effects) return;
  c->threads->future_effects = pv_future_effects_new(c->program, c->points_to);
  c->threads->places = pv_places_new(c->program);
}
