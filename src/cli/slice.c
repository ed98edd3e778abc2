/* slice.c -- the command `slice`. */
#include "analysis/slice_criterion.h"
#include "analysis/slice_program.h"
#include "cli/cli.h"
#include "proviso_internal.h"
#include "sched/sched.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A name of a property has no colon. */
static enum pv_status read_criterion(const proviso *p, const char *text,
                                     struct pv_slice_request *request, struct pv_str *err) {
  if (strchr(text, ':')) return pv_slice_criterion(p->program, text, &request->statements, err);
  pv_properties asked = 0;
  if (!strcmp(text, "property")) asked = PV_PROP_BIT(PV_PROP_UNREACH_CALL);
  if (!asked) PV_TRY(pv_properties_parse(text, &asked, err));
  request->properties |= asked;
  return PV_OK;
}

static enum pv_status read_criteria(const proviso *p, struct pv_slice_request *request,
                                    struct pv_str *err) {
  const struct pv_texts *given = &p->options.criterion;
  for (uint32_t i = 0; i < given->n; i++) PV_TRY(read_criterion(p, given->at[i], request, err));
  if (!given->n) request->properties = PV_PROP_BIT(PV_PROP_UNREACH_CALL);
  pv_properties unprinted = request->properties & PV_PROP_BIT(PV_PROP_NO_OVERFLOW);
  if (!unprinted) return PV_OK;
  pv_str_add(err, "there is no slice for no-overflow as C: printed arithmetic wraps around");
  return PV_E_INPUT;
}

static void add_comment(const char *text, struct pv_str *out) {
  for (; *text; text++) pv_str_addc(out, *text == '*' || (unsigned char)*text < 32 ? '_' : *text);
}

static void add_top(const proviso *p, const struct pv_slice_request *request,
                    const struct pv_slice_size *size, struct pv_str *out) {
  pv_str_add(out, "/* A slice of");
  for (uint32_t i = 0; i < p->options.files.n; i++) {
    pv_str_addc(out, ' ');
    add_comment(p->options.files.at[i], out);
  }
  pv_str_add(out, "\n * for ");
  if (request->properties) pv_properties_print(request->properties, out);
  for (uint32_t i = 0; i < p->options.criterion.n; i++)
    if (strchr(p->options.criterion.at[i], ':')) {
      if (request->properties || i) pv_str_add(out, ", ");
      add_comment(p->options.criterion.at[i], out);
    }
  pv_str_addf(out, ": %u of %u edges are left, %u of %u of the program's own.", size->kept,
              size->edges, size->own_kept, size->own_edges);
  pv_str_add(out, "\n * Provided that nothing undefined happens in what was removed. */\n");
}

/* Slices follow neither jumps out of functions nor the rules of cooperative threads. */
static enum pv_status refuse(const struct pv_program *p, struct pv_str *err) {
  if (p->has_jumps) pv_str_add(err, "there are no slices of programs that jump with longjmp");
  if (!p->has_jumps && !pv_sched_of(p->sched)->preemptive)
    pv_str_add(err, "there are no slices of programs with cooperative threads");
  return err->n ? PV_E_INPUT : PV_OK;
}

/* Reduces the program and prints it. */
static enum pv_status slice(proviso *p, struct pv_str *text, struct pv_str *err) {
  struct pv_slice_request request = {0};
  struct pv_slice_size size = {0};
  struct pv_str top = {0};
  enum pv_status status = refuse(p->program, err);
  if (status == PV_OK) status = read_criteria(p, &request, err);
  pv_properties whole = status == PV_OK ? pv_slice_program(p->program, &request, &size) : 0;
  if (whole) {
    pv_str_add(err, "there are no slices for ");
    pv_properties_print(whole, err);
    status = PV_E_INPUT;
  }
  if (status == PV_OK) {
    add_top(p, &request, &size, &top);
    struct pv_c_weave weave = {
        .top = pv_str_cstr(&top), .declarations = "", .threads = true, .lines = true, .cuts = true};
    weave.arguments = true;
    char *unfit = pv_program_print_woven(p->program, &weave, text);
    if (unfit) pv_str_addf(err, "the slice cannot be printed: %s", unfit);
    if (unfit) status = PV_E_INPUT;
    free(unfit);
  }
  if (status == PV_OK && p->options.verbose)
    fprintf(stderr, "proviso: %u of %u edges are left\n", size.kept, size.edges);
  pv_vec_free(&request.statements);
  pv_str_free(&top);
  return status;
}

int pv_cli_slice(const struct pv_command *self, int argc, char **argv) {
  proviso *p = proviso_new();
  struct pv_str text = {0}, err = {0};
  int status = pv_cli_parse(self, &p->options, argc, argv);
  if (!status && proviso_load(p) != PROVISO_OK)
    status = pv_cli_complain(proviso_error(p), PV_EXIT_INPUT);
  if (!status && slice(p, &text, &err) != PV_OK)
    status = pv_cli_complain(pv_str_cstr(&err), PV_EXIT_INPUT);
  if (!status) status = pv_cli_write(&p->options, &text);
  pv_str_free(&text);
  pv_str_free(&err);
  proviso_free(p);
  return status;
}
