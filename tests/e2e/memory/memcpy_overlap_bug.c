// memcpy between overlapping ranges.
// expect: false(def-behavior)
// states: 1
#include <string.h>

static char text[8] = "abcdef";

int main(void) {
  volatile int n = 4;
  memcpy(text + 1, text, n);
}
