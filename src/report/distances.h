/* distances.h -- a table of distances (distance/table.h) for people and for programs. Untrusted
 * text is treated as in report.h. */
#ifndef PV_REPORT_DISTANCES_H
#define PV_REPORT_DISTANCES_H

#include "distance/table.h"

struct pv_distance_report { /* all borrowed */
  const struct pv_program *program;
  const struct pv_options *options;
  const struct pv_distance_table *table;
};

/* Appends a table with the columns place, function, end, error, source, one line for each row.
 * Times are shown only with `verbose`. */
void pv_report_distances(const struct pv_distance_report *r, struct pv_str *out);
/* Appends one JSON object: the options, the sizes and the rows. A distance that does not exist is
 * null. */
void pv_report_distances_json(const struct pv_distance_report *r, struct pv_str *out);

#endif
