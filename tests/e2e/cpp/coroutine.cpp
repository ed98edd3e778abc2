// Coroutines are taken apart into functions (clang's own passes, which do that, are left out).
// expect: true
// args: -- -std=c++20
// run: --engine explicit -- -std=c++20 -DWRONG => false(unreach-call)
#include <cassert>
#include <coroutine>

struct Numbers {
  struct promise_type {
    int value = 0;
    Numbers get_return_object() {
      return Numbers{std::coroutine_handle<promise_type>::from_promise(*this)};
    }
    std::suspend_always initial_suspend() { return {}; }
    std::suspend_always final_suspend() noexcept { return {}; }
    std::suspend_always yield_value(int n) {
      value = n;
      return {};
    }
    void return_void() {}
    void unhandled_exception() {}
  };
  std::coroutine_handle<promise_type> handle;
};

static Numbers count(int to) {
  for (int i = 0; i < to; i++) co_yield i;
}

int main() {
  Numbers numbers = count(4);
  int sum = 0;
  for (numbers.handle.resume(); !numbers.handle.done(); numbers.handle.resume())
    sum += numbers.handle.promise().value;
  numbers.handle.destroy();
#ifdef WRONG
  assert(sum != 6);
#endif
  assert(sum == 6);
}
