#include "report/changes.h"
#include "report/report.h"

#include <stdlib.h>
#include <string.h>

/* Layout: thread, place, source text and values in four columns. Values that do not fit are below
 * the text, indented. */
enum {
  WIDTH = 80,
  PLACE_MAX = 30,
  VALUES_MIN = 24,
  INDENT = 4,
  LONG_PATH = 400, /* of a longer path only the two ends are shown */
  SHOWN_FIRST = 100,
  SHOWN_LAST = 200
};
static const char dim[] = "\033[2m", bold_red[] = "\033[1;31m", plain[] = "\033[0m";
static const char *const thread_colours[] = {"\033[36m", "\033[33m", "\033[35m",
                                             "\033[32m", "\033[34m", "\033[31m"};

/* Length of the valid UTF-8 sequence at s, 0 if there is none. Overlong forms, surrogates and C1
 * control characters (which some terminals obey) are invalid. */
static unsigned utf8_length(const unsigned char *s) {
  if (*s < 0x80) return 1;
  unsigned n = *s >= 0xc2 && *s <= 0xdf   ? 2
               : (*s & 0xf0) == 0xe0      ? 3
               : *s >= 0xf0 && *s <= 0xf4 ? 4
                                          : 0;
  for (unsigned i = 1; i < n; i++)
    if ((s[i] & 0xc0) != 0x80) return 0;
  if (n == 2 && *s == 0xc2 && s[1] < 0xa0) return 0;
  if (n == 3 && ((*s == 0xe0 && s[1] < 0xa0) || (*s == 0xed && s[1] > 0x9f))) return 0;
  if (n == 3 && *s == 0xe2 &&
      ((s[1] == 0x80 && s[2] >= 0x8e && s[2] <= 0x8f) ||
       (s[1] == 0x80 && s[2] >= 0xa8 && s[2] <= 0xae) ||
       (s[1] == 0x81 && s[2] >= 0xa6 && s[2] <= 0xa9)))
    return 0; /* line separators and changes of the writing direction */
  if (n == 4 && ((*s == 0xf0 && s[1] < 0x90) || (*s == 0xf4 && s[1] > 0x8f))) return 0;
  return n;
}

/* Writes one character of the text as it is shown. Returns the number of bytes read; *columns is
 * its width. */
static unsigned clean_one(const unsigned char *s, bool escape, char shown[8], unsigned *columns) {
  static const char letters[] = "\aa\bb\tt\nn\vv\ff\rr";
  unsigned n = utf8_length(s);
  const char *letter = *s && *s < 0x20 ? strchr(letters, *s) : NULL;
  if (n && *s >= 0x20 && *s != 0x7f) {
    memcpy(shown, s, n);
    shown[n] = '\0';
    *columns = 1;
    return n;
  }
  if (!escape && n)
    strcpy(shown, " ");
  else if (letter)
    shown[0] = '\\', shown[1] = letter[1], shown[2] = '\0';
  else {
    static const char hex[] = "0123456789abcdef";
    char code[] = {'\\', 'x', hex[*s >> 4], hex[*s & 15], '\0'};
    strcpy(shown, code);
  }
  *columns = (unsigned)strlen(shown);
  return 1;
}

unsigned pv_report_clean(const char *text, unsigned columns, bool escape, struct pv_str *out) {
  unsigned used = 0, dots = 0;
  size_t cut = out->n; /* where the dots would be */
  for (const unsigned char *s = (const unsigned char *)text; *s;) {
    char shown[8];
    unsigned wide, n = clean_one(s, escape, shown, &wide);
    if (columns && used + wide > columns) {
      out->n = cut;
      if (out->at) out->at[cut] = '\0';
      pv_str_add(out, "...");
      return dots + 3;
    }
    pv_str_add(out, shown);
    used += wide;
    s += n;
    if (columns < 3 || used <= columns - 3) cut = out->n, dots = used;
  }
  return used;
}

