/* Solvers that fail, that do not answer, that have hardly any time: whatever question it is at, no
 * engine crashes, none has a wrong verdict, and what is open is said, with its cause. */
#include "base/fewer_test.h"
#include "cpa/cpa_test.h"

extern const struct pv_engine pv_engine_value, pv_engine_predicate, pv_engine_bmc,
    pv_engine_kinduction;
static const struct pv_engine *const engines[] = {&pv_engine_value, &pv_engine_predicate,
                                                  &pv_engine_bmc, &pv_engine_kinduction};
enum { ENGINES = sizeof engines / sizeof *engines };

#define HEAD                                                                                       \
  "extern int __VERIFIER_nondet_int(void);\nextern void reach_error(void);\n"                      \
  "#define input __VERIFIER_nondet_int()\n"

static const struct program {
  const char *text, *properties;
  bool right;
} programs[] = {
    {HEAD "int main(void) { unsigned x = 0, y = 0;\n"
          "  while (input) { x++; y++; if (x != y) reach_error(); } }",
     "unreach-call", true},
    {HEAD "int main(void) { unsigned x = 0, y = 0;\n"
          "  while (input) { x++; if (x != 3) y++; if (x > y + 1 || x == 4) reach_error(); } }",
     "unreach-call", false},
    {HEAD "static int held;\n"
          "int main(void) { for (;;) { int n = input; if (n == 7) break;\n"
          "  if (held) reach_error(); held = 1; if (n == 12345) continue; held = 0; } }",
     "unreach-call", false},
    {HEAD "int main(void) { int n = input, m = n < 0 ? -1 : n > 100 ? 1 : 0;\n"
          "  if (!m && n + 1 > 101) reach_error(); int k = n + 1; }",
     "unreach-call", true}, /* n + 1 wraps around */
    {HEAD "int main(void) { int n = input; if (n > 2147483646) n = 0; n++; if (!n) n = n + 5; }",
     "no-overflow", true},
    {HEAD "int main(void) { int a[3] = {1, 2, 3}, n = input, *p = &a[1];\n"
          "  if (n > 0 && n < 3) p = &a[n - 1]; if (n == 3) p++; p[1] = 0; if (n == 3) p[1] = 1; }",
     "valid-deref", false},
};
enum { PROGRAMS = sizeof programs / sizeof *programs };

/* Loops that an engine does not see through end at a number of rounds or of states. */
static void load(struct pv_checked *c, const struct program *p) {
  pv_checked_load(c, p->text, p->properties);
  c->options.unwind = 8;
  c->options.limits.states = 200;
}

static struct pv_result run(struct pv_checked *c, const struct pv_engine *e,
                            struct pv_smt_faults *faults) {
  struct pv_result r = {0};
  pv_limits_start(&c->options.limits);
  pv_smt_inject_faults(faults);
  assert_int_equal(e->run(&c->task, &r), PV_OK);
  pv_smt_inject_faults(NULL);
  return r;
}

static bool says(const struct pv_result *r, const char *part) {
  for (uint32_t i = 0; i < r->condition.provisos.n; i++)
    if (strstr(r->condition.provisos.at[i].sentence, part)) return true;
  return false;
}

/* The verdict is right, or there is a condition. */
static void assert_sound(const struct program *p, const struct pv_engine *e, uint64_t query,
                         const struct pv_result *r) {
  bool wrong = r->verdict == (p->right ? PV_FALSE : PV_TRUE);
  bool open = r->verdict == PV_CONDITIONAL || r->verdict == PV_UNKNOWN;
  if (wrong || (r->verdict == PV_TRUE && r->condition.provisos.n) ||
      (open && !r->condition.provisos.n))
    fail_msg("%s, query %llu: %s with %u provisos for\n%s", e->name, (unsigned long long)query,
             pv_verdict_name(r->verdict), r->condition.provisos.n, p->text);
  for (uint32_t i = 0; i < r->violations.n; i++) assert_true(r->violations.at[i].replayed);
}

/* At most so many of an engine's questions are looked at one by one; the others in steps. */
static uint64_t after(uint64_t query) {
  return query < pv_test_fewer(25) ? query + 1 : query + query / 4;
}

