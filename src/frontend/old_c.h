/* old_c.h -- old C that GCC accepts with a warning. The module reads clang's diagnostics and finds
 * out how another run of clang can accept the file.
 *
 * As in both compilers, an undeclared function that the compiler knows gets its usual type; any
 * other returns int. One note lists everything that was accepted in this way. */
#ifndef PV_OLD_C_H
#define PV_OLD_C_H

#include "base/base.h"

enum pv_old_kind {
  PV_OLD_LIBRARY,   /* a library function without a declaration */
  PV_OLD_FUNCTION,  /* another one */
  PV_OLD_INT,       /* a declaration without a type */
  PV_OLD_CONVERTED, /* between pointers and integers */
  PV_OLD_POINTERS,  /* between pointers to different types */
  PV_OLD_RETURN,    /* `return;` in a function with a result, or the other way round */
  PV_OLD_MAIN,
  PV_OLD_COUNT
};
struct pv_old_c {
  struct {
    struct pv_str what; /* "malloc, exit", or the first place "a.c:3" */
    uint32_t n;         /* how many there are */
  } group[PV_OLD_COUNT];
};
/* Adds the findings in the log of the run of clang that succeeded. */
void pv_old_c_read(struct pv_old_c *old, const char *log);
/* Adds the findings in the log of an earlier run that failed: what the next run was told to accept.
 */
void pv_old_c_read_failed(struct pv_old_c *old, const char *log);
/* The note, or NULL if nothing was found. Caller frees. */
char *pv_old_c_note(const struct pv_old_c *old);
void pv_old_c_free(struct pv_old_c *old);

/* How the next run of clang differs. */
struct pv_retry {
  struct pv_str forget;  /* names, one in each line: library names that
                            the program uses for something else */
  struct pv_str declare; /* declarations in front of the text */
  bool any_main;         /* main is an ordinary function */
};
/* Adds what the log of a failed run requires. Returns false if that is nothing new. */
bool pv_retry_learn(struct pv_retry *retry, const char *log);
void pv_retry_free(struct pv_retry *retry);

#endif
