/* portfolio.c -- several searches one after the other: first short randomised ones, then a complete
 * depth-first search.
 *
 * Each order is fast for some programs, and a short attempt is cheap (Huberman, Lukose, Hogg, "An
 * economics approach to hard computational problems", Science 275, 1997). The attempts are searches
 * greedy, best with random ties, and walk. Each starts from the beginning; their lengths follow
 * Luby's sequence (walk.c). If one completes, its verdict is the result. Otherwise only its
 * statistics are kept. */
#include "base/random.h"
#include "explore/guide.h"
#include "explore/search.h"

enum { ROUNDS = 7, UNIT = 2000 /* transitions */ };

static void count(struct pv_stats *to, const struct pv_stats *from) {
  to->transitions += from->transitions;
  to->matched += from->matched;
  to->pruned += from->pruned;
  to->reduced += from->reduced;
  to->generated += from->generated;
  to->expanded += from->expanded;
}

static bool was_sample(const struct pv_result *r) {
  for (uint32_t i = 0; i < r->condition.provisos.n; i++)
    if (r->condition.provisos.at[i].kind == PV_PROVISO_SAMPLING) return true;
  return false;
}

/* Runs one more search. Returns true if *result is the final result. */
static bool attempt(const struct pv_task *task, enum pv_search_kind kind,
                    const struct pv_search_turn *turn, struct pv_result *result) {
  struct pv_options options = *task->options; /* the texts are borrowed */
  struct pv_task mine = *task;
  struct pv_result r = {0};
  options.search = (int)kind;
  mine.options = &options;
  bool ended = pv_search_run(&mine, turn, &r) && !was_sample(&r);
  struct pv_stats before = result->stats;
  if (ended || r.violations.n || !turn) {
    uint64_t first = r.stats.first_error;
    r.stats.distance_nodes = before.distance_nodes;
    r.stats.distance_seconds = before.distance_seconds;
    for (uint32_t i = 0; i < result->notes.n; i++) pv_vec_push(&r.notes, result->notes.at[i]);
    result->notes.n = 0;
    pv_result_clear(result);
    *result = r;
    count(&result->stats, &before);
    result->stats.first_error = first ? first + before.generated : 0;
    return true;
  }
  count(&result->stats, &r.stats);
  pv_result_clear(&r);
  return false;
}

void pv_search_portfolio(const struct pv_task *task, struct pv_result *result) {
  static const enum pv_search_kind kinds[] = {PV_SEARCH_GREEDY, PV_SEARCH_BEST, PV_SEARCH_WALK};
  enum { KINDS = sizeof kinds / sizeof *kinds };
  struct pv_guide *guide = pv_guide_new(task, NULL, NULL, false, result);
  uint64_t lot = (uint64_t)task->options->seed;
  bool done = task->options->keep_going; /* every error is asked for: short attempts do not help */
  for (uint64_t i = 0; i < (uint64_t)ROUNDS * KINDS && !done; i++) {
    struct pv_search_turn turn = {.budget = pv_luby(i / KINDS + 1) * UNIT, .guide = guide};
    turn.lot = pv_random(&lot);
    done = attempt(task, kinds[i % KINDS], &turn, result);
  }
  pv_guide_free(guide);
  if (!done || task->options->keep_going) attempt(task, PV_SEARCH_DFS, NULL, result);
}
