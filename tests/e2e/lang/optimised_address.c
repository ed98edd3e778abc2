// An optimiser may move the store of a variable's address to where the variable is gone: no error of the program (`false(valid-deref)` was said).
// expect: conditional
// args: -- -O1
// run: => true
// proviso: no address of a local variable is taken outside its life
// run: -- -DUSED => false(valid-deref)
struct pair {
  int a, b;
};
static int rounds[60], held[3];
static int *kept[3];

static void set(int *p, int value) {
  *p = value;
}

int main(void) {
  for (rounds[0] = 0; rounds[0] < 3; rounds[0]++) {
    struct pair mine;
    held[1] = 1;
    kept[1] = &mine.a;
    set(&mine.b, 6);
  }
#ifdef USED
  return *kept[1] == 6;
#endif
}
