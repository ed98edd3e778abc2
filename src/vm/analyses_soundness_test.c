/* analyses_soundness_test.c -- points-to sets, offsets and intervals against the machine: programs
 * are run along random schedules and inputs. Whatever an edge really accesses or calls must be in
 * its set, both in any context and in the instances that the frames on the stack say. An object
 * that another thread accesses must escape. The value of every expression must lie in its interval,
 * and what is said to stay inside must. */
#include "base/fewer_test.h"
#include "vm/vm_internal.h"

#include <glob.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>
#include <cmocka.h>

#include "analysis/intervals.h"
#include "analysis/offsets.h"
#include "analysis/points_to.h"
#include "frontend/frontend.h"

enum { WALKS = 3, TRANSITIONS = 400, EDGES = 10000, DEPTH = 40 };

struct watch {
  struct pv_vm *vm;
  const struct pv_points_to *pt;
  const struct pv_intervals *intervals; /* or NULL */
  struct pv_offsets *offsets;
  const char *path;
  uint64_t *any, *here;
  uint32_t *set, *next; /* instances that the top frame may be */
  uint32_t n_set;
  uint64_t edges, checked, skipped, values, narrow, inside, exact;
  struct pv_limits limits; /* hit when a walk has seen enough edges */
};

/* ---- values of expressions, as the registers are now ------------------------------------------
 */
struct machine {
  struct watch *w;
  const struct pv_code_function *code;
  bool known; /* cleared by what is not evaluated here */
};

static uint64_t value_of(struct machine *m, pv_expr e);

static uint64_t address_of(struct machine *m, const struct pv_expr_node *n) {
  struct pv_vm *vm = m->w->vm;
  if (n->op == PV_X_FUNC) return vm->function_address[n->lo];
  if (n->op == PV_X_SLOT) return vm->regs[m->code->slot_reg + n->lo];
  if (!vm->program->globals.at[n->lo].is_thread_local) return vm->global_address[n->lo];
  for (uint32_t i = 0; i < vm->objects.n; i++) {
    const struct pv_object *o = &vm->objects.at[i];
    if (o->kind == PV_OBJ_TLS && o->site == n->lo && o->thread == vm->thread) return o->base;
  }
  return 0; /* its first use: no object yet */
}

static uint64_t compute(struct machine *m, const struct pv_expr_node *n) {
  if (n->op == PV_X_SELECT) return value_of(m, value_of(m, n->a) ? n->b : n->c);
  unsigned from = pv_type_bits(pv_node(m->w->vm->program, n->a)->type);
  uint64_t a = value_of(m, n->a), b = n->b ? value_of(m, n->b) : 0;
  if (n->op == PV_X_PTRADD) return a + b;
  pv_u128 r = 0;
  m->known &= pv_compute(n, from, a, b, &r);
  return (uint64_t)r;
}

static uint64_t value_of(struct machine *m, pv_expr e) {
  const struct pv_expr_node *n = pv_node(m->w->vm->program, e);
  unsigned bits = pv_type_bits(n->type);
  if (bits > 64) m->known = false;
  if (!m->known) return 0;
  switch (n->op) {
  case PV_X_CONST: return n->lo;
  case PV_X_VAR: return m->w->vm->regs[m->code->reg[n->lo]];
  case PV_X_GLOBAL:
  case PV_X_FUNC:
  case PV_X_SLOT: return address_of(m, n);
  case PV_X_LABEL:
  case PV_X_UNDEF: m->known = false; return 0;
  default: return compute(m, n) & pv_mask(bits);
  }
}

/* ---- the machine's objects and the analysis's -------------------------------------------------
 */
