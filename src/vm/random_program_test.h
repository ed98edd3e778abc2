/* random_program_test.h -- for tests of engines: random programs with two to four threads. */
#ifndef PV_RANDOM_PROGRAM_TEST_H
#define PV_RANDOM_PROGRAM_TEST_H

#include <stdlib.h>

#include "base/base.h"

static uint64_t pv_test_roll_state;

static inline unsigned pv_test_roll(unsigned n) {
  pv_test_roll_state =
      pv_test_roll_state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (unsigned)(pv_test_roll_state >> 33) % n;
}

static inline const char *pv_test_global(void) {
  static const char *const names[] = {"x", "y", "z"};
  return names[pv_test_roll(3)];
}

/* Kinds of programs: which statements most of theirs are. */
enum {
  PV_TEST_HEAP = 11,     /* allocations and frees */
  PV_TEST_EXCHANGE = 12, /* compare-and-exchange */
  PV_TEST_PLAIN = 13,    /* all are statements whose order the tests of dpor/ know exactly */
  PV_TEST_INDEX = 14,    /* accesses to an array, inside of it and outside */
  PV_TEST_HELD = 15,     /* locks that are held already or not at all, ends in atomic sections */
  PV_TEST_POSTS = 16,    /* two semaphores */
  PV_TEST_HANDED = 17,   /* values that two semaphores hand over, also from main */
  PV_TEST_PARTS = 18,    /* compare-and-exchange and accesses of other sizes in one place */
  PV_TEST_JOINS = 19,    /* short critical sections; main looks at their effect after each join */
  PV_TEST_ADDS = 20,     /* compare-and-exchange after additions, which commute */
  PV_TEST_ENDS = 21,     /* ends of paths: division by zero, null, choices of nothing, errors */
  PV_TEST_INPUTS = 22,   /* inputs */
  PV_TEST_ALL = 23,      /* any other statements */
  PV_TEST_COPIES = 24,   /* copies of structures */
  PV_TEST_SECTIONS = 25  /* compare-and-exchange beside atomic sections, also from main */
};

static inline void pv_test_index_statement(struct pv_str *s) {
  static const char *const alternatives[] = {" & 3", " % 4", " % 5", "", " & 7", " % 4u"};
  static const int numbers[] = {-1, 2, 3, 4, 5, -5};
  const char *name = pv_test_roll(2) ? pv_test_global() : "l",
             *alternative = alternatives[pv_test_roll(6)];
  unsigned value = pv_test_roll(3), place = pv_test_roll(4);
  switch (pv_test_roll(7)) {
  case 0:
  case 1: pv_str_addf(s, "  u[%s%s] = %u;\n", name, alternative, value); break;
  case 2: pv_str_addf(s, "  l = u[%s%s];\n", name, alternative); break;
  case 3: pv_str_addf(s, "  %s = %d;\n", name, numbers[pv_test_roll(6)]); break;
  case 4: pv_str_addf(s, "  if (u[%u] == %u) reach_error();\n", place, 1 + value); break;
  case 5:
    pv_str_addf(s, "  for (int k = %u; k < %u; k++) u[k] = l;\n", place, 3 + pv_test_roll(3));
    break;
  case 6: pv_str_addf(s, "  if (l >= 0 && l < %u) u[l] = %u;\n", 3 + pv_test_roll(3), value); break;
  }
}

static inline void pv_test_exchange_statement(struct pv_str *s) {
  char place = "aas"[pv_test_roll(3)];
  unsigned value = pv_test_roll(3), other = pv_test_roll(3);
  switch (pv_test_roll(7)) {
  case 6: pv_str_addf(s, "  if (l == %u && %c == %u) reach_error();\n", other, place, value); break;
  case 0: pv_str_addf(s, "  %c = %u;\n", place, value); break;
  case 1: pv_str_addf(s, "  l = %c;\n", place); break;
  case 2: pv_str_addf(s, "  atomic_fetch_add(&%c, 1);\n", place); break;
  case 3:
    pv_str_addf(s, "  if (atomic_compare_exchange_strong(&%c, &l, %u)) l = %u;\n", place, value,
                other);
    break;
  default:
    pv_str_addf(s, "  l = %u;\n  atomic_compare_exchange_strong(&%c, &l, %u);\n", value, place,
                other);
    break;
  }
}

