#include "cpa/control_internal.h"

#include <stdlib.h>
#include <string.h>

struct frame_key {
  uint32_t parent, function, call, thread;
};

const struct pv_frame *pv_control_frame(const struct pv_control *c, uint32_t frame) {
  return &c->frames.at[frame];
}

const struct pv_function *pv_control_function(const struct pv_control *c, uint32_t frame) {
  return &c->program->functions.at[c->frames.at[frame].function];
}

uint32_t pv_control_user_span(const struct pv_control *c, uint32_t frame, uint32_t edge,
                              const struct pv_function **library) {
  const struct pv_function *f;
  *library = NULL;
  while ((f = pv_control_function(c, frame))->is_model) {
    const struct pv_frame *here = pv_control_frame(c, frame);
    *library = f;
    if (here->parent == PV_NO_FRAME) return 0;
    edge = here->call;
    frame = here->parent;
  }
  return f->edges.at[edge].span;
}

void pv_control_tell_place(const struct pv_control *c, uint32_t frame, uint32_t edge,
                           proviso_event *out) {
  const struct pv_function *library;
  uint32_t span = pv_control_user_span(c, frame, edge, &library);
  out->thread = pv_control_frame(c, frame)->thread;
  if (!span) return;
  out->file = pv_span_file(c->program, span);
  out->line = pv_span_of(c->program, span)->line;
  while (frame != PV_NO_FRAME && pv_control_function(c, frame)->is_model)
    frame = pv_control_frame(c, frame)->parent;
  if (frame != PV_NO_FRAME) out->function = pv_control_function(c, frame)->name;
}

void pv_control_place(const struct pv_control *c, uint32_t frame, uint32_t edge,
                      struct pv_str *out) {
  const struct pv_function *library;
  uint32_t span = pv_control_user_span(c, frame, edge, &library);
  if (!span && library) {
    pv_str_add(out, pv_control_frame(c, frame)->thread ? "the start of a thread"
                                                       : "the start of the program");
    return;
  }
  pv_str_addf(out, "%s:%u", pv_span_file(c->program, span), pv_span_of(c->program, span)->line);
  if (library && library->name[0] != '_') /* "printf.1" is printf, specialised for a format */
    pv_str_addf(out, " (in %.*s)", (int)strcspn(library->name, "."), library->name);
}

uint32_t pv_control_instance(const struct pv_control *c, uint32_t frame, uint32_t function,
                             uint32_t instance) {
  for (; frame != PV_NO_FRAME; frame = c->frames.at[frame].parent) {
    const struct pv_frame *f = &c->frames.at[frame];
    if (f->function == function && f->instance == instance) return frame;
  }
  return PV_NO_FRAME;
}

/* The number of frames of `function` on the stack that ends in `frame`. */
static uint32_t count_instances(const struct pv_control *c, uint32_t frame, uint32_t function) {
  for (; frame != PV_NO_FRAME; frame = c->frames.at[frame].parent)
    if (c->frames.at[frame].function == function)
      return c->frames.at[frame].instance % PV_INSTANCES + 1;
  return 0;
}

static uint32_t intern(struct pv_control *c, uint32_t parent, uint32_t function, uint32_t call,
                       uint32_t thread) {
  struct frame_key key = {parent, function, call, thread};
  bool is_new;
  uint32_t at = *pv_map_put(&c->index, &key, sizeof key, c->frames.n, &is_new);
  if (!is_new) return at;
  struct pv_frame f = {.parent = parent, .function = function, .call = call, .thread = thread};
  f.instance = count_instances(c, parent, function) + PV_INSTANCES * thread;
  f.depth = parent == PV_NO_FRAME ? 0 : c->frames.at[parent].depth + 1;
  pv_vec_push(&c->frames, f);
  return at;
}

struct pv_point pv_control_start(struct pv_control *c) {
  uint32_t frame = intern(c, PV_NO_FRAME, c->program->start, 0, 0);
  return (struct pv_point){frame, pv_control_function(c, frame)->entry, 0};
}

uint32_t pv_control_enter(struct pv_control *c, uint32_t parent, uint32_t function, uint32_t call) {
  return intern(c, parent, function, call, c->frames.at[parent].thread);
}

bool pv_control_replaces(const struct pv_control *c, const struct pv_move *m) {
  return m->kind == PV_MOVE_CALL && c->frames.at[m->other].parent != m->frame;
}

