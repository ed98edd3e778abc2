/* fewer_test.h -- how many random cases a test runs: fewer under the sanitizers, which make
 * programs several times slower. */
#ifndef PV_FEWER_TEST_H
#define PV_FEWER_TEST_H

/* n, or an eighth of it. */
static inline unsigned pv_test_fewer(unsigned n) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  return (n + 7) / 8;
#else
  return n;
#endif
}

/* One file in so many: n, or eight times as many. */
static inline unsigned pv_test_one_in(unsigned n) {
  return n * (800 / pv_test_fewer(800));
}

#endif
