/* json_internal.h -- shared by the files that write JSON. Nothing outside src/report includes it.
 */
#ifndef PV_JSON_INTERNAL_H
#define PV_JSON_INTERNAL_H

#include <cjson/cJSON.h>

#include "base/base.h"

/* A JSON string. Bytes that are not UTF-8 become U+FFFD; NULL becomes null. */
cJSON *pv_json_string(const char *text);
/* Returns an empty object. From now on cJSON's allocations do not fail: the process ends instead.
 */
cJSON *pv_json_begin(void);
/* Appends the object as text, with a newline, and frees it. */
void pv_json_end(cJSON *root, struct pv_str *out);

#endif
