// The error is shown at the program's line, not inside of the C++ library. Twin: vector_index_right.cpp.
// expect: false(valid-deref)
// message: vector_index.cpp:11 in _ZL2at
// message: Error path (5 steps
// message: 8 bytes behind the end of the object of the C++ library
#include <vector>

static int at(const std::vector<int> &v, int i)
{
  int sum = 0;
  sum += v[(unsigned)i];
  return sum;
}
int main() {
  std::vector<int> v(3);
  return at(v, 5);
}
