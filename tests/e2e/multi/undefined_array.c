// An array without a size that no file defines: how far an access may go is not known, so none is an error. Nor is what
// a constant holds.
// run: => conditional
// run: --engine bmc => conditional
// run: -- -DCONSTANT => conditional
// run: --engine bmc -- -DCONSTANT => conditional
// run: -- -DDEFINED => true
// run: -- -DDEFINED -DCONSTANT => true
// run: --property valid-deref -- -DDEFINED -DBUG => false(valid-deref)
// run: -- -DDEFINED -DCONSTANT -DBUG => false(def-behavior)
extern const int table[], constant;
#ifdef DEFINED
const int table[2] = {0, 7};
#endif
#ifdef BUG
enum { PLACE = 2 };
#else
enum { PLACE = 1 };
#endif
#ifdef DEFINED
const int constant = PLACE;
#endif
int main(void) {
#ifdef CONSTANT
  int small[2] = {1, 2};
  return small[constant] == 0;
#else
  return table[PLACE] == 0;
#endif
}
