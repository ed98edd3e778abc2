/* gcc_text.h -- makes a text that GCC has preprocessed readable for clang.
 *
 * GCC's headers use what clang has not: arguments of the attribute `malloc`, types `_FloatN` and
 * their constants, builtins that only make sense where a function is put in at its call. The text
 * is changed token by token and in place: whatever goes becomes blanks, so that lines and columns
 * stay those of the file. What has another spelling in clang is defined as a macro in front of the
 * text.
 *
 * An `extern inline` function of GNU's kind is never compiled on its own: whoever does not put it
 * in calls the external function of its name. So the bodies that clang cannot read are dropped, and
 * such functions go altogether where nothing in the text names them (thousands of vector
 * intrinsics).
 */
#ifndef PV_GCC_TEXT_H
#define PV_GCC_TEXT_H

#include "base/base.h"

/* Changes the text; adds `#define` lines to `prelude`. Text that is no C is left as it is where
 * that shows. */
void pv_gcc_text(char *text, struct pv_str *prelude);
/* Blanks the lines `# 12 "file.h"`; other directives stay. */
void pv_gcc_blank_markers(char *text);

#endif
