/* native.h -- the program as bitcode for native execution, and clang as a child process. */
#ifndef PV_FRONTEND_NATIVE_H
#define PV_FRONTEND_NATIVE_H

#include <spawn.h>

#include "base/options.h"

/* A new private folder for temporary files; NULL, with a message, if there can be none. The caller
 * removes and frees it. */
char *pv_fe_private_folder(const struct pv_options *o, struct pv_str *err);
/* Removes the folder: files and one level of subfolders. */
void pv_fe_remove_folder(const char *folder);

/* Compiles each file of the options to bitcode in the folder, as pv_load does, but for native
 * execution: unoptimised, with debug information, without our headers and checks. sanitizer: what
 * -fsanitize= gets, or NULL. Appends the paths to *out, one for each file. */
enum pv_status pv_fe_native(const struct pv_options *o, const char *folder, const char *sanitizer,
                            struct pv_texts *out, struct pv_str *err);

/* Initialises the actions for a child process that reads nothing and whose output and errors go to
 * the file `log`. The caller destroys them. */
void pv_fe_log_child(posix_spawn_file_actions_t *actions, const char *log);

/* Runs clang, whose output goes to the file `log`: the program that the environment names in
 * PROVISO_CLANG, or the one that was found when proviso was built. argv[0] is ignored. Returns the
 * exit status, or one of PV_CLANG_* if there is none. */
enum { PV_CLANG_ABSENT = -1, PV_CLANG_STOPPED = -2 };
int pv_fe_clang(char *const *argv, const struct pv_limits *limits, const char *log);

#endif
