/* ir_internal.h -- shared by ir.c, fold.c and verify.c only. */
#ifndef PV_IR_INTERNAL_H
#define PV_IR_INTERNAL_H

#include "ir/ir.h"

/* Clears the bits of a constant beyond its width, so that every value has one representation. */
void pv_const_normalise(struct pv_expr_node *n);
/* Returns a simpler equal expression, or 0. It has all undefined behaviour of the operands. */
pv_expr pv_fold(struct pv_program *p, const struct pv_expr_node *n);
/* The negation of a comparison as a comparison. */
bool pv_negated(const struct pv_expr_node *in, struct pv_expr_node *out);

#endif
