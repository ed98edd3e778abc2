/* small.h -- Buechi automata with few states, as matrices of bits, with marks on states. Words are
 * told apart by what they do: between which states they lead, and whether a state accepts on the
 * way. There are finitely many such effects, so comparing two automata is exact, without a
 * complement (Buechi, "On a decision method in restricted second order arithmetic", 1962). Private
 * to src/ltl. */
#ifndef PV_LTL_SMALL_H
#define PV_LTL_SMALL_H

#include "ltl/automaton.h"

enum {
  PV_SMALL = 8,           /* states: a matrix has a row of bits for each */
  PV_SMALL_CLASSES = 128, /* sets of letters that the automaton does not tell apart */
  PV_SMALL_WORD = 64      /* letters of a word */
};
typedef uint64_t pv_matrix; /* bit PV_SMALL * from + to */

/* State 0 is the initial one. */
struct pv_small {
  uint32_t n, classes;
  pv_matrix step[PV_SMALL_CLASSES];
  uint64_t accepts; /* a set of states */
};
/* letter[0 ... loop), and then letter[loop ... n) for ever; letters are classes. */
struct pv_small_word {
  uint8_t letter[PV_SMALL_WORD];
  uint32_t n, loop;
};
/* A word of the language that goes on after `middle` letters. */
struct pv_small_pair {
  struct pv_small_word word;
  uint32_t middle;
};

/* Looks for a short word that only one of the automata accepts. false: there are too many effects,
 * or words would be too long. *differs: there is one; then *word is it, and *first says whether the
 * first automaton accepts it. They have as many classes. The budget may be NULL. */
bool pv_small_compare(const struct pv_small *a, const struct pv_small *b,
                      struct pv_ltl_budget *budget, bool *differs, bool *first,
                      struct pv_small_word *word);

/* Pairs such that of each two of them not both exchanges of what comes after the middle are words
 * of the language: after the middles of these words a Buechi automaton for the language is in
 * different states (Birget, "Intersection and union of regular languages and state complexity", IPL
 * 43, 1992). The middle of the first one is 0 if `initial`. Returns their number, at most PV_SMALL;
 * not always as many as there are. */
uint32_t pv_small_pairs(const struct pv_small *a, bool initial, struct pv_ltl_budget *budget,
                        struct pv_small_pair *pairs);

#endif
