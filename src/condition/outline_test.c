#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/random.h"
#include "condition/outline.h"

static uint64_t lot;

static uint32_t below(uint32_t n) {
  return (uint32_t)(pv_random(&lot) % n);
}

enum { LOCATIONS = 6, EDGES = 9, HASHES = 4, NAMES = 4, PARAMS = 1, SLOTS = 2 };
/* What an edge is made of: two names at most. */
struct sketch {
  uint32_t from, to, n;
  uint64_t hash, name[2];
};
static struct sketch edge(uint32_t from, uint32_t to, uint64_t hash, uint64_t a, uint64_t b) {
  return (struct sketch){from, to, 2, hash, {a, b}};
}

/* The bytes of one function whose entry is location 0. */
static void put(struct pv_str *out, const struct sketch *edges, uint32_t n, uint64_t head,
                const uint64_t *slots) {
  const uint64_t words[] = {77, head, 5, 0, LOCATIONS, PARAMS, SLOTS};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++) pv_put_number(out, words[i]);
  for (uint32_t i = 0; i < SLOTS; i++) pv_put_number(out, slots[i]);
  pv_put_number(out, n);
  for (uint32_t i = 0; i < n; i++) {
    const uint64_t edge[] = {edges[i].from, edges[i].to, edges[i].hash, edges[i].n};
    for (size_t k = 0; k < 4; k++) pv_put_number(out, edge[k]);
    for (uint32_t k = 0; k < edges[i].n; k++) pv_put_number(out, edges[i].name[k]);
  }
}

static const uint64_t two_sizes[SLOTS] = {40, 80};

static pv_outlines read_edges(const struct sketch *edges, uint32_t n, uint64_t head) {
  struct pv_str bytes = {0};
  pv_outlines o = {0};
  put(&bytes, edges, n, head, two_sizes);
  assert_true(pv_outlines_read(bytes.at, bytes.n, &o));
  assert_int_equal(o.n, 1);
  pv_str_free(&bytes);
  return o;
}

/* The edges of `now` that were there, as a text of 0 and 1; "-": nothing can be compared. */
static const char *compare(const struct sketch *was, uint32_t n_was, const struct sketch *now,
                           uint32_t n_now, uint64_t head) {
  static char text[EDGES + 1];
  uint8_t same[EDGES] = {0};
  pv_outlines a = read_edges(was, n_was, 1), b = read_edges(now, n_now, head);
  strcpy(text, "-");
  if (pv_outline_compare(&a.at[0], &b.at[0], same)) {
    for (uint32_t i = 0; i < n_now; i++) text[i] = same[i] ? '1' : '0';
    text[n_now] = 0;
  }
  pv_outlines_free(&a);
  pv_outlines_free(&b);
  return text;
}

/* Variables are even, slots odd; variable 0 is the parameter. */
static void names_may_change(void **state) {
  (void)state;
  const struct sketch was[] = {edge(0, 1, 10, 2, 4), edge(1, 2, 20, 4, 0), edge(2, 1, 30, 2, 2)};
  const struct sketch renamed[] = {edge(0, 3, 10, 6, 2), edge(3, 5, 20, 2, 0),
                                   edge(5, 3, 30, 6, 6)};
  const struct sketch mixed[] = {edge(0, 1, 10, 2, 4), edge(1, 2, 20, 2, 0), edge(2, 1, 30, 2, 2)};
  const struct sketch other_parameter[] = {edge(0, 1, 10, 2, 4), edge(1, 2, 20, 4, 6)};
  const struct sketch one_for_two[] = {edge(0, 1, 10, 2, 2)};
  assert_string_equal(compare(was, 3, was, 3, 1), "111");
  assert_string_equal(compare(was, 3, renamed, 3, 1), "111");
  assert_string_equal(compare(was, 3, mixed, 3, 1), "100");
  assert_string_equal(compare(was, 3, other_parameter, 2, 1), "10");
  assert_string_equal(compare(was, 3, one_for_two, 1, 1), "0");
  assert_string_equal(compare(was, 3, was, 3, 2), "-"); /* other heads */
}

static void slots_are_alike(void **state) {
  (void)state;
  const struct sketch was[] = {edge(0, 1, 10, 1, 1)};
  const struct sketch other_size[] = {edge(0, 1, 10, 3, 3)};
  const struct sketch variable[] = {edge(0, 1, 10, 2, 2)};
  const struct sketch none[] = {edge(0, 1, 10, 9, 9)}; /* there is no such slot */
  assert_string_equal(compare(was, 1, was, 1, 1), "1");
  assert_string_equal(compare(was, 1, other_size, 1, 1), "0");
  assert_string_equal(compare(was, 1, variable, 1, 1), "0");
  assert_string_equal(compare(none, 1, none, 1, 1), "0");
}