uint32_t pv_control_root(struct pv_control *c, uint32_t thread, uint32_t start) {
  uint32_t function = 0;
  while (strcmp(c->program->functions.at[function].name, "__proviso_thread_main") != 0) function++;
  return intern(c, PV_NO_FRAME, function, start == PV_NO_FUNC ? 0 : start + 1, thread);
}

/* ---- moves ----------------------------------------------------------------------------------- */

static void call_move(struct pv_control *c, struct pv_move m, uint32_t callee, pv_moves *out) {
  const struct pv_function *f = &c->program->functions.at[callee];
  /* The frontend gives every called function a body, possibly only a STOP. */
  if (!f->defined) return;
  bool tail = pv_control_is_tail(c, m.frame, m.edge);
  uint32_t parent = tail ? c->frames.at[m.frame].parent : m.frame;
  if (count_instances(c, parent, callee) >= c->bound) {
    m.kind = PV_MOVE_CUT;
    m.to = (struct pv_point){m.frame, pv_control_function(c, m.frame)->edges.at[m.edge].from, 0};
  } else {
    m.kind = PV_MOVE_CALL;
    m.other = pv_control_enter(c, parent, callee, tail ? c->frames.at[m.frame].call : m.edge);
    m.to = (struct pv_point){m.other, f->entry, 0};
  }
  pv_vec_push(out, m);
}

static void call_moves(struct pv_control *c, struct pv_move m, const struct pv_edge *e,
                       pv_moves *out) {
  const struct pv_frame *frame = &c->frames.at[m.frame];
  if (e->callee != PV_NO_FUNC) {
    call_move(c, m, e->callee, out);
    return;
  }
  /* The argument that the thread was created with. */
  if (frame->parent == PV_NO_FRAME && frame->call) {
    call_move(c, m, frame->call - 1, out);
    return;
  }
  uint32_t n =
      pv_points_to_callees(c->points_to, c->frames.at[m.frame].function, m.edge, c->callees);
  if (!n) {
    m.kind = PV_MOVE_NOWHERE;
    pv_vec_push(out, m);
  }
  for (uint32_t i = 0; i < n; i++) call_move(c, m, c->callees[i], out);
}

static struct pv_move return_move(const struct pv_control *c, struct pv_move m) {
  const struct pv_frame *f = &c->frames.at[m.frame];
  if (f->parent == PV_NO_FRAME) {
    m.kind = PV_MOVE_END;
    return m;
  }
  m.kind = PV_MOVE_RETURN;
  m.to = (struct pv_point){f->parent, pv_control_function(c, f->parent)->edges.at[f->call].to, 0};
  return m;
}

void pv_control_own_moves(struct pv_control *c, struct pv_point at, pv_moves *out) {
  const struct pv_function *f = pv_control_function(c, at.frame);
  const struct pv_location *l = &f->locs.at[at.loc];
  for (uint32_t i = 0; i < l->n_out; i++) {
    const struct pv_edge *e = &f->edges.at[l->first_out + i];
    struct pv_move m = {.frame = at.frame, .edge = l->first_out + i, .to = {at.frame, e->to, 0}};
    if (e->op == PV_OP_CALL)
      call_moves(c, m, e, out);
    else if (e->op == PV_OP_RETURN)
      pv_vec_push(out, return_move(c, m));
    else {
      m.kind = e->op == PV_OP_STOP ? PV_MOVE_END : PV_MOVE_STEP;
      pv_vec_push(out, m);
    }
  }
}

void pv_control_moves(struct pv_control *c, struct pv_point at, pv_moves *out) {
  if (c->threads)
    pv_threads_moves(c, at, out);
  else
    pv_control_own_moves(c, at, out);
}

void pv_control_moves_in(struct pv_control *c, const void *state, struct pv_point at,
                         pv_moves *out) {
  uint32_t first = out->n;
  c->state = state;
  pv_control_moves(c, at, out);
  c->state = NULL;
  if (c->arguments.choose) c->arguments.choose(c->arguments.self, state, first, out);
}

static const struct incoming *incoming_of(struct pv_control *c, uint32_t function) {
  struct incoming *in = &c->incoming[function];
  const struct pv_function *f = &c->program->functions.at[function];
  if (in->first) return in;
  in->first = pv_alloc((f->locs.n + 1) * sizeof *in->first);
  in->next = pv_alloc((f->edges.n + 1) * sizeof *in->next);
  for (uint32_t i = 0; i < f->edges.n; i++) {
    if (f->edges.at[i].op == PV_OP_RETURN || f->edges.at[i].op == PV_OP_STOP) continue;
    in->next[i] = in->first[f->edges.at[i].to];
    in->first[f->edges.at[i].to] = i + 1;
  }
  return in;
}

