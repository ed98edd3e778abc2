#include "cli/cli.h"

#include "cli/entries.h"
#include "cli/outputs.h"
#include "cli/task.h"
#include "proviso_internal.h"
#include "report/output.h"
#include "report/record.h"

#include <dlfcn.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

int pv_cli_print(const char *text, int status) {
  fputs(text, stdout);
  if (fflush(stdout) == 0 && !ferror(stdout)) return status;
  fprintf(stderr, "proviso: standard output cannot be written: %s\n", strerror(errno));
  return PV_EXIT_INTERNAL;
}

int pv_cli_write(const struct pv_options *o, const struct pv_str *text) {
  struct pv_str err = {0};
  if (!o->output.n || !strcmp(o->output.at[0], "-")) return pv_cli_print(pv_str_cstr(text), 0);
  enum pv_status status = pv_output_write(o->output.at[0], text->at, text->n, &err);
  int exit_status = status == PV_OK ? 0 : pv_cli_complain(pv_str_cstr(&err), PV_EXIT_INTERNAL);
  pv_str_free(&err);
  return exit_status;
}

int pv_cli_complain(const char *message, int status) {
  size_t n = strlen(message);
  fprintf(stderr, "proviso: %s%s", message, n && message[n - 1] == '\n' ? "" : "\n");
  return status;
}

static int failed(const proviso *p, proviso_status status) {
  if (pv_limits_interrupted()) return pv_cli_complain("interrupted", PV_EXIT_INTERRUPTED);
  return pv_cli_complain(proviso_error(p),
                         status == PROVISO_INTERNAL ? PV_EXIT_INTERNAL : PV_EXIT_INPUT);
}

int pv_cli_parse(const struct pv_command *self, struct pv_options *o, int argc, char **argv) {
  struct pv_str err = {0};
  pv_limits_catch_signals();
  o->command = self->options;
  enum pv_status status = pv_options_parse(o, argc, argv, &err);
  const unsigned one_file = PV_FOR_SLICE | PV_FOR_SEQUENTIALISE | PV_FOR_ABSTRACT |
                            PV_FOR_INSTRUMENT | PV_FOR_RESIDUAL | PV_FOR_REPLAY | PV_FOR_INIT;
  if (status == PV_OK && (o->command & one_file) && o->output.n && strcmp(o->output.at[0], "-"))
    status = pv_output_probe(o->output.at[0], &err);
  int exit_status = status == PV_OK ? 0 : pv_cli_complain(pv_str_cstr(&err), PV_EXIT_INPUT);
  pv_str_free(&err);
  return exit_status;
}

static void say(const char *what) {
  fprintf(stderr, "proviso: %s\n", what);
}

bool pv_cli_wants_colour(const struct pv_options *o) {
  if (pv_outputs_take_standard_output(o)) return false;
  const char *term = getenv("TERM"), *no_color = getenv("NO_COLOR");
  return isatty(STDOUT_FILENO) && term && strcmp(term, "dumb") != 0 && !(no_color && *no_color);
}

static unsigned columns_of(int fd) {
  struct winsize size;
  if (!isatty(fd) || ioctl(fd, TIOCGWINSZ, &size) != 0 || !size.ws_col) return 0;
  return size.ws_col < 60 ? 60 : size.ws_col > 200 ? 200 : size.ws_col;
}

unsigned pv_cli_width(void) {
  return columns_of(STDOUT_FILENO);
}

