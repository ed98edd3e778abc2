// A string literal is written to.
// expect: false(valid-deref) or false(def-behavior)
// states: 1
int main(void) {
  char *text = "abc";
  text[0] = 'x';
}
