// Counts the characters of an argument in UTF-8 and rejects bad sequences.
// bug: none
// expect: true
// args:
// stdin: ab
#include <stdio.h>
#include <string.h>

/* Length of the sequence that begins with this byte, 0 if none does. */
static int sequence_length(unsigned char c) {
  if (c < 0x80)
    return 1;
  if (c >= 0xc2 && c < 0xe0)
    return 2;
  if (c >= 0xe0 && c < 0xf0)
    return 3;
  if (c >= 0xf0 && c < 0xf5)
    return 4;
  return 0;
}

static long count(const char *s, size_t n) {
  long characters = 0;
  for (size_t i = 0; i < n;) {
    int length = sequence_length((unsigned char)s[i]);
    if (length == 0 || (size_t)length > n - i)
      return -1;
    for (int k = 1; k < length; k++)
      if (((unsigned char)s[i + (size_t)k] & 0xc0) != 0x80)
        return -1;
    i += (size_t)length;
    characters++;
  }
  return characters;
}

int main(void) {
  char bytes[4];
  size_t n = 0;
  int c;
  while (n < sizeof bytes && (c = getchar()) != EOF)
    bytes[n++] = (char)c;
  long characters = count(bytes, n);
  if (characters < 0)
    puts("not UTF-8");
  else
    printf("%ld\n", characters);
  return 0;
}