/* ---- progress -------------------------------------------------------------------------------- */
/* "value: 120000 states, 60000/s, 300 waiting, depth 40, 12 % (estimate), 80 MB, 2 s" */
static void show_progress(void *user, const proviso_event *e) {
  const proviso *p = user;
  const struct pv_stats *s = &p->now;
  struct pv_str line = {0};
  double seconds = pv_limits_elapsed(&p->options.limits);
  (void)e;
  if (s->engine) pv_str_addf(&line, "%s: ", s->engine);
  pv_str_addf(&line, "%" PRIu64 " states, %.0f/s", s->states,
              seconds > 0 ? (double)s->states / seconds : 0);
  if (s->executions) pv_str_addf(&line, ", %" PRIu64 " executions", s->executions);
  if (s->expanded && s->states > s->expanded)
    pv_str_addf(&line, ", %" PRIu64 " waiting", s->states - s->expanded);
  if (s->depth) pv_str_addf(&line, ", depth %" PRIu64, s->depth);
  bool is_last = s->bound && s->part >= 1; /* no loop needs a larger one */
  if (s->bound) pv_str_addf(&line, ", %sbound %" PRIu64, is_last ? "last " : "", s->bound);
  if (s->refinements) pv_str_addf(&line, ", %" PRIu64 " refinements", s->refinements);
  if (s->part > 0 && s->part < 1) pv_str_addf(&line, ", about %.0f %% done", 100 * s->part);
  uint64_t memory = pv_resident_memory() + s->peak_memory; /* of an engine in its own process */
  pv_str_addf(&line, ", %.0f MB, %.0f s", (double)memory / 1e6, seconds);
  unsigned width = columns_of(STDERR_FILENO);
  fprintf(stderr, "\r\033[K%.*s", width ? (int)width - 1 : 79, pv_str_cstr(&line));
  fflush(stderr);
  pv_str_free(&line);
}

static bool watches(const proviso *p) {
  return isatty(STDERR_FILENO) && !p->options.quiet;
}

static void watch(proviso *p) {
  if (!watches(p)) return;
  proviso_listener progress = {
      .kinds = PROVISO_EVENT_BIT(PROVISO_EVENT_PROGRESS), .tell = show_progress, .user = p};
  proviso_listen(p, &progress);
}

static void clear_progress(const proviso *p) {
  if (watches(p)) fputs("\r\033[K", stderr);
}

/* ---- plug-ins -------------------------------------------------------------------------------- */
int pv_cli_load(proviso *p, const struct pv_texts *files) {
  for (uint32_t i = 0; i < files->n; i++) {
    const char *name = files->at[i];
    char *path = strchr(name, '/') ? pv_strdup(name) : pv_format("./%s", name);
    void *object = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    free(path);
    /* C has no conversion from an object pointer to a function, POSIX has */
    int (*plugin)(unsigned, proviso_listener *) = NULL;
    void *symbol = object ? dlsym(object, "proviso_plugin") : NULL;
    memcpy(&plugin, &symbol, sizeof plugin);
    const char *why = plugin ? NULL : dlerror();
    proviso_listener listener = {0};
    if (plugin && plugin(PROVISO_EVENTS_VERSION, &listener) != 0)
      why = "the plug-in does not work with this version of proviso";
    if (!why && !listener.tell && listener.kinds) why = "the plug-in's listener has no function";
    if (why || !plugin) {
      fprintf(stderr, "proviso: %s: cannot be loaded: %s\n", name, why ? why : "unknown reason");
      return PV_EXIT_INPUT;
    }
    proviso_listen(p, &listener);
  }
  return 0;
}

/* ---- check ----------------------------------------------------------------------------------- */
/* The text for people. */
static int print_text(const struct pv_options *o, const char *text, int status) {
  if (!pv_outputs_take_standard_output(o)) return pv_cli_print(text, status);
  fputs(text, stderr);
  return status;
}

static int print_result(proviso *p) {
  struct pv_str text = {0};
  struct pv_report report = proviso_report(p, pv_cli_wants_colour(&p->options));
  report.width = pv_cli_width();
  pv_report_text(&report, &text);
  int status = print_text(&p->options, pv_str_cstr(&text), pv_result_exit_status(&p->result));
  pv_str_free(&text);
  return status;
}

