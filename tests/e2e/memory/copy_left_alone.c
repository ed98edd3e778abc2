// A copy goes byte by byte where another thread looks on. If that ends between a read and its write, the rest may be copied in larger pieces, but not
// the byte that was read (zeros were written behind it once).
// expect: true
// args: --property unreach-call
// run: --por none --property unreach-call => true
// run: --engine dpor --property unreach-call => true
// run: --native-after 0 --property unreach-call => true
// run: --por none --property unreach-call -- -DSTRUCT => true
// run: --por none --property unreach-call -- -DBUGGY => false(unreach-call)
// run: --engine dpor --property unreach-call -- -DBUGGY => false(unreach-call)
#include <assert.h>
#include <pthread.h>
#include <string.h>

static struct bytes {
  char at[6];
} bytes;

static void *ends(void *arg) {
#ifdef BUGGY
  bytes.at[1] = 0;
#endif
  return arg;
}

int main(void) {
  static const struct bytes text = {"ab"};
  pthread_t thread;
  pthread_create(&thread, 0, ends, 0);
#ifdef STRUCT
  bytes = text;
#else
  memcpy(&bytes, &text, 3);
#endif
  assert(bytes.at[1] == 'b');
  return 0;
}
