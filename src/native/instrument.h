/* instrument.h -- builds an executable of a program that tells a runtime of ours what it does.
 *
 * A pass over LLVM's bitcode inserts calls to the runtime (runtime/proviso_runtime.c) before each
 * access to memory that other threads may reach, each atomic operation and calls of functions
 * without a body, and replaces functions of the thread library by wrappers. An access to a local
 * variable whose address never leaves the function is left out, and so is one to a constant.
 *
 * The executable writes a trace (monitor/trace.h), or follows a schedule (schedule.h). */
#ifndef PV_NATIVE_INSTRUMENT_H
#define PV_NATIVE_INSTRUMENT_H

#include "base/options.h"

/* A place where the runtime is called. */
struct pv_native_site {
  char *file, *function;
  uint32_t line, column, bytes;
  char kind;                   /* 'r' read, 'w' write, 'u' update, 'm' block, 'c' call */
  uint8_t order, order_failed; /* of an atomic operation: 1 relaxed, 2 acquire, 3 release, 4 both, 5
                                  sequentially consistent; 0: it is plain */
};
struct pv_native_request {
  const struct pv_options *options; /* files and arguments of clang */
  const char *out;                  /* the path of the executable */
  bool places;                      /* for a schedule: unoptimised, and all calls are told */
  const char *sanitizer;            /* what -fsanitize= gets; NULL: nothing */
  /* C text that is compiled and linked, after the sites are known; NULL: nothing. */
  void (*add)(void *user, const struct pv_native_site *sites, uint32_t n, struct pv_str *text);
  void *user;
};
/* Builds the executable. PV_E_INPUT, with a message, if the program does not compile or link. */
enum pv_status pv_instrument(const struct pv_native_request *request, struct pv_str *err);

#endif