/* Makes the directory of option `work`, where the condition goes if nothing else is asked for. */
static int use_work(struct pv_options *o) {
  if (!o->work.n) return 0;
  const char *path = pv_vec_last(&o->work);
  if (mkdir(path, 0777) != 0 && errno != EEXIST) {
    fprintf(stderr, "proviso: %s: cannot be made: %s\n", path, strerror(errno));
    return PV_EXIT_INPUT;
  }
  if (!o->proviso.n) pv_vec_push(&o->proviso, pv_format("%s/%s", path, PV_CONDITION_NAME));
  return 0;
}

static int check(proviso *p) {
  watch(p);
  if (p->options.proviso.n) pv_limits_catch_share_requests();
  if (p->options.witness.n) p->options.check_proof = true; /* for the invariants */
  if (p->options.verbose) p->log = say;
  proviso_status status = proviso_check(p);
  clear_progress(p);
  if (status != PROVISO_OK) return failed(p, status);
  proviso_status written = proviso_write_condition(p);
  if (p->task) pv_cli_task_judge(p->task, &p->result);
  int condition = written == PROVISO_OK ? 0 : pv_cli_complain(proviso_error(p), PV_EXIT_INTERNAL);
  int files = pv_outputs_write_all(p), printed = print_result(p);
  return condition ? condition : files ? files : printed;
}

static int begin_and_check(proviso *p) {
  int status = use_work(&p->options);
  if (!status) status = pv_outputs_probe(&p->options);
  if (!status) status = pv_cli_load(p, &p->options.load);
  return status ? status : check(p);
}

static int run_check(const struct pv_command *self, int argc, char **argv) {
  proviso *p = proviso_new();
  struct pv_cli_task task = {0};
  struct pv_str err = {0};
  int status = pv_cli_parse(self, &p->options, argc, argv);
  if (!status && pv_cli_task_read(&p->options, &task, &err) != PV_OK)
    status = pv_cli_complain(pv_str_cstr(&err), PV_EXIT_INPUT);
  p->task = &task;
  if (!status && p->options.entry.n > 1)
    status = pv_cli_check_entries(self, &p->options, argc, argv, begin_and_check);
  else if (!status)
    status = begin_and_check(p);
  pv_cli_task_clear(&task);
  pv_str_free(&err);
  proviso_free(p);
  return status;
}

/* ---- resume ---------------------------------------------------------------------------------- */
/* The run of a condition, with the limits and outputs that are asked for now. */
static void take_over(struct pv_options *run, const struct pv_options *asked, const char *path) {
  pv_outputs_take_over(run, asked);
  if (asked->work.n) pv_vec_push(&run->work, pv_strdup(pv_vec_last(&asked->work)));
  if (asked->proviso.n || !asked->work.n)
    pv_vec_push(&run->proviso, asked->proviso.n ? pv_strdup(pv_vec_last(&asked->proviso))
                                                : pv_condition_path(path));
  pv_vec_push(&run->given, pv_strdup(path));
  for (uint32_t i = 0; i < asked->condition.n; i++)
    pv_vec_push(&run->condition, pv_strdup(asked->condition.at[i]));
  run->limits = asked->limits;
  run->monitors = asked->monitors;
  run->quiet = asked->quiet;
  run->verbose = asked->verbose;
  run->explain = asked->explain;
}

static int run_resume(const struct pv_command *self, int argc, char **argv) {
  struct pv_options asked;
  struct pv_condition_file file = {0};
  struct pv_str err = {0};
  pv_options_init(&asked);
  int status = pv_cli_parse(self, &asked, argc, argv);
  if (!status && asked.files.n > 1)
    status = pv_cli_complain("resume takes one file", PV_EXIT_INPUT);
  if (!status) {
    const char *path = asked.files.at[0];
    if (pv_condition_read(path, &file, &err) != PV_OK)
      status = pv_cli_complain(pv_str_cstr(&err), PV_EXIT_INPUT);
    if (!status) {
      proviso *p = proviso_new();
      pv_options_free(&p->options);
      p->options = file.options;
      file.options = (struct pv_options){0};
      take_over(&p->options, &asked, path);
      status = use_work(&p->options);
      if (!status) status = pv_outputs_probe(&p->options);
      if (!status) status = check(p);
      proviso_free(p);
    }
    pv_condition_file_clear(&file);
  }
  pv_options_free(&asked);
  pv_str_free(&err);
  return status;
}

