/* Serialised results: everything is restored, and only complete results are accepted. */
#include "result/serialize.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

static uint64_t seed;

static uint32_t random_word(uint32_t below) {
  seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (uint32_t)(seed >> 33) % below;
}

static char *random_text(void) {
  uint32_t n = random_word(12);
  char *text = pv_alloc(n + 1);
  for (uint32_t i = 0; i < n; i++) text[i] = (char)(1 + random_word(255));
  return text;
}

static char *maybe(void) {
  return random_word(3) ? random_text() : NULL;
}

static struct pv_step random_step(void) {
  struct pv_step s = {random_word(9), random_word(9), maybe(), maybe(), maybe(), random_word(99),
                      random_word(9), maybe(),        maybe(), {0},     {0}};
  for (uint32_t n = random_word(3); n--;)
    pv_vec_push(&s.changes, ((struct pv_change){random_text(), random_text(), random_word(9)}));
  for (uint32_t n = random_word(3); n--;)
    pv_vec_push(&s.interactions, ((struct pv_interaction){
                                     (enum pv_interaction_kind)random_word(PV_INTERACTION_COUNT),
                                     random_word(9), maybe()}));
  return s;
}

static void fill_path(struct pv_error_path *p) {
  for (uint32_t n = random_word(5); n--;)
    pv_vec_push(&p->choices, ((struct pv_choice){random_word(5), random_word(5)}));
  for (uint32_t n = 1 + random_word(3); n--;)
    pv_vec_push(&p->sources,
                ((struct pv_source){(enum pv_source_origin)random_word(PV_ORIGIN_COUNT),
                                    (enum pv_source_type)random_word(PV_SOURCE_COUNT),
                                    random_word(129), maybe(), maybe(), maybe(), random_word(9)}));
  for (uint32_t n = random_word(4); n--;)
    pv_vec_push(&p->inputs, ((struct pv_input){{UINT64_C(1) << random_word(64), random_word(9)},
                                               random_word(p->sources.n + 1),
                                               random_word(4),
                                               random_word(4)}));
  for (uint32_t n = random_word(4); n--;) pv_vec_push(&p->steps, random_step());
  p->inputs_left_out = random_word(9);
  p->left_out = random_word(9);
  p->gap = random_word(p->steps.n + 1);
}

static struct pv_violation random_violation(void) {
  struct pv_violation v = {.property = (enum pv_property)random_word(PV_PROP_COUNT),
                           .span = random_word(99),
                           .message = maybe(),
                           .file = maybe(),
                           .function = maybe(),
                           .line = random_word(99),
                           .column = random_word(99),
                           .replayed = random_word(2),
                           .minimised = random_word(2),
                           .shortest = random_word(2),
                           .found = {random_word(9), random_word(9)}};
  fill_path(&v.path);
  return v;
}

static struct pv_open_part random_part(void) {
  struct pv_open_part p = {.kind = PV_OPEN_FRONTIER, .number = random_word(99)};
  for (uint32_t i = 0; i < 3; i++) {
    struct pv_choice asleep = {random_word(9), random_word(9)};
    pv_vec_push(&p.prefixes,
                ((struct pv_prefix){i, {random_word(9), random_word(9)}, 1, random_word(2), 1}));
    pv_vec_push(&p.sleeping, asleep);
  }
  return p;
}

