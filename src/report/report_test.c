#include "report/report.h"

#include "report/changes.h"
#include "report/html_internal.h"
#include "report/output.h"
#include "report/record.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cjson/cJSON.h>
#include <cmocka.h>

static void add_step(struct pv_violation *v, uint32_t thread, uint32_t line, const char *text,
                     const char *name, const char *value) {
  struct pv_step s = {.thread = thread,
                      .line = line,
                      .file = pv_strdup("dir/bank.c"),
                      .function = pv_strdup("work"),
                      .text = pv_strdup(text)};
  if (name) pv_vec_push(&s.changes, ((struct pv_change){pv_strdup(name), pv_strdup(value), 0}));
  pv_vec_push(&v->path.steps, s);
  pv_vec_push(&v->path.choices, ((struct pv_choice){thread, line % 3}));
}

static struct pv_violation example(void) {
  struct pv_violation v = {.property = PV_PROP_UNREACH_CALL,
                           .message = pv_strdup("assertion `x == 2` fails"),
                           .file = pv_strdup("dir/bank.c"),
                           .function = pv_strdup("main"),
                           .line = 9,
                           .replayed = true};
  add_step(&v, 0, 5, "x = 1;", "x", "1");
  add_step(&v, 1, 7, "y = x;", "y", "1");
  add_step(&v, 1, 8, "x = y + 1;", "x", "2");
  add_step(&v, 0, 9, "assert(x == 2);", NULL, NULL);
  return v;
}

static void steps_are_grouped_by_thread(void **state) {
  (void)state;
  struct pv_violation v = example();
  struct pv_str out = {0};
  struct pv_path_style style = {0};
  pv_report_path(&v.path, &style, &out);
  assert_string_equal(out.at, "  thread 0  bank.c:5  x = 1;            x = 1\n"
                              "\n"
                              "  thread 1  bank.c:7  y = x;            y = 1\n"
                              "  thread 1  bank.c:8  x = y + 1;        x = 2\n"
                              "\n"
                              "  thread 0  bank.c:9  assert(x == 2);\n");
  pv_str_clear(&out);
  pv_report_path_size(&v.path, &out);
  assert_string_equal(out.at, "4 steps, 2 context switches");
  pv_str_clear(&out);
  pv_report_values(&v.path, 2, &out);
  assert_string_equal(out.at, "  x = 1\n  y = 1\n");
  pv_str_free(&out);
  pv_violation_clear(&v);
}

/* No line is wider than a terminal, and no control characters come through. */
static void whatever_the_program_says(void **state) {
  (void)state;
  struct pv_violation v = {.property = PV_PROP_UNREACH_CALL};
  char wide[300];
  memset(wide, 'w', sizeof wide - 1);
  wide[sizeof wide - 1] = '\0';
  add_step(&v, 0, 1, wide, wide, wide);
  add_step(&v, 0, 2, "a\x1b[31mb\tc\x7f\xc2\x9b", "s", "\x1b]0;evil\a\xff");
  add_step(&v, 63, 4000000000u, "", "n", "");
  v.path.steps.at[1].note = pv_strdup("note\r\nmore");
  v.path.steps.at[1].output = pv_strdup("line\nline\n");
  struct pv_str out = {0};
  struct pv_path_style style = {0};
  pv_report_path(&v.path, &style, &out);
  for (const char *line = out.at; *line; line += strcspn(line, "\n") + 1)
    assert_true(strcspn(line, "\n") <= 80);
  for (const char *c = out.at; *c; c++) assert_true(*c == '\n' || (unsigned char)*c >= 0x20);
  assert_null(strchr(out.at, '\x7f'));
  assert_null(strstr(out.at, "\xc2\x9b"));
  assert_null(strchr(out.at, '\xff'));
  assert_non_null(strstr(out.at, "prints \"line\\nline\\n\""));
  pv_str_free(&out);
  pv_violation_clear(&v);
}

static void long_names_leave_room_for_values(void **state) {
  (void)state;
  struct pv_violation v = {0};
  struct pv_str out = {0};
  struct pv_path_style style = {0};
  add_step(&v, 0, 5, "s->size = 42;",
           "object allocated at a/folder/with/a/long/name/below/another/one.c:24", "42");
  pv_report_path(&v.path, &style, &out);
  assert_non_null(strstr(out.at, "object allocated at a/folder/"));
  assert_non_null(strstr(out.at, "... = 42\n"));
  pv_str_free(&out);
  pv_violation_clear(&v);
}

