/* view.c -- `proviso view`: steps through an error path in the terminal, with the same keys as the
 * page for the browser: a column for each thread, and below the values after the step. */
#include "cli/cli.h"
#include "proviso_internal.h"
#include "report/saved.h"

#include <stdlib.h>
#include <string.h>

#ifdef PROVISO_CURSES
#  include <curses.h>
#  include <locale.h>
#  include <unistd.h>

enum { MOST_LANES = 8, VALUES = 8 };

struct view {
  const struct pv_violation *v;
  uint32_t at, top; /* the step chosen, and the first one shown */
  uint32_t lanes;
  char search[64];
  const char *message;
};

static const struct pv_step *step_at(const struct view *w, uint32_t i) {
  return &w->v->path.steps.at[i];
}

/* ---- drawing --------------------------------------------------------------------------------- */
static void put(int y, int x, int columns, const char *text) {
  struct pv_str clean = {0};
  if (columns <= 0) return;
  pv_report_clean(text, (unsigned)columns, true, &clean);
  mvaddnstr(y, x, pv_str_cstr(&clean), -1);
  pv_str_free(&clean);
}

static void draw_step(const struct view *w, uint32_t i, int y, int width) {
  const struct pv_step *s = step_at(w, i);
  int lane_width = (width - 22) / (int)w->lanes, lane = (int)(s->thread % w->lanes);
  const char *slash = s->file ? strrchr(s->file, '/') : NULL;
  struct pv_str place = {0}, text = {0};
  pv_str_addf(&place, "%5u %.11s:%u", i + 1, slash ? slash + 1 : s->file ? s->file : "-", s->line);
  if (i == w->at) attron(A_REVERSE);
  mvhline(y, 0, ' ', width);
  put(y, 0, 21, pv_str_cstr(&place));
  if (has_colors()) attron(COLOR_PAIR(1 + s->thread % 6));
  pv_str_add(&text, s->text ? s->text : "");
  if (s->note) pv_str_addf(&text, "  [%s]", s->note);
  int room = i == w->at ? width - 22 - lane * lane_width : lane_width - 1;
  put(y, 22 + lane * lane_width, room, pv_str_cstr(&text));
  if (has_colors()) attroff(COLOR_PAIR(1 + s->thread % 6));
  if (i == w->at) attroff(A_REVERSE);
  pv_str_free(&place);
  pv_str_free(&text);
}

/* Has the value of this name a later change up to the chosen step? */
static bool is_outdated(const struct view *w, uint32_t i, uint32_t k) {
  const char *name = step_at(w, i)->changes.at[k].name;
  for (uint32_t j = i; j <= w->at; j++)
    for (uint32_t m = j == i ? k + 1 : 0; m < step_at(w, j)->changes.n; m++)
      if (!strcmp(step_at(w, j)->changes.at[m].name, name)) return true;
  return false;
}

/* The values that changed last, the newest first; those of the chosen step in bold. */
static void draw_values(const struct view *w, int y, int width) {
  int row = 0;
  for (uint32_t i = w->at + 1; i-- > 0 && row < VALUES;)
    for (uint32_t k = step_at(w, i)->changes.n; k-- > 0 && row < VALUES;) {
      const struct pv_change *c = &step_at(w, i)->changes.at[k];
      if (is_outdated(w, i, k)) continue;
      char *text = pv_format("%s = %s", c->name, c->value);
      if (i == w->at) attron(A_BOLD);
      put(y + row++, 2, width - 3, text);
      if (i == w->at) attroff(A_BOLD);
      free(text);
    }
}

static void draw(struct view *w) {
  int height, width;
  getmaxyx(stdscr, height, width);
  uint32_t n = w->v->path.steps.n;
  int rows = height - VALUES - 4;
  if (rows < 3) rows = 3;
  if (w->at < w->top) w->top = w->at;
  if (w->at >= w->top + (uint32_t)rows) w->top = w->at - (uint32_t)rows + 1;
  erase();
  attron(A_BOLD);
  put(0, 0, width, w->v->message ? w->v->message : "error");
  attroff(A_BOLD);
  for (int y = 0; y < rows && w->top + (uint32_t)y < n; y++)
    draw_step(w, w->top + (uint32_t)y, 1 + y, width);
  mvhline(rows + 1, 0, ACS_HLINE, width);
  draw_values(w, rows + 2, width);
  char *foot =
      pv_format("step %u of %u, thread %u in %s  |  %s", w->at + 1, n, step_at(w, w->at)->thread,
                step_at(w, w->at)->function ? step_at(w, w->at)->function : "?",
                w->message ? w->message
                           : "arrows: step, Left/Right: same thread, PgUp/PgDn: "
                             "switch, /: search, q: end");
  put(height - 1, 0, width - 1, foot);
  free(foot);
  w->message = NULL;
  refresh();
}

/* ---- moving ---------------------------------------------------------------------------------- */
static void move_by_thread(struct view *w, int direction) {
  uint32_t n = w->v->path.steps.n, thread = step_at(w, w->at)->thread;
  for (int64_t i = (int64_t)w->at + direction; i >= 0 && i < n; i += direction)
    if (step_at(w, (uint32_t)i)->thread == thread) {
      w->at = (uint32_t)i;
      return;
    }
}

