// Two threads give back one mapping: whoever comes second asks for the size of what is gone, which was taken for a part of a mapping once.
// expect: false(valid-free)
// args: --engine dpor --property valid-free
// run: --property valid-free => false(valid-free)
// run: --engine dpor --property no-data-race => false(no-data-race)
// run: --engine dpor --property valid-free -- -DFIX => true
// run: --property valid-free -- -DFIX => true
#include <pthread.h>
#include <sys/mman.h>

static void *mapping;

static void *unmaps(void *arg) {
  munmap(mapping, 4096);
  return arg;
}

int main(void) {
  pthread_t one;
  mapping = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  pthread_create(&one, 0, unmaps, 0);
#ifndef FIX
  pthread_t other;
  pthread_create(&other, 0, unmaps, 0);
  pthread_join(other, 0);
#endif
  pthread_join(one, 0);
  return 0;
}