static const uint32_t *objects_of(const struct watch *w, const struct pv_object *o, uint32_t *n) {
  const struct pv_code_edge *ce =
      &w->vm->code->edges.at[o->site < w->vm->code->edges.n ? o->site : 0];
  uint32_t edge =
      ce->edge ? (uint32_t)(ce->edge - w->vm->program->functions.at[ce->function].edges.at) : 0;
  *n = 0;
  switch ((enum pv_object_kind)o->kind) {
  case PV_OBJ_GLOBAL:
  case PV_OBJ_CONST:
  case PV_OBJ_TLS: return pv_points_to_global(w->pt, o->site, n);
  case PV_OBJ_SLOT: return pv_points_to_slot(w->pt, o->site, o->slot, n);
  case PV_OBJ_ALLOCA:
  case PV_OBJ_TEMP: return pv_points_to_alloca(w->pt, ce->function, edge, n);
  case PV_OBJ_HEAP: return pv_points_to_heap(w->pt, ce->function, edge, n);
  case PV_OBJ_FUNCTIONS: break;
  }
  return NULL;
}

static void violation(const struct watch *w, const struct pv_function *f, const struct pv_edge *e,
                      const char *what, uint64_t address) {
  struct pv_str edge = {0}, name = {0}, dump = {0};
  pv_edge_print(w->vm->program, f, e, &edge);
  pv_vm_name_address(w->vm, address, &name);
  pv_points_to_print(w->pt, &dump);
  fprintf(stderr, "%s", pv_str_cstr(&dump));
  fail_msg("%s: %s in %s at `%s`: %s", w->path, what, f->name, pv_str_cstr(&edge),
           pv_str_cstr(&name));
}

static bool has(const uint64_t *set, uint32_t object) {
  return set[object / 64] >> object % 64 & 1;
}

/* The sets of an address: in any context, and in the instances on top of the stack. */
static void ask(struct watch *w, uint32_t function, pv_expr e) {
  size_t bytes = pv_points_to_words(w->pt) * sizeof *w->any;
  memset(w->any, 0, bytes);
  memset(w->here, 0, bytes);
  for (uint32_t i = 0; i < w->n_set; i++) pv_points_to_address_in(w->pt, w->set[i], e, w->here);
  if (w->vm->program->functions.at[function].is_model) /* has many instances: now and then */
    memcpy(w->any, w->here, bytes);
  if (!w->vm->program->functions.at[function].is_model || w->checked % 64 == 0)
    pv_points_to_address(w->pt, function, e, w->any);
  w->checked++;
}

static void check_object(struct watch *w, const struct pv_function *f, const struct pv_edge *e,
                         uint64_t address) {
  struct pv_vm *vm = w->vm;
  const struct pv_object *o = pv_object_at(vm, address);
  uint32_t n;
  const uint32_t *known = objects_of(w, o, &n);
  bool any = false, here = false, escapes = false;
  for (uint32_t i = 0; i < n; i++) {
    any |= has(w->any, known[i]);
    here |= has(w->here, known[i]);
    escapes |= has(w->here, known[i]) && pv_points_to_escapes(w->pt, known[i]);
  }
  if (!any) violation(w, f, e, "an object outside of the set", address);
  if (!here) violation(w, f, e, "an object outside of the set in this context", address);
  bool foreign = o->kind >= PV_OBJ_TLS && o->kind <= PV_OBJ_HEAP && o->thread != vm->thread;
  if (foreign && !escapes) violation(w, f, e, "another thread's object does not escape", address);
}

/* The access must begin at one of the offsets in the object. */
static void check_offset(struct watch *w, const struct pv_function *f, const struct pv_edge *e,
                         pv_expr address, uint64_t at) {
  const struct pv_object *o = pv_object_at(w->vm, at);
  uint32_t n, function = (uint32_t)(f - w->vm->program->functions.at);
  const uint32_t *same = objects_of(w, o, &n);
  pv_targets targets = {0};
  bool known = pv_offsets_of(w->offsets, function, address, &targets), found = !known;
  for (uint32_t i = 0; i < targets.n && !found; i++) {
    struct pv_target t = targets.at[i];
    int64_t apart = (int64_t)(at - o->base) - t.offset;
    for (uint32_t k = 0; k < n; k++)
      found |= t.object == same[k] && (t.stride ? apart % t.stride == 0 : apart == 0);
    w->exact += found && !t.stride;
  }
  pv_vec_free(&targets);
  if (!found) violation(w, f, e, "an offset outside of the set", at);
}

