/* models.h -- the models of the C library, compiled to bitcode at build time and embedded.
 *
 * They are linked file by file, like an archive: a file is linked if it defines something that the
 * program lacks. Names that a file defines for other models begin with `__proviso_`. Its other
 * definitions are kept only if something referred to them when the file was linked. It refers to
 * what the program may define only by weak references: hooks, which may be missing. */
#ifndef PV_FRONTEND_MODELS_H
#define PV_FRONTEND_MODELS_H

struct pv_model {          /* one file of models/ */
  const char *begin, *end; /* bitcode */
  const char *names;       /* its definitions for others, one in each line */
};
/* The models for one data model, in the order of their names; static storage. */
const struct pv_model *pv_models(unsigned pointer_bits, unsigned *n);

struct pv_header { /* a header of an interface that is modelled, for programs to include */
  const char *name, *begin, *end;
};
/* Ends with an entry without a name. */
extern const struct pv_header pv_headers[];

#endif
