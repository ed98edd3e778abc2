// An array without a size that no file defines: how far an access may go is not known, so none is an error.
// run: => conditional
// run: --engine bmc => conditional
// run: -- -DDEFINED => true
// run: --property valid-deref -- -DDEFINED -DBUG => false(valid-deref)
extern const int table[];
#ifdef DEFINED
const int table[2] = {0, 7};
#endif
#ifdef BUG
enum { PLACE = 2 };
#else
enum { PLACE = 1 };
#endif
int main(void) {
  return table[PLACE] == 0;
}
