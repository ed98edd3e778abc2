/* text.c -- formulas as SMT-LIB text: for transfer between contexts (constants are written as k0,
 * k1, ...; the caller knows their meaning), and questions with their answers, for benchmarks. */
#include "smt/smt_internal.h"

#include <sys/stat.h>
#include <unistd.h>

static char *name_of(uint32_t i) {
  return pv_format("k%u", i);
}

static bool all_known(struct pv_smt *s, pv_term formula, uint32_t n, const pv_term *constants) {
  pv_terms found = {0};
  struct pv_map known = {0};
  bool all = true;
  for (uint32_t i = 0; i < n; i++) pv_map_put(&known, &constants[i], sizeof *constants, 1, NULL);
  pv_smt_constants(s, formula, &found);
  for (uint32_t i = 0; i < found.n && all; i++)
    all = pv_map_get(&known, &found.at[i], sizeof *found.at) != NULL;
  pv_map_free(&known);
  pv_vec_free(&found);
  return all;
}

bool pv_smt_write(struct pv_smt *s, pv_term formula, uint32_t n, const pv_term *constants,
                  struct pv_str *out) {
  if (!all_known(s, formula, n, constants)) return false;
  pv_terms names = {0};
  for (uint32_t i = 0; i < n; i++) {
    char *name = name_of(i);
    pv_vec_push(&names, pv_smt_const(s, name, pv_smt_sort(s, constants[i])));
    free(name);
  }
  formula = pv_smt_substitute(s, formula, n, constants, names.at);
  pv_vec_free(&names);
  pv_str_add(out, "(assert ");
  pv_smt_print(s, formula, out);
  pv_str_add(out, ")");
  return true;
}

/* The conjunction of the text's assertions; NULL if it cannot be parsed. */
static pv_term parse(struct pv_smt *s, const char *text, uint32_t n, const Z3_symbol *names,
                     const Z3_func_decl *decls) {
  Z3_ast_vector v = Z3_parse_smtlib2_string(s->z3, text, 0, NULL, NULL, n, names, decls);
  if (!v || Z3_get_error_code(s->z3) != Z3_OK) {
    Z3_set_error(s->z3, Z3_OK); /* an error of the text, not of the context */
    return NULL;
  }
  Z3_ast_vector_inc_ref(s->z3, v);
  pv_terms parts = {0};
  for (unsigned i = 0; i < Z3_ast_vector_size(s->z3, v); i++)
    pv_vec_push(&parts, pv_smt_keep(s, Z3_ast_vector_get(s->z3, v, i)));
  Z3_ast_vector_dec_ref(s->z3, v);
  /* "(- 1)" is parsed as an operation; this makes it a number again. */
  pv_term t = parts.n ? pv_smt_simplify(s, pv_smt_mk(s, PV_SMT_AND, parts.n, parts.at)) : NULL;
  pv_vec_free(&parts);
  return t;
}

pv_term pv_smt_read(struct pv_smt *s, const char *text, uint32_t n, const pv_term *constants) {
  Z3_symbol *names = pv_alloc((n + 1) * sizeof *names);
  Z3_func_decl *decls = pv_alloc((n + 1) * sizeof *decls);
  for (uint32_t i = 0; i < n; i++) {
    char *name = name_of(i);
    names[i] = Z3_mk_string_symbol(s->z3, name);
    decls[i] = Z3_get_app_decl(s->z3, Z3_to_app(s->z3, pv_ast(constants[i])));
    free(name);
  }
  pv_term t = s->broken ? NULL : parse(s, text, n, names, decls);
  free(names);
  free(decls);
  return t;
}

/* ---- questions ------------------------------------------------------------------------------- */
void pv_smt_record(struct pv_smt *s, const char *folder) {
  s->record = folder;
  if (folder) mkdir(folder, 0777);
}

void pv_smt_write_question(struct pv_smt *s, uint32_t n, const pv_term *asserted, uint32_t assumed,
                           const pv_term *assumptions, enum pv_smt_answer answer, double seconds) {
  static const char *const words[] = {
      [PV_SMT_UNKNOWN] = "unknown", [PV_SMT_SAT] = "sat", [PV_SMT_UNSAT] = "unsat"};
  if (s->broken) return;
  char *path =
      pv_format("%s/%ld-%llu.smt2", s->record, (long)getpid(), (unsigned long long)s->stats.checks);
  FILE *f = fopen(path, "w");
  free(path);
  if (!f) return;
  pv_terms parts = {0};
  for (uint32_t i = 0; i < n; i++) pv_vec_push(&parts, asserted[i]);
  for (uint32_t i = 0; i < assumed; i++) pv_vec_push(&parts, assumptions[i]);
  const char *text = Z3_benchmark_to_smtlib_string(s->z3, NULL, NULL, words[answer], "", parts.n,
                                                   (Z3_ast *)pv_asts(parts.at), s->yes);
  fprintf(f, "; answer %s, %.6f CPU seconds\n%s", words[answer], seconds, text ? text : "");
  fclose(f);
  pv_vec_free(&parts);
}
