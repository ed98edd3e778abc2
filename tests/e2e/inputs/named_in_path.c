// An error path names the argument and the variable of the environment, shows text as text, and leaves out how the model
// made it.
//
// expect: false(valid-deref)
// message: the end of argv[1]
// message: the value of a variable = "
// message: v = the value of KEY
// message: key = "abc"
// run: --engine explicit -- -DFIX => conditional
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
  char key[8] = "abc";
  if (argc < 2) return 1;
  const char *v = getenv("KEY");
  if (!v || strcmp(v, key) <= 0) return 0;
#ifdef FIX
  return argv[1][strlen(argv[1])];
#else
  return argv[1][strlen(argv[1]) + 1];
#endif
}
