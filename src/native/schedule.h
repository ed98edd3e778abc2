/* schedule.h -- the schedule of an error path, for an instrumented program.
 *
 * The path is executed in the machine. A transition begins where a thread is parked at a visible
 * operation; natively the thread comes to the same operation, which is known by its place (file,
 * line, column, kind) and by how often the thread came there. So a path is a list of turns
 * (runtime/proviso_runtime.c): the thread waits at the operation until its turn, and keeps it until
 * its next one. Where the machine parks inside of a model of the C library, the native thread parks
 * before the call. */
#ifndef PV_NATIVE_SCHEDULE_H
#define PV_NATIVE_SCHEDULE_H

#include "engine.h"
#include "native/instrument.h"

enum {
  PV_NATIVE_AGAIN = 1, /* the same operation goes on: a wait that ends */
  PV_NATIVE_LAST = 2,  /* no turn: where the thread is at the end of the path */
  PV_NATIVE_TIMES_OUT = 4
};
#define PV_NATIVE_TRACED 't' /* in `error`: there is none, and threads stop where the path ends */
struct pv_native_turn {
  uint32_t thread; /* numbered by creation */
  uint32_t key;    /* index into `keys`: the place of the operation */
  uint32_t times;  /* how often the thread has come there, this time included */
  uint32_t step;   /* of the path */
  uint32_t flags;  /* PV_NATIVE_AGAIN, ... */
};
struct pv_native_key {
  char *file;
  uint32_t line, column;
  char kind; /* as of sites; 'e': the end of the thread */
};
struct pv_native_schedule {
  PV_VEC(struct pv_native_turn) turns; /* those with LAST at the end */
  PV_VEC(struct pv_native_key) keys;
  char error;          /* 'r' data race, 'd' deadlock, 'f' use of freed memory, PV_NATIVE_TRACED, 0:
                  another error */
  uint32_t one, other; /* the threads of a race */
  PV_VEC(char *) doubts; /* what of the path the real program cannot follow: sentences */
};

/* Executes the path of the violation, which was replayed. The caller zero-initialises *out. false:
 * the path does not run. */
bool pv_native_schedule_of(const struct pv_task *task, const struct pv_violation *v,
                           struct pv_native_schedule *out);
/* Leaves out turns at places that the program does not have natively. Returns their number. */
uint32_t pv_native_schedule_fit(struct pv_native_schedule *s, const struct pv_native_site *sites,
                                uint32_t n);
/* Appends the schedule as C text for the runtime. patience: tenths of a second. */
void pv_native_schedule_print(const struct pv_native_schedule *s, uint32_t patience,
                              struct pv_str *out);
void pv_native_schedule_clear(struct pv_native_schedule *s);

#endif
