// new and delete: arrays with destructors, placement, nothrow, class operators, unique_ptr,
// shared ownership by hand, globals with constructors.
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <new>

struct Part {
  static int made, gone;
  int id;
  Part() : id(made++) {}
  ~Part() { gone++; }
};
int Part::made, Part::gone;
struct Pooled {
  static char pool[64];
  static bool used;
  int x;
  static void *operator new(std::size_t) {
    used = true;
    return pool;
  }
  static void operator delete(void *) { used = false; }
};
alignas(16) char Pooled::pool[64];
bool Pooled::used;
template <class T> class Counted {
  struct Block {
    T value;
    int n;
  } * b_;

public:
  explicit Counted(T v) : b_(new Block{v, 1}) {}
  Counted(const Counted &o) : b_(o.b_) { b_->n++; }
  Counted &operator=(Counted o) {
    std::swap(b_, o.b_);
    return *this;
  }
  ~Counted() {
    if (--b_->n == 0) delete b_;
  }
  T &operator*() { return b_->value; }
  int count() const { return b_->n; }
};
struct Table {
  int squares[10];
  Table() {
    for (int i = 0; i < 10; i++) squares[i] = i * i;
  }
};
static Table table;
struct Node {
  int v;
  std::unique_ptr<Node> next;
};

int main() {
  Part *p = new Part[5];
  std::printf("%d %d\n", p[4].id, Part::made);
  delete[] p;
  std::printf("%d\n", Part::gone);
  alignas(Part) unsigned char raw[sizeof(Part)];
  Part *q = new (raw) Part;
  q->~Part();
  Pooled *o = new Pooled{3};
  std::printf("%d %d %d\n", o->x, Pooled::used, (void *)o == Pooled::pool);
  delete o;
  std::printf("%d %d\n", Pooled::used, Part::gone);
  int *i = new (std::nothrow) int(4);
  std::unique_ptr<int> u(i);
  auto parts = std::make_unique<Part[]>(3);
  std::printf("%d %d\n", *u, parts[2].id);
  {
    Counted<double> a(2.5), b = a, c(1);
    c = b;
    *c += 1;
    std::printf("%g %d\n", *a, c.count());
  }
  std::unique_ptr<Node> list;
  for (int k = 0; k < 4; k++) list = std::unique_ptr<Node>(new Node{k, std::move(list)});
  for (Node *n = list.get(); n; n = n->next.get()) std::printf("%d ", n->v);
  std::printf("%d\n", table.squares[7]);
  void *m = std::malloc(8);
  std::free(m);
  return Part::made;
}
