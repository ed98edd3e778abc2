// A packet with its length in the first byte, which is cut off. Twin: text_packet.c.
// args: --engine explicit
// expect: conditional
#include <stdio.h>
#include <stdlib.h>

int main(void) {
  int length = getchar(), type = getchar(), ok = 1;
  if (length == EOF || type == EOF || length > 6) return 1;
  char *data = malloc((size_t)length + 1);
  for (int i = 0; i < length && ok; i++) {
    int c = getchar();
    if (c == EOF) {
      (void)0;
      ok = 0;
    }
    if (ok) data[i] = (char)c;
  }
  free(data);
  return !ok;
}
