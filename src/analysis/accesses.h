/* accesses.h -- which memory each edge reads and writes, and each function with all that it calls.
 *
 * Memory is cut into *groups*: of objects (analysis/points_to.h) that no access tells apart, so
 * that nothing is lost by it. Objects that nobody writes, or nobody reads, are in none. A
 * synchronisation object is two things: its bytes, and what the scheduler keeps of it, which
 * primitives read and write (and what overwrites or ends its memory writes). Three things are in
 * memory as well: what ends threads, what ends atomic sections, and, if it makes a difference to
 * the program, which addresses were freed. Slots and blocks of the stack are one object in all
 * calls of a function; those of functions that cannot be active twice are left out of what their
 * callers see.
 *
 * Kills are certain ones: a global or slot that is overwritten as a whole under its own name, by a
 * function that is not active twice. A write to a slot that LIVE begins needs LIVE. */
#ifndef PV_ACCESSES_H
#define PV_ACCESSES_H

#include "analysis/call_graph.h"

struct pv_accesses;

/* All are borrowed. */
struct pv_accesses *pv_accesses_new(const struct pv_program *p, const struct pv_points_to *pt,
                                    const struct pv_call_graph *calls);
void pv_accesses_free(struct pv_accesses *a); /* NULL is fine */

/* ---- groups: 0 .. n - 1 ---------------------------------------------------------------------- */
uint32_t pv_accesses_groups(const struct pv_accesses *a);
/* The kinds of threads (call_graph.h) that access it. */
uint64_t pv_accesses_threads(const struct pv_accesses *a, uint32_t group);
/* May a thread read there what another one wrote? */
bool pv_accesses_between_threads(const struct pv_accesses *a, uint32_t group);
void pv_accesses_name(const struct pv_accesses *a, uint32_t group, struct pv_str *out);

/* ---- edges: groups, rising; borrowed; calls access nothing themselves; O(1) -------------------
 */
const uint32_t *pv_accesses_read(const struct pv_accesses *a, uint32_t function, uint32_t edge,
                                 uint32_t *n);
/* *all: it is one group, and nothing of what was there is left. */
const uint32_t *pv_accesses_written(const struct pv_accesses *a, uint32_t function, uint32_t edge,
                                    uint32_t *n, bool *all);
/* The slot of the function that the edge overwrites as a whole, PV_NO_SLOT: none. */
#define PV_NO_SLOT UINT32_MAX
uint32_t pv_accesses_slot(const struct pv_accesses *a, uint32_t function, uint32_t edge);

/* ---- instances of functions (points_to.h) ------------------------------------------------------
 * Bit sets of pv_accesses_words() words: groups that an instance and what it calls may write, and
 * may write or read, as far as its callers can tell. Borrowed. Groups that are *wide* are in no
 * set: there would have been too many sets too large (see accesses.c). */
uint32_t pv_accesses_words(const struct pv_accesses *a);
const uint64_t *pv_accesses_mod(const struct pv_accesses *a, uint32_t instance);
const uint64_t *pv_accesses_use(const struct pv_accesses *a, uint32_t instance);
bool pv_accesses_is_wide(const struct pv_accesses *a, uint32_t group);

#endif
