/* visited.h -- sets of visited states that may lose states: hash compaction and bitstate hashing.
 *
 * A state is represented by its fingerprint, two words. Each word is the sum, modulo 2^64, over all
 * components of a mixing function of (component, leaf), with a key of its own, minus the same sum
 * for the initial state. So an update costs time proportional to the changed components. The mixing
 * function is treated as a random function. Then the fingerprints of two different states differ by
 * a sum of independent uniform numbers, and agree in b given bits with probability 2^-b.
 *
 * Compact: a set of fingerprints of b bits (Wolper, Leroy, "Reliable hashing without collision
 * detection", CAV 1993). Bits: a Bloom filter; a state sets k of m bits and counts as visited if
 * all of them are set (Holzmann, "An analysis of bitstate hashing", FMSD 13, 1998).
 *
 * An omission is a new state that is reported as visited. It is lost, with everything that only it
 * leads to. With j states stored, a new state is omitted with probability at most
 *
 *   q(j) = j / 2^b        compact
 *   q(j) = (s(j) / m)^k   bits; s(j): the number of bits set
 *
 * Up to the first omission there is at most one new state for each j. So over a search that stored
 * n states the probability that any state was lost is at most
 *
 *   bound = min(1, sum of q(j) for j = 0 ... n)
 *
 * For compact this is n (n + 1) / 2^(b+1), the birthday bound as a union bound. It requires only
 * pairwise independence. For bits it is the bound of Dillinger and Manolios, "Bloom filters in
 * probabilistic verification", FMCAD 2004, with the actual fill instead of the expected one. Before
 * each stored state q / (1 - q) states are omitted on average; `expected` is the sum of these
 * numbers, not including states behind omitted ones.
 *
 * Deviation: no double hashing (Kirsch, Mitzenmacher, "Less hashing, same performance", ESA 2006),
 * because the bound does not cover its small number of distinct sequences. Each of the k numbers is
 * mixed anew from the 128 bits.
 *
 * With m/n bits per state the last of n states is omitted with probability (1 - e^(-kn/m))^k. The
 * minimum is at k = 0.69 m/n. The usual k = 3 is optimal for four to five bits per state and nearly
 * optimal for fewer. With twenty bits, k = 8 loses twenty times less. */
#ifndef PV_VISITED_H
#define PV_VISITED_H

#include "result/result.h"

struct pv_fingerprint {
  uint64_t word[2];
};
/* Updates the fingerprint: the component changes from `old` to `leaf`. */
void pv_fingerprint_change(struct pv_fingerprint *f, uint32_t component, uint32_t old,
                           uint32_t leaf);

struct pv_visited;
struct pv_visited *pv_visited_compact(unsigned bits); /* 1 to 128 bits of the fingerprint */
/* A table of `bytes` bytes, at least 8. A state sets `hashes` bits. */
struct pv_visited *pv_visited_bits(uint64_t bytes, unsigned hashes);
void pv_visited_free(struct pv_visited *v); /* NULL is fine */
/* Adds a state. Returns true if the set did not contain it, as far as the set can tell. */
bool pv_visited_add(struct pv_visited *v, const struct pv_fingerprint *f);
uint64_t pv_visited_states(const struct pv_visited *v); /* the number of states added */
uint64_t pv_visited_bytes(const struct pv_visited *v);
/* The size of an allocation that the next additions will make; 0: none. */
uint64_t pv_visited_growth(const struct pv_visited *v);

struct pv_loss pv_visited_loss(const struct pv_visited *v);

#endif
