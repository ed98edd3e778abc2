/* report.h -- formats a result for people (text) and for programs (JSON).
 *
 * Text is deterministic: without `verbose` it has no times, memory sizes or addresses. Everything
 * that comes from the checked program (source lines, outputs, names) is untrusted. Control
 * characters never reach the terminal, and JSON is valid UTF-8 whatever the source's encoding. */
#ifndef PV_REPORT_H
#define PV_REPORT_H

#include "base/options.h"
#include "ir/ir.h"
#include "result/result.h"

struct pv_state_graph;
struct pv_report {
  const char *command; /* "check", "replay" */
  const char *engine;  /* the engine that reached the verdict; NULL: none ran */
  const struct pv_options *options;
  const struct pv_result *result;
  const struct pv_program *program;    /* the checked program; NULL: unknown */
  const struct pv_state_graph *states; /* for the page; NULL: not drawn */
  bool colour;                         /* for a terminal */
  unsigned width;                      /* columns of the terminal; 0: 80 */
};

/* Appends the whole report in 80 columns. The last line is "Verification result: ...". */
void pv_report_text(const struct pv_report *r, struct pv_str *out);

/* ---- explanation (advice.c) ------------------------------------------------------------------ */
/* Appends what was tried, why it stopped, and at most three commands that would help most. */
void pv_report_explain(const struct pv_report *r, struct pv_str *out);

/* Appends "for A, B, " if the proviso is about some of the properties that were checked, but not
 * about all. */
void pv_report_about(const struct pv_proviso *p, pv_properties checked, struct pv_str *out);
/* Appends the whole result as one JSON object, which `proviso replay` can read (record.h). */
void pv_report_json(const struct pv_report *r, struct pv_str *out);

/* ---- memory (tables.c) ----------------------------------------------------------------------- */
enum { PV_TABLES = 6 };
struct pv_table_bytes {
  const char *name; /* "roots" */
  uint64_t bytes;
};
/* Lists the tables that grow with the number of states, in a fixed order; returns their sum. */
uint64_t pv_report_tables(const struct pv_report *r, struct pv_table_bytes out[PV_TABLES]);

/* ---- error paths (path.c) -------------------------------------------------------------------- */
struct pv_path_style {
  bool colour;
  unsigned width; /* columns; 0: 80 */
  uint32_t last;  /* show the steps up to this one, counted from 1; 0 = all */
  bool whole;     /* leave nothing out and fold nothing, however long the path */
};
/* Appends one line for each step, and an empty line at each context switch. */
void pv_report_path(const struct pv_error_path *path, const struct pv_path_style *style,
                    struct pv_str *out);
/* Appends the last value of each name within the first `last` steps, one in each line. */
void pv_report_values(const struct pv_error_path *path, uint32_t last, struct pv_str *out);
/* "14 steps, 3 context switches" */
void pv_report_path_size(const struct pv_error_path *path, struct pv_str *out);

/* Appends text without control characters, cut with "..." to `columns` (0: no bound). Returns the
 * number of columns used. Control characters are written as escape sequences of C if `escape`, else
 * as blanks. */
unsigned pv_report_clean(const char *text, unsigned columns, bool escape, struct pv_str *out);

#endif
