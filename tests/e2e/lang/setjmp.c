// A parser that gives up in the depth of its recursion: longjmp leaves several calls, volatile variables keep
// their values, others that did not change do, too.
// expect: true
// run: --engine dpor => true
// run: --atomic instruction => true
// run: --32 => true
// run: --engine bmc => conditional
#include <assert.h>
#include <setjmp.h>

static jmp_buf failure;
static const char *at;

static int parse(int depth) {
  char inside[4] = "abc";
  if (depth > 3) longjmp(failure, 2);
  if (*at == '(') {
    at++;
    int value = parse(depth + 1);
    if (*at++ != ')') longjmp(failure, 1);
    return value + (inside[0] == 'a');
  }
  if (*at < '0' || *at > '9') longjmp(failure, 0); /* setjmp gives 1 */
  return *at++ - '0';
}

static int evaluate(const char *text, volatile int *tries) {
  int fixed = 5;
  volatile int changes = 1;
  at = text;
  int error = setjmp(failure);
  if (error) {
    assert(changes == 2 && fixed == 5);
    return -error;
  }
  changes++;
  ++*tries;
  return parse(0);
}

int main(void) {
  int tries = 0;
  assert(evaluate("((7))", &tries) == 9);
  assert(evaluate("((7)", &tries) == -1);
  assert(evaluate("x", &tries) == -1);
  assert(evaluate("((((((1))))))", &tries) == -2);
  assert(tries == 4);
  return 0;
}
