/* moves.h -- what every thread can do next in the state at hand.
 *
 * What a thread is parked at is decided by its top frame alone, and the store knows each distinct
 * frame by a number: it is found out once a frame (by a peek of the machine) and looked up from
 * then on. Only in how many alternatives it can be done now is asked of the scheduler in every
 * state. */
#ifndef PV_MOVES_H
#define PV_MOVES_H

#include "explore/space.h"
#include "vm/moves.h"

/* pv_state_errors of the state at hand, for which the machine is loaded only if it may show
 * something. */
void pv_space_errors(struct pv_space *s, const struct pv_task *task, const struct pv_moves *moves,
                     void (*found)(void *user, const struct pv_event *event), void *user);

struct pv_moves_cache;
struct pv_moves_cache *pv_moves_cache_new(struct pv_space *space); /* borrowed */
void pv_moves_cache_free(struct pv_moves_cache *c);
/* Bytes that the next few look-ups will take at once; 0: none. */
uint64_t pv_moves_growth(const struct pv_moves_cache *c);
/* What one thread, which has a frame, is parked at in the state at hand, and in how many
 * alternatives it can go on. */
const struct pv_pending *pv_moves_next(struct pv_moves_cache *c, unsigned thread);
unsigned pv_moves_alternatives(struct pv_moves_cache *c, unsigned thread, unsigned *progress);
/* The moves of the state at hand, which was saved or loaded last. The pending operations belong to
 * the cache and stay. */
void pv_moves_find(struct pv_moves_cache *c, struct pv_moves *out);

#endif