/* ---- ir -------------------------------------------------------------------------------------- */
static int run_ir(const struct pv_command *self, int argc, char **argv) {
  proviso *p = proviso_new();
  int status = pv_cli_parse(self, &p->options, argc, argv);
  if (!status) {
    const char *format = pv_options_choice_name("format", p->options.format);
    const char *text = proviso_print_ir(p, format);
    status = text ? pv_cli_print(text, 0) : failed(p, PROVISO_BAD_INPUT);
  }
  proviso_free(p);
  return status;
}

/* ---- distances ------------------------------------------------------------------------------- */
static int run_distances(const struct pv_command *self, int argc, char **argv) {
  proviso *p = proviso_new();
  struct pv_str json = {0};
  int status = pv_cli_parse(self, &p->options, argc, argv);
  if (!status) status = pv_outputs_probe(&p->options);
  if (!status) {
    if (p->options.verbose) p->log = say;
    const char *text = proviso_distances(p, p->options.json.n ? &json : NULL);
    status = text ? 0 : failed(p, PROVISO_BAD_INPUT);
    if (text && json.n) status = pv_outputs_write(&p->options.json, json.at);
    if (text && !status) status = print_text(&p->options, text, 0);
  }
  pv_str_free(&json);
  proviso_free(p);
  return status;
}

/* ---- replay ---------------------------------------------------------------------------------- */

/* Relative names in the record refer to the directory of the check: changes to it if they do not
 * exist here. */
static void find_files(const struct pv_record *record) {
  const struct pv_texts *files = &record->options.files;
  for (uint32_t i = 0; i < files->n; i++)
    if (access(files->at[i], R_OK) != 0 && record->directory && chdir(record->directory) == 0)
      return;
}

static void warn_of_changes(const struct pv_record *record) {
  for (uint32_t i = 0; i < record->options.files.n; i++) {
    char *text, hash[20];
    size_t n;
    const char *path = record->options.files.at[i];
    if (pv_read_file(path, SIZE_MAX, &text, &n, NULL) != PV_OK) continue;
    snprintf(hash, sizeof hash, "%016" PRIx64, pv_hash(text, n));
    if (*record->hashes.at[i] && strcmp(hash, record->hashes.at[i]) != 0)
      fprintf(stderr, "proviso: %s has changed since the error was recorded\n", path);
    free(text);
  }
}

/* Prints the first steps of the path and the values of variables there. */
static int print_steps(const proviso *p, uint32_t last) {
  struct pv_str text = {0};
  const struct pv_violation *v = &p->result.violations.at[0];
  const struct pv_error_path *path = &v->path;
  if (last > path->steps.n) last = path->steps.n;
  pv_str_addf(&text, "Step %u of %u:\n\n", last, path->steps.n);
  struct pv_path_style style = {.colour = pv_cli_wants_colour(&p->options),
                                .width = pv_cli_width(),
                                .last = last,
                                .whole = true};
  pv_report_path(path, &style, &text);
  pv_str_add(&text, "\nValues after it:\n");
  pv_report_values(path, last, &text);
  int status = print_text(&p->options, pv_str_cstr(&text), pv_result_exit_status(&p->result));
  pv_str_free(&text);
  return status;
}

