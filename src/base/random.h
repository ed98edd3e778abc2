/* random.h -- numbers drawn by lot, the same in every run with the same seed. The state is one
 * word, the caller's; any value is a seed.
 *
 * SplitMix64's sequence (Steele, Lea, Flood, "Fast splittable pseudorandom number generators",
 * OOPSLA 2014) with the finaliser of base.h. */
#ifndef PV_RANDOM_H
#define PV_RANDOM_H

#include "base/base.h"

static inline uint64_t pv_random(uint64_t *state) {
  return pv_hash_word(*state += UINT64_C(0x9e3779b97f4a7c15));
}
/* Less than n, which is not 0. */
static inline uint32_t pv_random_below(uint64_t *state, uint32_t n) {
  return (uint32_t)((pv_random(state) >> 32) * n >> 32);
}

/* The i-th number of the sequence 1 1 2 1 1 2 4 1 1 2 1 1 2 4 8 ..., from i = 1 on (Luby, Sinclair,
 * Zuckerman, "Optimal speedup of Las Vegas algorithms", Information Processing Letters 47, 1993):
 * how long to try what may take any time, over and over. */
static inline uint64_t pv_luby(uint64_t i) {
  for (;;) {
    unsigned k = 1; /* the least with i < 2^k */
    while (i >> k) k++;
    if (i == (UINT64_C(1) << k) - 1) return UINT64_C(1) << (k - 1);
    i -= (UINT64_C(1) << (k - 1)) - 1;
  }
}

#endif
