/* externals.h -- shared by externals.c, externals_float.c and externals_given.c. Each handler
 * lowers a call of one function that is known by its name. */
#ifndef PV_FRONTEND_EXTERNALS_H
#define PV_FRONTEND_EXTERNALS_H

#include "frontend/frontend_internal.h"

/* Argument k, converted to type t. If it is missing, the path ends as unsupported. */
pv_expr pv_ext_arg(struct pv_fn *fn, const struct pv_call *call, unsigned k, pv_type t);
/* A new variable for the result of the call; PV_NO_VAR if it has none. */
uint32_t pv_ext_result(struct pv_fn *fn, struct pv_call *call);
/* Makes e the result of the call, if that is used. */
void pv_ext_give(struct pv_fn *fn, struct pv_call *call, pv_expr e);

/* ---- externals_given.c ----------------------------------------------------------------------- */
/* Functions of the models (models/model.h) for texts and settings that options give. */
void pv_ext_texts(struct pv_fn *fn, struct pv_call *call);
void pv_ext_any_text(struct pv_fn *fn, struct pv_call *call);
void pv_ext_order_matters(struct pv_fn *fn, struct pv_call *call);
void pv_ext_text(struct pv_fn *fn, struct pv_call *call);
void pv_ext_bound(struct pv_fn *fn, struct pv_call *call);
void pv_ext_signals_end(struct pv_fn *fn, struct pv_call *call);
void pv_ext_tried(struct pv_fn *fn, struct pv_call *call);
void pv_ext_setting(struct pv_fn *fn, struct pv_call *call);

/* ---- externals_float.c ----------------------------------------------------------------------- */
/* C's functions of floating-point numbers; isnan, isinf and finite. Return false for any other
 * function. */
bool pv_ext_float_function(struct pv_fn *fn, struct pv_call *call);
bool pv_ext_float_test(struct pv_fn *fn, struct pv_call *call);
/* __proviso_whole: the conversion of a double that the caller has found to be in range. */
void pv_ext_whole(struct pv_fn *fn, struct pv_call *call);

#endif
