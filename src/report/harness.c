#include "report/given.h"
#include "report/harness.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* The role of an import. */
enum role { INPUT, CHOICE, ASSUME, ASSERT, ERROR, BEGIN, END };

struct harness {
  const struct pv_program *p;
  const struct pv_options *o;
  struct pv_result *result;
  const struct pv_violation *v;
  struct pv_str *out;
  bool threads;
  uint32_t given; /* number of inputs that the file supplies */
};

static enum role role_of(const struct pv_import *import) {
  static const struct {
    const char *name;
    enum role role;
  } table[] = {{"proviso_choose", CHOICE},
               {"__VERIFIER_assume", ASSUME},
               {"assume_abort_if_not", ASSUME},
               {"__VERIFIER_assert", ASSERT},
               {"reach_error", ERROR},
               {"__VERIFIER_error", ERROR},
               {"__VERIFIER_atomic_begin", BEGIN},
               {"__VERIFIER_atomic_end", END}};
  for (size_t i = 0; i < sizeof table / sizeof *table; i++)
    if (!strcmp(table[i].name, import->name)) return table[i].role;
  return INPUT;
}

static bool imports(const struct harness *h, enum role role) {
  for (uint32_t i = 0; i < h->p->imports.n; i++)
    if (role_of(&h->p->imports.at[i]) == role) return true;
  return false;
}

/* Is it an identifier of C? Others (with a `$`, or of C++) are not written. */
static bool is_identifier(const char *name) {
  if (!isalpha((unsigned char)*name) && *name != '_') return false;
  for (; *name; name++)
    if (!isalnum((unsigned char)*name) && *name != '_') return false;
  return true;
}

/* ---- what comes from the program or from the user ----------------------------------------------
 */
/* Text inside of a comment, which must not end it or begin another one. */
static void add_text(const char *text, struct pv_str *out) {
  for (const char *c = text; *c; c++) {
    bool ends = c > text && ((c[-1] == '*' && *c == '/') || (c[-1] == '/' && *c == '*'));
    if (ends) pv_str_addc(out, ' ');
    pv_str_addc(out, *c >= 0x20 && *c < 0x7f ? *c : '.');
  }
}

/* Quotes a word of a command for the shell. */
static void add_word(const char *word, struct pv_str *out) {
  static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                              "_-+=./,:@%";
  pv_str_addc(out, ' ');
  if (*word && strspn(word, plain) == strlen(word)) {
    pv_str_add(out, word);
    return;
  }
  pv_str_addc(out, '\'');
  for (const char *c = word; *c; c++)
    if (*c == '\'')
      pv_str_add(out, "'\\''");
    else
      pv_str_addc(out, *c);
  pv_str_addc(out, '\'');
}

/* ---- types ----------------------------------------------------------------------------------- */
static const char *int_type(unsigned bits, bool is_unsigned) {
  static const struct {
    unsigned bits;
    const char *names[2];
  } table[] = {{1, {"_Bool", "_Bool"}},
               {8, {"signed char", "unsigned char"}},
               {16, {"short", "unsigned short"}},
               {32, {"int", "unsigned"}},
               {64, {"long long", "unsigned long long"}},
               {128, {"__int128", "unsigned __int128"}}};
  for (size_t i = 0; i < sizeof table / sizeof *table; i++)
    if (bits <= table[i].bits) return table[i].names[is_unsigned];
  return NULL;
}

static const char *type_name(pv_type t, bool is_unsigned) {
  switch (pv_type_kind(t)) {
  case PV_T_INT: return int_type(pv_type_bits(t), is_unsigned);
  case PV_T_FLOAT:
    return pv_type_bits(t) == 32 ? "float" : pv_type_bits(t) == 64 ? "double" : "long double";
  case PV_T_PTR: return "void *";
  case PV_T_VOID: break;
  }
  return "void";
}

/* Two whole integer registers are returned like an __int128, whatever they are parts of. */
static bool is_pair(const struct pv_import *import) {
  return import->n_results == 2 && import->result[0] == PV_INT(64) &&
         import->result[1] == PV_INT(64);
}

