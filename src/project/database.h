/* database.h -- a compilation database (compile_commands.json): the source files of a project and
 * how each one is compiled.
 *
 * Of the flags only those are kept that change the meaning of the program: macros, folders of
 * headers, the language, and the few of -f and -m that do. Flags for output, warnings, optimisation
 * and debug information are dropped; the others, too, and they are listed. The file is untrusted.
 */
#ifndef PV_DATABASE_H
#define PV_DATABASE_H

#include "base/options.h"

struct pv_project_file {
  char *path;  /* relative to the working directory if it lies below it, else absolute */
  char *flags; /* "-DX,-Iinclude", as in pv_options.file_flags */
  bool is_ilp32, defines_ndebug;
};
struct pv_database {
  PV_VEC(struct pv_project_file) units; /* in the order of the file, each path once */
  struct pv_texts dropped;              /* flags that are not passed on although they may matter */
};
/* Reads `path`, or the file compile_commands.json in the directory `path`. PV_E_INPUT: a message is
 * in *err. Caller frees *out with pv_database_free. */
enum pv_status pv_database_read(const char *path, struct pv_database *out, struct pv_str *err);
void pv_database_free(struct pv_database *d);
/* The unit of a source file, or NULL. */
const struct pv_project_file *pv_database_find(const struct pv_database *d, const char *file);

#endif
