// Messages do not name variables of the models of the C library; those of the program they do.
// expect: false(valid-deref)
// message: (396 bytes behind the end of memory of the C library)
// run: -- -DOWN => false(valid-deref)
// run: -- -DFIX => true
#include <errno.h>

int main(void) {
#ifdef OWN
  static int own;
  int *p = &own;
#else
  int *p = &errno;
#endif
#ifdef FIX
  return p[0];
#else
  return p[100];
#endif
}