static struct pv_result random_result(uint64_t number) {
  seed = number;
  struct pv_result r = {.verdict = (enum pv_verdict)random_word(PV_FALSE + 1),
                        .checked = random_word(PV_PROP_BIT(PV_PROP_COUNT)),
                        .reason = maybe()};
  for (uint32_t n = random_word(4); n--;)
    pv_vec_push(&r.condition.provisos,
                ((struct pv_proviso){(enum pv_proviso_kind)random_word(PV_PROVISO_COUNT),
                                     random_word(PV_PROP_BIT(PV_PROP_COUNT)), random_text(),
                                     maybe(), random_word(9), 0, random_word(9)}));
  if (r.condition.provisos.n) pv_condition_open(&r.condition, random_part());
  struct pv_str bytes = {0};
  for (uint32_t n = random_word(9); n--;) pv_str_addc(&bytes, (char)random_word(256));
  pv_condition_add_state(&r.condition, "explicit", &bytes);
  for (uint32_t n = random_word(3); n--;) pv_vec_push(&r.violations, random_violation());
  r.assumed = random_word(1u << PV_ASSUMES_COUNT);
  for (uint32_t n = random_word(3); n--;) pv_vec_push(&r.notes, random_text());
  unsigned char *stats = (unsigned char *)&r.stats;
  for (size_t i = 0; i < offsetof(struct pv_stats, seconds); i++)
    stats[i] = (unsigned char)random_word(256);
  r.stats.seconds = random_word(1000) / 7.0;
  r.stats.cpu_seconds = random_word(1000) / 3.0;
  r.stats.peak_memory = (uint64_t)random_word(1000) << 40;
  r.loss = (struct pv_loss){random_word(10) * 0.01, random_word(10)};
  r.proof.state = (enum pv_proof_state)random_word(PV_PROOF_COUNT);
  r.proof.induction = random_word(9);
  for (uint32_t n = random_word(3); n--;)
    pv_vec_push(&r.proof.invariants,
                ((struct pv_invariant){maybe(), maybe(), random_word(99), maybe(), random_text(),
                                       random_word(9)}));
  return r;
}

static void same_text(const char *a, const char *b) {
  assert_int_equal(!a, !b);
  if (a) assert_string_equal(a, b);
}

static void same_path(const struct pv_error_path *a, const struct pv_error_path *b) {
  assert_int_equal(a->choices.n, b->choices.n);
  assert_int_equal(a->inputs.n, b->inputs.n);
  assert_int_equal(a->sources.n, b->sources.n);
  assert_int_equal(a->steps.n, b->steps.n);
  assert_int_equal(a->inputs_left_out, b->inputs_left_out);
  assert_int_equal(a->left_out, b->left_out);
  assert_int_equal(a->gap, b->gap);
  for (uint32_t i = 0; i < a->choices.n; i++)
    assert_memory_equal(&a->choices.at[i], &b->choices.at[i], sizeof *a->choices.at);
  for (uint32_t i = 0; i < a->inputs.n; i++) {
    const struct pv_input *x = &a->inputs.at[i], *y = &b->inputs.at[i];
    assert_memory_equal(x->value, y->value, sizeof x->value);
    assert_true(x->source == y->source && x->thread == y->thread && x->site == y->site);
  }
  for (uint32_t i = 0; i < a->sources.n; i++) {
    const struct pv_source *x = &a->sources.at[i], *y = &b->sources.at[i];
    assert_true(x->origin == y->origin && x->type == y->type && x->bits == y->bits);
    assert_int_equal(x->line, y->line);
    same_text(x->name, y->name);
    same_text(x->file, y->file);
    same_text(x->function, y->function);
  }
  for (uint32_t i = 0; i < a->steps.n; i++) {
    const struct pv_step *x = &a->steps.at[i], *y = &b->steps.at[i];
    assert_true(x->thread == y->thread && x->line == y->line && x->column == y->column);
    same_text(x->function, y->function);
    same_text(x->file, y->file);
    same_text(x->text, y->text);
    same_text(x->note, y->note);
    same_text(x->output, y->output);
    assert_int_equal(x->changes.n, y->changes.n);
    for (uint32_t k = 0; k < x->changes.n; k++) {
      assert_string_equal(x->changes.at[k].name, y->changes.at[k].name);
      assert_string_equal(x->changes.at[k].value, y->changes.at[k].value);
      assert_int_equal(x->changes.at[k].owner, y->changes.at[k].owner);
    }
    assert_int_equal(x->interactions.n, y->interactions.n);
    for (uint32_t k = 0; k < x->interactions.n; k++) {
      assert_int_equal(x->interactions.at[k].kind, y->interactions.at[k].kind);
      assert_int_equal(x->interactions.at[k].thread, y->interactions.at[k].thread);
      same_text(x->interactions.at[k].object, y->interactions.at[k].object);
    }
  }
}

static void same_violation(const struct pv_violation *a, const struct pv_violation *b) {
  assert_true(a->property == b->property && a->span == b->span);
  assert_true(a->line == b->line && a->column == b->column);
  assert_true(a->replayed == b->replayed && a->minimised == b->minimised);
  assert_true(a->shortest == b->shortest);
  assert_true(a->found.switches == b->found.switches);
  assert_true(a->found.transitions == b->found.transitions);
  same_text(a->message, b->message);
  same_text(a->file, b->file);
  same_text(a->function, b->function);
  same_path(&a->path, &b->path);
}

