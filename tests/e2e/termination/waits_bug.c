// The program waits for a signal, and nothing says that one comes.
// args: --property termination
// expect: conditional
// message: a signal comes whenever `pause` waits for one
#include <unistd.h>
extern int __VERIFIER_nondet_int(void);
int main(void) {
  if (__VERIFIER_nondet_int() > 5)
    pause();
  return 0;
}
