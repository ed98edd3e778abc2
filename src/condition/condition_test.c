#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/random.h"
#include "condition/file.h"

static uint64_t lot;

static uint32_t below(uint32_t n) {
  return (uint32_t)(pv_random(&lot) % n);
}

static char *text(void) {
  static const char *const texts[] = {"", "x < 3", "say \"no\" \\ never", "tab\tand\nline",
                                      "\xc3\xa9"};
  return pv_strdup(texts[below(5)]);
}

/* The properties that random conditions are about. */
enum {
  REACH = PV_PROP_BIT(PV_PROP_UNREACH_CALL),
  LOCKS = PV_PROP_BIT(PV_PROP_NO_DEADLOCK),
  OTHER = PV_PROP_BIT(PV_PROP_NO_OVERFLOW),
  ALL = REACH | LOCKS | OTHER
};

/* ---- random conditions ----------------------------------------------------------------------- */
static void fill_frontier(struct pv_open_part *p) {
  p->circular = below(2);
  uint32_t depth = 0;
  for (uint32_t i = 0, n = 1 + below(20); i < n; i++) {
    struct pv_prefix x = {.depth = i ? 1 + below(depth + 1) : 0, .is_open = below(2)};
    depth = x.depth;
    if (i) x.choice = (struct pv_choice){below(4), below(300)};
    x.sleeping = x.is_open ? below(3) : 0;
    x.is_deferred = x.is_open && !below(4);
    for (uint32_t k = 0; k < x.sleeping; k++) {
      struct pv_choice c = {below(4), below(2) ? below(3) : PV_EVERY_ALTERNATIVE};
      pv_vec_push(&p->sleeping, c);
    }
    pv_vec_push(&p->prefixes, x);
  }
}

static void fill_automaton(struct pv_open_part *p) {
  p->states = PV_AUTOMATON_FIRST + 1 + below(5);
  p->otherwise = below(2);
  for (uint32_t from = PV_AUTOMATON_FIRST; from < p->states; from++)
    for (uint32_t k = below(3); k--;) {
      struct pv_automaton_move m = {from, below(p->states), below(3), below(9), below(99)};
      pv_vec_push(&p->moves, m);
    }
}

static struct pv_open_part random_part(void) {
  struct pv_open_part p = {.kind = (enum pv_open_kind)below(PV_OPEN_COUNT)};
  switch (p.kind) {
  case PV_OPEN_BOUND:
    p.bound = (enum pv_bound_kind)below(PV_BOUND_COUNT);
    p.number = pv_random(&lot);
    p.function = below(3);
    p.place = below(9);
    break;
  case PV_OPEN_INPUTS:
    p.function = 1 + below(3);
    for (uint64_t i = 0, low = 0; i < below(4); i++) {
      struct pv_value_range r = {low + below(9), low + 10};
      pv_vec_push(&p.tried, r);
      low += 20;
    }
    break;
  case PV_OPEN_FRONTIER: fill_frontier(&p); break;
  case PV_OPEN_AUTOMATON: fill_automaton(&p); break;
  case PV_OPEN_COUNT: break;
  }
  return p;
}

static struct pv_condition random_condition(void) {
  struct pv_condition c = {0};
  for (uint32_t n = below(4); n--;) {
    char *sentence = text();
    pv_condition_add(&c, (enum pv_proviso_kind)below(PV_PROVISO_COUNT), below(2) ? "x y.c" : NULL,
                     below(99), "%u %s", n, sentence);
    free(sentence);
    pv_vec_last(&c.provisos).about = below(2) ? below(ALL) & ALL : 0;
    if (below(2)) pv_condition_open(&c, random_part());
  }
  for (uint32_t k = below(3); k--;) {
    struct pv_str bytes = {0};
    for (uint32_t n = below(50); n--;) pv_str_addc(&bytes, (char)below(256));
    pv_condition_add_state(&c, k ? "explicit" : "dpor", &bytes);
  }
  return c;
}