static void returns_of(struct pv_control *c, uint32_t frame, pv_moves *out) {
  const struct pv_function *f = pv_control_function(c, frame);
  for (uint32_t i = 0; i < f->edges.n; i++)
    if (f->edges.at[i].op == PV_OP_RETURN)
      pv_vec_push(out, return_move(c, (struct pv_move){.frame = frame, .edge = i}));
}

/* The calls that lead to the entry of a frame that has been met. */
static void calls_of(struct pv_control *c, struct pv_point to, pv_moves *out) {
  struct pv_frame frame = *pv_control_frame(c, to.frame);
  const struct pv_edge *call = &pv_control_function(c, frame.parent)->edges.at[frame.call];
  struct pv_move m = {.kind = PV_MOVE_CALL, .to = to, .other = to.frame};
  m.frame = frame.parent;
  m.edge = frame.call;
  if (call->callee == PV_NO_FUNC || call->callee == frame.function) pv_vec_push(out, m);
  if (!pv_control_is_round(c, to)) return;
  for (uint32_t i = 0; i < c->frames.n; i++) {
    const struct pv_frame *f = &c->frames.at[i];
    const struct pv_function *from = pv_control_function(c, i);
    if (f->parent != frame.parent || f->call != frame.call) continue;
    m.frame = i;
    for (m.edge = 0; m.edge < from->edges.n; m.edge++)
      if (from->edges.at[m.edge].callee == frame.function && pv_control_is_tail(c, i, m.edge))
        pv_vec_push(out, m);
  }
}

typedef PV_VEC(uint32_t) frame_list;

/* The frames that a call of a function enters, at once or by tail calls: those that return behind
 * it. */
static void entered_by(struct pv_control *c, struct pv_move call, frame_list *out) {
  pv_moves calls = {0};
  call_moves(c, call, pv_move_edge(c, &call), &calls);
  out->n = 0;
  for (uint32_t i = 0; i < calls.n; i++)
    if (calls.at[i].kind == PV_MOVE_CALL && !pv_control_replaces(c, &calls.at[i]))
      pv_vec_push(out, calls.at[i].to.frame);
  uint32_t n = out->n;
  bool rounds = false;
  for (uint32_t i = 0; i < n; i++) rounds |= c->tails[c->frames.at[out->at[i]].function] != NULL;
  for (uint32_t i = 0; rounds && i < c->frames.n; i++) {
    const struct pv_frame *f = &c->frames.at[i];
    bool known = f->parent != call.frame || f->call != call.edge;
    for (uint32_t k = 0; k < n; k++) known |= out->at[k] == i;
    if (!known) pv_vec_push(out, i);
  }
  pv_vec_free(&calls);
}

void pv_control_moves_to(struct pv_control *c, struct pv_point to, pv_moves *out) {
  uint32_t function = pv_control_frame(c, to.frame)->function;
  const struct incoming *in = incoming_of(c, function);
  if (to.loc == pv_control_function(c, to.frame)->entry &&
      pv_control_frame(c, to.frame)->parent != PV_NO_FRAME)
    calls_of(c, to, out);
  frame_list entered = {0};
  for (uint32_t i = in->first[to.loc]; i; i = in->next[i - 1]) {
    struct pv_move m = {.kind = PV_MOVE_STEP, .frame = to.frame, .edge = i - 1, .to = to};
    if (pv_move_edge(c, &m)->op != PV_OP_CALL) {
      pv_vec_push(out, m);
      continue;
    }
    entered_by(c, m, &entered);
    for (uint32_t k = 0; k < entered.n; k++) returns_of(c, entered.at[k], out);
  }
  pv_vec_free(&entered);
}

/* ---- natural loops
 * ------------------------------------------------------------------------------- */

