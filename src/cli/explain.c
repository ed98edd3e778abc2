/* explain.c -- `proviso explain`: tells a saved result again. */
#include "cli/cli.h"
#include "proviso_internal.h"
#include "report/saved.h"

static int tell(struct pv_saved *saved, const struct pv_options *asked) {
  struct pv_options *o = &saved->record.options;
  struct pv_str text = {0};
  o->quiet = asked->quiet;
  o->verbose = asked->verbose;
  o->explain = true;
  struct pv_report report = {.command = saved->command ? saved->command : "check",
                             .engine = saved->engine,
                             .options = o,
                             .result = &saved->result,
                             .colour = pv_cli_wants_colour(asked),
                             .width = pv_cli_width()};
  pv_report_text(&report, &text);
  int status = pv_cli_print(pv_str_cstr(&text), pv_result_exit_status(&saved->result));
  pv_str_free(&text);
  return status;
}

int pv_cli_explain(const struct pv_command *self, int argc, char **argv) {
  struct pv_options asked;
  struct pv_saved saved = {0};
  struct pv_str err = {0};
  pv_options_init(&asked);
  int status = pv_cli_parse(self, &asked, argc, argv);
  if (!status && asked.files.n > 1)
    status = pv_cli_complain("explain takes one file", PV_EXIT_INPUT);
  if (!status && pv_saved_read(asked.files.at[0], &saved, &err) != PV_OK)
    status = pv_cli_complain(pv_str_cstr(&err), PV_EXIT_INPUT);
  else if (!status)
    status = tell(&saved, &asked);
  pv_saved_free(&saved);
  pv_options_free(&asked);
  pv_str_free(&err);
  return status;
}
