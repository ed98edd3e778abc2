/* manual.c -- manual pages and completions of shells, generated from the tables of commands and
 * options. The build writes them into files (cmake/install.cmake). */
#include "base/options.h"
#include "cli/cli.h"
#include "proviso.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* The commands that have rows of their own in manual and completions. */
static bool is_listed(const struct pv_command *c) {
  return c->options != 0;
}

/* ---- manual pages ---------------------------------------------------------------------------- */
/* Text of a page: no backslash, hyphens as minus signs, no line that begins with a control
 * character of roff. */
static void add_roff(const char *text, struct pv_str *out) {
  for (const char *c = text; *c; c++) {
    bool begins = !out->n || out->at[out->n - 1] == '\n';
    if (begins && (*c == '.' || *c == '\'')) pv_str_add(out, "\\&");
    if (*c == '\\')
      pv_str_add(out, "\\e");
    else if (*c == '-')
      pv_str_add(out, "\\-");
    else
      pv_str_addc(out, *c);
  }
}

static void add_sentence(const char *text, struct pv_str *out) {
  if (*text >= 'a' && *text <= 'z') pv_str_addc(out, (char)(*text - 32)), text++;
  add_roff(text, out);
  pv_str_add(out, ".\n");
}

static void add_option(const struct pv_option_info *o, struct pv_str *out) {
  pv_str_add(out, ".TP\n\\fB\\-\\-");
  add_roff(o->name, out);
  pv_str_add(out, "\\fR");
  if (o->kind != PV_OPTION_SWITCH) {
    pv_str_add(out, " \\fI");
    add_roff(o->kind == PV_OPTION_CHOICE ? "NAME" : o->values, out);
    pv_str_add(out, "\\fR");
  }
  pv_str_addc(out, '\n');
  add_sentence(o->help, out);
  if (o->kind == PV_OPTION_CHOICE) {
    pv_str_add(out, "Values: ");
    for (const char *c = o->values; *c; c++)
      if (*c == '|')
        pv_str_add(out, ", ");
      else
        pv_str_addc(out, *c);
    pv_str_addf(out, ". Default: %s.\n", o->dflt);
  }
  if (o->kind == PV_OPTION_NUMBER)
    pv_str_addf(out, "From %ld to %ld. Default: %ld.\n", o->low, o->high, o->number);
}

static void add_page_of(const struct pv_command *c, struct pv_str *out) {
  pv_str_add(out, ".TH PROVISO\\-");
  for (const char *k = c->name; *k; k++) pv_str_addc(out, (char)toupper((unsigned char)*k));
  pv_str_addf(out, " 1 \"\" \"proviso %s\" \"proviso\"\n.SH NAME\nproviso\\-%s \\- ",
              proviso_version(), c->name);
  add_roff(c->help, out);
  pv_str_addf(out, "\n.SH SYNOPSIS\n.B proviso %s\n", c->name);
  add_roff(c->usage, out);
  pv_str_add(out, "\n.SH OPTIONS\n");
  for (size_t i = 0; i < pv_option_count; i++) {
    const struct pv_option_info info = pv_option_for(&pv_option_table[i], c->options);
    if (info.commands & c->options) add_option(&info, out);
  }
  if (c->options & (PV_FOR_CHECK | PV_FOR_DISTANCES)) {
    pv_str_add(out, ".SH PROPERTIES\n");
    for (unsigned i = 0; i < PV_PROP_COUNT; i++) {
      pv_str_add(out, ".TP\n\\fB");
      add_roff(pv_property_table[i].name, out);
      pv_str_add(out, "\\fR\n");
      add_sentence(pv_property_table[i].help, out);
    }
  }
  pv_str_add(out, ".SH SEE ALSO\n.BR proviso (1)\n");
}

static void add_main_page(struct pv_str *out) {
  pv_str_addf(out,
              ".TH PROVISO 1 \"\" \"proviso %s\" \"proviso\"\n.SH NAME\n"
              "proviso \\- checks C programs: a verdict, and the condition under which it holds\n"
              ".SH SYNOPSIS\n.B proviso\nCOMMAND [options] FILE...\n.SH COMMANDS\n",
              proviso_version());
  for (size_t i = 0; i < pv_command_count; i++) {
    const struct pv_command *c = &pv_commands[i];
    if (!is_listed(c)) continue;
    pv_str_addf(out, ".TP\n\\fBproviso %s\\fR ", c->name);
    add_roff(c->usage, out);
    pv_str_addc(out, '\n');
    add_sentence(c->help, out);
  }
  pv_str_add(out, ".SH EXIT STATUS\n.TP\n0\nThe verdict is true.\n.TP\n10\nThe verdict is false.\n"
                  ".TP\n20\nThe verdict is conditional or unknown.\n.TP\n1\n"
                  "Of proviso ci: a verdict got worse.\n.TP\n2\nWrong usage or input.\n.TP\n70\n"
                  "Internal error, or a file that cannot be written.\n.SH SEE ALSO\n");
  for (size_t i = 0; i < pv_command_count; i++)
    if (is_listed(&pv_commands[i])) pv_str_addf(out, ".BR proviso\\-%s (1)\n", pv_commands[i].name);
}

