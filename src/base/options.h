/* options.h -- the table of all options of the command line and the API. The parser, --help, range
 * checks, the manual, the completions of shells and the configuration in JSON results come from it.
 * To add an option, add a row.
 *
 * Every row says which sub-commands know the option (PV_FOR_*). */
#ifndef PV_OPTIONS_H
#define PV_OPTIONS_H

#include "base/base.h"
#include "base/limits.h"
#include "base/monitors.h"
#include "property/property.h"

enum {
  PV_FOR_CHECK = 1 << 0,
  PV_FOR_IR = 1 << 1,
  PV_FOR_REPLAY = 1 << 2,
  PV_FOR_DISTANCES = 1 << 3,
  PV_FOR_RESUME = 1 << 4,
  PV_FOR_SPLIT = 1 << 5,
  PV_FOR_JOIN = 1 << 6,
  PV_FOR_CONDITION = 1 << 7,
  PV_FOR_RESIDUAL = 1 << 8,
  PV_FOR_LTL = 1 << 9,
  PV_FOR_OBSERVE = 1 << 10,
  PV_FOR_CI = 1 << 11,
  PV_FOR_INIT = 1 << 12,
  PV_FOR_EXPLAIN = 1 << 13,
  PV_FOR_VIEW = 1 << 14,
  PV_FOR_SEQUENTIALISE = 1 << 15,
  PV_FOR_SLICE = 1 << 16,
  PV_FOR_INSTRUMENT = 1 << 17,
  PV_FOR_ABSTRACT = 1 << 18,
  PV_FOR_VALIDATE = 1 << 19,
  PV_FOR_ALL = (1 << 20) - 1
};

/* The sub-commands that read the program like `check`. */
#define PV_OF_PROGRAM (PV_FOR_CHECK | PV_FOR_IR | PV_FOR_DISTANCES | PV_FOR_SLICE)

/* Choices: name, commands, field, default, values ("a|b|c"), help. The field holds the index of the
 * value. */
