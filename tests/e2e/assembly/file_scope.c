// What assembly at file scope defines or changes is not seen: the program does not start.
// expect: conditional or unknown
// proviso: assembly at file scope
// states: 1
// run: -- -DMARK => true states=1
#include <assert.h>

static int x = 1;

#ifdef MARK
__asm__(".symver set_x, set_x@V1");
static void set_x(void) {
  x = 2;
}
#else
void set_x(void);
__asm__("set_x: movl $2, x(%rip); ret");
#endif

int main(void) {
  set_x();
  assert(x == 2);
  return 0;
}
