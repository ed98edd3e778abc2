// Shifts the letters of an argument.
// bug: valid-deref: a text of eight bytes or more: the terminator is outside
// expect: false(valid-deref)
// args: Hello
// stdin:
// trigger args: abcdefghi
// trigger stdin:
#include <stdio.h>
#include <string.h>

static char shift(char c, int by) {
  if (c >= 'a' && c <= 'z')
    return (char)('a' + (c - 'a' + by) % 26);
  if (c >= 'A' && c <= 'Z')
    return (char)('A' + (c - 'A' + by) % 26);
  return c;
}

static void encode(char *to, size_t room, const char *from, int by) {
  size_t n = strlen(from);
  if (n > room)
    n = room;
  for (size_t i = 0; i < n; i++)
    to[i] = shift(from[i], by);
  to[n] = '\0';
}

int main(int argc, char **argv) {
  char secret[8], plain[8];
  const char *text = argc > 1 ? argv[1] : "Hello";
  encode(secret, sizeof secret, text, 3);
  encode(plain, sizeof plain, secret, 23);
  printf("%s %s\n", secret, plain);
  return strncmp(plain, text, sizeof plain - 1) != 0;
}
