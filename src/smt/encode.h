/* encode.h -- translates expressions of the ir into terms. There are two encodings.
 *
 * BITVECTOR: integers are bit-vectors, and floats are IEEE floats. Everything is exact except the C
 * library's functions on floats.
 *
 * LINEAR: integers are mathematical integers within the range of their type. Terms stay linear:
 * wrap-around is a case distinction (sums, differences) or a quotient (products with a constant,
 * truncation). An operation that no linear term expresses becomes a fresh constant within the range
 * of its type. Such operations are products of two variables, general bit operations, and
 * operations on floats. This is an over-approximation, and pv_encoder.imprecise is set.
 *
 * A LINEAR value is represented by its signed or its unsigned number. The choice depends on the
 * variable: on its source type, else on its uses (pv_encode_is_signed). Operands are converted
 * where an operation needs the other number.
 *
 * i1 is BOOL in both encodings. Pointers are unsigned integers of their width. */
#ifndef PV_SMT_ENCODE_H
#define PV_SMT_ENCODE_H

#include "ir/ir.h"
#include "smt/smt.h"

enum pv_encoding { PV_ENCODE_LINEAR, PV_ENCODE_BITVECTOR };

/* Events that the evaluation of an expression may raise, and the value of the expression in that
 * case. pv_encoded_event.when is the condition under which the event happens. */
enum pv_encode_event {
  PV_EVENT_OVERFLOW,          /* signed overflow: see pv_encoder.assume_no_overflow */
  PV_EVENT_DIVISION,          /* by zero: the value is unspecified; no path continues */
  PV_EVENT_DIVISION_OVERFLOW, /* MIN / -1, MIN % -1 (property no-overflow): likewise */
  PV_EVENT_SHIFT,             /* amount too large: likewise */
  PV_EVENT_FLOAT_CAST,        /* out of range: likewise */
  PV_EVENT_ADDRESS_ORDER,     /* order of pointers that may point to different objects */
  /* LINEAR: PTRADD under PV_XF_INBOUNDS leaves the address space. The value is the mathematical
   * sum, which is correct only if the event does not happen. */
  PV_EVENT_ADDRESS_WRAP
};
struct pv_encoded_event {
  enum pv_encode_event kind;
  pv_term when; /* BOOL; includes the conditions of enclosing `?:` */
  pv_expr expr; /* the operation */
};

struct pv_encoder {
  struct pv_smt *smt;
  const struct pv_program *program;
  enum pv_encoding encoding;
  /* The value after signed overflow (PV_XF_NSW). true: the mathematical result, which is correct
   * only if the event does not happen. false: the result wraps around. */
  bool assume_no_overflow;
  /* The term of a leaf: VAR, GLOBAL, SLOT, FUNC or LABEL. It has the sort of pv_encode_sort and is
   * never NULL. */
  pv_term (*leaf)(void *user, const struct pv_expr_node *node);
  void *user;
  const struct pv_function *function; /* that the expression belongs to */

  /* Filled by the calls below; the caller may empty them at any time. */
  PV_VEC(struct pv_encoded_event) events; /* without those whose `when` is false */
  /* Constraints on the fresh constants, to be asserted with the values. They are satisfiable for
   * all values of the leaves, so they exclude no state. */
  pv_terms side;
  pv_terms fresh;                 /* the fresh constants */
  bool imprecise;                 /* some value was over-approximated */
  struct pv_encoder_cache *cache; /* private; see pv_encoder_forget */
};
/* The sort of values of a type under the encoding. */
struct pv_sort pv_encode_sort(const struct pv_encoder *e, pv_type type);
/* LINEAR: is the variable represented by its signed number? */
bool pv_encode_is_signed(struct pv_encoder *e, const struct pv_function *f, uint32_t var);
/* LINEAR: are memory cells of this type represented by their signed number? All are but pointers.
 */
bool pv_encode_cell_is_signed(pv_type type);
/* LINEAR: min <= t <= max, for a value t of the type in this representation. `true` in BITVECTOR
 * and for i1. */
pv_term pv_encode_range(struct pv_encoder *e, pv_type type, bool is_signed, pv_term t);

/* Encodes an expression. LINEAR: `as_signed` chooses the representation. Conditions (i1) are BOOL.
 * Every call reports all events and side conditions of its expression, including those of parts
 * that were encoded before. UNDEF is a new constant in each call. */
pv_term pv_encode(struct pv_encoder *e, pv_expr expr, bool as_signed);
pv_term pv_encode_condition(struct pv_encoder *e, pv_expr expr);
/* LINEAR: converts a value t of the type from one representation to the other. */
pv_term pv_encode_convert(struct pv_encoder *e, pv_type type, pv_term t, bool from_signed,
                          bool to_signed);
/* BITVECTOR: the bits of a float as an integer of as many bits, or the reverse. There is a single
 * NaN; its bits are any of the patterns of NaNs. */
pv_term pv_encode_bitcast(struct pv_encoder *e, pv_type from, pv_type to, pv_term t);
/* The value that an RMW edge stores. */
pv_term pv_encode_rmw(struct pv_encoder *e, enum pv_rmw op, pv_type type, pv_term old,
                      pv_term operand, bool as_signed);
/* Discards cached terms. Call it when the terms of leaves change. */
void pv_encoder_forget(struct pv_encoder *e);
void pv_encoder_free(struct pv_encoder *e);

#endif
