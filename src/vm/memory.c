/* memory.c -- objects at canonical addresses, stored in components. See vm_internal.h for the
 * layout. */
#include "vm/edge_internal.h"

enum { DENSE_PAGES = 8 }; /* objects with more pages store them sparsely */

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
  bool flags =
      c->kind == PV_COMP_MEMORY && c->n == 4 && pv_object_has_flags(&vm->objects.at[c->owner]);
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
uint32_t pv_object_state(struct pv_vm *vm, const struct pv_object *o) {
  if (!pv_object_has_flags(o)) return PV_MEM_LIVE;
  pv_comp_note(vm, o->comp);
  const struct pv_comp *c = &vm->comps.at[o->comp];
  return c->n ? pv_page_flags(c) : 0;
}

/* Assigns the object its address range: whole slots of 2^shift bytes. So the slot number identifies
 * the object, and objects are far apart. No object begins at a multiple of 2^32: otherwise, when
 * memory is searched for pointers, two adjacent small numbers would look like a pointer. */
static bool object_place(struct pv_vm *vm, struct pv_object *o, uint32_t number, uint32_t align) {
  uint64_t slot = (uint64_t)1 << vm->shift;
  uint64_t need = (o->size + 2 * vm->below + slot - 1) / slot;
  uint64_t first = vm->owner.n;
  uint64_t step = align > slot ? align / slot : 1;
  /* Space before texts that the caller gives: some programs read the character before the
   * last one. */
  uint64_t front = o->kind == PV_OBJ_HEAP && o->slot ? step : 0;
  first = (first + step - 1) / step * step + front;
  if (!((first << vm->shift) & UINT32_MAX) && step << vm->shift <= UINT32_MAX) first += step;
  uint64_t limit = vm->program->pointer_bits == 32 ? ((uint64_t)1 << 32) >> vm->shift
                                                   : ((uint64_t)1 << 47) >> vm->shift;
  if (first + need > limit || first + need > UINT32_MAX / 2) return false;
  while (vm->owner.n < first - front) pv_vec_push(&vm->owner, 0);
  while (vm->owner.n < first) pv_vec_push(&vm->owner, number + 1);
  for (uint64_t i = 0; i < need; i++) pv_vec_push(&vm->owner, number + 1);
  o->base = first << vm->shift;
  return true;
}

static void object_components(struct pv_vm *vm, struct pv_object *o, uint32_t number) {
  o->pages = o->size ? (uint32_t)((o->size + PV_PAGE - 1) / PV_PAGE) : 1;
  o->comp = vm->comps.n;
  for (uint32_t i = 0; i < o->pages; i++) pv_comp_new(vm, PV_COMP_MEMORY, number);
}

/* The place where the program creates objects of that kind. */
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

