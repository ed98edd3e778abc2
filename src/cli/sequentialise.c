/* sequentialise.c -- the command `sequentialise`. */
#include "cli/cli.h"

#include "analysis/liveness.h"
#include "ir/ir.h"
#include "proviso_internal.h"
#include "sched/sched.h"

#include <stdio.h>
#include <stdlib.h>

static int sequentialise(proviso *p) {
  if (proviso_load(p) != PROVISO_OK) return pv_cli_complain(proviso_error(p), PV_EXIT_INPUT);
  const struct pv_sched *sched = pv_sched_of(p->program->sched);
  if (sched != &pv_sched_fairthreads && sched != &pv_sched_systemc)
    return pv_cli_complain("only programs with FairThreads or SystemC are sequentialised",
                           PV_EXIT_INPUT);
  struct pv_c_threads how = {.order = (unsigned)p->options.order,
                             .old = p->options.fairthreads == 0,
                             .systemc = sched == &pv_sched_systemc,
                             .liveness = pv_liveness};
  struct pv_str text = {0};
  char *unfit = pv_program_print_sequential(p->program, &how, &text);
  int status;
  if (unfit) {
    char *message = pv_format("the program cannot be sequentialised: %s", unfit);
    status = pv_cli_complain(message, PV_EXIT_INPUT);
    free(message);
  } else {
    status = pv_cli_write(&p->options, &text);
  }
  free(unfit);
  pv_str_free(&text);
  return status;
}

int pv_cli_sequentialise(const struct pv_command *self, int argc, char **argv) {
  proviso *p = proviso_new();
  int status = pv_cli_parse(self, &p->options, argc, argv);
  if (!status && p->options.order > PV_ORDER_ANY)
    status = pv_cli_complain("sequential programs have no order accellera", PV_EXIT_INPUT);
  if (!status) status = sequentialise(p);
  proviso_free(p);
  return status;
}
