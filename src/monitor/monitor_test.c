/* Runtime analyses on executions that are written down, those of the paper among them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "monitor/monitor.h"

enum {
  READ,
  WRITE,
  LOCK,
  UNLOCK,
  RELEASE,
  ACQUIRE,
  FORK,
  JOIN,
  FORGET,
  FENCE
}; /* as pv_observed_kind */
enum { A = 100, B, C, D, X = 1000 };

struct step {
  unsigned thread, kind;
  uint64_t at;
  unsigned how; /* SHARED ... */
};
enum { SHARED = 1, ATOMIC = 2, ACQ = 4, REL = 8, UPDATES = 16 };
#define END                                                                                        \
  { 0, 99, 0, 0 }

static struct pv_warnings warnings;

static int teardown(void **state) {
  (void)state;
  pv_warnings_free(&warnings);
  warnings = (struct pv_warnings){0};
  return 0;
}

/* The number of warnings; places are the numbers of the steps, from 1. */
static uint32_t observe(const struct pv_runtime_analysis *a, const struct step *steps) {
  void *self = a->begin();
  teardown(NULL);
  for (uint32_t i = 0; steps[i].kind != 99; i++) {
    struct pv_observed e = {.kind = (enum pv_observed_kind)steps[i].kind,
                            .thread = steps[i].thread,
                            .place = i + 1,
                            .at = steps[i].at,
                            .bytes = 4,
                            .shared = steps[i].how & SHARED,
                            .atomic = steps[i].how & ATOMIC,
                            .acquires = steps[i].how & ACQ,
                            .releases = steps[i].how & REL,
                            .updates = steps[i].how & UPDATES};
    a->tell(self, &e, &warnings);
  }
  a->end(self, &warnings);
  a->free(self);
  return warnings.list.n;
}

/* ---- Eraser: the states of Figure 4 ---------------------------------------------------------- */
static void initialisation_needs_no_lock(void **state) {
  (void)state;
  const struct step steps[] = {{0, WRITE, X, 0}, {0, WRITE, X, 0},  {1, LOCK, A, 0},
                               {1, WRITE, X, 0}, {1, UNLOCK, A, 0}, {2, LOCK, A, 0},
                               {2, WRITE, X, 0}, {2, UNLOCK, A, 0}, END};
  assert_int_equal(observe(&pv_eraser, steps), 0);
}

static void readers_after_initialisation_need_no_lock(void **state) {
  (void)state;
  const struct step steps[] = {{0, WRITE, X, 0}, {1, READ, X, 0}, {2, READ, X, 0}, END};
  assert_int_equal(observe(&pv_eraser, steps), 0);
  const struct step late[] = {{0, WRITE, X, 0}, {1, READ, X, 0}, {0, WRITE, X, 0}, END};
  assert_int_equal(observe(&pv_eraser, late), 1);
  assert_int_equal(warnings.list.at[0].side[1].place, 3);
}

static void different_locks_protect_nothing(void **state) {
  (void)state;
  const struct step steps[] = {{0, WRITE, X, 0},
                               {1, LOCK, A, 0},
                               {1, LOCK, B, 0},
                               {1, WRITE, X, 0},
                               {1, UNLOCK, B, 0},
                               {1, UNLOCK, A, 0},
                               {2, LOCK, B, 0},
                               {2, WRITE, X, 0},
                               {2, UNLOCK, B, 0},
                               {1, LOCK, A, 0},
                               {1, WRITE, X, 0},
                               {1, WRITE, X, 0},
                               END};
  assert_int_equal(observe(&pv_eraser, steps),
                   1); /* once for each pair of places, one byte by one */
  const struct pv_warning *w = &warnings.list.at[0];
  assert_int_equal(w->kind, PV_WARNING_LOCKSET);
  assert_int_equal(w->side[0].place, 8);
  assert_int_equal(w->side[1].place, 11);
  assert_int_equal(w->side[1].held.n, 1);
  assert_int_equal(w->side[1].held.at[0], A);
}

static void readers_locks_do_not_protect_writes(void **state) {
  (void)state;
  struct step steps[] = {
      {0, WRITE, X, 0}, {1, LOCK, A, SHARED}, {1, WRITE, X, 0}, {1, UNLOCK, A, 0}, END};
  assert_int_equal(observe(&pv_eraser, steps), 1);
  steps[1].how = 0;
  assert_int_equal(observe(&pv_eraser, steps), 0);
}

static void forgotten_bytes_begin_anew(void **state) {
  (void)state;
  const struct step steps[] = {{0, WRITE, X, 0}, {0, FORGET, X, 0}, {1, WRITE, X, 0}, END};
  assert_int_equal(observe(&pv_eraser, steps), 0);
}

/* ---- lock trees: Figures 5 and 6 ------------------------------------------------------------- */
/* T1: L1{L3{L2, L4}}, L4{L2{L3}}; T2: L1{L2{L3}}, L4{L3{L2}}. Both nest L2 and L3 in opposite
 * orders, but under L1 or under L4; only L3 and L4 have no gate lock. */
