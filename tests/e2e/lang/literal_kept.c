// A compound literal lives as long as the block that it is in (C11, 6.5.2.5, 5), and is one object however often it is come to (16). Where its block ends is not
// known: who keeps its address in a block within the function gets a proviso (`true` was said).
// expect: conditional
// proviso: the compound literal at
// run: --engine dpor => conditional
// run: --engine value => conditional
// run: -- -DCALLED => conditional
// run: -- -DCHOSEN => conditional
// run: -- -DLOOP => conditional
// run: -- -DPOINTED => conditional
// run: -- -DCOPIED => conditional
// run: -- -DVARIABLE => conditional
// run: -- -DTHREAD => conditional
// run: -- -DCALLED -g0 => conditional
// run: -- -DNUMBER => conditional
// run: -- -DRETURNED => conditional
// run: -- -DBLOCK => true
// run: -- -DFIX => true
// run: --property unreach-call => true
// run: -- -DAGAIN => true
// run: -- -DAGAIN -DWRONG => false(unreach-call)
#include <assert.h>
#include <pthread.h>
#include <stdarg.h>
#include <string.h>

struct number {
  int value;
};

/* The example of the standard. */
static int again(void) {
  struct number *p = 0, *q;
  int j = 0;
again:
  q = p, p = &((struct number){j++});
  if (j < 2) goto again;
  return p == q && q->value == 1;
}

static int *kept;
static void keep(int *p) {
  kept = p;
}
static int *same(int *p) {
  return p;
}
static void keep_last(int n, ...) {
  va_list list;
  va_start(list, n);
  kept = va_arg(list, int *);
  va_end(list);
}
static void *thread(void *p) {
  return p;
}
static int add(const int *p, const int *q) {
  return *p + *q;
}

int main(int argc, char **argv) {
  (void)argv;
#ifdef AGAIN
#ifdef WRONG
  assert(!again());
#endif
  assert(again());
  return 0;
#elif defined BLOCK
  int sum = 0;
  for (int i = 0; i < 3; i++) {
    const int *p = (int[]){i, 2}, *q = p + 1;
    sum += add(q, &(int){i});
  }
  return sum == 7;
#else
  int *p = 0;
#ifdef CALLED
  {
    keep(&(int){5});
  }
  p = kept;
#elif defined CHOSEN
  {
    p = argc > 1 ? &(int){5} : &(int){6};
  }
#elif defined NUMBER
  unsigned long n;
  {
    n = (unsigned long)&(int){5};
  }
  p = (int *)n;
#elif defined RETURNED
  {
    p = same(&(int){5});
  }
#elif defined LOOP
  while (!p) p = &(int){5}; /* its body is a block, too */
#elif defined POINTED
  {
    int *q = &(int){5}, **at = &q;
    p = *at;
  }
#elif defined COPIED
  {
    int *q = &(int){5};
    memcpy(&p, &q, sizeof p);
  }
#elif defined VARIABLE
  {
    keep_last(1, &(int){5});
  }
  p = kept;
#elif defined THREAD
  pthread_t id;
  void *result;
  {
    pthread_create(&id, 0, thread, &(int){5});
  }
  pthread_join(id, &result);
  p = result;
#elif defined FIX
  p = &(int){5};
#else
  {
    p = &(int){5};
    *p = 5;
  }
#endif
  return *p == 7;
#endif
}
