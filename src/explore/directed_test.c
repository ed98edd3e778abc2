/* The orders of directed search against breadth first, on random programs with threads: verdicts,
 * numbers of states, and the lengths of shortest paths.
 *
 * PROVISO_SEEDS=FROM-TO in the environment: these programs instead of the short sample. */
#include "engine.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "base/fewer_test.h"
#include "frontend/from_text_test.h"
#include "vm/random_program_test.h"

extern const struct pv_engine pv_engine_explicit;

/* ---- one program ----------------------------------------------------------------------------- */
static struct pv_options options;
static struct pv_program *program;
static uint64_t seed; /* of the program at hand */

static void no_spurious(struct pv_options *o) {
  o->no_spurious = true;
}

static void load(const char *text, const char *properties) {
  pv_test_load(text, properties, no_spurious, &options, &program);
}

static void unload(void) {
  pv_program_free(program);
  pv_options_free(&options);
}

struct outcome {
  enum pv_verdict verdict;
  enum pv_proviso_kind why; /* CONDITIONAL: the last proviso's */
  uint32_t length;          /* FALSE: of the path, in transitions */
  bool noted;               /* there is a note that no path is shorter */
  struct pv_stats stats;
};

static void set(const char *name, const char *value) {
  if (pv_options_set(&options, name, value, NULL) != PV_OK) fail_msg("--%s %s", name, value);
}

static struct outcome search(const char *order, const char *por) {
  struct pv_result r = {0};
  struct pv_task task = {.program = program,
                         .options = &options,
                         .limits = &options.limits,
                         .properties = options.properties};
  set("search", order);
  set("por", por);
  options.limits.hit = PV_LIMIT_NONE;
  pv_limits_start(&options.limits);
  assert_int_equal(pv_engine_explicit.run(&task, &r), PV_OK);
  struct outcome o = {.verdict = r.verdict, .stats = r.stats};
  if (r.condition.provisos.n) o.why = pv_vec_last(&r.condition.provisos).kind;
  if (r.violations.n) {
    o.length = r.violations.at[0].path.choices.n;
    assert_true(r.violations.at[0].replayed);
  }
  for (uint32_t i = 0; i < r.notes.n; i++)
    o.noted |= !!strstr(r.notes.at[i], "no path to an error");
  pv_result_clear(&r);
  return o;
}

static void expect(bool right, const char *what, const struct outcome *is,
                   const struct outcome *should) {
  if (right) return;
  fail_msg("program %" PRIu64 ": %s: verdict %d, %" PRIu64 " states, path %u; breadth first: %d, "
           "%" PRIu64 ", %u",
           seed, what, (int)is->verdict, is->stats.states, is->length, (int)should->verdict,
           should->stats.states, should->length);
}

static void walk(void);

/* ---- many ------------------------------------------------------------------------------------ */
static struct outcome bfs; /* breadth first without reduction, on the program at hand */
static unsigned n_true, n_false;
static uint64_t most; /* states of a small program */

/* Searches breadth first, unless the program has too many states for a test of all orders: an order
 * may meet all of them before the first error. */
static bool is_small(void) {
  options.limits.states = most;
  options.keep_going = true;
  search("bfs", "none");
  bool small = options.limits.hit == PV_LIMIT_NONE;
  options.limits.states = 0;
  options.keep_going = false;
  if (small) bfs = search("bfs", "none");
  return small;
}

static bool saw_both(void) {
  return n_true && n_false;
}

/* Calls f for this part of the programs, and for the next ones until `enough` was seen. */
static void each_program(uint64_t from, uint64_t to, const char *properties, void (*f)(void),
                         bool (*enough)(void)) {
  const char *range = getenv("PROVISO_SEEDS");
  unsigned more = range ? 0 : 300;
  most = f == walk ? 200 : 1500; /* walks go on for long */
  n_true = n_false = 0;
  pv_test_share(3, 2, &from, &to);
  if (range && sscanf(range, "%" SCNu64 "-%" SCNu64, &from, &to) != 2) fail_msg("FROM-TO");
  for (seed = from; seed < to || (!enough() && more && more--); seed++) {
    char *text = pv_test_program(seed, PV_TEST_ALL);
    load(text, properties);
    if (is_small()) {
      n_true += bfs.verdict == PV_TRUE;
      n_false += bfs.verdict == PV_FALSE;
      f();
    }
    unload();
    free(text);
  }
  assert_true(range || enough());
}

static const char *const heuristics[] = {"efca", "fca", "efsm", "fsm", "random", "none"};
enum { HEURISTICS = sizeof heuristics / sizeof *heuristics };
static void compare_orders(void) {
  static const char *const orders[] = {"best", "astar", "beam", "greedy", "portfolio"};
  static const char *const reductions[] = {"none", "persistent", "both"};
  for (size_t p = 0; p < 3; p++) {
    if (p) bfs = search("bfs", reductions[p]);
    for (size_t i = 0; i < sizeof orders / sizeof *orders; i++) {
      set("heuristic", heuristics[(seed + i) % HEURISTICS]);
      set("seed", seed % 2 ? "7" : "0");
      set("queue-limit", "1000000");
      set("look-ahead", seed % 3 ? "0" : "16");
      set("ties", i != 1 && i < 3 && seed % 4 == 2 ? "interference" : "last");
      struct outcome o = search(orders[i], reductions[p]);
      expect(o.verdict == bfs.verdict, orders[i], &o, &bfs);
      bool same = p == 1 && strcmp(orders[i], "astar") != 0 && strcmp(orders[i], "portfolio") != 0;
      if (bfs.verdict == PV_TRUE && (p == 0 || same))
        expect(o.stats.states == bfs.stats.states, orders[i], &o, &bfs);
    }
  }
}

