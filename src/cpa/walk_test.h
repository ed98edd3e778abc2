/* walk_test.h -- every point of a program and every move between them, for tests. */
#ifndef PV_WALK_TEST_H
#define PV_WALK_TEST_H

#include "cpa/cpa_test.h"

struct walked {
  struct pv_checked c;
  struct pv_points_to *pt;
  struct pv_control *control;
  PV_VEC(struct pv_point) points; /* reachable, in the order in which they are met */
  pv_moves moves;                 /* all of them */
};

static void walk(struct walked *w, const char *text, uint32_t bound, bool threads, bool reduce) {
  struct pv_map seen = {0};
  *w = (struct walked){0};
  pv_checked_load(&w->c, text, "unreach-call");
  w->pt = pv_points_to_new(w->c.program, NULL);
  w->control = pv_control_new(w->c.program, w->pt, bound);
  if (threads) pv_control_allow_threads(w->control);
  if (reduce) pv_control_reduce(w->control);
  struct pv_point start = pv_control_start(w->control);
  pv_map_put(&seen, &start, sizeof start, 0, NULL);
  pv_vec_push(&w->points, start);
  for (uint32_t i = 0; i < w->points.n; i++) {
    uint32_t from = w->moves.n;
    pv_control_moves(w->control, w->points.at[i], &w->moves);
    for (; from < w->moves.n; from++) {
      const struct pv_move *m = &w->moves.at[from];
      bool is_new = false;
      if (m->kind <= PV_MOVE_RETURN) pv_map_put(&seen, &m->to, sizeof m->to, 0, &is_new);
      if (is_new) pv_vec_push(&w->points, m->to);
    }
  }
  pv_map_free(&seen);
}

static void walk_free(struct walked *w) {
  pv_vec_free(&w->points);
  pv_vec_free(&w->moves);
  pv_control_free(w->control);
  pv_points_to_free(w->pt);
  pv_checked_free(&w->c);
}

#endif
