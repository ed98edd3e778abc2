/* slice_threads_test.c -- the promise of analysis/slice.h for programs with threads, in the
 * machine: a program runs along a random schedule; another one, changed at random outside of a
 * slice, runs so that what threads can tell of each other in the slice happens in the same order;
 * then each thread does the same statements of the slice with the same values.
 *
 * Only slices are looked at whose operations that others can tell matter in every call. */
#include "vm/slice_change_test.h"

#include "base/fewer_test.h"
#include "sched/sched.h"

enum { CRITERIA = 3, CHANGES = 3, TRANSITIONS = 400, EDGES = 20000, THREADS = 16 };

/* Operations that others can tell, in the order of the first run. */
struct op {
  uint32_t thread, function, edge, occurrence; /* the how many-th time that the thread does it */
  unsigned alternative;
  bool done; /* by the second run */
};
struct thread {
  PV_VEC(struct event) events;
  uint32_t read;           /* variable that the last edge read, or PV_NO_VAR */
  bool told;               /* the last edge was counted, */
  bool event;              /* and is the last event */
  uint32_t function, edge; /* of it, if it was counted */
  struct op *op;           /* ... and was this operation */
};
struct run {
  struct pv_vm *vm;
  const struct pv_slice *slice;
  struct thread threads[THREADS];
  struct pv_map times; /* by thread, function and edge: how often it was done */
  PV_VEC(struct op) ops;
  struct run *like; /* the second one: the first */
  uint32_t next;    /* of like->ops */
  uint64_t edges;
  struct pv_limits limits;
  enum pv_outcome outcome;
  const char *wrong;
};

static uint32_t *times(struct run *r, uint32_t thread, uint32_t function, uint32_t edge) {
  uint32_t key[3] = {thread, function, edge};
  return pv_map_put(&r->times, key, sizeof key, 0, NULL);
}

/* The operation of the first run that this is, or the first stage of it that is not done yet; NULL:
 * it was not visible there, or not done. */
static struct op *op_of(struct run *r, uint32_t thread, uint32_t function, uint32_t edge,
                        uint32_t occurrence) {
  for (uint32_t i = 0; i < r->ops.n; i++) {
    struct op *o = &r->ops.at[i];
    if (o->thread == thread && o->function == function && o->edge == edge &&
        o->occurrence == occurrence && !o->done)
      return o;
  }
  return NULL;
}

static bool is_event(const struct run *r, uint32_t function, uint32_t edge) {
  return pv_slice_matters_always(r->slice, function, edge);
}

/* Joins, too: they make room for further threads. */
static bool is_told(const struct run *r, uint32_t function, uint32_t edge) {
  const struct pv_program *p = r->vm->program;
  const struct pv_edge *e = &p->functions.at[function].edges.at[edge];
  bool join =
      e->op == PV_OP_PRIM && strcmp(p->prims.at[e->aux].prim->name, "__proviso_thread_join") == 0;
  return is_event(r, function, edge) || (join && pv_slice_has(r->slice, function, edge));
}

/* ---- messages -------- */
static void on_edge(void *user, unsigned thread, const struct pv_function *f,
                    const struct pv_edge *e) {
  struct run *r = user;
  struct thread *t = &r->threads[thread];
  struct event event = {(uint32_t)(f - r->vm->program->functions.at), (uint32_t)(e - f->edges.at),
                        0};
  if (r->edges++ >= EDGES) r->limits.hit = PV_LIMIT_STATES;
  if (t->read != PV_NO_VAR) add_variable(r->vm, &pv_vec_last(&t->events), event.function, t->read);
  t->read = PV_NO_VAR;
  t->told = is_told(r, event.function, event.edge) && is_begun(r->vm);
  t->event = t->told && is_event(r, event.function, event.edge);
  if (!t->told) return;
  t->function = event.function;
  t->edge = event.edge;
  uint32_t *n = times(r, thread, event.function, event.edge);
  t->op = r->like ? op_of(r->like, thread, event.function, event.edge, *n) : NULL;
  if (t->op) t->op->done = true;
  ++*n;
  if (!t->event) return;
  if (e->op == PV_OP_LOAD && pv_type_kind(e->type) != PV_T_PTR) t->read = e->dst;
  bool hands_over = e->op == PV_OP_CALL || e->op == PV_OP_RETURN;
  add_operands(r->vm, &event, e, !hands_over);
  pv_vec_push(&t->events, event);
}

