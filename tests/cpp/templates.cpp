// Templates: containers of our own, specialisation, variadic ones, lambdas, constexpr, algorithms
// of the standard headers, iterators, auto, structured bindings.
#include <algorithm>
#include <array>
#include <cstdio>
#include <functional>
#include <numeric>
#include <tuple>
#include <type_traits>
#include <utility>

template <class T> class Stack {
  T *data_ = nullptr;
  int n_ = 0, cap_ = 0;

public:
  Stack() = default;
  Stack(const Stack &) = delete;
  ~Stack() { delete[] data_; }
  void push(T x) {
    if (n_ == cap_) {
      T *bigger = new T[cap_ = cap_ ? 2 * cap_ : 2]();
      for (int i = 0; i < n_; i++) bigger[i] = std::move(data_[i]);
      delete[] data_;
      data_ = bigger;
    }
    data_[n_++] = std::move(x);
  }
  T pop() { return data_[--n_]; }
  T *begin() { return data_; }
  T *end() { return data_ + n_; }
  int size() const { return n_; }
};
template <class T> const char *kind() {
  return "other";
}
template <> const char *kind<int>() {
  return "int";
}
template <class... T> int sum(T... t) {
  return (0 + ... + t);
}
template <int N> struct Factorial { static constexpr long value = N * Factorial<N - 1>::value; };
template <> struct Factorial<0> { static constexpr long value = 1; };
template <class T, class F> void each(T &c, F f) {
  for (auto &x : c) f(x);
}
constexpr int fib(int n) {
  return n < 2 ? n : fib(n - 1) + fib(n - 2);
}
static_assert(fib(10) == 55, "");
template <class T> typename std::enable_if<std::is_integral<T>::value, int>::type pick(T) {
  return 1;
}
template <class T> typename std::enable_if<!std::is_integral<T>::value, int>::type pick(T) {
  return 2;
}

int main() {
  Stack<int> s;
  for (int i = 0; i < 9; i++) s.push(i * 7 % 10);
  std::sort(s.begin(), s.end());
  for (int x : s) std::printf("%d ", x);
  each(s, [](int &x) { x *= 2; });
  int total = 0, factor = 3;
  each(s, [&total, factor](int x) { total += x * factor; });
  int top = s.pop();
  std::printf("%d %d %d\n", total, top, s.size());
  Stack<std::pair<int, double>> pairs;
  pairs.push({1, 2.5});
  pairs.push(std::make_pair(2, .5));
  auto [a, b] = pairs.pop();
  std::printf("%d %g %s %s\n", a, b, kind<int>(), kind<long>());
  std::printf("%d %ld %d %d %d\n", sum(1, 2, 3, 4), Factorial<10>::value, fib(12), pick(1),
              pick(1.));
  std::array<int, 6> array = {5, 2, 8, 1, 9, 3};
  std::sort(array.begin(), array.end(), [](int x, int y) { return x > y; });
  auto it = std::find(array.begin(), array.end(), 8);
  std::printf("%d %d %d %d\n", array[0], int(it - array.begin()),
              std::accumulate(array.begin(), array.end(), 0),
              *std::min_element(array.begin(), array.end()));
  std::tuple<int, char, double> t(1, 'x', 2.5);
  std::get<0>(t) += 5;
  std::printf("%d %c %g\n", std::get<0>(t), std::get<1>(t), std::get<2>(t));
  auto compose = [](auto f, auto g) { return [=](int x) { return f(g(x)); }; };
  auto h = compose([](int x) { return x + 1; }, [](int x) { return x * x; });
  int (*plain)(int) = [](int x) { return -x; };
  std::printf("%d %d\n", h(5), plain(4));
  std::reverse(array.begin(), array.end());
  std::rotate(array.begin(), array.begin() + 2, array.end());
  for (int x : array) std::printf("%d ", x);
  std::printf("\n");
  return std::max({3, 7, 5});
}
