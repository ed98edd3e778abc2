/* signals.h -- signals that arrive from outside, as part of the program.
 *
 * Where a program installs handlers, calls of the library's model (models/signal.c) are woven into
 * it, in which an input decides whether a signal arrives. So every engine follows arrivals, in the
 * same way. They stand behind each access that does not commute with what the handlers may do, and
 * behind each primitive if there are threads: a signal that arrives elsewhere might as well have
 * come there. (An arrival moves back over operations of its thread that neither the handlers nor
 * other threads notice. In an atomic section nothing arrives.)
 *
 * A handler that only stores constants, or the number of its signal, runs as often as signals come;
 * otherwise the model counts them up to a bound.
 *
 * Two errors of def-behavior are made visible by checks in front of what handlers do: an access to
 * an object that is neither atomic nor volatile right after a conflicting access by the code that
 * was interrupted (C11, 5.1.2.3, 5), and a call of a library function that must not be called by a
 * handler that came between in another such (POSIX.1-2017, 2.4.3). */
#ifndef PV_SIGNALS_H
#define PV_SIGNALS_H

#include "ir/ir.h"

/* Nothing happens to a program without handlers. */
void pv_signals_weave(struct pv_program *p, int max_signals);

#endif
