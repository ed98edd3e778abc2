/* memo.h -- a cache of executed transitions.
 *
 * The effect of a transition depends only on the thread, the alternative, and the contents of the
 * components in its footprint (vm.h). The store numbers each distinct content (its leaf). If a
 * transition was executed before with the same leaves, its result is looked up: the new leaves of
 * the components that it changes. The machine reads one component after the other, and the contents
 * read so far determine which one it reads next. So footprints form a decision tree: an inner node
 * names the component that is read next, a branch is a leaf. Every transition reads its top frame
 * and the set of live threads; the root of the tree branches on both.
 *
 * If few look-ups succeed, the cache suspends itself, because it would cost more than it saves. The
 * cache affects speed only, never results. */
#ifndef PV_MEMO_H
#define PV_MEMO_H

#include "base/base.h"

struct pv_memo;
struct pv_memo_change {
  uint32_t component, leaf;
};
struct pv_memo_result {
  const struct pv_memo_change *changes; /* valid until the next pv_memo_keep */
  uint32_t n;
  uint32_t instructions, inputs; /* executed, and read, by the machine */
  bool back;                     /* pv_space_step */
  uint32_t *kept; /* if the result was found: three words for the caller, initially 0; valid as
                     long as `changes` */
};
/* The key of the root. The thread is that of the top frame. */
struct pv_memo_start {
  uint32_t alternative, top, top_leaf;
  uint64_t alive;
};
/* The leaf of a component in the state that the transition begins in. */
typedef uint32_t pv_memo_leaf(const void *user, uint32_t component);

struct pv_memo *pv_memo_new(void);
void pv_memo_free(struct pv_memo *m);
/* false: the cache is suspended. */
bool pv_memo_works(const struct pv_memo *m);
/* false: there is no entry. */
bool pv_memo_find(struct pv_memo *m, const struct pv_memo_start *from, pv_memo_leaf *leaf,
                  const void *user, struct pv_memo_result *out);
void pv_memo_forget(struct pv_memo *m); /* removes all entries */
/* The number of times that all entries were removed. */
uint32_t pv_memo_forgotten(const struct pv_memo *m);
/* Adds a transition that was executed because it was not found. The footprint excludes what `from`
 * contains. The result is copied. */
void pv_memo_keep(struct pv_memo *m, const struct pv_memo_start *from, pv_memo_leaf *leaf,
                  const void *user, const uint32_t *footprint, uint32_t n,
                  const struct pv_memo_result *result);

#endif
