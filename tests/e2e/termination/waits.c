// It waits only where it never comes.
// args: --property termination
// expect: true
#include <unistd.h>
extern int __VERIFIER_nondet_int(void);
static int may_wait;
int main(void) {
  if (may_wait && __VERIFIER_nondet_int() > 5)
    pause();
  return 0;
}