static void long_paths_are_cut_loudly(void **state) {
  (void)state;
  struct pv_violation v = {0};
  for (uint32_t i = 1; i <= 1000; i++) add_step(&v, 0, i, "i++;", NULL, NULL);
  struct pv_str out = {0};
  struct pv_path_style style = {0};
  pv_report_path(&v.path, &style, &out);
  assert_non_null(strstr(out.at, "bank.c:100 "));
  assert_null(strstr(out.at, "bank.c:101 "));
  assert_non_null(strstr(out.at, "... 700 steps are not shown"));
  assert_null(strstr(out.at, "bank.c:800 "));
  assert_non_null(strstr(out.at, "bank.c:801 "));
  assert_non_null(strstr(out.at, "bank.c:1000"));
  pv_str_clear(&out);
  style.whole = true;
  pv_report_path(&v.path, &style, &out);
  assert_non_null(strstr(out.at, "bank.c:500 "));
  pv_str_free(&out);
  pv_violation_clear(&v);
}

static void cleaning(void **state) {
  (void)state;
  static const struct {
    const char *text, *clean;
    unsigned columns;
    bool escape;
  } cases[] = {{"abc", "abc", 0, false},
               {"abcdefghij", "abcdefghij", 10, false},
               {"abcdefghijk", "abcdefg...", 10, false},
               {"a\tb", "a b", 0, false},
               {"a\tb", "a\\tb", 0, true},
               {"caf\xc3\xa9 x", "caf\xc3\xa9 x", 6, false},
               {"caf\xe9", "caf\\xe9", 0, false},
               {"\xe2\x80\xae", "\\xe2\\x80\\xae", 0, false}, /* right-to-left override */
               {"\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9", "\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9", 4, false}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct pv_str out = {0};
    unsigned used = pv_report_clean(cases[i].text, cases[i].columns, cases[i].escape, &out);
    assert_string_equal(out.at, cases[i].clean);
    assert_true(!cases[i].columns || used <= cases[i].columns);
    pv_str_free(&out);
  }
}

static struct pv_options options;
static struct pv_result result;

static int setup(void **state) {
  (void)state;
  pv_options_init(&options);
  pv_vec_push(&options.files, pv_strdup("dir/bank.c"));
  result.checked = PV_PROP_BIT(PV_PROP_UNREACH_CALL);
  return 0;
}

static int teardown(void **state) {
  (void)state;
  pv_options_free(&options);
  pv_result_clear(&result);
  return 0;
}

static struct pv_report report(void) {
  return (struct pv_report){
      .command = "check", .engine = "explicit", .options = &options, .result = &result};
}

static bool ends_with(const struct pv_str *s, const char *end) {
  size_t n = strlen(end);
  return s->n >= n && !strcmp(s->at + s->n - n, end);
}

static void last_line_is_the_verdict(void **state) {
  (void)state;
  struct pv_report r = report();
  struct pv_str out = {0};
  result.verdict = PV_TRUE;
  pv_report_text(&r, &out);
  assert_true(ends_with(&out, "\nVerification result: true\n"));
  assert_int_equal(pv_result_exit_status(&result), 0);
  result.verdict = PV_CONDITIONAL;
  pv_condition_add(&result.condition, PV_PROVISO_UNMODELLED, "a.c", 3, "`%s` is not reached", "f");
  pv_condition_add(&result.condition, PV_PROVISO_UNMODELLED, "a.c", 3, "`%s` is not reached", "f");
  assert_int_equal(result.condition.provisos.n, 1);
  assert_int_equal(result.condition.provisos.at[0].times, 2);
  options.quiet = true;
  pv_str_clear(&out);
  pv_report_text(&r, &out);
  assert_string_equal(out.at, "Proviso: provided that `f` is not reached.\n"
                              "Verification result: conditional\n");
  assert_int_equal(pv_result_exit_status(&result), 20);
  result.verdict = PV_UNKNOWN;
  result.reason = pv_strdup("it is too big");
  pv_str_clear(&out);
  pv_report_text(&r, &out);
  assert_true(ends_with(&out, "\nVerification result: unknown\n"));
  assert_non_null(strstr(out.at, "Reason: it is too big\n"));
  result.verdict = PV_FALSE;
  pv_vec_push(&result.violations, example());
  pv_str_clear(&out);
  pv_report_text(&r, &out);
  assert_string_equal(out.at, "Verification result: false(unreach-call)\n");
  assert_int_equal(pv_result_exit_status(&result), 10);
  pv_str_free(&out);
}

