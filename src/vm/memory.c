/* memory.c -- objects at canonical addresses, kept in components. See vm_internal.h for the layout.
 */
#include "vm/vm_internal.h"

enum { DENSE_PAGES = 8 }; /* objects of more pages have sparse ones */

static bool has_flags(const struct pv_object *o) {
  return o->kind != PV_OBJ_GLOBAL && o->kind != PV_OBJ_CONST && o->kind != PV_OBJ_FUNCTIONS;
}

/* ---- components ------------------------------------------------------------------------------ */
uint32_t pv_comp_new(struct pv_vm *vm, enum pv_comp_kind kind, uint32_t owner) {
  struct pv_comp c = {.kind = (uint8_t)kind, .owner = owner};
  pv_vec_push(&vm->comps, c);
  if (vm->comps.n > 64 * vm->filled.n) pv_vec_push(&vm->filled, 0);
  return vm->comps.n - 1;
}

void pv_comp_noted_size(struct pv_vm *vm, uint32_t comp) {
  const struct pv_comp *c = &vm->comps.at[comp];
  uint64_t bit = UINT64_C(1) << comp % 64, *word = &vm->filled.at[comp / 64];
  bool flags = c->kind == PV_COMP_MEMORY && c->n == 4 && has_flags(&vm->objects.at[c->owner]);
  *word = c->n && !flags ? *word | bit : *word & ~bit;
}

void pv_comp_resize(struct pv_vm *vm, uint32_t comp, uint32_t n) {
  pv_comp_note(vm, comp);
  struct pv_comp *c = &vm->comps.at[comp];
  if (n > c->cap) {
    uint32_t cap = c->cap ? c->cap : 32;
    while (cap < n) cap *= 2;
    c->data = pv_realloc(c->data, cap);
    c->cap = cap;
  }
  if (n > c->n) memset(c->data + c->n, 0, n - c->n);
  c->n = n;
  pv_comp_noted_size(vm, comp);
  pv_comp_touch(vm, comp);
  if (c->kind >= PV_COMP_UNSET) pv_tlb_flush(vm);
}

/* ---- objects --------------------------------------------------------------------------------- */
static uint32_t page_payload(const struct pv_object *o, uint32_t page) {
  uint64_t rest = o->size - (uint64_t)page * PV_PAGE;
  return rest < PV_PAGE ? (uint32_t)rest : PV_PAGE;
}

static uint8_t *page_flags(const struct pv_comp *c) {
  return c->data + c->n - 4;
}

static uint32_t get_flags(const struct pv_comp *c) {
  uint32_t f;
  memcpy(&f, page_flags(c), 4);
  return f;
}

static void set_flags(struct pv_comp *c, uint32_t f) {
  memcpy(page_flags(c), &f, 4);
}

uint32_t pv_object_state(struct pv_vm *vm, const struct pv_object *o) {
  if (!has_flags(o)) return PV_MEM_LIVE;
  pv_comp_note(vm, o->comp);
  const struct pv_comp *c = &vm->comps.at[o->comp];
  return c->n ? get_flags(c) : 0;
}

/* Gives the object its address range: whole slots of 2^shift bytes, so that the slot number finds
 * it again and neighbours are far away. None begins at a multiple of 2^32: two small numbers side
 * by side would be taken for a pointer there by those who look through memory for pointers. */
static bool object_place(struct pv_vm *vm, struct pv_object *o, uint32_t number, uint32_t align) {
  uint64_t slot = (uint64_t)1 << vm->shift;
  uint64_t need = (o->size + 64 + slot - 1) / slot; /* 64 bytes of red zone behind */
  uint64_t first = vm->owner.n;
  uint64_t step = align > slot ? align / slot : 1;
  first = (first + step - 1) / step * step;
  if (!((first << vm->shift) & UINT32_MAX) && step << vm->shift <= UINT32_MAX) first += step;
  uint64_t limit = vm->program->pointer_bits == 32 ? ((uint64_t)1 << 32) >> vm->shift
                                                   : ((uint64_t)1 << 47) >> vm->shift;
  if (first + need > limit || first + need > UINT32_MAX / 2) return false;
  while (vm->owner.n < first) pv_vec_push(&vm->owner, 0);
  for (uint64_t i = 0; i < need; i++) pv_vec_push(&vm->owner, number + 1);
  o->base = first << vm->shift;
  return true;
}

static void object_components(struct pv_vm *vm, struct pv_object *o, uint32_t number) {
  o->pages = o->size ? (uint32_t)((o->size + PV_PAGE - 1) / PV_PAGE) : 1;
  o->comp = vm->comps.n;
  for (uint32_t i = 0; i < o->pages; i++) pv_comp_new(vm, PV_COMP_MEMORY, number);
}

