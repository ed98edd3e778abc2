// What a function returns is computed before its variables end, also where that depends on where they are.
// expect: true
// states: 1
// run: -- -DOTHER => false(unreach-call) states=1
// run: --engine dpor => true
// run: --engine value --property unreach-call,valid-deref => true
// run: -- -O1 => true or conditional
// run: -- -O2 => true or conditional
#include <assert.h>
#include <stdbool.h>

struct node {
  struct node *next;
};

static bool is_empty_at_end(void) {
  struct node head = {&head};
  return head.next == &head;
}
static int is_mine(const int *p) {
  int mine = 1;
  return p == &mine ? mine : 2;
}
static long length(void) {
  int a[4], *p = a;
  while (p != a + 3) p++;
  return p - a;
}
static bool differs(const int *p) {
  int mine = 1;
  for (int i = 0; i < 2; i++) {
    int round = i;
    if (p == &round) return !(p == &mine && round == mine);
  }
  return !(p == &mine);
}

int main(void) {
  int x = 0;
  assert(is_empty_at_end() && is_mine(&x) == 2 && length() == 3 && differs(&x));
#ifdef OTHER
  assert(!differs(&x));
#endif
}