static inline void pv_test_sections_statement(struct pv_str *s) {
  char place = "aas"[pv_test_roll(3)], other = "as"[pv_test_roll(2)];
  unsigned value = pv_test_roll(3);
  switch (pv_test_roll(5)) {
  case 0:
    pv_str_addf(s, "  __VERIFIER_atomic_begin();\n  %c = %u;\n  __VERIFIER_atomic_end();\n", place,
                value);
    break;
  case 1:
    pv_str_addf(s, "  __VERIFIER_atomic_begin();\n  %c = %c + 1;\n  __VERIFIER_atomic_end();\n",
                place, other);
    break;
  default: pv_test_exchange_statement(s); break;
  }
}

static inline void pv_test_parts_statement(struct pv_str *s) {
  static const char *const parts[] = {"w.all", "w.all", "w.half[0]", "w.half[1]", "w.byte[1]"};
  static const unsigned values[] = {0, 1, 2, 256, 257, 65536};
  unsigned which = pv_test_roll(5), value = values[pv_test_roll(which < 2 ? 6 : 3)];
  const char *place = parts[which], *type = which < 2 ? "int" : which < 4 ? "short" : "char";
  switch (pv_test_roll(7)) {
  case 0: pv_str_addf(s, "  %s = %u;\n", place, value); break;
  case 1: pv_str_addf(s, "  l = %s;\n", place); break;
  case 2: pv_str_addf(s, "  atomic_fetch_add(&%s, %u);\n", place, 1 + value); break;
  case 3:
    pv_str_addf(s, "  if (l == %u && %s) reach_error();\n", value, parts[pv_test_roll(5)]);
    break;
  default:
    pv_str_addf(s,
                "  {\n    %s o = %u;\n    atomic_compare_exchange_strong(&%s, &o, %u);\n"
                "    l = o;\n  }\n",
                type, value, place, 1 + pv_test_roll(3));
    break;
  }
}

static inline void pv_test_adds_statement(struct pv_str *s) {
  static const char *const parts[] = {"w.all", "w.half[0]", "w.half[1]"};
  unsigned which = pv_test_roll(3), value = pv_test_roll(4);
  bool all = pv_test_roll(4);
  switch (pv_test_roll(9)) {
  case 0: pv_str_addf(s, "  %s = %u;\n", parts[which], value); break;
  case 1:
  case 2: pv_str_addf(s, "  l = %s;\n", parts[2 - which % 2]); break;
  case 3: pv_str_addf(s, "  if (l == %u && %s == 1) reach_error();\n", value, parts[which]); break;
  case 4:
  case 5: pv_str_addf(s, "  w.half[0] += %u;\n", 1 + value / 2); break;
  case 6: pv_str_addf(s, "  %s -= 1;\n", parts[which]); break;
  default:
    pv_str_addf(s,
                "  {\n    %s o = %u;\n    atomic_compare_exchange_strong(&%s, &o, %u);\n"
                "    l = o;\n  }\n",
                all ? "int" : "short", value, all ? "w.all" : "w.half[0]", 1 + pv_test_roll(3));
    break;
  }
}

