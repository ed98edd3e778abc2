/* systemc_test.c -- the SystemC plug-in by itself: who may run, notifications, time, canonical
 * form.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "sched/sched.h"

enum { STATIC, TIME, ANY, EVERY };         /* what a process waits for */
enum { FOR_EVER = 1, ONE = 2, GO_ON = 4 }; /* of run */
enum { METHOD = 1, WAITS_FIRST = 2 };      /* of create */

struct machine {
  struct pv_sched_state s;
  uint64_t result;
};

static void spawn(void *self, unsigned thread, uint64_t start, uint64_t argument) {
  (void)self, (void)thread, (void)start, (void)argument;
}

static const struct pv_sched *const sc = &pv_sched_systemc;

static enum pv_prim_outcome call(struct machine *m, unsigned thread, const char *name, uint64_t a,
                                 uint64_t b, uint64_t c, uint64_t d) {
  char full[64] = "__proviso_sc_";
  struct pv_sched_env env = {m, 64, NULL, NULL, spawn, spawn, NULL};
  const char *message = NULL;
  strcat(full, name);
  struct pv_prim_call call = {
      .thread = thread, .prim = pv_sched_find(sc, full), .args = {a, b, c, d}};
  assert_non_null(call.prim);
  sc->dispatch(&m->s, thread);
  return sc->exec(&m->s, &env, &call, 0, &m->result, &message);
}

static void start(struct machine *m, unsigned processes, unsigned flags,
                  enum pv_sched_order order) {
  *m = (struct machine){0};
  sc->init(&m->s, order);
  for (unsigned i = 0; i < processes; i++) call(m, 0, "create", 0, 0, 0, flags);
  for (unsigned i = 0; i < 3; i++) call(m, 0, "event", 0, 0, 0, 0);
}

static void end(struct machine *m) {
  free(m->s.data);
}

static void run(struct machine *m, unsigned flags, uint64_t time) {
  assert_int_equal(call(m, 0, "run", flags, time, 0, 0), PV_PRIM_AGAIN);
}

/* Main runs again; a channel + 1, or 0. */
static uint64_t ran(struct machine *m) {
  assert_int_equal(sc->may_run(&m->s), 1);
  assert_int_equal(call(m, 0, "run", 0, 0, 0, 0), PV_PRIM_DONE);
  return m->result;
}

static void waits(struct machine *m, unsigned thread, unsigned kind, int event, bool timed,
                  uint64_t time) {
  assert_int_equal(call(m, thread, "wait", kind, (uint64_t)event, timed, time), PV_PRIM_AGAIN);
}

/* The process goes on; did its time come first? */
static bool goes_on(struct machine *m, unsigned thread) {
  assert_int_equal(call(m, thread, "wait", 0, 0, 0, 0), PV_PRIM_DONE);
  return m->result;
}

static void test_orders(void **unused) {
  struct machine m;
  (void)unused;
  start(&m, 3, 0, PV_ORDER_CREATION);
  run(&m, FOR_EVER, 0);
  for (unsigned t = 1; t <= 3; t++) {
    assert_int_equal(sc->may_run(&m.s), 1u << t);
    waits(&m, t, TIME, -1, true, 1);
  }
  end(&m);
  start(&m, 3, 0, PV_ORDER_ANY);
  run(&m, FOR_EVER, 0);
  assert_int_equal(sc->may_run(&m.s), 14);
  end(&m);
  start(&m, 3, 0, PV_ORDER_ALL); /* 3 is before the others, 1 before 2 */
  run(&m, FOR_EVER, 0);
  assert_int_equal(sc->may_run(&m.s), 14);
  waits(&m, 3, TIME, -1, true, 1);
  assert_int_equal(sc->may_run(&m.s), 6);
  waits(&m, 1, TIME, -1, true, 1);
  waits(&m, 2, TIME, -1, true, 1);
  assert_int_equal(sc->may_run(&m.s), 8);
  end(&m);
}

/* accellera: all methods, then all threads; the events of a process run the latest one first. */
static void test_queues(void **unused) {
  struct machine m;
  (void)unused;
  start(&m, 2, 0, PV_ORDER_ACCELLERA);
  call(&m, 0, "create", 0, 0, 0, METHOD);
  run(&m, FOR_EVER, 0);
  assert_int_equal(sc->may_run(&m.s), 8);
  call(&m, 3, "next", ANY, 0, 0, 0);
  assert_int_equal(call(&m, 3, "end_of_method", 0, 0, 0, 0), PV_PRIM_AGAIN);
  assert_int_equal(sc->may_run(&m.s), 2);
  call(&m, 1, "notify_now", 0, 0, 0, 0); /* the method is in the next batch */
  waits(&m, 1, ANY, 1, false, 0);
  assert_int_equal(sc->may_run(&m.s), 4);
  call(&m, 2, "notify", 1, 0, 0, 0);
  waits(&m, 2, ANY, 1, false, 0);
  assert_int_equal(sc->may_run(&m.s), 8);
  assert_int_equal(call(&m, 3, "end_of_method", 0, 0, 0, 0), PV_PRIM_DONE);
  assert_int_equal(call(&m, 3, "end_of_method", 0, 0, 0, 0), PV_PRIM_AGAIN);
  assert_int_equal(sc->may_run(&m.s), 2);
  end(&m);
}

