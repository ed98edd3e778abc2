// More local variables than 32 bits have addresses for: what there is no room for ends the path under a proviso (false was said once, as if it had
// ended its life).
// expect: conditional
// args: --32 --engine explicit --property valid-deref --recursion 100000
// proviso: fit into the machine's address space
// run: --32 --engine explicit --property valid-deref --recursion 100000 -- -DBUGGY => false(valid-deref)
static void set(int *p) {
  *p = 1;
}

static int down(int n) {
#ifdef BUGGY
  int *missing = 0;
  if (n == 9) set(missing);
#endif
  int a, b, c, d, e, f, g, h, i, j, k, l, m, o, p, q;
  set(&a), set(&b), set(&c), set(&d), set(&e), set(&f), set(&g), set(&h);
  set(&i), set(&j), set(&k), set(&l), set(&m), set(&o), set(&p), set(&q);
  return n ? down(n - 1) + a + b + c + d + e + f + g + h + i + j + k + l + m + o + p + q : 0;
}

int main(void) {
#ifdef BUGGY
  return down(10) == 7;
#else
  return down(80000) == 7;
#endif
}