static bool can_give(const struct pv_import *import) {
  bool one = import->n_results == 1;
  return is_identifier(import->name) && (one || is_pair(import));
}

/* ---- the inputs ------------------------------------------------------------------------------ */
/* 1 + the index of the import that supplies the source's inputs; 0: none. */
static uint32_t import_of(const struct harness *h, const struct pv_source *s) {
  const char *name = s->name;
  if (!name || s->origin == PV_ORIGIN_INDETERMINATE || s->origin == PV_ORIGIN_PARAMETER) return 0;
  if (!strncmp(name, "part ", 5) && strstr(name, " of ")) name = strstr(name, " of ") + 4;
  for (uint32_t i = 0; i < h->p->imports.n; i++) {
    const struct pv_import *import = &h->p->imports.at[i];
    bool gives = role_of(import) <= CHOICE && can_give(import);
    if (gives && !strcmp(import->name, name)) return i + 1;
  }
  return 0;
}

static void add_input(struct harness *h, const struct pv_input *in) {
  const struct pv_source *s = in->source ? &h->v->path.sources.at[in->source - 1] : NULL;
  uint32_t import = s ? import_of(h, s) : 0;
  if (!import) return;
  h->given++;
  pv_str_addf(h->out, "    {%" PRIu32 ", {0x%" PRIx64 "u, 0x%" PRIx64 "u}}, /* ", import - 1,
              in->value[0], in->value[1]);
  add_text(s->name, h->out);
  pv_str_add(h->out, " at ");
  add_text(s->file ? s->file : "?", h->out);
  pv_str_addf(h->out, ":%" PRIu32 " */\n", s->line);
}

static void add_table(struct harness *h) {
  pv_str_add(h->out,
             "/* What inputs give, in this order: the function asked, by the numbers below, "
             "and\n * the value's bits, low word first. */\n"
             "static const struct {\n"
             "  int from;\n"
             "  unsigned long long value[2];\n"
             "} proviso_inputs[] = {\n");
  for (uint32_t i = 0; i < h->v->path.inputs.n; i++) add_input(h, &h->v->path.inputs.at[i]);
  pv_str_addf(h->out,
              "    {-1, {0, 0}} /* the end */\n};\n"
              "enum { PROVISO_INPUTS = %" PRIu32 " };\n\n",
              h->given);
}

/* ---- the functions --------------------------------------------------------------------------- */
static void add_end(struct harness *h) {
  pv_str_add(h->out, "static void proviso_end(int status, const char *what) {\n"
                     "  fflush(NULL);\n"
                     "  fprintf(stderr, \"proviso harness: %s\\n\", what);\n"
                     "  _Exit(status);\n"
                     "}\n\n");
}

/* A single thread asks for the inputs in the order of the table. With several threads the order
 * between them is not known, so each function supplies its own inputs in order. */
static void add_next(struct harness *h) {
  pv_str_add(h->out, "static const unsigned long long *proviso_next(int from) {\n");
  if (h->threads)
    pv_str_addf(h->out,
                "  static unsigned next[%" PRIu32 "];\n"
                "  static int lock;\n"
                "  unsigned at;\n"
                "  while (__atomic_exchange_n(&lock, 1, __ATOMIC_ACQUIRE)) {\n  }\n"
                "  while (next[from] < PROVISO_INPUTS && proviso_inputs[next[from]].from != from)\n"
                "    next[from]++;\n"
                "  at = next[from] < PROVISO_INPUTS ? next[from]++ : PROVISO_INPUTS;\n"
                "  __atomic_store_n(&lock, 0, __ATOMIC_RELEASE);\n",
                h->p->imports.n);
  else
    pv_str_add(h->out, "  static unsigned next;\n"
                       "  unsigned at = next < PROVISO_INPUTS ? next++ : PROVISO_INPUTS;\n");
  pv_str_addf(h->out,
              "  if (at == PROVISO_INPUTS)\n"
              "    proviso_end(%d, \"more inputs are asked for than were recorded\");\n"
              "  if (proviso_inputs[at].from != from)\n"
              "    proviso_end(%d, \"another input is asked for than was recorded\");\n"
              "  return proviso_inputs[at].value;\n}\n\n",
              PV_HARNESS_OFF, PV_HARNESS_OFF);
}

