/* proviso_predicate.h -- predicates for `proviso abstract`, declared in the program.
 *
 *   PROVISO_PREDICATE("xLTy", x < y)
 *
 * at file scope, behind the declarations of x and y, which may be defined in other files; or in a
 * function, where it may be about local variables and parameters, too. To compilers it means
 * nothing. */
#ifndef PROVISO_PREDICATE_H
#define PROVISO_PREDICATE_H

#define PROVISO_PREDICATE(NAME, EXPRESSION)                                                        \
  struct proviso_predicate; /* so that a semicolon may follow, or not */

#endif