static inline void pv_test_ends_statement(struct pv_str *s) {
  const char *name = pv_test_global();
  unsigned value = pv_test_roll(3);
  switch (pv_test_roll(14)) {
  case 0:
  case 1: pv_str_addf(s, "  %s = %u;\n", name, value); break;
  case 2: pv_str_addf(s, "  l = %s;\n", name); break;
  case 10:
  case 11: pv_str_addf(s, "  s = %u;\n", value); break;
  case 12:
  case 13: pv_str_addf(s, "  u[3] = 6 / s;\n  if (%s == %u) reach_error();\n", name, value); break;
  case 3: pv_str_addf(s, "  if (%s == %u) reach_error();\n", name, value); break;
  case 4: pv_str_addf(s, "  if (l == %u) reach_error();\n", value); break;
  case 5: pv_str_addf(s, "  l = 6 / %s;\n", name); break;
  case 6: pv_str_addf(s, "  %s = 6 / l;\n", name); break;
  case 7: pv_str_addf(s, "  if (l == %u) *(volatile int *)0 = 1;\n", value); break;
  case 8: pv_str_addf(s, "  l = proviso_choose(1, %s);\n", name); break;
  case 9: pv_str_addf(s, "  for (int i = 0; i < 3; i++) *(i < %u ? &z : 0) = i;\n", value); break;
  }
}

/* One statement copies in both directions. */
static inline void pv_test_copies_statement(struct pv_str *s) {
  static const char *const places[] = {"&p", "&q", "&own"};
  const char *from = places[pv_test_roll(3)], *to = places[pv_test_roll(3)];
  const char *name = pv_test_roll(2) ? "p" : "q";
  unsigned value = pv_test_roll(3), which = pv_test_roll(9);
  bool locks = which < 3 || which > 5 || pv_test_roll(4); /* a copy takes many steps */
  if (locks) pv_str_add(s, "  pthread_mutex_lock(&m);\n");
  switch (which) {
  case 6: /* an update may be lost */
  case 7:
  case 8:
    pv_str_addf(s,
                "  assign(&own, &%s);\n  pthread_mutex_unlock(&m);\n  own.k += %u;\n"
                "  pthread_mutex_lock(&m);\n  assign(&%s, &own);\n",
                name, 1 + value, name);
    break;
  case 0:
  case 1:
  case 2: pv_str_addf(s, "  assign(%s, %s);\n", to, from); break;
  case 3: pv_str_addf(s, "  own.k += %u;\n", 1 + value); break;
  case 4: pv_str_addf(s, "  %s.k = %u;\n", name, value); break;
  case 5: pv_str_addf(s, "  if (%s.k == %u) reach_error();\n", name, 1 + value); break;
  }
  if (locks) pv_str_add(s, "  pthread_mutex_unlock(&m);\n");
}

static inline void pv_test_inputs_statement(struct pv_str *s) {
  const char *name = pv_test_global(), *other = pv_test_global();
  unsigned value = pv_test_roll(3);
  switch (pv_test_roll(9)) {
  case 0:
  case 1: pv_str_addf(s, "  if (proviso_choose(0, 1)) %s = %u;\n", name, value); break;
  case 2: pv_str_addf(s, "  l = proviso_choose(0, %u);\n", 1 + value); break;
  case 3: pv_str_addf(s, "  %s = l;\n", name); break;
  case 4:
  case 5:
    pv_str_addf(s, "  __VERIFIER_atomic_begin();\n  l = %s;\n", name);
    if (value) pv_str_addf(s, "  %s = l + 1;\n", other);
    pv_str_add(s, "  __VERIFIER_atomic_end();\n");
    break;
  case 6:
    pv_str_addf(s, "  __VERIFIER_atomic_begin();\n  l = proviso_choose(0, 1);\n  %s = l;\n", name);
    pv_str_add(s, "  __VERIFIER_atomic_end();\n");
    break;
  case 7: pv_str_addf(s, "  if (%s == %u) reach_error();\n", name, value); break;
  case 8: pv_str_addf(s, "  if (l == %u && %s == l) reach_error();\n", value, name); break;
  }
}

