#include "monitor/log.h"

#include <stdlib.h>

void pv_log_step(struct pv_log *log, struct pv_choice c) {
  pv_vec_push(&log->choices, c);
}

void pv_log_tell(struct pv_log *log, const struct pv_observed *e) {
  log->cut |= log->events.n >= PV_LOG_EVENTS;
  if (log->cut) return;
  pv_vec_push(&log->events, *e);
  pv_vec_push(&log->step, log->choices.n ? log->choices.n - 1 : 0);
}

void pv_log_free(struct pv_log *log) {
  pv_vec_free(&log->events);
  pv_vec_free(&log->step);
  pv_vec_free(&log->choices);
}
