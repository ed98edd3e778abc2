#include "base/bytes.h"

void pv_put_number(struct pv_str *out, uint64_t x) {
  char buffer[10];
  size_t n = 0;
  while (x >= 0x80) {
    buffer[n++] = (char)(x | 0x80);
    x >>= 7;
  }
  buffer[n++] = (char)x;
  pv_str_addn(out, buffer, n);
}

void pv_put_difference(struct pv_str *out, uint64_t from, uint64_t to) {
  uint64_t d = to - from;
  pv_put_number(out, d >> 63 ? ~d << 1 | 1 : d << 1);
}

void pv_put_bytes(struct pv_str *out, const void *bytes, size_t n) {
  pv_put_number(out, n);
  if (n) pv_str_addn(out, bytes, n);
}

uint64_t pv_take_number(struct pv_bytes *b) {
  uint64_t x = 0;
  for (unsigned shift = 0; !b->wrong && b->n && shift < 64; shift += 7) {
    uint8_t byte = *b->at++;
    b->n--;
    if (shift == 63 && byte > 1) break;
    x |= (uint64_t)(byte & 0x7f) << shift;
    if (byte < 0x80) return x;
  }
  b->wrong = true;
  return 0;
}

uint64_t pv_take_up_to(struct pv_bytes *b, uint64_t most) {
  uint64_t x = pv_take_number(b);
  if (x <= most) return x;
  b->wrong = true;
  return 0;
}

uint64_t pv_take_difference(struct pv_bytes *b, uint64_t from) {
  uint64_t x = pv_take_number(b);
  return b->wrong ? 0 : from + (x & 1 ? ~(x >> 1) : x >> 1);
}

uint32_t pv_take_count(struct pv_bytes *b) {
  uint64_t most = b->n < UINT32_MAX ? b->n : UINT32_MAX;
  return (uint32_t)pv_take_up_to(b, most);
}

const uint8_t *pv_take_bytes(struct pv_bytes *b, size_t *n) {
  *n = (size_t)pv_take_up_to(b, b->n);
  if (b->wrong || *n > b->n) {
    b->wrong = true;
    *n = 0;
    return NULL;
  }
  const uint8_t *at = b->at;
  b->at += *n;
  b->n -= *n;
  return at;
}