/* Marks what can be reached from a location without passing `around` (UINT32_MAX: everything). */
static void reach_from(const struct pv_function *f, pv_loc from, pv_loc around, bool *reachable) {
  PV_VEC(pv_loc) stack = {0};
  memset(reachable, 0, (f->locs.n + 1) * sizeof *reachable);
  pv_vec_push(&stack, from);
  while (stack.n) {
    pv_loc at = pv_vec_pop(&stack);
    if (reachable[at] || at == around) continue;
    reachable[at] = true;
    for (uint32_t i = 0; i < f->locs.at[at].n_out; i++)
      pv_vec_push(&stack, f->edges.at[f->locs.at[at].first_out + i].to);
  }
  pv_vec_free(&stack);
}

/* The natural loop of a head: the locations from which a back edge to it can be reached without
 * passing it. An edge is a back edge if its source can be reached only through the head. If a head
 * has none (because the loop has several entries), its loop is everything that it can reach and
 * that reaches it. */
static void find_body(const struct pv_function *f, const struct incoming *in, pv_loc head,
                      bool *outside, bool *below, struct bodies *b) {
  PV_VEC(pv_loc) stack = {0};
  reach_from(f, f->entry, head, outside);
  reach_from(f, head, UINT32_MAX, below);
  for (uint32_t e = in->first[head]; e; e = in->next[e - 1])
    if (!outside[f->edges.at[e - 1].from]) pv_vec_push(&stack, f->edges.at[e - 1].from);
  bool natural = stack.n > 0;
  if (natural)
    b->in[(size_t)head * b->words + head / 64] |= UINT64_C(1) << head % 64;
  else
    pv_vec_push(&stack, head);
  while (stack.n) {
    pv_loc at = pv_vec_pop(&stack);
    uint64_t *word = &b->in[(size_t)at * b->words + head / 64];
    if (!below[at] || *word >> head % 64 & 1) continue;
    *word |= UINT64_C(1) << head % 64;
    for (uint32_t e = in->first[at]; e; e = in->next[e - 1])
      pv_vec_push(&stack, f->edges.at[e - 1].from);
  }
  pv_vec_free(&stack);
}

static void find_bodies(struct pv_control *c, uint32_t function) {
  const struct pv_function *f = &c->program->functions.at[function];
  struct bodies *b = &c->bodies[function];
  uint32_t n = f->locs.n, words = (n + 63) / 64;
  b->in = pv_alloc((size_t)(n ? n : 1) * (words ? words : 1) * sizeof *b->in);
  b->words = words;
  b->done = true;
  const struct incoming *in = incoming_of(c, function);
  bool *outside = pv_alloc((n + 1) * sizeof *outside), *below = pv_alloc((n + 1) * sizeof *below);
  for (pv_loc head = 0; head < n; head++)
    if (f->locs.at[head].loop_head) find_body(f, in, head, outside, below, b);
  free(outside);
  free(below);
}

bool pv_control_in_loop(struct pv_control *c, uint32_t function, pv_loc head, pv_loc loc) {
  struct bodies *b = &c->bodies[function];
  if (!b->done) find_bodies(c, function);
  return b->in[(size_t)loc * b->words + head / 64] >> head % 64 & 1;
}

/* ---- order ----------------------------------------------------------------------------------- */

/* The number of loops that the edge leaves. */
static uint32_t loops_left(struct pv_control *c, uint32_t function, const struct pv_edge *e) {
  const struct bodies *b = &c->bodies[function];
  uint32_t n = 0;
  for (uint32_t w = 0; w < b->words; w++)
    n += (uint32_t)__builtin_popcountll(b->in[(size_t)e->from * b->words + w] &
                                        ~b->in[(size_t)e->to * b->words + w]);
  return n;
}

/* The next edge of a depth-first walk out of the location. Edges that leave the most loops come
 * first, so that in the reverse postorder the code after a loop comes after the whole loop. Among
 * those, the last edge comes first, so that the order of the edges is kept. `taken`: by edge. NULL:
 * none is left. */
static const struct pv_edge *next_edge(struct pv_control *c, uint32_t function, pv_loc loc,
                                       bool *taken) {
  const struct pv_function *f = &c->program->functions.at[function];
  const struct pv_location *l = &f->locs.at[loc];
  const struct pv_edge *best = NULL;
  for (uint32_t i = l->n_out; i-- > 0;) {
    const struct pv_edge *e = &f->edges.at[l->first_out + i];
    if (taken[l->first_out + i]) continue;
    if (!best || loops_left(c, function, e) > loops_left(c, function, best)) best = e;
  }
  if (best) taken[best - f->edges.at] = true;
  return best;
}

