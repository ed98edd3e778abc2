/* accesses.h -- the memory that each edge reads and writes, and that each function reads and
 * writes, callees included.
 *
 * Memory is partitioned into groups of objects (analysis/points_to.h) that no access distinguishes;
 * so grouping loses no precision. Objects that are never written, or never read, belong to no
 * group. A synchronisation object counts as two: its bytes, and its scheduler record, which
 * primitives read and write (and what overwrites or ends its memory writes). Three pseudo-objects
 * exist as well: what ends threads, what ends atomic sections, and, if the program can observe it,
 * the set of freed addresses. A stack slot or stack block is one object in all calls of its
 * function. Slots of functions that cannot be active twice are not visible to callers.
 *
 * Kills are definite: a global or slot that is overwritten as a whole, by its own name, in a
 * function that cannot be active twice. A write to a slot whose life LIVE begins requires that
 * LIVE. */
#ifndef PV_ACCESSES_H
#define PV_ACCESSES_H

#include "analysis/call_graph.h"

struct pv_accesses;

/* All arguments are borrowed. */
struct pv_accesses *pv_accesses_new(const struct pv_program *p, const struct pv_points_to *pt,
                                    const struct pv_call_graph *calls);
void pv_accesses_free(struct pv_accesses *a); /* NULL is fine */

/* ---- groups: 0 .. n - 1 ---------------------------------------------------------------------- */
uint32_t pv_accesses_groups(const struct pv_accesses *a);
/* The kinds of threads (call_graph.h) that access the group. */
uint64_t pv_accesses_threads(const struct pv_accesses *a, uint32_t group);
/* May a thread read from the group what another thread wrote? */
bool pv_accesses_between_threads(const struct pv_accesses *a, uint32_t group);
/* Appends the names of the objects in the group. */
void pv_accesses_name(const struct pv_accesses *a, uint32_t group, struct pv_str *out);

/* ---- edges: groups, rising; borrowed; calls access nothing themselves; O(1) -------------------
 */
const uint32_t *pv_accesses_read(const struct pv_accesses *a, uint32_t function, uint32_t edge,
                                 uint32_t *n);
/* *all: it is a single group, and the write overwrites it completely. */
const uint32_t *pv_accesses_written(const struct pv_accesses *a, uint32_t function, uint32_t edge,
                                    uint32_t *n, bool *all);
/* The slot of the function that the edge overwrites as a whole; PV_NO_SLOT: none. */
#define PV_NO_SLOT UINT32_MAX
uint32_t pv_accesses_slot(const struct pv_accesses *a, uint32_t function, uint32_t edge);

/* ---- instances of functions (points_to.h) ------------------------------------------------------
 * Bit sets of pv_accesses_words() words: the groups that an instance and its callees may write
 * (mod), and may read or write (use), as far as callers can observe it. Borrowed. Wide groups are
 * in no set; this bounds the total size of the sets (see accesses.c). */
uint32_t pv_accesses_words(const struct pv_accesses *a);
const uint64_t *pv_accesses_mod(const struct pv_accesses *a, uint32_t instance);
const uint64_t *pv_accesses_use(const struct pv_accesses *a, uint32_t instance);
bool pv_accesses_is_wide(const struct pv_accesses *a, uint32_t group);

#endif
