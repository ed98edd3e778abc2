// A pointer stored where others can read it makes its object reachable for them, however it is stored:
// as a whole or byte by byte, by the first store to the array or a later one. The threads use different words of it.
// expect: true
// states: 66
// args: --keep-going --property no-data-race,unreach-call
// run: --property no-data-race --32 => true states=66
// run: --property unreach-call --engine explicit => true states=66
#include <pthread.h>
#include <stdlib.h>

int proviso_choose(int low, int high);

static int *slots[8];

static void *other(void *index) {
  slots[(long)index][1]++;
  return 0;
}

static void put(int index, int *value, int how) {
  const unsigned char *from = (const unsigned char *)&value;
  unsigned char *to = (unsigned char *)&slots[index];
  for (int i = 0; i < 4; i++) slots[i] = 0;
  if (how)
    for (unsigned i = 0; i < sizeof value; i++) to[i] = from[i];
  else
    slots[index] = value;
}

int main(void) {
  int *mine = malloc(2 * sizeof *mine), index = proviso_choose(0, 7);
  pthread_t thread;
  if (!mine) return 0;
  mine[0] = mine[1] = 0;
  put(index, mine, proviso_choose(0, 1));
  mine[0] = 1;
  pthread_create(&thread, 0, other, (void *)(long)index);
  mine[0]++; /* another word */
  pthread_join(thread, 0);
  free(mine);
  return 0;
}
