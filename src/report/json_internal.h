/* json_internal.h -- what the writers of JSON share. Nothing outside src/report includes it. */
#ifndef PV_JSON_INTERNAL_H
#define PV_JSON_INTERNAL_H

#include <cjson/cJSON.h>

/* Whatever is not UTF-8 becomes U+FFFD; NULL becomes null. */
cJSON *pv_json_string(const char *text);

#endif