bool pv_object_key_is_possible(const struct pv_vm *vm, const struct pv_object_key *key) {
  const struct pv_program *p = vm->program;
  bool size_fits = key->size < (uint64_t)1 << 40 && key->thread < PV_MAX_THREADS;
  switch (key->kind) {
  case PV_OBJ_TLS: return size_fits && key->site < p->globals.n;
  case PV_OBJ_SLOT:
    return size_fits && key->site < p->functions.n &&
           key->slot < p->functions.at[key->site].slots.n;
  case PV_OBJ_ALLOCA:
  case PV_OBJ_TEMP:
  case PV_OBJ_HEAP: return size_fits && key->site < vm->code->edges.n;
  default: return false;
  }
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
  /* It is kept, so that the allocation fails every time. */
  if (!object_place(vm, &o, index, key->align)) {
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

/* Gives a stack object another address than the one that ended before, to which a pointer may still
 * exist: so an access through that pointer is detected. Real addresses are usually reused; a
 * program that compares them gets a proviso. */
static void avoid(struct pv_vm *vm, struct pv_object *o) {
  if (o->avoided || o->kind == PV_OBJ_HEAP || !vm->compares_pointers || vm->ahead) return;
  o->avoided = true;
  /* The C library's own objects. */
  if (pv_vm_object_is_model(vm, (uint32_t)(o - vm->objects.at))) return;
  bool named = pv_span_of(vm->program, o->span)->line > 0; /* temporary objects are not */
  const char *file = named ? pv_span_file(vm->program, o->span) : pv_user_file(vm);
  unsigned line = named ? pv_span_of(vm->program, o->span)->line : pv_user_line(vm);
  pv_condition_add(vm->condition, PV_PROVISO_ADDRESS_REUSE, file, line,
                   "the %sobject %s at %s:%u does not get the address of an earlier one",
                   named ? "" : "temporary ", named ? "defined" : "used", file, line);
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
    uint32_t payload = pv_page_payload(o, i), shadow = initialised ? 0 : (payload + 7) / 8;
    pv_comp_resize(vm, o->comp + i, 0);
    pv_comp_resize(vm, o->comp + i, sparse ? 4 : payload + shadow + 4);
    pv_page_set_flags(&vm->comps.at[o->comp + i], flags | (sparse ? (uint32_t)PV_MEM_SPARSE : 0));
  }
}

void pv_object_forget(struct pv_vm *vm, struct pv_object *o) {
  uint32_t was_shared = pv_object_state(vm, o) & PV_MEM_SHARED;
  pv_object_begin(vm, o, false);
  for (uint32_t i = 0; i < o->pages && was_shared; i++) {
    struct pv_comp *c = &vm->comps.at[o->comp + i];
    pv_page_set_flags(c, pv_page_flags(c) | PV_MEM_SHARED);
  }
}

/* Fills in the page before it is written to. */
static void fill_in(struct pv_vm *vm, const struct pv_object *o, uint32_t page) {
  uint32_t comp = o->comp + page, payload = pv_page_payload(o, page);
  if (!pv_page_is_sparse(o, &vm->comps.at[comp])) return;
  uint32_t flags = pv_page_flags(&vm->comps.at[comp]) & ~(uint32_t)PV_MEM_SPARSE;
  pv_comp_resize(vm, comp, 0);
  pv_comp_resize(vm, comp, payload + (flags & PV_MEM_SHADOW ? (payload + 7) / 8 : 0) + 4);
  pv_page_set_flags(&vm->comps.at[comp], flags);
}

void pv_stack_object_end(struct pv_vm *vm, struct pv_object *o) {
  bool shared = pv_object_shared(vm, o);
  pv_object_end(vm, o, shared || pv_object_referenced(vm, o));
}

void pv_object_end(struct pv_vm *vm, struct pv_object *o, bool keep) {
  const char *misuse = vm->sched->forget(pv_sched_seen(vm), o->base, o->size);
  (void)misuse; /* checked by the caller where it matters */
  uint32_t was_shared = vm->fresh.on ? pv_object_state(vm, o) & PV_MEM_SHARED : 0;
  for (uint32_t i = 0; i < o->pages; i++) pv_comp_resize(vm, o->comp + i, 0);
  if (!keep) return;
  pv_comp_resize(vm, o->comp, 4);
  pv_page_set_flags(&vm->comps.at[o->comp], PV_MEM_ENDED | was_shared);
}

bool pv_vm_place(struct pv_vm *vm, uint64_t address, unsigned bytes, uint32_t *component,
                 uint32_t *offset) {
  enum pv_property property;
  if (pv_access_fault(vm, address, bytes, true, &property)) return false;
  const struct pv_object *o = pv_object_at(vm, address);
  uint64_t at = o->offset + address - o->base;
  *component = o->comp + (uint32_t)(at / PV_PAGE);
  *offset = (uint32_t)(at % PV_PAGE);
  return *offset + bytes <= PV_PAGE && !pv_page_is_sparse(o, &vm->comps.at[*component]);
}

/* ---- access ---------------------------------------------------------------------------------- */
const char *pv_access_fault(struct pv_vm *vm, uint64_t address, uint64_t bytes, bool write,
                            enum pv_property *property) {
  *property = PV_PROP_VALID_DEREF;
  vm->sizeless = NULL;
  const struct pv_object *o = pv_object_at(vm, address);
  if (!o) return address >> vm->shift ? "through a pointer to no object" : "through a null pointer";
  if (o->kind == PV_OBJ_FUNCTIONS) return "through a pointer to a function";
  uint32_t state = pv_object_state(vm, o);
  if (!(state & PV_MEM_LIVE)) {
    if (o->kind == PV_OBJ_HEAP) return "of freed memory";
    return "of an object after the end of its life";
  }
  uint64_t offset = address - o->base;
  if (offset > o->size || o->size - offset < bytes) {
    vm->sizeless = o->size ? NULL : pv_undefined_global(vm, o);
    return "outside the object";
  }
  if (write && o->kind == PV_OBJ_CONST) return "that writes to a constant";
  return NULL;
}

/* The bits of one byte of a shadow. */
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
    bool sparse = pv_page_is_sparse(o, c);
    static const uint8_t unset[PV_PAGE / 8];
    if (sparse)
      memset((uint8_t *)to + done, 0, part);
    else
      memcpy((uint8_t *)to + done, c->data + in, part);
    if (init && pv_object_has_flags(o) && (pv_page_flags(c) & PV_MEM_SHADOW)) {
      const uint8_t *shadow = sparse ? unset : c->data + pv_page_payload(o, page);
      bool set = in % 8 + part <= 8 && are_set(shadow[in / 8], in % 8, part);
      for (uint32_t i = 0; i < part && !set; i++)
        if (!(shadow[(in + i) / 8] >> ((in + i) % 8) & 1)) *init &= ~((uint32_t)1 << (done + i));
    }
    done += part;
    at += part;
  }
}