/* It was not done yet. */
static void on_parked(void *user, unsigned thread) {
  struct run *r = user;
  struct thread *t = &r->threads[thread];
  t->read = PV_NO_VAR;
  if (!t->told) return;
  if (t->event) t->events.n--;
  --*times(r, thread, t->function, t->edge);
  if (t->op) t->op->done = false;
  t->told = false;
}

static void begin(struct run *r, const struct pv_program *p, const struct pv_options *o,
                  struct pv_condition *condition, struct pv_recorder *recorder,
                  struct pv_task *task) {
  *recorder = (struct pv_recorder){.user = r, .edge = on_edge, .parked = on_parked};
  *task = (struct pv_task){
      .program = p, .options = o, .properties = o->properties, .limits = &r->limits};
  for (unsigned t = 0; t < THREADS; t++) r->threads[t].read = PV_NO_VAR;
  r->limits = o->limits;
  r->outcome = PV_RAN;
  pv_limits_start(&r->limits);
  r->vm = pv_vm_new(task, &pv_sched_pthread, condition);
  pv_vm_record(r->vm, recorder);
  pv_vm_start(r->vm);
}

static void forget(struct run *r) {
  for (unsigned t = 0; t < THREADS; t++) pv_vec_free(&r->threads[t].events);
  pv_vec_free(&r->ops);
  pv_map_free(&r->times);
}

/* ---- the first run ---- */
/* Not where something undefined comes next: then the run is over. */
static bool is_end(const struct pv_pending *p) {
  return p->kind == PV_PEND_END && p->edge->op == PV_OP_STOP;
}

/* A thread that can move, from a random one on; what ends the program waits for the others. */
static bool choose(struct run *r, uint64_t *random, struct pv_pending *pending) {
  unsigned n = pv_vm_threads(r->vm), section = pv_vm_exclusive(r->vm);
  unsigned from = (unsigned)(random_word(random) % n);
  for (int ends = 0; ends < 2; ends++)
    for (unsigned k = 0; k < n; k++) {
      unsigned thread = (from + k) % n;
      if (section != UINT32_MAX && section != thread) continue;
      pv_vm_pending(r->vm, thread, pending);
      bool end = is_end(pending) && section == UINT32_MAX;
      if (pending->alternatives && pending->kind != PV_PEND_NONE && end == ends) return true;
    }
  return false;
}

static bool is_ordered(const struct run *r, const struct pv_pending *p, uint32_t *function,
                       uint32_t *edge) {
  *function = (uint32_t)(p->function - r->vm->program->functions.at);
  *edge = (uint32_t)(p->edge - p->function->edges.at);
  return p->kind != PV_PEND_LOCAL && p->kind != PV_PEND_END && is_told(r, *function, *edge);
}

static void run_first(struct run *r, uint64_t *random) {
  struct pv_pending p;
  for (int i = 0; i < TRANSITIONS && r->outcome == PV_RAN && choose(r, random, &p); i++) {
    struct op op = {.thread = p.thread,
                    .alternative = (unsigned)(random_word(random) % p.alternatives)};
    if (is_ordered(r, &p, &op.function, &op.edge)) {
      op.occurrence = *times(r, op.thread, op.function, op.edge);
      pv_vec_push(&r->ops, op);
    }
    r->outcome = pv_vm_step(r->vm, op.thread, op.alternative);
  }
}

/* ---- the second run ---- */
enum standing { STANDS, FREE, IN_ORDER, BEHIND };

/* BEHIND: at an operation that the first run did not come to. */
static enum standing standing_of(struct run *r, unsigned thread, struct pv_pending *p,
                                 struct op **op) {
  uint32_t function, edge;
  *op = NULL;
  pv_vm_pending(r->vm, thread, p);
  if (p->kind == PV_PEND_NONE || !p->alternatives || is_end(p)) return STANDS;
  if (!is_ordered(r, p, &function, &edge)) return FREE;
  uint32_t n = *times(r, thread, function, edge);
  *op = op_of(r->like, thread, function, edge, n);
  if (*op) return IN_ORDER;
  return n < *times(r->like, thread, function, edge) ? FREE : BEHIND; /* nobody could tell */
}

/* Moves a thread that nothing in the slice hangs on; false: there is none. */
static bool move_free(struct run *r, uint64_t *random) {
  unsigned n = pv_vm_threads(r->vm), section = pv_vm_exclusive(r->vm);
  unsigned from = (unsigned)(random_word(random) % n);
  for (unsigned k = 0; k < n; k++) {
    unsigned thread = (from + k) % n;
    struct pv_pending p;
    struct op *op;
    if (section != UINT32_MAX && section != thread) continue;
    enum standing s = standing_of(r, thread, &p, &op);
    if (s != FREE && !(s == BEHIND && section == thread)) continue;
    r->outcome = pv_vm_step(r->vm, thread, (unsigned)(random_word(random) % p.alternatives));
    return true;
  }
  return false;
}