static void figure_6_has_one_warning(void **state) {
  (void)state;
  const struct step steps[] = {{1, LOCK, A, 0},   {1, LOCK, C, 0},   {1, LOCK, B, 0},
                               {1, UNLOCK, B, 0}, {1, LOCK, D, 0},   {1, UNLOCK, D, 0},
                               {1, UNLOCK, C, 0}, {1, UNLOCK, A, 0}, {1, LOCK, D, 0},
                               {1, LOCK, B, 0},   {1, LOCK, C, 0},   {1, UNLOCK, C, 0},
                               {1, UNLOCK, B, 0}, {1, UNLOCK, D, 0}, {2, LOCK, A, 0},
                               {2, LOCK, B, 0},   {2, LOCK, C, 0},   {2, UNLOCK, C, 0},
                               {2, UNLOCK, B, 0}, {2, UNLOCK, A, 0}, {2, LOCK, D, 0},
                               {2, LOCK, C, 0},   {2, LOCK, B, 0},   {2, UNLOCK, B, 0},
                               {2, UNLOCK, C, 0}, {2, UNLOCK, D, 0}, END};
  assert_int_equal(observe(&pv_lock_trees, steps), 1);
  const struct pv_warning *w = &warnings.list.at[0];
  assert_int_equal(w->side[0].lock, D);
  assert_int_equal(w->side[0].place, 5);
  assert_int_equal(w->side[1].lock, C);
  assert_int_equal(w->side[1].place, 22);
}

static void a_gate_lock_protects(void **state) {
  (void)state;
  const struct step steps[] = {
      {1, LOCK, C, 0},   {1, LOCK, A, 0}, {1, LOCK, B, 0}, {1, UNLOCK, B, 0}, {1, UNLOCK, A, 0},
      {1, UNLOCK, C, 0}, {2, LOCK, C, 0}, {2, LOCK, B, 0}, {2, LOCK, A, 0},   END};
  assert_int_equal(observe(&pv_lock_trees, steps), 0);
  const struct step bare[] = {{1, LOCK, A, 0},
                              {1, LOCK, B, 0},
                              {1, UNLOCK, B, 0},
                              {1, UNLOCK, A, 0},
                              {2, LOCK, B, 0},
                              {2, LOCK, A, 0},
                              END};
  assert_int_equal(observe(&pv_lock_trees, bare), 1);
  assert_int_equal(warnings.list.at[0].side[0].held.at[0], A);
}

static void recursion_is_no_nesting(void **state) {
  (void)state;
  const struct step steps[] = {
      {1, LOCK, A, 0},   {1, LOCK, A, 0}, {1, UNLOCK, A, 0}, {1, LOCK, B, 0}, {1, UNLOCK, B, 0},
      {1, UNLOCK, A, 0}, {2, LOCK, B, 0}, {2, UNLOCK, B, 0}, {2, LOCK, A, 0}, END};
  assert_int_equal(observe(&pv_lock_trees, steps), 0);
}

static void three_threads_in_a_circle(void **state) {
  (void)state;
  struct step steps[] = {{1, LOCK, A, 0},
                         {1, LOCK, B, 0},
                         {1, UNLOCK, B, 0},
                         {1, UNLOCK, A, 0},
                         {2, LOCK, B, 0},
                         {2, LOCK, C, 0},
                         {2, UNLOCK, C, 0},
                         {2, UNLOCK, B, 0},
                         {3, LOCK, C, 0},
                         {3, LOCK, A, 0},
                         {3, UNLOCK, A, 0},
                         {3, UNLOCK, C, 0},
                         END};
  assert_int_equal(observe(&pv_lock_trees, steps), 0);
  assert_int_equal(observe(&pv_lock_cycles, steps), 1);
  assert_int_equal(warnings.list.at[0].n, 3);
  assert_int_equal(warnings.list.at[0].side[2].place, 10);
  steps[8].at = A, steps[9].at = C; /* the last philosopher takes his forks in the other order */
  assert_int_equal(observe(&pv_lock_cycles, steps), 0);
  const struct step gate[] = {
      {1, LOCK, D, 0},   {1, LOCK, A, 0},   {1, LOCK, B, 0}, {1, UNLOCK, B, 0}, {1, UNLOCK, A, 0},
      {1, UNLOCK, D, 0}, {2, LOCK, D, 0},   {2, LOCK, B, 0}, {2, LOCK, C, 0},   {2, UNLOCK, C, 0},
      {2, UNLOCK, B, 0}, {2, UNLOCK, D, 0}, {3, LOCK, C, 0}, {3, LOCK, A, 0},   END};
  assert_int_equal(observe(&pv_lock_cycles, gate), 0);
}

