#include "vm/unfold.h"

#include "vm/moves.h"

#include <stdlib.h>

/* Bounds on the transitions that are executed, and on the length of prefixes. */
enum { MOST_STEPS = 100000, MOST_DEPTH = 1000 };

struct unfolding {
  struct pv_vm *vm;
  struct pv_open_part *out;
  PV_VEC(struct pv_choice) path;
  uint32_t done; /* the machine has executed so many choices of the path; UINT32_MAX: others */
  uint32_t steps;
  bool verifies; /* some execution comes to `verified` */
};

/* Executes the last choice of the path, and the others before it if the machine is elsewhere. */
static enum pv_outcome follow(struct unfolding *u) {
  enum pv_outcome outcome = PV_RAN;
  if (u->done + 1 != u->path.n) {
    pv_vm_start(u->vm);
    u->done = 0;
  }
  while (u->done < u->path.n && outcome == PV_RAN) {
    struct pv_choice c = u->path.at[u->done++];
    u->steps++;
    outcome = pv_vm_step(u->vm, c.thread, c.alternative);
  }
  return outcome;
}

static bool unfold(struct unfolding *u, enum pv_outcome outcome);

/* The threads that can move, and the number of their alternatives. */
static pv_threads find_moves(struct pv_vm *vm, uint16_t alternatives[PV_MAX_THREADS]) {
  struct pv_pending next[PV_MAX_THREADS];
  struct pv_moves moves;
  pv_moves_peek(vm, next, &moves);
  PV_FOR_THREADS(t, moves.able) alternatives[t] = moves.alternatives[t];
  return moves.able;
}

/* Follows all choices at the end of the path. Returns false if one of them ends the execution with
 * more to tell than that it is verified or does not exist. */
static bool follow_all(struct unfolding *u) {
  uint16_t alternatives[PV_MAX_THREADS];
  pv_threads able = find_moves(u->vm, alternatives);
  bool all = able != 0;
  PV_FOR_THREADS(t, able) {
    for (uint32_t k = 0; k < alternatives[t] && all; k++) {
      struct pv_choice c = {t, k};
      pv_vec_push(&u->path, c);
      all = unfold(u, follow(u));
      u->path.n--;
      if (u->done != u->path.n) u->done = UINT32_MAX;
    }
  }
  return all;
}

/* The execution along the path ended in this way. Describes what is open of those that continue
 * it. false: what continues a shorter one must be open. */
static bool unfold(struct unfolding *u, enum pv_outcome outcome) {
  bool is_verified = pv_vm_automaton_state(u->vm) == PV_AUTOMATON_VERIFIED;
  if (outcome == PV_PRUNED) {
    u->verifies |= is_verified;
    return true;
  }
  if (outcome != PV_RAN) return false;
  uint32_t node = u->out->prefixes.n;
  struct pv_prefix x = {.depth = u->path.n};
  if (x.depth) x.choice = pv_vec_last(&u->path);
  pv_vec_push(&u->out->prefixes, x);
  bool within = u->steps <= MOST_STEPS && x.depth < MOST_DEPTH;
  if (within && pv_vm_automaton_state(u->vm) != PV_AUTOMATON_OPEN && follow_all(u)) return true;
  u->out->prefixes.n = node + 1;
  u->out->prefixes.at[node].is_open = 1;
  return true;
}

bool pv_automaton_unfold(const struct pv_task *task, const struct pv_open_part *automaton,
                         struct pv_open_part *out) {
  const struct pv_sched *sched = pv_sched_of(task->program->sched);
  struct pv_condition ignored = {0};
  struct unfolding u = {.out = out};
  if (task->program->has_jumps || !sched->preemptive) return false;
  if (task->properties & PV_STATE_PROPERTIES & ~PV_PROP_BIT(PV_PROP_NO_DEADLOCK)) return false;
  u.vm = pv_vm_new(task, sched, &ignored);
  pv_vm_follow(u.vm, automaton);
  pv_vm_start(u.vm);
  out->kind = PV_OPEN_FRONTIER;
  bool some = unfold(&u, PV_RAN) && u.verifies && !out->prefixes.at[0].is_open;
  if (!some) pv_open_part_clear(out);
  pv_vm_free(u.vm);
  pv_condition_clear(&ignored);
  pv_vec_free(&u.path);
  return some;
}
