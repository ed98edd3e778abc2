/* space.h -- the machine's working state bound to a store: save it as a state id, load one back. */
#ifndef PV_SPACE_H
#define PV_SPACE_H

#include "explore/store.h"
#include "vm/vm.h"

struct pv_space {
  struct pv_vm *vm;       /* borrowed */
  struct pv_store *store; /* owned */
  struct pv_tree tree;    /* of the state last saved or loaded */
};

void pv_space_init(struct pv_space *s, struct pv_vm *vm);
void pv_space_free(struct pv_space *s);
/* The id of the machine's working state; looks only at components that changed. */
uint32_t pv_space_save(struct pv_space *s, bool *is_new);
/* Puts the machine into a stored state, whatever it did since the last save. */
void pv_space_load(struct pv_space *s, uint32_t state);

#endif
