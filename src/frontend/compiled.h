/* compiled.h -- bitcode that clang made for a file, kept for when the same file is read again with
 * the same arguments: for another entry of a project, or for the path of an error that a slice
 * showed. The sources are taken to be unchanged as long as a store lives, so it lives for one check
 * or one command. */
#ifndef PV_FRONTEND_COMPILED_H
#define PV_FRONTEND_COMPILED_H

#include "base/base.h"

/* What a compilation left: the log of the run that succeeded, and those of earlier ones. */
struct pv_compiled_logs {
  char *text;
  struct pv_str failed;
};

struct pv_compiled;
struct pv_compiled *pv_compiled_new(void);
void pv_compiled_free(struct pv_compiled *c); /* NULL is fine */
/* Writes the bitcode that is kept for the key to the file, and fills *logs, which the caller frees.
 * false: there is none, or it cannot be written. c: NULL is fine. */
bool pv_compiled_get(struct pv_compiled *c, const struct pv_str *key, const char *file,
                     struct pv_compiled_logs *logs);
/* Keeps the bitcode in the file, and copies of the logs. Large files are not kept. */
void pv_compiled_put(struct pv_compiled *c, const struct pv_str *key, const char *file,
                     const char *text, const struct pv_str *failed);

#endif