static inline void pv_test_heap_statement(struct pv_str *s) {
  switch (pv_test_roll(9)) {
  case 0: pv_str_addf(s, "  p = malloc(%s);\n", pv_test_roll(4) ? "sizeof *p" : "8"); break;
  case 1: pv_str_add(s, "  p = malloc(sizeof *p);\n  if (p == g) reach_error();\n"); break;
  case 2: pv_str_add(s, "  p = malloc(sizeof *p);\n  if (p == q) reach_error();\n"); break;
  case 3:
    if (pv_test_roll(3))
      pv_str_addf(s, "  free(p);\n%s", pv_test_roll(3) ? "" : "  p = 0;\n");
    else
      pv_str_add(s, "  q = g;\n  free(q);\n");
    break;
  case 4: pv_str_add(s, "  g = p;\n"); break;
  case 5: pv_str_add(s, "  q = g;\n"); break;
  case 6:
    pv_str_addf(s, "  if (p && p == %s) reach_error();\n", pv_test_roll(2) ? "q" : "g");
    break;
  case 7:
    pv_str_addf(s, "  if (%s) *q = %u;\n", pv_test_roll(2) ? "q && q != p" : "q", pv_test_roll(3));
    break;
  case 8: pv_str_add(s, "  p = malloc(sizeof *p);\n  g = p;\n"); break;
  }
}

static inline void pv_test_statement(struct pv_str *s, unsigned depth, unsigned kinds);

/* Between the two, if it is not too deep. */
static inline void pv_test_between(struct pv_str *s, const char *before, const char *after,
                                   unsigned depth) {
  pv_str_add(s, before);
  if (!depth) pv_test_statement(s, depth + 1, PV_TEST_HELD);
  pv_str_add(s, after);
}

static inline void pv_test_held_statement(struct pv_str *s, unsigned depth) {
  static const char *const locks[] = {"mutex_lock(&again)",    "mutex_lock(&checked)",
                                      "rwlock_rdlock(&r)",     "rwlock_wrlock(&r)",
                                      "mutex_trylock(&again)", "mutex_trylock(&checked)",
                                      "rwlock_tryrdlock(&r)",  "rwlock_trywrlock(&r)"};
  static const char *const unlocks[] = {"mutex_unlock(&again)", "mutex_unlock(&checked)",
                                        "rwlock_unlock(&r)", "rwlock_unlock(&r)"};
  static const char *const ends[] = {"  if (%s == %u) exit(0);\n", "  if (%s == %u) abort();\n",
                                     "  __VERIFIER_assume(%s != %u);\n"};
  unsigned lock = pv_test_roll(4), value = pv_test_roll(3);
  struct pv_str before = {0}, after = {0};
  switch (pv_test_roll(8)) {
  case 0:
  case 1:
    pv_str_addf(&before, "  pthread_%s;\n", locks[lock]);
    if (pv_test_roll(2)) pv_str_addf(&before, "  pthread_%s;\n", locks[lock + 4 * pv_test_roll(2)]);
    pv_str_addf(&after, "  pthread_%s;\n", unlocks[lock]);
    if (pv_test_roll(2)) pv_str_addf(&after, "  pthread_%s;\n", unlocks[lock]);
    break;
  case 2:
    pv_str_addf(&before, "  if (!pthread_%s) {\n", locks[4 + lock]);
    pv_str_addf(&after, "  pthread_%s;\n  }\n", unlocks[lock]);
    break;
  case 3: pv_str_addf(&before, "  pthread_%s;\n", unlocks[pv_test_roll(2)]); break;
  case 4:
  case 5: {
    bool chooses = pv_test_roll(2);
    pv_str_addf(&before, "  __VERIFIER_atomic_begin();\n  %s = %u;\n", pv_test_global(), value);
    if (chooses) pv_str_add(&before, "  l = proviso_choose(0, 1);\n");
    char *what = pv_format("%s%s", chooses ? "l + " : "", pv_test_global());
    pv_str_addf(&before, ends[pv_test_roll(3)], what, pv_test_roll(3));
    pv_str_addf(&before, "  %s = l + 1;\n  __VERIFIER_atomic_end();\n", pv_test_global());
    free(what);
    break;
  }
  case 6: pv_str_addf(&before, "  l = proviso_choose(1, %s);\n", pv_test_global()); break;
  case 7:
    pv_str_addf(&before, "  if (%s == %u && l) reach_error();\n", pv_test_global(), value);
    break;
  }
  if (after.n)
    pv_test_between(s, before.at, after.at, depth);
  else
    pv_str_add(s, before.at);
  pv_str_free(&before);
  pv_str_free(&after);
}

