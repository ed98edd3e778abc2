/* hot.c -- an example of a plug-in: which lines of the program access shared memory, and how often.
 *
 *   cc -shared -fPIC -I include -o hot.so examples/plugin/hot.c
 *   proviso check --load ./hot.so prog.c
 *
 * It needs nothing of proviso but the header. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "proviso_events.h"

enum { MOST_LINES = 1000 };

static struct line {
  char file[200];
  uint32_t line;
  unsigned long reads, writes;
} lines[MOST_LINES];
static unsigned n_lines;
static unsigned long steps, states, matched, back, refinements, errors;

static struct line *line_of(const proviso_event *e) {
  for (unsigned i = 0; i < n_lines; i++)
    if (lines[i].line == e->line && !strcmp(lines[i].file, e->file)) return &lines[i];
  if (n_lines == MOST_LINES || strlen(e->file) >= sizeof lines[0].file) return NULL;
  strcpy(lines[n_lines].file, e->file);
  lines[n_lines].line = e->line;
  return &lines[n_lines++];
}

static void tell(void *user, const proviso_event *e) {
  (void)user;
  struct line *l = e->file && e->kind <= PROVISO_EVENT_WRITE ? line_of(e) : NULL;
  switch (e->kind) {
  case PROVISO_EVENT_STEP: steps++; break;
  case PROVISO_EVENT_READ:
    if (l) l->reads++;
    break;
  case PROVISO_EVENT_WRITE:
    if (l) l->writes++;
    break;
  case PROVISO_EVENT_STATE:
    states += e->is_new;
    matched += !e->is_new;
    break;
  case PROVISO_EVENT_BACKTRACK: back++; break;
  case PROVISO_EVENT_REFINEMENT: refinements++; break;
  case PROVISO_EVENT_ERROR:
    errors++;
    printf("plug-in: %s at %s:%u: %s\n", e->property, e->file, e->line, e->text);
    break;
  default: break;
  }
}

static void end(void *user) {
  (void)user;
  printf("plug-in: %lu steps, %lu new states, %lu known ones, %lu times back, %lu errors\n", steps,
         states, matched, back, errors);
  if (refinements) printf("plug-in: %lu refinements\n", refinements);
  for (unsigned i = 0; i < n_lines; i++)
    if (lines[i].reads + lines[i].writes)
      printf("plug-in: %s:%u: %lu reads, %lu writes\n", lines[i].file, lines[i].line,
             lines[i].reads, lines[i].writes);
}

int proviso_plugin(unsigned version, proviso_listener *out) {
  if (version != PROVISO_EVENTS_VERSION) return 1;
  out->kinds = PROVISO_EVENT_BIT(PROVISO_EVENT_COUNT) - 1;
  out->tell = tell;
  out->end = end;
  return 0;
}
