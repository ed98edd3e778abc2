// Tells whether a line of input is a palindrome, blanks left out.
// bug: def-behavior: texts of odd length: the indices pass each other
// expect: false(def-behavior)
// args:
// stdin: abba\n
// trigger args:
// trigger stdin: aba\n
#include <ctype.h>
#include <stdio.h>
#include <string.h>

static int is_palindrome(const char *s) {
  size_t i = 0, k = strlen(s);
  while (i != k) {
    if (!isalpha((unsigned char)s[i])) {
      i++;
    } else if (!isalpha((unsigned char)s[k - 1])) {
      k--;
    } else {
      if (tolower((unsigned char)s[i]) != tolower((unsigned char)s[k - 1]))
        return 0;
      i++, k--;
    }
  }
  return 1;
}

int main(void) {
  char line[8];
  if (!fgets(line, sizeof line, stdin))
    return 1;
  size_t n = strlen(line);
  if (n > 0 && line[n - 1] == '\n')
    line[n - 1] = '\0';
  puts(is_palindrome(line) ? "yes" : "no");
  return 0;
}
