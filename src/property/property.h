/* property.h -- the properties that a program is checked for: a set of elementary properties, with
 * the names of SV-COMP where it has one. */
#ifndef PV_PROPERTY_H
#define PV_PROPERTY_H

#include "base/base.h"

/* name             SV-COMP formula's core         one line for --help */
#define PV_PROPERTIES(X)                                                                           \
  X(UNREACH_CALL, "unreach-call", "G ! call(reach_error())",                                       \
    "no error call, failing assertion or ERROR label is reached")                                  \
  X(NO_DATA_RACE, "no-data-race", "G ! data-race",                                                 \
    "no two conflicting accesses are unordered unless both are atomic")                            \
  X(NO_OVERFLOW, "no-overflow", "G ! overflow", "no signed integer operation overflows")           \
  X(VALID_DEREF, "valid-deref", "G valid-deref",                                                   \
    "every dereferenced pointer points into a live object")                                        \
  X(VALID_FREE, "valid-free", "G valid-free",                                                      \
    "every freed pointer is the start of a live heap object")                                      \
  X(VALID_MEMTRACK, "valid-memtrack", "G valid-memtrack",                                          \
    "no heap object is lost before it is freed")                                                   \
  X(VALID_MEMCLEANUP, "valid-memcleanup", "G valid-memcleanup",                                    \
    "every heap object is freed at the program's end")                                             \
  X(NO_DEADLOCK, "no-deadlock", "G ! deadlock", "threads never wait for each other without end")   \
  X(DEF_BEHAVIOR, "def-behavior", "G def-behavior",                                                \
    "no other undefined behaviour: division by zero, indeterminate values, misuse of locks")       \
  X(INVARIANT, "invariant", "", "user invariants (--invariant) hold in every state")               \
  X(OBSERVER, "observer", "", "no observer automaton (--observer) reaches an error state")         \
  X(MUTUAL_EXCLUSION, "mutual-exclusion", "",                                                      \
    "no two threads are in regions (--mutex-region) at once")                                      \
  X(LTL, "ltl", "", "every execution satisfies the formulas of linear temporal logic (--ltl)")     \
  X(TERMINATION, "termination", "F end", "every execution ends")                                   \
  X(NO_LIVELOCK, "no-livelock", "",                                                                \
    "no fair execution goes on for ever without passing a label `progress...` again and again")    \
  X(STARVATION_FREE, "starvation-free", "",                                                        \
    "in fair executions no thread stays in the function (--starvation-free) for ever")             \
  X(NO_ENDLESS_INSTANT, "no-endless-instant", "",                                                  \
    "every instant of a cooperative scheduler ends: there is no instantaneous loop")

enum pv_property {
#define X(E, N, F, H) PV_PROP_##E,
  PV_PROPERTIES(X)
#undef X
      PV_PROP_COUNT
};
typedef uint32_t pv_properties; /* a set of bits, one for each enum pv_property */
#define PV_PROP_BIT(P) ((pv_properties)1 << (P))

/* Properties of whole executions, for which search looks at cycles. */
#define PV_PROP_TEMPORAL                                                                           \
  (PV_PROP_BIT(PV_PROP_LTL) | PV_PROP_BIT(PV_PROP_TERMINATION) |                                   \
   PV_PROP_BIT(PV_PROP_NO_LIVELOCK) | PV_PROP_BIT(PV_PROP_STARVATION_FREE) |                       \
   PV_PROP_BIT(PV_PROP_NO_ENDLESS_INSTANT))
/* Properties that look at memory in every state: accesses to it are visible even if there is only
 * one thread. */
#define PV_PROP_WATCHING                                                                           \
  (PV_PROP_BIT(PV_PROP_INVARIANT) | PV_PROP_BIT(PV_PROP_LTL) | PV_PROP_BIT(PV_PROP_NO_LIVELOCK) |  \
   PV_PROP_BIT(PV_PROP_STARVATION_FREE))

extern const struct pv_property_info {
  const char *name, *formula, *help;
} pv_property_table[PV_PROP_COUNT];

/* All properties except those about leaks, because a correct program may end with live memory. */
pv_properties pv_properties_default(void);
/* Adds the properties of a comma-separated list to *set. "valid-memsafety" stands for its three
 * parts. PV_E_INPUT: *err says why. */
enum pv_status pv_properties_parse(const char *list, pv_properties *set, struct pv_str *err);
/* Adds the properties of an SV-COMP property file (CHECK lines). PV_E_INPUT: *err says why. */
enum pv_status pv_properties_read_spec(const char *path, pv_properties *set, struct pv_str *err);
/* Appends the names: "unreach-call,no-deadlock". */
void pv_properties_print(pv_properties set, struct pv_str *out);

#endif
