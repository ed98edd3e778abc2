/* old_c.h -- C that GCC takes with a warning: what clang said about it, and what another run of
 * clang needs in order to take it, too.
 *
 * Functions that clang and GCC know get their own types where they are not declared, as with both
 * compilers; others return int. Everything that was taken so is told in one note. */
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
/* Adds what a log of clang, of the run that succeeded, tells. */
void pv_old_c_read(struct pv_old_c *old, const char *log);
/* Adds what the runs before it tell of what that one was told to take. */
void pv_old_c_read_failed(struct pv_old_c *old, const char *log);
/* The note, or NULL if there is nothing to tell; caller frees. */
char *pv_old_c_note(const struct pv_old_c *old);
void pv_old_c_free(struct pv_old_c *old);

/* What the next run of clang is to do otherwise. */
struct pv_retry {
  struct pv_str forget;  /* names, one a line: functions that clang knows and the program uses for
                            something else */
  struct pv_str declare; /* declarations in front of the text */
  bool any_main;         /* main is a function as any other */
};
/* Learns from the log of a run that failed; false: there is nothing new in it. */
bool pv_retry_learn(struct pv_retry *retry, const char *log);
void pv_retry_free(struct pv_retry *retry);

#endif
