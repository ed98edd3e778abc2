/* The plug-in's state under permutations of the threads: in random states, what a thread can do its
 * image can do. */
#include "sched/pthread_test.h"

/* ---- symmetry -------------------------------------------------------------------------------- */
static void test_awaited(void **unused) {
  (void)unused;
  struct machine m;
  machine_init(&m, 4);
  done(&m, 0, "thread_detach", 2, 0);
  assert_int_equal(go(&m, 2, "thread_exit", 0, 0), PV_PRIM_EXITED);
  struct pv_prim_call alive = call(0, "thread_join", 4, 0), ended = call(0, "thread_join", 3, 0),
                      detached = call(0, "thread_join", 2, 0), self = call(0, "thread_join", 1, 0),
                      nobody = call(0, "thread_join", 5, 0), null = call(0, "thread_join", 0, 0),
                      wants = call(0, "thread_join", 4, BASE),
                      other = call(0, "thread_detach", 4, 0);
  assert_int_equal(pv_sched_pthread.awaited(&m.s, &alive), 3);
  assert_int_equal(pv_sched_pthread.awaited(&m.s, &ended), 2);
  assert_int_equal(pv_sched_pthread.awaited(&m.s, &wants), 3);
  const struct pv_prim_call *no[] = {&detached, &self, &nobody, &null, &other};
  for (unsigned i = 0; i < sizeof no / sizeof *no; i++)
    assert_int_equal(pv_sched_pthread.awaited(&m.s, no[i]), PV_MAX_THREADS);
  assert_int_equal(pv_sched_pthread.used_set(&m.s), 15);
  done(&m, 0, "thread_join", 3, 0);
  assert_int_equal(pv_sched_pthread.used_set(&m.s), 11);
  free(m.s.data);
}

/* A joined thread leaves no trace, and trailing free numbers are dropped. */
static void test_permute_drops(void **unused) {
  (void)unused;
  struct machine m, n;
  struct pv_sched_state out = {0};
  machine_init(&m, 4);
  machine_init(&n, 4);
  assert_int_equal(go(&m, 3, "thread_exit", 7, 0), PV_PRIM_EXITED);
  assert_int_equal(go(&n, 1, "thread_exit", 9, 0), PV_PRIM_EXITED);
  done(&m, 2, "mutex_lock", M, 0);
  done(&n, 3, "mutex_lock", M, 0);
  const uint8_t to_m[] = {0, 1, 2, PV_SCHED_DROP}, to_n[] = {0, PV_SCHED_DROP, 1, 2};
  pv_sched_pthread.permute(&m.s, to_m, &out);
  done(&m, 0, "thread_join", 4, 0);
  assert_int_equal(out.n, m.s.n);
  assert_memory_equal(out.data, m.s.data, out.n);
  pv_sched_pthread.permute(&n.s, to_n, &out);
  assert_memory_equal(out.data, m.s.data, out.n);
  free(out.data);
  free(m.s.data);
  free(n.s.data);
}

/* Equal threads are alike until one of them holds something, waits elsewhere, or is detached. */
static void test_alike(void **unused) {
  (void)unused;
  struct machine m;
  machine_init(&m, 4);
  assert_true(pv_sched_pthread.alike(&m.s, 1, 2));
  done(&m, 1, "mutex_lock", M, 0);
  assert_false(pv_sched_pthread.alike(&m.s, 1, 2));
  assert_true(pv_sched_pthread.alike(&m.s, 2, 3));
  done(&m, 1, "mutex_unlock", M, 0);
  assert_true(pv_sched_pthread.alike(&m.s, 1, 2));
  done(&m, 0, "thread_detach", 3, 0);
  assert_false(pv_sched_pthread.alike(&m.s, 1, 2));
  done(&m, 0, "thread_detach", 2, 0);
  assert_false(pv_sched_pthread.alike(&m.s, 1, 2)); /* which number is free first matters */
  free(m.s.data);
}

