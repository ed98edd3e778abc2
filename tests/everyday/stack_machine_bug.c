// Runs a small program of a stack machine given as an argument.
// bug: def-behavior: a fifth value is pushed behind the stack
// expect: false(def-behavior)
// args: 12+3*
// stdin:
// trigger args: 12345
// trigger stdin:
#include <stdio.h>

enum { DEPTH = 4 };
struct machine {
  int stack[DEPTH], top;
};

static int push(struct machine *m, int value) {
  if (m->top > DEPTH)
    return 0;
  m->stack[m->top++] = value;
  return 1;
}

static int pop(struct machine *m, int *value) {
  if (m->top == 0)
    return 0;
  *value = m->stack[--m->top];
  return 1;
}

static int step(struct machine *m, char op) {
  int a, b;
  if (op >= '0' && op <= '9')
    return push(m, op - '0');
  if (op == 'd')
    return pop(m, &a) && push(m, a) && push(m, a);
  if (!pop(m, &b) || !pop(m, &a))
    return 0;
  switch (op) {
  case '+':
    return push(m, a + b);
  case '-':
    return push(m, a - b);
  case '*':
    return (a < 1000 && b < 1000 && a > -1000 && b > -1000) ? push(m, a * b) : 0;
  default:
    return 0;
  }
}

int main(int argc, char **argv) {
  struct machine m = {.top = 0};
  const char *program = argc > 1 ? argv[1] : "12+";
  for (const char *p = program; *p; p++)
    if (!step(&m, *p)) {
      fprintf(stderr, "error at %d\n", (int)(p - program));
      return 1;
    }
  int result;
  if (pop(&m, &result))
    printf("%d\n", result);
  return 0;
}
