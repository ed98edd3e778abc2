#include "report/distances.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "report/json_internal.h"
#include "report/report.h"

enum { SOURCE_COLUMNS = 60 };

/* ---- text ------------------------------------------------------------------------------------ */
struct columns {
  unsigned place, function, number;
};

static void place_of(const struct pv_program *p, uint32_t span, struct pv_str *out) {
  const struct pv_span *s = pv_span_of(p, span);
  pv_report_clean(pv_span_file(p, span), 0, false, out);
  pv_str_addf(out, ":%u", s->line);
  if (s->column) pv_str_addf(out, ":%u", s->column);
}

/* The number of columns on a terminal: continuation bytes of a character take none. */
static unsigned width_of(const char *text) {
  unsigned n = 0;
  for (; *text; text++) n += ((unsigned char)*text & 0xc0) != 0x80;
  return n;
}

static void pad(struct pv_str *out, unsigned have, unsigned want) {
  for (; have < want; have++) pv_str_addc(out, ' ');
}

static void number(struct pv_str *out, uint32_t distance, unsigned width) {
  char text[16] = "-";
  if (distance != PV_DISTANCE_NONE) snprintf(text, sizeof text, "%" PRIu32, distance);
  if (distance == PV_DISTANCE_MOST) snprintf(text, sizeof text, "far");
  pad(out, (unsigned)snprintf(NULL, 0, "%s", text), width);
  pv_str_add(out, text);
}

static const char *name_of(const struct pv_distance_report *r, const struct pv_distance_row *row) {
  return r->program->functions.at[row->function].name;
}

static void add_row(const struct pv_distance_report *r, const struct columns *c,
                    const struct pv_distance_row *row, struct pv_str *out) {
  struct pv_str text = {0}, source = {0};
  place_of(r->program, row->span, &text);
  pv_str_add(out, pv_str_cstr(&text));
  pad(out, width_of(pv_str_cstr(&text)), c->place);
  pv_str_clear(&text);
  pv_report_clean(name_of(r, row), 0, false, &text);
  pv_str_addf(out, "  %s", pv_str_cstr(&text));
  pad(out, width_of(pv_str_cstr(&text)), c->function);
  number(out, row->distance.end, c->number + 2);
  number(out, row->distance.error, c->number + 2);
  if (r->table->creates) number(out, row->distance.create, c->number + 2);
  pv_str_add(out, row->target ? " * " : "   ");
  if (pv_span_text(r->program, row->span, &source))
    pv_report_clean(pv_str_cstr(&source), SOURCE_COLUMNS, false, out);
  while (out->n && out->at[out->n - 1] == ' ') out->at[--out->n] = 0;
  pv_str_addc(out, '\n');
  pv_str_free(&text);
  pv_str_free(&source);
}

static unsigned larger(unsigned a, unsigned b) {
  return a > b ? a : b;
}

static struct columns columns_of(const struct pv_distance_report *r) {
  struct columns c = {.place = 5, .function = 8, .number = r->table->creates ? 6 : 5};
  struct pv_str text = {0};
  for (uint32_t i = 0; i < r->table->rows.n; i++) {
    const struct pv_distance_row *row = &r->table->rows.at[i];
    const uint32_t d[] = {row->distance.end, row->distance.error, row->distance.create};
    pv_str_clear(&text);
    place_of(r->program, row->span, &text);
    c.place = larger(c.place, width_of(pv_str_cstr(&text)));
    c.function = larger(c.function, width_of(name_of(r, row)));
    for (int k = 0; k < 3; k++)
      if (d[k] < PV_DISTANCE_MOST)
        c.number = larger(c.number, (unsigned)snprintf(NULL, 0, "%" PRIu32, d[k]));
  }
  pv_str_free(&text);
  return c;
}

static void add_targets(const struct pv_distance_report *r, struct pv_str *out) {
  pv_str_addf(out, "%u target%s", r->table->targets, r->table->targets == 1 ? "" : "s");
  if (r->table->properties) {
    pv_str_add(out, " of ");
    pv_properties_print(r->table->properties, out);
  }
  if (r->options->mutex_region.n)
    pv_str_addf(out, "%smutual exclusion", r->table->properties ? " and of " : " of ");
}

static void add_head(const struct pv_distance_report *r, struct pv_str *out) {
  static const char *const units[] = {"edges", "visible transitions, at least",
                                      "transitions at --atomic instruction, at least"};
  enum pv_heuristic heuristic = pv_distance_heuristic(r->options);
  pv_str_add(out, "Distances to ");
  add_targets(r, out);
  pv_str_addf(out, "; %s", pv_options_choice_name("heuristic", (int)heuristic));
  if (heuristic == PV_HEURISTIC_EFSM) pv_str_addf(out, "(%ld)", r->options->context);
  pv_str_addf(out, ", in %s.\n", units[r->options->cost]);
  pv_str_add(out,
             "From the first location of a line to the end of its function, and to the nearest "
             "target\n");
  pv_str_add(out, heuristic == PV_HEURISTIC_FCA ? "before that end"
                  : heuristic == PV_HEURISTIC_FSM
                      ? "before that end or after it"
                      : "before that end or after it, in the best context");
  if (r->table->creates) pv_str_add(out, "; create: to a target of a thread that is created later");
  pv_str_add(out, "; *: the line contains a target.\n\n");
}

