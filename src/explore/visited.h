/* visited.h -- which states were visited, for searches that may lose some: hash compaction and
 * bitstate hashing.
 *
 * A state is known by its fingerprint alone, two words: in each the sum, modulo 2^64, over all
 * components of a number drawn from (component, leaf) by a mixing function with a key of the word's
 * own, less what the sum is in the initial state. So a change of the state costs as much as
 * components changed, whatever their order was. The mixing function is taken for a random
 * function; then the fingerprints of any two different states differ by a sum of independent
 * uniform numbers, and are equal in b given bits with probability 2^-b.
 *
 * *compact*: a set of fingerprints of b bits (Wolper, Leroy, "Reliable hashing without collision
 * detection", CAV 1993). *bits*: a Bloom filter, in which a state sets k bits
 * out of m and counts as seen if they all are set (Holzmann, "An analysis of bitstate hashing",
 * FMSD 13, 1998).
 *
 * An *omission* is a state not visited before that is answered "seen": it and what only it leads to
 * are lost. With j states stored, one that is new is omitted with probability at most
 *
 *   q(j) = j / 2^b        compact
 *   q(j) = (s(j) / m)^k   bits; s(j): the bits set then
 *
 * Up to the first omission at most one new state comes for each j, so that over a search that
 * stored n states
 *
 *   bound = min(1, sum of q(j) for j = 0 ... n)
 *
 * bounds the probability that any state was lost. For compact that is n (n + 1) / 2^(b+1), the
 * birthday bound as a union bound: sums are independent only in pairs, which is all it needs. For
 * bits it is Dillinger and Manolios, "Bloom filters in probabilistic verification", FMCAD 2004,
 * with the fill that was, not the one expected. Before each new state that is stored,
 * q / (1 - q) others are omitted on average; `expected` is the sum of that, without the states
 * behind them.
 *
 * Deviation: no double hashing (Kirsch, Mitzenmacher, "Less hashing, same performance", ESA 2006),
 * whose few different sequences the formula does not know of: each of the k numbers is mixed anew
 * out of the 128 bits.
 *
 * With m/n bits a state the last of n states is omitted with probability (1 - e^(-kn/m))^k, which
 * is least for k = 0.69 m/n. The usual k = 3 is best at four to five bits a state, and near to the
 * best with fewer; with twenty bits k = 8 loses twenty times less. */
#ifndef PV_VISITED_H
#define PV_VISITED_H

#include "result/result.h"

struct pv_fingerprint {
  uint64_t word[2];
};
/* The component becomes `leaf` where it was `old`. */
void pv_fingerprint_change(struct pv_fingerprint *f, uint32_t component, uint32_t old,
                           uint32_t leaf);

struct pv_visited;
struct pv_visited *pv_visited_compact(unsigned bits); /* 1 ... 128 of the fingerprint */
/* A table of that many bytes, 8 at least; a state sets `hashes` bits of it. */
struct pv_visited *pv_visited_bits(uint64_t bytes, unsigned hashes);
void pv_visited_free(struct pv_visited *v); /* NULL is fine */
/* Adds a state; true if it was not there, as far as this set can tell. */
bool pv_visited_add(struct pv_visited *v, const struct pv_fingerprint *f);
uint64_t pv_visited_states(const struct pv_visited *v); /* that were new */
uint64_t pv_visited_bytes(const struct pv_visited *v);
/* Bytes that one of the next additions will take at once; 0: none soon. */
uint64_t pv_visited_growth(const struct pv_visited *v);

struct pv_loss pv_visited_loss(const struct pv_visited *v);

#endif
