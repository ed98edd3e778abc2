/* file_use.c -- what kind of program it is. The frontend sets these constants where it is so; all
 * that models do for files, and for threads that share streams, is left out where it is not. */
#include "model.h"

const _Bool __proviso_has_files = 0;   /* the program can open files */
const _Bool __proviso_has_threads = 0; /* the program can start threads */