static void add_value(struct harness *h, const struct pv_import *import, uint32_t number) {
  const char *type = type_name(import->result[0], import->zero_extended);
  pv_type t = import->result[0];
  if (pv_type_kind(t) == PV_T_FLOAT) {
    unsigned bytes = pv_type_bytes(t); /* little-endian, like all supported targets */
    pv_str_addf(h->out,
                "  %s value = 0;\n"
                "  memcpy(&value, proviso_next(%" PRIu32 "), %u);\n"
                "  return value;\n",
                type, number, bytes);
  } else if (pv_type_kind(t) == PV_T_PTR) {
    pv_str_addf(h->out, "  return (void *)(unsigned long)proviso_next(%" PRIu32 ")[0];\n", number);
  } else if (is_pair(import)) {
    pv_str_addf(h->out,
                "  unsigned __int128 low = proviso_next(%" PRIu32 ")[0];\n"
                "  return low | (unsigned __int128)proviso_next(%" PRIu32 ")[0] << 64;\n",
                number, number);
  } else if (pv_type_bits(t) > 64) {
    pv_str_addf(h->out,
                "  const unsigned long long *value = proviso_next(%" PRIu32 ");\n"
                "  return (%s)value[1] << 64 | value[0];\n",
                number, type);
  } else {
    pv_str_addf(h->out, "  return (%s)proviso_next(%" PRIu32 ")[0];\n", type, number);
  }
}

static void add_function(struct harness *h, const struct pv_import *import, uint32_t number) {
  struct pv_str *out = h->out;
  const char *name = import->name;
  bool given = can_give(import);
  const char *param = import->param == PV_VOID ? "int" : type_name(import->param, false);
  const char *type = is_pair(import)     ? "unsigned __int128"
                     : import->n_results ? type_name(import->result[0], import->zero_extended)
                                         : "void";
  if (!is_identifier(name)) return;
  switch (role_of(import)) {
  case INPUT:
    if (!given) type = "void";
    pv_str_addf(out, "%s%s%s(void) { /* %" PRIu32 " */\n", type,
                type[strlen(type) - 1] == '*' ? "" : " ", name, number);
    if (given)
      add_value(h, import, number);
    else
      pv_str_addf(out, "  proviso_end(%d, \"an input of a type that is not given here\");\n",
                  PV_HARNESS_OFF);
    pv_str_add(out, "}\n");
    return;
  case CHOICE:
    if (!given || pv_type_kind(import->result[0]) != PV_T_INT) return;
    pv_str_addf(out,
                "%s %s(%s low, %s high) { /* %" PRIu32 " */\n"
                "  %s value = (%s)proviso_next(%" PRIu32 ")[0];\n"
                "  if (value < low || value > high)\n"
                "    proviso_end(%d, \"a choice has another range than was recorded\");\n"
                "  return value;\n}\n",
                type, name, param, param, number, type, type, number, PV_HARNESS_OFF);
    return;
  case ASSUME:
    pv_str_addf(out,
                "void %s(%s condition) {\n"
                "  if (!condition) proviso_end(%d, \"an assumption is false\");\n}\n",
                name, param, PV_HARNESS_ASSUMED);
    return;
  case ASSERT:
    pv_str_addf(out,
                "void %s(%s condition) {\n"
                "  if (!condition) proviso_end(%d, \"the error is reached\");\n}\n",
                name, param, PV_HARNESS_ERROR);
    return;
  case ERROR:
    pv_str_addf(out, "void %s(void) {\n  proviso_end(%d, \"the error is reached\");\n}\n", name,
                PV_HARNESS_ERROR);
    return;
  case BEGIN:
    pv_str_addf(out,
                "void %s(void) {\n"
                "  if (proviso_depth++) return;\n"
                "  while (__atomic_exchange_n(&proviso_section, 1, __ATOMIC_ACQUIRE)) {\n  }\n}\n",
                name);
    return;
  case END:
    pv_str_addf(out,
                "void %s(void) {\n"
                "  if (!proviso_depth || --proviso_depth) return;\n"
                "  __atomic_store_n(&proviso_section, 0, __ATOMIC_RELEASE);\n}\n",
                name);
    return;
  }
}