/* The reverse postorder of the locations, without recursion. */
static uint32_t *reverse_postorder(struct pv_control *c, uint32_t function) {
  const struct pv_function *f = &c->program->functions.at[function];
  uint32_t *place = pv_alloc((f->locs.n ? f->locs.n : 1) * sizeof *place);
  bool *seen = pv_alloc((f->locs.n ? f->locs.n : 1) * sizeof *seen);
  bool *taken = pv_alloc((f->edges.n ? f->edges.n : 1) * sizeof *taken);
  PV_VEC(pv_loc) stack = {0};
  uint32_t left = f->locs.n;
  if (!c->bodies[function].done) find_bodies(c, function);
  pv_vec_push(&stack, f->entry);
  seen[f->entry] = true;
  while (stack.n) {
    pv_loc at = pv_vec_last(&stack);
    const struct pv_edge *e = next_edge(c, function, at, taken);
    if (!e) {
      place[at] = --left;
      stack.n--;
    } else if (!seen[e->to]) {
      seen[e->to] = true;
      pv_vec_push(&stack, e->to);
    }
  }
  pv_vec_free(&stack);
  free(seen);
  free(taken);
  return place;
}

static uint32_t place_of(struct pv_control *c, uint32_t frame, pv_loc loc) {
  uint32_t function = c->frames.at[frame].function;
  if (!c->order[function]) c->order[function] = reverse_postorder(c, function);
  return c->order[function][loc];
}

static pv_loc call_site(const struct pv_control *c, uint32_t frame) {
  const struct pv_frame *f = &c->frames.at[frame];
  return pv_control_function(c, f->parent)->edges.at[f->call].from;
}

int pv_control_order(struct pv_control *c, struct pv_point a, struct pv_point b) {
  int deeper = 0;
  while (c->frames.at[a.frame].depth > c->frames.at[b.frame].depth) {
    a = (struct pv_point){c->frames.at[a.frame].parent, call_site(c, a.frame), 0};
    deeper = 1;
  }
  while (c->frames.at[b.frame].depth > c->frames.at[a.frame].depth) {
    b = (struct pv_point){c->frames.at[b.frame].parent, call_site(c, b.frame), 0};
    deeper = -1;
  }
  while (a.frame != b.frame) {
    const struct pv_frame *f = &c->frames.at[a.frame], *g = &c->frames.at[b.frame];
    if (f->thread != g->thread) return f->thread < g->thread ? -1 : 1;
    if (f->parent == PV_NO_FRAME) return f->call < g->call ? -1 : 1;
    if (f->parent == g->parent && f->call == g->call) /* two callees of one call */
      return f->function < g->function ? -1 : 1;
    a = (struct pv_point){f->parent, call_site(c, a.frame), 0};
    b = (struct pv_point){g->parent, call_site(c, b.frame), 0};
    deeper = 0;
  }
  uint32_t x = place_of(c, a.frame, a.loc), y = place_of(c, b.frame, b.loc);
  return x < y ? -1 : x > y ? 1 : deeper;
}

/* ---- recursion ------------------------------------------------------------------------------- */

/* Marks functions on cycles of the call graph, by Warshall's closure over bit rows. Programs have
 * some hundreds of functions. */
static void find_recursion(struct pv_control *c) {
  uint32_t n = c->program->functions.n, words = (n + 63) / 64;
  uint64_t *reach = pv_alloc((size_t)(n ? n : 1) * (words ? words : 1) * sizeof *reach);
  for (uint32_t f = 0; f < n; f++) {
    const struct pv_function *fn = &c->program->functions.at[f];
    for (uint32_t i = 0; i < fn->edges.n; i++) {
      const struct pv_edge *e = &fn->edges.at[i];
      if (e->op != PV_OP_CALL) continue;
      uint32_t k = 1;
      if (e->callee != PV_NO_FUNC)
        c->callees[0] = e->callee;
      else
        k = pv_points_to_callees(c->points_to, f, i, c->callees);
      for (uint32_t j = 0; j < k; j++)
        reach[(size_t)f * words + c->callees[j] / 64] |= UINT64_C(1) << c->callees[j] % 64;
    }
  }
  for (uint32_t k = 0; k < n; k++)
    for (uint32_t f = 0; f < n; f++)
      if (reach[(size_t)f * words + k / 64] >> k % 64 & 1)
        for (uint32_t w = 0; w < words; w++)
          reach[(size_t)f * words + w] |= reach[(size_t)k * words + w];
  for (uint32_t f = 0; f < n; f++)
    c->recursive[f] = reach[(size_t)f * words + f / 64] >> f % 64 & 1;
  free(reach);
}

