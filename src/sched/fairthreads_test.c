/* fairthreads_test.c -- the FairThreads plug-in by itself: who may run, deadlines, canonical form.
 */
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
};

static void spawn(void *self, unsigned thread, uint64_t start, uint64_t argument) {
  (void)self, (void)thread, (void)start, (void)argument;
}

static const struct pv_sched *const ft = &pv_sched_fairthreads;

static enum pv_prim_outcome call(struct machine *m, unsigned thread, const char *name, uint64_t a,
                                 uint64_t b, uint64_t c) {
  char full[64] = "__proviso_ft_";
  struct pv_sched_env env = {m, 64, NULL, NULL, spawn, spawn, NULL};
  const char *message = NULL;
  strcat(full, name);
  struct pv_prim_call call = {.thread = thread, .prim = pv_sched_find(ft, full), .args = {a, b, c}};
  assert_non_null(call.prim);
  ft->dispatch(&m->s, thread);
  return ft->exec(&m->s, &env, &call, 0, &m->result, &message);
}

static void start(struct machine *m, unsigned threads, enum pv_sched_order order) {
  *m = (struct machine){0};
  ft->init(&m->s, order);
  call(m, 0, "scheduler", 0, 0, 0);
  for (unsigned i = 0; i < threads; i++) call(m, 0, "create", 0, 0, 0);
  call(m, 0, "launch", 0, 0, 0);
  assert_int_equal(ft->may_run(&m->s), 1); /* main */
  assert_int_equal(call(m, 0, "finish", 0, 0, 0), PV_PRIM_EXITED);
}

static void end(struct machine *m) {
  free(m->s.data);
}

static void waits(struct machine *m, unsigned thread, const char *name, uint64_t a, uint64_t b,
                  uint64_t c) {
  assert_int_equal(call(m, thread, name, a, b, c), PV_PRIM_AGAIN);
}

/* Threads are alike if they wait for the same, nobody waits for one of them, and no order stays. */
static void test_alike(void **unused) {
  struct machine m;
  (void)unused;
  start(&m, 3, PV_ORDER_ANY);
  assert_true(ft->alike(&m.s, 1, 2));
  waits(&m, 1, "await", 1, 0, 0);
  assert_false(ft->alike(&m.s, 1, 2));
  waits(&m, 2, "await", 1, 0, 0);
  assert_true(ft->alike(&m.s, 1, 2));
  waits(&m, 3, "join", 1, 0, 0);
  assert_false(ft->alike(&m.s, 1, 2));
  end(&m);
  start(&m, 3, PV_ORDER_CREATION);
  assert_false(ft->alike(&m.s, 1, 2));
  end(&m);
}

static void test_orders(void **unused) {
  struct machine m;
  (void)unused;
  start(&m, 3, PV_ORDER_CREATION);
  assert_int_equal(ft->may_run(&m.s), 2);
  waits(&m, 1, "cooperate", 1, 0, 0);
  assert_int_equal(ft->may_run(&m.s), 4);
  end(&m);
  start(&m, 3, PV_ORDER_ALL); /* the first instant decides: 3, 1, 2 */
  assert_int_equal(ft->may_run(&m.s), 14);
  waits(&m, 3, "cooperate", 1, 0, 0);
  assert_int_equal(ft->may_run(&m.s), 6);
  waits(&m, 1, "cooperate", 1, 0, 0);
  waits(&m, 2, "cooperate", 1, 0, 0);
  assert_int_equal(ft->may_run(&m.s), 8);
  end(&m);
  start(&m, 3, PV_ORDER_ANY);
  for (unsigned t = 1; t <= 3; t++) waits(&m, t, "cooperate", 1, 0, 0);
  assert_int_equal(ft->may_run(&m.s), 14);
  end(&m);
}

