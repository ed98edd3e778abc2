#include "cpa/control.h"

#include <stdlib.h>
#include <string.h>

struct pv_control {
  const struct pv_program *program;
  const struct pv_points_to *points_to;
  uint32_t bound;
  PV_VEC(struct pv_frame) frames;
  struct pv_map index;   /* struct frame_key -> frame */
  uint32_t **order;      /* by function: place of each location in reverse postorder; lazily */
  bool *recursive;       /* by function */
  uint32_t *callees;     /* room for the callees of one call */
};

struct frame_key {
  uint32_t parent, function, call;
};

const struct pv_frame *pv_control_frame(const struct pv_control *c, uint32_t frame) {
  return &c->frames.at[frame];
}

const struct pv_function *pv_control_function(const struct pv_control *c, uint32_t frame) {
  return &c->program->functions.at[c->frames.at[frame].function];
}

uint32_t pv_control_instance(const struct pv_control *c, uint32_t frame, uint32_t function,
                             uint32_t instance) {
  for (; frame != PV_NO_FRAME; frame = c->frames.at[frame].parent) {
    const struct pv_frame *f = &c->frames.at[frame];
    if (f->function == function && f->instance == instance) return frame;
  }
  return PV_NO_FRAME;
}

/* Frames of `function` on the stack that ends in `frame`. */
static uint32_t count_instances(const struct pv_control *c, uint32_t frame, uint32_t function) {
  for (; frame != PV_NO_FRAME; frame = c->frames.at[frame].parent)
    if (c->frames.at[frame].function == function) return c->frames.at[frame].instance + 1;
  return 0;
}

static uint32_t intern(struct pv_control *c, uint32_t parent, uint32_t function, uint32_t call) {
  struct frame_key key = {parent, function, call};
  bool is_new;
  uint32_t at = *pv_map_put(&c->index, &key, sizeof key, c->frames.n, &is_new);
  if (!is_new) return at;
  struct pv_frame f = {.parent = parent, .function = function, .call = call};
  f.instance = count_instances(c, parent, function);
  f.depth = parent == PV_NO_FRAME ? 0 : c->frames.at[parent].depth + 1;
  pv_vec_push(&c->frames, f);
  return at;
}

struct pv_point pv_control_start(struct pv_control *c) {
  uint32_t frame = intern(c, PV_NO_FRAME, c->program->start, 0);
  return (struct pv_point){frame, pv_control_function(c, frame)->entry};
}

/* ---- moves ----------------------------------------------------------------------------------- */

static void call_move(struct pv_control *c, struct pv_move m, uint32_t callee, pv_moves *out) {
  const struct pv_function *f = &c->program->functions.at[callee];
  if (!f->defined) return; /* the frontend gives what is called a body, be it a STOP */
  if (count_instances(c, m.frame, callee) >= c->bound) {
    m.kind = PV_MOVE_CUT;
    m.to = (struct pv_point){m.frame, pv_control_function(c, m.frame)->edges.at[m.edge].from};
  } else {
    m.kind = PV_MOVE_CALL;
    m.to = (struct pv_point){intern(c, m.frame, callee, m.edge), f->entry};
  }
  pv_vec_push(out, m);
}

static void call_moves(struct pv_control *c, struct pv_move m, const struct pv_edge *e,
                       pv_moves *out) {
  if (e->callee != PV_NO_FUNC) {
    call_move(c, m, e->callee, out);
    return;
  }
  uint32_t n = pv_points_to_callees(c->points_to, c->frames.at[m.frame].function, m.edge,
                                    c->callees);
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
  m.to = (struct pv_point){f->parent, pv_control_function(c, f->parent)->edges.at[f->call].to};
  return m;
}

