/* pointers.c -- finds out which objects pointers refer to: which addresses can be reused, what
 * other threads can reach, what leaks. Any number that is the address of a byte in an object, or
 * near to it (pv_object_meant), counts as a pointer to it. */
#include "vm/vm_internal.h"

/* Calls f for every word that a component may hold, until f returns true. */
typedef bool (*value_visitor)(struct pv_vm *vm, uint64_t value, const void *user);

static uint64_t read_word(const uint8_t *at, unsigned word) {
  uint64_t v;
  uint32_t narrow;
  if (word == 8) {
    memcpy(&v, at, 8);
    return v;
  }
  memcpy(&narrow, at, 4);
  return narrow;
}

static bool visit_words(struct pv_vm *vm, const uint8_t *at, uint32_t n, unsigned word,
                        value_visitor f, const void *user) {
  for (uint32_t i = 0; i + word <= n; i += word) {
    uint64_t v = read_word(at + i, word);
    if (v && f(vm, v, user)) return true;
  }
  return false;
}

static uint32_t component_payload(const struct pv_vm *vm, uint32_t comp) {
  const struct pv_comp *c = &vm->comps.at[comp];
  if (c->kind == PV_COMP_UNSET) return 0;
  if (c->kind != PV_COMP_MEMORY || !c->n) return c->n;
  const struct pv_object *o = &vm->objects.at[c->owner];
  if (!pv_object_has_flags(o)) return c->n;
  bool there = (pv_page_flags(c) & PV_MEM_LIVE) && !pv_page_is_sparse(o, c);
  return there ? pv_page_payload(o, comp - o->comp) : 0;
}

static bool visit_component(struct pv_vm *vm, uint32_t comp, value_visitor f, const void *user) {
  pv_comp_note(vm, comp);
  const struct pv_comp *c = &vm->comps.at[comp];
  uint32_t n = component_payload(vm, comp);
  pv_charge(vm, n + 64);
  if (c->kind == PV_COMP_FRAME)
    return n > 8 && visit_words(vm, c->data + 8, (n - 8) & ~7u, 8, f, user);
  return n && visit_words(vm, c->data, n, vm->program->pointer_bits / 8, f, user);
}

/* Does memory [at, at + n) contain a word with a value in [base, base + size)? */
static bool holds_pointer(const uint8_t *at, uint32_t n, unsigned word, uint64_t base,
                          uint64_t size) {
  for (uint32_t i = 0; i + word <= n; i += word)
    if (read_word(at + i, word) - base < size) return true;
  return false;
}

/* The same for a component's current or former content. The scheduler's state is read by the
 * plug-in, because results of threads may be at any position in it. */
static bool content_holds_pointer(const struct pv_vm *vm, enum pv_comp_kind kind,
                                  const uint8_t *content, uint32_t n, uint64_t base,
                                  uint64_t size) {
  unsigned word = vm->program->pointer_bits / 8;
  if (kind == PV_COMP_SCHED) {
    const struct pv_sched_state s = {.data = (uint8_t *)(uintptr_t)content, .n = n, .cap = n};
    return n && vm->sched->refers(&s, base, size);
  }
  uint32_t head = kind == PV_COMP_FRAME ? 8 : 0;
  return kind != PV_COMP_UNSET && n > head &&
         holds_pointer(content + head, (n - head) & ~(head ? 7u : 0u), head ? 8 : word, base, size);
}

/* The numbers that count as pointers to the object, as in pv_object_meant: `room` numbers from
 * `low` on. (Not all numbers up to the next object, because text would look like pointers.) */
static uint64_t object_low(const struct pv_vm *vm, const struct pv_object *o) {
  return o->base - vm->below;
}
static uint64_t object_room(const struct pv_vm *vm, const struct pv_object *o) {
  return vm->below + o->size + PV_BEHIND;
}

bool pv_vm_held_pointer(const struct pv_vm *vm, uint32_t component, const uint8_t *was, uint32_t n,
                        uint32_t object) {
  const struct pv_object *o = &vm->objects.at[object];
  return content_holds_pointer(vm, (enum pv_comp_kind)vm->comps.at[component].kind, was, n,
                               object_low(vm, o), object_room(vm, o));
}

/* Is the component reachable only for the thread? */
static bool is_private(struct pv_vm *vm, const struct pv_comp *c, unsigned thread) {
  if (c->kind == PV_COMP_FRAME) return c->owner >> 24 == thread;
  if (c->kind != PV_COMP_MEMORY) return false;
  const struct pv_object *o = &vm->objects.at[c->owner];
  return pv_object_has_flags(o) && o->thread == thread && !(pv_object_state(vm, o) & PV_MEM_SHARED);
}

struct held {
  uint64_t *mask;
};

static bool add_object(struct pv_vm *vm, uint64_t value, const void *user) {
  const struct held *h = user;
  const struct pv_object *o = pv_object_meant(vm, value);
  if (o && value - object_low(vm, o) < object_room(vm, o))
    *h->mask |= UINT64_C(1) << (o - vm->objects.at) % 64;
  return false;
}

uint64_t pv_objects_held(struct pv_vm *vm, unsigned thread) {
  uint64_t mask = 0;
  const struct held h = {&mask};
  vm->saw_all = true;
  for (uint32_t k = 0; k < vm->filled.n; k++)
    for (uint64_t bits = vm->filled.at[k]; bits; bits &= bits - 1) {
      uint32_t i = 64 * k + (uint32_t)__builtin_ctzll(bits);
      if (is_private(vm, &vm->comps.at[i], thread)) visit_component(vm, i, add_object, &h);
    }
  return mask;
}

