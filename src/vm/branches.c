#include "vm/branches.h"

#include "vm/vm.h"

#include <stdlib.h>

enum { MOST_STEPS = 1000000, MOST_NODES = 20000 };

struct letter {
  uint32_t function, edge;
};
struct branches {
  const struct pv_task *task;
  struct pv_vm *vm;
  const struct pv_edge *last;    /* that the machine told of */
  PV_VEC(struct letter) letters; /* of the execution so far */
  uint32_t steps;
  /* The tree of the letters: node 0 is the root. */
  struct pv_map children; /* node, function, edge -> node */
  PV_VEC(uint8_t) open;   /* by node */
};

/* The machine tells the branches of a location one after the other, until one is taken. */
static void on_edge(void *user, unsigned thread, const struct pv_function *f,
                    const struct pv_edge *e) {
  struct branches *b = user;
  (void)thread;
  bool is_branch = f->locs.at[e->from].n_out > 1;
  bool is_next = is_branch && e > f->edges.at && e - 1 == b->last && b->last->from == e->from;
  b->last = e;
  if (!is_branch) return;
  if (is_next) b->letters.n--;
  struct letter l = {(uint32_t)(f - b->task->program->functions.at), (uint32_t)(e - f->edges.at)};
  pv_vec_push(&b->letters, l);
}

/* The last edge will be told of again. */
static void on_parked(void *user, unsigned thread) {
  struct branches *b = user;
  (void)thread;
  if (b->last && b->last->op == PV_OP_ASSUME && b->letters.n) b->letters.n--;
  b->last = NULL;
}

/* Executes the choices from the initial state. false: they are no prefix of an execution. */
static bool follow(struct branches *b, const struct pv_choice *choices, uint32_t n) {
  struct pv_pending pending;
  b->letters.n = 0;
  b->last = NULL;
  pv_vm_start(b->vm);
  for (uint32_t i = 0; i < n; i++) {
    pv_vm_pending(b->vm, 0, &pending);
    if (choices[i].thread || choices[i].alternative >= pending.alternatives) return false;
    if (b->steps++ > MOST_STEPS || pv_vm_step(b->vm, 0, choices[i].alternative) != PV_RAN)
      return false;
  }
  return true;
}

/* What continues the letters so far is open. */
static bool open_here(struct branches *b) {
  uint32_t node = 0;
  for (uint32_t i = 0; i < b->letters.n; i++) {
    const uint32_t key[3] = {node, b->letters.at[i].function, b->letters.at[i].edge};
    bool is_new;
    node = *pv_map_put(&b->children, key, sizeof key, b->open.n, &is_new);
    if (is_new) pv_vec_push(&b->open, 0);
  }
  b->open.at[node] = 1;
  return b->open.n < MOST_NODES;
}

static bool sleeps(const struct pv_choice *sleeping, uint32_t n, uint32_t alternative) {
  for (uint32_t i = 0; i < n; i++)
    if (!sleeping[i].thread &&
        (sleeping[i].alternative == alternative || sleeping[i].alternative == PV_EVERY_ALTERNATIVE))
      return true;
  return false;
}

/* Opens what continues a prefix, except through transitions that are asleep: they were explored,
 * up to states that are open at other prefixes. */
static bool open_prefix(struct branches *b, const struct pv_choice *path, uint32_t n,
                        const struct pv_choice *sleeping, uint32_t n_sleeping) {
  struct pv_pending pending;
  if (!follow(b, path, n)) return false;
  if (!n_sleeping) return open_here(b);
  pv_vm_pending(b->vm, 0, &pending);
  uint32_t alternatives = pending.alternatives;
  for (uint32_t a = 0; a < alternatives; a++) {
    if (sleeps(sleeping, n_sleeping, a)) continue;
    if (!follow(b, path, n)) return false;
    b->steps++;
    pv_vm_step(b->vm, 0, a); /* whatever becomes of it */
    if (!open_here(b)) return false;
  }
  return true;
}

static bool open_all(struct branches *b, const struct pv_open_part *frontier) {
  PV_VEC(struct pv_choice) path = {0};
  uint32_t sleeping = 0;
  bool right = true;
  for (uint32_t i = 0; i < frontier->prefixes.n && right; i++) {
    const struct pv_prefix *x = &frontier->prefixes.at[i];
    if (x->depth) {
      path.n = x->depth - 1;
      pv_vec_push(&path, x->choice);
    }
    if (x->is_open)
      right = open_prefix(b, path.at, path.n, frontier->sleeping.at + sleeping, x->sleeping);
    sleeping += x->sleeping;
  }
  pv_vec_free(&path);
  return right && !b->open.at[0];
}

static void make_automaton(const struct branches *b, struct pv_open_part *out) {
  *out = (struct pv_open_part){.kind = PV_OPEN_AUTOMATON,
                               .states = PV_AUTOMATON_FIRST + b->open.n,
                               .otherwise = PV_AUTOMATON_VERIFIED};
  for (uint32_t i = 0; i < b->children.n; i++) {
    const uint32_t *key = b->children.entry[i].key, child = b->children.entry[i].value;
    struct pv_automaton_move m = {.from = PV_AUTOMATON_FIRST + key[0],
                                  .to = b->open.at[child] ? PV_AUTOMATON_OPEN
                                                          : PV_AUTOMATON_FIRST + child,
                                  .function = key[1],
                                  .edge = key[2]};
    pv_vec_push(&out->moves, m);
  }
}

static bool has_threads(const struct pv_program *p) {
  for (uint32_t f = 0; f < p->functions.n; f++)
    for (uint32_t i = 0; i < p->functions.at[f].edges.n; i++)
      if (p->functions.at[f].edges.at[i].op == PV_OP_PRIM) return true;
  return false;
}

bool pv_frontier_branches(const struct pv_task *task, const struct pv_open_part *frontier,
                          struct pv_open_part *out) {
  struct pv_condition ignored = {0};
  struct branches b = {.task = task};
  struct pv_recorder recorder = {.user = &b, .edge = on_edge, .parked = on_parked};
  if (task->program->has_jumps || has_threads(task->program)) return false;
  b.vm = pv_vm_new(task, pv_sched_of(task->program->sched), &ignored);
  pv_vec_push(&b.open, 0);
  pv_vm_record(b.vm, &recorder);
  bool right = open_all(&b, frontier);
  if (right) make_automaton(&b, out);
  pv_vm_free(b.vm);
  pv_condition_clear(&ignored);
  pv_map_free(&b.children);
  pv_vec_free(&b.letters);
  pv_vec_free(&b.open);
  return right;
}