static void add_functions(struct harness *h) {
  if (imports(h, BEGIN) || imports(h, END))
    pv_str_add(h->out, "/* Atomic sections nest; they exclude each other, and nothing else. */\n"
                       "static _Thread_local unsigned proviso_depth;\n"
                       "static int proviso_section;\n\n");
  for (uint32_t i = 0; i < h->p->imports.n; i++) add_function(h, &h->p->imports.at[i], i);
}

/* ---- effects of the error -------------------------------------------------------------------- */
static const char *flags_for(enum pv_property property) {
  switch (property) {
  case PV_PROP_NO_OVERFLOW:
  case PV_PROP_DEF_BEHAVIOR: return " -fsanitize=undefined -fno-sanitize-recover=all";
  case PV_PROP_VALID_DEREF:
  case PV_PROP_VALID_FREE:
  case PV_PROP_VALID_MEMTRACK:
  case PV_PROP_VALID_MEMCLEANUP: return " -fsanitize=address";
  case PV_PROP_NO_DATA_RACE: return " -fsanitize=thread";
  default: return "";
  }
}

static bool begins(const char *text, const char *with) {
  return text && !strncmp(text, with, strlen(with));
}

/* Does the error end in a function that the harness defines? */
static bool ends_here(const struct harness *h) {
  for (uint32_t i = 0; i < h->p->imports.n; i++) {
    const struct pv_import *import = &h->p->imports.at[i];
    enum role role = role_of(import);
    char *called = pv_format("`%s` is called", import->name);
    char *fails = pv_format("assertion `%s` fails", import->name);
    bool it = h->v->message && ((role == ERROR && !strcmp(h->v->message, called)) ||
                                (role == ASSERT && !strcmp(h->v->message, fails)));
    free(called);
    free(fails);
    if (it) return true;
  }
  return false;
}

/* The visible effect when the error happens. */
static const char *sign_of(const struct harness *h) {
  switch (h->v->property) {
  case PV_PROP_UNREACH_CALL:
    if (ends_here(h)) return "exit status 107, and a line on stderr";
    if (begins(h->v->message, "assertion ")) return "abort by the assertion that fails";
    if (begins(h->v->message, "label ")) return "nothing: set a breakpoint on the label";
    return "what the program's own error function does";
  case PV_PROP_NO_OVERFLOW:
  case PV_PROP_DEF_BEHAVIOR:
    return "a report of the sanitizer, if it looks for this kind of error (clang's "
           "-fsanitize=memory looks for values that were never set)";
  case PV_PROP_VALID_DEREF:
  case PV_PROP_VALID_FREE: return "a report of the sanitizer";
  case PV_PROP_VALID_MEMTRACK:
  case PV_PROP_VALID_MEMCLEANUP:
    return "a report of the sanitizer's search for leaks, which does not look at memory that is "
           "still pointed to";
  case PV_PROP_NO_DATA_RACE: return "a report of the sanitizer in some runs";
  case PV_PROP_NO_DEADLOCK: return "the program does not end, in some runs";
  case PV_PROP_INVARIANT: return "nothing: look at the variables with a debugger";
  case PV_PROP_OBSERVER: return "nothing: what the automaton observes is seen with a debugger";
  case PV_PROP_MUTUAL_EXCLUSION: return "nothing: look at where the threads are with a debugger";
  case PV_PROP_LTL:
  case PV_PROP_NO_LIVELOCK:
  case PV_PROP_STARVATION_FREE:
  case PV_PROP_NO_ENDLESS_INSTANT:
  case PV_PROP_TERMINATION: return "the program does not end, in some runs";
  case PV_PROP_COUNT: break;
  }
  return "";
}

