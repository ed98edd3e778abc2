/* file_use.c -- what kind of program it is. The frontend sets these constants where it is so; all
 * that models do for files, for threads that share streams, and for threads that are cancelled, is
 * left out where it is not. */
#include "model.h"

const _Bool __proviso_has_files = 0;   /* the program can open files */
const _Bool __proviso_has_threads = 0; /* the program can start threads */
const _Bool __proviso_has_cancel = 0;  /* the program can cancel threads */
/* ... or end one by pthread_exit, and has handlers for that (pthread_cleanup_push) */
const _Bool __proviso_has_cleanup = 0;
/* It is C++: destructors may have to run when a thread leaves. */
const _Bool __proviso_has_destructors = 0;