/* What --json writes is what a replay reads. */
static void json_round_trip(void **state) {
  (void)state;
  char name[] = "/tmp/proviso-test-XXXXXX";
  struct pv_report r = report();
  struct pv_str json = {0}, err = {0};
  struct pv_record record;
  assert_int_equal(pv_options_set(&options, "inputs", "5", &err), PV_OK);
  assert_int_equal(pv_options_set(&options, "32", NULL, &err), PV_OK);
  assert_int_equal(pv_options_set(&options, "limit", "time=3s", &err), PV_OK);
  pv_vec_push(&options.clang_args, pv_strdup("-DX=\"y\""));
  result.verdict = PV_FALSE;
  result.stats.states = UINT64_MAX;
  struct pv_violation v = example();
  free(v.message);
  v.message = pv_strdup("bad \"quotes\" \x01 caf\xe9");
  struct pv_source source = {PV_ORIGIN_LIBRARY,       PV_SOURCE_UNSIGNED, 128, pv_strdup("a\"b"),
                             pv_strdup("dir/bank.c"), pv_strdup("f"),     12};
  pv_vec_push(&v.path.sources, ((struct pv_source){.bits = 8}));
  pv_vec_push(&v.path.sources, source);
  pv_vec_push(&v.path.inputs, ((struct pv_input){.value = {0xa5}, .source = 1}));
  pv_vec_push(&v.path.inputs,
              ((struct pv_input){.value = {1, UINT64_C(1) << 63}, .source = 2, .thread = 3}));
  pv_vec_push(&result.violations, v);
  pv_report_json(&r, &json);
  assert_non_null(strstr(json.at, "18446744073709551615"));
  close(mkstemp(name));
  assert_int_equal(pv_output_write(name, json.at, json.n, &err), PV_OK);
  assert_int_equal(pv_record_read(name, &record, &err), PV_OK);
  assert_int_equal(record.options.inputs, 5);
  assert_true(record.options.ilp32);
  assert_true(record.options.limits.seconds == 3);
  assert_int_equal(record.options.properties, PV_PROP_BIT(PV_PROP_UNREACH_CALL));
  assert_string_equal(record.options.files.at[0], "dir/bank.c");
  assert_string_equal(record.options.clang_args.at[0], "-DX=\"y\"");
  assert_int_equal(record.violations.n, 1);
  assert_string_equal(record.violations.at[0].message, "bad \"quotes\" \x01 caf\xef\xbf\xbd");
  assert_int_equal(record.violations.at[0].path.choices.n, 4);
  assert_memory_equal(record.violations.at[0].path.choices.at,
                      result.violations.at[0].path.choices.at, 4 * sizeof(struct pv_choice));
  const struct pv_error_path *path = &record.violations.at[0].path;
  assert_int_equal(path->sources.n, 2);
  assert_null(path->sources.at[0].name);
  assert_int_equal(path->sources.at[0].bits, 8);
  assert_int_equal(path->sources.at[1].origin, PV_ORIGIN_LIBRARY);
  assert_int_equal(path->sources.at[1].type, PV_SOURCE_UNSIGNED);
  assert_string_equal(path->sources.at[1].name, "a\"b");
  assert_string_equal(path->sources.at[1].function, "f");
  assert_int_equal(path->sources.at[1].line, 12);
  assert_int_equal(path->inputs.n, 2);
  assert_memory_equal(path->inputs.at, result.violations.at[0].path.inputs.at,
                      2 * sizeof(struct pv_input));
  pv_record_free(&record);
  /* a cut file never crashes, and is never taken for a whole one */
  for (size_t n = 0; n + 2 < json.n; n += 1 + n / 16) {
    pv_str_clear(&err);
    assert_int_equal(pv_output_write(name, json.at, n, &err), PV_OK);
    assert_int_equal(pv_record_read(name, &record, &err), PV_E_INPUT);
    assert_true(err.n > 0 && !strchr(err.at, '\n'));
    pv_record_free(&record);
  }
  unlink(name);
  pv_str_free(&json);
  pv_str_free(&err);
}

