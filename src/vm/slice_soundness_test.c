/* slice_soundness_test.c -- slices against the machine: what statements outside of a slice compute,
 * store, hand over, and how they branch is changed at random, and the statements that matter in
 * every call must be done in the same order with the same values (the promise of analysis/slice.h).
 *
 * Without arguments on random programs (fuzz/slices.py) and those of the tests; with arguments on
 * these files: fuzz/slices.py does it with many. */
#include "base/fewer_test.h"
#include "vm/slice_change_test.h"

enum { CRITERIA = 6, CHANGES = 5, EDGES = 60000 };

/* ---- what a run does in the slice -------------------------------------------------------------
 */
enum how_it_ends {
  ENDS,      /* it returned, exited, aborted, or the error is there */
  UNDEFINED, /* something that is not asked for cut it */
  GOES_ON    /* it was stopped after many edges */
};

struct run {
  struct pv_vm *vm;
  const struct pv_slice *slice; /* NULL: only the criterion is looked at */
  const struct pv_slice *criterion;
  PV_VEC(struct event) events;
  uint64_t edges;
  struct pv_limits limits; /* hit after many edges */
  uint32_t read;           /* the last edge read this variable in the slice, or PV_NO_VAR */
  bool told;               /* the last edge is the last event */
  enum how_it_ends end;
};

static void on_edge(void *user, unsigned thread, const struct pv_function *f,
                    const struct pv_edge *e) {
  struct run *r = user;
  (void)thread;
  struct event event = {(uint32_t)(f - r->vm->program->functions.at), (uint32_t)(e - f->edges.at),
                        0};
  if (r->edges++ >= EDGES) r->limits.hit = PV_LIMIT_STATES;
  if (r->read != PV_NO_VAR) add_variable(r->vm, &pv_vec_last(&r->events), event.function, r->read);
  r->read = PV_NO_VAR;
  r->told = false;
  bool added = pv_slice_has(r->criterion, event.function, event.edge);
  bool always = r->slice && pv_slice_matters_always(r->slice, event.function, event.edge);
  if ((!added && !always) || !is_begun(r->vm)) return;
  if (e->op == PV_OP_LOAD && pv_type_kind(e->type) != PV_T_PTR) r->read = e->dst;
  add_operands(r->vm, &event, e, added || (e->op != PV_OP_CALL && e->op != PV_OP_RETURN));
  pv_vec_push(&r->events, event);
  r->told = true;
}

/* It is not done yet: a value is to be chosen first. */
static void on_parked(void *user, unsigned thread) {
  struct run *r = user;
  (void)thread;
  if (r->told) r->events.n--;
  r->told = false;
  r->read = PV_NO_VAR;
}

static void run(struct run *r, const struct pv_program *p, const struct pv_options *o) {
  struct pv_condition condition = {0};
  struct pv_recorder recorder = {.user = r, .edge = on_edge, .parked = on_parked};
  struct pv_task task = {
      .program = p, .options = o, .properties = o->properties, .limits = &r->limits};
  enum pv_outcome outcome = PV_RAN;
  r->read = PV_NO_VAR;
  r->limits = o->limits;
  pv_limits_start(&r->limits);
  r->vm = pv_vm_new(&task, &pv_sched_pthread, &condition);
  pv_vm_record(r->vm, &recorder);
  pv_vm_start(r->vm);
  while (outcome == PV_RAN && r->edges < EDGES) {
    struct pv_pending pending;
    pv_vm_pending(r->vm, 0, &pending);
    if (!pending.alternatives) break;
    outcome = pv_vm_step(r->vm, 0, 0);
  }
  /* A proviso without a cut: there is no room for an object, so that an access ends the path. */
  bool cut = outcome == PV_CUT || condition.provisos.n;
  r->end = r->edges >= EDGES ? GOES_ON : cut ? UNDEFINED : ENDS;
  if (r->read != PV_NO_VAR) r->events.n--; /* stopped before the value that was read was noted */
  pv_vm_free(r->vm);
  pv_condition_clear(&condition);
}

/* ---- comparison -------------------------------------------------------------------------------
 */
struct check {
  struct pv_program *p;
  const struct pv_options *o;
  const char *path;
  uint64_t random;
  bool all_loops;
};
struct totals {
  unsigned programs, slices, changes, whole, noticed, twins;
  uint64_t edges, inside; /* of programs' own functions, by slice */
};

