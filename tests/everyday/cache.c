// A least recently used cache of squares, asked by the digits of an argument.
// bug: none
// expect: true
// args: 121
// stdin:
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

enum { SLOTS = 2 };
struct slot {
  int key;
  long *value;
  unsigned used;
};
static struct slot slots[SLOTS];
static unsigned now;

static long *compute(int key) {
  long *value = malloc(sizeof *value);
  if (value)
    *value = (long)key * key;
  return value;
}

static struct slot *oldest(void) {
  struct slot *found = &slots[0];
  for (int i = 1; i < SLOTS; i++)
    if (slots[i].used < found->used)
      found = &slots[i];
  return found;
}

static const long *get(int key) {
  now++;
  for (int i = 0; i < SLOTS; i++)
    if (slots[i].value && slots[i].key == key) {
      slots[i].used = now;
      return slots[i].value;
    }
  struct slot *s = oldest();
  free(s->value);
  s->key = key;
  s->value = compute(key);
  s->used = now;
  return s->value;
}

int main(int argc, char **argv) {
  long sum = 0;
  for (const char *p = argc > 1 ? argv[1] : "121"; *p; p++) {
    if (*p < '0' || *p > '9')
      continue;
    const long *square = get(*p - '0');
    if (!square)
      break;
    sum += *square;
  }
  printf("%ld\n", sum);
  for (int i = 0; i < SLOTS; i++)
    free(slots[i].value);
  return 0;
}