static struct pv_condition_file random_file(void) {
  struct pv_condition_file f = {.program = pv_random(&lot), .engine = pv_strdup("dpor")};
  pv_options_init(&f.options);
  f.checked = f.options.properties = ALL;
  pv_vec_push(&f.options.files, pv_strdup("a \"b\".c"));
  pv_vec_push(&f.options.file_flags, text());
  pv_vec_push(&f.options.clang_args, pv_strdup("-DX=\"1 2\""));
  f.options.malloc_may_fail = below(2);
  f.options.max_threads = 1 + (long)below(9);
  f.options.search = PV_SEARCH_BFS;
  f.condition = random_condition();
  return f;
}

/* ---- files ----------------------------------------------------------------------------------- */
static void what_is_read_is_what_was_written(void **state) {
  (void)state;
  for (lot = 1; lot < 2000; lot++) {
    uint64_t seed = lot;
    struct pv_condition_file f = random_file(), g = {0};
    struct pv_str bytes = {0}, again = {0}, err = {0};
    pv_condition_print(&f, &bytes);
    enum pv_status status = pv_condition_parse(bytes.at, bytes.n, &g, &err);
    assert_string_equal(pv_str_cstr(&err), "");
    assert_int_equal(status, PV_OK);
    pv_condition_print(&g, &again);
    assert_int_equal(bytes.n, again.n);
    assert_memory_equal(bytes.at, again.at, bytes.n);
    assert_int_equal(pv_condition_openness(&f.condition), pv_condition_openness(&g.condition));
    pv_condition_file_clear(&f);
    pv_condition_file_clear(&g);
    pv_str_free(&bytes);
    pv_str_free(&again);
    lot = seed;
  }
}

static bool is_read(const struct pv_str *bytes) {
  struct pv_condition_file g = {0};
  struct pv_str err = {0};
  bool right = pv_condition_parse(bytes->at, bytes->n, &g, &err) == PV_OK;
  assert_int_equal(right, !err.n);
  pv_condition_file_clear(&g);
  pv_str_free(&err);
  return right;
}

static void what_was_changed_is_refused(void **state) {
  (void)state;
  for (lot = 1; lot < 300; lot++) {
    uint64_t seed = lot;
    struct pv_condition_file f = random_file();
    struct pv_str bytes = {0};
    pv_condition_print(&f, &bytes);
    size_t at = below((uint32_t)bytes.n);
    bytes.at[at] ^= (char)(1 << below(8));
    assert_false(is_read(&bytes));
    bytes.n = at;
    assert_false(is_read(&bytes));
    pv_condition_file_clear(&f);
    pv_str_free(&bytes);
    lot = seed;
  }
}

/* The same with a hash that fits: nothing is damaged beyond what was read. */
static void any_bytes_are_read_or_refused(void **state) {
  (void)state;
  enum { LAST = sizeof "end 0123456789abcdef\n" - 1 };
  uint32_t read = 0;
  for (lot = 1; lot < 3000; lot++) {
    uint64_t seed = lot;
    struct pv_condition_file f = random_file();
    struct pv_str bytes = {0};
    pv_condition_print(&f, &bytes);
    bytes.n -= LAST;
    for (uint32_t n = 1 + below(3); n--;) bytes.at[below((uint32_t)bytes.n)] = (char)below(128);
    pv_str_addf(&bytes, "end %016llx\n", (unsigned long long)pv_hash(bytes.at, bytes.n));
    read += is_read(&bytes);
    pv_condition_file_clear(&f);
    pv_str_free(&bytes);
    lot = seed;
  }
  assert_true(read > 100);
}

/* ---- what is open ---------------------------------------------------------------------------- */
static struct pv_condition with(enum pv_proviso_kind kind, bool described) {
  struct pv_condition c = {0};
  pv_condition_add(&c, kind, NULL, 0, "%s", pv_proviso_kind_reasons[kind]);
  struct pv_open_part p = {.kind = PV_OPEN_BOUND, .number = 3};
  if (described) pv_condition_open(&c, p);
  return c;
}

