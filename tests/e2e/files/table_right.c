// Twin of table.c.
// args: --engine explicit --inputs 3 --args ''
// expect: conditional
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct row { char name[12]; int value; };
int main(int argc, char **argv) {
  struct row rows[4];
  char line[40];
  int n = 0;
  FILE *f = fopen(argc > 1 ? argv[1] : "data.csv", "r");
  if (!f) { perror("data.csv"); return 1; }
  while (fgets(line, sizeof line, f)) {
    char *comma = strchr(line, ',');
    if (!comma || n == 4) continue;
    *comma = 0;
    snprintf(rows[n].name, sizeof rows[n].name, "%s", line);
    rows[n].value = atoi(comma + 1);
    n++;
  }
  fclose(f);
  FILE *o = fopen("out.txt", "w");
  if (!o) return 2;
  for (int i = 0; i < n; i++) fprintf(o, "%s=%d\n", rows[i].name, rows[i].value);
  fclose(o);
  return 0;
}
