/* prctl.c -- sys/prctl.h: the name of a thread, which is not used. */
#include "model.h"

enum { PR_SET_NAME = 15, NAME_LENGTH = 16 };

int prctl(int option, ...) {
  va_list ap;
  if (option != PR_SET_NAME) __proviso_unsupported("prctl other than PR_SET_NAME");
  va_start(ap, option);
  const char *name = va_arg(ap, const char *);
  va_end(ap);
  pv_length_max(name, NAME_LENGTH); /* is read */
  return 0;
}
