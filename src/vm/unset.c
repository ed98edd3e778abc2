/* unset.c -- the indeterminate bytes of globals.
 *
 * Globals are zero or have an initialiser when the program starts, but indeterminate bytes can be
 * copied into them: unset members of structures, and padding. That is rare, so globals have no
 * shadow (vm_internal.h). One component for all globals lists the words that are not completely
 * initialised, by address. It is usually empty, and equal memories have equal lists. */
#include "vm/vm_internal.h"

static const struct pv_unset_word *words(const struct pv_vm *vm, uint32_t *n) {
  const struct pv_comp *c = &vm->comps.at[vm->unset_comp];
  *n = c->n / (uint32_t)sizeof(struct pv_unset_word);
  return (const struct pv_unset_word *)(const void *)c->data;
}

/* The first word in the list with this address or a higher one. */
static uint32_t find(const struct pv_unset_word *list, uint32_t n, uint64_t address) {
  uint32_t low = 0;
  while (low < n) {
    uint32_t middle = low + (n - low) / 2;
    if (list[middle].address < address)
      low = middle + 1;
    else
      n = middle;
  }
  return low;
}

static uint64_t set_of_word(const struct pv_vm *vm, uint64_t address) {
  uint32_t n;
  const struct pv_unset_word *list = words(vm, &n);
  uint32_t at = find(list, n, address);
  return at < n && list[at].address == address ? list[at].set : UINT64_MAX;
}

static void put_word(struct pv_vm *vm, uint64_t address, uint64_t set) {
  enum { WORD = sizeof(struct pv_unset_word) };
  uint32_t comp = vm->unset_comp, n;
  const struct pv_unset_word *list = words(vm, &n);
  uint32_t at = find(list, n, address);
  bool there = at < n && list[at].address == address;
  if (set == (there ? list[at].set : UINT64_MAX)) return;
  if (!there) pv_comp_resize(vm, comp, (n + 1) * WORD);
  uint8_t *to = vm->comps.at[comp].data + (size_t)at * WORD;
  size_t behind = (size_t)(n - at) * WORD;
  if (!there) memmove(to + WORD, to, behind);
  if (set != UINT64_MAX) {
    const struct pv_unset_word word = {address, set};
    memcpy(to, &word, WORD);
  } else {
    memmove(to, to + WORD, behind - WORD);
    pv_comp_resize(vm, comp, (n - 1) * WORD);
  }
  pv_comp_touch(vm, comp);
  pv_tlb_flush(vm);
}

bool pv_unset_any(struct pv_vm *vm, uint64_t address, uint64_t n) {
  pv_comp_note(vm, vm->unset_comp);
  if (!vm->comps.at[vm->unset_comp].n) return false;
  uint32_t count;
  const struct pv_unset_word *list = words(vm, &count);
  uint32_t at = find(list, count, address & ~UINT64_C(7));
  return at < count && list[at].address < address + n;
}

/* A mask with one byte of ones for each of the n (at most 8) bytes from `in` on in a word. */
static uint64_t bytes_of_word(unsigned in, unsigned n) {
  return pv_mask(8 * n) << 8 * in;
}

uint64_t pv_unset_first(struct pv_vm *vm, uint64_t address, uint64_t n) {
  pv_comp_note(vm, vm->unset_comp);
  uint32_t count;
  const struct pv_unset_word *list = words(vm, &count);
  uint32_t at = find(list, count, address);
  return at < count && list[at].address - address < n ? list[at].address : 0;
}

uint64_t pv_unset_get(struct pv_vm *vm, uint64_t address, uint32_t n) {
  if (!pv_unset_any(vm, address, n)) return UINT64_MAX;
  unsigned in = address % 8, first = n < 8 - in ? n : 8 - in;
  uint64_t word = address - in, all = bytes_of_word(0, n);
  uint64_t set = set_of_word(vm, word) >> 8 * in & bytes_of_word(0, first);
  if (n > first) set |= set_of_word(vm, word + 8) << 8 * first;
  return set | ~all;
}

void pv_unset_put(struct pv_vm *vm, uint64_t address, uint32_t n, uint64_t set) {
  unsigned in = address % 8, first = n < 8 - in ? n : 8 - in;
  uint64_t word = address - in;
  pv_comp_note(vm, vm->unset_comp);
  uint64_t bytes = bytes_of_word(in, first);
  put_word(vm, word, (set_of_word(vm, word) & ~bytes) | (set << 8 * in & bytes));
  if (n == first) return;
  bytes = bytes_of_word(0, n - first);
  put_word(vm, word + 8, (set_of_word(vm, word + 8) & ~bytes) | (set >> 8 * first & bytes));
}

void pv_unset_clear(struct pv_vm *vm, uint64_t address, uint32_t n) {
  if (!pv_unset_any(vm, address, n)) return;
  for (uint32_t done = 0; done < n; done += 8)
    pv_unset_put(vm, address + done, n - done < 8 ? n - done : 8, UINT64_MAX);
}

void pv_unset_shadow(struct pv_vm *vm, uint64_t address, uint32_t n, uint8_t *shadow) {
  uint32_t count;
  const struct pv_unset_word *list = words(vm, &count);
  memset(shadow, 0xff, (n + 7) / 8);
  for (uint32_t i = find(list, count, address); i < count && list[i].address < address + n; i++) {
    uint8_t *of_word = &shadow[(list[i].address - address) / 8];
    for (unsigned k = 0; k < 8; k++)
      if ((list[i].set >> 8 * k & 0xff) != 0xff) *of_word &= (uint8_t) ~(1u << k);
  }
}