static bool move_next(struct run *r) {
  struct pv_pending p;
  struct op *op, *next = &r->like->ops.at[r->next];
  if (next->thread >= pv_vm_threads(r->vm)) return false;
  if (standing_of(r, next->thread, &p, &op) != IN_ORDER || op != next) return false;
  if (next->alternative >= p.alternatives) return false;
  r->outcome = pv_vm_step(r->vm, next->thread, next->alternative);
  next->done = true; /* perhaps a stage of it */
  return true;
}

/* Threads that go round for ever outside of the slice do not keep others waiting. */
static void run_second(struct run *r, uint64_t *random) {
  unsigned patience = 0;
  while (r->outcome == PV_RAN && r->limits.hit == PV_LIMIT_NONE) {
    while (r->next < r->like->ops.n && r->like->ops.at[r->next].done) r->next++, patience = 0;
    if (patience++ < 60 && move_free(r, random)) continue;
    if (r->next == r->like->ops.n) return;
    if (move_next(r)) continue;
    struct op *next = &r->like->ops.at[r->next];
    if (patience <= 400 && move_free(r, random)) continue;
    if (!is_event(r, next->function, next->edge)) {
      next->done = true; /* a join that the slice can do without */
    } else {
      r->wrong = "an operation is not come to";
      return;
    }
  }
  while (r->next < r->like->ops.n && r->like->ops.at[r->next].done) r->next++;
}

/* ---- comparison ---- */
struct totals {
  unsigned programs, slices, skipped, changes, whole, ops;
};

/* By something that is undefined, or by a thread that ends the program for all. */
static bool is_cut(const struct run *r) {
  return r->outcome == PV_CUT || r->outcome == PV_PRUNED || r->outcome == PV_VIOLATED ||
         r->limits.hit != PV_LIMIT_NONE;
}

static const char *compare(const struct run *a, const struct run *b) {
  for (unsigned t = 0; t < THREADS; t++) {
    uint32_t n = a->threads[t].events.n, m = b->threads[t].events.n;
    for (uint32_t i = 0; i < n && i < m; i++)
      if (memcmp(&a->threads[t].events.at[i], &b->threads[t].events.at[i], sizeof(struct event)) !=
          0)
        return "a thread does something else";
  }
  bool reached = b->next == a->ops.n || is_cut(b);
  return b->wrong && !is_cut(b) ? b->wrong : reached ? NULL : "the run ends early";
}

static void explain(const struct run *a, const struct run *b, const struct changed *c,
                    const char *path, const char *what) {
  struct pv_str text = {0};
  print_changes(c, &text);
  for (uint32_t i = 0; i < a->ops.n; i++) {
    const struct op *o = &a->ops.at[i];
    const struct pv_function *f = &c->p->functions.at[o->function];
    pv_str_addf(&text, "%s thread %u, %s L%u: ", o->done ? "done" : "    ", o->thread, f->name,
                f->edges.at[o->edge].from);
    pv_edge_print(c->p, f, &f->edges.at[o->edge], &text);
    pv_str_addc(&text, '\n');
  }
  for (unsigned t = 0; t < THREADS; t++)
    if (a->threads[t].events.n || b->threads[t].events.n)
      pv_str_addf(&text, "thread %u: %u and %u events\n", t, a->threads[t].events.n,
                  b->threads[t].events.n);
  pv_str_addf(&text, "outcomes %d, %d\n", a->outcome, b->outcome);
  fprintf(stderr, "%s", pv_str_cstr(&text));
  fail_msg("%s: %s", path, what);
}

struct check {
  struct pv_program *p;
  const struct pv_options *o;
  const char *path;
  uint64_t random;
};