int pv_cli_manual(const struct pv_command *self, int argc, char **argv) {
  struct pv_str text = {0};
  const struct pv_command *found = NULL;
  (void)self;
  for (size_t i = 0; i < pv_command_count && argc; i++)
    if (is_listed(&pv_commands[i]) && !strcmp(pv_commands[i].name, argv[0]))
      found = &pv_commands[i];
  if (argc == 1 && !strcmp(argv[0], "--commands")) {
    for (size_t i = 0; i < pv_command_count; i++)
      if (is_listed(&pv_commands[i])) pv_str_addf(&text, "%s\n", pv_commands[i].name);
    int printed = pv_cli_print(pv_str_cstr(&text), 0);
    pv_str_free(&text);
    return printed;
  }
  if (argc > 1 || (argc && !found))
    return pv_cli_complain("usage: proviso manual [COMMAND]", PV_EXIT_INPUT);
  if (found)
    add_page_of(found, &text);
  else
    add_main_page(&text);
  int status = pv_cli_print(pv_str_cstr(&text), 0);
  pv_str_free(&text);
  return status;
}

/* ---- completions ----------------------------------------------------------------------------- */
static void add_commands(const char *between, struct pv_str *out) {
  bool any = false;
  for (size_t i = 0; i < pv_command_count; i++) {
    if (!is_listed(&pv_commands[i])) continue;
    pv_str_addf(out, "%s%s", any ? between : "", pv_commands[i].name);
    any = true;
  }
}

static void add_properties(struct pv_str *out) {
  for (unsigned i = 0; i < PV_PROP_COUNT; i++)
    pv_str_addf(out, "%s%s", i ? " " : "", pv_property_table[i].name);
}

/* The values of a choice, with blanks between them. */
static void add_choices(const char *values, struct pv_str *out) {
  for (const char *c = values; *c; c++) pv_str_addc(out, *c == '|' ? ' ' : *c);
}

/* The first words of a help text: no quotes, brackets or colons, which shells read. */
static void add_brief(const char *help, struct pv_str *out) {
  enum { MOST = 60 };
  for (unsigned i = 0; help[i] && help[i] != ';' && help[i] != ':' && i < MOST; i++)
    if (!strchr("'\"`[]()$\\", help[i])) pv_str_addc(out, help[i]);
}

static void add_bash(struct pv_str *out) {
  pv_str_add(out,
             "# completion of bash for proviso; made by `proviso completion bash`\n_proviso() {\n"
             "  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} "
             "command=${COMP_WORDS[1]} words=\n"
             "  if [ \"$COMP_CWORD\" -eq 1 ]; then\n    words='help ");
  add_commands(" ", out);
  pv_str_add(out, "'\n    COMPREPLY=($(compgen -W \"$words\" -- \"$word\"))\n    return\n  fi\n"
                  "  case $command$before in\n");
  for (size_t k = 0; k < pv_command_count; k++)
    for (size_t i = 0; i < pv_option_count; i++) {
      const struct pv_option_info o = pv_option_for(&pv_option_table[i], pv_commands[k].options);
      bool is_property = !strcmp(o.name, "property");
      if (!(o.commands & pv_commands[k].options) || (o.kind != PV_OPTION_CHOICE && !is_property))
        continue;
      pv_str_addf(out, "  %s--%s) words='", pv_commands[k].name, o.name);
      if (is_property)
        add_properties(out);
      else
        add_choices(o.values, out);
      pv_str_add(out, "' ;;\n");
    }
  pv_str_add(out,
             "  esac\n  if [ -z \"$words\" ] && [[ $word == -* ]]; then\n    case $command in\n");
  for (size_t k = 0; k < pv_command_count; k++) {
    if (!is_listed(&pv_commands[k])) continue;
    pv_str_addf(out, "    %s) words='--help", pv_commands[k].name);
    for (size_t i = 0; i < pv_option_count; i++)
      if (pv_option_table[i].commands & pv_commands[k].options)
        pv_str_addf(out, " --%s", pv_option_table[i].name);
    pv_str_add(out, "' ;;\n");
  }
  pv_str_add(out, "    esac\n  fi\n"
                  "  if [ -n \"$words\" ]; then\n"
                  "    COMPREPLY=($(compgen -W \"$words\" -- \"$word\"))\n  else\n"
                  "    COMPREPLY=($(compgen -f -- \"$word\"))\n"
                  "    compopt -o filenames 2>/dev/null\n  fi\n}\n"
                  "complete -F _proviso proviso\n");
}

