/* file_use.c -- constants that say which features the program uses; the frontend sets them. Parts
 * of models for files, for threads that share streams, and for threads that are cancelled are
 * removed where they are not used. */
#include "model.h"

const _Bool __proviso_has_files = 0;   /* the program can open files */
const _Bool __proviso_has_threads = 0; /* the program can start threads */
const _Bool __proviso_has_cancel = 0;  /* the program can cancel threads */
/* ... or end one by pthread_exit, and has handlers for that (pthread_cleanup_push) */
const _Bool __proviso_has_cleanup = 0;
/* The program is C++: destructors may have to run when a thread ends. */
const _Bool __proviso_has_destructors = 0;
