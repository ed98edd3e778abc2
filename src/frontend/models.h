/* models.h -- the C library models, compiled to bitcode at build time and embedded.
 *
 * They are linked file by file, as an archive is: a file that defines something that the program
 * lacks. What a file defines for other files of models begins with `__proviso_`; everything else in
 * it is there only if something referred to it when the file was linked. */
#ifndef PV_FRONTEND_MODELS_H
#define PV_FRONTEND_MODELS_H

/* Bitcode, from its begin to its end, of one file of models/. */
struct pv_model {
  const unsigned char *begin, *end;
};
enum { PV_MAX_MODELS = 64 };
/* The models for one data model, in the order of their names; static storage. */
const struct pv_model *pv_models(unsigned pointer_bits, unsigned *n);

#endif
