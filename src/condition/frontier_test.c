#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/random.h"
#include "condition/frontier.h"
#include "condition/split.h"

static uint64_t lot;

static uint32_t below(uint32_t n) {
  return (uint32_t)(pv_random(&lot) % n);
}

enum { THREADS = 2, ALTERNATIVES = 2, LENGTH = 4 };

/* ---- membership ------------------------------------------------------------------------------ */
static bool sleeps(const struct pv_choice *set, uint32_t n, struct pv_choice c) {
  for (uint32_t i = 0; i < n; i++)
    if (set[i].thread == c.thread &&
        (set[i].alternative == c.alternative || set[i].alternative == PV_EVERY_ALTERNATIVE))
      return true;
  return false;
}

/* How many open prefixes does the execution continue, without beginning there with a transition of
 * the sleep set? All transitions are taken for dependent. */
static uint32_t times_open(const struct pv_open_part *f, const struct pv_choice *run, uint32_t n) {
  uint32_t times = 0, fits = 0,
           sleeping = 0; /* fits: so many choices of the path are those of the run */
  for (uint32_t i = 0; i < f->prefixes.n; i++) {
    const struct pv_prefix *x = &f->prefixes.at[i];
    const struct pv_choice *set = f->sleeping.at + sleeping;
    sleeping += x->sleeping;
    if (x->depth && x->depth - 1 < fits) fits = x->depth - 1;
    if (x->depth && x->depth == fits + 1 && fits < n &&
        !memcmp(&x->choice, &run[fits], sizeof *run))
      fits++;
    if (!x->is_open || fits != x->depth) continue;
    times += fits == n || !sleeps(set, x->sleeping, run[fits]);
  }
  return times;
}

/* Calls `see` with every execution. */
typedef void (*see)(const struct pv_choice *run, uint32_t n, void *user);
static void for_executions(struct pv_choice *run, uint32_t n, see f, void *user) {
  f(run, n, user);
  for (uint32_t c = 0; n < LENGTH && c < THREADS * ALTERNATIVES; c++) {
    run[n] = (struct pv_choice){c / ALTERNATIVES, c % ALTERNATIVES};
    for_executions(run, n + 1, f, user);
  }
}

/* ---- random frontiers ------------------------------------------------------------------------ */
static struct pv_choice random_choice(void) {
  return (struct pv_choice){below(THREADS), below(ALTERNATIVES)};
}

static struct pv_open_part random_frontier(void) {
  struct pv_open_part f = {.kind = PV_OPEN_FRONTIER};
  uint32_t depth = 0;
  for (uint32_t i = 0, n = below(12); i < n; i++) {
    struct pv_prefix x = {.depth = i ? 1 + below(depth + 1) : 0, .is_open = below(2)};
    if (x.depth >= LENGTH) x.depth = LENGTH - 1;
    depth = x.depth;
    if (i) x.choice = random_choice();
    x.sleeping = x.is_open ? below(3) : 0;
    for (uint32_t k = 0; k < x.sleeping; k++) {
      struct pv_choice c = random_choice();
      if (below(2)) c.alternative = PV_EVERY_ALTERNATIVE;
      pv_vec_push(&f.sleeping, c);
    }
    pv_vec_push(&f.prefixes, x);
  }
  return f;
}

/* A tree whose nodes have one path each, as searches make them. */
static struct pv_open_part random_tree(void) {
  struct pv_open_part f = random_frontier(), tree = {.kind = PV_OPEN_FRONTIER};
  pv_frontier_unite(&tree, &f);
  pv_open_part_clear(&f);
  return tree;
}

struct compared {
  const struct pv_open_part *whole, *parts;
  uint32_t n;
  bool exactly; /* each execution is in as many parts as often as in the whole */
};

static void compare(const struct pv_choice *run, uint32_t n, void *user) {
  const struct compared *c = user;
  uint32_t whole = times_open(c->whole, run, n), parts = 0;
  for (uint32_t p = 0; p < c->n; p++) parts += times_open(&c->parts[p], run, n);
  if (c->exactly)
    assert_int_equal(whole, parts);
  else
    assert_int_equal(whole != 0, parts != 0);
}

