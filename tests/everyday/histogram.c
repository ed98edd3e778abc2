// Counts how often each byte of an argument occurs.
// bug: none
// expect: true
// args: abca
// stdin:
#include <limits.h>
#include <stdio.h>

static unsigned count[UCHAR_MAX + 1];

static void add(const char *s) {
  for (; *s; s++)
    count[(unsigned char)*s]++;
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
