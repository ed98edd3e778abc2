/* Positions of several threads: configurations, possible moves, and what reduction leaves out, on
 * programs whose points are all visited. Values are not considered here. */
#include "cpa/walk_test.h"

static uint32_t switches(const struct walked *w) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < w->points.n; i++) n += pv_control_is_switch(w->control, w->points.at[i]);
  return n;
}

/* Moves of calls of the primitive, going that way. */
static uint32_t count(const struct walked *w, const char *prim, uint32_t alternative,
                      enum pv_move_kind kind) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < w->moves.n; i++) {
    const struct pv_move *m = &w->moves.at[i];
    const struct pv_edge *e = pv_move_edge(w->control, m);
    if (e->op != PV_OP_PRIM || m->alternative != alternative || m->kind != kind) continue;
    n += !strcmp(w->c.program->prims.at[e->aux].prim->name, prim);
  }
  return n;
}

#define TWO(WORK, MAIN)                                                                            \
  "#include <pthread.h>\n"                                                                         \
  "extern int __VERIFIER_nondet_int(void);\n"                                                      \
  "int x, y;\n"                                                                                    \
  "static void *work(void *p) { " WORK " return p; }\n"                                            \
  "int main(void) { pthread_t t; pthread_create(&t, 0, work, 0); " MAIN                            \
  "  pthread_join(t, 0); return 0; }\n"

static uint32_t switches_of(const char *text, bool reduce) {
  struct walked w;
  walk(&w, text, 4, true, reduce);
  uint32_t n = switches(&w);
  walk_free(&w);
  return n;
}

/* Independent moves are not executed in every order, dependent ones are. */
static void independent_moves_are_left_out(void **unused) {
  const char *apart = TWO("y = 1; y = 2;", "x = 1; x = 2;");
  const char *together = TWO("x = 3; x = 4;", "x = 1; x = 2;");
  uint32_t all = switches_of(apart, false);
  (void)unused;
  assert_true(all > 9); /* each before one of two stores, or what it ends with, at least */
  assert_int_equal(switches_of(together, false), all);
  assert_true(switches_of(together, true) > switches_of(apart, true));
  assert_true(switches_of(apart, true) + 4 <= all);
}

/* Nobody writes: nobody else can tell. */
static void reads_of_constants_are_no_switches(void **unused) {
  (void)unused;
  assert_int_equal(switches_of(TWO("int l = x; (void)l;", "int k = x; (void)k;"), false),
                   switches_of(TWO("", ""), false));
}

/* A loop that is invisible to others must not postpone them. */
static void loops_let_others_move(void **unused) {
  struct walked w;
  bool goes_on = false;
  (void)unused;
  walk(&w, TWO("y = 1;", "for (;;) { }"), 4, true, true);
  for (uint32_t i = 0; i < w.moves.n; i++)
    goes_on |= pv_control_frame(w.control, w.moves.at[i].frame)->thread == 1 &&
               pv_move_edge(w.control, &w.moves.at[i])->op == PV_OP_STORE;
  assert_true(goes_on);
  walk_free(&w);
}

/* On a cycle of stores that commute with everything, the other thread gets its turn. */
static void cycles_let_all_move(void **unused) {
  struct walked w;
  uint32_t both = 0;
  (void)unused;
  walk(&w, TWO("for (;;) y = 1;", "for (;;) x = 1;"), 4, true, true);
  for (uint32_t i = 0; i < w.points.n; i++) {
    pv_moves moves = {0};
    bool moved[2] = {false, false};
    pv_control_moves(w.control, w.points.at[i], &moves);
    for (uint32_t k = 0; k < moves.n; k++)
      moved[pv_control_frame(w.control, moves.at[k].frame)->thread] = true;
    both += moved[0] && moved[1];
    pv_vec_free(&moves);
  }
  assert_true(both > 0);
  walk_free(&w);
}

static void frames_belong_to_threads(void **unused) {
  struct walked w;
  uint32_t tops = 0;
  (void)unused;
  walk(&w,
       "#include <pthread.h>\n"
       "int x;\n"
       "static void *work(void *p) { int l = x; x = l + 1; return p; }\n"
       "int main(void) { pthread_t s, t; pthread_create(&s, 0, work, 0);\n"
       "  pthread_create(&t, 0, work, 0); pthread_join(s, 0); pthread_join(t, 0); work(0); }\n",
       4, true, false);
  for (uint32_t i = 0; i < w.moves.n; i++) {
    const struct pv_frame *f = pv_control_frame(w.control, w.moves.at[i].frame);
    assert_int_equal(f->instance / PV_INSTANCES, f->thread);
    if (f->parent != PV_NO_FRAME)
      assert_int_equal(pv_control_frame(w.control, f->parent)->thread, f->thread);
    if (strcmp(pv_control_function(w.control, w.moves.at[i].frame)->name, "work") == 0)
      tops |= 1u << f->thread;
  }
  assert_int_equal(tops, 7); /* main calls it, too */
  walk_free(&w);
}