/* Places run out after 254 links, and are then given anew. */
static void test_many_links(void **unused) {
  struct machine m;
  (void)unused;
  start(&m, 2, PV_ORDER_CREATION);
  for (int i = 0; i < 600; i++) {
    const char *name = i % 2 ? "link" : "unlink";
    waits(&m, 1, name, 0, 0, 0);
    while (ft->may_run(&m.s) == 4)
      if (call(&m, 2, "cooperate", 1, 0, 0) == PV_PRIM_DONE) waits(&m, 2, "cooperate", 1, 0, 0);
    assert_int_equal(ft->may_run(&m.s), 2); /* also when it is linked it is the last one */
    assert_int_equal(call(&m, 1, name, 0, 0, 0), PV_PRIM_DONE);
    assert_int_equal(m.result, 0);
  }
  end(&m);
}

/* A thread that is woken goes on in this pass if it stands later, else in the next one. */
static void test_passes(void **unused) {
  struct machine m;
  (void)unused;
  start(&m, 3, PV_ORDER_CREATION);
  waits(&m, 1, "await", 1, 0, 0);
  call(&m, 2, "generate", 0, 0, 0);
  waits(&m, 2, "await", 2, 0, 0);
  assert_int_equal(ft->may_run(&m.s), 8);
  assert_int_equal(call(&m, 3, "await", 1, 0, 0), PV_PRIM_DONE); /* it is present */
  waits(&m, 3, "await", 2, 0, 0);
  assert_int_equal(ft->may_run(&m.s), 2);
  assert_int_equal(call(&m, 1, "await", 1, 0, 0), PV_PRIM_DONE);
  assert_int_equal(m.result, 0);
  assert_int_equal(call(&m, 1, "finish", 0, 0, 0), PV_PRIM_EXITED);
  assert_int_equal(ft->may_run(&m.s), 0); /* nobody generates event 1 */
  assert_int_equal(ft->alive_set(&m.s), 12);
  end(&m);
}

/* An instant goes on from the first move in it to the last one. */
static void test_inside(void **unused) {
  static const enum pv_sched_order orders[] = {PV_ORDER_CREATION, PV_ORDER_ALL, PV_ORDER_ANY};
  (void)unused;
  for (unsigned i = 0; i < 3; i++) {
    struct machine m;
    start(&m, 2, orders[i]);
    assert_false(ft->inside(&m.s));
    call(&m, 1, "generate", 0, 0, 0);
    assert_true(ft->inside(&m.s));
    waits(&m, 1, "cooperate", 1, 0, 0);
    assert_true(ft->inside(&m.s)); /* the other one has to run */
    waits(&m, 2, "cooperate", 1, 0, 0);
    assert_false(ft->inside(&m.s));
    call(&m, 1, "cooperate", 1, 0, 0);
    waits(&m, 1, "await", 2, 0, 0);
    call(&m, 2, "cooperate", 1, 0, 0);
    call(&m, 2, "generate", 1, 0, 0);
    assert_int_equal(call(&m, 2, "finish", 0, 0, 0), PV_PRIM_EXITED);
    assert_true(ft->inside(&m.s)); /* thread 1 goes on in the same instant */
    call(&m, 1, "await", 2, 0, 0);
    waits(&m, 1, "cooperate", 1, 0, 0);
    assert_false(ft->inside(&m.s));
    end(&m);
  }
}

/* The state after an instant does not tell which instant it is. */
static void test_canonical(void **unused) {
  struct machine m;
  (void)unused;
  start(&m, 2, PV_ORDER_CREATION);
  uint32_t n = m.s.n;
  waits(&m, 1, "cooperate", 1, 0, 0);
  call(&m, 2, "generate", 5, 1, 0);
  assert_int_equal(m.result, 0);
  call(&m, 2, "generate", 5, 1, 0);
  assert_int_equal(m.result, 1);
  waits(&m, 2, "cooperate", 1, 0, 0);
  for (int i = 0; i < 2; i++) { /* both are inside of a call now */
    uint32_t size = m.s.n;
    uint8_t *was = memcpy(malloc(size), m.s.data, size);
    for (unsigned t = 1; t <= 2; t++) {
      assert_int_equal(call(&m, t, "cooperate", 1, 0, 0), PV_PRIM_DONE);
      waits(&m, t, "cooperate", 1, 0, 0);
    }
    assert_int_equal(m.s.n, size);
    assert_memory_equal(m.s.data, was, size);
    free(was);
  }
  assert_int_equal(m.s.n, n);
  end(&m);
}

