/* statements.h -- where the statements of source files begin, for witnesses: a waypoint can only
 * name the begin of a statement or condition. */
#ifndef PV_WITNESS_STATEMENTS_H
#define PV_WITNESS_STATEMENTS_H

#include "base/base.h"

/* Source files that were read; zero at first. */
struct pv_statements {
  struct pv_map files; /* path -> index */
  PV_VEC(struct pv_statement_file *) read;
};

/* Does the statement or condition around a position of the file begin on that line, with no call of
 * a function of `names` in it? A file that cannot be read has none, and one of C++ either. Lines
 * and columns count from 1.
 */
bool pv_statements_begin(struct pv_statements *s, const char *path, uint32_t line, uint32_t column,
                         const struct pv_map *names);
void pv_statements_clear(struct pv_statements *s);

#endif