/* The caller updates which bytes of a global are initialised. */
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
    if (pv_object_has_flags(o) && (pv_page_flags(c) & PV_MEM_SHADOW)) {
      pv_shadow_all_set(vm, o, page, in, part);
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
    pv_shadow_put(vm, o, offset + i, n - i < 8 ? n - i : 8, set[i / 8]);
}

/* ---- the page cache -------------------------------------------------------------------------- */
void pv_tlb_flush(struct pv_vm *vm) {
  for (; vm->tlb_used; vm->tlb_used &= vm->tlb_used - 1) {
    struct pv_tlb_entry *t = &vm->tlb[__builtin_ctzll(vm->tlb_used)];
    t->load_page = t->store_page = (uint64_t)PV_TLB_NONE;
  }
}

/* The page cache: memory that others can reach is accessed directly only while there is no other
 * thread. The conditions for this depend only on the object's flags and the number of threads: see
 * pv_visible_access and pv_shared_access. A store does not use the cache if a byte is partly
 * initialised or if the page may lose its shadow. The first store to a page puts it on the dirty
 * list. */
void pv_tlb_fill(struct pv_vm *vm, uint64_t address, bool write) {
  struct pv_object *o = pv_object_at(vm, address);
  bool shared = o->kind != PV_OBJ_CONST && pv_object_shared(vm, o);
  if (o->kind == PV_OBJ_FUNCTIONS || (shared && pv_seen(vm))) return;
  uint32_t page = (uint32_t)((address - o->base) / PV_PAGE);
  const struct pv_comp *c = o->kind == PV_OBJ_CONST ? NULL : &vm->comps.at[o->comp + page];
  if (c) pv_comp_note(vm, o->comp + page);
  uint32_t flags = c && pv_object_has_flags(o) ? pv_page_flags(c) : 0;
  if (c && pv_page_is_sparse(o, c)) return;
  unsigned index = pv_tlb_index(vm, address);
  uint64_t first = o->base + (uint64_t)page * PV_PAGE;
  bool listed = o->kind == PV_OBJ_GLOBAL && pv_unset_any(vm, first, pv_page_payload(o, page));
  bool whole =
      !(flags & PV_MEM_BITS) && !((flags & PV_MEM_SHADOW) && pv_object_begins_set(o)) && !listed;
  if (write && (!c || !whole)) return;
  if (listed) pv_unset_shadow(vm, first, pv_page_payload(o, page), vm->tlb_shadow[index]);
  struct pv_tlb_entry *t = &vm->tlb[index];
  uint64_t number = address / PV_PAGE;
  if (t->load_page != number) t->load_page = t->store_page = (uint64_t)PV_TLB_NONE;
  t->load_page = number;
  if (write) t->store_page = number;
  t->payload = c ? c->data + o->offset : o->constant + (size_t)page * PV_PAGE;
  t->n = pv_page_payload(o, page);
  t->shadow = flags & PV_MEM_SHADOW ? c->data + t->n : listed ? vm->tlb_shadow[index] : vm->all_set;
  t->shared = shared;
  vm->tlb_used |= (uint64_t)1 << index;
}

