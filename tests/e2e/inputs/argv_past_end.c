// The byte behind the end of an argument. Twin: argv_end.c.
// args: --engine explicit
// expect: false(valid-deref)
int main(int argc, char **argv) {
  return argc > 1 && !argv[1][0] && argv[1][1] == 'x';
}