bool pv_control_recursive(const struct pv_control *c, uint32_t function) {
  return c->recursive[function];
}

bool pv_control_is_entry(const struct pv_control *c, struct pv_point at) {
  return at.loc == pv_control_function(c, at.frame)->entry;
}

bool pv_control_is_exit(const struct pv_control *c, struct pv_point at) {
  const struct pv_function *f = pv_control_function(c, at.frame);
  const struct pv_location *l = &f->locs.at[at.loc];
  return l->n_out == 1 && f->edges.at[l->first_out].op == PV_OP_RETURN;
}

bool pv_control_is_head(const struct pv_control *c, struct pv_point at) {
  const struct pv_function *f = pv_control_function(c, at.frame);
  if (f->locs.at[at.loc].loop_head) return true;
  return at.loc == f->entry && c->recursive[c->frames.at[at.frame].function];
}

uint32_t pv_control_span(const struct pv_control *c, struct pv_point at) {
  const struct pv_function *f = pv_control_function(c, at.frame);
  const struct pv_location *l = &f->locs.at[at.loc];
  return l->n_out ? f->edges.at[l->first_out].span : f->span;
}

void pv_control_print(const struct pv_control *c, uint32_t frame, struct pv_str *out) {
  PV_VEC(uint32_t) stack = {0};
  for (; frame != PV_NO_FRAME; frame = c->frames.at[frame].parent) pv_vec_push(&stack, frame);
  while (stack.n) {
    pv_str_add(out, pv_control_function(c, pv_vec_pop(&stack))->name);
    if (stack.n) pv_str_add(out, " > ");
  }
  pv_vec_free(&stack);
}

struct pv_control *pv_control_new(const struct pv_program *p, const struct pv_points_to *pt,
                                  uint32_t bound) {
  struct pv_control *c = pv_alloc(sizeof *c);
  uint32_t n = p->functions.n ? p->functions.n : 1;
  c->program = p;
  c->points_to = pt;
  c->bound = bound;
  c->order = pv_alloc(n * sizeof *c->order);
  c->recursive = pv_alloc(n * sizeof *c->recursive);
  c->bodies = pv_alloc(n * sizeof *c->bodies);
  c->incoming = pv_alloc(n * sizeof *c->incoming);
  c->callees = pv_alloc(n * sizeof *c->callees);
  find_recursion(c);
  pv_control_find_tails(c);
  return c;
}

void pv_control_allow_threads(struct pv_control *c) {
  if (!c->threads) c->threads = pv_threads_new(c);
}
bool pv_control_has_threads(const struct pv_control *c) {
  return c->threads;
}

void pv_control_execute_scheduler(struct pv_control *c, const struct pv_sched *sched,
                                  enum pv_sched_order order,
                                  const struct pv_argument_source *source) {
  pv_control_allow_threads(c);
  if (!c->threads || c->scheduler) return;
  c->scheduler = pv_scheduler_new(c->program, sched, order);
  c->preempts = sched->preemptive;
  c->arguments = *source;
}

void pv_control_forget_clock(struct pv_control *c) {
  if (c->scheduler) pv_scheduler_forget_clock(c->scheduler);
}

bool pv_control_executes_scheduler(const struct pv_control *c) {
  return c->scheduler;
}
bool pv_control_preempts(const struct pv_control *c) {
  return c->preempts;
}

uint32_t pv_control_scheduler_states(const struct pv_control *c) {
  return c->scheduler ? pv_scheduler_states(c->scheduler) : 0;
}

void pv_control_free(struct pv_control *c) {
  if (!c) return;
  pv_threads_free(c->threads);
  pv_scheduler_free(c->scheduler);
  for (uint32_t i = 0; i < c->program->functions.n; i++) {
    free(c->order[i]);
    free(c->tails[i]);
    free(c->bodies[i].in);
    free(c->incoming[i].first);
    free(c->incoming[i].next);
  }
  free(c->bodies);
  free(c->incoming);
  free(c->order);
  free(c->recursive);
  free(c->tails);
  free(c->rounds);
  free(c->callees);
  pv_vec_free(&c->frames);
  pv_map_free(&c->index);
  free(c);
}
