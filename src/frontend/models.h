/* models.h -- the C library models, compiled to bitcode at build time and embedded. */
#ifndef PV_FRONTEND_MODELS_H
#define PV_FRONTEND_MODELS_H

#include <stddef.h>

/* Bitcode of all models for one data model; static storage. */
const unsigned char *pv_models_bitcode(unsigned pointer_bits, size_t *n);

#endif
