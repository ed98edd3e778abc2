/* symbols.h -- what a source file defines, and what each definition refers to: enough to follow
 * references from one file to the next, as a linker does, but function by function. */
#ifndef PV_SYMBOLS_H
#define PV_SYMBOLS_H

#include "base/options.h"

struct pv_symbol {
  char *name;
  bool is_defined;
  bool is_local;         /* static: other files cannot see it */
  bool is_weak;          /* another definition takes precedence */
  bool is_constructor;   /* runs wherever the file is linked */
  PV_VEC(uint32_t) uses; /* indices in the same table */
};
struct pv_symbols {
  PV_VEC(struct pv_symbol) at;
};
/* Compiles input `number` of `o` and lists its symbols. PV_E_INPUT: it does not compile; a message
 * is in *err. Caller frees *out with pv_symbols_free. */
enum pv_status pv_symbols_of(const struct pv_options *o, uint32_t number, struct pv_symbols *out,
                             struct pv_str *err);
void pv_symbols_free(struct pv_symbols *s);

#endif
