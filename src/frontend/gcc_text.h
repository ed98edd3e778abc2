/* gcc_text.h -- adapts text that GCC has preprocessed, so that clang accepts it.
 *
 * GCC's headers use features that clang lacks: arguments of the attribute `malloc`, types `_FloatN`
 * and their constants, and builtins that are meaningful only in inlined functions. The text is
 * changed token by token and in place. Removed tokens become blanks, so lines and columns stay
 * those of the file. If clang spells a feature differently, a macro in front of the text defines
 * it.
 *
 * A GNU `extern inline` function is never compiled on its own: a call that is not inlined calls the
 * external function of the same name. So bodies that clang cannot read are dropped. Such functions
 * are removed completely if nothing in the text names them (thousands of vector intrinsics). */
#ifndef PV_GCC_TEXT_H
#define PV_GCC_TEXT_H

#include "base/base.h"

/* Changes the text in place, and appends `#define` lines to `prelude`. Text that is evidently not C
 * is left unchanged. */
void pv_gcc_text(char *text, struct pv_str *prelude);
/* Replaces line markers (`# 12 "file.h"`) by blanks. Other directives stay. */
void pv_gcc_blank_markers(char *text);

#endif