/* Where the program makes objects of that kind. */
static uint32_t made_at(const struct pv_vm *vm, const struct pv_object_key *key) {
  switch ((enum pv_object_kind)key->kind) {
  case PV_OBJ_GLOBAL:
  case PV_OBJ_CONST:
  case PV_OBJ_TLS: return vm->program->globals.at[key->site].span;
  case PV_OBJ_SLOT: return vm->program->functions.at[key->site].slots.at[key->slot].span;
  case PV_OBJ_ALLOCA:
  case PV_OBJ_TEMP:
  case PV_OBJ_HEAP: return vm->code->edges.at[key->site].edge->span;
  case PV_OBJ_FUNCTIONS: break;
  }
  return 0;
}

void pv_object_make(struct pv_vm *vm, const struct pv_object_key *key) {
  struct pv_object o = {.size = key->size,
                        .kind = (uint8_t)key->kind,
                        .thread = key->thread,
                        .occurrence = key->occurrence,
                        .align = key->align,
                        .site = key->site,
                        .slot = key->slot,
                        .depth = key->depth,
                        .span = made_at(vm, key)};
  uint32_t index = vm->objects.n;
  pv_map_put(&vm->object_keys, key, sizeof *key, index, NULL);
  if (!object_place(vm, &o, index, key->align)) { /* remembered, so that it is refused every time */
    pv_condition_add(vm->lasting, PV_PROVISO_ENGINE, NULL, 0,
                     "the program's objects fit into the machine's address space");
    vm->full = true;
    o.base = 0;
    o.size = UINT64_MAX;
  } else if (o.kind != PV_OBJ_GLOBAL && o.kind != PV_OBJ_CONST && o.kind != PV_OBJ_FUNCTIONS) {
    object_components(vm, &o, index);
  }
  pv_vec_push(&vm->objects, o);
}

struct pv_object *pv_object_get(struct pv_vm *vm, const struct pv_object_key *key) {
  const uint32_t *number = pv_map_get(&vm->object_keys, key, sizeof *key);
  if (!number) {
    pv_register_object(vm, key);
    number = pv_map_get(&vm->object_keys, key, sizeof *key);
  }
  return &vm->objects.at[*number];
}

/* What is on the stack gets another address than the one that ended, to which somebody may still
 * point: then an access there is noticed. Real ones mostly come back, and who compares may tell. */
static void avoid(struct pv_vm *vm, struct pv_object *o) {
  if (o->avoided || o->kind == PV_OBJ_HEAP || !vm->compares_pointers || vm->ahead) return;
  o->avoided = true;
  if (pv_vm_object_is_model(vm, (uint32_t)(o - vm->objects.at))) return; /* the library's own */
  const char *file = pv_span_file(vm->program, o->span);
  unsigned line = pv_span_of(vm->program, o->span)->line;
  pv_condition_add(vm->condition, PV_PROVISO_ADDRESS_REUSE, file, line,
                   "the object defined at %s:%u does not get the address of an earlier one", file,
                   line);
}

struct pv_object *pv_object_next(struct pv_vm *vm, struct pv_object_key *key, bool by_thread) {
  for (;; key->occurrence++) {
    struct pv_object *o = pv_object_get(vm, key);
    if (!o->base) return NULL;
    if (pv_object_state(vm, o) & PV_MEM_LIVE) continue;
    if (!pv_object_lingers(vm, o, by_thread)) return o;
    avoid(vm, o);
  }
}

void pv_object_begin(struct pv_vm *vm, struct pv_object *o, bool initialised) {
  uint32_t flags = PV_MEM_LIVE | (initialised ? 0u : PV_MEM_SHADOW);
  bool sparse = o->pages > DENSE_PAGES;
  for (uint32_t i = 0; i < o->pages; i++) {
    uint32_t payload = page_payload(o, i), shadow = initialised ? 0 : (payload + 7) / 8;
    pv_comp_resize(vm, o->comp + i, 0);
    pv_comp_resize(vm, o->comp + i, sparse ? 4 : payload + shadow + 4);
    set_flags(&vm->comps.at[o->comp + i], flags | (sparse ? (uint32_t)PV_MEM_SPARSE : 0));
  }
}

static bool is_sparse(const struct pv_object *o, const struct pv_comp *c) {
  return has_flags(o) && c->n == 4 && (get_flags(c) & PV_MEM_SPARSE);
}

/* Before a page is written to. */
static void fill_in(struct pv_vm *vm, const struct pv_object *o, uint32_t page) {
  uint32_t comp = o->comp + page, payload = page_payload(o, page);
  if (!is_sparse(o, &vm->comps.at[comp])) return;
  uint32_t flags = get_flags(&vm->comps.at[comp]) & ~(uint32_t)PV_MEM_SPARSE;
  pv_comp_resize(vm, comp, 0);
  pv_comp_resize(vm, comp, payload + (flags & PV_MEM_SHADOW ? (payload + 7) / 8 : 0) + 4);
  set_flags(&vm->comps.at[comp], flags);
}

void pv_stack_object_end(struct pv_vm *vm, struct pv_object *o) {
  bool shared = pv_object_shared(vm, o);
  pv_object_end(vm, o, shared || pv_object_referenced(vm, o));
}

