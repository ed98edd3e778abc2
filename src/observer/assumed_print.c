/* assumed_print.c -- writes the automaton of a condition in CPAchecker's language. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "observer/assumed.h"
#include "observer/weave.h"

/* What follows a move. */
enum { TO_VERIFIED = PV_AUTOMATON_VERIFIED, TO_OPEN = PV_AUTOMATON_OPEN };

struct writer {
  struct pv_weave w;
  const struct pv_open_part *part;
  PV_VEC(struct function { pv_observer_moves moves; }) functions;
  PV_VEC(uint32_t) first; /* by state of the part: its first move */
  struct pv_str *out;
  /* the state that is written */
  PV_VEC(struct line {
    char *text;
    uint32_t to; /* a state of the part */
    char *then;  /* further moves before it, one on each line, or NULL */
    uint32_t span;
  })
  lines;
  PV_VEC(uint8_t) entered; /* by state of the part */
  bool is_open;            /* what follows is not known by texts */
};

static void begin(struct writer *x, struct pv_program *p, struct pv_str *err) {
  x->w = (struct pv_weave){.p = p, .err = err};
  x->w.sources = pv_alloc(p->files.n * sizeof *x->w.sources);
  x->w.is_read = pv_alloc(p->files.n * sizeof *x->w.is_read);
  for (uint32_t i = 0; i < p->functions.n; i++) {
    struct function f = {0};
    x->w.function = i;
    x->w.was = &p->functions.at[i];
    if (x->w.was->defined && x->w.was->edges.n) pv_weave_find(&x->w, &f.moves);
    pv_vec_push(&x->functions, f);
  }
  for (uint32_t i = 0, k = 0; i <= x->part->states; i++) {
    while (k < x->part->moves.n && x->part->moves.at[k].from < i) k++;
    pv_vec_push(&x->first, k);
  }
}

static void end(struct writer *x) {
  for (uint32_t i = 0; i < x->functions.n; i++) {
    pv_observer_moves *moves = &x->functions.at[i].moves;
    for (uint32_t k = 0; k < moves->n; k++) {
      free(moves->at[k].owned);
      pv_vec_free(&moves->at[k].list);
    }
    pv_vec_free(moves);
  }
  for (uint32_t i = 0; i < x->w.p->files.n; i++)
    if (x->w.is_read[i]) pv_source_free(&x->w.sources[i]);
  free(x->w.sources);
  free(x->w.is_read);
  pv_map_free(&x->w.called);
  pv_vec_free(&x->functions);
  pv_vec_free(&x->first);
  pv_vec_free(&x->lines);
  pv_vec_free(&x->entered);
}

/* ---- the moves of a state -------------------------------------------------------------------- */
static void text_of(const struct pv_observer_move *m, struct pv_str *out) {
  struct pv_str text = {0};
  bool branch = m->kind == PV_OBSERVER_MOVE_BRANCH;
  if (branch) pv_str_add(&text, m->negated ? "[!(" : "[");
  pv_tokens_text(&m->text, &text);
  pv_str_add(&text, !branch ? ";" : m->negated ? ")]" : "]");
  for (size_t i = 0; i < text.n; i++) {
    if (text.at[i] == '"' || text.at[i] == '\\') pv_str_addc(out, '\\');
    pv_str_addc(out, text.at[i]);
  }
  pv_str_free(&text);
}

/* The texts of the moves of an edge, one on each line. Returns false if one has no text. */
static bool texts_of(const struct writer *x, uint32_t function, uint32_t edge, struct pv_str *out) {
  const pv_observer_moves *moves = &x->functions.at[function].moves;
  uint32_t low = 0, high = moves->n;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (moves->at[middle].edge < edge)
      low = middle + 1;
    else
      high = middle;
  }
  for (; low < moves->n && moves->at[low].edge == edge; low++) {
    const struct pv_observer_move *m = &moves->at[low];
    if (m->kind == PV_OBSERVER_MOVE_BRANCH && (!m->has_text || m->unsure)) return false;
    if (m->kind != PV_OBSERVER_MOVE_BRANCH && m->kind != PV_OBSERVER_MOVE_STATEMENT) continue;
    if (out->n) pv_str_addc(out, '\n');
    text_of(m, out);
  }
  return true;
}

