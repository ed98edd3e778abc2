/* trace.h -- the runtime analyses of a recorded execution.
 *
 * A program built by `proviso instrument` writes the trace (runtime/proviso_runtime.c). The file is
 * untrusted: every number is checked before it is used. Format, version 2, little-endian:
 *
 *   "PVTRACE\0", then five words of 32 bits: version, sites, objects, bytes of text, 0
 *   for each site: text offset of the file, of the function, line, column
 *   for each object (global variable): address and size (64 bits), text offset of the name, 0
 *   text: names, each with a 0 at its end
 *   blocks: thread, number of events (32 bits); each event has 16 bytes: address or number
 *   (64 bits), site (32 bits), kind, bytes, memory order, 0. A block of thread 2^32-1 without
 *   events ends a complete trace.
 *
 * The events of a thread are in program order. An event SEQUENCE numbers the one after it: by these
 * numbers events of different threads are ordered. */
#ifndef PV_MONITOR_TRACE_H
#define PV_MONITOR_TRACE_H

#include "monitor/observe.h"

/* Analyses the trace. The caller zero-initialises *out. PV_E_INPUT, with a message: it is no trace,
 * is damaged, or has more than PV_MAX_THREADS threads. */
enum pv_status pv_trace_observe(const char *path, struct pv_observation *out, struct pv_str *err);

#endif
