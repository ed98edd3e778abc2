/* print_internal.h -- shared by the printers of the ir. Nothing outside src/ir includes it. All
 * functions append to `out`. */
#ifndef PV_IR_PRINT_INTERNAL_H
#define PV_IR_PRINT_INTERNAL_H

#include "ir/ir.h"

/* Precedences of C's operators. An operand with a lower precedence than its context needs gets
 * parentheses. */
enum { P_COND = 3, P_OR = 6, P_XOR, P_AND, P_EQ, P_REL, P_SHIFT, P_ADD, P_MUL, P_UNARY, P_POST };

/* "i32", "double", "ptr". */
void pv_print_type(pv_type type, struct pv_str *out);
/* The source spelling of a type, "int", "struct node *", "char [16]"; "" if unknown. */
void pv_print_srctype(const struct pv_program *p, pv_srctype type, struct pv_str *out);
/* The name of a variable or slot, made unique in its function: `x`, the next one `x@2`. */
void pv_print_var(const struct pv_program *p, const struct pv_function *f, uint32_t var,
                  struct pv_str *out);
void pv_print_slot(const struct pv_program *p, const struct pv_function *f, uint32_t slot,
                   struct pv_str *out);
/* The memory that a load or store of `type` at `address` accesses: in source terms if the types are
 * known (`node->next`, `a[i]`), else as `*(i32 *)(p + 8)`. */
void pv_print_access(const struct pv_program *p, const struct pv_function *f, pv_expr address,
                     pv_type type, struct pv_str *out);
/* The shortest decimal text, with a `.` or an exponent, that converts back to these bits. Returns
 * false if there is none (infinities, NaNs). */
bool pv_print_float(pv_type type, uint64_t lo, uint64_t hi, struct pv_str *out);
/* "file.c:12:5" or "". */
void pv_print_place(const struct pv_program *p, uint32_t span, bool column, struct pv_str *out);
/* The characters of a C string literal, without its quotes. */
void pv_print_escaped(const void *text, size_t n, struct pv_str *out);
/* The texts of enumerators in the printed forms. */
const char *pv_order_text(unsigned order);
const char *pv_rmw_text(unsigned rmw);
const char *pv_check_text(unsigned check);
const char *pv_math_text(unsigned math);
const char *pv_intop_text(unsigned intop);

void pv_print_dot(const struct pv_program *p, struct pv_str *out);
/* sections: see PV_IR_C_SECTIONS. */
void pv_print_c(const struct pv_program *p, bool sections, struct pv_str *out);

#endif