static void add_line(struct writer *x, const char *texts, uint32_t to, uint32_t span) {
  size_t n = strcspn(texts, "\n");
  const char *then = texts[n] ? texts + n + 1 : NULL;
  for (uint32_t i = 0; i < x->lines.n; i++) {
    struct line *l = &x->lines.at[i];
    if (strlen(l->text) != n || memcmp(l->text, texts, n) != 0) continue;
    bool same = l->to == to && !l->then == !then && (!then || !strcmp(l->then, then));
    if (same) return;
    l->to = TO_OPEN; /* two moves that look the same */
    free(l->then);
    l->then = NULL;
    return;
  }
  struct line l = {pv_format("%.*s", (int)n, texts), to, then ? pv_strdup(then) : NULL, span};
  pv_vec_push(&x->lines, l);
}

static void collect(struct writer *x, uint32_t state);

static void add_edge(struct writer *x, uint32_t function, uint32_t edge, uint32_t to) {
  struct pv_str texts = {0};
  const struct pv_edge *e = &x->w.p->functions.at[function].edges.at[edge];
  bool known = texts_of(x, function, edge, &texts);
  if (known && texts.n)
    add_line(x, texts.at, to, e->span);
  else if (to == TO_OPEN || to == TO_VERIFIED)
    x->is_open = true; /* there is no text by which to tell it */
  else
    collect(x, to);
  pv_str_free(&texts);
}

/* Does the state name the edge? */
static bool names(const struct writer *x, uint32_t state, uint32_t function, uint32_t edge) {
  for (uint32_t k = x->first.at[state]; k < x->first.at[state + 1]; k++)
    if (x->part->moves.at[k].function == function && x->part->moves.at[k].edge == edge) return true;
  return false;
}

static void collect(struct writer *x, uint32_t state) {
  if (x->entered.at[state]) return;
  x->entered.at[state] = 1;
  for (uint32_t k = x->first.at[state]; k < x->first.at[state + 1]; k++) {
    const struct pv_automaton_move *m = &x->part->moves.at[k];
    const struct pv_function *f = &x->w.p->functions.at[m->function];
    const struct pv_location *from = &f->locs.at[f->edges.at[m->edge].from];
    add_edge(x, m->function, m->edge, m->to);
    for (uint32_t i = 0; i < from->n_out; i++)
      if (!names(x, state, m->function, from->first_out + i))
        add_edge(x, m->function, from->first_out + i, x->part->otherwise);
  }
}

/* ---- text ------------------------------------------------------------------------------------ */
static void put_name(struct writer *x, uint32_t state) {
  if (state == TO_OPEN || state == TO_VERIFIED)
    pv_str_add(x->out, state == TO_OPEN ? "__FALSE" : "__TRUE");
  else
    pv_str_addf(x->out, "ARG%" PRIu32, state - PV_AUTOMATON_FIRST);
}

static void put_place(struct writer *x, uint32_t span) {
  if (span) pv_str_addf(x->out, " // line %" PRIu32, pv_span_of(x->w.p, span)->line);
  pv_str_addc(x->out, '\n');
}

