/* symmetry_facts.h -- what can be told from the text of a program about the symmetry of its
 * threads: whether they can be told apart by the addresses of their objects, by their ids, or by
 * what they do to each other. Used by explore/symmetry.h and esst/symmetry.h. */
#ifndef PV_SYMMETRY_FACTS_H
#define PV_SYMMETRY_FACTS_H

#include "ir/ir.h"

/* Facts that hold in all states. */
struct pv_symmetry_facts {
  /* Why there is no symmetry, completing "because the program ..."; or NULL. */
  const char *obstacle;
  bool in_memory;   /* addresses of threads' objects may be stored in memory */
  bool as_numbers;  /* these addresses may become numbers: an obstacle, too */
  bool detaches;    /* threads may be detached */
  bool nested;      /* created threads may create, join or detach */
  uint8_t *written; /* by global: created threads may write to it */
};
struct pv_symmetry_facts pv_symmetry_facts(const struct pv_program *p); /* to be cleared */
void pv_symmetry_facts_clear(struct pv_symmetry_facts *f);

#endif