/* Frames of other threads and shared memory contain no pointer to a live object that only its own
 * thread can reach: see pv_publish. */
static bool is_beyond_reach(struct pv_vm *vm, const struct pv_comp *c, unsigned thread) {
  if (c->kind == PV_COMP_FRAME) return c->owner >> 24 != thread;
  if (c->kind != PV_COMP_MEMORY) return false;
  const struct pv_object *o = &vm->objects.at[c->owner];
  return !pv_object_has_flags(o) || (pv_page_flags(c) & PV_MEM_SHARED);
}

/* Does any component contain a pointer to the object, except those left out? */
static bool is_held(struct pv_vm *vm, const struct pv_object *o,
                    bool (*left_out)(struct pv_vm *vm, const struct pv_comp *c, unsigned thread),
                    unsigned thread) {
  vm->saw_all = true;
  uint64_t size = object_room(vm, o);
  for (uint32_t k = 0; k < vm->filled.n; k++)
    for (uint64_t bits = vm->filled.at[k]; bits; bits &= bits - 1) {
      uint32_t i = 64 * k + (uint32_t)__builtin_ctzll(bits);
      const struct pv_comp *c = &vm->comps.at[i];
      if (left_out && left_out(vm, c, thread)) continue;
      uint32_t n = component_payload(vm, i);
      pv_charge(vm, n + 64);
      if (content_holds_pointer(vm, (enum pv_comp_kind)c->kind, c->data, n, object_low(vm, o),
                                size))
        return true;
    }
  return false;
}

bool pv_object_referenced(struct pv_vm *vm, const struct pv_object *o) {
  /* Other threads hold no pointers to live objects that they cannot reach. */
  bool own = (pv_object_state(vm, o) & (PV_MEM_LIVE | PV_MEM_SHARED)) == PV_MEM_LIVE;
  return is_held(vm, o, own ? is_beyond_reach : NULL, o->thread);
}

bool pv_object_lingers(struct pv_vm *vm, const struct pv_object *o, bool by_thread) {
  uint32_t state = pv_object_state(vm, o);
  if (!(state & PV_MEM_ENDED)) return false;
  if (by_thread && vm->fresh.on && (state & PV_MEM_SHARED)) return pv_fresh_keeps(vm, o);
  return pv_object_referenced(vm, o);
}

static bool publish_one(struct pv_vm *vm, uint64_t value, const void *user) {
  (void)user;
  pv_publish(vm, value);
  return false;
}

void pv_publish(struct pv_vm *vm, uint64_t value) {
  struct pv_object *o = pv_object_meant(vm, value);
  if (!o || !pv_object_has_flags(o)) return;
  uint32_t flags = pv_object_state(vm, o);
  if (!(flags & PV_MEM_LIVE) || (flags & PV_MEM_SHARED)) return;
  uint32_t first = o->comp, pages = o->pages;
  if (vm->options->robustness) pv_vec_push(&vm->published, (uint32_t)(o - vm->objects.at));
  pv_tlb_flush(vm); /* shared from now on */
  for (uint32_t i = 0; i < pages; i++) {
    struct pv_comp *c = &vm->comps.at[first + i];
    pv_comp_note(vm, first + i);
    pv_page_set_flags(c, pv_page_flags(c) | PV_MEM_SHARED);
    pv_comp_touch(vm, first + i);
  }
  for (uint32_t i = 0; i < pages; i++) visit_component(vm, first + i, publish_one, NULL);
}

bool pv_object_held_elsewhere(struct pv_vm *vm, const struct pv_object *o) {
  return is_held(vm, o, is_private, vm->thread);
}

/* ---- leaks ----------------------------------------------------------------------------------- */
/* Marks what is reachable; `seen` has one byte for each object. */
struct reach {
  uint8_t *seen;
  PV_VEC(uint32_t) todo;
};

static bool reach_value(struct pv_vm *vm, uint64_t value, const void *user) {
  struct reach *r = *(struct reach *const *)user;
  struct pv_object *o = pv_object_meant(vm, value);
  uint32_t i = o ? (uint32_t)(o - vm->objects.at) : 0;
  if (o && o->kind == PV_OBJ_HEAP && !r->seen[i]) {
    r->seen[i] = 1;
    pv_vec_push(&r->todo, i);
  }
  return false;
}

struct pv_object *pv_heap_leak(struct pv_vm *vm, bool lost, uint32_t from) {
  vm->saw_all = true;
  struct reach reach = {.seen = pv_alloc(vm->objects.n + 1)}, *r = &reach;
  for (uint32_t i = 0; lost && i < vm->comps.n; i++) {
    const struct pv_comp *c = &vm->comps.at[i];
    bool heap = c->kind == PV_COMP_MEMORY && vm->objects.at[c->owner].kind == PV_OBJ_HEAP;
    if (c->n && !heap) visit_component(vm, i, reach_value, &r);
  }
  while (r->todo.n) {
    const struct pv_object *o = &vm->objects.at[pv_vec_pop(&r->todo)];
    if (!(pv_object_state(vm, o) & PV_MEM_LIVE)) continue;
    uint32_t first = o->comp, pages = o->pages;
    for (uint32_t i = 0; i < pages; i++) visit_component(vm, first + i, reach_value, &r);
  }
  struct pv_object *leak = NULL;
  for (uint32_t i = from; i < vm->objects.n && !leak; i++) {
    struct pv_object *o = &vm->objects.at[i];
    bool given = o->kind == PV_OBJ_HEAP && !pv_object_is_mapping(o);
    if (given && (pv_object_state(vm, o) & PV_MEM_LIVE) && !r->seen[i]) leak = o;
  }
  free(reach.seen);
  pv_vec_free(&reach.todo);
  return leak;
}
