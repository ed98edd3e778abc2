/* cxx.c -- the run-time of C++ programs without exceptions: operator new and delete, guards of
 * static locals. new does not fail; --malloc-may-fail would need std::bad_alloc. */
#include "model.h"

static void *make(size_t size) {
  if (size > PTRDIFF_MAX || __proviso_malloc_may_fail()) __proviso_unsupported("std::bad_alloc");
  return __proviso_alloc(size);
}
static void *make_aligned(size_t size, size_t alignment) {
  void *p = make(size);
  if ((uintptr_t)p & (alignment - 1)) __proviso_unsupported("operator new with an alignment");
  return p;
}
#if __SIZEOF_POINTER__ == 8
#  define NEW(SUFFIX)  _Znwm##SUFFIX
#  define NEWA(SUFFIX) _Znam##SUFFIX
#  define DEL          _ZdlPvm
#  define DELA         _ZdaPvm
#  define DEL_ALIGNED  _ZdlPvmSt11align_val_t
#  define DELA_ALIGNED _ZdaPvmSt11align_val_t
#else
#  define NEW(SUFFIX)  _Znwj##SUFFIX
#  define NEWA(SUFFIX) _Znaj##SUFFIX
#  define DEL          _ZdlPvj
#  define DELA         _ZdaPvj
#  define DEL_ALIGNED  _ZdlPvjSt11align_val_t
#  define DELA_ALIGNED _ZdaPvjSt11align_val_t
#endif
void *NEW()(size_t n) {
  return make(n);
}
void *NEWA()(size_t n) {
  return make(n);
}
void *NEW(RKSt9nothrow_t)(size_t n, const void *tag) {
  (void)tag;
  return __proviso_malloc(n);
}
void *NEWA(RKSt9nothrow_t)(size_t n, const void *tag) {
  (void)tag;
  return __proviso_malloc(n);
}
void *NEW(St11align_val_t)(size_t n, size_t alignment) {
  return make_aligned(n, alignment);
}
void *NEWA(St11align_val_t)(size_t n, size_t alignment) {
  return make_aligned(n, alignment);
}
void _ZdlPv(void *p) {
  __proviso_free(p);
}
void _ZdaPv(void *p) {
  __proviso_free(p);
}
void DEL(void *p, size_t n) {
  (void)n;
  __proviso_free(p);
}
void DELA(void *p, size_t n) {
  (void)n;
  __proviso_free(p);
}
void _ZdlPvSt11align_val_t(void *p, size_t alignment) {
  (void)alignment;
  __proviso_free(p);
}
void _ZdaPvSt11align_val_t(void *p, size_t alignment) {
  (void)alignment;
  __proviso_free(p);
}
void DEL_ALIGNED(void *p, size_t n, size_t alignment) {
  (void)n, (void)alignment;
  __proviso_free(p);
}
void DELA_ALIGNED(void *p, size_t n, size_t alignment) {
  (void)n, (void)alignment;
  __proviso_free(p);
}
const char _ZSt7nothrow = 0; /* std::nothrow */
const char __dso_handle = 0;

/* The guard of a static local: its first byte says "initialised" and is read by the compiled code;
 * the second word is the once object. */
int __cxa_guard_acquire(char *guard) {
  return __proviso_once_enter(guard + 4);
}
void __cxa_guard_release(char *guard) {
  __atomic_store_n(guard, 1, __ATOMIC_SEQ_CST);
  __proviso_once_leave(guard + 4);
}
_Noreturn void __cxa_guard_abort(char *guard) {
  (void)guard;
  __proviso_unsupported("a C++ exception");
}
_Noreturn void __cxa_pure_virtual(void) {
  __proviso_check(false, "a pure virtual function is called");
  __proviso_abort();
}

/* Functions that the headers of the standard library call in order to throw. */
#define THROWS(NAME, WHAT)                                                                         \
  _Noreturn void NAME(void) {                                                                      \
    __proviso_unsupported(WHAT ", a C++ exception");                                               \
  }
#define THROWS_TEXT(NAME, WHAT)                                                                    \
  _Noreturn void NAME(const char *what, ...) {                                                     \
    (void)what;                                                                                    \
    __proviso_unsupported(WHAT ", a C++ exception");                                               \
  }
THROWS(_ZSt17__throw_bad_allocv, "std::bad_alloc")
THROWS(_ZSt28__throw_bad_array_new_lengthv, "std::bad_array_new_length")
THROWS(_ZSt25__throw_bad_function_callv, "std::bad_function_call")
THROWS_TEXT(_ZSt20__throw_length_errorPKc, "std::length_error")
THROWS_TEXT(_ZSt19__throw_logic_errorPKc, "std::logic_error")
THROWS_TEXT(_ZSt24__throw_invalid_argumentPKc, "std::invalid_argument")
THROWS_TEXT(_ZSt20__throw_out_of_rangePKc, "std::out_of_range")
THROWS_TEXT(_ZSt24__throw_out_of_range_fmtPKcz, "std::out_of_range")
THROWS_TEXT(_ZSt21__throw_runtime_errorPKc, "std::runtime_error")

/* std::terminate(): for example, if a thread is neither joined nor detached. */
_Noreturn void _ZSt9terminatev(void) {
  __proviso_unsupported("std::terminate");
}
