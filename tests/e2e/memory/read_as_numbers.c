// An address that comes back is told by who looks at pointers as numbers, without a cast: through a union, by its bytes, with memcmp.
//
// expect: false(unreach-call)
// states: 2
// args: -- -DUNION
// run: --engine explicit --por none -- -DUNION => false(unreach-call) states=2
// run: --engine dpor -- -DUNION => false(unreach-call) executions=1
// run: -- -DBYTES => false(unreach-call) states=2
// run: --engine dpor -- -DBYTES => false(unreach-call) executions=1
// run: -- -DPARTS => false(unreach-call) states=2
// run: -- -DMEMCMP => false(unreach-call) states=2
// run: --engine dpor -- -DMEMCMP => false(unreach-call) executions=1
// run: -- -DUNION -DINSIDE => false(unreach-call) states=4
// run: --32 -- -DUNION => false(unreach-call) states=2
// run: -- -DUNION -DFIX => true states=1
// run: -- -DBYTES -DFIX => true states=1
// run: -- -DMEMCMP -DFIX => true states=1
// run: --engine dpor -- -DMEMCMP -DFIX => true executions=1
#include <assert.h>
#include <stdlib.h>
#include <string.h>

union seen {
  int *pointer;
  unsigned long number;
  unsigned short part[sizeof(int *) / sizeof(short)];
  unsigned char byte[sizeof(int *)];
};

static int same(const union seen *a, const union seen *b) {
#if defined UNION
  return a->number == b->number;
#elif defined PARTS
  return a->part[0] == b->part[0] && a->part[1] == b->part[1];
#elif defined BYTES
  for (unsigned i = 0; i < sizeof a->byte; i++)
    if (a->byte[i] != b->byte[i]) return 0;
  return 1;
#else
  return !memcmp(&a->pointer, &b->pointer, sizeof a->pointer);
#endif
}

#ifdef INSIDE /* of other objects */
static struct {
  long before;
  union seen seen;
} one, other;
static int **of_one = &one.seen.pointer, **of_other = &other.seen.pointer;
#endif

int main(void) {
#ifdef INSIDE
  *of_one = malloc(sizeof **of_one);
  free(*of_one);
  *of_other = malloc(sizeof **of_other);
  assert(one.seen.number != other.seen.number);
#endif
  union seen a, b;
  a.pointer = malloc(sizeof *a.pointer);
#ifndef FIX
  free(a.pointer);
#endif
  b.pointer = malloc(sizeof *b.pointer);
  assert(!same(&a, &b));
#ifdef FIX
  free(a.pointer);
#endif
  free(b.pointer);
}
