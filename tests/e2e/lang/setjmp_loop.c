// Retries: setjmp in a loop, two buffers at once, a counter that is only changed where no jump can come.
// expect: true
// run: --engine dpor => true
// run: --native-after 0 => true
// run: -- -DBUG => false(unreach-call)
// run: --native-after 0 -- -DBUG => false(unreach-call)
#include <assert.h>
#include <setjmp.h>

static jmp_buf outer, inner;
static int failures, calls;

static void work(int n) {
  calls++;
  if (n < 3) longjmp(inner, n + 1);
  if (n == 3) longjmp(outer, 7);
}

static int run(void) {
  for (int i = 0; i < 5; i++) {
    switch (setjmp(inner)) {
    case 0: work(i); break;
    case 1:
    case 2: failures++; break;
    default: failures += 10; break;
    }
  }
  return 1;
}

int main(void) {
  int result = setjmp(outer);
  if (!result) return run();
  assert(result == 7 && failures == 12);
#ifdef BUG
  assert(calls == 3);
#else
  assert(calls == 4);
#endif
  return 0;
}
