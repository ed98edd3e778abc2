/* models_test.c -- the models of the C library compared with the C library itself (models_test.sh).
 * Every model's symbol is prefixed with pvm_ and the intrinsics have simple bodies here. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <ctype.h>
#include <errno.h>
#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>
#include <malloc.h>

/* ---- intrinsics ---- */

static char printed[1 << 16];
static size_t n_printed;
static unsigned violations;
static const char *stdin_script; /* what the stub answers to choices of bytes */

void *pvm___proviso_alloc(size_t n) {
  return malloc(n);
}
void *pvm___proviso_alloc_aligned(size_t n, size_t alignment) {
  return aligned_alloc(alignment, (n + alignment - 1) / alignment * alignment);
}
void *pvm___proviso_map(size_t n) {
  return calloc(1, n);
}
void pvm___proviso_unmap(void *p) {
  free(p);
}
void pvm___proviso_free(void *p) {
  free(p);
}
size_t pvm___proviso_object_size(const void *p) {
  return malloc_usable_size((void *)p);
}
size_t pvm___proviso_distance(const void *from, const void *to) {
  return (size_t)((uintptr_t)to - (uintptr_t)from);
}
size_t pvm___proviso_usable_size(const void *p) {
  return pvm___proviso_object_size(p);
}
bool pvm___proviso_is_heap_start(const void *p) {
  return p != NULL;
}
bool pvm___proviso_malloc_may_fail(void) {
  return false;
}
void pvm___proviso_copy(void *to, const void *from, size_t n) {
  memmove(to, from, n);
}
void pvm___proviso_copy_disjoint(void *to, const void *from, size_t n) {
  memcpy(to, from, n);
}
void pvm___proviso_order(void *byte, int order) {
  (void)byte, (void)order;
}
unsigned char pvm___proviso_any_byte(const void *at) {
  return *(const unsigned char *)at;
}
void pvm___proviso_fill(void *to, int c, size_t n) {
  memset(to, c, n);
}
_Noreturn void pvm___proviso_exit(int code) {
  exit(code);
}
_Noreturn void pvm___proviso_abort(void) {
  abort();
}
_Noreturn void pvm___proviso_unsupported(const char *what) {
  fprintf(stderr, "unsupported: %s\n", what);
  exit(1);
}
void pvm___proviso_assume(bool c) {
  (void)c;
}
void pvm___proviso_check(bool holds, const char *what) {
  (void)what;
  violations += !holds;
}
void pvm___proviso_atomic_begin(void) {}
void pvm___proviso_atomic_end(void) {}
int pvm___proviso_nondet_int(const char *what) {
  return (void)what, 1;
}
unsigned pvm___proviso_nondet_uint(const char *what) {
  return (void)what, 1;
}
long pvm___proviso_nondet_long(const char *what) {
  return (void)what, 1;
}
unsigned long pvm___proviso_nondet_ulong(const char *what) {
  return (void)what, 1;
}
int pvm___proviso_choose(int low, int high) {
  if (low != -1 || high != 255) return low;
  return stdin_script && *stdin_script ? (unsigned char)*stdin_script++ : -1;
}
/* Standard input is made of single bytes here, not of whole texts. */
int pvm___proviso_pick(int low, int high, const char *what) {
  (void)what;
  return pvm___proviso_choose(low, high);
}
int pvm___proviso_texts(int kind) {
  (void)kind;
  return 0;
}
int pvm___proviso_any_text(int kind) {
  (void)kind;
  return 1;
}
void pvm___proviso_print(int fd, const char *text, size_t n) {
  (void)fd;
  if (n_printed + n < sizeof printed) memcpy(printed + n_printed, text, n);
  n_printed += n;
}
int pvm___proviso_thread_create(uintptr_t *id, void *(*start)(void *), void *a, int detached) {
  (void)start, (void)a, (void)detached;
  *id = 2;
  return 0;
}
_Noreturn void pvm___proviso_thread_exit(void *r) {
  (void)r, abort();
}
uintptr_t pvm___proviso_thread_self(void) {
  return 1;
}
int pvm___proviso_thread_join(uintptr_t id, void **r) {
  return (void)id, (void)r, 0;
}
int pvm___proviso_thread_detach(uintptr_t id) {
  return (void)id, 0;
}
void pvm___proviso_thread_yield(void) {}
#define NOTHING(NAME)                                                                              \
  int pvm___proviso_##NAME(void *p) {                                                              \
    return p ? 0 : 0;                                                                              \
  }
