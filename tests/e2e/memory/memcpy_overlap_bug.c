// memcpy between overlapping ranges.
// expect: false(def-behavior)
#include <string.h>

static char text[8] = "abcdef";

int main(void) {
  volatile int n = 4;
  memcpy(text + 1, text, n);
}
