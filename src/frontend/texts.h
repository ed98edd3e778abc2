/* texts.h -- what the machine tries for text that nobody knows: the program's arguments, values of
 * its environment, its standard input, its files.
 *
 * All of them are real text, so that an error found with one is real. Which ones are good is
 * guessed from the program: characters and words that it compares with, sizes of its arrays (texts
 * that just fit, and that do not), its numbers. What nobody tried is told by a proviso. */
#ifndef PV_FRONTEND_TEXTS_H
#define PV_FRONTEND_TEXTS_H

#include "frontend/frontend_internal.h"

/* Does main look at its arguments? To be asked before the models are linked. */
struct pv_main_uses {
  bool count, strings, environment;
};
struct pv_main_uses pv_fe_main_uses(struct pv_fe *fe);

/* Does the program call what opens a file? */
bool pv_fe_opens_files(struct pv_fe *fe);

/* Fills the program's `texts` (see struct pv_program). Call when the program's own modules are
 * linked, and the models are not: they are not looked at. */
void pv_fe_find_texts(struct pv_fe *fe);

#endif
