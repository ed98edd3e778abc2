// A state beyond the depth limit on one path lies within it on another: the error behind it is found.
// expect: false(unreach-call)
// states: 10
// args: --property unreach-call --limit depth=8
int proviso_choose(int low, int high);
void reach_error(void);

int main(void) {
  int i = 0;
  if (!proviso_choose(0, 1))
    for (; i < 5; i++) proviso_choose(0, 1);
  i = 7;
  if (proviso_choose(0, 1) && proviso_choose(0, 1) && proviso_choose(0, 1)) reach_error();
  return 0;
}
