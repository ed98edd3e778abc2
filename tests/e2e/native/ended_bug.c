// A local variable is used after its function has returned; while the function ran its memory was used
// much.
// expect: false(valid-deref)
// states: 1
// message: of an object after the end of its life
// run: --32 => false(valid-deref) states=1
static int sum;

static void fill(int **out) {
  int a[8];
  for (int i = 0; i < 8; i++) a[i] = i;
  for (int i = 0; i < 8; i++) sum += a[i];
  *out = a;
}

int main(void) {
  int *p;
  fill(&p);
  return p[1];
}
