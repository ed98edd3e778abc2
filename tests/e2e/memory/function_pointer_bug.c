// A call through a null function pointer.
// expect: false(valid-deref)
// states: 1
typedef int (*callback)(int);

static callback registered;

int main(void) {
  return registered(1);
}