#define PV_CHOICE_OPTIONS(X)                                                                       \
  X("engine", PV_FOR_CHECK, engine, "auto",                                                        \
    "auto|explicit|dpor|value|predicate|composite|bmc|kinduction|esst",                            \
    "the engine that analyses the program")                                                        \
  X("search", PV_FOR_CHECK, search, "dfs", "dfs|bfs|best|astar|beam|greedy|walk|portfolio",        \
    "order of the explicit search. dfs: depth first; bfs: breadth first, finds shortest "          \
    "error paths if --por is none or sleep; best: nearest to an error first, by "                  \
    "--heuristic; astar: by depth plus estimate, for fewest transitions, without "                 \
    "reduction; beam: best with --queue-limit; greedy: always the nearest successor; "             \
    "walk: random walks; portfolio: short runs of several of these, then dfs")                     \
  X("store", PV_FOR_CHECK, store, "exact", "exact|compact64|compact128|bitstate",                  \
    "how visited states are stored; all but exact may lose states, with a probability "            \
    "that the proviso states, and need --search dfs")                                              \
  X("por", PV_FOR_CHECK, por, "both", "none|sleep|persistent|both",                                \
    "partial-order reduction: with sleep sets, persistent sets, or both")                          \
  X("symmetry", PV_FOR_CHECK, symmetry, "none", "none|threads",                                    \
    "store states that differ only by a permutation of threads once; needs --search dfs "          \
    "and --store exact; engine esst: choose one of several threads that are alike")                \
  X("atomic", PV_FOR_CHECK, atomic, "visible", "visible|statement|instruction",                    \
    "where threads may switch: before operations that other threads can observe; before C "        \
    "statements (adds a proviso if that leaves out something); before every operation; "           \
    "the last two are interpreted")                                                                \
  X("scheduler", PV_OF_PROGRAM, scheduler, "auto", "auto|pthread|fairthreads|systemc|osek",        \
    "the scheduler of the program's threads; auto: the one whose primitives it calls, else "       \
    "pthread")                                                                                     \
  X("fairthreads", PV_OF_PROGRAM | PV_FOR_SEQUENTIALISE, fairthreads, "1.1", "1.0|1.1",            \
    "the version of the FairThreads library, where versions differ: in 1.0 suspend wins over "     \
    "resume, broadcasts come in reverse order, any thread can be joined, and a stopped thread "    \
    "cleans up when it is its turn")                                                               \
  X("order", PV_FOR_CHECK | PV_FOR_SEQUENTIALISE, order, "creation", "creation|all|any|accellera", \
    "cooperative threads: who runs first if several threads could. creation: the order in "        \
    "which they were created; all: every order of the threads, which then stays; any: every "      \
    "choice at every time, which includes runs that no scheduler of FairThreads makes, and is "    \
    "what the standard of SystemC allows; accellera: the order of its reference implementation")   \
  X("exec", PV_FOR_CHECK, exec, "native", "interpret|native",                                      \
    "how transitions are executed: all interpreted; or memoised, and as machine code "             \
    "where it pays off")                                                                           \
  X("sanitizer", PV_FOR_REPLAY, sanitizer, "auto", "auto|none|address|thread|undefined",           \
    "with --native: the sanitizer that the program is built with; auto: the one that shows the "   \
    "error, or none if it shows without")                                                          \
  X("indeterminate", PV_FOR_CHECK, indeterminate, "use", "use|read",                               \
    "where an indeterminate value is an error of def-behavior: where it is used, in a "            \
    "condition, as an address, in output; or wherever it is read, even if only to be "             \
    "copied")                                                                                      \
  X("undefined-functions", PV_OF_PROGRAM, undefined_functions, "stop", "stop|return",              \
    "what a call of a function does that no file and no model defines. stop: it ends the path, "   \
    "with a proviso; return: it returns and changes nothing, numbers are inputs, and all "         \
    "pointers to structures that begin alike are the address of one object of zeros (adds a "      \
    "proviso)")                                                                                    \
  X("dpor", PV_FOR_CHECK, dpor, "optimal", "classic|source|optimal",                               \
    "how engine dpor chooses the executions to explore: with backtrack sets, source sets, "        \
    "or wakeup trees")                                                                             \
  X("dependence", PV_FOR_CHECK, dependence, "auto", "auto|conflict|predicate",                     \
    "which orders engine dpor distinguishes: those of all accesses that conflict, or only "        \
    "of those that can influence the properties; auto: predicate, without its assumption "         \
    "on other accesses")                                                                           \
  X("integers", PV_FOR_CHECK, integers, "linear", "linear|bitvector",                              \
    "how symbolic engines represent integers: as mathematical integers, modelled as "              \
    "wrapping around where they may overflow; or as bit-vectors")                                  \
  X("bit-solver", PV_FOR_CHECK, bit_solver, "cadical", "z3|cadical",                               \
    "who decides questions about bit-vectors: Z3; or CaDiCaL, after bit-blasting")                 \
  X("blocks", PV_FOR_CHECK, blocks, "loops", "loops|functions|single",                             \
    "where engine predicate computes abstractions: at loop heads; also where functions "           \
    "begin and end; after every edge")                                                             \
  X("predicate-scope", PV_FOR_CHECK, predicate_scope, "location",                                  \
    "location|function|global|thread",                                                             \
    "where engine predicate uses a new predicate: at its program point, in its function, "         \
    "everywhere; engine esst: everywhere, or one about a thread where that thread stands")         \
  X("abstraction", PV_FOR_CHECK, abstraction, "boolean", "boolean|cartesian",                      \
    "how engine predicate abstracts: to any Boolean combination of predicates, or to a "           \
    "conjunction")                                                                                 \
  X("heuristic", PV_FOR_CHECK | PV_FOR_DISTANCES, heuristic, "auto",                               \
    "auto|none|random|fsm|efsm|fca|efca",                                                          \
    "how distances from states to errors are estimated: all equal; at random (--seed); "           \
    "without calling context; with the nearest return places (--context) and the call "            \
    "stack; with full context; with full context and the call stack; auto: efca for "              \
    "searches that need estimates, fca for distances")                                             \
  X("ties", PV_FOR_CHECK, ties, "last", "last|interference",                                       \
    "among states equally near to an error, searches best and beam take: the one found "           \
    "last; or first those reached by a step that depends on the step before")                      \
  X("cost", PV_FOR_DISTANCES, cost, "edges", "edges|visible|instruction",                          \
    "the cost of an edge of the program: 1; or 1 if it is certainly a transition of its "          \
    "own, under --atomic visible or instruction")                                                  \
  X("window", PV_FOR_CHECK, window, "all", "all|auto",                                             \
    "which threads the explicit search moves. auto: the program is executed once (see `proviso "   \
    "observe`), and only the threads move on which the warnings depend; their places are the "     \
    "targets of directed searches (adds a proviso)")                                               \
  X("witness-version", PV_FOR_CHECK | PV_FOR_RESUME | PV_FOR_REPLAY, witness_version, "auto",      \
    "auto|2.0|2.1|2.2",                                                                            \
    "the format version of --witness; auto: 2.2 if the program has threads, else 2.0")             \
  X("format", PV_FOR_IR | PV_FOR_LTL, format, "text", "text|dot|c|hoa|never",                      \
    "how `proviso ir` prints the program (text, dot, c), and `proviso ltl` the automaton")
