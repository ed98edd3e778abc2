/* coverage.h -- how much of the program's own code is verified, counted in locations, edges and
 * lines: as text, as JSON, and in the format of lcov.
 *
 * A line is verified if a complete execution that was examined passes an edge of it. This is an
 * under-approximation (vm/coverage.h). Functions of models and of the C++ library's headers do
 * not count, nor do edges without an effect or a place. */
#ifndef PV_REPORT_COVERAGE_H
#define PV_REPORT_COVERAGE_H

#include "ir/ir.h"
#include "result/result.h"

struct pv_line_coverage {
  const char *file; /* borrowed */
  uint32_t line;
  bool verified, reached;
};
struct pv_coverage_count {
  uint32_t all, verified;
};
struct pv_coverage_table {
  struct pv_coverage_count locations, edges, lines;
  PV_VEC(struct pv_line_coverage) line; /* by file and line */
};
/* Is it known what is verified of the program? p: NULL is fine. */
bool pv_coverage_is_known(const struct pv_program *p, const struct pv_coverage *c);
/* The coverage must be known. The caller frees the table with pv_coverage_table_clear. */
void pv_coverage_table_fill(const struct pv_program *p, const struct pv_coverage *c,
                            struct pv_coverage_table *out);
void pv_coverage_table_clear(struct pv_coverage_table *t);

/* "12 of 20 lines, 9 of 14 locations, 10 of 16 edges" */
void pv_coverage_summary(const struct pv_coverage_table *t, struct pv_str *out);
/* One line for each file and reason, with ranges of lines: "  a.c: 5-9, 12 (not reached)". */
void pv_coverage_open_lines(const struct pv_coverage_table *t, struct pv_str *out);
/* A tracefile of lcov: verified lines count 1, others 0. */
void pv_coverage_lcov(const struct pv_program *p, const struct pv_coverage *c, struct pv_str *out);

#endif
