// The C library's strings, formatted output into memory, and conversions.
// expect: true
// states: 1
#include <assert.h>
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
  char text[32], *end;
  int n = snprintf(text, sizeof text, "%d|%5.2f|%-4s|%x", -12, 3.14159, "ab", 255u);
  assert(n == 17 && strcmp(text, "-12| 3.14|ab  |ff") == 0);
  assert(strtol("0x1fz", &end, 0) == 31 && *end == 'z');
  assert(atoi(" -42") == -42 && toupper('q') == 'Q' && isdigit('7') && !isalpha('7'));
  assert(strstr(text, "3.14") == text + 5 && strchr(text, '|') == text + 3);
  assert(memcmp("abc", "abd", 3) < 0 && strlen(strcat(strcpy(text, "xy"), "z")) == 3);
  assert(sscanf("7 eight", "%d %s", &n, text) == 2 && n == 7 && strcmp(text, "eight") == 0);
}
