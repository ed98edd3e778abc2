/* sha256.h -- SHA-256 (FIPS 180-4), for the files that witnesses are about. */
#ifndef PV_SHA256_H
#define PV_SHA256_H

#include <stddef.h>

/* Writes 64 hexadecimal digits and a NUL. */
void pv_sha256(const void *data, size_t n, char out[65]);

#endif
