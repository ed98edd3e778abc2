/* html_layout.c -- the layout of graphs: `dot` as a child process, and what it answers. */
#include "report/html_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SECONDS = 20 }; /* for all graphs of a call */

/* ---- the child process ------------------------------------------------------------------------
 */
/* Reads what the child writes, until it ends or the time is over. */
static bool read_all(int from, struct pv_str *out) {
  double end = pv_clock() + SECONDS;
  char buffer[1 << 16];
  for (;;) {
    struct pollfd wait = {.fd = from, .events = POLLIN};
    double left = end - pv_clock();
    int ready = left > 0 ? poll(&wait, 1, (int)(left * 1000) + 1) : 0;
    if (ready < 0 && errno == EINTR) continue;
    if (ready <= 0) return false;
    ssize_t n = read(from, buffer, sizeof buffer);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return n == 0;
    pv_str_addn(out, buffer, (size_t)n);
  }
}

static bool run_dot(FILE *input, struct pv_str *out) {
  extern char **environ;
  char program[] = "dot", format[] = "-Tplain";
  char *argv[] = {program, format, NULL};
  int ends[2];
  pid_t child;
  posix_spawn_file_actions_t actions;
  if (pipe2(ends, O_CLOEXEC) != 0) return false;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, fileno(input), 0);
  posix_spawn_file_actions_adddup2(&actions, ends[1], 1);
  posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
  bool started = posix_spawnp(&child, program, &actions, NULL, argv, environ) == 0;
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  bool right = started && read_all(ends[0], out);
  close(ends[0]);
  int status = 1;
  if (started && !right) kill(child, SIGKILL);
  while (started && waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return right && status == 0;
}

bool pv_layout_run(const struct pv_str *dot, struct pv_str *out) {
  FILE *input = tmpfile();
  bool right = input && fwrite(pv_str_cstr(dot), 1, dot->n, input) == dot->n &&
               fflush(input) == 0 && fseek(input, 0, SEEK_SET) == 0 && run_dot(input, out);
  if (input) fclose(input);
  return right;
}

/* ---- the answer -------------------------------------------------------------------------------
 */
void pv_layout_label(uint32_t number, uint32_t width, struct pv_str *out) {
  struct pv_str text = {0};
  pv_str_addf(&text, "e%" PRIu32 "_", number); /* begins with a letter: it comes back unquoted */
  while (text.n < width) pv_str_addc(&text, 'x');
  pv_str_addf(out, " [label=\"%s\"]", pv_str_cstr(&text));
  pv_str_free(&text);
}

/* The next word of a line; "" at its end. */
static char *word(char **at) {
  char *from = *at + strspn(*at, " "), *end = from + strcspn(from, " \n");
  if (*end) *end++ = '\0';
  *at = end;
  return from;
}

/* In points: 1/72 inch. */
static double number(char **at) {
  return strtod(word(at), NULL) * 72;
}

static void read_node(char *line, struct pv_graph_layout *l) {
  unsigned long i = strtoul(word(&line) + 1, NULL, 10);
  if (i >= l->nodes.n) return;
  struct pv_layout_node *n = &l->nodes.at[i];
  n->x = number(&line), n->y = number(&line);
  n->width = number(&line), n->height = number(&line);
  n->known = true;
}

static void read_edge(char *line, struct pv_graph_layout *l) {
  struct pv_layout_edge e = {0};
  word(&line), word(&line);
  unsigned long n = strtoul(word(&line), NULL, 10);
  for (unsigned long i = 0; i < 2 * n; i++) pv_vec_push(&e.points, number(&line));
  const char *name = word(&line);
  unsigned long i = *name == 'e' ? strtoul(name + 1, NULL, 10) : ULONG_MAX;
  e.x = number(&line), e.y = number(&line);
  if (i < l->edges.n && !l->edges.at[i].points.n)
    l->edges.at[i] = e;
  else
    pv_vec_free(&e.points);
}

char *pv_graph_layout_read(char *text, uint32_t nodes, uint32_t edges, struct pv_graph_layout *l) {
  *l = (struct pv_graph_layout){0};
  for (uint32_t i = 0; i < nodes; i++) pv_vec_push(&l->nodes, (struct pv_layout_node){0});
  for (uint32_t i = 0; i < edges; i++) pv_vec_push(&l->edges, (struct pv_layout_edge){0});
  while (text && *text) {
    char *line = text;
    text += strcspn(text, "\n");
    if (*text) *text++ = '\0';
    const char *what = word(&line);
    if (!strcmp(what, "stop")) break;
    if (!strcmp(what, "graph")) {
      word(&line);
      l->width = number(&line);
      l->height = number(&line);
    } else if (!strcmp(what, "node")) {
      read_node(line, l);
    } else if (!strcmp(what, "edge")) {
      read_edge(line, l);
    }
  }
  return text;
}

void pv_layout_points(const struct pv_layout_edge *e, struct pv_str *out) {
  pv_str_addc(out, '[');
  for (uint32_t i = 0; i < e->points.n; i++)
    pv_str_addf(out, "%s%.1f", i ? "," : "", e->points.at[i]);
  pv_str_addc(out, ']');
}

void pv_graph_layout_clear(struct pv_graph_layout *l) {
  for (uint32_t i = 0; i < l->edges.n; i++) pv_vec_free(&l->edges.at[i].points);
  pv_vec_free(&l->edges);
  pv_vec_free(&l->nodes);
}
