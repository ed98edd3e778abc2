/* future_test.c -- predicted against real operations: programs are executed with random schedules
 * and inputs. Everything that a thread does must be in the futures computed before, with no other
 * guards than locks that it has acquired since. */
#include <glob.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "analysis/sections.h"
#include "base/fewer_test.h"
#include "explore/future_internal.h"
#include "explore/moves.h"
#include "frontend/frontend.h"

enum { WALKS = 2, TRANSITIONS = 150, KEPT = 24 };

struct past { /* of one thread */
  uint32_t future[KEPT];
  uint64_t taken[KEPT]; /* locks since then */
  unsigned n, next;
};
struct walk {
  const char *path;
  struct pv_space space;
  struct pv_moves_cache *cache;
  struct pv_future *future;
  struct past past[PV_MAX_THREADS];
  bool unseen_locks; /* taken inside atomic sections, where nobody parks */
  uint64_t checked;
};

static uint64_t random_number(uint64_t *state) {
  *state ^= *state << 13;
  *state ^= *state >> 7;
  *state ^= *state << 17;
  return *state;
}

/* ---- questions whose answer must be yes -------------------------------------------------------
 */
static void must_do(struct walk *w, const struct pv_pending *p, unsigned thread, uint64_t low,
                    uint64_t bytes, unsigned effects, const char *what) {
  struct pv_touched t = {.n = 1};
  t.at[0] = low >= PV_MEMORY_END
                ? (struct pv_touch){.low = low, .high = low + 1, .effects = (uint16_t)effects}
                : pv_piece(low, bytes, effects);
  const struct pv_touched *asked = pv_touched_number(w->future, &t);
  const struct past *past = &w->past[thread];
  for (unsigned i = 0; i < past->n; i++) {
    w->checked++;
    uint64_t closed = w->unseen_locks ? 0 : ~past->taken[i];
    if (pv_future_meets(w->future, thread, past->future[i], asked, false, closed)) continue;
    bool at_all = pv_future_meets(w->future, thread, past->future[i], asked, false, 0);
    struct pv_str edge = {0};
    pv_edge_print(w->future->p, p->function, p->edge, &edge);
    fail_msg("%s: thread %u: %s at `%s` in %s is not in an earlier future%s", w->path, thread, what,
             pv_str_cstr(&edge), p->function->name, at_all ? " without guards" : "");
  }
}

static void check_primitive(struct walk *w, const struct pv_pending *p, unsigned thread) {
  bool on_threads;
  unsigned effects = pv_prim_effects(p->call.prim->name, &on_threads);
  if (p->call.prim->class == PV_PRIM_LOCAL) return;
  if (on_threads) {
    must_do(w, p, thread, PV_AT_THREADS, 1, PV_EFF_SYNC | PV_EFF_CANCEL, "the primitive");
    if (effects & PV_EFF_SPAWN) must_do(w, p, thread, p->call.args[0], 8, PV_EFF_READ, "the id");
    return;
  }
  for (unsigned i = 0; i < (p->call.prim->two_objects ? 2u : 1u); i++)
    must_do(w, p, thread, p->call.args[i], 1, PV_EFF_SYNC, "the primitive");
  if (p->call.prim->may_be_cancelled)
    must_do(w, p, thread, PV_AT_THREADS, 1, PV_EFF_CANCEL, "the look at a request");
}

static void check(struct walk *w, const struct pv_pending *p, unsigned thread) {
  switch (p->kind) {
  case PV_PEND_ACCESS:
    must_do(w, p, thread, p->address, p->bytes, p->write ? PV_EFF_READ : PV_EFF_WRITE,
            "the access");
    break;
  case PV_PEND_FREE:
    must_do(w, p, thread, p->address, p->bytes, PV_EFF_READ, "what is freed");
    must_do(w, p, thread, PV_AT_HEAP, 1, PV_EFF_WRITE, "the allocator");
    break;
  case PV_PEND_ALLOC: must_do(w, p, thread, PV_AT_HEAP, 1, PV_EFF_WRITE, "the allocator"); break;
  case PV_PEND_SCOPE:
    if (p->bytes) must_do(w, p, thread, p->address, 1, PV_EFF_READ, "what ends");
    break;
  case PV_PEND_PRIM: check_primitive(w, p, thread); break;
  default: break;
  }
}

/* ---- walks ------------------------------------------------------------------------------------
 */
static void remember(struct walk *w, const struct pv_moves *m) {
  PV_FOR_THREADS(t, m->alive) {
    struct past *past = &w->past[t];
    past->future[past->next] = pv_future_of(w->future, t);
    past->taken[past->next] = 0;
    past->next = (past->next + 1) % KEPT;
    if (past->n < KEPT) past->n++;
  }
  for (unsigned t = 0; t < PV_MAX_THREADS; t++)
    if (!(m->alive & PV_THREAD_BIT(t))) w->past[t].n = w->past[t].next = 0;
}