enum pv_engine_kind {
  PV_ENGINE_AUTO,
  PV_ENGINE_EXPLICIT,
  PV_ENGINE_DPOR,
  PV_ENGINE_VALUE,
  PV_ENGINE_PREDICATE,
  PV_ENGINE_COMPOSITE,
  PV_ENGINE_BMC,
  PV_ENGINE_KINDUCTION,
  PV_ENGINE_ESST
};
enum pv_search_kind {
  PV_SEARCH_DFS,
  PV_SEARCH_BFS,
  PV_SEARCH_BEST,
  PV_SEARCH_ASTAR,
  PV_SEARCH_BEAM,
  PV_SEARCH_GREEDY,
  PV_SEARCH_WALK,
  PV_SEARCH_PORTFOLIO
};
enum pv_heuristic {
  PV_HEURISTIC_AUTO,
  PV_HEURISTIC_NONE,
  PV_HEURISTIC_RANDOM,
  PV_HEURISTIC_FSM,
  PV_HEURISTIC_EFSM,
  PV_HEURISTIC_FCA,
  PV_HEURISTIC_EFCA
};
enum pv_window { PV_WINDOW_ALL, PV_WINDOW_AUTO };
enum pv_undefined_functions { PV_UNDEFINED_FUNCTIONS_STOP, PV_UNDEFINED_FUNCTIONS_RETURN };
enum pv_indeterminate { PV_INDETERMINATE_USE, PV_INDETERMINATE_READ };
enum pv_ties { PV_TIES_LAST, PV_TIES_INTERFERENCE };
enum { PV_ANY_PREEMPTIONS = 1000000 };
enum pv_dpor_kind { PV_DPOR_CLASSIC, PV_DPOR_SOURCE, PV_DPOR_OPTIMAL };
enum pv_dependence_kind { PV_DEPENDENCE_AUTO, PV_DEPENDENCE_CONFLICT, PV_DEPENDENCE_PREDICATE };
enum pv_symmetry_kind { PV_SYMMETRY_NONE, PV_SYMMETRY_THREADS };
enum pv_store_kind { PV_STORE_EXACT, PV_STORE_COMPACT64, PV_STORE_COMPACT128, PV_STORE_BITSTATE };
enum { PV_CONTEXT_DEFAULT = 1 };
/* Number options: name, commands, field, default, low, high, help. */
#define PV_NUMBER_OPTIONS(X)                                                                       \
  X("inputs", PV_FOR_CHECK, inputs, 16, 1, 65536,                                                  \
    "number of values to try for an input whose range is too large to try all of them")            \
  X("threads", PV_FOR_CHECK, threads, 1, 1, 64,                                                    \
    "number of threads that search in parallel, breadth first and without sleep sets; the "        \
    "result is the same as with one such thread")                                                  \
  X("hashes", PV_FOR_CHECK, hashes, 3, 1, 32,                                                      \
    "number of bits that a state sets in the table of --store bitstate; about two thirds "         \
    "of the bits per state is best")                                                               \
  X("peek", PV_FOR_CHECK, peek, 1, 0, 1,                                                           \
    "engine dpor: 1: a critical section that only accesses memory is one event; two of "           \
    "them are ordered only if their accesses conflict")                                            \
  X("prune", PV_FOR_CHECK, prune, 1, 0, 1,                                                         \
    "engine dpor: 1: consecutive stores of a thread to one place, with no read of it in "          \
    "between, are one event")                                                                      \
  X("preemptions", PV_FOR_CHECK, preemptions, 1000000, 0, 1000000,                                 \
    "engine dpor: bound on switches away from a thread that could continue, in one "               \
    "execution; 1000000: unbounded (a bound implies --dependence conflict --peek 0 "               \
    "--prune 0)")                                                                                  \
  X("max-threads", PV_FOR_CHECK, max_threads, 64, 1, 64,                                           \
    "bound on threads that are alive at the same time")                                            \
  X("recursion", PV_FOR_CHECK, max_frames, 2000, 1, 100000, "bound on nested calls in one thread") \
  X("unwind", PV_FOR_CHECK, unwind, 0, 0, 1000000000,                                              \
    "engine bmc: bound on loop iterations, 0: it grows until a limit is reached; engine "          \
    "dpor: bound on how often a thread executes one operation, 0: none")                           \
  X("native-after", PV_FOR_CHECK, native_after, 50000, 0, 1000000000,                              \
    "compile a function to machine code after each of its instructions was interpreted "           \
    "this many times on average")                                                                  \
  X("seed", PV_FOR_CHECK, seed, 0, 0, 1000000000,                                                  \
    "seed of random choices: in searches greedy, walk and portfolio, of --heuristic "              \
    "random, and, unless it is 0, of ties in searches best and beam")                              \
  X("look-ahead", PV_FOR_CHECK, look_ahead, 0, 0, 1000,                                            \
    "number of transitions for which an estimate may follow a thread that only reads, "            \
    "along the branches that current values decide (not in search astar)")                         \
  X("queue-limit", PV_FOR_CHECK, queue_limit, 1000, 1, 1000000000,                                 \
    "number of states that may wait in search beam (adds a proviso if there are more)")            \
  X("context", PV_FOR_CHECK | PV_FOR_DISTANCES, context, PV_CONTEXT_DEFAULT, 0, 16,                \
    "number of return places that --heuristic efsm distinguishes")                                 \
  X("max-args", PV_OF_PROGRAM, max_args, 3, 0, 16,                                                 \
    "bound on the program's arguments, without its name, unless --args gives them")                \
  X("max-arg-length", PV_OF_PROGRAM, max_arg_length, 16, 1, 256,                                   \
    "bound on the length of an argument and of an environment value")                              \
  X("max-file-length", PV_OF_PROGRAM, max_file_length, 64, 1, 256,                                 \
    "bound on the bytes of a file that the program reads, unless --file gives it")                 \
  X("max-signals", PV_OF_PROGRAM, max_signals, 2, 0, 1000,                                         \
    "bound on the signals with a handler that arrive from outside (adds a proviso if more "        \
    "could matter)")                                                                               \
  X("step", PV_FOR_REPLAY, step, 0, 0, 1000000000,                                                 \
    "stop after this step of the error path; 0 goes to its end")                                   \
  X("violation", PV_FOR_REPLAY | PV_FOR_VIEW, violation, 1, 1, 1000000,                            \
    "which of the recorded errors to replay, counted from 1")                                      \
  X("runs", PV_FOR_REPLAY | PV_FOR_OBSERVE, runs, 1, 1, 1000000,                                   \
    "replay --native: how often the program is run; observe: the number of executions, with "      \
    "consecutive seeds")                                                                           \
  X("parts", PV_FOR_SPLIT, parts, 2, 1, 100000, "number of parts; also -n")
