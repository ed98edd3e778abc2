#include "cpa/loops.h"

#include <stdlib.h>
#include <string.h>

#include "cpa/values.h"

struct context { /* interned: equal stacks of loops are equal pointers */
  const struct context *outer;
  struct pv_point head;
  uint32_t rounds;
};

struct pv_loops {
  const struct pv_program *program;
  struct pv_control *control;
  uint32_t bound;
  struct pv_map bounds; /* struct pv_point -> a bound of its own; 0: none */
  struct pv_analysis analysis;
  struct pv_pool pool;
  struct pv_map index; /* struct context -> place in `contexts` */
  PV_VEC(const struct context *) contexts;
  struct pv_map events; /* struct pv_point -> place in `made` */
  PV_VEC(struct pv_sym_event *) made;
  struct context none;
};

/* ---- contexts
 * ------------------------------------------------------------------------------------ */

static const struct context *intern(struct pv_loops *l, const struct context *outer,
                                    struct pv_point head, uint32_t rounds) {
  struct context key;
  memset(&key, 0, sizeof key);
  key.outer = outer;
  key.head = head;
  key.rounds = rounds;
  bool is_new;
  uint32_t at = *pv_map_put(&l->index, &key, sizeof key, l->contexts.n, &is_new);
  if (!is_new) return l->contexts.at[at];
  struct context *c = pv_pool_alloc(&l->pool, sizeof *c);
  *c = key;
  pv_vec_push(&l->contexts, c);
  return c;
}

/* Does the call that entered the frame, or from where tail calls led to it, still run? */
static bool still_called(const struct pv_loops *l, uint32_t frame, uint32_t at) {
  const struct pv_frame *f = pv_control_frame(l->control, frame);
  for (; at != PV_NO_FRAME; at = pv_control_frame(l->control, at)->parent) {
    const struct pv_frame *g = pv_control_frame(l->control, at);
    if (g->parent == f->parent && g->call == f->call) return true;
  }
  return false;
}

/* Is the point inside of the loop, possibly in a function called from it? */
static bool still_in(struct pv_loops *l, const struct context *c, struct pv_point at) {
  if (pv_control_is_round(l->control, c->head)) return still_called(l, c->head.frame, at.frame);
  const struct pv_frame *f = pv_control_frame(l->control, at.frame);
  while (at.frame != c->head.frame) {
    if (f->parent == PV_NO_FRAME) return false;
    at = (struct pv_point){f->parent,
                           pv_control_function(l->control, f->parent)->edges.at[f->call].from, 0};
    f = pv_control_frame(l->control, at.frame);
  }
  return pv_control_in_loop(l->control, f->function, c->head.loc, at.loc);
}

bool pv_loops_counts(const struct pv_control *c, struct pv_point at) {
  return pv_control_function(c, at.frame)->locs.at[at.loc].loop_head || pv_control_is_round(c, at);
}

/* The context after a move to the point. *rounds: the iteration of its loop if it is a head, else
 * 0. */
static const struct context *moved(struct pv_loops *l, const struct context *c, struct pv_point to,
                                   uint32_t *rounds) {
  while (c != &l->none && !still_in(l, c, to)) c = c->outer;
  *rounds = 0;
  if (!pv_loops_counts(l->control, to)) return c;
  /* A new iteration of the outer loop resets the inner ones. */
  for (const struct context *o = c; o != &l->none; o = o->outer)
    if (pv_point_eq(o->head, to)) {
      *rounds = o->rounds + 1;
      return intern(l, o->outer, to, *rounds);
    }
  *rounds = 1;
  return intern(l, c, to, 1);
}

static const void *initial(void *self) {
  struct pv_loops *l = self;
  return &l->none;
}

