// Classes: construction and destruction order, copies, moves, references, operators, statics,
// members by pointer, friends, default arguments, overloads, namespaces.
#include <cstdio>
#include <utility>

namespace trace {
static int live;
struct Loud {
  char name;
  explicit Loud(char n = '?') : name(n) {
    live++;
    std::printf("+%c ", name);
  }
  Loud(const Loud &o) : name(static_cast<char>(o.name - 'a' + 'A')) {
    live++;
    std::printf("c%c ", name);
  }
  Loud(Loud &&o) noexcept : name(o.name) {
    o.name = '_';
    live++;
    std::printf("m%c ", name);
  }
  Loud &operator=(const Loud &o) {
    name = o.name;
    std::printf("=%c ", name);
    return *this;
  }
  ~Loud() {
    live--;
    std::printf("-%c ", name);
  }
};
} // namespace trace
using trace::Loud;

class Vec {
  double x_ = 0, y_ = 0;

public:
  static int count;
  Vec() { count++; }
  Vec(double x, double y) : x_(x), y_(y) { count++; }
  Vec operator+(const Vec &o) const { return Vec(x_ + o.x_, y_ + o.y_); }
  Vec &operator*=(double k) {
    x_ *= k;
    y_ *= k;
    return *this;
  }
  double operator[](int i) const { return i ? y_ : x_; }
  explicit operator bool() const { return x_ != 0 || y_ != 0; }
  friend bool operator==(const Vec &a, const Vec &b) { return a.x_ == b.x_ && a.y_ == b.y_; }
  double get_x() const { return x_; }
  double get_y() const { return y_; }
};
int Vec::count;

static Loud pass(Loud l) {
  return l;
}
static int over(int) {
  return 1;
}
static int over(double) {
  return 2;
}
static int over(const char *, int n = 5) {
  return n;
}
static void swap_ref(int &a, int &b) {
  int t = a;
  a = b;
  b = t;
}
struct Two {
  Loud first{'1'}, second{'2'};
};
static Loud global('g');
static Loud &once() {
  static Loud l('s');
  return l;
}

int main() {
  {
    Loud a('a'), b(a), c(std::move(a));
    b = c;
    Loud d = pass(Loud('d'));
    Two t;
    Two *p = new Two[2];
    delete[] p;
    const Loud &temporary = Loud('t');
    std::printf("%c\n", temporary.name);
  }
  once();
  once();
  std::printf("\nlive %d\n", trace::live);
  Vec v(1, 2), w = v + Vec(3, 4);
  w *= .5;
  double (Vec::*get)() const = &Vec::get_y;
  std::printf("%g %g %g %d %d %d\n", w[0], w[1], (w.*get)(), w == v, bool(w), Vec::count);
  int a = 1, b = 2;
  swap_ref(a, b);
  int &r = a;
  r += 10;
  std::printf("%d %d %d %d %d\n", a, b, over(1), over(1.), over("x"));
  for (int x : {3, 1, 2}) a = a * 10 + x;
  return a % 100;
}