static int replay(const struct pv_options *asked, struct pv_record *record) {
  if (!record->violations.n)
    return pv_cli_complain("the file holds no error to replay", PV_EXIT_INPUT);
  if ((uint64_t)asked->violation > record->violations.n) {
    fprintf(stderr, "proviso: there is no violation %ld: the file holds %" PRIu32 "\n",
            asked->violation, record->violations.n);
    return PV_EXIT_INPUT;
  }
  proviso *p = proviso_new();
  pv_options_free(&p->options);
  p->options = record->options; /* owned by p from here on */
  record->options = (struct pv_options){0};
  p->options.quiet = asked->quiet;
  p->options.verbose = asked->verbose;
  p->options.explain = asked->explain;
  pv_outputs_take_over(&p->options, asked);
  if (asked->verbose) p->log = say;
  proviso_status status = proviso_replay(p, record, (uint32_t)asked->violation - 1);
  int exit_status;
  if (status != PROVISO_OK)
    exit_status = failed(p, status);
  else if ((exit_status = pv_outputs_write_all(p)) != 0)
    ;
  else if (asked->native && p->result.violations.n)
    exit_status = pv_cli_replay_native(p, asked);
  else if (asked->step && p->result.violations.n)
    exit_status = print_steps(p, (uint32_t)asked->step);
  else
    exit_status = print_result(p);
  proviso_free(p);
  return exit_status;
}

static int run_replay(const struct pv_command *self, int argc, char **argv) {
  struct pv_options asked;
  struct pv_record record = {0};
  struct pv_str err = {0};
  pv_options_init(&asked);
  int status = pv_cli_parse(self, &asked, argc, argv);
  if (!status && asked.files.n > 1)
    status = pv_cli_complain("replay takes one file", PV_EXIT_INPUT);
  if (!status) status = pv_outputs_probe(&asked);
  if (!status && pv_record_read(asked.files.at[0], &record, &err) != PV_OK)
    status = pv_cli_complain(pv_str_cstr(&err), PV_EXIT_INPUT);
  if (!status) {
    find_files(&record);
    warn_of_changes(&record);
    status = replay(&asked, &record);
  }
  pv_record_free(&record);
  pv_options_free(&asked);
  pv_str_free(&err);
  return status;
}

/* ---- the table, and help out of it ----------------------------------------------------------- */
const struct pv_command pv_commands[] = {
    {"check", PV_FOR_CHECK, "[options] FILE... [-- CLANG-ARGUMENT...]",
     "check C programs: .c, .i, .cpp, .ll, .bc; or a task of BenchExec: .yml", run_check},
    {"init", PV_FOR_INIT, "[options] [FILE...]",
     "write a first proviso.toml: a check for each program and test of the project -p DIR, or for "
     "each FILE",
     pv_cli_init},
    {"ci", PV_FOR_CI, "[options] [proviso.toml]",
     "run the checks of proviso.toml; exit status 1 if a verdict got worse", pv_cli_ci},
    {"resume", PV_FOR_RESUME, "[options] FILE",
     "continue a run from the condition that `check --proviso FILE` wrote", run_resume},
    {"split", PV_FOR_SPLIT, "[options] FILE",
     "cut what a condition leaves open into parts, FILE.1 to FILE.N", pv_cli_split},
    {"join", PV_FOR_JOIN, "[options] FILE...",
     "join the conditions of all parts; --output FILE writes what they leave open", pv_cli_join},
    {"condition", PV_FOR_CONDITION,
     "show|dot|automaton|complement FILE, compare|product FILE FILE, benchmark PROGRAM",
     "show a condition, draw it, write it in CPAchecker's language, compare two, make tasks for "
     "verifiers of what --given FILE leaves open and of what it verifies",
     pv_cli_condition},
    {"residual", PV_FOR_RESIDUAL, "[options] FILE...",
     "print what the condition --given FILE leaves open as a C program for any verifier",
     pv_cli_residual},
    {"sequentialise", PV_FOR_SEQUENTIALISE, "[options] FILE... [-- CLANG-ARGUMENT...]",
     "print a program with FairThreads or SystemC as a C program without threads, for any verifier",
     pv_cli_sequentialise},
    {"replay", PV_FOR_REPLAY, "[options] FILE.json",
     "replay an error that `check --json FILE.json` recorded", run_replay},
    {"validate", PV_FOR_CHECK | PV_FOR_VALIDATE, "--witness FILE.yml [options] FILE...",
     "validate a witness: does it lead to an error, do its invariants hold", pv_cli_validate},
    {"explain", PV_FOR_EXPLAIN, "[options] FILE.json",
     "explain a result that `check --json FILE.json` saved: what was tried, and what would help",
     pv_cli_explain},
    {"view", PV_FOR_VIEW, "[options] FILE.json",
     "step through an error path that `check --json FILE.json` saved, in the terminal",
     pv_cli_view},
    {"ir", PV_FOR_IR, "[options] FILE... [-- CLANG-ARGUMENT...]",
     "print the program as proviso sees it", run_ir},
    {"slice", PV_FOR_SLICE, "[options] FILE... [-- CLANG-ARGUMENT...]",
     "print the part of a program that can influence a property or a variable, as C", pv_cli_slice},
    {"ltl", PV_FOR_LTL, "[options] FORMULA",
     "print the Buechi automaton of a formula of linear temporal logic", pv_cli_ltl},
    {"instrument", PV_FOR_INSTRUMENT, "[options] FILE... -o PROGRAM [-- CLANG-ARGUMENT...]",
     "build a program that writes a trace of its execution, for `observe --trace`",
     pv_cli_instrument},
    {"observe", PV_FOR_CHECK | PV_FOR_OBSERVE, "[options] FILE... [-- CLANG-ARGUMENT...]",
     "execute a program once, and warn of what could go wrong in other schedules", pv_cli_observe},
    {"abstract", PV_FOR_CHECK | PV_FOR_ABSTRACT, "[options] FILE... [-- CLANG-ARGUMENT...]",
     "replace variables by the predicates that the program declares: print the abstract program as "
     "C, or check it",
     pv_cli_abstract},
    {"distances", PV_FOR_DISTANCES, "[options] FILE... [-- CLANG-ARGUMENT...]",
     "print how far lines are from errors (default: of unreach-call)", run_distances},
    {"manual", 0, "[COMMAND]", "print a page of the manual, for man", pv_cli_manual},
    {"completion", 0, "bash|zsh|fish", "print the completion of a shell", pv_cli_completion},
};
const size_t pv_command_count = sizeof pv_commands / sizeof *pv_commands;