void pv_object_end(struct pv_vm *vm, struct pv_object *o, bool keep) {
  const char *misuse = vm->sched->forget(pv_sched_seen(vm), o->base, o->size);
  (void)misuse; /* the caller asked before, where it matters */
  uint32_t was_shared = vm->fresh.on ? pv_object_state(vm, o) & PV_MEM_SHARED : 0;
  for (uint32_t i = 0; i < o->pages; i++) pv_comp_resize(vm, o->comp + i, 0);
  if (!keep) return;
  pv_comp_resize(vm, o->comp, 4);
  set_flags(&vm->comps.at[o->comp], PV_MEM_ENDED | was_shared);
}

/* Calls f for every word-sized value that a component may hold, until it answers true. */
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
  if (!has_flags(o)) return c->n;
  bool there = (get_flags(c) & PV_MEM_LIVE) && !is_sparse(o, c);
  return there ? page_payload(o, comp - o->comp) : 0;
}

static bool visit_component(struct pv_vm *vm, uint32_t comp, value_visitor f, const void *user) {
  pv_comp_note(vm, comp);
  const struct pv_comp *c = &vm->comps.at[comp];
  uint32_t n = component_payload(vm, comp);
  if (c->kind == PV_COMP_FRAME)
    return n > 8 && visit_words(vm, c->data + 8, (n - 8) & ~7u, 8, f, user);
  return n && visit_words(vm, c->data, n, vm->program->pointer_bits / 8, f, user);
}

/* Is there a word in [at, at + n) that lies in [base, base + size)? */
static bool holds_pointer(const uint8_t *at, uint32_t n, unsigned word, uint64_t base,
                          uint64_t size) {
  for (uint32_t i = 0; i + word <= n; i += word)
    if (read_word(at + i, word) - base < size) return true;
  return false;
}

struct range {
  uint64_t base, size;
  bool met;
};

static void meet(void *user, uint64_t address) {
  struct range *r = user;
  r->met |= address - r->base < r->size;
}

/* The same of what a component holds, or held. The scheduler's state is the plug-in's to read: a
 * thread's result lies anywhere in it. */
static bool content_holds_pointer(const struct pv_vm *vm, enum pv_comp_kind kind,
                                  const uint8_t *content, uint32_t n, uint64_t base,
                                  uint64_t size) {
  unsigned word = vm->program->pointer_bits / 8;
  if (kind == PV_COMP_SCHED) {
    struct range r = {base, size, false};
    const struct pv_sched_state s = {.data = (uint8_t *)(uintptr_t)content, .n = n, .cap = n};
    if (n) vm->sched->addresses(&s, meet, &r);
    return r.met;
  }
  uint32_t head = kind == PV_COMP_FRAME ? 8 : 0;
  return kind != PV_COMP_UNSET && n > head &&
         holds_pointer(content + head, (n - head) & ~(head ? 7u : 0u), head ? 8 : word, base, size);
}

/* The numbers that are taken for pointers to the object: those of its bytes, and of a few behind.
 * (Not of all that nothing else has: text would look like pointers.) */
static uint64_t object_room(const struct pv_object *o) {
  return o->size + 64;
}

bool pv_vm_place(struct pv_vm *vm, uint64_t address, unsigned bytes, uint32_t *component,
                 uint32_t *offset) {
  enum pv_property property;
  if (pv_access_fault(vm, address, bytes, true, &property)) return false;
  const struct pv_object *o = pv_object_at(vm, address);
  uint64_t at = o->offset + address - o->base;
  *component = o->comp + (uint32_t)(at / PV_PAGE);
  *offset = (uint32_t)(at % PV_PAGE);
  return *offset + bytes <= PV_PAGE && !is_sparse(o, &vm->comps.at[*component]);
}

bool pv_vm_held_pointer(const struct pv_vm *vm, uint32_t component, const uint8_t *was, uint32_t n,
                        uint32_t object) {
  const struct pv_object *o = &vm->objects.at[object];
  return content_holds_pointer(vm, (enum pv_comp_kind)vm->comps.at[component].kind, was, n, o->base,
                               object_room(o));
}

/* Can only the thread reach what is in the component? */
static bool is_private(struct pv_vm *vm, const struct pv_comp *c, unsigned thread) {
  if (c->kind == PV_COMP_FRAME) return c->owner >> 24 == thread;
  if (c->kind != PV_COMP_MEMORY) return false;
  const struct pv_object *o = &vm->objects.at[c->owner];
  return has_flags(o) && o->thread == thread && !(pv_object_state(vm, o) & PV_MEM_SHARED);
}

struct held {
  uint64_t *mask;
};