static void check_access(struct watch *w, const struct pv_function *f, const struct pv_edge *e,
                         pv_expr address) {
  uint32_t function = (uint32_t)(f - w->vm->program->functions.at);
  struct machine m = {w, &w->vm->code->functions[function], true};
  uint64_t at = value_of(&m, address);
  enum pv_property property;
  if (!m.known) w->skipped++;
  if (!m.known || pv_access_fault(w->vm, at, 1, false, &property)) return;
  ask(w, function, address);
  check_object(w, f, e, at);
  check_offset(w, f, e, address, at);
}

static void check_call(struct watch *w, const struct pv_function *f, const struct pv_edge *e) {
  uint32_t function = (uint32_t)(f - w->vm->program->functions.at);
  struct machine m = {w, &w->vm->code->functions[function], true};
  uint64_t at = value_of(&m, e->e[0]);
  if (!m.known || at < w->vm->functions_base) return;
  uint64_t callee = (at - w->vm->functions_base) / 16;
  if (at % 16 || callee >= w->vm->program->functions.n) return;
  ask(w, function, e->e[0]);
  for (uint32_t o = 0; o < pv_points_to_objects(w->pt); o++) {
    const struct pv_pt_object *is = pv_points_to_object(w->pt, o);
    bool same = is->kind == PV_PT_ANYTHING || (is->kind == PV_PT_FUNCTION && is->index == callee);
    if (same && has(w->any, o) && has(w->here, o)) return;
  }
  violation(w, f, e, "a call outside of the set", at);
}

/* ---- the stack --------------------------------------------------------------------------------
 */
/* One frame up: what the instances call at the edge that is this function. */
static void step_into(struct watch *w, uint32_t edge, uint32_t function) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < w->n_set; i++) {
    uint32_t n_calls;
    const uint32_t *calls = pv_points_to_calls(w->pt, w->set[i], edge, &n_calls);
    for (uint32_t k = 0; k < n_calls; k++)
      if (pv_points_to_function_of(w->pt, calls[k]) == function) w->next[n++] = calls[k];
  }
  uint32_t *swap = w->set;
  w->set = w->next;
  w->next = swap;
  w->n_set = n;
}

static void find_instances(struct watch *w) {
  const struct pv_vm *vm = w->vm;
  const struct pv_thread *t = &vm->threads[vm->thread];
  uint32_t function = 0, edge = 0;
  for (uint32_t d = 0; d < t->depth; d++) {
    const struct pv_comp *c = &vm->comps.at[t->frames.at[d]];
    uint32_t pc = ((const struct pv_frame_head *)(const void *)c->data)->pc;
    bool top = d + 1 == t->depth;
    const struct pv_code_edge *ce = &vm->code->edges.at[vm->code->where.at[top ? pc : pc - 1]];
    function = ce->function;
    if (d == 0) {
      const uint32_t *all;
      w->n_set = pv_points_to_instances(w->pt, function, &all);
      memcpy(w->set, all, w->n_set * sizeof *all);
    } else {
      step_into(w, edge, function);
    }
    edge = (uint32_t)(ce->edge - vm->program->functions.at[function].edges.at);
  }
  if (!w->n_set)
    fail_msg("%s: no instance of %s is on the stack", w->path,
             vm->program->functions.at[function].name);
}

static void check_primitive(struct watch *w, const struct pv_function *f, const struct pv_edge *e) {
  const struct pv_prim *prim = w->vm->program->prims.at[e->aux].prim;
  unsigned objects = prim->class != PV_PRIM_OBJECT ? 0 : prim->two_objects ? 2 : 1;
  if (strcmp(prim->name, "__proviso_thread_create") == 0) objects = 1;
  for (unsigned i = 0; i < objects; i++) check_access(w, f, e, pv_arg(w->vm->program, e->args, i));
  if (strcmp(prim->name, "__proviso_thread_join") == 0)
    check_access(w, f, e, pv_arg(w->vm->program, e->args, 1));
}

/* ---- intervals --------------------------------------------------------------------------------
 */
