/* base.h -- what every room uses: status codes, diagnostics, growable arrays, string buffers, and a
 * map that keeps the order of insertion. It knows nothing of programs.
 *
 * Allocation: pv_alloc and the like never return NULL. If the machine has no memory left, the
 * registered emergency handler runs (pv_on_out_of_memory), and the process ends with exit status
 * 70. Ordinary memory limits are far below that point; limits.h checks them. */
#ifndef PV_BASE_H
#define PV_BASE_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The status says whether a function could do its work. What it found, for instance a verdict, is
 * data. */
enum pv_status {
  PV_OK,
  PV_E_INPUT,       /* the user's input is wrong: bad option, bad file, compile error (exit 2) */
  PV_E_UNSUPPORTED, /* the program uses something the ir cannot express */
  PV_E_LIMIT,       /* a resource limit or an interrupt ended the work */
  PV_E_INTERNAL     /* a broken invariant of ours (exit 70) */
};

#define PV_TRY(E)                                                                                  \
  do {                                                                                             \
    enum pv_status pv_try_ = (E);                                                                  \
    if (pv_try_ != PV_OK) return pv_try_;                                                          \
  } while (0)

/* Checks a contract between modules; it stays on in release builds. C: the condition, MSG: what the
 * caller did wrong. */
#define PV_REQUIRE(C, MSG)                                                                         \
  do {                                                                                             \
    if (!(C)) pv_broken(__func__, MSG, #C);                                                        \
  } while (0)
/* What PV_REQUIRE does: prints a message to stderr and aborts. */
_Noreturn void pv_broken(const char *function, const char *message, const char *condition);

#if defined(__GNUC__)
#  define PV_PRINTF(F, A) __attribute__((format(printf, F, A)))
#else
#  define PV_PRINTF(F, A)
#endif

/* ---- memory ---------------------------------------------------------------------------------- */
void *pv_alloc(size_t bytes);                          /* zeroed; caller frees with free() */
void *pv_realloc(void *p, size_t bytes);               /* the new tail is not zeroed */
char *pv_strdup(const char *s);                        /* caller frees */
char *pv_format(const char *fmt, ...) PV_PRINTF(1, 2); /* caller frees */
void pv_on_out_of_memory(void (*handler)(void));       /* runs once before the process ends */
_Noreturn void pv_out_of_memory(void); /* what pv_alloc does if there is no memory */
/* Bytes that this thread has allocated so far, including those that were freed since. */
uint64_t pv_allocated(void);
/* Adds to pv_allocated; for allocators other than pv_alloc. */
void pv_count_allocated(size_t bytes);

/* ---- growable arrays --------------------------------------------------------------------------
 * PV_VEC(T) declares an anonymous struct { T *at; uint32_t n, cap; }. A zero-initialised one is
 * empty. Elements of arrays that grow are referred to by index, because a push may move them. */
#define PV_VEC(T)                                                                                  \
  struct {                                                                                         \
    T *at;                                                                                         \
    uint32_t n, cap;                                                                               \
  }
#define pv_vec_reserve(V, N)                                                                       \
  ((V)->cap >= (N) ? (void)0                                                                       \
                   : (void)((V)->at = pv_vec_grow((V)->at, &(V)->cap, (N), sizeof *(V)->at)))
#define pv_vec_push(V, X)                                                                          \
  do {                                                                                             \
    pv_vec_reserve((V), (V)->n + 1);                                                               \
    (V)->at[(V)->n++] = (X);                                                                       \
  } while (0)
#define pv_vec_pop(V)  ((V)->at[--(V)->n])
#define pv_vec_last(V) ((V)->at[(V)->n - 1])
#define pv_vec_free(V) (free((V)->at), (V)->at = NULL, (V)->n = (V)->cap = 0)
void *pv_vec_grow(void *at, uint32_t *cap, uint32_t need, size_t size); /* zeroes the new tail */

/* ---- strings --------------------------------------------------------------------------------- */
struct pv_str {
  char *at; /* always NUL-terminated once something was written */
  size_t n, cap;
};
/* All of these append to *s. */
void pv_str_add(struct pv_str *s, const char *text);
void pv_str_addn(struct pv_str *s, const char *text, size_t n);
void pv_str_addc(struct pv_str *s, char c);
void pv_str_addf(struct pv_str *s, const char *fmt, ...) PV_PRINTF(2, 3);
void pv_str_vaddf(struct pv_str *s, const char *fmt, va_list ap);
void pv_str_clear(struct pv_str *s);
void pv_str_free(struct pv_str *s);
/* Appends a probability with two digits, rounded up: "3.2e-7", "1". */
void pv_probability_up(double p, struct pv_str *out);
const char *pv_str_cstr(const struct pv_str *s); /* "" when empty; borrowed */

/* Reads a whole file. *out is NUL-terminated; the caller frees it. For directories and files of
 * more than `max` bytes returns PV_E_INPUT with a message in `err` (which may be NULL). */
enum pv_status pv_read_file(const char *path, size_t max, char **out, size_t *n,
                            struct pv_str *err);

/* ---- map ---------------------------------------------------------------------------------------
 * Byte-string keys to uint32_t values, iterated in insertion order (deterministic output). */
struct pv_map {
  struct pv_map_entry {
    const void *key; /* copied, owned by the map */
    uint32_t key_len, value;
    uint64_t hash;
  } * entry;
  uint32_t n, cap;
  uint32_t *slot;
  uint32_t slots;
};
/* Returns the address of the value of `key`. Inserts the value `fresh` if the key is new, and says
 * so in *is_new (which may be NULL). The address is valid until the next insertion. */
uint32_t *pv_map_put(struct pv_map *m, const void *key, size_t len, uint32_t fresh, bool *is_new);
const uint32_t *pv_map_get(const struct pv_map *m, const void *key, size_t len); /* NULL: absent */
uint32_t *pv_map_put_str(struct pv_map *m, const char *key, uint32_t fresh, bool *is_new);
const uint32_t *pv_map_get_str(const struct pv_map *m, const char *key);
void pv_map_free(struct pv_map *m);

/* The greatest common divisor; of 0 and n: n. */
static inline uint64_t pv_gcd(uint64_t a, uint64_t b) {
  while (b) {
    uint64_t rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

/* ---- hashes ------------------------------------------------------------------------------------
 * Without a seed: the same in every run. Good for hash tables, not secure against crafted keys. */
uint64_t pv_hash(const void *data, size_t len); /* XXH3 */
/* The finaliser of MurmurHash3 (Appleby, public domain): a bijection in which each bit of the
 * result depends on all bits of x. */
static inline uint64_t pv_hash_word(uint64_t x) {
  x ^= x >> 33;
  x *= UINT64_C(0xff51afd7ed558ccd);
  x ^= x >> 33;
  x *= UINT64_C(0xc4ceb9fe1a85ec53);
  return x ^ x >> 33;
}
/* A hash of two words, numbers or addresses: multiplicative hashing (Knuth, The Art of Computer
 * Programming, vol. 3, 6.4), folded so that the lowest bits are good, too. */
static inline uint32_t pv_hash_pair(uint64_t a, uint64_t b) {
  uint64_t h = (a * UINT64_C(0x9e3779b97f4a7c15)) ^ (b * UINT64_C(0xc2b2ae3d27d4eb4f));
  return (uint32_t)((h ^ h >> 29) * UINT64_C(0x9e3779b97f4a7c15) >> 32);
}

#endif
