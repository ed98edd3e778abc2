// Frames that grow and move, recursion, calls through pointers, wide integers, floats, structures,
// computed jumps, loops that are longer than one transition may be.
// expect: true
// states: 8
#include <assert.h>
#include <string.h>

__extension__ typedef unsigned __int128 wide;
int proviso_choose(int low, int high);

struct pair {
  unsigned a : 5, b : 11;
  double f;
};

static _Thread_local int depth;

static unsigned fib(unsigned n) {
  depth++;
  unsigned r = n < 2 ? n : fib(n - 1) + fib(n - 2);
  depth--;
  return r;
}

static int grow(int n) {
  int sum = 0;
  for (int i = 1; i <= n; i++) {
    int a[i];
    for (int k = 0; k < i; k++) a[k] = k + sum;
    sum = a[i - 1] - sum + a[0];
  }
  return sum;
}

static wide power(wide base, unsigned n) {
  wide r = 1;
  for (; n; n >>= 1, base *= base)
    if (n & 1) r *= base;
  return r;
}

static struct pair change(struct pair p) {
  p.a += 3;
  p.b ^= p.a;
  p.f = p.f * 1.5 + p.b;
  return p;
}

static int machine(const char *program) {
  static void *const labels[] = {&&stop, &&add, &&twice};
  int n = 0;
  goto *labels[*program++ - '0'];
add:
  n++;
  goto *labels[*program++ - '0'];
twice:
  n *= 2;
  goto *labels[*program++ - '0'];
stop:
  return n;
}

int main(void) {
  unsigned (*f)(unsigned) = fib;
  unsigned long count = 0;
  int way = proviso_choose(0, 2);
  assert(f(10) == 55 && depth == 0);
  for (int i = 0; i < 25000; i++) count += (unsigned long)(i ^ way);
  assert(way || count == 25000ul * 24999 / 2);
  assert(grow(6 + way) > 0);
  assert((unsigned long long)(power(3, 60) >> 64) == 2298029294ull);
  assert((int)(power((wide)1 << 20, 6) >> 120) == 1);
  struct pair p = {0, 0, 0.25}, q;
  p.a = 30;
  for (int i = 0; i < 3; i++) p = change(p);
  memcpy(&q, &p, sizeof q);
  assert(q.a == (30 + 9) % 32 && q.f == p.f && p.f > 8);
  assert(machine("1122120") == 18);
  return 0;
}
