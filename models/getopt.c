/* getopt.c -- getopt.h and getopt of unistd.h, as in glibc: operands are moved after the options.
 * An option is moved as soon as it is read. optind is correct at the end; between two calls it may
 * differ from glibc's if operands come before options. */
#include "model.h"

struct option {
  const char *name;
  int has_arg; /* 0: none, 1: required, 2: optional */
  int *flag;
  int val;
};
char *optarg;
int optind = 1, opterr = 1, optopt = '?';
/* The letter after the last one read, if the same argument contains more. */
static char *letters;
static int stood; /* the position of that argument before it was moved */

static void complain(const char *what, const char *option, size_t n) {
  if (!opterr) return;
  __proviso_print(2, what, pv_length(what));
  __proviso_print(2, option, n);
  __proviso_print(2, "\n", 1);
}

/* Moves argument `from` before those that were skipped. */
static char *move_up(char **argv, int from) {
  char *moved = argv[from];
  for (int i = from; i > optind; i--) argv[i] = argv[i - 1];
  argv[optind++] = moved;
  return moved;
}

/* The argument that belongs to an option and follows it. `at`: the position of the option. */
static bool take_argument(int argc, char **argv, int at) {
  if (at + 1 >= argc) return false;
  optarg = move_up(argv, at + 1);
  return true;
}

/* The option with that name, or the only one that begins with it; NULL: none, or several. */
static const struct option *find(const struct option *list, const char *name, size_t n) {
  const struct option *found = NULL;
  bool several = false;
  for (const struct option *o = list; o->name; o++) {
    size_t k = 0;
    while (k < n && o->name[k] == name[k]) k++;
    if (k < n) continue;
    if (!o->name[n]) return o;
    several = several || found;
    found = o;
  }
  return several ? NULL : found;
}

static int read_long(int argc, char **argv, bool colon, const struct option *list, int *index,
                     const char *name, int at) {
  size_t n = 0;
  while (name[n] && name[n] != '=') n++;
  const struct option *o = find(list, name, n);
  bool given = name[n] == '=';
  optopt = o ? o->val : 0;
  if (!o || (given && o->has_arg == 0)) {
    complain(o ? "option takes no argument: " : "unrecognized option: ", name, n);
    return '?';
  }
  if (given) {
    optarg = (char *)name + n + 1;
  } else if (o->has_arg == 1 && !take_argument(argc, argv, at)) {
    if (!colon) complain("option requires an argument: ", name, n);
    return colon ? ':' : '?';
  }
  if (index) *index = (int)(o - list);
  if (!o->flag) return o->val;
  *o->flag = o->val;
  return 0;
}

static int read_letter(int argc, char **argv, bool colon, const char *known, int at) {
  char c = *letters++;
  const char *p = known;
  while (*p && *p != c) p++;
  if (!*p || c == ':') {
    optopt = (unsigned char)c;
    if (!colon) complain("invalid option: ", &c, 1);
    return '?';
  }
  if (p[1] != ':') return (unsigned char)c;
  if (*letters) {
    optarg = letters;
  } else if (p[2] != ':' && !take_argument(argc, argv, at)) {
    optopt = (unsigned char)c;
    if (!colon) complain("option requires an argument: ", &c, 1);
    letters = NULL;
    return colon ? ':' : '?';
  }
  letters = NULL;
  return (unsigned char)c;
}

static int next(int argc, char **argv, const char *known, const struct option *list, int *index) {
  bool in_order = *known == '+';
  if (*known == '-') __proviso_unsupported("getopt that returns operands");
  known += in_order;
  bool colon = *known == ':';
  if (optind == 0) {
    optind = 1;
    letters = NULL;
  }
  optarg = NULL;
  if (letters && *letters) return read_letter(argc, argv, colon, known, stood);
  int at = optind;
  while (at < argc && !in_order && (argv[at][0] != '-' || !argv[at][1])) at++;
  if (at >= argc || argv[at][0] != '-' || !argv[at][1]) return -1;
  char *text = move_up(argv, at);
  if (text[1] == '-' && !text[2]) return -1;
  if (text[1] == '-' && list) return read_long(argc, argv, colon, list, index, text + 2, at);
  letters = text + 1;
  stood = at;
  return read_letter(argc, argv, colon, known, at);
}

int getopt(int argc, char *const argv[], const char *known) {
  return next(argc, (char **)argv, known, NULL, NULL);
}
int getopt_long(int argc, char *const argv[], const char *known, const struct option *list,
                int *index) {
  return next(argc, (char **)argv, known, list, index);
}