static void explain(const struct run *a, const struct run *b, uint32_t at, const struct changed *c,
                    const char *path) {
  struct pv_str text = {0};
  const struct pv_program *p = c->p;
  print_changes(c, &text);
  const struct run *runs[2] = {a, b};
  for (int i = 0; i < 2; i++) {
    pv_str_addf(&text, "run %d: %u events, end %d, at %u: ", i, runs[i]->events.n, runs[i]->end,
                at);
    if (at < runs[i]->events.n) {
      const struct pv_function *f = &p->functions.at[runs[i]->events.at[at].function];
      const struct pv_edge *e = &f->edges.at[runs[i]->events.at[at].edge];
      pv_str_addf(&text, "%s L%u ", f->name, e->from);
      pv_edge_print(p, f, e, &text);
    }
    pv_str_addc(&text, '\n');
  }
  fprintf(stderr, "%s", pv_str_cstr(&text));
  fail_msg("%s: the slice does something else", path);
}

/* What is undefined cuts a run; what was done until then must be the same. Loops that end for
 * certain, as they are, may be changed so that they do not. */
static bool same(const struct run *a, const struct run *b, bool all_loops, uint32_t *at) {
  uint32_t n = a->events.n < b->events.n ? a->events.n : b->events.n;
  for (*at = 0; *at < n; ++*at)
    if (memcmp(&a->events.at[*at], &b->events.at[*at], sizeof *a->events.at) != 0) return false;
  if (a->events.n == b->events.n) return true;
  const struct run *shorter = a->events.n < b->events.n ? a : b;
  const struct run *longer = shorter == a ? b : a;
  /* Of a run that goes on for ever the machine only sees the beginning. */
  return shorter->end == UNDEFINED ||
         (shorter->end == GOES_ON && (longer->end == GOES_ON || !all_loops));
}

static void compare(struct check *x, const struct pv_slice *s, const struct pv_slice *criterion,
                    struct totals *totals) {
  struct run a = {.slice = s, .criterion = criterion};
  uint32_t at;
  run(&a, x->p, x->o);
  for (unsigned i = 0; i < CHANGES; i++) {
    struct changed c = {.p = x->p, .slice = s, .random = &x->random};
    struct run b = {.slice = s, .criterion = criterion};
    change_edges(&c, 1 + i * i);
    run(&b, x->p, x->o);
    if (!same(&a, &b, x->all_loops, &at)) explain(&a, &b, at, &c, x->path);
    totals->changes += c.changes > 0;
    totals->whole += c.changes > 0 && a.end == ENDS && b.end == ENDS;
    restore(&c);
    pv_vec_free(&b.events);
  }
  pv_vec_free(&a.events);
}

/* A change inside is noticed at the criterion, now and then. */
static void compare_twins(struct check *x, const struct pv_slice *s,
                          const struct pv_slice *criterion, struct totals *totals) {
  struct run a = {.criterion = criterion}, b = {.criterion = criterion};
  struct changed c = {.p = x->p, .slice = s, .random = &x->random};
  uint32_t at;
  run(&a, x->p, x->o);
  if (a.events.n && change_one_inside(&c, criterion)) {
    run(&b, x->p, x->o);
    totals->twins++;
    totals->noticed += !same(&a, &b, false, &at);
  }
  restore(&c);
  pv_vec_free(&a.events);
  pv_vec_free(&b.events);
}

/* ---- slices of a program ----------------------------------------------------------------------
 */
static void check_slice(struct check *x, const struct pv_dependence *d, const pv_statements *list,
                        struct totals *totals) {
  struct pv_slice *s = pv_slice_new(d), *criterion = bare(d, list);
  for (uint32_t i = 0; i < list->n; i++) pv_slice_add(s, list->at[i].function, list->at[i].edge);
  compare(x, s, criterion, totals);
  compare_twins(x, s, criterion, totals);
  totals->slices++;
  for (uint32_t f = 0; f < x->p->functions.n; f++)
    for (uint32_t i = 0; !x->p->functions.at[f].is_model && i < x->p->functions.at[f].edges.n;
         i++) {
      totals->edges++;
      totals->inside += pv_slice_has(s, f, i);
    }
  pv_slice_free(s);
  pv_slice_free(criterion);
}

