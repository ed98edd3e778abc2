/* journal.h -- the way back: what components were before each transition, so that the machine can
 * be made what it was at any earlier point of its path. Going back costs the bytes that changed.
 *
 * For searches that keep no states. (explore/space.h has a journal of its own, of what its store
 * knows by numbers.) */
#ifndef PV_JOURNAL_H
#define PV_JOURNAL_H

#include "vm/vm.h"

struct pv_journal {
  struct pv_vm *vm; /* borrowed */
  struct pv_journal_copy {
    uint8_t *data;
    uint32_t n, cap;
  } * now;               /* by component: its content when pv_journal_keep was called last */
  uint32_t n_now;        /* components known */
  PV_VEC(uint8_t) bytes; /* what was: content, then component and size, a record after the other */
};
/* A place in the journal; of one that was gone behind nothing is known any more. */
typedef uint32_t pv_journal_mark;

/* The machine, started, is at the beginning. */
void pv_journal_begin(struct pv_journal *j, struct pv_vm *vm);
void pv_journal_free(struct pv_journal *j);
/* After a transition, or before one is taken back that did not end in a state. */
void pv_journal_keep(struct pv_journal *j);
static inline pv_journal_mark pv_journal_at(const struct pv_journal *j) {
  return j->bytes.n;
}
/* Makes the machine what it was at the mark; what it did since was kept. */
void pv_journal_back(struct pv_journal *j, pv_journal_mark mark);
/* The same as a change of its own: from where it is now one can go back to what was taken back. */
void pv_journal_revert(struct pv_journal *j, pv_journal_mark mark);
/* Calls f for each change between the marks, the last one first, with the component and what it was
 * before, until it answers false, which is returned then. */
typedef bool (*pv_journal_visitor)(void *user, uint32_t component, const uint8_t *was, uint32_t n);
bool pv_journal_visit(const struct pv_journal *j, pv_journal_mark from, pv_journal_mark to,
                      pv_journal_visitor f, void *user);
/* What was there at the mark; false if that is not known. bytes <= 8. */
bool pv_journal_read(const struct pv_journal *j, pv_journal_mark mark, uint64_t address,
                     unsigned bytes, uint64_t *value);
uint64_t pv_journal_bytes(const struct pv_journal *j); /* of memory in use */

#endif
