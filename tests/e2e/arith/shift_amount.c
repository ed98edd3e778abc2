// The amount of a left shift of a signed value is part of no-overflow, if that alone is asked for (C11
// 6.5.7: the result is not representable). Other shifts by too much belong to def-behavior.
// args: --property no-overflow
// expect: true
// states: 1
// run: --property no-overflow -- -DBUG => false(no-overflow)
// run: --property no-overflow --engine bmc -- -DBUG => false(no-overflow)
// run: --property no-overflow --engine composite -- -DBUG => false(no-overflow)
// run: --property no-overflow,def-behavior -- -DBUG => false(def-behavior)
// run: --property no-overflow -- -DUNSIGNED => conditional states=1
// run: --property no-overflow,def-behavior -- -DUNSIGNED => false(def-behavior)
int x = 4, by = 28;
unsigned u = 4;
int main(void) {
#ifdef BUG
  by = -1;
#elif defined UNSIGNED
  by = 32;
  return (u << by) == 5;
#endif
  return (x << by) > 0 || (x >> by);
}
