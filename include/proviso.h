/** @file proviso.h
 * The public C API of libproviso: load, configure, check, read the result, free.
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

/** A handle: a program, the options, and the result of the last check. */
typedef struct proviso proviso;

/** What became of a call; the numbers are the exit statuses of the command. */
typedef enum {
  PROVISO_OK = 0,        /**< it did what was asked */
  PROVISO_BAD_INPUT = 2, /**< an option, a file or the program is wrong; see proviso_error */
  PROVISO_INTERNAL = 70  /**< an internal error, or no memory; see proviso_error */
} proviso_status;

/** What is known of the program. */
typedef enum {
  PROVISO_UNKNOWN,     /**< nothing is proven */
  PROVISO_TRUE,        /**< no error is possible */
  PROVISO_CONDITIONAL, /**< no error is possible, provided that the provisos hold */
  PROVISO_FALSE        /**< there is an error, which was replayed */
} proviso_verdict;

/** The version of this interface. It grows when something is added; it is never changed otherwise:
 * programs that were compiled with an older one keep working. */
#define PROVISO_API_VERSION 1

/** That of the library that is linked, for programs that load it at run time.
 * @return at least the PROVISO_API_VERSION of the header, if the library is new enough */
int proviso_api_version(void);

/** The version of the program.
 * @return such as "0.1.0"; static */
const char *proviso_version(void);

/** Makes a handle.
 * @return a handle without files and with the default options; to be freed with proviso_free */
proviso *proviso_new(void);

/** Frees a handle and every string that it returned.
 * @param p the handle; NULL is fine */
void proviso_free(proviso *p);

/** Says why the last call failed.
 * @param p the handle
 * @return the message of the last call on p that failed; "" if none did */
const char *proviso_error(const proviso *p);

/** Sets an option. Calls for lists and for repeatable options accumulate.
 * @param p the handle
 * @param name the command-line name without dashes: "property", "limit", "keep-going"
 * @param value what would follow it: "no-data-race", "time=10s"; "1" switches on
 * @return PROVISO_BAD_INPUT if there is no such option or value */
proviso_status proviso_set(proviso *p, const char *name, const char *value);

/** Adds a file of the program.
 * @param p the handle
 * @param path "prog.c", or "prog.c:-DX,-DY" with flags for clang that apply to this file only
 * @return PROVISO_OK; whether the file can be read shows when it is loaded */
proviso_status proviso_add_file(proviso *p, const char *path);

/** Adds an argument for clang, for all files.
 * @param p the handle
 * @param argument such as "-DNDEBUG"; what could write or execute files is refused when the program
 *   is loaded
 * @return PROVISO_OK */
proviso_status proviso_add_clang_argument(proviso *p, const char *argument);

/** Compiles the files and translates them. proviso_check calls it if you have not.
 * @param p the handle
 * @return PROVISO_BAD_INPUT if the program does not compile; proviso_error has clang's messages */
proviso_status proviso_load(proviso *p);

/** Checks the program, within the limits of the options.
 * @param p the handle
 * @return PROVISO_OK if there is a result, whatever the verdict is */
proviso_status proviso_check(proviso *p);

/** The verdict of the last check.
 * @param p the handle
 * @return PROVISO_UNKNOWN before the first check */
proviso_verdict proviso_get_verdict(const proviso *p);

/** The verdict of the last check in a word, with the property of the first error.
 * @param p the handle
 * @return such as "false(no-data-race)" */
const char *proviso_result_line(const proviso *p);

/** How many provisos the verdict has.
 * @param p the handle
 * @return their number */
size_t proviso_count_provisos(const proviso *p);

/** A proviso.
 * @param p the handle
 * @param i its number, from 0
 * @return a sentence without "provided that"; NULL if there is no such proviso */
const char *proviso_get_proviso(const proviso *p, size_t i);

/** How many errors were found: at most one unless option keep-going is set.
 * @param p the handle
 * @return their number */
size_t proviso_count_violations(const proviso *p);

/** An error.
 * @param p the handle
 * @param i its number, from 0
 * @return its message with its place; NULL if there is no such error */
const char *proviso_get_violation(const proviso *p, size_t i);

/** How large the search was.
 * @param p the handle
 * @return the number of states of the last check */
uint64_t proviso_count_states(const proviso *p);

/** The whole result as a JSON object, as --json writes it (docs/schema/result.json).
 * @param p the handle
 * @return the text */
const char *proviso_json(proviso *p);

/** The whole result as the command line prints it.
 * @param p the handle
 * @return the text */
const char *proviso_text(proviso *p);

/** A C file that, linked with the program, reproduces the inputs of the first error.
 * @param p the handle
 * @return its text; NULL if there is none, and proviso_error gives the reason */
const char *proviso_harness(proviso *p);

/** The program as proviso sees it.
 * @param p the handle
 * @param format "text", "dot" or "c"
 * @return the text; NULL on error */
const char *proviso_print_ir(proviso *p, const char *format);

/** Adds a listener: from the next check on, it is told the events that it wants. Engine `auto`
 * becomes `explicit` then, unless progress and errors are all that is wanted.
 * @param p the handle
 * @param listener is copied
 * @return PROVISO_OK */
proviso_status proviso_listen(proviso *p, const proviso_listener *listener);

/** Asks a running check to end with the result that it has. May be called from a signal handler or
 * another thread. */
void proviso_interrupt(void);

#ifdef __cplusplus
}
#endif
#endif
