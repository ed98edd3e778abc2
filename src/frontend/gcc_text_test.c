#include "frontend/gcc_text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void gives(const char *text, const char *wanted, const char *prelude) {
  struct pv_str got = {0};
  char *copy = pv_strdup(text);
  pv_gcc_text(copy, &got);
  assert_string_equal(copy, wanted);
  assert_string_equal(pv_str_cstr(&got), prelude);
  free(copy);
  pv_str_free(&got);
}

static void attributes(void **state) {
  (void)state;
  gives("void *f(void) __attribute__((__nothrow__, __malloc__ (free, 1), malloc(g(1))));",
        "void *f(void) __attribute__((__nothrow__, __malloc__          , malloc      ));", "");
  gives("[[gnu::malloc(free)]] void *f(void);", "[[gnu::malloc      ]] void *f(void);", "");
  gives("void *malloc(unsigned long); int x = f(malloc(3));",
        "void *malloc(unsigned long); int x = f(malloc(3));", "");
  gives("__attribute__((malloc(free,\n1", "__attribute__((malloc(free,\n1", "");
}

static void types(void **state) {
  (void)state;
  gives("_Float32 x = 1.5f32;", "_Float32 x = 1.5f  ;", "#define _Float32 float\n");
  gives("_Float64x y = 0x1p3F64x + 0xf32 + 1e+5f64;", "_Float64x y = 0x1p3L    + 0xf32 + 1e+5   ;",
        "#define _Float64x long double\n");
  gives("typedef float _Float32; _Float32 x;", "typedef float _Float32; _Float32 x;", "");
  gives("typedef _Float64 T;", "typedef _Float64 T;", "#define _Float64 double\n");
  gives("char *s = \"_Float32 1.0f32 \\\" 2.0f32\";", "char *s = \"_Float32 1.0f32 \\\" 2.0f32\";",
        "");
}

static void builtins(void **state) {
  (void)state;
  gives("x = __builtin_speculation_safe_value(y);", "x = __builtin_speculation_safe_value(y);",
        "#define __builtin_speculation_safe_value(x, ...) (x)\n");
  gives("x = __builtin_nanf64x(\"\");", "x = __builtin_nanf64x(\"\");",
        "#define __builtin_nanf64x __builtin_nanl\n");
  gives("__sync_synchronize();", "__sync_synchronize();", "");
}

#define INLINE "extern __inline __attribute__((__gnu_inline__)) "
static void inlines(void **state) {
  (void)state;
  /* unused: nothing is left; used, if only by one that is used: it stays */
  gives(
      "int a;\n" INLINE "int f(int x)\n{ return x; }\nint b;",
      "int a;\n                                                            \n             \nint b;",
      "");
  gives(INLINE "int f(void) { return g(); } " INLINE "int g(void) { return 1; } int x = f();",
        INLINE "int f(void) { return g(); } " INLINE "int g(void) { return 1; } int x = f();", "");
  gives(INLINE "int f(int n, ...) { return g(__builtin_va_arg_pack()); }\nint x = f(1, 2);",
        INLINE "int f(int n, ...) ;                                     \nint x = f(1, 2);", "");
  gives("extern __inline int f(void) { return 1; }", "extern __inline int f(void) { return 1; }",
        "");
  gives("struct __attribute__((packed)) { int x; } y; } ) ] f(",
        "struct __attribute__((packed)) { int x; } y; } ) ] f(", "");
}

static void markers(void **state) {
  (void)state;
  char text[] = "# 1 \"a.c\" 1\nint x;\n  #line 7\n#pragma pack(1)\n";
  pv_gcc_blank_markers(text);
  assert_string_equal(text, "           \nint x;\n         \n#pragma pack(1)\n");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(attributes), cmocka_unit_test(types),   cmocka_unit_test(builtins),
      cmocka_unit_test(inlines),    cmocka_unit_test(markers),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