/* A thread that is alone takes locks without parking. */
static void note_lock(struct walk *w, const struct pv_pending *p, unsigned thread, bool alone) {
  struct past *past = &w->past[thread];
  uint64_t lock = p->kind == PV_PEND_PRIM ? pv_future_parked(w->future, p).lock : 0;
  if (alone) lock = UINT64_MAX;
  for (unsigned i = 0; i < past->n; i++) past->taken[i] |= lock;
}

static void walk(struct walk *w, uint64_t seed) {
  uint64_t state = seed * UINT64_C(0x9e3779b97f4a7c15) + 1;
  struct pv_moves m;
  bool back, is_new;
  memset(w->past, 0, sizeof w->past);
  pv_space_start(&w->space);
  pv_space_save(&w->space, &is_new);
  for (int i = 0; i < TRANSITIONS; i++) {
    pv_moves_find(w->cache, &m);
    if (!m.able) return;
    remember(w, &m);
    unsigned nth = (unsigned)(random_number(&state) % (unsigned)__builtin_popcountll(m.able));
    pv_threads left = m.able;
    while (nth--) left &= left - 1;
    unsigned thread = (unsigned)__builtin_ctzll(left);
    unsigned alternative = (unsigned)(random_number(&state) % m.alternatives[thread]);
    const struct pv_pending *p = m.next[thread];
    check(w, p, thread);
    if (pv_space_step(&w->space, thread, alternative, &back) != PV_RAN) return;
    pv_space_save(&w->space, &is_new);
    note_lock(w, p, thread, !(m.alive & (m.alive - 1)));
  }
}

static uint64_t run(const struct pv_program *p, struct pv_options *o, const char *path) {
  struct pv_task task = {
      .program = p, .options = o, .properties = o->properties, .limits = &o->limits};
  uint64_t checked = 0;
  for (uint64_t seed = 1; seed <= WALKS; seed++) {
    struct pv_condition condition = {0};
    struct walk w = {.path = path, .unseen_locks = pv_sections_wait(p)};
    struct pv_vm *vm = pv_vm_new(&task, &pv_sched_pthread, &condition);
    pv_limits_start(&o->limits);
    pv_space_init(&w.space, vm, true);
    w.cache = pv_moves_cache_new(&w.space);
    w.future = pv_future_new(&w.space, p, &pv_sched_pthread);
    pv_vm_start(vm);
    walk(&w, seed);
    checked += w.checked;
    pv_future_free(w.future);
    pv_moves_cache_free(w.cache);
    pv_space_free(&w.space);
    pv_vm_free(vm);
    pv_condition_clear(&condition);
  }
  return checked;
}

/* false: the file does not load by itself. */
static bool check_file(const char *path, uint64_t *checked) {
  struct pv_options o;
  struct pv_program *p = NULL;
  struct pv_str message = {0};
  pv_options_init(&o);
  pv_vec_push(&o.files, pv_strdup(path));
  o.limits.seconds = 1; /* a walk */
  bool loads = pv_load(&o, &pv_sched_pthread, &p, &message) == PV_OK;
  /* Where calls may come back elsewhere, nobody asks for futures (explicit.c). */
  if (loads && !p->has_jumps) *checked += run(p, &o, path);
  pv_program_free(p);
  pv_str_free(&message);
  pv_options_free(&o);
  return loads;
}

/* One file in `share`, and of these a third; of all thirds together `at_least` so many can be
 * loaded. */
static void check_folder(const char *pattern, unsigned at_least, unsigned share) {
  uint64_t checked = 0;
  unsigned loaded = 0, parts = pv_test_parts(3), turn = pv_test_turn(parts);
  glob_t files;
  char *full = pv_format("%s/%s", PROVISO_SOURCE_DIR, pattern);
  assert_int_equal(glob(full, 0, NULL, &files), 0);
  for (size_t i = turn * share; i < files.gl_pathc; i += share * parts)
    loaded += check_file(files.gl_pathv[i], &checked);
  assert_true(loaded >= at_least / parts);
  assert_true(checked >
              20 * loaded / parts); /* many programs have one thread, or little to choose */
  globfree(&files);
  free(full);
}

static void end_to_end_programs(void **state) {
  (void)state;
  check_folder("tests/e2e/*/*.c", 120, 3);
}

static void examples(void **state) {
  (void)state;
  check_folder("examples/*.c", 20, 1);
}

static void random_programs(void **state) {
  (void)state;
  uint64_t checked = 0;
  char path[] = "/tmp/proviso-future-XXXXXX.c";
  int file = mkstemps(path, 2);
  assert_true(file >= 0);
  close(file);
  uint64_t from = 1, to = 61;
  pv_test_share(3, 1, &from, &to);
  for (uint64_t seed = from; seed < to; seed++) {
    char *command =
        pv_format("python3 %s/fuzz/generate.py %u >%s", PROVISO_SOURCE_DIR, (unsigned)seed, path);
    assert_int_equal(system(command), 0);
    assert_true(check_file(path, &checked));
    free(command);
  }
  unlink(path);
  assert_true(checked > 160 * (to - from) / pv_test_parts(3));
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(examples),
                                     cmocka_unit_test(end_to_end_programs),
                                     cmocka_unit_test(random_programs)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