/* "cc", or another compiler for these files. */
static const char *compiler_for(const struct pv_options *o, bool *is_cpp) {
  static const struct {
    const char *ending, *compiler;
  } table[] = {{".ll", "clang"}, {".bc", "clang"}, {".cpp", "c++"},
               {".cc", "c++"},   {".cxx", "c++"},  {".C", "c++"}};
  const char *compiler = "cc";
  *is_cpp = false;
  for (uint32_t i = 0; i < o->files.n; i++) {
    const char *dot = strrchr(o->files.at[i], '.');
    for (size_t k = 0; dot && k < sizeof table / sizeof *table; k++)
      if (!strcmp(dot, table[k].ending)) compiler = table[k].compiler;
    *is_cpp |= !strcmp(compiler, "c++");
  }
  return compiler;
}

static void add_flags(const struct harness *h, const char *compiler, struct pv_str *out) {
  const struct pv_options *o = h->o;
  pv_str_addf(out, "%s -g%s%s", compiler, o->ilp32 ? " -m32" : "", flags_for(h->v->property));
  for (uint32_t i = 0; i < o->clang_args.n; i++) add_word(o->clang_args.at[i], out);
}

/* A file with its own flags is compiled separately: "cc -g -DX -c prog.c -o reproduce-0.o && " */
static void add_compilation(const struct harness *h, const char *compiler, uint32_t i,
                            struct pv_str *out) {
  const char *rest = pv_options_file_flags(h->o, i);
  if (!*rest) return;
  add_flags(h, compiler, out);
  for (char *flag; (flag = pv_options_next_flag(&rest)); free(flag)) add_word(flag, out);
  pv_str_add(out, " -c");
  add_word(h->o->files.at[i], out);
  pv_str_addf(out, " -o reproduce-%u.o && ", i);
}

/* "cc -g prog.c harness.c -lm -o reproduce && ./reproduce" */
static void add_command(const struct harness *h, struct pv_str *out) {
  const struct pv_options *o = h->o;
  bool is_cpp;
  const char *compiler = compiler_for(o, &is_cpp);
  for (uint32_t i = 0; i < o->files.n; i++) add_compilation(h, compiler, i, out);
  add_flags(h, compiler, out);
  for (uint32_t i = 0; i < o->files.n; i++) {
    char *object = pv_format("reproduce-%u.o", i);
    add_word(*pv_options_file_flags(o, i) ? object : o->files.at[i], out);
    free(object);
  }
  if (is_cpp) pv_str_add(out, " -x c");
  add_word(o->harness.n && strcmp(o->harness.at[0], "-") != 0 ? o->harness.at[0] : "harness.c",
           out);
  if (is_cpp) pv_str_add(out, " -x none");
  pv_str_add(out, h->threads ? " -pthread" : "");
  pv_str_add(out, " -lm -o reproduce && ");
  struct pv_given given;
  pv_given_find(h->p, &h->v->path, &given);
  if (!pv_given_command(&given, "./reproduce", true, out)) pv_str_add(out, "./reproduce");
  pv_given_clear(&given);
}

static void add_head_line(struct harness *h, const char *name, const char *text) {
  pv_str_addf(h->out, " * %-8s ", name);
  add_text(text, h->out);
  pv_str_addc(h->out, '\n');
}