/* A delta notification overrides a timed one, an earlier timed one a later one. */
static void test_notifications(void **unused) {
  struct machine m;
  (void)unused;
  start(&m, 2, 0, PV_ORDER_CREATION);
  run(&m, FOR_EVER, 0);
  waits(&m, 1, ANY, 0, true, 9);
  call(&m, 2, "notify", 0, 7, 0, 0);
  call(&m, 2, "notify", 0, 5, 0, 0);
  call(&m, 2, "notify", 0, 8, 0, 0);
  waits(&m, 2, TIME, -1, true, 6);
  assert_int_equal(sc->may_run(&m.s), 2); /* at 5 */
  assert_false(goes_on(&m, 1));
  waits(&m, 1, ANY, 0, true, 4);
  assert_int_equal(sc->may_run(&m.s), 4); /* at 6 */
  assert_false(goes_on(&m, 2));
  call(&m, 2, "notify", 0, 1, 0, 0);
  call(&m, 2, "cancel", 0, 0, 0, 0);
  waits(&m, 2, EVERY, 1, false, 0);
  assert_int_equal(sc->may_run(&m.s), 2); /* at 9 */
  assert_true(goes_on(&m, 1));
  call(&m, 1, "collect", 0, 0, 0, 0);
  call(&m, 1, "collect", 1, 0, 0, 0);
  call(&m, 1, "notify", 1, 0, 0, 0);
  waits(&m, 1, EVERY, -1, false, 0);
  assert_int_equal(sc->may_run(&m.s), 4);
  assert_false(goes_on(&m, 2));
  call(&m, 2, "notify_now", 0, 0, 0, 0);
  assert_int_equal(call(&m, 2, "finish", 0, 0, 0, 0), PV_PRIM_EXITED);
  assert_int_equal(sc->may_run(&m.s), 2);
  assert_false(goes_on(&m, 1));
  assert_int_equal(call(&m, 1, "finish", 0, 0, 0, 0), PV_PRIM_EXITED);
  assert_int_equal(ran(&m), 0); /* nothing will happen any more */
  end(&m);
}

/* Requests are met once each, before the delta notifications; then time passes to the end. */
static void test_updates(void **unused) {
  struct machine m;
  (void)unused;
  start(&m, 1, METHOD | WAITS_FIRST, PV_ORDER_CREATION);
  call(&m, 0, "channel", 0, 0, 0, 0);
  call(&m, 0, "channel", 0, 0, 0, 0);
  call(&m, 0, "sensitive", 1, 2, 0, 0);
  call(&m, 0, "keep", 1, 0, 0, 0);
  call(&m, 0, "request", 1, 0, 0, 0);
  call(&m, 0, "request", 0, 0, 0, 0);
  call(&m, 0, "request", 1, 0, 0, 0);
  run(&m, 0, 50);
  assert_int_equal(ran(&m), 1);
  call(&m, 0, "notify", 2, 0, 0, 0);
  assert_int_equal(call(&m, 0, "notify_now", 2, 0, 0, 0), PV_PRIM_DONE);
  assert_int_equal(m.result, 1); /* not in an update */
  run(&m, GO_ON, 0);
  assert_int_equal(ran(&m), 2);
  run(&m, GO_ON, 0);
  assert_int_equal(sc->may_run(&m.s), 2);
  call(&m, 1, "next", TIME, (uint64_t)-1, 1, 50);
  assert_int_equal(call(&m, 1, "end_of_method", 0, 0, 0, 0), PV_PRIM_AGAIN);
  assert_int_equal(ran(&m), 0); /* at 50 the method can run, but only in the next run */
  call(&m, 0, "now", 0, 0, 0, 0);
  assert_int_equal(m.result, 50);
  run(&m, ONE, 0);
  assert_int_equal(sc->may_run(&m.s), 2);
  assert_int_equal(call(&m, 1, "end_of_method", 0, 0, 0, 0), PV_PRIM_DONE);
  call(&m, 1, "stop", 1, 0, 0, 0);
  assert_int_equal(call(&m, 1, "end_of_method", 0, 0, 0, 0), PV_PRIM_AGAIN);
  assert_int_equal(ran(&m), 0);
  call(&m, 0, "running", 0, 0, 0, 0);
  assert_int_equal(m.result, 2);
  end(&m);
}

/* The state does not tell what time it is, unless the program reads it. */
static void test_canonical(void **unused) {
  (void)unused;
  for (unsigned keep = 0; keep <= 1; keep++) {
    struct machine m;
    start(&m, 2, 0, PV_ORDER_CREATION);
    call(&m, 0, "keep", keep, 0, 0, 0);
    run(&m, FOR_EVER, 0);
    waits(&m, 1, TIME, -1, true, 3);
    waits(&m, 2, TIME, -1, true, 3);
    uint32_t n = m.s.n;
    uint8_t *was = memcpy(malloc(n), m.s.data, n);
    for (unsigned t = 1; t <= 2; t++) {
      goes_on(&m, t);
      waits(&m, t, TIME, -1, true, 3);
    }
    assert_int_equal(m.s.n, n);
    assert_int_equal(memcmp(m.s.data, was, n) != 0, keep);
    free(was);
    end(&m);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_orders),        cmocka_unit_test(test_queues),
      cmocka_unit_test(test_notifications), cmocka_unit_test(test_updates),
      cmocka_unit_test(test_canonical),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