static void check_program(struct check *x, struct totals *totals) {
  fix_inputs(x->p, &x->random);
  struct pv_points_to *pt = pv_points_to_new(x->p, NULL);
  for (int all_loops = 0; all_loops < 2; all_loops++) {
    struct pv_dependence_options options = {.all_loops = all_loops,
                                            .effort = chance(&x->random, 3) ? PV_NO_EFFORT : 0};
    struct pv_dependence *d = pv_dependence_new(x->p, pt, &options);
    x->all_loops = all_loops;
    for (unsigned i = 0; i < CRITERIA; i++) {
      pv_statements list = {0};
      if (i < 2) pv_essential(x->p, pt, NULL, PV_PROP_BIT(PV_PROP_UNREACH_CALL), &list);
      for (unsigned k = i ? 1 + i / 2 : 0; k; k--)
        pv_vec_push(&list, any_statement(x->p, &x->random));
      check_slice(x, d, &list, totals);
      pv_vec_free(&list);
    }
    pv_dependence_free(d);
  }
  totals->programs++;
  pv_points_to_free(pt);
}

static void check_file(const char *path, uint64_t seed, struct totals *totals) {
  struct pv_options o;
  struct pv_str message = {0};
  struct check x = {.o = &o, .path = path, .random = seed * UINT64_C(0x9e3779b97f4a7c15) + 1};
  pv_options_init(&o);
  o.no_reuse = true;
  assert_int_equal(pv_options_set(&o, "property", "unreach-call", &message), PV_OK);
  pv_vec_push(&o.files, pv_strdup(path));
  /* Where calls may come back elsewhere, nobody asks for slices (slice_essential.c). Where
   * addresses are read as numbers, values depend on the order in which a machine lays out its
   * objects. */
  if (pv_load(&o, &pv_sched_pthread, &x.p, &message) == PV_OK && !x.p->has_jumps &&
      !has_primitive(x.p, "thread_create") && !pv_points_to_sees_reuse(x.p))
    check_program(&x, totals);
  pv_program_free(x.p);
  pv_str_free(&message);
  pv_options_free(&o);
}

static void report(const char *what, const struct totals *t) {
  print_message("%s: %u programs, %u slices with %u %% of the edges, %u changed programs, %u that "
                "end; %u of %u changes inside noticed\n",
                what, t->programs, t->slices, (unsigned)(100 * t->inside / (t->edges + 1)),
                t->changes, t->whole, t->noticed, t->twins);
}

static void random_programs(void **state) {
  (void)state;
  struct totals totals = {0};
  char path[] = "/tmp/proviso-slices-XXXXXX.c";
  int file = mkstemps(path, 2);
  assert_true(file >= 0);
  close(file);
  uint64_t from = 1, to = 61;
  pv_test_share(3, 1, &from, &to);
  for (uint64_t seed = from; seed < to; seed++) {
    char *command = pv_format("python3 %s/fuzz/slices.py --print %u >%s", PROVISO_SOURCE_DIR,
                              (unsigned)seed, path);
    assert_int_equal(system(command), 0);
    check_file(path, seed, &totals);
    free(command);
  }
  unlink(path);
  report("random programs", &totals);
  assert_true(totals.programs == to - from && totals.whole > totals.changes / 4 / pv_test_parts(3));
  assert_true(totals.noticed > totals.twins / 10 / pv_test_parts(3));
}

static void programs_of_the_tests(void **state) {
  (void)state;
  struct totals totals = {0};
  enum { SHARE = 3 }; /* one file in so many, and of these a third */
  unsigned parts = pv_test_parts(3), turn = pv_test_turn(parts);
  static const char *const patterns[] = {"tests/c/*.c", "tests/e2e/*/*.c"};
  for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++) {
    glob_t files;
    char *full = pv_format("%s/%s", PROVISO_SOURCE_DIR, patterns[i]);
    assert_int_equal(glob(full, 0, NULL, &files), 0);
    for (size_t k = turn * SHARE; k < files.gl_pathc; k += SHARE * parts)
      check_file(files.gl_pathv[k], k + 1, &totals);
    globfree(&files);
    free(full);
  }
  report("programs of the tests", &totals);
  assert_true(totals.programs > 40 / parts);
}

static char **given;

static void given_programs(void **state) {
  (void)state;
  struct totals totals = {0};
  for (unsigned i = 0; given[i]; i++) check_file(given[i], i + 1, &totals);
  report("programs", &totals);
}

int main(int argc, char **argv) {
  const struct CMUnitTest own[] = {cmocka_unit_test(random_programs),
                                   cmocka_unit_test(programs_of_the_tests)};
  const struct CMUnitTest files[] = {cmocka_unit_test(given_programs)};
  given = argv + 1;
  return argc > 1 ? cmocka_run_group_tests(files, NULL, NULL)
                  : cmocka_run_group_tests(own, NULL, NULL);
}