static void shuffle(uint8_t *to) {
  for (unsigned t = 0; t < PV_MAX_THREADS; t++) to[t] = (uint8_t)t;
  for (unsigned t = CAST; t > 2; t--) { /* 0 stays */
    unsigned other = 1 + random_below(t - 1);
    uint8_t was = to[t - 1];
    to[t - 1] = to[other];
    to[other] = was;
  }
}

static struct pv_prim_call renamed(const struct pv_prim_call *c, const uint8_t *to) {
  struct pv_prim_call r = *c;
  r.thread = to[c->thread];
  if (c->prim->class == PV_PRIM_THREAD && c->prim != prim("thread_exit"))
    r.args[0] = to[c->args[0] - 1] + 1u;
  return r;
}

/* Is `renamed`, after one of its alternatives, the image of `m`, which is the state after the
 * original alternative? */
static bool has_image(const struct machine *before, const struct pv_prim_call *c,
                      const struct machine *after, struct outcome outcome, struct machine *room) {
  copy(room, before);
  unsigned n = alternatives_of(room, c, NULL);
  for (unsigned i = 0; i < n; i++) {
    copy(room, before);
    struct outcome o = run(room, c, i);
    if (same_outcome(o, outcome) && same(room, after)) return true;
  }
  return false;
}

/* What a thread does in a state, its image does in the permuted state, and the results are images.
 */
static unsigned check_image(struct walk *w, const struct pv_prim_call *c, struct machine *rooms) {
  struct machine *image = &rooms[0], *after = &rooms[1], *after_image = &rooms[2];
  uint8_t to[PV_MAX_THREADS];
  shuffle(to);
  struct pv_prim_call d = renamed(c, to);
  unsigned n = alternatives_of(&w->m, c, NULL);
  copy(image, &w->m);
  pv_sched_pthread.permute(&w->m.s, to, &image->s);
  assert_int_equal(alternatives_of(image, &d, NULL), n);
  unsigned awaited = pv_sched_pthread.awaited(&w->m.s, c);
  assert_int_equal(pv_sched_pthread.awaited(&image->s, &d),
                   awaited < PV_MAX_THREADS ? to[awaited] : awaited);
  if (!n && c->prim == prim("thread_join")) assert_true(awaited < PV_MAX_THREADS);
  for (unsigned t = 0; t < CAST; t++)
    assert_true(pv_sched_pthread.part(&w->m.s, t) == pv_sched_pthread.part(&image->s, to[t]));
  for (unsigned alternative = 0; alternative < n; alternative++) {
    copy(after, &w->m);
    struct outcome o = run(after, c, alternative);
    copy(after_image, after);
    pv_sched_pthread.permute(&after->s, to, &after_image->s);
    if (!has_image(image, &d, after_image, o, &rooms[3])) fail_msg("%s", c->prim->name);
  }
  return n;
}

static void test_permutation(void **unused) {
  (void)unused;
  struct machine rooms[4];
  memset(rooms, 0, sizeof rooms);
  unsigned images = 0;
  for (unsigned round = 0; round < 1000; round++) {
    struct walk w = {0};
    seed = round + 1;
    machine_init(&w.m, CAST);
    for (unsigned i = 0; i < 60; i++) {
      step(&w, random_below(pv_sched_pthread.n_threads(&w.m.s)));
      unsigned a = random_below(pv_sched_pthread.n_threads(&w.m.s));
      if (!pv_sched_pthread.alive(&w.m.s, a) || pv_sched_pthread.n_threads(&w.m.s) > CAST) continue;
      struct pv_prim_call c = w.inside[a] ? w.at[a] : random_call(a);
      bool by_number = c.prim == prim("thread_create") || c.prim == prim("thread_self");
      if (!by_number) images += check_image(&w, &c, rooms);
    }
    free(w.m.s.data);
  }
  assert_true(images > 10000);
  for (unsigned i = 0; i < 4; i++) free(rooms[i].s.data);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_awaited), cmocka_unit_test(test_permute_drops),
      cmocka_unit_test(test_alike), cmocka_unit_test(test_permutation)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
