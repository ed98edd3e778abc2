/* condition.c -- the command `condition`: shows, draws, translates and compares conditions, and
 * makes tasks for verifiers of them. */
#include "cli/cli.h"

#include "condition/algebra.h"
#include "condition/compare.h"
#include "condition/show.h"
#include "cpa/given_inputs.h"
#include "observer/assumed.h"
#include "proviso_internal.h"
#include "report/output.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The program of the condition, loaded into *p. Returns false, with a message in *err, if it is not
 * the one that the condition is about. */
static bool load(struct pv_condition_file *file, proviso *p, struct pv_str *err) {
  pv_options_free(&p->options);
  p->options = file->options;
  memset(&file->options, 0, sizeof file->options);
  if (proviso_load(p) != PROVISO_OK) {
    pv_str_add(err, proviso_error(p));
    return false;
  }
  if (file->program == pv_program_hash(p->program)) return true;
  pv_str_add(err, "the condition is about another program");
  return false;
}

/* The program may be another one by now, or gone: then less is shown. */
static enum pv_status show(struct pv_condition_file *files, struct pv_str *out,
                           struct pv_str *err) {
  (void)err;
  struct pv_condition_file again = {0};
  struct pv_str bytes = {0}, ignored = {0};
  proviso *p = proviso_new();
  pv_condition_print(&files[0], &bytes);
  bool loaded =
      pv_condition_parse(bytes.at, bytes.n, &again, &ignored) == PV_OK && load(&again, p, &ignored);
  pv_condition_show(&files[0], loaded ? p->program : NULL, out);
  pv_condition_file_clear(&again);
  proviso_free(p);
  pv_str_free(&bytes);
  pv_str_free(&ignored);
  return PV_OK;
}

/* Are there automata in the file? One that only includes others shows it by its name. */
static bool has_automata(const char *path) {
  size_t n = strlen(path);
  return pv_automata_are_in(path) || (n > 4 && !strcmp(path + n - 4, ".spc"));
}

/* A line for each automaton of a file that CPAchecker reads, too. */
static enum pv_status show_automata(const char *path, struct pv_str *out, struct pv_str *err) {
  pv_automata all = {0};
  PV_TRY(pv_automata_read(path, &all, err));
  for (uint32_t i = 0; i < all.n; i++) {
    const struct pv_automaton *a = all.at[i];
    uint32_t transitions = 0;
    for (uint32_t k = 0; k < a->states.n; k++) transitions += a->states.at[k].transitions.n;
    pv_str_addf(out, "%s: %s automaton %s, %u state%s, %u transition%s\n", a->path,
                a->control ? "control" : "observer", a->name, a->states.n,
                a->states.n == 1 ? "" : "s", transitions, transitions == 1 ? "" : "s");
    for (uint32_t k = 0; k < a->notes.n; k++) pv_str_addf(out, "Note: %s.\n", a->notes.at[k]);
  }
  pv_automata_free(&all);
  return PV_OK;
}

static enum pv_status dot(struct pv_condition_file *files, struct pv_str *out, struct pv_str *err) {
  proviso *p = proviso_new();
  struct pv_str ignored = {0};
  bool loaded = load(&files[0], p, &ignored);
  enum pv_status status =
      pv_condition_dot(&files[0].condition, loaded ? p->program : NULL, out, err);
  pv_str_free(&ignored);
  proviso_free(p);
  return status;
}

static bool come(const void *user, uint32_t function, pv_loc loc) {
  return pv_given_inputs_comes(user, function, loc);
}

static enum pv_status print_automaton(struct pv_program *p, const struct pv_condition *c,
                                      struct pv_str *out, struct pv_str *err) {
  if (!pv_given_inputs_is_usable(c, p, false)) return pv_assumed_print(p, c, out, err);
  struct pv_points_to_options bounds = pv_points_to_defaults(p);
  struct pv_points_to *pt = pv_points_to_new(p, &bounds);
  struct pv_given_inputs *inputs = pv_given_inputs_new(c, p, pt, false);
  enum pv_status status = pv_assumed_print_inputs(p, c, come, inputs, out, err);
  pv_given_inputs_free(inputs);
  pv_points_to_free(pt);
  return status;
}

static enum pv_status automaton(struct pv_condition_file *files, struct pv_str *out,
                                struct pv_str *err) {
  proviso *p = proviso_new();
  enum pv_status status = PV_E_INPUT;
  if (load(&files[0], p, err)) status = print_automaton(p->program, &files[0].condition, out, err);
  proviso_free(p);
  return status;
}

static enum pv_status compare(struct pv_condition_file *files, struct pv_str *out,
                              struct pv_str *err) {
  static const char *const texts[] = {
      [PV_WEAKER] = "weaker: the first leaves less open or assumes less",
      [PV_STRONGER] = "stronger: the first leaves more open or assumes more",
      [PV_EQUAL] = "equal",
      [PV_INCOMPARABLE] = "incomparable: each leaves open or assumes something that the other one "
                          "does not",
      [PV_UNDECIDED] =
          "incomparable: nothing can be said, because their open parts differ in form"};
  if (files[0].program != files[1].program || files[0].checked != files[1].checked) {
    pv_str_add(err, "the conditions are about different programs or properties");
    return PV_E_INPUT;
  }
  const struct pv_condition *a = &files[0].condition, *b = &files[1].condition;
  pv_str_addf(out, "%s\n", texts[pv_condition_compare(a, b, files[0].checked)]);
  return PV_OK;
}