static void move_to_switch(struct view *w, int direction) {
  uint32_t n = w->v->path.steps.n;
  for (int64_t i = (int64_t)w->at + direction; i > 0 && i < n; i += direction)
    if (step_at(w, (uint32_t)i)->thread != step_at(w, (uint32_t)i - 1)->thread) {
      w->at = (uint32_t)i;
      return;
    }
  w->at = direction < 0 ? 0 : n - 1;
}

static bool matches(const struct pv_step *s, const char *text) {
  if ((s->text && strstr(s->text, text)) || (s->note && strstr(s->note, text)) ||
      (s->function && strstr(s->function, text)))
    return true;
  for (uint32_t i = 0; i < s->changes.n; i++)
    if (strstr(s->changes.at[i].name, text) || strstr(s->changes.at[i].value, text)) return true;
  return false;
}

static void search(struct view *w, int direction) {
  uint32_t n = w->v->path.steps.n;
  for (uint32_t k = 1; k <= n && *w->search; k++) {
    uint32_t i = (w->at + (direction > 0 ? k : n - k)) % n;
    if (!matches(step_at(w, i), w->search)) continue;
    w->at = i;
    return;
  }
  w->message = "not found";
}

static void ask(struct view *w) {
  int height = getmaxy(stdscr);
  move(height - 1, 0);
  clrtoeol();
  addch('/');
  echo();
  getnstr(w->search, sizeof w->search - 1);
  noecho();
  search(w, 1);
}

/* Returns false at the end. */
static bool obey(struct view *w, int key) {
  uint32_t last = w->v->path.steps.n - 1;
  switch (key) {
  case 'q':
  case 27: return false;
  case KEY_DOWN:
  case 'j': w->at += w->at < last; break;
  case KEY_UP:
  case 'k': w->at -= w->at > 0; break;
  case KEY_RIGHT: move_by_thread(w, 1); break;
  case KEY_LEFT: move_by_thread(w, -1); break;
  case KEY_NPAGE: move_to_switch(w, 1); break;
  case KEY_PPAGE: move_to_switch(w, -1); break;
  case KEY_HOME:
  case 'g': w->at = 0; break;
  case KEY_END:
  case 'G': w->at = last; break;
  case '/': ask(w); break;
  case 'n': search(w, 1); break;
  case 'N': search(w, -1); break;
  default: break;
  }
  return true;
}

static int view(const struct pv_violation *v) {
  struct view w = {.v = v, .lanes = 1};
  for (uint32_t i = 0; i < v->path.steps.n; i++)
    if (step_at(&w, i)->thread >= w.lanes) w.lanes = step_at(&w, i)->thread + 1;
  if (w.lanes > MOST_LANES) w.lanes = MOST_LANES;
  if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO))
    return pv_cli_complain("view needs a terminal; `proviso explain` does not", PV_EXIT_INPUT);
  setlocale(LC_CTYPE, "");
  const char *no_color = getenv("NO_COLOR");
  if (!initscr()) return pv_cli_complain("the terminal cannot be used", PV_EXIT_INPUT);
  if (has_colors() && !(no_color && *no_color)) {
    static const short colours[] = {COLOR_CYAN,  COLOR_YELLOW, COLOR_MAGENTA,
                                    COLOR_GREEN, COLOR_BLUE,   COLOR_RED};
    start_color();
    use_default_colors();
    for (short i = 0; i < 6; i++) init_pair((short)(i + 1), colours[i], -1);
  }
  cbreak();
  noecho();
  keypad(stdscr, TRUE);
  set_escdelay(25);
  curs_set(0);
  do draw(&w);
  while (!pv_limits_interrupted() && obey(&w, getch()));
  endwin();
  return 0;
}
#else
static int view(const struct pv_violation *v) {
  (void)v;
  return pv_cli_complain("this proviso was built without curses", PV_EXIT_INPUT);
}
#endif

int pv_cli_view(const struct pv_command *self, int argc, char **argv) {
  struct pv_options asked;
  struct pv_saved saved = {0};
  struct pv_str err = {0};
  pv_options_init(&asked);
  int status = pv_cli_parse(self, &asked, argc, argv);
  if (!status && asked.files.n > 1) status = pv_cli_complain("view takes one file", PV_EXIT_INPUT);
  if (!status && pv_saved_read(asked.files.at[0], &saved, &err) != PV_OK)
    status = pv_cli_complain(pv_str_cstr(&err), PV_EXIT_INPUT);
  uint32_t number = (uint32_t)asked.violation - 1;
  if (!status &&
      (number >= saved.result.violations.n || !saved.result.violations.at[number].path.steps.n))
    status = pv_cli_complain("the file holds no such error path", PV_EXIT_INPUT);
  if (!status) status = view(&saved.result.violations.at[number]);
  pv_saved_free(&saved);
  pv_options_free(&asked);
  pv_str_free(&err);
  return status;
}
