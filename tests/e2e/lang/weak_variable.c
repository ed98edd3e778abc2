// A weak variable that no file defines has the address 0, like a weak function. Twin: with a definition.
// expect: false(unreach-call)
// run: --engine bmc => false(unreach-call)
// run: -- -DREAD => false(valid-deref)
// run: -- -DDEFINED => true
// run: --engine bmc -- -DDEFINED => true
// run: -- -DGUARDED => true
#include <assert.h>

#ifdef DEFINED
int setting = 3;
#endif
extern int setting __attribute__((weak));

int main(void) {
#ifdef GUARDED
  if (&setting) setting = 3;
#elif defined READ
  return setting == 3;
#else
  assert(&setting);
#endif
  return 0;
}
