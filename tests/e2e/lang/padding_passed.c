// Structures with padding that lie in static memory, or are pointed to, are passed and returned by value; a member that is not set stays so.
// expect: true
// run: --engine dpor => true
// run: -- -DUNSET => false(def-behavior)
// run: --engine dpor -- -DUNSET => false(def-behavior)
// run: -- -DUNION => false(def-behavior)
// run: -- -DWRONG => false(unreach-call)
// run: --engine dpor -- -DWRONG => false(unreach-call)
#include <assert.h>

struct three {
  int first;
  char second; /* and padding behind it */
  int third;
};
struct two {
  short first;
  char second;
};
struct wide {
  long first;
  char second;
};
struct outer {
  int n;
  struct two two;
  struct three three;
};
union views {
  struct {
    char first;
    int second;
  } one;
  struct {
    int first;
    int second;
  } other;
};
static struct three three, *to_three = &three;
static struct two two, *to_two = &two;
static struct wide wide, *to_wide = &wide, many[2];
static struct outer outer, *to_outer = &outer;
static _Thread_local struct three own;
static _Thread_local struct two own_too;

static int of_three(struct three v) { return v.first + v.second + v.third; }
static int of_two(struct two v) { return v.first + v.second; }
static long of_wide(struct wide v) { return v.first + v.second; }
static struct three get_three(void) { return three; }
static struct two get_two(void) { return *to_two; }
static struct wide get_wide(void) { return many[1]; }
#ifdef UNION
static int of_views(union views v) { return v.other.first; }
#endif

int main(void) {
  struct three a;
  a.first = 1;
  a.second = 2;
#ifndef UNSET
  a.third = 3;
#endif
  struct two b;
  b.first = 1;
  b.second = 2;
  struct wide c;
  c.first = 1;
  c.second = 2;
  three = outer.three = a;
  two = outer.two = b;
  wide = many[1] = c;
  own = a;
  own_too = b;
  int i = two.first;
  int sum = of_three(three);
#ifdef UNSET
  return sum;
#elif defined WRONG
  assert(sum != 6);
#endif
  assert(sum == 6 && of_two(two) == 3 && of_wide(wide) == 3);
  assert(of_three(*to_three) == 6 && of_two(*to_two) == 3 && of_wide(*to_wide) == 3);
  assert(of_three(to_outer->three) == 6 && of_two(to_outer->two) == 3 && of_wide(many[i]) == 3);
  assert(get_three().third == 3 && get_two().second == 2 && get_wide().second == 2);
  assert(of_three(own) == 6 && of_two(own_too) == 3);
#ifdef UNION
  union views local;
  local.one.first = 1;
  local.one.second = 2;
  assert(of_views(local) == 1); /* three bytes of it have no value */
#endif
  return 0;
}
