#include <stdlib.h>
#include <string.h>
enum { N = 1 << 25 };
int main(void) {
  char *a = malloc(N), *b = malloc(N);
  memset(a, 1, N);
  for (;;) {
    memcpy(b, a, N);
    memcpy(a, b, N);
  }
}
