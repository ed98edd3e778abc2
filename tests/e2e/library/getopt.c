// getopt and getopt_long: operands go behind, options may stand together, arguments may follow.
// expect: true
// run: -- -DLONG => true
// run: -- -DBUG => false(unreach-call)
// run: -- -DNO_ARGUMENT => false(valid-deref)
// run: -- -DNO_ARGUMENT -DFIXED => true
#include <assert.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(void) {
#if defined NO_ARGUMENT
  char *argv[] = {"tool", "-n", NULL};
#  ifdef FIXED
  const char *known = "n:";
#  else
  const char *known = "n"; /* the colon was forgotten */
#  endif
  int n = 1;
  while (getopt(2, argv, known) == 'n') n = atoi(optarg);
  return n;
#elif defined LONG
  char *argv[] = {"tool", "--out=x", "file", "--verb", "--level", "3", "--what", NULL};
  int verbose = 0, c, seen = 0;
  struct option list[] = {{"out", required_argument, NULL, 'o'},
                          {"verbose", no_argument, &verbose, 2},
                          {"level", required_argument, NULL, 'l'},
                          {NULL, 0, NULL, 0}};
  opterr = 0;
  while ((c = getopt_long(7, argv, "", list, NULL)) != -1) {
    seen = seen * 4 + (c == 'o' ? 1 : c == 'l' ? 2 : c == '?' ? 3 : 0);
    if (c == 'o') assert(strcmp(optarg, "x") == 0);
    if (c == 'l') assert(strcmp(optarg, "3") == 0);
  }
  assert(verbose == 2 && seen == ((1 * 4 + 0) * 4 + 2) * 4 + 3);
  assert(optind == 6 && strcmp(argv[6], "file") == 0);
  return 0;
#else
  char *argv[] = {"tool", "one", "-ab", "x", "two", "-cy", "-a", "-z", "--", "-a", NULL};
  int c, a = 0;
  const char *b = "", *d = "";
  opterr = 0;
  while ((c = getopt(10, argv, "ab:c:")) != -1) {
    if (c == 'a') a++;
    if (c == 'b') b = optarg;
    if (c == 'c') d = optarg;
    if (c == '?') assert(optopt == 'z');
  }
#  ifdef BUG
  assert(a == 3);
#  endif
  assert(a == 2 && *b == 'x' && *d == 'y');
  assert(optind == 7 && strcmp(argv[7], "one") == 0 && strcmp(argv[9], "-a") == 0);
  return 0;
#endif
}
