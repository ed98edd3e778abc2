/* manifest.h -- proviso.toml: the checks of a project, with their options and expected results. */
#ifndef PV_MANIFEST_H
#define PV_MANIFEST_H

#include "base/options.h"
#include "project/expectation.h"
#include "project/toml.h"

struct pv_planned_check {
  char *name;
  struct pv_options options; /* the common ones and its own */
  struct pv_outcome expected;
};
struct pv_manifest {
  PV_VEC(struct pv_planned_check) checks;
};
/* Reads the file. Keys at the top and in [[check]] are options of `proviso check`, and in [[check]]
 * also `name`, `files`, `clang`, `expect`, `provisos`. PV_E_INPUT: a message is in *err. Caller
 * frees *out with pv_manifest_free. */
enum pv_status pv_manifest_read(const char *path, struct pv_manifest *out, struct pv_str *err);
void pv_manifest_free(struct pv_manifest *m);

/* Appends the text of the file at `path` with the `expect` and `provisos` of its checks replaced by
 * `outcomes` (in their order; a NULL line: unchanged). Everything else stays, comments too. */
enum pv_status pv_manifest_update(const char *path, const struct pv_outcome *outcomes,
                                  struct pv_str *out, struct pv_str *err);

#endif