#define NOTHING2(NAME)                                                                             \
  int pvm___proviso_##NAME(void *p, uintptr_t q) {                                                 \
    return p && q ? 0 : 0;                                                                         \
  }
NOTHING2(mutex_init)
NOTHING(mutex_destroy)
NOTHING(mutex_lock)
NOTHING(mutex_trylock)
NOTHING(mutex_timedlock)
NOTHING(mutex_unlock)
NOTHING(cond_init)
NOTHING(cond_destroy)
NOTHING2(cond_wait)
NOTHING2(cond_timedwait)
NOTHING(cond_signal)
NOTHING(cond_broadcast)
NOTHING(rwlock_init)
NOTHING(rwlock_destroy)
NOTHING(rwlock_rdlock)
NOTHING(rwlock_tryrdlock)
NOTHING(rwlock_timedrdlock)
NOTHING(rwlock_wrlock)
NOTHING(rwlock_trywrlock)
NOTHING(rwlock_timedwrlock)
NOTHING(rwlock_unlock)
NOTHING(spin_init)
NOTHING(spin_destroy)
NOTHING(spin_lock)
NOTHING(spin_trylock)
NOTHING(spin_unlock)
NOTHING2(sem_init)
NOTHING(sem_destroy)
NOTHING(sem_wait)
NOTHING(sem_trywait)
NOTHING(sem_timedwait)
NOTHING(sem_post)
NOTHING(sem_getvalue)
NOTHING2(barrier_init)
NOTHING(barrier_destroy)
NOTHING(barrier_wait)
NOTHING(once_enter)
NOTHING(once_leave)
/* What clang calls for __builtin_round and __builtin_rint. */
double pvm_round(double x) {
  return round(x);
}
float pvm_roundf(float x) {
  return roundf(x);
}
long double pvm_roundl(long double x) {
  return roundl(x);
}
double pvm_rint(double x) {
  return rint(x);
}
float pvm_rintf(float x) {
  return rintf(x);
}
long double pvm_rintl(long double x) {
  return rintl(x);
}

/* ---- the models under test ---- */

#define MODEL(NAME) extern __typeof__(NAME) pvm_##NAME
MODEL(snprintf);
MODEL(printf);
MODEL(sscanf);
MODEL(scanf);
MODEL(asprintf);
MODEL(puts);
MODEL(strtol);
MODEL(strtoll);
MODEL(strtoul);
MODEL(strtoull);
MODEL(strtod);
MODEL(strtof);
MODEL(strtold);
MODEL(atoi);
MODEL(strlen);
MODEL(strcmp);
MODEL(strncmp);
MODEL(strcasecmp);
MODEL(strncasecmp);
MODEL(strspn);
MODEL(strcspn);
MODEL(strverscmp);
MODEL(strtok_r);
MODEL(strsep);
MODEL(strncpy);
MODEL(strncat);
MODEL(stpcpy);
MODEL(memccpy);
MODEL(memcmp);
MODEL(memchr);
MODEL(memrchr);
MODEL(memmem);
MODEL(strstr);
MODEL(strcasestr);
MODEL(strchr);
MODEL(strrchr);
MODEL(strpbrk);
MODEL(strerror);
MODEL(htons);
MODEL(htonl);
MODEL(ntohs);
MODEL(ntohl);
MODEL(strsignal);
MODEL(ffsll);
MODEL(qsort);
MODEL(bsearch);
MODEL(lround);
MODEL(lroundf);
MODEL(lroundl);
MODEL(llround);
MODEL(llroundf);
MODEL(llroundl);
MODEL(lrint);
MODEL(lrintf);
MODEL(lrintl);
MODEL(llrint);
MODEL(llrintf);
MODEL(llrintl);
MODEL(gmtime_r);
MODEL(timegm);
MODEL(strftime);
MODEL(isalnum);
MODEL(isalpha);
MODEL(isblank);
MODEL(iscntrl);
MODEL(isdigit);
MODEL(isgraph);
MODEL(islower);
MODEL(isprint);
MODEL(ispunct);
MODEL(isspace);
MODEL(isupper);
MODEL(isxdigit);
MODEL(tolower);
MODEL(toupper);
MODEL(__ctype_b_loc);
MODEL(__ctype_tolower_loc);
MODEL(__ctype_toupper_loc);
extern int *pvm___errno_location(void);
#define model_errno (*pvm___errno_location())