/* Switches: name, commands, field, help. All are off by default. */
#define PV_SWITCH_OPTIONS(X)                                                                       \
  X("keep-going", PV_FOR_CHECK, keep_going, "report every distinct error, not only the first")     \
  X("native", PV_FOR_REPLAY | PV_FOR_OBSERVE, native,                                              \
    "replay: show the error in the real program: build it, instrumented, and run it with the "     \
    "inputs and the schedule of the error path; observe: impose the schedule of the execution on " \
    "the real program, and analyse the trace of that")                                             \
  X("confirm", PV_FOR_OBSERVE, confirm,                                                            \
    "look for each warning in all executions: it is confirmed, refuted or left open")              \
  X("refine", PV_FOR_ABSTRACT, refine,                                                             \
    "check the abstract program instead of printing it; an error that is none of the original "    \
    "gives new predicates, until there is a verdict")                                              \
  X("verify", PV_FOR_ABSTRACT, verify,                                                             \
    "check the abstract program with the predicates that there are")                               \
  X("minimise", PV_FOR_CHECK, minimise,                                                            \
    "shorten the paths of the errors found: fewest context switches, then fewest transitions")     \
  X("check-proof", PV_FOR_CHECK, check_proof,                                                      \
    "check the proofs of engines value, predicate, composite, kinduction and bmc again, "          \
    "independently and with a new solver; lists the checked invariants")                           \
  X("slice", PV_FOR_CHECK, slice,                                                                  \
    "search a part of the program: without what cannot influence the properties; an error is "     \
    "then "                                                                                        \
    "shown in the whole program. The default for larger sequential programs and unreach-call")     \
  X("no-slice", PV_FOR_CHECK, no_slice, "search the whole program")                                \
  X("specialise", PV_FOR_SLICE | PV_FOR_IR | PV_FOR_CHECK, specialise,                             \
    "propagate constants first, those of fixed inputs (--args, --env, --stdin, --file), too, and " \
    "remove the branches that they decide")                                                        \
  X("malloc-may-fail", PV_FOR_CHECK, malloc_may_fail,                                              \
    "malloc and the other allocation functions may return a null pointer")                         \
  X("calls-may-fail", PV_FOR_CHECK, calls_may_fail,                                                \
    "pthread_create, sem_init and the init functions of pthread.h and threads.h may fail "         \
    "for lack of resources; opening, writing and closing files for any reason")                    \
  X("writers-first", PV_FOR_CHECK, writers_first,                                                  \
    "a read lock is not granted while a writer waits, not even to a thread that already "          \
    "holds one")                                                                                   \
  X("no-spurious", PV_FOR_CHECK, no_spurious,                                                      \
    "condition variables never wake up spuriously (adds a proviso)")                               \
  X("no-reuse", PV_FOR_CHECK, no_reuse, "freed addresses are never reused (adds a proviso)")       \
  X("32", PV_OF_PROGRAM | PV_FOR_SEQUENTIALISE, ilp32, "32-bit data model (ILP32)")                \
  X("64", PV_OF_PROGRAM | PV_FOR_SEQUENTIALISE, lp64, "64-bit data model (LP64), the default")     \
  X("generalised", PV_FOR_LTL, generalised, "allow several marks, on transitions")                 \
  X("fair", PV_FOR_CHECK, fair,                                                                    \
    "properties of whole executions (ltl, termination): only of executions in which no thread "    \
    "that could always go on from some time on waits for ever")                                    \
  X("explain", PV_FOR_CHECK | PV_FOR_RESUME | PV_FOR_REPLAY, explain,                              \
    "also say what was tried, why it stopped, and what would help: the next commands")             \
  X("update", PV_FOR_CI, update, "write the verdicts and provisos of this run to the file")        \
  X("quiet", PV_FOR_CHECK | PV_FOR_REPLAY | PV_FOR_RESUME | PV_FOR_EXPLAIN | PV_FOR_CI, quiet,     \
    "print only the provisos and the result line")                                                 \
  X("verbose", PV_FOR_ALL, verbose, "print progress messages")