static void edges_may_come_and_go(void **state) {
  (void)state;
  const struct sketch was[] = {edge(0, 1, 10, 2, 2), edge(0, 2, 20, 2, 2), edge(1, 3, 30, 2, 2),
                               edge(2, 3, 40, 2, 2)};
  const struct sketch fewer[] = {edge(0, 1, 10, 2, 2), edge(1, 3, 30, 2, 2)};
  const struct sketch more[] = {edge(0, 4, 11, 2, 2), edge(4, 1, 30, 2, 2), edge(0, 2, 20, 2, 2),
                                edge(2, 3, 40, 2, 2)};
  const struct sketch unlike[] = {edge(0, 1, 0, 2, 2)};
  const struct sketch joined[] = {edge(0, 1, 10, 2, 2), edge(0, 1, 20, 2, 2)};
  assert_string_equal(compare(was, 4, fewer, 2, 1), "11");
  assert_string_equal(compare(was, 4, more, 4, 1), "0011"); /* what follows a new edge is new */
  assert_string_equal(compare(unlike, 1, unlike, 1, 1), "0");
  assert_string_equal(compare(was, 4, joined, 2, 1), "10"); /* one place for two */
}

/* ---- random ones ----------------------------------------------------------------------------- */
static uint32_t random_edges(struct sketch *edges) {
  uint32_t n = 1 + below(EDGES);
  for (uint32_t i = 0; i < n; i++)
    edges[i] = edge(i ? below(LOCATIONS) : 0, below(LOCATIONS), 1 + below(HASHES), 2 * below(NAMES),
                    below(2 * NAMES));
  return n;
}

struct pairing { /* two names, or places, that stand for each other; UINT64_MAX: none */
  uint64_t to[2 * NAMES], from[2 * NAMES];
};

static bool pair(struct pairing *p, uint64_t now, uint64_t was) {
  if (p->to[now] == UINT64_MAX && p->from[was] == UINT64_MAX) {
    p->to[now] = was;
    p->from[was] = now;
  }
  return p->to[now] == was && p->from[was] == now;
}

/* Does `was` have the path, edge by edge, with names of its own for those of the path? */
static bool has_path(const struct sketch *was, uint32_t n, const struct sketch *const *path,
                     uint32_t length, uint32_t at, struct pairing names) {
  bool found = !length;
  for (uint32_t i = 0; i < n && !found; i++) {
    struct pairing more = names;
    if (was[i].from != at || was[i].hash != path[0]->hash) continue;
    bool fits = pair(&more, path[0]->name[0], was[i].name[0]) &&
                pair(&more, path[0]->name[1], was[i].name[1]);
    found = fits && has_path(was, n, path + 1, length - 1, was[i].to, more);
  }
  return found;
}

/* Whatever two versions there are: a path along edges that were there is one of the earlier
 * version. */
static void what_is_said_to_be_the_same_is(void **state) {
  (void)state;
  uint32_t followed = 0;
  for (uint64_t seed = 1; seed < 3000; seed++) {
    struct sketch was[EDGES], now[EDGES];
    lot = seed * UINT64_C(0x9e3779b97f4a7c15);
    uint32_t n_was = random_edges(was), n_now = random_edges(now);
    if (below(2)) { /* nearly the same */
      memcpy(now, was, sizeof now);
      n_now = n_was;
      now[below(n_now)].hash = 1 + below(HASHES);
      now[below(n_now)].to = below(LOCATIONS);
    }
    const char *same = compare(was, n_was, now, n_now, 1);
    for (uint32_t walk = 0; walk < 5; walk++) {
      const struct sketch *path[8];
      uint32_t length = 0, at = 0;
      for (uint32_t tries = 0; tries < 30 && length < 8; tries++) {
        uint32_t i = below(n_now);
        if (now[i].from != at || same[i] != '1') continue;
        path[length++] = &now[i];
        at = now[i].to;
      }
      struct pairing names;
      memset(&names, 0xff, sizeof names);
      pair(&names, 0, 0); /* the parameter */
      assert_true(has_path(was, n_was, path, length, 0, names));
      followed += length;
    }
  }
  assert_true(followed > 3000);
}

static void damage_is_found(void **state) {
  (void)state;
  struct sketch edges[EDGES];
  struct pv_str bytes = {0};
  lot = 3;
  put(&bytes, edges, random_edges(edges), 1, two_sizes);
  for (size_t n = 1; n < bytes.n; n++) { /* cut anywhere */
    pv_outlines o = {0};
    assert_false(pv_outlines_read(bytes.at, n, &o));
    pv_outlines_free(&o);
  }
  for (uint32_t i = 0; i < 20000; i++) { /* refused, or of some function */
    pv_outlines o = {0};
    char *copy = pv_alloc(bytes.n);
    memcpy(copy, bytes.at, bytes.n);
    copy[below((uint32_t)bytes.n)] = (char)below(256);
    copy[below((uint32_t)bytes.n)] = (char)below(256);
    if (pv_outlines_read(copy, bytes.n, &o) && o.n) {
      uint8_t *same = pv_alloc(o.at[0].edges.n + 1);
      pv_outline_compare(&o.at[0], &o.at[0], same);
      free(same);
    }
    pv_outlines_free(&o);
    free(copy);
  }
  pv_str_free(&bytes);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(names_may_change),      cmocka_unit_test(slots_are_alike),
      cmocka_unit_test(edges_may_come_and_go), cmocka_unit_test(what_is_said_to_be_the_same_is),
      cmocka_unit_test(damage_is_found),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
