/* The end of a program: exit from the depth of calls, handlers in reverse order, a status over 255.
 */
#include <stdio.h>
#include <stdlib.h>

static void last(void) {
  printf("last\n");
}
static void first(void) {
  printf("first\n");
}

static void deep(int n) {
  if (n == 0) exit(300);
  deep(n - 1);
  printf("not reached\n");
}

int main(void) {
  atexit(last);
  atexit(first);
  printf("begin\n");
  deep(3);
  return 1;
}