/* Text options, repeatable: name, commands, field, placeholder, help. */
#define PV_TEXT_OPTIONS(X)                                                                         \
  X("criterion", PV_FOR_SLICE, criterion, "A,B|FILE:LINE:VAR",                                     \
    "what the slice must keep: properties, by their names in SV-COMP (default: unreach-call), or " \
    "the value of a variable in a line; may repeat")                                               \
  X("property", PV_FOR_CHECK | PV_FOR_DISTANCES, property, "A,B",                                  \
    "the properties to check, by their names in SV-COMP (default: every error that needs "         \
    "no specification)")                                                                           \
  X("spec", PV_FOR_CHECK | PV_FOR_DISTANCES, spec, "FILE.prp", "an SV-COMP property file")         \
  X("invariant", PV_OF_PROGRAM, invariant, "EXPR",                                                 \
    "a C expression over globals that must hold in every state")                                   \
  X("observer", PV_OF_PROGRAM, observer, "FILE.spc",                                               \
    "an observer automaton in CPAchecker's language; its error states must not be reached")        \
  X("mutex-region", PV_FOR_CHECK | PV_FOR_DISTANCES, mutex_region, "F,G",                          \
    "functions or labels in which no two threads may be at the same time")                         \
  X("ltl", PV_FOR_CHECK, ltl, "FORMULA",                                                           \
    "a formula of linear temporal logic that every execution must satisfy, as in SPIN or "         \
    "SV-COMP: "                                                                                    \
    "'[] (req -> <> ack)'; if no property is named, nothing else is checked")                      \
  X("ap", PV_FOR_CHECK, ap, "NAME = EXPR",                                                         \
    "a name in formulas (--ltl) for a C expression over globals, or for a place: @F holds while "  \
    "some thread is in function or at label F, 2@F while thread 2 is; `end` holds where the "      \
    "program has ended")                                                                           \
  X("starvation-free", PV_FOR_CHECK, starvation_free, "F",                                         \
    "a function or label in which no thread may stay for ever (property starvation-free)")         \
  X("predicates", PV_FOR_CHECK, predicates, "FILE",                                                \
    "initial predicates of the abstraction, one on each line: [FUNCTION: | FILE:LINE:] "           \
    "EXPR, locals as `f::x`")                                                                      \
  X("mark-slice", PV_FOR_IR, mark_slice, "A,B",                                                    \
    "mark the statements that can influence these properties (a slice); only in text")             \
  X("limit", PV_FOR_CHECK | PV_FOR_DISTANCES | PV_FOR_RESUME | PV_FOR_LTL, limit, "KEY=VALUE,...", \
    "time=60s, memory=2GB, states=N, depth=N")                                                     \
  X("condition", PV_FOR_CHECK | PV_FOR_RESUME, condition, "KEY=VALUE,...",                         \
    "symbolic engines: leave out what exceeds a bound, and go on with the rest (adds a proviso); " \
    "the keys are below")                                                                          \
  X("dump-queries", PV_FOR_CHECK, dump_queries, "DIR",                                             \
    "write every question to the solver to a file in DIR, as SMT-LIB text with its answer and "    \
    "its time (for work on the solver)")                                                           \
  X("json", PV_FOR_CHECK | PV_FOR_DISTANCES | PV_FOR_RESUME, json, "FILE",                         \
    "write the complete result to FILE; with -, to standard output, and the text to "              \
    "standard error")                                                                              \
  X("harness", PV_FOR_CHECK | PV_FOR_REPLAY | PV_FOR_RESUME | PV_FOR_INSTRUMENT, harness,          \
    "FILE.c",                                                                                      \
    "write a C file that gives the program the inputs of the error found; compile and run "        \
    "it with the program")                                                                         \
  X("proviso", PV_FOR_CHECK | PV_FOR_RESUME, proviso, "FILE",                                      \
    "write the condition of the result to FILE, every few seconds and at the end (default of "     \
    "`resume`: the file that it continues)")                                                       \
  X("work", PV_FOR_CHECK | PV_FOR_RESUME, work, "DIR",                                             \
    "the directory for what a run writes by itself; it is made if it is missing: the condition, "  \
    "DIR/condition, and temporary files. `proviso resume DIR` goes on from there")                 \
  X("coverage", PV_FOR_CHECK | PV_FOR_RESUME, coverage, "FILE.info",                               \
    "write the lines that are verified to FILE.info, in the format of lcov; with -, to standard "  \
    "output (engines explicit and auto; slower)")                                                  \
  X("report", PV_FOR_CHECK | PV_FOR_RESUME | PV_FOR_REPLAY, report, "FILE.html",                   \
    "write a report for the browser to FILE.html: verdict, proviso, source, and the error path "   \
    "to "                                                                                          \
    "be stepped through; with -, to standard output")                                              \
  X("sarif", PV_FOR_CHECK | PV_FOR_RESUME | PV_FOR_REPLAY, sarif, "FILE.sarif",                    \
    "write errors and provisos to FILE.sarif, for editors and code scanning (SARIF 2.1.0); with "  \
    "-, to standard output")                                                                       \
  X("junit", PV_FOR_CHECK | PV_FOR_RESUME | PV_FOR_REPLAY, junit, "FILE.xml",                      \
    "write the verdict as test cases, one for each property, to FILE.xml (JUnit); with -, to "     \
    "standard output")                                                                             \
  X("witness", PV_FOR_CHECK | PV_FOR_RESUME | PV_FOR_REPLAY | PV_FOR_VALIDATE, witness,            \
    "FILE.yml",                                                                                    \
    "write the error, or the invariants of a proof, to FILE.yml as a verification witness of "     \
    "SV-COMP; with -, to standard output")                                                         \
  X("exclude", PV_FOR_CHECK | PV_FOR_IR | PV_FOR_SLICE, exclude, "FUNCTION|FILE",                  \
    "do not examine this function, or those of this file: paths end where it is called (adds a "   \
    "proviso)")                                                                                    \
  X("load", PV_FOR_CHECK, load, "PLUGIN.so",                                                       \
    "load a plug-in, which listens to the events of the search (see docs/events.md). It runs "     \
    "with "                                                                                        \
    "your rights: load only what you trust. Engines explicit (default then) and dpor")             \
  X("plan", PV_FOR_CHECK, plan, "'A(K=V); B'",                                                     \
    "engines one after the other, each on what the one before left open, with options and limits " \
    "of their own: 'bmc(unwind=1); value(time=10s); predicate'")                                   \
  X("trace", PV_FOR_OBSERVE, trace, "FILE",                                                        \
    "analyse the trace in FILE, which a program built by `instrument` wrote, instead of "          \
    "executing a program")                                                                         \
  X("gdb", PV_FOR_REPLAY, gdb, "FILE",                                                             \
    "with --native: write a script for gdb to FILE, which stops where the schedule goes on with "  \
    "another thread")                                                                              \
  X("output",                                                                                      \
    PV_FOR_SPLIT | PV_FOR_JOIN | PV_FOR_CONDITION | PV_FOR_RESIDUAL | PV_FOR_INIT | PV_FOR_SLICE | \
        PV_FOR_SEQUENTIALISE | PV_FOR_REPLAY | PV_FOR_INSTRUMENT | PV_FOR_ABSTRACT,                \
    output, "FILE",                                                                                \
    "where to write the condition; `split` writes FILE.1, FILE.2, ... (default of `split`: the "   \
    "name of what it splits); also -o")                                                            \
  X("given", PV_FOR_CHECK | PV_FOR_RESIDUAL | PV_FOR_CONDITION, given, "FILE",                     \
    "examine only what the condition in FILE leaves open; FILE may be an assumption automaton "    \
    "of CPAchecker")                                                                               \
  X("args", PV_OF_PROGRAM, args, "'A B'",                                                          \
    "the arguments of the program, split into words like a shell does (default: any, see "         \
    "--max-args)")                                                                                 \
  X("env", PV_OF_PROGRAM, env, "NAME=VALUE",                                                       \
    "an environment variable; there are no others then (default: any values)")                     \
  X("stdin", PV_OF_PROGRAM, stdin_file, "FILE",                                                    \
    "what the program reads from standard input (default: anything)")                              \
  X("file", PV_OF_PROGRAM, file, "NAME=PATH",                                                      \
    "the content of the file that the program opens as NAME, read from PATH (default: it "         \
    "may be missing, or contain anything)")                                                        \
  X("entry", PV_OF_PROGRAM, entry, "FUNCTION",                                                     \
    "start in this function instead of main; several of them: one check after the other")          \
  X("project", PV_OF_PROGRAM | PV_FOR_INIT, project, "DIR",                                        \
    "the directory of compile_commands.json: files are compiled with its flags, and those are "    \
    "linked that the start reaches; files named besides are linked in any case; also -p")
