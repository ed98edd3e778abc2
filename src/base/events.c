#include "base/events.h"

#include <stdlib.h>

void pv_listeners_add(struct pv_listeners *all, const proviso_listener *l) {
  pv_vec_push(&all->list, *l);
  all->kinds |= l->kinds;
}

void pv_listeners_end(struct pv_listeners *all) {
  for (uint32_t i = 0; i < all->list.n; i++)
    if (all->list.at[i].end) all->list.at[i].end(all->list.at[i].user);
}

void pv_listeners_free(struct pv_listeners *all) {
  pv_vec_free(&all->list);
  all->kinds = 0;
}

void pv_tell(const struct pv_listeners *all, const proviso_event *e) {
  for (uint32_t i = 0; all && i < all->list.n; i++)
    if (all->list.at[i].kinds & PROVISO_EVENT_BIT(e->kind))
      all->list.at[i].tell(all->list.at[i].user, e);
}
