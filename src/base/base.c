#include "base/base.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

static void (*out_of_memory_handler)(void);

void pv_on_out_of_memory(void (*handler)(void)) {
  out_of_memory_handler = handler;
}

_Noreturn void pv_broken(const char *function, const char *message, const char *condition) {
  fprintf(stderr, "proviso: internal error in %s: %s (%s)\n", function, message, condition);
  abort();
}

_Noreturn void pv_out_of_memory(void) {
  void (*handler)(void) = out_of_memory_handler;
  out_of_memory_handler = NULL;
  fputs("proviso: out of memory\n", stderr);
  if (handler) handler();
  _Exit(70);
}

static _Thread_local uint64_t allocated;

uint64_t pv_allocated(void) {
  return allocated;
}

void pv_count_allocated(size_t bytes) {
  allocated += bytes;
}

void *pv_alloc(size_t bytes) {
  void *p = calloc(1, bytes ? bytes : 1);
  if (!p) pv_out_of_memory();
  pv_count_allocated(bytes);
  return p;
}

void *pv_realloc(void *p, size_t bytes) {
  void *q = realloc(p, bytes ? bytes : 1);
  if (!q) pv_out_of_memory();
  pv_count_allocated(bytes);
  return q;
}

char *pv_strdup(const char *s) {
  size_t n = strlen(s) + 1;
  return memcpy(pv_alloc(n), s, n);
}

char *pv_format(const char *fmt, ...) {
  struct pv_str s = {0};
  va_list ap;
  va_start(ap, fmt);
  pv_str_vaddf(&s, fmt, ap);
  va_end(ap);
  return s.at ? s.at : pv_strdup("");
}

void *pv_vec_grow(void *at, uint32_t *cap, uint32_t need, size_t size) {
  PV_REQUIRE(need <= UINT32_MAX / 2, "array too long");
  enum {
    LARGE = 1 << 20
  }; /* bytes; larger arrays grow by an eighth, because memory may be limited */
  uint32_t fresh = *cap ? *cap : 8;
  while (fresh < need) fresh += (size_t)fresh * size < LARGE ? fresh : fresh / 8;
  at = pv_realloc(at, (size_t)fresh * size);
  memset((char *)at + (size_t)*cap * size, 0, (size_t)(fresh - *cap) * size);
  *cap = fresh;
  return at;
}

/* ---- strings --------------------------------------------------------------------------------- */
static void str_reserve(struct pv_str *s, size_t more) {
  if (s->n + more + 1 <= s->cap) return;
  size_t cap = s->cap ? s->cap : 64;
  while (cap < s->n + more + 1) cap *= 2;
  s->at = pv_realloc(s->at, cap);
  s->cap = cap;
}

void pv_str_addn(struct pv_str *s, const char *text, size_t n) {
  str_reserve(s, n);
  memcpy(s->at + s->n, text, n);
  s->n += n;
  s->at[s->n] = '\0';
}

void pv_str_add(struct pv_str *s, const char *text) {
  pv_str_addn(s, text, strlen(text));
}

void pv_str_addc(struct pv_str *s, char c) {
  pv_str_addn(s, &c, 1);
}

void pv_str_vaddf(struct pv_str *s, const char *fmt, va_list ap) {
  va_list again;
  va_copy(again, ap);
  int n = vsnprintf(NULL, 0, fmt, ap);
  PV_REQUIRE(n >= 0, "bad format");
  str_reserve(s, (size_t)n);
  vsnprintf(s->at + s->n, (size_t)n + 1, fmt, again);
  va_end(again);
  s->n += (size_t)n;
}

void pv_str_addf(struct pv_str *s, const char *fmt, ...) {
  va_list ap;
  va_start(ap, fmt);
  pv_str_vaddf(s, fmt, ap);
  va_end(ap);
}

void pv_probability_up(double p, struct pv_str *out) {
  if (p >= 1 || p <= 0) {
    pv_str_add(out, p >= 1 ? "1" : "0");
    return;
  }
  int exponent = (int)floor(log10(p)), tenths = (int)ceil(p * pow(10, 1 - exponent));
  if (tenths > 99) tenths = 10, exponent++;
  pv_str_addf(out, "%d.%de%d", tenths / 10, tenths % 10, exponent);
}