static inline void pv_test_joins_statement(struct pv_str *s) {
  char lock = "mmmn"[pv_test_roll(4)], other = "mn"[pv_test_roll(2)], place = "xz"[pv_test_roll(2)];
  unsigned value = 1 + pv_test_roll(2);
  switch (pv_test_roll(14)) {
  case 0: pv_str_addf(s, "  %c = %u;\n", place, value); break;
  case 1: pv_str_add(s, "  l = z;\n"); break;
  case 2:
    pv_str_addf(s, "  if (!pthread_mutex_trylock(&%c)) pthread_mutex_unlock(&%c);\n", lock, lock);
    break;
  case 3: pv_str_addf(s, "  sem_%s(&e);\n", value == 1 ? "wait" : "post"); break;
  default:
    pv_str_addf(s, "  pthread_mutex_lock(&%c);\n", lock);
    if (pv_test_roll(2)) pv_str_addf(s, "  %c = %u;\n", place, value);
    if (other != lock && !pv_test_roll(3))
      pv_str_addf(s, "  pthread_mutex_lock(&%c);\n  z = l;\n  pthread_mutex_unlock(&%c);\n", other,
                  other);
    pv_str_addf(s, "  pthread_mutex_unlock(&%c);\n", lock);
    break;
  }
}

/* Main joins them in this order or that one, and looks at something after each. */
static inline void pv_test_joins(struct pv_str *s, unsigned threads) {
  unsigned first = pv_test_roll(threads);
  for (unsigned t = 0; t < threads; t++) {
    const char *result = pv_test_roll(6) ? "0" : "&result";
    pv_str_addf(s, "  pthread_join(t[%u], %s);\n", (first + t) % threads, result);
    if (pv_test_roll(2)) pv_str_addf(s, "  if (x == %u) reach_error();\n", pv_test_roll(3));
  }
}

static inline void pv_test_handed_statement(struct pv_str *s) {
  char semaphore = "eff"[pv_test_roll(3)], place = "as"[pv_test_roll(2)];
  unsigned value = pv_test_roll(2);
  switch (pv_test_roll(7)) {
  case 0: pv_str_addf(s, "  sem_post(&%c);\n", semaphore); break;
  case 1:
  case 2: pv_str_addf(s, "  %c = %u;\n  sem_post(&%c);\n", place, 1 + value, semaphore); break;
  case 3:
  case 4:
    pv_str_addf(s, "  sem_wait(&%c);\n  if (%c == %u) reach_error();\n", semaphore, place, value);
    break;
  case 5: pv_str_addf(s, "  sem_wait(&%c);\n  %c = %u;\n", semaphore, place, 1 + value); break;
  case 6: pv_str_addf(s, "  l = %c;\n  sem_wait(&%c);\n", place, semaphore); break;
  }
}

