// std::atomic over pthreads, thread-local objects, static locals with constructors.
// provisos: ORDERING
#include <atomic>
#include <cstdio>
#include <pthread.h>

static std::atomic<int> counter{0};
static std::atomic<bool> ready{false};
static std::atomic_flag flag = ATOMIC_FLAG_INIT;
static int plain;
static thread_local int own = 5;

struct Once {
  int n;
  Once() : n(counter.load() >= 0 ? 7 : 8) {}
};
static Once &once() {
  static Once o;
  return o;
}

static void *work(void *) {
  counter.fetch_add(2);
  while (flag.test_and_set()) sched_yield();
  plain += once().n;
  flag.clear();
  own++;
  ready.store(true);
  return nullptr;
}

int main() {
  pthread_t t[2];
  for (auto &x : t) pthread_create(&x, nullptr, work, nullptr);
  for (auto &x : t) pthread_join(x, nullptr);
  int expected = 4;
  bool swapped = counter.compare_exchange_strong(expected, 10);
  counter++;
  std::atomic<long long> wide{1LL << 40};
  wide |= 3;
  std::printf("%d %d %d %d %lld %d\n", counter.load(), plain, swapped, ready.load(), wide.load(),
              own);
  return 0;
}