static const struct pv_sym_event *event_of(struct pv_loops *l, const struct pv_move *m) {
  struct {
    struct pv_point to;
    uint32_t frame, edge;
  } key = {m->to, m->frame, m->edge};
  bool is_new;
  uint32_t at = *pv_map_put(&l->events, &key, sizeof key, l->made.n, &is_new);
  if (!is_new) return l->made.at[at];
  struct pv_sym_event *e = pv_pool_alloc(&l->pool, sizeof *e);
  const struct pv_function *f = pv_control_function(l->control, m->to.frame);
  const struct pv_location *loc = &f->locs.at[m->to.loc];
  struct pv_str text = {0};
  pv_str_add(&text, "the loop at ");
  if (loc->n_out)
    pv_control_place(l->control, m->to.frame, loc->first_out, &text);
  else
    pv_str_addf(&text, "%s:%u", pv_span_file(l->program, f->span),
                pv_span_of(l->program, f->span)->line);
  e->message = memcpy(pv_pool_alloc(&l->pool, text.n + 1), text.at, text.n + 1);
  pv_str_free(&text);
  e->kind = PV_SYM_CUT;
  e->property = PV_PROP_COUNT;
  e->frame = m->frame;
  e->edge = m->edge;
  pv_vec_push(&l->made, e);
  return e;
}

static void transfer(void *self, const void *state, const struct pv_move *move,
                     struct pv_post *out) {
  struct pv_loops *l = self;
  uint32_t rounds;
  if (move->kind != PV_MOVE_STEP && move->kind != PV_MOVE_CALL && move->kind != PV_MOVE_RETURN)
    return;
  const struct context *c = moved(l, state, move->to, &rounds);
  if (rounds && rounds > pv_loops_bound_of(l, move->to)) {
    out->events = event_of(l, move);
    out->n_events = 1;
    return;
  }
  out->state = c;
}

/* Lists the stack, outermost loop first. */
static uint32_t unstack(const struct pv_loops *l, const struct context *c,
                        const struct context **out, uint32_t room) {
  uint32_t n = 0, i;
  for (const struct context *o = c; o != &l->none; o = o->outer) n++;
  i = n;
  for (; c != &l->none; c = c->outer)
    if (--i < room) out[i] = c;
  return n < room ? n : room;
}

/* An iteration is finished before the next one begins. */
static int order(void *self, const void *a, struct pv_point at_a, const void *b,
                 struct pv_point at_b) {
  enum { ROOM = 64 };
  struct pv_loops *l = self;
  const struct context *x[ROOM], *y[ROOM];
  if (a == b) return 0;
  uint32_t m = unstack(l, a, x, ROOM), n = unstack(l, b, y, ROOM), i = 0;
  while (i < m && i < n && x[i] == y[i]) i++;
  if (i < m && i < n && pv_point_eq(x[i]->head, y[i]->head))
    return x[i]->rounds < y[i]->rounds ? -1 : 1;
  return pv_control_order(l->control, at_a, at_b);
}

struct pv_loops *pv_loops_new(const struct pv_program *p, struct pv_control *control,
                              uint32_t bound) {
  struct pv_loops *l = pv_alloc(sizeof *l);
  l->program = p;
  l->control = control;
  l->bound = bound;
  l->analysis = (struct pv_analysis){.name = "loops",
                                     .self = l,
                                     .initial = initial,
                                     .transfer = transfer,
                                     .covers = pv_same_covers,
                                     .class_of = pv_same_class,
                                     .order = order};
  return l;
}

void pv_loops_free(struct pv_loops *l) {
  if (!l) return;
  pv_pool_free(&l->pool);
  pv_map_free(&l->index);
  pv_map_free(&l->events);
  pv_map_free(&l->bounds);
  pv_vec_free(&l->contexts);
  pv_vec_free(&l->made);
  free(l);
}

const struct pv_analysis *pv_loops_analysis(struct pv_loops *l) {
  return &l->analysis;
}
void pv_loops_set_bound(struct pv_loops *l, uint32_t bound) {
  l->bound = bound;
}
void pv_loops_set_bound_of(struct pv_loops *l, struct pv_point head, uint32_t bound) {
  *pv_map_put(&l->bounds, &head, sizeof head, bound, NULL) = bound;
}
uint32_t pv_loops_bound_of(const struct pv_loops *l, struct pv_point head) {
  const uint32_t *own = pv_map_get(&l->bounds, &head, sizeof head);
  return own && *own ? *own : l->bound;
}
uint32_t pv_loops_round(const void *state) {
  return ((const struct context *)state)->rounds;
}
bool pv_loops_is_event(const struct pv_loops *l, const struct pv_sym_event *event) {
  (void)l;
  return !event->when;
}
