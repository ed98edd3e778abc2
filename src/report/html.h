/* html.h -- writes a result as one page for the browser: verdict and provisos in sentences, the
 * error path as a diagram of interleaved threads, the source with what is verified, and the
 * control-flow graphs.
 *
 * The page is one file. It loads nothing, and its content security policy forbids all connections.
 * Everything that comes from the checked program is untrusted: it is escaped in the markup, and in
 * the data, which are a JSON text in a script element that is not executed. Control characters and
 * changes of the writing direction are shown as escape sequences.
 *
 * The script, the style and the frame are files in src/report/html, which the build embeds. The
 * script shows only the visible rows of a path, so a path of 50,000 steps can be stepped through.
 */
#ifndef PV_REPORT_HTML_H
#define PV_REPORT_HTML_H

#include "report/report.h"

/* Appends the page. Runs Graphviz's `dot` as a child process for the layout of graphs; without it
 * the page says that it has no graphs. */
void pv_report_html(const struct pv_report *r, struct pv_str *out);

#endif
