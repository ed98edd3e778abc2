// The same for i386: pairs of registers, cmpxchg8b, the time stamp as an input.
// expect: true
// args: --32 --property unreach-call,valid-deref,def-behavior
// states: 1
// run: --32 --property unreach-call -- -DTIME => false(unreach-call) states=3
extern void reach_error(void);
typedef unsigned long long u64;

static u64 x = 0x500000001;

static int swap(u64 *p, u64 *old, u64 new) {
  unsigned char z;
  __asm__ volatile("lock; cmpxchg8b %0; setz %1"
                   : "+m"(*p), "=q"(z), "+A"(*old)
                   : "b"((unsigned)new), "c"((unsigned)(new >> 32))
                   : "memory", "cc");
  return z;
}

static u64 now(void) {
  u64 t;
  __asm__ volatile("rdtsc" : "=A"(t));
  return t;
}

static int fence(void) {
  __asm__ volatile("lock; addl $0, 0(%%esp)" ::: "memory", "cc");
  return 1;
}

int main(void) {
  u64 old = 1;
  if (swap(&x, &old, 7) || old != 0x500000001) reach_error();
  if (!swap(&x, &old, 0x900000008) || x != 0x900000008) reach_error();
#ifdef TIME
  if (now() == 0xffffffff00000000) reach_error();
#endif
  if (!fence()) reach_error();
  return 0;
}
