/* models.h -- the C library models, compiled to bitcode at build time and embedded.
 *
 * They are linked file by file, as an archive is: a file that defines something that the program
 * lacks. What a file defines for other files of models begins with `__proviso_`; everything else in
 * it is there only if something referred to it when the file was linked. */
#ifndef PV_FRONTEND_MODELS_H
#define PV_FRONTEND_MODELS_H

struct pv_model {          /* one file of models/ */
  const char *begin, *end; /* bitcode */
  const char *names;       /* what it defines for others, a line each */
};
/* The models for one data model, in the order of their names; static storage. */
const struct pv_model *pv_models(unsigned pointer_bits, unsigned *n);

#endif