/* A variable is found in the frame that it belongs to, whoever is active. */
static void variables_of_all_threads_are_found(void **unused) {
  struct walked w;
  uint32_t found = 0;
  (void)unused;
  walk(&w, TWO("y = 1;", "x = 1;"), 4, true, false);
  for (uint32_t i = 0; i < w.points.n; i++) {
    if (!pv_control_is_switch(w.control, w.points.at[i])) continue;
    for (uint32_t f = 0; f < w.c.program->functions.n; f++) {
      uint32_t top;
      pv_loc loc;
      if (strcmp(w.c.program->functions.at[f].name, "work") != 0) continue;
      uint32_t frame = pv_control_find(w.control, w.points.at[i], f, PV_INSTANCES, &top, &loc);
      if (frame == PV_NO_FRAME) continue;
      assert_int_equal(pv_control_frame(w.control, frame)->thread, 1);
      assert_true(pv_control_stands_at(
          w.control, w.points.at[i], pv_control_frame(w.control, top)->function,
          pv_control_function(w.control, top)->locs.at[loc].first_out));
      found++;
    }
  }
  assert_true(found > 0);
  walk_free(&w);
}

static void joins_wait(void **unused) {
  struct walked w;
  uint32_t joins = 0;
  (void)unused;
  walk(&w, TWO("y = 1;", ""), 4, true, false);
  for (uint32_t i = 0; i < w.moves.n; i++) {
    const struct pv_move *m = &w.moves.at[i];
    const struct pv_edge *e = pv_move_edge(w.control, m);
    if (e->op != PV_OP_PRIM ||
        strcmp(w.c.program->prims.at[e->aux].prim->name, "__proviso_thread_join") != 0)
      continue;
    if (m->alternative == PV_ALTERNATIVE_SELF || m->alternative == PV_ALTERNATIVE_MISUSE) continue;
    assert_int_equal(m->alternative, PV_ALTERNATIVE_ONLY); /* main wants no result */
    assert_int_equal(m->other, 1);
    assert_int_equal(m->beside, 0);    /* it has ended ... */
    assert_int_equal(m->to.others, 0); /* ... and main is alone behind it */
    joins++;
  }
  assert_true(joins > 0);
  assert_true(count(&w, "__proviso_thread_create", PV_ALTERNATIVE_ONLY, PV_MOVE_STEP) > 0);
  walk_free(&w);
}

/* Three stores in a section are one step to others. */
static void sections_are_not_left(void **unused) {
#define SECTIONS                                                                                   \
  "extern void __VERIFIER_atomic_begin(void);\n"                                                   \
  "extern void __VERIFIER_atomic_end(void);\n"
  uint32_t one = switches_of(SECTIONS TWO("x = 1;", "x = 4;"), false);
  (void)unused;
  assert_true(switches_of(SECTIONS TWO("x = 1; x = 2; x = 3;", "x = 4;"), false) > one);
  assert_int_equal(switches_of(SECTIONS TWO("__VERIFIER_atomic_begin(); x = 1; x = 2; x = 3;"
                                            "__VERIFIER_atomic_end();",
                                            "x = 4;"),
                               false),
                   one);
}

static void threads_have_a_bound(void **unused) {
  struct walked w;
  (void)unused;
  walk(&w,
       "#include <pthread.h>\n"
       "static void *work(void *p) { for (;;) { } return p; }\n"
       "int main(void) { pthread_t t; for (;;) pthread_create(&t, 0, work, 0); }\n",
       4, true, true);
  assert_true(count(&w, "__proviso_thread_create", PV_ALTERNATIVE_ONLY, PV_MOVE_CUT) > 0);
  walk_free(&w);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(independent_moves_are_left_out),
      cmocka_unit_test(reads_of_constants_are_no_switches),
      cmocka_unit_test(loops_let_others_move),
      cmocka_unit_test(cycles_let_all_move),
      cmocka_unit_test(frames_belong_to_threads),
      cmocka_unit_test(variables_of_all_threads_are_found),
      cmocka_unit_test(joins_wait),
      cmocka_unit_test(sections_are_not_left),
      cmocka_unit_test(threads_have_a_bound),
  };
  return cmocka_run_group_tests_name("cpa/threads", tests, NULL, NULL);
}
