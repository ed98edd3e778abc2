// Virtual functions, abstract classes, multiple and virtual inheritance, dynamic_cast-free
// downcasts, virtual destructors, calls in constructors, covariant results.
#include <cstdio>

struct Shape {
  int id;
  explicit Shape(int i) : id(i) { std::printf("shape %d\n", id); }
  virtual ~Shape() { std::printf("~shape %d\n", id); }
  virtual double area() const = 0;
  virtual const char *name() const { return "shape"; }
  virtual Shape *clone() const = 0;
};
struct Box : Shape {
  double w, h;
  Box(int i, double a, double b) : Shape(i), w(a), h(b) { std::printf("%s\n", name()); }
  ~Box() override { std::printf("~box\n"); }
  double area() const override { return w * h; }
  const char *name() const override { return "box"; }
  Box *clone() const override { return new Box(id + 10, w, h); }
};
struct Square : Box {
  Square(int i, double a) : Box(i, a, a) {}
  const char *name() const override { return "square"; }
  Square *clone() const override { return new Square(id + 20, w); }
};
struct Printable {
  int tag = 7;
  virtual void print() const { std::printf("printable %d\n", tag); }
  virtual ~Printable() = default;
};
struct Labelled : Square, Printable {
  const char *label;
  Labelled(const char *l) : Square(5, 3), label(l) {}
  void print() const override { std::printf("%s %g %d %d\n", label, area(), id, tag); }
};
struct Base {
  int n = 1;
  virtual int get() { return n; }
};
struct Left : virtual Base {
  int get() override { return n + 10; }
};
struct Right : virtual Base {
  int extra = 100;
};
struct Bottom : Left, Right {
  int sum() { return get() + extra + n; }
};

int main() {
  Shape *shapes[] = {new Box(1, 2, 3), new Square(2, 2), nullptr};
  shapes[2] = shapes[1]->clone();
  for (Shape *s : shapes) std::printf("%s %g %d\n", s->name(), s->area(), s->id);
  for (Shape *s : shapes) delete s;
  Printable *p = new Labelled("label");
  p->print();
  static_cast<Labelled *>(p)->Printable::print();
  Square *q = static_cast<Labelled *>(p);
  std::printf("%s %g\n", q->name(), q->area());
  delete p;
  Bottom b;
  Right &r = b;
  r.n = 5;
  Base *base = &r;
  std::printf("%d %d %d\n", base->get(), b.sum(), r.get());
  double (Shape::*area)() const = &Shape::area;
  Square s(9, 4);
  std::printf("%g\n", (s.*area)());
  return 0;
}
