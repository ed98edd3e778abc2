/* entries.h -- one check for each of several start functions. */
#ifndef PV_CLI_ENTRIES_H
#define PV_CLI_ENTRIES_H

#include "cli/cli.h"

#include <proviso.h>

/* Runs `check` once for each of the functions that option `entry` of `all` names, with the words of
 * the command line otherwise. Files that are written have the function's name before their
 * extension. The last line is the worst verdict. Returns the worst exit status. */
int pv_cli_check_entries(const struct pv_command *self, const struct pv_options *all, int argc,
                         char **argv, int (*check)(proviso *p));

#endif
