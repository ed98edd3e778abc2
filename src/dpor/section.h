/* section.h -- critical sections and chains of stores as single events.
 *
 * Critical sections. Kusano and Wang ("Assertion guided abstraction", ASE 2014, section 5.1) order
 * two lock operations of one mutex only if the critical sections contain dependent operations.
 * Deviation: as published, this loses errors; docs/dpor.md has a program in which a thread without
 * the lock observes two sections. Here a section that only accesses memory is one event, from lock
 * to unlock. This is sound if its accesses race only with sections of the same mutex (Lipton, CACM
 * 18(12), 1975). It is sufficient to check this in the explored executions (Stoller, Cohen,
 * "Optimistic synchronization-based state-space reduction", TACAS 2003). If the check fails, or if
 * the program uses the mutex in another way, the sections of this mutex are split into their
 * operations, and the search restarts.
 *
 * Chains ("write-write pruning", ibid., section 5.2). A chain consists of consecutive stores of one
 * thread to one location, without a visible operation in between. Only the value of the last store
 * can be read. So the chain is one event, as long as nothing that races with it reads the location.
 * Stores of other threads may be moved out of the chain; no thread can observe that. Deviation:
 * theorem 3 there also covers stores that are not consecutive. That would need knowledge about
 * reads of more than the two threads. */
#ifndef PV_DPOR_SECTION_H
#define PV_DPOR_SECTION_H

#include "vm/vm.h"

/* The access lists of sections, each list once, and the mutexes whose sections are split. */
struct pv_sections {
  bool on, chains; /* are sections, are chains single events? */
  PV_VEC(struct pv_pending) accesses;
  PV_VEC(uint32_t) first;        /* by list: its first access; one entry more than lists */
  struct pv_map lists;           /* by content: the number of the list */
  struct pv_map mutexes;         /* by address: PV_SECTION_* */
  PV_VEC(struct pv_pending) now; /* accesses of the section that is being executed */
  bool grew;                     /* a section that was executed as one event is split now */
};

void pv_sections_free(struct pv_sections *s);
/* Is this the lock operation of a section that is to be one event? */
bool pv_section_is_one(const struct pv_sections *s, const struct pv_sched *sched,
                       const struct pv_pending *p);
/* Splits the sections of this mutex. */
void pv_section_apart(struct pv_sections *s, uint64_t mutex);
/* Notes that a section of this mutex was executed as one event. */
void pv_section_was_one(struct pv_sections *s, uint64_t mutex);
/* A thread is parked at the operation. Splits the sections that cannot be one event because of it.
 */
void pv_section_look(struct pv_sections *s, const struct pv_sched *sched,
                     const struct pv_pending *p);

/* Is this a store that may belong to a chain? */
bool pv_chain_may_be(const struct pv_sections *s, const struct pv_pending *p);
/* May this operation race with a chain without splitting it? Only a store may. */
bool pv_chain_bears(const struct pv_pending *p);

/* The number, from 1, of the list with the accesses in `now`, regardless of their order. */
uint32_t pv_section_list(struct pv_sections *s);
/* The accesses of a list; *n: how many. Borrowed until the next pv_section_list. */
static inline const struct pv_pending *pv_section_accesses(const struct pv_sections *s,
                                                           uint32_t list, uint32_t *n) {
  *n = s->first.at[list] - s->first.at[list - 1];
  return s->accesses.at + s->first.at[list - 1];
}

#endif