static uint64_t seed = 88172645463325252u;
static uint64_t rnd(void) {
  seed ^= seed << 13;
  seed ^= seed >> 7;
  seed ^= seed << 17;
  return seed;
}
static unsigned below(unsigned n) {
  return (unsigned)(rnd() >> 20) % n;
}
static unsigned long checks, failures;
#define CHECK(COND, ...)                                                                           \
  do {                                                                                             \
    checks++;                                                                                      \
    if (!(COND) && failures++ < 40) {                                                              \
      fprintf(stderr, "line %d: %s: ", __LINE__, #COND);                                           \
      fprintf(stderr, __VA_ARGS__);                                                                \
      fputc('\n', stderr);                                                                         \
    }                                                                                              \
  } while (0)

/* A random integer whose size is random too. */
static uint64_t any_integer(void) {
  switch (below(6)) {
  case 0: return below(3);
  case 1: return (uint64_t) - (int64_t)below(3);
  case 2: return (uint64_t)1 << below(64);
  case 3: return ((uint64_t)1 << below(64)) - 1;
  default: return rnd() >> below(64);
  }
}
static void random_flags(char *f, const char *flags, int max_number) {
  f += strlen(f);
  *f++ = '%';
  for (int i = below(3); i > 0; i--) *f++ = flags[below(strlen(flags))];
  if (below(2)) f += sprintf(f, "%d", 1 + below(max_number));
  if (below(2)) f += sprintf(f, below(8) ? ".%d" : ".", below(max_number));
  *f = 0;
}
/* Formats with both and compares text, result and truncation. */
#define COMPARE_FORMAT(FORMAT, ...)                                                                \
  do {                                                                                             \
    static char expected[12000], got[12000];                                                       \
    size_t size = below(4) ? sizeof got : below(30);                                               \
    memset(expected, 1, sizeof expected), memset(got, 1, sizeof got);                              \
    int e = snprintf(expected, size, FORMAT, __VA_ARGS__);                                         \
    int g = pvm_snprintf(got, size, FORMAT, __VA_ARGS__);                                          \
    CHECK(e == g && memcmp(expected, got, 12000) == 0,                                             \
          "%s: expected <%.300s> %d, got <%.300s> %d", FORMAT, size ? expected : "", e,            \
          size ? got : "", g);                                                                     \
  } while (0)

static void test_integers(unsigned rounds) {
  for (unsigned i = 0; i < rounds; i++) {
    static const char *const lengths[] = {"", "", "h", "hh", "l", "ll", "j", "z", "t"};
    char f[64] = "a";
    random_flags(f, "-+ #0", 40);
    strcat(f, lengths[below(9)]);
    size_t n = strlen(f);
    f[n] = "diuoxX"[below(6)];
    f[n + 1] = 0;
    strcat(f, "b");
    uint64_t value = any_integer();
    COMPARE_FORMAT(f, value);
  }
  for (unsigned i = 0; i < rounds / 4; i++) {
    char f[64] = "", text[64] = "some text of fifty bytes, more or less, for strings";
    random_flags(f, "-", 60);
    text[below(50)] = 0;
    strcat(f, "s|%c|%5%|%p|%m");
    errno = model_errno = (int)below(133);
    int letter = 'a' + (int)below(26);
    void *pointer = below(2) ? (void *)rnd() : NULL;
    COMPARE_FORMAT(f, text, letter, pointer);
  }
  int a = 0, b = 0;
  long long c = 0, d = 0;
  char buffer[64];
  snprintf(buffer, 64, "12%n345%*d%lln%%", &a, -9, 7, &c);
  pvm_snprintf(buffer, 64, "12%n345%*d%lln%%", &b, -9, 7, &d);
  CHECK(a == b && c == d, "%%n: %d %d %lld %lld", a, b, c, d);
}

static double any_double(void) {
  union {
    uint64_t bits;
    double value;
  } u = {.bits = rnd()};
  switch (below(9)) {
  case 0: return (double)(int64_t)any_integer();
  case 1: return (double)below(100000) / 1000.0;
  case 2: return (double)below(2000) / 8.0;              /* many ties */
  case 3: u.bits &= 0x800fffffffffffffu; return u.value; /* subnormal */
  case 4: return below(2) ? 0.0 : -0.0;
  case 5: return below(8) ? pow(10, (int)below(620) - 310) : below(2) ? INFINITY : -NAN;
  case 6: return ldexp(1 + below(3), (int)below(140) - 70);
  case 7: return DBL_MAX / (1 + below(3));
  default: return u.value;
  }
}
static long double any_long_double(void) {
  union {
    struct {
      uint64_t m;
      uint16_t e;
    } b;
    long double value;
  } u = {.value = 0};
  if (below(3)) return any_double();
  u.b.m = rnd() | (uint64_t)1 << 63;
  u.b.e = below(3) ? (uint16_t)(16383 - 80 + below(160)) : (uint16_t)(1 + below(0x7ffe));
  u.b.e |= below(2) << 15;
  return u.value;
}

static void test_floats(unsigned rounds) {
  for (unsigned i = 0; i < rounds; i++) {
    char f[64] = "";
    bool is_long = below(4) == 0;
    random_flags(f, "-+ #0", below(10) ? 25 : 400);
    if (is_long) strcat(f, "L");
    size_t n = strlen(f);
    f[n] = "fFeEgGaA"[below(8)];
    f[n + 1] = 0;
    long double wide = any_long_double();
    double value = any_double();
    if (is_long)
      COMPARE_FORMAT(f, wide);
    else
      COMPARE_FORMAT(f, value);
  }
  long double tiny = LDBL_TRUE_MIN, small = LDBL_MIN / 3;
  COMPARE_FORMAT("%La %La %.20Lg %.5000Lf", tiny, small, tiny, LDBL_MAX);
}

/* Numbers that fit, close to halves, and the least integer, which is the last that fits. */
static void test_rounding(unsigned rounds) {
#define SAME_ROUNDED(NAME, X) CHECK(NAME(X) == pvm_##NAME(X), #NAME " %La", (long double)(X))
#define ALL_SAME(SUFFIX, X)                                                                        \
  do {                                                                                             \
    SAME_ROUNDED(lround##SUFFIX, X);                                                               \
    SAME_ROUNDED(llround##SUFFIX, X);                                                              \
    SAME_ROUNDED(lrint##SUFFIX, X);                                                                \
    SAME_ROUNDED(llrint##SUFFIX, X);                                                               \
  } while (0)
  for (unsigned i = 0; i < rounds; i++) {
    long double wide = (long double)((int64_t)any_integer() / 2) + below(9) * 0.25L - 1;
    double value = (double)wide;
    float narrow = (float)wide;
    ALL_SAME(l, wide);
    ALL_SAME(, value);
    ALL_SAME(f, narrow);
  }
  ALL_SAME(l, -0x1p63L);
  ALL_SAME(, -0x1p63);
  ALL_SAME(f, -0x1p63f);
}

static void random_number_text(char *to) {
  char f[16];
  switch (below(7)) {
  case 0: sprintf(to, "%.*e", (int)below(30), any_double()); break;
  case 1: sprintf(to, "%.*f", (int)below(40), any_double()); break;
  case 2: sprintf(to, "%a", any_double()); break;
  case 3: sprintf(to, "%.*g", 1 + (int)below(800), any_double()); break;
  case 4: /* exactly between two doubles, and a bit beside */
    sprintf(to, "%.800Lg", (long double)any_double() * (1 + ldexpl(1, -53)));
    if (below(2) && !strpbrk(to, "einx")) strcat(to, strchr(to, '.') ? "0001" : ".0000001");
    break;
  case 5:
    sprintf(to, "0x%llx.%llxp%d", (long long)rnd(), (long long)any_integer(),
            (int)below(2200) - 1100);
    break;
  default:
    sprintf(f, "%lld", (long long)any_integer());
    sprintf(to, "  %s.%llue%d", f, (unsigned long long)any_integer(), (int)below(700) - 350);
  }
  size_t n = strlen(to);
  if (below(5) == 0 && n > 0) to[below((unsigned)n)] = "0123456789+-.eExXpPinfa )("[below(26)];
}

#define COMPARE_PARSE(TYPE, NAME, TEXT)                                                            \
  do {                                                                                             \
    char *e_end, *g_end;                                                                           \
    TYPE e_value, g_value;                                                                         \
    memset(&e_value, 0, sizeof e_value), memset(&g_value, 0, sizeof g_value);                      \
    errno = model_errno = 0;                                                                       \
    e_value = NAME(TEXT, &e_end);                                                                  \
    g_value = pvm_##NAME(TEXT, &g_end);                                                            \
    bool same = (isnan(e_value) && isnan(g_value)) ||                                              \
                (e_value == g_value && !signbit(e_value) == !signbit(g_value));                    \
    CHECK(same &&e_end == g_end && errno == model_errno, "%s: %La %d %ld, got %La %d %ld", TEXT,   \
          (long double)e_value, errno, (long)(e_end - (TEXT)), (long double)g_value, model_errno,  \
          (long)(g_end - (TEXT)));                                                                 \
  } while (0)

static void test_parsing(unsigned rounds) {
  static char text[12000];
  for (unsigned i = 0; i < rounds; i++) {
    random_number_text(text);
    COMPARE_PARSE(double, strtod, text);
    COMPARE_PARSE(float, strtof, text);
    COMPARE_PARSE(long double, strtold, text);
  }
  static const char *const special[] = {"inf",
                                        "-INFINITY",
                                        "nan",
                                        "nan(12_a)",
                                        "nan(",
                                        "0x",
                                        "0x.p",
                                        "1e",
                                        "1e+",
                                        ".",
                                        "-.5e1x",
                                        "+",
                                        "0x1p",
                                        "infinit",
                                        " \n7",
                                        "1e999999999999",
                                        "1e-99999999999",
                                        "0e9999999",
                                        "0x1p99999",
                                        "0x0p9",
                                        /* next to the least normal numbers: what is tiny */
                                        "0x1.fffffffffffffp-1023",
                                        "0x1.fffffffffffff7p-1023",
                                        "0x1.fffffffffffff8p-1023",
                                        "0x1.ffffffffffffefp-1023",
                                        "0x1.fffffep-127",
                                        "0x1.fffffefp-127",
                                        "0x1.ffffffp-127",
                                        "0x1.fffffffffffffffep-16383",
                                        "0x1.fffffffffffffffefp-16383",
                                        "0x1.ffffffffffffffffp-16383",
                                        "0x1.ffffffp-128",
                                        "0x1p-1075",
                                        "0x1.8p-1075"};
  for (unsigned i = 0; i < sizeof special / sizeof *special; i++) {
    COMPARE_PARSE(double, strtod, special[i]);
    COMPARE_PARSE(float, strtof, special[i]);
    COMPARE_PARSE(long double, strtold, special[i]);
  }
  for (unsigned i = 0; i < rounds; i++) {
    static const int bases[] = {0, 10, 16, 8, 2, 36, 7, 1};
    int base = bases[below(8)];
    static const char *const forms[] = {" %lld", "%llu",      "0x%llx", "0%llo", "+%llxz",
                                        "-%llu", "\t-0X%llx", "%lld9",  "0x"};
    sprintf(text, forms[below(9)], any_integer());
    char *e, *g;
#define INTEGER(NAME)                                                                              \
  errno = model_errno = 0, e = g = NULL;                                                           \
  CHECK(NAME(text, &e, base) == pvm_##NAME(text, &g, base) && (base == 1 || e == g) &&             \
            errno == model_errno,                                                                  \
        "%s base %d", text, base)
    INTEGER(strtol);
    INTEGER(strtoll);
    INTEGER(strtoul);
    INTEGER(strtoull);
  }
}

static int sign(int x) {
  return (x > 0) - (x < 0);
}
static void random_text(char *to, unsigned max, const char *alphabet) {
  unsigned n = below(max);
  for (unsigned i = 0; i < n; i++) to[i] = alphabet[below((unsigned)strlen(alphabet))];
  to[n] = 0;
}
static void test_tokens(const char *a, const char *b) {
  char e[64], g[64], *er, *gr, *ep, *gp;
  strcpy(e, a), strcpy(g, a);
  ep = strtok_r(e, b, &er), gp = pvm_strtok_r(g, b, &gr);
  for (int i = 0; i < 20; i++) {
    CHECK(!ep == !gp && (!ep || (ep - e == gp - g && strcmp(ep, gp) == 0)), "tokens of %s", a);
    if (!ep || !gp) break;
    ep = strtok_r(NULL, b, &er), gp = pvm_strtok_r(NULL, b, &gr);
  }
  strcpy(e, a), strcpy(g, a);
  er = e, gr = g;
  do {
    ep = strsep(&er, b), gp = pvm_strsep(&gr, b);
    CHECK(!ep == !gp && (!ep || (ep - e == gp - g && strcmp(ep, gp) == 0)), "strsep of %s", a);
  } while (ep && gp);
}
static void test_strings(unsigned rounds) {
  for (unsigned i = 0; i < rounds; i++) {
    char a[64], b[64], e[160], g[160];
    const char *alphabet = below(2) ? "ab" : below(2) ? "aAbB\xff\x80,; " : "0190ab";
    random_text(a, 12, alphabet), random_text(b, below(2) ? 4 : 12, alphabet);
    int c = below(4) ? alphabet[below((unsigned)strlen(alphabet))] : 0;
    size_t n = below(14);
#define SAME(EXPR, MODEL_EXPR) CHECK((EXPR) == (MODEL_EXPR), "<%s> <%s> %d %zu", a, b, c, n)
    SAME(strlen(a), pvm_strlen(a));
    SAME(sign(strcmp(a, b)), sign(pvm_strcmp(a, b)));
    SAME(sign(strncmp(a, b, n)), sign(pvm_strncmp(a, b, n)));
    SAME(sign(strcasecmp(a, b)), sign(pvm_strcasecmp(a, b)));
    SAME(sign(strncasecmp(a, b, n)), sign(pvm_strncasecmp(a, b, n)));
    SAME(sign(strverscmp(a, b)), sign(pvm_strverscmp(a, b)));
    SAME(sign(memcmp(a, b, 0)), sign(pvm_memcmp(a, b, 0)));
    SAME(strspn(a, b), pvm_strspn(a, b));
    SAME(strcspn(a, b), pvm_strcspn(a, b));
    SAME(strpbrk(a, b), pvm_strpbrk(a, b));
    SAME(strstr(a, b), pvm_strstr(a, b));
    SAME(strcasestr(a, b), pvm_strcasestr(a, b));
    SAME(strchr(a, c), pvm_strchr(a, c));
    SAME(strrchr(a, c), pvm_strrchr(a, c));
    SAME(memchr(a, c, strlen(a) + 1), pvm_memchr(a, c, strlen(a) + 1));
    SAME(memrchr(a, c, strlen(a) + 1), pvm_memrchr(a, c, strlen(a) + 1));
    SAME(memmem(a, strlen(a), b, strlen(b)), pvm_memmem(a, strlen(a), b, strlen(b)));
    memset(e, 7, sizeof e), memset(g, 7, sizeof g);
    strcpy(e, a), strcpy(g, a);
    strncat(e, b, n), pvm_strncat(g, b, n);
    SAME(memcmp(e, g, sizeof e), 0);
    strncpy(e + 40, b, n), pvm_strncpy(g + 40, b, n);
    SAME(memcmp(e, g, sizeof e), 0);
    SAME(stpcpy(e + 60, a) - e, pvm_stpcpy(g + 60, a) - g);
    char *x = memccpy(e + 80, a, c, strlen(a) + 1), *y = pvm_memccpy(g + 80, a, c, strlen(a) + 1);
    SAME(x ? x - e : -1, y ? y - g : -1);
    SAME(memcmp(e, g, sizeof e), 0);
    test_tokens(a, b);
    long long v = (long long)any_integer();
    CHECK(ffsll(v) == pvm_ffsll(v), "ffsll %lld", v);
    unsigned short half = (unsigned short)v;
    CHECK(htons(half) == pvm_htons(half) && ntohs(half) == pvm_ntohs(half), "htons %d", half);
    unsigned word = (unsigned)v;
    CHECK(htonl(word) == pvm_htonl(word) && ntohl(word) == pvm_ntohl(word), "htonl %u", word);
  }
  for (int i = -3; i < 200; i++) {
    CHECK(strcmp(strerror(i), pvm_strerror(i)) == 0, "strerror %d: %s", i, pvm_strerror(i));
    if (i < 32 && i >= 0)
      CHECK(strcmp(strsignal(i), pvm_strsignal(i)) == 0, "strsignal %d: %s", i, pvm_strsignal(i));
  }
}

static void test_ctype(void) {
  for (int c = -128; c < 256; c++) {
    CHECK((*__ctype_b_loc())[c] == (*pvm___ctype_b_loc())[c], "class of %d", c);
    CHECK((*__ctype_tolower_loc())[c] == (*pvm___ctype_tolower_loc())[c], "lower of %d", c);
    CHECK((*__ctype_toupper_loc())[c] == (*pvm___ctype_toupper_loc())[c], "upper of %d", c);
#define CLASS(NAME) CHECK(!NAME(c) == !pvm_##NAME(c), #NAME " %d", c)
    CLASS(isalnum);
    CLASS(isalpha);
    CLASS(isblank);
    CLASS(iscntrl);
    CLASS(isdigit);
    CLASS(isgraph);
    CLASS(islower);
    CLASS(isprint);
    CLASS(ispunct);
    CLASS(isspace);
    CLASS(isupper);
    CLASS(isxdigit);
    CHECK(tolower(c) == pvm_tolower(c) && toupper(c) == pvm_toupper(c), "case of %d", c);
    CHECK((violations > 0) == (c < EOF), "%d may be given", c);
    violations = 0;
  }
}

static void test_scanning(unsigned rounds) {
  for (unsigned i = 0; i < rounds; i++) {
    char text[128], f[64] = "";
    static const char *const pieces[] = {"%d", "%u", "%x", "%i", "%o", "%3d", "%hhd", "%hd", "%*d"};
    static const char *const others[] = {"%5s",     "%3c", "%[a-c1]", "%[^ ,]",
                                         "%4[0-9]", "%*s", "%1s"};
    random_text(text, 24, below(2) ? "0123 -+x,ab" : "01279ab ,.");
    int a[2][4];
    char s[2][4][64];
    memset(a, 0, sizeof a), memset(s, 0, sizeof s);
    for (int j = 0; j < 3; j++) {
      strcat(f, pieces[below(9)]);
      if (below(3) == 0) strcat(f, below(2) ? " " : ",");
    }
    errno = 0;
    int e = sscanf(text, f, &a[0][0], &a[0][1], &a[0][2], &a[0][3]);
    int g = pvm_sscanf(text, f, &a[1][0], &a[1][1], &a[1][2], &a[1][3]);
    CHECK(e == g && memcmp(a[0], a[1], sizeof a[0]) == 0, "<%s> <%s>: %d %d", text, f, e, g);
    f[0] = 0;
    for (int j = 0; j < 3; j++) strcat(f, others[below(7)]);
    e = sscanf(text, f, s[0][0], s[0][1], s[0][2]);
    g = pvm_sscanf(text, f, s[1][0], s[1][1], s[1][2]);
    CHECK(e == g && memcmp(s[0], s[1], sizeof s[0]) == 0, "<%s> <%s>: %d %d", text, f, e, g);
    static char number[2000];
    random_number_text(number);
    if (strlen(number) > 100) number[100] = 0;
    double x = 0, y = 0;
    int p = 0, q = 0;
    e = sscanf(number, "%lf%n", &x, &p), g = pvm_sscanf(number, "%lf%n", &y, &q);
    CHECK(e == g && p == q && (x == y || (isnan(x) && isnan(y))), "<%s>: %d %d %g %g %d %d", number,
          e, g, x, y, p, q);
  }
  char word[16] = "";
  int value = 0;
  stdin_script = "word 0x1f,";
  int n = pvm_scanf("%7s %i", word, &value);
  CHECK(n == 2 && strcmp(word, "word") == 0 && value == 31, "scanf: %d %s %d", n, word, value);
}

static int by_value(const void *a, const void *b) {
  unsigned x = *(const unsigned *)a % 64, y = *(const unsigned *)b % 64;
  return (x > y) - (x < y);
}
static void test_sorting(unsigned rounds) {
  for (unsigned i = 0; i < rounds / 10; i++) {
    unsigned a[2][40], n = below(40);
    for (unsigned j = 0; j < n; j++) a[0][j] = a[1][j] = below(256);
    qsort(a[0], n, sizeof(unsigned), by_value);
    pvm_qsort(a[1], n, sizeof(unsigned), by_value);
    CHECK(memcmp(a[0], a[1], n * sizeof(unsigned)) == 0, "qsort of %u", n);
    unsigned key = below(64), *e = bsearch(&key, a[0], n, sizeof(unsigned), by_value);
    unsigned *g = pvm_bsearch(&key, a[0], n, sizeof(unsigned), by_value);
    CHECK(e == g, "bsearch of %u", key);
  }
}

static void test_time(unsigned rounds) {
  for (unsigned i = 0; i < rounds; i++) {
    time_t t = (time_t)((int64_t)rnd() >> (10 + below(54)));
    struct tm e, g;
    memset(&e, 0, sizeof e), memset(&g, 0, sizeof g);
    struct tm *er = gmtime_r(&t, &e), *gr = pvm_gmtime_r(&t, &g);
    CHECK(!er == !gr, "gmtime %lld", (long long)t);
    if (!er || !gr) continue;
    e.tm_zone = g.tm_zone = NULL;
    CHECK(memcmp(&e, &g, sizeof e) == 0, "gmtime %lld", (long long)t);
    e.tm_mon += (int)below(50) - 25, e.tm_mday += (int)below(900) - 450;
    if (e.tm_year > 100000 || e.tm_year < -100000) continue;
    g = e;
    CHECK(timegm(&e) == pvm_timegm(&g), "timegm near %lld", (long long)t);
  }
}

static void test_formatted_time(unsigned rounds) {
  static const char *const formats[] = {"%D-%T", "%c", "%F %R%%", "%a %A %b %B %h", "%y|%e|%j",
                                        "%I %p %r", "%w %x", "%X%n%t%H%M%S", "%Y%m%d"};
  for (unsigned i = 0; i < rounds; i++) {
    time_t t = (time_t)(rnd() % 283996800000) - 30610224000; /* the years 1000 to 9999 */
    size_t room = below(40);
    struct tm tm;
    gmtime_r(&t, &tm);
    int *const fields[] = {&tm.tm_sec, &tm.tm_min, &tm.tm_hour, &tm.tm_mday, &tm.tm_mon, &tm.tm_wday, &tm.tm_yday};
    if (below(4) == 0) *fields[below(7)] = (int)below(300) - 150;
    char e[40] = "", g[40] = "";
    const char *format = formats[below(sizeof formats / sizeof *formats)];
    size_t n = strftime(e, room, format, &tm);
    CHECK(n == pvm_strftime(g, room, format, &tm), "strftime %s of %lld", format, (long long)t);
    CHECK(!n || strcmp(e, g) == 0, "strftime %s of %lld: %s, not %s", format, (long long)t, g, e);
  }
}

static void test_output(void) {
  char *text = NULL;
  n_printed = 0;
  CHECK(pvm_printf("%s %d%%\n", "x", 5) == 5 && n_printed == 5 && !memcmp(printed, "x 5%\n", 5),
        "printf");
  n_printed = 0;
  CHECK(pvm_printf("%600d%s", 1, "end") == 603 && n_printed == 603, "%zu bytes", n_printed);
  CHECK(memcmp(printed + 599, "1end", 4) == 0, "a long line");
  CHECK(pvm_asprintf(&text, "%05.1f", 2.25) == 5 && strcmp(text, "002.2") == 0, "%s", text);
  free(text);
  CHECK(pvm_atoi(" -42x") == -42 && violations == 0, "atoi, %u violations", violations);
  CHECK(pvm_atoi("99999999999") == (int)99999999999, "atoi out of range");
  CHECK(violations == 0, "atoi out of range is no error");
}

int main(int argc, char **argv) {
  unsigned rounds = argc > 1 ? (unsigned)atoi(argv[1]) : 3000;
  setenv("TZ", "UTC", 1);
  test_integers(rounds * 3);
  test_floats(rounds * 3);
  test_rounding(rounds);
  test_parsing(rounds);
  test_strings(rounds);
  test_ctype();
  test_scanning(rounds);
  test_sorting(rounds);
  test_time(rounds);
  test_formatted_time(rounds);
  test_output();
  printf("%lu checks, %lu failures\n", checks, failures);
  printf("%d passed, %d failed\n", failures == 0, failures != 0);
  return failures != 0;
}
