/* cooperative.h -- what cooperative plug-ins have in common, if they have no objects in the memory
 * of the program: their objects are numbers, and their state contains no addresses. A plug-in puts
 * PV_SCHED_COOPERATIVE into its table and adds what is its own (docs/schedulers.md). */
#ifndef PV_SCHED_COOPERATIVE_H
#define PV_SCHED_COOPERATIVE_H

#include "sched/sched.h"

/* ---- for the slots of struct pv_sched with these names (sched.h) ------------------------------
 */
/* Always one alternative. */
unsigned pv_cooperative_alternatives(const struct pv_sched_state *s,
                                     const struct pv_prim_call *call,
                                     enum pv_alternative_kind *kinds);
/* No object is in memory: there is nothing to forget, in use or to copy, and no call writes. */
const char *pv_cooperative_forget(struct pv_sched_state *s, uint64_t address, uint64_t bytes);
bool pv_cooperative_in_use(const struct pv_sched_state *s, uint64_t address, uint64_t bytes);
void pv_cooperative_copy(struct pv_sched_state *s, uint64_t to, uint64_t from, uint64_t bytes);
uint64_t pv_cooperative_writes(const struct pv_prim_call *call);
void pv_cooperative_addresses(const struct pv_sched_state *s,
                              void (*tell)(void *user, uint64_t address), void *user);
/* The sound answer, for plug-ins that do not know better. */
bool pv_cooperative_independent(const struct pv_prim_call *a, const struct pv_prim_call *b);
/* For reductions of preemptive programs, which cooperative ones do not use: the sound answers. */
unsigned pv_cooperative_phase(const struct pv_sched_state *s, const struct pv_prim_call *call);
enum pv_prim_order pv_cooperative_order(const struct pv_prim_call *earlier,
                                        const struct pv_prim_call *later);
enum pv_prim_section pv_cooperative_section(const struct pv_prim_call *call);
uint64_t pv_cooperative_part(const struct pv_sched_state *s, unsigned thread);
/* Copies the state: never called, since only explicit searches of preemptive programs permute. */
void pv_cooperative_permute(const struct pv_sched_state *s, const uint8_t *to,
                            struct pv_sched_state *out);
bool pv_cooperative_holds(const struct pv_sched_state *s, const struct pv_prim_call *call);
bool pv_cooperative_closed(const struct pv_sched_state *s, const struct pv_prim_call *call);
unsigned pv_cooperative_awaited(const struct pv_sched_state *s, const struct pv_prim_call *call);
bool pv_cooperative_synchronises(const struct pv_prim_call *call, uint64_t result);

/* Replaces the state by these bytes. Marks it as changed only if they differ. */
void pv_cooperative_set(struct pv_sched_state *s, const void *bytes, size_t n);

/* Defines struct OP, one execution of a primitive, with the unpacked state STATE of type TYPE and
 * the calling thread `self` of type THREAD; and its ends `done` and `limit`. */
#define PV_COOPERATIVE_OP(OP, TYPE, STATE, THREAD)                                                 \
  struct OP {                                                                                      \
    TYPE STATE;                                                                                    \
    THREAD *self;                                                                                  \
    const struct pv_sched_env *env;                                                                \
    const struct pv_prim_call *call;                                                               \
    uint64_t result;                                                                               \
    const char *message;                                                                           \
  };                                                                                               \
  static enum pv_prim_outcome done(struct OP *o, uint64_t result) {                                \
    o->result = result;                                                                            \
    return PV_PRIM_DONE;                                                                           \
  }                                                                                                \
  static enum pv_prim_outcome limit(struct OP *o, const char *message) {                           \
    o->message = message;                                                                          \
    return PV_PRIM_LIMIT;                                                                          \
  }

/* Defines `exec`. STATE has an array THREADS. The plug-in defines unpack, pack and perform(OP *).
 */
#define PV_COOPERATIVE_EXEC(OP, STATE, THREADS)                                                    \
  static enum pv_prim_outcome exec(struct pv_sched_state *s, const struct pv_sched_env *env,       \
                                   const struct pv_prim_call *call, unsigned alternative,          \
                                   uint64_t *result, const char **message) {                       \
    OP o = {.env = env, .call = call};                                                             \
    (void)alternative;                                                                             \
    unpack(s, &o.STATE);                                                                           \
    o.self = &o.STATE.THREADS[call->thread];                                                       \
    enum pv_prim_outcome outcome = perform(&o);                                                    \
    pack(s, &o.STATE);                                                                             \
    *result = o.result;                                                                            \
    *message = o.message;                                                                          \
    return outcome;                                                                                \
  }

/* Defines `alive_set` and `used_set` by the plug-in's `alive` and `n_threads`: all numbers below
 * that are in use. */
#define PV_COOPERATIVE_SETS                                                                        \
  static uint64_t alive_set(const struct pv_sched_state *s) {                                      \
    uint64_t set = 0;                                                                              \
    for (unsigned t = 0; t < n_threads(s); t++) set |= (uint64_t)alive(s, t) << t;                 \
    return set;                                                                                    \
  }                                                                                                \
  static uint64_t used_set(const struct pv_sched_state *s) {                                       \
    unsigned n = n_threads(s);                                                                     \
    return n < 64 ? (UINT64_C(1) << n) - 1 : UINT64_MAX;                                           \
  }

#define PV_SCHED_COOPERATIVE                                                                       \
  .preemptive = false, .alternatives = pv_cooperative_alternatives,                                \
  .forget = pv_cooperative_forget, .in_use = pv_cooperative_in_use, .copy = pv_cooperative_copy,   \
  .phase = pv_cooperative_phase, .order = pv_cooperative_order, .section = pv_cooperative_section, \
  .writes = pv_cooperative_writes, .part = pv_cooperative_part, .permute = pv_cooperative_permute, \
  .addresses = pv_cooperative_addresses, .refers = pv_cooperative_in_use,                          \
  .holds = pv_cooperative_holds, .closed = pv_cooperative_closed,                                  \
  .awaited = pv_cooperative_awaited, .synchronises = pv_cooperative_synchronises

#endif
