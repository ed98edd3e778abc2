// Counts how often each byte of an argument occurs.
// bug: def-behavior: a negative char as an index
// expect: false(def-behavior)
// args: abca
// stdin:
// trigger args: é
// trigger stdin:
#include <limits.h>
#include <stdio.h>

static unsigned count[UCHAR_MAX + 1];

static void add(const char *s) {
  for (; *s; s++)
    count[(int)*s]++;
}

int main(int argc, char **argv) {
  for (int i = 1; i < argc; i++)
    add(argv[i]);
  int best = 'a';
  for (int c = 0; c <= UCHAR_MAX; c++)
    if (count[c] > count[best])
      best = c;
  printf("%d occurs %u times\n", best, count[best]);
  return 0;
}
