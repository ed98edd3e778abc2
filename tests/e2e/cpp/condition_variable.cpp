// A queue of one place between two threads; notified outside of the lock's protection the signal is lost.
// expect: true
// run: --engine dpor => true
// run: -- -DBUG => false(no-deadlock)
// run: --engine dpor -- -DBUG => false(no-deadlock)
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <thread>

static std::mutex lock;
static std::condition_variable changed;
static bool full;
static int place;

static void produce(int n) {
  for (int i = 1; i <= n; i++) {
    std::unique_lock<std::mutex> held(lock);
    changed.wait(held, [] { return !full; });
    place = i;
    full = true;
#ifndef BUG
    changed.notify_all();
#endif
  }
}

int main() {
  int sum = 0;
  std::thread producer(produce, 2);
  for (int i = 0; i < 2; i++) {
    std::unique_lock<std::mutex> held(lock);
    while (!full) changed.wait(held);
    sum += place;
    full = false;
    changed.notify_one();
  }
  producer.join();
  assert(sum == 3);
}