static void openness(void **state) {
  (void)state;
  struct pv_condition none = {0}, assumed = with(PV_PROVISO_UNMODELLED, false),
                      part = with(PV_PROVISO_UNWINDING, true), all = with(PV_PROVISO_TIME, false);
  assert_int_equal(pv_condition_openness(&none), PV_OPEN_NOTHING);
  assert_int_equal(pv_condition_openness(&assumed), PV_OPEN_NOTHING);
  assert_int_equal(pv_condition_openness(&part), PV_OPEN_PARTS);
  assert_int_equal(pv_condition_openness(&all), PV_OPEN_EVERYTHING);
  assert_non_null(pv_condition_only(&part, PV_OPEN_BOUND));
  assert_null(pv_condition_only(&part, PV_OPEN_FRONTIER));
  pv_condition_append(&part, &all);
  assert_int_equal(pv_condition_openness(&part), PV_OPEN_EVERYTHING);
  assert_null(pv_condition_only(&part, PV_OPEN_BOUND));
  pv_condition_clear(&assumed);
  pv_condition_clear(&part);
  pv_condition_clear(&all);
}

/* given, next: what is left of both, as the kinds of its provisos. */
static void sequences(void **state) {
  (void)state;
  static const struct {
    enum pv_proviso_kind given, next;
    bool given_described, next_described;
    enum pv_openness open;
    uint32_t n;
  } cases[] = {
      /* What the given condition leaves open was examined; its assumptions stay. */
      {PV_PROVISO_TIME, PV_PROVISO_UNMODELLED, true, false, PV_OPEN_NOTHING, 1},
      {PV_PROVISO_UNMODELLED, PV_PROVISO_ORDERING, false, false, PV_OPEN_NOTHING, 2},
      {PV_PROVISO_UNMODELLED, PV_PROVISO_TIME, false, false, PV_OPEN_NOTHING, 1},
      /* Nobody knows which part `next` has examined. */
      {PV_PROVISO_UNWINDING, PV_PROVISO_TIME, true, false, PV_OPEN_PARTS, 1},
      {PV_PROVISO_UNWINDING, PV_PROVISO_INPUT, true, true, PV_OPEN_PARTS, 1},
      /* The given condition says nothing. */
      {PV_PROVISO_TIME, PV_PROVISO_INPUT, false, true, PV_OPEN_PARTS, 1},
      {PV_PROVISO_TIME, PV_PROVISO_MEMORY, false, false, PV_OPEN_EVERYTHING, 1},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct pv_condition given = with(cases[i].given, cases[i].given_described),
                        next = with(cases[i].next, cases[i].next_described);
    pv_condition_sequence(&given, &next, REACH, REACH);
    assert_int_equal(pv_condition_openness(&next), cases[i].open);
    assert_int_equal(next.provisos.n, cases[i].n);
    pv_condition_clear(&given);
    pv_condition_clear(&next);
  }
}

static bool is_time(const struct pv_proviso *p, void *user) {
  (void)user;
  return p->kind == PV_PROVISO_TIME;
}

static void filters(void **state) {
  (void)state;
  struct pv_condition c = with(PV_PROVISO_TIME, true), d = with(PV_PROVISO_UNWINDING, true);
  d.parts.at[0].number++;
  pv_condition_append(&c, &d);
  assert_int_equal(c.parts.n, 2);
  pv_condition_filter(&c, is_time, NULL);
  assert_int_equal(c.provisos.n, 1);
  assert_int_equal(c.parts.n, 1);
  assert_int_equal(c.provisos.at[0].part, 1);
  assert_true(pv_condition_is_valid(&c));
  pv_condition_clear(&c);
  pv_condition_clear(&d);
}

