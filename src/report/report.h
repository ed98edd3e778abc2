/* report.h -- the same result for people (text) and for programs (JSON).
 *
 * Text is deterministic: no times, no memory, no addresses unless `verbose` asks for them. Whatever
 * comes from the program checked (source lines, outputs, names) is untrusted: control characters
 * never reach the terminal, and JSON is valid UTF-8 whatever the source's encoding. */
#ifndef PV_REPORT_H
#define PV_REPORT_H

#include "base/options.h"
#include "ir/ir.h"
#include "result/result.h"

struct pv_report {
  const char *command; /* "check", "replay" */
  const char *engine;  /* the one that gave the verdict; NULL if none ran */
  const struct pv_options *options;
  const struct pv_result *result;
  const struct pv_program *program; /* that was checked; NULL: not known */
  bool colour;                      /* for a terminal */
};

/* Everything, in 80 columns; the last line is "Verification result: ...". */
void pv_report_text(const struct pv_report *r, struct pv_str *out);
/* Everything there is, as one JSON object; also what `proviso replay` reads. */
void pv_report_json(const struct pv_report *r, struct pv_str *out);

/* ---- memory (tables.c) ----------------------------------------------------------------------- */
enum { PV_TABLES = 6 };
struct pv_table_bytes {
  const char *name; /* "roots" */
  uint64_t bytes;
};
/* The tables that grow with the states, in a fixed order, and their sum. */
uint64_t pv_report_tables(const struct pv_report *r, struct pv_table_bytes out[PV_TABLES]);

/* ---- error paths (path.c) -------------------------------------------------------------------- */
struct pv_path_style {
  bool colour;
  uint32_t last; /* show the steps up to this one, counted from 1; 0 = all */
  bool whole;    /* leave nothing out, however long the path */
};
/* One line a step; an empty line where another thread goes on. */
void pv_report_path(const struct pv_error_path *path, const struct pv_path_style *style,
                    struct pv_str *out);
/* The last value that each name took within the first `last` steps, one a line. */
void pv_report_values(const struct pv_error_path *path, uint32_t last, struct pv_str *out);
/* "14 steps, 3 context switches" */
void pv_report_path_size(const struct pv_error_path *path, struct pv_str *out);

/* Adds text without control characters, cut with "..." to `columns` (0 = no bound); returns the
 * columns taken. `escape` writes control characters as in C, else they become blanks. */
unsigned pv_report_clean(const char *text, unsigned columns, bool escape, struct pv_str *out);

#endif
