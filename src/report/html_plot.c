/* html_plot.c -- how a run went, as small plots: states, depth, memory and the bound of engines
 * that raise one over time, in SVG without a library. Several engines that take turns count for
 * themselves, so a line breaks where its numbers fall. */
#include "report/html_internal.h"

#include <stdio.h>
#include <string.h>

enum { WIDTH = 300, HEIGHT = 110, LEFT = 44, BOTTOM = 18, TOP = 8, RIGHT = 8 };
enum { LEAST = 8, LEAST_BOUNDS = 3 }; /* samples; a bound that is doubled has few */

struct plot {
  const char *name, *unit;
  double scale; /* of the numbers shown */
  size_t offset;
};
static const struct plot plots[] = {
    {"states", "", 1, offsetof(struct pv_sample, states)},
    {"depth of the search", "", 1, offsetof(struct pv_sample, depth)},
    {"memory", " MB", 1e-6, offsetof(struct pv_sample, memory)},
    {"bound", "", 1, offsetof(struct pv_sample, bound)},
};

static double value_of(const struct plot *p, const struct pv_sample *s) {
  return p->scale * (double)*(const uint64_t *)(const void *)((const char *)s + p->offset);
}

/* The smallest number that is not less and has one digit, or is 1.5 or 2.5 times a power of ten. */
static double round_up(double x) {
  static const double steps[] = {1, 1.5, 2, 2.5, 3, 4, 5, 6, 8};
  double unit = 1;
  if (x <= 0) return 1;
  while (unit > x) unit /= 10;
  while (10 * unit <= x) unit *= 10;
  for (unsigned i = 0; i < sizeof steps / sizeof *steps; i++)
    if (x <= steps[i] * unit) return steps[i] * unit;
  return 10 * unit;
}

/* "1.2k", "3M" */
static void add_short(double x, const char *unit, struct pv_str *out) {
  if (x >= 1e9)
    pv_str_addf(out, "%.3gG%s", x / 1e9, unit);
  else if (x >= 1e6)
    pv_str_addf(out, "%.3gM%s", x / 1e6, unit);
  else if (x >= 1e4)
    pv_str_addf(out, "%.3gk%s", x / 1e3, unit);
  else
    pv_str_addf(out, "%.4g%s", x, unit);
}

static void add_text(double x, double y, const char *anchor, double number, const char *unit,
                     struct pv_str *out) {
  pv_str_addf(out, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">", x, y, anchor);
  add_short(number, unit, out);
  pv_str_add(out, "</text>");
}

static void add_plot(const struct plot *p, const struct pv_result *r, struct pv_str *out) {
  const struct pv_sample *s = r->samples.at;
  double most = 0, end = s[r->samples.n - 1].seconds, before = -1;
  for (uint32_t i = 0; i < r->samples.n; i++)
    if (value_of(p, &s[i]) > most) most = value_of(p, &s[i]);
  if (most <= 0) return;
  double top = round_up(most), last = round_up(end);
  double w = WIDTH - LEFT - RIGHT, h = HEIGHT - TOP - BOTTOM;
  pv_str_addf(out,
              "<figure><svg class=\"plot\" viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"%s over "
              "time, at most ",
              WIDTH, HEIGHT, p->name);
  add_short(most, p->unit, out);
  pv_str_addf(out, "\"><path class=\"axis\" d=\"M%d %dV%dH%d\"/>", LEFT, TOP, HEIGHT - BOTTOM,
              WIDTH - RIGHT);
  pv_str_addf(out, "<path class=\"grid\" d=\"M%d %dH%dM%d %.1fH%d\"/>", LEFT, TOP, WIDTH - RIGHT,
              LEFT, TOP + h / 2, WIDTH - RIGHT);
  pv_str_add(out, "<path class=\"line\" d=\"");
  for (uint32_t i = 0; i < r->samples.n; i++) {
    double v = value_of(p, &s[i]);
    pv_str_addf(out, "%s%.1f %.1f", v < before || i == 0 ? "M" : "L",
                LEFT + w * s[i].seconds / last, TOP + h * (1 - v / top));
    before = v;
  }
  pv_str_add(out, "\"/>");
  add_text(LEFT - 4, TOP + 4, "end", top, "", out);
  add_text(LEFT - 4, HEIGHT - BOTTOM, "end", 0, "", out);
  add_text(WIDTH - RIGHT, HEIGHT - 4, "end", last, " s", out);
  add_text(LEFT, HEIGHT - 4, "middle", 0, "", out);
  pv_str_addf(out, "</svg><figcaption>%s%s%s%s</figcaption></figure>\n", p->name,
              *p->unit ? " (" : "", *p->unit ? p->unit + 1 : "", *p->unit ? ")" : "");
}

void pv_html_plots(const struct pv_report *r, struct pv_str *out) {
  uint32_t n = r->result->samples.n;
  if (n < (n && pv_vec_last(&r->result->samples).bound ? LEAST_BOUNDS : LEAST)) return;
  pv_str_add(out, "<section class=\"plots\" aria-label=\"the run over time\"><h2>Over time</h2>\n"
                  "<div class=\"figures\">\n");
  for (size_t i = 0; i < sizeof plots / sizeof *plots; i++) add_plot(&plots[i], r->result, out);
  pv_str_add(out, "</div></section>\n");
}

/* ---- engines --------------------------------------------------------------------------------- */
void pv_html_tried(const struct pv_report *r, struct pv_str *out) {
  double most = 0;
  for (uint32_t i = 0; i < r->result->tried.n; i++)
    if (r->result->tried.at[i].cpu_seconds > most) most = r->result->tried.at[i].cpu_seconds;
  if (!r->result->tried.n) return;
  pv_str_add(out,
             "<section class=\"tried\" aria-label=\"engines\"><h2>Engines</h2><table><thead><tr>"
             "<th>engine</th><th>result</th><th>CPU time</th><th>states</th>"
             "<th>what is missing</th></tr></thead><tbody>\n");
  for (uint32_t i = 0; i < r->result->tried.n; i++) {
    const struct pv_tried *t = &r->result->tried.at[i];
    pv_str_add(out, "<tr><td>");
    pv_html_escape(t->engine, out);
    pv_str_add(out, "</td><td>");
    pv_html_escape(t->outcome, out);
    pv_str_addf(out,
                "</td><td><svg class=\"bar\" viewBox=\"0 0 60 8\" aria-hidden=\"true\"><rect "
                "width=\"%.1f\" height=\"8\"/></svg> %.2f s</td><td>",
                most > 0 ? 60 * t->cpu_seconds / most : 0, t->cpu_seconds);
    add_short((double)t->states, "", out);
    pv_str_add(out, "</td><td>");
    if (t->why) pv_html_escape(t->why, out);
    pv_str_add(out, "</td></tr>\n");
  }
  pv_str_add(out, "</tbody></table></section>\n");
}
