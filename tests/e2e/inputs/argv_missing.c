// The argument is not asked for before it is used. Twin: argv_end.c.
// expect: false(valid-deref)
// run: --args 'a' => true
int main(int argc, char **argv) {
  (void)argc;
  return argv[1][0] == 'a';
}