/* Only deadlines are left: the instants until the first one pass at once. */
static void test_deadlines(void **unused) {
  struct machine m;
  (void)unused;
  start(&m, 2, PV_ORDER_CREATION);
  waits(&m, 1, "cooperate", 1000000, 0, 0);
  waits(&m, 2, "await", 1, 1, 999999);
  assert_int_equal(ft->may_run(&m.s), 4);
  assert_int_equal(call(&m, 2, "await", 1, 1, 999999), PV_PRIM_DONE);
  assert_int_equal(m.result, 2); /* ETIMEOUT */
  assert_int_equal(call(&m, 2, "await", 1, 1, 0), PV_PRIM_DONE);
  assert_int_equal(m.result, 2);
  waits(&m, 2, "value", 0, 0, 0);
  assert_int_equal(ft->may_run(&m.s), 2); /* one instant later */
  assert_int_equal(call(&m, 1, "cooperate", 1000000, 0, 0), PV_PRIM_DONE);
  waits(&m, 1, "join", 2, 0, 0);
  assert_int_equal(call(&m, 2, "value", 0, 0, 0), PV_PRIM_DONE);
  assert_int_equal(m.result, 3); /* ENEXT */
  assert_int_equal(call(&m, 2, "finish", 0, 0, 0), PV_PRIM_EXITED);
  assert_int_equal(call(&m, 1, "join", 2, 0, 0), PV_PRIM_DONE);
  end(&m);
}

/* A lock is tried again when it becomes free; an unlinked thread runs before all others. */
static void test_locks(void **unused) {
  struct machine m;
  (void)unused;
  start(&m, 2, PV_ORDER_CREATION);
  assert_int_equal(call(&m, 1, "lock", 1, 0, 0), PV_PRIM_DONE);
  waits(&m, 1, "unlink", 0, 0, 0);
  waits(&m, 2, "lock", 1, 0, 0);
  assert_int_equal(ft->may_run(&m.s), 2); /* the next instant: thread 1 is beside the scheduler */
  assert_true(ft->beside(&m.s, 1) && !ft->beside(&m.s, 2));
  assert_int_equal(call(&m, 1, "unlink", 0, 0, 0), PV_PRIM_DONE);
  assert_int_equal(call(&m, 1, "cooperate", 1, 0, 0), PV_PRIM_DONE);
  assert_int_equal(m.result, 4); /* EBADLINK */
  assert_int_equal(call(&m, 1, "unlock", 1, 0, 0), PV_PRIM_DONE);
  waits(&m, 1, "link", 0, 0, 0);
  assert_int_equal(ft->may_run(&m.s), 4);
  assert_int_equal(call(&m, 2, "lock", 1, 0, 0), PV_PRIM_DONE);
  assert_int_equal(m.result, 0);
  assert_int_equal(call(&m, 2, "finish", 0, 0, 0), PV_PRIM_EXITED);
  assert_int_equal(ft->may_run(&m.s), 2);
  assert_int_equal(call(&m, 1, "link", 0, 0, 0), PV_PRIM_DONE);
  assert_int_equal(call(&m, 1, "lock", 1, 0, 0), PV_PRIM_DONE); /* the end has freed it */
  end(&m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_alike),     cmocka_unit_test(test_orders),
      cmocka_unit_test(test_inside),    cmocka_unit_test(test_many_links),
      cmocka_unit_test(test_passes),    cmocka_unit_test(test_canonical),
      cmocka_unit_test(test_deadlines), cmocka_unit_test(test_locks),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