static void parts_are_disjoint_and_make_up_the_whole(void **state) {
  (void)state;
  for (uint32_t round = 1; round < 1500; round++) {
    lot = round;
    struct pv_open_part whole = random_tree(), parts[5] = {0}, again = {0};
    struct pv_choice run[LENGTH];
    uint32_t n = 1 + below(5), size = 0;
    pv_frontier_cut(&whole, n, parts);
    struct compared c = {&whole, parts, n, true};
    for_executions(run, 0, compare, &c);
    for (uint32_t p = 0; p < n; p++) {
      if (n <= pv_frontier_size(&whole)) assert_true(pv_frontier_size(&parts[p]) > 0);
      size += pv_frontier_size(&parts[p]);
      pv_frontier_unite(&again, &parts[p]);
    }
    assert_int_equal(size, pv_frontier_size(&whole));
    assert_int_equal(again.prefixes.n, whole.prefixes.n);
    struct compared d = {&whole, &again, 1, true};
    for_executions(run, 0, compare, &d);
    for (uint32_t p = 0; p < n; p++) pv_open_part_clear(&parts[p]);
    pv_open_part_clear(&again);
    pv_open_part_clear(&whole);
  }
}

static void what_is_kept_and_what_is_not_make_up_the_whole(void **state) {
  (void)state;
  for (uint32_t round = 1; round < 1500; round++) {
    lot = round;
    struct pv_open_part whole = random_tree(), parts[2] = {0};
    struct pv_choice run[LENGTH];
    uint8_t keep[64] = {0};
    for (uint32_t side = 0; side < 2; side++) {
      for (uint32_t i = 0; i < whole.prefixes.n; i++) keep[i] = side ? !keep[i] : (uint8_t)below(2);
      pv_frontier_keep(&whole, keep, &parts[side]);
    }
    struct compared c = {&whole, parts, 2, true};
    for_executions(run, 0, compare, &c);
    for (uint32_t p = 0; p < 2; p++) pv_open_part_clear(&parts[p]);
    pv_open_part_clear(&whole);
  }
}

static void a_union_has_what_one_of_both_has(void **state) {
  (void)state;
  for (uint32_t round = 1; round < 1500; round++) {
    lot = round;
    struct pv_open_part both[2] = {random_frontier(), random_frontier()}, all = {0};
    struct pv_choice run[LENGTH];
    for (uint32_t p = 0; p < 2; p++) pv_frontier_unite(&all, &both[p]);
    struct compared c = {&all, both, 2, false};
    for_executions(run, 0, compare, &c);
    for (uint32_t p = 0; p < 2; p++) pv_open_part_clear(&both[p]);
    pv_open_part_clear(&all);
  }
}

static void parts_are_of_like_size(void **state) {
  (void)state;
  /* A path of which every prefix is open: half, a quarter, ... of the whole. */
  struct pv_open_part path = {.kind = PV_OPEN_FRONTIER}, parts[2] = {0};
  for (uint32_t i = 0; i < 10; i++)
    pv_vec_push(&path.prefixes, ((struct pv_prefix){.depth = i, .is_open = 1}));
  pv_frontier_cut(&path, 2, parts);
  assert_int_equal(pv_frontier_size(&parts[0]), 1);
  assert_int_equal(pv_frontier_size(&parts[1]), 9);
  for (int p = 0; p < 2; p++) pv_open_part_clear(&parts[p]);
  /* States that wait in a queue. */
  for (uint32_t i = 0; i < 10; i++) {
    path.prefixes.at[i].depth = i != 0;
    path.prefixes.at[i].is_open = i != 0;
  }
  memset(parts, 0, sizeof parts);
  pv_frontier_cut(&path, 2, parts);
  assert_int_equal(pv_frontier_size(&parts[0]), 5);
  assert_int_equal(pv_frontier_size(&parts[1]), 4);
  for (int p = 0; p < 2; p++) pv_open_part_clear(&parts[p]);
  pv_open_part_clear(&path);
}

/* ---- conditions ------------------------------------------------------------------------------ */
static struct pv_condition_file file_with(struct pv_open_part frontier) {
  struct pv_condition_file f = {.program = 7, .engine = pv_strdup("explicit")};
  pv_options_init(&f.options);
  f.checked = PV_PROP_BIT(PV_PROP_UNREACH_CALL);
  pv_condition_add(&f.condition, PV_PROVISO_UNMODELLED, NULL, 0, "`f` is never called");
  pv_condition_add(&f.condition, PV_PROVISO_TIME, NULL, 0, "no error lies beyond");
  pv_condition_open(&f.condition, frontier);
  return f;
}

static struct pv_open_part bush(uint32_t n) {
  struct pv_open_part f = {.kind = PV_OPEN_FRONTIER};
  pv_vec_push(&f.prefixes, ((struct pv_prefix){0}));
  for (uint32_t i = 0; i < n; i++)
    pv_vec_push(&f.prefixes, ((struct pv_prefix){.depth = 1, .choice = {i, 0}, .is_open = 1}));
  return f;
}

enum { PARTS = 3, INNER = 2 };
/* The files of a split into three whose second part is split into two. */
/* Five prefixes beside each other. Three transitions sleep at all but the first one: a quarter
 * each. */
