/* print_c_runtime.c -- the runtime in the printed C: types, and functions over the native C library
 * for operations that C does not have. Only the parts in use are printed.
 *
 * Deviations from the semantics of the ir, which a native machine cannot avoid:
 *  - a false assumption ends the process with status 0 and no output: the path does not exist;
 *  - atomic sections exclude each other, not the plain accesses of other threads;
 *  - the size of an object is known for the start of heap objects only; anything else ends the
 *    process with a message;
 *  - a failed check ends the process with a message, unless compiled with -DPV_GO_ON=1;
 *  - inputs come from functions with the verifiers' names (__VERIFIER_nondet_int, reach_error,
 *    ...), declared weak: a program that calls an undefined one ends with a message;
 *  - timed waits give up after about a millisecond. */
#include "ir/print_c_internal.h"

#include <string.h>

static const char base[] = "typedef unsigned char u8;\n"
                           "typedef unsigned short u16;\n"
                           "typedef unsigned int u32;\n"
                           "typedef unsigned long long u64;\n"
                           "typedef signed char i8;\n"
                           "typedef short i16;\n"
                           "typedef int i32;\n"
                           "typedef long long i64;\n"
                           "typedef u8 *ptr;\n"
                           "typedef __UINTPTR_TYPE__ uptr;\n"
                           "/* types of memory accesses: of any object, at any address */\n"
                           "typedef u8 m8 __attribute__((may_alias));\n"
                           "typedef u16 m16 __attribute__((may_alias, aligned(1)));\n"
                           "typedef u32 m32 __attribute__((may_alias, aligned(1)));\n"
                           "typedef u64 m64 __attribute__((may_alias, aligned(1)));\n"
                           "typedef ptr mptr __attribute__((may_alias, aligned(1)));\n"
                           "typedef float mfloat __attribute__((may_alias, aligned(1)));\n"
                           "typedef double mdouble __attribute__((may_alias, aligned(1)));\n"
                           "#define AT(P, N) ((ptr)((uptr)(P) + (uptr)(N)))\n";

/* Bit operations on values of n bits in a wider type: once for u64 and once for u128. */
#define BITS(T, SUFFIX)                                                                            \
  "static u32 pv_popcount" SUFFIX "(" T " x, u32 n) {\n"                                           \
  "  u32 k = 0;\n"                                                                                 \
  "  for (; x; x &= x - 1) k++;\n"                                                                 \
  "  return k;\n"                                                                                  \
  "}\n"                                                                                            \
  "static u32 pv_clz" SUFFIX "(" T " x, u32 n) {\n"                                                \
  "  u32 k = n;\n"                                                                                 \
  "  for (; x; x >>= 1) k--;\n"                                                                    \
  "  return k;\n"                                                                                  \
  "}\n"                                                                                            \
  "static u32 pv_ctz" SUFFIX "(" T " x, u32 n) {\n"                                                \
  "  u32 k = 0;\n"                                                                                 \
  "  for (; k < n && !(x >> k & 1); k++) {}\n"                                                     \
  "  return k;\n"                                                                                  \
  "}\n"                                                                                            \
  "static " T " pv_bswap" SUFFIX "(" T " x, u32 n) {\n"                                            \
  "  " T " r = 0;\n"                                                                               \
  "  for (u32 k = 0; k < n; k += 8) r = r << 8 | (x >> k & 255);\n"                                \
  "  return r;\n"                                                                                  \
  "}\n"                                                                                            \
  "static " T " pv_bitreverse" SUFFIX "(" T " x, u32 n) {\n"                                       \
  "  " T " r = 0;\n"                                                                               \
  "  for (u32 k = 0; k < n; k++) r = r << 1 | (x >> k & 1);\n"                                     \
  "  return r;\n"                                                                                  \
  "}\n"                                                                                            \
  "static " T " pv_fshl" SUFFIX "(" T " a, " T " b, " T " s, u32 n) {\n"                           \
  "  " T " ones = (((" T ")1 << (n - 1)) << 1) - 1;\n"                                             \
  "  s %= n;\n"                                                                                    \
  "  return s ? (a << s | b >> (n - s)) & ones : a;\n"                                             \
  "}\n"                                                                                            \
  "static " T " pv_fshr" SUFFIX "(" T " a, " T " b, " T " s, u32 n) {\n"                           \
  "  " T " ones = (((" T ")1 << (n - 1)) << 1) - 1;\n"                                             \
  "  s %= n;\n"                                                                                    \
  "  return s ? (a << (n - s) | b >> s) & ones : b;\n"                                             \
  "}\n"

