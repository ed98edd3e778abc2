/* witness.h -- SV-COMP's verification witnesses in YAML, format 2.0 to 2.2, as data.
 *
 * A violation witness is a sequence of segments. The waypoints of a segment are looked at together:
 * one of action *follow*, which must be passed, and any number of action *avoid*, which must not be
 * passed before it. The last segment's waypoint is the target: there the property is violated; of a
 * data race there are two targets. A correctness witness is a set of invariants.
 *
 * Read are entries `violation_sequence` and `invariant_set`. Ghost variables, function contracts,
 * invariants of transitions and cycles (termination) are refused: a validator must not confirm what
 * it does not understand.
 *
 * References: Ayaziova, Beyer, Lingsch-Rosenfeld, Spiessl, Strejcek, "Software verification
 * witnesses 2.0", SPIN 2024; threads as in the witnesses of Theta for format 2.2. */
#ifndef PV_WITNESS_H
#define PV_WITNESS_H

#include "base/base.h"
#include "property/property.h"

enum pv_waypoint_kind {
  PV_WAYPOINT_ASSUMPTION,
  PV_WAYPOINT_BRANCHING,
  PV_WAYPOINT_ENTER,
  PV_WAYPOINT_RETURN,
  PV_WAYPOINT_TARGET
};
struct pv_witness_place {
  char *file, *function; /* function: or NULL */
  uint32_t line, column; /* column 0: not said */
  uint32_t at;           /* the line of the witness that says so */
};
struct pv_waypoint {
  enum pv_waypoint_kind kind;
  bool avoid;
  struct pv_witness_place place;
  char *value;       /* of the constraint; or NULL */
  uint32_t thread;   /* 0: main, k: the thread of the k-th creation that the witness names */
  bool names_thread; /* thread_id is given */
};
struct pv_witness_invariant {
  bool loop; /* at a loop's head; else at a location */
  struct pv_witness_place place;
  char *value;
};
enum pv_witness_version { PV_WITNESS_2_0, PV_WITNESS_2_1, PV_WITNESS_2_2 };
struct pv_witness {
  char *path;
  enum pv_witness_version version;
  bool violation; /* else it is a set of invariants */
  char *specification;
  bool ilp32, says_model;
  PV_VEC(char *) files, hashes; /* of the inputs; "" if there is no hash */
  /* VIOLATION: waypoints in the order of segments; segment[i]: that of waypoint i */
  PV_VEC(struct pv_waypoint) waypoints;
  PV_VEC(uint32_t) segment;
  uint32_t segments;
  PV_VEC(struct pv_witness_invariant) invariants;
};

/* PV_E_INPUT: *err says why it is no witness, or one that cannot be used. */
enum pv_status pv_witness_read(const char *path, struct pv_witness *out, struct pv_str *err);
enum pv_status pv_witness_parse(const char *path, const char *text, size_t n,
                                struct pv_witness *out, struct pv_str *err);
void pv_witness_clear(struct pv_witness *w);
/* The properties of its specification; 0: there is none that is known. */
pv_properties pv_witness_properties(const struct pv_witness *w);
/* Does a path of the program stand for a file of the witness? Names are compared without their
 * directories. */
bool pv_witness_same_file(const char *a, const char *b);

extern const char *const pv_witness_versions[]; /* "2.0" */

#endif