static inline void pv_test_posts_statement(struct pv_str *s) {
  char semaphore = "eef"[pv_test_roll(3)], place = "as"[pv_test_roll(2)];
  unsigned value = pv_test_roll(3), other = pv_test_roll(2);
  switch (pv_test_roll(10)) {
  case 0:
  case 1: pv_str_addf(s, "  sem_post(&%c);\n", semaphore); break;
  case 2:
  case 3:
  case 4: pv_str_addf(s, "  sem_wait(&%c);\n", semaphore); break;
  case 5: pv_str_addf(s, "  %c = %u;\n", place, value); break;
  case 6: pv_str_addf(s, "  %c = 1;\n  sem_post(&%c);\n", place, semaphore); break;
  case 7: pv_str_addf(s, "  l = %c;\n  sem_wait(&%c);\n", place, semaphore); break;
  case 8: pv_str_addf(s, "  if (l == %u && %c == %u) reach_error();\n", other, place, value); break;
  case 9: pv_str_addf(s, "  if (!sem_trywait(&%c)) l = %u;\n", semaphore, value); break;
  }
}

static inline void pv_test_statement(struct pv_str *s, unsigned depth, unsigned kinds) {
  static const char *const locks[] = {"m", "n"};
  unsigned lock = pv_test_roll(2);
  if (kinds == PV_TEST_HEAP && pv_test_roll(3)) {
    pv_test_heap_statement(s);
    return;
  }
  if (kinds == PV_TEST_EXCHANGE && pv_test_roll(4)) {
    pv_test_exchange_statement(s);
    return;
  }
  if (kinds == PV_TEST_SECTIONS && pv_test_roll(8)) {
    pv_test_sections_statement(s);
    return;
  }
  if (kinds == PV_TEST_INDEX && pv_test_roll(4)) {
    pv_test_index_statement(s);
    return;
  }
  if (kinds == PV_TEST_POSTS && pv_test_roll(8)) {
    pv_test_posts_statement(s);
    return;
  }
  if (kinds == PV_TEST_HANDED && pv_test_roll(10)) {
    pv_test_handed_statement(s);
    return;
  }
  if (kinds == PV_TEST_PARTS && pv_test_roll(10)) {
    pv_test_parts_statement(s);
    return;
  }
  if (kinds == PV_TEST_ADDS && pv_test_roll(12)) {
    pv_test_adds_statement(s);
    return;
  }
  if (kinds == PV_TEST_ENDS && pv_test_roll(6)) {
    pv_test_ends_statement(s);
    return;
  }
  if (kinds == PV_TEST_COPIES && pv_test_roll(8)) {
    pv_test_copies_statement(s);
    return;
  }
  if (kinds == PV_TEST_INPUTS && pv_test_roll(8)) {
    pv_test_inputs_statement(s);
    return;
  }
  if (kinds == PV_TEST_JOINS && pv_test_roll(12)) {
    pv_test_joins_statement(s);
    return;
  }
  if (kinds == PV_TEST_HELD && pv_test_roll(3)) {
    pv_test_held_statement(s, depth);
    return;
  }
  bool exact = kinds == PV_TEST_PARTS || kinds == PV_TEST_ADDS || kinds == PV_TEST_SECTIONS;
  switch (pv_test_roll(exact ? PV_TEST_PLAIN : kinds)) {
  case 0:
  case 1: {
    const char *name = pv_test_global();
    if (pv_test_roll(3) == 0) pv_str_addf(s, "  %s = 3;\n", name);
    pv_str_addf(s, "  %s = %u;\n", name, pv_test_roll(3));
    break;
  }
  case 2:
  case 3: pv_str_addf(s, "  l = %s;\n", pv_test_global()); break;
  case 4: pv_str_addf(s, "  %s = l + 1;\n", pv_test_global()); break;
  case 5: pv_str_addf(s, "  l = atomic_fetch_xor(&a, %u) & 3;\n", 1 + pv_test_roll(3)); break;
  case 6: pv_str_addf(s, "  atomic_fetch_add(&a, 1);\n"); break;
  case 7:
    if (depth > 1) break;
    pv_str_addf(s, "  if (l == %u) {\n", pv_test_roll(2));
    pv_test_statement(s, depth + 1, kinds);
    pv_str_add(s, "  }\n");
    break;
  case 8:
    if (depth > 1) break;
    pv_str_addf(s, "  pthread_mutex_lock(&%s);\n", locks[lock]);
    pv_test_statement(s, depth + 1, kinds);
    if (pv_test_roll(2)) pv_test_statement(s, depth + 1, kinds);
    pv_str_addf(s, "  pthread_mutex_unlock(&%s);\n", locks[lock]);
    break;
  case 9:
    if (depth > 1) break;
    pv_str_addf(s, "  if (!pthread_mutex_trylock(&%s)) {\n", locks[lock]);
    pv_test_statement(s, depth + 1, kinds);
    pv_str_addf(s, "  pthread_mutex_unlock(&%s);\n  }\n", locks[lock]);
    break;
  case 10:
    pv_str_addf(s, "  if (%s == %u && l) reach_error();\n", pv_test_global(), pv_test_roll(3));
    break;
  case 11: pv_str_add(s, "  l = proviso_choose(0, 1);\n"); break;
  case 12: pv_str_add(s, "  pthread_mutex_lock(&n);\n"); break; /* and keeps it */
  case 13: pv_str_add(s, "  sem_post(&e);\n"); break;
  case 14: pv_str_add(s, "  sem_wait(&e);\n"); break;
  case 15:
    pv_str_add(s, "  pthread_mutex_lock(&m);\n  if (!x) pthread_cond_wait(&c, &m);\n"
                  "  pthread_mutex_unlock(&m);\n");
    break;
  case 16: pv_str_add(s, "  pthread_cond_signal(&c);\n"); break;
  case 17: pv_str_add(s, "  pthread_cond_broadcast(&c);\n"); break;
  case 18:
    pv_str_add(s, "  pthread_rwlock_rdlock(&r);\n  l = y;\n  pthread_rwlock_unlock(&r);\n");
    break;
  case 19:
    pv_str_add(s, "  pthread_rwlock_wrlock(&r);\n  y = 2;\n  pthread_rwlock_unlock(&r);\n");
    break;
  case 20:
    pv_str_add(
        s, "  __VERIFIER_atomic_begin();\n  l = x;\n  x = l + 1;\n  __VERIFIER_atomic_end();\n");
    break;
  case 21: {
    unsigned value = pv_test_roll(3); /* 2: a loop that does a little between its looks */
    pv_str_addf(s, "  for (int k = 0; %s != %u;)%s\n", pv_test_global(), value,
                value == 2 ? " if (k ^= 1) sched_yield();" : " {}");
    break;
  }
  case 22:
    if (depth > 1) break;
    pv_str_add(s, "  while (atomic_exchange(&s, 1)) {}\n");
    pv_test_statement(s, depth + 1, kinds);
    pv_str_add(s, "  s = 0;\n");
    break;
  default: break;
  }
}