/* A primitive that is one pthread function with the same arguments. */
#define ONE(NAME, NATIVE)                                                                          \
  {                                                                                                \
    NAME, "",                                                                                      \
        "extern int " NATIVE "(void *);\n"                                                         \
        "static u32 pv_" NAME "(ptr object) { return " NATIVE "(object); }\n"                      \
  }
/* The same, with one more argument of the native function that is always the same. */
#define ONE_WITH(NAME, NATIVE, TYPE, MORE)                                                         \
  {                                                                                                \
    NAME, "",                                                                                      \
        "extern int " NATIVE "(void *, " TYPE ");\n"                                               \
        "static u32 pv_" NAME "(ptr object) { return " NATIVE "(object, " MORE "); }\n"            \
  }
/* A timed primitive: tries repeatedly. `fail` is the result of a try if the object is in use. */
#define TIMED(NAME, TRY)                                                                           \
  {                                                                                                \
    NAME, "pause," TRY,                                                                            \
        "static u32 pv_" NAME "(ptr object) {\n"                                                   \
        "  for (u32 k = 0; k < 100; k++) {\n"                                                      \
        "    u32 r = pv_" TRY "(object);\n"                                                        \
        "    if (r != 16 && r != 11) return r; /* EBUSY, EAGAIN */\n"                              \
        "    pv_pause();\n"                                                                        \
        "  }\n"                                                                                    \
        "  return 110; /* ETIMEDOUT */\n"                                                          \
        "}\n"                                                                                      \
  }
/* Semaphore functions report errors in errno, the primitives by their result. */
#define SEM(NAME, NATIVE)                                                                          \
  {                                                                                                \
    NAME, "errno",                                                                                 \
        "extern int " NATIVE "(void *);\n"                                                         \
        "static u32 pv_" NAME "(ptr object) {\n"                                                   \
        "  for (;;)\n"                                                                             \
        "    if (!" NATIVE "(object)) return 0;\n"                                                 \
        "    else if (*__errno_location() != 4) return *__errno_location(); /* not EINTR */\n"     \
        "}\n"                                                                                      \
  }

