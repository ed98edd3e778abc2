/* events.h -- who listens to the events of an execution or search (include/proviso_events.h). */
#ifndef PV_EVENTS_H
#define PV_EVENTS_H

#include "base/base.h"
#include "proviso_events.h"

struct pv_listeners {
  PV_VEC(proviso_listener) list;
  uint64_t kinds; /* PROVISO_EVENT_BIT of each kind that one of them wants */
};
void pv_listeners_add(struct pv_listeners *all, const proviso_listener *l); /* copies *l */
void pv_listeners_end(struct pv_listeners *all); /* calls `end` of each */
void pv_listeners_free(struct pv_listeners *all);

/* Does anybody want events of this kind? NULL: there are no listeners. */
static inline bool pv_listens(const struct pv_listeners *all, proviso_event_kind kind) {
  return all && (all->kinds & PROVISO_EVENT_BIT(kind));
}
/* Tells the event to each listener that wants its kind, in the order in which they were added. */
void pv_tell(const struct pv_listeners *all, const proviso_event *e);

#endif
