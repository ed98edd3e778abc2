// What is passed by value has the type of the parameter, whatever the pointer it is read through points to by its own: a member that is padding there
// and is not set stays so (it was zero, and `true` was said).
// expect: false(def-behavior)
// run: --engine dpor => false(def-behavior)
// run: -- -DMEMBER => false(def-behavior)
// run: -- -DFIX => true
// run: --engine dpor -- -DFIX => true
// run: -- -DFIX -DMEMBER => true
// run: -- -DFIX -DWRONG => false(unreach-call)
#include <assert.h>
#include <stdlib.h>

struct base {
  char tag;
  int id;
};
struct derived {
  char tag, flags;
  short x;
  int id;
};
union any {
  struct base base;
  struct derived derived;
};
static struct base *object;

static int take(struct derived d) {
  return d.flags;
}

int main(void) {
  union any *any = malloc(sizeof *any);
  if (!any) return 0;
  struct derived *derived = &any->derived;
  derived->tag = 2;
  derived->x = 3;
  derived->id = 4;
#ifdef FIX
  derived->flags = 0;
#endif
#ifdef WRONG
  derived->flags = 1;
#endif
#ifdef MEMBER
  struct base *list[2] = {&any->base, &any->base};
  int k = derived->x - 2;
  int flags = take(*(struct derived *)&list[k][0]);
#else
  object = (struct base *)derived;
  int flags = take(*(struct derived *)object);
#endif
  free(any);
  assert(flags == 0);
  return 0;
}
