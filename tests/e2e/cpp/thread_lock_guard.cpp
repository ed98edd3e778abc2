// Two threads and a lock_guard; without it they race.
// expect: true
// run: --engine dpor => true
// run: -- -DBUG => false(no-data-race)
// run: --property unreach-call -- -DBUG => false(unreach-call)
#include <cassert>
#include <mutex>
#include <thread>

static std::mutex lock;
static int sum;

static void add(int k) {
#ifndef BUG
  std::lock_guard<std::mutex> guard(lock);
#endif
  int old = sum;
  sum = old + k;
}

int main() {
  std::thread a(add, 1), b([] { add(2); });
  a.join();
  b.join();
  assert(sum == 3);
}
