/* given.h -- the arguments, the environment and the standard input with which an error happens,
 * read off the inputs of its path. */
#ifndef PV_REPORT_GIVEN_H
#define PV_REPORT_GIVEN_H

#include "ir/ir.h"
#include "result/result.h"

struct pv_given_text {
  struct pv_str bytes;
  char *name;   /* of a variable, a file; NULL where it is no constant of the program */
  char *place;  /* of a variable, a file: where it is first asked for, "x.c:5"; NULL */
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
/* What the path says; nothing is there if it gave no inputs of this kind, or they were left out. */
void pv_given_find(const struct pv_program *p, const struct pv_error_path *path,
                   struct pv_given *out);
void pv_given_clear(struct pv_given *g);

/* Appends "printf 'a\n' | ./NAME 'b'" as a shell reads it, with everything that is known; long text
 * is cut unless `whole`. false: nothing is known, and nothing is appended. */
bool pv_given_command(const struct pv_given *g, const char *name, bool whole, struct pv_str *out);

#endif