static void not_so(const struct watch *w, const struct pv_function *f, const struct pv_edge *e,
                   const char *what, struct pv_interval is, int64_t value) {
  struct pv_str edge = {0};
  pv_edge_print(w->vm->program, f, e, &edge);
  fail_msg("%s: %s in %s at L%u `%s`: %lld, not in [%lld, %lld] with %u zeros", w->path, what,
           f->name, e->from, pv_str_cstr(&edge), (long long)value, (long long)is.lo,
           (long long)is.hi, is.zero_bits);
}

static void check_value(struct watch *w, const struct pv_function *f, const struct pv_edge *e,
                        pv_expr x) {
  uint32_t function = (uint32_t)(f - w->vm->program->functions.at);
  pv_type t = pv_node(w->vm->program, x)->type;
  unsigned bits = pv_type_bits(t);
  struct machine m = {w, &w->vm->code->functions[function], true};
  if (bits > 64 || pv_type_kind(t) == PV_T_FLOAT) return;
  int64_t value = (int64_t)(value_of(&m, x) << (64 - bits)) >> (64 - bits);
  if (!m.known) return;
  struct pv_interval is = pv_intervals_of(w->intervals, function, e->from, x);
  struct pv_interval any = pv_interval_any(t);
  unsigned zeros = value ? (unsigned)__builtin_ctzll((uint64_t)value) : 64;
  if (value < is.lo || value > is.hi || zeros < is.zero_bits) not_so(w, f, e, "a value", is, value);
  w->values++;
  w->narrow += is.lo > any.lo && is.hi < any.hi;
}

/* Where a thread's copy is before its first use, or after the thread's end, nobody knows. */
static bool is_thread_local(const struct pv_program *p, pv_expr address) {
  const struct pv_expr_node *n = pv_node(p, address);
  while (n->op == PV_X_PTRADD) n = pv_node(p, n->a);
  return n->op == PV_X_GLOBAL && p->globals.at[n->lo].is_thread_local;
}

static void check_inside(struct watch *w, const struct pv_function *f, const struct pv_edge *e) {
  uint32_t function = (uint32_t)(f - w->vm->program->functions.at);
  struct machine m = {w, &w->vm->code->functions[function], true};
  uint64_t at = value_of(&m, e->e[0]), bytes = pv_type_bytes(e->type);
  enum pv_property property;
  if (is_thread_local(w->vm->program, e->e[0])) return;
  if (!m.known || !pv_intervals_inside(w->intervals, function, e->from, e->e[0], bytes)) return;
  if (pv_access_fault(w->vm, at, (unsigned)bytes, false, &property))
    not_so(w, f, e, "an access outside", pv_interval_none(), (int64_t)at);
  w->inside++;
}

/* A call that came back is told of again, with variables that nobody needs any more. */
static bool begins(const struct pv_vm *vm) {
  return vm->code->edges.at[vm->code->where.at[vm->frame->pc]].pc == vm->frame->pc;
}

static void check_intervals(struct watch *w, const struct pv_function *f, const struct pv_edge *e) {
  const struct pv_program *p = w->vm->program;
  bool observes = e->op == PV_OP_ASSUME && e->aux;
  if (!begins(w->vm)) return;
  if (!pv_intervals_reach(w->intervals, (uint32_t)(f - p->functions.at), e->from))
    not_so(w, f, e, "a place that cannot be reached", pv_interval_none(), 0);
  for (int i = 0; i < 3 && !observes; i++)
    if (e->e[i]) check_value(w, f, e, e->e[i]);
  for (uint32_t i = 0; i < e->args.n; i++) check_value(w, f, e, pv_arg(p, e->args, i));
  if (e->op == PV_OP_LOAD || e->op == PV_OP_STORE || e->op == PV_OP_RMW || e->op == PV_OP_CMPXCHG)
    check_inside(w, f, e);
}

