// setjmp is refused where it is reached, by name.
// expect: conditional or unknown
// states: 1
// message: setjmp
#include <setjmp.h>

static jmp_buf buffer;

int main(void) {
  if (setjmp(buffer) == 0) longjmp(buffer, 1);
  return 0;
}
