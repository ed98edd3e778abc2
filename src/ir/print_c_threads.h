/* print_c_threads.h -- a program with FairThreads or SystemC printed as a sequential C program.
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
 * (print_c_fairthreads.c). Handles of events and threads are their numbers. Of SystemC (sysc.h),
 * only calls that create processes or wait are replaced. All others are printed with the model's
 * own functions, whose primitives are functions of the kernel (print_c_systemc.c). The start
 * function is printed as it is, and runs the kernel when it starts the simulation.
 *
 * Calls through pointers compare the pointer with the functions that yield and are called so
 * (print_c_targets.c).
 *
 * Refused: what is not in the tables `pvc_ft_calls` and `pvc_sc_calls`; recursion of functions that
 * yield; main that waits, or goes on when the scheduler of FairThreads is started; thread-local
 * variables.
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
    PVC_FT_EVENT,  /* creates an event */
    PVC_SC_THREAD, /* (function, argument) */
    PVC_SC_METHOD, /* the same; the function is called as it is */
    PVC_SC_EVENT   /* creates an event; printed as usual */
  } kind;
  const char *calls; /* the function of the scheduler */
  uint8_t n_args;    /* arguments that are passed on */
  const char *more;  /* further arguments, as text */
};

struct pvc_slot {
  uint32_t function, edge; /* the call that creates it */
  uint32_t start;          /* the function that it runs */
  bool is_method;          /* of SystemC: it is called anew each time */
};

/* In a copy: a call that may lead to a function that yields, and that function's copy. */
struct pvc_target {
  uint32_t edge, function;
  char *copy;
};

struct pvc_virtual { /* a function in a vtable, where objects point to + offset */
  uint32_t function;
  uint64_t offset;
};

struct pvc_threads {
  const struct pv_c_threads *how;
  bool *yields, *address_taken; /* by function */
  bool *escapes; /* by function: its address is used, other than in vtables, and to call it */
  PV_VEC(struct pvc_virtual) virtuals;
  uint32_t *callees; /* room for all functions */
  uint32_t main;
  PV_VEC(struct pvc_slot) slots; /* slot k is the element k - 1 */
  uint32_t events;               /* at most so many are created */
  bool asks_late;                /* SystemC: the program calls sysc_timed_out */
  bool stops, cleans;            /* some thread is stopped; some thread has a cleanup function */
  /* Of the copy that is printed. */
  uint32_t slot;                     /* 0: it is no copy */
  const char *copy;                  /* its name */
  PV_VEC(struct pvc_target) targets; /* by edge */
  const uint64_t *live;              /* variables that are live, by location */
  uint32_t words;                    /* of each set */
  uint32_t resumes;                  /* places where it can be resumed */
  PV_VEC(uint32_t) saved;            /* variables that are saved somewhere */
  struct pv_str restore;             /* the cases of its switch */
  PV_VEC(uint32_t) path;             /* the functions of the chain of calls */
};

/* The table's row for a call edge, or NULL. */
const struct pvc_ft_call *pvc_ft_call(const struct pvc *c, const struct pv_edge *e);
/* Finds slots, and the functions that yield. Call it after pvc_reach. */
void pvc_threads_plan(struct pvc *c);
/* Prints that the slot's bytes are indeterminate: it begins a new life. In a copy it is static. */
void pvc_threads_unset(struct pvc *c, uint32_t slot);
/* Finds functions whose addresses are used. */
void pvc_targets_begin(struct pvc *c);
/* The functions that yield to which a call edge may lead, in t->callees; returns how many. */
uint32_t pvc_yielding(const struct pvc *c, uint32_t function, uint32_t edge);
/* Prints a function that yields as one that is called by nobody: calls through its address lead to
 * its copies. */
void pvc_threads_stub(struct pvc *c, uint32_t function);
/* Does the call create a thread or process? */
bool pvc_creates(const struct pvc_ft_call *call);
/* Defines a macro NAME(X) that is X(first) X(first + 1) .., n of them. */
void pvc_threads_list(struct pv_str *out, const char *name, uint32_t first, uint32_t n);
/* Appends for each call that creates threads a function pv_create_N, N being its first slot, which
 * calls the pv_make_K of its slots one after the other. `type` and `parameters` are those of the
 * function, `check` is its first statement; `what` are called the threads. */
void pvc_threads_creations(const struct pvc_threads *t, const char *type, const char *parameters,
                           const char *check, const char *what, struct pv_str *out);
/* Appends the scheduler. */
void pvc_ft_scheduler(const struct pvc *c, struct pv_str *out);
void pvc_sc_scheduler(const struct pvc *c, struct pv_str *out);

#endif
