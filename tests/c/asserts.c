/* A failing assertion: the text before it comes out, the process is aborted. */
#include <assert.h>
#include <stdio.h>

static int checked(int n) {
  assert(n < 3 && "too \"large\"");
  return n * 2;
}

int main(void) {
  for (int i = 0;; i++) {
    printf("%d\n", checked(i));
    fflush(stdout);
  }
}
