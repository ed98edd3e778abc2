// Sums the second column of comma separated values on standard input.
// bug: def-behavior: a row without a comma: fields[1] is not set (or is that of the row before)
// expect: false(def-behavior)
// args:
// stdin: a,1\nb,2\n
// trigger args:
// trigger stdin: a\n
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINE = 32, FIELDS = 4 };

static int split(char *line, char *fields[], int most) {
  int n = 0;
  char *at = line;
  while (n < most) {
    fields[n++] = at;
    at = strchr(at, ',');
    if (!at)
      break;
    *at++ = '\0';
  }
  return n;
}

int main(void) {
  char line[LINE], *fields[FIELDS];
  long sum = 0;
  int rows = 0;

  while (rows < 3 && fgets(line, sizeof line, stdin)) {
    line[strcspn(line, "\n")] = '\0';
    int n = split(line, fields, FIELDS);
    rows++;
    if (n < 1)
      continue;
    long value = strtol(fields[1], NULL, 10);
    if (value > 1000000 || value < -1000000)
      continue;
    sum += value;
  }
  printf("%ld in %d rows\n", sum, rows);
  return 0;
}
