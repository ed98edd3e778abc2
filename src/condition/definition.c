#include "condition/definition.h"

#include <string.h>

const char *const pv_definition_property = "CHECK( init(main()), LTL(G ! call(reach_error())) )\n";

/* Does the line hold this key? Returns its value, or NULL. */
static const char *value_of(const char *line, const char *key) {
  line += strspn(line, " -\t");
  size_t n = strlen(key);
  if (strncmp(line, key, n) != 0 || line[n] != ':') return NULL;
  return line + n + 1 + strspn(line + n + 1, " \t'\"");
}

/* A list of properties, each of which begins with `property_file`; lines of other keys between. */
enum pv_expected pv_definition_expected(const char *text) {
  bool ours = false;
  for (const char *line = text; *line; line += strcspn(line, "\n"), line += *line == '\n') {
    const char *file = value_of(line, "property_file");
    const char *verdict = value_of(line, "expected_verdict");
    const char *name = file ? strstr(file, "unreach-call") : NULL;
    if (file) ours = name && name < file + strcspn(file, "\n");
    if (verdict && ours && !strncmp(verdict, "true", 4)) return PV_EXPECTED_TRUE;
    if (verdict && ours && !strncmp(verdict, "false", 5)) return PV_EXPECTED_FALSE;
  }
  return PV_EXPECTED_UNKNOWN;
}

/* In single quotes, as YAML has it. */
static void put_quoted(const char *text, struct pv_str *out) {
  pv_str_addc(out, '\'');
  for (; *text; text++) {
    if (*text == '\'') pv_str_addc(out, '\'');
    pv_str_addc(out, *text);
  }
  pv_str_addc(out, '\'');
}

void pv_definition_print(const char *file, enum pv_expected expected, unsigned pointer_bits,
                         struct pv_str *out) {
  pv_str_add(out, "format_version: '2.0'\n\ninput_files: ");
  put_quoted(file, out);
  pv_str_add(out, "\n\nproperties:\n  - property_file: " PV_DEFINITION_PROPERTY "\n");
  if (expected != PV_EXPECTED_UNKNOWN)
    pv_str_addf(out, "    expected_verdict: %s\n", expected == PV_EXPECTED_TRUE ? "true" : "false");
  pv_str_addf(out, "\noptions:\n  language: C\n  data_model: %s\n",
              pointer_bits == 32 ? "ILP32" : "LP64");
}