static void same_result(const struct pv_result *a, const struct pv_result *b) {
  assert_int_equal(a->verdict, b->verdict);
  assert_int_equal(a->checked, b->checked);
  same_text(a->reason, b->reason);
  assert_int_equal(a->condition.provisos.n, b->condition.provisos.n);
  for (uint32_t i = 0; i < a->condition.provisos.n; i++) {
    const struct pv_proviso *x = &a->condition.provisos.at[i], *y = &b->condition.provisos.at[i];
    assert_true(x->kind == y->kind && x->line == y->line && x->times == y->times &&
                x->part == y->part);
    assert_string_equal(x->sentence, y->sentence);
    same_text(x->file, y->file);
  }
  assert_int_equal(a->violations.n, b->violations.n);
  for (uint32_t i = 0; i < a->violations.n; i++)
    same_violation(&a->violations.at[i], &b->violations.at[i]);
  assert_int_equal(a->assumed, b->assumed);
  assert_int_equal(a->notes.n, b->notes.n);
  for (uint32_t i = 0; i < a->notes.n; i++) assert_string_equal(a->notes.at[i], b->notes.at[i]);
  assert_memory_equal(&a->stats, &b->stats, sizeof a->stats);
  assert_true(a->loss.bound == b->loss.bound && a->loss.expected == b->loss.expected);
  assert_true(a->proof.state == b->proof.state && a->proof.induction == b->proof.induction);
  assert_int_equal(a->proof.invariants.n, b->proof.invariants.n);
  for (uint32_t i = 0; i < a->proof.invariants.n; i++) {
    const struct pv_invariant *x = &a->proof.invariants.at[i], *y = &b->proof.invariants.at[i];
    assert_true(x->line == y->line && x->larger == y->larger);
    same_text(x->file, y->file);
    same_text(x->function, y->function);
    same_text(x->calls, y->calls);
    assert_string_equal(x->formula, y->formula);
  }
}

static void everything_comes_back(void **state) {
  (void)state;
  for (uint64_t number = 0; number < 500; number++) {
    struct pv_result r = random_result(number), got = {0};
    struct pv_str bytes = {0}, again = {0};
    pv_result_write(&r, &bytes);
    assert_true(pv_result_read(bytes.at, bytes.n, &got));
    same_result(&r, &got);
    pv_result_write(&got, &again);
    assert_int_equal(again.n, bytes.n);
    assert_memory_equal(again.at, bytes.at, bytes.n);
    pv_str_free(&bytes);
    pv_str_free(&again);
    pv_result_clear(&r);
    pv_result_clear(&got);
  }
}

static void is_refused(const char *bytes, size_t n) {
  struct pv_result got = {0}, nothing = {0};
  char *exact = pv_alloc(n); /* so that a sanitizer sees a read past the end */
  memcpy(exact, bytes, n);
  assert_false(pv_result_read(exact, n, &got));
  assert_memory_equal(&got, &nothing, sizeof got);
  free(exact);
}

static void torn_bytes_are_refused(void **state) {
  (void)state;
  is_refused("", 0);
  for (uint64_t number = 0; number < 20; number++) {
    struct pv_result r = random_result(number);
    struct pv_str bytes = {0};
    pv_result_write(&r, &bytes);
    for (size_t n = 0; n < bytes.n; n++) is_refused(bytes.at, n);
    pv_str_addc(&bytes, '\0');
    is_refused(bytes.at, bytes.n);
    pv_str_free(&bytes);
    pv_result_clear(&r);
  }
}

