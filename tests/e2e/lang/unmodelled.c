// A function nobody knows, reached on one path.
// expect: conditional
// states: 2
// proviso: mystery
extern int mystery(int);
extern int proviso_choose(int low, int high);

int main(void) {
  if (proviso_choose(0, 1)) return mystery(3);
  return 0;
}
