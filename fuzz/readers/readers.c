/* readers.c -- targets of libFuzzer: each reader of files and words from strangers. READER, set by
 * the build, is the function to call. Any text is fine; a crash, a leak and an access outside of an
 * object are errors. fuzz/readers/build makes the programs. */
#include "base/options.h"
#include "cli/task.h"
#include "condition/file.h"
#include "engine.h"
#include "frontend/frontend.h"
#include "ltl/automaton.h"
#include "monitor/trace.h"
#include "observer/automaton.h"
#include "plan/plan_internal.h"
#include "project/database.h"
#include "project/manifest.h"
#include "property/property.h"
#include "report/record.h"
#include "witness/witness.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

/* ---- texts ------------------------------------------------------------------------------------ */
static char *text_of(const uint8_t *data, size_t n) {
  char *text = malloc(n + 1);
  if (!text) abort();
  if (n) memcpy(text, data, n);
  text[n] = 0;
  return text;
}

/* ---- no calls of the system --------------------------------------------------------------------
 * The linker sends calls of these functions here (--wrap): a file with the name `input` has the bytes
 * of this execution, so none is written. */
#define INPUT "/input"
enum pv_status __real_pv_read_file(const char *path, size_t max, char **out, size_t *n,
                                   struct pv_str *err);
enum pv_status __wrap_pv_read_file(const char *path, size_t max, char **out, size_t *n,
                                   struct pv_str *err);
uint64_t __wrap_pv_limits_default_memory(void);
static const uint8_t *input;
static size_t input_size;

enum pv_status __wrap_pv_read_file(const char *path, size_t max, char **out, size_t *n,
                                   struct pv_str *err) {
  if (strncmp(path, INPUT, strlen(INPUT)) != 0) return __real_pv_read_file(path, max, out, n, err);
  *out = text_of(input, input_size);
  *n = input_size;
  return PV_OK;
}

/* The system's answer takes longer than most readers. */
uint64_t __wrap_pv_limits_default_memory(void) {
  return (uint64_t)1 << 30;
}

static inline const char *input_of(const uint8_t *data, size_t n, const char *name) {
  input = data;
  input_size = n;
  return name;
}
#define file_of(DATA, N, SUFFIX) input_of(DATA, N, INPUT SUFFIX)

/* The name of a file with these bytes, the same for all calls, in memory: for LLVM, which opens it. */
static inline const char *real_file_of(const uint8_t *data, size_t n, const char *suffix) {
  static char path[64];
  if (!*path) snprintf(path, sizeof path, "/dev/shm/proviso-fuzz-%d%s", (int)getpid(), suffix);
  int f = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  if (f < 0 || write(f, data, n) != (ssize_t)n) abort();
  close(f);
  return path;
}

/* ---- the readers ------------------------------------------------------------------------------ */
#define READS(NAME) static inline void NAME(const uint8_t *data, size_t n, struct pv_str *err)

READS(witness) {
  struct pv_witness w;
  char *text = text_of(data, n);
  pv_witness_parse("w.yml", text, n, &w, err);
  pv_witness_properties(&w);
  pv_witness_clear(&w);
  free(text);
}

READS(task) {
  struct pv_options o;
  struct pv_cli_task t = {0};
  pv_options_init(&o);
  pv_options_add_file(&o, file_of(data, n, ".yml"));
  pv_cli_task_read(&o, &t, err);
  pv_cli_task_clear(&t);
  pv_options_free(&o);
}

READS(property) {
  pv_properties set = 0;
  pv_properties_read_spec(file_of(data, n, ".prp"), &set, err);
}

READS(condition) {
  struct pv_condition_file f = {0};
  char *text = text_of(data, n);
  pv_condition_parse(text, n, &f, err);
  pv_condition_file_clear(&f);
  free(text);
}

READS(automaton) {
  pv_automata a = {0};
  char *text = text_of(data, n);
  if (strstr(text, "#include")) /* which needs a file; it may include itself */
    pv_automata_read(file_of(data, n, ".spc"), &a, err);
  else
    pv_automata_parse("a.spc", text, n, &a, err);
  pv_automata_free(&a);
  free(text);
}

/* Each line is a word of the command line. */
READS(options) {
  enum { MOST = 64 };
  struct pv_options o;
  char *text = text_of(data, n), *words[MOST];
  int count = 0;
  for (char *at = text; at && count < MOST;) {
    char *end = strchr(at, '\n');
    if (end) *end = 0;
    words[count++] = at;
    at = end ? end + 1 : NULL;
  }
  pv_options_init(&o);
  o.command = PV_FOR_CHECK;
  pv_options_parse(&o, count, words, err);
  pv_options_free(&o);
  free(text);
}

READS(record) {
  struct pv_record r;
  pv_record_read(file_of(data, n, ".json"), &r, err);
  pv_record_free(&r);
}

READS(plan) {
  struct pv_options o;
  struct pv_task t = {.options = &o, .limits = &o.limits};
  char *text = text_of(data, n);
  pv_options_init(&o);
  if (pv_options_set(&o, "plan", text, err) == PV_OK) pv_plan_check_steps(&t, err);
  pv_options_free(&o);
  free(text);
}

/* What is read becomes an automaton, within a bound that is small. */
READS(formula) {
  enum { STEPS = 1 << 16 };
  char *text = text_of(data, n);
  struct pv_ltl l;
  struct pv_labels labels;
  struct pv_buchi a;
  pv_formula f;
  struct pv_str out = {0};
  pv_ltl_init(&l);
  pv_labels_init(&labels);
  l.budget.most = STEPS;
  if (pv_ltl_parse(&l, text, &f, err) == PV_OK &&
      pv_ltl_buchi(&l, &labels, f, n % 2, &a) == PV_OK) {
    pv_buchi_print(&a, &l, text, PV_BUCHI_TEXT, &out);
    pv_buchi_clear(&a);
  }
  pv_labels_free(&labels);
  pv_ltl_free(&l);
  pv_str_free(&out);
  free(text);
}

READS(trace) {
  struct pv_observation o = {0};
  pv_trace_observe(file_of(data, n, ".trace"), &o, err);
  pv_observation_clear(&o);
}

READS(manifest) {
  struct pv_manifest m = {0};
  pv_manifest_read(file_of(data, n, ".toml"), &m, err);
  pv_manifest_free(&m);
}

READS(database) {
  struct pv_database d = {0};
  pv_database_read(file_of(data, n, ".json"), &d, err);
  pv_database_free(&d);
}

/* LLVM reads it; what it refuses is refused, what it accepts is lowered. */
READS(bitcode) {
  struct pv_options o;
  struct pv_program *p = NULL;
  pv_options_init(&o);
  pv_options_add_file(&o, real_file_of(data, n, ".bc"));
  if (pv_load(&o, NULL, &p, err) == PV_OK) pv_program_free(p);
  pv_options_free(&o);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n) {
  struct pv_str err = {0};
  READER(data, n, &err);
  pv_str_free(&err);
  return 0;
}