/* Changed bytes are rejected or give another result; nothing is read beyond the end. */
static void lying_bytes_do_no_harm(void **state) {
  (void)state;
  static const unsigned char evil[] = {0, 1, 2, 0x7f, 0x80, 0xff};
  unsigned refused = 0, read = 0;
  for (uint64_t number = 0; number < 20; number++) {
    struct pv_result r = random_result(number);
    struct pv_str bytes = {0};
    pv_result_write(&r, &bytes);
    for (size_t at = 0; at < bytes.n; at++)
      for (size_t k = 0; k < sizeof evil; k++) {
        char old = bytes.at[at];
        struct pv_result got = {0};
        struct pv_str again = {0};
        bytes.at[at] = (char)evil[k];
        if (pv_result_read(bytes.at, bytes.n, &got)) {
          read++;
          pv_result_write(&got, &again);
          assert_int_equal(again.n, bytes.n);
          assert_memory_equal(again.at, bytes.at, bytes.n);
        } else {
          refused++;
        }
        bytes.at[at] = old;
        pv_str_free(&again);
        pv_result_clear(&got);
      }
    pv_str_free(&bytes);
    pv_result_clear(&r);
  }
  assert_true(refused > 1000 && read > 1000);
}

static void random_bytes_do_no_harm(void **state) {
  (void)state;
  for (uint64_t number = 0; number < 2000; number++) {
    struct pv_result got = {0};
    char bytes[600];
    seed = number;
    size_t n = random_word(sizeof bytes);
    for (size_t i = 0; i < n; i++)
      bytes[i] = random_word(4) ? (char)(random_word(3) == 0) : (char)random_word(256);
    if (pv_result_read(bytes, n, &got)) assert_true(n > 100);
    pv_result_clear(&got);
  }
}

/* Numbers that would refer to elements that do not exist. */
static void wrong_values_are_refused(void **state) {
  (void)state;
  for (int wrong = 0; wrong < 8; wrong++) {
    struct pv_result r = {.verdict = PV_TRUE}, got = {0};
    struct pv_violation v = {.message = pv_strdup("m")};
    struct pv_str bytes = {0};
    pv_vec_push(&v.path.inputs, ((struct pv_input){.source = wrong == 0}));
    v.path.gap = wrong == 1;
    v.property = wrong == 2 ? PV_PROP_COUNT : PV_PROP_UNREACH_CALL;
    pv_vec_push(&r.violations, v);
    if (wrong == 3) r.verdict = (enum pv_verdict)(PV_FALSE + 1);
    if (wrong == 4) r.checked = PV_PROP_BIT(PV_PROP_COUNT);
    if (wrong == 5) r.loss.bound = -1;
    if (wrong == 6) memset(&r.stats.seconds, 0xff, sizeof r.stats.seconds); /* no number */
    pv_result_write(&r, &bytes);
    assert_int_equal(pv_result_read(bytes.at, bytes.n, &got), wrong == 7);
    pv_str_free(&bytes);
    pv_result_clear(&r);
    pv_result_clear(&got);
  }
}

/* What an engine noted comes back, but for what ended its run. */
static void what_was_noted(void **state) {
  (void)state;
  struct pv_condition c = {0}, d = {0};
  struct pv_str bytes = {0};
  pv_condition_add(&c, PV_PROVISO_UNMODELLED, "x.c", 3, "`f` is not reached");
  pv_condition_add(&c, PV_PROVISO_INPUT, NULL, 0, "the input is small");
  pv_condition_open(&c, random_part());
  pv_condition_add(&c, PV_PROVISO_TIME, NULL, 0, "no error lies beyond");
  pv_noted_put(&c, &bytes);
  struct pv_bytes in = {.at = (const uint8_t *)bytes.at, .n = bytes.n};
  assert_true(pv_noted_take(&d, &in));
  assert_int_equal(in.n, 0);
  assert_int_equal(d.provisos.n, 2);
  assert_string_equal(d.provisos.at[0].sentence, "`f` is not reached");
  assert_int_equal(d.provisos.at[1].part, 1);
  assert_int_equal(d.parts.n, 1);
  struct pv_bytes cut = {.at = (const uint8_t *)bytes.at, .n = bytes.n - 1};
  assert_false(pv_noted_take(&d, &cut));
  pv_condition_clear(&c);
  pv_condition_clear(&d);
  pv_str_free(&bytes);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(everything_comes_back),    cmocka_unit_test(torn_bytes_are_refused),
      cmocka_unit_test(lying_bytes_do_no_harm),   cmocka_unit_test(random_bytes_do_no_harm),
      cmocka_unit_test(wrong_values_are_refused), cmocka_unit_test(what_was_noted)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