/* What an option means to one sub-command, if it differs from the row above: name, all PV_FOR_*
 * bits of the command, values (of a choice: those that the command accepts), default (of a choice;
 * NULL: as above), help. */
#define PV_OPTION_VARIANTS(X)                                                                      \
  X("witness", PV_FOR_VALIDATE, "FILE.yml", NULL, "the witness to validate")                       \
  X("property", PV_FOR_DISTANCES, "A,B", NULL,                                                     \
    "the properties whose errors are the targets, by their names in SV-COMP (default: "            \
    "unreach-call, and those that other options ask for)")                                         \
  X("format", PV_FOR_IR, "text|dot|c", "text", "how the program is printed")                       \
  X("format", PV_FOR_LTL, "text|dot|hoa|never", "text",                                            \
    "how the automaton is printed: as text, in DOT, in the Hanoi omega-automata format, or as a "  \
    "never claim of SPIN")                                                                         \
  X("output", PV_FOR_SLICE, "FILE", NULL,                                                          \
    "where to write the program (default: standard output); also -o")                              \
  X("output", PV_FOR_CONDITION, "FILE", NULL,                                                      \
    "where to write the text (default: standard output); of `benchmark`, a directory; also -o")    \
  X("output", PV_FOR_ABSTRACT | PV_FOR_CHECK, "FILE", NULL,                                        \
    "where to write the abstract program (default: standard output); also -o")                     \
  X("output", PV_FOR_INIT, "FILE", NULL, "the file to write (default: proviso.toml); also -o")     \
  X("quiet", PV_FOR_CI, "", NULL, "print only what got worse, and the last line")                  \
  X("output", PV_FOR_SEQUENTIALISE, "FILE", NULL,                                                  \
    "where to write the program (default: standard output); also -o")                              \
  X("order", PV_FOR_SEQUENTIALISE, "creation|all|any", "creation",                                 \
    "who runs first if several threads could. creation: the order in which they were created; "    \
    "all: every order of the threads, which then stays; any: every choice at every time")          \
  X("output", PV_FOR_REPLAY, "FILE", NULL, "with --native: keep the executable as FILE; also -o")  \
  X("output", PV_FOR_INSTRUMENT, "FILE", NULL, "the name of the executable; also -o")              \
  X("harness", PV_FOR_INSTRUMENT, "FILE.c", NULL,                                                  \
    "a harness with a schedule, which `replay --native --harness FILE.c` wrote, for the program "  \
    "to follow")                                                                                   \
  X("limit", PV_FOR_DISTANCES, "KEY=VALUE,...", NULL, "time=60s, memory=2GB")                      \
  X("limit", PV_FOR_LTL, "KEY=VALUE,...", NULL, "time=60s, memory=2GB")                            \
  X("heuristic", PV_FOR_DISTANCES, "auto|fsm|efsm|fca|efca", NULL,                                 \
    "how distances are measured: without calling context, with the nearest return places "         \
    "(--context), with full context (efca: the same, because lines have no call stack); "          \
    "auto: fca")

