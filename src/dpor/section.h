/* section.h -- critical sections that are done as one event ("critical-section peeking").
 *
 * Reference: Kusano, Wang, "Assertion guided abstraction", ASE 2014, section 5.1: two lock calls of
 * one mutex are ordered only if something in their sections is. Deviation: as stated there it loses
 * errors (docs/dpor.md has a program: what a thread that takes no lock sees of two sections). Here
 * a section that only accesses memory is one event, from the lock to the unlock. That is right if
 * what it accesses races with nothing but other sections of the same mutex (Lipton, CACM 18(12),
 * 1975); whether that holds is looked at in the executions that are explored, which is enough
 * (Stoller, Cohen, "Optimistic synchronization-based state-space reduction", TACAS 2003). Where it
 * does not, or where something else is done with the mutex, its sections come *apart*, and the
 * search begins anew.
 *
 * Likewise *chains* ("write-write pruning", there section 5.2): stores of a thread to one place
 * with nothing visible between them, of which only the last can be read, are one event, if nothing
 * that races with them reads. A store that is moved behind those of others, up to the next one of
 * its own thread, changes nothing that anybody sees. Theorem 3 there asks for the last write before
 * a thread that cannot run meanwhile reads; its writes need not be in a row, but then more than the
 * two of them would have to be known to be unread. */
#ifndef PV_DPOR_SECTION_H
#define PV_DPOR_SECTION_H

#include "vm/vm.h"

/* What sections accessed, each list once; and which mutexes' sections are apart. */
struct pv_sections {
  bool on, chains;
  PV_VEC(struct pv_pending) accesses;
  PV_VEC(uint32_t) first;        /* by list: its first access; one more */
  struct pv_map lists;           /* by content: the list's number */
  struct pv_map mutexes;         /* by address: PV_SECTION_* */
  PV_VEC(struct pv_pending) now; /* of the section being done */
  bool grew;                     /* a section that had been one event is apart now */
};

void pv_sections_free(struct pv_sections *s);
/* Is it the lock of a section that is to be one event? */
bool pv_section_is_one(const struct pv_sections *s, const struct pv_sched *sched,
                       const struct pv_pending *p);
void pv_section_apart(struct pv_sections *s, uint64_t mutex);
/* It was done as one event. */
void pv_section_was_one(struct pv_sections *s, uint64_t mutex);
/* A thread has come to the operation: what keeps sections from being one event? */
void pv_section_look(struct pv_sections *s, const struct pv_sched *sched,
                     const struct pv_pending *p);

/* Is it a store that may be one event with others to the same place? */
bool pv_chain_may_be(const struct pv_sections *s, const struct pv_pending *p);
/* Stores only: what may race with a chain. */
bool pv_chain_bears(const struct pv_pending *p);

/* The number (from 1) of what is in `now`, up to the order of accesses. */
uint32_t pv_section_list(struct pv_sections *s);
static inline const struct pv_pending *pv_section_accesses(const struct pv_sections *s,
                                                           uint32_t list, uint32_t *n) {
  *n = s->first.at[list] - s->first.at[list - 1];
  return s->accesses.at + s->first.at[list - 1];
}

#endif
