/* program_test.c -- graphs and targets of programs. Checks against the VM that distances are lower
 * bounds: programs are executed with random schedules and inputs, and no transition may decrease a
 * distance by more than one (so FSM and e-FCA are consistent). */
#include "distance/distance_test.h"

#include <glob.h>

#include "base/fewer_test.h"
#include "distance/efsm.h"
#include "distance/fsm.h"
#include "distance/nesting.h"
#include "distance/program.h"
#include "distance/targets.h"
#include "vm/vm.h"

struct analysed {
  struct pv_program *p;
  struct pv_points_to *pt;
  struct pv_call_graph *calls;
};

static struct analysed analyse(struct pv_program *p) {
  struct analysed x = {.p = p};
  x.pt = pv_points_to_new(p, NULL);
  x.calls = pv_call_graph_new(p, x.pt);
  return x;
}

static void drop(struct analysed *x) {
  pv_call_graph_free(x->calls);
  pv_points_to_free(x->pt);
  pv_program_free(x->p);
}

static struct pv_targets *targets(const struct analysed *x, pv_properties properties) {
  struct pv_targets *t = NULL;
  assert_int_equal(pv_targets_new(x->p, x->pt, x->calls, properties, NULL, &t, NULL), PV_OK);
  return t;
}

static pv_loc from(const struct analysed *x, const char *function, const char *edge) {
  uint32_t f = pv_test_function(x->p, function);
  return x->p->functions.at[f].edges.at[pv_test_edge(x->p, f, edge)].from;
}

/* ---- graphs ---------------------------------------------------------------------------------- */
static void calls_and_pointers(void **state) {
  (void)state;
  struct analysed x = analyse(pv_test_load(
      "void reach_error(void); int g; void (*p)(void);\n"
      "void near(void) { g = 1; }\nvoid far(void) { g = 2; g = 3; g = 4; reach_error(); }\n"
      "void down(int n) { if (n) down(n - 1); else g = 5; }\n"
      "int main(int argc, char **argv) { p = argc > 1 ? near : far; p(); down(7); }"));
  struct pv_dgraph *g = pv_dgraph_of_program(x.p, x.pt, x.calls, PV_COST_EDGES);
  struct pv_targets *t = targets(&x, PV_PROP_BIT(PV_PROP_UNREACH_CALL));
  assert_int_equal(t->location.n, 1);
  uint32_t *nodes = pv_targets_nodes(g, &t->location), near = pv_test_function(x.p, "near");
  struct pv_fca *f = pv_fca_new(g, nodes, 1);
  uint32_t far = pv_test_function(x.p, "far"), start = pv_test_function(x.p, "main");
  assert_int_equal(pv_fca_at(f, near, 0).end, 2); /* g = 1; return */
  assert_int_equal(pv_fca_at(f, far, 0).end, 5);
  assert_int_equal(pv_fca_at(f, far, 0).error, 3);
  assert_int_equal(pv_fca_at(f, near, 0).error, NONE);
  pv_loc call = from(&x, "main", "call t1()");
  assert_int_equal(pv_fca_at(f, start, call).error, 1 + 3);
  /* near, the call of it included; in down: [n == 0], g = 5, return */
  pv_loc down = from(&x, "main", "call down(7)");
  assert_int_equal(pv_fca_at(f, start, call).end - pv_fca_at(f, start, down).end, 1 + 2);
  assert_int_equal(pv_fca_at(f, pv_test_function(x.p, "down"), 0).end, 3);
  assert_int_equal(pv_fca_at(f, start, down).error, NONE);
  free(nodes);
  pv_fca_free(f);
  pv_targets_free(t);
  pv_dgraph_free(g);
  drop(&x);
}