static void store_is_told_by_table(void **state) {
  (void)state;
  struct pv_report r = report();
  struct pv_str text = {0}, json = {0};
  pv_report_text(&r, &text);
  assert_null(strstr(text.at, "Store:"));
  options.verbose = true;
  result.stats = (struct pv_stats){.states = 100,
                                   .root_bytes = 1000,
                                   .node_bytes = 496,
                                   .component_bytes = 204,
                                   .mask_bytes = 4};
  pv_report_text(&r, &text);
  assert_non_null(
      strstr(text.at, "\nStore: 17.0 bytes/state (roots 59 %, nodes 29 %, components 12 %)\n"));
  options.store = PV_STORE_BITSTATE;
  result.stats = (struct pv_stats){.states = 4, .visited_bytes = 30, .component_bytes = 10};
  result.loss = (struct pv_loss){0.25, 0.5};
  pv_str_clear(&text);
  pv_report_text(&r, &text);
  assert_non_null(strstr(text.at, "\nStore: 10.0 bytes/state (bits 75 %, components 25 %)\n"));
  pv_report_json(&r, &json);
  cJSON *root = cJSON_Parse(json.at), *store = cJSON_GetObjectItem(root, "store");
  assert_string_equal(cJSON_GetObjectItem(store, "kind")->valuestring, "bitstate");
  assert_true(cJSON_GetObjectItem(store, "bytes_per_state")->valuedouble == 10);
  assert_true(cJSON_GetObjectItem(store, "omission_bound")->valuedouble == 0.25);
  assert_true(cJSON_GetObjectItem(store, "expected_omissions")->valuedouble == 0.5);
  const cJSON *shares = cJSON_GetObjectItem(store, "shares");
  assert_true(cJSON_GetObjectItem(shares, "bits")->valuedouble == 0.75);
  assert_true(cJSON_GetObjectItem(shares, "roots")->valuedouble == 0);
  cJSON_Delete(root);
  pv_str_free(&text);
  pv_str_free(&json);
}

static void proofs_are_told(void **state) {
  (void)state;
  struct pv_report r = report();
  struct pv_str text = {0}, json = {0};
  pv_report_text(&r, &text);
  assert_null(strstr(text.at, "Proof:"));
  result.proof.state = PV_PROOF_CHECKED;
  result.proof.induction = 2;
  struct pv_invariant i = {pv_strdup("a.c"),      pv_strdup("f"),          7,
                           pv_strdup("main > f"), pv_strdup("x == y\x1b"), 3};
  pv_vec_push(&result.proof.invariants, i);
  pv_str_clear(&text);
  pv_report_text(&r, &text);
  assert_non_null(strstr(text.at, "\nProof: checked, by induction over 2 segments; invariants:\n"
                                  "a.c:7 in f (main > f): x == y\\x1b (3 more parts)\n"));
  options.quiet = true;
  pv_str_clear(&text);
  pv_report_text(&r, &text);
  assert_null(strstr(text.at, "Proof:"));
  pv_report_json(&r, &json);
  cJSON *root = cJSON_Parse(json.at), *proof = cJSON_GetObjectItem(root, "proof");
  assert_string_equal(cJSON_GetObjectItem(proof, "state")->valuestring, "checked");
  assert_int_equal(cJSON_GetObjectItem(proof, "induction")->valueint, 2);
  const cJSON *listed = cJSON_GetArrayItem(cJSON_GetObjectItem(proof, "invariants"), 0);
  assert_string_equal(cJSON_GetObjectItem(listed, "file")->valuestring, "a.c");
  assert_string_equal(cJSON_GetObjectItem(listed, "function")->valuestring, "f");
  assert_string_equal(cJSON_GetObjectItem(listed, "calls")->valuestring, "main > f");
  assert_string_equal(cJSON_GetObjectItem(listed, "formula")->valuestring, "x == y\x1b");
  assert_int_equal(cJSON_GetObjectItem(listed, "line")->valueint, 7);
  assert_int_equal(cJSON_GetObjectItem(listed, "left_out")->valueint, 3);
  cJSON_Delete(root);
  pv_str_free(&text);
  pv_str_free(&json);
}

