/* pthread_thread.c -- threads: create, join, detach, exit, self, yield, cancel.
 *
 * A thread's id is its slot + 1. A slot is free again after its thread has ended and was joined or
 * detached. So ids are reused, like pthread_t on real machines; slot 0 always belongs to main.
 * Creation returns the id, and stores it before the thread runs if it is given a place.
 *
 * A request to cancel a thread is a bit of its record, which stays until the thread ends. Only
 * calls at cancellation points read it: thread_is_cancelled, and blocking calls whose names end in
 * `_cancel`. Their result is ECANCELED if the thread must act on the request. The models do the
 * rest (models/cancel.c). */
#include "sched/pthread_internal.h"

_Static_assert(PV_MAX_THREADS == 64, "the message below names the bound");

enum pv_prim_outcome pt_thread_create(struct pt_op *o) {
  unsigned slot = 1;
  while (slot < PV_MAX_THREADS && pt_status(o->s, slot) != PT_FREE) slot++;
  if (slot == PV_MAX_THREADS) {
    o->message = "no more than 64 threads exist at one time"; /* completes "provided that" */
    return PV_PRIM_LIMIT;
  }
  const uint64_t *args = o->call->args;
  pt_set_thread(o->s, slot,
                &(struct pt_thread){.status = PT_ALIVE, .detached = (uint32_t)args[3] != 0});
  if (args[0] && !o->env->store(o->env->self, args[0], o->env->pointer_bits / 8, slot + 1)) {
    o->message = "the id of a new thread is written where no memory is";
  }
  o->env->spawn(o->env->self, slot, args[1], args[2]);
  return pt_done(o, slot + 1);
}

/* Why the thread with that id cannot be joined or detached, or NULL if it can. */
static const char *not_joinable(const struct pv_sched_state *s, uint64_t id) {
  if (id == 0 || id > pt_threads(s) || pt_status(s, (unsigned)id - 1) == PT_FREE) {
    return "join or detach of a thread that does not exist, or no longer does";
  }
  if (pt_is_detached(s, (unsigned)id - 1)) return "join or detach of a detached thread";
  return NULL;
}

static unsigned joined(const struct pv_sched_state *s, const struct pv_prim_call *call) {
  uint64_t id = call->args[0];
  return not_joinable(s, id) || id == call->thread + 1 ? PV_MAX_THREADS : (unsigned)id - 1;
}

unsigned pt_awaited(const struct pv_sched_state *s, const struct pv_prim_call *call) {
  return call->prim->id == PT_P_thread_join ? joined(s, call) : PV_MAX_THREADS;
}

unsigned pt_alternatives_join(const struct pv_sched_state *s, const struct pv_prim_call *call,
                              enum pv_alternative_kind *kinds) {
  unsigned thread = joined(s, call);
  bool waits = thread != PV_MAX_THREADS && pt_status(s, thread) == PT_ALIVE;
  return waits ? 0 : pt_alternative(kinds, PV_ALTERNATIVE_NORMAL);
}

/* If a thread is cancelled while it waits, either the request or what it waits for may come first.
 * A thread that does not wait reads the request before. */
unsigned pt_alternatives_join_cancel(const struct pv_sched_state *s,
                                     const struct pv_prim_call *call,
                                     enum pv_alternative_kind *kinds) {
  unsigned n = pt_alternatives_join(s, call, kinds);
  if (pt_is_cancelled(s, call->thread)) kinds[n++] = PV_ALTERNATIVE_NORMAL;
  return n;
}

enum pv_prim_outcome pt_thread_join_cancel(struct pt_op *o) {
  enum pv_alternative_kind kinds[PV_MAX_THREADS + 2];
  if (o->alternative == pt_alternatives_join(o->s, o->call, kinds)) return pt_done(o, PT_ECANCELED);
  return pt_thread_join(o);
}

enum pv_prim_outcome pt_thread_join(struct pt_op *o) {
  uint64_t id = o->call->args[0], result = o->call->args[1];
  const char *problem = not_joinable(o->s, id);
  if (problem) return pt_misuse(o, PT_ESRCH, problem);
  if (id == o->self) return pt_done(o, PT_EDEADLK);
  struct pt_thread t = pt_thread(o->s, (unsigned)id - 1);
  if (result && !o->env->store(o->env->self, result, o->env->pointer_bits / 8, t.result)) {
    o->message = "the result of a joined thread is written where no memory is";
  }
  pt_set_thread(o->s, (unsigned)id - 1, &(struct pt_thread){0});
  return pt_done(o, 0);
}

enum pv_prim_outcome pt_thread_detach(struct pt_op *o) {
  uint64_t id = o->call->args[0];
  const char *problem = not_joinable(o->s, id);
  if (problem) return pt_misuse(o, PT_ESRCH, problem);
  struct pt_thread t = pt_thread(o->s, (unsigned)id - 1);
  if (t.status == PT_ENDED) {
    t = (struct pt_thread){0};
  } else {
    t.detached = 1;
  }
  pt_set_thread(o->s, (unsigned)id - 1, &t);
  return pt_done(o, 0);
}

enum pv_prim_outcome pt_thread_exit(struct pt_op *o) {
  struct pt_thread t = pt_thread(o->s, o->call->thread), ended = {0};
  pt_orphan(o->s, o->call->thread);
  if (!t.detached) {
    ended.status = PT_ENDED;
    ended.result = o->call->args[0];
  }
  pt_set_thread(o->s, o->call->thread, &ended);
  return PV_PRIM_EXITED;
}

enum pv_prim_outcome pt_thread_self(struct pt_op *o) {
  return pt_done(o, o->self);
}
enum pv_prim_outcome pt_thread_yield(struct pt_op *o) {
  return pt_done(o, 0);
}

/* A request to a thread that has ended has no effect. */
enum pv_prim_outcome pt_thread_cancel(struct pt_op *o) {
  uint64_t id = o->call->args[0];
  if (id == 0 || id > pt_threads(o->s) || pt_status(o->s, (unsigned)id - 1) == PT_FREE)
    return pt_misuse(o, PT_ESRCH,
                     "cancellation of a thread that does not exist, or no longer does");
  struct pt_thread t = pt_thread(o->s, (unsigned)id - 1);
  if (t.status != PT_ALIVE || t.cancelled) return pt_done(o, 0);
  t.cancelled = 1;
  pt_set_thread(o->s, (unsigned)id - 1, &t);
  return pt_done(o, 0);
}
enum pv_prim_outcome pt_thread_is_cancelled(struct pt_op *o) {
  return pt_done(o, pt_is_cancelled(o->s, o->call->thread));
}
