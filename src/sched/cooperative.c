#include "sched/cooperative.h"

#include <string.h>

void pv_cooperative_set(struct pv_sched_state *s, const void *bytes, size_t n) {
  if (s->n == n && s->data && !memcmp(s->data, bytes, n)) return;
  if (n > s->cap) {
    s->cap = (uint32_t)n * 2;
    s->data = pv_realloc(s->data, s->cap);
  }
  memcpy(s->data, bytes, n);
  s->n = (uint32_t)n;
  s->dirty = true;
}

unsigned pv_cooperative_alternatives(const struct pv_sched_state *s,
                                     const struct pv_prim_call *call,
                                     enum pv_alternative_kind *kinds) {
  (void)s, (void)call;
  kinds[0] = PV_ALTERNATIVE_NORMAL;
  return 1;
}
const char *pv_cooperative_forget(struct pv_sched_state *s, uint64_t address, uint64_t bytes) {
  (void)s, (void)address, (void)bytes;
  return NULL;
}
bool pv_cooperative_in_use(const struct pv_sched_state *s, uint64_t address, uint64_t bytes) {
  (void)s, (void)address, (void)bytes;
  return false;
}
void pv_cooperative_copy(struct pv_sched_state *s, uint64_t to, uint64_t from, uint64_t bytes) {
  (void)s, (void)to, (void)from, (void)bytes;
}
uint64_t pv_cooperative_writes(const struct pv_prim_call *call) {
  (void)call;
  return 0;
}
void pv_cooperative_addresses(const struct pv_sched_state *s,
                              void (*tell)(void *user, uint64_t address), void *user) {
  (void)s, (void)tell, (void)user;
}
bool pv_cooperative_independent(const struct pv_prim_call *a, const struct pv_prim_call *b) {
  (void)a, (void)b;
  return false;
}
unsigned pv_cooperative_phase(const struct pv_sched_state *s, const struct pv_prim_call *call) {
  (void)s, (void)call;
  return 0;
}
enum pv_prim_order pv_cooperative_order(const struct pv_prim_call *earlier,
                                        const struct pv_prim_call *later) {
  (void)earlier, (void)later;
  return PV_PRIM_ORDER_MATTERS;
}
enum pv_prim_section pv_cooperative_section(const struct pv_prim_call *call) {
  (void)call;
  return PV_SECTION_OTHER;
}
uint64_t pv_cooperative_part(const struct pv_sched_state *s, unsigned thread) {
  (void)s;
  return thread;
}
void pv_cooperative_permute(const struct pv_sched_state *s, const uint8_t *to,
                            struct pv_sched_state *out) {
  (void)to;
  pv_cooperative_set(out, s->data, s->n);
}
bool pv_cooperative_holds(const struct pv_sched_state *s, const struct pv_prim_call *call) {
  (void)s, (void)call;
  return true;
}
bool pv_cooperative_closed(const struct pv_sched_state *s, const struct pv_prim_call *call) {
  (void)s, (void)call;
  return false;
}
unsigned pv_cooperative_awaited(const struct pv_sched_state *s, const struct pv_prim_call *call) {
  (void)s, (void)call;
  return PV_MAX_THREADS;
}
bool pv_cooperative_synchronises(const struct pv_prim_call *call, uint64_t result) {
  (void)call, (void)result;
  return true;
}
