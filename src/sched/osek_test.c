/* osek_test.c -- the OSEK plug-in by itself: who may run, preemption, canonical form. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "sched/sched.h"

struct machine {
  struct pv_sched_state s;
  uint64_t result;
  uint64_t restarted; /* bit t: thread t began anew */
};

static void spawn(void *self, unsigned thread, uint64_t start, uint64_t argument) {
  (void)self, (void)thread, (void)start, (void)argument;
}
static void restart(void *self, unsigned thread, uint64_t start, uint64_t argument) {
  struct machine *m = self;
  assert_true(!start && !argument);
  m->restarted |= UINT64_C(1) << thread;
}

static const struct pv_sched *const osek = &pv_sched_osek;

static enum pv_prim_outcome call(struct machine *m, unsigned thread, const char *name, uint64_t a,
                                 uint64_t b, uint64_t c, uint64_t d, uint64_t e, uint64_t f) {
  char full[64] = "__proviso_osek_";
  struct pv_sched_env env = {m, 64, NULL, NULL, spawn, restart, NULL};
  const char *message = NULL;
  strcat(full, name);
  struct pv_prim_call call = {
      .thread = thread, .prim = pv_sched_find(osek, full), .args = {a, b, c, d, e, f}};
  assert_non_null(call.prim);
  osek->dispatch(&m->s, thread);
  return osek->exec(&m->s, &env, &call, 0, &m->result, &message);
}
static void is(struct machine *m, unsigned thread, const char *name, uint64_t a, uint64_t b,
               uint64_t result) {
  assert_int_equal(call(m, thread, name, a, b, 0, 0, 0, 0), PV_PRIM_DONE);
  assert_int_equal(m->result, result);
}
static void leaves(struct machine *m, unsigned thread, const char *name, uint64_t a,
                   enum pv_prim_outcome outcome) {
  assert_int_equal(call(m, thread, name, a, 0, 0, 0, 0, 0), outcome);
}

enum { AUTOSTART = 1, NON_PREEMPTIVE = 2, EXTENDED = 4 };
/* Tasks are numbers 11, 12, ... so that they differ from threads. */
static void task(struct machine *m, unsigned number, unsigned priority, int flags) {
  assert_int_equal(call(m, 0, "task", number, 0, 0, priority, 2, (uint64_t)flags), PV_PRIM_DONE);
  assert_int_equal(m->result, number - 10);
}
static void begin(struct machine *m, enum pv_sched_order order) {
  *m = (struct machine){0};
  osek->init(&m->s, order);
}
static void start(struct machine *m) {
  assert_int_equal(osek->may_run(&m->s), 1);
  leaves(m, 0, "launch", 0, PV_PRIM_EXITED);
}
static void end(struct machine *m) {
  free(m->s.data);
}

static void test_preemption(void **unused) {
  struct machine m;
  (void)unused;
  begin(&m, PV_ORDER_CREATION);
  task(&m, 11, 1, AUTOSTART);
  task(&m, 12, 2, 0);
  start(&m);
  assert_int_equal(osek->may_run(&m.s), 2);
  assert_int_equal(osek->alive_set(&m.s), 2); /* a suspended task is not alive */
  m.restarted = 0;
  leaves(&m, 1, "activate", 12, PV_PRIM_AGAIN);
  assert_int_equal(m.restarted, 4);
  assert_int_equal(osek->may_run(&m.s), 4);
  is(&m, 2, "state", 11, 0, 1); /* ready */
  is(&m, 2, "self", 0, 0, 12);
  is(&m, 2, "activate", 11, 0, 0); /* a second activation is kept */
  is(&m, 2, "activate", 11, 0, 4); /* E_OS_LIMIT */
  leaves(&m, 2, "end", 0, PV_PRIM_EXITED);
  is(&m, 1, "activate", 12, 0, 0); /* the call that was preempted is done: E_OK */
  m.restarted = 0;
  leaves(&m, 1, "end", 0, PV_PRIM_EXITED);
  assert_int_equal(m.restarted, 2); /* by its second activation */
  assert_int_equal(osek->may_run(&m.s), 2);
  leaves(&m, 1, "end", 0, PV_PRIM_EXITED);
  assert_int_equal(osek->may_run(&m.s), 0);
  assert_int_equal(osek->alive_set(&m.s), 0);
  end(&m);
}

static void test_orders(void **unused) {
  struct machine m;
  enum pv_sched_order orders[] = {PV_ORDER_CREATION, PV_ORDER_ALL, PV_ORDER_ANY};
  uint64_t first[] = {4, 12, 12}, then[] = {8, 8, 24};
  (void)unused;
  for (int i = 0; i < 3; i++) {
    begin(&m, orders[i]);
    task(&m, 11, 1, AUTOSTART);
    task(&m, 12, 2, AUTOSTART);
    task(&m, 13, 2, AUTOSTART);
    task(&m, 14, 2, 0);
    start(&m);
    assert_int_equal(osek->may_run(&m.s), first[i]);
    is(&m, 2, "activate", 14, 0, 0); /* the same priority: behind the others */
    leaves(&m, 2, "end", 0, PV_PRIM_EXITED);
    assert_int_equal(osek->may_run(&m.s), then[i]);
    end(&m);
  }
}

