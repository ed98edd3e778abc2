/* predict_test.c -- predictions on small traces, by hand and at random: exactly those that an
 * enumeration of all reorderings finds that keep reads and the order of critical sections. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/random.h"
#include "monitor/log.h"

enum { THREADS = 3, MOST = 12, LOCKS = 2, VARS = 2 };

struct trace {
  struct pv_observed at[MOST];
  uint32_t n, of[MOST]; /* of: number in its thread, from 0 */
};

static void add(struct trace *t, uint32_t thread, enum pv_observed_kind kind, uint64_t at) {
  uint32_t before = 0;
  for (uint32_t i = 0; i < t->n; i++) before += t->at[i].thread == thread;
  t->of[t->n] = before;
  t->at[t->n] = (struct pv_observed){
      .kind = kind, .thread = thread, .place = t->n, .at = at, .bytes = kind < 2 ? 1 : 0};
  t->n++;
}

static void predict(const struct trace *t, struct pv_warnings *w, struct pv_predictions *p) {
  struct pv_log log = {0};
  for (uint32_t i = 0; i < t->n; i++) {
    pv_log_step(&log, (struct pv_choice){t->at[i].thread, 0});
    pv_log_tell(&log, &t->at[i]);
  }
  pv_log_predict(&log, w, p);
  pv_log_free(&log);
}

/* ---- by enumeration -------------------------------------------------------------------------- */
struct run {
  const struct trace *t;
  uint32_t done[THREADS];              /* events of each thread that were executed */
  int32_t writer[VARS], holder[LOCKS]; /* -1: none */
  int32_t section[LOCKS];              /* the last acquisition */
  bool race[MOST][MOST], cycle[MOST][MOST];
};

static uint32_t next_of(const struct run *r, uint32_t thread) {
  for (uint32_t i = 0; i < r->t->n; i++)
    if (r->t->at[i].thread == thread && r->t->of[i] == r->done[thread]) return i;
  return MOST;
}

static int32_t writer_of(const struct trace *t, uint32_t read) {
  for (uint32_t i = read; i-- > 0;)
    if (t->at[i].kind == PV_OBSERVED_WRITE && t->at[i].at == t->at[read].at) return (int32_t)i;
  return -1;
}

static bool holds(const struct run *r, uint32_t thread, uint64_t lock) {
  return r->holder[lock] == (int32_t)thread;
}

static void note(struct run *r) {
  for (uint32_t a = 0; a < THREADS; a++)
    for (uint32_t b = a + 1; b < THREADS; b++) {
      uint32_t i = next_of(r, a), k = next_of(r, b);
      if (i == MOST || k == MOST) continue;
      const struct pv_observed *x = &r->t->at[i], *y = &r->t->at[k];
      bool access = x->kind < 2 && y->kind < 2 && x->at == y->at;
      if (access && (x->kind == PV_OBSERVED_WRITE || y->kind == PV_OBSERVED_WRITE))
        r->race[i][k] = r->race[k][i] = true;
      bool locks = x->kind == PV_OBSERVED_LOCK && y->kind == PV_OBSERVED_LOCK && x->at != y->at;
      if (locks && holds(r, a, y->at) && holds(r, b, x->at)) r->cycle[i][k] = r->cycle[k][i] = true;
    }
}

static void enumerate(struct run *r) {
  note(r);
  for (uint32_t thread = 0; thread < THREADS; thread++) {
    uint32_t i = next_of(r, thread);
    if (i == MOST) continue;
    const struct pv_observed *e = &r->t->at[i];
    struct run before = *r;
    bool locks = e->kind == PV_OBSERVED_LOCK;
    if (e->kind == PV_OBSERVED_READ && r->writer[e->at] != writer_of(r->t, i)) continue;
    if (locks && (r->holder[e->at] >= 0 || r->section[e->at] > (int32_t)i)) continue;
    if (e->kind == PV_OBSERVED_WRITE) r->writer[e->at] = (int32_t)i;
    if (locks) {
      r->holder[e->at] = (int32_t)thread;
      r->section[e->at] = (int32_t)i;
    }
    if (e->kind == PV_OBSERVED_UNLOCK) r->holder[e->at] = -1;
    r->done[thread]++;
    enumerate(r);
    memcpy(r->done, before.done, sizeof r->done);
    memcpy(r->writer, before.writer, sizeof r->writer);
    memcpy(r->holder, before.holder, sizeof r->holder);
    memcpy(r->section, before.section, sizeof r->section);
  }
}

static struct run enumerated(const struct trace *t) {
  struct run r = {.t = t};
  for (int i = 0; i < VARS; i++) r.writer[i] = -1;
  for (int i = 0; i < LOCKS; i++) r.holder[i] = r.section[i] = -1;
  enumerate(&r);
  return r;
}

/* ---- tests ----------------------------------------------------------------------------------- */
static uint32_t count(const struct trace *t, enum pv_warning_kind kind) {
  struct pv_warnings w = {0};
  struct pv_predictions p = {0};
  uint32_t n = 0;
  predict(t, &w, &p);
  for (uint32_t i = 0; i < w.list.n; i++) n += w.list.at[i].kind == kind;
  assert_int_equal(p.list.n, w.list.n);
  pv_predictions_free(&p);
  pv_warnings_free(&w);
  return n;
}

/* Happens-before orders the two writes of x by the lock, but the sections can be swapped ... */
static void hidden_race(void **state) {
  (void)state;
  struct trace t = {0};
  add(&t, 0, PV_OBSERVED_WRITE, 0);
  add(&t, 0, PV_OBSERVED_LOCK, 0);
  add(&t, 0, PV_OBSERVED_UNLOCK, 0);
  add(&t, 1, PV_OBSERVED_LOCK, 0);
  add(&t, 1, PV_OBSERVED_UNLOCK, 0);
  add(&t, 1, PV_OBSERVED_WRITE, 0);
  assert_int_equal(count(&t, PV_WARNING_RACE), 1);
}

