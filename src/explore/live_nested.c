#include "explore/live_nested.h"

#include <stdlib.h>
#include <string.h>

/* Components of the fingerprint that no machine has. */
enum { AUTOMATON = -2, LEVEL = -3, ENDED = -4, ENDED_HIGH = -5 };
/* What comes after the choices of all threads. */
enum turn { TO_BEGIN, CHOICES, STAYS, NO_MORE };

struct frame { /* a state of the product on the path, and the arc that is looked at */
  uint64_t letter, trail;
  pv_threads able;       /* threads that can move, spurious wake-ups aside */
  pv_threads todo, rest; /* threads still to move; those to move only if another one goes back */
  uint32_t q, step;      /* state of the automaton; its next transition to look at */
  uint16_t thread, alternative, alternatives; /* the move */
  uint8_t level, turn;
  bool ended, stays, second; /* the program has ended; may rest; of the second search */
};
struct slot { /* a state on the path of the first search */
  uint64_t tag;
  uint32_t frame; /* 1 + its number; 0: free */
};
struct nested {
  const struct pv_nested *n;
  struct pv_search *s;
  unsigned levels; /* marks, and threads */
  PV_VEC(struct frame) path;
  struct slot *slot; /* by tag, with linear probing. The last one that came leaves first */
  uint32_t slots, used;
  uint32_t second; /* the number of the first frame of the second search; 0: there is none */
  bool moved;      /* the move of the last frame was executed: its target is current */
  struct pv_fingerprint to; /* of that target, and */
  bool to_end;              /* has the program ended there? */
  uint64_t states;
};

static bool is_accepting(const struct nested *x, const struct frame *f) {
  return f->level == x->levels;
}

/* ---- states on the path ---- */
static struct slot *slot_of(const struct nested *x, uint64_t tag) {
  uint32_t i = (uint32_t)(tag >> 32) & (x->slots - 1);
  while (x->slot[i].frame && x->slot[i].tag != tag) i = (i + 1) & (x->slots - 1);
  return &x->slot[i];
}

/* Those that came first stay in front, so that the last one can leave its slot empty. */
static void grow_slots(struct nested *x) {
  struct slot *old = x->slot, *by_frame = pv_alloc((x->path.n + 1) * sizeof *by_frame);
  for (uint32_t i = 0; i < x->slots; i++)
    if (old[i].frame) by_frame[old[i].frame - 1] = old[i];
  x->slots = x->slots ? 2 * x->slots : 1024;
  x->slot = pv_alloc(x->slots * sizeof *x->slot);
  for (uint32_t i = 0; i < x->path.n; i++)
    if (by_frame[i].frame) *slot_of(x, by_frame[i].tag) = by_frame[i];
  free(by_frame);
  free(old);
}

static void enter_path(struct nested *x, uint64_t tag) {
  if (2 * (x->used + 1) > x->slots) grow_slots(x);
  *slot_of(x, tag) = (struct slot){tag, x->path.n};
  x->used++;
}

/* ---- fingerprints ---- */
static struct pv_fingerprint product(const struct nested *x, struct pv_fingerprint f, uint32_t q,
                                     unsigned level, bool second) {
  pv_fingerprint_change(&f, (uint32_t)AUTOMATON, 0, q + 1);
  pv_fingerprint_change(&f, (uint32_t)LEVEL, 0,
                        1 + (x->n->number << 16 | level << 1 | (uint32_t)second));
  return f;
}

static struct pv_fingerprint of_end(uint64_t letter) {
  struct pv_fingerprint f = {{1, 1}};
  pv_fingerprint_change(&f, (uint32_t)ENDED, 0, (uint32_t)letter);
  pv_fingerprint_change(&f, (uint32_t)ENDED_HIGH, 0, (uint32_t)(letter >> 32));
  return f;
}

static struct pv_fingerprint program_of(const struct nested *x, const struct frame *f) {
  return f->ended ? of_end(f->letter) : x->s->space.trail.fingerprint;
}

