// A function nobody knows, and a construct that is refused, on no path: no condition.
// expect: true
// states: 1
extern int mystery(int);

static volatile int x = 1;

int main(void) {
  if (x == 2) {
    __asm__ volatile("nop");
    return mystery(3);
  }
  return 0;
}
