/* least_threads.c -- finds the smallest number of threads, given to the program as the macro N, for
 * which it has an error: one check after the other with a handle of its own.
 *
 *   cc least_threads.c $(pkg-config --cflags --libs proviso) -o least_threads
 *   ./least_threads prog.c 5 */
#include <proviso.h>

#include <stdio.h>
#include <stdlib.h>

/* The verdict for n threads. */
static proviso_verdict check(const char *file, int n) {
  char macro[32];
  proviso *p = proviso_new();
  snprintf(macro, sizeof macro, "-DN=%d", n);
  if (proviso_add_file(p, file) != PROVISO_OK ||
      proviso_add_clang_argument(p, macro) != PROVISO_OK || proviso_check(p) != PROVISO_OK) {
    fprintf(stderr, "%s\n", proviso_error(p));
    exit(2);
  }
  proviso_verdict verdict = proviso_get_verdict(p);
  printf("N = %d: %s\n", n, proviso_result_line(p));
  proviso_free(p);
  return verdict;
}

int main(int argc, char **argv) {
  int most = argc > 2 ? atoi(argv[2]) : 4;
  if (argc < 2) return 2;
  for (int n = 1; n <= most; n++)
    if (check(argv[1], n) == PROVISO_FALSE) return 10;
  return 0;
}
