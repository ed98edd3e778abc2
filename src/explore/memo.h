/* memo.h -- transitions that were done before.
 *
 * What a transition does is decided by the thread, the way and the contents of the components in
 * its footprint (vm.h), and each distinct content has a number, its leaf. So a transition done once
 * need not be run again where these leaves are the same: its result, the leaves of what it changed,
 * is looked up. The machine looks at one component after the other, and which one is next is
 * decided by the contents of those before: hence the footprints form a decision tree, whose inner
 * nodes name the component that is looked at next and whose branches are leaves. Every transition
 * looks at its top frame and at which threads are alive: the first step goes by both.
 *
 * Where few transitions are found again the memo rests: it costs more than it saves. All this is a
 * matter of time, never of results. */
#ifndef PV_MEMO_H
#define PV_MEMO_H

#include "base/base.h"

struct pv_memo;
struct pv_memo_change {
  uint32_t component, leaf;
};
struct pv_memo_result {
  const struct pv_memo_change *changes; /* until the next pv_memo_keep */
  uint32_t n;
  uint32_t instructions, inputs; /* executed, read by the machine when it ran */
  bool back;                     /* pv_space_step */
  uint32_t *kept; /* of a result that was found: three words for the caller, 0 at first; as long as
                     `changes` */
};
/* Where a transition begins: its thread is the top frame's. */
struct pv_memo_start {
  uint32_t alternative, top, top_leaf;
  uint64_t alive;
};
/* The leaf of a component in the state that the transition begins in. */
typedef uint32_t pv_memo_leaf(const void *user, uint32_t component);

struct pv_memo *pv_memo_new(void);
void pv_memo_free(struct pv_memo *m);
/* Is there any sense in asking or keeping now? */
bool pv_memo_works(const struct pv_memo *m);
/* false: not known. */
bool pv_memo_find(struct pv_memo *m, const struct pv_memo_start *from, pv_memo_leaf *leaf,
                  const void *user, struct pv_memo_result *out);
void pv_memo_forget(struct pv_memo *m);
/* How often all was forgotten. */
uint32_t pv_memo_forgotten(const struct pv_memo *m);
/* Keeps what was run because it was not found: its footprint without what `from` says, and its
 * result (copied). */
void pv_memo_keep(struct pv_memo *m, const struct pv_memo_start *from, pv_memo_leaf *leaf,
                  const void *user, const uint32_t *footprint, uint32_t n,
                  const struct pv_memo_result *result);

#endif
