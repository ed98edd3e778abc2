/* expectation.h -- compares the result of a check with the one that is expected.
 *
 * Sentences of provisos are compared without their numbers, because line numbers and counts change
 * with every edit and every run. */
#ifndef PV_EXPECTATION_H
#define PV_EXPECTATION_H

#include "base/base.h"

enum pv_change_kind { PV_AS_BEFORE, PV_BETTER, PV_WORSE, PV_NEW };

struct pv_outcome {
  char *line; /* "true", "false(no-data-race)"; NULL: nothing is expected */
  PV_VEC(char *) provisos;
};
void pv_outcome_clear(struct pv_outcome *o);

/* How `now` compares with `before`. *why receives the reason if it is worse or better: a sentence
 * without a full stop. */
enum pv_change_kind pv_outcome_compare(const struct pv_outcome *before,
                                       const struct pv_outcome *now, struct pv_str *why);
/* The sentence without its numbers; the caller frees it. */
char *pv_proviso_shape(const char *sentence);

#endif