static const char *const threads =
    "#include <pthread.h>\n#include <assert.h>\nextern void __VERIFIER_atomic_begin(void);\n"
    "extern void __VERIFIER_atomic_end(void);\nint g, h; pthread_mutex_t a, b;\n"
    "void both(void) { g++; }\nvoid inside(void) { h = 2; }\n"
    "void *one(void *x) { int l = 7; l = l * 3; g = l; __VERIFIER_atomic_begin(); h = 1;\n"
    "  inside(); __VERIFIER_atomic_end(); pthread_mutex_lock(&a); pthread_mutex_lock(&b);\n"
    "  both(); pthread_mutex_unlock(&b); pthread_mutex_unlock(&a); return x; }\n"
    "int main(void) { pthread_t t; g = 3; pthread_create(&t, 0, one, 0); pthread_mutex_lock(&b);\n"
    "  both(); pthread_mutex_unlock(&b); pthread_join(t, 0); assert(g == h); }";

static uint32_t cost(const struct analysed *x, const struct pv_dgraph *g, const char *function,
                     const char *edge) {
  uint32_t f = pv_test_function(x->p, function),
           node = pv_dgraph_node(g, f, from(x, function, edge));
  for (uint32_t i = 0; i < g->calls.n; i++)
    if (g->calls.at[i].from == node) return g->calls.at[i].cost;
  for (uint32_t i = 0; i < g->edges.n; i++)
    if (g->edges.at[i].from == node) return g->edges.at[i].cost;
  fail_msg("no edge from there");
  return 0;
}

static void costs(void **state) {
  (void)state;
  static const struct {
    const char *function, *edge;
    uint32_t visible, instruction;
  } rows[] = {
      {"one", "l = 7", 0, 1},         {"one", "g = l", 1, 1},
      {"one", "atomic begin", 1, 1},  {"one", "h = 1", 0, 0},
      {"one", "call inside()", 0, 0}, {"one", "atomic end", 0, 0},
      {"inside", "h = 2", 0, 0},      {"one", "pthread_mutex_lock(&a)", 1, 1},
      {"one", "call both()", 0, 1},   {"both", "t1 = g", 0, 1}, /* the first thread, too */
      {"main", "g = 3", 0, 1},        {"main", "pthread_mutex_lock(&b)", 0, 1},
  };
  struct analysed x = analyse(pv_test_load(threads));
  struct pv_dgraph *edges = pv_dgraph_of_program(x.p, x.pt, x.calls, PV_COST_EDGES),
                   *visible = pv_dgraph_of_program(x.p, x.pt, x.calls, PV_COST_VISIBLE),
                   *instruction = pv_dgraph_of_program(x.p, x.pt, x.calls, PV_COST_INSTRUCTION);
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    print_message("%s\n", rows[i].edge);
    assert_int_equal(cost(&x, edges, rows[i].function, rows[i].edge), 1);
    assert_int_equal(cost(&x, visible, rows[i].function, rows[i].edge), rows[i].visible);
    assert_int_equal(cost(&x, instruction, rows[i].function, rows[i].edge), rows[i].instruction);
  }
  pv_dgraph_free(edges);
  pv_dgraph_free(visible);
  pv_dgraph_free(instruction);
  drop(&x);
}

/* ---- targets --------------------------------------------------------------------------------- */
static bool has(const struct analysed *x, const pv_place_list *list, const char *function,
                const char *edge) {
  uint32_t f = pv_test_function(x->p, function);
  pv_loc loc = from(x, function, edge);
  for (uint32_t i = 0; i < list->n; i++)
    if (list->at[i].function == f && list->at[i].loc == loc) return true;
  return false;
}

static void waits(void **state) {
  (void)state;
  struct analysed x = analyse(pv_test_load(threads));
  struct pv_targets *t = targets(&x, PV_PROP_BIT(PV_PROP_NO_DEADLOCK));
  assert_true(has(&x, &t->waits, "one", "pthread_mutex_lock(&b)")); /* a is held */
  assert_false(has(&x, &t->waits, "one", "pthread_mutex_lock(&a)"));
  assert_false(has(&x, &t->waits, "main", "pthread_mutex_lock(&b)"));
  assert_int_equal(t->waits.n, 2); /* and the join, in its model */
  assert_true(has(&x, &t->stuck, "one", "pthread_mutex_lock(&a)"));
  assert_int_equal(t->stuck.n, 5); /* three locks, the join, the thread's end */
  assert_int_equal(t->location.n + t->races.n, 0);
  pv_targets_free(t);
  drop(&x);
}

