/* tables.c -- prints the memory of the states by table. */
#include "report/report.h"

uint64_t pv_report_tables(const struct pv_report *r, struct pv_table_bytes out[PV_TABLES]) {
  const struct pv_stats *s = &r->result->stats;
  bool bits = r->options->store == PV_STORE_BITSTATE;
  const struct pv_table_bytes tables[PV_TABLES] = {
      {"roots", s->root_bytes},
      {"nodes", s->node_bytes},
      {bits ? "bits" : "fingerprints", s->visited_bytes},
      {"components", s->component_bytes},
      {"sleep sets", s->mask_bytes},
      {"parents", s->parent_bytes},
  };
  uint64_t sum = 0;
  for (int i = 0; i < PV_TABLES; i++) sum += (out[i] = tables[i]).bytes;
  return sum;
}
