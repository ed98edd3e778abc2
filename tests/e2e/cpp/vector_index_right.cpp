// The error is shown at the program's line, not inside of the C++ library. Twin: vector_index.cpp.
// expect: true
#include <vector>

static int at(const std::vector<int> &v, int i)
{
  int sum = 0;
  sum += v[(unsigned)i];
  return sum;
}
int main() {
  std::vector<int> v(3);
  return at(v, 2);
}
