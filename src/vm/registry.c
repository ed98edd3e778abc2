/* registry.c -- the data that VMs of parallel workers share. See vm.h. */
#include <pthread.h>

#include "base/bytes.h"
#include "vm/vm_internal.h"

/* In place of an object's kind: the component of a frame, by thread and slot, its depth. */
#define FRAME UINT32_MAX

struct pv_registry {
  pthread_mutex_t lock, compiler;
  PV_VEC(struct pv_object_key) entries;
};

struct pv_registry *pv_registry_new(void) {
  struct pv_registry *r = pv_alloc(sizeof *r);
  pthread_mutex_init(&r->lock, NULL);
  pthread_mutex_init(&r->compiler, NULL);
  return r;
}

void pv_registry_free(struct pv_registry *r) {
  if (!r) return;
  pthread_mutex_destroy(&r->lock);
  pthread_mutex_destroy(&r->compiler);
  pv_vec_free(&r->entries);
  free(r);
}

void pv_vm_share(struct pv_vm *vm, struct pv_registry *r) {
  vm->registry = r;
}

static void make(struct pv_vm *vm, const struct pv_object_key *key) {
  if (key->kind == FRAME)
    pv_frame_make(vm, key->thread, key->slot);
  else
    pv_object_make(vm, key);
}

static void catch_up(struct pv_vm *vm) {
  const struct pv_registry *r = vm->registry;
  while (vm->registered < r->entries.n) make(vm, &r->entries.at[vm->registered++]);
}

void pv_vm_sync(struct pv_vm *vm) {
  if (!vm->registry) return;
  pthread_mutex_lock(&vm->registry->lock);
  catch_up(vm);
  pthread_mutex_unlock(&vm->registry->lock);
}

static bool is_made(const struct pv_vm *vm, const struct pv_object_key *key) {
  if (key->kind == FRAME) return vm->threads[key->thread].frames.n > key->slot;
  return pv_map_get(&vm->object_keys, key, sizeof *key) != NULL;
}

static void enter(struct pv_vm *vm, const struct pv_object_key *key) {
  struct pv_registry *r = vm->registry;
  if (!r) {
    make(vm, key);
    return;
  }
  pthread_mutex_lock(&r->lock);
  catch_up(vm);
  if (!is_made(vm, key)) {
    pv_vec_push(&r->entries, *key);
    catch_up(vm);
  }
  pthread_mutex_unlock(&r->lock);
}

void pv_register_object(struct pv_vm *vm, const struct pv_object_key *key) {
  enter(vm, key);
}

void pv_register_frame(struct pv_vm *vm, unsigned thread, uint32_t depth) {
  for (uint32_t d = vm->threads[thread].frames.n; d <= depth; d++) {
    struct pv_object_key key = {.kind = FRAME, .thread = thread, .slot = d};
    enter(vm, &key);
  }
}

void pv_registry_lock_compiler(struct pv_vm *vm) {
  if (vm->registry) pthread_mutex_lock(&vm->registry->compiler);
}

void pv_registry_unlock_compiler(struct pv_vm *vm) {
  if (vm->registry) pthread_mutex_unlock(&vm->registry->compiler);
}

/* ---- as bytes -------------------------------------------------------------------------------- */
enum { KEY_WORDS = 8 }; /* of struct pv_object_key, whose last member is the size */

static void key_words(const struct pv_object_key *k, uint64_t *word) {
  const uint64_t words[KEY_WORDS] = {k->kind,  k->site,  k->slot,       k->thread,
                                     k->depth, k->align, k->occurrence, k->size};
  memcpy(word, words, sizeof words);
}

uint32_t pv_registry_size(const struct pv_registry *r) {
  return r->entries.n;
}

void pv_registry_write(const struct pv_registry *r, uint32_t from, struct pv_str *out) {
  uint64_t before[KEY_WORDS] = {0}, word[KEY_WORDS];
  pv_put_number(out, r->entries.n - from);
  for (uint32_t i = from; i < r->entries.n; i++) {
    key_words(&r->entries.at[i], word);
    for (unsigned k = 0; k < KEY_WORDS; k++) pv_put_difference(out, before[k], word[k]);
    memcpy(before, word, sizeof word);
  }
}

/* May the machine create this? Its numbers must lie within its tables. */
static bool is_possible(const struct pv_vm *vm, const struct pv_object_key *k) {
  if (k->kind == FRAME)
    return k->thread < PV_MAX_THREADS && k->slot < (uint32_t)vm->options->max_frames &&
           k->slot <= vm->threads[k->thread].frames.n;
  return pv_object_key_is_possible(vm, k);
}

bool pv_registry_read(struct pv_vm *vm, struct pv_bytes *in) {
  uint64_t word[KEY_WORDS] = {0};
  PV_REQUIRE(vm->registry, "the machine has one");
  for (uint32_t n = pv_take_count(in); n && !in->wrong; n--) {
    for (unsigned k = 0; k < KEY_WORDS; k++) {
      word[k] = pv_take_difference(in, word[k]);
      if (k + 1 < KEY_WORDS && word[k] > UINT32_MAX) in->wrong = true;
    }
    struct pv_object_key key = {.kind = (uint32_t)word[0],
                                .site = (uint32_t)word[1],
                                .slot = (uint32_t)word[2],
                                .thread = (uint32_t)word[3],
                                .depth = (uint32_t)word[4],
                                .align = (uint32_t)word[5],
                                .occurrence = (uint32_t)word[6],
                                .size = word[7]};
    if (in->wrong || !is_possible(vm, &key) || is_made(vm, &key)) in->wrong = true;
    if (!in->wrong) enter(vm, &key);
  }
  return !in->wrong;
}
