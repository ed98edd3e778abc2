/* task.h -- task definitions of BenchExec: `proviso check task.yml` takes the program, the
 * properties and the data model from the file, and compares the verdict with the expected one.
 *
 * Reference: BenchExec, doc/task-definition-example.yml. */
#ifndef PV_CLI_TASK_H
#define PV_CLI_TASK_H

#include "base/options.h"
#include "result/result.h"

struct pv_expectation {
  pv_properties properties, violated; /* of one property file; violated: some of these may be */
  bool known, expected;               /* known: there is an expected verdict */
};
struct pv_cli_task {
  PV_VEC(struct pv_expectation) list;
};

/* If the only input is a task definition, replaces it by what the definition says. Properties that
 * the user names win over those of the definition. PV_E_INPUT: *err says why. */
enum pv_status pv_cli_task_read(struct pv_options *o, struct pv_cli_task *task, struct pv_str *err);
/* Adds a note on the expected verdict to the result. */
void pv_cli_task_judge(const struct pv_cli_task *task, struct pv_result *r);
void pv_cli_task_clear(struct pv_cli_task *task);

#endif
