/* fewer_test.h -- which of many cases a test runs: a part of them, which is another one with each
 * commit, and a smaller part under the sanitizers, which make programs several times slower.
 *
 * In the environment: PROVISO_TURN, a number that tells whose turn it is (./test sets it to the
 * number of commits); PROVISO_ALL, all cases. */
#ifndef PV_FEWER_TEST_H
#define PV_FEWER_TEST_H

#include <stdint.h>
#include <stdlib.h>

/* n, or an eighth of it. */
static inline unsigned pv_test_fewer(unsigned n) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  return (n + 7) / 8;
#else
  return n;
#endif
}

/* In how many parts the cases are divided: `usual`; under the sanitizers at least eight. What a
 * test wants to have seen at least, so that it has not tested nothing, holds for all of them
 * together: of a part it wants that much divided by their number. */
static inline unsigned pv_test_parts(unsigned usual) {
  if (getenv("PROVISO_ALL")) return 1;
  unsigned fewer = 8 / pv_test_fewer(8);
  return usual > fewer ? usual : fewer;
}

/* Which of these parts it is this time. */
static inline unsigned pv_test_turn(unsigned parts) {
  const char *turn = getenv("PROVISO_TURN");
  return turn ? (unsigned)(strtoull(turn, NULL, 10) % parts) : 0;
}

/* Makes of the cases *from to *to - 1 this part, or `least` of them that begin with it. */
static inline void pv_test_share(unsigned usual, unsigned least, uint64_t *from, uint64_t *to) {
  uint64_t n = *to - *from, parts = pv_test_parts(usual), turn = pv_test_turn((unsigned)parts);
  uint64_t begin = n * turn / parts, end = n * (turn + 1) / parts;
  if (n < least) least = (unsigned)n;
  if (end - begin < least) begin = begin + least > n ? n - least : begin, end = begin + least;
  *to = *from + end;
  *from += begin;
}

#endif
