/* words.h -- circuits on words. A word is an array of literals (sat.h), the lowest bit first. `out`
 * may be an operand, unless said otherwise. Private to src/smt. */
#ifndef PV_SMT_WORDS_H
#define PV_SMT_WORDS_H

#include "smt/sat.h"

enum { PV_WORD_WIDEST = 512 };

/* a + b + carry; returns the carry out. */
int pv_word_sum(struct pv_sat *t, uint32_t n, const int *a, const int *b, int carry, int *out);
void pv_word_invert(uint32_t n, const int *a, int *out);
void pv_word_constant(uint32_t n, int bit, int *out); /* n times the same bit */
void pv_word_number(uint32_t n, uint64_t number, int *out);
void pv_word_negate_if(struct pv_sat *t, uint32_t n, int c, const int *a, int *out);
/* a < b; or_equal: PV_SAT_TRUE for a <= b, else PV_SAT_FALSE. */
int pv_word_below(struct pv_sat *t, uint32_t n, const int *a, const int *b, int or_equal);
int pv_word_signed_below(struct pv_sat *t, uint32_t n, const int *a, const int *b, int or_equal);
int pv_word_equal(struct pv_sat *t, uint32_t n, const int *a, const int *b);
int pv_word_all_are(struct pv_sat *t, uint32_t n, const int *a, int bit); /* are all bits `bit`? */
void pv_word_choose(struct pv_sat *t, uint32_t n, int c, const int *a, const int *b, int *out);
void pv_word_product(struct pv_sat *t, uint32_t n, const int *a, const int *b, int *out);
/* Division by 0: the quotient has all bits, the remainder is a, as SMT-LIB wants it. Either result
 * may be NULL; of signed_divide one must be. */
void pv_word_divide(struct pv_sat *t, uint32_t n, const int *a, const int *b, int *quotient,
                    int *remainder);
void pv_word_signed_divide(struct pv_sat *t, uint32_t n, const int *a, const int *b, int *quotient,
                           int *remainder);
enum pv_word_shift { PV_WORD_LEFT, PV_WORD_RIGHT, PV_WORD_RIGHT_SIGNED };
void pv_word_shift(struct pv_sat *t, uint32_t n, enum pv_word_shift how, const int *a, const int *b,
                   int *out);

#endif