/* The states between the moves of a line that has several. */
static void put_rest(struct writer *x, uint32_t state, uint32_t number, const struct line *l) {
  const char *at = l->then;
  for (uint32_t i = 0; at; i++) {
    size_t n = strcspn(at, "\n");
    bool last = !at[n];
    pv_str_addf(x->out, "\nSTATE USEFIRST ARG%" PRIu32 "M%" PRIu32 "_%" PRIu32 " :\n",
                state - PV_AUTOMATON_FIRST, number, i);
    pv_str_addf(x->out, "    MATCH \"%.*s\" -> GOTO ", (int)n, at);
    if (last)
      put_name(x, l->to);
    else
      pv_str_addf(x->out, "ARG%" PRIu32 "M%" PRIu32 "_%" PRIu32, state - PV_AUTOMATON_FIRST, number,
                  i + 1);
    pv_str_addc(x->out, ';');
    put_place(x, l->span);
    pv_str_addf(x->out, "    TRUE -> GOTO ARG%" PRIu32 "M%" PRIu32 "_%" PRIu32 ";\n",
                state - PV_AUTOMATON_FIRST, number, i);
    at = last ? NULL : at + n + 1;
  }
}

static void put_state(struct writer *x, uint32_t state) {
  x->entered.n = x->lines.n = 0;
  x->is_open = false;
  for (uint32_t i = 0; i < x->part->states; i++) pv_vec_push(&x->entered, 0);
  collect(x, state);
  pv_str_add(x->out, "\nSTATE USEFIRST ");
  put_name(x, state);
  pv_str_add(x->out, " :\n");
  for (uint32_t i = 0; i < x->lines.n && !x->is_open; i++) {
    const struct line *l = &x->lines.at[i];
    pv_str_addf(x->out, "    MATCH \"%s\" -> GOTO ", l->text);
    if (l->then)
      pv_str_addf(x->out, "ARG%" PRIu32 "M%" PRIu32 "_0", state - PV_AUTOMATON_FIRST, i);
    else
      put_name(x, l->to);
    pv_str_addc(x->out, ';');
    put_place(x, l->span);
  }
  pv_str_add(x->out, "    TRUE -> GOTO ");
  put_name(x, x->is_open ? TO_OPEN : state);
  pv_str_add(x->out, ";\n");
  for (uint32_t i = 0; i < x->lines.n; i++) {
    if (!x->is_open) put_rest(x, state, i, &x->lines.at[i]);
    free(x->lines.at[i].text);
    free(x->lines.at[i].then);
  }
}

static void put_head(struct pv_str *out, const char *initial) {
  pv_str_addf(out,
              "OBSERVER AUTOMATON AssumptionAutomaton\n\nINITIAL STATE %s;\n\n"
              "STATE __TRUE :\n    TRUE -> GOTO __TRUE;\n\n"
              "STATE __FALSE :\n    TRUE -> GOTO __FALSE;\n",
              initial);
}

static bool fits(const struct pv_program *p, const struct pv_open_part *part, struct pv_str *err) {
  for (uint32_t i = 0; i < part->moves.n; i++) {
    const struct pv_automaton_move *m = &part->moves.at[i];
    if (m->thread) {
      pv_str_add(err, "the language of automata cannot express threads");
      return false;
    }
    if (m->function >= p->functions.n || m->edge >= p->functions.at[m->function].edges.n) {
      pv_str_add(err, "the automaton is not one of this program");
      return false;
    }
  }
  return true;
}

enum pv_status pv_assumed_print(struct pv_program *p, const struct pv_condition *c,
                                struct pv_str *out, struct pv_str *err) {
  const struct pv_open_part *part = pv_condition_only(c, PV_OPEN_AUTOMATON);
  enum pv_openness openness = pv_condition_openness(c);
  if (!part && openness == PV_OPEN_PARTS) {
    pv_str_add(err, "what is open cannot be expressed as an automaton; engines value, "
                    "predicate and composite write one");
    return PV_E_INPUT;
  }
  if (!part) {
    put_head(out, openness == PV_OPEN_NOTHING ? "__TRUE" : "__FALSE");
  } else {
    struct writer x = {.part = part, .out = out};
    if (!fits(p, part, err)) return PV_E_INPUT;
    begin(&x, p, err);
    put_head(out, "ARG0");
    for (uint32_t s = PV_AUTOMATON_FIRST; s < part->states; s++) put_state(&x, s);
    end(&x);
  }
  pv_str_add(out, "\nEND AUTOMATON\n");
  return PV_OK;
}
