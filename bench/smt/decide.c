/* Decides one question of SMT-LIB through src/smt.
 *
 * usage: decide z3|cadical SECONDS FILE
 * Output: answer, CPU seconds of the question (without reading it), number of its subterms. */
#include "smt/smt_internal.h"

int main(int argc, char **argv) {
  if (argc != 4) return 2;
  struct pv_smt *s = pv_smt_new((struct pv_smt_limits){.ms = 1000 * (uint32_t)atoi(argv[2])}, NULL);
  pv_smt_use(s, strcmp(argv[1], "z3") ? PV_BITS_CADICAL : PV_BITS_Z3);
  Z3_ast_vector parts = Z3_parse_smtlib2_file(s->z3, argv[3], 0, NULL, NULL, 0, NULL, NULL);
  if (!parts || Z3_get_error_code(s->z3) != Z3_OK) return 1;
  Z3_ast_vector_inc_ref(s->z3, parts);
  pv_terms all = {0};
  for (unsigned i = 0; i < Z3_ast_vector_size(s->z3, parts); i++)
    pv_vec_push(&all, pv_smt_keep(s, Z3_ast_vector_get(s->z3, parts, i)));
  double began = pv_cpu_clock();
  enum pv_smt_answer answer = pv_smt_check(s, all.n, all.at);
  printf("%s %.6f %llu\n",
         answer == PV_SMT_SAT     ? "sat"
         : answer == PV_SMT_UNSAT ? "unsat"
                                  : "unknown",
         pv_cpu_clock() - began, (unsigned long long)pv_smt_size(s, all.n, all.at));
  return 0;
}
