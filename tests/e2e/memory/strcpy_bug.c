// A string is copied to where its end does not fit.
// expect: false(valid-deref)
// states: 1
#include <string.h>

int main(void) {
  char to[4];
  const char *volatile from = "four";
  strcpy(to, from);
}