static void no_nested_locks(void **state) {
  (void)state;
  struct analysed x = analyse(
      pv_test_load("#include <pthread.h>\npthread_mutex_t a; int g;\n"
                   "void *one(void *x) { pthread_mutex_lock(&a); if (g) pthread_exit(0);\n"
                   "  pthread_mutex_unlock(&a); return x; }\nint main(void) { pthread_t t;\n"
                   "  pthread_create(&t, 0, one, 0); pthread_mutex_lock(&a); g = 1; "
                   "pthread_mutex_unlock(&a); }"));
  struct pv_targets *t = targets(&x, PV_PROP_BIT(PV_PROP_NO_DEADLOCK));
  assert_true(has(&x, &t->waits, "one", "pthread_mutex_lock(&a)"));
  assert_true(has(&x, &t->waits, "main", "pthread_mutex_lock(&a)"));
  pv_targets_free(t);
  drop(&x);
}

static void races(void **state) {
  (void)state;
  struct analysed x = analyse(pv_test_load(
      "#include <pthread.h>\n#include <stdatomic.h>\nint g, never_read, mine; atomic_int n;\n"
      "void *one(void *x) { g = 1; never_read = 1; n++; return x; }\n"
      "int main(void) { pthread_t t; mine = 1; pthread_create(&t, 0, one, 0); int l = g;\n"
      "  never_read = 2; n = 3; mine = l; }"));
  struct pv_targets *t = targets(&x, PV_PROP_BIT(PV_PROP_NO_DATA_RACE));
  uint32_t with_g = 0, with_never_read = 0;
  for (uint32_t i = 0; i < t->races.n; i++) {
    const struct pv_race_targets *r = &t->races.at[i];
    with_g += has(&x, &r->writes, "one", "g = 1") && has(&x, &r->accesses, "main", "l = g") &&
              !has(&x, &r->writes, "main", "l = g");
    with_never_read += has(&x, &r->writes, "one", "never_read = 1") &&
                       has(&x, &r->writes, "main", "never_read = 2");
    assert_false(has(&x, &r->accesses, "main", "mine = 1"));
    assert_false(has(&x, &r->accesses, "main", "n = 3 (seq_cst)"));
  }
  assert_int_equal(with_g, 1);
  assert_int_equal(with_never_read, 1);
  pv_targets_free(t);
  drop(&x);
}

static void local_properties(void **state) {
  (void)state;
  struct analysed x = analyse(pv_test_load(
      "#include <assert.h>\n#include <stdlib.h>\nint g, *p; void never(void) { assert(0); }\n"
      "int main(int argc, char **argv) { g = argc + 1; g = argc / g; p = malloc(4); *p = 1;\n"
      "  free(p); assert(g); }"));
  static const struct {
    enum pv_property property;
    const char *edge;
  } rows[] = {{PV_PROP_UNREACH_CALL, "error: assertion `g` fails"},
              {PV_PROP_NO_OVERFLOW, "g = argc + 1"},
              {PV_PROP_DEF_BEHAVIOR, "g = argc / t1"},
              {PV_PROP_VALID_DEREF, "*(i32 *)t3 = 1"}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    struct pv_targets *t = targets(&x, PV_PROP_BIT(rows[i].property));
    assert_true(has(&x, &t->location, "main", rows[i].edge));
    if (rows[i].property == PV_PROP_UNREACH_CALL) assert_int_equal(t->location.n, 1);
    assert_false(has(&x, &t->location, "main", "p = t2"));
    pv_targets_free(t);
  }
  struct pv_targets *leaks = targets(&x, PV_PROP_BIT(PV_PROP_VALID_MEMTRACK));
  assert_true(leaks->location.n > 0);
  pv_targets_free(leaks);
  drop(&x);
}