/* The highest priority of its users, and above all of them the scheduler. */
static void test_ceiling(void **unused) {
  struct machine m;
  (void)unused;
  begin(&m, PV_ORDER_CREATION);
  task(&m, 11, 1, AUTOSTART);
  task(&m, 12, 2, 0);
  task(&m, 13, 3, 0);
  is(&m, 0, "resource", 20, 0, 0);
  is(&m, 0, "user", 20, 11, 0);
  is(&m, 0, "user", 20, 12, 0);
  start(&m);
  is(&m, 1, "get", 21, 0, 3); /* E_OS_ID */
  is(&m, 1, "get", 20, 0, 0);
  is(&m, 1, "get", 20, 0, 1);      /* E_OS_ACCESS */
  is(&m, 1, "may_end", 0, 0, 6);   /* E_OS_RESOURCE */
  is(&m, 1, "activate", 12, 0, 0); /* not above the ceiling */
  is(&m, 1, "get", 255, 0, 0);     /* RES_SCHEDULER */
  is(&m, 1, "release", 20, 0, 5);  /* E_OS_NOFUNC: not the last one */
  is(&m, 1, "activate", 13, 0, 0);
  leaves(&m, 1, "release", 255, PV_PRIM_AGAIN);
  assert_int_equal(osek->may_run(&m.s), 8);
  is(&m, 3, "get", 20, 0, 1);
  leaves(&m, 3, "end", 0, PV_PRIM_EXITED);
  is(&m, 1, "release", 255, 0, 0); /* it was preempted in this call */
  leaves(&m, 1, "release", 20, PV_PRIM_AGAIN);
  assert_int_equal(osek->may_run(&m.s), 4);
  end(&m);
}

/* After a round the state is what it was, byte for byte; alarms of the hardware's counter expire
 * when no task can run. */
static void test_canonical(void **unused) {
  struct machine m;
  (void)unused;
  begin(&m, PV_ORDER_CREATION);
  task(&m, 11, 1, 0);
  task(&m, 12, 2, AUTOSTART | EXTENDED);
  assert_int_equal(call(&m, 0, "counter", 20, 9, 1, 0, 0, 0), PV_PRIM_DONE);
  assert_int_equal(call(&m, 0, "alarm", 21, 20, 11, 0, 3, 3), PV_PRIM_DONE);
  assert_int_equal(call(&m, 0, "alarm", 22, 20, 12, 1, 6, 6), PV_PRIM_DONE);
  start(&m);
  leaves(&m, 2, "wait", 1, PV_PRIM_AGAIN);
  uint8_t *was = NULL;
  uint32_t n = 0;
  for (int round = 0; round < 3; round++) {
    assert_int_equal(osek->may_run(&m.s), 2); /* three ticks later */
    leaves(&m, 1, "end", 0, PV_PRIM_EXITED);
    assert_int_equal(osek->may_run(&m.s), 4); /* six ticks later: both; the event goes first */
    is(&m, 2, "wait", 1, 0, 0);
    is(&m, 2, "left", 21, 0, 3);
    is(&m, 2, "left", 22, 0, 6);
    is(&m, 2, "clear", 1, 0, 0);
    leaves(&m, 2, "wait", 1, PV_PRIM_AGAIN);
    leaves(&m, 1, "end", 0, PV_PRIM_EXITED);
    if (was) assert_int_equal(m.s.n, n);
    if (was) assert_memory_equal(m.s.data, was, n);
    n = m.s.n;
    free(was);
    was = memcpy(malloc(n), m.s.data, n);
  }
  free(was);
  end(&m);
}

/* An alarm that does nothing any more does not keep the system busy. */
static void test_idle(void **unused) {
  struct machine m;
  (void)unused;
  begin(&m, PV_ORDER_CREATION);
  task(&m, 11, 1, AUTOSTART | EXTENDED);
  task(&m, 12, 1, EXTENDED);
  assert_int_equal(call(&m, 0, "counter", 20, 9, 1, 0, 0, 0), PV_PRIM_DONE);
  assert_int_equal(call(&m, 0, "alarm", 21, 20, 11, 2, 3, 2), PV_PRIM_DONE);
  assert_int_equal(call(&m, 0, "alarm", 22, 20, 12, 1, 1, 1), PV_PRIM_DONE); /* never active */
  start(&m);
  leaves(&m, 1, "wait", 1, PV_PRIM_AGAIN); /* event 2 is set, again and again */
  assert_int_equal(osek->may_run(&m.s), 0);
  assert_int_equal(osek->alive_set(&m.s), 2); /* a deadlock */
  end(&m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_preemption), cmocka_unit_test(test_orders),
      cmocka_unit_test(test_ceiling),    cmocka_unit_test(test_canonical),
      cmocka_unit_test(test_idle),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