static void sleepers_are_small(void **state) {
  (void)state;
  struct pv_open_part parts[2] = {0}, f = {.kind = PV_OPEN_FRONTIER};
  pv_vec_push(&f.prefixes, ((struct pv_prefix){0}));
  for (uint32_t i = 0; i < 5; i++) {
    struct pv_prefix x = {.depth = 1, .choice = {i, 0}, .is_open = 1, .sleeping = i ? 3 : 0};
    for (uint32_t k = 0; k < x.sleeping; k++) pv_vec_push(&f.sleeping, ((struct pv_choice){k, 0}));
    pv_vec_push(&f.prefixes, x);
  }
  pv_frontier_cut(&f, 2, parts);
  assert_int_equal(pv_frontier_size(&parts[0]), 1);
  assert_int_equal(pv_frontier_size(&parts[1]), 4);
  assert_int_equal(parts[1].sleeping.n, 12);
  pv_open_part_clear(&f);
  pv_open_part_clear(&parts[0]);
  pv_open_part_clear(&parts[1]);
}

static void split_twice(const struct pv_condition_file *whole, struct pv_condition_file *out) {
  struct pv_condition parts[PARTS] = {0}, inner[INNER] = {0};
  struct pv_str err = {0};
  assert_int_equal(pv_condition_split(whole, PARTS, parts, &err), PV_OK);
  for (int i = 0; i < PARTS + INNER; i++) {
    out[i] = *whole; /* borrows all but the condition */
    if (i < PARTS) out[i].condition = parts[i];
  }
  assert_int_equal(pv_condition_split(&out[1], INNER, inner, &err), PV_OK);
  for (int i = 0; i < INNER; i++) out[PARTS + i].condition = inner[i];
}

static bool is_open(const struct pv_proviso *p, void *user) {
  (void)user;
  return p->part != 0;
}

/* Joins some of the files. The open prefixes that are left, or -1. */
static int join(const struct pv_condition_file *files, const int *which, uint32_t n,
                uint32_t *provisos) {
  struct pv_condition_file some[8], all = {0};
  static const char *const names[8] = {"a", "b", "c", "d", "e", "f", "g", "h"};
  struct pv_str err = {0};
  int open = -1;
  for (uint32_t i = 0; i < n; i++) some[i] = files[which[i]];
  if (pv_condition_join(some, names, n, &all, &err) == PV_OK) {
    const struct pv_open_part *f = pv_condition_only(&all.condition, PV_OPEN_FRONTIER);
    open = f ? (int)pv_frontier_size(f) : 0;
    *provisos = all.condition.provisos.n;
  }
  assert_int_equal(open < 0, err.n != 0);
  all.options = (struct pv_options){0};
  pv_condition_file_clear(&all);
  pv_str_free(&err);
  return open;
}

static void joining(void **state) {
  (void)state;
  struct pv_condition_file whole = file_with(bush(9)), files[PARTS + INNER];
  uint32_t provisos;
  split_twice(&whole, files);
  assert_int_equal(join(files, (int[]){0, 1, 2}, 3, &provisos), 9);
  assert_int_equal(provisos, 2); /* `f`, and what is open */
  assert_int_equal(join(files, (int[]){2, 4, 0, 3}, 4, &provisos), 9);
  assert_int_equal(provisos, 2);
  assert_int_equal(join(files, (int[]){3, 4}, 2, &provisos), 3); /* the second part again */
  assert_int_equal(provisos, 3);                                 /* and its share */
  assert_int_equal(join(files, (int[]){0, 2}, 2, &provisos), -1);
  assert_int_equal(join(files, (int[]){0, 2, 3}, 3, &provisos), -1);
  assert_int_equal(join(files, (int[]){0, 0, 2}, 3, &provisos), -1);
  for (int i = 0; i < PARTS + INNER; i++)
    if (i != 1) pv_condition_filter(&files[i].condition, is_open, NULL); /* explored */
  assert_int_equal(join(files, (int[]){0, 1, 2}, 3, &provisos), 3);
  assert_int_equal(join(files, (int[]){0, 3, 4, 2}, 4, &provisos), 0);
  assert_int_equal(provisos, 1);
  files[2].program++;
  assert_int_equal(join(files, (int[]){0, 1, 2}, 3, &provisos), -1);
  files[2].program--;
  files[2].checked |= PV_PROP_BIT(PV_PROP_NO_DATA_RACE);
  assert_int_equal(join(files, (int[]){0, 1, 2}, 3, &provisos), -1);
  for (int i = 0; i < PARTS + INNER; i++) pv_condition_clear(&files[i].condition);
  pv_condition_file_clear(&whole);
}

