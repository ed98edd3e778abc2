/* moves.h -- the pending operations and enabled alternatives of all threads in the current state.
 *
 * The top frame of a thread determines its pending operation. The store numbers each distinct
 * frame; so the machine is asked once for each frame, and the answer is cached. Only the number of
 * enabled alternatives is asked of the scheduler in every state. */
#ifndef PV_MOVES_H
#define PV_MOVES_H

#include "explore/space.h"
#include "vm/moves.h"

/* Calls `found` for each error that the current state shows (pv_state_errors). Loads the machine
 * only if there may be one. */
void pv_space_errors(struct pv_space *s, const struct pv_task *task, const struct pv_moves *moves,
                     void (*found)(void *user, const struct pv_event *event), void *user);

struct pv_moves_cache;
struct pv_moves_cache *pv_moves_cache_new(struct pv_space *space); /* borrowed */
void pv_moves_cache_free(struct pv_moves_cache *c);
/* The size of an allocation that the next look-ups will make; 0: none. */
uint64_t pv_moves_growth(const struct pv_moves_cache *c);
/* The pending operation of a live thread in the current state; and its number of alternatives, of
 * which *progress are not spurious wake-ups. */
const struct pv_pending *pv_moves_next(struct pv_moves_cache *c, unsigned thread);
unsigned pv_moves_alternatives(struct pv_moves_cache *c, unsigned thread, unsigned *progress);
/* The moves of the current state. Pending operations are owned by the cache and remain valid. */
void pv_moves_find(struct pv_moves_cache *c, struct pv_moves *out);

#endif
