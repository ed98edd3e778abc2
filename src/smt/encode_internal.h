/* encode_internal.h -- shared by the files of the encoder.
 *
 * LINEAR represents a value of `bits` bits by a *raw* number: any integer that is congruent to it
 * modulo 2^bits. Sums, differences, products with constants, truncations and low bits of raw
 * numbers are raw numbers. So reduction to the range of the type is delayed until the signed or
 * unsigned number is needed (pv_linear_norm). It is omitted where the bounds show that no
 * wrap-around happens. */
#ifndef PV_SMT_ENCODE_INTERNAL_H
#define PV_SMT_ENCODE_INTERNAL_H

#include "smt/encode.h"
#include "smt/smt_internal.h"

struct pv_value {
  pv_term t;     /* LINEAR: INT; BITVECTOR: BV; floats and conditions as in encode.h */
  unsigned bits; /* of the type */
  bool bounded;  /* lo <= t <= hi; LINEAR: the raw, BITVECTOR: the signed number */
  pv_i128 lo, hi;
  unsigned zeros;    /* LINEAR: 2^zeros divides t */
  bool assumed;      /* the bounds hold only where no event happens */
  bool unsigned_128; /* LINEAR: 0 <= t < 2^128, which `lo` and `hi` cannot say */
};

/* The operation that is being encoded. */
struct pv_operation {
  enum pv_expr_op op;
  unsigned flags, aux;
  pv_type type; /* of the result */
  pv_type from; /* of the first operand */
};

enum pv_note_kind { PV_NOTE_EVENT, PV_NOTE_SIDE, PV_NOTE_FRESH, PV_NOTE_IMPRECISE };
struct pv_note {
  enum pv_note_kind kind;
  enum pv_encode_event event;
  pv_term term; /* EVENT: when; SIDE: the condition; FRESH: the constant */
};

struct pv_entry {
  uint32_t generation; /* valid if it is the cache's */
  bool below;          /* it or an operand has notes */
  bool once;           /* contains UNDEF: a new value in each call */
  bool has[2];         /* by signedness */
  struct pv_value raw, norm[2];
  uint32_t note_from, notes;
};
struct pv_signs { /* of a function's variables */
  const struct pv_function *function;
  uint8_t *is_signed;
};
struct pv_encoder_cache {
  uint32_t generation;
  PV_VEC(struct pv_entry) entry; /* by expression */
  PV_VEC(struct pv_note) notes;
  PV_VEC(pv_expr) once;
  PV_VEC(struct pv_signs) signs;
};

/* ---- notes on the operation that is being encoded ---- */
void pv_note_event(struct pv_encoder *e, enum pv_encode_event kind, pv_term when);
void pv_note_imprecise(struct pv_encoder *e);
void pv_note_side(struct pv_encoder *e, pv_term condition);
/* A fresh constant of the type's sort, within its range. */
pv_term pv_note_fresh(struct pv_encoder *e, const char *name, struct pv_sort sort);

/* ---- LINEAR: encode_linear.c, encode_linear_bits.c ---- */
pv_term pv_linear_power(struct pv_encoder *e, unsigned k); /* 2^k, k <= 128 */
bool pv_linear_range(unsigned bits, bool is_signed, pv_i128 *lo, pv_i128 *hi);
struct pv_value pv_linear_typed(pv_term t, unsigned bits, bool is_signed);
struct pv_value pv_linear_number(struct pv_encoder *e, unsigned bits, pv_i128 v);
struct pv_value pv_linear_bounded(pv_term t, unsigned bits, pv_i128 lo, pv_i128 hi);
struct pv_value pv_linear_norm(struct pv_encoder *e, struct pv_value v, bool is_signed);
struct pv_value pv_linear_bool(struct pv_encoder *e, pv_term b, bool is_signed);
pv_term pv_linear_as_bool(struct pv_encoder *e, struct pv_value v);
struct pv_value pv_linear_ite(struct pv_encoder *e, pv_term c, struct pv_value a,
                              struct pv_value b);
/* An arbitrary value between the bounds, for an operation that no linear term expresses. */
struct pv_value pv_linear_any(struct pv_encoder *e, const char *name, unsigned bits, pv_i128 lo,
                              pv_i128 hi);
struct pv_value pv_linear_unknown(struct pv_encoder *e, const char *name, unsigned bits,
                                  bool is_signed);
struct pv_value pv_linear_add(struct pv_encoder *e, struct pv_value a, struct pv_value b);
struct pv_value pv_linear_sub(struct pv_encoder *e, struct pv_value a, struct pv_value b);
struct pv_value pv_linear_scale(struct pv_encoder *e, struct pv_value a, pv_i128 k);
struct pv_value pv_linear_low_bits(struct pv_encoder *e, struct pv_value a, unsigned k);
bool pv_linear_is_number(const struct pv_value *v, pv_i128 *out);
/* t > limit, t < limit, with constants moved to the right-hand side. */
pv_term pv_linear_above(struct pv_encoder *e, pv_term t, pv_i128 limit);
pv_term pv_linear_below(struct pv_encoder *e, pv_term t, pv_i128 limit);
struct pv_value pv_linear_binary(struct pv_encoder *e, const struct pv_operation *o,
                                 struct pv_value a, struct pv_value b);
pv_term pv_linear_compare(struct pv_encoder *e, enum pv_expr_op op, struct pv_value a,
                          struct pv_value b);
struct pv_value pv_linear_bitwise(struct pv_encoder *e, enum pv_expr_op op, struct pv_value a,
                                  struct pv_value b);
struct pv_value pv_linear_shift(struct pv_encoder *e, enum pv_expr_op op, struct pv_value a,
                                struct pv_value b);
struct pv_value pv_linear_intop(struct pv_encoder *e, const struct pv_operation *o,
                                const struct pv_value *args);
pv_term pv_linear_overflows(struct pv_encoder *e, enum pv_overflow kind, struct pv_value a,
                            struct pv_value b);

/* ---- BITVECTOR: encode_bits.c ---- */
pv_term pv_bits_number(struct pv_encoder *e, unsigned bits, pv_i128 v);
/* With the bounds that the term tells (pv_smt_bounds). */
struct pv_value pv_bits_typed(struct pv_encoder *e, pv_term t, unsigned bits);
void pv_bits_bound(struct pv_value *v, pv_i128 lo, pv_i128 hi); /* it lies there, too */
struct pv_value pv_bits_bool(struct pv_encoder *e, pv_term b);
struct pv_value pv_bits_extend(struct pv_encoder *e, bool is_signed, unsigned bits,
                               struct pv_value a);
struct pv_value pv_bits_binary(struct pv_encoder *e, const struct pv_operation *o,
                               struct pv_value a, struct pv_value b);
pv_term pv_bits_compare(struct pv_encoder *e, enum pv_expr_op op, pv_term a, pv_term b);
struct pv_value pv_bits_intop(struct pv_encoder *e, const struct pv_operation *o,
                              const struct pv_value *args);
pv_term pv_bits_overflows(struct pv_encoder *e, enum pv_overflow kind, struct pv_value a,
                          struct pv_value b);

/* ---- floats, BITVECTOR: encode_float.c ---- */
/* Operations with a float as operand or result, except FCMP. */
pv_term pv_float_operation(struct pv_encoder *e, const struct pv_operation *o, const pv_term *args);
pv_term pv_float_compare(struct pv_encoder *e, enum pv_fcmp predicate, pv_term a, pv_term b);

#endif