/* The first file with another condition. */
static void print_with(const struct pv_condition_file *file, struct pv_condition *c,
                       struct pv_str *out) {
  struct pv_condition_file other = *file; /* borrows the rest */
  other.condition = *c;
  pv_condition_print(&other, out);
  pv_condition_clear(c);
}

static enum pv_status product(struct pv_condition_file *files, struct pv_str *out,
                              struct pv_str *err) {
  const struct pv_condition_file *a = &files[0], *b = &files[1];
  const char *option = pv_condition_differing_option(&a->options, &b->options);
  struct pv_condition c = {0};
  if (a->options.inputs != b->options.inputs) option = "inputs";
  if (a->program != b->program || a->checked != b->checked)
    pv_str_add(err, "the conditions are about different programs or properties");
  else if (option)
    pv_str_addf(err, "the conditions were made with different --%s", option);
  else if (a->errors.n || b->errors.n)
    pv_str_addf(err, "an error was found: %s", (a->errors.n ? a : b)->errors.at[0].sentence);
  if (err->n) return PV_E_INPUT;
  pv_condition_product(&a->condition, &b->condition, a->checked, &c);
  print_with(a, &c, out);
  return PV_OK;
}

static enum pv_status complement(struct pv_condition_file *files, struct pv_str *out,
                                 struct pv_str *err) {
  struct pv_condition c = {0};
  if (pv_condition_complement(&files[0].condition, &c)) {
    print_with(&files[0], &c, out);
    return PV_OK;
  }
  pv_str_add(err, "what it leaves open is not one automaton, the same for all properties");
  return PV_E_INPUT;
}

static const struct action {
  const char *name;
  uint32_t files; /* conditions; 0: programs */
  enum pv_status (*run)(struct pv_condition_file *files, struct pv_str *out, struct pv_str *err);
} actions[] = {{"show", 1, show},       {"dot", 1, dot},         {"automaton", 1, automaton},
               {"compare", 2, compare}, {"product", 2, product}, {"complement", 1, complement},
               {"benchmark", 0, NULL}};

static int run(const struct action *a, const struct pv_options *o) {
  enum { MOST_FILES = 2 };
  struct pv_condition_file files[MOST_FILES] = {0};
  struct pv_str out = {0}, err = {0};
  enum pv_status status = PV_OK;
  bool automata = a->run == show && has_automata(o->files.at[0]);
  if (automata) status = show_automata(o->files.at[0], &out, &err);
  for (uint32_t i = 0; i < a->files && status == PV_OK && !automata; i++)
    status = pv_condition_read(o->files.at[i], &files[i], &err);
  if (status == PV_OK && !automata && (status = a->run(files, &out, &err)) != PV_OK && err.n) {
    char *message = pv_format("%s: %s", o->files.at[0], pv_str_cstr(&err));
    pv_str_clear(&err);
    pv_str_add(&err, message);
    free(message);
  }
  int exit_status = 0;
  if (status == PV_OK && o->output.n && strcmp(o->output.at[0], "-") != 0)
    status = pv_output_write(o->output.at[0], pv_str_cstr(&out), out.n, &err);
  else if (status == PV_OK)
    exit_status = pv_cli_print(pv_str_cstr(&out), 0);
  if (status != PV_OK)
    exit_status =
        pv_cli_complain(pv_str_cstr(&err), status == PV_E_INPUT ? PV_EXIT_INPUT : PV_EXIT_INTERNAL);
  for (uint32_t i = 0; i < a->files; i++) pv_condition_file_clear(&files[i]);
  pv_str_free(&out);
  pv_str_free(&err);
  return exit_status;
}

int pv_cli_condition(const struct pv_command *self, int argc, char **argv) {
  const struct action *a = NULL;
  for (size_t i = 0; argc && i < sizeof actions / sizeof *actions; i++)
    if (!strcmp(argv[0], actions[i].name)) a = &actions[i];
  if (!a)
    return pv_cli_complain(
        "condition: what to do? There are show, dot, automaton, compare, product, complement "
        "and benchmark",
        PV_EXIT_INPUT);
  struct pv_options o;
  pv_options_init(&o);
  int status = pv_cli_parse(self, &o, argc - 1, argv + 1);
  if (!status && a->run && o.files.n != a->files)
    status = pv_cli_complain(a->files == 1 ? "condition: one file is needed"
                                           : "condition: two files are needed",
                             PV_EXIT_INPUT);
  if (!status && (a->run == product || a->run == complement) && !o.output.n)
    status = pv_cli_complain("condition: option `--output` says where the condition goes",
                             PV_EXIT_INPUT);
  if (!status) status = a->run ? run(a, &o) : pv_cli_benchmark(&o);
  pv_options_free(&o);
  return status;
}
