/* witness_test.c -- the readers of YAML and of witnesses: what is right is read, and what is wrong
 * in one place is refused, with the line. */
#include "witness/witness.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/sha256.h"
#include "witness/yaml.h"

static const char head[] = "- entry_type: violation_sequence\n"
                           "  metadata:\n"
                           "    format_version: \"2.2\"\n"
                           "    task:\n"
                           "      input_files: [\"a.c\"]\n"
                           "      input_file_hashes: {a.c: 00ff}\n"
                           "      specification: G ! call(reach_error())\n"
                           "      data_model: ILP32\n"
                           "      language: C\n"
                           "  content:\n";
static const char first[] =
    "  - segment:\n"
    "    - waypoint:\n"
    "        type: function_return\n"
    "        action: follow\n"
    "        thread_id: 1\n"
    "        location: {file_name: a.c, line: 6, column: 11, function: f}\n"
    "        constraint: {value: '\\result == 13', format: ext_c_expression}\n";
static const char target[] =
    "  - segment:\n"
    "    - waypoint: {type: assumption, action: avoid, location: {file_name: a.c, "
    "line: 2}, constraint: {value: x, format: c_expression}}\n"
    "    - waypoint: {type: target, action: follow, location: {file_name: a.c, line: 9}}\n";

/* Reads the parts; the caller clears *w. */
static enum pv_status read_parts(const char *a, const char *b, const char *c, struct pv_witness *w,
                                 struct pv_str *err) {
  struct pv_str text = {0};
  pv_str_addf(&text, "%s%s%s", a, b, c);
  enum pv_status status = pv_witness_parse("w.yml", text.at, text.n, w, err);
  pv_str_free(&text);
  return status;
}

static void reads_violations(void **state) {
  struct pv_witness w;
  struct pv_str err = {0};
  (void)state;
  assert_int_equal(read_parts(head, first, target, &w, &err), PV_OK);
  assert_true(w.violation && w.ilp32 && w.says_model);
  assert_int_equal(w.version, PV_WITNESS_2_2);
  assert_int_equal(w.segments, 2);
  assert_int_equal(w.waypoints.n, 3);
  assert_int_equal(w.segment.at[1], 1);
  assert_int_equal(w.waypoints.at[0].thread, 1);
  assert_int_equal(w.waypoints.at[0].place.column, 11);
  assert_string_equal(w.waypoints.at[0].value, "\\result == 13");
  assert_true(w.waypoints.at[1].avoid);
  assert_int_equal(w.waypoints.at[2].kind, PV_WAYPOINT_TARGET);
  assert_string_equal(w.hashes.at[0], "00ff");
  assert_int_equal(pv_witness_properties(&w), PV_PROP_BIT(PV_PROP_UNREACH_CALL));
  pv_witness_clear(&w);
  pv_str_free(&err);
}

/* Replaces the first `from` in the witness; it must be refused then, with this message. */
static void refused(const char *from, const char *to, const char *message) {
  struct pv_str text = {0}, err = {0};
  struct pv_witness w;
  pv_str_addf(&text, "%s%s%s", head, first, target);
  char *at = strstr(text.at, from);
  assert_non_null(at);
  char *changed = pv_format("%.*s%s%s", (int)(at - text.at), text.at, to, at + strlen(from));
  assert_int_equal(pv_witness_parse("w.yml", changed, strlen(changed), &w, &err), PV_E_INPUT);
  assert_int_equal(strncmp(err.at, "w.yml:", 6), 0);
  if (!strstr(err.at, message)) fail_msg("`%s` is not in: %s", message, err.at);
  pv_witness_clear(&w);
  free(changed);
  pv_str_free(&text);
  pv_str_free(&err);
}

static void refuses_what_is_wrong(void **state) {
  (void)state;
  refused("2.2", "2.3", "not known");
  refused("\"2.2\"", "\"2.0\"", "threads need version 2.2");
  refused("ext_c_expression", "acsl_expression", "not that of version");
  refused("type: target", "type: cycle", "not known");
  refused("action: follow", "action: cycle", "neither follow nor avoid");
  refused("line: 6", "line: 0", "no line");
  refused("line: 6", "line: -6", "no line");
  refused("column: 11", "column: x", "no column");
  refused("thread_id: 1", "thread_id: 99999999999", "no thread");
  refused("specification: G ! call(reach_error())\n", "other: x\n", "`specification` is missing");
  refused("ILP32", "ILP64", "neither ILP32 nor LP64");
  refused("language: C", "language: Java", "not about a C program");
  refused("  content:\n", "  content: []\n  more:\n", "has no segment");
  refused("type: target", "type: function_enter", "the last segment has no target");
  refused("violation_sequence", "ghost_instrumentation", "not checked");
  refused("constraint: {value: '\\result == 13', format: ext_c_expression}", "x: y", "missing");
  refused("a.c, line: 9}}", "a.c, line: 9}, constraint: {value: x}}", "has no constraint");
}

static void refuses_yaml(const char *text, const char *message) {
  struct pv_yaml *y;
  struct pv_str err = {0};
  assert_int_equal(pv_yaml_parse("y", text, strlen(text), &y, &err), PV_E_INPUT);
  assert_null(y);
  if (!strstr(err.at, message)) fail_msg("`%s` is not in: %s", message, err.at);
  pv_str_free(&err);
}

static void yaml_has_limits(void **state) {
  struct pv_str deep = {0};
  struct pv_yaml *y;
  (void)state;
  refuses_yaml("a: &x 1\nb: *x\n", "anchors");
  refuses_yaml("a: 1\na: 2\n", "twice");
  refuses_yaml("a: !!int 1\n", "anchors and tags");
  refuses_yaml("? [a]\n: 1\n", "a key is no word");
  refuses_yaml("a: 1\n---\nb: 2\n", "second document");
  refuses_yaml("", "empty");
  refuses_yaml("a: [1\n", "y:");
  for (int i = 0; i < 100; i++) pv_str_addc(&deep, '[');
  for (int i = 0; i < 100; i++) pv_str_addc(&deep, ']');
  refuses_yaml(deep.at, "too deeply");
  pv_str_free(&deep);
  assert_int_equal(pv_yaml_parse("y", "a: [1, 'x']\n", 12, &y, NULL), PV_OK);
  assert_string_equal(pv_yaml_text(pv_yaml_get(y, "a")->items.at[1]), "x");
  assert_null(pv_yaml_get(y, "b"));
  pv_yaml_free(y);
}

/* Examples of FIPS 180-4. */
static void hashes(void **state) {
  char out[65];
  (void)state;
  pv_sha256("abc", 3, out);
  assert_string_equal(out, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  pv_sha256("", 0, out);
  assert_string_equal(out, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  pv_sha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 56, out);
  assert_string_equal(out, "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(reads_violations),
      cmocka_unit_test(refuses_what_is_wrong),
      cmocka_unit_test(yaml_has_limits),
      cmocka_unit_test(hashes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
