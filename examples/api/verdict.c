/* verdict.c -- checks the files named on the command line for data races and prints the verdict,
 * with the condition under which it holds.
 *
 *   cc verdict.c $(pkg-config --cflags --libs proviso) -o verdict */
#include <proviso.h>

#include <stdio.h>

int main(int argc, char **argv) {
  proviso *p = proviso_new();
  proviso_status status = proviso_set(p, "property", "no-data-race");
  if (status == PROVISO_OK) status = proviso_set(p, "limit", "time=60s");
  for (int i = 1; i < argc && status == PROVISO_OK; i++) status = proviso_add_file(p, argv[i]);
  if (status == PROVISO_OK) status = proviso_check(p);
  if (status == PROVISO_OK) {
    printf("%s\n", proviso_result_line(p));
    for (size_t i = 0; i < proviso_count_provisos(p); i++)
      printf("provided that %s\n", proviso_get_proviso(p, i));
    for (size_t i = 0; i < proviso_count_violations(p); i++)
      printf("%s\n", proviso_get_violation(p, i));
  } else {
    fprintf(stderr, "%s\n", proviso_error(p));
  }
  proviso_free(p);
  return status;
}