/* Provisos that describe equal parts describe one. */
static void shares(void **state) {
  (void)state;
  struct pv_condition c = with(PV_PROVISO_TIME, true), d = with(PV_PROVISO_UNWINDING, true);
  pv_condition_append(&c, &d);
  assert_int_equal(c.provisos.n, 2);
  assert_int_equal(c.parts.n, 1);
  assert_non_null(pv_condition_only(&c, c.parts.at[0].kind));
  pv_condition_filter(&c, is_time, NULL);
  assert_int_equal(c.provisos.n, 1);
  assert_int_equal(c.provisos.at[0].part, 1);
  pv_condition_clear(&c);
  pv_condition_clear(&d);
}

/* ---- properties ------------------------------------------------------------------------------ */
/* What a condition says about one property, in any order, as text; the caller frees it. */
static char *told_of(const struct pv_condition *c, pv_properties property) {
  struct pv_condition_file f = {.checked = property, .engine = (char *)"x"};
  struct pv_str text = {0};
  pv_condition_append(&f.condition, c);
  pv_condition_restrict(&f.condition, property);
  for (uint32_t i = 0; i < f.condition.provisos.n; i++) {
    f.condition.provisos.at[i].about = 0;
    f.condition.provisos.at[i].times = 0;
    free(f.condition.provisos.at[i].file); /* of the first that said so */
    f.condition.provisos.at[i].file = NULL;
  }
  for (uint32_t i = 1; i < f.condition.provisos.n; i++) /* by sentence: they differ */
    for (uint32_t k = i; k; k--) {
      struct pv_proviso *a = &f.condition.provisos.at[k - 1], *b = a + 1, swap = *a;
      if (strcmp(a->sentence, b->sentence) <= 0) break;
      *a = *b;
      *b = swap;
    }
  struct pv_condition sorted = {0};
  pv_condition_append(&sorted, &f.condition); /* numbers the parts anew */
  pv_condition_clear(&f.condition);
  f.condition = sorted;
  pv_options_init(&f.options);
  pv_condition_print(&f, &text);
  f.engine = NULL;
  pv_condition_file_clear(&f);
  return text.at;
}

static void assert_told(const struct pv_condition *a, const struct pv_condition *b,
                        pv_properties property) {
  char *x = told_of(a, property), *y = told_of(b, property);
  assert_string_equal(x, y);
  free(x);
  free(y);
}

static const pv_properties each[] = {REACH, LOCKS, OTHER};

/* Each property by itself: a sequence says of it what the sequence of what both say of it says. */
static void properties_do_not_mix_in_a_sequence(void **state) {
  (void)state;
  for (lot = 1; lot < 4000; lot++) {
    uint64_t seed = lot;
    struct pv_condition given = random_condition(), next = random_condition(), both = {0};
    pv_properties checked = below(ALL + 1) & ALL;
    pv_condition_append(&both, &next);
    pv_condition_sequence(&given, &both, ALL, checked);
    assert_true(pv_condition_is_valid(&both));
    for (size_t i = 0; i < sizeof each / sizeof *each; i++) {
      struct pv_condition x = {0}, y = {0};
      pv_condition_append(&x, &given);
      pv_condition_append(&y, &next);
      pv_condition_restrict(&x, each[i]);
      pv_condition_restrict(&y, each[i]);
      if (checked & each[i])
        pv_condition_sequence(&x, &y, each[i], each[i]);
      else
        pv_condition_clear(&y), y = (struct pv_condition){0}, pv_condition_append(&y, &x);
      assert_told(&both, &y, each[i]);
      pv_condition_clear(&x);
      pv_condition_clear(&y);
    }
    pv_condition_clear(&given);
    pv_condition_clear(&next);
    pv_condition_clear(&both);
    lot = seed;
  }
}

