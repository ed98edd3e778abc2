/* abstract.c -- the command `abstract`: abstract programs, and a loop that checks and refines them.
 *
 * Reference: Visser et al., ASE Journal 2003, section 3.3.2: errors without a choice first, then
 * all errors, simulated on the original; where they diverge, the last choice gives new predicates.
 */
#include "cli/cli.h"

#include "abstraction/abstraction.h"
#include "plan/plan.h"
#include "proviso_internal.h"
#include "vm/vm.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 12, FOUND = 12 /* predicates that refinement adds at most */ };

struct work {
  const struct pv_command *self;
  int argc;
  char **argv;
  proviso *p; /* with the original program */
  pv_named_predicates named;
  PV_VEC(char *) compiled; /* the text of each predicate that is compiled with the program */
  pv_abstract_locals locals;
  PV_VEC(struct pv_found_predicate) found;
  struct pv_str err;
  uint32_t rounds;
  bool unrolled; /* other inputs were looked for */
};

/* ---- predicates ------------------------------------------------------------------------------ */
static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";

static enum pv_status read_file(const char *path, bool list, struct work *w) {
  char *text;
  size_t n;
  PV_TRY(pv_read_file(path, SIZE_MAX, &text, &n, &w->err));
  if (!list) pv_predicates_scan(text, &w->named);
  char *rest = text;
  for (char *line = strtok_r(text, "\n", &rest); list && line; line = strtok_r(NULL, "\n", &rest)) {
    line += strspn(line, " \t\r");
    line[strcspn(line, "\r")] = '\0';
    if (!*line || *line == '#') continue;
    size_t word = strspn(line, letters), colon = word + strspn(line + word, " \t");
    bool is_local = word && line[colon] == ':';
    struct pv_named_predicate x = {pv_format("p%u", w->named.n + 1),
                                   pv_strdup(is_local ? line + colon + 1 : line),
                                   is_local ? pv_format("%.*s", (int)word, line) : NULL};
    pv_vec_push(&w->named, x);
  }
  free(text);
  return PV_OK;
}

static enum pv_status read_predicates(struct work *w) {
  const struct pv_options *o = &w->p->options;
  if (o->invariant.n) {
    pv_str_add(&w->err, "option `--invariant` cannot be used with `abstract`");
    return PV_E_INPUT;
  }
  for (uint32_t i = 0; i < o->files.n; i++) PV_TRY(read_file(o->files.at[i], false, w));
  for (uint32_t i = 0; i < o->predicates.n; i++) PV_TRY(read_file(o->predicates.at[i], true, w));
  if (w->named.n) return PV_OK;
  pv_str_add(&w->err, "there are no predicates: declare some with PROVISO_PREDICATE(\"name\", "
                      "expression), or name a file of them with `--predicates`");
  return PV_E_INPUT;
}

/* Finds the local variables that predicates are about in the program without predicates. */
static enum pv_status find_locals(struct work *w) {
  bool any = false;
  for (uint32_t i = 0; i < w->named.n; i++) any |= w->named.at[i].function != NULL;
  proviso *q = any ? proviso_new() : NULL;
  enum pv_status status = PV_OK;
  if (any && pv_cli_parse(w->self, &q->options, w->argc, w->argv) != 0) status = PV_E_INPUT;
  if (any && status == PV_OK && proviso_load(q) != PROVISO_OK) {
    pv_str_add(&w->err, proviso_error(q));
    status = PV_E_INPUT;
  }
  for (uint32_t i = 0; i < w->named.n && status == PV_OK; i++) {
    char *text = pv_predicate_text(any ? q->program : NULL, &w->named.at[i], &w->locals, &w->err);
    if (text)
      pv_vec_push(&w->compiled, text);
    else
      status = PV_E_INPUT;
  }
  proviso_free(q);
  return status;
}

/* The predicates are compiled with the program, as invariants are. */
static enum pv_status load(const struct work *w, proviso *p, struct pv_str *err) {
  for (uint32_t i = 0; i < w->compiled.n; i++)
    pv_vec_push(&p->options.invariant, pv_strdup(w->compiled.at[i]));
  proviso_status status = proviso_load(p);
  for (uint32_t i = 0; i < w->compiled.n; i++) free(pv_vec_pop(&p->options.invariant));
  if (status == PROVISO_OK) pv_abstract_globalise(p->program, &w->locals);
  if (status == PROVISO_OK) return PV_OK;
  const char *message = proviso_error(p), invariant[] = "--invariant: ";
  if (!strncmp(message, invariant, strlen(invariant)))
    pv_str_addf(err, "a predicate: %s%s", message + strlen(invariant),
                strstr(message, "undeclared identifier")
                    ? " (predicates are about variables at file scope; those of a function are "
                      "known in predicates that are declared there, or as FUNCTION: EXPRESSION)"
                    : "");
  else
    pv_str_add(err, message);
  return PV_E_INPUT;
}

