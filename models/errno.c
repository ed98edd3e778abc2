/* errno.c -- errno: one int for each thread. */
#include "model.h"

_Thread_local int __proviso_errno;

int *__errno_location(void);
int *__errno_location(void) {
  return &__proviso_errno;
}
