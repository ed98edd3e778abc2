/* predicate_file.h -- predicates that the user gives to the predicate analysis to begin with.
 *
 * A text file with one predicate a line; empty lines and those that begin with # or // are passed
 * over:
 *
 *     x <= 2 * y                  everywhere
 *     f: n > 0 && n < 100         in function f
 *     file.c:12: main::i == j     at the places of that line
 *
 * An expression has integers, the operators of C on them but for assignments, casts, `?:` and
 * pointers, and names: a global variable `x`; a local variable `f::x`, or `x` where the place says
 * the function. Of several variables of that name (in several blocks) each is meant: there is a
 * predicate for each choice. Under `--integers linear` a product has a factor that is a number, and
 * there are no operators on bits; a divisor is a positive number.
 *
 * Any predicates are sound: they only say what the analysis may tell apart. */
#ifndef PV_PREDICATE_FILE_H
#define PV_PREDICATE_FILE_H

#include "cpa/predicate.h"

struct pv_predicate_file;
/* Reads the file, whose names are those of the program. PV_E_INPUT: *err has "file:line: what is
 * wrong", and *out is NULL. `linear`: no more than linear terms can say. Borrows the program. */
enum pv_status pv_predicate_file_read(const char *path, const struct pv_program *program,
                                      bool linear, struct pv_predicate_file **out,
                                      struct pv_str *err);
void pv_predicate_file_free(struct pv_predicate_file *f); /* NULL is fine */

/* The predicates as formulas over entry constants; appended. Lines with a variable that is not kept
 * as a cell have none; they are told in `unused` as "line 3, line 7"; appended. */
void pv_predicate_file_terms(const struct pv_predicate_file *f, struct pv_symbolic *s,
                             struct pv_smt *smt, pv_initial_predicates *out, struct pv_str *unused);

#endif
