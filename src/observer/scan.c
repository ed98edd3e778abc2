#include "observer/scan.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

bool pv_scan_failed(const struct pv_scanner *s) {
  return s->err->n > 0;
}

void pv_scan_wrong(struct pv_scanner *s, struct pv_text_place at, const char *fmt, ...) {
  va_list ap;
  if (pv_scan_failed(s)) return;
  pv_str_addf(s->err, "%s:%u:%u: ", s->path, at.line, at.column);
  va_start(ap, fmt);
  pv_str_vaddf(s->err, fmt, ap);
  va_end(ap);
}

bool pv_word_is(const struct pv_scanner *s, const char *text) {
  return (s->word.kind == PV_WORD_NAME || s->word.kind == PV_WORD_SIGN) &&
         !strcmp(pv_str_cstr(&s->word.text), text);
}

/* ---- characters ------------------------------------------------------------------------------ */

static char here(const struct pv_scanner *s, size_t ahead) {
  return s->i + ahead < s->n ? s->text[s->i + ahead] : '\0';
}

static char take(struct pv_scanner *s) {
  char c = s->text[s->i++];
  if (c == '\n')
    s->at = (struct pv_text_place){s->at.line + 1, 1};
  else
    s->at.column++;
  return c;
}

static void skip_comment(struct pv_scanner *s) {
  struct pv_text_place from = s->at;
  if (here(s, 1) == '/') {
    while (s->i < s->n && here(s, 0) != '\n') take(s);
    return;
  }
  take(s);
  take(s);
  while (s->i < s->n && !(here(s, 0) == '*' && here(s, 1) == '/')) take(s);
  if (s->i >= s->n) {
    pv_scan_wrong(s, from, "the comment has no end");
    return;
  }
  take(s);
  take(s);
}

static void skip_blanks(struct pv_scanner *s) {
  while (s->i < s->n && !pv_scan_failed(s)) {
    char c = here(s, 0);
    if (c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f')
      take(s);
    else if (c == '/' && (here(s, 1) == '/' || here(s, 1) == '*'))
      skip_comment(s);
    else
      return;
  }
}

/* ---- words ----------------------------------------------------------------------------------- */

static void quoted(struct pv_scanner *s, char end) {
  struct pv_text_place from = s->at;
  take(s);
  s->word.inside = s->at;
  while (s->i < s->n) {
    char c = take(s);
    if (c == end) return;
    if (c == '\n' && end != '}') break;
    if (c != '\\') {
      pv_str_addc(&s->word.text, c == '\n' || c == '\r' ? ' ' : c);
      continue;
    }
    char next = s->i < s->n ? take(s) : '\0';
    if (next == end || next == '\\')
      pv_str_addc(&s->word.text, next);
    else if (next == 't' || next == 'n' || next == 'r')
      pv_str_addc(&s->word.text, next == 't' ? '\t' : next == 'n' ? '\n' : '\r');
    else { /* of a regular expression */
      pv_str_addc(&s->word.text, '\\');
      if (next) pv_str_addc(&s->word.text, next);
    }
  }
  pv_scan_wrong(s, from, "`%c` is missing: what begins here has no end",
                end == '}' || end == ']' ? end : '"');
}

static bool in_name(char c) {
  return isalnum((unsigned char)c) || c == '_' || c == '$';
}

static void sign(struct pv_scanner *s) {
  static const char *const pairs[] = {"->", "==", "!=", "&&", "||"};
  static const char singles[] = ";:(),!=+-<>";
  for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
    if (here(s, 0) == pairs[i][0] && here(s, 1) == pairs[i][1]) {
      take(s);
      take(s);
      pv_str_add(&s->word.text, pairs[i]);
      return;
    }
  char c = here(s, 0);
  if (!c)
    pv_scan_wrong(s, s->at, "a zero byte");
  else if (!strchr(singles, c) && c > ' ' && c < 127)
    pv_scan_wrong(s, s->at, "`%c` is not expected here", c);
  else if (!strchr(singles, c))
    pv_scan_wrong(s, s->at, "the byte 0x%02x is not expected here", (unsigned)(unsigned char)c);
  else
    pv_str_addc(&s->word.text, take(s));
}

static void include(struct pv_scanner *s) {
  static const char word[] = "#include";
  struct pv_text_place at = s->at;
  struct pv_str name = {0};
  while (s->i < s->n && here(s, 0) != '\n' && here(s, 0) != '\r') pv_str_addc(&name, take(s));
  while (name.n && (name.at[name.n - 1] == ' ' || name.at[name.n - 1] == '\t')) name.n--;
  size_t skip = sizeof word - 1;
  bool is = name.n > skip && !memcmp(name.at, word, skip);
  size_t blanks = is ? strspn(pv_str_cstr(&name) + skip, " \t") : 0;
  if (!is || !blanks)
    pv_scan_wrong(s, at, "`#` begins nothing but `#include FILE`");
  else if (memchr(name.at, 0, name.n))
    pv_scan_wrong(s, at, "a zero byte");
  char *file = pv_scan_failed(s)
                   ? NULL
                   : pv_format("%.*s", (int)(name.n - skip - blanks), name.at + skip + blanks);
  if (file) pv_scan_include(s, file, at);
  free(file);
  pv_str_free(&name);
}

/* Skips what is no word, and enters and leaves included files. */
static void skip(struct pv_scanner *s) {
  for (bool more = true; more && !pv_scan_failed(s);) {
    skip_blanks(s);
    more = !pv_scan_failed(s);
    if (more && s->i < s->n && here(s, 0) == '#')
      include(s);
    else
      more = more && s->i >= s->n && pv_scan_leave(s);
  }
}

void pv_scan(struct pv_scanner *s) {
  s->word.kind = PV_WORD_END;
  pv_str_clear(&s->word.text);
  skip(s);
  s->word.at = s->word.inside = s->at;
  if (pv_scan_failed(s) || s->i >= s->n) return;
  char c = here(s, 0);
  if (c == '"' || c == '{' || c == '[') {
    s->word.kind = c == '"' ? PV_WORD_STRING : c == '{' ? PV_WORD_CURLY : PV_WORD_SQUARE;
    quoted(s, c == '"' ? '"' : c == '{' ? '}' : ']');
  } else if (isdigit((unsigned char)c)) {
    s->word.kind = PV_WORD_NUMBER;
    while (in_name(here(s, 0))) pv_str_addc(&s->word.text, take(s));
  } else if (in_name(c)) {
    s->word.kind = PV_WORD_NAME;
    while (in_name(here(s, 0))) pv_str_addc(&s->word.text, take(s));
  } else {
    s->word.kind = PV_WORD_SIGN;
    sign(s);
  }
  if (pv_scan_failed(s)) s->word.kind = PV_WORD_END;
  if (strlen(pv_str_cstr(&s->word.text)) != s->word.text.n)
    pv_scan_wrong(s, s->word.at, "a zero byte");
}