void pv_str_clear(struct pv_str *s) {
  s->n = 0;
  if (s->at) s->at[0] = '\0';
}

void pv_str_free(struct pv_str *s) {
  free(s->at);
  *s = (struct pv_str){0};
}

const char *pv_str_cstr(const struct pv_str *s) {
  return s->at ? s->at : "";
}

enum pv_status pv_read_file(const char *path, size_t max, char **out, size_t *n,
                            struct pv_str *err) {
  struct stat info;
  const char *why = NULL;
  *out = NULL;
  FILE *f = NULL;
  if (stat(path, &info) != 0)
    why = strerror(errno);
  else if (S_ISDIR(info.st_mode))
    why = "is a directory";
  else if (!S_ISREG(info.st_mode))
    why = "is not a regular file";
  else if ((uintmax_t)info.st_size > max)
    why = "is too large";
  else if (!(f = fopen(path, "rb")))
    why = strerror(errno);
  if (!why) {
    size_t size = (size_t)info.st_size;
    *out = pv_alloc(size + 1);
    *n = fread(*out, 1, size, f);
    if (ferror(f)) why = "cannot be read";
  }
  if (f) fclose(f);
  if (!why) return PV_OK;
  free(*out);
  *out = NULL;
  if (err) pv_str_addf(err, "%s: %s", path, why);
  return PV_E_INPUT;
}

/* ---- map ------------------------------------------------------------------------------------- */
uint64_t pv_hash(const void *data, size_t len) {
  return XXH3_64bits(data, len);
}

static uint32_t map_probe(const struct pv_map *m, const void *key, size_t len, uint64_t hash) {
  uint32_t i = (uint32_t)hash & (m->slots - 1);
  for (; m->slot[i]; i = (i + 1) & (m->slots - 1)) {
    const struct pv_map_entry *e = &m->entry[m->slot[i] - 1];
    if (e->hash == hash && e->key_len == len && memcmp(e->key, key, len) == 0) break;
  }
  return i;
}

static void map_grow(struct pv_map *m) {
  m->slots = m->slots ? m->slots * 2 : 16;
  free(m->slot);
  m->slot = pv_alloc(m->slots * sizeof *m->slot);
  for (uint32_t i = 0; i < m->n; i++) {
    const struct pv_map_entry *e = &m->entry[i];
    m->slot[map_probe(m, e->key, e->key_len, e->hash)] = i + 1;
  }
}

uint32_t *pv_map_put(struct pv_map *m, const void *key, size_t len, uint32_t fresh, bool *is_new) {
  if ((m->n + 1) * 2 > m->slots) map_grow(m);
  uint64_t hash = pv_hash(key, len);
  uint32_t i = map_probe(m, key, len, hash);
  if (is_new) *is_new = !m->slot[i];
  if (m->slot[i]) return &m->entry[m->slot[i] - 1].value;
  if (m->n == m->cap) m->entry = pv_vec_grow(m->entry, &m->cap, m->n + 1, sizeof *m->entry);
  void *copy = pv_alloc(len);
  memcpy(copy, key, len);
  m->entry[m->n] = (struct pv_map_entry){copy, (uint32_t)len, fresh, hash};
  m->slot[i] = ++m->n;
  return &m->entry[m->n - 1].value;
}

const uint32_t *pv_map_get(const struct pv_map *m, const void *key, size_t len) {
  if (!m->n) return NULL;
  uint32_t i = map_probe(m, key, len, pv_hash(key, len));
  return m->slot[i] ? &m->entry[m->slot[i] - 1].value : NULL;
}

uint32_t *pv_map_put_str(struct pv_map *m, const char *key, uint32_t fresh, bool *is_new) {
  return pv_map_put(m, key, strlen(key), fresh, is_new);
}

const uint32_t *pv_map_get_str(const struct pv_map *m, const char *key) {
  return pv_map_get(m, key, strlen(key));
}

void pv_map_free(struct pv_map *m) {
  for (uint32_t i = 0; i < m->n; i++) free((void *)m->entry[i].key);
  free(m->entry);
  free(m->slot);
  *m = (struct pv_map){0};
}
