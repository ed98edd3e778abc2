/* native.c -- `proviso instrument`, and `proviso replay --native`. */
#include "cli/cli.h"
#include "native/instrument.h"
#include "native/replay.h"
#include "proviso_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct added {
  const char *text;
  size_t n;
};
static void add_harness(void *user, const struct pv_native_site *sites, uint32_t n,
                        struct pv_str *text) {
  const struct added *harness = user;
  (void)sites, (void)n;
  pv_str_addn(text, harness->text, harness->n);
}

/* Builds the program, with the harness if there is one. */
static enum pv_status build(const struct pv_options *o, struct pv_str *err) {
  struct pv_native_request request = {.options = o, .out = o->output.at[0]};
  struct added harness;
  char *text = NULL;
  if (o->harness.n) {
    PV_TRY(pv_read_file(o->harness.at[0], (size_t)256 << 20, &text, &harness.n, err));
    harness.text = text;
    request.places = true;
    request.add = add_harness;
    request.user = &harness;
  }
  enum pv_status st = pv_instrument(&request, err);
  free(text);
  return st;
}

int pv_cli_instrument(const struct pv_command *self, int argc, char **argv) {
  struct pv_options o;
  struct pv_str err = {0};
  pv_options_init(&o);
  int status = pv_cli_parse(self, &o, argc, argv);
  if (!status && !o.output.n)
    status = pv_cli_complain("instrument needs --output (-o), the name of the executable",
                             PV_EXIT_INPUT);
  if (!status) {
    enum pv_status built = build(&o, &err);
    if (built != PV_OK)
      status = pv_cli_complain(pv_str_cstr(&err),
                               built == PV_E_INTERNAL ? PV_EXIT_INTERNAL : PV_EXIT_INPUT);
  }
  pv_str_free(&err);
  pv_options_free(&o);
  return status;
}

/* ---- replay --native ---------------------------------------------------------------------------
 */
/* What shows an error of the property by itself: the runtime, a signal, or a sanitizer. */
static const char *sanitizer_for(const proviso *p, int asked) {
  static const char *const names[] = {NULL, NULL, "address", "thread", "undefined"};
  const struct pv_violation *v = &p->result.violations.at[0];
  if (asked) return names[asked];
  switch (v->property) {
  case PV_PROP_NO_OVERFLOW:
  case PV_PROP_DEF_BEHAVIOR: return "undefined";
  case PV_PROP_VALID_DEREF:
  case PV_PROP_VALID_FREE:
  case PV_PROP_VALID_MEMTRACK:
  case PV_PROP_VALID_MEMCLEANUP: return "address";
  default: return NULL;
  }
}

static void tell(const struct pv_native_outcome *o, struct pv_str *text) {
  if (o->output && *o->output) pv_str_addf(text, "%s\n", o->output);
  pv_str_addf(text, "Natively: the error shows in %u of %u runs", o->shown, o->runs);
  if (o->off) pv_str_addf(text, ", %u left the path", o->off);
  pv_str_addf(text, " (%s)\n", o->end ? o->end : "no run");
  pv_str_addf(text, "Schedule: %u turns", o->turns);
  if (o->left_out)
    pv_str_addf(text, "; %u places of the path do not exist in the compiled program", o->left_out);
  pv_str_add(text, "\n");
  for (uint32_t i = 0; i < o->doubts.n; i++)
    pv_str_addf(text, "Not imposed natively: %s\n", o->doubts.at[i]);
}

/* 10: every run shows the error; 20: not every one. */
int pv_cli_replay_native(struct proviso *p, const struct pv_options *asked) {
  struct pv_native_asked wanted = {.out = asked->output.n ? asked->output.at[0] : NULL,
                                   .gdb = asked->gdb.n ? asked->gdb.at[0] : NULL,
                                   .sanitizer = sanitizer_for(p, asked->sanitizer),
                                   .runs = (uint32_t)asked->runs};
  struct pv_native_outcome o = {0};
  struct pv_str text = {0};
  int status = PV_EXIT_INPUT;
  proviso_status ran = proviso_replay_native(p, &wanted, &o);
  if (ran != PROVISO_OK) {
    status = pv_cli_complain(proviso_error(p),
                             ran == PROVISO_INTERNAL ? PV_EXIT_INTERNAL : PV_EXIT_INPUT);
  } else {
    tell(&o, &text);
    status = pv_cli_print(pv_str_cstr(&text), o.runs && o.shown == o.runs ? 10 : 20);
  }
  pv_str_free(&text);
  pv_native_outcome_clear(&o);
  return status;
}
