/* Static facts about the symmetry of a program's threads. */
#include "explore/symmetry.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "frontend/frontend.h"

#define HEAD                                                                                       \
  "#include <pthread.h>\n#include <stdint.h>\n#include <stdlib.h>\n"                               \
  "static int x; static int *p; static pthread_t t[2];\n"                                          \
  "static void *worker(void *arg) { "
#define MAIN                                                                                       \
  " return 0; }\nint main(void) { for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, worker, "   \
  "0);"
#define END " }\n"

static const struct {
  const char *text;
  const char *obstacle; /* a part of it, or NULL */
  bool in_memory, detaches, nested, writes_ids;
} programs[] = {
    {HEAD "x++;" MAIN "pthread_join(t[0], 0);" END, NULL, false, false, false, false},
    {HEAD "if (pthread_self() == t[0]) x++;" MAIN END, "pthread_self", false, false, false, false},
    {HEAD "int mine; if ((uintptr_t)&mine > 9) x++;" MAIN END, "numbers", false, false, false,
     false},
    {HEAD "static int all; if ((uintptr_t)&all > 9) x++;" MAIN END, NULL, false, false, false,
     false},
    {HEAD "x += (int)(intptr_t)arg;" MAIN END, NULL, false, false, false, false},
    {HEAD "int mine = 1; p = &mine; x += *p;" MAIN END, NULL, true, false, false, false},
    {HEAD "p = malloc(4); x = ((char *)&p)[1];" MAIN END, "numbers", true, false, false, false},
    {HEAD "x++;" MAIN "pthread_detach(t[0]);" END, NULL, false, true, false, false},
    {HEAD "x++;" MAIN "pthread_attr_t a; pthread_attr_init(&a); "
          "pthread_attr_setdetachstate(&a, 1); pthread_create(&t[0], &a, worker, 0);" END,
     NULL, false, true, false, false},
    {HEAD "pthread_join(t[1], 0);" MAIN END, NULL, false, false, true, false},
    {HEAD "t[1] = 0;" MAIN END, NULL, false, false, false, true},
};

static struct pv_program *load(const char *text) {
  char path[] = "/tmp/proviso-symmetry-XXXXXX.c";
  int fd = mkstemps(path, 2);
  assert_true(fd >= 0);
  assert_int_equal(write(fd, text, strlen(text)), strlen(text));
  close(fd);
  struct pv_options o;
  struct pv_str err = {0};
  struct pv_program *p = NULL;
  pv_options_init(&o);
  pv_vec_push(&o.files, pv_strdup(path));
  if (pv_load(&o, &pv_sched_pthread, &p, &err) != PV_OK) fail_msg("%s", pv_str_cstr(&err));
  pv_options_free(&o);
  pv_str_free(&err);
  unlink(path);
  return p;
}

static bool is_written(const struct pv_program *p, const struct pv_symmetry_facts *f,
                       const char *name) {
  for (uint32_t g = 0; g < p->globals.n; g++)
    if (strcmp(p->globals.at[g].name, name) == 0) return f->written[g];
  fail_msg("no global %s", name);
  return false;
}

static void facts_of_programs(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof programs / sizeof *programs; i++) {
    struct pv_program *p = load(programs[i].text);
    struct pv_symmetry_facts f = pv_symmetry_facts(p);
    const char *wanted = programs[i].obstacle;
    if (!wanted != !f.obstacle || (wanted && !strstr(f.obstacle, wanted)))
      fail_msg("%s: obstacle: %s", programs[i].text, f.obstacle ? f.obstacle : "none");
    if (f.in_memory != programs[i].in_memory || f.detaches != programs[i].detaches ||
        f.nested != programs[i].nested || is_written(p, &f, "t") != programs[i].writes_ids)
      fail_msg("%s: in memory %d, detaches %d, nested %d", programs[i].text, f.in_memory,
               f.detaches, f.nested);
    pv_symmetry_facts_clear(&f);
    pv_program_free(p);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(facts_of_programs)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
