/* given.h -- the arguments, environment, standard input and files with which an error happens. They
 * are reconstructed from the inputs of the error path. */
#ifndef PV_REPORT_GIVEN_H
#define PV_REPORT_GIVEN_H

#include "ir/ir.h"
#include "result/result.h"

struct pv_given_text {
  struct pv_str bytes;
  char *name;   /* of a variable or file; NULL: not a constant in the program */
  char *place;  /* of a variable or file: its first use, "x.c:5"; or NULL */
  bool missing; /* the variable is unset, the file is missing */
  bool refuses; /* the file cannot be written, made or removed */
};
typedef PV_VEC(struct pv_given_text) pv_given_texts;
struct pv_given {
  bool has_arguments, has_stdin;
  pv_given_texts arguments; /* without the program's name */
  pv_given_texts variables;
  pv_given_texts files;
  struct pv_str standard_input;
};
/* Fills *out from the path; the caller frees it with pv_given_clear. Kinds of inputs that the path
 * does not contain, or that were left out of it, stay empty. */
void pv_given_find(const struct pv_program *p, const struct pv_error_path *path,
                   struct pv_given *out);
void pv_given_clear(struct pv_given *g);

/* Appends a shell command that reproduces the error, such as "printf 'a\n' | ./NAME 'b'". Long text
 * is cut unless `whole`. Returns false, and appends nothing, if nothing is known. */
bool pv_given_command(const struct pv_given *g, const char *name, bool whole, struct pv_str *out);

/* Does the command give the inputs from this source? */
bool pv_given_tells(const struct pv_source *source);

#endif