static void regions(void **state) {
  (void)state;
  struct analysed x = analyse(pv_test_load("int g; void inner(void) { g++; }\n"
                                           "void critical(void) { inner(); }\n"
                                           "int main(void) { critical(); inner(); }"));
  char *names[] = {"critical"}, *wrong[] = {"critical,nowhere"};
  struct pv_texts some = {names, 1, 1}, none = {wrong, 1, 1};
  struct pv_str message = {0};
  struct pv_targets *t;
  uint32_t critical = pv_test_function(x.p, "critical"), inner = pv_test_function(x.p, "inner"),
           start = pv_test_function(x.p, "main");
  assert_int_equal(pv_targets_new(x.p, x.pt, x.calls, 0, &none, &t, &message), PV_E_INPUT);
  assert_non_null(strstr(message.at, "`nowhere`"));
  assert_int_equal(pv_targets_new(x.p, x.pt, x.calls, 0, &some, &t, &message), PV_OK);
  const struct pv_place_of in[] = {{inner, 0}, {critical, 1}, {start, 1}},
                           out[] = {{inner, 0}, {start, 2}};
  assert_true(pv_targets_inside(t, in, 3));
  assert_false(pv_targets_inside(t, out, 2));
  assert_int_equal(t->region.n, 2); /* all but the exit */
  pv_targets_free(t);
  pv_str_free(&message);
  drop(&x);
}

/* ---- lower bounds, against the machine -------------------------------------------------------
 */
enum { WALKS = 3, TRANSITIONS = 300, EDGES = 1 << 20, SETS = 3, DEPTH = 64 };

struct measures {
  struct pv_fca *fca;
  struct pv_fsm *fsm;
  struct pv_efsm *efsm;
};
struct watch {
  const char *path;
  struct analysed x;
  struct pv_dgraph *g;
  struct pv_targets *targets;
  struct measures random[SETS], stuck, local, write[8], access[8];
  uint32_t races;
  struct pv_vm *vm;
  struct pv_limits limits; /* hit when a walk has seen enough edges: transitions may not end */
  uint64_t edges, checked, rises, finite, violations, deadlocks, raced;
};

static struct measures measures(struct pv_dgraph *g, const pv_place_list *places) {
  struct measures m = {0};
  uint32_t *nodes = pv_targets_nodes(g, places);
  m.fca = pv_fca_new(g, nodes, places->n);
  m.fsm = pv_fsm_new(g, nodes, places->n);
  if (pv_efsm_new(g, nodes, places->n, 1, 20000, NULL, &m.efsm) != PV_OK) m.efsm = NULL;
  free(nodes);
  return m;
}

static void forget(struct measures *m) {
  pv_fca_free(m->fca);
  pv_fsm_free(m->fsm);
  pv_efsm_free(m->efsm);
}

/* The stack of a thread, top first. */
static uint32_t stack_of(const struct watch *w, unsigned thread, struct pv_place_of *stack) {
  uint32_t n = pv_vm_depth(w->vm, thread);
  for (uint32_t i = 0; i < n && n <= DEPTH; i++)
    pv_vm_frame(w->vm, thread, n - 1 - i, &stack[i].function, &stack[i].loc);
  return n;
}

/* What the measures say of each thread: arrays of FSM, EFSM and e-FCA. False: a stack too deep. */
struct said {
  struct pv_estimate of[3][PV_MAX_THREADS];
  uint32_t n;
};