static void wrong_records(void **state) {
  (void)state;
#define SOURCES HEAD "\"violations\": [{\"property\": \"no-overflow\", \"input_sources\": ["
#define RIGHT   "{\"origin\": \"function\", \"type\": \"signed\", \"bits\": 8}"
#define HEAD    "{\"tool\": \"proviso\", \"schema_version\": 1, "
  static const char *const cases[] = {
      "",
      "[]",
      "{}",
      "{\"tool\": \"proviso\"}",
      "{\"tool\": \"other\", \"schema_version\": 1}",
      "{\"tool\": \"proviso\", \"schema_version\": 2}",
      HEAD "\"files\": [{}]}",
      HEAD "\"options\": {\"nonsense\": 1}}",
      HEAD "\"options\": {\"inputs\": -1}}",
      HEAD "\"options\": {\"search\": null}}",
      HEAD "\"options\": {\"limit\": [1]}}",
      HEAD "\"properties\": [\"nonsense\"]}",
      HEAD "\"violations\": [{}]}",
      HEAD "\"violations\": [{\"property\": \"no-overflow\", \"choices\": [[1]]}]}",
      HEAD "\"violations\": [{\"property\": \"no-overflow\", \"choices\": [[1, -1]]}]}",
      HEAD "\"violations\": [{\"property\": \"no-overflow\", \"choices\": [[1, 1e99]]}]}",
      HEAD "\"violations\": [{\"property\": \"no-overflow\", \"choices\": [\"x\"]}]}",
      SOURCES "{}], \"inputs\": []}]}",
      SOURCES "{\"origin\": \"function\", \"type\": \"signed\", \"bits\": 129}]}]}",
      SOURCES "{\"origin\": \"function\", \"type\": \"none\", \"bits\": 1}]}]}",
      SOURCES "{\"origin\": 1, \"type\": \"signed\", \"bits\": 1}]}]}",
      SOURCES RIGHT "], \"inputs\": [[1, 0, \"0x1\"]]}]}",
      SOURCES RIGHT "], \"inputs\": [[0, 0]]}]}",
      SOURCES RIGHT "], \"inputs\": [[0, -1, \"0x1\"]]}]}",
      SOURCES RIGHT "], \"inputs\": [[0, 0, 1]]}]}",
      SOURCES RIGHT "], \"inputs\": [[0, 0, \"1\"]]}]}",
      SOURCES RIGHT "], \"inputs\": [[0, 0, \"0x\"]]}]}",
      SOURCES RIGHT "], \"inputs\": [[0, 0, \"0x1G\"]]}]}",
      SOURCES RIGHT "], \"inputs\": [[0, 0, \"0x123456789012345678901234567890123\"]]}]}",
      SOURCES RIGHT "], \"inputs\": [7]}]}"};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char name[] = "/tmp/proviso-test-XXXXXX";
    struct pv_str err = {0};
    struct pv_record record;
    close(mkstemp(name));
    assert_int_equal(pv_output_write(name, cases[i], strlen(cases[i]), &err), PV_OK);
    assert_int_equal(pv_record_read(name, &record, &err), PV_E_INPUT);
    assert_non_null(strstr(pv_str_cstr(&err), name));
    pv_record_free(&record);
    pv_str_free(&err);
    unlink(name);
  }
}

static void output_is_whole_or_nothing(void **state) {
  (void)state;
  char folder[] = "/tmp/proviso-test-XXXXXX", *text;
  struct pv_str err = {0};
  size_t n;
  assert_non_null(mkdtemp(folder));
  char *path = pv_format("%s/out.json", folder), *missing = pv_format("%s/no/out.json", folder);
  assert_int_equal(pv_output_probe(path, &err), PV_OK);
  assert_int_not_equal(access(path, F_OK), 0);
  assert_int_equal(pv_output_write(path, "one", 3, &err), PV_OK);
  assert_int_equal(chmod(path, 0640), 0);
  assert_int_equal(pv_output_write(path, "two!", 4, &err), PV_OK);
  assert_int_equal(pv_read_file(path, 100, &text, &n, &err), PV_OK);
  assert_string_equal(text, "two!");
  free(text);
  struct stat info;
  assert_int_equal(stat(path, &info), 0);
  assert_int_equal(info.st_mode & 07777, 0640);
  assert_int_equal(pv_output_probe(missing, &err), PV_E_INPUT);
  assert_int_equal(pv_output_write(missing, "x", 1, &err), PV_E_INPUT);
  assert_int_equal(pv_output_write(folder, "x", 1, &err), PV_E_INPUT);
  assert_int_equal(pv_output_probe("", NULL), PV_E_INPUT);
  assert_int_equal(pv_output_write("/dev/null", "x", 1, &err), PV_OK);
  unlink(path);
  assert_int_equal(rmdir(folder), 0); /* nothing temporary was left */
  free(path);
  free(missing);
  pv_str_free(&err);
}