static void on_edge(void *user, unsigned thread, const struct pv_function *f,
                    const struct pv_edge *e) {
  struct watch *w = user;
  (void)thread;
  if (w->edges++ == EDGES) w->limits.hit = PV_LIMIT_STATES;
  if (w->edges > EDGES || w->vm->threads[w->vm->thread].depth > DEPTH) return;
  if (w->intervals && w->edges < EDGES / 4) check_intervals(w, f, e);
  switch (e->op) {
  case PV_OP_COPY:
  case PV_OP_LOAD:
  case PV_OP_STORE:
  case PV_OP_RMW:
  case PV_OP_CMPXCHG:
  case PV_OP_FILL:
  case PV_OP_FREE:
    find_instances(w);
    check_access(w, f, e, e->e[0]);
    if (e->op == PV_OP_COPY) check_access(w, f, e, e->e[1]);
    break;
  case PV_OP_PRIM:
    find_instances(w);
    check_primitive(w, f, e);
    break;
  case PV_OP_CALL:
    find_instances(w);
    if (e->callee == PV_NO_FUNC) check_call(w, f, e);
    break;
  default: break;
  }
}

/* ---- walks ------------------------------------------------------------------------------------
 */
static uint64_t random_number(uint64_t *state) {
  *state ^= *state << 13;
  *state ^= *state >> 7;
  *state ^= *state << 17;
  return *state;
}

static void walk(const struct watch *w, uint64_t seed) {
  struct pv_vm *vm = w->vm;
  uint64_t state = seed * UINT64_C(0x9e3779b97f4a7c15) + 1;
  pv_vm_start(vm);
  for (int i = 0; i < TRANSITIONS && w->edges < EDGES; i++) {
    unsigned n = pv_vm_threads(vm), first = (unsigned)(random_number(&state) % n), k = 0;
    struct pv_pending pending = {0};
    for (; k < n; k++) {
      unsigned thread = (first + k) % n, section = pv_vm_exclusive(vm);
      if (section != UINT32_MAX && section != thread) continue;
      pv_vm_pending(vm, thread, &pending);
      if (!pending.alternatives) continue;
      unsigned alternative = (unsigned)(random_number(&state) % pending.alternatives);
      if (pv_vm_step(vm, thread, alternative) != PV_RAN) return;
      break;
    }
    if (k == n) return;
  }
}

static void run(const struct pv_program *p, const struct pv_options *o, const char *path,
                struct watch *total) {
  struct pv_points_to_options options = pv_points_to_defaults(p);
  struct pv_task task = {.program = p, .options = o, .properties = o->properties};
  struct pv_condition condition = {0};
  options.reuse &= !o->no_reuse;
  struct pv_points_to *pt = pv_points_to_new(p, &options);
  if (!pv_points_to_complete(pt)) fail_msg("%s: not complete", path);
  uint32_t words = pv_points_to_words(pt), n = pv_points_to_stats(pt).instances + 1;
  struct pv_call_graph *calls = pv_call_graph_new(p, pt);
  struct pv_intervals *intervals = pv_intervals_new(p, pt, calls);
  struct watch w = {.pt = pt, .intervals = intervals, .path = path};
  w.offsets = pv_offsets_new(p, pt);
  task.limits = &w.limits;
  w.any = pv_alloc(words * sizeof *w.any);
  w.here = pv_alloc(words * sizeof *w.here);
  w.set = pv_alloc((size_t)n * n * sizeof *w.set);
  w.next = pv_alloc((size_t)n * n * sizeof *w.next);
  struct pv_recorder recorder = {.user = &w, .edge = on_edge};
  for (uint64_t seed = 1; seed <= WALKS; seed++) {
    w.vm = pv_vm_new(&task, &pv_sched_pthread, &condition);
    w.edges = 0;
    w.limits = o->limits;
    pv_limits_start(&w.limits);
    pv_vm_record(w.vm, &recorder);
    walk(&w, seed);
    pv_vm_free(w.vm);
  }
  total->checked += w.checked;
  total->skipped += w.skipped;
  total->values += w.values;
  total->narrow += w.narrow;
  total->inside += w.inside;
  total->exact += w.exact;
  pv_offsets_free(w.offsets);
  free(w.any);
  free(w.here);
  free(w.set);
  free(w.next);
  pv_condition_clear(&condition);
  pv_intervals_free(intervals);
  pv_call_graph_free(calls);
  pv_points_to_free(pt);
}