static bool say(const struct watch *w, const struct measures *m, struct said *s) {
  struct pv_place_of stack[DEPTH];
  s->n = 0;
  for (unsigned t = 0; t < pv_vm_threads(w->vm); t++) {
    if (!pv_vm_is_alive(w->vm, t) || !pv_vm_depth(w->vm, t)) continue;
    uint32_t n = stack_of(w, t, stack);
    if (n > DEPTH) return false;
    s->of[0][s->n] = pv_fsm_at(m->fsm, stack[0].function, stack[0].loc);
    s->of[2][s->n] = pv_fca_stack(m->fca, stack, n);
    s->of[1][s->n] = m->efsm ? pv_efsm_stack(m->efsm, stack, n) : s->of[0][s->n];
    s->n++;
  }
  return true;
}

enum { BOUNDS = 3 * 3 };
/* Lower bounds of a state, for each measure: some thread, two, all. */
static void bounds(const struct said *s, uint32_t *out) {
  for (unsigned i = 0; i < 3; i++) {
    *out++ = pv_threads_nearest(s->of[i], s->n);
    *out++ = pv_threads_two(s->of[i], s->of[i], s->n);
    *out++ = pv_threads_all(s->of[i], s->n, NONE);
  }
}

static void is_chain(const struct watch *w, const struct said *s) {
  for (uint32_t t = 0; t < s->n; t++)
    for (unsigned i = 0; i < 2; i++)
      if (s->of[i][t].error > s->of[i + 1][t].error || s->of[i][t].create > s->of[i + 1][t].create)
        fail_msg("%s: a measure with less context says more", w->path);
}

/* Is the state wrong as it is? Then its bounds are 0. */
static void check_state(struct watch *w) {
  struct said a, b;
  unsigned n = pv_vm_threads(w->vm), lively = 0;
  struct pv_pending pending;
  if (pv_vm_exclusive(w->vm) != UINT32_MAX) return;
  for (unsigned t = 0; t < n; t++) {
    pv_vm_pending(w->vm, t, &pending);
    lively += pending.progress > 0;
  }
  if (!lively && pv_vm_alive(w->vm) && say(w, &w->stuck, &a)) {
    for (unsigned i = 0; i < 3; i++)
      if (pv_threads_all(a.of[i], a.n, NONE)) fail_msg("%s: a deadlock, and far", w->path);
    w->deadlocks++;
  }
  for (unsigned t = 0; t < n; t++)
    for (unsigned u = 0; u < t; u++) {
      bool near = w->races > 8;
      if (!pv_vm_race(w->vm, t, u)) continue;
      for (uint32_t r = 0; r < w->races && r < 8; r++)
        near = near || (say(w, &w->write[r], &a) && say(w, &w->access[r], &b) &&
                        !pv_threads_two(a.of[2], b.of[2], a.n));
      if (!near) fail_msg("%s: a race, and far: %s", w->path, pv_vm_event(w->vm)->message);
      w->raced++;
    }
}

