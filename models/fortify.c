/* fortify.c -- the checked variants that a fortified program calls. Their size arguments are not
 * needed, because every access is checked against its object anyway. */
#include "model.h"

void *__memcpy_chk(void *restrict to, const void *restrict from, size_t n, size_t room) {
  (void)room;
  pv_check_given(to, n), pv_check_given(from, n);
  __proviso_copy_disjoint(to, from, n);
  return to;
}
void *__memmove_chk(void *to, const void *from, size_t n, size_t room) {
  (void)room;
  pv_check_given(to, n), pv_check_given(from, n);
  __proviso_copy(to, from, n);
  return to;
}
void *__memset_chk(void *to, int c, size_t n, size_t room) {
  (void)room;
  pv_check_given(to, n);
  __proviso_fill(to, c, n);
  return to;
}
char *__strcpy_chk(char *restrict to, const char *restrict from, size_t room) {
  (void)room;
  pv_copy_text(to, from, pv_length(from) + 1);
  return to;
}
char *__strcat_chk(char *restrict to, const char *restrict from, size_t room) {
  (void)room;
  __proviso_copy_disjoint(to + pv_length(to), from, pv_length(from) + 1);
  return to;
}
char *__strncpy_chk(char *restrict to, const char *restrict from, size_t n, size_t room) {
  (void)room;
  size_t length = pv_length_max(from, n);
  pv_check_given(to, n), pv_check_given(from, n);
  __proviso_check(!pv_overlap(to, n, from, length + (length < n)), PV_OVERLAP);
  __proviso_copy(to, from, length);
  if (length < n) __proviso_fill(to + length, 0, n - length);
  return to;
}
char *__strncat_chk(char *restrict to, const char *restrict from, size_t n, size_t room) {
  (void)room;
  char *end = to + pv_length(to);
  size_t length = pv_length_max(from, n);
  pv_check_given(from, n);
  __proviso_check(!pv_overlap(end, length + 1, from, length + (length < n)), PV_OVERLAP);
  __proviso_copy(end, from, length);
  end[length] = 0;
  return to;
}
_Noreturn void __chk_fail(void) {
  __proviso_check(false, "a buffer overflow found by a fortified function");
  __proviso_abort();
}
char *__stpcpy_chk(char *restrict to, const char *restrict from, size_t room) {
  (void)room;
  size_t length = pv_length(from);
  __proviso_copy_disjoint(to, from, length + 1);
  return to + length;
}
void *__mempcpy_chk(void *restrict to, const void *restrict from, size_t n, size_t room) {
  (void)room;
  __proviso_copy_disjoint(to, from, n);
  return (char *)to + n;
}
void __explicit_bzero_chk(void *to, size_t n, size_t room) {
  (void)room;
  __proviso_fill(to, 0, n);
}
