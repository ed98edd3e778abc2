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
/* What a program of SystemC reads; else it is not kept, so that endless simulations end. */
const _Bool __proviso_has_sysc_time = 0, __proviso_has_sysc_deltas = 0,
            __proviso_has_sysc_triggered = 0;
const _Bool __proviso_has_sysc_timed_out = 0, __proviso_has_sysc_activity = 0;