/* ---- heap ------------------------------------------------------------------------------------ */
/* The k-th (from 1) ended heap object of that size to which pointers still exist. */
static struct pv_object *reusable(struct pv_vm *vm, enum pv_heap_kind kind, uint64_t size,
                                  unsigned k, unsigned *count) {
  *count = 0;
  pv_objects_note(vm);
  for (uint32_t i = 0; i < vm->objects.n; i++) {
    struct pv_object *o = &vm->objects.at[i];
    if (o->kind != PV_OBJ_HEAP || o->size != size || o->slot != kind) continue;
    if (!(pv_object_state(vm, o) & PV_MEM_ENDED) || !pv_object_referenced(vm, o)) continue;
    if (++*count == k) return o;
  }
  return NULL;
}

unsigned pv_heap_reusable(struct pv_vm *vm, unsigned storage, uint64_t size) {
  unsigned count;
  reusable(vm, pv_heap_kind(storage), size, 0, &count);
  return count;
}

struct pv_object *pv_heap_new(struct pv_vm *vm, unsigned storage, uint32_t site, uint64_t size,
                              uint32_t align, unsigned alternative) {
  static const uint8_t kinds[] = {
      [PV_STORAGE_HEAP] = PV_OBJ_HEAP,  [PV_STORAGE_ALLOCA] = PV_OBJ_ALLOCA,
      [PV_STORAGE_TEMP] = PV_OBJ_TEMP,  [PV_STORAGE_MAPPING] = PV_OBJ_HEAP,
      [PV_STORAGE_GIVEN] = PV_OBJ_HEAP, [PV_STORAGE_STREAM] = PV_OBJ_HEAP};
  enum pv_object_kind kind = (enum pv_object_kind)kinds[storage];
  enum pv_heap_kind heap = pv_heap_kind(storage);
  struct pv_object *o = NULL;
  unsigned count;
  if (alternative) o = reusable(vm, heap, size, alternative, &count);
  /* A thread that held a pointer to the old object has one to the new object. */
  bool others = alternative && (o->thread != vm->thread || pv_object_held_elsewhere(vm, o));
  struct pv_object_key key = {.kind = kind,
                              .site = site,
                              .slot = heap,
                              .thread = vm->thread,
                              .depth = kind == PV_OBJ_HEAP ? 0 : vm->threads[vm->thread].depth,
                              .align = align,
                              .size = size};
  if (!o) o = pv_object_next(vm, &key, kind != PV_OBJ_HEAP || !vm->compares_pointers);
  if (!o) return NULL;
  pv_object_begin(vm, o, heap != PV_HEAP_MALLOC);
  if (others) pv_publish(vm, o->base);
  return o;
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

/* The initial bytes of a global. The caller frees them. */
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

/* Small globals share components of about PV_PACK bytes. Larger ones have pages of their own. */
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
  vm->below = p->pointer_bits == 32 ? 4096 : 1 << 20;
  memset(vm->all_set, 0xff, sizeof vm->all_set);
  vm->tlb_used = UINT64_MAX;
  pv_tlb_flush(vm);
  vm->unset_comp = pv_comp_new(vm, PV_COMP_UNSET, 0);
  /* The slot of the null pointer is empty; on a 64-bit machine, so is everything below 4 GiB and
   * the next slot. So an address that was truncated to 32 bits refers to no object, and two
   * adjacent small numbers form no address. */
  vm->first_slot = p->pointer_bits == 32 ? 1 : ((uint64_t)1 << (32 - vm->shift)) + 1;
  while (vm->owner.n < vm->first_slot) pv_vec_push(&vm->owner, 0);
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
      uint32_t n = o->offset + (o->pages > 1 ? pv_page_payload(o, k) : (uint32_t)o->size);
      if (vm->comps.at[o->comp + k].n < n) pv_comp_resize(vm, o->comp + k, n);
    }
    for (uint64_t at = 0; at < o->size; at += PV_PAGE) {
      uint32_t n = o->size - at < PV_PAGE ? (uint32_t)(o->size - at) : PV_PAGE;
      pv_memory_write(vm, o, at, bytes + at, n);
    }
    pv_undefined_begin(vm, o);
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
