// What is left: unions with members, enum class, references to arrays and functions, initializer
// lists, string literals and views, bit operations, goto past scopes, ternaries of references.
#include <bitset>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <initializer_list>
#include <optional>
#include <string_view>
#include <variant>

enum class Color : unsigned char { red = 1, green = 2, blue = 4 };
constexpr Color operator|(Color a, Color b) {
  return static_cast<Color>(static_cast<unsigned>(a) | static_cast<unsigned>(b));
}
struct Sum {
  int total = 0;
  Sum(std::initializer_list<int> l) {
    for (int x : l) total += x;
  }
};
union Number {
  std::int64_t i;
  double d;
  Number(double x) : d(x) {}
  std::uint64_t bits() const {
    std::uint64_t b;
    std::memcpy(&b, &d, sizeof b);
    return b;
  }
};
struct Empty {};
struct Holder : Empty {
  int x : 5, y : 11;
  mutable int reads = 0;
  int get() const {
    reads++;
    return x * y;
  }
};
static int length(const char (&s)[6]) {
  return sizeof s;
}
static int apply(int (&f)(const char (&)[6])) {
  return f("hello");
}

int main() {
  Color c = Color::red | Color::blue;
  std::printf("%d %d\n", int(c), Sum{1, 2, 3}.total);
  std::printf("%llx %d %d\n", (unsigned long long)Number(1.5).bits(), apply(length),
              int(sizeof(Empty)));
  Holder h = Holder();
  h.x = -5;
  h.y = 300;
  int product = h.get();
  std::printf("%d %d\n", product, h.reads);
  std::string_view v = "a view of text";
  std::printf("%d %d %.*s\n", int(v.size()), int(v.find("of")), 4, v.substr(2).data());
  std::optional<int> none, some = 4;
  std::printf("%d %d\n", none.value_or(-1), *some);
  std::bitset<70> bits;
  bits.set(3).set(69);
  std::printf("%d %d\n", int(bits.count()), int(bits.test(69)));
  std::variant<int, double> var = 2.5;
  std::printf("%d %g\n", int(var.index()), *std::get_if<double>(&var));
  int a = 1, b = 2;
  (a > b ? a : b) = 9;
  int n = 0;
again : {
  Sum s{n, a};
  if (s.total < 5 && ++n) goto again;
}
  std::printf("%d %d %d\n", a, b, n);
  auto [p, q] = [] {
    struct R {
      int x;
      char y;
    };
    return R{3, 'q'};
  }();
  std::printf("%d %c %s\n", p, q, __func__);
  return 0;
}
