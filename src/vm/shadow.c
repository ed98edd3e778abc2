/* shadow.c -- which bits of memory are initialised, for pages with a shadow (see vm_internal.h):
 * stacks, the heap, thread-local variables. For globals see unset.c. */
#include "vm/vm_internal.h"

/* A byte is initialised (its bit in the shadow is set), uninitialised, or, through a bit-field,
 * partly initialised. For the last case the page has a third part with one byte for each payload
 * byte: the mask of initialised bits of such bytes, and 0 for all others. It exists iff such a byte
 * exists, so that equal memories have equal bytes. */
static uint8_t *page_bits(const struct pv_comp *c, uint32_t payload) {
  return pv_page_flags(c) & PV_MEM_BITS ? c->data + payload + (payload + 7) / 8 : NULL;
}

static uint8_t *add_bits(struct pv_vm *vm, uint32_t comp, uint32_t payload) {
  uint32_t flags = pv_page_flags(&vm->comps.at[comp]);
  pv_comp_resize(vm, comp, vm->comps.at[comp].n + payload);
  struct pv_comp *c = &vm->comps.at[comp];
  uint8_t *bits = c->data + payload + (payload + 7) / 8;
  memset(bits, 0, payload); /* this space held the old flags */
  pv_page_set_flags(c, flags | PV_MEM_BITS);
  return bits;
}

static void drop_bits(struct pv_vm *vm, uint32_t comp, uint32_t payload) {
  struct pv_comp *c = &vm->comps.at[comp];
  uint32_t flags = pv_page_flags(c);
  const uint8_t *bits = page_bits(c, payload);
  for (uint32_t i = 0; i < payload; i++)
    if (bits[i]) return;
  pv_comp_resize(vm, comp, c->n - payload);
  pv_page_set_flags(&vm->comps.at[comp], flags & ~(uint32_t)PV_MEM_BITS);
}

/* Marks the bytes [in, in + n) of a page with a shadow as initialised: `set` has their bits, NULL:
 * all of them. */
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

static void add_shadow(struct pv_vm *vm, uint32_t comp, uint32_t payload) {
  uint32_t flags = pv_page_flags(&vm->comps.at[comp]);
  pv_comp_resize(vm, comp, payload + (payload + 7) / 8 + 4);
  struct pv_comp *c = &vm->comps.at[comp];
  memset(c->data + payload, 0xff, (payload + 7) / 8);
  pv_page_set_flags(c, flags | PV_MEM_SHADOW);
}

static void drop_shadow(struct pv_vm *vm, uint32_t comp, uint32_t payload) {
  const struct pv_comp *c = &vm->comps.at[comp];
  uint32_t flags = pv_page_flags(c);
  for (uint32_t i = 0; i < payload; i++)
    if (!(c->data[payload + i / 8] >> i % 8 & 1)) return;
  pv_comp_resize(vm, comp, payload + 4);
  pv_page_set_flags(&vm->comps.at[comp], flags & ~(uint32_t)PV_MEM_SHADOW);
}

uint64_t pv_memory_set_bits(struct pv_vm *vm, const struct pv_object *o, uint64_t offset,
                            uint32_t n) {
  if (o->kind == PV_OBJ_GLOBAL) return pv_unset_get(vm, o->base + offset, n);
  uint8_t set[8];
  memset(set, 0xff, sizeof set);
  for (uint32_t i = 0; i < n && pv_object_has_flags(o); i++) {
    uint64_t at = o->offset + offset + i;
    uint32_t page = (uint32_t)(at / PV_PAGE), in = (uint32_t)(at % PV_PAGE);
    const struct pv_comp *c = &vm->comps.at[o->comp + page];
    pv_comp_note(vm, o->comp + page);
    if (!(pv_page_flags(c) & PV_MEM_SHADOW)) continue;
    uint32_t payload = pv_page_payload(o, page);
    bool sparse = pv_page_is_sparse(o, c);
    const uint8_t *bits = sparse ? NULL : page_bits(c, payload);
    if (sparse || !(c->data[payload + in / 8] >> (in % 8) & 1)) set[i] = bits ? bits[in] : 0;
  }
  uint64_t all;
  memcpy(&all, set, sizeof all);
  return all;
}

void pv_shadow_all_set(struct pv_vm *vm, const struct pv_object *o, uint32_t page, uint32_t in,
                       uint32_t n) {
  uint32_t payload = pv_page_payload(o, page);
  mark(vm, o->comp + page, payload, in, n, NULL);
  if (pv_object_begins_set(o)) drop_shadow(vm, o->comp + page, payload);
}

void pv_shadow_put(struct pv_vm *vm, const struct pv_object *o, uint64_t offset, uint32_t n,
                   uint64_t set) {
  if (o->kind == PV_OBJ_GLOBAL) pv_unset_put(vm, o->base + offset, n, set);
  for (uint32_t i = 0; i < n && pv_object_has_flags(o); i++) {
    uint64_t at = o->offset + offset + i;
    uint32_t page = (uint32_t)(at / PV_PAGE), comp = o->comp + page;
    uint32_t payload = pv_page_payload(o, page);
    uint8_t byte = (uint8_t)(set >> 8 * i);
    pv_comp_note(vm, comp);
    bool shadow = pv_page_flags(&vm->comps.at[comp]) & PV_MEM_SHADOW;
    if (!shadow && byte != 0xff) add_shadow(vm, comp, payload), shadow = true;
    if (!shadow) continue;
    mark(vm, comp, payload, (uint32_t)(at % PV_PAGE), 1, &byte);
    if (pv_object_begins_set(o)) drop_shadow(vm, comp, payload);
  }
}
