// What never got a value and is copied into static, thread-local or mapped memory has none there (it counted as zero, and `true` was said).
// expect: true
// run: --engine dpor => true
// run: --32 => true
// run: -- -DMEMBER => false(def-behavior)
// run: --engine dpor -- -DMEMBER => false(def-behavior)
// run: --property unreach-call -- -DMEMBER => conditional
// run: -- -DPADDING => false(def-behavior)
// run: --engine dpor -- -DPADDING => false(def-behavior)
// run: -- -DWORD => false(def-behavior)
// run: --engine dpor -- -DWORD => false(def-behavior)
// run: -- -DTHREAD => false(def-behavior)
// run: --engine dpor -- -DTHREAD => false(def-behavior)
// run: -- -DMAPPED => false(def-behavior)
// run: --engine dpor -- -DMAPPED => false(def-behavior)
// run: -- -DLARGE => false(def-behavior)
// run: --engine dpor -- -DLARGE => false(def-behavior)
// run: -- -DFIELD => false(def-behavior)
// run: --engine dpor -- -DFIELD => false(def-behavior)
// run: -- -DOTHER => false(def-behavior)
// run: --engine dpor -- -DOTHER => false(def-behavior)
// run: -- -DBACK => false(def-behavior)
// run: --engine dpor -- -DBACK => false(def-behavior)
#include <assert.h>
#include <pthread.h>
#include <string.h>
#include <sys/mman.h>

struct record {
  long key;
  int kind; /* and padding behind it */
  long value;
};
struct fields {
  unsigned low : 3, high : 5;
};
static struct record record, second;
static struct fields fields;
static char small;
static short middle;
static int word;
static _Thread_local int own;
static int many[2000];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *stores(void *arg) {
  struct record local;
  local.key = 1;
  local.kind = 2;
#ifndef OTHER
  local.value = 3;
#endif
  pthread_mutex_lock(&lock);
  record = local;
  pthread_mutex_unlock(&lock);
  return arg;
}

int main(void) {
  struct record local;
  struct fields bits;
  int unset[100], *mapped = mmap(0, 20000, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (mapped == MAP_FAILED) return 0;

  /* what is around stays as it is */
  memcpy(&word, unset, sizeof word);
  memcpy(&own, unset, sizeof own);
  memcpy(mapped + 1000, unset, sizeof unset);
  memcpy(many + 1000, unset, sizeof unset);
  assert(small == 0 && middle == 0);
  assert(mapped[999] == 0 && mapped[1100] == 0 && many[999] == 0 && many[1100] == 0);
#ifdef WORD
  assert(word == 0);
#endif
#ifdef THREAD
  assert(own == 0);
#endif
#ifdef MAPPED
  assert(mapped[1050] == 0);
#endif
#ifdef LARGE
  assert(many[1050] == 0);
#endif
#ifdef BACK
  int back = 1;
  memcpy(&back, &word, sizeof back);
  assert(back == 0);
#endif
  /* and has a value when it gets one */
  word = 1, own = 2;
  memset(mapped + 1000, 3, sizeof unset);
  for (int i = 0; i < 100; i++) many[1000 + i] = i;
  assert(word + own == 3 && mapped[1099] == 0x03030303 && many[1050] == 50);

  bits.high = 7;
  fields = bits;
  assert(fields.high == 7);
#ifdef FIELD
  assert(fields.low == 0);
#endif
  fields.low = 1;
  assert(fields.low == 1 && fields.high == 7);

  local.key = 1;
  local.kind = 2;
#ifdef MEMBER
  record = local;
  assert(record.value == 0);
#endif
  local.value = 3;
  record = second = local;
  assert(record.key == 1 && second.kind == 2 && record.value == 3);
#ifdef PADDING
  assert(!memcmp(&record, &second, sizeof record));
#endif
  pthread_t thread;
  pthread_create(&thread, 0, stores, 0);
  pthread_mutex_lock(&lock);
  assert(record.value == 3);
  pthread_mutex_unlock(&lock);
  pthread_join(thread, 0);
  munmap(mapped, 20000);
  return 0;
}
