// Threads count words of their own part of a text.
// bug: none
// expect: true
// args:
// stdin:
#include <assert.h>
#include <pthread.h>
#include <string.h>

static const char *const parts[] = {"the quick brown", "fox", ""};
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int total, longest;

static void *count(void *argument) {
  const char *text = argument;
  int words = 0;
  for (const char *p = text; *p; p++)
    if (*p != ' ' && (p == text || p[-1] == ' '))
      words++;
  pthread_mutex_lock(&lock);
  if (words == 0) {
    pthread_mutex_unlock(&lock);
    return NULL;
  }
  total += words;
  if (words > longest)
    longest = words;
  pthread_mutex_unlock(&lock);
  return NULL;
}

int main(void) {
  pthread_t threads[3];
  for (int i = 0; i < 3; i++)
    if (pthread_create(&threads[i], NULL, count, (void *)parts[i]) != 0)
      return 1;
  for (int i = 0; i < 3; i++)
    pthread_join(threads[i], NULL);
  assert(total == 4 && longest == 3);
  return 0;
}