/* ---- happens-before -------------------------------------------------------------------------- */
static void locks_order(void **state) {
  (void)state;
  const struct step steps[] = {{1, LOCK, A, 0},
                               {1, WRITE, X, 0},
                               {1, UNLOCK, A, 0},
                               {2, LOCK, A, 0},
                               {2, READ, X, 0},
                               {2, UNLOCK, A, 0},
                               END};
  assert_int_equal(observe(&pv_happens_before, steps), 0);
  const struct step other[] = {{1, LOCK, A, 0},
                               {1, WRITE, X, 0},
                               {1, UNLOCK, A, 0},
                               {2, LOCK, B, 0},
                               {2, READ, X, 0},
                               {2, UNLOCK, B, 0},
                               END};
  assert_int_equal(observe(&pv_happens_before, other), 1);
}

static void forks_and_joins_order(void **state) {
  (void)state;
  const struct step steps[] = {{0, WRITE, X, 0}, {0, FORK, 1, 0}, {1, WRITE, X, 0},
                               {0, JOIN, 1, 0},  {0, READ, X, 0}, END};
  assert_int_equal(observe(&pv_happens_before, steps), 0);
  const struct step early[] = {{0, FORK, 1, 0}, {0, WRITE, X, 0}, {1, WRITE, X, 0}, END};
  assert_int_equal(observe(&pv_happens_before, early), 1);
}

static void messages_order_if_they_release_and_acquire(void **state) {
  (void)state;
  struct step steps[] = {{1, WRITE, X, 0},
                         {1, WRITE, A, ATOMIC | REL},
                         {2, READ, A, ATOMIC | ACQ},
                         {2, READ, X, 0},
                         END};
  assert_int_equal(observe(&pv_happens_before, steps), 0);
  steps[1].how = ATOMIC;
  assert_int_equal(observe(&pv_happens_before, steps), 1);
  assert_int_equal(warnings.list.at[0].at, X);
  steps[1].how = ATOMIC | REL, steps[2].how = ATOMIC;
  assert_int_equal(observe(&pv_happens_before, steps), 1);
}

static void fences_make_relaxed_operations_order(void **state) {
  (void)state;
  struct step steps[] = {{1, WRITE, X, 0},
                         {1, FENCE, 0, REL},
                         {1, WRITE, A, ATOMIC},
                         {2, READ, A, ATOMIC},
                         {2, FENCE, 0, ACQ},
                         {2, READ, X, 0},
                         END};
  assert_int_equal(observe(&pv_happens_before, steps), 0);
  steps[1].how = ACQ;
  assert_int_equal(observe(&pv_happens_before, steps), 1);
  steps[1].how = ACQ | REL, steps[4].how = REL;
  assert_int_equal(observe(&pv_happens_before, steps), 1);
  const struct step late[] = {{1, FENCE, 0, REL},
                              {1, WRITE, X, 0},
                              {1, WRITE, A, ATOMIC},
                              {2, READ, A, ATOMIC},
                              {2, FENCE, 0, ACQ},
                              {2, READ, X, 0},
                              END};
  assert_int_equal(observe(&pv_happens_before, late), 1);
}

static void exchanges_continue_release_sequences(void **state) {
  (void)state;
  struct step steps[] = {{1, WRITE, X, 0},
                         {1, WRITE, A, ATOMIC | REL},
                         {3, READ, A, ATOMIC},
                         {3, WRITE, A, ATOMIC | UPDATES},
                         {2, READ, A, ATOMIC | ACQ},
                         {2, READ, X, 0},
                         END};
  assert_int_equal(observe(&pv_happens_before, steps), 0);
  steps[3].how = ATOMIC;
  assert_int_equal(observe(&pv_happens_before, steps), 1);
}

static void a_read_follows_the_write_that_it_reads(void **state) {
  (void)state;
  /* The race on A is real; that on X is none then, since the read of A has seen the write after it.
   */
  const struct step steps[] = {
      {1, WRITE, X, 0}, {1, WRITE, A, 0}, {2, READ, A, 0}, {2, READ, X, 0}, END};
  assert_int_equal(observe(&pv_happens_before, steps), 1);
  assert_int_equal(warnings.list.at[0].at, A);
}

int main(void) {
#define T(F) cmocka_unit_test_teardown(F, teardown)
  const struct CMUnitTest tests[] = {
      T(initialisation_needs_no_lock),
      T(readers_after_initialisation_need_no_lock),
      T(different_locks_protect_nothing),
      T(readers_locks_do_not_protect_writes),
      T(forgotten_bytes_begin_anew),
      T(figure_6_has_one_warning),
      T(a_gate_lock_protects),
      T(recursion_is_no_nesting),
      T(three_threads_in_a_circle),
      T(locks_order),
      T(forks_and_joins_order),
      T(messages_order_if_they_release_and_acquire),
      T(fences_make_relaxed_operations_order),
      T(exchanges_continue_release_sequences),
      T(a_read_follows_the_write_that_it_reads),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
