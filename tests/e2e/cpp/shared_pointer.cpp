// Two threads own an object together: std::shared_ptr counts with atomic operations, and the last
// owner destroys it. One of its accesses covers both counts at once, so the memory order stays a
// proviso. The twin hands on a pointer that owns nothing.
// expect: conditional
// proviso: behaves as if it were sequentially consistent
// run: -- -DBUG => false(valid-deref) or false(no-data-race)
#include <cassert>
#include <memory>
#include <thread>
struct part {
  int value = 1;
};
int main() {
  auto p = std::make_shared<part>();
#ifdef BUG
  std::thread t([q = p.get()] { assert(q->value == 1); });
#else
  std::thread t([p] { assert(p->value == 1); });
#endif
  p.reset();
  t.join();
  return 0;
}