void pv_report_distances(const struct pv_distance_report *r, struct pv_str *out) {
  const struct pv_distance_table *t = r->table;
  struct columns c = columns_of(r);
  add_head(r, out);
  pv_str_addf(out, "%-*s  %-*s  %*s  %*s", (int)c.place, "place", (int)c.function, "function",
              (int)c.number, "end", (int)c.number, "error");
  if (t->creates) pv_str_addf(out, "  %*s", (int)c.number, "create");
  pv_str_add(out, "   source\n");
  for (uint32_t i = 0; i < t->rows.n; i++) {
    if (i && t->rows.at[i].function != t->rows.at[i - 1].function) pv_str_addc(out, '\n');
    add_row(r, &c, &t->rows.at[i], out);
  }
  if (!r->options->verbose) return;
  pv_str_addf(out,
              "\n%u nodes, %u edges, %u calls; calls and memory %.2f ms, targets %.2f ms, graph "
              "%.2f ms, distances %.2f ms\n",
              t->nodes, t->edges, t->calls, 1e3 * t->analysis, 1e3 * t->finding, 1e3 * t->graph,
              1e3 * t->search);
  if (t->bounded) pv_str_addf(out, "%" PRIu64 " nodes of the bounded graph\n", t->bounded);
}

/* ---- JSON ------------------------------------------------------------------------------------ */
static void add_distance(cJSON *to, const char *name, uint32_t distance) {
  if (distance == PV_DISTANCE_NONE)
    cJSON_AddNullToObject(to, name);
  else
    cJSON_AddNumberToObject(to, name, distance);
}

static cJSON *row_of(const struct pv_distance_report *r, const struct pv_distance_row *row) {
  cJSON *object = cJSON_CreateObject();
  const struct pv_span *s = pv_span_of(r->program, row->span);
  struct pv_str source = {0};
  bool known = pv_span_text(r->program, row->span, &source);
  cJSON_AddItemToObject(object, "file", pv_json_string(pv_span_file(r->program, row->span)));
  cJSON_AddNumberToObject(object, "line", s->line);
  cJSON_AddNumberToObject(object, "column", s->column);
  cJSON_AddItemToObject(object, "function", pv_json_string(name_of(r, row)));
  cJSON_AddNumberToObject(object, "location", row->loc);
  add_distance(object, "end", row->distance.end);
  add_distance(object, "error", row->distance.error);
  add_distance(object, "create", row->distance.create);
  cJSON_AddBoolToObject(object, "target", row->target);
  cJSON_AddItemToObject(object, "source", pv_json_string(known ? pv_str_cstr(&source) : NULL));
  pv_str_free(&source);
  return object;
}

static void add_json_head(cJSON *root, const struct pv_distance_report *r) {
  const struct pv_distance_table *t = r->table;
  cJSON_AddNumberToObject(root, "schema_version", 1);
  cJSON_AddStringToObject(root, "tool", "proviso");
  cJSON_AddStringToObject(root, "version", PROVISO_VERSION);
  cJSON_AddStringToObject(root, "command", "distances");
  cJSON *list = cJSON_AddArrayToObject(root, "properties");
  for (unsigned i = 0; i < PV_PROP_COUNT; i++)
    if (t->properties & PV_PROP_BIT(i))
      cJSON_AddItemToArray(list, pv_json_string(pv_property_table[i].name));
  list = cJSON_AddArrayToObject(root, "mutex_regions");
  for (uint32_t i = 0; i < r->options->mutex_region.n; i++)
    cJSON_AddItemToArray(list, pv_json_string(r->options->mutex_region.at[i]));
  cJSON_AddStringToObject(
      root, "heuristic",
      pv_options_choice_name("heuristic", (int)pv_distance_heuristic(r->options)));
  cJSON_AddNumberToObject(root, "context", (double)r->options->context);
  cJSON_AddStringToObject(root, "cost", pv_options_choice_name("cost", r->options->cost));
  cJSON_AddNumberToObject(root, "targets", t->targets);
  cJSON_AddNumberToObject(root, "nodes", t->nodes);
  cJSON_AddNumberToObject(root, "edges", t->edges);
  cJSON_AddNumberToObject(root, "calls", t->calls);
  cJSON_AddNumberToObject(root, "bounded_nodes", (double)t->bounded);
  cJSON *seconds = cJSON_AddObjectToObject(root, "seconds");
  cJSON_AddNumberToObject(seconds, "analysis", t->analysis);
  cJSON_AddNumberToObject(seconds, "targets", t->finding);
  cJSON_AddNumberToObject(seconds, "graph", t->graph);
  cJSON_AddNumberToObject(seconds, "distances", t->search);
}

void pv_report_distances_json(const struct pv_distance_report *r, struct pv_str *out) {
  cJSON *root = pv_json_begin();
  add_json_head(root, r);
  cJSON *rows = cJSON_AddArrayToObject(root, "rows");
  for (uint32_t i = 0; i < r->table->rows.n; i++)
    cJSON_AddItemToArray(rows, row_of(r, &r->table->rows.at[i]));
  pv_json_end(root, out);
}