struct pv_texts {
  char **at; /* owned */
  uint32_t n, cap;
};

struct pv_options {
#define X(N, C, F, D, V, H) int F;
  PV_CHOICE_OPTIONS(X)
#undef X
#define X(N, C, F, D, L, U, H) long F;
  PV_NUMBER_OPTIONS(X)
#undef X
#define X(N, C, F, H) bool F;
  PV_SWITCH_OPTIONS(X)
#undef X
#define X(N, C, F, P, H) struct pv_texts F;
  PV_TEXT_OPTIONS(X)
#undef X
  struct pv_texts files; /* inputs, in order */
  struct pv_texts
      file_flags; /* flags of single inputs: "-DX,-DY"; may have fewer entries than `files` */
  struct pv_texts clang_args; /* after --; -D, -U and -I also before */
  /* Not an option of the command line: attempts (trylock, trywait) may fail at any time
   * (plan/recheck.c); the search decides whether weak memory orders matter (dpor/robustness.h). */
  bool weak_attempts, robustness;
  bool marks;               /* also no option: the program gets marks, as for observers */
  pv_properties properties; /* the union of what `property` and `spec` ask for; the default set if
                               neither is given */
  struct pv_limits limits;  /* set by `limit`; memory by default 80 % of the machine's */
  struct pv_monitors monitors; /* set by `condition` */
  unsigned command; /* the PV_FOR_* bit of the sub-command whose options are accepted; 0 = all */
};