static void add_zsh(struct pv_str *out) {
  pv_str_add(out, "#compdef proviso\n# made by `proviso completion zsh`\n"
                  "if (( CURRENT == 2 )); then\n  compadd help ");
  add_commands(" ", out);
  pv_str_add(out, "\n  return\nfi\ncase $words[2] in\n");
  for (size_t k = 0; k < pv_command_count; k++) {
    if (!is_listed(&pv_commands[k])) continue;
    pv_str_addf(out, "%s)\n  shift words; (( CURRENT-- ))\n  _arguments \\\n", pv_commands[k].name);
    for (size_t i = 0; i < pv_option_count; i++) {
      const struct pv_option_info o = pv_option_for(&pv_option_table[i], pv_commands[k].options);
      if (!(o.commands & pv_commands[k].options)) continue;
      pv_str_addf(out, "    '*--%s[", o.name);
      add_brief(o.help, out);
      pv_str_addc(out, ']');
      if (o.kind == PV_OPTION_CHOICE || !strcmp(o.name, "property")) {
        pv_str_add(out, ":value:(");
        if (o.kind == PV_OPTION_CHOICE)
          add_choices(o.values, out);
        else
          add_properties(out);
        pv_str_addc(out, ')');
      } else if (o.kind != PV_OPTION_SWITCH) {
        pv_str_add(out, o.kind == PV_OPTION_NUMBER ? ":number:" : ":value:_files");
      }
      pv_str_add(out, "' \\\n");
    }
    pv_str_add(out, "    '*:file:_files' ;;\n");
  }
  pv_str_add(out, "esac\n");
}

static void add_fish(struct pv_str *out) {
  pv_str_add(out, "# completion of fish for proviso; made by `proviso completion fish`\n"
                  "complete -c proviso -n __fish_use_subcommand -f -a help -d 'the options of a "
                  "command'\n");
  for (size_t k = 0; k < pv_command_count; k++) {
    const struct pv_command *c = &pv_commands[k];
    if (!is_listed(c)) continue;
    pv_str_addf(out, "complete -c proviso -n __fish_use_subcommand -f -a %s -d '", c->name);
    add_brief(c->help, out);
    pv_str_add(out, "'\n");
    for (size_t i = 0; i < pv_option_count; i++) {
      const struct pv_option_info o = pv_option_for(&pv_option_table[i], c->options);
      if (!(o.commands & c->options)) continue;
      pv_str_addf(out, "complete -c proviso -n '__fish_seen_subcommand_from %s' -l %s", c->name,
                  o.name);
      if (o.kind == PV_OPTION_CHOICE || !strcmp(o.name, "property")) {
        pv_str_add(out, " -x -a '");
        if (o.kind == PV_OPTION_CHOICE)
          add_choices(o.values, out);
        else
          add_properties(out);
        pv_str_addc(out, '\'');
      } else if (o.kind != PV_OPTION_SWITCH) {
        pv_str_add(out, o.kind == PV_OPTION_NUMBER ? " -x" : " -r");
      }
      pv_str_add(out, " -d '");
      add_brief(o.help, out);
      pv_str_add(out, "'\n");
    }
  }
}

int pv_cli_completion(const struct pv_command *self, int argc, char **argv) {
  struct pv_str text = {0};
  (void)self;
  if (argc == 1 && !strcmp(argv[0], "bash"))
    add_bash(&text);
  else if (argc == 1 && !strcmp(argv[0], "zsh"))
    add_zsh(&text);
  else if (argc == 1 && !strcmp(argv[0], "fish"))
    add_fish(&text);
  int status = text.n ? pv_cli_print(pv_str_cstr(&text), 0)
                      : pv_cli_complain("usage: proviso completion bash|zsh|fish", PV_EXIT_INPUT);
  pv_str_free(&text);
  return status;
}
