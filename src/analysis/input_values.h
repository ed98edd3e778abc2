/* input_values.h -- abstract values for input_classes.c: where a value may come from an input.
 *
 * A value is the address of a stack slot, or one of at most PV_SUMS sums s * x + d, where x is an
 * input, s > 0 a constant, and d lies in an interval; without input the sum is a number. All
 * numbers are read as signed (bits of one bit: 0 and 1). If `other`, the value may also be anything
 * that does not depend on an input. "Affine" forms of one variable each, see Karr, "Affine
 * relationships among variables of a program", Acta Informatica 6, 1976.
 *
 * An input is *open* once its value may matter in another way than by comparisons of such sums with
 * constants. Until then, `splits` has the points where the outcome of a comparison changes: two
 * values of the input without a point p between them, a < p <= b, have the same outcome in all. */
#ifndef PV_INPUT_VALUES_H
#define PV_INPUT_VALUES_H

#include "ir/ir.h"

struct pv_input_domain { /* of one input, by site */
  bool known, open;
  int64_t low, high; /* its bounds */
  PV_VEC(int64_t) splits;
};
struct pv_input_domains {
  struct pv_input_domain *at;
  uint32_t n;
};

enum { PV_SUMS = 6 };
struct pv_sum {
  uint32_t input, zero; /* its site + 1; 0: none */
  int64_t scale;        /* 0 without an input */
  int64_t low, high;    /* of d */
};
/* Without padding, and zero where it is not used: values are compared by their bytes. */
struct pv_origin {
  uint8_t is_address, other, n, zero;
  uint32_t depth, slot, zero2; /* is_address: of the frame on the stack; its slot */
  int64_t offset;              /* is_address */
  struct pv_sum sum[PV_SUMS];
};

/* Anything that depends on no input; a number; an interval of numbers, both ends included; the
 * input of a site; the address of a slot of the frame at this depth. */
struct pv_origin pv_origin_other(void);
struct pv_origin pv_origin_number(int64_t n);
struct pv_origin pv_origin_interval(int64_t low, int64_t high);
struct pv_origin pv_origin_input(uint32_t site);
struct pv_origin pv_origin_address(uint32_t depth, uint32_t slot);
/* Does it contain an input? */
bool pv_origin_has_input(const struct pv_origin *v);
/* Is it just "other"? */
bool pv_origin_is_other(const struct pv_origin *v);
/* The only number that it can be. */
bool pv_origin_is_number(const struct pv_origin *v, int64_t *n);
/* All inputs in v are open from now on. */
void pv_origin_open(struct pv_input_domains *d, const struct pv_origin *v);
/* What may be the one or the other. Not for addresses. */
struct pv_origin pv_origin_join(struct pv_input_domains *d, const struct pv_origin *a,
                                const struct pv_origin *b);
/* The operation `n` on operands of `bits` bits. Not for addresses. Opens the inputs of operands if
 * it cannot express the result. b is NULL if there is one operand. */
struct pv_origin pv_origin_compute(struct pv_input_domains *d, const struct pv_expr_node *n,
                                   unsigned bits, const struct pv_origin *a,
                                   const struct pv_origin *b);

#endif
