// A function that neither a file nor a model defines ends the path. With --undefined-functions return it returns: any number,
// or the address of one object. Functions that never return do not.
// run: => conditional
// run: --undefined-functions return => conditional
// run: --undefined-functions return --engine bmc => conditional
// run: --undefined-functions return --engine predicate --property unreach-call => conditional
// run: --undefined-functions return -- -DBUG => false(unreach-call)
// run: --undefined-functions return --engine bmc -- -DBUG => false(unreach-call)
// run: --undefined-functions return --engine dpor -- -DBUG => false(unreach-call)
// run: --undefined-functions return -- -DEND => conditional
// run: --undefined-functions return -- -DEND -DBUG => false(unreach-call)
// run: --undefined-functions return -- -DUNUSED => true
#include <assert.h>

struct pair {
  int one, two;
};
extern struct pair *get_pair(void);
extern int number(void), unused(void);
extern void tell(const char *), stop(void) __attribute__((noreturn));

int main(void) {
#ifdef UNUSED
  return 0 && unused();
#elif defined(END)
  if (number() == 3) stop();
#ifdef BUG
  assert(number() != 3);
#endif
#else
  struct pair *p = get_pair();
  int n = number();
  tell("begun");
  p->two = n;
  assert(get_pair()->two == n);
#ifdef BUG
  assert(get_pair()->two == number());
#endif
#endif
  return 0;
}