void pv_control_moves(struct pv_control *c, struct pv_point at, pv_moves *out) {
  const struct pv_function *f = pv_control_function(c, at.frame);
  const struct pv_location *l = &f->locs.at[at.loc];
  for (uint32_t i = 0; i < l->n_out; i++) {
    const struct pv_edge *e = &f->edges.at[l->first_out + i];
    struct pv_move m = {.frame = at.frame, .edge = l->first_out + i, .to = {at.frame, e->to}};
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

/* ---- order ----------------------------------------------------------------------------------- */

/* Reverse postorder of the locations, without recursion. */
static uint32_t *reverse_postorder(const struct pv_function *f) {
  uint32_t *place = pv_alloc((f->locs.n ? f->locs.n : 1) * sizeof *place);
  bool *seen = pv_alloc((f->locs.n ? f->locs.n : 1) * sizeof *seen);
  PV_VEC(struct { pv_loc loc; uint32_t next; }) stack = {0};
  uint32_t left = f->locs.n;
  pv_vec_reserve(&stack, f->locs.n + 1);
  stack.at[stack.n].loc = f->entry;
  stack.at[stack.n++].next = 0;
  seen[f->entry] = true;
  while (stack.n) {
    uint32_t top = stack.n - 1;
    const struct pv_location *l = &f->locs.at[stack.at[top].loc];
    if (stack.at[top].next == l->n_out) {
      place[stack.at[top].loc] = --left;
      stack.n--;
      continue;
    }
    /* Last edge first, so that the first one comes first in the order. */
    const struct pv_edge *e = &f->edges.at[l->first_out + l->n_out - ++stack.at[top].next];
    if (seen[e->to]) continue;
    seen[e->to] = true;
    stack.at[stack.n].loc = e->to;
    stack.at[stack.n++].next = 0;
  }
  pv_vec_free(&stack);
  free(seen);
  return place;
}

static uint32_t place_of(const struct pv_control *c, uint32_t frame, pv_loc loc) {
  uint32_t function = c->frames.at[frame].function;
  if (!c->order[function])
    c->order[function] = reverse_postorder(&c->program->functions.at[function]);
  return c->order[function][loc];
}

static pv_loc call_site(const struct pv_control *c, uint32_t frame) {
  const struct pv_frame *f = &c->frames.at[frame];
  return pv_control_function(c, f->parent)->edges.at[f->call].from;
}

int pv_control_order(const struct pv_control *c, struct pv_point a, struct pv_point b) {
  int deeper = 0;
  while (c->frames.at[a.frame].depth > c->frames.at[b.frame].depth) {
    a = (struct pv_point){c->frames.at[a.frame].parent, call_site(c, a.frame)};
    deeper = 1;
  }
  while (c->frames.at[b.frame].depth > c->frames.at[a.frame].depth) {
    b = (struct pv_point){c->frames.at[b.frame].parent, call_site(c, b.frame)};
    deeper = -1;
  }
  while (a.frame != b.frame) {
    const struct pv_frame *f = &c->frames.at[a.frame], *g = &c->frames.at[b.frame];
    if (f->parent == g->parent && f->call == g->call) /* two callees of one call */
      return f->function < g->function ? -1 : 1;
    a = (struct pv_point){f->parent, call_site(c, a.frame)};
    b = (struct pv_point){g->parent, call_site(c, b.frame)};
    deeper = 0;
  }
  uint32_t x = place_of(c, a.frame, a.loc), y = place_of(c, b.frame, b.loc);
  return x < y ? -1 : x > y ? 1 : deeper;
}

/* ---- recursion ------------------------------------------------------------------------------- */

/* Marks functions on cycles of the call graph: by Warshall's closure over bit rows; programs have
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

bool pv_control_is_head(const struct pv_control *c, struct pv_point at) {
  const struct pv_function *f = pv_control_function(c, at.frame);
  if (f->locs.at[at.loc].loop_head) return true;
  return at.loc == f->entry && c->recursive[c->frames.at[at.frame].function];
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
  c->callees = pv_alloc(n * sizeof *c->callees);
  find_recursion(c);
  return c;
}

void pv_control_free(struct pv_control *c) {
  if (!c) return;
  for (uint32_t i = 0; i < c->program->functions.n; i++) free(c->order[i]);
  free(c->order);
  free(c->recursive);
  free(c->callees);
  pv_vec_free(&c->frames);
  pv_map_free(&c->index);
  free(c);
}
