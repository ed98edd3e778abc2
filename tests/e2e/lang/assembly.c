// Inline assembly is refused where it is reached.
// expect: conditional or unknown
// states: 1
// message: assembly
static volatile int x = 1;

int main(void) {
  int y = x;
  __asm__ volatile("" : "+r"(y));
  return y;
}