static void failures_at_every_question(void **state) {
  (void)state;
  for (int p = 0; p < PROGRAMS; p++) {
    struct pv_checked c;
    load(&c, &programs[p]);
    for (int e = 0; e < ENGINES; e++)
      for (uint64_t n = 1, met = 1; met; n = after(n)) {
        struct pv_smt_faults faults = {.fail_at = n};
        struct pv_result r = run(&c, engines[e], &faults);
        assert_sound(&programs[p], engines[e], n, &r);
        met = faults.queries >= n;
        if (met && r.verdict != PV_FALSE) {
          assert_int_equal(r.verdict, PV_UNKNOWN);
          assert_true(says(&r, "when the solver failed"));
        }
        pv_result_clear(&r);
      }
    pv_checked_free(&c);
  }
}

static void silence_at_every_question(void **state) {
  unsigned decided = 0, open = 0;
  (void)state;
  for (int p = 0; p < PROGRAMS; p++) {
    struct pv_checked c;
    load(&c, &programs[p]);
    for (int e = 0; e < ENGINES; e++) {
      struct pv_smt_faults none = {0};
      struct pv_result plain = run(&c, engines[e], &none);
      assert_sound(&programs[p], engines[e], 0, &plain);
      for (uint64_t n = 1, met = 1; met; n = after(n)) {
        struct pv_smt_faults faults = {.silent_at = n};
        struct pv_result r = run(&c, engines[e], &faults);
        assert_sound(&programs[p], engines[e], n, &r);
        met = faults.queries >= n;
        bool is_open = r.verdict != PV_TRUE && r.verdict != PV_FALSE;
        bool was_open = plain.verdict != PV_TRUE && plain.verdict != PV_FALSE;
        if (is_open && !was_open && !says(&r, "the solver did not decide it: time limit"))
          fail_msg("%s, query %llu: no cause for\n%s", engines[e]->name, (unsigned long long)n,
                   programs[p].text);
        *(is_open ? &open : &decided) += 1;
        pv_result_clear(&r);
      }
      pv_result_clear(&plain);
    }
    pv_checked_free(&c);
  }
  print_message("%u decided, %u open\n", decided, open);
  assert_true(decided && open);
}

/* Hardly any steps for each question: some are answered, some are not. */
static void short_limits(void **state) {
  static const uint64_t steps[] = {1, 1000};
  (void)state;
  for (int p = 0; p < PROGRAMS; p++) {
    struct pv_checked c;
    load(&c, &programs[p]);
    for (int bits = 0; bits < 2; bits++)
      for (int e = 0; e < ENGINES; e++)
        for (size_t s = 0; s < sizeof steps / sizeof *steps; s++) {
          struct pv_smt_faults faults = {.limits = {.steps = steps[s]}};
          c.options.integers = bits;
          c.options.limits.seconds = 1;
          struct pv_result r = run(&c, engines[e], &faults);
          assert_sound(&programs[p], engines[e], steps[s], &r);
          pv_result_clear(&r);
        }
    pv_checked_free(&c);
  }
}

/* A question that no solver answers soon: the factors of a prime number. */
static void a_hard_question_has_a_limit(void **state) {
  struct pv_checked c;
  (void)state;
  pv_checked_load(&c,
                  "extern unsigned long __VERIFIER_nondet_ulong(void);\n"
                  "extern void reach_error(void);\n"
                  "int main(void) { unsigned long x = __VERIFIER_nondet_ulong(),\n"
                  "  y = __VERIFIER_nondet_ulong();\n"
                  "  if (x > 1 && y > 1 && x < 1ul << 32 && y < 1ul << 32 &&\n"
                  "    x * y == 4611686018427387847ul) reach_error(); }",
                  "unreach-call");
  c.options.integers = 1;
  for (int e = 0; e < ENGINES; e++) {
    struct pv_smt_faults faults = {.limits = {.ms = 100}};
    struct pv_result r = run(&c, engines[e], &faults);
    assert_int_equal(r.verdict, PV_CONDITIONAL);
    assert_true(says(&r, "the solver did not decide it: time limit of a query"));
    assert_int_equal(c.options.limits.hit, PV_LIMIT_NONE);
    pv_result_clear(&r);
    faults = (struct pv_smt_faults){.limits = {.memory = 1}};
    r = run(&c, engines[e], &faults);
    assert_true(r.verdict == PV_CONDITIONAL || r.verdict == PV_UNKNOWN);
    assert_true(says(&r, "the solver did not decide it: memory limit"));
    pv_result_clear(&r);
  }
  pv_checked_free(&c);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(failures_at_every_question),
      cmocka_unit_test(silence_at_every_question),
      cmocka_unit_test(short_limits),
      cmocka_unit_test(a_hard_question_has_a_limit),
  };
  return cmocka_run_group_tests_name("cpa/fault_injection", tests, NULL, NULL);
}
