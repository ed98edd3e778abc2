/* random.h -- pseudorandom numbers; equal seeds give equal sequences. The state is one word, which
 * the caller owns. Any value is a seed.
 *
 * Reference: SplitMix64 of Steele, Lea, Flood, "Fast splittable pseudorandom number generators",
 * OOPSLA 2014. Deviation: the finaliser is that of base.h. */
#ifndef PV_RANDOM_H
#define PV_RANDOM_H

#include "base/base.h"

static inline uint64_t pv_random(uint64_t *state) {
  return pv_hash_word(*state += UINT64_C(0x9e3779b97f4a7c15));
}
/* A number below n; n > 0. */
static inline uint32_t pv_random_below(uint64_t *state, uint32_t n) {
  return (uint32_t)((pv_random(state) >> 32) * n >> 32);
}

/* The i-th number, i >= 1, of the Luby sequence 1 1 2 1 1 2 4 1 1 2 1 1 2 4 8 ..., a restart
 * strategy: the lengths of successive attempts at something of unknown duration.
 *
 * Reference: Luby, Sinclair, Zuckerman, "Optimal speedup of Las Vegas algorithms", Information
 * Processing Letters 47, 1993. */
static inline uint64_t pv_luby(uint64_t i) {
  for (;;) {
    unsigned k = 1; /* the least with i < 2^k */
    while (i >> k) k++;
    if (i == (UINT64_C(1) << k) - 1) return UINT64_C(1) << (k - 1);
    i -= (UINT64_C(1) << (k - 1)) - 1;
  }
}

#endif