void pv_cli_help_for(const struct pv_command *command) {
  struct pv_str text = {0};
  pv_str_addf(&text, "Usage: proviso %s %s\n\n%s.\n\nOptions:\n", command->name, command->usage,
              command->help);
  pv_options_help_for(command->options, &text);
  if (command->options & (PV_FOR_CHECK | PV_FOR_RESUME)) {
    pv_str_add(&text, "\nKeys of --condition, each with the most that is allowed of:\n");
    for (unsigned i = 0; i < PV_MONITOR_COUNT; i++)
      pv_help_row(pv_monitor_table[i].key, pv_monitor_table[i].help, &text);
  }
  if (command->options & (PV_FOR_CHECK | PV_FOR_DISTANCES)) {
    pv_str_add(&text, "\nProperties, beside valid-memsafety for the three parts of it:\n");
    for (unsigned i = 0; i < PV_PROP_COUNT; i++)
      pv_help_row(pv_property_table[i].name, pv_property_table[i].help, &text);
  }
  fputs(pv_str_cstr(&text), stdout);
  pv_str_free(&text);
}

void pv_cli_help(void) {
  puts("proviso checks C programs: a verdict, and the condition under which it holds.\n\nUsage:");
  for (size_t i = 0; i < pv_command_count; i++)
    printf("  proviso %s %s\n      %s\n", pv_commands[i].name, pv_commands[i].usage,
           pv_commands[i].help);
  puts("  proviso help [COMMAND], proviso COMMAND --help\n"
       "      the options of a command\n"
       "  proviso --version\n\n"
       "Exit status: 0 true, 10 false, 20 conditional or unknown, 2 wrong usage or input,\n"
       "70 internal error. The last line on standard output is the verdict:\n"
       "  Verification result: true | false(PROPERTY) | conditional | unknown");
}
