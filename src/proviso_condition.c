/* proviso_condition.c -- the condition that a handle's run continues, and those that it writes. */
#include "condition/outline.h"
#include "condition/regression.h"
#include "observer/assumed.h"
#include "plan/plan.h"
#include "proviso_internal.h"
#include "report/output.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- the given condition --------------------------------------------------------------------- */
bool pv_handle_has_automaton(const proviso *p) {
  return p->options.given.n && pv_automata_are_in(pv_vec_last(&p->options.given));
}

/* The condition is about an earlier version of the program. */
static enum pv_status translate(proviso *p, struct pv_condition_file *file) {
  uint32_t changed;
  if (!file->functions.n) {
    pv_str_addf(&p->error, "%s: the condition is about another program",
                pv_vec_last(&p->options.given));
    return PV_E_INPUT;
  }
  pv_condition_translate(&file->condition, &file->functions, p->program, &changed);
  char *note = pv_format("the condition is about another version of the program: %u function%s "
                         "changed",
                         changed, changed == 1 ? " has" : "s have");
  pv_vec_push(&p->program->notes, pv_program_string(p->program, note));
  free(note);
  return PV_OK;
}

/* Do choices of prefixes stand for other values of inputs in this run? */
static bool numbers_inputs_otherwise(const struct pv_options *o,
                                     const struct pv_condition_file *file) {
  if (o->inputs == file->options.inputs) return false;
  for (uint32_t i = 0; i < file->condition.parts.n; i++)
    if (file->condition.parts.at[i].kind == PV_OPEN_FRONTIER) return true;
  return false;
}

/* Makes it a condition about these properties, if it says something about one of them. */
static void make_about(struct pv_condition_file *file, pv_properties wanted) {
  if (!(wanted & file->checked)) return;
  pv_condition_restrict(&file->condition, wanted & file->checked);
  for (uint32_t i = 0; i < file->condition.provisos.n && (wanted & ~file->checked); i++) {
    struct pv_proviso *x = &file->condition.provisos.at[i];
    if (!x->about) x->about = wanted & file->checked;
  }
  pv_condition_leave_unchecked(&file->condition, wanted & ~file->checked);
  file->checked = wanted;
}

/* Reads the condition that option `given` names. */
enum pv_status pv_handle_read_given(proviso *p) {
  if (!p->options.given.n || p->given.engine || pv_handle_has_automaton(p)) return PV_OK;
  const char *path = pv_vec_last(&p->options.given);
  struct pv_condition_file file = {0};
  enum pv_status status = pv_condition_read(path, &file, &p->error);
  const char *option =
      status == PV_OK ? pv_condition_differing_option(&p->options, &file.options) : NULL;
  if (status == PV_OK && !option && numbers_inputs_otherwise(&p->options, &file)) option = "inputs";
  if (option) pv_str_addf(&p->error, "%s: the condition was made with another --%s", path, option);
  if (status == PV_OK && !option && file.program != pv_program_hash(p->program))
    status = translate(p, &file);
  if (status == PV_OK && !p->error.n) {
    make_about(&file, p->options.properties);
    p->given = file;
    return PV_OK;
  }
  pv_condition_file_clear(&file);
  return PV_E_INPUT;
}

/* A search that ends with an error, or without a verdict, has covered nothing that it could name.
 */
static void leave_everything_open(const struct pv_result *r, struct pv_condition_file *file) {
  for (uint32_t i = 0; i < r->violations.n; i++) {
    const struct pv_violation *v = &r->violations.at[i];
    const char *what = v->message ? v->message : pv_property_table[v->property].name;
    pv_vec_push(&file->errors,
                ((struct pv_known_error){
                    v->property, pv_format("%s:%u: %s", v->file ? v->file : "?", v->line, what)}));
    pv_condition_add(&file->condition, PV_PROVISO_ENGINE, v->file, v->line,
                     "the error \"%s\" does not exist", what);
  }
  if (r->verdict == PV_UNKNOWN && pv_condition_openness(&file->condition) == PV_OPEN_NOTHING)
    pv_condition_add(&file->condition, PV_PROVISO_ENGINE, NULL, 0, "no error exists: %s",
                     r->reason ? r->reason : "the search came to no verdict");
}

