/* journal.h -- an undo log: records the contents of components before each transition. So the VM
 * can return to any earlier state of its path, in time proportional to the bytes that changed.
 *
 * For searches that store no states. (explore/space.h has an undo log of its own, in terms of the
 * numbers of its store.) */
#ifndef PV_JOURNAL_H
#define PV_JOURNAL_H

#include "vm/vm.h"

struct pv_journal {
  struct pv_vm *vm; /* borrowed */
  struct pv_journal_copy {
    uint8_t *data;
    uint32_t n, cap;
  } * now;               /* by component: its contents at the last call of pv_journal_keep */
  uint32_t n_now;        /* components known */
  PV_VEC(uint8_t) bytes; /* the log: records of contents, then component and size */
};
/* A position in the log. Undoing past a mark makes it invalid. */
typedef uint32_t pv_journal_mark;

/* Begins the log at the current state of the VM, which must have been started. */
void pv_journal_begin(struct pv_journal *j, struct pv_vm *vm);
void pv_journal_free(struct pv_journal *j);
/* Call it after every transition, and before undoing one that did not end in a state. */
void pv_journal_keep(struct pv_journal *j);
static inline pv_journal_mark pv_journal_at(const struct pv_journal *j) {
  return j->bytes.n;
}
/* Returns the VM to its state at the mark. pv_journal_keep must have been called since the last
 * transition. */
void pv_journal_back(struct pv_journal *j, pv_journal_mark mark);
/* The same, but logged as a change itself, so that the undo can be undone. */
void pv_journal_revert(struct pv_journal *j, pv_journal_mark mark);
/* Calls f for each change between the marks, last one first, with the component and its contents
 * before. Stops, and returns false, when f returns false. */
typedef bool (*pv_journal_visitor)(void *user, uint32_t component, const uint8_t *was, uint32_t n);
bool pv_journal_visit(const struct pv_journal *j, pv_journal_mark from, pv_journal_mark to,
                      pv_journal_visitor f, void *user);
/* Reads memory as it was at the mark; false if that is unknown. bytes <= 8. */
bool pv_journal_read(const struct pv_journal *j, pv_journal_mark mark, uint64_t address,
                     unsigned bytes, uint64_t *value);
uint64_t pv_journal_bytes(const struct pv_journal *j); /* of memory in use */

#endif