/* The caller frees it. */
static inline char *pv_test_program(uint64_t seed, unsigned kinds) {
  struct pv_str s = {0};
  pv_test_roll_state = seed * UINT64_C(0x9e3779b97f4a7c15) + kinds;
  unsigned threads = kinds == PV_TEST_ADDS ? 4 : 2 + pv_test_roll(2);
  if (kinds == PV_TEST_COPIES) threads = 2;
  if (kinds == PV_TEST_HELD) pv_str_add(&s, "#define _GNU_SOURCE\n#include <stdlib.h>\n");
  pv_str_add(&s, "#include <pthread.h>\n#include <semaphore.h>\n#include <stdatomic.h>\n"
                 "int proviso_choose(int low, int high);\nvoid __VERIFIER_atomic_begin(void);\n"
                 "void __VERIFIER_atomic_end(void);\n"
                 "extern void reach_error(void);\nint x, y, z, u[4];\natomic_int a, s;\nsem_t e;\n"
                 "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;\n"
                 "pthread_cond_t c = PTHREAD_COND_INITIALIZER;\n"
                 "pthread_rwlock_t r = PTHREAD_RWLOCK_INITIALIZER;\npthread_t t[4];\n"
                 "void *result;\n");
  const char *locals = kinds != PV_TEST_HEAP ? "  int l = 0;\n" : "  int l = 0, *p = 0, *q = 0;\n";
  if (kinds == PV_TEST_HEAP) pv_str_add(&s, "#include <stdlib.h>\nint *_Atomic g;\n");
  if (kinds == PV_TEST_COPIES) {
    locals = "  int l = 0;\n  struct both own = {1};\n";
    pv_str_add(&s, "struct both {\n  int k, w[3];\n} p, q;\n"
                   "void assign(struct both *to, const struct both *from) { *to = *from; }\n");
  }
  if (kinds == PV_TEST_HELD)
    pv_str_add(&s, "void __VERIFIER_assume(int);\n"
                   "pthread_mutex_t again = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;\n"
                   "pthread_mutex_t checked = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;\n");
  if (kinds == PV_TEST_PARTS || kinds == PV_TEST_ADDS)
    pv_str_add(
        &s, "union {\n  atomic_int all;\n  atomic_short half[2];\n  atomic_char byte[4];\n} w;\n");
  bool two = kinds == PV_TEST_POSTS || kinds == PV_TEST_HANDED; /* semaphores */
  if (two) pv_str_add(&s, "sem_t f;\n");
  bool others_join = pv_test_roll(8) == 0 && kinds != PV_TEST_JOINS; /* the last one the first */
  for (unsigned t = 0; t < threads; t++) {
    pv_str_addf(&s, "void *t%u(void *arg) {\n%s", t, locals);
    unsigned most = threads > 2 ? 2 : kinds == PV_TEST_HEAP ? 3 : 4;
    if (kinds == PV_TEST_HELD) most = 4 - threads; /* they take many steps */
    if (kinds == PV_TEST_POSTS) most = 7 - threads;
    if (kinds == PV_TEST_COPIES) most = 3;
    if (kinds == PV_TEST_HANDED || kinds == PV_TEST_JOINS) most = 2;
    if (threads == 4) most = 1;
    for (unsigned i = 1 + pv_test_roll(most); i--;) pv_test_statement(&s, 0, kinds);
    if (others_join && t + 1 == threads)
      pv_str_addf(&s, "  pthread_join(t[0], %s);\n", pv_test_roll(2) ? "&result" : "0");
    pv_str_add(&s, "  return 0;\n}\n");
  }
  pv_str_add(&s, "int main(void) {\n");
  pv_str_add(&s, locals);
  if (kinds == PV_TEST_HEAP && pv_test_roll(2))
    pv_str_add(&s, "  p = malloc(sizeof *p);\n  g = p;\n");
  pv_str_add(&s, "  sem_init(&e, 0, 1);\n");
  if (two) pv_str_addf(&s, "  sem_init(&f, 0, %u);\n", pv_test_roll(2));
  for (unsigned t = 0; t < threads; t++) {
    pv_str_addf(&s, "  pthread_create(&t[%u], 0, t%u, 0);\n", t, t);
    if (pv_test_roll(6) == 0) pv_test_statement(&s, 0, kinds);
  }
  if (kinds == PV_TEST_HANDED || kinds == PV_TEST_SECTIONS)
    for (unsigned i = 1 + pv_test_roll(3); i--;) pv_test_statement(&s, 0, kinds);
  if (kinds == PV_TEST_JOINS)
    pv_test_joins(&s, threads);
  else if (pv_test_roll(4))
    for (unsigned t = others_join; t < threads; t++)
      pv_str_addf(&s, "  pthread_join(t[%u], %s);\n", t, pv_test_roll(4) ? "0" : "&result");
  if (kinds == PV_TEST_COPIES)
    pv_str_addf(&s, "  if (p.k + q.k == %u) reach_error();\n", 1 + pv_test_roll(4));
  pv_str_add(&s, "  if (x == 2 && y == 1) reach_error();\n  return 0;\n}\n");
  return s.at;
}

#endif