/* Writes the condition of a result, final or not. */
static enum pv_status write_condition(proviso *p, const struct pv_result *r, const char *engine,
                                      const char *path, struct pv_str *err) {
  struct pv_condition_file file = {.options = p->options, /* borrowed here */
                                   .program = pv_program_hash(p->program),
                                   .checked = p->options.properties,
                                   .engine = pv_strdup(engine)};
  struct pv_str bytes = {0};
  pv_condition_append(&file.condition, &r->condition);
  file.condition.states = r->condition.states; /* borrowed: they may be large */
  leave_everything_open(r, &file);
  pv_condition_leave_unchecked(&file.condition, file.checked & ~r->checked);
  file.functions = pv_fingerprints_of(p->program);
  pv_outlines_put(p->program, &file.functions.outlines);
  pv_condition_print(&file, &bytes);
  file.options = (struct pv_options){0};
  memset(&file.condition.states, 0, sizeof file.condition.states);
  pv_condition_file_clear(&file);
  enum pv_status status = pv_output_write(path, bytes.at, bytes.n, err);
  pv_str_free(&bytes);
  return status;
}

/* The condition that this run continues; NULL: there is none, or it is about other properties. */
const struct pv_condition *pv_handle_given(const proviso *p) {
  bool fits = p->given.engine && !(p->options.properties & ~p->given.checked);
  return fits ? &p->given.condition : NULL;
}

/* Writes the condition of a result of an engine together with the given one. */
static enum pv_status write_interim(proviso *p, const struct pv_result *r, const char *path) {
  struct pv_result both = {.verdict = r->verdict, .checked = r->checked};
  pv_condition_append(&both.condition, &r->condition);
  struct pv_task task = {.given = pv_handle_given(p), .properties = p->options.properties};
  pv_plan_sequence(&task, &both);
  both.condition.states = r->condition.states; /* borrowed: they may be large */
  const char *engine = pv_options_choice_name("engine", p->options.engine);
  enum pv_status status = write_condition(p, &both, engine, path, NULL);
  memset(&both.condition.states, 0, sizeof both.condition.states);
  pv_result_clear(&both);
  return status;
}

/* An interim condition; that it cannot be written is told at the end. */
void pv_handle_checkpoint(void *user, const struct pv_result *r) {
  proviso *p = user;
  bool ends = p->most_interim && ++p->interims == p->most_interim;
  if (!p->most_interim || ends) (void)write_interim(p, r, pv_vec_last(&p->options.proviso));
  if (ends) _exit(p->interim_status);
}

static bool is_share_asked(void *user) {
  (void)user;
  return pv_limits_share_asked();
}

/* First what is given away, then what is kept: whoever finds only the former ignores it. */
static bool take_share(void *user, const struct pv_result *kept, const struct pv_result *away) {
  proviso *p = user;
  const char *path = pv_vec_last(&p->options.proviso);
  char *part = pv_format("%s.part", path);
  bool right = write_interim(p, away, part) == PV_OK && write_interim(p, kept, path) == PV_OK;
  if (!right) unlink(part);
  free(part);
  pv_limits_share_given();
  return right;
}

const struct pv_sharing *pv_handle_sharing(proviso *p) {
  if (!p->options.proviso.n) return NULL;
  p->sharing = (struct pv_sharing){is_share_asked, take_share, p};
  return &p->sharing;
}

proviso_status proviso_write_condition(proviso *p) {
  pv_str_clear(&p->error);
  if (!p->options.proviso.n || !p->program) return PROVISO_OK;
  enum pv_status status = write_condition(p, &p->result, p->engine ? p->engine : "none",
                                          pv_vec_last(&p->options.proviso), &p->error);
  if (status == PV_OK && p->increments) unlink(p->increments);
  return pv_handle_outcome(p, status);
}

/* The file of increments beside a condition; NULL if that is no regular file. */
static char *increments_of(const char *condition) {
  struct stat info;
  char *path = pv_condition_path(condition);
  char *name = stat(path, &info) != 0 || S_ISREG(info.st_mode) ? pv_format("%s.more", path) : NULL;
  free(path);
  return name;
}

void pv_handle_find_increments(proviso *p) {
  free(p->increments);
  free(p->given_increments);
  p->increments = p->options.proviso.n ? increments_of(pv_vec_last(&p->options.proviso)) : NULL;
  p->given_increments = p->given.engine ? increments_of(pv_vec_last(&p->options.given)) : NULL;
}
