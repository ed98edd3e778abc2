/* random_program_test.h -- for tests of engines: random programs with two or three threads. */
#ifndef PV_RANDOM_PROGRAM_TEST_H
#define PV_RANDOM_PROGRAM_TEST_H

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

static inline void pv_test_statement(struct pv_str *s, unsigned depth, unsigned kinds) {
  static const char *const locks[] = {"m", "n"};
  unsigned lock = pv_test_roll(2);
  switch (pv_test_roll(kinds)) {
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
  case 21: pv_str_addf(s, "  while (%s != %u) {}\n", pv_test_global(), pv_test_roll(3)); break;
  case 22:
    if (depth > 1) break;
    pv_str_add(s, "  while (atomic_exchange(&s, 1)) {}\n");
    pv_test_statement(s, depth + 1, kinds);
    pv_str_add(s, "  s = 0;\n");
    break;
  default: break;
  }
}

/* Kinds of statements: those whose order is known exactly to the tests of dpor/; all. */
enum { PV_TEST_PLAIN = 13, PV_TEST_ALL = 23 };

/* The caller frees it. */
static inline char *pv_test_program(uint64_t seed, unsigned kinds) {
  struct pv_str s = {0};
  pv_test_roll_state = seed * UINT64_C(0x9e3779b97f4a7c15) + kinds;
  unsigned threads = 2 + pv_test_roll(2);
  pv_str_add(&s, "#include <pthread.h>\n#include <semaphore.h>\n#include <stdatomic.h>\n"
                 "int proviso_choose(int low, int high);\nvoid __VERIFIER_atomic_begin(void);\n"
                 "void __VERIFIER_atomic_end(void);\n"
                 "extern void reach_error(void);\nint x, y, z;\natomic_int a, s;\nsem_t e;\n"
                 "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;\n"
                 "pthread_cond_t c = PTHREAD_COND_INITIALIZER;\n"
                 "pthread_rwlock_t r = PTHREAD_RWLOCK_INITIALIZER;\npthread_t t[3];\n"
                 "void *result;\n");
  bool others_join = pv_test_roll(8) == 0; /* the last one the first one */
  for (unsigned t = 0; t < threads; t++) {
    pv_str_addf(&s, "void *t%u(void *arg) {\n  int l = 0;\n", t);
    for (unsigned i = 1 + pv_test_roll(threads == 2 ? 4 : 2); i--;) pv_test_statement(&s, 0, kinds);
    if (others_join && t + 1 == threads)
      pv_str_addf(&s, "  pthread_join(t[0], %s);\n", pv_test_roll(2) ? "&result" : "0");
    pv_str_add(&s, "  return 0;\n}\n");
  }
  pv_str_add(&s, "int main(void) {\n  int l = 0;\n  sem_init(&e, 0, 1);\n");
  for (unsigned t = 0; t < threads; t++) {
    pv_str_addf(&s, "  pthread_create(&t[%u], 0, t%u, 0);\n", t, t);
    if (pv_test_roll(6) == 0) pv_test_statement(&s, 0, kinds);
  }
  if (pv_test_roll(4))
    for (unsigned t = others_join; t < threads; t++)
      pv_str_addf(&s, "  pthread_join(t[%u], %s);\n", t, pv_test_roll(4) ? "0" : "&result");
  pv_str_add(&s, "  if (x == 2 && y == 1) reach_error();\n  return 0;\n}\n");
  return s.at;
}

#endif
