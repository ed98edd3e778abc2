/* proviso.h -- the public C API of libproviso: load, configure, check, read the result, free.
 *
 * Only one thread at a time may use a handle. Handles are independent of each other, but only one
 * check may run at a time in a process. Strings that functions return are borrowed. They are valid
 * until the handle is freed or checked again. */
#ifndef PROVISO_H
#define PROVISO_H

#include <stddef.h>
#include <stdint.h>

#include "proviso_events.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct proviso proviso;

typedef enum { PROVISO_OK = 0, PROVISO_BAD_INPUT = 2, PROVISO_INTERNAL = 70 } proviso_status;
typedef enum { PROVISO_UNKNOWN, PROVISO_TRUE, PROVISO_CONDITIONAL, PROVISO_FALSE } proviso_verdict;

/* The version of this interface. It grows when something is added; it is never changed otherwise:
 * programs that were compiled with an older one keep working. */
#define PROVISO_API_VERSION 1
/* That of the library that is linked, for programs that load it at run time. */
int proviso_api_version(void);
const char *proviso_version(void); /* "0.1.0" */

proviso *proviso_new(void);
void proviso_free(proviso *p); /* NULL is fine */

/* The message of the last call on p that failed; "" if none did. */
const char *proviso_error(const proviso *p);

/* Sets an option by its command-line name without dashes: ("property", "no-data-race"), ("limit",
 * "time=10s"), ("keep-going", "1"). Calls for lists and for repeatable options accumulate. */
proviso_status proviso_set(proviso *p, const char *name, const char *value);
/* Adds "prog.c", or "prog.c:-DX,-DY" with flags for clang that apply to this file only. */
proviso_status proviso_add_file(proviso *p, const char *path);
proviso_status proviso_add_clang_argument(proviso *p, const char *argument);

/* Compiles the files and translates them. proviso_check calls it if you have not. */
proviso_status proviso_load(proviso *p);
proviso_status proviso_check(proviso *p);

proviso_verdict proviso_get_verdict(const proviso *p);
const char *proviso_result_line(const proviso *p); /* "false(no-data-race)" */
size_t proviso_count_provisos(const proviso *p);
const char *proviso_get_proviso(const proviso *p, size_t i); /* a sentence */
size_t proviso_count_violations(const proviso *p);
const char *proviso_get_violation(const proviso *p, size_t i); /* message with place */
uint64_t proviso_count_states(const proviso *p);
const char *proviso_json(proviso *p); /* the whole result, as --json writes it */
const char *proviso_text(proviso *p); /* the whole result, as the command line prints it */
/* A C file that, linked with the program, reproduces the inputs of the first error. NULL if there
 * is none; proviso_error gives the reason. */
const char *proviso_harness(proviso *p);
const char *proviso_print_ir(proviso *p,
                             const char *format); /* "text", "dot", "c"; NULL on error */

/* From the next check on, the listener is told the events that it wants (proviso_events.h). It is
 * copied. Engine `auto` becomes `explicit` then, unless progress and errors are all that is wanted.
 */
proviso_status proviso_listen(proviso *p, const proviso_listener *listener);

/* Asks a running check to end with the result that it has. May be called from a signal handler or
 * another thread. */
void proviso_interrupt(void);

#ifdef __cplusplus
}
#endif
#endif
