/* print_c_threads.h -- a program with FairThreads printed as a sequential C program.
 *
 * Each thread that is created has a number, a *slot*, from 1. A function that may give up the
 * processor (it *yields*: it calls a function of FairThreads that waits, or one that ends its
 * thread, or another such function) is printed once for each slot and chain of calls that leads to
 * it: a *copy*. Copies return 1 if the thread waits or has ended, and 0 if the function has
 * returned. Before a copy returns 1 it saves the variables that are live, and where it is; when it
 * is called again it restores them and goes on there. What was restored is set to 0, so that equal
 * situations are equal states. All other functions are printed as usual.
 *
 * Calls of functions of FairThreads become calls of the scheduler, which is C text
 * (print_c_fairthreads.c). Handles of events and threads are their numbers.
 *
 * Refused: what is not in the table `pvc_ft_calls`; recursion of functions that yield; pointers to
 * them, except those that threads are created with; main that waits, or goes on when the scheduler
 * is started; thread-local variables.
 *
 * One module: print_c, print_c_threads (print_c.c prints copies, edge by edge as it prints all
 * functions). */
#ifndef PV_IR_PRINT_C_THREADS_H
#define PV_IR_PRINT_C_THREADS_H

#include "ir/print_c_internal.h"

/* A function of the library. */
struct pvc_ft_call {
  const char *name;
  enum pvc_ft_kind {
    PVC_FT_PLAIN,  /* does not wait */
    PVC_FT_WAITS,  /* may wait: the function has the number of the slot in its name */
    PVC_FT_ENDS,   /* ends the calling thread; called by main: the threads go on */
    PVC_FT_EXIT,   /* ends the program */
    PVC_FT_CREATE, /* (scheduler, function, cleanup, argument) */
    PVC_FT_EVENT   /* creates an event */
  } kind;
  const char *calls; /* the function of the scheduler */
  uint8_t n_args;    /* arguments that are passed on */
  const char *more;  /* further arguments, as text */
};

struct pvc_slot {
  uint32_t function, edge; /* the call that creates it */
  uint32_t start;          /* the function that it runs */
};

struct pvc_threads {
  const struct pv_c_threads *how;
  bool *yields, *address_taken; /* by function */
  uint32_t main;
  PV_VEC(struct pvc_slot) slots; /* slot k is the element k - 1 */
  uint32_t events;               /* at most so many are created */
  bool stops, cleans;            /* some thread is stopped; some thread has a cleanup function */
  /* Of the copy that is printed. */
  uint32_t slot;          /* 0: it is no copy */
  const char *copy;       /* its name */
  char **callee;          /* by edge: the name of the copy that it calls; NULL: none */
  const uint64_t *live;   /* variables that are live, by location */
  uint32_t words;         /* of each set */
  uint32_t resumes;       /* places where it can be resumed */
  PV_VEC(uint32_t) saved; /* variables that are saved somewhere */
  struct pv_str restore;  /* the cases of its switch */
  PV_VEC(uint32_t) path;  /* the functions of the chain of calls */
};

/* The table's row for a call edge, or NULL. */
const struct pvc_ft_call *pvc_ft_call(const struct pvc *c, const struct pv_edge *e);
/* Finds slots, and the functions that yield. To be called after pvc_reach. */
void pvc_threads_plan(struct pvc *c);
/* Prints that the slot's bytes are indeterminate: it begins a new life. In a copy it is static. */
void pvc_threads_unset(struct pvc *c, uint32_t slot);
/* Appends the scheduler. */
void pvc_ft_scheduler(const struct pvc *c, struct pv_str *out);

#endif