static const char *base_name(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

/* Writes "bank.c:12". Returns its width. */
static unsigned add_place(const struct pv_step *s, struct pv_str *out) {
  struct pv_str place = {0};
  if (s->file && s->line)
    pv_str_addf(&place, "%s:%u", base_name(s->file), s->line);
  else
    pv_str_add(&place, s->file ? base_name(s->file) : "-");
  const char *text = pv_str_cstr(&place);
  size_t n = strlen(text);
  /* the line number is at the end, so it is cut at the front */
  unsigned used = pv_report_clean(n > PLACE_MAX ? text + n - PLACE_MAX : text, 0, true, out);
  pv_str_free(&place);
  return used;
}

struct layout {
  const struct pv_path_style *style;
  unsigned width, thread_width, place_width, text_at, values_at;
};

static struct layout measure(const struct pv_error_path *path, const struct pv_path_style *style) {
  struct layout l = {.style = style, .thread_width = 1};
  l.width = style->width ? style->width : WIDTH;
  unsigned longest = 0;
  struct pv_str scratch = {0};
  for (uint32_t i = 0; i < path->steps.n; i++) {
    const struct pv_step *s = &path->steps.at[i];
    if (s->thread > 9) l.thread_width = s->thread > 99 ? 3 : 2;
    pv_str_clear(&scratch);
    unsigned place = add_place(s, &scratch);
    if (place > l.place_width) l.place_width = place;
    unsigned text = s->text ? pv_report_clean(s->text, l.width, false, &scratch) : 0;
    if (text > longest) longest = text;
  }
  pv_str_free(&scratch);
  l.text_at = 2 + 7 + l.thread_width + 2 + l.place_width + 2;
  unsigned widest =
      l.width > l.text_at + VALUES_MIN + 3 ? l.width - l.text_at - VALUES_MIN - 3 : 10;
  l.values_at = l.text_at + (longest < widest ? longest : widest) + 3;
  return l;
}

/* The items to the right of the source text; items are not broken across lines. */
struct items {
  PV_VEC(char *) at;
};

static void add_item(struct items *items, unsigned columns, const char *before, const char *text,
                     const char *after) {
  struct pv_str item = {0};
  columns -= (unsigned)(strlen(before) + strlen(after));
  pv_str_add(&item, before);
  pv_report_clean(text, columns, true, &item);
  pv_str_add(&item, after);
  pv_vec_push(&items->at, item.at);
}

/* If "name = value" is too long, the name is cut, because the value is more important. */
static void add_change(struct items *items, unsigned columns, const char *name, const char *value) {
  struct pv_str shown = {0};
  unsigned whole = pv_report_clean(value, columns, true, &shown);
  pv_str_clear(&shown);
  unsigned room = whole + 3 < columns ? columns - whole - 3 : 0;
  if (room < columns / 2) room = columns / 2;
  pv_report_clean(name, room, true, &shown);
  char *text = pv_format("%s = %s", pv_str_cstr(&shown), value);
  add_item(items, columns, "", text, "");
  free(text);
  pv_str_free(&shown);
}

/* Each item fits on a line of its own, with a comma. */
static struct items collect_items(const struct layout *l, const struct pv_step *s) {
  struct items items = {0};
  unsigned columns = l->width > l->text_at + INDENT + 21 ? l->width - l->text_at - INDENT - 1 : 20;
  struct pv_str name = {0}, value = {0};
  for (uint32_t i = 0, n; i < s->changes.n; i += n) {
    n = pv_report_run(&s->changes.at[i], s->changes.n - i, &name, &value);
    if (n == 1)
      add_change(&items, columns, s->changes.at[i].name, s->changes.at[i].value);
    else
      add_change(&items, columns, pv_str_cstr(&name), pv_str_cstr(&value));
    pv_str_clear(&name);
    pv_str_clear(&value);
  }
  pv_str_free(&name);
  pv_str_free(&value);
  if (s->note) add_item(&items, columns, "", s->note, "");
  if (s->output) add_item(&items, columns, "prints \"", s->output, "\"");
  return items;
}

/* Items are in the values column as long as they fit, then on lines of their own. */
static void add_items(const struct layout *l, struct items *items, unsigned at,
                      struct pv_str *out) {
  unsigned from = at + 3 > l->values_at ? at + 3 : l->values_at, indent = l->text_at + INDENT;
  for (uint32_t i = 0; i < items->at.n; i++) {
    unsigned columns = i + 1 < items->at.n; /* the comma, and bytes that begin a character */
    for (const char *c = items->at.at[i]; *c; c++) columns += (*c & 0xc0) != 0x80;
    unsigned begin = i ? at + 1 : from;
    if (begin + columns > l->width) {
      pv_str_addc(out, '\n');
      at = 0;
      begin = indent;
    }
    pv_str_addf(out, "%*s%s%s", (int)(begin - at), "", items->at.at[i],
                i + 1 < items->at.n ? "," : "");
    at = begin + columns;
    free(items->at.at[i]);
  }
  pv_vec_free(&items->at);
}

static void add_step(const struct layout *l, const struct pv_step *s, bool is_last,
                     struct pv_str *out) {
  bool colour = l->style->colour;
  struct items items = collect_items(l, s);
  if (colour) pv_str_add(out, thread_colours[s->thread % 6]);
  pv_str_addf(out, "  thread %-*u  ", (int)l->thread_width, s->thread);
  if (colour) pv_str_add(out, plain);
  if (colour) pv_str_add(out, dim);
  unsigned place = add_place(s, out);
  if (colour) pv_str_add(out, plain);
  unsigned at = l->text_at;
  if (s->text || items.at.n) pv_str_addf(out, "%*s", (int)(l->place_width + 2 - place), "");
  if (colour && is_last) pv_str_add(out, bold_red);
  if (s->text) at += pv_report_clean(s->text, l->width > at + 10 ? l->width - at : 10, false, out);
  if (colour && is_last) pv_str_add(out, plain);
  if (items.at.n) add_items(l, &items, at, out);
  pv_str_addc(out, '\n');
}

/* ---- loops of steps -------------------------------------------------------------------------- */
/* Rounds of steps that repeat: the first and the last one are shown. */
struct rounds {
  uint32_t period, times;
};

static bool is_same_text(const char *a, const char *b) {
  return a == b || (a && b && !strcmp(a, b));
}

static bool is_same_place(const struct pv_step *a, const struct pv_step *b) {
  return a->thread == b->thread && a->line == b->line && a->column == b->column &&
         is_same_text(a->file, b->file) && is_same_text(a->text, b->text);
}

/* The rounds that begin at step `i` and hide most steps; times == 0: none is worth it. Nothing that
 * is said between steps (the gap, where a lasso begins, the cut of a long path) is hidden. */
static struct rounds find_rounds(const struct pv_error_path *path, uint32_t i, uint32_t n) {
  enum { LONGEST = 24, LEAST_HIDDEN = 3 };
  struct rounds best = {0};
  uint32_t hidden = LEAST_HIDDEN - 1;
  const struct pv_step *s = path->steps.at;
  const uint32_t stops[] = {path->left_out ? path->gap : 0, path->is_lasso ? path->loop_step : 0,
                            n > LONG_PATH ? SHOWN_FIRST : 0};
  for (uint32_t k = 0; k < 3; k++)
    if (stops[k] > i && stops[k] < n) n = stops[k];
  for (uint32_t period = 1; period <= LONGEST && i + 3 * period <= n; period++) {
    uint32_t end = i + period;
    while (end < n && is_same_place(&s[end], &s[end - period])) end++;
    uint32_t times = (end - i) / period;
    if (times < 3 || (times - 2) * period <= hidden) continue;
    hidden = (times - 2) * period;
    best = (struct rounds){period, times};
  }
  return best;
}

static void add_fold(const struct rounds *r, struct pv_str *out) {
  uint32_t more = r->times - 2;
  if (r->period == 1)
    pv_str_addf(out, "  ... this step %u more time%s ...\n", more, more == 1 ? "" : "s");
  else
    pv_str_addf(out, "  ... these %u steps %u more time%s ...\n", r->period, more,
                more == 1 ? "" : "s");
}

void pv_report_path(const struct pv_error_path *path, const struct pv_path_style *style,
                    struct pv_str *out) {
  struct layout l = measure(path, style);
  uint32_t n = path->steps.n;
  struct rounds rounds = {0};
  uint32_t fold_at = UINT32_MAX, looked_to = 0;
  if (style->last && style->last < n) n = style->last;
  for (uint32_t i = 0; i < n; i++) {
    if (!style->whole && i >= looked_to) {
      rounds = find_rounds(path, i, n);
      if (rounds.times) fold_at = i + rounds.period, looked_to = i + rounds.times * rounds.period;
    }
    if (i == fold_at) {
      if (i && path->steps.at[i].thread != path->steps.at[i - 1].thread) pv_str_addc(out, '\n');
      add_fold(&rounds, out);
      i += (rounds.times - 2) * rounds.period;
    }
    const struct pv_step *s = &path->steps.at[i];
    if (!style->whole && n > LONG_PATH && i == SHOWN_FIRST) {
      uint32_t left_out = n - SHOWN_FIRST - SHOWN_LAST;
      pv_str_addf(out, "\n  ... %s%llu steps are not shown (--verbose and --json give %s) ...\n\n",
                  path->left_out ? "more than " : "",
                  (unsigned long long)(left_out + path->left_out),
                  path->left_out ? "more" : "them all");
      bool hides = path->is_lasso && path->loop_step >= i && path->loop_step < i + left_out;
      if (hides) pv_str_add(out, "  ... and then, for ever:\n\n");
      i += left_out - 1;
      continue;
    }
    if (path->left_out && i == path->gap)
      pv_str_addf(out, "\n  ... more than %llu steps were not kept ...\n\n",
                  (unsigned long long)path->left_out);
    bool begins = path->is_lasso && i == path->loop_step && path->loop < path->choices.n;
    if (begins) pv_str_add(out, "\n  ... and then, for ever:\n\n");
    if (i && s->thread != s[-1].thread && out->n > 1 && strcmp(out->at + out->n - 2, "\n\n") != 0)
      pv_str_addc(out, '\n');
    add_step(&l, s, i + 1 == path->steps.n, out);
  }
  if (path->is_lasso && n == path->steps.n && path->loop_step >= n)
    pv_str_add(out, path->loop == path->choices.n
                        ? "\n  ... and then nothing happens any more\n"
                        : "\n  ... and then, for ever: a loop without statements\n");
}

void pv_report_values(const struct pv_error_path *path, uint32_t last, struct pv_str *out) {
  struct pv_map newest = {0}; /* name -> index in `values` */
  PV_VEC(const struct pv_change *) values = {0};
  for (uint32_t i = 0; i < path->steps.n && (!last || i < last); i++) {
    const struct pv_step *s = &path->steps.at[i];
    for (uint32_t j = 0; j < s->changes.n; j++) {
      bool is_new;
      uint32_t *at = pv_map_put_str(&newest, s->changes.at[j].name, values.n, &is_new);
      if (is_new)
        pv_vec_push(&values, &s->changes.at[j]);
      else
        values.at[*at] = &s->changes.at[j];
    }
  }
  for (uint32_t i = 0; i < values.n; i++) {
    char *text = pv_format("%s = %s", values.at[i]->name, values.at[i]->value);
    pv_str_add(out, "  ");
    pv_report_clean(text, WIDTH - 2, true, out);
    pv_str_addc(out, '\n');
    free(text);
  }
  pv_vec_free(&values);
  pv_map_free(&newest);
}

void pv_report_path_size(const struct pv_error_path *path, struct pv_str *out) {
  uint32_t switches = 0, n = path->steps.n;
  for (uint32_t i = 1; i < n; i++)
    switches += path->steps.at[i].thread != path->steps.at[i - 1].thread;
  if (path->left_out)
    pv_str_addf(out, "more than %llu steps", (unsigned long long)(n + path->left_out));
  else
    pv_str_addf(out, "%u step%s, %u context switch%s", n, n == 1 ? "" : "s", switches,
                switches == 1 ? "" : "es");
}