/* false: the file does not load by itself (a part of another program, wanting options). */
static bool check_file(const char *path, bool narrow, struct watch *total) {
  struct pv_options o;
  struct pv_program *p = NULL;
  struct pv_str message = {0};
  pv_options_init(&o);
  pv_vec_push(&o.files, pv_strdup(path));
  if (narrow) assert_int_equal(pv_options_set(&o, "32", NULL, &message), PV_OK);
  bool loads = pv_load(&o, &pv_sched_pthread, &p, &message) == PV_OK;
  for (int reuse = 0; loads && reuse < 2; reuse++) {
    o.no_reuse = !reuse;
    if (!reuse || pv_points_to_sees_reuse(p)) run(p, &o, path, total);
  }
  pv_program_free(p);
  pv_str_free(&message);
  pv_options_free(&o);
  return loads;
}

/* One file in `share`, and of these one part; of all parts together `at_least` so many can be
 * loaded. */
static void check_folder(const char *pattern, unsigned usual_parts, unsigned at_least,
                         unsigned share, unsigned narrow) {
  struct watch total = {0};
  unsigned loaded = 0, parts = usual_parts > 1 ? pv_test_parts(usual_parts) : 1;
  unsigned turn = pv_test_turn(parts);
  glob_t files;
  char *full = pv_format("%s/%s", PROVISO_SOURCE_DIR, pattern);
  assert_int_equal(glob(full, 0, NULL, &files), 0);
  for (size_t i = 0; i < files.gl_pathc; i++)
    if (i % share == 0 && i / share % parts == turn)
      loaded += check_file(files.gl_pathv[i], narrow && i / share / parts % narrow == 0, &total);
  print_message("%s: %u programs, %llu accesses checked, %llu skipped; %llu values, %llu with "
                "two bounds, %llu accesses known to be inside, %llu at exact offsets\n",
                pattern, loaded, (unsigned long long)total.checked,
                (unsigned long long)total.skipped, (unsigned long long)total.values,
                (unsigned long long)total.narrow, (unsigned long long)total.inside,
                (unsigned long long)total.exact);
  assert_true(loaded >= at_least / parts);
  assert_true(total.checked > 50 * loaded / parts);
  assert_true(total.skipped < total.checked / 20);
  assert_true(total.exact > total.checked / 10);
  assert_true(total.narrow > total.values / 10 / parts && total.inside > 10 * loaded / parts);
  globfree(&files);
  free(full);
}

static void programs_for_native_runs(void **state) {
  (void)state;
  check_folder("tests/c/*.c", 4, 20, 1, 4);
}

static void end_to_end_programs(void **state) {
  (void)state;
  check_folder("tests/e2e/*/*.c", 4, 200, 2, 4);
}

static void programs_in_cxx(void **state) {
  (void)state;
  check_folder("tests/e2e/cpp/*.cpp", 1, 4, 1, 4);
}

static void examples(void **state) {
  (void)state;
  check_folder("examples/*.c", 4, 20, 1, 4);
}

static void random_programs(void **state) {
  (void)state;
  struct watch total = {0};
  char path[] = "/tmp/proviso-points-XXXXXX.c";
  int file = mkstemps(path, 2);
  assert_true(file >= 0);
  close(file);
  uint64_t from = 1, to = 41;
  pv_test_share(4, 1, &from, &to);
  for (uint64_t seed = from; seed < to; seed++) {
    char *command =
        pv_format("python3 %s/fuzz/generate.py %u >%s", PROVISO_SOURCE_DIR, (unsigned)seed, path);
    assert_int_equal(system(command), 0);
    assert_true(check_file(path, seed % 4 == 0, &total));
    free(command);
  }
  unlink(path);
  assert_true(total.checked > 25 * (to - from) / pv_test_parts(4));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(programs_for_native_runs), cmocka_unit_test(end_to_end_programs),
      cmocka_unit_test(programs_in_cxx),          cmocka_unit_test(examples),
      cmocka_unit_test(random_programs),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
