/* stdlib.c -- stdlib.h: memory, integer arithmetic, sorting and searching, random numbers.
 *
 * malloc(0) returns an object of its own; realloc always moves, and realloc(p, 0) frees, as in
 * glibc. Random numbers are inputs: each call may return any value in its range, whatever the
 * seed. */
#include "model.h"

/* ---- memory ---- */

static bool fails(size_t size) {
  if (size > PTRDIFF_MAX || __proviso_malloc_may_fail()) {
    errno = ENOMEM;
    return true;
  }
  return false;
}
void *__proviso_malloc(size_t size) {
  return fails(size) ? NULL : __proviso_alloc(size);
}
void *malloc(size_t size) {
  return __proviso_malloc(size);
}
void free(void *p) {
  __proviso_free(p);
}
void cfree(void *p) {
  __proviso_free(p);
}

void *calloc(size_t count, size_t size) {
  size_t bytes;
  if (__builtin_mul_overflow(count, size, &bytes)) {
    errno = ENOMEM;
    return NULL;
  }
  void *p = __proviso_malloc(bytes);
  if (p) __proviso_fill(p, 0, bytes);
  return p;
}

static void *resize(void *p, size_t size) {
  if (!p) return __proviso_malloc(size);
  if (size == 0 || !__proviso_is_heap_start(p)) {
    __proviso_free(p); /* not a heap object: reports the violation */
    return NULL;
  }
  void *moved = __proviso_malloc(size);
  if (!moved) return NULL;
  size_t old = __proviso_object_size(p);
  __proviso_copy(moved, p, old < size ? old : size);
  __proviso_free(p);
  return moved;
}
void *realloc(void *p, size_t size) {
  return resize(p, size);
}
void *reallocarray(void *p, size_t count, size_t size) {
  size_t bytes;
  if (__builtin_mul_overflow(count, size, &bytes)) {
    errno = ENOMEM;
    return NULL;
  }
  return resize(p, bytes);
}

static void *allocate_aligned(size_t alignment, size_t size) {
  if (fails(size)) return NULL;
  if (alignment <= 16) return __proviso_alloc(size);
  if (alignment <= 64) return __proviso_alloc_aligned(size, 64);
  if (alignment <= 4096) return __proviso_alloc_aligned(size, 4096);
  __proviso_unsupported("memory with an alignment of more than 4096");
}
static bool is_power_of_two(size_t n) {
  return n != 0 && (n & (n - 1)) == 0;
}
void *aligned_alloc(size_t alignment, size_t size) {
  if (!is_power_of_two(alignment)) {
    errno = EINVAL;
    return NULL;
  }
  return allocate_aligned(alignment, size);
}
void *memalign(size_t alignment, size_t size) {
  size_t power = 1; /* glibc rounds up */
  while (power < alignment) power *= 2;
  return allocate_aligned(power, size);
}
int posix_memalign(void **result, size_t alignment, size_t size) {
  if (!is_power_of_two(alignment) || alignment % sizeof(void *) != 0) return EINVAL;
  int saved = errno;
  void *p = allocate_aligned(alignment, size);
  errno = saved;
  if (!p) return ENOMEM;
  *result = p;
  return 0;
}
void *valloc(size_t size) {
  return allocate_aligned(4096, size);
}
size_t malloc_usable_size(void *p) {
  return p ? __proviso_usable_size(p) : 0;
}

/* ---- arithmetic: overflow is reported as the program's ---- */

typedef struct {
  int quot, rem;
} div_t;
typedef struct {
  long quot, rem;
} ldiv_t;
typedef struct {
  long long quot, rem;
} lldiv_t;
typedef struct {
  intmax_t quot, rem;
} imaxdiv_t;
int abs(int x) {
  return x < 0 ? -x : x;
}
long labs(long x) {
  return x < 0 ? -x : x;
}
long long llabs(long long x) {
  return x < 0 ? -x : x;
}
intmax_t imaxabs(intmax_t x) {
  return x < 0 ? -x : x;
}
div_t div(int a, int b) {
  return (div_t){a / b, a % b};
}
ldiv_t ldiv(long a, long b) {
  return (ldiv_t){a / b, a % b};
}
lldiv_t lldiv(long long a, long long b) {
  return (lldiv_t){a / b, a % b};
}
imaxdiv_t imaxdiv(intmax_t a, intmax_t b) {
  return (imaxdiv_t){a / b, a % b};
}

/* ---- sorting and searching ---- */

typedef int (*comparison)(const void *, const void *);
typedef int (*comparison_r)(const void *, const void *, void *);

/* A comparison with or without a context; if `plain` is null, with a context. */
struct order {
  comparison plain;
  comparison_r with;
  void *context;
};
static int compare(const struct order *o, const void *a, const void *b) {
  return o->plain ? o->plain(a, b) : o->with(a, b, o->context);
}
static void check_array(const void *base, size_t count) { /* even for zero elements (C11, 7.22.5) */
  __proviso_check(count > 0 || base != NULL, "a null pointer is passed as an array to be sorted or "
                                             "searched");
}
/* C11, 7.22.5: the comparison must be a total order. Otherwise qsort of some libraries accesses
 * memory outside of the array; so it is an error here, although this sort would not. */
