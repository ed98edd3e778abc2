// One thread: under --atomic instruction every edge of the ir is a step, and there are as many
// states as steps, as the last one ends the program. Edges: 1 calls main; main has 4 (retval = 0,
// t1 = g, g = t1 + 1, return); then exit: 1 call, 1 call of __proviso_run_thread_exits with 3
// (assign, branch, return), 1 load, 1 branch, 1 end: 13. MORE adds a load and a store. To the other
// levels nothing is visible here.
// expect: true
// states: 1
// run: --atomic statement => true states=1
// run: --atomic instruction => true states=9
// run: --atomic instruction -- -DMORE => true states=11
static int g;

int main(void) {
  g = g + 1;
#ifdef MORE
  g = g + 1;
#endif
  return 0;
}
