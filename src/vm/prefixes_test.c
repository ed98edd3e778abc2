/* prefixes_test.c -- frontiers as trees of edges. */
#include "vm/prefixes.h"

#include <string.h>

#include "base/random.h"
#include "frontend/from_text_test.h"
#include "vm/moves.h"

static const char *const threads_text = "#include <pthread.h>\n"
                                        "extern _Bool __VERIFIER_nondet_bool(void);\n"
                                        "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\n"
                                        "pthread_cond_t c = PTHREAD_COND_INITIALIZER;\n"
                                        "int x, y;\n"
                                        "static void *one(void *u) {\n"
                                        "  pthread_mutex_lock(&m);\n"
                                        "  while (!x) pthread_cond_wait(&c, &m);\n"
                                        "  pthread_mutex_unlock(&m);\n"
                                        "  return u;\n}\n"
                                        "static void *two(void *u) {\n"
                                        "  if (__VERIFIER_nondet_bool()) y = 1;\n"
                                        "  pthread_mutex_lock(&m);\n"
                                        "  x = 1;\n"
                                        "  pthread_cond_signal(&c);\n"
                                        "  pthread_mutex_unlock(&m);\n"
                                        "  return u;\n}\n"
                                        "int main(void) {\n"
                                        "  pthread_t s, t;\n"
                                        "  pthread_create(&s, 0, one, 0);\n"
                                        "  pthread_create(&t, 0, two, 0);\n"
                                        "  pthread_join(s, 0);\n"
                                        "  pthread_join(t, 0);\n"
                                        "  return y;\n}\n";

struct fixture {
  struct pv_options options;
  struct pv_program *program;
  struct pv_task task;
  struct pv_condition ignored;
  struct pv_vm *vm;
  PV_VEC(struct pv_taken_edge) told; /* by the machine, since the start */
};

static void on_taken(void *user, unsigned thread, uint32_t function, uint32_t edge) {
  struct fixture *f = user;
  struct pv_taken_edge e = {.thread = thread, .function = function, .edge = edge};
  pv_vec_push(&f->told, e);
}

static struct pv_recorder recorder = {.taken = on_taken};

static void begin(struct fixture *f, const char *text) {
  *f = (struct fixture){0};
  pv_test_load(text, "unreach-call", NULL, &f->options, &f->program);
  f->task = (struct pv_task){.program = f->program,
                             .options = &f->options,
                             .limits = &f->options.limits,
                             .properties = f->options.properties};
  f->vm = pv_vm_new(&f->task, &pv_sched_pthread, &f->ignored);
  pv_vm_follow(f->vm, NULL);
  recorder.user = f;
  pv_vm_record(f->vm, &recorder);
}

static void end(struct fixture *f) {
  pv_vm_free(f->vm);
  pv_condition_clear(&f->ignored);
  pv_vec_free(&f->told);
  pv_program_free(f->program);
  pv_options_free(&f->options);
}

/* Appends the choices as one path; the last one is open, with a thread asleep (or none: 64). */
static void add_path(struct pv_open_part *p, const struct pv_choice *path, uint32_t n,
                     uint32_t asleep) {
  p->kind = PV_OPEN_FRONTIER;
  for (uint32_t i = 0; i <= n; i++) {
    struct pv_prefix x = {.depth = i, .is_open = i == n, .sleeping = i == n && asleep < 64};
    if (i) x.choice = path[i - 1];
    if (i || !p->prefixes.n) pv_vec_push(&p->prefixes, x);
  }
  struct pv_choice all = {asleep, PV_EVERY_ALTERNATIVE};
  if (asleep < 64) pv_vec_push(&p->sleeping, all);
}

/* A random execution of at most `most` choices; returns how many it has. */
static uint32_t wander(struct fixture *f, uint64_t *lot, struct pv_choice *path, uint32_t most) {
  struct pv_pending next[PV_MAX_THREADS];
  struct pv_moves m;
  uint32_t n = 0;
  f->told.n = 0;
  pv_vm_start(f->vm);
  while (n < most) {
    pv_moves_peek(f->vm, next, &m);
    if (!m.able) break;
    unsigned t = pv_random_below(lot, m.n);
    if (!(m.able & PV_THREAD_BIT(t))) continue;
    struct pv_choice c = {t, pv_random_below(lot, m.alternatives[t])};
    uint32_t told = f->told.n;
    if (pv_vm_step(f->vm, c.thread, c.alternative) != PV_RAN) {
      f->told.n = told;
      break;
    }
    path[n++] = c;
  }
  return n;
}

