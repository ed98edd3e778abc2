// The explicit search tries values of memory that was never set, at the first read. All values of a byte are tried; of an `int` some, with a proviso.
// args: --engine explicit --property unreach-call
// expect: true
// states: 2
// run: --engine explicit --property unreach-call -- -DBUG => false(unreach-call)
// run: --engine explicit --property unreach-call -- -DWIDE => conditional
// run: --engine explicit --property unreach-call -- -DWIDE -DBUG => false(unreach-call)
// run: --engine explicit --property unreach-call -- -DUNUSED => true states=1
// run: --engine explicit --property unreach-call -- -DWIDE -DASSUMED => conditional
// run: --engine explicit --property unreach-call -- -DWIDE -DASSUMED -DBUG => false(unreach-call)
// run: --engine explicit --property def-behavior => false(def-behavior)
extern void reach_error(void);

#ifdef WIDE
typedef int element;
#else
typedef unsigned char element;
#endif

int main(void) {
  element list[8];
  list[3] = 1;
#ifdef UNUSED
  element copy = list[5]; /* it makes no difference */
  (void)copy;
#elif defined ASSUMED
  if (list[2] != 54321) return 0; /* the only value that matters to this load */
#ifdef BUG
  reach_error();
#endif
#else
  for (int i = 0; i < 2; i++)
    if (list[4] == 64 && list[3] == 1) {
#ifdef BUG
      reach_error();
#else
      if (list[4] != 64) reach_error();
#endif
    }
#endif
  return 0;
}
