// Strings of wide characters: copies, comparisons, searches.
// expect: false(valid-deref)
// args: -- -DCASE=1
// run: -- -DCASE=2 => false(valid-deref)
// run: -- -DCASE=3 => false(def-behavior)
// run: -- -DCASE=4 => false(valid-deref)
// run: -- -DCASE=5 => false(valid-deref)
// run: -- -DCASE=11 => true
// run: --32 -- -DCASE=1 => false(valid-deref)
// run: --32 -- -DCASE=11 => true
#include <assert.h>
#include <stdlib.h>
#include <wchar.h>
#include <wctype.h>
static void all_fine(void) {
  wchar_t b[8], c[8], *rest, *copy;
  assert(wcslen(wcscpy(b, L"ab")) == 2 && wcsnlen(b, 1) == 1);
  assert(!wcscmp(wcscat(b, L"cd"), L"abcd") && wcscmp(b, L"abce") < 0 && wcscmp(b, L"abc") > 0);
  assert(wcsncmp(b, L"abxx", 2) == 0 && wcscmp(L"\x7fffffff", L"a") > 0);
  wcsncpy(c, b, 6);
  assert(c[4] == 0 && c[5] == 0 && !wmemcmp(b, c, 5));
  assert(!wcscmp(wcsncat(c, L"efgh", 2), L"abcdef"));
  assert(wcschr(b, L'c') == b + 2 && !wcschr(b, L'x') && wcschr(b, 0) == b + 4);
  assert(wcsrchr(L"xyx", L'x')[1] == 0 && wcsstr(b, L"cd") == b + 2 && !wcsstr(b, L"ce"));
  assert(wcsspn(b, L"ba") == 2 && wcscspn(b, L"dc") == 2 && wcspbrk(b, L"d") == b + 3);
  wmemmove(b + 1, b, 4);
  assert(b[0] == L'a' && b[1] == L'a' && wmemchr(b, L'd', 5) == b + 4);
  wmemset(b, L'z', 3);
  assert(b[2] == L'z' && b[3] == L'c');
  wcscpy(b, L",a,,b");
  assert(!wcscmp(wcstok(b, L",", &rest), L"a") && !wcscmp(wcstok(NULL, L",", &rest), L"b"));
  assert(!wcstok(NULL, L",", &rest) && towupper(L'x') == L'X' && iswdigit(L'7') && !iswalpha(300));
  copy = wcsdup(L"copy");
  assert(!copy || !wcscmp(copy, L"copy"));
  free(copy);
  char narrow[4];
  assert(mbstowcs(c, "hey", 8) == 3 && c[2] == L'y' && mbstowcs(NULL, "four", 0) == 4);
  assert(wcstombs(narrow, c, 4) == 3 && narrow[1] == 'e' && wcstombs(narrow, L"\x3b1", 4) == (size_t)-1);
  assert(mbtowc(b, "a", 1) == 1 && *b == L'a' && mbtowc(b, "\xe4", 1) == -1 && mbtowc(b, "", 1) == 0);
}
int main(void) {
  wchar_t b[4] = L"abc", *copy;
  switch (CASE) {
  case 1: wcscpy(b, L"abcd"); break;
  case 2: wcsncpy(b, L"abcd", 4); return (int)wcslen(b); /* no terminator */
  case 3: wcscpy(b, b + 1); break;
  case 4: wcsncat(b, L"d", 1); break;
  case 5:
    copy = wcsdup(L"abc");
    if (copy) copy[4] = 0;
    free(copy);
    break;
  case 11: all_fine(); break;
  }
  return 0;
}
