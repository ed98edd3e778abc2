/* registry.c -- the data that VMs of parallel workers share. See vm.h. */
#include <pthread.h>

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
