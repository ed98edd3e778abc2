/* trace_format.h -- the kinds of events in traces (trace.h), for their writer and their reader.
 *
 * The writer is runtime/proviso_runtime.c. This file is a part of it, so it must not include files
 * of this project. */
#ifndef PV_MONITOR_TRACE_FORMAT_H
#define PV_MONITOR_TRACE_FORMAT_H

#include <stdint.h>

enum { PV_TRACE_VERSION = 2 };
enum pv_trace_kind {
  PV_TRACE_SEQUENCE, /* `at` numbers the next event: by these numbers threads are ordered */
  PV_TRACE_READ,
  PV_TRACE_WRITE,
  PV_TRACE_UPDATE, /* reads and writes in one atomic operation */
  PV_TRACE_LOCK,
  PV_TRACE_LOCK_SHARED, /* for reading */
  PV_TRACE_UNLOCK,
  PV_TRACE_RELEASE, /* of what is no lock: a semaphore, a condition variable, a barrier */
  PV_TRACE_ACQUIRE,
  PV_TRACE_FORK, /* `at`: the number of the new thread */
  PV_TRACE_JOIN,
  PV_TRACE_FORGET, /* from here on the memory is another object */
  PV_TRACE_BYTES,  /* `at` is the size of the access of the next event */
  PV_TRACE_END,    /* the object ends: what is not ordered with that is a race */
  PV_TRACE_FENCE,  /* with its memory order */
  PV_TRACE_KINDS
};

/* As it is in the file. */
struct pv_trace_event {
  uint64_t at;   /* address or number */
  uint32_t site; /* row of the table of sites */
  uint8_t kind;  /* enum pv_trace_kind */
  uint8_t bytes; /* of the access; 0: see the event before */
  uint8_t order; /* of an atomic access: 1 + the order of C11; 0: plain */
  uint8_t unused;
};

#endif