/* ---- frames ---- */
/* The current state of the program becomes that of the last frame. */
static void look(struct nested *x, struct frame *f) {
  struct pv_search *s = x->s;
  struct pv_moves *m = &s->moves;
  pv_moves_find(s->cache, m);
  unsigned alive = pv_vm_alive(s->vm);
  if (alive > s->result->stats.threads) s->result->stats.threads = alive;
  f->stays = !m->alive || pv_moves_stuck(s->vm, m);
  f->todo = pv_live_movers(x->n->graph);
  f->rest = m->able & ~f->todo;
  s->result->stats.reduced += f->rest != 0;
  f->letter = pv_live_letter(x->n->graph, f->stays);
  f->able = m->lively;
  s->result->stats.expanded++;
}

static void push(struct nested *x, struct frame f) {
  struct pv_stats *stats = &x->s->result->stats;
  f.trail = pv_space_mark(&x->s->space).trail;
  if (f.ended)
    f.stays = true;
  else
    look(x, &f);
  pv_vec_push(&x->path, f);
  x->moved = false;
  if (x->path.n > stats->depth) stats->depth = x->path.n;
}

static void go_back(struct nested *x, const struct frame *f) {
  struct pv_mark mark = {.trail = f->trail};
  pv_space_back(&x->s->space, x->s->space.at, &mark);
  x->moved = false;
}

static void pop(struct nested *x) {
  struct frame f = pv_vec_last(&x->path);
  go_back(x, &f);
  if (!f.second) {
    struct pv_fingerprint p = product(x, program_of(x, &f), f.q, f.level, false);
    slot_of(x, p.word[1])->frame = 0;
    x->used--;
  }
  x->path.n--;
  if (x->path.n) go_back(x, &pv_vec_last(&x->path));
}

/* ---- arcs ---- */
/* The frame's next move. */
static bool next_move(struct nested *x, struct frame *f) {
  unsigned progress;
  if (x->moved) go_back(x, f);
  if (f->turn == CHOICES && ++f->alternative < f->alternatives) return true;
  if (f->turn == STAYS) f->turn = NO_MORE;
  if (f->turn == NO_MORE) return false;
  if (f->todo) {
    f->thread = (uint16_t)__builtin_ctzll(f->todo);
    f->todo &= f->todo - 1;
    f->turn = CHOICES;
    f->alternative = 0;
    f->alternatives = (uint16_t)pv_moves_alternatives(x->s->cache, f->thread, &progress);
    return f->alternatives || next_move(x, f);
  }
  f->turn = f->stays ? STAYS : NO_MORE;
  return f->stays;
}

/* Executes it. false: it leads to no state. */
static bool move(struct nested *x, struct frame *f) {
  struct pv_search *s = x->s;
  bool back;
  x->moved = true;
  x->to_end = f->ended;
  if (f->turn == STAYS) {
    x->to = program_of(x, f);
    return true;
  }
  s->result->stats.transitions++;
  enum pv_outcome outcome = pv_space_step(&s->space, f->thread, f->alternative, &back);
  if (f->rest && (back || outcome != PV_RAN)) {
    f->todo |= f->rest;
    f->rest = 0;
    s->result->stats.reduced--;
  }
  if (outcome == PV_RAN) {
    s->result->stats.generated++;
    x->to = pv_space_arrive(&s->space);
    return true;
  }
  if (outcome == PV_PRUNED) s->result->stats.pruned++;
  if (outcome == PV_VIOLATED) pv_live_passed_error(x->n->graph);
  if (outcome == PV_CUT && s->task->limits->hit != PV_LIMIT_NONE) pv_search_limit(s, x->path.n);
  x->to_end = true;
  x->to = of_end(pv_letter_of_end(&x->n->graph->letters, f->letter));
  return outcome == PV_ENDED && !s->stop;
}

/* After an arc that passes these marks and threads. */
static unsigned next_level(const struct nested *x, unsigned level, uint64_t marks,
                           pv_threads threads) {
  unsigned own = x->n->a->marks;
  if (level == x->levels) level = 0;
  while (level < x->levels && (level < own ? marks >> level : threads >> (level - own)) & 1)
    level++;
  return level;
}

/* The next arc of the last frame: the frame of its target, except for what is in the state of the
 * program. */