/* Another handle with the abstract program. The caller frees it. */
static enum pv_status make(struct work *w, bool choose_free, bool marks, proviso **out,
                           struct pv_abstracted *a) {
  proviso *q = *out = proviso_new();
  struct pv_abstract_options options = {.named = &w->named,
                                        .found = w->found.at,
                                        .n_found = w->found.n,
                                        .choose_free = choose_free,
                                        .limits = marks ? &w->p->options.limits : NULL,
                                        .marks = marks};
  if (pv_cli_parse(w->self, &q->options, w->argc, w->argv) != 0) return PV_E_INPUT;
  PV_TRY(load(w, q, &w->err));
  while (q->options.predicates.n) /* they are about the original */
    free(pv_vec_pop(&q->options.predicates));
  return pv_abstract(q->program, &options, a, &w->err);
}

/* ---- printing -------------------------------------------------------------------------------- */
static void print_heading(const struct work *w, const struct pv_abstracted *a, struct pv_str *out) {
  pv_str_addf(
      out, "/* An abstract program. Every execution of the original is one of it, provided that");
  pv_str_add(out, a->provisos.n ? "\n" : " nothing (no proviso).\n");
  for (uint32_t i = 0; i < a->provisos.n; i++) pv_str_addf(out, " *   %s\n", a->provisos.at[i]);
  pv_str_add(out, " * Predicates:\n");
  for (uint32_t i = 0; i < w->named.n; i++) {
    struct pv_str line = {0};
    const struct pv_named_predicate *b = &w->named.at[i];
    pv_str_addf(&line, " *   %s: %s%s%s\n", b->name, b->text, b->function ? ", in " : "",
                b->function ? b->function : "");
    for (char *s = strstr(line.at, "*/"); s; s = strstr(s, "*/")) *s = '+';
    pv_str_add(out, line.at);
    pv_str_free(&line);
  }
  pv_str_add(out, " */\n");
}

static int print_program(struct work *w) {
  proviso *q = NULL;
  struct pv_abstracted a = {0};
  struct pv_str text = {0};
  int status = 0;
  if (make(w, false, false, &q, &a) == PV_OK) {
    print_heading(w, &a, &text);
    pv_program_print(q->program, PV_IR_C_SECTIONS, &text);
    status = pv_cli_write(&w->p->options, &text);
    if (!status)
      fprintf(stderr,
              "proviso: %u predicate%s about %u variable%s, %u choice%s, %llu questions to the "
              "solver\n",
              a.predicates, a.predicates == 1 ? "" : "s", a.cells, a.cells == 1 ? "" : "s",
              a.choices, a.choices == 1 ? "" : "s", (unsigned long long)a.queries);
  } else {
    status = pv_cli_complain(pv_str_cstr(&w->err), PV_EXIT_INPUT);
  }
  pv_abstracted_clear(&a);
  pv_str_free(&text);
  proviso_free(q);
  return status;
}

/* ---- simulation ------------------------------------------------------------------------------ */
struct taken {
  const struct pv_program *program;
  PV_VEC(struct pv_turn) turns;
};

/* The marks of the abstract program say which edges of the original are taken. */
static void on_taken(void *user, unsigned thread, uint32_t function, uint32_t edge) {
  struct taken *t = user;
  const struct pv_edge *e = &t->program->functions.at[function].edges.at[edge];
  char *rest;
  if (e->op != PV_OP_SKIP || !e->text) return;
  uint32_t f = (uint32_t)strtoul(e->text, &rest, 10), i = (uint32_t)strtoul(rest, NULL, 10);
  pv_vec_push(&t->turns, ((struct pv_turn){thread, f, i, 0}));
}

static void follow(const struct pv_task *task, const struct pv_error_path *path, struct taken *t) {
  struct pv_condition none = {0};
  struct pv_recorder recorder = {.user = t, .taken = on_taken};
  struct pv_vm *vm = pv_vm_new(task, pv_sched_of(task->program->sched), &none);
  enum pv_outcome outcome = PV_RAN;
  pv_vm_follow(vm, NULL);
  pv_vm_record(vm, &recorder);
  pv_vm_start(vm);
  for (uint32_t i = 0; i < path->choices.n && outcome == PV_RAN; i++)
    outcome = pv_vm_step(vm, path->choices.at[i].thread, path->choices.at[i].alternative);
  pv_vm_free(vm);
  pv_condition_clear(&none);
}