static void what_cannot_be_split(void **state) {
  (void)state;
  struct pv_condition_file few = file_with(bush(2)),
                           bound = file_with((struct pv_open_part){.kind = PV_OPEN_BOUND});
  struct pv_condition parts[PARTS] = {0};
  struct pv_str err = {0};
  assert_int_equal(pv_condition_split(&few, PARTS, parts, &err), PV_E_INPUT);
  assert_non_null(strstr(pv_str_cstr(&err), "only 2 prefixes"));
  pv_str_clear(&err);
  assert_int_equal(pv_condition_split(&bound, PARTS, parts, &err), PV_E_INPUT);
  assert_non_null(strstr(pv_str_cstr(&err), "no frontier"));
  pv_str_clear(&err);
  pv_condition_filter(&few.condition, is_open, NULL);
  assert_int_equal(pv_condition_split(&few, PARTS, parts, &err), PV_E_INPUT);
  assert_non_null(strstr(pv_str_cstr(&err), "nothing is open"));
  pv_str_free(&err);
  pv_condition_file_clear(&few);
  pv_condition_file_clear(&bound);
}

/* A chain of prefixes: of each how it is written. '-': closed, 'o': open, 'd': deferred. All that
 * are open have thread 7 asleep, and the first one thread 8. */
static struct pv_open_part chain(const char *text) {
  struct pv_open_part f = {.kind = PV_OPEN_FRONTIER};
  for (uint32_t i = 0; text[i]; i++) {
    struct pv_prefix x = {.depth = i, .is_open = text[i] != '-', .is_deferred = text[i] == 'd'};
    x.sleeping = x.is_open + (x.is_open && !f.sleeping.n);
    for (uint32_t k = 0; k < x.sleeping; k++)
      pv_vec_push(&f.sleeping, ((struct pv_choice){7 + k, PV_EVERY_ALTERNATIVE}));
    pv_vec_push(&f.prefixes, x);
  }
  return f;
}

static void check_chain(struct pv_open_part *f, const char *expected) {
  uint32_t sleeping = 0;
  assert_int_equal(f->prefixes.n, strlen(expected));
  for (uint32_t i = 0; i < f->prefixes.n; i++) {
    const struct pv_prefix *x = &f->prefixes.at[i];
    assert_int_equal(x->is_open, expected[i] != '-');
    assert_int_equal(x->is_deferred, expected[i] == 'd');
    sleeping += x->sleeping;
  }
  assert_int_equal(f->sleeping.n, sleeping);
  pv_open_part_clear(f);
}

static void a_prefix_is_deferred_as_long_as_there_is_work_below_it(void **state) {
  (void)state;
  static const char *const unions[][3] = {
      {"do", "-d", "do"},                         /* the second has no work */
      {"do", "dd", "do"},    {"d-o", "o", "o-o"}, /* it is needed */
      {"ddo", "dod", "doo"}, {"dd", "ddd", ""},   {"do", "", "do"},
  };
  for (size_t i = 0; i < sizeof unions / sizeof *unions; i++) {
    struct pv_open_part a = chain(unions[i][0]), b = chain(unions[i][1]), both[2] = {0};
    pv_frontier_unite(&both[0], &a);
    pv_frontier_unite(&both[0], &b);
    pv_frontier_unite(&both[1], &b);
    pv_frontier_unite(&both[1], &a);
    for (unsigned k = 0; k < 2; k++) check_chain(&both[k], unions[i][2]);
    pv_open_part_clear(&a);
    pv_open_part_clear(&b);
  }
}

static void parts_have_the_deferred_prefixes_above_their_work(void **state) {
  (void)state;
  struct pv_open_part f = chain("dodo"), parts[3] = {0}, kept = {0};
  const uint8_t keep[] = {0, 0, 1, 1};
  assert_int_equal(pv_frontier_size(&f), 2);
  pv_frontier_cut(&f, 3, parts);
  check_chain(&parts[0], "do");
  check_chain(&parts[1], "d-do");
  check_chain(&parts[2], "");
  pv_frontier_keep(&f, keep, &kept);
  check_chain(&kept, "--oo"); /* who was not asked to watch has not */
  pv_open_part_clear(&f);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(parts_are_disjoint_and_make_up_the_whole),
      cmocka_unit_test(what_is_kept_and_what_is_not_make_up_the_whole),
      cmocka_unit_test(a_union_has_what_one_of_both_has),
      cmocka_unit_test(parts_are_of_like_size),
      cmocka_unit_test(a_prefix_is_deferred_as_long_as_there_is_work_below_it),
      cmocka_unit_test(parts_have_the_deferred_prefixes_above_their_work),
      cmocka_unit_test(sleepers_are_small),
      cmocka_unit_test(joining),
      cmocka_unit_test(what_cannot_be_split),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
