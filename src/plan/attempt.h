/* attempt.h -- what is tried before the program is searched as a whole: proofs that it ends, a
 * short search where nothing can fail, and the search of a slice. Each attempt returns false if it
 * does not apply or decides nothing; then the whole program is to be searched. An attempt may
 * change the program, and lets the caller read it anew where the result is to be one of the program
 * itself. */
#ifndef PV_PLAN_ATTEMPT_H
#define PV_PLAN_ATTEMPT_H

#include "engine.h"

struct pv_attempt {
  struct pv_task task;        /* the search of the whole program */
  struct pv_program *program; /* the task's */
  bool validates;             /* a witness is woven into it */
  /* The caller's; empty before. Filled if an attempt decides, or has another status than PV_OK. */
  struct pv_result *result;
  const char **engine; /* the name of what the result comes from */
  /* Frees the program and clears *result and *engine, reads the program anew, and sets `program`
   * and `task`. */
  enum pv_status (*read_anew)(struct pv_attempt *a);
  void (*say)(void *user, const char *what); /* reports the phase that begins */
  void *user;
};

/* Property termination alone: ranking functions (cpa/ranking.h), and if there is no proof without
 * provisos a search for an execution that does not end. A proof that has some counts only if the
 * search comes to no verdict. */
bool pv_attempt_termination(struct pv_attempt *a, enum pv_status *status);

/* Property unreach-call alone, cooperative programs, which have no slices: where no function that
 * may run can fail, a short search is enough. If it comes to no verdict, all that can go wrong is
 * something undefined, which becomes the proviso. */
bool pv_attempt_absence(struct pv_attempt *a, enum pv_status *status);

/* Searches a slice of the program (analysis/slice_program.h), if the options ask for that or it is
 * known to pay. An error of the slice counts only if it was replayed in the program. */
bool pv_attempt_slice(struct pv_attempt *a, enum pv_status *status);

#endif
