/* encode.h -- from expressions of the ir to terms.
 *
 * Two encodings. BITVECTOR: integers are bit-vectors, floats IEEE floats, everything exact but the
 * C library's float functions. LINEAR: integers are mathematical integers within the range of their
 * type; what wraps around does so by case distinction (sums, differences) or with a quotient
 * (products with a constant, truncation), so that terms stay linear. An operation that no linear
 * term expresses (a product of two variables, general bit operations, floats) becomes a fresh
 * constant within its type's range: an over-approximation, and the result says so.
 *
 * A LINEAR value is kept as its signed or its unsigned number; which one is a matter of the
 * variable (its source type, else how it is used), see pv_encode_is_signed. Operands are converted
 * where an operation wants the other one.
 *
 * i1 is BOOL in both encodings. Pointers are unsigned integers of their width. */
#ifndef PV_SMT_ENCODE_H
#define PV_SMT_ENCODE_H

#include "ir/ir.h"
#include "smt/smt.h"

enum pv_encoding { PV_ENCODE_LINEAR, PV_ENCODE_BITVECTOR };

/* What evaluating an expression may run into. `when` is the condition under which it happens. The
 * table says what is assumed of the value if it happens. */
enum pv_encode_event {
  PV_EVENT_OVERFLOW,          /* signed overflow: see pv_encoder.assume_no_overflow */
  PV_EVENT_DIVISION,          /* by zero: the value is unspecified, no path goes on from there */
  PV_EVENT_DIVISION_OVERFLOW, /* MIN / -1, MIN % -1 (property no-overflow): likewise */
  PV_EVENT_SHIFT,             /* amount too large: likewise */
  PV_EVENT_FLOAT_CAST,        /* out of range: likewise */
  PV_EVENT_ADDRESS_ORDER,     /* pointers of perhaps different objects are compared by order */
  /* LINEAR: PTRADD under PV_XF_INBOUNDS leaves the address space; the value is the mathematical
   * sum, which is right only where this does not happen. */
  PV_EVENT_ADDRESS_WRAP
};
struct pv_encoded_event {
  enum pv_encode_event kind;
  pv_term when; /* BOOL; already under the conditions of enclosing `?:` */
  pv_expr expr; /* the operation */
};

struct pv_encoder {
  struct pv_smt *smt;
  const struct pv_program *program;
  enum pv_encoding encoding;
  /* Signed overflow (PV_XF_NSW): true: the value is the mathematical result, which is right only
   * where the event's condition is false; false: it wraps around. */
  bool assume_no_overflow;
  /* Terms of leaves: VAR, GLOBAL, SLOT, FUNC, LABEL; must have the sort of pv_encode_sort. Never
   * NULL. */
  pv_term (*leaf)(void *user, const struct pv_expr_node *node);
  void *user;
  const struct pv_function *function; /* that the expression belongs to */

  /* filled by the calls below; the caller empties them when it wants */
  PV_VEC(struct pv_encoded_event) events; /* those that can happen: `when` is not plainly false */
  /* Conditions on fresh constants that belong to the values: assert them. They can always be met,
   * whatever the leaves are: asserting them excludes nothing. */
  pv_terms side;
  pv_terms fresh;                 /* the fresh constants */
  bool imprecise;                 /* some value was over-approximated */
  struct pv_encoder_cache *cache; /* kept by the module; see pv_encoder_forget */
};
/* The sort of values of a type under the encoding. */
struct pv_sort pv_encode_sort(const struct pv_encoder *e, pv_type type);
/* Is the variable's number the signed one? (LINEAR) */
bool pv_encode_is_signed(struct pv_encoder *e, const struct pv_function *f, uint32_t var);
/* What memory cells of this type hold: the signed number, but for pointers. (LINEAR) */
bool pv_encode_cell_is_signed(pv_type type);
/* min <= t <= max for a value of the type kept as such (LINEAR; true in BITVECTOR and for i1). */
pv_term pv_encode_range(struct pv_encoder *e, pv_type type, bool is_signed, pv_term t);

/* Every call reports the events and side conditions of its expression, also of parts that were
 * encoded before. UNDEF is another constant in each call. */
/* The value, LINEAR: as a signed or unsigned number as wanted. Conditions are BOOL (i1). */
pv_term pv_encode(struct pv_encoder *e, pv_expr expr, bool as_signed);
pv_term pv_encode_condition(struct pv_encoder *e, pv_expr expr);
/* t, a value of type `from`, as one of the other signedness. (LINEAR) */
pv_term pv_encode_convert(struct pv_encoder *e, pv_type type, pv_term t, bool from_signed,
                          bool to_signed);
/* The value of a result of one edge's other operations on values: RMW's new value. */
pv_term pv_encode_rmw(struct pv_encoder *e, enum pv_rmw op, pv_type type, pv_term old,
                      pv_term operand, bool as_signed);
/* Forgets cached terms: the leaves mean something else from now on. */
void pv_encoder_forget(struct pv_encoder *e);
void pv_encoder_free(struct pv_encoder *e);

#endif
