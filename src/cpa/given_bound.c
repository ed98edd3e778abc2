#include "cpa/given_bound.h"

#include <stdlib.h>

#include "cpa/loops.h"
#include "cpa/given_inputs.h"

struct pv_given_bound {
  struct pv_control *control;
  uint32_t loops;  /* position of loops.h */
  uint32_t number; /* the bound */
  bool all;        /* on the visits of all loop heads together */
  struct pv_analysis analysis;
};

/* A state is a number + 1: of heads visited, at most 1 more than the bound; or, if the bound is on
 * each loop, whether one has exceeded it. */
static const void *state_of(uint32_t number) {
  return (const void *)((uintptr_t)number + 1);
}
static uint32_t number_of(const void *state) {
  return (uint32_t)((uintptr_t)state - 1);
}

static const void *initial(void *self) {
  (void)self;
  return state_of(0);
}

static void transfer(void *self, const void *state, const struct pv_move *move,
                     struct pv_post *out) {
  const struct pv_given_bound *b = self;
  uint32_t number = number_of(state);
  bool goes_on =
      move->kind == PV_MOVE_STEP || move->kind == PV_MOVE_CALL || move->kind == PV_MOVE_RETURN;
  if (b->all && goes_on && number <= b->number && pv_control_is_head(b->control, move->to))
    number++;
  out->state = state_of(number);
}

/* The loop at a head is the innermost one of the state of loops.h. */
static const void *arrive(void *self, const void *state, const struct pv_composite *all,
                          uint32_t node) {
  const struct pv_given_bound *b = self;
  (void)node;
  if (b->all || number_of(state)) return state;
  bool exceeds =
      pv_loops_counts(b->control, all->at) && pv_loops_round(all->part[b->loops]) > b->number;
  return state_of(exceeds);
}

static const void *merge(void *self, const void *fresh, const void *reached, struct pv_point at) {
  (void)self;
  (void)at;
  return number_of(fresh) > number_of(reached) ? fresh : reached;
}

static bool covers(void *self, const void *fresh, const void *reached) {
  (void)self;
  return number_of(fresh) <= number_of(reached);
}

uint32_t pv_given_bound_of(const struct pv_task *task, bool *all) {
  const struct pv_open_part *part =
      task->given ? pv_condition_only(task->given, PV_OPEN_BOUND) : NULL;
  *all = false;
  if (!part || part->function) return 0;
  if (part->bound != PV_BOUND_UNWINDING && part->bound != PV_BOUND_HEADS) return 0;
  *all = part->bound == PV_BOUND_HEADS;
  return part->number < UINT32_MAX / 2 ? (uint32_t)part->number : UINT32_MAX / 2;
}

bool pv_given_bound_takes(const struct pv_task *task) {
  bool all;
  return pv_given_bound_of(task, &all) ||
         pv_given_inputs_is_usable(task->given, task->program, false);
}

struct pv_given_bound *pv_given_bound_new(const struct pv_analysis_context *g, uint32_t loops) {
  bool all;
  uint32_t number = pv_given_bound_of(g->task, &all);
  if (!number) return NULL;
  struct pv_given_bound *b = pv_alloc(sizeof *b);
  b->control = g->control;
  b->loops = loops;
  b->number = number;
  b->all = all;
  b->analysis = (struct pv_analysis){.name = "given bound",
                                     .self = b,
                                     .initial = initial,
                                     .transfer = transfer,
                                     .adjust = arrive,
                                     .merge = merge,
                                     .covers = covers};
  return b;
}

void pv_given_bound_free(struct pv_given_bound *b) {
  free(b);
}

const struct pv_analysis *pv_given_bound_analysis(struct pv_given_bound *b) {
  return &b->analysis;
}

bool pv_given_bound_is_within(const struct pv_given_bound *b, const void *state) {
  return b && number_of(state) <= (b->all ? b->number : 0);
}
