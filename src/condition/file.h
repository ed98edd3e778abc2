/* file.h -- conditions as files. docs/conditions.md describes the format.
 *
 * A file is self-contained: it names the program and the options, so that the run can be continued
 * from the file alone. A hash of the program as the engines see it tells whether the program is
 * still the same. */
#ifndef PV_CONDITION_FILE_H
#define PV_CONDITION_FILE_H

#include "base/options.h"
#include "condition/condition.h"
#include "condition/fingerprint.h"

/* An error that the run found. The run ended with it, so the condition leaves everything open. */
struct pv_known_error {
  unsigned property; /* PV_PROP_* */
  char *sentence;    /* owned: "a.c:3: assertion failed" */
};
struct pv_condition_file {
  struct pv_options options; /* of the run; owned. Outputs, limits and verbosity are left out */
  uint64_t program;          /* pv_program_hash */
  struct pv_fingerprints functions; /* of the program */
  pv_properties checked;            /* the properties that the condition is about */
  char *engine;                     /* that made it */
  struct pv_condition condition;
  PV_VEC(struct pv_known_error) errors;
};

/* The name of an option that two runs have in different ways, though it decides which executions
 * the program has, or what is an error in them. NULL: there is none. */
const char *pv_condition_differing_option(const struct pv_options *a, const struct pv_options *b);

/* Appends the file's bytes. */
void pv_condition_print(const struct pv_condition_file *file, struct pv_str *out);
/* Reads untrusted bytes. The caller zero-initialises *out and frees it with
 * pv_condition_file_clear. Returns PV_E_INPUT with a message in *err if they are no condition. */
enum pv_status pv_condition_parse(const char *bytes, size_t n, struct pv_condition_file *out,
                                  struct pv_str *err);
/* Of a directory (option `work`), the condition in it is read. */
enum pv_status pv_condition_read(const char *path, struct pv_condition_file *out,
                                 struct pv_str *err);
/* The name of the file: `word`, or PV_CONDITION_NAME in the directory `word`. Caller frees. */
#define PV_CONDITION_NAME "condition"
char *pv_condition_path(const char *word);
void pv_condition_file_clear(struct pv_condition_file *file);

#endif
