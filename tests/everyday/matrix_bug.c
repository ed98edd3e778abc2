// Multiplies matrices whose size is given as an argument.
// bug: valid-deref: with an argument of 3 the second matrix is too small
// expect: false(valid-deref)
// args: 2
// stdin:
// trigger args: 3
// trigger stdin:
#include <stdio.h>
#include <stdlib.h>

struct matrix {
  size_t rows, columns;
  double *at;
};

static int create(struct matrix *m, size_t rows, size_t columns) {
  m->rows = rows;
  m->columns = columns;
  m->at = calloc(rows * columns, sizeof *m->at);
  return m->at != NULL;
}

static double *element(const struct matrix *m, size_t i, size_t k) {
  return &m->at[i * m->columns + k];
}

static void multiply(struct matrix *to, const struct matrix *a, const struct matrix *b) {
  for (size_t i = 0; i < a->rows; i++)
    for (size_t k = 0; k < b->columns; k++)
      for (size_t j = 0; j < a->columns; j++)
        *element(to, i, k) += *element(a, i, j) * *element(b, j, k);
}

int main(int argc, char **argv) {
  size_t n = argc > 1 && argv[1][0] >= '1' && argv[1][0] <= '3' ? (size_t)(argv[1][0] - '0') : 2;
  struct matrix a = {0}, b = {0}, c = {0};
  int status = 1;
  if (create(&a, n, 2) && create(&b, 2, 2) && create(&c, n, n)) {
    for (size_t i = 0; i < n; i++)
      for (size_t k = 0; k < 2; k++) {
        *element(&a, i, k) = (double)(i + k);
        b.at[k * n + i] = 1.0;
      }
    multiply(&c, &a, &b);
    printf("%g\n", *element(&c, n - 1, n - 1));
    status = 0;
  }
  free(a.at);
  free(b.at);
  free(c.at);
  return status;
}