/* Runs the path of the abstract program on the original. */
static bool simulate(struct work *w, const struct pv_task *abstract, const struct pv_violation *v,
                     struct pv_violation *out) {
  struct taken t = {.program = abstract->program};
  PV_VEC(struct pv_input) inputs = {0};
  struct pv_limits limits = w->p->options.limits;
  struct pv_task task = {.program = w->p->program,
                         .options = &w->p->options,
                         .limits = &limits,
                         .properties = abstract->properties};
  struct pv_error_key wanted = {v->property, v->span, v->message ? v->message : ""};
  follow(abstract, &v->path, &t);
  for (uint32_t i = 0; i < v->path.inputs.n; i++)
    if (v->path.inputs.at[i].site && v->path.inputs.at[i].site - 1 < w->p->program->n_sites)
      pv_vec_push(&inputs, v->path.inputs.at[i]);
  struct pv_schedule schedule = {.at = t.turns.at, .n = t.turns.n};
  pv_plan_replay_inputs(&task, inputs.at, inputs.n, &schedule, &wanted, out);
  pv_vec_free(&t.turns);
  pv_vec_free(&inputs);
  struct pv_error_key got = {out->property, out->span, out->message ? out->message : ""};
  if (out->replayed && pv_error_is(&got, &wanted)) return true;
  pv_violation_clear(out);
  *out = (struct pv_violation){0};
  return false;
}

/* The error may need other inputs than the abstract path has, since those are tried values: looks
 * once for inputs that satisfy a path formula of the original, which engine `bmc` does. */
static bool find_inputs(struct work *w, const struct pv_violation *v, struct pv_violation *out) {
  const double most = 5; /* seconds */
  struct pv_limits limits = w->p->options.limits;
  struct pv_options options = w->p->options; /* the texts are borrowed */
  struct pv_task task = {.program = w->p->program,
                         .options = &options,
                         .limits = &limits,
                         .properties = PV_PROP_BIT(PV_PROP_UNREACH_CALL)};
  struct pv_result r = {0};
  const char *engine;
  bool has_inputs = false;
  for (uint32_t i = 0; i < v->path.inputs.n; i++) {
    uint32_t site = v->path.inputs.at[i].site;
    has_inputs |= site && site - 1 < w->p->program->n_sites;
  }
  if (w->unrolled || !has_inputs) return false;
  w->unrolled = true;
  options.engine = PV_ENGINE_BMC;
  limits.seconds = most;
  if (w->p->options.limits.seconds > 0)
    limits.seconds = (w->p->options.limits.seconds - pv_limits_elapsed(&w->p->options.limits)) / 4;
  if (limits.seconds > most) limits.seconds = most;
  if (limits.seconds <= 0) return false;
  pv_limits_start(&limits);
  bool found = pv_plan_run(&task, &r, &engine) == PV_OK && r.violations.n;
  if (found) {
    *out = r.violations.at[0];
    r.violations.at[0] = (struct pv_violation){0};
  }
  pv_result_clear(&r);
  return found;
}

/* The last choice of the path that something new would decide gives new predicates. */
static bool learn(struct work *w, const struct pv_abstracted *a, const struct pv_violation *v) {
  for (uint32_t i = v->path.inputs.n; i-- > 0;)
    for (uint32_t k = 0; k < a->places.n; k++) {
      const struct pv_choice_place *place = &a->places.at[k];
      bool is_new = false;
      if (v->path.inputs.at[i].site != place->site + 1) continue;
      for (uint32_t m = 0; m < place->wanted.n; m++) {
        bool known = false;
        for (uint32_t f = 0; f < w->found.n; f++)
          known |= !strcmp(w->found.at[f].text, place->wanted.at[m].text);
        if (known) continue;
        struct pv_found_predicate x = {pv_strdup(place->wanted.at[m].text)};
        pv_vec_push(&w->found, x);
        is_new = true;
      }
      if (is_new) return true;
    }
  return false;
}

/* ---- the loop -------------------------------------------------------------------------------- */
static void add_provisos(const struct pv_abstracted *a, struct pv_condition *c) {
  for (uint32_t i = 0; i < a->provisos.n; i++)
    pv_condition_add(c, PV_PROVISO_ENGINE, NULL, 0, "%s", a->provisos.at[i]);
}