static void orders_agree_with_breadth_first(void **state) {
  (void)state;
  each_program(0, 40, "unreach-call,no-deadlock", compare_orders, saw_both);
  each_program(40, 60, "no-data-race,no-deadlock", compare_orders, saw_both);
}

/* Every heuristic meets every second program. */
static void compare_lengths(void) {
  for (int atomic = 0; atomic < 2; atomic++) {
    set("atomic", atomic ? "instruction" : "visible");
    if (atomic && !is_small()) continue;
    for (size_t i = seed % 2; i < HEURISTICS; i += 2) {
      set("heuristic", heuristics[i]);
      struct outcome o = search("astar", "both");
      expect(o.verdict == bfs.verdict && o.length == bfs.length, heuristics[i], &o, &bfs);
      expect(o.noted == (o.verdict == PV_FALSE), "the note", &o, &bfs);
      if (o.verdict == PV_TRUE) expect(o.stats.states == bfs.stats.states, "states", &o, &bfs);
    }
  }
}

static void astar_finds_shortest_paths(void **state) {
  (void)state;
  each_program(100, 120, "unreach-call", compare_lengths, saw_both);
  each_program(130, 150, "no-deadlock", compare_lengths, saw_both);
  each_program(150, 165, "no-data-race", compare_lengths, saw_both);
  each_program(165, 180, "unreach-call,no-deadlock,no-data-race,def-behavior", compare_lengths,
               saw_both);
}

/* What is cut off is a proviso; where nothing is in the end, the states are all. */
static unsigned n_whole, n_cut;

static void cut_the_queue(void) {
  static const char *const limits[] = {"1", "3", "20"};
  for (int i = 0; i < 3; i++) {
    set("queue-limit", limits[i]);
    struct outcome o = search("beam", "none");
    if (o.verdict == PV_CONDITIONAL && bfs.verdict == PV_TRUE)
      expect(o.why == PV_PROVISO_QUEUE, "why", &o, &bfs);
    if (o.verdict == PV_TRUE) expect(o.stats.states == bfs.stats.states, "beam", &o, &bfs);
    if (o.verdict == PV_TRUE || o.verdict == PV_FALSE)
      expect(o.verdict == bfs.verdict, "beam", &o, &bfs);
    n_whole += o.verdict == PV_TRUE;
    n_cut += o.verdict == PV_CONDITIONAL;
  }
}

static bool saw_whole_and_cut(void) {
  return n_whole && n_cut;
}

static void beams_say_what_they_cut(void **state) {
  (void)state;
  n_whole = n_cut = 0;
  each_program(200, 220, "unreach-call,no-deadlock", cut_the_queue, saw_whole_and_cut);
}

static unsigned n_found;

static void walk(void) {
  struct outcome first = {0};
  for (int i = 0; i < 2; i++) {
    set("seed", "5");
    struct outcome o = search("walk", "both");
    if (o.verdict == PV_CONDITIONAL && bfs.verdict == PV_TRUE)
      expect(o.why == PV_PROVISO_SAMPLING, "why", &o, &bfs);
    if (o.verdict == PV_TRUE || o.verdict == PV_FALSE)
      expect(o.verdict == bfs.verdict, "walk", &o, &bfs);
    if (o.verdict == PV_TRUE) expect(o.stats.states == bfs.stats.states, "walk", &o, &bfs);
    if (i) expect(o.stats.transitions == first.stats.transitions, "again", &o, &first);
    first = o;
  }
  n_found += first.verdict == PV_FALSE;
}

static bool saw_found(void) {
  return n_true && n_found;
}

static void walks_prove_only_what_they_saw(void **state) {
  (void)state;
  n_found = 0;
  each_program(300, 320, "unreach-call,no-deadlock", walk, saw_found);
}

/* A state may be come to late and lie within the limit all the same. */
static void limit_depth(void) {
  static const char *const orders[] = {"best", "astar", "beam", "greedy"};
  options.limits.depth = 3 + seed % 8;
  bfs = search("bfs", "none");
  for (size_t i = 0; i < 4; i++) {
    set("heuristic", heuristics[(seed + i) % HEURISTICS]);
    struct outcome o = search(orders[i], "none");
    expect(o.verdict == bfs.verdict, orders[i], &o, &bfs);
    if (o.verdict != PV_FALSE) expect(o.stats.states == bfs.stats.states, orders[i], &o, &bfs);
  }
}

static void depth_limits_cut_the_same(void **state) {
  (void)state;
  each_program(400, 420, "unreach-call,no-deadlock", limit_depth, saw_both);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(orders_agree_with_breadth_first),
                                     cmocka_unit_test(astar_finds_shortest_paths),
                                     cmocka_unit_test(beams_say_what_they_cut),
                                     cmocka_unit_test(walks_prove_only_what_they_saw),
                                     cmocka_unit_test(depth_limits_cut_the_same)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
