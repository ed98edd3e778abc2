// Atomics, call_once, recursive and shared mutexes, threads in a vector; scoped_lock over two mutexes tries,
// which may fail, and a thread that nobody joins ends the program by std::terminate.
// expect: true
// args: -- -std=c++17
// run: -- -std=c++17 -DBUG => false(no-deadlock)
// run: -- -std=c++17 -DFORGOTTEN => conditional
// run: -- -std=c++17 -DSCOPED => true
#include <atomic>
#include <cassert>
#include <chrono>
#include <mutex>
#include <shared_mutex>
#include <thread>
#include <vector>

static std::atomic<int> count{0};
static std::once_flag flag;
static std::recursive_mutex again;
static std::shared_mutex shared;
static std::mutex left, right;
static int made, both;

static void make() { made++; }

static void work(bool first) {
  std::call_once(flag, make);
  count.fetch_add(1);
  {
    std::lock_guard<std::recursive_mutex> outer(again), inner(again);
    std::shared_lock<std::shared_mutex> reader(shared);
  }
#ifdef BUG
  std::lock_guard<std::mutex> one(first ? left : right), two(first ? right : left);
#elif defined SCOPED
  std::scoped_lock guard(first ? left : right, first ? right : left);
#else
  std::lock_guard<std::mutex> one(left), two(right);
#endif
  both++;
}

int main() {
  std::vector<std::thread> threads;
  threads.emplace_back(work, true);
#ifndef FORGOTTEN
  threads.emplace_back(work, false);
  std::this_thread::sleep_for(std::chrono::milliseconds(1));
  for (auto &t : threads) t.join();
  assert(made == 1 && count == 2 && both == 2);
#endif
}
