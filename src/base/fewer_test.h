/* fewer_test.h -- chooses which of many cases a test runs. The cases are divided into parts, and
 * each commit runs another part. Under the sanitizers, which make programs several times slower,
 * the parts are smaller.
 *
 * Environment: PROVISO_TURN is the number of the part, modulo their number (./test sets it to the
 * number of commits). PROVISO_ALL asks for all cases. */
#ifndef PV_FEWER_TEST_H
#define PV_FEWER_TEST_H

#include <stdint.h>
#include <stdlib.h>

/* n, or an eighth of it under the sanitizers. */
static inline unsigned pv_test_fewer(unsigned n) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  return (n + 7) / 8;
#else
  return n;
#endif
}

/* Into how many parts the cases are divided: `usual`; under the sanitizers at least eight. If a
 * test requires a number of interesting cases, so that it cannot pass without testing anything,
 * the number is for all parts together: one part must have its share. */
static inline unsigned pv_test_parts(unsigned usual) {
  if (getenv("PROVISO_ALL")) return 1;
  unsigned fewer = 8 / pv_test_fewer(8);
  return usual > fewer ? usual : fewer;
}

/* The number of the part to run, from 0. */
static inline unsigned pv_test_turn(unsigned parts) {
  const char *turn = getenv("PROVISO_TURN");
  return turn ? (unsigned)(strtoull(turn, NULL, 10) % parts) : 0;
}

/* Narrows the cases *from to *to - 1 to the part to run; to `least` cases if the part has fewer. */
static inline void pv_test_share(unsigned usual, unsigned least, uint64_t *from, uint64_t *to) {
  uint64_t n = *to - *from, parts = pv_test_parts(usual), turn = pv_test_turn((unsigned)parts);
  uint64_t begin = n * turn / parts, end = n * (turn + 1) / parts;
  if (n < least) least = (unsigned)n;
  if (end - begin < least) begin = begin + least > n ? n - least : begin, end = begin + least;
  *to = *from + end;
  *from += begin;
}

#endif
