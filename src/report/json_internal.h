/* json_internal.h -- what the writers of JSON share. Nothing outside src/report includes it. */
#ifndef PV_JSON_INTERNAL_H
#define PV_JSON_INTERNAL_H

#include <cjson/cJSON.h>

#include "base/base.h"

/* Whatever is not UTF-8 becomes U+FFFD; NULL becomes null. */
cJSON *pv_json_string(const char *text);
/* An empty object; what is made from now on is never NULL for want of memory. */
cJSON *pv_json_begin(void);
/* Appends the object as text, with a newline, and frees it. */
void pv_json_end(cJSON *root, struct pv_str *out);

#endif