static void check_change(struct check *x, const struct pv_slice *s, struct totals *totals) {
  struct run a = {.slice = s}, b = {.slice = s, .like = &a};
  struct changed c = {.p = x->p, .slice = s, .random = &x->random};
  struct pv_condition condition = {0};
  struct pv_recorder recorder[2];
  struct pv_task task[2];
  begin(&a, x->p, x->o, &condition, &recorder[0], &task[0]);
  run_first(&a, &x->random);
  pv_vm_free(a.vm);
  change_edges(&c, 1 + (unsigned)(random_word(&x->random) % 4));
  begin(&b, x->p, x->o, &condition, &recorder[1], &task[1]);
  run_second(&b, &x->random);
  const char *what = compare(&a, &b);
  if (what) explain(&a, &b, &c, x->path, what);
  totals->changes += c.changes > 0;
  totals->whole += c.changes > 0 && !is_cut(&a) && !is_cut(&b);
  totals->ops += a.ops.n;
  pv_vm_free(b.vm);
  restore(&c);
  forget(&a);
  forget(&b);
  pv_condition_clear(&condition);
}

/* Of what matters only in some calls nothing is said, so that the order of it is not known. */
static bool matters_always(const struct pv_slice *s, const struct pv_program *p) {
  for (uint32_t f = 0; f < p->functions.n; f++)
    for (uint32_t i = 0; i < p->functions.at[f].edges.n; i++) {
      const struct pv_edge *e = &p->functions.at[f].edges.at[i];
      bool told = e->op == PV_OP_LOAD || e->op == PV_OP_STORE || e->op == PV_OP_RMW ||
                  e->op == PV_OP_CMPXCHG || e->op == PV_OP_COPY || e->op == PV_OP_FILL ||
                  e->op == PV_OP_ATOMIC_BEGIN;
      told |= e->op == PV_OP_PRIM &&
              strcmp(p->prims.at[e->aux].prim->name, "__proviso_thread_join") != 0;
      told &= !p->functions.at[f].is_model || e->op == PV_OP_PRIM;
      if (told && pv_slice_has(s, f, i) && !pv_slice_matters_always(s, f, i)) return false;
    }
  return true;
}

static void check_program(struct check *x, struct totals *totals) {
  struct pv_dependence_options options = {.between_threads = true, .all_loops = true};
  fix_inputs(x->p, &x->random);
  struct pv_points_to *pt = pv_points_to_new(x->p, NULL);
  struct pv_dependence *d = pv_dependence_new(x->p, pt, &options);
  for (unsigned i = 0; i < CRITERIA; i++) {
    struct pv_slice *s = pv_slice_new(d);
    if (i == 0) pv_slice_add_essential(s, pt, PV_PROP_BIT(PV_PROP_UNREACH_CALL));
    for (unsigned k = i; k; k--) {
      struct pv_statement any = any_statement(x->p, &x->random);
      pv_slice_add(s, any.function, any.edge);
    }
    bool looked_at = matters_always(s, x->p);
    totals->slices++;
    totals->skipped += !looked_at;
    for (unsigned k = 0; looked_at && k < CHANGES; k++) check_change(x, s, totals);
    pv_slice_free(s);
  }
  totals->programs++;
  pv_dependence_free(d);
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
  bool loads = pv_load(&o, &pv_sched_pthread, &x.p, &message) == PV_OK;
  /* Who is detached decides numbers of threads, and these are what operations are known by. */
  if (loads && !has_primitive(x.p, "thread_detach") && has_primitive(x.p, "thread_create"))
    check_program(&x, totals);
  pv_program_free(x.p);
  pv_str_free(&message);
  pv_options_free(&o);
}

static void report(const char *what, const struct totals *t) {
  print_message(
      "%s: %u programs, %u of %u slices, %u changed programs, %u not cut, %u operations\n", what,
      t->programs, t->slices - t->skipped, t->slices, t->changes, t->whole, t->ops);
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
    char *command = pv_format("python3 %s/fuzz/generate.py %u --statements 6 >%s",
                              PROVISO_SOURCE_DIR, (unsigned)seed, path);
    assert_int_equal(system(command), 0);
    check_file(path, seed, &totals);
    free(command);
  }
  unlink(path);
  report("random programs", &totals);
  assert_true(totals.programs > (to - from) * 2 / 3 &&
              totals.whole > totals.changes / 4 / pv_test_parts(3));
  assert_true(totals.ops > totals.changes / pv_test_parts(3));
}

static char **given;

static void given_programs(void **state) {
  (void)state;
  struct totals totals = {0};
  for (unsigned i = 0; given[i]; i++) check_file(given[i], i + 1, &totals);
  report("programs", &totals);
}

int main(int argc, char **argv) {
  const struct CMUnitTest own[] = {cmocka_unit_test(random_programs)};
  const struct CMUnitTest files[] = {cmocka_unit_test(given_programs)};
  given = argv + 1;
  return argc > 1 ? cmocka_run_group_tests(files, NULL, NULL)
                  : cmocka_run_group_tests(own, NULL, NULL);
}