static void a_restricted_condition_says_the_same(void **state) {
  (void)state;
  for (lot = 1; lot < 2000; lot++) {
    uint64_t seed = lot;
    struct pv_condition c = random_condition(), some = {0};
    pv_condition_append(&some, &c);
    pv_condition_restrict(&some, REACH | LOCKS);
    assert_true(pv_condition_is_valid(&some));
    for (size_t i = 0; i < 2; i++) {
      assert_told(&c, &some, each[i]);
      assert_int_equal(pv_condition_openness_of(&c, each[i]),
                       pv_condition_openness_of(&some, each[i]));
    }
    assert_int_equal(pv_condition_unconditional(&c, REACH | LOCKS),
                     pv_condition_unconditional(&some, REACH | LOCKS));
    assert_int_equal(pv_condition_open_properties(&c, REACH | LOCKS),
                     pv_condition_open_properties(&some, REACH | LOCKS));
    /* What is said about one property by itself stands together with what is said of others. */
    struct pv_condition together = {0};
    for (size_t k = 0; k < sizeof each / sizeof *each; k++)
      for (uint32_t i = 0; i < c.provisos.n; i++)
        pv_condition_append_for(&together, &c, i, each[k], ALL);
    for (size_t i = 0; i < sizeof each / sizeof *each; i++) assert_told(&c, &together, each[i]);
    pv_condition_clear(&together);
    pv_condition_clear(&c);
    pv_condition_clear(&some);
    lot = seed;
  }
}

static void properties_that_nobody_checked_are_open(void **state) {
  (void)state;
  struct pv_condition c = {0};
  pv_condition_leave_unchecked(&c, LOCKS | OTHER);
  pv_condition_leave_unchecked(&c, LOCKS);
  assert_int_equal(c.provisos.n, 2);
  assert_int_equal(c.provisos.at[0].times, 1);
  assert_int_equal(pv_condition_open_properties(&c, ALL), LOCKS | OTHER);
  assert_int_equal(pv_condition_unconditional(&c, ALL), REACH);
  assert_int_equal(pv_condition_openness_of(&c, REACH), PV_OPEN_NOTHING);
  assert_int_equal(pv_condition_openness_of(&c, LOCKS), PV_OPEN_EVERYTHING);
  /* A sentence that is said of all properties is about all, whatever was said before. */
  pv_condition_add(&c, PV_PROVISO_ENGINE, NULL, 0, "%s", c.provisos.at[0].sentence);
  assert_int_equal(pv_condition_unconditional(&c, ALL), 0);
  pv_condition_clear(&c);
}

/* Files of version 1 have no lines about properties. */
static void older_files_are_read(void **state) {
  (void)state;
  static const char *const lines[] = {"", "about \"unreach-call\"\n"};
  for (unsigned version = 1; version <= 2; version++)
    for (unsigned about = 0; about < 2; about++) {
      struct pv_condition_file g = {0};
      struct pv_str bytes = {0}, err = {0};
      pv_str_addf(&bytes,
                  "proviso condition %u\nprogram 0123456789abcdef\nfile \"a.c\" \"\"\n"
                  "properties \"unreach-call,no-deadlock\"\nengine \"bmc\"\n"
                  "proviso TIME 0 1 \"x\"\n%s",
                  version, lines[about]);
      pv_str_addf(&bytes, "end %016llx\n", (unsigned long long)pv_hash(bytes.at, bytes.n));
      bool right = pv_condition_parse(bytes.at, bytes.n, &g, &err) == PV_OK;
      assert_int_equal(right, version == 2 || !about);
      if (right)
        assert_int_equal(pv_condition_open_properties(&g.condition, ALL), about ? REACH : ALL);
      pv_condition_file_clear(&g);
      pv_str_free(&bytes);
      pv_str_free(&err);
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_is_read_is_what_was_written),
      cmocka_unit_test(what_was_changed_is_refused),
      cmocka_unit_test(any_bytes_are_read_or_refused),
      cmocka_unit_test(openness),
      cmocka_unit_test(sequences),
      cmocka_unit_test(shares),
      cmocka_unit_test(filters),
      cmocka_unit_test(properties_do_not_mix_in_a_sequence),
      cmocka_unit_test(a_restricted_condition_says_the_same),
      cmocka_unit_test(properties_that_nobody_checked_are_open),
      cmocka_unit_test(older_files_are_read),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
