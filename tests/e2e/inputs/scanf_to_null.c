// A specialised scanf writes through a null pointer. Twin: scanf_numbers.c.
// expect: false(valid-deref)
// message: write of 4 bytes through a null pointer
#include <stdio.h>

int main(void) {
  return scanf("%d", (int *)0) == 1;
}
