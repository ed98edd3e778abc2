#include "report/changes.h"

#include <stdlib.h>
#include <string.h>

enum { LEAST = 3 }; /* elements in a row that are put together */

/* The length of `name` without its last index, such as 4 for "path[12]"; 0: it ends otherwise. */
static size_t array_of(const char *name, unsigned long *index) {
  const char *bracket = strrchr(name, '[');
  char *end;
  if (!bracket || bracket[1] < '0' || bracket[1] > '9') return 0;
  *index = strtoul(bracket + 1, &end, 10);
  return strcmp(end, "]") == 0 ? (size_t)(bracket - name) : 0;
}

/* How many of the changes are elements of one array, in a row. */
static uint32_t elements(const struct pv_change *c, uint32_t n, size_t *array,
                         unsigned long *first) {
  uint32_t count = 0;
  unsigned long index;
  *array = array_of(c->name, first);
  while (*array && count < n && array_of(c[count].name, &index) == *array &&
         index == *first + count && strncmp(c[count].name, c->name, *array) == 0)
    count++;
  return count;
}

static bool is_character(const char *value, long *code) {
  char *end;
  *code = strtol(value, &end, 10);
  return strncmp(end, " '", strlen(" '")) == 0;
}

/* How many of the elements are a text: characters up to the first 0, and zeros behind it. */
static uint32_t characters(const struct pv_change *c, uint32_t n, struct pv_str *value) {
  uint32_t i = 0, shown = 0;
  long code = 0;
  if (!is_character(c->value, &code)) return 0;
  pv_str_addc(value, '"');
  for (; i < n && (is_character(c[i].value, &code) || code); i++) {
    unsigned char byte = (unsigned char)code;
    shown += is_character(c[i].value, &code);
    if (byte == '"' || byte == '\\')
      pv_str_addf(value, "\\%c", byte);
    else if (byte >= ' ' && byte <= '~')
      pv_str_addc(value, (char)byte);
    else
      pv_str_addf(value, "\\%03o", byte);
  }
  pv_str_addc(value, '"');
  while (i < n && strcmp(c[i].value, "0") == 0) i++;
  if (shown && i >= LEAST) return i;
  pv_str_clear(value);
  return 0;
}

uint32_t pv_report_run(const struct pv_change *changes, uint32_t n, struct pv_str *name,
                       struct pv_str *value) {
  size_t array;
  unsigned long first;
  uint32_t in_a_row = elements(changes, n, &array, &first), same = 1;
  if (in_a_row < LEAST) return 1;
  uint32_t text = characters(changes, in_a_row, value);
  if (text) {
    pv_str_addn(name, changes->name, array);
    if (first) pv_str_addf(name, "[%lu..%lu]", first, first + text - 1);
    return text;
  }
  while (same < in_a_row && strcmp(changes[same].value, changes->value) == 0) same++;
  if (same < LEAST) return 1;
  pv_str_addn(name, changes->name, array);
  pv_str_addf(name, "[%lu..%lu]", first, first + same - 1);
  pv_str_add(value, changes->value);
  return same;
}