/* In the order of printing: a part uses only earlier ones. */
static const struct piece {
  const char *name, *uses, *text;
} pieces[] = {
    {"u128", "",
     "typedef unsigned __int128 u128;\n"
     "typedef __int128 i128;\n"
     "typedef u128 m128 __attribute__((may_alias, aligned(1)));\n"},
    {"bits", "", BITS("u64", "")},
    {"bits128", "u128", BITS("u128", "128")},
    {"float", "",
     "static float pv_float(u32 x) { float f; __builtin_memcpy(&f, &x, 4); return f; }\n"
     "static double pv_double(u64 x) { double f; __builtin_memcpy(&f, &x, 8); return f; }\n"
     "static u32 pv_float_bits(float f) { u32 x; __builtin_memcpy(&x, &f, 4); return x; }\n"
     "static u64 pv_double_bits(double f) { u64 x; __builtin_memcpy(&x, &f, 8); return x; }\n"},
    {"float80", "",
     "static long double pv_load80(const void *p) {\n"
     "  long double f = 0;\n"
     "  __builtin_memcpy(&f, p, 10);\n"
     "  return f;\n"
     "}\n"
     "static void pv_store80(void *p, long double f) { __builtin_memcpy(p, &f, 10); }\n"
     "static long double pv_float80(u64 low, u16 high) {\n"
     "  u8 b[10];\n"
     "  __builtin_memcpy(b, &low, 8);\n"
     "  __builtin_memcpy(b + 8, &high, 2);\n"
     "  return pv_load80(b);\n"
     "}\n"},
    {"float80_bits", "u128,float80",
     "static u128 pv_float80_bits(long double f) { u128 x = 0; pv_store80(&x, f); return x; }\n"
     "static long double pv_float80_of(u128 x) { return pv_load80(&x); }\n"},
    {"bytes", "",
     "static u64 pv_load(const void *p, u32 n) {\n"
     "  u64 x = 0;\n"
     "  __builtin_memcpy(&x, p, n);\n"
     "  return x;\n"
     "}\n"
     "static void pv_store(void *p, u32 n, u64 x) { __builtin_memcpy(p, &x, n); }\n"},
    {"bytes128", "u128",
     "static u128 pv_load128(const void *p, u32 n) {\n"
     "  u128 x = 0;\n"
     "  __builtin_memcpy(&x, p, n);\n"
     "  return x;\n"
     "}\n"
     "static void pv_store128(void *p, u32 n, u128 x) { __builtin_memcpy(p, &x, n); }\n"},
    {"errno", "", "extern int *__errno_location(void);\n"},
    {"print", "",
     "extern long write(int, const void *, uptr);\n"
     "static void pv_print(int fd, ptr text, uptr n) {\n"
     "  while (n) {\n"
     "    long k = write(fd, text, n);\n"
     "    if (k <= 0) return;\n"
     "    text += k;\n"
     "    n -= k;\n"
     "  }\n"
     "}\n"},
    {"print_number", "print",
     "extern int snprintf(char *, unsigned long, const char *, ...);\n"
     "static void pv_print_number(int fd, const char *format, ptr at) {\n"
     "  char text[2048];\n"
     "  double value;\n"
     "  long long integer;\n"
     "  __builtin_memcpy(&value, at, sizeof value);\n"
     "  __builtin_memcpy(&integer, at, sizeof integer);\n"
     "  _Bool whole = format[1] == 'l'; /* %lld and the like */\n"
     "  int n = whole ? snprintf(text, sizeof text, format, integer)\n"
     "                : snprintf(text, sizeof text, format, value);\n"
     "  pv_print(fd, (ptr)text, (uptr)n);\n"
     "}\n"},
    {"stop", "",
     "extern void exit(int) __attribute__((noreturn));\n"
     "extern void abort(void) __attribute__((noreturn));\n"
     "static void __attribute__((noreturn)) pv_exit(int status) { exit(status); }\n"
     "static void __attribute__((noreturn)) pv_abort(void) { abort(); }\n"},
    {"die", "print,stop",
     "static void pv_say(const char *what, const char *text) {\n"
     "  pv_print(2, (ptr)what, __builtin_strlen(what));\n"
     "  pv_print(2, (ptr)\": \", 2);\n"
     "  pv_print(2, (ptr)text, __builtin_strlen(text));\n"
     "  pv_print(2, (ptr)\"\\n\", 1);\n"
     "}\n"
     "static void __attribute__((noreturn)) pv_die(const char *what, const char *text) {\n"
     "  pv_say(what, text);\n"
     "  pv_abort();\n"
     "}\n"},
    {"assume", "",
     "extern void _exit(int) __attribute__((noreturn));\n"
     "static void pv_assume(int holds) {\n"
     "  if (!holds) _exit(0); /* no such path */\n"
     "}\n"},
    {"unsupported", "stop",
     "#ifdef __PROVISO__\n"
     "extern void __proviso_unsupported(const char *) __attribute__((noreturn));\n"
     "static void __attribute__((noreturn)) pv_cut(const char *unless) {\n"
     "  __proviso_unsupported(unless);\n"
     "}\n"
     "#else /* verified provided that the program does not come here */\n"
     "static void __attribute__((noreturn)) __proviso_unsupported(const char *what) { pv_abort(); "
     "}\n"
     "static void __attribute__((noreturn)) pv_cut(const char *unless) { pv_abort(); }\n"
     "#endif\n"},
    {"choose", "die",
     "extern int proviso_choose(int, int) __attribute__((weak));\n"
     "static u32 pv_choose(i32 low, i32 high) {\n"
     "  if (!proviso_choose) pv_die(\"no definition of the input\", \"proviso_choose\");\n"
     "  return proviso_choose(low, high);\n"
     "}\n"},
    {"check", "die",
     "static void pv_check_failed(const char *what) {\n"
     "#if defined PV_GO_ON && PV_GO_ON\n"
     "  pv_say(\"check failed\", what);\n"
     "#else\n"
     "  pv_die(\"check failed\", what);\n"
     "#endif\n"
     "}\n"},
    {"error", "die",
     "extern void reach_error(void) __attribute__((weak));\n"
     "static void pv_error_passed(const char *what) {\n"
     "  if (reach_error) reach_error();\n"
     "}\n"
     "static void pv_error(const char *what) {\n"
     "  if (!reach_error) pv_die(\"error reached\", what);\n"
     "  reach_error();\n"
     "}\n"},
    {"verifier_error", "", "extern void reach_error(void);\n"},
    {"verifier_atomic", "",
     "extern void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void);\n"},
    {"assert", "",
     "extern void __assert_fail(const char *, const char *, unsigned, const char *)\n"
     "    __attribute__((noreturn));\n"
     "static void __attribute__((noreturn)) pv_assert_fail(const char *what, const char *file,\n"
     "                                                     u32 line, const char *function) {\n"
     "  __assert_fail(what, file, line, function);\n"
     "}\n"},
    {"pause", "",
     "extern int sched_yield(void), usleep(unsigned);\n"
     "static void pv_pause(void) { usleep(10); }\n"},
    {"atomic", "pause",
     "/* atomic sections: one global lock, held by one thread, which may take it again */\n"
     "static u8 pv_atomic_taken;\n"
     "static _Thread_local u32 pv_atomic_depth;\n"
     "static void pv_atomic_begin(void) {\n"
     "  if (pv_atomic_depth++) return;\n"
     "  while (__atomic_test_and_set(&pv_atomic_taken, __ATOMIC_ACQUIRE)) sched_yield();\n"
     "}\n"
     "static void pv_atomic_end(void) {\n"
     "  if (--pv_atomic_depth == 0) __atomic_clear(&pv_atomic_taken, __ATOMIC_RELEASE);\n"
     "}\n"},
    {"native_heap", "die",
     "extern void *malloc(uptr), *aligned_alloc(uptr, uptr);\n"
     "extern void free(void *);\n"
     "static ptr pv_native_alloc(uptr n, uptr align) {\n"
     "  ptr p = align > 16 ? aligned_alloc(align, (n + align - 1) / align * align) : malloc(n ? n "
     ": 1);\n"
     "  if (!p) pv_die(\"error\", \"out of memory\");\n"
     "  return p;\n"
     "}\n"},
    {"heap", "native_heap",
     "static ptr pv_alloc(uptr n, uptr align) { return pv_native_alloc(n, align); }\n"
     "static void pv_free(ptr p) { free(p); }\n"},
    {"tracked_heap", "native_heap",
     "/* heap objects know their size; the mark tells the start of a live object */\n"
     "struct pv_object {\n"
     "  uptr size, mark, align;\n"
     "} __attribute__((aligned(16)));\n"
     "static int pv_is_heap_start(ptr p) {\n"
     "  struct pv_object *o = (struct pv_object *)p - 1;\n"
     "  return p && (uptr)p % 16 == 0 && o->mark == ((uptr)o ^ (uptr)0x9e3779b97f4a7c15ull);\n"
     "}\n"
     "static uptr pv_object_size(ptr p) {\n"
     "  if (!p) return 0;\n"
     "  if (!pv_is_heap_start(p)) pv_die(\"not known\", \"size of an object that no malloc "
     "made\");\n"
     "  return ((struct pv_object *)p - 1)->size;\n"
     "}\n"
     "static ptr pv_alloc(uptr n, uptr align) {\n"
     "  struct pv_object *o = (struct pv_object *)(pv_native_alloc(align + sizeof *o + n, align) + "
     "(align > sizeof *o ? align - sizeof *o : 0));\n"
     "  o->size = n;\n"
     "  o->align = align;\n"
     "  o->mark = (uptr)o ^ (uptr)0x9e3779b97f4a7c15ull;\n"
     "  return (ptr)(o + 1);\n"
     "}\n"
     "static void pv_free(ptr p) {\n"
     "  struct pv_object *o = (struct pv_object *)p - 1;\n"
     "  if (!p) return;\n"
     "  if (!pv_is_heap_start(p)) pv_die(\"error\", \"free of something that is no heap "
     "object\");\n"
     "  o->mark = 0;\n"
     "  free((ptr)o - (o->align > sizeof *o ? o->align - sizeof *o : 0));\n"
     "}\n"},
    {"frame", "native_heap",
     "/* objects of unknown size that end with the function that made them */\n"
     "struct pv_frame_object {\n"
     "  struct pv_frame_object *next;\n"
     "  ptr start;\n"
     "};\n"
     "static ptr pv_frame_alloc(struct pv_frame_object **frame, uptr n, uptr align) {\n"
     "  struct pv_frame_object *o = (struct pv_frame_object *)pv_native_alloc(sizeof *o + n + "
     "align, 16);\n"
     "  o->next = *frame;\n"
     "  *frame = o;\n"
     "  return o->start = (ptr)(((uptr)(o + 1) + align - 1) & -align);\n"
     "}\n"
     "static void pv_frame_free(struct pv_frame_object **frame, ptr p) {\n"
     "  for (; *frame; frame = &(*frame)->next)\n"
     "    if ((*frame)->start == p) {\n"
     "      struct pv_frame_object *o = *frame;\n"
     "      *frame = o->next;\n"
     "      free(o);\n"
     "      return;\n"
     "    }\n"
     "}\n"
     "static void pv_frame_end(struct pv_frame_object **frame) {\n"
     "  while (*frame) pv_frame_free(frame, (*frame)->start);\n"
     "}\n"},
    /* ---- scheduler primitives ---------------------------------------------------------------- */
    {"thread_exit", "",
     "extern void pthread_exit(void *) __attribute__((noreturn));\n"
     "static void __attribute__((noreturn)) pv_thread_exit(ptr result) { pthread_exit(result); "
     "}\n"},
    {"thread_create", "native_heap,thread_exit",
     "extern int pthread_create(uptr *, void *, void *(*)(void *), void *), pthread_detach(uptr);\n"
     "struct pv_thread {\n"
     "  ptr start, argument;\n"
     "};\n"
     "static void pv_thread_main(ptr start, ptr argument); /* below: calls the program */\n"
     "static void *pv_thread_run(void *thread) {\n"
     "  struct pv_thread t = *(struct pv_thread *)thread;\n"
     "  free(thread);\n"
     "  pv_thread_main(t.start, t.argument);\n"
     "  return 0;\n"
     "}\n"
     "static uptr pv_thread_create(ptr id, ptr start, ptr argument, u32 detached) {\n"
     "  uptr own;\n"
     "  struct pv_thread *t = (struct pv_thread *)pv_native_alloc(sizeof *t, 16);\n"
     "  *t = (struct pv_thread){start, argument};\n"
     "  if (pthread_create(id ? (uptr *)id : &own, 0, pv_thread_run, t)) return 0xffff;\n"
     "  if (id) own = *(uptr *)id;\n"
     "  if (detached) pthread_detach(own);\n"
     "  return own;\n"
     "}\n"},
    {"thread_join", "",
     "extern int pthread_join(uptr, void *);\n"
     "static u32 pv_thread_join(uptr id, ptr result) { return pthread_join(id, result); }\n"},
    {"thread_detach", "",
     "extern int pthread_detach(uptr);\n"
     "static u32 pv_thread_detach(uptr id) { return pthread_detach(id); }\n"},
    {"thread_self", "",
     "extern uptr pthread_self(void);\n"
     "static uptr pv_thread_self(void) { return pthread_self(); }\n"},
    {"thread_yield", "",
     "extern int sched_yield(void);\n"
     "static u32 pv_thread_yield(void) { return sched_yield(); }\n"},
    {"mutex_init", "",
     "extern int pthread_mutexattr_init(void *), pthread_mutexattr_settype(void *, int);\n"
     "extern int pthread_mutex_init(void *, void *);\n"
     "static u32 pv_mutex_init(ptr mutex, u32 kind) {\n"
     "  u64 attributes[4];\n"
     "  pthread_mutexattr_init(attributes);\n"
     "  pthread_mutexattr_settype(attributes, kind);\n"
     "  return pthread_mutex_init(mutex, attributes);\n"
     "}\n"},
    ONE("mutex_destroy", "pthread_mutex_destroy"),
    ONE("mutex_lock", "pthread_mutex_lock"),
    ONE("mutex_trylock", "pthread_mutex_trylock"),
    TIMED("mutex_timedlock", "mutex_trylock"),
    ONE("mutex_unlock", "pthread_mutex_unlock"),
    ONE_WITH("cond_init", "pthread_cond_init", "void *", "0"),
    ONE("cond_destroy", "pthread_cond_destroy"),
    {"cond_wait", "",
     "extern int pthread_cond_wait(void *, void *);\n"
     "static u32 pv_cond_wait(ptr cond, ptr mutex) { return pthread_cond_wait(cond, mutex); }\n"},
    {"cond_timedwait", "",
     "extern int pthread_cond_timedwait(void *, void *, void *), clock_gettime(int, void *);\n"
     "static u32 pv_cond_timedwait(ptr cond, ptr mutex) {\n"
     "  long until[2];\n"
     "  clock_gettime(0, until);\n"
     "  until[1] += 1000000;\n"
     "  if (until[1] >= 1000000000) until[0]++, until[1] -= 1000000000;\n"
     "  return pthread_cond_timedwait(cond, mutex, until);\n"
     "}\n"},
    ONE("cond_signal", "pthread_cond_signal"),
    ONE("cond_broadcast", "pthread_cond_broadcast"),
    ONE_WITH("rwlock_init", "pthread_rwlock_init", "void *", "0"),
    ONE("rwlock_destroy", "pthread_rwlock_destroy"),
    ONE("rwlock_rdlock", "pthread_rwlock_rdlock"),
    ONE("rwlock_tryrdlock", "pthread_rwlock_tryrdlock"),
    TIMED("rwlock_timedrdlock", "rwlock_tryrdlock"),
    ONE("rwlock_wrlock", "pthread_rwlock_wrlock"),
    ONE("rwlock_wrlock_first", "pthread_rwlock_wrlock"),
    ONE("rwlock_trywrlock", "pthread_rwlock_trywrlock"),
    TIMED("rwlock_timedwrlock", "rwlock_trywrlock"),
    ONE("rwlock_unlock", "pthread_rwlock_unlock"),
    ONE_WITH("spin_init", "pthread_spin_init", "int", "0"),
    ONE("spin_destroy", "pthread_spin_destroy"),
    ONE("spin_lock", "pthread_spin_lock"),
    ONE("spin_trylock", "pthread_spin_trylock"),
    ONE("spin_unlock", "pthread_spin_unlock"),
    {"sem_init", "errno",
     "extern int sem_init(void *, int, u32);\n"
     "static u32 pv_sem_init(ptr sem, u32 value) {\n"
     "  return sem_init(sem, 0, value) ? *__errno_location() : 0;\n"
     "}\n"},
    SEM("sem_destroy", "sem_destroy"),
    SEM("sem_wait", "sem_wait"),
    SEM("sem_trywait", "sem_trywait"),
    TIMED("sem_timedwait", "sem_trywait"),
    SEM("sem_post", "sem_post"),
    {"sem_getvalue", "",
     "extern int sem_getvalue(void *, int *);\n"
     "static u32 pv_sem_getvalue(ptr sem) {\n"
     "  int value = 0;\n"
     "  sem_getvalue(sem, &value);\n"
     "  return value;\n"
     "}\n"},
    {"barrier_init", "",
     "extern int pthread_barrier_init(void *, void *, u32);\n"
     "static u32 pv_barrier_init(ptr b, u32 n) { return pthread_barrier_init(b, 0, n); }\n"},
    ONE("barrier_destroy", "pthread_barrier_destroy"),
    ONE("barrier_wait", "pthread_barrier_wait"),
    {"once_enter", "",
     "extern int sched_yield(void);\n"
     "static u32 pv_once_enter(ptr once) { /* 0 not run, 1 running, 2 done */\n"
     "  u32 seen = 0;\n"
     "  if (__atomic_compare_exchange_n((u32 *)once, &seen, 1, 0, 5, 5)) return 1;\n"
     "  while (__atomic_load_n((u32 *)once, 5) != 2) sched_yield();\n"
     "  return 0;\n"
     "}\n"},
    {"once_leave", "",
     "static u32 pv_once_leave(ptr once) {\n"
     "  __atomic_store_n((u32 *)once, 2, 5);\n"
     "  return 0;\n"
     "}\n"},
};
enum { N_PIECES = sizeof pieces / sizeof *pieces };

