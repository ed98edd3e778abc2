// The twin of odd_main.c, which writes behind its memory.
// expect: false(valid-deref)
int index = 2;
inline char main(char count, char **words, char **environment, long nothing) {
  char *p = malloc(2);
  p[index] = count == 1;
  free(p);
  return 0;
}