static bool add_object(struct pv_vm *vm, uint64_t value, const void *user) {
  const struct held *h = user;
  const struct pv_object *o = pv_object_at(vm, value);
  if (o && value - o->base < object_room(o)) *h->mask |= UINT64_C(1) << (o - vm->objects.at) % 64;
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

static bool is_frame_of_another(struct pv_vm *vm, const struct pv_comp *c, unsigned thread) {
  (void)vm;
  return c->kind == PV_COMP_FRAME && c->owner >> 24 != thread;
}

/* Does anything hold a pointer to the object, but for what is left out? */
static bool is_held(struct pv_vm *vm, const struct pv_object *o,
                    bool (*left_out)(struct pv_vm *vm, const struct pv_comp *c, unsigned thread),
                    unsigned thread) {
  vm->saw_all = true;
  uint64_t size = object_room(o);
  for (uint32_t k = 0; k < vm->filled.n; k++)
    for (uint64_t bits = vm->filled.at[k]; bits; bits &= bits - 1) {
      uint32_t i = 64 * k + (uint32_t)__builtin_ctzll(bits);
      const struct pv_comp *c = &vm->comps.at[i];
      if (left_out && left_out(vm, c, thread)) continue;
      if (content_holds_pointer(vm, (enum pv_comp_kind)c->kind, c->data, component_payload(vm, i),
                                o->base, size))
        return true;
    }
  return false;
}

bool pv_object_referenced(struct pv_vm *vm, const struct pv_object *o) {
  /* Frames of other threads hold no pointers to what is alive and they cannot reach. */
  bool own = (pv_object_state(vm, o) & (PV_MEM_LIVE | PV_MEM_SHARED)) == PV_MEM_LIVE;
  return is_held(vm, o, own ? is_frame_of_another : NULL, o->thread);
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
  struct pv_object *o = pv_object_at(vm, value);
  if (!o || !has_flags(o)) return;
  uint32_t flags = pv_object_state(vm, o);
  if (!(flags & PV_MEM_LIVE) || (flags & PV_MEM_SHARED)) return;
  uint32_t first = o->comp, pages = o->pages;
  pv_tlb_flush(vm); /* shared from now on */
  for (uint32_t i = 0; i < pages; i++) {
    struct pv_comp *c = &vm->comps.at[first + i];
    pv_comp_note(vm, first + i);
    set_flags(c, get_flags(c) | PV_MEM_SHARED);
    pv_comp_touch(vm, first + i);
  }
  for (uint32_t i = 0; i < pages; i++) visit_component(vm, first + i, publish_one, NULL);
}

/* ---- access ---------------------------------------------------------------------------------- */
const char *pv_access_fault(struct pv_vm *vm, uint64_t address, uint64_t bytes, bool write,
                            enum pv_property *property) {
  *property = PV_PROP_VALID_DEREF;
  const struct pv_object *o = pv_object_at(vm, address);
  if (!o) return address >> vm->shift ? "through a pointer to no object" : "through a null pointer";
  if (o->kind == PV_OBJ_FUNCTIONS) return "through a pointer to a function";
  uint32_t state = pv_object_state(vm, o);
  if (!(state & PV_MEM_LIVE)) {
    if (o->kind == PV_OBJ_HEAP) return "of freed memory";
    return "of an object after the end of its life";
  }
  uint64_t offset = address - o->base;
  if (offset > o->size || o->size - offset < bytes) return "outside the object";
  if (write && o->kind == PV_OBJ_CONST) return "that writes to a constant";
  return NULL;
}

/* Bits of one byte of a shadow. */
static bool are_set(uint8_t shadow, uint32_t from, uint32_t n) {
  uint32_t mask = ((UINT32_C(1) << n) - 1) << from;
  return (shadow & mask) == mask;
}

void pv_memory_read(struct pv_vm *vm, struct pv_object *o, uint64_t offset, void *to, uint32_t n,
                    uint32_t *init) {
  uint32_t all = n >= 32 ? UINT32_MAX : ((uint32_t)1 << n) - 1;
  if (init) *init = all;
  if (o->kind == PV_OBJ_CONST) {
    memcpy(to, o->constant + offset, n);
    return;
  }
  if (init && o->kind == PV_OBJ_GLOBAL && pv_unset_any(vm, o->base + offset, n))
    for (uint32_t i = 0; i < n; i++)
      if (~pv_unset_get(vm, o->base + offset + i, 1)) *init &= ~((uint32_t)1 << i);
  uint64_t at = o->offset + offset;
  for (uint32_t done = 0; done < n;) {
    uint32_t page = (uint32_t)(at / PV_PAGE), in = (uint32_t)(at % PV_PAGE);
    uint32_t part = n - done < PV_PAGE - in ? n - done : PV_PAGE - in;
    const struct pv_comp *c = &vm->comps.at[o->comp + page];
    pv_comp_note(vm, o->comp + page);
    bool sparse = is_sparse(o, c);
    static const uint8_t unset[PV_PAGE / 8];
    if (sparse)
      memset((uint8_t *)to + done, 0, part);
    else
      memcpy((uint8_t *)to + done, c->data + in, part);
    if (init && has_flags(o) && (get_flags(c) & PV_MEM_SHADOW)) {
      const uint8_t *shadow = sparse ? unset : c->data + page_payload(o, page);
      bool set = in % 8 + part <= 8 && are_set(shadow[in / 8], in % 8, part);
      for (uint32_t i = 0; i < part && !set; i++)
        if (!(shadow[(in + i) / 8] >> ((in + i) % 8) & 1)) *init &= ~((uint32_t)1 << (done + i));
    }
    done += part;
    at += part;
  }
}

/* ---- which bits are set ---------------------------------------------------------------------- */
/* A byte is set (its shadow bit), unset, or, through a bit-field, set in part: then the page has a
 * third part, a byte a payload byte, that holds the set bits of such bytes and 0 for all others. It
 * is there iff there is such a byte, so that equal memories look equal. */
static uint8_t *page_bits(const struct pv_comp *c, uint32_t payload) {
  return get_flags(c) & PV_MEM_BITS ? c->data + payload + (payload + 7) / 8 : NULL;
}

static uint8_t *add_bits(struct pv_vm *vm, uint32_t comp, uint32_t payload) {
  uint32_t flags = get_flags(&vm->comps.at[comp]);
  pv_comp_resize(vm, comp, vm->comps.at[comp].n + payload);
  struct pv_comp *c = &vm->comps.at[comp];
  uint8_t *bits = c->data + payload + (payload + 7) / 8;
  memset(bits, 0, payload); /* the old flags were there */
  set_flags(c, flags | PV_MEM_BITS);
  return bits;
}

static void drop_bits(struct pv_vm *vm, uint32_t comp, uint32_t payload) {
  struct pv_comp *c = &vm->comps.at[comp];
  uint32_t flags = get_flags(c);
  const uint8_t *bits = page_bits(c, payload);
  for (uint32_t i = 0; i < payload; i++)
    if (bits[i]) return;
  pv_comp_resize(vm, comp, c->n - payload);
  set_flags(&vm->comps.at[comp], flags & ~(uint32_t)PV_MEM_BITS);
}

/* Marks the bytes [in, in + n) of a page with a shadow as set: `set` has their bits, NULL: all. */
static void mark(struct pv_vm *vm, uint32_t comp, uint32_t payload, uint32_t in, uint32_t n,
                 const uint8_t *set) {
  uint8_t *bits = page_bits(&vm->comps.at[comp], payload);
  bool had = bits != NULL;
  for (uint32_t i = in; i < in + n; i++) {
    uint8_t byte = set ? set[i - in] : 0xff, one = (uint8_t)(1u << (i % 8));
    bool part = byte && byte != 0xff;
    if (part && !bits) bits = add_bits(vm, comp, payload);
    if (bits) bits[i] = part ? byte : 0;
    uint8_t *shadow = vm->comps.at[comp].data + payload + i / 8;
    *shadow = (uint8_t)(byte == 0xff ? *shadow | one : *shadow & ~one);
  }
  if (had) drop_bits(vm, comp, payload);
}

/* Pages of what has a value from its beginning have a shadow only as long as something in them is
 * unset. */
static bool begins_set(const struct pv_object *o) {
  return o->kind == PV_OBJ_TLS || pv_object_is_mapping(o);
}

static void add_shadow(struct pv_vm *vm, uint32_t comp, uint32_t payload) {
  uint32_t flags = get_flags(&vm->comps.at[comp]);
  pv_comp_resize(vm, comp, payload + (payload + 7) / 8 + 4);
  struct pv_comp *c = &vm->comps.at[comp];
  memset(c->data + payload, 0xff, (payload + 7) / 8);
  set_flags(c, flags | PV_MEM_SHADOW);
}

static void drop_shadow(struct pv_vm *vm, uint32_t comp, uint32_t payload) {
  const struct pv_comp *c = &vm->comps.at[comp];
  uint32_t flags = get_flags(c);
  for (uint32_t i = 0; i < payload; i++)
    if (!(c->data[payload + i / 8] >> i % 8 & 1)) return;
  pv_comp_resize(vm, comp, payload + 4);
  set_flags(&vm->comps.at[comp], flags & ~(uint32_t)PV_MEM_SHADOW);
}

uint64_t pv_memory_set_bits(struct pv_vm *vm, const struct pv_object *o, uint64_t offset,
                            uint32_t n) {
  if (o->kind == PV_OBJ_GLOBAL) return pv_unset_get(vm, o->base + offset, n);
  uint8_t set[8];
  memset(set, 0xff, sizeof set);
  for (uint32_t i = 0; i < n && has_flags(o); i++) {
    uint64_t at = o->offset + offset + i;
    uint32_t page = (uint32_t)(at / PV_PAGE), in = (uint32_t)(at % PV_PAGE);
    const struct pv_comp *c = &vm->comps.at[o->comp + page];
    pv_comp_note(vm, o->comp + page);
    if (!(get_flags(c) & PV_MEM_SHADOW)) continue;
    uint32_t payload = page_payload(o, page);
    bool sparse = is_sparse(o, c);
    const uint8_t *bits = sparse ? NULL : page_bits(c, payload);
    if (sparse || !(c->data[payload + in / 8] >> (in % 8) & 1)) set[i] = bits ? bits[in] : 0;
  }
  uint64_t all;
  memcpy(&all, set, sizeof all);
  return all;
}

/* Says which bits of bytes just stored are set. */
static void set_marks(struct pv_vm *vm, struct pv_object *o, uint64_t offset, uint32_t n,
                      uint64_t set) {
  if (o->kind == PV_OBJ_GLOBAL) pv_unset_put(vm, o->base + offset, n, set);
  for (uint32_t i = 0; i < n && has_flags(o); i++) {
    uint64_t at = o->offset + offset + i;
    uint32_t page = (uint32_t)(at / PV_PAGE), comp = o->comp + page;
    uint32_t payload = page_payload(o, page);
    uint8_t byte = (uint8_t)(set >> 8 * i);
    pv_comp_note(vm, comp);
    bool shadow = get_flags(&vm->comps.at[comp]) & PV_MEM_SHADOW;
    if (!shadow && byte != 0xff) add_shadow(vm, comp, payload), shadow = true;
    if (!shadow) continue;
    mark(vm, comp, payload, (uint32_t)(at % PV_PAGE), 1, &byte);
    if (begins_set(o)) drop_shadow(vm, comp, payload);
  }
}

/* What of a global is set is left to the caller. */
static void store(struct pv_vm *vm, struct pv_object *o, uint64_t offset, const void *from,
                  uint32_t n) {
  uint64_t at = o->offset + offset;
  for (uint32_t done = 0; done < n;) {
    uint32_t page = (uint32_t)(at / PV_PAGE), in = (uint32_t)(at % PV_PAGE);
    uint32_t part = n - done < PV_PAGE - in ? n - done : PV_PAGE - in;
    pv_comp_note(vm, o->comp + page);
    fill_in(vm, o, page);
    struct pv_comp *c = &vm->comps.at[o->comp + page];
    memcpy(c->data + in, (const uint8_t *)from + done, part);
    if (has_flags(o) && (get_flags(c) & PV_MEM_SHADOW)) {
      mark(vm, o->comp + page, page_payload(o, page), in, part, NULL);
      if (begins_set(o)) drop_shadow(vm, o->comp + page, page_payload(o, page));
    }
    pv_comp_touch(vm, o->comp + page);
    done += part;
    at += part;
  }
}

void pv_memory_write(struct pv_vm *vm, struct pv_object *o, uint64_t offset, const void *from,
                     uint32_t n) {
  if (o->kind == PV_OBJ_GLOBAL) pv_unset_clear(vm, o->base + offset, n);
  store(vm, o, offset, from, n);
}

void pv_memory_write_set(struct pv_vm *vm, struct pv_object *o, uint64_t offset, const void *from,
                         uint32_t n, const uint64_t *set) {
  bool all = true;
  for (uint32_t i = 0; i < n; i += 8) all &= set[i / 8] == UINT64_MAX;
  if (all) {
    pv_memory_write(vm, o, offset, from, n);
    return;
  }
  store(vm, o, offset, from, n);
  for (uint32_t i = 0; i < n; i += 8)
    set_marks(vm, o, offset + i, n - i < 8 ? n - i : 8, set[i / 8]);
}

/* ---- the short way to memory ----------------------------------------------------------------- */
void pv_tlb_flush(struct pv_vm *vm) {
  for (; vm->tlb_used; vm->tlb_used &= vm->tlb_used - 1) {
    struct pv_tlb_entry *t = &vm->tlb[__builtin_ctzll(vm->tlb_used)];
    t->load_page = t->store_page = (uint64_t)PV_TLB_NONE;
  }
}

/* What others can reach is accessed without a question only while nobody looks on. Everything that
 * this rests on is in the object's flags and in the number of threads: see pv_visible_access and
 * pv_shared_access. A store goes the long way where a byte is set in part or the shadow may become
 * needless; the first one has put the page on the dirty list. */
void pv_tlb_fill(struct pv_vm *vm, uint64_t address, bool write) {
  struct pv_object *o = pv_object_at(vm, address);
  bool shared = o->kind != PV_OBJ_CONST && pv_object_shared(vm, o);
  if (o->kind == PV_OBJ_FUNCTIONS || (shared && pv_seen(vm))) return;
  uint32_t page = (uint32_t)((address - o->base) / PV_PAGE);
  const struct pv_comp *c = o->kind == PV_OBJ_CONST ? NULL : &vm->comps.at[o->comp + page];
  if (c) pv_comp_note(vm, o->comp + page);
  uint32_t flags = c && has_flags(o) ? get_flags(c) : 0;
  if (c && is_sparse(o, c)) return;
  unsigned index = pv_tlb_index(vm, address);
  uint64_t first = o->base + (uint64_t)page * PV_PAGE;
  bool listed = o->kind == PV_OBJ_GLOBAL && pv_unset_any(vm, first, page_payload(o, page));
  bool whole = !(flags & PV_MEM_BITS) && !((flags & PV_MEM_SHADOW) && begins_set(o)) && !listed;
  if (write && (!c || !whole)) return;
  if (listed) pv_unset_shadow(vm, first, page_payload(o, page), vm->tlb_shadow[index]);
  struct pv_tlb_entry *t = &vm->tlb[index];
  uint64_t number = address / PV_PAGE;
  if (t->load_page != number) t->load_page = t->store_page = (uint64_t)PV_TLB_NONE;
  t->load_page = number;
  if (write) t->store_page = number;
  t->payload = c ? c->data + o->offset : o->constant + (size_t)page * PV_PAGE;
  t->n = page_payload(o, page);
  t->shadow = flags & PV_MEM_SHADOW ? c->data + t->n : listed ? vm->tlb_shadow[index] : vm->all_set;
  t->shared = shared;
  vm->tlb_used |= (uint64_t)1 << index;
}

/* ---- heap ------------------------------------------------------------------------------------ */
/* The k-th (from 1) ended heap object of that size that is still pointed to. */
static struct pv_object *reusable(struct pv_vm *vm, bool mapping, uint64_t size, unsigned k,
                                  unsigned *count) {
  *count = 0;
  pv_objects_note(vm);
  for (uint32_t i = 0; i < vm->objects.n; i++) {
    struct pv_object *o = &vm->objects.at[i];
    if (o->kind != PV_OBJ_HEAP || o->size != size || pv_object_is_mapping(o) != mapping) continue;
    if (!(pv_object_state(vm, o) & PV_MEM_ENDED) || !pv_object_referenced(vm, o)) continue;
    if (++*count == k) return o;
  }
  return NULL;
}

unsigned pv_heap_reusable(struct pv_vm *vm, unsigned storage, uint64_t size) {
  unsigned count;
  reusable(vm, storage == PV_STORAGE_MAPPING, size, 0, &count);
  return count;
}

struct pv_object *pv_heap_new(struct pv_vm *vm, unsigned storage, uint32_t site, uint64_t size,
                              uint32_t align, unsigned way) {
  static const uint8_t kinds[] = {[PV_STORAGE_HEAP] = PV_OBJ_HEAP,
                                  [PV_STORAGE_ALLOCA] = PV_OBJ_ALLOCA,
                                  [PV_STORAGE_TEMP] = PV_OBJ_TEMP,
                                  [PV_STORAGE_MAPPING] = PV_OBJ_HEAP};
  enum pv_object_kind kind = (enum pv_object_kind)kinds[storage];
  bool mapping = storage == PV_STORAGE_MAPPING;
  struct pv_object *o = NULL;
  unsigned count;
  if (way) o = reusable(vm, mapping, size, way, &count);
  /* Who held a pointer to what was there has one to the new object. */
  bool others = way && (o->thread != vm->thread || is_held(vm, o, is_private, vm->thread));
  struct pv_object_key key = {.kind = kind,
                              .site = site,
                              .slot = mapping,
                              .thread = vm->thread,
                              .depth = kind == PV_OBJ_HEAP ? 0 : vm->threads[vm->thread].depth,
                              .align = align,
                              .size = size};
  if (!o) o = pv_object_next(vm, &key, kind != PV_OBJ_HEAP || !vm->compares_pointers);
  if (!o) return NULL;
  pv_object_begin(vm, o, mapping);
  if (others) pv_publish(vm, o->base);
  return o;
}

/* Marks what can be reached; `seen` holds a byte an object. */
struct reach {
  uint8_t *seen;
  PV_VEC(uint32_t) todo;
};

static bool reach_value(struct pv_vm *vm, uint64_t value, const void *user) {
  struct reach *r = *(struct reach *const *)user;
  struct pv_object *o = pv_object_at(vm, value);
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

/* ---- globals --------------------------------------------------------------------------------- */
uint64_t pv_constant_value(const struct pv_vm *vm, pv_expr e) {
  const struct pv_expr_node *n = pv_node(vm->program, e);
  switch (n->op) {
  case PV_X_CONST: return n->lo;
  case PV_X_GLOBAL: return vm->global_address[n->lo];
  case PV_X_FUNC: return vm->function_address[n->lo];
  case PV_X_LABEL: return pv_label_address(vm->program, n->lo, n->hi);
  case PV_X_ADD:
  case PV_X_PTRADD: return pv_constant_value(vm, n->a) + pv_constant_value(vm, n->b);
  case PV_X_SUB: return pv_constant_value(vm, n->a) - pv_constant_value(vm, n->b);
  case PV_X_BITCAST:
  case PV_X_ZEXT: return pv_constant_value(vm, n->a);
  case PV_X_TRUNC: return pv_constant_value(vm, n->a) & pv_mask(pv_type_bits(n->type));
  default: PV_REQUIRE(false, "initialiser is not a constant"); return 0;
  }
}

/* The initial bytes of a global; caller frees. */
static uint8_t *initial_bytes(const struct pv_vm *vm, const struct pv_global *g) {
  uint8_t *bytes = pv_alloc(g->size ? g->size : 1);
  if (g->init) memcpy(bytes, g->init, g->size);
  for (uint32_t i = 0; i < g->relocs.n; i++) {
    const struct pv_reloc *r = &g->relocs.at[i];
    uint64_t v = pv_constant_value(vm, r->value);
    unsigned n = pv_type_bytes(pv_node(vm->program, r->value)->type);
    memcpy(bytes + r->offset, &v, n);
  }
  return bytes;
}

/* Small globals share components of about PV_PACK bytes; larger ones have pages of their own. */
static void place_global(struct pv_vm *vm, uint32_t index, uint32_t *pack, uint32_t *used) {
  const struct pv_global *g = &vm->program->globals.at[index];
  enum pv_object_kind kind = g->is_thread_local ? PV_OBJ_TLS
                             : g->is_const      ? PV_OBJ_CONST
                                                : PV_OBJ_GLOBAL;
  if (kind == PV_OBJ_TLS) return;
  struct pv_object *o = pv_object_get(
      vm, &(struct pv_object_key){kind, .site = index, .align = g->align, .size = g->size});
  vm->global_address[index] = o->base;
  uint32_t number = (uint32_t)(o - vm->objects.at);
  if (kind == PV_OBJ_CONST) return;
  if (g->size > PV_PACK) {
    object_components(vm, o, number);
    return;
  }
  uint32_t align = g->size >= 8 ? 8 : g->size >= 4 ? 4 : 1;
  *used = (*used + align - 1) / align * align;
  if (*pack == UINT32_MAX || *used + g->size > PV_PACK) {
    *pack = pv_comp_new(vm, PV_COMP_MEMORY, number);
    *used = 0;
  }
  o->comp = *pack;
  o->offset = *used;
  o->pages = 1;
  *used += (uint32_t)g->size;
}

void pv_memory_init(struct pv_vm *vm) {
  const struct pv_program *p = vm->program;
  vm->shift = p->pointer_bits == 32 ? 12 : 24;
  memset(vm->all_set, 0xff, sizeof vm->all_set);
  vm->tlb_used = UINT64_MAX;
  pv_tlb_flush(vm);
  vm->unset_comp = pv_comp_new(vm, PV_COMP_UNSET, 0);
  pv_vec_push(&vm->owner, 0); /* the null slot */
  vm->global_address = pv_alloc((p->globals.n + 1) * sizeof(uint64_t));
  vm->function_address = pv_alloc((p->functions.n + 1) * sizeof(uint64_t));
  const uint64_t room = (uint64_t)p->functions.n * 16;
  struct pv_object *f =
      pv_object_get(vm, &(struct pv_object_key){PV_OBJ_FUNCTIONS, .align = 16, .size = room});
  vm->functions_base = f->base;
  for (uint32_t i = 0; i < p->functions.n; i++)
    vm->function_address[i] = f->base + (uint64_t)i * 16;
  uint32_t pack = UINT32_MAX, used = 0;
  for (uint32_t i = 0; i < p->globals.n; i++) place_global(vm, i, &pack, &used);
  for (uint32_t i = 0; i < p->globals.n; i++) {
    const struct pv_global *g = &p->globals.at[i];
    struct pv_object *o = g->is_thread_local ? NULL : pv_object_at(vm, vm->global_address[i]);
    if (o && o->kind == PV_OBJ_CONST) o->constant = initial_bytes(vm, g);
  }
}

void pv_memory_start(struct pv_vm *vm) {
  for (uint32_t i = 0; i < vm->objects.n; i++) {
    struct pv_object *o = &vm->objects.at[i];
    if (o->kind != PV_OBJ_GLOBAL) continue;
    const struct pv_global *g = &vm->program->globals.at[o->site];
    uint8_t *bytes = initial_bytes(vm, g);
    for (uint32_t k = 0; k < o->pages; k++) {
      uint32_t n = o->offset + (o->pages > 1 ? page_payload(o, k) : (uint32_t)o->size);
      if (vm->comps.at[o->comp + k].n < n) pv_comp_resize(vm, o->comp + k, n);
    }
    for (uint64_t at = 0; at < o->size; at += PV_PAGE) {
      uint32_t n = o->size - at < PV_PAGE ? (uint32_t)(o->size - at) : PV_PAGE;
      pv_memory_write(vm, o, at, bytes + at, n);
    }
    free(bytes);
  }
}

void pv_memory_free(struct pv_vm *vm) {
  for (uint32_t i = 0; i < vm->objects.n; i++) free(vm->objects.at[i].constant);
  for (uint32_t i = 0; i < vm->comps.n; i++) free(vm->comps.at[i].data);
  pv_vec_free(&vm->comps);
  pv_vec_free(&vm->objects);
  pv_vec_free(&vm->owner);
  pv_vec_free(&vm->dirty);
  pv_map_free(&vm->object_keys);
  free(vm->global_address);
  free(vm->function_address);
}