static bool next_arc(struct nested *x, struct frame *out) {
  struct frame *f = &pv_vec_last(&x->path);
  const struct pv_buchi_state *from = &x->n->a->state.at[f->q];
  while (!x->s->stop) {
    if (f->turn == TO_BEGIN || f->step >= from->out.n) {
      if (!next_move(x, f)) return false;
      f->step = 0;
    }
    while (f->step < from->out.n &&
           !pv_label_has(x->n->labels, from->out.at[f->step].label, f->letter))
      f->step++;
    if (f->step >= from->out.n) {
      if (f->turn == CHOICES || f->turn == STAYS) continue;
      return false;
    }
    if (!x->moved && !move(x, f)) {
      f->step = from->out.n; /* no arc of this move */
      continue;
    }
    const struct pv_buchi_transition *t = &from->out.at[f->step++];
    pv_threads passed = ~f->able | (f->turn == CHOICES ? PV_THREAD_BIT(f->thread) : 0);
    *out = (struct frame){.q = t->to, .ended = x->to_end, .second = f->second};
    out->level = (uint8_t)next_level(x, f->level, t->marks, passed);
    if (x->to_end)
      out->letter = f->ended ? f->letter : pv_letter_of_end(&x->n->graph->letters, f->letter);
    return true;
  }
  return false;
}

/* ---- the search ---- */
/* The path to the last frame and its arc, which leads to the frame with this number. */
static void note_path(const struct nested *x, uint32_t loop) {
  struct pv_error_path *out = x->n->found;
  for (uint32_t i = 0; i < x->path.n; i++) {
    const struct frame *f = &x->path.at[i];
    if (i == loop) out->loop = out->choices.n;
    if (f->turn == CHOICES)
      pv_vec_push(&out->choices, ((struct pv_choice){f->thread, f->alternative}));
  }
}

/* Takes an arc. Returns whether it closes an accepting cycle. */
static bool take(struct nested *x, struct frame *to) {
  struct pv_visited *visited = x->s->space.visited;
  struct pv_fingerprint p = product(x, x->to, to->q, to->level, false);
  const struct slot *slot = slot_of(x, p.word[1]);
  bool accepts = is_accepting(x, to) || is_accepting(x, &pv_vec_last(&x->path));
  if (slot->frame && (x->second || accepts)) {
    note_path(x, slot->frame - 1);
    return true;
  }
  x->s->result->stats.matched += slot->frame != 0;
  if (slot->frame) return false;
  if (x->second) p = product(x, x->to, to->q, to->level, true);
  if (!pv_visited_add(visited, &p)) {
    x->s->result->stats.matched++;
    return false;
  }
  push(x, *to);
  if (to->second) return false;
  x->states++;
  enter_path(x, p.word[1]);
  return false;
}

/* Everything behind the last frame was visited. */
static void leave(struct nested *x) {
  struct frame f = pv_vec_last(&x->path);
  bool ends_second = x->second && x->second + 1 == x->path.n;
  if (x->second || !is_accepting(x, &f)) {
    pop(x);
    if (!ends_second) return;
    x->second = 0;
    pop(x);
    return;
  }
  go_back(x, &f);
  struct pv_fingerprint p = product(x, program_of(x, &f), f.q, f.level, true);
  pv_visited_add(x->s->space.visited, &p);
  x->second = x->path.n;
  push(x, (struct frame){
              .q = f.q, .level = f.level, .ended = f.ended, .letter = f.letter, .second = true});
}

static bool search(struct nested *x) {
  struct frame to;
  while (x->path.n && !x->s->stop) {
    if (pv_search_limit(x->s, x->path.n)) break;
    pv_search_progress(x->s);
    if (!next_arc(x, &to)) {
      if (!x->s->stop) leave(x);
    } else if (take(x, &to)) {
      return true;
    }
  }
  return false;
}

bool pv_live_nested(const struct pv_nested *n) {
  struct nested x = {.n = n, .s = n->graph->s};
  struct frame first = {.q = n->a->initial};
  x.levels = n->a->marks + (n->fair ? PV_MAX_THREADS : 0);
  grow_slots(&x);
  struct pv_fingerprint p = product(&x, x.s->space.trail.fingerprint, first.q, 0, false);
  pv_visited_add(x.s->space.visited, &p);
  push(&x, first);
  x.states++;
  enter_path(&x, p.word[1]);
  bool found = search(&x);
  if (x.path.n) go_back(&x, &x.path.at[0]);
  x.s->result->stats.product_states += x.states;
  pv_vec_free(&x.path);
  free(x.slot);
  return found;
}