/* One transition; false: the walk is over. */
static bool step(struct watch *w, uint64_t *state) {
  unsigned n = pv_vm_threads(w->vm), first = pv_test_random(state, n);
  struct said s;
  uint32_t before[SETS][BOUNDS], after[BOUNDS], local = NONE, stuck = 0;
  for (unsigned k = 0; k < n; k++) {
    unsigned thread = (first + k) % n, section = pv_vm_exclusive(w->vm);
    struct pv_pending pending;
    if (section != UINT32_MAX && section != thread) continue;
    pv_vm_pending(w->vm, thread, &pending);
    if (!pending.alternatives) continue;
    for (unsigned i = 0; i < SETS; i++) {
      if (!say(w, &w->random[i], &s)) return false;
      is_chain(w, &s);
      bounds(&s, before[i]);
    }
    if (say(w, &w->stuck, &s)) stuck = pv_threads_all(s.of[2], s.n, NONE);
    if (say(w, &w->local, &s)) local = pv_threads_nearest(s.of[2], s.n);
    enum pv_outcome outcome =
        pv_vm_step(w->vm, thread, pv_test_random(state, pending.alternatives));
    if (outcome == PV_VIOLATED) {
      enum pv_property p = pv_vm_event(w->vm)->property;
      bool known = p == PV_PROP_UNREACH_CALL || p == PV_PROP_NO_OVERFLOW ||
                   p == PV_PROP_VALID_DEREF || p == PV_PROP_VALID_FREE;
      if (known && local > 1)
        fail_msg("%s: %u to an error that is next: %s", w->path, local,
                 pv_vm_event(w->vm)->message);
      w->violations += known;
    }
    if (outcome != PV_RAN) return false;
    for (unsigned i = 0; i < SETS; i++) {
      if (!say(w, &w->random[i], &s)) return false;
      bounds(&s, after);
      for (unsigned b = 0; b < BOUNDS; b++) {
        /* A thread that has ended counts nothing. EFSM is a lower bound because e-FCA is
         * (is_chain), but a call may decrease it: docs/directed.md. */
        bool free_to_fall = b % 3 == 2 || b / 3 == 1;
        w->checked++;
        w->finite += before[i][b] && before[i][b] != NONE;
        w->rises += before[i][b] == after[b] + 1;
        if (after[b] != NONE && before[i][b] > after[b] + 1 && !free_to_fall)
          fail_msg("%s: set %u, bound %u: %u, then %u", w->path, i, b, before[i][b], after[b]);
      }
    }
    if (stuck != NONE && say(w, &w->stuck, &s) && stuck &&
        pv_threads_all(s.of[2], s.n, NONE) < stuck - 1)
      fail_msg("%s: a deadlock comes near too fast", w->path);
    check_state(w);
    return true;
  }
  return false;
}

static pv_place_list random_places(const struct analysed *x, uint64_t *state) {
  pv_place_list list = {0};
  for (unsigned i = 0; i < 4; i++) {
    uint32_t f = pv_test_random(state, x->p->functions.n);
    if (!pv_call_graph_runs(x->calls, f)) continue;
    struct pv_place_of place = {f, pv_test_random(state, x->p->functions.at[f].locs.n)};
    pv_vec_push(&list, place);
  }
  return list;
}

static void on_edge(void *user, unsigned thread, const struct pv_function *f,
                    const struct pv_edge *e) {
  struct watch *w = user;
  (void)thread, (void)f, (void)e;
  if (w->edges++ == EDGES) w->limits.hit = PV_LIMIT_STATES;
}

static void watch(struct watch *w, const struct pv_options *o, uint64_t *state) {
  const pv_properties local = PV_PROP_BIT(PV_PROP_UNREACH_CALL) | PV_PROP_BIT(PV_PROP_NO_OVERFLOW) |
                              PV_PROP_BIT(PV_PROP_VALID_DEREF) | PV_PROP_BIT(PV_PROP_VALID_FREE) |
                              PV_PROP_BIT(PV_PROP_NO_DEADLOCK) | PV_PROP_BIT(PV_PROP_NO_DATA_RACE);
  struct pv_task task = {
      .program = w->x.p, .options = o, .properties = o->properties, .limits = &w->limits};
  struct pv_recorder recorder = {.user = w, .edge = on_edge};
  struct pv_condition condition = {0};
  w->g =
      pv_dgraph_of_program(w->x.p, w->x.pt, w->x.calls,
                           o->atomic == PV_ATOMIC_VISIBLE ? PV_COST_VISIBLE : PV_COST_INSTRUCTION);
  w->targets = targets(&w->x, local);
  w->stuck = measures(w->g, &w->targets->stuck);
  w->local = measures(w->g, &w->targets->location);
  w->races = w->targets->races.n;
  for (uint32_t i = 0; i < w->races && i < 8; i++) {
    w->write[i] = measures(w->g, &w->targets->races.at[i].writes);
    w->access[i] = measures(w->g, &w->targets->races.at[i].accesses);
  }
  for (unsigned i = 0; i < SETS; i++) {
    pv_place_list list = random_places(&w->x, state);
    w->random[i] = measures(w->g, &list);
    pv_vec_free(&list);
  }
  for (unsigned i = 0; i < WALKS; i++) {
    w->vm = pv_vm_new(&task, &pv_sched_pthread, &condition);
    w->edges = 0;
    w->limits = o->limits;
    pv_limits_start(&w->limits);
    pv_vm_record(w->vm, &recorder);
    pv_vm_start(w->vm);
    for (unsigned k = 0; k < TRANSITIONS && step(w, state); k++)
      ;
    pv_vm_free(w->vm);
  }
  for (unsigned i = 0; i < SETS; i++) forget(&w->random[i]);
  for (uint32_t i = 0; i < w->races && i < 8; i++) {
    forget(&w->write[i]);
    forget(&w->access[i]);
  }
  forget(&w->stuck);
  forget(&w->local);
  pv_targets_free(w->targets);
  pv_dgraph_free(w->g);
  pv_condition_clear(&condition);
}

