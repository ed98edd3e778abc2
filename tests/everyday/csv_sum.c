// Sums the second column of comma separated values on standard input.
// bug: none
// expect: true
// args:
// stdin: a,1\nb,2\n
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
    if (n < 2) {
      fprintf(stderr, "row %d has %d field(s)\n", rows, n);
      continue;
    }
    long value = strtol(fields[1], NULL, 10);
    if (value > 1000000 || value < -1000000)
      continue;
    sum += value;
  }
  printf("%ld in %d rows\n", sum, rows);
  return 0;
}
