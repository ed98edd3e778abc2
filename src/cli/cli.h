/* cli.h -- the sub-commands of the command line. */
#ifndef PV_CLI_H
#define PV_CLI_H

#include "condition/file.h"

#include <stddef.h>

struct proviso;

enum { PV_EXIT_INPUT = 2, PV_EXIT_INTERNAL = 70, PV_EXIT_INTERRUPTED = 130 };

struct pv_command {
  const char *name;
  unsigned options;         /* PV_FOR_* */
  const char *usage, *help; /* what follows the name; one line, without a full stop */
  /* Receives the arguments after the command's name. Returns the exit status. */
  int (*run)(const struct pv_command *self, int argc, char **argv);
};
extern const struct pv_command pv_commands[];
extern const size_t pv_command_count;

/* Writes the text to stdout. Returns `status`, or PV_EXIT_INTERNAL if stdout cannot be written. */
int pv_cli_print(const char *text, int status);
/* Writes the text to the file of option `output`, or to stdout if there is none or it is `-`.
 * Returns 0 or the exit status. */
int pv_cli_write(const struct pv_options *o, const struct pv_str *text);
/* Prints a message to stderr. Returns `status`. */
int pv_cli_complain(const char *message, int status);
/* Begins a command: parses its arguments into options, and refuses an output file that cannot be
 * written. Returns 0 or the exit status. */
int pv_cli_parse(const struct pv_command *self, struct pv_options *o, int argc, char **argv);
/* Loads the plug-ins of option `load`, which listen to the handle from then on. Returns 0 or the
 * exit status. */
int pv_cli_load(struct proviso *p, const struct pv_texts *files);
/* Are colours wanted on standard output (https://no-color.org)? */
bool pv_cli_wants_colour(const struct pv_options *o);
unsigned pv_cli_width(void); /* columns of the terminal on standard output; 0: it is none */
/* Print the help of one command, and the list of all. */
void pv_cli_help_for(const struct pv_command *command);
void pv_cli_help(void);

/* ---- pv_command.run ---------------------------------------------------------------------------
 */
int pv_cli_abstract(const struct pv_command *self, int argc, char **argv);
int pv_cli_ci(const struct pv_command *self, int argc, char **argv);
int pv_cli_condition(const struct pv_command *self, int argc, char **argv);
int pv_cli_explain(const struct pv_command *self, int argc, char **argv);
int pv_cli_init(const struct pv_command *self, int argc, char **argv);
int pv_cli_instrument(const struct pv_command *self, int argc, char **argv);
int pv_cli_join(const struct pv_command *self, int argc, char **argv);
int pv_cli_ltl(const struct pv_command *self, int argc, char **argv);
int pv_cli_observe(const struct pv_command *self, int argc, char **argv);
int pv_cli_residual(const struct pv_command *self, int argc, char **argv);
int pv_cli_sequentialise(const struct pv_command *self, int argc, char **argv);
int pv_cli_slice(const struct pv_command *self, int argc, char **argv);
int pv_cli_split(const struct pv_command *self, int argc, char **argv);
int pv_cli_validate(const struct pv_command *self, int argc, char **argv);
int pv_cli_view(const struct pv_command *self, int argc, char **argv);
/* These two parse their words themselves: pv_command.options is 0. */
int pv_cli_completion(const struct pv_command *self, int argc, char **argv);
int pv_cli_manual(const struct pv_command *self, int argc, char **argv);

/* ---- parts of commands that several files share ------------------------------------------------
 */
/* After a replay: shows the error in the real program, as `asked` says. Returns the exit status. */
int pv_cli_replay_native(struct proviso *p, const struct pv_options *asked);
/* The command `condition benchmark`; its arguments are parsed. Returns the exit status. */
int pv_cli_benchmark(const struct pv_options *asked);
/* What `residual` does, in two steps. Loads the program that is asked for, with the options of the
 * condition in option `given`, which becomes *file. PV_E_INPUT: a message is in *err. */
enum pv_status pv_cli_residual_load(struct proviso *p, const struct pv_options *asked,
                                    struct pv_condition_file *file, struct pv_str *err);
/* As pv_residual_print (condition/residual.h); frontiers, too, are woven in. */
enum pv_status pv_cli_residual_print(const struct proviso *p, const struct pv_condition_file *file,
                                     struct pv_str *text, bool *whole, struct pv_str *err);
#endif
