#include "condition/residual.h"

#include <stdlib.h>
#include <string.h>

struct residual {
  const struct pv_program *p;
  bool only_branches;              /* the automaton does not move along other edges */
  uint32_t end;                    /* executions end in this state of the automaton */
  const struct pv_open_part *part; /* NULL: everything is open */
  uint32_t *first;                 /* by function: the number of its first edge */
  uint32_t *start;                 /* by edge: its first move in `moves`; one more at the end */
  const struct pv_automaton_move **moves;
};

static int by_target(const void *a, const void *b) {
  const struct pv_automaton_move *const *x = a, *const *y = b;
  if ((*x)->to != (*y)->to) return (*x)->to < (*y)->to ? -1 : 1;
  return (*x)->from < (*y)->from ? -1 : (*x)->from > (*y)->from;
}

/* Sorts the moves by edge. false: some move is not one of thread 0 along an edge. */
static bool sort_moves(struct residual *r, const struct pv_program *p) {
  const struct pv_open_part *part = r->part;
  uint32_t edges = 0;
  r->first = pv_alloc((p->functions.n + 1) * sizeof *r->first);
  for (uint32_t f = 0; f < p->functions.n; f++) {
    r->first[f] = edges;
    edges += p->functions.at[f].edges.n;
  }
  r->start = pv_alloc((edges + 2) * sizeof *r->start);
  r->moves = pv_alloc((part->moves.n + 1) * sizeof *r->moves);
  for (uint32_t i = 0; i < part->moves.n; i++) {
    const struct pv_automaton_move *m = &part->moves.at[i];
    if (m->thread || m->function >= p->functions.n ||
        m->edge >= p->functions.at[m->function].edges.n)
      return false;
    r->start[r->first[m->function] + m->edge + 2]++;
  }
  for (uint32_t e = 0; e <= edges; e++) r->start[e + 1] += r->start[e];
  for (uint32_t i = 0; i < part->moves.n; i++) {
    const struct pv_automaton_move *m = &part->moves.at[i];
    r->moves[r->start[r->first[m->function] + m->edge + 1]++] = m;
  }
  for (uint32_t e = 0; e < edges; e++)
    if (r->start[e + 1] > r->start[e])
      qsort(r->moves + r->start[e], r->start[e + 1] - r->start[e], sizeof *r->moves, by_target);
  return true;
}

static void go_to(const struct residual *r, uint32_t state, struct pv_str *out) {
  if (state == r->end)
    pv_str_add(out, "pv_assume(0);");
  else
    pv_str_addf(out, "pv_state = %u;", state);
}

/* Does the move need no case of its own? */
static bool is_plain(const struct pv_automaton_move *m, uint32_t otherwise) {
  return m->from == m->to || m->to == otherwise || m->from < PV_AUTOMATON_FIRST;
}

/* The state in which all that follows is in the program is never left. */
static void weave_moves(const struct residual *r, uint32_t function, uint32_t edge,
                        struct pv_str *out) {
  const struct pv_function *f = &r->p->functions.at[function];
  if (r->only_branches && f->locs.at[f->edges.at[edge].from].n_out < 2) return;
  uint32_t at = r->first[function] + edge, otherwise = r->part->otherwise;
  uint32_t first = r->start[at], end = r->start[at + 1];
  uint32_t rest = PV_AUTOMATON_OPEN + PV_AUTOMATON_VERIFIED - r->end;
  bool ends = otherwise == r->end, stays = ends;
  if (first == end) {
    if (ends) pv_str_addf(out, "if (pv_state != %u) ", rest);
    go_to(r, otherwise, out);
    return;
  }
  pv_str_add(out, "switch (pv_state) {");
  if (ends) pv_str_addf(out, " case %u:", rest);
  for (uint32_t i = first; i < end; i++) {
    if (r->moves[i]->from != r->moves[i]->to) continue;
    pv_str_addf(out, " case %u:", r->moves[i]->from);
    stays = true;
  }
  if (stays) pv_str_add(out, " break;");
  for (uint32_t i = first; i < end; i++) {
    const struct pv_automaton_move *m = r->moves[i];
    if (is_plain(m, otherwise)) continue;
    pv_str_addf(out, " case %u: ", m->from);
    go_to(r, m->to, out);
    pv_str_add(out, " break;");
  }
  pv_str_add(out, " default: ");
  go_to(r, otherwise, out);
  pv_str_add(out, " }");
}