static void check_order(const struct order *o, const char *a, const char *b) {
  int forth = compare(o, a, b), back = compare(o, b, a);
  __proviso_check(forth <= 0 && (forth == 0) == (back == 0) && back >= 0,
                  "the comparison function of qsort is no order: it contradicts itself");
}

/* Binary insertion sort: few comparisons, stable like glibc's merge sort, and a move is one
 * operation. */
static void sort(char *base, size_t count, size_t size, const struct order *o) {
  check_array(base, count);
  if (count < 2 || size == 0) return;
  unsigned char held[size];
  for (size_t i = 1; i < count; i++) {
    char *element = base + i * size;
    size_t low = 0, high = i;
    if (compare(o, element - size, element) <= 0) continue;
    high = i - 1;
    while (low < high) {
      size_t middle = low + (high - low) / 2;
      if (compare(o, base + middle * size, element) <= 0)
        low = middle + 1;
      else
        high = middle;
    }
    char *to = base + low * size;
    __proviso_copy(held, element, size);
    __proviso_copy(to + size, to, (size_t)(element - to));
    __proviso_copy(to, held, size);
  }
  for (size_t i = 1; i < count; i++) check_order(o, base + (i - 1) * size, base + i * size);
}
void qsort(void *base, size_t count, size_t size, comparison compare_) {
  struct order o = {.plain = compare_};
  sort(base, count, size, &o);
}
void qsort_r(void *base, size_t count, size_t size, comparison_r compare_, void *context) {
  struct order o = {.with = compare_, .context = context};
  sort(base, count, size, &o);
}
/* C11, 7.22.5.1: the array has first elements less than the key, then equal ones, then greater
 * ones. */
static void check_sorted(const void *key, const char *base, size_t count, size_t size,
                         comparison order) {
  int before = 1;
  for (size_t i = 0; i < count; i++) {
    int c = order(key, base + i * size), sign = (c > 0) - (c < 0);
    __proviso_check(sign <= before, "the array that bsearch looks into is not sorted");
    before = sign;
  }
}
void *bsearch(const void *key, const void *base, size_t count, size_t size, comparison order) {
  size_t low = 0, high = count;
  check_array(base, count);
  check_sorted(key, base, count, size, order);
  while (low < high) {
    size_t middle = (low + high) / 2;
    const char *element = (const char *)base + middle * size;
    int c = order(key, element);
    if (c == 0) return (void *)element;
    if (c < 0)
      high = middle;
    else
      low = middle + 1;
  }
  return NULL;
}
void *lfind(const void *key, const void *base, size_t *count, size_t size, comparison order) {
  const char *element = base;
  for (size_t i = 0; i < *count; i++, element += size)
    if (order(key, element) == 0) return (void *)element;
  return NULL;
}

void *lsearch(const void *key, void *base, size_t *count, size_t size, comparison order) {
  char *element = base;
  for (size_t i = 0; i < *count; i++, element += size)
    if (order(key, element) == 0) return element;
  __proviso_copy(element, key, size);
  (*count)++;
  return element;
}

/* ---- random numbers ---- */

enum { RANDOM_MAX = 0x7fffffff };
int rand(void) {
  return __proviso_pick(0, RANDOM_MAX, "rand");
}
void srand(unsigned seed) {
  (void)seed;
}
int rand_r(unsigned *seed) {
  *seed = __proviso_nondet_uint("rand_r's state");
  return (int)(__proviso_nondet_uint("rand_r") & RANDOM_MAX);
}
long random(void) {
  return __proviso_pick(0, RANDOM_MAX, "random");
}
void srandom(unsigned seed) {
  (void)seed;
}
long lrand48(void) {
  return __proviso_pick(0, RANDOM_MAX, "lrand48");
}
long mrand48(void) {
  return __proviso_nondet_int("mrand48");
}
void srand48(long seed) {
  (void)seed;
}
double drand48(void) { /* 48 random bits, in two inputs */
  uint64_t high = __proviso_nondet_uint("drand48"), low = __proviso_nondet_uint("drand48") & 0xffff;
  return (double)(high << 16 | low) / 281474976710656.0;
}
unsigned arc4random(void) {
  return __proviso_nondet_uint("arc4random");
}
unsigned arc4random_uniform(unsigned bound) {
  return bound < 2 ? 0 : __proviso_nondet_uint("arc4random_uniform") % bound;
}

/* ---- environment ---- */

char *getenv(const char *name) {
  return __proviso_get_variable(name);
}
char *secure_getenv(const char *name) {
  return __proviso_get_variable(name);
}

/* Multibyte characters in the C locale: one byte each. */
int mblen(const char *s, size_t n) {
  return !s || n == 0 || !*s ? s && n == 0 ? -1 : 0 : 1;
}