/* One check of one abstract program. true: p->result is final. */
static bool look(struct work *w, bool choose_free, enum pv_status *status) {
  proviso *q = NULL;
  struct pv_abstracted a = {0};
  struct pv_result r = {0};
  struct pv_violation real = {0};
  struct pv_result *result = &w->p->result;
  const char *engine;
  bool done = true;
  *status = make(w, choose_free, true, &q, &a);
  if (*status == PV_OK) {
    if (q->options.engine == PV_ENGINE_AUTO) q->options.engine = PV_ENGINE_EXPLICIT;
    q->options.limits = w->p->options.limits;
    struct pv_task task = {.program = q->program,
                           .options = &q->options,
                           .limits = &q->options.limits,
                           .properties = PV_PROP_BIT(PV_PROP_UNREACH_CALL)};
    *status = pv_plan_run(&task, &r, &engine);
    result->stats = r.stats;
    if (*status != PV_OK) {
      pv_str_add(&w->err, "internal error");
    } else if (r.violations.n && (simulate(w, &task, &r.violations.at[0], &real) ||
                                  find_inputs(w, &r.violations.at[0], &real))) {
      pv_vec_push(&result->violations, real);
      result->verdict = PV_FALSE;
    } else if (r.violations.n && !choose_free && w->p->options.refine &&
               learn(w, &a, &r.violations.at[0])) {
      done = false;
    } else if (choose_free) {
      done = false; /* no error without a choice says nothing */
    } else if (r.violations.n) {
      result->verdict = PV_UNKNOWN;
      result->reason = pv_strdup("an error of the abstract program is none of the original, and no "
                                 "predicate was found that excludes it");
    } else {
      pv_condition_append(&result->condition, &r.condition);
      add_provisos(&a, &result->condition);
      result->verdict = result->condition.provisos.n ? PV_CONDITIONAL : PV_TRUE;
    }
  }
  pv_abstracted_clear(&a);
  pv_result_clear(&r);
  proviso_free(q);
  return done;
}

static int check(struct work *w) {
  proviso *p = w->p;
  enum pv_status status = PV_OK;
  bool done = false;
  pv_limits_start(&p->options.limits);
  if (load(w, p, &w->err) != PV_OK) return pv_cli_complain(pv_str_cstr(&w->err), PV_EXIT_INPUT);
  p->program->invariants.n = 0;
  p->options.properties = p->result.checked = PV_PROP_BIT(PV_PROP_UNREACH_CALL);
  for (w->rounds = 0; !done && status == PV_OK && w->rounds < ROUNDS && w->found.n <= FOUND &&
                      pv_limits_check(&p->options.limits, 0) == PV_LIMIT_NONE;
       w->rounds++) {
    done = look(w, true, &status);
    if (!done && status == PV_OK) done = look(w, false, &status);
    if (!done && !p->options.refine && status == PV_OK) {
      p->result.verdict = PV_UNKNOWN;
      p->result.reason = pv_strdup("an error of the abstract program is none of the original "
                                   "(`--refine` looks for predicates that exclude it)");
      done = true;
    }
  }
  if (status != PV_OK) return pv_cli_complain(pv_str_cstr(&w->err), PV_EXIT_INPUT);
  if (!done) {
    p->result.verdict = PV_UNKNOWN;
    p->result.reason = pv_format("no verdict after %u refinements", w->rounds);
  }
  p->engine = "abstract";
  p->checked = true;
  pv_vec_push(&p->result.notes,
              pv_format("%u predicate%s, %u of them found by refinement", w->named.n + w->found.n,
                        w->named.n + w->found.n == 1 ? "" : "s", w->found.n));
  return pv_cli_print(proviso_text(p), pv_result_exit_status(&p->result));
}

int pv_cli_abstract(const struct pv_command *self, int argc, char **argv) {
  struct work w = {.self = self, .argc = argc, .argv = argv, .p = proviso_new()};
  int status = pv_cli_parse(self, &w.p->options, argc, argv);
  if (!status && read_predicates(&w) != PV_OK)
    status = pv_cli_complain(pv_str_cstr(&w.err), PV_EXIT_INPUT);
  if (!status && find_locals(&w) != PV_OK)
    status = pv_cli_complain(pv_str_cstr(&w.err), PV_EXIT_INPUT);
  bool checks = w.p->options.refine || w.p->options.verify;
  if (!status) status = checks ? check(&w) : print_program(&w);
  pv_named_predicates_free(&w.named);
  for (uint32_t i = 0; i < w.compiled.n; i++) free(w.compiled.at[i]);
  pv_vec_free(&w.compiled);
  pv_abstract_locals_free(&w.locals);
  for (uint32_t i = 0; i < w.found.n; i++) free(w.found.at[i].text);
  pv_vec_free(&w.found);
  pv_str_free(&w.err);
  proviso_free(w.p);
  return status;
}
