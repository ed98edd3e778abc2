/* Parses and prints texts with cJSON in a pool of C-Thread-Pool: jobs that work on memory of their own, and a total that
 * they share. -DRACY: the total is not locked. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cJSON.h"
#include "thpool.h"

static const char text[] =
    "{\"name\":\"Jack (\\\"Bee\\\") Nimble\",\"format\":{\"type\":\"rect\",\"width\":1920,\"height\":1080,"
    "\"interlace\":false,\"frame rate\":24},\"list\":[1,2,3,4,5,6,7,8,9,10,[\"a\",\"b\",\"c\"],{\"x\":1.5}]}";
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static long total;

static void job(void *rounds) {
  for (long i = 0; i < (long)rounds; i++) {
    cJSON *json = cJSON_Parse(text);
    char *printed = cJSON_PrintUnformatted(json);
    long n = (long)strlen(printed);
#ifndef RACY
    pthread_mutex_lock(&lock);
#endif
    total += n;
#ifndef RACY
    pthread_mutex_unlock(&lock);
#endif
    free(printed);
    cJSON_Delete(json);
  }
}

int main(int argc, char **argv) {
  int jobs = argc > 1 ? atoi(argv[1]) : 100;
  threadpool pool = thpool_init(4);
  for (int i = 0; i < jobs; i++) thpool_add_work(pool, job, (void *)100L);
  thpool_wait(pool);
  thpool_destroy(pool);
  printf("%ld\n", total);
  return 0;
}
