// main as no standard has it, and a variable with the name of a function that clang knows.
// expect: conditional
// proviso: there are at most 3 arguments
// message: main is taken as it is declared (
// message: have their own types (malloc, free)
int index = 1;
inline char main(char count, char **words, char **environment, long nothing) {
  char *p = malloc(2);
  p[index] = count == 1;
  if (!p[index] && count == 1) { ERROR: return 1; }
  free(p);
  return 0;
}
