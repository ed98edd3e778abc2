/* bytes.h -- numbers as bytes (LEB128: seven bits in each byte, lowest bits first), appended to a
 * string and read back. */
#ifndef PV_BYTES_H
#define PV_BYTES_H

#include "base/base.h"

void pv_put_number(struct pv_str *out, uint64_t x);
/* Writes to - from as a signed number, so that small differences of either sign are short. */
void pv_put_difference(struct pv_str *out, uint64_t from, uint64_t to);
/* Writes the length and the bytes. */
void pv_put_bytes(struct pv_str *out, const void *bytes, size_t n);

/* Reads untrusted bytes. After an error every function returns 0, and `wrong` stays set. */
struct pv_bytes {
  const uint8_t *at; /* borrowed */
  size_t n;          /* bytes left */
  bool wrong;
};
uint64_t pv_take_number(struct pv_bytes *b);
/* Reads a number of at most `most`. */
uint64_t pv_take_up_to(struct pv_bytes *b, uint64_t most);
/* Reads what pv_put_difference wrote for the same `from`; returns `to`. */
uint64_t pv_take_difference(struct pv_bytes *b, uint64_t from);
/* Reads the number of elements that follow, each of at least one byte; so it is at most the number
 * of bytes left. */
uint32_t pv_take_count(struct pv_bytes *b);
/* Reads what pv_put_bytes wrote. Returns borrowed bytes and their number; NULL on error. */
const uint8_t *pv_take_bytes(struct pv_bytes *b, size_t *n);

#endif