static void weave_edge(const void *user, uint32_t function, uint32_t edge, struct pv_str *out) {
  const struct residual *r = user;
  if (!r->part) return;
  weave_moves(r, function, edge, out);
  /* An error on an execution that never comes to `verified` is open. */
  if (r->end == PV_AUTOMATON_OPEN && r->p->functions.at[function].edges.at[edge].op == PV_OP_ERROR)
    pv_str_addf(out, " if (pv_state != %d) pv_assume(0);", PV_AUTOMATON_VERIFIED);
}

static void add_comment(const char *text, struct pv_str *out) {
  for (; *text; text++) pv_str_addc(out, *text == '*' || (unsigned char)*text < 32 ? '_' : *text);
}

/* The first lines: what the result depends on, whatever another verifier finds. */
static void add_top(const struct pv_condition_file *file, const char *what, struct pv_str *out) {
  pv_str_addf(out, "/* %s:", what);
  for (uint32_t i = 0; i < file->options.files.n; i++) {
    pv_str_addc(out, ' ');
    add_comment(file->options.files.at[i], out);
  }
  pv_str_add(out, "\n * Property: reach_error is never called.");
  for (uint32_t i = 0; i < file->condition.provisos.n; i++) {
    const struct pv_proviso *x = &file->condition.provisos.at[i];
    if (x->part || !pv_proviso_is_assumption(x->kind)) continue;
    pv_str_add(out, "\n * Provided that ");
    add_comment(x->sentence, out);
  }
  pv_str_add(out, " */\n");
}

static enum pv_status refuse(const struct pv_program *p, const struct pv_condition_file *file,
                             struct pv_str *err) {
  pv_properties others = file->checked & ~PV_PROP_BIT(PV_PROP_UNREACH_CALL);
  if (others) {
    pv_str_add(err, "residual programs are about unreach-call only, and the condition is about ");
    pv_properties_print(others, err);
  } else if (!file->checked) {
    pv_str_add(err, "the condition is not about unreach-call");
  } else if (file->options.malloc_may_fail || file->options.calls_may_fail) {
    pv_str_add(err, "residual programs cannot express failing calls of the C library");
  } else if (pv_condition_openness(&file->condition) == PV_OPEN_NOTHING) {
    pv_str_add(err, "the condition leaves nothing open, so there is no residual program");
  } else if (p->start >= p->functions.n) {
    pv_str_add(err, "the program has no function to start in");
  }
  return err->n ? PV_E_INPUT : PV_OK;
}

/* Prints with the automaton of *r, if it has one. */
static enum pv_status print(struct residual *r, const struct pv_condition_file *file,
                            const char *what, struct pv_str *out, struct pv_str *err) {
  struct pv_str top = {0}, declarations = {0};
  add_top(file, what, &top);
  if (r->part) pv_str_addf(&declarations, "static u32 pv_state = %u;\n", PV_AUTOMATON_FIRST);
  struct pv_c_weave weave = {.user = r,
                             .top = pv_str_cstr(&top),
                             .declarations = pv_str_cstr(&declarations),
                             .edge = weave_edge};
  char *unfit = pv_program_print_woven(r->p, &weave, out);
  if (unfit) pv_str_addf(err, "there is no residual program: %s", unfit);
  enum pv_status status = unfit ? PV_E_INPUT : PV_OK;
  free(unfit);
  free(r->first);
  free(r->start);
  free(r->moves);
  pv_str_free(&top);
  pv_str_free(&declarations);
  return status;
}

enum pv_status pv_residual_print(const struct pv_program *p, const struct pv_condition_file *file,
                                 const struct pv_open_part *branches, struct pv_str *out,
                                 bool *whole, struct pv_str *err) {
  struct residual r = {
      .p = p, .only_branches = branches != NULL, .part = branches, .end = PV_AUTOMATON_VERIFIED};
  PV_TRY(refuse(p, file, err));
  if (!branches) r.part = pv_condition_only(&file->condition, PV_OPEN_AUTOMATON);
  if (r.part && !sort_moves(&r, p)) r.part = NULL;
  *whole = !r.part;
  return print(&r, file, "The residual program of", out, err);
}

enum pv_status pv_verified_print(const struct pv_program *p, const struct pv_condition_file *file,
                                 struct pv_str *out, struct pv_str *err) {
  struct residual r = {.p = p,
                       .part = pv_condition_only(&file->condition, PV_OPEN_AUTOMATON),
                       .end = PV_AUTOMATON_OPEN};
  PV_TRY(refuse(p, file, err));
  if (r.part && sort_moves(&r, p)) return print(&r, file, "What is verified of", out, err);
  free(r.first);
  free(r.start);
  free(r.moves);
  pv_str_add(err, "the form of the condition cannot be woven in");
  return PV_E_INPUT;
}
