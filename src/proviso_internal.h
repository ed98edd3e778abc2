/* proviso_internal.h -- what the command line needs of a handle beside the public API. */
#ifndef PROVISO_INTERNAL_H
#define PROVISO_INTERNAL_H

#include "engine.h"
#include "proviso.h"
#include "report/report.h"

struct proviso {
  struct pv_options options;
  struct pv_program *program; /* NULL until loaded */
  struct pv_result result;
  const char *engine;   /* the one that ran; NULL before */
  const char *command;  /* for reports */
  pv_progress progress; /* NULL: none */
  void *progress_user;
  void (*log)(const char *what); /* told what begins now; NULL: nobody listens */
  bool checked;                  /* `result` holds a result */
  struct pv_str error, text, json, harness, ir, line, distances;
  PV_VEC(char *) sentences; /* of provisos and violations, as handed out */
};

/* Of the program of p's files: how far each line is from its function's end and from errors, as
 * text (borrowed, NULL on error); *json, unless NULL, gets the same as an object. */
const char *proviso_distances(proviso *p, struct pv_str *json);

/* The report of the last check, for a terminal or not. */
struct pv_report proviso_report(const proviso *p, bool colour);

struct pv_record;
/* Replays a recorded violation, counted from 0: loads p's files and runs its choices. p->result is
 * afterwards `false` with the violation, or `unknown` with the reason. */
proviso_status proviso_replay(proviso *p, const struct pv_record *record, uint32_t violation);

#endif
