/* runtime.h -- the text of runtime/proviso_runtime.c, embedded by cmake/runtime.cmake. */
#ifndef PV_NATIVE_RUNTIME_H
#define PV_NATIVE_RUNTIME_H

extern const char pv_native_runtime[], pv_native_runtime_end[];

#endif
