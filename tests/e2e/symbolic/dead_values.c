// What a variable holds that nobody will read is no part of an invariant: where paths meet, engine and proof check
// need not agree on it.
// expect: true
// args: --engine kinduction --property unreach-call,no-overflow --32 --check-proof
extern unsigned char __VERIFIER_nondet_uchar(void);
unsigned char g = 1;
int h = 2, a[4] = {1, 2, 3, 4}, *p = &h;

int main(void) {
  short v = __VERIFIER_nondet_uchar();
  int big = 2147483647, l = 2;
  for (int i = 0; i < (g & 3); i++) {
    if (*p) {
    }
  }
  a[(v - big) & 3] = (_Bool)(g % 10);
  for (int i = 0; i < (g & 3); i++) {
    if (!(i * 4)) l ^= (a[1] ? h : h) + (*p & 15);
  }
  return 0;
}
