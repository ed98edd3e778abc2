/* reach.h -- which files of a project belong to a program: those that its start reaches.
 *
 * The search begins at the start function and at the files that the user names. It follows
 * references between definitions, function by function (frontend/symbols.h); a file is linked if
 * one of its definitions is reached. A definition with external linkage satisfies a reference from
 * another file; two of them for one reference are an error. Calls by pointers are covered, because
 * taking an address is a reference. */
#ifndef PV_REACH_H
#define PV_REACH_H

#include "base/options.h"

/* If option `project` is set: makes `files` and `file_flags` of *o the files that the start
 * reaches, those named by the user first, and clears `project`. Remarks for the user are appended
 * to *notes (the caller frees them). PV_E_INPUT: a message is in *err. */
enum pv_status pv_project_expand(struct pv_options *o, struct pv_texts *notes, struct pv_str *err);

/* Appends the names of the functions of the project with external linkage that could be starts:
 * `main` (as "FILE"), and those without parameters whose names begin or end with "test". */
struct pv_start {
  char *file, *function; /* function: NULL for main */
};
struct pv_starts {
  PV_VEC(struct pv_start) at;
};
enum pv_status pv_project_starts(const struct pv_options *o, struct pv_starts *out,
                                 struct pv_str *err);
void pv_starts_free(struct pv_starts *s);

#endif
