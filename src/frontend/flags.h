/* flags.h -- which options of clang are passed on.
 *
 * Checking writes no file that the user did not ask for, and executes nothing. So only options are
 * passed that are known to change nothing but the translation of the program. Plug-ins, output
 * files, files with options (`@file`, `--config`), and options for clang's parts (-Xclang, -Wp,)
 * are refused. */
#ifndef PV_FLAGS_H
#define PV_FLAGS_H

#include "base/options.h"

enum pv_flag_kind {
  PV_FLAG_HARMLESS,
  PV_FLAG_WITH_VALUE, /* harmless; the value is the next word */
  PV_FLAG_REFUSED
};
/* What to do with one argument for clang. */
enum pv_flag_kind pv_flag_kind(const char *flag);

/* Checks all arguments for clang. PV_E_INPUT: one is refused; a message is in *err. */
enum pv_status pv_flags_check(const struct pv_options *o, struct pv_str *err);

#endif
