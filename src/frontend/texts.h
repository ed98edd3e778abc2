/* texts.h -- the texts that the VM tries for unknown text: the program's arguments, values of its
 * environment, its standard input, its files.
 *
 * They are concrete texts, so that an error found with one is real. The program suggests good ones:
 * the characters and words that it compares with, the sizes of its arrays (texts that just fit, and
 * texts that are too long), its numbers. A proviso says that other texts were not tried. */
#ifndef PV_FRONTEND_TEXTS_H
#define PV_FRONTEND_TEXTS_H

#include "frontend/frontend_internal.h"

/* How main uses its arguments. Call it before the models are linked. */
struct pv_main_uses {
  bool count, strings, environment;
};
struct pv_main_uses pv_fe_main_uses(struct pv_fe *fe);

/* Does the program call a function that opens files? */
bool pv_fe_opens_files(struct pv_fe *fe);

/* Fills the program's `texts` (see struct pv_program). Call it after the program's own modules
 * are linked and before the models are, because models are not to be searched. */
void pv_fe_find_texts(struct pv_fe *fe);
/* Replaces calls of printf, fprintf and scanf whose format is a literal by calls of functions that
 * are specialised for it. Call it when the models are linked. */
void pv_fe_specialise_formats(struct pv_fe *fe);
/* Gives constant texts that are written to streams of C++ their lengths. */
void pv_fe_specialise_streams(struct pv_fe *fe);

#endif
