/* Random records and random walks against plain copies. */
#include "explore/trail.h"

#include <setjmp.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

enum { WORDS = 7, COMPONENTS = 40 };

static uint32_t random_state;
static uint32_t rnd(uint32_t n) {
  random_state = random_state * 1664525u + 1013904223u;
  return (random_state >> 8) % n;
}

struct record {
  uint64_t word[WORDS], reference[WORDS];
};

static uint64_t random_word(uint64_t near) {
  static const uint64_t ends[] = {0, 1, UINT64_MAX, INT64_MAX, (uint64_t)1 << 63, UINT32_MAX};
  switch (rnd(4)) {
  case 0: return near;
  case 1: return near + rnd(300) - 150;
  case 2: return ends[rnd(6)];
  default: return (uint64_t)rnd(1 << 24) << 40 | (uint64_t)rnd(1 << 24) << 20 | rnd(1 << 24);
  }
}

static void push(struct pv_pack *p, struct record *r, bool alone) {
  for (unsigned i = 0; i < WORDS; i++) {
    r->reference[i] = alone ? 0 : random_word(0);
    r->word[i] = random_word(r->reference[i]);
  }
  pv_pack_push(p, r->word, alone ? NULL : r->reference, WORDS);
}

static void records_come_back(void **state) {
  (void)state;
  enum { HIGH = 20000 };
  struct record *known = pv_alloc(HIGH * sizeof *known);
  struct pv_pack p = {0};
  uint64_t word[WORDS], most = 0;
  uint32_t n = 0;
  random_state = 3;
  for (int step = 0; step < 200000; step++) {
    bool rising = step / 50000 % 2 == 0;
    if (n < HIGH && rnd(4) < (rising ? 3 : 1)) {
      push(&p, &known[n], n % 2);
      n++;
    } else if (n) {
      n--;
      pv_pack_pop(&p, word, n % 2 ? NULL : known[n].reference, WORDS);
      assert_memory_equal(word, known[n].word, sizeof word);
    }
    assert_int_equal(p.records, n);
    if (pv_pack_bytes(&p) > most) most = pv_pack_bytes(&p);
    if (step % 40000 != 39999) continue;
    struct pv_pack_reader r = pv_pack_read(&p);
    for (uint32_t i = n; i-- > 0;) {
      pv_pack_next(&r, word, i % 2 ? NULL : known[i].reference, WORDS);
      assert_memory_equal(word, known[i].word, sizeof word);
    }
  }
  assert_true(n < 100 && most > 5 * 65536); /* high before, and memory was given back */
  assert_true(pv_pack_bytes(&p) < 3 * 65536);
  pv_pack_free(&p);
  free(known);
}

static void few_bytes_a_record(void **state) {
  (void)state;
  struct pv_pack p = {0};
  uint64_t word[WORDS], reference[WORDS] = {1000000, 5, 70000, 8, 9, 1, 2};
  for (uint32_t i = 0; i < 100000; i++) {
    memcpy(word, reference, sizeof word);
    word[0] -= 3, word[2] -= i % 2;
    pv_pack_push(&p, word, reference, WORDS);
  }
  assert_true(pv_pack_bytes(&p) < 100000 * 4 + (2 << 16));
  pv_pack_free(&p);
}

struct model {
  uint32_t leaf[COMPONENTS];
};

static void put_back(void *user, uint32_t component, uint32_t leaf) {
  ((struct model *)user)->leaf[component] = leaf;
}

static void undo_comes_back_to_the_mark(void **state) {
  (void)state;
  struct pv_trail t = {0};
  struct model now = {{0}};
  struct {
    struct model state;
    struct pv_fingerprint fingerprint;
    uint64_t mark;
  } known[300];
  uint32_t n = 0;
  random_state = 5;
  for (uint32_t c = 0; c < COMPONENTS / 2; c++)
    pv_trail_begin(&t, c, now.leaf[c] = 0x80000001u + rnd(9));
  for (int step = 0; step < 100000; step++) {
    if (n == 300 || (n && rnd(5) < 2)) {
      n = n > 3 ? n - 1 - rnd(3) : n - 1;
      pv_trail_undo(&t, known[n].mark, put_back, &now);
      assert_memory_equal(&now, &known[n].state, sizeof now);
      assert_memory_equal(&t.fingerprint, &known[n].fingerprint, sizeof t.fingerprint);
    }
    known[n].state = now;
    known[n].fingerprint = t.fingerprint;
    known[n++].mark = pv_trail_mark(&t);
    for (uint32_t k = rnd(4); k-- > 0;) {
      uint32_t c = rnd(COMPONENTS), leaf = rnd(3) ? 0x80000001u + rnd(1000) : 0;
      pv_trail_set(&t, c, now.leaf[c] = leaf);
      assert_int_equal(pv_trail_get(&t, c), leaf);
    }
  }
  pv_trail_free(&t);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(records_come_back),
                                     cmocka_unit_test(few_bytes_a_record),
                                     cmocka_unit_test(undo_comes_back_to_the_mark)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
