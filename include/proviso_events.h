/** @file proviso_events.h
 * Events of executions and searches, and who listens to them.
 *
 * A listener is told what the machine does: steps, choices, accesses, locks, states, errors. The
 * commands `check` (engines explicit and dpor) and `observe` tell all of them; the engines on
 * abstract states (bmc, kinduction, value, predicate, composite, esst) tell STATE, REFINEMENT,
 * ERROR and PROGRESS. A search without listeners does no work for them; one with listeners
 * interprets every transition, and is slower.
 *
 * Events come in the order in which they happen, on the thread that checks. A listener must not
 * call the handle that tells it. */
#ifndef PROVISO_EVENTS_H
#define PROVISO_EVENTS_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** What happened. */
typedef enum {
  PROVISO_EVENT_STEP,    /**< a transition of `thread` begins */
  PROVISO_EVENT_CHOICE,  /**< ... which takes `alternative` of several `alternatives` */
  PROVISO_EVENT_READ,    /**< `bytes` at address `at` */
  PROVISO_EVENT_WRITE,   /**< likewise */
  PROVISO_EVENT_LOCK,    /**< the thread holds the lock `at` from now on (`shared`: as a reader) */
  PROVISO_EVENT_UNLOCK,  /**< ... and no more */
  PROVISO_EVENT_RELEASE, /**< synchronisation through the object `at`: what comes before this ... */
  PROVISO_EVENT_ACQUIRE, /**< ... happens before what comes after this */
  PROVISO_EVENT_FORK,    /**< begins thread number `at` */
  PROVISO_EVENT_JOIN,    /**< thread number `at` has ended */
  PROVISO_EVENT_FORGET,  /**< the `bytes` at `at` end; another object may be there later */
  PROVISO_EVENT_FENCE,   /**< a fence, which `acquires`, `releases` or both */
  PROVISO_EVENT_STATE,   /**< the step led from state `from` to state `state`; is it new? */
  PROVISO_EVENT_END,     /**< the step led to no state: see `outcome` */
  PROVISO_EVENT_BACKTRACK,  /**< the search goes on from the earlier state `state`; engine dpor:
                               undoes its last step */
  PROVISO_EVENT_ERROR,      /**< an error: `text` says which, `property` is its name in SV-COMP */
  PROVISO_EVENT_PROGRESS,   /**< a few times a second: `states`, `depth` so far */
  PROVISO_EVENT_REFINEMENT, /**< a precision grew after a spurious error path; `states` abstract
                               states that it made obsolete were removed */
  PROVISO_EVENT_COUNT       /**< how many kinds there are */
} proviso_event_kind;

/** Why a step led to no state. */
typedef enum {
  PROVISO_OUTCOME_ENDED,  /**< the program ended normally */
  PROVISO_OUTCOME_PRUNED, /**< abort, or an assumption is false */
  PROVISO_OUTCOME_CUT,    /**< a bound, or something that is not modelled: there is a proviso */
  PROVISO_OUTCOME_ERROR   /**< an error, told as an event of its own */
} proviso_outcome;

/** An event. Members that the kind does not name are 0. Strings are valid during the call. */
typedef struct {
  proviso_event_kind kind; /**< what happened */
  uint32_t thread;         /**< 0: main; numbers of threads that were joined are used again */
  const char *file;     /**< STEP to FORGET, and STATE of an abstract state: where the thread is in
                           its own code, or NULL */
  const char *function; /**< likewise */
  uint32_t line;        /**< likewise; 0: not known */
  uint64_t at;    /**< address, lock, object or thread; equal in all executions of a program */
  uint32_t bytes; /**< READ, WRITE, FORGET: how many */
  bool shared;    /**< LOCK: as a reader */
  bool atomic;    /**< READ, WRITE: an atomic operation */
  bool acquires;  /**< its memory order, or that of a fence, acquires */
  bool releases;  /**< ... releases */
  bool updates;   /**< WRITE: of an atomic read-modify-write, whose READ was told before */
  uint32_t alternative;    /**< STEP, CHOICE: the one taken, from 0 */
  uint32_t alternatives;   /**< STEP, CHOICE: how many there are */
  uint64_t from;           /**< STATE, END: the state before the step; see `state` */
  uint64_t state;          /**< STATE, BACKTRACK: a number from 0; 0 where states are not stored, or
                              their store may lose some */
  bool is_new;             /**< STATE: it was not known before */
  proviso_outcome outcome; /**< END: why */
  const char *property;    /**< ERROR: the name in SV-COMP, or of our own */
  const char *text;        /**< ERROR: the message */
  uint64_t states;         /**< PROGRESS: states so far; REFINEMENT: see there */
  uint64_t depth;          /**< PROGRESS: the longest path so far */
} proviso_event;

/** The bit of a kind in proviso_listener::kinds. */
#define PROVISO_EVENT_BIT(KIND) (UINT64_C(1) << (KIND))

/** Who is told, and of what. */
typedef struct {
  uint64_t kinds; /**< PROVISO_EVENT_BIT of each kind that it wants to be told */
  /** Is called for each event of these kinds, with `user`. */
  void (*tell)(void *user, const proviso_event *event);
  /** NULL, or called once, after the last event. */
  void (*end)(void *user);
  void *user; /**< for the functions */
} proviso_listener;

/** The version of this interface. */
#define PROVISO_EVENTS_VERSION 1u

/** A plug-in is a shared object with this function, loaded with `proviso check --load FILE.so`.
 * @param version PROVISO_EVENTS_VERSION of the program that loads it
 * @param out is filled
 * @return 0; or not 0 if it cannot work with this version of the interface */
int proviso_plugin(unsigned version, proviso_listener *out);

#ifdef __cplusplus
}
#endif
#endif
