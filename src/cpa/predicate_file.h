/* predicate_file.h -- reads the initial precision of the predicate analysis from a file.
 *
 * A text file with one predicate a line; empty lines and lines that begin with # or // are ignored:
 *
 *     x <= 2 * y                  everywhere
 *     f: n > 0 && n < 100         in function f
 *     file.c:12: main::i == j     at the locations of that line
 *
 * An expression consists of integers, names and the operators of C, except for assignments, casts,
 * `?:` and pointers. A name is a global variable `x`, or a local variable `f::x`, or `x` if the
 * line names the function. If several variables of the function have this name, in several blocks,
 * there is a predicate for each of them. With `--integers linear` one factor of a product must be a
 * number, a divisor must be a positive number, and there are no bitwise operators.
 *
 * All predicates are sound: they only extend the precision of the abstraction. */
#ifndef PV_PREDICATE_FILE_H
#define PV_PREDICATE_FILE_H

#include "cpa/predicate.h"

struct pv_predicate_file;
/* Reads the file and resolves its names in the program, which is borrowed. `linear`: accept linear
 * terms only. PV_E_INPUT: *err has "file:line: what is wrong", and *out is NULL. */
enum pv_status pv_predicate_file_read(const char *path, const struct pv_program *program,
                                      bool linear, struct pv_predicate_file **out,
                                      struct pv_str *err);
void pv_predicate_file_free(struct pv_predicate_file *f); /* NULL is fine */

/* Appends the predicates as formulas over entry constants. A line with a variable that is not a
 * cell has none; such lines are appended to `unused`, as "line 3, line 7". */
void pv_predicate_file_terms(const struct pv_predicate_file *f, struct pv_symbolic *s,
                             struct pv_smt *smt, pv_initial_predicates *out, struct pv_str *unused);

#endif
