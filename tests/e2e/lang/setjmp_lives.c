// A jump ends what lived in the calls that it leaves, and in blocks of the function that it comes to.
// expect: false(valid-deref)
// run: --engine dpor => false(valid-deref)
// run: -- -DBLOCK => false(valid-deref)
// run: -- -DRIGHT => true
#include <setjmp.h>

static jmp_buf buffer;
static int *volatile escaped;
static int kept = 3;

static void leave(int n) {
  int local[2] = {n, n};
  escaped = n == 1 ? &kept : &local[1];
  longjmp(buffer, 1);
}

int main(void) {
  if (setjmp(buffer) == 0) {
    int inner = 4;
#ifdef BLOCK
    escaped = &inner;
    longjmp(buffer, inner);
#elif defined RIGHT
    leave(1);
#else
    leave(2);
#endif
  }
  return *escaped - 3;
}
