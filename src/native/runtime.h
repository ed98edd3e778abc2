/* runtime.h -- the text of runtime/proviso_runtime.c, embedded by cmake/runtime.cmake. */
#ifndef PV_NATIVE_RUNTIME_H
#define PV_NATIVE_RUNTIME_H

struct pv_native_runtime {
  const char *begin, *end;
};
extern const struct pv_native_runtime pv_native_runtime;

#endif
