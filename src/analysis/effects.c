#include "analysis/effects.h"

#include <string.h>

unsigned pv_effects_conflicting(unsigned a) {
  static const struct {
    unsigned effect, conflicts;
  } table[] = {
      {PV_EFF_READ, PV_EFF_WRITE | PV_EFF_ADD},
      {PV_EFF_WRITE, PV_EFF_READ | PV_EFF_WRITE | PV_EFF_ADD},
      {PV_EFF_ADD, PV_EFF_READ | PV_EFF_WRITE},
      {PV_EFF_LOCK, PV_EFF_LOCK | PV_EFF_SYNC},
      {PV_EFF_UNLOCK, PV_EFF_SYNC},
      {PV_EFF_SYNC, PV_EFF_LOCK | PV_EFF_UNLOCK | PV_EFF_SYNC | PV_EFF_SPAWN | PV_EFF_JOIN |
                        PV_EFF_EXIT | PV_EFF_CANCEL},
      /* threads have numbers; a join makes a number available, and waits for the exit */
      {PV_EFF_SPAWN, PV_EFF_SPAWN | PV_EFF_JOIN | PV_EFF_EXIT | PV_EFF_SYNC | PV_EFF_CANCEL},
      {PV_EFF_JOIN, PV_EFF_SPAWN | PV_EFF_SYNC | PV_EFF_CANCEL},
      {PV_EFF_EXIT, PV_EFF_SPAWN | PV_EFF_SYNC | PV_EFF_CANCEL},
      {PV_EFF_CANCEL, PV_EFF_SPAWN | PV_EFF_JOIN | PV_EFF_EXIT | PV_EFF_SYNC | PV_EFF_CANCELLED},
      {PV_EFF_CANCELLED, PV_EFF_CANCEL},
  };
  unsigned all = 0;
  for (size_t i = 0; i < sizeof table / sizeof *table; i++)
    if (a & table[i].effect) all |= table[i].conflicts;
  return all;
}

unsigned pv_effects_enabling(unsigned a) {
  unsigned all = 0;
  if (a & PV_EFF_READ) all |= PV_EFF_WRITE; /* overwriting a lock releases it */
  if (a & PV_EFF_LOCK) all |= PV_EFF_UNLOCK | PV_EFF_SYNC | PV_EFF_EXIT;
  if (a & PV_EFF_SYNC) all |= PV_EFF_LOCK | PV_EFF_UNLOCK | PV_EFF_SYNC | PV_EFF_EXIT;
  if (a & PV_EFF_JOIN) all |= PV_EFF_EXIT | PV_EFF_SYNC;
  if (a & PV_EFF_CANCELLED) all |= PV_EFF_CANCEL;
  return all;
}

unsigned pv_prim_effects(const char *name, bool *on_threads) {
  static const struct {
    const char *name;
    unsigned effects;
    bool threads;
  } table[] = {{"__proviso_mutex_lock", PV_EFF_LOCK, false},
               {"__proviso_mutex_unlock", PV_EFF_UNLOCK, false},
               {"__proviso_spin_lock", PV_EFF_LOCK, false},
               {"__proviso_spin_unlock", PV_EFF_UNLOCK, false},
               {"__proviso_sem_wait", PV_EFF_LOCK, false},
               {"__proviso_sem_post", PV_EFF_UNLOCK, false},
               {"__proviso_thread_create", PV_EFF_SPAWN, true},
               {"__proviso_thread_join", PV_EFF_JOIN, true},
               {"__proviso_thread_exit", PV_EFF_EXIT, true},
               {"__proviso_thread_cancel", PV_EFF_CANCEL, true},
               {"__proviso_thread_is_cancelled", PV_EFF_CANCELLED, true},
               {"__proviso_thread_join_cancel", PV_EFF_JOIN | PV_EFF_CANCELLED, true},
               {"__proviso_thread_detach", PV_EFF_SYNC, true},
               {"__proviso_thread_yield", 0, true},
               {"__proviso_thread_self", 0, true}};
  for (size_t i = 0; i < sizeof table / sizeof *table; i++)
    if (strcmp(name, table[i].name) == 0) {
      *on_threads = table[i].threads;
      return table[i].effects;
    }
  *on_threads = false;
  return PV_EFF_SYNC;
}
