/* fewer_test.h -- how many random cases a test runs: fewer under the sanitizers, which make
 * programs several times slower. */
#ifndef PV_FEWER_TEST_H
#define PV_FEWER_TEST_H

/* n, or a third of it. */
static inline unsigned pv_test_fewer(unsigned n) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  return (n + 2) / 3;
#else
  return n;
#endif
}

#endif