static void add_head(struct harness *h) {
  struct pv_str command = {0};
  char *place = pv_format("%s:%" PRIu32 ", property %s", h->v->file ? h->v->file : "?", h->v->line,
                          pv_property_table[h->v->property].name);
  pv_str_add(h->out, "/* Gives a program the inputs of an error that proviso found, when it is "
                     "compiled\n * and run with it.\n *\n");
  add_head_line(h, "Error:", h->v->message ? h->v->message : "");
  add_head_line(h, "At:", place);
  add_command(h, &command);
  add_head_line(h, "Compile:", pv_str_cstr(&command));
  add_head_line(h, "Shows:", sign_of(h));
  pv_str_addf(h->out,
              " *\n * Exit status %d: the error is reached. %d: other inputs are asked for than "
              "were\n * recorded, the run is on another path. %d: an assumption is false.\n",
              PV_HARNESS_ERROR, PV_HARNESS_OFF, PV_HARNESS_ASSUMED);
  if (h->threads)
    pv_str_add(h->out, " *\n * The schedule of the threads is not reproduced, only the inputs: it "
                       "may take many\n * runs until the error happens, or more than this "
                       "machine's scheduler does.\n");
  free(place);
  pv_str_free(&command);
}

/* Names the inputs that neither the harness nor the command supplies: the sources, each once. */
static void name_elsewhere(struct harness *h, struct pv_str *out) {
  for (uint32_t i = 0; i < h->v->path.sources.n; i++) {
    const struct pv_source *s = &h->v->path.sources.at[i];
    if (import_of(h, s) || pv_given_tells(s)) continue;
    pv_str_addf(out, "%s`%s` at %s:%" PRIu32, out->n ? ", " : "", s->name ? s->name : "?",
                s->file ? s->file : "?", s->line);
  }
}

static uint32_t count_elsewhere(const struct harness *h) {
  const struct pv_error_path *path = &h->v->path;
  uint32_t n = 0;
  for (uint32_t i = 0; i < path->inputs.n; i++) {
    uint32_t source = path->inputs.at[i].source;
    const struct pv_source *s = source ? &path->sources.at[source - 1] : NULL;
    n += !s || (!import_of(h, s) && !pv_given_tells(s));
  }
  return n;
}

static void add_limits(struct harness *h) {
  struct pv_str names = {0};
  uint32_t n = count_elsewhere(h);
  name_elsewhere(h, &names);
  if (n) {
    pv_str_add(h->out, " *\n * Inputs that come from elsewhere are not given: ");
    add_text(pv_str_cstr(&names), h->out);
    pv_str_add(h->out, ".\n");
    pv_vec_push(&h->result->notes,
                pv_format("the harness does not give %" PRIu32 " input%s from elsewhere (%s)", n,
                          n == 1 ? "" : "s", pv_str_cstr(&names)));
  }
  if (h->o->entry.n) {
    pv_str_add(h->out, " *\n * Nothing here calls the function that the check began in.\n");
    pv_vec_push(&h->result->notes,
                pv_format("the harness does not call `%s`, where the check began",
                          h->o->entry.at[h->o->entry.n - 1]));
  }
  pv_str_add(h->out, " */\n");
  pv_str_free(&names);
}

/* A native run may schedule threads differently from the path. */
static bool has_threads(const struct pv_program *p) {
  for (uint32_t i = 0; i < p->prims.n; i++)
    if (!strcmp(p->prims.at[i].name, "__proviso_thread_create")) return true;
  return false;
}

const char *pv_report_harness(const struct pv_program *p, const struct pv_options *o,
                              struct pv_result *r, struct pv_str *out) {
  struct harness h = {.p = p, .o = o, .result = r, .v = &r->violations.at[0], .out = out};
  struct pv_str command = {0};
  h.threads = has_threads(p);
  if (h.v->path.inputs_left_out) return "the path asks for so many inputs that they are not kept";
  add_head(&h);
  add_limits(&h);
  pv_str_add(out, "#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n\n");
  if (imports(&h, INPUT) || imports(&h, CHOICE)) add_table(&h);
  if (p->imports.n) add_end(&h);
  if (imports(&h, INPUT) || imports(&h, CHOICE)) add_next(&h);
  add_functions(&h);
  add_command(&h, &command);
  pv_vec_push(&r->notes, pv_format("compile and run the harness: %s", pv_str_cstr(&command)));
  if (h.threads)
    pv_vec_push(&r->notes, pv_strdup("the harness reproduces the inputs, not the schedule of the "
                                     "threads: the error may need many runs"));
  pv_str_free(&command);
  return NULL;
}
