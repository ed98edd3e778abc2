// How many arguments there are is an input, too; they themselves are not made. argv[argc] is null.
// args: --engine explicit
// expect: false(unreach-call)
// run: --engine explicit --max-args 2 => conditional
// run: --engine explicit --args 'a b' => true states=1
#include <assert.h>

int main(int argc, char **argv) {
  (void)argv;
  assert(argc != 4);
  return 0;
}
