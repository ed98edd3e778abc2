#include "vm/prefixes.h"

#include "vm/vm.h"

#include <stdlib.h>

/* Bounds on the transitions that are executed, and on the nodes of the tree. */
enum { MOST_STEPS = 200000, MOST_NODES = 20000 };
enum { LOST = UINT32_MAX }; /* instead of a node: a prefix was not followed that far */

struct walk {
  struct pv_vm *vm;
  struct pv_prefixes *out;
  uint32_t node;          /* where the execution is */
  struct pv_map children; /* node, thread, function, edge, stays -> node */
  PV_VEC(uint32_t) nodes; /* by depth: where the prefix is after so many choices, or LOST */
  PV_VEC(struct pv_choice) path;
  uint32_t at, steps; /* the number of choices that the machine has executed, and all of them */
};

static void go(struct walk *w, uint32_t thread, uint32_t function, uint32_t edge, bool stays) {
  const uint32_t key[5] = {w->node, thread, function, edge, stays};
  bool is_new;
  uint32_t child = *pv_map_put(&w->children, key, sizeof key, w->out->nodes.n, &is_new);
  if (is_new) {
    struct pv_taken_edge e = {.thread = thread,
                              .function = function,
                              .edge = edge,
                              .stays = stays,
                              .next = w->out->nodes.at[w->node].child};
    w->out->nodes.at[w->node].child = child;
    pv_vec_push(&w->out->nodes, e);
  }
  w->node = child;
}

static void on_taken(void *user, unsigned thread, uint32_t function, uint32_t edge) {
  go(user, thread, function, edge, false);
}

/* Executes a choice. false: the machine cannot, or what happened is not told by edges. */
static bool step(struct walk *w, struct pv_choice c) {
  struct pv_pending pending;
  uint32_t function, before = w->node;
  if (c.thread >= pv_vm_threads(w->vm) || !pv_vm_is_alive(w->vm, c.thread)) return false;
  pv_vm_pending(w->vm, c.thread, &pending);
  if (c.alternative >= pending.alternatives) return false;
  if (pv_vm_step(w->vm, c.thread, c.alternative) != PV_RAN) return false;
  if (w->node != before || !pv_vm_is_alive(w->vm, c.thread)) return true;
  /* It took no edge: it stands in the middle of one. */
  const struct pv_edge *e = pv_vm_at(w->vm, c.thread, &function);
  if (e != pending.edge || e->op != PV_OP_PRIM) return e != pending.edge;
  const struct pv_function *f = pending.function;
  go(w, c.thread, function, (uint32_t)(e - f->edges.at), true);
  return true;
}

/* Executes the path up to its last choice. */
static void follow(struct walk *w) {
  uint32_t n = w->path.n;
  if (w->nodes.at[n - 1] == LOST) {
    w->nodes.at[n] = LOST;
    return;
  }
  if (w->at + 1 != n) {
    pv_vm_start(w->vm);
    w->node = w->at = 0;
  }
  for (; w->at < n; w->at++) {
    if (w->steps++ < MOST_STEPS && step(w, w->path.at[w->at])) continue;
    w->nodes.at[n] = LOST;
    w->at = UINT32_MAX - 1; /* the machine is nowhere */
    return;
  }
  w->nodes.at[n] = w->node;
}

/* Opens a node for all threads that do not sleep. */
static void open_node(struct walk *w, uint32_t node, uint64_t asleep) {
  struct pv_taken_edge *e = &w->out->nodes.at[node];
  e->asleep = e->is_open ? e->asleep & asleep : asleep;
  e->is_open = true;
}

/* Opens the last node that the path was followed to, and returns it. */
static uint32_t open_path(struct walk *w, uint64_t asleep) {
  uint32_t depth = w->path.n;
  while (w->nodes.at[depth] == LOST) depth--;
  open_node(w, w->nodes.at[depth], depth == w->path.n ? asleep : 0);
  return w->nodes.at[depth];
}

static uint64_t asleep_in(const struct pv_choice *sleeping, uint32_t n) {
  uint64_t set = 0;
  for (uint32_t i = 0; i < n; i++)
    if (sleeping[i].alternative == PV_EVERY_ALTERNATIVE && sleeping[i].thread < 64)
      set |= UINT64_C(1) << sleeping[i].thread;
  return set;
}

static void walk(struct walk *w, const struct pv_open_part *frontier) {
  uint32_t sleeping = 0;
  for (uint32_t i = 0; i < frontier->prefixes.n; i++) {
    const struct pv_prefix *x = &frontier->prefixes.at[i];
    w->nodes.n = x->depth;
    if (x->depth) {
      w->path.n = x->depth - 1;
      pv_vec_push(&w->path, x->choice);
      pv_vec_push(&w->nodes, 0);
      follow(w);
    } else {
      pv_vec_push(&w->nodes, 0);
    }
    uint64_t asleep = asleep_in(frontier->sleeping.at + sleeping, x->sleeping);
    pv_vec_push(&w->out->opens, x->is_open ? open_path(w, asleep) : UINT32_MAX);
    sleeping += x->sleeping;
  }
}

/* Finds the nodes that lead to open ones. */
static void mark(struct pv_prefixes *p) {
  for (uint32_t i = p->nodes.n; i-- > 0;) {
    struct pv_taken_edge *e = &p->nodes.at[i];
    e->leads = e->is_open;
    for (uint32_t k = e->child; k; k = p->nodes.at[k].next) e->leads |= p->nodes.at[k].leads;
  }
}

bool pv_prefixes_find(const struct pv_task *task, const struct pv_open_part *frontier,
                      struct pv_prefixes *out) {
  struct pv_condition ignored = {0};
  struct walk w = {.out = out};
  struct pv_recorder recorder = {.user = &w, .taken = on_taken};
  if (task->program->has_jumps || !frontier->prefixes.n) return false;
  w.vm = pv_vm_new(task, pv_sched_of(task->program->sched), &ignored);
  pv_vm_follow(w.vm, NULL);
  pv_vec_push(&out->nodes, (struct pv_taken_edge){0});
  pv_vm_record(w.vm, &recorder);
  pv_vm_start(w.vm);
  walk(&w, frontier);
  mark(out);
  pv_vm_free(w.vm);
  pv_condition_clear(&ignored);
  pv_map_free(&w.children);
  pv_vec_free(&w.path);
  pv_vec_free(&w.nodes);
  const struct pv_taken_edge *root = &out->nodes.at[0];
  return out->nodes.n <= MOST_NODES && w.steps < MOST_STEPS && !(root->is_open && !root->asleep);
}

void pv_prefixes_free(struct pv_prefixes *p) {
  pv_vec_free(&p->nodes);
  pv_vec_free(&p->opens);
}