static void markup_and_data_are_escaped(void **state) {
  (void)state;
  struct pv_str out = {0};
  pv_html_escape("a<b>&\"'\n\xe2\x80\xae", &out);
  assert_string_equal(out.at, "a&lt;b&gt;&amp;&quot;&#39;\\n\\xe2\\x80\\xae");
  pv_str_clear(&out);
  pv_html_json("</script>\"\\\t\xff", &out);
  assert_string_equal(out.at, "\"\\u003c/script\\u003e\\\"\\\\\\\\t\\\\xff\"");
  pv_str_clear(&out);
  pv_html_json(NULL, &out);
  assert_string_equal(out.at, "null");
  pv_str_free(&out);
}

/* One item for elements that change in a row: a text, a range of equal values, or one alone. */
static void elements_in_a_row(void **state) {
  (void)state;
  static const struct {
    const char *changes[6][2];
    uint32_t n, run;
    const char *name, *value;
  } cases[] = {
      {{{"s[0]", "97 'a'"}, {"s[1]", "34 '\"'"}, {"s[2]", "-61"}, {"s[3]", "0"}, {"s[4]", "0"}},
       5,
       5,
       "s",
       "\"a\\\"\\303\""},
      {{{"s[0]", "97 'a'"}, {"s[1]", "0"}, {"s[2]", "98 'b'"}}, 3, 1, "", ""},
      {{{"s[0]", "97 'a'"}, {"s[1]", "0"}, {"s[2]", "0"}, {"s[3]", "98 'b'"}}, 4, 3, "s", "\"a\""},
      {{{"p->t[7]", "7"}, {"p->t[8]", "7"}, {"p->t[9]", "7"}, {"p->t[10]", "8"}},
       4,
       3,
       "p->t[7..9]",
       "7"},
      {{{"s[0]", "1"}, {"s[1]", "1"}, {"r[2]", "1"}}, 3, 1, "", ""},
      {{{"s[0]", "1"}, {"s[2]", "1"}, {"s[3]", "1"}}, 3, 1, "", ""},
      {{{"x", "1"}, {"s[a]", "1"}}, 2, 1, "", ""},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct pv_change changes[6];
    struct pv_str name = {0}, value = {0};
    for (uint32_t k = 0; k < cases[i].n; k++)
      changes[k] =
          (struct pv_change){(char *)cases[i].changes[k][0], (char *)cases[i].changes[k][1], 0};
    assert_int_equal(pv_report_run(changes, cases[i].n, &name, &value), cases[i].run);
    assert_string_equal(pv_str_cstr(&name), cases[i].name);
    assert_string_equal(pv_str_cstr(&value), cases[i].value);
    pv_str_free(&name);
    pv_str_free(&value);
  }
}

int main(void) {
#define T(F) cmocka_unit_test_setup_teardown(F, setup, teardown)
  const struct CMUnitTest tests[] = {cmocka_unit_test(steps_are_grouped_by_thread),
                                     cmocka_unit_test(whatever_the_program_says),
                                     cmocka_unit_test(long_names_leave_room_for_values),
                                     cmocka_unit_test(long_paths_are_cut_loudly),
                                     cmocka_unit_test(cleaning),
                                     cmocka_unit_test(elements_in_a_row),
                                     T(last_line_is_the_verdict),
                                     T(json_round_trip),
                                     T(store_is_told_by_table),
                                     T(proofs_are_told),
                                     cmocka_unit_test(wrong_records),
                                     cmocka_unit_test(output_is_whole_or_nothing),
                                     cmocka_unit_test(markup_and_data_are_escaped)};
  return cmocka_run_group_tests_name("report", tests, NULL, NULL);
}