/* The open node that is reached by the edges told, and first halves of waits in between; 0: none.
 */
static uint32_t find_open(const struct pv_prefixes *p, uint32_t node, const struct fixture *f,
                          uint32_t at) {
  const struct pv_taken_edge *e = &p->nodes.at[node];
  if (at == f->told.n && e->is_open) return node;
  for (uint32_t k = e->child; k; k = p->nodes.at[k].next) {
    const struct pv_taken_edge *c = &p->nodes.at[k];
    bool fits =
        c->stays || (at < f->told.n && c->thread == f->told.at[at].thread &&
                     c->function == f->told.at[at].function && c->edge == f->told.at[at].edge);
    uint32_t found = fits && c->leads ? find_open(p, k, f, at + !c->stays) : 0;
    if (found) return found;
  }
  return 0;
}

/* An execution's edges lead to an open node, and only the way to it leads anywhere. */
static void a_path_leads_to_its_end(void **state) {
  struct fixture f;
  uint64_t lot = 1;
  uint32_t halves = 0;
  (void)state;
  begin(&f, threads_text);
  for (uint32_t i = 0; i < 200; i++) {
    struct pv_choice path[40];
    struct pv_open_part part = {0};
    struct pv_prefixes tree = {0};
    uint32_t n = wander(&f, &lot, path, 1 + pv_random_below(&lot, 25));
    if (!n) continue;
    add_path(&part, path, n, i % 3);
    assert_true(pv_prefixes_find(&f.task, &part, &tree));
    uint32_t node = find_open(&tree, 0, &f, 0), open = 0;
    assert_true(node);
    assert_int_equal(tree.nodes.at[node].asleep, UINT64_C(1) << i % 3);
    for (uint32_t k = 0; k < tree.nodes.n; k++) {
      open += tree.nodes.at[k].is_open;
      halves += tree.nodes.at[k].stays;
      assert_true(tree.nodes.at[k].leads); /* there is one path */
    }
    assert_int_equal(open, 1);
    pv_prefixes_free(&tree);
    pv_open_part_clear(&part);
  }
  assert_true(halves > 10);
  end(&f);
}

/* Two prefixes with the same edges are one node; asleep is what sleeps in both. What the machine
 * cannot follow is open from its last choice on, for all threads. */
static void prefixes_meet(void **state) {
  struct fixture f;
  uint64_t lot = 5;
  struct pv_choice path[12];
  (void)state;
  begin(&f, threads_text);
  uint32_t n;
  do n = wander(&f, &lot, path, 8);
  while (n < 8);
  for (uint32_t kind = 0; kind < 3; kind++) {
    struct pv_open_part part = {0};
    struct pv_prefixes tree = {0};
    if (kind == 2) path[n] = (struct pv_choice){40, 0}; /* no such thread */
    add_path(&part, path, n + (kind == 2), 1);
    if (kind < 2) add_path(&part, path, n, kind == 1 ? 2 : 1);
    assert_true(pv_prefixes_find(&f.task, &part, &tree));
    uint32_t node = find_open(&tree, 0, &f, 0);
    assert_true(node);
    assert_int_equal(tree.nodes.at[node].asleep, kind ? 0 : 2);
    pv_prefixes_free(&tree);
    pv_open_part_clear(&part);
  }
  end(&f);
}

/* Nothing is gained if everything is open, and nothing is known of an empty frontier. */
static void all_or_nothing(void **state) {
  struct fixture f;
  struct pv_open_part all = {0}, none = {.kind = PV_OPEN_FRONTIER};
  struct pv_prefixes tree = {0};
  (void)state;
  begin(&f, threads_text);
  add_path(&all, NULL, 0, 64);
  assert_false(pv_prefixes_find(&f.task, &all, &tree));
  pv_prefixes_free(&tree);
  tree = (struct pv_prefixes){0};
  assert_false(pv_prefixes_find(&f.task, &none, &tree));
  pv_prefixes_free(&tree);
  tree = (struct pv_prefixes){0};
  all.prefixes.at[0].is_open = 0; /* no prefix is open: nothing leads anywhere */
  assert_true(pv_prefixes_find(&f.task, &all, &tree));
  assert_false(tree.nodes.at[0].leads);
  pv_prefixes_free(&tree);
  pv_open_part_clear(&all);
  end(&f);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_path_leads_to_its_end),
      cmocka_unit_test(prefixes_meet),
      cmocka_unit_test(all_or_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