static const struct piece *find(const char *name, size_t n) {
  for (size_t i = 0; i < N_PIECES; i++)
    if (strncmp(pieces[i].name, name, n) == 0 && pieces[i].name[n] == '\0') return &pieces[i];
  return NULL;
}

static void need(struct pvc *c, const char *name, size_t n) {
  const struct piece *piece = find(name, n);
  PV_REQUIRE(piece, "no such piece of the runtime");
  bool fresh = false;
  pv_map_put_str(&c->needed, piece->name, 0, &fresh);
  if (!fresh) return;
  for (const char *use = piece->uses; *use; use += *use == ',') {
    size_t length = strcspn(use, ",");
    need(c, use, length);
    use += length;
  }
}

void pvc_need(struct pvc *c, const char *piece) {
  need(c, piece, strlen(piece));
}

bool pvc_has_prim(const char *name) {
  const struct piece *first = find("thread_exit", strlen("thread_exit")),
                     *piece = find(name, strlen(name));
  return piece && piece >= first;
}

void pvc_runtime(const struct pvc *c, struct pv_str *out) {
  pv_str_add(out, base);
  pv_str_addf(out, "_Static_assert(sizeof(ptr) == %u, \"compile with -m%u\");\n",
              c->p->pointer_bits / 8, c->p->pointer_bits);
  for (size_t i = 0; i < N_PIECES; i++)
    if (pv_map_get_str(&c->needed, pieces[i].name)) pv_str_add(out, pieces[i].text);
}