void pv_options_init(struct pv_options *o); /* defaults */
void pv_options_free(struct pv_options *o);
/* Sets one option by name ("search", "bfs"). The value of a switch is NULL, "1" or "0". PV_E_INPUT,
 * with a message in `err`, for an unknown name or a wrong value. */
enum pv_status pv_options_set(struct pv_options *o, const char *name, const char *value,
                              struct pv_str *err);
/* Adds an input: FILE, or FILE:-FLAG,-FLAG... with flags for clang that apply to this file only. If
 * a file with the name `word` exists, the whole word is taken as its name. */
void pv_options_add_file(struct pv_options *o, const char *word);
/* The flags of input number `i` ("" if it has none), borrowed. pv_options_next_flag returns the
 * first flag of *rest and moves *rest behind it; NULL at the end, else the caller frees it. */
const char *pv_options_file_flags(const struct pv_options *o, uint32_t i);
char *pv_options_next_flag(const char **rest);
/* Parses the words of a command line (without program name and sub-command): --name value,
 * --name=value, files, and clang's arguments after --. Then calls pv_options_check. Errors are
 * PV_E_INPUT with a message in `err`. */
enum pv_status pv_options_parse(struct pv_options *o, int argc, char **argv, struct pv_str *err);
/* Checks that the options fit together and that the files they name can be read. */
enum pv_status pv_options_check(const struct pv_options *o, struct pv_str *err);
/* Appends the help of the options of the sub-commands in `commands` (PV_FOR_*), in the order of the
 * table, 80 columns wide. */
void pv_options_help_for(unsigned commands, struct pv_str *out);
/* Appends one row of a table: a name of at most 22 columns, and a text wrapped beside it. */
void pv_help_row(const char *name, const char *text, struct pv_str *out);
/* Returns the name most similar to `word`, or NULL if none is similar: for suggestions. */
const char *pv_nearest(const char *word, const char *const *names, size_t n);
/* The name of a value of a choice option, by its index. Valid until the next call in this thread.
 */
const char *pv_options_choice_name(const char *option, int value);

/* A row of the table at run time, for everything that is generated from it. */
enum pv_option_kind { PV_OPTION_CHOICE, PV_OPTION_NUMBER, PV_OPTION_SWITCH, PV_OPTION_TEXT };
struct pv_option_info {
  const char *name;
  enum pv_option_kind kind;
  unsigned commands;      /* PV_FOR_* */
  size_t offset;          /* in struct pv_options: of an int, a long, a bool or a struct pv_texts */
  const char *dflt;       /* CHOICE */
  const char *values;     /* CHOICE: "a|b|c"; TEXT: the placeholder */
  long number, low, high; /* NUMBER: default and range */
  const char *help;
};
extern const struct pv_option_info pv_option_table[];
extern const size_t pv_option_count;
/* The row as the sub-commands in `commands` see it (PV_OPTION_VARIANTS). */
struct pv_option_info pv_option_for(const struct pv_option_info *info, unsigned commands);

#endif
