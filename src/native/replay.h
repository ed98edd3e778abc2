/* replay.h -- shows an error of a path in the real program: builds it, instrumented, with the
 * path's inputs and schedule, and runs it. */
#ifndef PV_NATIVE_REPLAY_H
#define PV_NATIVE_REPLAY_H

#include "engine.h"
#include "monitor/observe.h"

struct pv_native_asked {
  const char *out;       /* where the executable stays; NULL: it is removed */
  const char *gdb;       /* where a script for gdb is written; NULL: nowhere */
  const char *sanitizer; /* what -fsanitize= gets; NULL: nothing */
  uint32_t runs;
  /* If set, there need not be an error: the run ends where the path does, and its trace is analysed
   * (monitor/trace.h). Borrowed; zero-initialised. */
  struct pv_observation *traced;
};
struct pv_native_outcome {
  uint32_t runs, shown, off; /* off: the program left the path */
  uint32_t turns, left_out;  /* of the schedule; turns that the program does not have natively */
  PV_VEC(char *) doubts;     /* what of the path the real program cannot follow: sentences */
  char *output;              /* of the first run that showed the error, else of the first one */
  char *end;                 /* how that run ended: "exit status 107" */
};
/* Shows the first violation of the result, which was replayed in the machine. PV_E_INPUT, with a
 * message, if the real program cannot follow its path at all, or cannot be built. The caller
 * zero-initialises *out. */
enum pv_status pv_native_replay(const struct pv_task *task, struct pv_result *result,
                                const struct pv_native_asked *asked, struct pv_native_outcome *out,
                                struct pv_str *err);
void pv_native_outcome_clear(struct pv_native_outcome *o);

#endif