static bool watch_file(const char *path, int atomic, struct watch *total) {
  struct pv_options o;
  struct pv_program *p = NULL;
  struct pv_str message = {0};
  uint64_t state =
      pv_hash(path + strlen(PROVISO_SOURCE_DIR), strlen(path + strlen(PROVISO_SOURCE_DIR))) | 1;
  pv_options_init(&o);
  o.atomic = atomic;
  pv_vec_push(&o.files, pv_strdup(path));
  bool loads = pv_load(&o, &pv_sched_pthread, &p, &message) == PV_OK;
  if (loads && !p->has_jumps) { /* the graph has no edges for longjmp; engines do without it then */
    struct watch w = {.path = path, .x = analyse(p)};
    watch(&w, &o, &state);
    total->checked += w.checked;
    total->finite += w.finite;
    total->rises += w.rises;
    total->violations += w.violations;
    total->deadlocks += w.deadlocks;
    total->raced += w.raced;
    drop(&w.x);
  } else {
    pv_program_free(p);
  }
  pv_str_free(&message);
  pv_options_free(&o);
  return loads;
}

/* One file in `share`, and of these a third. */
static void lower_bounds(const char *pattern, int atomic, unsigned share) {
  struct watch total = {0};
  unsigned loaded = 0, parts = pv_test_parts(3), turn = pv_test_turn(parts);
  glob_t files;
  char *full = pv_format("%s/%s", PROVISO_SOURCE_DIR, pattern);
  assert_int_equal(glob(full, 0, NULL, &files), 0);
  for (size_t i = 0; i < files.gl_pathc; i++)
    if (i % share == 0 && i / share % parts == turn)
      loaded += watch_file(files.gl_pathv[i], atomic, &total);
  print_message("%s: %u programs, %lu bounds, %lu finite, %lu tight; %lu errors, %lu deadlocks, "
                "%lu races\n",
                pattern, loaded, (unsigned long)total.checked, (unsigned long)total.finite,
                (unsigned long)total.rises, (unsigned long)total.violations,
                (unsigned long)total.deadlocks, (unsigned long)total.raced);
  assert_true(loaded > 12 / parts && total.finite > 1000 / parts / parts &&
              total.rises > 50 / parts);
  globfree(&files);
  free(full);
}

static void lower_bounds_visible(void **state) {
  (void)state;
  lower_bounds("examples/*.c", PV_ATOMIC_VISIBLE, 1);
  lower_bounds("tests/e2e/*/*.c", PV_ATOMIC_VISIBLE, 5);
}

static void lower_bounds_instruction(void **state) {
  (void)state;
  lower_bounds("examples/*.c", PV_ATOMIC_INSTRUCTION, 1);
  lower_bounds("tests/e2e/*/*.c", PV_ATOMIC_INSTRUCTION, 5);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(calls_and_pointers),
      cmocka_unit_test(costs),
      cmocka_unit_test(waits),
      cmocka_unit_test(no_nested_locks),
      cmocka_unit_test(races),
      cmocka_unit_test(local_properties),
      cmocka_unit_test(regions),
      cmocka_unit_test(lower_bounds_visible),
      cmocka_unit_test(lower_bounds_instruction),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