/* ... unless the second one reads what the first one writes. */
static void no_race(void **state) {
  (void)state;
  struct trace t = {0};
  add(&t, 0, PV_OBSERVED_WRITE, 0);
  add(&t, 0, PV_OBSERVED_LOCK, 0);
  add(&t, 0, PV_OBSERVED_WRITE, 1);
  add(&t, 0, PV_OBSERVED_UNLOCK, 0);
  add(&t, 1, PV_OBSERVED_LOCK, 0);
  add(&t, 1, PV_OBSERVED_READ, 1);
  add(&t, 1, PV_OBSERVED_UNLOCK, 0);
  add(&t, 1, PV_OBSERVED_WRITE, 0);
  assert_int_equal(count(&t, PV_WARNING_RACE), 0);
}

static void circle(struct trace *t, bool gate) {
  for (uint32_t thread = 0; thread < 2; thread++) {
    if (gate && thread) add(t, 1, PV_OBSERVED_READ, 0);
    add(t, thread, PV_OBSERVED_LOCK, thread);
    add(t, thread, PV_OBSERVED_LOCK, 1 - thread);
    add(t, thread, PV_OBSERVED_UNLOCK, 1 - thread);
    add(t, thread, PV_OBSERVED_UNLOCK, thread);
    if (gate && !thread) add(t, 0, PV_OBSERVED_WRITE, 0);
  }
}

static void deadlock(void **state) {
  (void)state;
  struct trace t = {0};
  circle(&t, false);
  assert_int_equal(count(&t, PV_WARNING_LOCK_ORDER), 1);
}

static void no_deadlock(void **state) {
  (void)state;
  struct trace t = {0};
  circle(&t, true);
  assert_int_equal(count(&t, PV_WARNING_LOCK_ORDER), 0);
}

/* A trace that some execution has: locks are free when they are taken, and nested. */
static void draw(uint64_t *lot, bool locks, struct trace *t) {
  uint64_t held[THREADS][LOCKS];
  uint32_t n[THREADS] = {0};
  bool taken[LOCKS] = {false};
  *t = (struct trace){0};
  while (t->n < MOST) {
    uint32_t thread = pv_random_below(lot, THREADS), lock = pv_random_below(lot, LOCKS);
    switch (pv_random_below(lot, locks ? 8 : 5)) {
    case 0: add(t, thread, PV_OBSERVED_READ, pv_random_below(lot, VARS)); break;
    case 1: add(t, thread, PV_OBSERVED_WRITE, pv_random_below(lot, VARS)); break;
    case 2:
    case 3:
    case 5:
    case 6:
      if (taken[lock]) break;
      taken[lock] = true;
      held[thread][n[thread]++] = lock;
      add(t, thread, PV_OBSERVED_LOCK, lock);
      break;
    default:
      if (!n[thread]) break;
      taken[held[thread][--n[thread]]] = false;
      add(t, thread, PV_OBSERVED_UNLOCK, held[thread][n[thread]]);
    }
  }
}

static void random_traces(void **state) {
  (void)state;
  uint64_t lot = 1;
  uint32_t races = 0, cycles = 0;
  for (int round = 0; round < 400; round++) {
    struct trace t;
    draw(&lot, round % 2, &t);
    struct run r = enumerated(&t);
    struct pv_warnings w = {0};
    struct pv_predictions p = {0};
    predict(&t, &w, &p);
    bool found[MOST][MOST] = {{false}};
    bool some = false, any = false;
    for (uint32_t i = 0; i < w.list.n; i++) {
      const struct pv_warning *x = &w.list.at[i];
      uint32_t a = x->side[0].place, b = x->side[1].place;
      if (x->kind == PV_WARNING_RACE)
        found[a][b] = found[b][a] = true;
      else
        assert_true(r.cycle[a][b]);
      some |= x->kind == PV_WARNING_LOCK_ORDER;
    }
    for (uint32_t a = 0; a < t.n; a++)
      for (uint32_t b = 0; b < t.n; b++) {
        assert_int_equal(found[a][b], r.race[a][b]);
        races += r.race[a][b];
        any |= r.cycle[a][b];
      }
    assert_int_equal(some, any);
    cycles += any;
    pv_predictions_free(&p);
    pv_warnings_free(&w);
  }
  assert_true(races > 100);
  assert_true(cycles > 3);
}

/* A thread that counts many times by itself, before another one does: each access is compared
 * with few others, wherever they are. */
static void many_accesses(void **state) {
  (void)state;
  enum { EVENTS = 400000 };
  struct pv_warnings w = {0};
  struct pv_predictions p = {0};
  struct pv_log log = {0};
  for (uint32_t i = 0; i < EVENTS; i++) {
    uint32_t thread = i + 2 >= EVENTS;
    pv_log_step(&log, (struct pv_choice){thread, 0});
    pv_log_tell(&log, &(struct pv_observed){.kind = i % 2 ? PV_OBSERVED_WRITE : PV_OBSERVED_READ,
                                            .thread = thread,
                                            .place = thread * 2 + i % 2,
                                            .at = 8,
                                            .bytes = 1});
  }
  pv_log_predict(&log, &w, &p);
  /* the read and the write before it; the other write comes after that read */
  assert_int_equal(w.list.n, 1);
  pv_log_free(&log);
  pv_predictions_free(&p);
  pv_warnings_free(&w);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(hidden_race),   cmocka_unit_test(no_race),
      cmocka_unit_test(deadlock),      cmocka_unit_test(no_deadlock),
      cmocka_unit_test(random_traces), cmocka_unit_test(many_accesses)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
