#include "base/monitors.h"

#include <string.h>

const struct pv_monitor_info pv_monitor_table[PV_MONITOR_COUNT] = {
#define X(N, K, U, H) {K, PV_UNIT_##U, H},
    PV_MONITORS(X)
#undef X
};

static enum pv_status parse_one(const char *text, size_t n, struct pv_monitors *m,
                                struct pv_str *err) {
  static const char *const examples[] = {"2s", "100MB", "50"};
  const char *equals = memchr(text, '=', n);
  size_t length = equals ? (size_t)(equals - text) : n;
  for (unsigned i = 0; i < PV_MONITOR_COUNT; i++) {
    const struct pv_monitor_info *info = &pv_monitor_table[i];
    if (strlen(info->key) != length || memcmp(info->key, text, length) != 0) continue;
    double value;
    if (equals && pv_limits_quantity(equals + 1, n - length - 1, info->unit, &value)) {
      m->most[i] = value;
      return PV_OK;
    }
    if (err)
      pv_str_addf(err, "condition `%.*s`: the value is not of the form %s=%s", (int)n, text,
                  info->key, examples[info->unit]);
    return PV_E_INPUT;
  }
  if (err) {
    pv_str_addf(err, "condition `%.*s`: there is no such condition; there are", (int)n, text);
    for (unsigned i = 0; i < PV_MONITOR_COUNT; i++)
      pv_str_addf(err, "%s %s", i ? "," : "", pv_monitor_table[i].key);
  }
  return PV_E_INPUT;
}

enum pv_status pv_monitors_parse(const char *text, struct pv_monitors *m, struct pv_str *err) {
  struct pv_monitors fresh = *m;
  for (;;) {
    size_t n = strcspn(text, ",");
    PV_TRY(parse_one(text, n, &fresh, err));
    if (!text[n]) break;
    text += n + 1;
  }
  *m = fresh;
  return PV_OK;
}

bool pv_monitors_any(const struct pv_monitors *m) {
  for (unsigned i = 0; i < PV_MONITOR_COUNT; i++)
    if (m->most[i] > 0) return true;
  return false;
}

void pv_monitors_print(const struct pv_monitors *m, enum pv_monitor_kind kind, struct pv_str *out) {
  static const char *const units[] = {"s", "B", ""};
  const struct pv_monitor_info *info = &pv_monitor_table[kind];
  double most = m->most[kind];
  if (info->unit == PV_UNIT_SECONDS && most < 1)
    pv_str_addf(out, "%s=%.12gms", info->key, most * 1000);
  else
    pv_str_addf(out, "%s=%.12g%s", info->key, most, units[info->unit]);
}
